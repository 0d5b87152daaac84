//! The table of checkpoint layouts that are written, and the scheme of codes and scales of each.

use std::fmt;
use std::str::FromStr;

use binade::block::{BlockFormat, ScaleRule};
use binade::text::edit_distance;
use binade::{Format, Spec};
use binade_files::ElementType;
use binade_kernels::TensorScale;

use super::error::CheckpointError;

/// A layout of quantised checkpoints.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CheckpointLayout {
    /// compressed-tensors `float-quantized`: E4M3 with a binary32 scale for each output channel.
    CtFp8,
    /// As `CtFp8`, with a static scale for the inputs of each layer.
    CtFp8Static,
    /// compressed-tensors `mxfp8-quantized`: blocks of 32 of E4M3 with E8M0 scales.
    CtMxfp8,
    /// compressed-tensors `mxfp4-pack-quantized`: blocks of 32 of E2M1 with E8M0 scales.
    CtMxfp4,
    /// compressed-tensors `nvfp4-pack-quantized`: blocks of 16 of E2M1 with E4M3 scales, divided by a binary32 global scale.
    CtNvfp4,
    /// ModelOpt's NVFP4: as `CtNvfp4`, but multiplied by a binary32 scale.
    ModeloptNvfp4,
    /// gpt-oss in transformers: MXFP4 for the experts, in `…_blocks` and `…_scales`.
    GptOss,
    /// DeepSeek-V3: E4M3 with a binary32 `weight_scale_inv` for each 128 × 128.
    DeepseekFp8,
}

/// A row of the table of layouts.
struct Row {
    layout: CheckpointLayout,
    name: &'static str,
    elements: &'static str,
    scales: &'static str,
    block: (u64, u64),
    tensor_scale: TensorScaleRole,
    rule: ScaleRule,
    /// Endings that replace `.weight` in the names of codes, scales and tensor scale.
    endings: [&'static str; 3],
    activations: Activations,
}

/// The way in which readers of a layout quantise the inputs of its layers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Activations {
    /// Not at all.
    None,
    /// By scales that the reader computes.
    Dynamic,
    /// By a scale of the checkpoint.
    Static,
    /// By a scale of the checkpoint if it has one, otherwise not at all.
    StaticOrNone,
}

/// A block that spans a whole row of any length.
pub(crate) const WHOLE: u64 = u64::MAX;

const ROWS: [Row; 8] = {
    use CheckpointLayout::*;
    const E2M1: &str = "float4_e2m1fn";
    const E4M3: &str = "float8_e4m3fn";
    const E8M0: &str = "float8_e8m0fnu";
    const fn row(layout: CheckpointLayout, name: &'static str, elements: &'static str) -> Row {
        let (block, tensor_scale, rule) = ((1, 32), TensorScaleRole::None, ScaleRule::Floor);
        Row {
            layout,
            name,
            elements,
            scales: E8M0,
            block,
            tensor_scale,
            rule,
            endings: [".weight", ".weight_scale", ""],
            activations: Activations::None,
        }
    }
    const PACKED: [&str; 3] = [".weight_packed", ".weight_scale", ".weight_global_scale"];
    const NV: Row = Row {
        scales: E4M3,
        block: (1, 16),
        tensor_scale: TensorScaleRole::Divisor,
        rule: ScaleRule::Nearest,
        endings: PACKED,
        activations: Activations::StaticOrNone,
        ..row(CtNvfp4, "ct-nvfp4", E2M1)
    };
    const FP8: Row = Row {
        scales: "f32",
        block: (1, WHOLE),
        rule: ScaleRule::Nearest,
        activations: Activations::Dynamic,
        ..row(CtFp8, "ct-fp8", E4M3)
    };
    [
        FP8,
        Row { layout: CtFp8Static, name: "ct-fp8-static", activations: Activations::Static, ..FP8 },
        row(CtMxfp8, "ct-mxfp8", E4M3),
        Row { endings: PACKED, ..row(CtMxfp4, "ct-mxfp4", E2M1) },
        NV,
        Row {
            layout: ModeloptNvfp4,
            name: "modelopt-nvfp4",
            tensor_scale: TensorScaleRole::Factor,
            endings: [".weight", ".weight_scale", ".weight_scale_2"],
            ..NV
        },
        Row { endings: ["_blocks", "_scales", ""], ..row(GptOss, "gpt-oss", E2M1) },
        Row {
            scales: "f32",
            block: (128, 128),
            rule: ScaleRule::Nearest,
            endings: [".weight", ".weight_scale_inv", ""],
            activations: Activations::Dynamic,
            ..row(DeepseekFp8, "deepseek-fp8", E4M3)
        },
    ]
};

impl CheckpointLayout {
    /// All layouts.
    pub const ALL: [CheckpointLayout; ROWS.len()] = {
        let mut all = [CheckpointLayout::CtFp8; ROWS.len()];
        let mut at = 0;
        while at < ROWS.len() {
            all[at] = ROWS[at].layout;
            at += 1;
        }
        all
    };

    fn row(self) -> &'static Row {
        const ALL: &[Row] = &ROWS;
        &ALL[self as usize]
    }

    /// The name: `ct-fp8`, `ct-fp8-static`, `ct-mxfp8`, `ct-mxfp4`, `ct-nvfp4`, `modelopt-nvfp4`, `gpt-oss`, `deepseek-fp8`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns true if the layout is written with a calibration only.
    pub fn needs_calibration(self) -> bool {
        self.activations() == Activations::Static
    }

    /// Returns true if config.json has a place for the scheme of a key-value cache.
    pub(crate) fn has_cache_scheme(self) -> bool {
        !matches!(self, CheckpointLayout::GptOss | CheckpointLayout::DeepseekFp8)
    }

    /// The layouts that take a calibration.
    pub fn calibrated() -> impl Iterator<Item = CheckpointLayout> {
        CheckpointLayout::ALL.into_iter().filter(|layout| layout.input_scale_ending().is_some())
    }

    /// The way in which readers quantise the inputs of a layer.
    pub(crate) fn activations(self) -> Activations {
        self.row().activations
    }

    /// The ending that replaces `.weight` in the name of the scale of a layer's inputs, if the layout has such scales.
    pub(crate) fn input_scale_ending(self) -> Option<&'static str> {
        let divisor = self.row().tensor_scale == TensorScaleRole::Divisor;
        match self.activations() {
            Activations::None | Activations::Dynamic => None,
            Activations::Static | Activations::StaticOrNone if divisor => Some(".input_global_scale"),
            Activations::Static | Activations::StaticOrNone => Some(".input_scale"),
        }
    }

    /// The name of the format of elements.
    pub(crate) fn element_name(self) -> &'static str {
        self.row().elements
    }

    /// The default scale rule: OCP's for powers of two, otherwise to nearest.
    pub fn default_rule(self) -> ScaleRule {
        self.row().rule
    }

    /// The supported scale rules. The scales of NVFP4 and FP8 are not powers of two, and their readers expect none.
    pub fn rules(self) -> &'static [ScaleRule] {
        match self.row().scales {
            "float8_e8m0fnu" => &ScaleRule::ALL,
            _ => &[ScaleRule::Nearest, ScaleRule::Rceil],
        }
    }

    pub(crate) fn scheme(self) -> Scheme {
        let row = self.row();
        let format =
            |name: &str| name.parse::<Spec>().expect("the table names formats of the catalogue").format;
        Scheme {
            elements: format(row.elements),
            scales: format(row.scales),
            block: row.block,
            tensor_scale: row.tensor_scale,
        }
    }

    /// Names of a weight's tensors: codes, scales, and tensor scale if there is one.
    pub(crate) fn names(self, weight: &str) -> [String; 3] {
        let stem = module_of(weight);
        self.row().endings.map(|ending| format!("{stem}{ending}"))
    }
}

/// The module of a weight: its name without `.weight`.
pub(crate) fn module_of(weight: &str) -> &str {
    weight.strip_suffix(".weight").unwrap_or(weight)
}

impl fmt::Display for CheckpointLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for CheckpointLayout {
    type Err = CheckpointError;

    fn from_str(text: &str) -> Result<CheckpointLayout, CheckpointError> {
        let lower = text.to_ascii_lowercase();
        if let Some(layout) = CheckpointLayout::ALL.into_iter().find(|layout| layout.name() == lower) {
            return Ok(layout);
        }
        let mut near: Vec<(usize, &'static str)> = CheckpointLayout::ALL
            .into_iter()
            .map(CheckpointLayout::name)
            .filter_map(|name| {
                let distance = edit_distance(&lower, name);
                let part = lower.len() > 2 && name.contains(&*lower);
                (part || distance <= lower.chars().count().max(3) / 3).then_some((distance, name))
            })
            .collect();
        near.sort();
        Err(CheckpointError::Layout {
            name: text.to_owned(),
            nearest: near.into_iter().take(3).map(|(_, name)| name).collect(),
        })
    }
}

/// The use of a tensor scale.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TensorScaleRole {
    /// No tensor scale.
    None,
    /// A binary32 that block scales are multiplied by.
    Factor,
    /// A binary32 that block scales are divided by.
    Divisor,
}

impl TensorScaleRole {
    /// Multiplier and divisor of numbers, for this tensor scale.
    pub(crate) fn sides(self, tensor_scale: f64) -> (f64, f64) {
        match self {
            TensorScaleRole::Divisor => (tensor_scale, 1.0),
            TensorScaleRole::Factor | TensorScaleRole::None => (1.0, tensor_scale),
        }
    }

    /// The tensor scale for kernels.
    pub(crate) fn of(self, tensor_scale: f32) -> TensorScale {
        match self {
            TensorScaleRole::None => TensorScale::None,
            TensorScaleRole::Factor => TensorScale::Factor(tensor_scale),
            TensorScaleRole::Divisor => TensorScale::Divisor(tensor_scale),
        }
    }
}

/// The encoding of a matrix of weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Scheme {
    pub(crate) elements: Format,
    pub(crate) scales: Format,
    /// Rows and columns that share a scale.
    pub(crate) block: (u64, u64),
    pub(crate) tensor_scale: TensorScaleRole,
}

impl Scheme {
    /// Rows and columns of the scales of a matrix.
    pub(crate) fn grid(&self, rows: u64, columns: u64) -> (u64, u64) {
        (rows.div_ceil(self.block.0), columns.div_ceil(self.block.1))
    }

    /// Returns true if codes and scales have the same encoding. The tensor scales may differ.
    pub(crate) fn same_codes(&self, other: &Scheme) -> bool {
        let tensor_scale = |scheme: &Scheme| scheme.tensor_scale != TensorScaleRole::None;
        (self.elements, self.scales, self.block) == (other.elements, other.scales, other.block)
            && tensor_scale(self) == tensor_scale(other)
    }

    /// Returns true if the scales are powers of two in E8M0.
    pub(crate) fn is_mx(&self) -> bool {
        self.scales.precision() == 1
    }

    /// The format of blocks along rows, if the blocks have one row. Its rule is arbitrary.
    pub(crate) fn rows(&self) -> Option<BlockFormat> {
        let across = usize::try_from(self.block.1).ok()?;
        (self.block.0 == 1).then_some(self.blocks(across))
    }

    /// The format of blocks of `across` elements of a row. Its rule is arbitrary.
    pub(crate) fn blocks(&self, across: usize) -> BlockFormat {
        BlockFormat {
            element: self.elements.into(),
            scale: self.scales,
            shape: (1, across),
            rule: ScaleRule::Nearest,
        }
    }

    /// Bytes of this many codes.
    pub(crate) fn bytes(&self, codes: u64) -> u64 {
        codes * self.elements.width() as u64 / 8
    }

    /// Type of the tensor of codes.
    pub(crate) fn code_type(&self) -> ElementType {
        if self.elements.width() < 8 { ElementType::U8 } else { ElementType::F8E4M3 }
    }

    /// Type of the tensor of scales.
    pub(crate) fn scale_type(&self) -> ElementType {
        match self.scales.width() {
            8 if self.is_mx() => ElementType::U8,
            8 => ElementType::F8E4M3,
            _ => ElementType::F32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_is_in_the_order_of_the_enum() {
        for layout in CheckpointLayout::ALL {
            assert_eq!(layout.row().layout, layout);
            assert_eq!(layout.name().parse::<CheckpointLayout>().unwrap(), layout);
            assert!(layout.rules().contains(&layout.default_rule()));
        }
    }

    #[test]
    fn unknown_layout_suggests_the_nearest() {
        let error = |name: &str| name.parse::<CheckpointLayout>().unwrap_err().to_string();
        assert_eq!(error("ct-nvfp5"), "unknown layout 'ct-nvfp5': did you mean ct-nvfp4?");
        assert_eq!(error("nvfp4"), "unknown layout 'nvfp4': did you mean ct-nvfp4 or modelopt-nvfp4?");
        assert!(error("gguf").contains("must be one of ct-fp8, "));
    }

    #[test]
    fn tensor_names_follow_the_layout() {
        assert_eq!(
            CheckpointLayout::CtNvfp4.names("a.q_proj.weight"),
            ["a.q_proj.weight_packed", "a.q_proj.weight_scale", "a.q_proj.weight_global_scale"]
        );
        assert_eq!(
            CheckpointLayout::GptOss.names("a.down_proj")[..2],
            ["a.down_proj_blocks", "a.down_proj_scales"]
        );
    }
}
