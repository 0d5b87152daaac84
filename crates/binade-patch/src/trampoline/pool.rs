//! Constants that generated code refers to.

use super::guard::addition;

/// Bytes of a constant: one vector.
const STRIDE: usize = 64;

/// A constant, as an index into the [`pool`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub(crate) enum Constant {
    /// The integer 1 in 32-bit lanes, which is also binary32's least subnormal.
    Least,
    /// The sum of two least subnormals.
    TwiceLeast,
    /// Half a unit in BF16's last place, less one.
    AlmostHalf,
    /// The bits of a binary32 that BF16 has.
    High,
    /// The canonical NaN, [`f32::NAN`].
    Nan,
    /// +∞.
    Infinity,
    /// All bits but the sign.
    Magnitude,
    /// 1.
    One,
    /// 1 in binary64.
    One64,
    /// The signs of all binary32 lanes; also −0.
    Signs,
    /// The signs of even lanes.
    EvenSigns,
    /// The signs of odd lanes.
    OddSigns,
    /// The signs of all binary64 lanes; also −0.
    Signs64,
    /// The signs of even binary64 lanes.
    EvenSigns64,
    /// The signs of odd binary64 lanes.
    OddSigns64,
    /// VFIXUPIMMPS: NaN becomes the processor's default NaN 0xffc00000, everything else stays.
    CleanNan,
    /// VFIXUPIMMPS: where the source is infinite, the source; everything else stays.
    KeepInfinity,
    /// VFIXUPIMMPS: where the source is NaN, the destination; everywhere else the source.
    KeepNan,
    /// MXCSR: all exceptions masked, nearest even, subnormals kept.
    Mxcsr,
    /// The same rounding down.
    MxcsrDown,
    /// The same rounding up.
    MxcsrUp,
    /// The canonical NaN of binary64, [`f64::NAN`].
    Nan64,
    /// +∞ in binary64.
    Infinity64,
    /// All bits of binary64 but the sign.
    Magnitude64,
    /// VFIXUPIMMPS: where the source is NaN, the destination; everywhere else +0.
    ZeroUnlessNan,
    /// VFIXUPIMMPS: where the source is NaN, +0; everything else stays.
    ZeroIfNan,
    /// All bits.
    Ones,
    /// The bits of MXCSR that say how to round and what traps.
    Control,
    /// [`addition`](super::guard::addition).
    FactorOfOne,
    FactorOfParts,
    FactorOfPair,
    AddendOfParts,
    AddendOfPair,
    PackedOfOne,
    PackedOfParts,
    PackedOfPair,
    FactorOfParts64,
    AddendOfParts64,
    FactorOfPair64,
    AddendOfPair64,
}

impl Constant {
    /// All, in the order of the pool, with the bits of a 64-bit lane.
    const ALL: [(Constant, u64); 40] = {
        use Constant::*;
        const fn both(bits: u32) -> u64 {
            (bits as u64) << 32 | bits as u64
        }
        [
            (Least, both(1)),
            (TwiceLeast, both(2)),
            (AlmostHalf, both(0x7fff)),
            (High, both(0xffff_0000)),
            (Nan, both(f32::NAN.to_bits())),
            (Infinity, both(f32::INFINITY.to_bits())),
            (Magnitude, both(0x7fff_ffff)),
            (One, both(1f32.to_bits())),
            (One64, 1f64.to_bits()),
            (Signs, both(1 << 31)),
            (EvenSigns, 1 << 31),
            (OddSigns, 1 << 63),
            (Signs64, 1 << 63),
            (EvenSigns64, 1 << 63),
            (OddSigns64, 1 << 63),
            // Classes from the lowest digit: quiet NaN, signalling NaN, 0, 1, −∞, +∞, negative, positive. Responses: 0 keeps
            // the destination, 1 takes the source, 3 gives the default NaN.
            (CleanNan, both(0x0000_0033)),
            (KeepInfinity, both(0x0011_0000)),
            (KeepNan, both(0x1111_1100)),
            (Mxcsr, both(0x1f80)),
            (MxcsrDown, both(0x3f80)),
            (MxcsrUp, both(0x5f80)),
            (Nan64, f64::NAN.to_bits()),
            (Infinity64, f64::INFINITY.to_bits()),
            (Magnitude64, u64::MAX >> 1),
            // Response 8 gives +0.
            (ZeroUnlessNan, both(0x8888_8800)),
            (ZeroIfNan, both(0x0000_0088)),
            (Ones, u64::MAX),
            (Control, both(0x7f80)),
            (FactorOfOne, addition(FactorOfOne)[0]),
            (FactorOfParts, addition(FactorOfParts)[0]),
            (FactorOfPair, addition(FactorOfPair)[0]),
            (AddendOfParts, addition(AddendOfParts)[0]),
            (AddendOfPair, addition(AddendOfPair)[0]),
            (PackedOfOne, addition(PackedOfOne)[0]),
            (PackedOfParts, addition(PackedOfParts)[0]),
            (PackedOfPair, addition(PackedOfPair)[0]),
            (FactorOfParts64, addition(FactorOfParts64)[0]),
            (AddendOfParts64, addition(AddendOfParts64)[0]),
            (FactorOfPair64, addition(FactorOfPair64)[0]),
            (AddendOfPair64, addition(AddendOfPair64)[0]),
        ]
    };

    /// The constant that stands for it on lanes of binary64.
    pub(super) const fn of_64(self) -> Constant {
        match self {
            Constant::Nan => Constant::Nan64,
            Constant::Infinity => Constant::Infinity64,
            Constant::Magnitude => Constant::Magnitude64,
            Constant::One => Constant::One64,
            Constant::Signs => Constant::Signs64,
            Constant::EvenSigns => Constant::EvenSigns64,
            Constant::OddSigns => Constant::OddSigns64,
            other => other,
        }
    }

    /// Its distance from the start of the pool in bytes.
    pub(crate) const fn offset(self) -> u64 {
        (self as usize * STRIDE) as u64
    }
}

/// Bytes of the pool.
pub const POOL_BYTES: usize = Constant::ALL.len() * STRIDE;

/// The constants that trampolines refer to, to be put at an address that is a multiple of 64.
pub fn pool() -> Vec<u8> {
    let mut bytes = Vec::with_capacity(POOL_BYTES);
    for (constant, bits) in Constant::ALL {
        for lane in 0..STRIDE / 8 {
            use Constant::{EvenSigns64, OddSigns64, PackedOfOne, PackedOfPair, PackedOfParts};
            let bits = match (constant, lane % 2) {
                (EvenSigns64, 1) | (OddSigns64, 0) => 0,
                (PackedOfOne | PackedOfParts | PackedOfPair, odd) => addition(constant)[odd],
                _ => bits,
            };
            bytes.extend_from_slice(&bits.to_le_bytes());
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_constant_is_at_its_offset() {
        let pool = pool();
        assert_eq!(pool.len(), POOL_BYTES);
        for (index, (constant, bits)) in Constant::ALL.into_iter().enumerate() {
            assert_eq!(constant as usize, index);
            let lane = constant.offset() as usize + if constant == Constant::OddSigns64 { 8 } else { 0 };
            assert_eq!(pool[lane..lane + 8], bits.to_le_bytes());
        }
    }
}
