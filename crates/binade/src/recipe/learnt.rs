//! Exponent biases that follow a tensor, as Tesla's document has them: learnt while training, and not changed frequently.

use crate::catalog::Bias;
use crate::format::{Fields, Format};

/// The rule of an exponent bias that follows a tensor's largest exponents.
///
/// The wanted bias makes the largest exponent of the last `history` steps, plus `margin` binades, the largest exponent of the format.
/// A bias falls to the wanted one at once if the tensor would overflow under it. It rises by one after each whole history that
/// wants a larger one, so that it does not change frequently. Biases are unsigned integers of six bits.
///
/// A stored tensor keeps its history from step to step. An operand of a product is quantised under the bias that its own largest
/// exponent wants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Learnt {
    /// Steps whose largest exponents count, 1 to 1024.
    pub history: usize,
    /// Binades between the largest exponent seen and the format's, 0 to 8.
    pub margin: i32,
}

impl Default for Learnt {
    fn default() -> Learnt {
        Learnt { history: 16, margin: 1 }
    }
}

/// The format with another bias.
pub(super) fn with_bias(format: Format, bias: i32) -> Format {
    Format::constant(Fields { bias, ..format.fields() })
}

impl Learnt {
    /// The wanted bias of a format for a tensor whose largest exponent is this.
    pub fn bias(&self, format: Format, largest_exponent: i32) -> i32 {
        let greatest = with_bias(format, 0).emax();
        (greatest - largest_exponent - self.margin).clamp(*Bias::RANGE.start(), *Bias::RANGE.end())
    }
}

/// ⌊log2⌋ of the largest finite magnitude; `None` if all numbers are zero or not finite.
pub fn largest_exponent(numbers: &[f32]) -> Option<i32> {
    let most = numbers.iter().filter(|x| x.is_finite()).fold(0f32, |most, x| most.max(x.abs()));
    let bits = most.to_bits();
    match bits >> 23 {
        _ if bits == 0 => None,
        0 => Some(31 - bits.leading_zeros() as i32 - 149),
        field => Some(field as i32 - 127),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn largest_exponents_are_those_of_finite_numbers() {
        assert_eq!(largest_exponent(&[0.0, -0.0, f32::NAN, f32::INFINITY]), None);
        assert_eq!(largest_exponent(&[0.3, -1.9, f32::INFINITY]), Some(0));
        assert_eq!(largest_exponent(&[f32::from_bits(1)]), Some(-149));
        assert_eq!(largest_exponent(&[f32::MAX]), Some(127));
    }
}
