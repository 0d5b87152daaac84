//! `binade run --runs N`: a program run with several seeds, and the digits in which the numbers that it prints agree.

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::process::{Command, Stdio};

use thiserror::Error;

use crate::error::CommandError;
use crate::{Error, Output, Status, text_table};

/// Numbers that are listed; of more, those with the fewest digits.
const LISTED: usize = 100;
/// Characters of the text before a number that are shown.
const LABEL: usize = 30;

/// An error of several runs.
#[derive(Debug, Error)]
pub(super) enum StabilityError {
    /// This command could not be started again.
    #[error("cannot start this command again: {0}")]
    Start(#[source] std::io::Error),
    /// There is nothing to compare.
    #[error("the program prints no number that --runs could compare: its numbers must be on standard output")]
    NoNumbers,
    /// Runs whose numbers cannot be compared.
    #[error(
        "the program prints {first} numbers with seed {first_seed} and {other} with seed {other_seed}: the digits can be compared only \
         where each run prints as many"
    )]
    Counts {
        /// Numbers in the first run.
        first: usize,
        /// Its seed.
        first_seed: u64,
        /// Numbers in another.
        other: usize,
        /// Its seed.
        other_seed: u64,
    },
}

impl CommandError for StabilityError {}

/// A number of a text.
#[derive(Clone, PartialEq, Debug)]
struct Number {
    /// The line, from 1.
    line: usize,
    /// The text before it on the line, or the end of that.
    label: String,
    value: f64,
}

/// Runs the program under seeds from `seed` on, and prints a table of its numbers.
pub(super) fn run(runs: u32, seed: u64, out: &mut Output) -> Result<Status, Error> {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let executable = std::env::current_exe().map_err(StabilityError::Start)?;
    let seeds: Vec<u64> = (0..u64::from(runs)).map(|run| seed.wrapping_add(run)).collect();
    let mut all: Vec<Vec<Number>> = vec![];
    for &seed in &seeds {
        let output = Command::new(&executable)
            .args(of_run(&arguments, seed))
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
            .map_err(StabilityError::Start)?;
        if !output.status.success() {
            out.write_all(&output.stdout)?;
            eprintln!(
                "the run with seed {seed} ended with {}: --runs compares runs that succeed",
                output.status
            );
            return Ok(Status::Child(output.status.code().unwrap_or(2) as u8));
        }
        let numbers = numbers(&String::from_utf8_lossy(&output.stdout));
        if let Some(first) = all.first().filter(|first| first.len() != numbers.len()) {
            let (first, other) = (first.len(), numbers.len());
            return Err(
                StabilityError::Counts { first, first_seed: seeds[0], other, other_seed: seed }.into()
            );
        }
        if numbers.is_empty() {
            return Err(StabilityError::NoNumbers.into());
        }
        all.push(numbers);
    }
    table(&seeds, &all, out)?;
    Ok(Status::Done)
}

/// The arguments of one run: those of this process, without `--runs` and with another seed.
fn of_run(arguments: &[OsString], seed: u64) -> Vec<OsString> {
    let separator = arguments.iter().position(|word| word == "--").unwrap_or(arguments.len());
    let (options, command) = arguments.split_at(separator);
    let mut words: Vec<OsString> = vec![];
    let mut options = options.iter().skip(1);
    while let Some(word) = options.next() {
        let is_joined = |name: &str| word.to_str().is_some_and(|word| word.starts_with(name));
        if word == "--runs" || word == "--seed" {
            options.next();
        } else if !is_joined("--runs=") && !is_joined("--seed=") {
            words.push(word.clone());
        }
    }
    words.extend(["--seed".into(), seed.to_string().into()]);
    if !words.iter().any(|word| word == OsStr::new("--quiet") || word == OsStr::new("-q")) {
        words.push("--quiet".into());
    }
    words.extend_from_slice(command);
    words
}

/// The numbers of a text: decimal, perhaps with a fraction and an exponent, and not part of a word.
fn numbers(text: &str) -> Vec<Number> {
    let mut all = vec![];
    for (index, line) in text.lines().enumerate() {
        let bytes = line.as_bytes();
        let is_word =
            |at: usize| bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        let mut at = 0;
        let mut label = 0;
        while at < bytes.len() {
            let begins_word = at == 0 || !(is_word(at - 1) || bytes[at - 1] == b'.');
            let length = if begins_word { length_of_number(&bytes[at..]) } else { 0 };
            let value = line.get(at..at + length).and_then(|number| number.parse::<f64>().ok());
            match value.filter(|_| length > 0 && !is_word(at + length)) {
                Some(value) => {
                    let before: Vec<char> = line.get(label..at).unwrap_or_default().trim().chars().collect();
                    let label_text = before[before.len().saturating_sub(LABEL)..].iter().collect();
                    all.push(Number { line: index + 1, label: label_text, value });
                    at += length;
                    label = at;
                }
                None => at += 1,
            }
        }
    }
    all
}

/// The bytes of the number at the start of a text; 0 without a number.
fn length_of_number(bytes: &[u8]) -> usize {
    let digits =
        |from: usize| bytes[from.min(bytes.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let sign = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    for word in ["nan", "inf"] {
        if bytes.get(sign..sign + 3).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes())) {
            return sign + 3;
        }
    }
    let whole = digits(sign);
    let mut length = sign + whole;
    let fraction = if bytes.get(length) == Some(&b'.') { digits(length + 1) } else { 0 };
    if whole + fraction == 0 {
        return 0;
    }
    if fraction > 0 || bytes.get(length) == Some(&b'.') {
        length += 1 + fraction;
    }
    if matches!(bytes.get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
        let exponent = digits(length + 1 + sign);
        length += if exponent > 0 { 1 + sign + exponent } else { 0 };
    }
    length
}

/// The mean of a number over the runs, and its significant decimal digits: −log10 of the relative standard deviation, `None` if all
/// runs agree.
fn digits(values: &[f64]) -> (f64, Option<f64>) {
    if values
        .iter()
        .all(|value| value.to_bits() == values[0].to_bits() || value.is_nan() && values[0].is_nan())
    {
        return (values[0], None);
    }
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let digits = -(variance.sqrt() / mean.abs()).log10();
    (mean, Some(if digits.is_nan() { 0.0 } else { digits.max(0.0) }))
}

fn table(seeds: &[u64], runs: &[Vec<Number>], out: &mut impl Write) -> Result<(), Error> {
    let count = runs[0].len();
    let of_number = |index: usize| {
        let values: Vec<f64> = runs.iter().map(|numbers| numbers[index].value).collect();
        digits(&values)
    };
    let mut rows: Vec<(usize, f64, Option<f64>)> = (0..count)
        .map(|index| {
            let (mean, digits) = of_number(index);
            (index, mean, digits)
        })
        .collect();
    let (first, last) = (seeds[0], seeds[seeds.len() - 1]);
    let changed: Vec<f64> = rows.iter().filter_map(|(_, _, digits)| *digits).collect();
    writeln!(
        out,
        "{}, seeds {first} to {last}: {} of {} differ{}",
        text_table::counted(seeds.len(), "run"),
        changed.len(),
        text_table::counted(count, "number"),
        changed
            .iter()
            .copied()
            .min_by(f64::total_cmp)
            .map_or(String::new(), |least| format!("; the least certain has {least:.1} digits"))
    )?;
    if count > LISTED {
        let order = |digits: Option<f64>| digits.unwrap_or(f64::INFINITY);
        rows.sort_by(|a, b| order(a.2).total_cmp(&order(b.2)));
        rows.truncate(LISTED);
        writeln!(out, "the {LISTED} least certain:")?;
    }
    let heading = ["line", "after", "mean", "digits"].map(str::to_owned);
    let mut lines = vec![heading];
    for (index, mean, digits) in rows {
        let number = &runs[0][index];
        let digits = digits.map_or("all".to_owned(), |digits| format!("{digits:.1}"));
        lines.push([number.line.to_string(), number.label.clone(), format!("{mean:.9e}"), digits]);
    }
    if lines.len() > 1 {
        text_table::write(out, &lines, &[0, 2, 3])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_text_are_its_decimal_words() {
        let found: Vec<_> = numbers("loss = 0.5e-3, x1 at 3: -7.\nv2.1 .25 nan [1,2]\n0x1f 12ms Inf")
            .into_iter()
            .map(|number| (number.line, number.label, number.value.to_string()))
            .collect();
        let expected = [
            (1, "loss =", "0.0005"),
            (1, ", x1 at", "3"),
            (1, ":", "-7"),
            (2, "v2.1", "0.25"),
            (2, "", "NaN"),
            (2, "[", "1"),
            (2, ",", "2"),
            (3, "0x1f 12ms", "inf"),
        ];
        let expected: Vec<_> = expected
            .iter()
            .map(|(line, label, value)| (*line, (*label).to_owned(), (*value).to_owned()))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn digits_are_those_before_the_standard_deviation() {
        assert_eq!(digits(&[2.5, 2.5]), (2.5, None));
        assert_eq!(digits(&[f64::NAN, f64::NAN]).1, None);
        let (mean, certain) = digits(&[99.9, 100.1, 99.9, 100.1]);
        assert!((mean - 100.0).abs() < 1e-9 && (certain.unwrap() - 2.94).abs() < 0.01, "{certain:?}");
        assert_eq!(digits(&[1.0, -1.0]).1, Some(0.0));
        assert_eq!(digits(&[1.0, f64::NAN]).1, Some(0.0));
    }

    #[test]
    fn arguments_of_a_run_have_its_seed_alone() {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        let given = words("binade run --rounding random --runs 8 --seed=3 -- p --seed 9 --runs 1");
        let expected = words("run --rounding random --seed 5 --quiet -- p --seed 9 --runs 1");
        assert_eq!(of_run(&given, 5), expected);
    }

    #[test]
    fn table_lists_numbers_with_their_digits() {
        let runs = ["x = 1.0 y = 2", "x = 1.0 y = 4"].map(numbers);
        let mut out = vec![];
        table(&[7, 8], &runs, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(
            text,
            "2 runs, seeds 7 to 8: 1 of 2 numbers differ; the least certain has 0.3 digits\n\
             line  after           mean  digits\n   1  x =    1.000000000e0     all\n   1  y =    3.000000000e0     0.3\n"
        );
    }
}
