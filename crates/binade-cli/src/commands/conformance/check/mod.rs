//! `binade conformance check`: an implementer's statement of conformance to 4.0 (§4.6), as the working group's exemplars have
//! it, and tables of what is approximate.
//!
//! | file | has | checked |
//! |---|---|---|
//! | operations | names under the headings Math, Comparison, … | each is 4.0's |
//! | configurations | named sets of formats, modes, sizes of blocks, approximations | names; sizes and random bits are positive; each approximation is declared where files of κ are given |
//! | profiles | formats of each configuration | names after expansion; the configuration is there |
//! | constraints | `Requires` and projections by signature | operations, their formats and operands; relations, evaluated over the formats of the configuration, hold for some |
//! | kappas | approximations with κ by interval | operations, intervals that do not overlap, relations, modes |

mod document;
mod expression;
mod kappa;
pub(super) mod names;
mod real;

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use binade::{Projection, Rounding, Saturation, Spec};
use clap::Args;
use serde::Serialize;

use self::document::{Data, Node};
use self::expression::Expression;
use self::kappa::{Interval, Table};
use self::names::Named;
use self::real::Effort;
use crate::error::printable;
use crate::modes::Mode;
use crate::{Error, Output, Status};

pub(crate) use names::{Named as NamedOperation, operations};

/// Arguments of `binade conformance check`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Files of a statement, in YAML: operations, configurations, profiles, constraints, kappas, in any order
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// A table of an approximation's results, from which κ is computed: `# NAME: Op<f, fr, (Round, Sat)>`, then a line
    /// `CODE… RESULT` for every combination of operands, as `binade vectors` writes them; may be repeated
    #[arg(long, value_name = "FILE")]
    results: Vec<PathBuf>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Something that is not as 4.0 has it.
#[derive(Serialize)]
struct Finding {
    file: String,
    line: usize,
    message: String,
}

/// A file that was read.
#[derive(Serialize)]
struct Checked {
    file: String,
    kind: &'static str,
    /// How many names, signatures or formats it has.
    entries: usize,
}

/// A signature's relations over the formats that there are.
#[derive(Serialize)]
struct Evaluated {
    file: String,
    line: usize,
    context: String,
    operation: String,
    /// Combinations of formats for which the relations hold.
    holds: u64,
    /// Combinations in all.
    of: u64,
}

/// What a table of results has in an interval.
#[derive(Serialize)]
struct Measured {
    file: String,
    approximation: String,
    operation: String,
    /// `None`: operands that no interval has.
    interval: Option<String>,
    operands: u64,
    /// `None`: NaN beside a number.
    kappa: Option<u64>,
    /// The line of the largest distance.
    line: usize,
    declared: u64,
}

#[derive(Default, Serialize)]
struct Report {
    files: Vec<Checked>,
    constraints: Vec<Evaluated>,
    tables: Vec<Measured>,
    findings: Vec<Finding>,
}

/// A declared approximation.
struct Approximation {
    file: String,
    name: String,
    contexts: Vec<String>,
    operation: Option<String>,
    intervals: Vec<(Interval, u64, usize)>,
    relations: Vec<Expression>,
    /// The projections that it is for; of none, any.
    projections: Vec<Modes>,
}

/// Modes in any combination; `None` are all.
#[derive(Default)]
struct Modes {
    rounding: Option<Vec<Mode>>,
    saturation: Option<Vec<Saturation>>,
}

impl Modes {
    fn have(&self, how: Projection) -> bool {
        let rounds = |mode: &Mode| match (*mode, how.rounding) {
            (Mode::Stochastic(variant), Rounding::Stochastic { variant: drawn, .. }) => variant == drawn,
            (mode, rounding) => mode == Mode::Fixed(rounding),
        };
        self.rounding.as_ref().is_none_or(|modes| modes.iter().any(rounds))
            && self.saturation.as_ref().is_none_or(|modes| modes.contains(&how.saturation))
    }
}

/// Everything that is known while files are checked.
#[derive(Default)]
struct Checker {
    report: Report,
    /// The file that is being checked.
    file: String,
    /// Configurations, where there is a file of them.
    configurations: Option<Vec<String>>,
    /// Formats by configuration.
    profiles: HashMap<String, Vec<Spec>>,
    approximations: Option<Vec<Approximation>>,
    /// Approximations that configurations name: file, configuration, name, line.
    wanted: Vec<(String, String, String, usize)>,
}

/// The kinds of files, in the order in which they are checked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Operations,
    Configurations,
    Profiles,
    Constraints,
    Kappas,
    Empty,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Operations => "operations",
            Kind::Configurations => "configurations",
            Kind::Profiles => "profiles",
            Kind::Constraints => "constraints",
            Kind::Kappas => "kappas",
            Kind::Empty => "empty",
        }
    }

    /// What a file is, by its keys.
    fn of(root: &Node) -> Option<Kind> {
        const HEADINGS: [&str; 8] = [
            "Classification",
            "Comparison",
            "Extrema",
            "Projection",
            "Math",
            "Block",
            "Conversion",
            "Format",
        ];
        const PARTS: [&str; 4] = ["CoreOperations", "BlockSizes", "Projections", "KappaApproximate"];
        let sections: Vec<(&str, &Node)> = sections(root);
        let has = |test: &dyn Fn(&str, &Node) -> bool| sections.iter().any(|(name, node)| test(name, node));
        if root.get("Profiles").is_some() || has(&|_, node| node.get("formats").is_some()) {
            Some(Kind::Profiles)
        } else if has(&|name, _| HEADINGS.contains(&name)) {
            Some(Kind::Operations)
        } else if has(&|_, node| node.pairs().iter().any(|(_, body)| body.get("Approximates").is_some())) {
            Some(Kind::Kappas)
        } else if has(&|_, node| node.pairs().iter().any(|(key, _)| key.contains(['<', '‹']))) {
            Some(Kind::Constraints)
        } else if has(&|_, node| PARTS.iter().any(|part| node.get(part).is_some())) {
            Some(Kind::Configurations)
        } else if root.get("Empty").is_some_and(|node| node.text() == Some("true")) {
            Some(Kind::Empty)
        } else {
            None
        }
    }
}

/// What a file has beside its metadata.
fn sections(root: &Node) -> Vec<(&str, &Node)> {
    root.pairs().into_iter().filter(|(name, _)| !name.eq_ignore_ascii_case("metadata")).collect()
}

/// `Op<fx, fr, ρ>(x) -> r`.
struct Signature {
    name: String,
    formats: Vec<String>,
    projected: bool,
    operands: Option<usize>,
}

impl Signature {
    fn parse(text: &str) -> Result<Signature, String> {
        let wrong = || format!("'{}' is not a signature: write Op<fx, fr, ρ>(x) -> r", text.escape_debug());
        let plain = text.replace(['‹', '{'], "<").replace(['›', '}'], ">");
        let (name, rest) = plain.split_once('<').ok_or_else(wrong)?;
        let (inside, after) = rest.split_once('>').ok_or_else(wrong)?;
        let words: Vec<String> = inside.split(',').map(|word| word.trim().to_owned()).collect();
        let after = after.trim().trim_start_matches(':').trim();
        let operands = match after.split_once(')') {
            Some((operands, arrow)) if operands.starts_with('(') && arrow.trim().starts_with("->") => {
                Some(operands[1..].split(',').filter(|word| !word.trim().is_empty()).count())
            }
            None if after.is_empty() => None,
            _ => return Err(wrong()),
        };
        let is_projection = |word: &String| ["ρ", "π", "rho", "pi"].contains(&&**word);
        let projected = words.last().is_some_and(is_projection);
        let formats = words[..words.len() - projected as usize].to_vec();
        let variable = |word: &String| {
            word.starts_with(|c: char| c.is_ascii_alphabetic())
                && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        if name.trim().is_empty() || !formats.iter().all(variable) {
            return Err(wrong());
        }
        if formats.iter().enumerate().any(|(at, word)| formats[..at].contains(word)) {
            return Err(format!("'{}' names a format twice", text.escape_debug()));
        }
        Ok(Signature { name: name.trim().to_owned(), formats, projected, operands })
    }
}

/// The text of a relation: `(' fx == fy ')` and `"fx == fy"`.
fn relation(text: &str) -> &str {
    let inside = text.trim().strip_prefix("('").and_then(|rest| rest.strip_suffix("')"));
    inside.unwrap_or(text).trim()
}

/// The most combinations of formats that relations are evaluated over.
const MOST_COMBINATIONS: u64 = 1 << 20;

/// The combinations of so many formats.
struct Combinations {
    formats: Vec<Spec>,
    variables: usize,
    next: u64,
    /// How many there are.
    of: u64,
    /// Whether they are of all formats: of many, the first are taken, so many that their combinations can be tried.
    all: bool,
}

impl Combinations {
    fn new(mut formats: Vec<Spec>, variables: usize) -> Combinations {
        let before = formats.len();
        while (formats.len() as u64).checked_pow(variables as u32).is_none_or(|of| of > MOST_COMBINATIONS) {
            formats.pop();
        }
        let of = (formats.len() as u64).pow(variables as u32);
        Combinations { variables, next: 0, of, all: formats.len() == before, formats }
    }
}

impl Iterator for Combinations {
    type Item = Vec<Spec>;

    fn next(&mut self) -> Option<Vec<Spec>> {
        let mut rest = (self.next < self.of).then_some(self.next)?;
        self.next += 1;
        let count = self.formats.len() as u64;
        let mut chosen = vec![];
        for _ in 0..self.variables {
            chosen.push(self.formats[(rest % count) as usize].clone());
            rest /= count;
        }
        Some(chosen)
    }
}

/// Whether all relations hold for these formats.
fn all_hold(relations: &[Expression], formats: &[Spec], effort: &Effort) -> Result<bool, String> {
    let mut all = true;
    for relation in relations {
        all &= relation.holds(formats, effort)?;
    }
    Ok(all)
}

/// Checks that each interval has something in it, and that no two have the same; or the line of one, and what is wrong.
fn apart(
    intervals: &[(Interval, u64, usize)],
    formats: &[Spec],
    effort: &Effort,
) -> Result<(), (usize, String)> {
    // While each is above the one before it, it is above all of them.
    let mut ascending = true;
    for (at, (interval, _, line)) in intervals.iter().enumerate() {
        interval.check(formats, effort).map_err(|message| (*line, message))?;
        if ascending && let Some((last, ..)) = intervals[..at].last() {
            ascending = last.before(interval, formats, effort).map_err(|message| (*line, message))?;
        }
        if ascending {
            continue;
        }
        for (other, ..) in &intervals[..at] {
            if other.meets(interval, formats, effort).map_err(|message| (*line, message))? {
                let message = format!("the intervals {} and {} overlap", other.text(), interval.text());
                return Err((*line, message));
            }
        }
    }
    Ok(())
}

impl Checker {
    fn find(&mut self, node: &Node, message: impl Into<String>) {
        self.find_at(node.line, message);
    }

    fn find_at(&mut self, line: usize, message: impl Into<String>) {
        let (file, message) = (self.file.clone(), message.into());
        self.report.findings.push(Finding { file, line, message });
    }

    /// What is right, or a finding.
    fn right<T>(&mut self, node: &Node, checked: Result<T, String>) -> Option<T> {
        checked.map_err(|message| self.find(node, message)).ok()
    }

    fn file(&mut self, path: &Path, kind: Kind, root: &Node) {
        self.file = path.display().to_string();
        let entries = match kind {
            Kind::Operations => self.operations(root),
            Kind::Configurations => self.configurations(root),
            Kind::Profiles => self.profiles(root),
            Kind::Constraints => self.constraints(root),
            Kind::Kappas => self.kappas(root),
            Kind::Empty => 0,
        };
        self.report.files.push(Checked { file: self.file.clone(), kind: kind.name(), entries });
    }

    fn operations(&mut self, root: &Node) -> usize {
        let mut count = 0;
        for (_, section) in sections(root) {
            count += self.listed(section);
        }
        count
    }

    /// Names in lists; of a mapping in a list the keys are names (`StochasticA: …`), elsewhere they are headings.
    fn listed(&mut self, node: &Node) -> usize {
        match &node.data {
            Data::Text(name) => {
                self.right(node, names::standard(name.trim()));
                1
            }
            // What has random bits is a mode.
            Data::Map(pairs) => pairs
                .iter()
                .map(|(key, value)| self.listed(if value.get("bits").is_some() { key } else { value }))
                .sum(),
            Data::List(items) => items
                .iter()
                .map(|item| match &item.data {
                    Data::Map(pairs) => {
                        let named = pairs.iter().filter(|(key, _)| key.text() != Some("note"));
                        named.map(|(key, _)| self.listed(key)).sum()
                    }
                    _ => self.listed(item),
                })
                .sum(),
        }
    }

    fn configurations(&mut self, root: &Node) -> usize {
        let mut known = self.configurations.take().unwrap_or_default();
        for (name, section) in sections(root) {
            if known.contains(&name.to_owned()) {
                self.find(section, format!("the configuration {name} is there twice"));
            }
            known.push(name.to_owned());
            for core in ["CoreOperations", "IEEE754"].iter().filter_map(|key| section.get(key)) {
                for (text, node) in core.leaves() {
                    self.right(node, names::format(text));
                }
            }
            if let Some(sizes) = section.get("BlockSizes") {
                for (text, node) in sizes.leaves() {
                    self.right(node, sizes_of(text));
                }
            }
            if let Some(projections) = section.get("Projections") {
                let modes = projections.get("RoundingModes");
                for (kind, listed) in modes.map(Node::pairs).unwrap_or_default() {
                    match kind {
                        "deterministic" | "stochastic" => {
                            self.rounding_modes(listed);
                        }
                        _ => self.find(listed, format!("{kind} is neither deterministic nor stochastic")),
                    }
                }
                if let Some(modes) = projections.get("Rounding") {
                    self.rounding_modes(modes);
                }
                for modes in ["Saturation", "SaturationModes"].iter().filter_map(|key| projections.get(key)) {
                    self.saturation_modes(modes);
                }
            }
            for item in section.get("KappaApproximate").map(Node::items).unwrap_or_default() {
                // Of one in several parts, the parts are declared.
                for (text, node) in item.leaves() {
                    self.wanted.push((self.file.clone(), name.to_owned(), text.to_owned(), node.line));
                }
            }
        }
        let count = known.len();
        self.configurations = Some(known);
        count
    }

    /// Rounding modes in a list; a stochastic one may say its random bits.
    fn rounding_modes(&mut self, listed: &Node) -> Vec<Mode> {
        let mut modes = vec![];
        for item in listed.items() {
            for (name, body) in item.pairs() {
                if name == "notes" {
                    continue;
                }
                modes.extend(self.right(item, names::rounding(name)).map(|(mode, _)| mode));
                for (_, node) in
                    body.pairs().into_iter().filter(|(key, _)| ["bits", "randbits"].contains(key))
                {
                    for (text, node) in node.leaves() {
                        self.right(node, random_bits(text));
                    }
                }
            }
            if let Some(name) = item.text() {
                modes.extend(self.right(item, names::rounding(name)).map(|(mode, _)| mode));
            }
        }
        modes
    }

    fn profiles(&mut self, root: &Node) -> usize {
        let mut count = 0;
        // A section is a configuration; in an earlier form they are in a list, with their names in them.
        let listed =
            root.get("Profiles").map(Node::items).unwrap_or_default().iter().map(|profile| (None, profile));
        let named = sections(root).into_iter().filter(|(name, _)| *name != "Profiles");
        for (name, profile) in listed.chain(named.map(|(name, profile)| (Some(name.to_owned()), profile))) {
            let own = profile.get("configuration").and_then(|node| Some((node.text()?.to_owned(), node)));
            let Some((configuration, node)) = name.map(|name| (name, profile)).or(own) else {
                self.find(profile, "a profile names its formats and a configuration");
                continue;
            };
            if self.configurations.as_ref().is_some_and(|known| !known.contains(&configuration)) {
                self.find(node, format!("there is no configuration {configuration}"));
            }
            let mut formats = vec![];
            for (text, node) in profile.get("formats").map(Node::leaves).unwrap_or_default() {
                for name in self.right(node, names::expanded(text)).unwrap_or_default() {
                    formats.extend(self.right(node, names::format(&name)));
                }
            }
            if formats.is_empty() {
                self.find(profile, "a profile without formats");
            }
            count += formats.len();
            self.profiles.entry(configuration).or_default().extend(formats);
        }
        count
    }

    fn known_context(&mut self, node: &Node, context: &str) {
        if self.configurations.as_ref().is_some_and(|known| !known.iter().any(|name| name == context)) {
            self.find(node, format!("there is no configuration {context}"));
        }
    }

    fn constraints(&mut self, root: &Node) -> usize {
        let mut count = 0;
        for (context, section) in sections(root) {
            self.known_context(section, context);
            let mut signatures: Vec<(String, usize)> = vec![];
            for (text, body) in section.pairs() {
                count += 1;
                let Some(signature) = self.right(body, Signature::parse(text)) else { continue };
                let key = (signature.name.clone(), signature.formats.len());
                if signatures.contains(&key) {
                    self.find(body, format!("{} is constrained twice in {context}", signature.name));
                }
                signatures.push(key);
                self.signature(body, &signature);
                if let Some(projections) = body.get("Projections") {
                    self.projections(projections);
                }
                let relations = self.relations(body.get("Requires"), &signature.formats);
                self.evaluate(body, context, &signature, &relations);
            }
        }
        count
    }

    /// Whether an operation has so many formats and operands.
    fn signature(&mut self, node: &Node, signature: &Signature) {
        let Signature { name, formats, projected, operands } = signature;
        // All operations of this form that are not named.
        if name == "Other" {
            let expected = formats.len() - 1;
            if operands.is_some_and(|operands| operands != expected) {
                self.find(node, format!("Other has {} formats, so {expected} operands", formats.len()));
            }
            return;
        }
        let Some(named) = self.right(node, names::operation(name)) else { return };
        if let Some(expected) = names::formats_of(named)
            && expected != formats.len()
        {
            self.find(node, format!("{name} has {expected} formats, not {}", formats.len()));
        }
        if let Named::Operation(operation) = named {
            // Operands of the scaled ones come in pairs.
            let pairs = if name.starts_with("Scaled") { 2 } else { 1 };
            if let Some(given) = operands.filter(|given| given * pairs != operation.arity()) {
                self.find(node, format!("{name} has {} operands, not {given}", operation.arity() / pairs));
            }
            let nearby = name.starts_with("Next");
            if *projected != (operation.kind() == binade::AnswerKind::Code && !nearby) {
                let not = if *projected { "not " } else { "" };
                self.find(node, format!("{name} is {not}projected"));
            }
        }
    }

    fn relations(&mut self, node: Option<&Node>, variables: &[String]) -> Vec<Expression> {
        let mut relations = vec![];
        for (text, node) in node.map(Node::leaves).unwrap_or_default() {
            relations.extend(self.right(node, Expression::parse(relation(text), variables)));
        }
        relations
    }

    /// The formats of a configuration, or those that 4.0 demands.
    fn formats(&self, context: &str) -> Vec<Spec> {
        self.profiles.get(context).cloned().unwrap_or_else(mandatory_formats)
    }

    /// Whether intervals are apart: those with names of formats over all formats of their configurations that relations allow.
    fn intervals(&mut self, found: &Approximation, formats: usize) {
        let effort = Effort::new();
        let fixed: Vec<_> =
            found.intervals.iter().filter(|(interval, ..)| interval.is_fixed()).cloned().collect();
        if let Err((line, message)) = apart(&fixed, &[], &effort) {
            return self.find_at(line, message);
        }
        if fixed.len() == found.intervals.len() {
            return;
        }
        for context in &found.contexts {
            for chosen in Combinations::new(self.formats(context), formats) {
                let checked = match all_hold(&found.relations, &chosen, &effort) {
                    Ok(true) => apart(&found.intervals, &chosen, &effort),
                    // What is wrong with relations is told where they are evaluated.
                    _ => continue,
                };
                if let Err((line, message)) = checked {
                    let names: Vec<&str> = chosen.iter().map(Spec::name).collect();
                    return self.find_at(line, format!("{message}, for {}", names.join(", ")));
                }
            }
        }
    }

    /// That an approximation's relations hold for some formats of each of its configurations whose profiles are there.
    fn applies(&mut self, node: &Node, found: &Approximation, formats: usize) {
        let effort = Effort::new();
        for context in found.contexts.iter().filter(|context| self.profiles.contains_key(*context)) {
            let mut combinations = Combinations::new(self.formats(context), formats);
            let all = combinations.all;
            // What cannot be decided may hold.
            let some =
                combinations.any(|chosen| all_hold(&found.relations, &chosen, &effort).unwrap_or(true));
            if !some && all {
                let message =
                    format!("the relations of {} hold for none of the formats of {context}", found.name);
                return self.find(node, message);
            }
        }
    }

    /// Counts the combinations of formats for which relations hold.
    fn evaluate(&mut self, node: &Node, context: &str, signature: &Signature, relations: &[Expression]) {
        if relations.is_empty() {
            return;
        }
        let combinations = Combinations::new(self.formats(context), signature.formats.len());
        let (of, all_tried) = (combinations.of, combinations.all);
        let (mut holds, effort) = (0, Effort::new());
        for chosen in combinations {
            match all_hold(relations, &chosen, &effort) {
                Ok(truth) => holds += truth as u64,
                Err(message) => return self.find(node, format!("{}: {message}", signature.name)),
            }
        }
        if holds == 0 && all_tried {
            self.find(
                node,
                format!("the relations of {} hold for none of the formats of {context}", signature.name),
            );
        }
        self.report.constraints.push(Evaluated {
            file: self.file.clone(),
            line: node.line,
            context: context.to_owned(),
            operation: signature.name.clone(),
            holds,
            of,
        });
    }

    /// Pairs of modes: mappings of RoundingMode and SaturationMode, each one or several, or lists of two.
    fn projections(&mut self, node: &Node) -> Vec<Modes> {
        let mut all = vec![];
        for item in node.items() {
            let mut modes = Modes::default();
            match &item.data {
                Data::List(pair) => match &pair[..] {
                    [rounding, saturation] => {
                        modes.rounding = Some(self.rounding_modes(rounding));
                        modes.saturation = Some(self.saturation_modes(saturation));
                    }
                    _ => self.find(item, "a projection is a rounding mode and a saturation mode"),
                },
                _ => {
                    if item.pairs().is_empty() {
                        self.find(item, "a projection is a rounding mode and a saturation mode");
                    }
                    for (key, listed) in item.pairs() {
                        match key {
                            "RoundingMode" => modes.rounding = Some(self.rounding_modes(listed)),
                            "SaturationMode" => modes.saturation = Some(self.saturation_modes(listed)),
                            _ => {
                                self.find(listed, format!("{key} is neither RoundingMode nor SaturationMode"))
                            }
                        }
                    }
                }
            }
            all.push(modes);
        }
        all
    }

    fn saturation_modes(&mut self, node: &Node) -> Vec<Saturation> {
        let mut modes = vec![];
        for (text, node) in node.leaves() {
            modes.extend(self.right(node, names::saturation(text)));
        }
        modes
    }

    fn kappas(&mut self, root: &Node) -> usize {
        let mut known = self.approximations.take().unwrap_or_default();
        let before = known.len();
        for (heading, section) in sections(root) {
            let plain = heading.trim_start_matches('(').trim_end_matches(')');
            let contexts: Vec<String> = plain.split(',').map(|name| name.trim().to_owned()).collect();
            for context in &contexts {
                self.known_context(section, context);
            }
            let parts = section.pairs();
            for (name, body) in &parts {
                // One in several parts is told once, and has its κ in them.
                let head = name.rsplit_once('.').and_then(|(stem, _)| {
                    parts.iter().find(|(other, _)| *other == stem).map(|(_, head)| *head)
                });
                let split = parts.iter().any(|(other, _)| other.starts_with(&format!("{name}.")));
                let found = self.approximation(name, body, head, contexts.clone(), split);
                known.push(found);
            }
        }
        let count = known.len() - before;
        self.approximations = Some(known);
        count
    }

    fn approximation(
        &mut self,
        name: &str,
        body: &Node,
        head: Option<&Node>,
        contexts: Vec<String>,
        split: bool,
    ) -> Approximation {
        let mut found = Approximation {
            file: self.file.clone(),
            name: name.to_owned(),
            contexts,
            operation: None,
            intervals: vec![],
            relations: vec![],
            projections: vec![],
        };
        let of = body.get("Approximates").or_else(|| head?.get("Approximates"));
        let of = of.and_then(|node| Some((node.text()?, node)));
        let Some((text, node)) = of else {
            self.find(body, format!("{name} does not say what it approximates"));
            return found;
        };
        let mut variables = vec![];
        if let Some(signature) = self.right(node, Signature::parse(text)) {
            self.signature(node, &signature);
            let required = body.get("Requires").or_else(|| body.get("Constraints"));
            found.relations = self.relations(required, &signature.formats);
            found.operation = Some(signature.name);
            variables = signature.formats;
        }
        for item in body.get("Kappas").map(Node::items).unwrap_or_default() {
            let (interval, kappa) = (item.get("interval"), item.get("kappa"));
            let (Some(interval), Some(kappa)) = (interval, kappa) else {
                self.find(item, "an interval and its kappa are wanted");
                continue;
            };
            let text = interval.text().unwrap_or_default();
            let parsed = self.right(interval, Interval::parse(text, &variables));
            let number = kappa.text().unwrap_or_default().parse::<u64>();
            let number =
                number.map_err(|_| format!("κ is a whole number, not {}", kappa.text().unwrap_or("a list")));
            let number = self.right(kappa, number);
            if let (Some(parsed), Some(number)) = (parsed, number) {
                found.intervals.extend(parsed.into_iter().map(|interval| (interval, number, kappa.line)));
            }
        }
        self.intervals(&found, variables.len());
        if !found.relations.is_empty() {
            self.applies(body, &found, variables.len());
        }
        if found.intervals.is_empty() && !split {
            self.find(body, format!("{name} has no κ"));
        }
        if let Some(projections) = body.get("Projections") {
            found.projections = self.projections(projections);
        }
        found
    }

    /// What configurations call approximate is declared.
    fn wanted(&mut self) {
        let Some(known) = &self.approximations else { return };
        let declared = |configuration: &String, name: &String| {
            known.iter().any(|approximation| {
                // Several declarations of one are numbered: ExpFast.1.
                let stem =
                    approximation.name.rsplit_once('.').map_or(&*approximation.name, |(stem, number)| {
                        if number.parse::<u32>().is_ok() { stem } else { &*approximation.name }
                    });
                (stem == name || approximation.name == *name)
                    && approximation.contexts.contains(configuration)
            })
        };
        for (file, configuration, name, line) in &self.wanted {
            if !declared(configuration, name) {
                let message = format!("no κ of {name} is declared for {configuration}");
                self.report.findings.push(Finding { file: file.clone(), line: *line, message });
            }
        }
    }

    /// κ from a table, beside what is declared.
    fn table(&mut self, path: &Path, table: &Table) {
        self.file = path.display().to_string();
        let approximations = self.approximations.take().unwrap_or_default();
        match approximations.iter().find(|approximation| approximation.name == table.name) {
            None => self.find_at(1, format!("no file declares a κ of {}", table.name)),
            Some(approximation) => self.beside(table, approximation),
        }
        self.approximations = Some(approximations);
    }

    fn beside(&mut self, table: &Table, approximation: &Approximation) {
        let named = table.what.operation.in_4().map_or("", |(name, _)| name);
        if let Some(declared) = approximation.operation.as_ref().filter(|declared| *declared != named) {
            self.find_at(1, format!("{} approximates {declared}, and the table is of {named}", table.name));
            return;
        }
        let effort = Effort::new();
        for relation in &approximation.relations {
            match relation.holds(&table.what.specs, &effort) {
                Ok(true) => {}
                Ok(false) => self.find_at(1, format!("{} is not declared for these formats", table.name)),
                Err(message) => self.find_at(1, message),
            }
        }
        let modes = &approximation.projections;
        if !modes.is_empty() && !modes.iter().any(|modes| modes.have(table.what.how)) {
            self.find_at(1, format!("{} is not declared for these modes", table.name));
        }
        // Where the declaration names no profile, these are formats that it was not checked for.
        if let Err((line, message)) = apart(&approximation.intervals, &table.what.specs, &effort) {
            return self.find_at(1, format!("{message} ({}:{line}), for these formats", approximation.file));
        }
        let intervals: Vec<Interval> =
            approximation.intervals.iter().map(|(interval, ..)| interval.clone()).collect();
        let distances = match table.distances(&intervals, &effort) {
            Ok(distances) => distances,
            Err(message) => return self.find_at(1, message),
        };
        for (at, found) in distances.iter().enumerate() {
            let declared = approximation.intervals.get(at);
            let (kappa, interval) =
                declared.map_or((0, None), |(interval, kappa, _)| (*kappa, Some(interval.text().to_owned())));
            if found.rows == 0 || interval.is_none() && found.kappa == Some(0) {
                continue;
            }
            let place = interval.clone().unwrap_or_else(|| "outside all intervals".to_owned());
            let of = format!("{} {place}: line {} of the table has", table.name, found.line);
            let declared_in =
                declared.map_or(String::new(), |(_, _, line)| format!(" ({}:{line})", approximation.file));
            match found.kappa {
                None => self.find_at(
                    found.line,
                    format!("{of} NaN where 4.0 has a number, or a number where it has NaN"),
                ),
                Some(worst) if worst > kappa => {
                    self.find_at(
                        found.line,
                        format!("{of} κ = {worst}, and {kappa} is declared{declared_in}"),
                    );
                }
                Some(_) => {}
            }
            self.report.tables.push(Measured {
                file: self.file.clone(),
                approximation: table.name.clone(),
                operation: table.what.name.clone(),
                interval,
                operands: found.rows,
                kappa: found.kappa,
                line: found.line,
                declared: kappa,
            });
        }
    }
}

/// The formats that 4.0 demands (§4.5): F4, F8 and FX.
fn mandatory_formats() -> Vec<Spec> {
    let names = ["Binary4p2sf", "Binary8p3se", "Binary8p4se", "binary16", "BFloat16", "binary32"];
    names.iter().filter_map(|name| names::format(name).ok()).collect()
}

/// `32` and `(' "2^$(i)" for i in 4:24 ')`, also as `(2^i for i=2..22)`: sizes of blocks, none of them 0.
fn sizes_of(text: &str) -> Result<(), String> {
    // An earlier form has its variable without the sign.
    let text = match text.contains("$(i)") {
        true => text.to_owned(),
        false => text.replacen("(2^i for", "(2^$(i) for", 1).replacen("(i for", "($(i) for", 1),
    };
    for size in names::iterated(&text)? {
        let size = size.trim();
        let fits = match size.strip_prefix("2^") {
            Some(power) => power.parse::<u32>().is_ok_and(|power| power < 64),
            None => size.parse::<u64>().is_ok_and(|size| size > 0),
        };
        if !fits {
            return Err(format!("'{}' is not a size of a block", size.escape_debug()));
        }
    }
    Ok(())
}

/// `16`, `(' Minimum(PrecisionOf(fx), 16) ')`, `(' "$(i)" for i in 1:32 ')`, and `Precision` for the operand's: numbers of random bits, positive for any precision.
fn random_bits(text: &str) -> Result<(), String> {
    fn least(text: &str) -> Option<u64> {
        let text = names::bare(text);
        let (name, rest) = match text.split_once('(') {
            None if text == "Precision" => return Some(1),
            None => return text.parse().ok(),
            Some(("PrecisionOf" | "BitwidthOf", _)) => return Some(1),
            Some(parts) => parts,
        };
        let (a, b) = rest.strip_suffix(')')?.rsplit_once(',')?;
        match name {
            "Minimum" => Some(least(a)?.min(least(b)?)),
            "Maximum" => Some(least(a)?.max(least(b)?)),
            _ => None,
        }
    }
    if text.contains(" for ") {
        return sizes_of(text);
    }
    match least(text) {
        Some(0) => Err(format!("'{text}' may be no random bits at all")),
        Some(_) => Ok(()),
        None => Err(format!(
            "'{text}' is not a number of random bits: write 16 or (' Minimum(PrecisionOf(fx), 16) ')"
        )),
    }
}

impl Arguments {
    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        let mut checker = Checker::default();
        let mut files = vec![];
        for path in &self.files {
            let root = document::read(path)?;
            match Kind::of(&root) {
                Some(kind) => files.push((kind, path, root)),
                None => {
                    checker.file = path.display().to_string();
                    checker.find(
                        &root,
                        "these are no operations, configurations, profiles, constraints or kappas",
                    );
                }
            }
        }
        files.sort_by_key(|(kind, ..)| *kind);
        for (kind, path, root) in &files {
            checker.file(path, *kind, root);
        }
        checker.wanted();
        for path in &self.results {
            checker.table(path, &Table::read(path)?);
        }
        let report = checker.report;
        if self.json {
            crate::json::to_writer_pretty(&mut *out, &report)?;
            writeln!(out)?;
        } else {
            print(out, &report)?;
        }
        Ok(if report.findings.is_empty() { Status::Done } else { Status::CheckFailed })
    }
}

fn print(out: &mut Output, report: &Report) -> Result<(), Error> {
    for Checked { file, kind, entries } in &report.files {
        writeln!(out, "{}: {kind}, {entries}", printable(file))?;
    }
    for Evaluated { file, line, context, operation, holds, of } in &report.constraints {
        writeln!(
            out,
            "{}:{line}: {context} {operation}: {holds} of {of} combinations of formats",
            printable(file)
        )?;
    }
    for table in &report.tables {
        let kappa = table.kappa.map_or("none".to_owned(), |kappa| kappa.to_string());
        let interval = table.interval.as_deref().unwrap_or("elsewhere");
        writeln!(
            out,
            "{}: {} {interval}: κ = {kappa} over {} operands, declared {}",
            printable(&table.file),
            printable(&table.operation),
            table.operands,
            table.declared
        )?;
    }
    for Finding { file, line, message } in &report.findings {
        writeln!(out, "{}:{line}: {}", printable(file), printable(message))?;
    }
    let count = report.findings.len();
    writeln!(
        out,
        "{}",
        match count {
            0 => "ok".to_owned(),
            1 => "1 finding".to_owned(),
            _ => format!("{count} findings"),
        }
    )?;
    Ok(())
}
