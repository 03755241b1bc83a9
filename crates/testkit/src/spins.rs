//! Whether states that lead to one another and to nothing else are a livelock, by a look at all of them together.
//!
//! The interpreter looks at each thread alone, and engines only at some of the states; here everything is there.

use std::collections::{BTreeMap, BTreeSet};

use raddle_ir::interpret::{Effect, ObjectNumber, State, Storage, Successor, ThreadNumber};
use raddle_ir::{
    Action, Callee, EdgeId, EndKind, Expression, FunctionId, LocationId, Program, RegisterId,
};

/// A step that can be taken.
#[derive(Clone, Debug)]
pub struct Deed {
    thread: ThreadNumber,
    edges: Vec<(FunctionId, EdgeId)>,
    read: Vec<ObjectNumber>,
    accessed: Vec<ObjectNumber>,
    is_outward: bool,
}

impl Deed {
    pub fn new(successor: &Successor) -> Self {
        let mut read = Vec::new();
        let mut is_outward = false;
        for effect in &successor.effects {
            if let Effect::Read { object, .. } | Effect::Synchronize { object, .. } = effect {
                read.push(*object);
            }
            is_outward |= matches!(effect, Effect::Emit { .. } | Effect::ObserveLayout);
        }
        let parts = successor.step.parts.iter();
        Self {
            thread: successor.step.thread,
            edges: parts.map(|it| (it.function, it.edge)).collect(),
            read,
            accessed: successor.accesses.iter().map(|it| it.object).collect(),
            is_outward,
        }
    }
}

/// A state and all that can be done in it.
#[derive(Clone, Debug)]
pub struct Moment {
    pub state: State,
    pub deeds: Vec<Deed>,
}

/// Whether no memory changes but what is a thread's own, nobody is heard outside, and every thread waits or spins.
pub fn is_livelock(moments: &[&Moment], program: &Program) -> bool {
    let deeds = || moments.iter().flat_map(|it| &it.deeds);
    let varying = varying(moments);
    let is_own = |(object, owner): (&ObjectNumber, &Option<ThreadNumber>)| {
        let mut users = deeds().filter(|it| it.accessed.contains(object));
        owner.is_some_and(|owner| users.all(|it| it.thread == owner))
    };
    if deeds().any(|it| it.is_outward) || !varying.iter().all(is_own) {
        return false;
    }
    let mut movers: BTreeMap<ThreadNumber, Vec<&Deed>> = BTreeMap::new();
    for deed in deeds() {
        movers.entry(deed.thread).or_default().push(deed);
    }
    !movers.is_empty() && movers.values().all(|deeds| spins(deeds, &varying, program))
}

/// The objects that are not the same in all states, each with the thread that it belongs to.
fn varying(moments: &[&Moment]) -> BTreeMap<ObjectNumber, Option<ThreadNumber>> {
    let mut varying = BTreeMap::new();
    let first = &moments[0].state;
    for moment in moments {
        let state = &moment.state;
        for (number, object) in state.objects.iter().chain(first.objects.iter()) {
            if state.objects.get(number) == first.objects.get(number) {
                continue;
            }
            let is_in_all = moments
                .iter()
                .all(|it| it.state.objects.contains_key(number));
            if !is_in_all && object.storage == Storage::Stack {
                // A local of a function that is called on the way round.
                continue;
            }
            let belongs = |(thread, content): (&ThreadNumber, &std::sync::Arc<_>)| {
                let content: &raddle_ir::interpret::Thread = content;
                let mut frames = content.frames.iter();
                let is_local = frames.any(|it| it.stack_objects.contains(number));
                (is_local || content.locals.contains(number)).then_some(*thread)
            };
            let owner = first.threads.iter().find_map(belongs);
            varying.insert(*number, owner);
        }
    }
    varying
}

/// Whether a thread that can do all this comes to a branch whose other side only memory keeps it from.
fn spins(
    deeds: &[&Deed],
    varying: &BTreeMap<ObjectNumber, Option<ThreadNumber>>,
    program: &Program,
) -> bool {
    let taken: BTreeSet<(FunctionId, EdgeId)> = deeds
        .iter()
        .flat_map(|it| it.edges.iter().copied())
        .collect();
    let looked = |edge: &(FunctionId, EdgeId)| {
        let mut here = deeds.iter().filter(|it| it.edges.contains(edge));
        here.any(|it| it.read.iter().any(|object| !varying.contains_key(object)))
    };
    let known = known_from_memory(&taken, looked, program);
    taken.iter().any(|&(function, edge)| {
        let from = program.edge(function, edge).from;
        program.outgoing(function, from).iter().any(|&side| {
            let edge = program.edge(function, side);
            let Action::Assume { condition } = &edge.action else {
                return false;
            };
            reads(condition, function, &known)
                && !taken.contains(&(function, side))
                && !is_never(condition)
                && goes_on(program, function, edge.to, &mut Vec::new())
        })
    })
}

type Registers = BTreeSet<(FunctionId, RegisterId)>;

fn known_from_memory(
    taken: &BTreeSet<(FunctionId, EdgeId)>,
    looked: impl Fn(&(FunctionId, EdgeId)) -> bool,
    program: &Program,
) -> Registers {
    let mut known = Registers::new();
    let mut is_stored = false;
    let callees = |callee: &Callee| match callee {
        Callee::Direct(function) => vec![*function],
        Callee::Indirect(_) => program.functions.ids().collect(),
    };
    loop {
        let size = (known.len(), is_stored);
        for place in taken {
            let (function, edge) = *place;
            let action = &program.edge(function, edge).action;
            let has_looked = is_stored || looked(place);
            if let Action::Load { target, .. } = action
                && has_looked
            {
                known.insert((function, *target));
            }
            if let Action::ReadModifyWrite { target, .. } = action
                && has_looked
            {
                known.extend(target.map(|it| (function, it)));
            }
            if let Action::CompareExchange {
                previous, success, ..
            } = action
                && has_looked
            {
                known.extend(
                    [previous, success]
                        .into_iter()
                        .flatten()
                        .map(|it| (function, *it)),
                );
            }
            if let Action::Sync {
                result: Some(result),
                ..
            } = action
            {
                known.insert((function, *result));
            }
            if let Action::Assign { target, value } = action
                && reads(value, function, &known)
            {
                known.insert((function, *target));
            }
            if let Action::Store { value, .. } = action {
                is_stored |= reads(value, function, &known);
            }
            if let Action::Call {
                target,
                callee,
                arguments,
            } = action
            {
                for callee in callees(callee) {
                    for (at, argument) in program.functions[callee].parameter_ids().zip(arguments) {
                        if reads(argument, function, &known) {
                            known.insert((callee, at));
                        }
                    }
                    let gives_known = taken.iter().any(|&(inner, edge)| {
                        let action = &program.edge(inner, edge).action;
                        inner == callee
                            && matches!(action, Action::Return { value: Some(value) } if reads(value, inner, &known))
                    });
                    if gives_known {
                        known.extend(target.map(|it| (function, it)));
                    }
                }
            }
        }
        if size == (known.len(), is_stored) {
            return known;
        }
    }
}

fn reads(expression: &Expression, function: FunctionId, known: &Registers) -> bool {
    expression.any(|it| matches!(it, Expression::Register(it) if known.contains(&(function, *it))))
}

fn is_never(condition: &Expression) -> bool {
    matches!(condition, Expression::Constant(0, _))
}

/// Whether a way leads from a location to the end of its function, or round and round, without a failure.
fn goes_on(
    program: &Program,
    function: FunctionId,
    location: LocationId,
    path: &mut Vec<(FunctionId, LocationId)>,
) -> bool {
    if location == program.functions[function].exit || path.contains(&(function, location)) {
        return true;
    }
    path.push((function, location));
    let found = program.outgoing(function, location).iter().any(|&edge| {
        let edge = program.edge(function, edge);
        let action = &edge.action;
        let never_passes = matches!(
            action,
            Action::Assume { condition } | Action::Assert { condition, .. } if is_never(condition)
        );
        let is_failure = matches!(
            action,
            Action::EndProcess {
                kind: EndKind::Abort
            } | Action::Unsupported { .. }
        );
        let calls_failure = matches!(
            action,
            Action::Call { callee: Callee::Direct(callee), .. }
                if !goes_on(program, *callee, program.functions[*callee].entry, path)
        );
        let fails = never_passes || is_failure || calls_failure;
        !fails && goes_on(program, function, edge.to, path)
    });
    path.pop();
    found
}
