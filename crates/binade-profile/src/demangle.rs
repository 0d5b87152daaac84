//! Names of C++ and Rust functions as their sources spell them, for summaries and reports.

use std::borrow::Cow;

use cpp_demangle::{DemangleOptions, Symbol};

/// The name behind a mangled symbol, without a C++ function's return type and a Rust function's hash. Other symbols are names
/// already.
pub fn demangle(symbol: &str) -> Cow<'_, str> {
    if let Ok(rust) = rustc_demangle::try_demangle(symbol) {
        return Cow::Owned(format!("{rust:#}"));
    }
    if !symbol.starts_with("_Z") {
        return Cow::Borrowed(symbol);
    }
    let options = DemangleOptions::new().no_return_type();
    let name = Symbol::new(symbol).ok().and_then(|parsed| parsed.demangle_with_options(&options).ok());
    name.map_or(Cow::Borrowed(symbol), Cow::Owned)
}

/// The names of a mangled symbol's function in its source: that of [`demangle`], and for C++ the one without parameters, such as
/// `ns::f` of `ns::f(int)`. None for symbols that are names already.
pub fn source_names(symbol: &str) -> Vec<String> {
    let Cow::Owned(name) = demangle(symbol) else { return Vec::new() };
    let options = DemangleOptions::new().no_return_type().no_params();
    let bare = match rustc_demangle::try_demangle(symbol) {
        Ok(_) => None,
        Err(_) => Symbol::new(symbol).ok().and_then(|parsed| parsed.demangle_with_options(&options).ok()),
    };
    std::iter::once(name).chain(bare).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn demangle_cpp_symbol_is_source_name() {
        assert_eq!(demangle("_ZN2at6native4gemmEPKfi"), "at::native::gemm(float const*, int)");
        assert_eq!(demangle("_Z3dotIfET_PKS0_"), "dot<float>(float const*)");
        assert_eq!(demangle("_ZL6kernelPf.cold"), "kernel(float*) [clone .cold]");
    }

    #[test]
    fn source_names_are_with_and_without_parameters() {
        assert_eq!(
            source_names("_ZN2at6native4gemmEPKfi"),
            ["at::native::gemm(float const*, int)", "at::native::gemm"]
        );
        assert_eq!(source_names("_Z3dotIfET_PKS0_"), ["dot<float>(float const*)", "dot<float>"]);
        assert_eq!(source_names("_ZN4faer4gemm17h0123456789abcdefE"), ["faer::gemm"]);
        assert_eq!(source_names("sgemm"), [""; 0]);
    }

    #[test]
    fn demangle_rust_symbol_has_no_hash() {
        assert_eq!(demangle("_ZN4faer4gemm17h0123456789abcdefE"), "faer::gemm");
        assert_eq!(demangle("_RNvC4faer4gemm"), "faer::gemm");
    }

    #[test]
    fn demangle_other_symbol_is_unchanged() {
        for symbol in ["sgemm_kernel", "_ZGVdN8v_expf", "_Z", "_ZN", "_Zé", "", "main"] {
            assert_eq!(demangle(symbol), symbol);
        }
    }

    /// A symbol may be damaged, or nest deeper than any compiler makes it.
    #[test]
    fn demangle_damaged_symbol_returns() {
        let symbol = "_ZN2at6native4gemmIfLi4EEEvPKT_iRKSt6vectorIS2_SaIS2_EE";
        for end in 0..symbol.len() {
            let _ = demangle(&symbol[..end]);
        }
        let _ = demangle(&format!("_Z1f{}i", "P".repeat(100_000)));
    }
}
