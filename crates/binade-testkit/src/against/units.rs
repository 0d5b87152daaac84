//! Matrix units of `binade` against the oracle, on generated operands.

use binade::unit::{Codes, Mode as UnitMode, Scaled, ScaledCodes, Step as UnitStep, UnitOperator};
use binade::{Operator, Rounding};

use super::{Both, NameError, Tally};
use crate::format::{Decoded, Format};
use crate::generate::Generator;
use crate::round::Mode;
use crate::unit::{Blocks, Product, Step, Unit};

/// The oracle's unit for an entry of the catalogue. Only its data are taken over.
pub(super) fn oracle_of(mode: &UnitMode) -> Result<Unit, NameError> {
    let step = match mode.step {
        UnitStep::Aligned { fraction_bits: bits, least_exponent: least } => Step::Aligned { bits, least },
        UnitStep::Late { fraction_bits: bits, sum_bits, halves } => Step::Late { bits, sum_bits, halves },
        UnitStep::Exact => Step::Exact { signed_zeros: false },
        UnitStep::Fused => Step::Exact { signed_zeros: true },
        UnitStep::Tree => Step::Tree,
        UnitStep::Pairs => Step::Pairs,
        UnitStep::TwoChains => Step::TwoChains,
        UnitStep::OddPairs => Step::SumsOfPairs { odd: true },
        UnitStep::FusedPairs => Step::SumsOfPairs { odd: false },
    };
    Ok(Unit {
        products: mode.products,
        step,
        result: Format::named(mode.result.format)?,
        result_bits: mode.result.precision.into(),
        rounding: match mode.result.rounding {
            Rounding::TowardZero => Mode::TowardZero,
            Rounding::ToOdd => Mode::ToOdd,
            _ => Mode::NearestEven,
        },
        flush: mode.flush,
        nan: mode.nan,
    })
}

/// The kinds of operands of one dot product.
#[derive(Clone, Copy)]
struct Draw {
    /// Exponents are within this distance of the middle; any code without it.
    spread: Option<u64>,
    /// Products are repeated with the other sign.
    cancels: bool,
    /// One code in this number is an infinity, a NaN or another edge.
    edges: u64,
    /// One element in this number is a zero.
    zeros: u64,
    /// Products are near the middle of the exponent range (0), its lower end (-1) or its upper end (1).
    range: i64,
    /// All products are negative or negative zeros.
    negative: bool,
}

impl Draw {
    fn new(random: &mut Generator) -> Draw {
        Draw {
            spread: *random.pick(&[Some(0), Some(2), Some(6), Some(20), Some(60), None]),
            cancels: random.one_in(3),
            edges: *random.pick(&[20, 1 << 40, 1 << 40, 1 << 40]),
            zeros: *random.pick(&[1, 2, 4, 9, 1 << 40, 1 << 40]),
            range: *random.pick(&[0, 0, 0, -1, 1]),
            negative: random.one_in(5),
        }
    }

    /// The exponent of the middle of an operand's numbers.
    fn middle(&self, format: &Format) -> i64 {
        self.range * (format.bias / 2)
    }

    /// A code whose exponent is near the shift.
    fn code(&self, random: &mut Generator, format: &Format, shift: i64) -> u64 {
        let sign = if random.one_in(2) { format.sign_bit() } else { 0 };
        if random.one_in(self.edges) {
            return random.code(format);
        }
        if random.one_in(self.zeros) && format.has_zero() {
            return sign;
        }
        let Some(spread) = self.spread else { return random.bits() >> (64 - format.width) };
        let binade = 1 << (format.precision - 1);
        let largest = (format.largest() / binade) as i64;
        let field = format.bias + shift + random.below(2 * spread + 1) as i64 - spread as i64;
        let code = field.clamp(0, largest) as u64 * binade + random.below(binade);
        code.min(format.largest()) | sign
    }

    /// Operands of a dot product.
    fn operands(&self, random: &mut Generator, formats: [&Format; 2], length: usize) -> [Vec<u64>; 2] {
        let mut codes = formats.map(|format| {
            (0..length).map(|_| self.code(random, format, self.middle(format))).collect::<Vec<u64>>()
        });
        if self.negative {
            let sign = formats[0].sign_bit();
            let zero = if formats[0].negative_zero { sign } else { 0 };
            codes[0].iter_mut().for_each(|code| *code = if *code == 0 { zero } else { *code | sign });
            codes[1].iter_mut().for_each(|code| *code &= !formats[1].sign_bit());
        } else if self.cancels {
            for to in 1..length {
                let from = random.below(to as u64) as usize;
                if random.one_in(2) {
                    codes[0][to] = codes[0][from] ^ formats[0].sign_bit();
                    codes[1][to] = codes[1][from];
                }
            }
        }
        codes
    }
}

/// Compares dot products of a mode with the oracle: of no depth, of whole steps and of others, with an addend of similar
/// magnitude or of any other.
fn dots(
    name: &str,
    mode: &UnitMode,
    oracle: &Unit,
    formats: [&Both; 2],
    cases: usize,
    random: &mut Generator,
    tally: &mut Tally,
) {
    let [left, right] = formats.map(|both| &both.oracle);
    for _ in 0..cases {
        let draw = Draw::new(random);
        let most = 3 * mode.products as u64 + 1;
        let length = match random.below(40) {
            0 => 0,
            1..20 => mode.products * (1 + random.below(2) as usize),
            _ => random.below(most.min(70)) as usize,
        };
        let [a, b] = draw.operands(random, [left, right], length);
        let shift = if random.one_in(2) { 0 } else { random.below(50) as i64 - 25 };
        let c = match random.below(6) {
            0 => random.code(&oracle.result),
            1 => 0,
            2 => oracle.result.sign_bit(),
            _ => draw.code(random, &oracle.result, shift + draw.middle(left) + draw.middle(right)),
        };
        let codes = |both: &Both, codes| Codes { format: both.ours.format, codes };
        let found = mode.dot(codes(formats[0], &a), codes(formats[1], &b), c);
        let expected = oracle.dot([left, right], &a, &b, c);
        tally.record(found == expected, || {
            format!("{name}: {a:x?} · {b:x?} + {c:#x} = {found:#x}, oracle {expected:#x}")
        });
    }
}

/// Every pair of input formats of an entry of the catalogue.
///
/// # Errors
/// If a format is unknown.
pub fn of_mode(
    unit: &str,
    mode: &UnitMode,
    cases: usize,
    seed: u64,
    tally: &mut Tally,
) -> Result<(), NameError> {
    let oracle = oracle_of(mode)?;
    let mut random = Generator::new(seed);
    for (left, right) in
        mode.inputs.iter().flat_map(|left| mode.inputs.iter().map(move |right| (left, right)))
    {
        let (left, right) = (Both::named(left)?, Both::named(right)?);
        let name = format!("{unit}:{}*{} to {}", left.name(), right.name(), mode.result.format);
        dots(&name, mode, &oracle, [&left, &right], cases, &mut random, tally);
    }
    Ok(())
}

/// Every pair of elements and every format of scales of a scaled step.
///
/// # Errors
/// If a format is unknown.
pub fn of_scaled(
    unit: &str,
    scaled: &Scaled,
    cases: usize,
    seed: u64,
    tally: &mut Tally,
) -> Result<(), NameError> {
    let oracle = oracle_of(&scaled.step)?;
    let mut random = Generator::new(seed);
    let elements = scaled.step.inputs;
    let pairs = elements.iter().flat_map(|left| elements.iter().map(move |right| (left, right)));
    for (left, right) in pairs {
        for scale in scaled.scales {
            let (left, right, scale) = (Both::named(left)?, Both::named(right)?, Both::named(scale)?);
            for _ in 0..cases {
                let (draw, of_scales) = (Draw::new(&mut random), Draw::new(&mut random));
                let block =
                    scaled.group * (1 + random.below(2) as usize) * if scaled.group == 1 { 16 } else { 1 };
                let length = block * random.below(9) as usize;
                let [a, b] = draw.operands(&mut random, [&left.oracle, &right.oracle], length);
                let mut scales = || {
                    (0..length / block)
                        .map(|_| of_scales.code(&mut random, &scale.oracle, of_scales.middle(&scale.oracle)))
                        .collect()
                };
                let (of_a, of_b): (Vec<u64>, Vec<u64>) = (scales(), scales());
                let middle = draw.middle(&left.oracle) + draw.middle(&right.oracle);
                let c = draw.code(&mut random, &oracle.result, middle + 2 * of_scales.middle(&scale.oracle));
                let codes = |both: &Both, codes| Codes { format: both.ours.format, codes };
                let found = scaled.dot(
                    ScaledCodes { elements: codes(&left, &a), scales: codes(&scale, &of_a), block },
                    ScaledCodes { elements: codes(&right, &b), scales: codes(&scale, &of_b), block },
                    c,
                );
                let blocks = |format, elements, scales| Blocks {
                    format,
                    elements,
                    scale_format: &scale.oracle,
                    scales,
                    block,
                };
                let expected = oracle.dot_of_blocks(
                    blocks(&left.oracle, &a, &of_a),
                    blocks(&right.oracle, &b, &of_b),
                    scaled.group,
                    c,
                );
                tally.record(found == expected, || {
                    format!(
                        "{unit}, {} and {} under {}: {a:x?} by {of_a:x?} · {b:x?} by {of_b:x?} + {c:#x} = {found:#x}, \
                         oracle {expected:#x}",
                        left.name(),
                        right.name(),
                        scale.name()
                    )
                });
            }
        }
    }
    Ok(())
}

/// Input formats of described units.
const INPUTS: [&str; 8] =
    ["f16", "bf16", "tf32", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float4_e2m1fn", "f32"];

/// A described unit at random: its text without inputs, and the oracle's unit of the same parameters.
fn described(random: &mut Generator) -> Result<(String, Unit), NameError> {
    let products = *random.pick(&[1, 2, 3, 4, 7, 8, 16, 24, 33]);
    let bits = *random.pick(&[1, 2, 7, 12, 13, 20, 23, 24, 25, 26, 27, 35, 47, 56]);
    let mut text = format!("unit(products={products},bits={bits}");
    let step = if random.one_in(3) {
        let sum_bits = bits + random.below(57 - bits as u64) as i64;
        text += &format!(",accumulator=late,sum_bits={sum_bits}");
        Step::Late { bits, sum_bits, halves: false }
    } else {
        let least = *random.pick(&[-1024, -1024, -133, -126, -20, 0, 10]);
        text += &format!(",least_exponent={least}");
        Step::Aligned { bits, least }
    };
    let (format, precision) = *random.pick(&[("f32", 24), ("f32", 24), ("f16", 11)]);
    let result_bits =
        if random.one_in(2) { precision } else { 2 + random.below(precision as u64 - 1) as i64 };
    let (name, rounding) =
        *random.pick(&[("toward_zero", Mode::TowardZero), ("nearest_even", Mode::NearestEven)]);
    let flush = random.one_in(3);
    text += &format!(
        ",result={format},result_bits={result_bits},rounding={name},subnormals={})",
        if flush { "flushed" } else { "kept" }
    );
    let nan = if format == "f16" { 0x7fff } else { 0x7fff_ffff };
    let result = Format::named(format)?;
    Ok((text, Unit { products, step, result, result_bits, rounding, flush, nan }))
}

/// Described units at random, `cases` dot products each.
///
/// # Errors
/// If a format is unknown.
pub fn of_described(units: usize, cases: usize, seed: u64, tally: &mut Tally) -> Result<(), NameError> {
    let mut random = Generator::new(seed);
    for _ in 0..units {
        let (text, oracle) = described(&mut random)?;
        let (left, right) =
            (Both::named(random.pick::<&str>(&INPUTS))?, Both::named(random.pick::<&str>(&INPUTS))?);
        let text = format!("{text}:{}*{}", left.name(), right.name());
        match text.parse::<Operator>().map(|operator| operator.as_unit().map(|unit| *unit.mode())) {
            Ok(Some(mode)) => dots(&text, &mode, &oracle, [&left, &right], cases, &mut random, tally),
            Ok(None) => tally.record(false, || format!("{text} is no unit")),
            Err(error) => tally.record(false, || format!("{text}: {error}")),
        }
    }
    Ok(())
}

/// Dot products of binary32 numbers under an operator: inputs are rounded, sums promoted and split.
///
/// # Errors
/// If a format is unknown.
pub fn of_operator(text: &str, cases: usize, seed: u64, tally: &mut Tally) -> Result<(), NameError> {
    let operator = text.parse::<Operator>();
    let Some(operator) = operator.as_ref().ok().and_then(Operator::as_unit) else {
        tally.record(false, || format!("{text} is no unit"));
        return Ok(());
    };
    let oracle = oracle_of(operator.mode())?;
    let (_, formats, options) = UnitOperator::parts(text).unwrap_or_default();
    let (left, right) = formats.split_once('*').unwrap_or((formats, formats));
    let (left, right, single) = (Format::named(left)?, Format::named(right)?, Format::named("f32")?);
    let option = |name: &str| {
        let value = options?.split('/').find_map(|option| option.strip_prefix(name))?;
        value.parse::<usize>().ok()
    };
    let product = Product {
        unit: &oracle,
        formats: [&left, &right],
        single: &single,
        cuts: [left.name == "tf32", right.name == "tf32"],
        saturates: options.is_some_and(|options| options.contains("saturate")),
        promote: option("promote="),
        split: option("split=").unwrap_or(1),
    };
    let mut random = Generator::new(seed);
    for _ in 0..cases {
        let draw = Draw::new(&mut random);
        let length = random.below(200) as usize;
        let [a, b] = draw.operands(&mut random, [&single, &single], length);
        let c = draw.code(&mut random, &single, 2 * draw.middle(&single));
        let numbers =
            |codes: &[u64]| -> Vec<f32> { codes.iter().map(|&code| f32::from_bits(code as u32)).collect() };
        let found = operator.dot(&numbers(&a), &numbers(&b), f32::from_bits(c as u32)).to_bits();
        let expected = product.dot(&a, &b, c);
        tally.record(single.decode(found.into()) == expected || is_nan(&single, found, &expected), || {
            format!("{text}: {a:x?} · {b:x?} + {c:#x} = {found:#x}, oracle {expected:?}")
        });
    }
    Ok(())
}

/// True if both are NaN: a unit without products returns the accumulator's NaN, others have their own.
fn is_nan(single: &Format, found: u32, expected: &Decoded) -> bool {
    matches!((single.decode(found.into()), expected), (Decoded::Nan { .. }, Decoded::Nan { .. }))
}
