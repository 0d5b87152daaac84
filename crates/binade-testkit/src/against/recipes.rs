//! Products under recipes: `binade_fma::QuantizedProduct` against the oracle, on generated matrices.

use binade::philox;
use binade::recipe::{Pass, Recipe};
use binade::unit::UnitOperator;
use binade_fma::{Order, QuantizedProduct, quantize};

use super::Tally;
use super::units::oracle_of;
use crate::format::{Decoded, Format};
use crate::generate::Generator;
use crate::recipe::{self as oracle, Quantizer, Scope, Sums, dot, equal, mode_named, rotated, same};
use crate::round::Mode;
use crate::unit::Product;

/// The numbers of a matrix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numbers {
    /// A few binades around 1, some zeros.
    Tame,
    /// Small integers times a power of two: quotients on ties, and blocks with equal magnitudes.
    Ties,
    /// Exponents over the whole range.
    Wide,
    /// Subnormal numbers and zeros.
    Subnormal,
    /// Mostly zeros, with whole blocks of them.
    Zeros,
    /// Tame numbers with a few that are far larger.
    Outliers,
    /// Tame numbers with infinities and NaN.
    Special,
}

impl Numbers {
    /// All kinds.
    pub const ALL: [Numbers; 7] = [
        Numbers::Tame,
        Numbers::Ties,
        Numbers::Wide,
        Numbers::Subnormal,
        Numbers::Zeros,
        Numbers::Outliers,
        Numbers::Special,
    ];

    /// Codes of binary32.
    fn matrix(self, random: &mut Generator, count: usize) -> Vec<u32> {
        let exponent = random.below(200) as u32 + 20;
        (0..count)
            .map(|_| {
                let sign = (random.below(2) as u32) << 31;
                let number = |exponent: u32, random: &mut Generator| {
                    sign | exponent << 23 | (random.bits() as u32 & 0x7f_ffff)
                };
                let tame = 120 + random.below(14) as u32;
                match self {
                    Numbers::Ties => {
                        let integer = (random.below(33) as f32) * f32::from_bits(exponent << 23);
                        sign | integer.to_bits()
                    }
                    Numbers::Wide => number(random.below(255) as u32, random),
                    Numbers::Subnormal if random.one_in(4) => sign,
                    Numbers::Subnormal => number(random.below(2) as u32, random),
                    Numbers::Zeros if !random.one_in(30) => sign,
                    Numbers::Outliers if random.one_in(40) => number(tame + 30, random),
                    Numbers::Special if random.one_in(60) => {
                        sign | *random.pick(&[0x7f80_0000, 0x7fc0_0000, 0x7f7f_ffff])
                    }
                    _ if random.one_in(12) => sign,
                    _ => number(tame, random),
                }
            })
            .collect()
    }
}

/// Rows, depth and columns, often not multiples of a block.
fn sizes(random: &mut Generator) -> [usize; 3] {
    let depth = match random.below(8) {
        0 => 1 + random.below(15) as usize,
        1..4 => 16 * (1 + random.below(6) as usize),
        4..7 => 1 + random.below(100) as usize,
        _ => 1 + random.below(300) as usize,
    };
    let mut edge = || match random.below(4) {
        0 => 16 + random.below(6) as usize,
        _ => 1 + random.below(7) as usize,
    };
    [edge(), depth, edge()]
}

/// The signs of a rotation by these elements: the top bit of a Philox word of key 0.
fn signs(quantizer: &Quantizer) -> Vec<bool> {
    let (size, random) = quantizer.rotation.unwrap_or_default();
    (0..size).map(|at| random && philox::block([0, 0], [at as u32 / 4, 0, 0, 0])[at % 4] >> 31 == 1).collect()
}

/// The rounding of each element, by the words of a stream.
fn modes(quantizer: &Quantizer, seed: u64) -> Option<impl Fn(usize) -> Mode> {
    let name = quantizer.rounding.clone();
    mode_named(&name, 0).ok()?;
    Some(move |at: usize| mode_named(&name, philox::word(seed, at as u64)).unwrap_or(Mode::NearestEven))
}

/// Products of one pass of a recipe, `RECIPE[@SUMS]`: operands and sums, bit for bit but for NaNs. One difference of a product is
/// recorded at most.
pub fn of_recipe(text: &str, pass: Pass, numbers: &[Numbers], cases: usize, seed: u64, tally: &mut Tally) {
    match Recipe::parse(text) {
        Ok(recipe) => {
            let [a, b] = recipe.product(pass).operands.each_ref().map(ToString::to_string);
            match recipe.operator(pass) {
                Ok(operator) => of_quantizers([&a, &b], &operator.to_string(), numbers, cases, seed, tally),
                Err(error) => tally.record(false, || format!("{text}: {error}")),
            }
        }
        Err(error) => tally.record(false, || format!("{text}: {error}")),
    }
}

/// Products under two quantizers and an operator.
pub fn of_quantizers(
    texts: [&str; 2],
    operator: &str,
    numbers: &[Numbers],
    cases: usize,
    seed: u64,
    tally: &mut Tally,
) {
    let mut random = Generator::new(seed);
    for _ in 0..cases {
        let numbers = *random.pick(numbers);
        if let Err(difference) = one(texts, operator, numbers, &mut random) {
            tally.record(false, || format!("{} · {} under {operator}: {difference}", texts[0], texts[1]));
        } else {
            tally.record(true, String::new);
        }
    }
}

/// One product; an error describes a difference.
fn one(texts: [&str; 2], operator: &str, numbers: Numbers, random: &mut Generator) -> Result<(), String> {
    let show = |error: &dyn std::fmt::Display| error.to_string();
    let single = Format::named("f32").map_err(|error| show(&error))?;
    let decoded =
        |codes: &[u32]| -> Vec<Decoded> { codes.iter().map(|&code| single.decode(code.into())).collect() };
    let floats = |codes: &[u32]| -> Vec<f32> { codes.iter().map(|&code| f32::from_bits(code)).collect() };
    let [rows, depth, columns] = sizes(random);
    let (a, b) = (numbers.matrix(random, rows * depth), numbers.matrix(random, columns * depth));
    let (key, matrix) = (random.bits(), random.below(3) as u32);
    // B in memory has the depth as its rows.
    let b_by_rows: Vec<u32> = (0..depth).flat_map(|k| b[k..].iter().step_by(depth).copied()).collect();

    let mut ours = Vec::new();
    for text in texts {
        ours.push(text.parse::<binade::recipe::Quantizer>().map_err(|error| show(&error))?);
    }
    let parsed: binade::Operator = operator.parse().map_err(|error| show(&error))?;
    let quantizers: [_; 2] = ours.clone().try_into().map_err(|_| "two quantizers".to_owned())?;
    let product = QuantizedProduct::new(quantizers, parsed.clone(), Order::Sequential);
    let product =
        product.map_err(|error| show(&error))?.with_key(key).with_threads(1 + random.below(3) as usize);

    let theirs = texts.map(Quantizer::read);
    let [Ok(of_a), Ok(of_b)] = theirs else { return Err(format!("the oracle does not read {texts:?}")) };
    let theirs = [of_a, of_b];
    let mut operands = Vec::new();
    for (side, codes) in [&a, &b].into_iter().enumerate() {
        let stream = philox::stream(key, &[side as u32, matrix]);
        let modes = modes(&theirs[side], stream).ok_or("an unknown rounding")?;
        let signs = signs(&theirs[side]);
        let quantized = oracle::quantize(&theirs[side], &decoded(codes), depth, &signs, &modes);
        let quantized = quantized.map_err(|error| show(&error))?;
        let found = quantize(&ours[side], &floats(codes), depth, stream).map_err(|error| show(&error))?;
        for (at, (found, wanted)) in found.iter().zip(quantized.values(&single)).enumerate() {
            if !equal(&single.decode(found.to_bits().into()), &wanted) {
                return Err(format!(
                    "{numbers:?}, operand {side}, {rows}x{depth}x{columns}, element {at} of {:x?}: {found:e}, \
                     oracle {wanted:?}",
                    &codes[at / depth * depth..(at / depth + 1) * depth]
                ));
            }
        }
        operands.push(quantized);
    }

    let left = product.left(&floats(&a), depth, matrix as usize).map_err(|error| show(&error))?;
    let right = product.right(&floats(&b_by_rows), depth, columns, matrix as usize);
    let right = right.map_err(|error| show(&error))?;
    let mut c = vec![f32::NAN; rows * columns];
    // Two ranges of rows that blocks of A divide.
    let down = match theirs[0].scope {
        Scope::Block(down, _) => down,
        Scope::Tensor => rows,
        _ => 1,
    };
    let first = (random.below(rows as u64) as usize / down * down).min(rows);
    let (top, bottom) = c.split_at_mut(first * columns);
    for (from, part) in [(0, top), (first, bottom)] {
        product.rows(&left, &right, (from, columns), part).map_err(|error| show(&error))?;
    }

    let unit = match parsed.as_unit() {
        Some(on) => Some((on, oracle_of(on.mode()).map_err(|error| show(&error))?)),
        None => None,
    };
    let (_, formats, options) = UnitOperator::parts(operator).unwrap_or_default();
    let (format_a, format_b) = formats.split_once('*').unwrap_or((formats, formats));
    let named = |name: &str| Format::named(name).map_err(|error| show(&error));
    let accumulator = operator.split_once(':').map_or("f32", |(_, accumulator)| accumulator);
    let formats = match unit {
        Some(_) => [named(format_a)?, named(format_b)?],
        None => [named(accumulator)?, single.clone()],
    };
    let scaled = parsed.as_unit().and_then(|on| {
        let blocks = theirs.iter().all(|of| matches!(of.scope, Scope::Block(..)));
        let scale = |side: usize| theirs[side].scale.name.clone();
        let scaled = on.unit()?.scaled([format_a, format_b], &scale(0))?;
        (blocks && scale(0) == scale(1)).then_some(scaled)
    });
    let scaled_unit = match scaled {
        Some(scaled) => Some((oracle_of(&scaled.step).map_err(|error| show(&error))?, scaled.group)),
        None => None,
    };
    let option =
        |name: &str| options?.split('/').find_map(|option| option.strip_prefix(name))?.parse::<usize>().ok();
    let sums = match (&scaled_unit, &unit) {
        (Some((unit, group)), _) => Sums::Scaled(unit, *group),
        (None, Some((_, unit))) => Sums::Unit(Product {
            unit,
            formats: [&formats[0], &formats[1]],
            single: &single,
            cuts: formats.each_ref().map(|format| format.name == "tf32"),
            saturates: false,
            promote: option("promote="),
            split: option("split=").unwrap_or(1),
        }),
        (None, None) => Sums::Chain(&formats[0]),
    };
    let (x, y) = (&operands[0], &operands[1]);
    for (at, &found) in c.iter().enumerate() {
        let (row, column) = (at / columns, at % columns);
        let wanted = dot(&theirs, &sums, (x, row), (y, column), &single);
        if !same(&single.decode(found.to_bits().into()), &wanted) {
            return Err(format!(
                "{numbers:?}, {rows}x{depth}x{columns}, element {row}, {column}: {found:e}, oracle {wanted:?}; a {:x?}, b {:x?}",
                &a[row * depth..(row + 1) * depth],
                &b[column * depth..(column + 1) * depth]
            ));
        }
    }
    Ok(())
}

/// The rotation of integers, whose steps are exact, against the matrix of ±1: entry (i, j) is −1 if i and j have an odd number of
/// common bits.
pub fn rotations_of_integers(size: usize, seed: u64, tally: &mut Tally) {
    let Ok(single) = Format::named("f32") else { return };
    let mut random = Generator::new(seed);
    let numbers: Vec<i64> = (0..size).map(|_| random.below(200) as i64 - 100).collect();
    let signs: Vec<bool> = (0..size).map(|_| random.one_in(2)).collect();
    let codes: Vec<Decoded> = numbers.iter().map(|&x| single.decode((x as f32).to_bits().into())).collect();
    let found = rotated(&codes, size, &signs, &single);
    let root = (size as f64).sqrt();
    for (i, found) in found.iter().enumerate() {
        let sum: i64 = (0..size)
            .map(|j| {
                let sign = if (i & j).count_ones() % 2 == 1 { -1 } else { 1 };
                sign * if signs[j] { -numbers[j] } else { numbers[j] }
            })
            .sum();
        // The factor is a binary32 number, and the product is rounded once.
        let wanted = (sum as f64 * f64::from((1.0 / root) as f32)) as f32;
        let wanted = single.decode(wanted.to_bits().into());
        tally.record(same(found, &wanted), || format!("H({size}), element {i}: {found:?}, not {wanted:?}"));
    }
}
