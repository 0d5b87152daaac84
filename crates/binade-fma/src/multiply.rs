//! Dot products and matrix products under an operator.

use std::cell::OnceCell;
use std::fmt;

use binade::catalog::{BF16, F32};
use binade::operator::Variant;
use binade::{Operator, Subnormals, SumDraws};
use binade_simd::Environment;
use binade_simd::Isa;
use thiserror::Error;

use crate::gemm::levels::ExactProduct;
use crate::gemm::offsets::{OffsetProduct, Offsets};
use crate::gemm::skinny::Skinny;
use crate::gemm::source::{Interleaved, MagnitudeRange, Scan, Source, Strided};
use crate::gemm::{self, Data, Inputs, Product, Target};
use crate::matrix::{Matrix, MatrixMut, ShapeError, fits, same};
use crate::order::Order;
use crate::reference;
use crate::units::{UnitKernel, UnitProduct};

/// The bit of the sign.
const SIGN: u32 = 1 << 31;

/// Dot products, matrix products and convolutions ([`crate::Convolution`]) under an operator, in an order of
/// accumulation.
///
/// Results equal [`crate::reference`] bit for bit on every instruction set, for any number of threads and in any
/// floating-point environment; a NaN equals any NaN. The order `any` is the exception and promises no bits.
///
/// ```
/// use binade_fma::{Matrix, MatrixMut, Multiplier, Order};
///
/// let multiplier = Multiplier::new("bf16:bf16".parse()?, Order::Sequential)?;
/// let (a, b, mut c) = ([1.0, 2.0, 3.0, 4.0], [0.5, 0.25], [0.0, 100.3]);
/// let (a, b) = (Matrix::new(&a, 2, 2)?, Matrix::new(&b, 2, 1)?);
/// multiplier.multiply(a, b, MatrixMut::new(&mut c, 2, 1)?)?;
/// assert_eq!(c, [1.0, 103.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Multiplier {
    operator: Operator,
    order: Order,
    isa: Isa,
    threads: usize,
    draws: SumDraws,
}

/// An operator and an order that cannot be combined.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MultiplierError {
    /// The order `any` with an operator other than binary32's.
    #[error(
        "the order 'any' is a native library's and computes in binary32: it goes with f32:f32, not with {operator}"
    )]
    Any {
        /// The operator.
        operator: String,
    },
    /// A product of blocks in an order that has no meaning for it.
    #[error(
        "products of blocks under {operator} have no order '{order}': exact sums are rounded to one format, that of a pair \
         INPUTS:ACCUMULATOR, and 'any' is for a native library's products"
    )]
    Blocks {
        /// The operator.
        operator: String,
        /// The order.
        order: Order,
    },
    /// A product of blocks with a rounding mode of its accumulator.
    #[error(
        "products of blocks round their accumulator to nearest even, not as {operator} does: leave /rounding out, or name the format of \
         the elements for products of single numbers"
    )]
    BlockRounding {
        /// The operator on elements.
        operator: String,
    },
    /// A unit's scaled step with options of unscaled ones.
    #[error(
        "{operator} in {blocks}: the unit's scaled step takes neither /promote nor /split: leave them out, or name the format of the \
         elements for unscaled products"
    )]
    Scaled {
        /// The operator on elements.
        operator: String,
        /// The block formats.
        blocks: String,
    },
    /// A matrix unit in an order that is not its own.
    #[error(
        "{operator} adds products in the unit's own order, so that '{order}' has no meaning for it: leave the order out; \
         /promote=N and /split=K say how a kernel uses the unit"
    )]
    Unit {
        /// The operator.
        operator: String,
        /// The order.
        order: Order,
    },
    /// Products that binary64 cannot represent.
    #[error(
        "the order '{order}' needs exact products: the inputs of {operator} must have numbers from 2^-400 to 2^400 only"
    )]
    Range {
        /// The operator.
        operator: String,
        /// The order.
        order: Order,
    },
}

/// The notice to a user that the scalar definition computes an operator in an order, which is slow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlowNotice {
    operator: String,
    order: Order,
}

impl fmt::Display for SlowNotice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.operator)?;
        if self.order != Order::Sequential {
            write!(f, " in the order {}", self.order)?;
        }
        f.write_str(
            " has no vector code here: its scalar definition computes each multiply-add, some thousand times slower than \
             bf16:bf16",
        )
    }
}

impl Multiplier {
    /// Uses the best instruction set of this machine and one thread.
    ///
    /// # Errors
    /// If the operator is not defined in that order.
    pub fn new(operator: Operator, order: Order) -> Result<Multiplier, MultiplierError> {
        let pair = operator.formats();
        if operator.as_unit().is_some() && order != Order::Sequential {
            return Err(MultiplierError::Unit { operator: operator.to_string(), order });
        }
        if order == Order::Any && operator.as_pair() != Some((F32, F32)) {
            return Err(MultiplierError::Any { operator: operator.to_string() });
        }
        if let (Some((inputs, _)), Order::Exact | Order::Aligned { .. }) = (pair, order) {
            // Wider formats represent every binary32 number exactly.
            let holds_binary32 = inputs.precision() >= 24 && inputs.emin() <= -126 && inputs.emax() >= 127;
            let narrow = inputs.emin() - inputs.precision() as i32 >= -400 && inputs.emax() <= 400;
            if !holds_binary32 && !narrow {
                return Err(MultiplierError::Range { operator: operator.to_string(), order });
            }
        }
        let draws = SumDraws::new(0);
        Ok(Multiplier { operator, order, isa: Isa::detect(), threads: 1, draws })
    }

    /// Uses this instruction set.
    pub fn with_isa(self, isa: Isa) -> Multiplier {
        Multiplier { isa, ..self }
    }

    /// Uses this number of threads (0 counts as 1).
    pub fn with_threads(self, threads: usize) -> Multiplier {
        Multiplier { threads, ..self }
    }

    /// Takes the random words of the results' elements from these, by default those under key 0. Operators that are not
    /// stochastic take none. A multiplier gives the same words to each product: `draws` has another key for each operation.
    pub fn with_draws(self, draws: SumDraws) -> Multiplier {
        Multiplier { draws, ..self }
    }

    /// The random words of the results' elements.
    pub fn draws(&self) -> SumDraws {
        self.draws
    }

    /// True if vector code computes this operator in this order on this instruction set. Otherwise the scalar
    /// definition does, at some million multiply-adds a second on each thread; [`SlowNotice`] tells the user.
    pub fn is_fast(&self) -> bool {
        match self.operator.as_unit() {
            Some(unit) => UnitKernel::exists(unit, self.isa),
            None => gemm::has_kernel(&self.operator, self.order, self.isa),
        }
    }

    /// The notice for a user; `None` if [`Multiplier::is_fast`].
    pub fn slow(&self) -> Option<SlowNotice> {
        (!self.is_fast()).then(|| SlowNotice { operator: self.operator.to_string(), order: self.order })
    }

    /// The operator.
    pub fn operator(&self) -> &Operator {
        &self.operator
    }

    /// The order.
    pub fn order(&self) -> Order {
        self.order
    }

    /// Threads, at least 1.
    pub fn threads(&self) -> usize {
        self.threads.max(1)
    }

    /// c + Σ aᵢ · bᵢ.
    ///
    /// # Errors
    /// If the vectors differ in length.
    pub fn dot(&self, a: &[f32], b: &[f32], c: f32) -> Result<f32, ShapeError> {
        same("the length of b", b.len(), a.len())?;
        let mut sum = [c];
        self.multiply(
            Matrix::new(a, 1, a.len())?,
            Matrix::new(b, b.len(), 1)?,
            MatrixMut::new(&mut sum, 1, 1)?,
        )?;
        Ok(sum[0])
    }

    /// C ← C + A · B.
    ///
    /// # Errors
    /// If the shapes do not fit.
    pub fn multiply(&self, a: Matrix, b: Matrix, c: MatrixMut) -> Result<(), ShapeError> {
        self.multiply_from(false, a, b, c)
    }

    /// C ← A · B: [`Multiplier::multiply`] from C = +0. C is not read.
    ///
    /// # Errors
    /// If the shapes do not fit.
    pub fn product(&self, a: Matrix, b: Matrix, c: MatrixMut) -> Result<(), ShapeError> {
        self.multiply_from(true, a, b, c)
    }

    /// Starts from +0 if `from_zero`, otherwise from C.
    fn multiply_from(
        &self,
        from_zero: bool,
        a: Matrix,
        b: Matrix,
        mut c: MatrixMut,
    ) -> Result<(), ShapeError> {
        fits(&a, &b, &c)?;
        let (rows, columns, depth) = (a.rows(), b.columns(), a.columns());
        if from_zero && (depth == 0 || self.order == Order::Any) {
            clear(&mut c);
        }
        if self.order == Order::Any {
            self.native(a, b, c);
            return Ok(());
        }
        let left = Strided {
            data: a.data(),
            vectors: rows,
            depth,
            vector_stride: a.row_stride(),
            depth_stride: a.column_stride(),
        };
        let right = Strided {
            data: b.data(),
            vectors: columns,
            depth,
            vector_stride: b.column_stride(),
            depth_stride: b.row_stride(),
        };
        let target = Target {
            row_stride: c.row_stride(),
            column_stride: c.column_stride(),
            start: c.data().as_mut_ptr(),
        };
        if self.is_native_fma()
            && rows * columns * depth > 0
            && let Some(skinny) = Skinny::new(self.isa, left, right, target, from_zero)
        {
            // SAFETY: `MatrixMut` checked that C's elements are distinct and within its slice, which is borrowed.
            unsafe { skinny.multiply(self.threads) };
            return Ok(());
        }
        // SAFETY: `MatrixMut` checked that C's elements are distinct and within its slice, which is borrowed.
        unsafe { self.run_from(from_zero, false, &left, &right, target, [rows, columns, depth]) };
        Ok(())
    }

    /// Cᵢ ← Cᵢ + Aᵢ · Bᵢ for each i.
    ///
    /// # Errors
    /// If the numbers of matrices differ, or shapes do not fit. Nothing is computed then.
    pub fn multiply_batch(&self, a: &[Matrix], b: &[Matrix], c: Vec<MatrixMut>) -> Result<(), ShapeError> {
        self.batch_from(false, a, b, c)
    }

    /// Cᵢ ← Aᵢ · Bᵢ for each i: see [`Multiplier::product`].
    ///
    /// # Errors
    /// As [`Multiplier::multiply_batch`].
    pub fn product_batch(&self, a: &[Matrix], b: &[Matrix], c: Vec<MatrixMut>) -> Result<(), ShapeError> {
        self.batch_from(true, a, b, c)
    }

    fn batch_from(
        &self,
        from_zero: bool,
        a: &[Matrix],
        b: &[Matrix],
        c: Vec<MatrixMut>,
    ) -> Result<(), ShapeError> {
        same("the number of matrices B", b.len(), a.len())?;
        same("the number of matrices C", c.len(), a.len())?;
        for ((a, b), c) in a.iter().zip(b).zip(&c) {
            fits(a, b, c)?;
        }
        let jobs: Vec<_> = a.iter().zip(b).zip(c).map(|((a, b), c)| (*a, *b, c)).enumerate().collect();
        // Small products are distributed among threads whole; large ones are each divided.
        let shared = jobs.len() < 2 * self.threads;
        let threads = if shared { 1 } else { self.threads.max(1) };
        let each = self.clone().with_threads(if shared { self.threads } else { 1 });
        let mut pieces: Vec<Vec<_>> = (0..threads).map(|_| vec![]).collect();
        for (number, job) in jobs {
            pieces[number % threads].push((number, job));
        }
        gemm::in_parallel(pieces, |jobs| {
            for (number, (a, b, c)) in jobs {
                let (row, column) = (number * a.rows(), number * b.columns());
                let each = each.clone().with_draws(self.draws.at(row as u64, column as u64, 0));
                // The shapes were compared above.
                let _ = each.multiply_from(from_zero, a, b, c);
            }
        });
        Ok(())
    }

    /// True if [`Multiplier::multiply_offsets`] is the fastest way for this number of columns. It is not if f32:f32 has
    /// no vector code for them.
    pub fn reads_offsets(&self, columns: usize) -> bool {
        match self.broadcasts_offsets() {
            true => OffsetProduct::fits(self.isa, columns),
            false => self.order != Order::Any,
        }
    }

    /// True if such products read A's elements one by one, so that it does not matter if elements of consecutive rows
    /// are contiguous.
    pub fn broadcasts_offsets(&self) -> bool {
        self.is_native_fma()
    }

    /// True if a multiply-add of any of these first factors with +0 changes no accumulator except −0, which becomes +0.
    /// This assumes accumulators that started from +0. Such steps may be left out if no sum is −0.
    pub fn passes_zeros(&self, factors: &[f32]) -> bool {
        let keeps = match (self.operator.as_compound(), self.operator.as_pair()) {
            // If the sum is not split again, the next step splits it. Numbers that flushing reads as zero stay zero.
            (Some(compound), _) => compound.variant != Variant::Listing,
            (_, Some((inputs, accumulator))) => {
                [inputs, accumulator].iter().all(|format| format.subnormals() != Subnormals::None)
            }
            _ => false,
        };
        if !keeps || self.order != Order::Sequential {
            return false;
        }
        // Rounding to the inputs' format is monotone.
        let most = factors.iter().fold(0, |most, factor| most.max(factor.to_bits() & !SIGN));
        let finite = |factor: u32| self.operator.multiply_add(f32::from_bits(factor), 0.0, 0.0) == 0.0;
        finite(most) && finite(most | SIGN)
    }

    /// C ← C + A · B, with A's elements at offsets, and B and C dense. B has a row of `columns` elements for each
    /// depth, C one for each row of A. Elements of B are the operator's first factors, as weights are in
    /// [`crate::Convolution`].
    ///
    /// # Errors
    /// If an offset is beyond the data, or B or C has another size. Nothing is computed then.
    pub fn multiply_offsets(
        &self,
        a: Offsets,
        b: &[f32],
        columns: usize,
        c: &mut [f32],
    ) -> Result<(), ShapeError> {
        self.offsets_from(false, a, b, columns, c)
    }

    /// C ← A · B: [`Multiplier::multiply_offsets`] from C = +0. C is not read.
    ///
    /// # Errors
    /// As [`Multiplier::multiply_offsets`].
    pub fn product_offsets(
        &self,
        a: Offsets,
        b: &[f32],
        columns: usize,
        c: &mut [f32],
    ) -> Result<(), ShapeError> {
        self.offsets_from(true, a, b, columns, c)
    }

    fn offsets_from(
        &self,
        from_zero: bool,
        a: Offsets,
        b: &[f32],
        columns: usize,
        c: &mut [f32],
    ) -> Result<(), ShapeError> {
        let (rows, depth) = (a.rows.len(), a.depths.len());
        let size = |what: &str, rows: usize| {
            rows.checked_mul(columns).ok_or_else(|| ShapeError::Size { what: what.to_owned() })
        };
        same("the length of B", b.len(), size("B", depth)?)?;
        same("the length of C", c.len(), size("C", rows)?)?;
        if a.reach() > a.data.len() {
            let (needed, given) = (a.reach(), a.data.len());
            return Err(ShapeError::Length { what: "A at offsets".to_owned(), needed, given });
        }
        if from_zero && (self.is_native_fma() || depth == 0) {
            c.fill(0.0);
        }
        if rows == 0 || columns == 0 || depth == 0 {
            return Ok(());
        }
        if self.is_native_fma()
            && let Some(direct) = OffsetProduct::new(self.isa, a, b, columns, c.as_mut_ptr())
        {
            // SAFETY: C was checked to have all elements of the product, and is borrowed.
            unsafe { direct.multiply(self.threads) };
            return Ok(());
        }
        // Cᵀ ← Cᵀ + Bᵀ · Aᵀ.
        let (mut buffer, mut buffer_of_b) = (vec![], vec![]);
        let (data, b) = (self.rounded(a.data, &mut buffer), self.rounded(b, &mut buffer_of_b));
        let left = Strided { data: b, vectors: columns, depth, vector_stride: 1, depth_stride: columns };
        let target = Target { start: c.as_mut_ptr(), row_stride: 1, column_stride: columns };
        let transposed = self.clone().with_draws(self.draws.transposed());
        // SAFETY: C was checked to have all elements of the product, and is borrowed.
        unsafe {
            transposed.run_from(
                from_zero,
                true,
                &left,
                &Offsets { data, ..a },
                target,
                [columns, rows, depth],
            )
        };
        Ok(())
    }

    /// True if sums are plain binary32 FMAs in order.
    fn is_native_fma(&self) -> bool {
        self.operator.as_pair() == Some((F32, F32)) && self.order == Order::Sequential
    }

    /// Elements of A or B rounded as the operator rounds them, for products in which [`Multiplier::run`] would round
    /// each several times. In `buffer`, if any element changes.
    pub(crate) fn rounded<'a>(&self, elements: &'a [f32], buffer: &'a mut Vec<f32>) -> &'a [f32] {
        let _environment = Environment::enter();
        match self.inputs() {
            Some(inputs) => inputs.rounded(elements, buffer, self.threads),
            None => elements,
        }
    }

    /// True if [`Multiplier::rounded`] changes any number.
    pub(crate) fn rounds(&self) -> bool {
        self.inputs().is_some_and(|inputs| inputs.is_format())
    }

    /// The inputs, as a format to round to; `None` if they have several parts.
    fn inputs(&self) -> Option<Inputs> {
        match (self.operator.as_compound(), self.operator.formats()) {
            (Some(compound), _) if compound.inputs > 1 || compound.flush => None,
            (Some(_), _) | (_, Some((BF16, _))) => gemm::rounding_to(BF16, self.isa),
            (_, Some((format, _))) => gemm::inputs_of(format, self.isa),
            _ => None,
        }
    }

    /// As [`Multiplier::multiply`], for any source of elements. `rounded` if all elements went through
    /// [`Multiplier::rounded`].
    ///
    /// # Safety
    /// C's elements of these rows and columns are at distinct addresses that nothing else uses.
    pub(crate) unsafe fn run(
        &self,
        rounded: bool,
        a: &dyn Source,
        b: &dyn Source,
        c: Target,
        sizes: [usize; 3],
    ) {
        // SAFETY: the caller guarantees exclusive access to C's elements.
        unsafe { self.run_from(false, rounded, a, b, c, sizes) }
    }

    /// [`Multiplier::run`], from +0 if `from_zero`, otherwise from C.
    ///
    /// # Safety
    /// As [`Multiplier::run`].
    unsafe fn run_from(
        &self,
        from_zero: bool,
        rounded: bool,
        a: &dyn Source,
        b: &dyn Source,
        c: Target,
        [rows, columns, depth]: [usize; 3],
    ) {
        if rows == 0 || columns == 0 || depth == 0 {
            return;
        }
        let clear = || {
            for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
                // SAFETY: the caller guarantees exclusive access to C's elements.
                unsafe { c.at(row, column).write(0.0) };
            }
        };
        if let Order::Lanes { lanes } = self.order
            && !self.operator.is_stochastic()
        {
            if from_zero {
                clear();
            }
            // SAFETY: the caller guarantees exclusive access to C's elements.
            return unsafe { self.interleaved(lanes, rounded, a, b, c, [rows, columns, depth]) };
        }
        let _environment = Environment::enter();
        let order = if self.order == Order::Any { Order::Sequential } else { self.order };
        let left_to_do = |inputs: Inputs| if rounded { inputs.after_rounding() } else { inputs };
        let (scan, scanned) = (Scan { isa: self.isa, threads: self.threads }, OnceCell::new());
        let magnitudes = || {
            let of_c = match from_zero {
                true => MagnitudeRange::EMPTY.with(&[0.0]),
                // SAFETY: the caller guarantees exclusive access to C's elements.
                false => unsafe { c.magnitudes(scan, rows, columns) },
            };
            [a.magnitudes(scan), b.magnitudes(scan), of_c]
        };
        let data = Data { magnitudes: &|| *scanned.get_or_init(magnitudes), depth };
        if let Some(unit) = self.operator.as_unit()
            && let Some(kernel) = &UnitKernel::select(unit, self.isa, &data)
        {
            let product =
                UnitProduct { unit, kernel, isa: self.isa, a, b, c, rows, columns, depth, from_zero };
            // SAFETY: the caller guarantees exclusive access to C's elements.
            return unsafe { product.multiply(self.threads) };
        }
        if let Some(selection) = gemm::select(&self.operator, order, self.isa, &data) {
            let product = Product {
                isa: self.isa,
                kernel: &*selection.kernel,
                inputs: &left_to_do(selection.inputs),
                order,
                a,
                b,
                c,
                rows,
                columns,
                depth,
                from_zero,
                draws: self.draws,
            };
            // SAFETY: the caller guarantees exclusive access to C's elements.
            return unsafe { product.multiply(self.threads) };
        }
        if from_zero {
            clear();
        }
        if let (Order::Exact, Some((inputs, levels))) =
            (order, gemm::select_exact(&self.operator, self.isa, &data))
        {
            let round = &*gemm::exact_rounding(&self.operator);
            let (inputs, isa) = (&left_to_do(inputs), self.isa);
            let product = ExactProduct { levels, inputs, isa, a, b, c, rows, columns, depth, round };
            // SAFETY: the caller guarantees exclusive access to C's elements.
            return unsafe { product.multiply(self.threads) };
        }
        // The scalar definition, element by element.
        gemm::in_parallel(gemm::parts((rows, columns), (1, 1), self.threads), |(rows, columns)| {
            let (mut left, mut right) = (vec![0.0; depth], vec![0.0; depth]);
            for column in columns {
                b.block(column..column + 1, 0..depth, 1, &mut right);
                for row in rows.clone() {
                    a.block(row..row + 1, 0..depth, 1, &mut left);
                    // SAFETY: the caller guarantees exclusive access to C's elements, and the parts are disjoint.
                    unsafe {
                        let place = c.at(row, column);
                        let draws = self.draws.at(row as u64, column as u64, 0);
                        let sum =
                            reference::dot_drawn(&self.operator, order, &draws, &left, &right, place.read());
                        place.write(sum);
                    }
                }
            }
        });
    }

    /// The order `lanes`. It is `blocked` if the products of a lane are made consecutive: first the lanes with one
    /// product more than the others, then the others.
    ///
    /// # Safety
    /// C's elements of these rows and columns are at distinct addresses that nothing else uses.
    unsafe fn interleaved(
        &self,
        lanes: usize,
        rounded: bool,
        a: &dyn Source,
        b: &dyn Source,
        c: Target,
        [rows, columns, depth]: [usize; 3],
    ) {
        let lanes = lanes.min(depth);
        let (least, longer) = (depth / lanes, depth % lanes);
        for (first, count, length) in [(0, longer, least + 1), (longer, lanes - longer, least)] {
            let [a, b] = [a, b].map(|source| Interleaved { source, lanes, first, length });
            let blocked = Multiplier { order: Order::Blocked { block: length }, ..self.clone() };
            // SAFETY: the caller guarantees exclusive access to C's elements.
            unsafe { blocked.run(rounded, &a, &b, c, [rows, columns, count * length]) };
        }
    }

    /// C ← C + A · B by a native library.
    fn native(&self, a: Matrix, b: Matrix, mut c: MatrixMut) {
        let (rows, columns, depth) = (a.rows(), b.columns(), a.columns());
        if rows == 0 || columns == 0 || depth == 0 {
            return;
        }
        let (row_stride, column_stride) = (c.row_stride(), c.column_stride());
        let target = Target { start: c.data().as_mut_ptr(), row_stride, column_stride };
        gemm::in_parallel(gemm::parts((rows, columns), (8, 32), self.threads), |(rows, columns)| {
            // SAFETY: the matrices' elements are within their slices, C's have distinct addresses, and the parts are
            // disjoint. Strides of matrices in memory fit an isize unless they are never used.
            unsafe {
                matrixmultiply::sgemm(
                    rows.len(),
                    depth,
                    columns.len(),
                    1.0,
                    a.data().as_ptr().add(rows.start * a.row_stride()),
                    a.row_stride() as isize,
                    a.column_stride() as isize,
                    b.data().as_ptr().add(columns.start * b.column_stride()),
                    b.row_stride() as isize,
                    b.column_stride() as isize,
                    1.0,
                    target.at(rows.start, columns.start),
                    row_stride as isize,
                    column_stride as isize,
                );
            }
        });
    }
}

/// Sets all elements to +0.
fn clear(c: &mut MatrixMut) {
    for row in 0..c.rows() {
        (0..c.columns()).for_each(|column| c.set(row, column, 0.0));
    }
}
