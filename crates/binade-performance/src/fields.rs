//! Numeric fields of a core: their keys, and the numbers that each takes. The ranges are wide: they exclude what no machine has.

use std::fmt;

/// Numbers that a field takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The least number.
    pub least: f64,
    /// The greatest number.
    pub most: f64,
    /// The number of which each is a multiple; 0 if the field takes fractions.
    pub step: f64,
    /// The unit; empty for shares, and for numbers that the key names.
    pub unit: &'static str,
}

/// Numeric fields by key, in the order of documents. `NAME` stands for the name of a cache, and `FORMAT` for that of a format.
pub const FIELDS: [(&str, Range); 21] = [
    ("frequency_ghz", Range::new(0.001, 1e3, "GHz")),
    ("fma_share", Range::new(1e-6, 1.0, "")),
    ("units.count", Range::new(0.001, 1e6, "")),
    ("units.vector_bits", Range::new(32.0, 65536.0, "bits").multiples_of(32.0)),
    ("units.registers", Range::new(4.0, 65536.0, "").multiples_of(1.0)),
    ("units.area", Range::new(1.0, 1e6, "")),
    ("units.multiply_adds", Range::new(1.0, 65536.0, "").multiples_of(1.0)),
    ("units.issue_width", Range::new(0.01, 1e3, "instructions per cycle")),
    ("units.reorder_buffer", Range::new(1.0, 1e6, "instructions").multiples_of(1.0)),
    ("peak.tile", Range::new(1.0, 65536.0, "").multiples_of(1.0)),
    ("peak.FORMAT", Range::new(1e-6, 1e6, "TFLOP/s")),
    ("cache.NAME.kib", Range::new(0.0625, 1e9, "KiB")),
    ("cache.NAME.ways", Range::new(1.0, 1e6, "").multiples_of(1.0)),
    ("cache.NAME.line", Range::new(4.0, 65536.0, "bytes").multiples_of(1.0)),
    ("cache.NAME.instances", Range::new(1.0, 1e6, "").multiples_of(1.0)),
    ("cache.NAME.bytes_per_cycle", Range::new(0.001, 1e6, "bytes per cycle")),
    ("cache.NAME.latency_cycles", Range::new(0.1, 1e6, "cycles")),
    ("memory.gb_per_s", Range::new(0.001, 1e6, "GB/s")),
    ("memory.latency_ns", Range::new(0.1, 1e6, "ns")),
    ("overhead.operation_ns", Range::new(0.0, 1e9, "ns")),
    ("overhead.product_ns", Range::new(0.0, 1e9, "ns")),
];

impl Range {
    const fn new(least: f64, most: f64, unit: &'static str) -> Range {
        Range { least, most, step: 0.0, unit }
    }

    const fn multiples_of(self, step: f64) -> Range {
        Range { step, ..self }
    }

    /// The range of a field; `None` for a key that is no numeric field.
    pub fn of(key: &str) -> Option<Range> {
        let matches = |known: &str| {
            known == key
                || [known.split_once("NAME"), known.split_once("FORMAT")]
                    .into_iter()
                    .flatten()
                    .any(|(before, after)| key.strip_prefix(before).is_some_and(|rest| rest.ends_with(after)))
        };
        FIELDS.iter().find(|(known, _)| matches(known)).map(|(_, range)| *range)
    }

    /// Returns true if the field takes a number.
    pub fn contains(self, x: f64) -> bool {
        (self.least..=self.most).contains(&x) && (self.step == 0.0 || x % self.step == 0.0)
    }

    /// The bounds with their unit, for documents.
    pub fn bounds(self) -> String {
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        format!("{} to {}{unit}", self.least, self.most)
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.step {
            0.0 => write!(f, "a number")?,
            1.0 => write!(f, "a whole number")?,
            step => write!(f, "a multiple of {step}")?,
        }
        write!(f, " from {}", self.bounds())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documented_fields_have_their_ranges() {
        let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/performance.md"))
            .unwrap();
        let rows = page.split("\n| field | range | meaning |\n|---|---|---|\n").nth(1).unwrap();
        let rows = rows.lines().take_while(|line| line.starts_with('|'));
        let documented: Vec<String> =
            rows.map(|row| row.rsplitn(3, '|').nth(2).unwrap().to_owned()).collect();
        let wanted = FIELDS.map(|(key, range)| {
            let range = match range.step {
                0.0 => range.bounds(),
                1.0 => format!("{}, whole", range.bounds()),
                step => format!("{}, multiples of {step}", range.bounds()),
            };
            format!("| `{key}` | {range} ")
        });
        assert_eq!(documented, wanted);
    }

    #[test]
    fn range_takes_its_bounds_and_excludes_what_is_beyond() {
        for (key, range) in FIELDS {
            assert!(range.contains(range.least) && range.contains(range.most), "{key}");
            let below = range.least - range.step.max(range.least * 1e-9).max(1e-9);
            for x in [below, -range.most, range.most * 1.1, f64::NAN, f64::INFINITY, 1e300, -0.5] {
                assert!(!range.contains(x), "{key} {x}");
            }
            assert_eq!(range.contains(1e-300), range.least == 0.0 && range.step == 0.0, "{key}");
            assert!(range.step == 0.0 || !range.contains(range.least + 0.5), "{key}");
        }
    }

    #[test]
    fn names_of_caches_and_formats_stand_in_keys() {
        assert_eq!(Range::of("cache.L9.kib"), Range::of("cache.NAME.kib"));
        assert_eq!(Range::of("peak.bf16").unwrap().unit, "TFLOP/s");
        assert_eq!(Range::of("peak.tile").unwrap().unit, "");
        for key in ["", "kib", "cache.kib", "cache.L1.size", "frequency"] {
            assert_eq!(Range::of(key), None, "{key}");
        }
    }
}
