//! `study`: its tables and plots. Tests in `binade-lab`, and the examples of its help, check the numbers.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{bad, good, run_in};

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&good(arguments)).unwrap()
}

#[test]
fn representation_json_has_the_documented_keys() {
    let report = json(&["study", "representation", "--json"]);
    assert_eq!((&report["exponent"], &report["samples"]), (&2.into(), &8_388_608.into()));
    let below = |format: usize, to: f64| {
        let decades = report["formats"][format]["decades"].as_array().unwrap();
        decades.iter().find(|decade| decade["to"] == to).unwrap()["below"].clone()
    };
    assert_eq!(report["formats"][0]["format"], "bf16x1");
    assert_eq!((below(0, 1e-4), below(1, 1e-6)), (322_124.into(), 3_518_768.into()));
    assert_eq!(report["formats"][2]["exact"], 8_388_608);
    for errors in report["formats"].as_array().unwrap() {
        let decades = errors["decades"].as_array().unwrap();
        let sum: u64 = decades.iter().map(|decade| decade["samples"].as_u64().unwrap()).sum();
        assert_eq!(sum, 8_388_608);
    }
    // Errors without measure are null.
    let beyond = json(&["study", "representation", "--json", "--format", "f16", "--exponent", "20"]);
    assert_eq!(beyond["formats"][0]["overflow"], 8_388_608);
    assert_eq!(beyond["formats"][0]["max"], Value::Null);
}

#[test]
fn representation_prints_two_tables() {
    let list = "cfloat8_1_4_3@bias=3,subnormals=ieee,float8_e4m3b11fnuz,f16";
    insta::assert_snapshot!(
        "study_representation",
        good(&["study", "representation", "--format", list, "--exponent", "4"])
    );
}

#[test]
fn cost_json_has_the_documented_keys() {
    let report = json(&["study", "cost", "FMAbf16_2_2{4}", "bf16:f32", "--json"]);
    assert_eq!(report["binary32_area"], 576);
    let [compound, pair] = report["operators"].as_array().unwrap().as_slice() else { panic!("{report}") };
    assert_eq!(
        (&compound["operator"], &compound["paper"]),
        (&"bf16x2:bf16x2/4".into(), &"FMAbf16_2_2{4}".into())
    );
    assert_eq!((&compound["speed_up"], &pair["paper"]), (&2.25.into(), &Value::Null));
}

#[test]
fn plot_is_written_and_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for study in ["representation", "cost"] {
        let file = folder.join(format!("{study}.svg"));
        let name = file.to_str().unwrap();
        good(&["study", study, "--plot", name]);
        let drawn = fs::read_to_string(&file).unwrap();
        assert!(drawn.starts_with("<svg xmlns=") && drawn.ends_with("</svg>\n"), "{drawn}");
        // Nothing that is fetched from elsewhere.
        assert_eq!(drawn.matches("http").count(), 1);
        let wanted = if study == "cost" { "2.25×  ·  256 area units" } else { ">bf16x2</text>" };
        assert!(drawn.contains(wanted), "{drawn}");
        fs::write(&file, "mine").unwrap();
        assert_eq!(
            bad(&["study", study, "--plot", name]),
            format!("error: {name}: the file exists: use --force to replace it\n")
        );
        assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
        good(&["study", study, "--plot", name, "--force"]);
        assert_eq!(fs::read_to_string(&file).unwrap(), drawn);
    }
    assert_eq!(fs::read_dir(folder).unwrap().count(), 2, "temporaries are gone");
    let nowhere = run_in(folder, &["study", "cost", "--plot", "none/c.svg"], "");
    assert_eq!((nowhere.code, nowhere.out.as_str()), (Some(2), ""));
    assert!(nowhere.err.starts_with("error: none/c.svg: cannot write: "), "{}", nowhere.err);
}

#[test]
fn bad_study_arguments_are_refused() {
    let format = |name| bad(&["study", "representation", "--format", name]);
    assert_eq!(format("bf16x4"), "error: unknown sum of parts 'bf16x4': must be bf16x1, bf16x2 or bf16x3\n");
    assert!(format("float8_e4m3fx").starts_with("error: unknown format 'float8_e4m3fx': did you mean "));
    assert!(format("").starts_with("error: unknown format ''"));
    let range = bad(&["study", "representation", "--exponent", "128"]);
    assert!(range.contains("must be from -126 to 127"), "{range}");
    let operator = bad(&["study", "cost", "bf16"]);
    assert!(operator.contains("'bf16' is not an operator: write INPUTS:ACCUMULATOR"), "{operator}");
    assert!(bad(&["study"]).contains("Usage: binade study <COMMAND>"));
    // Without multiply-adds a program has a speed-up of 1.
    assert!(good(&["study", "cost", "bf16:bf16", "--mix", "0"]).contains(" 1.000"));
    assert_eq!(
        bad(&["study", "cost", "--mix", "1.5"]),
        "error: --mix 1.5: the share of multiply-adds must be a number from 0 to 1, as in 0.395 or 39.5%: got 1.5\n"
    );
}

/// Two products, the second of which is bound by its units.
const PRODUCTS: &str =
    "func.func @main(%a: tensor<256x256xf32>, %b: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
     : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}
";

#[test]
fn performance_json_has_the_documented_keys() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("product.mlir");
    fs::write(&file, PRODUCTS).unwrap();
    let file = file.to_str().unwrap();
    let report =
        json(&["study", "performance", file, "--arith", "bf16:bf16", "mp", "--mix", "50%", "--json"]);
    assert_eq!(
        (&report["core"], &report["fma_share"], &report["bounds"]),
        (&"skylake".into(), &0.5.into(), &false.into())
    );
    assert_eq!(report["multiply_adds"], 16_777_216.0);
    let [own, mixed] = report["rows"].as_array().unwrap().as_slice() else { panic!("{report}") };
    assert_eq!((&own["arith"], &mixed["arith"]), (&"bf16:bf16".into(), &"mp".into()));
    assert_eq!((&own["bound_by"], &own["products_bound_by"]), (&"rest".into(), &"issue".into()));
    assert!(own["speedup"].as_f64().unwrap() > 1.3, "{own}");
    assert_eq!(report["baseline"]["speedup"], 1.0);
    // Half the area makes binary32 slower, and the operators faster beside it.
    let small = ["study", "performance", file, "--arith", "bf16:bf16", "--set", "units.area=288", "--json"];
    let small = json(&small);
    assert!(small["baseline"]["product_seconds"].as_f64() > report["baseline"]["product_seconds"].as_f64());
    assert!(small["rows"][0]["product_speedup"].as_f64() > own["product_speedup"].as_f64());
}

#[test]
fn performance_draws_and_lists_cores() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let plot = folder.join("roofline.svg");
    let text = good(&["study", "performance", "mlp", "--plot", plot.to_str().unwrap()]);
    assert!(text.starts_with("arithmetic ") && text.contains("\nbf16x2:bf16x2/4 "), "{text}");
    let drawn = fs::read_to_string(&plot).unwrap();
    assert!(drawn.starts_with("<svg xmlns=") && drawn.contains("Performance of mlp on skylake"), "{drawn}");
    let cores = good(&["study", "performance", "--cores"]);
    let names: Vec<&str> = cores.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(names, ["core", "skylake", "avx512-server", "edge", "h100"]);
    // A printed core is one.
    let toml = good(&["study", "performance", "--core", "edge", "--show-core"]);
    fs::write(folder.join("mine.toml"), toml).unwrap();
    let of = |core: &str| run_in(folder, &["study", "performance", "mlp", "--core", core], "").out;
    assert_eq!(of("mine.toml").replace("core mine", "core edge"), of("edge"));
}

#[test]
fn performance_prints_the_changed_core() {
    let changes = ["--set", "memory.gb_per_s=60", "--set", "cache.L3.instances=2", "--mix", "20%"];
    let toml = good(&[&["study", "performance", "--show-core"], &changes[..]].concat());
    for line in ["gb_per_s = 60", "instances = 2", "fma_share = 0.2", "# Section 6.5: at most 32"] {
        assert!(toml.contains(line), "{line}\n{toml}");
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("skylake.toml"), toml).unwrap();
    let of = |arguments: &[&str]| {
        run_in(folder.path(), &[&["study", "performance", "mlp", "--json"], arguments].concat(), "").out
    };
    assert_eq!(of(&["--core", "skylake.toml"]), of(&changes));
}

#[test]
fn performance_writes_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let arguments =
        ["study", "performance", "mlp", "--arith", "bf16:bf16", "--report", page.to_str().unwrap()];
    good(&arguments);
    let html = fs::read_to_string(&page).unwrap();
    for wanted in
        ["<h1>Performance of mlp</h1>", "Operations under bf16:bf16", "dot_general", "<footer>Made by <code>"]
    {
        assert!(html.contains(wanted), "{wanted}");
    }
    good(&[&arguments[..], &["--force"]].concat());
}

#[test]
fn performance_warns_of_rules_that_match_nothing() {
    let of = |arith: &str| run_in(Path::new("."), &["study", "performance", "mlp", "--arith", arith], "");
    let outcome = of("convolution=bf16:bf16;dot_general=bf16:bf16");
    assert_eq!(outcome.code, Some(0));
    assert_eq!(
        outcome.err,
        "warning: --arith 'convolution=bf16:bf16', in 'convolution=bf16:bf16;dot_general=bf16:bf16', matches no operation of the program\n"
    );
    assert_eq!(of("bf16:bf16").err, "");
}

#[test]
fn performance_of_a_program_without_products_has_no_negative_zeros() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("sum.mlir"),
        "func.func @main(%a: tensor<64xf32>) -> tensor<64xf32> {\n  %0 = stablehlo.add %a, %a : tensor<64xf32>\n  return %0 : tensor<64xf32>\n}\n",
    )
    .unwrap();
    let outcome = run_in(folder.path(), &["study", "performance", "sum.mlir", "--arith", "bf16:bf16"], "");
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert!(!outcome.out.contains("-0") && !outcome.out.contains("inf"), "{}", outcome.out);
    assert!(
        outcome.out.contains("products take 0.0 % of binary32's time; multiply-adds: 0.0000e0"),
        "{}",
        outcome.out
    );
}

#[test]
fn performance_refuses_what_it_cannot_estimate() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(
        folder.join("open.mlir"),
        "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\n  return %a : tensor<?xf32>\n}\n",
    )
    .unwrap();
    fs::write(folder.join("product.mlir"), PRODUCTS).unwrap();
    fs::write(folder.join("empty.mlir"), "module {\n}\n").unwrap();
    fs::write(folder.join("there.html"), "").unwrap();
    fs::write(folder.join("core.json"), "{\"frequency_ghz\": 2.1}").unwrap();
    fs::write(folder.join("none.json"), "{\"fma\": {\"share\": 0}}").unwrap();
    let skylake = good(&["study", "performance", "--show-core"]);
    fs::write(folder.join("none.toml"), skylake.replace("gb_per_s = 30\n", "")).unwrap();
    fs::write(folder.join("zero.toml"), skylake.replace("gb_per_s = 30", "gb_per_s = 0")).unwrap();
    for (arguments, wanted) in [
        (
            &["open.mlir"][..],
            "error: open.mlir:1:1: a parameter of @main has the type tensor<?xf32>, whose sizes only a run tells: give the sizes",
        ),
        (
            &["product.mlir", "--core", "none.toml"],
            "error: none.toml: the core has no memory.gb_per_s: add it, as in memory.gb_per_s = 30",
        ),
        (
            &["product.mlir", "--core", "zero.toml"],
            "error: zero.toml:47: memory.gb_per_s must be a number from 0.001 to 1000000 GB/s: got 0",
        ),
        (&["product.mlir", "--core", "skylak"], "error: there is no core 'skylak': did you mean skylake?"),
        (
            &["product.mlir", "--set", "memory.gb=3"],
            "error: core skylake: there is no field 'memory.gb': did you mean memory.gb_per_s?",
        ),
        (
            &["product.mlir", "--arith", "h100:e4m3"],
            "error: 'h100:e4m3': the matrix unit has no area, and core skylake has no peak.float8_e4m3fn",
        ),
        (&["product.mlir", "--arith", "bf17:f32"], "error: 'bf17:f32'"),
        (
            &["product.mlir", "--set", "memory.gb_per_s=-3"],
            "error: core skylake: memory.gb_per_s must be a number from 0.001 to 1000000 GB/s: got -3",
        ),
        (
            &["product.mlir", "--set", "frequency_ghz=1e300", "--show-core"],
            "error: core skylake: frequency_ghz must be a number from 0.001 to 1000 GHz: got 1e300",
        ),
        (
            &["product.mlir", "--set", "cache.L1.kib=NaN"],
            "error: core skylake: cache.L1.kib must be a number from 0.0625 to 1000000000 KiB: got NaN",
        ),
        (
            &["product.mlir", "--mix", "0"],
            "error: --mix 0: the share of multiply-adds must be a number from 0.000001 to 1, as in 0.395 or 39.5%: got 0\n",
        ),
        (
            &["product.mlir", "--mix", "none.json"],
            "error: --mix none.json: the share of multiply-adds must be a number from 0.000001 to 1, as in 0.395 or 39.5%: got 0\n",
        ),
        (
            &["product.mlir", "--mix", "150%"],
            "error: --mix 150%: the share of multiply-adds must be a number from 0.000001 to 1, as in 0.395 or 39.5%: got 1.5\n",
        ),
        (
            &["product.mlir", "--mix", "-1"],
            "error: --mix -1: the share of multiply-adds must be a number from 0.000001 to 1, as in 0.395 or 39.5%: got -1\n",
        ),
        (
            &["product.mlir", "--mix", "much"],
            "error: --mix much: No such file or directory (os error 2): must be a file that `binade mix --output` wrote, or a share of \
             multiply-adds, as in 0.395 or 39.5%\n",
        ),
        (&["product.mlir", "--core", "core.json"], "error: core.json:1: not TOML: "),
        (&["empty.mlir"], "error: empty.mlir: there is no function '@main': the program has no functions"),
        (
            &["product.mlir", "--report", "there.html"],
            "error: there.html: the file exists: use --force to replace it",
        ),
        (&["--core", "measured", "--report", "new.html"], "error: --report needs a program"),
        (&["resnet101"], "error: "),
        (&[], "error: no program: name a StableHLO file, or a model such as mlp"),
    ] {
        let outcome = run_in(folder, &[&["study", "performance"], arguments].concat(), "");
        assert_eq!(outcome.code, Some(2), "{arguments:?}");
        assert!(outcome.err.starts_with(wanted), "{arguments:?}\n{}\n{wanted}", outcome.err);
    }
}
