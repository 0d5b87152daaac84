//! Checks of a run: a command, a tolerance against the native run, or the program's exit code.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::SystemTime;

use binade_files::{ElementType, Input};
use thiserror::Error;

use super::Execution;

/// A check that decides if a run is accepted.
#[derive(Clone, PartialEq, Debug)]
pub enum Accept {
    /// A command for the shell, whose exit code 0 accepts.
    Command(String),
    /// The numbers of the output are near those of the native run.
    Within {
        /// The largest difference.
        tolerance: f64,
        /// True if differences are not divided by the native run's numbers.
        absolute: bool,
        /// An .npy file that the program writes, in place of its standard output.
        file: Option<String>,
    },
    /// The program's exit code is 0.
    ExitCode,
}

/// The error of a check.
#[derive(Debug, Error)]
pub enum AcceptError {
    /// A tolerance is no number.
    #[error(
        "--accept 'within {0}': give a tolerance such as 1e-3, then `absolute` or `of FILE.npy` or nothing"
    )]
    Tolerance(String),
    /// There is no check.
    #[error("--accept is empty: give a command, 'within TOLERANCE' or 'exit code'")]
    Empty,
    /// The shell cannot run the check.
    #[error(
        "--accept '{command}': the shell cannot run it (exit code {code}): give a command, 'within TOLERANCE' or 'exit code'"
    )]
    Command {
        /// The command.
        command: String,
        /// The shell's exit code.
        code: i32,
    },
    /// The native run left no such file.
    #[error("{}: the native run must write it, as an .npy file of f32 or f64: {reason}", .path.display())]
    File {
        /// The path.
        path: PathBuf,
        /// The reader's error.
        reason: String,
    },
    /// There is nothing to compare.
    #[error(
        "the native run prints no number that 'within' could compare: give a command or 'within TOLERANCE of FILE.npy'"
    )]
    NoNumbers,
}

impl FromStr for Accept {
    type Err = AcceptError;

    fn from_str(text: &str) -> Result<Accept, AcceptError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(AcceptError::Empty);
        }
        if text == "exit code" {
            return Ok(Accept::ExitCode);
        }
        let Some(rest) = text.strip_prefix("within ") else { return Ok(Accept::Command(text.to_owned())) };
        let wrong = || AcceptError::Tolerance(rest.trim().to_owned());
        let (number, rest) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
        let tolerance = number
            .parse()
            .ok()
            .filter(|tolerance: &f64| *tolerance >= 0.0 && tolerance.is_finite())
            .ok_or_else(wrong)?;
        let rest = rest.trim();
        let (absolute, rest) = match rest.strip_prefix("absolute") {
            Some(rest) => (true, rest.trim()),
            None => (false, rest),
        };
        let file = match rest.strip_prefix("of ") {
            Some(file) if !file.trim().is_empty() => Some(file.trim().to_owned()),
            None if rest.is_empty() => None,
            _ => return Err(wrong()),
        };
        Ok(Accept::Within { tolerance, absolute, file })
    }
}

impl Accept {
    /// True if a run that stands beside others would overwrite the file that the check reads.
    pub fn shares_a_file(&self) -> bool {
        matches!(self, Accept::Within { file: Some(file), .. } if !file.contains("{dir}"))
    }

    /// The state of the file that the check reads, for a run in this folder.
    pub fn file_state(&self, folder: &Path) -> Option<FileState> {
        match self {
            Accept::Within { file: Some(file), .. } => FileState::of(&path_in(file, folder)),
            _ => None,
        }
    }

    /// The reference that later runs are compared with.
    ///
    /// # Errors
    /// If there is nothing to compare.
    pub fn reference(&self, native: &Execution) -> Result<Output, AcceptError> {
        match self {
            Accept::Within { file: Some(file), .. } => {
                let path = path_in(file, &native.folder);
                let elements = written_array(&path, native.file_before.as_ref());
                elements.map(Output::Array).map_err(|reason| AcceptError::File { path, reason })
            }
            _ => {
                let output = Output::Text(Text::read(&native.stdout));
                let compares = matches!(self, Accept::Within { .. });
                if compares && matches!(&output, Output::Text(text) if text.numbers.is_empty()) {
                    return Err(AcceptError::NoNumbers);
                }
                Ok(output)
            }
        }
    }

    /// Returns true if a run is accepted, and its largest difference from the native run where both can be compared. A run that
    /// was killed, or that ended with another exit code than the native run, is not accepted.
    ///
    /// `shell` runs a line in the shell, and returns its exit code; `None` if it was killed, which is not accepted.
    ///
    /// # Errors
    /// If a command cannot be run, or the error of `shell`.
    pub fn check<E: From<AcceptError>>(
        &self,
        native: &Execution,
        reference: &Output,
        run: &Execution,
        shell: &dyn Fn(&str) -> Result<Option<i32>, E>,
    ) -> Result<(bool, Option<f64>), E> {
        let Some(code) = run.code else { return Ok((false, None)) };
        let absolute = matches!(self, Accept::Within { absolute: true, .. });
        let difference = match (self, reference) {
            (Accept::Within { file: Some(file), .. }, Output::Array(values)) => {
                let other = written_array(&path_in(file, &run.folder), run.file_before.as_ref());
                other.ok().and_then(|other| of_arrays(values, &other, absolute))
            }
            (_, Output::Text(text)) => text.difference(&Text::read(&run.stdout), absolute),
            _ => None,
        };
        let as_natively = Some(code) == native.code;
        let accepted = match self {
            Accept::ExitCode => code == 0,
            Accept::Within { tolerance, .. } => {
                as_natively && difference.is_some_and(|difference| difference <= *tolerance)
            }
            Accept::Command(command) => {
                as_natively
                    && match shell(&shell_line(command, native, run))? {
                        Some(code @ (126 | 127)) => {
                            return Err(AcceptError::Command { command: command.clone(), code }.into());
                        }
                        code => code == Some(0),
                    }
            }
        };
        Ok((accepted, difference))
    }
}

/// The path of a file that a run in this folder writes: {dir} is the folder.
pub fn path_in(file: &str, folder: &Path) -> PathBuf {
    PathBuf::from(file.replace("{dir}", &folder.to_string_lossy()))
}

/// The state of a file, which changes if the file is written, moved or copied.
#[derive(Clone, PartialEq, Debug)]
pub struct FileState {
    modified: Option<SystemTime>,
    length: u64,
    /// The inode, and the time of its last change in seconds and nanoseconds.
    #[cfg(unix)]
    inode: (u64, i64, i64),
}

impl FileState {
    /// The state of a file; `None` if there is no such file.
    pub fn of(path: &Path) -> Option<FileState> {
        let data = fs::metadata(path).ok()?;
        Some(FileState {
            modified: data.modified().ok(),
            length: data.len(),
            #[cfg(unix)]
            inode: {
                use std::os::unix::fs::MetadataExt;
                (data.ino(), data.ctime(), data.ctime_nsec())
            },
        })
    }
}

/// The elements of an .npy file of f32 or f64 that a run has written, given the file's state before the run.
///
/// # Errors
/// A text that says why there are none.
pub fn written_array(path: &Path, before: Option<&FileState>) -> Result<Vec<f64>, String> {
    let state = FileState::of(path);
    if state.is_some() && state.as_ref() == before {
        return Err("the file is of an earlier run".to_owned());
    }
    let elements = array(path)?;
    if elements.is_empty() { Err("it has no element to compare".to_owned()) } else { Ok(elements) }
}

/// A path as a word for the shell, which may be part of a longer one. A path without special characters stays as it is, so that it
/// may be within quotation marks, too.
fn word(path: &Path) -> String {
    let text = path.to_string_lossy();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+,@%".contains(&byte);
    match text.bytes().all(is_plain) {
        true => text.into_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

/// The line for the shell of a command, with the paths of a run.
fn shell_line(command: &str, native: &Execution, run: &Execution) -> String {
    let mut line = command.to_owned();
    for (name, path) in [("{out}", &run.stdout), ("{native}", &native.stdout), ("{dir}", &run.folder)] {
        let word = word(path);
        // Quotation marks of the path's own would end those around it.
        for mark in ['"', '\''] {
            line = line.replace(&format!("{mark}{name}{mark}"), &word);
        }
        line = line.replace(name, &word);
    }
    line
}

/// The output of the native run, as it is compared.
#[derive(Clone, PartialEq, Debug)]
pub enum Output {
    /// Numbers in a text.
    Text(Text),
    /// The elements of an array.
    Array(Vec<f64>),
}

/// A text as its numbers and the text between them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Text {
    /// The text with [`NUMBER`] in place of each number, and one space in place of several.
    between: String,
    numbers: Vec<f64>,
}

/// The character in place of a number. Texts seldom have it, and then it is compared as any other.
const NUMBER: char = '\0';

impl Text {
    fn read(path: &Path) -> Text {
        Text::of(&String::from_utf8_lossy(&fs::read(path).unwrap_or_default()))
    }

    /// Splits a text. Digits that follow a letter or an underscore, as in `x86`, are no number.
    fn of(text: &str) -> Text {
        let (mut between, mut numbers) = (String::new(), Vec::new());
        let mut rest = text;
        let mut before = ' ';
        // How a number is padded depends on its length: spaces beside it, and how many there are, do not matter.
        let mut space = false;
        while let Some(first) = rest.chars().next() {
            let is_within_word = before.is_alphanumeric() || before == '_';
            match if is_within_word { None } else { number(rest) } {
                Some((value, length)) => {
                    numbers.push(value);
                    between.push(NUMBER);
                    (before, space) = ('0', false);
                    rest = &rest[length..];
                }
                None => {
                    if first.is_whitespace() {
                        space = true;
                    } else {
                        if space && !between.is_empty() && !between.ends_with(NUMBER) {
                            between.push(' ');
                        }
                        between.push(first);
                        space = false;
                    }
                    before = first;
                    rest = &rest[first.len_utf8()..];
                }
            }
        }
        Text { between, numbers }
    }

    /// The largest difference of the numbers, or none if something else differs.
    fn difference(&self, other: &Text, absolute: bool) -> Option<f64> {
        if self.between != other.between || self.numbers.len() != other.numbers.len() {
            return None;
        }
        let relative = |(x, y): (&f64, &f64)| {
            let difference = of_numbers(*x, *y);
            if absolute || *x == 0.0 || x.is_infinite() { difference } else { difference / x.abs() }
        };
        Some(self.numbers.iter().zip(&other.numbers).map(relative).fold(0.0, f64::max))
    }
}

/// The number at the start of a text, and its length.
fn number(text: &str) -> Option<(f64, usize)> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let sign = text.len() - unsigned.len();
    for name in ["nan", "infinity", "inf"] {
        let is_named = unsigned.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
        if is_named && !unsigned[name.len()..].starts_with(|next: char| next.is_alphanumeric()) {
            let length = sign + name.len();
            return Some((text[..length].parse().ok()?, length));
        }
    }
    let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let whole = digits(unsigned);
    let mut length = whole;
    if let Some(fraction) = unsigned[length..].strip_prefix('.') {
        length += 1 + digits(fraction);
    }
    if length == 0 || whole == 0 && length == 1 {
        return None;
    }
    if let Some(power) = unsigned[length..].strip_prefix(['e', 'E']) {
        let unsigned_power = power.strip_prefix(['-', '+']).unwrap_or(power);
        let power_digits = digits(unsigned_power);
        if power_digits > 0 {
            length += 1 + power.len() - unsigned_power.len() + power_digits;
        }
    }
    Some((text[..sign + length].parse().ok()?, sign + length))
}

/// |x − y|; 0 for equal infinities and for two NaNs, infinite for one of them.
fn of_numbers(x: f64, y: f64) -> f64 {
    if x == y || x.is_nan() && y.is_nan() {
        return 0.0;
    }
    let difference = (x - y).abs();
    if difference.is_nan() { f64::INFINITY } else { difference }
}

/// The largest difference of two arrays, relative to the largest magnitude of the first unless it is to be absolute.
fn of_arrays(native: &[f64], other: &[f64], absolute: bool) -> Option<f64> {
    if native.len() != other.len() {
        return None;
    }
    let difference = native.iter().zip(other).map(|(x, y)| of_numbers(*x, *y)).fold(0.0, f64::max);
    let largest = native.iter().filter(|x| x.is_finite()).map(|x| x.abs()).fold(0.0, f64::max);
    Some(if absolute || largest == 0.0 { difference } else { difference / largest })
}

/// The elements of an .npy file.
fn array(path: &Path) -> Result<Vec<f64>, String> {
    let input = Input::open(path).map_err(|error| error.to_string())?;
    let tensor = input.tensors().first().ok_or("it has no array")?;
    let bytes = tensor.read_all().map_err(|error| error.to_string())?;
    match tensor.element() {
        ElementType::F64 => Ok(bytes
            .chunks_exact(8)
            .map(|word| f64::from_le_bytes(word.try_into().expect("8 bytes")))
            .collect()),
        ElementType::F32 => Ok(bytes
            .chunks_exact(4)
            .map(|word| f32::from_le_bytes(word.try_into().expect("4 bytes")).into())
            .collect()),
        _ => Err("its elements have another type".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(native: &str, other: &str) -> Option<f64> {
        Text::of(native).difference(&Text::of(other), false)
    }

    #[test]
    fn accept_is_read() {
        let read = |text: &str| text.parse::<Accept>().unwrap();
        let within = |tolerance, absolute, file: Option<&str>| Accept::Within {
            tolerance,
            absolute,
            file: file.map(str::to_owned),
        };
        assert_eq!(read("within 1e-3"), within(1e-3, false, None));
        assert_eq!(read("within 0.5 absolute"), within(0.5, true, None));
        assert_eq!(read("within 1e-3 of {dir}/a.npy"), within(1e-3, false, Some("{dir}/a.npy")));
        assert_eq!(read("within 2 absolute of a b.npy"), within(2.0, true, Some("a b.npy")));
        assert_eq!(read("exit code"), Accept::ExitCode);
        assert_eq!(read("grep -q ok {out}"), Accept::Command("grep -q ok {out}".to_owned()));
        for wrong in ["", " ", "within x", "within -1", "within inf", "within 1 percent", "within 1 of "] {
            assert!(wrong.parse::<Accept>().is_err(), "{wrong}");
        }
        assert!(
            read("within 1 of a.npy").shares_a_file() && !read("within 1 of {dir}/a.npy").shares_a_file()
        );
    }

    #[test]
    fn file_of_an_earlier_run_is_not_compared() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy");
        // An array of one binary32 number, 1.
        let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
        bytes.extend(
            format!("{:<117}\n", "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }").bytes(),
        );
        bytes.extend(1f32.to_le_bytes());
        fs::write(&path, &bytes).unwrap();
        let accept: Accept = "within 0 of {dir}/a.npy".parse().unwrap();
        let mut run = Execution {
            code: Some(0),
            stdout: folder.path().join("stdout"),
            file_before: None,
            folder: folder.path().to_owned(),
        };
        let reference = accept.reference(&run).unwrap();
        let check =
            |run: &Execution| accept.check::<AcceptError>(run, &reference, run, &|_| unreachable!()).unwrap();
        assert_eq!(check(&run), (true, Some(0.0)));
        run.file_before = accept.file_state(folder.path());
        assert_eq!(check(&run), (false, None));
        assert!(accept.reference(&run).unwrap_err().to_string().contains("the file is of an earlier run"));
        fs::remove_file(&path).unwrap();
        fs::write(&path, &bytes).unwrap();
        assert_eq!(check(&run), (true, Some(0.0)));
    }

    #[test]
    fn paths_in_a_command_are_words_within_quotation_marks_too() {
        let run = |folder: &str| Execution {
            code: Some(0),
            stdout: Path::new(folder).join("stdout"),
            file_before: None,
            folder: folder.into(),
        };
        let line = |command: &str, folder: &str| shell_line(command, &run("/tmp/n"), &run(folder));
        let command = "cmp \"{out}\" '{native}' {dir}/x \"{dir}/y\"";
        assert_eq!(line(command, "/tmp/r-1"), "cmp /tmp/r-1/stdout /tmp/n/stdout /tmp/r-1/x \"/tmp/r-1/y\"");
        assert_eq!(line("test -f \"{out}\"", "/tmp/a b"), "test -f '/tmp/a b/stdout'");
        assert_eq!(line("test -f {out}", "/tmp/it's"), "test -f '/tmp/it'\\''s/stdout'");
    }

    #[test]
    fn text_is_compared_number_by_number() {
        assert_eq!(difference("sum 2.0, x86 -4e0\n", "sum  2.5, x86 -4\n"), Some(0.25));
        assert_eq!(difference("sum 2", "total 2"), None);
        assert_eq!(difference("a 1", "a 1 1"), None);
        assert_eq!(difference("0", "1e-3"), Some(1e-3));
        assert_eq!(difference("nan inf -inf", "NaN inf -inf"), Some(0.0));
        assert_eq!(difference("1", "nan"), Some(f64::INFINITY));
        assert_eq!(difference("inf", "-inf"), Some(f64::INFINITY));
        assert_eq!(difference("[1. .5 3e]", "[1.0 0.5 3e]"), Some(0.0));
        assert_eq!(difference("no number", "no number"), Some(0.0));
    }

    #[test]
    fn arrays_are_compared_by_the_largest_magnitude() {
        assert_eq!(of_arrays(&[1.0, -4.0], &[1.5, -4.0], false), Some(0.125));
        assert_eq!(of_arrays(&[1.0, -4.0], &[1.5, -4.0], true), Some(0.5));
        assert_eq!(of_arrays(&[1.0], &[1.0, 2.0], false), None);
        assert_eq!(of_arrays(&[0.0], &[f64::NAN], false), Some(f64::INFINITY));
    }
}
