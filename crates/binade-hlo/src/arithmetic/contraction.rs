//! Contracted pairs: a product and the sum that alone reads it, which are one multiply-add under an operator.
//!
//! In one block, where the product is of the sum's type and nothing else reads it:
//! - `add(multiply(a, b), c)` and `add(c, multiply(a, b))` are FMA(a, b, c);
//! - `subtract(multiply(a, b), c)` is FMA(a, b, −c);
//! - `subtract(c, multiply(a, b))` is FMA(−a, b, c).
//!
//! Of two products that could be contracted with a sum, the left one is; the other one is a product by itself.
//!
//! In rules such a pair is an operation `multiply_add`, at the place of both its operations; an earlier rule for one of
//! the two keeps them apart.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use binade_stablehlo::ir::{Binary, Op, Operation, Program, Region, ValueId};
use binade_stablehlo::{ElementType, Type};

use super::emulated::{Emulated, Fused};
use super::rules::Rules;

/// A sum that does a product's work too.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) emulated: Arc<Emulated>,
    pub(crate) fused: Fused,
    /// The place of the product.
    product: usize,
    /// a, b and c.
    pub(crate) operands: [ValueId; 3],
}

/// The contracted pairs of a block, by the place of the sum.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairs {
    pairs: HashMap<usize, Pair>,
    products: HashSet<usize>,
}

impl Pairs {
    /// Those that the rules ask for.
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

    /// The pair that the operation at this place is the sum of.
    pub(crate) fn at(&self, sum: usize) -> Option<&Pair> {
        self.pairs.get(&sum)
    }

    /// Whether the operation at this place is the product of a pair.
    pub(crate) fn absorbs(&self, product: usize) -> bool {
        self.products.contains(&product)
    }
}

/// The pairs of a program, by the positions of product and sum in its text: which they are depends on the region that they are
/// in, which rewriting changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contracted {
    pairs: HashSet<[(u32, u32); 2]>,
    products: HashSet<(u32, u32)>,
}

impl Contracted {
    /// None if positions do not tell products and sums from each other.
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

    /// Whether these are a pair.
    pub(crate) fn has(&self, product: &Operation, sum: &Operation) -> bool {
        self.pairs.contains(&[product.position, sum.position])
    }

    /// Whether the operation is a product of one.
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
