//! Contracted pairs: a product and the only sum that reads it, which an operator computes as one multiply-add.
//!
//! Both are in one block, the product has the sum's type, and no other operation reads it:
//! - `add(multiply(a, b), c)` and `add(c, multiply(a, b))` are FMA(a, b, c);
//! - `subtract(multiply(a, b), c)` is FMA(a, b, −c);
//! - `subtract(c, multiply(a, b))` is FMA(−a, b, c).
//!
//! If both operands of a sum are such products, the left one is contracted; the right one remains a product.
//!
//! In rules, a pair is an operation `multiply_add` at the place of both operations. An earlier rule for one of the two
//! prevents the contraction.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use binade_stablehlo::ir::{Binary, Op, Operation, Program, Region, ValueId};
use binade_stablehlo::{ElementType, Type};

use super::emulated::{Emulated, Fused};
use super::rules::Rules;

/// A sum that also computes a product.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) emulated: Arc<Emulated>,
    pub(crate) fused: Fused,
    /// The index of the product's operation.
    product: usize,
    /// a, b and c.
    pub(crate) operands: [ValueId; 3],
}

impl Pair {
    /// Returns true if its operator takes random words.
    pub(crate) fn is_stochastic(&self) -> bool {
        self.emulated.multiplier().operator().is_stochastic()
    }
}

/// The contracted pairs of a block, by the index of the sum's operation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairs {
    pairs: HashMap<usize, Pair>,
    products: HashSet<usize>,
}

impl Pairs {
    /// Finds the pairs that the rules select.
    pub(crate) fn of(region: &Region, values: &[Type], rules: &Rules) -> Pairs {
        let mut found = Pairs::default();
        if !rules.contract() {
            return found;
        }
        let products: HashMap<ValueId, usize> = (region.operations.iter().enumerate())
            .filter(|(_, operation)| matches!(operation.kind, Op::Binary(Binary::Multiply)))
            .filter_map(|(at, operation)| Some((*operation.results.first()?, at)))
            .collect();
        let mut uses: HashMap<ValueId, usize> = products.keys().map(|&value| (value, 0)).collect();
        let mut named = vec![];
        region.named(&mut named);
        for value in named {
            uses.entry(value).and_modify(|count| *count += 1);
        }
        for (at, sum) in region.operations.iter().enumerate() {
            let product = |operand: usize| {
                let value = sum.operands[operand];
                let product = *products.get(&value).filter(|_| uses[&value] == 1)?;
                let operation = &region.operations[product];
                let element = element(sum, values)?;
                let emulated = rules.contracts(operation, sum, element)?;
                Some((product, operation, emulated.clone())).filter(|_| rules.may_contract(operation, sum))
            };
            let Op::Binary(op @ (Binary::Add | Binary::Subtract)) = sum.kind else { continue };
            let found_at = [0, 1].into_iter().find_map(|side| Some((side, product(side)?)));
            let Some((side, (product, operation, emulated))) = found_at else { continue };
            let fused = match (op, side) {
                (Binary::Add, _) => Fused::MultiplyAdd,
                (_, 0) => Fused::MultiplySubtract,
                _ => Fused::NegatedMultiplyAdd,
            };
            let operands = [operation.operands[0], operation.operands[1], sum.operands[1 - side]];
            found.pairs.insert(at, Pair { emulated, fused, product, operands });
            found.products.insert(product);
        }
        found
    }

    /// Returns the pair whose sum is this operation.
    pub(crate) fn at(&self, sum: usize) -> Option<&Pair> {
        self.pairs.get(&sum)
    }

    /// Returns true if this operation is the product of a pair.
    pub(crate) fn absorbs(&self, product: usize) -> bool {
        self.products.contains(&product)
    }
}

/// The pairs of a program, by the text positions of product and sum. Pairs depend on the region that contains them, and
/// rewriting changes regions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contracted {
    pairs: HashSet<[(u32, u32); 2]>,
    products: HashSet<(u32, u32)>,
}

impl Contracted {
    /// Returns `None` if positions do not identify products and sums.
    pub(crate) fn of(program: &Program, rules: &Rules) -> Option<Contracted> {
        let (mut found, mut seen) = (Contracted::default(), HashSet::new());
        for function in &program.functions {
            let mut regions = vec![&function.body];
            while let Some(region) = regions.pop() {
                let pairs = Pairs::of(region, &function.values, rules);
                for (at, operation) in region.operations.iter().enumerate() {
                    regions.extend(operation.kind.regions());
                    let Op::Binary(Binary::Add | Binary::Subtract | Binary::Multiply) = operation.kind else {
                        continue;
                    };
                    if !seen.insert(operation.position) {
                        return None;
                    }
                    if let Some(pair) = pairs.at(at) {
                        let product = region.operations[pair.product].position;
                        found.pairs.insert([product, operation.position]);
                        found.products.insert(product);
                    }
                }
            }
        }
        Some(found)
    }

    /// Returns true if these are a pair.
    pub(crate) fn has(&self, product: &Operation, sum: &Operation) -> bool {
        self.pairs.contains(&[product.position, sum.position])
    }

    /// Returns true if the operation is the product of a pair.
    pub(crate) fn has_product(&self, product: &Operation) -> bool {
        self.products.contains(&product.position)
    }
}

fn element<'v>(operation: &Operation, values: &'v [Type]) -> Option<&'v ElementType> {
    match &values[operation.results.first()?.0 as usize] {
        Type::Tensor(tensor) => Some(&tensor.element),
        _ => None,
    }
}
