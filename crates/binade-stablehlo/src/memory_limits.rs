//! Memory limits of this process, and estimates of the memory that reading and planning take, for the parser and the evaluator.

use std::fs;
use std::path::{Path, PathBuf};

/// Bytes that the process may take in total: the machine's memory, or less where control groups or resource limits say so.
/// Memory that the limits already count is subtracted. `None` if the system states no limit.
pub fn memory() -> Option<usize> {
    let limits = limits();
    limits.pages.into_iter().chain(limits.addresses).min()
}

/// Limits in bytes.
struct Limits {
    /// Bytes of used pages: the machine's memory, and the remainder that control groups allow.
    pages: Option<usize>,
    /// Bytes of addresses, used or not, that resource limits leave.
    addresses: Option<usize>,
}

fn limits() -> Limits {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let machine = field(&read("/proc/meminfo"), "MemTotal:").map(kibibytes);
    let status = read("/proc/self/status");
    let limits = read("/proc/self/limits");
    let left = |name, counted| {
        let used = field(&status, counted).map(kibibytes).unwrap_or_default();
        field(&limits, name).map(|limit| limit.saturating_sub(used))
    };
    let address_space = left("Max address space", "VmSize:");
    let data = left("Max data size", "VmData:");
    let groups = groups(&read("/proc/self/cgroup")).into_iter().filter_map(|path| {
        // Without a limit: "max", or a number beyond every machine's memory.
        fs::read_to_string(path).ok()?.trim().parse::<usize>().ok()
    });
    Limits {
        pages: machine.into_iter().chain(groups).min(),
        addresses: address_space.into_iter().chain(data).min(),
    }
}

/// Bytes per line while a text is read, and per operation while a program is planned. Measured with texts of 50,000 and 200,000
/// operations, one on each line.
const LINE: usize = 1500;
const OPERATION: usize = 800;

/// Address space that the system's allocator also takes for threads that plan and run. Measured with two threads.
const ARENAS: usize = 256 << 20;

/// Texts of fewer lines, and programs of fewer operations, are not checked: they take little.
const MANY: usize = 4096;

/// Missing memory: the bytes needed, and the bytes left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryShortage {
    /// Bytes needed.
    pub needed: usize,
    /// Bytes left.
    pub left: usize,
}

fn within(needed: usize, left: Option<usize>) -> Result<(), MemoryShortage> {
    match left {
        Some(left) if needed > left => Err(MemoryShortage { needed, left }),
        _ => Ok(()),
    }
}

/// Checks that the memory left is enough to read a text with this number of lines.
pub fn check_memory_for_parsing(lines: usize) -> Result<(), MemoryShortage> {
    if lines < MANY { Ok(()) } else { within(lines.saturating_mul(LINE), memory()) }
}

/// Checks that the memory left is enough to plan this number of operations, and for `stacks` bytes of thread stacks.
pub fn check_memory_for_planning(operations: usize, stacks: usize) -> Result<(), MemoryShortage> {
    if operations < MANY {
        return Ok(());
    }
    let (limits, needed) = (limits(), operations.saturating_mul(OPERATION));
    within(needed, limits.pages)?;
    within(needed.saturating_add(stacks).saturating_add(ARENAS), limits.addresses)
}

/// The first number after a name at the start of a line; in /proc/self/limits that is the soft limit. `None` for "unlimited".
fn field(text: &str, name: &str) -> Option<usize> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

fn kibibytes(count: usize) -> usize {
    count.saturating_mul(1024)
}

/// The files with the limits of the process's control groups, of either version: of its own group and of the groups around it,
/// as far as they are mounted.
fn groups(cgroup: &str) -> Vec<PathBuf> {
    let mut files = vec![];
    for line in cgroup.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let (root, file) = if controllers.is_empty() {
            ("/sys/fs/cgroup", "memory.max")
        } else if controllers.split(',').any(|controller| controller == "memory") {
            ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
        } else {
            continue;
        };
        let relative = path.trim_start_matches('/');
        files.extend(Path::new(relative).ancestors().map(|path| Path::new(root).join(path).join(file)));
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_where_there_are_some() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units     \n\
                      Max data size             unlimited            unlimited            bytes     \n\
                      Max address space         8388608000           unlimited            bytes     \n";
        assert_eq!(field(limits, "Max address space"), Some(8_388_608_000));
        assert_eq!(field(limits, "Max data size"), None);
        assert_eq!(field("MemTotal:       24689764 kB\nMemFree: 1 kB\n", "MemTotal:"), Some(24_689_764));
        assert_eq!(field("", "MemTotal:"), None);
    }

    #[test]
    fn what_does_not_fit_is_told_with_what_is_left() {
        assert_eq!(within(10, None), Ok(()));
        assert_eq!(within(10, Some(10)), Ok(()));
        assert_eq!(within(11, Some(10)), Err(MemoryShortage { needed: 11, left: 10 }));
        assert_eq!(check_memory_for_parsing(MANY - 1), Ok(()));
        let beyond = check_memory_for_parsing(usize::MAX);
        assert!(memory().is_none() || matches!(beyond, Err(MemoryShortage { needed: usize::MAX, .. })));
        assert!(memory().is_none() || check_memory_for_planning(usize::MAX, 0).is_err());
        // Stacks are addresses, which have no limit here.
        assert!(limits().addresses.is_some() || check_memory_for_planning(MANY, usize::MAX).is_ok());
    }

    #[test]
    fn groups_of_both_versions_are_found_with_those_around_them() {
        let paths = |text| groups(text).iter().map(|path| path.display().to_string()).collect::<Vec<_>>();
        assert_eq!(
            paths("0::/user.slice/work.scope\n"),
            [
                "/sys/fs/cgroup/user.slice/work.scope/memory.max",
                "/sys/fs/cgroup/user.slice/memory.max",
                "/sys/fs/cgroup/memory.max"
            ]
        );
        assert_eq!(
            paths("5:cpu,cpuacct:/a\n4:memory:/docker/x\n"),
            [
                "/sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes",
                "/sys/fs/cgroup/memory/docker/memory.limit_in_bytes",
                "/sys/fs/cgroup/memory/memory.limit_in_bytes"
            ]
        );
        assert!(paths("").is_empty() && paths("nonsense\n").is_empty());
    }
}
