//! Actions as statements.

use super::expression::Printer;
use super::word::{quoted, string_literal};
use crate::action::SyncOperation;
use crate::action::{Access, Action, AllocateKind, Callee, EndKind, Order, RmwOperation, SyncInit};
use crate::expression::Expression;
use crate::program::{AtomicSetId, RegisterId};
use crate::read_only::ReadOnly;
use crate::types::{Scalar, SyncType, Type};

impl Printer<'_> {
    pub(super) fn action(self, action: &Action) -> String {
        match action {
            Action::Assign { target, value } => {
                format!("{} = {}", self.register(*target), self.whole(value))
            }
            Action::Havoc { target } => format!("havoc {}", self.register(*target)),
            Action::Assume { .. } if *action == Action::skip() => "skip".into(),
            Action::Assume { condition } => format!("assume {}", self.whole(condition)),
            Action::Assert { condition, message } => match message {
                None => format!("assert {}", self.whole(condition)),
                Some(message) => {
                    let message = string_literal(message);
                    format!("assert {}, {message}", self.whole(condition))
                }
            },
            Action::Load {
                target,
                address,
                ty,
                access,
            } => {
                let (target, place) = (self.register(*target), self.place(address, *ty));
                match access {
                    // An initial load is not valid.
                    Access::Plain | Access::Initial => format!("{target} = {place}"),
                    Access::Atomic(order) => {
                        format!("{target} = atomic_load({place}{})", order_argument(*order))
                    }
                }
            }
            Action::Store {
                address,
                value,
                ty,
                access,
            } => {
                let (place, value) = (self.place(address, *ty), self.whole(value));
                match access {
                    Access::Plain => format!("{place} = {value}"),
                    Access::Initial => format!("init {place} = {value}"),
                    Access::Atomic(order) => {
                        format!("atomic_store({place}, {value}{})", order_argument(*order))
                    }
                }
            }
            Action::ReadModifyWrite {
                target,
                operation,
                address,
                operand,
                ty,
                order,
            } => format!(
                "{}{}({}, {}{})",
                self.target(*target),
                rmw_word(*operation),
                self.place(address, *ty),
                self.whole(operand),
                order_argument(*order)
            ),
            Action::CompareExchange {
                previous,
                success,
                address,
                expected,
                desired,
                ty,
                order,
                failure,
            } => {
                let name = |it: &Option<RegisterId>| {
                    it.map_or("_".into(), |register| self.register(register))
                };
                let targets = if previous.is_none() && success.is_none() {
                    String::new()
                } else {
                    format!("{}, {} = ", name(previous), name(success))
                };
                format!(
                    "{targets}compare_exchange({}, {}, {}{})",
                    self.place(address, *ty),
                    self.whole(expected),
                    self.whole(desired),
                    exchange_orders(*order, *failure)
                )
            }
            Action::Allocate {
                target,
                size,
                ty,
                is_zeroed,
                kind,
                read_only,
            } => {
                let target = self.register(*target);
                let zeroed = if *is_zeroed { "zeroed " } else { "" };
                let stack = match kind {
                    AllocateKind::Heap => "",
                    AllocateKind::Stack => "stack ",
                };
                let what = self.allocated(size, ty.as_ref());
                let known = if let Expression::Constant(size, _) = size {
                    u64::try_from(*size).ok()
                } else {
                    None
                };
                let read_only = read_only_word(read_only, known);
                format!("{target} = {zeroed}{stack}{read_only}alloc {what}")
            }
            Action::Size { target, address } => {
                let (target, object) = (self.register(*target), self.whole(address));
                format!("{target} = object_size({object})")
            }
            Action::Free { address, kind } => {
                let stack = match kind {
                    AllocateKind::Heap => "",
                    AllocateKind::Stack => "stack ",
                };
                format!("{stack}free {}", self.whole(address))
            }
            Action::Init { object, sync } => {
                let place = self.sync_place(object, sync.sync_type());
                format!("init {place} as {}", self.sync_init(sync))
            }
            Action::Destroy { object, sync } => {
                format!(
                    "destroy {} as {}",
                    self.sync_place(object, *sync),
                    sync.name()
                )
            }
            Action::Sync {
                operation,
                object,
                mutex,
                result,
            } => {
                let (word, family) = sync_word(*operation);
                let place = self.sync_place(object, family);
                let mutex = mutex.as_ref().map_or(String::new(), |mutex| {
                    let (_, family) = sync_word(SyncOperation::MutexAcquire);
                    format!(", {}", self.sync_place(mutex, family))
                });
                format!("{}{word} {place}{mutex}", self.target(*result))
            }
            Action::Call {
                target,
                callee,
                arguments,
            } => format!("{}{}", self.target(*target), self.call(callee, arguments)),
            Action::Return { value } => self.with_value("return", value.as_ref()),
            Action::Spawn {
                target,
                place,
                callee,
                arguments,
            } => {
                let (target, call) = (self.target(*target), self.call(callee, arguments));
                let place = place.as_ref().map_or(String::new(), |it| {
                    format!(" into {}", self.place(&it.address, it.ty))
                });
                format!("{target}spawn {call}{place}")
            }
            Action::Join { thread, target } => {
                format!("{}join {}", self.target(*target), self.whole(thread))
            }
            Action::Detach { thread } => format!("detach {}", self.whole(thread)),
            Action::ExitThread { value } => self.with_value("exit_thread", value.as_ref()),
            Action::EndProcess { kind } => match kind {
                EndKind::Exit(status) => format!("exit {}", self.whole(status)),
                EndKind::Abort => "abort".into(),
            },
            Action::AtomicBegin { is_as_written } => {
                if *is_as_written {
                    "atomic_begin as written".into()
                } else {
                    "atomic_begin".into()
                }
            }
            Action::AtomicEnd => "atomic_end".into(),
            Action::UnitBegin { set } => self.unit("unit_begin", *set),
            Action::UnitEnd { set } => self.unit("unit_end", *set),
            Action::Fence { order } => format!("fence {}", order.name()),
            Action::Emit { text, arguments } => {
                let literal = string_literal(text);
                if arguments.is_empty() {
                    format!("emit {literal}")
                } else {
                    format!("emit {literal}, {}", self.list(arguments))
                }
            }
            Action::Unsupported { what } => format!("unsupported {}", string_literal(what)),
        }
    }

    pub(super) fn sync_init(self, sync: &SyncInit) -> String {
        let name = sync.sync_type().name();
        match sync {
            SyncInit::Semaphore(value) | SyncInit::Barrier(value) => {
                format!("{name}({})", self.whole(value))
            }
            SyncInit::Mutex(_)
            | SyncInit::ReadWriteLock
            | SyncInit::Condition
            | SyncInit::Monitor => name.into(),
        }
    }

    fn target(self, target: Option<RegisterId>) -> String {
        target.map_or(String::new(), |it| format!("{} = ", self.register(it)))
    }

    fn with_value(self, word: &str, value: Option<&Expression>) -> String {
        match value {
            Some(value) => format!("{word} {}", self.whole(value)),
            None => word.into(),
        }
    }

    fn allocated(self, size: &Expression, ty: Option<&Type>) -> String {
        let word = self.draft.model.unsigned_word();
        let Some(ty) = ty else {
            return format!("bytes {}", self.operand(size));
        };
        let bytes = self.draft.size_of(ty).map(u128::from);
        match size {
            Expression::Constant(bits, Scalar::Int(int))
                if *int == word && bytes == Some(*bits) =>
            {
                self.type_name(ty)
            }
            Expression::Constant(..)
            | Expression::Register(_)
            | Expression::Global(_)
            | Expression::Function(_)
            | Expression::CurrentThread
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Cast(..)
            | Expression::Select(..) => {
                format!("bytes {} as {}", self.operand(size), self.type_name(ty))
            }
        }
    }

    fn call(self, callee: &Callee, arguments: &[Expression]) -> String {
        let arguments = self.list(arguments);
        match callee {
            Callee::Direct(function) => {
                let name = quoted(&self.draft.functions[*function].name);
                format!("{name}({arguments})")
            }
            Callee::Indirect(address) => {
                let text = self.operand(address);
                let is_bare = matches!(address, Expression::Register(_)) || text.starts_with('(');
                if is_bare {
                    format!("call {text}({arguments})")
                } else {
                    format!("call ({text})({arguments})")
                }
            }
        }
    }

    fn unit(self, word: &str, set: Option<AtomicSetId>) -> String {
        match set {
            Some(set) => format!("{word} {}", quoted(&self.draft.atomic_sets[set].name)),
            None => word.into(),
        }
    }
}

fn rmw_word(operation: RmwOperation) -> &'static str {
    let found = RmwOperation::ALL.iter().find(|(it, _)| *it == operation);
    found
        .map(|(_, word)| *word)
        .expect("ALL lists every operation")
}

fn sync_word(operation: SyncOperation) -> (&'static str, SyncType) {
    (operation.name(), operation.family())
}

/// The order as a last argument, left out where it is the default.
fn order_argument(order: Order) -> String {
    if order == Order::SequentiallyConsistent {
        return String::new();
    }
    format!(", {}", order.name())
}

/// The orders of a compare-exchange; the second is left out where it follows from the first.
fn exchange_orders(order: Order, failure: Order) -> String {
    if failure == order.on_failure() {
        order_argument(order)
    } else {
        format!(", {}, {}", order.name(), failure.name())
    }
}

/// `const ` before what is read-only, with the parts if that is not all.
pub(super) fn read_only_word(read_only: &ReadOnly, size: Option<u64>) -> String {
    if read_only.is_nothing() {
        return String::new();
    }
    if size.is_some_and(|size| read_only.is_all(size)) {
        return "const ".into();
    }
    let parts: Vec<String> = read_only
        .parts()
        .map(|(offset, size)| format!("{size} at {offset}"))
        .collect();
    format!("const({}) ", parts.join(", "))
}
