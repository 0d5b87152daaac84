//! Integer vectors over which kernels are written once for all instruction sets.
//!
//! A leg ([`Leg`]) is an instruction set's token. Its existence proves that the processor has the instructions, and
//! vectors come only from a leg or from another vector. So lane-wise operations are safe to call; only loads and
//! stores, which take pointers, are unsafe. Everything is `#[inline(always)]`, see [`crate::Kernel`].

/// A vector of unsigned integer lanes. Arithmetic wraps.
pub trait Lanes: Copy {
    /// A mask with a truth value for each lane.
    type Mask: Copy;
    /// Bits in a lane.
    const BITS: u32;
    /// Lanes in a vector.
    const COUNT: usize;

    /// A vector with `word` in all lanes, of the type of `self`. 16-bit lanes take the low half.
    fn splat(self, word: u32) -> Self;
    /// Bitwise a & b.
    fn and(self, other: Self) -> Self;
    /// Bitwise a | b.
    fn or(self, other: Self) -> Self;
    /// Bitwise a ^ b.
    fn xor(self, other: Self) -> Self;
    /// Wrapping sums.
    fn add(self, other: Self) -> Self;
    /// Wrapping differences.
    fn sub(self, other: Self) -> Self;
    /// The minimum of unsigned lanes.
    fn min(self, other: Self) -> Self;
    /// The maximum of unsigned lanes.
    fn max(self, other: Self) -> Self;
    /// max(lane, 1) − 1, for lanes below 2^16.
    fn saturating_decrement(self) -> Self;
    /// max(self, other) − other, for 16-bit lanes, or for 32-bit lanes whose low halves are zero in both operands.
    fn saturating_sub(self, other: Self) -> Self;
    /// Logical shifts to the right of every lane by one count, a constant below `BITS` after inlining.
    fn shr(self, count: u32) -> Self;
    /// Shifts to the left of every lane by one count, a constant below `BITS` after inlining.
    fn shl(self, count: u32) -> Self;
    /// Logical shifts to the right by a count for each lane; a count of `BITS` or more gives 0.
    fn shr_each(self, counts: Self) -> Self;
    /// Shifts to the left by a count for each lane; a count of `BITS` or more gives 0.
    fn shl_each(self, counts: Self) -> Self;
    /// Unsigned a > b.
    fn gt(self, other: Self) -> Self::Mask;
    /// Unsigned a ≥ b.
    fn ge(self, other: Self) -> Self::Mask;
    /// `gt` for lanes whose top bit is clear in both operands.
    fn gt_small(self, other: Self) -> Self::Mask;
    /// a = b.
    fn eq(self, other: Self) -> Self::Mask;
    /// `mask ? yes : no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// `mask ? self + addend : self`.
    fn add_if(self, mask: Self::Mask, addend: Self) -> Self;
    /// `mask ? self + 1 : self`. `ones` is a vector of ones that must be hidden from the compiler: it would widen the
    /// mask of AVX-512 to subtract it.
    fn increment_if(self, mask: Self::Mask, ones: Self) -> Self;
    /// The lanes whose top bit is set.
    fn sign_mask(self) -> Self::Mask;
    /// `a & b`.
    fn and_masks(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// `a & !b`.
    fn and_not(a: Self::Mask, b: Self::Mask) -> Self::Mask;

    /// Loads the next `COUNT` binary32 words. 16-bit lanes get the top half with the rest ORed into its last bit
    /// (rounding to odd), in the order that `pack_u8` expects.
    ///
    /// # Safety
    /// `COUNT` elements are readable at `source`.
    unsafe fn load_f32(self, source: *const f32) -> Self;
    /// Stores the low bytes of 4 · `COUNT` lanes, all below 2^8, in order. Bypasses the caches if `STREAM`.
    ///
    /// # Safety
    /// 4 · `COUNT` bytes are writable at `destination`, which is aligned to the vector if `STREAM`.
    unsafe fn pack_u8<const STREAM: bool>(vectors: [Self; 4], destination: *mut u8);
}

/// Vectors of 32-bit lanes, with operations for decoding and for Philox.
pub trait Words: Lanes {
    /// The product of the even lanes as pairs: low word in the even lane, high word in the odd one.
    fn mul_even(self, other: Self) -> Self;
    /// The odd lanes moved to the even ones; the new odd lanes are unspecified.
    fn odd_to_even(self) -> Self;
    /// Returns true if a lane of any mask is set.
    fn any(masks: [Self::Mask; 4]) -> bool;
    /// `first`, `first` + 1, … for the Philox blocks of two vectors of words, in the even lanes, in the order that
    /// [`Words::interleave_philox`] undoes. The odd lanes are 0.
    fn philox_counters(self, first: u32) -> Self;
    /// Swaps the lanes of each pair, and then XORs the even ones with those of `a` and `b`.
    fn swap_pairs_xor_even(self, a: Self, b: Self) -> Self;
    /// The Philox words in element order, from the pairs of words (0, 1) and (2, 3) of blocks in the order of
    /// [`Words::philox_counters`].
    fn interleave_philox(pairs: [Self; 2]) -> [Self; 2];
    /// Lanes below 2^24 as binary32, times the binary32 `scale`; results must be exact.
    fn to_f32_scaled(self, scale: Self) -> Self;
    /// The sum of binary32 numbers, rounded as the environment says. To be called within [`crate::Environment`].
    fn add_f32(self, other: Self) -> Self;
    /// The difference of binary32 numbers, rounded as the environment says. To be called within [`crate::Environment`].
    fn sub_f32(self, other: Self) -> Self;
    /// `self` · `by` + `addend` of binary32 numbers, rounded as the environment says. The product must be exact or
    /// infinite, or the addend zero.
    fn multiply_add_f32(self, by: Self, addend: Self) -> Self;

    /// Loads the next 32-bit words.
    ///
    /// # Safety
    /// `COUNT` elements are readable at `source`.
    unsafe fn load_u32(self, source: *const u32) -> Self;
    /// Loads the next bytes, zero-extended.
    ///
    /// # Safety
    /// `COUNT` elements are readable at `source`.
    unsafe fn load_u8(self, source: *const u8) -> Self;
    /// Loads the next 16-bit words, zero-extended.
    ///
    /// # Safety
    /// `COUNT` elements are readable at `source`.
    unsafe fn load_u16(self, source: *const u16) -> Self;
    /// Loads binary16 numbers as binary32, with canonical NaNs, in any environment; `None` if the leg has no
    /// instruction for it.
    ///
    /// # Safety
    /// `COUNT` elements are readable at `source`.
    #[inline(always)]
    unsafe fn load_binary16(self, _source: *const u16) -> Option<Self> {
        None
    }
    /// Loads the next bytes, sign-extended.
    ///
    /// # Safety
    /// `COUNT` elements are readable at `source`.
    unsafe fn load_i8(self, source: *const u8) -> Self;
    /// Loads the next 16-bit words, sign-extended.
    ///
    /// # Safety
    /// `COUNT` elements are readable at `source`.
    unsafe fn load_i16(self, source: *const u16) -> Self;
    /// Loads `COUNT` binary64 numbers as their (high, low) words.
    ///
    /// # Safety
    /// `COUNT` elements are readable at `source`.
    unsafe fn load_f64(self, source: *const f64) -> (Self, Self);
    /// Stores the lanes. Bypasses the caches if `STREAM`.
    ///
    /// # Safety
    /// `COUNT` elements are writable at `destination`, which is aligned to the vector if `STREAM`.
    unsafe fn store<const STREAM: bool>(self, destination: *mut u32);
    /// Stores the low 16 bits of 4 · `COUNT` lanes, all below 2^16, in order. Bypasses the caches if `STREAM`.
    ///
    /// # Safety
    /// 4 · `COUNT` elements are writable at `destination`, which is aligned to the vector if `STREAM`.
    unsafe fn pack_u16<const STREAM: bool>(vectors: [Self; 4], destination: *mut u16);
}

/// An instruction set's token and its vectors.
pub trait Leg: Copy {
    /// 32-bit lanes.
    type Words: Words;
    /// The alignment in bytes that a streaming store requires.
    const STREAM_ALIGN: usize;
    /// True if conversions are compiled for each common shape of format, false if once for all.
    const SPECIALIZES_SHAPES: bool;

    /// A vector with `word` in all lanes.
    fn words(self, word: u32) -> Self::Words;
    /// Prefetches `bytes` bytes at an address, which need not be mapped.
    fn prefetch(self, address: *const u8, bytes: usize);
    /// Orders streaming stores before later stores.
    fn fence(self);
}

/// Legs that look up bytes in tables of 256 entries.
pub trait TableLeg: Leg {
    /// True if looking up is faster than computing.
    const PREFERS_TABLES: bool;

    /// `destination[i] = table[source[i]]`; both slices have the same length.
    #[inline(always)]
    fn translate(self, table: &[u8; 256], source: &[u8], destination: &mut [u8]) {
        for (to, &from) in destination.iter_mut().zip(source) {
            *to = table[from as usize];
        }
    }

    /// `destination[i] = table[source[i]] << shift`, where the table is given by its low and high bytes; both slices
    /// have the same length.
    #[inline(always)]
    fn translate_pairs<D: PairTarget>(
        self,
        table: &PairTable,
        source: &[u8],
        destination: &mut [D],
        _stream: bool,
    ) {
        for (to, &from) in destination.iter_mut().zip(source) {
            *to = D::from_pair(table.low[from as usize], table.high[from as usize]);
        }
    }
}

/// Legs with 16-bit lanes that shift by a count for each lane, and with byte lanes that look up tables in registers.
pub trait HalvesLeg: Leg {
    /// 16-bit lanes.
    type Halves: Lanes;
    /// Byte lanes, twice as many.
    type Bytes: Bytes<Halves = Self::Halves>;

    /// A vector with `word` in all lanes.
    fn halves(self, word: u32) -> Self::Halves;
    /// A vector with `byte` in all lanes.
    fn bytes(self, byte: u8) -> Self::Bytes;
    /// Loads the next binary32 words rounded to odd, as [`Lanes::load_f32`] does, but in order.
    ///
    /// # Safety
    /// As many elements are readable at `source` as `Halves` has lanes.
    unsafe fn load_odd(self, source: *const f32) -> Self::Halves;
    /// Loads the next binary16 numbers, as [`HalvesLeg::load_odd`] loads binary32 words.
    ///
    /// # Safety
    /// As many elements are readable at `source` as `Halves` has lanes.
    unsafe fn load_odd_binary16(self, source: *const u16) -> Self::Halves;
    /// Loads the next 16-bit words.
    ///
    /// # Safety
    /// As many elements are readable at `source` as `Halves` has lanes.
    unsafe fn load_halves(self, source: *const u16) -> Self::Halves;
    /// Loads the next bfloat16 or binary16 numbers as binary32, in order.
    ///
    /// # Safety
    /// As many elements are readable at `source` as `Words` has lanes.
    unsafe fn widened<const BINARY16: bool>(self, source: *const u16) -> Self::Words;
    /// Stores 16-bit words.
    ///
    /// # Safety
    /// As many elements are writable at `destination` as `Halves` has lanes.
    unsafe fn store_halves(self, halves: Self::Halves, destination: *mut u16);
    /// Two vectors of binary32 numbers, in order, rounded to nearest even bfloat16 or binary16 numbers. NaN operands
    /// must have no payload. If `unsigned`, nonzero numbers that round to −0 become 0. To be called within
    /// [`crate::Environment`].
    fn narrowed<const BINARY16: bool>(self, numbers: [Self::Words; 2], unsigned: bool) -> Self::Halves;
    /// Looks up 4-bit codes, two in each byte, the first of each pair low. The codes form two runs with one table each.
    ///
    /// # Safety
    /// Half as many bytes are readable at `codes` as `Halves` has lanes.
    unsafe fn look_up_nibbles(self, codes: *const u8, tables: [&[u16; 16]; 2]) -> Self::Halves;
    /// Looks up the binary32 numbers of the next codes of `WIDTH` bits (4, 6 or 8), in order, by their highest two
    /// bytes. Of 8-bit codes the sign is the top bit, unless the table has it set. For the other widths the tables are
    /// periodic.
    ///
    /// # Safety
    /// As many codes are readable at `source` as `Bytes` has lanes.
    unsafe fn look_up_bfloats<const WIDTH: u32>(
        self,
        source: *const u8,
        low: [Self::Bytes; 2],
        high: [Self::Bytes; 2],
    ) -> [Self::Words; 4];
    /// Looks up the low and the high bytes of the numbers of the next codes, as 16-bit lanes.
    ///
    /// # Safety
    /// As many codes are readable at `source` as `Bytes` has lanes.
    unsafe fn look_up_byte_pairs<const WIDTH: u32>(
        self,
        source: *const u8,
        low: [Self::Bytes; 2],
        high: [Self::Bytes; 2],
    ) -> [Self::Halves; 2];
    /// Adds the low half of `by` to each lane, except to lanes that are 0 apart from the top bit. These become 0 if
    /// `unsigned` and otherwise stay unchanged.
    fn add_to_nonzero(self, lanes: Self::Halves, by: u32, unsigned: bool) -> Self::Halves;
    /// Adds the low half of `by` to each lane, except to lanes whose low 15 bits are 0 or at least `infinity`.
    fn add_to_finite_nonzero(self, lanes: Self::Halves, by: u32, infinity: u32) -> Self::Halves;
    /// The lane numbers `first`, `first` + 1, …, as an argument of [`HalvesLeg::permute_pair`].
    fn lane_numbers(self, first: u32) -> Self::Words;
    /// Selects lanes by number from one vector followed by another.
    fn permute_pair(self, before: Self::Words, after: Self::Words, lanes: Self::Words) -> Self::Words;
    /// whole + ⌊x · a⌋ + ⌈x · b⌉ of binary32 numbers, for `by` = (a, b). `whole` and all sums must have the same exponent
    /// and a unit of 1 in the last place.
    fn add_floor_and_ceiling(self, whole: Self::Words, x: Self::Words, by: [Self::Words; 2]) -> Self::Words;
    /// True if each lane is below that of `limit`.
    fn all_below(self, words: Self::Words, limit: Self::Words) -> bool;
    /// Loads the words at the given positions of a table.
    ///
    /// # Safety
    /// `table` is readable at all positions, which are below 2^31.
    unsafe fn gather(self, table: *const u32, places: Self::Words) -> Self::Words;
    /// Stores the low bytes of lanes.
    ///
    /// # Safety
    /// As many bytes are writable at `destination` as `Words` has lanes.
    unsafe fn store_low_bytes(self, words: Self::Words, destination: *mut u8);
    /// The low bytes of lanes; those of the first two vectors are crossed with those of the others.
    fn low_bytes(self, words: [Self::Words; 4]) -> Self::Bytes;
    /// The low halves of lanes as signed integers, clamped to ±127, crossed as in [`HalvesLeg::low_bytes`].
    fn signed_bytes(self, words: [Self::Words; 4]) -> Self::Bytes;
    /// Splits two vectors of bfloat16 numbers of two blocks, crossed: the significands' bits below their signs, and the
    /// exponents.
    fn planes(self, blocks: [Self::Halves; 2]) -> [Self::Bytes; 2];
    /// The largest exponent of each block, for as many blocks as `Halves` has lanes, from pairs of results of
    /// [`HalvesLeg::planes`].
    ///
    /// # Safety
    /// `planes` has one pair of vectors for each two lanes of `Halves`.
    unsafe fn largest_exponents(self, planes: *const u8) -> Self::Halves;
    /// The largest significand of each block among numbers with the exponents that [`HalvesLeg::repeat_bytes`] stored
    /// at `exponents`.
    ///
    /// # Safety
    /// `planes` is valid as for [`HalvesLeg::largest_exponents`], and `exponents` holds the bytes of
    /// [`HalvesLeg::repeat_bytes`].
    unsafe fn largest_significands(self, planes: *const u8, exponents: *const u8) -> Self::Halves;
    /// Stores each lane's low byte eight times.
    ///
    /// # Safety
    /// Eight times as many bytes are writable at `destination` as `Halves` has lanes.
    unsafe fn repeat_bytes(self, halves: Self::Halves, destination: *mut u8);
    /// Stores the low bytes of lanes.
    ///
    /// # Safety
    /// As many bytes are writable at `destination` as `Halves` has lanes.
    unsafe fn store_low_bytes_of_halves(self, halves: Self::Halves, destination: *mut u8);
    /// True if no lane of the mask is set.
    fn is_empty_mask(self, mask: <Self::Halves as Lanes>::Mask) -> bool;
    /// Repeats the next sixteen bytes in all parts of a vector.
    ///
    /// # Safety
    /// Sixteen bytes are readable at `source`.
    unsafe fn broadcast_sixteen(self, source: *const u8) -> Self::Bytes;
    /// For each of n consecutive vectors of n lanes, the maximum of the lanes' bits in `mask`.
    ///
    /// # Safety
    /// n · n elements are readable at `source`, where `Words` has n lanes.
    unsafe fn maxima_of_words(self, mask: Self::Words, source: *const u32) -> Self::Words;
    /// For each of 2 · n runs of n bfloat16 or binary16 numbers, the largest magnitude as a binary32 word.
    ///
    /// # Safety
    /// 2 · n · n elements are readable at `source`, where `Words` has n lanes.
    unsafe fn maxima_of_runs<const BINARY16: bool>(self, source: *const u16) -> [Self::Words; 2];
}

/// A signed floating-point format of 4, 6 or 8 bits with at most five exponent bits, a significand of at most eight
/// bits, and subnormals.
#[derive(Clone, Copy, Debug)]
pub struct SmallFloat<'a> {
    /// Bits of the exponent.
    pub exponent_bits: u32,
    /// The least exponent.
    pub emin: i32,
    /// The largest magnitude code that is not NaN.
    pub last: u8,
    /// The lower and the higher of the two highest bytes of the codes' binary32 words, indexed by the code's low seven
    /// bits.
    pub bytes: [&'a [u8; 128]; 2],
}

/// Legs that unpack and pack codes of 4, 6 or 8 bits, four vectors of words at a time, and convert from and to
/// binary16. All functions are to be called within [`crate::Environment`].
pub trait PackedLeg: Leg {
    /// Loads the next bfloat16 or binary16 numbers as binary32; of NaNs only the sign is kept.
    ///
    /// # Safety
    /// As many elements are readable at `source` as `Words` has lanes.
    unsafe fn widened<const BINARY16: bool>(self, source: *const u16) -> Self::Words;
    /// Stores binary32 numbers rounded to nearest even bfloat16 or binary16 numbers. NaNs must be canonical. If
    /// `unsigned`, nonzero numbers that round to −0 become 0.
    ///
    /// # Safety
    /// As many elements are writable at `destination` as four vectors have lanes.
    unsafe fn narrow<const BINARY16: bool>(
        self,
        numbers: [Self::Words; 4],
        unsigned: bool,
        destination: *mut u16,
    );
    /// The maximum of the lanes of each vector.
    fn maxima(self, vectors: [Self::Words; 8]) -> Self::Words;
    /// Loads the binary32 numbers of the next codes of `WIDTH` bits, and a bit for each NaN, the first code's lowest.
    /// The numbers of NaNs are unspecified.
    ///
    /// # Safety
    /// As many codes are readable at `source` as four vectors have lanes.
    unsafe fn load_numbers<const WIDTH: u32>(
        self,
        source: *const u8,
        format: SmallFloat<'_>,
    ) -> ([Self::Words; 4], u32);
    /// Stores codes of `WIDTH` bits. For `(first, most)`, a code is min(`most`, low byte of `magnitudes` − `first`)
    /// with the top bit of `signs`. A magnitude of 0 gets no sign unless `zeros`.
    ///
    /// # Safety
    /// As many codes are writable at `destination` as four vectors have lanes.
    unsafe fn store_codes<const WIDTH: u32>(
        self,
        magnitudes: [Self::Words; 4],
        first_and_most: (u8, u8),
        signs: [Self::Words; 4],
        zeros: bool,
        destination: *mut u8,
    );
    /// z + x · y of binary32 numbers, rounded once.
    fn fma_f32(self, z: Self::Words, x: Self::Words, y: Self::Words) -> Self::Words;
    /// z − x · y of binary32 numbers, rounded once.
    fn fnma_f32(self, z: Self::Words, x: Self::Words, y: Self::Words) -> Self::Words;
    /// Stores bytes: twice the lanes of `wholes`, plus one where a lane of `signs` is positive as a signed integer,
    /// minus one where it is negative. Bytes are clamped to ±127, and in the order that [`PackedLeg::store_by_doubles`]
    /// expects.
    ///
    /// # Safety
    /// As many bytes are writable at `destination` as four vectors have lanes.
    unsafe fn store_doubles(self, wholes: [Self::Words; 4], signs: [Self::Words; 4], destination: *mut u8);
    /// Stores 4-bit codes, two in each byte. The code of a signed byte i of `doubles` is the table's byte at min(|i|,
    /// 47) with the sign of i. A byte of 0 gets no sign unless `zeros`.
    ///
    /// # Safety
    /// As many bytes are readable at `doubles`, and as many codes writable at `destination`, as four vectors have
    /// lanes.
    unsafe fn store_by_doubles(
        self,
        doubles: *const u8,
        table: &[u8; 128],
        zeros: bool,
        destination: *mut u8,
    );
}

/// A vector of unsigned bytes. Arithmetic wraps.
///
/// Crossed bytes come from two vectors of `Halves`, alternately eight of the one and eight of the other.
pub trait Bytes: Copy {
    /// 16-bit lanes, half as many.
    type Halves: Lanes;
    /// Lanes in a vector.
    const COUNT: usize;

    /// Loads a table of 128 bytes into vectors.
    fn table(self, entries: &[u8; 128]) -> [Self; 2];
    /// Looks up the low seven bits of the lanes in a table.
    fn look_up(self, table: [Self; 2]) -> Self;
    /// Bitwise a & b.
    fn and(self, other: Self) -> Self;
    /// Bitwise a | b.
    fn or(self, other: Self) -> Self;
    /// Wrapping sums.
    fn add(self, other: Self) -> Self;
    /// Saturating sums.
    fn saturating_add(self, other: Self) -> Self;
    /// Saturating differences: max(self, other) − other.
    fn saturating_sub(self, other: Self) -> Self;
    /// Lanes shifted to the left; no set bits may be lost.
    fn shl(self, count: u32) -> Self;
    /// The minimum of the lanes.
    fn min(self, other: Self) -> Self;
    /// Lanes as signed integers, clamped to ±`most`.
    fn clamp_signed(self, most: u8) -> Self;
    /// A bit for each lane, the first lane's lowest: set if the lane is below `limit`.
    fn below(self, limit: Self) -> u64;
    /// The lanes of `yes` where the bit of `mask` is set, and of `self` elsewhere.
    fn blend(self, mask: u64, yes: Self) -> Self;
    /// Codes of `WIDTH` bits (4, 6 or 8), whose top bit is cleared where that of `signs` is clear.
    fn signed<const WIDTH: u32>(self, signs: Self) -> Self;

    /// Loads the next bytes.
    ///
    /// # Safety
    /// `COUNT` bytes are readable at `source`.
    unsafe fn load(self, source: *const u8) -> Self;
    /// Stores the lanes in their order in the vector.
    ///
    /// # Safety
    /// `COUNT` bytes are writable at `destination`.
    unsafe fn store_lanes(self, destination: *mut u8);
    /// Stores crossed bytes in the order of their elements.
    ///
    /// # Safety
    /// `COUNT` bytes are writable at `destination`.
    unsafe fn store(self, destination: *mut u8);
    /// Stores the low four bits of crossed lanes, whose other bits must be clear, two in each byte, the first of each
    /// pair low.
    ///
    /// # Safety
    /// `COUNT` bytes are writable at `destination`.
    unsafe fn store_nibbles(vectors: [Self; 2], destination: *mut u8);
    /// Stores the low six bits of crossed lanes, whose other bits must be clear, as a bit string, the first lowest.
    ///
    /// # Safety
    /// `COUNT` · 3/4 bytes are writable at `destination`.
    unsafe fn store_sixes(self, destination: *mut u8);
}

/// Legs whose instructions include rounding control, so that binary32 arithmetic can round to odd in any environment of
/// the caller.
///
/// Vectors hold binary32 words. Operands and exact results must be zero, infinite, NaN, or of a magnitude from 2^−126
/// to below 2^128. Exact zero sums of nonzero numbers are −0 if `negative_zero`, and +0 otherwise.
pub trait OddLeg: Leg {
    /// x + y rounded to odd.
    fn add_odd(self, negative_zero: bool, x: Self::Words, y: Self::Words) -> Self::Words;
    /// x + y where the sum is known to be exact.
    fn add_exact(self, negative_zero: bool, x: Self::Words, y: Self::Words) -> Self::Words;
    /// An exact product.
    fn multiply_exact(self, x: Self::Words, y: Self::Words) -> Self::Words;
    /// x · y rounded to odd.
    fn multiply_odd(self, x: Self::Words, y: Self::Words) -> Self::Words;
    /// x / y rounded to odd.
    fn divide_odd(self, x: Self::Words, y: Self::Words) -> Self::Words;
    /// x / y rounded toward zero.
    fn divide_toward_zero(self, x: Self::Words, y: Self::Words) -> Self::Words;
    /// The minimum: NaN if either operand is NaN; −0 is less than +0.
    fn minimum(self, x: Self::Words, y: Self::Words) -> Self::Words;
    /// The maximum: NaN if either operand is NaN; +0 is greater than −0.
    fn maximum(self, x: Self::Words, y: Self::Words) -> Self::Words;
    /// x · y + z rounded to odd.
    fn fma_odd(self, negative_zero: bool, x: Self::Words, y: Self::Words, z: Self::Words) -> Self::Words;
}

/// A 256-entry table of 16-bit words as two tables of bytes.
#[derive(Clone)]
pub struct PairTable {
    /// The low bytes.
    pub low: [u8; 256],
    /// The high bytes.
    pub high: [u8; 256],
}

impl std::fmt::Debug for PairTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PairTable")
    }
}

impl PairTable {
    /// The table of these entries.
    pub fn new(entries: impl Fn(u8) -> u16) -> PairTable {
        let mut table = PairTable { low: [0; 256], high: [0; 256] };
        for code in 0..=255 {
            [table.low[code as usize], table.high[code as usize]] = entries(code).to_le_bytes();
        }
        table
    }
}

/// The elements to which a [`PairTable`] translates: 16-bit words, or binary32 numbers whose low half is zero.
pub trait PairTarget: Copy {
    /// True if an element is the pair above 16 zero bits.
    const WIDE: bool;
    /// The element of a low and a high byte.
    fn from_pair(low: u8, high: u8) -> Self;
}

impl PairTarget for u16 {
    const WIDE: bool = false;
    #[inline(always)]
    fn from_pair(low: u8, high: u8) -> u16 {
        u16::from_le_bytes([low, high])
    }
}

impl PairTarget for f32 {
    const WIDE: bool = true;
    #[inline(always)]
    fn from_pair(low: u8, high: u8) -> f32 {
        f32::from_bits((u16::from_le_bytes([low, high]) as u32) << 16)
    }
}
