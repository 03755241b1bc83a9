//! Statements.

use std::collections::HashMap;

use raddle_base::Span;
use raddle_c_syntax::tree::{
    Block, BlockItem, Expression as Syntax, ForFirst, Item, Statement as SyntaxStatement,
    StatementKind as SyntaxKind,
};

use super::{Checked, Checker};
use crate::typed::{Case, Statement, StatementKind};
use crate::types::{IntegerKind, Type};

/// The switch that is being checked.
pub(super) struct SwitchState {
    ty: Type,
    cases: Vec<Case>,
    spans: Vec<Span>,
    default: Option<Span>,
}

impl Checker {
    /// A block with a scope of its own.
    pub(super) fn block(&mut self, block: &Block) -> Vec<Statement> {
        let mut out = Vec::new();
        self.push_scope();
        self.block_items(block, &mut out);
        self.pop_scope();
        out
    }

    /// A block whose scope is there already.
    pub(super) fn block_items(&mut self, block: &Block, out: &mut Vec<Statement>) {
        let has_labels = !block.local_labels.is_empty();
        if has_labels {
            let mut labels = HashMap::new();
            for label in &block.local_labels {
                let id = self.new_label(&label.name);
                labels.insert(label.name.clone(), id);
            }
            self.function.label_scopes.push(labels);
        }
        for item in &block.items {
            self.block_item(item, out);
        }
        self.meet_pragmas(block.span.end, out);
        if has_labels {
            self.function.label_scopes.pop();
        }
    }

    pub(super) fn block_item(&mut self, item: &BlockItem, out: &mut Vec<Statement>) {
        match item {
            BlockItem::Item(Item::Declaration(declaration)) => {
                self.meet_pragmas(declaration.span.start, out);
                self.block_declaration(declaration, out);
            }
            BlockItem::Item(Item::Function(definition)) => self.nested_function(definition),
            BlockItem::Item(Item::StaticAssert(assertion)) => self.static_assert(assertion),
            BlockItem::Item(Item::Asm(asm)) => self.asm(asm, out),
            BlockItem::Statement(statement) => self.statement(statement, out),
        }
    }

    pub(super) fn statement(&mut self, statement: &SyntaxStatement, out: &mut Vec<Statement>) {
        self.meet_pragmas(statement.span.start, out);
        // What is wrong in it was reported; the others are still checked.
        let _ = self.checked_statement(statement, out);
        self.pending.clear();
    }

    fn body(&mut self, statement: &SyntaxStatement) -> Vec<Statement> {
        let mut out = Vec::new();
        self.push_scope();
        self.statement(statement, &mut out);
        self.pop_scope();
        out
    }

    fn loop_body(&mut self, statement: &SyntaxStatement) -> Vec<Statement> {
        self.function.loops += 1;
        self.function.breakables += 1;
        let body = self.body(statement);
        self.function.loops -= 1;
        self.function.breakables -= 1;
        body
    }

    fn checked_statement(
        &mut self,
        statement: &SyntaxStatement,
        out: &mut Vec<Statement>,
    ) -> Checked<()> {
        let span = statement.span;
        let mut push = |kind| out.push(Statement { kind, span });
        match &statement.kind {
            SyntaxKind::Label(name, _, inner) => {
                let id = self.define_label(name);
                push(StatementKind::Label(id));
                self.statement(inner, out);
            }
            SyntaxKind::Case(first, last, inner) => {
                let outcome = self.case(first, last.as_ref(), span);
                if let Ok(index) = outcome {
                    push(StatementKind::Case(index));
                }
                self.statement(inner, out);
            }
            SyntaxKind::Default(inner) => {
                match self.function.switches.last_mut() {
                    None => {
                        self.error(span, "`default` outside of a `switch`");
                    }
                    Some(switch) => {
                        if let Some(first) = switch.default.replace(span) {
                            let message = "a `switch` has two `default`s".to_owned();
                            self.redeclared(message, span, Some(first));
                        } else {
                            push(StatementKind::Default);
                        }
                    }
                }
                self.statement(inner, out);
            }
            SyntaxKind::Block(block) => {
                let inner = self.block(block);
                push(StatementKind::Block(inner));
            }
            SyntaxKind::Expression(None) => {}
            SyntaxKind::Expression(Some(expression)) => {
                let operand = self.operand(expression)?;
                let value = self.dropped(operand);
                push(StatementKind::Expression(value));
            }
            SyntaxKind::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.condition(condition);
                let then = self.body(then);
                let otherwise = match otherwise {
                    Some(otherwise) => self.body(otherwise),
                    None => Vec::new(),
                };
                push(StatementKind::If {
                    condition: condition?,
                    then,
                    otherwise,
                });
            }
            SyntaxKind::Switch { value, body } => {
                let kind = self.switch(value, body)?;
                push(kind);
            }
            SyntaxKind::While { condition, body } => {
                let condition = self.condition(condition);
                let body = self.loop_body(body);
                push(StatementKind::Loop {
                    condition: Some(condition?),
                    next: None,
                    body,
                });
            }
            SyntaxKind::DoWhile { body, condition } => {
                let body = self.loop_body(body);
                let condition = self.condition(condition)?;
                push(StatementKind::DoWhile { body, condition });
            }
            SyntaxKind::For {
                first,
                condition,
                next,
                body,
            } => {
                self.push_scope();
                let inner = self.for_loop(first, condition.as_ref(), next.as_ref(), body, span);
                self.pop_scope();
                push(StatementKind::Block(inner?));
            }
            SyntaxKind::Goto(name) => {
                let kind = if self.is_label_around(name) {
                    let name = &name.name;
                    let what = format!("the jump to `{name}` out of a nested function");
                    StatementKind::Unsupported(what)
                } else {
                    StatementKind::Goto(self.use_label(name))
                };
                push(kind);
            }
            SyntaxKind::GotoComputed(address) => {
                let address = self.value(address)?;
                let pointer = self.void_pointer();
                let address = self.convert(address, &pointer);
                push(StatementKind::GotoComputed(address));
            }
            SyntaxKind::Continue => {
                if self.function.loops == 0 {
                    return Err(self.error(span, "`continue` outside of a loop"));
                }
                push(StatementKind::Continue);
            }
            SyntaxKind::Break => {
                if self.function.breakables == 0 {
                    return Err(self.error(span, "`break` outside of a loop or `switch`"));
                }
                push(StatementKind::Break);
            }
            SyntaxKind::Return(value) => {
                let value = self.return_value(value.as_ref())?;
                push(StatementKind::Return(value));
            }
            SyntaxKind::Asm(asm) => self.asm(asm, out),
        }
        Ok(())
    }

    fn for_loop(
        &mut self,
        first: &ForFirst,
        condition: Option<&Syntax>,
        next: Option<&Syntax>,
        body: &SyntaxStatement,
        span: Span,
    ) -> Checked<Vec<Statement>> {
        let mut out = Vec::new();
        match first {
            ForFirst::None => {}
            ForFirst::Expression(expression) => {
                if let Ok(operand) = self.operand(expression) {
                    let value = self.dropped(operand);
                    out.push(Statement {
                        kind: StatementKind::Expression(value),
                        span: expression.span,
                    });
                }
            }
            ForFirst::Declaration(declaration) => self.block_declaration(declaration, &mut out),
        }
        let condition = condition.map(|condition| self.condition(condition));
        let next = next.map(|next| self.operand(next));
        let body = self.loop_body(body);
        let next = match next {
            None => None,
            Some(next) => {
                let next = next?;
                Some(self.dropped(next))
            }
        };
        out.push(Statement {
            kind: StatementKind::Loop {
                condition: condition.transpose()?,
                next,
                body,
            },
            span,
        });
        Ok(out)
    }

    fn switch(&mut self, value: &Syntax, body: &SyntaxStatement) -> Checked<StatementKind> {
        let value = self.value(value).and_then(|value| {
            if self.is_integer(&value.ty) {
                Ok(self.promote(value))
            } else {
                let text = self.show(&value.ty);
                Err(self.error(
                    value.span,
                    format!("`switch` needs an integer, this is `{text}`"),
                ))
            }
        });
        let ty = match &value {
            Ok(value) => value.ty.clone(),
            Err(_) => Type::Integer(IntegerKind::LongLong),
        };
        self.function.switches.push(SwitchState {
            ty,
            cases: Vec::new(),
            spans: Vec::new(),
            default: None,
        });
        self.function.breakables += 1;
        let body = self.body(body);
        self.function.breakables -= 1;
        let state = self
            .function
            .switches
            .pop()
            .expect("it was pushed before the body");
        self.no_overlap(&state);
        Ok(StatementKind::Switch {
            value: value?,
            cases: state.cases,
            has_default: state.default.is_some(),
            body,
        })
    }

    fn case(&mut self, first: &Syntax, last: Option<&Syntax>, span: Span) -> Checked<usize> {
        let from = self.constant_expression(first)?;
        let to = match last {
            Some(last) => self.constant_expression(last)?,
            None => from,
        };
        let Some(ty) = self
            .function
            .switches
            .last()
            .map(|switch| switch.ty.clone())
        else {
            return Err(self.error(span, "`case` outside of a `switch`"));
        };
        let case = Case {
            first: self.bits_of(from, &ty),
            last: self.bits_of(to, &ty),
        };
        let switch = self
            .function
            .switches
            .last_mut()
            .expect("there is one, as was just seen");
        if to < from {
            // An empty range: never taken. Its place is kept, with values that no earlier case leaves over.
            return Err(self.error(span, "the range of this `case` is empty"));
        }
        switch.cases.push(case);
        switch.spans.push(first.span);
        Ok(switch.cases.len() - 1)
    }

    fn no_overlap(&mut self, state: &SwitchState) {
        let mut ranges: Vec<(i128, i128, Span)> = state
            .cases
            .iter()
            .zip(&state.spans)
            .map(|(case, span)| {
                (
                    self.signed_value(case.first, &state.ty),
                    self.signed_value(case.last, &state.ty),
                    *span,
                )
            })
            .collect();
        ranges.sort_by_key(|(first, last, span)| (*first, *last, span.start));
        for pair in ranges.windows(2) {
            let (earlier, later) = (pair[0], pair[1]);
            if later.0 <= earlier.1 {
                let message = format!("the case {} occurs twice", later.0);
                self.redeclared(message, later.2, Some(earlier.2));
            }
        }
    }

    fn return_value(
        &mut self,
        value: Option<&Syntax>,
    ) -> Checked<Option<crate::typed::Expression>> {
        let result = self.function.result.clone();
        let Some(value) = value else {
            return Ok(None);
        };
        let operand = self.operand(value)?;
        if result == Type::Void {
            // GNU C lets a function without result return the value of another one.
            let value = self.dropped(operand);
            return Ok(Some(value));
        }
        let value = self.rvalue(operand)?;
        if value.ty == Type::Void {
            return Err(self.error(value.span, "`void` is returned where a value is needed"));
        }
        let value = self.assign_convert(value, &result, "the returned value")?;
        Ok(Some(value))
    }
}
