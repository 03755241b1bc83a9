//! A test program on the engine that reduces, with every reduction, against its header and what `reference` says of it.

use std::collections::BTreeMap;
use std::time::Duration;

use raddle_certify::Audited;
use raddle_engine::{Answer, Budget, Reason, Reduction, Silent, Task, Verdict, decide};
use raddle_ir::Program;
use raddle_ir::interpret::{Property, Semantics};

use crate::header::{Expected, Header, REDUCING_ENGINE, admit};
use crate::run::{Observed, miscounted, owned};
use crate::shares::{Shares, reason_of};

/// Nobody waits longer for a test program.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Where `reference` stores more states, what leaves little out is left to the random programs, unless the header counts.
const SMALL: u64 = 5_000;

/// What the engine that reduces says of a program.
#[derive(Clone, Debug)]
pub struct Reduced {
    pub reduction: Reduction,
    pub answer: Answer,
}

impl Reduced {
    pub fn counters(&self) -> BTreeMap<String, u64> {
        owned(&self.answer.counters)
    }

    pub fn verdicts(&self) -> BTreeMap<Property, Expected> {
        let word = |verdict: &Verdict| match verdict {
            Verdict::Safe(_) => Expected::Safe,
            Verdict::Unsafe(_) => Expected::Unsafe,
            Verdict::Unknown(_) => Expected::Unknown,
        };
        let verdicts = self.answer.verdicts.iter();
        verdicts.map(|(it, said)| (*it, word(said))).collect()
    }
}

/// Runs it with these reductions; with one worker, so that counters are the same each time.
pub fn reduced(program: &Program, semantics: &Semantics, reductions: &[Reduction]) -> Vec<Reduced> {
    raddle_driver::engines()
        .into_iter()
        .filter(|it| it.name() == REDUCING_ENGINE && reductions.contains(&it.reduction()))
        .map(|mut engine| {
            let task = Task::new(program, semantics.clone());
            let budget = Budget::unlimited().with_timeout(TIMEOUT);
            Reduced {
                reduction: engine.reduction(),
                answer: decide(engine.as_mut(), &task, &budget, &mut Silent),
            }
        })
        .collect()
}

/// Everything that is wrong with the answers, given what `reference` said. What is unknown is counted.
pub fn problems(
    header: &Header,
    (name, program): (&str, &Program),
    reference: &Observed,
    shares: &mut Shares,
) -> Vec<String> {
    let mut found = Vec::new();
    let is_small = reference
        .counters
        .get("states")
        .is_none_or(|it| *it <= SMALL);
    let is_run = |reduction: &Reduction| match reduction {
        Reduction::Static | Reduction::Phase | Reduction::Optimistic | Reduction::Dynamic => true,
        Reduction::None | Reduction::Local => {
            is_small
                || header
                    .counters
                    .iter()
                    .any(|it| it.engine == REDUCING_ENGINE && it.reduction == reduction.name())
        }
    };
    let reductions: Vec<Reduction> = Reduction::ALL.into_iter().filter(is_run).collect();
    let all = reduced(program, &reference.semantics, &reductions);
    for it in &all {
        let engine = format!("{REDUCING_ENGINE}.{}", it.reduction);
        for (property, verdict) in &it.answer.verdicts {
            let is_new = reference.verdicts.get(property) != Some(&Expected::Unknown)
                && !header.is_excused(it.reduction.name(), *property);
            let reason = reason_of(verdict);
            shares.add(&engine, (name, *property), reason.as_deref(), is_new);
        }
        let name = engine;
        for (property, said) in &reference.verdicts {
            let Some(truth) = header.truth.get(property) else {
                continue;
            };
            let Some(verdict) = it.answer.verdicts.get(property) else {
                found.push(format!("`{name}` says nothing of {property}"));
                continue;
            };
            if let Err(rejected) =
                Audited::new(program, &reference.semantics, *property, verdict.clone())
            {
                found.push(format!("`{name}`, {property}: {rejected}"));
            }
            found.extend(problem(header, &name, it, (*property, *truth), *said));
        }
        found.extend(miscounted(
            header,
            REDUCING_ENGINE,
            it.reduction.name(),
            &it.counters(),
        ));
    }
    found.extend(stale(header, &all));
    found
}

fn problem(
    header: &Header,
    name: &str,
    reduced: &Reduced,
    (property, truth): (Property, crate::header::Truth),
    reference: Expected,
) -> Option<String> {
    let said = *reduced.verdicts().get(&property)?;
    if admit(truth, said).is_err() {
        return Some(format!(
            "WRONG VERDICT: `{name}` says that {property} is {}, the truth is {}",
            said.word(),
            Expected::from(truth).word()
        ));
    }
    let reason = match reduced.answer.verdicts.get(&property) {
        // The reduction is not trusted with it.
        Some(Verdict::Unknown(Reason::UnsoundReduction { .. })) => return None,
        Some(Verdict::Unknown(reason)) => reason,
        Some(Verdict::Safe(_) | Verdict::Unsafe(_)) | None => return None,
    };
    let is_excused =
        reference == Expected::Unknown || header.is_excused(reduced.reduction.name(), property);
    (!is_excused).then(|| {
        format!("`{name}` does not decide {property}, `reference` does: {reason} (excuse it with `//@ expect: {name} {property}=unknown`)")
    })
}

/// Excuses that are not needed any more.
fn stale(header: &Header, all: &[Reduced]) -> Vec<String> {
    let mut found = Vec::new();
    for (engine, expectations) in &header.expectations {
        let reduction = match engine.split_once('.') {
            Some((REDUCING_ENGINE, reduction)) => Some(reduction),
            None if engine == REDUCING_ENGINE => None,
            Some(_) | None => continue,
        };
        for (property, expected) in expectations {
            let is_left_unknown = all
                .iter()
                .filter(|it| reduction.is_none_or(|name| it.reduction.name() == name))
                .any(|it| it.verdicts().get(property) == Some(&Expected::Unknown));
            if *expected == Expected::Unknown && !is_left_unknown {
                found.push(format!(
                    "`{engine}` now decides {property}; take it out of the `expect` line"
                ));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::{self, REDUCTIONS};
    use crate::run;

    const PROGRAM: &str = "\
//@ truth:    assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:      both write x
var x: u8

thread t[2] {
    x = 1
}
";

    fn found(text: &str) -> Vec<String> {
        let header = header::parse(text).expect("the header is right");
        let program = run::load(text, &header).expect("it is a program");
        let observed = run::observe(text, &header, "reference").expect("it is a program");
        let subject = ("program.rad", &program);
        problems(&header, subject, &observed, &mut Shares::default())
    }

    #[test]
    fn headers_know_the_reductions() {
        let names: Vec<&str> = Reduction::ALL.iter().map(|it| it.name()).collect();
        assert_eq!(names, REDUCTIONS);
    }

    #[test]
    fn a_program_that_every_reduction_decides_is_fine() {
        assert_eq!(found(PROGRAM), [""; 0]);
    }

    #[test]
    fn a_wrong_verdict_an_old_excuse_and_a_wrong_counter_are_found() {
        let wrong = PROGRAM.replace("assert=safe race", "assert=unsafe race");
        let said = found(&wrong);
        assert_eq!(said.len(), Reduction::ALL.len(), "{said:?}");
        assert_eq!(
            said[0],
            "WRONG VERDICT: `explicit.none` says that assert is safe, the truth is unsafe"
        );
        let excused = PROGRAM.replace(
            "//@ why",
            "//@ expect:   explicit.local assert=unknown\n\
             //@ counters: explicit.none.states=999\n//@ why",
        );
        assert_eq!(
            found(&excused),
            [
                "explicit.none.states is 4, expected 999",
                "`explicit.local` now decides assert; take it out of the `expect` line",
            ]
        );
    }
}
