//! Bit-vector terms in one arena: equal terms are the same [`TermId`], and arguments come before what uses them.
//!
//! Truth values are bit-vectors of width 1. Terms are simplified as they are built (`simplify`); what a term is worth
//! never changes by it. Building a term of the wrong width is a bug of the caller and panics.

mod build;
mod operation;
mod overflow;
mod simplify;
mod substitute;

use std::sync::atomic::{AtomicU64, Ordering};

use raddle_base::{Arena, FastMap, Id, define_id};

pub use operation::{BitVector, Operation, evaluate_operation, mask};
pub use substitute::Substitution;

define_id!(
    /// A term of one [`Terms`].
    TermId, "t"
);

define_id!(
    /// A variable of one [`Terms`].
    VariableId, "v"
);

define_id!(
    /// A constant of one [`Terms`]; keeps the nodes small.
    ConstantId, "c"
);

/// What stands at the top of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term<'a> {
    Constant(u128),
    Variable(VariableId),
    Apply(Operation, &'a [TermId]),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Shape {
    Constant(ConstantId),
    Variable(VariableId),
    /// Unused arguments repeat the first.
    Apply(Operation, [TermId; 3]),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    shape: Shape,
    width: u8,
}

struct Variable {
    name: String,
    term: TermId,
}

/// Owns terms, and is the only one to make them.
pub struct Terms {
    /// Tells this set of terms from all others of the process, whose ids look the same.
    identity: u64,
    nodes: Arena<TermId, Node>,
    known: FastMap<Node, TermId>,
    constants: Arena<ConstantId, u128>,
    known_constants: FastMap<u128, ConstantId>,
    variables: Arena<VariableId, Variable>,
    known_variables: FastMap<String, VariableId>,
    /// Those that a term chooses between, for terms that can have a few values only.
    values: FastMap<TermId, Box<[u128]>>,
    is_simplifying: bool,
    /// How many simplifications are under way, one inside the other.
    depth: u32,
}

impl Default for Terms {
    fn default() -> Self {
        Self::new()
    }
}

impl Terms {
    pub fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self {
            identity: NEXT.fetch_add(1, Ordering::Relaxed),
            nodes: Arena::new(),
            known: FastMap::default(),
            constants: Arena::new(),
            known_constants: FastMap::default(),
            variables: Arena::new(),
            known_variables: FastMap::default(),
            values: FastMap::default(),
            is_simplifying: true,
            depth: 0,
        }
    }

    /// Terms that stay as they are built. For tests that compare them with the simplified ones.
    pub fn unsimplified() -> Self {
        Self {
            is_simplifying: false,
            ..Self::new()
        }
    }

    /// A number that no other set of terms in this process has.
    pub fn identity(&self) -> u64 {
        self.identity
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn width(&self, term: TermId) -> u32 {
        u32::from(self.nodes[term].width)
    }

    pub fn term(&self, term: TermId) -> Term<'_> {
        match &self.nodes[term].shape {
            Shape::Constant(constant) => Term::Constant(self.constants[*constant]),
            Shape::Variable(variable) => Term::Variable(*variable),
            Shape::Apply(operation, arguments) => {
                Term::Apply(*operation, &arguments[..operation.arity()])
            }
        }
    }

    /// The arguments of the operation at the top.
    pub fn arguments(&self, term: TermId) -> &[TermId] {
        match self.term(term) {
            Term::Constant(_) | Term::Variable(_) => &[],
            Term::Apply(_, arguments) => arguments,
        }
    }

    /// The bits of a constant.
    pub fn constant_value(&self, term: TermId) -> Option<u128> {
        match self.nodes[term].shape {
            Shape::Constant(constant) => Some(self.constants[constant]),
            Shape::Variable(_) | Shape::Apply(..) => None,
        }
    }

    pub fn is_true(&self, term: TermId) -> bool {
        self.width(term) == 1 && self.constant_value(term) == Some(1)
    }

    pub fn is_false(&self, term: TermId) -> bool {
        self.width(term) == 1 && self.constant_value(term) == Some(0)
    }

    pub fn variable_name(&self, variable: VariableId) -> &str {
        &self.variables[variable].name
    }

    /// The term that stands for a variable.
    pub fn variable_term(&self, variable: VariableId) -> TermId {
        self.variables[variable].term
    }

    /// The variable that a term is, if it is one.
    pub fn as_variable(&self, term: TermId) -> Option<VariableId> {
        match self.nodes[term].shape {
            Shape::Variable(variable) => Some(variable),
            Shape::Constant(_) | Shape::Apply(..) => None,
        }
    }

    /// The variable of this name, if there is one.
    pub fn variable_named(&self, name: &str) -> Option<VariableId> {
        self.known_variables.get(name).copied()
    }

    /// All variables, in the order in which they were made.
    pub fn variables(&self) -> impl DoubleEndedIterator<Item = VariableId> + use<> {
        self.variables.ids()
    }

    pub fn variable_count(&self) -> usize {
        self.variables.len()
    }

    /// The terms that occur in `roots`, arguments before what uses them.
    pub fn below(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut is_seen = raddle_base::FastSet::default();
        let mut found = Vec::new();
        let mut pending: Vec<TermId> = roots.to_vec();
        while let Some(term) = pending.pop() {
            if is_seen.insert(term) {
                found.push(term);
                pending.extend(self.arguments(term));
            }
        }
        // The arena hands out ids in the order in which terms are built.
        found.sort_unstable();
        found
    }

    /// Processes every term in `root` that is not done yet, arguments first. Needs no stack, however deep terms are.
    pub fn visit_below<S, E>(
        &self,
        root: TermId,
        state: &mut S,
        is_done: impl Fn(&S, TermId) -> bool,
        mut process: impl FnMut(&mut S, TermId) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut pending = vec![root];
        while let Some(&term) = pending.last() {
            if is_done(state, term) {
                pending.pop();
                continue;
            }
            let before = pending.len();
            for &argument in self.arguments(term) {
                if !is_done(state, argument) {
                    pending.push(argument);
                }
            }
            if pending.len() == before {
                pending.pop();
                process(state, term)?;
            }
        }
        Ok(())
    }

    /// The term with this node, new or known.
    fn intern(&mut self, node: Node) -> TermId {
        *self
            .known
            .entry(node)
            .or_insert_with(|| self.nodes.push(node))
    }

    fn intern_constant(&mut self, bits: u128, width: u32) -> TermId {
        let constant = *self
            .known_constants
            .entry(bits)
            .or_insert_with(|| self.constants.push(bits));
        self.intern(Node {
            shape: Shape::Constant(constant),
            width: narrow(width),
        })
    }

    /// The operation on these arguments as it is, without simplification.
    fn intern_operation(
        &mut self,
        operation: Operation,
        width: u32,
        arguments: &[TermId],
    ) -> TermId {
        let mut all = [arguments[0]; 3];
        all[..arguments.len()].copy_from_slice(arguments);
        self.intern(Node {
            shape: Shape::Apply(operation, all),
            width: narrow(width),
        })
    }

    fn intern_variable(&mut self, name: &str, width: u32) -> TermId {
        if let Some(&variable) = self.known_variables.get(name) {
            let term = self.variables[variable].term;
            assert_eq!(
                self.width(term),
                width,
                "variable `{name}` has one width only"
            );
            return term;
        }
        let variable = VariableId::from_index(self.variables.len());
        let term = self.intern(Node {
            shape: Shape::Variable(variable),
            width: narrow(width),
        });
        self.variables.push(Variable {
            name: name.to_owned(),
            term,
        });
        self.known_variables.insert(name.to_owned(), variable);
        term
    }
}

/// A width as nodes keep it.
fn narrow(width: u32) -> u8 {
    assert!(
        (1..=128).contains(&width),
        "a term has 1 to 128 bits, not {width}"
    );
    u8::try_from(width).expect("at most 128")
}
