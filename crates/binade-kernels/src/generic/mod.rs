//! The algorithms, each written once over the vectors of [`crate::lanes`].

pub(crate) mod convert;
pub(crate) mod strips;
