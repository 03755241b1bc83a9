//! Terms with other terms in the place of variables: how a relation is instantiated for one step.

use raddle_base::FastMap;

use super::{Operation, Term, TermId, Terms, VariableId};

/// What stands in for which variables, and the terms that were rewritten so far.
///
/// Keeps what it rewrote, so that many terms with much in common cost no more than one.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    done: FastMap<TermId, TermId>,
    is_used: bool,
}

impl Substitution {
    pub fn new() -> Self {
        Self::default()
    }

    /// From now on `replacement` stands in for `variable`. Only before the first term is rewritten.
    pub fn replace(&mut self, terms: &Terms, variable: VariableId, replacement: TermId) {
        let term = terms.variable_term(variable);
        assert_eq!(
            terms.width(term),
            terms.width(replacement),
            "a replacement is as wide as what it replaces"
        );
        assert!(
            !self.is_used,
            "replacements are named before a term is rewritten"
        );
        self.done.insert(term, replacement);
    }
}

impl Terms {
    /// The term with its variables replaced; variables that are not named stay.
    pub fn substitute(&mut self, substitution: &mut Substitution, root: TermId) -> TermId {
        substitution.is_used = true;
        let done = &mut substitution.done;
        let mut pending = vec![root];
        while let Some(&term) = pending.last() {
            if done.contains_key(&term) {
                pending.pop();
                continue;
            }
            let (operation, arguments) = match self.term(term) {
                Term::Constant(_) | Term::Variable(_) => {
                    done.insert(term, term);
                    pending.pop();
                    continue;
                }
                Term::Apply(operation, arguments) => (operation, arguments),
            };
            let before = pending.len();
            pending.extend(arguments.iter().filter(|it| !done.contains_key(it)));
            if pending.len() > before {
                continue;
            }
            pending.pop();
            let arguments: Vec<TermId> = arguments.iter().map(|it| done[it]).collect();
            let rewritten = self.rebuild(term, operation, &arguments);
            done.insert(term, rewritten);
        }
        done[&root]
    }

    /// The operation of `term` on other arguments of the same widths.
    fn rebuild(&mut self, term: TermId, operation: Operation, arguments: &[TermId]) -> TermId {
        if self.arguments(term) == arguments {
            term
        } else {
            self.apply(operation, self.width(term), arguments)
        }
    }
}
