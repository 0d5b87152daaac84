//! Sites of system libraries against another disassembler's.

#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use binade_patch::sites::{Confidence, Kinds, sweep};

/// Libraries that most systems have, with what is known about them: libm's functions for machines with FMA are full of
/// them, libcrypto has tables among its instructions and none.
const LIBRARIES: [(&str, Option<bool>); 4] = [
    ("libm.so.6", Some(true)),
    ("libcrypto.so.3", Some(false)),
    ("libc.so.6", None),
    ("libopenblas.so.0", Some(true)),
];

const FOLDERS: [&str; 3] = ["/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64"];

/// Addresses of fused multiply-adds of binary32 and binary64 lanes that `objdump` sees; `None` without it.
fn disassembled(path: &Path) -> Option<BTreeSet<u64>> {
    let output = Command::new("objdump").args(["-d", "--no-show-raw-insn"]).arg(path).output().ok()?;
    let is_fma = |mnemonic: &str| {
        let Some(rest) = mnemonic.strip_prefix("vf") else { return false };
        let rest = rest.strip_prefix('n').unwrap_or(rest);
        let families = ["maddsub", "msubadd", "madd", "msub"];
        let rest = families.iter().find_map(|family| rest.strip_prefix(family));
        let digits = rest.map(|rest| rest.split_at_checked(3));
        matches!(digits, Some(Some(("132" | "213" | "231", "ps" | "ss" | "pd" | "sd"))))
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let addresses = text.lines().filter_map(|line| {
        let (address, code) = line.split_once(':')?;
        let mnemonic = code.split_whitespace().find(|word| !word.starts_with('{'))?;
        is_fma(mnemonic).then(|| u64::from_str_radix(address.trim(), 16).ok())?
    });
    output.status.success().then(|| addresses.collect())
}

#[test]
fn sites_of_system_libraries_are_those_of_another_disassembler() {
    for (name, has_some) in LIBRARIES {
        let path = FOLDERS.iter().map(|folder| Path::new(folder).join(name)).find(|path| path.exists());
        let Some(path) = path else {
            println!("SKIPPED: {name} is not there");
            continue;
        };
        let file = std::fs::read(&path).unwrap();
        let found = sweep(&file, Kinds { double: true, ..Kinds::default() }).unwrap();
        let sure: BTreeSet<u64> = found
            .sites
            .iter()
            .filter(|site| site.confidence > Confidence::Doubtful)
            .map(|site| site.address)
            .collect();
        println!("{name}: {} sites, {} of them doubtful", found.sites.len(), found.sites.len() - sure.len());
        assert!(has_some.is_none_or(|has_some| has_some != sure.is_empty()), "{name}");
        let Some(there) = disassembled(&path) else {
            println!("SKIPPED: no objdump to compare {name} with");
            continue;
        };
        assert!(sure.is_subset(&there), "{name}: {:x?}", sure.difference(&there).collect::<Vec<_>>());
        // Nothing of note is missed.
        assert!(sure.len() * 100 >= there.len() * 99, "{name}: {} of {}", sure.len(), there.len());
    }
}

#[test]
fn bad_objects_are_refused() {
    assert!(sweep(b"", Kinds::default()).is_err());
    assert!(sweep(b"\x7fELF\x02\x01\x01", Kinds::default()).is_err());
    // Damaged ones do no harm.
    let file = std::fs::read(std::env::current_exe().unwrap()).unwrap();
    let file = &file[..file.len().min(1 << 16)];
    for at in (0..file.len()).step_by(97) {
        let mut damaged = file.to_vec();
        damaged[at] ^= 0xff;
        let _ = sweep(&damaged, Kinds::default());
    }
}
