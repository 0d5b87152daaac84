//! The work: units of all files, taken in their order by as many threads as there are.
//!
//! A file is begun with its first unit and gets its name with its last, so that about as many are open as threads work, and
//! memory is what threads need for a unit each. A unit's bytes do not depend on who does it.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use binade::catalog::{BF16, F16};
use binade::{Rounding, Saturation};
use binade_files::{ElementType, IfExists, Tensor, safetensors};
use binade_kernels::{Decoder, Encoder, Measures};

use super::encode::{Numbers, Strip, scale_over, widened};
use super::plan::{COPY, Encode, Job, OutputShard, Plan, STRIP, Source, Work};
use super::scheme::Over;
use super::weight;
use super::{CheckpointError, Dtype};
use crate::{Error, Progress};

/// Memory that a thread uses again.
#[derive(Default)]
pub(crate) struct Room {
    bytes: Vec<u8>,
    halves: Vec<u16>,
    numbers: Numbers,
    turned: Vec<f64>,
    wide: Vec<f64>,
    strip: Strip,
    weight: weight::Room,
    again: weight::Again,
}

/// Calls `each` with every job's units in order, on all threads of the pool; stops at the first error.
pub(crate) fn over_units(
    jobs: &[&Job<'_>],
    progress: &dyn Progress,
    each: impl Fn(&mut Room, &Job<'_>, u64) -> Result<u64, Error> + Sync,
) -> Result<(), Error> {
    let mut ends = vec![];
    let mut end = 0;
    for job in jobs {
        end += job.units;
        ends.push(end);
    }
    let (next, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let failed: Mutex<Option<(u64, Error)>> = Mutex::new(None);
    rayon::broadcast(|_| {
        let mut room = Room::default();
        while !stop.load(Ordering::Relaxed) {
            let unit = next.fetch_add(1, Ordering::Relaxed);
            let at = ends.partition_point(|&end| end <= unit);
            let Some(job) = jobs.get(at) else { break };
            let done = match progress.cancelled() {
                true => Err(Error::Cancelled),
                false => each(&mut room, job, unit - (ends[at] - job.units)),
            };
            match done {
                Ok(bytes) => progress.advance(bytes, &job.name),
                Err(error) => {
                    stop.store(true, Ordering::Relaxed);
                    let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
                    // Units are begun in order, so the first that fails is known whatever the threads do.
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

/// The largest magnitude of each group that shares a scale over all, among these jobs.
pub(crate) fn maxima(
    plan: &Plan<'_>,
    jobs: &[&Job<'_>],
    context: &Context<'_>,
    progress: &dyn Progress,
) -> Result<Vec<f64>, Error> {
    // Magnitudes of binary64 are ordered as their codes.
    let maxima: Vec<AtomicU64> = (0..plan.groups).map(|_| AtomicU64::new(0)).collect();
    over_units(jobs, progress, |room, job, unit| {
        let Work::Encode(encode) = &job.work else { return Ok(0) };
        let bytes = context.read(encode, unit, room)?;
        let largest = room.numbers.largest();
        context.check_finite(encode, unit, job, largest, &room.numbers)?;
        maxima[encode.group].fetch_max(largest.to_bits(), Ordering::Relaxed);
        Ok(bytes)
    })?;
    Ok(maxima.into_iter().map(|maximum| f64::from_bits(maximum.into_inner())).collect())
}

/// What all units need.
pub(crate) struct Context<'a> {
    plan: &'a Plan<'a>,
    path: &'a std::path::Path,
    halves: Decoder,
    /// To the type of numbers, where that is a half.
    out: Option<Encoder>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(plan: &'a Plan<'a>, path: &'a std::path::Path) -> Result<Context<'a>, Error> {
        let format = match plan.dtype {
            Dtype::Bf16 => Some(BF16),
            Dtype::F16 => Some(F16),
            Dtype::F32 => None,
        };
        let encoder = |format| Encoder::new(format, Rounding::NearestEven, Saturation::Overflow);
        let out = format.map(encoder).transpose()?;
        Ok(Context { plan, path, halves: Decoder::new(F16)?, out })
    }

    /// Rows of codes that a unit of an encoding covers: the matrix, the first row in it, how many.
    fn rows(encode: &Encode<'_>, unit: u64) -> (u64, u64, u64) {
        let strips = encode.rows.div_ceil(encode.strip);
        let (matrix, first) = (unit / strips, unit % strips * encode.strip);
        (matrix, first, encode.strip.min(encode.rows - first))
    }

    /// Puts the numbers of a unit into the room, in the order of codes; how many bytes were read.
    fn read(&self, encode: &Encode<'_>, unit: u64, room: &mut Room) -> Result<u64, Error> {
        let (matrix, first, count) = Self::rows(encode, unit);
        let columns = encode.columns;
        match &encode.source {
            Source::Plain(tensor) if !encode.transposed => {
                let width = tensor.element().bits().unwrap_or(32) as u64 / 8;
                room.bytes.resize((count * columns * width) as usize, 0);
                tensor.read_bytes((matrix * encode.rows + first) * columns * width, &mut room.bytes)?;
                if *tensor.element() == ElementType::Bf16 {
                    let bits = room.bytes.as_chunks().0.iter().map(|&b| u16::from_le_bytes(b));
                    room.numbers.bfloat16().extend(bits);
                } else {
                    self.widen(tensor, &room.bytes, &mut room.halves, room.numbers.single())?;
                }
                Ok(room.bytes.len() as u64)
            }
            Source::Plain(tensor) => {
                // Columns of the weight are rows of codes: a strip of each of its rows is read, and turned.
                let width = tensor.element().bits().unwrap_or(32) as u64 / 8;
                let run = (count * width) as usize;
                room.bytes.resize(run * columns as usize, 0);
                for (row, bytes) in room.bytes.chunks_mut(run).enumerate() {
                    let at = (matrix * columns + row as u64) * encode.rows + first;
                    tensor.read_bytes(at * width, bytes)?;
                }
                let read = room.bytes.len() as u64;
                self.widen(tensor, &room.bytes, &mut room.halves, room.numbers.single())?;
                if let Numbers::Single(numbers) = &mut room.numbers {
                    *numbers = turned(numbers, count as usize);
                }
                Ok(read)
            }
            Source::Coded(decoded) => {
                let all = matrix * encode.rows + first;
                decoded.read_code_rows(all, count, &mut room.weight, room.numbers.double())?;
                Ok(decoded.coded.scheme.bytes(count * columns))
            }
            Source::Noted(scaled) => {
                let from = (matrix * encode.rows + first) * columns;
                scaled.read(from, count * columns, &mut room.bytes, room.numbers.double())?;
                Ok(room.bytes.len() as u64)
            }
        }
    }

    /// Elements of a file as binary32.
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

    /// Refuses infinities and NaNs; `largest` is the largest magnitude among the numbers of the unit.
    fn check_finite(
        &self,
        encode: &Encode<'_>,
        unit: u64,
        job: &Job<'_>,
        largest: f64,
        numbers: &Numbers,
    ) -> Result<(), Error> {
        if largest.is_finite() {
            return Ok(());
        }
        let (at, value) = numbers.not_finite().unwrap_or((0, largest));
        let (matrix, first, _) = Self::rows(encode, unit);
        let (row, column) = (first + at as u64 / encode.columns, at as u64 % encode.columns);
        let index = match encode.transposed {
            true => (matrix * encode.columns + column) * encode.rows + row,
            false => (matrix * encode.rows + row) * encode.columns + column,
        };
        let path = self.path.to_owned();
        Err(CheckpointError::NotFinite { path, tensor: job.name.clone(), index, value }.into())
    }

    /// Does one unit; how many bytes were read.
    pub(crate) fn unit(
        &self,
        job: &Job<'_>,
        unit: u64,
        overs: &[f64],
        writer: &safetensors::Writer,
        room: &mut Room,
    ) -> Result<u64, Error> {
        match &job.work {
            Work::Copy { tensor, slot } => {
                let from = unit * COPY;
                room.bytes.resize(COPY.min(tensor.byte_len() - from) as usize, 0);
                tensor.read_bytes(from, &mut room.bytes)?;
                writer.write_at(*slot, from, &room.bytes)?;
                Ok(room.bytes.len() as u64)
            }
            Work::Bytes { bytes, slot } => {
                writer.write_at(*slot, 0, bytes)?;
                Ok(0)
            }
            Work::Encode(encode) => self.encode(encode, unit, job, overs, writer, room),
            Work::Decode { source, slot, elements, unit: length } => {
                let (first, count) = (unit * length, (*length).min(elements - unit * length));
                self.decode(source, first, count, room)?;
                let width = self.plan.dtype.element().bits().unwrap_or(16) as u64 / 8;
                writer.write_at(*slot, first * width, &room.bytes)?;
                Ok(count * width)
            }
        }
    }

    /// Puts a unit's codes and scales into the room; the scale over all, and how many bytes were read.
    fn code(
        &self,
        encode: &Encode<'_>,
        unit: u64,
        job: &Job<'_>,
        overs: &[f64],
        room: &mut Room,
    ) -> Result<(f64, u64), Error> {
        let encoder = &self.plan.encoders[encode.encoder];
        let scheme = encoder.scheme;
        let read = self.read(encode, unit, room)?;
        let over = match scheme.over {
            Over::None => 1.0,
            _ => scale_over(&scheme, overs[encode.group]) as f64,
        };
        let largest = encoder.encode(&room.numbers, encode.columns as usize, over, &mut room.strip)?;
        self.check_finite(encode, unit, job, largest, &room.numbers)?;
        Ok((over, read))
    }

    /// What a unit would lose, and how many bytes were read.
    pub(crate) fn losses(
        &self,
        encode: &Encode<'_>,
        unit: u64,
        job: &Job<'_>,
        overs: &[f64],
        room: &mut Room,
    ) -> Result<(u64, Measures), Error> {
        let (over, read) = self.code(encode, unit, job, overs, room)?;
        let (encoder, shape) =
            (&self.plan.encoders[encode.encoder], (room.numbers.len(), encode.columns as usize));
        encoder.decode(shape, over, &mut room.strip, &mut room.turned)?;
        let mut measures = Measures::default();
        room.numbers.widen(&mut room.wide);
        measures.add(&room.wide, &room.turned);
        Ok((read, measures))
    }

    fn encode(
        &self,
        encode: &Encode<'_>,
        unit: u64,
        job: &Job<'_>,
        overs: &[f64],
        writer: &safetensors::Writer,
        room: &mut Room,
    ) -> Result<u64, Error> {
        let (over, read) = self.code(encode, unit, job, overs, room)?;
        let scheme = self.plan.encoders[encode.encoder].scheme;
        let (matrix, first, _) = Self::rows(encode, unit);
        let [codes, scales, scale_over] = encode.slots;
        let row = matrix * encode.rows + first;
        writer.write_at(codes, scheme.bytes(row * encode.columns), &room.strip.packed)?;
        let (_, across) = scheme.grid(1, encode.columns);
        let width = scheme.scales.width() as u64 / 8;
        writer.write_at(scales, row / scheme.block.0 * across * width, &room.strip.scales)?;
        if unit == 0 && scheme.over != Over::None {
            writer.write_at(scale_over, 0, &(over as f32).to_le_bytes())?;
        }
        Ok(read)
    }

    /// Puts elements, as the type of numbers, into the room's bytes.
    fn decode(&self, source: &Source<'_>, first: u64, count: u64, room: &mut Room) -> Result<(), Error> {
        if let Source::Coded(decoded) = source {
            let row = decoded.row();
            if self.decode_in_kernel(decoded, (first / row, count / row), room)? {
                return Ok(());
            }
        }
        let values = &mut room.turned;
        match source {
            Source::Coded(decoded) => {
                let row = decoded.row();
                decoded.read_rows(first / row, count / row, &mut room.weight, values)?;
            }
            Source::Noted(scaled) => scaled.read(first, count, &mut room.bytes, values)?,
            Source::Plain(_) => values.clear(),
        }
        match &self.out {
            None => {
                room.bytes.resize(4 * values.len(), 0);
                let words = room.bytes.as_chunks_mut().0.iter_mut();
                words.zip(values).for_each(|(word, value)| *word = (*value as f32).to_le_bytes());
            }
            Some(encoder) => {
                room.halves.resize(values.len(), 0);
                encoder.encode_f64(values, &mut room.halves[..])?;
                to_bytes(&room.halves, &mut room.bytes);
            }
        }
        Ok(())
    }

    /// The same of rows, where a kernel does it.
    fn decode_in_kernel(
        &self,
        decoded: &weight::Decoded<'_>,
        rows: (u64, u64),
        room: &mut Room,
    ) -> Result<bool, Error> {
        let Room { weight, halves, bytes, numbers, again, .. } = room;
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

/// Rows of so many numbers, transposed.
fn turned<T: Copy>(numbers: &[T], row: usize) -> Vec<T> {
    let rows = numbers.len() / row.max(1);
    debug_assert!(row as u64 <= STRIP);
    (0..row).flat_map(|column| (0..rows).map(move |at| numbers[at * row + column])).collect()
}

/// The files of the output, each begun with its first unit and finished with its last.
pub(crate) struct Outputs<'a> {
    shards: Vec<OutputFile<'a>>,
    pub(crate) done: AtomicUsize,
}

struct OutputFile<'a> {
    path: std::path::PathBuf,
    shard: &'a OutputShard,
    if_exists: IfExists,
    units: AtomicU64,
    stage: Mutex<Stage>,
}

enum Stage {
    Waiting,
    Open(Arc<safetensors::Writer>),
    Done,
}

impl<'a> Outputs<'a> {
    /// Files at these paths, with as many units to come.
    pub(crate) fn new(
        plan: &'a Plan<'_>,
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
            });
        Outputs { shards: shards.collect(), done: AtomicUsize::new(0) }
    }

    /// Begins a file, if nobody has.
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
            // A unit is counted off after it was written, so this is the answer to a file without any.
            _ => Err(Error::Cancelled),
        }
    }

    /// Counts off a unit, and finishes its file with the last; nobody else holds the writer then.
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
            self.done.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }
}
