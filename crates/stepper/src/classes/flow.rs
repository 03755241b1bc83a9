//! What is told apart of each register at each location: the least solution of what the actions demand, backwards.
//!
//! An edge is looked at again only if what it leads to has changed, or something that may lie elsewhere: what callees,
//! callers and memory demand. A loop that counts up to an undetermined value cuts one value more off in every round; so there is a limit
//! to the work, beyond which nothing is known.

use std::collections::BTreeMap;

use raddle_base::{Id, SideTable};

use raddle_ir::action::{Action, Callee, EndKind, SyncInit};
use raddle_ir::expression::{Expression, UnaryOp};
use raddle_ir::formula::{Atom, Formula};
use raddle_ir::program::{EdgeId, Function, FunctionId, LocationId, Program, RegisterId};
use raddle_ir::types::Scalar;

use super::cells::{Cells, formulas};
use super::demand::{Demander, Demands};
use super::guards::Guards;
use super::partition::Partition;

/// How many intervals may be gone through. Each takes some ten nanoseconds.
const MOST_WORK: usize = 20_000_000;

/// How often what an edge depends on had changed when it was looked at last.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Seen {
    target: u32,
    elsewhere: u32,
}

pub(super) struct Flow<'p> {
    program: &'p Program,
    guards: Guards,
    /// Whether memory is lost only if no number looks like a pointer to it. Then what a register or a cell holds
    /// matters even if nobody reads it, and only copies of the undetermined value are known not to look so.
    are_names_seen: bool,
    /// On arrival at each location of each function.
    at: Vec<SideTable<LocationId, Demands>>,
    /// Of what each function returns to its callers.
    results: Vec<Partition>,
    /// Of what a thread ends with, by its type.
    thread_results: BTreeMap<Scalar, Partition>,
    /// Whether a thread may begin with it.
    begins_threads: Vec<bool>,
    pub(super) cells: Cells,
    /// How often what is told apart at each location has changed, counted from 1.
    changes: Vec<SideTable<LocationId, u32>>,
    /// The same of whatever an edge may depend on besides its target.
    changes_elsewhere: u32,
    /// How many intervals were gone through.
    work: usize,
}

impl<'p> Flow<'p> {
    /// `None` if it is too much work.
    pub(super) fn solve(program: &'p Program, are_names_seen: bool) -> Option<Self> {
        Self::solve_within(MOST_WORK, program, are_names_seen)
    }

    fn solve_within(most_work: usize, program: &'p Program, are_names_seen: bool) -> Option<Self> {
        let mut flow = Self {
            program,
            guards: Guards::new(program),
            are_names_seen,
            at: program
                .functions
                .values()
                .map(|function| SideTable::filled(&function.locations, Demands::new()))
                .collect(),
            results: vec![Partition::nothing(); program.functions.len()],
            thread_results: BTreeMap::new(),
            begins_threads: begins_threads(program),
            cells: Cells::new(program),
            changes: program
                .functions
                .values()
                .map(|function| SideTable::filled(&function.locations, 1))
                .collect(),
            changes_elsewhere: 1,
            work: 0,
        };
        for formula in formulas(program) {
            flow.formula(formula);
        }
        let mut seen: Vec<SideTable<EdgeId, Seen>> = program
            .functions
            .values()
            .map(|function| SideTable::filled(&function.edges, Seen::default()))
            .collect();
        let mut is_solved = false;
        while !is_solved {
            is_solved = true;
            for (id, function) in program.functions.iter() {
                for edge in function.edges.ids().rev() {
                    let now = Seen {
                        target: flow.changes[id.index()][function.edges[edge].to],
                        elsewhere: flow.changes_elsewhere,
                    };
                    if seen[id.index()][edge] == now {
                        continue;
                    }
                    is_solved = false;
                    seen[id.index()][edge] = now;
                    flow.edge(id, function, edge);
                    if flow.work > most_work {
                        return None;
                    }
                }
            }
        }
        Some(flow)
    }

    /// Something has changed that edges may depend on wherever they lead to.
    fn note_elsewhere(&mut self, is_new: bool) {
        self.changes_elsewhere += u32::from(is_new);
    }

    /// What is told apart of a register from this location on.
    pub(super) fn told(
        &self,
        function: FunctionId,
        location: LocationId,
        register: RegisterId,
    ) -> Partition {
        self.at[function.index()][location]
            .get(&register)
            .cloned()
            .unwrap_or_else(Partition::nothing)
    }

    fn formula(&mut self, formula: &Formula) {
        let mut demands = Demands::new();
        let mut demander = Demander {
            registers: &formula.registers,
            model: self.program.model,
            demands: &mut demands,
        };
        demander.everything(&formula.body);
        // Addresses are over earlier atoms.
        for (register, atom) in formula
            .registers
            .ids()
            .rev()
            .zip(formula.atoms.iter().rev())
        {
            match atom {
                Atom::Cell { address, .. } => {
                    let told = demander.demands.remove(&register);
                    demander.everything(address);
                    let place = self.cells.place(address);
                    self.cells
                        .demand(place, &told.unwrap_or_else(Partition::everything));
                }
                Atom::Owner { lock } => demander.everything(lock),
                Atom::At { .. } | Atom::Index(_) => {}
            }
        }
    }

    /// What must be told apart before an edge, so that all that is told apart after it can be.
    fn edge(&mut self, id: FunctionId, function: &Function, edge: EdgeId) {
        let edge = &function.edges[edge];
        let mut before = self.at[id.index()][edge.to].clone();
        if let Some(possible) = self.guards.of(self.program, function, &edge.action) {
            possible.narrow(&mut before);
        }
        let told_of = |register: RegisterId| self.told(id, edge.to, register);
        let written: Vec<(RegisterId, Partition)> = edge
            .action
            .written_registers()
            .map(|register| (register, told_of(register)))
            .collect();
        for (register, _) in &written {
            before.remove(register);
        }
        let told = written
            .first()
            .map_or_else(Partition::nothing, |(_, told)| told.clone());
        self.action(id, function, &edge.action, &told, &mut before);
        let known = &mut self.at[id.index()][edge.from];
        let mut is_new = false;
        for (register, told) in before {
            self.work += 1 + told.len();
            let joined = match known.get(&register) {
                Some(before) => {
                    self.work += before.len();
                    before.join(&told)
                }
                None => told,
            };
            if known.get(&register) != Some(&joined) {
                is_new = true;
                known.insert(register, joined);
            }
        }
        self.changes[id.index()][edge.from] += u32::from(is_new);
        // Callers look at what is told apart where a function begins.
        self.note_elsewhere(is_new && edge.from == function.entry);
    }

    /// `told` is what is told apart of the register that the action writes.
    fn action(
        &mut self,
        id: FunctionId,
        function: &Function,
        action: &Action,
        told: &Partition,
        before: &mut Demands,
    ) {
        let mut demander = Demander {
            registers: &function.registers,
            model: self.program.model,
            demands: before,
        };
        match action {
            Action::Assign { value, .. } => {
                demander.demand(value, &self.held(value, function, told));
            }
            Action::Load { address, .. } => {
                demander.everything(address);
                let place = self.cells.place(address);
                let is_new = self.cells.demand(place, told);
                self.note_elsewhere(is_new);
            }
            Action::Store { address, value, .. } => {
                demander.everything(address);
                let told = self.cells.told(self.cells.place(address));
                demander.demand(value, &self.held(value, function, &told));
            }
            Action::ReadModifyWrite { address, .. } | Action::CompareExchange { address, .. } => {
                for expression in action.expressions() {
                    demander.everything(expression);
                }
                let place = self.cells.place(address);
                let is_new = self.cells.demand(place, &Partition::everything());
                self.note_elsewhere(is_new);
            }
            Action::Call {
                target,
                callee,
                arguments,
            } => {
                let callees = self.callees(callee, arguments, *target, function);
                self.arguments(callee, &callees, arguments, function, &mut demander);
                for callee in callees {
                    let joined = self.results[callee.index()].join(told);
                    self.note_elsewhere(joined != self.results[callee.index()]);
                    self.results[callee.index()] = joined;
                }
            }
            Action::Spawn {
                callee,
                arguments,
                place,
                ..
            } => {
                let callees = self.callees(callee, arguments, None, function);
                self.arguments(callee, &callees, arguments, function, &mut demander);
                if let Some(place) = place {
                    demander.everything(&place.address);
                }
            }
            Action::Join { thread, target } => {
                demander.everything(thread);
                if let Some(target) = target
                    && !told.is_nothing()
                {
                    let ty = function.registers[*target].ty;
                    let known = self.thread_result(ty);
                    let joined = known.join(told);
                    self.note_elsewhere(joined != known);
                    self.thread_results.insert(ty, joined);
                }
            }
            Action::Return { value: Some(value) } => {
                let mut told = self.results[id.index()].clone();
                if self.begins_threads[id.index()] {
                    let ty = value.scalar(&function.registers, self.program.model);
                    told = told.join(&self.thread_result(ty));
                }
                demander.demand(value, &self.held(value, function, &told));
            }
            Action::ExitThread { value: Some(value) } => {
                let ty = value.scalar(&function.registers, self.program.model);
                let told = self.thread_result(ty);
                demander.demand(value, &self.held(value, function, &told));
            }
            // Output and the status are no part of a state.
            Action::Emit { arguments, .. } => {
                for argument in arguments {
                    demander.demand(argument, &Partition::nothing());
                }
            }
            Action::EndProcess {
                kind: EndKind::Exit(status),
            } => demander.demand(status, &Partition::nothing()),
            Action::Init {
                sync: SyncInit::Semaphore(_) | SyncInit::Barrier(_),
                ..
            }
            | Action::Assume { .. }
            | Action::Assert { .. }
            | Action::Allocate { .. }
            | Action::Size { .. }
            | Action::Free { .. }
            | Action::Init { .. }
            | Action::Destroy { .. }
            | Action::Sync { .. }
            | Action::Detach { .. }
            | Action::Havoc { .. }
            | Action::Return { value: None }
            | Action::ExitThread { value: None }
            | Action::EndProcess {
                kind: EndKind::Abort,
            }
            | Action::AtomicBegin { .. }
            | Action::AtomicEnd
            | Action::UnitBegin { .. }
            | Action::UnitEnd { .. }
            | Action::Fence { .. }
            | Action::Unsupported { .. } => {
                for expression in action.expressions() {
                    demander.everything(expression);
                }
            }
        }
    }

    fn arguments(
        &self,
        callee: &Callee,
        callees: &[FunctionId],
        arguments: &[Expression],
        function: &Function,
        demander: &mut Demander<'_>,
    ) {
        if let Callee::Indirect(address) = callee {
            demander.everything(address);
        }
        for (index, argument) in arguments.iter().enumerate() {
            let told = callees.iter().fold(Partition::nothing(), |told, &callee| {
                let called = &self.program.functions[callee];
                let parameter = RegisterId::from_index(index);
                told.join(&self.told(callee, called.entry, parameter))
            });
            demander.demand(argument, &self.held(argument, function, &told));
        }
    }

    /// The functions that may be called, through a pointer those of the right types.
    fn callees(
        &self,
        callee: &Callee,
        arguments: &[Expression],
        target: Option<RegisterId>,
        function: &Function,
    ) -> Vec<FunctionId> {
        if let Callee::Direct(callee) = callee {
            return vec![*callee];
        }
        let model = self.program.model;
        let given = || {
            arguments
                .iter()
                .map(|it| it.scalar(&function.registers, model))
        };
        let wanted = target.map(|target| function.registers[target].ty);
        let functions = self.program.functions.iter();
        functions
            .filter(|(_, callee)| {
                let taken = callee.parameter_ids().map(|it| callee.registers[it].ty);
                taken.eq(given()) && (wanted.is_none() || callee.result == wanted)
            })
            .map(|(id, _)| id)
            .collect()
    }

    fn thread_result(&self, ty: Scalar) -> Partition {
        self.thread_results
            .get(&ty)
            .cloned()
            .unwrap_or_else(Partition::nothing)
    }

    /// What is told apart of a value that a register or a cell comes to hold.
    fn held(&self, value: &Expression, function: &Function, told: &Partition) -> Partition {
        if self.are_names_seen && !self.is_copy(value, function) {
            Partition::everything()
        } else {
            told.clone()
        }
    }

    /// Whether the bytes of a value are whole bytes of a register, extended by their sign or not, or a truth value.
    fn is_copy(&self, value: &Expression, function: &Function) -> bool {
        let scalar = |it: &Expression| it.scalar(&function.registers, self.program.model);
        match value {
            Expression::Constant(..)
            | Expression::Register(_)
            | Expression::Global(_)
            | Expression::Function(_)
            | Expression::CurrentThread => true,
            Expression::Unary(UnaryOp::Settle, operand) => self.is_copy(operand, function),
            Expression::Select(_, then, otherwise) => {
                self.is_copy(then, function) && self.is_copy(otherwise, function)
            }
            Expression::Cast(Scalar::Int(to), operand) => {
                let is_whole = |bits: u8| bits.is_multiple_of(8);
                let from = scalar(operand);
                (from == Scalar::BOOL || matches!(from, Scalar::Int(it) if is_whole(it.bits)))
                    && is_whole(to.bits)
                    && self.is_copy(operand, function)
            }
            Expression::Unary(..) | Expression::Binary(..) | Expression::Cast(..) => {
                scalar(value) == Scalar::BOOL
            }
        }
    }
}

fn begins_threads(program: &Program) -> Vec<bool> {
    let mut begins = vec![false; program.functions.len()];
    for root in &program.roots {
        begins[root.function.index()] = true;
    }
    for function in program.functions.values() {
        for edge in function.edges.values() {
            match spawned(&edge.action) {
                Some(Callee::Direct(callee)) => begins[callee.index()] = true,
                Some(Callee::Indirect(_)) => return vec![true; program.functions.len()],
                None => {}
            }
        }
    }
    begins
}

fn spawned(action: &Action) -> Option<&Callee> {
    if let Action::Spawn { callee, .. } = action {
        Some(callee)
    } else {
        None
    }
}
