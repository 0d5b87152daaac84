#![forbid(unsafe_code)]
//! StableHLO programs, read, checked and evaluated on every element type.
