//! Multiply-adds of other types than binary32, which the agent counts where they stay native.

use std::sync::OnceLock;

use iced_x86::{Code, CpuidFeature, Instruction};

use crate::fma::{Element, Fma, Form};
use crate::sites::Kinds;

/// The type of a native multiply-add.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NativeType {
    /// Binary64.
    Double,
    /// Binary16: AVX512-FP16, its complex products included.
    Half,
    /// Pairs of BF16, multiplied and added to binary32: VDPBF16PS.
    Dot,
}

impl NativeType {
    /// The type of a multiply-add that is not among the `kinds` under the operator; `None` for other instructions.
    pub fn of(instruction: &Instruction, kinds: Kinds) -> Option<NativeType> {
        if halves().get(instruction.code() as usize) == Some(&true) {
            return Some(NativeType::Half);
        }
        let fma = Fma::decode(instruction).filter(|fma| !kinds.contain(fma))?;
        match (fma.form, fma.element) {
            (Form::Fused(_), Element::F64) => Some(NativeType::Double),
            (Form::Dot, _) => Some(NativeType::Dot),
            _ => None,
        }
    }
}

/// Numbers of native multiply-adds by type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NativeCounts {
    /// Of binary64.
    pub double: u64,
    /// Of binary16.
    pub half: u64,
    /// Of pairs of BF16.
    pub dot: u64,
}

impl NativeCounts {
    /// Counts one.
    pub fn add(&mut self, native: NativeType) {
        match native {
            NativeType::Double => self.double += 1,
            NativeType::Half => self.half += 1,
            NativeType::Dot => self.dot += 1,
        }
    }
}

/// For each code, true if it is a multiply-add of binary16.
fn halves() -> &'static [bool] {
    static HALVES: OnceLock<Vec<bool>> = OnceLock::new();
    HALVES.get_or_init(|| {
        let multiplies_and_adds = |code: Code| {
            let name = format!("{:?}", code.mnemonic()).to_lowercase();
            let begins = |head: &&str| name.starts_with(head);
            let heads = ["vfmadd", "vfmsub", "vfnmadd", "vfnmsub", "vfcmadd"];
            code.cpuid_features().contains(&CpuidFeature::AVX512_FP16) && heads.iter().any(begins)
        };
        Code::values().map(multiplies_and_adds).collect()
    })
}

/// Prepares the table, so that later calls neither allocate nor wait.
pub fn prepare() {
    halves();
}

#[cfg(test)]
mod tests {
    use iced_x86::code_asm::{CodeAssembler, rax, xmm0, xmm1, ymm0, ymm1, ymm2, zmm0, zmm1, zmm2};

    use super::*;

    /// The types of all instructions of some code.
    fn types(kinds: Kinds, write: impl FnOnce(&mut CodeAssembler)) -> Vec<Option<NativeType>> {
        let mut assembler = CodeAssembler::new(64).unwrap();
        write(&mut assembler);
        assembler.instructions().iter().map(|instruction| NativeType::of(instruction, kinds)).collect()
    }

    #[test]
    fn of_each_type_is_named() {
        use NativeType::{Dot, Double, Half};
        let found = types(Kinds::default(), |x| {
            x.vfmadd231pd(ymm0, ymm1, ymm2).unwrap();
            x.vfnmsub213sd(xmm0, xmm1, xmm1).unwrap();
            x.vfmadd132ph(zmm0, zmm1, zmm2).unwrap();
            x.vfcmaddcph(zmm0, zmm1, zmm2).unwrap();
            x.vfmaddsub231ph(zmm0, zmm1, zmm2).unwrap();
            x.vdpbf16ps(zmm0, zmm1, zmm2).unwrap();
        });
        assert_eq!(found, [Double, Double, Half, Half, Half, Dot].map(Some));
    }

    #[test]
    fn of_other_instruction_is_none() {
        let found = types(Kinds::default(), |x| {
            x.vfmadd231ps(ymm0, ymm1, ymm2).unwrap();
            x.vmulpd(ymm0, ymm1, ymm2).unwrap();
            x.vmulph(zmm0, zmm1, zmm2).unwrap();
            x.vfmulcph(zmm0, zmm1, zmm2).unwrap();
            x.add(rax, 1).unwrap();
        });
        assert_eq!(found, [None; 5]);
    }

    #[test]
    fn of_multiply_add_under_the_operator_is_none() {
        let kinds = Kinds { double: true, dot: true, ..Kinds::default() };
        let found = types(kinds, |x| {
            x.vfmadd231pd(ymm0, ymm1, ymm2).unwrap();
            x.vdpbf16ps(zmm0, zmm1, zmm2).unwrap();
            x.vfmadd132ph(zmm0, zmm1, zmm2).unwrap();
        });
        assert_eq!(found, [None, None, Some(NativeType::Half)]);
    }
}
