//! Control flow.

use raddle_base::Span;
use raddle_ir::{Action, BinaryOp, Expression, LocationId, Scalar};

use crate::typed::{self, Case, LabelId, Statement, StatementKind};

use super::body::{FunctionLowering, ReturnBy, SwitchTargets, Value};
use super::objects::label_value;
use super::scalars;

impl FunctionLowering<'_, '_> {
    pub(super) fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Expression(expression) => self.effect(expression),
            StatementKind::Declare(local, initial) => {
                self.initialize(*local, initial.as_ref(), span);
            }
            StatementKind::AllocateVariable(local, bytes) => self.allocate(*local, bytes, span),
            StatementKind::Block(statements) => self.statements(statements),
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let (yes, no, end) = (
                    self.new_location(),
                    self.new_location(),
                    self.new_location(),
                );
                let no_or_end = if otherwise.is_empty() { end } else { no };
                self.branch_on(condition, yes, no_or_end);
                self.here = yes;
                self.statements(then);
                self.connect(Action::skip(), end, Some(span));
                if !otherwise.is_empty() {
                    self.here = no;
                    self.statements(otherwise);
                    self.connect(Action::skip(), end, Some(span));
                }
                self.here = end;
            }
            StatementKind::Loop {
                condition,
                next,
                body,
            } => {
                let (head, round, step, end) = (
                    self.new_location(),
                    self.new_location(),
                    self.new_location(),
                    self.new_location(),
                );
                self.connect(Action::skip(), head, Some(span));
                self.here = head;
                match condition {
                    Some(condition) => self.branch_on(condition, round, end),
                    None => self.connect(Action::skip(), round, Some(span)),
                }
                self.here = round;
                self.in_loop(step, end, |this| this.statements(body));
                self.connect(Action::skip(), step, Some(span));
                self.here = step;
                if let Some(next) = next {
                    self.effect(next);
                }
                self.connect(Action::skip(), head, Some(span));
                self.here = end;
            }
            StatementKind::DoWhile { body, condition } => {
                let (head, test, end) = (
                    self.new_location(),
                    self.new_location(),
                    self.new_location(),
                );
                self.connect(Action::skip(), head, Some(span));
                self.here = head;
                self.in_loop(test, end, |this| this.statements(body));
                self.connect(Action::skip(), test, Some(span));
                self.here = test;
                self.branch_on(condition, head, end);
                self.here = end;
            }
            StatementKind::Switch {
                value,
                cases,
                has_default,
                body,
            } => self.switch(value, cases, *has_default, body, span),
            StatementKind::Case(index) => {
                if let Some(&target) = self
                    .switches
                    .last()
                    .and_then(|targets| targets.cases.get(*index))
                {
                    self.go_on_at(target, span);
                }
            }
            StatementKind::Default => {
                if let Some(targets) = self.switches.last() {
                    let target = targets.default;
                    self.go_on_at(target, span);
                }
            }
            StatementKind::Label(label) => {
                let target = self.label(*label);
                self.go_on_at(target, span);
            }
            StatementKind::Goto(label) => {
                let target = self.label(*label);
                self.jump(target, Some(span));
            }
            StatementKind::GotoComputed(address) => self.goto_computed(address, span),
            StatementKind::Break => {
                if let Some(&target) = self.breaks.last() {
                    self.jump(target, Some(span));
                }
            }
            StatementKind::Continue => {
                if let Some(&target) = self.continues.last() {
                    self.jump(target, Some(span));
                }
            }
            StatementKind::Return(value) => self.return_value(value.as_ref(), span),
            StatementKind::Unsupported(what) => self.unsupported(what, span),
        }
    }

    /// Code before flows into a place that is jumped to.
    fn go_on_at(&mut self, target: LocationId, span: Span) {
        self.connect(Action::skip(), target, Some(span));
        self.here = target;
    }

    fn in_loop(
        &mut self,
        on_continue: LocationId,
        on_break: LocationId,
        body: impl FnOnce(&mut Self),
    ) {
        let may_repeat = std::mem::replace(&mut self.may_repeat, true);
        self.continues.push(on_continue);
        self.breaks.push(on_break);
        body(self);
        self.continues.pop();
        self.breaks.pop();
        self.may_repeat = may_repeat;
    }

    fn label(&mut self, label: LabelId) -> LocationId {
        if let Some(location) = self.labels[label] {
            return location;
        }
        let location = self.new_location();
        self.labels[label] = Some(location);
        if self.lowering.keeps_labels {
            let name = &self.source.labels[label].name;
            let namesakes = self.source.labels.values().filter(|it| it.name == *name);
            // Of labels that are local to blocks several may be called the same; then none is meant.
            if namesakes.count() == 1 {
                self.function.locations[location].label = Some(name.clone());
            }
        }
        location
    }

    /// One edge for each case; the default takes what no case does.
    fn switch(
        &mut self,
        value: &typed::Expression,
        cases: &[Case],
        has_default: bool,
        body: &[Statement],
        span: Span,
    ) {
        let value = self.value(value);
        let value = self.in_temporary(value, span);
        let scalar = self.scalar_of(&value);
        let targets: Vec<LocationId> = cases.iter().map(|_| self.new_location()).collect();
        let (default, end) = (self.new_location(), self.new_location());
        let mut tests = Vec::new();
        for (case, &target) in cases.iter().zip(&targets) {
            let condition = self.is_case(&value, *case, scalar, span);
            tests.push(condition.expression.clone());
            self.connect(
                Action::Assume {
                    condition: condition.expression,
                },
                target,
                Some(span),
            );
        }
        let condition = match any_of(&tests) {
            Some(any) => any.not(),
            None => Expression::bool(true),
        };
        let otherwise = if has_default { default } else { end };
        self.connect(Action::Assume { condition }, otherwise, Some(span));
        // What stands before the first case is never reached.
        self.here = self.new_location();
        self.switches.push(SwitchTargets {
            cases: targets,
            default,
        });
        self.breaks.push(end);
        self.statements(body);
        self.breaks.pop();
        self.switches.pop();
        self.go_on_at(end, span);
    }

    fn is_case(&mut self, value: &Value, case: Case, scalar: Scalar, span: Span) -> Value {
        let constant = |bits: u128| -> Value { Expression::Constant(bits, scalar).into() };
        if case.first == case.last {
            return self.binary(BinaryOp::Equal, value.clone(), constant(case.first), span);
        }
        let from = self.binary(
            BinaryOp::LessEqual,
            constant(case.first),
            value.clone(),
            span,
        );
        let to = self.binary(
            BinaryOp::LessEqual,
            value.clone(),
            constant(case.last),
            span,
        );
        self.binary(BinaryOp::And, from, to, span)
    }

    /// One edge for each label whose address somebody took.
    fn goto_computed(&mut self, address: &typed::Expression, span: Span) {
        let address = self.value(address);
        let address = self.in_temporary(address, span);
        let source = self.source;
        let taken: Vec<LabelId> = source
            .labels
            .iter()
            .filter(|(_, label)| label.is_address_taken)
            .map(|(id, _)| id)
            .collect();
        let mut tests = Vec::new();
        for label in taken {
            let target = self.label(label);
            let known: Value = Expression::Constant(label_value(label), Scalar::Pointer).into();
            let condition = self.binary(BinaryOp::Equal, address.clone(), known, span);
            tests.push(condition.expression.clone());
            self.connect(
                Action::Assume {
                    condition: condition.expression,
                },
                target,
                Some(span),
            );
        }
        let condition = any_of(&tests).map_or(Expression::bool(true), Expression::not);
        self.then(Action::Assume { condition }, span);
        self.unsupported("a jump to something that is no label of the function", span);
        self.return_nothing();
    }

    fn return_value(&mut self, value: Option<&typed::Expression>, span: Span) {
        match self.return_by.clone() {
            ReturnBy::Nothing => {
                if let Some(value) = value {
                    self.effect(value);
                }
                self.return_with(None, Some(span));
            }
            ReturnBy::Register(scalar) => {
                let value = match value {
                    Some(value) if self.lowering.scalar(&value.ty).is_some() => self.value(value),
                    Some(value) => {
                        self.effect(value);
                        self.undefined(scalar).into()
                    }
                    None => self.undefined(scalar).into(),
                };
                self.return_with(Some(value), Some(span));
            }
            ReturnBy::Memory(result) => {
                if let Some(value) = value {
                    let from = self.record(value);
                    let ty = value.ty.clone();
                    self.copy(Expression::Register(result).into(), from, &ty, span);
                }
                self.return_with(None, Some(span));
            }
            ReturnBy::ProcessStatus => {
                let status = match value {
                    Some(value) if self.lowering.scalar(&value.ty).is_some() => self.value(value),
                    Some(_) | None => Expression::Constant(0, scalars::INT).into(),
                };
                let status = self.convert(status, scalars::INT, false);
                self.end_process(status, Some(span));
            }
        }
    }

    /// What the end of a function does: of one with a result, nobody may look at it.
    pub(super) fn return_nothing(&mut self) {
        match self.return_by.clone() {
            ReturnBy::Nothing | ReturnBy::Memory(_) => self.return_with(None, None),
            ReturnBy::Register(scalar) => {
                let value = self.undefined(scalar);
                self.return_with(Some(value.into()), None);
            }
            ReturnBy::ProcessStatus => {
                self.end_process(Expression::Constant(0, scalars::INT).into(), None);
            }
        }
    }

    fn return_with(&mut self, value: Option<Value>, span: Option<Span>) {
        for set in self.units_of_work.clone().into_iter().rev() {
            self.then(Action::UnitEnd { set }, span);
        }
        if self.is_section {
            self.then(Action::AtomicEnd, span);
        }
        let value = match value {
            Some(value) if self.lowering.features.counts_stack => {
                // Computed before the function is over.
                let target = self.temporary(self.scalar_of(&value));
                self.assign(target, value, span);
                Some(Expression::Register(target).into())
            }
            value => value,
        };
        self.leave_stack(span);
        let exit = self.function.exit;
        self.connect(
            Action::Return {
                value: value.map(|value| value.expression),
            },
            exit,
            span,
        );
        self.here = self.new_location();
    }
}

/// Whether one of the conditions holds; as a balanced tree, since expressions nest only so deep.
fn any_of(conditions: &[Expression]) -> Option<Expression> {
    match conditions {
        [] => None,
        [one] => Some(one.clone()),
        _ => {
            let (left, right) = conditions.split_at(conditions.len() / 2);
            Some(Expression::binary(
                BinaryOp::Or,
                any_of(left)?,
                any_of(right)?,
            ))
        }
    }
}
