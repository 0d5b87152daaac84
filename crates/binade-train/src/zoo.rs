//! The table of built-in models.

use std::io::Read;

use binade::text::edit_distance as distance;
use flate2::read::ZlibDecoder;

use crate::TrainError;
use crate::model::FILES;

/// A built-in model.
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// Manifest and programs, as packed by the build script.
    packed: &'static [u8],
    /// The JAX script that they were exported from.
    pub(crate) script: &'static str,
}

impl Entry {
    /// Manifest and programs, in the order of [`FILES`]; empty for a missing file.
    ///
    /// # Panics
    /// If they are damaged. They are compiled in, and a test unpacks each.
    pub(crate) fn files(&self) -> [String; FILES.len()] {
        let mut texts = String::new();
        ZlibDecoder::new(self.packed)
            .read_to_string(&mut texts)
            .expect("what was compiled in is a zlib stream");
        let texts: Vec<String> = texts.split('\0').map(str::to_owned).collect();
        texts.try_into().expect("as many as there are files")
    }
}

/// All built-in models.
pub const MODELS: &[Entry] = include!(concat!(env!("OUT_DIR"), "/models.rs"));

/// Models at the BF16 paper's full size. `models/export.py` writes their programs on demand.
pub const ON_DEMAND: &[&str] =
    &["resnet18", "resnet34", "resnet50", "resnet101", "mobilenet", "lstm650", "transformer_base"];

/// The export script, copied into the folder of a new model.
pub(crate) const EXPORT: &str = include_str!("../../../models/export.py");

pub(crate) fn find(name: &str) -> Option<&'static Entry> {
    MODELS.iter().find(|entry| entry.name == name)
}

pub(crate) fn unknown(name: &str) -> TrainError {
    if let Some(name) = ON_DEMAND.iter().find(|known| **known == name) {
        return TrainError::OnDemand { name };
    }
    let all: Vec<&'static str> = MODELS.iter().map(|entry| entry.name).collect();
    let mut ranked: Vec<(usize, &'static str)> =
        all.iter().map(|known| (distance(&name.to_lowercase(), known), *known)).collect();
    ranked.sort();
    let close = ranked.into_iter().filter(|(distance, known)| *distance <= known.len().div_ceil(2));
    TrainError::UnknownModel {
        name: name.to_owned(),
        nearest: close.take(2).map(|(_, known)| known).collect(),
        all,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;

    #[test]
    fn every_built_in_model_loads() {
        for entry in MODELS {
            let model = Model::load(entry.name).unwrap();
            assert_eq!(model.manifest.name, entry.name);
            assert!(!model.manifest.scopes.is_empty() && model.sha256.len() == 64);
        }
    }

    #[test]
    fn model_on_demand_names_its_export_command() {
        for name in ON_DEMAND {
            assert!(find(name).is_none());
            let text = Model::load(name).unwrap_err().to_string();
            assert!(text.contains(&format!("python models/export.py models/{name}")), "{text}");
        }
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("model.py"), "").unwrap();
        let text = Model::load(folder.path().to_str().unwrap()).unwrap_err().to_string();
        assert!(text.contains("not exported yet"), "{text}");
    }

    #[test]
    fn unknown_model_suggests_similar_names() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        let text = Model::load("mpl").unwrap_err().to_string();
        assert!(text.starts_with("unknown model 'mpl': did you mean mlp"), "{text}");
    }
}
