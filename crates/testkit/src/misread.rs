//! Programs as somebody sees them who misreads one thing: what a fault of a translation or of an analysis comes to, without a switch
//! in what ships. Whoever is asked about the misread program and compared with the truth of the real one has to be found wrong;
//! else the net that compares has a hole.

use raddle_ir::{Action, BinaryOp, Expression, Program, validate};

/// What is taken for something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misreading {
    /// One operation for another.
    Operation(BinaryOp, BinaryOp),
    /// Stores write nothing.
    Stores,
    /// Assertions hold.
    Assertions,
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
