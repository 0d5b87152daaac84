//! `--also dot`: products of tiles (AMX), which the operator computes in the order of the instruction.
//!
//! The tiles themselves stay in their registers: nothing of the agent's uses those. The handler stores the three that it
//! needs, and loads the sum again.

use std::arch::asm;
use std::ffi::c_void;

use binade_patch::snapshot::{Snapshot, WORD};
use binade_patch::tile::{DONE, NATIVE, Product, ROWS, Tile};

use crate::observe::Observer;

/// Bytes of a row.
const STRIDE: usize = 4 * ROWS;

#[repr(C, align(64))]
struct Kept<T>(T);

/// The configuration of tiles.
///
/// # Safety
/// The machine has tiles: the program is at an instruction that uses them.
unsafe fn configuration() -> [u8; 64] {
    let mut kept = Kept([0; 64]);
    // SAFETY: STTILECFG writes 64 bytes. It is `sttilecfg [rsi]`, and changes nothing else.
    unsafe {
        asm!(".byte 0xc4, 0xe2, 0x79, 0x49, 0x06", in("rsi") kept.0.as_mut_ptr(), options(nostack, preserves_flags));
    }
    kept.0
}

/// `tilestored [rsi + rdi], tmmN` or `tileloadd tmmN, [rsi + rdi]`, N being bits 3 to 5 of the byte behind the opcode.
macro_rules! each_tile {
    ($prefix:literal, $number:expr, $memory:expr) => {
        each_tile!(@ $prefix, $number, $memory, 0x04, 0x0c, 0x14, 0x1c, 0x24, 0x2c, 0x34, 0x3c)
    };
    (@ $prefix:literal, $number:expr, $memory:expr, $zero:literal, $($rest:literal),*) => {
        match ($number & 7) * 8 + 4 {
            $($rest => asm!(
                ".byte 0xc4, 0xe2, {prefix}, 0x4b, {operands}, 0x3e",
                prefix = const $prefix,
                operands = const $rest,
                in("rsi") $memory,
                in("rdi") STRIDE,
                options(nostack, preserves_flags)
            ),)*
            _ => asm!(
                ".byte 0xc4, 0xe2, {prefix}, 0x4b, {operands}, 0x3e",
                prefix = const $prefix,
                operands = const $zero,
                in("rsi") $memory,
                in("rdi") STRIDE,
                options(nostack, preserves_flags)
            ),
        }
    };
}

/// A tile's bytes; rows and columns beyond its configuration are 0.
///
/// # Safety
/// Tiles are configured.
unsafe fn stored(number: u8) -> Kept<Tile> {
    let mut tile = Kept([[0; ROWS]; ROWS]);
    // SAFETY: a tile has no more bytes than that.
    unsafe { each_tile!(0x7a, number, tile.0.as_mut_ptr()) };
    tile
}

/// # Safety
/// Tiles are configured; the program is to find another value in this one.
unsafe fn load(number: u8, tile: &Kept<Tile>) {
    // SAFETY: tiles are configured, and this one is the result that the program waits for.
    unsafe { each_tile!(0x7b, number, tile.0.as_ptr()) };
}

/// The handler of the gate for products of tiles.
///
/// # Safety
/// Called by the gate from the code of a product, whose word is behind the call; the context is an [`Observer`].
pub(crate) unsafe extern "C" fn handle(snapshot: *mut Snapshot, context: *const c_void) {
    // SAFETY: the gate gives its own frame and its context; the word is part of the code behind the call.
    let (now, observer, word) = unsafe {
        let now = &mut *snapshot;
        let word = (now.target as *const [u8; WORD as usize]).read();
        (now, &*context.cast::<Observer>(), u64::from_le_bytes(word))
    };
    let product = Product::of_word(word);
    // SAFETY: the program is at a product of tiles.
    let shape = product.shape(&unsafe { configuration() });
    let Some(shape) = shape else {
        // The instruction itself faults.
        now.target += NATIVE;
        return;
    };
    // SAFETY: the tiles are configured, and the sum is what the program finds another value in.
    unsafe {
        let (mut sum, a, b) = (stored(product.sum), stored(product.a), stored(product.b));
        let emulator = observer.emulator();
        Product::compute(shape, &mut sum.0, [&a.0, &b.0], |operands| emulator.multiply_add(operands));
        load(product.sum, &sum);
    }
    now.target += DONE;
}
