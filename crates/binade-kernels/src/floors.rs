//! The fastest a machine can be: loops that move the bytes of a conversion without computing. Benchmarks report speeds
//! relative to these in the same run.

use binade_simd::lanes::{Leg, Words};
use binade_simd::{Isa, Kernel};

use crate::generic::strips::{self, Strip};

macro_rules! floors {
    ($($(#[$doc:meta])* $name:ident: $source:ty => $destination:ty, |$any:ident, $from:ident, $to:ident, $STREAM:ident| $body:expr;)*) => { $(
        $(#[$doc])*
        pub fn $name(isa: Isa, source: &[$source], destination: &mut [$destination], stream: bool) {
            struct Move<'a>(&'a [$source], &'a mut [$destination], bool);
            struct Group<V>(V);

            impl<V: Words> Strip<$source, $destination> for Group<V> {
                const GROUP: usize = 4 * V::COUNT;

                #[inline(always)]
                unsafe fn run<const $STREAM: bool>(&self, $from: *const $source, $to: *mut $destination, _: usize) {
                    let $any = self.0;
                    // SAFETY: every access is to a quarter of the group that the caller guarantees, or to all of it.
                    unsafe { $body }
                }
            }

            impl Kernel for Move<'_> {
                type Output = ();

                #[inline(always)]
                fn run<L: Leg>(self, leg: L) {
                    strips::over(leg, &Group(leg.words(0)), self.0, self.1, self.2);
                }
            }

            isa.run(Move(source, destination, stream));
        }
    )* };
}

/// Evaluates an expression for each quarter of a group.
macro_rules! quarters {
    ($i:ident, $body:expr) => {
        [
            {
                let $i = 0;
                $body
            },
            {
                let $i = 1;
                $body
            },
            {
                let $i = 2;
                $body
            },
            {
                let $i = 3;
                $body
            },
        ]
    };
}

floors! {
    /// Writes the low bytes of binary32 words.
    pack: f32 => u8, |any, from, to, STREAM|
        V::pack_u8::<STREAM>(quarters!(i, any.load_f32(from.add(i * V::COUNT))), to);
    /// Writes the low halves of binary32 words.
    pack_words: f32 => u16, |any, from, to, STREAM|
        V::pack_u16::<STREAM>(quarters!(i, any.load_f32(from.add(i * V::COUNT))), to);
    /// Writes the low bytes of the high words of binary64 numbers.
    pack_f64: f64 => u8, |any, from, to, STREAM|
        V::pack_u8::<STREAM>(quarters!(i, any.load_f64(from.add(i * V::COUNT)).0), to);
    /// Writes bytes as zero-extended words.
    unpack: u8 => f32, |any, from, to, STREAM| for i in 0..4 {
        any.load_u8(from.add(i * V::COUNT)).store::<STREAM>(to.add(i * V::COUNT).cast());
    };
    /// Writes 16-bit words as zero-extended words.
    unpack_words: u16 => f32, |any, from, to, STREAM| for i in 0..4 {
        any.load_u16(from.add(i * V::COUNT)).store::<STREAM>(to.add(i * V::COUNT).cast());
    };
}
