//! Executes a plan: all threads take units of work in order and write the output files.
//!
//! A file is created with its first unit and renamed after its last. The number of open files is about the number of threads,
//! and each thread needs memory for one unit. The bytes of a unit do not depend on its thread.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use binade::catalog::{BF16, F16};
use binade::{Rounding, Saturation};
use binade_files::{ElementType, IfExists, Tensor, safetensors};
use binade_kernels::{ColumnDecoder, ColumnEncoder, Decoder, Encoder, Measures, Spaced};
use bytemuck::cast_slice_mut;

use super::encode::{Numbers, Strip, tensor_scale_for, widened};
use super::plan::{COPY, CheckpointPlan, Encode, Job, Operation, OutputShard, Source};
use super::scheme::TensorScaleRole;
use super::tiles::{Tile, Tiles};
use super::weight;
use super::{CheckpointError, Dtype};
use crate::{Error, Progress};

/// Scratch buffers of a thread.
#[derive(Default)]
pub(crate) struct UnitBuffers {
    bytes: Vec<u8>,
    halves: Vec<u16>,
    numbers: Numbers,
    /// Rows to be transposed.
    band: Vec<f32>,
    turned: Vec<f64>,
    wide: Vec<f64>,
    strip: Strip,
    weight: weight::ReadBuffers,
    again: weight::Recompute,
}

/// Calls `each` with the units of every job in order, on all threads of the pool. Stops at the first error.
///
/// `each` returns the number of bytes that it read.
pub(crate) fn over_units(
    jobs: &[&Job<'_>],
    progress: &dyn Progress,
    each: impl Fn(&mut UnitBuffers, &Job<'_>, u64) -> Result<u64, Error> + Sync,
) -> Result<(), Error> {
    let mut ends = vec![];
    let mut end = 0;
    for job in jobs {
        end += job.units;
        ends.push(end);
    }
    over_numbers(end, progress, |buffers, unit| {
        let at = ends.partition_point(|&end| end <= unit);
        let job = jobs[at];
        Ok((each(buffers, job, unit - (ends[at] - job.units))?, &job.name))
    })
}

/// Calls `each` with the numbers below `end` in order and a thread's buffers, on all threads of the pool. Stops at the first error.
///
/// `each` returns the number of bytes that it read, and the name of what it worked on, both for the progress.
pub(crate) fn over_numbers<'a, B: Default>(
    end: u64,
    progress: &dyn Progress,
    each: impl Fn(&mut B, u64) -> Result<(u64, &'a str), Error> + Sync,
) -> Result<(), Error> {
    let (next, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let failed: Mutex<Option<(u64, Error)>> = Mutex::new(None);
    rayon::broadcast(|_| {
        let mut buffers = B::default();
        while !stop.load(Ordering::Relaxed) {
            let unit = next.fetch_add(1, Ordering::Relaxed);
            if unit >= end {
                break;
            }
            let done = match progress.cancelled() {
                true => Err(Error::Cancelled),
                false => each(&mut buffers, unit),
            };
            match done {
                Ok((bytes, name)) => progress.advance(bytes, name),
                Err(error) => {
                    stop.store(true, Ordering::Relaxed);
                    let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
                    // Units begin in order, so the first failed unit is known for any number of threads.
                    if failed.as_ref().is_none_or(|(first, _)| unit < *first) {
                        *failed = Some((unit, error));
                    }
                }
            }
        }
    });
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some((_, error)) => Err(error),
        None => Ok(()),
    }
}

/// The largest magnitude of each group of these jobs that shares a tensor scale.
pub(crate) fn maxima(
    plan: &CheckpointPlan<'_>,
    jobs: &[&Job<'_>],
    context: &Context<'_>,
    progress: &dyn Progress,
) -> Result<Vec<f64>, Error> {
    // Magnitudes of binary64 are ordered like their codes.
    let maxima: Vec<AtomicU64> = (0..plan.groups).map(|_| AtomicU64::new(0)).collect();
    over_units(jobs, progress, |buffers, job, unit| {
        let Operation::Encode(encode) = &job.operation else { return Ok(0) };
        let mut bytes = 0;
        for part in encode.parts(unit) {
            bytes += context.read(encode, part, buffers)?;
            let largest = buffers.numbers.largest(plan.encoders[encode.encoder].isa);
            context.check_finite(encode, part, job, largest, &buffers.numbers)?;
            maxima[encode.group].fetch_max(largest.to_bits(), Ordering::Relaxed);
        }
        Ok(bytes)
    })?;
    Ok(maxima.into_iter().map(|maximum| f64::from_bits(maximum.into_inner())).collect())
}

/// Data common to all units.
pub(crate) struct Context<'a> {
    plan: &'a CheckpointPlan<'a>,
    path: &'a std::path::Path,
    halves: Decoder,
    /// Encoder to the type of the output numbers, if that has 16 bits.
    out: Option<Encoder>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(plan: &'a CheckpointPlan<'a>, path: &'a std::path::Path) -> Result<Context<'a>, Error> {
        let format = match plan.dtype {
            Dtype::Bf16 => Some(BF16),
            Dtype::F16 => Some(F16),
            Dtype::F32 => None,
        };
        let encoder = |format| Encoder::new(format, Rounding::NearestEven, Saturation::Overflow);
        let out = format.map(encoder).transpose()?;
        Ok(Context { plan, path, halves: Decoder::new(F16)?, out })
    }

    /// Reads the numbers of a tile in the order of codes, and returns the number of bytes read. Unless the weight is
    /// transposed, rows are whole.
    fn read(&self, encode: &Encode<'_>, tile: Tile, buffers: &mut UnitBuffers) -> Result<u64, Error> {
        let Tiles { rows, columns, .. } = encode.tiles;
        let (all, count) = (tile.matrix * rows + tile.row, tile.rows);
        match &encode.source {
            Source::Plain(tensor) if !encode.transposed => {
                let width = tensor.element().bits().unwrap_or(32) as u64 / 8;
                let (first, length) = (all * columns * width, (count * columns) as usize);
                match tensor.element() {
                    // No conversion is needed.
                    ElementType::Bf16 => {
                        let bits = buffers.numbers.bfloat16();
                        bits.resize(length, 0);
                        tensor.read_bytes(first, cast_slice_mut(bits))?;
                        bits.iter_mut().for_each(|bits| *bits = u16::from_le(*bits));
                    }
                    ElementType::F32 => {
                        let single = buffers.numbers.single();
                        single.resize(length, 0.0);
                        tensor.read_bytes(first, cast_slice_mut(single))?;
                        single.iter_mut().for_each(|x| *x = f32::from_bits(u32::from_le(x.to_bits())));
                    }
                    _ => {
                        buffers.bytes.resize(length * width as usize, 0);
                        tensor.read_bytes(first, &mut buffers.bytes)?;
                        let single = buffers.numbers.single();
                        single.clear();
                        self.widen(tensor, &buffers.bytes, &mut buffers.halves, single)?;
                    }
                }
                Ok(count * columns * width)
            }
            Source::Plain(tensor) => self.read_transposed(tensor, encode.tiles, tile, buffers),
            Source::Coded(decoded) => {
                decoded.read_code_rows(all, count, &mut buffers.weight, buffers.numbers.double())?;
                Ok(decoded.coded.scheme.bytes(count * columns))
            }
            Source::Noted(scaled) => {
                scaled.read(all * columns, count * columns, &mut buffers.bytes, buffers.numbers.double())?;
                Ok(buffers.bytes.len() as u64)
            }
        }
    }

    /// As `read`, for a transposed weight: reads a range of some of its rows, which become columns.
    fn read_transposed(
        &self,
        tensor: &Tensor,
        tiles: Tiles,
        tile: Tile,
        buffers: &mut UnitBuffers,
    ) -> Result<u64, Error> {
        let UnitBuffers { bytes, halves, numbers, band, .. } = buffers;
        let width = tensor.element().bits().unwrap_or(32) as u64 / 8;
        let (length, columns) = (tile.rows as usize, tile.columns as usize);
        let bfloat16 = *tensor.element() == ElementType::Bf16;
        match bfloat16 {
            true => numbers.bfloat16().resize(length * columns, 0),
            false => numbers.single().resize(length * columns, 0.0),
        }
        for at in (0..columns).step_by(BAND) {
            let (count, column) = (BAND.min(columns - at), tile.column + at as u64);
            bytes.resize(length * count * width as usize, 0);
            read_band(tensor, tiles, Tile { column, columns: count as u64, ..tile }, bytes)?;
            match numbers {
                Numbers::Bfloat16(bits) => {
                    transpose(bytes.as_chunks().0, length, (bits, columns), at, |&b| u16::from_le_bytes(b));
                }
                Numbers::Single(numbers) => {
                    band.clear();
                    self.widen(tensor, bytes, halves, band)?;
                    transpose(band, length, (numbers, columns), at, |&x| x);
                }
                Numbers::Double(_) => {}
            }
        }
        Ok(tile.rows * tile.columns * width)
    }

    /// Converts elements of a file to binary32.
    fn widen(
        &self,
        tensor: &Tensor,
        bytes: &[u8],
        halves: &mut Vec<u16>,
        out: &mut Vec<f32>,
    ) -> Result<(), Error> {
        match tensor.element() {
            ElementType::Bf16 => {
                let each = bytes.as_chunks().0.iter().map(|&b| widened(u16::from_le_bytes(b)));
                out.extend(each);
            }
            ElementType::F16 => {
                halves.clear();
                halves.extend(bytes.as_chunks().0.iter().map(|&b| u16::from_le_bytes(b)));
                out.resize(halves.len(), 0.0);
                self.halves.decode_f32(&halves[..], out)?;
            }
            _ => out.extend(bytes.as_chunks().0.iter().map(|&b| f32::from_le_bytes(b))),
        }
        Ok(())
    }

    /// Encodes a tile of a weight that is stored transposed. It processes a band of the file's rows at a time; each column of
    /// a band is a block of a row of codes. Returns the number of bytes read.
    fn code_columns(
        &self,
        encode: &Encode<'_>,
        (tensor, kernel): (&Tensor, &ColumnEncoder),
        tile: Tile,
        job: &Job<'_>,
        buffers: &mut UnitBuffers,
    ) -> Result<u64, Error> {
        let UnitBuffers { bytes, halves, band, strip, .. } = &mut *buffers;
        let width = tensor.element().bits().unwrap_or(32) as usize / 8;
        let (rows, blocks) = (tile.rows as usize, tile.columns as usize / BAND);
        strip.packed.resize(rows * blocks * BAND / 2, 0);
        strip.scales.resize(rows * blocks, 0);
        for block in 0..blocks {
            let part = Tile { column: tile.column + (block * BAND) as u64, columns: BAND as u64, ..tile };
            let scales = Spaced { bytes: &mut strip.scales[block..], stride: blocks };
            let codes = Spaced { bytes: &mut strip.packed[block * BAND / 2..], stride: blocks * BAND / 2 };
            let largest = if *tensor.element() == ElementType::Bf16 {
                halves.resize(rows * BAND, 0);
                read_band(tensor, encode.tiles, part, cast_slice_mut(halves))?;
                halves.iter_mut().for_each(|half| *half = u16::from_le(*half));
                kernel.encode_bf16(halves, rows, scales, codes)?
            } else {
                bytes.resize(rows * BAND * width, 0);
                read_band(tensor, encode.tiles, part, bytes)?;
                band.clear();
                self.widen(tensor, bytes, halves, band)?;
                kernel.encode_f32(band, rows, scales, codes)?
            };
            if !largest.is_finite() {
                self.read(encode, part, buffers)?;
                self.check_finite(encode, part, job, largest as f64, &buffers.numbers)?;
                break;
            }
        }
        Ok(tile.rows * tile.columns * width as u64)
    }

    /// Refuses infinities and NaNs. `largest` is the largest magnitude of the tile.
    fn check_finite(
        &self,
        encode: &Encode<'_>,
        tile: Tile,
        job: &Job<'_>,
        largest: f64,
        numbers: &Numbers,
    ) -> Result<(), Error> {
        if largest.is_finite() {
            return Ok(());
        }
        let (at, value) = numbers.not_finite().unwrap_or((0, largest));
        let Tiles { rows, columns, .. } = encode.tiles;
        let (row, column) = (tile.row + at as u64 / tile.columns, tile.column + at as u64 % tile.columns);
        let index = match encode.transposed {
            true => (tile.matrix * columns + column) * rows + row,
            false => (tile.matrix * rows + row) * columns + column,
        };
        let path = self.path.to_owned();
        Err(CheckpointError::NotFinite { path, tensor: job.name.clone(), index, value }.into())
    }

    /// Does a unit, and returns the number of bytes read.
    pub(crate) fn unit(
        &self,
        job: &Job<'_>,
        unit: u64,
        tensor_scales: &[f64],
        writer: &safetensors::Writer,
        buffers: &mut UnitBuffers,
    ) -> Result<u64, Error> {
        match &job.operation {
            Operation::Copy { tensor, slot } => {
                let from = unit * COPY;
                buffers.bytes.resize(COPY.min(tensor.byte_len() - from) as usize, 0);
                tensor.read_bytes(from, &mut buffers.bytes)?;
                writer.write_at(*slot, from, &buffers.bytes)?;
                Ok(buffers.bytes.len() as u64)
            }
            Operation::Bytes { bytes, slot } => {
                writer.write_at(*slot, 0, bytes)?;
                Ok(0)
            }
            Operation::Encode(encode) => self.encode(encode, unit, job, tensor_scales, writer, buffers),
            Operation::Decode { source, slot, elements, unit: length } => {
                let (first, count) = (unit * length, (*length).min(elements - unit * length));
                self.decode(source, first, count, buffers)?;
                let width = self.plan.dtype.element().bits().unwrap_or(16) as u64 / 8;
                writer.write_at(*slot, first * width, &buffers.bytes)?;
                Ok(count * width)
            }
            Operation::DecodeTransposed { decoded, kernel, slot, tiles } => self.decode_transposed(
                (decoded, kernel),
                (*tiles, tiles.tile(unit)),
                buffers,
                |from, bytes| Ok(writer.write_at(*slot, from, bytes)?),
            ),
        }
    }

    /// The tensor scale of a weight.
    fn tensor_scale(&self, encode: &Encode<'_>, tensor_scales: &[f64]) -> f64 {
        let scheme = &self.plan.encoders[encode.encoder].scheme;
        match scheme.tensor_scale {
            TensorScaleRole::None => 1.0,
            _ => tensor_scale_for(scheme, tensor_scales[encode.group]) as f64,
        }
    }

    /// Reads and encodes a tile, and returns the number of bytes read.
    fn code(
        &self,
        encode: &Encode<'_>,
        tile: Tile,
        job: &Job<'_>,
        tensor_scale: f64,
        buffers: &mut UnitBuffers,
    ) -> Result<u64, Error> {
        let encoder = &self.plan.encoders[encode.encoder];
        let read = self.read(encode, tile, buffers)?;
        let largest =
            encoder.encode(&buffers.numbers, tile.columns as usize, tensor_scale, &mut buffers.strip)?;
        self.check_finite(encode, tile, job, largest, &buffers.numbers)?;
        Ok(read)
    }

    /// The losses of a unit, and the number of bytes read.
    pub(crate) fn losses(
        &self,
        encode: &Encode<'_>,
        unit: u64,
        job: &Job<'_>,
        tensor_scales: &[f64],
        buffers: &mut UnitBuffers,
    ) -> Result<(u64, Measures), Error> {
        let (encoder, tensor_scale) =
            (&self.plan.encoders[encode.encoder], self.tensor_scale(encode, tensor_scales));
        let (mut measures, mut read) = (Measures::default(), 0);
        for part in encode.parts(unit) {
            read += self.code(encode, part, job, tensor_scale, buffers)?;
            let shape = (buffers.numbers.len(), part.columns as usize);
            encoder.decode(shape, tensor_scale, &mut buffers.strip, &mut buffers.turned)?;
            buffers.numbers.widen(&mut buffers.wide);
            measures.add(&buffers.wide, &buffers.turned);
        }
        Ok((read, measures))
    }

    fn encode(
        &self,
        encode: &Encode<'_>,
        unit: u64,
        job: &Job<'_>,
        tensor_scales: &[f64],
        writer: &safetensors::Writer,
        buffers: &mut UnitBuffers,
    ) -> Result<u64, Error> {
        let (scheme, tensor_scale) =
            (self.plan.encoders[encode.encoder].scheme, self.tensor_scale(encode, tensor_scales));
        let (Tiles { rows, columns, .. }, tile) = (encode.tiles, encode.tiles.tile(unit));
        let read = match (&encode.source, &encode.in_columns) {
            (Source::Plain(tensor), Some(kernel)) => {
                self.code_columns(encode, (tensor, kernel), tile, job, buffers)?
            }
            _ => self.code(encode, tile, job, tensor_scale, buffers)?,
        };
        let [codes, scales, tensor_scale_for] = encode.slots;
        let row = tile.matrix * rows + tile.row;
        let (_, across) = scheme.grid(1, columns);
        let width = scheme.scales.width() as u64 / 8;
        if tile.columns == columns {
            writer.write_at(codes, scheme.bytes(row * columns), &buffers.strip.packed)?;
            writer.write_at(scales, row / scheme.block.0 * across * width, &buffers.strip.scales)?;
        } else {
            // Parts of rows, whose blocks have one row each.
            let (_, own) = scheme.grid(1, tile.columns);
            let run = scheme.bytes(tile.columns) as usize;
            let parts =
                buffers.strip.packed.chunks(run).zip(buffers.strip.scales.chunks((own * width) as usize));
            for (row, (run, run_scales)) in (row..).zip(parts) {
                writer.write_at(codes, scheme.bytes(row * columns + tile.column), run)?;
                let block = row * across + tile.column / scheme.block.1;
                writer.write_at(scales, block * width, run_scales)?;
            }
        }
        if unit == 0 && scheme.tensor_scale != TensorScaleRole::None {
            writer.write_at(tensor_scale_for, 0, &(tensor_scale as f32).to_le_bytes())?;
        }
        Ok(read)
    }

    /// Decodes elements to the type of numbers, as bytes.
    fn decode(
        &self,
        source: &Source<'_>,
        first: u64,
        count: u64,
        buffers: &mut UnitBuffers,
    ) -> Result<(), Error> {
        if let Source::Coded(decoded) = source {
            let row = decoded.row();
            if self.decode_in_kernel(decoded, (first / row, count / row), buffers)? {
                return Ok(());
            }
        }
        let values = &mut buffers.turned;
        match source {
            Source::Coded(decoded) => {
                let row = decoded.row();
                decoded.read_rows(first / row, count / row, &mut buffers.weight, values)?;
            }
            Source::Noted(scaled) => scaled.read(first, count, &mut buffers.bytes, values)?,
            Source::Plain(tensor) => {
                let mut single = vec![0; 4 * count as usize];
                tensor.read(first, &mut single)?;
                values.clear();
                values.extend(single.as_chunks().0.iter().map(|&bytes| f64::from(f32::from_le_bytes(bytes))));
            }
        }
        match &self.out {
            None => {
                buffers.bytes.resize(4 * values.len(), 0);
                let words = buffers.bytes.as_chunks_mut().0.iter_mut();
                words.zip(values).for_each(|(word, value)| *word = (*value as f32).to_le_bytes());
            }
            Some(encoder) => {
                buffers.halves.resize(values.len(), 0);
                encoder.encode_f64(values, &mut buffers.halves[..])?;
                to_bytes(&buffers.halves, &mut buffers.bytes);
            }
        }
        Ok(())
    }

    /// Decodes a tile of codes to numbers that are stored transposed, and writes them. It processes a band of rows at a time;
    /// each column of a band is a block of a row of codes. Returns their number of bytes.
    fn decode_transposed(
        &self,
        (decoded, kernel): (&weight::Decoded<'_>, &ColumnDecoder),
        (tiles, tile): (Tiles, Tile),
        buffers: &mut UnitBuffers,
        write: impl Fn(u64, &[u8]) -> Result<(), Error>,
    ) -> Result<u64, Error> {
        let UnitBuffers { weight, halves, band, .. } = buffers;
        decoded.load_tile(tile, weight)?;
        let (rows, blocks) = (tile.rows as usize, tile.columns as usize / BAND);
        let (scales, codes) = weight.tile();
        let width = self.plan.dtype.element().bits().unwrap_or(16) as u64 / 8;
        match self.plan.dtype {
            Dtype::F32 => band.resize(rows * BAND, 0.0),
            Dtype::F16 | Dtype::Bf16 => halves.resize(rows * BAND, 0),
        }
        for block in 0..blocks {
            let scales = Spaced { bytes: &scales[block..], stride: blocks };
            let codes = Spaced { bytes: &codes[block * BAND / 2..], stride: blocks * BAND / 2 };
            let bytes: &[u8] = match self.plan.dtype {
                Dtype::F32 => {
                    kernel.decode_f32(scales, codes, rows, band)?;
                    band.iter_mut().for_each(|x| *x = f32::from_bits(x.to_bits().to_le()));
                    cast_slice_mut(band)
                }
                dtype => {
                    match dtype {
                        Dtype::F16 => kernel.decode_f16(scales, codes, rows, halves)?,
                        _ => kernel.decode_bf16(scales, codes, rows, halves)?,
                    }
                    halves.iter_mut().for_each(|half| *half = half.to_le());
                    cast_slice_mut(halves)
                }
            };
            let part = Tile { column: tile.column + (block * BAND) as u64, columns: BAND as u64, ..tile };
            let runs = runs_of_band(tiles, part, width);
            for (from, bytes) in runs.zip(bytes.chunks(run_of_band(tiles, part, width))) {
                write(from, bytes)?;
            }
        }
        Ok(tile.rows * tile.columns * width)
    }

    /// As `decode`, for rows that a kernel supports.
    fn decode_in_kernel(
        &self,
        decoded: &weight::Decoded<'_>,
        rows: (u64, u64),
        buffers: &mut UnitBuffers,
    ) -> Result<bool, Error> {
        let UnitBuffers { weight, halves, bytes, numbers, again, .. } = buffers;
        let (count, single) = ((rows.1 * decoded.row()) as usize, numbers.single());
        let Some(encoder) = &self.out else {
            single.resize(count, 0.0);
            let mut done = decoded.in_kernel(rows, weight, |kernel, scales, codes, columns| {
                kernel.decode_f32(scales, codes, columns, single)
            })?;
            if !done {
                done = decoded.in_single(rows, None, weight, single, again)?;
                for (range, exact) in again.each() {
                    single[range].iter_mut().zip(exact).for_each(|(x, &exact)| *x = exact as f32);
                }
            }
            bytes.resize(4 * single.len(), 0);
            let words = bytes.as_chunks_mut().0.iter_mut();
            words.zip(single).for_each(|(word, value)| *word = value.to_le_bytes());
            return Ok(done);
        };
        halves.resize(count, 0);
        let done =
            decoded.in_kernel(rows, weight, |kernel, scales, codes, columns| match self.plan.dtype {
                Dtype::F16 => kernel.decode_f16(scales, codes, columns, halves),
                _ => kernel.decode_bf16(scales, codes, columns, halves),
            })?;
        if !done {
            if !decoded.in_single(rows, Some(encoder.format()), weight, single, again)? {
                return Ok(false);
            }
            encoder.encode_f32(&single[..], &mut halves[..])?;
            for (range, exact) in again.each() {
                encoder.encode_f64(exact, &mut halves[range])?;
            }
        }
        to_bytes(halves, bytes);
        Ok(true)
    }
}

fn to_bytes(halves: &[u16], bytes: &mut Vec<u8>) {
    bytes.resize(2 * halves.len(), 0);
    let words = bytes.as_chunks_mut().0.iter_mut();
    words.zip(halves).for_each(|(word, half)| *word = half.to_le_bytes());
}

/// Rows that are transposed at once: a block of the result.
const BAND: usize = 32;

/// Contiguous bytes in the transposed matrix, for the numbers of a tile of the result.
fn run_of_band(tiles: Tiles, tile: Tile, width: u64) -> usize {
    // Whole rows are contiguous.
    let together = if tile.rows == tiles.rows { tile.rows * tile.columns } else { tile.rows };
    ((together * width) as usize).max(1)
}

/// Offsets of these runs.
fn runs_of_band(tiles: Tiles, tile: Tile, width: u64) -> impl Iterator<Item = u64> {
    let first = (tile.matrix * tiles.columns + tile.column) * tiles.rows + tile.row;
    (0..tile.columns).map(move |row| (first + row * tiles.rows) * width)
}

/// Reads the numbers of a tile of the result in the order of the tensor.
fn read_band(tensor: &Tensor, tiles: Tiles, tile: Tile, bytes: &mut [u8]) -> Result<(), Error> {
    let width = tensor.element().bits().unwrap_or(32) as u64 / 8;
    let runs = bytes.chunks_mut(run_of_band(tiles, tile, width));
    for (run, from) in runs.zip(runs_of_band(tiles, tile, width)) {
        tensor.read_bytes(from, run)?;
    }
    Ok(())
}

/// Transposes rows of `length` elements into columns of `out`, from column `at` on.
fn transpose<T, U>(
    rows: &[T],
    length: usize,
    (out, stride): (&mut [U], usize),
    at: usize,
    each: impl Fn(&T) -> U,
) {
    let count = rows.len() / length.max(1);
    for (column, out) in out.chunks_mut(stride.max(1)).take(length).enumerate() {
        let column = rows[column..].iter().step_by(length);
        out[at..at + count].iter_mut().zip(column).for_each(|(to, from)| *to = each(from));
    }
}

/// The output files. Each is created with its first unit and finished after its last.
pub(crate) struct Outputs<'a> {
    shards: Vec<OutputFile<'a>>,
}

struct OutputFile<'a> {
    path: std::path::PathBuf,
    shard: &'a OutputShard,
    if_exists: IfExists,
    units: AtomicU64,
    stage: Mutex<Stage>,
    finished: AtomicBool,
}

enum Stage {
    Waiting,
    Open(Arc<safetensors::Writer>),
    Done,
}

impl<'a> Outputs<'a> {
    /// Files at these paths, each with its number of units.
    pub(crate) fn new(
        plan: &'a CheckpointPlan<'_>,
        paths: Vec<std::path::PathBuf>,
        jobs: &[&Job<'_>],
        if_exists: IfExists,
    ) -> Outputs<'a> {
        let mut units = vec![0; paths.len()];
        jobs.iter().for_each(|job| units[job.shard] += job.units);
        let shards =
            paths.into_iter().zip(&plan.shards).zip(units).map(|((path, shard), units)| OutputFile {
                path,
                shard,
                if_exists,
                units: AtomicU64::new(units),
                stage: Mutex::new(Stage::Waiting),
                finished: AtomicBool::new(false),
            });
        Outputs { shards: shards.collect() }
    }

    /// The writer of a file, which is created at the first call.
    pub(crate) fn writer(&self, shard: usize) -> Result<Arc<safetensors::Writer>, Error> {
        let file = &self.shards[shard];
        let mut stage = file.stage.lock().unwrap_or_else(PoisonError::into_inner);
        if let Stage::Waiting = *stage {
            let OutputShard { entries, metadata, .. } = file.shard;
            let writer = safetensors::Writer::create(&file.path, entries, metadata, file.if_exists)?;
            *stage = Stage::Open(Arc::new(writer));
        }
        match &*stage {
            Stage::Open(writer) => Ok(Arc::clone(writer)),
            // A unit is counted after it was written, so this answers a call for a finished file.
            _ => Err(Error::Cancelled),
        }
    }

    /// Counts a unit, and finishes its file after the last. No other thread uses the writer then.
    pub(crate) fn count_off(&self, shard: usize, writer: Arc<safetensors::Writer>) -> Result<(), Error> {
        drop(writer);
        match self.shards[shard].units.fetch_sub(1, Ordering::AcqRel) {
            1 => self.finish(shard),
            _ => Ok(()),
        }
    }

    pub(crate) fn finish(&self, shard: usize) -> Result<(), Error> {
        let mut stage = self.shards[shard].stage.lock().unwrap_or_else(PoisonError::into_inner);
        if let Stage::Open(writer) = std::mem::replace(&mut *stage, Stage::Done)
            && let Some(writer) = Arc::into_inner(writer)
        {
            writer.finish()?;
            self.shards[shard].finished.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Paths of the finished files.
    pub(crate) fn finished(&self) -> impl Iterator<Item = &std::path::PathBuf> {
        self.shards.iter().filter(|file| file.finished.load(Ordering::Relaxed)).map(|file| &file.path)
    }
}
