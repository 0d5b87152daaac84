//! Studies of formats and operators without data, for `binade study`: how well a format [represents](representation) numbers,
//! and the [`cost`] of an operator. They reproduce Figure 2 and Table 1 of "A BF16 FMA is all you need for DNN training",
//! for any format and operator.

pub mod cost;
pub mod representation;
