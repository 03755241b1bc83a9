//! Checks names and types and lowers the syntax tree to a draft of a program.
//!
//! - [`context`]: what items declare; [`surface`]: types with what pointers point to;
//! - [`body`]: what expressions are lowered into (functions, formulas, constants);
//! - [`inference`]: types of expressions before they are lowered;
//! - [`expressions`], [`conversions`], [`places`]: values; [`operations`], [`objects`]: what makes edges;
//! - [`statements`], [`control`], [`labels`], [`brackets`], [`automaton`]: bodies of functions;
//! - [`initial`], [`formula`]: the other items.

mod automaton;
mod body;
mod brackets;
mod context;
mod control;
mod conversions;
mod expressions;
mod formula;
mod inference;
mod initial;
mod labels;
mod objects;
mod operations;
mod places;
mod statements;
mod surface;

use raddle_ir::program::Member;
use raddle_ir::{Action, AtomicSet, DataModel, Expression, Function, Global, ProgramDraft, Root};

use crate::message::{Messages, type_error};
use crate::syntax::{FunctionItem, Item, Threads};

use body::{Body, ConstantSink, FunctionSink, Labels, Local, Lowered, Sink};
use brackets::Cleanup;
use context::{Context, Signature};
use surface::Ty;

/// The draft that items describe; `None` if something is wrong, which `messages` then tells.
pub(crate) fn lower(
    items: &[Item<'_>],
    default_model: DataModel,
    messages: &mut Messages,
) -> Option<ProgramDraft> {
    let context = Context::new(items, default_model, messages)?;
    let mut draft = ProgramDraft::new(context.model);
    lower_globals(&context, &mut draft, messages);
    let mut labels = Vec::new();
    for signature in &context.functions {
        let (function, function_labels) = lower_function(&context, signature, messages);
        draft.functions.push(function);
        labels.push(function_labels);
        if messages.is_full() {
            return None;
        }
    }
    lower_roots(&context, items, &mut draft, messages);
    lower_specifications(&context, items, &labels, &mut draft, messages);
    draft.structs = context.structs;
    messages.is_empty().then_some(draft)
}

fn constant_body<'c, 'i, 's>(
    context: &'c Context<'i, 's>,
    messages: &'c mut Messages,
) -> Body<'c, 'i, 's> {
    Body {
        context,
        messages,
        sink: Sink::Constant(ConstantSink::default()),
    }
}

fn lower_globals(context: &Context<'_, '_>, draft: &mut ProgramDraft, messages: &mut Messages) {
    for (item, ty) in &context.globals {
        let mut body = constant_body(context, messages);
        let initial = body.global_initial(&item.initial, ty).unwrap_or_default();
        draft.globals.push(Global {
            name: item.name.text.to_owned(),
            ty: ty.to_ir(),
            initial,
            is_thread_local: item.is_thread_local,
            read_only: item.read_only.of(context.size_of(ty).unwrap_or(u64::MAX)),
            is_opaque: item.is_opaque,
            span: Some(item.name.span),
        });
    }
}

fn lower_function<'s>(
    context: &Context<'_, 's>,
    signature: &Signature<'_, 's>,
    messages: &mut Messages,
) -> (Function, Labels) {
    let item = signature.item;
    let mut body = Body {
        context,
        messages,
        sink: Sink::Function(Box::new(FunctionSink::new(
            item.span,
            signature.result.clone(),
        ))),
    };
    for ((name, _), ty) in item.parameters.iter().zip(&signature.parameters) {
        let register = body.automaton().register(name.text, ty, false, name.span);
        body.declare(name.text, Local::Register(register, ty.clone()));
    }
    body.collect_labels(&item.body);
    // An error was reported; the other functions are still judged.
    let _ = lower_body(&mut body, item);
    let Sink::Function(mut sink) = body.sink else {
        return (Function::new(item.name.text), Labels::new());
    };
    let numbered: Vec<_> = sink
        .labels
        .iter()
        .filter(|((is_number, _), _)| *is_number)
        .map(|((_, name), label)| (*name, label.point))
        .collect();
    let exit = sink.automaton.exit;
    sink.automaton.jump(exit);
    let (mut function, labels) = sink.automaton.finish(
        item.name.text,
        item.parameters.len(),
        item.span,
        item.body.end,
        &numbered,
    );
    function.result = signature.result.as_ref().and_then(Ty::scalar);
    function.is_approximate = item.is_approximate;
    (function, labels)
}

fn lower_body<'s>(body: &mut Body<'_, '_, 's>, item: &FunctionItem<'s>) -> Lowered<()> {
    if let Some(unit) = &item.unit {
        let set = match unit.set {
            Some(name) => {
                let found = body.context.atomic_set(name);
                Some(body.resolved(found)?)
            }
            None => None,
        };
        body.automaton().span = unit.span;
        body.automaton().emit(Action::UnitBegin { set });
        if let Some(function) = body.function() {
            function.cleanups.push(Cleanup {
                bracket: None,
                action: Action::UnitEnd { set },
            });
        }
    }
    body.block(&item.body);
    body.automaton().span = item.body.end;
    if body.automaton().is_reachable_here() {
        if item.result.is_some() && body.automaton().is_here_reached() {
            return Err(body.report(
                type_error(
                    format!("`{}` may end without a `return`", item.name.text),
                    item.body.end,
                    "a value is missing here",
                )
                .at(item.span, "its result is declared here")
                .help("end it with `return e`"),
            ));
        }
        body.clean_up(0);
    }
    Ok(())
}

/// `main` if nothing else starts it, then threads and `start`s in the order of the text.
fn lower_roots(
    context: &Context<'_, '_>,
    items: &[Item<'_>],
    draft: &mut ProgramDraft,
    messages: &mut Messages,
) {
    let is_main_started = items
        .iter()
        .any(|item| matches!(item, Item::Start(start) if start.function.text == "main"));
    for (at, signature) in context.functions.iter().enumerate() {
        let item = signature.item;
        if item.name.text == "main"
            && item.threads == Threads::None
            && item.parameters.is_empty()
            && !is_main_started
        {
            draft.roots.push(root(item, None, at));
        }
    }
    let mut functions = 0;
    for item in items {
        match item {
            Item::Function(item) => {
                match item.threads {
                    Threads::None => {}
                    Threads::One => draft.roots.push(root(item, None, functions)),
                    Threads::Many(count) => draft
                        .roots
                        .extend((0..count).map(|index| root(item, Some(index), functions))),
                }
                functions += 1;
            }
            Item::Start(start) => {
                let mut body = constant_body(context, messages);
                let Ok((function, arguments)) = body.direct_call(start.function, &start.arguments)
                else {
                    continue;
                };
                let varying = arguments
                    .iter()
                    .position(|value| !matches!(value, Expression::Constant(..)));
                if let Some(at) = varying {
                    let span = start.arguments[at].span;
                    body.report(type_error(
                        "arguments of threads that run from the start are constants",
                        span,
                        "not a constant",
                    ));
                }
                draft.roots.push(Root {
                    name: start.name.text.to_owned(),
                    index: start.index,
                    function,
                    arguments,
                    span: Some(start.span),
                });
            }
            Item::UnsetIsUnknown => draft.has_unknown_values = true,
            Item::Model(..)
            | Item::Struct(_)
            | Item::Variable(_)
            | Item::Invariant(_)
            | Item::Exclusive { .. }
            | Item::AtomicSet { .. } => {}
        }
    }
}

fn root(item: &FunctionItem<'_>, index: Option<u32>, function: usize) -> Root {
    Root {
        name: item.name.text.to_owned(),
        index,
        function: raddle_base::Id::from_index(function),
        arguments: Vec::new(),
        span: Some(item.span),
    }
}

/// Invariants, predicates of exclusive access and atomic sets.
fn lower_specifications(
    context: &Context<'_, '_>,
    items: &[Item<'_>],
    labels: &[Labels],
    draft: &mut ProgramDraft,
    messages: &mut Messages,
) {
    for item in items {
        match item {
            Item::Invariant(condition) => {
                if let Ok(invariant) = formula::invariant(context, messages, labels, condition) {
                    draft.invariants.push(invariant);
                }
            }
            Item::Exclusive {
                place,
                condition,
                span,
            } => {
                let lowered =
                    formula::exclusive(context, messages, labels, place, condition, *span);
                if let Ok(exclusive) = lowered {
                    draft.exclusives.push(exclusive);
                }
            }
            Item::AtomicSet { name, members } => {
                let mut body = constant_body(context, messages);
                let members = members
                    .iter()
                    .filter_map(|member| {
                        let (global, offset, _, ty) = body.constant_place(member).ok()?;
                        let size = body.context.size_of(&ty)?;
                        Some(Member {
                            global,
                            offset,
                            size,
                        })
                    })
                    .collect();
                draft.atomic_sets.push(AtomicSet {
                    name: name.text.to_owned(),
                    members,
                    span: Some(name.span),
                });
            }
            Item::Model(..)
            | Item::UnsetIsUnknown
            | Item::Struct(_)
            | Item::Variable(_)
            | Item::Function(_)
            | Item::Start(_) => {}
        }
    }
}
