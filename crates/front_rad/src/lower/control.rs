//! Where control goes: branches, loops and choices.

use raddle_base::Span;
use raddle_ir::{Action, Expression, RegisterId};

use crate::message::{Reported, syntax_error};
use crate::syntax::{Arm, Block, Expr, ExprKind, Logic, UnarySign};

use super::automaton::Point;
use super::body::{Body, FunctionSink, Lowered};
use super::operations::Target;
use super::surface::Ty;

/// A loop that is being read.
pub(super) struct LoopInfo {
    head: Point,
    after: Point,
    has_break: bool,
    /// How many cleanups were due outside of it.
    cleanups: usize,
}

impl<'s> Body<'_, '_, 's> {
    pub(super) fn sink(&mut self) -> &mut FunctionSink<'s> {
        self.function()
            .expect("statements are lowered in functions only")
    }

    // ---- conditions

    /// Goes to `yes` or `no`: two assumptions, or more where a part that reads memory may be skipped.
    fn branch(&mut self, condition: &Expr<'s>, yes: Point, no: Point) -> Lowered<()> {
        match &condition.kind {
            ExprKind::Logic(logic, left, right) if self.has_effect(right) => {
                let middle = self.automaton().point();
                match logic {
                    Logic::And => self.branch(left, middle, no)?,
                    Logic::Or => self.branch(left, yes, middle)?,
                }
                self.automaton().go_on_at(Some(middle));
                self.branch(right, yes, no)
            }
            ExprKind::Unary(_, UnarySign::Exclamation, operand)
                if matches!(operand.kind, ExprKind::Logic(..)) && self.has_effect(operand) =>
            {
                self.branch(operand, no, yes)
            }
            _ => {
                let condition = self.condition(condition)?;
                let automaton = self.automaton();
                let from = automaton.standing();
                let negated = condition.clone().not();
                automaton.connect(from, Action::Assume { condition }, yes);
                automaton.connect(from, Action::Assume { condition: negated }, no);
                automaton.go_on_at(None);
                Ok(())
            }
        }
    }

    /// `a and b`, `a or b` where `b` is evaluated only if it counts.
    pub(super) fn short_circuit(
        &mut self,
        logic: Logic,
        left: &Expr<'s>,
        right: &Expr<'s>,
        result: RegisterId,
    ) -> Lowered<()> {
        let automaton = self.automaton();
        let (evaluated, skipped, after) = (automaton.point(), automaton.point(), automaton.point());
        let value = match logic {
            Logic::And => {
                self.branch(left, evaluated, skipped)?;
                false
            }
            Logic::Or => {
                self.branch(left, skipped, evaluated)?;
                true
            }
        };
        self.automaton().go_on_at(Some(evaluated));
        self.evaluate_into(right, &Target::Register(result, Ty::BOOL))?;
        let automaton = self.automaton();
        automaton.jump(after);
        automaton.go_on_at(Some(skipped));
        let assign = Action::Assign {
            target: result,
            value: Expression::bool(value),
        };
        automaton.emit_to(assign, after);
        automaton.go_on_at(Some(after));
        Ok(())
    }

    /// `c ? a : b` where a branch reads memory.
    pub(super) fn branching_value(
        &mut self,
        condition: &Expr<'s>,
        then: &Expr<'s>,
        otherwise: &Expr<'s>,
        ty: &Ty,
        span: Span,
    ) -> Lowered<Expression> {
        let automaton = self.automaton();
        let result = automaton.temporary(ty, span);
        let (yes, no, after) = (automaton.point(), automaton.point(), automaton.point());
        self.branch(condition, yes, no)?;
        for (point, value) in [(yes, then), (no, otherwise)] {
            self.automaton().go_on_at(Some(point));
            self.evaluate_into(value, &Target::Register(result, ty.clone()))?;
            self.automaton().jump(after);
        }
        self.automaton().go_on_at(Some(after));
        Ok(Expression::Register(result))
    }

    // ---- blocks

    pub(super) fn block(&mut self, block: &Block<'s>) {
        self.sink().open_scope();
        for statement in &block.statements {
            if self.messages.is_full() {
                break;
            }
            // After an error the next statement is judged by itself.
            let _ = self.statement(statement);
        }
        self.sink().close_scope();
    }

    pub(super) fn if_statement(&mut self, arms: &[Arm<'s>], otherwise: Option<&Block<'s>>) {
        let after = self.automaton().point();
        for arm in arms {
            let automaton = self.automaton();
            automaton.span = arm.span;
            let (yes, no) = (automaton.point(), automaton.point());
            // After an error both branches are still judged.
            let _ = self.branch(&arm.condition, yes, no);
            self.automaton().go_on_at(Some(yes));
            self.block(&arm.body);
            let automaton = self.automaton();
            automaton.span = arm.body.end;
            automaton.jump(after);
            automaton.go_on_at(Some(no));
        }
        if let Some(block) = otherwise {
            self.block(block);
            self.automaton().span = block.end;
        }
        let automaton = self.automaton();
        automaton.jump(after);
        automaton.go_on_at(Some(after));
    }

    /// `while`, or `loop` without a condition.
    pub(super) fn loop_statement(
        &mut self,
        condition: Option<&Expr<'s>>,
        body: &Block<'s>,
        span: Span,
    ) -> Lowered<()> {
        if self.automaton().is_pinned() {
            return Err(self.not_first_in_choose("a loop", span));
        }
        let automaton = self.automaton();
        let (head, after) = (automaton.standing(), automaton.point());
        let cleanups = self.sink().cleanups.len();
        self.sink().loops.push(LoopInfo {
            head,
            after,
            has_break: false,
            cleanups,
        });
        if let Some(condition) = condition {
            let inside = self.automaton().point();
            // After an error the body is still judged.
            let _ = self.branch(condition, inside, after);
            self.automaton().go_on_at(Some(inside));
        }
        self.block(body);
        let automaton = self.automaton();
        automaton.span = body.end;
        automaton.jump(head);
        let has_break = self
            .sink()
            .loops
            .pop()
            .is_some_and(|closed| closed.has_break);
        let goes_on = condition.is_some() || has_break;
        self.automaton().go_on_at(goes_on.then_some(after));
        Ok(())
    }

    pub(super) fn not_first_in_choose(&mut self, what: &str, span: Span) -> Reported {
        self.report(
            syntax_error(
                format!("{what} cannot be the first in a branch of `choose`"),
                span,
                "the choice is made by the first statement",
            )
            .help("put a `skip` before it"),
        )
    }

    pub(super) fn choose(&mut self, branches: &[Block<'s>], span: Span) {
        let automaton = self.automaton();
        let (start, after) = (automaton.standing(), automaton.point());
        automaton.pin(start);
        for branch in branches {
            self.automaton().go_on_at(Some(start));
            self.block(branch);
            let automaton = self.automaton();
            automaton.span = if branch.statements.is_empty() {
                span
            } else {
                branch.end
            };
            automaton.jump(after);
        }
        let automaton = self.automaton();
        automaton.unpin();
        automaton.go_on_at(Some(after));
    }

    pub(super) fn leave_loop(&mut self, word: &str, span: Span) -> Lowered<()> {
        let Some(inner) = self.sink().loops.last_mut() else {
            return Err(self.report(
                syntax_error(
                    format!("this `{word}` is in no loop"),
                    span,
                    "not inside `while` or `loop`",
                )
                .help("use `goto` and a label, or `return`"),
            ));
        };
        let to = if word == "break" {
            inner.has_break = true;
            inner.after
        } else {
            inner.head
        };
        let keep = inner.cleanups;
        self.clean_up(keep);
        self.automaton().jump(to);
        Ok(())
    }
}
