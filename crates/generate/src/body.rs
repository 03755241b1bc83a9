//! Writes the body of a function statement by statement.

use raddle_ir::{
    Access, Action, BinaryOp, Callee, Expression, Function, FunctionId, GlobalId, IntType,
    Location, LocationId, NamePlace, Register, RegisterId, Scalar, SyncOperation,
};

/// A cell of memory: where it is and what it holds.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) address: Expression,
    pub(crate) ty: Scalar,
}

impl Cell {
    /// The global that it is.
    pub(crate) fn global(&self) -> GlobalId {
        match self.address {
            Expression::Global(global) => global,
            _ => unreachable!("asked only of cells that are globals"),
        }
    }

    /// As the place that the name of a new thread is stored to.
    pub(crate) fn as_name_place(&self) -> NamePlace {
        NamePlace {
            address: self.address.clone(),
            ty: self.ty,
        }
    }

    /// A number as a constant of the cell's type; floats count in halves.
    pub(crate) fn value(&self, number: usize) -> Expression {
        constant(number, self.ty)
    }
}

/// A number as a constant of a type.
pub(crate) fn constant(number: usize, ty: Scalar) -> Expression {
    let number = i128::try_from(number).expect("numbers of programs are small");
    match ty {
        Scalar::Int(int) => Expression::int(number, int),
        Scalar::Float(raddle_ir::FloatType::F32) => {
            let value = f32::from(i16::try_from(number).unwrap_or(0)) / 2.0;
            Expression::Constant(value.to_bits().into(), ty)
        }
        Scalar::Float(raddle_ir::FloatType::F64) => {
            let value = f64::from(i16::try_from(number).unwrap_or(0)) / 2.0;
            Expression::Constant(value.to_bits().into(), ty)
        }
        Scalar::Pointer | Scalar::Thread => Expression::Constant(0, ty),
    }
}

/// The integer type of results of synchronisation.
pub(crate) const RESULT: IntType = IntType::signed(32);

/// A function that is being written, and where its next statement begins.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) function: Function,
    here: LocationId,
}

impl Body {
    pub(crate) fn new(name: impl Into<String>) -> Self {
        let function = Function::new(name);
        let here = function.entry;
        Self { function, here }
    }

    pub(crate) fn parameter(&mut self, name: &str, ty: Scalar) -> Expression {
        self.function.parameters += 1;
        Expression::Register(self.register(name, ty, false))
    }

    fn register(&mut self, name: &str, ty: Scalar, is_temporary: bool) -> RegisterId {
        let count = self.function.registers.len();
        self.function.registers.push(Register {
            name: format!("{name}{count}"),
            ty,
            is_temporary,
            span: None,
        })
    }

    /// A register that keeps its value.
    pub(crate) fn variable(&mut self, name: &str, ty: Scalar) -> RegisterId {
        self.register(name, ty, false)
    }

    pub(crate) fn temporary(&mut self, ty: Scalar) -> RegisterId {
        self.register("t", ty, true)
    }

    /// How many statements there are.
    pub(crate) fn length(&self) -> usize {
        self.function.edges.len()
    }

    pub(crate) fn act(&mut self, action: Action) {
        let next = self.function.locations.push(Location::default());
        let to = if action.leaves_function() {
            self.function.exit
        } else {
            next
        };
        self.function.connect(self.here, action, to, None);
        self.here = next;
    }

    /// Names the place of the next statement, unless it has a name.
    pub(crate) fn label(&mut self, label: &str) -> LocationId {
        let taken = self
            .function
            .locations
            .values()
            .any(|it| it.label.as_deref() == Some(label));
        let location = &mut self.function.locations[self.here];
        if location.label.is_none() && !taken {
            location.label = Some(label.into());
        }
        self.here
    }

    pub(crate) fn load(&mut self, cell: &Cell) -> Expression {
        self.load_as(cell, Access::Plain)
    }

    pub(crate) fn load_as(&mut self, cell: &Cell, access: Access) -> Expression {
        let target = self.temporary(cell.ty);
        self.load_to(target, cell, access)
    }

    pub(crate) fn load_to(
        &mut self,
        target: RegisterId,
        cell: &Cell,
        access: Access,
    ) -> Expression {
        self.act(Action::Load {
            target,
            address: cell.address.clone(),
            ty: cell.ty,
            access,
        });
        Expression::Register(target)
    }

    pub(crate) fn store(&mut self, cell: &Cell, value: Expression) {
        self.store_as(cell, value, Access::Plain);
    }

    pub(crate) fn store_as(&mut self, cell: &Cell, value: Expression, access: Access) {
        self.act(Action::Store {
            address: cell.address.clone(),
            value,
            ty: cell.ty,
            access,
        });
    }

    pub(crate) fn assign(&mut self, ty: Scalar, value: Expression) -> Expression {
        let target = self.variable("v", ty);
        self.act(Action::Assign { target, value });
        Expression::Register(target)
    }

    pub(crate) fn havoc(&mut self, ty: Scalar) -> Expression {
        let target = self.variable("h", ty);
        self.act(Action::Havoc { target });
        Expression::Register(target)
    }

    pub(crate) fn assume(&mut self, condition: Expression) {
        self.act(Action::Assume { condition });
    }

    pub(crate) fn assert(&mut self, condition: Expression) {
        self.act(Action::Assert {
            condition,
            message: None,
        });
    }

    pub(crate) fn sync(&mut self, operation: SyncOperation, object: &Expression) {
        self.act(Action::Sync {
            operation,
            object: object.clone(),
            mutex: None,
            result: None,
        });
    }

    /// Performs an operation and gives its result.
    pub(crate) fn ask(&mut self, operation: SyncOperation, object: &Expression) -> Expression {
        let result = self.temporary(Scalar::Int(RESULT));
        self.act(Action::Sync {
            operation,
            object: object.clone(),
            mutex: None,
            result: Some(result),
        });
        Expression::Register(result)
    }

    /// One half of a wait on a condition variable.
    pub(crate) fn wait(
        &mut self,
        operation: SyncOperation,
        condition: &Expression,
        mutex: &Expression,
    ) {
        self.act(Action::Sync {
            operation,
            object: condition.clone(),
            mutex: Some(mutex.clone()),
            result: None,
        });
    }

    pub(crate) fn call(
        &mut self,
        function: FunctionId,
        arguments: Vec<Expression>,
        result: Option<Scalar>,
    ) -> Option<Expression> {
        let target = result.map(|ty| self.temporary(ty));
        self.act(Action::Call {
            target,
            callee: Callee::Direct(function),
            arguments,
        });
        target.map(Expression::Register)
    }

    pub(crate) fn branch(
        &mut self,
        condition: Expression,
        then: impl FnOnce(&mut Body),
        otherwise: impl FnOnce(&mut Body),
    ) {
        let from = self.here;
        self.assume(condition.clone());
        then(self);
        let first_end = std::mem::replace(&mut self.here, from);
        self.assume(condition.not());
        otherwise(self);
        self.merge(first_end, self.here);
    }

    /// Only what `then` does, if the condition holds.
    pub(crate) fn when(&mut self, condition: Expression, then: impl FnOnce(&mut Body)) {
        self.branch(condition, then, |_| ());
    }

    /// One of two, by nobody's choice. Both must do something.
    pub(crate) fn choose(&mut self, first: impl FnOnce(&mut Body), second: impl FnOnce(&mut Body)) {
        let from = self.here;
        first(self);
        let first_end = std::mem::replace(&mut self.here, from);
        second(self);
        self.merge(first_end, self.here);
    }

    /// Repeats `inside` as long as the condition that `test` computes holds. `test` must do something.
    pub(crate) fn repeat(
        &mut self,
        test: impl FnOnce(&mut Body) -> Expression,
        inside: impl FnOnce(&mut Body),
    ) {
        let head = self.here;
        let condition = test(self);
        let decided = self.here;
        self.assume(condition.clone());
        inside(self);
        self.merge(self.here, head);
        self.here = decided;
        self.assume(condition.not());
    }

    /// Makes every edge that leads to one open end lead to another.
    fn merge(&mut self, end: LocationId, into: LocationId) {
        for edge in self.function.edges.values_mut() {
            if edge.to == end {
                edge.to = into;
            }
        }
    }

    /// The function: its end leads to its exit.
    pub(crate) fn finish(mut self) -> Function {
        let has_label = self.function.locations[self.here].label.is_some();
        let is_target = self.function.edges.values().any(|it| it.to == self.here);
        if self.here == self.function.entry || has_label {
            self.act(Action::skip());
        } else if !is_target {
            return self.function;
        }
        self.merge(self.here, self.function.exit);
        self.function
    }
}

pub(crate) fn equal(left: Expression, right: Expression) -> Expression {
    Expression::binary(BinaryOp::Equal, left, right)
}

pub(crate) fn differs(left: Expression, right: Expression) -> Expression {
    Expression::binary(BinaryOp::NotEqual, left, right)
}
