//! Matrices in memory, and what can be wrong with them.

use thiserror::Error;

/// A matrix that is read: element (row, column) is `data[row · row_stride + column · column_stride]`.
///
/// Any strides will do, 0 included: [`Matrix::transposed`] swaps them, a stride of 0 repeats a row or a column.
#[derive(Clone, Copy, Debug)]
pub struct Matrix<'a> {
    data: &'a [f32],
    shape: Shape,
}

/// A matrix that is written; its elements are at distinct places.
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

/// A matrix or a tensor that does not fit its data or its neighbours. Nothing is written then.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ShapeError {
    /// Elements beyond the slice.
    #[error("{what} needs {needed} elements, the slice has {given}")]
    Length {
        /// What does not fit.
        what: String,
        /// The length that would do.
        needed: usize,
        /// The slice's length.
        given: usize,
    },
    /// More elements than an address can say.
    #[error("{what} has more elements than memory can hold")]
    Size {
        /// What does not fit.
        what: String,
    },
    /// Two elements of C at one place.
    #[error(
        "a {rows} × {columns} matrix with strides {row_stride} and {column_stride} has several elements at one place, \
         so it cannot be written: one stride must be at least the other times its count"
    )]
    Overlap {
        /// Rows.
        rows: usize,
        /// Columns.
        columns: usize,
        /// Elements from a row to the next.
        row_stride: usize,
        /// Elements from a column to the next.
        column_stride: usize,
    },
    /// Dimensions that ought to be equal.
    #[error("{what} is {given} where {expected} is needed")]
    Dimension {
        /// Which dimension.
        what: String,
        /// What it is.
        given: usize,
        /// What it would have to be.
        expected: usize,
    },
    /// A number that makes no sense.
    #[error("{what} must be {expected}, not {given}")]
    Number {
        /// What.
        what: &'static str,
        /// What would do.
        expected: &'static str,
        /// What it is.
        given: usize,
    },
}

impl Shape {
    /// Elements up to the last one.
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

    /// Whether different elements have different places, by one dimension lying within the other's stride.
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

        /// Elements from a row to the next.
        pub fn row_stride(&self) -> usize {
            self.shape.row_stride
        }

        /// Elements from a column to the next.
        pub fn column_stride(&self) -> usize {
            self.shape.column_stride
        }

        /// An element.
        ///
        /// # Panics
        /// If it is outside the matrix's data.
        pub fn at(&self, row: usize, column: usize) -> f32 {
            self.data[row * self.shape.row_stride + column * self.shape.column_stride]
        }
    };
}

impl<'a> Matrix<'a> {
    /// Rows one after the other.
    ///
    /// # Errors
    /// If the slice is too short.
    pub fn new(data: &'a [f32], rows: usize, columns: usize) -> Result<Self, ShapeError> {
        Matrix::with_strides(data, rows, columns, columns, 1)
    }

    /// Any strides.
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

    /// Rows as columns.
    pub fn transposed(self) -> Self {
        let Shape { rows, columns, row_stride, column_stride } = self.shape;
        let shape =
            Shape { rows: columns, columns: rows, row_stride: column_stride, column_stride: row_stride };
        Matrix { shape, ..self }
    }

    /// The elements' slice.
    pub fn data(&self) -> &'a [f32] {
        self.data
    }

    common!();
}

impl<'a> MatrixMut<'a> {
    /// Rows one after the other.
    ///
    /// # Errors
    /// If the slice is too short.
    pub fn new(data: &'a mut [f32], rows: usize, columns: usize) -> Result<Self, ShapeError> {
        MatrixMut::with_strides(data, rows, columns, columns, 1)
    }

    /// Any strides that keep elements apart.
    ///
    /// # Errors
    /// If the slice is too short, or two elements may be at one place.
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

    /// To be read.
    pub fn as_matrix(&self) -> Matrix<'_> {
        Matrix { data: self.data, shape: self.shape }
    }

    /// The elements' slice.
    pub(crate) fn data(&mut self) -> &mut [f32] {
        self.data
    }

    /// Writes an element.
    ///
    /// # Panics
    /// If it is outside the matrix's data.
    pub fn set(&mut self, row: usize, column: usize, x: f32) {
        self.data[row * self.shape.row_stride + column * self.shape.column_stride] = x;
    }

    common!();
}

/// Whether C ← C + A · B makes sense.
pub(crate) fn fits(a: &Matrix, b: &Matrix, c: &MatrixMut) -> Result<(), ShapeError> {
    same("the number of B's rows", b.rows(), a.columns())?;
    same("the number of C's rows", c.rows(), a.rows())?;
    same("the number of C's columns", c.columns(), b.columns())
}

/// Whether a dimension is what it has to be.
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
    fn shapes() {
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
