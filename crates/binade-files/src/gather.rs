//! Reads an array in Fortran order as if it were in C order, for [`crate::Tensor::read`].
//!
//! In C order the last axis varies fastest, in Fortran order the first. The requested range of C positions is cut into boxes.
//! A box has one index on each axis before some axis p, a range of indices on p, and all indices after p. The elements of a
//! box are visited in the order of the file. Nearby runs are fetched by one read, gaps included. The elements are then
//! scattered to their C positions.

use crate::Error;
use crate::source::Named;

/// Bytes fetched before they are scattered, at most.
const FETCHED: usize = 1 << 20;
/// Largest gap that is read rather than skipped: one page, which the system would fetch anyway.
const GAP: u64 = 4096;
/// Runs collected before they are scattered, at most.
const RUNS: usize = 1 << 16;
/// Runs scattered together. Neighbouring runs are adjacent in the output. Together they fill its cache lines; one at a time
/// they would touch each line repeatedly.
const TOGETHER: usize = 32;

/// Consecutive elements in the file, and their target.
struct Run {
    /// Offset in the fetched bytes.
    from: usize,
    elements: usize,
    /// Index of the first element in the output.
    to: usize,
}

/// One read: `len` bytes from byte `begin` of the array to byte `at` of the fetched bytes.
struct Fetch {
    begin: u64,
    at: usize,
    len: usize,
}

/// Collected runs, in ascending file position.
struct Gather<'a> {
    source: &'a Named,
    start: u64,
    width: usize,
    /// Distance in the output, in elements, between neighbours of a run.
    stride: usize,
    fetches: Vec<Fetch>,
    runs: Vec<Run>,
    fetched: Vec<u8>,
    out: &'a mut [u8],
}

/// Fills `out` with elements of `width` bytes from the C position `first` on. The array has `shape`, is in Fortran order and
/// begins at byte `start`. The range must be within the array.
pub(crate) fn read(
    source: &Named,
    start: u64,
    shape: &[u64],
    width: usize,
    first: u64,
    out: &mut [u8],
) -> Result<(), Error> {
    // Axes of length 1 do not affect the order. Without any axis, the array is one number.
    let shape: Vec<u64> = shape.iter().copied().filter(|&length| length != 1).collect();
    let end = first + (out.len() / width) as u64;
    if shape.len() <= 1 {
        return source.read_exact_at(start + first * width as u64, out);
    }
    let c_strides: Vec<u64> = (0..shape.len()).map(|axis| shape[axis + 1..].iter().product()).collect();
    let f_strides: Vec<u64> = (0..shape.len()).map(|axis| shape[..axis].iter().product()).collect();
    let index = |position: u64, axis: usize| position / c_strides[axis] % shape[axis];

    let mut gather = Gather {
        source,
        start,
        width,
        stride: 1,
        fetches: Vec::new(),
        runs: Vec::new(),
        fetched: Vec::new(),
        out,
    };
    let mut position = first;
    while position < end {
        // The outermost axis on which a whole step begins here and ends within the range. The last axis always qualifies.
        let fits =
            |&axis: &usize| position.is_multiple_of(c_strides[axis]) && c_strides[axis] <= end - position;
        let axis = (0..shape.len()).find(fits).unwrap_or(shape.len() - 1);
        let count = (shape[axis] - index(position, axis)).min((end - position) / c_strides[axis]);
        let mut extents = shape.clone();
        extents[axis] = count;
        let file = (0..=axis).map(|axis| index(position, axis) * f_strides[axis]).sum();
        let to = (position - first) as usize;
        if axis == 0 {
            gather.stride = c_strides[0] as usize;
            gather.add_box(count, &extents[1..], &f_strides[1..], &c_strides[1..], file, to)?;
        } else {
            gather.stride = 1;
            gather.add_box(1, &extents[axis..], &f_strides[axis..], &c_strides[axis..], file, to)?;
        }
        gather.flush()?;
        position += count * c_strides[axis];
    }
    Ok(())
}

impl Gather<'_> {
    /// Adds a run of `length` elements for every index of a box, the first axis varying fastest.
    fn add_box(
        &mut self,
        length: u64,
        extents: &[u64],
        f_strides: &[u64],
        c_strides: &[u64],
        file: u64,
        to: usize,
    ) -> Result<(), Error> {
        let mut indices = vec![0_u64; extents.len()];
        let (mut from, mut to) = (file, to as u64);
        loop {
            self.add_run(from, length, to as usize)?;
            let mut axis = 0;
            loop {
                if axis == extents.len() {
                    return Ok(());
                }
                indices[axis] += 1;
                from += f_strides[axis];
                to += c_strides[axis];
                if indices[axis] < extents[axis] {
                    break;
                }
                from -= f_strides[axis] * extents[axis];
                to -= c_strides[axis] * extents[axis];
                indices[axis] = 0;
                axis += 1;
            }
        }
    }

    /// Adds a run of `length` elements from element `from` of the file, split into reads of limited size.
    fn add_run(&mut self, mut from: u64, mut length: u64, mut to: usize) -> Result<(), Error> {
        while length > 0 {
            let piece = length.min((FETCHED / self.width) as u64);
            self.add_piece(from * self.width as u64, piece as usize, to)?;
            from += piece;
            length -= piece;
            to += piece as usize * self.stride;
        }
        Ok(())
    }

    fn add_piece(&mut self, begin: u64, elements: usize, to: usize) -> Result<(), Error> {
        let len = elements * self.width;
        let gap = |last: &Fetch| begin - (last.begin + last.len as u64);
        let near = self.fetches.last().map(gap).filter(|&gap| gap <= GAP);
        let end = self.fetches.last().map_or(0, |last| last.at + last.len);
        if end + near.unwrap_or(0) as usize + len > FETCHED || self.runs.len() == RUNS {
            self.flush()?;
        }
        let from = match (self.fetches.last_mut(), near) {
            (Some(last), Some(gap)) => {
                last.len += gap as usize + len;
                last.at + last.len - len
            }
            (last, _) => {
                let at = last.map_or(0, |last| last.at + last.len);
                self.fetches.push(Fetch { begin, at, len });
                at
            }
        };
        self.runs.push(Run { from, elements, to });
        Ok(())
    }

    /// Fetches the collected runs and scatters them.
    fn flush(&mut self) -> Result<(), Error> {
        for &Fetch { begin, at, len } in &self.fetches {
            self.fetched.resize(self.fetched.len().max(at + len), 0);
            self.source.read_exact_at(self.start + begin, &mut self.fetched[at..at + len])?;
        }
        match self.width {
            1 => self.scatter::<1>(),
            2 => self.scatter::<2>(),
            4 => self.scatter::<4>(),
            8 => self.scatter::<8>(),
            width => self.scatter_any(width),
        }
        self.fetches.clear();
        self.runs.clear();
        Ok(())
    }

    fn scatter<const WIDTH: usize>(&mut self) {
        let out = self.out.as_chunks_mut::<WIDTH>().0;
        for runs in self.runs.chunks(TOGETHER) {
            let longest = runs.iter().map(|run| run.elements).max().unwrap_or(0);
            for at in 0..longest {
                for run in runs.iter().filter(|run| at < run.elements) {
                    let from = run.from + at * WIDTH;
                    out[run.to + at * self.stride].copy_from_slice(&self.fetched[from..from + WIDTH]);
                }
            }
        }
    }

    fn scatter_any(&mut self, width: usize) {
        for run in &self.runs {
            let elements = self.fetched[run.from..].chunks_exact(width);
            let slots = self.out[run.to * width..].chunks_exact_mut(width).step_by(self.stride);
            for (slot, element) in slots.zip(elements.take(run.elements)) {
                slot.copy_from_slice(element);
            }
        }
    }
}
