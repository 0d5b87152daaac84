//! Studies of formats and operators that need no data: how well a format [represents](representation) numbers, and what
//! an operator [costs](cost). Both repeat a part of "A BF16 FMA is all you need for DNN training", Figure 2 and Table 1,
//! and go on from there to any format and operator.

pub mod cost;
pub mod representation;
