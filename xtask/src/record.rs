//! Runs the exhaustive comparisons, and records their last result and time in benches/record, on a page for each subject.

use std::fs;
use std::path::{PathBuf, absolute};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use crate::machine::machine;
use crate::run::{command, output, root};

/// The section of `exhaustive` with the kernels' conversions; `convert:FORMAT` has those of one format.
const CONVERT: &str = "convert";

/// The sections of P3109 4.0 together, which have a separate page.
const P3109_4: &str = "p3109-4";
const OF_P3109_4: [&str; 9] =
    ["functions", "mandatory", "fused", "scaled", "conversions", "optional", "angles", "tables", "blocks"];

/// The sections that compare with what others published, which have a separate page if they are run alone.
const OF_OTHERS: [&str; 2] = ["value-tables", "testfloat"];

/// The section of products under recipes, which has a separate page if it is run alone.
const RECIPES: &str = "recipes";

/// Compares all results with the oracle, and the kernels' conversions with the definition, and records the result. With
/// `sections`, only these. An input is an option of the comparisons, the name of its value, and the path.
pub(crate) fn exhaustive(
    sections: &[String],
    inputs: &[(&str, &str, Option<PathBuf>)],
) -> Result<(), String> {
    let of_kernels = |section: &str| section == CONVERT || section.starts_with("convert:");
    let (kernels, mut oracle): (Vec<&str>, Vec<&str>) =
        sections.iter().map(String::as_str).partition(|section| of_kernels(section));
    let mut path = "benches/record/exhaustive.md";
    if oracle.contains(&P3109_4) {
        if sections.len() > 1 {
            return Err(format!("{P3109_4} with other sections: name it alone, it has a separate page"));
        }
        (oracle, path) = (OF_P3109_4.to_vec(), "benches/record/exhaustive-p3109-4.md");
    }
    if !sections.is_empty() && sections.iter().all(|section| OF_OTHERS.contains(&section.as_str())) {
        path = "benches/record/exhaustive-published.md";
    }
    if sections == [RECIPES] {
        path = "benches/record/exhaustive-recipes.md";
    }
    let mut shown = [&["cargo xtask exhaustive".to_owned()], sections].concat().join(" ");
    let mut options = vec![];
    for (option, value_name, input) in inputs {
        let Some(input) = input else { continue };
        let input = absolute(input).map_err(|error| format!("{option}: {error}"))?;
        options.extend([(*option).to_owned(), input.to_string_lossy().into_owned()]);
        shown += &format!(" {option} {value_name}");
    }
    let start = Instant::now();
    let mut text = String::new();
    let mut run = |line: &str, arguments: &[&str]| {
        let part = output(command(line).args(arguments))?;
        print!("{part}");
        text += &part;
        Ok::<(), String>(())
    };
    if sections.is_empty() || !oracle.is_empty() {
        oracle.extend(options.iter().map(String::as_str));
        run("cargo run --release --package binade-testkit --bin exhaustive --", &oracle)?;
    }
    if sections.is_empty() || !kernels.is_empty() {
        // A section without a format has all formats.
        let formats: Vec<&str> =
            kernels.iter().filter_map(|section| section.strip_prefix("convert:")).collect();
        let formats = if kernels.contains(&CONVERT) { &[] } else { &formats[..] };
        run("cargo run --release --package binade-kernels --bin exhaustive-convert --", formats)?;
    }
    let seconds = start.elapsed().as_secs_f64();
    let date = date(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400));
    let page = format!(
        "# Exhaustive comparisons, {date}\n\n\
         Command: `{shown}`  \n\
         Machine: {}  \n\
         Compiler: {}  \n\
         Commit: {}  \n\
         Time: {seconds:.0} s, build included\n\n\
         ```text\n{}\n```\n",
        machine(),
        output(&mut command("rustc --version"))?.trim(),
        output(&mut command("git describe --always --dirty")).unwrap_or_else(|_| "unknown".to_owned()).trim(),
        text.trim_end(),
    );
    fs::create_dir_all(root().join("benches/record")).map_err(|error| format!("benches/record: {error}"))?;
    fs::write(root().join(path), page).map_err(|error| format!("{path}: {error}"))?;
    println!("recorded in {path}");
    Ok(())
}

/// The date of a day counted from 1970-01-01.
///
/// Years are taken to begin in March, so that the leap day is the last day. Month m (0 = March) then starts at day
/// ⌊(153 m + 2) / 5⌋, and every 400 years have 146,097 days.
fn date(days: u64) -> String {
    // 719,468 days lie between 0000-03-01 and 1970-01-01.
    let days = days + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year_of_era + carry)
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn date_of_a_day_number_is_gregorian() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_777, "2026-11-20"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date(days), expected);
        }
    }
}
