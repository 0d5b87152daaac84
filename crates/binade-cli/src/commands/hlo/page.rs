//! Page of `hlo run --profile`: time, memory and numbers by named scope and by operation.

use std::collections::BTreeMap;

use binade_hlo::comparison::Comparison;
use binade_hlo::profile::{Numbers, Row};
use binade_hlo::swamping::Steps;
use binade_page::{Column, Drawing, Markup, Page, Table};

use super::observers::{SWAMPING_TITLES, swamping_columns};

/// Rows of the table of operations and of errors at most; the rest is summed up.
const ROWS: usize = 200;

/// The contents of the page.
pub(super) struct Observed<'a> {
    pub(super) program: &'a str,
    pub(super) rows: &'a [Row],
    pub(super) swamping: Option<&'a BTreeMap<String, Steps>>,
    pub(super) comparison: Option<&'a Comparison>,
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

/// The sums of the rows of one scope or operation.
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

impl Observed<'_> {
    pub(super) fn page(&self) -> Page {
        let total: f64 = self.rows.iter().map(|row| row.seconds).sum();
        let bytes: u64 = self.rows.iter().map(|row| row.bytes).sum();
        let flops: f64 = self.rows.iter().map(|row| row.flops).sum();
        let births: u64 = self.rows.iter().map(|row| row.numbers.births).sum();
        let mut page = Page::new(self.program);
        page.paragraph(format!(
            "{} ms in operations, each a step by itself; {} moved; {}; {}",
            milliseconds(total),
            scaled(bytes as f64, "B"),
            scaled(flops, "flop"),
            if births == 0 { "no infinity and no NaN born of finite operands." } else { "" },
        ));
        if births > 0 {
            page.warning(format!("{births} infinities or NaN born of finite operands."));
        }
        self.summary(&mut page, "By named scope", "scope", total, |row| outermost(&row.scope));
        self.summary(&mut page, "By operation", "operation", total, |row| row.operation.to_owned());
        self.operations(&mut page, total);
        if let Some(seen) = self.swamping {
            swamping(&mut page, seen);
        }
        if let Some(comparison) = self.comparison {
            errors(&mut page, comparison);
        }
        page
    }

    fn summary(&self, page: &mut Page, title: &str, what: &str, total: f64, name: impl Fn(&Row) -> String) {
        page.section(title);
        let number = |heading| Column::number(heading);
        let mut table = Table::new([
            Column::name(what),
            number("time (ms)"),
            Column::text("share"),
            number("bytes moved"),
            number("flop"),
            number("births"),
        ]);
        for Sum { name, seconds, bytes, flops, births } in sums(self.rows, name).into_iter().take(ROWS) {
            table.row([
                name.into(),
                milliseconds(seconds).into(),
                share(seconds, total),
                scaled(bytes as f64, "B").into(),
                scaled(flops, "").into(),
                count(births),
            ]);
        }
        page.table(table);
    }

    fn operations(&self, page: &mut Page, total: f64) {
        page.section("Every operation in every scope");
        page.note("The bars are exponents of the results, ⌊log2 |x|⌋, from the least to the greatest.");
        let number = |heading| Column::number(heading);
        let mut table = Table::new([
            Column::text("operation"),
            Column::name("scope"),
            number("times"),
            number("time (ms)"),
            Column::text("share"),
            number("bytes moved"),
            number("flop"),
            Column::picture("exponents"),
            number("births"),
        ]);
        for row in self.rows.iter().take(ROWS) {
            table.row([
                row.operation.into(),
                (&*row.scope).into(),
                row.executions.to_string().into(),
                milliseconds(row.seconds).into(),
                share(row.seconds, total),
                scaled(row.bytes as f64, "B").into(),
                scaled(row.flops, "").into(),
                histogram(&row.numbers),
                count(row.numbers.births),
            ]);
        }
        page.table(table);
        if let Some(left @ 1..) = self.rows.len().checked_sub(ROWS) {
            let seconds: f64 = self.rows[ROWS..].iter().map(|row| row.seconds).sum();
            page.note(format!("{left} more rows, {} ms together.", milliseconds(seconds)));
        }
    }
}

/// The first two levels of a scope.
fn outermost(scope: &str) -> String {
    let parts: Vec<&str> = scope.split('/').take(2).collect();
    match scope {
        "" => "(none)".to_owned(),
        _ => parts.join("/"),
    }
}

fn share(part: f64, whole: f64) -> Markup {
    Markup::share(if whole > 0.0 { part / whole } else { 0.0 })
}

fn count(births: u64) -> Markup {
    match births {
        0 => "0".into(),
        n => Markup::bad(&n.to_string()),
    }
}

/// Bars of a histogram, with the exponents at its ends.
fn histogram(numbers: &Numbers) -> Markup {
    const WIDTH: f64 = 160.0;
    const HEIGHT: f64 = 26.0;
    let (Some(&(first, _)), Some(&(last, _))) = (numbers.exponents.first(), numbers.exponents.last()) else {
        return match numbers.zeros {
            0 => Markup::default(),
            _ => Markup::quiet("all zero"),
        };
    };
    let step = WIDTH / f64::from(last - first + 1);
    let x = |exponent: i32| f64::from(exponent - first) * step;
    let mut drawing = Drawing::picture(WIDTH, HEIGHT + 14.0, &format!("exponents from {first} to {last}"));
    drawing.histogram(&numbers.exponents, (HEIGHT, HEIGHT), x, |_| binade_page::colour(0));
    let quiet = drawing.theme().quiet();
    drawing.text((0.0, HEIGHT + 12.0), "start", quiet, &first.to_string());
    drawing.text((WIDTH, HEIGHT + 12.0), "end", quiet, &last.to_string());
    drawing.into()
}

fn swamping(page: &mut Page, seen: &BTreeMap<String, Steps>) {
    page.section("Losses of accumulators");
    page.note(
        "Multiply-adds of sampled chains of products and convolutions. One is swamped at n bits if product and accumulator are more \
         than n binades apart. A product or an accumulator is lost if the sum is the other one alone.",
    );
    let mut table =
        Table::new([Column::name("scope")].into_iter().chain(SWAMPING_TITLES.map(Column::number)));
    for (scope, steps) in seen {
        let cells = swamping_columns(steps).into_iter().map(Markup::from);
        table.row([Markup::from(&**scope)].into_iter().chain(cells));
    }
    page.table(table);
}

fn errors(page: &mut Page, comparison: &Comparison) {
    page.section("Errors against binary64");
    page.note(
        "Errors of results, with all that their operands already had. Units in the last place (ulp) are those of the result's \
         own type.",
    );
    if let Some(place) = &comparison.parted {
        page.warning(format!("From {place} on, the program in binary64 went another way."));
    }
    let mut columns =
        vec![Column::number("line"), Column::text("operation"), Column::name("scope"), Column::text("type")];
    let numbers = ["times", "largest error", "largest relative", "mean relative", "largest (ulp)", "births"];
    columns.extend(numbers.map(Column::number));
    let mut table = Table::new(columns);
    for error in super::observers::worst(comparison).into_iter().take(ROWS) {
        let places = [
            error.place.position.0.to_string(),
            error.place.operation.to_string(),
            error.place.scope.to_string(),
            error.place.ty.to_string(),
            error.executions.to_string(),
        ];
        let errors = [error.max_absolute, error.max_relative, error.mean_relative, error.max_ulps];
        let errors = errors.map(|error| format!("{error:.3e}"));
        table.row(places.into_iter().chain(errors).map(Markup::from).chain([count(error.births)]));
    }
    page.table(table);
}
