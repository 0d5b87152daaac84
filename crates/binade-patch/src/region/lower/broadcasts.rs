//! Broadcasts of a segment that are taken from rows: rounded as one vector, put into the frame, and broadcast from there.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use iced_x86::{FlowControl, Mnemonic};

use super::segment::Segment;
use super::slots::{Held, Slots};
use crate::fma::Operand;
use crate::region::graph::{Graph, Vectors};
use crate::region::ir::{Opcode, Place, Width, loads};
use crate::region::rows::{Row, rows};

/// Rows of a segment that are made use of.
const ROWS: usize = 32;

/// The rows of a segment.
#[derive(Default)]
pub(super) struct Broadcasts {
    rows: Vec<Row>,
    /// The row that an instruction broadcasts a number of, and the offset of that.
    members: BTreeMap<usize, (usize, u8)>,
    /// The slots of the parts of rows that are in the frame.
    fetched: BTreeMap<usize, Vec<u16>>,
}

impl Broadcasts {
    /// Finds what is broadcast, from an instruction of a range to the end of its segment, as factors of multiply-adds only.
    /// `raw` are the registers whose own bits are needed, ahead of each instruction.
    pub(super) fn find(
        graph: &Graph,
        range: &RangeInclusive<usize>,
        raw: &[Vectors],
        width: Width,
        start: usize,
    ) -> Broadcasts {
        let inside = |&k: &usize| {
            range.contains(&k)
                && graph.instructions[k].flow_control() == FlowControl::Next
                && (k == start || !graph.leaders.contains(&k))
        };
        let end = (start..graph.instructions.len()).take_while(inside).last().map_or(start, |k| k + 1);
        let needed = |k: usize| raw.get(k + 1).copied().unwrap_or(!0);
        let gone = |k: usize, bit| {
            (k + 1..end).any(|k| graph.effects[k].kills & bit != 0)
                || graph.live.get(end).is_some_and(|live| live & bit == 0)
        };
        let eligible = |k: usize| {
            let instruction = &graph.instructions[k];
            match &graph.sites[k] {
                Some(fma) => {
                    let factor = fma.a() == Operand::Memory || fma.b() == Operand::Memory;
                    (factor && fma.broadcast()).then_some(4)
                }
                None => {
                    let register = loads(instruction).filter(|r| Width::of(r.size()) <= width)?;
                    let bit = 1 << register.number();
                    let bytes = match instruction.mnemonic() {
                        Mnemonic::Vbroadcastss => 4,
                        Mnemonic::Vbroadcastsd => 8,
                        _ => return None,
                    };
                    (needed(k) & bit == 0 && gone(k, bit)).then_some(bytes)
                }
            }
        };
        let mut rows = rows(graph, start..end, &eligible, width);
        rows.truncate(ROWS);
        let members = rows
            .iter()
            .enumerate()
            .flat_map(|(row, found)| found.members.iter().map(move |&(k, offset)| (k, (row, offset))));
        Broadcasts { members: members.collect(), rows, fetched: BTreeMap::new() }
    }

    /// The input parts of what the segment's current instruction broadcasts, if that is of a row; the first in a given place.
    pub(super) fn parts(
        &mut self,
        bytes: u8,
        width: Width,
        (inputs, mut to): (usize, Option<Place>),
        segment: &mut Segment,
        slots: &mut Slots,
    ) -> Option<Vec<Place>> {
        let &(number, offset) = self.members.get(&segment.origin)?;
        let row = &self.rows[number];
        let fetched =
            self.fetched.entry(number).or_insert_with(|| fetch(row, number, inputs, segment, slots));
        segment.begin_task();
        let mut spread = |&slot: &u16| {
            let part = to.take().unwrap_or_else(|| segment.temporary());
            segment.unary(Opcode::Spread { bytes, offset }, width, part, Place::Slot(slot));
            part
        };
        Some(fetched.iter().map(&mut spread).collect())
    }
}

/// Puts the parts of a row into the frame.
fn fetch(row: &Row, number: usize, inputs: usize, segment: &mut Segment, slots: &mut Slots) -> Vec<u16> {
    segment.begin_task();
    let x = segment.temporary();
    segment.operation(Opcode::LoadRow(row.load), row.width, x, [None; 2]);
    segment.quiet(row.width, x);
    let parts = segment.inputs(row.width, x, inputs, false);
    let put = |(i, part)| {
        let slot = slots.of(Held::Row(number as u8, i));
        segment.unary(Opcode::Move, row.width, Place::Slot(slot), part);
        slot
    };
    parts.into_iter().enumerate().map(put).collect()
}
