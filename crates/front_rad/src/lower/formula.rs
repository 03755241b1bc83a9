//! Invariants and predicates of exclusive access.

use raddle_base::{Arena, Id, Span};
use raddle_ir::{Atom, Exclusive, Formula, FunctionId, Invariant, LocationId};

use crate::message::{Messages, name_error, nearest};
use crate::syntax::{Expr, Label, Name};

use super::body::{Body, ConstantSink, FormulaSink, Labels, Lowered, Sink};
use super::context::{Context, Meaning};

pub(super) fn invariant<'s>(
    context: &Context<'_, 's>,
    messages: &mut Messages,
    labels: &[Labels],
    condition: &Expr<'s>,
) -> Lowered<Invariant> {
    let formula = formula(context, messages, labels, condition, None, "invariant")?;
    Ok(Invariant {
        formula,
        span: Some(condition.span),
    })
}

pub(super) fn exclusive<'s>(
    context: &Context<'_, 's>,
    messages: &mut Messages,
    labels: &[Labels],
    place: &Expr<'s>,
    condition: &Expr<'s>,
    span: Span,
) -> Lowered<Exclusive> {
    let mut body = Body {
        context,
        messages,
        sink: Sink::Constant(ConstantSink {
            accepts_family: true,
            family: None,
        }),
    };
    let (_, _, address, ty) = body.constant_place(place)?;
    let scalar = body.scalar_of(&ty, place.span)?;
    let elements = match body.sink {
        Sink::Constant(constant) => constant.family,
        Sink::Function(_) | Sink::Formula(_) => None,
    };
    let index = elements.as_ref().map(|family| family.variable.clone());
    let condition = formula(context, messages, labels, condition, index, "exclusive")?;
    Ok(Exclusive {
        address,
        ty: scalar,
        elements,
        condition,
        span: Some(span),
    })
}

fn formula<'s>(
    context: &Context<'_, 's>,
    messages: &mut Messages,
    labels: &[Labels],
    condition: &Expr<'s>,
    index: Option<String>,
    what: &'static str,
) -> Lowered<Formula> {
    let mut body = Body {
        context,
        messages,
        sink: Sink::Formula(FormulaSink {
            registers: Arena::new(),
            atoms: Vec::new(),
            index,
            labels,
            what,
        }),
    };
    let value = body.condition(condition)?;
    match body.sink {
        Sink::Formula(sink) => Ok(Formula {
            registers: sink.registers,
            atoms: sink.atoms,
            body: value,
        }),
        Sink::Function(_) | Sink::Constant(_) => Err(crate::message::Reported),
    }
}

impl<'s> Body<'_, '_, 's> {
    /// `at label` and `at f.label`.
    pub(super) fn program_point(
        &mut self,
        function: Option<Name<'s>>,
        label: Label<'s>,
        span: Span,
    ) -> Lowered<Atom> {
        let Sink::Formula(sink) = &self.sink else {
            return Err(self.not_here("`at`", span));
        };
        let labels = sink.labels;
        let chosen = match function {
            None => None,
            Some(name) => {
                if let Some(Meaning::Function(id)) = self.context.meaning(name.text) {
                    Some(id)
                } else {
                    let diagnostic = name_error(
                        format!("there is no function `{}`", name.text),
                        name.span,
                        "unknown function",
                    );
                    let functions = self.context.functions.iter().map(|it| it.item.name.text);
                    let diagnostic = match nearest(name.text, functions) {
                        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                        None => diagnostic,
                    };
                    return Err(self.report(diagnostic));
                }
            }
        };
        let key = (label.is_number, label.name.text.to_owned());
        let label = label.name;
        let found: Vec<(FunctionId, LocationId)> = labels
            .iter()
            .enumerate()
            .map(|(at, labels)| (FunctionId::from_index(at), labels))
            .filter(|(id, _)| chosen.is_none_or(|chosen| chosen == *id))
            .filter_map(|(id, labels)| Some((id, *labels.get(&key)?)))
            .collect();
        match found[..] {
            [(function, location)] => Ok(Atom::At { function, location }),
            [] => {
                let names = labels
                    .iter()
                    .flat_map(Labels::keys)
                    .map(|(_, name)| name.as_str());
                let diagnostic = name_error(
                    format!("there is no label `{}` that a thread can reach", label.text),
                    label.span,
                    "unknown label",
                );
                let diagnostic = match nearest(label.text, names) {
                    Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                    None => diagnostic.help(format!("write `{}:` before a statement", label.text)),
                };
                Err(self.report(diagnostic))
            }
            _ => {
                let functions: Vec<&str> = found
                    .iter()
                    .map(|(id, _)| self.context.function(*id).item.name.text)
                    .collect();
                let help = format!(
                    "write one of them, as in `at {}.{}`",
                    functions[0], label.text
                );
                Err(self.report(
                    name_error(
                        format!("the label `{}` is in several functions", label.text),
                        label.span,
                        "which one is meant?",
                    )
                    .note(format!("it is in {}", functions.join(", ")))
                    .help(help),
                ))
            }
        }
    }
}
