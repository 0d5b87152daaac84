//! The report of `reveal`, as text and as JSON.

use std::fmt::{self, Display, Write};

use serde_json::{Map, Value, json};

use super::candidates::{Difference, Fit};
use super::facts::{Joined, Overflow};
use super::tree::{Child, Tree};
use super::{Fact, ResultType, Revealed, words};

/// The lines of a report: a name and the text beside it.
struct Lines(Vec<(&'static str, String)>);

impl Lines {
    fn push(&mut self, name: &'static str, text: impl Into<String>) {
        self.0.push((name, text.into()));
    }

    fn fact<T>(&mut self, name: &'static str, fact: &Fact<T>, text: impl Fn(&T) -> String) {
        let text = match fact {
            Fact::Known(value) => text(value),
            Fact::Undecided(reason) => format!("not decided: {reason}"),
        };
        self.push(name, text);
    }
}

fn joined(joined: &Joined) -> String {
    match joined {
        Joined::Aligned => "in one alignment with the products".to_owned(),
        Joined::Late { sum_bits, at_least } => {
            let least = if *at_least { "at least " } else { "" };
            format!("late: after the products are added, whose sum keeps {least}{sum_bits} fraction bits")
        }
    }
}

fn overflow(overflow: &Overflow) -> &'static str {
    match overflow {
        Overflow::Infinity => "infinity",
        Overflow::Nan => "nan",
        Overflow::Saturates => "saturates",
    }
}

/// The code of a NaN, with all digits of its type.
fn nan_code(element: ResultType, code: u64) -> String {
    let digits = match element {
        ResultType::F16 | ResultType::Bf16 => 4,
        ResultType::F32 => 8,
        ResultType::F64 => 16,
    };
    format!("0x{code:0digits$x}")
}

impl Revealed {
    /// The tree of additions as an indented outline, if it is known.
    pub fn picture(&self) -> Option<String> {
        self.order.known().map(|order| words::picture(&order.tree))
    }

    fn lines(&self) -> Lines {
        let mut lines = Lines(vec![]);
        let facts = &self.facts;
        let size = self.options.size;
        lines.push(
            "product",
            format!("{} to {}, {size}, {} calls", self.options.input, self.element, self.calls),
        );
        if let Some(narrow) = &self.narrowed_to {
            lines.push(
                "inputs",
                format!("rounded to {narrow} first; all that follows was probed with {narrow}"),
            );
        }
        let positions = match self.positions.first {
            None => "all agree".to_owned(),
            Some([row, column]) => format!(
                "{} of {} add in another order or with other bits, first [{row}, {column}]; what follows holds for {} rows and {} columns",
                self.positions.differ,
                size.rows * size.columns,
                self.positions.rows.len(),
                self.positions.columns.len()
            ),
        };
        lines.push("positions", positions);
        lines.fact("order", &self.order, |order| order.words.clone());
        if let Some(order) = self.order.known() {
            let text = match (order.exact, order.products) {
                (_, 1) => "one product, or two sums".to_owned(),
                (true, n) => format!("{n} products, exactly"),
                (false, n) if order.tree.nodes.len() == 1 => {
                    format!("at least {n} products: probe a greater depth")
                }
                (false, n) => format!("{n} products"),
            };
            lines.push("a step adds", text);
            if order.products > 1 && !order.exact {
                lines.fact("fraction bits", &facts.fraction_bits, |bits| {
                    format!("{bits} below the largest exponent")
                });
                lines.fact("exponent of a product", &facts.unnormalised, |unnormalised| match unnormalised {
                    true => "the sum of its operands'".to_owned(),
                    false => "that of its leading bit".to_owned(),
                });
                lines.fact("accumulator", &facts.accumulator, joined);
            }
        }
        lines.fact("bits of sums", &facts.sum_bits, ToString::to_string);
        lines.fact("rounding of sums", &facts.rounding, |mode| mode.name().to_owned());
        lines.fact("bits of results", &facts.result_bits, ToString::to_string);
        lines.fact("multiply-adds", &facts.fused, |fused| match fused {
            true => "fused: products are not rounded".to_owned(),
            false => "products are rounded before they are added".to_owned(),
        });
        let kept = |kept: &bool| if *kept { "kept" } else { "flushed to zero" }.to_owned();
        lines.fact("subnormal inputs", &facts.subnormal_inputs, kept);
        lines.fact("subnormal results", &facts.subnormal_results, kept);
        let nan: Vec<String> = [
            ("nan", facts.nan.of_nan),
            ("inf * 0", facts.nan.of_invalid_product),
            ("inf - inf", facts.nan.of_invalid_sum),
        ]
        .into_iter()
        .filter_map(|(of, code)| code.map(|code| format!("{} of {of}", nan_code(self.element, code))))
        .collect();
        lines.push(
            "NaN",
            if nan.is_empty() { "not decided: no result is NaN".to_owned() } else { nan.join(", ") },
        );
        lines.fact("too large", &facts.overflow, |overflow| match overflow {
            Overflow::Infinity => "infinity".to_owned(),
            Overflow::Nan => "NaN".to_owned(),
            Overflow::Saturates => "the largest number".to_owned(),
        });
        lines
    }

    /// The conclusion, a sentence a line.
    pub fn conclusion(&self) -> String {
        let mut text = String::new();
        match (&self.fits[..], &self.nearest) {
            ([], None) => text += "Fits none: no candidate could be compared.",
            ([], Some((fit, difference))) => {
                let _ = write!(text, "Fits none. Nearest is {}: {}.", fit.name(), differs(difference));
            }
            (fits, _) => {
                let _ = write!(text, "Equals on {} random products:", grouped(self.compared));
                for fit in fits.iter().take(MOST_FITS) {
                    let _ = write!(text, "\n  {}", fit.name());
                }
                if fits.len() > MOST_FITS {
                    let _ = write!(text, "\n  and {} more", fits.len() - MOST_FITS);
                }
                if fits.len() > 1 {
                    text += "\nThese candidates do not differ in this product.";
                }
            }
        }
        text
    }

    /// The document of `--json`.
    pub fn json(&self) -> Value {
        let facts = &self.facts;
        let mut undecided = Map::new();
        fn value<T>(
            undecided: &mut Map<String, Value>,
            name: &str,
            fact: &Fact<T>,
            of: impl Fn(&T) -> Value,
        ) -> Value {
            match fact {
                Fact::Known(known) => of(known),
                Fact::Undecided(reason) => {
                    undecided.insert(name.to_owned(), reason.clone().into());
                    Value::Null
                }
            }
        }
        let order = value(&mut undecided, "order", &self.order, |order| json!(order.words));
        let known = self.order.known();
        let sum_bits = value(&mut undecided, "sum_bits", &facts.sum_bits, |bits| json!(bits));
        let rounding = value(&mut undecided, "rounding", &facts.rounding, |mode| json!(mode.name()));
        let result_bits = value(&mut undecided, "result_bits", &facts.result_bits, |bits| json!(bits));
        let fused = value(&mut undecided, "fused", &facts.fused, |fused| json!(fused));
        let fraction_bits = value(&mut undecided, "fraction_bits", &facts.fraction_bits, |bits| json!(bits));
        let accumulator = value(&mut undecided, "accumulator", &facts.accumulator, |joined| match joined {
            Joined::Aligned => json!("aligned"),
            Joined::Late { .. } => json!("late"),
        });
        let inputs = value(&mut undecided, "subnormal_inputs", &facts.subnormal_inputs, |kept| json!(kept));
        let results =
            value(&mut undecided, "subnormal_results", &facts.subnormal_results, |kept| json!(kept));
        let too_large = value(&mut undecided, "overflow", &facts.overflow, |of| json!(overflow(of)));
        let code = |code: Option<u64>| code.map(|code| nan_code(self.element, code));
        let fit = |fit: &Fit| {
            let kind = match fit {
                Fit::Unit(_) => "unit",
                Fit::Operator(_) => "operator",
                Fit::Described(_) => "described",
                Fit::Found(_) => "order found",
            };
            json!({"kind": kind, "name": fit.name()})
        };
        let nearest = self.nearest.as_ref().map(|(nearest, difference)| {
            let mut document = fit(nearest);
            document["differ"] = json!(difference.differ + difference.low_differ);
            document["first"] = json!(difference.first.map(hexadecimal));
            document
        });
        json!({
            "input": self.options.input.to_string(),
            "narrowed_to": self.narrowed_to.as_ref().map(ToString::to_string),
            "result": self.element.to_string(),
            "size": self.options.size.to_string(),
            "calls": self.calls,
            "positions": {"differ": self.positions.differ, "first": self.positions.first},
            "order": order,
            "tree": known.map(|order| brackets(&order.tree)),
            "products": known.map(|order| order.products),
            "exact_steps": known.map(|order| order.exact),
            "fraction_bits": fraction_bits,
            "accumulator": accumulator,
            "sum_bits": sum_bits,
            "rounding": rounding,
            "result_bits": result_bits,
            "fused": fused,
            "subnormal_inputs": inputs,
            "subnormal_results": results,
            "nan": {
                "of_nan": code(facts.nan.of_nan),
                "of_invalid_product": code(facts.nan.of_invalid_product),
                "of_invalid_sum": code(facts.nan.of_invalid_sum),
            },
            "overflow": too_large,
            "undecided": undecided,
            "compared": self.compared,
            "fits": self.fits.iter().map(fit).collect::<Vec<_>>(),
            "nearest": nearest,
        })
    }
}

/// The most candidates that a text lists.
const MOST_FITS: usize = 12;

fn differs(difference: &Difference) -> String {
    let Difference { differ, of, low_differ, low_of, first: [program, own] } = difference;
    let low = format!("{} of {} near the least numbers", grouped(*low_differ), grouped(*low_of));
    format!(
        "{} of {} products of numbers near 1 differ, and {low}, as {} instead of {}",
        grouped(*differ),
        grouped(*of),
        hexadecimal(*program),
        hexadecimal(*own)
    )
}

/// A number in C99's hexadecimal form.
fn hexadecimal(x: f64) -> String {
    binade::text::hex(binade::Value::from_f64(x))
}

/// A number with commas between groups of three digits.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<String> =
        digits.as_bytes().rchunks(3).rev().map(|group| String::from_utf8_lossy(group).into_owned()).collect();
    groups.join(",")
}

/// The tree in brackets: `((0 1) 2)`.
fn brackets(tree: &Tree) -> String {
    let mut text = String::new();
    // Nodes and closing brackets to write.
    let mut stack = vec![Some(Child::Node(tree.nodes.len() - 1))];
    while let Some(item) = stack.pop() {
        if item.is_some() && !text.is_empty() && !text.ends_with('(') {
            text.push(' ');
        }
        match item {
            None => text.push(')'),
            Some(Child::Leaf(leaf)) => {
                let _ = write!(text, "{leaf}");
            }
            Some(Child::Node(node)) => {
                text.push('(');
                stack.push(None);
                stack.extend(tree.nodes[node].iter().rev().map(|&child| Some(child)));
            }
        }
    }
    text
}

impl Display for Revealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.lines().0;
        let width = lines.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        for (name, text) in lines {
            writeln!(f, "{name:width$}  {text}")?;
        }
        write!(f, "\n{}", self.conclusion())
    }
}
