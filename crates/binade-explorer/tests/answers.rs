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
