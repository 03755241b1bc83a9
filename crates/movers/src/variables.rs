//! What keeps the accesses to each variable apart, or which two of them are not kept apart.

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::SourceMap;
use raddle_engine_explicit::survey::{Place, Survey, TouchKind};
use raddle_reduce::guesses::Guess;
use raddle_reduce::keys::{LockKey, ObjectKey};

use super::data::{AccessData, VariableData, VariableStatus};
use super::names::{Names, quoted};
use super::place;

/// An access of an edge to a variable, in all its visits.
#[derive(Clone)]
struct Access<'a> {
    edge: Place,
    is_write: bool,
    locks: &'a BTreeSet<LockKey>,
}

/// A variable with its size.
type Variable = (ObjectKey, u64);

pub(super) fn variables(
    sources: &SourceMap,
    survey: &Survey,
    names: &Names<'_>,
) -> Vec<VariableData> {
    let mut accesses: BTreeMap<Variable, (u64, Vec<Access<'_>>)> = BTreeMap::new();
    let mut syncs: BTreeSet<Variable> = BTreeSet::new();
    for (&edge, conduct) in &survey.steps {
        for (touch, holding) in &conduct.touched {
            let variable = (touch.object, touch.offset);
            let is_write = match touch.kind {
                TouchKind::Read => false,
                TouchKind::Write => true,
                TouchKind::Sync => {
                    syncs.insert(variable);
                    continue;
                }
                TouchKind::End => continue,
            };
            let known = accesses.entry(variable).or_default();
            known.0 = known.0.max(touch.size);
            known.1.push(Access {
                edge,
                is_write,
                locks: &holding.locks,
            });
        }
    }
    let tried = syncs
        .into_iter()
        .filter(|(object, offset)| !survey.guesses.holds(Guess::Untried(*object, *offset)))
        .map(|(object, offset)| VariableData {
            name: names.place(object, offset),
            status: VariableStatus::Tried,
            locks: Vec::new(),
            thread: None,
            message: "someone tries it, waits for it with a time limit or reads its value"
                .to_owned(),
            accesses: Vec::new(),
        });
    accesses
        .iter()
        .map(|(variable, (size, accesses))| {
            of_variable(*variable, *size, accesses, sources, survey, names)
        })
        .chain(tried)
        .collect()
}

fn of_variable(
    (object, offset): Variable,
    size: u64,
    accesses: &[Access<'_>],
    sources: &SourceMap,
    survey: &Survey,
    names: &Names<'_>,
) -> VariableData {
    let disciplines: Vec<_> = (offset..offset + size)
        .filter_map(|it| survey.guesses.discipline(Guess::Byte(object, it)))
        .collect();
    let data = |status, message: String| VariableData {
        name: names.place(object, offset),
        status,
        locks: Vec::new(),
        thread: None,
        message,
        accesses: Vec::new(),
    };
    let Some(first) = disciplines.first() else {
        return data(
            VariableStatus::Declared,
            "kept apart by its predicate of exclusive access".to_owned(),
        );
    };
    if let Some(user) = first.only_user()
        && disciplines.iter().all(|it| it.only_user() == Some(user))
    {
        let thread = names.thread(user);
        let message = format!("only thread `{thread}` uses it");
        return VariableData {
            thread: Some(thread),
            ..data(VariableStatus::OneThread, message)
        };
    }
    if disciplines.iter().all(|it| !it.is_written()) {
        let message = "nobody writes it while threads share it".to_owned();
        return data(VariableStatus::ReadOnly, message);
    }
    let protecting = disciplines
        .iter()
        .filter_map(|it| it.protecting_locks())
        .reduce(|one, other| one.intersection(&other).copied().collect())
        .unwrap_or_default();
    let locks = names.locks(protecting.iter().copied(), object);
    if !locks.is_empty() {
        let message = format!("protected by {}", quoted(&locks));
        return VariableData {
            locks,
            ..data(VariableStatus::Protected, message)
        };
    }
    let shown: Vec<AccessData> = culprits(accesses)
        .into_iter()
        .map(|it| access_data(it, object, sources, names))
        .collect();
    let described: Vec<String> = shown.iter().map(described).collect();
    VariableData {
        accesses: shown,
        ..data(
            VariableStatus::Unprotected,
            format!("not protected: {}", described.join(", ")),
        )
    }
}

/// Two accesses that no common lock keeps apart, one of them writing; or one that may meet itself.
fn culprits<'a>(accesses: &'a [Access<'a>]) -> Vec<&'a Access<'a>> {
    let clash = |one: &Access<'_>, other: &Access<'_>| {
        (one.is_write || other.is_write) && one.locks.is_disjoint(other.locks)
    };
    let pairs = || {
        accesses.iter().enumerate().flat_map(|(at, one)| {
            let rest = accesses.iter().skip(at + 1);
            rest.map(move |other| (one, other))
        })
    };
    let differ = |(one, other): &(&Access<'_>, &Access<'_>)| one.edge != other.edge;
    if let Some((one, other)) = pairs()
        .filter(differ)
        .find(|(one, other)| clash(one, other))
    {
        return vec![one, other];
    }
    if let Some(alone) = accesses.iter().find(|it| it.is_write && clash(it, it)) {
        return vec![alone];
    }
    // No two, but three or more have no lock in common.
    let mut by_locks: Vec<&Access<'_>> = accesses.iter().collect();
    by_locks.sort_by_key(|it| it.locks.len());
    by_locks.truncate(2);
    by_locks
}

fn access_data(
    access: &Access<'_>,
    object: ObjectKey,
    sources: &SourceMap,
    names: &Names<'_>,
) -> AccessData {
    let (function, edge) = access.edge;
    let span = names.program.edge(function, edge).span;
    AccessData {
        place: span.and_then(|it| place(sources, it)),
        function: names.program.functions[function].name.clone(),
        is_write: access.is_write,
        locks: names.locks(access.locks.iter().copied(), object),
    }
}

/// As in: written under `m` at a.c:20.
fn described(access: &AccessData) -> String {
    let does = if access.is_write { "written" } else { "read" };
    let how = if access.locks.is_empty() {
        "without a lock".to_owned()
    } else {
        format!("under {}", quoted(&access.locks))
    };
    match &access.place {
        Some(place) => format!("{does} {how} at {}:{}", place.file, place.line),
        None => format!("{does} {how} in `{}`", access.function),
    }
}
