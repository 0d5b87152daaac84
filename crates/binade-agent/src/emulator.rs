//! What stands behind the gate: an operator on the operands of one instruction.

use binade::Operator;
use binade_fma::{Lanes, MultiplyAdd};
use binade_patch::trampoline::{Operands, is_identity};
use binade_simd::Isa;

/// Computes instructions that have no inline code.
#[derive(Debug)]
pub(crate) struct Emulator {
    operator: Operator,
    kernel: MultiplyAdd,
    identity: bool,
}

impl Emulator {
    /// The operator on the best instruction set of this machine.
    pub(crate) fn new(operator: Operator) -> Emulator {
        let kernel = MultiplyAdd::new(&operator, Isa::detect());
        let identity = is_identity(&operator);
        Emulator { operator, kernel, identity }
    }

    /// Fills in `operands.d`, except for the identity, whose result is there. MXCSR must have its default, which it has
    /// behind the gate.
    pub(crate) fn compute(&self, operands: &mut Operands) {
        if self.identity {
            return;
        }
        let Operands { a, b, c, d, lanes, .. } = operands;
        match operands.bytes {
            4 if *lanes == 1 && !self.kernel.is_fast() => {
                d[0] = self.operator.multiply_add(single(a, 0), single(b, 0), single(c, 0)).to_bits();
            }
            4 => {
                let [x, y, z]: [Lanes; 3] = [a, b, c].map(|lanes| lanes.map(f32::from_bits));
                let mut sum = [0.0; binade_fma::LANES];
                self.kernel.apply_in_default(&x, &y, &z, &mut sum);
                *d = sum.map(f32::to_bits);
            }
            _ => {
                for lane in 0..*lanes as usize {
                    let value = self
                        .operator
                        .multiply_add_f64(double(a, lane), double(b, lane), double(c, lane))
                        .to_bits();
                    (d[2 * lane], d[2 * lane + 1]) = (value as u32, (value >> 32) as u32);
                }
            }
        }
    }
}

fn single(lanes: &[u32; 16], lane: usize) -> f32 {
    f32::from_bits(lanes[lane])
}

fn double(lanes: &[u32; 16], lane: usize) -> f64 {
    f64::from_bits(lanes[2 * lane] as u64 | (lanes[2 * lane + 1] as u64) << 32)
}
