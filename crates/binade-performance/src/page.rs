//! The page of a report: the roofline with the time by bound, and tables by arithmetic and by operation.

use binade_page::{Column, Markup, Page, Table, Theme, grouped};

use crate::core::Core;
use crate::estimate::{Group, Report, Row};
use crate::plot::{drawing, seconds_text};

/// Operations with less than this share of an arithmetic's time are one row of the table.
const SMALL: f64 = 0.001;

/// The page, for the file of a report. `program` is its name.
pub fn page(program: &str, report: &Report, core: &Core) -> Page {
    let mut page = Page::new(&format!("Performance of {program}"));
    page.paragraph(format!("On the core {}: {}.", report.core, core.about));
    page.cards([
        (seconds_text(report.baseline.seconds), "in binary32"),
        (grouped(report.multiply_adds as u64), "multiply-adds"),
        (percent(report.product_share), "of binary32's time in products"),
    ]);
    let fastest = report.rows.iter().max_by(|a, b| a.speedup.total_cmp(&b.speedup));
    if let Some(row) = fastest.filter(|row| row.speedup > 1.0) {
        page.paragraph(format!(
            "The fastest arithmetic, {}, is {:.2} times as fast as binary32. If products took no time, the program would be {:.2} times as fast.",
            row.arith, row.speedup, row.limit
        ));
    }
    if report.bounds {
        page.warning("The core's figures are bounds of data sheets, not measurements: so are these times.");
    }
    if report.open_loops > 0 {
        page.warning(format!(
            "The number of iterations of some loops is unknown: {} counted once.",
            grouped(report.open_loops as u64)
        ));
    }
    page.section("Time by bound");
    page.note(
        "Above, operations under the roofs of the units and of each level of memory. Below, the time of each arithmetic, divided by what \
         bounds its operations.",
    );
    page.figure(drawing("Roofline", report, core, Theme::Page));
    arithmetics(&mut page, report);
    for row in [&report.baseline].into_iter().chain(&report.rows) {
        operations(&mut page, row);
    }
    core_figures(&mut page, core);
    page
}

/// A share in percent, with a digit behind the point.
fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// The table by arithmetic.
fn arithmetics(page: &mut Page, report: &Report) {
    page.section("By arithmetic");
    let mut columns = vec![Column::name("arithmetic")];
    columns.extend(["speed-up", "time", "speed-up of products", "limit"].map(Column::number));
    columns.extend(["products bound by", "next bound", "time by bound"].map(Column::text));
    let mut table = Table::new(columns);
    for row in [&report.baseline].into_iter().chain(&report.rows) {
        let mut shares: Vec<(&str, f64)> = row.shares().collect();
        shares.sort_by(|a, b| b.1.total_cmp(&a.1));
        let shares: Vec<String> = shares
            .iter()
            .filter(|(_, share)| *share >= SMALL)
            .map(|(bound, share)| format!("{bound} {}", percent(*share)))
            .collect();
        let [bound, next] = row.bounds_of_products();
        let cells = [
            row.arith.clone(),
            format!("{:.2}", row.speedup),
            seconds_text(row.seconds),
            format!("{:.2}", row.product_speedup),
            format!("{:.2}", row.limit),
            bound,
            next,
            shares.join(", "),
        ];
        table.row(cells.map(Markup::from));
    }
    page.table(table);
    page.note(
        "The limit is the speed-up if products took no time. The next bound is as slow as the first one once that is faster by the factor \
         beside it.",
    );
}

/// The table by operation, under an arithmetic.
fn operations(page: &mut Page, row: &Row) {
    page.section(&format!("Operations under {}", row.arith));
    let mut columns = vec![Column::name("operation"), Column::text("kind"), Column::text("bound by")];
    columns.extend(
        ["runs", "time", "share", "operations", "bytes of memory", "operations per byte"].map(Column::number),
    );
    let mut table = Table::new(columns);
    let share = |group: &Group| if row.seconds > 0.0 { group.seconds / row.seconds } else { 0.0 };
    let (shown, small): (Vec<&Group>, Vec<&Group>) =
        row.operations.iter().partition(|group| share(group) >= SMALL);
    for group in shown {
        let kind = if group.is_product { "product" } else { "elementwise" };
        let intensity = match group.memory_bytes {
            0.0 => "∞".to_owned(),
            bytes => format!("{:.2}", group.operations / bytes),
        };
        let cells = [
            group.operation.clone(),
            kind.to_owned(),
            group.bound_by.clone(),
            grouped(group.executions as u64),
            seconds_text(group.seconds),
            percent(share(group)),
            format!("{:.3e}", group.operations),
            format!("{:.3e}", group.memory_bytes),
            intensity,
        ];
        table.row(cells.map(Markup::from));
    }
    let others = [("others", small.iter().map(|group| group.seconds).sum::<f64>()), ("rest", row.rest())];
    for (name, seconds) in others.into_iter().filter(|(_, seconds)| *seconds > 0.0) {
        let part = if row.seconds > 0.0 { seconds / row.seconds } else { 0.0 };
        let mut cells = vec![name.to_owned(), String::new(), String::new(), String::new()];
        cells.extend([seconds_text(seconds), percent(part), String::new(), String::new(), String::new()]);
        table.row(cells.into_iter().map(Markup::from));
    }
    page.table(table);
}

/// The figures of the core.
fn core_figures(page: &mut Page, core: &Core) {
    page.section("The core");
    page.note(format!("Source of its figures: {}.", core.source));
    let mut columns = vec![Column::name("level")];
    columns.extend(["size", "bandwidth", "latency"].map(Column::number));
    let mut table = Table::new(columns);
    for cache in &core.caches {
        let instances =
            if cache.instances > 1.0 { format!("{} × ", cache.instances) } else { String::new() };
        let cells = [
            cache.name.clone(),
            format!("{instances}{} KiB", cache.kib),
            format!("{:.0} GB/s", cache.bytes_per_cycle * core.frequency_ghz),
            format!("{:.1} ns", cache.latency_cycles / core.frequency_ghz),
        ];
        table.row(cells.map(Markup::from));
    }
    let cells = [
        "memory".to_owned(),
        String::new(),
        format!("{} GB/s", core.memory_gb_per_s),
        format!("{} ns", core.memory_latency_ns),
    ];
    table.row(cells.map(Markup::from));
    page.table(table);
}

#[cfg(test)]
mod tests {
    use binade_hlo::Program;
    use binade_hlo::eval::rules::Scope;

    use super::*;
    use crate::{Arithmetic, Estimate};

    #[test]
    fn page_has_a_row_for_each_arithmetic_and_operation() {
        let text = "func.func @main(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
            %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0]
                : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
            %1 = stablehlo.exponential %0 : tensor<64x64xf32>
            return %1 : tensor<64x64xf32>
        }";
        let program = Program::parse(text).unwrap();
        let core = Core::named("skylake").unwrap().parse(&[]).unwrap();
        let arithmetics = [Arithmetic::parse("bf16:bf16", Scope::Paper).unwrap()];
        let report = Estimate::new(&program, core.clone()).unwrap().report(&arithmetics).unwrap();
        let html = page("a<b", &report, &core).finish();
        for wanted in [
            "<h1>Performance of a&lt;b</h1>",
            "Operations under f32",
            "Operations under bf16:bf16",
            "262,144",
            "<svg",
            "dot_general",
            "exponential",
            "1024 KiB",
        ] {
            assert!(html.contains(wanted), "{wanted}\n{html}");
        }
        assert!(!html.contains(">others<") && html.contains(">rest<"), "{html}");
    }
}
