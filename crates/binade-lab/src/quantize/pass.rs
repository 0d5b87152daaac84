//! The pass that rounds a tensor and writes it, chunk by chunk.

use std::ops::Range;

use binade::block::NotFinite;
use binade::catalog::F64;
use binade::{Edition, Rounding, Saturation};
use binade_kernels::Tally;

use super::RoundingChoice;
use super::encode::{ElementEncoder, ElementScales, Encoded};
use super::output::TensorSlots;
use super::plan::{QuantizePlan, Scaling, maxima, no_nan};
use crate::pool::{CHUNK, over_chunks};
use crate::scale::{Extent, Groups, Rule};
use crate::values::{StoredElements, Values, pack};
use crate::write::Sink;
use crate::{Error, Progress, Scale};

/// A pass that rounds one tensor.
pub(super) struct Pass<'a> {
    pub(super) plan: &'a QuantizePlan<'a>,
    pub(super) values: &'a Values<'a>,
    pub(super) groups: Groups,
    pub(super) scale: &'a Scale,
    pub(super) encoder: &'a ElementEncoder,
    /// True if codes are two's complement integers.
    pub(super) int8: bool,
    pub(super) scaling: Scaling,
    /// First group whose scale is known.
    pub(super) base: u64,
    /// Destination of the results; `None` to measure losses only.
    pub(super) out: Option<(&'a TensorSlots, &'a Sink)>,
}

/// Scratch buffers of a thread, reused from chunk to chunk.
#[derive(Default)]
struct ChunkBuffers {
    bytes: Vec<u8>,
    elements: Vec<f64>,
    stored: StoredElements,
    /// The scale of each element, if there are scales.
    scales: Vec<f64>,
    encoded: Encoded,
    simulated: Encoded,
}

impl Pass<'_> {
    pub(super) fn run(&self, progress: &dyn Progress) -> Result<Tally, Error> {
        let simulated = self.plan.options.simulate.then(|| {
            let format = self.values.spec.as_ref().map_or(F64, |spec| spec.format);
            let nearest = RoundingChoice::Fixed(Rounding::NearestEven);
            ElementEncoder::new(format, nearest, Saturation::Finite, Edition::Interim)
        });
        let (values, batch) = (self.values, self.groups.batch_elements().next_multiple_of(CHUNK));
        let mut total = Tally::default();
        for start in (0..values.elements).step_by(batch as usize) {
            let range = start..(start + batch).min(values.elements);
            let known = match &self.scaling {
                Scaling::Tiles(rule) => Some(self.known(rule, range.clone(), progress)?),
                _ => None,
            };
            let pass = known.as_ref().unwrap_or(self);
            let tallies =
                over_chunks(values.tensor, values.elements, range, progress, |buffers, first, count| {
                    pass.chunk(first, count, simulated.as_ref(), buffers)
                })?;
            tallies.iter().for_each(|tally| total.merge(tally));
            if known.is_some() {
                // The previous part has written the scales of the tiles that overlap both.
                let band = self.groups.band(start..start + 1, values.elements).start;
                pass.write_known(if band < start { self.groups.across() } else { 0 })?;
            }
        }
        self.write_known(0)?;
        if let Some((places, sink)) = self.out
            && let (
                Scaling::Blocks(Rule { tensor_scale, .. })
                | Scaling::Tiles(Rule { tensor_scale, .. })
                | Scaling::Known(_, tensor_scale),
                Some(slot),
            ) = (&self.scaling, places.tensor_scale)
        {
            sink.write_at(slot, 0, &(tensor_scale.unwrap_or(1.0) as f32).to_le_bytes())?;
        }
        Ok(total)
    }

    /// The same pass with the scales of the tiles that overlap these elements.
    fn known(&self, rule: &Rule, range: Range<u64>, progress: &dyn Progress) -> Result<Pass<'_>, Error> {
        let groups = self.groups;
        let band = groups.band(range, self.values.elements);
        let (base, count) = groups.among(band.start, band.end - 1);
        let maxima = maxima(self.values, groups, band, base..base + count, progress)?;
        let not_finite = self.not_finite();
        let scales = maxima.into_iter().map(|extent| rule.scale_of(extent, not_finite));
        let scales = scales.collect::<Result<_, u64>>().map_err(|index| self.no_nan(index))?;
        Ok(Pass { scaling: Scaling::Known(scales, rule.tensor_scale), base, ..*self })
    }

    /// Writes the known scales, except the first `skipped`.
    fn write_known(&self, skipped: u64) -> Result<(), Error> {
        if let (Scaling::Known(scales, _), Some((TensorSlots { scales: Some((slot, bits)), .. }, sink))) =
            (&self.scaling, self.out)
        {
            let codes: Vec<u64> = scales.iter().skip(skipped as usize).map(|(code, _)| *code).collect();
            write_scales(sink, *slot, self.base + skipped, &codes, *bits, &mut vec![])?;
        }
        Ok(())
    }

    /// Rounds and writes a chunk. Blocks that extend beyond it are read whole, here and in the neighbouring chunk. The chunk
    /// in which a block begins writes its scale.
    fn chunk(
        &self,
        first: u64,
        count: u64,
        simulated: Option<&ElementEncoder>,
        buffers: &mut ChunkBuffers,
    ) -> Result<Tally, Error> {
        let values = self.values;
        let mut tally = Tally::default();
        // Encoded as stored, if nothing needs binary64 values.
        if let (Scaling::None, None, Some(meter)) = (&self.scaling, simulated, self.encoder.meter())
            && values.read_stored(first, count, &mut buffers.bytes, &mut buffers.stored)?
        {
            buffers.encoded.encode_stored(meter, &buffers.stored, first, &mut tally)?;
            self.write(&buffers.encoded, first, &mut buffers.bytes)?;
            return Ok(tally);
        }
        let (from, to) = match &self.scaling {
            Scaling::Blocks(_) => (self.groups.start(first), self.groups.end(first + count - 1)),
            _ => (first, first + count),
        };
        values.read(from, to - from, &mut buffers.bytes, &mut buffers.elements)?;
        if let Scaling::Known(..) | Scaling::Blocks(_) = &self.scaling {
            let begun = self.scales(from, to, first, &buffers.elements, &mut buffers.scales)?;
            if let (Scaling::Blocks(_), Some((TensorSlots { scales: Some((slot, bits)), .. }, sink))) =
                (&self.scaling, self.out)
            {
                // The first block that begins in this chunk: the block of its first element, or the next one.
                let block = self.groups.of(first) + (from < first) as u64;
                write_scales(sink, *slot, block, &begun, *bits, &mut buffers.bytes)?;
            }
        }
        let own = (first - from) as usize..(first - from + count) as usize;
        if self.scale != &Scale::None {
            self.encoder.without_infinities(&mut buffers.elements[own.clone()]);
        }
        let narrow = values.spec.as_ref().is_some_and(|spec| spec.format.precision() <= 24);
        let scaled = match &self.scaling {
            Scaling::None => ElementScales::NONE,
            _ => ElementScales {
                by: Some(&buffers.scales[own.clone()]),
                decided: narrow && Rule::bits(self.scale) + self.encoder.format.precision() < 53,
                exact: narrow && Rule::is_mx(self.scale),
            },
        };
        self.encoder.encode(
            &buffers.elements[own.clone()],
            scaled,
            first,
            &mut buffers.encoded,
            &mut tally,
        )?;
        if let Some(scales) = scaled.by {
            buffers.encoded.clear_nan(scales);
        }
        match simulated {
            Some(encoder) if self.out.is_some() => {
                encoder.encode_back(&buffers.encoded.values, &mut buffers.simulated)?;
                self.write(&buffers.simulated, first, &mut buffers.bytes)?;
            }
            _ => {
                if self.int8 {
                    buffers.encoded.make_int8();
                }
                self.write(&buffers.encoded, first, &mut buffers.bytes)?;
            }
        }
        Ok(tally)
    }

    /// Writes the codes of the elements from `first` on, if there is an output. `bytes` is a scratch buffer.
    fn write(&self, encoded: &Encoded, first: u64, bytes: &mut Vec<u8>) -> Result<(), Error> {
        let Some((places, sink)) = self.out else { return Ok(()) };
        let bits = places.layout.bits;
        let bytes = encoded.bytes(bits, bytes)?;
        sink.write_at(places.codes, (first as u128 * bits as u128 / 8) as u64, bytes)
    }

    /// Treatment of infinite and NaN elements.
    fn not_finite(&self) -> NotFinite {
        Rule::not_finite(self.encoder.format, self.scale)
    }

    fn no_nan(&self, index: u64) -> Error {
        no_nan(self.values, index, self.encoder.format, self.scale)
    }

    /// Scales for the elements `from` to `to`, one for each, and scale codes of the blocks that begin at `first` or later.
    fn scales(
        &self,
        from: u64,
        to: u64,
        first: u64,
        elements: &[f64],
        each: &mut Vec<f64>,
    ) -> Result<Vec<u64>, Error> {
        let (mut begun, not_finite) = (vec![], self.not_finite());
        each.clear();
        for (group, range) in self.groups.runs(from, to - from) {
            let scale = match &self.scaling {
                Scaling::None | Scaling::Tiles(_) => 1.0,
                Scaling::Known(scales, _) => {
                    scales.get((group - self.base) as usize).map_or(1.0, |(_, scale)| *scale)
                }
                Scaling::Blocks(rule) => {
                    let extent = Extent::of(from + range.start as u64, &elements[range.clone()]);
                    let scale = rule.scale_of(extent, not_finite);
                    let (code, scale) = scale.map_err(|index| self.no_nan(index))?;
                    if from + range.start as u64 >= first {
                        begun.push(code);
                    }
                    scale
                }
            };
            each.resize(range.end, scale);
        }
        Ok(begun)
    }
}

fn write_scales(
    sink: &Sink,
    slot: usize,
    first: u64,
    codes: &[u64],
    bits: u32,
    bytes: &mut Vec<u8>,
) -> Result<(), Error> {
    pack(codes, bits, bytes);
    sink.write_at(slot, (first as u128 * bits as u128 / 8) as u64, bytes)
}
