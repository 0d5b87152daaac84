//! The operator on the operands of one instruction, for the gate's handlers.

use binade::Operator;
use binade_fma::{LANES, MultiplyAdd};
use binade_patch::trampoline::{Operands, RoundedMultiplyAdd, Target};
use binade_simd::Isa;

/// Computes instructions that have no inline code.
#[derive(Debug)]
pub(crate) struct Emulator {
    operator: Operator,
    kernel: MultiplyAdd,
    identity: bool,
    /// Another rounding of the identity.
    rounded: Option<RoundedMultiplyAdd>,
}

impl Emulator {
    /// A target's operator on the best instruction set of this machine.
    pub(crate) fn new(target: &Target) -> Emulator {
        let operator = target.operator.clone();
        let kernel = MultiplyAdd::new(&operator, Isa::detect());
        let rounded = target.rounding.map(RoundedMultiplyAdd::new);
        Emulator { operator, kernel, identity: target.identity(), rounded }
    }

    /// True if results are the instructions' own.
    pub(crate) fn is_identity(&self) -> bool {
        self.identity
    }

    /// a · b + c in each lane, MXCSR having its default.
    pub(crate) fn multiply_add(&self, [a, b, c]: [&[f32; LANES]; 3]) -> [f32; LANES] {
        let mut d = [0.0; LANES];
        self.kernel.apply_in_default(a, b, c, &mut d);
        d
    }

    /// Fills in `operands.d`, except for the identity, whose result is there. MXCSR must have its default, which it has
    /// behind the gate.
    pub(crate) fn compute(&self, operands: &mut Operands) {
        if self.identity {
            return;
        }
        if let Some(rounded) = &self.rounded {
            let (word, lanes) = (operands.word, operands.lanes as usize);
            return operands.compute(
                |[a, b, c]| {
                    let mut d = [0.0; LANES];
                    (0..lanes).for_each(|lane| d[lane] = rounded.single(word, a[lane], b[lane], c[lane]));
                    d
                },
                |[a, b, c]| rounded.double(word, a, b, c),
            );
        }
        let slow = operands.lanes == 1 && !self.kernel.is_fast();
        operands.compute(
            |[a, b, c]| {
                let mut d = [0.0; LANES];
                match slow {
                    true => d[0] = self.operator.multiply_add(a[0], b[0], c[0]),
                    false => self.kernel.apply_in_default(&a, &b, &c, &mut d),
                }
                d
            },
            |[a, b, c]| self.operator.multiply_add_f64(a, b, c),
        );
    }
}
