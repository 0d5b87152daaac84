//! The result of a comparison of units in sentences.

use binade_page::grouped;

use super::{Comparison, Pair, Row};

/// A number of ulps as text: whole numbers grouped, others with three digits.
pub fn ulps(x: f64) -> String {
    match x {
        _ if !x.is_finite() => x.to_string(),
        _ if x >= 1e7 => format!("{x:.2e}"),
        _ if x.fract() == 0.0 || x >= 100.0 => grouped(x.round() as u64),
        _ if x >= 0.01 => format!("{x:.2}"),
        _ => format!("{x:.1e}"),
    }
}

/// A relative error as text.
pub fn relative(x: f64) -> String {
    if x == 0.0 { "0".to_owned() } else { format!("{x:.1e}") }
}

/// The sentences: which units differ, how far they are from the exact product, and what the rounding of the inputs adds.
pub(super) fn sentences(comparison: &Comparison) -> String {
    let parts = [differences(comparison), errors(comparison), inputs(comparison)];
    let exceptions = comparison.units.iter().filter_map(not_finite);
    parts.into_iter().flatten().chain(exceptions).collect::<Vec<_>>().join(" ")
}

/// "h100:bf16 and a100:bf16 differ in 12 of 100 elements, by at most 3 ulps"
fn difference(pair: &Pair, elements: u64) -> String {
    let Pair { a, b, different, max_ulps, unmeasured, .. } = pair;
    if *different == 0 {
        return format!("{a} and {b} agree in all {} elements", grouped(elements));
    }
    let by =
        if *unmeasured < *different { format!(", by at most {}", of_ulps(*max_ulps)) } else { String::new() };
    format!("{a} and {b} differ in {} of {} elements{by}", grouped(*different), grouped(elements))
}

fn of_ulps(x: f64) -> String {
    format!("{} {}", ulps(x), if x == 1.0 { "ulp" } else { "ulps" })
}

fn differences(comparison: &Comparison) -> Option<String> {
    let elements = comparison.elements;
    match &comparison.pairs[..] {
        [] => None,
        [only] => Some(difference(only, elements) + "."),
        pairs => {
            let most = pairs.iter().max_by(|x, y| {
                (x.different, x.max_ulps)
                    .partial_cmp(&(y.different, y.max_ulps))
                    .unwrap_or(std::cmp::Ordering::Equal)
            })?;
            if most.different == 0 {
                return Some(format!("All agree in all {} elements.", grouped(elements)));
            }
            let equal: Vec<String> = pairs
                .iter()
                .filter(|pair| pair.different == 0)
                .map(|pair| format!("{} and {}", pair.a, pair.b))
                .collect();
            let equal = match equal.is_empty() {
                true => String::new(),
                false => format!(" Equal in every element: {}.", equal.join("; ")),
            };
            Some(format!("The largest difference: {}.{equal}", difference(most, elements)))
        }
    }
}

fn errors(comparison: &Comparison) -> Option<String> {
    let rows = &comparison.units;
    let most = |of: fn(&Row) -> f64| rows.iter().map(of).fold(0.0, f64::max);
    let (max, p99) = (most(|row| row.max_ulps), most(|row| row.p99_ulps));
    if rows.iter().all(|row| row.different == 0) {
        let all = if rows.len() == 1 { rows[0].unit.clone() + " is" } else { "All are".to_owned() };
        return Some(format!("{all} equal to the exact product, rounded once."));
    }
    let subject = match rows.len() {
        0 => return None,
        1 => format!("{} is", rows[0].unit),
        2 => "Both are".to_owned(),
        _ => "All are".to_owned(),
    };
    let result = &rows[0].result;
    let of = match rows.iter().all(|row| row.result == *result) {
        true => String::new(),
        false => ", each counted in ulps of its own result".to_owned(),
    };
    let tail =
        if p99 < max { format!("; 99 % of their elements are within {}", ulps(p99)) } else { String::new() };
    let tail = if rows.len() == 1 { tail.replace("their", "its") } else { tail };
    Some(format!("{subject} within {} of the exact product{of}{tail}.", of_ulps(max)))
}

/// The error of rounding the inputs beside that of the sums, for the unit with the largest error.
fn inputs(comparison: &Comparison) -> Option<String> {
    let rounded = comparison.units.iter().filter(|row| row.input_error != 0.0);
    let Some(worst) = rounded.max_by(|x, y| x.relative_error.total_cmp(&y.relative_error)) else {
        return Some("Rounding A and B to the inputs' formats changes nothing.".to_owned());
    };
    let Row { unit, input_error, relative_error, .. } = worst;
    let of_inputs =
        format!("Rounding A and B to the inputs of {unit} changes the product by {}", relative(*input_error));
    let of_sums = match *relative_error {
        0.0 => ", its sums by nothing".to_owned(),
        error => {
            let times = input_error / error;
            let times = if times >= 10.0 { ulps(times.round()) } else { format!("{times:.1}") };
            format!(" (relative, RMS), {times} times the error of its sums, {}", relative(error))
        }
    };
    Some(format!("{of_inputs}{of_sums}."))
}

/// The infinities and NaN of a unit, where it or the exact product has any.
fn not_finite(row: &Row) -> Option<String> {
    let Row { unit, infinite, nan, exact_infinite, exact_nan, .. } = row;
    let any = [infinite, nan, exact_infinite, exact_nan].into_iter().any(|&count| count > 0);
    any.then(|| {
        let [infinite, nan, exact_infinite, exact_nan] =
            [infinite, nan, exact_infinite, exact_nan].map(|count| grouped(*count));
        format!(
            "{unit} has {infinite} infinite and {nan} NaN elements; the exact product has {exact_infinite} and {exact_nan}."
        )
    })
}
