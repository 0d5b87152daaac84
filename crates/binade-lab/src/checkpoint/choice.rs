//! Decides which weights to quantise, and which weights share a tensor scale.
//!
//! A weight is selected by its module's kind in the architecture of config.json ([`Architecture`]). If the table does not
//! have the model type or the module, the parts of the weight's name decide.

use binade_files::ElementType;
use binade_glob::Glob;
use serde_json::{Map, Value};

use super::architecture::{Architecture, ModuleKind};
use super::scheme::{CheckpointLayout, module_of};
use super::weight::{LONGEST_ROW, Weight};
use crate::Error;

const EMBEDDING: &str = "embedding: looked up, not multiplied";
const OUTPUT_HEAD: &str = "output head";
const HEAD: &str = "head of a task";
const ROUTER: &str = "router of experts";
const CONV1D_NO_LINEAR: &str = "transformers' Conv1D: not a linear layer, its rows are inputs";

/// Parts of names whose weights are not quantised, with the reason. A part is between dots; the patterns are globs.
const LEFT: [(&str, &str); 7] = [
    ("{*embed*,*_embd,wte,wpe}", EMBEDDING),
    ("{lm_head,output_layer,embed_out}", OUTPUT_HEAD),
    ("{router,gate,*_router,shared_expert_gate,ffn_gate_inp}", ROUTER),
    ("{score,classifier,*_head}", HEAD),
    ("{*conv,conv1d,conv[0-9],patch_embed*}", "convolution"),
    ("{rotary_emb,*_rotary*}", "table of positions"),
    ("{vision_tower,vision_model,visual,audio_tower,multi_modal_projector}", TOWER),
];
const TOWER: &str = "not part of the language model";

/// As `LEFT`, for the last part of the module's name.
const LEFT_LAST: (&str, &str) = ("{shared,w,emb,*_emb,*_embs,*_attention_bias}", EMBEDDING);

/// Parts of names of norms. Only the last two parts of a module's name count: a model may be called `roberta_prelayernorm`.
const NORM: (&str, &str) = ("{*norm,*norm[0-9],*_norm_*,ln_*,*layernorm*}", "norm");

/// Linear layers that are not quantised, by parts of their names: readers of language models expect this.
const LEFT_LINEAR: [(&str, &str); 2] = [
    ("{vision_tower,vision_model,visual,audio_tower,multi_modal_projector}", TOWER),
    ("{mtp,*indexer*}", "readers expect it unquantised"),
];

/// The modules of transformers' Conv1D, whose weights are `[in, out]`. Quantisers of linear layers skip them,
/// compressed-tensors included. GPTBigCode, GPT-Neo and Starcoder2 use these names for linear layers.
const CONV1D: [&str; 4] = ["c_attn", "q_attn", "c_proj", "c_fc"];

/// Model types that are not in the table and consist of Conv1D.
const CONV1D_TYPES: [&str; 2] = ["clvp", "jukebox"];

/// Returns true if a model of unknown type consists of Conv1D: a projection to queries, keys and values is `[n, 3n]`.
fn has_conv1d(weights: &[Weight<'_>]) -> bool {
    weights.iter().any(|weight| {
        weight.name.ends_with(".c_attn.weight")
            && matches!(*weight.shape(), [a, b] if a > 0 && a.checked_mul(3) == Some(b))
    })
}

/// The basis of a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rule {
    /// The kind of the module in its architecture.
    Architecture(ModuleKind),
    /// Parts of the name.
    Name,
}

/// The selection of weights.
pub(crate) struct Choice {
    architecture: Architecture,
    /// True if a model of unknown type consists of transformers' Conv1D.
    conv1d: bool,
    /// Rows of embeddings and output heads, by config.json.
    vocabulary: Option<u64>,
    include: Option<Vec<Glob>>,
    exclude: Vec<Glob>,
    left: Vec<(Glob, &'static str)>,
    left_linear: Vec<(Glob, &'static str)>,
    left_last: Glob,
    norm: Glob,
}

impl Choice {
    pub(crate) fn new(
        include: &[String],
        exclude: &[String],
        config: Option<&Map<String, Value>>,
        weights: &[Weight<'_>],
    ) -> Result<Choice, Error> {
        let glob = |pattern: &String| {
            pattern.parse().map_err(|reason| Error::Pattern { pattern: pattern.clone(), reason })
        };
        let set = |patterns: &[String]| patterns.iter().map(glob).collect::<Result<Vec<Glob>, Error>>();
        let table = |rows: &[(&str, &'static str)]| {
            rows.iter()
                .map(|(pattern, why)| Ok((glob(&(*pattern).to_owned())?, *why)))
                .collect::<Result<Vec<_>, Error>>()
        };
        let architecture = Architecture::of(config);
        let vocabulary = config.and_then(|config| {
            let text = config.get("text_config").and_then(Value::as_object);
            config.get("vocab_size").or_else(|| text?.get("vocab_size"))?.as_u64()
        });
        Ok(Choice {
            conv1d: architecture.unknown().iter().any(|name| CONV1D_TYPES.contains(&&**name))
                || architecture.is_unknown() && has_conv1d(weights),
            architecture,
            vocabulary,
            include: (!include.is_empty()).then(|| set(include)).transpose()?,
            exclude: set(exclude)?,
            left: table(&[&LEFT[..], &LEFT_LINEAR[1..]].concat())?,
            left_linear: table(&LEFT_LINEAR)?,
            left_last: glob(&LEFT_LAST.0.to_owned())?,
            norm: glob(&NORM.0.to_owned())?,
        })
    }

    pub(crate) fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// The basis of the decision on a weight.
    pub(crate) fn rule(&self, name: &str) -> Rule {
        let module = module_of(name);
        self.architecture.kind(module).map_or(Rule::Name, Rule::Architecture)
    }

    /// The reason for which a weight is not quantised; `None` if it is.
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
            (true, _) => return None,
            (false, _) if !name.ends_with(".weight") => return Some("its name does not end with .weight"),
            _ => {}
        }
        let module = module_of(name);
        match self.rule(name) {
            Rule::Architecture(kind) => self.left_of_kind(kind, module, included.is_some()),
            Rule::Name => self.left_by_name(module, shape, included.is_some()),
        }
    }

    /// Returns true if a name without a known kind is that of an embedding.
    pub(crate) fn names_embedding(&self, name: &str) -> bool {
        let module = module_of(name);
        self.rule(name) == Rule::Name && self.left_by_name(module, &[], false) == Some(EMBEDDING)
    }

    /// As `left`, by the kind of the module. A module that no reader takes for a linear layer is never quantised.
    fn left_of_kind(&self, kind: ModuleKind, module: &str, included: bool) -> Option<&'static str> {
        match kind {
            ModuleKind::Embedding => Some(EMBEDDING),
            ModuleKind::Conv1d => Some(CONV1D_NO_LINEAR),
            ModuleKind::Router => Some(ROUTER),
            ModuleKind::Read => Some("its model reads it without calling its layer"),
            ModuleKind::Parameter => Some("its module is no linear layer"),
            _ if included => None,
            ModuleKind::Head if module.ends_with("lm_head") => Some(OUTPUT_HEAD),
            ModuleKind::Head => Some(HEAD),
            ModuleKind::Linear => module.split('.').find_map(|part| why(&self.left_linear, part)),
        }
    }

    /// As `left`, by the parts of the name and the number of rows.
    fn left_by_name(&self, module: &str, shape: &[u64], included: bool) -> Option<&'static str> {
        let parts: Vec<&str> = module.split('.').collect();
        if self.conv1d && parts.last().is_some_and(|last| CONV1D.contains(last)) {
            return Some(CONV1D_NO_LINEAR);
        }
        if included {
            return None;
        }
        // The name in GGUF.
        if module == "output" {
            return Some(OUTPUT_HEAD);
        }
        if parts.iter().rev().take(2).any(|part| self.norm.matches(part)) {
            return Some(NORM.1);
        }
        if parts.last().is_some_and(|last| self.left_last.matches(last)) {
            return Some(LEFT_LAST.1);
        }
        let by_name = parts.iter().find_map(|part| why(&self.left, part));
        let vocabulary = || shape.first().copied() == self.vocabulary && self.vocabulary > Some(1);
        by_name.or_else(|| vocabulary().then_some("it has a row for each token of the vocabulary"))
    }
}

/// The reason in a table for a part of a name.
fn why(table: &[(Glob, &'static str)], part: &str) -> Option<&'static str> {
    table.iter().find(|(glob, _)| glob.matches(part)).map(|(_, why)| *why)
}

/// Projections of one parent that vLLM or SGLang load into one matrix. They must share the tensor scale.
const FUSED: [&[&str]; 15] = [
    &["q_proj", "k_proj", "v_proj"],
    &["gate_proj", "up_proj", "dense_h_to_4h"],
    &["q_a_proj", "kv_a_proj_with_mqa"],
    // Linear attention of Qwen3-Next and Qwen3.5.
    &["in_proj_qkvz", "in_proj_ba", "in_proj_qkv", "in_proj_z", "in_proj_b", "in_proj_a"],
    // Mixtral, InternLM2, LFM2.
    &["w1", "w3"],
    // BERT, RoBERTa, TeleChat2.
    &["query", "key", "value"],
    &["query_net", "key_net", "value_net"],
    // Diffusers: of the image, and of its text.
    &["to_q", "to_k", "to_v"],
    &["add_q_proj", "add_k_proj", "add_v_proj"],
    // T5: attention, and the gated feed-forward layer.
    &["q", "k", "v"],
    &["wi_0", "wi_1"],
    &["wq", "wk", "wv"],
    // EXAONE.
    &["c_fc_0", "c_fc_1"],
    // GGUF.
    &["attn_q", "attn_k", "attn_v"],
    &["ffn_gate", "ffn_up"],
];

/// Projections that are fused only in some model types.
const FUSED_IN: [(&[&str], &[&str]); 6] = [
    (&["qwen"], &["w1", "w2"]),
    (&["dots_ocr", "dots_vit", "aimv2"], &["fc1", "fc3"]),
    (&["olmo_hybrid"], &["q_proj", "k_proj", "v_proj", "g_proj"]),
    (&["kimi_linear"], &["q_proj", "k_proj", "v_proj", "b_proj", "f_a_proj", "g_a_proj"]),
    (&["kimi_linear"], &["f_b_proj", "g_b_proj"]),
    (&["jet_nemotron"], &["q_proj", "k_proj", "v_proj", "a_proj", "b_proj", "g_proj"]),
];

/// The groups of projections that the readers of an architecture fuse.
pub(crate) struct Fusion {
    groups: Vec<&'static [&'static str]>,
}

impl Fusion {
    /// The groups for the model types of config.json first, then groups for every type.
    pub(crate) fn of(architecture: &Architecture) -> Fusion {
        let types: Vec<&str> =
            architecture.known().chain(architecture.unknown().iter().map(String::as_str)).collect();
        let own = FUSED_IN.iter().filter(|(of, _)| of.iter().any(|name| types.contains(name)));
        Fusion { groups: own.map(|(_, group)| *group).chain(FUSED).collect() }
    }

    /// The name under which weights share a tensor scale: their own, or that of the fused projection.
    pub(crate) fn key(&self, name: &str) -> String {
        let stem = module_of(name);
        let (module, last) = stem.rsplit_once('.').unwrap_or(("", stem));
        let group = self.groups.iter().find(|group| group.contains(&last));
        group.map_or_else(|| name.to_owned(), |group| format!("{module}.{}", group.join("+")))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn architecture(model_type: &str) -> Architecture {
        Architecture::of(json!({"model_type": model_type}).as_object())
    }

    #[test]
    fn fused_projections_share_a_key() {
        let fusion = Fusion::of(&architecture("llama"));
        let of = |name| fusion.key(&format!("model.layers.3.{name}.weight"));
        assert_eq!(of("self_attn.q_proj"), of("self_attn.v_proj"));
        assert_ne!(of("self_attn.q_proj"), of("self_attn.o_proj"));
        assert_eq!(of("mlp.experts.7.gate_proj"), of("mlp.experts.7.up_proj"));
        assert_ne!(of("mlp.experts.7.gate_proj"), of("mlp.experts.8.up_proj"));
        assert_eq!(of("mlp.down_proj"), "model.layers.3.mlp.down_proj.weight");
        let groups: [&[&str]; 6] = [
            &["linear_attn.in_proj_qkvz", "linear_attn.in_proj_ba"],
            &["linear_attn.in_proj_qkv", "linear_attn.in_proj_z"],
            &["attn.to_q", "attn.to_k", "attn.to_v"],
            &["DenseReluDense.wi_0", "DenseReluDense.wi_1"],
            &["attention.self.query", "attention.self.key", "attention.self.value"],
            &["SelfAttention.q", "SelfAttention.k", "SelfAttention.v"],
        ];
        for group in groups {
            assert!(group.windows(2).all(|pair| of(pair[0]) == of(pair[1])), "{group:?}");
        }
    }

    #[test]
    fn projections_fused_in_one_type_share_a_key_only_there() {
        let (qwen, mixtral) = (Fusion::of(&architecture("qwen")), Fusion::of(&architecture("mixtral")));
        assert_eq!(qwen.key("h.0.mlp.w1.weight"), qwen.key("h.0.mlp.w2.weight"));
        assert_ne!(mixtral.key("h.0.mlp.w1.weight"), mixtral.key("h.0.mlp.w2.weight"));
        assert_eq!(mixtral.key("h.0.mlp.w1.weight"), mixtral.key("h.0.mlp.w3.weight"));
    }

    #[test]
    fn names_of_unknown_types_decide() {
        let config = json!({"model_type": "no-such-type", "vocab_size": 320});
        let choice = Choice::new(&[], &[], config.as_object(), &[]).unwrap();
        let left = |module: &str| choice.left_by_name(module, &[64, 64], false).is_some();
        for module in [
            "model.embed_tokens",
            "h.wte",
            "lm_head",
            "layers.0.input_layernorm",
            "norm",
            "layers.0.attn.q_norm",
            "h.0.ln_1",
            "mlp.gate",
            "mlp.router",
            "attn.kv_a_layernorm",
            "shared",
            "encoder.layer.0.relative_attention_bias",
            "rel_pos_emb",
            "pos_emb",
            "segment_emb",
            "transformer.w",
            "blocks.0.norm1.linear",
        ] {
            assert!(left(module), "{module}");
        }
        for module in [
            "layers.0.self_attn.q_proj",
            "layers.0.mlp.gate_proj",
            "layers.0.mlp.gate_up_proj",
            "layers.0.mlp.experts.0.w1",
            "layers.0.mlp.shared_experts.up_proj",
            "layers.0.fc1",
            "roberta_prelayernorm.encoder.layer.0.output.dense",
        ] {
            assert!(!left(module), "{module}");
        }
        assert!(choice.left_by_name("a.b", &[320, 64], false).is_some());
        assert!(choice.left_by_name("a.b", &[320, 64], true).is_none());
    }

    #[test]
    fn kinds_that_no_reader_quantises_are_skipped_even_if_included() {
        let choice = Choice::new(&["*".to_owned()], &[], None, &[]).unwrap();
        for kind in [
            ModuleKind::Embedding,
            ModuleKind::Conv1d,
            ModuleKind::Router,
            ModuleKind::Read,
            ModuleKind::Parameter,
        ] {
            assert!(choice.left_of_kind(kind, "a", true).is_some(), "{kind:?}");
        }
        for kind in [ModuleKind::Linear, ModuleKind::Head] {
            assert!(choice.left_of_kind(kind, "a", true).is_none(), "{kind:?}");
        }
        assert!(choice.left_of_kind(ModuleKind::Head, "lm_head", false).is_some());
        assert!(choice.left_of_kind(ModuleKind::Linear, "vision_tower.a.q_proj", false).is_some());
    }
}
