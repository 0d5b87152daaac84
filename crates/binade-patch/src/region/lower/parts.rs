//! Operands in parts: rounded to BF16, split, multiplied and summed, within a segment.

use binade::operator::Compound;

use super::segment::Segment;
use crate::region::ir::{Constant, Opcode, Place, Signs, Width};

impl Segment {
    /// x to nearest even BF16, in place. x has no NaN but quiet ones without payload.
    pub(super) fn round(&mut self, width: Width, x: Place) {
        self.round_one(width, x, false);
    }

    /// The same for the sum of a multiply-add.
    pub(super) fn round_sum(&mut self, width: Width, x: Place) {
        self.round_one(width, x, true);
    }

    fn round_one(&mut self, width: Width, x: Place, sum: bool) {
        if self.quick && self.by_adders(width, sum) {
            let back = self.temporary();
            self.unary(Opcode::Scale(Constant::Back), width, back, x);
            self.operation(Opcode::Subtract, width, x, [Some(back), Some(x)]);
            self.operation(Opcode::Subtract, width, x, [Some(back), Some(x)]);
            return;
        }
        if self.quick {
            let spread = self.temporary();
            self.unary(Opcode::Scale(Constant::Spread), width, spread, x);
            self.unary(Opcode::ScaleTo(Constant::Back), width, x, spread);
            return;
        }
        let parity = self.temporary();
        self.unary(Opcode::Parity, width, parity, x);
        self.unary(Opcode::Weigh, width, x, parity);
        self.unary(Opcode::Truncate, width, x, x);
    }

    /// The BF16 nearest to x, x staying as it is.
    pub(super) fn rounded(&mut self, width: Width, x: Place) -> Place {
        if self.quick {
            let spread = self.temporary();
            self.unary(Opcode::Scale(Constant::Spread), width, spread, x);
            self.unary(Opcode::ScaleAdd(Constant::Back), width, spread, x);
            return spread;
        }
        let sum = self.temporary();
        self.unary(Opcode::AddInteger(Constant::Half), width, sum, x);
        let even = self.temporary();
        self.unary(Opcode::Even, width, even, x);
        self.unary(Opcode::Lessen, width, sum, even);
        self.unary(Opcode::Truncate, width, sum, sum);
        sum
    }

    /// The leading part of what a sum is split into and joined from.
    pub(super) fn leading_of_sum(&mut self, width: Width, x: Place) -> Place {
        let (parity, sum) = (self.temporary(), self.temporary());
        self.unary(Opcode::Parity, width, parity, x);
        self.unary(Opcode::Move, width, sum, x);
        self.unary(Opcode::WeighSum, width, sum, parity);
        self.unary(Opcode::Truncate, width, sum, sum);
        sum
    }

    pub(super) fn quiet(&mut self, width: Width, x: Place) {
        if self.quick {
            return;
        }
        self.unary(Opcode::Fixup(Constant::Quiet), width, x, x);
    }

    /// The parts after the leading one `head` of a value; `rest` is the value and is used up. `infinite` says what to do
    /// where the value is infinite, and `exact` that the last part needs no rounding.
    pub(super) fn lower_parts(
        &mut self,
        width: Width,
        head: Place,
        rest: Place,
        count: usize,
        infinite: Option<Constant>,
        exact: bool,
    ) -> Vec<Place> {
        let mut parts = vec![head];
        for i in 1..count {
            self.operation(Opcode::Subtract, width, rest, [Some(rest), Some(parts[i - 1])]);
            // Inf − Inf is NaN. Once made 0 it stays so.
            if let Some(constant) = infinite.filter(|&c| i == 1 || c == Constant::Infinity)
                && !self.quick
            {
                self.unary(Opcode::Fixup(constant), width, rest, head);
            }
            if i + 1 < count {
                let part = self.rounded(width, rest);
                parts.push(part);
            } else {
                if !exact {
                    self.round(width, rest);
                }
                parts.push(rest);
            }
        }
        parts
    }

    /// The parts of a value that has no NaN but quiet ones; x is used up.
    pub(super) fn split(
        &mut self,
        width: Width,
        x: Place,
        count: usize,
        infinite: Option<Constant>,
        exact: bool,
    ) -> Vec<Place> {
        let head = self.rounded(width, x);
        self.lower_parts(width, head, x, count, infinite, exact)
    }

    /// The parts of an input, as [`Segment::split`].
    pub(super) fn inputs(&mut self, width: Width, x: Place, count: usize, exact: bool) -> Vec<Place> {
        if count == 1 {
            self.round(width, x);
            return vec![x];
        }
        self.split(width, x, count, Some(Constant::Infinity), exact)
    }

    /// The sum of parts, largest first, which uses them up.
    pub(super) fn join(&mut self, width: Width, parts: &[Place], to: Place) {
        let mut sum = parts[0];
        for (i, &part) in parts.iter().enumerate().skip(1) {
            let place = if i + 1 == parts.len() { to } else { sum };
            self.operation(Opcode::Add, width, place, [Some(sum), Some(part)]);
            sum = place;
        }
    }

    /// The partial products summed smallest first, as [`Compound::multiply_add`] does.
    pub(super) fn product(&mut self, width: Width, a: &[Place], b: &[Place], products: usize) -> Place {
        let order = Compound::order(products);
        let sum = self.temporary();
        for (count, &(i, j)) in order.iter().enumerate() {
            // A slot can be the last operand only.
            let (x, y) = match (a[i], b[j]) {
                (Place::Slot(_), Place::Slot(_)) => {
                    let x = self.temporary();
                    self.unary(Opcode::Move, width, x, a[i]);
                    (x, b[j])
                }
                (Place::Slot(_), y) => (y, a[i]),
                (x, y) => (x, y),
            };
            if count == 0 {
                self.operation(Opcode::Multiply, width, sum, [Some(x), Some(y)]);
            } else if products == 3 && count == 2 && !self.quick {
                let last = self.temporary();
                self.operation(Opcode::Multiply, width, last, [Some(x), Some(y)]);
                self.operation(Opcode::Add, width, sum, [Some(sum), Some(last)]);
            } else {
                self.operation(Opcode::MultiplyAdd(Signs::default()), width, sum, [Some(x), Some(y)]);
            }
        }
        sum
    }
}
