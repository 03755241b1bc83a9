//! Runs that are ended from outside and go on later.
#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod support;

use std::path::PathBuf;
use std::time::Duration;

use support::{Finished, file, folder, raddle, run, send};

/// Some hundred thousand states.
const MANY_STATES: &str = "\
var x: u3
thread t[4] {
    loop {
        let a = x
        x = a +% 1
    }
}
";

const SEARCH: [&str; 8] = [
    "check",
    "-v",
    "--no-timing",
    "--property",
    "deadlock",
    "--engine",
    "explicit",
    "--reduction=none",
];

fn empty_folder(name: &str) -> PathBuf {
    let folder = folder().join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// The verdict and the counters, without the command.
fn told(it: &Finished) -> Vec<&str> {
    let lines = it.stdout.lines();
    lines
        .filter(|it| it.contains("deadlock: ") || it.contains("counters of"))
        .collect()
}

#[test]
fn a_run_that_is_killed_ten_times_ends_like_one_that_is_not() {
    let name = file("killed.rad", MANY_STATES);
    let undisturbed = run(&[&SEARCH[..], &[&name]].concat());
    assert_eq!(undisturbed.code, Some(0), "{undisturbed:?}");
    let left = empty_folder("killed-ten-times");
    let left_text = left.to_str().unwrap();
    let goes_on = ["--checkpoint", left_text, "--checkpoint-every", "0.02"];
    let command = [&SEARCH[..], &goes_on, &["--timeout", "0", &name]].concat();
    let mut has_gone_on = false;
    for kill in 0..10 {
        let mut child = raddle(&command).spawn().unwrap();
        // At moments that nobody has chosen, some before the first checkpoint is there.
        let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap();
        let moment = 20 + u64::from(now.subsec_nanos()) % (20 * (kill + 1));
        std::thread::sleep(Duration::from_millis(moment));
        send("KILL", &child);
        child.wait().unwrap();
        has_gone_on |= left.is_dir();
    }
    assert!(has_gone_on);
    let last = run(&command);
    assert_eq!(last.code, Some(0), "{last:?}");
    assert_eq!(told(&last), told(&undisturbed));
    let files = std::fs::read_dir(&left).unwrap().count();
    assert_eq!(files, 0, "what is of no use any more is removed");
}

#[test]
fn a_run_goes_on_after_a_time_out() {
    let name = file("timed-out.rad", MANY_STATES);
    let left = empty_folder("timed-out");
    let left_text = left.to_str().unwrap();
    let goes_on = ["--checkpoint", left_text, "--checkpoint-every", "0.02"];
    let command = |timeout| [&SEARCH[..], &goes_on, &["--timeout", timeout, &name]].concat();
    let it = run(&command("0.1"));
    assert_eq!(it.code, Some(3), "{it:?}");
    let last = run(&command("0"));
    assert_eq!(last.code, Some(0), "{last:?}");
    let told = "the search went on from a checkpoint with ";
    let is_told = last.stdout.contains(told) || last.stderr.contains(told);
    assert!(is_told, "{last:?}");
}

#[test]
fn a_folder_that_cannot_be_written_is_told() {
    let name = file("unwritable.rad", MANY_STATES);
    let taken = file("no-folder", "");
    let goes_on = ["--checkpoint", &taken, "--checkpoint-every", "0.02"];
    let it = run(&[&SEARCH[..], &goes_on, &[&name]].concat());
    assert_eq!(it.code, Some(0), "{it:?}");
    let told = "could not be written";
    assert!(
        it.stdout.contains(told) || it.stderr.contains(told),
        "{it:?}"
    );
}

#[test]
fn only_a_search_of_states_leaves_checkpoints() {
    let name = file("no-checkpoint.rad", MANY_STATES);
    let it = run(&["check", "--engine", "bmc", "--checkpoint", "left", &name]);
    assert_eq!(it.code, Some(2), "{it:?}");
    let told = "the engine `bmc` does not go on from checkpoints";
    assert!(it.stderr.contains(told), "{it:?}");
    let it = run(&["check", "--shortest", "--checkpoint", "left", &name]);
    assert_eq!(it.code, Some(2), "{it:?}");
    let it = run(&["check", "--checkpoint-every", "3", &name]);
    assert_eq!(it.code, Some(2), "{it:?}");
}
