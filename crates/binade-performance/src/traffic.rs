//! Traffic of a blocked product between the levels of a hierarchy of caches, and the blocking that a good library would choose.
//!
//! C = A · B, of m × k and k × n elements, in the loops that [`binade_fma`'s products] and other libraries have:
//!
//! ```text
//! for each nc columns of C:
//!   for each kc of the depth:
//!     pack kc × nc of B
//!     for each mc rows of C:
//!       pack mc × kc of A
//!       for each nr columns:          the strip kc × nr of B stays in the first level
//!         for each mr rows:           panels mr × kc of A stream past it
//!           the tile mr × nr of C, in registers
//! ```
//!
//! Packing is left out where it moves more than it saves: for products with few rows.
//!
//! A cache of least recently used lines keeps an operand from one use to the next if it holds everything that is touched between them.
//! These reuse distances, in bytes, decide which loops bring an operand again:
//!
//! | operand | used again | touched in between |
//! |---|---|---|
//! | strip of B | in the next panel | mr·kc of A, kc·nr of B, mr·nr of C |
//! | block of A | in the next strip | mc·kc of A, kc·nr of B, mc·nr of C |
//! | packed B | in the next block of rows | kc·nc of B, mc·kc of A, packed and not, mc·nc of C |
//! | C | at the next depth | kc·nc of B, m·kc of A, packed and not, m·nc of C |
//! | A, not packed | in the next columns | A, k·nc of B, m·nc of C, and both buffers |
//! | a line of the input, under a convolution | in the next panel of places | the panel: mr·kc of A, and the lines of its features, which may share few sets |
//! | a row of the input | in the next row of places | a row of A, packed and not |
//!
//! Features of an input that are a power of two apart crowd into a share of the sets. There they push out lines of the block of A and
//! of B, which are then brought once more for each block of rows.
//!
//! [`binade_fma`'s products]: https://docs.rs/binade-fma

use crate::core::{Cache, Core, Units};

/// A product, or a convolution as a product of patches with a kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Product {
    /// Rows of A and C: places of a convolution, in all images.
    pub rows: f64,
    /// Columns of B and C: output features.
    pub columns: f64,
    /// The depth: input features times taps.
    pub depth: f64,
    /// The patches of a convolution, whose elements A repeats.
    pub patches: Option<Patches>,
    /// Bytes of an element of A, of B, and of C.
    pub bytes: [f64; 3],
}

/// The patches of a convolution: A has a row for each place, and in it a column for each tap of each feature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patches {
    /// Height and width of the kernel.
    pub kernel: [f64; 2],
    /// Places in a row of an image.
    pub row: f64,
    /// Elements of the input from a feature to the next one, at the same place.
    pub stride: f64,
    /// Elements of the input over elements of A.
    pub distinct: f64,
}

impl Product {
    /// The number of multiply-adds.
    pub fn multiply_adds(&self) -> f64 {
        self.rows * self.columns * self.depth
    }

    /// Bytes of A and B without repetition, and of C.
    pub fn sizes(&self) -> [f64; 3] {
        let [a, b, c] = self.bytes;
        [
            self.rows * self.depth * self.patches.map_or(1.0, |patches| patches.distinct) * a,
            self.depth * self.columns * b,
            self.rows * self.columns * c,
        ]
    }

    fn transposed(self) -> Product {
        let [a, b, c] = self.bytes;
        Product { rows: self.columns, columns: self.rows, bytes: [b, a, c], ..self }
    }
}

/// Sizes of blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blocking {
    /// Rows of a tile in registers.
    pub mr: f64,
    /// Columns of a tile in registers.
    pub nr: f64,
    /// Depth of a block.
    pub kc: f64,
    /// Rows of a block of A.
    pub mc: f64,
    /// Columns of a block of B.
    pub nc: f64,
    /// True if blocks of A, and of B, are copied to contiguous buffers first.
    pub packs: [bool; 2],
    /// True if A and B are exchanged, so that the vectors of a tile are along the rows of C.
    pub transposed: bool,
}

/// Bytes that cross the lower edge of a cache during an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Traffic {
    /// Fills by A and B, packed or not.
    pub operands: f64,
    /// Fills by C.
    pub result: f64,
    /// Lines that were changed and are written back.
    pub written: f64,
    /// First fills and last write-backs of packing buffers, which the next operation finds in the cache.
    pub buffers: f64,
}

impl Traffic {
    /// All bytes.
    pub fn total(&self) -> f64 {
        self.steady() + self.buffers
    }

    /// All bytes, if packing buffers are in the cache from operations before.
    pub fn steady(&self) -> f64 {
        self.operands + self.result + self.written
    }
}

/// The share of accesses that find their line in a cache after this many bytes of other lines were touched.
///
/// A line is kept if fewer lines of its set than there are ways were touched. Arrays are contiguous: each puts its share of lines into a
/// set, rounded down or up. Over a few arrays the number of lines in a set is within 1 of its mean, so it is taken for uniform there.
pub fn kept(bytes: f64, cache: &Cache) -> f64 {
    let lines = bytes / cache.bytes() * cache.ways;
    ((cache.ways - (lines - 1.0) - 0.5) / 2.0).clamp(0.0, 1.0)
}

/// The bytes that would fill each set of a cache with as many lines as `count` lines put into the sets that they use, if they are `stride`
/// bytes apart. They divide evenly among those sets, unlike contiguous arrays, for which [`kept`] leaves a line more.
fn crowded(count: f64, stride: f64, cache: &Cache) -> f64 {
    (count / used_sets(stride, cache) - 1.0).max(0.0) * cache.sets() * cache.line
}

/// The number of sets in which lines that are `stride` bytes apart are. Strides of many lines use few sets: 1024 bytes use each 16th.
fn used_sets(stride: f64, cache: &Cache) -> f64 {
    match stride / cache.line {
        lines if lines >= 1.0 && lines.fract() == 0.0 => {
            cache.sets() / common_divisor(cache.sets() as u64, lines as u64) as f64
        }
        _ => cache.sets(),
    }
}

/// The share of a cache's sets that an input uses under a block of patches, `kc` deep and of `mc` places, and its lines in each of them.
fn crowd(patches: &Patches, kc: f64, mc: f64, bytes: f64, cache: &Cache) -> (f64, f64) {
    let Patches { kernel: [height, width], row, stride, .. } = *patches;
    let features = (kc / (height * width)).ceil();
    // A feature's lines: of each row of the kernel, or of all rows between the first and the last.
    let of_row = 1.0 + (mc + width - 2.0) * bytes / cache.line;
    let of_feature = (height * of_row).min(of_row + (height - 1.0) * row * bytes / cache.line);
    let share = (used_sets(stride * bytes, cache) * of_feature / cache.sets()).min(1.0);
    (share, features * of_feature / (share * cache.sets()))
}

fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { common_divisor(b, a % b) }
}

/// The traffic below a cache that is empty at the beginning; all changed lines are written back at the end.
pub fn traffic(product: &Product, blocking: &Blocking, cache: &Cache) -> Traffic {
    let line = cache.line;
    let product = if blocking.transposed { product.transposed() } else { *product };
    let Product { rows: m, columns: n, depth: k, bytes: [a, b, c], .. } = product;
    let [mr, nr] = [blocking.mr.min(m), blocking.nr.min(n)];
    let packs = blocking.packs;
    let [kc, mc, nc] = [blocking.kc.min(k), blocking.mc.min(m), blocking.nc.min(n)];
    let [size_a, size_b, size_c] = product.sizes();
    let repeated = size_a / (m * k * a);
    let (passes_n, passes_k, blocks_m) = ((n / nc).ceil(), (k / kc).ceil(), (m / mc).ceil());
    let (panels, strips) = ((m / mr).ceil(), (n / nr).ceil());
    let (packed_a, packed_b) = (mc * kc * a, kc * nc * b);

    // Bytes of the lines that a part of a row touches, over its own bytes.
    let lines = |part: f64, row: f64, bytes: f64| {
        if part < row { 1.0 + (line - bytes) / (part * bytes) } else { 1.0 }
    };
    let [lines_a, lines_b, lines_c] = [lines(kc, k, a), lines(nc, n, b), lines(nc, n, c)];
    let source_a = repeated * lines_a * kc * a;
    // Bytes of a block in its buffer, and where it is packed from; without packing, of the lines of its rows.
    let buffer = |packs: bool, packed: f64, lines: f64| if packs { packed } else { packed * lines };
    let source = |packs: bool, bytes: f64| if packs { bytes } else { 0.0 };
    let [of_a, of_b] = [buffer(packs[0], packed_a, lines_a), buffer(packs[1], packed_b, lines_b)];
    let [from_a, from_b] = [source(packs[0], mc * source_a), source(packs[1], packed_b * lines_b)];
    let strip = mr * kc * a + nr * kc * b * if packs[1] { 1.0 } else { lines(nr, n, b) } + mr * nr * c;
    let block = of_a + kc * nr * b + mc * nr * c * lines(nr, n, c);
    let panel = of_b + of_a + from_a + mc * nc * c * lines_c;
    let depth = of_b + from_b + m * source_a + source(packs[0], packed_a) + m * nc * c * lines_c;
    let pass = size_a + k * nc * b + m * nc * c + source(packs[0], packed_a) + source(packs[1], packed_b);

    // `first`, if this many bytes are kept, and `others` if not.
    let either = |bytes: f64, first: f64, others: f64| {
        let kept = kept(bytes, cache);
        kept * first + (1.0 - kept) * others
    };
    let mut traffic = Traffic::default();
    // The share of lines of other arrays that are kept while `bytes` of them are touched, and a part `of_source` of the features from which
    // a block of A is packed.
    let kept_beside_source = |bytes: f64, of_source: f64| {
        let even = kept(bytes + mc * source_a, cache);
        match product.patches {
            Some(patches) if patches.kernel[0] > 1.0 => {
                let (share, lines) = crowd(&patches, kc, mc, a, cache);
                let added = of_source * (lines - 1.0).max(0.0) * cache.sets() * line;
                even.min((1.0 - share) * kept(bytes, cache) + share * kept(bytes + added, cache))
            }
            _ => even,
        }
    };
    // The uses of a block of A after the first, and of B.
    let all_a = m * k * a;
    let again_a = either(block, 0.0, strips - passes_n);
    let kept_b = match packs[0] {
        true => kept_beside_source(of_b + of_a + mc * nc * c * lines_c, 1.0),
        false => kept(panel, cache),
    };
    let again_b = (1.0 - kept_b) * (either(strip, blocks_m, panels) - 1.0);
    if packs[0] {
        // Between its panels, an input may lose its lines, or the rows that taps have in common.
        let source = match product.patches {
            None => size_a * either(depth, 1.0, lines_a),
            Some(Patches { kernel: [height, width], row, stride, distinct }) => {
                let lines = kc / width * (line + (mr + width - 2.0) * a);
                let shared = crowded(kc / (height * width), stride * a, cache);
                // `first` or `others` by the bytes between places that are `apart` from each other: a part of them is in the next block
                // of rows, after the products of this one.
                let between = |apart: f64, bytes: f64, first: f64, others: f64| {
                    let next = (apart / mc).min(1.0);
                    let products = of_b + apart.max(mc) * nc * c * lines_c;
                    next * either(bytes + products, first, others)
                        + (1.0 - next) * either(bytes, first, others)
                };
                let panel = mr * kc * a + lines.max(shared);
                let panels = between(mr, panel, size_a * height, (panels * lines * passes_k).max(size_a));
                // Rows of places have rows of the input in common, if the kernel is higher than one.
                let of_row = 2.0 * kc * row * a;
                let packed = (kc * mc * a).min(of_row);
                match height {
                    1.0 => panels,
                    _ => between(row, packed + (of_row * height * distinct).max(shared), size_a, panels),
                }
            }
        };
        traffic.operands += source * either(pass, 1.0, passes_n);
        // The buffer stays, or is written for each pass over the columns, and read.
        // After a line of the last panel is packed, half of the features follow on average.
        let stays = kept_beside_source(block, 1.0 - 0.5 * mr / mc);
        traffic.buffers += stays * 2.0 * packed_a;
        traffic.operands += (1.0 - stays) * all_a * (2.0 * passes_n + again_a);
        traffic.written += (1.0 - stays) * all_a * passes_n;
    } else {
        let lines = either(depth, 1.0, lines_a);
        traffic.operands += all_a * lines * (either(pass, 1.0, passes_n) + again_a);
    }
    let repeated_lines = either(pass, 1.0, lines_b);
    if packs[1] {
        traffic.operands += size_b * repeated_lines;
        let stays = kept(panel + from_b, cache);
        traffic.buffers += stays * 2.0 * packed_b;
        traffic.operands += (1.0 - stays) * size_b * (2.0 + again_b);
        traffic.written += (1.0 - stays) * size_b;
    } else {
        let lines_strip = lines(nr, n, b);
        let first = repeated_lines.max(either(block, 1.0, lines_strip));
        traffic.operands += size_b * (first + again_b * lines_strip);
    }
    let lines_c = either(block, 1.0, lines(nr, n, c)).max(either(pass, 1.0, lines_c));
    let result = size_c * either(depth, 1.0, passes_k) * lines_c;
    traffic.result += result;
    traffic.written += result;
    traffic
}

/// A tile of C in registers: `vectors` of B and `rows` of A.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tile {
    /// Vectors of a row.
    pub vectors: f64,
    /// Rows, each of which is one broadcast element of A.
    pub rows: f64,
}

impl Tile {
    /// Loads for each multiply-add of vectors.
    pub fn loads(&self) -> f64 {
        (self.vectors + self.rows) / (self.vectors * self.rows)
    }
}

/// The tile with the fewest loads that fits the registers: its sums, a row of B, and an element of A.
pub fn tile(registers: f64, most_vectors: f64, most_rows: f64) -> Tile {
    let mut best = Tile { vectors: 1.0, rows: 1.0 };
    for vectors in 1..=(most_vectors.min(registers) as usize).max(1) {
        let vectors = vectors as f64;
        let rows = ((registers - vectors - 1.0) / vectors).floor().min(most_rows).max(1.0);
        let fits = vectors * rows + vectors < registers;
        let tile = Tile { vectors, rows };
        if fits && tile.loads() < best.loads() {
            best = tile;
        }
    }
    best
}

/// The blocking with the fewest instructions, and among those the one that takes the least time to move data: the bytes of each level,
/// divided by its bandwidth, for the slowest level and then for all. `lanes` are the multiply-adds of an instruction.
pub fn choose(product: &Product, core: &Core, lanes: f64) -> (Blocking, Tile) {
    let mut best: Option<([f64; 3], Blocking, Tile)> = None;
    for transposed in [false, true] {
        // Patches of a convolution are packed as A.
        if transposed && product.patches.is_some() {
            continue;
        }
        let sides = if transposed { product.transposed() } else { *product };
        let (tile, [mr, nr]) = match &core.units {
            Units::Vector(units) => {
                let tile = tile(units.registers, (sides.columns / lanes).ceil(), sides.rows);
                (tile, [tile.rows, tile.vectors * lanes])
            }
            Units::Peak(peak) => (Tile { vectors: 1.0, rows: 1.0 }, peak.tile),
        };
        let instructions = sides.rows * (sides.columns / lanes).ceil() * (1.0 + tile.loads());
        for kc in sizes(sides.depth, 16.0) {
            // Blocks of equal depth, as far as they can be.
            let kc = (sides.depth / (sides.depth / kc).ceil()).ceil();
            for mc in sizes(sides.rows, mr) {
                for nc in sizes(sides.columns, nr) {
                    let patches = product.patches.is_some();
                    for packs in [[false, false], [true, false], [false, true], [true, true]] {
                        if patches && !packs[0] {
                            continue;
                        }
                        let blocking = Blocking { mr, nr, kc, mc, nc, packs, transposed };
                        let cycles: Vec<f64> = core
                            .caches
                            .iter()
                            .enumerate()
                            .map(|(at, cache)| {
                                traffic(product, &blocking, cache).steady() / core.bytes_per_cycle_below(at)
                            })
                            .collect();
                        let longest = cycles.iter().copied().fold(0.0, f64::max);
                        let key = [instructions, longest, cycles.iter().sum()];
                        if best.is_none_or(|(least, ..)| key < least) {
                            best = Some((key, blocking, tile));
                        }
                    }
                }
            }
        }
    }
    let (_, blocking, tile) = best.expect("a size has at least one candidate");
    (blocking, tile)
}

/// Candidates for the size of a block: multiples of a unit, each about √2 times the one before, and the whole.
fn sizes(whole: f64, unit: f64) -> Vec<f64> {
    let mut sizes = vec![];
    let mut size = unit;
    while size < whole && sizes.len() < 40 {
        sizes.push(size);
        size = ((size * std::f64::consts::SQRT_2 / unit).ceil() * unit).max(size + unit);
    }
    sizes.push(whole);
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOATS: [f64; 3] = [4.0; 3];

    fn square(n: f64) -> Product {
        Product { rows: n, columns: n, depth: n, patches: None, bytes: FLOATS }
    }

    /// 32 registers hold 5 × 5 sums, 5 vectors of B and an element of A: 31.
    #[test]
    fn tile_of_32_registers_is_5_by_5() {
        let best = tile(32.0, 100.0, 100.0);
        assert_eq!((best.vectors, best.rows, best.loads()), (5.0, 5.0, 0.4));
        // With one vector of columns: 29 rows, 30 loads.
        let narrow = tile(32.0, 1.0, 100.0);
        assert_eq!((narrow.vectors, narrow.rows), (1.0, 30.0));
        assert_eq!(tile(32.0, 100.0, 1.0).rows, 1.0);
    }

    /// A cache in which every line is in one set of many ways: it keeps everything up to its size, and nothing beyond.
    fn ideal(bytes: f64, line: f64) -> Cache {
        let ways = 100_000.0;
        Cache {
            name: "L".to_owned(),
            kib: bytes / 1024.0,
            instances: 1.0,
            ways,
            line,
            bytes_per_cycle: 64.0,
            latency_cycles: 10.0,
        }
    }

    #[test]
    fn lines_are_kept_while_a_set_has_ways() {
        let cache = Cache { ways: 8.0, ..ideal(8192.0, 64.0) };
        // Lines per set: 6.5 leave a way whatever array they belong to; 8.5 do not.
        assert_eq!([6656.0, 7680.0, 8704.0].map(|bytes| kept(bytes, &cache)), [1.0, 0.5, 0.0]);
    }

    #[test]
    fn product_that_fits_moves_each_operand_once() {
        // 3 · 24² · 4 = 6912 bytes, packed as well 11520.
        let blocking =
            Blocking { mr: 5.0, nr: 80.0, kc: 24.0, mc: 24.0, nc: 24.0, packs: [true; 2], transposed: false };
        let traffic = traffic(&square(24.0), &blocking, &ideal(32_768.0, 64.0));
        let expected =
            Traffic { operands: 2.0 * 2304.0, result: 2304.0, written: 2304.0, buffers: 4.0 * 2304.0 };
        assert_eq!(traffic, expected);
    }

    #[test]
    fn product_in_blocks_moves_operands_as_loops_repeat() {
        // Four blocks of rows, two of the depth; neither a block nor a panel fits, a strip does. Lines have one element.
        let blocking = Blocking {
            mr: 8.0,
            nr: 16.0,
            kc: 64.0,
            mc: 32.0,
            nc: 128.0,
            packs: [true; 2],
            transposed: false,
        };
        let found = traffic(&square(128.0), &blocking, &ideal(8_000.0, 4.0));
        let one = 128.0 * 128.0 * 4.0;
        // B and A; A packed, and read by 8 strips; B packed, and read by 4 blocks.
        assert_eq!(found.operands, one * (2.0 + 1.0 + 8.0 + 1.0 + 4.0));
        assert_eq!((found.result, found.written), (2.0 * one, one * (1.0 + 1.0 + 2.0)));
    }
}
