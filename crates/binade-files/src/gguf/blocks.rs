//! Block layouts of GGUF: the size of each, and the values of its elements.
//!
//! Sources: ggml's `ggml-common.h` for the layouts and `ggml-quants.c` for the values. Values are computed in binary32 in the
//! same order of operations. Two cases differ: a scale that is NaN in its own format (E8M0 255, E4M3 127) gives NaN here, and
//! a number there.

use std::fmt;

/// A block layout: elements that share their scales.
pub struct BlockLayout {
    /// Number of the type in the file.
    pub(super) code: u32,
    /// Name of the type, as `Q4_K`.
    pub(super) name: &'static str,
    /// Elements of a block.
    pub(super) elements: usize,
    /// Bytes of a block.
    pub(super) bytes: usize,
    /// Computes the values of a block; `None` if only its size is known.
    pub(super) decode: Option<Decode>,
}

impl fmt::Debug for BlockLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for BlockLayout {
    fn eq(&self, other: &Self) -> bool {
        self.code == other.code
    }
}

impl Eq for BlockLayout {}

/// Computes the values of a block from its bytes.
pub(super) type Decode = fn(&[u8], &mut [f32]);

/// Most elements of a block.
pub(super) const MOST: usize = 256;

const fn row(code: u32, name: &'static str, elements: usize, bytes: usize, decode: Decode) -> BlockLayout {
    BlockLayout { code, name, elements, bytes, decode: Some(decode) }
}

/// A layout of known size, whose values depend on tables of a vector codebook.
const fn opaque(code: u32, name: &'static str, elements: usize, bytes: usize) -> BlockLayout {
    BlockLayout { code, name, elements, bytes, decode: None }
}

static LAYOUTS: [BlockLayout; 26] = [
    row(2, "Q4_0", 32, 18, q4_0),
    row(3, "Q4_1", 32, 20, q4_1),
    row(6, "Q5_0", 32, 22, q5_0),
    row(7, "Q5_1", 32, 24, q5_1),
    row(8, "Q8_0", 32, 34, q8_0),
    row(10, "Q2_K", 256, 84, q2_k),
    row(11, "Q3_K", 256, 110, q3_k),
    row(12, "Q4_K", 256, 144, q4_k),
    row(13, "Q5_K", 256, 176, q5_k),
    row(14, "Q6_K", 256, 210, q6_k),
    row(20, "IQ4_NL", 32, 18, iq4_nl),
    row(23, "IQ4_XS", 256, 136, iq4_xs),
    row(34, "TQ1_0", 256, 54, tq1_0),
    row(35, "TQ2_0", 256, 66, tq2_0),
    row(39, "MXFP4", 32, 17, mxfp4),
    row(40, "NVFP4", 64, 36, nvfp4),
    opaque(9, "Q8_1", 32, 36),
    opaque(15, "Q8_K", 256, 292),
    opaque(16, "IQ2_XXS", 256, 66),
    opaque(17, "IQ2_XS", 256, 74),
    opaque(18, "IQ3_XXS", 256, 98),
    opaque(19, "IQ1_S", 256, 50),
    opaque(21, "IQ3_S", 256, 110),
    opaque(22, "IQ2_S", 256, 82),
    opaque(29, "IQ1_M", 256, 56),
    opaque(41, "Q1_0", 128, 18),
];

impl BlockLayout {
    /// The layout with this number in a file.
    pub(super) fn of(code: u32) -> Option<&'static BlockLayout> {
        LAYOUTS.iter().find(|layout| layout.code == code)
    }

    /// The name of the layout, as `Q4_K`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Number of elements of a block.
    pub fn elements(&self) -> usize {
        self.elements
    }

    /// Number of bytes of a block.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

fn half(bytes: &[u8], at: usize) -> f32 {
    f16_to_f32(u16::from_le_bytes([bytes[at], bytes[at + 1]]))
}

/// The value of a binary16 number.
fn f16_to_f32(code: u16) -> f32 {
    let (sign, exponent, trailing) =
        (u32::from(code >> 15) << 31, u32::from(code >> 10 & 31), u32::from(code & 0x3ff));
    match exponent {
        // A subnormal number is a multiple of 2^-24.
        0 => f32::from_bits(sign | (trailing as f32 * f32::from_bits(103 << 23)).to_bits()),
        31 => f32::from_bits(sign | 0x7f80_0000 | trailing << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | trailing << 13),
    }
}

/// The code of the element `at` in 16 bytes: those of the first half of the elements are in the low bits.
fn nibble(codes: &[u8], at: usize) -> u8 {
    let half = codes.len();
    if at < half { codes[at] & 15 } else { codes[at - half] >> 4 }
}

fn q4_0(block: &[u8], out: &mut [f32]) {
    let scale = half(block, 0);
    for (at, value) in out.iter_mut().enumerate() {
        *value = scale * (f32::from(nibble(&block[2..], at)) - 8.0);
    }
}

fn q4_1(block: &[u8], out: &mut [f32]) {
    let (scale, least) = (half(block, 0), half(block, 2));
    for (at, value) in out.iter_mut().enumerate() {
        *value = scale * f32::from(nibble(&block[4..], at)) + least;
    }
}

/// The fifth bit of the code of the element `at`, in its place.
fn fifth(bits: &[u8], at: usize) -> u8 {
    (bits[at / 8] >> (at % 8) & 1) << 4
}

fn q5_0(block: &[u8], out: &mut [f32]) {
    let scale = half(block, 0);
    for (at, value) in out.iter_mut().enumerate() {
        let code = nibble(&block[6..], at) | fifth(&block[2..6], at);
        *value = scale * (f32::from(code) - 16.0);
    }
}

fn q5_1(block: &[u8], out: &mut [f32]) {
    let (scale, least) = (half(block, 0), half(block, 2));
    for (at, value) in out.iter_mut().enumerate() {
        let code = nibble(&block[8..], at) | fifth(&block[4..8], at);
        *value = scale * f32::from(code) + least;
    }
}

fn q8_0(block: &[u8], out: &mut [f32]) {
    let scale = half(block, 0);
    for (value, &code) in out.iter_mut().zip(&block[2..]) {
        *value = f32::from(code as i8) * scale;
    }
}

/// The two bits of the element `at` of 256. A byte has four elements, each 32 apart.
fn pair(codes: &[u8], at: usize) -> u8 {
    codes[at / 128 * 32 + at % 32] >> (at % 128 / 32 * 2) & 3
}

fn q2_k(block: &[u8], out: &mut [f32]) {
    let (scales, codes) = (&block[..16], &block[16..80]);
    let (scale, least) = (half(block, 80), half(block, 82));
    for (at, value) in out.iter_mut().enumerate() {
        let both = scales[at / 16];
        let (scale, least) = (scale * f32::from(both & 15), least * f32::from(both >> 4));
        *value = scale * f32::from(pair(codes, at)) - least;
    }
}

fn q3_k(block: &[u8], out: &mut [f32]) {
    let (high, codes, scales) = (&block[..32], &block[32..96], &block[96..108]);
    let scale = half(block, 108);
    for (at, value) in out.iter_mut().enumerate() {
        // A scale has its low four bits in the first eight bytes, and its high two in the last four.
        let of = at / 16;
        let low = scales[of % 8] >> (of / 8 * 4) & 15;
        let scale = scale * (f32::from(low | (scales[8 + of % 4] >> (of / 4 * 2) & 3) << 4) - 32.0);
        let absent = high[at % 32] >> (at / 32) & 1 ^ 1;
        *value = scale * (f32::from(pair(codes, at)) - 4.0 * f32::from(absent));
    }
}

/// The scale and the least value of the group `of` of 32 elements, each of six bits.
fn six_bits(scales: &[u8], of: usize) -> (u8, u8) {
    if of < 4 {
        return (scales[of] & 63, scales[of + 4] & 63);
    }
    let low = scales[of + 4];
    (low & 15 | scales[of - 4] >> 6 << 4, low >> 4 | scales[of] >> 6 << 4)
}

/// The low four bits of the element `at` of 256. A byte has two elements, 32 apart.
fn four_bits(codes: &[u8], at: usize) -> u8 {
    codes[at / 64 * 32 + at % 32] >> (at % 64 / 32 * 4) & 15
}

fn q4_k(block: &[u8], out: &mut [f32]) {
    let (scale, least, scales, codes) = (half(block, 0), half(block, 2), &block[4..16], &block[16..144]);
    for (at, value) in out.iter_mut().enumerate() {
        let (factor, offset) = six_bits(scales, at / 32);
        let (scale, least) = (scale * f32::from(factor), least * f32::from(offset));
        *value = scale * f32::from(four_bits(codes, at)) - least;
    }
}

fn q5_k(block: &[u8], out: &mut [f32]) {
    let (scale, least, scales) = (half(block, 0), half(block, 2), &block[4..16]);
    let (high, codes) = (&block[16..48], &block[48..176]);
    for (at, value) in out.iter_mut().enumerate() {
        let (factor, offset) = six_bits(scales, at / 32);
        let (scale, least) = (scale * f32::from(factor), least * f32::from(offset));
        let code = four_bits(codes, at) | (high[at % 32] >> (at / 32) & 1) << 4;
        *value = scale * f32::from(code) - least;
    }
}

fn q6_k(block: &[u8], out: &mut [f32]) {
    let (low, high, scales) = (&block[..128], &block[128..192], &block[192..208]);
    let scale = half(block, 208);
    for (at, value) in out.iter_mut().enumerate() {
        let low = low[at / 128 * 64 + at % 64] >> (at % 128 / 64 * 4) & 15;
        let code = f32::from(low | pair(high, at) << 4) - 32.0;
        *value = scale * f32::from(scales[at / 16] as i8) * code;
    }
}

/// The values of the codes of IQ4_NL and IQ4_XS.
const UNEVEN: [i8; 16] = [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113];

fn iq4_nl(block: &[u8], out: &mut [f32]) {
    let scale = half(block, 0);
    for (at, value) in out.iter_mut().enumerate() {
        *value = scale * f32::from(UNEVEN[usize::from(nibble(&block[2..], at))]);
    }
}

fn iq4_xs(block: &[u8], out: &mut [f32]) {
    let scale = half(block, 0);
    let (high, low, codes) = (u16::from_le_bytes([block[2], block[3]]), &block[4..8], &block[8..136]);
    for (of, group) in out.chunks_mut(32).enumerate() {
        let low = low[of / 2] >> (of % 2 * 4) & 15;
        let scale = scale * (f32::from(low | ((high >> (2 * of) & 3) as u8) << 4) - 32.0);
        for (at, value) in group.iter_mut().enumerate() {
            *value = scale * f32::from(UNEVEN[usize::from(nibble(&codes[16 * of..16 * of + 16], at))]);
        }
    }
}

/// The digit `at` of five base-3 digits in a byte, which is a fraction of 256.
fn digit(byte: u8, at: usize) -> f32 {
    let turned = byte.wrapping_mul([1, 3, 9, 27, 81][at]);
    f32::from(((u16::from(turned) * 3) >> 8) as u8) - 1.0
}

fn tq1_0(block: &[u8], out: &mut [f32]) {
    let scale = half(block, 52);
    for (at, value) in out.iter_mut().enumerate() {
        let digit = match at {
            0..160 => digit(block[at % 32], at / 32),
            160..240 => digit(block[32 + (at - 160) % 16], (at - 160) / 16),
            _ => digit(block[48 + (at - 240) % 4], (at - 240) / 4),
        };
        *value = scale * digit;
    }
}

fn tq2_0(block: &[u8], out: &mut [f32]) {
    let scale = half(block, 64);
    for (at, value) in out.iter_mut().enumerate() {
        *value = scale * (f32::from(pair(&block[..64], at)) - 1.0);
    }
}

/// Twice the values of E2M1.
const E2M1: [i8; 16] = [0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12];

fn mxfp4(block: &[u8], out: &mut [f32]) {
    // Half of the E8M0 scale, because the values are twice those of E2M1.
    let half = match block[0] {
        255 => f32::NAN,
        exponent @ 0..2 => f32::from_bits(0x0020_0000 << exponent),
        exponent => f32::from_bits((u32::from(exponent) - 1) << 23),
    };
    for (at, value) in out.iter_mut().enumerate() {
        *value = half * f32::from(E2M1[usize::from(nibble(&block[1..], at))]);
    }
}

fn nvfp4(block: &[u8], out: &mut [f32]) {
    for (of, group) in out.chunks_mut(16).enumerate() {
        // E4M3 without its sign.
        let code = block[of] & 127;
        let (exponent, trailing) = (u32::from(code >> 3), f32::from(code & 7));
        let half = match (exponent, code) {
            (_, 127) => f32::NAN,
            (0, _) => trailing * f32::from_bits((127 - 10) << 23),
            _ => (1.0 + trailing / 8.0) * f32::from_bits((exponent + 127 - 8) << 23),
        };
        for (at, value) in group.iter_mut().enumerate() {
            *value = half * f32::from(E2M1[usize::from(nibble(&block[4 + 8 * of..12 + 8 * of], at))]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f16_to_f32_special_codes_have_their_values() {
        for (code, value) in
            [(0x3c00, 1.0), (0xc000, -2.0), (1, 2.0_f32.powi(-24)), (0x03ff, 1023.0 / 16_777_216.0)]
        {
            assert_eq!(f16_to_f32(code), value);
        }
        assert_eq!(f16_to_f32(0x8000).to_bits(), 0x8000_0000);
        assert_eq!(f16_to_f32(0xfc00), f32::NEG_INFINITY);
        assert!(f16_to_f32(0x7e00).is_nan());
    }

    #[test]
    fn decode_every_layout_fills_a_block_of_its_size() {
        for layout in LAYOUTS.iter() {
            assert!(layout.elements <= MOST);
            let Some(decode) = layout.decode else { continue };
            let mut values = vec![f32::INFINITY; layout.elements];
            decode(&vec![0x33; layout.bytes], &mut values);
            assert!(values.iter().all(|value| value.is_finite()), "{layout:?}");
        }
    }

    #[test]
    fn decode_scale_of_nan_gives_nan() {
        let mut values = [0.0; 64];
        mxfp4(&[255; 17], &mut values[..32]);
        assert!(values[..32].iter().all(|value| value.is_nan()));
        nvfp4(&[[127; 4].as_slice(), &[0x12; 32]].concat(), &mut values);
        assert!(values.iter().all(|value| value.is_nan()));
    }
}
