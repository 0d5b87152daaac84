//! Cuts tensors into the parts that devices of a mesh have, and joins the parts.

use std::sync::Arc;

use binade_stablehlo::ir::Binary;
use binade_stablehlo::sharding::Sharding;
use binade_stablehlo::{Data, ElementType, Tensor};

use crate::arithmetic::elementwise;
use crate::movement::shape;

/// Returns a device's part. Where a sharding is a sum, the first device's term is the whole part, and the others are
/// zero.
///
/// # Panics
/// If there is no such device, or the sizes are not multiples of the numbers of parts.
pub fn part(sharding: &Sharding, tensor: &Tensor, device: usize) -> Tensor {
    if sharding.is_whole() {
        return tensor.clone();
    }
    let shape = sharding.part_of(&tensor.shape).expect("sizes that can be cut");
    if sharding.term_of(device) > 0 {
        return zeros(&tensor.element, shape);
    }
    let mut place = sharding.places[device];
    let mut start = vec![0; shape.len()];
    for axis in (0..shape.len()).rev() {
        start[axis] = place % sharding.parts[axis] * shape[axis];
        place /= sharding.parts[axis];
    }
    slice(tensor, &start, &shape)
}

/// Joins the parts that devices have. Where several devices have the same part, the first one counts. Terms of sums are
/// added in their order. `None` if a part is missing, types differ, or the type has no sums.
pub fn join(sharding: &Sharding, held: &[(usize, &Tensor)]) -> Option<Tensor> {
    let count: usize = sharding.parts.iter().product();
    let mut found: Vec<Option<&Tensor>> = vec![None; count * sharding.terms];
    for &(device, tensor) in held {
        let place = if sharding.is_whole() { 0 } else { *sharding.places.get(device)? };
        found.get_mut(place * sharding.terms + sharding.term_of(device))?.get_or_insert(tensor);
    }
    let mut all = found.into_iter().collect::<Option<Vec<&Tensor>>>()?;
    let first = *all.first()?;
    let alike = |part: &&Tensor| part.element == first.element && part.shape == first.shape;
    if first.shape.len() != sharding.parts.len() || !all.iter().all(alike) {
        return None;
    }
    if all.len() == 1 {
        return all.pop().cloned();
    }
    if sharding.terms == 1 {
        return Some(concatenated(&all, &sharding.parts));
    }
    let sums = all.chunks(sharding.terms).map(sum).collect::<Option<Vec<Tensor>>>()?;
    Some(concatenated(&sums.iter().collect::<Vec<_>>(), &sharding.parts))
}

/// The part of a tensor that has these sizes and begins at `start`.
fn slice(tensor: &Tensor, start: &[usize], sizes: &[usize]) -> Tensor {
    shape::slice(tensor, start, &vec![1; sizes.len()], sizes)
}

/// Joins parts in row-major order; `counts` is the number of parts along each dimension.
fn concatenated(parts: &[&Tensor], counts: &[usize]) -> Tensor {
    // Joins along the last dimension first, so that each result is one part along the dimension before.
    let mut joined: Vec<Tensor> = parts.iter().map(|&part| part.clone()).collect();
    for (axis, &count) in counts.iter().enumerate().rev().filter(|&(_, &count)| count > 1) {
        let row = |parts: &[Tensor]| shape::concatenate(&parts.iter().collect::<Vec<_>>(), axis);
        joined = joined.chunks(count).map(row).collect();
    }
    joined.swap_remove(0)
}

/// A tensor of zeros.
fn zeros(element: &ElementType, shape: Vec<usize>) -> Tensor {
    let data = Data::zeros(element, shape.iter().product());
    Tensor { element: element.clone(), shape, data: Arc::new(data) }
}

/// The sum of tensors of one type, from first to last; `None` if the type has no sums.
fn sum(terms: &[&Tensor]) -> Option<Tensor> {
    let (&first, rest) = terms.split_first()?;
    rest.iter().try_fold(first.clone(), |total, term| {
        let data = elementwise::binary(Binary::Add, &total, term, &first.element).ok()?;
        Some(Tensor { data: Arc::new(data), ..total })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor(shape: &[usize]) -> Tensor {
        let count: usize = shape.iter().product();
        let element = ElementType::Integer { signed: true, width: 32 };
        Tensor::new(element, shape.to_vec(), Data::I32((0..count as i32).collect()))
    }

    fn items(tensor: &Tensor) -> Vec<i32> {
        match &*tensor.data {
            Data::I32(items) => items.clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn parts_that_are_cut_are_joined() {
        for parts in [vec![1, 1, 1], vec![2, 1, 3], vec![1, 4, 1], vec![2, 2, 3]] {
            let count: usize = parts.iter().product();
            // Two devices have each part, in arbitrary order.
            let places: Vec<usize> = (0..2 * count).map(|device| device * 5 % (2 * count) / 2).collect();
            let sharding = Sharding::cut(parts, places);
            let value = tensor(&[4, 4, 6]);
            let held: Vec<Tensor> = (0..2 * count).map(|device| part(&sharding, &value, device)).collect();
            let held: Vec<(usize, &Tensor)> = held.iter().enumerate().collect();
            let joined = join(&sharding, &held).unwrap();
            assert_eq!((joined.shape.clone(), items(&joined)), (value.shape.clone(), items(&value)));
            assert!(join(&sharding, &held[..0]).is_none());
        }
    }

    #[test]
    fn a_part_is_the_block_at_its_place() {
        let sharding = Sharding::cut(vec![2, 2], vec![3, 0, 1, 2]);
        let value = tensor(&[2, 4]);
        assert_eq!(items(&part(&sharding, &value, 0)), [6, 7]);
        assert_eq!(items(&part(&sharding, &value, 2)), [2, 3]);
        assert_eq!(sharding.part_of(&[3, 4]), None);
        assert_eq!(sharding.part_of(&[2]), None);
    }

    #[test]
    fn terms_are_added() {
        let sharding =
            Sharding { terms: 2, term: vec![0, 1, 1, 0], ..Sharding::cut(vec![2], vec![0, 0, 1, 1]) };
        let value = tensor(&[4]);
        let held: Vec<Tensor> = (0..4).map(|device| part(&sharding, &value, device)).collect();
        let shown: Vec<Vec<i32>> = held.iter().map(items).collect();
        assert_eq!(shown, [[0, 1], [0, 0], [0, 0], [2, 3]]);
        let held: Vec<(usize, &Tensor)> = held.iter().enumerate().collect();
        assert_eq!(items(&join(&sharding, &held).unwrap()), [0, 1, 2, 3]);
        let again: Vec<(usize, &Tensor)> = (0..4).map(|device| (device, held[3].1)).collect();
        assert_eq!(items(&join(&sharding, &again).unwrap()), [4, 6, 4, 6]);
    }
}
