//! The catalogue of matrix units; everything else iterates it.

use super::{Known, Mode, Result, Scaled, Step, Unit};
use crate::round::Rounding;

/// Measured outputs of V100 to B200, and models fitted to them.
const ARCHIVE: Known = Known::Measured("Khattak and Mikaitis 2025, MATLAB-tensor-core");
const MMA_SIM: Known = Known::Modelled("MMA-Sim, arXiv 2511.10909");
const MATLAB: Known = Known::Modelled("Khattak and Mikaitis 2025, MATLAB-tensor-core");
const ARM: Known = Known::Specified("Arm Architecture Reference Manual DDI 0487 M.a.a, shared pseudocode");
const PROCESSOR: Known = Known::Measured("the instruction on an Intel processor");

const TOWARD_ZERO: Result = Result { format: "f32", precision: 24, rounding: Rounding::TowardZero };
/// Thirteen fraction bits in a binary32 number ("E8M13").
const FOURTEEN_BITS: Result = Result { format: "f32", precision: 14, rounding: Rounding::TowardZero };
const NEAREST: Result = Result { format: "f32", precision: 24, rounding: Rounding::NearestEven };
const ODD: Result = Result { format: "f32", precision: 24, rounding: Rounding::ToOdd };
const HALF: Result = Result { format: "f16", precision: 11, rounding: Rounding::NearestEven };

/// No lower bound of an alignment's exponent: the formats have no products below it.
const ANY: i64 = -1024;

/// A mode of NVIDIA's with binary32 results.
const fn aligned(
    inputs: &'static [&'static str],
    products: usize,
    fraction_bits: i64,
    least_exponent: i64,
    result: Result,
    known: Known,
) -> Mode {
    let step = Step::Aligned { fraction_bits, least_exponent };
    let nan = if result.precision == HALF.precision { 0x7fff } else { 0x7fff_ffff };
    Mode { inputs, products, step, result, flush: false, nan, known }
}

/// A mode with binary32 results to nearest even.
const fn nearest(
    inputs: &'static [&'static str],
    products: usize,
    step: Step,
    flush: bool,
    known: Known,
) -> Mode {
    Mode { inputs, products, step, result: NEAREST, flush, nan: 0x7fc0_0000, known }
}

/// A mode of Arm's, whose NaN is the architecture's default.
const fn arm(inputs: &'static [&'static str], products: usize, step: Step, result: Result) -> Mode {
    let nan = if result.precision == HALF.precision { 0x7e00 } else { 0x7fc0_0000 };
    Mode { inputs, products, step, result, flush: matches!(step, Step::OddPairs), nan, known: ARM }
}

const F16: &[&str] = &["f16"];
const BF16: &[&str] = &["bf16"];
const SHORT: &[&str] = &["f16", "bf16"];
const TF32: &[&str] = &["tf32"];
const FP8: &[&str] = &["float8_e4m3fn", "float8_e5m2"];
const FNUZ: &[&str] = &["float8_e4m3fnuz", "float8_e5m2fnuz"];
const NARROW: &[&str] = &["float8_e4m3fn", "float8_e5m2", "float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn"];

const CDNA3: Step = Step::Late { fraction_bits: 24, sum_bits: 31, halves: false };
const CDNA3_FP8: Step = Step::Late { fraction_bits: 24, sum_bits: 31, halves: true };

const FP4: &[&str] = &["float4_e2m1fn"];
const E8M0: &[&str] = &["float8_e8m0fnu"];
const E8M0_OR_E4M3: &[&str] = &["float8_e8m0fnu", "float8_e4m3fn"];

/// Units whose arithmetic is known to the bit.
pub const UNITS: &[Unit] = &[
    Unit {
        name: "v100",
        aliases: &["volta"],
        about: "NVIDIA Volta",
        modes: &[aligned(F16, 4, 23, ANY, TOWARD_ZERO, ARCHIVE), aligned(F16, 4, 23, -19, HALF, ARCHIVE)],
        scaled: &[],
    },
    Unit {
        name: "t4",
        aliases: &["turing"],
        about: "NVIDIA Turing",
        modes: &[aligned(F16, 8, 24, -132, TOWARD_ZERO, MMA_SIM)],
        scaled: &[],
    },
    Unit {
        name: "a100",
        aliases: &["a2", "a30", "ampere"],
        about: "NVIDIA Ampere",
        modes: &[
            aligned(SHORT, 8, 24, -132, TOWARD_ZERO, ARCHIVE),
            aligned(TF32, 4, 24, -132, TOWARD_ZERO, ARCHIVE),
            aligned(F16, 8, 24, -20, HALF, ARCHIVE),
        ],
        scaled: &[],
    },
    Unit {
        name: "l40s",
        aliases: &["rtx40", "ada"],
        about: "NVIDIA Ada",
        modes: &[
            aligned(SHORT, 8, 24, -132, TOWARD_ZERO, ARCHIVE),
            aligned(TF32, 4, 24, -132, TOWARD_ZERO, ARCHIVE),
            aligned(F16, 8, 24, -20, HALF, ARCHIVE),
            aligned(FP8, 16, 13, -132, FOURTEEN_BITS, ARCHIVE),
        ],
        scaled: &[],
    },
    Unit {
        name: "h100",
        aliases: &["h200", "hopper"],
        about: "NVIDIA Hopper",
        modes: &[
            aligned(SHORT, 16, 25, -133, TOWARD_ZERO, ARCHIVE),
            aligned(TF32, 8, 25, -133, TOWARD_ZERO, ARCHIVE),
            aligned(F16, 16, 25, -21, HALF, ARCHIVE),
            aligned(FP8, 32, 13, -133, FOURTEEN_BITS, ARCHIVE),
        ],
        scaled: &[],
    },
    Unit {
        name: "b200",
        aliases: &["blackwell"],
        about: "NVIDIA Blackwell",
        modes: &[
            aligned(SHORT, 16, 25, -133, TOWARD_ZERO, ARCHIVE),
            aligned(TF32, 8, 25, -133, TOWARD_ZERO, ARCHIVE),
            aligned(F16, 16, 25, -21, HALF, ARCHIVE),
            // The archive's FP8 outputs equal the exact sum rounded to nearest, and contradict this.
            aligned(NARROW, 32, 25, -133, TOWARD_ZERO, MMA_SIM),
        ],
        scaled: &[
            // The step of four bits comes first: the other one takes such elements too, beside wider ones.
            Scaled {
                step: aligned(FP4, 64, 35, -133, TOWARD_ZERO, MMA_SIM),
                scales: E8M0_OR_E4M3,
                group: 16,
            },
            Scaled { step: aligned(NARROW, 32, 25, -133, TOWARD_ZERO, MMA_SIM), scales: E8M0, group: 1 },
        ],
    },
    Unit {
        name: "mi100",
        aliases: &["cdna1"],
        about: "AMD CDNA 1",
        modes: &[nearest(F16, 4, Step::Exact, false, MATLAB), nearest(BF16, 2, Step::Exact, false, MATLAB)],
        scaled: &[],
    },
    Unit {
        name: "mi250",
        aliases: &["mi210", "cdna2"],
        about: "AMD CDNA 2",
        modes: &[nearest(F16, 4, Step::Tree, true, MMA_SIM), nearest(BF16, 2, Step::Tree, true, MMA_SIM)],
        scaled: &[],
    },
    Unit {
        name: "mi300x",
        aliases: &["mi300a", "mi300", "cdna3"],
        about: "AMD CDNA 3",
        modes: &[
            nearest(SHORT, 8, CDNA3, false, MMA_SIM),
            nearest(TF32, 4, CDNA3, false, MMA_SIM),
            nearest(FNUZ, 16, CDNA3_FP8, false, MMA_SIM),
        ],
        scaled: &[],
    },
    Unit {
        name: "amx",
        aliases: &["tdpbf16ps"],
        about: "Intel AMX, one tile of 16 pairs",
        modes: &[nearest(BF16, 32, Step::TwoChains, true, PROCESSOR)],
        scaled: &[],
    },
    Unit {
        name: "avx512-bf16",
        aliases: &["vdpbf16ps"],
        about: "Intel and AMD AVX512_BF16",
        modes: &[nearest(BF16, 2, Step::Pairs, true, PROCESSOR)],
        scaled: &[],
    },
    Unit {
        name: "arm-bfdot",
        aliases: &["bfdot"],
        about: "Arm BFDOT with FPCR.EBF = 0",
        modes: &[arm(BF16, 2, Step::OddPairs, ODD)],
        scaled: &[],
    },
    Unit {
        name: "arm-bfdot-ebf",
        aliases: &["bfdot-ebf"],
        about: "Arm BFDOT with FPCR.EBF = 1, the other bits of FPCR being 0",
        modes: &[arm(BF16, 2, Step::FusedPairs, NEAREST)],
        scaled: &[],
    },
    Unit {
        name: "arm-bfmmla",
        aliases: &["bfmmla"],
        about: "Arm BFMMLA with FPCR.EBF = 0: BFDOT twice",
        modes: &[arm(BF16, 4, Step::OddPairs, ODD)],
        scaled: &[],
    },
    Unit {
        name: "arm-bfmmla-ebf",
        aliases: &["bfmmla-ebf"],
        about: "Arm BFMMLA with FPCR.EBF = 1, the other bits of FPCR being 0",
        modes: &[arm(BF16, 4, Step::FusedPairs, NEAREST)],
        scaled: &[],
    },
    Unit {
        name: "arm-fp8-fdot",
        aliases: &["arm-fp8"],
        about: "Arm FDOT of 8-bit inputs, with FPMR.LSCALE = 0 and FPMR.OSM = 0",
        modes: &[arm(FP8, 4, Step::Fused, NEAREST), arm(FP8, 2, Step::Fused, HALF)],
        scaled: &[],
    },
    Unit {
        name: "arm-fp8-fmmla",
        aliases: &["arm-fmmla"],
        about: "Arm FMMLA of 8-bit inputs, with FPMR.LSCALE = 0 and FPMR.OSM = 0",
        modes: &[arm(FP8, 8, Step::Fused, NEAREST), arm(FP8, 4, Step::Fused, HALF)],
        scaled: &[],
    },
];

/// Matrix units whose arithmetic is not published to the bit.
pub const UNKNOWN: &[&str] = &["tpu", "gaudi", "trainium"];
