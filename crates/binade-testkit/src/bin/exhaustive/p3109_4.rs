//! P3109 4.0: the operations that §4.5 makes mandatory, over all operands or a stated sample, and the optional
//! operations of more than one operand. Everything is by the definitions of 4.0, for formats of any name, in six
//! rounding modes and three saturation modes.

use binade::Edition;
use binade_testkit::against::{Both, Call, NameError, Tally, decoding, limits, pairs, queries, unary};
use binade_testkit::dyadic::Dyadic;
use binade_testkit::format::p3109_names;
use binade_testkit::generate::{Generator, nearest, value};
use binade_testkit::ops::{EXTREMA, PREDICATES, RELATIONS};
use binade_testkit::round::Mode;

use crate::Task;

/// F4 and F8 of §4.5, the narrow formats.
const NARROW: [&str; 3] = ["binary4p2sf", "binary8p4se", "binary8p3se"];
/// F8.
const EIGHT_BITS: [&str; 2] = ["binary8p4se", "binary8p3se"];
/// FX, the external formats.
const EXTERNAL: [&str; 3] = ["f32", "f16", "bf16"];
/// The scales of the mandatory scaled operations.
const SCALES: &str = "binary8p1uf";

/// One call in all modes, by 4.0.
fn compare(name: &str, operands: &[(&Both, u64)], to: &Both, tally: &mut Tally) {
    let call = Call { name, operands, scales: &[], to };
    call.compare_as(Edition::V4, &Mode::DETERMINISTIC, tally);
}

fn codes(both: &Both) -> u64 {
    both.oracle.codes() as u64
}

/// 4.0's formats of a width.
fn names_of_4(width: u32) -> impl Iterator<Item = String> {
    p3109_names(width).into_iter().filter(|name| name.ends_with(['e', 'f']))
}

fn narrow_pairs() -> impl Iterator<Item = (&'static str, &'static str)> {
    NARROW.into_iter().flat_map(|x| NARROW.map(|y| (x, y)))
}

/// Add, Subtract, Multiply: all pairs of F4 ∪ F8 to F8 ∪ FX. Minima, maxima and comparisons: all pairs of one format,
/// and comparisons of two formats. Predicates, Abs, Negate and neighbours: all operands. The queries.
pub(crate) fn mandatory() -> Vec<Task> {
    let arithmetic = narrow_pairs().flat_map(|(x, y)| {
        EIGHT_BITS.into_iter().chain(EXTERNAL).map(move |to| (x, y, to, &["add", "subtract", "multiply"][..]))
    });
    let extrema = NARROW.map(|f| (f, f, f, &EXTREMA[..]));
    let comparisons = narrow_pairs().map(|(x, y)| (x, y, x, &RELATIONS[..]));
    let of_two = arithmetic.chain(extrema).chain(comparisons).map(|(x, y, to, names)| {
        Task::new(format!("mandatory {} {x} {y} -> {to}", names[0]), move |tally| {
            let (x, y, to) = (Both::named(x)?, Both::named(y)?, Both::named(to)?);
            pairs(names, &x, &y, &to, 1, 0, tally);
            Ok(())
        })
    });
    let of_one = NARROW.map(|name| {
        Task::new(format!("mandatory, of one operand, {name}"), move |tally| {
            let both = Both::named(name)?;
            let names = ["abs", "negate", "next_greater_than", "next_less_than"];
            for name in names.into_iter().chain(PREDICATES) {
                (0..codes(&both)).for_each(|code| compare(name, &[(&both, code)], &both, tally));
            }
            Ok(())
        })
    });
    let of_none = NARROW.into_iter().chain(EXTERNAL).map(|name| {
        Task::new(format!("mandatory, queries, {name}"), move |tally| {
            queries(&Both::named(name)?, tally);
            Ok(())
        })
    });
    of_two.chain(of_one).chain(of_none).collect()
}

/// Third operands for a result in `to`, given the exact sum or product `known` of the other two: three that make it
/// hard to round, and one that is an edge case or arbitrary.
fn thirds(random: &mut Generator, known: Option<Dyadic>, to: &Both) -> [u64; 4] {
    let format = &to.oracle;
    let any = random.code(format);
    let Some(known) = known else { return [any, random.code(format), random.code(format), 0] };
    let off = random.below(3);
    // Numbers that cancel everything, or nearly; that sum to a neighbour of a tie; and that equal the distance of a tie
    // from the sum or product.
    let opposite = nearest(format, &-&known) ^ off.saturating_sub(1);
    let rest = nearest(format, &(&random.target(format) - &known));
    let far = i64::from(format.precision) + random.below(3) as i64 - 1;
    let sign = if random.one_in(2) { 1 } else { -1 };
    let place = if known.is_zero() { 0 } else { known.log2_floor() };
    let away = if random.one_in(2) { place + far } else { place - far };
    [any, opposite, rest, nearest(format, &Dyadic::new(sign, 0).scaled(away))]
}

/// FMA and FAA. All triples of 4-bit formats. All pairs of F4 ∪ F8 with every third operand of F4, to Binary8p4se; and
/// all pairs with four third operands each from each format of FX, to the same format.
pub(crate) fn fused() -> Vec<Task> {
    const FUSED: [&str; 2] = ["fma", "faa"];
    let triples = names_of_4(4)
        .map(|f| (f.clone(), f))
        .chain(EIGHT_BITS.into_iter().chain(EXTERNAL).map(|to| ("binary4p2sf".to_owned(), to.to_owned())));
    let triples = triples.map(|(f, to)| {
        Task::new(format!("fused, all triples of {f} -> {to}"), move |tally| {
            let (f, to) = (Both::named(&f)?, Both::named(&to)?);
            for triple in 0..16 * 16 * 16 {
                let operands = [triple >> 8, triple >> 4 & 15, triple & 15].map(|code| (&f, code));
                FUSED.into_iter().for_each(|name| compare(name, &operands, &to, tally));
            }
            Ok(())
        })
    });
    let fourths = narrow_pairs().map(|(x, y)| {
        Task::new(format!("fused {x} {y}, every binary4p2sf -> binary8p4se"), move |tally| {
            let (x, y) = (Both::named(x)?, Both::named(y)?);
            let (z, to) = (Both::named("binary4p2sf")?, Both::named("binary8p4se")?);
            for a in 0..codes(&x) {
                for b in 0..codes(&y) {
                    for c in 0..16 {
                        let operands = [(&x, a), (&y, b), (&z, c)];
                        FUSED.into_iter().for_each(|name| compare(name, &operands, &to, tally));
                    }
                }
            }
            Ok(())
        })
    });
    let external = narrow_pairs().flat_map(|(x, y)| EXTERNAL.map(|e| (x, y, e))).map(|(x, y, e)| {
        Task::new(format!("fused {x} {y}, four of {e} -> {e}"), move |tally| {
            let (x, y, e) = (Both::named(x)?, Both::named(y)?, Both::named(e)?);
            let mut random = Generator::new(4);
            for a in 0..codes(&x) {
                for b in 0..codes(&y) {
                    let values = value(&x.oracle, a).zip(value(&y.oracle, b));
                    let product = values.as_ref().map(|(x, y)| x * y);
                    let sum = values.as_ref().map(|(x, y)| x + y);
                    for (name, known) in FUSED.into_iter().zip([product, sum]) {
                        for c in thirds(&mut random, known, &e) {
                            compare(name, &[(&x, a), (&y, b), (&e, c)], &e, tally);
                        }
                    }
                }
            }
            Ok(())
        })
    });
    triples.chain(fourths).chain(external).collect()
}

/// ScaledAdd, ScaledSubtract, ScaledMultiply with scales in Binary8p1uf. All pairs of elements of F4 ∪ F8, each with
/// one pair of scales, to each format of F8 ∪ FX. And all pairs of scales, each with one pair of elements, to one of
/// these.
pub(crate) fn scaled() -> Vec<Task> {
    const SCALED: [&str; 3] = ["scaled_add", "scaled_subtract", "scaled_multiply"];
    let results = || EIGHT_BITS.into_iter().chain(EXTERNAL);
    let elements = narrow_pairs().flat_map(move |(x, y)| results().map(move |to| (x, y, to)));
    let elements = elements.map(|(x, y, to)| {
        Task::new(format!("scaled, all pairs of {x} {y} -> {to}"), move |tally| {
            let (s, x, y, to) = (Both::named(SCALES)?, Both::named(x)?, Both::named(y)?, Both::named(to)?);
            let mut random = Generator::new(5);
            for a in 0..codes(&x) {
                for b in 0..codes(&y) {
                    // Similar scales, so that sums are more than one of their terms, or any two.
                    let first = random.code(&s.oracle);
                    let near = (first + random.below(9)).saturating_sub(4).min(255);
                    let second = if random.one_in(4) { random.code(&s.oracle) } else { near };
                    let operands = [(&s, first), (&x, a), (&s, second), (&y, b)];
                    SCALED.into_iter().for_each(|name| compare(name, &operands, &to, tally));
                }
            }
            Ok(())
        })
    });
    let scales = narrow_pairs().zip(results().cycle()).map(|((x, y), to)| {
        Task::new(format!("scaled, all pairs of scales of {x} {y} -> {to}"), move |tally| {
            let (s, x, y, to) = (Both::named(SCALES)?, Both::named(x)?, Both::named(y)?, Both::named(to)?);
            let mut random = Generator::new(6);
            for pair in 0..1 << 16 {
                let (a, b) = (random.code(&x.oracle), random.code(&y.oracle));
                let operands = [(&s, pair >> 8), (&x, a), (&s, pair & 255), (&y, b)];
                SCALED.into_iter().for_each(|name| compare(name, &operands, &to, tally));
            }
            Ok(())
        })
    });
    elements.chain(scales).collect()
}

/// Convert and Recip from any format of F4 ∪ F8 ∪ FX to any: all operands, except for binary32, of which there are too
/// many.
pub(crate) fn conversions() -> Vec<Task> {
    const SAMPLED: usize = 200_000;
    let all = || NARROW.into_iter().chain(EXTERNAL);
    let both = all().flat_map(move |x| all().map(move |to| (x, to)));
    both.map(|(x, to)| {
        Task::new(format!("conversions {x} -> {to}"), move |tally| {
            let (x, to) = (Both::named(x)?, Both::named(to)?);
            let mut random = Generator::new(7);
            for name in ["convert", "recip"] {
                if x.oracle.width <= 16 {
                    (0..codes(&x)).for_each(|code| compare(name, &[(&x, code)], &to, tally));
                    continue;
                }
                for _ in 0..SAMPLED {
                    let (codes, _) = random.case(name, 0, &[&x.oracle], &to.oracle);
                    compare(name, &[(&x, codes[0])], &to, tally);
                }
            }
            Ok(())
        })
    })
    .collect()
}

/// Optional operations of more than one operand, with each format's operands and results. For every 8-bit format: all
/// pairs for CopySign, Hypot, TotalOrder and the comparisons, one in eight for minima and maxima, and 65536 triples for
/// Clamp. For 4-bit formats, all triples of Clamp. (Divide is among `pairs`.)
pub(crate) fn optional() -> Vec<Task> {
    let eight_bits = names_of_4(8).map(|name| {
        Task::new(format!("optional {name}"), move |tally| {
            let both = Both::named(&name)?;
            let f = [&both; 3];
            pairs(&["copy_sign", "hypot"], f[0], f[1], f[2], 1, 0, tally);
            pairs(&RELATIONS, f[0], f[1], f[2], 1, 0, tally);
            pairs(&EXTREMA, f[0], f[1], f[2], 8, 8, tally);
            let mut random = Generator::new(9);
            for _ in 0..1 << 16 {
                let mut codes = [0; 3].map(|_: u64| random.code(&both.oracle));
                // Usually with bounds in order, as far as the order of codes tells.
                if random.one_in(2) && codes[1] > codes[2] {
                    codes.swap(1, 2);
                }
                compare("clamp", &codes.map(|code| (&both, code)), &both, tally);
            }
            Ok(())
        })
    });
    let four_bits = names_of_4(4).map(|name| {
        Task::new(format!("optional, clamp, all triples of {name}"), move |tally| {
            let f = Both::named(&name)?;
            for triple in 0..16 * 16 * 16 {
                let operands = [triple >> 8, triple >> 4 & 15, triple & 15].map(|code| (&f, code));
                compare("clamp", &operands, &f, tally);
            }
            Ok(())
        })
    });
    eight_bits.chain(four_bits).collect()
}

/// ArcTan2 and ArcTan2Pi, whose oracle is slow: all pairs of F8's formats, and one in 64 of the other 8-bit formats.
pub(crate) fn angles() -> Vec<Task> {
    // Rows of F8's formats are separate tasks, so that all processors are busy to the end.
    let whole = EIGHT_BITS.into_iter().flat_map(|name| (0..16).map(move |part| (name, part)));
    let whole = whole.map(|(name, part)| {
        Task::new(format!("angles {name}, part {} of 16", part + 1), move |tally| {
            let both = Both::named(name)?;
            for pair in part << 12..(part + 1) << 12 {
                let operands = [(&both, pair >> 8), (&both, pair & 255)];
                ["arc_tan2", "arc_tan2_pi"].into_iter().for_each(|n| compare(n, &operands, &both, tally));
            }
            Ok(())
        })
    });
    let others = names_of_4(8).filter(|name| !EIGHT_BITS.contains(&name.as_str())).map(|name| {
        Task::new(format!("angles {name}, a pair in 64"), move |tally| {
            let both = Both::named(&name)?;
            pairs(&["arc_tan2", "arc_tan2_pi"], &both, &both, &both, 64, 10, tally);
            Ok(())
        })
    });
    whole.chain(others).collect()
}

/// For every format of 3 to 16 bits: the value of every code, the limits, the queries. From 13 bits on, every operation
/// of one operand on a sample.
pub(crate) fn tables() -> Vec<Task> {
    (3..=16)
        .flat_map(names_of_4)
        .map(|name| {
            Task::new(format!("tables {name}"), move |tally: &mut Tally| -> Result<(), NameError> {
                let both = Both::named(&name)?;
                limits(&both, tally);
                queries(&both, tally);
                decoding(&both, 0..codes(&both), tally);
                if both.oracle.width > 12 {
                    let offset = u64::from(both.oracle.precision) * 37;
                    unary(&both, &both, codes(&both) as usize / 32 + 1, offset, 16, tally);
                }
                Ok(())
            })
        })
        .collect()
}
