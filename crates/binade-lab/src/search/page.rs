//! The page of a search: a tree of objects, functions and lines, with what each costs alone.

use std::collections::BTreeMap;

use binade_page::{Column, Markup, Page, Table, grouped};

use super::{Answer, Candidate};

/// The space before the name of something within another.
const INDENT: &str = "\u{a0}\u{a0}";

/// The page of an answer over these candidates.
pub fn page(answer: &Answer, candidates: &[Candidate]) -> Page {
    let mut page = Page::new(&format!("What must keep binary32 in {}", answer.command.join(" ")));
    page.paragraph(
        Markup::from("Under ")
            .then(Markup::code(&answer.arith))
            .then(", accepted if ")
            .then(Markup::code(&answer.accept))
            .then("."),
    );
    let count = |number: usize| grouped(number as u64);
    page.cards([
        (count(answer.keep.len()), "must keep binary32"),
        (count(answer.narrow.len()), "may be narrow together"),
        (count(answer.candidates), "candidates"),
        (grouped(answer.runs), "runs"),
    ]);
    if answer.keep.is_empty() {
        page.paragraph(
            "The check accepts the run in which everything is narrow: nothing must keep binary32.",
        );
    } else {
        page.paragraph(
            "With these in binary32 and all else narrow the check accepts; without any one of them it does not.",
        );
    }
    if let Some(share) = answer.accepted_share {
        page.warning(format!(
            "Native runs differ from each other. All of {} runs of the answer were accepted: at 95 % confidence, at least {:.0} % of \
             its runs are.",
            answer.repeat,
            100.0 * share
        ));
    }
    page.section("Objects and functions");
    page.note(
        "Alone narrow: all other code keeps binary32. Difference: the largest one of the output from the native run's, relative to \
         the native number.",
    );
    page.table(tree(answer, candidates));
    page
}

/// The last part of a path.
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn tree(answer: &Answer, candidates: &[Candidate]) -> Table {
    let mut table = Table::new([
        Column::name("object, function, line"),
        Column::text("answer"),
        Column::text("alone narrow"),
        Column::number("difference"),
        Column::number("multiply-adds in the code"),
    ]);
    let mut objects: BTreeMap<(&str, &str), BTreeMap<&str, Vec<&Candidate>>> = BTreeMap::new();
    for candidate in candidates {
        let object = (file_name(&candidate.object), candidate.object.as_str());
        objects.entry(object).or_default().entry(&candidate.function).or_default().push(candidate);
    }
    for ((file, path), functions) in objects {
        let all: Vec<&Candidate> = functions.values().flatten().copied().collect();
        table.row(group(answer, Markup::titled(file, path), &all));
        for (function, parts) in functions {
            let name = Markup::from(format!("{INDENT}{function}"));
            match parts[..] {
                [one] if one.part.is_none() => table.row(row(answer, name, one)),
                _ => {
                    let whole = parts.iter().find(|candidate| candidate.part.is_none());
                    table.row(match whole {
                        Some(whole) => row(answer, name, whole),
                        None => group(answer, name, &parts),
                    });
                    for candidate in parts.iter().filter(|candidate| candidate.part.is_some()) {
                        let part = candidate.part.as_deref().unwrap_or_default();
                        table.row(row(answer, format!("{INDENT}{INDENT}{part}").into(), candidate));
                    }
                }
            }
        }
    }
    table
}

/// The row of something that has candidates within it.
fn group(answer: &Answer, name: Markup, within: &[&Candidate]) -> [Markup; 5] {
    let kept = within.iter().filter(|candidate| answer.keep.contains(&candidate.name)).count();
    let kept = match kept {
        0 => Markup::quiet("narrow"),
        count => Markup::bad(&format!("{count} to keep")),
    };
    let multiply_adds = within.iter().filter(|candidate| candidate.part.is_none());
    let multiply_adds: u64 = multiply_adds.map(|candidate| candidate.multiply_adds).sum();
    [name, kept, "".into(), "".into(), grouped(multiply_adds).into()]
}

fn row(answer: &Answer, name: Markup, candidate: &Candidate) -> [Markup; 5] {
    let within = |name: &String| name.strip_prefix(&candidate.name).is_some_and(|rest| rest.starts_with(':'));
    let kept = if answer.keep.contains(&candidate.name) {
        Markup::bad("keep binary32")
    } else if answer.keep.iter().any(within) {
        Markup::bad("part to keep")
    } else {
        Markup::quiet("narrow")
    };
    let cost = answer.costs.iter().find(|cost| cost.place == candidate.name);
    let alone = match cost {
        None => Markup::quiet("not run"),
        Some(cost) if cost.accepted => "accepted".into(),
        Some(_) => Markup::bad("rejected"),
    };
    let difference = match cost.map(|cost| cost.difference) {
        Some(Some(0.0)) => Markup::quiet("none"),
        Some(Some(difference)) => format!("{difference:.1e}").into(),
        Some(None) => Markup::quiet("not comparable"),
        None => "".into(),
    };
    [name, kept, alone, difference, grouped(candidate.multiply_adds).into()]
}

#[cfg(test)]
mod tests {
    use super::super::Cost;
    use super::*;

    #[test]
    fn page_is_a_tree_with_costs() {
        let candidate = |name: &str, function: &str, part: Option<&str>| Candidate {
            pattern: name.to_owned(),
            name: name.to_owned(),
            object: "/bin/x".to_owned(),
            function: function.to_owned(),
            part: part.map(str::to_owned),
            places: vec![],
            multiply_adds: 1200,
        };
        let candidates = [
            candidate("x:f", "f", None),
            candidate("x:f:a.c:3", "f", Some("a.c:3")),
            candidate("x:g", "g<int>", None),
        ];
        let cost = |place: &str, accepted, difference| Cost { place: place.to_owned(), accepted, difference };
        let answer = Answer {
            keep: vec!["x:f:a.c:3".to_owned()],
            runs: 9,
            arith: "bf16:bf16".to_owned(),
            accept: "within 1e-3".to_owned(),
            command: vec!["./x".to_owned()],
            candidates: 3,
            narrow: vec!["x:g".to_owned()],
            deterministic: false,
            repeat: 5,
            accepted_share: Some(0.55),
            resumed: 0,
            cost_runs: 2,
            costs: vec![cost("x:f", false, Some(0.25)), cost("x:g", true, None)],
        };
        let html = page(&answer, &candidates).finish();
        for text in [
            "What must keep binary32 in ./x",
            "at least 55 % of its runs are",
            "<span class=\"bad\">part to keep</span></td><td class=\"text\"><span class=\"bad\">rejected</span>",
            "<span class=\"bad\">keep binary32</span></td><td class=\"text\"><span class=\"quiet\">not run</span>",
            "g&lt;int&gt;</td><td class=\"text\"><span class=\"quiet\">narrow</span></td><td class=\"text\">accepted",
            "2.5e-1",
            "2,400",
        ] {
            assert!(html.contains(text), "{text}\n{html}");
        }
    }
}
