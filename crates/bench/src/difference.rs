//! Two runs side by side: every verdict that changed, and the time.

use std::collections::BTreeMap;
use std::fmt::Write;

use raddle_report::Timing;

use crate::row::{Rating, Row};
use crate::table::wrong_line;

/// A program is slower or faster only if it is by this factor and by this many seconds.
const FACTOR: f64 = 1.5;
const SECONDS: f64 = 0.5;

type Key<'a> = (&'a str, usize, &'a str);

/// How two runs differ; `docs/bench-diff.schema.json` is the JSON form.
pub struct Difference<'a> {
    /// Rows of the second run whose verdict is wrong.
    pub wrong: Vec<&'a Row>,
    /// What both runs were asked.
    pub common: Vec<(&'a Row, &'a Row)>,
    /// Those of `common` with another verdict, or with another truth.
    pub changed: Vec<(&'a Row, &'a Row)>,
    pub only_before: Vec<&'a Row>,
    pub only_after: Vec<&'a Row>,
    /// Seconds of all programs in both runs, each counted once.
    pub seconds: (f64, f64),
    /// Programs that are much slower or faster, the slower first.
    pub notable: Vec<Pace<'a>>,
}

/// A program, and its seconds before and after.
pub(crate) type Pace<'a> = (&'a str, f64, f64);

impl<'a> Difference<'a> {
    pub fn new(before: &'a [Row], after: &'a [Row]) -> Self {
        let old: BTreeMap<Key<'_>, &Row> = before.iter().map(|it| (it.sort_key(), it)).collect();
        let new: BTreeMap<Key<'_>, &Row> = after.iter().map(|it| (it.sort_key(), it)).collect();
        let common: Vec<(&Row, &Row)> = new
            .iter()
            .filter_map(|(key, after)| Some((*old.get(key)?, *after)))
            .collect();
        let (seconds, notable) = times(&common);
        Self {
            wrong: new
                .values()
                .copied()
                .filter(|it| it.rating() == Rating::Wrong)
                .collect(),
            changed: common
                .iter()
                .copied()
                .filter(|(a, b)| a.answer != b.answer || a.expected != b.expected)
                .collect(),
            common,
            only_before: only_in_one(&old, &new),
            only_after: only_in_one(&new, &old),
            seconds,
            notable,
        }
    }

    /// How many rows of both runs had each rating before, and have it now.
    pub fn counts(&self) -> [(&'static str, usize, usize); 5] {
        let count = |name: &'static str, is: &dyn Fn(Rating) -> bool| {
            let old = self.common.iter().filter(|(a, _)| is(a.rating())).count();
            let new = self.common.iter().filter(|(_, b)| is(b.rating())).count();
            (name, old, new)
        };
        [
            count("right", &|it| {
                matches!(it, Rating::RightTrue | Rating::RightFalse)
            }),
            count("wrong", &|it| it == Rating::Wrong),
            count("unknown", &|it| it == Rating::Unknown),
            count("crashed", &|it| it == Rating::Crashed),
            count("error", &|it| it == Rating::Error),
        ]
    }

    pub fn text(&self, timing: Timing) -> String {
        let mut text = String::new();
        if !self.wrong.is_empty() {
            let _ = writeln!(
                text,
                "wrong verdicts of the second run: {}",
                self.wrong.len()
            );
            for row in &self.wrong {
                let _ = writeln!(text, "  {}", wrong_line(row));
            }
            text.push('\n');
        }
        let _ = writeln!(
            text,
            "changed verdicts: {} of {}",
            self.changed.len(),
            self.common.len()
        );
        for (a, b) in &self.changed {
            let _ = write!(
                text,
                "  {}: {} was {}, is {}",
                b.program,
                if b.property.is_empty() {
                    "the definition"
                } else {
                    &b.property
                },
                described(a),
                described(b),
            );
            let _ = match timing {
                Timing::Shown => writeln!(text, " ({:.2} s, then {:.2} s)", a.seconds, b.seconds),
                Timing::Hidden => writeln!(text),
            };
        }
        list_only(&mut text, "first", &self.only_before);
        list_only(&mut text, "second", &self.only_after);
        text.push('\n');
        for (name, old, new) in self.counts() {
            let _ = writeln!(text, "  {name:8} {old:>9} -> {new:>9}");
        }
        if timing == Timing::Shown {
            self.times_text(&mut text);
        }
        text
    }

    fn times_text(&self, text: &mut String) {
        let (old, new) = self.seconds;
        let _ = writeln!(
            text,
            "  {:8} {old:>9.2} -> {new:>9.2}{}",
            "seconds",
            percent(old, new)
        );
        if !self.notable.is_empty() {
            let _ = writeln!(text, "\nmuch slower or faster: {}", self.notable.len());
        }
        for (program, a, b) in &self.notable {
            let _ = writeln!(text, "  {program}: {a:.2} s -> {b:.2} s{}", percent(*a, *b));
        }
    }
}

fn described(row: &Row) -> String {
    let mut text = row.answer.word().to_owned();
    if !row.reason.is_empty() {
        let _ = write!(text, " [{}]", row.reason);
    }
    match row.rating() {
        Rating::Wrong => text.push_str(" (wrong)"),
        Rating::RightTrue | Rating::RightFalse => text.push_str(" (right)"),
        Rating::Unknown | Rating::Error | Rating::Crashed => {}
    }
    text
}

fn only_in_one<'a>(
    one: &BTreeMap<Key<'_>, &'a Row>,
    other: &BTreeMap<Key<'_>, &'a Row>,
) -> Vec<&'a Row> {
    one.iter()
        .filter(|(key, _)| !other.contains_key(*key))
        .map(|(_, row)| *row)
        .collect()
}

fn list_only(text: &mut String, which: &str, only: &[&Row]) {
    if only.is_empty() {
        return;
    }
    let _ = writeln!(text, "only in the {which} run: {}", only.len());
    for row in only {
        let _ = writeln!(
            text,
            "  {}: {} is {}",
            row.program,
            row.property,
            described(row)
        );
    }
}

/// The seconds of both runs, and the programs that differ much; each program once.
fn times<'a>(common: &[(&'a Row, &'a Row)]) -> ((f64, f64), Vec<Pace<'a>>) {
    let of_program: BTreeMap<&str, (f64, f64)> = common
        .iter()
        .map(|(a, b)| (b.program.as_str(), (a.seconds, b.seconds)))
        .collect();
    let total = of_program
        .values()
        .fold((0.0, 0.0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
    let mut notable: Vec<Pace<'_>> = of_program
        .into_iter()
        .map(|(program, (a, b))| (program, a, b))
        .filter(|(_, a, b)| (a - b).abs() >= SECONDS && (*b >= a * FACTOR || *a >= b * FACTOR))
        .collect();
    notable.sort_by(|x, y| (y.2 - y.1).total_cmp(&(x.2 - x.1)).then(x.0.cmp(y.0)));
    (total, notable)
}

fn percent(old: f64, new: f64) -> String {
    if old > 0.0 {
        format!(" ({:+.0} %)", (new - old) / old * 100.0)
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(lines: &[&str]) -> Vec<Row> {
        lines.iter().map(|it| Row::from_line(it).unwrap()).collect()
    }

    #[test]
    fn every_changed_verdict_is_listed_with_the_times() {
        let before = rows(&[
            "a,assert,safe,unknown,time,,20.0,,",
            "a,race,safe,safe,,no,20.0,,",
            "b,race,unsafe,unsafe,,yes,1.0,,",
            "c,race,safe,safe,,no,0.5,,",
        ]);
        let after = rows(&[
            "b,race,unsafe,safe,,no,1.0,,",
            "a,assert,safe,safe,,no,4.0,,",
            "a,race,safe,safe,,no,4.0,,",
            "d,race,safe,crashed,signal 11,,0.1,,",
        ]);
        let difference = Difference::new(&before, &after);
        assert_eq!(
            difference.text(Timing::Shown),
            "\
wrong verdicts of the second run: 1
  b: race is said to be safe, the truth is unsafe

changed verdicts: 2 of 3
  a: assert was unknown [time], is safe (right) (20.00 s, then 4.00 s)
  b: race was unsafe (right), is safe (wrong) (1.00 s, then 1.00 s)
only in the first run: 1
  c: race is safe (right)
only in the second run: 1
  d: race is crashed [signal 11]

  right            2 ->         2
  wrong            0 ->         1
  unknown          1 ->         0
  crashed          0 ->         0
  error            0 ->         0
  seconds      21.00 ->      5.00 (-76 %)

much slower or faster: 1
  a: 20.00 s -> 4.00 s (-80 %)
"
        );
    }
}
