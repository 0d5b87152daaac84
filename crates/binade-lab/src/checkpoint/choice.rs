//! Which weights are quantised, and which share a scale.

use binade_files::ElementType;
use binade_glob::Glob;
use serde_json::{Map, Value};

use super::CheckpointLayout;
use super::weight::{LONGEST_ROW, Weight};
use crate::Error;

/// Parts of names whose weights stay as they are, and why. They are globs for one part between dots.
const LEFT: [(&str, &str); 9] = [
    ("{*embed*,wte,wpe}", "embeddings are looked up, not multiplied by"),
    ("{lm_head,output_layer,embed_out}", "it makes the logits"),
    ("{*norm,*norm[0-9],*_norm_*,ln_*,*layernorm*}", "it normalises"),
    ("{router,gate,*_router,shared_expert_gate}", "it routes to experts"),
    ("{score,classifier,*_head}", "it is a head"),
    ("{*conv,conv1d,conv[0-9],patch_embed*}", "it is a convolution"),
    ("{rotary_emb,*_rotary*}", "it holds positions"),
    (
        "{vision_tower,vision_model,visual,audio_tower,multi_modal_projector}",
        "it is not of the language model",
    ),
    ("{mtp,*indexer*}", "its readers want it as it is"),
];

/// Model types whose blocks are of transformers' Conv1D, whose weights are `[in, out]` and which quantisers of linear layers,
/// compressed-tensors too, pass over. GPTBigCode, GPT-Neo and Starcoder2 have linear layers of the same names.
const CONV1D_TYPES: [&str; 7] =
    ["gpt2", "openai-gpt", "decision_transformer", "imagegpt", "clvp", "clvp_decoder", "jukebox"];

/// The modules of these.
const CONV1D: [&str; 4] = ["c_attn", "q_attn", "c_proj", "c_fc"];

/// Whether the model is made of Conv1D: config.json names its type, or a projection to queries, keys and values is `[n, 3n]`.
pub(crate) fn has_conv1d(config: Option<&Map<String, Value>>, weights: &[Weight<'_>]) -> bool {
    let mut parts: Vec<&Value> = config.into_iter().flat_map(Map::values).collect();
    let mut types: Vec<&str> =
        config.and_then(|config| config.get("model_type")?.as_str()).into_iter().collect();
    // A model of several, such as an encoder and a decoder, has configurations in its own.
    while let Some(part) = parts.pop() {
        if let Value::Object(inner) = part {
            types.extend(inner.get("model_type").and_then(Value::as_str));
            parts.extend(inner.values());
        }
    }
    let turned = |weight: &Weight<'_>| {
        let shape = weight.coded.as_ref().map_or(weight.tensor.shape(), |coded| &coded.shape);
        weight.name.ends_with(".c_attn.weight")
            && matches!(*shape, [a, b] if a > 0 && a.checked_mul(3) == Some(b))
    };
    types.iter().any(|name| CONV1D_TYPES.contains(name)) || weights.iter().any(turned)
}

/// Which tensors are meant.
pub(crate) struct Choice {
    /// Whether the model is made of transformers' Conv1D.
    conv1d: bool,
    include: Option<Vec<Glob>>,
    exclude: Vec<Glob>,
    left: Vec<(Glob, &'static str)>,
}

impl Choice {
    pub(crate) fn new(include: &[String], exclude: &[String], conv1d: bool) -> Result<Choice, Error> {
        let glob = |pattern: &String| {
            pattern.parse().map_err(|reason| Error::Pattern { pattern: pattern.clone(), reason })
        };
        let set = |patterns: &[String]| patterns.iter().map(glob).collect::<Result<Vec<Glob>, Error>>();
        let left = const { &LEFT }.iter().map(|(pattern, why)| Ok((glob(&(*pattern).to_owned())?, *why)));
        Ok(Choice {
            conv1d,
            include: (!include.is_empty()).then(|| set(include)).transpose()?,
            exclude: set(exclude)?,
            left: left.collect::<Result<_, Error>>()?,
        })
    }

    /// Why a weight is not quantised, where it is not.
    pub(crate) fn left(
        &self,
        weight: &Weight<'_>,
        layout: CheckpointLayout,
        shape: &[u64],
    ) -> Option<&'static str> {
        let (name, experts) = (&weight.name, layout == CheckpointLayout::GptOss);
        let any = |globs: &[Glob]| globs.iter().any(|glob| glob.matches(name));
        if any(&self.exclude) {
            return Some("an exclude pattern matches its name");
        }
        let included = self.include.as_ref().map(|include| any(include));
        if included == Some(false) {
            return Some("no include pattern matches its name");
        }
        if weight.coded.is_none()
            && !matches!(weight.tensor.element(), ElementType::Bf16 | ElementType::F16 | ElementType::F32)
        {
            return Some("its elements are not bf16, f16 or f32");
        }
        if experts && shape.len() != 3 {
            return Some("this layout quantises the experts only");
        }
        if !experts && shape.len() != 2 {
            return Some("it is not a matrix");
        }
        if shape.contains(&0) || shape.iter().any(|&length| length > LONGEST_ROW) {
            return Some("it is empty, or its rows are too long");
        }
        let expert = |name: &str| name.ends_with(".gate_up_proj") || name.ends_with(".down_proj");
        match (experts, included) {
            (true, None) if !expert(name) => return Some("it is not a projection of experts"),
            (false, _) if !name.ends_with(".weight") => return Some("its name does not end with .weight"),
            _ => {}
        }
        let module = name.strip_suffix(".weight").and_then(|stem| stem.rsplit('.').next());
        if self.conv1d && module.is_some_and(|module| CONV1D.contains(&module)) {
            return Some("it is of transformers' Conv1D, which is no Linear: its rows are inputs");
        }
        if included.is_some() {
            return None;
        }
        let why = |part: &str| self.left.iter().find(|(glob, _)| glob.matches(part)).map(|(_, why)| *why);
        name.split('.').find_map(why)
    }
}

/// Projections that readers fuse, so that they must share the scale over their blocks.
const FUSED: [&[&str]; 4] = [
    &["q_proj", "k_proj", "v_proj"],
    &["gate_proj", "up_proj"],
    &["w1", "w3"],
    &["q_a_proj", "kv_a_proj_with_mqa"],
];

/// What a weight shares its scale over all with: its own name, or a name for the fused projection.
pub(crate) fn fused(name: &str) -> String {
    let stem = name.strip_suffix(".weight").unwrap_or(name);
    let (module, last) = stem.rsplit_once('.').unwrap_or(("", stem));
    let group = const { &FUSED }.iter().find(|group| group.contains(&last));
    group.map_or_else(|| name.to_owned(), |group| format!("{module}.{}", group.join("+")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fused_projections() {
        let of = |name| fused(&format!("model.layers.3.{name}.weight"));
        assert_eq!(of("self_attn.q_proj"), of("self_attn.v_proj"));
        assert_ne!(of("self_attn.q_proj"), of("self_attn.o_proj"));
        assert_eq!(of("mlp.experts.7.gate_proj"), of("mlp.experts.7.up_proj"));
        assert_ne!(of("mlp.experts.7.gate_proj"), of("mlp.experts.8.up_proj"));
        assert_eq!(of("mlp.down_proj"), "model.layers.3.mlp.down_proj.weight");
    }

    #[test]
    fn parts_that_stay() {
        let choice = Choice::new(&[], &[], false).unwrap();
        let left = |part: &str| choice.left.iter().any(|(glob, _)| glob.matches(part));
        for part in [
            "embed_tokens",
            "wte",
            "lm_head",
            "input_layernorm",
            "norm",
            "q_norm",
            "ln_1",
            "gate",
            "router",
            "kv_a_layernorm",
        ] {
            assert!(left(part), "{part}");
        }
        for part in [
            "q_proj",
            "gate_proj",
            "gate_up_proj",
            "mlp",
            "experts",
            "weight",
            "fc1",
            "model",
            "layers",
            "dense",
        ] {
            assert!(!left(part), "{part}");
        }
    }
}
