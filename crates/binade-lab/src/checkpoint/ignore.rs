//! Modules that config.json must name as not quantised, because readers would take them for quantised linear layers.
//!
//! Readers look modules up by name. compressed-tensors and vLLM match whole names; transformers' FP8 and MXFP4 also match the
//! start or the end of a name. vLLM looks up the experts of a layer by the projections of the first, `<experts>.0.gate_proj`,
//! whatever the names in files. transformers looks up the module of all experts, `<experts>`. A head that is tied to the
//! embeddings is a linear layer without a tensor in files.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::architecture::{Architecture, ModuleKind};
use super::choice::{Fusion, Rule};
use super::scheme::{CheckpointLayout, module_of};

/// Quantised and unquantised weights among those that readers load together.
#[derive(Default)]
struct LoadGroup {
    coded: Vec<String>,
    left: Vec<String>,
}

impl LoadGroup {
    /// One name of each, if there are both.
    fn both(&self) -> Option<(&str, &str)> {
        Some((self.coded.first()?, self.left.first()?))
    }
}

/// The decisions on the weights of a plan.
#[derive(Default)]
pub(crate) struct Decisions {
    /// Modules whose matrix was not quantised.
    modules: BTreeSet<String>,
    /// Modules whose matrix was quantised.
    coded: BTreeSet<String>,
    /// True if an embedding was found.
    embedding: bool,
    /// A quantised weight with the name of an embedding.
    coded_embedding: Option<String>,
    /// By the module of all experts of a layer.
    experts: BTreeMap<String, LoadGroup>,
    /// By the name of the fused projection.
    fused: BTreeMap<String, LoadGroup>,
}

/// The modules of all experts of a layer, from the name of a weight: of one expert, or of all in three dimensions.
fn experts_of(name: &str, shape: &[u64]) -> Option<String> {
    let parts: Vec<&str> = name.split('.').collect();
    let number = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let at = parts.iter().position(|part| *part == "experts");
    match at {
        Some(at) if shape.len() == 3 || parts.get(at + 1).is_some_and(number) => Some(parts[..=at].join(".")),
        Some(_) => None,
        // Granite stores its experts as two linear layers in three dimensions.
        None if shape.len() == 3 => {
            let at = parts.iter().position(|part| *part == "block_sparse_moe")?;
            Some(format!("{}.experts", parts[..=at].join(".")))
        }
        None => None,
    }
}

/// Returns true if one of two names is the other, or its end.
fn is_end(a: &str, b: &str) -> bool {
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    ends(a, b) || ends(b, a)
}

impl Decisions {
    fn together(&mut self, name: &str, shape: &[u64], fusion: &Fusion) -> Vec<&mut LoadGroup> {
        let key = fusion.key(name);
        let fused = (key != name && shape.len() == 2).then_some(key);
        let experts = experts_of(name, shape);
        let experts = experts.map(|experts| self.experts.entry(experts).or_default());
        let fused = fused.map(|key| self.fused.entry(key).or_default());
        experts.into_iter().chain(fused).collect()
    }

    /// Records that a weight was quantised.
    pub(crate) fn coded(&mut self, name: &str, shape: &[u64], embedding: bool, fusion: &Fusion) {
        if embedding {
            self.coded_embedding.get_or_insert_with(|| name.to_owned());
        }
        self.coded.insert(module_of(name).to_owned());
        self.together(name, shape, fusion).into_iter().for_each(|together| {
            together.coded.push(name.to_owned());
        });
    }

    /// Records that a weight was not quantised.
    pub(crate) fn left(&mut self, name: &str, shape: &[u64], rule: Rule, fusion: &Fusion) {
        let linear = match rule {
            Rule::Architecture(kind) => kind.is_read_as_linear(),
            Rule::Name => true,
        };
        let matrix = shape.len() == 2 && name.ends_with(".weight");
        self.embedding |=
            matrix && (rule == Rule::Architecture(ModuleKind::Embedding) || name.contains("embed"));
        if matrix && linear {
            self.modules.insert(module_of(name).to_owned());
        }
        if (matrix && linear) || shape.len() == 3 {
            self.together(name, shape, fusion).into_iter().for_each(|together| {
                together.left.push(name.to_owned());
            });
        }
    }

    /// The names for config.json, sorted.
    pub(crate) fn ignored(
        &self,
        layouts: &[CheckpointLayout],
        architecture: &Architecture,
        config: Option<&Map<String, Value>>,
    ) -> Vec<String> {
        let mut names = self.modules.clone();
        for (experts, together) in &self.experts {
            if together.left.is_empty() || !together.coded.is_empty() {
                continue;
            }
            let projections = ["gate_proj", "up_proj", "down_proj"];
            names.extend(projections.map(|projection| format!("{experts}.0.{projection}")));
            use CheckpointLayout::{DeepseekFp8, GptOss};
            if layouts.iter().any(|layout| matches!(layout, GptOss | DeepseekFp8)) {
                names.insert(experts.clone());
            }
        }
        names.extend(self.heads(architecture, config));
        names.into_iter().collect()
    }

    /// Names of output heads that are linear layers of the model: heads without a tensor, and other names of an unquantised
    /// one.
    fn heads(&self, architecture: &Architecture, config: Option<&Map<String, Value>>) -> Vec<String> {
        let unknown = ["lm_head"];
        let tied: Vec<&str> = match architecture.is_unknown() {
            true => unknown.into_iter().filter(|_| self.embedding && !self.has_other_head()).collect(),
            false => architecture.tied().collect(),
        };
        let coded = |head: &str| self.coded.iter().any(|module| is_end(module, head));
        let left = |head: &str| self.modules.iter().any(|module| is_end(module, head));
        let wanted = tied.into_iter().filter(|head| !coded(head) && (left(head) || has_head(config)));
        wanted.map(str::to_owned).collect()
    }

    /// Returns true if a model of unknown type has an output head of another name.
    fn has_other_head(&self) -> bool {
        const HEADS: [&str; 6] = ["output_layer", "embed_out", "output", "head", "score", "classifier"];
        let last = |module: &String| module.rsplit('.').next().is_some_and(|last| HEADS.contains(&last));
        self.modules.iter().chain(&self.coded).any(last)
    }

    /// Returns true if a quantised head is tied to the embeddings, by config.json or by the default of its type.
    pub(crate) fn unties(&self, architecture: &Architecture) -> bool {
        let tied: Vec<&str> = match architecture.is_unknown() {
            true => vec!["lm_head"],
            false => architecture.tied().collect(),
        };
        self.coded.iter().any(|module| tied.iter().any(|head| is_end(module, head)))
    }

    /// Notes on weights that readers refuse to load together.
    pub(crate) fn notes(&self) -> Vec<String> {
        let mut notes = vec![];
        if let Some(name) = &self.coded_embedding {
            notes.push(format!(
                "'{name}' is quantised as an include pattern says, and its name is that of an embedding: readers load quantised linear \
                 layers only"
            ));
        }
        if let Some((coded, left)) = self.fused.values().find_map(LoadGroup::both) {
            notes.push(format!(
                "'{coded}' is quantised and '{left}' is not: vLLM and SGLang load both as one matrix, and refuse such a checkpoint"
            ));
        }
        if let Some((coded, left)) = self.experts.values().find_map(LoadGroup::both) {
            notes.push(format!(
                "'{coded}' is quantised and '{left}' is not: vLLM and SGLang quantise all experts of a layer or none"
            ));
        }
        notes
    }
}

/// Returns true if the model of config.json has an output head. Without a name it is assumed to have one.
fn has_head(config: Option<&Map<String, Value>>) -> bool {
    let class = config.and_then(|config| config.get("architectures")?.as_array()?.first()?.as_str());
    class.is_none_or(|class| {
        ["LM", "ForConditionalGeneration", "ForPreTraining", "HeadsModel", "HeadModel"]
            .iter()
            .any(|part| class.contains(part))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn ignored(model: Value, weights: &[(&str, &[u64], bool)], layout: CheckpointLayout) -> Vec<String> {
        let architecture = Architecture::of(model.as_object());
        let fusion = Fusion::of(&architecture);
        let mut decided = Decisions::default();
        for (name, shape, coded) in weights {
            let rule = architecture.kind(module_of(name)).map_or(Rule::Name, Rule::Architecture);
            match coded {
                true => decided.coded(name, shape, false, &fusion),
                false => decided.left(name, shape, rule, &fusion),
            }
        }
        decided.ignored(&[layout], &architecture, model.as_object())
    }

    const MATRIX: &[u64] = &[64, 64];

    #[test]
    fn heads_are_named_unless_quantised() {
        let llama = || json!({"model_type": "llama", "architectures": ["LlamaForCausalLM"]});
        let body = [
            ("model.embed_tokens.weight", MATRIX, false),
            ("model.layers.0.mlp.up_proj.weight", MATRIX, true),
        ];
        let with = |head: Option<bool>, config: Value| {
            let head = head.map(|coded| ("lm_head.weight", MATRIX, coded));
            let weights: Vec<_> = body.into_iter().chain(head).collect();
            ignored(config, &weights, CheckpointLayout::CtFp8)
        };
        assert_eq!(with(Some(false), llama()), ["lm_head"]);
        assert_eq!(with(None, llama()), ["lm_head"]);
        assert!(with(Some(true), llama()).is_empty());
        assert!(with(None, json!({"model_type": "llama", "architectures": ["LlamaModel"]})).is_empty());
        // For an unknown type, embeddings may be linear layers.
        assert_eq!(with(None, json!({"model_type": "x"})), ["lm_head", "model.embed_tokens"]);
        assert!(ignored(json!({}), &[("layer3.weight", MATRIX, true)], CheckpointLayout::CtFp8).is_empty());
    }

    #[test]
    fn unquantised_experts_are_named_by_the_first() {
        let config = json!({"model_type": "mixtral", "architectures": ["MixtralModel"]});
        let experts = "model.layers.1.block_sparse_moe.experts";
        let (w1, w2) = (format!("{experts}.0.w1.weight"), format!("{experts}.3.w2.weight"));
        let first = ["down_proj", "gate_proj", "up_proj"].map(|name| format!("{experts}.0.{name}"));
        let own = [format!("{experts}.0.w1"), format!("{experts}.3.w2")];
        let mut all: Vec<String> = first.iter().chain(&own).cloned().collect();
        all.sort();
        let left = [(&*w1, MATRIX, false), (&*w2, MATRIX, false)];
        assert_eq!(ignored(config.clone(), &left, CheckpointLayout::CtNvfp4), all);
        let some = [(&*w1, MATRIX, false), (&*w2, MATRIX, true)];
        assert_eq!(ignored(config, &some, CheckpointLayout::CtNvfp4), [&*own[0]]);
        // In three dimensions.
        let stacked = [("model.layers.1.mlp.experts.gate_up_proj", &[4, 64, 64][..], false)];
        let named = ignored(
            json!({"model_type": "qwen3_moe", "architectures": ["Qwen3MoeModel"]}),
            &stacked,
            CheckpointLayout::DeepseekFp8,
        );
        assert_eq!(
            named,
            ["", ".0.down_proj", ".0.gate_proj", ".0.up_proj"]
                .map(|end| format!("model.layers.1.mlp.experts{end}"))
        );
    }

    #[test]
    fn weights_loaded_together_are_noted_if_they_differ() {
        let fusion = Fusion::of(&Architecture::default());
        let mut decided = Decisions::default();
        decided.coded("a.q_proj.weight", MATRIX, false, &fusion);
        assert!(decided.notes().is_empty());
        decided.left("a.k_proj.weight", MATRIX, Rule::Name, &fusion);
        decided.left("b.experts.0.w1.weight", MATRIX, Rule::Name, &fusion);
        decided.coded("b.experts.1.w2.weight", MATRIX, true, &fusion);
        let notes = decided.notes();
        assert!(notes.len() == 3 && notes[1].contains("'a.k_proj.weight' is not"), "{notes:?}");
        assert!(notes[0].starts_with("'b.experts.1.w2.weight' is quantised as an include"), "{notes:?}");
    }
}
