//! Names and what they stand for, in nested scopes.

use std::collections::HashMap;
use std::rc::Rc;

use raddle_base::Span;
use raddle_c_syntax::tree::Name;
use raddle_diag::Diagnostic;

use super::nested::Nested;
use super::{Checker, Poisoned};
use crate::typed::{FunctionId, LocalId, ObjectId};
use crate::types::{EnumerationId, FunctionType, Qualified, RecordId, Type};

/// A type with the alignment that was asked for it.
#[derive(Clone, Debug)]
pub(super) struct Specified {
    pub(super) ty: Qualified,
    /// That a typedef gave the type, instead of its own.
    pub(super) align: Option<u64>,
    /// That what is declared is to have at least.
    pub(super) requested: Option<u64>,
}

impl From<Qualified> for Specified {
    fn from(ty: Qualified) -> Self {
        Self {
            ty,
            align: None,
            requested: None,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) enum Entity {
    Typedef(Specified),
    /// The bits of its value.
    Enumerator(u128, Type),
    /// With its type as far as it is known here.
    Object(ObjectId, Qualified),
    Local(LocalId),
    Function(FunctionId, Rc<FunctionType>),
    /// Of a declaration that is no definition: may only be asked for its type.
    Parameter(Qualified),
    /// Of a function that is being checked, or of one around it.
    NestedFunction(Nested),
    /// Its declaration was wrong.
    Poisoned,
}

#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub(super) entity: Entity,
    pub(super) span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    Record(RecordId),
    Enumeration(EnumerationId),
}

#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    names: HashMap<Name, Declared>,
    tags: HashMap<Name, Tag>,
}

impl Checker {
    pub(super) fn lookup(&self, name: &str) -> Option<&Declared> {
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.names.get(name))
    }

    /// Which scope a visible name stands in.
    pub(super) fn scope_of(&self, name: &str) -> Option<usize> {
        self.scopes
            .iter()
            .rposition(|scope| scope.names.contains_key(name))
    }

    pub(super) fn lookup_here(&self, name: &str) -> Option<&Declared> {
        self.scopes.last().and_then(|scope| scope.names.get(name))
    }

    pub(super) fn lookup_in_file(&self, name: &str) -> Option<&Declared> {
        self.scopes.first().and_then(|scope| scope.names.get(name))
    }

    pub(super) fn bind(&mut self, name: &Name, entity: Entity, span: Span) {
        let scope = self.scopes.last_mut().expect("the file scope stays");
        scope.names.insert(name.clone(), Declared { entity, span });
    }

    pub(super) fn bind_in_file(&mut self, name: &Name, entity: Entity, span: Span) {
        let scope = self.scopes.first_mut().expect("the file scope stays");
        scope.names.insert(name.clone(), Declared { entity, span });
    }

    /// Makes the name useless without further complaints, unless it means something already.
    pub(super) fn bind_poisoned(&mut self, name: &Name, span: Span) {
        if self.lookup_here(name).is_none() {
            self.bind(name, Entity::Poisoned, span);
        }
    }

    pub(super) fn lookup_tag(&self, name: &str) -> Option<Tag> {
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.tags.get(name).copied())
    }

    pub(super) fn lookup_tag_here(&self, name: &str) -> Option<Tag> {
        self.scopes
            .last()
            .and_then(|scope| scope.tags.get(name).copied())
    }

    pub(super) fn bind_tag(&mut self, name: &Name, tag: Tag) {
        let scope = self.scopes.last_mut().expect("the file scope stays");
        scope.tags.insert(name.clone(), tag);
    }

    pub(super) fn push_scope(&mut self) {
        self.scopes.push(Scope::default());
    }

    pub(super) fn pop_scope(&mut self) {
        debug_assert!(self.scopes.len() > 1, "the file scope stays");
        self.scopes.pop();
    }

    /// A visible name that may have been meant.
    pub(super) fn similar_name(&self, wanted: &str) -> Option<String> {
        let mut names: Vec<&Name> = Vec::new();
        for scope in &self.scopes {
            // Sorted below, so that the order of the table does not matter.
            names.extend(
                scope
                    .names
                    .iter()
                    .filter(|(_, declared)| !matches!(declared.entity, Entity::Poisoned))
                    .map(|(name, _)| name),
            );
        }
        names.sort();
        most_similar(wanted, names.into_iter().map(|name| &**name)).map(str::to_owned)
    }

    pub(super) fn unknown_name(&mut self, wanted: &str, span: Span) -> Poisoned {
        let similar = self.similar_name(wanted);
        let mut diagnostic = Diagnostic::error("c", format!("`{wanted}` is not declared"))
            .at(span, "not declared in this scope");
        if let Some(similar) = similar {
            diagnostic = diagnostic.help(format!("did you mean `{similar}`?"));
        }
        // Once in each function will do.
        let scope = usize::from(self.scopes.len() > 1);
        self.scopes[scope].names.insert(
            super::name(wanted),
            Declared {
                entity: Entity::Poisoned,
                span,
            },
        );
        self.report(diagnostic)
    }

    pub(super) fn redeclared(
        &mut self,
        message: String,
        span: Span,
        first: Option<Span>,
    ) -> Poisoned {
        let mut diagnostic = Diagnostic::error("c", message).at(span, "");
        if let Some(first) = first {
            diagnostic = diagnostic.at(first, "first declared here");
        }
        self.report(diagnostic)
    }
}

/// The candidate that differs least, if it differs by little.
pub(super) fn most_similar<'a>(
    wanted: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    // Of short names, nearly all are similar.
    let limit = (wanted.len() / 3).min(3);
    candidates
        .filter(|candidate| candidate.len().abs_diff(wanted.len()) <= limit)
        .map(|candidate| (strsim::levenshtein(wanted, candidate), candidate))
        .filter(|(distance, _)| (1..=limit).contains(distance))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
