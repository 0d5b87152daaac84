//! Evaluates `rng_bit_generator`, bit for bit as XLA does, and `rng`. The generators Threefry-2x32-20 and
//! Philox-4x32-10 are those of Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3".

use std::sync::Arc;

use binade_simd::threads;
use binade_stablehlo::ir::RngAlgorithm;
use binade_stablehlo::{Data, ElementType, FloatType, Tensor};

use super::convert::convert;
use crate::error::EvalError;
use crate::movement::layout::PARALLEL;
use crate::movement::shape::integers;

/// The two words of Threefry-2x32 for a counter.
fn threefry(key: u64, counter: u64) -> [u32; 2] {
    const ROTATIONS: [[u32; 4]; 2] = [[13, 15, 26, 6], [17, 29, 16, 24]];
    let (k0, k1) = (key as u32, (key >> 32) as u32);
    let keys = [k0, k1, 0x1BD1_1BDA ^ k0 ^ k1];
    let (mut x0, mut x1) = ((counter as u32).wrapping_add(k0), ((counter >> 32) as u32).wrapping_add(k1));
    for group in 0..5 {
        for rotation in ROTATIONS[group % 2] {
            x0 = x0.wrapping_add(x1);
            x1 = x1.rotate_left(rotation) ^ x0;
        }
        x0 = x0.wrapping_add(keys[(group + 1) % 3]);
        x1 = x1.wrapping_add(keys[(group + 2) % 3]).wrapping_add(group as u32 + 1);
    }
    [x0, x1]
}

/// The four words of Philox-4x32 for a counter.
fn philox(key: u64, counter: u128) -> [u32; 4] {
    let mut keys = [key as u32, (key >> 32) as u32];
    let mut x = [0, 32, 64, 96].map(|shift| (counter >> shift) as u32);
    for _ in 0..10 {
        let (a, b) = (u64::from(x[0]) * 0xD251_1F53, u64::from(x[2]) * 0xCD9E_8D57);
        x = [(b >> 32) as u32 ^ x[1] ^ keys[0], b as u32, (a >> 32) as u32 ^ x[3] ^ keys[1], a as u32];
        keys = [keys[0].wrapping_add(0x9E37_79B9), keys[1].wrapping_add(0xBB67_AE85)];
    }
    x
}

/// The dimension along which neighbours share a block of Threefry: the first even one, otherwise the first of the
/// largest.
fn paired_dimension(shape: &[usize]) -> usize {
    let largest = || (0..shape.len()).rev().max_by_key(|&at| shape[at]);
    shape.iter().position(|size| size % 2 == 0).or_else(largest).unwrap_or(0)
}

/// Returns the next state, and random bits in all bits of each element.
///
/// # Errors
/// If the state is not of two or three integers of 64 bits (Threefry: two), or of twice as many of 32.
pub(crate) fn bits(
    algorithm: RngAlgorithm,
    state: &Tensor,
    element: &ElementType,
    shape: &[usize],
) -> Result<(Tensor, Data), EvalError> {
    let words: Vec<u64> = match &*state.data {
        Data::U64(words) => words.clone(),
        // The low half of each word comes first.
        Data::U32(halves) => halves
            .chunks(2)
            .map(|half| half.iter().rev().fold(0, |word, &h| word << 32 | u64::from(h)))
            .collect(),
        _ => integers(state).into_iter().map(|word| word as u64).collect(),
    };
    let length: usize = shape.iter().product();
    let wide = element.stored_bytes() == 8;
    let (words, values): (Vec<u64>, Vec<u64>) = match (algorithm, &words[..]) {
        (RngAlgorithm::ThreeFry, &[key, counter]) if wide => {
            let value = |at: usize| {
                let [low, high] = threefry(key, counter.wrapping_add(at as u64));
                u64::from(low) | u64::from(high) << 32
            };
            (vec![key, counter.wrapping_add(length as u64)], fill(length, value))
        }
        (RngAlgorithm::ThreeFry, &[key, counter]) => {
            // An element's block is its index in a tensor of half the size along the paired dimension.
            let paired = paired_dimension(shape);
            let size = shape.get(paired).copied().unwrap_or(1);
            let inner: usize = shape.iter().skip(paired + 1).product();
            let half = size.div_ceil(2);
            let value = |at: usize| {
                let (outer, along, rest) = (at / inner / size, at / inner % size, at % inner);
                let block = (outer * half + along / 2) * inner + rest;
                u64::from(threefry(key, counter.wrapping_add(block as u64))[along % 2])
            };
            let blocks = length.checked_div(size).unwrap_or(0) * half;
            (vec![key, counter.wrapping_add(blocks as u64)], fill(length, value))
        }
        (RngAlgorithm::Default | RngAlgorithm::Philox, &[key, low, ref high @ ..]) if high.len() <= 1 => {
            // Without a high half of the counter, the key replaces it.
            let counter = u128::from(high.first().copied().unwrap_or(key)) << 64 | u128::from(low);
            let each = if wide { 2 } else { 4 };
            let value = |at: usize| {
                let block = philox(key, counter.wrapping_add((at / each) as u128));
                match wide {
                    true => u64::from(block[at % 2 * 2]) | u64::from(block[at % 2 * 2 + 1]) << 32,
                    false => block[at % 4].into(),
                }
            };
            let after = counter.wrapping_add(length.div_ceil(each) as u128);
            let mut words = vec![key, after as u64];
            words.extend(high.first().map(|_| (after >> 64) as u64));
            (words, fill(length, value))
        }
        _ => {
            let facts = format!("{algorithm:?} has no state of {} words", words.len());
            return Err(EvalError::shape("rng_bit_generator", facts));
        }
    };
    let words = match &*state.data {
        Data::U32(_) => {
            Data::U32(words.into_iter().flat_map(|word| [word as u32, (word >> 32) as u32]).collect())
        }
        _ => Data::U64(words),
    };
    Ok((Tensor { data: Arc::new(words), ..state.clone() }, codes(&values, element)))
}

fn fill(length: usize, value: impl Fn(usize) -> u64 + Send + Sync) -> Vec<u64> {
    const TOGETHER: usize = 4096;
    let mut words = vec![0; length];
    threads::chunks(length >= PARALLEL, &mut words, TOGETHER, |chunk, words| {
        words.iter_mut().zip(chunk * TOGETHER..).for_each(|(word, at)| *word = value(at));
    });
    words
}

/// Elements with the low bits of these words.
fn codes(words: &[u64], element: &ElementType) -> Data {
    let width = match element {
        ElementType::Bool => 1,
        ElementType::Integer { width, .. } => u32::from(*width),
        ElementType::Float(float) => float.width(),
        _ => 64,
    };
    let mask = u64::MAX >> (64 - width);
    let signed = |word: u64| ((word << (64 - width)) as i64) >> (64 - width);
    let mut data = Data::zeros(element, words.len());
    macro_rules! set {
        ($data:expr, $word:ident => $value:expr) => {
            $data.iter_mut().zip(words).for_each(|(to, &$word)| *to = $value)
        };
    }
    match &mut data {
        Data::I8(data) => set!(data, word => signed(word) as i8),
        Data::I16(data) => set!(data, word => signed(word) as i16),
        Data::I32(data) => set!(data, word => signed(word) as i32),
        Data::I64(data) => set!(data, word => signed(word)),
        Data::U8(data) => set!(data, word => (word & mask) as u8),
        Data::U16(data) => set!(data, word => (word & mask) as u16),
        Data::U32(data) => set!(data, word => (word & mask) as u32),
        Data::U64(data) => set!(data, word => word & mask),
        Data::F32(data) => set!(data, word => f32::from_bits(word as u32)),
        Data::F64(data) => set!(data, word => f64::from_bits(word)),
        Data::C64(_) | Data::C128(_) => {}
    }
    data
}

/// `rng`: uniform on [a, b), or normal with mean a and standard deviation b. The result depends on the seed and on the
/// number of earlier executions of such operations (`run`).
///
/// # Errors
/// If a type has no such distribution.
pub(crate) fn rng(
    normal: bool,
    a: &Tensor,
    b: &Tensor,
    shape: &[usize],
    seed: u64,
    run: u64,
) -> Result<Data, EvalError> {
    let length: usize = shape.iter().product();
    let element = &a.element;
    // Two words for each element, each a fraction in [0, 1) of 53 bits.
    let words = |at: usize| {
        let block = philox(seed, u128::from(run) << 64 | at as u128);
        [0, 2].map(|word| u64::from(block[word]) | u64::from(block[word + 1]) << 32)
    };
    let fraction = |word: u64| (word >> 11) as f64 * 2f64.powi(-53);
    if let ElementType::Integer { .. } | ElementType::Bool = element {
        let (least, end) = (wide_integer(a), wide_integer(b));
        let count = u128::try_from(end - least).unwrap_or(0).max(1);
        let value = |at: usize| {
            let [low, high] = words(at);
            (least + ((u128::from(high) << 64 | u128::from(low)) % count) as i128) as u64
        };
        return Ok(codes(&fill(length, value), element));
    }
    let double = ElementType::Float(FloatType::F64);
    let scalar = |x: &Tensor| -> Result<f64, EvalError> {
        match convert(x, &double)? {
            Data::F64(x) => Ok(x[0]),
            _ => Err(EvalError::element("rng", &x.element)),
        }
    };
    let (a, b) = (scalar(a)?, scalar(b)?);
    let value = |at: usize| {
        let [first, second] = words(at).map(fraction);
        let value = match normal {
            // Box and Muller's method; 1 − u is in (0, 1].
            true => a + b * (-2.0 * (1.0 - first).ln()).sqrt() * (std::f64::consts::TAU * second).cos(),
            false => a + first * (b - a),
        };
        value.to_bits()
    };
    let values: Vec<f64> = fill(length, value).into_iter().map(f64::from_bits).collect();
    let tensor = |element: &ElementType, data| Tensor {
        element: element.clone(),
        shape: shape.to_vec(),
        data: Arc::new(data),
    };
    let rounded = convert(&tensor(&double, Data::F64(values.clone())), element)?;
    let Data::F64(again) = convert(&tensor(element, rounded.clone()), &double)? else { return Ok(rounded) };
    if normal || a == b || !again.contains(&b) {
        return Ok(rounded);
    }
    // Numbers that round to b are half of the last step; they become a, which rounding leaves half a step. So the
    // interval is half-open, and all values have the right probability.
    let within =
        values.into_iter().zip(again).map(|(value, again)| if again == b { a } else { value }).collect();
    convert(&tensor(&double, Data::F64(within)), element)
}

fn wide_integer(x: &Tensor) -> i128 {
    match &*x.data {
        Data::U64(x) => x[0].into(),
        _ => integers(x)[0].into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generate(algorithm: RngAlgorithm, state: &[u64], width: u8, shape: &[usize]) -> (Vec<u64>, Data) {
        let element = ElementType::Integer { signed: false, width: 64 };
        let state = Tensor::new(element, vec![state.len()], Data::U64(state.to_vec()));
        let element = ElementType::Integer { signed: false, width };
        let (after, data) = bits(algorithm, &state, &element, shape).unwrap();
        (u64s(&after.data), data)
    }

    fn u64s(data: &Data) -> Vec<u64> {
        match data {
            Data::U8(x) => x.iter().map(|&x| x.into()).collect(),
            Data::U16(x) => x.iter().map(|&x| x.into()).collect(),
            Data::U32(x) => x.iter().map(|&x| x.into()).collect(),
            Data::U64(x) => x.clone(),
            other => panic!("{other:?}"),
        }
    }

    const STATE: [u64; 3] = [0x1234_5678_9abc_def0, 0xffff_ffff_ffff_fffe, 0x0fed_cba9_8765_4321];

    /// Outputs of XLA on CPU (jaxlib 0.10.2) compiled from `stablehlo.rng_bit_generator`.
    #[test]
    fn threefry_is_xla_s() {
        let words = [
            0x3c3b_507a,
            0x7093_e72c,
            0xa431_7ba7,
            0x21f1_aaca,
            0x5eff_803d,
            0x4ce3_80f9,
            0x394b_defc,
            0x64df_d0ae,
            0x523f_5786,
            0x553d_0168,
        ];
        let (after, data) = generate(RngAlgorithm::ThreeFry, &STATE[..2], 32, &[8]);
        assert_eq!((after, u64s(&data)), (vec![STATE[0], 2], words[..8].to_vec()));
        let (after, data) = generate(RngAlgorithm::ThreeFry, &STATE[..2], 32, &[3, 3]);
        let order = [0, 2, 4, 1, 3, 5, 6, 8, 9];
        assert_eq!((after, u64s(&data)), (vec![STATE[0], 4], order.map(|at| words[at]).to_vec()));
        let (after, data) = generate(RngAlgorithm::ThreeFry, &STATE[..2], 8, &[3]);
        assert_eq!((after, u64s(&data)), (vec![STATE[0], 0], vec![0x7a, 0x2c, 0xa7]));
        let (after, data) = generate(RngAlgorithm::ThreeFry, &STATE[..2], 64, &[3]);
        let wide = vec![0x7093_e72c_3c3b_507a, 0x21f1_aaca_a431_7ba7, 0x4ce3_80f9_5eff_803d];
        assert_eq!((after, u64s(&data)), (vec![STATE[0], 1], wide));
        let (after, data) = generate(RngAlgorithm::ThreeFry, &STATE[..2], 16, &[1]);
        assert_eq!((after, u64s(&data)), (vec![STATE[0], u64::MAX], vec![0x507a]));
    }

    #[test]
    fn philox_is_xla_s() {
        for algorithm in [RngAlgorithm::Philox, RngAlgorithm::Default] {
            let (after, data) = generate(algorithm, &STATE, 32, &[8]);
            let words = vec![
                0xe236_e67a,
                0x4116_dcd3,
                0xfaa3_c1e9,
                0x20e3_a6dd,
                0x3530_a0b0,
                0xc019_48aa,
                0x9319_9cc5,
                0xdab7_fba5,
            ];
            assert_eq!((after, u64s(&data)), (vec![STATE[0], 0, STATE[2] + 1], words));
            let (after, data) = generate(algorithm, &STATE, 64, &[3]);
            let words = vec![0x4116_dcd3_e236_e67a, 0x20e3_a6dd_faa3_c1e9, 0xc019_48aa_3530_a0b0];
            assert_eq!((after, u64s(&data)), (vec![STATE[0], 0, STATE[2] + 1], words));
            let (after, data) = generate(algorithm, &STATE[..2], 16, &[9]);
            let words = vec![0x56ff, 0xd4a1, 0xdbb7, 0xd7a7, 0xdf1e, 0x590c, 0xe9da, 0x0b26, 0x8cf3];
            assert_eq!((after, u64s(&data)), (vec![STATE[0], 1], words));
        }
    }

    /// Bounds and moments of `rng`.
    #[test]
    fn distributions() {
        let scalar = |x: f32| Tensor::new(ElementType::Float(FloatType::F32), vec![], Data::F32(vec![x]));
        let Data::F32(x) = rng(false, &scalar(-2.0), &scalar(6.0), &[10_000], 7, 0).unwrap() else {
            panic!()
        };
        assert!(x.iter().all(|x| (-2.0..6.0).contains(x)));
        assert!((x.iter().sum::<f32>() / 1e4 - 2.0).abs() < 0.1);
        let Data::F32(x) = rng(true, &scalar(1.0), &scalar(3.0), &[10_000], 7, 1).unwrap() else { panic!() };
        let mean = x.iter().sum::<f32>() / 1e4;
        let variance = x.iter().map(|x| (x - mean).powi(2)).sum::<f32>() / 1e4;
        assert!((mean - 1.0).abs() < 0.1 && (variance - 9.0).abs() < 0.4, "{mean} {variance}");
        let byte = ElementType::Integer { signed: true, width: 8 };
        let scalar = |x: i8| Tensor::new(byte.clone(), vec![], Data::I8(vec![x]));
        let Data::I8(x) = rng(false, &scalar(-3), &scalar(2), &[1000], 7, 2).unwrap() else { panic!() };
        assert!((-3..2).all(|value| x.contains(&value)) && x.iter().all(|x| (-3..2).contains(x)));
    }
}
