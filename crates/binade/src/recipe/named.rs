//! The recipes that have names, as keys and values.

type Pair = (&'static str, &'static str);

/// The names of all recipes.
pub const NAMES: [&str; 14] = {
    let mut names = [""; 14];
    let mut at = 0;
    while at < names.len() {
        names[at] = RECIPES[at].0;
        at += 1;
    }
    names
};

/// The recipe of a name in any letter case, with its name as it is written in lists.
pub(super) fn find(name: &str) -> Option<(&'static str, &'static [Pair])> {
    let found = RECIPES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
    Some((found.0, found.1))
}

const RECIPES: [(&str, &[Pair]); 14] = [
    (
        "mp",
        &[
            ("about", "products of BF16 numbers are added in binary32; all else is binary32"),
            ("source", "Osorio and others, \"A BF16 FMA is all you need for DNN training\", mixed precision"),
            ("forward.activation", "bf16"),
            ("forward.weight", "bf16"),
            ("input_gradient.gradient", "bf16"),
            ("input_gradient.weight", "bf16"),
            ("weight_gradient.activation", "bf16"),
            ("weight_gradient.gradient", "bf16"),
        ],
    ),
    (
        "bf16-stochastic",
        &[
            ("about", "BF16 products, weights and optimizer states; updates round stochastically"),
            ("source", "Zamirai and others, \"Revisiting BFloat16 Training\" (arXiv 2010.06192)"),
            ("forward.activation", "bf16"),
            ("forward.weight", "bf16"),
            ("input_gradient.gradient", "bf16"),
            ("input_gradient.weight", "bf16"),
            ("weight_gradient.activation", "bf16"),
            ("weight_gradient.gradient", "bf16"),
            ("stored.weights", "bf16/rounding=stochastic"),
            ("stored.gradients", "bf16"),
            ("stored.momentum", "bf16/rounding=stochastic"),
            ("stored.second_moments", "bf16/rounding=stochastic"),
        ],
    ),
    (
        "tesla-cfloat8",
        &[
            (
                "about",
                "CFloat8 weights, activations and gradients with learnt biases, CFloat16 optimizer states",
            ),
            (
                "source",
                "Tesla Dojo Technology: A Guide to Tesla's Configurable Floating Point Formats and Arithmetic",
            ),
            ("forward.activation", "cfloat8_1_4_3/bias=learnt"),
            ("forward.weight", "cfloat8_1_4_3/bias=learnt"),
            ("input_gradient.gradient", "cfloat8_1_5_2/bias=learnt"),
            ("input_gradient.weight", "cfloat8_1_4_3/bias=learnt"),
            ("weight_gradient.activation", "cfloat8_1_4_3/bias=learnt"),
            ("weight_gradient.gradient", "cfloat8_1_5_2/bias=learnt"),
            ("stored.weights", "cfloat8_1_4_3/bias=learnt/rounding=stochastic"),
            ("stored.gradients", "cfloat8_1_5_2/bias=learnt/rounding=stochastic"),
            ("stored.momentum", "shp/bias=learnt/rounding=stochastic"),
            ("stored.second_moments", "uhp/rounding=stochastic"),
        ],
    ),
    (
        "mxfp8",
        &[
            ("about", "MXFP8 E4M3 for all operands, with scales rounded up"),
            ("source", "\"Recipes for Pre-training LLMs with MXFP8\" (arXiv 2506.08027)"),
            ("forward.activation", "mxfp8_e4m3@rule=rceil"),
            ("forward.weight", "mxfp8_e4m3@rule=rceil"),
            ("input_gradient.gradient", "mxfp8_e4m3@rule=rceil"),
            ("input_gradient.weight", "mxfp8_e4m3@rule=rceil"),
            ("weight_gradient.activation", "mxfp8_e4m3@rule=rceil"),
            ("weight_gradient.gradient", "mxfp8_e4m3@rule=rceil"),
        ],
    ),
    (
        "mxfp6",
        &[
            ("about", "MXFP6 E3M2 for all operands, with the scales of OCP MX"),
            (
                "source",
                "Rouhani and others, \"Microscaling Data Formats for Deep Learning\" (arXiv 2310.10537)",
            ),
            ("forward.activation", "mxfp6_e3m2"),
            ("forward.weight", "mxfp6_e3m2"),
            ("input_gradient.gradient", "mxfp6_e3m2"),
            ("input_gradient.weight", "mxfp6_e3m2"),
            ("weight_gradient.activation", "mxfp6_e3m2"),
            ("weight_gradient.gradient", "mxfp6_e3m2"),
        ],
    ),
    (
        "mxfp4",
        &[
            ("about", "MXFP4 for all operands, with the scales of OCP MX"),
            ("source", "OCP Microscaling Formats (MX) Specification 1.0"),
            ("forward.activation", "mxfp4"),
            ("forward.weight", "mxfp4"),
            ("input_gradient.gradient", "mxfp4"),
            ("input_gradient.weight", "mxfp4"),
            ("weight_gradient.activation", "mxfp4"),
            ("weight_gradient.gradient", "mxfp4"),
        ],
    ),
    (
        "nvfp4",
        &[
            ("about", "NVFP4 for all operands"),
            ("source", "NVIDIA, \"Introducing NVFP4\""),
            ("forward.activation", "nvfp4"),
            ("forward.weight", "nvfp4"),
            ("input_gradient.gradient", "nvfp4"),
            ("input_gradient.weight", "nvfp4"),
            ("weight_gradient.activation", "nvfp4"),
            ("weight_gradient.gradient", "nvfp4"),
        ],
    ),
    (
        "nvfp4-training",
        &[
            (
                "about",
                "NVFP4 with 16 x 16 weights, stochastic gradients, rotated weight gradients, and the last layer left out",
            ),
            ("source", "NVIDIA, \"Pretraining Large Language Models with NVFP4\" (arXiv 2509.25149)"),
            ("forward.activation", "nvfp4"),
            ("forward.weight", "nvfp4/scale=16x16"),
            ("input_gradient.gradient", "nvfp4/rounding=stochastic"),
            ("input_gradient.weight", "nvfp4/scale=16x16"),
            ("weight_gradient.activation", "nvfp4/hadamard=16/signs=random"),
            ("weight_gradient.gradient", "nvfp4/rounding=stochastic/hadamard=16/signs=random"),
            ("leave", "last"),
        ],
    ),
    (
        "four-over-six",
        &[
            ("about", "NVFP4 whose blocks choose between a largest element of 6 and of 4"),
            ("source", "Cook and others, \"Four Over Six\" (arXiv 2512.02010)"),
            ("forward.activation", "nvfp4/rule=four_over_six"),
            ("forward.weight", "nvfp4/rule=four_over_six"),
            ("input_gradient.gradient", "nvfp4/rule=four_over_six"),
            ("input_gradient.weight", "nvfp4/rule=four_over_six"),
            ("weight_gradient.activation", "nvfp4/rule=four_over_six"),
            ("weight_gradient.gradient", "nvfp4/rule=four_over_six"),
        ],
    ),
    (
        "fp8-tensorwise",
        &[
            ("about", "FP8 with one scale for a tensor: E4M3 forward, E5M2 gradients"),
            ("source", "Micikevicius and others, \"FP8 Formats for Deep Learning\" (arXiv 2209.05433)"),
            ("forward.activation", "float8_e4m3fn/scale=tensor"),
            ("forward.weight", "float8_e4m3fn/scale=tensor"),
            ("input_gradient.gradient", "float8_e5m2/scale=tensor"),
            ("input_gradient.weight", "float8_e4m3fn/scale=tensor"),
            ("weight_gradient.activation", "float8_e4m3fn/scale=tensor"),
            ("weight_gradient.gradient", "float8_e5m2/scale=tensor"),
        ],
    ),
    (
        "fp8-rowwise",
        &[
            ("about", "FP8 E4M3 with a power of two as the scale of each row along the depth"),
            ("source", "torchao, the recipe `rowwise` of its FP8 training"),
            ("forward.activation", "float8_e4m3fn/scale=row/scales=float8_e8m0fnu/rule=rceil"),
            ("forward.weight", "float8_e4m3fn/scale=row/scales=float8_e8m0fnu/rule=rceil"),
            ("input_gradient.gradient", "float8_e4m3fn/scale=row/scales=float8_e8m0fnu/rule=rceil"),
            ("input_gradient.weight", "float8_e4m3fn/scale=row/scales=float8_e8m0fnu/rule=rceil"),
            ("weight_gradient.activation", "float8_e4m3fn/scale=row/scales=float8_e8m0fnu/rule=rceil"),
            ("weight_gradient.gradient", "float8_e4m3fn/scale=row/scales=float8_e8m0fnu/rule=rceil"),
        ],
    ),
    (
        "fp8-deepseek",
        &[
            ("about", "FP8 E4M3 with scales for 1 x 128 activations and gradients and 128 x 128 weights"),
            ("source", "DeepSeek-AI, \"DeepSeek-V3 Technical Report\" (arXiv 2412.19437), section 3.3"),
            ("forward.activation", "float8_e4m3fn/scale=1x128"),
            ("forward.weight", "float8_e4m3fn/scale=128x128"),
            ("input_gradient.gradient", "float8_e4m3fn/scale=1x128"),
            ("input_gradient.weight", "float8_e4m3fn/scale=128x128"),
            ("weight_gradient.activation", "float8_e4m3fn/scale=1x128"),
            ("weight_gradient.gradient", "float8_e4m3fn/scale=1x128"),
        ],
    ),
    (
        "w4a16",
        &[
            ("about", "MXFP4 weights with BF16 activations, for inference; gradients stay as they are"),
            ("source", "OpenAI, gpt-oss model card"),
            ("forward.activation", "bf16"),
            ("forward.weight", "mxfp4"),
        ],
    ),
    (
        "w8a8",
        &[
            (
                "about",
                "FP8 weights by channel and activations by token, for inference; gradients stay as they are",
            ),
            ("source", "compressed-tensors, the scheme FP8_DYNAMIC"),
            ("forward.activation", "float8_e4m3fn/scale=token"),
            ("forward.weight", "float8_e4m3fn/scale=channel"),
        ],
    ),
];
