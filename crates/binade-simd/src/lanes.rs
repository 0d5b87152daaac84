//! The vectors that kernels are written over.
//!
//! A leg ([`Leg`]) is an instruction set's token: its value is the proof that the instructions are there, and vectors
//! come only from a leg or from another vector. So the lane-wise operations are safe to call, and only loads and
//! stores, which take pointers, are not. Everything is `#[inline(always)]`, see [`crate::Kernel`].

/// A vector of unsigned integer lanes. Arithmetic wraps.
pub trait Lanes: Copy {
    /// A truth value a lane.
    type Mask: Copy;
    /// Bits a lane.
    const BITS: u32;
    /// Lanes a vector.
    const COUNT: usize;

    /// All lanes `word`: one more vector of the kind that `self` proves usable. 16-bit lanes take the low half.
    fn like(self, word: u32) -> Self;
    /// Bitwise a & b.
    fn and(self, other: Self) -> Self;
    /// Bitwise a | b.
    fn or(self, other: Self) -> Self;
    /// Bitwise a ^ b.
    fn xor(self, other: Self) -> Self;
    /// Sums, wrapped.
    fn add(self, other: Self) -> Self;
    /// Differences, wrapped.
    fn sub(self, other: Self) -> Self;
    /// The lesser of unsigned lanes.
    fn min(self, other: Self) -> Self;
    /// The greater of unsigned lanes.
    fn max(self, other: Self) -> Self;
    /// max(lane, 1) − 1, for lanes below 2^16.
    fn before(self) -> Self;
    /// max(self, other) − other, for lanes of 16 bits, or whose low halves are both zero.
    fn excess(self, other: Self) -> Self;
    /// Logical shifts of every lane by one count, a constant below `BITS` after inlining.
    fn shr(self, count: u32) -> Self;
    /// As `shr`, to the left.
    fn shl(self, count: u32) -> Self;
    /// Logical shifts by a count a lane; a count of `BITS` or more gives 0.
    fn shr_each(self, counts: Self) -> Self;
    /// As `shr_each`, to the left.
    fn shl_each(self, counts: Self) -> Self;
    /// Unsigned a > b.
    fn gt(self, other: Self) -> Self::Mask;
    /// Unsigned a ≥ b.
    fn ge(self, other: Self) -> Self::Mask;
    /// `gt` for lanes whose top bit is clear on both sides.
    fn gt_small(self, other: Self) -> Self::Mask;
    /// a = b.
    fn eq(self, other: Self) -> Self::Mask;
    /// `mask ? yes : no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// `mask ? self + addend : self`.
    fn add_if(self, mask: Self::Mask, addend: Self) -> Self;
    /// `mask ? self + 1 : self`, given a vector of ones that the compiler must not know to be that: it would widen
    /// the mask of AVX-512 to subtract it.
    fn increment_if(self, mask: Self::Mask, ones: Self) -> Self;
    /// Lanes whose top bit is set.
    fn tops(self) -> Self::Mask;
    /// `a & b`.
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// `a & !b`.
    fn but_not(a: Self::Mask, b: Self::Mask) -> Self::Mask;

    /// The next `COUNT` binary32 words; lanes of 16 bits get the top half with the rest ORed into its last bit
    /// (rounding to odd), in an order that `pack_u8` knows.
    ///
    /// # Safety
    /// `COUNT` readable elements at `source`.
    unsafe fn load_f32(self, source: *const f32) -> Self;
    /// Stores the low bytes of 4 · `COUNT` lanes, all below 2^8, in order. Past the caches if `STREAM`.
    ///
    /// # Safety
    /// 4 · `COUNT` writable bytes at `destination`, aligned to the vector if `STREAM`.
    unsafe fn pack_u8<const STREAM: bool>(vectors: [Self; 4], destination: *mut u8);
}

/// Vectors of 32-bit lanes, with what decoding and Philox need on top.
pub trait Words: Lanes {
    /// The product of the even lanes as pairs (low word in the even lane, high word in the odd one).
    fn mul_even(self, other: Self) -> Self;
    /// The odd lanes moved down to the even ones; what the odd lanes get does not matter.
    fn odd_to_even(self) -> Self;
    /// `first`, `first` + 1, … for the Philox blocks of two vectors of words, in the even lanes and in the order
    /// that [`Words::weave`] undoes; the odd lanes are 0.
    fn counters(self, first: u32) -> Self;
    /// The lanes of each pair exchanged, and then the even ones XORed with those of `a` and `b`.
    fn exchange_xor_even(self, a: Self, b: Self) -> Self;
    /// From the pairs of Philox words (0, 1) and (2, 3) of blocks in the order of [`Words::counters`]: the words in
    /// element order.
    fn weave(pairs: [Self; 2]) -> [Self; 2];
    /// Lanes below 2^24 as binary32, times the binary32 `scale`; exact results only.
    fn to_f32_scaled(self, scale: Self) -> Self;
    /// The sum of binary32 numbers, as the environment rounds: within [`crate::Environment`] only.
    fn add_f32(self, other: Self) -> Self;
    /// The difference, likewise.
    fn sub_f32(self, other: Self) -> Self;
    /// `self` · `by` + `addend` of binary32 numbers, as the environment rounds, where the product is exact or infinite, or
    /// the addend a zero.
    fn multiply_add_f32(self, by: Self, addend: Self) -> Self;

    /// # Safety
    /// `COUNT` readable elements at `source`.
    unsafe fn load_u32(self, source: *const u32) -> Self;
    /// # Safety
    /// `COUNT` readable elements at `source`.
    unsafe fn load_u8(self, source: *const u8) -> Self;
    /// # Safety
    /// `COUNT` readable elements at `source`.
    unsafe fn load_u16(self, source: *const u16) -> Self;
    /// Binary16 as binary32, NaN canonical, in any environment; `None` where there is no instruction for it.
    ///
    /// # Safety
    /// `COUNT` readable elements at `source`.
    #[inline(always)]
    unsafe fn load_binary16(self, _source: *const u16) -> Option<Self> {
        None
    }
    /// Sign-extended bytes.
    ///
    /// # Safety
    /// `COUNT` readable elements at `source`.
    unsafe fn load_i8(self, source: *const u8) -> Self;
    /// Sign-extended words.
    ///
    /// # Safety
    /// `COUNT` readable elements at `source`.
    unsafe fn load_i16(self, source: *const u16) -> Self;
    /// The (high, low) words of `COUNT` binary64 numbers.
    ///
    /// # Safety
    /// `COUNT` readable elements at `source`.
    unsafe fn load_f64(self, source: *const f64) -> (Self, Self);
    /// # Safety
    /// `COUNT` writable elements at `destination`, aligned to the vector if `STREAM`.
    unsafe fn store<const STREAM: bool>(self, destination: *mut u32);
    /// As [`Lanes::pack_u8`], for lanes below 2^16.
    ///
    /// # Safety
    /// 4 · `COUNT` writable elements at `destination`, aligned to the vector if `STREAM`.
    unsafe fn pack_u16<const STREAM: bool>(vectors: [Self; 4], destination: *mut u16);
}

/// An instruction set's token and the vectors it has.
pub trait Leg: Copy {
    /// 32-bit lanes.
    type Words: Words;
    /// Bytes that a streaming store must be aligned to.
    const STREAM_ALIGN: usize;
    /// Whether conversions are compiled for each usual shape of format, or once for all.
    const SHAPES: bool;

    /// All lanes `word`.
    fn words(self, word: u32) -> Self::Words;
    /// Hints that `bytes` bytes at an address, which need not be mapped, will be read.
    fn prefetch(self, address: *const u8, bytes: usize);
    /// Orders streaming stores before what follows.
    fn fence(self);
}

/// Legs that look bytes up in tables of 256 entries.
pub trait TableLeg: Leg {
    /// Whether that is faster than computing.
    const TRANSLATES: bool;

    /// `destination[i] = table[source[i]]`; equal lengths.
    #[inline(always)]
    fn translate(self, table: &[u8; 256], source: &[u8], destination: &mut [u8]) {
        for (to, &from) in destination.iter_mut().zip(source) {
            *to = table[from as usize];
        }
    }

    /// `destination[i] = table[source[i]] << shift`, where the table comes as its low and high bytes; equal lengths.
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

/// Legs with 16-bit lanes that shift by a count a lane, and lanes of bytes with tables in registers.
pub trait HalvesLeg: Leg {
    /// The lanes of 16 bits.
    type Halves: Lanes;
    /// The lanes of bytes, twice as many.
    type Bytes: Bytes<Halves = Self::Halves>;

    /// All lanes `word`.
    fn halves(self, word: u32) -> Self::Halves;
    /// All lanes `byte`.
    fn bytes(self, byte: u8) -> Self::Bytes;
    /// The next binary32 words rounded to odd, as [`Lanes::load_f32`] has them, but in order.
    ///
    /// # Safety
    /// As many readable elements at `source` as `Halves` has lanes.
    unsafe fn load_odd(self, source: *const f32) -> Self::Halves;
    /// The same of the next numbers of binary16.
    ///
    /// # Safety
    /// As many readable elements at `source` as `Halves` has lanes.
    unsafe fn load_odd_binary16(self, source: *const u16) -> Self::Halves;
    /// As many words of 16 bits as `Halves` has lanes.
    ///
    /// # Safety
    /// As many readable elements at `source`.
    unsafe fn load_halves(self, source: *const u16) -> Self::Halves;
    /// The next numbers of bfloat16 or binary16 as binary32, in order.
    ///
    /// # Safety
    /// As many readable elements at `source` as `Words` has lanes.
    unsafe fn widened<const BINARY16: bool>(self, source: *const u16) -> Self::Words;
    /// The opposite of [`HalvesLeg::load_halves`].
    ///
    /// # Safety
    /// As many writable elements at `destination`.
    unsafe fn store_halves(self, halves: Self::Halves, destination: *mut u16);
    /// Two vectors of binary32 numbers, in order, as the nearest even bfloat16 or binary16 numbers; NaN operands have no
    /// payload. With `unsigned`, what becomes −0 and was not becomes 0. Within [`crate::Environment`] only.
    fn narrowed<const BINARY16: bool>(self, numbers: [Self::Words; 2], unsigned: bool) -> Self::Halves;
    /// What a table has for codes of four bits, two a byte, the first of each pair low, in two runs with a table each.
    ///
    /// # Safety
    /// Half as many readable bytes at `codes` as `Halves` has lanes.
    unsafe fn look_up_nibbles(self, codes: *const u8, tables: [&[u16; 16]; 2]) -> Self::Halves;
    /// The binary32 numbers whose highest two bytes two tables have for the next codes of `WIDTH` bits, 4, 6 or 8, in order. Of
    /// codes of eight bits the sign is the top bit, unless the table has it set; the tables are periodic for the others.
    ///
    /// # Safety
    /// Readable codes at `source`, as many as `Bytes` has lanes.
    unsafe fn bfloats<const WIDTH: u32>(
        self,
        source: *const u8,
        low: [Self::Bytes; 2],
        high: [Self::Bytes; 2],
    ) -> [Self::Words; 4];
    /// Lanes of the low and the high bytes, likewise.
    ///
    /// # Safety
    /// As of [`HalvesLeg::bfloats`].
    unsafe fn pairs_of_bytes<const WIDTH: u32>(
        self,
        source: *const u8,
        low: [Self::Bytes; 2],
        high: [Self::Bytes; 2],
    ) -> [Self::Halves; 2];
    /// The sums of lanes and the low half of `by`, except for those that are 0 but for the top bit, which become 0 if `unsigned`
    /// and else stay.
    fn added_to_numbers(self, lanes: Self::Halves, by: u32, unsigned: bool) -> Self::Halves;
    /// The sums of lanes and the low half of `by`, except for those whose low 15 bits are 0 or at least `infinity`, which stay.
    fn added_to_finite(self, lanes: Self::Halves, by: u32, infinity: u32) -> Self::Halves;
    /// For [`HalvesLeg::joined`]: as many lanes as a vector has, from lane `first` on.
    fn lanes_from(self, first: u32) -> Self::Words;
    /// Lanes of one vector and of the one after it.
    fn joined(self, before: Self::Words, after: Self::Words, lanes: Self::Words) -> Self::Words;
    /// whole + ⌊x · above⌋ + ⌈x · below⌉ of binary32 numbers, where `whole` and all sums have the same exponent and a unit of
    /// 1 in the last place.
    fn plus_floor_and_ceiling(self, whole: Self::Words, x: Self::Words, by: [Self::Words; 2]) -> Self::Words;
    /// Whether all lanes are below `limit`'s.
    fn all_below(self, words: Self::Words, limit: Self::Words) -> bool;
    /// The words at places of a table.
    ///
    /// # Safety
    /// `table` is readable at all places, which are below 2^31.
    unsafe fn gather(self, table: *const u32, places: Self::Words) -> Self::Words;
    /// Stores the low bytes of lanes.
    ///
    /// # Safety
    /// As many writable bytes at `destination` as `Words` has lanes.
    unsafe fn store_low_bytes(self, words: Self::Words, destination: *mut u8);
    /// The low bytes of lanes, the first two vectors' crossed with the others'.
    fn low_bytes(self, words: [Self::Words; 4]) -> Self::Bytes;
    /// The low halves of lanes as signed integers, where they are beyond ±127 that, crossed likewise.
    fn signed_bytes(self, words: [Self::Words; 4]) -> Self::Bytes;
    /// Of two blocks of numbers of bfloat16 two vectors, crossed: their significands' bits below their signs, and their exponents.
    fn planes(self, blocks: [Self::Halves; 2]) -> [Self::Bytes; 2];
    /// Of pairs of blocks' [`HalvesLeg::planes`], as many blocks as `Halves` has lanes, the largest exponent of each block.
    ///
    /// # Safety
    /// So many pairs of vectors at `planes`.
    unsafe fn largest_exponents(self, planes: *const u8) -> Self::Halves;
    /// The largest significands among those that have these exponents, which [`HalvesLeg::repeat_bytes`] has put at `exponents`.
    ///
    /// # Safety
    /// As of both.
    unsafe fn largest_significands(self, planes: *const u8, exponents: *const u8) -> Self::Halves;
    /// Stores each lane's low byte eight times.
    ///
    /// # Safety
    /// Writable bytes at `destination`, eight times the lanes.
    unsafe fn repeat_bytes(self, halves: Self::Halves, destination: *mut u8);
    /// Stores the low bytes of lanes.
    ///
    /// # Safety
    /// As many writable bytes at `destination` as `Halves` has lanes.
    unsafe fn store_low_bytes_of_halves(self, halves: Self::Halves, destination: *mut u8);
    /// Whether a mask has no lane.
    fn none(self, mask: <Self::Halves as Lanes>::Mask) -> bool;
    /// As many vectors in one as it has of the next sixteen bytes.
    ///
    /// # Safety
    /// Sixteen readable bytes at `source`.
    unsafe fn repeated_sixteen(self, source: *const u8) -> Self::Bytes;
    /// Of each of as many consecutive vectors as one has lanes, the largest of the lanes' bits in `mask`.
    ///
    /// # Safety
    /// As many readable elements at `source` as `Words` has lanes, squared.
    unsafe fn maxima_of_words(self, mask: Self::Words, source: *const u32) -> Self::Words;
    /// Of each of twice as many runs as `Words` has lanes, of as many numbers of bfloat16 or binary16, the largest magnitude as
    /// a binary32 word.
    ///
    /// # Safety
    /// As many readable elements at `source` as `Words` has lanes, squared, twice.
    unsafe fn maxima_of_runs<const BINARY16: bool>(self, source: *const u16) -> [Self::Words; 2];
}

/// A floating-point format of 4, 6 or 8 bits with a sign, at most five exponent bits, a significand of at most eight, and
/// subnormals.
#[derive(Clone, Copy, Debug)]
pub struct SmallFloat<'a> {
    /// Bits of the exponent.
    pub exponent_bits: u32,
    /// The least exponent.
    pub emin: i32,
    /// The last code of a magnitude that is none of NaN's.
    pub last: u8,
    /// The lower and the higher of the two highest bytes of the codes' binary32 words, by the code's low seven bits.
    pub bytes: [&'a [u8; 128]; 2],
}

/// Legs that take strings of 4, 6 or 8 bits apart and join them, four vectors of words at a time, and convert to and from
/// binary16. All within [`crate::Environment`] only.
pub trait PackedLeg: Leg {
    /// The next numbers of bfloat16 or binary16 as binary32; of NaNs the sign.
    ///
    /// # Safety
    /// As many readable elements at `source` as `Words` has lanes.
    unsafe fn widened<const BINARY16: bool>(self, source: *const u16) -> Self::Words;
    /// Binary32 numbers, none of them NaN but for the canonical one, as the nearest even bfloat16 or binary16 numbers. With
    /// `unsigned`, what becomes −0 and was not becomes 0.
    ///
    /// # Safety
    /// As many writable elements at `destination` as four vectors have lanes.
    unsafe fn narrow<const BINARY16: bool>(
        self,
        numbers: [Self::Words; 4],
        unsigned: bool,
        destination: *mut u16,
    );
    /// The largest lane of each vector.
    fn maxima(self, vectors: [Self::Words; 8]) -> Self::Words;
    /// The binary32 numbers of the next codes of `WIDTH` bits, with bits for the NaNs, the first one lowest, whose numbers
    /// mean nothing.
    ///
    /// # Safety
    /// Readable codes at `source`, as many as four vectors have lanes.
    unsafe fn load_numbers<const WIDTH: u32>(
        self,
        source: *const u8,
        format: SmallFloat<'_>,
    ) -> ([Self::Words; 4], u32);
    /// Codes of `WIDTH` bits: with `(first, most)`, the lesser of `most` and of the low bytes of `magnitudes` less `first`, and the top bits of `signs`,
    /// except for magnitudes of 0 unless `zeros`.
    ///
    /// # Safety
    /// Writable codes at `destination`, as many as four vectors have lanes.
    unsafe fn store_codes<const WIDTH: u32>(
        self,
        magnitudes: [Self::Words; 4],
        first_and_most: (u8, u8),
        signs: [Self::Words; 4],
        zeros: bool,
        destination: *mut u8,
    );
    /// z + x · y of binary32 numbers, rounded once.
    fn plus_product(self, z: Self::Words, x: Self::Words, y: Self::Words) -> Self::Words;
    /// z − x · y of binary32 numbers, rounded once.
    fn less_product(self, z: Self::Words, x: Self::Words, y: Self::Words) -> Self::Words;
    /// Bytes of twice the lanes of `wholes`, and one more or less where a lane of `signs` is, as a signed integer, above or below
    /// zero; ±127 at most, in an order that [`PackedLeg::store_by_doubles`] knows.
    ///
    /// # Safety
    /// As many writable bytes at `destination` as four vectors have lanes.
    unsafe fn store_doubles(self, wholes: [Self::Words; 4], signs: [Self::Words; 4], destination: *mut u8);
    /// Codes of four bits, two a byte: of each signed byte i of `doubles`, the table's byte at the lesser of |i| and 47, and i's
    /// sign, except for bytes of 0 unless `zeros`.
    ///
    /// # Safety
    /// As many readable bytes at `doubles` as four vectors have lanes, and as many writable codes at `destination`.
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
/// Crossed bytes are those of two vectors of `Halves`, eight of the one and eight of the other in turn.
pub trait Bytes: Copy {
    /// Lanes of 16 bits, half as many.
    type Halves: Lanes;
    /// Lanes a vector.
    const COUNT: usize;

    /// A table of 128 bytes.
    fn table(self, entries: &[u8; 128]) -> [Self; 2];
    /// A table's bytes at the low seven bits of the lanes.
    fn look_up(self, table: [Self; 2]) -> Self;
    /// Bitwise a & b.
    fn and(self, other: Self) -> Self;
    /// Bitwise a | b.
    fn or(self, other: Self) -> Self;
    /// Sums, wrapped.
    fn add(self, other: Self) -> Self;
    /// Sums, the largest lane for those beyond it.
    fn add_most(self, other: Self) -> Self;
    /// max(self, other) − other.
    fn excess(self, other: Self) -> Self;
    /// Lanes shifted to the left, where no bits are lost.
    fn shl(self, count: u32) -> Self;
    /// The lesser of the lanes.
    fn min(self, other: Self) -> Self;
    /// Lanes as signed integers, where they are beyond ±`most` that.
    fn within(self, most: u8) -> Self;
    /// A bit for each lane, the first one lowest: whether it is below `limit`.
    fn below(self, limit: Self) -> u64;
    /// The lanes of `yes` where a bit of `mask` is set, else of `self`.
    fn replaced(self, mask: u64, yes: Self) -> Self;
    /// Codes of `WIDTH` bits, 4, 6 or 8, whose top bit is cleared where that of `signs`' lanes is clear.
    fn signed<const WIDTH: u32>(self, signs: Self) -> Self;

    /// The next bytes.
    ///
    /// # Safety
    /// `COUNT` readable bytes at `source`.
    unsafe fn load(self, source: *const u8) -> Self;
    /// As they are.
    ///
    /// # Safety
    /// `COUNT` writable bytes at `destination`.
    unsafe fn put(self, destination: *mut u8);
    /// Of crossed bytes, all in order.
    ///
    /// # Safety
    /// `COUNT` writable bytes at `destination`.
    unsafe fn store(self, destination: *mut u8);
    /// The low four bits of each crossed lane, all others of which are clear, two a byte, the first of each pair low.
    ///
    /// # Safety
    /// `COUNT` writable bytes at `destination`.
    unsafe fn store_nibbles(vectors: [Self; 2], destination: *mut u8);
    /// The low six bits of each crossed lane, all others of which are clear, as a string of bits, the first lowest.
    ///
    /// # Safety
    /// `COUNT` · 3/4 writable bytes at `destination`.
    unsafe fn store_sixes(self, destination: *mut u8);
}

/// Legs whose instructions carry their own rounding control, so that binary32 arithmetic can be rounded to odd
/// whatever the caller's environment is.
///
/// Vectors hold binary32 words. Operands and exact results must be zero, infinite, NaN, or of a magnitude from
/// 2^−126 up to below 2^128. Exactly cancelled sums are −0 if `negative_zero`, and +0 otherwise.
pub trait OddLeg: Leg {
    /// x + y to odd.
    fn add_odd(self, negative_zero: bool, x: Self::Words, y: Self::Words) -> Self::Words;
    /// The same where the sum is known to be exact.
    fn add_exact(self, negative_zero: bool, x: Self::Words, y: Self::Words) -> Self::Words;
    /// An exact product.
    fn multiply_exact(self, x: Self::Words, y: Self::Words) -> Self::Words;
    /// x · y to odd.
    fn multiply_odd(self, x: Self::Words, y: Self::Words) -> Self::Words;
    /// x / y to odd.
    fn divide_odd(self, x: Self::Words, y: Self::Words) -> Self::Words;
    /// Toward zero.
    fn divide_cut_off(self, x: Self::Words, y: Self::Words) -> Self::Words;
    /// The lesser, NaN if either is; −0 is less than +0.
    fn minimum(self, x: Self::Words, y: Self::Words) -> Self::Words;
    /// The greater, NaN if either is; +0 is greater than −0.
    fn maximum(self, x: Self::Words, y: Self::Words) -> Self::Words;
    /// x · y + z.
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

/// What a [`PairTable`] can translate to: 16-bit words, or binary32 whose low half is zero.
pub trait PairTarget: Copy {
    /// Whether an element is the pair with 16 zero bits below.
    const WIDE: bool;
    /// The element that a low and a high byte make.
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
