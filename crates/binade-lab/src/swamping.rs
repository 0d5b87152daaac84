//! The HTML report of `binade run --profile`: swamping, exponents and the origin of special values.
//!
//! An addend is *absorbed* if the result equals the other addend; this is counted directly. It is *swamped* if the exponents
//! of the product and of the accumulator differ by more than the bits of the accumulator's significand, which is the papers'
//! estimate. [`without_swamping`] is the curve of Figures 3, 15 and 18 of "A BF16 FMA is all you need for DNN training".

use std::collections::BTreeMap;
use std::fmt::Write;

use binade_profile::profile::{Function, Histogram, Profile, Rank};

use crate::svg;

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

/// The report on a profile: self-contained, without scripts.
pub fn html(profile: &Profile) -> String {
    let command = svg::escaped(&profile.command.join(" "));
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>binade run: {command}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <h1>Multiply-adds of <code>{command}</code></h1>\n<p>Operator <code>{}</code>, {}.</p>\n",
        svg::escaped(&profile.arith),
        counted(profile.processes as u64, "process", "processes"),
    );
    let total = &profile.total;
    page += &cards(total);
    page += &processes(&profile.by_process);
    if total.executed == 0 {
        page += "<p>No multiply-add was executed.</p>\n";
    } else {
        page += &plots(profile);
        page += &table(&profile.functions, total);
    }
    page + "</body>\n</html>\n"
}

const STYLE: &str = "body{font:15px/1.5 system-ui,Helvetica,Arial,sans-serif;color:#24292f;max-width:1080px;\
margin:32px auto;padding:0 20px}h1{font-size:22px}h2{font-size:18px;margin-top:36px}code{background:#f3f4f6;\
padding:1px 5px;border-radius:4px;overflow-wrap:anywhere}.cards{display:flex;flex-wrap:wrap;gap:12px;margin:20px 0}\
.card{border:1px solid #d8dee4;border-radius:8px;padding:10px 16px}.card b{display:block;font-size:20px}\
.card span{color:#57606a}svg{max-width:100%;height:auto;display:block;margin:12px 0}\
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:13px}th,td{padding:4px 10px;text-align:right;\
border-bottom:1px solid #d8dee4;white-space:nowrap}th:first-child,td:first-child{text-align:left}p{max-width:70ch}";

fn cards(total: &Histogram) -> String {
    let mut text = "<div class=\"cards\">\n".to_owned();
    for (count, what) in [
        (total.executed, "multiply-adds, each lane one"),
        (total.product_zero, "products of zero"),
        (total.not_finite, "with an operand not finite"),
        (total.nan_born, "NaN born"),
        (total.overflowed, "overflows"),
        (total.underflowed, "underflows"),
        (total.product_absorbed, "products absorbed"),
        (total.addend_absorbed, "accumulators absorbed"),
        (total.differs, "results that binary32 would not give"),
    ] {
        // Writing to a String does not fail.
        let _ = writeln!(text, "<div class=\"card\"><b>{}</b><span>{what}</span></div>", svg::grouped(count));
    }
    text + "</div>\n"
}

fn plots(profile: &Profile) -> String {
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
    [
        svg::shares(&svg::Shares {
            title: "Multiply-adds without swamping",
            subtitle: &format!(
                "share with |product − accumulator| ≤ bits in exponents, of {} with both nonzero and finite",
                svg::grouped(both)
            ),
            x_axis: "bits of the accumulator's significand",
            y_axis: "share without swamping",
            range: (0, BITS),
            whole: true,
            curves: &swamping,
            marks: &MARKS,
        }),
        svg::shares(&svg::Shares {
            title: "Exponent of the product less the accumulator's",
            subtitle: "negative where the accumulator is the larger",
            x_axis: "difference of exponents",
            y_axis: "share of multiply-adds",
            range: span(&differences, 8),
            whole: false,
            curves: &differences,
            marks: &[(0, "")],
        }),
        svg::shares(&svg::Shares {
            title: "Exponents",
            subtitle: "of factors and accumulators before the operator rounds them, and of results; no zeros",
            x_axis: "exponent, ⌊log2 |x|⌋",
            y_axis: "share",
            range: span(&exponents, 4),
            whole: false,
            curves: &exponents,
            marks: &[],
        }),
    ]
    .concat()
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
    format!("{} {}", svg::grouped(count), if count == 1 { one } else { many })
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

/// Headings of the columns for functions and processes.
const HEADINGS: &str = "<th>executed</th><th>share</th><th>swamped, 8 bits</th><th>16</th><th>24</th>\
    <th>product absorbed</th><th>accumulator absorbed</th><th>differs from native</th><th>NaN born</th><th>overflows</th>\
    <th>underflows</th></tr>\n";

/// The columns of [`HEADINGS`].
fn columns(counts: &Histogram, total: &Histogram) -> String {
    let swamped = |bits| percent(without_swamping(counts, bits).map(|share| 1.0 - share));
    let [product, addend] = [0, 1].map(|which| percent(absorbed(counts).map(|shares| shares[which])));
    let of = |count: u64, all: u64| percent((all > 0).then(|| count as f64 / all as f64));
    let cells = [
        svg::grouped(counts.executed),
        of(counts.executed, total.executed),
        swamped(8),
        swamped(16),
        swamped(24),
        product,
        addend,
        of(counts.differs, counts.executed),
        svg::grouped(counts.nan_born),
        svg::grouped(counts.overflowed),
        svg::grouped(counts.underflowed),
    ];
    cells.map(|cell| format!("<td>{cell}</td>")).concat()
}

/// A table of processes, if there are several, and of their total.
fn processes(all: &[Rank]) -> String {
    if all.len() < 2 {
        return String::new();
    }
    let mut total = Histogram::default();
    all.iter().for_each(|process| total.merge(&process.total));
    let mut text = format!(
        "<h2>Processes</h2>\n<div class=\"scroll\"><table>\n<tr><th>process</th><th>rank</th>{HEADINGS}"
    );
    for process in all {
        let name = format!("{} ({})", file(&process.executable), process.pid);
        let rank = process.rank.as_deref().unwrap_or("–");
        let (name, rank) = (svg::escaped(&name), svg::escaped(rank));
        let _ = writeln!(text, "<tr><td>{name}</td><td>{rank}</td>{}</tr>", columns(&process.total, &total));
    }
    let _ = writeln!(text, "<tr><td>all</td><td></td>{}</tr>", columns(&total, &total));
    text + "</table></div>\n"
}

fn table(functions: &[Function], total: &Histogram) -> String {
    let mut text = format!(
        "<h2>Functions</h2>\n<p>Swamped: share of the multiply-adds with nonzero finite product and accumulator whose \
         exponents differ by more than 8, 16 and 24. Absorbed: share of the same whose result is that of the accumulator, or \
         of the product, alone, as the operator rounds it.</p>\n<div class=\"scroll\"><table>\n\
         <tr><th>function</th><th>object</th>{HEADINGS}"
    );
    for function in functions.iter().take(ROWS) {
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td title=\"{}\">{}</td>{}</tr>",
            svg::escaped(&name(function)),
            svg::escaped(&function.object).replace('"', "&quot;"),
            svg::escaped(file(&function.object)),
            columns(&function.counts, total),
        );
    }
    text += "</table></div>\n";
    if functions.len() > ROWS {
        let _ = writeln!(text, "<p>The profile has {} more.</p>", functions.len() - ROWS);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(difference: &[(i32, u64)]) -> Histogram {
        let difference: BTreeMap<i32, u64> = difference.iter().copied().collect();
        Histogram { executed: difference.values().sum(), difference, ..Histogram::default() }
    }

    #[test]
    fn the_curve() {
        let counts = counts(&[(-20, 1), (-8, 2), (0, 4), (8, 1), (9, 2)]);
        assert_eq!(without_swamping(&counts, 0), Some(0.4));
        assert_eq!(without_swamping(&counts, 8), Some(0.7));
        assert_eq!(without_swamping(&counts, 9), Some(0.9));
        assert_eq!(without_swamping(&counts, 24), Some(1.0));
        assert_eq!(without_swamping(&Histogram::default(), 8), None);
    }

    #[test]
    fn the_page() {
        let function = |symbol: Option<&str>, differences: &[(i32, u64)]| Function {
            object: "/lib/\"a<b>\".so".to_owned(),
            symbol: symbol.map(str::to_owned),
            name: symbol.unwrap_or("b.so+0x40").to_owned(),
            counts: counts(differences),
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
        let page = html(&profile);
        assert!(!page.contains("<script") && !page.contains("NaN%") && !page.contains("inf"));
        assert!(page.contains("f&lt;int&gt;(a &amp; b)") && page.contains("b.so+0x40"));
        assert!(page.contains("1 process.") && page.contains("80.00%") && page.contains("25.00%"));
        assert_eq!(page.matches("<svg").count(), 3);
        assert!(
            !page.contains("http")
                || page.matches("http").count() == page.matches("http://www.w3.org/2000/svg").count()
        );
        assert!(!page.contains("Processes"));
        let rank = |rank: &str, counts: Histogram| Rank {
            pid: 7,
            rank: Some(rank.to_owned()),
            executable: "/bin/<x>".to_owned(),
            total: counts,
        };
        let mut first = counts(&[(0, 8)]);
        (first.product_absorbed, first.addend_absorbed, first.differs) = (2, 1, 6);
        let by_process = vec![rank("0", first), rank("1", counts(&[(9, 8)]))];
        let page = html(&Profile { by_process, processes: 2, ..profile });
        let row = "<td>&lt;x&gt; (7)</td><td>0</td><td>8</td><td>50.00%</td><td>0.00%</td><td>0.00%</td><td>0.00%</td>\
                   <td>25.00%</td><td>12.50%</td><td>75.00%</td>";
        assert!(page.contains("Processes") && page.contains(row), "{page}");
        assert!(page.contains("<td>all</td><td></td><td>16</td><td>100.00%</td><td>50.00%</td>"));
        assert!(html(&Profile::default()).contains("No multiply-add was executed"));
    }
}
