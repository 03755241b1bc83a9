//! Labels and jumps.

use raddle_base::Span;

use crate::message::{Reported, name_error, nearest, syntax_error};
use crate::syntax::{Block, BracketId, Jump, Label, Name, Statement, StatementKind};

use super::automaton::Point;
use super::body::{Body, Lowered};

/// Where a label is and inside which blocks.
pub(super) struct LabelInfo {
    pub(super) point: Point,
    /// The `lock`, `atomic` and `unit` blocks around it, outermost first.
    brackets: Vec<BracketId>,
    span: Span,
}

impl<'s> Body<'_, '_, 's> {
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
}

/// Calls `visit` on the blocks directly inside a statement.
pub(super) fn inner_blocks<'b, 's>(
    statement: &'b Statement<'s>,
    visit: &mut dyn FnMut(&'b Block<'s>),
) {
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
