//! The page of a comparison of units: tables, errors by unit, and the pairs that differ.

use binade_page::charts::{self, Cumulative, SharesOfPairs};
use binade_page::{Column, Markup, Page, Table, Theme, grouped};

use super::conclusion::{relative, ulps};
use super::{Comparison, Pair};

/// A count as a share of all elements, in percent.
fn percent(count: u64, elements: u64) -> String {
    match 100.0 * count as f64 / elements.max(1) as f64 {
        0.0 => "0 %".to_owned(),
        percent if percent < 0.01 => "< 0.01 %".to_owned(),
        percent if percent < 10.0 => format!("{percent:.2} %"),
        percent => format!("{percent:.1} %"),
    }
}

/// The shape as text: `64 × 32`.
pub(crate) fn shape_text(shape: &[u64]) -> String {
    shape.iter().map(u64::to_string).collect::<Vec<_>>().join(" × ")
}

impl Comparison {
    /// The page, for the file of a report.
    pub fn page(&self) -> Page {
        let mut page = Page::new("One product on several matrix units");
        page.paragraph(&*self.conclusion);
        page.cards([
            (shape_text(&self.shape), "elements of the product"),
            (grouped(self.depth), "products in each sum"),
            (self.units.len().to_string(), "units and operators"),
        ]);
        if let Some(input) = &self.chosen_input {
            let others = match self.other_inputs.is_empty() {
                true => String::new(),
                false => format!("; others are {}", self.other_inputs.join(", ")),
            };
            page.note(format!(
                "Units that name no input format read {input}, which all of them take{others}."
            ));
        }
        self.errors(&mut page);
        if !self.pairs.is_empty() {
            self.differences(&mut page);
        }
        page
    }

    fn errors(&self, page: &mut Page) {
        page.section("Beside the exact product");
        page.note(
            "The exact product is that of the numbers which the unit reads, rounded once to the format of its results. One ulp is a \
             unit in the last place of that number. Where products cancel, the exact product is small and an error is many ulps; \
             the relative error is that of the whole matrix, √(Σ (x − y)² / Σ y²).",
        );
        let names: Vec<&str> = self.units.iter().map(|row| &*row.unit).collect();
        let curves: Vec<(&str, Vec<(f64, f64)>)> = self
            .units
            .iter()
            .map(|row| (&*row.unit, row.curve.iter().map(|share| (share.ulps, share.share)).collect()))
            .collect();
        page.figure(charts::cumulative(
            &Cumulative {
                title: "Errors by unit",
                subtitle: "Share of the elements with at most an error; at 0, those that equal the exact product",
                x_axis: "error in ulps of the exact product",
                y_axis: "share of elements",
                curves: &curves,
            },
            Theme::Page,
        ));
        let mut columns = vec![Column::name("unit"), Column::text("result")];
        columns.extend(
            [
                "elements that differ",
                "largest error (ulps)",
                "at",
                "mean (ulps)",
                "half within (ulps)",
                "99 % within (ulps)",
                "relative error",
                "of rounding A and B",
                "infinite",
                "NaN",
            ]
            .map(Column::number),
        );
        let mut table = Table::new(columns);
        for (row, name) in self.units.iter().zip(names) {
            let at = row.max_at.as_ref().map_or(String::new(), |index| {
                index.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
            });
            let counted = |count: u64, exact: u64| match exact {
                0 => Markup::from(grouped(count)),
                exact => {
                    Markup::from(grouped(count)).then(Markup::quiet(&format!(" (exact: {})", grouped(exact))))
                }
            };
            let differ = format!("{} ({})", grouped(row.different), percent(row.different, self.elements));
            let mut cells: Vec<Markup> = vec![name.into(), row.result.clone().into(), differ.into()];
            cells.push(ulps(row.max_ulps).into());
            cells.push(at.into());
            cells.extend([row.mean_ulps, row.median_ulps, row.p99_ulps].map(|x| Markup::from(ulps(x))));
            cells.extend([row.relative_error, row.input_error].map(|x| Markup::from(relative(x))));
            cells.push(counted(row.infinite, row.exact_infinite));
            cells.push(counted(row.nan, row.exact_nan));
            table.row(cells);
        }
        page.table(table);
        for row in self.units.iter().filter(|row| row.unmeasured > 0) {
            page.warning(self.unmeasured(&row.unit, row.unmeasured));
        }
    }

    fn differences(&self, page: &mut Page) {
        page.section("Beside each other");
        page.note("One ulp is that of the exact product; where the ulps of two units differ, the larger.");
        let names: Vec<&str> = self.units.iter().map(|row| &*row.unit).collect();
        let count = names.len();
        let places = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
        let cells: Vec<(usize, usize, f64, [String; 2])> = places
            .zip(&self.pairs)
            .map(|((a, b), pair)| {
                let share = pair.different as f64 / self.elements.max(1) as f64;
                let text = match pair.different {
                    0 => ["equal".to_owned(), String::new()],
                    different => {
                        [percent(different, self.elements), format!("≤ {} ulps", ulps(pair.max_ulps))]
                    }
                };
                (a, b, share, text)
            })
            .collect();
        page.figure(charts::shares_of_pairs(
            &SharesOfPairs {
                title: "Elements that differ between two units",
                subtitle: "Share of the elements, and the largest difference",
                names: &names,
                cells: &cells,
            },
            Theme::Page,
        ));
        let mut table = Table::new([Column::name("unit"), Column::name("and")].into_iter().chain(
            ["elements that differ", "largest difference (ulps)", "relative difference"].map(Column::number),
        ));
        for Pair { a, b, different, max_ulps, relative_difference, .. } in &self.pairs {
            table.row([
                a.clone().into(),
                b.clone().into(),
                format!("{} ({})", grouped(*different), percent(*different, self.elements)).into(),
                ulps(*max_ulps).into(),
                relative(*relative_difference).into(),
            ]);
        }
        page.table(table);
    }

    /// A sentence on elements without an error in ulps.
    fn unmeasured(&self, unit: &str, count: u64) -> String {
        format!(
            "{unit}: {} of the elements that differ {} no error in ulps: the exact product is 0, or one of both is not finite.",
            grouped(count),
            if count == 1 { "has" } else { "have" }
        )
    }

    /// The remarks on elements without an error in ulps.
    pub fn remarks(&self) -> Vec<String> {
        let rows = self.units.iter().filter(|row| row.unmeasured > 0);
        rows.map(|row| self.unmeasured(&row.unit, row.unmeasured)).collect()
    }
}
