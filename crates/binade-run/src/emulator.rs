//! What stands behind the gate: an operator on the operands of one instruction.

use std::ffi::c_void;

use binade::catalog::F64;
use binade::{Operator, Projection, project};
use binade_kernels::{Isa, Lanes, MultiplyAdd};

use crate::trampoline::{Operands, is_identity};

/// Computes instructions that have no inline code.
#[derive(Debug)]
pub struct Emulator {
    operator: Operator,
    kernel: MultiplyAdd,
    identity: bool,
}

impl Emulator {
    /// The operator on the best instruction set of this machine.
    pub fn new(operator: Operator) -> Emulator {
        Emulator::on(operator, Isa::detect())
    }

    /// The operator on an instruction set.
    pub fn on(operator: Operator, isa: Isa) -> Emulator {
        let kernel = MultiplyAdd::new(&operator, isa);
        let identity = is_identity(&operator);
        Emulator { operator, kernel, identity }
    }

    /// Fills in `operands.d`, except for the identity, whose result is there. MXCSR must have its default, which it has
    /// behind the gate.
    pub fn compute(&self, operands: &mut Operands) {
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
                let mut sum = [0.0; binade_kernels::LANES];
                self.kernel.apply_in_default(&x, &y, &z, &mut sum);
                *d = sum.map(f32::to_bits);
            }
            _ => {
                for lane in 0..*lanes as usize {
                    let value = self.double(double(a, lane), double(b, lane), double(c, lane)).to_bits();
                    (d[2 * lane], d[2 * lane + 1]) = (value as u32, (value >> 32) as u32);
                }
            }
        }
    }

    /// d = a · b + c for a binary64 program: [`Operator::evaluate`], rounded to binary64; NaN is canonical.
    pub fn double(&self, a: f64, b: f64, c: f64) -> f64 {
        let value = |x: f64| binade::decode(F64, x.to_bits());
        let result = self.operator.evaluate(value(a), value(b), value(c));
        f64::from_bits(project(F64, result, Projection::default()).code)
    }

    /// The [`Handler`](crate::trampoline::Handler) of a gate whose context is the address of an emulator.
    ///
    /// # Safety
    /// `operands` points to operands that nothing else uses, `context` to an [`Emulator`].
    pub unsafe extern "C" fn handle(operands: *mut Operands, context: *const c_void) {
        // SAFETY: the caller's promise.
        let (emulator, operands) = unsafe { (&*context.cast::<Emulator>(), &mut *operands) };
        emulator.compute(operands);
    }
}

fn single(lanes: &[u32; 16], lane: usize) -> f32 {
    f32::from_bits(lanes[lane])
}

fn double(lanes: &[u32; 16], lane: usize) -> f64 {
    f64::from_bits(lanes[2 * lane] as u64 | (lanes[2 * lane + 1] as u64) << 32)
}
