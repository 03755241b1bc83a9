//! From runs to what they say together.

use raddle::Property;

use super::data::{Combined, Comparison, Run, VERSION};

pub(super) const CONTRADICTION: &str = "contradiction";
pub(super) const CRASHED: &str = "crashed";
const INTERNAL_ERROR: &str = "internal-error";

/// Runs contradict each other if one says safe and another unsafe; unknown contradicts nobody.
pub(super) fn combine(mut runs: Vec<Run>) -> Comparison {
    let properties: Vec<Combined> = Property::ALL
        .iter()
        .map(|property| property.name())
        .filter(|property| runs.iter().any(|run| run.verdicts.contains_key(*property)))
        .map(|property| Combined {
            property: property.to_owned(),
            verdict: together(&runs, property).to_owned(),
        })
        .collect();
    let best = best(&runs);
    if let Some((decided, seconds)) =
        best.and_then(|best| Some((runs[best].decided(), runs[best].seconds?)))
    {
        for run in &mut runs {
            run.ratio = match run.seconds {
                Some(own) if run.decided() == decided && seconds > 0.0 => Some(own / seconds),
                Some(_) | None => None,
            };
        }
    }
    let has = |verdict: &str| properties.iter().any(|it| it.verdict == verdict);
    let (summary, exit_code) = if has(CONTRADICTION) {
        (CONTRADICTION, 101)
    } else if runs
        .iter()
        .any(|run| [CRASHED, INTERNAL_ERROR].contains(&run.summary.as_str()))
    {
        (INTERNAL_ERROR, 101)
    } else if has("unsafe") {
        ("unsafe", 1)
    } else if has("unknown") || properties.is_empty() {
        ("unknown", 3)
    } else {
        ("safe", 0)
    };
    Comparison {
        version: VERSION,
        summary: summary.to_owned(),
        exit_code,
        properties,
        runs,
        best,
    }
}

fn together(runs: &[Run], property: &str) -> &'static str {
    let says = |verdict: &str| runs.iter().any(|run| run.says(property) == Some(verdict));
    match (says("safe"), says("unsafe")) {
        (true, true) => CONTRADICTION,
        (true, false) => "safe",
        (false, true) => "unsafe",
        (false, false) => "unknown",
    }
}

/// Who decides the most, and is the fastest of those.
fn best(runs: &[Run]) -> Option<usize> {
    let key = |run: &Run| run.seconds.unwrap_or(f64::INFINITY);
    (0..runs.len())
        .filter(|&index| runs[index].decided() > 0)
        .min_by(|&left, &right| {
            let (left, right) = (&runs[left], &runs[right]);
            right
                .decided()
                .cmp(&left.decided())
                .then(key(left).total_cmp(&key(right)))
        })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::data::Verdict;
    use super::*;

    fn run(engine: &str, seconds: f64, verdicts: &[(&str, &str)]) -> Run {
        Run {
            engine: engine.into(),
            reduction: "none".into(),
            summary: "unknown".into(),
            verdicts: verdicts
                .iter()
                .map(|(property, verdict)| {
                    let verdict = Verdict {
                        verdict: (*verdict).into(),
                        reason: None,
                    };
                    ((*property).to_owned(), verdict)
                })
                .collect(),
            counters: BTreeMap::new(),
            seconds: Some(seconds),
            peak_memory_bytes: None,
            ratio: None,
            problem: None,
            command: String::new(),
        }
    }

    #[test]
    fn what_one_decides_counts_though_another_does_not_know() {
        let comparison = combine(vec![
            run("a", 4.0, &[("assert", "safe"), ("race", "safe")]),
            run("b", 2.0, &[("assert", "unknown"), ("race", "safe")]),
            run("c", 2.0, &[("assert", "safe"), ("race", "safe")]),
        ]);
        assert_eq!(
            (comparison.summary.as_str(), comparison.exit_code),
            ("safe", 0)
        );
        assert_eq!(comparison.best, Some(2));
        let ratios: Vec<Option<f64>> = comparison.runs.iter().map(|it| it.ratio).collect();
        assert_eq!(ratios, [Some(2.0), None, Some(1.0)]);
    }

    #[test]
    fn safe_and_unsafe_contradict_each_other() {
        let comparison = combine(vec![
            run("a", 1.0, &[("assert", "unsafe"), ("race", "safe")]),
            run("b", 1.0, &[("assert", "unsafe"), ("race", "unsafe")]),
        ]);
        assert_eq!(comparison.exit_code, 101);
        let words: Vec<&str> = comparison
            .properties
            .iter()
            .map(|it| it.verdict.as_str())
            .collect();
        assert_eq!(words, ["unsafe", "contradiction"]);
    }

    #[test]
    fn a_crash_is_never_hidden_by_the_verdict_of_another() {
        let mut crashed = run("b", 1.0, &[]);
        crashed.summary = CRASHED.into();
        let comparison = combine(vec![run("a", 1.0, &[("race", "safe")]), crashed]);
        assert_eq!(comparison.summary, "internal-error");
        assert_eq!(comparison.exit_code, 101);
    }

    #[test]
    fn nothing_is_not_safe() {
        assert_eq!(combine(Vec::new()).exit_code, 3);
    }
}
