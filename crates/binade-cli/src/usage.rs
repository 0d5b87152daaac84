//! Errors of the arguments in plain words, in place of those of the standard library and of the argument parser.

use std::error::Error;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};

use clap::Command;
use clap::error::{ContextKind, ContextValue};

/// A command line whose values may be negative numbers. They are not taken for options, and the parser of a value says which numbers are
/// right.
pub(crate) fn with_negative_numbers(command: Command) -> Command {
    let values = |arg: clap::Arg| match arg.get_action().takes_values() {
        true => arg.allow_negative_numbers(true),
        false => arg,
    };
    command.mut_args(values).mut_subcommands(with_negative_numbers)
}

/// The message of an error whose reason is not in plain words; `None` if it is.
pub(crate) fn plain_message(error: &clap::Error) -> Option<String> {
    let source = error.source()?;
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidValue) else { return None };
    let reason = source.to_string();
    let plain = if let Some(error) = source.downcast_ref::<ParseIntError>() {
        of_integer(error.kind(), given).to_owned()
    } else if source.is::<ParseFloatError>() {
        "must be a number".to_owned()
    } else {
        of_range(reason.strip_prefix(given)?.strip_prefix(" is not in ")?)?
    };
    Some(error.render().to_string().replacen(&format!(": {reason}"), &format!(": {plain}"), 1))
}

fn of_integer(kind: &IntErrorKind, given: &str) -> &'static str {
    match kind {
        IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => "the number has too many digits",
        // The parsers of numbers without a sign find an invalid digit.
        _ if given.parse::<i64>().is_ok_and(|number| number < 0) => "must not be negative",
        _ => "must be a whole number",
    }
}

/// The condition of a range in Rust's syntax: `1..=1024`, or `1..18446744073709551615` without an upper bound.
fn of_range(range: &str) -> Option<String> {
    let (least, most) = range.split_once("..")?;
    let most = most.strip_prefix('=').unwrap_or(most);
    let is_open = most == u64::MAX.to_string() || most == i64::MAX.to_string();
    Some(if is_open { format!("must be {least} or more") } else { format!("must be from {least} to {most}") })
}

#[cfg(test)]
mod tests {
    use clap::{Arg, value_parser};

    use super::*;

    fn message(of: &str) -> String {
        let value = |name: &'static str| Arg::new(name).long(name);
        let command = Command::new("t")
            .arg(value("threads").value_parser(value_parser!(u16).range(1..=1024)))
            .arg(value("seed").value_parser(value_parser!(u64)))
            .arg(value("steps").value_parser(value_parser!(u64).range(1..)))
            .arg(value("exponent").value_parser(value_parser!(i64).range(-126..=127)))
            .arg(value("share").value_parser(value_parser!(f64)))
            .subcommand(Command::new("code").arg(Arg::new("CODE").value_parser(value_parser!(u8))));
        let words = [&["t"], &of.split(' ').collect::<Vec<_>>()[..]].concat();
        let error = with_negative_numbers(command).try_get_matches_from(words).unwrap_err();
        plain_message(&error).unwrap_or_else(|| error.to_string())
    }

    #[test]
    fn numbers_that_no_option_takes_have_plain_reasons() {
        for (words, wanted) in [
            ("--threads 0", "invalid value '0' for '--threads <threads>': must be from 1 to 1024\n"),
            ("--threads -1", "invalid value '-1' for '--threads <threads>': must be from 1 to 1024\n"),
            ("--threads two", "invalid value 'two' for '--threads <threads>': must be a whole number\n"),
            ("--threads 1.5", "must be a whole number\n"),
            ("--threads 99999999999999999999", "the number has too many digits\n"),
            ("--seed -3", "invalid value '-3' for '--seed <seed>': must not be negative\n"),
            ("--steps 0", "must be 1 or more\n"),
            ("--exponent -500", "must be from -126 to 127\n"),
            ("--share half", "must be a number\n"),
            ("code -1", "invalid value '-1' for '[CODE]': "),
            ("--share", "a value is required for '--share <share>'"),
        ] {
            let message = message(words);
            assert!(message.starts_with("error: ") && message.contains(wanted), "{words}: {message}");
        }
    }
}
