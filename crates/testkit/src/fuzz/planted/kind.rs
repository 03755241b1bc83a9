//! What is planted: for each property, actions that violate it wherever they are reached.

use raddle_engine::Trace;
use raddle_generate::Random;
use raddle_ir::interpret::{Origin, Property, Semantics, Storage, Value};
use raddle_ir::{
    Access, Action, AllocateKind, BinaryOp, Callee, Expression, Function, FunctionId, Global,
    GlobalId, Initial, IntType, MutexKind, Program, ProgramDraft, ReadOnly, Register, RegisterId,
    Scalar, SyncOperation, SyncType, Type,
};

use super::misuse;
use super::schedule::{Place, Reached, Schedule};
use super::splice::{Plant, Spliced, shown};

/// How many places are tried; the first will do nearly always.
const TRIES: usize = 8;

/// What the new items are called, with a number if need be.
const NAME: &str = "planted";

const BYTE: Scalar = Scalar::Int(IntType::unsigned(8));

/// What is planted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An assertion that fails.
    Assertion,
    /// A load or store beyond the end of an object.
    OutOfBounds,
    /// Signed arithmetic that overflows.
    Overflow,
    /// A write that nothing orders with an access by another thread.
    UnlockedWrite,
    /// A thread that waits for a lock that it holds.
    SelfDeadlock,
    /// A lock or condition variable that is used as it may not be.
    LockMisuse,
}

impl Kind {
    pub const ALL: [Kind; 6] = [
        Kind::Assertion,
        Kind::OutOfBounds,
        Kind::Overflow,
        Kind::UnlockedWrite,
        Kind::SelfDeadlock,
        Kind::LockMisuse,
    ];

    pub fn property(self) -> Property {
        match self {
            Kind::Assertion => Property::Assert,
            Kind::OutOfBounds => Property::Memory,
            Kind::Overflow => Property::Overflow,
            Kind::UnlockedWrite => Property::Race,
            Kind::SelfDeadlock => Property::Deadlock,
            Kind::LockMisuse => Property::LockMisuse,
        }
    }
}

/// A program to plant in, and an execution that shows which places are reached.
pub(super) struct Ground<'a> {
    pub(super) program: &'a Program,
    pub(super) semantics: &'a Semantics,
    pub(super) schedule: &'a Schedule,
}

impl Ground<'_> {
    /// The program with something planted and an execution that violates its property; `None` if no place is fit for it.
    pub(super) fn plant(&self, kind: Kind, random: &mut Random) -> Option<(Program, Trace)> {
        (0..TRIES).find_map(|_| match kind {
            Kind::Assertion => self.at_some_place(kind, random, assertion),
            Kind::OutOfBounds => self.at_some_place(kind, random, out_of_bounds),
            Kind::Overflow => self.at_some_place(kind, random, overflow),
            Kind::SelfDeadlock => self.at_some_place(kind, random, self_deadlock),
            Kind::LockMisuse => self.at_some_place(kind, random, misuse::some),
            Kind::UnlockedWrite => match random.below(3) {
                0 => self.at_some_place(kind, random, write_beside_a_new_thread),
                1 => self.writes_of_two_threads(random),
                _ => self.write_beside_an_access(random),
            },
        })
    }

    /// Plants what `make` gives at a place that was reached, and goes there.
    fn at_some_place(
        &self,
        kind: Kind,
        random: &mut Random,
        make: fn(&mut KindMaker<'_>) -> (Vec<Action>, usize),
    ) -> Option<(Program, Trace)> {
        let needs_step = matches!(
            kind,
            Kind::UnlockedWrite | Kind::SelfDeadlock | Kind::LockMisuse
        );
        let places: Vec<(Place, Reached)> = self
            .schedule
            .reached
            .iter()
            // Inside an atomic section nothing races, and what blocks there is not begun.
            .filter(|(_, reached)| !needs_step || reached.part == 0)
            .map(|(place, reached)| (*place, *reached))
            .collect();
        let (place, reached) = *places.get(random.below(places.len().max(1)))?;
        let mut draft: ProgramDraft = (**self.program).clone();
        let mut maker = KindMaker {
            draft: &mut draft,
            function: place.0,
            random,
        };
        let mut actions = if reached.part == 0 && maker.random.chance(60) {
            self.guard(&mut maker, reached).unwrap_or_default()
        } else {
            Vec::new()
        };
        let guard = actions.len().checked_sub(1);
        let (wrong, wrong_done) = make(&mut maker);
        let done = actions.len() + wrong_done;
        actions.extend(wrong);
        let plant = Plant {
            place,
            actions,
            guard,
        };
        let spliced = Spliced::new(self.program, draft, std::slice::from_ref(&plant))?;
        let mut steps = spliced.steps(self.schedule.steps().take(reached.step));
        if reached.part == 0 {
            let planted = spliced.plant_steps(reached.thread, place);
            steps.extend(planted.into_iter().take(done));
        } else {
            let mut step = self.schedule.taken[reached.step].step.clone();
            step.parts = if kind == Kind::Overflow {
                spliced.parts(&step.parts)
            } else {
                let mut parts = spliced.parts(&step.parts[..reached.part]);
                parts.extend(spliced.plant_parts(place));
                parts
            };
            steps.push(step);
        }
        self.shown(spliced.program, kind, steps)
    }

    /// Lets only those by who see what the thread sees when it reaches the place: the value of a register or of a
    /// global.
    fn guard(&self, maker: &mut KindMaker<'_>, reached: Reached) -> Option<Vec<Action>> {
        let interpreter = raddle_stepper::definition(self.program, self.semantics.clone());
        let state = self.schedule.state_before(&interpreter, reached.step)?;
        let (mut actions, register, bits) = if maker.random.chance(50) {
            let frame = state.threads.get(&reached.thread)?.frames.last()?;
            let registers = self.program.functions[frame.function].registers.iter();
            let known: Vec<(RegisterId, u128)> = registers
                .zip(&frame.registers)
                .filter(|((_, register), _)| matches!(register.ty, Scalar::Int(_)))
                .filter_map(|((id, _), value)| match value {
                    Value::Bits(bits) => Some((id, *bits)),
                    Value::Undefined => None,
                })
                .collect();
            let (register, bits) = *known.get(maker.random.below(known.len().max(1)))?;
            (Vec::new(), register, bits)
        } else {
            let known: Vec<(GlobalId, Scalar, u128)> = state
                .objects
                .iter()
                .filter_map(|(number, object)| match object.origin {
                    Origin::Global(global) if object.storage == Storage::Global => {
                        let Type::Scalar(ty @ Scalar::Int(_)) = self.program.globals[global].ty
                        else {
                            return None;
                        };
                        match interpreter.cell(&state, *number, 0, ty)? {
                            Value::Bits(bits) => Some((global, ty, bits)),
                            Value::Undefined => None,
                        }
                    }
                    Origin::Global(_) | Origin::Edge(..) => None,
                })
                .collect();
            let (global, ty, bits) = *known.get(maker.random.below(known.len().max(1)))?;
            let target = maker.register(ty);
            let load = Action::Load {
                target,
                address: Expression::Global(global),
                ty,
                access: Access::Plain,
            };
            (vec![load], target, bits)
        };
        let ty = maker.draft.functions[maker.function].registers[register].ty;
        actions.push(Action::Assume {
            condition: Expression::binary(
                BinaryOp::Equal,
                Expression::Register(register),
                Expression::Constant(bits, ty),
            ),
        });
        Some(actions)
    }

    /// A new global that two threads write at a moment in which both stand before it.
    fn writes_of_two_threads(&self, random: &mut Random) -> Option<(Program, Trace)> {
        let moments: Vec<usize> = (0..self.schedule.taken.len())
            .filter(|at| self.schedule.taken[*at].standing.len() > 1)
            .collect();
        let moment = *moments.get(random.below(moments.len().max(1)))?;
        let standing: Vec<Place> = self.schedule.taken[moment]
            .standing
            .values()
            .copied()
            .collect();
        let first = random.below(standing.len());
        let second = (first + random.between(1, standing.len() - 1)) % standing.len();
        let mut places = vec![standing[first], standing[second]];
        places.dedup();
        let mut draft: ProgramDraft = (**self.program).clone();
        let global = add_global(&mut draft, Type::Scalar(BYTE), Vec::new());
        let plants: Vec<Plant> = places
            .into_iter()
            .map(|place| Plant {
                place,
                actions: vec![store(Expression::Global(global), 1)],
                guard: None,
            })
            .collect();
        let spliced = Spliced::new(self.program, draft, &plants)?;
        let steps = spliced.steps(self.schedule.steps().take(moment));
        self.shown(spliced.program, Kind::UnlockedWrite, steps)
    }

    /// A write to a global of the program, at a place where a thread stands for the first time while another thread is
    /// about to access the same byte.
    fn write_beside_an_access(&self, random: &mut Random) -> Option<(Program, Trace)> {
        let mut fit = Vec::new();
        for (moment, taken) in self.schedule.taken.iter().enumerate() {
            if taken.plain.is_empty() {
                continue;
            }
            for (thread, place) in &taken.standing {
                let reached = self.schedule.reached.get(place);
                let is_first = reached.is_none_or(|it| it.step >= moment);
                if *thread != taken.step.thread && is_first {
                    fit.push((moment, *place));
                }
            }
        }
        let (moment, place) = *fit.get(random.below(fit.len().max(1)))?;
        let (global, offset) = *random.pick(&self.schedule.taken[moment].plain);
        let address = Expression::at_offset(Expression::Global(global), offset, self.program.model);
        let plant = Plant {
            place,
            actions: vec![store(address, 0)],
            guard: None,
        };
        let draft = (**self.program).clone();
        let spliced = Spliced::new(self.program, draft, std::slice::from_ref(&plant))?;
        let steps = spliced.steps(self.schedule.steps().take(moment));
        self.shown(spliced.program, Kind::UnlockedWrite, steps)
    }

    fn shown(
        &self,
        program: Program,
        kind: Kind,
        steps: Vec<raddle_ir::interpret::Step>,
    ) -> Option<(Program, Trace)> {
        let semantics = Semantics {
            properties: vec![kind.property()],
            ..self.semantics.clone()
        };
        let initial = self.schedule.initial;
        let trace = shown(&program, &semantics, kind.property(), initial, steps)?;
        Some((program, trace))
    }
}

/// What makes the actions of a plant.
pub(super) struct KindMaker<'a> {
    pub(super) draft: &'a mut ProgramDraft,
    /// Where they will be.
    function: FunctionId,
    pub(super) random: &'a mut Random,
}

impl KindMaker<'_> {
    fn register(&mut self, ty: Scalar) -> RegisterId {
        let registers = &mut self.draft.functions[self.function].registers;
        let name = free_name(|name| registers.values().any(|it| it.name == name));
        registers.push(Register {
            name,
            ty,
            is_temporary: false,
            span: None,
        })
    }

    /// A global of some bytes, of the program or new.
    fn some_global(&mut self) -> (GlobalId, u64) {
        let draft = &*self.draft;
        let known: Vec<(GlobalId, u64)> = draft
            .globals
            .iter()
            .filter_map(|(id, global)| Some((id, draft.size_of(&global.ty)?)))
            .collect();
        if known.is_empty() || self.random.chance(30) {
            let new = add_global(self.draft, Type::Scalar(BYTE), Vec::new());
            (new, 1)
        } else {
            *self.random.pick(&known)
        }
    }
}

/// Actions, and how many of them are taken before or when the violation shows.
fn assertion(_: &mut KindMaker<'_>) -> (Vec<Action>, usize) {
    let fails = Action::Assert {
        condition: Expression::bool(false),
        message: None,
    };
    (vec![fails], 1)
}

fn out_of_bounds(maker: &mut KindMaker<'_>) -> (Vec<Action>, usize) {
    let model = maker.draft.model;
    if maker.random.chance(30) {
        let object = maker.register(Scalar::Pointer);
        let size = u64::try_from(maker.random.between(1, 16)).unwrap_or(1);
        let allocate = Action::Allocate {
            target: object,
            size: Expression::int(i128::from(size), model.unsigned_word()),
            ty: None,
            is_zeroed: false,
            kind: AllocateKind::Heap,
            read_only: ReadOnly::NOTHING,
        };
        let beyond = Expression::at_offset(Expression::Register(object), size, model);
        return (vec![allocate, store(beyond, 1)], 2);
    }
    let (global, size) = maker.some_global();
    let beyond = Expression::at_offset(Expression::Global(global), size, model);
    let access = if maker.random.chance(50) {
        store(beyond, 1)
    } else {
        Action::Load {
            target: maker.register(BYTE),
            address: beyond,
            ty: BYTE,
            access: Access::Plain,
        }
    };
    (vec![access], 1)
}

fn overflow(maker: &mut KindMaker<'_>) -> (Vec<Action>, usize) {
    let ty = IntType::signed(*maker.random.pick(&[8, 16, 32, 32, 64]));
    let greatest = Expression::Constant(ty.max(), Scalar::Int(ty));
    let least = Expression::int(ty.min(), ty);
    let target = maker.register(Scalar::Int(ty));
    let calculate = |op, left, right| Action::Assign {
        target,
        value: Expression::binary(op, left, Expression::int(right, ty)),
    };
    match maker.random.below(4) {
        0 => (vec![calculate(BinaryOp::Add, greatest, 1)], 1),
        1 => (vec![calculate(BinaryOp::Subtract, least, 1)], 1),
        2 => (vec![calculate(BinaryOp::Multiply, greatest, 2)], 1),
        _ => {
            let initial = vec![(0, Initial::Scalar(Scalar::Int(ty), ty.max()))];
            let global = add_global(maker.draft, Type::Scalar(Scalar::Int(ty)), initial);
            let load = Action::Load {
                target,
                address: Expression::Global(global),
                ty: Scalar::Int(ty),
                access: Access::Plain,
            };
            let add = calculate(BinaryOp::Add, Expression::Register(target), 1);
            (vec![load, add], 2)
        }
    }
}

fn self_deadlock(maker: &mut KindMaker<'_>) -> (Vec<Action>, usize) {
    let (ty, operation) = if maker.random.chance(70) {
        let ty = SyncType::Mutex(MutexKind::Plain);
        (ty, SyncOperation::MutexAcquire)
    } else {
        (SyncType::ReadWriteLock, SyncOperation::WriteAcquire)
    };
    let lock = add_global(maker.draft, Type::Sync(ty), Vec::new());
    let acquire = Action::Sync {
        operation,
        object: Expression::Global(lock),
        mutex: None,
        result: None,
    };
    (vec![acquire.clone(), acquire], 1)
}

fn write_beside_a_new_thread(maker: &mut KindMaker<'_>) -> (Vec<Action>, usize) {
    let global = add_global(maker.draft, Type::Scalar(BYTE), Vec::new());
    let write = store(Expression::Global(global), 1);
    let mut writer = Function::new(free_item_name(maker.draft));
    writer.connect(writer.entry, write.clone(), writer.exit, None);
    let writer = maker.draft.functions.push(writer);
    let spawn = Action::Spawn {
        target: None,
        place: None,
        callee: Callee::Direct(writer),
        arguments: Vec::new(),
    };
    (vec![spawn, write], 1)
}

fn store(address: Expression, value: u128) -> Action {
    Action::Store {
        address,
        value: Expression::Constant(value, BYTE),
        ty: BYTE,
        access: Access::Plain,
    }
}

pub(super) fn add_global(
    draft: &mut ProgramDraft,
    ty: Type,
    initial: Vec<(u64, Initial)>,
) -> GlobalId {
    let name = free_item_name(draft);
    draft.globals.push(Global {
        name,
        ty,
        initial,
        is_thread_local: false,
        read_only: ReadOnly::NOTHING,
        span: None,
    })
}

pub(super) fn free_item_name(draft: &ProgramDraft) -> String {
    free_name(|name| {
        draft.globals.values().any(|it| it.name == name)
            || draft.functions.values().any(|it| it.name == name)
            || draft.structs.values().any(|it| it.name == name)
            || draft.atomic_sets.values().any(|it| it.name == name)
    })
}

fn free_name(is_taken: impl Fn(&str) -> bool) -> String {
    (1..=u64::MAX)
        .map(|number| format!("{NAME}{number}"))
        .find(|name| !is_taken(name))
        .expect("there are more numbers than names")
}
