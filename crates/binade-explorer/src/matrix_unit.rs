//! A dot product on a matrix unit, step by step: terms as bits in columns, sums and roundings.

use binade::table::{code_text, short_decimal};
use binade::unit::{
    Alignment, Codes, Known, Mode, RoundedSum, Source, Step, TracedStep, UNITS, Unit, UnitOperator, exact_dot,
};
use binade::{Finite, Format, Operator, Projection, Rounding, Saturation, Value, decode, project, text};
use serde_json::{Value as Json, json};

use crate::question::ExplorerError;

/// Numbers that an operand may have.
const MOST_NUMBERS: usize = 1024;

/// Bits below the last kept one that a picture shows.
const CUT_COLUMNS: i64 = 16;

/// Columns of a picture whose terms are kept whole.
const WHOLE_COLUMNS: i64 = 64;

/// The units and the operators of their modes.
pub(crate) fn units() -> Json {
    let operator = |unit: &Unit, mode: &Mode, input: &str| {
        let result = if mode.result.format == "f16" { "/result=f16" } else { "" };
        let name = format!("{input} to {}", mode.result.format);
        json!({"operator": format!("{}:{input}{result}", unit.name), "name": name})
    };
    let modes = |unit: &Unit| -> Vec<Json> {
        let modes = unit.modes.iter();
        modes.flat_map(|mode| mode.inputs.iter().map(|input| operator(unit, mode, input))).collect()
    };
    let units: Vec<Json> = UNITS
        .iter()
        .map(|unit| json!({"name": unit.name, "about": unit.about, "aliases": unit.aliases, "modes": modes(unit)}))
        .collect();
    json!({"units": units})
}

/// The unit of an operator's text, without ways of using it.
fn unit_of(operator: &str) -> Result<UnitOperator, ExplorerError> {
    let operator: Operator = operator.parse()?;
    let unit = operator.as_unit().ok_or_else(|| ExplorerError::NoUnit(operator.to_string()))?;
    match unit.promote().is_some() || unit.split() > 1 {
        true => Err(ExplorerError::UnitUse(operator.to_string())),
        false => Ok(unit.clone()),
    }
}

/// The numbers of an operand: `1, 0*15, 0x1p-13*16` has 32 of them.
fn numbers(list: &str, operand: char) -> Result<Vec<Value>, ExplorerError> {
    let mut numbers = vec![];
    for word in list.split([',', ' ', '\n']).map(str::trim).filter(|word| !word.is_empty()) {
        let (number, count) = word.split_once('*').unwrap_or((word, "1"));
        let wrong = || ExplorerError::Repeats(count.chars().take(60).collect());
        let count: usize = count.trim().parse().map_err(|_| wrong())?;
        if count == 0 || count > MOST_NUMBERS - numbers.len() {
            return Err(ExplorerError::TooMany { operand, most: MOST_NUMBERS });
        }
        let number = text::parse(number.trim())?;
        numbers.extend(std::iter::repeat_n(number, count));
    }
    Ok(numbers)
}

/// The operands of a named example: texts `a`, `b` and `c` for a unit.
pub(crate) fn example(operator: &str, name: &str, seed: u64) -> Result<Json, ExplorerError> {
    let unit = unit_of(operator)?;
    let mode = unit.mode();
    let formats = unit.inputs();
    let n = mode.products;
    let bits = match mode.step {
        Step::Aligned { fraction_bits, .. } | Step::Late { fraction_bits, .. } => fraction_bits,
        // A product of 2^-26 is lost beside 1 in binary32.
        _ => 24,
    };
    let least = formats.iter().map(|format| i64::from(format.emin()) - i64::from(format.precision()) + 1);
    let least = least.max().unwrap_or(0);
    // Powers of two that both formats have, and whose square is an accumulator.
    let most = formats.iter().map(|format| i64::from(format.emax())).min().unwrap_or(0).min(14);
    let most = if mode.result.format == "f16" { most.min(7) } else { most };
    let power = |exponent: i64| format!("0x1p{exponent:+}");
    let listed = |first: &str, other: &str, last: &str| match n {
        1 | 2 => format!("{first}, {other}*{n}, {last}"),
        _ => format!("{first}, {other}*{}, {last}", n - 2),
    };
    let (a, b) = match name {
        "ones" => (format!("1*{}", 2 * n), format!("1*{}", 2 * n)),
        "tiny" => {
            let tiny = power((-(bits + 2) / 2).max(least));
            let list = match n {
                1 => format!("1, {tiny}*16"),
                _ => format!("1, 0*{}, {tiny}*{}", n - 1, n.max(16)),
            };
            (list.clone(), list)
        }
        "cancellation" => {
            let other = power(((2 * most - bits - 1).div_euclid(2)).clamp(least, 0));
            let large = power(most);
            (listed(&large, &other, &large), listed(&large, &other, &format!("-{large}")))
        }
        "large" => {
            let exponent = (2 * most - bits + 1).div_euclid(2).max(least + 1);
            let other = format!("0x1.8p{exponent:+}");
            let list = format!("{}, {other}*{}", power(most), 2 * n - 1);
            (list.clone(), list)
        }
        "random" => {
            let mut words = binade::philox::Stream::new(seed);
            let mut number = |format: Format| {
                let exponent = -(words.below(7) as i64);
                let x = Finite::new(
                    words.below(2) == 1,
                    (1 << 52) + ((words.below(1 << 26) as u128) << 26),
                    exponent - 52,
                );
                let code = project(
                    format,
                    Value::Finite(x),
                    Projection::new(Rounding::NearestEven, Saturation::Finite),
                );
                text::hex(decode(format, code.code))
            };
            let count = (2 * n).min(64);
            let mut list = |format: Format| (0..count).map(|_| number(format)).collect::<Vec<_>>().join(", ");
            (list(formats[0]), list(formats[1]))
        }
        other => return Err(ExplorerError::Example(other.chars().take(60).collect())),
    };
    Ok(json!({"a": a, "b": b, "c": "0"}))
}

/// The sentence on a mode's step.
fn about(mode: &Mode) -> String {
    let n = mode.products;
    match mode.step {
        Step::Aligned { fraction_bits, .. } => format!(
            "{n} products and the accumulator in one alignment at the largest exponent E. Each term is cut toward zero to a multiple \
             of 2^(E−{fraction_bits}); their sum is exact."
        ),
        Step::Late { fraction_bits, sum_bits, halves } => format!(
            "{n} products{} are cut toward zero to {fraction_bits} fraction bits and summed. That sum ({sum_bits} fraction bits) and the \
             accumulator ({fraction_bits}) are aligned again, each rounded down.",
            if halves { ", those of even and of odd index apart," } else { "" }
        ),
        Step::Exact => format!("{n} products and the accumulator are added exactly."),
        Step::Tree => format!("{n} products are added in a tree of binary32 sums, and the accumulator last."),
        Step::Pairs => {
            "Of each pair, the second product is added first, by binary32 fused multiply-adds.".to_owned()
        }
        Step::TwoChains => format!(
            "{n} products in two chains of binary32 fused multiply-adds, of even and of odd index. Both are added, then the accumulator."
        ),
        Step::Fused => format!("{n} products and the accumulator are added exactly, and rounded once."),
        Step::OddPairs => {
            "The sum of each pair of products is rounded to odd, and so is its sum with the accumulator.".to_owned()
        }
        Step::FusedPairs => {
            "The exact sum of each pair of products is rounded to binary32, and then added to the accumulator.".to_owned()
        }
    }
}

fn result_about(mode: &Mode) -> String {
    let how = match mode.result.rounding {
        Rounding::TowardZero => "toward zero",
        Rounding::NearestEven => "to nearest even",
        other => other.name(),
    };
    format!("{} bits, {how}, in {}", mode.result.precision, mode.result.format)
}

fn evidence(known: Known) -> String {
    match known {
        Known::Measured(source) => format!("measured: {source}"),
        Known::Modelled(source) => format!("modelled: {source}"),
        Known::Specified(source) => format!("specified: {source}"),
    }
}

fn shown(value: Value) -> Json {
    json!({"value": text::hex(value), "decimal": short_decimal(value)})
}

/// True if the values, or the signs of zeros, are not the same.
fn differ(x: Value, y: Value) -> bool {
    text::hex(x) != text::hex(y)
}

/// The exponent of the lowest bit that is set.
fn lowest_of(x: Finite) -> i64 {
    x.exponent + i64::from(x.significand.trailing_zeros())
}

/// The columns of a picture of bits: exponents from `top` down to `bottom`.
struct Columns {
    top: i64,
    bottom: i64,
}

impl Columns {
    /// The columns that show all kept bits of terms and sum, and some of the cut ones.
    fn of(alignment: &Alignment, result: Option<Finite>) -> Columns {
        let terms = alignment.terms.iter().map(|term| term.value);
        let values: Vec<Finite> =
            terms.chain([alignment.sum]).chain(result).filter(|x| !x.is_zero()).collect();
        let is_cut = alignment.terms.iter().any(|term| term.last_bit.is_some());
        let top = values.iter().map(Finite::log2_floor).max().unwrap_or(0);
        let top = if is_cut { top.max(alignment.exponent + 1) } else { top };
        let last = alignment.terms.iter().filter_map(|term| term.last_bit).min();
        let lowest = values.iter().map(|x| lowest_of(*x)).min().unwrap_or(top);
        let limit = last.map_or(top - WHOLE_COLUMNS, |last| last - CUT_COLUMNS);
        let bottom = lowest.max(limit).min(last.unwrap_or(top));
        Columns { top, bottom }
    }

    /// A row: columns before the first bit, bits down to `last`, bits below that, and true as `more` if further ones do not fit.
    fn row(&self, x: Finite, last: Option<i64>) -> Json {
        if x.is_zero() {
            return json!({"pad": 0, "kept": "", "cut": "", "more": false});
        }
        let first = x.log2_floor().min(self.top);
        let bit = |place: i64| {
            let at = place - x.exponent;
            if (0..128).contains(&at) && x.significand >> at & 1 == 1 { '1' } else { '0' }
        };
        let lowest = lowest_of(x).max(self.bottom);
        let bits = |from: i64, to: i64| (to..=from).rev().map(bit).collect::<String>();
        let last = last.unwrap_or(lowest).max(self.bottom);
        json!({
            "pad": self.top - first.max(self.bottom - 1),
            "kept": bits(first, last),
            "cut": bits(first.min(last - 1), lowest),
            "more": x.sticky || lowest > lowest_of(x),
        })
    }
}

/// A term of a picture: its place in words, its value and its bits.
fn origin(source: Source) -> Json {
    match source {
        Source::Product(place) => json!({"product": place}),
        Source::Accumulator => json!("accumulator"),
        Source::Aligned(at) => json!({"alignment": at}),
        Source::Rounded(at) => json!({"rounding": at}),
        Source::Zero => json!("zero"),
    }
}

/// The last bit of a result of this magnitude.
fn last_bit(mode: &Mode, x: Finite) -> i64 {
    let (format, precision) = (mode.accumulator(), i64::from(mode.result.precision));
    let emin = i64::from(format.emin());
    if x.is_zero() { emin } else { x.log2_floor().max(emin) - precision + 1 }
}

/// An alignment. Neighbouring products of the same operands are one row with a count.
fn alignment(traced: &TracedStep, at: usize, mode: &Mode) -> Json {
    let alignment = &traced.alignments[at];
    let is_last = at + 1 == traced.alignments.len();
    let result = match traced.result {
        Value::Finite(x) if is_last => Some(x),
        _ => None,
    };
    let columns = Columns::of(alignment, result);
    let operands = |source: Source| match source {
        Source::Product(place) => Some(traced.operands[place - traced.products.start]),
        _ => None,
    };
    let mut rows: Vec<(Source, usize, usize)> = vec![];
    for (index, term) in alignment.terms.iter().enumerate() {
        match rows.last_mut() {
            Some((first, _, count))
                if operands(term.source).is_some() && operands(*first) == operands(term.source) =>
            {
                *count += 1;
            }
            _ => rows.push((term.source, index, 1)),
        }
    }
    let rows: Vec<Json> = rows
        .into_iter()
        .map(|(source, index, count)| {
            let term = &alignment.terms[index];
            json!({
                "source": origin(source),
                "count": count,
                "operands": operands(source).map(|pair| pair.map(text::hex)),
                "negative": term.value.negative,
                "exponent": term.exponent,
                "exact": shown(Value::Finite(term.value)),
                "kept": shown(Value::Finite(term.kept)),
                "bits": columns.row(term.value, term.last_bit),
                "is_cut": differ(Value::Finite(term.kept), Value::Finite(term.value)),
            })
        })
        .collect();
    let last = is_last.then(|| last_bit(mode, alignment.sum));
    json!({
        "exponent": alignment.exponent,
        "last_bit": alignment.terms.iter().filter_map(|term| term.last_bit).min(),
        "top": columns.top,
        "rows": rows,
        "sum": {
            "negative": alignment.sum.negative,
            "exact": shown(Value::Finite(alignment.sum)),
            "bits": columns.row(alignment.sum, last),
        },
        "result": result.map(|x| json!({"negative": x.negative, "bits": columns.row(x, None)})),
    })
}

fn rounding(sum: &RoundedSum) -> Json {
    json!({
        "terms": sum.terms.iter().map(|term| origin(*term)).collect::<Vec<_>>(),
        "exact": shown(sum.exact),
        "rounded": shown(sum.value),
        "error": text::error(sum.value, sum.exact),
    })
}

/// The error of a value in units of the last place of the exact one, in a format; `None` if it has none.
fn ulps(value: Value, exact: Value, format: Format) -> Option<f64> {
    let (Value::Finite(_), Value::Finite(of_exact)) = (value, exact) else { return None };
    if !differ(value, exact) && !of_exact.sticky {
        return Some(0.0);
    }
    let exponent = if of_exact.is_zero() {
        format.emin().into()
    } else {
        of_exact.log2_floor().max(format.emin().into())
    };
    let binary64 = |x: Value| f64::from_bits(project(binade::catalog::F64, x, Projection::default()).code);
    let last = exponent - i64::from(format.precision()) + 1;
    Some((binary64(value) - binary64(exact)) / (last as f64).exp2())
}

/// A step of a dot product, and how the whole ends.
pub(crate) fn steps(operator: &str, operands: [&str; 3], step: usize) -> Result<Json, ExplorerError> {
    let unit = unit_of(operator)?;
    let (mode, formats) = (unit.mode(), unit.inputs());
    let [a, b] = [numbers(operands[0], 'a')?, numbers(operands[1], 'b')?];
    if a.len() != b.len() {
        return Err(ExplorerError::Lengths { a: a.len(), b: b.len() });
    }
    let format = mode.accumulator();
    let c = text::parse(operands[2].trim())?;
    let of_c = project(format, c, Projection::default()).code;
    let read = |operand: usize, numbers: &[Value]| -> Vec<u64> {
        numbers.iter().map(|x| project(formats[operand], *x, unit.reading(operand)).code).collect()
    };
    let (of_a, of_b) = (read(0, &a), read(1, &b));
    let rounded = [(&a, &of_a, formats[0]), (&b, &of_b, formats[1])].map(|(numbers, codes, format)| {
        let differs = |(x, code): &(&Value, &u64)| differ(decode(format, **code), **x);
        numbers.iter().zip(codes.iter()).filter(differs).count()
    });
    let codes = |format, codes| Codes { format, codes };
    let (a, b) = (codes(formats[0], &of_a), codes(formats[1], &of_b));
    let traced = mode.trace(a, b, of_c);
    let at = step.clamp(1, traced.len()) - 1;
    let now = &traced[at];
    let result = mode.dot(a, b, of_c);
    let exact = exact_dot(a, b, decode(format, of_c));
    // Binary32's own sums, by units that add so: one product a step, and a tree of all.
    let binary32 = |products: usize, step: Step| {
        let f32 = binade::catalog::F32;
        let result = binade::unit::Result { format: "f32", precision: 24, rounding: Rounding::NearestEven };
        let mode =
            Mode { inputs: &[], products, step, result, flush: false, nan: 0x7fc0_0000, known: mode.known };
        decode(f32, mode.dot(a, b, project(f32, decode(format, of_c), Projection::default()).code))
    };
    let nearest = decode(format, project(format, exact, Projection::default()).code);
    let end = |name: &str, value: Value| json!({"name": name, "value": text::hex(value), "decimal": short_decimal(value), "ulps": ulps(value, exact, format)});
    let ends = [
        end("unit", decode(format, result)),
        end("exact", exact),
        end("nearest", nearest),
        end("in_order", binary32(1, Step::Exact)),
        end("tree", binary32(of_a.len().next_power_of_two(), Step::Tree)),
    ];
    Ok(json!({
        "operator": unit.to_string(),
        "about": unit.unit().map_or("a described unit", |unit| unit.about),
        "step_about": about(mode),
        "result_about": result_about(mode),
        "flushes": mode.flush,
        "known": evidence(mode.known),
        "rounded": rounded,
        "count": of_a.len(),
        "steps": traced.len(),
        "step": at + 1,
        "first": now.products.start,
        "end": now.products.end,
        "accumulator": shown(now.accumulator),
        "alignments": (0..now.alignments.len()).map(|at| alignment(now, at, mode)).collect::<Vec<_>>(),
        "roundings": now.roundings.iter().map(rounding).collect::<Vec<_>>(),
        "result": {"code": code_text(format, now.code), "value": text::hex(now.result), "decimal": short_decimal(now.result)},
        "code": code_text(format, result),
        "accumulator_format": mode.result.format,
        "results": traced.iter().map(|step| short_decimal(step.result)).collect::<Vec<_>>(),
        "ends": ends,
    }))
}
