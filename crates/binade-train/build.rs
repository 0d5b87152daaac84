//! Packs the programs of the built-in models, which are several MB of text, into a table for `zoo.rs`.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, error, fs};

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// The built-in models, in the order in which they are listed.
const NAMES: [&str; 10] = [
    "mlp",
    "cnn",
    "resnet8",
    "resnet20",
    "mobilenet_small",
    "lstm",
    "transformer",
    "translation",
    "ngcf",
    "ngcf_small",
];

/// Files of a model, as in `model::FILES`. Only some models translate.
const FILES: [&str; 5] = ["model.json", "init.mlir", "train_step.mlir", "evaluate.mlir", "translate.mlir"];

fn main() -> Result<(), Box<dyn error::Error>> {
    let models = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../models").canonicalize()?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    println!("cargo:rerun-if-changed=build.rs");
    let mut table = String::from("&[");
    for name in NAMES {
        let folder = models.join(name);
        // The folder, because a missing file would count as changed each time.
        println!("cargo:rerun-if-changed={}", folder.display());
        let mut texts = vec![];
        for file in FILES {
            let path = folder.join(file);
            let optional = file == FILES[4] && !path.exists();
            texts.push(if optional { String::new() } else { fs::read_to_string(path)? });
        }
        let packed = out.join(format!("{name}.zz"));
        let mut encoder = ZlibEncoder::new(fs::File::create(&packed)?, Compression::best());
        encoder.write_all(texts.join("\0").as_bytes())?;
        encoder.finish()?;
        let script = folder.join("model.py");
        write!(
            table,
            "Entry {{ name: {name:?}, packed: include_bytes!({packed:?}), script: include_str!({script:?}) }},"
        )?;
    }
    table.push(']');
    fs::write(out.join("models.rs"), table)?;
    Ok(())
}
