//! Quantised operands of products and their sums, in exact rationals.
//!
//! Written from `docs/recipes.md`, `docs/checkpoints.md` and `docs/reference/operations.md`. Scales are exact quotients that are
//! rounded once, elements are exact quotients by their scales, and each step of a sum is rounded by comparison with its neighbours.

use thiserror::Error;

use crate::dyadic::Dyadic;
use crate::format::{Decoded, Format, UnknownFormat};
use crate::real::Real;
use crate::round::{Exact, Mode, Saturation, project};
use crate::unit::{Blocks, Product, Unit, is_negative, is_zero, number, plus, rounded, times};

/// The scale of a block whose largest magnitude is m, for elements up to M = f · 2^e with 1 ≤ f < 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// 2^(⌊log2 m⌋ − e)
    Floor,
    /// m / M upward
    Rceil,
    /// `Floor` of m rounded to the elements' precision
    Even,
    /// 2^(⌈log2 m⌉ − e)
    Ceil,
    /// m / M to nearest even
    Nearest,
    /// m to nearest even
    MaxAbsFinite,
    /// `Nearest` with M = 6 or M = 4, by the smaller square error of the block
    FourOverSix,
}

/// The elements that share a scale.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// each element has the value of its code
    None,
    /// all
    Tensor,
    /// a row along the depth
    Row,
    /// a block of rows and columns
    Block(usize, usize),
}

/// A quantizer as its text describes it.
#[derive(Clone, Debug)]
pub struct Quantizer {
    /// format of the elements, `None` if numbers stay as they are
    pub element: Option<Format>,
    /// elements that share a scale
    pub scope: Scope,
    /// format of scales
    pub scale: Format,
    /// rule of scales
    pub rule: Rule,
    /// name of the rounding mode, with its random bits
    pub rounding: String,
    /// elements that are rotated together, and whether their signs are random
    pub rotation: Option<(usize, bool)>,
    /// name of the format, and binades above its largest number, of a bias that follows the tensor
    pub learnt: Option<(String, i64)>,
}

/// A text that the oracle does not read.
#[derive(Debug, Error)]
pub enum QuantizerError {
    /// an unknown format
    #[error(transparent)]
    Format(#[from] UnknownFormat),
    /// an unknown option
    #[error("the oracle has no option {0} of quantizers")]
    Option(String),
}

/// Elements, scales and shape of block formats by name (OCP MX 1.0, NVFP4, DeepSeek-V3).
const BLOCKS: [(&str, &str, &str, (usize, usize)); 7] = [
    ("mxfp8_e4m3", "float8_e4m3fn", "float8_e8m0fnu", (1, 32)),
    ("mxfp8_e5m2", "float8_e5m2", "float8_e8m0fnu", (1, 32)),
    ("mxfp6_e3m2", "float6_e3m2fn", "float8_e8m0fnu", (1, 32)),
    ("mxfp6_e2m3", "float6_e2m3fn", "float8_e8m0fnu", (1, 32)),
    ("mxfp4", "float4_e2m1fn", "float8_e8m0fnu", (1, 32)),
    ("nvfp4", "float4_e2m1fn", "float8_e4m3fn", (1, 16)),
    ("deepseek_fp8", "float8_e4m3fn", "f32", (128, 128)),
];

impl Quantizer {
    /// Reads `FORMAT[/OPTION…]`.
    ///
    /// # Errors
    /// Formats and options that the oracle does not have.
    pub fn read(text: &str) -> Result<Quantizer, QuantizerError> {
        let (name, options) = text.split_once('/').unwrap_or((text, ""));
        let (base, format_options) = name.split_once('@').unwrap_or((name, ""));
        let options: Vec<(&str, &str)> =
            options.split('/').chain([format_options]).filter_map(|option| option.split_once('=')).collect();
        let single = Format::named("f32")?;
        let mut quantizer = Quantizer {
            element: None,
            scope: Scope::None,
            scale: single,
            rule: Rule::Nearest,
            rounding: "nearest_even".to_owned(),
            rotation: None,
            learnt: None,
        };
        if let Some((_, element, scale, (down, across))) = BLOCKS.iter().find(|(known, ..)| *known == base) {
            quantizer.element = Some(Format::named(element)?);
            quantizer.scale = Format::named(scale)?;
            quantizer.scope = Scope::Block(*down, *across);
            if *scale == "float8_e8m0fnu" {
                quantizer.rule = Rule::Floor;
            }
        } else if options.contains(&("bias", "learnt")) {
            quantizer.learnt = Some((name.to_owned(), 1));
            quantizer.element = Some(Format::named(&format!("{name}@bias=0"))?);
        } else if name != "none" {
            quantizer.element = Some(Format::named(name)?);
        }
        for (key, value) in options {
            let unknown = || QuantizerError::Option(format!("{key}={value}"));
            match (key, value) {
                ("scale", "tensor") => quantizer.scope = Scope::Tensor,
                ("scale", "row" | "token" | "channel") => quantizer.scope = Scope::Row,
                ("scale", block) => {
                    let sizes = block.split_once('x').ok_or_else(unknown)?;
                    let size = |text: &str| text.parse::<usize>().map_err(|_| unknown());
                    quantizer.scope = Scope::Block(size(sizes.0)?, size(sizes.1)?);
                }
                ("scales", format) => quantizer.scale = Format::named(format)?,
                ("rule", rule) => {
                    quantizer.rule = match rule {
                        "floor" => Rule::Floor,
                        "rceil" => Rule::Rceil,
                        "even" => Rule::Even,
                        "ceil" => Rule::Ceil,
                        "nearest" => Rule::Nearest,
                        "max_abs_finite" => Rule::MaxAbsFinite,
                        "four_over_six" => Rule::FourOverSix,
                        _ => return Err(unknown()),
                    }
                }
                ("rounding", mode) => quantizer.rounding = mode.to_owned(),
                ("hadamard", size) => {
                    let signs = quantizer.rotation.is_some_and(|(_, signs)| signs);
                    quantizer.rotation = Some((size.parse().map_err(|_| unknown())?, signs));
                }
                ("signs", "random") => {
                    quantizer.rotation = Some((quantizer.rotation.map_or(1, |(size, _)| size), true));
                }
                ("margin", margin) => {
                    let margin = margin.parse().map_err(|_| unknown())?;
                    quantizer.learnt = quantizer.learnt.map(|(format, _)| (format, margin));
                }
                // Bits of an operand do not depend on its history.
                ("bias", "learnt") | ("history", _) => {}
                _ => return Err(unknown()),
            }
        }
        Ok(quantizer)
    }

    /// The columns that share a scale, if fewer than the whole depth do.
    fn across(&self, depth: usize) -> Option<usize> {
        match self.scope {
            Scope::Block(_, across) if across < depth => Some(across),
            _ => None,
        }
    }
}

/// The mode of a text such as `stochastic_b:8`, with the top bits of a random word of 32 bits.
///
/// # Errors
/// Modes that the oracle does not have.
pub fn mode_named(text: &str, word: u32) -> Result<Mode, QuantizerError> {
    let unknown = || QuantizerError::Option(format!("rounding={text}"));
    let (name, bits) = text.split_once(':').unwrap_or((text, "32"));
    let bits: u32 = bits.parse().map_err(|_| unknown())?;
    let random = u64::from(word) >> (32 - bits);
    Ok(match name {
        "nearest_even" => Mode::NearestEven,
        "nearest_away" => Mode::NearestAway,
        "toward_positive" => Mode::TowardPositive,
        "toward_negative" => Mode::TowardNegative,
        "toward_zero" => Mode::TowardZero,
        "to_odd" => Mode::ToOdd,
        "stochastic" | "stochastic_a" => Mode::StochasticA(bits, random),
        "stochastic_b" => Mode::StochasticB(bits, random),
        "stochastic_c" => Mode::StochasticC(bits, random),
        "random" => Mode::Random(bits, random),
        _ => return Err(unknown()),
    })
}

/// A quantised matrix whose rows are along the depth.
pub struct Quantized {
    columns: usize,
    /// Codes of the elements, and their values. Numbers that stay as they are have codes of binary32.
    codes: Vec<u64>,
    elements: Vec<Decoded>,
    /// For each element, the code of its scale and its value.
    scale_codes: Vec<u64>,
    scales: Vec<Decoded>,
    /// The scale over all.
    tensor: Dyadic,
    format: Format,
    scale_format: Format,
    across: usize,
}

const ONE: fn() -> Decoded = || Decoded::Finite { negative: false, magnitude: Dyadic::power(0) };

/// |x| / divisor with x's sign, as a value to be rounded.
fn quotient(x: &Decoded, divisor: &Dyadic) -> Exact {
    match x {
        Decoded::Finite { negative, magnitude } if !magnitude.is_zero() => Exact::Number {
            negative: *negative,
            magnitude: Real::Quotient(magnitude.clone(), divisor.clone()),
        },
        other => Exact::from(other.clone()),
    }
}

/// The largest finite number.
fn largest(format: &Format) -> Dyadic {
    format.rung(format.finite_count() - 1).1
}

fn value(format: &Format, code: u64) -> Dyadic {
    number(&format.decode(code)).unwrap_or_else(Dyadic::zero)
}

/// The smallest positive number's code.
fn least_positive(format: &Format) -> u64 {
    let zero = u64::from(format.has_zero());
    format.rung(zero).0
}

/// The code of the scale of a block with this largest magnitude, under a scale over all.
fn scale_code(rule: Rule, m: &Dyadic, to: &Dyadic, tensor: &Dyadic, element: &Format, scale: &Format) -> u64 {
    let rounded = |exact: &Exact, mode: Mode| project(scale, exact, mode, Saturation::Max).code;
    if m.is_zero() {
        return rounded(&Exact::from(ONE()), Mode::NearestEven);
    }
    let over = |divisor: &Dyadic| Exact::Number {
        negative: false,
        magnitude: Real::Quotient(m.clone(), divisor * tensor),
    };
    let e = largest(element).log2_floor();
    let power = |exponent: i64| {
        let magnitude = Real::Dyadic(Dyadic::power(exponent));
        rounded(&Exact::Number { negative: false, magnitude }, Mode::NearestEven)
    };
    let code = match rule {
        Rule::Floor => power(m.log2_floor() - e),
        Rule::Ceil => power(m.log2_floor() + i64::from(m.as_power().is_none()) - e),
        Rule::Even => {
            // Rounded to the precision without bounds of the exponent.
            let unit = m.log2_floor() - i64::from(element.precision) + 1;
            let below = Dyadic::new(m.fixed_floor(-unit), unit);
            let half = &below + &Dyadic::power(unit - 1);
            let is_odd = m.fixed_floor(-unit).bit(0);
            let up = *m > half || *m == half && is_odd;
            let rounded = if up { &below + &Dyadic::power(unit) } else { below };
            power(rounded.log2_floor() - e)
        }
        Rule::Rceil => rounded(&over(to), Mode::TowardPositive),
        Rule::Nearest | Rule::FourOverSix => rounded(&over(to), Mode::NearestEven),
        Rule::MaxAbsFinite => rounded(&over(&Dyadic::power(0)), Mode::NearestEven),
    };
    if value(scale, code).is_zero() { least_positive(scale) } else { code }
}

/// The largest finite magnitude, or zero.
fn largest_magnitude<'a>(numbers: impl Iterator<Item = &'a Decoded>) -> Dyadic {
    numbers.filter_map(number).map(|x| x.abs()).max().unwrap_or_else(Dyadic::zero)
}

/// Rotates each whole group of `signs.len()` elements of a row. `signs` are true for elements that are negated first. A step joins
/// neighbours at the distances 1, 2, 4, …: their sum and their difference are rounded to binary32. At the end each number is
/// multiplied by the binary32 number next to 1/√N.
pub fn rotated(numbers: &[Decoded], columns: usize, signs: &[bool], single: &Format) -> Vec<Decoded> {
    let size = signs.len();
    let round = |x: Decoded| rounded(&x, single, 24, Mode::NearestEven);
    let negated = |x: &Decoded| {
        let minus = Decoded::Finite { negative: true, magnitude: Dyadic::power(0) };
        times(x, &minus)
    };
    let root = Real::ReciprocalRoot(Dyadic::new(size as i64, 0));
    let factor = Exact::Number { negative: false, magnitude: root };
    let factor = single.decode(project(single, &factor, Mode::NearestEven, Saturation::Overflow).code);
    let mut all = numbers.to_vec();
    for row in all.chunks_mut(columns.max(1)) {
        for group in row.chunks_exact_mut(size) {
            let mut now: Vec<Decoded> =
                group.iter().zip(signs).map(|(x, sign)| if *sign { negated(x) } else { x.clone() }).collect();
            let mut distance = 1;
            while distance < size {
                now = (0..size)
                    .map(|at| {
                        let partner = at ^ distance;
                        round(match at & distance {
                            0 => plus(&now[at], &now[partner]),
                            _ => plus(&now[partner], &negated(&now[at])),
                        })
                    })
                    .collect();
                distance *= 2;
            }
            for (place, x) in group.iter_mut().zip(now) {
                *place = round(times(&x, &factor));
            }
        }
    }
    all
}

/// Quantises a matrix of binary32 numbers whose rows are along the depth. `signs` are those of the rotation, and `mode` gives the
/// rounding of each element.
///
/// # Errors
/// Formats that the oracle does not have.
pub fn quantize(
    quantizer: &Quantizer,
    numbers: &[Decoded],
    columns: usize,
    signs: &[bool],
    mode: &dyn Fn(usize) -> Mode,
) -> Result<Quantized, QuantizerError> {
    let single = Format::named("f32")?;
    let turned = quantizer.rotation.map(|_| rotated(numbers, columns, signs, &single));
    let numbers = turned.as_deref().unwrap_or(numbers);
    let most = largest_magnitude(numbers.iter());
    let mut element = quantizer.element.clone();
    if let Some((name, margin)) = &quantizer.learnt {
        let of_bias = |bias: i64| Format::named(&format!("{name}@bias={bias}"));
        // Without a number, the format stays in the middle of the range.
        let bias = match most.is_zero() {
            true => 31,
            false => (largest(&of_bias(0)?).log2_floor() - most.log2_floor() - margin).clamp(0, 63),
        };
        element = Some(of_bias(bias)?);
    }
    let count = numbers.len();
    let scale_format = quantizer.scale.clone();
    let unscaled = |format: &Format, codes: Vec<u64>| Quantized {
        columns,
        elements: codes.iter().map(|&code| format.decode(code)).collect(),
        codes,
        scale_codes: vec![0; count],
        scales: vec![ONE(); count],
        tensor: Dyadic::power(0),
        format: format.clone(),
        scale_format: scale_format.clone(),
        across: columns,
    };
    let code_in = |format: &Format, x: &Decoded, mode: Mode| {
        project(format, &Exact::from(x.clone()), mode, Saturation::Overflow).code
    };
    let Some(element) = element else {
        let codes = numbers.iter().map(|x| code_in(&single, x, Mode::NearestEven)).collect();
        return Ok(unscaled(&single, codes));
    };
    let rows = count / columns.max(1);
    let (down, across) = match quantizer.scope {
        Scope::None => {
            let codes = numbers.iter().enumerate().map(|(at, x)| code_in(&element, x, mode(at))).collect();
            let mut found = unscaled(&element, codes);
            // A format without NaN does not make a number of one.
            for (to, x) in found.elements.iter_mut().zip(numbers) {
                if !matches!(x, Decoded::Finite { .. }) && matches!(to, Decoded::Finite { .. }) {
                    *to = Decoded::Nan { negative: false };
                }
            }
            return Ok(found);
        }
        Scope::Tensor => (rows.max(1), columns.max(1)),
        Scope::Row => (1, columns.max(1)),
        Scope::Block(down, across) => (down, across),
    };
    // A scale format of fewer than 8 exponent bits has a binary32 scale over all.
    let exponent_bits = scale_format.width - scale_format.precision + u32::from(!scale_format.signed);
    let mut tensor = Dyadic::power(0);
    if exponent_bits < 8 {
        let over_six = quantizer.rule == Rule::FourOverSix;
        let largest_scale = if over_six { Dyadic::new(256, 0) } else { largest(&scale_format) };
        let exact = match most.is_zero() {
            true => Exact::Zero { negative: false },
            false => Exact::Number {
                negative: false,
                magnitude: Real::Quotient(most.clone(), &largest(&element) * &largest_scale),
            },
        };
        let code = project(&single, &exact, Mode::NearestEven, Saturation::Overflow).code;
        if code != 0 {
            tensor = value(&single, code);
        }
    }
    let mut found = unscaled(&element, vec![0; count]);
    for top in (0..rows).step_by(down) {
        for left in (0..columns).step_by(across) {
            let cells: Vec<usize> = (top..rows.min(top + down))
                .flat_map(|row| (left..columns.min(left + across)).map(move |column| row * columns + column))
                .collect();
            let m = largest_magnitude(cells.iter().map(|&at| &numbers[at]));
            let encoded = |to: &Dyadic| {
                let scale = scale_code(quantizer.rule, &m, to, &tensor, &element, &scale_format);
                let divisor = &value(&scale_format, scale) * &tensor;
                let code = |&at: &usize| match &numbers[at] {
                    Decoded::Infinite { negative } if element.infinity.is_some() => {
                        let sign = if *negative { element.sign_bit() } else { 0 };
                        element.infinity.unwrap_or_default() | sign
                    }
                    Decoded::Nan { .. } | Decoded::Infinite { .. } => element.nan.unwrap_or_default(),
                    x => project(&element, &quotient(x, &divisor), mode(at), Saturation::Max).code,
                };
                (scale, cells.iter().map(code).collect::<Vec<u64>>())
            };
            let (mut scale, mut codes) = encoded(&largest(&element));
            if quantizer.rule == Rule::FourOverSix {
                let other = encoded(&Dyadic::new(4, 0));
                let error = |scale: u64, codes: &[u64]| {
                    let factor = &value(&scale_format, scale) * &tensor;
                    let square = |(&at, &code): (&usize, &u64)| {
                        let x = number(&numbers[at])?;
                        let rest = &(&value(&element, code) * &factor) - &x;
                        Some(&rest * &rest)
                    };
                    let squares = cells.iter().zip(codes).filter_map(square);
                    squares.fold(Dyadic::zero(), |sum, square| &sum + &square)
                };
                if error(other.0, &other.1) < error(scale, &codes) {
                    (scale, codes) = other;
                }
            }
            let is_lost = |x: &Decoded| match x {
                Decoded::Nan { .. } => element.nan.is_none(),
                Decoded::Infinite { .. } => element.infinity.is_none() && element.nan.is_none(),
                Decoded::Finite { .. } => false,
            };
            if cells.iter().any(|&at| is_lost(&numbers[at])) {
                scale = scale_format.nan.unwrap_or_default();
                codes.fill(0);
            }
            for (&at, code) in cells.iter().zip(codes) {
                found.codes[at] = code;
                found.elements[at] = element.decode(code);
                found.scale_codes[at] = scale;
                found.scales[at] = scale_format.decode(scale);
            }
        }
    }
    Ok(Quantized { tensor, across: across.min(columns.max(1)), ..found })
}

impl Quantized {
    /// Each element times its scales, rounded once to binary32.
    pub fn values(&self, single: &Format) -> Vec<Decoded> {
        let value = |(element, scale): (&Decoded, &Decoded)| {
            let exact = times(&times(element, scale), &positive(&self.tensor));
            rounded(&exact, single, 24, Mode::NearestEven)
        };
        self.elements.iter().zip(&self.scales).map(value).collect()
    }
}

fn positive(x: &Dyadic) -> Decoded {
    Decoded::Finite { negative: false, magnitude: x.clone() }
}

/// The addition of the products of elements.
pub enum Sums<'a> {
    /// Fused multiply-adds, one after the other, rounded to this format.
    Chain(&'a Format),
    /// A matrix unit on the elements of each block, from +0.
    Unit(Product<'a>),
    /// A step of a matrix unit that takes scales, for groups of products.
    Scaled(&'a Unit, usize),
}

fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// An element of the product: row `i` of A and row `j` of B's transpose. The sum of each block of products is multiplied by both
/// scales and rounded to binary32, and these numbers are added in order from +0. The result is multiplied by both scales over all.
pub fn dot(
    quantizers: &[Quantizer; 2],
    sums: &Sums,
    (a, i): (&Quantized, usize),
    (b, j): (&Quantized, usize),
    single: &Format,
) -> Decoded {
    let depth = a.columns;
    let zero = || Decoded::Finite { negative: false, magnitude: Dyadic::zero() };
    let round = |x: &Decoded| rounded(x, single, 24, Mode::NearestEven);
    let row = |at: usize| at * depth..(at + 1) * depth;
    let (of_a, of_b) = (row(i), row(j));
    let add = |x: &Decoded, sum: &Decoded| match sums {
        Sums::Chain(to) => rounded(&plus(x, sum), to, to.precision.into(), Mode::NearestEven),
        _ => round(&plus(x, sum)),
    };
    let chain = |from: usize, to: usize| match sums {
        Sums::Unit(product) => {
            let codes = |x: &Quantized, row: usize| -> Vec<u64> {
                let elements = &x.elements[row * depth + from..row * depth + to];
                let code = |x: &Decoded| {
                    project(single, &Exact::from(x.clone()), Mode::NearestEven, Saturation::Overflow).code
                };
                elements.iter().map(code).collect()
            };
            product.dot(&codes(a, i), &codes(b, j), 0)
        }
        _ => (from..to).fold(zero(), |sum, k| {
            add(&times(&a.elements[of_a.start + k], &b.elements[of_b.start + k]), &sum)
        }),
    };
    if quantizers.iter().all(|quantizer| quantizer.scope == Scope::None) {
        return chain(0, depth);
    }
    let total = match sums {
        Sums::Scaled(unit, group) => {
            let blocks = |x: &Quantized, row: usize| -> Vec<u64> {
                x.scale_codes[row * depth..(row + 1) * depth].iter().step_by(x.across).copied().collect()
            };
            let (scales_of_a, scales_of_b) = (blocks(a, i), blocks(b, j));
            let left = Blocks {
                format: &a.format,
                elements: &a.codes[of_a.clone()],
                scale_format: &a.scale_format,
                scales: &scales_of_a,
                block: a.across,
            };
            let right = Blocks {
                format: &b.format,
                elements: &b.codes[of_b.clone()],
                scale_format: &b.scale_format,
                scales: &scales_of_b,
                block: b.across,
            };
            let code = unit.dot_of_blocks(left, right, *group, 0);
            unit.result.decode(code)
        }
        _ => {
            let [of_first, of_second] = [0, 1].map(|at: usize| quantizers[at].across(depth));
            let block = match (of_first, of_second) {
                (Some(a), Some(b)) => greatest_common_divisor(a, b),
                (a, b) => a.or(b).unwrap_or(depth),
            };
            let mut total = zero();
            for from in (0..depth).step_by(block.max(1)) {
                let sum = chain(from, depth.min(from + block));
                let scale = times(&a.scales[of_a.start + from], &b.scales[of_b.start + from]);
                total = add(&round(&times(&sum, &scale)), &total);
            }
            total
        }
    };
    let over = &a.tensor * &b.tensor;
    if over == Dyadic::power(0) {
        return total;
    }
    let result = round(&times(&total, &positive(&over)));
    // A result under scales over tensors is never −0.
    if is_zero(&result) && is_negative(&result) { zero() } else { result }
}

/// True if both are NaN, or equal with their signs.
pub fn same(x: &Decoded, y: &Decoded) -> bool {
    matches!((x, y), (Decoded::Nan { .. }, Decoded::Nan { .. })) || x == y
}

/// True if both are NaN, or equal numbers. The sign of an operand's zero reaches no sum of blocks.
pub fn equal(x: &Decoded, y: &Decoded) -> bool {
    same(x, y) || is_zero(x) && is_zero(y)
}
