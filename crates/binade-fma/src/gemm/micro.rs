//! The trait of kernels for one tile of C, the packing of A and B that they need, and kernels of rules in vector code.

use binade::SumDraws;
use binade_kernels::Rounder;
use binade_simd::floats::Floats;

use super::rules::{Rule, Step, Wide};
use super::skipping::{LIST_LENGTH, Skipping};
use super::words::{PanelPlace, fill_words};

/// The maximum number of elements of C in a tile.
pub(crate) const TILE: usize = 512;

/// The parts of an element that form a packed word.
#[derive(Clone, Copy)]
pub(crate) enum Word {
    /// One part, as a binary32.
    Whole(usize),
    /// Two BF16 parts, the first in the high half.
    Halves(usize, usize),
}

/// The conversion of A and B before they are multiplied.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one for a whole product")]
pub(crate) enum Inputs {
    /// None, except that NaN becomes canonical if `canonical`.
    Binary32 { canonical: bool },
    /// `count` BF16 parts; binary32 subnormals are flushed first if `flush`.
    Parts { count: usize, flush: bool },
    /// Rounding to another format.
    Format(Rounder),
    /// Rounding to another format in binary64, for formats whose codes have more than 16 bits.
    Wide(Wide),
}

/// A kernel for tiles of C with `rows` · `columns` elements, row by row. Packed A is `[depth][rows][words]`, packed B
/// is `[depth][columns / lanes][words][lanes]`.
///
/// Implementations are constructed only on machines with their instructions.
pub(crate) trait Kernel: Send + Sync {
    fn rows(&self) -> usize;
    fn columns(&self) -> usize;
    fn lanes(&self) -> usize;
    fn a_words(&self) -> &'static [Word];
    fn b_words(&self) -> &'static [Word];

    /// True if packing rows that need no rounding only copies them.
    fn copies(&self, shape: &Shape) -> bool {
        shape.only_copies()
    }

    /// The permutation of a kernel that permutes columns: at step i of a run, packed column j holds column `at(i)[j]`.
    fn permutation(&self) -> Option<&Permutation> {
        None
    }

    /// True if the words of an element are its number, and two that [`Kernel::fill_words`] fills in.
    fn draws(&self) -> bool {
        false
    }

    /// [`super::words::fill_words`], for the rows of `draws`.
    fn fill_words(&self, packed: &mut [u32], sizes: [usize; 2], draws: &SumDraws, place: PanelPlace) {
        fill_words(packed, sizes, draws, place);
    }

    /// Packs rows of `width` elements, in groups of `lanes`, to `[depth][width / lanes][words][lanes]`.
    fn pack(&self, block: &[f32], shape: &Shape, planes: &mut Planes, out: &mut [u32]);

    /// Converts C before its first step.
    fn prepare(&self, c: &mut [f32]);

    /// c ← op(a, b, c) for `depth` ≥ 1 steps. `is_initial` if c is not a step's result but the outcome of `prepare`.
    ///
    /// # Safety
    /// `a` and `b` hold `depth` steps, and `c` holds a whole tile.
    unsafe fn run(&self, is_initial: bool, depth: usize, a: *const u32, b: *const u32, c: *mut f32);

    /// The kernel for lists of nonzero elements, for the order `sequential`; `None` if it has none.
    fn skipping(&self) -> Option<&dyn Skipping> {
        None
    }

    /// Converts C after its last step.
    fn finish(&self, c: &mut [f32]) {
        let _ = c;
    }

    /// Rounds binary32 sums to accumulators, elementwise; whole tiles.
    fn round_to_accumulator(&self, c: &mut [f32]);

    /// The bits of the largest magnitude in a whole tile.
    fn largest(&self, c: &[f32]) -> u32;

    /// c ← accumulate(x, c), elementwise; whole tiles.
    fn accumulate(&self, x: &[f32], c: &mut [f32]);
}

/// The steps of a kernel alone, without packing and conversion.
pub(crate) trait TileSteps: Send + Sync {
    /// As [`Kernel::run`].
    ///
    /// # Safety
    /// As [`Kernel::run`].
    unsafe fn steps(&self, depth: usize, a: *const u32, b: *const u32, c: *mut f32);

    /// True if [`TileSteps::lists`] may be called.
    fn skips(&self) -> bool {
        false
    }

    /// As [`Skipping::run_lists`]; must not be called unless `skips` returns true.
    ///
    /// # Safety
    /// Those of [`Skipping::run_lists`].
    unsafe fn lists(
        &self,
        swapped: bool,
        steps: usize,
        a: *const u32,
        at: *const u32,
        b: *const u32,
        c: *mut f32,
    ) {
        let _ = (swapped, steps, a, at, b, c);
    }
}

/// Positions of columns at each step, with a period.
pub(crate) struct Permutation {
    pub(crate) steps: Vec<[u8; 32]>,
}

impl Permutation {
    pub(crate) fn at(&self, step: usize) -> &[u8; 32] {
        &self.steps[step % self.steps.len()]
    }
}

/// Buffers for the parts of a block, reused.
pub(crate) type Planes = [Vec<f32>; 3];

/// The layout to which [`pack`] packs a block.
pub(crate) struct Shape<'a> {
    pub(crate) width: usize,
    pub(crate) lanes: usize,
    pub(crate) words: &'a [Word],
    /// BF16 parts to split into; 0 leaves elements unchanged.
    pub(crate) parts: usize,
    pub(crate) flush: bool,
    /// A permutation, and the number of steps after which it restarts.
    pub(crate) permutation: Option<(&'a Permutation, usize)>,
}

impl Shape<'_> {
    /// True if packing only copies.
    pub(crate) fn only_copies(&self) -> bool {
        matches!(self.words, [Word::Whole(0)]) && self.permutation.is_none() && self.parts == 0
    }
}

/// The BF16 parts of a number, as [`binade::operator`] defines them: all infinite where the leading one is, NaN canonical.
#[inline(always)]
fn split(x: f32, count: usize, flush: bool) -> [f32; 3] {
    #[inline(always)]
    fn bf16(x: f32) -> f32 {
        let bits = x.to_bits();
        f32::from_bits(bits.wrapping_add(0x7fff + (bits >> 16 & 1)) & 0xffff_0000)
    }
    let x = if x.is_nan() { f32::NAN } else { x };
    let x = if flush && x.abs() < f32::MIN_POSITIVE { f32::from_bits(x.to_bits() & 1 << 31) } else { x };
    let mut parts = [bf16(x); 3];
    let mut rest = x;
    for i in 1..count {
        rest -= parts[i - 1];
        parts[i] = if parts[0].is_infinite() { parts[0] } else { bf16(rest) };
    }
    parts
}

/// The sum of the BF16 parts of a number.
pub(crate) fn joined(x: f32, count: usize, flush: bool) -> f32 {
    let parts = split(x, count, flush);
    parts[1..count].iter().fold(parts[0], |sum, part| sum + part)
}

/// Packs a block; see [`Kernel::pack`].
#[inline(always)]
pub(crate) fn pack(block: &[f32], shape: &Shape, planes: &mut Planes, out: &mut [u32]) {
    let &Shape { width, lanes, words, parts, flush, permutation } = shape;
    /// Splits every element. All packing loops run over long slices, so that they compile to vector code.
    #[inline(always)]
    fn splits<const COUNT: usize>(block: &[f32], flush: bool, planes: &mut Planes) {
        let planes = planes.each_mut().map(|plane| &mut plane[..block.len()]);
        for (at, &x) in block.iter().enumerate() {
            let parts = split(x, COUNT, flush);
            for part in 0..COUNT {
                planes[part][at] = parts[part];
            }
        }
    }
    if let ([Word::Whole(0)], None) = (words, permutation) {
        // One word an element, for any number of lanes.
        for (to, &x) in out.iter_mut().zip(block) {
            *to = if parts == 0 { x.to_bits() } else { split(x, 1, flush)[0].to_bits() };
        }
        return;
    }
    /// Calls a function with the number of lanes as a constant.
    macro_rules! by_lanes {
        ($function:ident, $($argument:expr),*) => {
            match lanes {
                16 => $function::<16>($($argument),*),
                8 => $function::<8>($($argument),*),
                4 => $function::<4>($($argument),*),
                _ => $function::<1>($($argument),*),
            }
        };
    }
    if permutation.is_none() && matches!(parts, 2 | 3) && is_planes(words, parts) {
        return by_lanes!(split_groups, parts, block, flush, out);
    }
    for plane in planes.iter_mut() {
        plane.resize(block.len(), 0.0);
    }
    match parts {
        0 => planes[0].copy_from_slice(block),
        1 => splits::<1>(block, flush, planes),
        2 => splits::<2>(block, flush, planes),
        _ => splits::<3>(block, flush, planes),
    }
    if let Some((permutation, period)) = permutation {
        for (step, (out, row)) in out.chunks_exact_mut(width).zip(planes[0].chunks_exact(width)).enumerate() {
            for (to, &from) in out.iter_mut().zip(permutation.at(step % period)) {
                *to = row[from as usize].to_bits();
            }
        }
    } else {
        by_lanes!(interleave, words, planes, out);
    }
}

/// True if `words` is one word for each part, in order.
#[inline(always)]
fn is_planes(words: &[Word], parts: usize) -> bool {
    let mut numbered = words.iter().enumerate();
    words.len() == parts
        && numbered.all(|(number, word)| matches!(word, Word::Whole(part) if *part == number))
}

/// Splits the elements of groups of lanes into two or three parts, one word each.
#[inline(always)]
fn split_groups<const LANES: usize>(parts: usize, block: &[f32], flush: bool, out: &mut [u32]) {
    #[inline(always)]
    fn of<const LANES: usize, const COUNT: usize>(block: &[f32], flush: bool, out: &mut [u32]) {
        for (x, out) in block.as_chunks::<LANES>().0.iter().zip(out.chunks_exact_mut(LANES * COUNT)) {
            for (lane, &x) in x.iter().enumerate() {
                let parts = split(x, COUNT, flush);
                for part in 0..COUNT {
                    out[part * LANES + lane] = parts[part].to_bits();
                }
            }
        }
    }
    match parts {
        2 => of::<LANES, 2>(block, flush, out),
        _ => of::<LANES, 3>(block, flush, out),
    }
}

/// Writes the words of groups of lanes.
#[inline(always)]
fn interleave<const LANES: usize>(words: &[Word], planes: &Planes, out: &mut [u32]) {
    for (number, word) in words.iter().enumerate() {
        let groups =
            out.chunks_exact_mut(LANES * words.len()).map(|group| &mut group[number * LANES..][..LANES]);
        match *word {
            Word::Whole(part) => {
                for (out, plane) in groups.zip(planes[part].chunks_exact(LANES)) {
                    for (to, x) in out.iter_mut().zip(plane) {
                        *to = x.to_bits();
                    }
                }
            }
            Word::Halves(high, low) => {
                let planes = planes[high].chunks_exact(LANES).zip(planes[low].chunks_exact(LANES));
                for (out, (high, low)) in groups.zip(planes) {
                    for ((to, high), low) in out.iter_mut().zip(high).zip(low) {
                        *to = high.to_bits() & 0xffff_0000 | low.to_bits() >> 16;
                    }
                }
            }
        }
    }
}

/// One word for each part.
const PLANES: [Word; 3] = [Word::Whole(0), Word::Whole(1), Word::Whole(2)];

/// The words of a rule's operands.
pub(crate) fn planes(parts: usize) -> &'static [Word] {
    const { &[PLANES[0], PLANES[1], PLANES[2]] }.split_at(parts).0
}

/// Steps of a tile of `GROUPS` · `G` rows and `NV` vectors of columns.
///
/// # Safety
/// As [`Kernel::run`], on a machine with the vector's instructions.
#[inline(always)]
pub(crate) unsafe fn tile<R: Step, F: Floats, const G: usize, const GROUPS: usize, const NV: usize>(
    rule: &R,
    depth: usize,
    mut a: *const u32,
    mut b: *const u32,
    c: *mut f32,
) {
    // SAFETY: the caller guarantees `depth` steps; the pointers advance one step at a time.
    unsafe {
        let zero = F::splat(0.0);
        let mut sums = [[[zero; G]; NV]; GROUPS];
        for (group, sums) in sums.iter_mut().enumerate() {
            for (j, sums) in sums.iter_mut().enumerate() {
                for (g, sum) in sums.iter_mut().enumerate() {
                    *sum = rule.begin(F::load(c.add(((group * G + g) * NV + j) * F::LANES)));
                }
            }
        }
        for _ in 0..depth {
            for (group, sums) in sums.iter_mut().enumerate() {
                for (j, sums) in sums.iter_mut().enumerate() {
                    let (mut left, mut right) = ([[zero; G]; 3], [[zero; G]; 3]);
                    for part in 0..R::PARTS {
                        right[part] = [F::load(b.add((j * R::PARTS + part) * F::LANES).cast()); G];
                        for (g, left) in left[part].iter_mut().enumerate() {
                            *left = F::splat(*a.add((group * G + g) * R::PARTS + part).cast());
                        }
                    }
                    rule.step(&left, &right, sums);
                }
            }
            a = a.add(GROUPS * G * R::PARTS);
            b = b.add(NV * F::LANES * R::PARTS);
        }
        for (group, sums) in sums.iter().enumerate() {
            for (j, sums) in sums.iter().enumerate() {
                for (g, sum) in sums.iter().enumerate() {
                    rule.end(*sum, depth).store(c.add(((group * G + g) * NV + j) * F::LANES));
                }
            }
        }
    }
}

/// As [`tile`], with lists: see [`Skipping::run_lists`].
///
/// # Safety
/// As [`Skipping::run_lists`], on a machine with the vector's instructions.
#[inline(always)]
unsafe fn tile_of_lists<
    R: Step,
    F: Floats,
    const G: usize,
    const GROUPS: usize,
    const NV: usize,
    const SWAPPED: bool,
>(
    rule: &R,
    steps: usize,
    mut a: *const u32,
    mut at: *const u32,
    b: *const u32,
    c: *mut f32,
) {
    // SAFETY: the caller guarantees `steps` steps; `a` and `at` advance one step at a time.
    unsafe {
        let zero = F::splat(0.0);
        let mut sums = [[[zero; G]; NV]; GROUPS];
        for (group, sums) in sums.iter_mut().enumerate() {
            for (j, sums) in sums.iter_mut().enumerate() {
                for (g, sum) in sums.iter_mut().enumerate() {
                    *sum = F::load(c.add(((group * G + g) * NV + j) * F::LANES));
                }
            }
        }
        for _ in 0..steps {
            for (group, sums) in sums.iter_mut().enumerate() {
                for (j, sums) in sums.iter_mut().enumerate() {
                    let (mut left, mut right) = ([[zero; G]; 3], [[zero; G]; 3]);
                    for g in 0..G {
                        let row = (group * G + g) * LIST_LENGTH;
                        let b = b.byte_add(*at.add(row) as usize);
                        for part in 0..R::PARTS {
                            left[part][g] = F::splat(*a.add(row * R::PARTS + part).cast());
                            right[part][g] = F::load(b.add((j * R::PARTS + part) * F::LANES).cast());
                        }
                    }
                    if SWAPPED {
                        rule.step(&right, &left, sums);
                    } else {
                        rule.step(&left, &right, sums);
                    }
                }
            }
            a = a.add(R::PARTS);
            at = at.add(1);
        }
        for (group, sums) in sums.iter().enumerate() {
            for (j, sums) in sums.iter().enumerate() {
                for (g, sum) in sums.iter().enumerate() {
                    sum.store(c.add(((group * G + g) * NV + j) * F::LANES));
                }
            }
        }
    }
}

/// Applies a function of one vector to a slice whose length is a multiple of the lanes.
///
/// # Safety
/// The machine has the vector's instructions.
#[inline(always)]
pub(crate) unsafe fn elementwise<F: Floats>(c: &mut [f32], mut function: impl FnMut(usize, &mut [F; 1])) {
    for at in (0..c.len() / F::LANES).map(|i| i * F::LANES) {
        // SAFETY: at + LANES is at most the slice's length.
        unsafe {
            let place = c.as_mut_ptr().add(at);
            let mut lanes = [F::load(place)];
            function(at, &mut lanes);
            lanes[0].store(place);
        }
    }
}

/// Defines a kernel type: a rule on the vectors of a leg, with tiles of a given size.
macro_rules! kernel {
    ($(#[$doc:meta])* $name:ident, $floats:ty, $features:tt, $group:literal, $groups:literal, $vectors:literal) => {
        $(#[$doc])*
        pub(crate) struct $name<R>(R);

        impl<R: Step> $name<R> {
            /// # Safety
            /// The machine has the instructions.
            pub(crate) unsafe fn new(rule: R) -> Self {
                $name(rule)
            }
        }

        const _: () = {
            $crate::gemm::micro::entry! { $features,
                fn pack_entry(block: &[f32], shape: &Shape, planes: &mut Planes, out: &mut [u32]) {
                    pack(block, shape, planes, out)
                }
            }
            $crate::gemm::micro::entry! { $features,
                fn words_entry(packed: &mut [u32], sizes: [usize; 2], draws: &SumDraws, place: PanelPlace) {
                    fill_words(packed, sizes, draws, place)
                }
            }
            $crate::gemm::micro::entry! { $features,
                fn run_entry<R: Step>(rule: &R, depth: usize, a: *const u32, b: *const u32, c: *mut f32) {
                    // SAFETY: the caller guarantees the pointers and the instructions.
                    unsafe { tile::<R, $floats, $group, $groups, $vectors>(rule, depth, a, b, c) }
                }
            }
            $crate::gemm::micro::entry! { $features,
                fn lists_entry<R: Step>(rule: &R, swapped: bool, steps: usize, a: *const u32, at: *const u32, b: *const u32, c: *mut f32) {
                    // SAFETY: the caller guarantees the pointers and the instructions.
                    unsafe {
                        if swapped {
                            tile_of_lists::<R, $floats, $group, $groups, $vectors, true>(rule, steps, a, at, b, c)
                        } else {
                            tile_of_lists::<R, $floats, $group, $groups, $vectors, false>(rule, steps, a, at, b, c)
                        }
                    }
                }
            }
            $crate::gemm::micro::entry! { $features,
                fn largest_entry(c: &[f32], most: &mut u32) {
                    *most = c.iter().fold(0, |most, x| most.max(x.to_bits() & 0x7fff_ffff));
                }
            }
            $crate::gemm::micro::entry! { $features,
                fn prepare_entry<R: Rule>(rule: &R, c: &mut [f32]) {
                    // SAFETY: the caller guarantees the instructions.
                    unsafe { elementwise::<$floats>(c, |_, c| rule.prepare(c)) }
                }
            }
            $crate::gemm::micro::entry! { $features,
                fn round_to_accumulator_entry<R: Rule>(rule: &R, c: &mut [f32]) {
                    // SAFETY: the caller guarantees the instructions.
                    unsafe { elementwise::<$floats>(c, |_, c| rule.round_to_accumulator(c)) }
                }
            }
            $crate::gemm::micro::entry! { $features,
                fn accumulate_entry<R: Rule>(rule: &R, x: &[f32], c: &mut [f32]) {
                    let x = &x[..c.len()];
                    // SAFETY: the caller guarantees the instructions; `at` + LANES is within `c`, and `x` is as long as
                    // `c`.
                    unsafe {
                        elementwise::<$floats>(c, |at, c| {
                            let x = [<$floats as Floats>::load(x.as_ptr().add(at))];
                            rule.accumulate(&x, c)
                        })
                    }
                }
            }

            impl<R: Step> TileSteps for $name<R> {
                unsafe fn steps(&self, depth: usize, a: *const u32, b: *const u32, c: *mut f32) {
                    // SAFETY: the caller guarantees the pointers, and the caller of `new` the instructions.
                    unsafe { run_entry(&self.0, depth, a, b, c) }
                }
                fn skips(&self) -> bool {
                    R::SKIPS
                }
                unsafe fn lists(&self, swapped: bool, steps: usize, a: *const u32, at: *const u32, b: *const u32, c: *mut f32) {
                    if const { R::SKIPS } {
                        // SAFETY: the caller guarantees the pointers, and the caller of `new` the instructions.
                        unsafe { lists_entry(&self.0, swapped, steps, a, at, b, c) }
                    }
                }
            }

            impl<R: Rule> Kernel for $name<R> {
                fn rows(&self) -> usize {
                    $group * $groups
                }
                fn columns(&self) -> usize {
                    $vectors * <$floats as Floats>::LANES
                }
                fn lanes(&self) -> usize {
                    <$floats as Floats>::LANES
                }
                fn a_words(&self) -> &'static [Word] {
                    planes(R::PARTS)
                }
                fn draws(&self) -> bool {
                    R::DRAWS
                }
                fn fill_words(&self, packed: &mut [u32], sizes: [usize; 2], draws: &SumDraws, place: PanelPlace) {
                    // SAFETY: the caller of `new` guaranteed the instructions.
                    unsafe { words_entry(packed, sizes, draws, place) }
                }
                fn b_words(&self) -> &'static [Word] {
                    planes(R::PARTS)
                }
                fn pack(&self, block: &[f32], shape: &Shape, planes: &mut Planes, out: &mut [u32]) {
                    // SAFETY: the caller of `new` guaranteed the instructions.
                    unsafe { pack_entry(block, shape, planes, out) }
                }
                fn prepare(&self, c: &mut [f32]) {
                    // SAFETY: the caller of `new` guaranteed the instructions.
                    unsafe { prepare_entry(&self.0, c) }
                }
                fn largest(&self, c: &[f32]) -> u32 {
                    let mut most = 0;
                    // SAFETY: the caller of `new` guaranteed the instructions.
                    unsafe { largest_entry(c, &mut most) };
                    most
                }
                fn round_to_accumulator(&self, c: &mut [f32]) {
                    // SAFETY: the caller of `new` guaranteed the instructions.
                    unsafe { round_to_accumulator_entry(&self.0, c) }
                }
                unsafe fn run(&self, _given: bool, depth: usize, a: *const u32, b: *const u32, c: *mut f32) {
                    // SAFETY: the caller guarantees the pointers.
                    unsafe { self.steps(depth, a, b, c) }
                }
                fn accumulate(&self, x: &[f32], c: &mut [f32]) {
                    // SAFETY: the caller of `new` guaranteed the instructions.
                    unsafe { accumulate_entry(&self.0, x, c) }
                }
            }
        };
    };
}

/// Defines a function with target features, or without any for the portable leg.
macro_rules! entry {
    ("", fn $name:ident $(<$($parameter:ident: $bound:ident),*>)? ($($argument:ident: $type:ty),* $(,)?) $body:block) => {
        unsafe fn $name $(<$($parameter: $bound),*>)? ($($argument: $type),*) $body
    };
    ($features:literal, fn $name:ident $(<$($parameter:ident: $bound:ident),*>)? ($($argument:ident: $type:ty),* $(,)?) $body:block) => {
        #[target_feature(enable = $features)]
        unsafe fn $name $(<$($parameter: $bound),*>)? ($($argument: $type),*) $body
    };
}

pub(crate) use entry;

kernel! {
    /// One element at a time.
    OnPortable, binade_simd::floats::portable::Lane, "", 4, 1, 1
}

#[cfg(target_arch = "aarch64")]
kernel! {
    /// NEON.
    OnNeon, binade_simd::floats::neon::Lanes128, "", 4, 1, 4
}

#[cfg(target_arch = "x86_64")]
kernel! {
    /// AVX2 and FMA.
    OnAvx2, binade_simd::floats::avx2::Lanes256, "avx2,fma", 4, 1, 2
}

#[cfg(target_arch = "x86_64")]
kernel! {
    /// AVX-512 for steps of few instructions.
    OnAvx512Light, binade_simd::floats::avx512::Lanes512<false>, "avx512f,avx512bw,avx512vl,avx512dq,fma", 4, 2, 3
}

#[cfg(target_arch = "x86_64")]
kernel! {
    /// AVX-512.
    OnAvx512, binade_simd::floats::avx512::Lanes512<false>, "avx512f,avx512bw,avx512vl,avx512dq,fma", 4, 2, 1
}

#[cfg(target_arch = "x86_64")]
kernel! {
    /// AVX-512 with VNNI.
    OnVnni, binade_simd::floats::avx512::Lanes512<true>, "avx512f,avx512bw,avx512vl,avx512dq,avx512vnni,fma", 4, 4, 1
}

#[cfg(target_arch = "x86_64")]
kernel! {
    /// AVX-512 with VNNI and BF16.
    OnBf16, binade_simd::floats::avx512::Lanes512<true, true>, "avx512f,avx512bw,avx512vl,avx512dq,avx512vnni,avx512bf16,fma", 4, 4, 1
}
