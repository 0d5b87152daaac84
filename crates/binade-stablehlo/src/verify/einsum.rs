//! Verifies `einsum` and `unary_einsum`, and expresses them as sums, products and transpositions.

use super::contract::{dot_shape, product_elements};
use super::{Builder, Node};
use crate::error::Result;
use crate::ir::{Binary, DotDimensions, Op, Region, ValueId};
use crate::types::{ElementType, TensorType, Type};

type Shape = Vec<Option<usize>>;

/// A value and the letters of its dimensions.
struct Term {
    value: ValueId,
    letters: Vec<char>,
}

/// The letters of a term: one per dimension, each once.
fn letters(node: &Node<'_, '_>, text: &str, rank: usize) -> Result<Vec<char>> {
    let letters: Vec<char> = text.trim().chars().collect();
    let holds = letters.iter().all(char::is_ascii_alphabetic) && letters.len() == rank;
    node.rule(holds, "'einsum_config' must have a letter for each dimension", || {
        format!("'{text}' for rank {rank}")
    })?;
    let unique = letters.iter().enumerate().all(|(index, letter)| !letters[..index].contains(letter));
    if !unique {
        return node.unsupported("a letter twice in one term of 'einsum_config'");
    }
    Ok(letters)
}

impl<'t, 'a> Builder<'t, 'a> {
    fn shape(&self, value: ValueId) -> (Shape, ElementType) {
        match self.ty(value) {
            Type::Tensor(ty) => (ty.shape.clone(), ty.element.clone()),
            _ => (vec![], ElementType::Bool),
        }
    }

    /// Sums a term over the letters that are not kept.
    fn sum(&mut self, term: Term, kept: &[char]) -> Term {
        let (shape, element) = self.shape(term.value);
        let gone = |d: &usize| !kept.contains(&term.letters[*d]);
        let dimensions: Vec<_> = (0..shape.len()).filter(gone).collect();
        if dimensions.is_empty() {
            return term;
        }
        let left: Vec<_> = (0..shape.len()).filter(|d| !gone(d)).collect();
        let scalar = Type::Tensor(TensorType { shape: vec![], element: element.clone() });
        let zero = self.splat(0.0, &element, &[]);
        let (lhs, rhs) = (self.value(scalar.clone()), self.value(scalar.clone()));
        let outer = std::mem::take(&mut self.operations);
        let sum = self.add(Op::Binary(Binary::Add), vec![lhs, rhs], scalar);
        let operations = std::mem::replace(&mut self.operations, outer);
        let body = Region { parameters: vec![lhs, rhs], operations, results: vec![sum] };
        let ty = Type::Tensor(TensorType { shape: left.iter().map(|&d| shape[d]).collect(), element });
        let value = self.add(Op::Reduce { dimensions, body }, vec![term.value, zero], ty);
        Term { value, letters: left.iter().map(|&d| term.letters[d]).collect() }
    }

    /// Transposes a term to an order of dimensions, and binds the result's name.
    fn finish(&mut self, node: &Node<'t, 'a>, term: &Term, order: &[char]) -> Result<()> {
        let position = |letter| term.letters.iter().position(|&other| other == letter);
        let Some(permutation) = order.iter().map(|&letter| position(letter)).collect::<Option<Vec<_>>>()
        else {
            return node.broken(
                "every letter of the result must be one of an operand",
                format!("{order:?} for {:?}", term.letters),
            );
        };
        let (shape, element) = self.shape(term.value);
        let shape: Shape = permutation.iter().map(|&d| shape[d]).collect();
        node.result_shape(0, &shape)?;
        let ty = Type::Tensor(TensorType { shape, element });
        node.type_rule(
            super::compatible(&ty, &node.results()[0]),
            "the result must have the operands' element type",
        )?;
        let value = self.add(Op::Transpose { permutation }, vec![term.value], ty);
        self.define(node, vec![value])
    }
}

/// Splits `ab,bc->ac` into its terms and its result.
fn config<'t>(node: &Node<'t, '_>) -> Result<(Vec<&'t str>, &'t str)> {
    match node.string("einsum_config")?.split_once("->") {
        Some((terms, result)) => Ok((terms.split(',').collect(), result)),
        None => node.wrong("einsum_config", "of the form 'ab,bc->ac'"),
    }
}

pub(crate) fn unary_einsum<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(1, 1)?;
    let (terms, result) = config(node)?;
    let [term] = terms[..] else { return node.wrong("einsum_config", "of the form 'ab->a'") };
    let result = letters(node, result, node.result(0)?.shape.len())?;
    let letters = letters(node, term, node.tensor(0)?.shape.len())?;
    let term = builder.sum(Term { value: node.operands[0], letters }, &result);
    builder.finish(node, &term, &result)
}

pub(crate) fn einsum<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(2, 1)?;
    let same = node.tensor(0)?.element == node.tensor(1)?.element;
    node.type_rule(same, "operands must have the same element type")?;
    let (terms, result) = config(node)?;
    let [lhs, rhs] = terms[..] else { return node.wrong("einsum_config", "of the form 'ab,bc->ac'") };
    let result = letters(node, result, node.result(0)?.shape.len())?;
    let lhs = letters(node, lhs, node.tensor(0)?.shape.len())?;
    let rhs = letters(node, rhs, node.tensor(1)?.shape.len())?;
    // A letter that is in one operand, and not in the result, is summed over first.
    let kept = |other: &[char]| [other, &result[..]].concat();
    let (for_lhs, for_rhs) = (kept(&rhs), kept(&lhs));
    let lhs = builder.sum(Term { value: node.operands[0], letters: lhs }, &for_lhs);
    let rhs = builder.sum(Term { value: node.operands[1], letters: rhs }, &for_rhs);
    let mut dimensions = DotDimensions::default();
    let mut order = vec![];
    for (l, letter) in lhs.letters.iter().enumerate() {
        let Some(r) = rhs.letters.iter().position(|other| other == letter) else { continue };
        if result.contains(letter) {
            dimensions.lhs_batching.push(l);
            dimensions.rhs_batching.push(r);
            order.push(*letter);
        } else {
            dimensions.lhs_contracting.push(l);
            dimensions.rhs_contracting.push(r);
        }
    }
    let ((lhs_shape, _), (rhs_shape, _)) = (builder.shape(lhs.value), builder.shape(rhs.value));
    let pairs = dimensions.lhs_batching.iter().zip(&dimensions.rhs_batching);
    let pairs = pairs.chain(dimensions.lhs_contracting.iter().zip(&dimensions.rhs_contracting));
    let fits = pairs.clone().all(|(&l, &r)| super::node::same_size(lhs_shape[l], rhs_shape[r]));
    node.type_rule(fits, "dimensions of the same letter must have the same size")?;
    order.extend(lhs.letters.iter().filter(|letter| !rhs.letters.contains(letter)));
    order.extend(rhs.letters.iter().filter(|letter| !lhs.letters.contains(letter)));
    product_elements(node)?;
    // The sum of products may be wider than the products.
    let element = node.result(0)?.element.clone();
    let ty = Type::Tensor(TensorType { shape: dot_shape(&dimensions, &lhs_shape, &rhs_shape), element });
    let op = Op::DotGeneral { dimensions, algorithm: None };
    let value = builder.add(op, vec![lhs.value, rhs.value], ty);
    builder.finish(node, &Term { value, letters: order }, &result)
}
