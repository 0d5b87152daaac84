//! One rounding in sentences: from the exact value to the code.

use std::cmp::Ordering;

use binade::table::{bits_text, code_text, form_text, short_decimal};
use binade::{
    Class, Edition, Finite, Format, Place, Projection, Rounded, Rounding, Saturation, Stochastic, Subnormals,
    Value, classify, decode, on_line, project_in, text,
};
use serde_json::{Value as Json, json};

use crate::rounding::cell;

/// Digits of a significand that are shown after those that are kept.
const REST_DIGITS: usize = 24;

/// A rounding under way.
struct Story {
    format: Format,
    how: Projection,
    edition: Edition,
    result: Rounded,
    steps: Vec<Json>,
    /// The neighbours and ν, for a picture.
    picture: Json,
}

/// The steps of a rounding, each a `title` and a `text`, and the `result`.
pub(crate) fn steps(format: Format, value: Value, how: Projection, edition: Edition) -> Json {
    let result = project_in(format, value, how, edition);
    let mut story = Story { format, how, edition, result, steps: vec![], picture: Json::Null };
    match value {
        Value::Nan { .. } => story.not_a_number(),
        Value::Infinite { negative } => story.infinity(negative),
        Value::Finite(x) if x.is_zero() => story.zero(x.negative),
        Value::Finite(x) => story.finite(x),
    }
    story.end(value);
    let mut cell = cell(format, result);
    cell["error"] = text::error(decode(format, result.code), value).into();
    json!({ "steps": story.steps, "picture": story.picture, "result": cell })
}

/// `1.5 = 0x1.8p+0`.
fn both(value: Value) -> String {
    match value {
        Value::Finite(_) => format!("{} = {}", short_decimal(value), text::hex(value)),
        special => text::hex(special),
    }
}

/// The binary digits of a magnitude from its leading one on, `kept` of them before the bar: (before, after, whether more
/// follow). A value below its unit has no kept digits.
fn digits(x: &Finite, kept: i64) -> (String, String, bool) {
    let bits = format!("{:b}", x.significand);
    let significant = bits.trim_end_matches('0');
    if kept <= 0 {
        let zeros = (-kept).min(REST_DIGITS as i64) as usize;
        let rest = format!("{}{significant}", "0".repeat(zeros));
        let more = x.sticky || rest.len() > REST_DIGITS;
        return ("0".to_owned(), rest.chars().take(REST_DIGITS).collect(), more);
    }
    let kept = kept as usize;
    let before = format!("{significant:0<kept$}");
    let (before, rest) = before.split_at(kept);
    (before.to_owned(), rest.chars().take(REST_DIGITS).collect(), x.sticky || rest.len() > REST_DIGITS)
}

/// Digits with a point after the first.
fn pointed(digits: &str) -> String {
    let (first, rest) = digits.split_at(1);
    if rest.is_empty() { first.to_owned() } else { format!("{first}.{rest}") }
}

impl Story {
    fn tell(&mut self, title: &str, text: impl Into<String>) {
        self.steps.push(json!({ "title": title, "text": text.into() }));
    }

    fn not_a_number(&mut self) {
        self.tell("Exact value", "NaN: there is nothing to round.");
        self.tell(
            "Result",
            match self.format.nan_code() {
                Some(_) => "NaN becomes the format's NaN.",
                None => "The format has no NaN: the largest magnitude takes its place, with the NaN's sign.",
            },
        );
    }

    fn infinity(&mut self, negative: bool) {
        let sign = if negative { "−" } else { "" };
        self.tell("Exact value", format!("{sign}∞: there is nothing to round."));
        if negative && !self.format.signed() {
            return self.negative_in_unsigned();
        }
        let text = match (self.how.saturation, classify(self.format, self.result.code)) {
            (Saturation::Max, _) => "Saturation max clamps infinities, too, to the largest finite value.",
            (_, Class::PositiveInfinity | Class::NegativeInfinity) => {
                "The format has this infinity, and saturation keeps it."
            }
            (_, Class::Nan) => "The format has no infinity: NaN takes its place.",
            _ if self.format.nan_code().is_some() => {
                "The format has no infinity: by P3109 4.0 the end of its finite values takes its place."
            }
            _ => "The format has neither infinity nor NaN: the largest finite value takes its place.",
        };
        self.tell("Saturation", text);
    }

    fn zero(&mut self, negative: bool) {
        self.tell("Exact value", if negative { "−0" } else { "0" });
        if self.format.subnormals() == Subnormals::None {
            let text = match classify(self.format, self.result.code) {
                Class::Nan => "The format has no zero: NaN takes its place.",
                _ => "The format has no zero: the smallest value takes its place.",
            };
            return self.tell("Result", text);
        }
        if negative && self.result.code == 0 {
            let text = match self.format.negative_zero() {
                true => "P3109 4.0 never gives −0.",
                false => "The format has one zero only.",
            };
            self.tell("Result", text);
        }
    }

    fn negative_in_unsigned(&mut self) {
        let text = match classify(self.format, self.result.code) {
            Class::Nan => "The format has no negative values: NaN takes their place where nothing saturates.",
            _ => "The format has no negative values: the end of its range takes their place.",
        };
        self.tell("Saturation", text);
    }

    fn finite(&mut self, x: Finite) {
        let format = self.format;
        let e = x.log2_floor();
        let (lead, _, _) = digits(&x, 1 + REST_DIGITS as i64);
        let lead = lead.trim_end_matches('0');
        let shown = lead.len().max(1);
        let all = format!("{:b}", x.significand).trim_end_matches('0').len();
        let more = if x.sticky || all > shown { "…" } else { "" };
        let sign = if x.negative { "−" } else { "" };
        let read = match x.sticky {
            false => both(Value::Finite(x)),
            true => format!(
                "{} and a little more: it has no finite binary expansion, or one beyond 128 bits",
                text::hex(Value::Finite(x))
            ),
        };
        self.tell(
            "Exact value",
            format!("x = {sign}{}{more} × 2^{e} in binary, which is {read}.", pointed(lead)),
        );
        if x.negative && !format.signed() && format.subnormals() == Subnormals::None {
            return self.negative_in_unsigned();
        }
        let (emin, emax) = (i64::from(format.emin()), i64::from(format.emax()));
        let place = if e < emin {
            let how = match format.subnormals() {
                Subnormals::Ieee => "values there are subnormal, evenly spaced down to zero",
                Subnormals::Tesla => "values there are subnormal, at half the usual scale",
                Subnormals::Flush => "the format has no value there but zero",
                Subnormals::None => "the format has neither subnormals nor zero",
            };
            format!("2^{e} ≤ |x| < 2^{}, below the smallest normal value 2^{emin}: {how}.", e + 1)
        } else if e > emax {
            format!("2^{e} ≤ |x|, but the largest exponent is {emax}: x is out of range before any rounding.")
        } else {
            format!("2^{e} ≤ |x| < 2^{}, a binade of normal values: exponents are {emin} to {emax}.", e + 1)
        };
        self.tell("Binade", place);
        let magnitude = match Place::of(format, x) {
            None => format.max_finite_code() + 1,
            Some(place) => self.round(&x, e, &place),
        };
        if x.negative && !format.signed() && magnitude != 0 {
            return self.negative_in_unsigned();
        }
        if magnitude > format.max_finite_code() {
            self.overflow(x.negative);
        } else {
            self.tell("Saturation", "The result is within the finite values: nothing to saturate.");
        }
    }

    /// The magnitude code that a value in range rounds to.
    fn round(&mut self, x: &Finite, e: i64, place: &Place) -> u64 {
        let format = self.format;
        let Place { lower, upper, .. } = *place;
        if lower == upper {
            self.tell(
                "Neighbours",
                "There is no smaller magnitude than the smallest value, which x becomes.",
            );
            return lower;
        }
        let (below, above) = (on_line(format, lower), on_line(format, upper));
        let unit = step_exponent(below, above);
        match unit {
            Some(unit) => {
                let kept = e - unit + 1;
                let (before, after, more) = digits(x, kept);
                let more = if more { "…" } else { "" };
                let rest = match (after.is_empty(), more) {
                    (true, "") => "nothing is left over".to_owned(),
                    _ => format!("the bits {after}{more} are left over"),
                };
                let units =
                    below.significand.checked_shl((below.exponent - unit).clamp(0, 127) as u32).unwrap_or(0);
                let precision = format.precision();
                let bits = match kept {
                    ..=0 => "none of the value's bits reach it".to_owned(),
                    1 => format!("1 of {precision} bits of precision"),
                    n if n == i64::from(precision) => format!("all {n} bits of precision"),
                    n => format!("{n} of {precision} bits of precision"),
                };
                self.tell(
                    "Significand",
                    format!(
                        "The step between values is 2^{unit} here ({bits}): |x| is {before}|{after}{more} in binary digits, so \
                         {units} whole steps, and {rest}."
                    ),
                );
            }
            None => self.tell(
                "Significand",
                format!(
                    "Between {} and {} the format has no values: a gap of more than one step.",
                    short_decimal(Value::Finite(below)),
                    short_decimal(Value::Finite(above))
                ),
            ),
        }
        self.neighbours(place, below, above);
        let up = place.rounds_up(self.how.rounding, x.negative);
        if place.is_exact() {
            self.tell(
                "Rounding",
                format!("x is the value of code {} exactly: no mode changes it.", code_text(format, lower)),
            );
        } else {
            let reason = self.reason(place, x.negative);
            let to = if up { "upper" } else { "lower" };
            self.tell("Rounding", format!("{}: {reason}, so the {to} neighbour.", self.how.rounding.name()));
        }
        if up { upper } else { lower }
    }

    fn neighbours(&mut self, place: &Place, below: Finite, above: Finite) {
        let format = self.format;
        let nu = place.fraction();
        let ratio = match nu {
            _ if place.is_exact() => "= 0".to_owned(),
            Some(nu) if nu.is_zero() => "is a trace above 0".to_owned(),
            Some(nu) => match short_decimal(Value::Finite(nu)) {
                shown if shown.starts_with('≈') => shown,
                shown if nu.sticky => format!("≈ {shown}"),
                shown => format!("= {shown}"),
            },
            None => "is below 2^-72".to_owned(),
        };
        let compared = match (place.is_exact(), place.cmp_half()) {
            (true, _) => "",
            (_, Ordering::Less) => ", less than ½",
            (_, Ordering::Equal) => ", exactly ½: a tie",
            (_, Ordering::Greater) => ", more than ½",
        };
        let name = |code: u64| match code > format.max_finite_code() {
            true => "no code (the first magnitude past the largest)".to_owned(),
            false => format!("code {}", code_text(format, code)),
        };
        self.tell(
            "Neighbours",
            format!(
                "Lower {} = {}; upper {} = {}. ν = (|x| − lower) / (upper − lower) {ratio}{compared}.",
                name(place.lower),
                short_decimal(Value::Finite(below)),
                name(place.upper),
                short_decimal(Value::Finite(above)),
            ),
        );
        let end = |code: u64, value: Finite| {
            json!({
                "code": (code <= format.max_finite_code()).then(|| code_text(format, code)),
                "even": code & 1 == 0,
                "decimal": short_decimal(Value::Finite(value)),
            })
        };
        let ratio = nu.map_or(0.0, |nu| nu.significand as f64 * (nu.exponent as f64).exp2());
        self.picture =
            json!({ "lower": end(place.lower, below), "upper": end(place.upper, above), "nu": ratio });
    }

    /// The reason for the mode's choice.
    fn reason(&self, place: &Place, negative: bool) -> String {
        let even = if place.lower & 1 == 0 { "lower" } else { "upper" };
        let odd = if place.lower & 1 == 0 { "upper" } else { "lower" };
        let half = |tie: String| match place.cmp_half() {
            Ordering::Less => "ν < ½".to_owned(),
            Ordering::Equal => tie,
            Ordering::Greater => "ν > ½".to_owned(),
        };
        let toward = |up: bool, infinity: &str| {
            let side = if negative { "negative" } else { "positive" };
            match up {
                true => format!("x is {side}, and away from zero is toward {infinity}"),
                false => format!("x is {side}, and toward zero is toward {infinity}"),
            }
        };
        match self.how.rounding {
            Rounding::NearestEven => half(format!("ν = ½, and the {even} code is even")),
            Rounding::NearestAway => half("ν = ½, and ties go away from zero".to_owned()),
            Rounding::TowardPositive => toward(!negative, "+∞"),
            Rounding::TowardNegative => toward(negative, "−∞"),
            Rounding::TowardZero => "what is left over is dropped".to_owned(),
            Rounding::ToOdd => format!("x is inexact, and the {odd} code is odd"),
            Rounding::Stochastic { variant, bits, random } => {
                let rule = match variant {
                    Stochastic::A => "⌊ν·2^N⌋ + R ≥ 2^N",
                    Stochastic::B => "⌊ν·2^(N+1)⌋ + 2R + 1 ≥ 2^(N+1)",
                    Stochastic::C => "ν·2^N to the nearest integer, + R ≥ 2^N",
                    Stochastic::Random => "R ≥ 2^(N−1)",
                };
                let holds =
                    if place.rounds_up(self.how.rounding, negative) { "holds" } else { "does not hold" };
                let ups = ups(place, variant, bits, negative);
                format!(
                    "up if {rule}; with N = {bits} and R = {random} this {holds} (of all 2^{bits} R it does for {ups}, \
                     which is {:.4} %)",
                    ups as f64 / (bits as f64).exp2() * 100.0
                )
            }
        }
    }

    fn overflow(&mut self, negative: bool) {
        let format = self.format;
        let largest = short_decimal(decode(format, format.max_finite_code()));
        let sign = if negative { "−" } else { "" };
        let beyond = format!("The rounded magnitude is beyond the largest finite value {largest}");
        let text = match self.how.saturation {
            Saturation::Finite | Saturation::Max => {
                format!("{beyond}: saturation {} clamps it to {sign}{largest}.", self.how.saturation.name())
            }
            Saturation::Overflow => match classify(format, self.result.code) {
                Class::PositiveInfinity | Class::NegativeInfinity => {
                    format!("{beyond}: it overflows to {sign}∞.")
                }
                Class::Nan => format!("{beyond}: it overflows, and as the format has no infinity, to NaN."),
                _ if format.infinities()
                    || (format.nan_code().is_some() && self.edition == Edition::Interim) =>
                {
                    format!(
                        "{beyond}: {} keeps what lies beyond the finite values at {sign}{largest}.",
                        self.how.rounding.name()
                    )
                }
                _ => format!(
                    "{beyond}: it would overflow, but as the format has no infinity it stays at {sign}{largest}."
                ),
            },
        };
        self.tell("Saturation", text);
    }

    fn end(&mut self, value: Value) {
        let format = self.format;
        let Rounded { code, flags } = self.result;
        let result = decode(format, code);
        let form = match form_text(format, code) {
            form if form.is_empty() => String::new(),
            form => format!(" = {form}"),
        };
        let reasons: Vec<&str> = flags
            .to_string()
            .chars()
            .filter_map(|letter| match letter {
                'i' => Some("i, invalid: there is no such value in the format"),
                'o' => Some("o, overflow: beyond the largest finite value"),
                'u' => Some("u, underflow: inexact, and below the smallest normal value"),
                'x' => Some("x, inexact: the result is not x"),
                _ => None,
            })
            .collect();
        let flags = if reasons.is_empty() {
            "No flags.".to_owned()
        } else {
            format!("Flags: {}.", reasons.join("; "))
        };
        self.tell(
            "Result",
            format!(
                "Code {}, bits {}{form}, {}. Error (result − x): {}. {flags}",
                code_text(format, code),
                bits_text(format, code),
                both(result),
                text::error(result, value)
            ),
        );
    }
}

/// log2 of the step between neighbours, where that is a power of two.
fn step_exponent(below: Finite, above: Finite) -> Option<i64> {
    if below.is_zero() {
        return above.significand.is_power_of_two().then(|| above.log2_floor());
    }
    let unit = below.exponent.min(above.exponent);
    let in_units = |v: Finite| v.significand << (v.exponent - unit).clamp(0, 64);
    let step = in_units(above) - in_units(below);
    step.is_power_of_two().then(|| unit + i64::from(step.trailing_zeros()))
}

/// For how many R the mode rounds up: those from some R on.
fn ups(place: &Place, variant: Stochastic, bits: u32, negative: bool) -> u64 {
    let all = 1u64 << bits;
    let up = |random: u64| {
        place.rounds_up(Rounding::Stochastic { variant, bits, random: random as u32 }, negative)
    };
    let (mut low, mut high) = (0, all);
    while low < high {
        let middle = low + (high - low) / 2;
        if up(middle) { high = middle } else { low = middle + 1 }
    }
    all - low
}

#[cfg(test)]
mod tests {
    use super::*;
    use binade::Spec;

    fn told(name: &str, value: &str, how: Projection) -> Vec<String> {
        let spec: Spec = name.parse().unwrap();
        let answer = steps(spec.format, text::parse(value).unwrap(), how, spec.edition);
        let steps = answer["steps"].as_array().unwrap().iter();
        steps
            .map(|step| format!("{}: {}", step["title"].as_str().unwrap(), step["text"].as_str().unwrap()))
            .collect()
    }

    #[test]
    fn a_tenth_in_e4m3() {
        assert_eq!(
            told("float8_e4m3fn", "0.1", Projection::default()),
            [
                "Exact value: x = 1.100110011001100110011001… × 2^-4 in binary, which is \
                 0x1.99999999999999999999999999999998p-4 and a little more: it has no finite binary expansion, or one \
                 beyond 128 bits.",
                "Binade: 2^-4 ≤ |x| < 2^-3, a binade of normal values: exponents are -6 to 8.",
                "Significand: The step between values is 2^-7 here (all 4 bits of precision): |x| is \
                 1100|110011001100110011001100… in binary digits, so 12 whole steps, and the bits \
                 110011001100110011001100… are left over.",
                "Neighbours: Lower code 0x1c = 0.09375; upper code 0x1d = 0.1015625. ν = (|x| − lower) / (upper − lower) ≈ \
                 8.0e-1, more than ½.",
                "Rounding: nearest_even: ν > ½, so the upper neighbour.",
                "Saturation: The result is within the finite values: nothing to saturate.",
                "Result: Code 0x1d, bits 0.0011_101 = +0b1.101×2^-4, 0.1015625 = 0x1.ap-4. Error (result − x): ≈1.5625e-3. \
                 Flags: x, inexact: the result is not x.",
            ]
        );
    }

    #[test]
    fn what_happens_at_the_ends() {
        let ends = |name: &str, value: &str, rounding, saturation| {
            let told = told(name, value, Projection::new(rounding, saturation));
            told.into_iter().find(|step| step.starts_with("Saturation: ")).unwrap()["Saturation: ".len()..]
                .to_owned()
        };
        let (even, zero, overflow) = (Rounding::NearestEven, Rounding::TowardZero, Saturation::Overflow);
        let beyond = "The rounded magnitude is beyond the largest finite value";
        assert_eq!(
            ends("float8_e4m3fn", "465", even, overflow),
            format!("{beyond} 448.0: it overflows, and as the format has no infinity, to NaN.")
        );
        assert_eq!(
            ends("float8_e4m3fn", "-1e9", zero, overflow),
            format!("{beyond} 448.0: toward_zero keeps what lies beyond the finite values at −448.0.")
        );
        assert_eq!(
            ends("float8_e5m2", "-1e9", even, overflow),
            format!("{beyond} 57344.0: it overflows to −∞.")
        );
        assert_eq!(
            ends("float8_e5m2", "1e9", even, Saturation::Finite),
            format!("{beyond} 57344.0: saturation finite clamps it to 57344.0.")
        );
        assert_eq!(
            ends("binary8p3sf", "1e9", even, overflow),
            format!(
                "{beyond} 57344.0: it would overflow, but as the format has no infinity it stays at 57344.0."
            )
        );
        assert_eq!(
            ends("binary8p3ue", "-3", even, overflow),
            "The format has no negative values: NaN takes their place where nothing saturates."
        );
        assert_eq!(
            ends("float8_e4m3fn", "inf", even, overflow),
            "The format has no infinity: NaN takes its place."
        );
    }

    /// Every step says what the library does: the neighbour chosen is the result's, in all modes, for values around all codes
    /// of formats of each kind.
    #[test]
    fn the_story_ends_where_the_library_does() {
        let names = [
            "float8_e4m3fn",
            "binary8p3",
            "binary8p1",
            "binary6p3uf",
            "cfloat8_1_4_3@bias=3",
            "float8_e8m0fnu",
            "uhp",
            "float4_e2m1fn",
            "binary5p2sf",
            "custom@width=6,precision=2,bias=3,nan=ieee,infinities=yes",
        ];
        let variants = [Stochastic::A, Stochastic::B, Stochastic::C, Stochastic::Random];
        let stochastic = variants.map(|variant| Rounding::Stochastic { variant, bits: 5, random: 11 });
        for name in names {
            let spec: Spec = name.parse().unwrap();
            let format = spec.format;
            for i in 0..200u64 {
                let code = u64::from(binade::philox::word(1, i)) & format.last_code();
                let Value::Finite(x) = decode(format, code) else { continue };
                let near = u128::from(binade::philox::word(2, i) >> (i % 24));
                let x = Finite::new(x.negative, (x.significand << 32) | near, x.exponent - 32);
                for rounding in Rounding::DETERMINISTIC.into_iter().chain(stochastic) {
                    let how = Projection::new(rounding, Saturation::ALL[(i % 3) as usize]);
                    let answer = steps(format, Value::Finite(x), how, spec.edition);
                    let told = answer["steps"].as_array().unwrap();
                    let text = |title: &str| {
                        let step = told.iter().find(|step| step["title"] == title);
                        step.map_or("", |step| step["text"].as_str().unwrap())
                    };
                    let code = answer["result"]["code"].as_str().unwrap();
                    assert!(text("Result").starts_with(&format!("Code {code},")));
                    if !text("Saturation").starts_with("The result is within") || answer["picture"].is_null()
                    {
                        continue;
                    }
                    let side = match text("Rounding") {
                        exact if exact.starts_with("x is the value") => "lower",
                        text if text.ends_with("so the upper neighbour.") => "upper",
                        text if text.ends_with("so the lower neighbour.") => "lower",
                        other => panic!("{other}"),
                    };
                    let chosen = answer["picture"][side]["code"].as_str().unwrap();
                    let chosen = u64::from_str_radix(&chosen[2..], 16).unwrap();
                    let result = u64::from_str_radix(&code[2..], 16).unwrap();
                    assert_eq!(result & format.magnitude_mask(), chosen, "{name} {x:?} {how:?}\n{told:#?}");
                }
            }
        }
    }

    #[test]
    fn as_many_random_numbers_round_up_as_are_said() {
        let spec: Spec = "float4_e2m1fn".parse().unwrap();
        for value in ["1.1", "2.25", "0x1.08p0", "0x1p-300", "5.9"] {
            let Value::Finite(x) = text::parse(value).unwrap() else { unreachable!() };
            let place = Place::of(spec.format, x).unwrap();
            for variant in [Stochastic::A, Stochastic::B, Stochastic::C, Stochastic::Random] {
                let counted = (0..64)
                    .filter(|&random| {
                        place.rounds_up(Rounding::Stochastic { variant, bits: 6, random }, false)
                    })
                    .count();
                assert_eq!(ups(&place, variant, 6, false), counted as u64, "{value} {variant:?}");
            }
        }
    }
}
