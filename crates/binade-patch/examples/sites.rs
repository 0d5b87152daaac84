//! Counts the multiply-add sites of ELF objects: `cargo run --release -p binade-patch --example sites -- FILE…`.

use std::time::Instant;

use binade_patch::sites::{Confidence, Kinds, sweep};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let list = std::env::args().any(|argument| argument == "--list");
    for path in std::env::args().skip(1).filter(|argument| argument != "--list") {
        let file = std::fs::read(&path)?;
        let start = Instant::now();
        let found = sweep(&file, Kinds::default())?;
        let seconds = start.elapsed().as_secs_f64();
        let count = |confidence| found.sites.iter().filter(|site| site.confidence == confidence).count();
        println!(
            "{path}: {} certain, {} likely, {} doubtful, {} functions, {seconds:.2} s",
            count(Confidence::Certain),
            count(Confidence::Likely),
            count(Confidence::Doubtful),
            found.functions.len()
        );
        for site in found.sites.iter().filter(|_| list) {
            let function = site.function.map_or("", |at| &found.functions[at as usize].name);
            println!("{:x} {:?} {function}", site.address, site.confidence);
        }
    }
    Ok(())
}
