//! Multiply-adds, products and sums that the operator does not compute, which the agent counts.

use std::sync::OnceLock;

use iced_x86::{Code, CpuidFeature, Instruction, Mnemonic};

use crate::fma::{Element, Fma, Form};
use crate::sites::Kinds;

/// The type of a native multiply-add, product or sum.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(usize)]
pub enum NativeType {
    /// Multiply-adds of binary64.
    Double,
    /// Multiply-adds of binary16: AVX512-FP16, its complex products included.
    Half,
    /// Pairs of BF16, multiplied and added to binary32: VDPBF16PS.
    Dot,
    /// Dot products within a register: VDPPS, VDPPD.
    Across,
    /// Products and sums of binary64, where those of binary32 are computed.
    SeparateDouble,
    /// Products and sums of binary16, where those of binary32 are computed.
    SeparateHalf,
    /// Products and sums of x87, where those of binary32 are computed.
    X87,
    /// Multiply-adds of binary32 and binary64 that few processors have: FMA4 and AVX512-4FMAPS.
    Rare,
}

impl NativeType {
    /// All types, in the order of their numbers.
    pub const ALL: [NativeType; 8] = {
        use NativeType::{Across, Dot, Double, Half, Rare, SeparateDouble, SeparateHalf, X87};
        [Double, Half, Dot, Across, SeparateDouble, SeparateHalf, X87, Rare]
    };

    /// The type of an instruction that is not among the `kinds` under the operator; `None` if it is, and for all others.
    ///
    /// Separate products and sums of other types count where those of binary32 are under the operator.
    pub fn of(instruction: &Instruction, kinds: Kinds) -> Option<NativeType> {
        if let Some(&Some(other)) = others().get(instruction.code() as usize) {
            return other.of(kinds);
        }
        let fma = Fma::decode(instruction).filter(|fma| !kinds.contain(fma))?;
        match (fma.form, fma.element) {
            (Form::Fused(_), Element::F64) => Some(NativeType::Double),
            (Form::Dot, _) => Some(NativeType::Dot),
            (Form::Across, Element::F64) if kinds.multiply && kinds.add => Some(NativeType::SeparateDouble),
            (Form::Across, _) => Some(NativeType::Across),
            (Form::Multiply, Element::F64) if kinds.multiply => Some(NativeType::SeparateDouble),
            (Form::Add | Form::Horizontal, Element::F64) if kinds.add => Some(NativeType::SeparateDouble),
            _ => None,
        }
    }
}

/// Numbers of native instructions by type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NativeCounts([u64; NativeType::ALL.len()]);

impl NativeCounts {
    /// Counts one.
    pub fn add(&mut self, native: NativeType) {
        self.0[native as usize] += 1;
    }

    /// The number of a type.
    pub fn of(&self, native: NativeType) -> u64 {
        self.0[native as usize]
    }

    /// From a function that gives each type's number; `None` if it does for one.
    pub fn from_fn(mut count: impl FnMut(NativeType) -> Option<u64>) -> Option<NativeCounts> {
        let mut counts = NativeCounts::default();
        for native in NativeType::ALL {
            counts.0[native as usize] = count(native)?;
        }
        Some(counts)
    }
}

/// An operation that no operator computes.
#[derive(Clone, Copy)]
enum Other {
    /// A multiply-add, of this type whatever the kinds are.
    MultiplyAdd(NativeType),
    Product(NativeType),
    Sum(NativeType),
}

impl Other {
    /// The operation of a code.
    fn of_code(code: Code) -> Option<Other> {
        use Mnemonic::{
            Fadd, Faddp, Fiadd, Fimul, Fisub, Fisubr, Fmul, Fmulp, Fsub, Fsubp, Fsubr, Fsubrp, Vaddph,
            Vaddsh, Vmulph, Vmulsh, Vsubph, Vsubsh,
        };
        let has = |feature| code.cpuid_features().contains(&feature);
        if has(CpuidFeature::FMA4) || has(CpuidFeature::AVX512_4FMAPS) {
            return Some(Other::MultiplyAdd(NativeType::Rare));
        }
        match code.mnemonic() {
            Fmul | Fmulp | Fimul => return Some(Other::Product(NativeType::X87)),
            Fadd | Faddp | Fiadd | Fsub | Fsubp | Fsubr | Fsubrp | Fisub | Fisubr => {
                return Some(Other::Sum(NativeType::X87));
            }
            Vmulph | Vmulsh => return Some(Other::Product(NativeType::SeparateHalf)),
            Vaddph | Vaddsh | Vsubph | Vsubsh => return Some(Other::Sum(NativeType::SeparateHalf)),
            _ => {}
        }
        let name = format!("{:?}", code.mnemonic()).to_lowercase();
        // A complex product has sums of products.
        let heads = ["vfmadd", "vfmsub", "vfnmadd", "vfnmsub", "vfcmadd", "vfmulc", "vfcmulc"];
        let multiplies_and_adds = heads.iter().any(|head| name.starts_with(head));
        (has(CpuidFeature::AVX512_FP16) && multiplies_and_adds)
            .then_some(Other::MultiplyAdd(NativeType::Half))
    }

    /// Its type, if it counts beside instructions of these kinds.
    fn of(self, kinds: Kinds) -> Option<NativeType> {
        match self {
            Other::MultiplyAdd(native) => Some(native),
            Other::Product(native) => Some(native).filter(|_| kinds.multiply),
            Other::Sum(native) => Some(native).filter(|_| kinds.add),
        }
    }
}

/// The operations of all codes, by their numbers.
fn others() -> &'static [Option<Other>] {
    static OTHERS: OnceLock<Vec<Option<Other>>> = OnceLock::new();
    OTHERS.get_or_init(|| Code::values().map(Other::of_code).collect())
}

/// Prepares the table, so that later calls neither allocate nor wait.
pub fn prepare() {
    others();
}

#[cfg(test)]
mod tests {
    use iced_x86::EncodingKind;
    use iced_x86::code_asm::{
        CodeAssembler, dword_ptr, rax, st0, st1, xmm0, xmm1, xmm2, xmmword_ptr, ymm0, ymm1, ymm2, zmm0, zmm1,
        zmm2,
    };

    use super::*;

    /// The types of all instructions of some code.
    fn types(kinds: Kinds, write: impl FnOnce(&mut CodeAssembler)) -> Vec<Option<NativeType>> {
        let mut assembler = CodeAssembler::new(64).unwrap();
        write(&mut assembler);
        assembler.instructions().iter().map(|instruction| NativeType::of(instruction, kinds)).collect()
    }

    #[test]
    fn of_each_type_is_named() {
        use NativeType::{Across, Dot, Double, Half, Rare};
        let found = types(Kinds::default(), |x| {
            x.vfmadd231pd(ymm0, ymm1, ymm2).unwrap();
            x.vfnmsub213sd(xmm0, xmm1, xmm1).unwrap();
            x.vfmadd132ph(zmm0, zmm1, zmm2).unwrap();
            x.vfcmaddcph(zmm0, zmm1, zmm2).unwrap();
            x.vfmaddsub231ph(zmm0, zmm1, zmm2).unwrap();
            x.vfmulcph(zmm0, zmm1, zmm2).unwrap();
            x.vdpbf16ps(zmm0, zmm1, zmm2).unwrap();
            x.dpps(xmm0, xmm1, 0xf1).unwrap();
            x.vdppd(xmm0, xmm1, xmm2, 0x31).unwrap();
            x.vfmaddps(xmm0, xmm1, xmm2, xmm2).unwrap();
            x.v4fmaddps(zmm1, zmm0, xmmword_ptr(rax)).unwrap();
        });
        let expected = [Double, Double, Half, Half, Half, Half, Dot, Across, Across, Rare, Rare];
        assert_eq!(found, expected.map(Some));
    }

    #[test]
    fn of_separate_operations_follows_the_kinds() {
        use NativeType::{Across, SeparateDouble, SeparateHalf, X87};
        let of = |multiply, add, double| {
            types(Kinds { multiply, add, double, ..Kinds::default() }, |x| {
                x.mulsd(xmm0, xmm1).unwrap();
                x.vmulph(zmm0, zmm1, zmm2).unwrap();
                x.fmulp(st1, st0).unwrap();
                x.vaddsubpd(xmm0, xmm1, xmm2).unwrap();
                x.vhsubpd(xmm0, xmm1, xmm2).unwrap();
                x.vsubsh(xmm0, xmm1, xmm2).unwrap();
                x.fiadd(dword_ptr(rax)).unwrap();
                x.vdpps(ymm0, ymm1, ymm2, 0xff).unwrap();
                x.vdppd(xmm0, xmm1, xmm2, 0xff).unwrap();
            })
        };
        let only_across = [[None; 7].as_slice(), &[Some(Across); 2]].concat();
        assert_eq!(of(false, false, true), only_across);
        let products = [SeparateDouble, SeparateHalf, X87].map(Some);
        let sums = [SeparateDouble, SeparateDouble, SeparateHalf, X87].map(Some);
        let mixed = of(true, false, false);
        assert_eq!((&mixed[..3], &mixed[3..]), (&products[..], &only_across[3..]));
        let mixed = of(false, true, false);
        assert_eq!((&mixed[..3], &mixed[3..7]), (&only_across[..3], &sums[..]));
        let all = of(true, true, false);
        assert_eq!(all[7..], [None, Some(SeparateDouble)]);
        let all = of(true, true, true);
        assert_eq!(all, [None, products[1], products[2], None, None, sums[2], sums[3], None, None]);
    }

    /// Every operation on numbers of float types that multiplies or adds is either under the operator or named. The instruction
    /// set's other operations on them are listed: a new one must be classed.
    #[test]
    fn each_float_operation_is_changed_named_or_listed() {
        /// Parts of the names of operations that neither multiply two numbers nor add them.
        const OTHER: [&str; 37] = [
            "div",
            "sqrt",
            "rcp",
            "rsqrt",
            "min",
            "max",
            "cmp",
            "comi",
            "comx",
            "cvt",
            "round",
            "rndscale",
            "reduce",
            "scalef",
            "getexp",
            "getmant",
            "range",
            "fixupimm",
            "exp2",
            "fpclass",
            "and",
            "or",
            "xor",
            "mov",
            "blend",
            "perm",
            "shuf",
            "unpck",
            "gather",
            "scatter",
            "frcz",
            "broadcast",
            "bcstne",
            "insert",
            "extract",
            "compress",
            "test",
        ];
        /// Instructions whose names end as if they were of float types.
        const INTEGER: [&str; 23] = [
            "ccs_hash",
            "clflush",
            "incsspd",
            "insd",
            "lodsd",
            "lss",
            "outsd",
            "pabsd",
            "psmash",
            "pswapd",
            "push",
            "rdsspd",
            "scasd",
            "seamops",
            "stosd",
            "vp4dpwssd",
            "vpabsd",
            "vpdpbssd",
            "vpdpbusd",
            "vpdpwssd",
            "vpdpwusd",
            "wrssd",
            "wrussd",
        ];
        let all = Kinds { multiply: true, add: true, double: true, dot: true };
        let mut unknown = Vec::new();
        for code in Code::values() {
            let mnemonic = format!("{:?}", code.mnemonic()).to_lowercase();
            let is_float =
                ["ps", "pd", "ss", "sd", "ph", "sh", "pbf16"].iter().any(|s| mnemonic.ends_with(s));
            // No processor of MVEX, Knights Corner, runs programs of this architecture.
            let runs = code.op_code().mode64() && code.encoding() != EncodingKind::MVEX;
            if !is_float || !runs || INTEGER.contains(&&*mnemonic) {
                continue;
            }
            let mut instruction = Instruction::default();
            instruction.set_code(code);
            let known = all.site(&instruction)
                || NativeType::of(&instruction, all).is_some()
                || crate::fma::multiplies_tiles(&instruction)
                || OTHER.iter().any(|part| mnemonic.contains(part));
            if !known {
                unknown.push(mnemonic);
            }
        }
        unknown.sort_unstable();
        unknown.dedup();
        assert_eq!(unknown, [""; 0]);
    }

    #[test]
    fn of_other_instruction_is_none() {
        let found = types(Kinds::default(), |x| {
            x.vfmadd231ps(ymm0, ymm1, ymm2).unwrap();
            x.vmulpd(ymm0, ymm1, ymm2).unwrap();
            x.vmulph(zmm0, zmm1, zmm2).unwrap();
            x.haddps(xmm0, xmm1).unwrap();
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
