//! Matrices in memory with any strides, and the errors of shapes that do not fit.

use thiserror::Error;

/// A matrix to read: element (row, column) is `data[row · row_stride + column · column_stride]`.
///
/// Any strides are allowed, 0 included: [`Matrix::transposed`] swaps them, and a stride of 0 repeats a row or a column.
#[derive(Clone, Copy, Debug)]
pub struct Matrix<'a> {
    data: &'a [f32],
    shape: Shape,
}

/// A matrix to write, whose elements have distinct addresses.
#[derive(Debug)]
pub struct MatrixMut<'a> {
    data: &'a mut [f32],
    shape: Shape,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Shape {
    rows: usize,
    columns: usize,
    row_stride: usize,
    column_stride: usize,
}

/// A matrix or a tensor whose shape does not fit its data or the other operands. Nothing is written in that case.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ShapeError {
    /// The slice is shorter than the shape needs.
    #[error("{what} needs {needed} elements, the slice has {given}")]
    Length {
        /// The matrix or tensor.
        what: String,
        /// The length that the shape needs.
        needed: usize,
        /// The slice's length.
        given: usize,
    },
    /// More elements than an address space can hold.
    #[error("{what} has more elements than memory can hold")]
    Size {
        /// The matrix or tensor.
        what: String,
    },
    /// Two elements of C at one address.
    #[error(
        "a {rows} × {columns} matrix with strides {row_stride} and {column_stride} has several elements at one address, \\
         so it cannot be written: one stride must be at least the other times its count"
    )]
    Overlap {
        /// Rows.
        rows: usize,
        /// Columns.
        columns: usize,
        /// Distance in elements between rows.
        row_stride: usize,
        /// Distance in elements between columns.
        column_stride: usize,
    },
    /// Two dimensions that must be equal and are not.
    #[error("{what} must be {expected}: got {given}")]
    Dimension {
        /// The dimension.
        what: String,
        /// Its size.
        given: usize,
        /// The size that it must have.
        expected: usize,
    },
    /// A number outside its range.
    #[error("{what} must be {expected}: got {given}")]
    Number {
        /// The number's name.
        what: &'static str,
        /// The values allowed.
        expected: &'static str,
        /// The value given.
        given: usize,
    },
}

impl Shape {
    /// The number of elements from the first to the last.
    fn span(&self) -> Option<usize> {
        if self.rows == 0 || self.columns == 0 {
            return Some(0);
        }
        let last = |count: usize, stride: usize| (count - 1).checked_mul(stride);
        last(self.rows, self.row_stride)?.checked_add(last(self.columns, self.column_stride)?)?.checked_add(1)
    }

    fn check(&self, length: usize) -> Result<(), ShapeError> {
        let what = || format!("a {} × {} matrix", self.rows, self.columns);
        match self.span() {
            None => Err(ShapeError::Size { what: what() }),
            Some(needed) if needed > length => {
                Err(ShapeError::Length { what: what(), needed, given: length })
            }
            Some(_) => Ok(()),
        }
    }

    /// Checks that elements have distinct addresses: one dimension must fit within the stride of the other.
    fn check_distinct(&self) -> Result<(), ShapeError> {
        let &Shape { rows, columns, row_stride, column_stride } = self;
        let within = |inner: usize, stride: usize, outer: usize, outer_stride: usize| {
            (inner <= 1 || stride > 0)
                && (outer <= 1 || outer_stride > inner.saturating_sub(1).saturating_mul(stride))
        };
        let distinct = rows == 0
            || columns == 0
            || within(columns, column_stride, rows, row_stride)
            || within(rows, row_stride, columns, column_stride);
        if distinct { Ok(()) } else { Err(ShapeError::Overlap { rows, columns, row_stride, column_stride }) }
    }
}

macro_rules! common {
    () => {
        /// Rows.
        pub fn rows(&self) -> usize {
            self.shape.rows
        }

        /// Columns.
        pub fn columns(&self) -> usize {
            self.shape.columns
        }

        /// Distance in elements between rows.
        pub fn row_stride(&self) -> usize {
            self.shape.row_stride
        }

        /// Distance in elements between columns.
        pub fn column_stride(&self) -> usize {
            self.shape.column_stride
        }

        /// The element (row, column).
        ///
        /// # Panics
        /// If it is outside the matrix's data.
        pub fn at(&self, row: usize, column: usize) -> f32 {
            self.data[row * self.shape.row_stride + column * self.shape.column_stride]
        }
    };
}

impl<'a> Matrix<'a> {
    /// A matrix stored row after row.
    ///
    /// # Errors
    /// If the slice is too short.
    pub fn new(data: &'a [f32], rows: usize, columns: usize) -> Result<Self, ShapeError> {
        Matrix::with_strides(data, rows, columns, columns, 1)
    }

    /// A matrix with any strides.
    ///
    /// # Errors
    /// If the slice is too short.
    pub fn with_strides(
        data: &'a [f32],
        rows: usize,
        columns: usize,
        row_stride: usize,
        column_stride: usize,
    ) -> Result<Self, ShapeError> {
        let shape = Shape { rows, columns, row_stride, column_stride };
        shape.check(data.len())?;
        Ok(Matrix { data, shape })
    }

    /// The transpose: rows become columns.
    pub fn transposed(self) -> Self {
        let Shape { rows, columns, row_stride, column_stride } = self.shape;
        let shape =
            Shape { rows: columns, columns: rows, row_stride: column_stride, column_stride: row_stride };
        Matrix { shape, ..self }
    }

    /// The slice of all elements.
    pub fn data(&self) -> &'a [f32] {
        self.data
    }

    common!();
}

impl<'a> MatrixMut<'a> {
    /// A matrix stored row after row.
    ///
    /// # Errors
    /// If the slice is too short.
    pub fn new(data: &'a mut [f32], rows: usize, columns: usize) -> Result<Self, ShapeError> {
        MatrixMut::with_strides(data, rows, columns, columns, 1)
    }

    /// A matrix with strides under which elements have distinct addresses.
    ///
    /// # Errors
    /// If the slice is too short, or two elements may have the same address.
    pub fn with_strides(
        data: &'a mut [f32],
        rows: usize,
        columns: usize,
        row_stride: usize,
        column_stride: usize,
    ) -> Result<Self, ShapeError> {
        let shape = Shape { rows, columns, row_stride, column_stride };
        shape.check(data.len())?;
        shape.check_distinct()?;
        Ok(MatrixMut { data, shape })
    }

    /// A view for reading.
    pub fn as_matrix(&self) -> Matrix<'_> {
        Matrix { data: self.data, shape: self.shape }
    }

    /// The slice of all elements.
    pub(crate) fn data(&mut self) -> &mut [f32] {
        self.data
    }

    /// Writes the element (row, column).
    ///
    /// # Panics
    /// If it is outside the matrix's data.
    pub fn set(&mut self, row: usize, column: usize, x: f32) {
        self.data[row * self.shape.row_stride + column * self.shape.column_stride] = x;
    }

    common!();
}

/// Checks that C ← C + A · B is defined: the dimensions must agree.
pub(crate) fn fits(a: &Matrix, b: &Matrix, c: &MatrixMut) -> Result<(), ShapeError> {
    same("the number of B's rows", b.rows(), a.columns())?;
    same("the number of C's rows", c.rows(), a.rows())?;
    same("the number of C's columns", c.columns(), b.columns())
}

/// Checks that a dimension has the expected size.
pub(crate) fn same(what: &str, given: usize, expected: usize) -> Result<(), ShapeError> {
    if given == expected {
        Ok(())
    } else {
        Err(ShapeError::Dimension { what: what.to_owned(), given, expected })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrices_that_exceed_their_slice_or_overlap_are_errors() {
        let mut data = [0.0; 12];
        assert!(Matrix::new(&data, 3, 4).is_ok());
        assert!(Matrix::new(&data, usize::MAX, 0).is_ok());
        assert_eq!(
            Matrix::new(&data, 3, 5).unwrap_err().to_string(),
            "a 3 × 5 matrix needs 15 elements, the slice has 12"
        );
        assert!(matches!(Matrix::new(&data, usize::MAX, 3), Err(ShapeError::Size { .. })));
        assert!(Matrix::with_strides(&data, 100, 100, 0, 0).is_ok());
        assert_eq!(Matrix::new(&data, 3, 4).unwrap().transposed().rows(), 4);
        assert!(MatrixMut::with_strides(&mut data, 3, 2, 1, 3).is_ok());
        assert!(MatrixMut::with_strides(&mut data, 1, 2, 0, 3).is_ok());
        for (rows, columns, row_stride, column_stride) in
            [(3, 3, 2, 1), (2, 2, 0, 1), (2, 2, 1, 1), (2, 2, 0, 0)]
        {
            let wrong = MatrixMut::with_strides(&mut data, rows, columns, row_stride, column_stride);
            assert!(matches!(wrong, Err(ShapeError::Overlap { .. })), "{row_stride} {column_stride}");
        }
    }
}
