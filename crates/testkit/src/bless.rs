//! Rewrites the part of a header that is about the tool: expectations and counters, never the truth.

use std::collections::BTreeMap;

use raddle_engine::Reduction;
use raddle_ir::interpret::Property;

use crate::decided::Said;
use crate::header::{Expected, Header, REDUCING_ENGINE, admit};
use crate::reductions::reduced;
use crate::run::{self, Observed};

/// The program with a header that expects what was observed.
///
/// # Errors
///
/// If what was observed contradicts the truth: a wrong verdict cannot be blessed.
pub fn blessed(source: &str, header: &Header, observed: &Observed) -> Result<String, String> {
    let mut exceptions = Vec::new();
    let mut unknown = BTreeMap::new();
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
            unknown.insert(*property, *said);
        }
    }
    // How a line is laid out is the author's choice as long as it says what is so.
    let is_said = header
        .expectations
        .get(&observed.engine)
        .map_or(unknown.is_empty(), |it| *it == unknown);
    let expectation = (!is_said && !exceptions.is_empty())
        .then(|| format!("//@ expect:   {} {}", observed.engine, exceptions.join(" ")));
    let mut lines: Vec<String> = Vec::new();
    let mut place = None;
    for line in source.lines() {
        let content = line.trim_start().strip_prefix("//@").map(str::trim_start);
        match content {
            Some(content) if content.starts_with("expect:") => {
                let engine = content["expect:".len()..].split_whitespace().next();
                if engine == Some(observed.engine.as_str()) && !is_said {
                    place.get_or_insert(lines.len());
                    continue;
                }
                lines.push(line.to_owned());
            }
            Some(content) if content.starts_with("counters:") => {
                let now = counters(
                    content,
                    &observed.engine,
                    &observed.reduction,
                    &observed.counters,
                );
                lines.push(format!("//@ counters: {now}"));
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

/// The program with counters of today for the engine that reduces. Its excuses are written by hand.
///
/// # Errors
///
/// If the program cannot be read.
pub fn recounted(source: &str, header: &Header, reference: &Observed) -> Result<String, String> {
    let is_counted = |reduction: &Reduction| {
        header
            .counters
            .iter()
            .any(|it| it.engine == REDUCING_ENGINE && it.reduction == reduction.name())
    };
    let counted: Vec<Reduction> = Reduction::ALL.into_iter().filter(is_counted).collect();
    if counted.is_empty() {
        return Ok(source.to_owned());
    }
    let program = run::load(source, header)?;
    let mut text = source.to_owned();
    for it in reduced(&program, &reference.semantics, &counted) {
        let lines: Vec<String> = text
            .lines()
            .map(|line| match line.trim_start().strip_prefix("//@") {
                Some(content) if content.trim_start().starts_with("counters:") => {
                    let content = content.trim_start();
                    let now = counters(
                        content,
                        REDUCING_ENGINE,
                        it.reduction.name(),
                        &it.counters(),
                    );
                    format!("//@ counters: {now}")
                }
                Some(_) | None => line.to_owned(),
            })
            .collect();
        text = lines.join("\n") + "\n";
    }
    Ok(text)
}

/// The program with lines about the other engines that expect what these said. Only what a line speaks of is rewritten.
///
/// # Errors
///
/// If a verdict contradicts the truth, or reductions differ where one line speaks of all of them.
pub fn demands(source: &str, header: &Header, all: &[Said]) -> Result<String, String> {
    let mut lines = Vec::new();
    for line in source.lines() {
        let content = line.trim_start().strip_prefix("//@").map(str::trim_start);
        let words = content.and_then(|it| it.strip_prefix("expect:"));
        let mut words = words.into_iter().flat_map(str::split_whitespace);
        let name = words.next().unwrap_or_default();
        let asked: Vec<&Said> = all
            .iter()
            .filter(|it| it.engine == name || it.name == name)
            .collect();
        if asked.is_empty() {
            lines.push(line.to_owned());
            continue;
        }
        let entries: Result<Vec<String>, String> = words
            .filter_map(|entry| Property::from_name(entry.split('=').next()?))
            .map(|property| demand(header, name, &asked, property))
            .collect();
        lines.push(format!("//@ expect:   {name} {}", entries?.join(" ")));
    }
    Ok(lines.join("\n") + "\n")
}

/// What engines that one line speaks of say of a property.
fn demand(
    header: &Header,
    name: &str,
    asked: &[&Said],
    property: Property,
) -> Result<String, String> {
    // A line about one reduction goes first.
    let all_but_named = asked.iter().filter(|it| {
        it.name == name
            || !header
                .expectations
                .get(&it.name)
                .is_some_and(|it| it.contains_key(&property))
    });
    let mut said: Vec<Expected> = all_but_named.filter_map(|it| it.word(property)).collect();
    said.dedup();
    match (said.as_slice(), header.truth.get(&property)) {
        ([word], Some(truth)) => {
            admit(*truth, *word).map_err(|_| {
                format!(
                    "`{name}` says that {property} is {}, which is wrong",
                    word.word()
                )
            })?;
            Ok(format!("{property}={}", word.word()))
        }
        ([], _) | (_, None) => Err(format!("`{name}` is not asked about {property}")),
        (_, Some(_)) => Err(format!(
            "`{name}` decides {property} with some reductions only; name the reduction behind a dot"
        )),
    }
}

/// The entries of a line of counters with the values of today.
fn counters(
    content: &str,
    engine: &str,
    reduction: &str,
    values: &BTreeMap<String, u64>,
) -> String {
    let prefix = format!("{engine}.{reduction}.");
    let entries: Vec<String> = content["counters:".len()..]
        .split_whitespace()
        .map(|entry| {
            let name = entry.split('=').next().unwrap_or(entry);
            match name
                .strip_prefix(&prefix)
                .and_then(|counter| values.get(counter))
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
    use crate::walk::TestProgram;
    use crate::{bless, decided, header, run};

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
    fn counters_of_reductions_are_rewritten() {
        let counted = PROGRAM.replace(
            "reference.none.states=99",
            "reference.none.states=3 explicit.none.states=99",
        );
        let header = header::parse(&counted).unwrap();
        let observed = run::observe(&counted, &header, "reference").unwrap();
        assert_eq!(
            bless::recounted(&counted, &header, &observed).unwrap(),
            counted.replace("states=99", "states=3")
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
    fn lines_about_other_engines_say_what_is_so_now() {
        let wanted = PROGRAM.replace(
            "//@ expect:   reference race=unknown\n",
            "//@ expect:   bmc.local assert=unknown race=unknown\n//@ expect:   static race=unknown\n",
        );
        let test = TestProgram {
            name: "tests/rad/once.rad".into(),
            source: wanted.clone(),
            path: None,
            human: None,
        };
        let header = test.header().unwrap();
        let (program, semantics, all) = decided::said(&test, 0).unwrap().unwrap();
        let found = decided::problems(&header, &program, &semantics, &all);
        let said = "`bmc.local` says that race is safe, which is not what the `expect` line says; bless it";
        assert!(found.iter().any(|it| it == said), "{found:?}");
        let blessed = bless::demands(&wanted, &header, &all).unwrap();
        let now = wanted.replace("assert=unknown race=unknown", "assert=safe race=safe");
        assert_eq!(
            blessed,
            now.replace("static race=unknown", "static race=safe")
        );
        let header = header::parse(&blessed).unwrap();
        assert_eq!(
            decided::problems(&header, &program, &semantics, &all),
            [""; 0]
        );
        let unheard = blessed.replace("static race=safe", "static deadlock=safe");
        let header = header::parse(&unheard).unwrap();
        assert_eq!(
            decided::problems(&header, &program, &semantics, &all),
            [
                "`static` is not asked about deadlock of this program; take it out of the `expect` line"
            ]
        );
    }

    #[test]
    fn a_new_expectation_stands_below_the_truth() {
        let tries = PROGRAM
            .replace("//@ expect:   reference race=unknown\n", "")
            .replace("x = 2", "unsupported \"this\"");
        let header = header::parse(&tries).unwrap();
        let observed = run::observe(&tries, &header, "reference").unwrap();
        let blessed = bless::blessed(&tries, &header, &observed).unwrap();
        assert_eq!(
            blessed.lines().nth(1),
            Some(
                "//@ expect:   reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown uninitialized=unknown undefined=unknown"
            )
        );
    }
}
