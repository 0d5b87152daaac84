//! Assigns candidates to items: minimises the total error within a budget of bits.
//!
//! Items choose independently, so errors and sizes add up: minimise Σ eᵢ(cᵢ) subject to Σ bᵢ(cᵢ) ≤ B. For a price λ of a bit,
//! each item minimises eᵢ + λ·bᵢ. As λ falls, its minimisers are the corners of the lower convex hull of its points (b, e),
//! from the cheapest on. Taking the edges of all hulls, steepest first, visits all minimisers of Σ e + λ·Σ b. Each has the
//! least error for its number of bits.
//!
//! Between two of them, the line through both is below every assignment of that size (weak duality). This bounds the error
//! that a better search could find, from the part of the first edge that does not fit. The remaining budget goes to later
//! edges that fit, then to any candidate that fits, the largest gain first. Ties go to the first item, so the result depends
//! on the points only.

/// A candidate for an item.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Offer {
    /// Index of the candidate.
    pub(crate) candidate: usize,
    /// Its size.
    pub(crate) bits: u64,
    /// Its error; finite and not negative.
    pub(crate) error: f64,
}

/// An assignment.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Assigned {
    /// The offer for each item.
    pub(crate) offers: Vec<Offer>,
    pub(crate) bits: u64,
    pub(crate) error: f64,
    /// Lower bound of the error of any assignment within the budget.
    pub(crate) bound: f64,
    /// Bits and error of the best assignments by size, cheapest first. The last has the least error of all.
    pub(crate) frontier: Vec<(u64, f64)>,
}

/// The budget is below this many bits, the size of the smallest candidates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unaffordable(pub(crate) u64);

/// A step from one corner of an item's hull to the next.
struct Edge {
    item: usize,
    /// The corner that it leads to.
    to: usize,
    bits: u64,
    gain: f64,
}

impl Edge {
    fn slope(&self) -> f64 {
        self.gain / self.bits as f64
    }
}

/// Assigns each item one of its offers. Each item must have at least one.
pub(crate) fn assign(items: &[Vec<Offer>], budget: Option<u64>) -> Result<Assigned, Unaffordable> {
    let hulls: Vec<Vec<Offer>> = items.iter().map(|offers| hull(offers)).collect();
    let mut edges: Vec<Edge> = vec![];
    for (item, hull) in hulls.iter().enumerate() {
        edges.extend(hull.windows(2).enumerate().map(|(at, pair)| Edge {
            item,
            to: at + 1,
            bits: pair[1].bits - pair[0].bits,
            gain: pair[0].error - pair[1].error,
        }));
    }
    // Stable: equal slopes stay in the order of items, and the slopes of an item fall strictly.
    edges.sort_by(|a, b| b.slope().total_cmp(&a.slope()));

    let mut chosen: Vec<Offer> = hulls.iter().filter_map(|hull| hull.first().copied()).collect();
    let mut frontier = vec![totals(&chosen)];
    let mut walked = chosen.clone();
    for edge in &edges {
        walked[edge.item] = hulls[edge.item][edge.to];
        let (bits, error) = frontier[frontier.len() - 1];
        frontier.push((bits + edge.bits, (error - edge.gain).max(0.0)));
    }
    // The exact end, instead of a sum of differences.
    if let Some(last) = frontier.last_mut() {
        *last = totals(&walked);
    }
    let budget = budget.unwrap_or(u64::MAX);
    let (mut bits, cheapest) = frontier[0];
    if bits > budget {
        return Err(Unaffordable(bits));
    }
    let (mut error, mut bound) = (cheapest, None);
    let mut blocked = vec![false; items.len()];
    for edge in &edges {
        let fits = edge.bits <= budget - bits && !blocked[edge.item];
        if fits {
            chosen[edge.item] = hulls[edge.item][edge.to];
            bits += edge.bits;
            error -= edge.gain;
        } else {
            blocked[edge.item] = true;
            bound.get_or_insert(error - edge.slope() * (budget - bits) as f64);
        }
    }
    while let Some((item, offer)) = largest_gain(items, &chosen, budget - bits) {
        bits = bits - chosen[item].bits + offer.bits;
        chosen[item] = offer;
    }
    let (bits, error) = totals(&chosen);
    // Differences are rounded, so the bound is limited to the error found.
    let bound = bound.unwrap_or(error).max(0.0).min(error);
    Ok(Assigned { offers: chosen, bits, error, bound, frontier })
}

fn totals(offers: &[Offer]) -> (u64, f64) {
    (offers.iter().map(|offer| offer.bits).sum(), offers.iter().map(|offer| offer.error).sum())
}

/// The corners of the lower convex hull, from the fewest bits to the least error.
fn hull(offers: &[Offer]) -> Vec<Offer> {
    let mut sorted = offers.to_vec();
    // Stable: the first candidate stays among equal points.
    sorted.sort_by(|a, b| a.bits.cmp(&b.bits).then(a.error.total_cmp(&b.error)));
    let slope = |a: &Offer, b: &Offer| (a.error - b.error) / (b.bits - a.bits) as f64;
    let mut hull: Vec<Offer> = vec![];
    for offer in sorted {
        if hull.last().is_some_and(|last| offer.bits == last.bits || offer.error >= last.error) {
            continue;
        }
        while let [.., before, last] = &hull[..]
            && slope(before, last) <= slope(last, &offer)
        {
            hull.pop();
        }
        hull.push(offer);
    }
    hull
}

/// The offer with the largest gain for at most `bits_left` more bits.
fn largest_gain(items: &[Vec<Offer>], chosen: &[Offer], bits_left: u64) -> Option<(usize, Offer)> {
    let mut best: Option<(f64, usize, Offer)> = None;
    for (item, (offers, now)) in items.iter().zip(chosen).enumerate() {
        for offer in offers.iter().filter(|offer| offer.bits.saturating_sub(now.bits) <= bits_left) {
            let gain = now.error - offer.error;
            if gain > best.map_or(0.0, |(gain, ..)| gain) {
                best = Some((gain, item, *offer));
            }
        }
    }
    best.map(|(_, item, offer)| (item, offer))
}

#[cfg(test)]
mod tests {
    use binade::philox;

    use super::*;

    fn offers(points: &[(u64, f64)]) -> Vec<Offer> {
        let each = points.iter().enumerate();
        each.map(|(candidate, &(bits, error))| Offer { candidate, bits, error }).collect()
    }

    /// The least error within a budget, by exhaustive search.
    fn least(items: &[Vec<Offer>], budget: u64) -> Option<f64> {
        let Some((first, rest)) = items.split_first() else { return Some(0.0) };
        let with = |offer: &Offer| Some(offer.error + least(rest, budget.checked_sub(offer.bits)?)?);
        first.iter().filter_map(with).reduce(f64::min)
    }

    #[test]
    fn hull_of_points_drops_those_above_a_line() {
        let corners = hull(&offers(&[(8, 1.0), (4, 5.0), (6, 3.5), (4, 6.0), (16, 1.0), (10, 0.5)]));
        assert_eq!(corners.iter().map(|offer| offer.candidate).collect::<Vec<_>>(), [1, 0, 5]);
    }

    #[test]
    fn no_budget_gives_each_item_its_least_error() {
        let items = [offers(&[(4, 5.0), (8, 1.0), (16, 1.0)]), offers(&[(4, 0.5), (8, 0.5)])];
        let found = assign(&items, None).unwrap();
        assert_eq!(found.offers.iter().map(|offer| offer.candidate).collect::<Vec<_>>(), [1, 0]);
        assert_eq!((found.bits, found.error, found.bound), (12, 1.5, 1.5));
        assert_eq!(found.frontier, [(8, 5.5), (12, 1.5)]);
    }

    #[test]
    fn budget_below_the_smallest_names_it() {
        let items = [offers(&[(4, 5.0), (8, 1.0)]), offers(&[(4, 0.5)])];
        assert_eq!(assign(&items, Some(7)), Err(Unaffordable(8)));
        assert_eq!(assign(&items, Some(8)).unwrap().bits, 8);
    }

    #[test]
    fn assignment_is_between_the_bound_and_exhaustive_search() {
        let (mut exact, mut cases) = (0, 0);
        for seed in 0..300 {
            let word = |at: u64| philox::word(seed, at) as u64;
            let count = 2 + (word(0) % 4) as usize;
            let items: Vec<Vec<Offer>> = (0..count as u64)
                .map(|item| {
                    let points: Vec<(u64, f64)> = (0..4)
                        .map(|at| {
                            (1 + word(100 + 10 * item + at) % 20, (word(500 + 10 * item + at) % 64) as f64)
                        })
                        .collect();
                    offers(&points)
                })
                .collect();
            let frontier = assign(&items, None).unwrap().frontier;
            for &(bits, error) in &frontier {
                assert_eq!(least(&items, bits), Some(error), "seed {seed}: {bits} bits");
            }
            for budget in frontier[0].0..=frontier[frontier.len() - 1].0 + 1 {
                let found = assign(&items, Some(budget)).unwrap();
                let best = least(&items, budget).unwrap();
                assert!(found.bits <= budget && found.error >= best, "seed {seed}, budget {budget}");
                assert!(found.bound <= best + 1e-9, "seed {seed}, budget {budget}: {found:?} {best}");
                (cases, exact) = (cases + 1, exact + (found.error == best) as u32);
            }
        }
        // Few items are the hard case: 6162 of these 6909 are optimal.
        assert!(exact * 100 >= cases * 89, "{exact} of {cases}");
    }
}
