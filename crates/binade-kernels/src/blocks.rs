//! Blocks in bulk: MX and NVFP4, as [`BlockFormat`] means them.
//!
//! # Exactness
//! The largest magnitude m of a block is found among binary32 words, whose order is that of integers.
//!
//! A scale in E8M0 is the exponent field of m, moved by the element format's largest exponent, and one more where m's
//! significand is beyond a threshold that the rule fixes: 0 for `ceil`, M's significand for `rceil`, 2 − 2^−P for `even`,
//! and 3/4 of M's or 3/2, with ties to the even code, for `nearest` and `max_abs_finite`. Other scales are m·g / (M·d)
//! rounded to binary64 and then to the scale format; g and d are the tensor's scale on its side of the fraction. That is
//! one rounding of the exact quotient: m·g has at most 48 bits and d·M·T at most 53, for any point T at which rounding
//! changes its mind, so that unequal ones differ by more than the rounding to binary64 moves their quotient.
//!
//! Elements of E2M1 need no quotient: for each of the 256 scales a row of a table has, for each code but 0, the largest
//! binary32 word that rounds below it, and the code is how many of the seven a magnitude is above. By the argument above
//! a point T·s·d/g and a word are on the same side of each other before and after the rounding to binary64. Wider
//! elements are x·2^k in binary32, exact unless below 2^−126, which all of them round to zero; under other scales
//! binary64 quotients, as before.
//!
//! Decoding multiplies: under E8M0 a product of an element and a scale is a binary32 number, beyond its range or a multiple
//! of 2^−149; E2M1 and E4M3 have products of 6 bits, and what the tensor's scale does to these is rounded once.

use binade::block::BlockFormat;
use binade::catalog::{BF16, F16};
use binade::{Edition, Format, Projection, Rounding, Saturation, Spec, Value, decode, project_in};
use binade_simd::lanes::Leg;
use binade_simd::{Environment, Isa, Kernel};

use crate::decoder::Decoder;
use crate::encoder::Encoder;
use crate::error::KernelError;
use crate::pack;
use crate::values::Values;

/// Elements that are worked on at once: whole blocks of 16 and of 32, and whole bytes of all widths.
const CHUNK: usize = 2048;

/// The scale that all blocks of a tensor have in common.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum TensorScale {
    /// None.
    #[default]
    None,
    /// Values are scale · element · this: NVFP4's own, and ModelOpt's `weight_scale_2`.
    Factor(f32),
    /// Values are scale · element / this: compressed-tensors' `weight_global_scale`.
    Divisor(f32),
}

impl TensorScale {
    /// What numbers are multiplied by and divided by when they are coded.
    fn sides(self) -> (f64, f64) {
        match self {
            TensorScale::None => (1.0, 1.0),
            TensorScale::Factor(scale) => (1.0, scale as f64),
            TensorScale::Divisor(scale) => (scale as f64, 1.0),
        }
    }

    fn check(self) -> Result<(), KernelError> {
        match self {
            TensorScale::Factor(scale) | TensorScale::Divisor(scale)
                if !(scale > 0.0 && scale.is_finite()) =>
            {
                Err(KernelError::TensorScale { scale })
            }
            _ => Ok(()),
        }
    }
}

fn named(name: &str) -> Option<Format> {
    name.parse::<Spec>().ok().map(|spec| spec.format)
}

/// Whether kernels take the format: blocks of one row, of MX's elements, under scales of E8M0 or E4M3.
fn check(format: &BlockFormat) -> Result<(), KernelError> {
    let one_of = |format, names: &[&str]| names.iter().any(|name| named(name) == Some(format));
    const ELEMENTS: [&str; 5] =
        ["float8_e4m3fn", "float8_e5m2", "float6_e3m2fn", "float6_e2m3fn", "float4_e2m1fn"];
    let known =
        one_of(format.element, &ELEMENTS) && one_of(format.scale, &["float8_e8m0fnu", "float8_e4m3fn"]);
    match known && format.shape.0 == 1 && format.shape.1 > 0 {
        true => Ok(()),
        false => {
            Err(KernelError::Blocks { elements: format.element, scales: format.scale, shape: format.shape })
        }
    }
}

/// The value of a code in binary64, which holds those of all these formats.
fn value(format: Format, code: u64) -> f64 {
    f64::from_bits(binade::project(binade::catalog::F64, decode(format, code), Projection::default()).code)
}

/// Encodes slices in blocks along rows, as [`BlockFormat::encode`] does: a byte a scale, and elements packed as
/// [`mod@pack`] has them.
///
/// ```
/// use binade_kernels::BlockEncoder;
///
/// let encoder = BlockEncoder::new("mxfp4".parse().unwrap())?;
/// let x: Vec<f32> = (0..32).map(|i| i as f32 / 8.0).collect();
/// let (mut scales, mut elements) = ([0; 1], [0; 16]);
/// encoder.encode_f32(&x, 32, &mut scales, &mut elements)?;
/// // The largest is 3.875: its exponent, 1, less E2M1's largest, 2, is −1. It is 7.75 half units, clamped to 6.
/// assert_eq!((scales, elements[15]), ([126], 0x77));
/// # Ok::<(), binade_kernels::KernelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BlockEncoder {
    format: BlockFormat,
    tensor: TensorScale,
    edition: Edition,
    isa: Isa,
    elements: Encoder,
    scales: Encoder,
    rule: Rule,
    scale_values: Box<[f64; 256]>,
    /// For elements of E2M1: by scale, the largest binary32 words that round to less than each code from 1 to 7.
    edges: Option<Box<[[u32; 8]; 256]>>,
    /// What ∞, −∞, NaN and −NaN become.
    special: [u8; 4],
}

/// How a scale follows from a largest magnitude.
#[derive(Clone, Copy, Debug)]
enum Rule {
    /// In E8M0, from binary32's word of it.
    Power(Power),
    /// The quotient by the largest element, rounded.
    Quotient,
    /// 2^⌊log2⌋ over the largest element's, one more where binary64's trailing significand is at least this.
    Binade(u64),
    /// The magnitude itself, rounded.
    Itself,
}

/// Code = field + offset, and one more where the trailing significand, and 1 for odd codes if `tie`, is at least `from`;
/// `from_subnormal` where the field is 0.
#[derive(Clone, Copy, Debug)]
struct Power {
    offset: i32,
    from: u32,
    from_subnormal: u32,
    tie: i32,
}

const BINADE: u32 = 1 << 23;

impl Power {
    fn new(rule: binade::block::ScaleRule, elements: Format) -> Power {
        use binade::block::ScaleRule::*;
        let e = elements.emax();
        let significand = (value(elements, elements.max_finite_code()) as f32).to_bits() & (BINADE - 1);
        let plain = |from| Power { offset: -e, from, from_subnormal: from, tie: 0 };
        match rule {
            Floor => plain(BINADE),
            Ceil => plain(1),
            Rceil => plain(significand + 1),
            Even => plain(BINADE - (BINADE >> elements.precision())),
            // 3/4 of M's significand, which is at least 4/3, less the leading 1.
            Nearest => {
                let from = (BINADE + significand) / 4 * 3 - BINADE + 1;
                Power { offset: -e - 1, from, from_subnormal: from, tie: 1 }
            }
            // Below 2^−126 there is the tie of 2^−127, code 0, and 2^−126.
            MaxAbsFinite => {
                Power { offset: 0, from: BINADE / 2 + 1, from_subnormal: BINADE / 4 * 3 + 1, tie: 1 }
            }
        }
    }

    #[inline(always)]
    fn code(self, word: u32) -> u8 {
        let field = (word >> 23) as i32;
        let below = field + self.offset;
        let from = if field == 0 { self.from_subnormal } else { self.from };
        let up = (word & (BINADE - 1)) + (below & self.tie) as u32 >= from;
        let code = (below + up as i32).clamp(0, 254);
        if word == 0 { 127 } else { code as u8 }
    }
}

/// Binary32's word of 2^(127 − code).
#[inline(always)]
fn reciprocal(code: u8) -> f32 {
    let field = (254 - code.min(254) as u32) << 23;
    f32::from_bits(if field == 0 { BINADE / 2 } else { field })
}

impl BlockEncoder {
    /// An encoder by the meaning of P3109 4.0, on the best instruction set.
    ///
    /// # Errors
    /// Formats other than blocks of one row, of E4M3, E5M2, E3M2, E2M3 or E2M1, under scales of E8M0 or E4M3.
    pub fn new(format: BlockFormat) -> Result<BlockEncoder, KernelError> {
        use binade::block::ScaleRule::*;
        check(&format)?;
        let rounding = if format.rule == Rceil { Rounding::TowardPositive } else { Rounding::NearestEven };
        let binade64 = 1u64 << 52;
        let rule = match format.rule {
            rule if format.scale.precision() == 1 => Rule::Power(Power::new(rule, format.element)),
            Rceil | Nearest => Rule::Quotient,
            Floor => Rule::Binade(binade64),
            Ceil => Rule::Binade(1),
            Even => Rule::Binade(binade64 - (binade64 >> format.element.precision())),
            MaxAbsFinite => Rule::Itself,
        };
        let mut encoder = BlockEncoder {
            format,
            tensor: TensorScale::None,
            edition: Edition::V4,
            isa: Isa::detect(),
            elements: Encoder::new(format.element, Rounding::NearestEven, Saturation::Max)?,
            scales: Encoder::new(format.scale, rounding, Saturation::Max)?,
            rule,
            scale_values: Box::new(std::array::from_fn(|code| value(format.scale, code as u64))),
            edges: None,
            special: [0; 4],
        };
        encoder.derive();
        Ok(encoder)
    }

    /// The same by the meaning of an edition: 0.9.1 keeps the signs of zeros, as the files of checkpoints do.
    pub fn in_edition(mut self, edition: Edition) -> BlockEncoder {
        self.edition = edition;
        self.derive();
        self
    }

    /// The same under a tensor's scale: blocks' scales and elements follow from what numbers are without it.
    ///
    /// # Errors
    /// A scale that is not positive and finite, or any beside scales of E8M0.
    pub fn with_tensor_scale(mut self, tensor: TensorScale) -> Result<BlockEncoder, KernelError> {
        tensor.check()?;
        if let (Rule::Power(_), TensorScale::Factor(scale) | TensorScale::Divisor(scale)) =
            (self.rule, tensor)
        {
            return Err(KernelError::TensorScale { scale });
        }
        self.tensor = tensor;
        self.derive();
        Ok(self)
    }

    /// The same on this instruction set.
    pub fn with_isa(mut self, isa: Isa) -> BlockEncoder {
        (self.isa, self.elements, self.scales) =
            (isa, self.elements.with_isa(isa), self.scales.with_isa(isa));
        self
    }

    /// The format encoded to.
    pub fn format(&self) -> BlockFormat {
        self.format
    }

    fn derive(&mut self) {
        let how = Projection::new(Rounding::NearestEven, Saturation::Max);
        let (infinite, nan) = (|negative| Value::Infinite { negative }, |negative| Value::Nan { negative });
        self.special = [infinite(false), infinite(true), nan(false), nan(true)]
            .map(|value| project_in(self.format.element, value, how, self.edition).code as u8);
        let (by, over) = self.tensor.sides();
        let element = |code| value(self.format.element, code);
        self.edges = (self.format.element.width() == 4).then(|| {
            Box::new(std::array::from_fn(|scale| {
                std::array::from_fn(|at| {
                    let code = (at as u64 + 1).min(7);
                    let edge =
                        (element(code) + element(code - 1)) / 2.0 * self.scale_values[scale] * over / by;
                    let nearest = edge as f32;
                    // The largest word that is below, or no more where ties go to the even code below. Scales that no
                    // rule gives have no meaning here.
                    let beyond = nearest as f64 > edge || (nearest as f64 == edge && code.is_multiple_of(2));
                    nearest.to_bits().saturating_sub(beyond as u32)
                })
            }))
        });
    }

    /// Encodes rows of `columns` binary32 numbers: `scales` has ⌈columns / block⌉ a row, `elements`
    /// [`pack::bytes`]`(source.len(), width)`.
    ///
    /// # Errors
    /// Slices whose lengths do not fit; nothing is written then.
    pub fn encode_f32(
        &self,
        source: &[f32],
        columns: usize,
        scales: &mut [u8],
        elements: &mut [u8],
    ) -> Result<(), KernelError> {
        self.encode(Values::Binary32(source), columns, scales, elements)
    }

    /// The same of bits of bfloat16 numbers.
    ///
    /// # Errors
    /// As [`BlockEncoder::encode_f32`].
    pub fn encode_bf16(
        &self,
        source: &[u16],
        columns: usize,
        scales: &mut [u8],
        elements: &mut [u8],
    ) -> Result<(), KernelError> {
        self.encode(Values::Bfloat16(source), columns, scales, elements)
    }

    /// The same of bits of binary16 numbers.
    ///
    /// # Errors
    /// As [`BlockEncoder::encode_f32`].
    pub fn encode_f16(
        &self,
        source: &[u16],
        columns: usize,
        scales: &mut [u8],
        elements: &mut [u8],
    ) -> Result<(), KernelError> {
        self.encode(Values::Binary16(source), columns, scales, elements)
    }

    fn encode(
        &self,
        source: Values<'_>,
        columns: usize,
        scales: &mut [u8],
        elements: &mut [u8],
    ) -> Result<(), KernelError> {
        let (count, width) = (source.len(), self.format.element.width());
        check_lengths(&self.format, count, columns, scales.len(), elements.len())?;
        let _environment = Environment::enter();
        let mut room = Room::new();
        if columns.is_multiple_of(self.format.shape.1) && CHUNK.is_multiple_of(self.format.shape.1) {
            let (of_scales, of_elements) = (CHUNK / self.format.shape.1, pack::bytes(CHUNK, width));
            let pieces = scales.chunks_mut(of_scales).zip(elements.chunks_mut(of_elements));
            for (number, (scales, elements)) in pieces.enumerate() {
                let start = number * CHUNK;
                let numbers = source.range(start..(start + CHUNK).min(count));
                self.chunk(numbers, scales, &mut room)?;
                self.pack(&room.codes[..numbers.len()], elements)?;
            }
            return Ok(());
        }
        // Blocks end with their rows, or are longer than a chunk: codes of all, and then bytes.
        let mut codes = vec![0; count];
        let mut scales = scales.iter_mut();
        for (row, codes) in codes.chunks_mut(columns.max(1)).enumerate() {
            for (block, codes) in codes.chunks_mut(self.format.shape.1).enumerate() {
                let start = row * columns + block * self.format.shape.1;
                let Some(scale) = scales.next() else { break };
                self.block(source.range(start..start + codes.len()), scale, codes, &mut room)?;
            }
        }
        pack::pack(width, &codes, elements)
    }

    fn pack(&self, codes: &[u8], elements: &mut [u8]) -> Result<(), KernelError> {
        match self.format.element.width() {
            8 => elements.copy_from_slice(codes),
            4 if codes.len().is_multiple_of(2) => self.isa.run(Nibbles { codes, packed: elements }),
            width => pack::pack(width, codes, elements)?,
        }
        Ok(())
    }

    /// One block of any length.
    fn block(
        &self,
        source: Values<'_>,
        scale: &mut u8,
        codes: &mut [u8],
        room: &mut Room,
    ) -> Result<(), KernelError> {
        let mut largest = 0;
        for start in (0..source.len()).step_by(CHUNK) {
            let part = source.range(start..(start + CHUNK).min(source.len()));
            let numbers = self.numbers(part, &mut room.wide);
            largest = largest.max(finite_maximum(numbers));
        }
        room.maxima[0] = largest;
        self.scale(&room.maxima[..1], std::slice::from_mut(scale), &mut room.quotients)?;
        for start in (0..source.len()).step_by(CHUNK) {
            let part = source.range(start..(start + CHUNK).min(source.len()));
            let Room { wide, codes: to, single, double, .. } = &mut *room;
            let numbers = self.numbers(part, wide);
            self.code(numbers, CHUNK, std::slice::from_ref(scale), to, single, double)?;
            self.mend(numbers, to);
            codes[start..start + part.len()].copy_from_slice(&to[..part.len()]);
        }
        Ok(())
    }

    /// Whole blocks, of which the last may be short: their scales, and codes in the room.
    fn chunk(&self, source: Values<'_>, scales: &mut [u8], room: &mut Room) -> Result<(), KernelError> {
        let Room { wide, maxima, codes, single, double, quotients } = room;
        let numbers = self.numbers(source, wide);
        let (block, maxima) = (self.format.shape.1, &mut maxima[..scales.len()]);
        self.isa.run(Maxima { numbers, block, maxima });
        let mut all = true;
        for (maximum, numbers) in maxima.iter_mut().zip(numbers.chunks(block)) {
            if *maximum >= f32::INFINITY.to_bits() {
                (*maximum, all) = (finite_maximum(numbers), false);
            }
        }
        self.scale(maxima, scales, quotients)?;
        self.code(numbers, block, scales, codes, single, double)?;
        if !all {
            self.mend(numbers, codes);
        }
        Ok(())
    }

    fn numbers<'a>(&self, source: Values<'a>, wide: &'a mut [f32; CHUNK]) -> &'a [f32] {
        match source {
            Values::Binary32(numbers) => numbers,
            Values::Bfloat16(bits) | Values::Binary16(bits) => {
                let wide = &mut wide[..bits.len()];
                self.elements.widen(bits, matches!(source, Values::Binary16(_)), wide);
                wide
            }
            Values::Binary64(_) => &[],
        }
    }

    fn scale(
        &self,
        maxima: &[u32],
        scales: &mut [u8],
        quotients: &mut [f64; CHUNK],
    ) -> Result<(), KernelError> {
        let (by, over) = self.tensor.sides();
        let most = match self.rule {
            Rule::Power(power) => {
                self.isa.run(Powers { power, maxima, scales });
                return Ok(());
            }
            Rule::Quotient => value(self.format.element, self.format.element.max_finite_code()) * over,
            Rule::Binade(_) | Rule::Itself => over,
        };
        let quotients = &mut quotients[..maxima.len()];
        self.isa.run(Quotients { maxima, by, over: most, quotients });
        if let Rule::Binade(from) = self.rule {
            let e = self.format.element.emax() as i64;
            for quotient in quotients.iter_mut() {
                let bits = quotient.to_bits();
                let up = bits & ((1 << 52) - 1) >= from;
                let field = (bits >> 52) as i64 + up as i64 - e;
                *quotient = f64::from_bits((field.max(0) as u64) << 52);
            }
        }
        self.scales.encode_f64(quotients, &mut *scales)?;
        // What would be zero is the smallest scale there is, and zeros are scaled by 1.
        let least = self.format.scale.min_positive_code() as u8;
        let one = binade::project(self.format.scale, Value::ONE, Projection::default()).code as u8;
        for (scale, &maximum) in scales.iter_mut().zip(maxima) {
            *scale = if maximum == 0 { one } else { (*scale).max(least) };
        }
        Ok(())
    }

    /// Codes of finite numbers.
    fn code(
        &self,
        numbers: &[f32],
        block: usize,
        scales: &[u8],
        codes: &mut [u8; CHUNK],
        single: &mut [f32; CHUNK],
        double: &mut [f64; CHUNK],
    ) -> Result<(), KernelError> {
        let codes = &mut codes[..numbers.len()];
        let unsigned = self.edition == Edition::V4;
        if let Some(edges) = &self.edges {
            self.isa.run(Count { numbers, block, scales, edges, unsigned, codes });
            return Ok(());
        }
        if let Rule::Power(_) = self.rule {
            let single = &mut single[..numbers.len()];
            self.isa.run(Multiply { numbers, block, scales, products: single });
            self.elements.encode_f32(single, &mut *codes)?;
        } else {
            let (by, over) = self.tensor.sides();
            let double = &mut double[..numbers.len()];
            let blocks = numbers.chunks(block).zip(double.chunks_mut(block)).zip(scales);
            for ((numbers, quotients), &scale) in blocks {
                let over = self.scale_values[scale as usize] * over;
                for (quotient, &x) in quotients.iter_mut().zip(numbers) {
                    *quotient = x as f64 * by / over;
                }
            }
            self.elements.encode_f64(double, &mut *codes)?;
        }
        if unsigned {
            let zero = 1u8 << (self.format.element.width() - 1);
            self.isa.run(Unsign { zero, codes });
        }
        Ok(())
    }

    /// Codes of infinities and NaNs.
    fn mend(&self, numbers: &[f32], codes: &mut [u8; CHUNK]) {
        for (code, x) in codes.iter_mut().zip(numbers) {
            if !x.is_finite() {
                *code = self.special[2 * x.is_nan() as usize + x.is_sign_negative() as usize];
            }
        }
    }
}

fn check_lengths(
    format: &BlockFormat,
    count: usize,
    columns: usize,
    scales: usize,
    elements: usize,
) -> Result<(), KernelError> {
    let whole = count.checked_rem(columns).map_or(count, |rest| rest);
    KernelError::check_length("the last row", if whole == 0 { columns } else { whole }, columns)?;
    let rows = count.checked_div(columns).unwrap_or(0);
    KernelError::check_length("the slice of scales", scales, rows * columns.div_ceil(format.shape.1))?;
    KernelError::check_length("the packed slice", elements, pack::bytes(count, format.element.width()))
}

/// The word of the largest magnitude among what is finite.
fn finite_maximum(numbers: &[f32]) -> u32 {
    let words = numbers.iter().filter(|x| x.is_finite()).map(|x| x.to_bits() & !(1 << 31));
    words.max().unwrap_or(0)
}

/// What is kept of a chunk.
struct Room {
    wide: Box<[f32; CHUNK]>,
    maxima: Box<[u32; CHUNK]>,
    codes: Box<[u8; CHUNK]>,
    single: Box<[f32; CHUNK]>,
    double: Box<[f64; CHUNK]>,
    quotients: Box<[f64; CHUNK]>,
}

impl Room {
    fn new() -> Room {
        Room {
            wide: Box::new([0.0; CHUNK]),
            maxima: Box::new([0; CHUNK]),
            codes: Box::new([0; CHUNK]),
            single: Box::new([0.0; CHUNK]),
            double: Box::new([0.0; CHUNK]),
            quotients: Box::new([0.0; CHUNK]),
        }
    }
}

// The loops below are plain: compiled for each leg, over blocks whose length the compiler knows.

/// Runs `$body` for each block and what it becomes, as arrays where blocks have 16 or 32 elements, and as slices otherwise.
/// Loops and no closures: only what is inlined is compiled for the leg.
macro_rules! blocks {
    ($block:expr, $source:expr, $destination:expr, |$at:ident, $from:ident, $to:ident| $body:expr) => {{
        let (source, destination) = ($source, $destination);
        match $block {
            16 => blocks!(@ 16, source, destination, |$at, $from, $to| $body),
            32 => blocks!(@ 32, source, destination, |$at, $from, $to| $body),
            block => {
                for ($at, ($from, $to)) in source.chunks(block).zip(destination.chunks_mut(block)).enumerate() {
                    $body
                }
            }
        }
    }};
    (@ $length:literal, $source:ident, $destination:ident, |$at:ident, $from:ident, $to:ident| $body:expr) => {{
        let ((blocks, $from), (results, $to)) =
            ($source.as_chunks::<$length>(), $destination.as_chunks_mut::<$length>());
        let $at = blocks.len();
        if !$from.is_empty() {
            $body
        }
        for ($at, ($from, $to)) in blocks.iter().zip(results).enumerate() {
            $body
        }
    }};
}

struct Maxima<'a> {
    numbers: &'a [f32],
    block: usize,
    maxima: &'a mut [u32],
}

impl Kernel for Maxima<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        #[inline(always)]
        fn largest(numbers: &[f32]) -> u32 {
            let mut most = 0;
            for x in numbers {
                most = most.max(x.to_bits() & !(1 << 31));
            }
            most
        }
        let Maxima { numbers, block, maxima } = self;
        match block {
            16 => {
                for (most, numbers) in maxima.iter_mut().zip(numbers.chunks(16)) {
                    *most = match numbers.first_chunk::<16>() {
                        Some(numbers) => largest(numbers),
                        None => largest(numbers),
                    };
                }
            }
            32 => {
                for (most, numbers) in maxima.iter_mut().zip(numbers.chunks(32)) {
                    *most = match numbers.first_chunk::<32>() {
                        Some(numbers) => largest(numbers),
                        None => largest(numbers),
                    };
                }
            }
            _ => {
                for (most, numbers) in maxima.iter_mut().zip(numbers.chunks(block)) {
                    *most = largest(numbers);
                }
            }
        }
    }
}

struct Powers<'a> {
    power: Power,
    maxima: &'a [u32],
    scales: &'a mut [u8],
}

impl Kernel for Powers<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        for (scale, &maximum) in self.scales.iter_mut().zip(self.maxima) {
            *scale = self.power.code(maximum);
        }
    }
}

struct Quotients<'a> {
    maxima: &'a [u32],
    by: f64,
    over: f64,
    quotients: &'a mut [f64],
}

impl Kernel for Quotients<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        for (quotient, &maximum) in self.quotients.iter_mut().zip(self.maxima) {
            *quotient = f32::from_bits(maximum) as f64 * self.by / self.over;
        }
    }
}

struct Multiply<'a> {
    numbers: &'a [f32],
    block: usize,
    scales: &'a [u8],
    products: &'a mut [f32],
}

impl Kernel for Multiply<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        blocks!(self.block, self.numbers, self.products, |at, from, to| {
            let by = reciprocal(self.scales[at]);
            for (product, x) in to.iter_mut().zip(from) {
                *product = x * by;
            }
        });
    }
}

struct Count<'a> {
    numbers: &'a [f32],
    block: usize,
    scales: &'a [u8],
    edges: &'a [[u32; 8]; 256],
    unsigned: bool,
    codes: &'a mut [u8],
}

impl Kernel for Count<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        blocks!(self.block, self.numbers, self.codes, |at, from, to| {
            let edges = &self.edges[self.scales[at] as usize];
            for (code, x) in to.iter_mut().zip(from) {
                let (word, mut above) = (x.to_bits(), 0);
                // Magnitudes are below 2^31: as signed integers they compare in one instruction.
                let magnitude = (word & !(1 << 31)) as i32;
                for edge in &edges[..7] {
                    above += (magnitude > *edge as i32) as u32;
                }
                let sign = word >> 28 & 8;
                let sign = if self.unsigned && above == 0 { 0 } else { sign };
                *code = (above | sign) as u8;
            }
        });
    }
}

/// −0 to 0.
struct Unsign<'a, T> {
    zero: T,
    codes: &'a mut [T],
}

impl<T: Copy + Default + PartialEq> Kernel for Unsign<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        for code in self.codes {
            *code = if *code == self.zero { T::default() } else { *code };
        }
    }
}

/// Two codes of four bits a byte.
struct Nibbles<'a> {
    codes: &'a [u8],
    packed: &'a mut [u8],
}

impl Kernel for Nibbles<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        for (byte, pair) in self.packed.iter_mut().zip(self.codes.as_chunks().0) {
            let pair = u16::from_le_bytes(*pair);
            *byte = (pair | pair >> 4) as u8;
        }
    }
}

/// Decodes blocks along rows, as [`BlockFormat::decode`] does: each the exact product, rounded once to nearest even.
#[derive(Clone, Debug)]
pub struct BlockDecoder {
    format: BlockFormat,
    tensor: TensorScale,
    edition: Edition,
    isa: Isa,
    elements: Decoder,
    scales: Box<[f32; 256]>,
    halves: [Encoder; 2],
}

impl BlockDecoder {
    /// A decoder by the meaning of P3109 4.0, on the best instruction set.
    ///
    /// # Errors
    /// As [`BlockEncoder::new`].
    pub fn new(format: BlockFormat) -> Result<BlockDecoder, KernelError> {
        check(&format)?;
        let half = |format| Encoder::new(format, Rounding::NearestEven, Saturation::Overflow);
        Ok(BlockDecoder {
            format,
            tensor: TensorScale::None,
            edition: Edition::V4,
            isa: Isa::detect(),
            elements: Decoder::new(format.element)?,
            scales: Box::new(std::array::from_fn(|code| value(format.scale, code as u64) as f32)),
            halves: [half(BF16)?, half(F16)?],
        })
    }

    /// The same by the meaning of an edition: 0.9.1 keeps the signs of zeros.
    pub fn in_edition(self, edition: Edition) -> BlockDecoder {
        BlockDecoder { edition, ..self }
    }

    /// The same under a tensor's scale.
    ///
    /// # Errors
    /// As [`BlockEncoder::with_tensor_scale`]; any but [`TensorScale::None`] beside elements of more than four bits.
    pub fn with_tensor_scale(self, tensor: TensorScale) -> Result<BlockDecoder, KernelError> {
        tensor.check()?;
        if let TensorScale::Factor(scale) | TensorScale::Divisor(scale) = tensor
            && (self.format.scale.precision() == 1 || self.format.element.width() > 4)
        {
            return Err(KernelError::TensorScale { scale });
        }
        Ok(BlockDecoder { tensor, ..self })
    }

    /// The same on this instruction set.
    pub fn with_isa(self, isa: Isa) -> BlockDecoder {
        let halves = self.halves.map(|encoder| encoder.with_isa(isa));
        BlockDecoder { isa, elements: self.elements.with_isa(isa), halves, ..self }
    }

    /// Decodes rows of `columns` elements to binary32; slices as of [`BlockEncoder::encode_f32`].
    ///
    /// # Errors
    /// Slices whose lengths do not fit; nothing is written then.
    pub fn decode_f32(
        &self,
        scales: &[u8],
        elements: &[u8],
        columns: usize,
        values: &mut [f32],
    ) -> Result<(), KernelError> {
        self.decode(scales, elements, columns, values.len(), |start, some, _| {
            values[start..start + some.len()].copy_from_slice(some);
            Ok(())
        })
    }

    /// The same to the bits of bfloat16 numbers.
    ///
    /// # Errors
    /// As [`BlockDecoder::decode_f32`].
    pub fn decode_bf16(
        &self,
        scales: &[u8],
        elements: &[u8],
        columns: usize,
        values: &mut [u16],
    ) -> Result<(), KernelError> {
        self.decode_halves(&self.halves[0], scales, elements, columns, values)
    }

    /// The same to the bits of binary16 numbers.
    ///
    /// # Errors
    /// As [`BlockDecoder::decode_f32`].
    pub fn decode_f16(
        &self,
        scales: &[u8],
        elements: &[u8],
        columns: usize,
        values: &mut [u16],
    ) -> Result<(), KernelError> {
        self.decode_halves(&self.halves[1], scales, elements, columns, values)
    }

    fn decode_halves(
        &self,
        half: &Encoder,
        scales: &[u8],
        elements: &[u8],
        columns: usize,
        values: &mut [u16],
    ) -> Result<(), KernelError> {
        let mut double = Box::new([0.0; CHUNK]);
        self.decode(scales, elements, columns, values.len(), |start, some, products| {
            let to = &mut values[start..start + some.len()];
            if self.tensor == TensorScale::None {
                half.encode_f32(some, &mut *to)?;
                self.unsign(to);
                return Ok(());
            }
            // Products of 6 bits with the tensor's scale are exact in binary64; quotients are rounded there and again, to
            // the same as once, for the reason that the head of this file gives.
            let double = &mut double[..some.len()];
            let (over, by) = self.tensor.sides();
            double.iter_mut().zip(products).for_each(|(to, &x)| *to = x as f64 * by / over);
            half.encode_f64(double, &mut *to)?;
            self.unsign(to);
            Ok(())
        })
    }

    /// 4.0 has no −0 for what underflows either.
    fn unsign(&self, halves: &mut [u16]) {
        if self.edition == Edition::V4 {
            self.isa.run(Unsign { zero: 1 << 15, codes: halves });
        }
    }

    /// Calls `take(start, values, products without the tensor's scale)` with a chunk after the other.
    fn decode(
        &self,
        scales: &[u8],
        elements: &[u8],
        columns: usize,
        count: usize,
        mut take: impl FnMut(usize, &[f32], &[f32]) -> Result<(), KernelError>,
    ) -> Result<(), KernelError> {
        check_lengths(&self.format, count, columns, scales.len(), elements.len())?;
        let _environment = Environment::enter();
        let (width, block) = (self.format.element.width(), self.format.shape.1);
        let (mut codes, mut of_codes) = (Box::new([0u8; CHUNK]), Box::new([0f32; CHUNK]));
        let (mut products, mut values) = (Box::new([0f32; CHUNK]), Box::new([0f32; CHUNK]));
        let across = columns.div_ceil(block).max(1);
        let even = columns.is_multiple_of(block) && CHUNK.is_multiple_of(block);
        let mut by = vec![];
        for start in (0..count).step_by(CHUNK) {
            let length = CHUNK.min(count - start);
            let packed = &elements[pack::bytes(start, width)..][..pack::bytes(length, width)];
            let (codes, of_codes) = (&mut codes[..length], &mut of_codes[..length]);
            let (products, values) = (&mut products[..length], &mut values[..length]);
            match width {
                4 => self.isa.run(Halves { packed, values: of_codes }),
                8 => self.elements.decode_f32(packed, of_codes)?,
                width => {
                    pack::unpack(width, packed, codes)?;
                    self.elements.decode_f32(&*codes, of_codes)?;
                }
            }
            by.clear();
            let run = if even {
                let scales = &scales[start / block..(start + length).div_ceil(block)];
                by.extend(scales.iter().map(|&scale| self.scales[scale as usize]));
                block
            } else {
                let places = start..start + length;
                by.extend(
                    places
                        .map(|at| self.scales[scales[at / columns * across + at % columns / block] as usize]),
                );
                1
            };
            // x + 0 is x but for −0, x + −0 is x.
            let zero = if self.edition == Edition::V4 { 0.0 } else { -0.0 };
            self.isa.run(Scale { source: of_codes, block: run, by: &by, zero, products });
            let after = match self.tensor {
                TensorScale::None => &*products,
                TensorScale::Factor(by) => {
                    values.iter_mut().zip(&*products).for_each(|(value, x)| *value = x * by + zero);
                    &*values
                }
                TensorScale::Divisor(by) => {
                    values.iter_mut().zip(&*products).for_each(|(value, x)| *value = x / by + zero);
                    &*values
                }
            };
            take(start, after, products)?;
        }
        Ok(())
    }
}

/// Codes of E2M1, two a byte, to binary32.
struct Halves<'a> {
    packed: &'a [u8],
    values: &'a mut [f32],
}

impl Kernel for Halves<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        #[inline(always)]
        fn value(code: u32) -> f32 {
            let magnitude = code & 7;
            // Exponent 1's field is 127; code 1, the only subnormal but 0, is 1/2.
            let normal = (magnitude << 22).wrapping_add(126 << 23);
            let word = match magnitude {
                0 => 0,
                1 => 126 << 23,
                _ => normal,
            };
            f32::from_bits(word | (code & 8) << 28)
        }
        let (pairs, last) = self.values.as_chunks_mut::<2>();
        for (pair, &byte) in pairs.iter_mut().zip(self.packed) {
            let byte = byte as u32;
            *pair = [value(byte & 15), value(byte >> 4)];
        }
        if let ([last], Some(&byte)) = (last, self.packed.last()) {
            *last = value(byte as u32 & 15);
        }
    }
}

struct Scale<'a> {
    source: &'a [f32],
    block: usize,
    by: &'a [f32],
    zero: f32,
    products: &'a mut [f32],
}

impl Kernel for Scale<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        blocks!(self.block, self.source, self.products, |at, from, to| {
            let by = self.by[at];
            for (product, x) in to.iter_mut().zip(from) {
                *product = x * by + self.zero;
            }
        });
    }
}
