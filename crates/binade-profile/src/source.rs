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
}
