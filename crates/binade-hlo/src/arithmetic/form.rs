//! Recognises bodies for which reductions, sorts and scatters have special algorithms.

use binade_stablehlo::ir::{Binary, Direction, Op, Order, Region};

/// The form of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// One operation on the two parameters, associative and commutative except for rounding.
    Combine(Binary),
    /// The second parameter.
    Second,
    /// A comparison of the first parameter with the second; false for NaN, except by `Ne`.
    Compare(Direction),
    General,
}

/// Returns the form of a region.
pub(crate) fn form(region: &Region) -> Form {
    let ([first, second], [result]) = (&region.parameters[..], &region.results[..]) else {
        return Form::General;
    };
    if result == second {
        return Form::Second;
    }
    let [operation] = &region.operations[..] else { return Form::General };
    if let Op::Compare { direction, order: Order::Partial } = operation.kind
        && operation.operands == [*first, *second]
        && operation.results == [*result]
    {
        return Form::Compare(direction);
    }
    let Op::Binary(binary) = operation.kind else { return Form::General };
    let both = operation.operands == [*first, *second] || operation.operands == [*second, *first];
    let combines = matches!(
        binary,
        Binary::Add
            | Binary::Multiply
            | Binary::Maximum
            | Binary::Minimum
            | Binary::And
            | Binary::Or
            | Binary::Xor
    );
    match both && combines && operation.results == [*result] {
        true => Form::Combine(binary),
        false => Form::General,
    }
}
