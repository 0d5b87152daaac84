//! Tests of whole evaluations.

mod known_bodies;
mod movement;
mod observers;
mod open_sizes;
mod walk;
mod work;
