//! Bodies of functions.

use raddle_base::Id;
use raddle_ir::{
    Access, Action, AllocateKind, AtomicSetId, Callee, EndKind, Expression, FunctionId, Location,
    NamePlace, Order, ReadOnly, RegisterId, RmwOperation, Scalar, SyncOperation, SyncType,
};

use super::{Scope, Wild};

impl Wild<'_> {
    pub(super) fn body(&mut self, id: FunctionId) {
        let registers: Vec<(RegisterId, Scalar)> = self.draft.functions[id]
            .registers
            .iter()
            .map(|(register, it)| (register, it.ty))
            .collect();
        let count = self.random.between(1, 12);
        let mut locations = vec![self.draft.functions[id].entry];
        for at in 1..count {
            let label = self.random.chance(30).then(|| self.name("l", at));
            let function = &mut self.draft.functions[id];
            locations.push(function.locations.push(Location { label, span: None }));
        }
        for at in 0..count {
            for _ in 0..*self.random.pick(&[1, 1, 1, 2, 3]) {
                let action = self.action(id, &registers);
                let exit = self.draft.functions[id].exit;
                let to = if action.leaves_function() {
                    exit
                } else if self.random.chance(20) {
                    *self.random.pick(&locations)
                } else {
                    locations.get(at + 1).copied().unwrap_or(exit)
                };
                self.draft.functions[id].connect(locations[at], action, to, None);
            }
        }
    }

    pub(super) fn action(&mut self, id: FunctionId, scope: Scope) -> Action {
        let function = self.draft.functions[id].clone();
        let access = if self.random.chance(50) {
            Access::Plain
        } else {
            Access::Atomic(self.random.pick(&Order::ALL).0)
        };
        let order = self.random.pick(&Order::ALL).0;
        let target = |wild: &mut Self, fits: &dyn Fn(Scalar) -> bool| {
            let fitting: Vec<(RegisterId, Scalar)> =
                scope.iter().copied().filter(|(_, ty)| fits(*ty)).collect();
            (!fitting.is_empty()).then(|| *wild.random.pick(&fitting))
        };
        let some = target(self, &|_| true);
        let ty = some.map_or(Scalar::BOOL, |(_, ty)| ty);
        let pointer = |wild: &mut Self| wild.expression(Scalar::Pointer, scope, 2);
        match (self.random.below(24), some) {
            (0, Some((target, ty))) => Action::Assign {
                target,
                value: self.expression(ty, scope, 4),
            },
            (1, Some((target, _))) => Action::Havoc { target },
            (2, _) => Action::Assume {
                condition: self.expression(Scalar::BOOL, scope, 4),
            },
            (3, _) => Action::Assert {
                condition: self.expression(Scalar::BOOL, scope, 4),
                message: self.random.chance(50).then(|| self.text()),
            },
            (4, Some((target, ty))) => Action::Load {
                target,
                address: pointer(self),
                ty,
                access,
            },
            (5 | 6, _) => {
                let ty = self.scalar();
                Action::Store {
                    address: pointer(self),
                    value: self.expression(ty, scope, 3),
                    ty,
                    access,
                }
            }
            (7, _) => {
                let mut operation = self.random.pick(&RmwOperation::ALL).0;
                if !matches!(ty, Scalar::Int(_)) {
                    operation = RmwOperation::Exchange;
                }
                Action::ReadModifyWrite {
                    target: some
                        .map(|(register, _)| register)
                        .filter(|_| self.random.chance(60)),
                    operation,
                    address: pointer(self),
                    operand: self.expression(ty, scope, 2),
                    ty,
                    order,
                }
            }
            (8, _) => {
                let success = target(self, &|ty| ty == Scalar::BOOL).map(|(register, _)| register);
                let previous = some.map(|(register, _)| register);
                let keeps = self.random.chance(60) && previous != success;
                Action::CompareExchange {
                    previous: previous.filter(|_| keeps),
                    success: success.filter(|_| self.random.chance(60)),
                    address: pointer(self),
                    expected: self.expression(ty, scope, 2),
                    desired: self.expression(ty, scope, 2),
                    ty,
                    order,
                    failure: self.random.pick(&Order::ALL).0,
                }
            }
            (9, _) => match target(self, &|ty| ty == Scalar::Pointer) {
                Some((target, _)) => self.allocate(target, scope),
                None => Action::AtomicBegin {
                    is_as_written: false,
                },
            },
            (10, _) => {
                let word = Scalar::Int(self.draft.model.unsigned_word());
                let address = pointer(self);
                match target(self, &|ty| ty == word) {
                    Some((target, _)) if self.random.chance(50) => Action::Size { target, address },
                    _ => Action::Free {
                        address,
                        kind: *self.random.pick(&[AllocateKind::Heap, AllocateKind::Stack]),
                    },
                }
            }
            (11, _) => {
                let sync = *self.random.pick(&SyncType::ALL);
                Action::Init {
                    object: pointer(self),
                    sync: self.sync_init(sync, scope, false),
                }
            }
            (12, _) => Action::Destroy {
                object: pointer(self),
                sync: *self.random.pick(&SyncType::ALL),
            },
            (13 | 14, _) => {
                let operation = self.random.pick(&SyncOperation::ALL).0;
                let result = target(self, &|ty| matches!(ty, Scalar::Int(_)));
                Action::Sync {
                    operation,
                    object: pointer(self),
                    mutex: operation.takes_mutex().then(|| pointer(self)),
                    result: result
                        .map(|(register, _)| register)
                        .filter(|_| self.random.chance(50)),
                }
            }
            (15 | 16, _) => self.call(scope),
            (17, _) => {
                let value = function.result.map(|ty| self.expression(ty, scope, 2));
                Action::Return { value }
            }
            (18, _) => Action::Join {
                thread: self.expression(Scalar::Thread, scope, 2),
                target: some
                    .map(|(register, _)| register)
                    .filter(|_| self.random.chance(50)),
            },
            (19, _) => Action::Detach {
                thread: self.expression(Scalar::Thread, scope, 2),
            },
            (20, _) => Action::ExitThread {
                value: self
                    .random
                    .chance(50)
                    .then(|| self.expression(ty, scope, 2)),
            },
            (21, _) => {
                let status = Scalar::Int(self.int());
                let kind = if self.random.chance(50) {
                    EndKind::Exit(self.expression(status, scope, 2))
                } else {
                    EndKind::Abort
                };
                Action::EndProcess { kind }
            }
            (22, _) => {
                let set = (!self.draft.atomic_sets.is_empty() && self.random.chance(60))
                    .then(|| AtomicSetId::from_index(0));
                match self.random.below(4) {
                    0 => Action::UnitBegin { set },
                    1 => Action::UnitEnd { set },
                    2 => Action::AtomicBegin {
                        is_as_written: self.random.chance(30),
                    },
                    _ => Action::AtomicEnd,
                }
            }
            _ => {
                if self.random.chance(30) {
                    return Action::Unsupported { what: self.text() };
                }
                let mut text = self.text().replace('{', "");
                let mut arguments = Vec::new();
                for _ in 0..self.random.below(3) {
                    let ty = self.scalar();
                    let specs: &[&str] = match ty {
                        Scalar::Int(_) => &["{}", "{%d}", "{%#010x}", "{%-3c}"],
                        Scalar::Float(_) => &["{}", "{%.3f}", "{%+g}", "{%A}"],
                        Scalar::Pointer => &["{}", "{%p}"],
                        Scalar::Thread => &["{}"],
                    };
                    text.push_str(specs[self.random.below(specs.len())]);
                    arguments.push(self.expression(ty, scope, 2));
                }
                if self.random.chance(20) {
                    return Action::Fence { order };
                }
                Action::Emit { text, arguments }
            }
        }
    }

    pub(super) fn text(&mut self) -> String {
        let texts = [
            "",
            "plain",
            "a \"b\" \\ c\n\t\r\u{0}\u{1b}é\u{2028}{",
            "{}",
            "'`",
        ];
        (*self.random.pick(&texts)).into()
    }

    pub(super) fn allocate(&mut self, target: RegisterId, scope: Scope) -> Action {
        let ty = self.random.chance(70).then(|| self.ty(2));
        let word = self.draft.model.unsigned_word();
        let size = match &ty {
            Some(ty) if self.random.chance(60) => {
                let size = self.draft.size_of(ty).expect("small");
                Expression::int(size.into(), word)
            }
            _ => {
                let int = Scalar::Int(self.int());
                self.expression(int, scope, 2)
            }
        };
        let kind = *self.random.pick(&[AllocateKind::Heap, AllocateKind::Stack]);
        let read_only = match (&size, kind) {
            (Expression::Constant(size, _), AllocateKind::Stack) if self.random.chance(30) => {
                self.read_only(u64::try_from(*size).unwrap_or(0))
            }
            _ => ReadOnly::NOTHING,
        };
        Action::Allocate {
            target,
            size,
            ty,
            is_zeroed: self.random.chance(50),
            kind,
            read_only,
        }
    }

    /// All bytes of an object, or some.
    pub(super) fn read_only(&mut self, size: u64) -> ReadOnly {
        if size < 2 || self.random.chance(50) {
            return ReadOnly::all(size);
        }
        let middle = size / 2;
        let last = self.random.chance(50).then_some((size - 1, 1));
        ReadOnly::of([(middle - 1, 1)].into_iter().chain(last))
    }

    pub(super) fn call(&mut self, scope: Scope) -> Action {
        let callee = FunctionId::from_index(self.random.below(self.draft.functions.len()));
        let function = self.draft.functions[callee].clone();
        let parameters = function.registers.values().take(function.parameters);
        let mut arguments = Vec::new();
        for parameter in parameters {
            arguments.push(self.expression(parameter.ty, scope, 2));
        }
        let is_direct = self.random.chance(50);
        let callee = if is_direct {
            Callee::Direct(callee)
        } else {
            Callee::Indirect(self.expression(Scalar::Pointer, scope, 2))
        };
        let is_spawn = self.random.chance(40);
        let wanted = |ty| {
            if is_spawn {
                ty == Scalar::Thread
            } else {
                !is_direct || function.result == Some(ty)
            }
        };
        let fitting: Vec<RegisterId> = scope
            .iter()
            .filter(|(_, ty)| wanted(*ty))
            .map(|(register, _)| *register)
            .collect();
        let has_target = !fitting.is_empty() && self.random.chance(60);
        let target = has_target.then(|| *self.random.pick(&fitting));
        if is_spawn {
            let stores = self.random.chance(40);
            let place = stores.then(|| NamePlace {
                address: self.expression(Scalar::Pointer, scope, 2),
                ty: if self.random.chance(50) {
                    Scalar::Thread
                } else {
                    Scalar::Int(self.draft.model.unsigned_word())
                },
            });
            Action::Spawn {
                target,
                place,
                callee,
                arguments,
            }
        } else {
            Action::Call {
                target,
                callee,
                arguments,
            }
        }
    }
}
