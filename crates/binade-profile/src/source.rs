//! Source lines of machine code, for reports: the types, which `binade_launch::lines` fills from debug information.

use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

/// A function at a line of its source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Frame {
    /// The function's name for readers, or none if the debug information names none.
    pub function: Option<String>,
    /// The path of the source file, as the compiler recorded it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

impl Display for Frame {
    /// File name and line: `kernel.c:12`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file.rsplit('/').next().unwrap_or(&self.file), self.line)
    }
}

/// Folders of the headers of compilers and libraries, anywhere in a path.
const SYSTEM: [&str; 5] = ["/usr/include/", "/usr/local/include/", "/c++/", "/lib/gcc/", "/rustc/"];

impl Frame {
    /// True in a header of the system, a compiler or a standard library, whose lines the program's author has not written.
    pub fn is_system(&self) -> bool {
        SYSTEM.iter().any(|folder| self.file.contains(folder))
    }
}

/// The frame that an instruction is attributed to: the innermost one outside system headers, or the innermost one.
pub fn own(frames: &[Frame]) -> Option<&Frame> {
    frames.iter().find(|frame| !frame.is_system()).or(frames.first())
}

/// Finds the source of an instruction.
pub trait Locate {
    /// The functions that an address belongs to, the innermost inlined one first and the compiled function last. The address is
    /// as the object's file counts it. Empty without debug information.
    fn frames(&self, object: &str, address: u64) -> Vec<Frame>;
}

/// Finds no source lines.
#[derive(Clone, Copy, Debug)]
pub struct NoLines;

impl NoLines {
    /// The one value.
    #[allow(clippy::new_without_default)]
    pub fn new() -> NoLines {
        NoLines
    }
}

impl Locate for NoLines {
    fn frames(&self, _object: &str, _address: u64) -> Vec<Frame> {
        Vec::new()
    }
}

/// The text for readers of frames: `dot.h:7 in dot, inlined at main.c:15`. Nothing for no frames.
pub fn place(frames: &[Frame]) -> String {
    let mut text = String::new();
    for (index, frame) in frames.iter().enumerate() {
        if index > 0 {
            text.push_str(", inlined at ");
        }
        text.push_str(&frame.to_string());
        // The compiled function's name is beside the text already.
        if let Some(function) = frame.function.as_ref().filter(|_| index + 1 < frames.len()) {
            text.push_str(" in ");
            text.push_str(function);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn place_of_inlined_frames_names_each_call() {
        let frame = |function: &str, file: &str, line| Frame {
            function: Some(function.to_owned()),
            file: file.to_owned(),
            line,
        };
        let frames = [frame("dot", "/src/dot.h", 7), frame("main", "main.c", 15)];
        assert_eq!(place(&frames), "dot.h:7 in dot, inlined at main.c:15");
        assert_eq!(place(&frames[1..]), "main.c:15");
        assert_eq!(place(&[]), "");
    }

    #[test]
    fn instruction_of_an_inlined_library_function_is_the_callers() {
        let frame = |file: &str| Frame { function: None, file: file.to_owned(), line: 1 };
        let file = |files: &[&str]| {
            let frames: Vec<Frame> = files.iter().map(|file| frame(file)).collect();
            own(&frames).map(|frame| frame.file.clone())
        };
        let cmath = "/usr/include/c++/12/cmath";
        assert_eq!(
            file(&[cmath, "/usr/lib/gcc/x86_64-linux-gnu/12/include/fmaintrin.h", "a.cpp"]).unwrap(),
            "a.cpp"
        );
        assert_eq!(file(&["/rustc/0123/library/std/src/num.rs", "src/main.rs"]).unwrap(), "src/main.rs");
        assert_eq!(file(&["dot.h", "a.cpp"]).unwrap(), "dot.h");
        assert_eq!((file(&[cmath]).unwrap(), file(&[])), (cmath.to_owned(), None));
    }
}
