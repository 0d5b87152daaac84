//! A region's operations as text, for tests of its passes: printed, and read again.
//!
//! ```text
//! 7.2 zmm t3 = multiply_add t0 v5
//! ```
//!
//! is an operation on behalf of instruction 7 of the function, a step of task 2. Places are:
//!
//! - `v5`, a vector register;
//! - `t3`, a temporary;
//! - `s4`, a slot of the frame, and `s4:8`, its 4 bytes from offset 8 on in all lanes;
//! - `spill0`, a slot that allocation asked for.
//!
//! Instructions of the program are not repeated: `guest`, `load` and `load_row DISPLACEMENT` are those of the operation's
//! instruction. The text behind `;` shows it, and is not read.

use std::fmt::Write;

use iced_x86::{Formatter, Instruction, IntelFormatter};

use super::allocate::SPILLS;
use super::ir::{Constant, Kind, Operation, Place, Signs, Width};

/// An instruction as assembly.
pub(super) fn assembly(instruction: &Instruction) -> String {
    let mut formatter = IntelFormatter::new();
    formatter.options_mut().set_space_after_operand_separator(true);
    formatter.options_mut().set_rip_relative_addresses(true);
    let mut text = String::new();
    formatter.format(instruction, &mut text);
    text
}

fn place(place: Place) -> String {
    match place {
        Place::Register(number) => format!("v{number}"),
        Place::Temporary(number) => format!("t{number}"),
        Place::Slot(slot @ SPILLS..) => format!("spill{}", slot - SPILLS),
        Place::Slot(slot) => format!("s{slot}"),
        Place::Spread(slot, offset) => format!("s{slot}:{offset}"),
    }
}

fn constant(constant: Constant) -> &'static str {
    match constant {
        Constant::Parity => "parity",
        Constant::Weights => "weights",
        Constant::Last => "last",
        Constant::High => "high",
        Constant::Half => "half",
        Constant::Sign => "sign",
        Constant::CanonicalNan => "canonical_nan",
        Constant::Quiet => "quiet",
        Constant::Infinity => "infinity",
        Constant::InfinityToZero => "infinity_to_zero",
        Constant::FiniteOrZero => "finite_or_zero",
        Constant::UnlessNan => "unless_nan",
        Constant::Spread => "spread",
        Constant::Back => "back",
        Constant::SumWeights => "sum_weights",
    }
}

const MULTIPLY_ADDS: [(&str, Signs); 4] = [
    ("multiply_add", Signs { negate_product: false, subtract: false }),
    ("multiply_subtract", Signs { negate_product: false, subtract: true }),
    ("negated_multiply_add", Signs { negate_product: true, subtract: false }),
    ("negated_multiply_subtract", Signs { negate_product: true, subtract: true }),
];

fn kind(kind: Kind) -> String {
    match kind {
        Kind::Guest(_) => "guest".to_owned(),
        Kind::Move => "move".to_owned(),
        Kind::Load(_) => "load".to_owned(),
        Kind::LoadRow(row) => format!("load_row {}", row.memory_displacement64() as i64),
        Kind::Spread { bytes, offset } => format!("spread {bytes} {offset}"),
        Kind::Broadcast(c) => format!("broadcast {}", constant(c)),
        Kind::Parity => "parity".to_owned(),
        Kind::Weigh => "weigh".to_owned(),
        Kind::WeighSum => "weigh_sum".to_owned(),
        Kind::Even => "even".to_owned(),
        Kind::Lessen => "lessen".to_owned(),
        Kind::Truncate => "truncate".to_owned(),
        Kind::Fixup(c) => format!("fixup {}", constant(c)),
        Kind::AddInteger(c) => format!("add_integer {}", constant(c)),
        Kind::Xor(c) => format!("xor {}", constant(c)),
        Kind::Multiply => "multiply".to_owned(),
        Kind::Scale(c) => format!("scale {}", constant(c)),
        Kind::ScaleAdd(c) => format!("scale_add {}", constant(c)),
        Kind::ScaleTo(c) => format!("scale_to {}", constant(c)),
        Kind::FirstLane => "first_lane".to_owned(),
        Kind::WithFirstLane => "with_first_lane".to_owned(),
        Kind::Add => "add".to_owned(),
        Kind::Subtract => "subtract".to_owned(),
        Kind::MultiplyAdd(signs) => {
            let named = MULTIPLY_ADDS.iter().find(|(_, s)| *s == signs);
            named.map(|(name, _)| (*name).to_owned()).unwrap_or_default()
        }
    }
}

/// An operation as a line.
pub(super) fn print(operation: &Operation) -> String {
    let Operation { kind: what, width, to, from, origin, task } = operation;
    let mut line = format!("{origin}.{task} {}", format!("{width:?}").to_lowercase());
    if let Some(to) = to {
        write!(line, " {} =", place(*to)).unwrap();
    }
    write!(line, " {}", kind(*what)).unwrap();
    for from in from.iter().flatten() {
        write!(line, " {}", place(*from)).unwrap();
    }
    if let Kind::Guest(instruction) | Kind::Load(instruction) | Kind::LoadRow(instruction) = what {
        write!(line, " ; {}", assembly(instruction)).unwrap();
    }
    line
}

fn number<T: std::str::FromStr>(text: Option<&str>) -> Option<T> {
    text?.parse().ok()
}

fn read_place(text: &str) -> Option<Place> {
    let at = text.find(|c: char| c.is_ascii_digit())?;
    let (kind, digits) = text.split_at(at);
    match kind {
        "v" => Some(Place::Register(number(Some(digits)).filter(|&n| n < 32)?)),
        "t" => Some(Place::Temporary(number(Some(digits))?)),
        "s" if digits.contains(':') => {
            let (slot, offset) = digits.split_once(':')?;
            Some(Place::Spread(number(Some(slot)).filter(|&n| n < SPILLS)?, number(Some(offset))?))
        }
        "s" => Some(Place::Slot(number(Some(digits)).filter(|&n| n < SPILLS)?)),
        "spill" => Some(Place::Slot(number::<u16>(Some(digits))?.checked_add(SPILLS)?)),
        _ => None,
    }
}

/// The operation on a line, if there is one; `function` are the instructions that it speaks of.
pub(super) fn read(line: &str, function: &[Instruction]) -> Option<Operation> {
    let mut words = line.split(';').next()?.split_whitespace().peekable();
    let (origin, task) = words.next()?.split_once('.')?;
    let (origin, task) = (number(Some(origin))?, number(Some(task))?);
    let width = match words.next()? {
        "xmm" => Width::Xmm,
        "ymm" => Width::Ymm,
        "zmm" => Width::Zmm,
        _ => return None,
    };
    let to = words.peek().and_then(|word| read_place(word));
    if to.is_some() && (words.next(), words.next()).1 != Some("=") {
        return None;
    }
    let word = words.next()?;
    let mut a_constant = || {
        let name = words.next()?;
        Constant::ALL.into_iter().find(|&c| constant(c) == name)
    };
    let kind = match word {
        "guest" => Kind::Guest(*function.get(origin)?),
        "load" => Kind::Load(*function.get(origin)?),
        "load_row" => {
            let mut row: Instruction = *function.get(origin)?;
            row.set_memory_displacement64(number::<i64>(words.next())? as u64);
            row.set_memory_displ_size(8);
            Kind::LoadRow(row)
        }
        "spread" => Kind::Spread { bytes: number(words.next())?, offset: number(words.next())? },
        "broadcast" => Kind::Broadcast(a_constant()?),
        "fixup" => Kind::Fixup(a_constant()?),
        "add_integer" => Kind::AddInteger(a_constant()?),
        "xor" => Kind::Xor(a_constant()?),
        "scale" => Kind::Scale(a_constant()?),
        "scale_add" => Kind::ScaleAdd(a_constant()?),
        "scale_to" => Kind::ScaleTo(a_constant()?),
        "move" => Kind::Move,
        "parity" => Kind::Parity,
        "weigh" => Kind::Weigh,
        "weigh_sum" => Kind::WeighSum,
        "even" => Kind::Even,
        "lessen" => Kind::Lessen,
        "truncate" => Kind::Truncate,
        "multiply" => Kind::Multiply,
        "first_lane" => Kind::FirstLane,
        "with_first_lane" => Kind::WithFirstLane,
        "add" => Kind::Add,
        "subtract" => Kind::Subtract,
        name => Kind::MultiplyAdd(MULTIPLY_ADDS.iter().find(|(known, _)| *known == name)?.1),
    };
    let mut from = [None; 2];
    for place in &mut from {
        *place = match words.next() {
            Some(word) => Some(read_place(word)?),
            None => None,
        };
    }
    words.next().is_none().then_some(Operation { kind, width, to, from, origin, task })
}
