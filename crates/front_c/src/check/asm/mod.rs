//! `asm` statements: barriers, and the few shapes in which atomic accesses are written.
//!
//! - `operands`: where operands lie; `machine`: registers and memory; `flags`: what comparisons leave behind;
//! - `instructions`: what each instruction does.
//!
//! An instruction with the prefix `lock`, and `xchg` with memory, is one sequentially consistent access.
//! A `mov` from memory acquires and one to memory releases, as x86 has it.
//! Other instructions that read and write memory do so in two plain accesses.

mod flags;
mod instructions;
mod machine;
mod operands;

use raddle_c_syntax::tree::{self, Asm, Expression as Syntax};
use raddle_ir::Order;

use super::attribute::literal_text;
use super::convert::Operand;
use super::{Checker, Poisoned};
use crate::assembler::{self, Argument, Instruction, Line};
use crate::typed::{Statement, StatementKind};

use machine::Machine;

/// Why a statement got no meaning.
enum Stop {
    /// An error was reported.
    Poisoned,
    /// What is not understood, to be named in the verdict.
    Unknown(String),
}

type Known<T> = Result<T, Stop>;

impl From<Poisoned> for Stop {
    fn from(_: Poisoned) -> Self {
        Stop::Poisoned
    }
}

impl From<String> for Stop {
    fn from(what: String) -> Self {
        Stop::Unknown(what)
    }
}

/// Instructions that change nothing a program could see: threads are interleaved, so every access is seen at once.
/// Those of ARM are what headers hold for it.
const IDLE: &[&str] = &[
    "nop", "pause", "lfence", "sfence", "yield", "isb", "dsb", "dmb", "cld",
];

impl Checker {
    pub(super) fn asm(&mut self, asm: &Asm, out: &mut Vec<Statement>) {
        let template = literal_text(&asm.template);
        let is_basic = asm.outputs.is_empty() && asm.inputs.is_empty() && asm.labels.is_empty();
        let lines = if barrier_of_another_machine(&template) {
            Ok(Vec::new())
        } else {
            assembler::read(&template, is_basic)
        };
        let start = out.len();
        let outcome = lines.map_err(Stop::from).and_then(|lines| {
            if lines.iter().all(is_idle) && self.is_barrier(asm, out) {
                self.fences(&lines, asm, out);
                return Ok(());
            }
            out.truncate(start);
            let statements = Machine::run(self, asm, &lines)?;
            out.push(Statement {
                kind: StatementKind::Block(statements),
                span: asm.span,
            });
            Ok(())
        });
        if let Err(Stop::Unknown(what)) = outcome {
            out.truncate(start);
            for label in &asm.labels {
                self.use_label(label);
            }
            out.push(Statement {
                kind: StatementKind::Unsupported(format!("inline assembly ({what})")),
                span: asm.span,
            });
        }
    }

    /// A template that computes nothing only keeps the optimiser or the processor from moving things: outputs keep
    /// their values, or take that of the input that lies in the same place.
    fn is_barrier(&mut self, asm: &Asm, out: &mut Vec<Statement>) -> bool {
        if !asm.labels.is_empty() {
            return false;
        }
        let mut used = vec![false; asm.inputs.len()];
        for (index, output) in asm.outputs.iter().enumerate() {
            let constraint = literal_text(&output.constraint);
            let Ok(operand) = self.operand(&output.expression) else {
                continue;
            };
            if constraint.starts_with('+') {
                self.evaluated(operand, &output.expression, out);
                continue;
            }
            let tied = asm
                .inputs
                .iter()
                .position(|input| *literal_text(&input.constraint) == *index.to_string());
            let Some(tied) = tied else {
                return false;
            };
            used[tied] = true;
            let input = &asm.inputs[tied].expression;
            let Ok(value) = self.assign(None, &output.expression, input, asm.span) else {
                continue;
            };
            out.push(Statement {
                kind: StatementKind::Expression(value),
                span: asm.span,
            });
        }
        for (input, is_used) in asm.inputs.iter().zip(used) {
            if !is_used && let Ok(operand) = self.operand(&input.expression) {
                self.evaluated(operand, &input.expression, out);
            }
        }
        true
    }

    /// Evaluates an operand of an empty template, if that does anything.
    fn evaluated(&mut self, operand: Operand, expression: &Syntax, out: &mut Vec<Statement>) {
        if !may_have_effects(expression) {
            return;
        }
        let value = self.dropped(operand);
        out.push(Statement {
            kind: StatementKind::Expression(value),
            span: expression.span,
        });
    }

    fn fences(&mut self, lines: &[Line], asm: &Asm, out: &mut Vec<Statement>) {
        if lines.iter().any(is_fence) {
            out.push(Statement {
                kind: StatementKind::Expression(
                    self.fence(Order::SequentiallyConsistent, asm.span),
                ),
                span: asm.span,
            });
        }
    }
}

/// `dmb ish` and the like, whose arguments x86 does not know.
fn barrier_of_another_machine(template: &str) -> bool {
    template.split([';', '\n']).all(|statement| {
        let word = statement.split_whitespace().next().unwrap_or_default();
        matches!(word.to_ascii_lowercase().as_str(), "dmb" | "dsb" | "isb")
    })
}

fn is_idle(line: &Line) -> bool {
    match line {
        Line::Label(_) => false,
        Line::Instruction(it) => {
            is_fence(line)
                || (!it.is_locked && it.arguments.is_empty() && IDLE.contains(&&*it.name))
                || it.name.starts_with("prefetch")
        }
    }
}

/// `mfence`, or a locked addition of nothing to the top of the stack, which is as good.
fn is_fence(line: &Line) -> bool {
    let Line::Instruction(it) = line else {
        return false;
    };
    match (&*it.name, &*it.arguments) {
        ("mfence", []) => true,
        (
            "add" | "addb" | "addl" | "addq" | "or" | "orb" | "orl" | "orq",
            [Argument::Immediate(0), Argument::Memory(_, base)],
        ) => it.is_locked && is_stack(base),
        _ => false,
    }
}

fn is_stack(base: &Argument) -> bool {
    matches!(base, Argument::Register(it) if it.family == assembler::Family::Stack)
}

/// The name of an instruction and its arguments, as a verdict tells it.
fn told(instruction: &Instruction) -> Stop {
    let prefix = if instruction.is_locked { "lock " } else { "" };
    Stop::Unknown(format!("the instruction `{prefix}{}`", instruction.name))
}

/// Names, literals and members of them have none.
fn may_have_effects(expression: &Syntax) -> bool {
    match &expression.kind {
        tree::ExpressionKind::Identifier(_)
        | tree::ExpressionKind::Integer(_)
        | tree::ExpressionKind::Float(_)
        | tree::ExpressionKind::Character(_)
        | tree::ExpressionKind::String(_) => false,
        tree::ExpressionKind::Member { operand, .. }
        | tree::ExpressionKind::Unary(_, operand)
        | tree::ExpressionKind::Cast(_, operand) => may_have_effects(operand),
        tree::ExpressionKind::Index(left, right) | tree::ExpressionKind::Binary(_, left, right) => {
            may_have_effects(left) || may_have_effects(right)
        }
        _ => true,
    }
}
