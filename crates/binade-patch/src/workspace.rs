//! Memory of a thread's own for the code that runs in place of the program's.
//!
//! A program may let rsp point anywhere as long as no signal comes: the products that oneDNN generates let it point to
//! the start of a buffer on the heap, and the memory below it belongs to other code. So generated code neither moves rsp nor
//! touches the memory below. GS, which programs of this system have no use for, points to the thread's workspace:
//!
//! ```text
//! gs:0        the header: where things are, and the program's registers meanwhile
//! gs:256      the frame of a trampoline or a region, up to 32 KiB
//! gs:32768    a stack, from its end downwards, for what generated code calls
//! ```
//!
//! A handler of a signal that interrupts such code may come to such code itself. It is given the next workspace of the
//! thread; there are [`LEVELS`].

use std::mem::offset_of;

use iced_x86::{Code, IcedError, Instruction, MemoryOperand, Register};

/// Bytes of a workspace.
pub const BYTES: usize = 1 << 17;
/// Workspaces of a thread, one behind the other.
pub const LEVELS: usize = 8;
/// Bytes of all workspaces of a thread.
pub const AREA: usize = LEVELS * BYTES;

/// The start of the frame.
const FRAME: usize = 256;
/// Bytes of the longest frame.
pub(crate) const FRAME_BYTES: i64 = (1 << 15) - FRAME as i64;

/// The start of a workspace.
#[repr(C)]
#[derive(Debug)]
pub struct Header {
    /// Its address.
    pub own: u64,
    /// The address of the frame.
    frame: u64,
    /// The end of its stack.
    pub top: u64,
    /// The program's rsp while rsp points into this stack.
    pub stack: u64,
    /// The register of the program that points to the frame, and rcx.
    general: [u64; 2],
    /// The target of code that leaves by a jump through memory.
    pub target: u64,
    /// Its number among the thread's.
    pub level: u64,
    /// The number of regions to be entered without trying their quick copies first.
    pause: u64,
    /// rax and rdx, while it is read which vectors are in use.
    probed: [u64; 2],
    /// 0 if upper halves of vectors were clean.
    uppers: u64,
}

/// Fields that generated code uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Field {
    Frame,
    Top,
    Stack,
    Pointer,
    Counter,
    Target,
    Pause,
    ProbedA,
    ProbedD,
    Uppers,
}

impl Field {
    fn offset(self) -> usize {
        match self {
            Field::Frame => offset_of!(Header, frame),
            Field::Top => offset_of!(Header, top),
            Field::Stack => offset_of!(Header, stack),
            Field::Pointer => offset_of!(Header, general),
            Field::Counter => offset_of!(Header, general) + 8,
            Field::Target => offset_of!(Header, target),
            Field::Pause => offset_of!(Header, pause),
            Field::ProbedA => offset_of!(Header, probed),
            Field::ProbedD => offset_of!(Header, probed) + 8,
            Field::Uppers => offset_of!(Header, uppers),
        }
    }

    /// The field's address in a workspace.
    pub(crate) fn at(self, workspace: u64) -> u64 {
        workspace + self.offset() as u64
    }

    fn operand(self) -> MemoryOperand {
        let (none, offset) = (Register::None, self.offset() as i64);
        MemoryOperand::new(none, none, 1, offset, 4, false, Register::GS)
    }

    /// A general register into the field. No flag is touched.
    pub(crate) fn keep(self, register: Register) -> Result<Instruction, IcedError> {
        Instruction::with2(Code::Mov_rm64_r64, self.operand(), register)
    }

    /// The field into a general register. No flag is touched.
    pub(crate) fn load(self, register: Register) -> Result<Instruction, IcedError> {
        Instruction::with2(Code::Mov_r64_rm64, register, self.operand())
    }

    /// A jump to where the field says.
    pub(crate) fn jump(self) -> Result<Instruction, IcedError> {
        Instruction::with1(Code::Jmp_rm64, self.operand())
    }
}

/// The address of a workspace's frame.
pub(crate) fn frame(workspace: u64) -> u64 {
    workspace + FRAME as u64
}

impl Header {
    /// The header of the workspace of a level at an address.
    pub fn new(own: u64, level: u64) -> Header {
        let top = own + BYTES as u64;
        Header {
            own,
            frame: frame(own),
            top,
            stack: 0,
            general: [0; 2],
            target: 0,
            level,
            pause: 0,
            probed: [0; 2],
            uppers: 0,
        }
    }

    /// Returns true if an rsp points into the workspace's stack.
    pub fn holds(&self, stack: u64) -> bool {
        (frame(self.own) + FRAME_BYTES as u64..=self.top).contains(&stack)
    }
}

/// Makes a workspace the thread's.
///
/// # Safety
/// `own` is the address of [`BYTES`] bytes, aligned to 64. Only this thread uses them as long as GS points to them, and no other
/// code uses the thread's GS.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub unsafe fn enter(own: u64, level: u64) {
    // SAFETY: `own` is writable memory of this thread, of a header's size and alignment.
    unsafe {
        (own as *mut Header).write(Header::new(own, level));
        resume(own);
    }
}

/// Makes a workspace the thread's again that it had [entered](enter) before.
///
/// # Safety
/// As of [`enter`].
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub unsafe fn resume(own: u64) {
    const ARCH_SET_GS: libc::c_int = 0x1001;
    // SAFETY: changes the base of GS only, which no other code of the thread uses.
    unsafe {
        if has_wrgsbase() {
            // wrgsbase rsi
            std::arch::asm!(".byte 0xf3, 0x48, 0x0f, 0xae, 0xde", in("rsi") own, options(nostack, preserves_flags));
        } else {
            libc::syscall(libc::SYS_arch_prctl, ARCH_SET_GS, own);
        }
    }
}

/// Returns true if the system lets programs write the base of GS by an instruction, which no sandbox forbids.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub fn has_wrgsbase() -> bool {
    const FSGSBASE: u64 = 2;
    // SAFETY: reads what the kernel gave the process.
    unsafe { libc::getauxval(libc::AT_HWCAP2) & FSGSBASE != 0 }
}
