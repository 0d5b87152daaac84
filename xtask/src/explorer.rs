//! Builds the format explorer, one HTML file with page and WebAssembly, and checks it in a browser.

use std::fs;
use std::path::PathBuf;

use crate::python;
use crate::run::{command, root, run, target};
use crate::tools::Tool;

/// Folder of the page's style, script and markup.
const PAGE: &str = "crates/binade-explorer/page";

/// The target that the explorer is compiled for.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// Names of the browser's program, unless the environment variable CHROMIUM has its path.
pub(crate) const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

fn read(name: &str) -> Result<String, String> {
    let path = root().join(PAGE).join(name);
    fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Appends a module after the modules that it imports, without imports and exports, since all share one scope. A name that two modules
/// define is an error when the page starts.
fn add_module(name: &str, added: &mut Vec<String>, script: &mut String) -> Result<(), String> {
    if added.iter().any(|known| known == name) {
        return Ok(());
    }
    added.push(name.to_owned());
    let text = read(name)?;
    let imported = |line: &str| {
        Some(line.strip_prefix("import ")?.split_once(" from \"./")?.1.strip_suffix("\";")?.to_owned())
    };
    for module in text.lines().filter_map(imported) {
        add_module(&module, added, script)?;
    }
    for line in text.lines().filter(|line| imported(line).is_none()) {
        *script += line.strip_prefix("export ").unwrap_or(line);
        script.push('\n');
    }
    Ok(())
}

/// Base64 (RFC 4648 §4).
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let word =
            group.iter().fold(0u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        for digit in 0..4 {
            let of = DIGITS[(word >> (18 - 6 * digit)) as usize & 63] as char;
            text.push(if digit <= group.len() { of } else { '=' });
        }
    }
    text
}

/// Makes the page, target/format-explorer/index.html.
pub(crate) fn build() -> Result<PathBuf, String> {
    if let Some(reason) = Tool::Wasm.missing() {
        return Err(reason);
    }
    let line = "cargo rustc --package binade-explorer --lib --profile explorer --crate-type cdylib --target";
    run(command(line).arg(TARGET))?;
    let module = target().join(TARGET).join("explorer/binade_explorer.wasm");
    let module = fs::read(&module).map_err(|error| format!("{}: {error}", module.display()))?;
    let mut script = String::new();
    add_module("main.js", &mut vec![], &mut script)?;
    let page = read("index.html")?
        .replace("/* page.css */\n", &read("page.css")?)
        .replace("/* binade_explorer.wasm */", &base64(&module))
        .replace("/* main.js */\n", &script);
    let folder = target().join("format-explorer");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let path = folder.join("index.html");
    fs::write(&path, page).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path)
}

/// Compares the page's answers with the command's.
pub(crate) fn check() -> Result<(), String> {
    let page = build()?;
    run(python::python().arg("peers/check_explorer.py").arg(page))
}

#[cfg(test)]
mod tests {
    use super::{add_module, base64};

    /// RFC 4648 §10.
    #[test]
    fn base64_encodes_the_test_vectors() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[0xfb, 0xff, 0xfe]), "+//+");
    }

    #[test]
    fn module_comes_after_its_imports() {
        let (mut added, mut script) = (vec![], String::new());
        add_module("main.js", &mut added, &mut script).unwrap();
        assert!(!script.contains("from \"./") && !script.contains("\nexport "));
        let place = |text: &str| script.find(text).unwrap();
        assert!(place("function make(") < place("function buildLine("));
        assert!(place("function buildLine(") < place("function formatView("));
        assert_eq!(script.matches("function ask(").count(), 1);
    }
}
