//! Comparison of `binade` with the oracle: codes and flags. Only this module uses `binade` and `binade-fma`.

pub mod blocks;
pub mod recipes;
pub mod units;

use crate::dyadic::Dyadic;
use crate::format::{Decoded, Format, UnknownFormat};
use crate::functions::NAMES;
use crate::generate::{Generator, value};
use crate::ops::{self, Answer, CODE_OPERATIONS, Operand, PREDICATES, RELATIONS};
use crate::round::{Located, Mode, Rounded, Saturation, flags};
use binade::ops::{Fact, Query};
use binade::{
    Datum, DatumError, Edition, Flags, Operation, Projection, Rounding, Spec, SpecError, Stochastic, Value,
};
use thiserror::Error;

/// A format in the representation of both sides.
#[derive(Debug)]
pub struct Both {
    /// the format of `binade`
    pub ours: Spec,
    /// the format of the oracle
    pub oracle: Format,
}

/// A name that one of the sides does not know.
#[derive(Debug, Error)]
pub enum NameError {
    /// `binade` does not know it.
    #[error("binade: {0}")]
    Ours(#[from] SpecError),
    /// The oracle does not know it.
    #[error("oracle: {0}")]
    Oracle(#[from] UnknownFormat),
}

impl Both {
    /// Looks the name up on both sides.
    ///
    /// # Errors
    /// The error of the side that does not know it.
    pub fn named(name: &str) -> Result<Both, NameError> {
        Ok(Both { ours: name.parse()?, oracle: Format::named(name)? })
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.oracle.name
    }

    fn datum(&self, code: u64) -> Result<Datum, DatumError> {
        Datum::new(self.ours.format, code)
    }
}

/// The number of comparisons, and the disagreements.
#[derive(Debug, Default)]
pub struct Tally {
    /// number of results compared
    pub compared: u64,
    /// number of disagreements
    pub failed: u64,
    /// the first few disagreements
    pub examples: Vec<String>,
}

const EXAMPLES: usize = 20;

impl Tally {
    /// Counts a comparison; `describe` is called on disagreement.
    pub fn record(&mut self, agrees: bool, describe: impl FnOnce() -> String) {
        self.compared += 1;
        if !agrees {
            self.failed += 1;
            if self.examples.len() < EXAMPLES {
                self.examples.push(describe());
            }
        }
    }

    /// Adds the counts of another tally.
    pub fn merge(&mut self, other: Tally) {
        self.compared += other.compared;
        self.failed += other.failed;
        let room = EXAMPLES - self.examples.len();
        self.examples.extend(other.examples.into_iter().take(room));
    }

    /// Asserts that nothing disagreed, and that something was compared.
    ///
    /// # Panics
    /// On disagreement, with the examples.
    pub fn assert_agreement(&self) {
        assert!(self.compared > 0, "nothing was compared");
        assert!(
            self.failed == 0,
            "{} of {} results disagree:\n{}",
            self.failed,
            self.compared,
            self.examples.join("\n")
        );
    }
}

fn rounding(mode: Mode) -> Rounding {
    let stochastic =
        |variant, bits, random: u64| Rounding::Stochastic { variant, bits, random: random as u32 };
    match mode {
        Mode::NearestEven => Rounding::NearestEven,
        Mode::NearestAway => Rounding::NearestAway,
        Mode::TowardPositive => Rounding::TowardPositive,
        Mode::TowardNegative => Rounding::TowardNegative,
        Mode::TowardZero => Rounding::TowardZero,
        Mode::ToOdd => Rounding::ToOdd,
        Mode::StochasticA(n, r) => stochastic(Stochastic::A, n, r),
        Mode::StochasticB(n, r) => stochastic(Stochastic::B, n, r),
        Mode::StochasticC(n, r) => stochastic(Stochastic::C, n, r),
        Mode::Random(n, r) => stochastic(Stochastic::Random, n, r),
    }
}

fn saturation(saturation: Saturation) -> binade::Saturation {
    match saturation {
        Saturation::Overflow => binade::Saturation::Overflow,
        Saturation::Finite => binade::Saturation::Finite,
        Saturation::Max => binade::Saturation::Max,
    }
}

/// A projection as `binade` represents it.
pub fn projection(mode: Mode, saturated: Saturation) -> Projection {
    Projection::new(rounding(mode), saturation(saturated))
}

/// Flags as the oracle numbers them.
pub fn flag_bits(raised: Flags) -> u8 {
    let table = [
        (Flags::INVALID, flags::INVALID),
        (Flags::DENORMAL, flags::DENORMAL),
        (Flags::OVERFLOW, flags::OVERFLOW),
        (Flags::UNDERFLOW, flags::UNDERFLOW),
        (Flags::INEXACT, flags::INEXACT),
    ];
    table.into_iter().filter(|(flag, _)| raised.contains(*flag)).map(|(_, bit)| bit).sum()
}

fn translated(answer: binade::Answer) -> Answer {
    match answer {
        binade::Answer::Code(rounded) => {
            Answer::Code(Rounded { code: rounded.code, flags: flag_bits(rounded.flags) })
        }
        binade::Answer::Bool(truth) => Answer::Bool(truth),
        binade::Answer::Class(class) => Answer::Class(class.name()),
    }
}

fn show(answer: Option<Answer>) -> String {
    match answer {
        Some(Answer::Code(Rounded { code, flags })) => format!("{code:#x} {}", flags::letters(flags)),
        Some(Answer::Bool(truth)) => truth.to_string(),
        Some(Answer::Class(class)) => class.into(),
        None => "nothing".into(),
    }
}

/// One call in all the given modes. The exact result is located once and rounded in each.
pub struct Call<'a> {
    /// the operation's name
    pub name: &'a str,
    /// formats and codes
    pub operands: &'a [(&'a Both, u64)],
    /// log2 scale factors
    pub scales: &'a [i64],
    /// the result's format
    pub to: &'a Both,
}

impl Call<'_> {
    fn describe(
        &self,
        mode: Mode,
        saturation: Saturation,
        oracle: Option<Answer>,
        ours: Option<Answer>,
    ) -> String {
        let formats: Vec<&str> = self.operands.iter().map(|(both, _)| both.name()).collect();
        let codes: Vec<String> = self.operands.iter().map(|(_, code)| format!("{code:#x}")).collect();
        format!(
            "{} {} -> {} {mode:?} {saturation:?} {} scale={:?}: oracle {}, binade {}",
            self.name,
            formats.join(" "),
            self.to.name(),
            codes.join(" "),
            self.scales,
            show(oracle),
            show(ours)
        )
    }

    /// The edition that the names select.
    fn edition(&self) -> Edition {
        Spec::edition_of(self.operands.iter().map(|(both, _)| &both.ours).chain([&self.to.ours]))
    }

    fn ours(
        &self,
        operation: Operation,
        data: &[Datum],
        scales: &[i32],
        how: Projection,
        edition: Edition,
    ) -> Option<Answer> {
        operation.evaluate(data, scales, self.to.ours.format, how, edition).ok().map(translated)
    }

    /// Compares in every given mode and saturation.
    pub fn compare(&self, modes: &[Mode], saturations: &[Saturation], tally: &mut Tally) {
        let data: Result<Vec<Datum>, DatumError> =
            self.operands.iter().map(|(both, code)| both.datum(*code)).collect();
        let (Some(operation), Ok(data)) = (Operation::from_name(self.name), data) else {
            return tally.record(false, || format!("binade has no operation {} or no such code", self.name));
        };
        self.compare_with(operation, &data, modes, saturations, tally);
    }

    /// [`Call::compare`] in every saturation, by the definitions of an edition instead of the one that the names
    /// select.
    pub fn compare_as(&self, edition: Edition, modes: &[Mode], tally: &mut Tally) {
        let data: Result<Vec<Datum>, DatumError> =
            self.operands.iter().map(|(both, code)| both.datum(*code)).collect();
        match (Operation::from_name(self.name), data) {
            (Some(operation), Ok(data)) => {
                self.compare_in(edition, operation, &data, modes, &Saturation::ALL, tally);
            }
            _ => tally.record(false, || format!("binade has no operation {} or no such code", self.name)),
        }
    }

    /// [`Call::compare`], with the operation and the operands already looked up.
    pub fn compare_with(
        &self,
        operation: Operation,
        data: &[Datum],
        modes: &[Mode],
        saturations: &[Saturation],
        tally: &mut Tally,
    ) {
        self.compare_in(self.edition(), operation, data, modes, saturations, tally);
    }

    /// [`Call::compare_with`], by the definitions of an edition instead of the one that the names select.
    pub fn compare_in(
        &self,
        edition: Edition,
        operation: Operation,
        data: &[Datum],
        modes: &[Mode],
        saturations: &[Saturation],
        tally: &mut Tally,
    ) {
        let edition_4 = edition == Edition::V4;
        let operands: Vec<Operand> =
            self.operands.iter().map(|(both, code)| Operand::new(&both.oracle, *code)).collect();
        let read: Vec<Operand> = operands.iter().map(|x| x.read(edition_4)).collect();
        let scales: Vec<i32> = self.scales.iter().map(|&s| s as i32).collect();
        let how = |mode, sat| Projection { rounding: rounding(mode), saturation: saturation(sat) };
        let Some((exact, denormal)) = ops::exact(self.name, &read, self.scales) else {
            let (mode, saturation) = (Mode::NearestEven, Saturation::Overflow);
            let oracle = ops::evaluate(
                self.name,
                &operands,
                self.scales,
                &self.to.oracle,
                mode,
                saturation,
                edition_4,
            );
            let ours = self.ours(operation, data, &scales, how(mode, saturation), edition);
            let agrees = oracle.is_some() && oracle == ours;
            return tally.record(agrees, || self.describe(mode, saturation, oracle, ours));
        };
        let located = Located::new(&self.to.oracle, &exact);
        for &mode in modes {
            for &saturation in saturations {
                let (m, s) = ops::projection(self.name, &operands, &self.to.oracle, mode, saturation);
                let rounded = located.project_in(m, s, edition_4);
                let oracle = Some(Answer::Code(ops::raise(rounded, denormal)));
                let ours = self.ours(operation, data, &scales, how(mode, saturation), edition);
                tally.record(oracle == ours, || self.describe(mode, saturation, oracle, ours));
            }
        }
    }
}

/// Decodes codes on both sides.
pub fn decoding(both: &Both, codes: impl Iterator<Item = u64>, tally: &mut Tally) {
    for code in codes {
        let oracle = both.oracle.decode(code);
        let ours = binade::decode(both.ours.format, code);
        let agrees = match (&oracle, ours) {
            (Decoded::Nan { negative }, Value::Nan { negative: n })
            | (Decoded::Infinite { negative }, Value::Infinite { negative: n }) => *negative == n,
            (Decoded::Finite { negative, magnitude }, Value::Finite(x)) => {
                *negative == x.negative && !x.sticky && *magnitude == Dyadic::new(x.significand, x.exponent)
            }
            _ => false,
        };
        tally.record(agrees, || {
            format!("decode {} {code:#x}: oracle {oracle:?}, binade {ours:?}", both.name())
        });
    }
}

/// Compares the derived limits.
pub fn limits(both: &Both, tally: &mut Tally) {
    let (ours, oracle) = (both.ours.format, &both.oracle);
    let largest = oracle.rung(oracle.finite_count() - 1).1;
    let nonzero = oracle.finite_count() - u64::from(oracle.has_zero());
    let distinct = u128::from(nonzero) * if oracle.signed { 2 } else { 1 } + u128::from(oracle.has_zero());
    let checks = [
        ("largest finite", ours.max_finite_code() == oracle.largest()),
        ("infinity", ours.infinity_code() == oracle.infinity),
        ("NaN", ours.nan_code() == oracle.nan),
        ("NaN codes", ours.nan_ranges() == oracle.nans),
        ("emin", i64::from(ours.emin()) == oracle.smallest_normal().log2_floor()),
        ("finite values", ours.finite_values() == distinct),
        ("width", ours.width() == oracle.width),
        ("precision", ours.precision() == oracle.precision),
        ("bias", i64::from(ours.bias()) == oracle.bias),
        ("signed", ours.signed() == oracle.signed),
        ("negative zero", ours.negative_zero() == oracle.negative_zero),
        // If the largest value is subnormal, emax has no meaning that both sides must share.
        ("emax", largest < oracle.smallest_normal() || i64::from(ours.emax()) == largest.log2_floor()),
    ];
    for (what, agrees) in checks {
        tally.record(agrees, || format!("{}: {what} differs: {ours:?}", both.name()));
    }
}

/// Compares the answers to the queries about a format (4.0 §4.14).
pub fn queries(both: &Both, tally: &mut Tally) {
    let oracle = &both.oracle;
    let per_binade = 1u64 << (oracle.precision - 1);
    let exponent_bits = oracle.width - u32::from(oracle.signed) - (oracle.precision - 1);
    let least = if oracle.signed { oracle.sign_bit() | oracle.largest() } else { 0 };
    let positive = if oracle.has_zero() { oracle.rung(1).0 } else { 0 };
    let first_normal = if oracle.has_zero() { per_binade } else { 0 };
    let subnormal = (1..per_binade).rev().find(|code| oracle.is_subnormal(*code));
    let normal = Some(first_normal).filter(|code| *code <= oracle.largest());
    let integer = |of: u32| Fact::Integer(of.into());
    for (query, expected) in [
        (Query::BitwidthOf, integer(oracle.width)),
        (Query::PrecisionOf, integer(oracle.precision)),
        (Query::SignednessOf, Fact::Word(if oracle.signed { "Signed" } else { "Unsigned" })),
        (Query::DomainOf, Fact::Word(if oracle.infinity.is_some() { "Extended" } else { "Finite" })),
        (Query::ExponentBitwidthOf, integer(exponent_bits)),
        (Query::TrailingSignificandBitwidthOf, integer(oracle.precision - 1)),
        (Query::ExponentBiasOf, Fact::Integer(oracle.bias)),
        (Query::MaxFiniteOf, Fact::Code(Some(oracle.largest()))),
        (Query::MinFiniteOf, Fact::Code(Some(least))),
        (Query::MinPositiveOf, Fact::Code(Some(positive))),
        (Query::MaxSubnormalOf, Fact::Code(subnormal.or(oracle.nan))),
        (Query::MinNormalOf, Fact::Code(normal.or(oracle.nan))),
    ] {
        let ours = query.answer(both.ours.format, Projection::default());
        tally.record(ours == expected, || {
            format!("{} {}: oracle {expected:?}, binade {ours:?}", query.name(), both.name())
        });
    }
}

/// Compares two-operand operations on every `stride`th pair of codes, in every mode and saturation.
pub fn pairs(names: &[&str], x: &Both, y: &Both, to: &Both, stride: u64, seed: u64, tally: &mut Tally) {
    let mut choice = Generator::new(seed);
    let operations: Vec<(&str, Operation)> =
        names.iter().filter_map(|&name| Some((name, Operation::from_name(name)?))).collect();
    for a in 0..x.oracle.codes() as u64 {
        for b in 0..y.oracle.codes() as u64 {
            if stride > 1 && !choice.one_in(stride) {
                continue;
            }
            let (Ok(u), Ok(v)) = (x.datum(a), y.datum(b)) else {
                tally.record(false, || format!("binade has no code {a:#x} or {b:#x}"));
                continue;
            };
            for &(name, operation) in &operations {
                let call = Call { name, operands: &[(x, a), (y, b)], scales: &[], to };
                call.compare_with(operation, &[u, v], &Mode::DETERMINISTIC, &Saturation::ALL, tally);
            }
        }
    }
}

/// The names of the operations that take one operand.
pub fn unary_names() -> Vec<&'static str> {
    let codes = CODE_OPERATIONS.iter().filter(|(_, arity, _)| *arity == 1).map(|(name, ..)| *name);
    codes.chain(PREDICATES).collect()
}

/// Compares all operations of one operand on every `stride`th code of a format, in every mode and saturation.
/// Operations of [`NAMES`], whose oracle is slow, are on one of `thinned` of these codes.
pub fn unary(x: &Both, to: &Both, stride: usize, offset: u64, thinned: usize, tally: &mut Tally) {
    for (i, name) in unary_names().into_iter().enumerate() {
        let slow = NAMES.contains(&name) && thinned > 1;
        let (stride, offset) = match slow {
            true => {
                (stride * thinned, (offset + stride as u64 * (i % thinned) as u64) % x.oracle.codes() as u64)
            }
            false => (stride, offset),
        };
        for code in (offset..x.oracle.codes() as u64).step_by(stride) {
            let call = Call { name, operands: &[(x, code)], scales: &[], to };
            call.compare(&Mode::DETERMINISTIC, &Saturation::ALL, tally);
        }
    }
}

/// The names of all operations with their numbers of operands and scale factors.
pub fn all_operations() -> Vec<(&'static str, usize, usize)> {
    let mut all = CODE_OPERATIONS.to_vec();
    all.extend(RELATIONS.map(|name| (name, 2, 0)));
    all.extend(PREDICATES.map(|name| (name, 1, 0)));
    all
}

/// A format of each kind.
pub const KINDS: [&str; 32] = [
    "f64",
    "f32",
    "tf32",
    "f16",
    "bf16",
    "binary8p1",
    "binary8p3",
    "binary8p4se",
    "binary8p1se",
    "binary8p5sf",
    "binary8p4ue",
    "binary8p8uf",
    "binary5p2",
    "binary12p7se",
    "binary16p10",
    "binary16p1ue",
    "cfloat8_1_4_3@bias=0",
    "cfloat8_1_4_3@bias=10",
    "cfloat8_1_5_2@bias=31",
    "cfloat8_1_5_2@bias=63",
    "cfloat8_1_4_3@bias=7,subnormals=ieee",
    "shp@bias=20",
    "uhp",
    "uhp@subnormals=ieee",
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e5m2",
    "float8_e8m0fnu",
    "float6_e2m3fn",
    "float4_e2m1fn",
    "custom@width=24,precision=9,bias=131072,infinities=yes,nan=ieee,negative_zero=yes",
    "custom@width=9,precision=4,bias=-3,signed=yes,nan=all_ones,subnormals=none",
];

fn some_modes(random: &mut Generator) -> [Mode; 3] {
    let n = 1 + random.below(32) as u32;
    let r = random.bits() >> (64 - n);
    let stochastic =
        *random.pick(&[Mode::StochasticA(n, r), Mode::StochasticB(n, r), Mode::StochasticC(n, r)]);
    [*random.pick(&Mode::DETERMINISTIC), *random.pick(&Mode::DETERMINISTIC), stochastic]
}

/// A slow operation is run in one of this many turns.
const SLOW_TURNS: usize = 32;

/// The oracle needs seconds for numbers beyond 2^±FAR in some functions of [`NAMES`], and there are many cases.
/// [`generated`] leaves them to [`far`].
const FAR: i64 = 1 << 13;

fn is_far(both: &Both, code: u64) -> bool {
    value(&both.oracle, code).is_some_and(|x| !x.is_zero() && x.log2_floor().abs() > FAR)
}

/// Compares a function of [`NAMES`] on `count` numbers beyond 2^±FAR of a format that has such numbers, for each sign
/// and end in turn.
pub fn far(name: &str, both: &Both, count: usize, seed: u64) -> Tally {
    let (mut tally, mut random) = (Tally::default(), Generator::new(seed));
    let mut left = count;
    // Without such numbers in the format, the search ends.
    for _ in 0..10_000 * count {
        let code = random.bits() % both.oracle.codes() as u64;
        if left > 0 && is_far(both, code) {
            let call = Call { name, operands: &[(both, code)], scales: &[], to: both };
            call.compare(&[Mode::NearestEven, Mode::TowardZero], &[Saturation::Overflow], &mut tally);
            left -= 1;
        }
    }
    tally.record(left == 0, || format!("{} has no numbers that far", both.name()));
    tally
}

/// Compares every operation in turn, on generated cases between formats picked from `formats`. The functions of
/// [`NAMES`] get numbers within 2^±8192.
pub fn generated(formats: &[Both], cases: usize, seed: u64) -> Tally {
    let (mut tally, mut random) = (Tally::default(), Generator::new(seed));
    let operations = all_operations();
    for case in 0..cases {
        let (name, arity, scales) = operations[case % operations.len()];
        // Operations with a slow oracle have fewer turns.
        let slow = NAMES.contains(&name) || name.starts_with("arc_tan2");
        if slow && !(case / operations.len() + seed as usize % SLOW_TURNS).is_multiple_of(SLOW_TURNS) {
            continue;
        }
        let of: Vec<&Both> = (0..arity).map(|_| random.pick(formats)).collect();
        let to = random.pick(formats);
        let oracles: Vec<_> = of.iter().map(|both| &both.oracle).collect();
        let (codes, scales) = random.case(name, scales, &oracles, &to.oracle);
        let operands: Vec<(&Both, u64)> = of.into_iter().zip(codes).collect();
        if slow && operands.iter().any(|&(both, code)| is_far(both, code)) {
            continue;
        }
        let modes = some_modes(&mut random);
        let call = Call { name, operands: &operands, scales: &scales, to };
        call.compare(&modes, &Saturation::ALL, &mut tally);
        call.compare_as(Edition::V4, &modes, &mut tally);
    }
    tally
}
