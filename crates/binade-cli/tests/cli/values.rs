//! `formats`, `show`, `table`, `encode`, `decode`: output and errors.

use std::io::Read;
use std::path::Path;

use serde_json::Value;

use crate::{bad, command, good, good_with, run_with};

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&good(arguments)).unwrap()
}

#[test]
fn formats_lists_every_named_format() {
    let names: Vec<String> =
        binade::Spec::all(0).map(|spec| spec.name().split('@').next().unwrap().to_owned()).collect();
    let text = good(&["formats"]);
    assert_eq!(text.lines().skip(1).map(|line| line.split(' ').next().unwrap()).collect::<Vec<_>>(), names);
    let listed = json(&["formats", "--json"]);
    let listed = listed.as_array().unwrap();
    assert_eq!(listed.iter().map(|row| row["name"].as_str().unwrap()).collect::<Vec<_>>(), names);
    let of = |name: &str| listed.iter().find(|row| row["name"] == name).unwrap();
    assert_eq!(of("shp")["bias"], Value::Null);
    assert_eq!(of("shp")["bias_range"], serde_json::json!([0, 63]));
    assert_eq!(of("binary8p3")["max_finite"], "0x1.8p+15");
    assert!(of("float8_e4m3fnuz")["aliases"].as_array().unwrap().contains(&"f8E4M3FNUZ".into()));
}

#[test]
fn show_json_has_the_documented_keys() {
    let contract = "name width precision exponent_bits signed bias emin emax min_subnormal max_subnormal min_normal \
                    max_finite infinities nan_codes negative_zero finite_values";
    let shown = json(&["show", "F8E4M3FNUZ", "--json"]);
    let keys: Vec<&str> = shown.as_object().unwrap().keys().map(String::as_str).collect();
    let known = |key: &&&str| contract.split(' ').any(|known| known == **key);
    assert_eq!(keys.iter().filter(known).copied().collect::<Vec<_>>().join(" "), contract);
    let others = [
        "min_subnormal_decimal",
        "max_subnormal_decimal",
        "min_normal_decimal",
        "max_finite_decimal",
        "subnormals",
    ];
    assert_eq!(keys.iter().filter(|key| !known(key)).copied().collect::<Vec<_>>(), others);
    assert_eq!(shown["name"], "float8_e4m3fnuz");
    assert_eq!(shown["nan_codes"], serde_json::json!(["0x80"]));
    assert_eq!(shown["finite_values"], 255);
    assert_eq!((&shown["max_finite"], &shown["max_finite_decimal"]), (&"0x1.ep+7".into(), &"240.0".into()));
    let uhp = json(&["show", "uhp", "--json"]);
    assert_eq!((&uhp["min_subnormal"], &uhp["nan_codes"][0]), (&Value::Null, &"0xfc01-0xffff".into()));
    // More values than 64 bits count.
    let wide = "custom@width=64,precision=53,bias=0,nan=none,subnormals=none";
    assert!(good(&["show", wide, "--json"]).contains("\"finite_values\": 18446744073709551616,"));

    insta::assert_snapshot!(good(&["show", "cfloat8_1_4_3@bias=7"]), @"
    name           cfloat8_1_4_3@bias=7
    width          8
    precision      4
    exponent_bits  4
    signed         yes
    bias           7
    emin           -6
    emax           8
    min_subnormal  0x1p-10 = 0.0009765625
    max_subnormal  0x1.cp-8 = 0.0068359375
    min_normal     0x1p-6 = 0.015625
    max_finite     0x1.ep+8 = 480.0
    infinities     no
    nan_codes      none
    negative_zero  yes
    finite_values  255
    subnormals     tesla
    ");
}

#[test]
fn table_in_each_form_has_every_code() {
    let text = good(&["table", "binary8p4"]);
    assert_eq!(text.lines().count(), 256);
    assert_eq!(text.lines().nth(0x0b), Some("0x0b = 0.0001_011 = +0b1.011×2^-7 = 0.0107421875"));
    let csv = good(&["table", "float4_e2m1fn", "--csv"]);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!((lines.len(), lines[0]), (17, "code,bits,value,decimal,class"));
    assert_eq!(lines[2], "0x1,0.00_1,0x1p-1,0.5,positive_subnormal");
    assert_eq!(lines[9], "0x8,1.00_0,-0x0p+0,-0.0,zero");
    let rows = json(&["table", "float4_e2m1fn", "--json"]);
    for (row, line) in rows.as_array().unwrap().iter().zip(&lines[1..]) {
        let cells: Vec<&str> = row.as_object().unwrap().values().map(|cell| cell.as_str().unwrap()).collect();
        assert_eq!(cells.join(","), *line);
    }
    assert_eq!(
        bad(&["table", "f32"]),
        "error: a table of f32 would have 2^32 = 4294967296 rows: tables are for formats of at most 20 bits\n\
         hint: `binade show` has the extremes, `binade decode` any code\n"
    );
    // What a table says, decode says.
    for name in ["uhp", "tf32", "float8_e8m0fnu", "binary8p1ue"] {
        let csv = good(&["table", name, "--csv"]);
        let column = |first, last| -> String {
            let cells =
                csv.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>()[first..=last].join(" "));
            cells.map(|cells| cells + "\n").collect()
        };
        assert!(good_with(&["decode", name, "-"], &column(0, 0)) == column(2, 3), "{name}");
    }
}

#[test]
fn closed_standard_output_is_not_an_error() {
    for arguments in
        [&["table", "f16", "--csv"][..], &["vectors", "add", "--in", "float8_e5m2"], &["formats", "--json"]]
    {
        let mut child = command(Path::new("."), arguments).spawn().unwrap();
        let mut some = [0; 16];
        child.stdout.as_mut().unwrap().read_exact(&mut some).unwrap();
        drop(child.stdout.take());
        let done = child.wait_with_output().unwrap();
        assert_eq!((done.status.code(), String::from_utf8(done.stderr).unwrap()), (Some(0), String::new()));
    }
}

#[test]
fn encode_prints_codes_and_explains_them() {
    assert_eq!(
        good(&["encode", "bf16", "-1.5", "-inf", "0.1", "-0x1p-3", "nan"]),
        "0xbfc0\n0xff80\n0x3dcd\n0xbe00\n0x7fc0\n"
    );
    assert_eq!(good(&["encode", "float4_e2m1fn", "-1", "--rounding", "toward_zero", "-1.4"]), "0xa\n0xa\n");
    assert_eq!(
        good_with(&["encode", "f16", "1", "-", "3"], " 2\n-inf \n\n0x1p-24"),
        "0x3c00\n0x4000\n0xfc00\n0x0001\n0x4200\n"
    );
    assert_eq!(
        good(&["encode", "float8_e4m3fn", "--explain", "0x1.23p+4", "464", "500", "-0"]),
        "0x59 0.1011_001 0x1.2p+4 -0x1.8p-3 x\n0x7e 0.1111_110 0x1.cp+8 -0x1p+4 x\n0x7f 0.1111_111 nan nan ox\n\
         0x80 1.0000_000 -0x0p+0 0x0p+0 -\n"
    );
    // One rounding, not two: 1 + 2^−4 + 2^−40.
    assert_eq!(good(&["encode", "float8_e4m3fn", "0x1.100000001p+0"]), "0x39\n");
    assert_eq!(good(&["encode", "binary8p3", "1e9", "inf", "--saturation", "max"]), "0x7e\n0x7e\n");
    // What SatFinite means depends on the edition.
    let edition = |number, mode| {
        good(&["encode", "binary8p3", "1e9", "inf", "--edition", number, "--saturation", mode])
    };
    assert_eq!(edition("0.9.1", "SatFinite"), "0x7e\n0x7f\n");
    assert_eq!(edition("4.0", "SatFinite"), "0x7e\n0x7e\n");
    assert_eq!(edition("4.0", "SatPropagate"), edition("0.9.1", "SatFinite"));
    assert_eq!(edition("4.0", "SatNone"), edition("0.9.1", "OvfInf"));
}

#[test]
fn stochastic_encoding_takes_philox_bits_by_index() {
    let values: String = "1.03125 ".repeat(50);
    let drawn =
        good_with(&["encode", "float8_e4m3fn", "-", "--rounding", "stochastic", "--seed", "9"], &values);
    let few = good_with(
        &["encode", "float8_e4m3fn", "-", "--rounding", "stochastic_a", "--random-bits", "3", "--seed", "9"],
        &values,
    );
    assert_eq!(drawn.lines().count(), 50);
    for (i, (drawn, few)) in drawn.lines().zip(few.lines()).enumerate() {
        let word = binade::philox::word(9, i as u64);
        // ν = 1/4: up iff R ≥ 3/4 · 2^N; with 3 bits R is the word's top 3.
        assert_eq!(drawn, if word >= 3 << 30 { "0x39" } else { "0x38" });
        assert_eq!(few, if word >> 29 >= 6 { "0x39" } else { "0x38" });
    }
}

#[test]
fn decode_prints_exact_values() {
    assert_eq!(
        good(&["decode", "float8_e5m2", "0x3c", "1", "0b1111100", "0.00000_01", "0xFF"]),
        "0x1p+0 1.0\n0x1p-16 0.0000152587890625\ninf inf\n0x1p-16 0.0000152587890625\nnan nan\n"
    );
    assert_eq!(good_with(&["decode", "bf16", "-"], "0x8000\n16256\n"), "-0x0p+0 -0.0\n0x1p+0 1.0\n");
}

#[test]
fn bad_value_or_code_is_refused_with_its_place() {
    assert_eq!(
        bad(&["encode", "bf16", "1,5"]),
        "error: '1,5' is not a value: write a decimal (0.1, -3e5), a hexadecimal float (0x1.8p-3), inf, -inf or nan\n"
    );
    assert_eq!(
        bad(&["decode", "bf16", "1.5"]),
        "error: '1.5' is not a code: write 0x3c, 60, 0b111100, or 16 bits with the separators of `binade table`\n\
         hint: a value becomes a code with `binade encode`; operands of `eval` may be values, written =1.5\n"
    );
    assert_eq!(
        bad(&["decode", "float8_e5m2", "256"]),
        "error: code 0x100 has more bits than float8_e5m2: the largest is 0xff\n"
    );
    // What was read before the error is answered.
    let done = run_with(&["encode", "f16", "-"], "1\n2 x\n3");
    assert_eq!((done.code, done.out.as_str()), (Some(2), "0x3c00\n0x4000\n"));
    assert_eq!(
        done.err,
        "error: line 2 of standard input: 'x' is not a value: write a decimal (0.1, -3e5), a hexadecimal float (0x1.8p-3), inf, -inf or nan\n"
    );
    let long = "1".repeat(200_000);
    let done = run_with(&["encode", "f16", "-"], &long);
    assert_eq!(
        done.err,
        "error: line 1 of standard input: a word of more than 101000 bytes is neither a value nor a code\n"
    );
}

#[test]
fn bad_format_is_refused_with_a_suggestion() {
    let format = |name| bad(&["show", name]).lines().next().unwrap().to_owned();
    assert_eq!(
        format("float8_e4m3fnu"),
        "error: invalid value 'float8_e4m3fnu' for '<FORMAT|UNIT|RECIPE|FILE.toml>': unknown format 'float8_e4m3fnu': did you mean float8_e4m3fnuz or float8_e4m3fn or float8_e8m0fnu?"
    );
    assert_eq!(
        format("shp"),
        "error: invalid value 'shp' for '<FORMAT|UNIT|RECIPE|FILE.toml>': shp needs its exponent bias, 0 to 63: for example shp@bias=7"
    );
    assert_eq!(
        format("binary2p1"),
        "error: invalid value 'binary2p1' for '<FORMAT|UNIT|RECIPE|FILE.toml>': binary2p1 does not exist: P3109 formats have 3 ≤ K and 1 ≤ P ≤ K − 1"
    );
}

/// P3109's names go on beyond the formats that are listed.
#[test]
fn wide_p3109_name_is_accepted_like_a_listed_one() {
    // The bias is 2^(20−9−1); of the last binade infinity takes the last of 2^8 codes.
    let shown = good(&["show", "Binary20p9se"]);
    for line in ["name           binary20p9se", "bias           1024", "max_finite     0x1.fep+1023"] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    assert_eq!(good(&["encode", "binary32p24se", "1", "inf", "nan"]), "0x40000000\n0x7fffffff\n0x80000000\n");
    // 1 has the code 2^(K−2), and 255/128 all 7 trailing bits; 4.0 has no −0.
    assert_eq!(
        good(&["eval", "add", "=0x1.fep-1", "=0x1.fep-1", "--in", "binary24p8se"]),
        "0x40007f 0x1.fep+0 -\n"
    );
    assert_eq!(
        good(&["eval", "negate", "=0", "--in", "binary24p8se", "--out", "f32"]),
        "0x00000000 0x0p+0 -\n"
    );
    assert!(bad(&["show", "binary64p60se"]).contains("out of reach: signed formats go to K ≤ 64, P ≤ 53"));
    assert!(
        good(&[
            "conformance",
            "--has",
            "Add<Binary24p8se, Binary32p24se, Binary48p40se, (TowardZero, SatNone)>"
        ])
        .starts_with("yes")
    );
    assert!(!good(&["formats"]).contains("binary17"));
}

#[test]
fn bad_mode_is_refused_with_the_known_ones() {
    let modes = |options: &[&str]| bad(&[&["encode", "binary8p3", "1"], options].concat());
    assert_eq!(
        modes(&["--rounding", "nearest"]),
        "error: unknown rounding mode 'nearest': expected one of nearest_even, nearest_away, toward_positive, toward_negative, \
         toward_zero, to_odd, stochastic, stochastic_a, stochastic_b, stochastic_c, random\n"
    );
    assert_eq!(
        modes(&["--saturation", "SatFinite"]),
        "error: saturation mode 'SatFinite' without an edition of P3109: with --edition 0.9.1 it is finite, \
         with --edition 4.0 it is max\n"
    );
    assert_eq!(
        modes(&["--saturation", "SatMax", "--edition", "4.0"]),
        "error: unknown saturation mode 'SatMax': expected one of overflow, finite, max, SatFinite, SatPropagate, SatNone\n"
    );
    assert_eq!(
        modes(&["--random-bits", "3"]),
        "error: random bits for the rounding mode nearest_even: only stochastic modes take them\n"
    );
    assert_eq!(
        modes(&["--random-bits", "33", "--rounding", "stochastic"]),
        "error: --random-bits 33 is out of range: expected 1 to 32\n"
    );
}
