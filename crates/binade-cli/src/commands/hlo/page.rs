//! The page of `hlo run --profile`: one file, without anything from outside.

use std::collections::BTreeMap;
use std::fmt::Write;

use binade_hlo::comparison::Comparison;
use binade_hlo::profile::{Numbers, Row};
use binade_hlo::swamping::Steps;

use super::observers::{SWAMPING_TITLES, swamping_columns};

/// Rows of the table of operations and of errors at most; the rest is summed up.
const ROWS: usize = 200;

const STYLE: &str = "\
body{font:15px/1.5 system-ui,sans-serif;color:#24292f;margin:2rem auto;max-width:76rem;padding:0 1rem}\
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}\
table{border-collapse:collapse;width:100%;font-size:13px}\
th,td{padding:.25rem .5rem;text-align:left;border-bottom:1px solid #d8dee4;vertical-align:middle}\
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\
td.s{max-width:26rem;overflow-wrap:anywhere}\
.bar{display:inline-block;height:.7rem;background:#0072b2;vertical-align:middle}\
.bad{color:#b42318;font-weight:600}.quiet{color:#57606a}svg{display:block}";

/// Everything that the page shows.
pub(super) struct Page<'a> {
    pub(super) program: &'a str,
    pub(super) rows: &'a [Row],
    pub(super) swamping: Option<&'a BTreeMap<String, Steps>>,
    pub(super) comparison: Option<&'a Comparison>,
}

/// `<`, `&` and the like as HTML writes them.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A number with a unit of powers of 1000.
fn scaled(x: f64, unit: &str) -> String {
    let steps = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    match steps.iter().find(|(step, _)| x >= *step) {
        Some((step, prefix)) => format!("{:.2} {prefix}{unit}", x / step),
        None => format!("{x:.0} {unit}"),
    }
}

fn milliseconds(seconds: f64) -> String {
    format!("{:.3}", seconds * 1e3)
}

/// What rows of one scope or operation come to together.
struct Sum {
    name: String,
    seconds: f64,
    bytes: u64,
    flops: f64,
    births: u64,
}

/// The sums of rows that have one name, the longest first.
fn sums(rows: &[Row], name: impl Fn(&Row) -> String) -> Vec<Sum> {
    let mut sums: Vec<Sum> = vec![];
    for row in rows {
        let name = name(row);
        let at = sums.iter().position(|sum| sum.name == name).unwrap_or_else(|| {
            sums.push(Sum { name, seconds: 0.0, bytes: 0, flops: 0.0, births: 0 });
            sums.len() - 1
        });
        let sum = &mut sums[at];
        sum.seconds += row.seconds;
        sum.bytes += row.bytes;
        sum.flops += row.flops;
        sum.births += row.numbers.births;
    }
    sums.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    sums
}

impl Page<'_> {
    /// The document.
    pub(super) fn html(&self) -> String {
        let total: f64 = self.rows.iter().map(|row| row.seconds).sum();
        let bytes: u64 = self.rows.iter().map(|row| row.bytes).sum();
        let flops: f64 = self.rows.iter().map(|row| row.flops).sum();
        let births: u64 = self.rows.iter().map(|row| row.numbers.births).sum();
        let program = escaped(self.program);
        let mut html = format!(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{program}</title>\
             <meta name=\"viewport\" content=\"width=device-width\"><style>{STYLE}</style>\
             <h1>{program}</h1><p>{} ms in operations, each a step by itself; {} moved; {}; {}.</p>",
            milliseconds(total),
            scaled(bytes as f64, "B"),
            scaled(flops, "flop"),
            match births {
                0 => "no infinity and no NaN born of finite operands".to_owned(),
                n => format!("<span class=\"bad\">{n} infinities or NaN born of finite operands</span>"),
            },
        );
        self.summary(&mut html, "By named scope", "scope", total, |row| outermost(&row.scope));
        self.summary(&mut html, "By operation", "operation", total, |row| row.operation.to_owned());
        self.operations(&mut html, total);
        if let Some(seen) = self.swamping {
            swamping(&mut html, seen);
        }
        if let Some(comparison) = self.comparison {
            errors(&mut html, comparison);
        }
        html.push_str("</html>\n");
        html
    }

    fn summary(&self, html: &mut String, title: &str, what: &str, total: f64, name: impl Fn(&Row) -> String) {
        let _ = write!(
            html,
            "<h2>{title}</h2><table><tr><th>{what}<th class=\"n\">ms<th>share<th class=\"n\">bytes\
             <th class=\"n\">flop<th class=\"n\">births</tr>"
        );
        for Sum { name, seconds, bytes, flops, births } in sums(self.rows, name).into_iter().take(ROWS) {
            let _ = write!(
                html,
                "<tr><td class=\"s\">{}<td class=\"n\">{}<td>{}<td class=\"n\">{}<td class=\"n\">{}{}</tr>",
                escaped(&name),
                milliseconds(seconds),
                bar(seconds, total),
                scaled(bytes as f64, "B"),
                scaled(flops, ""),
                count(births),
            );
        }
        html.push_str("</table>");
    }

    fn operations(&self, html: &mut String, total: f64) {
        html.push_str(
            "<h2>Every operation in every scope</h2><p class=\"quiet\">The histogram has the exponents of the results, \
             ⌊log2 |x|⌋, from the least to the greatest.</p><table><tr><th>operation<th>scope<th class=\"n\">times\
             <th class=\"n\">ms<th>share<th class=\"n\">bytes<th class=\"n\">flop<th>exponents<th class=\"n\">births</tr>",
        );
        for row in self.rows.iter().take(ROWS) {
            let _ = write!(
                html,
                "<tr><td>{}<td class=\"s\">{}<td class=\"n\">{}<td class=\"n\">{}<td>{}<td class=\"n\">{}<td class=\"n\">{}<td>{}{}</tr>",
                row.operation,
                escaped(&row.scope),
                row.executions,
                milliseconds(row.seconds),
                bar(row.seconds, total),
                scaled(row.bytes as f64, "B"),
                scaled(row.flops, ""),
                histogram(&row.numbers),
                count(row.numbers.births),
            );
        }
        html.push_str("</table>");
        if let Some(left @ 1..) = self.rows.len().checked_sub(ROWS) {
            let seconds: f64 = self.rows[ROWS..].iter().map(|row| row.seconds).sum();
            let _ = write!(
                html,
                "<p class=\"quiet\">{left} more rows, {} ms together.</p>",
                milliseconds(seconds)
            );
        }
    }
}

/// The scope without what is below its second level.
fn outermost(scope: &str) -> String {
    let parts: Vec<&str> = scope.split('/').take(2).collect();
    match scope {
        "" => "(none)".to_owned(),
        _ => parts.join("/"),
    }
}

fn bar(part: f64, whole: f64) -> String {
    let share = if whole > 0.0 { part / whole } else { 0.0 };
    format!("<span class=\"bar\" style=\"width:{:.1}rem\"></span> {:.1} %", share * 8.0, share * 100.0)
}

fn count(births: u64) -> String {
    match births {
        0 => "<td class=\"n\">0".to_owned(),
        n => format!("<td class=\"n bad\">{n}"),
    }
}

/// Bars of a histogram, as a drawing, with its ends.
fn histogram(numbers: &Numbers) -> String {
    let (Some(&(first, _)), Some(&(last, _))) = (numbers.exponents.first(), numbers.exponents.last()) else {
        return match numbers.zeros {
            0 => String::new(),
            _ => "<span class=\"quiet\">all zero</span>".to_owned(),
        };
    };
    let most = numbers.exponents.iter().map(|(_, count)| *count).max().unwrap_or(1) as f64;
    let (width, height) = (160.0, 26.0);
    let step = width / f64::from(last - first + 1);
    let bars: String = numbers
        .exponents
        .iter()
        .map(|&(exponent, count)| {
            let tall = (count as f64 / most * height).max(0.6);
            let x = f64::from(exponent - first) * step;
            format!(
                "<rect x=\"{x:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{tall:.2}\"><title>2^{exponent}: {count}</title></rect>",
                height - tall,
                (step * 0.9).max(0.3),
            )
        })
        .collect();
    format!(
        "<svg width=\"{width}\" height=\"{}\" role=\"img\" aria-label=\"exponents {first} to {last}\" fill=\"#0072b2\">{bars}\
         <text x=\"0\" y=\"{}\" font-size=\"10\" fill=\"#57606a\">{first}</text>\
         <text x=\"{width}\" y=\"{}\" font-size=\"10\" fill=\"#57606a\" text-anchor=\"end\">{last}</text></svg>",
        height + 12.0,
        height + 11.0,
        height + 11.0,
    )
}

fn swamping(html: &mut String, seen: &BTreeMap<String, Steps>) {
    html.push_str(
        "<h2>What accumulators lose</h2><p class=\"quiet\">Multiply-adds of sampled chains of products and convolutions. One is swamped \
         at n bits where product and accumulator are more than n binades apart; a product or an accumulator is lost where \
         the sum is the other one alone.</p><table><tr><th>scope",
    );
    SWAMPING_TITLES.iter().for_each(|title| html.push_str(&format!("<th class=\"n\">{title}")));
    for (scope, steps) in seen {
        let _ = write!(html, "</tr><tr><td class=\"s\">{}", escaped(scope));
        swamping_columns(steps).iter().for_each(|cell| html.push_str(&format!("<td class=\"n\">{cell}")));
    }
    html.push_str("</tr></table>");
}

fn errors(html: &mut String, comparison: &Comparison) {
    html.push_str(
        "<h2>Errors against binary64</h2><p class=\"quiet\">All that has come together on the way to a value. Units in the \
         last place are those of its own type.</p>",
    );
    if let Some(place) = &comparison.parted {
        let _ = write!(
            html,
            "<p class=\"bad\">From {} on, the program in binary64 went another way.</p>",
            escaped(place)
        );
    }
    html.push_str(
        "<table><tr><th>line<th>operation<th>scope<th>type<th class=\"n\">times<th class=\"n\">largest error\
         <th class=\"n\">relative<th class=\"n\">mean relative<th class=\"n\">ulp<th class=\"n\">births</tr>",
    );
    for error in super::observers::worst(comparison).into_iter().take(ROWS) {
        let _ = write!(
            html,
            "<tr><td>{}<td>{}<td class=\"s\">{}<td>{}<td class=\"n\">{}<td class=\"n\">{:.3e}<td class=\"n\">{:.3e}\
             <td class=\"n\">{:.3e}<td class=\"n\">{:.3e}{}</tr>",
            error.place.position.0,
            error.place.operation,
            escaped(&error.place.scope),
            escaped(&error.place.ty),
            error.executions,
            error.max_absolute,
            error.max_relative,
            error.mean_relative,
            error.max_ulps,
            count(error.births),
        );
    }
    html.push_str("</table>");
}
