//! Arithmetic on slices of codes against `binade`'s operations, on every leg.

mod common;

use binade::philox::Stream;
use binade::{Answer, AnswerKind, Datum, Edition, Format, Operation, Projection, Rounding, Saturation};
use binade_kernels::codes::Arithmetic;
use binade_simd::Isa;
use common::{ARITHMETIC, OTHERS, SEEDS, drawn, format, legs, projections, random_format, stochastics};

fn define(
    edition: Edition,
    operation: Operation,
    formats: &[Format],
    codes: &[u16],
    to: Format,
    how: Projection,
) -> u16 {
    let data: Vec<Datum> = formats
        .iter()
        .zip(codes)
        .map(|(&format, &code)| Datum::new(format, code as u64 & format.last_code()).unwrap())
        .collect();
    match operation.evaluate(&data, &[], to, how, edition).unwrap() {
        Answer::Code(rounded) => rounded.code as u16,
        Answer::Bool(truth) => truth as u16,
        Answer::Class(_) => unreachable!(),
    }
}

/// Applies an operation to operands (as bytes too if they all fit) and compares.
fn check(
    legs: &[Isa],
    operation: Operation,
    formats: &[Format],
    operands: &[Vec<u16>],
    to: Format,
    how: Projection,
) {
    check_in(Edition::Interim, legs, operation, formats, operands, to, how);
}

/// [`check`] by the definitions of an edition.
fn check_in(
    edition: Edition,
    legs: &[Isa],
    operation: Operation,
    formats: &[Format],
    operands: &[Vec<u16>],
    to: Format,
    how: Projection,
) {
    let (seed, first) = (11, (1 << 34) - 100);
    let count = operands[0].len();
    let want: Vec<u16> = (0..count)
        .map(|i| {
            let codes: Vec<u16> = operands.iter().map(|operand| operand[i]).collect();
            let how = Projection { rounding: drawn(how.rounding, seed, first + i as u64), ..how };
            define(edition, operation, formats, &codes, to, how)
        })
        .collect();
    let arithmetic = Arithmetic::in_edition(operation, formats, to, how, edition).unwrap();
    let arithmetic = arithmetic.with_seed(seed).starting_at(first);
    let bytes: Vec<Vec<u8>> = operands.iter().map(|o| o.iter().map(|&code| code as u8).collect()).collect();
    let narrow_in = formats.iter().all(|format| format.width() <= 8);
    let narrow_out = to.width() <= 8 || operation.kind() == AnswerKind::Bool;
    for &isa in legs {
        let arithmetic = arithmetic.clone().with_isa(isa);
        let wide: Vec<_> = operands.iter().map(|operand| operand.into()).collect();
        let narrow: Vec<_> = bytes.iter().map(|operand| operand.into()).collect();
        let mut got = vec![0xeeee_u16; count];
        arithmetic.apply(&wide, &mut got).unwrap();
        if let Some(i) = (0..count).find(|&i| got[i] != want[i]) {
            let codes: Vec<String> = operands.iter().map(|operand| format!("{:#x}", operand[i])).collect();
            let (name, got, want) = (operation.name(), got[i], want[i]);
            panic!("{isa}: {name} {codes:?} of {formats:?} to {to} {how:?}: {got:#x}, not {want:#x}");
        }
        if narrow_in {
            arithmetic.apply(&narrow, &mut got).unwrap();
            assert!(got == want, "{isa}: {} of bytes {formats:?} to words of {to} {how:?}", operation.name());
        }
        if narrow_in && narrow_out {
            let mut got = vec![0xee_u8; count];
            arithmetic.clone().with_threads(2).apply(&narrow, &mut got).unwrap();
            let same = got.iter().zip(&want).all(|(got, want)| *got as u16 == *want);
            assert!(same, "{isa}: {} of bytes {formats:?} to bytes of {to} {how:?}", operation.name());
        }
    }
}

fn pairs() -> Vec<Vec<u16>> {
    vec![(0..=0xffff).map(|i: u16| i >> 8).collect(), (0..=0xffff).map(|i: u16| i & 0xff).collect()]
}

/// Every pair of 8-bit codes, in every mode for each arithmetic operation, over formats of every kind.
#[test]
fn every_pair_of_bytes_equals_the_definition() {
    let legs = legs();
    let formats: Vec<Format> = SEEDS.iter().chain(&OTHERS[..15]).map(|name| format(name)).collect();
    let projections = projections();
    for (i, &x) in formats.iter().enumerate() {
        // Itself with itself, then mixed; a different mode each time, so that all modes occur.
        let (y, to) = (formats[(3 * i + 1) % formats.len()], formats[(7 * i + 2) % formats.len()]);
        for (j, operation) in ARITHMETIC.into_iter().enumerate() {
            check(&legs, operation, &[x, x], &pairs(), x, projections[(4 * i + j) % 18]);
            check(&legs, operation, &[x, y], &pairs(), to, projections[(4 * i + j + 9) % 18]);
        }
    }
    for how in projections {
        for operation in ARITHMETIC {
            let x = format("float8_e4m3fn");
            check(&legs, operation, &[x, format("cfloat8_1_5_2@bias=20")], &pairs(), x, how);
        }
    }
}

/// 4.0's zeros and overflows, in every mode.
#[test]
fn every_pair_of_bytes_by_edition_4_equals_the_definition() {
    let legs = legs();
    let names = [
        ["binary8p3se", "binary8p4se", "binary8p3se"],
        ["binary8p4sf", "binary8p3se", "binary8p3sf"],
        ["float8_e4m3fn", "float8_e5m2", "float8_e4m3fn"],
        ["float8_e5m2", "binary8p4uf", "f16"],
    ];
    for (i, how) in projections().into_iter().enumerate() {
        for (j, operation) in ARITHMETIC.into_iter().enumerate() {
            let [x, y, to] = names[(i + j) % names.len()].map(format);
            check_in(Edition::V4, &legs, operation, &[x, y], &pairs(), to, how);
        }
    }
}

#[test]
fn other_operations_of_two_equal_the_definition() {
    let legs = legs();
    for (i, operation) in Operation::ALL.into_iter().enumerate() {
        if operation.arity() != 2 || operation.scales() != 0 || ARITHMETIC.contains(&operation) {
            continue;
        }
        let (x, y) = (format(SEEDS[i % SEEDS.len()]), format(OTHERS[i % 15]));
        check(&legs, operation, &[x, y], &pairs(), x, projections()[i % 18]);
    }
}

#[test]
fn every_code_of_one_operand_equals_the_definition() {
    let legs = legs();
    let mut projections = projections().into_iter().cycle();
    let bytes: Vec<u16> = (0..=0xff).collect();
    for operation in Operation::ALL.into_iter().filter(|o| o.arity() == 1 && o.kind() != AnswerKind::Class) {
        for name in ["float8_e4m3fn", "binary8p3", "cfloat8_1_4_3@bias=40", "float6_e3m2fn", "float8_e8m0fnu"]
        {
            let x = format(name);
            let how = projections.next().unwrap();
            check(&legs, operation, &[x], std::slice::from_ref(&bytes), x, how);
            check(&legs, operation, &[x], std::slice::from_ref(&bytes), format("bf16"), how);
        }
    }
    let words: Vec<u16> = (0..=0xffff).collect();
    for operation in [Operation::Sqrt, Operation::Negate, Operation::Convert] {
        check(
            &legs,
            operation,
            &[format("bf16")],
            std::slice::from_ref(&words),
            format("float8_e5m2"),
            projections.next().unwrap(),
        );
        check(
            &legs,
            operation,
            &[format("uhp")],
            std::slice::from_ref(&words),
            format("shp@bias=31"),
            projections.next().unwrap(),
        );
    }
}

/// Codes in any order and number: most are looked up many at a time, and the rest one by one.
#[test]
fn any_number_of_codes_of_one_operand_equals_the_definition() {
    let p3 = format("binary8p3se");
    let how = Projection::default();
    let mut random = Stream::new(17);
    let codes: Vec<u8> = (0..1000).map(|_| random.word() as u8).collect();
    for operation in [Operation::Exp, Operation::Rsqrt] {
        let wanted: Vec<u8> =
            (0..=255).map(|code| define(Edition::V4, operation, &[p3], &[code], p3, how) as u8).collect();
        for isa in legs() {
            let made = Arithmetic::in_edition(operation, &[p3], p3, how, Edition::V4).unwrap().with_isa(isa);
            for count in (0..140).chain([191, 192, 193, 1000]) {
                let mut result = vec![0xee; count + 1];
                made.apply(&[codes[..count].into()], &mut result[..count]).unwrap();
                let same =
                    result.iter().zip(&codes[..count]).all(|(got, code)| *got == wanted[*code as usize]);
                assert!(same && result[count] == 0xee, "{} {isa} {count}", operation.name());
            }
        }
    }
}

fn random_codes(random: &mut Stream, format: Format, count: usize) -> Vec<u16> {
    // Half of them near each other in magnitude, so that sums cancel; the ends of the line often.
    let centre = random.bits();
    (0..count)
        .map(|_| {
            let code = match random.below(4) {
                0 => centre.wrapping_add(random.below(9) as u64),
                1 => [0, 1, format.max_finite_code(), format.last_code(), format.sign_bit()][random.below(5)],
                _ => random.bits(),
            };
            code as u16
        })
        .collect()
}

#[test]
fn wide_formats_and_fma_equal_the_definition() {
    let legs = legs();
    let mut random = Stream::new(17);
    let names = [
        "bf16",
        "f16",
        "shp@bias=31",
        "uhp",
        "binary16p11",
        "binary16p3",
        "float8_e4m3fn",
        "cfloat8_1_4_3@bias=7",
    ];
    for round in 0..160 {
        let mut pick = || format(names[random.below(names.len())]);
        let formats = [pick(), pick(), pick()];
        let to = pick();
        let how = projections()[round % 18];
        let operands: Vec<Vec<u16>> = formats.iter().map(|&f| random_codes(&mut random, f, 2500)).collect();
        check(&legs, Operation::Fma, &formats, &operands, to, how);
        let operation = ARITHMETIC[round % ARITHMETIC.len()];
        check(&legs, operation, &formats[..2], &operands[..2], to, how);
        check(&legs, Operation::Minimum, &formats[..2], &operands[..2], to, how);
    }
}

#[test]
fn random_formats_equal_the_definition() {
    let legs = legs();
    let mut random = Stream::new(23);
    for round in 0..400 {
        let formats = [random_format(&mut random), random_format(&mut random), random_format(&mut random)];
        let to = random_format(&mut random);
        let operands: Vec<Vec<u16>> = formats.iter().map(|&f| random_codes(&mut random, f, 300)).collect();
        let how = if round % 5 == 0 {
            Projection::new(stochastics()[round % 8], Saturation::Finite)
        } else {
            projections()[round % 18]
        };
        check(&legs, Operation::Fma, &formats, &operands, to, how);
        check(&legs, ARITHMETIC[round % ARITHMETIC.len()], &formats[..2], &operands[..2], to, how);
    }
}

#[test]
fn stochastic_results_equal_the_definition() {
    let legs = legs();
    for mode in stochastics() {
        for operation in [Operation::Add, Operation::Multiply, Operation::Divide] {
            let x = format("float8_e4m3fn");
            check(&legs, operation, &[x, x], &pairs(), x, Projection::new(mode, Saturation::Overflow));
            let tesla = format("cfloat8_1_4_3@bias=7");
            check(
                &legs,
                operation,
                &[tesla, x],
                &pairs(),
                tesla,
                Projection::new(mode, Saturation::Overflow),
            );
        }
        let bytes: Vec<u16> = (0..=0xff).collect();
        check(
            &legs,
            Operation::Exp,
            &[format("binary8p3")],
            &[bytes],
            format("binary8p3"),
            Projection::new(mode, Saturation::Max),
        );
    }
}

#[test]
fn wrong_operands_and_lengths_are_errors() {
    let (x, how) = (format("float8_e4m3fn"), Projection::new(Rounding::NearestEven, Saturation::Overflow));
    assert_eq!(
        Arithmetic::new(Operation::Add, &[x], x, how).unwrap_err().to_string(),
        "add is not an operation on 1 slices of codes"
    );
    assert!(Arithmetic::new(Operation::Class, &[x], x, how).is_err());
    assert!(Arithmetic::new(Operation::AddScaled, &[x, x], x, how).is_err());
    assert!(Arithmetic::new(Operation::Sqrt, &[format("f32")], x, how).is_err());
    let add = Arithmetic::new(Operation::Add, &[x, x], x, how).unwrap();
    let (three, two) = (vec![1u8; 3], vec![1u8; 2]);
    assert_eq!(
        add.apply(&[(&three).into(), (&two).into()], &mut [0u8; 3]).unwrap_err().to_string(),
        "an operand must have 3 elements: it has 2"
    );
    assert!(add.apply(&[(&three).into()], &mut [0u8; 3]).is_err());
    let wide = Arithmetic::new(Operation::Add, &[x, x], format("bf16"), how).unwrap();
    assert!(wide.apply(&[(&three).into(), (&three).into()], &mut [0u8; 3]).is_err());
}
