//! Numbers that depend on how this engine names threads and objects.
//!
//! The interpreter gives other names. Whether two names are the same does not depend on that, but whether one is a
//! certain number does, and what is computed with it. Where a program asks for that, there is no proof; violations are
//! repeated by the interpreter anyway.

use std::collections::BTreeSet;

use raddle_base::{FastMap, Id, define_id};
use raddle_ir::DataModel;
use raddle_ir::arithmetic::{join_pointer, split_pointer};
use raddle_ir::interpret::ObjectNumber;
use raddle_logic::{Operation, Term, TermId, Terms};

define_id!(
    /// A thread of the unrolling: a root, or one that some executions start at a place.
    ThreadIndex,
    "t"
);

impl ThreadIndex {
    /// The number that says so in terms, where 0 is no thread.
    pub fn in_terms(self) -> u128 {
        self.index() as u128 + 1
    }
}

/// An object of the unrolling, by the number that pointers to it have. The interpreter has the same numbers only for objects
/// that are there from the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectName(u32);

impl ObjectName {
    /// What pointers without an object have in place of its name.
    pub const NONE: Self = Self(0);

    pub(crate) fn new(number: u32) -> Self {
        Self(number)
    }

    /// An object that is there from the beginning.
    pub fn of_first(number: ObjectNumber) -> Self {
        Self(number.0)
    }

    /// What the part of a pointer is that names it.
    pub fn in_terms(self) -> u128 {
        u128::from(self.0)
    }

    /// The object and the offset that a pointer names.
    pub fn split(pointer: u128, model: DataModel) -> (Self, u64) {
        let (number, offset) = split_pointer(pointer, model);
        (Self(number), offset)
    }

    /// The pointer to a byte of it.
    pub fn pointer(self, offset: u64, model: DataModel) -> u128 {
        join_pointer(self.0, offset, model)
    }
}

/// What a number may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds {
    /// A thread that was started or an object that was made.
    pub is_name: bool,
    /// Some other number that the interpreter may use as a name.
    pub is_number: bool,
}

impl Kinds {
    fn or(self, other: Kinds) -> Kinds {
        Kinds {
            is_name: self.is_name || other.is_name,
            is_number: self.is_number || other.is_number,
        }
    }
}

/// The names that were given so far, and what is known of terms.
#[derive(Clone, Debug)]
pub struct Names {
    model: DataModel,
    pub threads: usize,
    /// The least number of an object that was made here.
    pub least_object: ObjectName,
    /// Objects that are there from the beginning, with the interpreter's names.
    first_objects: BTreeSet<ObjectName>,
    known: FastMap<TermId, Kinds>,
}

/// The number of the first thread that is started here.
pub fn first_thread(model: DataModel) -> u128 {
    match model {
        DataModel::Ilp32 => 0x7000_0000,
        DataModel::Lp64 => 0x7000_0000_0000_0000,
    }
}

/// The numbers of threads that are started in the interpreter.
fn started(model: DataModel) -> std::ops::Range<u128> {
    match model {
        DataModel::Ilp32 => 0x6000_0000..0x8000_0000,
        DataModel::Lp64 => 0x6000_0000_0000_0000..0x8000_0000_0000_0000,
    }
}

impl Names {
    pub fn new(model: DataModel, first_objects: BTreeSet<ObjectName>) -> Self {
        Self {
            model,
            threads: 0,
            least_object: ObjectName(model.made_objects().end),
            first_objects,
            known: FastMap::default(),
        }
    }

    /// Forgets what is known of terms: what was a number may be a name by now.
    pub fn forget(&mut self) {
        self.known.clear();
    }

    /// What a term may be. What is narrower than a name is none.
    pub fn kinds(&mut self, terms: &Terms, term: TermId) -> Kinds {
        let mut open = vec![term];
        while let Some(&next) = open.last() {
            if self.known.contains_key(&next) {
                open.pop();
                continue;
            }
            let below: &[TermId] = if terms.width(next) < self.model.pointer_bits() {
                &[]
            } else {
                match terms.term(next) {
                    Term::Constant(_) | Term::Variable(_) => &[],
                    Term::Apply(Operation::IfThenElse, arguments) => &arguments[1..],
                    Term::Apply(_, arguments) => arguments,
                }
            };
            let unknown = below.iter().filter(|it| !self.known.contains_key(it));
            let unknown: Vec<TermId> = unknown.copied().collect();
            if unknown.is_empty() {
                let kinds = self.kinds_above(terms, next, below);
                self.known.insert(next, kinds);
                open.pop();
            } else {
                open.extend(unknown);
            }
        }
        self.known[&term]
    }

    fn kinds_above(&self, terms: &Terms, term: TermId, below: &[TermId]) -> Kinds {
        if terms.width(term) < self.model.pointer_bits() {
            return Kinds::default();
        }
        let number = Kinds {
            is_name: false,
            is_number: true,
        };
        let all = below.iter().map(|it| self.known[it]);
        let all = all.fold(Kinds::default(), Kinds::or);
        match terms.term(term) {
            Term::Constant(bits) => self.kinds_of_number(bits),
            Term::Variable(_) => number,
            Term::Apply(Operation::IfThenElse, _) => all,
            // A place in an object, or a narrow number.
            Term::Apply(Operation::Add, _) if all.is_name => Kinds {
                is_number: false,
                ..all
            },
            Term::Apply(Operation::ZeroExtend | Operation::SignExtend, _) => all,
            Term::Apply(..) => all.or(number),
        }
    }

    fn kinds_of_number(&self, bits: u128) -> Kinds {
        let mask = u128::MAX >> (128 - self.model.pointer_bits());
        let (object, _) = ObjectName::split(bits & mask, self.model);
        if self.first_objects.contains(&object) {
            return Kinds::default();
        }
        let first = first_thread(self.model);
        let is_thread = (first..first + self.threads as u128).contains(&bits);
        let made = self.model.made_objects();
        let is_object = made.contains(&object.0) && object >= self.least_object;
        let is_made = self.model.is_made(object.0);
        let is_name = is_thread || is_object;
        Kinds {
            is_name,
            is_number: !is_name && (started(self.model).contains(&bits) || is_made),
        }
    }
}
