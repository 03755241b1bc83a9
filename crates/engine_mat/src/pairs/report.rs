//! What people and programs are told about the passes of a system.

use std::fmt;

use super::mats::{Mat, Transaction};
use super::system::{Access, System};
use super::{Pairs, Pass, Reason, all_pairs};

/// Conflicts, transactions and passes, with the names that the caller gave the accesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// How many passes there would be if none was left out.
    pub all_pairs: usize,
    pub conflicts: Vec<Conflict>,
    pub mats: Vec<NamedMat>,
    pub pairs: Vec<NamedPass>,
    pub dropped: Vec<(String, String)>,
}

/// Two accesses that cannot be exchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    pub first: String,
    pub second: String,
    pub kind: ConflictKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConflictKind {
    /// Either may come right before the other.
    Both,
    /// Only the second may come right after the first: an unlock and a lock.
    OneWay,
    /// The second always comes after the first: starting and joining threads.
    Ordered,
}

impl ConflictKind {
    /// One word for machines.
    pub fn name(self) -> &'static str {
        match self {
            ConflictKind::Both => "conflict",
            ConflictKind::OneWay => "follows",
            ConflictKind::Ordered => "ordered",
        }
    }
}

/// The first and the last access of both transactions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedMat {
    pub left: (String, String),
    pub right: (String, String),
}

/// The token may go from after one access to before another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPass {
    pub from: String,
    pub to: String,
    /// The reason, as a clause.
    pub reason: String,
    /// The number of the transactions that are the reason, from one.
    pub mat: Option<usize>,
}

/// Tells what was kept of a system and why.
pub fn report(system: &System, pairs: &Pairs, name: impl Fn(Access) -> String) -> Report {
    let pass = |(pass, reason): (&Pass, &Reason)| NamedPass {
        from: name(pass.from),
        to: name(pass.to),
        reason: describe(pass.from, *reason, &name),
        mat: match reason {
            Reason::Mat(number) => Some(number + 1),
            Reason::Switch { .. } | Reason::Standing | Reason::Order => None,
        },
    };
    let dropped: Vec<(String, String)> = all_pairs(system)
        .filter(|pass| !pairs.passes.contains_key(pass))
        .map(|pass| (name(pass.from), name(pass.to)))
        .collect();
    Report {
        all_pairs: all_pairs(system).count(),
        conflicts: conflicts(system, &name),
        mats: pairs.mats.iter().map(|mat| named(mat, &name)).collect(),
        pairs: pairs.passes.iter().map(pass).collect(),
        dropped,
    }
}

fn conflicts(system: &System, name: &impl Fn(Access) -> String) -> Vec<Conflict> {
    let mut conflicts = Vec::new();
    let mut add = |first, second, kind| {
        conflicts.push(Conflict {
            first: name(first),
            second: name(second),
            kind,
        });
    };
    for first in system.accesses() {
        for &second in system.followers(first) {
            if !system.is_conflict(first, second) {
                add(first, second, ConflictKind::OneWay);
            } else if first < second {
                add(first, second, ConflictKind::Both);
            }
        }
    }
    for &(first, second) in system.orders() {
        add(first, second, ConflictKind::Ordered);
    }
    conflicts
}

fn named(mat: &Mat, name: &impl Fn(Access) -> String) -> NamedMat {
    let ends = |it: Transaction| {
        let access = |index| Access {
            thread: it.thread,
            index,
        };
        (name(access(it.first)), name(access(it.last)))
    };
    NamedMat {
        left: ends(mat.left),
        right: ends(mat.right),
    }
}

fn describe(from: Access, reason: Reason, name: &impl Fn(Access) -> String) -> String {
    match reason {
        Reason::Mat(number) => format!("transactions {}", number + 1),
        Reason::Switch { follower, since } => {
            let before = since.map_or_else(
                || "the thread starts there".into(),
                |since| format!("others may follow {} in between", name(since)),
            );
            let (follower, from) = (name(follower), name(from));
            format!("{before}, and {follower} may follow {from} later")
        }
        Reason::Standing => format!("its thread may stop after {}", name(from)),
        Reason::Order => "a thread is started or joined".into(),
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.conflicts.len();
        writeln!(f, "{number} {}", plural(number, "conflict"))?;
        for conflict in &self.conflicts {
            let between = match conflict.kind {
                ConflictKind::Both => "and",
                ConflictKind::OneWay => "may be followed by",
                ConflictKind::Ordered => "before",
            };
            writeln!(f, "  {} {between} {}", conflict.first, conflict.second)?;
        }
        let number = self.mats.len();
        let pairs = plural(number, "pair");
        writeln!(f, "{number} {pairs} of mutually atomic transactions")?;
        for (number, mat) in self.mats.iter().enumerate() {
            let [left, right] =
                [&mat.left, &mat.right].map(|(first, last)| format!("{first} to {last}"));
            writeln!(f, "  {}: {left}, {right}", number + 1)?;
        }
        writeln!(
            f,
            "{} of {} token passes kept, {} dropped",
            self.pairs.len(),
            self.all_pairs,
            self.dropped.len()
        )?;
        for pass in &self.pairs {
            writeln!(f, "  from {} to {}: {}", pass.from, pass.to, pass.reason)?;
        }
        Ok(())
    }
}

fn plural(number: usize, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{noun}{ending}")
}

#[cfg(test)]
mod tests {
    use super::super::{Thread, kept_pairs};
    use super::*;

    fn at(thread: usize, index: usize) -> Access {
        Access { thread, index }
    }

    fn letter(access: Access) -> String {
        format!("`{}{}`", access.index + 1, ["a", "b", "c"][access.thread])
    }

    #[test]
    fn transactions_and_passes_are_listed_with_their_names() {
        let mut system = System::new(vec![Thread::line(2), Thread::line(2)]);
        system.add_conflict(at(0, 1), at(1, 0));
        let report = report(&system, &kept_pairs(&system), letter);
        assert_eq!(
            report.to_string(),
            "1 conflict\n  \
               `2a` and `1b`\n\
             1 pair of mutually atomic transactions\n  \
               1: `1a` to `2a`, `1b` to `1b`\n\
             2 of 8 token passes kept, 6 dropped\n  \
               from `2a` to `1b`: transactions 1\n  \
               from `1b` to `1a`: transactions 1\n"
        );
        assert_eq!(report.dropped.len(), 6);
    }

    #[test]
    fn locks_and_starts_are_named_as_what_they_are() {
        let mut system = System::new(vec![Thread::line(3), Thread::line(2), Thread::line(2)]);
        system.add_order(at(0, 0), at(1, 0));
        system.add_order(at(0, 1), at(2, 0));
        system.add_follower(at(1, 1), at(2, 0));
        system.add_follower(at(2, 1), at(1, 0));
        let report = report(&system, &kept_pairs(&system), letter);
        assert_eq!(
            report.to_string(),
            "4 conflicts\n  \
               `2b` may be followed by `1c`\n  \
               `2c` may be followed by `1b`\n  \
               `1a` before `1b`\n  \
               `2a` before `1c`\n\
             0 pairs of mutually atomic transactions\n\
             5 of 32 token passes kept, 27 dropped\n  \
               from `1a` to `1b`: a thread is started or joined\n  \
               from `2a` to `1b`: a thread is started or joined\n  \
               from `2a` to `1c`: a thread is started or joined\n  \
               from `2b` to `1c`: the thread starts there, and `1c` may follow `2b` later\n  \
               from `2c` to `1b`: the thread starts there, and `1b` may follow `2c` later\n"
        );
    }
}
