//! What people call locks and variables, told from the program and, for memory without a name, from the source.

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::SourceMap;
use raddle_engine::Reduction;
use raddle_engine_explicit::survey::Survey;
use raddle_ir::interpret::ThreadNumber;
use raddle_ir::{Action, AllocateKind, Program, Type};
use raddle_reduce::keys::{LockKey, ObjectKey};
use raddle_reduce::watched::{Watched, object_of};

pub(super) struct Names<'a> {
    pub(super) program: &'a Program,
    pub(super) reduction: Reduction,
    /// What invariants look at, which does not move.
    watched: Option<Watched>,
    survey: &'a Survey,
    /// How the source writes memory that has no name of its own, as in `node->lock`.
    written: BTreeMap<(ObjectKey, u64), String>,
}

impl<'a> Names<'a> {
    pub(super) fn new(
        program: &'a Program,
        sources: &SourceMap,
        survey: &'a Survey,
        reduction: Reduction,
    ) -> Self {
        let mut written = BTreeMap::new();
        for (&(function, edge), conduct) in &survey.steps {
            let Some(span) = program.edge(function, edge).span else {
                continue;
            };
            // What touches several things does not say which is which.
            let mut touched = conduct.touched.keys();
            let (Some(touch), None) = (touched.next(), touched.next()) else {
                continue;
            };
            if !matches!(touch.object, ObjectKey::Made(_)) || !sources.knows(span) {
                continue;
            }
            if let Some(text) = lvalue(sources.text(span)) {
                written
                    .entry((touch.object, touch.offset))
                    .or_insert_with(|| text.to_owned());
            }
        }
        Self {
            program,
            reduction,
            watched: Watched::invariants(program),
            survey,
            written,
        }
    }

    pub(super) fn is_watched(&self, object: ObjectKey, offset: u64, size: u64) -> bool {
        match (object, &self.watched) {
            (ObjectKey::Global(global), Some(watched)) => {
                watched.covers(object_of(global), offset, size)
            }
            (ObjectKey::Global(_) | ObjectKey::Made(_), _) => false,
        }
    }

    pub(super) fn thread(&self, thread: ThreadNumber) -> String {
        self.survey
            .threads
            .get(&thread)
            .cloned()
            .unwrap_or_else(|| format!("thread {}", thread.0))
    }

    /// As in `count`, `account.counter` or `it->counter`.
    pub(super) fn place(&self, object: ObjectKey, offset: u64) -> String {
        let path = |ty: &Type| ty.path_to(offset, &self.program.structs, self.program.model);
        match object {
            ObjectKey::Global(global) => {
                let global = &self.program.globals[global];
                format!("{}{}", global.name, path(&global.ty))
            }
            ObjectKey::Made((function, edge)) => {
                if let Some(text) = self.written.get(&(object, offset)) {
                    return text.clone();
                }
                let function = &self.program.functions[function];
                let Action::Allocate {
                    target, ty, kind, ..
                } = &function.edges[edge].action
                else {
                    return format!("memory of {}", function.name);
                };
                let owner = &function.registers[*target].name;
                let part = match ty {
                    Some(ty) => path(ty),
                    None if offset == 0 => String::new(),
                    None => format!("+{offset}"),
                };
                match kind {
                    AllocateKind::Stack => format!("{owner}{part}"),
                    AllocateKind::Heap => format!("memory of {}::{owner}{part}", function.name),
                }
            }
        }
    }

    /// A lock as seen from an object that it protects.
    fn lock(&self, lock: LockKey, seen_from: ObjectKey) -> String {
        match lock {
            LockKey::Global(global, offset) => self.place(ObjectKey::Global(global), offset),
            LockKey::Relative(offset) => self.place(seen_from, offset),
            LockKey::Made(site, offset) => self.place(ObjectKey::Made(site), offset),
        }
    }

    /// Each lock once, though it may have several keys.
    pub(super) fn locks(
        &self,
        locks: impl IntoIterator<Item = LockKey>,
        seen_from: ObjectKey,
    ) -> Vec<String> {
        let all: BTreeSet<String> = locks
            .into_iter()
            .map(|it| self.lock(it, seen_from))
            .collect();
        all.into_iter().collect()
    }
}

/// As in: `a`, `b` and `c`.
pub(super) fn quoted(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|it| format!("`{it}`")).collect();
    match &quoted[..] {
        [] => "no lock".to_owned(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

/// The variable that a statement of the source speaks of, if it is plain to see.
fn lvalue(text: &str) -> Option<&str> {
    let text = text.trim();
    // The first argument of a call, or what follows a word of the language.
    let inner = match text.split_once('(') {
        Some((name, rest)) if is_word(name.trim()) && rest.ends_with(')') => {
            rest[..rest.len() - 1].split(',').next().unwrap_or(rest)
        }
        Some(_) | None => text,
    };
    let inner = ["lock ", "acquire ", "release "]
        .iter()
        .find_map(|it| inner.strip_prefix(it))
        .unwrap_or(inner);
    let inner = inner.trim().trim_start_matches('&');
    let inner = inner
        .trim_end_matches('{')
        .trim_end()
        .trim_end_matches("++")
        .trim_end_matches("--")
        .trim_start_matches("++")
        .trim_start_matches("--");
    let inner = match inner.find([' ', '=', '+', '*', '/']) {
        // A left side, or the left operand of something longer.
        Some(at)
            if inner[at..]
                .trim_start_matches([' ', '+', '-'])
                .starts_with('=') =>
        {
            &inner[..at]
        }
        Some(_) => return None,
        None => inner,
    };
    let inner = inner.trim();
    let is_part = |it: char| it.is_alphanumeric() || "_.->[]".contains(it);
    let begins = inner.starts_with(|it: char| it.is_alphabetic() || it == '_');
    (begins && inner.chars().all(is_part)).then_some(inner)
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|it| it.is_alphanumeric() || it == '_')
}

#[cfg(test)]
mod tests {
    use super::lvalue;

    #[test]
    fn the_variable_of_a_statement_is_found() {
        for (text, name) in [
            ("pthread_mutex_lock(&node->lock)", Some("node->lock")),
            ("pthread_cond_wait(&q->full, &q->lock)", Some("q->full")),
            ("it->counter++", Some("it->counter")),
            ("it->counter", Some("it->counter")),
            ("it->counter = 0", Some("it->counter")),
            ("it->counter += 2", Some("it->counter")),
            ("lock s.m {", Some("s.m")),
            ("a + b", None),
            ("*p = 1", None),
            ("", None),
        ] {
            assert_eq!(lvalue(text), name, "{text}");
        }
    }
}
