//! Code that takes the place of one multiply-add instruction.
//!
//! A site is patched with a five-byte jump to its trampoline, which computes the instruction's result under an operator
//! and jumps back behind it. All here is pure: instruction, addresses and operator go in, bytes come out.
//!
//! ```text
//!     a register and rcx to the thread's workspace          no flag is touched: MOV only
//!     are upper halves clean, and to be clean afterwards?   XGETBV tells; VZEROUPPER in the end
//!     scratch vectors to the frame
//!     the instruction itself, into a scratch vector         its exceptions, status and faults are the native ones
//!     memory operand into a scratch vector, masked alike
//!     may anything be subnormal, and does the guest         found from the operands (`guard`), then by an addition:
//!     flush denormals? default MXCSR                        MXCSR is slow to read and to write
//!     a · b + c under the operator                          inline (`recipe`), or through the gate
//!     the result into the destination, masked alike
//!     everything back, jump
//! ```
//!
//! Every trampoline guarantees under any MXCSR of the guest:
//!
//! - The result is [`Operator::multiply_add`](binade::Operator::multiply_add) of the lanes (`evaluate` for binary64), with
//!   (−1)^n · a, b and ± c as given by [`Fma`]; of sums within a register, several of them. A rounding that the instruction carries is ignored, except by the identity.
//! - MXCSR's status flags and unmasked exceptions are those of the native instruction, which is executed for that.
//! - Flags, mask registers, general registers, all other vectors and all of the program's memory are as the instruction
//!   leaves them, below rsp too, which never moves but for calls; so are lanes left out by the mask and those beyond the vector's length.
//! - `f32:f32`, the identity, is the instruction itself: NaN payloads and the rounding mode are native. With another
//!   [rounding](ProgramRounding) the result is [`RoundedMultiplyAdd`]'s.

use iced_x86::Instruction;

use crate::fma::{Element, Fma, Form};
use crate::tile::{self, Product};
use recipe::Recipe;

mod assembler;
mod gate;
mod guard;
mod lanes;
mod place;
mod pool;
mod power;
mod recipe;
mod rounding;
mod site;
mod target;
mod track;

pub(crate) use assembler::Assembler;
pub use gate::{Handler, Operands, double_of, gate};
pub use place::{Place, Unsupported};
pub use pool::{POOL_BYTES, pool};
pub(crate) use rounding::HASH_WORDS;
pub use rounding::{ProgramRounding, RoundedMultiplyAdd, random_word, random_word_64};
pub(crate) use site::uppers_in_use;
pub use target::{Level, Target, Units, is_identity, knows_clean_uppers};
pub use track::{Recovery, Track};

impl Target {
    /// Returns true if multiply-adds of an element go out of line, through the gate: the operator has no code of its own for them.
    pub fn through_gate(&self, element: Element) -> bool {
        !self.identity() && Recipe::of(self, element).is_none()
    }
}

/// The random word of an instruction of a span, by its number there, given the first one's.
pub fn word_in_span(first: u32, number: usize) -> u32 {
    /// The difference of the words of instructions that follow each other.
    const STEP: u32 = 0x9e37_79b9;
    first.wrapping_add((number as u32).wrapping_mul(STEP))
}

/// The code for one site, which goes on at `then`.
pub(crate) fn leading_to(
    fma: &Fma,
    target: &Target,
    place: Place,
    then: u64,
) -> Result<(Vec<u8>, Track), Unsupported> {
    // A profile counts no sums of products within a register.
    if target.identity() && (!target.observed || fma.form == Form::Across) {
        moved(&fma.instruction, place.at, then)
    } else {
        site::generate(fma, target, place, then)
    }
}

/// The code for the instructions that a jump covers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chain {
    /// Its code, to be put at `place.at`.
    pub code: Vec<u8>,
    /// The code for each instruction, in order.
    pub tracks: Vec<Track>,
}

impl Chain {
    /// The address of the first instruction's code, which leads to all other code.
    pub fn entry(&self) -> u64 {
        self.tracks[0].code.start
    }

    /// The address of each instruction's code, with the instruction's own first.
    pub fn places(&self) -> impl Iterator<Item = (u64, u64)> + Clone + '_ {
        self.tracks.iter().map(|track| (track.original, track.code.start))
    }
}

/// The code for a [span](crate::span::Span): multiply-adds that `selected` chooses under the operator, and all else moved.
/// `place.site` numbers the first instruction, unless it is 0, and each next one has the next number; `place.word` is the first one's,
/// and each next one has another.
///
/// # Errors
/// If one of the instructions cannot be served there; the span must then be left alone.
pub fn chain(
    span: &[Instruction],
    selected: impl Fn(&Fma) -> bool,
    target: &Target,
    place: Place,
) -> Result<Chain, Unsupported> {
    let mut chain = Chain { code: vec![], tracks: vec![] };
    let mut then = span.last().map_or(place.at, Instruction::next_ip);
    // Each leads on to the next one, so the last comes first.
    for (index, instruction) in span.iter().enumerate().rev() {
        chain.code.resize(chain.code.len().next_multiple_of(16), 0xcc);
        let site = if place.site == 0 { 0 } else { place.site + index as u32 };
        let word = word_in_span(place.word, index);
        let place = Place { at: place.at + chain.code.len() as u64, site, word, ..place };
        let product = Product::decode(instruction).filter(|_| place.tiles != 0);
        let (code, track) = match (Fma::decode(instruction).filter(&selected), product) {
            (Some(fma), _) => leading_to(&fma, target, place, then)?,
            (None, Some(product)) => tile::code(instruction, product, place.at, place.tiles, then)?,
            (None, None) => moved(instruction, place.at, then)?,
        };
        chain.code.extend(code);
        chain.tracks.push(track);
        then = place.at;
    }
    chain.tracks.reverse();
    Ok(chain)
}

/// An instruction at another address, going on at `then`.
fn moved(instruction: &Instruction, at: u64, then: u64) -> Result<(Vec<u8>, Track), Unsupported> {
    let mut near = *instruction;
    // A short jump would not reach.
    near.as_near_branch();
    let mut code = Assembler::new(at);
    code.emit(near)?;
    let done = code.next();
    code.jump(then)?;
    let range = at..code.next();
    let (original, next) = (instruction.ip(), instruction.next_ip());
    Ok((code.finish(), Track { code: range, original, next, done, kept: None }))
}
