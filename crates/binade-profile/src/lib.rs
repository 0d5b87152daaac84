//! The data that the command, the launcher and the agent of `binade run` exchange, and the results of a run.
//!
//! The launcher hands every process a [`config::Config`]; the agent in it chooses objects and functions by a
//! [`filter::Filter`], operators by [`rules`], and programs to be loaded into by [`program`]; it leaves a [`record`], from which the launcher makes
//! a [`summary`] and a [`profile::Profile`]. A [`mix::Mix`] holds the shares of instructions that `binade mix` counts.

pub mod config;
pub mod demangle;
pub mod filter;
pub mod mix;
pub mod profile;
pub mod program;
pub mod record;
pub mod rules;
pub mod source;
pub mod summary;
