//! What is told apart of the values in memory.
//!
//! A cell of a global is known by itself if every access to its bytes is written as the address of the global plus a
//! constant, at the same offset and with the same number of bits. All other memory is one: if anybody looks at a value
//! that is read from it, all values in it are told apart.

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::Arena;

use raddle_ir::action::{Action, NamePlace, SyncInit};
use raddle_ir::arithmetic::signed_value;
use raddle_ir::expression::{BinaryOp, Expression};
use raddle_ir::formula::{Atom, Formula};
use raddle_ir::program::{GlobalId, Initial, Program, Register, RegisterId};
use raddle_ir::types::Scalar;

use super::demand::constant;
use super::partition::Partition;

pub(super) struct Cells {
    /// Globals with memory that is accessed in other ways.
    open: BTreeSet<GlobalId>,
    known: BTreeMap<(GlobalId, u64), Partition>,
    rest: Partition,
}

/// The cell of a global, or the rest of memory.
pub(super) type Place = Option<(GlobalId, u64)>;

impl Cells {
    pub(super) fn new(program: &Program) -> Self {
        Self {
            open: open_globals(program),
            known: BTreeMap::new(),
            rest: Partition::nothing(),
        }
    }

    pub(super) fn place(&self, address: &Expression) -> Place {
        exact(address).filter(|(global, _)| !self.open.contains(global))
    }

    pub(super) fn initial_place(&self, global: GlobalId, offset: u64) -> Place {
        (!self.open.contains(&global)).then_some((global, offset))
    }

    /// What is told apart of what lies there.
    pub(super) fn told(&self, place: Place) -> Partition {
        match place {
            Some(cell) => self
                .known
                .get(&cell)
                .cloned()
                .unwrap_or_else(Partition::nothing),
            None => self.rest.clone(),
        }
    }

    /// A value from there is told apart. Says whether that is new.
    pub(super) fn demand(&mut self, place: Place, told: &Partition) -> bool {
        if told.is_nothing() {
            return false;
        }
        let known = match place {
            Some(cell) => self.known.entry(cell).or_insert_with(Partition::nothing),
            None => &mut self.rest,
        };
        let joined = if place.is_some() {
            known.join(told)
        } else {
            Partition::everything()
        };
        let is_new = joined != *known;
        *known = joined;
        is_new
    }
}

/// The global and the offset, where an address is a global plus a constant.
fn exact(address: &Expression) -> Option<(GlobalId, u64)> {
    match address {
        Expression::Global(global) => Some((*global, 0)),
        Expression::Binary(BinaryOp::Offset, base, amount) => match (&**base, &**amount) {
            (Expression::Global(global), Expression::Constant(bits, Scalar::Int(int))) => {
                let offset = u64::try_from(signed_value(*bits, *int)).ok()?;
                Some((*global, offset))
            }
            _ => None,
        },
        Expression::Constant(..)
        | Expression::Register(_)
        | Expression::Function(_)
        | Expression::CurrentThread
        | Expression::Unary(..)
        | Expression::Binary(..)
        | Expression::Cast(..)
        | Expression::Select(..) => None,
    }
}

/// How the bytes of globals are accessed.
struct Survey<'p> {
    program: &'p Program,
    /// Those that the expressions at hand are over.
    registers: &'p Arena<RegisterId, Register>,
    open: BTreeSet<GlobalId>,
    /// Some pointer may come from nowhere.
    makes_pointers: bool,
    /// Of each global: offset, bytes and bits of its accesses.
    accesses: BTreeMap<GlobalId, BTreeSet<(u64, u64, u32)>>,
}

fn open_globals(program: &Program) -> BTreeSet<GlobalId> {
    let none = Arena::new();
    let mut survey = Survey {
        program,
        registers: &none,
        open: BTreeSet::new(),
        makes_pointers: false,
        accesses: BTreeMap::new(),
    };
    for (id, global) in program.globals.iter() {
        for (offset, initial) in &global.initial {
            match initial {
                Initial::Address(address) => survey.value(address),
                Initial::Any(ty) => {
                    survey.makes_pointers |= *ty == Scalar::Pointer;
                    survey.access(id, *offset, *ty);
                }
                Initial::Scalar(..) | Initial::Sync(_) => {}
            }
        }
    }
    for root in &program.roots {
        root.arguments.iter().for_each(|it| survey.value(it));
    }
    for formula in formulas(program) {
        survey.registers = &formula.registers;
        for atom in &formula.atoms {
            match atom {
                Atom::Cell { address, ty } => survey.data(address, *ty),
                Atom::Owner { lock } => survey.sync(lock),
                Atom::At { .. } | Atom::Index(_) => {}
            }
        }
        survey.value(&formula.body);
    }
    for function in program.functions.values() {
        survey.registers = &function.registers;
        for edge in function.edges.values() {
            if let Action::Havoc { target } = edge.action {
                survey.makes_pointers |= function.registers[target].ty == Scalar::Pointer;
            }
            survey.action(&edge.action);
        }
    }
    if survey.makes_pointers {
        return program.globals.ids().collect();
    }
    let mut open = survey.open;
    for (global, accesses) in survey.accesses {
        // Sorted by offset: an overlap shows between neighbours, or reaches over one that it overlaps too.
        let accesses: Vec<_> = accesses.into_iter().collect();
        let overlap = accesses
            .windows(2)
            .any(|pair| pair[0].0.saturating_add(pair[0].1) > pair[1].0);
        if overlap {
            open.insert(global);
        }
    }
    open
}

pub(super) fn formulas(program: &Program) -> impl Iterator<Item = &Formula> {
    let invariants = program.invariants.iter().map(|it| &it.formula);
    invariants.chain(program.exclusives.iter().map(|it| &it.condition))
}

impl Survey<'_> {
    fn access(&mut self, global: GlobalId, offset: u64, ty: Scalar) {
        let model = self.program.model;
        let access = (offset, ty.size(model), ty.bits(model));
        self.accesses.entry(global).or_default().insert(access);
    }

    /// An address through which a scalar is read or written.
    fn data(&mut self, address: &Expression, ty: Scalar) {
        match exact(address) {
            Some((global, offset)) => self.access(global, offset, ty),
            None => self.value(address),
        }
    }

    /// An address of a synchronisation object, which shows no value.
    fn sync(&mut self, address: &Expression) {
        if exact(address).is_none() {
            self.value(address);
        }
    }

    /// Whether a number may happen to be the address of a global: not if it is too short, extended or not.
    fn may_be_an_address(&self, expression: &Expression) -> bool {
        let offset_bits = self.program.model.offset_bits();
        if let Some(bits) = constant(expression) {
            return bits >> offset_bits != 0;
        }
        match expression.scalar(self.registers, self.program.model) {
            Scalar::Int(int) if u32::from(int.bits) <= offset_bits => return false,
            Scalar::Pointer => return false,
            Scalar::Int(_) | Scalar::Float(_) | Scalar::Thread => {}
        }
        match expression {
            Expression::Cast(Scalar::Int(_), operand) => {
                let from = operand.scalar(self.registers, self.program.model);
                !matches!(from, Scalar::Int(_)) || self.may_be_an_address(operand)
            }
            Expression::Cast(..)
            | Expression::Constant(..)
            | Expression::Register(_)
            | Expression::Global(_)
            | Expression::Function(_)
            | Expression::CurrentThread
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Select(..) => true,
        }
    }

    fn action(&mut self, action: &Action) {
        match action {
            Action::Load { address, ty, .. } => self.data(address, *ty),
            Action::Store {
                address, value, ty, ..
            } => {
                self.data(address, *ty);
                self.value(value);
            }
            Action::ReadModifyWrite {
                address,
                operand,
                ty,
                ..
            } => {
                self.data(address, *ty);
                self.value(operand);
            }
            Action::CompareExchange {
                address,
                expected,
                desired,
                ty,
                ..
            } => {
                self.data(address, *ty);
                self.value(expected);
                self.value(desired);
            }
            Action::Spawn {
                callee,
                arguments,
                place,
                ..
            } => {
                if let Some(NamePlace { address, ty }) = place {
                    self.data(address, *ty);
                }
                let values = callee.address().into_iter().chain(arguments);
                values.for_each(|it| self.value(it));
            }
            Action::Sync { object, mutex, .. } => {
                self.sync(object);
                if let Some(mutex) = mutex {
                    self.sync(mutex);
                }
            }
            Action::Destroy { object, .. } => self.sync(object),
            Action::Init { object, sync } => {
                self.sync(object);
                if let SyncInit::Semaphore(value) | SyncInit::Barrier(value) = sync {
                    self.value(value);
                }
            }
            Action::Assign { .. }
            | Action::Havoc { .. }
            | Action::Assume { .. }
            | Action::Assert { .. }
            | Action::Allocate { .. }
            | Action::Size { .. }
            | Action::Free { .. }
            | Action::Call { .. }
            | Action::Return { .. }
            | Action::Join { .. }
            | Action::Detach { .. }
            | Action::ExitThread { .. }
            | Action::EndProcess { .. }
            | Action::AtomicBegin { .. }
            | Action::AtomicEnd
            | Action::UnitBegin { .. }
            | Action::UnitEnd { .. }
            | Action::Fence { .. }
            | Action::Emit { .. }
            | Action::Unsupported { .. } => {
                action
                    .expressions()
                    .into_iter()
                    .for_each(|it| self.value(it));
            }
        }
    }

    /// A value: the addresses in it may go anywhere.
    fn value(&mut self, expression: &Expression) {
        match expression {
            Expression::Global(global) => {
                self.open.insert(*global);
            }
            Expression::Constant(..)
            | Expression::Register(_)
            | Expression::Function(_)
            | Expression::CurrentThread => {}
            Expression::Cast(to, operand) => {
                self.makes_pointers |= *to == Scalar::Pointer && self.may_be_an_address(operand);
                self.value(operand);
            }
            Expression::Unary(_, operand) => self.value(operand),
            Expression::Binary(_, left, right) => {
                self.value(left);
                self.value(right);
            }
            Expression::Select(condition, then, otherwise) => {
                self.value(condition);
                self.value(then);
                self.value(otherwise);
            }
        }
    }
}
