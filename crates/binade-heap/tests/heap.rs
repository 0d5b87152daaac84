//! The allocator as a program's global allocator: arrays of several threads keep their contents, and zeroed arrays are
//! zero.

use std::thread;

use binade::philox::Stream;
use binade_heap::LARGE;

#[global_allocator]
static HEAP: binade_heap::Heap = binade_heap::Heap;

const WORDS: usize = LARGE / 8;

fn holds(array: &[u64], mark: u64) -> bool {
    array.iter().zip(mark..).all(|(&word, expected)| word == expected)
}

fn marked(mut array: Vec<u64>, mark: u64) -> Vec<u64> {
    array.iter_mut().zip(mark..).for_each(|(word, value)| *word = value);
    array
}

#[test]
fn arrays_of_several_threads_keep_their_contents() {
    thread::scope(|scope| {
        for seed in 1..5 {
            scope.spawn(move || {
                let mut numbers = Stream::new(seed);
                let mut arrays: Vec<(Vec<u64>, u64)> = vec![];
                for step in 0..600 {
                    let mark = seed << 32 | step << 16;
                    let length = WORDS / 2 + numbers.below(4 * WORDS);
                    match numbers.below(5) {
                        0 => arrays.push((marked(binade_heap::uninitialized(length), mark), mark)),
                        1 => {
                            let zeros = vec![0; length];
                            assert!(zeros.iter().all(|&word| word == 0));
                            arrays.push((marked(zeros, mark), mark));
                        }
                        2 if !arrays.is_empty() => {
                            let (array, mark) = arrays.swap_remove(numbers.below(arrays.len()));
                            assert!(holds(&array, mark));
                        }
                        3 if !arrays.is_empty() => {
                            let at = numbers.below(arrays.len());
                            let (array, mark) = &mut arrays[at];
                            array.extend(*mark + array.len() as u64..*mark + (array.len() + length) as u64);
                        }
                        _ => {
                            if let Some((array, _)) = arrays.last_mut() {
                                array.truncate(length);
                                array.shrink_to_fit();
                            }
                        }
                    }
                    if arrays.len() > 20 {
                        let (array, mark) = arrays.swap_remove(numbers.below(20));
                        assert!(holds(&array, mark));
                    }
                }
                assert!(arrays.iter().all(|(array, mark)| holds(array, *mark)));
            });
        }
    });
}

#[test]
fn arrays_start_at_cache_lines_at_different_page_offsets() {
    let arrays: Vec<Vec<f32>> = (0..8).map(|_| binade_heap::uninitialized(1 << 20)).collect();
    let places: Vec<usize> = arrays.iter().map(|array| array.as_ptr() as usize).collect();
    if cfg!(all(target_os = "linux", not(miri))) {
        assert!(places.iter().all(|place| place % 64 == 0));
        let mut lines: Vec<usize> = places.iter().map(|place| place % 4096 / 64).collect();
        lines.sort_unstable();
        lines.dedup();
        assert!(lines.len() > 1);
    }
}
