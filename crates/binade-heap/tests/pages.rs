//! Pages stay while a guard exists. This is the only test of its process, so that no other arrays count.
#![cfg(target_os = "linux")]

use binade_heap::Pages;

#[global_allocator]
static HEAP: binade_heap::Heap = binade_heap::Heap;

const MANY: usize = 256 << 20;

/// Bytes that the process has in memory.
fn resident() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    pages.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

fn written() -> Vec<u64> {
    let mut array = binade_heap::uninitialized(MANY / 8);
    array.fill(1);
    array
}

#[test]
fn pages_stay_while_a_guard_exists() {
    let before = resident();
    let pages = Pages::hold();
    pages.begin(usize::MAX);
    drop(written());
    assert!(resident() - before >= MANY, "they stay");
    pages.begin(usize::MAX);
    pages.begin(usize::MAX);
    assert!(resident() - before >= MANY, "the run before the last took them");
    pages.begin(usize::MAX);
    assert!(resident() - before < MANY / 2, "neither of the last two runs took them");
    drop(written());
    pages.begin(MANY / 4);
    assert!(resident() - before < MANY / 4 * 3, "more than may be idle goes");
    drop(written());
    drop(pages);
    assert!(resident() - before < MANY / 2, "nobody wants them");
    drop(written());
    assert!(resident() - before < MANY / 2, "nor now");
    assert!(vec![0u64; MANY / 8].iter().all(|&word| word == 0));
}
