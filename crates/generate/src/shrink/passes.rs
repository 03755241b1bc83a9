//! The ways to make a program smaller. Each pass gives its candidates by number, and `None` after the last.

use raddle_base::{Arena, Id};
use raddle_ir::{
    Action, Atom, Callee, EdgeId, Expression, FunctionId, ProgramDraft, Scalar, StructId, Type,
};

use super::{closed_up, visit};

type Pass = fn(&ProgramDraft, usize) -> Option<ProgramDraft>;

/// From the boldest to the most careful.
pub(super) const PASSES: [Pass; 11] = [
    without_root,
    without_function,
    without_formula,
    without_edge,
    with_skip,
    without_global,
    without_initial,
    without_set,
    without_struct,
    with_simpler_expression,
    without_register,
];

fn without_root(draft: &ProgramDraft, at: usize) -> Option<ProgramDraft> {
    let mut smaller = draft.clone();
    (at < draft.roots.len()).then(|| {
        smaller.roots.remove(at);
        // A function `main` that is not started would break a rule.
        for function in smaller.functions.values_mut() {
            if function.name == "main" {
                function.name = "former_main".into();
            }
        }
        smaller
    })
}

/// All but one, with new numbers.
fn removed<I: Id, T: Clone>(arena: &Arena<I, T>, at: usize) -> Arena<I, T> {
    arena
        .iter()
        .filter(|(id, _)| id.index() != at)
        .map(|(_, item)| item.clone())
        .collect()
}

/// A function that nobody names goes; one that is only named by an action, with that action.
fn without_function(draft: &ProgramDraft, at: usize) -> Option<ProgramDraft> {
    if at >= draft.functions.len() {
        return None;
    }
    let mut smaller = draft.clone();
    let close = |id: &mut FunctionId| *id = closed_up(*id, at);
    let is_root = smaller.roots.iter().any(|it| it.function.index() == at);
    let mut is_named = is_root;
    visit::expressions(&mut smaller, &mut |expression| {
        visit::nodes(expression, &mut |node| {
            if let Expression::Function(function) = node {
                is_named |= function.index() == at;
                close(function);
            }
        });
    });
    if is_named || draft.functions.len() == 1 {
        // Not a candidate, but the next number may be.
        return Some(draft.clone());
    }
    for function in smaller.functions.values_mut() {
        for edge in function.edges.values_mut() {
            if let Action::Call { callee, .. } | Action::Spawn { callee, .. } = &mut edge.action
                && let Callee::Direct(function) = callee
            {
                if function.index() == at {
                    edge.action = Action::skip();
                } else {
                    close(function);
                }
            }
        }
    }
    for root in &mut smaller.roots {
        close(&mut root.function);
    }
    let invariants = smaller.invariants.iter_mut().map(|it| &mut it.formula);
    let exclusives = smaller.exclusives.iter_mut().map(|it| &mut it.condition);
    for formula in invariants.chain(exclusives) {
        for atom in &mut formula.atoms {
            if let Atom::At { function, .. } = atom {
                if function.index() == at {
                    return Some(draft.clone());
                }
                close(function);
            }
        }
    }
    smaller.functions = removed(&smaller.functions, at);
    Some(smaller)
}

fn without_formula(draft: &ProgramDraft, at: usize) -> Option<ProgramDraft> {
    let mut smaller = draft.clone();
    let invariants = draft.invariants.len();
    if at < invariants {
        smaller.invariants.remove(at);
    } else if at < invariants + draft.exclusives.len() {
        smaller.exclusives.remove(at - invariants);
    } else {
        return None;
    }
    Some(smaller)
}

/// The edge with this number, counted over all functions.
fn find_edge(draft: &ProgramDraft, at: usize) -> Option<(FunctionId, EdgeId)> {
    draft
        .functions
        .iter()
        .flat_map(|(id, function)| function.edges.ids().map(move |edge| (id, edge)))
        .nth(at)
}

/// An edge goes; if it was the only one from its location, whoever led there leads on.
fn without_edge(draft: &ProgramDraft, at: usize) -> Option<ProgramDraft> {
    let (id, edge) = find_edge(draft, at)?;
    let mut smaller = draft.clone();
    let function = &mut smaller.functions[id];
    let (from, to) = (function.edges[edge].from, function.edges[edge].to);
    let is_only = function.edges.values().filter(|it| it.from == from).count() == 1;
    function.edges = removed(&function.edges, edge.index());
    if is_only {
        for other in function.edges.values_mut() {
            if other.to == from {
                other.to = to;
            }
        }
        if function.entry == from {
            function.entry = to;
        }
    }
    Some(smaller)
}

fn with_skip(draft: &ProgramDraft, at: usize) -> Option<ProgramDraft> {
    let (id, edge) = find_edge(draft, at)?;
    let mut smaller = draft.clone();
    smaller.functions[id].edges[edge].action = Action::skip();
    Some(smaller)
}

fn without_global(draft: &ProgramDraft, at: usize) -> Option<ProgramDraft> {
    if at >= draft.globals.len() {
        return None;
    }
    let mut smaller = draft.clone();
    let mut is_named = false;
    visit::expressions(&mut smaller, &mut |expression| {
        visit::nodes(expression, &mut |node| {
            if let Expression::Global(global) = node {
                is_named |= global.index() == at;
                *global = closed_up(*global, at);
            }
        });
    });
    for set in smaller.atomic_sets.values_mut() {
        set.members.retain(|member| member.global.index() != at);
        for member in &mut set.members {
            member.global = closed_up(member.global, at);
        }
    }
    smaller.globals = removed(&smaller.globals, at);
    // What names it still cannot do without it: a candidate that is no smaller.
    Some(if is_named { draft.clone() } else { smaller })
}

fn without_initial(draft: &ProgramDraft, at: usize) -> Option<ProgramDraft> {
    let (id, place) = draft
        .globals
        .iter()
        .flat_map(|(id, global)| (0..global.initial.len()).map(move |place| (id, place)))
        .nth(at)?;
    let mut smaller = draft.clone();
    smaller.globals[id].initial.remove(place);
    Some(smaller)
}

fn without_set(draft: &ProgramDraft, at: usize) -> Option<ProgramDraft> {
    if at >= draft.atomic_sets.len() {
        return None;
    }
    let mut smaller = draft.clone();
    for function in smaller.functions.values_mut() {
        for edge in function.edges.values_mut() {
            if let Action::UnitBegin { set } | Action::UnitEnd { set } = &mut edge.action {
                *set = set
                    .filter(|it| it.index() != at)
                    .map(|it| closed_up(it, at));
            }
        }
    }
    smaller.atomic_sets = removed(&smaller.atomic_sets, at);
    Some(smaller)
}

fn without_struct(draft: &ProgramDraft, at: usize) -> Option<ProgramDraft> {
    if at >= draft.structs.len() {
        return None;
    }
    let mut smaller = draft.clone();
    smaller.structs = removed(&smaller.structs, at);
    let is_named = visit::types(&mut smaller)
        .into_iter()
        .any(|ty| renumber_struct(ty, at));
    Some(if is_named { draft.clone() } else { smaller })
}

/// Gives structs their new numbers; whether the one that goes is named.
fn renumber_struct(ty: &mut Type, at: usize) -> bool {
    let mut inner = ty;
    while let Type::Array(element, _) = inner {
        inner = element;
    }
    if let Type::Struct(id) = inner {
        if id.index() == at {
            return true;
        }
        *id = closed_up::<StructId>(*id, at);
    }
    false
}

/// A part of an expression becomes one of its operands, or a small constant.
fn with_simpler_expression(draft: &ProgramDraft, at: usize) -> Option<ProgramDraft> {
    let (node, variant) = (at / 4, at % 4);
    let mut smaller = draft.clone();
    let mut seen = 0;
    let mut types = Vec::new();
    for (_, function) in draft.functions.iter() {
        let edges = function.edges.values();
        for expression in edges.flat_map(|edge| edge.action.expressions()) {
            collect_types(expression, &function.registers, draft, &mut types);
        }
    }
    for function in smaller.functions.values_mut() {
        for edge in function.edges.values_mut() {
            visit::in_action(&mut edge.action, &mut |expression| {
                visit::nodes(expression, &mut |part| {
                    // Parts of what was put in its place are not counted: nothing is left to change.
                    if seen == node {
                        simplify(part, types[node], variant);
                        seen = usize::MAX;
                    } else if seen < node {
                        seen += 1;
                    }
                });
            });
        }
    }
    (seen == usize::MAX).then_some(smaller)
}

type Registers = Arena<raddle_ir::RegisterId, raddle_ir::Register>;

/// The types of an expression and its parts, in the order of [`visit::nodes`].
fn collect_types(
    expression: &Expression,
    registers: &Registers,
    draft: &ProgramDraft,
    types: &mut Vec<Scalar>,
) {
    let mut copy = expression.clone();
    visit::nodes(&mut copy, &mut |part| {
        types.push(part.scalar(registers, draft.model));
    });
}

fn simplify(part: &mut Expression, ty: Scalar, variant: usize) {
    let small = |bits| Expression::Constant(bits, ty);
    *part = match (variant, &*part) {
        (0, _) => small(0),
        (1, Expression::Constant(bits, _)) => small(bits / 2),
        (1, _) => small(1),
        (2, Expression::Unary(_, inner) | Expression::Cast(_, inner)) => (**inner).clone(),
        (2, Expression::Binary(_, left, _)) => (**left).clone(),
        (2, Expression::Select(_, then, _)) => (**then).clone(),
        (3, Expression::Binary(_, _, right)) => (**right).clone(),
        (3, Expression::Select(_, _, otherwise)) => (**otherwise).clone(),
        (_, same) => same.clone(),
    };
}

/// A register that nobody names, parameters aside.
fn without_register(draft: &ProgramDraft, at: usize) -> Option<ProgramDraft> {
    let (id, register) = draft
        .functions
        .iter()
        .flat_map(|(id, function)| {
            let registers = function.registers.ids().skip(function.parameters);
            registers.map(move |register| (id, register))
        })
        .nth(at)?;
    let mut smaller = draft.clone();
    let function = &mut smaller.functions[id];
    let mut is_named = false;
    for edge in function.edges.values_mut() {
        for target in visit::targets(&mut edge.action) {
            is_named |= *target == register;
            *target = closed_up(*target, register.index());
        }
        visit::in_action(&mut edge.action, &mut |expression| {
            visit::nodes(expression, &mut |node| {
                if let Expression::Register(read) = node {
                    is_named |= *read == register;
                    *read = closed_up(*read, register.index());
                }
            });
        });
    }
    function.registers = removed(&function.registers, register.index());
    Some(if is_named { draft.clone() } else { smaller })
}
