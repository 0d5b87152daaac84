//! Tiles: the parts of a matrix of codes that threads process one at a time.

/// Elements that a thread processes at once, if the length of rows allows it.
pub(super) const UNIT: u64 = 1 << 17;

/// Elements of a transposed matrix whose codes a thread holds at once. Contiguous runs of this size, in input or output, are
/// worth a system call. Of the numbers, a thread holds one band of blocks.
const TILE: u64 = 1 << 24;

/// Elements of a transposed matrix that a thread transposes whole to read single rows.
const TRANSPOSED_WHOLE: u64 = 1 << 20;

/// The tiles of a matrix of codes, one for each unit of work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tiles {
    /// Rows of codes in a matrix, and codes in a row.
    pub(crate) rows: u64,
    pub(crate) columns: u64,
    /// Rows and columns of a tile.
    pub(super) down: u64,
    across: u64,
}

/// The codes of a unit of work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Tile {
    pub(crate) matrix: u64,
    /// The first row, and the number of rows.
    pub(crate) row: u64,
    pub(crate) rows: u64,
    /// The first column, and the number of columns.
    pub(crate) column: u64,
    pub(crate) columns: u64,
}

impl Tiles {
    /// Tiles of whole rows, in multiples of a block's rows.
    pub(super) fn of_rows(rows: u64, columns: u64, block: u64) -> Tiles {
        let down = (UNIT / columns.max(1)).max(1).next_multiple_of(block);
        Tiles { rows, columns, down, across: columns }
    }

    /// Tiles for transposed numbers: whole rows of codes if they are short, and always whole blocks of 32.
    pub(super) fn transposed(rows: u64, columns: u64) -> Tiles {
        // Rows of codes are columns of numbers, which are contiguous in the other file.
        const MIN_RUN: u64 = 1024;
        const MAX_RUN: u64 = 8 * MIN_RUN;
        let most = match columns <= TILE / MIN_RUN {
            true => (TILE / columns.max(1)).min(MAX_RUN) / 32 * 32,
            false => 4 * MIN_RUN,
        };
        // About equal parts.
        let down = rows.div_ceil(rows.div_ceil(most).max(1)).next_multiple_of(32);
        Tiles { rows, columns, down, across: (TILE / down.max(1) / 32 * 32).max(32).min(columns) }
    }

    /// Parts of a tile with all its rows, in blocks of 32 columns.
    pub(crate) fn parts(tile: Tile) -> impl Iterator<Item = Tile> {
        let across = Tiles::across(tile.rows);
        (tile.column..tile.column + tile.columns).step_by(across as usize).map(move |column| {
            let columns = across.min(tile.column + tile.columns - column);
            Tile { column, columns, ..tile }
        })
    }

    /// Columns of a part, in blocks of 32, for this many rows.
    pub(crate) fn across(rows: u64) -> u64 {
        (TRANSPOSED_WHOLE / rows.max(1) / 32 * 32).max(32)
    }

    /// Units of a matrix.
    pub(super) fn units(&self) -> u64 {
        self.rows.div_ceil(self.down.max(1)) * self.columns.div_ceil(self.across.max(1))
    }

    /// Largest number of elements of a unit.
    pub(super) fn elements(&self) -> u64 {
        self.down.min(self.rows) * self.across
    }

    pub(crate) fn tile(&self, unit: u64) -> Tile {
        let (matrix, at) = (unit / self.units(), unit % self.units());
        let across = self.columns.div_ceil(self.across);
        let (row, column) = (at / across * self.down, at % across * self.across);
        Tile {
            matrix,
            row,
            rows: self.down.min(self.rows - row),
            column,
            columns: self.across.min(self.columns - column),
        }
    }
}
