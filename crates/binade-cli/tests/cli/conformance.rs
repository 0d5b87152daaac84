//! `conformance check` on right and wrong statements.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{Done, run_in};

fn go(folder: &Path, arguments: &[&str], code: i32) -> String {
    let Done { out, err, code: found } = run_in(folder, arguments, "");
    assert_eq!((found, err.as_str()), (Some(code), ""), "{arguments:?}: {out}");
    out
}

fn check(folder: &Path, text: &str, code: i32) -> String {
    fs::write(folder.join("s.yaml"), text).unwrap();
    go(folder, &["conformance", "check", "s.yaml"], code)
}

#[test]
fn own_statement_passes_its_check_and_names_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let written = go(folder, &["conformance", "--exemplars", "mine"], 0);
    let files: Vec<&str> = written.lines().collect();
    assert_eq!(files.len(), 5);
    let said = go(folder, &[&["conformance", "check", "--json"], &files[..]].concat(), 0);
    let report: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(report["findings"], serde_json::json!([]));
    // The formats that the statement counts, and the four external ones.
    let statement: Value =
        serde_json::from_str(&go(folder, &["conformance", "--edition", "4.0", "--json"], 0)).unwrap();
    let formats = |list: &Value, key: &str| -> u64 {
        list.as_array().unwrap().iter().map(|entry| entry[key].as_u64().unwrap()).sum()
    };
    let profiles: Vec<&Value> =
        report["files"].as_array().unwrap().iter().filter(|file| file["kind"] == "profiles").collect();
    assert_eq!(profiles[0]["entries"], formats(&statement["families"], "formats") + 4);
    // Each operation of the statement is in the list.
    let listed = fs::read_to_string(folder.join("mine/StandardOperations.yaml")).unwrap();
    for operation in statement["operations"].as_array().unwrap() {
        let name = operation["operation"].as_str().unwrap();
        assert!(listed.contains(&format!("    - {name}\n")), "{name}");
    }
    // Existing files stay.
    let Done { err, code, .. } = run_in(folder, &["conformance", "--exemplars", "mine"], "");
    assert!(code == Some(2) && err.contains("StandardOperations.yaml"), "{err}");
}

#[test]
fn wrong_statement_is_reported_with_line_and_reason() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let constraints = r#"
Training:
  - "Add<fx, fy, fr, ρ>(x, y) -> r":
      Requires:
        - (' fx == fy ')
        - [ (' BitwidthOf(fr) >= BitwidthOf(fx) '), (' fw == fx ') ]
      Projections:
        - { RoundingMode: NearestTiesToEven, SaturationMode: OvfInf }
        - { RoundingMode: [ToZero], SaturationMode: SatFinite }
  - "Sqrt<fx, fy, fr, ρ>(x) -> r":
      Requires: [ "fx == fr" ]
  - "Negate<fx, fr, ρ>(x) -> r":
      Requires: [ "PrecisionOf(fx) > BitwidthOf(fx)" ]
  - "CompareLess<fx, fy, ρ>(x, y) -> r":
      Requires: []
"#;
    let said = check(folder, constraints, 1);
    for expected in [
        "s.yaml:6: unknown name 'fw': the formats are fx, fy, fr; ",
        "s.yaml:8: OvfInf is not a saturation mode of 4.0: 4.0 calls it SatNone",
        "s.yaml:9: ToZero is not a rounding mode of 4.0: 4.0 calls it TowardZero",
        "Sqrt must have 2 formats: got 3",
        "no formats of Training satisfy the relations of Negate",
        "CompareLess is not projected: leave ρ out",
        "s.yaml:4: Training Add: 23 of 216 combinations",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    let kappas = r#"
Core:
  SinFast:
    Approximates: Sine{fx, fr, ρ}
    Kappas:
      - { interval: "[ -Inf, 0 ]", kappa: 1 }
      - { interval: "[ 0, Inf ]", kappa: -1 }
      - { interval: "[ -1, 1 ]", kappa: 0 }
"#;
    let said = check(folder, kappas, 1);
    for expected in [
        "s.yaml:4: Sine is not an operation of 4.0: did you mean Sin?",
        "s.yaml:7: κ must be a whole number: got -1",
        "s.yaml:8: the intervals [ -Inf, 0 ] and [ -1, 1 ] overlap",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    let profiles = "Profiles:\n  - formats: [\"Binary8p{3,9}se\", float8_e4m3fn]\n    configuration: Core\n";
    let said = check(folder, profiles, 1);
    assert!(said.contains("s.yaml:2: ") && said.contains("float8_e4m3fn is not a format of 4.0"), "{said}");
    let said = check(folder, "Math:\n  sign: [Negate, Absolute]\n  more:\n    - Rsqrt\n", 1);
    assert!(
        said.contains("s.yaml:2: Absolute is not a name of 4.0") && said.contains("s.yaml:4: Rsqrt"),
        "{said}"
    );
    assert!(check(folder, "a: b\n", 1).contains("s.yaml:1: unknown contents"));
    let configurations = "C:\n  - BlockSizes (B):\n      - core:\n          - elements: [0, 32]\n  - Projections:\n      \
                          - SaturationModes: [SatNone, SatOvf]\n  - KappaApproximate: [SqrtFast]\n";
    fs::write(
        folder.join("k.yaml"),
        "C:\n  Other:\n    Approximates: Exp{fx, fr, ρ}\n    Kappas: {interval: \"[0, 1]\", kappa: 1}\n",
    )
    .unwrap();
    fs::write(folder.join("c.yaml"), configurations).unwrap();
    let said = go(folder, &["conformance", "check", "k.yaml", "c.yaml"], 1);
    for expected in [
        "c.yaml:4: '0' is not a size",
        "c.yaml:6: SatOvf is no",
        "c.yaml:7: no κ of SqrtFast is declared for C",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    // An approximation in parts is declared once; a section of formats is a profile.
    let parts = "C:\n  ExpFast:\n    - Approximates: \"Exp<fx, fr, ρ>(x) -> r\"\n  ExpFast.1:\n    - Requires: [\"fx == fr\"]\n    \
                 - Kappas:\n        - {interval: '[ -Inf, 0 )', kappa: 1}\n";
    assert!(check(folder, parts, 0).ends_with("s.yaml: kappas, 2\nok\n"));
    let section = "C:\n  formats:\n    - (' \"Binary4p$(i)sf\" for i in 1:3 ')\n    - (' \"Binary8p$(i)se\" for i in [3, 9] ')\n";
    let said = check(folder, section, 1);
    assert!(said.contains("s.yaml: profiles, 4\ns.yaml:4: ") && said.contains("1 finding"), "{said}");
    // A signature may have no formats.
    let said = check(folder, "C:\n  - \"Other<ρ>(x) -> r\": {}\n", 1);
    assert!(said.contains("s.yaml:2: Other with 0 formats must have 0 operands"), "{said}");
    // Malformed YAML is an error.
    for (text, line) in [("a: [b", 1), ("a:\n  saturation: OvfInf, ]\n b", 3)] {
        fs::write(folder.join("s.yaml"), text).unwrap();
        let Done { err, code, .. } = run_in(folder, &["conformance", "check", "s.yaml"], "");
        assert!(code == Some(2) && err.contains("s.yaml:"), "{line}: {err}");
    }
}

#[test]
fn table_of_vectors_gives_its_kappa() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let vectors = go(
        folder,
        &["vectors", "sqrt", "--in", "binary8p3se", "--edition", "4.0", "--saturation", "SatFinite"],
        0,
    );
    let head = "# SqrtFast: Sqrt<Binary8p3se, Binary8p3se, (NearestTiesToEven, SatFinite)>\n";
    let declaration = |kappa: &str| {
        format!(
            "Core:\n  SqrtFast:\n    Approximates: Sqrt{{fx, fr, ρ}}\n    Kappas:\n      - {{ interval: \"[ -Inf, Inf ]\", \
             kappa: {kappa} }}\n    Constraints: [ \"fx == fr\" ]\n"
        )
    };
    let judge = |table: &str, kappa: &str, code: i32| {
        fs::write(folder.join("t.txt"), table).unwrap();
        fs::write(folder.join("k.yaml"), declaration(kappa)).unwrap();
        go(folder, &["conformance", "check", "k.yaml", "--results", "t.txt"], code)
    };
    let exact = format!("{head}{vectors}");
    assert!(judge(&exact, "0", 0).contains("κ = 0 over 255 operands, declared 0"));
    // The root of 4 (0x48) one code too large, as a table of an approximation would have it.
    let off = exact.replacen("0x48 0x44", "0x48 0x45", 1);
    assert_ne!(off, exact);
    assert!(judge(&off, "1", 0).contains("κ = 1 over 255 operands, declared 1"));
    let refused = judge(&off, "0", 1);
    let line = 2 + 0x48;
    assert!(refused.contains(&format!("t.txt:{line}: SqrtFast [ -Inf, Inf ]: line {line} of the table has κ = 1, above the declared 0 (k.yaml:5)")), "{refused}");
    // NaN where there is a number.
    let nan = exact.replacen("0x48 0x44", "0x48 0x80", 1);
    assert!(judge(&nan, "9", 1).contains("NaN in place of a number"));
    let other = exact.replace("# SqrtFast: Sqrt<", "# SqrtFast: Recip<");
    assert!(judge(&other, "0", 1).contains("SqrtFast approximates Sqrt: the table is of Recip"));
    fs::write(folder.join("t.txt"), &exact[..exact.len() / 2]).unwrap();
    let Done { err, code, .. } =
        run_in(folder, &["conformance", "check", "k.yaml", "--results", "t.txt"], "");
    assert!(code == Some(2) && err.contains("combinations of operands are missing"), "{err}");
}

/// The syntaxes of bounds, with formats of different exponents.
#[test]
fn bounds_with_formats_are_evaluated_for_each_format() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("p.yaml"), "C:\n  formats: [\"Binary8p{3,4}se\", Binary8p5se]\n").unwrap();
    let kappas = |intervals: &[&str]| {
        let lines =
            intervals.iter().map(|interval| format!("      - {{ interval: \"{interval}\", kappa: 1 }}\n"));
        let head = "C:\n  Fast:\n    Approximates: Exp2{fx, fr, ρ}\n    Requires: [\"fx == fr\", \"MaxFiniteOf(fx) >= 2^4 - 2\"]\n    Kappas:\n";
        format!("{head}{}", lines.collect::<String>())
    };
    let judge = |intervals: &[&str], more: &[&str], code: i32| {
        fs::write(folder.join("k.yaml"), kappas(intervals)).unwrap();
        go(folder, &[&["conformance", "check", "k.yaml", "p.yaml"], more].concat(), code)
    };
    let right =
        ["( [>=(-Inf), <(-Sqrt(2))] )", "[-Sqrt(2), 1 - 2**-P]", "(1 - 2**-P, π)", "[π, 2^(emax - 1))"];
    assert!(judge(&right, &[], 0).ends_with("ok\n"));
    // emax is 15, 7 and 3.
    let said = judge(&["[0, 4]", "[emax, 100]"], &[], 1);
    let expected =
        "k.yaml:7: the intervals [0, 4] and [emax, 100] overlap, for binary8p5se, binary8p5se\n1 finding\n";
    assert!(said.ends_with(expected), "{said}");
    let said = judge(&["(5, ExponentBias]"], &[], 1);
    assert!(said.contains("k.yaml:6: the interval (5, ExponentBias] is empty, for binary8p5se"), "{said}");
    for (interval, part) in [
        ("[0, 2**10**9]", "k.yaml:6: in the interval [0, 2**10**9]: a number needs more than"),
        ("[0, 1 / (P - P)]", "in the interval [0, 1 / (P - P)]: division by 0, for "),
        ("[0, fq]", "k.yaml:6: in the interval [0, fq]: unknown name 'fq': the formats are fx, fr"),
    ] {
        let said = judge(&[interval], &[], 1);
        assert!(said.contains(part), "{said}");
    }
    // Ascending intervals are compared with their neighbours only, others with all.
    let many: Vec<String> = (0..2000).map(|k| format!("[{k}, {k} + 1)")).collect();
    let mut many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert!(judge(&many, &[], 0).ends_with("ok\n"));
    many.truncate(50);
    many.reverse();
    assert!(judge(&many, &[], 0).ends_with("ok\n"));
    many.push("(-1, 1/2)");
    assert!(judge(&many, &[], 1).contains("the intervals [0, 0 + 1) and (-1, 1/2) overlap"));
    // A table whose 2^1 and 2^−2 are one code too large: 1 is in the second interval, −2 in none.
    let vectors = go(folder, &["vectors", "exp2", "--in", "binary8p3se", "--edition", "4.0"], 0);
    let off = vectors.replacen("0x40 0x44", "0x40 0x45", 1).replacen("0xc4 0x38", "0xc4 0x39", 1);
    assert_eq!(vectors.bytes().zip(off.bytes()).filter(|(a, b)| a != b).count(), 2);
    let head = "# Fast: Exp2<Binary8p3se, Binary8p3se, (NearestTiesToEven, SatNone)>\n";
    fs::write(folder.join("t.txt"), format!("{head}{off}")).unwrap();
    let said = judge(&["[-7/4, 1)", "[1, 2^emax)"], &["--results", "t.txt"], 1);
    assert!(
        said.contains(" [-7/4, 1): κ = 0 over ") && said.contains(" [1, 2^emax): κ = 1 over 60 "),
        "{said}"
    );
    assert!(
        said.contains("outside all intervals: line 198 of the table has κ = 1, above the declared 0"),
        "{said}"
    );
    // A relation of a format that the operation does not have.
    let more = "C:\n  Fast:\n    Approximates: Exp2{fx, fy, fr, ρ}\n    Requires: [\"fx == fr\"]\n    \
                Kappas: [{interval: \"[0, PrecisionOf(fr)]\", kappa: 1}]\n";
    fs::write(folder.join("k.yaml"), more).unwrap();
    let said = go(folder, &["conformance", "check", "k.yaml", "--results", "t.txt"], 1);
    assert!(said.contains("the operation does not have this format"), "{said}");
}

/// A statement in five files, in the form of the working group's exemplars.
const EXEMPLARS: [(&str, &str); 5] = [
    ("StandardOperations.yaml", include_str!("exemplars/StandardOperations.yaml")),
    ("Configurations.yaml", include_str!("exemplars/Configurations.yaml")),
    ("Profiles.yaml", include_str!("exemplars/Profiles.yaml")),
    ("Constraints.yaml", include_str!("exemplars/Constraints.yaml")),
    ("Kappas.yaml", include_str!("exemplars/Kappas.yaml")),
];

/// The report of the statement with a text in one of its files replaced, and with a table if one is given.
fn changed(file: &str, from: &str, to: &str, table: Option<&str>, code: i32) -> String {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (name, text) in EXEMPLARS {
        let found = text.contains(from);
        assert!(name != file || found, "{file} has no {from}");
        fs::write(folder.join(name), if name == file { text.replacen(from, to, 1) } else { text.to_owned() })
            .unwrap();
    }
    let names: Vec<&str> = EXEMPLARS.iter().map(|(name, _)| *name).collect();
    let mut arguments = [&["conformance", "check"], &names[..]].concat();
    if let Some(table) = table {
        fs::write(folder.join("t.txt"), table).unwrap();
        arguments.extend(["--results", "t.txt"]);
    }
    go(folder, &arguments, code)
}

#[test]
fn right_exemplars_are_ok() {
    let said = changed("Kappas.yaml", "RootFast", "RootFast", None, 0);
    for part in [
        "StandardOperations.yaml: operations, 8",
        "Configurations.yaml: configurations, 1",
        "Profiles.yaml: profiles, 5",
        "Constraints.yaml:5: Serving Add: 19 of 125 combinations of formats",
        "Kappas.yaml: kappas, 4",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(said.ends_with("\nok\n"), "{said}");
    // Without approximations, a file of kappas says so.
    let folder = tempfile::tempdir().unwrap();
    assert!(
        check(folder.path(), "---\nMetadata: { version: 4.0 }\nEmpty: true\n", 0)
            .ends_with("s.yaml: empty, 0\nok\n")
    );
}

#[test]
fn wrong_exemplar_is_reported_with_line_and_reason() {
    for (file, from, to, expected) in [
        (
            "StandardOperations.yaml",
            "BitwidthOf",
            "MaxPositiveOf",
            "StandardOperations.yaml:6: MaxPositiveOf is not a name of 4.0, which has MaxFiniteOf",
        ),
        (
            "StandardOperations.yaml",
            "Sqrt",
            "SquareRoot",
            "StandardOperations.yaml:4: SquareRoot is not a name of 4.0",
        ),
        (
            "Configurations.yaml",
            "SatNone",
            "OvfInf",
            "Configurations.yaml:11: OvfInf is not a saturation mode of 4.0: 4.0 calls it SatNone",
        ),
        (
            "Configurations.yaml",
            "RootFast",
            "RootQuick",
            "Configurations.yaml:14: no κ of RootQuick is declared for Serving",
        ),
        (
            "Configurations.yaml",
            "core: 32",
            "core: 0",
            "Configurations.yaml:12: '0' is not a size of a block",
        ),
        ("Profiles.yaml", "[3, 4]", "[3, 8]", "Profiles.yaml:6: binary8p8se does not exist"),
        ("Profiles.yaml", "Serving", "Training", "Profiles.yaml:4: unknown configuration Training"),
        (
            "Constraints.yaml",
            "(' fx == fy ')",
            "(' PrecisionOf(fx) > BitwidthOf(fy) ')",
            "Constraints.yaml:5: no formats of Serving satisfy the relations of Add",
        ),
        (
            "Constraints.yaml",
            "(x, y) -> r",
            "(x) -> r",
            "Constraints.yaml:5: Add must have 2 operands: got 1",
        ),
        (
            "Kappas.yaml",
            "Sqrt<fx, fr, ρ>",
            "Root<fx, fr, ρ>",
            "Kappas.yaml:5: Root is not an operation of 4.0",
        ),
        ("Kappas.yaml", "'[ 0, Inf ]'", "'[ -1, Inf ]'", "overlap"),
        ("Kappas.yaml", "kappa: 2", "kappa: -2", "κ must be a whole number: got -2"),
        (
            "Kappas.yaml",
            "Binary8p3se, Binary8p4se]",
            "Binary8p5se]",
            "no formats of Serving satisfy the relations of RootFast",
        ),
    ] {
        let said = changed(file, from, to, None, 1);
        assert!(said.contains(expected), "{expected}: {said}");
    }
}

#[test]
fn table_is_compared_by_kappa_formats_and_modes() {
    let folder = tempfile::tempdir().unwrap();
    let table = |format: &str, rounding: &str| {
        let modes = ["--edition", "4.0", "--saturation", "SatFinite", "--rounding", rounding];
        let lower = format.to_lowercase();
        let vectors = go(folder.path(), &[&["vectors", "sqrt", "--in", &lower], &modes[..]].concat(), 0);
        format!("# RootFast: Sqrt<{format}, {format}, ({rounding}, SatFinite)>\n{vectors}")
    };
    let judge = |table: &str, code: i32| changed("Kappas.yaml", "RootFast", "RootFast", Some(table), code);
    let right = table("Binary8p3se", "NearestTiesToEven");
    assert!(judge(&right, 0).contains("κ = 0 over 255 operands, declared 1"));
    let one_off = right.replacen("0x48 0x44", "0x48 0x45", 1);
    assert!(judge(&one_off, 0).contains("κ = 1 over 255 operands, declared 1"));
    let two_off = right.replacen("0x48 0x44", "0x48 0x46", 1);
    assert!(
        judge(&two_off, 1).contains("line 74 of the table has κ = 2, above the declared 1 (Kappas.yaml:7)")
    );
    assert!(
        judge(&table("Binary8p5se", "NearestTiesToEven"), 1)
            .contains("t.txt:1: RootFast is not declared for these formats")
    );
    assert!(
        judge(&table("Binary8p3se", "ToOdd"), 1)
            .contains("t.txt:1: RootFast is not declared for these modes")
    );
    let unknown = right.replacen("# RootFast", "# RootSlow", 1);
    assert!(judge(&unknown, 1).contains("t.txt:1: no file declares a κ of RootSlow"));
}
