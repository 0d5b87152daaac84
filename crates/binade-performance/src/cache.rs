//! A set-associative cache with least recently used replacement, and the accesses of blocked products and convolutions, against which
//! [`traffic`](crate::traffic) is checked.

use crate::traffic::{Blocking, Patches, Product};

/// A cache that counts its traffic.
#[derive(Clone, Debug)]
pub struct Cache {
    line: u64,
    ways: usize,
    sets: u64,
    /// For each set, lines from the most to the least recently used, and whether they were changed.
    lines: Vec<Vec<(u64, bool)>>,
    /// Lines that were filled.
    pub fills: u64,
    /// Changed lines that were written back.
    pub written: u64,
}

impl Cache {
    /// An empty cache of these bytes.
    pub fn new(bytes: u64, ways: usize, line: u64) -> Cache {
        let sets = (bytes / (ways as u64 * line)).max(1);
        Cache { line, ways, sets, lines: vec![Vec::with_capacity(ways); sets as usize], fills: 0, written: 0 }
    }

    /// Accesses `bytes` bytes from an address, line by line.
    pub fn access(&mut self, address: u64, bytes: u64, changes: bool) {
        for line in address / self.line..=(address + bytes.max(1) - 1) / self.line {
            let set = &mut self.lines[(line % self.sets) as usize];
            match set.iter().position(|(held, _)| *held == line) {
                Some(at) => {
                    let (_, changed) = set.remove(at);
                    set.insert(0, (line, changed || changes));
                }
                None => {
                    self.fills += 1;
                    if set.len() == self.ways
                        && let Some((_, true)) = set.pop()
                    {
                        self.written += 1;
                    }
                    set.insert(0, (line, changes));
                }
            }
        }
    }

    /// Bytes filled and written back, with all changed lines written back at the end.
    pub fn traffic(&self) -> u64 {
        let changed = self.lines.iter().flatten().filter(|(_, changed)| *changed).count() as u64;
        (self.fills + self.written + changed) * self.line
    }
}

/// A convolution of square images with a square kernel and stride 1, whose edges are padded with zeros.
#[derive(Clone, Copy, Debug)]
pub struct Convolution {
    /// Images.
    pub images: u64,
    /// Height and width of images.
    pub size: u64,
    /// Input features.
    pub inputs: u64,
    /// Output features.
    pub outputs: u64,
    /// Height and width of the kernel.
    pub kernel: u64,
}

impl Convolution {
    /// The convolution as a product of patches with the kernel.
    pub fn product(&self, bytes: f64) -> Product {
        let taps = (self.kernel * self.kernel) as f64;
        Product {
            rows: (self.images * self.size * self.size) as f64,
            columns: self.outputs as f64,
            depth: self.inputs as f64 * taps,
            patches: Some(Patches {
                kernel: [self.kernel as f64; 2],
                row: self.size as f64,
                stride: (self.size * self.size) as f64,
                distinct: 1.0 / taps,
            }),
            bytes: [bytes; 3],
        }
    }

    /// The element of the input, in rows of images of features, that a place reads at a depth; `None` for padding.
    fn element(&self, place: u64, depth: u64) -> Option<u64> {
        let (plane, half) = (self.size * self.size, self.kernel / 2);
        let (image, row, column) = (place / plane, place % plane / self.size, place % self.size);
        let taps = self.kernel * self.kernel;
        let (feature, tap) = (depth / taps, depth % taps);
        let (y, x) = (row + tap / self.kernel, column + tap % self.kernel);
        let inside = |at: u64| (half..self.size + half).contains(&at);
        (inside(y) && inside(x))
            .then(|| ((image * self.inputs + feature) * self.size + y - half) * self.size + x - half)
    }
}

/// Accesses of a blocked product of matrices by rows, in elements of `bytes` bytes: packing, and tile after tile.
pub fn product(cache: &mut Cache, product: &Product, blocking: &Blocking, bytes: u64) {
    let depth = product.depth as u64;
    walk(cache, product, blocking, bytes, &|row, at| Some(row * depth + at));
}

/// Accesses of a convolution, whose patches are packed as A.
pub fn convolution(cache: &mut Cache, convolution: &Convolution, blocking: &Blocking, bytes: u64) {
    let product = convolution.product(bytes as f64);
    walk(cache, &product, blocking, bytes, &|place, depth| convolution.element(place, depth));
}

/// The loops of [`traffic`](crate::traffic), with the element of A that a row has at a depth.
fn walk(
    cache: &mut Cache,
    product: &Product,
    blocking: &Blocking,
    bytes: u64,
    element: &dyn Fn(u64, u64) -> Option<u64>,
) {
    /// Distance of the arrays: odd in lines and pages, so that they begin in different sets.
    const APART: u64 = (1 << 32) + 20 * 4096 + 832;

    let [m, n, k] = [product.rows, product.columns, product.depth].map(|size| size as u64);
    let Blocking { mr, nr, kc, mc, nc, packs: [packs_a, packs_b], .. } = *blocking;
    let [mr, nr, kc, mc, nc] = [mr, nr, kc, mc, nc].map(|size| size as usize);
    let [a, b, c, packed_a, packed_b] = [0, 1, 2, 3, 4].map(|array| array * APART);
    for left in (0..n).step_by(nc) {
        let columns = (left + nc as u64).min(n) - left;
        for shallow in (0..k).step_by(kc) {
            let depths = (shallow + kc as u64).min(k) - shallow;
            // Strips of B.
            for strip in (0..columns).step_by(nr).filter(|_| packs_b) {
                let width = (strip + nr as u64).min(columns) - strip;
                for depth in 0..depths {
                    cache.access(b + ((shallow + depth) * n + left + strip) * bytes, width * bytes, false);
                    cache.access(packed_b + (strip * depths + depth * width) * bytes, width * bytes, true);
                }
            }
            for top in (0..m).step_by(mc) {
                let rows = (top + mc as u64).min(m) - top;
                // Panels of A.
                for panel in (0..rows).step_by(mr).filter(|_| packs_a) {
                    let height = (panel + mr as u64).min(rows) - panel;
                    // A matrix is read by rows, and patches by features.
                    let order = |at: u64| match product.patches {
                        None => (at / depths, at % depths),
                        Some(_) => (at % height, at / height),
                    };
                    for (row, depth) in (0..height * depths).map(order) {
                        if let Some(from) = element(top + panel + row, shallow + depth) {
                            cache.access(a + from * bytes, bytes, false);
                        }
                        let to = panel * depths + depth * height + row;
                        cache.access(packed_a + to * bytes, bytes, true);
                    }
                }
                for strip in (0..columns).step_by(nr) {
                    let width = (strip + nr as u64).min(columns) - strip;
                    for panel in (0..rows).step_by(mr) {
                        let height = (panel + mr as u64).min(rows) - panel;
                        for depth in 0..depths {
                            if packs_a {
                                let at = panel * depths + depth * height;
                                cache.access(packed_a + at * bytes, height * bytes, false);
                            } else {
                                let rows =
                                    (0..height).filter_map(|row| element(top + panel + row, shallow + depth));
                                rows.for_each(|from| cache.access(a + from * bytes, bytes, false));
                            }
                            let from = match packs_b {
                                true => packed_b + (strip * depths + depth * width) * bytes,
                                false => b + ((shallow + depth) * n + left + strip) * bytes,
                            };
                            cache.access(from, width * bytes, false);
                        }
                        for row in 0..height {
                            let at = (top + panel + row) * n + left + strip;
                            cache.access(c + at * bytes, width * bytes, true);
                        }
                    }
                }
            }
        }
    }
}

/// The traffic of a simulation beside that of the formulas.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The operation and the cache.
    pub name: String,
    /// The blocking.
    pub blocking: Blocking,
    /// Bytes by simulation.
    pub simulated: f64,
    /// Bytes by the formulas.
    pub derived: f64,
}

impl Comparison {
    /// The relative deviation of the formulas.
    pub fn deviation(&self) -> f64 {
        self.derived / self.simulated - 1.0
    }
}

/// Compares simulation and formulas for a product on a cache of the core, under the blocking that the core's library would choose.
pub fn compare_product(core: &crate::Core, level: usize, sizes: [f64; 3]) -> Comparison {
    let [rows, columns, depth] = sizes;
    let operation = Product { rows, columns, depth, patches: None, bytes: [4.0; 3] };
    let name = format!("{rows} × {depth} × {columns}");
    compare(core, level, &operation, name, |cache, blocking, plain| product(cache, plain, blocking, 4))
}

/// Compares simulation and formulas for a convolution, as [`compare_product`].
pub fn compare_convolution(core: &crate::Core, level: usize, of: &Convolution) -> Comparison {
    let Convolution { images, size, inputs, outputs, kernel } = of;
    let name = format!("{images} images {size} × {size}, {inputs} → {outputs}, {kernel} × {kernel}");
    compare(core, level, &of.product(4.0), name, |cache, blocking, _| convolution(cache, of, blocking, 4))
}

fn compare(
    core: &crate::Core,
    level: usize,
    operation: &Product,
    name: String,
    run: impl Fn(&mut Cache, &Blocking, &Product),
) -> Comparison {
    let lanes = match &core.units {
        crate::core::Units::Vector(units) => units.lanes(),
        crate::core::Units::Peak(_) => 1.0,
    };
    let (blocking, _) = crate::traffic::choose(operation, core, lanes);
    let of = &core.caches[level];
    let mut cache = Cache::new(of.bytes() as u64, of.ways as usize, of.line as u64);
    let plain = match blocking.transposed {
        false => *operation,
        true => Product { rows: operation.columns, columns: operation.rows, ..*operation },
    };
    run(&mut cache, &blocking, &plain);
    Comparison {
        name: format!("{name}, {} of {} KiB", of.name, of.kib),
        blocking,
        simulated: cache.traffic() as f64,
        derived: crate::traffic::traffic(operation, &blocking, of).total(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Core;

    #[test]
    fn least_recently_used_line_is_replaced() {
        // Two sets of two ways: lines 0, 2 and 4 are of the first set.
        let mut cache = Cache::new(256, 2, 64);
        for (line, changes) in [(0, true), (2, false), (0, false), (4, false), (0, false), (2, false)] {
            cache.access(line * 64, 4, changes);
        }
        // 0, 2, 4 in place of 2, 2 in place of 4: line 0 is still there, changed.
        assert_eq!((cache.fills, cache.written, cache.traffic()), (4, 0, 5 * 64));
        cache.access(60, 8, false);
        assert_eq!(cache.fills, 5);
    }

    /// A small core, so that products of a few hundred rows have blocks at every level.
    fn small() -> Core {
        let changes = [("cache.L1.kib", 8.0), ("cache.L2.kib", 64.0), ("cache.L3.kib", 512.0)];
        Core::named("skylake").unwrap().parse(&changes.map(|(key, kib)| (key.to_owned(), kib))).unwrap()
    }

    #[test]
    fn formulas_equal_simulated_traffic_within_15_percent() {
        let core = small();
        let mut all = vec![];
        // A flat product, whose rows of 160 elements begin anywhere in a line, is compared where it is bound: in the outer cache.
        all.push(compare_product(&core, 2, [40.0, 650.0, 330.0]));
        for level in 0..3 {
            for sizes in [[100.0, 120.0, 90.0], [260.0, 300.0, 280.0], [330.0, 330.0, 330.0]] {
                all.push(compare_product(&core, level, sizes));
            }
            let convolutions = [
                (14, 32, 48, 3),
                (28, 16, 40, 3),
                // Of one place: on images whose features are apart by a line in each 16th, 4th or 64th set, and on others.
                (15, 64, 64, 1),
                (16, 64, 64, 1),
                (16, 40, 120, 1),
                (8, 96, 32, 1),
                (32, 32, 32, 1),
                // Of nine places, on images whose features share few sets.
                (16, 96, 32, 3),
                (16, 48, 80, 3),
                (32, 16, 32, 3),
                (32, 32, 48, 3),
            ];
            for (size, inputs, outputs, kernel) in convolutions {
                all.push(compare_convolution(
                    &core,
                    level,
                    &Convolution { images: 2, size, inputs, outputs, kernel },
                ));
            }
        }
        print(&all);
        let wrong: Vec<&Comparison> = all.iter().filter(|found| found.deviation().abs() > 0.15).collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    fn print(all: &[Comparison]) {
        for found in all {
            println!(
                "{} | {:.1} MB | {:.1} MB | {:+.1} %",
                found.name,
                found.simulated / 1e6,
                found.derived / 1e6,
                100.0 * found.deviation()
            );
        }
    }

    #[test]
    #[ignore = "a simulation of 10⁹ accesses, for the record"]
    fn formulas_equal_simulated_traffic_of_large_operations() {
        let core = Core::named("skylake").unwrap().parse(&[]).unwrap();
        let mut all = vec![];
        for level in 0..2 {
            all.push(compare_product(&core, level, [1000.0, 1000.0, 1000.0]));
            all.push(compare_product(&core, level, [700.0, 2600.0, 1300.0]));
            let images = Convolution { images: 8, size: 30, inputs: 128, outputs: 128, kernel: 3 };
            all.push(compare_convolution(&core, level, &images));
        }
        print(&all);
        let mean = all.iter().map(|found| found.deviation().abs()).sum::<f64>() / all.len() as f64;
        assert!(mean < 0.15, "{mean}");
    }
}
