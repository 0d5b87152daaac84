//! Format names with options: `NAME[@key=value[,key=value…]]`.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;
use thiserror::Error;

use crate::block::{self, BlockFormat, Element};
use crate::catalog::{Bias, ENTRIES, Edition, Entry, P3109};
use crate::format::{Fields, Format, FormatError, NanCodes, Subnormals};
use crate::lazy::Lazy;
use crate::text::edit_distance;

/// A format with the name that the user gave.
///
/// Two names may denote one format. `binary8p3` and `binary8p3se` are equal as [`Format`]s, but belong to different
/// editions of P3109, whose operations differ ([`crate::project_in`], [`crate::Operation::evaluate`]).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Spec {
    /// The format.
    pub format: Format,
    /// The edition of P3109 that the name selects: 4.0 for names of 4.0, otherwise 0.9.1.
    pub edition: Edition,
    name: String,
}

impl Spec {
    /// The canonical name: lower case, aliases resolved, options in a fixed order.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The edition for an operation on formats of these names: 4.0 if any name is of 4.0.
    pub fn edition_of<'a>(names: impl IntoIterator<Item = &'a Spec>) -> Edition {
        match names.into_iter().any(|spec| spec.edition == Edition::V4) {
            true => Edition::V4,
            false => Edition::Interim,
        }
    }

    /// Every listed format, those with a configurable bias at `bias`.
    pub fn all(bias: i32) -> impl Iterator<Item = Spec> {
        let entries = ENTRIES.iter().map(move |entry| Spec::of_entry(entry, bias, None));
        entries.chain(P3109::all().filter_map(Spec::of_p3109))
    }

    /// The format of a block's elements under its own name; for integers, [their grid](Element::grid).
    pub fn of_elements(element: Element) -> Spec {
        Spec { format: element.grid(), edition: Edition::Interim, name: format!("{element}") }
    }

    fn of_entry(entry: &Entry, bias: i32, subnormals: Option<Subnormals>) -> Spec {
        let mut format = entry.format(bias);
        let mut options = vec![];
        if entry.bias == Bias::Configurable {
            options.push(format!("bias={bias}"));
        }
        if let Some(changed) = subnormals.filter(|&rule| rule != format.subnormals())
            && let Ok(variant) = format.with_subnormals(changed)
        {
            format = variant;
            options.push(format!("subnormals={}", changed.name()));
        }
        let mut name = entry.name.to_owned();
        if !options.is_empty() {
            name.push('@');
            name.push_str(&options.join(","));
        }
        Spec { format, edition: Edition::Interim, name }
    }

    fn of_p3109(member: P3109) -> Option<Spec> {
        Some(Spec { format: member.format()?, edition: member.edition, name: member.name() })
    }

    /// Splits a comma-separated list of format names; a piece `key=value` continues the options of the name before.
    pub fn split_list(list: &str) -> Vec<&str> {
        let mut names = vec![];
        let mut start = 0;
        for (comma, _) in list.match_indices(',') {
            let next = list[comma + 1..].split(',').next().unwrap_or("");
            let continues = next.contains('=') && !next.contains('@') && list[start..comma].contains('@');
            if !continues {
                names.push(&list[start..comma]);
                start = comma + 1;
            }
        }
        names.push(&list[start..]);
        names
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// An error in a format name.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SpecError {
    /// No format of this name.
    #[error("unknown format '{name}'{}", nearest_text(.nearest))]
    Unknown {
        /// The name.
        name: String,
        /// The known names nearest to it.
        nearest: Vec<String>,
    },
    /// The name of a block format, whose values need a scale.
    #[error(
        "unknown format '{name}': it is a block format, {elements}; `binade quantize --format` and `binade matmul --in` take {name}"
    )]
    Block {
        /// The name.
        name: String,
        /// Its elements, which can be named instead.
        elements: String,
    },
    /// A P3109 name whose numbers are out of range.
    #[error("{name} does not exist: P3109 formats have 3 ≤ K and 1 ≤ P ≤ {}", if *.signed {"K − 1"} else {"K"})]
    P3109Range {
        /// The name.
        name: String,
        /// True if the name is of a signed format.
        signed: bool,
    },
    /// A P3109 name of a format that is too large.
    #[error(
        "{name} is out of reach: {} formats go to K ≤ {}, P ≤ {} and K − P ≤ {}",
        if *.signed {"signed"} else {"unsigned"},
        Format::MOST_WIDTH - !*.signed as u32,
        Format::MOST_PRECISION,
        Format::MOST_EXPONENT_BITS - !*.signed as u32
    )]
    P3109Beyond {
        /// The name.
        name: String,
        /// True if the name is of a signed format.
        signed: bool,
    },
    /// A configurable bias is missing.
    #[error("{name} needs its exponent bias, 0 to 63: for example {name}@bias=7")]
    BiasMissing {
        /// The format's name.
        name: &'static str,
    },
    /// A configurable bias is out of range.
    #[error("{name}: bias={value} is out of range: 0 to 63")]
    BiasRange {
        /// The format's name.
        name: &'static str,
        /// The bias given.
        value: String,
    },
    /// An option that this name does not have.
    #[error("{name} takes no option '{key}': {allowed}")]
    Option {
        /// The format's name.
        name: String,
        /// The option.
        key: String,
        /// The options that it has.
        allowed: &'static str,
    },
    /// An option given twice.
    #[error("option '{key}' is given twice")]
    Twice {
        /// The option.
        key: String,
    },
    /// A piece that is not `key=value`.
    #[error("'{piece}' is not an option: options are written key=value")]
    NotAnOption {
        /// The piece.
        piece: String,
    },
    /// A value that the option does not have.
    #[error("{key}={value} is not understood: {key} is {expected}")]
    OptionValue {
        /// The option.
        key: &'static str,
        /// The value.
        value: String,
        /// The possible values.
        expected: &'static str,
    },
    /// A custom format without a required option.
    #[error(
        "custom needs {key}=…: for example custom@width=6,precision=3,bias=3,infinities=no,nan=none,negative_zero=yes"
    )]
    Missing {
        /// The option.
        key: &'static str,
    },
    /// Fields that contradict each other.
    #[error(transparent)]
    Format(#[from] FormatError),
}

fn nearest_text(names: &[String]) -> String {
    match names {
        [] => ": `binade formats` lists all".to_owned(),
        _ => format!(": did you mean {}?", names.join(" or ")),
    }
}

impl NanCodes {
    const NAMES: [(&'static str, NanCodes); 4] = [
        ("none", NanCodes::None),
        ("ieee", NanCodes::Ieee),
        ("all_ones", NanCodes::AllOnes),
        ("negative_zero", NanCodes::NegativeZero),
    ];

    /// The name in options: `none`, `ieee`, `all_ones`, `negative_zero`.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, codes)| *codes == self).map_or("", |(name, _)| name)
    }
}

impl Subnormals {
    const NAMES: [(&'static str, Subnormals); 4] = [
        ("ieee", Subnormals::Ieee),
        ("tesla", Subnormals::Tesla),
        ("flush", Subnormals::Flush),
        ("none", Subnormals::None),
    ];

    /// The name in options: `ieee`, `tesla`, `flush`, `none`.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, rule)| *rule == self).map_or("", |(name, _)| name)
    }
}

const YES_NO: [(&str, bool); 2] = [("yes", true), ("no", false)];

/// The error for a block format's name in place of a format's.
fn of_blocks(name: &str) -> Option<SpecError> {
    let &(name, element, scale, (down, across), _) = block::named(name)?;
    let size = if down == 1 { format!("{across}") } else { format!("{down} × {across}") };
    let elements = match element {
        "mxint8" => format!(
            "integers of 8 bits with a scale of {scale} for {size} of them; `binade encode`, `decode` and `table` take one, int8, by itself"
        ),
        _ => format!(
            "elements with a scale of {scale} for {size} of them: name its elements, {element}, for single values"
        ),
    };
    Some(SpecError::Block { name: name.to_owned(), elements })
}

/// Options that are not used yet.
struct Options<'a> {
    pairs: Vec<(String, &'a str)>,
}

impl<'a> Options<'a> {
    fn parse(text: Option<&'a str>) -> Result<Options<'a>, SpecError> {
        let mut pairs: Vec<(String, &str)> = vec![];
        for piece in text.into_iter().flat_map(|t| t.split(',')) {
            let Some((key, value)) = piece.split_once('=') else {
                return Err(SpecError::NotAnOption { piece: piece.to_owned() });
            };
            let key = key.trim().to_ascii_lowercase();
            if pairs.iter().any(|(known, _)| *known == key) {
                return Err(SpecError::Twice { key });
            }
            pairs.push((key, value.trim()));
        }
        Ok(Options { pairs })
    }

    fn take(&mut self, key: &str) -> Option<&'a str> {
        let at = self.pairs.iter().position(|(known, _)| known == key)?;
        Some(self.pairs.remove(at).1)
    }

    fn word<T: Copy>(
        &mut self,
        key: &'static str,
        words: &[(&str, T)],
        expected: &'static str,
    ) -> Result<Option<T>, SpecError> {
        let Some(value) = self.take(key) else { return Ok(None) };
        match words.iter().find(|(word, _)| word.eq_ignore_ascii_case(value)) {
            Some((_, meaning)) => Ok(Some(*meaning)),
            None => Err(SpecError::OptionValue { key, value: value.to_owned(), expected }),
        }
    }

    fn subnormals(&mut self) -> Result<Option<Subnormals>, SpecError> {
        self.word("subnormals", &Subnormals::NAMES, "ieee, tesla, flush or none")
    }

    fn number<T: FromStr>(&mut self, key: &'static str) -> Result<Option<T>, SpecError> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let expected = "a whole number";
        value.parse().map(Some).map_err(|_| SpecError::OptionValue { key, value: value.to_owned(), expected })
    }

    fn done(self, name: &str, allowed: &'static str) -> Result<(), SpecError> {
        match self.pairs.into_iter().next() {
            None => Ok(()),
            Some((key, _)) => Err(SpecError::Option { name: name.to_owned(), key, allowed }),
        }
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        let (name, options) = match text.split_once('@') {
            Some((name, options)) => (name, Some(options)),
            None => (text, None),
        };
        let name = name.trim();
        if let Some(error) = of_blocks(name) {
            return Err(error);
        }
        let mut options = Options::parse(options)?;
        if name.eq_ignore_ascii_case("custom") {
            return custom(options);
        }
        let named = |entry: &&Entry| {
            entry.name.eq_ignore_ascii_case(name)
                || entry.aliases.iter().any(|a| a.eq_ignore_ascii_case(name))
        };
        if let Some(entry) = ENTRIES.iter().find(named) {
            let bias = match entry.bias {
                Bias::Fixed(bias) => bias,
                Bias::Configurable => {
                    let value = options.take("bias").ok_or(SpecError::BiasMissing { name: entry.name })?;
                    match value.parse() {
                        Ok(bias) if Bias::RANGE.contains(&bias) => bias,
                        _ => return Err(SpecError::BiasRange { name: entry.name, value: value.to_owned() }),
                    }
                }
            };
            let subnormals = options.subnormals()?;
            options.done(
                entry.name,
                match entry.bias {
                    Bias::Fixed(_) => {
                        "it takes subnormals=ieee|tesla|flush|none; custom@… makes any other format"
                    }
                    Bias::Configurable => "it takes bias=0…63 and subnormals=ieee|tesla|flush|none",
                },
            )?;
            if let Some(rule) = subnormals {
                entry.format(bias).with_subnormals(rule)?;
            }
            return Ok(Spec::of_entry(entry, bias, subnormals));
        }
        let lower = name.to_ascii_lowercase();
        if let Some(member) = P3109::parse(&lower) {
            options.done(&lower, "P3109 formats take none; custom@… makes any other format")?;
            let signed = member.signed;
            return Spec::of_p3109(member).ok_or(match member.is_defined() {
                true => SpecError::P3109Beyond { name: lower, signed },
                false => SpecError::P3109Range { name: lower, signed },
            });
        }
        Err(SpecError::Unknown { nearest: nearest(&lower), name: name.to_owned() })
    }
}

fn custom(mut options: Options<'_>) -> Result<Spec, SpecError> {
    let missing = |key| SpecError::Missing { key };
    let width = options.number("width")?.ok_or(missing("width"))?;
    let precision = options.number("precision")?.ok_or(missing("precision"))?;
    let bias = options.number("bias")?.ok_or(missing("bias"))?;
    let signed = options.word("signed", &YES_NO, "yes or no")?.unwrap_or(true);
    let infinities = options.word("infinities", &YES_NO, "yes or no")?.unwrap_or(false);
    let nan = options
        .word("nan", &NanCodes::NAMES, "none, ieee, all_ones or negative_zero")?
        .unwrap_or(NanCodes::None);
    let subnormals = options.subnormals()?.unwrap_or(Subnormals::Ieee);
    let negative_zero = options
        .word("negative_zero", &YES_NO, "yes or no")?
        .unwrap_or(signed && nan != NanCodes::NegativeZero && subnormals != Subnormals::None);
    options.done(
        "custom",
        "it takes width, precision, bias, signed, infinities, nan, negative_zero and subnormals",
    )?;
    let format =
        Format::new(Fields { width, precision, bias, signed, infinities, nan, negative_zero, subnormals })?;
    Ok(Spec { format, edition: Edition::Interim, name: custom_name(&format) })
}

fn custom_name(format: &Format) -> String {
    let yes_no = |yes| if yes { "yes" } else { "no" };
    format!(
        "custom@width={},precision={},bias={},signed={},infinities={},nan={},negative_zero={},subnormals={}",
        format.width(),
        format.precision(),
        format.bias(),
        yes_no(format.signed()),
        yes_no(format.infinities()),
        format.nan().name(),
        yes_no(format.negative_zero()),
        format.subnormals().name(),
    )
}

/// Writes the first name of the format, or its fields as a custom format.
impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for entry in ENTRIES {
            let bias = match entry.bias {
                Bias::Fixed(bias) => bias,
                Bias::Configurable if Bias::RANGE.contains(&self.bias()) => self.bias(),
                Bias::Configurable => continue,
            };
            let plain = entry.format(bias);
            let variant = plain.with_subnormals(self.subnormals());
            // Variants are named after Tesla's formats, whose source defines them.
            let named = plain == *self || (entry.source.starts_with("TSL") && variant == Ok(*self));
            if named {
                return f.write_str(&Spec::of_entry(entry, bias, Some(self.subnormals())).name);
            }
        }
        match P3109::of(self) {
            Some(member) => f.write_str(&member.name()),
            None => f.write_str(&custom_name(self)),
        }
    }
}

/// Width names that several formats share, with the formats that are usually meant.
const FAMILIES: [(&[&str], &[&str]); 3] = [
    (&["fp8", "f8", "float8"], &["float8_e4m3fn", "float8_e5m2"]),
    (&["fp6", "f6", "float6"], &["float6_e2m3fn", "float6_e3m2fn"]),
    (&["fp4", "float4"], &["float4_e2m1fn"]),
];

/// Up to three known names within an edit distance of a third of the name's length, or the members of a family of
/// formats.
fn nearest(name: &str) -> Vec<String> {
    if let Some((_, meant)) = FAMILIES.iter().find(|(names, _)| names.contains(&name)) {
        return meant.iter().map(|&name| name.to_owned()).collect();
    }
    /// Spelling in lower case, and the name that it denotes.
    static KNOWN: Lazy<Vec<(String, String)>> = Lazy::new(|| {
        let entries = ENTRIES.iter().flat_map(|entry| {
            let spellings = core::iter::once(entry.name).chain(entry.aliases.iter().copied());
            spellings.map(|spelling| (spelling.to_ascii_lowercase(), entry.name.to_owned()))
        });
        let blocks = BlockFormat::names().map(|name| (name.to_owned(), name.to_owned()));
        entries.chain(P3109::all().map(|member| (member.name(), member.name()))).chain(blocks).collect()
    });
    // The members of a family's name, such as mxfp8.
    let family: Vec<String> = BlockFormat::names()
        .filter(|known| known.split('_').next() == Some(name))
        .map(str::to_owned)
        .collect();
    if !family.is_empty() {
        return family;
    }
    let length = name.chars().count();
    let most = (length / 3).max(1);
    let mut ranked: Vec<(usize, &str)> = KNOWN
        .iter()
        // The lengths alone require this many edits.
        .filter(|(spelling, _)| spelling.len().abs_diff(length) <= most)
        .map(|(spelling, name_of)| (edit_distance(name, spelling), name_of.as_str()))
        .filter(|(distance, _)| *distance <= most)
        .collect();
    ranked.sort_by_key(|(distance, _)| *distance);
    let mut names: Vec<String> = vec![];
    for (_, candidate) in ranked {
        if names.len() < 3 && names.iter().all(|known| known != candidate) {
            names.push(candidate.to_owned());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        text.parse::<Spec>().unwrap_err().to_string()
    }

    #[test]
    fn names_of_all_formats_round_trip() {
        let wide = [17, 20, 24, 32, 48, 63, 64].into_iter().flat_map(|width| {
            let ends = [width.max(17) - 16, width - 1].map(|precision| precision.min(53));
            ["", "se", "sf", "ue", "uf"].into_iter().flat_map(move |kind| {
                ends.into_iter()
                    .filter_map(move |precision| format!("binary{width}p{precision}{kind}").parse().ok())
            })
        });
        let wide: Vec<Spec> = wide.collect();
        // Eight of each width, unsigned ones with one exponent bit less; there is no unsigned one of 64 bits.
        assert_eq!(wide.len(), 54);
        for spec in Spec::all(7).chain(wide) {
            let again: Spec = spec.name().to_uppercase().replace("BIAS", "bias").parse().unwrap();
            assert_eq!(again, spec);
            let shown: Spec = spec.format.to_string().parse().unwrap();
            assert_eq!(shown.format, spec.format, "{spec}");
        }
        for entry in ENTRIES {
            for alias in entry.aliases {
                let suffix = if entry.bias == Bias::Configurable { "@bias=5" } else { "" };
                let spec: Spec = format!("{alias}{suffix}").parse().unwrap();
                assert_eq!(spec.format, entry.format(5), "{alias}");
            }
        }
    }

    #[test]
    fn spellings_of_all_formats_are_unique() {
        let mut seen = std::collections::HashSet::new();
        for spelling in ENTRIES.iter().flat_map(|e| core::iter::once(&e.name).chain(e.aliases)) {
            assert!(seen.insert(spelling.to_ascii_lowercase()), "{spelling} stands twice");
            assert!(P3109::parse(&spelling.to_ascii_lowercase()).is_none());
        }
    }

    #[test]
    fn options_of_names_select_variants() {
        let spec: Spec = "CFloat8_1_5_2@subnormals=IEEE,bias=20".parse().unwrap();
        assert_eq!(spec.name(), "cfloat8_1_5_2@bias=20,subnormals=ieee");
        let plain: Spec = "cfloat8_1_5_2@bias=20,subnormals=tesla".parse().unwrap();
        assert_eq!(plain.name(), "cfloat8_1_5_2@bias=20");
        let custom: Spec =
            "custom@width=6,precision=3,bias=3,infinities=no,nan=none,negative_zero=yes".parse().unwrap();
        assert_eq!(custom.format.to_string(), "float6_e3m2fn");
        assert_eq!(
            Spec::split_list("cfloat8_1_5_2@bias=20,subnormals=ieee,bf16,shp@bias=1"),
            ["cfloat8_1_5_2@bias=20,subnormals=ieee", "bf16", "shp@bias=1"]
        );
    }

    #[test]
    fn errors_of_names_say_what_would_be_right() {
        assert_eq!(error("shp"), "shp needs its exponent bias, 0 to 63: for example shp@bias=7");
        assert_eq!(error("shp@bias=64"), "shp: bias=64 is out of range: 0 to 63");
        assert_eq!(
            error("float8_e4m3fnu"),
            "unknown format 'float8_e4m3fnu': did you mean float8_e4m3fnuz or float8_e4m3fn or float8_e8m0fnu?"
        );
        assert_eq!(
            error("MXFP4"),
            "unknown format 'mxfp4': it is a block format, elements with a scale of float8_e8m0fnu for 32 of them: name its \
             elements, float4_e2m1fn, for single values; `binade quantize --format` and `binade matmul --in` take mxfp4"
        );
        for name in BlockFormat::names() {
            for text in
                [name.to_owned(), format!(" {}@rule=even", name.to_uppercase()), format!("{name}@rule")]
            {
                assert!(matches!(text.parse::<Spec>(), Err(SpecError::Block { .. })), "{text}");
            }
        }
        assert!(error("mxint8").contains("take one, int8, by itself"));
        assert!(error("deepseek_fp8").contains("for 128 × 128 of them: name its elements, float8_e4m3fn"));
        assert_eq!(error("mxfp8"), "unknown format 'mxfp8': did you mean mxfp8_e4m3 or mxfp8_e5m2?");
        assert!(error("nvfp5").contains("did you mean nvfp4"));
        assert_eq!(error("zzzzzz"), "unknown format 'zzzzzz': `binade formats` lists all");
        assert_eq!(
            error("binary8p8"),
            "binary8p8 does not exist: P3109 formats have 3 ≤ K and 1 ≤ P ≤ K − 1"
        );
        assert_eq!(
            error("binary65p60se"),
            "binary65p60se is out of reach: signed formats go to K ≤ 64, P ≤ 53 and K − P ≤ 16"
        );
        assert_eq!(
            error("binary20p4uf"),
            "binary20p4uf is out of reach: unsigned formats go to K ≤ 63, P ≤ 53 and K − P ≤ 15"
        );
        for name in ["binary17p18ue", "binary2p2uf", "binary4294967295p4294967295"] {
            assert!(error(name).contains("does not exist"), "{name}: {}", error(name));
        }
        for name in ["binary64p47", "binary60p54se", "binary4294967295p1", "binary64p53ue"] {
            assert!(error(name).contains("is out of reach"), "{name}: {}", error(name));
        }
        // A number that exceeds 32 bits.
        assert!(error("binary4294967296p1").starts_with("unknown format"));
        assert_eq!(
            error("binary2p1"),
            "binary2p1 does not exist: P3109 formats have 3 ≤ K and 1 ≤ P ≤ K − 1"
        );
        assert_eq!(
            error("bf16@bias=3"),
            "bf16 takes no option 'bias': it takes subnormals=ieee|tesla|flush|none; custom@… makes any other format"
        );
        assert_eq!(
            error("custom@width=6,precision=9,bias=0"),
            "precision 9 is out of range: 6 bits with a sign allow 1 to 5"
        );
        assert_eq!(
            error("custom@width=6"),
            "custom needs precision=…: for example custom@width=6,precision=3,bias=3,infinities=no,nan=none,negative_zero=yes"
        );
        assert_eq!(
            error("uhp@subnormals=maybe"),
            "subnormals=maybe is not understood: subnormals is ieee, tesla, flush or none"
        );
        assert_eq!(error("shp@bias=1,bias=2"), "option 'bias' is given twice");
        assert_eq!(error("shp@bias"), "'bias' is not an option: options are written key=value");
    }
}
