//! Arithmetic on slices of codes: any operation of [`binade::ops`] on any formats of up to 16 bits, each result rounded
//! once.
//!
//! ```
//! use binade::{Operation, Projection, Spec};
//! use binade_kernels::codes::Arithmetic;
//!
//! let (e4m3, e5m2) = ("float8_e4m3fn".parse::<Spec>()?.format, "float8_e5m2".parse::<Spec>()?.format);
//! let sum = Arithmetic::new(Operation::Add, &[e4m3, e5m2], e4m3, Projection::default())?;
//! let mut result = [0u8; 2];
//! sum.apply(&[(&[0x38u8, 0x7e]).into(), (&[0x3cu8, 0x3c]).into()], &mut result)?; // 1 + 1, 448 + 1
//! assert_eq!(result, [0x40, 0x7e]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Routes and their speed
//! The first route that applies is used. They are ordered from fastest to slowest:
//!
//! 1. Byte tables in registers: operations on one operand of up to 8 bits, on machines with such tables (AVX-512 VBMI,
//!    NEON; AVX2 has sixteen small ones).
//! 2. Binary32 rounded to odd, then encoded: add, subtract, multiply, divide, fma, minimum and maximum, on machines
//!    with AVX-512, if the exponents fit.
//! 3. Tables in memory of every operand or pair: operations on one operand, or on two of up to 8 bits.
//! 4. The scalar definition: everything else.
//!
//! The second route computes a result in binary32, exactly or rounded to odd: to the neighbour with an odd last bit.
//! That keeps it on the right side of every rounding boundary of a format with at most 22 bits of precision. So the
//! encoder rounds it as it would round the exact result.
//!
//! Exponents are moved first, because a format with another bias has the same codes for values times a power of two. So
//! operands, results and the result format's normal range are within binary32's normal numbers. If they cannot be,
//! another route is used. Another route is also used under 4.0 if no modes of 0.9.1 overflow as 4.0's do.

use std::sync::Arc;

use binade::{
    Answer, AnswerKind, Datum, Edition, Fields, Format, NanCodes, Operation, Projection, Rounding, Subnormals,
};
use binade_simd::lanes::{Lanes, OddLeg, PairTable, TableLeg, Words};
use binade_simd::threads;
use binade_simd::{Isa, OddKernel, TableKernel};

use crate::decoder::Decoder;
use crate::encoder::Encoder;
use crate::error::KernelError;
use crate::generic::strips::STREAM_BYTES;
use crate::plan::{BINARY32, Decode, Encode};
use crate::slices::{Codes, CodesMut};
use crate::values::Values;

/// An operation on slices of codes, prepared for its formats and modes.
///
/// In a stochastic mode, element i of a call is rounded with the random bits of element first + i, as by [`Encoder`].
#[derive(Clone, Debug)]
pub struct Arithmetic {
    operation: Operation,
    inputs: Vec<Format>,
    output: Format,
    how: Projection,
    edition: Edition,
    isa: Isa,
    threads: usize,
    seed: u64,
    first: u64,
    odd: Option<Arc<OddRoute>>,
    table: Option<Arc<Table>>,
}

impl Arithmetic {
    /// Prepares an operation on slices of codes of `inputs`. This takes time if it computes tables of up to 65,536
    /// results. Truth values are the codes 0 and 1, and do not depend on `output`.
    ///
    /// # Errors
    /// If the operation has another number of operands or scale factors, or returns a class, or if a format has more
    /// than 16 bits.
    pub fn new(
        operation: Operation,
        inputs: &[Format],
        output: Format,
        how: Projection,
    ) -> Result<Arithmetic, KernelError> {
        Self::in_edition(operation, inputs, output, how, Edition::Interim)
    }

    /// [`Arithmetic::new`] by the definitions of an edition of P3109.
    ///
    /// # Errors
    /// As [`Arithmetic::new`].
    pub fn in_edition(
        operation: Operation,
        inputs: &[Format],
        output: Format,
        how: Projection,
        edition: Edition,
    ) -> Result<Arithmetic, KernelError> {
        let fits = (1..=3).contains(&operation.arity())
            && operation.arity() == inputs.len()
            && operation.scales() == 0
            && operation.kind() != AnswerKind::Class;
        if !fits {
            return Err(KernelError::Operation { operation: operation.name(), operands: inputs.len() });
        }
        for &format in inputs.iter().chain([&output]) {
            KernelError::check_format(format)?;
        }
        let mut made = Arithmetic {
            operation,
            inputs: inputs.to_vec(),
            output,
            how,
            edition,
            isa: Isa::detect(),
            threads: 1,
            seed: 0,
            first: 0,
            odd: interim(output, how, edition)
                .and_then(|(output, how)| OddRoute::new(operation, inputs, output, how))
                .map(Arc::new),
            table: None,
        };
        made.prepare();
        Ok(made)
    }

    /// Uses this instruction set.
    pub fn with_isa(self, isa: Isa) -> Arithmetic {
        let mut made = Arithmetic { isa, ..self };
        made.prepare();
        made
    }

    /// Uses this number of threads (0 counts as 1). Results do not depend on it.
    pub fn with_threads(self, threads: usize) -> Arithmetic {
        Arithmetic { threads, ..self }
    }

    /// Uses this seed for stochastic rounding.
    pub fn with_seed(self, seed: u64) -> Arithmetic {
        Arithmetic { seed, ..self }
    }

    /// Sets the index of the first element of a slice within the whole.
    pub fn starting_at(self, first: u64) -> Arithmetic {
        Arithmetic { first, ..self }
    }

    /// Applies the operation to each element of the operands' slices.
    ///
    /// # Errors
    /// If the number of operands is wrong, slices differ in length, or elements are too narrow for a format.
    pub fn apply<'a>(
        &self,
        operands: &[Codes<'_>],
        result: impl Into<CodesMut<'a>>,
    ) -> Result<(), KernelError> {
        let result = result.into();
        KernelError::check_length("the list of operands", operands.len(), self.inputs.len())?;
        for (operand, &format) in operands.iter().zip(&self.inputs) {
            KernelError::check_element(format, operand.element_bits())?;
            KernelError::check_length("an operand", operand.len(), result.len())?;
        }
        if self.operation.kind() == AnswerKind::Code {
            KernelError::check_element(self.output, result.element_bits())?;
        }
        let part = |start: usize, piece: CodesMut<'_>| {
            let mut pieces = [Codes::Bytes(&[]); 3];
            for (piece_of, operand) in pieces.iter_mut().zip(operands) {
                *piece_of = operand.range(start..start + piece.len());
            }
            self.part(self.first.wrapping_add(start as u64), &pieces[..operands.len()], piece);
        };
        match result {
            CodesMut::Bytes(codes) => {
                threads::split(codes, self.threads, |start, piece| part(start, piece.into()))
            }
            CodesMut::Words(codes) => {
                threads::split(codes, self.threads, |start, piece| part(start, piece.into()))
            }
        }
        Ok(())
    }

    /// Computes the table if the route over binary32 does not apply.
    fn prepare(&mut self) {
        let wide = self.inputs.iter().map(Format::width).sum::<u32>();
        let random = matches!(self.how.rounding, Rounding::Stochastic { .. })
            && self.operation.kind() == AnswerKind::Code;
        let tabulated =
            self.inputs.len() == 1 || (self.inputs.len() == 2 && self.inputs.iter().all(|f| f.width() <= 8));
        if self.table.is_none() && self.odd_route().is_none() && tabulated && !random && wide <= 16 {
            self.table = Some(Arc::new(Table::new(self)));
        }
    }

    fn odd_route(&self) -> Option<&OddRoute> {
        self.odd.as_deref().filter(|_| self.isa.rounds_to_odd())
    }

    /// Applies the operation on the calling thread; lengths are equal.
    fn part(&self, first: u64, operands: &[Codes<'_>], mut result: CodesMut<'_>) {
        if let Some(route) = self.odd_route() {
            route.run(self, first, operands, result);
        } else if let Some(table) = &self.table {
            table.run(self.isa, operands, result);
        } else {
            for at in 0..result.len() {
                let mut codes = [0; 3];
                for (code, operand) in codes.iter_mut().zip(operands) {
                    *code = operand.get(at);
                }
                result.set(at, self.evaluate(&codes, first.wrapping_add(at as u64)));
            }
        }
    }

    /// The definition: [`Operation::evaluate`]. Bits above a format's width are ignored.
    fn evaluate(&self, codes: &[u16; 3], index: u64) -> u16 {
        let rounding = self.how.rounding.drawn(self.seed, index);
        let datum =
            |(&code, &format): (&u16, &Format)| Datum::new(format, code as u64 & format.last_code()).ok();
        let mut data = [None; 3];
        for (made, pair) in data.iter_mut().zip(codes.iter().zip(&self.inputs)) {
            *made = datum(pair);
        }
        let how = Projection { rounding, ..self.how };
        let evaluate = |operands: &[Datum]| {
            match self.operation.evaluate(operands, &[], self.output, how, self.edition) {
                Ok(Answer::Code(rounded)) => rounded.code as u16,
                Ok(Answer::Bool(truth)) => truth as u16,
                // `new` checked operands, scale factors and kind, and masked codes are valid.
                Ok(Answer::Class(_)) | Err(_) => 0,
            }
        };
        match data {
            [Some(x), None, _] => evaluate(&[x]),
            [Some(x), Some(y), None] => evaluate(&[x, y]),
            [Some(x), Some(y), Some(z)] => evaluate(&[x, y, z]),
            [None, ..] => 0,
        }
    }
}

/// The result format and the modes under which 0.9.1's arithmetic gives the codes of `edition`; `None` if there are
/// none. The signs of zero and the overflows of 0.9.1 are those of the processor.
///
/// 4.0 reads −0 as 0, which changes only the sign of a zero, as no quotient is by zero. It never returns −0. So its
/// results are those of the same format without −0, whose other codes are the same.
fn interim(output: Format, how: Projection, edition: Edition) -> Option<(Format, Projection)> {
    let output = match edition {
        Edition::Interim => output,
        Edition::V4 => Format::new(Fields { negative_zero: false, ..output.fields() }).ok()?,
    };
    Some((output, how.as_interim(&output, edition)?))
}

/// The results for every operand, or every pair of operands of up to 8 bits.
#[derive(Debug)]
enum Table {
    /// One operand of up to 8 bits, indexed by byte; and the low halves of the results separately.
    Byte {
        pairs: Box<PairTable>,
        bytes: Box<[u8; 256]>,
    },
    /// One operand of more bits, indexed by code.
    Word(Vec<u16>),
    /// Two operands, indexed by first · 2^8 + second, with results of up to 8 bits.
    PairOfBytes(Vec<u8>),
    PairOfWords(Vec<u16>),
}

impl Table {
    fn new(arithmetic: &Arithmetic) -> Table {
        let one = |code: u32| arithmetic.evaluate(&[code as u16, 0, 0], 0);
        let two = |index: u32| arithmetic.evaluate(&[(index >> 8) as u16, index as u16 & 0xff, 0], 0);
        let narrow = arithmetic.operation.kind() == AnswerKind::Bool || arithmetic.output.width() <= 8;
        match arithmetic.inputs[..] {
            [format] if format.width() <= 8 => {
                let pairs = PairTable::new(|code| one(code as u32));
                Table::Byte { bytes: Box::new(pairs.low), pairs: Box::new(pairs) }
            }
            [_] => Table::Word((0..1 << 16).map(one).collect()),
            _ if narrow => Table::PairOfBytes((0..1 << 16).map(|index| two(index) as u8).collect()),
            _ => Table::PairOfWords((0..1 << 16).map(two).collect()),
        }
    }

    fn run(&self, isa: Isa, operands: &[Codes<'_>], mut result: CodesMut<'_>) {
        match (self, operands, &mut result) {
            (Table::Byte { bytes, .. }, &[Codes::Bytes(codes)], CodesMut::Bytes(result)) => {
                isa.run_tables(Translate { bytes, codes, result });
            }
            (Table::Byte { pairs, .. }, &[Codes::Bytes(codes)], CodesMut::Words(result)) => {
                isa.run_tables(TranslatePairs { pairs, codes, result });
            }
            (Table::Byte { pairs, .. }, &[Codes::Words(codes)], result) => {
                for (at, &code) in codes.iter().enumerate() {
                    let at_byte = code as u8 as usize;
                    result.set(at, u16::from_le_bytes([pairs.low[at_byte], pairs.high[at_byte]]));
                }
            }
            (Table::Word(table), &[Codes::Words(codes)], CodesMut::Bytes(result)) => {
                result.iter_mut().zip(codes).for_each(|(to, &code)| *to = table[code as usize] as u8);
            }
            (Table::Word(table), &[Codes::Words(codes)], CodesMut::Words(result)) => {
                result.iter_mut().zip(codes).for_each(|(to, &code)| *to = table[code as usize]);
            }
            (Table::PairOfBytes(table), &[Codes::Bytes(x), Codes::Bytes(y)], CodesMut::Bytes(result)) => {
                for (to, (&x, &y)) in result.iter_mut().zip(x.iter().zip(y)) {
                    *to = table[(x as usize) << 8 | y as usize];
                }
            }
            (Table::PairOfWords(table), &[Codes::Bytes(x), Codes::Bytes(y)], CodesMut::Words(result)) => {
                for (to, (&x, &y)) in result.iter_mut().zip(x.iter().zip(y)) {
                    *to = table[(x as usize) << 8 | y as usize];
                }
            }
            (Table::PairOfBytes(_) | Table::PairOfWords(_), [x, y], result) => {
                for at in 0..result.len() {
                    let index = (x.get(at) as u8 as usize) << 8 | y.get(at) as u8 as usize;
                    result.set(
                        at,
                        match self {
                            Table::PairOfBytes(table) => table[index] as u16,
                            Table::PairOfWords(table) => table[index],
                            Table::Byte { .. } | Table::Word(_) => 0,
                        },
                    );
                }
            }
            // `apply` checked the number of operands and the width of elements.
            _ => {}
        }
    }
}

struct Translate<'a> {
    bytes: &'a [u8; 256],
    codes: &'a [u8],
    result: &'a mut [u8],
}

impl TableKernel for Translate<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: TableLeg>(self, leg: L) {
        leg.translate(self.bytes, self.codes, self.result);
    }
}

struct TranslatePairs<'a> {
    pairs: &'a PairTable,
    codes: &'a [u8],
    result: &'a mut [u16],
}

impl TableKernel for TranslatePairs<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: TableLeg>(self, leg: L) {
        leg.translate_pairs(self.pairs, self.codes, self.result, false);
    }
}

/// The computation in binary32.
#[derive(Clone, Copy, Debug)]
enum Step {
    Add,
    Subtract,
    Multiply,
    Divide,
    Fma,
    Minimum,
    Maximum,
}

/// The route that decodes, computes with rounding to odd, and encodes.
#[derive(Debug)]
struct OddRoute {
    step: Step,
    decoders: Vec<Decoder>,
    encoder: Encoder,
    /// True if no result is rounded in binary32.
    exact: bool,
    /// For quotients: true if truncating to binary32's precision gives the right rounded results.
    cut_off: bool,
    negative_zero: bool,
}

/// Exponent of the unit of which all finite values of a format are multiples.
fn quantum(format: &Format) -> i32 {
    let trailing = format.precision() as i32 - 1;
    match format.subnormals() {
        Subnormals::Tesla if trailing > 0 => format.emin() - trailing - 1,
        Subnormals::Flush => format.emin(),
        Subnormals::Ieee | Subnormals::Tesla | Subnormals::None => format.emin() - trailing,
    }
}

/// The format whose codes represent 2^scale times as much.
fn scaled(format: Format, scale: i32) -> Option<Format> {
    let fields = format.fields();
    Format::new(Fields { bias: fields.bias.checked_sub(scale)?, ..fields }).ok()
}

impl OddRoute {
    fn new(operation: Operation, inputs: &[Format], output: Format, how: Projection) -> Option<OddRoute> {
        let step = match operation {
            Operation::Add => Step::Add,
            Operation::Subtract => Step::Subtract,
            Operation::Multiply => Step::Multiply,
            Operation::Divide => Step::Divide,
            Operation::Fma => Step::Fma,
            Operation::Minimum => Step::Minimum,
            Operation::Maximum => Step::Maximum,
            _ => return None,
        };
        // The processor's NaNs have arbitrary signs, which only a result format without NaN would show.
        let special = |format: &Format| format.nan() != NanCodes::None || format.infinities();
        if output.nan() == NanCodes::None && (inputs.iter().any(special) || matches!(step, Step::Divide)) {
            return None;
        }

        // All nonzero magnitudes are at least 2^quantum and below 2^(emax + 1). The result's scale k moves the largest
        // possible result just below 2^127. The operands' scales add up to k, and each factor gets an even half of the
        // range. The check at the end ensures that no number is below 2^−126.
        let low = |i: usize| quantum(&inputs[i]);
        let high = |i: usize| inputs[i].emax() + 1;
        let (scales, k, least) = match step {
            Step::Add | Step::Subtract | Step::Minimum | Step::Maximum => {
                let k = 126 - high(0).max(high(1));
                (vec![k, k], k, low(0).min(low(1)))
            }
            Step::Multiply => {
                let k = 127 - (high(0) + high(1));
                let first = (k + high(1) - high(0)).div_euclid(2);
                (vec![first, k - first], k, low(0) + low(1))
            }
            Step::Divide => {
                let k = 126 - (high(0) - low(1));
                let second = -(high(1) + low(1)).div_euclid(2);
                (vec![k + second, second], k, low(0) - high(1))
            }
            Step::Fma => {
                let k = 126 - (high(0) + high(1)).max(high(2));
                let first = (k + high(1) - high(0)).div_euclid(2);
                (vec![first, k - first, k], k, (low(0) + low(1)).min(low(2)))
            }
        };
        if least + k < -126 {
            return None;
        }
        let exact = match step {
            Step::Add | Step::Subtract => high(0).max(high(1)) + 1 - least <= 24,
            Step::Multiply => inputs[0].precision() + inputs[1].precision() <= 24,
            Step::Divide | Step::Fma => false,
            Step::Minimum | Step::Maximum => true,
        };
        // Rounding compares a quotient of x = X·2^u and y = Y·2^v with some b = B·2^t: a value of P bits, or a midpoint
        // of P + 1. A lesser quotient stays lesser when it is truncated. Let x/y > b. Then x and b·y are multiples of
        // 2^u and 2^(t+v), and differ by at least the lesser of these. Either they differ by 2^u, which is more than
        // 2^−P_x of x, the larger. Or they differ by more than 2^−(P + 1 + P_y) of b·y = B·Y·2^(t+v). If both fractions
        // are at least 2^−23, x/y is at least the binary32 number that follows b, and so is the truncated quotient.
        let cut_off = matches!(step, Step::Divide)
            && inputs[0].precision() < 23
            && inputs[1].precision() + output.precision() < 23;
        // Stochastic rounding needs more of the fraction than rounding to odd keeps.
        if matches!(how.rounding, Rounding::Stochastic { .. }) && !exact {
            return None;
        }
        let mut decoders = vec![];
        for (&input, &scale) in inputs.iter().zip(&scales) {
            let input = scaled(input, scale)?;
            Decode::new(&input).filter(|plan| !plan.subnormals)?;
            decoders.push(Decoder::new(input).ok()?);
        }
        let output = scaled(output, k)?;
        Encode::new(&output, how, BINARY32)?;
        let encoder = Encoder::new(output, how.rounding, how.saturation).ok()?;
        Some(OddRoute {
            step,
            decoders,
            encoder,
            exact,
            cut_off,
            negative_zero: how.rounding == Rounding::TowardNegative,
        })
    }

    fn run(&self, arithmetic: &Arithmetic, first: u64, operands: &[Codes<'_>], mut result: CodesMut<'_>) {
        let mut buffers = [[0.0; BUFFER]; 3];
        // For data in the caches, prefetching costs more than it saves.
        let bytes: usize = operands.iter().map(|o| o.len() * o.address(0).1).sum();
        let far = bytes >= STREAM_BYTES;
        let encoder = self.encoder.with_isa(arithmetic.isa).with_seed(arithmetic.seed);
        let length = result.len();
        for start in (0..length).step_by(BUFFER) {
            let range = start..length.min(start + BUFFER);
            for ((buffer, decoder), operand) in buffers.iter_mut().zip(&self.decoders).zip(operands) {
                decoder.part_f32_on(arithmetic.isa, operand.range(range.clone()), &mut buffer[..range.len()]);
            }
            let [x, y, z] = &mut buffers;
            // The addresses of the next elements.
            let mut ahead = [result.address(range.end), (std::ptr::null(), 0), (std::ptr::null(), 0)];
            for (ahead, operand) in ahead[1..].iter_mut().zip(operands) {
                *ahead = operand.address(range.end);
            }
            let ahead = far.then_some(ahead);
            // Buffer elements beyond the operands are computed and ignored.
            let done = arithmetic.isa.run_odd(Compute { route: self, x, y, z, ahead });
            debug_assert!(done.is_some(), "taken on legs without rounding control");
            let values = Values::Binary32(&x[..range.len()]);
            encoder.starting_at(first.wrapping_add(start as u64)).encode_part(values, result.range(range));
        }
    }
}

/// Elements computed at once.
const BUFFER: usize = 2048;

/// Elements computed between two prefetches: a few cache lines.
const GROUP: usize = 512;

struct Compute<'a> {
    route: &'a OddRoute,
    x: &'a mut [f32; BUFFER],
    y: &'a [f32; BUFFER],
    z: &'a [f32; BUFFER],
    /// Addresses to prefetch while computing, and bytes in an element.
    ahead: Option<[(*const u8, usize); 3]>,
}

impl OddKernel for Compute<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: OddLeg>(self, leg: L) {
        let any = leg.words(0);
        let OddRoute { step, exact, cut_off, negative_zero, .. } = *self.route;
        let sign = any.splat(1 << 31);
        // A separate loop for each operation, so that the selection is outside. Closures would not have the leg's
        // features.
        macro_rules! each {
            (|$x:ident, $y:ident, $at:ident| $result:expr) => {{
                const { assert!(BUFFER.is_multiple_of(GROUP) && GROUP.is_multiple_of(L::Words::COUNT)) };
                for group in (0..BUFFER).step_by(GROUP) {
                    if let Some(ahead) = self.ahead {
                        for (address, bytes) in ahead {
                            leg.prefetch(address.wrapping_add(group * bytes), GROUP * bytes);
                        }
                    }
                    let mut $at = group;
                    while $at < group + GROUP {
                        // SAFETY: COUNT divides GROUP, which divides BUFFER, so the elements are within the buffers.
                        let ($x, $y) = unsafe {
                            (any.load_f32(self.x.as_ptr().add($at)), any.load_f32(self.y.as_ptr().add($at)))
                        };
                        let result = $result;
                        // SAFETY: COUNT divides GROUP, which divides BUFFER, so the elements are within the buffer.
                        unsafe { result.store::<false>(self.x.as_mut_ptr().add($at).cast()) };
                        $at += L::Words::COUNT;
                    }
                }
            }};
        }
        match (step, exact) {
            (Step::Add, true) => each!(|x, y, at| leg.add_exact(negative_zero, x, y)),
            (Step::Add, false) => each!(|x, y, at| leg.add_odd(negative_zero, x, y)),
            (Step::Subtract, true) => each!(|x, y, at| leg.add_exact(negative_zero, x, y.xor(sign))),
            (Step::Subtract, false) => each!(|x, y, at| leg.add_odd(negative_zero, x, y.xor(sign))),
            (Step::Multiply, true) => each!(|x, y, at| leg.multiply_exact(x, y)),
            (Step::Multiply, false) => each!(|x, y, at| leg.multiply_odd(x, y)),
            (Step::Divide, _) => each!(|x, y, at| {
                // P3109 §4.8.3: a quotient by zero is NaN.
                let nonzero = y.shl(1).gt(any);
                let quotient = if cut_off { leg.divide_toward_zero(x, y) } else { leg.divide_odd(x, y) };
                L::Words::select(nonzero, quotient, any.splat(0x7fc0_0000))
            }),
            (Step::Minimum, _) => each!(|x, y, at| leg.minimum(x, y)),
            (Step::Maximum, _) => each!(|x, y, at| leg.maximum(x, y)),
            (Step::Fma, _) => each!(|x, y, at| {
                // SAFETY: COUNT divides GROUP, which divides BUFFER, so the elements are within the buffer.
                let z = unsafe { any.load_f32(self.z.as_ptr().add(at)) };
                leg.fma_odd(negative_zero, x, y, z)
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use binade::{Saturation, Spec};

    use super::*;

    /// The assumption of the route over binary32 under 4.0, for all pairs of operands; only some machines have the
    /// route.
    #[test]
    fn arithmetic_of_edition_4_equals_its_interim_formats() {
        let operations =
            [Operation::Add, Operation::Subtract, Operation::Multiply, Operation::Divide, Operation::Minimum];
        let format = |name: &str| name.parse::<Spec>().unwrap().format;
        let (mut routes, mut refused) = (0, 0);
        for (from, to) in [
            ("binary8p3se", "binary8p3se"),
            ("binary8p4se", "binary8p3sf"),
            ("float8_e4m3fn", "float8_e4m3fn"),
            ("float8_e5m2", "f16"),
            ("float6_e3m2fn", "float4_e2m1fn"),
            ("cfloat8_1_4_3@bias=7", "uhp"),
            ("float8_e5m2", "binary8p4uf"),
        ] {
            let (from, to) = (format(from), format(to));
            let codes = 0..=from.last_code();
            for rounding in Rounding::DETERMINISTIC {
                for saturation in Saturation::ALL {
                    let how = Projection { rounding, saturation };
                    let Some((output, modes)) = interim(to, how, Edition::V4) else {
                        refused += 1;
                        continue;
                    };
                    routes += 1;
                    for operation in operations {
                        for x in codes.clone().step_by(3) {
                            for y in codes.clone().step_by(5).chain([from.sign_bit()]) {
                                let operands = [x, y].map(|code| Datum::new(from, code).unwrap());
                                let by = |to, how, edition| match operation.evaluate(
                                    &operands,
                                    &[],
                                    to,
                                    how,
                                    edition,
                                ) {
                                    Ok(Answer::Code(rounded)) => rounded.code,
                                    other => panic!("{other:?}"),
                                };
                                assert_eq!(
                                    by(to, how, Edition::V4),
                                    by(output, modes, Edition::Interim),
                                    "{operation:?} {from} {to} {x:#x} {y:#x} {how:?}"
                                );
                            }
                        }
                    }
                }
            }
        }
        assert!(routes > 60 && refused > 5, "{routes} {refused}");
    }
}
