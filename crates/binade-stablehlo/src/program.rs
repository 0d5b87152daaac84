//! Entry points of the parser: programs from text, or from any form that is read as text.

use crate::bytecode::{platform, text};
use crate::error::{Error, Problem, ProgramError, Source};
use crate::ir::Program;
use crate::memory_limits::{MemoryShortage, check_memory_for_parsing};
use crate::{generators, parse, verify};

/// The separator between modules of one text.
const SEPARATOR: &str = "// -----";

impl Program {
    /// Reads and checks a program: a module, or functions without a module around them, in any of the forms that MLIR
    /// prints (pretty, generic, with locations).
    ///
    /// # Errors
    /// Text of another form, or a program that breaks a rule of the specification. The error has the place.
    ///
    /// ```
    /// let program = binade_stablehlo::Program::parse(
    ///     "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    ///       %0 = stablehlo.add %x, %x : tensor<2xf32>
    ///       return %0 : tensor<2xf32>
    ///     }",
    /// )?;
    /// assert_eq!(program.functions[0].name, "main");
    /// # Ok::<(), binade_stablehlo::ProgramError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Program, ProgramError> {
        Program::parse_from(text, 1)
    }

    /// Reads and checks a program from bytes: text, or any form that [`text`] reads.
    ///
    /// # Errors
    /// Those of [`Program::parse`] and of [`text`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Program, ProgramError> {
        let mut program = Program::parse(&text(bytes)?)?;
        program.platform = platform(bytes).unwrap_or(0);
        Ok(program)
    }

    /// Reads and checks each program of a text. Lines `// -----` separate the programs. Parts without a function are
    /// skipped.
    ///
    /// # Errors
    /// Those of [`Program::from_bytes`], for each program.
    pub fn parse_all(bytes: &[u8]) -> Vec<Result<Program, ProgramError>> {
        let text = match text(bytes) {
            Ok(text) => text,
            Err(error) => return vec![Err(error)],
        };
        let mut programs = vec![];
        let (mut start, mut first_line) = (0, 1);
        let mut at = 0;
        for (index, line) in text.split_inclusive('\n').enumerate() {
            if line.trim_end() == SEPARATOR {
                programs.push(Program::parse_from(&text[start..at], first_line));
                (start, first_line) = (at + line.len(), index + 2);
            }
            at += line.len();
        }
        programs.push(Program::parse_from(&text[start..], first_line));
        programs.retain(|program| !matches!(program, Ok(program) if program.functions.is_empty()));
        programs
    }

    fn parse_from(text: &str, first_line: usize) -> Result<Program, ProgramError> {
        let source = Source::new(text, first_line);
        check_memory_for_parsing(source.lines()).map_err(|MemoryShortage { needed, left }| {
            source.error(Error { at: 0, problem: Problem::Memory { needed, left } })
        })?;
        let tree = parse::parse(text).map_err(|error| source.error(*error))?;
        let mut program = verify::program(&source, &tree).map_err(|error| source.error(*error))?;
        generators::name_scopes(&mut program);
        Ok(program)
    }
}
