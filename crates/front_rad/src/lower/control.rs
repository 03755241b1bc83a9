//! Where control goes: branches, loops, choices, labels, jumps, and blocks that clean up behind them.

use raddle_base::Span;
use raddle_ir::{Action, Expression, RegisterId, SyncOperation, SyncType};

use crate::message::{Reported, name_error, nearest, syntax_error, type_error};
use crate::syntax::{
    Arm, Block, Bracket, BracketId, Expr, ExprKind, Jump, Label, LockMode, Logic, Name, Statement,
    StatementKind, UnarySign,
};

use super::automaton::Point;
use super::body::{Body, FunctionSink, Lowered};
use super::operations::Target;
use super::surface::Ty;

/// Where a label is and inside which blocks.
pub(super) struct LabelInfo {
    pub(super) point: Point,
    /// The `lock`, `atomic` and `unit` blocks around it, outermost first.
    brackets: Vec<BracketId>,
    span: Span,
}

/// A loop that is being read.
pub(super) struct LoopInfo {
    head: Point,
    after: Point,
    has_break: bool,
    /// How many cleanups were due outside of it.
    cleanups: usize,
}

/// What is done on every way out of a block.
pub(super) struct Cleanup {
    /// `None` for the body of a `unit fn`.
    pub(super) bracket: Option<BracketId>,
    pub(super) action: Action,
}

impl<'s> Body<'_, '_, 's> {
    fn sink(&mut self) -> &mut FunctionSink<'s> {
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

    fn not_first_in_choose(&mut self, what: &str, span: Span) -> Reported {
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

    // ---- jumps

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

    /// Does what is due on the way out, innermost first, until `keep` cleanups are left.
    pub(super) fn clean_up(&mut self, keep: usize) {
        let sink = self.sink();
        for at in (keep..sink.cleanups.len()).rev() {
            let action = sink.cleanups[at].action.clone();
            sink.automaton.emit(action);
        }
    }

    pub(super) fn goto(&mut self, jump: Jump<'s>) -> Lowered<()> {
        let wanted = match jump {
            Jump::Exit => {
                self.clean_up(0);
                let exit = self.automaton().exit;
                self.automaton().jump(exit);
                return Ok(());
            }
            Jump::Label(label) => label,
        };
        let name = wanted.name;
        let sink = self.sink();
        let Some(label) = sink.labels.get(&wanted.key()) else {
            let names: Vec<&str> = sink.labels.keys().map(|(_, name)| *name).collect();
            let diagnostic = name_error(
                format!("there is no label `{}` in this function", name.text),
                name.span,
                "unknown label",
            );
            let diagnostic = match nearest(name.text, names) {
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                None => diagnostic.help(format!("write `{}:` before a statement", name.text)),
            };
            return Err(self.report(diagnostic));
        };
        let (point, span) = (label.point, label.span);
        let base = sink
            .cleanups
            .iter()
            .take_while(|it| it.bracket.is_none())
            .count();
        let keep = base + label.brackets.len();
        let is_outward = sink.cleanups.len() >= keep
            && sink.cleanups[base..keep]
                .iter()
                .zip(&label.brackets)
                .all(|(cleanup, bracket)| cleanup.bracket == Some(*bracket));
        if !is_outward {
            return Err(self.report(
                syntax_error(
                    format!("this jumps into the block around `{}`", name.text),
                    name.span,
                    "`lock`, `atomic` and `unit` blocks are entered at their beginning only",
                )
                .at(span, "the label is here")
                .help("use `acquire` and `release`, or `atomic_begin` and `atomic_end`, instead of the block"),
            ));
        }
        self.clean_up(keep);
        self.automaton().jump(point);
        Ok(())
    }

    pub(super) fn label(&mut self, label: Label<'s>) -> Lowered<()> {
        if self.automaton().is_pinned() {
            return Err(self.not_first_in_choose("a label", label.name.span));
        }
        let sink = self.sink();
        let Some(point) = sink.label_point(label) else {
            return Err(Reported);
        };
        let text = (!label.is_number).then_some(label.name.text);
        sink.automaton.place_label(text, point);
        Ok(())
    }

    /// Finds all labels of a function and gives them points.
    pub(super) fn collect_labels(&mut self, block: &Block<'s>) {
        let mut brackets = Vec::new();
        self.collect_labels_in(block, &mut brackets);
    }

    fn collect_labels_in(&mut self, block: &Block<'s>, brackets: &mut Vec<BracketId>) {
        for statement in &block.statements {
            match &statement.kind {
                StatementKind::Label(label) => self.declare_label(*label, brackets),
                StatementKind::Bracket { id, body, .. } => {
                    brackets.push(*id);
                    self.collect_labels_in(body, brackets);
                    brackets.pop();
                }
                _ => inner_blocks(statement, &mut |inner| {
                    self.collect_labels_in(inner, brackets);
                }),
            }
        }
    }

    fn declare_label(&mut self, label: Label<'s>, brackets: &[BracketId]) {
        let Name { text, span } = label.name;
        let sink = self.sink();
        if let Some(first) = sink.labels.get(&label.key()) {
            let first = first.span;
            self.report(
                name_error(
                    format!("the label `{text}` is declared twice"),
                    span,
                    "declared again here",
                )
                .at(first, "first declared here")
                .help("rename one"),
            );
            return;
        }
        let point = sink.automaton.point();
        sink.labels.insert(
            label.key(),
            LabelInfo {
                point,
                brackets: brackets.to_vec(),
                span,
            },
        );
    }

    // ---- blocks that clean up

    pub(super) fn bracket(
        &mut self,
        bracket: &Bracket<'s>,
        id: BracketId,
        body: &Block<'s>,
    ) -> Lowered<()> {
        let (begin, end) = match bracket {
            Bracket::Atomic => (Action::AtomicBegin, Action::AtomicEnd),
            Bracket::Unit(set) => {
                let set = match set {
                    Some(name) => {
                        let found = self.context.atomic_set(*name);
                        Some(self.resolved(found)?)
                    }
                    None => None,
                };
                (Action::UnitBegin { set }, Action::UnitEnd { set })
            }
            Bracket::Lock(mode, place) => self.lock_actions(*mode, place, body)?,
        };
        self.automaton().emit(begin);
        self.sink().cleanups.push(Cleanup {
            bracket: Some(id),
            action: end.clone(),
        });
        self.block(body);
        self.sink().cleanups.pop();
        let automaton = self.automaton();
        if automaton.is_reachable_here() {
            automaton.span = body.end;
            automaton.emit(end);
        }
        Ok(())
    }

    fn lock_actions(
        &mut self,
        mode: LockMode,
        place: &Expr<'s>,
        body: &Block<'s>,
    ) -> Lowered<(Action, Action)> {
        let (address, ty) = self.place(place)?;
        let (begin, end) = match (&ty, mode) {
            (Ty::Sync(SyncType::Mutex(_)), LockMode::Plain) => {
                (SyncOperation::MutexAcquire, SyncOperation::MutexRelease)
            }
            (Ty::Sync(SyncType::Monitor), LockMode::Plain) => {
                (SyncOperation::MonitorEnter, SyncOperation::MonitorExit)
            }
            (Ty::Sync(SyncType::ReadWriteLock), LockMode::Read) => {
                (SyncOperation::ReadAcquire, SyncOperation::ReadWriteRelease)
            }
            (Ty::Sync(SyncType::ReadWriteLock), LockMode::Write) => {
                (SyncOperation::WriteAcquire, SyncOperation::ReadWriteRelease)
            }
            _ => {
                let shown = self.context.describe(&ty);
                let diagnostic = type_error(
                    format!("a `{shown}` cannot be locked this way"),
                    place.span,
                    format!("this is `{shown}`"),
                );
                return Err(self.report(match ty {
                    Ty::Sync(SyncType::ReadWriteLock) => {
                        diagnostic.help("write `lock read l { … }` or `lock write l { … }`")
                    }
                    Ty::Pointer(_) => diagnostic.help("follow the pointer, as in `lock *p { … }`"),
                    _ => diagnostic.help("`lock` works on mutexes, read-write locks and monitors"),
                }));
            }
        };
        let address = self.steady(address, place.span, body);
        let action = |operation| Action::Sync {
            operation,
            object: address.clone(),
            mutex: None,
            result: None,
        };
        Ok((action(begin), action(end)))
    }

    /// An address that the block does not change by assigning to a register it depends on.
    fn steady(&mut self, address: Expression, span: Span, body: &Block<'s>) -> Expression {
        let automaton = self.automaton();
        let mut is_changed = false;
        address.for_each_register(&mut |register| {
            is_changed |= !automaton.is_temporary(register)
                && assigns(body, automaton.register_name(register));
        });
        if !is_changed {
            return address;
        }
        let target = automaton.temporary(&Ty::Pointer(None), span);
        automaton.emit(Action::Assign {
            target,
            value: address,
        });
        Expression::Register(target)
    }
}

/// Calls `visit` on the blocks directly inside a statement.
fn inner_blocks<'b, 's>(statement: &'b Statement<'s>, visit: &mut dyn FnMut(&'b Block<'s>)) {
    match &statement.kind {
        StatementKind::If { arms, otherwise } => {
            for arm in arms {
                visit(&arm.body);
            }
            if let Some(block) = otherwise {
                visit(block);
            }
        }
        StatementKind::While { body, .. }
        | StatementKind::Loop(body)
        | StatementKind::Bracket { body, .. } => visit(body),
        StatementKind::Choose(branches) => branches.iter().for_each(visit),
        _ => {}
    }
}

/// Whether some statement of a block may assign to a register of this name.
fn assigns(block: &Block<'_>, name: &str) -> bool {
    let is_it = |target: &Expr<'_>| matches!(target.kind, ExprKind::Name(it) if it == name);
    block.statements.iter().any(|statement| {
        let is_assigned = match &statement.kind {
            StatementKind::Assign { target, .. } | StatementKind::Havoc(target) => is_it(target),
            StatementKind::ExchangeInto {
                previous, success, ..
            } => [previous, success].into_iter().flatten().any(is_it),
            _ => false,
        };
        let mut is_inside = false;
        inner_blocks(statement, &mut |inner| is_inside |= assigns(inner, name));
        is_assigned || is_inside
    })
}
