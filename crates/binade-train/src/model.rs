//! Loads and checks a model, built-in or from a folder: its manifest and programs.

use std::fs;
use std::path::Path;

use binade_hlo::{Program, Type};
use sha2::{Digest, Sha256};

use crate::manifest::{Dtype, Evaluation, Input, Manifest, Output, Role, Step, Translation, type_text};
use crate::{TrainError, zoo};

/// Files of a model, the manifest first. Only models that translate have the last one.
pub(crate) const FILES: [&str; 5] =
    ["model.json", "init.mlir", "train_step.mlir", "evaluate.mlir", "translate.mlir"];

/// A model that was loaded and checked.
#[derive(Debug)]
pub struct Model {
    /// Its name or folder, as given.
    pub called: String,
    /// Its manifest.
    pub manifest: Manifest,
    /// SHA-256 of its files.
    pub sha256: String,
    pub(crate) init: Program,
    pub(crate) train_step: Program,
    pub(crate) evaluate: Program,
    pub(crate) translate: Option<Program>,
}

impl Model {
    /// The program of a training step.
    pub fn training_program(&self) -> &Program {
        &self.train_step
    }

    /// Loads a built-in model by name, or a model from a folder.
    ///
    /// # Errors
    /// The name is unknown, a file cannot be read, or a program is invalid or contradicts the manifest.
    pub fn load(called: &str) -> Result<Model, TrainError> {
        if let Some(entry) = zoo::find(called) {
            let texts = entry.files();
            let text = |at: usize| Ok(texts[at].clone());
            return Model::new(called, &|file| format!("{}/{file}", entry.name), &text);
        }
        let folder = Path::new(called);
        // Text that cannot be a name is taken for a path.
        let pathlike = called.contains(['/', '\\', '.']);
        if !folder.is_dir() && !pathlike {
            return Err(zoo::unknown(called));
        }
        if folder.join("model.py").is_file() && !FILES.iter().any(|file| folder.join(file).exists()) {
            return Err(TrainError::NotExported { folder: folder.to_owned() });
        }
        let text = |at: usize| {
            let path = folder.join(FILES[at]);
            fs::read_to_string(&path).map_err(|source| match source.kind() {
                std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => {
                    TrainError::NotModel { folder: folder.to_owned(), missing: FILES[at] }
                }
                _ => TrainError::Read { path, source },
            })
        };
        Model::new(called, &|file| folder.join(file).display().to_string(), &text)
    }

    fn new(
        called: &str,
        place: &dyn Fn(&str) -> String,
        text: &dyn Fn(usize) -> Result<String, TrainError>,
    ) -> Result<Model, TrainError> {
        let at_manifest = || place(FILES[0]);
        let manifest_text = text(0)?;
        let manifest: Manifest = serde_json::from_str(&manifest_text)
            .map_err(|source| TrainError::ManifestText { place: at_manifest(), source })?;
        if let Some(reason) = manifest.first_contradiction() {
            return Err(TrainError::Manifest { place: at_manifest(), reason });
        }
        let mut hash = Sha256::new();
        let mut add = |at: usize, text: &str| {
            hash.update(format!("{} {}\n", FILES[at], text.len()));
            hash.update(text);
        };
        add(0, &manifest_text);
        let mut program = |at: usize| {
            let text = text(at)?;
            add(at, &text);
            Program::parse(&text)
                .map_err(|source| TrainError::Program { place: place(FILES[at]), source: Box::new(source) })
        };
        let model = Model {
            called: called.to_owned(),
            init: program(1)?,
            train_step: program(2)?,
            evaluate: program(3)?,
            translate: manifest.translate.as_ref().map(|_| program(4)).transpose()?,
            sha256: hex(&hash.finalize()),
            manifest,
        };
        model.check(place)?;
        Ok(model)
    }

    /// Checks that the programs take and return the tensors of the manifest.
    fn check(&self, place: &dyn Fn(&str) -> String) -> Result<(), TrainError> {
        let Manifest { state, train_step: step, evaluate, .. } = &self.manifest;
        let Step { inputs, outputs } = step;
        let Evaluation { inputs: evaluation_inputs, outputs: evaluation_outputs, .. } = evaluate;
        let tensors = |roles: &[Role]| -> Vec<Named> {
            let chosen = state.iter().filter(|tensor| roles.contains(&tensor.role));
            chosen.map(|tensor| (tensor.name.clone(), type_text(&tensor.shape, tensor.dtype))).collect()
        };
        let all = tensors(&[Role::Parameter, Role::Statistic, Role::Optimizer, Role::Carried]);
        let evaluated = tensors(&[Role::Parameter, Role::Statistic, Role::Carried]);
        let key = vec![("key".to_owned(), type_text(&[2], Dtype::U32))];
        signature(&self.init, &place(FILES[1]), &key, &all)?;
        let (place_2, place_3) = (place(FILES[2]), place(FILES[3]));
        signature(
            &self.train_step,
            &place_2,
            &[&all[..], &of_inputs(inputs)].concat(),
            &[&all[..], &of_outputs(outputs)].concat(),
        )?;
        signature(
            &self.evaluate,
            &place_3,
            &[&evaluated[..], &of_inputs(evaluation_inputs)].concat(),
            &[&tensors(&[Role::Carried])[..], &of_outputs(evaluation_outputs)].concat(),
        )?;
        let Some((program, Translation { inputs, outputs, .. })) =
            self.translate.as_ref().zip(self.manifest.translate.as_ref())
        else {
            return Ok(());
        };
        let arguments = [&evaluated[..], &of_inputs(inputs)].concat();
        signature(program, &place(FILES[4]), &arguments, &of_outputs(outputs))
    }
}

fn of_inputs(inputs: &[Input]) -> Vec<Named> {
    inputs.iter().map(|input| (input.name.clone(), type_text(&input.shape, input.dtype))).collect()
}

fn of_outputs(outputs: &[Output]) -> Vec<Named> {
    let named = |output: &Output| (output.name.name().to_owned(), type_text(&output.shape, output.dtype));
    outputs.iter().map(named).collect()
}

/// Name of a tensor in the manifest, and its type as a program spells it.
type Named = (String, String);

/// Compares the arguments and results of `@main` with those of the manifest.
fn signature(
    program: &Program,
    place: &str,
    arguments: &[Named],
    results: &[Named],
) -> Result<(), TrainError> {
    let Some(&main) = program.names.get("main") else {
        let found = program.functions.iter().map(|function| format!("@{}", function.name)).collect();
        return Err(TrainError::NoMain { place: place.to_owned(), found });
    };
    let function = &program.functions[main];
    let parameters = function.body.parameters.iter().map(|id| &function.values[id.0 as usize]).collect();
    let sides: [(&'static str, Vec<&Type>, &[Named]); 2] =
        [("argument", parameters, arguments), ("result", function.results.iter().collect(), results)];
    for (what, found, expected) in sides {
        for (at, ((name, expected), found)) in expected.iter().zip(&found).enumerate() {
            let found = found.to_string();
            if *expected != found {
                let (name, expected) = (name.clone(), expected.clone());
                return Err(TrainError::Signature {
                    place: place.to_owned(),
                    what,
                    at,
                    name,
                    expected,
                    found,
                });
            }
        }
        if found.len() != expected.len() {
            let listed: Vec<&str> = expected.iter().map(|(name, _)| &name[..]).collect();
            return Err(TrainError::Count {
                place: place.to_owned(),
                what,
                expected: expected.len(),
                found: found.len(),
                listed: listed.join(", "),
            });
        }
    }
    Ok(())
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
