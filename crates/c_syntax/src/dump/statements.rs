//! Statements and blocks as text.

use super::{Dumper, expressions};
use crate::tree::{Asm, AsmOperand, Block, BlockItem, ForFirst, Statement, StatementKind};

impl Dumper<'_> {
    pub(super) fn block(&mut self, block: &Block) {
        self.line("block", block.span);
        self.below(|it| {
            for label in &block.local_labels {
                it.line(&format!("local label `{}`", label.name), label.span);
            }
            for item in &block.items {
                match item {
                    BlockItem::Item(item) => it.item(item),
                    BlockItem::Statement(statement) => it.statement(statement),
                }
            }
        });
    }

    fn statement(&mut self, statement: &Statement) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Label(label, attributes, inner) => {
                self.line(&format!("label `{}`", label.name), span);
                self.below(|it| {
                    it.attributes(attributes);
                    it.statement(inner);
                });
            }
            StatementKind::Case(first, last, inner) => {
                self.line(if last.is_some() { "case range" } else { "case" }, span);
                self.below(|it| {
                    it.expression(first);
                    if let Some(last) = last {
                        it.expression(last);
                    }
                    it.statement(inner);
                });
            }
            StatementKind::Default(inner) => {
                self.line("default", span);
                self.below(|it| it.statement(inner));
            }
            StatementKind::Block(block) => self.block(block),
            StatementKind::Expression(None) => self.line("nothing", span),
            StatementKind::Expression(Some(expression)) => {
                self.line("expression", span);
                self.below(|it| it.expression(expression));
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.line("if", span);
                self.below(|it| {
                    it.expression(condition);
                    it.statement(then);
                    if let Some(otherwise) = otherwise {
                        it.statement(otherwise);
                    }
                });
            }
            StatementKind::Switch { value, body } => {
                self.line("switch", span);
                self.below(|it| {
                    it.expression(value);
                    it.statement(body);
                });
            }
            StatementKind::While { condition, body } => {
                self.line("while", span);
                self.below(|it| {
                    it.expression(condition);
                    it.statement(body);
                });
            }
            StatementKind::DoWhile { body, condition } => {
                self.line("do", span);
                self.below(|it| {
                    it.statement(body);
                    it.expression(condition);
                });
            }
            StatementKind::For {
                first,
                condition,
                next,
                body,
            } => {
                self.line("for", span);
                self.below(|it| {
                    match first {
                        ForFirst::None => it.bare_line("nothing first"),
                        ForFirst::Expression(expression) => it.expression(expression),
                        ForFirst::Declaration(declaration) => it.declaration(declaration),
                    }
                    match condition {
                        Some(condition) => it.expression(condition),
                        None => it.bare_line("no condition"),
                    }
                    match next {
                        Some(next) => it.expression(next),
                        None => it.bare_line("nothing next"),
                    }
                    it.statement(body);
                });
            }
            StatementKind::Goto(label) => self.line(&format!("goto `{}`", label.name), span),
            StatementKind::GotoComputed(address) => {
                self.line("goto computed", span);
                self.below(|it| it.expression(address));
            }
            StatementKind::Continue => self.line("continue", span),
            StatementKind::Break => self.line("break", span),
            StatementKind::Return(value) => {
                self.line("return", span);
                if let Some(value) = value {
                    self.below(|it| it.expression(value));
                }
            }
            StatementKind::Asm(asm) => self.asm(asm),
        }
    }

    pub(super) fn asm(&mut self, asm: &Asm) {
        let word = if asm.is_volatile {
            "asm volatile"
        } else {
            "asm"
        };
        let template = expressions::string(&asm.template);
        self.line(&format!("{word} {template}"), asm.span);
        self.below(|it| {
            it.asm_operands("output", &asm.outputs);
            it.asm_operands("input", &asm.inputs);
            for clobber in &asm.clobbers {
                let text = expressions::string(clobber);
                it.line(&format!("clobber {text}"), clobber.span);
            }
            for label in &asm.labels {
                it.line(&format!("label `{}`", label.name), label.span);
            }
        });
    }

    fn asm_operands(&mut self, kind: &str, operands: &[AsmOperand]) {
        for operand in operands {
            let constraint = &operand.constraint;
            let text = expressions::string(constraint);
            let name = match &operand.name {
                Some(name) => format!(" `{name}`"),
                None => String::new(),
            };
            self.line(&format!("{kind}{name} {text}"), constraint.span);
            self.below(|it| it.expression(&operand.expression));
        }
    }
}
