//! Where the parts of values are among several devices.

use crate::eval::parts;
use crate::tensor::Tensor;

/// How a value is cut into equal parts, and which of them each device has.
///
/// Devices that have the same part have copies; a value of one part is whole on each of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sharding {
    /// Into how many parts each dimension is cut.
    pub parts: Vec<usize>,
    /// The part of each device by its number: indices in row-major order of the parts. Where there is one part, the list may
    /// be shorter.
    pub places: Vec<usize>,
    /// Of how many terms each part is the sum: a value that is not reduced yet. 1: of itself.
    pub terms: usize,
    /// The term of each device by its number; empty where there is one.
    pub term: Vec<usize>,
}

impl Sharding {
    /// Of values that are cut so, each part of which is whole.
    pub fn cut(parts: Vec<usize>, places: Vec<usize>) -> Sharding {
        Sharding { parts, places, terms: 1, term: vec![] }
    }

    /// Of values of so many dimensions that are whole on each device.
    pub fn whole(rank: usize) -> Sharding {
        Sharding::cut(vec![1; rank], vec![])
    }

    /// Whether every device has all of it.
    pub fn is_whole(&self) -> bool {
        self.terms == 1 && self.parts.iter().all(|&parts| parts == 1)
    }

    /// The sizes of a part of a value of these sizes; none if they cannot be cut so.
    pub fn part_of(&self, shape: &[usize]) -> Option<Vec<usize>> {
        let part = |(&size, &parts): (&usize, &usize)| size.is_multiple_of(parts).then(|| size / parts);
        if shape.len() == self.parts.len() { shape.iter().zip(&self.parts).map(part).collect() } else { None }
    }

    fn term(&self, device: usize) -> usize {
        self.term.get(device).copied().unwrap_or(0)
    }

    /// A device's part; where it is a sum, all of it is the first device's term, and the others are zero.
    ///
    /// # Panics
    /// If there is no such device, or the tensor cannot be cut so.
    pub fn part(&self, tensor: &Tensor, device: usize) -> Tensor {
        if self.is_whole() {
            return tensor.clone();
        }
        let shape = self.part_of(&tensor.shape).expect("sizes that can be cut");
        if self.term(device) > 0 {
            return parts::zeros(&tensor.element, shape);
        }
        let mut place = self.places[device];
        let mut start = vec![0; shape.len()];
        for axis in (0..shape.len()).rev() {
            start[axis] = place % self.parts[axis] * shape[axis];
            place /= self.parts[axis];
        }
        parts::slice(tensor, &start, &shape)
    }

    /// Of a value each of whose dimensions is cut as this one is (none: it is not cut).
    pub(crate) fn mapped(&self, dimensions: &[Option<usize>]) -> Sharding {
        let parts: Vec<usize> =
            dimensions.iter().map(|axis| axis.map_or(1, |axis| self.parts[axis])).collect();
        let place = |&place: &usize| {
            dimensions.iter().zip(&parts).fold(0, |new, (axis, &parts)| {
                let at = axis.map_or(0, |axis| {
                    let after: usize = self.parts[axis + 1..].iter().product();
                    place / after % self.parts[axis]
                });
                new * parts + at
            })
        };
        let places = self.places.iter().map(place).collect();
        Sharding::cut(parts, places)
    }

    /// Those of some devices whose parts [`Self::join`] takes: the first one that has each.
    pub fn holders(&self, devices: &[usize]) -> Vec<usize> {
        let place =
            |device: usize| if self.is_whole() { 0 } else { self.places.get(device).copied().unwrap_or(0) };
        let mut seen = vec![];
        let mut holders = vec![];
        for &device in devices {
            let own = (place(device), self.term(device));
            if !seen.contains(&own) {
                seen.push(own);
                holders.push(device);
            }
        }
        holders
    }

    /// The value of which `held` are the parts of these devices; where several have the same part, the first one's. Terms
    /// are added in their order. None if a part is missing, their types differ, or there is no sum of them.
    pub fn join(&self, held: &[(usize, &Tensor)]) -> Option<Tensor> {
        let count: usize = self.parts.iter().product();
        let mut found: Vec<Option<&Tensor>> = vec![None; count * self.terms];
        for &(device, tensor) in held {
            let place = if self.is_whole() { 0 } else { *self.places.get(device)? };
            found.get_mut(place * self.terms + self.term(device))?.get_or_insert(tensor);
        }
        let mut all = found.into_iter().collect::<Option<Vec<&Tensor>>>()?;
        let first = *all.first()?;
        let alike = |part: &&Tensor| part.element == first.element && part.shape == first.shape;
        if first.shape.len() != self.parts.len() || !all.iter().all(alike) {
            return None;
        }
        if all.len() == 1 {
            return all.pop().cloned();
        }
        if self.terms == 1 {
            return Some(parts::join(&all, &self.parts));
        }
        let sums = all.chunks(self.terms).map(parts::sum).collect::<Option<Vec<Tensor>>>()?;
        Some(parts::join(&sums.iter().collect::<Vec<_>>(), &self.parts))
    }

    /// As XLA writes it: `{devices=[2,1]0,1}`, with last dimensions of devices that have the same part, and of terms.
    pub fn to_xla(&self) -> String {
        if self.is_whole() {
            return "{replicated}".to_owned();
        }
        let list = |items: &[usize]| items.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
        // By the parts, and by their numbers among those of one part.
        let mut devices: Vec<usize> = (0..self.places.len()).collect();
        let own = |device: usize| (self.places[device], self.term(device));
        let copy = |device: usize| (0..device).filter(|&before| own(before) == own(device)).count();
        devices.sort_by_cached_key(|&device| (self.places[device], copy(device), self.term(device)));
        let copies = devices.len() / (self.parts.iter().product::<usize>() * self.terms).max(1);
        let mut sizes = self.parts.clone();
        let last = match (copies, self.terms) {
            (1, 1) => "",
            (_, 1) => " last_tile_dim_replicate",
            (1, _) => " last_tile_dims={unreduced}",
            _ => " last_tile_dims={replicated, unreduced}",
        };
        sizes.extend([copies, self.terms].into_iter().filter(|&size| size > 1));
        format!("{{devices=[{}]{}{last}}}", list(&sizes), list(&devices))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::Data;
    use crate::types::ElementType;

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
            // Two devices have each part, in no order.
            let places: Vec<usize> = (0..2 * count).map(|device| device * 5 % (2 * count) / 2).collect();
            let sharding = Sharding::cut(parts, places);
            let value = tensor(&[4, 4, 6]);
            let held: Vec<Tensor> = (0..2 * count).map(|device| sharding.part(&value, device)).collect();
            let held: Vec<(usize, &Tensor)> = held.iter().enumerate().collect();
            let joined = sharding.join(&held).unwrap();
            assert_eq!((joined.shape.clone(), items(&joined)), (value.shape.clone(), items(&value)));
            assert!(sharding.join(&held[..0]).is_none());
        }
    }

    #[test]
    fn a_part_is_the_block_at_its_place() {
        let sharding = Sharding::cut(vec![2, 2], vec![3, 0, 1, 2]);
        let value = tensor(&[2, 4]);
        assert_eq!(items(&sharding.part(&value, 0)), [6, 7]);
        assert_eq!(items(&sharding.part(&value, 2)), [2, 3]);
        assert_eq!(sharding.part_of(&[3, 4]), None);
        assert_eq!(sharding.part_of(&[2]), None);
    }

    #[test]
    fn dimensions_keep_their_parts_elsewhere() {
        let sharding = Sharding::cut(vec![2, 3], vec![0, 1, 2, 3, 4, 5]);
        let turned = sharding.mapped(&[Some(1), None, Some(0)]);
        assert_eq!(turned, Sharding::cut(vec![3, 1, 2], vec![0, 2, 4, 1, 3, 5]));
        assert_eq!(sharding.mapped(&[Some(1)]), Sharding::cut(vec![3], vec![0, 1, 2, 0, 1, 2]));
    }

    #[test]
    fn shardings_as_xla_writes_them() {
        let text =
            |parts: &[usize], places: &[usize]| Sharding::cut(parts.to_vec(), places.to_vec()).to_xla();
        assert_eq!(text(&[1, 1], &[0, 0]), "{replicated}");
        assert_eq!(text(&[2, 1], &[1, 0]), "{devices=[2,1]1,0}");
        assert_eq!(text(&[2], &[0, 1, 0, 1]), "{devices=[2,2]0,2,1,3 last_tile_dim_replicate}");
        let terms = Sharding { terms: 2, term: vec![0, 1, 0, 1], ..Sharding::cut(vec![1], vec![0; 4]) };
        assert_eq!(terms.to_xla(), "{devices=[1,2,2]0,1,2,3 last_tile_dims={replicated, unreduced}}");
    }

    #[test]
    fn terms_are_added() {
        let sharding =
            Sharding { terms: 2, term: vec![0, 1, 1, 0], ..Sharding::cut(vec![2], vec![0, 0, 1, 1]) };
        let value = tensor(&[4]);
        let held: Vec<Tensor> = (0..4).map(|device| sharding.part(&value, device)).collect();
        let shown: Vec<Vec<i32>> = held.iter().map(items).collect();
        assert_eq!(shown, [[0, 1], [0, 0], [0, 0], [2, 3]]);
        let held: Vec<(usize, &Tensor)> = held.iter().enumerate().collect();
        assert_eq!(items(&sharding.join(&held).unwrap()), [0, 1, 2, 3]);
        let again: Vec<(usize, &Tensor)> = (0..4).map(|device| (device, held[3].1)).collect();
        assert_eq!(items(&sharding.join(&again).unwrap()), [4, 6, 4, 6]);
    }
}
