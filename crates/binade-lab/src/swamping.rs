//! Pages of a profile of `binade run`: swamping, exponents and births of special values, by function and by process.
//!
//! An addend is *absorbed* if the result is the other addend alone; such steps are counted as they happen. It is *swamped* if the
//! exponents of product and accumulator differ by more than the bits of the accumulator's significand, which is how papers
//! estimate absorption. [`without_swamping`] is the curve of Figures 3, 15 and 18 of "A BF16 FMA is all you need for DNN training".

use std::collections::BTreeMap;

use binade_page::charts::{Shares, shares};
use binade_page::{Column, Markup, Page, Table, Theme, grouped};
use binade_profile::profile::{Function, Histogram, Line, Profile, Rank, SiteCounts};
use binade_profile::source;

/// The widest accumulator that the curve is drawn for, in bits.
const BITS: i32 = 32;
/// Functions that have curves of their own.
const CURVES: usize = 5;
/// Functions in the table.
const ROWS: usize = 100;
/// Significands of one, two and three BF16 parts.
const MARKS: [(i32, &str); 3] = [(8, "BF16"), (16, "BF16x2"), (24, "BF16x3, FP32")];

/// Share of multiply-adds whose exponents of product and accumulator differ by at most `bits`. It is relative to those with a
/// nonzero finite product and accumulator; `None` without any.
pub fn without_swamping(counts: &Histogram, bits: i32) -> Option<f64> {
    let all: u64 = counts.difference.values().sum();
    let within: u64 = counts.difference.range(-bits..=bits).map(|(_, count)| count).sum();
    (all > 0).then(|| within as f64 / all as f64)
}

/// The page of a profile.
pub fn page(profile: &Profile) -> Page {
    let mut page = Page::new(&format!("Multiply-adds of {}", profile.command.join(" ")));
    page.paragraph(
        Markup::from("Operator ")
            .then(Markup::code(&profile.arith))
            .then(format!(", {}.", counted(profile.processes as u64, "process", "processes"))),
    );
    let total = &profile.total;
    page.cards(
        [
            (total.executed, "multiply-adds, each lane one"),
            (total.product_zero, "products of zero"),
            (total.not_finite, "with an operand not finite"),
            (total.nan_born, "NaN born"),
            (total.overflowed, "overflows"),
            (total.underflowed, "underflows"),
            (total.product_absorbed, "products absorbed"),
            (total.addend_absorbed, "accumulators absorbed"),
            (total.differs, "results differing from binary32"),
        ]
        .map(|(count, name)| (grouped(count), name)),
    );
    processes(&mut page, &profile.by_process);
    if total.executed == 0 {
        page.paragraph("No multiply-add was executed.");
    } else {
        plots(&mut page, profile);
        functions(&mut page, profile);
        lines(&mut page, &profile.functions, total);
    }
    page
}

fn plots(page: &mut Page, profile: &Profile) {
    let total = &profile.total;
    let mut shown = vec![("all".to_owned(), total)];
    if profile.functions.len() > 1 {
        shown
            .extend(profile.functions.iter().take(CURVES).map(|function| (name(function), &function.counts)));
    }
    let curve = |counts| -> Vec<_> {
        (0..=BITS).filter_map(|bits| Some((bits, without_swamping(counts, bits)?))).collect()
    };
    let swamping: Vec<_> = shown.iter().map(|(name, counts)| (name.clone(), curve(counts))).collect();
    let differences = [("all".to_owned(), distribution(&total.difference))];
    let exponents =
        [("factors", &total.factors), ("accumulators", &total.addends), ("results", &total.results)]
            .map(|(name, counts)| (name.to_owned(), distribution(counts)));
    let both: u64 = total.difference.values().sum();
    let plots = [
        Shares {
            title: "Multiply-adds without swamping",
            subtitle: &format!(
                "share with |product − accumulator| ≤ bits in exponents, of {} with both nonzero and finite",
                grouped(both)
            ),
            x_axis: "bits of the accumulator's significand",
            y_axis: "share without swamping",
            range: (0, BITS),
            whole: true,
            curves: &swamping,
            marks: &MARKS,
        },
        Shares {
            title: "Exponent of the product less the accumulator's",
            subtitle: "negative where the accumulator is the larger",
            x_axis: "difference of exponents",
            y_axis: "share of multiply-adds",
            range: span(&differences, 8),
            whole: false,
            curves: &differences,
            marks: &[(0, "")],
        },
        Shares {
            title: "Exponents",
            subtitle: "of factors and accumulators before the operator rounds them, and of results; no zeros",
            x_axis: "exponent, ⌊log2 |x|⌋",
            y_axis: "share",
            range: span(&exponents, 4),
            whole: false,
            curves: &exponents,
            marks: &[],
        },
    ];
    for plot in plots {
        page.figure(shares(&plot, Theme::Page));
    }
}

/// Counts as shares, with zeros between and beside them.
fn distribution(counts: &BTreeMap<i32, u64>) -> Vec<(i32, f64)> {
    let all: u64 = counts.values().sum();
    let (Some((first, _)), Some((last, _))) = (counts.first_key_value(), counts.last_key_value()) else {
        return vec![];
    };
    let share = |at| counts.get(&at).map_or(0.0, |count| *count as f64 / all as f64);
    (first - 1..=last + 1).map(|at| (at, share(at))).collect()
}

/// The range that all curves fit, wide enough to be read.
fn span(curves: &[(String, Vec<(i32, f64)>)], margin: i32) -> (i32, i32) {
    let ends = || curves.iter().flat_map(|(_, points)| points.first().into_iter().chain(points.last()));
    let first = ends().map(|(at, _)| *at).min().unwrap_or(0);
    let last = ends().map(|(at, _)| *at).max().unwrap_or(0);
    (first - margin, last + margin)
}

fn name(function: &Function) -> String {
    function.name.clone()
}

fn file(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

/// Shares of multiply-adds in which the product is absorbed, and in which the accumulator is. They are relative to those with
/// a nonzero finite product and accumulator.
pub fn absorbed(counts: &Histogram) -> Option<[f64; 2]> {
    let all: u64 = counts.difference.values().sum();
    (all > 0)
        .then(|| [counts.product_absorbed, counts.addend_absorbed].map(|count| count as f64 / all as f64))
}

fn percent(share: Option<f64>) -> String {
    share.map_or("–".to_owned(), |share| format!("{:.2}%", 100.0 * share))
}

/// Columns of numbers for each function and each process.
const COLUMNS: [&str; 11] = [
    "executed",
    "share",
    "swamped at 8 bits",
    "at 16",
    "at 24",
    "product absorbed",
    "accumulator absorbed",
    "differs from binary32",
    "NaN born",
    "overflows",
    "underflows",
];

/// The cells of [`COLUMNS`].
fn cells(counts: &Histogram, total: &Histogram) -> [Markup; 11] {
    let swamped = |bits| percent(without_swamping(counts, bits).map(|share| 1.0 - share));
    let [product, addend] = [0, 1].map(|which| percent(absorbed(counts).map(|shares| shares[which])));
    let of = |count: u64, all: u64| percent((all > 0).then(|| count as f64 / all as f64));
    [
        grouped(counts.executed),
        of(counts.executed, total.executed),
        swamped(8),
        swamped(16),
        swamped(24),
        product,
        addend,
        of(counts.differs, counts.executed),
        grouped(counts.nan_born),
        grouped(counts.overflowed),
        grouped(counts.underflowed),
    ]
    .map(Markup::from)
}

/// Columns of numbers for the results of each function and each line.
const RESULTS: [&str; 4] = ["error, mean", "largest", "bits lost, mean", "most"];

/// The cells of [`RESULTS`].
fn result_cells(results: &SiteCounts) -> [Markup; 4] {
    let none = || "–".to_owned();
    let error = |error: f64| if error == 0.0 { "0".to_owned() } else { format!("{error:.1e}") };
    let [mean, largest] =
        results.error().map_or_else(|| [none(), none()], |(mean, largest)| [error(mean), error(largest)]);
    let [bits, most] = results
        .lost_bits()
        .map_or_else(|| [none(), none()], |(bits, most)| [format!("{bits:.1}"), most.to_string()]);
    [mean, largest, bits, most].map(Markup::from)
}

/// A table with these columns of names before those of numbers.
fn table(names: &[Column], numbers: &[&str]) -> Table {
    Table::new(names.iter().cloned().chain(numbers.iter().map(|&name| Column::number(name))))
}

/// Appends a table of processes and of all together, if there are several.
fn processes(page: &mut Page, all: &[Rank]) {
    if all.len() < 2 {
        return;
    }
    let mut total = Histogram::default();
    all.iter().for_each(|process| total.merge(&process.total));
    page.section("Processes");
    let mut table = table(&[Column::name("process"), Column::text("rank")], &COLUMNS);
    for process in all {
        let name = format!("{} ({})", file(&process.executable), process.pid);
        let rank = process.rank.as_deref().unwrap_or("–");
        table.row([name.into(), rank.into()].into_iter().chain(cells(&process.total, &total)));
    }
    table.row(["all".into(), "".into()].into_iter().chain(cells(&total, &total)));
    page.table(table);
}

fn functions(page: &mut Page, profile: &Profile) {
    page.section("Functions");
    page.note(
        "In the order of their expected error. A result is the last value of a sum while it is in a register. Error: relative to a \
         binary64 shadow of the registers, at most 1. Bits lost: exponent of the largest addend or partial sum, less that of the result. \
         The expected error is the mean error or, if that is more, what the lost bits make of binary32's last bit.",
    );
    page.note(
        "Swamped: share of the multiply-adds with nonzero finite product and accumulator whose exponents differ by more than 8, 16 \
         and 24. Absorbed: share of these multiply-adds whose result is the accumulator alone, or the product alone, as the operator \
         rounds it.",
    );
    let numbers = [&RESULTS[..], &COLUMNS].concat();
    let mut table = table(&[Column::name("function"), Column::name("object")], &numbers);
    let functions = profile.by_expected_error();
    for function in functions.iter().take(ROWS) {
        let object = Markup::titled(file(&function.object), &function.object);
        let mut named = Markup::from(name(function));
        for operator in &function.operators {
            named = named.then_below(Markup::quiet(operator));
        }
        let numbers =
            result_cells(&function.results).into_iter().chain(cells(&function.counts, &profile.total));
        table.row([named, object].into_iter().chain(numbers));
    }
    page.table(table);
    if functions.len() > ROWS {
        page.note(format!("The profile has {} more.", functions.len() - ROWS));
    }
}

/// Appends a table of source lines, if any are known.
fn lines(page: &mut Page, functions: &[Function], total: &Histogram) {
    let mut all: Vec<(&Function, &Line)> = functions
        .iter()
        .flat_map(|function| function.lines.iter().map(move |line| (function, line)))
        .collect();
    if all.is_empty() {
        return;
    }
    all.sort_by_key(|(_, line)| std::cmp::Reverse(line.counts.executed));
    all.sort_by(|(_, a), (_, b)| b.counts.expected_error().total_cmp(&a.counts.expected_error()));
    page.section("Source lines");
    page.note(
        "From the objects' debug information. A line of an inlined function names the lines of the calls.",
    );
    let names = [Column::name("line"), Column::name("function"), Column::name("object")];
    let mut table = table(&names, &[&RESULTS[..], &["executed", "share"]].concat());
    for (function, line) in all.iter().take(ROWS) {
        let path = line.frames.first().map_or("", |frame| &frame.file);
        let place = Markup::titled(&source::place(&line.frames), path);
        let object = Markup::titled(file(&function.object), &function.object);
        let executed = line.counts.executed;
        let share = percent((total.executed > 0).then(|| executed as f64 / total.executed as f64));
        let numbers = [grouped(executed).into(), share.into()];
        let numbers = result_cells(&line.counts).into_iter().chain(numbers);
        table.row([place, name(function).into(), object].into_iter().chain(numbers));
    }
    page.table(table);
    if all.len() > ROWS {
        page.note(format!("The profile has {} more.", all.len() - ROWS));
    }
}

#[cfg(test)]
mod tests {
    use binade_profile::source::Frame;

    use super::*;

    fn counts(difference: &[(i32, u64)]) -> Histogram {
        let difference: BTreeMap<i32, u64> = difference.iter().copied().collect();
        Histogram { executed: difference.values().sum(), difference, ..Histogram::default() }
    }

    #[test]
    fn curve_counts_differences_within_the_bits() {
        let counts = counts(&[(-20, 1), (-8, 2), (0, 4), (8, 1), (9, 2)]);
        assert_eq!(without_swamping(&counts, 0), Some(0.4));
        assert_eq!(without_swamping(&counts, 8), Some(0.7));
        assert_eq!(without_swamping(&counts, 9), Some(0.9));
        assert_eq!(without_swamping(&counts, 24), Some(1.0));
        assert_eq!(without_swamping(&Histogram::default(), 8), None);
    }

    #[test]
    fn page_of_functions_and_processes() {
        let function = |symbol: Option<&str>, differences: &[(i32, u64)]| Function {
            object: "/lib/\"a<b>\".so".to_owned(),
            symbol: symbol.map(str::to_owned),
            name: symbol.unwrap_or("b.so+0x40").to_owned(),
            operators: vec![],
            counts: counts(differences),
            results: SiteCounts::default(),
            lines: vec![],
        };
        let functions = vec![function(Some("f<int>(a & b)"), &[(0, 3), (30, 1)]), function(None, &[(-2, 1)])];
        let mut total = functions[0].counts.clone();
        total.merge(&functions[1].counts);
        let profile = Profile {
            arith: "bf16:bf16".to_owned(),
            command: vec!["./a".to_owned(), "<script>".to_owned()],
            processes: 1,
            total,
            by_process: vec![],
            functions,
        };
        let html = page(&profile).finish();
        assert!(!html.contains("<script") && !html.contains("NaN%") && !html.contains("inf"));
        assert!(html.contains("f&lt;int&gt;(a &amp; b)") && html.contains("b.so+0x40"));
        assert!(html.contains("1 process.") && html.contains("80.00%") && html.contains("25.00%"));
        assert_eq!(html.matches("<svg").count(), 3);
        assert!(
            !html.contains("http")
                || html.matches("http").count() == html.matches("http://www.w3.org/2000/svg").count()
        );
        assert!(!html.contains("Processes"));
        let rank = |rank: &str, counts: Histogram| Rank {
            pid: 7,
            rank: Some(rank.to_owned()),
            executable: "/bin/<x>".to_owned(),
            total: counts,
        };
        let mut first = counts(&[(0, 8)]);
        (first.product_absorbed, first.addend_absorbed, first.differs) = (2, 1, 6);
        let by_process = vec![rank("0", first), rank("1", counts(&[(9, 8)]))];
        let html = page(&Profile { by_process, processes: 2, ..profile }).finish();
        let numbers = |cells: &[&str]| {
            cells.iter().map(|cell| format!("<td class=\"number\">{cell}</td>")).collect::<String>()
        };
        let row = format!(
            "<td class=\"name\">&lt;x&gt; (7)</td><td class=\"text\">0</td>{}",
            numbers(&["8", "50.00%", "0.00%", "0.00%", "0.00%", "25.00%", "12.50%", "75.00%"])
        );
        assert!(html.contains("Processes") && html.contains(&row), "{html}");
        let all = numbers(&["16", "100.00%", "50.00%"]);
        assert!(html.contains(&format!("<td class=\"name\">all</td><td class=\"text\"></td>{all}")));
        assert!(page(&Profile::default()).finish().contains("No multiply-add was executed"));
    }

    #[test]
    fn page_of_lines_names_calls_that_were_inlined() {
        let frame =
            |file: &str, line| Frame { function: Some("dot<1>".to_owned()), file: file.to_owned(), line };
        let line =
            |frames, executed| Line { frames, counts: SiteCounts { executed, ..SiteCounts::default() } };
        let function = Function {
            object: "/lib/a.so".to_owned(),
            symbol: Some("f".to_owned()),
            name: "f".to_owned(),
            counts: counts(&[(0, 8)]),
            results: SiteCounts::default(),
            operators: vec![],
            lines: vec![
                line(vec![frame("/src/f.c", 3)], 2),
                line(vec![frame("/src/dot.h", 7), frame("/src/f.c", 4)], 6),
            ],
        };
        let total = function.counts.clone();
        let profile = Profile { total, functions: vec![function], ..Profile::default() };
        let html = page(&profile).finish();
        let (first, second) = (html.find("dot.h:7 in dot&lt;1&gt;, inlined at f.c:4"), html.find(">f.c:3<"));
        assert!(first.is_some() && first < second && html.contains("75.00%"), "{html}");
    }

    #[test]
    fn page_of_functions_is_in_the_order_of_expected_errors() {
        let function = |name: &str, executed, results| Function {
            object: "/lib/a.so".to_owned(),
            symbol: Some(name.to_owned()),
            name: name.to_owned(),
            counts: counts(&[(0, executed)]),
            results,
            operators: vec![],
            lines: vec![],
        };
        let of = |lost, error| SiteCounts {
            executed: 4,
            lost: [(0, 3), (lost, 1)].into(),
            errors: [(-63, 3), (error, 1)].into(),
        };
        let functions = vec![
            function("often", 100, of(1, -24)),
            function("cancels", 4, of(23, -25)),
            function("wrong", 3, of(2, 0)),
            function("unknown", 2, SiteCounts::default()),
        ];
        let profile = Profile { total: counts(&[(0, 109)]), functions, ..Profile::default() };
        let html = page(&profile).finish();
        let table = &html[html.find(">Functions<").unwrap()..];
        let places =
            ["wrong", "cancels", "often", "unknown"].map(|name| table.find(&format!(">{name}<")).unwrap());
        assert!(places.is_sorted(), "{places:?}");
        let cells = |cells: [&str; 4]| cells.map(|cell| format!("<td class=\"number\">{cell}</td>")).concat();
        assert!(table.contains(&cells(["2.5e-1", "1.0e0", "0.5", "2"])), "{table}");
        assert!(table.contains(&cells(["–", "–", "–", "–"])));
    }
}
