//! Questions about a format or a projection (P3109 4.0 §4.14, §4.15), for `binade eval` and conformance.

use crate::format::Format;
use crate::round::Projection;

/// A question about a format, or about a projection.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Query {
    /// Width K.
    BitwidthOf,
    /// Precision P.
    PrecisionOf,
    /// Signed or Unsigned.
    SignednessOf,
    /// Extended, with infinities, or Finite.
    DomainOf,
    /// Width of the exponent field.
    ExponentBitwidthOf,
    /// Width of the trailing significand field.
    TrailingSignificandBitwidthOf,
    /// Exponent bias.
    ExponentBiasOf,
    /// The largest finite value.
    MaxFiniteOf,
    /// The least finite value; 0 in an unsigned format.
    MinFiniteOf,
    /// The smallest positive value.
    MinPositiveOf,
    /// The largest subnormal value; NaN if the format has none.
    MaxSubnormalOf,
    /// The smallest positive normal value; NaN if the format has none.
    MinNormalOf,
    /// The rounding mode of a projection.
    RoundOf,
    /// The saturation mode of a projection.
    SatOf,
}

/// The answer to a [`Query`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fact {
    /// An integer.
    Integer(i64),
    /// A code of the format. If the format has no such value it is NaN's, or `None` in a format without NaN.
    Code(Option<u64>),
    /// A word defined in 4.0, or the name of a mode.
    Word(&'static str),
}

impl Query {
    /// Every query, in the order of the report.
    pub const ALL: [Query; 14] = [
        Query::BitwidthOf,
        Query::PrecisionOf,
        Query::SignednessOf,
        Query::DomainOf,
        Query::ExponentBitwidthOf,
        Query::TrailingSignificandBitwidthOf,
        Query::ExponentBiasOf,
        Query::MaxFiniteOf,
        Query::MinFiniteOf,
        Query::MinPositiveOf,
        Query::MaxSubnormalOf,
        Query::MinNormalOf,
        Query::RoundOf,
        Query::SatOf,
    ];

    /// The snake-case name, and the name in 4.0.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Query::BitwidthOf => ("bitwidth_of", "BitwidthOf"),
            Query::PrecisionOf => ("precision_of", "PrecisionOf"),
            Query::SignednessOf => ("signedness_of", "SignednessOf"),
            Query::DomainOf => ("domain_of", "DomainOf"),
            Query::ExponentBitwidthOf => ("exponent_bitwidth_of", "ExponentBitwidthOf"),
            Query::TrailingSignificandBitwidthOf => {
                ("trailing_significand_bitwidth_of", "TrailingSignificandBitwidthOf")
            }
            Query::ExponentBiasOf => ("exponent_bias_of", "ExponentBiasOf"),
            Query::MaxFiniteOf => ("max_finite_of", "MaxFiniteOf"),
            Query::MinFiniteOf => ("min_finite_of", "MinFiniteOf"),
            Query::MinPositiveOf => ("min_positive_of", "MinPositiveOf"),
            Query::MaxSubnormalOf => ("max_subnormal_of", "MaxSubnormalOf"),
            Query::MinNormalOf => ("min_normal_of", "MinNormalOf"),
            Query::RoundOf => ("round_of", "RoundOf"),
            Query::SatOf => ("sat_of", "SatOf"),
        }
    }

    /// The snake-case name.
    pub const fn name(self) -> &'static str {
        self.names().0
    }

    /// The name in 4.0, and the clause that defines it.
    pub const fn in_4(self) -> (&'static str, &'static str) {
        let clause = if self.of_projection() { "§4.15" } else { "§4.14" };
        (self.names().1, clause)
    }

    /// True for a question about a projection.
    pub const fn of_projection(self) -> bool {
        matches!(self, Query::RoundOf | Query::SatOf)
    }

    /// The query with this name.
    pub fn from_name(name: &str) -> Option<Query> {
        Query::ALL.into_iter().find(|query| query.name() == name)
    }

    /// The answer for a format and a projection; each query depends on one of them.
    pub fn answer(self, format: Format, how: Projection) -> Fact {
        let or_nan = |code: Option<u64>| Fact::Code(code.or(format.nan_code()));
        match self {
            Query::BitwidthOf => Fact::Integer(format.width().into()),
            Query::PrecisionOf => Fact::Integer(format.precision().into()),
            Query::SignednessOf => Fact::Word(if format.signed() { "Signed" } else { "Unsigned" }),
            Query::DomainOf => Fact::Word(if format.infinities() { "Extended" } else { "Finite" }),
            Query::ExponentBitwidthOf => Fact::Integer(format.exponent_bits().into()),
            Query::TrailingSignificandBitwidthOf => Fact::Integer(format.trailing_bits().into()),
            Query::ExponentBiasOf => Fact::Integer(format.bias().into()),
            Query::MaxFiniteOf => Fact::Code(Some(format.max_finite_code())),
            Query::MinFiniteOf => {
                let least = if format.signed() { format.sign_bit() | format.max_finite_code() } else { 0 };
                Fact::Code(Some(least))
            }
            Query::MinPositiveOf => Fact::Code(Some(format.min_positive_code())),
            Query::MaxSubnormalOf => or_nan(format.max_subnormal_code()),
            Query::MinNormalOf => or_nan(format.smallest_normal()),
            Query::RoundOf => Fact::Word(how.rounding.name()),
            Query::SatOf => Fact::Word(how.saturation.name()),
        }
    }
}
