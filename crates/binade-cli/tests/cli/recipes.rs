//! Recipes: as names, with changes, and in files.

use std::fs;

use serde_json::Value;

use crate::{bad, good, run_in};

/// A recipe for layers of the MLP.
const MINE: &str = "\
about = \"MXFP8 with learnt weights\"
base = \"mxfp8\"
leave = [\"out*\"]

[stored]
weights = \"cfloat8_1_4_3/bias=learnt/history=4\"
";

fn recipes() -> Vec<String> {
    let document: Value = serde_json::from_str(&good(&["recipes", "--json"])).unwrap();
    let recipes = document["recipes"].as_array().unwrap();
    recipes.iter().map(|recipe| recipe["name"].as_str().unwrap().to_owned()).collect()
}

/// A named recipe as a file shows as the named one, but for its name.
#[test]
fn toml_of_each_recipe_is_that_recipe() {
    let folder = tempfile::tempdir().unwrap();
    for name in recipes() {
        fs::write(folder.path().join("mine.toml"), good(&["show", &name, "--toml"])).unwrap();
        let shown = |recipe: &str| -> Value {
            let done = run_in(folder.path(), &["show", recipe, "--json"], "");
            assert_eq!((done.code, &*done.err), (Some(0), ""), "{recipe}");
            let mut document: Value = serde_json::from_str(&done.out).unwrap();
            document["name"] = Value::Null;
            document
        };
        assert_eq!(shown("mine.toml"), shown(&name), "{name}");
    }
    assert!(
        bad(&["show", "bf16", "--toml"])
            .starts_with("error: --toml is for recipes, which `binade recipes` lists: got a format")
    );
}

#[test]
fn recipe_in_a_file_is_shown_as_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine.toml"), MINE).unwrap();
    let done = run_in(folder.path(), &["show", "mine.toml@bf16"], "");
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert_eq!(
        done.out,
        "\
mine@bf16: MXFP8 with learnt weights
source: \"Recipes for Pre-training LLMs with MXFP8\" (arXiv 2506.08027)

forward
  activation ── mxfp8_e4m3@rule=rceil ──┐
  weight     ── mxfp8_e4m3@rule=rceil ──┴── added in bf16 ── output

input_gradient
  gradient   ── mxfp8_e4m3@rule=rceil ──┐
  weight     ── mxfp8_e4m3@rule=rceil ──┴── added in bf16 ── gradient of the input

weight_gradient
  activation ── mxfp8_e4m3@rule=rceil ──┐
  gradient   ── mxfp8_e4m3@rule=rceil ──┴── added in bf16 ── gradient of the weight

stored between steps
  weights        cfloat8_1_4_3/bias=learnt/history=4
  gradients      as in the program
  momentum       as in the program
  second_moments as in the program

left as in the program: out*
"
    );
}

#[cfg(feature = "train")]
#[test]
fn training_takes_a_recipe_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("mine.toml"), MINE).unwrap();
    let train = |more: &[&str]| {
        let first = ["train", "mlp", "--arith", "mine.toml", "--steps", "12", "--seeds", "1"];
        run_in(folder, &[&first[..], more].concat(), "")
    };
    let done = train(&["--log", "a.jsonl", "--report", "a.html"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(done.out.contains("\nmine  ") && !done.out.contains("base=none"), "{}", done.out);
    let page = fs::read_to_string(folder.join("a.html")).unwrap();
    assert!(page.contains("Learnt biases of mine") && !page.contains("base=none"));
    // The log has the content and each change of a bias, and makes the same table without the file.
    let log = fs::read_to_string(folder.join("a.jsonl")).unwrap();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let text = lines[0]["arithmetics"][0].as_str().unwrap().to_owned();
    assert!(text.starts_with("mine{base=none|forward.activation=mxfp8_e4m3@rule=rceil|"), "{text}");
    let biases = lines.iter().filter(|line| line["kind"] == "bias");
    let weights = biases.filter(|line| line["tensor"] == "hidden.weight").collect::<Vec<_>>();
    let result = &lines.last().unwrap()["biases"][0];
    assert_eq!(result["tensor"], "hidden.weight");
    let spans = result["by_step"].as_array().unwrap();
    assert_eq!(weights.len(), spans.len());
    assert!(
        weights
            .iter()
            .zip(spans)
            .all(|(line, span)| line["step"] == span["from"] && line["bias"] == span["bias"])
    );
    let json: Value = serde_json::from_str(&train(&["--json"]).out).unwrap();
    fs::write(folder.join("result.json"), json.to_string()).unwrap();

    // Another name is another row; changed content is another experiment.
    let cells = |recipe: &str| {
        let done = run_in(
            folder,
            &["train", "mlp", "--arith", recipe, "--steps", "12", "--seeds", "1", "--cells", "--json"],
            "",
        );
        let cells: Value = serde_json::from_str(&done.out).unwrap_or_else(|_| panic!("{}", done.err));
        cells[0]["inputs"].as_str().unwrap().to_owned()
    };
    let inputs = cells("mine.toml");
    fs::write(folder.join("other.toml"), format!("# A copy.\n{MINE}")).unwrap();
    assert_eq!(cells("other.toml"), inputs);
    fs::write(folder.join("mine.toml"), MINE.replace("history=4", "history=5")).unwrap();
    assert_ne!(cells("mine.toml"), inputs);

    // Results are verified without the file.
    fs::remove_file(folder.join("mine.toml")).unwrap();
    let report = run_in(folder, &["train", "report", "a.jsonl"], "");
    assert_eq!(report.out, done.out);
    let verified = run_in(folder, &["train", "--verify", "result.json"], "");
    assert_eq!((verified.code, &*verified.out), (Some(0), "ok mine seed 0\n"), "{}", verified.err);
    let missing = train(&[]);
    assert!(
        missing.code == Some(2) && missing.err.starts_with("error: mine.toml: cannot read the recipe: "),
        "{}",
        missing.err
    );
}

#[cfg(feature = "train")]
#[test]
fn wrong_recipes_are_refused_with_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (text, wanted) in [
        (
            "[forward]\nweigth = \"nvfp4\"\n",
            "mine.toml:2: recipe 'mine': there is no key 'forward.weigth': did you mean forward.weight?",
        ),
        (
            "base = \"nvfp4\"\nleave = [\"decoder*\"]\n",
            "mine: leave: 'decoder*' matches no layer of the model: hidden, output",
        ),
        ("name = \"nvfp4\"\n", "mine.toml:1: 'nvfp4' cannot be the name of a recipe of your own"),
        (
            "[forward]\nweight = \"cfloat8_1_4_3@bias=64\"\n",
            "mine.toml:2: recipe 'mine': forward.weight: 'cfloat8_1_4_3@bias=64': cfloat8_1_4_3: bias=64 is out of range: 0 to 63",
        ),
    ] {
        fs::write(folder.join("mine.toml"), text).unwrap();
        let done = run_in(folder, &["train", "mlp", "--arith", "mine.toml", "--steps", "1"], "");
        assert_eq!((done.code, &*done.out), (Some(2), ""));
        assert!(done.err.contains(&format!("error: {wanted}")), "{}", done.err);
    }
    let quantizer = bad(&["train", "mlp", "--arith", "nvfp4/rule=floor", "--steps", "1"]);
    assert!(quantizer.contains("'nvfp4/rule=floor': rule=floor has no effect: scales of"), "{quantizer}");
    let swamping = bad(&["train", "mlp", "--arith", "nvfp4", "--steps", "1", "--swamping", "8"]);
    assert!(swamping.contains("--swamping follows the sums of operators, and nvfp4 quantises"), "{swamping}");
    let search = bad(&["train", "mlp", "--arith", "nvfp4", "--steps", "1", "--search"]);
    assert!(
        search.starts_with("error: 'nvfp4' is a recipe: --search weighs the area of operators"),
        "{search}"
    );
}

#[cfg(feature = "train")]
#[test]
fn blame_of_a_recipe_has_a_row_for_each_role() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["train", "mlp", "--arith", "bf16-stochastic", "--steps", "3", "--seeds", "1", "--blame"];
    let done = run_in(folder.path(), &arguments, "");
    assert_eq!(done.code, Some(0), "{}", done.err);
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let table: Vec<Vec<String>> =
        done.out.lines().skip(4).map(words).take_while(|row| !row.is_empty()).collect();
    assert_eq!(table[0], ["bf16-stochastic", "hidden", "output", "(no", "layer)"]);
    let rows: Vec<&str> = table[1..].iter().map(|row| &row[0][..]).collect();
    assert_eq!(
        rows,
        [
            "forward.activation",
            "forward.weight",
            "input_gradient.gradient",
            "input_gradient.weight",
            "weight_gradient.activation",
            "weight_gradient.gradient",
            "stored.weights",
            "stored.gradients",
            "stored.momentum",
        ]
    );
}

#[cfg(feature = "hlo")]
#[test]
fn programs_run_under_a_recipe_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let program = "func.func @main() -> tensor<1x1xf32> {\n\
                   %a = stablehlo.constant dense<1.1> : tensor<1x32xf32>\n\
                   %b = stablehlo.constant dense<1.0> : tensor<32x1xf32>\n\
                   %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<1x32xf32>, tensor<32x1xf32>) -> tensor<1x1xf32>\n\
                   return %c : tensor<1x1xf32> }\n";
    fs::write(folder.path().join("p.mlir"), program).unwrap();
    fs::write(folder.path().join("mine.toml"), "[forward]\nactivation = \"bf16\"\nweight = \"mxfp4\"\n")
        .unwrap();
    let of = |rule: &str| {
        let arguments = ["hlo", "run", "p.mlir", "--arith", rule, "--output-dir", "out", "--force"];
        let done = run_in(folder.path(), &arguments, "");
        assert_eq!(done.code, Some(0), "{}", done.err);
        (fs::read(folder.path().join("out/out0.npy")).unwrap(), done.err)
    };
    let (from_file, said) = of("dot_general=mine.toml");
    assert_eq!(from_file, of("w4a16{input_gradient.sums=f32}").0);
    assert_ne!(from_file, of("dot_general=f32:f32").0);
    assert!(said.contains("--arith 'dot_general=mine': 1 operation"), "{said}");
}

#[test]
fn quantizers_are_not_shown_and_say_what_is() {
    for (name, wanted) in [
        (
            "nvfp4/rule=floor",
            "'nvfp4/rule=floor': rule=floor has no effect: scales of float8_e4m3fn are quotients",
        ),
        (
            "nvfp4@rule=floor",
            "'nvfp4@rule=floor': rule=floor has no effect: scales of float8_e4m3fn are quotients",
        ),
        (
            "mxfp4@rule=ceil",
            "'mxfp4@rule=ceil' is a quantizer, and show takes a format, a unit or a recipe: `binade show float4_e2m1fn` shows its elements",
        ),
        (
            "bf16/rounding=stochastic",
            "`binade show 'mine{base=none|forward.weight=bf16/rounding=stochastic}'` a recipe with it",
        ),
        ("float8_e4m3fn/rule=floor", "rule is an option of scales, and there are none"),
    ] {
        let found = bad(&["show", name]);
        assert!(found.contains(wanted), "{name}: {found}");
    }
    assert!(good(&["show", "mine{base=none|forward.weight=mxfp4@rule=ceil}"]).contains("mxfp4@rule=ceil"));
}
