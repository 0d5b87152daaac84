//! The program's own file and path.

/// The program's own file, whatever has become of its path.
pub(crate) const FILE: &str = "/proc/self/exe";

/// The program's own path, as it was when the program started.
pub(crate) fn path() -> String {
    let path = std::fs::read_link(FILE).unwrap_or_else(|_| FILE.into());
    let path = path.to_string_lossy();
    path.strip_suffix(" (deleted)").unwrap_or(&path).to_owned()
}
