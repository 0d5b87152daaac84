//! Products of matrices in blocks by a unit's scaled steps: Blackwell's of MX and NVFP4.
//!
//! [`Scaled::dot`] is the definition. Elements and scales are packed in binary64, where every term is exact.

use std::ops::Range;

use binade::catalog::F32;
use binade::unit::{Codes, Scaled, ScaledCodes};
use binade::{Format, Projection, decode, project};
use binade_simd::Isa;

use super::steps::{COLUMNS, Method, ROWS, Tile, aligning_power};
use super::{BLOCK_COLUMNS, Panel};
use crate::block_product::BlockMatrix;
use crate::gemm::{in_parallel, parts};

/// The product C ← A · B of matrices in blocks on a unit that applies their scales itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScaledProduct {
    pub(crate) scaled: &'static Scaled,
    /// The formats of A's and B's elements.
    pub(crate) elements: [Format; 2],
    /// The format of scales.
    pub(crate) scale: Format,
}

/// A row of A or a column of B.
#[derive(Clone, Copy)]
struct Side<'a> {
    matrix: &'a BlockMatrix<'a>,
    /// A vector is a column.
    by_columns: bool,
}

impl Side<'_> {
    /// Row and column of an element.
    fn place(&self, vector: usize, depth: usize) -> (usize, usize) {
        if self.by_columns { (depth, vector) } else { (vector, depth) }
    }

    fn element(&self, vector: usize, depth: usize) -> f32 {
        let (row, column) = self.place(vector, depth);
        self.matrix.elements().at(row, column)
    }

    fn scale(&self, vector: usize, depth: usize) -> f32 {
        let (row, column) = self.place(vector, depth);
        self.matrix.scale(row, column)
    }
}

impl ScaledProduct {
    /// C ← A · B, without the scales over whole tensors. `c` has the product's rows one after the other.
    pub(crate) fn multiply(&self, isa: Isa, threads: usize, a: &BlockMatrix, b: &BlockMatrix, c: &mut [f32]) {
        let columns = b.elements().columns();
        if c.is_empty() {
            return;
        }
        let rows = c.len() / columns;
        let (a, b) = (Side { matrix: a, by_columns: false }, Side { matrix: b, by_columns: true });
        let pieces: Vec<Range<usize>> =
            parts((rows, 1), (ROWS, COLUMNS), threads).into_iter().map(|(rows, _)| rows).collect();
        let mut rest = c;
        let mut work = vec![];
        for rows in pieces {
            let (own, others) = rest.split_at_mut(rows.len() * columns);
            work.push((rows, own));
            rest = others;
        }
        in_parallel(work, |(rows, c)| self.rows(isa, a, b, rows, c));
    }

    fn rows(&self, isa: Isa, a: Side, b: Side, rows: Range<usize>, c: &mut [f32]) {
        let (depth, columns) = (a.matrix.elements().columns(), b.matrix.elements().columns());
        let emin = self.elements.map(|format| format.emin());
        let Some(method) = Method::scaled(self.scaled.step, emin) else {
            for row in rows.clone() {
                for column in 0..columns {
                    c[(row - rows.start) * columns + column] = self.by_definition(a, b, row, column, depth);
                }
            }
            return;
        };
        for left in (0..columns).step_by(BLOCK_COLUMNS) {
            let of_b: Vec<_> = (left..columns.min(left + BLOCK_COLUMNS))
                .step_by(COLUMNS)
                .map(|start| self.pack(b, 1, start..columns.min(start + COLUMNS), COLUMNS, depth))
                .collect();
            for top in rows.clone().step_by(ROWS) {
                let own = top..rows.end.min(top + ROWS);
                let (of_a, special_rows) = self.pack(a, 0, own.clone(), ROWS, depth);
                for (panel, (of_b, special_columns)) in of_b.iter().enumerate() {
                    let mut tile: Tile = [[0.0; COLUMNS]; ROWS];
                    let mut escaped = [[false; COLUMNS]; ROWS];
                    let [x, y] = [&of_a, of_b].map(|wide| Panel {
                        depth: depth.next_multiple_of(self.scaled.group),
                        group: self.scaled.group,
                        narrow: &[],
                        wide,
                    });
                    method.run(isa, x, y, &mut tile, &mut escaped);
                    let start = left + panel * COLUMNS;
                    for row in own.clone() {
                        for column in start..columns.min(start + COLUMNS) {
                            let (i, j) = (row - top, column - start);
                            let is_special = special_rows[i] || special_columns[j] || escaped[i][j];
                            c[(row - rows.start) * columns + column] = match is_special {
                                true => self.by_definition(a, b, row, column, depth),
                                false => tile[i][j],
                            };
                        }
                    }
                }
            }
        }
    }

    /// A panel of vectors, and which of them have an infinity or a NaN.
    fn pack(
        &self,
        side: Side,
        operand: usize,
        vectors: Range<usize>,
        width: usize,
        depth: usize,
    ) -> (Vec<f64>, Vec<bool>) {
        let group = self.scaled.group;
        let mut special = vec![false; width];
        let alone = group == 1;
        let rows_of_group = if alone { 2 } else { group + 2 };
        let mut out = vec![0.0; depth.div_ceil(group) * rows_of_group * width];
        for (lane, vector) in vectors.enumerate() {
            for at in 0..depth {
                let (x, scale) = (side.element(vector, at), side.scale(vector, at));
                if !x.is_finite() || !scale.is_finite() {
                    special[lane] = true;
                    continue;
                }
                let start = at / group * rows_of_group;
                let power = aligning_power(scale.into(), self.scale.emin());
                if alone {
                    out[start * width + lane] = f64::from(x) * f64::from(scale);
                    out[(start + 1) * width + lane] =
                        aligning_power(x.into(), self.elements[operand].emin()) * power;
                    continue;
                }
                out[(start + at % group) * width + lane] = f64::from(x);
                if at % group == 0 && power > 0.0 {
                    out[(start + group) * width + lane] = f64::from(scale) / power;
                    out[(start + group + 1) * width + lane] = power;
                }
            }
        }
        (out, special)
    }

    fn by_definition(&self, a: Side, b: Side, row: usize, column: usize, depth: usize) -> f32 {
        let code = |format: Format, x: f32| {
            project(format, decode(F32, x.to_bits().into()), Projection::default()).code
        };
        let codes = |side: Side, operand: usize, vector: usize| -> (Vec<u64>, Vec<u64>, usize) {
            let block = if side.by_columns { side.matrix.shape().0 } else { side.matrix.shape().1 };
            let elements = (0..depth).map(|at| code(self.elements[operand], side.element(vector, at)));
            let scales = (0..depth).step_by(block).map(|at| code(self.scale, side.scale(vector, at)));
            (elements.collect(), scales.collect(), block)
        };
        let operands = [codes(a, 0, row), codes(b, 1, column)];
        let [left, right] = [0, 1].map(|operand: usize| {
            let (elements, scales, block) = &operands[operand];
            ScaledCodes {
                elements: Codes { format: self.elements[operand], codes: elements },
                scales: Codes { format: self.scale, codes: scales },
                block: *block,
            }
        });
        let sum = self.scaled.dot(left, right, 0);
        f32::from_bits(sum as u32)
    }
}

#[cfg(test)]
mod tests {
    use binade::philox::Stream;
    use binade::unit::Unit;
    use binade::{Spec, Value};

    use super::*;
    use crate::Matrix;

    fn format(name: &str) -> Format {
        name.parse::<Spec>().unwrap().format
    }

    fn number(format: Format, code: u64) -> f32 {
        f32::from_bits(project(F32, decode(format, code), Projection::default()).code as u32)
    }

    /// Products of random codes are those of the definition, on every leg and for any number of threads.
    #[test]
    fn scaled_products_equal_the_definition() {
        let mut random = Stream::new(5);
        for (elements, scale, block) in [
            (["float4_e2m1fn"; 2], "float8_e4m3fn", 16),
            (["float4_e2m1fn"; 2], "float8_e8m0fnu", 32),
            (["float8_e4m3fn", "float8_e5m2"], "float8_e8m0fnu", 32),
            (["float6_e2m3fn", "float4_e2m1fn"], "float8_e8m0fnu", 32),
        ] {
            let scaled = Unit::named("b200").unwrap().scaled(elements, scale).unwrap();
            let product = ScaledProduct { scaled, elements: elements.map(format), scale: format(scale) };
            for (case, depth) in (0..6).zip([64usize, 200, 16, 128, 77, 320]) {
                let (rows, columns) = (5, 19);
                // Scales near one another, of all sizes, and with NaN.
                let spread = [2, 3, 60, 250][case % 4];
                let mut draw = |of: Format, count: usize, spread: Option<usize>| -> Vec<f32> {
                    let code = |random: &mut Stream| match spread {
                        Some(spread) => (120 + random.below(spread)).saturating_sub(spread / 2) as u64 & 0x7f,
                        None => random.below(1 << of.width()) as u64,
                    };
                    (0..count)
                        .map(|_| match decode(of, code(&mut random)) {
                            Value::Finite(_) => number(of, code(&mut random)),
                            _ if case == 3 => f32::NAN,
                            _ => 1.0,
                        })
                        .map(|x| if x.is_finite() || case == 3 { x } else { 1.0 })
                        .collect()
                };
                let blocks = depth.div_ceil(block);
                let a = draw(product.elements[0], rows * depth, None);
                let b = draw(product.elements[1], depth * columns, None);
                let of_a = draw(product.scale, rows * blocks, Some(spread));
                let of_b = draw(product.scale, blocks * columns, Some(spread));
                let matrix = |data, rows, columns| Matrix::new(data, rows, columns).unwrap();
                let left =
                    BlockMatrix::new(matrix(&a, rows, depth), matrix(&of_a, rows, blocks), (1, block), 1.0);
                let right = BlockMatrix::new(
                    matrix(&b, depth, columns),
                    matrix(&of_b, blocks, columns),
                    (block, 1),
                    1.0,
                );
                let (left, right) = (left.unwrap(), right.unwrap());
                for (isa, threads) in Isa::available().zip((1..=3).cycle()) {
                    let mut c = vec![0.0; rows * columns];
                    product.multiply(isa, threads, &left, &right, &mut c);
                    let sides = [
                        Side { matrix: &left, by_columns: false },
                        Side { matrix: &right, by_columns: true },
                    ];
                    for (at, found) in c.iter().enumerate() {
                        let expected =
                            product.by_definition(sides[0], sides[1], at / columns, at % columns, depth);
                        assert!(
                            found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan(),
                            "{elements:?} {scale} depth {depth} {isa:?} element {at}: {found:e}, defined as {expected:e}"
                        );
                    }
                }
            }
        }
    }
}
