#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]
//!
//! A file has the keys of [`binade::recipe`]. Tables are the parts of keys with a dot, and `leave` is an array:
//!
//! ```toml
//! base = "nvfp4-training"
//! leave = ["first", "last", "norm*"]
//!
//! [weight_gradient]
//! gradient = "nvfp4/rounding=stochastic"
//! ```
//!
//! `name` is by default the name of the file.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use binade::recipe::{Recipe, RecipeError};
use thiserror::Error;
use toml_span::value::{Table, ValueInner};
use toml_span::{Span, Value};

/// The ending of recipes' files.
const ENDING: &str = ".toml";

/// A file that is no recipe.
#[derive(Debug)]
pub struct RecipeFileError {
    /// The file, if there is one.
    file: Option<PathBuf>,
    /// The line, from 1; `None` if the problem is that of the whole file.
    line: Option<usize>,
    problem: Problem,
}

/// The problem of a file.
#[derive(Debug, Error)]
enum Problem {
    #[error("cannot read the recipe: {0}")]
    Read(io::Error),
    #[error("not TOML: {0}")]
    Syntax(String),
    #[error("{key} must be {expected}: got {found}")]
    Value { key: String, expected: &'static str, found: &'static str },
    #[error(transparent)]
    Recipe(Box<RecipeError>),
}

impl fmt::Display for RecipeFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{}:{line}: ", file.display())?,
            (Some(file), None) => write!(f, "{}: ", file.display())?,
            (None, Some(line)) => write!(f, "line {line}: ")?,
            (None, None) => {}
        }
        self.problem.fmt(f)
    }
}

impl std::error::Error for RecipeFileError {}

/// A key with its value and its place in the text.
struct Entry {
    key: String,
    value: String,
    span: Span,
}

/// The recipe of a TOML text, with this name if the text has none.
///
/// # Errors
/// The text is not TOML, or not a recipe.
pub fn from_toml(text: &str, name: &str) -> Result<Recipe, RecipeFileError> {
    let line = |span: Span| {
        1 + text.as_bytes()[..span.start.min(text.len())].iter().filter(|byte| **byte == b'\n').count()
    };
    let wrong = |line, problem| RecipeFileError { file: None, line, problem };
    let root = toml_span::parse(text)
        .map_err(|error| wrong(Some(line(error.span)), Problem::Syntax(error.to_string())))?;
    let mut entries = vec![];
    if let Some(table) = root.as_table() {
        flatten(table, "", &mut entries).map_err(|(span, problem)| wrong(Some(line(span)), problem))?;
    }
    let own = entries.iter().position(|entry| entry.key == "name").map(|at| entries.remove(at));
    let name = own.as_ref().map_or(name, |own| &own.value);
    let pairs = entries.iter().map(|entry| (&*entry.key, &*entry.value));
    let recipe = Recipe::of_pairs(name, pairs);
    // A name that is another recipe's is refused here, with the others.
    recipe.and_then(|recipe| recipe.text().map(|_| recipe)).map_err(|error| {
        let keys = error.keys();
        let entry = || keys.iter().find_map(|key| entries.iter().chain(&own).find(|entry| entry.key == *key));
        let line = entry().map(|entry| line(entry.span));
        wrong(line, Problem::Recipe(Box::new(error)))
    })
}

/// Appends the keys of a table below a prefix.
fn flatten(table: &Table<'_>, prefix: &str, entries: &mut Vec<Entry>) -> Result<(), (Span, Problem)> {
    for (key, value) in table {
        let name = format!("{prefix}{}", key.name);
        if let Some(inner) = value.as_table() {
            flatten(inner, &format!("{name}."), entries)?;
            continue;
        }
        let wrong = |value: &Value<'_>, expected| {
            let found = kind(value.as_ref());
            Err((value.span, Problem::Value { key: name.clone(), expected, found }))
        };
        let text = match (value.as_str(), value.as_array()) {
            (Some(text), _) => text.to_owned(),
            (_, Some(layers)) if name == "leave" => {
                let mut texts = vec![];
                for layer in layers {
                    match layer.as_str() {
                        Some(text) if !text.contains(',') => texts.push(text),
                        Some(_) => return wrong(layer, "a list of names without commas"),
                        None => return wrong(layer, "a list of texts, as in [\"first\", \"norm*\"]"),
                    }
                }
                texts.join(",")
            }
            _ if name == "leave" => return wrong(value, "a list of texts, as in [\"first\", \"norm*\"]"),
            _ => return wrong(value, "a text between quotation marks"),
        };
        entries.push(Entry { key: name, value: text, span: key.span });
    }
    Ok(())
}

fn kind(value: &ValueInner<'_>) -> &'static str {
    match value {
        ValueInner::String(_) => "a text with a comma",
        ValueInner::Integer(_) | ValueInner::Float(_) => "a number",
        ValueInner::Boolean(_) => "true or false",
        ValueInner::Array(_) => "a list",
        ValueInner::Table(_) => "a table",
    }
}

/// Reads a recipe from a file. Its name is that of the file, unless the file has another.
///
/// # Errors
/// The file cannot be read, or [`from_toml`] fails.
pub fn read(path: &Path) -> Result<Recipe, RecipeFileError> {
    let at = |error: RecipeFileError| RecipeFileError { file: Some(path.to_owned()), ..error };
    let text = fs::read_to_string(path)
        .map_err(|error| at(RecipeFileError { file: None, line: None, problem: Problem::Read(error) }))?;
    let name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    from_toml(&text, &name).map_err(at)
}

/// The TOML of a recipe: a file that can be changed. It has no `name`, so that a changed recipe has that of its file.
pub fn to_toml(recipe: &Recipe) -> String {
    let quoted = |text: &str| {
        let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        format!("\"{escaped}\"")
    };
    let mut top = vec![("about", quoted(&recipe.about)), ("source", quoted(&recipe.source))];
    let layers: Vec<String> = recipe.leave.iter().map(|layer| quoted(layer)).collect();
    top.push(("leave", format!("[{}]", layers.join(", "))));
    let mut toml =
        format!("# The recipe {}. `binade train mlp --arith FILE.toml` takes a changed copy.\n", recipe.name);
    for (key, value) in top {
        toml += &format!("{key} = {value}\n");
    }
    let pairs = recipe.pairs();
    for (key, value) in pairs.iter().filter(|(key, _)| !key.contains('.') && key != "leave") {
        toml += &format!("{key} = {}\n", quoted(value));
    }
    let mut table = "";
    for (key, value) in &pairs {
        let Some((of, role)) = key.split_once('.') else { continue };
        if of != table {
            toml += &format!("\n[{of}]\n");
            table = of;
        }
        toml += &format!("{role} = {}\n", quoted(value));
    }
    toml
}

/// The recipe of a text `FILE.toml[@SUMS]`; `None` for other texts.
///
/// # Errors
/// The file is no recipe, or the sums do not fit it.
pub fn of_text(text: &str) -> Result<Option<Recipe>, RecipeFileError> {
    let Some((path, sums)) = path_and_sums(text) else { return Ok(None) };
    let path = Path::new(path);
    let recipe = read(path)?;
    let at = |error| RecipeFileError {
        file: Some(path.to_owned()),
        line: None,
        problem: Problem::Recipe(Box::new(error)),
    };
    match sums {
        Some(sums) => recipe.with_sums(sums).map(Some).map_err(at),
        None => Ok(Some(recipe)),
    }
}

/// Returns true for a text `FILE.toml[@SUMS]`.
pub fn is_text(text: &str) -> bool {
    path_and_sums(text).is_some()
}

/// The path and the sums of a text `FILE.toml[@SUMS]`.
fn path_and_sums(text: &str) -> Option<(&str, Option<&str>)> {
    let text = text.trim();
    let end = text.to_ascii_lowercase().rfind(ENDING)? + ENDING.len();
    match text.get(end..)? {
        "" => Some((text, None)),
        rest => Some((&text[..end], Some(rest.strip_prefix('@')?))),
    }
}

/// An arithmetic, whose recipes from files (`dot_general=FILE.toml@b200`) are replaced by their texts ([`Recipe::text`]). Rules are
/// separated by `;`.
///
/// # Errors
/// A file is no recipe.
pub fn with_contents(arithmetic: &str) -> Result<String, RecipeFileError> {
    let pieces = arithmetic.split(';').map(|piece| {
        let rule = piece
            .split_once('=')
            .filter(|_| !path_and_sums(piece).is_some_and(|(path, _)| Path::new(path).exists()));
        let (rule, how) = rule.map_or((None, piece), |(rule, how)| (Some(rule), how));
        let Some(recipe) = of_text(how)? else { return Ok(piece.to_owned()) };
        let text = recipe.text().map_err(|error| RecipeFileError {
            file: path_and_sums(how).map(|(path, _)| path.into()),
            line: None,
            problem: Problem::Recipe(Box::new(error)),
        })?;
        Ok(rule.map_or_else(|| text.clone(), |rule| format!("{rule}={text}")))
    });
    Ok(pieces.collect::<Result<Vec<String>, RecipeFileError>>()?.join(";"))
}

#[cfg(test)]
mod tests {
    use binade::recipe::{NAMES, Pass};

    use super::*;

    #[test]
    fn named_recipes_are_the_same_from_their_files() {
        for name in NAMES {
            let recipe = Recipe::named(name).unwrap();
            let toml = to_toml(&recipe);
            assert_eq!(
                from_toml(&toml, name).unwrap_or_else(|error| panic!("{name}: {error}\n{toml}")),
                recipe
            );
            let own = from_toml(&toml, "mine").unwrap();
            assert!(own.text().unwrap().starts_with("mine{base=none|"), "{name}");
            assert_eq!(Recipe::parse(&own.text().unwrap()).unwrap().pairs(), recipe.pairs(), "{name}");
        }
    }

    #[test]
    fn file_changes_its_base() {
        let toml = "# A comment.\nname = \"mine\"\nbase = \"nvfp4-training\"\nleave = [\"first\", 'norm*']\n\
                    forward.sums = \"b200\"\n[weight_gradient]\ngradient = \"nvfp4/hadamard=16/signs=random\"\n";
        let recipe = from_toml(toml, "other").unwrap();
        assert_eq!(
            (&*recipe.name, &recipe.leave[..]),
            ("mine", &["first".to_owned(), "norm*".to_owned()][..])
        );
        assert_eq!(
            recipe.product(Pass::WeightGradient).operands[1].to_string(),
            "nvfp4/hadamard=16/signs=random"
        );
        assert_eq!(recipe.product(Pass::Forward).sums, "b200");
        assert_eq!(recipe.product(Pass::InputGradient).operands[0].to_string(), "nvfp4/rounding=stochastic");
        assert_eq!(Recipe::parse(&recipe.text().unwrap()).unwrap().pairs(), recipe.pairs());
    }

    #[test]
    fn wrong_files_say_line_and_remedy() {
        for (toml, wanted) in [
            (
                "\n\n[forward]\nweigth = \"nvfp4\"",
                "line 4: recipe 'mine': there is no key 'forward.weigth': did you mean forward.weight?",
            ),
            (
                "[stored]\nweight = \"bf16\"",
                "line 2: recipe 'mine': there is no key 'stored.weight': did you mean stored.weights?",
            ),
            ("[decoder]\nweight = \"bf16\"", "line 2: recipe 'mine': there is no key 'decoder.weight'"),
            (
                "[forward.weight]\nformat = \"bf16\"",
                "line 2: recipe 'mine': there is no key 'forward.weight.format'",
            ),
            (
                "leave = [\n  \"first\",\n  3,\n]",
                "line 3: leave must be a list of texts, as in [\"first\", \"norm*\"]: got a number",
            ),
            (
                "leave = true",
                "line 1: leave must be a list of texts, as in [\"first\", \"norm*\"]: got true or false",
            ),
            (
                "leave = [\"a,b\"]",
                "line 1: leave must be a list of names without commas: got a text with a comma",
            ),
            ("sums = 32", "line 1: sums must be a text between quotation marks: got a number"),
            ("forward.weight = nvfp4", "line 1: not TOML: "),
            ("sums = \"f32\"\nsums = \"bf16\"", "line 2: not TOML: duplicate key: `sums`"),
            (
                "about = \"x\"\n[forward]\nweight = \"cfloat8_1_4_3@bias=64\"",
                "line 3: recipe 'mine': forward.weight: 'cfloat8_1_4_3@bias=64': cfloat8_1_4_3: bias=64 is out of range: 0 to 63",
            ),
            (
                "base = \"nvfp4-trainig\"",
                "line 1: there is no recipe 'nvfp4-trainig': did you mean nvfp4-training?",
            ),
            (
                "[forward]\nsums = \"h10\"",
                "line 2: recipe 'mine': forward.sums: 'h10' is neither an accumulator's format nor a matrix unit: did you mean h100?",
            ),
            ("sums = \"h10\"", "line 1: recipe 'mine': forward.sums"),
            (
                "name = \"nvfp4\"",
                "line 1: 'nvfp4' cannot be the name of a recipe of your own: it is another recipe's",
            ),
            (
                "name = \"my recipe\"",
                "line 1: 'my recipe' cannot be the name of a recipe of your own: names have letters",
            ),
            ("forward.weight = \"\"", "line 1: recipe 'mine': forward.weight"),
        ] {
            let found = from_toml(toml, "mine").unwrap_err().to_string();
            assert!(found.starts_with(wanted), "{toml}\n{found}");
        }
    }

    #[test]
    fn files_in_an_arithmetic_are_replaced_by_their_contents() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.toml");
        fs::write(&path, "[forward]\nweight = \"bf16\"\nactivation = \"bf16\"\n").unwrap();
        let file = path.display();
        let text = "mine{base=none|forward.activation=bf16|forward.weight=bf16}";
        for (given, wanted) in [
            (format!("{file}"), text.to_owned()),
            (format!("dot_general={file}@h100;*=bf16"), format!("dot_general={text}@h100;*=bf16")),
            ("bf16:f32".to_owned(), "bf16:f32".to_owned()),
            (text.to_owned(), text.to_owned()),
        ] {
            assert_eq!(with_contents(&given).unwrap(), wanted);
        }
        let missing = with_contents("dot_general=nowhere.toml").unwrap_err().to_string();
        assert!(missing.starts_with("nowhere.toml: cannot read the recipe: "), "{missing}");
        fs::write(&path, "\nforward = 3").unwrap();
        let wrong = with_contents(&file.to_string()).unwrap_err().to_string();
        assert!(wrong.contains("mine.toml:2: forward must be a text"), "{wrong}");
    }
}
