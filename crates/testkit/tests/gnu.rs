//! The lists of gcc's attributes, pragmas and options are complete: compared with what the installed gcc knows.
//!
//! Skipped where gcc is missing, unless `RADDLE_REQUIRE_TOOLS` is set.
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "tests stop at the first surprise and say what they skip"
)]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use raddle_front_c::gnu::{attributes, options, pragmas};

fn has_gcc() -> bool {
    let has = Command::new("gcc")
        .arg("--version")
        .output()
        .is_ok_and(|it| it.status.success());
    assert!(
        has || std::env::var_os("RADDLE_REQUIRE_TOOLS").is_none(),
        "gcc is missing, and RADDLE_REQUIRE_TOOLS is set"
    );
    if !has {
        eprintln!("skipped: gcc is missing");
    }
    has
}

fn said_by_gcc(arguments: &[&str]) -> String {
    let output = Command::new("gcc").args(arguments).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Which of the names gcc takes for attributes.
fn known_attributes<'n>(names: impl IntoIterator<Item = &'n str>) -> BTreeSet<String> {
    let mut text = String::new();
    for name in names {
        writeln!(text, "#if __has_attribute({name})\n@ {name}\n#endif").unwrap();
    }
    let mut child = Command::new("gcc")
        .args(["-E", "-P", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| line.strip_prefix("@ "))
        .map(str::to_owned)
        .collect()
}

/// Every string of the compiler that could be the name of an attribute. A string may be the end of a longer one.
fn candidates() -> BTreeSet<String> {
    let path = said_by_gcc(&["-print-prog-name=cc1"]);
    let bytes = std::fs::read(path.trim()).unwrap();
    let mut found = BTreeSet::new();
    let is_part = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'_';
    for text in bytes.split(|&byte| byte == 0) {
        let start = text
            .iter()
            .rposition(|it| !is_part(it))
            .map_or(0, |it| it + 1);
        let word = &text[start..];
        for begin in word.len().saturating_sub(34)..word.len().saturating_sub(2) {
            if word[begin].is_ascii_lowercase() {
                found.insert(String::from_utf8_lossy(&word[begin..]).into_owned());
            }
        }
    }
    found
}

#[test]
fn every_attribute_of_gcc_has_a_row() {
    if !has_gcc() {
        return;
    }
    let candidates = candidates();
    assert!(
        candidates.contains("vector_size"),
        "strings of cc1 are found"
    );
    let known = known_attributes(candidates.iter().map(String::as_str));
    assert!(known.len() > 100, "{known:?}");
    let missing: Vec<&String> = known
        .iter()
        .filter(|name| attributes::fate(name).is_none())
        .collect();
    assert!(missing.is_empty(), "no row for {missing:?}");
}

#[test]
fn every_row_is_an_attribute_of_gcc() {
    if !has_gcc() {
        return;
    }
    let version: u32 = said_by_gcc(&["-dumpversion"])
        .trim()
        .split('.')
        .next()
        .and_then(|it| it.parse().ok())
        .unwrap_or(0);
    let names: Vec<&str> = attributes::ATTRIBUTES
        .iter()
        .map(|(name, _)| *name)
        .collect();
    assert!(names.is_sorted(), "rows are in order");
    if version != 12 {
        // Others know more, or have forgotten some.
        return;
    }
    let known = known_attributes(names.iter().copied());
    let unknown: Vec<&&str> = names.iter().filter(|it| !known.contains(**it)).collect();
    assert!(unknown.is_empty(), "gcc does not know {unknown:?}");
}

#[test]
fn every_option_of_gcc_has_a_row() {
    if !has_gcc() {
        return;
    }
    let mut count = 0;
    let mut missing = BTreeSet::new();
    for class in [
        "c",
        "common",
        "target",
        "optimizers",
        "c,undocumented",
        "common,undocumented",
    ] {
        for line in said_by_gcc(&[&format!("--help={class}")]).lines() {
            let Some(rest) = line.strip_prefix("  -") else {
                continue;
            };
            let word = rest.split_whitespace().next().unwrap_or("");
            let word = word.split(['<', '[']).next().unwrap_or("");
            count += 1;
            if options::fate(&format!("-{word}")).is_none() {
                missing.insert(format!("-{word}"));
            }
        }
    }
    assert!(count > 1_000, "gcc lists its options: {count}");
    assert!(missing.is_empty(), "no row for {missing:?}");
}

#[test]
fn pragmas_with_a_row_are_those_of_gcc() {
    if !has_gcc() {
        return;
    }
    // Of those with a row, gcc complains about none with `-Wunknown-pragmas`.
    let mut text = String::new();
    for (words, _) in pragmas::PRAGMAS {
        // Those that want an argument or a place, or are only known with an option.
        let needs_more = [
            "GCC dependency",
            "GCC error",
            "GCC ivdep",
            "GCC pch_preprocess",
            "GCC system_header",
            "GCC unroll",
            "acc",
            "omp",
            "region",
            "endregion",
        ];
        if !needs_more.contains(words) {
            writeln!(text, "#pragma {words}").unwrap();
        }
    }
    text.push_str("#pragma nobody_knows_this\n");
    let mut child = Command::new("gcc")
        .args(["-Wunknown-pragmas", "-fsyntax-only", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let unknown: Vec<&str> = said
        .lines()
        // The standard has some that gcc ignores.
        .filter(|line| line.contains("[-Wunknown-pragmas]") && !line.contains("#pragma STDC"))
        .collect();
    assert_eq!(unknown.len(), 1, "{unknown:#?}");
}
