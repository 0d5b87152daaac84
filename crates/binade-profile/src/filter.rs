//! The choice of the objects and functions that are changed.
//!
//! Emulating every multiply-add breaks programs that compute more than tensors with them: elementary functions reduce
//! their arguments by exact tricks, and transforms of random numbers take logarithms of them. So the C library and its
//! elementary functions, vector mathematics, cryptography and random number code are left alone unless `--only` names them.

use binade_glob::{Glob, GlobError};
use regex_lite::Regex;
use thiserror::Error;

use crate::config::Config;
use crate::rules::Pattern;

/// The reason for functions that `--skip-functions` names.
pub const SKIP_FUNCTIONS: &str = "--skip-functions";

/// The reason for libraries of elementary functions.
const ELEMENTARY: &str = "elementary functions";

/// Objects that are left alone by default, with what they are.
pub const DEFAULT_SKIPS: &[(&str, &str)] = &[
    ("ld-linux*", "the dynamic linker"),
    ("libc.so*", "the C library"),
    ("libm.so*", ELEMENTARY),
    ("libm-*.so", ELEMENTARY),
    ("libmvec*", ELEMENTARY),
    ("libsleef*", ELEMENTARY),
    ("libimf.so*", ELEMENTARY),
    ("libsvml*.so*", ELEMENTARY),
    ("libjsvml*", ELEMENTARY),
    ("libmkl_vml_*", ELEMENTARY),
    ("libamdlibm*", ELEMENTARY),
    ("libalm.so*", ELEMENTARY),
    ("libalmfast.so*", ELEMENTARY),
    ("libquadmath*", ELEMENTARY),
    ("libgcc_s.so*", "compiler support"),
    ("libstdc++.so*", "compiler support"),
    ("libcrypto*", "cryptography"),
    ("libssl*", "cryptography"),
    ("*/numpy/random/*", "random numbers"),
    ("libcurand*", "random numbers"),
];

/// Functions that are left alone by default, by their symbols.
///
/// The libraries of vector mathematics, in this order: SLEEF, libmvec, SVML with its variants (OpenCL's among them), the one of
/// Java's Vector API, MKL's vector mathematics and random numbers, Intel's libm, AMD's library.
pub const DEFAULT_FUNCTION_SKIPS: &str = concat!(
    "Sleef_|^_ZGV[bcde]|_svml_|^__jsvml_|^mkl_vml_|^mkl_vsl_|^__libm_|^(amd|__amd|_)*_?vr[sd][a0-9]+_|^alm_|",
    "[Rr]andom|normal_fill|[Pp]hilox|[Tt]hreefry|mt19937|bernoulli|multinomial"
);

/// The error of a filter.
#[derive(Debug, Error)]
pub enum FilterError {
    /// A pattern.
    #[error("the pattern '{pattern}' is not understood: {reason}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// The mistake in it.
        reason: GlobError,
    },
    /// A regular expression.
    #[error("{option} '{pattern}' is not a regular expression: {message}")]
    Functions {
        /// The option that has the pattern.
        option: &'static str,
        /// The pattern.
        pattern: String,
        /// The mistake in it.
        message: String,
    },
}

/// True if a pattern matches an object's path, or the file name in it.
fn matches(glob: &Glob, path: &str) -> bool {
    glob.matches(path) || path.rsplit('/').next().is_some_and(|name| glob.matches(name))
}

/// True if a pattern, or a complement such as `!libx*`, fits an object's path or the file name in it; false for a text that is no
/// pattern.
pub fn names(pattern: &str, path: &str) -> bool {
    Pattern::read(pattern).is_ok_and(|pattern| pattern.fits_path(path))
}

/// A regular expression, or its complement after `!`.
#[derive(Debug)]
struct Symbols {
    regex: Regex,
    complement: bool,
}

impl Symbols {
    fn read(option: &'static str, pattern: &str) -> Result<Symbols, FilterError> {
        let (complement, text) = pattern.strip_prefix('!').map_or((false, pattern), |text| (true, text));
        let wrong = |error: regex_lite::Error| FilterError::Functions {
            option,
            pattern: pattern.to_owned(),
            message: error.to_string(),
        };
        Ok(Symbols { regex: Regex::new(text).map_err(wrong)?, complement })
    }

    /// True if a function is chosen. A complement chooses functions without a symbol, too.
    fn choose(&self, symbol: Option<&str>) -> bool {
        symbol.is_some_and(|symbol| self.regex.is_match(symbol)) != self.complement
    }
}

/// The choice of objects and functions of a run.
#[derive(Debug)]
pub struct Filter {
    only: Vec<Pattern>,
    skip: Vec<Pattern>,
    default_skips: Vec<(Glob, &'static str)>,
    functions: Option<Symbols>,
    skip_functions: Option<Symbols>,
    default_function_skips: Regex,
}

impl Filter {
    /// # Errors
    /// A pattern that is not one, or a regular expression that is not one.
    pub fn new(config: &Config) -> Result<Filter, FilterError> {
        let wrong = |pattern: &str, reason| FilterError::Pattern { pattern: pattern.to_owned(), reason };
        let patterns = |patterns: &[String]| {
            let read = |text: &String| Pattern::read(text).map_err(|reason| wrong(text, reason));
            patterns.iter().map(read).collect::<Result<Vec<Pattern>, FilterError>>()
        };
        let glob = |pattern: &str| pattern.parse::<Glob>().map_err(|reason| wrong(pattern, reason));
        let default_skips = DEFAULT_SKIPS.iter().map(|&(pattern, what)| Ok((glob(pattern)?, what)));
        let symbols = |option, pattern: &Option<String>| {
            pattern.as_ref().map(|pattern| Symbols::read(option, pattern)).transpose()
        };
        Ok(Filter {
            only: patterns(&config.only)?,
            skip: patterns(&config.skip)?,
            default_skips: default_skips.collect::<Result<_, FilterError>>()?,
            functions: symbols("--functions", &config.functions)?,
            skip_functions: symbols(SKIP_FUNCTIONS, &config.skip_functions)?,
            default_function_skips: Regex::new(DEFAULT_FUNCTION_SKIPS).expect("a constant expression"),
        })
    }

    /// The reason for which an object stays native, if it does. An object that `only` names never does so by default; a complement
    /// names no object.
    pub fn object(&self, path: &str) -> Option<String> {
        if self.skip.iter().any(|pattern| pattern.fits_path(path)) {
            return Some("--skip".to_owned());
        }
        if self.is_named(path) {
            return None;
        }
        if !self.only.is_empty() && !self.only.iter().any(|pattern| pattern.fits_path(path)) {
            return Some("--only".to_owned());
        }
        let (_, what) = self.default_skips.iter().find(|(glob, _)| matches(glob, path))?;
        Some(format!("by default: {what}"))
    }

    /// True if `only` has a pattern for an object that is not a complement.
    fn is_named(&self, path: &str) -> bool {
        self.only.iter().any(|pattern| !pattern.is_complement() && pattern.fits_path(path))
    }

    /// True if `only` names an object that is all elementary functions, so that they are asked for.
    pub fn is_named_elementary(&self, path: &str) -> bool {
        let elementary = |(glob, what): &(Glob, &str)| *what == ELEMENTARY && matches(glob, path);
        self.is_named(path) && self.object(path).is_none() && self.default_skips.iter().any(elementary)
    }

    /// True if an object is left alone by default since it is all elementary functions.
    pub fn is_elementary(&self, path: &str) -> bool {
        let elementary = |(glob, what): &(Glob, &str)| *what == ELEMENTARY && matches(glob, path);
        let by_default = self.object(path).is_some_and(|why| why.starts_with("by default"));
        by_default && self.default_skips.iter().any(elementary)
    }

    /// True unless `--functions` names functions. By default some are left alone; a complement names none.
    pub fn by_default(&self) -> bool {
        self.functions.as_ref().is_none_or(|functions| functions.complement)
    }

    /// True if functions are chosen by their symbols, so that those of generated code are needed.
    pub fn needs_symbols(&self) -> bool {
        self.functions.is_some() || self.skip_functions.is_some()
    }

    /// The reason for which a function of a chosen object stays native, if it does: by its symbol, or `None` if it has none.
    pub fn function(&self, symbol: Option<&str>) -> Option<&'static str> {
        if self.skip_functions.as_ref().is_some_and(|functions| functions.choose(symbol)) {
            return Some(SKIP_FUNCTIONS);
        }
        if let Some(functions) = &self.functions {
            if !functions.choose(symbol) {
                return Some("--functions");
            }
            if !functions.complement {
                return None;
            }
        }
        symbol
            .is_some_and(|symbol| self.default_function_skips.is_match(symbol))
            .then_some("by default: random numbers and elementary functions")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(only: &[&str], skip: &[&str], functions: Option<&str>) -> Filter {
        let texts = |patterns: &[&str]| patterns.iter().map(|&pattern| pattern.to_owned()).collect();
        let config = Config {
            only: texts(only),
            skip: texts(skip),
            functions: functions.map(str::to_owned),
            ..Config::default()
        };
        Filter::new(&config).unwrap()
    }

    #[test]
    fn globs_match_paths_and_file_names() {
        let glob = |pattern: &str| pattern.parse::<Glob>().unwrap();
        assert!(matches(&glob("lib?las*.so"), "/usr/lib/libblas.so"));
        assert!(matches(&glob("lib?las*.so"), "libblas64.1.so"));
        assert!(!matches(&glob("lib?las*.so"), "/usr/lib/libblas.so.3"));
        assert!(matches(&glob("*/numpy/*"), "/usr/lib/numpy/core.so"));
        let unclosed = Filter::new(&Config { skip: vec!["lib[".into()], ..Config::default() });
        assert!(matches!(unclosed, Err(FilterError::Pattern { reason: GlobError::Class, .. })));
    }

    #[test]
    fn only_names_and_defaults_leave_alone() {
        let all = filter(&[], &[], None);
        assert_eq!(all.object("/lib/libblas.so.3"), None);
        assert_eq!(all.object("/lib/libm.so.6").as_deref(), Some("by default: elementary functions"));
        assert_eq!(all.object("/x/numpy/random/mtrand.so").as_deref(), Some("by default: random numbers"));
        let named = filter(&["libm.so*"], &[], None);
        assert_eq!(named.object("/lib/libm.so.6"), None);
        assert!(named.is_named_elementary("/lib/libm.so.6"));
        assert!(!all.is_named_elementary("/lib/libm.so.6"));
        for library in [
            "libm.so.6",
            "libmvec.so.1",
            "libsleef.so.3",
            "libmkl_vml_avx2.so.2",
            "libjsvml.so",
            "libamdlibm.so",
            "libalm.so",
            "libsvml.so",
        ] {
            assert!(all.is_elementary(library), "{library}");
            assert!(!filter(&[library], &[], None).is_elementary(library), "{library}");
            assert!(!filter(&[], &[library], None).is_elementary(library), "{library}");
        }
        assert!(!all.is_elementary("libmkl_avx2.so.2") && !all.is_elementary("libcrypto.so.3"));
        assert!(!filter(&["*"], &[], None).is_named_elementary("/lib/libblas.so.3"));
        assert_eq!(named.object("/lib/libblas.so.3").as_deref(), Some("--only"));
        let skipped = filter(&["*"], &["*blas*"], None);
        assert_eq!(skipped.object("/lib/libblas.so.3").as_deref(), Some("--skip"));
    }

    #[test]
    fn functions_are_chosen_by_symbol() {
        let all = filter(&[], &[], None);
        assert_eq!(all.function(Some("sgemm_kernel")), None);
        assert_eq!(all.function(None), None);
        for elementary in [
            "Sleef_expf8_u10",
            "_ZGVdN8v_expf",
            "__svml_tanf8_l9",
            "__ocl_svml_l9_exp2f8",
            "__jsvml_tanf16_ha_z0",
            "mkl_vml_kernel_sTan_Z0HAynn",
            "mkl_vsl_sub_kernel_l9_vsRngUniform",
            "__libm_sincosf_l9",
            "amd_vrs8_expf",
            "__vrs4_logf",
            "__amd_vrd4_exp",
            "vrsa_expf",
            "alm_vrs8_tanf_zn4",
        ] {
            assert!(all.function(Some(elementary)).is_some(), "{elementary}");
        }
        for other in ["mkl_blas_avx2_sgemm_kernel", "vrsqrt", "svrs4", "my_vrs4_sum", "amd_sgemm"] {
            assert_eq!(all.function(Some(other)), None, "{other}");
        }
        let chosen = filter(&[], &[], Some("^sgemm"));
        assert_eq!(chosen.function(Some("sgemm_kernel")), None);
        assert_eq!(chosen.function(Some("dgemm_kernel")), Some("--functions"));
        assert_eq!(chosen.function(None), Some("--functions"));
        assert!(Filter::new(&Config { functions: Some("(".into()), ..Config::default() }).is_err());
    }

    #[test]
    fn functions_are_skipped_and_complemented() {
        let config = Config { skip_functions: Some("^sgemm".into()), ..Config::default() };
        let others = Filter::new(&config).unwrap();
        assert_eq!(others.function(Some("sgemm_kernel")), Some("--skip-functions"));
        assert_eq!((others.function(Some("dgemm")), others.function(None)), (None, None));
        assert!(others.function(Some("Sleef_expf8_u10")).is_some(), "the defaults stay");
        let complement = filter(&[], &[], Some("!^sgemm"));
        assert_eq!(complement.function(Some("sgemm_kernel")), Some("--functions"));
        assert_eq!((complement.function(Some("dgemm")), complement.function(None)), (None, None));
        assert!(complement.by_default() && complement.function(Some("Sleef_expf8_u10")).is_some());
        let wrong = Filter::new(&Config { skip_functions: Some("(".into()), ..Config::default() });
        assert!(wrong.unwrap_err().to_string().starts_with("--skip-functions '(' is not"));
    }

    #[test]
    fn complement_of_an_object_leaves_the_defaults() {
        let others = filter(&["!libblas*"], &[], None);
        assert_eq!(others.object("/lib/libblas.so.3").as_deref(), Some("--only"));
        assert_eq!(others.object("/bin/x"), None);
        assert_eq!(others.object("/lib/libm.so.6").as_deref(), Some("by default: elementary functions"));
        assert!(!others.is_named_elementary("/lib/libm.so.6"));
        assert_eq!(filter(&[], &["!libblas*"], None).object("/bin/x").as_deref(), Some("--skip"));
    }
}
