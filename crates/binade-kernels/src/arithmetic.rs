//! Maximum and minimum of IEEE 754 and rounding to BF16, as branch-free functions that compile to vector code.

/// The maximum of IEEE 754. For equal numbers the result is the AND of their bits, so zeros of different sign give +0.
#[inline(always)]
pub fn maximum(x: f32, y: f32) -> f32 {
    let equal = f32::from_bits(x.to_bits() & y.to_bits());
    let ordered = if x > y { x } else { y };
    let ordered = if x == y { equal } else { ordered };
    if x.is_nan() { x } else { ordered }
}

/// The minimum of IEEE 754: the negated maximum of the negated operands.
#[inline(always)]
pub fn minimum(x: f32, y: f32) -> f32 {
    -maximum(-x, -y)
}

/// The nearest BF16 number, ties to even; NaN becomes the canonical NaN.
#[inline(always)]
pub fn bf16(x: f32) -> f32 {
    let bits = x.to_bits();
    let rounded = bits.wrapping_add(0x7fff + (bits >> 16 & 1)) & 0xffff_0000;
    f32::from_bits(if x.is_nan() { f32::NAN.to_bits() } else { rounded })
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::{maximum, minimum};

    #[test]
    fn extremes_equal_their_definitions() {
        let special = [0.0, -0.0, 1.0, -1.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1e-45, f32::MAX];
        let others = (0..60u32).map(|i| f32::from_bits(i.wrapping_mul(0x9e37_79b9)));
        let values: Vec<f32> =
            special.into_iter().chain([f32::from_bits(0xffc1_2345)]).chain(others).collect();
        let larger = |x: f32, y: f32| match x.partial_cmp(&y) {
            None => f32::NAN,
            Some(Ordering::Greater) => x,
            Some(Ordering::Less) => y,
            Some(Ordering::Equal) if x.is_sign_positive() => x,
            Some(Ordering::Equal) => y,
        };
        let same = |x: f32, y: f32| x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan();
        for &x in &values {
            for &y in &values {
                assert!(same(maximum(x, y), larger(x, y)), "maximum of {x:e} and {y:e}");
                assert!(same(minimum(x, y), -larger(-x, -y)), "minimum of {x:e} and {y:e}");
            }
        }
    }
}
