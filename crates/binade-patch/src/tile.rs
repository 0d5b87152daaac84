//! Products of tiles of BF16 (AMX): TDPBF16PS, by an operator.
//!
//! A tile has up to 16 rows of 64 bytes. The instruction adds to C, of M × N binary32, the product of A, M × 2K BF16, and B,
//! whose K rows hold N pairs of BF16. In Intel's description, for each row m:
//!
//! ```text
//!     even[n] = odd[n] = 0
//!     for k, n: even[n] += A[m][2k] · B[k][n].lower      a fused multiply-add
//!               odd[n]  += A[m][2k + 1] · B[k][n].upper
//!     C[m][n] = C[m][n] + (even[n] + odd[n])
//! ```
//!
//! Each of these steps is the operator's: a sum x + y is its 1 · x + y. What the instruction makes of subnormal numbers, 0,
//! is not imitated.
//!
//! The code of a site calls a [gate](crate::snapshot) with the numbers of the tiles, behind which [`Product::compute`] stands. It
//! goes on there, or where the tiles do not fit, at the instruction itself, which then faults.

use iced_x86::{Code, Encoder, IcedError, Instruction, Mnemonic, Register};

use crate::snapshot::WORD;
use crate::trampoline::Track;
use crate::workspace::Field;

/// Rows of a tile, and 32-bit elements of a row.
pub const ROWS: usize = 16;

/// A tile's bytes, as pairs of BF16 or as binary32.
pub type Tile = [[u32; ROWS]; ROWS];

/// A product of tiles, by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Product {
    /// C.
    pub sum: u8,
    /// A.
    pub a: u8,
    /// B.
    pub b: u8,
}

/// Rows and columns that count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Rows of A and C.
    pub rows: usize,
    /// Pairs of a row of A, and rows of B.
    pub depth: usize,
    /// Columns of B, in pairs, and of C.
    pub columns: usize,
}

impl Product {
    /// Takes an instruction apart; nothing if it is another.
    pub fn decode(instruction: &Instruction) -> Option<Product> {
        let tile = |operand: u32| {
            let register = instruction.op_register(operand);
            register.is_tmm().then(|| register.number() as u8)
        };
        let known = instruction.mnemonic() == Mnemonic::Tdpbf16ps;
        known.then(|| Some(Product { sum: tile(0)?, a: tile(1)?, b: tile(2)? })).flatten()
    }

    /// As a word behind the call of the gate.
    pub fn word(self) -> u64 {
        u64::from_le_bytes([self.sum, self.a, self.b, 0, 0, 0, 0, 0])
    }

    /// The product that [`word`](Product::word) encoded.
    pub fn of_word(word: u64) -> Product {
        let [sum, a, b, ..] = word.to_le_bytes();
        Product { sum, a, b }
    }

    /// The shape by the configuration of tiles, as STTILECFG stores it; nothing if the instruction would not run.
    pub fn shape(self, configuration: &[u8; 64]) -> Option<Shape> {
        let rows = |tile: u8| configuration[48 + tile as usize] as usize;
        let columns = |tile: u8| {
            let at = 16 + 2 * tile as usize;
            let bytes = u16::from_le_bytes([configuration[at], configuration[at + 1]]) as usize;
            bytes.is_multiple_of(4).then_some(bytes / 4)
        };
        let Product { sum, a, b } = self;
        let shape = Shape { rows: rows(sum), depth: rows(b), columns: columns(sum)? };
        let fits = configuration[0] == 1
            && (rows(a), columns(a)?, columns(b)?) == (shape.rows, shape.depth, shape.columns)
            && [shape.rows, shape.depth, shape.columns].iter().all(|extent| (1..=ROWS).contains(extent))
            && sum != a
            && sum != b
            && a != b;
        fits.then_some(shape)
    }

    /// C += A · B, given what computes a · b + c in each lane.
    pub fn compute(
        shape: Shape,
        sum: &mut Tile,
        [a, b]: [&Tile; 2],
        step: impl Fn([&[f32; ROWS]; 3]) -> [f32; ROWS],
    ) {
        let lower = |pair: u32| f32::from_bits(pair << 16);
        let upper = |pair: u32| f32::from_bits(pair & 0xffff_0000);
        let ones = [1.0; ROWS];
        for (sums, factors) in sum.iter_mut().zip(a).take(shape.rows) {
            let (mut even, mut odd) = ([0.0; ROWS], [0.0; ROWS]);
            for (&pair, row) in factors.iter().zip(b).take(shape.depth) {
                even = step([&[lower(pair); ROWS], &row.map(lower), &even]);
                odd = step([&[upper(pair); ROWS], &row.map(upper), &odd]);
            }
            let both = step([&even, &ones, &odd]);
            let all = step([&both, &ones, &sums.map(f32::from_bits)]);
            for (sum, result) in sums.iter_mut().zip(all).take(shape.columns) {
                *sum = result.to_bits();
            }
        }
    }
}

/// From the word behind the call to the instruction itself, and to what follows it.
pub const NATIVE: u64 = WORD;
/// See above: the instruction has five bytes.
pub const DONE: u64 = NATIVE + 5;

/// The code for a product at an address, by a gate, going on at `then`.
pub(crate) fn code(
    instruction: &Instruction,
    product: Product,
    at: u64,
    gate: u64,
    then: u64,
) -> Result<(Vec<u8>, Track), IcedError> {
    let encode = |instructions: &[Instruction], mut next: u64| {
        let mut encoder = Encoder::new(64);
        for instruction in instructions {
            next += encoder.encode(instruction, next)? as u64;
        }
        Ok::<_, IcedError>(encoder.take_buffer())
    };
    let call = Instruction::with_branch(Code::Call_rel32_64, gate)?;
    let mut code = encode(&[Field::Stack.keep(Register::RSP)?, Field::Top.load(Register::RSP)?, call], at)?;
    let word = at + code.len() as u64;
    code.extend(product.word().to_le_bytes());
    let rest = [*instruction, Instruction::with_branch(Code::Jmp_rel32_64, then)?];
    code.extend(encode(&rest, word + NATIVE)?);
    let (original, next) = (instruction.ip(), instruction.next_ip());
    let range = at..at + code.len() as u64;
    Ok((code, Track { code: range, original, next, done: word + DONE, kept: None }))
}

#[cfg(test)]
mod tests {
    use binade::Operator;
    use binade::philox::Stream;
    use iced_x86::{Decoder, DecoderOptions};

    use super::*;

    #[test]
    fn instructions_and_configurations_are_read() {
        // tdpbf16ps tmm0, tmm1, tmm2; tdpbssd of the same.
        let decode = |bytes: &[u8]| Product::decode(&Decoder::new(64, bytes, DecoderOptions::NONE).decode());
        let product = decode(&[0xc4, 0xe2, 0x6a, 0x5c, 0xc1]).unwrap();
        assert_eq!(product, Product { sum: 0, a: 1, b: 2 });
        assert_eq!(Product::of_word(product.word()), product);
        assert_eq!(decode(&[0xc4, 0xe2, 0x6b, 0x5e, 0xc1]), None);
        let mut configuration = [0; 64];
        configuration[0] = 1;
        for (tile, (rows, bytes)) in [(0, (7, 20)), (1, (7, 12)), (2, (3, 20))] {
            (configuration[48 + tile], configuration[16 + 2 * tile]) = (rows, bytes);
        }
        assert_eq!(product.shape(&configuration), Some(Shape { rows: 7, depth: 3, columns: 5 }));
        for (at, value) in [(0, 0), (16, 22), (49, 6), (50, 4), (20, 16)] {
            let mut other = configuration;
            other[at] = value;
            assert_eq!(product.shape(&other), None, "{at}");
        }
        assert_eq!(Product { b: 1, ..product }.shape(&configuration), None);
    }

    /// The definition, by elements.
    fn plain(operator: &Operator, shape: Shape, c: &Tile, a: &Tile, b: &Tile) -> Tile {
        let half = |pair: u32, upper: bool| {
            let bits = if upper { pair >> 16 } else { pair & 0xffff };
            f32::from_bits(bits << 16)
        };
        let mut result = *c;
        for m in 0..shape.rows {
            for n in 0..shape.columns {
                let chain = |upper: bool| {
                    let mut sum = 0.0;
                    for k in 0..shape.depth {
                        sum = operator.multiply_add(half(a[m][k], upper), half(b[k][n], upper), sum);
                    }
                    sum
                };
                let both = operator.multiply_add(chain(false), 1.0, chain(true));
                result[m][n] = operator.multiply_add(both, 1.0, f32::from_bits(c[m][n])).to_bits();
            }
        }
        result
    }

    #[test]
    fn products_are_those_of_the_definition() {
        let mut random = Stream::new(1);
        let mut word = || random.word();
        // Both halves, and the binary32 as a whole, have exponents around 0.
        let mut number = || word() & 0x807f_807f | 0x3f00_3f00 | (word() & 0x0180_0180);
        for operator in ["bf16:bf16", "bf16:bf16x2", "bf16x2:bf16x2/3", "float8_e4m3fn:f32", "f32:f32"] {
            let operator: Operator = operator.parse().unwrap();
            for (rows, depth, columns) in [(16, 16, 16), (1, 1, 1), (5, 16, 3), (16, 2, 16)] {
                let shape = Shape { rows, depth, columns };
                let mut tile = || -> Tile { std::array::from_fn(|_| std::array::from_fn(|_| number())) };
                let (a, b, c) = (tile(), tile(), tile());
                let mut sum = c;
                Product::compute(shape, &mut sum, [&a, &b], |[a, b, c]| {
                    std::array::from_fn(|lane| operator.multiply_add(a[lane], b[lane], c[lane]))
                });
                assert_eq!(sum, plain(&operator, shape, &c, &a, &b), "{operator}, {shape:?}");
                assert_ne!(sum, c);
            }
        }
    }
}
