//! Significant bits of a format by binade.

use binade::{Finite, Format, Value, decode, on_line, text};
use serde_json::{Value as Json, json};

/// The first magnitude code from `from` on of a value of at least 2^e, or one past the largest finite code.
fn first_of(format: Format, e: i64, from: u64) -> u64 {
    let (mut low, mut high) = (from, format.max_finite_code() + 1);
    while low < high {
        let middle = low + (high - low) / 2;
        let x = on_line(format, middle);
        if x.is_zero() || x.log2_floor() < e {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// ⌊log2⌋ of the step from a magnitude code to the next.
fn step(format: Format, code: u64) -> i64 {
    let (x, above) = (on_line(format, code), on_line(format, code + 1));
    let unit = x.exponent.min(above.exponent);
    // Of neighbours, whose exponents differ by one at most, but for zero.
    let in_units = |v: Finite| v.significand << (v.exponent - unit).clamp(0, 64);
    Finite::new(false, in_units(above) - in_units(x), unit).log2_floor()
}

/// Runs of binades with equal numbers of bits: exponents `from` and `to`, `bits`, and the `count` of values in each. 0 bits: no values.
pub(crate) fn binades(format: Format) -> Json {
    let least = on_line(format, format.min_positive_code());
    let (first, last) = (least.log2_floor(), format.emax() as i64);
    let mut runs: Vec<(i64, i64, i64, u64)> = vec![];
    let mut code = format.min_positive_code();
    for e in first..=last {
        let next = first_of(format, e + 1, code);
        let (bits, count) = match next - code {
            0 => (0, 0),
            count => ((e - step(format, code) + 1).max(1), count),
        };
        match runs.last_mut() {
            Some(run) if (run.2, run.3) == (bits, count) => run.1 = e,
            _ => runs.push((e, e, bits, count)),
        }
        code = next;
    }
    let runs: Vec<Json> = runs
        .into_iter()
        .map(|(from, to, bits, count)| json!({ "from": from, "to": to, "bits": bits, "count": count as f64 }))
        .collect();
    json!({
        "binades": runs,
        "least": text::hex(Value::Finite(least)),
        "largest": text::hex(decode(format, format.max_finite_code())),
        "emin": format.emin(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_by_binade() {
        let shown = |name: &str| -> Vec<(i64, i64, i64, u64)> {
            let answer = binades(name.parse::<binade::Spec>().unwrap().format);
            let number = |run: &Json, key: &str| run[key].as_i64().unwrap();
            let runs = answer["binades"].as_array().unwrap().iter();
            runs.map(|run| {
                let count = run["count"].as_f64().unwrap() as u64;
                (number(run, "from"), number(run, "to"), number(run, "bits"), count)
            })
            .collect()
        };
        // Subnormals 2^−9, 2^−8 … 3·2^−9, 4 … 7·2^−9; 480 is NaN.
        assert_eq!(
            shown("float8_e4m3fn"),
            [(-9, -9, 1, 1), (-8, -8, 2, 2), (-7, -7, 3, 4), (-6, 7, 4, 8), (8, 8, 4, 7)]
        );
        // The gap between 0.875 and 2.
        assert_eq!(
            shown("cfloat8_1_4_3@bias=0"),
            [(-3, -3, 1, 1), (-2, -2, 2, 2), (-1, -1, 3, 4), (0, 0, 0, 0), (1, 15, 4, 8)]
        );
        assert_eq!(shown("float8_e8m0fnu"), [(-127, 127, 1, 1)]);
        assert_eq!(shown("uhp").first(), Some(&(-30, 31, 11, 1024)));
        assert_eq!(shown("binary8p1").first(), Some(&(-62, 63, 1, 1)));
    }
}
