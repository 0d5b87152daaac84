//! An arithmetic as a program's operations have it: the area of a multiply-add, and the bits of its operands where they are stored.

use binade::block::Element;
use binade::recipe::{Quantizer, short_form};
use binade::{Format, Operator};
use binade_hlo::Program;
use binade_hlo::eval::rules::{self, RuleError, Rules, Scope};
use binade_hlo::ir::Operation;
use thiserror::Error;

use crate::core::{Core, Units};

/// Bits of binary32.
const BINARY32_BITS: f64 = 32.0;
/// Precision of binary32.
const BINARY32_PRECISION: f64 = 24.0;

/// An arithmetic by its name: an operator, a recipe, or rules separated by `;`.
#[derive(Clone, Debug)]
pub struct Arithmetic {
    /// The name, as given.
    pub name: String,
    rules: Rules,
    operator: Option<Operator>,
    scope: Scope,
}

/// The multiply-adds of a product.
#[derive(Clone, Debug, PartialEq)]
pub struct MultiplyAdd {
    /// Area in the units of the paper's Table 1; `None` for matrix units.
    area: Option<f64>,
    /// The formats of both inputs.
    formats: [String; 2],
    /// Partial products of a multiply-add.
    products: f64,
    /// Bits of an element of the left operand, the right one, and the result, scales included.
    pub bits: [f64; 3],
}

/// An arithmetic that was not understood, or has no rate on a core.
#[derive(Debug, Error)]
pub enum ArithmeticError {
    /// A wrong operator, recipe or rule.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// A matrix unit on a core with vector units.
    #[error(
        "'{arithmetic}': the matrix unit has no area, and core {core} has no peak.{format}: take a core with peak rates, such as h100, or \
         an operator with an area, such as bf16:f32"
    )]
    NoArea {
        /// The arithmetic.
        arithmetic: String,
        /// The core.
        core: String,
        /// The format of the inputs.
        format: String,
    },
    /// A format without a peak rate.
    #[error(
        "'{arithmetic}': core {core} has no peak.{format}: add it to the core's file, in TFLOP/s; it has {known}"
    )]
    NoPeak {
        /// The arithmetic.
        arithmetic: String,
        /// The core.
        core: String,
        /// The format of the inputs.
        format: String,
        /// The formats with a rate.
        known: String,
    },
}

impl Arithmetic {
    /// Parses a name. An operator stores operands and results of multiply-adds in its formats, and with [`Scope::All`] all other numbers in
    /// that of its accumulator.
    ///
    /// # Errors
    /// An operator, recipe or rule is not valid.
    pub fn parse(name: &str, scope: Scope) -> Result<Arithmetic, ArithmeticError> {
        let name = name.trim().to_owned();
        if name.eq_ignore_ascii_case("f32") {
            return Ok(Arithmetic { name, rules: Rules::default(), operator: None, scope });
        }
        let texts: Vec<&str> = name.split(';').collect();
        let rules = Rules::parse_in(&texts, scope)?;
        let operator = rules::operator(&name).ok();
        Ok(Arithmetic { name, rules, operator, scope })
    }

    /// The name in tables, where recipes from files have their names only.
    pub fn short_name(&self) -> String {
        short_form(&self.name)
    }

    /// The arithmetic for a program, whose products have roles in recipes.
    pub fn for_program(&self, program: &Program) -> Arithmetic {
        Arithmetic { rules: self.rules.clone().with_roles_of(program), ..self.clone() }
    }

    /// Its rules, as they were written, that match no operation of a program, and patterns of `leave` that match no layer.
    pub fn unmatched(&self, program: &Program) -> Vec<String> {
        let dead = self.rules.reach(program).into_iter().filter(|reach| reach.computed + reach.left == 0);
        let patterns = self.rules.layers(program).1.into_iter().map(|pattern| format!("leave={pattern}"));
        dead.map(|reach| reach.rule).chain(patterns).collect()
    }

    /// Bits of a binary32 element where no multiply-add reads or makes it.
    pub fn stored_bits(&self) -> f64 {
        let operator = self.operator.as_ref().filter(|_| self.scope == Scope::All);
        operator.map_or(BINARY32_BITS, |operator| MultiplyAdd::of(operator).bits[2])
    }

    /// The multiply-adds of a product of `rows` × `depth` and `depth` × `columns` elements.
    pub fn multiply_add(&self, operation: &Operation, [rows, columns, depth]: [usize; 3]) -> MultiplyAdd {
        if let Some(operator) = &self.operator {
            return MultiplyAdd::of(operator);
        }
        if let Some(product) = self.rules.blocks(operation).filter(|product| !product.leaves(depth)) {
            let [left, right] = product.quantizers();
            let unit = product.operator().as_unit().is_some();
            let [of_left, of_right] = [left, right].map(element);
            return MultiplyAdd {
                area: (!unit).then_some(of_left.1 * of_right.1),
                formats: [of_left.0, of_right.0],
                products: 1.0,
                bits: [left.bits(rows, depth), right.bits(columns, depth), BINARY32_BITS],
            };
        }
        match self.rules.multiplier(operation) {
            Some(multiplier) => {
                let operator = MultiplyAdd::of(multiplier.operator());
                let [left, right, _] = operator.bits;
                MultiplyAdd { bits: [left, right, BINARY32_BITS], ..operator }
            }
            None => MultiplyAdd::binary32(),
        }
    }
}

/// The name and precision of a quantizer's elements.
fn element(quantizer: &Quantizer) -> (String, f64) {
    match quantizer.element {
        None => ("f32".to_owned(), BINARY32_PRECISION),
        Some(element) => {
            let precision = match element {
                Element::Float(format) => format.precision().into(),
                // A sign and seven bits.
                Element::Int8 => 7.0,
            };
            (element.to_string(), precision)
        }
    }
}

impl MultiplyAdd {
    /// Binary32's multiply-adds.
    pub fn binary32() -> MultiplyAdd {
        MultiplyAdd {
            area: Some(BINARY32_PRECISION * BINARY32_PRECISION),
            formats: ["f32".to_owned(), "f32".to_owned()],
            products: 1.0,
            bits: [BINARY32_BITS; 3],
        }
    }

    fn of(operator: &Operator) -> MultiplyAdd {
        let cost = operator.cost();
        let area = Some(cost.area.into());
        let width = |format: Format| f64::from(format.width());
        if let Some(compound) = operator.as_compound() {
            let [inputs, accumulator] =
                [compound.inputs, compound.accumulator].map(|parts| 16.0 * parts as f64);
            let formats = ["bf16".to_owned(), "bf16".to_owned()];
            return MultiplyAdd {
                area,
                formats,
                products: cost.products.into(),
                bits: [inputs, inputs, accumulator],
            };
        }
        if let Some((inputs, accumulator)) = operator.formats() {
            let formats = [inputs.to_string(), inputs.to_string()];
            let bits = [width(inputs), width(inputs), width(accumulator)];
            return MultiplyAdd { area, formats, products: 1.0, bits };
        }
        let unit = operator.as_unit();
        let inputs = unit.map(|unit| unit.inputs());
        let [left, right] = inputs.map_or([BINARY32_BITS; 2], |inputs| inputs.map(width));
        MultiplyAdd {
            area: None,
            formats: inputs.map_or_else(Default::default, |inputs| inputs.map(|format| format.to_string())),
            products: 1.0,
            bits: [left, right, BINARY32_BITS],
        }
    }

    /// Multiply-adds per cycle on a core.
    ///
    /// # Errors
    /// A matrix unit on a core of vector units, and formats without a peak rate.
    pub fn rate(&self, core: &Core, arithmetic: &str) -> Result<f64, ArithmeticError> {
        // Inputs of two formats are multiplied at the rate of the wider one.
        let wide = usize::from(self.bits[1] > self.bits[0]);
        let names = || (arithmetic.to_owned(), core.name.clone(), self.formats[wide].clone());
        match &core.units {
            Units::Vector(units) => match self.area {
                Some(area) => Ok(units.count * units.lanes() * units.area / area),
                None => {
                    let (arithmetic, core, format) = names();
                    Err(ArithmeticError::NoArea { arithmetic, core, format })
                }
            },
            Units::Peak(peak) => {
                let found = peak.rates.iter().find(|(format, _)| *format == self.formats[wide]);
                match found {
                    // A multiply-add is two operations.
                    Some((_, teraflops)) => Ok(teraflops * 1000.0 / 2.0 / core.frequency_ghz / self.products),
                    None => {
                        let (arithmetic, core, format) = names();
                        let known: Vec<&str> = peak.rates.iter().map(|(format, _)| &**format).collect();
                        Err(ArithmeticError::NoPeak { arithmetic, core, format, known: known.join(", ") })
                    }
                }
            }
        }
    }

    /// Multiply-adds of an instruction on vector units: more than binary32 has where the operator is smaller, up to the core's limit.
    pub fn lanes(&self, core: &Core) -> f64 {
        match (&core.units, self.area) {
            (Units::Vector(units), Some(area)) => {
                (units.lanes() * units.area / area).min(units.multiply_adds).max(1.0)
            }
            (Units::Vector(units), None) => units.lanes(),
            (Units::Peak(_), _) => 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn multiply_add(name: &str) -> MultiplyAdd {
        MultiplyAdd::of(&name.parse().unwrap())
    }

    fn core(name: &str) -> Core {
        Core::named(name).unwrap().parse(&[]).unwrap()
    }

    #[test]
    fn rates_follow_table_1() {
        let core = core("skylake");
        let rate = |name: &str| multiply_add(name).rate(&core, name).unwrap();
        assert_eq!(rate("f32:f32"), 32.0);
        assert_eq!(["bf16:bf16", "bf16x2:bf16x2/4", "bf16x3:bf16x3/9"].map(rate), [288.0, 72.0, 32.0]);
        let lanes = |name: &str| multiply_add(name).lanes(&core);
        assert_eq!(
            ["f32:f32", "bf16:bf16", "bf16x2:bf16x2/4", "bf16x3:bf16x3/6"].map(lanes),
            [16.0, 32.0, 32.0, 24.0]
        );
        assert_eq!(multiply_add("bf16:bf16x3").bits, [16.0, 16.0, 48.0]);
        assert_eq!(multiply_add("bf16x2:bf16x2/3").bits, [32.0; 3]);
        assert_eq!(multiply_add("mp").bits, [16.0, 16.0, 32.0]);
        assert_eq!(multiply_add("float8_e4m3fn:f16").bits, [8.0, 8.0, 16.0]);
    }

    #[test]
    fn peaks_are_those_of_the_inputs() {
        let core = core("h100");
        let rate = |name: &str| multiply_add(name).rate(&core, name);
        let cycles = core.frequency_ghz * 2.0 / 1000.0;
        assert!((rate("h100:bf16").unwrap() * cycles - 989.4).abs() < 1e-9);
        assert!((rate("bf16x2:bf16x2/3").unwrap() * cycles - 989.4 / 3.0).abs() < 1e-9);
        assert!((rate("float8_e4m3fn:f32").unwrap() * cycles - 1978.9).abs() < 1e-9);
        let error = rate("float8_e3m4:f32").unwrap_err().to_string();
        assert!(error.starts_with("'float8_e3m4:f32': core h100 has no peak.float8_e3m4: add it"), "{error}");
    }

    #[test]
    fn matrix_unit_without_area_is_refused_on_vector_units() {
        let error = multiply_add("h100:e4m3").rate(&core("skylake"), "h100:e4m3").unwrap_err().to_string();
        assert!(
            error.starts_with(
                "'h100:e4m3': the matrix unit has no area, and core skylake has no peak.float8_e4m3fn"
            ),
            "{error}"
        );
    }
}
