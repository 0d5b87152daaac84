//! The summary of a run, as text and as a profile.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::config::Config;
use crate::demangle::demangle;
use crate::filter;
use crate::profile::{Function, Histogram, Line, Profile, Rank, SiteCounts};
use crate::record::{self, Exec, FunctionName, ObjectSummary, Summary};
use crate::source::{self, Frame, Locate};

/// Processes that are shown one by one.
const SHOWN: usize = 6;
/// Functions of an object that are shown one by one.
const FUNCTIONS: usize = 20;
/// Source lines of a function that are shown one by one.
const LINES: usize = 10;

/// A number with commas between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count of what is not shown: `1 more line`, `2 more lines`.
fn more(count: usize, noun: &str) -> String {
    format!("{count} more {noun}{}", if count == 1 { "" } else { "s" })
}

/// The name of a path's file.
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Reasons for which sites of an object stay native: `96 by default: elementary functions`.
fn reasons(object: &ObjectSummary) -> String {
    let reason = |(why, &count): (&String, &u64)| {
        if count == object.found { why.clone() } else { format!("{} {why}", grouped(count)) }
    };
    object.skipped.iter().map(reason).collect::<Vec<_>>().join("; ")
}

/// The names of objects, the largest first: `libx.so, liby.so and 3 more objects`.
fn object_names(mut objects: Vec<&ObjectSummary>) -> String {
    /// Objects that are named.
    const NAMED: usize = 6;
    objects.sort_by_key(|object| Reverse(object.code));
    let names: Vec<&str> = objects.iter().take(NAMED).map(|object| file_name(&object.path)).collect();
    let others = objects.len() - names.len();
    let rest = if others > 0 { format!(" and {}", more(others, "object")) } else { String::new() };
    names.join(", ") + &rest
}

/// A type of native instructions.
struct NativeType {
    /// The name of one, and of several.
    names: [&'static str; 2],
    /// Their number in an object.
    count: fn(&ObjectSummary) -> u64,
    /// The value of `--also` that changes them, if there is one.
    also: Option<&'static str>,
}

/// All types of native instructions, in the order of the summary.
const NATIVE_TYPES: [NativeType; 8] = [
    NativeType {
        names: ["multiply-add of binary64", "multiply-adds of binary64"],
        count: |object| object.double,
        also: Some("double"),
    },
    NativeType {
        names: ["multiply-add of binary16 (AVX512-FP16)", "multiply-adds of binary16 (AVX512-FP16)"],
        count: |object| object.half,
        also: None,
    },
    NativeType {
        names: ["dot product of BF16 (VDPBF16PS)", "dot products of BF16 (VDPBF16PS)"],
        count: |object| object.dot,
        also: Some("dot"),
    },
    NativeType {
        names: ["dot product of VDPPS or VDPPD", "dot products of VDPPS or VDPPD"],
        count: |object| object.across,
        also: Some("mul,add"),
    },
    NativeType {
        names: ["product or sum of binary64", "products and sums of binary64"],
        count: |object| object.separate_double,
        also: Some("double"),
    },
    NativeType {
        names: ["product or sum of binary16 (AVX512-FP16)", "products and sums of binary16 (AVX512-FP16)"],
        count: |object| object.separate_half,
        also: None,
    },
    NativeType {
        names: ["product or sum of x87", "products and sums of x87"],
        count: |object| object.x87,
        also: None,
    },
    NativeType {
        names: ["multiply-add of FMA4 or AVX512-4FMAPS", "multiply-adds of FMA4 or AVX512-4FMAPS"],
        count: |object| object.rare,
        also: None,
    },
];

/// Objects without multiply-adds, and multiply-adds of types that stay native.
fn unchanged(text: &mut String, objects: &[ObjectSummary]) {
    let is_empty = |object: &&ObjectSummary| {
        let mut counts = NATIVE_TYPES.iter().map(|native| (native.count)(object));
        !object.left_alone && object.found == 0 && object.tiles == 0 && counts.all(|count| count == 0)
    };
    let empty: Vec<&ObjectSummary> = objects.iter().filter(is_empty).collect();
    if !empty.is_empty() {
        let _ = writeln!(text, "  no multiply-add found in {}", object_names(empty));
    }
    for NativeType { names: [one, several], count, also } in NATIVE_TYPES {
        let with: Vec<&ObjectSummary> =
            objects.iter().filter(|object| !object.left_alone && count(object) > 0).collect();
        let total = with.iter().map(|object| count(object)).sum();
        if total > 0 {
            let objects = object_names(with);
            let (them, are) =
                if total == 1 { ("it", format!("{one} is")) } else { ("them", format!("{several} are")) };
            let remedy = also.map_or(String::new(), |also| format!("; --also {also} computes {them}"));
            let _ = writeln!(text, "  note: {} {are} native ({objects}){remedy}", grouped(total));
        }
    }
}

/// Multiply-adds that are slow, and products of tiles, which are native.
fn slow(text: &mut String, objects: &[ObjectSummary]) {
    for object in objects {
        let name = file_name(&object.path);
        if object.gate > 0 {
            let are = if object.gate == 1 { "multiply-add is" } else { "multiply-adds are" };
            let _ = writeln!(
                text,
                "  warning: {name}: {} {are} slow, the operator has no code of its own for {}",
                grouped(object.gate),
                if object.gate == 1 { "it" } else { "them" }
            );
        }
        if object.tiles > 0 {
            let are =
                if object.tiles == 1 { "product of tiles (AMX) is" } else { "products of tiles (AMX) are" };
            let _ = writeln!(text, "  note: {name}: {} {are} native", grouped(object.tiles));
        }
    }
}

/// The text that `--why` adds to a summary: by process and object, how multiply-adds are computed, the loops that are not translated
/// whole, and functions with their source lines.
pub fn why(processes: &[Summary], lines: &dyn Locate) -> String {
    let mut text = String::new();
    for summary in processes {
        for object in summary.objects.iter().filter(|object| object.reached()) {
            let _ = writeln!(
                text,
                "why: {} (process {}), {}:",
                file_name(&object.path),
                summary.process.pid,
                file_name(&summary.process.executable)
            );
            let alone = object.executed.saturating_sub(object.whole + object.single);
            let _ = writeln!(
                text,
                "  {} in loops translated whole, {} one by one in loops, {} one by one elsewhere; {} of them slow, without code \
                 of the operator's own",
                grouped(object.whole),
                grouped(object.single),
                grouped(alone),
                grouped(object.gate)
            );
            for (reason, &count) in &object.refused {
                let plural = if count == 1 { "loop is" } else { "loops are" };
                let _ = writeln!(text, "  {} {plural} not translated whole: {reason}", grouped(count));
            }
            let mut functions: Vec<_> = object.functions.iter().collect();
            functions.sort_by_key(|(name, (under, native))| (Reverse(under + native), *name));
            for (name, (under, native)) in functions.iter().take(FUNCTIONS) {
                let _ = writeln!(
                    text,
                    "  {}: {} under the operator, {} native",
                    name.in_object(&object.path),
                    grouped(*under),
                    grouped(*native)
                );
                why_lines(&mut text, object, name, lines);
            }
            if functions.len() > FUNCTIONS {
                let _ = writeln!(text, "  and {}", more(functions.len() - FUNCTIONS, "function"));
            }
        }
    }
    text
}

/// The source lines of a function's multiply-adds, for `--why`.
fn why_lines(text: &mut String, object: &ObjectSummary, name: &FunctionName, lines: &dyn Locate) {
    let mut all: BTreeMap<Vec<Frame>, (u64, u64)> = BTreeMap::new();
    for (address, &under) in sites_of(&object.sites, name) {
        let frames = frames_of(object, address, lines);
        if !frames.is_empty() {
            let counts = all.entry(frames).or_default();
            *counts = (counts.0 + u64::from(under), counts.1 + u64::from(!under));
        }
    }
    for (frames, (under, native)) in all.iter().take(LINES) {
        let native = if *native > 0 { format!(", {} native", grouped(*native)) } else { String::new() };
        let _ =
            writeln!(text, "    {}: {} under the operator{native}", source::place(frames), grouped(*under));
    }
    if all.len() > LINES {
        let _ = writeln!(text, "    and {}", more(all.len() - LINES, "line"));
    }
}

/// The entries of one function in a map by function and address, with the addresses.
fn sites_of<'a, T>(
    sites: &'a BTreeMap<(FunctionName, u64), T>,
    name: &FunctionName,
) -> impl Iterator<Item = (u64, &'a T)> + use<'a, T> {
    let range = (name.clone(), 0)..=(name.clone(), u64::MAX);
    sites.range(range).map(|((_, address), value)| (*address, value))
}

/// The source of an instruction of an object.
fn frames_of(object: &ObjectSummary, address: u64, lines: &dyn Locate) -> Vec<Frame> {
    if object.is_generated() { Vec::new() } else { lines.frames(&object.path, address) }
}

/// The summary that ends a run: a table for each process that executed multiply-adds of ours, the others counted.
pub fn text(arith: &str, processes: &[Summary]) -> String {
    let mut text = String::new();
    let at_work = |summary: &&Summary| summary.objects.iter().any(|object| object.executed > 0);
    let busy: Vec<&Summary> = processes.iter().filter(at_work).collect();
    // Where nothing was executed, the program itself says why.
    let shown: Vec<&Summary> = if busy.is_empty() {
        processes.iter().rev().take(1).collect()
    } else {
        busy.iter().copied().take(SHOWN).collect()
    };
    for summary in &shown {
        let process = &summary.process;
        let _ = writeln!(
            text,
            "binade run: {arith}, {} (process {})",
            file_name(&process.executable),
            process.pid
        );
        table(&mut text, &summary.objects);
        operators(&mut text, &summary.objects);
        unchanged(&mut text, &summary.objects);
        slow(&mut text, &summary.objects);
        if summary.dropped > 0 {
            let _ = writeln!(text, "  note: {} records did not fit", summary.dropped);
        }
    }
    let others = processes.len() - shown.len();
    if others > 0 {
        let more = busy.len().saturating_sub(shown.len());
        let plural = if others == 1 { "process" } else { "processes" };
        let _ = writeln!(text, "binade run: {others} more {plural}, {more} of which executed multiply-adds");
    }
    let mut notes: BTreeMap<&str, u64> = BTreeMap::new();
    for note in processes.iter().flat_map(|summary| &summary.notes) {
        *notes.entry(note).or_default() += 1;
    }
    for (note, count) in notes {
        let times = if count > 1 { format!(" ({count} times)") } else { String::new() };
        let _ = writeln!(text, "note: {note}{times}");
    }
    text
}

/// Errors and warnings about processes and filters that did nothing of what was asked for: the text, and whether any is an error.
/// `root` is the number of the process that the command line names.
pub fn problems(config: &Config, root: u32, processes: &[Summary]) -> (String, bool) {
    let mut text = String::new();
    let mut is_error = false;
    for summary in processes {
        let process = &summary.process;
        // The child of a fork has the parent's record, too.
        let parent = processes.iter().find(|other| process.forked && other.process.pid == process.parent);
        let is_own = |failure: &&String| parent.is_none_or(|parent| !parent.failures.contains(failure));
        for failure in summary.failures.iter().filter(is_own) {
            let _ = writeln!(
                text,
                "error: {} (process {}): {failure}",
                file_name(&process.executable),
                process.pid
            );
            is_error = true;
        }
    }
    const REASON: &str = "left no record: it ran natively, or ended before the agent was loaded";
    let started = |pid: u32, from: u64| {
        processes.iter().any(|summary| {
            let process = &summary.process;
            !process.forked && process.pid == pid && process.started >= from
        })
    };
    let lost: BTreeSet<&Exec> = processes
        .iter()
        .flat_map(|summary| &summary.execs)
        .filter(|exec| exec.pid != 0 && !started(exec.pid, exec.at))
        .collect();
    if lost.is_empty() && !started(root, 0) {
        let _ = writeln!(text, "error: the program (process {root}) {REASON}");
        is_error = true;
    }
    for Exec { pid, path, .. } in lost {
        let kind = if *pid == root { "error" } else { "warning" };
        is_error |= *pid == root;
        let _ = writeln!(text, "{kind}: {path} (process {pid}) {REASON}");
    }
    if is_error {
        return (text, true);
    }
    let objects = || processes.iter().flat_map(|summary| &summary.objects);
    for pattern in &config.only {
        if !objects().any(|object| filter::names(pattern, &object.path)) {
            let _ = writeln!(text, "error: --only '{pattern}' matches no object that was loaded");
            is_error = true;
        }
    }
    let unchanged = || objects().all(|object| object.patched == 0 && object.rules.is_empty());
    if let Some(pattern) = config.functions.as_ref().filter(|_| unchanged()) {
        let _ = writeln!(
            text,
            "error: --functions '{pattern}' matches no function with multiply-adds in the objects that are changed"
        );
        is_error = true;
    }
    if is_error {
        return (text, true);
    }
    for pattern in &config.skip {
        if !objects().any(|object| filter::names(pattern, &object.path)) {
            let _ = writeln!(text, "warning: --skip '{pattern}' matches no object that was loaded");
        }
    }
    let skips = |object: &ObjectSummary| object.skipped.contains_key(filter::SKIP_FUNCTIONS);
    if let Some(pattern) = config.skip_functions.as_ref().filter(|_| !objects().any(skips)) {
        let _ = writeln!(
            text,
            "warning: --skip-functions '{pattern}' matches no function with multiply-adds in the objects that are changed"
        );
    }
    (text, false)
}

/// The numbers of the rules that apply to no multiply-add of any object that was loaded.
pub fn unused_rules(config: &Config, processes: &[Summary]) -> Vec<usize> {
    let applies = |number: &usize| {
        let mut objects = processes.iter().flat_map(|summary| &summary.objects);
        objects.any(|object| object.rules.contains_key(&(*number as u64)))
    };
    (0..config.rules.len()).filter(|number| !applies(number)).collect()
}

/// The operator of places that no rule names, with its rounding: `bf16:bf16`, or `f32:f32 --rounding up`.
pub fn operator(config: &Config) -> String {
    match config.rounding {
        None => config.arith.clone(),
        Some(rounding) => format!("{} --rounding {rounding}", config.arith),
    }
}

/// The operators of a run, for the head of a summary and a profile: `bf16:bf16`, or `bf16:bf16 and 2 rules`.
pub fn arithmetic(config: &Config) -> String {
    let operator = operator(config);
    match config.rules.len() {
        0 => operator,
        1 => format!("{operator} and 1 rule"),
        count => format!("{operator} and {count} rules"),
    }
}

/// The operators of functions that have been executed, where a run has several.
fn operators(text: &mut String, objects: &[ObjectSummary]) {
    let mut all: Vec<(u64, String)> = Vec::new();
    for object in objects {
        for (name, operators) in &object.operators {
            for (operator, &count) in operators {
                let name = match name {
                    FunctionName::Symbol(_) => {
                        format!("{}: {}", file_name(&object.path), name.in_object(&object.path))
                    }
                    FunctionName::Place { .. } => name.in_object(&object.path).to_string(),
                };
                let plural = if count == 1 { "multiply-add" } else { "multiply-adds" };
                all.push((count, format!("  {operator} in {name}, {} {plural}\n", grouped(count))));
            }
        }
    }
    all.sort_by_key(|(count, line)| (Reverse(*count), line.clone()));
    text.extend(all.iter().take(FUNCTIONS).map(|(_, line)| line.as_str()));
    if all.len() > FUNCTIONS {
        let _ = writeln!(text, "  and {} more functions", all.len() - FUNCTIONS);
    }
}

/// The result of a check as text, and true if nothing differs.
pub fn check(processes: &[Summary], lines: &dyn Locate) -> (String, bool) {
    /// Differences that are shown.
    const DIFFERENCES: usize = 20;
    let mut text = String::new();
    let objects =
        || processes.iter().flat_map(|summary| summary.objects.iter().map(move |object| (summary, object)));
    let compared: u64 = objects().map(|(_, object)| object.compared).sum();
    let all: Vec<_> = objects()
        .flat_map(|(summary, object)| object.differences.iter().map(move |d| (summary, object, d)))
        .collect();
    for (summary, object, (address, difference)) in all.iter().take(DIFFERENCES) {
        let (pid, name) = (summary.process.pid, file_name(&object.path));
        let (symbol, rest) = difference.split_at(difference.find("+0x").unwrap_or(0));
        let (place, what) = rest.split_at(rest.find(": ").unwrap_or(0));
        let frames = if *address == 0 { Vec::new() } else { frames_of(object, *address, lines) };
        let line = if frames.is_empty() { String::new() } else { format!(" ({})", source::place(&frames)) };
        let _ = writeln!(text, "error: {name} (process {pid}), {}{place}{line}{what}", demangle(symbol));
    }
    let runs = if compared == 1 { "1 run".to_owned() } else { format!("{} runs", grouped(compared)) };
    let verdict = match (compared, all.len()) {
        (0, 0) => "no loop that is translated whole has run".to_owned(),
        (_, 0) => format!("{runs} of loops that are translated whole, all as by single instructions"),
        (_, count) => {
            let are = if compared == 1 { "is" } else { "are" };
            let differ =
                if count == 1 { "1 loop differs".to_owned() } else { format!("{count} loops differ") };
            format!("{runs} of loops {are} as by single instructions, {differ}")
        }
    };
    let _ = writeln!(text, "check: {verdict}");
    (text, all.is_empty())
}

fn table(text: &mut String, objects: &[ObjectSummary]) {
    if objects.iter().all(|object| object.found == 0) {
        return;
    }
    let shown = || objects.iter().filter(|object| object.found > 0);
    let width = shown().map(|object| file_name(&object.path).chars().count()).max().unwrap_or(0).max(6);
    let _ = writeln!(
        text,
        "  {:width$}  {:>9}  {:>9}  {:>9}  left alone",
        "object", "found", "patched", "reached"
    );
    for object in shown() {
        let line = format!(
            "  {:width$}  {:>9}  {:>9}  {:>9}  {}",
            file_name(&object.path),
            grouped(object.found),
            grouped(object.patched),
            grouped(object.executed),
            reasons(object),
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

/// The profile of a run.
pub fn profile(arith: &str, command: Vec<String>, processes: &[Summary], lines: &dyn Locate) -> Profile {
    let mut functions: BTreeMap<(&str, &FunctionName), Histogram> = BTreeMap::new();
    let mut operators: BTreeMap<(&str, &FunctionName), BTreeSet<String>> = BTreeMap::new();
    let mut sites: BTreeMap<(&str, &FunctionName), BTreeMap<u64, SiteCounts>> = BTreeMap::new();
    let mut total = Histogram::default();
    let mut by_process = Vec::new();
    for summary in processes {
        let mut own = Histogram::default();
        for object in &summary.objects {
            for (name, counts) in &object.operators {
                operators.entry((&object.path, name)).or_default().extend(counts.keys().cloned());
            }
            for (name, histogram) in object.histograms.iter().filter(|(_, histogram)| histogram.executed > 0)
            {
                functions.entry((&object.path, name)).or_default().merge(histogram);
                own.merge(histogram);
                let sites = sites.entry((&object.path, name)).or_default();
                for (address, counts) in sites_of(&object.site_counts, name) {
                    sites.entry(address).or_default().merge(counts);
                }
            }
        }
        if own.executed > 0 {
            total.merge(&own);
            let process = &summary.process;
            by_process.push(Rank {
                pid: process.pid,
                rank: process.rank.clone(),
                executable: process.executable.clone(),
                total: own,
            });
        }
    }
    let mut functions: Vec<Function> = functions
        .into_iter()
        .map(|((object, name), counts)| Function {
            object: object.to_owned(),
            symbol: name.symbol().map(str::to_owned),
            name: name.in_object(object).to_string(),
            operators: operators.remove(&(object, name)).unwrap_or_default().into_iter().collect(),
            counts,
            results: sites.get(&(object, name)).map(all_of).unwrap_or_default(),
            lines: sites.get(&(object, name)).map_or_else(Vec::new, |sites| by_line(object, sites, lines)),
        })
        .collect();
    functions.sort_by_key(|function| Reverse(function.counts.executed));
    Profile { arith: arith.to_owned(), command, processes: by_process.len(), total, by_process, functions }
}

/// The sum of the counts of a function's instructions.
fn all_of(sites: &BTreeMap<u64, SiteCounts>) -> SiteCounts {
    let mut all = SiteCounts::default();
    sites.values().for_each(|counts| all.merge(counts));
    all
}

/// The executed source lines of a function's instructions.
fn by_line(object: &str, sites: &BTreeMap<u64, SiteCounts>, lines: &dyn Locate) -> Vec<Line> {
    let mut all: BTreeMap<Vec<Frame>, SiteCounts> = BTreeMap::new();
    if record::is_generated(object) {
        return Vec::new();
    }
    for (&address, counts) in sites.iter().filter(|(_, counts)| counts.executed > 0) {
        let frames = lines.frames(object, address);
        if !frames.is_empty() {
            all.entry(frames).or_default().merge(counts);
        }
    }
    let mut all: Vec<Line> = all.into_iter().map(|(frames, counts)| Line { frames, counts }).collect();
    all.sort_by_key(|line| Reverse(line.counts.executed));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Process;
    use crate::rules::Rule;
    use crate::source::NoLines;

    /// Two addresses of one object have lines: 0x10 on line 3, and 0x20 in `dot`, inlined at line 4.
    struct TwoLines;

    impl Locate for TwoLines {
        fn frames(&self, object: &str, address: u64) -> Vec<Frame> {
            let frame = |function: &str, file: &str, line| Frame {
                function: Some(function.to_owned()),
                file: file.to_owned(),
                line,
            };
            match (object, address) {
                ("/lib/x", 0x10) => vec![frame("f", "/src/f.c", 3)],
                ("/lib/x", 0x20) => vec![frame("dot", "/src/dot.h", 7), frame("f", "/src/f.c", 4)],
                _ => vec![],
            }
        }
    }

    fn symbol(name: &str) -> FunctionName {
        FunctionName::Symbol(name.to_owned())
    }

    #[test]
    fn why_with_lines_lists_them_below_their_function() {
        let object = ObjectSummary {
            path: "/lib/x".to_owned(),
            executed: 3,
            functions: [(symbol("f"), (3, 1)), (symbol("g"), (1, 0))].into(),
            sites: [
                ((symbol("f"), 0x10), true),
                ((symbol("f"), 0x20), true),
                ((symbol("f"), 0x30), true),
                ((symbol("g"), 0x40), true),
            ]
            .into(),
            ..ObjectSummary::default()
        };
        let summary =
            |object: &ObjectSummary| Summary { objects: vec![object.clone()], ..Summary::default() };
        let text = why(&[summary(&object)], &TwoLines);
        let lines = "  f: 3 under the operator, 1 native\n    dot.h:7 in dot, inlined at f.c:4: 1 under the operator\n    \
                     f.c:3: 1 under the operator\n  g: 1 under the operator, 0 native\n";
        assert!(text.ends_with(lines), "{text}");
        let generated = ObjectSummary { path: "/lib/x [generated]".to_owned(), ..object };
        assert!(!why(&[summary(&generated)], &TwoLines).contains("f.c"));
    }

    #[test]
    fn profile_with_lines_merges_instructions_of_a_line() {
        let counted = |executed| SiteCounts { executed, ..SiteCounts::default() };
        let object = ObjectSummary {
            path: "/lib/x".to_owned(),
            histograms: [(symbol("f"), Histogram { executed: 9, ..Histogram::default() })].into(),
            site_counts: [
                ((symbol("f"), 0x10), counted(2)),
                ((symbol("f"), 0x20), counted(3)),
                ((symbol("f"), 0x30), counted(4)),
            ]
            .into(),
            ..ObjectSummary::default()
        };
        let summaries = [0, 1].map(|_| Summary { objects: vec![object.clone()], ..Summary::default() });
        let with = profile("f32:f32", vec![], &summaries, &TwoLines);
        let lines: Vec<_> = with.functions[0]
            .lines
            .iter()
            .map(|line| (source::place(&line.frames), line.counts.executed))
            .collect();
        assert_eq!(lines, [("dot.h:7 in dot, inlined at f.c:4".to_owned(), 6), ("f.c:3".to_owned(), 4)]);
        assert!(profile("f32:f32", vec![], &summaries, &NoLines).functions[0].lines.is_empty());
    }

    #[test]
    fn check_with_lines_names_the_instructions_line() {
        let of = |address| {
            let object = ObjectSummary {
                path: "/lib/x".to_owned(),
                compared: 1,
                differences: vec![(address, "_Z1fi+0x2a: lane 3".to_owned())],
                ..ObjectSummary::default()
            };
            check(&[Summary { objects: vec![object], ..Summary::default() }], &TwoLines).0
        };
        assert!(of(0x10).starts_with("error: x (process 0), f(int)+0x2a (f.c:3): lane 3\n"), "{}", of(0x10));
        assert!(of(0).starts_with("error: x (process 0), f(int)+0x2a: lane 3\n"));
    }

    #[test]
    fn why_lists_loops_and_functions() {
        let object = ObjectSummary {
            path: "/lib/libx.so".to_owned(),
            executed: 9,
            whole: 4,
            single: 3,
            gate: 2,
            tiles: 6,
            functions: [
                (FunctionName::Symbol("_Z1fi".to_owned()), (7, 0)),
                (FunctionName::Place { mapping: 0, offset: 0x40 }, (2, 5)),
            ]
            .into(),
            refused: [("the code has too many paths".to_owned(), 1)].into(),
            ..ObjectSummary::default()
        };
        let process = Process { pid: 42, executable: "/usr/bin/python3".into(), ..Process::default() };
        let summary = Summary { process, objects: vec![object], ..Summary::default() };
        let mut text = String::new();
        slow(&mut text, &summary.objects);
        assert_eq!(
            text,
            "  warning: libx.so: 2 multiply-adds are slow, the operator has no code of its own for them\n\
             \x20 note: libx.so: 6 products of tiles (AMX) are native\n"
        );
        assert_eq!(
            why(&[summary, Summary::default()], &NoLines),
            "why: libx.so (process 42), python3:\n\
             \x20 4 in loops translated whole, 3 one by one in loops, 2 one by one elsewhere; 2 of them slow, without code of \
             the operator's own\n\
             \x20 1 loop is not translated whole: the code has too many paths\n\
             \x20 f(int): 7 under the operator, 0 native\n\
             \x20 libx.so+0x40: 2 under the operator, 5 native\n"
        );
    }

    #[test]
    fn check_difference_names_function_and_place() {
        let object = |compared, differences: &[&str]| ObjectSummary {
            path: "/lib/libx.so".to_owned(),
            compared,
            differences: differences.iter().map(|&d| (0, d.to_owned())).collect(),
            ..ObjectSummary::default()
        };
        let summary = |object| Summary {
            process: Process { pid: 42, ..Process::default() },
            objects: vec![object],
            ..Summary::default()
        };
        assert_eq!(
            check(&[], &NoLines),
            ("check: no loop that is translated whole has run\n".to_owned(), true)
        );
        let right = check(&[summary(object(1200, &[])), summary(object(34, &[]))], &NoLines);
        let text = "check: 1,234 runs of loops that are translated whole, all as by single instructions\n";
        assert_eq!(right, (text.to_owned(), true));
        let wrong =
            check(&[summary(object(5, &["_Z1fi+0x3: the flags are 2", "at 0x40: lane 1"]))], &NoLines);
        let text = "error: libx.so (process 42), f(int)+0x3: the flags are 2\n\
                    error: libx.so (process 42), at 0x40: lane 1\n\
                    check: 5 runs of loops are as by single instructions, 2 loops differ\n";
        assert_eq!(wrong, (text.to_owned(), false));
    }

    #[test]
    fn profile_of_several_processes_adds_their_counts() {
        let summary = |pid, rank: Option<&str>, executed| {
            let histogram = Histogram { executed, ..Histogram::default() };
            let object = ObjectSummary {
                path: "/lib/a.so".to_owned(),
                histograms: [(FunctionName::Symbol("_Z1fi".to_owned()), histogram)].into(),
                ..ObjectSummary::default()
            };
            let process = Process { pid, rank: rank.map(str::to_owned), ..Process::default() };
            Summary { process, objects: vec![object], ..Summary::default() }
        };
        let profile = profile(
            "f32:f32",
            vec![],
            &[summary(1, None, 0), summary(2, Some("0"), 3), summary(3, Some("1"), 4)],
            &NoLines,
        );
        assert_eq!((profile.processes, profile.total.executed, profile.functions.len()), (2, 7, 1));
        let function = &profile.functions[0];
        assert_eq!((function.symbol.as_deref(), function.name.as_str()), (Some("_Z1fi"), "f(int)"));
        assert!(function.operators.is_empty());
        let ranks: Vec<_> =
            profile.by_process.iter().map(|p| (p.pid, p.rank.as_deref(), p.total.executed)).collect();
        assert_eq!(ranks, [(2, Some("0"), 3), (3, Some("1"), 4)]);
    }

    #[test]
    fn text_lists_objects_notes_and_types() {
        let object = |path: &str, found, patched, executed, why: Option<&str>| ObjectSummary {
            path: path.to_owned(),
            found,
            patched,
            executed,
            skipped: why.map(|why| (why.to_owned(), found - patched)).into_iter().collect(),
            ..ObjectSummary::default()
        };
        let process = Process { pid: 42, executable: "/usr/bin/python3".into(), ..Process::default() };
        let summary = Summary {
            process,
            objects: vec![
                object("/lib/libblas.so", 60043, 60040, 312, Some("--functions")),
                object("/lib/libm.so.6", 96, 0, 0, Some("by default: elementary functions")),
                ObjectSummary { code: 9, ..object("/lib/libempty.so", 0, 0, 0, None) },
                ObjectSummary { code: 99, ..object("/lib/lib_lightgbm.so", 0, 0, 0, None) },
                ObjectSummary { left_alone: true, ..object("/lib/libc.so.6", 0, 0, 0, None) },
                ObjectSummary { double: 1200, half: 3, dot: 4, ..object("/lib/libx.so", 0, 0, 0, None) },
                ObjectSummary { across: 5, separate_double: 6000, ..object("/lib/liby.so", 0, 0, 0, None) },
                ObjectSummary { separate_half: 7, x87: 8, rare: 9, ..object("/lib/libz.so", 0, 0, 0, None) },
            ],
            notes: vec!["something".into()],
            ..Summary::default()
        };
        let text = text("bf16:bf16", &[summary, Summary::default()]);
        assert_eq!(
            text,
            "binade run: bf16:bf16, python3 (process 42)\n\
             \x20 object          found    patched    reached  left alone\n\
             \x20 libblas.so     60,043     60,040        312  3 --functions\n\
             \x20 libm.so.6          96          0          0  by default: elementary functions\n\
             \x20 no multiply-add found in lib_lightgbm.so, libempty.so\n\
             \x20 note: 1,200 multiply-adds of binary64 are native (libx.so); --also double computes them\n\
             \x20 note: 3 multiply-adds of binary16 (AVX512-FP16) are native (libx.so)\n\
             \x20 note: 4 dot products of BF16 (VDPBF16PS) are native (libx.so); --also dot computes them\n\
             \x20 note: 5 dot products of VDPPS or VDPPD are native (liby.so); --also mul,add computes them\n\
             \x20 note: 6,000 products and sums of binary64 are native (liby.so); --also double computes them\n\
             \x20 note: 7 products and sums of binary16 (AVX512-FP16) are native (libz.so)\n\
             \x20 note: 8 products and sums of x87 are native (libz.so)\n\
             \x20 note: 9 multiply-adds of FMA4 or AVX512-4FMAPS are native (libz.so)\n\
             binade run: 1 more process, 0 of which executed multiply-adds\n\
             note: something\n"
        );
    }

    #[test]
    fn several_operators_are_named_by_function() {
        let symbol = |name: &str| FunctionName::Symbol(name.to_owned());
        let under = |operator: &str, count| BTreeMap::from([(operator.to_owned(), count)]);
        let histogram = Histogram { executed: 1, ..Histogram::default() };
        let object = ObjectSummary {
            path: "/lib/libx.so".into(),
            operators: [(symbol("_Z1fi"), under("bf16:bf16", 2)), (symbol("g"), under("f32:f32", 1200))]
                .into(),
            rules: [(0, 2)].into(),
            histograms: [(symbol("g"), histogram)].into(),
            ..ObjectSummary::default()
        };
        let summary = Summary { objects: vec![object], ..process(1, 1) };
        let processes = [summary];
        let mut shown = String::new();
        operators(&mut shown, &processes[0].objects);
        assert_eq!(
            shown,
            "  f32:f32 in libx.so: g, 1,200 multiply-adds\n  bf16:bf16 in libx.so: f(int), 2 multiply-adds\n"
        );
        assert_eq!(profile("f32:f32", vec![], &processes, &NoLines).functions[0].operators, ["f32:f32"]);
        let rule = |place: &str| Rule { place: place.into(), operator: "bf16:bf16".into() };
        let rules = vec![rule("libx.so:f*"), rule("liby.so")];
        let config = Config { arith: "f32:f32".into(), rules, ..Config::default() };
        assert_eq!(unused_rules(&config, &processes), [1]);
        assert_eq!(arithmetic(&config), "f32:f32 and 2 rules");
    }

    fn process(pid: u32, started: u64) -> Summary {
        let process = Process { pid, started, executable: "/bin/x".into(), ..Process::default() };
        Summary { process, ..Summary::default() }
    }

    #[test]
    fn problems_of_complete_run_are_none() {
        let mut shell = process(1, 10);
        shell.execs = vec![
            Exec { pid: 1, at: 20, path: "/bin/y".into() },
            Exec { pid: 0, at: 15, path: "/bin/no".into() },
        ];
        assert_eq!(problems(&Config::default(), 1, &[shell, process(1, 30)]), (String::new(), false));
    }

    #[test]
    fn problems_of_program_without_record_are_an_error() {
        let reason = "left no record: it ran natively, or ended before the agent was loaded\n";
        let none = problems(&Config::default(), 7, &[]);
        assert_eq!(none, (format!("error: the program (process 7) {reason}"), true));
        let mut shell = process(1, 10);
        shell.execs = vec![Exec { pid: 1, at: 20, path: "/bin/y".into() }];
        let own = problems(&Config::default(), 1, std::slice::from_ref(&shell));
        assert_eq!(own, (format!("error: /bin/y (process 1) {reason}"), true));
        // The program itself was changed, one that it started was not.
        shell.execs[0].pid = 2;
        let copy = Summary { process: Process { forked: true, ..process(3, 15).process }, ..shell.clone() };
        let child = problems(&Config::default(), 1, &[shell, copy]);
        assert_eq!(child, (format!("warning: /bin/y (process 2) {reason}"), false));
    }

    #[test]
    fn problems_of_failed_agent_are_an_error() {
        let failed = Summary { failures: vec!["ran natively: no memory".into()], ..process(4, 1) };
        let mut copy = Summary { process: process(5, 2).process, ..failed.clone() };
        (copy.process.parent, copy.process.forked) = (4, true);
        let text = "error: x (process 4): ran natively: no memory\n".to_owned();
        assert_eq!(problems(&Config::default(), 4, &[failed, copy]), (text, true));
    }

    #[test]
    fn problems_of_filter_without_match_name_the_pattern() {
        let object = ObjectSummary { path: "/lib/libx.so".into(), found: 2, ..ObjectSummary::default() };
        let summary = Summary { objects: vec![object], ..process(1, 1) };
        let config = Config {
            only: vec!["libx.so".into(), "liby*".into()],
            functions: Some("^nosuch".into()),
            ..Config::default()
        };
        let (text, is_error) = problems(&config, 1, &[summary]);
        assert!(is_error);
        assert_eq!(
            text,
            "error: --only 'liby*' matches no object that was loaded\n\
             error: --functions '^nosuch' matches no function with multiply-adds in the objects that are changed\n"
        );
    }

    #[test]
    fn problems_of_skip_without_match_are_warnings() {
        let skipped = [(filter::SKIP_FUNCTIONS.to_owned(), 2)].into();
        let object = |skipped| {
            let object =
                ObjectSummary { path: "/lib/libx.so".into(), found: 2, skipped, ..ObjectSummary::default() };
            Summary { objects: vec![object], ..process(1, 1) }
        };
        let config = Config {
            skip: vec!["libx.so".into(), "liby*".into()],
            skip_functions: Some("^f".into()),
            ..Config::default()
        };
        let skip = "warning: --skip 'liby*' matches no object that was loaded\n";
        assert_eq!(problems(&config, 1, &[object(skipped)]), (skip.to_owned(), false));
        let functions = "warning: --skip-functions '^f' matches no function with multiply-adds in the objects that are changed\n";
        assert_eq!(problems(&config, 1, &[object([].into())]), (format!("{skip}{functions}"), false));
    }
}
