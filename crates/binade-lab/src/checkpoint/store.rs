//! Opens a checkpoint: a file, or a folder of files with an index.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use binade::Spec;
use binade_files::Tensor;
use serde_json::{Map, Value};

use super::error::CheckpointError;
use crate::Error;
use crate::scaled::NumberFile;

/// The index: it names the file of each tensor.
pub(crate) const INDEX: &str = "model.safetensors.index.json";
/// The model's configuration.
pub(crate) const CONFIG: &str = "config.json";
/// ModelOpt's own configuration of the quantisation.
pub(crate) const HF_QUANT_CONFIG: &str = "hf_quant_config.json";

/// Largest JSON file. An index has a line for each tensor.
const LONGEST_JSON: u64 = 256 << 20;

/// A checkpoint.
pub(crate) struct Checkpoint<'a> {
    pub(crate) path: PathBuf,
    /// True for a folder.
    pub(crate) folder: bool,
    /// The files, in the order of their names.
    pub(crate) shards: Vec<Shard<'a>>,
    /// The file of each tensor.
    names: HashMap<String, usize>,
    /// The configuration, if there is one.
    pub(crate) config: Option<Map<String, Value>>,
    pub(crate) has_index: bool,
}

/// A file of a checkpoint.
pub(crate) struct Shard<'a> {
    /// Its name in the folder.
    pub(crate) name: String,
    pub(crate) side: NumberFile<'a>,
}

impl Shard<'_> {
    /// All of its tensors, scales included.
    pub(crate) fn tensors(&self) -> &[Tensor] {
        self.side.noted.input.tensors()
    }
}

impl<'a> Checkpoint<'a> {
    /// Opens a file or a folder. `format` is that of codes without a note.
    pub(crate) fn open(path: &Path, format: Option<&'a Spec>) -> Result<Checkpoint<'a>, Error> {
        if !path.is_dir() {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let shards = vec![Shard { name, side: NumberFile::open(path, format)? }];
            // The folder of the file may have a configuration.
            let config = path.parent().map(|folder| folder.join(CONFIG));
            let config = config.and_then(|path| json(&path).ok().flatten());
            return Checkpoint::new(path, false, shards, config, None);
        }
        let index = json(&path.join(INDEX))?;
        let map = index.as_ref().map(|index| weight_map(&path.join(INDEX), index)).transpose()?;
        let names: Vec<String> = match &map {
            Some(map) => map.values().cloned().collect::<BTreeSet<String>>().into_iter().collect(),
            None => safetensors_in(path)?,
        };
        if names.is_empty() {
            return Err(CheckpointError::NoShards { path: path.to_owned() }.into());
        }
        let mut shards = vec![];
        for name in names {
            let shard = path.join(&name);
            if !shard.exists() {
                return Err(CheckpointError::ShardMissing { path: path.join(INDEX), shard: name }.into());
            }
            shards.push(Shard { side: NumberFile::open(&shard, format)?, name });
        }
        Checkpoint::new(path, true, shards, json(&path.join(CONFIG))?, map)
    }

    fn new(
        path: &Path,
        folder: bool,
        shards: Vec<Shard<'a>>,
        config: Option<Map<String, Value>>,
        map: Option<HashMap<String, String>>,
    ) -> Result<Checkpoint<'a>, Error> {
        let mut names: HashMap<String, usize> = HashMap::new();
        for (number, shard) in shards.iter().enumerate() {
            for tensor in shard.tensors() {
                if let Some(first) = names.insert(tensor.name().to_owned(), number) {
                    return Err(CheckpointError::Twice {
                        path: path.to_owned(),
                        tensor: tensor.name().to_owned(),
                        first: shards[first].name.clone(),
                        second: shard.name.clone(),
                    }
                    .into());
                }
            }
        }
        for (tensor, shard) in map.iter().flatten() {
            let found = names.get(tensor).map(|&found| &shards[found].name);
            if found != Some(shard) {
                return Err(CheckpointError::Index {
                    path: path.join(INDEX),
                    tensor: tensor.clone(),
                    shard: shard.clone(),
                    found: found.map_or("in none of the files".to_owned(), |found| format!("in {found}")),
                }
                .into());
            }
        }
        if let Some(map) = &map
            && let Some((tensor, &shard)) = names.iter().find(|(tensor, _)| !map.contains_key(*tensor))
        {
            return Err(CheckpointError::Index {
                path: path.join(INDEX),
                tensor: tensor.clone(),
                shard: "no file".to_owned(),
                found: format!("in {}", shards[shard].name),
            }
            .into());
        }
        Ok(Checkpoint { path: path.to_owned(), folder, shards, names, config, has_index: map.is_some() })
    }

    /// The tensor with this name, from any file.
    pub(crate) fn get(&self, name: &str) -> Option<&Tensor> {
        let shard = &self.shards[*self.names.get(name)?];
        shard.side.noted.input.get(name)
    }

    /// Names of all tensors.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(|name| &**name)
    }

    /// The quantisation that config.json declares.
    pub(crate) fn quantization(&self) -> Option<&Map<String, Value>> {
        self.config.as_ref()?.get("quantization_config")?.as_object()
    }

    /// The files beside the weights, also in subfolders. `output` is their destination, which may be a subfolder.
    pub(crate) fn companions(&self, output: &Path) -> Result<Companions, Error> {
        let mut found = Companions::default();
        let modules = self.modules();
        let output = output.canonicalize().ok();
        let mut folders = vec![(PathBuf::new(), 0)];
        while let Some((folder, depth)) = folders.pop() {
            let path = self.path.join(&folder);
            for name in files_in(&path)? {
                let is_weights = Path::new(&name)
                    .extension()
                    .and_then(|ending| ending.to_str())
                    .is_some_and(|ending| WEIGHTS.contains(&ending));
                let whole = modules.iter().any(|module| folder.starts_with(module));
                let file = folder.join(&name);
                let written = [INDEX, CONFIG, HF_QUANT_CONFIG].contains(&&*name);
                if name.starts_with('.') || depth == 0 && written {
                    continue;
                }
                if !is_weights || whole {
                    found.copied.push(file);
                } else if depth > 0 || !self.shards.iter().any(|shard| shard.name == name) {
                    found.omitted.push(file);
                }
            }
            for name in subfolders_in(&path)? {
                let is_output = output.is_some() && path.join(&name).canonicalize().ok() == output;
                match depth < DEEPEST {
                    true if name.starts_with('.') || is_output => {}
                    true => folders.push((folder.join(name), depth + 1)),
                    false => found.omitted.push(folder.join(name)),
                }
            }
        }
        found.copied.sort();
        found.omitted.sort();
        Ok(found)
    }

    /// A note on the files that are not copied, if there are any.
    pub(crate) fn omitted_note(&self, output: &Path) -> Option<String> {
        let omitted = self.companions(output).ok()?.omitted;
        let name = |path: &PathBuf| format!("'{}'", path.display());
        match &omitted[..] {
            [] => None,
            [one] => Some(format!("not copied, because it has weights: {}", name(one))),
            [first, second] => {
                Some(format!("not copied, because they have weights: {} and {}", name(first), name(second)))
            }
            [first, second, rest @ ..] => Some(format!(
                "not copied, since they hold weights: {}, {} and {} more",
                name(first),
                name(second),
                rest.len()
            )),
        }
    }

    /// Subfolders that sentence-transformers loads, by modules.json. Their weights are part of the model.
    fn modules(&self) -> Vec<PathBuf> {
        let text = fs::read(self.path.join("modules.json")).unwrap_or_default();
        let list: Vec<Value> = serde_json::from_slice(&text).unwrap_or_default();
        let paths = list.iter().filter_map(|module| module.get("path")?.as_str());
        paths.filter(|path| !path.is_empty()).map(PathBuf::from).collect()
    }
}

/// Extensions of files with weights.
const WEIGHTS: [&str; 8] = ["safetensors", "bin", "pt", "pth", "gguf", "h5", "msgpack", "onnx"];

/// Levels of subfolders that are copied. Deeper ones are reported as omitted.
const DEEPEST: usize = 8;

/// Files beside the weights of a folder, as relative paths.
#[derive(Default)]
pub(crate) struct Companions {
    /// Files of the model's description.
    pub(crate) copied: Vec<PathBuf>,
    /// Files of other weights.
    pub(crate) omitted: Vec<PathBuf>,
}

/// Names of the subfolders of a folder.
fn subfolders_in(path: &Path) -> Result<Vec<String>, Error> {
    let failed = |source| CheckpointError::Io { path: path.to_owned(), action: "read", source };
    let mut names = vec![];
    for entry in fs::read_dir(path).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if let (true, Ok(name)) = (entry.path().is_dir(), entry.file_name().into_string()) {
            names.push(name);
        }
    }
    Ok(names)
}

/// Names of the files in a folder, sorted. Links to files count as files.
fn files_in(path: &Path) -> Result<Vec<String>, Error> {
    let failed = |source| CheckpointError::Io { path: path.to_owned(), action: "read", source };
    let mut names = vec![];
    for entry in fs::read_dir(path).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if let (true, Ok(name)) = (entry.path().is_file(), entry.file_name().into_string()) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// The files of a folder without an index: `model.safetensors` if it exists, otherwise all.
fn safetensors_in(path: &Path) -> Result<Vec<String>, Error> {
    let mut names = files_in(path)?;
    names.retain(|name| name.ends_with(".safetensors") && !name.starts_with('.'));
    if names.iter().any(|name| name == "model.safetensors") {
        return Ok(vec!["model.safetensors".to_owned()]);
    }
    match uncounted(&names) {
        None => Ok(names),
        Some(shard) => Err(CheckpointError::ShardUncounted { path: path.to_owned(), shard }.into()),
    }
}

/// The first missing file, if names have the form `NAME-00001-of-00003.safetensors`.
fn uncounted(names: &[String]) -> Option<String> {
    // The text before the number, the number, its number of digits, and the total as text.
    let parts = |name: &'_ str| -> Option<(String, u64, usize, String)> {
        let (before, total) = name.strip_suffix(".safetensors")?.rsplit_once("-of-")?;
        let (stem, number) = before.rsplit_once('-')?;
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let known = digits(number) && digits(total);
        known.then_some((stem.to_owned(), number.parse().ok()?, number.len(), total.to_owned()))
    };
    let mut sets: BTreeMap<(String, usize, String), BTreeSet<u64>> = BTreeMap::new();
    for (stem, number, digits, total) in names.iter().filter_map(|name| parts(name)) {
        sets.entry((stem, digits, total)).or_default().insert(number);
    }
    sets.into_iter().find_map(|((stem, digits, total), numbers)| {
        // Some writers count from zero.
        let first = u64::from(!numbers.contains(&0));
        let count: u64 = total.parse().ok()?;
        let missing = (first..first.saturating_add(count)).find(|number| !numbers.contains(number))?;
        Some(format!("{stem}-{missing:0digits$}-of-{total}.safetensors"))
    })
}

/// Reads a JSON object. `None` if there is no such file.
pub(crate) fn json(path: &Path) -> Result<Option<Map<String, Value>>, Error> {
    let failed = |source| CheckpointError::Io { path: path.to_owned(), action: "read", source };
    let wrong = |reason: String| CheckpointError::Json { path: path.to_owned(), reason };
    match fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error).into()),
        Ok(found) if found.len() > LONGEST_JSON => {
            return Err(wrong(format!("it has {} bytes", found.len())).into());
        }
        Ok(_) => {}
    }
    let text = fs::read(path).map_err(failed)?;
    match serde_json::from_slice(&text).map_err(|error| wrong(error.to_string()))? {
        Value::Object(map) => Ok(Some(map)),
        _ => Err(wrong("it is not an object".to_owned()).into()),
    }
}

/// The map from tensors to files in an index.
fn weight_map(path: &Path, index: &Map<String, Value>) -> Result<HashMap<String, String>, Error> {
    let wrong = |reason: &str| CheckpointError::Json { path: path.to_owned(), reason: reason.to_owned() };
    let map = index.get("weight_map").and_then(Value::as_object);
    let map = map.ok_or_else(|| wrong("it has no object \"weight_map\""))?;
    let mut files = HashMap::new();
    for (tensor, file) in map {
        let file = file.as_str().ok_or_else(|| wrong("\"weight_map\" has a value that is not a string"))?;
        let plain = Path::new(file).file_name().is_some_and(|name| name == file);
        if !plain || !file.ends_with(".safetensors") || file.starts_with('.') {
            let name = file.to_owned();
            return Err(CheckpointError::ShardName { path: path.to_owned(), name }.into());
        }
        files.insert(tensor.clone(), file.to_owned());
    }
    Ok(files)
}
