//! The functions of threads, locks, atomic accesses and verifiers that a program may call, by name.
//!
//! Taken from what gives them their meaning, so that tests can ask for programs that use each.

use raddle_base::{FileId, Id};
use raddle_c_syntax::tree::{BlockItem, ExpressionKind, Item, StatementKind, Storage};

use crate::check::atomic_builtins;
use crate::library::TEXTS;
use crate::lower;

/// The texts whose functions are meant.
const THREADS: &[&str] = &["cancel.c", "pthread.c", "threads.c"];

/// Names that begin so are not the user's.
const OURS: &str = "__raddle_";

/// What stops an execution that we cannot follow.
const REFUSAL: &str = "__raddle_unsupported";

/// A function, or all functions whose names begin so.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Modelled {
    /// Ends in `_` if it is the beginning of names.
    pub name: String,
    /// Calling it makes the verdict unknown.
    pub is_refused: bool,
}

/// All of them, by name.
pub fn functions() -> Vec<Modelled> {
    let known = |name: String| Modelled {
        name,
        is_refused: false,
    };
    let mut functions: Vec<Modelled> = lower::known_names()
        .map(str::to_owned)
        .chain(atomic_builtins())
        .map(known)
        .collect();
    let nowhere = FileId::from_index(0);
    for (_, text) in TEXTS.iter().filter(|(name, _)| THREADS.contains(name)) {
        let parsed = raddle_c_syntax::parse(nowhere, text.as_bytes());
        functions.extend(parsed.unit.items.iter().filter_map(of_text));
    }
    functions.sort();
    functions.dedup_by(|later, earlier| later.name == earlier.name);
    functions
}

/// A function that a text defines for the user.
fn of_text(item: &Item) -> Option<Modelled> {
    let Item::Function(function) = item else {
        return None;
    };
    let name = &function.declarator.name.as_ref()?.name;
    if function.specifiers.storage == Some(Storage::Static) || name.starts_with(OURS) {
        return None;
    }
    Some(Modelled {
        name: name.to_string(),
        is_refused: function.body.items.first().is_some_and(is_refusal),
    })
}

fn is_refusal(item: &BlockItem) -> bool {
    if let BlockItem::Statement(statement) = item
        && let StatementKind::Expression(Some(expression)) = &statement.kind
        && let ExpressionKind::Call(function, _) = &expression.kind
        && let ExpressionKind::Identifier(name) = &function.kind
    {
        return &**name == REFUSAL;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::functions;

    #[test]
    fn functions_come_from_every_place_that_gives_them_meaning() {
        let functions = functions();
        for (name, is_refused) in [
            ("pthread_create", false),
            ("pthread_mutex_lock", false),
            ("pthread_cancel", false),
            ("sem_open", true),
            ("cnd_wait", false),
            ("sem_post", false),
            ("__sync_fetch_and_add", false),
            ("__atomic_compare_exchange_n", false),
            ("__VERIFIER_atomic_begin", false),
        ] {
            let found = functions.iter().find(|it| it.name == name);
            assert_eq!(found.map(|it| it.is_refused), Some(is_refused), "{name}");
        }
    }
}
