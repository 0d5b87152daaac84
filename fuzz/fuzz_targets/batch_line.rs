//! A batch line is answered with one line, and the answer does not depend on the lines before it.
#![no_main]

use binade_cli::batch::Evaluator;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut evaluator = Evaluator::default();
    for (index, line) in data.split(|&byte| byte == b'\n').enumerate() {
        let (mut after_others, mut alone) = (vec![], vec![]);
        let good = evaluator.line(line, index as u64, &mut after_others);
        assert_eq!(good, Evaluator::default().line(line, index as u64, &mut alone));
        assert_eq!(after_others, alone);
        assert!(!alone.is_empty() && !alone.contains(&b'\n'));
        assert_eq!(good, !alone.starts_with(b"error: "));
    }
});
