//! Multiplies a matrix of compressed sparse rows by a dense one, for JAX's `sparse_dot` calls.
//!
//! Elements of a row are added in the order in which they are stored. For binary32, binary64, complex numbers and
//! integers, every product and every sum is rounded (integers: modulo 2^width), from +0 on. For other types, and under
//! an operator, a row is a dense product of its elements with the matching rows of the right side, by [`dot_general`].
//! One thread computes a row.

use std::ops::Range;
use std::sync::Arc;

use binade_simd::{Environment, threads};
use binade_stablehlo::ir::DotDimensions;
use binade_stablehlo::storage::Stored;
use binade_stablehlo::{Data, ElementType, Tensor};

use super::dot_general;
use super::products::{Arithmetic, WORTHWHILE};
use crate::arithmetic::elementwise_blocks::multiply_c64;
use crate::buffer_pool;
use crate::error::EvalError;
use crate::movement::shape::{concatenate, integers, reshape, slice, torch_index_select};

/// The number of rows that a thread takes at once.
const TOGETHER: usize = 16;

/// The positions of a sparse matrix's elements.
struct Rows {
    /// The first element of each row, and the end of the last row.
    starts: Vec<usize>,
    columns: Vec<usize>,
    /// The number of columns of the right side.
    width: usize,
}

impl Rows {
    /// Checks that starts ascend and end within the elements, and that columns are below `depth`.
    fn new(starts: &Tensor, columns: &Tensor, depth: usize, width: usize) -> Result<Rows, EvalError> {
        let wrong = |facts: String| EvalError::shape("sparse_dot", facts);
        let whole = |numbers: Vec<i64>| -> Vec<usize> {
            numbers.into_iter().map(|number| usize::try_from(number).unwrap_or(usize::MAX)).collect()
        };
        let (starts, columns) = (whole(integers(starts)), whole(integers(columns)));
        if starts.is_empty() || !starts.is_sorted() || starts[starts.len() - 1] > columns.len() {
            return Err(wrong(format!(
                "row starts must ascend and end within the {} elements",
                columns.len()
            )));
        }
        let rows = Rows { starts, columns, width };
        for row in 0..rows.count() {
            if let Some(column) = rows.columns[rows.row(row)].iter().find(|&&column| column >= depth) {
                return Err(wrong(format!(
                    "row {row} has an element in column {column}, the matrix has {depth} columns"
                )));
            }
        }
        Ok(rows)
    }

    fn count(&self) -> usize {
        self.starts.len() - 1
    }

    fn row(&self, row: usize) -> Range<usize> {
        self.starts[row]..self.starts[row + 1]
    }

    /// Computes all rows with this multiply-add.
    fn each<T: Stored>(&self, a: &[T], b: &[T], step: impl Fn(T, T, T) -> T + Sync) -> Vec<T> {
        let width = self.width;
        let mut all = buffer_pool::zeros(self.count() * width);
        if all.is_empty() {
            return all;
        }
        let shared = a.len().saturating_mul(width) >= WORTHWHILE;
        threads::chunks(shared, &mut all, TOGETHER * width, |piece, sums| {
            let _environment = Environment::enter();
            for (row, sums) in (piece * TOGETHER..).zip(sums.chunks_exact_mut(width)) {
                for at in self.row(row) {
                    let (a, b) = (a[at], &b[self.columns[at] * width..][..width]);
                    sums.iter_mut().zip(b).for_each(|(sum, &b)| *sum = step(*sum, a, b));
                }
            }
        });
        all
    }
}

/// Multiplies a sparse matrix by a vector or a dense matrix. The sparse matrix has its elements, the start of each row
/// among them, and their columns.
///
/// # Errors
/// If an element is in a row or column that is out of range.
pub(crate) fn sparse_dot(
    values: &Tensor,
    starts: &Tensor,
    columns: &Tensor,
    rhs: &Tensor,
    result: &ElementType,
    arithmetic: Arithmetic,
) -> Result<Tensor, EvalError> {
    let (depth, width) = (rhs.shape[0], rhs.shape[1..].iter().product());
    let rows = Rows::new(starts, columns, depth, width)?;
    if values.data.len() < rows.columns.len() {
        let facts =
            format!("{} columns for {} elements: each needs one", rows.columns.len(), values.data.len());
        return Err(EvalError::shape("sparse_dot", facts));
    }
    let shape = [&[rows.count()], &rhs.shape[1..]].concat();
    let operator = arithmetic.multiplier.is_some();
    let data = match (&*values.data, &*rhs.data) {
        (Data::F32(a), Data::F32(b)) if !operator && values.element == *result => {
            Data::F32(rows.each(a, b, |c, a, b| c + a * b))
        }
        (Data::F64(a), Data::F64(b)) if !operator && values.element == *result => {
            Data::F64(rows.each(a, b, |c, a, b| c + a * b))
        }
        (Data::I32(a), Data::I32(b)) if values.element == *result => {
            Data::I32(rows.each(a, b, |c: i32, a: i32, b| c.wrapping_add(a.wrapping_mul(b))))
        }
        (Data::I64(a), Data::I64(b)) if values.element == *result => {
            Data::I64(rows.each(a, b, |c: i64, a: i64, b| c.wrapping_add(a.wrapping_mul(b))))
        }
        (Data::C64(a), Data::C64(b)) if values.element == *result => Data::C64(rows.each(a, b, |c, a, b| {
            let product = multiply_c64(a, b);
            [c[0] + product[0], c[1] + product[1]]
        })),
        (Data::C128(a), Data::C128(b)) if values.element == *result => {
            Data::C128(rows.each(a, b, |c: [f64; 2], a: [f64; 2], b: [f64; 2]| {
                [c[0] + (a[0] * b[0] - a[1] * b[1]), c[1] + (a[0] * b[1] + a[1] * b[0])]
            }))
        }
        _ => return by_rows(values, &rows, rhs, result, arithmetic, shape),
    };
    Ok(Tensor { element: result.clone(), shape, data: Arc::new(data) })
}

/// Computes each row as a dense product.
fn by_rows(
    values: &Tensor,
    rows: &Rows,
    rhs: &Tensor,
    result: &ElementType,
    arithmetic: Arithmetic,
    shape: Vec<usize>,
) -> Result<Tensor, EvalError> {
    let rhs = reshape(rhs.clone(), &[rhs.shape[0], rows.width]);
    let dimensions =
        DotDimensions { lhs_contracting: vec![1], rhs_contracting: vec![0], ..DotDimensions::default() };
    let product = |row: usize| {
        let range = rows.row(row);
        let a = reshape(slice(values, &[range.start], &[1], &[range.len()]), &[1, range.len()]);
        let columns: Vec<i64> = rows.columns[range.clone()].iter().map(|&column| column as i64).collect();
        let b = torch_index_select(&rhs, &columns, &[columns.len()], 0, 0);
        dot_general(&a, &b, &dimensions, None, result, arithmetic)
    };
    let all = threads::try_map(rows.count(), product)?;
    if all.is_empty() {
        return Ok(Tensor::new(result.clone(), shape, Data::zeros(result, 0)));
    }
    Ok(reshape(concatenate(&all.iter().collect::<Vec<_>>(), 0), &shape))
}

#[cfg(test)]
mod tests {
    use binade_stablehlo::Value;
    use binade_stablehlo::ir::Program;

    use super::*;
    use crate::arithmetic::rules::Rules;
    use crate::evaluate::Evaluate;
    use crate::options::Options;
    use crate::testing::{f32s, floats, i32s, noise};

    /// Runs the custom call on these four tensors.
    fn product(tensors: [Tensor; 4], rule: Option<&str>, threads: usize) -> Result<Tensor, String> {
        let [values, starts, columns, rhs] = tensors;
        let (rows, elements) = (starts.shape[0] - 1, values.shape[0]);
        let (depth, width) = (rhs.shape[0], rhs.shape[1]);
        let types = format!(
            "tensor<{elements}xf32>, tensor<{}xi32>, tensor<{elements}xi32>, tensor<{depth}x{width}xf32>",
            rows + 1
        );
        let [v, s, c, r] = <[_; 4]>::try_from(types.split(", ").collect::<Vec<_>>()).unwrap();
        let text = format!(
            "func.func @main(%v: {v}, %s: {s}, %c: {c}, %r: {r}) -> tensor<{rows}x{width}xf32> {{\n\
             %0 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%v, %s, %c, %r) : ({types}) -> \
             tensor<{rows}x{width}xf32>\nreturn %0 : tensor<{rows}x{width}xf32>\n}}"
        );
        let rules = Rules::parse(rule.as_slice()).unwrap();
        let options = Options { rules, threads: Some(threads), ..Options::default() };
        let inputs = [values, starts, columns, rhs].map(Value::Tensor).into();
        let results = Program::parse(&text).unwrap().evaluate("main", inputs, options);
        match results.map_err(|error| error.to_string())?.remove(0) {
            Value::Tensor(tensor) => Ok(tensor),
            other => panic!("{other:?}"),
        }
    }

    /// A matrix of 211 rows with 0 to 36 elements, and a right side of 40 columns.
    fn many() -> [Tensor; 4] {
        let lengths = (0..211).map(|row| row * 7 % 37);
        let starts: Vec<i32> = std::iter::once(0)
            .chain(lengths.scan(0, |sum, length| {
                *sum += length;
                Some(*sum)
            }))
            .collect();
        let count = starts[starts.len() - 1];
        let columns: Vec<i32> = (0..count).map(|at| at * 31 % 97).collect();
        let length = count as usize;
        [
            f32s(&[length], noise(1, length)),
            i32s(&[starts.len()], starts),
            i32s(&[length], columns),
            f32s(&[97, 40], noise(2, 97 * 40)),
        ]
    }

    #[test]
    fn rows_are_sums_in_the_order_of_their_elements_on_any_threads() {
        let [values, starts, columns, rhs] = many();
        let found = product(many(), None, 1).unwrap();
        let mut expected = vec![0.0f32; 211 * 40];
        let (starts, columns) = (integers(&starts), integers(&columns));
        for row in 0..211 {
            for at in starts[row]..starts[row + 1] {
                let from = columns[at as usize] as usize * 40;
                for column in 0..40 {
                    expected[row * 40 + column] += floats(&values)[at as usize] * floats(&rhs)[from + column];
                }
            }
        }
        assert_eq!(floats(&found), expected);
        assert_eq!(floats(&product(many(), None, 3).unwrap()), expected);
    }

    #[test]
    fn under_an_operator_a_row_is_the_dense_product_of_its_elements() {
        let rule = "sparse_dot=bf16:bf16/order=pairwise";
        let found = product(many(), Some(rule), 2).unwrap();
        assert_eq!(floats(&product(many(), Some(rule), 1).unwrap()), floats(&found));
        assert_ne!(floats(&product(many(), None, 1).unwrap()), floats(&found));
        let [values, starts, columns, rhs] = many();
        let (starts, columns) = (integers(&starts), integers(&columns));
        let row = starts[5] as usize..starts[6] as usize;
        let dense = slice(&values, &[row.start], &[1], &[row.len()]);
        let side = torch_index_select(&rhs, &columns[row.clone()], &[row.len()], 0, 0);
        let text = format!(
            "func.func @main(%a: tensor<{n}xf32>, %b: tensor<{n}x40xf32>) -> tensor<40xf32> {{\n%0 = stablehlo.dot %a, %b : \
             (tensor<{n}xf32>, tensor<{n}x40xf32>) -> tensor<40xf32>\nreturn %0 : tensor<40xf32>\n}}",
            n = row.len()
        );
        let rules = Rules::parse(&["dot_general=bf16:bf16/order=pairwise"]).unwrap();
        let program = Program::parse(&text).unwrap();
        let inputs = vec![Value::Tensor(dense), Value::Tensor(side)];
        let expected = program.evaluate("main", inputs, Options { rules, ..Options::default() }).unwrap();
        let Value::Tensor(expected) = &expected[0] else { panic!("{expected:?}") };
        assert_eq!(floats(&found)[5 * 40..6 * 40], *floats(expected));
    }

    #[test]
    fn elements_out_of_range_are_refused() {
        let refused = |starts: [i32; 3], columns: [i32; 2]| {
            let tensors = [
                f32s(&[2], vec![1.0, 2.0]),
                i32s(&[3], starts.to_vec()),
                i32s(&[2], columns.to_vec()),
                f32s(&[4, 1], vec![1.0; 4]),
            ];
            product(tensors, None, 1).unwrap_err()
        };
        assert!(
            refused([0, 1, 2], [3, 4]).contains("row 1 has an element in column 4, the matrix has 4 columns")
        );
        assert!(refused([0, 1, 2], [-1, 0]).contains("row 0 has an element in column"));
        for starts in [[0, 2, 1], [0, 1, 3], [-1, 0, 2]] {
            assert!(refused(starts, [0, 0]).contains("must ascend and end within the 2 elements"));
        }
    }
}
