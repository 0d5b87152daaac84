//! Formats by name, read from their sources independently of `binade`: the special codes, and the values of the others.
//!
//! P3109: interim report 0.9.1 §3 and the later public names. TSL: Tesla's guide to CFloat8 and CFloat16.
//! RFC: StableHLO's Float8E4M3FNUZ and Float8E5M2FNUZ. The rest are IEEE 754, OCP and MLIR types.

use crate::dyadic::Dyadic;
use thiserror::Error;

/// The values of codes below the smallest normal code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bottom {
    /// Evenly spaced from zero to the smallest normal.
    Gradual,
    /// TSL: half of that spacing.
    Halved,
    /// Zero.
    Flushed,
    /// No such codes: code 0 is a normal power of two.
    Absent,
}

/// A format: its parameters and its special codes.
#[derive(Clone, Debug)]
pub struct Format {
    /// Its name with options.
    pub name: String,
    /// Bits of a code.
    pub width: u32,
    /// Significand bits, implicit one included.
    pub precision: u32,
    /// Exponent bias.
    pub bias: i64,
    /// True if the top bit is a sign.
    pub signed: bool,
    /// True if the sign bit alone is −0.
    pub negative_zero: bool,
    /// The code of +∞.
    pub infinity: Option<u64>,
    /// First and last code of each run of NaNs.
    pub nans: Vec<(u64, u64)>,
    /// The NaN that operations return.
    pub nan: Option<u64>,
    /// The values below the normal codes.
    pub bottom: Bottom,
    /// The code of the largest finite value.
    largest: u64,
    /// The sorted finite magnitudes and the next one, for formats narrow enough to list.
    list: Vec<(u64, Dyadic)>,
}

/// The value of a code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decoded {
    /// Not a number, with its sign bit.
    Nan {
        /// the sign bit
        negative: bool,
    },
    /// An infinity.
    Infinite {
        /// its sign
        negative: bool,
    },
    /// A finite number.
    Finite {
        /// the sign bit
        negative: bool,
        /// the absolute value
        magnitude: Dyadic,
    },
}

/// A format name, or option, that the oracle does not know.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("no format {0}: names are as in the catalogue, without aliases")]
pub struct UnknownFormat(pub String);

const LISTED_WIDTH: u32 = 16;

impl Format {
    /// The format of that name.
    ///
    /// # Errors
    /// If the name or one of its options is unknown.
    pub fn named(name: &str) -> Result<Format, UnknownFormat> {
        let unknown = || UnknownFormat(name.to_owned());
        let (base, options) = name.split_once('@').unwrap_or((name, ""));
        let mut options: Vec<(&str, &str)> =
            options.split(',').filter(|o| !o.is_empty()).filter_map(|o| o.split_once('=')).collect();
        let mut format = base_format(base, &mut options).ok_or_else(unknown)?;
        for (key, value) in options {
            match (key, value) {
                ("subnormals", "ieee") => format.bottom = Bottom::Gradual,
                ("subnormals", "tesla") => format.bottom = Bottom::Halved,
                ("subnormals", "flush") => format.bottom = Bottom::Flushed,
                ("subnormals", "none") => format.bottom = Bottom::Absent,
                _ => return Err(unknown()),
            }
        }
        format.name = name.to_string();
        format.largest = format.find_largest();
        if format.width <= LISTED_WIDTH {
            format.list = (0..=format.finite_count()).map(|i| format.computed_rung(i)).collect();
        }
        Ok(format)
    }

    /// True if the codes of the other format have the same values; names do not matter.
    pub fn same_values(&self, other: &Format) -> bool {
        (self.width, self.precision, self.bias, self.signed, self.negative_zero, self.infinity, &self.nans)
            == (
                other.width,
                other.precision,
                other.bias,
                other.signed,
                other.negative_zero,
                other.infinity,
                &other.nans,
            )
            && self.bottom == other.bottom
    }

    /// The sign bit, or 0.
    pub fn sign_bit(&self) -> u64 {
        if self.signed { 1 << (self.width - 1) } else { 0 }
    }

    /// The number of codes.
    pub fn codes(&self) -> u128 {
        1 << self.width
    }

    fn is_nan(&self, code: u64) -> bool {
        self.nans.iter().any(|&(first, last)| first <= code && code <= last)
    }

    /// Code of the largest finite value.
    pub fn largest(&self) -> u64 {
        self.largest
    }

    /// True if the codes up to the largest finite value have no special value among them.
    fn find_largest(&self) -> u64 {
        let top = if self.signed { self.sign_bit() - 1 } else { u64::MAX >> (64 - self.width) };
        let specials = self.nans.iter().map(|&(first, _)| first).chain(self.infinity).filter(|&c| c <= top);
        specials.min().map_or(top, |first| first - 1)
    }

    /// Number of codes with a zero exponent field.
    fn below_normal(&self) -> u64 {
        1 << (self.precision - 1)
    }

    /// True for a nonzero subnormal code, even if it is read as zero.
    pub fn is_subnormal(&self, code: u64) -> bool {
        let magnitude = code & !self.sign_bit();
        self.bottom != Bottom::Absent
            && magnitude != 0
            && magnitude < self.below_normal()
            && magnitude <= self.largest()
    }

    /// The smallest normal value.
    pub fn smallest_normal(&self) -> Dyadic {
        Dyadic::power(if self.bottom == Bottom::Absent { -self.bias } else { 1 - self.bias })
    }

    /// True if zero has a code.
    pub fn has_zero(&self) -> bool {
        self.bottom != Bottom::Absent
    }

    /// The value of a magnitude code; the code line continues without bound.
    fn worth(&self, code: u64) -> Dyadic {
        let per_binade = self.below_normal();
        let (field, trailing) = ((code / per_binade) as i64, code % per_binade);
        let below = 1 - i64::from(self.precision);
        match self.bottom {
            Bottom::Gradual if field == 0 => Dyadic::new(trailing, 1 - self.bias + below),
            Bottom::Halved if field == 0 => Dyadic::new(trailing, -self.bias + below),
            Bottom::Flushed if field == 0 => Dyadic::zero(),
            _ => Dyadic::new(per_binade + trailing, field - self.bias + below),
        }
    }

    /// Decodes a code.
    pub fn decode(&self, code: u64) -> Decoded {
        let negative = code & self.sign_bit() != 0;
        let magnitude = code & !self.sign_bit();
        if self.is_nan(code) {
            Decoded::Nan { negative }
        } else if self.infinity == Some(magnitude) {
            Decoded::Infinite { negative }
        } else {
            let magnitude = self.worth(magnitude);
            // Without a −0, its code is another representation of zero, unless it is NaN.
            let negative = negative && (self.negative_zero || !magnitude.is_zero());
            Decoded::Finite { negative, magnitude }
        }
    }

    /// The number of different finite magnitudes.
    pub fn finite_count(&self) -> u64 {
        match self.bottom {
            Bottom::Flushed => self.largest() + 2 - self.below_normal(),
            _ => self.largest() + 1,
        }
    }

    /// The index of a magnitude in the list.
    pub fn index_of(&self, magnitude: &Dyadic) -> u64 {
        let (mut low, mut high) = (0, self.largest());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.with_rung(middle, |rung| rung < magnitude) { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// True for a signalling NaN: if there are several, one whose top trailing bit is clear (IEEE 754 §6.2.1).
    pub fn signals(&self, code: u64) -> bool {
        self.nans.iter().any(|&(first, last)| (first..last).contains(&code))
            && code % self.below_normal() < self.below_normal() / 2
    }

    fn computed_rung(&self, index: u64) -> (u64, Dyadic) {
        let code = match self.bottom {
            Bottom::Flushed if index > 0 => index + self.below_normal() - 1,
            _ => index,
        };
        (code, self.worth(code))
    }

    /// The magnitude at an index of the sorted list, from 0 to [`Format::finite_count`], and its code. The last one is
    /// the first magnitude beyond the largest.
    pub fn rung(&self, index: u64) -> (u64, Dyadic) {
        match self.list.get(index as usize) {
            Some(listed) => listed.clone(),
            None => self.computed_rung(index),
        }
    }

    /// [`Format::rung`], borrowed if it is listed.
    pub(crate) fn with_rung<T>(&self, index: u64, use_it: impl FnOnce(&Dyadic) -> T) -> T {
        match self.list.get(index as usize) {
            Some((_, magnitude)) => use_it(magnitude),
            None => use_it(&self.computed_rung(index).1),
        }
    }
}

/// The names of the P3109 formats of a width, up to 53 bits of precision and 16 of the exponent.
pub fn p3109_names(width: u32) -> Vec<String> {
    let mut names = vec![];
    for precision in 1..=width.min(53) {
        let wide = width - precision;
        if wide > 16 {
            continue;
        }
        // An unsigned one has one exponent bit more; K = 64 leaves no number beyond its largest code.
        let unsigned = wide < 16 && width < 64;
        let kinds = [("", false), ("se", false), ("sf", false), ("ue", true), ("uf", true)];
        let kinds = kinds.into_iter().filter(|(_, is)| if *is { unsigned } else { precision < width });
        names.extend(kinds.map(|(kind, _)| format!("binary{width}p{precision}{kind}")));
    }
    names
}

/// The names outside P3109. Those with a configurable bias, marked by `@`, get this bias.
pub fn other_names(bias: u32) -> Vec<String> {
    let names = "cfloat8_1_4_3@ cfloat8_1_5_2@ shp@ uhp float8_e4m3fnuz float8_e5m2fnuz float8_e4m3b11fnuz \
                 float8_e4m3fn float8_e5m2 float8_e4m3 float8_e3m4 float8_e8m0fnu float6_e2m3fn float6_e3m2fn \
                 float4_e2m1fn f16 bf16 tf32 f32 f64";
    names.split_whitespace().map(|name| name.replace('@', &format!("@bias={bias}"))).collect()
}

/// The parts of names such as `binary8p3se`: K, P and the suffix.
fn p3109_name(base: &str) -> Option<(u32, u32, &str)> {
    let (width, rest) = base.strip_prefix("binary")?.split_once('p')?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    Some((width.parse().ok()?, rest[..digits].parse().ok()?, &rest[digits..]))
}

fn take<T: std::str::FromStr>(options: &mut Vec<(&str, &str)>, key: &str) -> Option<T> {
    let at = options.iter().position(|(k, _)| *k == key)?;
    options.remove(at).1.parse().ok()
}

fn base_format(base: &str, options: &mut Vec<(&str, &str)>) -> Option<Format> {
    let plain = |width: u32, precision: u32, bias: i64, signed: bool| Format {
        name: String::new(),
        width,
        precision,
        bias,
        signed,
        negative_zero: false,
        infinity: None,
        nans: vec![],
        nan: None,
        bottom: Bottom::Gradual,
        largest: 0,
        list: vec![],
    };
    if let Some((k, p, kind)) = p3109_name(base) {
        return p3109(k, p, kind, plain);
    }
    // IEEE 754: the top exponent field is for Inf and NaN. Given exponent bits and trailing bits.
    let ieee = |e: u32, m: u32| {
        let field = ((1u64 << e) - 1) << m;
        let sign = 1u64 << (e + m);
        let quiet = 1u64 << (m - 1);
        Format {
            negative_zero: true,
            infinity: Some(field),
            nans: vec![(field + 1, sign - 1), (sign + field + 1, sign + (sign - 1))],
            nan: Some(field + quiet),
            ..plain(1 + e + m, m + 1, (1 << (e - 1)) - 1, true)
        }
    };
    // RFC: one NaN, at the code of −0; no Inf.
    let fnuz = |precision: u32, bias: i64| Format {
        nans: vec![(0x80, 0x80)],
        nan: Some(0x80),
        ..plain(8, precision, bias, true)
    };
    // OCP's small element types and Tesla's clamping ones: no Inf, no NaN.
    let finite = |width: u32, precision: u32, bias: i64| Format {
        negative_zero: true,
        ..plain(width, precision, bias, true)
    };
    let tesla = |width: u32, precision: u32, bias: i64| {
        (0..=63).contains(&bias).then(|| Format { bottom: Bottom::Halved, ..finite(width, precision, bias) })
    };
    Some(match base {
        "f16" => ieee(5, 10),
        "bf16" => ieee(8, 7),
        "tf32" => ieee(8, 10),
        "f32" => ieee(8, 23),
        "f64" => ieee(11, 52),
        "float8_e5m2" => ieee(5, 2),
        "float8_e4m3" => ieee(4, 3),
        "float8_e3m4" => ieee(3, 4),
        // OCP FP8: Inf is replaced by finite values; NaN is S.1111.111.
        "float8_e4m3fn" => Format {
            negative_zero: true,
            nans: vec![(0x7f, 0x7f), (0xff, 0xff)],
            nan: Some(0x7f),
            ..plain(8, 4, 7, true)
        },
        "float8_e4m3fnuz" => fnuz(4, 8),
        "float8_e5m2fnuz" => fnuz(3, 16),
        "float8_e4m3b11fnuz" => fnuz(4, 11),
        // OCP MX scale: 2^(code − 127), 0xff is NaN, there is no zero.
        "float8_e8m0fnu" => Format {
            nans: vec![(0xff, 0xff)],
            nan: Some(0xff),
            bottom: Bottom::Absent,
            ..plain(8, 1, 127, false)
        },
        "float6_e2m3fn" => finite(6, 4, 1),
        "float6_e3m2fn" => finite(6, 3, 3),
        "float4_e2m1fn" => finite(4, 2, 1),
        "cfloat8_1_4_3" => tesla(8, 4, take(options, "bias")?)?,
        "cfloat8_1_5_2" => tesla(8, 3, take(options, "bias")?)?,
        "shp" => tesla(16, 11, take(options, "bias")?)?,
        // TSL: specials as printed, with six exponent ones; the canonical NaN has the top mantissa bit.
        "uhp" => Format {
            infinity: Some(0xfc00),
            nans: vec![(0xfc01, 0xffff)],
            nan: Some(0xfe00),
            bottom: Bottom::Flushed,
            ..plain(16, 11, 31, false)
        },
        "custom" => custom(options, plain)?,
        _ => return None,
    })
}

fn p3109(k: u32, p: u32, kind: &str, plain: impl Fn(u32, u32, i64, bool) -> Format) -> Option<Format> {
    // At most 53 bits of precision in 64 bits of width, with 16 of the exponent.
    if !(3..=64).contains(&k) || !(1..=53).contains(&p) || k.saturating_sub(p) > 16 {
        return None;
    }
    let sign = 1u64 << (k - 1);
    let signed = |bias: i64, extended: bool| Format {
        infinity: extended.then_some(sign - 1),
        nans: vec![(sign, sign)],
        nan: Some(sign),
        ..plain(k, p, bias, true)
    };
    let unsigned = |extended: bool| {
        let last = 2 * sign - 1;
        Format {
            infinity: extended.then_some(last - 1),
            nans: vec![(last, last)],
            nan: Some(last),
            ..plain(k, p, 1 << (k - p), false)
        }
    };
    match kind {
        // §3.1: emax = 2^(K−P−1) − 1; the bias is emax + 1, but emax itself for P = 1.
        "" if p == 1 => Some(signed((1 << (k - 2)) - 1, true)),
        "" | "se" if p < k => Some(signed(1 << (k - p - 1), true)),
        "sf" if p < k => Some(signed(1 << (k - p - 1), false)),
        "ue" if p <= k && k < 64 && k - p < 16 => Some(unsigned(true)),
        "uf" if p <= k && k < 64 && k - p < 16 => Some(unsigned(false)),
        _ => None,
    }
}

fn custom(options: &mut Vec<(&str, &str)>, plain: impl Fn(u32, u32, i64, bool) -> Format) -> Option<Format> {
    let (width, precision) = (take(options, "width")?, take(options, "precision")?);
    let bias = take(options, "bias")?;
    let mut flag =
        |key: &str, otherwise: bool| take::<String>(options, key).map_or(otherwise, |v| v == "yes");
    let (signed, infinities, negative_zero) =
        (flag("signed", true), flag("infinities", false), flag("negative_zero", false));
    let nan: String = take(options, "nan").unwrap_or_default();
    let mut format = Format { negative_zero, ..plain(width, precision, bias, signed) };
    let sign = format.sign_bit();
    let top = if signed { sign - 1 } else { u64::MAX >> (64 - width) };
    // The runs of NaNs at the top of the positive codes, and the same with a sign.
    let mut at_top = |first: u64| {
        format.nans = vec![(first, top)];
        if signed {
            format.nans.push((sign + first, sign + top));
        }
    };
    let trailing = 1u64 << (precision - 1);
    let mut next_special = top;
    match nan.as_str() {
        "ieee" => {
            at_top(top - trailing + 2);
            format.nan = Some(top - trailing + 1 + trailing / 2);
            next_special = top - trailing + 1;
        }
        "all_ones" => {
            at_top(top);
            format.nan = Some(top);
            next_special = top - 1;
        }
        "negative_zero" => {
            format.nans = vec![(sign, sign)];
            format.nan = Some(sign);
        }
        _ => {}
    }
    format.infinity = infinities.then_some(next_special);
    Some(format)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(name: &str, code: u64) -> Dyadic {
        match Format::named(name).unwrap().decode(code) {
            Decoded::Finite { negative: false, magnitude } => magnitude,
            other => panic!("{name} {code:#x} is {other:?}"),
        }
    }

    /// Values printed in the sources.
    #[test]
    fn formats_have_the_values_printed_in_sources() {
        // P3109 Table 3 and Annex C's example.
        assert_eq!(value("binary8p1", 0x7e), Dyadic::power(63));
        assert_eq!(value("binary8p1", 1), Dyadic::power(-62));
        assert_eq!(value("binary8p3", 0x7e), Dyadic::new(49152, 0));
        assert_eq!(value("binary8p4", 0x0b), Dyadic::new(0b1011, -10));
        assert_eq!(value("binary8p7", 0x7e), Dyadic::new(63, -5));
        assert_eq!(value("binary8p1se", 0x40), Dyadic::power(0));
        // TSL Tables 4 and 5 and the list of denormals.
        assert_eq!(value("cfloat8_1_4_3@bias=0", 0x7f), Dyadic::new(15, 12));
        assert_eq!(value("cfloat8_1_4_3@bias=0", 0x07), Dyadic::new(7, -3));
        assert_eq!(value("cfloat8_1_4_3@bias=0", 0x08), Dyadic::power(1));
        assert_eq!(value("cfloat8_1_5_2@bias=63", 0x7f), Dyadic::new(7, -34));
        // RFC's tables.
        assert_eq!(value("float8_e4m3fn", 0x7e), Dyadic::new(448, 0));
        assert_eq!(value("float8_e4m3fnuz", 0x7f), Dyadic::new(240, 0));
        assert_eq!(value("float8_e5m2fnuz", 0x7f), Dyadic::new(57344, 0));
        assert_eq!(value("float8_e5m2", 0x7b), Dyadic::new(57344, 0));
        assert_eq!(value("f16", 0x7bff), Dyadic::new(65504, 0));
        assert_eq!(value("float4_e2m1fn", 7), Dyadic::new(6, 0));
        assert_eq!(value("float6_e3m2fn", 0x1f), Dyadic::new(28, 0));
        assert_eq!(value("float6_e2m3fn", 0x1f), Dyadic::new(15, -1));
    }

    #[test]
    fn value_lists_are_sorted() {
        for name in
            ["binary8p1", "cfloat8_1_5_2@bias=7", "uhp", "shp@bias=31", "float8_e8m0fnu", "binary6p6uf"]
        {
            let format = Format::named(name).unwrap();
            for i in 0..format.finite_count() {
                assert!(format.rung(i).1 < format.rung(i + 1).1, "{name} {i}");
            }
        }
    }

    #[test]
    fn unknown_format_names_are_errors() {
        for name in [
            "binary2p1",
            "binary8p8",
            "binary17p0",
            "binary64p47se",
            "binary64p53ue",
            "binary20p4uf",
            "cfloat8_1_4_3",
            "cfloat8_1_4_3@bias=64",
            "f7",
            "f16@x=1",
        ] {
            assert!(Format::named(name).is_err(), "{name}");
        }
    }
}
