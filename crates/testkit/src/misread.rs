//! Programs as somebody sees them who misreads one thing: what a fault of a translation or of an analysis comes to, without a switch
//! in what ships. Whoever is asked about the misread program and compared with the truth of the real one has to be found wrong;
//! else the net that compares has a hole.

use raddle_ir::{
    Access, Action, BinaryOp, Edge, Expression, Function, Location, Program, Register, Scalar,
    validate,
};

/// What is taken for something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misreading {
    /// One operation for another.
    Operation(BinaryOp, BinaryOp),
    /// Stores write nothing.
    Stores,
    /// Assertions hold.
    Assertions,
    /// The names of new threads are stored nowhere.
    Names,
    /// They are stored by a step of their own, when the threads may run.
    LateNames,
    /// Locks are never given back.
    Releases,
}

impl Misreading {
    /// Mistakes about values.
    pub const OF_VALUES: [Misreading; 4] = [
        Misreading::Operation(BinaryOp::AddWrapping, BinaryOp::SubtractWrapping),
        Misreading::Operation(BinaryOp::Equal, BinaryOp::LessEqual),
        Misreading::Stores,
        Misreading::Assertions,
    ];

    /// The program as it is misread; `None` if there is nothing to misread in it.
    pub fn of(self, program: &Program) -> Option<Program> {
        let mut draft = program.clone().into_draft();
        let mut is_misread = false;
        for function in draft.functions.values_mut() {
            if self == Misreading::LateNames {
                is_misread |= store_late(function);
            }
            for edge in function.edges.values_mut() {
                is_misread |= self.misread(&mut edge.action);
            }
        }
        is_misread.then(|| validate(draft).ok()).flatten()
    }

    /// Whether an action was changed.
    fn misread(self, action: &mut Action) -> bool {
        let (from, to) = match self {
            Misreading::Operation(from, to) => (from, to),
            Misreading::Stores => return overlook(action, matches!(action, Action::Store { .. })),
            Misreading::Assertions => {
                return overlook(action, matches!(action, Action::Assert { .. }));
            }
            Misreading::Names => {
                let Action::Spawn { place, .. } = action else {
                    return false;
                };
                return place.take().is_some();
            }
            Misreading::LateNames => return false,
            Misreading::Releases => {
                let is_release = action
                    .lock_effect()
                    .is_some_and(|(effect, _)| effect.gives_back());
                return overlook(action, is_release);
            }
        };
        if let Action::Assign { value, .. } | Action::Store { value, .. } = action {
            return exchange(value, from, to);
        }
        if let Action::Assume { condition } | Action::Assert { condition, .. } = action {
            return exchange(condition, from, to);
        }
        false
    }
}

/// Makes a step of it that does nothing, if it is overlooked.
fn overlook(action: &mut Action, is_overlooked: bool) -> bool {
    if is_overlooked {
        let condition = Expression::bool(true);
        *action = Action::Assume { condition };
    }
    is_overlooked
}

/// Stores the names of new threads by steps of their own; whether there was any.
fn store_late(function: &mut Function) -> bool {
    let ids: Vec<_> = function.edges.ids().collect();
    let mut is_changed = false;
    for id in ids {
        let Action::Spawn { target, place, .. } = &mut function.edges[id].action else {
            continue;
        };
        let Some(place) = place.take() else {
            continue;
        };
        let name = *target.get_or_insert_with(|| {
            function.registers.push(Register {
                name: "stored".into(),
                ty: Scalar::Thread,
                is_temporary: true,
                span: None,
            })
        });
        let name = Expression::Register(name);
        let value = if place.ty == Scalar::Thread {
            name
        } else {
            Expression::Cast(place.ty, name.into())
        };
        let from = function.locations.push(Location {
            label: None,
            span: None,
        });
        let to = std::mem::replace(&mut function.edges[id].to, from);
        let action = Action::Store {
            address: place.address,
            value,
            ty: place.ty,
            access: Access::Plain,
        };
        let span = None;
        function.edges.push(Edge {
            from,
            to,
            action,
            span,
        });
        is_changed = true;
    }
    is_changed
}

/// Puts one operation for another; whether there was any.
fn exchange(expression: &mut Expression, from: BinaryOp, to: BinaryOp) -> bool {
    match expression {
        Expression::Constant(..)
        | Expression::Register(_)
        | Expression::Global(_)
        | Expression::Function(_)
        | Expression::CurrentThread => false,
        Expression::Unary(_, operand) | Expression::Cast(_, operand) => exchange(operand, from, to),
        Expression::Binary(op, left, right) => {
            let is_it = *op == from;
            if is_it {
                *op = to;
            }
            exchange(left, from, to) | exchange(right, from, to) | is_it
        }
        Expression::Select(condition, then, otherwise) => {
            exchange(condition, from, to) | exchange(then, from, to) | exchange(otherwise, from, to)
        }
    }
}
