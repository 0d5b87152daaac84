//! Notes on known failures of the programs that load a layout, for reports.
//!
//! `peers/layout_models.py` loads whole models in transformers 5.24 with compressed-tensors 0.20, and has the same list. Its
//! results are in docs/reference/layouts.md. The files are correct in each case.

use super::architecture::Architecture;
use super::plan::Changed;
use super::{CheckpointLayout, Dtype};

/// Layers whose `weight` transformers' models read directly, with their model types. Packed layouts have no such tensor.
const READ_DIRECTLY: [(&str, &[&str]); 2] = [
    (
        "wo",
        &[
            "t5",
            "mt5",
            "umt5",
            "longt5",
            "switch_transformers",
            "udop",
            "pix2struct_text_model",
            "pop2piano",
            "pix2struct",
        ],
    ),
    ("out_proj", &["mamba"]),
];

/// The properties of an output that decide which readers fail.
pub(crate) struct Written<'a> {
    /// The layouts; if there are several, with the weights of each.
    pub(crate) layouts: &'a [(CheckpointLayout, Vec<&'a str>)],
    pub(crate) weights: &'a [Changed],
    pub(crate) architecture: &'a Architecture,
    /// The type that config.json declares.
    pub(crate) dtype: Dtype,
    /// True with static scales of keys and values.
    pub(crate) caches: bool,
}

/// Returns true for a matrix of one expert.
fn is_of_expert(name: &str) -> bool {
    let mut parts = name.split('.').skip_while(|part| *part != "experts").skip(1);
    parts.next().is_some_and(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns true if transformers uses other blocks than 128 × 128: it divides each side by its number of blocks.
fn has_other_blocks(shape: &[u64]) -> bool {
    shape.iter().any(|&length| length > 128 && !length.is_multiple_of(128))
}

impl Written<'_> {
    /// The notes for an output.
    pub(crate) fn notes(&self) -> Vec<String> {
        use CheckpointLayout::*;
        let has =
            |wanted: &[CheckpointLayout]| self.layouts.iter().any(|(layout, _)| wanted.contains(layout));
        let mixed = self.layouts.len() > 1;
        let of = |layout: CheckpointLayout| {
            let weights = self.layouts.iter().find(|(found, _)| *found == layout).map(|(_, weights)| weights);
            let of = move |weight: &&Changed| {
                weights.is_some_and(|weights| !mixed || weights.contains(&weight.name.as_str()))
            };
            self.weights.iter().filter(of)
        };
        let expert = |layout| of(layout).find(|weight| is_of_expert(&weight.name));
        let mut notes = vec![];
        let mut note = |text: String| notes.push(text);
        if mixed {
            note(
                "transformers 5.24 fails on several layouts with dequantize=True: load it without".to_owned(),
            );
        }
        if self.dtype != Dtype::Bf16 && has(&[CtMxfp8, CtMxfp4, CtNvfp4]) {
            note(format!(
                "config.json declares {}, and compressed-tensors 0.20 makes bfloat16 of MX and NVFP4: load it in transformers with \
                 dequantize=True or dtype=bfloat16",
                self.dtype.torch_name()
            ));
        }
        if mixed && let Some(weight) = self.weights.iter().find(|weight| is_of_expert(&weight.name)) {
            note(format!("transformers 5.24 fails on experts in several layouts, such as '{}'", weight.name));
        } else if let Some(weight) = expert(CtMxfp8) {
            note(format!("transformers 5.24 fails on experts in ct-mxfp8, such as '{}'", weight.name));
        } else if let Some(weight) = expert(CtNvfp4) {
            note(format!(
                "transformers 5.24 ignores weight_global_scale of experts, such as '{}': its model is wrong, without a message",
                weight.name
            ));
        }
        let direct = READ_DIRECTLY.iter().find_map(|(layer, types)| {
            Some((layer, self.architecture.known().find(|name| types.contains(name))?))
        });
        if let Some((layer, name)) = direct
            && has(&[CtMxfp4, CtNvfp4])
        {
            note(format!(
                "transformers 5.24 reads {layer}.weight of {name}, which packed codes do not have: load it with dequantize=True"
            ));
        }
        if let Some(weight) = of(DeepseekFp8).find(|weight| has_other_blocks(&weight.shape)) {
            note(format!(
                "transformers 5.24 dequantises '{}' of {:?} by other blocks than 128 × 128, since these do not divide it: exclude it for that \
                 reader",
                weight.name, weight.shape
            ));
        }
        if has(&[ModeloptNvfp4]) {
            note("transformers 5.24 does not read ModelOpt's layout; vLLM and SGLang do".to_owned());
        } else if self.caches {
            note(
                "transformers 5.24 with compressed-tensors 0.20 leaves k_scale and v_scale out; vLLM reads them".to_owned(),
            );
        }
        notes
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn notes(
        layouts: &[(CheckpointLayout, Vec<&str>)],
        weights: &[(&str, [u64; 2])],
        of: (&str, Dtype),
    ) -> Vec<String> {
        let changed = |(name, shape): &(&str, [u64; 2])| Changed {
            name: (*name).to_owned(),
            shape: shape.to_vec(),
            bytes: [0, 0],
        };
        let weights: Vec<Changed> = weights.iter().map(changed).collect();
        let architecture = Architecture::of(json!({"model_type": of.0}).as_object());
        Written { layouts, weights: &weights, architecture: &architecture, dtype: of.1, caches: false }
            .notes()
    }

    #[test]
    fn readers_known_to_fail_are_noted() {
        use CheckpointLayout::*;
        let one = |layout| vec![(layout, vec![])];
        let expert = [("a.experts.3.w1.weight", [128, 128])];
        let dense = [("a.q_proj.weight", [128, 128])];
        let llama = ("llama", Dtype::Bf16);
        let cases = [
            (notes(&one(CtNvfp4), &expert, ("mixtral", Dtype::Bf16)), "ignores weight_global_scale"),
            (notes(&one(CtMxfp8), &expert, ("mixtral", Dtype::Bf16)), "fails on experts in ct-mxfp8"),
            (notes(&one(CtMxfp4), &dense, ("llama", Dtype::F32)), "config.json declares float32"),
            (notes(&one(CtNvfp4), &dense, ("t5", Dtype::Bf16)), "reads wo.weight of t5"),
            (notes(&one(CtMxfp4), &dense, ("mamba", Dtype::Bf16)), "reads out_proj.weight of mamba"),
            (
                notes(&one(DeepseekFp8), &[("lm_head.weight", [160, 128])], llama),
                "'lm_head.weight' of [160, 128]",
            ),
            (notes(&one(ModeloptNvfp4), &dense, llama), "does not read ModelOpt"),
        ];
        for (notes, part) in cases {
            assert!(notes.len() == 1 && notes[0].contains(part), "{part}: {notes:?}");
        }
        let mix = [(CtFp8, vec!["b.o_proj.weight"]), (CtNvfp4, vec!["a.q_proj.weight"])];
        let mixed = notes(&mix, &dense, llama);
        assert!(mixed.len() == 1 && mixed[0].contains("dequantize=True"), "{mixed:?}");
        let mix = [(CtFp8, vec!["b.o_proj.weight"]), (CtNvfp4, vec!["a.experts.3.w1.weight"])];
        assert!(notes(&mix, &expert, llama)[1].contains("experts in several layouts"));
        for layout in [CtFp8, CtMxfp4, GptOss] {
            assert_eq!(notes(&one(layout), &expert, llama), [""; 0], "{layout}");
        }
        assert_eq!(notes(&one(DeepseekFp8), &[("a.weight", [96, 256])], llama), [""; 0]);
    }
}
