//! Encoding of numbers to blocks along rows.

use std::sync::OnceLock;

use binade::block::{BlockFormat, Element, NotFinite, ScaleRule};
use binade::{Edition, Format, Projection, Rounding, Saturation, Value};
use binade_simd::lanes::{HalvesLeg, Lanes, Leg};
use binade_simd::{Environment, Isa, Kernel};

use super::packed::{self, EncodeMethod};
use super::{CHUNK, ClearNegativeZeros, TensorScale, blocks, check, check_lengths, powers, quarters, value};
use crate::encoder::Encoder;
use crate::error::KernelError;
use crate::generic::strips;
use crate::pack;
use crate::values::Values;

/// Encodes slices in blocks along rows, as [`BlockFormat::encode`] does: one byte for each scale, and elements packed
/// as by [`mod@pack`].
///
/// ```
/// use binade_kernels::BlockEncoder;
///
/// let encoder = BlockEncoder::new("mxfp4".parse().unwrap())?;
/// let x: Vec<f32> = (0..32).map(|i| i as f32 / 8.0).collect();
/// let (mut scales, mut elements) = ([0; 1], [0; 16]);
/// encoder.encode_f32(&x, 32, &mut scales, &mut elements)?;
/// // The largest is 3.875. Its exponent, 1, minus E2M1's largest, 2, is −1. Scaled, it is 7.75, clamped to 6.
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
    /// For elements of E2M1, by scale: the largest binary32 word that rounds to less than each code from 1 to 7.
    edges: Option<Box<[[u32; 8]; 256]>>,
    /// The codes of ∞, −∞, NaN and −NaN, if they do not make their block NaN.
    special: [u8; 4],
    /// For blocks of 32 under scales of E8M0, of elements that are not integers.
    powers: Option<Box<powers::PowerTables>>,
    /// For blocks of 16 of E2M1 under scales of E4M3. Computed when it first pays off, and again after its parameters
    /// change.
    quarters: OnceLock<Option<quarters::QuarterTables>>,
}

/// The rule that gives a scale from the largest magnitude.
#[derive(Clone, Copy, Debug)]
enum Rule {
    /// A scale in E8M0, from the binary32 word of the magnitude.
    Power(Power),
    /// The magnitude divided by the largest element, rounded.
    Quotient,
    /// 2^⌊log2⌋ of the magnitude over that of the largest element, and one binade more if binary64's trailing
    /// significand is at least this.
    Binade(u64),
    /// The magnitude itself, rounded.
    Itself,
}

/// The code is field + offset. It is one more if the trailing significand (plus 1 for odd codes if `tie`) is at least
/// `from`, or at least `from_subnormal` if the field is 0. Magnitudes are rounded to odd to the eight bits of bfloat16
/// first. The thresholds of all rules have fewer bits, so each magnitude stays on its side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Power {
    offset: i16,
    from: u16,
    from_subnormal: u16,
    tie: i16,
}

const BINADE: u16 = 1 << 7;

impl Power {
    fn new(rule: ScaleRule, elements: Format) -> Power {
        use ScaleRule::*;
        let e = elements.emax() as i16;
        let most = value(elements, elements.max_finite_code()) as f32;
        let significand = (most.to_bits() >> 16) as u16 & (BINADE - 1);
        let plain = |from| Power { offset: -e, from, from_subnormal: from, tie: 0 };
        match rule {
            Floor => plain(BINADE),
            Ceil => plain(1),
            Rceil => plain(significand + 1),
            Even => plain(BINADE - (BINADE >> elements.precision())),
            // 3/4 of M's significand, which is at least 4/3, minus the leading 1.
            Nearest => {
                let from = (BINADE + significand) / 4 * 3 - BINADE + 1;
                Power { offset: -e - 1, from, from_subnormal: from, tie: 1 }
            }
            // Below 2^−126 there are only the tie of 2^−127, code 0, and 2^−126.
            MaxAbsFinite => {
                Power { offset: 0, from: BINADE / 2 + 1, from_subnormal: BINADE / 4 * 3 + 1, tie: 1 }
            }
        }
    }

    #[inline(always)]
    pub(super) fn code(self, odd: u16) -> u8 {
        let field = (odd >> 7) as i16;
        let below = field + self.offset;
        // A sum, because a conditional expression would become a load from selected addresses, lane by lane.
        let more = self.from_subnormal.wrapping_sub(self.from) & ((field == 0) as u16).wrapping_neg();
        let from = self.from.wrapping_add(more);
        let up = (odd & (BINADE - 1)) + (below & self.tie) as u16 >= from;
        let code = (below + up as i16).clamp(0, 254);
        if odd == 0 { 127 } else { code as u8 }
    }

    /// True if codes depend on more than exponent fields.
    #[inline(always)]
    pub(super) fn beyond_exponents(self) -> bool {
        self.from < BINADE || self.tie != 0
    }

    /// [`Power::code`] for lanes.
    #[inline(always)]
    pub(super) fn codes<L: HalvesLeg>(self, leg: L, odd: L::Halves) -> L::Halves {
        let (field, one) = (odd.shr(7), leg.halves(1));
        let from = |from: u16| leg.halves(from as u32);
        let from = Lanes::select(field.eq(leg.halves(0)), from(self.from_subnormal), from(self.from));
        let below = field.add(leg.halves(self.offset as u32));
        let trailing = odd.and(leg.halves(BINADE as u32 - 1)).add(below.and(leg.halves(self.tie as u32)));
        // Offsets are 0 or negative.
        let up = field.increment_if(trailing.ge(from), one);
        let code = up.saturating_sub(leg.halves(-self.offset as u32)).min(leg.halves(254));
        Lanes::select(odd.eq(leg.halves(0)), leg.halves(127), code)
    }
}

/// 2^(127 − code) as a binary32 number.
#[inline(always)]
pub(super) const fn reciprocal(code: u8) -> f32 {
    let field = 254u32.saturating_sub(code as u32) << 23;
    f32::from_bits(if field == 0 { 1 << 22 } else { field })
}

impl BlockEncoder {
    /// An encoder by the definitions of P3109 4.0, on the best instruction set.
    ///
    /// # Errors
    /// Formats other than blocks of one row of E4M3, E5M2, E3M2, E2M3, E2M1 or MXINT8 under scales of E8M0 or E4M3.
    pub fn new(format: BlockFormat) -> Result<BlockEncoder, KernelError> {
        use ScaleRule::*;
        check(&format)?;
        let grid = format.element.grid();
        let integers = format.element == Element::Int8;
        let rounding = if format.rule == Rceil { Rounding::TowardPositive } else { Rounding::NearestEven };
        let binade64 = 1u64 << 52;
        let rule = match format.rule {
            // For 127/64, which has seven bits, the thresholds of the other rules have more bits than `Power` sees.
            rule if format.scale.precision() == 1 && (!integers || matches!(rule, Floor | MaxAbsFinite)) => {
                Rule::Power(Power::new(rule, grid))
            }
            Rceil | Nearest => Rule::Quotient,
            Floor => Rule::Binade(binade64),
            Ceil => Rule::Binade(1),
            Even => Rule::Binade(binade64 - (binade64 >> grid.precision())),
            MaxAbsFinite => Rule::Itself,
        };
        let mut encoder = BlockEncoder {
            format,
            tensor: TensorScale::None,
            edition: Edition::V4,
            isa: Isa::detect(),
            elements: Encoder::new(grid, Rounding::NearestEven, Saturation::Max)?,
            scales: Encoder::new(format.scale, rounding, Saturation::Max)?,
            rule,
            scale_values: Box::new(std::array::from_fn(|code| value(format.scale, code as u64))),
            edges: None,
            special: [0; 4],
            powers: (format.scale.precision() == 1 && format.shape.1 == powers::BLOCK && !integers)
                .then(|| Box::new(powers::PowerTables::new(grid))),
            quarters: OnceLock::new(),
        };
        encoder.derive();
        Ok(encoder)
    }

    /// Encodes by the definitions of an edition: 0.9.1 keeps the signs of zeros, as checkpoint files do.
    pub fn in_edition(mut self, edition: Edition) -> BlockEncoder {
        self.edition = edition;
        self.derive();
        self
    }

    /// Sets the tensor's scale: scales of blocks and elements are those of the numbers without it.
    ///
    /// # Errors
    /// A scale that is not positive and finite, or any tensor's scale with block scales of E8M0.
    pub fn with_tensor_scale(mut self, tensor: TensorScale) -> Result<BlockEncoder, KernelError> {
        tensor.check()?;
        if let TensorScale::Factor(scale) | TensorScale::Divisor(scale) = tensor
            && self.format.scale.precision() == 1
        {
            return Err(KernelError::TensorScale { scale });
        }
        self.tensor = tensor;
        self.derive();
        Ok(self)
    }

    /// Uses this instruction set.
    pub fn with_isa(mut self, isa: Isa) -> BlockEncoder {
        (self.isa, self.elements, self.scales) =
            (isa, self.elements.with_isa(isa), self.scales.with_isa(isa));
        self
    }

    /// The format encoded to.
    pub fn format(&self) -> BlockFormat {
        self.format
    }

    /// The edition of P3109.
    pub(super) fn edition(&self) -> Edition {
        self.edition
    }

    /// The instruction set.
    pub(super) fn isa(&self) -> Isa {
        self.isa
    }

    /// The rule for scales in E8M0, and the table `edges`, for elements of E2M1.
    pub(super) fn powers_of_edges(&self) -> Option<(Power, &[[u32; 8]; 256])> {
        match (self.rule, &self.edges) {
            (Rule::Power(power), Some(edges)) => Some((power, edges)),
            _ => None,
        }
    }

    fn derive(&mut self) {
        self.quarters = OnceLock::new();
        let (infinite, nan) = (|negative| Value::Infinite { negative }, |negative| Value::Nan { negative });
        self.special = [infinite(false), infinite(true), nan(false), nan(true)]
            .map(|value| self.format.element_not_finite(value, self.edition) as u8);
        let (by, over) = self.tensor.sides();
        let element = |code| value(self.format.element.grid(), code);
        self.edges = (self.format.element.width() == 4).then(|| {
            Box::new(std::array::from_fn(|scale| {
                std::array::from_fn(|at| {
                    let code = (at as u64 + 1).min(7);
                    let edge =
                        (element(code) + element(code - 1)) / 2.0 * self.scale_values[scale] * over / by;
                    let nearest = edge as f32;
                    // The largest word below the edge, or at it if ties go to the even code below. Entries of scales
                    // that no rule gives are unspecified.
                    let beyond = nearest as f64 > edge || (nearest as f64 == edge && code.is_multiple_of(2));
                    nearest.to_bits().saturating_sub(beyond as u32)
                })
            }))
        });
    }

    /// Encodes rows of `columns` binary32 numbers. `scales` has ⌈columns / block⌉ bytes for each row, and `elements`
    /// has [`pack::bytes`]`(source.len(), width)` bytes.
    ///
    /// # Errors
    /// Slices of wrong lengths; nothing is written then.
    pub fn encode_f32(
        &self,
        source: &[f32],
        columns: usize,
        scales: &mut [u8],
        elements: &mut [u8],
    ) -> Result<(), KernelError> {
        self.encode(Values::Binary32(source), columns, scales, elements)
    }

    /// Encodes bfloat16 numbers, given as their bits; see [`BlockEncoder::encode_f32`].
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

    /// Encodes binary16 numbers, given as their bits; see [`BlockEncoder::encode_f32`].
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
        let block = self.format.shape.1;
        if columns.is_multiple_of(block) && CHUNK.is_multiple_of(block) {
            let plan = if self.isa.has_packed() { self.quarters(count) } else { None };
            let (mut buffer, mut at) = (ChunkBuffers::default(), 0);
            while at < count {
                let rest = (&mut scales[at / block..], &mut elements[pack::bytes(at, width)..]);
                at += self.groups(source.range(at..count), rest.0, rest.1);
                if at == count {
                    break;
                }
                let end = (at + CHUNK).min(count);
                let scales = &mut scales[at / block..end.div_ceil(block)];
                let packed = pack::bytes(at, width)..pack::bytes(end, width);
                self.chunk(plan, source.range(at..end), scales, &mut elements[packed], &mut buffer)?;
                at = end;
            }
            return Ok(());
        }
        let mut buffer = ChunkBuffers::default();
        // Blocks are partial at the ends of rows, or are longer than a chunk: codes of all elements first, then bytes.
        let mut codes = vec![0; count];
        let mut scales = scales.iter_mut();
        for (row, codes) in codes.chunks_mut(columns.max(1)).enumerate() {
            for (number, codes) in codes.chunks_mut(block).enumerate() {
                let start = row * columns + number * block;
                let Some(scale) = scales.next() else { break };
                self.block(source.range(start..start + codes.len()), scale, codes, &mut buffer)?;
            }
        }
        pack::pack(width, &codes, elements)
    }

    /// Encodes the first numbers in whole groups, as far as the kernels of groups can. Returns their number. To be
    /// called within an [`Environment`].
    fn groups(&self, source: Values<'_>, scales: &mut [u8], elements: &mut [u8]) -> usize {
        if !self.isa.has_halves() {
            return 0;
        }
        match source {
            Values::Binary32(numbers) => self.groups_of(numbers, scales, elements),
            Values::Bfloat16(bits) => self.groups_of(bits, scales, elements),
            Values::Binary16(bits) => self.groups_of(powers::Binary16::of(bits), scales, elements),
            Values::Binary64(_) => 0,
        }
    }

    fn groups_of<T>(&self, numbers: &[T], scales: &mut [u8], elements: &mut [u8]) -> usize
    where
        T: powers::Number,
    {
        let (format, plan) = (&self.format, self.powers.as_deref());
        let stream = strips::streams(numbers, elements);
        let done = if let Rule::Power(power) = self.rule
            && format.shape.1 == powers::BLOCK
            && (plan.is_some() || format.element == Element::Int8)
        {
            let zeros = self.edition != Edition::V4;
            self.isa.run_halves(powers::Encode { plan, power, zeros, numbers, scales, elements, stream })
        } else if let Some(plan) = self.quarters(numbers.len()) {
            self.isa.run_halves(quarters::Encode { plan, numbers, scales, elements, stream })
        } else {
            None
        };
        done.unwrap_or(0)
    }

    /// The plan for `count` numbers in blocks of 16 of E2M1 under scales of E4M3. To be called within an
    /// [`Environment`].
    fn quarters(&self, count: usize) -> Option<&quarters::QuarterTables> {
        if let Some(plan) = self.quarters.get() {
            return plan.as_ref();
        }
        let format = &self.format;
        if count < MIN_FOR_PLAN
            || matches!(self.rule, Rule::Power(_))
            || format.element.width() != 4
            || format.shape.1 != quarters::BLOCK
        {
            return None;
        }
        let plan = || {
            let scale = |maxima: &[u32]| {
                let (mut scales, mut quotients) = (vec![0; maxima.len()], vec![]);
                for (maxima, scales) in maxima.chunks(CHUNK).zip(scales.chunks_mut(CHUNK)) {
                    self.scale(maxima, scales, &mut quotients).ok()?;
                }
                Some(scales)
            };
            quarters::QuarterTables::new(
                format.element.grid(),
                self.edition,
                &self.scale_values,
                self.tensor.sides(),
                scale,
            )
        };
        self.quarters.get_or_init(plan).as_ref()
    }

    fn pack(&self, codes: &[u8], elements: &mut [u8]) -> Result<(), KernelError> {
        match self.format.element.width() {
            8 => elements.copy_from_slice(codes),
            4 if codes.len().is_multiple_of(2) => self.isa.run(Nibbles { codes, packed: elements }),
            width => pack::pack(width, codes, elements)?,
        }
        Ok(())
    }

    /// Encodes one block of any length.
    fn block(
        &self,
        source: Values<'_>,
        scale: &mut u8,
        codes: &mut [u8],
        buffer: &mut ChunkBuffers,
    ) -> Result<(), KernelError> {
        let mut largest = 0;
        for start in (0..source.len()).step_by(CHUNK) {
            let part = source.range(start..(start + CHUNK).min(source.len()));
            let numbers = self.numbers(part, &mut buffer.wide);
            largest = largest.max(finite_maximum(numbers));
        }
        self.scale(&[largest], std::slice::from_mut(scale), &mut buffer.quotients)?;
        let mut nan = false;
        for start in (0..source.len()).step_by(CHUNK) {
            let part = source.range(start..(start + CHUNK).min(source.len()));
            let ChunkBuffers { wide, single, double, .. } = &mut *buffer;
            let (numbers, codes) = (self.numbers(part, wide), &mut codes[start..start + part.len()]);
            self.code(numbers, CHUNK, std::slice::from_ref(scale), codes, single, double)?;
            nan |= self.encode_non_finite(numbers, codes);
            self.complement(codes);
        }
        if let (true, NotFinite::Block { scale: nan }) = (nan, self.format.not_finite()) {
            *scale = nan as u8;
            codes.fill(0);
        }
        Ok(())
    }

    /// Encodes whole blocks: their scales, and packed codes.
    fn chunk(
        &self,
        plan: Option<&quarters::QuarterTables>,
        source: Values<'_>,
        scales: &mut [u8],
        elements: &mut [u8],
        buffer: &mut ChunkBuffers,
    ) -> Result<(), KernelError> {
        // 16-bit numbers take so long that the hardware prefetches them in time.
        let ahead = match source {
            Values::Binary32(numbers) => (numbers.as_ptr_range().end.cast(), size_of::<f32>()),
            _ => (std::ptr::null(), 0),
        };
        let numbers = self.numbers(source, &mut buffer.wide);
        let (block, maxima) = (self.format.shape.1, first(&mut buffer.maxima, scales.len()));
        let (done, most) = self.isa.run_packed(packed::Maxima { numbers, block, maxima }).unwrap_or_default();
        let (numbers_left, maxima_left) = (&numbers[done * block..], &mut maxima[done..]);
        let left = Maxima { numbers: numbers_left, block, maxima: maxima_left };
        let finite = most.max(self.isa.run(left)) < f32::INFINITY.to_bits();
        if !finite {
            for (maximum, numbers) in maxima.iter_mut().zip(numbers.chunks(block)) {
                if *maximum >= f32::INFINITY.to_bits() {
                    *maximum = finite_maximum(numbers);
                }
            }
        }
        if finite
            && let Some(plan) = plan
            && plan.scale(maxima, scales)
            && self.packed(EncodeMethod::Quarters(plan), numbers, ahead, scales, elements)
        {
            return Ok(());
        }
        self.scale(maxima, scales, &mut buffer.quotients)?;
        let by = match &self.edges {
            _ if self.format.scale.precision() == 1 => Some(EncodeMethod::Powers),
            Some(edges) => Some(EncodeMethod::Edges(edges)),
            None => None,
        };
        if finite
            && let Some(by) = by
            && self.packed(by, numbers, ahead, scales, elements)
        {
            self.complement(elements);
            return Ok(());
        }
        let codes = first(&mut buffer.codes, numbers.len());
        self.code(numbers, block, scales, codes, &mut buffer.single, &mut buffer.double)?;
        if !finite {
            let nan_scale = match self.format.not_finite() {
                NotFinite::Block { scale } => Some(scale as u8),
                NotFinite::Element | NotFinite::Refused => None,
            };
            for ((numbers, codes), scale) in numbers.chunks(block).zip(codes.chunks_mut(block)).zip(scales) {
                if let (true, Some(nan)) = (self.encode_non_finite(numbers, codes), nan_scale) {
                    *scale = nan;
                    codes.fill(0);
                }
            }
        }
        self.complement(codes);
        self.pack(codes, elements)
    }

    /// Encodes packed codes of finite numbers by [`packed`], and prefetches from `ahead`. Returns false, with nothing
    /// done, if that does not apply.
    fn packed(
        &self,
        by: EncodeMethod<'_>,
        numbers: &[f32],
        ahead: (*const u8, usize),
        scales: &[u8],
        elements: &mut [u8],
    ) -> bool {
        let (grid, block) = (self.format.element.grid(), self.format.shape.1);
        if !numbers.len().is_multiple_of(packed::STEP) || !block.is_multiple_of(16) {
            return false;
        }
        let zeros = self.edition != Edition::V4;
        self.isa
            .run_packed(packed::Encode { grid, by, block, zeros, numbers, ahead, scales, elements })
            .is_some()
    }

    fn numbers<'a>(&self, source: Values<'a>, wide: &'a mut Vec<f32>) -> &'a [f32] {
        match source {
            Values::Binary32(numbers) => numbers,
            Values::Bfloat16(bits) | Values::Binary16(bits) => {
                let (values, binary16) = (first(wide, bits.len()), matches!(source, Values::Binary16(_)));
                let whole = bits.len().is_multiple_of(8);
                let widen = packed::Widen { bits, binary16, values: &mut *values };
                if !whole || self.isa.run_packed(widen).is_none() {
                    self.elements.widen(bits, binary16, values);
                }
                values
            }
            Values::Binary64(_) => &[],
        }
    }

    fn scale(&self, maxima: &[u32], scales: &mut [u8], quotients: &mut Vec<f64>) -> Result<(), KernelError> {
        let (by, over) = self.tensor.sides();
        let most = match self.rule {
            Rule::Power(power) => {
                self.isa.run(Powers { power, maxima, scales });
                return Ok(());
            }
            Rule::Quotient => {
                let grid = self.format.element.grid();
                value(grid, grid.max_finite_code()) * over
            }
            Rule::Binade(_) | Rule::Itself => over,
        };
        let quotients = first(quotients, maxima.len());
        self.isa.run(Quotients { maxima, by, over: most, quotients });
        if let Rule::Binade(from) = self.rule {
            let e = self.format.element.grid().emax() as i64;
            for quotient in quotients.iter_mut() {
                let bits = quotient.to_bits();
                let up = bits & ((1 << 52) - 1) >= from;
                let field = (bits >> 52) as i64 + up as i64 - e;
                *quotient = f64::from_bits((field.max(0) as u64) << 52);
            }
        }
        self.scales.encode_f64(&*quotients, &mut *scales)?;
        // A scale that would be zero becomes the smallest positive scale, and blocks of zeros have the scale 1.
        let least = self.format.scale.min_positive_code() as u8;
        let one = binade::project(self.format.scale, Value::ONE, Projection::default()).code as u8;
        for (scale, &maximum) in scales.iter_mut().zip(maxima) {
            *scale = if maximum == 0 { one } else { (*scale).max(least) };
        }
        Ok(())
    }

    /// Computes the codes of finite numbers.
    fn code(
        &self,
        numbers: &[f32],
        block: usize,
        scales: &[u8],
        codes: &mut [u8],
        single: &mut Vec<f32>,
        double: &mut Vec<f64>,
    ) -> Result<(), KernelError> {
        let unsigned = self.edition == Edition::V4;
        if let Some(edges) = &self.edges {
            self.isa.run(Count { numbers, block, scales, edges, unsigned, codes });
            return Ok(());
        }
        if let Rule::Power(_) = self.rule {
            let single = first(single, numbers.len());
            self.isa.run(Multiply { numbers, block, scales, products: single });
            self.elements.encode_f32(&*single, &mut *codes)?;
        } else {
            let (by, over) = self.tensor.sides();
            let double = first(double, numbers.len());
            let blocks = numbers.chunks(block).zip(double.chunks_mut(block)).zip(scales);
            for ((numbers, quotients), &scale) in blocks {
                let over = self.scale_values[scale as usize] * over;
                for (quotient, &x) in quotients.iter_mut().zip(numbers) {
                    *quotient = x as f64 * by / over;
                }
            }
            self.elements.encode_f64(&*double, &mut *codes)?;
        }
        if unsigned {
            let zero = 1u8 << (self.format.element.width() - 1);
            self.isa.run(ClearNegativeZeros { zero, codes });
        }
        Ok(())
    }

    /// Converts signs and magnitudes to two's complement, for elements that are integers.
    fn complement(&self, codes: &mut [u8]) {
        if self.format.element == Element::Int8 {
            self.isa.run(Complement { codes });
        }
    }

    /// Writes the codes of infinities and NaNs. Returns true if there are any. [`BlockFormat::not_finite`] says when
    /// they make their block NaN.
    fn encode_non_finite(&self, numbers: &[f32], codes: &mut [u8]) -> bool {
        let mut any = false;
        for (code, x) in codes.iter_mut().zip(numbers) {
            if !x.is_finite() {
                *code = self.special[2 * x.is_nan() as usize + x.is_sign_negative() as usize];
                any = true;
            }
        }
        any
    }
}

struct Complement<'a> {
    codes: &'a mut [u8],
}

impl Kernel for Complement<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        for code in self.codes {
            let (magnitude, negative) = (*code & 0x7f, ((*code as i8) >> 7) as u8);
            *code = (magnitude ^ negative).wrapping_sub(negative);
        }
    }
}

/// Number of elements for which computing a plan, which takes as long as some thousands of them, is worthwhile.
const MIN_FOR_PLAN: usize = 1 << 15;

/// The word of the largest finite magnitude.
fn finite_maximum(numbers: &[f32]) -> u32 {
    let words = numbers.iter().filter(|x| x.is_finite()).map(|x| x.to_bits() & !(1 << 31));
    words.max().unwrap_or(0)
}

/// Buffers for the intermediate results of a chunk.
#[derive(Default)]
struct ChunkBuffers {
    wide: Vec<f32>,
    maxima: Vec<u32>,
    quotients: Vec<f64>,
    codes: Vec<u8>,
    single: Vec<f32>,
    double: Vec<f64>,
}

/// The first `count` elements of a buffer, with arbitrary contents.
fn first<T: Clone + Default>(buffer: &mut Vec<T>, count: usize) -> &mut [T] {
    if buffer.len() < count {
        buffer.resize(count, T::default());
    }
    &mut buffer[..count]
}

struct Maxima<'a> {
    numbers: &'a [f32],
    block: usize,
    maxima: &'a mut [u32],
}

impl Kernel for Maxima<'_> {
    /// Returns the largest magnitude of all.
    type Output = u32;

    #[inline(always)]
    fn run<L: Leg>(self, _: L) -> u32 {
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
        let mut all = 0;
        for &most in &*maxima {
            all = all.max(most);
        }
        all
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
        // Lanes of one width at a time, and whole arrays.
        const LANES: usize = 32;
        let (scales, last_scales) = self.scales.as_chunks_mut::<LANES>();
        let (maxima, last_maxima) = self.maxima.as_chunks::<LANES>();
        for (scales, maxima) in scales.iter_mut().zip(maxima) {
            let mut odds = [0; LANES];
            for (to, &maximum) in odds.iter_mut().zip(maxima) {
                *to = odd(maximum);
            }
            for (scale, odd) in scales.iter_mut().zip(odds) {
                *scale = self.power.code(odd);
            }
        }
        for (scale, &maximum) in last_scales.iter_mut().zip(last_maxima) {
            *scale = self.power.code(odd(maximum));
        }
    }
}

/// A magnitude's word rounded to odd to the eight bits of bfloat16.
#[inline(always)]
fn odd(word: u32) -> u16 {
    (word >> 16) as u16 | (word & 0xffff != 0) as u16
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
                // Magnitudes are below 2^31, so they compare as signed integers in one instruction.
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

/// Packs 4-bit codes, two in each byte.
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
