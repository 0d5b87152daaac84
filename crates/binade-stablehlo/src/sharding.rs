//! Shardings: how a value is cut into parts, and which device has which part. The verifier makes them, the evaluator uses them.

/// A cut of a value into equal parts, and the part that each device has.
///
/// Devices with the same part have copies. A value of one part is whole on each device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sharding {
    /// Number of parts along each dimension.
    pub parts: Vec<usize>,
    /// The part of each device, by its number: an index in the row-major order of the parts. With one part, the list may be
    /// shorter.
    pub places: Vec<usize>,
    /// Number of terms of which each part is the sum, for a value that is not reduced yet. 1 for a reduced value.
    pub terms: usize,
    /// The term of each device, by its number. Empty if there is one term.
    pub term: Vec<usize>,
}

impl Sharding {
    /// A sharding with whole parts, without terms.
    pub fn cut(parts: Vec<usize>, places: Vec<usize>) -> Sharding {
        Sharding { parts, places, terms: 1, term: vec![] }
    }

    /// The sharding of a value of rank `rank` that is whole on each device.
    pub fn whole(rank: usize) -> Sharding {
        Sharding::cut(vec![1; rank], vec![])
    }

    /// Returns true if every device has the whole value.
    pub fn is_whole(&self) -> bool {
        self.terms == 1 && self.parts.iter().all(|&parts| parts == 1)
    }

    /// The sizes of a part of a value with these sizes. `None` if the sizes cannot be cut into equal parts.
    pub fn part_of(&self, shape: &[usize]) -> Option<Vec<usize>> {
        let part = |(&size, &parts): (&usize, &usize)| size.is_multiple_of(parts).then(|| size / parts);
        if shape.len() == self.parts.len() { shape.iter().zip(&self.parts).map(part).collect() } else { None }
    }

    /// The term of its part that a device has.
    pub fn term_of(&self, device: usize) -> usize {
        self.term.get(device).copied().unwrap_or(0)
    }

    /// The sharding of a value of which each dimension is cut as the given dimension of this one. `None` means not cut.
    pub fn mapped(&self, dimensions: &[Option<usize>]) -> Sharding {
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

    /// The devices whose parts `binade_hlo::sharding::join` takes: the first device with each part.
    pub fn holders(&self, devices: &[usize]) -> Vec<usize> {
        let place =
            |device: usize| if self.is_whole() { 0 } else { self.places.get(device).copied().unwrap_or(0) };
        let mut seen = vec![];
        let mut holders = vec![];
        for &device in devices {
            let own = (place(device), self.term_of(device));
            if !seen.contains(&own) {
                seen.push(own);
                holders.push(device);
            }
        }
        holders
    }

    /// The sharding in XLA's notation: `{devices=[2,1]0,1}`. Last dimensions stand for devices with the same part, and for
    /// terms.
    pub fn to_xla(&self) -> String {
        if self.is_whole() {
            return "{replicated}".to_owned();
        }
        let list = |items: &[usize]| items.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
        // Sorted by part, then by device number.
        let mut devices: Vec<usize> = (0..self.places.len()).collect();
        let own = |device: usize| (self.places[device], self.term_of(device));
        let copy = |device: usize| (0..device).filter(|&before| own(before) == own(device)).count();
        devices.sort_by_cached_key(|&device| (self.places[device], copy(device), self.term_of(device)));
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
}
