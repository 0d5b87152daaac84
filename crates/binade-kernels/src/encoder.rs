//! Encoding of slices of values to codes.

use binade::catalog::F16;
use binade::{Datum, Edition, Flags, Format, Projection, Rounding, Saturation, project_in};
use binade_simd::Environment;
use binade_simd::lanes::{HalvesLeg, Lanes, Leg, Words};
use binade_simd::threads;
use binade_simd::{HalvesKernel, Isa, Kernel};

use crate::error::KernelError;
use crate::generic::convert;
use crate::generic::shapes;
use crate::generic::strips::{self, Strip};
use crate::philox::{self, RUN, Run};
use crate::plan::{Adding, BINARY32, BINARY32_HALF, BINARY64, Encode, shape};
use crate::slices::CodesMut;
use crate::values::{self, Values};

/// Encodes slices of values in a format, as [`binade::project_in`] does: one rounding, in any mode and either edition.
///
/// Sources are binary32 and binary64, and bfloat16 and binary16 given as their bits. A code takes a byte for formats of
/// up to 8 bits, or a 16-bit word for any format.
///
/// # Fast formats
/// A format is fast if three conditions hold: its smallest normal value is a normal number of the source (at least
/// 2^−126 for binary32, 2^−1022 for binary64) and within its range; it has a zero; and if it has IEEE 754's NaNs it
/// also has an infinity. That is every named format except `float8_e8m0fnu` and the P3109 formats with the largest
/// exponent ranges. From binary32, formats of at most 6 bits of precision and 8 bits of width are fastest. Stochastic
/// rounding is fast in variant A, and in B with fewer than 32 bits. The scalar definition computes everything else, one
/// element at a time.
///
/// # Stochastic rounding
/// Element i of a call is rounded with the random bits that [`Rounding::drawn`] gives element first + i under the seed; the `random` field of the mode is not used. So results do not depend on how a tensor is cut
/// into calls if each says where it starts, [`Encoder::starting_at`].
#[derive(Clone, Copy, Debug)]
pub struct Encoder {
    format: Format,
    how: Projection,
    edition: Edition,
    isa: Isa,
    threads: usize,
    seed: u64,
    first: u64,
    from_f32: Option<Encode>,
    from_f32_half: Option<Encode>,
    from_f64: Option<Encode>,
}

impl Encoder {
    /// An encoder by the definitions of P3109 0.9.1, on the best instruction set ([`Isa::detect`]), on one thread, with
    /// seed 0 from element 0.
    ///
    /// # Errors
    /// If the format has more than 16 bits.
    pub fn new(format: Format, rounding: Rounding, saturation: Saturation) -> Result<Encoder, KernelError> {
        Encoder::in_edition(format, Projection::new(rounding, saturation), Edition::Interim)
    }

    /// [`Encoder::new`] by the definitions of an edition of P3109.
    ///
    /// # Errors
    /// As [`Encoder::new`].
    pub fn in_edition(format: Format, how: Projection, edition: Edition) -> Result<Encoder, KernelError> {
        KernelError::check_format(format)?;
        let stochastic = matches!(how.rounding, Rounding::Stochastic { .. });
        // The kernels implement 0.9.1; the scalar definition computes modes that have no equivalent there.
        let kernels = how.as_interim(&format, edition);
        let plan = |source| kernels.and_then(|how| Encode::new(&format, how, source));
        // Random bits are compared with the whole fraction, which 16-bit lanes do not have.
        let from_f32_half = if stochastic { None } else { plan(BINARY32_HALF) };
        Ok(Encoder {
            format,
            how,
            edition,
            isa: Isa::detect(),
            threads: 1,
            seed: 0,
            first: 0,
            from_f32: plan(BINARY32),
            from_f32_half: from_f32_half.filter(|_| format.width() <= 8),
            from_f64: plan(BINARY64),
        })
    }

    /// Uses this instruction set.
    pub fn with_isa(self, isa: Isa) -> Encoder {
        Encoder { isa, ..self }
    }

    /// Uses this number of threads (0 counts as 1). Results do not depend on it.
    pub fn with_threads(self, threads: usize) -> Encoder {
        Encoder { threads, ..self }
    }

    /// Uses this seed for stochastic rounding.
    pub fn with_seed(self, seed: u64) -> Encoder {
        Encoder { seed, ..self }
    }

    /// Sets the index of a slice's first element within the whole that is rounded stochastically.
    pub fn starting_at(self, first: u64) -> Encoder {
        Encoder { first, ..self }
    }

    /// The index of a slice's first element.
    pub fn first(&self) -> u64 {
        self.first
    }

    /// The format encoded to.
    pub fn format(&self) -> Format {
        self.format
    }

    pub(crate) fn isa(&self) -> Isa {
        self.isa
    }

    pub(crate) fn edition(&self) -> Edition {
        self.edition
    }

    /// The rounding and saturation modes.
    pub fn projection(&self) -> Projection {
        self.how
    }

    /// Encodes binary32 values.
    ///
    /// # Errors
    /// If the slices differ in length, or the destination's elements are too narrow.
    pub fn encode_f32<'a>(
        &self,
        source: &[f32],
        destination: impl Into<CodesMut<'a>>,
    ) -> Result<(), KernelError> {
        self.encode(Values::Binary32(source), destination.into())
    }

    /// Encodes binary64 values, rounding once.
    ///
    /// # Errors
    /// As [`Encoder::encode_f32`].
    pub fn encode_f64<'a>(
        &self,
        source: &[f64],
        destination: impl Into<CodesMut<'a>>,
    ) -> Result<(), KernelError> {
        self.encode(Values::Binary64(source), destination.into())
    }

    /// Encodes bfloat16 values, given as their bits.
    ///
    /// # Errors
    /// As [`Encoder::encode_f32`].
    pub fn encode_bf16<'a>(
        &self,
        source: &[u16],
        destination: impl Into<CodesMut<'a>>,
    ) -> Result<(), KernelError> {
        self.encode(Values::Bfloat16(source), destination.into())
    }

    /// Encodes binary16 values, given as their bits.
    ///
    /// # Errors
    /// As [`Encoder::encode_f32`].
    pub fn encode_f16<'a>(
        &self,
        source: &[u16],
        destination: impl Into<CodesMut<'a>>,
    ) -> Result<(), KernelError> {
        self.encode(Values::Binary16(source), destination.into())
    }

    /// The union of the flags that encoding these binary32 values raises: those of [`binade::ops::convert`].
    pub fn flags_f32(&self, source: &[f32]) -> Flags {
        self.flags(Values::Binary32(source))
    }

    /// The union of the flags that encoding these binary64 values raises.
    pub fn flags_f64(&self, source: &[f64]) -> Flags {
        self.flags(Values::Binary64(source))
    }

    /// The union of the flags that encoding these bfloat16 values raises.
    pub fn flags_bf16(&self, source: &[u16]) -> Flags {
        self.flags(Values::Bfloat16(source))
    }

    /// The union of the flags that encoding these binary16 values raises.
    pub fn flags_f16(&self, source: &[u16]) -> Flags {
        self.flags(Values::Binary16(source))
    }

    fn encode(&self, source: Values<'_>, destination: CodesMut<'_>) -> Result<(), KernelError> {
        KernelError::check_element(self.format, destination.element_bits())?;
        KernelError::check_length("the destination", destination.len(), source.len())?;
        let part = |start: usize, piece: CodesMut<'_>| {
            let encoder = self.starting_at(self.first.wrapping_add(start as u64));
            encoder.encode_part(source.range(start..start + piece.len()), piece);
        };
        match destination {
            CodesMut::Bytes(codes) => {
                threads::split(codes, self.threads, |start, piece| part(start, piece.into()))
            }
            CodesMut::Words(codes) => {
                threads::split(codes, self.threads, |start, piece| part(start, piece.into()))
            }
        }
        Ok(())
    }

    /// Encodes on the calling thread; lengths are equal.
    pub(crate) fn encode_part(&self, source: Values<'_>, mut destination: CodesMut<'_>) {
        match (source, self.from_f32, self.from_f64) {
            (Values::Binary32(source), Some(plan), _) => match destination {
                CodesMut::Bytes(codes) => {
                    if !self.run_in_halves(source, codes) {
                        self.run(plan, source, codes);
                    }
                }
                CodesMut::Words(codes) => self.run(plan, source, codes),
            },
            (Values::Binary64(source), _, Some(plan)) => match destination {
                CodesMut::Bytes(codes) => self.run(plan, source, codes),
                CodesMut::Words(codes) => self.run(plan, source, codes),
            },
            (Values::Bfloat16(bits) | Values::Binary16(bits), Some(_), _) => {
                self.widened(bits, matches!(source, Values::Binary16(_)), |encoder, start, values| {
                    encoder.encode_part(
                        Values::Binary32(values),
                        destination.range(start..start + values.len()),
                    );
                });
            }
            _ => {
                for at in 0..source.len() {
                    let rounded = project_in(self.format, source.value(at), self.how_at(at), self.edition);
                    destination.set(at, rounded.code as u16);
                }
            }
        }
    }

    /// Widens 16-bit values to binary32, one buffer at a time, and calls `work(encoder, start, values)`.
    fn widened(&self, bits: &[u16], binary16: bool, mut work: impl FnMut(Encoder, usize, &[f32])) {
        let mut buffer = [0.0; BUFFER];
        for (number, bits) in bits.chunks(BUFFER).enumerate() {
            let (start, values) = (number * BUFFER, &mut buffer[..bits.len()]);
            self.widen(bits, binary16, values);
            work(self.starting_at(self.first.wrapping_add(start as u64)), start, values);
        }
    }

    /// Widens 16-bit values to binary32 in `values`.
    pub(crate) fn widen<'a>(&self, bits: &[u16], binary16: bool, values: &'a mut [f32]) -> Values<'a> {
        self.isa.run(Widen { bits, binary16, values: &mut *values });
        Values::Binary32(values)
    }

    /// The mode for element `at` of a slice, with its random bits.
    pub(crate) fn how_at(&self, at: usize) -> Projection {
        let rounding = self.how.rounding.drawn(self.seed, self.first.wrapping_add(at as u64));
        Projection { rounding, ..self.how }
    }

    /// Encodes binary32 to bytes in 16-bit lanes. Returns false, with nothing done, if the leg or the format does not
    /// allow it.
    fn run_in_halves(&self, source: &[f32], codes: &mut [u8]) -> bool {
        let Some(plan) = self.from_f32_half.filter(|_| self.isa.has_halves()) else { return false };
        let done = match self.how.rounding {
            Rounding::NearestEven => self.isa.run_halves(In16BitLanes::<true> { plan, source, codes }),
            _ => self.isa.run_halves(In16BitLanes::<false> { plan, source, codes }),
        };
        done.is_some()
    }

    fn run<S: Element, D: Target>(&self, plan: Encode, source: &[S], destination: &mut [D]) {
        match self.how.rounding {
            Rounding::NearestEven => self.isa.run(Deterministic::<S, D, true> { plan, source, destination }),
            Rounding::Stochastic { .. } => {
                self.isa.run(Random { plan, seed: self.seed, first: self.first, source, destination });
            }
            _ => self.isa.run(Deterministic::<S, D, false> { plan, source, destination }),
        }
    }

    fn flags(&self, source: Values<'_>) -> Flags {
        match (source, self.from_f32, self.from_f64) {
            (Values::Binary32(source), Some(plan), _) => self.run_status(plan, source),
            (Values::Binary64(source), _, Some(plan)) => self.run_status(plan, source),
            (Values::Bfloat16(bits) | Values::Binary16(bits), Some(_), _) => {
                let binary16 = matches!(source, Values::Binary16(_));
                let mut flags = Flags::NONE;
                self.widened(bits, binary16, |encoder, _, values| {
                    flags |= encoder.flags(Values::Binary32(values))
                });
                // Binary16's subnormals are normal in binary32.
                let denormal = |&bits: &u16| Datum::new(F16, bits as u64).is_ok_and(|x| x.is_denormal());
                flags | Flags::DENORMAL.when(binary16 && bits.iter().any(denormal))
            }
            _ => (0..source.len()).fold(Flags::NONE, |flags, at| {
                let (format, code) = source.code(at);
                let denormal = Datum::new(format, code).is_ok_and(|x| x.is_denormal());
                let value = binade::decode(format, code);
                let rounded = project_in(self.format, value, self.how_at(at), self.edition);
                flags | rounded.flags | Flags::DENORMAL.when(denormal)
            }),
        }
    }

    fn run_status<S: Element>(&self, plan: Encode, source: &[S]) -> Flags {
        let (seed, first) = (self.seed, self.first);
        Flags::from_bits(match self.how.rounding {
            Rounding::Stochastic { .. } => self.isa.run(Status::<S, true> { plan, seed, first, source }),
            _ => self.isa.run(Status::<S, false> { plan, seed, first, source }),
        })
    }
}

/// Values that are widened at once.
const BUFFER: usize = 2048;

struct Widen<'a> {
    bits: &'a [u16],
    binary16: bool,
    values: &'a mut [f32],
}

impl Kernel for Widen<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        for (value, &bits) in self.values.iter_mut().zip(self.bits) {
            let word =
                if self.binary16 { values::widen_binary16(bits) } else { values::widen_bfloat16(bits) };
            *value = f32::from_bits(word);
        }
    }
}

/// The elements of a source, as the lanes of a kernel.
trait Element: Copy + Default + Sync {
    const TRAILING: u32;
    /// True if [`Lanes::load_f32`] applies.
    const BINARY32: bool;

    /// Loads the word that is encoded, and the bits below it. For stochastic rounding these bits must not be ORed into
    /// the word.
    ///
    /// # Safety
    /// `COUNT` elements are readable at `source`.
    unsafe fn load<V: Words, const STOCHASTIC: bool>(any: V, source: *const Self) -> (V, V);
}

impl Element for f32 {
    const TRAILING: u32 = BINARY32.trailing;
    const BINARY32: bool = true;

    #[inline(always)]
    unsafe fn load<V: Words, const STOCHASTIC: bool>(any: V, source: *const f32) -> (V, V) {
        // SAFETY: the caller guarantees `COUNT` readable elements.
        (unsafe { any.load_f32(source) }, any.splat(0))
    }
}

impl Element for f64 {
    const TRAILING: u32 = BINARY64.trailing;
    const BINARY32: bool = false;

    #[inline(always)]
    unsafe fn load<V: Words, const STOCHASTIC: bool>(any: V, source: *const f64) -> (V, V) {
        // SAFETY: the caller guarantees `COUNT` readable elements.
        let (high, low) = unsafe { any.load_f64(source) };
        let odd = high.or(low.min(any.splat(1)));
        if !STOCHASTIC {
            return (odd, any.splat(0));
        }
        // A NaN may have its payload in the low word alone.
        let special = high.shl(1).ge(any.splat(0x7ff0_0000 << 1));
        (V::select(special, odd, high), low)
    }
}

/// The elements in which codes are stored.
trait Target: Copy + Default + Send {
    const BYTE: bool;

    /// Stores codes.
    ///
    /// # Safety
    /// 4 · `COUNT` elements are writable at `destination`, which is aligned to the vector if `STREAM`.
    unsafe fn pack<V: Words, const STREAM: bool>(vectors: [V; 4], destination: *mut Self);
}

impl Target for u8 {
    const BYTE: bool = true;

    #[inline(always)]
    unsafe fn pack<V: Words, const STREAM: bool>(vectors: [V; 4], destination: *mut u8) {
        // SAFETY: the caller guarantees 4 · `COUNT` writable elements.
        unsafe { V::pack_u8::<STREAM>(vectors, destination) }
    }
}

impl Target for u16 {
    const BYTE: bool = false;

    #[inline(always)]
    unsafe fn pack<V: Words, const STREAM: bool>(vectors: [V; 4], destination: *mut u16) {
        // SAFETY: the caller guarantees 4 · `COUNT` writable elements.
        unsafe { V::pack_u16::<STREAM>(vectors, destination) }
    }
}

/// Encodes a slice in a mode without random bits: to nearest even if `EVEN`, otherwise in any mode.
struct Deterministic<'a, S, D, const EVEN: bool> {
    plan: Encode,
    source: &'a [S],
    destination: &'a mut [D],
}

impl<S: Element, D: Target, const EVEN: bool> Deterministic<'_, S, D, EVEN> {
    #[inline(always)]
    fn in_words<L: Leg, const SHAPE: u32>(self, leg: L) {
        let stream = strips::streams(self.source, self.destination);
        let strip = InWords { any: leg.words(0), conversion: Shifting::<SHAPE, EVEN> { plan: self.plan } };
        strips::over(leg, &strip, self.source, self.destination, stream);
    }

    #[inline(always)]
    fn by_addition<L: Leg, const SHAPE: u32>(self, leg: L, adding: Adding) {
        let stream = strips::streams(self.source, self.destination);
        let strip =
            InWords { any: leg.words(0), conversion: ByAddition::<SHAPE> { plan: self.plan, adding } };
        strips::over(leg, &strip, self.source, self.destination, stream);
    }
}

impl<S: Element, D: Target, const EVEN: bool> Kernel for Deterministic<'_, S, D, EVEN> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, leg: L) {
        if !EVEN {
            self.in_words::<L, { shape::ANY }>(leg);
        } else if let Some(adding) = self.plan.adding
            && S::BINARY32
        {
            let _environment = Environment::enter();
            shapes!(shape, self.plan.shape(), self.by_addition(leg, adding): IEEE P3109 FN FNUZ CLAMPING);
        } else if S::BINARY32 {
            // Formats that additions cannot round: those with binary32's range, and those with a gap.
            shapes!(shape, self.plan.shape(), self.in_words(leg): IEEE CLAMPING_TESLA UHP);
        } else if D::BYTE {
            shapes!(shape, self.plan.shape(), self.in_words(leg): IEEE P3109 FN FNUZ CLAMPING CLAMPING_TESLA);
        } else {
            self.in_words::<L, { shape::ANY }>(leg);
        }
    }
}

/// Encodes binary32 to bytes in 16-bit lanes, in a mode without random bits.
struct In16BitLanes<'a, const EVEN: bool> {
    plan: Encode,
    source: &'a [f32],
    codes: &'a mut [u8],
}

impl<const EVEN: bool> In16BitLanes<'_, EVEN> {
    #[inline(always)]
    fn shaped<L: HalvesLeg, const SHAPE: u32>(self, leg: L) {
        let stream = strips::streams(self.source, self.codes);
        let strip = InHalves::<_, SHAPE, EVEN> { any: leg.halves(0), plan: self.plan };
        strips::over(leg, &strip, self.source, self.codes, stream);
    }
}

impl<const EVEN: bool> HalvesKernel for In16BitLanes<'_, EVEN> {
    type Output = ();

    #[inline(always)]
    fn run<L: HalvesLeg>(self, leg: L) {
        shapes!(shape, self.plan.shape(), self.shaped(leg):
            IEEE IEEE_INFINITY P3109 P3109_INFINITY FN FN_DOWN FNUZ FNUZ_DOWN CLAMPING CLAMPING_TESLA);
    }
}

/// A conversion of a vector of source words to a vector of codes.
trait WordConversion<V> {
    fn codes<S: Element>(&self, words: V) -> V;
}

struct Shifting<const SHAPE: u32, const EVEN: bool> {
    plan: Encode,
}

impl<V: Words, const SHAPE: u32, const EVEN: bool> WordConversion<V> for Shifting<SHAPE, EVEN> {
    #[inline(always)]
    fn codes<S: Element>(&self, words: V) -> V {
        convert::encode::<V, SHAPE, EVEN>(&self.plan, S::TRAILING, words)
    }
}

/// Converts binary32 to nearest even; never used for other elements.
struct ByAddition<const SHAPE: u32> {
    plan: Encode,
    adding: Adding,
}

impl<V: Words, const SHAPE: u32> WordConversion<V> for ByAddition<SHAPE> {
    #[inline(always)]
    fn codes<S: Element>(&self, words: V) -> V {
        convert::encode_by_addition::<V, SHAPE>(&self.plan, &self.adding, words)
    }
}

struct InWords<V, W> {
    any: V,
    conversion: W,
}

impl<V: Words, W: WordConversion<V>, S: Element, D: Target> Strip<S, D> for InWords<V, W> {
    const GROUP: usize = 4 * V::COUNT;

    #[inline(always)]
    unsafe fn run<const STREAM: bool>(&self, source: *const S, destination: *mut D, _: usize) {
        // Loops here and below, not closures: a closure is compiled as a separate function, without the leg's features.
        let mut codes = [self.any; 4];
        for (i, code) in codes.iter_mut().enumerate() {
            // SAFETY: quarter i is within the group that the caller guarantees.
            let (word, _) = unsafe { S::load::<V, false>(self.any, source.add(i * V::COUNT)) };
            *code = self.conversion.codes::<S>(word);
        }
        // SAFETY: the caller guarantees a writable group.
        unsafe { D::pack::<V, STREAM>(codes, destination) }
    }
}

struct InHalves<V, const SHAPE: u32, const EVEN: bool> {
    any: V,
    plan: Encode,
}

impl<V: Lanes, const SHAPE: u32, const EVEN: bool> Strip<f32, u8> for InHalves<V, SHAPE, EVEN> {
    const GROUP: usize = 4 * V::COUNT;

    #[inline(always)]
    unsafe fn run<const STREAM: bool>(&self, source: *const f32, destination: *mut u8, _: usize) {
        let mut codes = [self.any; 4];
        for (i, code) in codes.iter_mut().enumerate() {
            // SAFETY: quarter i is within the group that the caller guarantees.
            let word = unsafe { self.any.load_f32(source.add(i * V::COUNT)) };
            *code = convert::encode::<V, SHAPE, EVEN>(&self.plan, BINARY32_HALF.trailing, word);
        }
        // SAFETY: the caller guarantees a writable group.
        unsafe { V::pack_u8::<STREAM>(codes, destination) }
    }
}

/// Encodes a slice in a stochastic mode.
struct Random<'a, S, D> {
    plan: Encode,
    seed: u64,
    first: u64,
    source: &'a [S],
    destination: &'a mut [D],
}

/// Splits elements at indices that are multiples of [`RUN`]: (index of the run, offset in it, range of elements).
struct Runs {
    first: u64,
    at: usize,
    length: usize,
}

impl Iterator for Runs {
    type Item = (u64, usize, std::ops::Range<usize>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.length {
            return None;
        }
        let index = self.first.wrapping_add(self.at as u64);
        let offset = (index % RUN as u64) as usize;
        let start = self.at;
        self.at = self.length.min(start + RUN - offset);
        Some((index - offset as u64, offset, start..self.at))
    }
}

impl<S: Element, D: Target> Kernel for Random<'_, S, D> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, leg: L) {
        if S::BINARY32 && D::BYTE {
            shapes!(shape, self.plan.shape(), self.shaped(leg): IEEE P3109 FN FNUZ CLAMPING CLAMPING_TESLA);
        } else {
            self.shaped::<L, { shape::ANY }>(leg);
        }
    }
}

impl<S: Element, D: Target> Random<'_, S, D> {
    #[inline(always)]
    fn shaped<L: Leg, const SHAPE: u32>(self, leg: L) {
        match S::BINARY32 && convert::is_by_addition::<SHAPE>(&self.plan) {
            true => self.rounded::<L, SHAPE, true>(leg),
            false => self.rounded::<L, SHAPE, false>(leg),
        }
    }

    #[inline(always)]
    fn rounded<L: Leg, const SHAPE: u32, const BY_ADDITION: bool>(self, leg: L) {
        let any = leg.words(0);
        let mut random = Run::EMPTY;
        let (source, destination) = (self.source, self.destination);
        for (start, offset, range) in (Runs { first: self.first, at: 0, length: source.len() }) {
            philox::fill(any, self.seed, start, &mut random);
            let strip = WithRandom::<_, SHAPE, BY_ADDITION> { any, plan: self.plan, random: &random, offset };
            strips::over(leg, &strip, &source[range.clone()], &mut destination[range], false);
        }
    }
}

struct WithRandom<'a, V, const SHAPE: u32, const BY_ADDITION: bool> {
    any: V,
    plan: Encode,
    random: &'a Run,
    offset: usize,
}

impl<V: Words, const SHAPE: u32, const BY_ADDITION: bool> WithRandom<'_, V, SHAPE, BY_ADDITION> {
    /// Quarter `i` of the group of elements from `at` on: the words, the bits below them, and their random words.
    ///
    /// # Safety
    /// A group is readable at `source`, and `at` is an index of the run's elements.
    #[inline(always)]
    unsafe fn load<S: Element>(&self, source: *const S, at: usize, i: usize) -> (V, V, V) {
        // SAFETY: quarter i is within the group that the caller guarantees, and a run has a group of padding after its last
        // element.
        unsafe {
            let random = self.random.0.as_ptr().add(self.offset + at + i * V::COUNT);
            let (word, low) = S::load::<V, true>(self.any, source.add(i * V::COUNT));
            (word, low, self.any.load_u32(random))
        }
    }
}

impl<V: Words, S: Element, D: Target, const SHAPE: u32, const BY_ADDITION: bool> Strip<S, D>
    for WithRandom<'_, V, SHAPE, BY_ADDITION>
{
    const GROUP: usize = 4 * V::COUNT;

    #[inline(always)]
    unsafe fn run<const STREAM: bool>(&self, source: *const S, destination: *mut D, at: usize) {
        let mut codes = [self.any; 4];
        let mut is_decided = false;
        if BY_ADDITION {
            let mut undecided = [self.any.gt(self.any); 4];
            for (i, (code, undecided)) in codes.iter_mut().zip(&mut undecided).enumerate() {
                // SAFETY: the caller guarantees a readable group, at an index of the run.
                let (word, _, random) = unsafe { self.load(source, at, i) };
                let by_addition =
                    convert::encode_stochastic_by_addition::<V, SHAPE>(&self.plan, word, random);
                (*code, *undecided) = (by_addition.code, by_addition.undecided);
            }
            is_decided = !V::any(undecided);
        }
        if !is_decided {
            for (i, code) in codes.iter_mut().enumerate() {
                // SAFETY: the caller guarantees a readable group, at an index of the run.
                let (word, low, random) = unsafe { self.load(source, at, i) };
                *code = convert::encode_stochastic::<V, SHAPE>(&self.plan, S::TRAILING, word, low, random);
            }
        }
        // SAFETY: the caller guarantees a writable group.
        unsafe { D::pack::<V, STREAM>(codes, destination) }
    }
}

/// Computes the union of the flags over a slice.
struct Status<'a, S, const STOCHASTIC: bool> {
    plan: Encode,
    seed: u64,
    first: u64,
    source: &'a [S],
}

impl<S: Element, const STOCHASTIC: bool> Kernel for Status<'_, S, STOCHASTIC> {
    type Output = u8;

    #[inline(always)]
    fn run<L: Leg>(self, leg: L) -> u8 {
        let any = leg.words(0);
        let count = L::Words::COUNT;
        let mut random = Run::EMPTY;
        let mut union = any;
        for (start, offset, range) in (Runs { first: self.first, at: 0, length: self.source.len() }) {
            if STOCHASTIC {
                philox::fill(any, self.seed, start, &mut random);
            }
            for (number, group) in self.source[range].chunks(count).enumerate() {
                // Zeros beyond the last element raise no flags.
                let mut padded = [S::default(); 16];
                let from = if group.len() == count {
                    group.as_ptr()
                } else {
                    padded[..group.len()].copy_from_slice(group);
                    padded.as_ptr()
                };
                // SAFETY: `from` has COUNT ≤ 16 elements, and a run has a group of padding after its last element.
                let ((word, low), random) = unsafe {
                    let random = random.0.as_ptr().add(offset + number * count);
                    (S::load::<_, STOCHASTIC>(any, from), any.load_u32(random))
                };
                union =
                    union.or(convert::status::<_, STOCHASTIC>(&self.plan, S::TRAILING, word, low, random));
            }
        }
        let mut lanes = [0u32; 16];
        // SAFETY: the array has at least COUNT elements.
        unsafe { union.store::<false>(lanes.as_mut_ptr()) };
        lanes.iter().fold(0, |flags, lane| flags | *lane as u8)
    }
}
