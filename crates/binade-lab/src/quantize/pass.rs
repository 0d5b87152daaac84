//! The pass over a tensor that rounds and writes it, a chunk at a time.

use binade::{Rounding, Saturation};

use super::RoundingChoice;
use super::encode::{Encoded, Encoder};
use super::output::Places;
use super::plan::{Plan, Scaling, largest_finite};
use super::tally::Tally;
use crate::pool::over_chunks;
use crate::scale::{Groups, Rule};
use crate::values::{F64, Values, pack};
use crate::write::Sink;
use crate::{Error, Progress};

/// The pass over one tensor that writes it.
pub(super) struct Pass<'a> {
    pub(super) plan: &'a Plan<'a>,
    pub(super) values: &'a Values<'a>,
    pub(super) groups: Groups,
    pub(super) encoder: &'a Encoder,
    pub(super) scaling: Scaling,
    pub(super) places: &'a Places,
    pub(super) sink: &'a Sink,
}

impl Pass<'_> {
    pub(super) fn run(&self, progress: &dyn Progress) -> Result<Tally, Error> {
        let simulated = self.plan.options.simulate.then(|| {
            let format = self.values.spec.as_ref().map_or(F64, |spec| spec.format);
            Encoder::new(format, RoundingChoice::Fixed(Rounding::NearestEven), Saturation::Finite)
        });
        let tallies = over_chunks(self.values.tensor, self.values.elements, progress, |first, count| {
            self.chunk(first, count, simulated.as_ref())
        })?;
        if let (Scaling::Known(scales), Some((slot, bits))) = (&self.scaling, self.places.scales) {
            let codes: Vec<u64> = scales.iter().map(|(code, _)| *code).collect();
            self.write(slot, 0, &codes, bits, &mut vec![])?;
        }
        if let (Scaling::Blocks(rule), Some(slot)) = (&self.scaling, self.places.over) {
            self.sink.write_at(slot, 0, &(rule.over.unwrap_or(1.0) as f32).to_le_bytes())?;
        }
        let mut total = Tally::default();
        tallies.iter().for_each(|tally| total.merge(tally));
        Ok(total)
    }

    fn write(
        &self,
        slot: usize,
        first: u64,
        codes: &[u64],
        bits: u32,
        bytes: &mut Vec<u8>,
    ) -> Result<(), Error> {
        pack(codes, bits, bytes);
        self.sink.write_at(slot, (first as u128 * bits as u128 / 8) as u64, bytes)
    }

    /// Rounds and writes a chunk. Blocks that reach beyond it are read whole, here and in the neighbouring chunk; their
    /// scale is written by the chunk in which they begin.
    fn chunk(&self, first: u64, count: u64, simulated: Option<&Encoder>) -> Result<Tally, Error> {
        let values = self.values;
        let (from, to) = match &self.scaling {
            Scaling::Blocks(_) => (self.groups.start(first), self.groups.end(first + count - 1)),
            _ => (first, first + count),
        };
        let (mut bytes, mut elements) = (vec![], vec![]);
        values.read(from, to - from, &mut bytes, &mut elements)?;

        let narrow = values.spec.as_ref().is_some_and(|spec| spec.format.precision() <= 24)
            && self.scale_bits() + self.encoder.format.precision() < 53;
        let mut tally = Tally::default();
        let room = count as usize;
        let mut out = Encoded { codes: Vec::with_capacity(room), values: Vec::with_capacity(room) };
        let mut scales = vec![];
        for (group, range) in self.groups.runs(from, to - from) {
            let scale = match &self.scaling {
                Scaling::None => 1.0,
                Scaling::Known(scales) => scales.get(group as usize).map_or(1.0, |(_, scale)| *scale),
                Scaling::Blocks(rule) => {
                    let (code, scale) = rule.scale(largest_finite(&elements[range.clone()]));
                    if from + range.start as u64 >= first {
                        scales.push(code);
                    }
                    scale
                }
            };
            let start = range.start.max((first - from) as usize);
            let end = range.end.min((first + count - from) as usize);
            self.encoder.encode(
                &elements[start..end],
                scale,
                narrow,
                from + start as u64,
                &mut out,
                &mut tally.flags,
            );
        }
        let own = &elements[(first - from) as usize..(first + count - from) as usize];
        tally.compare(own, &out.values, &mut Default::default());

        if let Some(encoder) = simulated {
            encoder.encode_back(&mut out);
        }
        if let (Scaling::Blocks(_), Some((slot, bits))) = (&self.scaling, self.places.scales) {
            // The first block that begins here: the one after that of the element before, if there is one.
            let block = if from < first { self.groups.of(first) + 1 } else { self.groups.of(first) };
            self.write(slot, block, &scales, bits, &mut bytes)?;
        }
        self.write(self.places.codes, first, &out.codes, self.places.layout.bits, &mut bytes)?;
        Ok(tally)
    }

    /// How many significant bits a scale can have.
    fn scale_bits(&self) -> u32 {
        let scale = &self.plan.options.scale;
        Rule::format(scale).precision() + if Rule::has_two_levels(scale) { 24 } else { 0 }
    }
}
