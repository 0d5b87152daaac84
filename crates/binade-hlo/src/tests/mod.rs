//! Tests of whole programs: special algorithms against general ones, movement of data, observers, open sizes, costs.

mod known_bodies;
mod movement;
mod observers;
mod open_sizes;
mod walk;
mod work;
