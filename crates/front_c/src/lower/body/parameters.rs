//! Parameters and results: how they travel, and where a function that begins puts them.

use raddle_ir::{Action, Expression, Function, Register, RegisterId, Scalar};

use crate::lower::Lowering;
use crate::lower::scalars;
use crate::typed::{FunctionId, LocalId};
use crate::types::{FunctionType, Type};

use super::{FunctionLowering, ReturnBy, Storage};

/// A function that is only declared, or not modelled: its parameters, and no way on.
pub(super) fn lower_undefined(lowering: &mut Lowering<'_>, id: FunctionId) -> Function {
    let module = lowering.module;
    let source = &module.functions[id];
    let mut function = Function::new(&*source.name);
    let scalars: Vec<Option<Scalar>> = source
        .ty
        .parameters
        .iter()
        .map(|parameter| lowering.passed_as(&source.ty, &parameter.ty))
        .collect();
    let returns_memory = is_memory(&source.ty.result);
    let result = lowering.scalar(&source.ty.result);
    let mut add = |name: String, ty: Scalar| {
        function.registers.push(Register {
            name,
            ty,
            is_temporary: false,
            span: None,
        });
        function.parameters += 1;
    };
    if returns_memory {
        add("result".into(), Scalar::Pointer);
    }
    for (index, scalar) in scalars.into_iter().enumerate() {
        add(
            format!("parameter {index}"),
            scalar.unwrap_or(Scalar::Pointer),
        );
    }
    if source.ty.is_variadic {
        add("more arguments".into(), Scalar::Pointer);
    }
    function.result = result;
    lowering.miss_function(id, None);
    if lowering.returns_anything(id) && !returns_memory {
        let is_bool = matches!(source.ty.result, Type::Bool);
        return returning_anything(function, result, is_bool, lowering);
    }
    let what = match &source.unsupported {
        Some(what) => format!("a call of `{}`, which has {what},", source.name),
        None => format!("a call of `{}`, which is not defined,", source.name),
    };
    let after = function.locations.push(raddle_ir::Location::default());
    let (entry, exit) = (function.entry, function.exit);
    function.connect(entry, Action::Unsupported { what }, after, None);
    let value = result.map(scalars::zero);
    function.connect(after, Action::Return { value }, exit, None);
    function
}

/// A function that returns any value of its type.
fn returning_anything(
    mut function: Function,
    result: Option<Scalar>,
    is_bool: bool,
    lowering: &Lowering<'_>,
) -> Function {
    let (entry, exit) = (function.entry, function.exit);
    let Some(scalar) = result else {
        function.connect(entry, Action::Return { value: None }, exit, None);
        return function;
    };
    let drawn = if is_bool { Scalar::BOOL } else { scalar };
    let target = function.registers.push(Register {
        name: "anything".into(),
        ty: drawn,
        is_temporary: false,
        span: None,
    });
    let after = function.locations.push(raddle_ir::Location::default());
    function.connect(entry, Action::Havoc { target }, after, None);
    let value = scalars::convert(
        Expression::Register(target),
        drawn,
        scalar,
        false,
        lowering.model(),
    );
    function.connect(after, Action::Return { value: Some(value) }, exit, None);
    function
}

impl Lowering<'_> {
    /// How an argument travels: of a function without a prototype, promoted. `None` for memory.
    pub(in crate::lower) fn passed_as(
        &self,
        ty: &FunctionType,
        parameter: &Type,
    ) -> Option<Scalar> {
        let scalar = self.scalar(parameter)?;
        Some(match scalar {
            Scalar::Int(int) if !ty.has_prototype && int.bits < 32 => scalars::INT,
            Scalar::Float(_) if !ty.has_prototype => Scalar::Float(raddle_ir::FloatType::F64),
            Scalar::Int(_) | Scalar::Float(_) | Scalar::Pointer | Scalar::Thread => scalar,
        })
    }
}

/// Whether values of a type are passed as the address of a copy.
pub(in crate::lower) fn is_memory(ty: &Type) -> bool {
    matches!(ty, Type::Record(_) | Type::Unmodelled(_))
}

impl FunctionLowering<'_, '_> {
    pub(super) fn declare_result(&mut self, ty: &FunctionType) {
        if is_memory(&ty.result) {
            let register = self.parameter("result", Scalar::Pointer);
            self.return_by = ReturnBy::Memory(register);
        } else if let Some(scalar) = self.lowering.scalar(&ty.result) {
            self.function.result = Some(scalar);
            self.return_by = ReturnBy::Register(scalar);
        }
    }

    /// The next parameter.
    pub(super) fn parameter(&mut self, name: &str, ty: Scalar) -> RegisterId {
        debug_assert_eq!(self.function.registers.len(), self.function.parameters);
        self.function.parameters += 1;
        self.named_register(name, ty, None)
    }

    /// Parameters in registers; of those passed as memory, the address.
    pub(super) fn take_parameters(&mut self, parameters: &[LocalId], ty: &FunctionType) {
        for &local in parameters {
            let source = &self.source.locals[local];
            let storage = match self.lowering.passed_as(ty, &source.ty.ty) {
                Some(scalar) => {
                    let register = self.parameter(&source.name, scalar);
                    self.variables.insert(register);
                    Storage::Register(register)
                }
                None => Storage::Memory(self.parameter(&source.name, Scalar::Pointer)),
            };
            self.locals[local] = Some(storage);
        }
    }

    /// Parameters that were promoted get their own type back; those whose address is taken move to memory.
    pub(super) fn move_parameters(&mut self, parameters: &[LocalId]) {
        for &local in parameters {
            let source = &self.source.locals[local];
            let (Some(Storage::Register(register)), Some(scalar)) =
                (self.locals[local], self.lowering.scalar(&source.ty.ty))
            else {
                continue;
            };
            let passed = self.function.registers[register].ty;
            let is_bool = matches!(source.ty.ty, Type::Bool);
            let value = Expression::Register(register).into();
            let value = if passed == scalar {
                value
            } else {
                self.convert(value, scalar, is_bool)
            };
            if source.is_address_taken {
                let address = self.stack_local(&source.name, &source.ty);
                let access = if source.ty.is_const {
                    raddle_ir::Access::Initial
                } else {
                    raddle_ir::Access::Plain
                };
                self.then(
                    Action::Store {
                        address: Expression::Register(address),
                        value: value.expression,
                        ty: scalar,
                        access,
                    },
                    source.span,
                );
                self.locals[local] = Some(Storage::Memory(address));
            } else if passed != scalar {
                let narrow = self.named_register(&source.name, scalar, source.span);
                self.variables.insert(narrow);
                self.assign(narrow, value, source.span);
                self.locals[local] = Some(Storage::Register(narrow));
            }
        }
    }

    /// The compiler takes parameters with the attribute `nonnull` to be so; what it then does with others is not known.
    pub(super) fn no_null_arguments(&mut self, named: &[usize], parameters: &[LocalId]) {
        for (index, &local) in parameters.iter().enumerate() {
            let source = &self.source.locals[local];
            let is_meant = named.is_empty() || named.contains(&(index + 1));
            let Some(span) = source.span.or(self.function.span) else {
                continue;
            };
            if !is_meant || !matches!(source.ty.ty, Type::Pointer(_)) {
                continue;
            }
            let value = match self.locals[local] {
                Some(Storage::Register(register)) => Expression::Register(register).into(),
                Some(Storage::Memory(address)) => {
                    let address = Expression::Register(address).into();
                    self.load_scalar(address, Scalar::Pointer, raddle_ir::Access::Plain, span)
                }
                None => continue,
            };
            let condition = scalars::is_nonzero(value.expression, Scalar::Pointer);
            let (given, missing) = (self.new_location(), self.new_location());
            self.branch(condition.into(), given, missing, span);
            self.here = missing;
            self.unsupported("a null argument for a parameter that is `nonnull`", span);
            self.connect(Action::skip(), given, Some(span));
            self.here = given;
        }
    }
}
