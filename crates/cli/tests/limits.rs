//! What the search with reductions cannot do is said, with a reason and what to try.

mod support;

use support::{Finished, file, raddle, run};

/// Has more states between transactions than anybody has time for.
const LONG: &str = "\
var x: u64
thread t[4] {
    loop {
        let a = atomic_load(x)
        atomic_store(x, a +% 1)
    }
}
";

fn explicit(name: &str, text: &str, options: &[&str]) -> Finished {
    let name = file(name, text);
    let mut arguments = vec!["check", "--engine", "explicit", "--property", "assert"];
    arguments.extend(options);
    arguments.push(&name);
    run(&arguments)
}

/// Unknown, for a reason that has a word, with something to try.
fn assert_unknown(it: &Finished, word: &str) {
    assert_eq!(it.code, Some(3), "{it:?}");
    assert!(it.stdout.contains(&format!("[{word}]")), "{it:?}");
    assert!(it.stdout.contains("help: "), "{it:?}");
    assert!(!it.stderr.contains("panicked"), "{it:?}");
}

const REDUCTIONS: [&str; 5] = ["none", "local", "static", "phase", "optimistic"];

#[test]
fn a_small_time_limit_leaves_the_verdict_unknown() {
    for reduction in REDUCTIONS {
        let options = ["--reduction", reduction, "--timeout", "0.3"];
        assert_unknown(&explicit("explicit-time.rad", LONG, &options), "time");
    }
}

#[test]
fn a_small_memory_limit_leaves_the_verdict_unknown() {
    for reduction in ["none", "optimistic"] {
        let options = [
            "--reduction",
            reduction,
            "--timeout",
            "50",
            "--memory",
            "40",
        ];
        let it = explicit("explicit-memory.rad", LONG, &options);
        assert_unknown(&it, "memory-limit");
    }
}

/// All in one transaction: what is stored is next to nothing, so the limits must hold inside of it.
#[test]
fn a_transaction_without_end_keeps_to_the_limits() {
    let text = "thread t {\n    let i: u64 = 0\n    skip\n    loop { i = i +% 1 }\n}\nthread u {\n    skip\n}\n";
    let large = "var big: [u8; 16384]\nthread t {\n    let i: u64 = 0\n    skip\n    loop { big[i & 16383] = 1; i = i +% 1 }\n}\nthread u {\n    skip\n}\n";
    for reduction in ["phase", "optimistic"] {
        let time = ["--reduction", reduction, "--timeout", "0.3"];
        assert_unknown(&explicit("explicit-inside.rad", text, &time), "time");
        let memory = ["--reduction", reduction, "--memory", "40"];
        let it = explicit("explicit-inside.rad", large, &memory);
        assert_unknown(&it, "memory-limit");
    }
}

#[test]
fn threads_without_end_leave_the_verdict_unknown() {
    let text =
        "fn work() { skip }\nfn main() {\n    loop {\n        let t = spawn work()\n    }\n}\n";
    for reduction in REDUCTIONS {
        let options = ["--reduction", reduction, "--max-threads", "4"];
        assert_unknown(
            &explicit("explicit-threads.rad", text, &options),
            "thread-limit",
        );
    }
}

#[test]
fn a_large_choice_that_is_compared_with_another_one_leaves_the_verdict_unknown() {
    let text = "var x: u32\nthread t {\n    let a = any u32\n    let b = any u32\n    x = a\n    let c = x\n    assert c * b != 77\n}\n";
    for reduction in REDUCTIONS {
        let options = ["--reduction", reduction, "--timeout", "20"];
        assert_unknown(
            &explicit("explicit-choices.rad", text, &options),
            "too-many-choices",
        );
    }
}

/// The most memory that the process has had, as long as it runs.
fn peak_bytes(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let mut lines = status.lines();
    let line = lines.find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[test]
fn a_memory_limit_is_not_passed_by_much() {
    let text =
        "var x: u6\nthread t[4] {\n    loop {\n        let a = x\n        x = a +% 1\n    }\n}\n";
    let name = file("explicit-peak.rad", text);
    for option in ["--jobs=1", "--jobs=2", "--hash-compact"] {
        let mut child = raddle(&[
            "check",
            "--engine",
            "explicit",
            "--reduction",
            "none",
            "--property",
            "deadlock",
            "--timeout",
            "0",
            "--memory",
            "60",
            option,
            &name,
        ])
        .spawn()
        .unwrap();
        let mut peak = 0;
        while child.try_wait().unwrap().is_none() {
            peak = peak_bytes(child.id()).unwrap_or(0).max(peak);
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        let limit = 60 * 1024 * 1024;
        assert!(
            peak > limit * 7 / 10 && peak <= limit * 21 / 20,
            "{option}: {peak}"
        );
    }
}
