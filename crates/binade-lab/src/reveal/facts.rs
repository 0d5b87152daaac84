//! The properties of a step: bits, rounding, and numbers that are not normal.

use std::rc::Rc;

use binade::{Format, NanCodes, Rounding, Spec, Value};

use super::probe::{Probe, Prober};
use super::scale::Scale;
use super::tree::Child;
use super::{Fact, Order, Range, ResultType, RevealError, power};

/// The place at which the sum of the earlier steps is added to the products of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Joined {
    /// In one alignment with the products.
    Aligned,
    /// After the products were aligned among themselves and added. The sum of the products keeps this number of fraction bits.
    Late {
        /// Fraction bits of the products' sum.
        sum_bits: u32,
        /// True if operands make no products that would tell more bits.
        at_least: bool,
    },
}

/// Results that are NaN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nan {
    /// The code for a NaN operand.
    pub of_nan: Option<u64>,
    /// The code of ∞ · 0.
    pub of_invalid_product: Option<u64>,
    /// The code of ∞ − ∞.
    pub of_invalid_sum: Option<u64>,
}

/// The result beyond the largest number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overflow {
    /// Infinity.
    Infinity,
    /// NaN.
    Nan,
    /// A finite number.
    Saturates,
}

/// The properties of a step.
#[derive(Clone, Debug)]
pub struct Facts {
    /// Significant bits of sums between steps.
    pub sum_bits: Fact<u32>,
    /// The rounding of sums between steps.
    pub rounding: Fact<Rounding>,
    /// Significant bits of results.
    pub result_bits: Fact<u32>,
    /// True if a product is added before it is rounded, by a fused multiply-add.
    pub fused: Fact<bool>,
    /// Fraction bits that products of a fused step keep below the largest exponent.
    pub fraction_bits: Fact<u32>,
    /// True if the exponent of a product is the sum of its operands' exponents, though the product may be 2 and more
    /// times that power.
    pub unnormalised: Fact<bool>,
    /// The place at which the accumulator is added.
    pub accumulator: Fact<Joined>,
    /// True if subnormal operands are kept.
    pub subnormal_inputs: Fact<bool>,
    /// True if subnormal results are kept.
    pub subnormal_results: Fact<bool>,
    /// The codes of NaN results.
    pub nan: Nan,
    /// Results that are too large.
    pub overflow: Fact<Overflow>,
}

/// A product at a place, as its two factors.
type Factor = (usize, f64, f64);

/// A probe with these products, and 0 at all other places.
fn sparse(depth: usize, factors: &[Factor]) -> Probe {
    let (mut a, mut b) = (vec![0.0; depth], vec![0.0; depth]);
    factors.iter().for_each(|&(at, left, right)| (a[at], b[at]) = (left, right));
    Probe { a: Rc::from(a), b: Rc::from(b) }
}

/// Probes of sums of a few products.
struct Bench<'p, 'f, E> {
    prober: &'p mut Prober<'f, E>,
    range: Range,
    /// The exponent of the numbers that play the part of 1.
    one: i32,
}

impl<E> Bench<'_, '_, E> {
    /// The product `count` · 2^`exponent` at a place; `None` if operands cannot make it.
    fn product(&self, at: usize, count: f64, exponent: i32) -> Option<Factor> {
        let (left, right) = self.range.factors(exponent)?;
        // Only normal numbers have two bits for certain.
        let fits = left >= self.range.emin && left < self.range.emax;
        (fits || count.abs() == 1.0).then(|| (at, count * power(left), power(right)))
    }

    /// The sums of lists of products, in units of 2^`unit`; `None` for lists that operands cannot make.
    fn sums(&mut self, lists: &[Option<Vec<Factor>>], unit: i32) -> Result<Vec<Option<f64>>, RevealError<E>> {
        let depth = self.prober.depth();
        let probes: Vec<Probe> = lists.iter().flatten().map(|list| sparse(depth, list)).collect();
        let mut values = self.prober.values(&probes)?.into_iter();
        let sum = |list: &Option<Vec<Factor>>| {
            let value = list.as_ref().and(values.next());
            value.map(|value| value * power(-unit / 2) * power(-(unit - unit / 2)))
        };
        Ok(lists.iter().map(sum).collect())
    }

    /// The largest k for which 2^(one − k) survives, as the third of the products that `list` makes.
    ///
    /// `Err` of the last k if each survives that operands can make.
    fn surviving(
        &mut self,
        list: impl Fn(&Self, i32) -> Option<Vec<Factor>>,
    ) -> Result<Result<u32, u32>, RevealError<E>> {
        let lists: Vec<Option<Vec<Factor>>> = (1..=64).map(|k| list(self, k)).collect();
        let made = lists.iter().take_while(|list| list.is_some()).count();
        let sums = self.sums(&lists[..made], self.one)?;
        let survives = |(at, sum): (usize, &Option<f64>)| *sum == Some(power(-(at as i32 + 1)));
        let survived = sums.iter().enumerate().take_while(|&sum| survives(sum)).count();
        Ok(if survived == made { Err(survived as u32) } else { Ok(survived as u32) })
    }
}

/// The narrower format that the program rounds its inputs to, if it does.
pub(super) fn narrower_input<E>(
    prober: &mut Prober<'_, E>,
    input: &Spec,
) -> Result<Option<Spec>, RevealError<E>> {
    let range = Range::of(input.format);
    if range.precision < 11 || range.emax < 15 {
        return Ok(None);
    }
    let (depth, last) = (prober.depth(), prober.depth() - 1);
    let widest = range.precision - 1;
    // (1 + 2^-k) − 1, for each operand. The least sums are not those of all orders, but each pair of places is added.
    let of = |k: i32, right: bool| {
        let x = 1.0 + power(-k);
        let (a, b) = if right { (1.0, x) } else { (x, 1.0) };
        sparse(depth, &[(0, a, b), (last, -1.0, 1.0)])
    };
    let probes: Vec<Probe> = (1..=widest).flat_map(|k| [of(k, false), of(k, true)]).collect();
    let values = prober.values(&probes)?;
    let kept = |pair: &[f64], k: i32| pair.iter().all(|&value| value == power(-k));
    let bits = 1 + values.chunks(2).zip(1..).take_while(|(pair, k)| kept(pair, *k)).count() as i32;
    if bits >= range.precision {
        return Ok(None);
    }
    // Both ends of the exponent range tell TF32 from binary16.
    let wide =
        prober.values(&[sparse(depth, &[(0, power(range.emax.min(40)), power(-range.emax.min(40)))])])?;
    let name = match (bits, wide[0] == 1.0) {
        (8, _) => "bf16",
        (11, true) if range.emax > 15 => "tf32",
        (11, false) => "f16",
        (24, _) => "f32",
        _ => return Ok(None),
    };
    Ok(name.parse().ok().filter(|found: &Spec| found.format != input.format))
}

/// Places for probes of additions: `first` and `second` are added in a step, and `third` and `fourth` each later.
struct Places {
    first: usize,
    second: usize,
    third: Option<usize>,
    fourth: Option<usize>,
}

impl Places {
    fn of(order: &Order) -> Option<Places> {
        let (of_nodes, _) = order.tree.parents();
        let leaves = order.tree.leaves();
        let of_node = |node: usize| {
            let own: Vec<usize> = order.tree.nodes[node]
                .iter()
                .filter_map(|child| match *child {
                    Child::Leaf(leaf) => Some(leaf),
                    Child::Node(_) => None,
                })
                .collect();
            let &[first, second, ..] = &own[..] else { return None };
            let (mut at, mut later) = (node, vec![]);
            while let (Some(parent), true) = (of_nodes[at], later.len() < 2) {
                later.extend(leaves[parent].iter().find(|leaf| !leaves[at].contains(leaf)));
                at = parent;
            }
            Some(Places { first, second, third: later.first().copied(), fourth: later.get(1).copied() })
        };
        (0..order.tree.nodes.len()).find_map(of_node)
    }
}

const NO_ORDER: &str = "the order of summation is not known";
const FEW: &str = "a step has too few products, or there are too few steps: probe a greater depth";
const NO_LATER: &str = "all products are added in one step: probe a greater depth";

/// Finds the properties of a step.
pub(super) fn find<E>(
    prober: &mut Prober<'_, E>,
    format: Format,
    scale: Option<&Scale>,
    order: &Fact<Order>,
) -> Result<Facts, RevealError<E>> {
    let range = Range::of(format);
    let element = prober.element();
    // Sums of four such numbers, and their factors, are within the range.
    let largest = 2 * range.emax - 3;
    let narrow = element == ResultType::F16 || scale.is_some_and(Scale::is_narrow);
    let one = match () {
        () if range.emin <= -60 && !narrow => 0,
        () if narrow => largest.min(10),
        () => largest.min(100),
    };
    let mut bench = Bench { prober, range, one };
    let (mut sum_bits, mut rounding) = (Fact::undecided(NO_ORDER), Fact::undecided(NO_ORDER));
    let (mut fused, mut fraction_bits) = (Fact::undecided(NO_ORDER), Fact::undecided(NO_ORDER));
    let (mut unnormalised, mut accumulator) = (Fact::undecided(NO_ORDER), Fact::undecided(NO_ORDER));
    if let Fact::Known(order) = order
        && let Some(places) = Places::of(order)
    {
        (fraction_bits, unnormalised) = bench.fraction_bits(order)?;
        let in_steps = order.products > 1 && !order.exact;
        sum_bits = match in_steps {
            true => bench.sum_bits_of_step(order, &fraction_bits)?,
            false => bench.sum_bits_of_two(&places)?,
        };
        rounding = Fact::undecided("the bits of sums are not known");
        fused = Fact::undecided("the bits of sums are not known");
        if let Some(&bits) = sum_bits.known() {
            rounding = match in_steps {
                true => bench.rounding_of_step(order, &fraction_bits, bits as i32)?,
                false => bench.rounding_of_two(&places, bits as i32)?,
            };
            fused = bench.fused(order, bits as i32)?;
        }
        accumulator = bench.accumulator(order, &fraction_bits, &sum_bits)?;
    }
    let result_bits = bench.result_bits()?;
    let subnormal_inputs = bench.subnormal_inputs()?;
    let subnormal_results = bench.subnormal_results()?;
    let nan = bench.nan(format)?;
    let overflow = bench.overflow()?;
    Ok(Facts {
        sum_bits,
        rounding,
        result_bits,
        fused,
        fraction_bits,
        unnormalised,
        accumulator,
        subnormal_inputs,
        subnormal_results,
        nan,
        overflow,
    })
}

impl<E> Bench<'_, '_, E> {
    /// The bits of sums of two numbers.
    fn sum_bits_of_two(&mut self, places: &Places) -> Result<Fact<u32>, RevealError<E>> {
        let Some(third) = places.third else { return Ok(Fact::undecided(NO_LATER)) };
        // 1 + 2^-k in one step, and − 1 in a later one.
        let survived = self.surviving(|bench, k| {
            Some(vec![
                bench.product(places.first, 1.0, bench.one)?,
                bench.product(places.second, 1.0, bench.one - k)?,
                bench.product(third, -1.0, bench.one)?,
            ])
        })?;
        Ok(match survived {
            Ok(k) => Fact::Known(k + 1),
            Err(k) => Fact::undecided(format!("at least {}: operands make no sums of more bits", k + 1)),
        })
    }

    /// The bits of a step's sums, by four numbers that add up to 4, and a fifth.
    fn sum_bits_of_step(
        &mut self,
        order: &Order,
        fraction_bits: &Fact<u32>,
    ) -> Result<Fact<u32>, RevealError<E>> {
        if !self.has_sums_of_four(order) {
            return Ok(Fact::undecided(FEW));
        }
        let n = order.products;
        let last = |bench: &Self, k: i32| bench.sum_of_four(n, 1.0, (1.0, bench.one - k), None);
        let after_step = self.surviving(last)?.unwrap_or_else(|k| k);
        // The next step cuts the sum as it does products. That of the last step is not cut, if it has four products.
        let depth = self.prober.depth();
        let start = (depth - 1) / n * n;
        let of_last = |bench: &Self, k: i32| {
            let mut list = vec![bench.product(start + 3, 1.0, bench.one - k)?];
            for at in start - 1..start + 3 {
                list.push(bench.product(at, 1.0, bench.one)?);
            }
            Some(list)
        };
        let has_four = start + 4 <= depth;
        let lists: Vec<Option<Vec<Factor>>> =
            (1..=64).map(|k| if has_four { of_last(self, k) } else { None }).collect();
        let made = lists.iter().take_while(|list| list.is_some()).count();
        let sums = self.sums(&lists[..made], self.one)?;
        let exact =
            |(at, sum): &(usize, &Option<f64>)| sum.is_some_and(|sum| sum - 4.0 == power(-(*at as i32 + 1)));
        let of_result = sums.iter().enumerate().take_while(exact).count() as u32;
        let kept = after_step.max(of_result);
        let cut =
            fraction_bits.known().map_or(64, |&bits| if of_result >= after_step { bits } else { bits - 2 });
        Ok(match kept < cut {
            true => Fact::Known(kept + 3),
            false => Fact::undecided(format!("at least {}: smaller products are cut before", kept + 3)),
        })
    }

    /// True if there are places for [`Bench::sum_of_four`].
    fn has_sums_of_four(&self, order: &Order) -> bool {
        order.in_steps && order.products >= 4 && self.prober.depth() > 2 * order.products
    }

    /// The sum of four numbers ±1, one of the first step and three of the second, and of `count` · 2^`exponent`. In the
    /// third step ∓4 follows. `odd`: the exponent of another number of the first step.
    fn sum_of_four(
        &self,
        n: usize,
        sign: f64,
        (count, exponent): (f64, i32),
        odd: Option<i32>,
    ) -> Option<Vec<Factor>> {
        let mut list =
            vec![self.product(n + 3, sign * count, exponent)?, self.product(2 * n, -sign, self.one + 2)?];
        for at in [0, n, n + 1, n + 2] {
            list.push(self.product(at, sign, self.one)?);
        }
        if let Some(odd) = odd {
            list.push(self.product(1, sign, odd)?);
        }
        Some(list)
    }

    fn result_bits(&mut self) -> Result<Fact<u32>, RevealError<E>> {
        let last = self.prober.depth() - 1;
        let lists: Vec<Option<Vec<Factor>>> = (1..=64)
            .map(|k| Some(vec![self.product(0, 1.0, self.one)?, self.product(last, 1.0, self.one - k)?]))
            .collect();
        let made = lists.iter().take_while(|list| list.is_some()).count();
        let sums = self.sums(&lists[..made], self.one)?;
        let exact =
            |(at, sum): &(usize, &Option<f64>)| sum.is_some_and(|sum| sum - 1.0 == power(-(*at as i32 + 1)));
        let kept = sums.iter().enumerate().take_while(exact).count() as u32;
        Ok(match kept as usize == made {
            true => Fact::undecided(format!("at least {}: operands make no sums of more bits", kept + 1)),
            false => Fact::Known(kept + 1),
        })
    }

    /// The rounding of sums of two numbers.
    fn rounding_of_two(&mut self, places: &Places, bits: i32) -> Result<Fact<Rounding>, RevealError<E>> {
        let (Some(third), unit) = (places.third, self.one - bits + 1) else {
            return Ok(Fact::undecided(NO_LATER));
        };
        // ±1 and a part of the last bit, a quarter, half or three quarters; then ∓1 later.
        let list = |bench: &Self, sign: f64, quarters: f64, exponent: i32| {
            Some(vec![
                bench.product(places.first, sign, bench.one)?,
                bench.product(places.second, sign * quarters, exponent)?,
                bench.product(third, -sign, bench.one)?,
            ])
        };
        // A tie beside an odd last bit.
        let odd = |bench: &Self, fourth: usize| {
            Some(vec![
                bench.product(places.first, 1.0, bench.one)?,
                bench.product(places.second, 1.0, unit)?,
                bench.product(third, 1.0, unit - 1)?,
                bench.product(fourth, -1.0, bench.one)?,
            ])
        };
        let tie = places.fourth.and_then(|fourth| odd(self, fourth));
        self.rounding(list, tie, unit)
    }

    /// The rounding of a step's sum.
    fn rounding_of_step(
        &mut self,
        order: &Order,
        fraction_bits: &Fact<u32>,
        bits: i32,
    ) -> Result<Fact<Rounding>, RevealError<E>> {
        if !self.has_sums_of_four(order) {
            return Ok(Fact::undecided(FEW));
        }
        if fraction_bits.known().is_some_and(|&fraction| bits > fraction as i32 + 1) {
            return Ok(Fact::undecided("the next step cuts the last bits of sums"));
        }
        let (n, unit) = (order.products, self.one + 3 - bits);
        let tie = self.sum_of_four(n, 1.0, (1.0, unit - 1), Some(unit));
        self.rounding(
            |bench, sign, quarters, exponent| bench.sum_of_four(n, sign, (quarters, exponent), None),
            tie,
            unit,
        )
    }

    /// The rounding by the results of sums of 1 and a quarter, half or three quarters of its last bit, 2^`unit`, and of
    /// a tie beside an odd last bit.
    fn rounding(
        &mut self,
        list: impl Fn(&Self, f64, f64, i32) -> Option<Vec<Factor>>,
        tie: Option<Vec<Factor>>,
        unit: i32,
    ) -> Result<Fact<Rounding>, RevealError<E>> {
        let mut lists = vec![];
        for sign in [1.0, -1.0] {
            lists.push(list(self, sign, 1.0, unit - 2));
            lists.push(list(self, sign, 1.0, unit - 1));
            lists.push(list(self, sign, 3.0, unit - 2));
        }
        lists.push(tie);
        let sums = self.sums(&lists, unit)?;
        let &[
            Some(quarter),
            Some(half),
            Some(most),
            Some(minus_quarter),
            Some(minus_half),
            Some(minus_most),
            tie,
        ] = &sums[..]
        else {
            return Ok(Fact::undecided("operands make no products as small as the last bit of sums"));
        };
        let signature = [quarter, half, most, minus_quarter, minus_half, minus_most];
        const MODES: [(Rounding, [f64; 6], f64); 6] = [
            (Rounding::NearestEven, [0.0, 0.0, 1.0, 0.0, 0.0, -1.0], 2.0),
            (Rounding::NearestAway, [0.0, 1.0, 1.0, 0.0, -1.0, -1.0], 2.0),
            (Rounding::TowardZero, [0.0; 6], 1.0),
            (Rounding::TowardPositive, [1.0, 1.0, 1.0, 0.0, 0.0, 0.0], 2.0),
            (Rounding::TowardNegative, [0.0, 0.0, 0.0, -1.0, -1.0, -1.0], 1.0),
            (Rounding::ToOdd, [1.0, 1.0, 1.0, -1.0, -1.0, -1.0], 1.0),
        ];
        let fits =
            |mode: &&(Rounding, [f64; 6], f64)| mode.1 == signature && tie.is_none_or(|tie| tie == mode.2);
        Ok(match MODES.iter().find(fits) {
            Some((mode, ..)) => Fact::Known(*mode),
            None => Fact::undecided(format!(
                "no mode rounds 1 + 1/4, 1/2 and 3/4 of the last bit, and their negatives, to 1 + {signature:?} of it"
            )),
        })
    }

    fn fused(&mut self, order: &Order, bits: i32) -> Result<Fact<bool>, RevealError<E>> {
        if 2 * self.range.precision <= bits {
            return Ok(Fact::undecided("products of two operands are exact in the sums' format"));
        }
        let s = bits / 2 + 1;
        if s + 1 > self.range.precision || self.one != 0 {
            return Ok(Fact::undecided("operands make no products of suitable bits"));
        }
        // (1 + 2^-s)² is 1 + 2^(1−s) + 2^(−2s), whose last term a rounded product loses. The first two are subtracted.
        let x = 1.0 + power(-s);
        let depth = self.prober.depth();
        let probe = |i: usize, j: usize| sparse(depth, &[(i, x, x), (j, -1.0, 1.0 + power(1 - s))]);
        // A product that starts a sum is rounded under both ways, so that both places of a pair are tried.
        let (_, of_leaves) = order.tree.parents();
        let leaves = order.tree.leaves();
        let partner = |leaf: usize| {
            let node = of_leaves[leaf]?;
            leaves[node].iter().copied().find(|&other| other != leaf)
        };
        let pairs: Vec<(usize, usize)> =
            (0..depth).filter_map(|leaf| partner(leaf).map(|other| (leaf, other))).collect();
        let probes: Vec<Probe> = pairs.iter().map(|&(i, j)| probe(i, j)).collect();
        let values = self.prober.values(&probes)?;
        let fused = values.iter().filter(|&&value| value == power(-2 * s)).count();
        let rounded = values.iter().filter(|&&value| value == 0.0).count();
        // The first product of each chain is rounded, so that at most half of all are.
        Ok(match (fused, rounded) {
            (0, _) if rounded == values.len() => Fact::Known(false),
            _ if fused + rounded == values.len() && fused >= rounded => Fact::Known(true),
            _ => Fact::undecided(format!(
                "{fused} of {} products are added before they are rounded",
                values.len()
            )),
        })
    }

    /// A step of several products: three of its places, the last being the accumulator's if there are only two products.
    fn step(order: &Order) -> Option<(Vec<usize>, Option<usize>)> {
        if order.products < 2 {
            return None;
        }
        let leaves = order.tree.leaves();
        let of_node = |children: &Vec<Child>| {
            let own: Vec<usize> = children
                .iter()
                .filter_map(|child| match *child {
                    Child::Leaf(leaf) => Some(leaf),
                    Child::Node(_) => None,
                })
                .collect();
            let earlier = children.iter().find_map(|child| match *child {
                Child::Node(node) => Some(leaves[node][0]),
                Child::Leaf(_) => None,
            });
            (own.len() == order.products).then_some((own, earlier))
        };
        let found: Vec<(Vec<usize>, Option<usize>)> = order.tree.nodes.iter().filter_map(of_node).collect();
        // One that has an accumulator, if possible.
        found.iter().find(|step| step.1.is_some()).or(found.first()).cloned()
    }

    fn fraction_bits(&mut self, order: &Order) -> Result<(Fact<u32>, Fact<bool>), RevealError<E>> {
        const NONE: &str = "each step adds two numbers";
        let Some((own, earlier)) = Self::step(order) else {
            return Ok((Fact::undecided(NONE), Fact::undecided(NONE)));
        };
        let Some(third) = own.get(2).copied().or(earlier) else {
            return Ok((Fact::undecided(NONE), Fact::undecided(NONE)));
        };
        let survived = self.surviving(|bench, k| {
            Some(vec![
                bench.product(own[0], 1.0, bench.one)?,
                bench.product(own[1], -1.0, bench.one)?,
                bench.product(third, 1.0, bench.one - k)?,
            ])
        })?;
        // 1.5 · 1.5 is 2.25.
        let large = self.surviving(|bench, k| {
            let (left, right) = bench.range.factors(bench.one)?;
            let fits = left >= bench.range.emin && right >= bench.range.emin;
            let (left, right) = (1.5 * power(left), 1.5 * power(right));
            let third = bench.product(third, 1.0, bench.one - k)?;
            fits.then(|| vec![(own[0], left, right), (own[1], -left, right), third])
        })?;
        Ok(match (survived, large) {
            (Err(k), _) => {
                let reason = format!("at least {k}: operands make no products that differ more");
                (Fact::undecided(reason), Fact::undecided(NONE))
            }
            (Ok(bits), Ok(others)) if others == bits => (Fact::Known(bits), Fact::Known(true)),
            (Ok(bits), Ok(others)) if others + 1 == bits => (Fact::Known(bits), Fact::Known(false)),
            (Ok(bits), _) => (Fact::Known(bits), Fact::undecided("products of 1.5 · 1.5 leave other bits")),
        })
    }

    fn accumulator(
        &mut self,
        order: &Order,
        fraction_bits: &Fact<u32>,
        sum_bits: &Fact<u32>,
    ) -> Result<Fact<Joined>, RevealError<E>> {
        let Some((own, earlier)) = Self::step(order) else {
            return Ok(Fact::undecided("each step adds two numbers"));
        };
        let (Some(earlier), Some(&fraction)) = (earlier, fraction_bits.known()) else {
            return Ok(Fact::undecided("the bits of a step are not known, or there is only one step"));
        };
        let fraction = fraction as i32;
        // Sums of unknown bits have at least three more than products.
        let bits = sum_bits.known().map_or(fraction + 3, |&bits| bits as i32);
        // 1 as accumulator. Each product is below the last bit that an alignment with 1 keeps, their sum is not.
        let small = self.one - fraction - 1;
        let lists: Option<Vec<Factor>> = std::iter::once(self.product(earlier, 1.0, self.one))
            .chain(own.iter().map(|&at| self.product(at, 1.0, small)))
            .collect();
        let total = own.len() as f64 * power(-fraction - 1);
        if total < power(1 - bits) {
            return Ok(Fact::undecided("a step has too few products to tell by sums of small ones"));
        }
        let sums = self.sums(&[lists], self.one)?;
        let Some(sum) = sums[0] else {
            return Ok(Fact::undecided("operands make no products as small as the bits that are cut"));
        };
        if sum == 1.0 {
            return Ok(Fact::Known(Joined::Aligned));
        }
        // Half of the last bit is a tie, which a smaller product breaks if it is kept.
        let unit = self.one + 1 - bits;
        let lists: Vec<Option<Vec<Factor>>> = (bits + 1..=60.min(bits + fraction))
            .map(|k| {
                Some(vec![
                    self.product(earlier, 1.0, self.one)?,
                    self.product(own[0], 1.0, unit - 1)?,
                    self.product(own[1], 1.0, self.one - k)?,
                ])
            })
            .collect();
        let sums = self.sums(&lists, self.one)?;
        let breaks = |sum: &&Option<f64>| **sum == Some(1.0 + power(1 - bits));
        let kept = sums.iter().take_while(breaks).count();
        let at_least = sums.get(kept).is_none_or(Option::is_none);
        Ok(Fact::Known(Joined::Late { sum_bits: bits as u32 + kept as u32, at_least }))
    }

    fn subnormal_inputs(&mut self) -> Result<Fact<bool>, RevealError<E>> {
        if self.range.least == self.range.emin {
            return Ok(Fact::undecided("the input format has no subnormal numbers"));
        }
        let (least, depth) = (power(self.range.least), self.prober.depth());
        let large = power(self.range.emax.min(-self.range.least).min(100));
        let probes = [sparse(depth, &[(0, least, large)]), sparse(depth, &[(0, large, least)])];
        let values = self.prober.values(&probes)?;
        Ok(match values[..] {
            [0.0, 0.0] => Fact::Known(false),
            [x, y] if x == least * large && x == y => Fact::Known(true),
            _ => Fact::undecided(format!(
                "{least:e} times {large:e} is {:e}, and exchanged {:e}",
                values[0], values[1]
            )),
        })
    }

    fn subnormal_results(&mut self) -> Result<Fact<bool>, RevealError<E>> {
        let result = Range::of(self.prober.element().format());
        let exponent = result.emin - 3;
        let Some((left, right)) =
            self.range.factors(exponent).filter(|(left, right)| *left.min(right) >= self.range.emin)
        else {
            return Ok(Fact::undecided("no product of normal operands is so small"));
        };
        let probe = sparse(self.prober.depth(), &[(0, power(left), power(right))]);
        let value = self.prober.values(&[probe])?[0];
        Ok(match value {
            0.0 => Fact::Known(false),
            x if x == power(exponent) => Fact::Known(true),
            x => Fact::undecided(format!("a product of 2^{exponent} is {x:e}")),
        })
    }

    fn nan(&mut self, format: Format) -> Result<Nan, RevealError<E>> {
        let (depth, last) = (self.prober.depth(), self.prober.depth() - 1);
        let has_nan = format.nan() != NanCodes::None;
        let infinity = format.infinities().then_some(f64::INFINITY);
        let lists = [
            has_nan.then(|| vec![(0, f64::NAN, 1.0)]),
            infinity.map(|x| vec![(0, x, 0.0)]),
            infinity.map(|x| vec![(0, x, 1.0), (last, -x, 1.0)]),
        ];
        let probes: Vec<Probe> = lists.iter().flatten().map(|list| sparse(depth, list)).collect();
        let element = self.prober.element();
        let mut codes = self.prober.codes(&probes)?.into_iter();
        let is_nan = |code: &u64| matches!(binade::decode(element.format(), *code), Value::Nan { .. });
        let [of_nan, of_invalid_product, of_invalid_sum] =
            lists.map(|list| list.and(codes.next()).filter(is_nan));
        Ok(Nan { of_nan, of_invalid_product, of_invalid_sum })
    }

    fn overflow(&mut self) -> Result<Fact<Overflow>, RevealError<E>> {
        let result = Range::of(self.prober.element().format());
        if 2 * self.range.emax <= result.emax {
            return Ok(Fact::undecided("no product of operands is beyond the largest result"));
        }
        let large = power(self.range.emax);
        let value = self.prober.values(&[sparse(self.prober.depth(), &[(0, large, large)])])?[0];
        Ok(Fact::Known(match value {
            x if x.is_nan() => Overflow::Nan,
            f64::INFINITY => Overflow::Infinity,
            _ => Overflow::Saturates,
        }))
    }
}
