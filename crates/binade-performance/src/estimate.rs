//! The time of a program on a core, operation by operation.
//!
//! An operation takes the longest of these times, in cycles:
//!
//! | bound | time |
//! |---|---|
//! | `units` | multiply-adds over the rate of the units; for elements, vector operations over the number of units |
//! | `issue` | instructions over the issue width: multiply-adds with the loads of their tile; operations, loads and stores of elements |
//! | first cache | bytes that registers load and store |
//! | other caches, `memory` | bytes that cross the edge above them ([`traffic`](crate::traffic)), over the bandwidth |
//!
//! The first three are work of the core. Each of the others, a transfer, overlaps with the work only as far as the reorder buffer allows:
//! while a line is awaited, the core executes at most the instructions that the buffer holds. So a share of the transfer is hidden, which
//! is buffer ÷ (issue width · latency) and at most 1. Transfers of different levels overlap with one another, and the one with the latest
//! end counts: the time is the maximum over levels of work + transfer − min(work, transfer · share).
//!
//! An operand is read from the cache that holds it. It does if the tensors that were touched since its last use fit. A result that fits in
//! half of a cache stays there.
//!
//! A core may state fixed times of its software, the *overhead* of each operation, which is added. All other instructions are the *rest*.
//! The paper's §7.4 takes the share of multiply-adds among instructions for their share of time in binary32, and so does this model: the
//! rest takes the time that products and elements leave of it, under any arithmetic.

use std::collections::{BTreeMap, HashMap};

use binade_hlo::Program;
use binade_hlo::eval::rules::Scope;
use serde::Serialize;

use crate::arithmetic::{Arithmetic, ArithmeticError, MultiplyAdd};
use crate::core::{Core, Units};
use crate::program::{Access, Item, Operations, ProgramError, Work};
use crate::traffic::{Blocking, Patches, Product, Tile, choose, traffic};

/// The estimate of a program on a core.
pub struct Estimate<'p> {
    program: &'p Program,
    operations: Operations<'p>,
    core: Core,
    /// True if the program ran before, on the same tensors.
    is_repeated: bool,
}

/// Estimates of a program under several arithmetics.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The core.
    pub core: String,
    /// True if the core's figures are bounds of data sheets.
    pub bounds: bool,
    /// The share of multiply-adds among instructions, if the core or the caller states one.
    pub fma_share: Option<f64>,
    /// The part of binary32's time that products take.
    pub product_share: f64,
    /// Multiply-adds of a run.
    pub multiply_adds: f64,
    /// Loops whose number of iterations the text does not tell.
    pub open_loops: usize,
    /// Binary32.
    pub baseline: Row,
    /// A row for each arithmetic.
    pub rows: Vec<Row>,
}

/// The estimate under an arithmetic.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The arithmetic.
    pub arith: String,
    /// Speed relative to binary32.
    pub speedup: f64,
    /// The bound that takes the most time.
    pub bound_by: String,
    /// Seconds of a run.
    pub seconds: f64,
    /// Seconds of products.
    pub product_seconds: f64,
    /// Speed of products relative to binary32.
    pub product_speedup: f64,
    /// The bound of most of the products' time.
    pub products_bound_by: String,
    /// The bound of products that is next.
    pub next_bound: String,
    /// The factor by which the first bound can become faster until the next one is as slow.
    pub next_at: f64,
    /// The speed relative to binary32 if products took no time.
    pub limit: f64,
    /// Multiply-adds per second of the units, for these products.
    pub units_rate: f64,
    /// Seconds by bound.
    pub seconds_by_bound: BTreeMap<String, f64>,
    /// Operations with the same name and bound.
    pub operations: Vec<Group>,
}

impl Row {
    /// Bounds with their shares of the time.
    pub fn shares(&self) -> impl Iterator<Item = (&str, f64)> {
        let whole = if self.seconds > 0.0 { self.seconds } else { 1.0 };
        self.seconds_by_bound.iter().map(move |(bound, seconds)| (&**bound, seconds / whole))
    }

    /// Seconds of other instructions.
    pub fn rest(&self) -> f64 {
        self.seconds_by_bound.get("rest").copied().unwrap_or(0.0)
    }

    /// The bound of most of the products' time and the next one with its factor, as texts; dashes without products.
    pub fn bounds_of_products(&self) -> [String; 2] {
        if self.product_seconds == 0.0 {
            return ["-", "-"].map(str::to_owned);
        }
        [self.products_bound_by.clone(), format!("{} at {:.2}", self.next_bound, self.next_at)]
    }
}

/// Operations with the same name and the same bound.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// Their name.
    pub operation: String,
    /// Their bound.
    pub bound_by: String,
    /// The number of executions.
    pub executions: f64,
    /// Seconds.
    pub seconds: f64,
    /// Multiply-adds of products, elementary operations of others.
    pub operations: f64,
    /// Bytes from and to memory.
    pub memory_bytes: f64,
    /// True for products.
    pub is_product: bool,
}

/// The time of an operation in cycles, by bound.
#[derive(Clone, Debug, PartialEq)]
pub struct Time {
    /// Cycles of each of [`Core::bounds`] but the rest.
    pub by_bound: Vec<f64>,
    /// Cycles altogether.
    pub cycles: f64,
    /// Bytes from and to memory.
    pub memory_bytes: f64,
}

impl Time {
    /// The index of the bound that takes longest.
    pub fn bound(&self) -> usize {
        let longest = self.by_bound.iter().enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b));
        longest.map_or(0, |(at, _)| at)
    }
}

/// Tensors from the most to the least recently used, for reuse distances.
#[derive(Default)]
struct Recent(Vec<(usize, f64)>);

impl Recent {
    /// Touches a tensor, and returns the bytes that were touched since it was last, its own included. They are infinite if it was never
    /// touched, or before more than `most` bytes.
    fn touch(&mut self, tensor: usize, bytes: f64, most: f64) -> f64 {
        let (mut distance, mut found) = (bytes, None);
        for (at, (other, size)) in self.0.iter().enumerate().rev() {
            if *other == tensor {
                found = Some(at);
                break;
            }
            distance += size;
            if distance > most {
                break;
            }
        }
        match found {
            Some(at) => drop(self.0.remove(at)),
            None => distance = f64::INFINITY,
        }
        self.0.push((tensor, bytes));
        distance
    }
}

/// Blockings by the product, as bits of its sizes.
type Blockings = HashMap<([u64; 7], Option<[u64; 4]>), (Blocking, Tile)>;

/// The state of an estimate under one arithmetic.
struct Run<'a> {
    core: &'a Core,
    arithmetic: &'a Arithmetic,
    recent: Recent,
    blockings: Blockings,
}

impl Run<'_> {
    fn bits(&self, access: &Access) -> f64 {
        if access.is_binary32 { self.arithmetic.stored_bits() } else { access.bits }
    }

    /// Bytes of a cache, with all instances.
    fn capacity(&self, cache: usize) -> f64 {
        self.core.caches[cache].usable() * self.core.caches[cache].instances
    }

    /// For each read, the first cache that holds the tensor; their number if it is in memory.
    fn homes(&mut self, item: &Item) -> Vec<usize> {
        let levels = self.core.caches.len();
        let most = (0..levels).map(|cache| self.capacity(cache)).fold(0.0, f64::max);
        let mut homes = vec![];
        for access in &item.reads {
            let bytes = access.whole * self.bits(access) / 8.0;
            let distance = self.recent.touch(access.tensor, bytes, most);
            homes.push((0..levels).find(|&cache| distance <= self.capacity(cache)).unwrap_or(levels));
        }
        for access in &item.writes {
            self.recent.touch(access.tensor, access.whole * self.bits(access) / 8.0, most);
        }
        homes
    }

    fn time(&mut self, item: &Item) -> Result<Time, ArithmeticError> {
        let homes = self.homes(item);
        let overhead = self.core.overhead;
        let (mut time, nanoseconds) = match &item.work {
            Work::Product { operation, count, sizes, patches } => {
                let multiply_add = self.arithmetic.multiply_add(operation, *sizes);
                (self.product(&homes, &multiply_add, *count, *sizes, *patches)?, overhead.product_ns)
            }
            Work::Elements { operations } => {
                (self.elements(item, &homes, *operations), overhead.operation_ns)
            }
        };
        if overhead.is_any() {
            let cycles = nanoseconds * self.core.frequency_ghz;
            time.by_bound.push(cycles);
            time.cycles += cycles;
        }
        Ok(time)
    }

    fn product(
        &mut self,
        homes: &[usize],
        multiply_add: &MultiplyAdd,
        count: f64,
        sizes: [usize; 3],
        patches: Option<Patches>,
    ) -> Result<Time, ArithmeticError> {
        let [rows, columns, depth] = sizes.map(|size| size as f64);
        let product =
            Product { rows, columns, depth, patches, bytes: multiply_add.bits.map(|bits| bits / 8.0) };
        let (core, lanes) = (self.core, multiply_add.lanes(self.core));
        let [a, b, c] = product.bytes.map(f64::to_bits);
        let [m, n, k] = sizes.map(|size| size as u64);
        let key = (
            [m, n, k, a, b, c, lanes.to_bits()],
            patches.map(|Patches { kernel: [h, w], row, stride, .. }| [h, w, row, stride].map(f64::to_bits)),
        );
        let (blocking, tile) = *self.blockings.entry(key).or_insert_with(|| choose(&product, core, lanes));

        let rate = multiply_add.rate(core, &self.arithmetic.name)?;
        let (sides, [of_rows, of_columns]) = match blocking.transposed {
            true => ([columns, rows], [product.bytes[1], product.bytes[0]]),
            false => ([rows, columns], [product.bytes[0], product.bytes[1]]),
        };
        // Vectors at the edge of C are not full.
        let instructions = count * sides[0] * (sides[1] / lanes).ceil() * depth;
        let (units, issue, registers) = match &core.units {
            Units::Vector(units) => (
                instructions * lanes / rate,
                instructions * (1.0 + tile.loads()) / units.issue_width,
                instructions * (of_columns * lanes / tile.rows + of_rows / tile.vectors),
            ),
            Units::Peak(peak) => {
                let work = count * product.multiply_adds();
                let [tile_rows, tile_columns] = peak.tile;
                (work / rate, 0.0, work * (of_rows / tile_columns + of_columns / tile_rows))
            }
        };
        let [size_a, size_b, size_c] = product.sizes().map(|size| size * count);
        let crossing = (0..core.caches.len()).map(|cache| {
            let mut bytes = count * traffic(&product, &blocking, &core.caches[cache]).steady();
            for (size, home) in [size_a, size_b].into_iter().zip(homes) {
                bytes -= if *home <= cache { size } else { 0.0 };
            }
            if size_c <= self.capacity(cache) / 2.0 {
                bytes -= 2.0 * size_c;
            }
            bytes.max(0.0)
        });
        let crossing = crossing.collect();
        Ok(self.joined(units, issue, registers, crossing))
    }

    fn elements(&self, item: &Item, homes: &[usize], operations: f64) -> Time {
        let core = self.core;
        let bytes = |access: &Access| access.elements * self.bits(access) / 8.0;
        let moved: f64 = item.reads.iter().chain(&item.writes).map(bytes).sum();
        let (units, issue) = match &core.units {
            Units::Vector(units) => {
                let elements: f64 = item.reads.iter().chain(&item.writes).map(|access| access.elements).sum();
                let lanes = units.lanes();
                (operations / lanes / units.count, (operations + elements) / lanes / units.issue_width)
            }
            Units::Peak(peak) => {
                let plain = peak.rates.iter().find(|(name, _)| name == "f32").map_or(1.0, |(_, rate)| *rate);
                (operations / (plain * 1000.0 / 2.0 / core.frequency_ghz), 0.0)
            }
        };
        let crossing = (0..core.caches.len()).map(|cache| {
            let read: f64 = (item.reads.iter().zip(homes))
                .map(|(access, home)| if *home > cache { bytes(access) } else { 0.0 })
                .sum();
            // A line is filled before it is changed.
            let written = item.writes.iter().map(bytes).filter(|bytes| *bytes > self.capacity(cache) / 2.0);
            read + 2.0 * written.sum::<f64>()
        });
        let crossing = crossing.collect();
        self.joined(units, issue, moved, crossing)
    }

    /// The time of an operation by its work in the core and the bytes that cross the lower edge of each cache.
    fn joined(&self, units: f64, issue: f64, registers: f64, crossing: Vec<f64>) -> Time {
        let core = self.core;
        let first = registers / core.caches[0].bytes_per_cycle;
        let work = units.max(issue).max(first);
        let mut by_bound = vec![units, issue, first];
        let mut cycles = work;
        for (cache, bytes) in crossing.iter().enumerate() {
            let transfer = bytes / core.bytes_per_cycle_below(cache);
            by_bound.push(transfer);
            let hidden = transfer * core.hidden_share(cache);
            cycles = cycles.max(work + transfer - work.min(hidden));
        }
        Time { by_bound, cycles, memory_bytes: crossing.last().copied().unwrap_or(0.0) }
    }
}

impl<'p> Estimate<'p> {
    /// The estimate of a program's function `main`.
    ///
    /// # Errors
    /// The function does not exist, or a size is open.
    pub fn new(program: &'p Program, core: Core) -> Result<Estimate<'p>, ProgramError> {
        Ok(Estimate { program, operations: Operations::of(program)?, core, is_repeated: false })
    }

    /// The estimate of a run after another one, whose tensors caches still hold if they can.
    pub fn repeated(self) -> Estimate<'p> {
        Estimate { is_repeated: true, ..self }
    }

    /// The program's operations.
    pub fn operations(&self) -> &Operations<'p> {
        &self.operations
    }

    /// The times of all operations under an arithmetic, in their order.
    ///
    /// # Errors
    /// The arithmetic has no rate on the core.
    pub fn times(&self, arithmetic: &Arithmetic) -> Result<Vec<Time>, ArithmeticError> {
        let arithmetic = &arithmetic.for_program(self.program);
        let mut run =
            Run { core: &self.core, arithmetic, recent: Recent::default(), blockings: HashMap::new() };
        if self.is_repeated {
            self.operations.items.iter().for_each(|item| drop(run.homes(item)));
        }
        self.operations.items.iter().map(|item| run.time(item)).collect()
    }

    /// The estimates under arithmetics, beside binary32.
    ///
    /// # Errors
    /// An arithmetic has no rate on the core.
    pub fn report(&self, arithmetics: &[Arithmetic]) -> Result<Report, ArithmeticError> {
        let binary32 = Arithmetic::parse("f32", Scope::Paper)?;
        let times = self.times(&binary32)?;
        let total = |products: bool, times: &[Time]| -> f64 {
            let chosen =
                self.operations.items.iter().zip(times).filter(|(item, _)| item.is_product() == products);
            chosen.map(|(item, time)| item.times * time.cycles).fold(0.0, |sum, cycles| sum + cycles)
        };
        let (products, elements) = (total(true, &times), total(false, &times));
        let rest = match self.core.fma_share {
            Some(share) => (products * (1.0 - share) / share - elements).max(0.0),
            None => 0.0,
        };
        let whole = products + elements + rest;
        let row = |arithmetic: &Arithmetic, times: &[Time]| {
            let (own, others) = (total(true, times), total(false, times));
            self.row(arithmetic, times, [own, others, rest], [products, whole])
        };
        let rows = arithmetics.iter().map(|arithmetic| Ok(row(arithmetic, &self.times(arithmetic)?)));
        let multiply_adds = self.operations.items.iter().filter(|item| item.is_product());
        Ok(Report {
            core: self.core.name.clone(),
            bounds: self.core.bounds,
            fma_share: self.core.fma_share,
            product_share: if whole > 0.0 { products / whole } else { 0.0 },
            multiply_adds: multiply_adds
                .map(|item| item.times * item.operations())
                .fold(0.0, |sum, count| sum + count),
            open_loops: self.operations.open_loops,
            baseline: row(&binary32, &times),
            rows: rows.collect::<Result<_, ArithmeticError>>()?,
        })
    }

    fn row(
        &self,
        arithmetic: &Arithmetic,
        times: &[Time],
        [products, elements, rest]: [f64; 3],
        [base_products, base_whole]: [f64; 2],
    ) -> Row {
        let names = self.core.bounds();
        let seconds = |cycles: f64| cycles / self.core.frequency_ghz / 1e9;
        let mut by_bound = vec![0.0; names.len()];
        let mut of_products = vec![0.0; names.len()];
        let mut multiply_adds = 0.0;
        let mut groups: Vec<Group> = vec![];
        for (item, time) in self.operations.items.iter().zip(times) {
            let bound = time.bound();
            by_bound[bound] += item.times * time.cycles;
            if item.is_product() {
                multiply_adds += item.times * item.operations();
                for (at, cycles) in time.by_bound.iter().enumerate() {
                    of_products[at] += item.times * cycles;
                }
            }
            let found = groups
                .iter_mut()
                .find(|group| group.operation == item.name && group.bound_by == names[bound]);
            let group = match found {
                Some(group) => group,
                None => {
                    groups.push(Group {
                        operation: item.name.to_owned(),
                        bound_by: names[bound].clone(),
                        executions: 0.0,
                        seconds: 0.0,
                        operations: 0.0,
                        memory_bytes: 0.0,
                        is_product: item.is_product(),
                    });
                    groups.last_mut().expect("a group was just added")
                }
            };
            group.executions += item.times;
            group.seconds += seconds(item.times * time.cycles);
            group.operations += item.times * item.operations();
            group.memory_bytes += item.times * time.memory_bytes;
        }
        groups.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
        *by_bound.last_mut().expect("the rest is a bound") = rest;
        let mut ranked: Vec<usize> = (0..names.len()).collect();
        ranked.sort_by(|a, b| of_products[*b].total_cmp(&of_products[*a]));
        let [first, second] = [ranked[0], ranked[1]];
        let whole = products + elements + rest;
        let longest = (0..names.len()).max_by(|a, b| by_bound[*a].total_cmp(&by_bound[*b])).unwrap_or(0);
        let ratio = |over: f64, under: f64| if under > 0.0 { over / under } else { f64::INFINITY };
        Row {
            arith: arithmetic.short_name(),
            speedup: if whole > 0.0 { base_whole / whole } else { 1.0 },
            bound_by: names[longest].clone(),
            seconds: seconds(whole),
            product_seconds: seconds(products),
            product_speedup: if products > 0.0 { base_products / products } else { 1.0 },
            products_bound_by: names[first].clone(),
            next_bound: names[second].clone(),
            next_at: ratio(of_products[first], of_products[second]),
            limit: if base_whole > 0.0 { ratio(base_whole, whole - products) } else { 1.0 },
            units_rate: if of_products[0] > 0.0 { multiply_adds / seconds(of_products[0]) } else { 0.0 },
            seconds_by_bound: names.into_iter().zip(by_bound.into_iter().map(seconds)).collect(),
            operations: groups,
        }
    }
}

impl Item<'_> {
    /// Returns true for products.
    pub fn is_product(&self) -> bool {
        matches!(self.work, Work::Product { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(text: &str) -> Program {
        Program::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    fn core(changes: &[(&str, f64)]) -> Core {
        let changes: Vec<_> = changes.iter().map(|(key, value)| ((*key).to_owned(), *value)).collect();
        Core::named("skylake").unwrap().parse(&changes).unwrap()
    }

    fn times(text: &str, arithmetic: &str) -> Vec<Time> {
        let program = program(text);
        let estimate = Estimate::new(&program, core(&[])).unwrap();
        estimate.times(&Arithmetic::parse(arithmetic, Scope::All).unwrap()).unwrap()
    }

    const TWO_PRODUCTS: &str =
        "func.func @main(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> tensor<32x32xf32> {
        %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
            : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
        %1 = stablehlo.dot_general %0, %a, contracting_dims = [1] x [0]
            : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
        return %1 : tensor<32x32xf32>
    }";

    /// 32³ multiply-adds at 32 in a cycle are 1024 cycles. The operands of the first product are in memory, 8192 bytes at 30 / 2.1 in a
    /// cycle; 192 instructions at 4 in a cycle hide 48 of each 170.1 cycles. The second one finds all in the first level.
    #[test]
    fn product_in_the_first_level_takes_the_time_of_the_units() {
        let [first, second] = &times(TWO_PRODUCTS, "f32")[..] else { panic!("two products") };
        let waiting = 8192.0 / (30.0 / 2.1);
        assert!((first.cycles - (1024.0 + waiting * (1.0 - 48.0 / 170.1))).abs() < 1e-6, "{first:?}");
        assert_eq!((first.memory_bytes, first.bound()), (8192.0, 0));
        assert_eq!((second.cycles, second.memory_bytes, second.bound()), (1024.0, 0.0, 0));
        // One vector of 32 results a row in two halves: 2 · 14 sums fit 32 registers, 16 loads for 28 multiply-adds.
        let loads = 16.0 / 28.0;
        assert!((second.by_bound[1] - 2048.0 * (1.0 + loads) / 4.0).abs() < 1e-9, "{second:?}");
    }

    /// Under FMA 1_1 the units take a ninth, and the instructions half: 32 multiply-adds each, so that a row is one vector, and 29 rows
    /// and the vector fill the registers.
    #[test]
    fn small_operator_is_bound_by_instructions() {
        let second = &times(TWO_PRODUCTS, "bf16:bf16")[1];
        assert!((second.by_bound[0] - 1024.0 / 9.0).abs() < 1e-9, "{second:?}");
        assert!((second.cycles - 1024.0 * (1.0 + 31.0 / 30.0) / 4.0).abs() < 1e-9, "{second:?}");
        assert_eq!(second.bound(), 1);
    }

    /// 4096² weights are read once from memory: 64 MiB, and 32 MiB in BF16.
    #[test]
    fn product_with_a_vector_takes_the_time_of_memory() {
        let text =
            "func.func @main(%a: tensor<4096x4096xf32>, %x: tensor<4096x1xf32>) -> tensor<4096x1xf32> {
            %0 = stablehlo.dot_general %a, %x, contracting_dims = [1] x [0]
                : (tensor<4096x4096xf32>, tensor<4096x1xf32>) -> tensor<4096x1xf32>
            return %0 : tensor<4096x1xf32>
        }";
        for (arithmetic, bytes) in
            [("f32", 4.0), ("bf16:bf16", 2.0), ("bf16x2:bf16x2/4", 4.0), ("bf16x3:bf16x3/6", 6.0)]
        {
            let [time] = &times(text, arithmetic)[..] else { panic!("one product") };
            let weights = 4096.0 * 4096.0 * bytes;
            assert!((weights..1.01 * weights).contains(&time.memory_bytes), "{arithmetic}: {time:?}");
            let waiting = time.memory_bytes / (30.0 / 2.1);
            assert!(time.cycles >= waiting && time.cycles < 1.2 * waiting, "{arithmetic}: {time:?}");
            assert_eq!(time.bound(), 5, "{arithmetic}: {time:?}");
        }
    }

    /// Three arrays of 2^24 numbers are read, and one is written, whose lines are filled first: 5 · 64 MiB. The sum between is not stored.
    #[test]
    fn elementwise_chain_takes_the_time_of_memory() {
        let text = "func.func @main(%x: tensor<16777216xf32>, %y: tensor<16777216xf32>, %z: tensor<16777216xf32>) -> tensor<16777216xf32> {
            %0 = stablehlo.multiply %x, %y : tensor<16777216xf32>
            %1 = stablehlo.add %0, %z : tensor<16777216xf32>
            return %1 : tensor<16777216xf32>
        }";
        let bytes = 5.0 * 67_108_864.0;
        for (arithmetic, share) in
            [("f32", 1.0), ("bf16:bf16", 0.5), ("bf16:bf16x2", 1.0), ("bf16:bf16x3", 1.5)]
        {
            let [time] = &times(text, arithmetic)[..] else { panic!("one chain") };
            assert_eq!(time.memory_bytes, share * bytes, "{arithmetic}");
            // Instructions are hidden: they take less than 48 / 170.1 of it.
            assert!((time.cycles - share * bytes / (30.0 / 2.1)).abs() < 1.0, "{arithmetic}: {time:?}");
        }
    }

    /// The formula for one operation: 1000 cycles of work, and transfers of 640, 320 and 450 cycles at three edges. The reorder buffer
    /// of 192 hides the first wholly, since 192 / (4 · 14) is above 1. It hides 192 / (4 · 77) of the second, and 192 / (4 · 170.1) of the third.
    #[test]
    fn transfer_with_the_latest_end_counts() {
        let core = core(&[]);
        let arithmetic = Arithmetic::parse("f32", Scope::All).unwrap();
        let run = Run {
            core: &core,
            arithmetic: &arithmetic,
            recent: Recent::default(),
            blockings: HashMap::new(),
        };
        let bytes = |cycles: [f64; 3]| {
            cycles.iter().zip([64.0, 16.0, 30.0 / 2.1]).map(|(cycles, rate)| cycles * rate).collect()
        };
        // L2's transfer is longer, but hidden wholly; memory's wait for 450 · (1 − 48 / 170.1) cycles counts.
        let time = run.joined(1000.0, 0.0, 0.0, bytes([640.0, 320.0, 450.0]));
        let memory = 1000.0 + 450.0 * (1.0 - 48.0 / 170.1);
        assert!((time.cycles - memory).abs() < 1e-9, "{time:?}");
        // The longest transfer alone does not decide: L3's ends at 1000 + 400 · (1 − 48 / 77), before memory's of 390 cycles.
        let time = run.joined(1000.0, 0.0, 0.0, bytes([0.0, 400.0, 390.0]));
        assert!((time.cycles - (1000.0 + 390.0 * (1.0 - 48.0 / 170.1))).abs() < 1e-9, "{time:?}");
        // More traffic at a level that hides it never shortens the time.
        let more = run.joined(1000.0, 0.0, 0.0, bytes([391.0, 400.0, 390.0]));
        assert_eq!(more.cycles, time.cycles);
        // Little work is hidden whole, and the transfer remains.
        let time = run.joined(100.0, 0.0, 0.0, bytes([0.0, 400.0, 0.0]));
        assert_eq!(time.cycles, 400.0);
        // Neither with work nor with transfers, no time.
        assert_eq!(run.joined(0.0, 0.0, 0.0, bytes([0.0; 3])).cycles, 0.0);
    }

    #[test]
    fn overhead_is_added_to_each_operation() {
        let changes = [("overhead.product_ns", 1000.0), ("overhead.operation_ns", 10.0)];
        let program = program(TWO_PRODUCTS);
        let report = |changes: &[(&str, f64)]| {
            Estimate::new(&program, core(changes)).unwrap().report(&[]).unwrap().baseline
        };
        let (with, without) = (report(&changes), report(&[]));
        assert!((with.product_seconds - without.product_seconds - 2e-6).abs() < 1e-15);
        assert_eq!(without.seconds_by_bound.get("overhead"), None);
        // 2100 cycles are more than either product's others, so they bound both.
        assert_eq!((&*with.products_bound_by, with.seconds_by_bound["units"]), ("overhead", 0.0));
    }

    #[test]
    fn program_without_products_has_zeros_with_a_positive_sign() {
        let text = "func.func @main(%a: tensor<64xf32>) -> tensor<64xf32> {
            %0 = stablehlo.add %a, %a : tensor<64xf32>
            return %0 : tensor<64xf32>
        }";
        for text in
            [text, "func.func @main(%a: tensor<64xf32>) -> tensor<64xf32> { return %a : tensor<64xf32> }"]
        {
            let program = program(text);
            let arithmetics = [Arithmetic::parse("bf16:bf16", Scope::Paper).unwrap()];
            let report = Estimate::new(&program, core(&[])).unwrap().report(&arithmetics).unwrap();
            for zero in [report.multiply_adds, report.product_share, report.rows[0].product_seconds] {
                assert_eq!(zero.to_bits(), 0);
            }
            assert_eq!((report.rows[0].speedup, report.rows[0].product_speedup), (1.0, 1.0));
            assert_eq!(report.rows[0].limit, 1.0);
        }
    }

    #[test]
    fn rest_is_the_time_that_the_share_of_multiply_adds_leaves() {
        let program = program(TWO_PRODUCTS);
        let arithmetics = [Arithmetic::parse("bf16:bf16", Scope::All).unwrap()];
        let report =
            Estimate::new(&program, core(&[("fma_share", 0.25)])).unwrap().report(&arithmetics).unwrap();
        assert!((report.product_share - 0.25).abs() < 1e-9 && report.baseline.speedup == 1.0);
        let row = &report.rows[0];
        assert!((row.speedup - 1.0 / (0.75 + 0.25 / row.product_speedup)).abs() < 1e-9, "{row:?}");
        assert!((row.limit - 1.0 / 0.75).abs() < 1e-9 && row.bound_by == "rest");
        let sum: f64 = row.seconds_by_bound.values().sum();
        assert!((sum / row.seconds - 1.0).abs() < 1e-9);
    }

    #[test]
    fn loop_repeats_its_body_with_operands_in_caches() {
        let text = "func.func @main(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
            %n = stablehlo.constant dense<10> : tensor<i32>
            %one = stablehlo.constant dense<1> : tensor<i32>
            %zero = stablehlo.constant dense<0> : tensor<i32>
            %r:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<64x64xf32>
            cond {
                %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
                stablehlo.return %go : tensor<i1>
            } do {
                %next = stablehlo.add %i, %one : tensor<i32>
                %y = stablehlo.dot_general %x, %b, contracting_dims = [1] x [0]
                    : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
                stablehlo.return %next, %y : tensor<i32>, tensor<64x64xf32>
            }
            return %r#1 : tensor<64x64xf32>
        }";
        let program = program(text);
        let estimate = Estimate::new(&program, core(&[])).unwrap();
        let times = estimate.times(&Arithmetic::parse("f32", Scope::All).unwrap()).unwrap();
        let items = &estimate.operations().items;
        assert_eq!(items.iter().map(|item| item.times).collect::<Vec<_>>(), [1.0, 9.0]);
        assert!(times[0].memory_bytes > 0.0 && times[1].memory_bytes == 0.0, "{times:?}");
        let report = estimate.report(&[]).unwrap();
        assert_eq!((report.multiply_adds, report.open_loops), (10.0 * 262_144.0, 0));
    }

    #[test]
    fn recipe_stores_codes_and_scales() {
        let text =
            "func.func @main(%a: tensor<8x4096xf32>, %w: tensor<4096x4096xf32>) -> tensor<8x4096xf32> {
            %0 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0]
                : (tensor<8x4096xf32>, tensor<4096x4096xf32>) -> tensor<8x4096xf32>
            return %0 : tensor<8x4096xf32>
        }";
        let [time] = &times(text, "mxfp8_e4m3")[..] else { panic!("one product") };
        // A byte, and a scale of a byte for 32 of them.
        let weights = 4096.0 * 4096.0 * (1.0 + 1.0 / 32.0);
        assert!(
            (weights..1.1 * weights).contains(&time.memory_bytes),
            "{} {time:?}",
            time.memory_bytes / weights
        );
    }

    #[test]
    fn open_size_and_missing_function_are_refused() {
        let text = "func.func @main(%a: tensor<?x4xf32>) -> tensor<?x4xf32> { return %a : tensor<?x4xf32> }";
        let error = Estimate::new(&program(text), core(&[])).err().unwrap().to_string();
        assert!(
            error.contains("a parameter of @main has the type tensor<?x4xf32>, whose sizes only a run tells"),
            "{error}"
        );
        let text = "func.func @other(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }";
        let error = Estimate::new(&program(text), core(&[])).err().unwrap().to_string();
        assert_eq!(error, "there is no function '@main': the program has @other");
        let error = Estimate::new(&program("module {\n}"), core(&[])).err().unwrap().to_string();
        assert_eq!(error, "there is no function '@main': the program has no functions");
    }
}
