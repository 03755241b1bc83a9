//! Memory orders that are computed: the program goes on with the access of the order that it has found.

use raddle_base::Span;
use raddle_ir::{Access, Action, BinaryOp, Expression, LocationId, Order};

use crate::typed::{self, ComputedOrders};

use super::body::FunctionLowering;
use super::scalars::INT;

/// The numbers that stand for orders in C, as the builtins of gcc have them. Consume is acquire.
const NUMBERS: [(u128, Order); 6] = [
    (0, Order::Relaxed),
    (1, Order::Acquire),
    (2, Order::Acquire),
    (3, Order::Release),
    (4, Order::AcquireRelease),
    (5, Order::SequentiallyConsistent),
];

/// What was computed, of type `int`.
#[derive(Clone, Debug, Default)]
pub(super) struct ComputedValues {
    order: Option<Expression>,
    failure: Option<Expression>,
}

impl FunctionLowering<'_, '_> {
    /// The orders are evaluated before anything else.
    pub(super) fn computed_values(
        &mut self,
        computed: &ComputedOrders,
        span: Span,
    ) -> ComputedValues {
        let mut value = |order: &typed::Expression| {
            let value = self.value(order);
            let value = self.convert(value, INT, false);
            self.in_temporary(value, span).expression
        };
        ComputedValues {
            order: computed.order.as_ref().map(&mut value),
            failure: computed.failure.as_ref().map(&mut value),
        }
    }

    /// Does one thing and goes on there. Where the order of an atomic access is computed, one access for each order; a number
    /// that stands for none leaves the order unknown.
    pub(super) fn connect_in_each_order(
        &mut self,
        action: Action,
        to: LocationId,
        span: Option<Span>,
    ) {
        let orders = self.computed_orders.clone();
        if let (Some(value), true) = (orders.order, is_unknown(&action, order_of)) {
            self.for_each_order(&value, &action, order_of, to, span);
        } else if let (Some(value), true) = (orders.failure, is_unknown(&action, failure_of)) {
            self.for_each_order(&value, &action, failure_of, to, span);
        } else {
            self.connect(action, to, span);
        }
    }

    /// The same of what is done instead of a compare-exchange that fails for no reason.
    pub(super) fn connect_in_each_failure(
        &mut self,
        action: Action,
        to: LocationId,
        span: Option<Span>,
    ) {
        let failure = self.computed_orders.failure.clone();
        if let (Some(value), true) = (failure, is_unknown(&action, order_of)) {
            self.for_each_order(&value, &action, order_of, to, span);
        } else {
            self.connect(action, to, span);
        }
    }

    fn for_each_order(
        &mut self,
        value: &Expression,
        action: &Action,
        order_of: OrderOf,
        to: LocationId,
        span: Option<Span>,
    ) {
        let from = self.here;
        let mut is_none = Expression::bool(true);
        for (number, order) in NUMBERS {
            let number = Expression::Constant(number, INT);
            let is_it = Expression::binary(BinaryOp::Equal, value.clone(), number.clone());
            let differs = Expression::binary(BinaryOp::NotEqual, value.clone(), number);
            is_none = Expression::binary(BinaryOp::And, is_none, differs);
            let mut action = action.clone();
            if let Some(written) = order_of(&mut action) {
                *written = order;
            }
            self.here = from;
            self.then_assume(is_it, span);
            self.connect_in_each_order(action, to, span);
        }
        self.here = from;
        self.then_assume(is_none, span);
        self.connect(action.clone(), to, span);
    }

    fn then_assume(&mut self, condition: Expression, span: Option<Span>) {
        let next = self.new_location();
        self.connect(Action::Assume { condition }, next, span);
        self.here = next;
    }
}

/// Finds an order in an action.
type OrderOf = fn(&mut Action) -> Option<&mut Order>;

fn is_unknown(action: &Action, order_of: OrderOf) -> bool {
    order_of(&mut action.clone()).is_some_and(|it| *it == Order::Unknown)
}

fn order_of(action: &mut Action) -> Option<&mut Order> {
    match action {
        Action::Load {
            access: Access::Atomic(order),
            ..
        }
        | Action::Store {
            access: Access::Atomic(order),
            ..
        }
        | Action::ReadModifyWrite { order, .. }
        | Action::CompareExchange { order, .. }
        | Action::Fence { order } => Some(order),
        _ => None,
    }
}

fn failure_of(action: &mut Action) -> Option<&mut Order> {
    match action {
        Action::CompareExchange { failure, .. } => Some(failure),
        _ => None,
    }
}
