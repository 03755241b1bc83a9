//! Two runs side by side: every verdict that changed, and the time.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::row::{Rating, Row};
use super::table::wrong_line;

/// A program is slower or faster only if it is by this factor and by this many seconds.
const FACTOR: f64 = 1.5;
const SECONDS: f64 = 0.5;

type Key<'a> = (&'a str, usize, &'a str);

/// Whether any verdict of the second run is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AnyWrong(pub(crate) bool);

pub(crate) fn render(before: &[Row], after: &[Row]) -> (String, AnyWrong) {
    let old: BTreeMap<Key<'_>, &Row> = before.iter().map(|it| (it.sort_key(), it)).collect();
    let new: BTreeMap<Key<'_>, &Row> = after.iter().map(|it| (it.sort_key(), it)).collect();
    let mut text = String::new();
    let wrong: Vec<&Row> = new
        .values()
        .copied()
        .filter(|it| it.rating() == Rating::Wrong)
        .collect();
    if !wrong.is_empty() {
        let _ = writeln!(text, "wrong verdicts of the second run: {}", wrong.len());
        for row in &wrong {
            let _ = writeln!(text, "  {}", wrong_line(row));
        }
        text.push('\n');
    }
    let common: Vec<(&Row, &Row)> = new
        .iter()
        .filter_map(|(key, after)| Some((*old.get(key)?, *after)))
        .collect();
    let changed: Vec<&(&Row, &Row)> = common
        .iter()
        .filter(|(a, b)| a.answer != b.answer || a.expected != b.expected)
        .collect();
    let _ = writeln!(
        text,
        "changed verdicts: {} of {}",
        changed.len(),
        common.len()
    );
    for (a, b) in changed {
        let _ = writeln!(
            text,
            "  {}: {} was {}, is {} ({:.2} s, then {:.2} s)",
            b.program,
            if b.property.is_empty() {
                "the definition"
            } else {
                &b.property
            },
            described(a),
            described(b),
            a.seconds,
            b.seconds
        );
    }
    only_in_one(&mut text, "first", &old, &new);
    only_in_one(&mut text, "second", &new, &old);
    text.push('\n');
    counts(&mut text, &common);
    times(&mut text, &common);
    (text, AnyWrong(!wrong.is_empty()))
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

fn only_in_one(
    text: &mut String,
    which: &str,
    one: &BTreeMap<Key<'_>, &Row>,
    other: &BTreeMap<Key<'_>, &Row>,
) {
    let only: Vec<&Row> = one
        .iter()
        .filter(|(key, _)| !other.contains_key(*key))
        .map(|(_, row)| *row)
        .collect();
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

fn counts(text: &mut String, common: &[(&Row, &Row)]) {
    let count = |is: &dyn Fn(Rating) -> bool| {
        let old = common.iter().filter(|(a, _)| is(a.rating())).count();
        let new = common.iter().filter(|(_, b)| is(b.rating())).count();
        (old, new)
    };
    let of = |rating: Rating| count(&move |it| it == rating);
    let right = count(&|it| matches!(it, Rating::RightTrue | Rating::RightFalse));
    for (name, (old, new)) in [
        ("right", right),
        ("wrong", of(Rating::Wrong)),
        ("unknown", of(Rating::Unknown)),
        ("crashed", of(Rating::Crashed)),
        ("error", of(Rating::Error)),
    ] {
        let _ = writeln!(text, "  {name:8} {old:>9} -> {new:>9}");
    }
}

/// Of programs in both runs, each once.
fn times(text: &mut String, common: &[(&Row, &Row)]) {
    let of_program: BTreeMap<&str, (f64, f64)> = common
        .iter()
        .map(|(a, b)| (b.program.as_str(), (a.seconds, b.seconds)))
        .collect();
    let (old, new) = of_program
        .values()
        .fold((0.0, 0.0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
    let _ = writeln!(
        text,
        "  {:8} {old:>9.2} -> {new:>9.2}{}",
        "seconds",
        percent(old, new)
    );
    let mut notable: Vec<(&str, f64, f64)> = of_program
        .into_iter()
        .map(|(program, (a, b))| (program, a, b))
        .filter(|(_, a, b)| (a - b).abs() >= SECONDS && (*b >= a * FACTOR || *a >= b * FACTOR))
        .collect();
    notable.sort_by(|x, y| (y.2 - y.1).total_cmp(&(x.2 - x.1)).then(x.0.cmp(y.0)));
    if !notable.is_empty() {
        let _ = writeln!(text, "\nmuch slower or faster: {}", notable.len());
    }
    for (program, a, b) in notable {
        let _ = writeln!(text, "  {program}: {a:.2} s -> {b:.2} s{}", percent(a, b));
    }
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
        let (text, any_wrong) = render(&before, &after);
        assert_eq!(any_wrong, AnyWrong(true));
        assert_eq!(
            text,
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
