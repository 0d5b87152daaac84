//! Modules by architecture: which matrices of a model type are linear layers, embeddings, routers and heads.
//!
//! The table is `architectures.txt`, made by `scripts/architectures.py` from the classes of transformers. A matrix is found by the
//! longest ending of its module's name, with `*` for numbers, that the table has for the model type of config.json, or else for all types.
//! Models that are made of several have the types of their parts too.

use std::collections::HashMap;

use serde_json::{Map, Value};

/// A line for each set of names: model types, or `*` for what all have in common; a colon; and for each kind `LETTER=NAME,NAME`.
const TABLE: &str = include_str!("architectures.txt");

/// The kind of module that a matrix belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
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
    /// A linear layer whose weight its parent reads without calling it, such as the output of PyTorch's `MultiheadAttention`.
    Read,
    /// A parameter of another module.
    Parameter,
}

impl Kind {
    /// The kind of a letter of the table, and whether it is a head that may be tied to the embeddings.
    fn of(letter: &str) -> Option<(Kind, bool)> {
        let kind = match letter {
            "L" => Kind::Linear,
            "H" | "T" => Kind::Head,
            "R" => Kind::Router,
            "E" => Kind::Embedding,
            "C" => Kind::Conv1d,
            "A" => Kind::Read,
            "P" => Kind::Parameter,
            _ => return None,
        };
        Some((kind, letter == "T"))
    }

    /// True if readers would take the module for a linear layer, so that config.json must name it where it is not quantised. vLLM does so
    /// with Conv1D.
    pub(crate) fn is_read_as_linear(self) -> bool {
        !matches!(self, Kind::Embedding | Kind::Parameter)
    }
}

/// The names of a model type.
#[derive(Default)]
struct Names {
    kinds: HashMap<String, Kind>,
    /// Heads that may be tied, in full.
    tied: Vec<String>,
}

/// The table's rows for the model types of a config.json.
#[derive(Default)]
pub(crate) struct Architecture {
    /// Model types that the table has, that of the whole model first.
    types: Vec<(String, Names)>,
    /// The names that mean one kind in all types.
    common: Names,
    /// Model types that it does not have.
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

    /// The model types that the table has.
    pub(crate) fn known(&self) -> impl Iterator<Item = &str> {
        self.types.iter().map(|(name, _)| &**name)
    }

    /// The model types that it does not have.
    pub(crate) fn unknown(&self) -> &[String] {
        &self.unknown
    }

    /// The kind of a module, where the table has it. The type of the whole model is asked first, then its parts, of which the longest
    /// ending counts; where two of the same length differ, the one that leaves the matrix.
    pub(crate) fn kind(&self, module: &str) -> Option<Kind> {
        let wild = wild(module);
        let of =
            |names: &Names| endings(&wild).find_map(|ending| Some((ending.len(), *names.kinds.get(ending)?)));
        let (whole, parts) = self.types.split_first()?;
        if let Some((_, kind)) = of(&whole.1) {
            return Some(kind);
        }
        let found: Vec<(usize, Kind)> = parts.iter().filter_map(|(_, names)| of(names)).collect();
        let longest = found.iter().map(|(length, _)| *length).max();
        let mut longest = found.iter().filter(|(length, _)| Some(*length) == longest).map(|(_, kind)| *kind);
        let Some(first) = longest.next() else { return Some(of(&self.common)?.1) };
        Some(longest.find(|kind| *kind != Kind::Linear).filter(|_| first == Kind::Linear).unwrap_or(first))
    }

    /// Heads that may be tied to the embeddings, by their full names; those of a model that is made of several, of its parts.
    pub(crate) fn tied(&self) -> impl Iterator<Item = &str> {
        self.types.iter().flat_map(|(_, names)| &names.tied).map(|name| &**name)
    }

    /// True if the table has none of the model types.
    pub(crate) fn is_unknown(&self) -> bool {
        self.types.is_empty()
    }
}

/// The model types that config.json names, of the whole model first and then of its parts.
fn model_types(config: Option<&Map<String, Value>>) -> Vec<&str> {
    // Configurations within configurations: transformers has three levels at most.
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

/// The mark of a model type in the line of names that all types share.
const COMMON: &str = "*";

/// The table's row for a model type.
fn names(model_type: &str) -> Option<Names> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(':'));
    let (_, text) = lines.into_iter().find(|(types, _)| types.split(' ').any(|name| name == model_type))?;
    let mut names = Names::default();
    for (letter, list) in text.split(' ').filter_map(|part| part.split_once('=')) {
        let Some((kind, tied)) = Kind::of(letter) else { continue };
        names.kinds.extend(list.split(',').map(|name| (name.to_owned(), kind)));
        if tied {
            names.tied.extend(list.split(',').map(str::to_owned));
        }
    }
    Some(names)
}

/// A name with `*` for numbers.
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
    fn table_every_line_is_read() {
        let lines: Vec<&str> = TABLE.lines().skip(1).collect();
        assert!(lines.len() > 200 && TABLE.len() < 100_000, "{} lines, {} bytes", lines.len(), TABLE.len());
        let mut seen = std::collections::HashSet::new();
        for line in lines {
            let (types, kinds) = line.split_once(':').unwrap();
            for kind in kinds.split_whitespace() {
                let (letter, list) = kind.split_once('=').unwrap();
                assert!(Kind::of(letter).is_some() && list.split(',').all(|name| !name.is_empty()), "{line}");
            }
            for name in types.split(' ') {
                assert!(seen.insert(name), "{name} is there twice");
            }
        }
    }

    #[test]
    fn kind_of_a_known_type_is_that_of_its_module() {
        let kinds = [
            ("t5", "shared", Kind::Embedding),
            ("t5", "encoder.block.0.layer.0.SelfAttention.relative_attention_bias", Kind::Embedding),
            ("t5", "encoder.block.0.layer.0.SelfAttention.q", Kind::Linear),
            ("t5", "decoder.block.11.layer.2.DenseReluDense.wi_0", Kind::Linear),
            ("bart", "model.shared", Kind::Embedding),
            ("bart", "model.decoder.layers.0.encoder_attn.out_proj", Kind::Linear),
            ("ctrl", "transformer.w", Kind::Embedding),
            ("ctrl", "transformer.h.0.multi_head_attention.Wq", Kind::Linear),
            (
                "roberta-prelayernorm",
                "roberta_prelayernorm.encoder.layer.0.attention.self.query",
                Kind::Linear,
            ),
            ("gpt2", "h.3.attn.c_attn", Kind::Conv1d),
            ("gpt_bigcode", "transformer.h.3.attn.c_attn", Kind::Linear),
            ("mixtral", "model.layers.0.block_sparse_moe.experts.7.w2", Kind::Linear),
            ("mixtral", "model.layers.0.block_sparse_moe.gate", Kind::Router),
            ("mamba", "backbone.layers.0.mixer.dt_proj", Kind::Read),
            ("mamba", "backbone.layers.0.mixer.x_proj", Kind::Linear),
            ("llama", "lm_head", Kind::Head),
            ("bert", "cls.predictions.decoder", Kind::Head),
            ("gemma3", "vision_tower.vision_model.head.attention.out_proj", Kind::Read),
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
        assert_eq!(both.kind("decoder.transformer.h.0.attn.c_attn"), Some(Kind::Conv1d));
        assert_eq!(both.kind("encoder.encoder.layer.0.attention.self.query"), Some(Kind::Linear));
        assert_eq!(both.kind("encoder.embeddings.word_embeddings"), Some(Kind::Embedding));
    }

    #[test]
    fn tied_heads_have_their_full_names() {
        let tied = |name: &str| of(json!({"model_type": name})).tied().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(tied("llama"), ["lm_head"]);
        assert_eq!(tied("bert"), ["cls.predictions.decoder"]);
    }
}
