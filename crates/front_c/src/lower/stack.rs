//! How much of its stack a thread uses: more than there is violates `memory`.
//!
//! Counted are the objects of functions that are under way, and what every call takes at least. Nothing is counted if no
//! chain of calls can come to the limit: without recursion, arrays of variable length and `alloca` in a loop, the text tells.

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::Span;
use raddle_ir::{
    Access, Action, AllocateKind, BinaryOp, Callee, Edge, Expression, Function, FunctionId, Global,
    GlobalId, Initial, LocationId, ProgramDraft, ReadOnly, RegisterId, Scalar, Type as IrType,
};

use super::Lowering;
use super::body::{FunctionLowering, Value};

/// What a call takes at least: where to go back to, kept aligned.
const FRAME: u64 = 16;

impl Lowering<'_> {
    /// A variable of each thread that says how many bytes of its stack are used.
    fn stack_counter(&mut self) -> GlobalId {
        if let Some(known) = self.stack_counter {
            return known;
        }
        let name = self.unique_name(&format!("stack of {} bytes", self.options.stack_bytes));
        let word = Scalar::Int(self.model().unsigned_word());
        let counter = self.draft.globals.push(Global {
            name,
            ty: IrType::Scalar(word),
            initial: vec![(0, Initial::Scalar(word, 0))],
            is_thread_local: true,
            read_only: ReadOnly::NOTHING,
            is_opaque: false,
            span: None,
        });
        self.stack_counter = Some(counter);
        counter
    }

    /// Whether some chain of calls may use more than the stack.
    pub(super) fn may_leave_the_stack(&self) -> bool {
        may_exceed(&self.draft, self.options.stack_bytes)
    }
}

impl FunctionLowering<'_, '_> {
    fn word(&self) -> Scalar {
        Scalar::Int(self.lowering.model().unsigned_word())
    }

    /// What was used before the function began, if that is counted.
    pub(super) fn stack_before(&mut self) -> Option<RegisterId> {
        if !self.lowering.features.counts_stack {
            return None;
        }
        if self.stack_before.is_none() {
            let word = self.word();
            self.stack_before = Some(self.temporary(word));
        }
        self.stack_before
    }

    /// The function begins, with so many bytes of objects.
    pub(super) fn enter_stack(&mut self, from: LocationId, bytes: u64) -> LocationId {
        let Some(before) = self.stack_before() else {
            return from;
        };
        self.here = from;
        let (word, span) = (self.word(), self.function.span);
        let address = Expression::Global(self.lowering.stack_counter());
        self.then(
            Action::Load {
                target: before,
                address,
                ty: word,
                access: Access::Plain,
            },
            span,
        );
        let used: Value = Expression::Register(before).into();
        let more = Expression::Constant(u128::from(bytes.saturating_add(FRAME)), word);
        self.use_stack(used, more.into(), span);
        self.here
    }

    /// An object begins after its function has.
    pub(super) fn grow_stack(&mut self, bytes: Value, span: Option<Span>) {
        if self.stack_before().is_none() {
            return;
        }
        let used = self.used_stack(span);
        let word = self.word();
        let bytes = self.convert(bytes, word, false);
        let bytes = match span {
            Some(span) => self.in_temporary(bytes, span),
            None => bytes,
        };
        self.use_stack(used, bytes, span);
    }

    /// An object ends before its function does.
    pub(super) fn shrink_stack(&mut self, object: RegisterId, span: Option<Span>) {
        if self.stack_before().is_none() {
            return;
        }
        let word = self.word();
        let bytes = self.temporary(word);
        self.then(
            Action::Size {
                target: bytes,
                address: Expression::Register(object),
            },
            span,
        );
        let used = self.used_stack(span);
        let counter = self.lowering.stack_counter();
        self.then(
            Action::Store {
                address: Expression::Global(counter),
                value: Expression::binary(
                    BinaryOp::SubtractWrapping,
                    used.expression,
                    Expression::Register(bytes),
                ),
                ty: word,
                access: Access::Plain,
            },
            span,
        );
    }

    fn used_stack(&mut self, span: Option<Span>) -> Value {
        let word = self.word();
        let target = self.temporary(word);
        let counter = self.lowering.stack_counter();
        self.then(
            Action::Load {
                target,
                address: Expression::Global(counter),
                ty: word,
                access: Access::Plain,
            },
            span,
        );
        Expression::Register(target).into()
    }

    fn use_stack(&mut self, used: Value, more: Value, span: Option<Span>) {
        let word = self.word();
        let limit =
            u128::from(self.lowering.options.stack_bytes) & word.mask(self.lowering.model());
        let room = Expression::binary(
            BinaryOp::SubtractWrapping,
            Expression::Constant(limit, word),
            used.expression.clone(),
        );
        let fits = Expression::binary(BinaryOp::LessEqual, more.expression.clone(), room);
        let (within, beyond) = (self.new_location(), self.new_location());
        self.connect(
            Action::Assume {
                condition: fits.clone(),
            },
            within,
            span,
        );
        self.connect(
            Action::Assume {
                condition: fits.not(),
            },
            beyond,
            span,
        );
        // The word behind the counter is no object's.
        self.here = beyond;
        let model = self.lowering.model();
        let counter = Expression::Global(self.lowering.stack_counter());
        let nothing = self.temporary(word);
        self.connect(
            Action::Load {
                target: nothing,
                address: Expression::at_offset(counter.clone(), word.size(model), model),
                ty: word,
                access: Access::Plain,
            },
            within,
            span,
        );
        self.here = within;
        self.then(
            Action::Store {
                address: counter,
                value: Expression::binary(BinaryOp::AddWrapping, used.expression, more.expression),
                ty: word,
                access: Access::Plain,
            },
            span,
        );
    }

    /// The function ends.
    pub(super) fn leave_stack(&mut self, span: Option<Span>) {
        let Some(before) = self.stack_before() else {
            return;
        };
        let (word, counter) = (self.word(), self.lowering.stack_counter());
        self.then(
            Action::Store {
                address: Expression::Global(counter),
                value: Expression::Register(before),
                ty: word,
                access: Access::Plain,
            },
            span,
        );
    }
}

/// What functions use and call.
struct Frames {
    bytes: BTreeMap<FunctionId, u64>,
    called: BTreeMap<FunctionId, BTreeSet<FunctionId>>,
}

fn may_exceed(draft: &ProgramDraft, limit: u64) -> bool {
    let mut frames = Frames {
        bytes: BTreeMap::new(),
        called: BTreeMap::new(),
    };
    let mut named = BTreeSet::new();
    let mut indirect = Vec::new();
    for (_, global) in draft.globals.iter() {
        for (_, initial) in &global.initial {
            if let Initial::Address(address) = initial {
                name_functions(address, &mut named);
            }
        }
    }
    for (id, function) in draft.functions.iter() {
        let (mut bytes, mut called) = (FRAME, BTreeSet::new());
        let (ended, repeated) = (ended_before_return(function), not_before_loops(function));
        for (_, edge) in function.edges.iter() {
            match &edge.action {
                Action::Allocate {
                    target,
                    size: Expression::Constant(size, _),
                    kind: AllocateKind::Stack,
                    ..
                } => {
                    // What stays until the function returns is there once for each round of a loop.
                    if !ended.contains(target) && repeated.contains(&edge.from) {
                        return true;
                    }
                    bytes = bytes.saturating_add(u64::try_from(*size).unwrap_or(u64::MAX));
                }
                Action::Allocate {
                    kind: AllocateKind::Stack,
                    ..
                } => return true,
                Action::Call { callee, .. } => match callee {
                    Callee::Direct(callee) => {
                        called.insert(*callee);
                    }
                    Callee::Indirect(_) => indirect.push(id),
                },
                _ => {}
            }
            for expression in edge.action.expressions() {
                name_functions(expression, &mut named);
            }
        }
        frames.bytes.insert(id, bytes);
        frames.called.insert(id, called);
    }
    for id in indirect {
        frames.called.entry(id).or_default().extend(&named);
    }
    let mut known = BTreeMap::new();
    draft.functions.ids().any(|id| {
        deepest(&frames, id, &mut known, &mut BTreeSet::new()).is_none_or(|it| it > limit)
    })
}

/// What ends with its block: only one life of it counts at a time.
fn ended_before_return(function: &Function) -> BTreeSet<RegisterId> {
    let ends = |edge: &Edge| match &edge.action {
        Action::Free {
            address: Expression::Register(object),
            kind: AllocateKind::Stack,
        } => Some(*object),
        _ => None,
    };
    function.edges.values().filter_map(ends).collect()
}

/// Locations in loops, and behind them: all but those that can be put in order from the entry on.
fn not_before_loops(function: &Function) -> BTreeSet<LocationId> {
    let mut entries: BTreeMap<LocationId, usize> = BTreeMap::new();
    let mut next: BTreeMap<LocationId, Vec<LocationId>> = BTreeMap::new();
    for edge in function.edges.values() {
        *entries.entry(edge.to).or_default() += 1;
        next.entry(edge.from).or_default().push(edge.to);
    }
    let mut left: BTreeSet<LocationId> = function.locations.ids().collect();
    let is_first = |it: &LocationId| !entries.contains_key(it);
    let mut open: Vec<LocationId> = left.iter().copied().filter(is_first).collect();
    while let Some(at) = open.pop() {
        left.remove(&at);
        for to in next.remove(&at).into_iter().flatten() {
            let entries = entries.entry(to).or_default();
            *entries = entries.saturating_sub(1);
            if *entries == 0 {
                open.push(to);
            }
        }
    }
    left
}

/// The most that a call of a function can use; nothing if there is no end to it.
fn deepest(
    frames: &Frames,
    id: FunctionId,
    known: &mut BTreeMap<FunctionId, u64>,
    open: &mut BTreeSet<FunctionId>,
) -> Option<u64> {
    if let Some(found) = known.get(&id) {
        return Some(*found);
    }
    if !open.insert(id) {
        return None;
    }
    let mut most = 0;
    for callee in frames.called.get(&id).into_iter().flatten() {
        most = most.max(deepest(frames, *callee, known, open)?);
    }
    open.remove(&id);
    let own = frames.bytes.get(&id).copied().unwrap_or(FRAME);
    let found = own.saturating_add(most);
    known.insert(id, found);
    Some(found)
}

fn name_functions(expression: &Expression, named: &mut BTreeSet<FunctionId>) {
    match expression {
        Expression::Function(id) => {
            named.insert(*id);
        }
        Expression::Constant(..)
        | Expression::Register(_)
        | Expression::Global(_)
        | Expression::CurrentThread => {}
        Expression::Unary(_, operand) | Expression::Cast(_, operand) => {
            name_functions(operand, named);
        }
        Expression::Binary(_, left, right) => {
            name_functions(left, named);
            name_functions(right, named);
        }
        Expression::Select(condition, then, otherwise) => {
            name_functions(condition, named);
            name_functions(then, named);
            name_functions(otherwise, named);
        }
    }
}
