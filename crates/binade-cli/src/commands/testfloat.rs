//! The text form of Berkeley TestFloat 3 for `binade vectors`: hexadecimal without a prefix, flags as two digits.
//!
//! The flags are those of IEEE 754: inexact 1, underflow 2, overflow 4, invalid 16. A quiet NaN raises no flag, except in `<` and
//! `≤`. As in SoftFloat, ∞·0 is invalid even if a quiet NaN is added. Underflow is detected before rounding
//! (`-tininessbefore`). Division is not supported: the quotient by zero is NaN in P3109 and infinity in IEEE 754.

use binade::ops::Comparison;
use binade::{Answer, Datum, Edition, Flags, Format, Operation, Saturation, Value};

use thiserror::Error;

use crate::modes::{Mode, Modes};

/// An operation, formats or modes that TestFloat does not have.
#[derive(Debug, Error)]
#[error(
    "not in TestFloat's form: it has add, subtract, multiply, fma and sqrt in one of f16, bf16, f32 and f64; convert between \
     these; compare_equal, compare_less and compare_less_equal; no random bits; saturation overflow"
)]
pub(crate) struct TestFloatError;

const INVALID: u8 = 16;

/// Checks that TestFloat has the operation, the formats and the modes.
pub(super) fn check(
    operation: Operation,
    formats: &[Format],
    to: Format,
    modes: &Modes,
) -> Result<(), TestFloatError> {
    use Operation as O;
    let known = match operation {
        O::Add | O::Subtract | O::Multiply | O::Sqrt | O::Fma | O::Convert => true,
        O::Compare(comparison) => {
            matches!(comparison, Comparison::Equal | Comparison::Less | Comparison::LessEqual)
        }
        _ => false,
    };
    let ieee = |format: &Format| {
        use binade::catalog::{BF16, F16, F32, F64};
        [BF16, F16, F32, F64].contains(format)
    };
    let projected = operation.kind() == binade::AnswerKind::Code;
    let alike = operation == Operation::Convert || formats.iter().all(|format| !projected || *format == to);
    let modes_fit = matches!(modes.rounding, Mode::Fixed(_))
        && modes.saturation == Saturation::Overflow
        && modes.edition != Some(Edition::V4);
    match known && alike && modes_fit && formats.iter().all(ieee) && (!projected || ieee(&to)) {
        true => Ok(()),
        false => Err(TestFloatError),
    }
}

/// The end of a line: the result and its flags.
pub(super) fn result(operation: Operation, operands: &[Datum], answer: &Answer, to: Format) -> String {
    match answer {
        Answer::Code(rounded) => {
            format!("{} {:02X}", digits(to, rounded.code), flags(operation, operands, rounded.flags))
        }
        Answer::Bool(truth) => format!("{} {:02X}", *truth as u8, flags(operation, operands, Flags::NONE)),
        // TestFloat has no operation with this result.
        Answer::Class(class) => class.name().to_owned(),
    }
}

/// A code.
pub(super) fn digits(format: Format, code: u64) -> String {
    format!("{code:0digits$X}", digits = format.width().div_ceil(4) as usize)
}

fn flags(operation: Operation, operands: &[Datum], found: Flags) -> u8 {
    let nan = |x: &Datum| x.value().is_nan();
    let signaling = |x: &Datum| nan(x) && x.code() >> (x.format().trailing_bits() - 1) & 1 == 0;
    let infinite = |x: &Datum| matches!(x.value(), Value::Infinite { .. });
    let zero = |x: &Datum| matches!(x.value(), Value::Finite(x) if x.is_zero());
    let ordered = matches!(operation, Operation::Compare(Comparison::Less | Comparison::LessEqual));
    if operands.iter().any(nan) {
        let undefined = match (operation, operands) {
            (Operation::Fma, [x, y, _]) => infinite(x) && zero(y) || zero(x) && infinite(y),
            _ => false,
        };
        return if ordered || undefined || operands.iter().any(signaling) { INVALID } else { 0 };
    }
    [(Flags::INEXACT, 1), (Flags::UNDERFLOW, 2), (Flags::OVERFLOW, 4), (Flags::INVALID, INVALID)]
        .iter()
        .filter(|(flag, _)| found.contains(*flag))
        .map(|(_, bit)| bit)
        .sum()
}
