//! Multiply-adds that evaluate elementary functions, or make random numbers, in code of any kind.
//!
//! Such code computes with constants of its own: an argument is reduced by ln 2 or π in parts, a polynomial with constant
//! coefficients follows, and the result is put together from the polynomial and the argument. Under an operator with fewer
//! bits it fails altogether (exp loses its exponent, erf⁻¹ gets the argument 1), while a tensor program's own sums of
//! products only lose accuracy. One function may hold both, so each multiply-add is judged by itself:
//!
//! 1. `flow` says where the values of a function come from: which are constants (wherever they were loaded, spilled or
//!    broadcast), and which instruction made the others.
//! 2. `judge` finds polynomials (degree 3 and three coefficients at least, in any order of evaluation) and known constants of
//!    reductions. From there it finds reductions of the polynomial's variable, and computations on nothing but the polynomial,
//!    its argument and constants. It also finds rounding errors of products and quotients, a·b − fl(a·b), from which functions of
//!    more than binary32's accuracy are made.
//!
//! 3. `conversion` finds arithmetic by which numbers become others of another type: results that code takes apart as integers,
//!    and operands that it puts together from bits. Rounded to fewer bits such numbers mean something else.
//!
//! The agent asks this behind its lock: nothing here may touch per-thread state, as hash maps' random keys do.
//!
//! A sum of products stays one: its factors come from memory and its sum from the step before, which is neither a constant
//! nor an argument. `acc + exp(x) · y` is a sum of products with an elementary function as factor, and not part of it.

mod conversion;
mod flow;
mod judge;

use std::collections::BTreeSet;

use iced_x86::Instruction;

pub use flow::spread;

/// The addresses of multiply-adds, separate products and sums included, that evaluate elementary functions or make random
/// numbers. `code` are a function's instructions by ascending address, as far as they are known; `read` gives the eight
/// bytes at an address that the code reads, or four of them twice if that is all that it reads, if they can be read.
pub fn multiply_adds(code: &[Instruction], read: &dyn Fn(u64, usize) -> Option<u64>) -> BTreeSet<u64> {
    let flow = flow::Flow::of(code, read);
    judge::native(&flow).into_iter().map(|step| code[step as usize].ip()).collect()
}

#[cfg(test)]
mod tests;
