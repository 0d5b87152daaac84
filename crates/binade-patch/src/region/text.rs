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
use super::ir::{Constant, Opcode, Operation, Place, Signs, Width, Word};

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

fn opcode(opcode: Opcode) -> String {
    match opcode {
        Opcode::Guest(_) => "guest".to_owned(),
        Opcode::Move => "move".to_owned(),
        Opcode::Load(_) => "load".to_owned(),
        Opcode::LoadRow(row) => format!("load_row {}", row.memory_displacement64() as i64),
        Opcode::Spread { bytes, offset } => format!("spread {bytes} {offset}"),
        Opcode::Broadcast(c) => format!("broadcast {}", constant(c)),
        Opcode::Parity => "parity".to_owned(),
        Opcode::Weigh => "weigh".to_owned(),
        Opcode::WeighSum => "weigh_sum".to_owned(),
        Opcode::Even => "even".to_owned(),
        Opcode::Lessen => "lessen".to_owned(),
        Opcode::Truncate => "truncate".to_owned(),
        Opcode::Fixup(c) => format!("fixup {}", constant(c)),
        Opcode::AddInteger(c) => format!("add_integer {}", constant(c)),
        Opcode::Xor(c) => format!("xor {}", constant(c)),
        Opcode::Multiply => "multiply".to_owned(),
        Opcode::Scale(c) => format!("scale {}", constant(c)),
        Opcode::ScaleAdd(c) => format!("scale_add {}", constant(c)),
        Opcode::ScaleTo(c) => format!("scale_to {}", constant(c)),
        Opcode::FirstLane => "first_lane".to_owned(),
        Opcode::WithFirstLane => "with_first_lane".to_owned(),
        Opcode::Add => "add".to_owned(),
        Opcode::Subtract => "subtract".to_owned(),
        Opcode::MultiplyAdd(signs) => multiply_add(signs).to_owned(),
        Opcode::MultiplyAddUp(signs) => format!("{}_up", multiply_add(signs)),
        Opcode::UpperOfZero => "upper_of_zero".to_owned(),
        Opcode::UpperBySign => "upper_by_sign".to_owned(),
        Opcode::TimesWord(w) => format!("times_word {}", word(w)),
        Opcode::AddWord(w) => format!("add_word {}", word(w)),
        Opcode::AddWords => "add_words".to_owned(),
        Opcode::ShiftRight(by) => format!("shift_right {by}"),
        Opcode::XorWords => "xor_words".to_owned(),
    }
}

fn multiply_add(signs: Signs) -> &'static str {
    MULTIPLY_ADDS.iter().find(|(_, known)| *known == signs).map_or("", |(name, _)| name)
}

fn word(word: Word) -> String {
    match word {
        Word::OfA => "of_a".to_owned(),
        Word::OfB => "of_b".to_owned(),
        Word::OfC => "of_c".to_owned(),
        Word::First => "first".to_owned(),
        Word::Second => "second".to_owned(),
        Word::Site(number) => format!("site{number}"),
    }
}

fn read_word(text: &str) -> Option<Word> {
    let shared = [Word::OfA, Word::OfB, Word::OfC, Word::First, Word::Second];
    let site = || Some(Word::Site(text.strip_prefix("site")?.parse().ok()?));
    shared.into_iter().find(|&known| word(known) == text).or_else(site)
}

/// An operation as a line.
pub(super) fn print(operation: &Operation) -> String {
    let Operation { opcode: code, width, to, from, origin, task } = operation;
    let mut line = format!("{origin}.{task} {}", format!("{width:?}").to_lowercase());
    if let Some(to) = to {
        write!(line, " {} =", place(*to)).unwrap();
    }
    write!(line, " {}", opcode(*code)).unwrap();
    for from in from.iter().flatten() {
        write!(line, " {}", place(*from)).unwrap();
    }
    if let Opcode::Guest(instruction) | Opcode::Load(instruction) | Opcode::LoadRow(instruction) = code {
        write!(line, " ; {}", assembly(instruction)).unwrap();
    }
    line
}

fn number<T: std::str::FromStr>(text: Option<&str>) -> Option<T> {
    text?.parse().ok()
}

fn read_place(text: &str) -> Option<Place> {
    let at = text.find(|c: char| c.is_ascii_digit())?;
    let (space, digits) = text.split_at(at);
    match space {
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
    let opcode = match word {
        "guest" => Opcode::Guest(*function.get(origin)?),
        "load" => Opcode::Load(*function.get(origin)?),
        "load_row" => {
            let mut row: Instruction = *function.get(origin)?;
            row.set_memory_displacement64(number::<i64>(words.next())? as u64);
            row.set_memory_displ_size(8);
            Opcode::LoadRow(row)
        }
        "spread" => Opcode::Spread { bytes: number(words.next())?, offset: number(words.next())? },
        "broadcast" => Opcode::Broadcast(a_constant()?),
        "fixup" => Opcode::Fixup(a_constant()?),
        "add_integer" => Opcode::AddInteger(a_constant()?),
        "xor" => Opcode::Xor(a_constant()?),
        "scale" => Opcode::Scale(a_constant()?),
        "scale_add" => Opcode::ScaleAdd(a_constant()?),
        "scale_to" => Opcode::ScaleTo(a_constant()?),
        "move" => Opcode::Move,
        "parity" => Opcode::Parity,
        "weigh" => Opcode::Weigh,
        "weigh_sum" => Opcode::WeighSum,
        "even" => Opcode::Even,
        "lessen" => Opcode::Lessen,
        "truncate" => Opcode::Truncate,
        "multiply" => Opcode::Multiply,
        "first_lane" => Opcode::FirstLane,
        "with_first_lane" => Opcode::WithFirstLane,
        "add" => Opcode::Add,
        "subtract" => Opcode::Subtract,
        "upper_of_zero" => Opcode::UpperOfZero,
        "upper_by_sign" => Opcode::UpperBySign,
        "times_word" => Opcode::TimesWord(read_word(words.next()?)?),
        "add_word" => Opcode::AddWord(read_word(words.next()?)?),
        "add_words" => Opcode::AddWords,
        "shift_right" => Opcode::ShiftRight(number(words.next())?),
        "xor_words" => Opcode::XorWords,
        name => {
            let (plain, up) = name.strip_suffix("_up").map_or((name, false), |plain| (plain, true));
            let signs = MULTIPLY_ADDS.iter().find(|(known, _)| *known == plain)?.1;
            if up { Opcode::MultiplyAddUp(signs) } else { Opcode::MultiplyAdd(signs) }
        }
    };
    let mut from = [None; 2];
    for place in &mut from {
        *place = match words.next() {
            Some(word) => Some(read_place(word)?),
            None => None,
        };
    }
    words.next().is_none().then_some(Operation { opcode, width, to, from, origin, task })
}
