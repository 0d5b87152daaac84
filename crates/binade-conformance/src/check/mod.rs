//! Checks the statement of an implementer against 4.0 (§4.6), in the YAML of the working group's exemplars, with tables of
//! the results of approximations.
//!
//! | file | contents | checked |
//! |---|---|---|
//! | operations | names under the headings Math, Comparison, … | each name is in 4.0 |
//! | configurations | named sets of formats, modes, block sizes, approximations | names; sizes and random bits are positive; with files of kappas: each approximation is declared |
//! | profiles | the formats of each configuration | names after expansion; the configuration exists |
//! | constraints | `Requires` and projections by signature | operations, their formats and operands; relations hold for some formats of the configuration |
//! | kappas | approximations with κ by interval | operations, intervals without overlap, relations, modes |

mod approximation;
mod combinations;
mod document;
mod error;
mod expression;
mod kappa;
mod part;
mod real;
mod report;
mod signature;
mod sizes;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use binade::{AnswerKind, Saturation, Spec};

use self::approximation::{Approximation, DeclaredKappa, ModeSets, check_disjoint};
use self::combinations::{Combinations, all_hold, mandatory_formats};
use self::document::{Data, Node};
use self::expression::Expression;
use self::kappa::{Interval, Table};
use self::part::{StatementPart, sections};
use self::real::Effort;
use self::signature::{Signature, relation};
use self::sizes::{check_block_sizes, check_random_bits};
use crate::modes::Mode;
use crate::names::{self, NamedOperation};

pub use self::error::StatementError;
pub use self::report::{CheckedFile, EvaluatedConstraint, Finding, MeasuredKappa, Report};

/// Checks the files of a statement, in any order, and computes κ from tables of results.
///
/// # Errors
/// Files that cannot be read, that are not YAML, or that are not tables of results.
pub fn check(files: &[PathBuf], results: &[PathBuf]) -> Result<Report, StatementError> {
    let mut checker = Checker::default();
    let mut parts = vec![];
    for path in files {
        let root = document::read(path)?;
        match StatementPart::of(&root) {
            Some(part) => parts.push((part, path, root)),
            None => {
                checker.file = path.display().to_string();
                checker.find(
                    &root,
                    "unknown contents: a file has operations, configurations, profiles, constraints or kappas",
                );
            }
        }
    }
    parts.sort_by_key(|(part, ..)| *part);
    for (part, path, root) in &parts {
        checker.check_file(path, *part, root);
    }
    checker.check_required_approximations();
    for path in results {
        checker.check_table(path, &Table::read(path)?);
    }
    Ok(checker.report)
}

/// An approximation that a configuration names, and that a file of kappas must declare.
struct RequiredApproximation {
    file: String,
    configuration: String,
    name: String,
    line: usize,
}

/// The state of a check, file after file.
#[derive(Default)]
struct Checker {
    report: Report,
    /// The file that is being checked.
    file: String,
    /// Configurations, if a file declares any.
    configurations: Option<Vec<String>>,
    /// Formats by configuration.
    profiles: HashMap<String, Vec<Spec>>,
    /// Approximations, if a file declares any.
    approximations: Option<Vec<Approximation>>,
    required: Vec<RequiredApproximation>,
}

impl Checker {
    /// Adds a finding at a node.
    fn find(&mut self, node: &Node, message: impl Into<String>) {
        self.find_at(node.line, message);
    }

    /// Adds a finding at a line of the current file.
    fn find_at(&mut self, line: usize, message: impl Into<String>) {
        let (file, message) = (self.file.clone(), message.into());
        self.report.findings.push(Finding { file, line, message });
    }

    /// The value; an error becomes a finding at the node.
    fn ok_or_find<T>(&mut self, node: &Node, checked: Result<T, String>) -> Option<T> {
        checked.map_err(|message| self.find(node, message)).ok()
    }

    fn check_file(&mut self, path: &Path, part: StatementPart, root: &Node) {
        self.file = path.display().to_string();
        let entries = match part {
            StatementPart::Operations => self.operations(root),
            StatementPart::Configurations => self.configurations(root),
            StatementPart::Profiles => self.profiles(root),
            StatementPart::Constraints => self.constraints(root),
            StatementPart::Kappas => self.kappas(root),
            StatementPart::Empty => 0,
        };
        self.report.files.push(CheckedFile { file: self.file.clone(), kind: part.name(), entries });
    }

    /// Checks a file of operations. Returns the number of names.
    fn operations(&mut self, root: &Node) -> usize {
        let mut count = 0;
        for (_, section) in sections(root) {
            count += self.names_in(section);
        }
        count
    }

    /// Checks the names in lists, and counts them. In a list, the keys of a mapping are names (`StochasticA: …`); elsewhere they
    /// are headings.
    fn names_in(&mut self, node: &Node) -> usize {
        match &node.data {
            Data::Text(name) => {
                self.ok_or_find(node, names::standard(name.trim()));
                1
            }
            // A key with random bits is a mode.
            Data::Map(pairs) => pairs
                .iter()
                .map(|(key, value)| self.names_in(if value.get("bits").is_some() { key } else { value }))
                .sum(),
            Data::List(items) => items
                .iter()
                .map(|item| match &item.data {
                    Data::Map(pairs) => {
                        let named = pairs.iter().filter(|(key, _)| key.text() != Some("note"));
                        named.map(|(key, _)| self.names_in(key)).sum()
                    }
                    _ => self.names_in(item),
                })
                .sum(),
        }
    }

    /// Checks a file of configurations. Returns the number of configurations.
    fn configurations(&mut self, root: &Node) -> usize {
        let mut known = self.configurations.take().unwrap_or_default();
        for (name, section) in sections(root) {
            if known.contains(&name.to_owned()) {
                self.find(section, format!("duplicate configuration {name}"));
            }
            known.push(name.to_owned());
            for core in ["CoreOperations", "IEEE754"].iter().filter_map(|key| section.get(key)) {
                for (text, node) in core.leaves() {
                    self.ok_or_find(node, names::format(text));
                }
            }
            if let Some(sizes) = section.get("BlockSizes") {
                for (text, node) in sizes.leaves() {
                    self.ok_or_find(node, check_block_sizes(text));
                }
            }
            if let Some(projections) = section.get("Projections") {
                let modes = projections.get("RoundingModes");
                for (kind, listed) in modes.map(Node::pairs).unwrap_or_default() {
                    match kind {
                        "deterministic" | "stochastic" => {
                            self.rounding_modes(listed);
                        }
                        _ => self.find(
                            listed,
                            format!(
                                "unknown group of rounding modes {kind}: write deterministic or stochastic"
                            ),
                        ),
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
                // An approximation may be a mapping to its parts: the parts are declared.
                for (text, node) in item.leaves() {
                    self.required.push(RequiredApproximation {
                        file: self.file.clone(),
                        configuration: name.to_owned(),
                        name: text.to_owned(),
                        line: node.line,
                    });
                }
            }
        }
        let count = known.len();
        self.configurations = Some(known);
        count
    }

    /// The rounding modes in a list; a stochastic mode may have its number of random bits.
    fn rounding_modes(&mut self, listed: &Node) -> Vec<Mode> {
        let mut modes = vec![];
        for item in listed.items() {
            for (name, body) in item.pairs() {
                if name == "notes" {
                    continue;
                }
                modes.extend(self.ok_or_find(item, names::rounding(name)).map(|(mode, _)| mode));
                for (_, node) in
                    body.pairs().into_iter().filter(|(key, _)| ["bits", "randbits"].contains(key))
                {
                    for (text, node) in node.leaves() {
                        self.ok_or_find(node, check_random_bits(text));
                    }
                }
            }
            if let Some(name) = item.text() {
                modes.extend(self.ok_or_find(item, names::rounding(name)).map(|(mode, _)| mode));
            }
        }
        modes
    }

    /// Checks a file of profiles. Returns the number of formats.
    fn profiles(&mut self, root: &Node) -> usize {
        let mut count = 0;
        // A section is a configuration. Earlier exemplars have a list of profiles, each with the name of its configuration.
        let listed =
            root.get("Profiles").map(Node::items).unwrap_or_default().iter().map(|profile| (None, profile));
        let named = sections(root).into_iter().filter(|(name, _)| *name != "Profiles");
        for (name, profile) in listed.chain(named.map(|(name, profile)| (Some(name.to_owned()), profile))) {
            let own = profile.get("configuration").and_then(|node| Some((node.text()?.to_owned(), node)));
            let Some((configuration, node)) = name.map(|name| (name, profile)).or(own) else {
                self.find(
                    profile,
                    "a profile without a configuration: it needs formats and the name of a configuration",
                );
                continue;
            };
            if self.configurations.as_ref().is_some_and(|known| !known.contains(&configuration)) {
                self.find(node, format!("unknown configuration {configuration}"));
            }
            let mut formats = vec![];
            for (text, node) in profile.get("formats").map(Node::leaves).unwrap_or_default() {
                for name in self.ok_or_find(node, names::expanded(text)).unwrap_or_default() {
                    formats.extend(self.ok_or_find(node, names::format(&name)));
                }
            }
            if formats.is_empty() {
                self.find(profile, "a profile without formats: it needs at least one");
            }
            count += formats.len();
            self.profiles.entry(configuration).or_default().extend(formats);
        }
        count
    }

    fn check_context(&mut self, node: &Node, context: &str) {
        if self.configurations.as_ref().is_some_and(|known| !known.iter().any(|name| name == context)) {
            self.find(node, format!("unknown configuration {context}"));
        }
    }

    /// Checks a file of constraints. Returns the number of signatures.
    fn constraints(&mut self, root: &Node) -> usize {
        let mut count = 0;
        for (context, section) in sections(root) {
            self.check_context(section, context);
            let mut signatures: Vec<(String, usize)> = vec![];
            for (text, body) in section.pairs() {
                count += 1;
                let Some(signature) = self.ok_or_find(body, Signature::parse(text)) else { continue };
                let key = (signature.name.clone(), signature.formats.len());
                if signatures.contains(&key) {
                    self.find(body, format!("duplicate constraint of {} in {context}", signature.name));
                }
                signatures.push(key);
                self.check_signature(body, &signature);
                if let Some(projections) = body.get("Projections") {
                    self.projections(projections);
                }
                let relations = self.relations(body.get("Requires"), &signature.formats);
                self.evaluate(body, context, &signature, &relations);
            }
        }
        count
    }

    /// Checks the number of formats and operands of a signature against its operation.
    fn check_signature(&mut self, node: &Node, signature: &Signature) {
        let Signature { name, formats, projected, operands } = signature;
        // All operations of this form that no other signature names.
        if name == "Other" {
            let expected = formats.len().saturating_sub(1);
            if operands.is_some_and(|operands| operands != expected) {
                self.find(
                    node,
                    format!("Other with {} formats must have {expected} operands", formats.len()),
                );
            }
            return;
        }
        let Some(named) = self.ok_or_find(node, names::operation(name)) else { return };
        if let Some(expected) = names::formats_of(named)
            && expected != formats.len()
        {
            self.find(node, format!("{name} must have {expected} formats: got {}", formats.len()));
        }
        if let NamedOperation::Operation(operation) = named {
            // A scaled operation takes its operands in pairs of a scale and an element.
            let pairs = if name.starts_with("Scaled") { 2 } else { 1 };
            if let Some(given) = operands.filter(|given| given * pairs != operation.arity()) {
                self.find(
                    node,
                    format!("{name} must have {} operands: got {given}", operation.arity() / pairs),
                );
            }
            let nearby = name.starts_with("Next");
            if *projected != (operation.kind() == AnswerKind::Code && !nearby) {
                let message = match projected {
                    true => format!("{name} is not projected: leave ρ out"),
                    false => format!("{name} is projected: end its formats with ρ"),
                };
                self.find(node, message);
            }
        }
    }

    fn relations(&mut self, node: Option<&Node>, variables: &[String]) -> Vec<Expression> {
        let mut relations = vec![];
        for (text, node) in node.map(Node::leaves).unwrap_or_default() {
            relations.extend(self.ok_or_find(node, Expression::parse(relation(text), variables)));
        }
        relations
    }

    /// The formats of a configuration; without a profile, those that 4.0 makes mandatory.
    fn formats(&self, context: &str) -> Vec<Spec> {
        self.profiles.get(context).cloned().unwrap_or_else(mandatory_formats)
    }

    /// Checks that intervals do not overlap. Intervals that name formats are checked over all formats of their configurations
    /// that the relations allow.
    fn check_intervals(&mut self, found: &Approximation, formats: usize) {
        let effort = Effort::new();
        let fixed: Vec<_> =
            found.declared.iter().filter(|declared| declared.interval.is_fixed()).cloned().collect();
        if let Err((line, message)) = check_disjoint(&fixed, &[], &effort) {
            return self.find_at(line, message);
        }
        if fixed.len() == found.declared.len() {
            return;
        }
        for context in &found.contexts {
            for chosen in Combinations::new(self.formats(context), formats) {
                let checked = match all_hold(&found.relations, &chosen, &effort) {
                    Ok(true) => check_disjoint(&found.declared, &chosen, &effort),
                    // Errors in relations are reported where the relations are evaluated.
                    _ => continue,
                };
                if let Err((line, message)) = checked {
                    let names: Vec<&str> = chosen.iter().map(Spec::name).collect();
                    return self.find_at(line, format!("{message}, for {}", names.join(", ")));
                }
            }
        }
    }

    /// Checks that the relations of an approximation hold for some formats of each configuration that has a profile.
    fn check_applicability(&mut self, node: &Node, found: &Approximation, formats: usize) {
        let effort = Effort::new();
        for context in found.contexts.iter().filter(|context| self.profiles.contains_key(*context)) {
            let mut combinations = Combinations::new(self.formats(context), formats);
            let is_complete = combinations.is_complete;
            // A relation that cannot be decided may hold.
            let some =
                combinations.any(|chosen| all_hold(&found.relations, &chosen, &effort).unwrap_or(true));
            if !some && is_complete {
                let message = format!("no formats of {context} satisfy the relations of {}", found.name);
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
        let (of, is_complete) = (combinations.of, combinations.is_complete);
        let (mut holds, effort) = (0, Effort::new());
        for chosen in combinations {
            match all_hold(relations, &chosen, &effort) {
                Ok(truth) => holds += truth as u64,
                Err(message) => return self.find(node, format!("{}: {message}", signature.name)),
            }
        }
        if holds == 0 && is_complete {
            self.find(node, format!("no formats of {context} satisfy the relations of {}", signature.name));
        }
        self.report.constraints.push(EvaluatedConstraint {
            file: self.file.clone(),
            line: node.line,
            context: context.to_owned(),
            operation: signature.name.clone(),
            holds,
            of,
        });
    }

    /// Sets of modes: mappings of RoundingMode and SaturationMode, each with one or several, or lists of two.
    fn projections(&mut self, node: &Node) -> Vec<ModeSets> {
        let mut all = vec![];
        for item in node.items() {
            let mut modes = ModeSets::default();
            match &item.data {
                Data::List(pair) => match &pair[..] {
                    [rounding, saturation] => {
                        modes.rounding = Some(self.rounding_modes(rounding));
                        modes.saturation = Some(self.saturation_modes(saturation));
                    }
                    _ => self.find(item, "malformed projection: write a rounding mode and a saturation mode"),
                },
                _ => {
                    if item.pairs().is_empty() {
                        self.find(item, "malformed projection: write a rounding mode and a saturation mode");
                    }
                    for (key, listed) in item.pairs() {
                        match key {
                            "RoundingMode" => modes.rounding = Some(self.rounding_modes(listed)),
                            "SaturationMode" => modes.saturation = Some(self.saturation_modes(listed)),
                            _ => self.find(
                                listed,
                                format!("unknown key {key}: write RoundingMode or SaturationMode"),
                            ),
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
            modes.extend(self.ok_or_find(node, names::saturation(text)));
        }
        modes
    }

    /// Checks a file of kappas. Returns the number of approximations.
    fn kappas(&mut self, root: &Node) -> usize {
        let mut known = self.approximations.take().unwrap_or_default();
        let before = known.len();
        for (heading, section) in sections(root) {
            let plain = heading.trim_start_matches('(').trim_end_matches(')');
            let contexts: Vec<String> = plain.split(',').map(|name| name.trim().to_owned()).collect();
            for context in &contexts {
                self.check_context(section, context);
            }
            let parts = section.pairs();
            for (name, body) in &parts {
                // An approximation in parts states its operation once, in `name`; the parts `name.1`, `name.2` have the κ.
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
            declared: vec![],
            relations: vec![],
            projections: vec![],
        };
        let of = body.get("Approximates").or_else(|| head?.get("Approximates"));
        let of = of.and_then(|node| Some((node.text()?, node)));
        let Some((text, node)) = of else {
            self.find(body, format!("{name} without an operation: write Approximates: Op<fx, fr, ρ>"));
            return found;
        };
        let mut variables = vec![];
        if let Some(signature) = self.ok_or_find(node, Signature::parse(text)) {
            self.check_signature(node, &signature);
            let required = body.get("Requires").or_else(|| body.get("Constraints"));
            found.relations = self.relations(required, &signature.formats);
            found.operation = Some(signature.name);
            variables = signature.formats;
        }
        for item in body.get("Kappas").map(Node::items).unwrap_or_default() {
            let (interval, kappa) = (item.get("interval"), item.get("kappa"));
            let (Some(interval), Some(kappa)) = (interval, kappa) else {
                self.find(
                    item,
                    "an entry without an interval or a kappa: write { interval: \"[0, 1]\", kappa: 1 }",
                );
                continue;
            };
            let text = interval.text().unwrap_or_default();
            let parsed = self.ok_or_find(interval, Interval::parse(text, &variables));
            let number = kappa.text().unwrap_or_default().parse::<u64>();
            let number = number
                .map_err(|_| format!("κ must be a whole number: got {}", kappa.text().unwrap_or("a list")));
            let number = self.ok_or_find(kappa, number);
            if let (Some(parsed), Some(number)) = (parsed, number) {
                let line = kappa.line;
                let declare = |interval| DeclaredKappa { interval, kappa: number, line };
                found.declared.extend(parsed.into_iter().map(declare));
            }
        }
        self.check_intervals(&found, variables.len());
        if !found.relations.is_empty() {
            self.check_applicability(body, &found, variables.len());
        }
        if found.declared.is_empty() && !split {
            self.find(body, format!("{name} without κ: list intervals under Kappas"));
        }
        if let Some(projections) = body.get("Projections") {
            found.projections = self.projections(projections);
        }
        found
    }

    /// Checks that the approximations that configurations name are declared, if a file declares any.
    fn check_required_approximations(&mut self) {
        let Some(known) = &self.approximations else { return };
        let declared = |configuration: &String, name: &String| {
            known.iter().any(|approximation| {
                // The parts of an approximation are numbered: ExpFast.1.
                let stem =
                    approximation.name.rsplit_once('.').map_or(&*approximation.name, |(stem, number)| {
                        if number.parse::<u32>().is_ok() { stem } else { &*approximation.name }
                    });
                (stem == name || approximation.name == *name)
                    && approximation.contexts.contains(configuration)
            })
        };
        for RequiredApproximation { file, configuration, name, line } in &self.required {
            if !declared(configuration, name) {
                let message = format!("no κ of {name} is declared for {configuration}");
                self.report.findings.push(Finding { file: file.clone(), line: *line, message });
            }
        }
    }

    /// Compares the κ of a table with the declared κ.
    fn check_table(&mut self, path: &Path, table: &Table) {
        self.file = path.display().to_string();
        let approximations = self.approximations.take().unwrap_or_default();
        match approximations.iter().find(|approximation| approximation.name == table.name) {
            None => self.find_at(1, format!("no file declares a κ of {}", table.name)),
            Some(approximation) => self.compare_with_declaration(table, approximation),
        }
        self.approximations = Some(approximations);
    }

    fn compare_with_declaration(&mut self, table: &Table, approximation: &Approximation) {
        let named = table.specialisation.operation.in_4().map_or("", |(name, _)| name);
        if let Some(declared) = approximation.operation.as_ref().filter(|declared| *declared != named) {
            self.find_at(1, format!("{} approximates {declared}: the table is of {named}", table.name));
            return;
        }
        let effort = Effort::new();
        for relation in &approximation.relations {
            match relation.holds(&table.specialisation.specs, &effort) {
                Ok(true) => {}
                Ok(false) => self.find_at(1, format!("{} is not declared for these formats", table.name)),
                Err(message) => self.find_at(1, message),
            }
        }
        let modes = &approximation.projections;
        if !modes.is_empty() && !modes.iter().any(|modes| modes.contain(table.specialisation.how)) {
            self.find_at(1, format!("{} is not declared for these modes", table.name));
        }
        // Without a profile, the declaration has not been checked for the formats of the table.
        if let Err((line, message)) =
            check_disjoint(&approximation.declared, &table.specialisation.specs, &effort)
        {
            return self.find_at(1, format!("{message} ({}:{line}), for these formats", approximation.file));
        }
        let intervals: Vec<Interval> =
            approximation.declared.iter().map(|declared| declared.interval.clone()).collect();
        let distances = match table.distances(&intervals, &effort) {
            Ok(distances) => distances,
            Err(message) => return self.find_at(1, message),
        };
        for (at, found) in distances.iter().enumerate() {
            let declared = approximation.declared.get(at);
            let kappa = declared.map_or(0, |declared| declared.kappa);
            let interval = declared.map(|declared| declared.interval.text().to_owned());
            if found.rows == 0 || interval.is_none() && found.kappa == Some(0) {
                continue;
            }
            let place = interval.clone().unwrap_or_else(|| "outside all intervals".to_owned());
            let of = format!("{} {place}: line {} of the table has", table.name, found.line);
            let declared_in = declared
                .map_or(String::new(), |declared| format!(" ({}:{})", approximation.file, declared.line));
            match found.kappa {
                None => self.find_at(
                    found.line,
                    format!("{of} NaN in place of a number, or a number in place of NaN"),
                ),
                Some(worst) if worst > kappa => {
                    self.find_at(
                        found.line,
                        format!("{of} κ = {worst}, above the declared {kappa}{declared_in}"),
                    );
                }
                Some(_) => {}
            }
            self.report.tables.push(MeasuredKappa {
                file: self.file.clone(),
                approximation: table.name.clone(),
                operation: table.specialisation.name.clone(),
                interval,
                operands: found.rows,
                kappa: found.kappa,
                line: found.line,
                declared: kappa,
            });
        }
    }
}
