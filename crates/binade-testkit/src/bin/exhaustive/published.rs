//! Comparisons with what others published: P3109's tables of values, and the vectors of Berkeley TestFloat 3.
//!
//! Their inputs are named on the command line. A comparison without its input is skipped, and says so.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use binade::{Answer, Datum, Edition, Flags, Operation, Value};
use binade_testkit::against::{Both, Tally, projection};
use binade_testkit::dyadic::Dyadic;
use binade_testkit::format::Decoded;
use binade_testkit::round::{Mode, Saturation};

use crate::Task;

/// A comparison that needs an input.
pub(crate) struct Published {
    /// the section's name
    pub(crate) section: &'static str,
    /// the option that names the input
    pub(crate) option: &'static str,
    /// the way to the input
    pub(crate) remedy: &'static str,
    /// the tasks for an input
    pub(crate) tasks: fn(&Path) -> Vec<Task>,
}

/// Both comparisons.
pub(crate) const PUBLISHED: [Published; 2] = [
    Published {
        section: "value-tables",
        option: "--value-tables",
        remedy: "pass --value-tables FOLDER: the folder 'Value Tables' of P3109's repository of public materials",
        tasks: value_tables,
    },
    Published {
        section: "testfloat",
        option: "--testfloat",
        remedy: "pass --testfloat PROGRAM: testfloat_gen, which Berkeley TestFloat 3 builds beside SoftFloat 3",
        tasks: testfloat,
    },
];

/// The tables in a folder and the folders in it.
fn tables_in(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            tables_in(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "csv") {
            found.push(path);
        }
    }
    Ok(())
}

/// A task that only reports an error.
fn failed(name: &str, message: String) -> Vec<Task> {
    let work = move |tally: &mut Tally| {
        tally.record(false, || message.clone());
        Ok(())
    };
    vec![Task::new(name.to_owned(), work)]
}

/// A task for each table: `codepoint,value,subnormal` of every code of a format, whose name is the file's.
fn value_tables(folder: &Path) -> Vec<Task> {
    let mut paths = vec![];
    if let Err(error) = tables_in(folder, &mut paths) {
        return failed("value-tables", format!("{}: {error}", folder.display()));
    }
    if paths.is_empty() {
        return failed("value-tables", format!("{} has no tables: expected files *.csv", folder.display()));
    }
    paths.sort();
    let task = |path: PathBuf| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
        Task::new(format!("value-tables {stem}"), move |tally| {
            let both = Both::named(&stem)?;
            match fs::read_to_string(&path) {
                Ok(text) => compare_table(&both, &text, tally),
                Err(error) => tally.record(false, || format!("{}: {error}", path.display())),
            }
            Ok(())
        })
    };
    paths.into_iter().map(task).collect()
}

/// Compares a table with the library and with the oracle.
fn compare_table(both: &Both, text: &str, tally: &mut Tally) {
    let mut rows = 0;
    for (code, row) in (0..).zip(text.lines().skip(1)) {
        rows += 1;
        let columns: Vec<&str> = row.split(',').collect();
        let expected = match columns[..] {
            [of_row, value, mark] if published_code(of_row) == Some(code) => {
                published_value(value).map(|value| (value, mark.trim() == "*"))
            }
            _ => None,
        };
        let Some((expected, is_subnormal)) = expected else {
            tally.record(false, || format!("{}, code {code:#x}: '{row}' is not understood", both.name()));
            continue;
        };
        let oracle = both.oracle.decode(code);
        let oracle_agrees = same(&oracle, &expected) && both.oracle.is_subnormal(code) == is_subnormal;
        let agrees = oracle_agrees && library_agrees(both, code, &expected, is_subnormal);
        tally.record(agrees, || format!("{}: published '{row}', oracle {oracle:?}", both.name()));
    }
    let codes = both.oracle.codes();
    if rows != codes {
        tally.record(false, || format!("{}: {rows} rows: expected {codes}", both.name()));
    }
}

/// A code as the tables write it: `0x07`.
fn published_code(text: &str) -> Option<u64> {
    u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}

/// A value as the tables write it: `NaN`, `Inf`, `-Inf`, or `-0x1.8p+3`.
fn published_value(text: &str) -> Option<Decoded> {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    match text {
        "NaN" => return Some(Decoded::Nan { negative }),
        "Inf" => return Some(Decoded::Infinite { negative }),
        _ => {}
    }
    let (digits, exponent) = text.strip_prefix("0x")?.split_once('p')?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mantissa = u64::from_str_radix(&[whole, fraction].concat(), 16).ok()?;
    let exponent: i64 = exponent.parse().ok()?;
    Some(Decoded::Finite { negative, magnitude: Dyadic::new(mantissa, exponent - 4 * fraction.len() as i64) })
}

/// True for the same value; NaNs have no sign in the tables.
fn same(x: &Decoded, y: &Decoded) -> bool {
    x == y || matches!((x, y), (Decoded::Nan { .. }, Decoded::Nan { .. }))
}

fn library_agrees(both: &Both, code: u64, expected: &Decoded, is_subnormal: bool) -> bool {
    let found = match binade::decode(both.ours.format, code) {
        Value::Nan { negative } => Decoded::Nan { negative },
        Value::Infinite { negative } => Decoded::Infinite { negative },
        Value::Finite(x) => {
            Decoded::Finite { negative: x.negative, magnitude: Dyadic::new(x.significand, x.exponent) }
        }
    };
    let answer = Operation::from_name("is_subnormal").zip(Datum::new(both.ours.format, code).ok()).and_then(
        |(operation, datum)| {
            let how = projection(Mode::NearestEven, Saturation::Overflow);
            operation.evaluate(&[datum], &[], both.ours.format, how, Edition::V4).ok()
        },
    );
    same(&found, expected) && answer == Some(Answer::Bool(is_subnormal))
}

/// TestFloat's rounding modes, and the oracle's names of them.
const MODES: [(&str, Mode); 6] = [
    ("-rnear_even", Mode::NearestEven),
    ("-rnear_maxMag", Mode::NearestAway),
    ("-rminMag", Mode::TowardZero),
    ("-rmin", Mode::TowardNegative),
    ("-rmax", Mode::TowardPositive),
    ("-rodd", Mode::ToOdd),
];

/// TestFloat's functions on one format, and the operations that they are.
const FUNCTIONS: [(&str, &str); 9] = [
    ("add", "add"),
    ("sub", "subtract"),
    ("mul", "multiply"),
    ("div", "divide"),
    ("mulAdd", "fma"),
    ("sqrt", "sqrt"),
    ("eq", "compare_equal"),
    ("le", "compare_less_equal"),
    ("lt", "compare_less"),
];

/// A task for each function and rounding mode: the vectors of level 1, with tininess before rounding.
fn testfloat(program: &Path) -> Vec<Task> {
    const FORMATS: [&str; 3] = ["f16", "f32", "f64"];
    let on_one = FORMATS.into_iter().flat_map(|format| {
        FUNCTIONS.map(|(function, operation)| (format!("{format}_{function}"), operation, format, format))
    });
    let conversions = FORMATS.into_iter().flat_map(|from| {
        let others = FORMATS.into_iter().filter(move |to| *to != from);
        others.map(move |to| (format!("{from}_to_{to}"), "convert", from, to))
    });
    let mut tasks = vec![];
    for (function, operation, from, to) in on_one.chain(conversions) {
        for (option, mode) in MODES {
            let (program, function) = (program.to_owned(), function.clone());
            tasks.push(Task::new(format!("testfloat {function} {option}"), move |tally| {
                let (from, to) = (Both::named(from)?, Both::named(to)?);
                let arguments = ["-tininessbefore", option, &function];
                if let Err(message) =
                    compare_vectors(&program, &arguments, operation, &from, &to, mode, tally)
                {
                    tally.record(false, || {
                        format!("{} {}: {message}", program.display(), arguments.join(" "))
                    });
                }
                Ok(())
            }));
        }
    }
    tasks
}

/// Runs TestFloat's generator, and compares each line: the operands, the result and the flags.
fn compare_vectors(
    program: &Path,
    arguments: &[&str],
    operation: &str,
    from: &Both,
    to: &Both,
    mode: Mode,
    tally: &mut Tally,
) -> Result<(), String> {
    let divides = operation == "divide";
    let operation = Operation::from_name(operation).ok_or("no such operation")?;
    let how = projection(mode, Saturation::Overflow);
    let mut child = Command::new(program)
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    let output = child.stdout.take().ok_or("no output")?;
    let mut count = 0u64;
    for line in BufReader::new(output).lines() {
        let line = line.map_err(|error| error.to_string())?;
        let words: Result<Vec<u64>, _> =
            line.split_whitespace().map(|word| u64::from_str_radix(word, 16)).collect();
        let Ok([operands @ .., result, flags]) = words.as_deref() else {
            return Err(format!("'{line}' is not understood"));
        };
        count += 1;
        // P3109's quotient by zero is NaN; IEEE 754's may be infinite.
        if divides && operands.get(1).is_some_and(|&divisor| divisor & !to.oracle.sign_bit() == 0) {
            continue;
        }
        let data: Result<Vec<Datum>, _> =
            operands.iter().map(|&code| Datum::new(from.ours.format, code)).collect();
        let data = data.map_err(|error| error.to_string())?;
        let answer = operation
            .evaluate(&data, &[], to.ours.format, how, Edition::Interim)
            .map_err(|error| error.to_string())?;
        let agrees = match answer {
            Answer::Bool(truth) => u64::from(truth) == *result,
            Answer::Code(rounded) => {
                let is_nan = |code| matches!(to.oracle.decode(code), Decoded::Nan { .. });
                let any_nan = data.iter().any(|x| x.value().is_nan());
                (rounded.code == *result || is_nan(rounded.code) && is_nan(*result))
                    && (any_nan || ieee_flags(rounded.flags) == *flags)
            }
            Answer::Class(_) => false,
        };
        tally.record(agrees, || format!("{}: {line}: binade {answer:?}", arguments.join(" ")));
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    match status.success() && count > 0 {
        true => Ok(()),
        false => Err(format!("{status} after {count} vectors")),
    }
}

/// IEEE 754's flags, as TestFloat writes them. A quiet NaN raises none, so that lines with a NaN operand are not compared.
fn ieee_flags(found: Flags) -> u64 {
    [(Flags::INEXACT, 1), (Flags::UNDERFLOW, 2), (Flags::OVERFLOW, 4), (Flags::INVALID, 16)]
        .into_iter()
        .filter(|(flag, _)| found.contains(*flag))
        .map(|(_, bit)| bit)
        .sum()
}
