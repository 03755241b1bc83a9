//! What engines say of a program, and whether reality says otherwise.

use std::path::Path;
use std::time::Duration;

use raddle::{Budget, Options, Verdict};
use raddle_certify::Audited;
use raddle_driver::Input;
use raddle_engine::{Engine, Silent};
use raddle_ir::Program;
use raddle_ir::interpret::{Property, Semantics};

use super::draft::Draft;
use super::runs::SeenOutcomes;
use crate::run;

/// What is asked for.
const PROPERTIES: [Property; 5] = [
    Property::Assert,
    Property::Race,
    Property::Deadlock,
    Property::Memory,
    Property::LockMisuse,
];

/// A verdict that reality refutes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refuted {
    /// `None`: each by itself may be right, but not all of them.
    pub property: Option<Property>,
    pub problem: String,
}

/// What came of asking.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    pub refuted: Option<Refuted>,
    /// Something that was seen was found.
    pub is_found: bool,
    /// The program was not understood.
    pub refused: Option<String>,
}

/// Reads a program.
///
/// # Errors
///
/// What is wrong with it.
pub(super) fn load(text: &str, folder: &Path) -> Result<Program, String> {
    let path = folder.join("checked.c");
    std::fs::write(&path, text).map_err(|error| error.to_string())?;
    let options = Options::default();
    run::load_files(&[Input::File(path)], &options).map(|(program, _)| program)
}

/// Engines for a seed: one that decides nearly everything, and one of all.
fn engines(seed: u64) -> Vec<Box<dyn Engine>> {
    let mut strong: Vec<Box<dyn Engine>> = raddle_driver::engines()
        .into_iter()
        .filter(|it| it.name() == "explicit")
        .collect();
    let mut all: Vec<Box<dyn Engine>> = raddle_driver::engines()
        .into_iter()
        .chain(raddle_driver::bounded_engines())
        .collect();
    let picked = |of: usize| usize::try_from(seed % of as u64).unwrap_or(0);
    let (first, second) = (picked(strong.len()), picked(all.len()));
    vec![strong.swap_remove(first), all.swap_remove(second)]
}

/// Asks a few engines, of which each may take so long.
pub(super) fn ask(
    program: &Program,
    draft: &Draft,
    seen: &SeenOutcomes,
    seed: u64,
    time: Duration,
) -> Asked {
    let semantics = Semantics {
        properties: PROPERTIES.to_vec(),
        has_spurious_wakeups: true,
        ..Semantics::default()
    };
    let mut asked = Asked::default();
    for mut engine in engines(seed) {
        let task = raddle_engine::Task::new(program, semantics.clone());
        let budget = Budget::unlimited().with_timeout(time);
        let answer = raddle_engine::decide(engine.as_mut(), &task, &budget, &mut Silent);
        let name = format!("{} with reduction {}", engine.name(), engine.reduction());
        let mut verdicts = Vec::new();
        for property in PROPERTIES {
            let Some(verdict) = answer.verdicts.get(&property).cloned() else {
                continue;
            };
            match Audited::new(program, &semantics, property, verdict) {
                Ok(audited) => verdicts.push((property, audited.verdict().clone())),
                Err(rejected) => {
                    asked.refuted = Some(Refuted {
                        property: Some(property),
                        problem: format!("{property}: {name}: {rejected}"),
                    });
                    return asked;
                }
            }
        }
        asked.is_found |= verdicts
            .iter()
            .any(|(_, verdict)| matches!(verdict, Verdict::Unsafe(_)));
        // Whoever says that the verdict rests on the names of threads need not know which ones they get.
        if draft.depends_on_names && answer.observes_layout {
            verdicts.retain(|(property, _)| *property != Property::Assert);
        }
        // What is safe up to a violation says nothing of runs that went past it.
        if answer.conditions.iter().any(|it| it.property().is_some()) {
            verdicts.retain(|(_, verdict)| !matches!(verdict, Verdict::Safe(_)));
        }
        if let Some((property, what)) = refuted(seen, &verdicts) {
            let word = property.map_or("everything", Property::name);
            asked.refuted = Some(Refuted {
                property,
                problem: format!("{word}: safe although {what}: {name}"),
            });
            return asked;
        }
    }
    asked
}

/// The property that is called safe although something else was seen, and what.
fn refuted(
    seen: &SeenOutcomes,
    verdicts: &[(Property, Verdict)],
) -> Option<(Option<Property>, String)> {
    let is_safe = |property: Property| {
        verdicts
            .iter()
            .any(|(it, verdict)| *it == property && matches!(verdict, Verdict::Safe(_)))
    };
    if seen.hangs > 0 && is_safe(Property::Deadlock) {
        return Some((Some(Property::Deadlock), "threads hang".to_owned()));
    }
    if seen.has_race && is_safe(Property::Race) {
        return Some((Some(Property::Race), "a race was seen".to_owned()));
    }
    if let Some(what) = seen.memory.first().filter(|_| is_safe(Property::Memory)) {
        return Some((Some(Property::Memory), format!("there is {what}")));
    }
    if let Some(what) = seen
        .misuses
        .first()
        .filter(|_| is_safe(Property::LockMisuse))
    {
        return Some((Some(Property::LockMisuse), what.clone()));
    }
    // A machine may do more than interleave where there are races.
    if let Some((values, count)) = seen.rarest()
        && !seen.has_race
        && is_safe(Property::Assert)
    {
        let runs = seen.runs;
        let what = format!("{values:?} came out {count} times in {runs}");
        return Some((Some(Property::Assert), what));
    }
    let crash = seen.signals.first()?;
    PROPERTIES
        .iter()
        .all(|it| is_safe(*it))
        .then(|| (None, format!("signal {crash} ends it")))
}

#[cfg(test)]
mod tests {
    use raddle::Proof;

    use super::*;

    fn said(property: Property) -> Vec<(Property, Verdict)> {
        vec![(property, Verdict::Safe(Proof::NothingToCheck))]
    }

    #[test]
    fn what_was_seen_refutes_safe_and_nothing_else() {
        let hung = SeenOutcomes {
            hangs: 1,
            ..SeenOutcomes::default()
        };
        let property =
            |seen: &SeenOutcomes, verdicts: &[_]| refuted(seen, verdicts).and_then(|it| it.0);
        assert_eq!(
            property(&hung, &said(Property::Deadlock)),
            Some(Property::Deadlock)
        );
        assert_eq!(property(&hung, &said(Property::Memory)), None);
        let unknown = Verdict::Unknown(raddle::Reason::OutOfTime);
        assert_eq!(property(&hung, &[(Property::Deadlock, unknown)]), None);
    }

    #[test]
    fn the_values_of_a_race_refute_nothing() {
        let mut seen = SeenOutcomes {
            outcomes: [(vec![1], 7), (vec![2], 3)].into(),
            runs: 10,
            ..SeenOutcomes::default()
        };
        let said = said(Property::Assert);
        let (_, what) = refuted(&seen, &said).expect("it was seen");
        assert_eq!(what, "[2] came out 3 times in 10");
        seen.has_race = true;
        assert_eq!(refuted(&seen, &said), None);
    }
}
