//! Invariants, as the interpreter evaluates them: one that has no value is broken.

use std::collections::BTreeSet;

use raddle_analysis::conflicts::accesses;
use raddle_analysis::points_to::{ObjectKind, PointsTo};
use raddle_encode::hazard::Hazard;
use raddle_encode::names::ThreadIndex;
use raddle_encode::state::Shared;
use raddle_encode::sync::State;
use raddle_encode::values::Evaluation;
use raddle_encode::word::Word;
use raddle_ir::{Atom, Deed, EdgeId, Expression, Formula, FunctionId, GlobalId, Program};
use raddle_logic::TermId;
use raddle_reduce::watched::{Watched, object_of};

use crate::unroll::Unrolling;

/// The edges that may change what invariants look at; `None` if that is not known in advance.
pub(crate) fn seen_at_once(program: &Program) -> Option<BTreeSet<(FunctionId, EdgeId)>> {
    let watched = Watched::invariants(program)?;
    let points_to = PointsTo::new(program).ok()?;
    if points_to.not_understood().is_some() {
        return None;
    }
    let is_watched = |global: GlobalId| {
        let size = program.size_of(&program.globals[global].ty);
        watched.covers(object_of(global), 0, size.unwrap_or(u64::MAX))
    };
    let found = accesses(&points_to)
        .into_iter()
        .filter(|access| access.is_write || access.deed != Deed::Data)
        .filter(|access| match points_to.objects[access.object].kind {
            ObjectKind::Global(global) => is_watched(global),
            ObjectKind::ThreadLocal(..) | ObjectKind::Allocated(..) => false,
        })
        .map(|access| {
            let function = points_to.graph.instances[access.instance].function;
            (function, access.edge)
        })
        .collect();
    Some(found)
}

impl Unrolling<'_> {
    /// Whether some invariant does not hold.
    pub(crate) fn broken_invariant(&mut self, shared: &Shared) -> TermId {
        let program = self.encoder.program;
        let mut broken = Vec::new();
        for invariant in &program.invariants {
            let holds = self.holds(shared, &invariant.formula);
            broken.push(self.encoder.terms.not(holds));
        }
        self.encoder.terms.any(&broken)
    }

    /// Whether a formula has a value, and the value is true.
    fn holds(&mut self, shared: &Shared, formula: &Formula) -> TermId {
        let mut values: Vec<Word> = Vec::new();
        for atom in &formula.atoms {
            let owners = match atom {
                Atom::Owner { .. } => self.owner_names(),
                Atom::Cell { .. } | Atom::At { .. } | Atom::Index(_) => Vec::new(),
            };
            let mut evaluation = self.of_formula(formula, &values);
            let word = atom_value(atom, &mut evaluation, shared, &owners);
            let guard = undoubted(&mut evaluation);
            let is_defined = self.encoder.terms.and(word.is_defined, guard);
            values.push(Word { is_defined, ..word });
        }
        let mut evaluation = self.of_formula(formula, &values);
        let truth = evaluation.bits(&formula.body);
        let guard = undoubted(&mut evaluation);
        self.encoder.terms.and(guard, truth)
    }

    fn of_formula<'a>(&'a mut self, formula: &'a Formula, values: &'a [Word]) -> Evaluation<'a> {
        let guard = self.encoder.terms.truth(true);
        Evaluation {
            terms: &mut self.encoder.terms,
            program: self.encoder.program,
            types: &formula.registers,
            registers: values,
            thread: raddle_ir::interpret::null_thread(self.encoder.program.model),
            locals: &[],
            names: &mut self.encoder.names,
            guard,
            hazards: Vec::new(),
            overflows: Vec::new(),
            touched: Vec::new(),
            observes_layout: false,
            doubts_numbers: false,
        }
    }

    /// The names of threads, by their numbers in owners.
    fn owner_names(&self) -> Vec<(ThreadIndex, u128)> {
        let instances = self.encoder.instances.iter();
        instances.map(|(thread, it)| (thread, it.number)).collect()
    }
}

/// Where all went well, and nothing depends on names.
fn undoubted(evaluation: &mut Evaluation<'_>) -> TermId {
    let met: Vec<TermId> = evaluation.hazards.iter().map(|it| it.0).collect();
    let is_doubtful = evaluation.terms.any(&met);
    let is_clear = evaluation.terms.not(is_doubtful);
    evaluation.terms.and(evaluation.guard, is_clear)
}

fn atom_value(
    atom: &Atom,
    evaluation: &mut Evaluation<'_>,
    shared: &Shared,
    owners: &[(ThreadIndex, u128)],
) -> Word {
    let model = evaluation.program.model;
    let bits = match atom {
        Atom::Cell { address, ty } => {
            let pointer = evaluation.bits(address);
            let targets = shared.memory.locate(evaluation, pointer, ty.size(model));
            return shared.memory.load(evaluation, &targets, *ty);
        }
        Atom::Owner { lock } => owner(evaluation, shared, lock, owners),
        // Nobody in particular looks.
        Atom::At { .. } => evaluation.terms.truth(false),
        Atom::Index(ty) => evaluation.terms.constant(0, u32::from(ty.bits)),
    };
    Word::defined(evaluation.terms, bits)
}

/// The name of who holds a lock.
fn owner(
    evaluation: &mut Evaluation<'_>,
    shared: &Shared,
    lock: &Expression,
    names: &[(ThreadIndex, u128)],
) -> TermId {
    let model = evaluation.program.model;
    let pointer = evaluation.bits(lock);
    let targets = shared.memory.locate(evaluation, pointer, 1);
    let width = model.pointer_bits();
    let terms = &mut *evaluation.terms;
    let nobody = raddle_ir::interpret::null_thread(model);
    let mut result = terms.constant(nobody, width);
    let mut is_lock = Vec::new();
    for target in targets {
        let object = &shared.memory.objects[&target.object];
        let Some(sync) = object.syncs.get(&target.offset) else {
            continue;
        };
        let owner = match sync.state {
            State::Mutex { owner, .. } => owner,
            State::ReadWriteLock { writer, .. } => writer,
            State::Monitor(ref monitor) => monitor.owner,
            State::Condition { .. }
            | State::Semaphore { .. }
            | State::Barrier { .. }
            | State::Other => continue,
        };
        let is_here = terms.and(target.condition, sync.exists);
        is_lock.push(is_here);
        for (index, name) in names {
            let is_this = terms.equals_constant(owner, index.in_terms());
            let is_this = terms.and(is_here, is_this);
            let name = terms.constant(*name, width);
            result = terms.if_then_else(is_this, name, result);
        }
    }
    let is_some = terms.any(&is_lock);
    let misuse = Hazard::Violation(raddle_engine::Property::LockMisuse);
    evaluation.require(is_some, || misuse);
    result
}
