//! One multiply-add instruction, taken apart.
//!
//! Nearly every instruction here computes d = ±a · b ± c on lanes: a fused multiply-add of VEX or EVEX encoding, or a separate
//! multiplication (c = −0) or addition (b = 1). So code that works on a site needs to know one shape only. A dot product of
//! pairs of BF16 does so twice. Sums within a register pair neighbouring lanes first.

use std::sync::OnceLock;

use iced_x86::{Code, EncodingKind, Instruction, Mnemonic, OpKind, Register, RoundingControl};

/// The operands of the instruction that are a, b and c: the digits of a mnemonic number the operands of a · b + c.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    /// d = op0 · op2 + op1.
    O132,
    /// d = op1 · op0 + op2.
    O213,
    /// d = op1 · op2 + op0.
    O231,
}

/// The part of a · b + c that the instruction computes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// All of it, rounding once.
    Fused(Order),
    /// A multiplication a · b; it counts as a · b + (−0), which has the product's sign also where it is zero.
    Multiply,
    /// An addition or subtraction a ± c; it counts as a · 1 ± c.
    Add,
    /// VDPBF16PS: a and b hold a pair of BF16 in each lane of binary32, and both products are added to c, that of the upper
    /// halves first. It counts as two multiply-adds.
    Dot,
    /// VHADDPS, VHSUBPS and those of binary64: a ± c of neighbouring lanes of the two sources; `a` and `c` are the sources.
    /// Within 128 bits the pairs of the first source come first. Each counts as an [addition](Form::Add).
    Horizontal,
    /// VDPPS, VDPPD: within 128 bits, products a · b of lanes, then sums of neighbours until one is left. The upper four bits
    /// of the immediate select products, and the lower four the lanes that receive the sum; all others are +0.
    Across,
}

impl Form {
    /// Returns true if each lane of the result is one multiply-add of the same lane of the operands.
    pub fn is_lanewise(self) -> bool {
        matches!(self, Form::Fused(_) | Form::Multiply | Form::Add)
    }
}

/// The sign of c.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Addend {
    /// Plus in all lanes.
    Add,
    /// Minus in all lanes.
    Subtract,
    /// FMADDSUB: minus in even lanes (the first is even), plus in odd ones.
    AddSubtract,
    /// FMSUBADD: plus in even lanes, minus in odd ones.
    SubtractAdd,
}

impl Addend {
    /// Returns true if c is subtracted in this lane.
    pub const fn subtracts(self, lane: usize) -> bool {
        match self {
            Addend::Add => false,
            Addend::Subtract => true,
            Addend::AddSubtract => lane.is_multiple_of(2),
            Addend::SubtractAdd => !lane.is_multiple_of(2),
        }
    }
}

/// The type of a lane.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Element {
    /// binary32.
    F32,
    /// binary64.
    F64,
}

impl Element {
    /// Bytes of a lane.
    pub const fn bytes(self) -> usize {
        match self {
            Element::F32 => 4,
            Element::F64 => 8,
        }
    }
}

/// The source of a, b or c.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// A vector register, of the instruction's width (scalar: an XMM register).
    Register(Register),
    /// The instruction's memory operand, perhaps broadcast.
    Memory,
    /// 1, as b of an addition.
    One,
    /// −0, as c of a multiplication.
    NegativeZero,
}

/// A multiply-add instruction: d = (−1)^`negate_product` · a · b ± c in each lane.
#[derive(Clone, Copy, Debug)]
pub struct Fma {
    /// The instruction itself, at its address.
    pub instruction: Instruction,
    /// The part of a · b + c that it computes, and its operands.
    pub form: Form,
    /// True if the product is negated (FNMADD, FNMSUB).
    pub negate_product: bool,
    /// The sign of c.
    pub addend: Addend,
    /// The type of a lane.
    pub element: Element,
    /// True if it computes the first lane only and keeps the rest of an XMM register.
    pub scalar: bool,
    /// Lanes computed: 1 to 16.
    pub lanes: u8,
}

/// The properties that an opcode implies.
#[derive(Clone, Copy)]
struct Shape {
    form: Form,
    negate_product: bool,
    addend: Addend,
    element: Element,
    scalar: bool,
}

impl Shape {
    /// Reads a mnemonic, e.g. `vfnmadd231ps`, `vmulss`, `subpd`.
    fn of(mnemonic: &str) -> Option<Shape> {
        if mnemonic == "vdpbf16ps" {
            let (negate_product, addend, element) = (false, Addend::Add, Element::F32);
            return Some(Shape { form: Form::Dot, negate_product, addend, element, scalar: false });
        }
        let (name, suffix) = mnemonic.split_at_checked(mnemonic.len().checked_sub(2)?)?;
        let (scalar, element) = match suffix {
            "ps" => (false, Element::F32),
            "ss" => (true, Element::F32),
            "pd" => (false, Element::F64),
            "sd" => (true, Element::F64),
            _ => return None,
        };
        let shape =
            |form, negate_product, addend| Some(Shape { form, negate_product, addend, element, scalar });
        match name.strip_prefix('v').unwrap_or(name) {
            "mul" => return shape(Form::Multiply, false, Addend::Add),
            "add" => return shape(Form::Add, false, Addend::Add),
            "sub" => return shape(Form::Add, false, Addend::Subtract),
            "addsub" => return shape(Form::Add, false, Addend::AddSubtract),
            "hadd" => return shape(Form::Horizontal, false, Addend::Add),
            "hsub" => return shape(Form::Horizontal, false, Addend::Subtract),
            "dp" => return shape(Form::Across, false, Addend::Add),
            _ => {}
        }
        let (name, digits) = name.strip_prefix("vf")?.split_at_checked(name.len().checked_sub(5)?)?;
        let order = match digits {
            "132" => Order::O132,
            "213" => Order::O213,
            "231" => Order::O231,
            _ => return None,
        };
        let (negate_product, addend) = match name {
            "madd" => (false, Addend::Add),
            "msub" => (false, Addend::Subtract),
            "nmadd" => (true, Addend::Add),
            "nmsub" => (true, Addend::Subtract),
            "maddsub" => (false, Addend::AddSubtract),
            "msubadd" => (false, Addend::SubtractAdd),
            _ => return None,
        };
        shape(Form::Fused(order), negate_product, addend)
    }

    /// The shape of every code of the instruction set, by its number.
    fn all() -> &'static [Option<Shape>] {
        static ALL: OnceLock<Vec<Option<Shape>>> = OnceLock::new();
        ALL.get_or_init(|| {
            let encoded = |code: &Code| !matches!(code.encoding(), EncodingKind::MVEX | EncodingKind::XOP);
            Code::values()
                .map(|code| Some(code).filter(encoded).and_then(|code| Shape::of(&name(code.mnemonic()))))
                .collect()
        })
    }
}

/// Returns true if an instruction multiplies tiles (AMX), of any elements.
pub fn multiplies_tiles(instruction: &Instruction) -> bool {
    matches!(
        instruction.mnemonic(),
        Mnemonic::Tdpbf16ps
            | Mnemonic::Tdpfp16ps
            | Mnemonic::Tdpbssd
            | Mnemonic::Tdpbsud
            | Mnemonic::Tdpbusd
            | Mnemonic::Tdpbuud
            | Mnemonic::Tcmmimfp16ps
            | Mnemonic::Tcmmrlfp16ps
    )
}

/// A mnemonic as written, in lower case.
fn name(mnemonic: Mnemonic) -> String {
    format!("{mnemonic:?}").to_lowercase()
}

impl Fma {
    /// Takes an instruction apart; `None` if it is not a multiply-add of binary32 or binary64 lanes.
    ///
    /// Dot products are included, and separate multiplications and additions. Only the latter can be shorter than a
    /// [jump](crate::span::JUMP): a fused multiply-add has 5 bytes in VEX and 6 in EVEX encoding at least.
    pub fn decode(instruction: &Instruction) -> Option<Fma> {
        let Shape { form, negate_product, addend, element, scalar } =
            (*Shape::all().get(instruction.code() as usize)?)?;
        let lanes = if scalar { 1 } else { instruction.op0_register().size() / element.bytes() };
        Some(Fma {
            instruction: *instruction,
            form,
            negate_product,
            addend,
            element,
            scalar,
            lanes: lanes as u8,
        })
    }

    /// Returns true if a code is a fused multiply-add, by one table lookup.
    pub fn is_fused(code: Code) -> bool {
        matches!(Shape::all().get(code as usize), Some(Some(Shape { form: Form::Fused(_), .. })))
    }

    /// Prepares the tables, so that later calls neither allocate nor wait.
    pub fn prepare() {
        Shape::all();
    }

    /// Returns true if it is a fused multiply-add.
    pub fn fused(&self) -> bool {
        matches!(self.form, Form::Fused(_))
    }

    fn operand(&self, index: u32) -> Operand {
        match self.instruction.op_kind(index) {
            OpKind::Memory => Operand::Memory,
            _ => Operand::Register(self.instruction.op_register(index)),
        }
    }

    /// The sources of an instruction with two: those of legacy encodings overwrite the first.
    fn source(&self, number: u32) -> Operand {
        self.operand(number + !self.legacy() as u32)
    }

    /// The first factor.
    pub fn a(&self) -> Operand {
        match self.form {
            Form::Fused(Order::O132) => self.operand(0),
            Form::Fused(_) | Form::Dot => self.operand(1),
            Form::Multiply | Form::Add | Form::Horizontal | Form::Across => self.source(0),
        }
    }

    /// The second factor.
    pub fn b(&self) -> Operand {
        match self.form {
            Form::Fused(Order::O213) => self.operand(0),
            Form::Fused(_) | Form::Dot => self.operand(2),
            Form::Multiply | Form::Across => self.source(1),
            Form::Add | Form::Horizontal => Operand::One,
        }
    }

    /// The addend.
    pub fn c(&self) -> Operand {
        match self.form {
            Form::Fused(Order::O132) => self.operand(1),
            Form::Fused(Order::O213) => self.operand(2),
            Form::Fused(Order::O231) | Form::Dot => self.operand(0),
            Form::Multiply | Form::Across => Operand::NegativeZero,
            Form::Add | Form::Horizontal => self.source(1),
        }
    }

    /// The register that is written.
    pub fn destination(&self) -> Register {
        self.instruction.op0_register()
    }

    /// The source of the lanes that a scalar instruction does not compute.
    pub fn rest(&self) -> Register {
        match self.form {
            Form::Fused(_) | Form::Dot => self.destination(),
            _ if self.legacy() => self.destination(),
            Form::Multiply | Form::Add | Form::Horizontal | Form::Across => self.instruction.op1_register(),
        }
    }

    /// The lanes of each 128 bits whose products a [`Form::Across`] adds, and those that receive the sum, as bits.
    pub fn selections(&self) -> [u8; 2] {
        let lanes = (1 << (16 / self.element.bytes())) - 1;
        let immediate = self.instruction.immediate8();
        [immediate >> 4 & lanes, immediate & lanes]
    }

    /// The operand index of the memory operand, if there is one.
    pub fn memory(&self) -> Option<u32> {
        (0..self.instruction.op_count()).find(|&index| self.instruction.op_kind(index) == OpKind::Memory)
    }

    /// Returns true if the memory operand is one element, for all lanes.
    pub fn broadcast(&self) -> bool {
        self.instruction.is_broadcast()
    }

    /// The mask register that selects the lanes written, k1 to k7.
    pub fn mask(&self) -> Option<Register> {
        Some(self.instruction.op_mask()).filter(|&mask| mask != Register::None)
    }

    /// Returns true if lanes that the mask leaves out become zero; otherwise they keep their value.
    pub fn zeroing(&self) -> bool {
        self.instruction.zeroing_masking()
    }

    /// The rounding that the instruction carries, if any; it then raises no exception.
    pub fn rounding(&self) -> Option<RoundingControl> {
        Some(self.instruction.rounding_control()).filter(|&rounding| rounding != RoundingControl::None)
    }

    /// Returns true if the encoding is one without VEX, which keeps the destination's lanes beyond its 128 bits.
    pub fn legacy(&self) -> bool {
        self.instruction.code().encoding() == EncodingKind::Legacy
    }

    /// Returns true if the encoding is EVEX.
    pub fn evex(&self) -> bool {
        self.instruction.code().encoding() == EncodingKind::EVEX
    }

    /// The width of the vector registers in bytes: 16, 32 or 64.
    pub fn width(&self) -> usize {
        self.destination().size()
    }

    /// The numbers of the vector registers that it reads or writes.
    pub fn vectors(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.instruction.op_count())
            .filter(|&index| self.instruction.op_kind(index) == OpKind::Register)
            .map(|index| self.instruction.op_register(index).number())
    }
}

#[cfg(test)]
mod tests {
    use iced_x86::{Decoder, DecoderOptions};

    use super::*;

    fn decode(bytes: &[u8]) -> Option<Fma> {
        Fma::decode(&Decoder::with_ip(64, bytes, 0x1000, DecoderOptions::NONE).decode())
    }

    #[test]
    fn products_of_tiles_are_recognised() {
        let tiles =
            |bytes: &[u8]| multiplies_tiles(&Decoder::with_ip(64, bytes, 0, DecoderOptions::NONE).decode());
        // tdpbf16ps tmm0, tmm1, tmm2 and tdpbssd; tileloadd tmm0, [rsp + rax] and a product of vectors.
        assert!(tiles(&[0xc4, 0xe2, 0x6a, 0x5c, 0xc1]) && tiles(&[0xc4, 0xe2, 0x6b, 0x5e, 0xc1]));
        assert!(!tiles(&[0xc4, 0xe2, 0x7b, 0x4b, 0x04, 0x04]) && !tiles(&[0xc4, 0xe2, 0x75, 0xb8, 0xc2]));
    }

    /// 3 orders of 6 families of 4 types, in VEX (128 and 256 bits) and EVEX (three lengths).
    #[test]
    fn tables_hold_every_fused_form() {
        let fused: Vec<Code> = Code::values().filter(|&code| Fma::is_fused(code)).collect();
        // Alternating signs come packed only.
        let (packed, scalar) = (6 * 3 * 2, 4 * 3 * 2);
        assert_eq!(fused.len(), packed * (2 + 3) + scalar * (1 + 1));
    }

    #[test]
    fn operands_of_each_order_are_told() {
        // vfmadd231ps zmm0, zmm1, zmm2
        let fma = decode(&[0x62, 0xf2, 0x75, 0x48, 0xb8, 0xc2]).unwrap();
        assert_eq!((fma.lanes, fma.scalar, fma.element), (16, false, Element::F32));
        assert_eq!(fma.a(), Operand::Register(Register::ZMM1));
        assert_eq!(fma.b(), Operand::Register(Register::ZMM2));
        assert_eq!(fma.c(), Operand::Register(Register::ZMM0));
        // vfnmsub132sd xmm0, xmm1, [rax]
        let fma = decode(&[0xc4, 0xe2, 0xf1, 0x9f, 0x00]).unwrap();
        assert_eq!((fma.a(), fma.b()), (Operand::Register(Register::XMM0), Operand::Memory));
        assert_eq!(fma.c(), Operand::Register(Register::XMM1));
        assert!(fma.scalar && fma.negate_product && fma.addend == Addend::Subtract);
        assert_eq!(fma.element, Element::F64);
        // vfmaddsub213ps ymm0, ymm1, [rax]
        let fma = decode(&[0xc4, 0xe2, 0x75, 0xa6, 0x00]).unwrap();
        assert_eq!((fma.a(), fma.c()), (Operand::Register(Register::YMM1), Operand::Memory));
        assert!(fma.addend.subtracts(0) && !fma.addend.subtracts(1) && fma.lanes == 8);
        // vfmadd213ps zmm0{k3}{z}, zmm1, [rax]{1to16}
        let fma = decode(&[0x62, 0xf2, 0x75, 0xdb, 0xa8, 0x00]).unwrap();
        assert!(fma.broadcast() && fma.zeroing() && fma.mask() == Some(Register::K3));
    }

    #[test]
    fn sums_within_a_register_are_told() {
        // addsubps xmm1, xmm2: the even lanes are differences.
        let alternating = decode(&[0xf2, 0x0f, 0xd0, 0xca]).unwrap();
        assert!(alternating.form == Form::Add && alternating.addend == Addend::AddSubtract);
        // vhsubpd ymm1, ymm2, ymm3
        let horizontal = decode(&[0xc5, 0xed, 0x7d, 0xcb]).unwrap();
        assert_eq!((horizontal.form, horizontal.addend), (Form::Horizontal, Addend::Subtract));
        assert_eq!((horizontal.element, horizontal.lanes), (Element::F64, 4));
        assert_eq!(
            (horizontal.a(), horizontal.c()),
            (Operand::Register(Register::YMM2), Operand::Register(Register::YMM3))
        );
        // dpps xmm1, [rax], 0x71; vdppd xmm1, xmm2, xmm3, 0xff
        let across = decode(&[0x66, 0x0f, 0x3a, 0x40, 0x08, 0x71]).unwrap();
        assert_eq!((across.form, across.selections()), (Form::Across, [7, 1]));
        assert_eq!((across.a(), across.b()), (Operand::Register(Register::XMM1), Operand::Memory));
        let across = decode(&[0xc4, 0xe3, 0x69, 0x41, 0xcb, 0xff]).unwrap();
        assert_eq!((across.selections(), across.lanes), ([3, 3], 2));
        assert!(!across.form.is_lanewise() && alternating.form.is_lanewise());
    }

    #[test]
    fn separate_operations_are_multiply_adds() {
        // mulps xmm1, xmm2; vsubss xmm1, xmm2, xmm3
        let product = decode(&[0x0f, 0x59, 0xca]).unwrap();
        assert_eq!(
            (product.a(), product.b()),
            (Operand::Register(Register::XMM1), Operand::Register(Register::XMM2))
        );
        assert!(product.c() == Operand::NegativeZero && product.legacy() && !product.fused());
        let difference = decode(&[0xc5, 0xea, 0x5c, 0xcb]).unwrap();
        assert_eq!((difference.a(), difference.b()), (Operand::Register(Register::XMM2), Operand::One));
        assert_eq!((difference.c(), difference.rest()), (Operand::Register(Register::XMM3), Register::XMM2));
        assert!(difference.addend.subtracts(0));
        // vdpbf16ps zmm1{k2}, zmm2, [rax]{1to16}
        let dot = decode(&[0x62, 0xf2, 0x6e, 0x5a, 0x52, 0x08]).unwrap();
        assert!(dot.form == Form::Dot && dot.lanes == 16 && dot.broadcast() && !dot.fused());
        assert_eq!(
            (dot.a(), dot.b(), dot.c()),
            (Operand::Register(Register::ZMM2), Operand::Memory, Operand::Register(Register::ZMM1))
        );
        // vaddph, pmulld, vfmaddps of four operands
        for other in [
            &[0x62, 0xf5, 0x74, 0x48, 0x58, 0xc2][..],
            &[0x66, 0x0f, 0x38, 0x40, 0xca],
            &[0xc4, 0xe3, 0xf1, 0x68, 0xc2, 0x30],
        ] {
            assert!(decode(other).is_none(), "{other:02x?}");
        }
    }
}
