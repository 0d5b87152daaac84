//! Classification of instructions into the three classes of the paper's Table 2.

use binade_profile::mix::Class;
use iced_x86::{CpuidFeature, Decoder, DecoderOptions, Instruction, Mnemonic};

/// The longest x86 instruction, in bytes.
pub(super) const MAX_LENGTH: usize = 15;

/// An instruction's class, and the properties that single-stepping depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classification {
    /// Its class.
    pub class: Class,
    /// True if it has a repeat prefix: a debugger sees every repetition.
    pub repeats: bool,
    /// True if it calls the system, which may make it wait.
    pub system: bool,
}

/// Classifies the instruction that these bytes begin with. Bytes that are not an instruction are [`Class::NonFp`].
pub fn classify(bytes: &[u8]) -> Classification {
    let instruction = Decoder::new(64, bytes, DecoderOptions::NONE).decode();
    let repeats = instruction.has_rep_prefix() || instruction.has_repne_prefix();
    let system = matches!(instruction.mnemonic(), Mnemonic::Syscall | Mnemonic::Sysenter | Mnemonic::Int);
    Classification { class: class(&instruction), repeats, system }
}

fn class(instruction: &Instruction) -> Class {
    let features = instruction.cpuid_features();
    if features.contains(&CpuidFeature::FMA) || features.contains(&CpuidFeature::FMA4) {
        return Class::Fma;
    }
    let name = format!("{:?}", instruction.mnemonic()).to_ascii_lowercase();
    if features.contains(&CpuidFeature::FPU) {
        return if x87_moves(instruction.mnemonic(), &name) { Class::NonFp } else { Class::OtherFp };
    }
    if instruction.is_string_instruction() {
        // CMPSD compares integers where it is not SSE2's.
        return Class::NonFp;
    }
    let name = name.strip_prefix('v').unwrap_or(&name);
    let of_floats = ["ps", "pd", "ss", "sd", "ph", "sh"].iter().any(|suffix| name.ends_with(suffix));
    let begins = |heads: &[&str]| heads.iter().any(|head| name.starts_with(head));
    if of_floats
        && begins(&[
            "fmadd", "fmsub", "fnmadd", "fnmsub", "fcmadd", "fcmul", "fmul", "4fmadd", "4fnmadd", "dpbf16",
            "dpph",
        ])
    {
        Class::Fma
    } else if of_floats && begins(&ARITHMETIC) || begins(&["cvt"]) {
        Class::OtherFp
    } else {
        Class::NonFp
    }
}

/// Beginnings of the names of SSE and AVX arithmetic, before the type of their elements.
const ARITHMETIC: [&str; 22] = [
    "add", "sub", "mul", "div", "sqrt", "rsqrt", "rcp", "min", "max", "cmp", "comi", "ucomi", "round",
    "rndscale", "reduce", "range", "scalef", "getexp", "getmant", "fixupimm", "hadd", "hsub",
];

/// x87 instructions that load, store, exchange or control, and do not compute.
fn x87_moves(mnemonic: Mnemonic, name: &str) -> bool {
    matches!(mnemonic, Mnemonic::Fld | Mnemonic::Fst | Mnemonic::Fstp | Mnemonic::Fxch | Mnemonic::Wait)
        || [
            "fld1", "fldz", "fldpi", "fldl", "fldcw", "fldenv", "fn", "fsave", "frstor", "ffree", "fincstp",
            "fdecstp", "fcmov",
        ]
        .iter()
        .any(|head| name.starts_with(head))
}

#[cfg(test)]
mod tests {
    use iced_x86::IcedError;
    use iced_x86::code_asm::*;

    use super::*;

    #[test]
    fn classify_each_kind_of_instruction_is_its_class() {
        fn of(write: impl Fn(&mut CodeAssembler) -> Result<(), IcedError>) -> Class {
            let mut assembler = CodeAssembler::new(64).unwrap();
            write(&mut assembler).unwrap();
            classify(&assembler.assemble(0x1000).unwrap()).class
        }
        for (class, expected) in [
            (of(|a| a.vfmadd231ps(zmm0, zmm1, zmm2)), Class::Fma),
            (of(|a| a.vfmadd132ps(xmm0, xmm1, xmm2)), Class::Fma),
            (of(|a| a.vfnmsub213sd(xmm0, xmm1, xmm2)), Class::Fma),
            (of(|a| a.vfmaddsub231pd(ymm0, ymm1, ymm2)), Class::Fma),
            (of(|a| a.vdpbf16ps(zmm0, zmm1, zmm2)), Class::Fma),
            (of(|a| a.vaddps(ymm0, ymm1, ymm2)), Class::OtherFp),
            (of(|a| a.addsd(xmm0, xmm1)), Class::OtherFp),
            (of(|a| a.addsubps(xmm0, xmm1)), Class::OtherFp),
            (of(|a| a.cvtsi2ss(xmm0, eax)), Class::OtherFp),
            (of(|a| a.vcvtneps2bf16(ymm0, zmm1)), Class::OtherFp),
            (of(|a| a.ucomiss(xmm0, xmm1)), Class::OtherFp),
            (of(|a| a.vcmpps(k1, zmm1, zmm2, 1)), Class::OtherFp),
            (of(|a| a.vrsqrt14ps(zmm1, zmm2)), Class::OtherFp),
            (of(|a| a.faddp(st1, st0)), Class::OtherFp),
            (of(|a| a.fsqrt()), Class::OtherFp),
            (of(|a| a.fild(dword_ptr(rax))), Class::OtherFp),
            (of(|a| a.fld(dword_ptr(rax))), Class::NonFp),
            (of(|a| a.fldz()), Class::NonFp),
            (of(|a| a.fxch(st0, st1)), Class::NonFp),
            (of(|a| a.movss(xmm0, xmm1)), Class::NonFp),
            (of(|a| a.movsd()), Class::NonFp),
            (of(|a| a.cmpsd()), Class::NonFp),
            (of(|a| a.vxorps(ymm0, ymm0, ymm0)), Class::NonFp),
            (of(|a| a.vpaddd(ymm0, ymm0, ymm0)), Class::NonFp),
            (of(|a| a.add(rax, rbx)), Class::NonFp),
            (of(|a| a.vshufps(xmm0, xmm1, xmm2, 3)), Class::NonFp),
            (of(|a| a.vpmaddubsw(xmm0, xmm1, xmm2)), Class::NonFp),
        ]
        .iter()
        .zip(0..)
        .map(|(pair, number)| ((number, pair.0), (number, pair.1)))
        {
            assert_eq!(class, expected);
        }
        assert_eq!(classify(&[]).class, Class::NonFp);
        assert!(classify(&[0xf3, 0xa4]).repeats, "rep movsb");
        assert!(classify(&[0x0f, 0x05]).system && !classify(&[0x90]).system);
    }
}
