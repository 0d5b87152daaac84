//! Finds circles of modules that import each other, and fails if a crate has a large one.
//!
//! The modules of a crate are its files under `src`. A module depends on another if it names something in it, by a path in a `use`
//! or in the code. Such a path begins with `crate`, `super`, `self`, a child module, or an imported module. The rules of counting:
//!
//! - `mod child;` and `pub use` are no dependencies: a parent that declares and re-exports does not tie its children together. A
//!   path through a re-export leads to the module that it comes from.
//! - A parent that calls its children, and has items that they use, is in a circle with them.
//! - Code under `#[cfg(test)]`, comments and strings are left out.
//! - Methods are not followed, nor are paths in macros that other files expand.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::run::root;

/// The most modules in a circle.
const LARGEST: usize = 8;

/// A module: the names from the crate's root to it.
type Module = Vec<String>;

/// The text of each module of a crate.
type Sources = BTreeMap<Module, String>;

/// Checks all crates of the workspace.
///
/// # Errors
/// If a circle is larger than it may be: its crate and its modules.
pub(crate) fn check() -> Result<(), String> {
    let mut folders = vec![root().join("xtask")];
    let crates = root().join("crates");
    for entry in fs::read_dir(&crates).map_err(|error| format!("{}: {error}", crates.display()))? {
        folders.push(entry.map_err(|error| error.to_string())?.path());
    }
    folders.sort();
    let mut found = vec![];
    for folder in folders {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut files = Sources::new();
        read(&folder.join("src"), &mut vec![], &mut files)?;
        for circle in circles(&files) {
            let modules: Vec<String> = circle.iter().map(|module| shown(module)).collect();
            if modules.len() > LARGEST {
                found.push(format!(
                    "{name}: {} modules depend on each other in a circle, where at most {LARGEST} may: {}",
                    modules.len(),
                    modules.join(", ")
                ));
            }
        }
    }
    if found.is_empty() { Ok(()) } else { Err(found.join("\n")) }
}

fn shown(module: &[String]) -> String {
    if module.is_empty() { "the crate's root".to_owned() } else { module.join("::") }
}

/// Reads the files of a folder as modules of `parent`.
fn read(folder: &Path, parent: &mut Module, files: &mut Sources) -> Result<(), String> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            parent.push(stem);
            read(&path, parent, files)?;
            parent.pop();
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let mut module = parent.clone();
            if !matches!(&*stem, "mod" | "lib" | "main") {
                module.push(stem);
            }
            // A crate that has both a library and a program has one root here.
            files.entry(module).or_default().push_str(&text);
        }
    }
    Ok(())
}

/// The circles of modules, the largest one first.
fn circles(files: &Sources) -> Vec<Vec<Module>> {
    let mut modules: BTreeMap<Module, Parsed> = BTreeMap::new();
    let mut tests: Vec<Module> = vec![];
    for (module, text) in files {
        let mut code = without_comments_and_strings(text);
        for name in remove_tests(&mut code) {
            tests.push([&module[..], &[name]].concat());
        }
        modules.insert(module.clone(), Parsed::of(&code));
    }
    modules.retain(|module, _| !tests.iter().any(|test| module.starts_with(test)));
    let graph = Graph { modules };
    let edges: BTreeMap<&Module, BTreeSet<Module>> =
        graph.modules.keys().map(|module| (module, graph.dependencies(module))).collect();
    let mut circles: Vec<Vec<Module>> =
        Tarjan::components(&edges).into_iter().filter(|circle| circle.len() > 1).collect();
    circles.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    circles
}

/// The code, with blanks in place of comments and of what strings and characters are.
fn without_comments_and_strings(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut code = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let end = if rest.starts_with(b"//") {
            at + rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())
        } else if rest.starts_with(b"/*") {
            at + block_comment(rest)
        } else if rest.starts_with(b"r\"") || rest.starts_with(b"r#") {
            at + raw_string(rest)
        } else if rest[0] == b'"' {
            at + quoted(rest, b'"')
        } else if rest[0] == b'\'' && is_character(rest) {
            at + quoted(rest, b'\'')
        } else {
            at += 1;
            continue;
        };
        code[at..end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        at = end;
    }
    String::from_utf8_lossy(&code).into_owned()
}

/// Bytes of a comment that may have others in it.
fn block_comment(text: &[u8]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        match &text[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => {
                (depth, at) = (depth - 1, at + 2);
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    at
}

/// Bytes of a raw string; 1 of an identifier that is raw.
fn raw_string(text: &[u8]) -> usize {
    let hashes = text[1..].iter().take_while(|&&byte| byte == b'#').count();
    if text.get(1 + hashes) != Some(&b'"') {
        return 1;
    }
    let close = [&b"\""[..], &vec![b'#'; hashes]].concat();
    let body = &text[2 + hashes..];
    body.windows(close.len())
        .position(|end| end == close)
        .map_or(text.len(), |at| 2 + hashes + at + close.len())
}

/// Bytes between two quotes, and the quotes.
fn quoted(text: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < text.len() && text[at] != quote {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(text.len())
}

/// True if an apostrophe begins a character, false if it begins a lifetime.
fn is_character(text: &[u8]) -> bool {
    match text.get(1) {
        Some(b'\\') => true,
        Some(byte) if byte.is_ascii() => text.get(2) == Some(&b'\''),
        Some(_) => true,
        None => false,
    }
}

/// Removes items under `#[cfg(test)]`, and gives the names of those that are modules in other files.
fn remove_tests(code: &mut String) -> Vec<String> {
    const MARK: &str = "#[cfg(test)]";
    let mut names = vec![];
    while let Some(start) = code.find(MARK) {
        let item = &code[start + MARK.len()..];
        let is_use = words(item)
            .find(|word| !matches!(*word, "pub" | "crate" | "super"))
            .is_some_and(|word| word == "use");
        let (semicolon, brace) = (item.find(';'), item.find('{').filter(|_| !is_use));
        let end = match (semicolon, brace) {
            (Some(semicolon), brace) if brace.is_none_or(|brace| semicolon < brace) => {
                let mut words = words(&item[..semicolon]);
                if words.any(|word| word == "mod") {
                    names.extend(words.next().map(str::to_owned));
                }
                semicolon + 1
            }
            (_, Some(brace)) => brace + braces(&item[brace..]),
            _ => item.len(),
        };
        code.replace_range(start..start + MARK.len() + end, "");
    }
    names
}

/// Bytes to the brace that closes the first one.
fn braces(text: &str) -> usize {
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return at + 1,
            b'}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character| !is_word(character)).filter(|word| !word.is_empty())
}

/// The paths that a module names.
#[derive(Debug, Default)]
struct Parsed {
    /// Of `use`, with the name that each gets here.
    imports: Vec<(Vec<String>, String)>,
    /// Of `pub use`, in any visibility.
    exports: Vec<(Vec<String>, String)>,
    /// In the code.
    paths: BTreeSet<Vec<String>>,
}

impl Parsed {
    fn of(code: &str) -> Parsed {
        let mut parsed = Parsed::default();
        let mut rest = code;
        let mut before = "";
        while let Some(start) = rest.find(is_word) {
            let (gap, tail) = rest.split_at(start);
            let path = path(tail);
            let length = path.1;
            if path.0 == ["use"] {
                let end = tail.find(';').unwrap_or(tail.len());
                let into = if before == "pub" { &mut parsed.exports } else { &mut parsed.imports };
                flatten(tail[length..end].trim(), &[], into);
                (rest, before) = (&tail[end..], "");
                continue;
            }
            // Neither a method nor the end of another path, such as that of a type's.
            if path.0.len() > 1 && !gap.ends_with('.') && !gap.ends_with("::") {
                parsed.paths.insert(path.0.clone());
            }
            // `pub(crate) use`: what is in parentheses is not a word of its own.
            let word = &tail[..length];
            let restricts = before == "pub" && matches!(word, "crate" | "super" | "self");
            before = if word == "pub" || restricts { "pub" } else { "" };
            rest = &tail[length..];
        }
        parsed
    }
}

/// The path at the start of a text, and its bytes.
fn path(text: &str) -> (Vec<String>, usize) {
    let mut names = vec![];
    let mut at = 0;
    loop {
        let end = text[at..].find(|character| !is_word(character)).map_or(text.len(), |end| at + end);
        if end == at {
            return (names, at.saturating_sub(2));
        }
        names.push(text[at..end].to_owned());
        match text[end..].strip_prefix("::") {
            Some(_) => at = end + 2,
            None => return (names, end),
        }
    }
}

/// The paths of the tree of a `use`.
fn flatten(tree: &str, prefix: &[String], into: &mut Vec<(Vec<String>, String)>) {
    let joined = |text: &str| {
        let names = text.split("::").map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
        prefix.iter().cloned().chain(names).collect::<Vec<String>>()
    };
    if let Some(open) = tree.find('{') {
        let prefix = joined(&tree[..open]);
        let inside = &tree[open + 1..tree.rfind('}').unwrap_or(tree.len())];
        let (mut depth, mut start) = (0, 0);
        for (at, byte) in inside.bytes().chain([b',']).enumerate() {
            match byte {
                b'{' => depth += 1,
                b'}' => depth -= 1,
                b',' if depth == 0 => {
                    flatten(inside[start..at.min(inside.len())].trim(), &prefix, into);
                    start = at + 1;
                }
                _ => {}
            }
        }
        return;
    }
    let (tree, alias) =
        tree.split_once(" as ").map_or((tree, None), |(tree, alias)| (tree, Some(alias.trim())));
    let mut names = joined(tree);
    if names.len() > 1 && names.last().is_some_and(|name| name == "self") {
        names.pop();
    }
    if let Some(last) = names.last() {
        let name = alias.unwrap_or(last).to_owned();
        into.push((names, name));
    }
}

struct Graph {
    modules: BTreeMap<Module, Parsed>,
}

impl Graph {
    /// The modules that one depends on.
    fn dependencies(&self, module: &Module) -> BTreeSet<Module> {
        let parsed = &self.modules[module];
        let imports = parsed.imports.iter().map(|(path, _)| path);
        let mut found: BTreeSet<Module> =
            imports.chain(&parsed.paths).filter_map(|path| self.target(module, path)).collect();
        found.remove(module);
        found
    }

    /// The module that a path leads to from another; none if it leaves the crate.
    fn target(&self, from: &Module, path: &[String]) -> Option<Module> {
        self.resolved(self.absolute(from, path)?, 0)
    }

    /// A path from the crate's root.
    fn absolute(&self, from: &Module, path: &[String]) -> Option<Vec<String>> {
        let supers = path.iter().take_while(|name| *name == "super").count();
        let (base, rest) = match path.first()?.as_str() {
            "crate" => (&from[..0], &path[1..]),
            "self" => (&from[..], &path[1..]),
            "super" => (&from[..from.len().checked_sub(supers)?], &path[supers..]),
            child if self.modules.contains_key(&[from, &[child.to_owned()][..]].concat()) => {
                (&from[..], path)
            }
            name => {
                // A module that is imported under this name.
                let imports = self.modules[from].imports.iter();
                let (imported, _) =
                    imports.filter(|(import, _)| import[0] != name).find(|(_, called)| called == name)?;
                let module = self.absolute(from, imported)?;
                let module = self.module_of(module)?;
                return Some([&module, &path[1..]].concat());
            }
        };
        Some([base, rest].concat())
    }

    /// The module that a path names, if it names one.
    fn module_of(&self, path: Vec<String>) -> Option<Module> {
        self.modules.contains_key(&path).then_some(path)
    }

    /// The module that has what a path from the root names, by way of re-exports.
    fn resolved(&self, path: Vec<String>, depth: usize) -> Option<Module> {
        let length = (0..=path.len()).rev().find(|&length| self.modules.contains_key(&path[..length]))?;
        let (module, rest) = (path[..length].to_vec(), &path[length..]);
        let exports = &self.modules[&module].exports;
        if let Some((exported, _)) =
            rest.first().and_then(|name| exports.iter().find(|(_, called)| called == name))
            && depth < 8
            && let Some(exported) = self.absolute(&module, exported)
        {
            return self.resolved([&exported, &rest[1..]].concat(), depth + 1);
        }
        Some(module)
    }
}

/// Strongly connected components, by Tarjan's algorithm.
struct Tarjan<'g> {
    edges: &'g BTreeMap<&'g Module, BTreeSet<Module>>,
    /// The number of each module that was reached, and the least one that it leads back to.
    reached: BTreeMap<&'g Module, (usize, usize)>,
    /// Modules whose component is not complete.
    stack: Vec<&'g Module>,
    components: Vec<Vec<Module>>,
}

impl<'g> Tarjan<'g> {
    fn components(edges: &'g BTreeMap<&'g Module, BTreeSet<Module>>) -> Vec<Vec<Module>> {
        let mut tarjan = Tarjan { edges, reached: BTreeMap::new(), stack: vec![], components: vec![] };
        for module in edges.keys() {
            if !tarjan.reached.contains_key(module) {
                tarjan.visit(module);
            }
        }
        tarjan.components
    }

    fn visit(&mut self, module: &'g Module) {
        let number = self.reached.len();
        self.reached.insert(module, (number, number));
        self.stack.push(module);
        for next in &self.edges[module] {
            let least = match self.reached.get(next) {
                None => {
                    self.visit(next);
                    self.reached[next].1
                }
                Some(&(number, _)) if self.stack.contains(&next) => number,
                Some(_) => continue,
            };
            if let Some((_, own)) = self.reached.get_mut(module) {
                *own = least.min(*own);
            }
        }
        if self.reached[module].1 == number {
            let start = self.stack.iter().rposition(|&one| one == module).unwrap_or(0);
            self.components.push(self.stack.drain(start..).cloned().collect());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circles_of(files: &[(&str, &str)]) -> Vec<String> {
        let module =
            |name: &str| name.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect();
        let files: Sources = files.iter().map(|(name, text)| (module(name), text.to_string())).collect();
        let text = |circle: Vec<Module>| {
            let mut names: Vec<String> = circle.iter().map(|module| shown(module)).collect();
            names.sort();
            names.join(" ")
        };
        circles(&files).into_iter().map(text).collect()
    }

    #[test]
    fn imports_that_return_to_a_module_are_a_circle() {
        let files = [
            ("", "mod a; mod b; mod c; mod d;"),
            ("a", "use crate::b::{self, Two};"),
            ("b", "fn f() { super::c::g() }"),
            ("c", "use super::a::One as First;"),
            ("d", "use crate::a::One;"),
        ];
        assert_eq!(circles_of(&files), ["a b c"]);
    }

    #[test]
    fn parents_that_declare_and_export_are_in_no_circle() {
        let files = [
            ("", "mod a;"),
            ("a", "mod b; mod c; pub use b::One; pub(crate) use self::c::Two;"),
            ("a::b", "use super::Two;"),
            ("a::c", "use super::b;"),
        ];
        assert_eq!(circles_of(&files), ["a::b a::c"]);
        let files = [("a", "mod b; pub use b::One;"), ("a::b", "use super::Three;"), ("", "mod a;")];
        assert!(circles_of(&files).is_empty());
    }

    #[test]
    fn parents_that_call_their_children_are_in_a_circle_with_them() {
        let files = [("", ""), ("a", "mod b; fn f() { b::g() } struct S;"), ("a::b", "use super::S;")];
        assert_eq!(circles_of(&files), ["a a::b"]);
    }

    #[test]
    fn names_of_imported_modules_lead_through_exports() {
        let files = [
            ("", ""),
            ("a", "use crate::b; fn f() { b::g() }"),
            ("b", "mod c; pub use c::g;"),
            ("b::c", "use crate::a::f;"),
        ];
        assert_eq!(circles_of(&files), ["a b::c"]);
    }

    #[test]
    fn tests_comments_and_strings_are_left_out() {
        let files = [
            ("", "mod a; mod b;"),
            (
                "a",
                "// use crate::b::X;\n/* /* */ crate::b::X */ const T: &str = \"crate::b::X\"; const R: &str = r#\"\"crate::b\"#; const C: char = '\"';\n#[cfg(test)]\nmod tests { use crate::b::X; }\n#[cfg(test)]\nuse crate::b::{X};\n#[cfg(test)]\nmod more;",
            ),
            ("a::more", "use crate::b::X;"),
            ("b", "use crate::a::Y; fn f<'a>(x: &'a str) {}"),
        ];
        assert!(circles_of(&files).is_empty());
    }
}
