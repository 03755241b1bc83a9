//! What one edge does to a state.

use std::sync::Arc;

use crate::action::{Access, Action, AllocateKind, EndKind};
use crate::arithmetic;
use crate::program::{EdgeId, FunctionId};

use super::evaluate::Evaluator;
use super::fault::Fault;
use super::frame::{end_thread, finish_frames};
use super::memory;
use super::naming::Deed;
use super::numbering;
use super::run::{Names, Run};
use super::state::{ObjectNumber, Origin, State, Storage, ThreadNumber, Value};
use super::sync::{self, Performed, Request, Wait};
use super::{Effect, Ending, Interpreter, Part, Property, Stop, Violation};

/// An edge taken with one choice, or the reason it cannot be.
#[derive(Clone, Debug)]
pub(super) struct Advance {
    pub(super) part: Part,
    pub(super) effects: Vec<Effect>,
    /// The execution goes on after these.
    pub(super) violations: Vec<Violation>,
    pub(super) result: Advanced,
}

#[derive(Clone, Debug)]
pub(super) enum Advanced {
    Next(State),
    Stopped(Stop),
    Blocked(Wait),
}

/// How far an action got. Where it is not done, the state is as it was, except after a failure.
pub(super) enum Progress {
    Done,
    Blocked(Wait),
    NotAChoice,
    Failed(Failure),
}

/// Why the execution ends with an action.
pub(super) enum Failure {
    /// An assertion fails; its message.
    Assertion(Option<String>),
    ThreadLimit,
    Fault(Fault),
}

impl Interpreter<'_> {
    /// Takes an edge from the location of the thread's running frame, once for each choice.
    pub(super) fn advance(
        &self,
        state: &State,
        thread: ThreadNumber,
        edge: EdgeId,
    ) -> Vec<Advance> {
        let function = state.threads[&thread].frames.last().expect("runs").function;
        let span = self.program.edge(function, edge).span;
        match self.choices(state, thread, function, edge) {
            Ok(choices) => choices
                .into_iter()
                .filter_map(|choice| self.advance_with(state, thread, edge, choice))
                .collect(),
            Err(values) => {
                let mut advances = vec![Advance {
                    part: Part {
                        function,
                        edge,
                        choice: None,
                    },
                    effects: Vec::new(),
                    violations: Vec::new(),
                    result: Advanced::Stopped(Stop::TooManyChoices { values, span }),
                }];
                if let Action::Havoc { target } = self.program.edge(function, edge).action {
                    let ty = self.program.functions[function].registers[target].ty;
                    let telling = self.telling.values(function, ty, self.program.model);
                    advances.extend(
                        telling.into_iter().filter_map(|value| {
                            self.advance_with(state, thread, edge, Some(value))
                        }),
                    );
                }
                advances
            }
        }
    }

    /// Takes an edge with one choice; `None` if the choice cannot be made.
    pub(super) fn advance_with(
        &self,
        state: &State,
        thread: ThreadNumber,
        edge: EdgeId,
        choice: Option<u128>,
    ) -> Option<Advance> {
        let function = state.threads[&thread].frames.last()?.function;
        let mut next = state.clone();
        let mut run = Run {
            interpreter: self,
            state: &mut next,
            thread,
            function,
            edge,
            choice,
            effects: Vec::new(),
            overflowed: false,
            names: Names::Canonical,
        };
        let progress = run.perform();
        let (effects, overflowed) = (run.effects, run.overflowed);
        let result = match progress {
            Progress::Done => {
                memory::forget_dead(self.program, &mut next);
                Advanced::Next(next)
            }
            Progress::Blocked(wait) => Advanced::Blocked(wait),
            Progress::NotAChoice => return None,
            Progress::Failed(failure) => {
                Advanced::Stopped(self.stop(state, thread, (function, edge), failure))
            }
        };
        let violations = if overflowed {
            vec![self.overflow(state, thread, (function, edge))]
        } else {
            Vec::new()
        };
        Some(Advance {
            part: Part {
                function,
                edge,
                choice,
            },
            effects,
            violations,
            result,
        })
    }

    /// Why an execution ends with a failed action of a thread, in the words of reports.
    pub(super) fn stop(
        &self,
        state: &State,
        thread: ThreadNumber,
        place: (FunctionId, EdgeId),
        failure: Failure,
    ) -> Stop {
        let visible = self.visible_edge(state, thread, place).edge;
        let span = self.program.edge(visible.0, visible.1).span;
        let violation = |property, message, deed| {
            Stop::Violation(self.violation_at(state, thread, place, property, message, deed))
        };
        match failure {
            Failure::Assertion(message) => violation(
                Property::Assert,
                message.unwrap_or_else(|| "the assertion does not hold".into()),
                Deed::Does("fails".into()),
            ),
            Failure::ThreadLimit => Stop::ThreadLimit {
                limit: self.semantics.max_threads,
                span,
            },
            Failure::Fault(Fault::Memory(message)) => {
                violation(Property::Memory, message, Deed::Done("done"))
            }
            Failure::Fault(Fault::LockMisuse(message)) => {
                violation(Property::LockMisuse, message, Deed::Done("done"))
            }
            Failure::Fault(Fault::Undefined(what)) => Stop::Undefined { what, span },
            Failure::Fault(Fault::Unsupported(what)) => Stop::Unsupported { what, span },
        }
    }

    pub(super) fn overflow(
        &self,
        state: &State,
        thread: ThreadNumber,
        place: (FunctionId, EdgeId),
    ) -> Violation {
        self.violation_at(
            state,
            thread,
            place,
            Property::Overflow,
            "a signed operation overflows".into(),
            Deed::Done("computed"),
        )
    }

    /// Whether the choice of a part is one that its edge offers here.
    pub(super) fn is_a_choice(&self, state: &State, thread: ThreadNumber, part: &Part) -> bool {
        // Of a havoc, any value: a trace may choose among more than are tried one by one.
        if let Action::Havoc { target } = self.program.edge(part.function, part.edge).action {
            let ty = self.program.functions[part.function].registers[target].ty;
            return part
                .choice
                .is_some_and(|bits| bits <= ty.mask(self.program.model));
        }
        self.choices(state, thread, part.function, part.edge)
            .is_ok_and(|choices| choices.contains(&part.choice))
    }

    /// The choices of an edge in a state, or their number if there are too many.
    pub(super) fn choices(
        &self,
        state: &State,
        thread: ThreadNumber,
        function: FunctionId,
        edge: EdgeId,
    ) -> Result<Vec<Option<u128>>, u128> {
        match &self.program.edge(function, edge).action {
            Action::Havoc { target } => {
                let ty = self.program.functions[function].registers[*target].ty;
                let greatest = ty.mask(self.program.model);
                if greatest < u128::from(self.semantics.max_choices) {
                    return Ok((0..=greatest).map(Some).collect());
                }
                match self.classes.of_havoc(function, edge) {
                    Some(values) => Ok(values.iter().copied().map(Some).collect()),
                    None => Err(greatest.saturating_add(1)),
                }
            }
            Action::Sync {
                operation, object, ..
            } => {
                let frame = state.threads[&thread].frames.last().expect("runs");
                let mut evaluator = Evaluator {
                    program: self.program,
                    state,
                    thread: Some(thread),
                    types: &self.program.functions[function].registers,
                    values: &frame.registers,
                    overflowed: false,
                    observes_layout: false,
                };
                // A fault comes to light when the operation is performed.
                Ok(evaluator.bits(object).map_or(vec![None], |pointer| {
                    sync::choices(
                        self.program,
                        state,
                        thread,
                        *operation,
                        pointer,
                        self.asks_serial,
                    )
                }))
            }
            Action::Assign { .. }
            | Action::Assume { .. }
            | Action::Assert { .. }
            | Action::Load { .. }
            | Action::Store { .. }
            | Action::ReadModifyWrite { .. }
            | Action::CompareExchange { .. }
            | Action::Allocate { .. }
            | Action::Size { .. }
            | Action::Free { .. }
            | Action::Init { .. }
            | Action::Destroy { .. }
            | Action::Call { .. }
            | Action::Return { .. }
            | Action::Spawn { .. }
            | Action::Join { .. }
            | Action::Detach { .. }
            | Action::ExitThread { .. }
            | Action::EndProcess { .. }
            | Action::AtomicBegin
            | Action::AtomicEnd
            | Action::UnitBegin { .. }
            | Action::UnitEnd { .. }
            | Action::Emit { .. }
            | Action::Unsupported { .. } => Ok(vec![None]),
        }
    }
}

impl Interpreter<'_> {
    /// See [`Interpreter::pointed_to`].
    pub(super) fn operands(
        &self,
        state: &State,
        thread: ThreadNumber,
        part: &Part,
    ) -> Vec<(ObjectNumber, u64)> {
        let addresses: Vec<&crate::Expression> =
            match &self.program.edge(part.function, part.edge).action {
                Action::Load { address, .. }
                | Action::Store { address, .. }
                | Action::ReadModifyWrite { address, .. }
                | Action::CompareExchange { address, .. }
                | Action::Size { address, .. }
                | Action::Free { address } => vec![address],
                Action::Init { object, .. } | Action::Destroy { object, .. } => vec![object],
                Action::Sync { object, mutex, .. } => {
                    std::iter::once(object).chain(mutex).collect()
                }
                Action::Assign { .. }
                | Action::Havoc { .. }
                | Action::Assume { .. }
                | Action::Assert { .. }
                | Action::Allocate { .. }
                | Action::Call { .. }
                | Action::Return { .. }
                | Action::Spawn { .. }
                | Action::Join { .. }
                | Action::Detach { .. }
                | Action::ExitThread { .. }
                | Action::EndProcess { .. }
                | Action::AtomicBegin
                | Action::AtomicEnd
                | Action::UnitBegin { .. }
                | Action::UnitEnd { .. }
                | Action::Emit { .. }
                | Action::Unsupported { .. } => Vec::new(),
            };
        addresses
            .into_iter()
            .filter_map(|address| self.number_of(state, thread, address))
            .map(|pointer| {
                let (object, offset) = arithmetic::split_pointer(pointer, self.program.model);
                (ObjectNumber(object), offset)
            })
            .collect()
    }

    /// The thread that an action of a thread joins or detaches, whether or not it is there.
    pub(super) fn joined_by(
        &self,
        state: &State,
        thread: ThreadNumber,
        part: &Part,
    ) -> Option<ThreadNumber> {
        let action = &self.program.edge(part.function, part.edge).action;
        let (Action::Join { thread: named, .. } | Action::Detach { thread: named }) = action else {
            return None;
        };
        let number = self.number_of(state, thread, named)?;
        u64::try_from(number).ok().map(ThreadNumber)
    }

    /// What an expression is for a thread; `None` if it has no value.
    fn number_of(
        &self,
        state: &State,
        thread: ThreadNumber,
        expression: &crate::Expression,
    ) -> Option<u128> {
        let frame = state.threads.get(&thread).and_then(|it| it.frames.last())?;
        let mut evaluator = Evaluator {
            program: self.program,
            state,
            thread: Some(thread),
            types: &self.program.functions[frame.function].registers,
            values: &frame.registers,
            overflowed: false,
            observes_layout: false,
        };
        evaluator.bits(expression).ok()
    }
}

impl Run<'_> {
    /// Performs the action and moves the thread to where its edge leads.
    pub(super) fn perform(&mut self) -> Progress {
        self.act()
            .unwrap_or_else(|fault| Progress::Failed(Failure::Fault(fault)))
    }

    fn act(&mut self) -> Result<Progress, Fault> {
        let program = self.interpreter.program;
        let model = program.model;
        let crate::program::Edge { action, to, .. } = program.edge(self.function, self.edge);
        let mut result = (Value::Undefined, None);
        match action {
            Action::Assign { target, value } => {
                let value = self.value(value)?;
                self.set(*target, value);
            }
            Action::Havoc { target } => self.set_number(Some(*target), self.choice.unwrap_or(0)),
            Action::Assume { condition } => {
                if self.bits(condition)? == 0 {
                    return Ok(Progress::Blocked(Wait::Assume));
                }
            }
            Action::Assert { condition, message } => {
                if self.bits(condition)? == 0 {
                    return Ok(Progress::Failed(Failure::Assertion(message.clone())));
                }
            }
            Action::Load {
                target,
                address,
                ty,
                access,
            } => {
                let (object, offset) = self.locate(address, *ty)?;
                let value = self.read(object, offset, *ty, *access != Access::Plain);
                self.set(*target, value);
            }
            Action::Store {
                address,
                value,
                ty,
                access,
            } => {
                let (object, offset) = self.locate(address, *ty)?;
                let value = self.value(value)?;
                self.write(object, offset, *ty, value, *access != Access::Plain);
            }
            Action::ReadModifyWrite {
                target,
                operation,
                address,
                operand,
                ty,
                order: _,
            } => {
                let (object, offset) = self.locate(address, *ty)?;
                let operand = self.bits(operand)?;
                let old = self.read(object, offset, *ty, true);
                let new = match (old, operation) {
                    (_, crate::RmwOperation::Exchange) => operand,
                    (Value::Bits(old), _) => {
                        arithmetic::read_modify_write(*operation, old, operand, *ty)
                    }
                    (Value::Undefined, _) => return Err(never_set()),
                };
                self.write(object, offset, *ty, Value::Bits(new), true);
                if let Some(target) = target {
                    self.set(*target, old);
                }
            }
            Action::CompareExchange {
                previous,
                success,
                address,
                expected,
                desired,
                ty,
                order: _,
            } => {
                let (object, offset) = self.locate(address, *ty)?;
                let (expected, desired) = (self.bits(expected)?, self.bits(desired)?);
                let Value::Bits(old) = self.read(object, offset, *ty, true) else {
                    return Err(never_set());
                };
                if old == expected {
                    self.write(object, offset, *ty, Value::Bits(desired), true);
                }
                self.set_number(*previous, old);
                self.set_number(*success, u128::from(old == expected));
            }
            Action::Allocate {
                target,
                size,
                ty,
                is_zeroed,
                kind,
            } => {
                let size = self.number(size)?;
                let limit = memory::MAX_OBJECT_BYTES
                    .min((1 << model.offset_bits()) - 1 - arithmetic::BYTES_BELOW);
                let size = u64::try_from(size)
                    .ok()
                    .filter(|&size| size <= limit)
                    .ok_or_else(|| Fault::Unsupported(format!("an object of {size} bytes")))?;
                let storage = match kind {
                    AllocateKind::Heap => Storage::Heap,
                    AllocateKind::Stack => Storage::Stack,
                };
                let number = self.fresh_object_number()?;
                let ty = ty
                    .as_ref()
                    .filter(|ty| program.size_of(ty).is_some_and(|needed| needed <= size));
                let origin = Origin::Edge(self.function, self.edge);
                let byte = is_zeroed.then_some(0);
                let object = memory::new_object(program, storage, origin, size, ty, byte);
                self.state.objects.insert(number, Arc::new(object));
                self.effects.push(Effect::Allocate {
                    object: number,
                    size,
                });
                if storage == Storage::Stack {
                    self.frame_mut().stack_objects.push(number);
                }
                self.set(
                    *target,
                    Value::Bits(numbering::pointer_to(number, 0, model)),
                );
            }
            Action::Size { target, address } => {
                let pointer = self.bits(address)?;
                let size = self.size(pointer)?;
                self.set_number(Some(*target), u128::from(size));
            }
            Action::Free { address } => {
                let pointer = self.bits(address)?;
                if pointer != 0 {
                    self.free(pointer)?;
                }
            }
            Action::Init { object, sync } => {
                let pointer = self.bits(object)?;
                let size = sync.sync_type().size(model);
                let (object, offset) = memory::locate(program, self.state, pointer, size)?;
                let first = match sync {
                    crate::SyncInit::Semaphore(value) | crate::SyncInit::Barrier(value) => {
                        let first = self.number(value)?;
                        u32::try_from(first).map_err(|_| {
                            Fault::LockMisuse(format!(
                                "a {} is initialised with {first}",
                                sync::family_name(sync.sync_type())
                            ))
                        })?
                    }
                    crate::SyncInit::Mutex(_)
                    | crate::SyncInit::ReadWriteLock
                    | crate::SyncInit::Condition
                    | crate::SyncInit::Monitor => 0,
                };
                if matches!(sync, crate::SyncInit::Barrier(_)) && first == 0 {
                    return Err(Fault::LockMisuse(
                        "a barrier is initialised for nobody".into(),
                    ));
                }
                let target = Arc::make_mut(self.state.objects.get_mut(&object).expect("located"));
                if let Some(before) = target.syncs.get(&offset)
                    && let Some(problem) = sync::in_use(before)
                {
                    return Err(Fault::LockMisuse(
                        problem.replace("destroyed", "initialised"),
                    ));
                }
                memory::put_sync(program, target, offset, memory::made_sync(sync, first));
                self.effects.push(Effect::Synchronize {
                    object,
                    offset,
                    size,
                    is_atomic: false,
                });
            }
            Action::Destroy { object, sync } => {
                let pointer = self.bits(object)?;
                let (object, offset) = sync::find(program, self.state, pointer, *sync)?;
                let target = Arc::make_mut(self.state.objects.get_mut(&object).expect("found"));
                let before = target.syncs.remove(&offset).expect("found");
                if let Some(problem) = sync::in_use(&before) {
                    return Err(Fault::LockMisuse(problem.into()));
                }
                self.effects.push(Effect::Synchronize {
                    object,
                    offset,
                    size: sync.size(model),
                    is_atomic: false,
                });
            }
            Action::Sync {
                operation,
                object,
                mutex,
                result,
            } => {
                let pointer = self.bits(object)?;
                let mutex = match mutex {
                    Some(mutex) => Some(self.bits(mutex)?),
                    None => None,
                };
                let request = Request {
                    operation: *operation,
                    pointer,
                    mutex,
                    choice: self.choice,
                    has_spurious_wakeups: self.interpreter.semantics.has_spurious_wakeups,
                };
                let was_woken = self.state.threads[&self.thread].woken.is_some();
                let performed = sync::perform(program, self.state, self.thread, request)?;
                match performed {
                    Performed::Done(code) => {
                        // What a woken thread waited on it touches no more, and it may be gone.
                        let touched = (!was_woken).then_some(pointer).into_iter().chain(mutex);
                        for place in touched {
                            let (object, offset) = arithmetic::split_pointer(place, model);
                            let object = ObjectNumber(object);
                            let sync = self
                                .state
                                .objects
                                .get(&object)
                                .and_then(|it| it.syncs.get(&offset));
                            if let Some(sync) = sync {
                                let size = sync.sync_type().size(model);
                                self.effects.push(Effect::Synchronize {
                                    object,
                                    offset,
                                    size,
                                    is_atomic: true,
                                });
                            }
                        }
                        self.set_number(*result, code);
                    }
                    Performed::Blocked(wait) => return Ok(Progress::Blocked(wait)),
                    Performed::NotAChoice => return Ok(Progress::NotAChoice),
                }
            }
            Action::Call {
                target,
                callee,
                arguments,
            } => {
                let callee = self.callee(callee, arguments, *target)?;
                let arguments = self.values(arguments)?;
                if self.state.threads[&self.thread].frames.len() >= MAX_FRAMES {
                    return Err(Fault::Unsupported(format!(
                        "recursion deeper than {MAX_FRAMES} calls"
                    )));
                }
                let frame = self.interpreter.new_frame(callee, arguments, *target);
                let interpreter = self.interpreter;
                let caller = self.frame_mut();
                caller.location = *to;
                interpreter.clear_dead(caller);
                self.thread_mut().frames.push(frame);
                finish_frames(
                    interpreter,
                    self.state,
                    self.thread,
                    (Value::Undefined, None),
                );
                return Ok(Progress::Done);
            }
            Action::Return { value } => {
                if let Some(value) = value {
                    let ty = value.scalar(&program.functions[self.function].registers, model);
                    result = (self.value(value)?, Some(ty));
                }
            }
            Action::Spawn {
                target,
                callee,
                arguments,
            } => {
                let callee = self.callee(callee, arguments, None)?;
                let arguments = self.values(arguments)?;
                if self.state.threads.len() >= self.interpreter.semantics.max_threads {
                    return Ok(Progress::Failed(Failure::ThreadLimit));
                }
                let (child, number) = numbering::fresh_child(program, self.state, self.thread)
                    .ok_or_else(|| {
                        Fault::Unsupported("threads nested too deeply to be numbered".into())
                    })?;
                self.set_number(*target, u128::from(number.0));
                let creator = Some(self.thread);
                self.interpreter
                    .add_thread(self.state, number, callee, creator, child, arguments)
                    .map_err(Fault::Unsupported)?;
                self.effects.push(Effect::Spawn { thread: number });
            }
            Action::Join { thread, target } => {
                let number = self.joinable(thread)?;
                let joined = &self.state.threads[&number];
                if !joined.frames.is_empty() {
                    return Ok(Progress::Blocked(Wait::each(vec![number])));
                }
                let (value, ty) = (joined.result, joined.result_type);
                self.state.threads.remove(&number);
                if let Some(target) = target {
                    let wanted = program.functions[self.function].registers[*target].ty;
                    if ty.is_some_and(|ty| ty != wanted) {
                        return Err(Fault::Undefined(
                            "the result of a thread is joined as another type".into(),
                        ));
                    }
                    self.set(*target, value);
                }
            }
            Action::Detach { thread } => {
                let number = self.joinable(thread)?;
                let detached = Arc::make_mut(self.state.threads.get_mut(&number).expect("exists"));
                detached.is_detached = true;
                if detached.frames.is_empty() {
                    self.state.threads.remove(&number);
                }
            }
            Action::ExitThread { value } => {
                if let Some(value) = value {
                    let ty = value.scalar(&program.functions[self.function].registers, model);
                    result = (self.value(value)?, Some(ty));
                }
                for set in std::mem::take(&mut self.thread_mut().units)
                    .into_iter()
                    .rev()
                {
                    self.effects.push(Effect::UnitEnd { set });
                }
                let frames = std::mem::take(&mut self.thread_mut().frames);
                for object in frames.into_iter().flat_map(|frame| frame.stack_objects) {
                    memory::kill(self.state, object);
                }
                end_thread(self.state, self.thread, result);
                return Ok(Progress::Done);
            }
            Action::EndProcess { kind } => {
                let ending = match kind {
                    EndKind::Exit(status) => Ending::Exit(self.number(status)?),
                    EndKind::Abort => Ending::Abort,
                };
                self.effects.push(Effect::End { ending });
                self.state.has_ended = true;
                self.state.threads.clear();
                if *kind == EndKind::Abort {
                    // Who aborts is not asked for what it did not free.
                    let is_kept = |object: &super::Object| object.storage != Storage::Heap;
                    self.state.objects.retain(|_, object| is_kept(object));
                }
                return Ok(Progress::Done);
            }
            Action::AtomicBegin => self.thread_mut().atomic_depth += 1,
            Action::AtomicEnd => {
                let thread = self.thread_mut();
                thread.atomic_depth = thread.atomic_depth.checked_sub(1).ok_or_else(|| {
                    Fault::Unsupported("the end of an atomic section that never began".into())
                })?;
            }
            Action::UnitBegin { set } => {
                self.thread_mut().units.push(*set);
                self.effects.push(Effect::UnitBegin { set: *set });
            }
            Action::UnitEnd { set } => {
                if self.thread_mut().units.pop() != Some(*set) {
                    return Err(Fault::Unsupported(
                        "the end of a unit of work that is not the innermost".into(),
                    ));
                }
                self.effects.push(Effect::UnitEnd { set: *set });
            }
            Action::Emit { text, arguments } => {
                let bytes = self.format(text, arguments)?;
                self.effects.push(Effect::Emit { bytes });
            }
            Action::Unsupported { what } => return Err(Fault::Unsupported(what.clone())),
        }
        let interpreter = self.interpreter;
        let frame = self.frame_mut();
        frame.location = *to;
        interpreter.clear_dead(frame);
        finish_frames(interpreter, self.state, self.thread, result);
        Ok(Progress::Done)
    }
}

/// Deeper recursion is a limit of the model.
const MAX_FRAMES: usize = 1024;

fn never_set() -> Fault {
    Fault::Undefined("a value is used that was never set".into())
}
