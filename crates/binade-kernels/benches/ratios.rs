//! Speed of every conversion relative to this machine's floors, interleaved in one run: `cargo bench -p binade-kernels
//! --bench ratios [-- FILTER]`. A figure is the median of rounds; a ratio is the median of the rounds' ratios to their
//! floor.

use std::hint::black_box;
use std::time::Instant;

use binade::philox::Stream;
use binade::{Edition, Format, Operation, Projection, Rounding, Saturation, Spec, Stochastic};
use binade_kernels::{BlockDecoder, BlockEncoder, Decoder, Encoder, codes::Arithmetic, floors};
use binade_simd::Isa;

struct Work<'a> {
    name: String,
    floor: &'static str,
    elements: usize,
    run: Box<dyn FnMut() + 'a>,
}

struct Suite<'a> {
    works: Vec<Work<'a>>,
    elements: usize,
}

impl<'a> Suite<'a> {
    fn add(&mut self, name: String, floor: &'static str, run: impl FnMut() + 'a) {
        self.works.push(Work { name, floor, elements: self.elements, run: Box::new(run) });
    }
}

/// Formats of blocks, with the elements of a block and their bits.
const BLOCKS: [(&str, usize, usize); 7] = [
    ("mxfp8_e4m3", 32, 8),
    ("mxfp8_e5m2", 32, 8),
    ("mxfp6_e3m2", 32, 6),
    ("mxfp6_e2m3", 32, 6),
    ("mxfp4", 32, 4),
    ("mxint8", 32, 8),
    ("nvfp4", 16, 4),
];

fn format(name: &str) -> Format {
    name.parse::<Spec>().unwrap_or_else(|error| panic!("{error}")).format
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Runs all measurements in turn, `rounds` times.
fn measure(place: &str, rounds: usize, repeats: usize, mut works: Vec<Work<'_>>) {
    let mut speeds = vec![vec![]; works.len()];
    for round in 0..=rounds {
        for (work, speeds) in works.iter_mut().zip(&mut speeds) {
            let start = Instant::now();
            for _ in 0..repeats {
                (work.run)();
            }
            let seconds = start.elapsed().as_secs_f64() / repeats as f64;
            // The first round warms up.
            if round > 0 {
                speeds.push(work.elements as f64 / seconds / 1e9);
            }
        }
    }
    for (work, own) in works.iter().zip(&speeds) {
        let best = own.iter().copied().fold(0.0, f64::max);
        // Kernels of codes have no floor.
        let floor = works.iter().position(|other| other.name == work.floor);
        let ratio = floor.map_or(String::new(), |floor| {
            let ratio = median(own.iter().zip(&speeds[floor]).map(|(own, floor)| own / floor).collect());
            format!("  {:5.0} % of {}", 100.0 * ratio, work.floor)
        });
        println!("{place:9} {:44} {:7.2} G/s (best {best:6.2}){ratio}", work.name, median(own.clone()));
    }
}

fn normal(random: &mut Stream) -> f32 {
    // A sum of uniforms is close enough to normal for timing.
    let mut sum = 0.0;
    for _ in 0..12 {
        sum += (random.word() >> 8) as f32 / (1 << 24) as f32;
    }
    sum - 6.0
}

fn main() {
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let isa = Isa::detect();
    println!("isa {isa}");
    let mut random = Stream::new(1);
    let base: Vec<f32> = (0..1 << 16).map(|_| normal(&mut random)).collect();
    let wide = |x: &f32| f32::from_bits(x.to_bits() & 0x807f_ffff | ((97 + (x.to_bits() >> 3) % 60) << 23));
    for (place, elements, rounds, repeats) in
        [("L2", 32 << 10, 15, 40), ("64 MiB", 16 << 20, 9, 1), ("256 MiB", 64 << 20, 5, 1)]
    {
        if !filter.is_empty() && !place.starts_with(&filter) && !filter.starts_with("all") {
            continue;
        }
        let take = |from: &dyn Fn(&f32) -> f32| -> Vec<f32> {
            (0..elements).map(|i| from(&base[i & 0xffff])).collect()
        };
        let source = take(&|x| *x);
        {
            let (wide, small) = (take(&wide), take(&|x| x * 0.004));
            let copy: Vec<f32> = source.clone();
            let (mut codes, mut words) = (vec![1u8; elements], vec![1u16; elements]);
            let (mut copied, codes, words) =
                (copy.clone(), std::cell::RefCell::new(&mut codes), std::cell::RefCell::new(&mut words));
            let scales = std::cell::RefCell::new(vec![0u8; elements / 16]);
            let halves: Vec<u16> = source.iter().map(|x| (x.to_bits() >> 16) as u16).collect();
            let mut suite = Suite { works: vec![], elements };
            suite.add("memcpy".into(), "memcpy", || {
                black_box(&mut copied).copy_from_slice(black_box(&source))
            });
            suite.add("pack".into(), "memcpy", || floors::pack(isa, &source, &mut codes.borrow_mut(), false));
            suite.add("pack stream".into(), "pack", || {
                floors::pack(isa, &source, &mut codes.borrow_mut(), true)
            });
            suite.add("pack_words".into(), "pack", || {
                floors::pack_words(isa, &source, &mut words.borrow_mut(), false)
            });
            for (name, short) in [
                ("float8_e4m3fn", "e4m3fn"),
                ("float8_e5m2", "e5m2"),
                ("float8_e4m3fnuz", "e4m3fnuz"),
                ("binary8p3", "binary8p3"),
                ("cfloat8_1_4_3@bias=7", "cfloat8_143"),
                ("binary8p7", "binary8p7"),
            ] {
                for rounding in Rounding::DETERMINISTIC {
                    if rounding != Rounding::NearestEven && !["e4m3fn", "cfloat8_143"].contains(&short) {
                        continue;
                    }
                    let encoder = Encoder::new(format(name), rounding, Saturation::Overflow).unwrap();
                    let (source, codes) = (&source, &codes);
                    suite.add(format!("f32 to {short} {}", rounding.name()), "pack", move || {
                        encoder.encode_f32(source, &mut codes.borrow_mut()[..]).unwrap()
                    });
                }
            }
            let e4m3 =
                Encoder::new(format("float8_e4m3fn"), Rounding::NearestEven, Saturation::Overflow).unwrap();
            let cfloat =
                Encoder::new(format("cfloat8_1_4_3@bias=7"), Rounding::NearestEven, Saturation::Overflow)
                    .unwrap();
            for (data, name) in [(&wide, "wide"), (&small, "subnormal-rich")] {
                let codes = &codes;
                suite.add(format!("f32 to e4m3fn, {name}"), "pack", move || {
                    e4m3.encode_f32(data, &mut codes.borrow_mut()[..]).unwrap()
                });
                suite.add(format!("f32 to cfloat8_143, {name}"), "pack", move || {
                    cfloat.encode_f32(data, &mut codes.borrow_mut()[..]).unwrap()
                });
            }
            for leg in Isa::available().skip(1) {
                let (encoder, source, codes) = (e4m3.with_isa(leg), &source, &codes);
                suite.add(format!("f32 to e4m3fn, {leg}"), "pack", move || {
                    encoder.encode_f32(source, &mut codes.borrow_mut()[..]).unwrap()
                });
            }
            for name in ["f16", "bf16", "binary16p11", "shp@bias=31", "uhp"] {
                let encoder =
                    Encoder::new(format(name), Rounding::NearestEven, Saturation::Overflow).unwrap();
                let (source, words) = (&source, &words);
                suite.add(format!("f32 to {name}"), "pack_words", move || {
                    encoder.encode_f32(source, &mut words.borrow_mut()[..]).unwrap()
                });
            }
            let stochastic = Rounding::Stochastic { variant: Stochastic::A, bits: 32, random: 0 };
            for name in ["float8_e4m3fn", "cfloat8_1_4_3@bias=7"] {
                for threads in [1, 2] {
                    let encoder = Encoder::new(format(name), stochastic, Saturation::Overflow)
                        .unwrap()
                        .with_threads(threads);
                    let (source, codes) = (&source, &codes);
                    suite.add(format!("f32 to {name} stochastic, {threads} threads"), "pack", move || {
                        encoder.encode_f32(source, &mut codes.borrow_mut()[..]).unwrap()
                    });
                }
            }
            for (name, block, bits) in BLOCKS {
                let encoder = BlockEncoder::new(name.parse().unwrap()).unwrap();
                let (source, codes, scales, halves) = (&source, &codes, &scales, &halves);
                let (wide, short) = (encoder.clone(), encoder.clone());
                suite.add(format!("f32 to {name}"), "pack", move || {
                    let (mut scales, mut codes) = (scales.borrow_mut(), codes.borrow_mut());
                    let (scales, codes) =
                        (&mut scales[..elements / block], &mut codes[..elements / 8 * bits]);
                    wide.encode_f32(source, elements, scales, codes).unwrap()
                });
                suite.add(format!("bf16 to {name}"), "pack", move || {
                    let (mut scales, mut codes) = (scales.borrow_mut(), codes.borrow_mut());
                    let (scales, codes) =
                        (&mut scales[..elements / block], &mut codes[..elements / 8 * bits]);
                    encoder.encode_bf16(halves, elements, scales, codes).unwrap()
                });
                suite.add(format!("f16 to {name}"), "pack", move || {
                    let (mut scales, mut codes) = (scales.borrow_mut(), codes.borrow_mut());
                    let (scales, codes) =
                        (&mut scales[..elements / block], &mut codes[..elements / 8 * bits]);
                    // As binary16 these bits are numbers of half the exponent, none of them infinite.
                    short.encode_f16(halves, elements, scales, codes).unwrap()
                });
            }
            measure(place, rounds, repeats, suite.works);
        }
        {
            let codes: Vec<u8> = source.iter().map(|x| (x.to_bits() >> 9) as u8).collect();
            let words: Vec<u16> = source.iter().map(|x| (x.to_bits() >> 7) as u16).collect();
            let mut values = vec![1f32; elements];
            let values = std::cell::RefCell::new(&mut values);
            let halves = std::cell::RefCell::new(vec![1u16; elements]);
            let stream = place != "L2";
            let mut suite = Suite { works: vec![], elements };
            suite.add("unpack".into(), "unpack", || {
                floors::unpack(isa, &codes, &mut values.borrow_mut(), stream)
            });
            suite.add("unpack_words".into(), "unpack_words", || {
                floors::unpack_words(isa, &words, &mut values.borrow_mut(), stream)
            });
            for name in ["float8_e4m3fn", "binary8p3", "cfloat8_1_4_3@bias=7"] {
                for leg in Isa::available() {
                    if leg != isa && name != "float8_e4m3fn" {
                        continue;
                    }
                    let decoder = Decoder::new(format(name)).unwrap().with_isa(leg);
                    let (codes, values) = (&codes, &values);
                    suite.add(format!("{name} to f32, {leg}"), "unpack", move || {
                        decoder.decode_f32(codes, &mut values.borrow_mut()).unwrap()
                    });
                }
            }
            for (name, block, bits) in BLOCKS {
                let decoder = BlockDecoder::new(name.parse().unwrap()).unwrap();
                let (codes, values, scales) = (
                    &codes[..elements / 8 * bits],
                    &values,
                    vec![if block == 32 { 127 } else { 56 }; elements / block],
                );
                let (short, of_short) = (decoder.clone(), scales.clone());
                let (binary16, of_binary16) = (decoder.clone(), scales.clone());
                suite.add(format!("{name} to f32"), "unpack", move || {
                    decoder.decode_f32(&scales, codes, elements, &mut values.borrow_mut()).unwrap()
                });
                let halves = &halves;
                suite.add(format!("{name} to bf16"), "unpack", move || {
                    short.decode_bf16(&of_short, codes, elements, &mut halves.borrow_mut()).unwrap()
                });
                suite.add(format!("{name} to f16"), "unpack", move || {
                    binary16.decode_f16(&of_binary16, codes, elements, &mut halves.borrow_mut()).unwrap()
                });
            }
            for name in ["f16", "bf16", "binary16p11", "shp@bias=31", "uhp"] {
                let decoder = Decoder::new(format(name)).unwrap();
                let (words, values) = (&words, &values);
                suite.add(format!("{name} to f32"), "unpack_words", move || {
                    decoder.decode_f32(words, &mut values.borrow_mut()).unwrap()
                });
            }
            measure(place, rounds, repeats, suite.works);
        }
        {
            let source: Vec<f64> = source.iter().map(|&x| x as f64 * 1.000_000_001).collect();
            let mut codes = vec![1u8; elements];
            let codes = std::cell::RefCell::new(&mut codes);
            let mut suite = Suite { works: vec![], elements };
            suite.add("pack_f64".into(), "pack_f64", || {
                floors::pack_f64(isa, &source, &mut codes.borrow_mut(), false)
            });
            for name in ["float8_e4m3fn", "binary8p3", "cfloat8_1_4_3@bias=7"] {
                let encoder =
                    Encoder::new(format(name), Rounding::NearestEven, Saturation::Overflow).unwrap();
                let (source, codes) = (&source, &codes);
                suite.add(format!("f64 to {name}"), "pack_f64", move || {
                    encoder.encode_f64(source, &mut codes.borrow_mut()[..]).unwrap()
                });
            }
            measure(place, rounds, repeats, suite.works);
        }
        {
            let x: Vec<u8> = source.iter().map(|x| (x.to_bits() >> 9) as u8).collect();
            let y: Vec<u8> = source.iter().map(|x| (x.to_bits() >> 13) as u8).collect();
            let mut result = vec![1u8; elements];
            let result = std::cell::RefCell::new(&mut result);
            let mut suite = Suite { works: vec![], elements };
            let (e4m3, e5m2, p3) = (format("float8_e4m3fn"), format("float8_e5m2"), format("binary8p3"));
            let (c4, c5) = (format("cfloat8_1_4_3@bias=7"), format("cfloat8_1_5_2@bias=20"));
            for (name, operation, a, b, to) in [
                ("add e4m3fn", Operation::Add, e4m3, e4m3, e4m3),
                ("multiply e4m3fn", Operation::Multiply, e4m3, e4m3, e4m3),
                ("divide e4m3fn", Operation::Divide, e4m3, e4m3, e4m3),
                ("minimum e4m3fn", Operation::Minimum, e4m3, e4m3, e4m3),
                ("add e4m3fn e5m2 to binary8p3", Operation::Add, e4m3, e5m2, p3),
                ("multiply e4m3fn e5m2 to binary8p3", Operation::Multiply, e4m3, e5m2, p3),
                ("add cfloat8_143 cfloat8_152 to cfloat8_152", Operation::Add, c4, c5, c5),
                ("multiply binary8p3", Operation::Multiply, p3, p3, p3),
            ] {
                let made = Arithmetic::new(operation, &[a, b], to, Projection::default()).unwrap();
                let (x, y, result) = (&x, &y, &result);
                suite.add(format!("codes: {name}"), "", move || {
                    made.apply(&[x.into(), y.into()], &mut result.borrow_mut()[..]).unwrap();
                });
            }
            let (p4se, p3se) = (format("binary8p4se"), format("binary8p3se"));
            for operation in [Operation::Add, Operation::Multiply, Operation::Hypot] {
                let inputs = [p4se, p3se];
                let made =
                    Arithmetic::in_edition(operation, &inputs, p3se, Projection::default(), Edition::V4)
                        .unwrap();
                let (x, y, result) = (&x, &y, &result);
                suite.add(
                    format!("codes: {} binary8p4se binary8p3se, 4.0", operation.name()),
                    "",
                    move || {
                        made.apply(&[x.into(), y.into()], &mut result.borrow_mut()[..]).unwrap();
                    },
                );
            }
            for operation in ["sin_pi", "softplus", "rsqrt"].map(|name| Operation::from_name(name).unwrap()) {
                let made =
                    Arithmetic::in_edition(operation, &[p3se], p3se, Projection::default(), Edition::V4)
                        .unwrap();
                let (x, result) = (&x, &result);
                for leg in Isa::available() {
                    let made = made.clone().with_isa(leg);
                    suite.add(
                        format!("codes: {} binary8p3se, 4.0, {leg}", operation.name()),
                        "",
                        move || {
                            made.apply(&[x.into()], &mut result.borrow_mut()[..]).unwrap();
                        },
                    );
                }
            }
            let exp = Arithmetic::new(Operation::Exp, &[e4m3], e4m3, Projection::default()).unwrap();
            let (x, result) = (&x, &result);
            suite.add("codes: exp e4m3fn".into(), "", move || {
                exp.apply(&[x.into()], &mut result.borrow_mut()[..]).unwrap()
            });
            measure(place, rounds, repeats, suite.works);
        }
    }
}
