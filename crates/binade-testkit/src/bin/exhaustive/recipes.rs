//! Products under every named recipe, on binary32 sums and on matrix units.

use binade::recipe::{NAMES, Pass, Recipe};
use binade_testkit::against::recipes::{Numbers, of_recipe};

use crate::Task;

/// Products of a pass, for each kind of numbers.
const OF_A_PASS: usize = 20;

/// Sums on units that have the formats of a recipe.
const ON_UNITS: [&str; 10] = [
    "nvfp4@b200",
    "nvfp4-training@b200",
    "mxfp4@b200",
    "mxfp6@b200",
    "mxfp8@b200",
    "mxfp8@h100",
    "fp8-deepseek@h100/promote=128",
    "fp8-tensorwise@h100",
    "fp8-rowwise@h100",
    "mp@a100",
];

/// The tasks of the section.
pub(crate) fn tasks() -> Vec<Task> {
    let texts = NAMES.into_iter().chain(ON_UNITS);
    let passes = texts.flat_map(|text| Pass::ALL.map(|pass| (text, pass)));
    let computed =
        passes.filter(|(text, pass)| !Recipe::parse(text).is_ok_and(|recipe| recipe.leaves(*pass)));
    let task = |(seed, (text, pass)): (u64, (&'static str, Pass))| {
        Task::new(format!("recipes {text}, {}", pass.name()), move |tally| {
            for numbers in Numbers::ALL {
                of_recipe(text, pass, &[numbers], OF_A_PASS, seed, tally);
            }
            Ok(())
        })
    };
    (1..).zip(computed).map(task).collect()
}
