//! Rust documentation of the workspace's crates, with links between them, for the site and the test run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::run::{command, root, run};

/// Documents all crates of the workspace into one folder, with these flags for rustdoc.
///
/// rustdoc makes links to another crate only if that crate's pages exist already, and `cargo doc --no-deps` documents crates in
/// any order. So each call of cargo documents the crates whose dependencies earlier calls have documented.
pub(crate) fn build(flags: &str) -> Result<(), String> {
    for layer in layers(dependencies()?) {
        let packages: Vec<String> = layer.iter().map(|name| format!("--package {name}")).collect();
        let features = if layer.contains("binade") { " --features binade/serde" } else { "" };
        let line = format!("cargo doc --no-deps {}{features}", packages.join(" "));
        run(command(&line).env("RUSTDOCFLAGS", flags))?;
    }
    Ok(())
}

/// The crates of the workspace by name, with those that they depend on.
fn dependencies() -> Result<BTreeMap<String, BTreeSet<String>>, String> {
    let folder = root().join("crates");
    let mut found = BTreeMap::from([("xtask".to_owned(), BTreeSet::new())]);
    for entry in fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let manifest = entry.map_err(|error| error.to_string())?.path().join("Cargo.toml");
        let text =
            fs::read_to_string(&manifest).map_err(|error| format!("{}: {error}", manifest.display()))?;
        if let Some((name, needed)) = read_manifest(&text) {
            found.insert(name, needed);
        }
    }
    Ok(found)
}

/// The name of a package, and the crates of the workspace in its section `dependencies`.
fn read_manifest(text: &str) -> Option<(String, BTreeSet<String>)> {
    let (mut section, mut name, mut needed) = ("", None, BTreeSet::new());
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            section = line;
        }
        let key = line.split(['=', '.', ' ']).next().unwrap_or("");
        if section == "[package]" && key == "name" {
            name = line.split('"').nth(1).map(str::to_owned);
        }
        if section.ends_with("dependencies]") && !section.contains("dev-") && key.starts_with("binade") {
            needed.insert(key.to_owned());
        }
    }
    Some((name?, needed))
}

/// Crates in layers, each of which depends only on the layers before it.
fn layers(mut left: BTreeMap<String, BTreeSet<String>>) -> Vec<BTreeSet<String>> {
    let mut found: Vec<BTreeSet<String>> = vec![];
    while !left.is_empty() {
        let next: BTreeSet<String> = left
            .iter()
            .filter(|(_, needed)| !needed.iter().any(|name| left.contains_key(name)))
            .map(|(name, _)| name.clone())
            .collect();
        // A circle of crates, which cargo refuses anyway.
        if next.is_empty() {
            found.push(left.into_keys().collect());
            break;
        }
        left.retain(|name, _| !next.contains(name));
        found.push(next);
    }
    found
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{dependencies, layers, read_manifest};

    #[test]
    fn manifest_gives_name_and_dependencies_without_those_of_tests() {
        let text = "[package]\nname = \"binade-x\"\n[dependencies]\nbinade.workspace = true\nlibc = \"1\"\n\
                    [dev-dependencies]\nbinade-testkit.workspace = true\n";
        let (name, needed) = read_manifest(text).unwrap();
        assert_eq!((name.as_str(), needed), ("binade-x", BTreeSet::from(["binade".to_owned()])));
    }

    #[test]
    fn layers_of_the_workspace_contain_every_crate_after_its_dependencies() {
        let crates = dependencies().unwrap();
        let mut before = BTreeSet::new();
        for layer in layers(crates.clone()) {
            assert!(layer.iter().all(|name| crates[name].is_subset(&before)), "{layer:?}");
            before.extend(layer);
        }
        assert_eq!(before.len(), crates.len());
        assert!(before.contains("binade-kernels") && before.contains("binade-cli"));
    }
}
