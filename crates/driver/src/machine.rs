//! What the machine has.

use std::fs::read_to_string;

/// Memory that this process may use at most, where the system tells: the machine's, or its control group's.
pub fn machine_memory_bytes() -> Option<u64> {
    let machine = memory_total(&read_to_string("/proc/meminfo").ok()?)?;
    let group = read_to_string("/sys/fs/cgroup/memory.max")
        .ok()
        .and_then(|text| text.trim().parse::<u64>().ok());
    Some(group.map_or(machine, |limit| limit.min(machine)))
}

fn memory_total(meminfo: &str) -> Option<u64> {
    let line = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn total_memory_is_read_in_kilobytes() {
        let text = "MemTotal:       24576 kB\nMemFree:         1 kB\n";
        assert_eq!(memory_total(text), Some(24576 * 1024));
        assert_eq!(memory_total("nothing"), None);
    }
}
