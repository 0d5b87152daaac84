//! Trainings end to end: identical bits across threads and interruptions, divergence, invalid models.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use binade_train::record::{CellResult, Document, Line, State};
use binade_train::{Blame, Experiment, Length, Model, Settings, TrainError, template};

fn experiment(model: &str, arithmetics: &[&str], seeds: u64, settings: Settings) -> Experiment {
    let arithmetics: Vec<String> = arithmetics.iter().map(|name| (*name).to_owned()).collect();
    Experiment::new(Model::load(model).unwrap(), None, &arithmetics, seeds, settings).unwrap()
}

fn steps(steps: u64) -> Settings {
    Settings { length: Length::Steps(steps), ..Settings::default() }
}

/// Results without their times.
fn facts(results: Vec<CellResult>) -> Vec<CellResult> {
    results.into_iter().map(|result| CellResult { seconds: 0.0, ..result }).collect()
}

fn trained(experiment: &Experiment, threads: usize) -> Vec<CellResult> {
    let all: Vec<usize> = (0..experiment.cells.len()).collect();
    facts(experiment.run(&all, threads, &(), &|| false).unwrap())
}

#[test]
fn results_with_any_threads_have_the_same_bits() {
    let experiment = experiment("mlp", &["f32", "bf16:bf16"], 2, steps(8));
    let one = trained(&experiment, 1);
    assert_eq!(one, trained(&experiment, 2));
    // Alone, a cell has both threads.
    assert_eq!(one[3..], facts(experiment.run(&[3], 2, &(), &|| false).unwrap())[..]);
    let hashes: Vec<&str> = one.iter().map(|cell| &cell.weights_sha256[..]).collect();
    assert!((1..4).all(|at| !hashes[..at].contains(&hashes[at])), "{hashes:?}");
    assert!(one.iter().all(|cell| cell.state == State::Done && cell.steps == 8 && cell.loss.unwrap() < 2.4));
}

/// The final weights are evaluated in binary32. Equal weights get equal results, whatever their arithmetic reports.
#[test]
fn final_weights_are_evaluated_in_binary32() {
    let experiment = experiment("mlp", &["f32", "bf16:f32", "bf16:bf16x3", "bf16:bf16"], 1, steps(8));
    let cells = trained(&experiment, 2);
    let [plain, mixed, three, narrow] = &cells[..] else { panic!("four cells") };
    let in_f32 = |cell: &CellResult| cell.in_f32.map(|tested| (tested.test_loss, tested.accuracy));
    assert_eq!(in_f32(plain), Some((plain.test_loss, plain.accuracy)));
    assert_eq!(mixed.weights_sha256, three.weights_sha256);
    assert!(in_f32(mixed) == in_f32(three) && in_f32(mixed) != in_f32(plain));
    for other in [mixed, narrow] {
        let (loss, _) = in_f32(other).unwrap();
        assert!(
            loss != other.test_loss && (loss.unwrap() - other.test_loss.unwrap()).abs() < 0.1,
            "{other:?}"
        );
    }
    let asked = AtomicUsize::new(0);
    let stopped = experiment.run(&[3], 1, &(), &|| asked.fetch_add(1, Ordering::Relaxed) > 4).unwrap();
    assert_eq!((stopped[0].state, stopped[0].in_f32), (State::Running, None));
}

/// Losses of accumulators are reported by part after each epoch, and do not change the training.
#[test]
fn swamping_is_recorded_without_changing_the_training() {
    let settings = Settings { swamping: Some(16), ..steps(51) };
    let seen = trained(&experiment("mlp", &["bf16:bf16"], 1, settings), 1);
    let plain = trained(&experiment("mlp", &["bf16:bf16"], 1, steps(51)), 1);
    assert_eq!(CellResult { swamping: vec![], ..seen[0].clone() }, plain[0]);
    let parts: Vec<(u64, &str, usize)> =
        seen[0].swamping.iter().map(|seen| (seen.epoch, &seen.part[..], seen.longest)).collect();
    // 784 pixels, 128 hidden units and 100 examples. Inputs have no gradient.
    let each = [
        ("forward hidden", 784),
        ("forward output", 128),
        ("backward hidden", 100),
        ("backward output", 100),
    ];
    let expected: Vec<_> =
        (1..=2).flat_map(|epoch| each.map(|(part, longest)| (epoch, part, longest))).collect();
    assert_eq!(parts, expected);
    assert!(seen[0].swamping.iter().all(|seen| seen.product_absorbed > 0 && seen.steps().total() > 100));
    let predicted: Vec<_> =
        seen[0].swamping.iter().map(|seen| (seen.factor_bits, seen.predicted_bits)).collect();
    assert_eq!(predicted, [7, 5, 5, 5, 7, 5, 5, 5].map(|bits| (8, Some(bits))));
}

/// Training is interrupted at any step, within an epoch or at its end, and resumed.
#[test]
fn resumed_training_has_the_same_bits() {
    let length = Length::Steps(53);
    let whole = trained(&experiment("mlp", &["bf16:bf16x2"], 1, steps(53)), 1);
    assert_eq!((whole[0].epochs.len(), whole[0].epochs[0].steps), (2, 50));
    for stop_after in [0, 1, 49, 50, 52] {
        let folder = tempfile::tempdir().unwrap();
        let settings = |resume| Settings {
            length,
            checkpoint: Some(folder.path().to_owned()),
            resume,
            ..Settings::default()
        };
        let asked = AtomicUsize::new(0);
        // The callback runs before the cell and before each step.
        let stop = || asked.fetch_add(1, Ordering::Relaxed) > stop_after;
        let first = experiment("mlp", &["bf16:bf16x2"], 1, settings(true));
        let part = first.run(&[0], 1, &(), &stop).unwrap();
        assert_eq!((part[0].state, part[0].steps), (State::Running, stop_after as u64));
        let second = experiment("mlp", &["bf16:bf16x2"], 1, settings(true));
        assert_eq!(trained(&second, 1), whole, "{stop_after}");
        // A finished cell is not trained again.
        let third = experiment("mlp", &["bf16:bf16x2"], 1, settings(true));
        assert_eq!(facts(third.run(&[0], 1, &(), &|| false).unwrap()), whole);
        let other = Settings { length: Length::Steps(54), ..settings(true) };
        let error = experiment("mlp", &["bf16:bf16x2"], 1, other).run(&[0], 1, &(), &|| false).unwrap_err();
        assert!(error.to_string().contains("of another experiment"), "{error}");
        let again = Model::load("mlp").unwrap();
        let refused =
            Experiment::new(again, None, &["bf16:bf16x2".to_owned()], 1, settings(false)).unwrap_err();
        assert!(matches!(refused, TrainError::CheckpointExists(_)), "{refused}");
    }
}

/// Copies the MLP with a replacement in one of its files.
fn changed(folder: &Path, file: &str, from: &str, to: &str) -> String {
    let folder = folder.join("model");
    let _ = fs::remove_dir_all(&folder);
    template::create(&folder).unwrap();
    let text = fs::read_to_string(folder.join(file)).unwrap();
    assert!(text.contains(from), "{file}: {from}");
    fs::write(folder.join(file), text.replacen(from, to, 1)).unwrap();
    folder.display().to_string()
}

#[test]
fn divergence_ends_only_its_own_cell() {
    let folder = tempfile::tempdir().unwrap();
    let model = changed(folder.path(), "model.json", "\"initial\": 0.05", "\"initial\": 1e4");
    let settings = Settings {
        length: Length::Steps(40),
        checkpoint: Some(folder.path().join("kept")),
        resume: true,
        ..Settings::default()
    };
    // A narrow range overflows before binary32 does.
    let experiment = experiment(&model, &["float8_e4m3fn:float8_e5m2", "f32"], 1, settings);
    let results = trained(&experiment, 1);
    assert_eq!(results[0].state, State::Diverged);
    let step = results[0].diverged_at.unwrap();
    assert_eq!((results[0].steps, results[0].loss), (step + 1, None));
    assert!(results[1].steps > 0);
    assert_eq!(trained(&experiment, 1), results);
}

/// The first infinite number or NaN comes from finite operands, in the arithmetic and not in binary32.
#[test]
fn first_bad_number_of_an_arithmetic_is_found() {
    let folder = tempfile::tempdir().unwrap();
    // The largest E4M3 number is 448, so only the weights' own range ends the training.
    let model = changed(folder.path(), "model.json", "\"initial\": 0.05", "\"initial\": 1e4");
    let narrow = experiment(&model, &["float8_e4m3fn:float8_e5m2", "f32"], 1, steps(40));
    let results = trained(&narrow, 1);
    let first = narrow.first_bad(&results[0], 1, &|| false).unwrap().unwrap();
    assert_eq!(Some(first.diverged_at), results[0].diverged_at);
    assert!(first.step <= first.diverged_at);
    let birth = first.birth.clone().unwrap();
    assert!(["inf", "-inf", "NaN"].contains(&&birth.value[..]), "{birth:?}");
    assert!(birth.f32.parse::<f64>().unwrap().is_finite(), "{birth:?}");
    assert!(birth.scope.starts_with("jit(train_step)/") && birth.bad >= 1, "{birth:?}");
    assert!(!birth.operands.is_empty());
    for operand in &birth.operands {
        assert!(operand.values.iter().all(|value| value.parse::<f64>().unwrap().is_finite()), "{birth:?}");
    }
    // The line is that of the operation.
    let text = fs::read_to_string(Path::new(&model).join("train_step.mlir")).unwrap();
    let line = text.lines().nth(birth.line as usize - 1).unwrap();
    let name = birth.operation.trim_start_matches("multiply+");
    assert!(line.contains(&format!("stablehlo.{name}")), "{line} {birth:?}");
    // The number of threads does not matter.
    assert_eq!(narrow.first_bad(&results[0], 2, &|| false).unwrap(), Some(first));
    // A training that is stopped, and a result of another training.
    assert_eq!(narrow.first_bad(&results[0], 1, &|| true).unwrap(), None);
    let other = CellResult { weights_sha256: "00".to_owned(), ..results[0].clone() };
    let error = narrow.first_bad(&other, 1, &|| false).unwrap_err();
    assert!(matches!(error, TrainError::OtherBits { .. }), "{error}");
}

/// An overflow in binary32 is found too. A cell that does not diverge has no first bad number.
#[test]
fn first_bad_number_of_binary32_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let model = changed(folder.path(), "model.json", "\"initial\": 0.05", "\"initial\": 1e30");
    let wild = experiment(&model, &["f32"], 1, steps(9));
    let results = trained(&wild, 1);
    let first = wild.first_bad(&results[0], 1, &|| false).unwrap().unwrap();
    let birth = first.birth.unwrap();
    assert_eq!(birth.f32, birth.value);
    let finite = |text: &String| text.parse::<f64>().unwrap().is_finite();
    assert!(birth.operands.iter().all(|operand| operand.values.iter().all(finite)), "{birth:?}");
    let calm = experiment("mlp", &["f32"], 1, steps(2));
    assert_eq!(calm.first_bad(&trained(&calm, 1)[0], 1, &|| false).unwrap(), None);
}

/// Labelling the parts of a model changes no bit. Each part is an arithmetic of its own.
#[test]
fn parts_under_an_operator_differ_and_labels_change_nothing() {
    let blame = Blame::new(Model::load("mlp").unwrap(), None, "bf16:bf16", 1, steps(6)).unwrap();
    let results = trained(&blame.experiment, 2);
    let whole = trained(&experiment("mlp", &["f32", "bf16:bf16"], 1, steps(6)), 2);
    assert_eq!(results[..2], whole[..]);
    let gaps = blame.gaps(&results);
    let loss = |at: usize| results[at].loss.unwrap();
    assert_eq!((gaps.f32_loss, gaps.everything), (Some(loss(0)), Some(loss(1) - loss(0))));
    let names: Vec<String> = gaps.parts.iter().map(|gap| gap.part.to_string()).collect();
    for name in ["forward hidden", "backward hidden", "forward output", "backward output", "optimizer"] {
        assert!(names.iter().any(|known| known == name), "{name}: {names:?}");
    }
    assert_eq!(results.len(), 2 + names.len());
    // Only the optimizer has the weights in BF16.
    let hash = |at: usize| &results[at].weights_sha256;
    assert!((1..results.len()).all(|at| hash(at) != hash(0) || gaps.parts[at - 2].gap == Some(0.0)));
    let optimizer = names.iter().position(|name| name == "optimizer").unwrap();
    assert!(hash(optimizer + 2) != hash(0) && hash(optimizer + 2) != hash(1));
    let most = gaps.most().unwrap().gap.unwrap();
    assert!(gaps.parts.iter().all(|gap| gap.gap.unwrap() <= most));
    for wrong in ["f32", "dot_general=bf16:f32", "add=bf16", ""] {
        let refused = Blame::new(Model::load("mlp").unwrap(), None, wrong, 1, steps(6)).unwrap_err();
        assert!(matches!(refused, TrainError::NotAnOperator(_)), "{refused}");
    }
}

#[test]
fn new_folder_trains_like_its_base_model() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine");
    template::create(&path).unwrap();
    let called = path.display().to_string();
    let results = trained(&experiment(&called, &["f32"], 1, steps(3)), 1);
    assert_eq!(results, trained(&experiment("mlp", &["f32"], 1, steps(3)), 1));
    assert!(matches!(template::create(&path), Err(TrainError::Exists(_))));
    assert!(fs::read_to_string(path.join("README.md")).unwrap().contains("binade train"));
}

/// Errors name the file, the position, and both sides.
#[test]
fn invalid_models_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        ("model.json", "{", "", "model.json: "),
        ("model.json", "\"batch\": 100", "\"batch\": 0", "a batch must have at least 1 example"),
        ("model.json", "\"format\": 1", "\"format\": 2", "\"format\" must be 1"),
        ("model.json", "\"epoch\": 6", "\"epoch\": 60", "must be in ascending order"),
        ("model.json", "\"role\": \"parameter\"", "\"role\": \"carried\"", "carried state needs"),
        ("model.json", "\"from\": \"rate\"", "\"from\": \"key\"", "a key must be a tensor<2xui32>"),
        ("model.json", "\"name\": \"loss\"", "\"name\": \"correct\"", "output correct of train_step"),
        ("model.json", "\"sampling\": \"shuffled\"", "\"sampling\": \"any\"", "unknown variant `any`"),
        (
            "model.json",
            "\"hidden.bias\", \"shape\": [128]",
            "\"hidden.bias\", \"shape\": [64]",
            "init.mlir: result 1 of @main ('hidden.bias') must be tensor<64xf32> as in model.json, not tensor<128xf32>",
        ),
        (
            "model.json",
            "{\"name\": \"label\", \"shape\": [100], \"dtype\": \"i32\", \"from\": {\"column\": \"label\"}, \"below\": 10},",
            "",
            "train_step.mlir: argument 9 of @main ('rate') must be tensor<f32> as in model.json, not tensor<100xi32>",
        ),
        ("init.mlir", "@main", "@start", "init.mlir: missing function '@main'; the program has @start, "),
        ("evaluate.mlir", "stablehlo.", "stablehlo.un", "evaluate.mlir: "),
    ];
    for (file, from, to, expected) in cases {
        let model = changed(folder.path(), file, from, to);
        let error = Model::load(&model).unwrap_err().to_string();
        assert!(error.contains(expected), "{file} {from}: {error}");
    }
    let whole = folder.path().join("model");
    for file in ["model.json", "init.mlir", "train_step.mlir", "evaluate.mlir"] {
        changed(folder.path(), file, "\n", "\n");
        fs::remove_file(whole.join(file)).unwrap();
        let error = Model::load(&whole.display().to_string()).unwrap_err().to_string();
        assert!(error.contains(&format!("{file} is missing")), "{error}");
    }
    // A manifest truncated at any position.
    let text =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/mlp/model.json")).unwrap();
    template::create(&folder.path().join("cut")).unwrap();
    for end in (0..text.len() - 2).step_by(97) {
        fs::write(folder.path().join("cut/model.json"), &text.as_bytes()[..end]).unwrap();
        let error = Model::load(&folder.path().join("cut").display().to_string()).unwrap_err();
        assert!(matches!(error, TrainError::ManifestText { .. }), "{error}");
    }
}

/// A model that translates a sentence into itself, as word numbers.
fn echo(folder: &Path) {
    let row = |name: &str| {
        format!(
            r#"{{"name": "{name}", "shape": [2, 7], "dtype": "i32", "from": {{"column": "{name}", "resized": true}}}}"#
        )
    };
    let (source, target) = (row("source"), row("target"));
    let metric = |name: &str, size: usize, dtype: &str| {
        format!(r#"{{"name": "{name}", "shape": [{size}], "dtype": "{dtype}"}}"#)
    };
    let loss = metric("loss", 2, "f32");
    let counts = [metric("updates", 1, "i32"), metric("lost_updates", 1, "i32")].join(", ");
    let manifest = format!(
        r#"{{"format": 1, "name": "echo", "about": "an echo", "task": "translation", "data": "parallel", "sampling": "shuffled",
           "batch": 2, "epochs": 1, "rate": {{"initial": 1}},
           "state": [{{"name": "w", "shape": [], "dtype": "f32", "role": "parameter"}}],
           "train_step": {{"inputs": [{source}, {{"name": "rate", "shape": [], "dtype": "f32", "from": "rate"}}],
                           "outputs": [{loss}, {counts}]}},
           "evaluate": {{"batch": 2, "inputs": [{source}, {target}], "outputs": [{loss}]}},
           "translate": {{"batch": 2, "reference": "target", "inputs": [{source}],
                          "outputs": [{{"name": "words", "shape": [2, 7], "dtype": "i32"}}]}}}}"#
    );
    let function = |arguments: &str, results: &str, body: &str| {
        format!("func.func @main({arguments}) -> ({results}) {{\n{body}\n}}\n")
    };
    let constant = "%l = stablehlo.constant dense<1.0> : tensor<2xf32>";
    let files = [
        ("model.json", manifest),
        (
            "init.mlir",
            function(
                "%k: tensor<2xui32>",
                "tensor<f32>",
                "%w = stablehlo.constant dense<0.0> : tensor<f32>\nreturn %w : tensor<f32>",
            ),
        ),
        (
            "train_step.mlir",
            function(
                "%w: tensor<f32>, %s: tensor<2x7xi32>, %r: tensor<f32>",
                "tensor<f32>, tensor<2xf32>, tensor<1xi32>, tensor<1xi32>",
                &format!(
                    "{constant}\n%n = stablehlo.constant dense<0> : tensor<1xi32>\n\
                     return %w, %l, %n, %n : tensor<f32>, tensor<2xf32>, tensor<1xi32>, tensor<1xi32>"
                ),
            ),
        ),
        (
            "evaluate.mlir",
            function(
                "%w: tensor<f32>, %s: tensor<2x7xi32>, %t: tensor<2x7xi32>",
                "tensor<2xf32>",
                &format!("{constant}\nreturn %l : tensor<2xf32>"),
            ),
        ),
        (
            "translate.mlir",
            function(
                "%w: tensor<f32>, %s: tensor<2x7xi32>",
                "tensor<2x7xi32>",
                "return %s : tensor<2x7xi32>",
            ),
        ),
    ];
    files.iter().for_each(|(file, text)| fs::write(folder.join(file), text).unwrap());
}

#[test]
fn translations_get_their_bleu() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    echo(folder);
    let data = |test_source: &str, test_target: &str| {
        let train = "a b c d e f\n".repeat(2);
        for (file, text) in [
            ("train.de", &train[..]),
            ("train.en", &train),
            ("test.de", test_source),
            ("test.en", test_target),
        ] {
            fs::write(folder.join(file), text).unwrap();
        }
        format!("parallel:{}", folder.display())
    };
    let called = folder.display().to_string();
    let bleu = |data: &str| {
        let names = ["f32".to_owned(), "bf16:bf16".to_owned()];
        let model = Model::load(&called).unwrap();
        let settings = Settings { length: Length::Epochs(1), ..Settings::default() };
        let experiment = Experiment::new(model, Some(data), &names, 1, settings).unwrap();
        let results = trained(&experiment, 1);
        assert!(results.iter().all(|cell| cell.bleu == results[0].bleu));
        assert!(results.iter().all(|cell| cell.in_f32.unwrap().bleu == cell.bleu));
        assert_eq!(results[0].epochs[0].bleu, results[0].bleu);
        results[0].bleu.unwrap()
    };
    // Three sentences in two batches; the copy in the last batch does not count.
    let same = "a b c d\nb c d e f\nf e d c b a\n";
    assert!((bleu(&data(same, same)) - 100.0).abs() < 1e-9);
    // n-grams of length 1 to 4: 9 of 10, 6 of 8, 3 of 6, 2 of 4 match.
    let score = bleu(&data("a b c d e\nb c d e f\n", "a b c d e\nb c a e f\n"));
    let expected = 100.0 * (9.0 / 10.0 * 6.0 / 8.0 * 3.0 / 6.0 * 2.0 / 4.0_f64).powf(0.25);
    assert!((score - expected).abs() < 1e-9, "{score} {expected}");
    // A model that claims to translate and does not, and data without matching references.
    let wrong = |from: &str, to: &str, expected: &str| {
        let manifest = fs::read_to_string(folder.join("model.json")).unwrap();
        fs::write(folder.join("model.json"), manifest.replace(from, to)).unwrap();
        let data = data(same, same);
        let error = Model::load(&called)
            .and_then(|model| {
                Experiment::new(model, Some(&data), &["f32".to_owned()], 1, Settings::default())
            })
            .and_then(|experiment| experiment.run(&[0], 1, &(), &|| false))
            .unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        echo(folder);
    };
    wrong(
        "\"reference\": \"target\"",
        "\"reference\": \"there\"",
        "a column 'there' of word numbers is needed",
    );
    wrong("\"words\", \"shape\": [2, 7]", "\"words\", \"shape\": [3, 7]", "output words of translate");
    wrong(
        "\"words\", \"shape\": [2, 7]",
        "\"words\", \"shape\": [2, 6]",
        "translate.mlir: result 0 of @main",
    );
    fs::remove_file(folder.join("translate.mlir")).unwrap();
    wrong("", "", "translate.mlir is missing");
}

/// Logs of single cells join to the result of one run.
#[test]
fn logs_of_single_cells_join_to_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = experiment("mlp", &["f32", "bf16:bf16"], 1, steps(2));
    let all = trained(&experiment, 1);
    let run = Line::Run(experiment.facts());
    let write = |name: &str, lines: &[Line], rest: &str| {
        let lines: Vec<String> =
            lines.iter().map(|line| serde_json::to_string(line).unwrap() + "\n").collect();
        let path = folder.path().join(name);
        fs::write(&path, lines.concat() + rest).unwrap();
        path
    };
    let early = CellResult { steps: 1, state: State::Running, ..all[1].clone() };
    let a = write("a", &[run.clone(), Line::Cell(early), Line::Cell(all[1].clone())], "");
    // A kill cut the last line short.
    let b = write("b", &[run.clone(), Line::Cell(all[0].clone())], "{\"kind\": \"st");
    // A field that may be null must still be there.
    let cell =
        serde_json::to_string(&Line::Cell(all[0].clone())).unwrap().replacen("\"loss\"", "\"losss\"", 1);
    let misspelt = write("misspelt", std::slice::from_ref(&run), &(cell + "\n"));
    let error = Document::from_logs(&[&misspelt]).unwrap_err().to_string();
    assert!(error.contains("misspelt:2: missing field `loss`"), "{error}");
    let document = Document::from_logs(&[&a, &b]).unwrap();
    assert_eq!(document, Document { run: experiment.facts(), cells: all });
    let other = binade_train::record::Run { epochs: 99, ..experiment.facts() };
    let c = write("c", &[Line::Run(other)], "");
    assert!(
        Document::from_logs(&[&a, &c])
            .unwrap_err()
            .to_string()
            .contains("c:1: this is a run of another length")
    );
    let d = write("d", &[run], "{}\n");
    assert!(Document::from_logs(&[&d]).unwrap_err().to_string().contains("d:2: "));
    let e = write("e", &[], "");
    assert!(Document::from_logs(&[&e]).unwrap_err().to_string().contains("no line of a run"));
}

/// A recipe with this name, as a file has it.
fn own_recipe(name: &str, keys: &str) -> String {
    format!("{name}{{base=none|{keys}}}")
}

/// The name of a recipe of one's own is not part of a cell's inputs; its content is.
#[test]
fn cell_inputs_have_the_content_of_a_recipe_without_its_name() {
    let keys = "forward.activation=mxfp8_e4m3|forward.weight=mxfp8_e4m3";
    let inputs = |arithmetic: &str| {
        let experiment = experiment("mlp", &[arithmetic], 1, steps(2));
        experiment.fingerprint(&experiment.cells[0])
    };
    assert_eq!(inputs(&own_recipe("mine", keys)), inputs(&own_recipe("other", keys)));
    assert_ne!(inputs(&own_recipe("mine", keys)), inputs(&own_recipe("mine", &keys.replace("e4m3", "e5m2"))));

    // Checkpoints are those of a name, and refuse another content.
    let folder = tempfile::tempdir().unwrap();
    let settings = || Settings { checkpoint: Some(folder.path().to_owned()), resume: true, ..steps(2) };
    let first = trained(&experiment("mlp", &[&own_recipe("mine", keys)], 1, settings()), 1);
    assert!(folder.path().join("mine-seed0.safetensors").exists());
    assert_eq!(trained(&experiment("mlp", &[&own_recipe("mine", keys)], 1, settings()), 1), first);
    let changed = own_recipe("mine", &keys.replace("e4m3", "e5m2"));
    let refused = experiment("mlp", &[&changed], 1, settings()).run(&[0], 1, &(), &|| false).unwrap_err();
    assert!(refused.to_string().contains("this checkpoint is of another experiment"), "{refused}");

    // Another name in the table, the same bits.
    let other = trained(&experiment("mlp", &[&own_recipe("other", keys)], 1, steps(2)), 1);
    assert_eq!(other[0].weights_sha256, first[0].weights_sha256);
    let named = trained(&experiment("mlp", &["mxfp8{forward.activation=mxfp8_e4m3}"], 1, steps(2)), 1);
    assert_ne!(named[0].weights_sha256, first[0].weights_sha256);
}

#[test]
fn recipes_that_do_not_fit_are_refused_before_the_first_step() {
    let refused = |arithmetics: &[&str]| {
        let names: Vec<String> = arithmetics.iter().map(|name| (*name).to_owned()).collect();
        Experiment::new(Model::load("mlp").unwrap(), None, &names, 1, steps(2)).unwrap_err().to_string()
    };
    for (arithmetics, wanted) in [
        (
            &["nvfp4{leave=decoder*}"][..],
            "leave: 'decoder*' matches no layer of the model: hidden, output, and 'first' and 'last' are known",
        ),
        (&["dot_general=nvfp4{leave=hiden};add=bf16"], "leave: 'hiden' matches no layer"),
        (&["nvfp4@h1000"], "forward.sums: 'h1000' is neither an accumulator's format nor a matrix unit"),
        (&["nvfp4-trainig"], "did you mean the recipe nvfp4-training?"),
        (&["mine{base=nvfp4}", "mine{base=mxfp4}"], "two recipes are called mine, and differ"),
        (&["mine{base=nvfp4}", "other{base=nvfp4}"], "duplicate arithmetic other"),
        (&["nvfp4{stored.weight=bf16}"], "there is no key 'stored.weight': did you mean stored.weights?"),
    ] {
        let found = refused(arithmetics);
        assert!(found.contains(wanted), "{arithmetics:?}: {found}");
    }
    for good in ["nvfp4{leave=hid*}", "nvfp4{leave=first,output}"] {
        experiment("mlp", &[good], 1, steps(2));
    }
    let recipe = "tesla-cfloat8";
    let all = experiment("mlp", &[recipe], 1, steps(2));
    let unused = all.cells[0].arithmetic.unused_roles(&all.model.manifest);
    assert_eq!(unused, ["second_moments"]);
    let search = binade_train::Search::new(
        Model::load("mlp").unwrap(),
        None,
        &["bf16:bf16".to_owned(), "nvfp4".to_owned()],
        1,
        steps(2),
        None,
    );
    assert!(matches!(search.unwrap_err(), TrainError::RecipeInSearch(_)));
}

/// The biases of stored tensors are recorded by step, with what they lost, and an interruption changes nothing.
#[test]
fn learnt_biases_are_recorded_by_step() {
    let recipe = own_recipe(
        "mine",
        "stored.weights=cfloat8_1_4_3/bias=learnt/history=2|stored.momentum=shp/bias=learnt/by=mse/history=3",
    );
    let whole = trained(&experiment("mlp", &[&recipe], 1, steps(20)), 2);
    let biases = &whole[0].biases;
    assert_eq!(biases.len(), 8);
    for tensor in biases {
        let moves = tensor.moves as usize;
        assert_eq!(tensor.by_step.len(), moves + usize::from(tensor.bias.is_some()), "{tensor:?}");
        assert_eq!(tensor.by_step.last().map(|span| span.bias), tensor.bias);
        assert!(
            tensor.by_step.windows(2).all(|pair| pair[0].from < pair[1].from && pair[0].bias != pair[1].bias)
        );
        let sum = |of: fn(&binade::recipe::BiasSpan) -> u64| tensor.by_step.iter().map(of).sum::<u64>();
        assert_eq!(sum(|span| span.overflowed), tensor.overflowed, "{tensor:?}");
        assert_eq!(sum(|span| span.underflowed), tensor.underflowed, "{tensor:?}");
    }
    assert!(biases.iter().any(|tensor| tensor.moves > 0));
    assert!(biases.iter().map(|tensor| tensor.underflowed).sum::<u64>() > 0);

    let folder = tempfile::tempdir().unwrap();
    let settings = || Settings { checkpoint: Some(folder.path().to_owned()), resume: true, ..steps(20) };
    let asked = AtomicUsize::new(0);
    let stop = || asked.fetch_add(1, Ordering::Relaxed) > 11;
    let part = experiment("mlp", &[&recipe], 1, settings()).run(&[0], 1, &(), &stop).unwrap();
    assert_eq!(part[0].steps, 11);
    assert_eq!(trained(&experiment("mlp", &[&recipe], 1, settings()), 1), whole);
}

/// A bias of an operand with a history never exceeds what its numbers allow, is recorded as those of stored tensors are, and is the
/// same after an interruption. Operands without a history have none.
#[test]
fn operands_with_a_history_keep_their_bias_from_step_to_step() {
    let recipe = |history: &str| {
        own_recipe(
            "mine",
            &format!(
                "forward.activation=cfloat8_1_4_3/bias=learnt{history}|forward.weight=cfloat8_1_4_3/bias=learnt|\
                 input_gradient.gradient=cfloat8_1_5_2/bias=learnt/rounding=stochastic{history}|\
                 stored.gradients=cfloat8_1_5_2/bias=learnt{history}"
            ),
        )
    };
    let mine = recipe("/history=3");
    let events = Events::default();
    let experiment = |settings| experiment("mlp", &[&mine], 1, settings);
    let whole = experiment(steps(20)).run(&[0], 1, &events, &|| false).unwrap();
    let biases = &whole[0].biases;
    let names: Vec<&str> = biases.iter().map(|bias| &*bias.tensor).collect();
    assert_eq!(
        names,
        [
            "forward.activation hidden",
            "forward.activation output",
            "stored.gradients output",
            "input_gradient.gradient output",
            "stored.gradients hidden",
        ]
    );
    for bias in biases {
        assert_eq!(bias.overflowed, 0, "{bias:?}");
        assert_eq!(bias.by_step.len() as u64, bias.moves + 1, "{bias:?}");
        assert_eq!(bias.by_step[0].from, 0);
        // It may fall in any step, and rises by one after three steps at the earliest.
        for pair in bias.by_step.windows(2) {
            let rises = pair[1].bias == pair[0].bias + 1 && pair[1].from >= pair[0].from + 3;
            assert!(pair[1].bias < pair[0].bias || rises, "{bias:?}");
        }
    }
    let changes: u64 = biases.iter().map(|bias| bias.moves + 1).sum();
    assert!(changes > biases.len() as u64, "no bias has moved: {biases:?}");
    assert_eq!(events.biases.load(Ordering::Relaxed) as u64, changes);

    let folder = tempfile::tempdir().unwrap();
    let settings = || Settings { checkpoint: Some(folder.path().to_owned()), resume: true, ..steps(20) };
    let asked = AtomicUsize::new(0);
    let stop = || asked.fetch_add(1, Ordering::Relaxed) > 7;
    let part = experiment(settings()).run(&[0], 2, &(), &stop).unwrap();
    assert_eq!(part[0].steps, 7);
    let timeless = |mut results: Vec<CellResult>| {
        results[0].seconds = 0.0;
        results
    };
    assert_eq!(timeless(trained(&experiment(settings()), 1)), timeless(whole.clone()));

    let current = trained(&self::experiment("mlp", &[&recipe("")], 1, steps(20)), 1);
    assert!(current[0].biases.is_empty());
    assert_ne!(current[0].weights_sha256, whole[0].weights_sha256);
}

/// Counts events of an observer.
#[derive(Default)]
struct Events {
    biases: AtomicUsize,
    not_finite: std::sync::Mutex<Vec<(u64, String, String)>>,
}

impl binade_train::Observer for Events {
    fn bias(&self, _: &binade_train::Cell, _: &binade_train::record::BiasStep) {
        self.biases.fetch_add(1, Ordering::Relaxed);
    }

    fn not_finite(&self, _: &binade_train::Cell, found: &binade_train::record::NotFiniteStep) {
        let found = (found.step, found.part.clone(), found.operand.clone());
        self.not_finite.lock().unwrap().push(found);
    }
}

/// A sum that overflows makes an infinity, which the next layer's activation has as NaN.
#[test]
fn not_finite_operands_are_counted_by_layer() {
    // FP16 sums of products with large weights overflow after some steps at this rate.
    let folder = tempfile::tempdir().unwrap();
    let model = changed(folder.path(), "model.json", "\"initial\": 0.05", "\"initial\": 1e30");
    let recipe = own_recipe(
        "mine",
        "forward.activation=nvfp4|forward.weight=nvfp4|input_gradient.gradient=nvfp4|input_gradient.weight=nvfp4",
    );
    let experiment = experiment(&model, &[&recipe], 1, steps(20));
    let events = Events::default();
    let result = experiment.run(&[0], 1, &events, &|| false).unwrap().pop().unwrap();
    assert_eq!(result.state, State::Diverged, "{result:?}");
    let found = &result.not_finite;
    let first = found.iter().map(|found| found.step).min().unwrap();
    assert!(first <= result.diverged_at.unwrap(), "{found:?}");
    assert!(
        found.iter().all(|found| found.part.contains("hidden") || found.part.contains("output")),
        "{found:?}"
    );
    assert!(
        found.iter().all(|found| ["activation", "weight", "gradient"].contains(&&*found.operand)),
        "{found:?}"
    );
    let seen = events.not_finite.lock().unwrap();
    assert!(found.iter().all(|found| seen.contains(&(
        found.step,
        found.part.clone(),
        found.operand.clone()
    ))));
    let document = Document { run: experiment.facts(), cells: vec![result.clone()] }.with_short_names();
    let sentences = binade_train::findings(&document);
    assert!(
        sentences.iter().any(|text| text.contains("Not finite in quantised operands of mine")
            && text.contains(&format!("from step {first}: "))),
        "{sentences:?}"
    );
    // A cell without such numbers has none.
    let healthy = trained(&self::experiment("mlp", &["nvfp4"], 1, steps(3)), 1);
    assert!(healthy[0].not_finite.is_empty());
}

#[test]
fn blame_of_a_recipe_is_by_role_and_layer() {
    let recipe = own_recipe(
        "mine",
        "forward.activation=nvfp4|forward.weight=float4_e2m1fn|input_gradient.gradient=nvfp4|weight_gradient.gradient=mxfp4|stored.weights=bf16|stored.second_moments=bf16",
    );
    let blame = Blame::new(Model::load("mlp").unwrap(), None, &recipe, 1, steps(4)).unwrap();
    let results = trained(&blame.experiment, 2);
    let gaps = blame.gaps(&results);
    let titles: Vec<String> = gaps.parts.iter().map(binade_train::Gap::title).collect();
    assert_eq!(
        titles,
        [
            "forward.activation hidden",
            "forward.activation output",
            "forward.weight hidden",
            "forward.weight output",
            // The input has no gradient.
            "input_gradient.gradient output",
            "weight_gradient.gradient hidden",
            "weight_gradient.gradient output",
            "stored.weights",
        ]
    );
    // A role alone is a recipe with that role in that layer only: the weight in the last layer.
    let rule = "dot_general@part:forward:output/*=alone{base=none|forward.weight=float4_e2m1fn}";
    let alone = trained(&experiment("mlp", &["f32", rule], 1, steps(4)), 2);
    let gap = alone[1].loss.unwrap() - alone[0].loss.unwrap();
    assert_eq!(gaps.parts[3].gap, Some(gap));
    assert!(gaps.parts.iter().all(|part| part.gap.is_some() && part.operations > 0));
    // A rotation cancels only with the other operand's, which is rotated and not rounded.
    let rotated = own_recipe(
        "mine",
        "weight_gradient.activation=nvfp4/hadamard=16/signs=random|weight_gradient.gradient=mxfp4/hadamard=16/signs=random",
    );
    let blame = Blame::new(Model::load("mlp").unwrap(), None, &rotated, 1, steps(4)).unwrap();
    let gaps = blame.gaps(&trained(&blame.experiment, 2));
    let first = "weight_gradient.activation=nvfp4/hadamard=16/signs=random";
    let rule = format!(
        "dot_general@part:backward:hidden/*=alone{{base=none|{first}|weight_gradient.gradient=none/hadamard=16/signs=random}}"
    );
    let alone = trained(&experiment("mlp", &["f32", &rule], 1, steps(4)), 2);
    assert_eq!(gaps.parts[0].title(), "weight_gradient.activation hidden");
    assert_eq!(gaps.parts[0].gap, Some(alone[1].loss.unwrap() - alone[0].loss.unwrap()));
    assert!(gaps.parts.iter().all(|part| part.gap.unwrap().abs() < 0.1), "{gaps:?}");
    // Numbers of a matrix unit: both operands of a pass together.
    let unit = "nvfp4{leave=hidden}@b200";
    let blame = Blame::new(Model::load("mlp").unwrap(), None, unit, 1, steps(1)).unwrap();
    let results = trained(&blame.experiment, 2);
    let titles: Vec<String> = blame.gaps(&results).parts.iter().map(binade_train::Gap::title).collect();
    assert_eq!(titles, ["forward output", "input_gradient output", "weight_gradient output"]);
}
