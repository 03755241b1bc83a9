//! How much engines leave unknown, of the programs below `tests/` and `examples/` and of generated ones, and how much each may.
//!
//! A verdict that is right or unknown is never wrong, so only a limit notices an engine that answers nothing any more.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use raddle_engine::{Engine, Property, Reason, Verdict};

/// Which programs engines were asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Programs {
    /// Those with headers.
    Written,
    /// Random ones, with the seeds that the nets look at unless told otherwise.
    Generated,
}

/// How many of a thousand verdicts may be unknown; `None` where the engine is not asked.
struct Limit {
    /// As [`name_of`] says.
    engine: &'static str,
    written: Option<u64>,
    generated: Option<u64>,
}

const fn limit(engine: &'static str, written: Option<u64>, generated: Option<u64>) -> Limit {
    Limit {
        engine,
        written,
        generated,
    }
}

/// The limits, a little above what is measured. To be lowered where an engine learns something; to be raised only with the
/// reason in the commit.
const LIMITS: [Limit; 19] = [
    limit("reference", Some(145), Some(30)),
    limit("explicit.none", Some(145), Some(30)),
    limit("explicit.local", Some(145), Some(30)),
    limit("explicit.static", Some(495), Some(340)),
    limit("explicit.phase", Some(495), Some(340)),
    limit("explicit.optimistic", Some(150), Some(130)),
    limit("explicit.dynamic", Some(495), Some(340)),
    limit("bmc.none", Some(245), Some(400)),
    limit("bmc.local", Some(210), Some(245)),
    limit("bmc.static", Some(405), Some(470)),
    limit("bmc.phase", Some(405), Some(470)),
    limit("bmc.optimistic", Some(300), Some(310)),
    limit("bmc.dynamic", Some(445), Some(460)),
    limit("token", Some(360), Some(320)),
    limit("token with all pairs", None, Some(410)),
    limit("static", Some(520), Some(300)),
    limit("pushdown", Some(220), None),
    // It is asked with few looks at the budget, of which it needs many.
    limit("ic3", Some(960), Some(960)),
    // It proves nothing, so all that is not violated is unknown.
    limit("sample", Some(960), Some(900)),
];

/// At most so many unknown verdicts are listed.
const MOST_LISTED: usize = 60;

/// An engine as headers call it: with its reduction if it has several.
pub fn name_of(engine: &dyn Engine) -> String {
    match engine.name() {
        name @ ("explicit" | "bmc") => format!("{name}.{}", engine.reduction()),
        name => name.to_owned(),
    }
}

/// Why a verdict is unknown, short enough for a list.
pub fn reason_of(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::Unknown(Reason::Unsupported { what, .. }) => Some(what.clone()),
        Verdict::Unknown(reason) => Some(reason.code().to_owned()),
        Verdict::Safe(_) | Verdict::Unsafe(_) => None,
    }
}

/// What one engine left unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Share {
    asked: u64,
    unknown: u64,
    /// The program and the property, with the reason.
    listed: Vec<String>,
}

/// What engines left unknown, by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shares(BTreeMap<String, Share>);

impl Shares {
    /// Counts a verdict; `is_new` if it was not unknown when somebody looked last, as far as that is known.
    pub fn add(
        &mut self,
        engine: &str,
        (program, property): (&str, Property),
        reason: Option<&str>,
        is_new: bool,
    ) {
        let share = self.0.entry(engine.to_owned()).or_default();
        share.asked += 1;
        if let Some(reason) = reason {
            share.unknown += 1;
            if is_new {
                share.listed.push(format!("{program} {property}: {reason}"));
            }
        }
    }

    /// Counts what others counted.
    pub fn extend(&mut self, others: Shares) {
        for (engine, other) in others.0 {
            let share = self.0.entry(engine).or_default();
            share.asked += other.asked;
            share.unknown += other.unknown;
            share.listed.extend(other.listed);
        }
    }

    /// The engines that leave more unknown than they may, with what they leave unknown.
    pub fn problems(&self, programs: Programs) -> Vec<String> {
        let engines = self.0.iter();
        engines
            .filter_map(|(engine, share)| share.problem(engine, programs))
            .collect()
    }

    /// One line for each engine, for people.
    pub fn describe(&self) -> String {
        let mut text = String::new();
        for (engine, share) in &self.0 {
            let Share { asked, unknown, .. } = share;
            let _ = writeln!(
                text,
                "{engine:20} {unknown:6} of {asked:6} unknown: {} of a thousand",
                share.of_a_thousand()
            );
        }
        text
    }
}

impl Share {
    /// Rounded up.
    fn of_a_thousand(&self) -> u64 {
        (1000 * self.unknown).div_ceil(self.asked.max(1))
    }

    fn problem(&self, engine: &str, programs: Programs) -> Option<String> {
        let row = LIMITS.iter().find(|it| it.engine == engine);
        let (limit, what) = match programs {
            Programs::Written => (row.and_then(|it| it.written), "programs with headers"),
            Programs::Generated => (row.and_then(|it| it.generated), "generated programs"),
        };
        let Some(limit) = limit else {
            return Some(format!(
                "`{engine}` has no limit for {what} in the table LIMITS of testkit/src/shares.rs; it leaves {} of a thousand verdicts unknown",
                self.of_a_thousand()
            ));
        };
        let (share, new) = (self.of_a_thousand(), self.listed.len());
        (share > limit).then(|| {
            let listed: Vec<&str> = self.listed.iter().map(String::as_str).take(MOST_LISTED).collect();
            format!(
                "`{engine}` leaves {share} of a thousand verdicts on {what} unknown, {limit} is the limit; {new} of them are new or not known to be old:\n  {}",
                listed.join("\n  ")
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_that_answers_nothing_any_more_is_found_with_what_is_new() {
        let mut shares = Shares::default();
        for (program, is_new) in [("old.rad", false), ("new.rad", true)] {
            let asked = (program, Property::Assert);
            shares.add("bmc.optimistic", asked, Some("out-of-time"), is_new);
        }
        for programs in [Programs::Written, Programs::Generated] {
            let found = shares.problems(programs);
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].contains("leaves 1000 of a thousand"), "{found:?}");
            assert!(
                found[0].contains("new.rad assert: out-of-time"),
                "{found:?}"
            );
            assert!(!found[0].contains("old.rad"), "{found:?}");
        }
    }

    #[test]
    fn an_engine_within_its_limit_is_fine_and_one_without_a_limit_is_not() {
        let mut shares = Shares::default();
        shares.add("bmc.optimistic", ("a.rad", Property::Assert), None, false);
        assert_eq!(shares.problems(Programs::Written), [""; 0]);
        shares.add("spin", ("a.rad", Property::Assert), None, false);
        let found = shares.problems(Programs::Written);
        assert!(found[0].contains("`spin` has no limit"), "{found:?}");
    }

    #[test]
    fn every_engine_has_a_limit() {
        let all = raddle_driver::engines().into_iter();
        for engine in all.chain(raddle_driver::bounded_engines()) {
            let name = name_of(engine.as_ref());
            assert!(LIMITS.iter().any(|it| it.engine == name), "{name}");
        }
    }
}
