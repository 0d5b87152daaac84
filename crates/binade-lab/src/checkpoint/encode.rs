//! Encodes rows of weights to codes and scales.
//!
//! A block's scale is defined as [`ScaleRule::scale`] of its largest magnitude, times or divided by the tensor scale. An
//! element's code is the exact quotient by the scales, rounded once to nearest even and clamped to the largest value.
//!
//! Elements of files have at most 24 bits. Division of a binary32 by a power of two is exact unless the quotient is below
//! binary32's smallest normal, which every element format rounds to zero. All other quotients are rounded to binary64 and
//! then to codes or scales of at most 24 bits. This equals one rounding of the exact quotient x·g / d. Here x·g has at most
//! 48 bits. For any point T of at most 25 bits at which rounding changes, d·T has at most 53 bits. If x·g ≠ d·T, they differ
//! by more than the error of rounding their quotient to binary64.
//!
//! For a binary32 divisor, a binary32 quotient is on the right side of such points already ([`divide`]). The numbers of
//! another layout, in binary64 as `weight.rs` computes them, may have more bits. If their quotient is near such a point,
//! [`quotient`] decides by integer arithmetic.

use std::cmp::Ordering;
use std::ops::Range;

use binade::block::{BlockFormat, ScaleRule};
use binade::{Edition, Format, Rounding, Saturation, decode};
use binade_kernels::{ColumnEncoder, Encoder, KernelError, Single, TensorScale, divide, pack};
use binade_simd::lanes::Leg;
use binade_simd::{Isa, Kernel};

use super::scheme::{Scheme, TensorScaleRole};
use crate::values::{datum, to_f64};

/// Numbers to encode. Files have bfloat16 or binary32; codes of another layout give binary64.
pub(crate) enum Numbers {
    /// Bit patterns.
    Bfloat16(Vec<u16>),
    Single(Vec<f32>),
    Double(Vec<f64>),
}

impl Default for Numbers {
    fn default() -> Numbers {
        Numbers::Single(vec![])
    }
}

/// The vector of this type; replaces one of another type by an empty one.
macro_rules! vector {
    ($numbers:expr, $kind:ident) => {{
        if !matches!($numbers, Numbers::$kind(_)) {
            *$numbers = Numbers::$kind(vec![]);
        }
        match $numbers {
            Numbers::$kind(numbers) => numbers,
            _ => unreachable!("it was just made one of this kind"),
        }
    }};
}

impl Numbers {
    /// The vector of bfloat16 bits, with its contents.
    pub(crate) fn bfloat16(&mut self) -> &mut Vec<u16> {
        vector!(self, Bfloat16)
    }

    /// The vector of binary32, with its contents.
    pub(crate) fn single(&mut self) -> &mut Vec<f32> {
        vector!(self, Single)
    }

    /// The vector of binary64, emptied.
    pub(crate) fn double(&mut self) -> &mut Vec<f64> {
        let numbers = vector!(self, Double);
        numbers.clear();
        numbers
    }

    /// Number of numbers.
    pub(crate) fn len(&self) -> usize {
        match self {
            Numbers::Bfloat16(bits) => bits.len(),
            Numbers::Single(numbers) => numbers.len(),
            Numbers::Double(numbers) => numbers.len(),
        }
    }

    /// The first infinite or NaN number.
    pub(crate) fn not_finite(&self) -> Option<(usize, f64)> {
        match self {
            Numbers::Bfloat16(bits) => {
                let at = bits.iter().position(|bits| !widened(*bits).is_finite())?;
                Some((at, widened(bits[at]) as f64))
            }
            Numbers::Single(numbers) => {
                let at = numbers.iter().position(|x| !x.is_finite())?;
                Some((at, numbers[at] as f64))
            }
            Numbers::Double(numbers) => {
                let at = numbers.iter().position(|x| !x.is_finite())?;
                Some((at, numbers[at]))
            }
        }
    }

    /// The largest magnitude; infinity or NaN if one occurs.
    pub(crate) fn largest(&self, isa: Isa) -> f64 {
        isa.run(Largest(self))
    }

    /// Replaces `wide` by the numbers in binary64.
    pub(crate) fn widen(&self, wide: &mut Vec<f64>) {
        wide.clear();
        match self {
            Numbers::Bfloat16(bits) => wide.extend(bits.iter().map(|bits| widened(*bits) as f64)),
            Numbers::Single(numbers) => wide.extend(numbers.iter().map(|&x| x as f64)),
            Numbers::Double(numbers) => wide.extend_from_slice(numbers),
        }
    }
}

/// The number with these bits of bfloat16.
pub(crate) fn widened(bits: u16) -> f32 {
    f32::from_bits((bits as u32) << 16)
}

/// Numbers of at most binary32's precision: binary32, or bits of bfloat16. Their magnitudes are ordered like their codes as
/// integers.
trait ShortFloat: Single {
    /// The largest magnitude; infinity or NaN if one occurs. A plain loop, inlined: only then is it compiled for the
    /// instruction set of the caller.
    fn largest(numbers: &[Self]) -> f64;
}

impl ShortFloat for f32 {
    #[inline(always)]
    fn largest(numbers: &[f32]) -> f64 {
        let mut largest = 0;
        for x in numbers {
            largest = largest.max((x.to_bits() & 0x7fff_ffff) as i32);
        }
        f32::from_bits(largest as u32) as f64
    }
}

impl ShortFloat for u16 {
    #[inline(always)]
    fn largest(bits: &[u16]) -> f64 {
        let mut largest = 0;
        for bits in bits {
            largest = largest.max((bits & 0x7fff) as i16);
        }
        widened(largest as u16) as f64
    }
}

/// Computes the largest magnitude with the instructions of a leg.
struct Largest<'a>(&'a Numbers);

impl Kernel for Largest<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<L: Leg>(self, _: L) -> f64 {
        match self.0 {
            Numbers::Bfloat16(bits) => u16::largest(bits),
            Numbers::Single(numbers) => f32::largest(numbers),
            Numbers::Double(numbers) => largest_double(numbers),
        }
    }
}

/// The largest magnitude of binary64 numbers.
fn largest_double(numbers: &[f64]) -> f64 {
    let largest =
        numbers.iter().fold(0i64, |largest, x| largest.max((x.to_bits() & (i64::MAX as u64)) as i64));
    f64::from_bits(largest as u64)
}

/// The tensor scale for a largest magnitude, as it is stored in the file.
pub(crate) fn tensor_scale_for(scheme: &Scheme, maximum: f64) -> f32 {
    (exact_tensor_scale(scheme, maximum) as f32).clamp(f32::from_bits(1), f32::MAX)
}

/// As `tensor_scale_for`, before it is rounded and clamped to binary32.
pub(crate) fn exact_tensor_scale(scheme: &Scheme, maximum: f64) -> f64 {
    let most = max_without_tensor_scale(scheme);
    match scheme.tensor_scale {
        _ if maximum == 0.0 => 1.0,
        TensorScaleRole::Divisor => most / maximum,
        TensorScaleRole::Factor => maximum / most,
        TensorScaleRole::None => 1.0,
    }
}

/// The largest number that can be encoded without a tensor scale.
pub(crate) fn max_without_tensor_scale(scheme: &Scheme) -> f64 {
    largest(scheme.elements) * largest(scheme.scales)
}

/// Under a tensor scale that is a divisor, the magnitude up to which numbers become zero.
pub(crate) fn least_coded(scheme: &Scheme, tensor_scale: f32) -> f64 {
    let least = |format: Format| to_f64(decode(format, format.min_positive_code()));
    // The tie between zero and the smallest element rounds to zero.
    least(scheme.elements) / 2.0 * least(scheme.scales) / tensor_scale as f64
}

/// The largest finite value.
pub(crate) fn largest(format: Format) -> f64 {
    to_f64(decode(format, format.max_finite_code()))
}

/// Encoder of one scheme and scale rule.
pub(crate) struct BlockEncoder {
    pub(crate) scheme: Scheme,
    rule: ScaleRule,
    elements: Encoder,
    /// Encoder of the scales, unless they are powers of two.
    scales: Encoder,
    scale_values: Vec<f64>,
    /// Value of each code of elements.
    values: Box<[f64; 256]>,
    powers: PowerOfTwoRule,
    /// Kernel for blocks of rows, and numbers of at most binary32's precision.
    kernel: Option<binade_kernels::BlockEncoder>,
    pub(crate) isa: Isa,
}

/// The encoded form of a strip of rows, with scratch buffers.
#[derive(Default)]
pub(crate) struct Strip {
    /// Codes as stored in the file.
    pub(crate) packed: Vec<u8>,
    /// Scales as stored in the file.
    pub(crate) scales: Vec<u8>,
    maxima: Vec<f64>,
    /// Multiplier and divisor of the elements of each block.
    by: Vec<(f64, f64)>,
    codes: Vec<u8>,
    single: Vec<f32>,
    double: Vec<f64>,
    /// Ranges whose products are inexact, with the multiplier and divisor of their numbers.
    doubtful: Vec<(Range<usize>, f64, f64)>,
    /// The kernel for the last tensor scale, with that scale.
    under: Option<(TensorScale, binade_kernels::BlockEncoder)>,
}

impl BlockEncoder {
    pub(crate) fn new(scheme: Scheme, rule: ScaleRule) -> Result<BlockEncoder, KernelError> {
        let rounding =
            if rule == ScaleRule::Rceil { Rounding::TowardPositive } else { Rounding::NearestEven };
        let bytes = scheme.scales.width() == 8;
        let scale_values = match bytes {
            true => (0..256).map(|code| to_f64(decode(scheme.scales, code))).collect(),
            false => vec![],
        };
        Ok(BlockEncoder {
            scheme,
            rule,
            elements: Encoder::new(scheme.elements, Rounding::NearestEven, Saturation::Max)?,
            scales: Encoder::new(
                if bytes { scheme.scales } else { scheme.elements },
                rounding,
                Saturation::Max,
            )?,
            scale_values,
            values: Box::new(std::array::from_fn(|code| {
                let mask = (1 << scheme.elements.width()) - 1;
                to_f64(decode(scheme.elements, code as u64 & mask))
            })),
            powers: PowerOfTwoRule::new(rule, scheme.elements),
            kernel: scheme
                .rows()
                .and_then(|format| binade_kernels::BlockEncoder::new(BlockFormat { rule, ..format }).ok())
                .map(|kernel| kernel.in_edition(Edition::Interim)),
            isa: Isa::detect(),
        })
    }

    /// The encoder for blocks in columns, if a kernel supports the scheme and there is no tensor scale.
    pub(crate) fn in_columns(&self) -> Result<Option<Box<ColumnEncoder>>, KernelError> {
        match &self.kernel {
            Some(kernel) if self.scheme.tensor_scale == TensorScaleRole::None => {
                Ok(Some(Box::new(ColumnEncoder::new(kernel.clone())?)))
            }
            _ => Ok(None),
        }
    }

    /// Encodes rows of `columns` numbers, the first of which begins a block, under a tensor scale. Returns the largest
    /// magnitude. If that is not finite, the codes are meaningless.
    pub(crate) fn encode(
        &self,
        numbers: &Numbers,
        columns: usize,
        tensor_scale: f64,
        strip: &mut Strip,
    ) -> Result<f64, KernelError> {
        match (numbers, &self.kernel) {
            (Numbers::Double(numbers), _) => self.encode_double(numbers, columns, tensor_scale, strip)?,
            (_, Some(kernel)) => {
                self.encode_in_kernel(kernel, numbers, columns, tensor_scale, strip)?;
                return Ok(numbers.largest(self.isa));
            }
            (Numbers::Single(numbers), None) => self.encode_single(numbers, columns, tensor_scale, strip)?,
            (Numbers::Bfloat16(bits), None) => self.encode_single(bits, columns, tensor_scale, strip)?,
        }
        Ok(largest_double(&strip.maxima))
    }

    fn encode_in_kernel(
        &self,
        kernel: &binade_kernels::BlockEncoder,
        numbers: &Numbers,
        columns: usize,
        tensor_scale: f64,
        strip: &mut Strip,
    ) -> Result<(), KernelError> {
        let Strip { packed, scales, under, .. } = strip;
        let tensor_scale = self.scheme.tensor_scale.of(tensor_scale as f32);
        let kernel = match under {
            _ if tensor_scale == TensorScale::None => kernel,
            Some((last, under)) if *last == tensor_scale && under.format() == kernel.format() => under,
            under => &under.insert((tensor_scale, kernel.clone().with_tensor_scale(tensor_scale)?)).1,
        };
        let count = numbers.len();
        let rows = (count / columns.max(1)) as u64;
        let (down, across) = self.scheme.grid(rows, columns as u64);
        scales.resize((down * across) as usize, 0);
        packed.resize(pack::bytes(count, self.scheme.elements.width()), 0);
        match numbers {
            Numbers::Bfloat16(bits) => kernel.encode_bf16(bits, columns, scales, packed),
            Numbers::Single(numbers) => kernel.encode_f32(numbers, columns, scales, packed),
            Numbers::Double(_) => unreachable!("numbers in binary64 are encoded without it"),
        }
    }

    fn encode_single<T: ShortFloat>(
        &self,
        numbers: &[T],
        columns: usize,
        tensor_scale: f64,
        strip: &mut Strip,
    ) -> Result<(), KernelError> {
        self.maxima(numbers, columns, T::largest, &mut strip.maxima);
        self.scale(tensor_scale, strip)?;
        strip.codes.resize(numbers.len(), 0);
        let Strip { single, double, codes, doubtful, by, .. } = &mut *strip;
        single.resize(numbers.len(), 0.0);
        // Quotients in binary32, recomputed in binary64 where necessary.
        doubtful.clear();
        let (elements, mut at) = (&self.scheme.elements, 0);
        for (run, &(factor, divisor)) in self.runs(numbers, columns, by) {
            let range = at..at + run.len();
            at = range.end;
            let quotient = (divisor / factor) as f32;
            let exact = quotient as f64 * factor == divisor;
            if !exact || !divide(self.isa, run, quotient, elements, &mut single[range.clone()]) {
                doubtful.push((range, factor, divisor));
            }
        }
        self.elements.encode_f32(&single[..], &mut codes[..])?;
        for (range, factor, divisor) in doubtful {
            double.clear();
            double.extend(numbers[range.clone()].iter().map(|x| x.single() as f64 * *factor / *divisor));
            self.elements.encode_f64(double, &mut codes[range.clone()])?;
        }
        self.pack(strip)
    }

    fn encode_double(
        &self,
        numbers: &[f64],
        columns: usize,
        tensor_scale: f64,
        strip: &mut Strip,
    ) -> Result<(), KernelError> {
        self.maxima(numbers, columns, largest_double, &mut strip.maxima);
        self.scale(tensor_scale, strip)?;
        strip.codes.resize(numbers.len(), 0);
        strip.double.clear();
        strip.double.reserve(numbers.len());
        let bits = self.scheme.elements.precision() + 1;
        for (numbers, &(factor, divisor)) in self.runs(numbers, columns, &strip.by) {
            strip.double.extend(numbers.iter().map(|&x| quotient(x, factor, divisor, bits)));
        }
        self.elements.encode_f64(&strip.double, &mut strip.codes[..])?;
        self.pack(strip)
    }

    fn pack(&self, strip: &mut Strip) -> Result<(), KernelError> {
        let width = self.scheme.elements.width();
        if width == 8 {
            std::mem::swap(&mut strip.packed, &mut strip.codes);
            return Ok(());
        }
        strip.packed.resize(pack::bytes(strip.codes.len(), width), 0);
        pack::pack(width, &strip.codes, &mut strip.packed)
    }

    /// The values of the codes and scales of the strip that was encoded last.
    pub(crate) fn decode(
        &self,
        (count, columns): (usize, usize),
        tensor_scale: f64,
        strip: &mut Strip,
        values: &mut Vec<f64>,
    ) -> Result<(), KernelError> {
        self.under(tensor_scale, strip);
        let width = self.scheme.elements.width();
        strip.codes.resize(count, 0);
        let codes = match width {
            8 => &strip.packed,
            _ => {
                pack::unpack(width, &strip.packed, &mut strip.codes)?;
                &strip.codes
            }
        };
        values.clear();
        values.reserve(codes.len());
        for (codes, &(factor, divisor)) in self.runs(codes, columns, &strip.by) {
            values.extend(codes.iter().map(|&code| self.values[code as usize] * divisor / factor));
        }
        Ok(())
    }

    /// Runs of numbers that share a scale, with the scale.
    fn runs<'n, T, S>(
        &self,
        numbers: &'n [T],
        columns: usize,
        scales: &'n [S],
    ) -> impl Iterator<Item = (&'n [T], &'n S)> {
        let (down, across) = self.scheme.block;
        let across = (across.min(columns as u64) as usize).max(1);
        let grid = columns.div_ceil(across);
        let rows = numbers.chunks(columns.max(1)).enumerate();
        rows.flat_map(move |(row, numbers)| {
            let at = (row as u64 / down) as usize * grid;
            numbers.chunks(across).zip(&scales[at..at + grid])
        })
    }

    /// The largest magnitude of each block.
    fn maxima<T>(&self, numbers: &[T], columns: usize, largest: impl Fn(&[T]) -> f64, maxima: &mut Vec<f64>) {
        let rows = (numbers.len() / columns.max(1)) as u64;
        let (down, across) = self.scheme.grid(rows, columns as u64);
        let cells: Vec<usize> = (0..(down * across) as usize).collect();
        maxima.clear();
        maxima.resize(cells.len(), 0.0);
        for (numbers, &cell) in self.runs(numbers, columns, &cells) {
            let bits = maxima[cell].to_bits().max(largest(numbers).to_bits());
            maxima[cell] = f64::from_bits(bits);
        }
    }

    /// Scales of blocks with these maxima, and the multipliers and divisors of their elements.
    fn scale(&self, tensor_scale: f64, strip: &mut Strip) -> Result<(), KernelError> {
        let Strip { maxima, scales, double, .. } = &mut *strip;
        if self.scheme.is_mx() {
            scales.clear();
            scales.extend(maxima.iter().map(|&maximum| self.power(maximum)));
            self.under(tensor_scale, strip);
            return Ok(());
        }
        let most = largest(self.scheme.elements);
        let (factor, divisor) = self.scheme.tensor_scale.sides(tensor_scale);
        double.clear();
        let bits = self.scheme.scales.precision() + 1;
        double.extend(maxima.iter().map(|&maximum| quotient(maximum, factor, most * divisor, bits)));
        if self.scheme.scales.width() == 8 {
            scales.resize(double.len(), 0);
            self.scales.encode_f64(double, &mut scales[..])?;
            let (one, least) = (self.one(), self.scheme.scales.min_positive_code() as u8);
            for (code, &maximum) in scales.iter_mut().zip(&*maxima) {
                // The smallest scale replaces zero. Blocks of zeros are scaled by 1.
                *code = if maximum == 0.0 { one } else { (*code).max(least) };
            }
        } else {
            scales.clear();
            scales.extend(double.iter().flat_map(|&quotient| self.single_scale(quotient).to_le_bytes()));
        }
        self.under(tensor_scale, strip);
        Ok(())
    }

    /// Multiplier and divisor of the elements under each scale of the strip.
    fn under(&self, tensor_scale: f64, strip: &mut Strip) {
        let Strip { scales, by, .. } = strip;
        by.clear();
        let (factor, divisor) = self.scheme.tensor_scale.sides(tensor_scale);
        if self.scheme.is_mx() {
            // 2^(127 − code), which binary32 represents for all codes except NaN.
            by.extend(scales.iter().map(|&code| (f64::from_bits((1023 + 127 - code as u64) << 52), 1.0)));
        } else if self.scheme.scales.width() == 8 {
            by.extend(scales.iter().map(|&code| (factor, self.scale_values[code as usize] * divisor)));
        } else {
            let scales = scales.as_chunks().0.iter().map(|&scale| f32::from_le_bytes(scale));
            by.extend(scales.map(|scale| (factor, scale as f64 * divisor)));
        }
    }

    /// The scale in E8M0.
    fn power(&self, maximum: f64) -> u8 {
        match self.powers.code(maximum) {
            Some(code) => code,
            None => self.rule.scale(datum(maximum), self.scheme.elements, self.scheme.scales) as u8,
        }
    }

    fn one(&self) -> u8 {
        self.rule.scale(datum(0.0), self.scheme.elements, self.scheme.scales) as u8
    }

    /// The scale in binary32 for m / M.
    fn single_scale(&self, quotient: f64) -> f32 {
        if quotient == 0.0 {
            return 1.0;
        }
        let nearest = quotient as f32;
        let up = self.rule == ScaleRule::Rceil && (nearest as f64) < quotient;
        let scale = if up { f32::from_bits(nearest.to_bits() + 1) } else { nearest };
        scale.clamp(f32::from_bits(1), f32::MAX)
    }
}

/// Number of products that are checked for exactness together.
pub(crate) const PART: usize = 256;

/// x · factor / divisor in binary64, on the same side of every number of `bits` bits as the exact value. `factor` and
/// `divisor` have at most 32 bits.
fn quotient(x: f64, factor: f64, divisor: f64, bits: u32) -> f64 {
    let rounded = x * factor / divisor;
    // Two roundings move the quotient by less than two units in the last place.
    const NEAR: u64 = 4;
    let below = (1u64 << (53 - bits)) - 1;
    let near = (rounded.to_bits().wrapping_add(NEAR) & below) <= 2 * NEAR;
    if !near || !rounded.is_finite() || rounded.abs() < f64::MIN_POSITIVE * 2f64.powi(60) {
        return rounded;
    }
    let point = f64::from_bits(rounded.to_bits().wrapping_add(NEAR) & !below);
    let away = magnitude_order((x, factor), (point, divisor)) as i64;
    f64::from_bits(point.to_bits().wrapping_add_signed(away))
}

/// Compares |a·b| with |c·d|. None of them may be zero, infinite, NaN or subnormal.
fn magnitude_order(a: (f64, f64), b: (f64, f64)) -> Ordering {
    let product = |(x, y): (f64, f64)| {
        let part = |x: f64| ((x.to_bits() & ((1 << 52) - 1)) | 1 << 52, (x.to_bits() >> 52 & 0x7ff) as i64);
        let ((m, e), (n, f)) = (part(x), part(y));
        let significand = m as u128 * n as u128;
        let zeros = significand.leading_zeros();
        (e + f - zeros as i64, significand << zeros)
    };
    product(a).cmp(&product(b))
}

/// A rule for scales that are powers of two. For the largest magnitude x = m·2^e, 1 ≤ m < 2, it adds −emax to the exponent e,
/// and 1 more if m exceeds a threshold. `None` if the rule needs the definition.
struct PowerOfTwoRule(Option<(i64, u64)>);

impl PowerOfTwoRule {
    fn new(rule: ScaleRule, elements: Format) -> PowerOfTwoRule {
        // Significands as the 52 trailing bits of binary64. The threshold is the first that counts as the next binade.
        const BINADE: u64 = 1 << 52;
        let emax = elements.emax() as i64;
        let significand = largest(elements).to_bits() & (BINADE - 1);
        let first = match rule {
            ScaleRule::Floor => BINADE,
            ScaleRule::Ceil => 1,
            // m / M > 1, where M is the significand of the largest element.
            ScaleRule::Rceil => significand + 1,
            // m ≥ 2 − 2^−P.
            ScaleRule::Even => BINADE - (1 << (52 - elements.precision())),
            ScaleRule::Nearest | ScaleRule::MaxAbsFinite => return PowerOfTwoRule(None),
        };
        PowerOfTwoRule(Some((-emax, first)))
    }

    /// The code in E8M0.
    fn code(&self, maximum: f64) -> Option<u8> {
        let (offset, first) = self.0?;
        if maximum == 0.0 {
            return Some(127);
        }
        let bits = maximum.to_bits();
        // A subnormal binary64 is far below the smallest scale, and its exponent field has the same effect.
        let exponent = (bits >> 52) as i64 - 1023 + (bits & ((1 << 52) - 1) >= first) as i64;
        Some((exponent + offset + 127).clamp(0, 254) as u8)
    }
}

/// The definition: scales and codes of a row's blocks by exact arithmetic, one code for each.
#[cfg(test)]
pub(crate) fn define(
    scheme: &Scheme,
    rule: ScaleRule,
    tensor_scale: f64,
    rows: &[Vec<f64>],
) -> (Vec<u64>, Vec<u64>) {
    use binade::catalog::F64;
    use binade::{Datum, Projection, ops};

    let columns = rows[0].len();
    let (down, across) =
        (scheme.block.0.min(rows.len() as u64) as usize, scheme.block.1.min(columns as u64) as usize);
    let exact = |x: f64| Datum::new(F64, x.to_bits()).unwrap();
    let (factor, divisor) = if scheme.tensor_scale == TensorScaleRole::Divisor {
        (tensor_scale, 1.0)
    } else {
        (1.0, tensor_scale)
    };
    let (mut scales, mut codes) = (vec![], vec![vec![0; columns]; rows.len()]);
    for top in (0..rows.len()).step_by(down) {
        for left in (0..columns).step_by(across) {
            let cells = || {
                let bottom = (top + down).min(rows.len());
                (top..bottom).flat_map(move |row| {
                    (left..(left + across).min(columns)).map(move |column| (row, column))
                })
            };
            let maximum = cells().map(|(row, column)| rows[row][column].abs()).fold(0.0, f64::max);
            // maximum · factor is exact in binary64. For a divisor, the rule applies to the quotient of x·g and d.
            let code = if divisor == 1.0 {
                rule.scale(exact(maximum * factor), scheme.elements, scheme.scales)
            } else {
                let rounding =
                    if rule == ScaleRule::Rceil { Rounding::TowardPositive } else { Rounding::NearestEven };
                let how = Projection::new(rounding, Saturation::Max);
                let most = largest(scheme.elements) * divisor;
                match maximum {
                    0.0 => rule.scale(exact(0.0), scheme.elements, scheme.scales),
                    _ => ops::divide(exact(maximum), exact(most), scheme.scales, how)
                        .code
                        .max(scheme.scales.min_positive_code()),
                }
            };
            scales.push(code);
            let by = to_f64(decode(scheme.scales, code)) * divisor;
            for (row, column) in cells() {
                let how = Projection::new(Rounding::NearestEven, Saturation::Max);
                codes[row][column] =
                    ops::divide(exact(rows[row][column] * factor), exact(by), scheme.elements, how).code;
            }
        }
    }
    (scales, codes.concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkpoint::CheckpointLayout;
    use binade::philox;

    /// Numbers of a wide range in binary32, with ties and zeros.
    fn numbers(count: usize, seed: u64) -> Vec<f64> {
        let word = |at: usize| philox::word(seed, at as u64);
        (0..count)
            .map(|at| {
                let (word, exponent) = (word(2 * at), (word(2 * at + 1) % 12) as i32 - 8);
                let x = match word % 7 {
                    0 => 0.0,
                    // Few bits, so that products with scales are ties.
                    1 | 2 => ((word >> 8 & 15) as f32 - 8.0) / 4.0,
                    _ => word as f32 / 2f32.powi(31) - 1.0,
                };
                (x * 2f32.powi(exponent)) as f64
            })
            .collect()
    }

    fn unpacked(bytes: &[u8], width: u32, count: usize) -> Vec<u64> {
        match width {
            4 => bytes.iter().flat_map(|byte| [byte & 15, byte >> 4]).map(u64::from).take(count).collect(),
            8 => bytes.iter().map(|&byte| byte as u64).collect(),
            _ => bytes.as_chunks().0.iter().map(|&code| u32::from_le_bytes(code) as u64).collect(),
        }
    }

    #[test]
    fn codes_of_every_layout_and_rule_equal_the_definition() {
        let magnitudes = [(1, 1.0), (2, 2f64.powi(-30)), (3, 2f64.powi(100)), (4, 2f64.powi(-126))];
        for layout in CheckpointLayout::ALL {
            let scheme = layout.scheme();
            for &rule in layout.rules() {
                let encoder = BlockEncoder::new(scheme, rule).unwrap();
                let plain = BlockEncoder { kernel: None, ..BlockEncoder::new(scheme, rule).unwrap() };
                let mut strip = Strip::default();
                for ((seed, magnitude), bits) in
                    magnitudes.into_iter().flat_map(|case| [(case, 32), (case, 16)])
                {
                    // Numbers of binary32 or of bfloat16.
                    let word = |x: f64| ((x * magnitude) as f32).to_bits() >> (32 - bits) << (32 - bits);
                    let (height, columns) = if scheme.block.0 == 1 { (3, 96) } else { (200, 160) };
                    let mut rows: Vec<Vec<f64>> = (0..height)
                        .map(|row| {
                            let numbers = numbers(columns, 1000 * seed + row);
                            numbers.iter().map(|&x| f32::from_bits(word(x)) as f64).collect()
                        })
                        .collect();
                    // A block of zeros of both signs.
                    rows[1][..48].fill(-0.0);
                    let all = rows.concat();
                    let tensor_scale = match scheme.tensor_scale {
                        TensorScaleRole::None => 1.0,
                        _ => tensor_scale_for(&scheme, largest_double(&all)) as f64,
                    };
                    let (scales, codes) = define(&scheme, rule, tensor_scale, &rows);
                    let single: Vec<f32> = all.iter().map(|&x| x as f32).collect();
                    let mut cases = vec![
                        (&encoder, Numbers::Single(single.clone())),
                        (&plain, Numbers::Single(single.clone())),
                        (&encoder, Numbers::Double(all.clone())),
                    ];
                    if bits == 16 {
                        let bits: Vec<u16> = single.iter().map(|x| (x.to_bits() >> 16) as u16).collect();
                        cases.push((&encoder, Numbers::Bfloat16(bits.clone())));
                        cases.push((&plain, Numbers::Bfloat16(bits)));
                    }
                    for (encoder, numbers) in cases {
                        let largest = encoder.encode(&numbers, columns, tensor_scale, &mut strip).unwrap();
                        assert_eq!(largest, largest_double(&all));
                        let case = format!("{layout} {rule} {magnitude:e} {bits}");
                        assert_eq!(
                            unpacked(&strip.scales, scheme.scales.width(), usize::MAX),
                            scales,
                            "{case}"
                        );
                        assert_eq!(
                            unpacked(&strip.packed, scheme.elements.width(), codes.len()),
                            codes,
                            "{case}"
                        );
                        let mut values = vec![];
                        encoder.decode((all.len(), columns), tensor_scale, &mut strip, &mut values).unwrap();
                        let code = |code: u64| to_f64(decode(scheme.elements, code));
                        assert_eq!(values[columns - 1] == 0.0, code(codes[columns - 1]) == 0.0, "{case}");
                    }
                }
            }
        }
    }

    #[test]
    fn numbers_of_another_layout_are_rounded_once() {
        use CheckpointLayout::{DeepseekFp8, ModeloptNvfp4};
        for (layout, tensor_scale) in [(ModeloptNvfp4, 0.1f32 as f64), (DeepseekFp8, 1.0)] {
            let scheme = layout.scheme();
            let encoder = BlockEncoder::new(scheme, ScaleRule::Nearest).unwrap();
            let mut row: Vec<f64> = numbers(64, 5).iter().map(|x| x * 1.000_000_000_123).collect();
            // The largest element gives each block the scale 7/8, times the tensor scale.
            let scale = 0.875 * tensor_scale;
            for (at, x) in row.iter_mut().enumerate() {
                let largest = largest(scheme.elements);
                // Ties, and numbers one or two units beside them. Every third number is arbitrary.
                let tie = [0.25, 1.25, 2.5, 3.5][at % 4] * if layout == DeepseekFp8 { 1.0625 } else { 1.0 };
                *x = match at % 16 {
                    0 => largest * scale,
                    1 | 4 | 7 | 10 | 13 => *x,
                    k => f64::from_bits((tie * scale).to_bits().wrapping_add_signed(k as i64 % 5 - 2)),
                };
            }
            let (scales, codes) = define(&scheme, ScaleRule::Nearest, tensor_scale, &[row.clone()]);
            let mut strip = Strip::default();
            encoder.encode(&Numbers::Double(row), 64, tensor_scale, &mut strip).unwrap();
            assert_eq!(unpacked(&strip.scales, scheme.scales.width(), usize::MAX), scales, "{layout}");
            assert_eq!(unpacked(&strip.packed, scheme.elements.width(), codes.len()), codes, "{layout}");
        }
        // 1/3 of 1 + 2^−52 is above the tie of 3 bits only in exact arithmetic.
        let x = 3.0 * 1.125;
        assert_eq!(quotient(x, 1.0, 3.0, 4), 1.125);
        assert!(quotient(f64::from_bits(x.to_bits() + 1), 1.0, 3.0, 4) > 1.125);
        assert!(quotient(-f64::from_bits(x.to_bits() - 1), 1.0, 3.0, 4) > -1.125);
    }

    /// Encoders that differ only in their rule reuse a strip.
    #[test]
    fn strip_can_be_reused_with_another_rule() {
        let scheme = CheckpointLayout::CtNvfp4.scheme();
        let numbers = Numbers::Single(numbers(160, 3).into_iter().map(|x| x as f32).collect());
        let tensor_scale = tensor_scale_for(&scheme, numbers.largest(Isa::detect())) as f64;
        let mut shared = Strip::default();
        let mut scales = vec![];
        for rule in [ScaleRule::Nearest, ScaleRule::Rceil, ScaleRule::Nearest] {
            let (encoder, mut own) = (BlockEncoder::new(scheme, rule).unwrap(), Strip::default());
            for strip in [&mut shared, &mut own] {
                encoder.encode(&numbers, 160, tensor_scale, strip).unwrap();
            }
            assert_eq!((&shared.scales, &shared.packed), (&own.scales, &own.packed), "{rule}");
            scales.push(own.scales);
        }
        assert_ne!(scales[0], scales[1]);
    }

    #[test]
    fn tensor_scales_equal_the_definition() {
        let (divisor, factor) =
            (CheckpointLayout::CtNvfp4.scheme(), CheckpointLayout::ModeloptNvfp4.scheme());
        assert_eq!(tensor_scale_for(&divisor, 2.0), 1344.0);
        assert_eq!(tensor_scale_for(&factor, 2.0), 2.0 / 2688.0);
        assert_eq!((tensor_scale_for(&divisor, 0.0), tensor_scale_for(&factor, 0.0)), (1.0, 1.0));
        assert_eq!(tensor_scale_for(&divisor, 1e-40), f32::MAX);
        assert_eq!(tensor_scale_for(&factor, 1e-45), f32::from_bits(1));
    }
}
