//! Stochastic rounding against its definition, with 1 to 32 random bits, around the thresholds.

use binade_testkit::against::{Both, Call, Tally};
use binade_testkit::dyadic::Dyadic;
use binade_testkit::format::Format;
use binade_testkit::generate::{Generator, nearest};
use binade_testkit::round::{Mode, Saturation};
use num_bigint::BigInt;

const TARGETS: [&str; 9] = [
    "binary8p3",
    "binary8p1se",
    "cfloat8_1_4_3@bias=0",
    "cfloat8_1_5_2@bias=9",
    "uhp",
    "float8_e4m3fn",
    "float8_e8m0fnu",
    "float4_e2m1fn",
    "bf16",
];

/// A number with ν = k/2^j or very close to it, and random bits at the threshold of one of the variants.
fn threshold(random: &mut Generator, to: &Format) -> (Dyadic, u32, u64) {
    let index = random.below(to.finite_count());
    let (lower, upper) = (to.rung(index).1, to.rung(index + 1).1);
    let n = 1 + random.below(32) as u32;
    let (k, halves) = (random.bits() >> (64 - n), random.below(4));
    // ν = (k + halves/4) · 2^−n
    let nu = Dyadic::new(k * 4 + halves, -i64::from(n) - 2);
    let hair = match random.below(3) {
        0 => Dyadic::power(-44),
        1 => -&Dyadic::power(-44),
        _ => Dyadic::zero(),
    };
    let x = &lower + &(&(&upper - &lower) * &(&nu + &hair));
    let tips = (1u64 << n) - k.max(1);
    let near = [tips, tips.wrapping_sub(1), tips + 1, random.bits()];
    (x, n, *random.pick(&near) & ((1 << n) - 1))
}

#[test]
fn thresholds_of_every_variant_equal_the_oracle() {
    let (mut tally, mut random) = (Tally::default(), Generator::new(5));
    let wide = Both::named("f64").unwrap();
    for name in TARGETS {
        let to = Both::named(name).unwrap();
        for _ in 0..40_000 {
            let (x, n, r) = threshold(&mut random, &to.oracle);
            let x = if random.one_in(2) { -&x } else { x };
            let code = nearest(&wide.oracle, &x);
            let modes = [
                Mode::StochasticA(n, r),
                Mode::StochasticB(n, r),
                Mode::StochasticC(n, r),
                Mode::Random(n, r),
            ];
            // A bit far below the last random bit still decides ties.
            let far = Dyadic::power(-100 - random.below(800) as i64);
            let far = nearest(&wide.oracle, &if random.one_in(2) { -&far } else { far });
            let operands = [(&wide, code), (&wide, far)];
            let (name, operands) =
                if random.one_in(2) { ("add", &operands[..]) } else { ("convert", &operands[..1]) };
            let call = Call { name, operands, scales: &[], to: &to };
            call.compare(&modes, &Saturation::ALL, &mut tally);
        }
    }
    tally.assert_agreement();
}

/// Results that are not binary fractions: quotients, roots and elementary functions.
#[test]
fn stochastic_irrational_results_equal_the_oracle() {
    let (mut tally, mut random) = (Tally::default(), Generator::new(6));
    let formats: Vec<Both> = TARGETS.iter().map(|name| Both::named(name).unwrap()).collect();
    for (name, arity) in [("divide", 2), ("sqrt", 1), ("exp", 1), ("exp2", 1), ("log", 1), ("log2", 1)] {
        for _ in 0..20_000 {
            let of: Vec<&Both> = (0..arity).map(|_| random.pick(&formats)).collect();
            let to = random.pick(&formats);
            let oracles: Vec<&Format> = of.iter().map(|both| &both.oracle).collect();
            let (codes, _) = random.case(name, 0, &oracles, &to.oracle);
            let operands: Vec<(&Both, u64)> = of.into_iter().zip(codes).collect();
            let n = 1 + random.below(32) as u32;
            let r = random.bits() >> (64 - n);
            let modes = [
                Mode::StochasticA(n, r),
                Mode::StochasticB(n, r),
                Mode::StochasticC(n, r),
                Mode::Random(n, r),
            ];
            let call = Call { name, operands: &operands, scales: &[], to };
            call.compare(&modes, &[Saturation::Overflow], &mut tally);
        }
    }
    tally.assert_agreement();
}

/// Quotients of binary64 numbers that exceed a threshold of variant C by one part in 2^139: x/y = T/2^86 + 1/(y·2^86).
/// T = −1/y modulo 2^86 has the 53 bits of the lower neighbour and 33 bits of ν.
#[test]
fn quotients_just_past_a_threshold_round_up() {
    let (mut tally, mut random) = (Tally::default(), Generator::new(7));
    let f64 = Both::named("f64").unwrap();
    let mut found = 0;
    while found < 2000 {
        let y = u128::from((random.bits() >> 11) | (1 << 52) | 1);
        // Newton's iteration doubles the correct bits of 1/y: 3, 6, … 192.
        let inverse = (0..6).fold(y, |i, _| i.wrapping_mul(2u128.wrapping_sub(y.wrapping_mul(i))));
        let t = inverse.wrapping_neg() & ((1 << 86) - 1);
        if t >> 85 == 0 {
            continue;
        }
        found += 1;
        let x: BigInt = (BigInt::from(t) * y + 1) >> 86;
        let code = |number: BigInt| nearest(&f64.oracle, &Dyadic::new(number, 0));
        // The threshold at ν·2^33 = 2(2^32 − R) − 1.
        let need = ((t & ((1 << 33) - 1)) as u64).div_ceil(2);
        let mode = Mode::StochasticC(32, (1 << 32) - need);
        let operands = [(&f64, code(x)), (&f64, code(y.into()))];
        Call { name: "divide", operands: &operands, scales: &[], to: &f64 }.compare(
            &[mode],
            &[Saturation::Overflow],
            &mut tally,
        );
    }
    tally.assert_agreement();
}
