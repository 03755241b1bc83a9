//! Rewrites the part of a header that is about the tool: expectations and counters, never the truth.

use crate::header::{Expected, Header, admit};
use crate::run::Observed;

/// The program with a header that expects what was observed.
///
/// # Errors
///
/// If what was observed contradicts the truth: a wrong verdict cannot be blessed.
pub fn blessed(source: &str, header: &Header, observed: &Observed) -> Result<String, String> {
    let mut exceptions = Vec::new();
    for (property, said) in &observed.verdicts {
        let truth = *header.truth.get(property).ok_or_else(|| {
            format!("say in `truth` what is true of {property}, then bless again")
        })?;
        admit(truth, *said).map_err(|_| {
            format!(
                "`{}` says that {property} is {}, which is wrong",
                observed.engine,
                said.word()
            )
        })?;
        if *said == Expected::Unknown {
            exceptions.push(format!("{property}={}", said.word()));
        }
    }
    let expectation = (!exceptions.is_empty())
        .then(|| format!("//@ expect:   {} {}", observed.engine, exceptions.join(" ")));
    let mut lines: Vec<String> = Vec::new();
    let mut place = None;
    for line in source.lines() {
        let content = line.trim_start().strip_prefix("//@").map(str::trim_start);
        match content {
            Some(content) if content.starts_with("expect:") => {
                let engine = content["expect:".len()..].split_whitespace().next();
                if engine == Some(observed.engine.as_str()) {
                    place.get_or_insert(lines.len());
                    continue;
                }
                lines.push(line.to_owned());
            }
            Some(content) if content.starts_with("counters:") => {
                lines.push(format!("//@ counters: {}", counters(content, observed)));
            }
            Some(_) | None => lines.push(line.to_owned()),
        }
    }
    if let Some(expectation) = expectation {
        // Where it was, or below the last line of the truth.
        let below_truth = lines
            .iter()
            .rposition(|it| it.starts_with("//@ truth:"))
            .map_or(0, |at| at + 1);
        lines.insert(place.unwrap_or(below_truth), expectation);
    }
    Ok(lines.join("\n") + "\n")
}

/// The entries of a line of counters with the values of today.
fn counters(content: &str, observed: &Observed) -> String {
    let prefix = format!("{}.{}.", observed.engine, observed.reduction);
    let entries: Vec<String> = content["counters:".len()..]
        .split_whitespace()
        .map(|entry| {
            let name = entry.split('=').next().unwrap_or(entry);
            match name
                .strip_prefix(&prefix)
                .and_then(|counter| observed.counters.get(counter))
            {
                Some(value) => format!("{name}={value}"),
                None => entry.to_owned(),
            }
        })
        .collect();
    entries.join(" ")
}

#[cfg(test)]
mod tests {
    use crate::{bless, header, run};

    const PROGRAM: &str = "\
//@ truth:    assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect:   reference race=unknown
//@ counters: reference.none.states=99
//@ why:      nothing happens twice
var x: u8

thread t {
    x = 1
    x = 2
}
";

    #[test]
    fn what_is_decided_now_is_no_longer_expected_to_be_unknown() {
        let header = header::parse(PROGRAM).unwrap();
        let observed = run::observe(PROGRAM, &header, "reference").unwrap();
        assert_eq!(
            run::differences(&header, &observed),
            [
                "`reference` now decides race (safe); bless it",
                "reference.none.states is 3, expected 99",
            ]
        );
        let blessed = bless::blessed(PROGRAM, &header, &observed).unwrap();
        assert_eq!(
            blessed,
            PROGRAM
                .replace("//@ expect:   reference race=unknown\n", "")
                .replace("states=99", "states=3")
        );
    }

    #[test]
    fn a_wrong_verdict_is_reported_and_cannot_be_blessed() {
        let wrong = PROGRAM.replace("assert=safe", "assert=unsafe");
        let header = header::parse(&wrong).unwrap();
        let observed = run::observe(&wrong, &header, "reference").unwrap();
        assert_eq!(
            run::differences(&header, &observed)[0],
            "WRONG VERDICT: `reference` says that assert is safe, the truth is unsafe"
        );
        assert_eq!(
            bless::blessed(&wrong, &header, &observed),
            Err("`reference` says that assert is safe, which is wrong".into())
        );
    }

    #[test]
    fn a_new_expectation_stands_below_the_truth() {
        let tries = PROGRAM
            .replace("//@ expect:   reference race=unknown\n", "")
            .replace("var x: u8", "var x: u8\nmutex m")
            .replace("x = 2", "try_acquire m");
        let header = header::parse(&tries).unwrap();
        let observed = run::observe(&tries, &header, "reference").unwrap();
        let blessed = bless::blessed(&tries, &header, &observed).unwrap();
        assert_eq!(
            blessed.lines().nth(1),
            Some("//@ expect:   reference race=unknown")
        );
    }
}
