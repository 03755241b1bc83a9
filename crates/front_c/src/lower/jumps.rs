//! `setjmp` and `longjmp`: jumps to a call that is under way, from it or from what it calls.
//!
//! `longjmp` takes note of where to go, in a variable of the thread, and returns. After every call that may have come to
//! it the caller looks: the one whose call of `setjmp` is meant goes on there, others return at once. What `setjmp` keeps
//! is the address of a hidden object of its caller, so a jump to a call that has ended is an access to memory that has
//! ended, and the number of the place.
//!
//! A local that is no volatile object and lives in a register is never set after the jump if it was assigned to since
//! (C17 7.13.2.1p3). What lies in memory keeps what was written last.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use raddle_base::Span;
use raddle_ir::{
    Access, Action, BinaryOp, Callee as IrCallee, Expression, LocationId, RegisterId, Scalar,
};

use crate::parts::{self, Subtree};
use crate::typed::{self, Callee, ExpressionKind, FunctionId, LocalId, Module, Statement};
use crate::types::Type;

use super::Lowering;
use super::body::{FunctionLowering, ReturnBy, Storage, Value};
use super::scalars;

/// What a thread that jumps goes to, in our library: the hidden object, the number of the place, the value.
const STATE: &str = "__raddle_jump";

/// Fills in what a jump needs, in our library.
const SET: &str = "__raddle_set_jump";

/// So many words of a `jmp_buf` are written: the hidden object of the call, and the number of the place.
const STATE_WORDS: u64 = 2;

/// What takes note of a jump.
pub(super) const JUMPS: [&str; 3] = ["longjmp", "_longjmp", "siglongjmp"];

/// The places of one function that jumps may lead to.
pub(super) struct Jumps {
    /// The address of the hidden object.
    frame: RegisterId,
    /// In the order in which they are met.
    sites: Vec<Site>,
    /// Where a call has come back because of a jump, and what is alive there.
    arrivals: Vec<(LocationId, Vec<LocalId>, Span)>,
    /// For each variable, whether it was assigned to since, by the number of the place.
    changed: BTreeMap<RegisterId, Vec<RegisterId>>,
}

struct Site {
    location: LocationId,
    alive: Vec<LocalId>,
    result: RegisterId,
}

/// Whether a call is one of a `setjmp` that is modelled.
fn is_site(module: &Module, callee: &Callee, arguments: &[typed::Expression]) -> bool {
    let Callee::Direct(function) = callee else {
        return false;
    };
    let function = &module.functions[*function];
    if !function.is_library {
        return false;
    }
    match (&*function.name, arguments) {
        ("setjmp" | "_setjmp", [_]) => true,
        // No mask of signals is kept.
        ("sigsetjmp" | "__sigsetjmp", [_, mask]) => matches!(mask.kind, ExpressionKind::Integer(0)),
        _ => false,
    }
}

fn calls<'t>(part: Subtree<'t>, visit: &mut dyn FnMut(&'t Callee, &'t [typed::Expression])) {
    match part {
        Subtree::Value(value) => {
            if let ExpressionKind::Call(callee, arguments) = &value.kind {
                visit(callee, arguments);
            }
            parts::of_expression(value, &mut |part| calls(part, visit));
        }
        Subtree::Lvalue(place) => parts::of_place(place, &mut |part| calls(part, visit)),
        Subtree::Statements(statements, last) => {
            for statement in statements {
                parts::of_statement(statement, &mut |part| calls(part, visit));
                for block in parts::blocks(statement) {
                    calls(Subtree::Statements(block, None), visit);
                }
            }
            if let Some(last) = last {
                calls(Subtree::Value(last), visit);
            }
        }
    }
}

fn count_sites(module: &Module, statements: &[Statement]) -> usize {
    let mut count = 0;
    calls(
        Subtree::Statements(statements, None),
        &mut |callee, arguments| {
            count += usize::from(is_site(module, callee, arguments));
        },
    );
    count
}

impl Lowering<'_> {
    /// Functions that may come back because of a jump: those that call one, and those that call through a pointer.
    fn jumping_functions(&mut self) -> Rc<BTreeSet<FunctionId>> {
        if let Some(known) = &self.jumping {
            return Rc::clone(known);
        }
        let mut callers: BTreeMap<FunctionId, BTreeSet<FunctionId>> = BTreeMap::new();
        let mut open = Vec::new();
        for (id, function) in self.module.functions.iter() {
            if function.is_library && JUMPS.contains(&&*function.name) {
                open.push(id);
            }
            let Some(body) = &function.body else {
                continue;
            };
            let mut is_indirect = false;
            calls(
                Subtree::Statements(&body.statements, None),
                &mut |callee, _| match callee {
                    Callee::Direct(callee) => {
                        callers
                            .entry(self.resolved_function(*callee))
                            .or_default()
                            .insert(id);
                    }
                    Callee::Indirect(..) => is_indirect = true,
                },
            );
            if is_indirect {
                open.push(id);
            }
        }
        let mut found = BTreeSet::new();
        while let Some(function) = open.pop() {
            if found.insert(function) {
                open.extend(callers.get(&function).into_iter().flatten());
            }
        }
        let found = Rc::new(found);
        self.jumping = Some(Rc::clone(&found));
        found
    }

    /// The address of a word of what a thread that jumps goes to.
    fn jump_state(&mut self) -> Option<Expression> {
        let mut objects = self.module.objects.iter();
        let (id, _) = objects.find(|(_, object)| object.name == STATE)?;
        Some(self.object_address(id))
    }
}

impl FunctionLowering<'_, '_> {
    /// Before the statements: makes what jumps to places of this function need.
    pub(super) fn begin_jumps(&mut self) {
        if !self.lowering.features.uses_jumps {
            return;
        }
        let source = self.source;
        let count = count_sites(self.lowering.module, &source.statements);
        if count == 0 {
            return;
        }
        self.may_repeat = true;
        let word = self.lowering.model().pointer_bytes();
        let frame = self.stack_bytes("jump", word);
        let mut changed = BTreeMap::new();
        for (local, declared) in source.locals.iter() {
            let is_plain = !declared.ty.is_volatile && !declared.is_hidden;
            let is_scalar = self.lowering.scalar(&declared.ty.ty).is_some();
            if !is_plain || !is_scalar || declared.is_address_taken {
                continue;
            }
            if let Storage::Register(variable) = self.storage(local) {
                let flags = (0..count).map(|_| self.temporary(Scalar::BOOL)).collect();
                changed.insert(variable, flags);
            }
        }
        self.jumps = Some(Jumps {
            frame,
            sites: Vec::new(),
            arrivals: Vec::new(),
            changed,
        });
    }

    /// A call of `setjmp`; `None` if it is none, or if nobody ever jumps.
    pub(super) fn set_jump(
        &mut self,
        callee: &Callee,
        arguments: &[typed::Expression],
        span: Span,
    ) -> Option<Value> {
        let module = self.lowering.module;
        if !is_site(module, callee, arguments) {
            return None;
        }
        let state = self.value(arguments.first()?);
        let result = self.temporary(scalars::INT);
        self.note_variable(result);
        let zero = Expression::Constant(0, scalars::INT);
        let Some(jumps) = &self.jumps else {
            self.set_state(state, span);
            self.assign(result, zero.into(), span);
            return Some(Expression::Register(result).into());
        };
        let (frame, number) = (jumps.frame, jumps.sites.len());
        let flags: Vec<RegisterId> = jumps
            .changed
            .values()
            .filter_map(|it| it.get(number).copied())
            .collect();
        let set = self.lowering.function_named(SET)?;
        let set = self.lowering.function(set);
        let word = Scalar::Int(self.lowering.model().signed_word());
        self.then(
            Action::Call {
                target: None,
                callee: IrCallee::Direct(set),
                arguments: vec![
                    state.expression,
                    Expression::Register(frame),
                    Expression::Constant(number as u128, word),
                ],
            },
            span,
        );
        for flag in flags {
            self.assign(flag, Expression::bool(false).into(), span);
        }
        self.assign(result, zero.into(), span);
        let location = self.new_location();
        self.connect(Action::skip(), location, Some(span));
        self.here = location;
        let alive = self.without_cleanups(self.alive.clone());
        if let Some(jumps) = &mut self.jumps {
            jumps.sites.push(Site {
                location,
                alive,
                result,
            });
        }
        Some(Expression::Register(result).into())
    }

    /// Writes what a jump would be told, where nobody jumps: others may do so at the same time, or it may not be there.
    fn set_state(&mut self, state: Value, span: Span) {
        let word = Scalar::Int(self.lowering.model().signed_word());
        let state = self.in_temporary(state, span);
        for index in 0..STATE_WORDS {
            let distance = index * self.lowering.model().pointer_bytes();
            let distance = Expression::Constant(distance.into(), word);
            let place = self.binary(BinaryOp::Offset, state.clone(), distance.into(), span);
            let zero = Expression::Constant(0, word);
            self.store_scalar(place, zero.into(), word, Access::Plain, span);
        }
    }

    /// After an assignment: it is one since every place that was passed.
    pub(super) fn note_change(&mut self, variable: RegisterId, span: Option<Span>) {
        let Some(flags) = self.jumps.as_ref().and_then(|it| it.changed.get(&variable)) else {
            return;
        };
        for target in flags.clone() {
            let value = Expression::bool(true);
            self.then(Action::Assign { target, value }, span);
        }
    }

    /// After a call: whether it has come back because of a jump.
    pub(super) fn look_for_jump(&mut self, callee: Option<FunctionId>, span: Span) {
        if !self.lowering.features.uses_jumps {
            return;
        }
        if let Some(callee) = callee {
            let callee = self.lowering.resolved_function(callee);
            if !self.lowering.jumping_functions().contains(&callee) {
                return;
            }
        }
        let Some(state) = self.lowering.jump_state() else {
            return;
        };
        let target = self.load_scalar(state.into(), Scalar::Pointer, Access::Plain, span);
        let jumps = scalars::is_nonzero(target.expression, Scalar::Pointer);
        let (arrival, on) = (self.new_location(), self.new_location());
        self.branch(jumps.into(), arrival, on, span);
        let alive = self.without_cleanups(self.alive.clone());
        if let Some(jumps) = &mut self.jumps {
            jumps.arrivals.push((arrival, alive, span));
        } else {
            self.here = arrival;
            self.pass_jump_on(span);
        }
        self.here = on;
    }

    /// Returns to a caller that looks.
    fn pass_jump_on(&mut self, span: Span) {
        if matches!(self.return_by, ReturnBy::ProcessStatus) {
            self.unsupported("a jump that leads nowhere", span);
        }
        self.return_nothing();
    }

    /// After the statements: from every call that may have come back because of a jump to every place.
    pub(super) fn finish_jumps(&mut self) {
        let Some(mut jumps) = self.jumps.take() else {
            return;
        };
        let Some(state) = self.lowering.jump_state() else {
            return;
        };
        let word = self.lowering.model().pointer_bytes();
        let number = Scalar::Int(self.lowering.model().signed_word());
        for (arrival, alive, span) in std::mem::take(&mut jumps.arrivals) {
            self.here = arrival;
            let state = Value::from(state.clone());
            let target = self.load_scalar(state.clone(), Scalar::Pointer, Access::Plain, span);
            let is_here = Expression::binary(
                BinaryOp::Equal,
                target.expression,
                Expression::Register(jumps.frame),
            );
            let (own, other) = (self.new_location(), self.new_location());
            self.branch(is_here.into(), own, other, span);
            self.here = other;
            self.pass_jump_on(span);
            self.here = own;
            let null = Expression::null();
            self.store_scalar(
                state.clone(),
                null.into(),
                Scalar::Pointer,
                Access::Plain,
                span,
            );
            let place = self.displaced(state.clone(), word, span);
            let place = self.load_scalar(place, number, Access::Plain, span);
            let value = self.displaced(state, 2 * word, span);
            let value = self.load_scalar(value, scalars::INT, Access::Plain, span);
            for (index, site) in jumps.sites.iter().enumerate() {
                let wanted = Expression::Constant(index as u128, number);
                let is_it = Expression::binary(BinaryOp::Equal, place.expression.clone(), wanted);
                let (yes, no) = (self.new_location(), self.new_location());
                self.branch(is_it.into(), yes, no, span);
                self.here = yes;
                self.arrive(&jumps, index, site, &alive, value.clone(), span);
                self.here = no;
            }
            self.unsupported("a jump that leads nowhere", span);
            self.return_nothing();
        }
    }

    fn arrive(
        &mut self,
        jumps: &Jumps,
        index: usize,
        site: &Site,
        alive: &[LocalId],
        value: Value,
        span: Span,
    ) {
        for (&variable, flags) in &jumps.changed {
            let Some(&flag) = flags.get(index) else {
                continue;
            };
            let (changed, on) = (self.new_location(), self.new_location());
            self.branch(Expression::Register(flag).into(), changed, on, span);
            self.here = changed;
            let scalar = self.function.registers[variable].ty;
            let nothing = self.undefined(scalar);
            self.assign(variable, nothing.into(), span);
            self.connect(Action::skip(), on, Some(span));
            self.here = on;
        }
        self.assign(site.result, value, span);
        let in_common = alive
            .iter()
            .zip(&site.alive)
            .take_while(|(here, there)| here == there)
            .count();
        let outside = std::mem::replace(&mut self.alive, alive.to_vec());
        self.end_locals(in_common, Some(span));
        self.alive = outside;
        self.enter(&site.alive[in_common..], site.location, Some(span));
    }

    /// Calls that are due when a scope is left are not made by a jump.
    fn without_cleanups(&self, mut alive: Vec<LocalId>) -> Vec<LocalId> {
        alive.retain(|local| !matches!(self.source.locals[*local].ty.ty, Type::Void));
        alive
    }
}
