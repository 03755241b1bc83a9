//! The tree as text for people: one node a line, what belongs to it indented below it.
//!
//! The text is not an interface; its order is that of the source.
//! It takes as much stack as the tree is high.

mod expressions;
mod statements;
mod types;

use std::fmt::Write;

use raddle_base::Span;

use crate::tree::{Declaration, FunctionDefinition, InitDeclarator, Item, StaticAssert, Unit};

/// Deeper than this, lines are no longer indented but say how deep they are.
const DEEPEST_INDENTED: usize = 60;

/// The text of a unit. `place` says how a place is written behind a node; empty for not at all.
pub fn dump(unit: &Unit, place: &dyn Fn(Span) -> String) -> String {
    let mut dumper = Dumper {
        text: String::new(),
        depth: 0,
        place,
    };
    for annotation in &unit.annotations {
        dumper.line(
            &format!("annotation {:?}", annotation.text),
            annotation.span,
        );
    }
    for item in &unit.items {
        dumper.item(item);
    }
    dumper.text
}

/// A place as the bytes it covers, for [`dump`].
pub fn byte_range(span: Span) -> String {
    format!("{}..{}", span.start, span.end)
}

struct Dumper<'p> {
    text: String,
    depth: usize,
    place: &'p dyn Fn(Span) -> String,
}

impl Dumper<'_> {
    /// A node without a place.
    fn bare_line(&mut self, node: &str) {
        for _ in 0..self.depth.min(DEEPEST_INDENTED) {
            self.text.push_str("  ");
        }
        if self.depth > DEEPEST_INDENTED {
            let _ = write!(self.text, "[{}] ", self.depth);
        }
        self.text.push_str(node);
        self.text.push('\n');
    }

    fn line(&mut self, node: &str, span: Span) {
        let place = (self.place)(span);
        if place.is_empty() {
            self.bare_line(node);
        } else {
            self.bare_line(&format!("{node} @{place}"));
        }
    }

    /// What belongs to the last line.
    fn below(&mut self, write: impl FnOnce(&mut Self)) {
        self.depth += 1;
        write(self);
        self.depth -= 1;
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Declaration(declaration) => self.declaration(declaration),
            Item::Function(function) => self.function(function),
            Item::StaticAssert(assertion) => self.static_assert(assertion),
            Item::Asm(asm) => self.asm(asm),
        }
    }

    fn declaration(&mut self, declaration: &Declaration) {
        self.line("declaration", declaration.span);
        self.below(|it| {
            it.specifiers(&declaration.specifiers);
            for declarator in &declaration.declarators {
                it.init_declarator(declarator);
            }
        });
    }

    fn init_declarator(&mut self, init: &InitDeclarator) {
        self.declarator_within(&init.declarator, init.span);
        self.below(|it| {
            if let Some(label) = &init.asm_label {
                it.line(
                    &format!("asm label {}", expressions::string(label)),
                    label.span,
                );
            }
            it.attributes(&init.attributes);
            if let Some(initializer) = &init.initializer {
                it.bare_line("initializer");
                it.below(|it| it.initializer(initializer));
            }
        });
    }

    fn function(&mut self, function: &FunctionDefinition) {
        self.line("function", function.span);
        self.below(|it| {
            it.specifiers(&function.specifiers);
            it.declarator(&function.declarator);
            it.attributes(&function.attributes);
            if let Some(label) = &function.asm_label {
                it.line(
                    &format!("asm label {}", expressions::string(label)),
                    label.span,
                );
            }
            for declaration in &function.parameter_declarations {
                it.declaration(declaration);
            }
            it.block(&function.body);
        });
    }

    fn static_assert(&mut self, assertion: &StaticAssert) {
        self.line("static assert", assertion.span);
        self.below(|it| {
            it.expression(&assertion.condition);
            if let Some(message) = &assertion.message {
                it.line(&expressions::string(message), message.span);
            }
        });
    }
}
