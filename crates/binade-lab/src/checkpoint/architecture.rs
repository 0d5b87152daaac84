//! Kinds of modules by model type: which matrices are linear layers, embeddings, routers and heads.
//!
//! The table is `architectures.txt`, which `scripts/architectures.py` makes from the classes of transformers. A matrix is
//! looked up by the longest ending of its module's name, with `*` for numbers. The rows for the model type of config.json
//! come first, then the row for all types. A composite model also has the types of its parts.

use std::collections::HashMap;

use serde_json::{Map, Value};

/// The table. A line has model types, or `*` for all types, then a colon, then `LETTER=NAME,NAME` for each kind of module.
const TABLE: &str = include_str!("architectures.txt");

/// The kind of module that a matrix belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ModuleKind {
    /// A linear layer, or a projection of an expert.
    Linear,
    /// A linear layer after the base model, or the output head.
    Head,
    /// A router of experts.
    Router,
    /// An embedding.
    Embedding,
    /// transformers' Conv1D, stored `[in, out]`.
    Conv1d,
    /// A linear layer whose weight its parent reads directly, such as the output of PyTorch's `MultiheadAttention`.
    Read,
    /// A parameter of another module.
    Parameter,
}

impl ModuleKind {
    /// The kind of a letter of the table, and true if it is a head that may be tied to the embeddings.
    fn of(letter: &str) -> Option<(ModuleKind, bool)> {
        let kind = match letter {
            "L" => ModuleKind::Linear,
            "H" | "T" => ModuleKind::Head,
            "R" => ModuleKind::Router,
            "E" => ModuleKind::Embedding,
            "C" => ModuleKind::Conv1d,
            "A" => ModuleKind::Read,
            "P" => ModuleKind::Parameter,
            _ => return None,
        };
        Some((kind, letter == "T"))
    }

    /// Returns true if readers take the module for a linear layer. If it is not quantised, config.json must name it. vLLM
    /// treats Conv1D so.
    pub(crate) fn is_read_as_linear(self) -> bool {
        !matches!(self, ModuleKind::Embedding | ModuleKind::Parameter)
    }
}

/// Names of the modules of a model type.
#[derive(Default)]
struct Names {
    kinds: HashMap<String, ModuleKind>,
    /// Full names of heads that may be tied.
    tied: Vec<String>,
}

/// The table's rows for the model types of a config.json.
#[derive(Default)]
pub(crate) struct Architecture {
    /// Model types in the table, that of the whole model first.
    types: Vec<(String, Names)>,
    /// Names with the same kind in all types.
    common: Names,
    /// Model types not in the table.
    unknown: Vec<String>,
}

impl Architecture {
    /// The architecture that config.json names.
    pub(crate) fn of(config: Option<&Map<String, Value>>) -> Architecture {
        let mut found = Architecture::default();
        for name in model_types(config) {
            match names(name) {
                Some(names) if name != COMMON => found.types.push((name.to_owned(), names)),
                _ => found.unknown.push(name.to_owned()),
            }
        }
        if !found.types.is_empty() {
            found.common = names(COMMON).unwrap_or_default();
        }
        found
    }

    /// The model types in the table.
    pub(crate) fn known(&self) -> impl Iterator<Item = &str> {
        self.types.iter().map(|(name, _)| &**name)
    }

    /// The model types not in the table.
    pub(crate) fn unknown(&self) -> &[String] {
        &self.unknown
    }

    /// The kind of a module, if the table has it. The type of the whole model is checked first. Among its parts, the longest
    /// ending counts; in a tie, the kind that is not quantised.
    pub(crate) fn kind(&self, module: &str) -> Option<ModuleKind> {
        let wild = wild(module);
        let of =
            |names: &Names| endings(&wild).find_map(|ending| Some((ending.len(), *names.kinds.get(ending)?)));
        let (whole, parts) = self.types.split_first()?;
        if let Some((_, kind)) = of(&whole.1) {
            return Some(kind);
        }
        let found: Vec<(usize, ModuleKind)> = parts.iter().filter_map(|(_, names)| of(names)).collect();
        let longest = found.iter().map(|(length, _)| *length).max();
        let mut longest = found.iter().filter(|(length, _)| Some(*length) == longest).map(|(_, kind)| *kind);
        let Some(first) = longest.next() else { return Some(of(&self.common)?.1) };
        Some(
            longest
                .find(|kind| *kind != ModuleKind::Linear)
                .filter(|_| first == ModuleKind::Linear)
                .unwrap_or(first),
        )
    }

    /// Full names of heads that may be tied to the embeddings, including those of the parts of a composite model.
    pub(crate) fn tied(&self) -> impl Iterator<Item = &str> {
        self.types.iter().flat_map(|(_, names)| &names.tied).map(|name| &**name)
    }

    /// Returns true if the table has none of the model types.
    pub(crate) fn is_unknown(&self) -> bool {
        self.types.is_empty()
    }
}

/// The model types of config.json, first of the whole model and then of its parts.
fn model_types(config: Option<&Map<String, Value>>) -> Vec<&str> {
    // Nested configurations. Those of transformers have at most three levels.
    const DEEPEST: usize = 8;
    let mut types: Vec<&str> = vec![];
    let mut level: Vec<&Map<String, Value>> = config.into_iter().collect();
    for _ in 0..DEEPEST {
        for part in &level {
            if let Some(name) = part.get("model_type").and_then(Value::as_str)
                && !types.contains(&name)
            {
                types.push(name);
            }
        }
        level = level.iter().flat_map(|part| part.values()).filter_map(Value::as_object).collect();
    }
    types
}

/// Model type of the row for all types.
const COMMON: &str = "*";

/// The table's row for a model type.
fn names(model_type: &str) -> Option<Names> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(':'));
    let (_, text) = lines.into_iter().find(|(types, _)| types.split(' ').any(|name| name == model_type))?;
    let mut names = Names::default();
    for (letter, list) in text.split(' ').filter_map(|part| part.split_once('=')) {
        let Some((kind, tied)) = ModuleKind::of(letter) else { continue };
        names.kinds.extend(list.split(',').map(|name| (name.to_owned(), kind)));
        if tied {
            names.tied.extend(list.split(',').map(str::to_owned));
        }
    }
    Some(names)
}

/// Replaces numbers in a name by `*`.
fn wild(name: &str) -> String {
    let number = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let parts = name.split('.').map(|part| if number(&part) { "*" } else { part });
    parts.collect::<Vec<_>>().join(".")
}

/// The endings of a name at its dots, the longest first.
fn endings(name: &str) -> impl Iterator<Item = &str> {
    let dots = name.match_indices('.').map(|(at, _)| at + 1);
    std::iter::once(0).chain(dots).map(|at| &name[at..])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(config: Value) -> Architecture {
        Architecture::of(config.as_object())
    }

    #[test]
    fn every_line_of_the_table_is_parsed() {
        let lines: Vec<&str> = TABLE.lines().skip(1).collect();
        assert!(lines.len() > 200 && TABLE.len() < 100_000, "{} lines, {} bytes", lines.len(), TABLE.len());
        let mut seen = std::collections::HashSet::new();
        for line in lines {
            let (types, kinds) = line.split_once(':').unwrap();
            for kind in kinds.split_whitespace() {
                let (letter, list) = kind.split_once('=').unwrap();
                assert!(
                    ModuleKind::of(letter).is_some() && list.split(',').all(|name| !name.is_empty()),
                    "{line}"
                );
            }
            for name in types.split(' ') {
                assert!(seen.insert(name), "{name} is there twice");
            }
        }
    }

    #[test]
    fn kind_of_a_known_type_is_that_of_its_module() {
        let kinds = [
            ("t5", "shared", ModuleKind::Embedding),
            ("t5", "encoder.block.0.layer.0.SelfAttention.relative_attention_bias", ModuleKind::Embedding),
            ("t5", "encoder.block.0.layer.0.SelfAttention.q", ModuleKind::Linear),
            ("t5", "decoder.block.11.layer.2.DenseReluDense.wi_0", ModuleKind::Linear),
            ("bart", "model.shared", ModuleKind::Embedding),
            ("bart", "model.decoder.layers.0.encoder_attn.out_proj", ModuleKind::Linear),
            ("ctrl", "transformer.w", ModuleKind::Embedding),
            ("ctrl", "transformer.h.0.multi_head_attention.Wq", ModuleKind::Linear),
            (
                "roberta-prelayernorm",
                "roberta_prelayernorm.encoder.layer.0.attention.self.query",
                ModuleKind::Linear,
            ),
            ("gpt2", "h.3.attn.c_attn", ModuleKind::Conv1d),
            ("gpt_bigcode", "transformer.h.3.attn.c_attn", ModuleKind::Linear),
            ("mixtral", "model.layers.0.block_sparse_moe.experts.7.w2", ModuleKind::Linear),
            ("mixtral", "model.layers.0.block_sparse_moe.gate", ModuleKind::Router),
            ("mamba", "backbone.layers.0.mixer.dt_proj", ModuleKind::Read),
            ("mamba", "backbone.layers.0.mixer.x_proj", ModuleKind::Linear),
            ("llama", "lm_head", ModuleKind::Head),
            ("bert", "cls.predictions.decoder", ModuleKind::Head),
            ("gemma3", "vision_tower.vision_model.head.attention.out_proj", ModuleKind::Read),
        ];
        for (model_type, module, kind) in kinds {
            let architecture = of(json!({"model_type": model_type}));
            assert_eq!(architecture.kind(module), Some(kind), "{model_type} {module}");
        }
    }

    #[test]
    fn kind_of_an_unknown_type_or_name_is_none() {
        assert_eq!(Architecture::of(None).kind("a.q_proj"), None);
        let unknown = of(json!({"model_type": "no-such-type"}));
        assert!(unknown.is_unknown() && unknown.unknown() == ["no-such-type"]);
        assert_eq!(of(json!({"model_type": "llama"})).kind("model.layers.0.no_such_proj"), None);
        assert_eq!(of(json!({"model_type": 7})).kind("q_proj"), None);
    }

    #[test]
    fn kind_of_a_part_is_that_of_its_type() {
        let both = of(json!({"model_type": "encoder-decoder", "encoder": {"model_type": "bert"},
            "decoder": {"model_type": "gpt2"}}));
        assert_eq!(both.kind("decoder.transformer.h.0.attn.c_attn"), Some(ModuleKind::Conv1d));
        assert_eq!(both.kind("encoder.encoder.layer.0.attention.self.query"), Some(ModuleKind::Linear));
        assert_eq!(both.kind("encoder.embeddings.word_embeddings"), Some(ModuleKind::Embedding));
    }

    #[test]
    fn tied_heads_have_their_full_names() {
        let tied = |name: &str| of(json!({"model_type": name})).tied().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(tied("llama"), ["lm_head"]);
        assert_eq!(tied("bert"), ["cls.predictions.decoder"]);
    }
}
