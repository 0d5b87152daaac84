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
//! - The result is [`Operator::multiply_add`] of the lanes (`evaluate` for binary64), with (−1)^n · a, b and ± c as given by
//!   [`Fma`]. A rounding that the instruction carries is ignored, except by the identity.
//! - MXCSR's status flags and unmasked exceptions are those of the native instruction, which is executed for that.
//! - Flags, mask registers, general registers, all other vectors and all of the program's memory are as the instruction
//!   leaves them, below rsp too, which never moves but for calls; so are lanes left out by the mask and those beyond the vector's length.
//! - `f32:f32`, the identity, is the instruction itself: NaN payloads and the rounding mode are native.

use binade::Operator;
use binade::catalog::F32;
use iced_x86::{IcedError, Instruction};
use thiserror::Error;

use crate::fma::Fma;
use crate::tile::{self, Product};

mod assembler;
mod gate;
mod guard;
mod lanes;
mod pool;
mod power;
mod recipe;
mod site;
mod track;

pub(crate) use assembler::Assembler;
pub use gate::{Handler, Operands, double_of, gate};
pub use pool::{POOL_BYTES, pool};
pub(crate) use site::uppers_in_use;
pub use track::{Recovery, Track};

/// Which instructions the generated code may use, and which vectors there are to preserve.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Level {
    /// AVX2 and FMA, 16 vectors of 256 bits. Only for machines without AVX-512: wider vectors would be cut.
    Avx2,
    /// AVX-512 F, BW, DQ and VL.
    Avx512 {
        /// True if the machine has VPDPWSSD, which region translation uses.
        vnni: bool,
    },
}

impl Level {
    /// The level of this machine; `None` if it cannot execute fused multiply-adds on AVX2 vectors.
    pub fn detect() -> Option<Level> {
        #[cfg(target_arch = "x86_64")]
        {
            if ["avx512f", "avx512bw", "avx512dq", "avx512vl"].into_iter().all(has) {
                return Some(Level::Avx512 { vnni: has("avx512vnni") });
            }
            if has("avx2") && has("fma") {
                return Some(Level::Avx2);
            }
        }
        None
    }

    /// Returns true for AVX-512.
    pub const fn wide(self) -> bool {
        matches!(self, Level::Avx512 { .. })
    }
}

#[cfg(target_arch = "x86_64")]
fn has(feature: &str) -> bool {
    match feature {
        "avx2" => std::is_x86_feature_detected!("avx2"),
        "fma" => std::is_x86_feature_detected!("fma"),
        "avx512f" => std::is_x86_feature_detected!("avx512f"),
        "avx512bw" => std::is_x86_feature_detected!("avx512bw"),
        "avx512dq" => std::is_x86_feature_detected!("avx512dq"),
        "avx512vl" => std::is_x86_feature_detected!("avx512vl"),
        "avx512vnni" => std::is_x86_feature_detected!("avx512vnni"),
        _ => false,
    }
}

/// The operator that sites compute, and the machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// The arithmetic.
    pub operator: Operator,
    /// The machine.
    pub level: Level,
    /// True if every execution goes through the gate, so that its handler can observe it.
    pub observed: bool,
    /// The machine's vector units.
    pub units: Units,
}

/// The vector units of a machine, which decide how it rounds fastest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Units {
    /// Multiply-adds, additions and integers start on the same ports, as on Intel's processors.
    Shared,
    /// Additions have pipes of their own, as on AMD's.
    Apart,
    /// And are done in two or three cycles, as from AMD's family 1Ah on (Zen 5).
    ApartAndShort,
}

impl Units {
    /// The units of this machine.
    pub fn of_machine() -> Units {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::__cpuid;
            let vendor = __cpuid(0);
            if [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes).concat() == b"GenuineIntel" {
                return Units::Shared;
            }
            // Base family and extended family.
            let signature = __cpuid(1).eax;
            if (signature >> 8 & 0xf) + (signature >> 20 & 0xff) >= 0x1a {
                return Units::ApartAndShort;
            }
        }
        Units::Apart
    }
}

impl Target {
    /// A target that is not observed, of a machine with pipes for additions.
    pub fn new(operator: Operator, level: Level) -> Target {
        Target { operator, level, observed: false, units: Units::Apart }
    }

    /// Returns true if multiply-adds of an element go out of line, through the gate: the operator has no code of its own for them.
    pub fn through_gate(&self, element: crate::fma::Element) -> bool {
        !self.identity() && recipe::Recipe::of(self, element).is_none()
    }

    /// Returns true if instructions compute their native results: `f32:f32`.
    pub fn identity(&self) -> bool {
        is_identity(&self.operator)
    }
}

/// Returns true if an operator is `f32:f32`, under which everything is native.
pub fn is_identity(operator: &Operator) -> bool {
    operator.as_pair() == Some((F32, F32))
}

/// Where a trampoline will stand, and what it refers to; all within 2 GiB of each other and of the site.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The trampoline's address.
    pub at: u64,
    /// The address of [`pool`](fn@pool), aligned to 64 bytes.
    pub constants: u64,
    /// The address of [`gate`](fn@gate).
    pub gate: u64,
    /// The address of the [gate](crate::snapshot) for products of tiles; 0 if they are native.
    pub tiles: u64,
    /// A number of the caller's for the site, which the gate's handler gets.
    pub site: u32,
    /// If upper halves of vectors are clean ahead of an instruction of at most 128 bits, they are clean behind it, too: for
    /// legacy SSE code that may follow. Only valid where [`knows_clean_uppers`].
    pub keeps_clean: bool,
}

/// True where legacy SSE instructions are slow while upper halves of vectors are in use, and XGETBV with ECX = 1 tells of that:
/// Intel's processors. On a Xeon with AMX the first such instruction takes 180 to 450 ns, XGETBV 5 ns.
pub fn knows_clean_uppers() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{__cpuid, __cpuid_count};
        const OSXSAVE: u32 = 1 << 27;
        const XGETBV_1: u32 = 1 << 2;
        return Units::of_machine() == Units::Shared
            && __cpuid(1).ecx & OSXSAVE != 0
            && __cpuid(0).eax >= 0xd
            && __cpuid_count(0xd, 1).eax & XGETBV_1 != 0;
    }
    #[allow(unreachable_code)]
    false
}

/// Why an instruction has no trampoline.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Unsupported {
    /// An EVEX instruction for a machine without.
    #[error("an EVEX instruction cannot run on a machine without AVX-512")]
    Evex,
    /// The operator's steps take more vectors than there are beside the instruction's own.
    #[error("it leaves too few vector registers for the operator")]
    Vectors,
    /// Something is beyond 2 GiB, or the encoder refused.
    #[error("not encodable at its place: {0}")]
    Encoding(String),
}

impl From<IcedError> for Unsupported {
    fn from(error: IcedError) -> Unsupported {
        Unsupported::Encoding(error.to_string())
    }
}

/// The code for one site, which goes on at `then`.
pub(crate) fn leading_to(
    fma: &Fma,
    target: &Target,
    place: Place,
    then: u64,
) -> Result<(Vec<u8>, Track), Unsupported> {
    if target.identity() && !target.observed {
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
    /// Where the first instruction's code is, which leads to all else.
    pub fn entry(&self) -> u64 {
        self.tracks[0].code.start
    }

    /// The address of each instruction's code, with the instruction's own first.
    pub fn places(&self) -> impl Iterator<Item = (u64, u64)> + Clone + '_ {
        self.tracks.iter().map(|track| (track.original, track.code.start))
    }
}

/// The code for a [span](crate::span::Span): multiply-adds that `selected` chooses under the operator, and all else moved.
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
    for instruction in span.iter().rev() {
        chain.code.resize(chain.code.len().next_multiple_of(16), 0xcc);
        let place = Place { at: place.at + chain.code.len() as u64, ..place };
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
