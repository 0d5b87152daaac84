//! Attributes of the plugin.

use crate::abi::{Named, Payload, Slice, arguments, entries, named};

/// The newest version of StableHLO's portable artifacts that is read, and the oldest.
static NEWEST: [i64; 3] = [1, 20, 0];
static OLDEST: [i64; 3] = [0, 9, 0];

const fn versions(name: &'static str, version: &'static [i64; 3]) -> Named {
    Named {
        struct_size: size_of::<Named>(),
        extension: std::ptr::null_mut(),
        name: Slice { start: name.as_ptr(), length: name.len() },
        kind: named::INTEGERS,
        value: Payload { integers: version.as_ptr() },
        size: 3,
    }
}

static ATTRIBUTES: [Named; 3] = [
    Named {
        struct_size: size_of::<Named>(),
        extension: std::ptr::null_mut(),
        name: Slice { start: "xla_version".as_ptr(), length: "xla_version".len() },
        kind: named::INTEGER,
        value: Payload { integer: 2 },
        size: 1,
    },
    versions("stablehlo_current_version", &NEWEST),
    versions("stablehlo_minimum_version", &OLDEST),
];

arguments! {
    Nothing {}
    Attributes { attributes: Slice<Named> }
}

entries! {
    /// Called once, before anything else.
    fn initialize(_arguments: Nothing) {
        Ok(())
    }

    /// Versions of programs that it reads.
    fn attributes(arguments: Attributes) {
        arguments.attributes = Slice::of(&ATTRIBUTES);
        Ok(())
    }
}
