use super::constants::artanh_reciprocal;
use super::*;
use crate::philox;

/// A dyadic number from a signed significand.
fn dyadic(significand: i64, exponent: i64) -> Finite {
    match significand {
        0 => Finite::zero(false),
        _ => Finite::new(significand < 0, significand.unsigned_abs() as u128, exponent),
    }
}

/// Arguments of all sizes and lengths, each function in turn where it is defined, without the exact cases.
fn calls() -> impl Iterator<Item = Call> {
    let word = |index: u64| philox::word(9, index) as u64;
    let drawn = (0..8000).map(move |i| {
        let length = 1 + word(4 * i) % 62;
        let bits = word(4 * i + 1) << 32 | word(4 * i + 2);
        let exponent = match i % 4 {
            0 => word(4 * i + 3) as i64 % 600_000 - 300_000,
            1 => word(4 * i + 3) as i64 % 110 - 70 - length as i64, // magnitudes from 2^−70 to 2^39
            _ => word(4 * i + 3) as i64 % 12 - 8 - length as i64,
        };
        (bits >> 63 != 0, (bits << 1 >> (64 - length)) | 1, exponent)
    });
    let near_one = (0..52).flat_map(|j| [((1 << 52) + (1 << j), -52), ((1 << 53) - (1 << j), -53)]);
    let near_powers = near_one.flat_map(|(s, e)| [0, -1, 1, 7, -1074, 299_000].map(|k| (false, s, e + k)));
    let arguments =
        drawn.chain(near_powers).map(|(negative, s, e)| Argument::new(Finite::new(negative, s as u128, e)));
    arguments.flat_map(|x| {
        let magnitude = x.exponent + x.significand.ilog2() as i64;
        let moderate = magnitude < LIMIT as i64;
        let positive = Argument { negative: false, ..x };
        [
            (moderate && magnitude >= -64).then_some(Call::Exp(x)),
            (moderate && magnitude >= -104 && x.exponent < 0).then_some(Call::Exp2(x)),
            (x.significand != 1 || x.exponent != 0).then_some(Call::Log(positive)),
            (x.significand != 1).then_some(Call::Log2(positive)),
        ]
        .into_iter()
        .flatten()
    })
}

#[test]
fn results_of_every_precision_have_the_same_bits() {
    let (twelve, nineteen) = (Constants::<[u64; 12]>::new(12), Constants::<Vec<u64>>::new(19));
    let (mut decided, mut all) = (0, 0);
    for call in calls() {
        let result = evaluate(call);
        assert!(result.sticky && result.significand >> (BITS - 1) == 1, "{call:?}");
        let two = call.enclose(&TWO_LIMBS).truncated();
        let four = call.enclose(&FOUR_LIMBS).truncated();
        assert!(two.is_none_or(|low| low == result) && four.is_none_or(|low| low == result), "{call:?}");
        assert_eq!(call.enclose(&twelve).truncated(), Some(result), "{call:?}");
        assert_eq!(call.enclose(&nineteen).truncated(), Some(result), "{call:?}");
        (decided, all) = (decided + two.is_some() as u32, all + 1);
    }
    assert!(all > 20_000 && decided * 10 > all * 9, "{decided} of {all}");
}

/// Enclosures of three limbs contain the value, known to three more.
#[test]
fn enclosures_contain_the_value() {
    let (three, six) = (Constants::<[u64; 3]>::new(3), Constants::<Vec<u64>>::new(6));
    for call in calls() {
        let (rough, fine) = (call.enclose(&three), call.enclose(&six));
        assert_eq!((rough.negative, rough.exponent), (fine.negative, fine.exponent), "{call:?}");
        let (low, high) = rough.fraction.neighbours(rough.error).unwrap();
        let value = Fraction::leading(3, &fine.fraction);
        assert!(!value.less(&low) && value.less(&high), "{call:?}");
    }
}

#[test]
fn constants_agree_with_other_series() {
    let many = Constants::<Vec<u64>>::new(16);
    // ln 2 = 18 artanh(1/26) − 2 artanh(1/4801) + 8 artanh(1/8749).
    let term = |factor: u64, n: u64| artanh_reciprocal(17, n).times(factor).0;
    let sum = term(18, 26).minus(&term(2, 4801)).plus(&term(8, 8749));
    let within_four_units = |x: &Fraction<Vec<u64>>, y: &Fraction<Vec<u64>>| {
        x.minus(y).plus(&Fraction::of(16, 4, -1024)).leading_zeros() >= 1024 - 4
    };
    assert!(within_four_units(&Fraction::leading(16, &sum), &many.ln_2));
    let half = many.ln_2.product(&many.half_log2_e);
    assert!(within_four_units(&half, &Fraction::quotient(16, 1, 2)));
    // Fewer limbs are the leading ones of more limbs.
    assert_eq!(TWO_LIMBS.ln_2.bits(0), many.ln_2.bits(0));
    assert_eq!(TWO_LIMBS.half_log2_e.bits(0), many.half_log2_e.bits(0));
    assert_eq!(FOUR_LIMBS.ln_2.bits(128), many.ln_2.bits(128));
    assert_eq!(FOUR_LIMBS.half_log2_e.bits(128), many.half_log2_e.bits(128));
}

/// The first 30 significant digits of a positive value between 2^−20 and 2^20.
fn digits(x: Finite) -> String {
    let places = -x.exponent as u32;
    let mut text = format!("{}.", x.significand >> places);
    let mut rest = x.significand & ((1 << places) - 1);
    while text.len() < 31 {
        rest *= 10;
        text.push(char::from(b'0' + (rest >> places) as u8));
        rest &= (1 << places) - 1;
    }
    text
}

#[test]
fn functions_of_known_arguments_give_known_constants() {
    for (value, expected) in [
        (exp(dyadic(1, 0)), "2.71828182845904523536028747135266"),
        (exp(dyadic(1, -1)), "1.64872127070012814684865078781416"),
        (exp(dyadic(-1, 0)), "0.36787944117144232159552377016146"),
        (exp2(dyadic(1, -1)), "1.41421356237309504880168872420969"),
        (exp2(dyadic(-1, -1)), "0.70710678118654752440084436210484"),
        (log(dyadic(1, 1)), "0.69314718055994530941723212145817"),
        (log(dyadic(10, 0)), "2.30258509299404568401799145468436"),
        (log(dyadic(3, 0)), "1.09861228866810969139524523692252"),
        (log2(dyadic(10, 0)), "3.32192809488736234787031942948939"),
        (log2(dyadic(3, 0)), "1.58496250072115618145373894394781"),
    ] {
        assert!(expected.starts_with(&digits(value)), "{} for {expected}", digits(value));
    }
}

/// Values computed with MPFR to 2,000 bits. Most are hard cases of binary64, from the list of Lefèvre and Muller: runs
/// of equal bits after the 53rd or 54th.
#[test]
fn hard_cases_of_binary64_are_correct() {
    type Function = fn(Finite) -> Finite;
    let cases: [(Function, i64, i64, bool, u128, i64); 20] = [
        (exp, 0x60f52f37aecfd, -48, false, 0xd6285a04e45770000000000000, -95),
        (exp, -0xf698c77db13f5, -78, false, 0xffffffc259ce27ffffffffffff, -104),
        (exp, 0x1accfbe46b4ef, -49, false, 0x93e1725e0f7383ffffffffffff, -102),
        (exp, -0x122e24fa3d5cf9, -53, false, 0x910b8a3dc2f54c000000000000, -104),
        (exp, 0x1, -59, false, 0x80000000000000100000000000, -103),
        (exp, -0x1, -59, false, 0xffffffffffffffe00000000000, -104),
        (exp, -0x162e42fefa39ef, -43, false, 0x8000000000035793c767301311, -1127),
        (exp2, 0x1e4596526bf94d, -62, false, 0x8029fe17615a9bffffffffffff, -103),
        (exp2, -0x1, -60, false, 0xfffffffffffffff4e8de8082e3, -104),
        (log, 0xb1544309b14db, 627, false, 0xeb23cf5d3e4b88000000000000, -95),
        (log, 0xd5a85a04e4577, -43, false, 0xc1d7386dcd4e5d5e1ff4f03611, -101),
        (log, 0x14700ba9f6a5e5, -53, true, 0xe58ee2627714e483d82190db5d, -105),
        (log, 0x1fffffffffffff, -53, true, 0x80000000000002000000000000, -156),
        (log, 0x10000000000001, -52, false, 0xfffffffffffff8000000000000, -156),
        (log, 0x1, -1074, true, 0xba1c2a236b8e1b1cad3f51dcf0, -94),
        (log2, 0x1b4ebe40c95a01, -52, false, 0xc56f564c0f006c000000000000, -104),
        (log2, 0x8dd1cff9471f5, -49, false, 0x897767bb6b1e68000000000000, -102),
        (log2, 0x1fffffffffffff, -53, true, 0xb8aa3b295c17f39e6774a440c8, -156),
        (log2, 0x10000000000001, -51, false, 0x8000000000000b8aa3b295c17e, -103),
        (log2, 0x3, -1, false, 0x95c01a39fbd6879fa00b120a06, -104),
    ];
    for (function, x, scale, negative, significand, exponent) in cases {
        let expected = Finite { negative, significand, exponent, sticky: true };
        assert_eq!(function(dyadic(x, scale)), expected, "{x:#x} · 2^{scale}");
    }
    // e^(2^−59) = 1 + 2^−59 + 2^−119 + …: two limbs are too few.
    assert!(Call::Exp(Argument::new(dyadic(1, -59))).enclose(&TWO_LIMBS).truncated().is_none());
}

#[test]
fn exact_results_are_not_sticky() {
    let one = Finite::new(false, 1, 0);
    for zero in [Finite::zero(false), Finite::zero(true)] {
        assert_eq!((exp(zero), exp2(zero)), (one, one));
    }
    for scale in [0, 3, 52, 100] {
        let one = Finite::new(false, 1 << scale, -scale);
        assert_eq!((log(one), log2(one)), (Finite::zero(false), Finite::zero(false)));
        for k in [-300_000, -1, 1, 6, 300_000] {
            let power = Finite::new(false, 1 << scale, k - scale);
            assert_eq!(log2(power), dyadic(k, 0));
            assert_eq!(
                exp2(Finite::new(k < 0, (k.unsigned_abs() as u128) << scale, -scale)),
                Finite::new(false, 1, k)
            );
        }
    }
    assert_eq!(exp2(dyadic(-3, 38)), Finite::new(false, 1, -3 << 38));
    assert!(
        [exp2(dyadic(5, -1)), log2(dyadic(5, -1)), exp(dyadic(4, 0)), log(dyadic(4, 0))]
            .iter()
            .all(|y| y.sticky)
    );
}

#[test]
fn small_arguments_equal_the_general_algorithm() {
    // On both sides of the limit at 2^−64, against the general algorithm with enough limbs.
    let constants = Constants::<Vec<u64>>::new(20);
    for exponent in -300..-60 {
        for significand in [1, 3, 0x1f_ffff_ffff_ffff, (1 << 62) - 1] {
            for x in [dyadic(significand, exponent), dyadic(-significand, exponent)] {
                let reference = Call::Exp(Argument::new(x)).enclose(&constants).truncated().unwrap();
                let result = exp(x);
                let cut = 128 - result.significand.leading_zeros() - BITS;
                assert_eq!(result.significand >> cut, reference.significand, "{x:?}");
                assert_eq!(
                    (result.exponent + cut as i64, result.sticky),
                    (reference.exponent, true),
                    "{x:?}"
                );
            }
        }
    }
    let sticky = |significand, exponent| Finite { negative: false, significand, exponent, sticky: true };
    // 1 + 2^−65 and 1 + 2^−127 are multiples of the unit, 2^−128 is half of it.
    assert_eq!(exp(dyadic(1, -65)), sticky((1 << 127) + (1 << 62), -127));
    assert_eq!(exp(dyadic(1, -127)), sticky((1 << 127) + 1, -127));
    assert_eq!(exp(dyadic(1, -128)), sticky(1 << 127, -127));
    assert_eq!(exp(dyadic(-1, -65)), sticky(u128::MAX - (1 << 63) + 1, -128));
    assert_eq!(exp(dyadic(-1, -128)), sticky(u128::MAX, -128));
    assert_eq!(exp(dyadic(-1, -129)), sticky(u128::MAX, -128));
    for function in [exp, exp2] {
        for exponent in [-300_000, -1074, -200] {
            let (above, below) = (function(dyadic(3, exponent)), function(dyadic(-3, exponent)));
            let length = 128 - above.significand.leading_zeros() as i64;
            assert_eq!(above, sticky(1 << (length - 1), 1 - length));
            let ones = u128::MAX >> (128 - below.significand.count_ones());
            assert_eq!(below, sticky(ones, -(below.significand.count_ones() as i64)));
            assert!(length >= 100 && below.significand.count_ones() >= 100);
        }
    }
}

#[test]
fn huge_arguments_are_clamped() {
    for function in [exp, exp2] {
        for exponent in [40, 1000, 300_000] {
            let (up, down) = (function(dyadic(1, exponent)), function(dyadic(-1, exponent)));
            assert_eq!((up.log2_floor(), down.log2_floor()), (1 << LIMIT, -(1 << LIMIT)));
            assert!(up.sticky && down.sticky && !up.negative && !down.negative);
        }
    }
    // The largest that are not replaced: 2^39 / ln 2 = 793129986396.09…
    assert_eq!(exp(dyadic(1, 39)).log2_floor(), 793_129_986_396);
    assert_eq!(exp(dyadic(-1, 39)).log2_floor(), -793_129_986_397);
}

/// On both sides of multiples of ln 2, where the k from binary64 often has an error of one.
#[test]
fn exponentials_near_multiples_of_ln_2_are_monotone() {
    let mut corrected = [0, 0];
    for i in 0..2000 {
        let k = 1 + philox::word(5, i) as i64 % (1 << (1 + i % 31));
        let (fraction, whole) = FOUR_LIMBS.ln_2.times(k as u64);
        let places = 61 - (whole.checked_ilog2().unwrap_or(0)) as i64;
        let floor = (whole << places) as i64 | (fraction.bits(0) >> (128 - places)) as i64;
        for (multiple, below) in [(floor - 1, true), (floor, true), (floor + 1, false), (floor + 2, false)] {
            let x = dyadic(multiple, -places);
            assert_eq!(exp(x).log2_floor(), if below { k - 1 } else { k }, "{x:?}");
            let x = dyadic(-multiple, -places);
            assert_eq!(exp(x).log2_floor(), if below { -k } else { -k - 1 }, "{x:?}");
            let rough = multiple as f64 / (1_i64 << places) as f64 * core::f64::consts::LOG2_E;
            corrected[below as usize] += (rough.floor() as i64 != if below { k - 1 } else { k }) as u32;
        }
    }
    assert!(corrected.iter().all(|&count| count > 100), "{corrected:?}");
}

/// All functions are strictly increasing; truncated values keep the order.
#[test]
fn functions_are_monotone() {
    let mut last: Option<[Finite; 4]> = None;
    let positive = (1..0x7c00_i64).map(|code| match (code >> 10, code & 0x3ff) {
        (0, fraction) => dyadic(fraction, -24),
        (field, fraction) => dyadic(fraction | 0x400, field - 25),
    });
    for x in positive {
        let next = [exp(x), exp2(x), log(x), log2(x)];
        if let Some(last) = last {
            for (a, b) in last.into_iter().zip(next) {
                assert!(crate::Value::Finite(a) < crate::Value::Finite(b), "{a:?} {b:?}");
            }
        }
        last = Some(next);
    }
}
