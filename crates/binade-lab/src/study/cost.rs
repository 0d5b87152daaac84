//! The cost of operators, after the paper's Table 1. The area of an FMA is that of its multiplier, which grows with the
//! square of its precision ([`Cost`]).

use binade::operator::Cost;
use binade::{Compound, Operator};
use binade_page::charts::{self, Bar, Bars};
use serde::Serialize;

/// The operator for comparison.
const BINARY32: &str = "f32:f32";

/// The seven operators of Table 1, and binary32's own.
pub const PAPER: [&str; 8] = [
    "bf16:bf16",
    "bf16:bf16x2",
    "bf16:bf16x3",
    "bf16x2:bf16x2/3",
    "bf16x2:bf16x2/4",
    "bf16x3:bf16x3/6",
    "bf16x3:bf16x3/9",
    BINARY32,
];

/// Result of the study.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Area of the binary32 FMA, in units.
    pub binary32_area: u32,
    /// Share of FMAs among a program's instructions, if given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fma_share: Option<f64>,
    /// A row for each operator.
    pub operators: Vec<Row>,
}

/// An operator.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Its name.
    pub operator: String,
    /// The paper's name, if it has one.
    pub paper: Option<String>,
    /// Significand bits covered by the multiplication.
    pub multiplier_bits: u32,
    /// Bits of the widest operand.
    pub operand_bits: u32,
    /// Multiplications of input parts.
    pub products: u32,
    /// Area in units: the square of a part's precision for each product.
    pub area: u32,
    /// Throughput relative to binary32 at equal area.
    pub speed_up: f64,
    /// Speed-up of the program whose share of FMAs was given ([`amdahl`]).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program_speed_up: Option<f64>,
}

/// Speed-up of a program if a share of its instructions, the FMAs, is faster by `speed_up`: Amdahl's law. The paper's §7.4
/// uses it: a share of 0.395 and a speed-up of 2.80 give 1.340.
pub fn amdahl(fma_share: f64, speed_up: f64) -> f64 {
    1.0 / (1.0 - fma_share + fma_share / speed_up)
}

/// Computes the costs of operators, and their effect on a program with this share of FMAs.
pub fn run(operators: &[Operator], fma_share: Option<f64>) -> Report {
    let row = |operator| {
        let row = row(operator);
        Row { program_speed_up: fma_share.map(|share| amdahl(share, row.speed_up)), ..row }
    };
    Report { binary32_area: Cost::BINARY32_AREA, fma_share, operators: operators.iter().map(row).collect() }
}

fn row(operator: &Operator) -> Row {
    let cost = operator.cost();
    Row {
        operator: operator.to_string(),
        paper: paper_name(operator),
        multiplier_bits: cost.multiplier_bits,
        operand_bits: cost.operand_bits,
        products: cost.products,
        area: cost.area,
        speed_up: cost.speed_up(),
        program_speed_up: None,
    }
}

/// The heading of the operator's column in Table 1; `None` for variants.
fn paper_name(operator: &Operator) -> Option<String> {
    let Some(compound) = operator.as_compound() else {
        return (operator.to_string() == BINARY32).then(|| "FP32".to_owned());
    };
    let Compound { inputs, accumulator, products, .. } =
        Compound::PAPER.into_iter().find(|known| *known == compound)?;
    let products = if inputs == 1 { String::new() } else { format!("{{{products}}}") };
    Some(format!("FMAbf16_{inputs}_{accumulator}{products}"))
}

impl Report {
    /// A bar chart of the speed-ups, as SVG 800 wide.
    pub fn svg(&self) -> String {
        charts::bars(&Bars {
            title: "Throughput at equal area",
            subtitle: "times that of binary32, whose FMA has 24² = 576 area units",
            x_axis: "speed-up over binary32",
            mark: 1.0,
            bars: &self
                .operators
                .iter()
                .map(|row| Bar {
                    label: &row.operator,
                    value: row.speed_up,
                    note: format!(
                        "{}×  ·  {} area unit{}",
                        speed_up_text(row.speed_up),
                        row.area,
                        if row.area == 1 { "" } else { "s" }
                    ),
                })
                .collect::<Vec<_>>(),
        })
        .finish()
    }
}

/// A speed-up with at least three significant digits and no trailing zeros.
pub fn speed_up_text(x: f64) -> String {
    let text = if x < 1.0 { format!("{x:.3}") } else { format!("{x:.2}") };
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper's Table 1, with the upper end of a range of bits. It prints 2.3 for 576 / 256 = 2.25.
    #[test]
    fn costs_equal_table_1() {
        let report = run(&PAPER.map(|name| name.parse().unwrap()), None);
        let cells: Vec<_> = report
            .operators
            .iter()
            .map(|row| {
                let paper = row.paper.as_deref().unwrap();
                (paper, row.multiplier_bits, row.operand_bits, row.products, row.area, row.speed_up)
            })
            .collect();
        assert_eq!(
            cells,
            [
                ("FMAbf16_1_1", 8, 16, 1, 64, 9.0),
                ("FMAbf16_1_2", 8, 32, 1, 64, 9.0),
                ("FMAbf16_1_3", 8, 48, 1, 64, 9.0),
                ("FMAbf16_2_2{3}", 16, 32, 3, 192, 3.0),
                ("FMAbf16_2_2{4}", 16, 32, 4, 256, 2.25),
                ("FMAbf16_3_3{6}", 24, 48, 6, 384, 1.5),
                ("FMAbf16_3_3{9}", 24, 48, 9, 576, 1.0),
                ("FP32", 24, 32, 1, 576, 1.0),
            ]
        );
        // Both names mean the same operator.
        for row in &report.operators[..7] {
            let named: Operator = row.paper.as_deref().unwrap().parse().unwrap();
            assert_eq!(named.to_string(), row.operator);
        }
    }

    #[test]
    fn program_speed_ups_equal_the_paper() {
        assert_eq!((amdahl(0.395, 2.8) * 1000.0).round(), 1340.0);
        let report = run(&["bf16:bf16".parse().unwrap(), "f32:f32".parse().unwrap()], Some(0.5));
        assert_eq!(report.operators[0].program_speed_up, Some(1.0 / (0.5 + 0.5 / 9.0)));
        assert_eq!(report.operators[1].program_speed_up, Some(1.0));
    }

    #[test]
    fn other_operators_have_costs() {
        let of = |text: &str| row(&text.parse().unwrap());
        assert_eq!(of("float8_e4m3fn:f32").speed_up, 36.0);
        assert_eq!(of("bf16x2:bf16x2/3+exact").paper, None);
        assert_eq!(of("f64:f64").area, 53 * 53);
        assert_eq!(speed_up_text(of("f64:f64").speed_up), "0.205");
        assert_eq!(speed_up_text(2.25), "2.25");
        assert_eq!(speed_up_text(9.0), "9");
    }
}
