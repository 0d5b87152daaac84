//! Decoding of slices of codes to values.

use std::sync::{Arc, OnceLock};

use binade::catalog::{BF16, F16, F32, F64};
use binade::{Format, Projection, decode, project};
use binade_simd::lanes::{Leg, PairTable, TableLeg, Words};
use binade_simd::threads;
use binade_simd::{Isa, Kernel, TableKernel};

use crate::error::KernelError;
use crate::generic::convert;
use crate::generic::shapes;
use crate::generic::strips::{self, Strip};
use crate::plan::{Decode, code_shape};
use crate::slices::Codes;
use crate::values;

/// Decodes slices of codes to binary32, binary64, bfloat16 or binary16: [`binade::decode`] and one [`binade::project`]
/// to that format.
///
/// Most formats' values are exact in most of these. Other values are rounded once, to nearest even with overflow to
/// infinity unless [`Decoder::with_projection`] says otherwise.
///
/// # Fast formats
/// To binary32 and binary64: formats whose values are zero or normal in binary32. On machines with byte tables (AVX-512
/// VBMI), also every format of up to 8 bits. All others use tables of every code in memory.
#[derive(Clone, Debug)]
pub struct Decoder {
    format: Format,
    how: Projection,
    isa: Isa,
    threads: usize,
    plan: Option<Decode>,
    tables: Arc<Tables>,
}

/// Tables of every code, computed when first needed.
#[derive(Default)]
struct Tables {
    pairs_f32: OnceLock<Option<PairTable>>,
    pairs_bf16: OnceLock<PairTable>,
    pairs_f16: OnceLock<PairTable>,
    f32: OnceLock<Vec<f32>>,
    f64: OnceLock<Vec<f64>>,
    bf16: OnceLock<Vec<u16>>,
    f16: OnceLock<Vec<u16>>,
}

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tables")
    }
}

impl Decoder {
    /// A decoder on the best instruction set ([`Isa::detect`]), on one thread.
    ///
    /// # Errors
    /// If the format has more than 16 bits.
    pub fn new(format: Format) -> Result<Decoder, KernelError> {
        KernelError::check_format(format)?;
        Ok(Decoder {
            format,
            how: Projection::default(),
            isa: Isa::detect(),
            threads: 1,
            plan: Decode::new(&format),
            tables: Arc::default(),
        })
    }

    /// Rounds values that the target cannot represent in these modes. A stochastic mode uses its own `random` field for
    /// every element.
    pub fn with_projection(self, how: Projection) -> Decoder {
        if how == self.how { self } else { Decoder { how, tables: Arc::default(), ..self } }
    }

    /// Uses this instruction set.
    pub fn with_isa(self, isa: Isa) -> Decoder {
        Decoder { isa, ..self }
    }

    /// Uses this number of threads (0 counts as 1). Results do not depend on it.
    pub fn with_threads(self, threads: usize) -> Decoder {
        Decoder { threads, ..self }
    }

    /// The format decoded from.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Decodes to binary32.
    ///
    /// # Errors
    /// If the slices differ in length, or the elements of `codes` are too narrow for the format.
    pub fn decode_f32<'a>(
        &self,
        codes: impl Into<Codes<'a>>,
        destination: &mut [f32],
    ) -> Result<(), KernelError> {
        self.each(codes.into(), destination, Decoder::part_f32)
    }

    /// Decodes to binary64.
    ///
    /// # Errors
    /// As [`Decoder::decode_f32`].
    pub fn decode_f64<'a>(
        &self,
        codes: impl Into<Codes<'a>>,
        destination: &mut [f64],
    ) -> Result<(), KernelError> {
        self.each(codes.into(), destination, Decoder::part_f64)
    }

    /// Decodes to the bits of bfloat16 numbers.
    ///
    /// # Errors
    /// As [`Decoder::decode_f32`].
    pub fn decode_bf16<'a>(
        &self,
        codes: impl Into<Codes<'a>>,
        destination: &mut [u16],
    ) -> Result<(), KernelError> {
        self.each(codes.into(), destination, |decoder, codes, bits| {
            decoder.part_sixteen(BF16, &decoder.tables.pairs_bf16, &decoder.tables.bf16, codes, bits);
        })
    }

    /// Decodes to the bits of binary16 numbers.
    ///
    /// # Errors
    /// As [`Decoder::decode_f32`].
    pub fn decode_f16<'a>(
        &self,
        codes: impl Into<Codes<'a>>,
        destination: &mut [u16],
    ) -> Result<(), KernelError> {
        self.each(codes.into(), destination, |decoder, codes, bits| {
            decoder.part_sixteen(F16, &decoder.tables.pairs_f16, &decoder.tables.f16, codes, bits);
        })
    }

    fn each<D: Send>(
        &self,
        codes: Codes<'_>,
        destination: &mut [D],
        part: impl Fn(&Decoder, Codes<'_>, &mut [D]) + Sync + Send,
    ) -> Result<(), KernelError> {
        KernelError::check_element(self.format, codes.element_bits())?;
        KernelError::check_length("the destination", destination.len(), codes.len())?;
        threads::split(destination, self.threads, |start, piece| {
            part(self, codes.range(start..start + piece.len()), piece);
        });
        Ok(())
    }

    /// The codes in `target` of the first `count` codes.
    fn every(&self, target: Format, count: usize) -> impl Iterator<Item = u64> {
        let (format, how) = (self.format, self.how);
        (0..count as u64).map(move |code| project(target, decode(format, code), how).code)
    }

    pub(crate) fn part_f32(&self, codes: Codes<'_>, destination: &mut [f32]) {
        self.part_f32_on(self.isa, codes, destination);
    }

    /// [`Decoder::decode_f32`] on the calling thread, for slices of equal length.
    pub(crate) fn part_f32_on(&self, isa: Isa, codes: Codes<'_>, destination: &mut [f32]) {
        let pairs = || {
            self.tables.pairs_f32.get_or_init(|| {
                // Only if every value is the top half of its binary32 word.
                let words: Vec<u64> = self.every(F32, 256).collect();
                words
                    .iter()
                    .all(|word| word & 0xffff == 0)
                    .then(|| PairTable::new(|code| (words[code as usize] >> 16) as u16))
            })
        };
        match (codes, &self.plan) {
            (Codes::Bytes(codes), plan) if isa.prefers_tables() || plan.is_none() => match pairs() {
                Some(table) => isa.run_tables(Pairs { table, codes, destination }),
                None => self.look_up_f32(Codes::Bytes(codes), destination),
            },
            (Codes::Bytes(codes), Some(plan)) => isa.run(Compute { plan, codes, destination }),
            (Codes::Words(codes), Some(plan)) => isa.run(Compute { plan, codes, destination }),
            (codes, _) => self.look_up_f32(codes, destination),
        }
    }

    fn look_up_f32(&self, codes: Codes<'_>, destination: &mut [f32]) {
        let words = |word: u64| f32::from_bits(word as u32);
        let table = self.tables.f32.get_or_init(|| self.every(F32, 1 << 16).map(words).collect());
        look_up(table, codes, destination);
    }

    pub(crate) fn part_f64(&self, codes: Codes<'_>, destination: &mut [f64]) {
        if self.plan.is_none_or(|plan| plan.subnormals) {
            let table =
                self.tables.f64.get_or_init(|| self.every(F64, 1 << 16).map(f64::from_bits).collect());
            return look_up(table, codes, destination);
        }
        let mut buffer = [0.0; BUFFER];
        for (number, piece) in destination.chunks_mut(BUFFER).enumerate() {
            let start = number * BUFFER;
            let values = &mut buffer[..piece.len()];
            self.part_f32(codes.range(start..start + piece.len()), values);
            self.isa.run(Widen { values, destination: piece });
        }
    }

    fn part_sixteen(
        &self,
        target: Format,
        pairs: &OnceLock<PairTable>,
        full: &OnceLock<Vec<u16>>,
        codes: Codes<'_>,
        destination: &mut [u16],
    ) {
        match codes {
            Codes::Bytes(codes) => {
                let table = pairs.get_or_init(|| {
                    let codes: Vec<u64> = self.every(target, 256).collect();
                    PairTable::new(|code| codes[code as usize] as u16)
                });
                self.isa.run_tables(Pairs { table, codes, destination });
            }
            Codes::Words(_) => {
                let table =
                    full.get_or_init(|| self.every(target, 1 << 16).map(|code| code as u16).collect());
                look_up(table, codes, destination);
            }
        }
    }
}

/// Values that are widened at once.
const BUFFER: usize = 1024;

fn look_up<D: Copy>(table: &[D], codes: Codes<'_>, destination: &mut [D]) {
    match codes {
        Codes::Bytes(codes) => {
            destination.iter_mut().zip(codes).for_each(|(to, &code)| *to = table[code as usize])
        }
        Codes::Words(codes) => {
            destination.iter_mut().zip(codes).for_each(|(to, &code)| *to = table[code as usize])
        }
    }
}

struct Widen<'a> {
    values: &'a [f32],
    destination: &'a mut [f64],
}

impl Kernel for Widen<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        for (to, from) in self.destination.iter_mut().zip(self.values) {
            *to = f64::from_bits(values::widen_binary32(from.to_bits()));
        }
    }
}

/// Looks up bytes in a table of pairs.
struct Pairs<'a, D> {
    table: &'a PairTable,
    codes: &'a [u8],
    destination: &'a mut [D],
}

impl<D: binade_simd::lanes::PairTarget> TableKernel for Pairs<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run<L: TableLeg>(self, leg: L) {
        let stream = strips::streams(self.codes, self.destination);
        leg.translate_pairs(self.table, self.codes, self.destination, stream);
    }
}

/// Computes values by arithmetic on codes.
struct Compute<'a, C> {
    plan: &'a Decode,
    codes: &'a [C],
    destination: &'a mut [f32],
}

/// The elements in which codes are stored.
trait Code: Copy + Default {
    /// Loads codes: zero-extended, or sign-extended if `SIGNED`.
    ///
    /// # Safety
    /// `COUNT` elements are readable at `source`.
    unsafe fn load<V: Words, const SIGNED: bool>(any: V, source: *const Self) -> V;

    /// [`Words::load_binary16`].
    ///
    /// # Safety
    /// `COUNT` elements are readable at `source`.
    #[inline(always)]
    unsafe fn load_binary16<V: Words>(_any: V, _source: *const Self) -> Option<V> {
        None
    }
}

impl Code for u8 {
    #[inline(always)]
    unsafe fn load<V: Words, const SIGNED: bool>(any: V, source: *const u8) -> V {
        // SAFETY: the caller guarantees `COUNT` readable elements.
        unsafe { if SIGNED { any.load_i8(source) } else { any.load_u8(source) } }
    }
}

impl Code for u16 {
    #[inline(always)]
    unsafe fn load<V: Words, const SIGNED: bool>(any: V, source: *const u16) -> V {
        // SAFETY: the caller guarantees `COUNT` readable elements.
        unsafe { if SIGNED { any.load_i16(source) } else { any.load_u16(source) } }
    }
    #[inline(always)]
    unsafe fn load_binary16<V: Words>(any: V, source: *const u16) -> Option<V> {
        // SAFETY: the caller guarantees `COUNT` readable elements.
        unsafe { any.load_binary16(source) }
    }
}

impl<C: Code> Kernel for Compute<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, leg: L) {
        shapes!(code_shape, self.plan.shape(8 * size_of::<C>() as u32), self.shaped(leg):
            CLAMPING IEEE HALF CUT_SHORT P3109 FN FNUZ UHP);
    }
}

impl<C: Code> Compute<'_, C> {
    #[inline(always)]
    fn shaped<L: Leg, const SHAPE: u32>(self, leg: L) {
        let stream = strips::streams(self.codes, self.destination);
        let strip = InWords::<_, SHAPE> { any: leg.words(0), plan: *self.plan };
        strips::over(leg, &strip, self.codes, self.destination, stream);
    }
}

struct InWords<V, const SHAPE: u32> {
    any: V,
    plan: Decode,
}

impl<V: Words, C: Code, const SHAPE: u32> Strip<C, f32> for InWords<V, SHAPE> {
    const GROUP: usize = 4 * V::COUNT;

    #[inline(always)]
    unsafe fn run<const STREAM: bool>(&self, source: *const C, destination: *mut f32, _: usize) {
        for i in 0..4 {
            let at = i * V::COUNT;
            // SAFETY: this quarter is within the group that the caller guarantees.
            unsafe {
                let halves =
                    if SHAPE == code_shape::HALF { C::load_binary16(self.any, source.add(at)) } else { None };
                let words = if let Some(words) = halves {
                    words
                } else if SHAPE != code_shape::ANY && code_shape::signed(SHAPE, &self.plan) {
                    let codes = C::load::<V, true>(self.any, source.add(at));
                    convert::decode::<V, SHAPE>(&self.plan, codes)
                } else {
                    let codes = C::load::<V, false>(self.any, source.add(at));
                    convert::decode::<V, SHAPE>(&self.plan, codes)
                };
                words.store::<STREAM>(destination.add(at).cast());
            }
        }
    }
}
