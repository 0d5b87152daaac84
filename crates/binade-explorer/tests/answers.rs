//! Every kind of question has its answer, and what is not a question has a reason.

use binade_explorer::Explorer;
use serde_json::{Value, json};

fn ask(question: Value) -> Value {
    serde_json::from_str(&Explorer::default().answer(&question.to_string(), &[])).unwrap()
}

fn error(question: Value) -> String {
    ask(question)["error"].as_str().unwrap().to_owned()
}

#[test]
fn formats_and_operations() {
    let formats = ask(json!({"ask": "formats"}));
    let names: Vec<&str> =
        formats["formats"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 643);
    for name in names {
        let named =
            if name.starts_with("cfloat8_1_") || name == "shp" { &format!("{name}@bias=9") } else { name };
        assert_eq!(ask(json!({"ask": "show", "format": named}))["name"], *named);
    }
    let operations = ask(json!({"ask": "operations"}));
    assert_eq!(operations["operations"].as_array().unwrap().len(), binade::Operation::ALL.len());
}

#[test]
fn specials() {
    let shown = ask(json!({"ask": "show", "format": "float8_e5m2"}));
    let specials: Vec<String> = shown["specials"]
        .as_array()
        .unwrap()
        .iter()
        .map(|special| {
            format!("{} {}", special["what"].as_str().unwrap(), special["codes"].as_str().unwrap())
        })
        .collect();
    assert_eq!(specials, ["0 0x00", "−0 0x80", "∞ 0x7c", "−∞ 0xfc", "NaN 0x7d to 0x7f", "NaN 0xfd to 0xff"]);
    // 2^64 − 2^53 − 2^11 + … values are more than JavaScript counts.
    assert_eq!(
        ask(json!({"ask": "show", "format": "f64"}))["properties"]["finite_values"],
        "18437736874454810623"
    );
}

#[test]
fn codes_are_found() {
    let find = |text: &str, classes: Value| {
        ask(json!({"ask": "find", "format": "float4_e2m1fn", "text": text, "classes": classes}))
    };
    assert_eq!(find("", json!([])), json!({"all": 16}));
    assert_eq!(find("1.5", json!([])), json!({"codes": [3, 11]}));
    assert_eq!(find("", json!(["zero"])), json!({"codes": [0, 8]}));
    assert_eq!(find("6.0", json!(["positive_normal"])), json!({"codes": [7]}));
}

#[test]
fn every_mode_of_a_value() {
    let answer = ask(json!({"ask": "round", "format": "float8_e4m3fn", "value": "465"}));
    let row = &answer["modes"][0];
    let codes: Vec<&str> =
        row["results"].as_array().unwrap().iter().map(|cell| cell["code"].as_str().unwrap()).collect();
    assert_eq!((row["rounding"].as_str().unwrap(), codes), ("nearest_even", vec!["0x7f", "0x7e", "0x7e"]));
    // The command's first draw: `encode float8_e4m3fn 1.01 --rounding stochastic --seed 7` is 0x39.
    let modes = json!({"seed": 7});
    let drawn = ask(json!({"ask": "round", "format": "float8_e4m3fn", "value": "1.01", "modes": modes}));
    assert_eq!(drawn["modes"][6]["results"][0]["code"], "0x39");
}

#[test]
fn random_rounding_is_a_fair_coin_of_the_seed() {
    // `encode float8_e4m3fn 1.01 --rounding random --seed S`: 1 is 0x38, and the next value 0x39.
    let code = |seed: u64, bits: u32| {
        let modes = json!({"seed": seed, "random_bits": bits});
        let answer = ask(json!({"ask": "round", "format": "float8_e4m3fn", "value": "1.01", "modes": modes}));
        let rows = answer["modes"].as_array().unwrap();
        assert_eq!(rows.len(), 10);
        let row = rows.iter().find(|row| row["rounding"] == "random").unwrap();
        row["results"][0]["code"].as_str().unwrap().to_owned()
    };
    assert_eq!([0, 1, 2, 3, 7].map(|seed| code(seed, 32)), ["0x38", "0x39", "0x38", "0x39", "0x39"]);
    // The number of random bits is an option of stochastic modes alone.
    assert_eq!([0, 1, 2, 3, 7].map(|seed| code(seed, 3)), ["0x38", "0x39", "0x38", "0x39", "0x39"]);
    let steps = ask(json!({
        "ask": "steps", "format": "float8_e4m3fn", "value": "1.01", "rounding": "random", "saturation": "overflow",
    }));
    assert!(steps.to_string().contains("up if R ≥ 2^(N−1)"), "{steps}");
}

#[test]
fn operations_as_the_readme_has_them() {
    let answer = ask(json!({
        "ask": "operate", "operation": "fma", "from": "float8_e4m3fn,cfloat8_1_4_3@bias=7,bf16", "to": "binary8p3",
        "operands": ["=1.5", "=0.4375", "=100"], "scales": [], "rounding": "toward_positive", "saturation": "overflow",
    }));
    assert_eq!(
        (&answer["code"], &answer["value"], &answer["flags"]),
        (&json!("0x5b"), &json!("0x1.cp+6"), &json!("x"))
    );
    let answer = ask(json!({
        "ask": "operate", "operation": "compare_less", "from": "f16", "to": "f16", "operands": ["0x0000", "0x3c00"],
        "scales": [], "rounding": "nearest_even", "saturation": "overflow",
    }));
    assert_eq!((&answer["code"], answer.get("modes")), (&json!("true"), None));
}

#[test]
fn multiply_adds() {
    let answer = ask(
        json!({"ask": "multiply_add", "operator": "bf16x2:bf16x2/3", "operands": ["1.2345", "-0.1", "0.123456"]}),
    );
    let steps = answer["steps"].as_array().unwrap();
    assert_eq!((steps.len(), &answer["result"]["value"]), (26, &json!("0x1.ap-18")));
    assert_eq!((&answer["parts"], &answer["area"]), (&json!([2, 2, 3]), &json!(192)));
}

#[test]
fn stochastic_operators_take_the_first_word_of_a_product() {
    // `matmul --add` of 1 × 1 matrices under `--seed S`: 1 + 2^-9 is a quarter of the way to the next number.
    let sums = |operator: &str| {
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map(|seed| {
            let question = json!({"ask": "multiply_add", "operator": operator, "operands": ["1", "0x1p-9", "1"], "seed": seed});
            let answer = ask(question);
            assert!(answer["random"].is_u64(), "{answer}");
            u8::from(answer["result"]["value"] == "0x1.02p+0")
        })
    };
    assert_eq!(sums("bf16:bf16/rounding=random"), [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1]);
    assert_eq!(sums("bf16:bf16/rounding=stochastic"), [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    let plain =
        ask(json!({"ask": "multiply_add", "operator": "bf16:bf16", "operands": ["1", "0x1p-9", "1"]}));
    assert_eq!(plain["random"], Value::Null);
}

#[test]
fn numbers_add_up() {
    let mut explorer = Explorer::new();
    let question = |start: bool| {
        json!({
            "ask": "measure", "formats": ["float4_e2m1fn", "f32"], "rounding": "nearest_even", "saturation": "finite",
            "seed": 0, "start": start,
        })
        .to_string()
    };
    assert!(explorer.answer(&question(false), &[1.0]).starts_with("{\"error\":"));
    explorer.answer(&question(true), &[1.0, -0.2, 0.0, f64::INFINITY]);
    let answer: Value =
        serde_json::from_str(&explorer.answer(&question(false), &[7.0, f64::NAN, 2.5])).unwrap();
    assert_eq!(
        (&answer["elements"], &answer["zeros"], &answer["infinite"], &answer["nan"], &answer["exponents"]),
        (&json!(7), &json!(1), &json!(1), &json!(1), &json!([[-3, 1], [0, 1], [1, 1], [2, 1]]))
    );
    // 7 → 6, 2.5 → 2, −0.2 → 0, ∞ → 6 where there is no infinity.
    let [narrow, wide] = [&answer["formats"][0], &answer["formats"][1]];
    assert_eq!(
        (&narrow["overflow"], &narrow["underflow"], &narrow["max_abs"]),
        (&json!(1), &json!(1), &json!(1.0))
    );
    assert_eq!((&wide["different"], &wide["overflow"]), (&json!(1), &json!(0)));
}

#[test]
fn a_histogram_is_as_many_numbers() {
    let bins = [(1.3, 5), (-0.2, 1_000_003), (0.0, 7), (2.5, 0), (9.0, 64), (f64::NAN, 3), (1e-3, 1)];
    let question = |counted: bool, rounding: &str| {
        json!({
            "ask": "measure", "formats": ["float4_e2m1fn", "bf16"], "rounding": rounding, "saturation": "finite",
            "seed": 0, "start": true, "counted": counted,
        })
        .to_string()
    };
    let mut explorer = Explorer::new();
    let mut answer = |counted: bool, numbers: &[f64]| -> Value {
        serde_json::from_str(&explorer.answer(&question(counted, "nearest_even"), numbers)).unwrap()
    };
    let spread: Vec<f64> = bins.iter().flat_map(|&(x, times)| vec![x; times]).collect();
    let paired: Vec<f64> = bins.iter().flat_map(|&(x, times)| [x, times as f64]).collect();
    let (mut one, mut other) = (answer(true, &paired), answer(false, &spread));
    for column in 0..2 {
        // Sums in another order.
        for measure in ["sqnr_db", "mean_square", "cosine"] {
            let [one, other] = [&mut one, &mut other].map(|answer| answer["formats"][column][measure].take());
            let (one, other) = (one.as_f64().unwrap(), other.as_f64().unwrap());
            assert!((one - other).abs() <= 1e-13 * other.abs(), "{measure}: {one} {other}");
        }
    }
    assert_eq!(one, other);
    let mut refused = |numbers: &[f64], rounding: &str| explorer.answer(&question(true, rounding), numbers);
    assert!(refused(&[1.0, 0.5], "nearest_even").contains("0.5 is not a count"));
    assert!(refused(&[1.0, 2f64.powi(53), 2.0, 1.0], "nearest_even").contains("exceed 2^53"));
    assert!(refused(&[1.0, 2.0, 3.0], "nearest_even").contains("3 has no count"));
    assert!(refused(&[1.0, 2.0], "stochastic_a").contains("choose another rounding"));
}

#[test]
fn what_is_no_question_has_a_reason() {
    assert!(Explorer::default().answer("", &[]).starts_with("{\"error\":\"not a question: "));
    assert!(error(json!({"ask": "round", "format": "bf16"})).contains("missing field `value`"));
    assert!(error(json!({"ask": "precision", "format": "f16", "more": 1})).contains("unknown field `more`"));
    assert_eq!(error(json!({"ask": "show", "format": "bf17"})), "unknown format 'bf17': did you mean bf16?");
    assert!(
        error(json!({"ask": "round", "format": "bf16", "value": "one"})).starts_with("'one' is not a value")
    );
    assert_eq!(
        error(json!({"ask": "rows", "format": "float4_e2m1fn", "codes": ["0x10"]})),
        "code 0x10 has more bits than float4_e2m1fn: the largest is 0xf"
    );
    assert_eq!(
        error(json!({"ask": "find", "format": "f32", "text": "", "classes": []})),
        "f32 has 2^32 codes: those of formats of at most 16 bits are listed"
    );
    let line = json!({"ask": "line", "format": "bf16", "scale": "log", "from": 1, "to": 0, "columns": 9});
    assert_eq!(error(line), "from 1 to 0 is not a part of a number line");
    let bits = json!({"random_bits": 33});
    assert_eq!(
        error(json!({"ask": "round", "format": "bf16", "value": "1", "modes": bits})),
        "33 random bits: it is 1 to 32"
    );
}

/// Formats at the ends of what there can be are answered like all others.
#[test]
fn extreme_formats() {
    for format in [
        "custom@width=3,precision=1,bias=0",
        "custom@width=63,precision=53,bias=131072,signed=no",
        "custom@width=64,precision=48,bias=-131072,nan=ieee,infinities=yes",
        "custom@width=17,precision=1,bias=65536,nan=negative_zero,subnormals=tesla",
        "custom@width=16,precision=16,bias=0,signed=no,subnormals=flush,nan=all_ones",
        "custom@width=10,precision=3,bias=0,subnormals=none",
    ] {
        for value in ["0.1", "-0x1p-140000", "1e70000", "-inf", "nan", "0", "-0.0"] {
            for edition in ["0.9.1", "4.0"] {
                let modes = json!({"edition": edition, "random_bits": 1});
                let round = ask(json!({"ask": "round", "format": format, "value": value, "modes": modes}));
                for row in round["modes"].as_array().unwrap() {
                    let steps = ask(json!({
                        "ask": "steps", "format": format, "value": value, "rounding": row["rounding"],
                        "saturation": "overflow", "modes": modes,
                    }));
                    assert_eq!(steps["result"]["code"], row["results"][0]["code"], "{format} {value} {row}");
                }
            }
        }
        assert!(ask(json!({"ask": "precision", "format": format}))["binades"].is_array(), "{format}");
        for scale in ["log", "linear"] {
            let line = ask(
                json!({"ask": "line", "format": format, "scale": scale, "from": null, "to": null, "columns": 90}),
            );
            assert!(line["marks"].is_array(), "{format} {line}");
            let near = ask(
                json!({"ask": "near", "format": format, "scale": scale, "position": 0.5, "code": null, "by": 3}),
            );
            assert!(near["row"].is_object(), "{format} {near}");
        }
    }
}

fn unit_dot(operator: &str, [a, b, c]: [&str; 3], step: usize) -> Value {
    ask(json!({"ask": "unit_dot", "operator": operator, "a": a, "b": b, "c": c, "step": step}))
}

fn unit_example(operator: &str, example: &str) -> [String; 3] {
    let answer = ask(json!({"ask": "unit_example", "operator": operator, "example": example, "seed": 5}));
    ["a", "b", "c"]
        .map(|key| answer[key].as_str().unwrap_or_else(|| panic!("{operator} {answer}")).to_owned())
}

/// The operators of all modes of the catalogue.
fn units() -> Vec<String> {
    let answer = ask(json!({"ask": "units"}));
    let units = answer["units"].as_array().unwrap().iter();
    units
        .flat_map(|unit| unit["modes"].as_array().unwrap())
        .map(|mode| mode["operator"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn h100_cuts_tiny_products_that_a_tree_of_binary32_sums_keeps() {
    let [a, b, c] = unit_example("h100:f16", "tiny");
    assert_eq!(a, "1, 0*15, 0x1p-13*16");
    let answer = unit_dot("h100:f16", [&a, &b, &c], 2);
    let ends: Vec<(&str, &str, f64)> = answer["ends"]
        .as_array()
        .unwrap()
        .iter()
        .map(|end| {
            let text = |key: &str| end[key].as_str().unwrap();
            (text("name"), text("value"), end["ulps"].as_f64().unwrap())
        })
        .collect();
    assert_eq!(
        ends,
        [
            ("unit", "0x1p+0", -2.0),
            ("exact", "0x1.000004p+0", 0.0),
            ("nearest", "0x1.000004p+0", 0.0),
            ("in_order", "0x1p+0", -2.0),
            ("tree", "0x1.000004p+0", 0.0),
        ]
    );
    let rows = &answer["alignments"][0]["rows"];
    // Sixteen products of 2^-26, each below the last bit 2^-25, and the accumulator of 1.
    let cut = json!({"pad": 27, "kept": "", "cut": "1", "more": false});
    assert_eq!((&rows[0]["count"], &rows[0]["is_cut"], &rows[0]["bits"]), (&json!(16), &json!(true), &cut));
    assert_eq!(rows[1]["bits"]["kept"], "10000000000000000000000000");
    assert_eq!((&answer["steps"], &answer["code"]), (&json!(2), &json!("0x3f800000")));
}

/// Bits of a row as a number: their columns are powers of two from 2^top down.
fn number_of(row: &Value, top: f64) -> f64 {
    let bits = &row["bits"];
    let text = format!("{}{}", bits["kept"].as_str().unwrap(), bits["cut"].as_str().unwrap());
    let first = top - bits["pad"].as_f64().unwrap();
    let sum: f64 = (0..)
        .zip(text.chars())
        .filter(|(_, bit)| *bit == '1')
        .map(|(at, _)| (first - f64::from(at)).exp2())
        .sum();
    if row["negative"] == true { -sum } else { sum }
}

/// Examples of every mode, step by step: each result is the accumulator of the next step, the last one is the unit's, and the pictures'
/// bits are the terms.
#[test]
fn steps_of_every_unit_are_shown_with_their_bits() {
    let (mut rows_seen, mut sums_seen) = (0, 0);
    let described = "unit(products=6,bits=9,accumulator=late,subnormals=flushed):bf16".to_owned();
    for operator in units().into_iter().chain([described]) {
        let unit: binade::Operator = operator.parse().unwrap();
        for example in ["ones", "tiny", "cancellation", "large", "random"] {
            let [a, b, _] = unit_example(&operator, example);
            let mut accumulator = json!("0x1.8p-2");
            let mut step = 1;
            let last = loop {
                let answer = unit_dot(&operator, [&a, &b, "0.375"], step);
                assert_eq!(answer["step"], step, "{operator} {answer}");
                assert_eq!(answer["accumulator"]["value"], accumulator, "{operator} {example} {step}");
                accumulator = answer["result"]["value"].clone();
                for alignment in answer["alignments"].as_array().unwrap() {
                    let top = alignment["top"].as_f64().unwrap();
                    for row in alignment["rows"].as_array().unwrap().iter().chain([&alignment["sum"]]) {
                        rows_seen += 1;
                        let binade::Value::Finite(exact) =
                            binade::text::parse(row["exact"]["value"].as_str().unwrap()).unwrap()
                        else {
                            panic!("{row}")
                        };
                        let magnitude = exact.significand as f64 * (exact.exponent as f64).exp2();
                        let exact = if exact.negative { -magnitude } else { magnitude };
                        let shown = number_of(row, top);
                        assert!(
                            shown == exact || row["bits"]["more"] == true && shown.abs() < magnitude,
                            "{operator} {row} {shown:e} {exact:e}"
                        );
                    }
                }
                sums_seen += answer["roundings"].as_array().unwrap().len();
                if answer["step"] == answer["steps"] {
                    break answer;
                }
                step += 1;
            };
            assert_eq!(last["ends"][0]["value"], accumulator, "{operator} {example}");
            // The definition of the operator, on the same numbers.
            let list = |text: &str| -> Vec<f32> {
                let words = text.split(", ").map(|word| word.split_once('*').unwrap_or((word, "1")));
                let number = |text: &str| match binade::text::parse(text).unwrap() {
                    binade::Value::Finite(x) => {
                        let x = x.significand as f64
                            * (x.exponent as f64).exp2()
                            * if x.negative { -1.0 } else { 1.0 };
                        x as f32
                    }
                    other => panic!("{other:?}"),
                };
                words.flat_map(|(text, count)| vec![number(text); count.parse().unwrap()]).collect()
            };
            let defined = unit.as_unit().unwrap().dot(&list(&a), &list(&b), 0.375);
            let defined = binade::text::hex(binade::Value::from_f64(defined.into()));
            assert_eq!(last["ends"][0]["value"], defined, "{operator} {example}");
        }
    }
    assert!(rows_seen > 1000 && sums_seen > 100, "{rows_seen} {sums_seen}");
}

#[test]
fn wrong_operands_of_units_have_a_reason() {
    let said = |operator: &str, a: &str, b: &str| {
        let question = json!({"ask": "unit_dot", "operator": operator, "a": a, "b": b, "c": "0", "step": 1});
        error(question)
    };
    assert!(said("bf16:f32", "1", "1").contains("'bf16:f32' is not a matrix unit"));
    assert!(said("h100:f16/promote=128", "1", "1").contains("leave them out to step through one"));
    assert!(said("v100:bf16", "1", "1").contains("v100 has no instruction for bf16"));
    assert!(said("tpu:bf16", "1", "1").contains("not known to the bit"));
    assert_eq!(
        said("h100:f16", "1*3", "1, 1"),
        "a has 3 numbers and b has 2: both must have the same number"
    );
    assert!(said("h100:f16", "1*x", "1").contains("'x' is not a count of numbers"));
    assert!(said("h100:f16", "1*1025", "1").contains("at most 1024 numbers"));
    assert!(said("h100:f16", "1*0", "1").contains("counts after a * must be 1 or more"));
    assert!(said("h100:f16", "one", "1").contains("'one' is not a value"));
    let example = json!({"ask": "unit_example", "operator": "h100:f16", "example": "two"});
    assert!(error(example).contains("unknown example 'two'"));
    // An empty sum, infinities and NaN have answers.
    for (a, b) in
        [("", ""), ("inf", "1"), ("inf", "0"), ("nan", "1"), ("inf, -inf", "1, 1"), ("1e9*40", "1e9*40")]
    {
        for operator in units() {
            let answer = unit_dot(&operator, [a, b, "1"], 99);
            assert_eq!(answer["step"], answer["steps"], "{operator} {answer}");
        }
    }
}
