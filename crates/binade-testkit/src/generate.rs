//! Seeded test cases with many edge cases: results near ties, subnormal and overflow boundaries, cancellation,
//! specials.

use crate::dyadic::Dyadic;
use crate::elementary::Function;
use crate::format::{Decoded, Format};
use crate::real::Real;
use crate::round::{Exact, Mode, Saturation, project};

/// A generator of pseudo-random numbers (SplitMix64).
#[derive(Clone, Debug)]
pub struct Generator(u64);

impl Generator {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Generator {
        Generator(seed)
    }

    /// Any 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.bits() % n.max(1)
    }

    /// True with probability 1 / `n`.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// A random element; the slice must not be empty.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len() as u64) as usize]
    }

    /// Any code, or one at an edge.
    pub fn code(&mut self, format: &Format) -> u64 {
        let all = u64::MAX >> (64 - format.width);
        if !self.one_in(3) {
            return self.bits() & all;
        }
        let normal = 1u64 << (format.precision - 1);
        let largest = format.largest();
        let mut edges = vec![0, 1, normal - 1, normal, normal + 1, largest - 1, largest, largest + 1, all];
        edges.extend(format.infinity);
        edges.extend(format.nan);
        edges.extend(format.nans.iter().map(|nan| nan.0));
        // Small integers and powers of two, and their neighbours, where functions are exact or nearly so.
        let small = if self.one_in(2) {
            Dyadic::new(self.below(40), 0)
        } else {
            Dyadic::power(self.below(40) as i64 - 20)
        };
        for number in [Dyadic::power(0), small] {
            let code = nearest(format, &number);
            edges.extend([code.saturating_sub(1), code, code + 1]);
        }
        let sign = if self.one_in(2) { format.sign_bit() } else { 0 };
        (*self.pick(&edges) | sign) & all
    }

    /// A number that is hard to round to `format`: on, near or midway between neighbours.
    pub fn target(&mut self, format: &Format) -> Dyadic {
        let count = format.finite_count();
        let index = match self.below(6) {
            0 => self.below(3),
            1 => count - 1 - self.below(3).min(count - 1),
            2 => {
                // Around the smallest normal.
                let normal = format.index_of(&format.smallest_normal());
                (normal + self.below(3)).saturating_sub(1)
            }
            _ => self.below(count),
        }
        .min(count - 1);
        let (lower, upper) = (format.rung(index).1, format.rung(index + 1).1);
        let step = &upper - &lower;
        let part = match self.below(5) {
            0 => Dyadic::zero(),
            1 | 2 => Dyadic::power(-1),
            _ => {
                let bits = 1 + self.below(34);
                Dyadic::new(self.bits() >> (64 - bits), -(bits as i64))
            }
        };
        let offset = match self.below(4) {
            0 => Dyadic::power(-40),
            1 => -&Dyadic::power(-40),
            _ => Dyadic::zero(),
        };
        let magnitude = &lower + &(&step * &(&part + &offset));
        if format.signed && self.one_in(2) { -&magnitude } else { magnitude }
    }

    /// Operands and scale factors for an operation with a result in `to`, often such that the result is hard to round.
    pub fn case(
        &mut self,
        name: &str,
        scales: usize,
        operands: &[&Format],
        to: &Format,
    ) -> (Vec<u64>, Vec<i64>) {
        let mut codes: Vec<u64> = operands.iter().map(|format| self.code(format)).collect();
        let mut factors: Vec<i64> = (0..scales).map(|_| self.scale()).collect();
        if self.one_in(3) {
            return (codes, factors);
        }
        let goal = self.target(to);
        let at = |codes: &[u64], i: usize| value(operands[i], codes[i]);
        let wanted = match (name, operands.len()) {
            ("convert" | "abs" | "next_up" | "next_down" | "minimum" | "maximum" | "copy_sign", _) => {
                Some((0, goal))
            }
            ("negate", _) => Some((0, -&goal)),
            ("sqrt", _) => Some((0, &goal * &goal)),
            ("exp", _) => before(Function::Log, &goal).map(|x| (0, x)),
            ("exp2", _) => before(Function::Log2, &goal).map(|x| (0, x)),
            ("log", _) => before(Function::Exp, &goal).map(|x| (0, x)),
            ("log2", _) => before(Function::Exp2, &goal).map(|x| (0, x)),
            ("add", _) => at(&codes, 1).map(|y| (0, &goal - &y)),
            ("subtract", _) => at(&codes, 1).map(|y| (0, &goal + &y)),
            ("multiply", _) => at(&codes, 1).filter(|y| !y.is_zero()).map(|y| (0, goal.nearly_over(&y))),
            ("divide", _) => at(&codes, 1).map(|y| (0, &goal * &y)),
            ("fma", _) => {
                let product = at(&codes, 0).zip(at(&codes, 1)).map(|(x, y)| &x * &y);
                product.map(|p| (2, &goal - &p))
            }
            ("multiply_scaled", _) => {
                let product = at(&codes, 0).zip(at(&codes, 1)).map(|(x, y)| &x * &y);
                if let Some(product) = product.filter(|p| !p.is_zero() && !goal.is_zero()) {
                    factors[0] = goal.log2_floor() - product.log2_floor() + self.below(3) as i64 - 1;
                }
                at(&codes, 1).filter(|y| !y.is_zero()).map(|y| (0, goal.scaled(-factors[0]).nearly_over(&y)))
            }
            // The other addend is scaled close to the goal; this one provides the difference.
            ("add_scaled", _) => at(&codes, 1).map(|y| {
                factors[1] = self.toward(&y, &goal);
                let rest = &goal - &y.scaled(factors[1]);
                (0, self.unscaled(rest, operands[0], &mut factors[0]))
            }),
            ("scaled_fma", _) => at(&codes, 1).zip(at(&codes, 2)).map(|(x, y)| {
                let product = &x * &y;
                factors[1] = self.toward(&product, &goal);
                let rest = &goal - &product.scaled(factors[1]);
                (0, self.unscaled(rest, operands[0], &mut factors[0]))
            }),
            _ => None,
        };
        if let Some((i, x)) = wanted {
            codes[i] = nearest(operands[i], &x);
            if self.one_in(4) {
                codes[i] ^= 1;
            }
        }
        (codes, factors)
    }

    /// A log2 scale factor, extremes included.
    pub fn scale(&mut self) -> i64 {
        match self.below(4) {
            0 => *self.pick(&[0, 1, -1, 127, -128, 32767, -32768]),
            1 => self.below(65536) as i64 - 32768,
            _ => self.below(64) as i64 - 32,
        }
    }

    /// A scale factor that brings `x` within a few binades of `goal`.
    fn toward(&mut self, x: &Dyadic, goal: &Dyadic) -> i64 {
        if x.is_zero() || goal.is_zero() {
            return self.scale();
        }
        goal.log2_floor() - x.log2_floor() + self.below(9) as i64 - 4
    }

    /// `x · 2^−scale` for a scale that moves it into the range of `format`.
    fn unscaled(&mut self, x: Dyadic, format: &Format, scale: &mut i64) -> Dyadic {
        if !x.is_zero() {
            *scale = x.log2_floor() - format.rung(self.below(format.finite_count())).1.exponent_or_zero();
        }
        x.scaled(-*scale)
    }
}

/// An argument whose function value is about `goal`, by the inverse function; `None` if it has none, or if it is out of
/// range.
fn before(inverse: Function, goal: &Dyadic) -> Option<Dyadic> {
    let logarithm = matches!(inverse, Function::Log | Function::Log2);
    if logarithm {
        let domain = !goal.is_zero() && !goal.is_negative() && *goal != Dyadic::power(0);
        return domain.then(|| inverse.enclose(goal, 80).low);
    }
    (goal.abs() < Dyadic::power(12)).then(|| inverse.enclose(goal, 80).low)
}

/// The code nearest a number.
pub fn nearest(format: &Format, x: &Dyadic) -> u64 {
    let negative = x.is_negative();
    let exact = if x.is_zero() {
        Exact::Zero { negative }
    } else {
        Exact::Number { negative, magnitude: Real::Dyadic(x.abs()) }
    };
    project(format, &exact, Mode::NearestEven, Saturation::Max).code
}

/// The number of a code, if it has one.
pub fn value(format: &Format, code: u64) -> Option<Dyadic> {
    match format.decode(code) {
        Decoded::Finite { negative, magnitude } => Some(if negative { -&magnitude } else { magnitude }),
        _ => None,
    }
}

/// A random custom format by name; not every one is valid.
pub fn custom_name(generator: &mut Generator) -> String {
    // Usually narrow ones, where limits are close; some up to the largest widths, precisions and biases.
    let (width, bias) = match generator.below(12) {
        0 => (3 + generator.below(62), *generator.pick(&[131_072, -131_072, 0])),
        1 => (13 + generator.below(20), generator.below(200) as i64 - 100),
        _ => (3 + generator.below(10), generator.below(40) as i64 - 10),
    };
    let precision = 1 + generator.below(width);
    let yes_no = |generator: &mut Generator| *generator.pick(&["yes", "no"]);
    let (signed, infinities, negative_zero) = (yes_no(generator), yes_no(generator), yes_no(generator));
    let nan = *generator.pick(&["none", "ieee", "all_ones", "negative_zero"]);
    let subnormals = *generator.pick(&["ieee", "tesla", "flush", "none"]);
    format!(
        "custom@width={width},precision={precision},bias={bias},signed={signed},infinities={infinities},\
         nan={nan},negative_zero={negative_zero},subnormals={subnormals}"
    )
}
