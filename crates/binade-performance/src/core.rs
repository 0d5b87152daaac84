//! Cores as small TOML files: multiply-add units or peak rates, caches and memory.
//!
//! ```
//! use binade_performance::Core;
//!
//! let core = Core::named("skylake").unwrap().parse(&[])?;
//! assert_eq!(core.caches[0].name, "L1");
//! let slow = Core::named("skylake").unwrap().parse(&[("memory.gb_per_s".to_owned(), 15.0)])?;
//! assert_eq!(slow.memory_bytes_per_cycle() * 2.0, core.memory_bytes_per_cycle());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use binade::text::nearest;
use thiserror::Error;
use toml_span::value::{Table, ValueInner};
use toml_span::{Span, Value};

use crate::fields::{FIELDS, Range};

/// A core: its units, caches and memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Core {
    /// Its name, or that of its file.
    pub name: String,
    /// A sentence for users.
    pub about: String,
    /// The origin of its figures.
    pub source: String,
    /// True if its figures are bounds from data sheets, not measurements.
    pub bounds: bool,
    /// Frequency in GHz.
    pub frequency_ghz: f64,
    /// Share of multiply-adds among a program's instructions; `None` if the program has no other instructions.
    pub fma_share: Option<f64>,
    /// The rate of multiply-adds.
    pub units: Units,
    /// Caches, the first level first.
    pub caches: Vec<Cache>,
    /// Bandwidth of memory, in GB/s.
    pub memory_gb_per_s: f64,
    /// Latency of memory, in ns.
    pub memory_latency_ns: f64,
    /// The fixed times of software.
    pub overhead: Overhead,
}

/// The fixed times of software, beside work and transfers: calls, checks and the set-up of kernels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overhead {
    /// Nanoseconds of an elementwise operation, or a fused chain of them.
    pub operation_ns: f64,
    /// Nanoseconds of a product.
    pub product_ns: f64,
}

impl Overhead {
    /// The name of the bound.
    pub const BOUND: &str = "overhead";

    /// Returns true if there is any.
    pub fn is_any(&self) -> bool {
        *self != Overhead::default()
    }
}

/// The rate at which a core multiplies and adds.
#[derive(Clone, Debug, PartialEq)]
pub enum Units {
    /// Vector units, whose lanes have an area for operators.
    Vector(VectorUnits),
    /// Peak rates by format.
    Peak(Peak),
}

/// Vector units of a core.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorUnits {
    /// The number of multiply-add units.
    pub count: f64,
    /// Bits of a vector; a lane has 32.
    pub vector_bits: f64,
    /// The number of vector registers.
    pub registers: f64,
    /// The maximum number of multiply-adds in one instruction.
    pub multiply_adds: f64,
    /// Area of a lane, in the units of the paper's Table 1.
    pub area: f64,
    /// Instructions that begin in a cycle.
    pub issue_width: f64,
    /// Instructions under way at most.
    pub reorder_buffer: f64,
}

impl VectorUnits {
    /// Lanes of 32 bits in a vector.
    pub fn lanes(&self) -> f64 {
        self.vector_bits / 32.0
    }
}

/// Peak rates of a device by format.
#[derive(Clone, Debug, PartialEq)]
pub struct Peak {
    /// Rows and columns of the result of one instruction.
    pub tile: [f64; 2],
    /// Formats of inputs, with TFLOP/s.
    pub rates: Vec<(String, f64)>,
}

/// A level of the hierarchy of caches.
#[derive(Clone, Debug, PartialEq)]
pub struct Cache {
    /// Its name.
    pub name: String,
    /// Size in KiB; of an instance, if there are several.
    pub kib: f64,
    /// The number of equal instances that share the work.
    pub instances: f64,
    /// Associativity.
    pub ways: f64,
    /// Bytes of a line.
    pub line: f64,
    /// Bytes per cycle that it delivers to the level above; of all instances together.
    pub bytes_per_cycle: f64,
    /// Latency in cycles.
    pub latency_cycles: f64,
}

impl Cache {
    /// Bytes of an instance.
    pub fn bytes(&self) -> f64 {
        self.kib * 1024.0
    }

    /// Sets of an instance.
    pub fn sets(&self) -> f64 {
        (self.bytes() / (self.ways * self.line)).max(1.0)
    }

    /// Bytes for blocks. Two ways of each set are left for what streams past them, and for sets that get more than their share.
    pub fn usable(&self) -> f64 {
        self.bytes() * (1.0 - 2.0 / self.ways.max(4.0))
    }
}

/// The text of a core.
#[derive(Clone, Debug)]
pub struct CoreText {
    name: String,
    file: Option<PathBuf>,
    /// The TOML.
    pub toml: String,
}

/// Built-in cores.
pub const CORES: [(&str, &str); 4] = [
    ("skylake", include_str!("../cores/skylake.toml")),
    ("avx512-server", include_str!("../cores/avx512-server.toml")),
    ("edge", include_str!("../cores/edge.toml")),
    ("h100", include_str!("../cores/h100.toml")),
];

/// A text that is no core.
#[derive(Debug, Error)]
pub enum CoreError {
    /// A name that is no built-in core, nor a file.
    #[error("there is no core '{name}'{near}: must be one of {known}, or a TOML file such as ./mine.toml")]
    Unknown {
        /// The name.
        name: String,
        /// A similar name, as a question.
        near: String,
        /// All names.
        known: String,
    },
    /// A file that cannot be read.
    #[error("{}: cannot read the core: {source}: must be a TOML file, or one of {known}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
        /// Names of cores.
        known: String,
    },
    /// A text with a wrong or a missing field.
    #[error("{place}: {problem}")]
    Field {
        /// File and line, or the name of the core.
        place: String,
        /// The field, what is wrong with it, and what would be right.
        problem: FieldProblem,
    },
}

/// The problem of a field.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum FieldProblem {
    #[error("not TOML: {0}: a core is a TOML file, with lines such as frequency_ghz = 2.1")]
    Syntax(String),
    #[error("the core has no {key}: add it, as in {example}")]
    Missing { key: String, example: String },
    #[error("there is no field '{key}'{near}")]
    Unknown { key: String, near: String },
    #[error("{key} must be {expected}: got {found}")]
    Value { key: String, expected: String, found: String },
    #[error(
        "the core has {0}: give the table [units] of a core with vector units, or [peak] of a device with peak rates, not both"
    )]
    Units(&'static str),
    #[error(
        "the core has no cache: add a table [cache.L1] with kib, ways, line, bytes_per_cycle and latency_cycles"
    )]
    NoCache,
    #[error("[peak] has no {0}: baselines are binary32, so give f32, in TFLOP/s")]
    NoBaseline(&'static str),
    #[error(
        "cache.{name} has no whole set: cache.{name}.kib must be at least {least} KiB, for a line in each way: got {kib} KiB"
    )]
    NoSet { name: String, least: f64, kib: f64 },
    #[error(
        "cache.{name} is smaller than cache.{above}, the level above it: cache.{name}.kib must be at least {least} KiB: got {kib} KiB"
    )]
    Smaller { name: String, above: String, least: f64, kib: f64 },
}

/// A key of the text, with its value and its line.
#[derive(Clone, Debug)]
struct Entry {
    key: String,
    value: Field,
    line: usize,
    /// The place of the value in the text.
    span: Span,
}

#[derive(Clone, Debug, PartialEq)]
enum Field {
    Number(f64),
    Pair([f64; 2]),
    Text(String),
    Boolean(bool),
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // Numbers of many digits have an exponent.
            Field::Number(x) if x.is_finite() && (x.abs() >= 1e15 || x.abs() < 1e-6) && *x != 0.0 => {
                write!(f, "{x:e}")
            }
            Field::Number(x) => write!(f, "{x}"),
            Field::Pair([x, y]) => write!(f, "[{x}, {y}]"),
            Field::Text(text) => write!(f, "the text '{text}'"),
            Field::Boolean(x) => write!(f, "{x}"),
        }
    }
}

/// The names of all cores: the built-in ones, and this machine's.
fn known_names() -> String {
    let names = CORES.map(|(name, _)| name).join(", ");
    format!("{names} and {} (this machine)", crate::measure::NAME)
}

impl Core {
    /// A built-in core by its name.
    ///
    /// # Errors
    /// No built-in core has this name.
    pub fn named(name: &str) -> Result<CoreText, CoreError> {
        let found = CORES.iter().find(|(known, _)| *known == name);
        let text = |&(name, toml): &(&str, &str)| CoreText {
            name: name.to_owned(),
            file: None,
            toml: toml.to_owned(),
        };
        found.map(text).ok_or_else(|| CoreError::Unknown {
            name: name.to_owned(),
            near: nearest(name, CORES.map(|(name, _)| name))
                .map_or(String::new(), |near| format!(": did you mean {near}?")),
            known: known_names(),
        })
    }

    /// The core of a name, or of a file: of a path with a dot or a slash, or one that exists.
    ///
    /// # Errors
    /// There is no core of this name, or the file cannot be read.
    pub fn called(name: &str) -> Result<CoreText, CoreError> {
        let path = Path::new(name);
        let is_built_in = CORES.iter().any(|(known, _)| *known == name);
        if is_built_in || !(name.contains(['.', '/']) || path.exists()) {
            return Core::named(name);
        }
        let toml = fs::read_to_string(path).map_err(|source| CoreError::Read {
            path: path.into(),
            source,
            known: known_names(),
        })?;
        let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        Ok(CoreText { name: stem, file: Some(path.into()), toml })
    }

    /// Bytes of memory per cycle.
    pub fn memory_bytes_per_cycle(&self) -> f64 {
        self.memory_gb_per_s / self.frequency_ghz
    }

    /// Bytes per cycle that a cache gets from the next level, or from memory.
    pub fn bytes_per_cycle_below(&self, cache: usize) -> f64 {
        let next = self.caches.get(cache + 1).map(|next| next.bytes_per_cycle);
        next.unwrap_or_else(|| self.memory_bytes_per_cycle())
    }

    /// Cycles until a cache gets a line from the next level, or from memory.
    pub fn latency_below(&self, cache: usize) -> f64 {
        let next = self.caches.get(cache + 1).map(|next| next.latency_cycles);
        next.unwrap_or_else(|| self.memory_latency_cycles())
    }

    /// The share of a cache's transfers from the next level that the reorder buffer can hide behind other work.
    pub fn hidden_share(&self, cache: usize) -> f64 {
        match &self.units {
            Units::Vector(units) => {
                (units.reorder_buffer / (units.issue_width * self.latency_below(cache))).min(1.0)
            }
            Units::Peak(_) => 1.0,
        }
    }

    /// Cycles of memory's latency.
    pub fn memory_latency_cycles(&self) -> f64 {
        self.memory_latency_ns * self.frequency_ghz
    }

    /// The names of what can bound an operation: `units`, `issue`, each cache, `memory`, `overhead` if the core has any, and `rest`.
    pub fn bounds(&self) -> Vec<String> {
        let caches = self.caches.iter().map(|cache| &*cache.name);
        let overhead = self.overhead.is_any().then_some(Overhead::BOUND);
        let names = ["units", "issue"].into_iter().chain(caches).chain(["memory"]).chain(overhead);
        names.chain(["rest"]).map(str::to_owned).collect()
    }
}

impl CoreText {
    /// A core with this name and TOML.
    pub fn new(name: &str, toml: String) -> CoreText {
        CoreText { name: name.to_owned(), file: None, toml }
    }

    /// Parses the core, with other numbers in some fields.
    ///
    /// # Errors
    /// A field is missing, unknown, or not a number that the field can have.
    pub fn parse(&self, changes: &[(String, f64)]) -> Result<Core, CoreError> {
        let mut fields = self.fields()?;
        for (key, value) in changes {
            let (value, is_taken) = (Field::Number(*value), fields.takes(key));
            match fields.entries.iter_mut().find(|entry| entry.key == *key) {
                Some(entry) => (entry.value, entry.line) = (value, 0),
                None if is_taken => {
                    fields.entries.push(Entry { key: key.clone(), value, line: 0, span: Span::default() });
                }
                None => return Err(fields.unknown(key, 0)),
            }
        }
        fields.core(&self.name)
    }

    /// The TOML with other numbers in some fields, for a reader or a file.
    ///
    /// # Errors
    /// As [`CoreText::parse`]: a change of an unknown field, or a number out of its range.
    pub fn changed(&self, changes: &[(String, f64)]) -> Result<String, CoreError> {
        self.parse(changes)?;
        let mut text = self.clone();
        for (key, value) in changes {
            let value = Field::Number(*value).to_string();
            match text.fields()?.entries.into_iter().find(|entry| entry.key == *key) {
                Some(entry) => text.toml.replace_range(entry.span.start..entry.span.end, &value),
                None => text.insert(key, &value),
            }
        }
        Ok(text.toml)
    }

    /// Inserts a field: below the header of its table, which is appended if it is missing.
    fn insert(&mut self, key: &str, value: &str) {
        let Some((table, field)) = key.rsplit_once('.') else {
            self.toml.insert_str(0, &format!("{key} = {value}\n"));
            return;
        };
        let header = format!("[{table}]");
        let mut lines: Vec<String> = self.toml.lines().map(str::to_owned).collect();
        // A comment may follow the header.
        match lines.iter().position(|line| line.trim_start().starts_with(&header)) {
            Some(at) => lines.insert(at + 1, format!("{field} = {value}")),
            None => lines.extend([String::new(), header, format!("{field} = {value}")]),
        }
        self.toml = lines.join("\n") + "\n";
    }

    fn fields(&self) -> Result<Fields, CoreError> {
        let place = self
            .file
            .as_ref()
            .map_or_else(|| format!("core {}", self.name), |file| file.display().to_string());
        let line = |span: Span| {
            1 + self.toml.as_bytes()[..span.start.min(self.toml.len())]
                .iter()
                .filter(|byte| **byte == b'\n')
                .count()
        };
        let mut fields = Fields { place, entries: vec![], known: vec![] };
        let root = toml_span::parse(&self.toml)
            .map_err(|error| fields.wrong(line(error.span), FieldProblem::Syntax(error.to_string())))?;
        if let Some(table) = root.as_table() {
            flatten(table, "", &line, &mut fields)?;
        }
        Ok(fields)
    }
}

/// Appends the keys of a table below a prefix.
fn flatten(
    table: &Table<'_>,
    prefix: &str,
    line: &dyn Fn(Span) -> usize,
    fields: &mut Fields,
) -> Result<(), CoreError> {
    for (key, value) in table {
        let name = format!("{prefix}{}", key.name);
        if let Some(inner) = value.as_table().filter(|inner| !inner.is_empty()) {
            flatten(inner, &format!("{name}."), line, fields)?;
            continue;
        }
        let Some(content) = field(value) else {
            let found = if value.as_table().is_some() { "an empty table" } else { "another value" };
            let (expected, found) =
                ("a number, a text, or a list of two numbers".to_owned(), found.to_owned());
            return Err(fields.wrong(line(value.span), FieldProblem::Value { key: name, expected, found }));
        };
        fields.entries.push(Entry { key: name, value: content, line: line(key.span), span: value.span });
    }
    Ok(())
}

fn field(value: &Value<'_>) -> Option<Field> {
    let number = |value: &Value<'_>| match value.as_ref() {
        ValueInner::Integer(x) => Some(*x as f64),
        ValueInner::Float(x) => Some(*x),
        _ => None,
    };
    match value.as_ref() {
        ValueInner::String(text) => Some(Field::Text(text.to_string())),
        ValueInner::Boolean(x) => Some(Field::Boolean(*x)),
        ValueInner::Array(pair) => match &pair[..] {
            [x, y] => Some(Field::Pair([number(x)?, number(y)?])),
            _ => None,
        },
        _ => number(value).map(Field::Number),
    }
}

/// The keys of a text, which are taken one by one.
struct Fields {
    place: String,
    entries: Vec<Entry>,
    /// Keys that were asked for.
    known: Vec<String>,
}

impl Fields {
    fn wrong(&self, line: usize, problem: FieldProblem) -> CoreError {
        let place = if line == 0 { self.place.clone() } else { format!("{}:{line}", self.place) };
        CoreError::Field { place, problem }
    }

    fn unknown(&self, key: &str, line: usize) -> CoreError {
        let all = self
            .known
            .iter()
            .chain(self.entries.iter().map(|entry| &entry.key))
            .filter(|known| *known != key);
        let near = nearest(key, all.map(String::as_str).collect::<Vec<_>>());
        let near = near.map_or_else(
            || format!(": fields are {}", FIELDS.map(|(key, _)| key).join(", ")),
            |near| format!(": did you mean {near}?"),
        );
        self.wrong(line, FieldProblem::Unknown { key: key.to_owned(), near })
    }

    fn take(&mut self, key: &str) -> Option<Entry> {
        self.known.push(key.to_owned());
        let at = self.entries.iter().position(|entry| entry.key == key)?;
        Some(self.entries.remove(at))
    }

    /// Returns true if the core may have a field that the text leaves out.
    fn takes(&self, key: &str) -> bool {
        let has = |prefix: &str| self.entries.iter().any(|entry| entry.key.starts_with(prefix));
        match key.rsplit_once('.') {
            None => key == "fma_share",
            Some(("overhead", field)) => ["operation_ns", "product_ns"].contains(&field),
            Some(("peak", _)) => has("peak."),
            Some((table, field)) => {
                table.starts_with("cache.") && field == "instances" && has(&format!("{table}."))
            }
        }
    }

    fn value_error(&self, entry: &Entry, expected: impl fmt::Display) -> CoreError {
        let (expected, found) = (expected.to_string(), entry.value.to_string());
        self.wrong(entry.line, FieldProblem::Value { key: entry.key.clone(), expected, found })
    }

    /// The number of a field, which must be in its range.
    fn in_range(&self, entry: &Entry) -> Result<f64, CoreError> {
        let range = Range::of(&entry.key).expect("the field is in the table of ranges");
        match entry.value {
            Field::Number(x) if range.contains(x) => Ok(x),
            _ => Err(self.value_error(entry, range)),
        }
    }

    fn optional(&mut self, key: &str) -> Result<Option<f64>, CoreError> {
        self.take(key).map(|entry| self.in_range(&entry)).transpose()
    }

    fn number(&mut self, key: &str, example: f64) -> Result<f64, CoreError> {
        let missing = || FieldProblem::Missing { key: key.to_owned(), example: format!("{key} = {example}") };
        self.optional(key)?.ok_or_else(|| self.wrong(0, missing()))
    }

    fn text(&mut self, key: &str) -> Result<String, CoreError> {
        match self.take(key) {
            None => Ok(String::new()),
            Some(Entry { value: Field::Text(text), .. }) => Ok(text),
            Some(entry) => Err(self.value_error(&entry, "a text between quotation marks")),
        }
    }

    fn core(mut self, name: &str) -> Result<Core, CoreError> {
        let bounds = match self.take("bounds") {
            None => false,
            Some(Entry { value: Field::Boolean(bounds), .. }) => bounds,
            Some(entry) => return Err(self.value_error(&entry, "true or false")),
        };
        let fma_share = self.optional("fma_share")?;
        let has = |table: &str| self.entries.iter().any(|entry| entry.key.starts_with(table));
        let (vector, peak) = (has("units."), has("peak."));
        let core = Core {
            name: name.to_owned(),
            about: self.text("about")?,
            source: self.text("source")?,
            bounds,
            frequency_ghz: self.number("frequency_ghz", 2.1)?,
            fma_share,
            units: match (vector, peak) {
                (true, false) => Units::Vector(self.vector()?),
                (false, true) => Units::Peak(self.peak()?),
                (true, true) => return Err(self.wrong(0, FieldProblem::Units("both [units] and [peak]"))),
                (false, false) => {
                    return Err(self.wrong(0, FieldProblem::Units("neither [units] nor [peak]")));
                }
            },
            caches: self.caches()?,
            memory_gb_per_s: self.number("memory.gb_per_s", 30.0)?,
            memory_latency_ns: self.number("memory.latency_ns", 80.0)?,
            overhead: Overhead {
                operation_ns: self.optional("overhead.operation_ns")?.unwrap_or(0.0),
                product_ns: self.optional("overhead.product_ns")?.unwrap_or(0.0),
            },
        };
        match self.entries.first() {
            Some(entry) => Err(self.unknown(&entry.key, entry.line)),
            None => Ok(core),
        }
    }

    fn vector(&mut self) -> Result<VectorUnits, CoreError> {
        Ok(VectorUnits {
            count: self.number("units.count", 2.0)?,
            vector_bits: self.number("units.vector_bits", 512.0)?,
            registers: self.number("units.registers", 32.0)?,
            multiply_adds: self.number("units.multiply_adds", 32.0)?,
            area: self.number("units.area", 576.0)?,
            issue_width: self.number("units.issue_width", 4.0)?,
            reorder_buffer: self.number("units.reorder_buffer", 192.0)?,
        })
    }

    fn peak(&mut self) -> Result<Peak, CoreError> {
        let range = Range::of("peak.tile").expect("the field is in the table of ranges");
        let tile = match self.take("peak.tile") {
            Some(Entry { value: Field::Pair(tile), .. }) if tile.iter().all(|&side| range.contains(side)) => {
                tile
            }
            Some(entry) => {
                let expected = format_args!("rows and columns, as in [64, 256], each {range}");
                return Err(self.value_error(&entry, expected));
            }
            None => {
                let (key, example) = ("peak.tile".to_owned(), "peak.tile = [64, 256]".to_owned());
                return Err(self.wrong(0, FieldProblem::Missing { key, example }));
            }
        };
        let mut rates = vec![];
        while let Some(at) = self.entries.iter().position(|entry| entry.key.starts_with("peak.")) {
            let entry = self.entries.remove(at);
            let name = &entry.key["peak.".len()..];
            let Ok(spec) = name.parse::<binade::Spec>() else {
                return Err(
                    self.value_error(&entry, "a peak rate under the name of a format, as in peak.bf16")
                );
            };
            rates.push((spec.format.to_string(), self.in_range(&entry)?));
        }
        rates.sort_by(|a, b| a.0.cmp(&b.0));
        if !rates.iter().any(|(name, _)| name == "f32") {
            return Err(self.wrong(0, FieldProblem::NoBaseline("f32")));
        }
        Ok(Peak { tile, rates })
    }

    /// The caches in the order of their tables in the text. Each size is at least that of the level above.
    fn caches(&mut self) -> Result<Vec<Cache>, CoreError> {
        let mut found: Vec<(usize, String)> = vec![];
        for entry in &self.entries {
            if let Some((name, _)) = entry.key.strip_prefix("cache.").and_then(|key| key.split_once('.'))
                // Fields that only a change has are at no place.
                && entry.span != Span::default()
                && !found.iter().any(|(_, known)| known == name)
            {
                found.push((entry.span.start, name.to_owned()));
            }
        }
        found.sort();
        let mut caches: Vec<Cache> = vec![];
        for (_, name) in found {
            let key = |field: &str| format!("cache.{name}.{field}");
            let kib_key = key("kib");
            let line = self.entries.iter().find(|entry| entry.key == kib_key).map_or(0, |entry| entry.line);
            let cache = Cache {
                kib: self.number(&kib_key, 32.0)?,
                instances: self.optional(&key("instances"))?.unwrap_or(1.0),
                ways: self.number(&key("ways"), 8.0)?,
                line: self.number(&key("line"), 64.0)?,
                bytes_per_cycle: self.number(&key("bytes_per_cycle"), 64.0)?,
                latency_cycles: self.number(&key("latency_cycles"), 14.0)?,
                name,
            };
            let (name, kib) = (cache.name.clone(), cache.kib);
            if cache.bytes() < cache.ways * cache.line {
                let least = cache.ways * cache.line / 1024.0;
                return Err(self.wrong(line, FieldProblem::NoSet { name, least, kib }));
            }
            if let Some(above) = caches.last().filter(|above| above.kib > kib) {
                let (least, above) = (above.kib, above.name.clone());
                return Err(self.wrong(line, FieldProblem::Smaller { name, above, least, kib }));
            }
            caches.push(cache);
        }
        if caches.is_empty() { Err(self.wrong(0, FieldProblem::NoCache)) } else { Ok(caches) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(toml: &str) -> Result<Core, CoreError> {
        CoreText { name: "mine".to_owned(), file: Some("mine.toml".into()), toml: toml.to_owned() }.parse(&[])
    }

    #[test]
    fn default_core_equals_table_3() {
        let core = Core::named("skylake").unwrap().parse(&[]).unwrap();
        assert_eq!((core.frequency_ghz, core.memory_gb_per_s, core.fma_share), (2.1, 30.0, Some(0.395)));
        let sizes: Vec<_> = core.caches.iter().map(|cache| (&*cache.name, cache.kib, cache.ways)).collect();
        assert_eq!(sizes, [("L1", 32.0, 8.0), ("L2", 1024.0, 8.0), ("L3", 32768.0, 16.0)]);
        let Units::Vector(units) = &core.units else { panic!("{core:?}") };
        assert_eq!((units.count, units.lanes(), units.reorder_buffer), (2.0, 16.0, 192.0));
        for (name, _) in CORES {
            Core::named(name).unwrap().parse(&[]).unwrap();
        }
    }

    #[test]
    fn every_missing_field_is_named() {
        for (_, toml) in CORES {
            let lines: Vec<&str> = toml.lines().collect();
            let mut table = String::new();
            for (at, line) in lines.iter().enumerate() {
                if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                    table = format!("{name}.");
                }
                let Some((key, _)) = line.split_once(" = ").filter(|_| !line.starts_with('#')) else {
                    continue;
                };
                let optional = ["about", "source", "bounds", "fma_share", "instances"].contains(&key);
                if optional || table == "peak." && !["tile", "f32"].contains(&key) {
                    continue;
                }
                let without: Vec<&str> =
                    lines.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, l)| *l).collect();
                let error = parsed(&without.join("\n")).unwrap_err().to_string();
                let name = if key == "f32" {
                    "no f32".to_owned()
                } else {
                    format!("the core has no {table}{key}: add it")
                };
                assert!(error.starts_with("mine.toml: ") && error.contains(&name), "{name}: {error}");
            }
        }
    }

    #[test]
    fn wrong_fields_say_line_and_remedy() {
        let skylake = CORES[0].1;
        for (from, to, wanted) in [
            (
                "gb_per_s = 30",
                "gb_per_s = 0",
                "mine.toml:47: memory.gb_per_s must be a number from 0.001 to 1000000 GB/s: got 0",
            ),
            (
                "gb_per_s = 30",
                "gb_per_s = nan",
                "mine.toml:47: memory.gb_per_s must be a number from 0.001 to 1000000 GB/s: got NaN",
            ),
            (
                "ways = 16",
                "ways = \"16\"",
                "mine.toml:39: cache.L3.ways must be a whole number from 1 to 1000000: got the text '16'",
            ),
            (
                "fma_share = 0.395",
                "fma_share = 39.5",
                "mine.toml:5: fma_share must be a number from 0.000001 to 1: got 39.5",
            ),
            (
                "count = 2",
                "count = 2\ncuont = 3",
                "mine.toml:9: there is no field 'units.cuont': did you mean units.count?",
            ),
            ("[units]", "[unit]", "mine.toml: the core has neither [units] nor [peak]"),
            ("[memory]", "[memory", "mine.toml:46: not TOML: "),
            ("[memory]", "[peak]\nf32 = 1\n[memory]", "mine.toml: the core has both [units] and [peak]"),
        ] {
            assert!(skylake.contains(from), "{from}");
            let error = parsed(&skylake.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(error.starts_with(wanted), "{error}\n{wanted}");
        }
        let without: String = skylake.split("[cache.L1]").next().unwrap().to_owned()
            + "[memory]\ngb_per_s = 3\nlatency_ns = 3\n";
        assert!(parsed(&without).unwrap_err().to_string().contains("the core has no cache"));
    }

    /// Values of a TOML file that no numeric field takes.
    #[test]
    fn every_numeric_field_refuses_what_is_no_number_of_its_range() {
        for (name, toml) in CORES {
            let text = Core::named(name).unwrap();
            for entry in text.fields().unwrap().entries {
                let Some(range) = Range::of(&entry.key) else { continue };
                for value in [
                    "0",
                    "-1",
                    "nan",
                    "inf",
                    "-inf",
                    "1e300",
                    "1e-300",
                    "\"2\"",
                    "true",
                    "[1, 2, 3]",
                    "[]",
                    "{}",
                ] {
                    if range.contains(value.parse().unwrap_or(f64::NAN)) {
                        continue;
                    }
                    let mut wrong = toml.to_owned();
                    wrong.replace_range(entry.span.start..entry.span.end, value);
                    let error = parsed(&wrong).unwrap_err().to_string();
                    let place = format!("mine.toml:{}: {} must be ", entry.line, entry.key);
                    assert!(error.starts_with(&place) && error.contains(": got "), "{value}: {error}");
                    let is_ranged = error.contains(&range.bounds());
                    assert!(is_ranged || value.starts_with(['[', '{']), "{value}: {error}");
                }
            }
        }
    }

    #[test]
    fn caches_are_in_the_order_of_the_file() {
        let skylake = CORES[0].1;
        // Names do not order levels.
        let renamed = skylake.replace("[cache.L1]", "[cache.Z]").replace("[cache.L3]", "[cache.A]");
        let names: Vec<String> =
            parsed(&renamed).unwrap().caches.into_iter().map(|cache| cache.name).collect();
        assert_eq!(names, ["Z", "L2", "A"]);
        let small = skylake.replacen("kib = 1024", "kib = 16", 1);
        assert_eq!(
            parsed(&small).unwrap_err().to_string(),
            "mine.toml:29: cache.L2 is smaller than cache.L1, the level above it: cache.L2.kib must be at least 32 KiB: got 16 KiB"
        );
        let error = Core::named("skylake").unwrap().parse(&set("cache.L1.kib", 2000.0)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "core skylake:29: cache.L2 is smaller than cache.L1, the level above it: cache.L2.kib must be at least 2000 KiB: got 1024 KiB"
        );
        // The first levels of all processors may have more bytes together than the second.
        let many = parsed(&skylake.replacen("kib = 32\n", "kib = 32\ninstances = 100\n", 1)).unwrap();
        assert_eq!((&*many.caches[0].name, many.caches[0].instances), ("L1", 100.0));
    }

    #[test]
    fn field_is_printed_below_a_header_with_a_comment() {
        let toml = CORES[0].1.replace("[cache.L3]", "[cache.L3] # the last level");
        let printed = CoreText::new("mine", toml).changed(&set("cache.L3.instances", 2.0)).unwrap();
        assert!(printed.contains("[cache.L3] # the last level\ninstances = 2\n"), "{printed}");
    }

    fn set(key: &str, value: f64) -> Vec<(String, f64)> {
        vec![(key.to_owned(), value)]
    }

    #[test]
    fn changed_fields_are_in_the_printed_core() {
        for (name, key, value) in [
            ("skylake", "memory.gb_per_s", 60.0),
            ("skylake", "fma_share", 0.2),
            ("skylake", "cache.L3.instances", 2.0),
            ("skylake", "overhead.operation_ns", 1500.0),
            ("h100", "fma_share", 0.5),
            ("h100", "cache.shared.instances", 114.0),
            ("h100", "peak.float6_e3m2fn", 1978.9),
        ] {
            let text = Core::named(name).unwrap();
            let changes = [set(key, value), set("frequency_ghz", 1.25)].concat();
            let core = text.parse(&changes).unwrap();
            assert_ne!(core, text.parse(&[]).unwrap(), "{key}");
            let printed = text.changed(&changes).unwrap();
            assert_eq!(CoreText::new(name, printed.clone()).parse(&[]).unwrap(), core, "{key}\n{printed}");
            // Nothing else changes, comments included.
            let kept = text.toml.lines().filter(|line| printed.contains(line)).count();
            assert!(text.toml.lines().count() - kept <= 2, "{key}\n{printed}");
        }
        assert_eq!(Core::named("edge").unwrap().changed(&[]).unwrap(), Core::named("edge").unwrap().toml);
    }

    #[test]
    fn absurd_changes_are_refused_with_the_range_of_their_field() {
        for (name, key, value, wanted) in [
            (
                "skylake",
                "memory.gb_per_s",
                -3.0,
                "memory.gb_per_s must be a number from 0.001 to 1000000 GB/s: got -3",
            ),
            (
                "skylake",
                "memory.gb_per_s",
                1e300,
                "memory.gb_per_s must be a number from 0.001 to 1000000 GB/s: got 1e300",
            ),
            (
                "skylake",
                "cache.L2.bytes_per_cycle",
                f64::NAN,
                "cache.L2.bytes_per_cycle must be a number from 0.001 to 1000000 bytes per cycle: got NaN",
            ),
            (
                "skylake",
                "units.count",
                f64::INFINITY,
                "units.count must be a number from 0.001 to 1000000: got inf",
            ),
            (
                "skylake",
                "units.registers",
                1.0,
                "units.registers must be a whole number from 4 to 65536: got 1",
            ),
            ("skylake", "fma_share", 1.5, "fma_share must be a number from 0.000001 to 1: got 1.5"),
            ("skylake", "fma_share", 0.0, "fma_share must be a number from 0.000001 to 1: got 0"),
            (
                "skylake",
                "cache.L1.instances",
                0.0,
                "cache.L1.instances must be a whole number from 1 to 1000000: got 0",
            ),
            (
                "skylake",
                "overhead.product_ns",
                -1.0,
                "overhead.product_ns must be a number from 0 to 1000000000 ns: got -1",
            ),
            (
                "skylake",
                "cache.L1.kib",
                0.25,
                "cache.L1 has no whole set: cache.L1.kib must be at least 0.5 KiB, for a line in each way: got 0.25 KiB",
            ),
            (
                "h100",
                "cache.L2.kib",
                8.0,
                "cache.L2 is smaller than cache.shared, the level above it: cache.L2.kib must be at least 228 KiB: got 8 KiB",
            ),
            (
                "skylake",
                "units.vector_bits",
                33.0,
                "units.vector_bits must be a multiple of 32 from 32 to 65536 bits: got 33",
            ),
            (
                "skylake",
                "frequency_ghz",
                1e-300,
                "frequency_ghz must be a number from 0.001 to 1000 GHz: got 1e-300",
            ),
            ("skylake", "", 1.0, "there is no field '': fields are frequency_ghz, fma_share, units.count, "),
            ("skylake", "cache.L4.kib", 1.0, "there is no field 'cache.L4.kib': did you mean cache.L1.kib?"),
            ("skylake", "peak.bf16", 1.0, "there is no field 'peak.bf16'"),
            ("h100", "bounds", 1.0, "bounds must be true or false: got 1"),
            (
                "h100",
                "peak.bf17",
                1.0,
                "peak.bf17 must be a peak rate under the name of a format, as in peak.bf16: got 1",
            ),
            (
                "h100",
                "peak.tile",
                1.0,
                "peak.tile must be rows and columns, as in [64, 256], each a whole number from 1 to 65536: got 1",
            ),
            ("h100", "units.count", 1.0, "there is no field 'units.count'"),
        ] {
            let error = Core::named(name).unwrap().parse(&set(key, value)).unwrap_err().to_string();
            assert!(error.starts_with(&format!("core {name}: {wanted}")), "{error}\n{wanted}");
        }
    }

    #[test]
    fn unknown_cores_and_changes_suggest_names() {
        let error = Core::called("skylak").unwrap_err().to_string();
        assert!(error.starts_with("there is no core 'skylak': did you mean skylake?"), "{error}");
        // Paths are files, whatever their ending.
        let folder = env!("CARGO_MANIFEST_DIR");
        for (path, wanted) in [
            ("nowhere.json", "nowhere.json: cannot read the core: ".to_owned()),
            (folder, format!("{folder}: cannot read the core: ")),
            ("./skylake", "./skylake: cannot read the core: ".to_owned()),
        ] {
            let error = Core::called(path).unwrap_err().to_string();
            let remedy = ": must be a TOML file, or one of skylake, avx512-server, edge, h100 and measured (this machine)";
            assert!(error.starts_with(&wanted) && error.ends_with(remedy), "{error}");
        }
        let error = parsed("{\"frequency_ghz\": 2.1}").unwrap_err().to_string();
        assert!(error.starts_with("mine.toml:1: not TOML: "), "{error}");
        let error = Core::called("nowhere.toml").unwrap_err().to_string();
        assert!(error.starts_with("nowhere.toml: cannot read the core: "), "{error}");
        let text = Core::named("skylake").unwrap();
        let error = text.parse(&[("memory.gb_per".to_owned(), 1.0)]).unwrap_err().to_string();
        assert_eq!(error, "core skylake: there is no field 'memory.gb_per': did you mean memory.gb_per_s?");
        let error = text.parse(&[("memory.gb_per_s".to_owned(), 0.0)]).unwrap_err().to_string();
        assert_eq!(error, "core skylake: memory.gb_per_s must be a number from 0.001 to 1000000 GB/s: got 0");
    }
}
