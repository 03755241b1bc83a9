//! How declarators make types: pointers, arrays, functions and their parameters.

use raddle_base::Span;
use raddle_c_syntax::tree::{
    ArrayDeclarator, ArrayLength, Declarator, DeclaratorPart, Parameter, Parameters, Qualifiers,
};

use super::attribute::Attributes;
use super::fold::Constant;
use super::scope::{Entity, Specified};
use super::specify::qualify;
use super::{Checked, Checker};
use crate::typed::{Expression, ExpressionKind, Lvalue, LvalueKind};
use crate::types::{FunctionType, Length, Qualified, Type};

impl Checker {
    /// Applies a declarator and attributes to the type before it.
    pub(super) fn declared_type(
        &mut self,
        base: Specified,
        declarator: &Declarator,
        attributes: &Attributes,
    ) -> Checked<Specified> {
        self.declared_parts(base, &declarator.parts, attributes, declarator.span)
    }

    pub(super) fn declared_parts(
        &mut self,
        base: Specified,
        parts: &[DeclaratorPart],
        attributes: &Attributes,
        span: Span,
    ) -> Checked<Specified> {
        let mut align = base.align;
        let mut ty = self.attributed(base.ty, attributes);
        for part in parts.iter().rev() {
            ty = match part {
                DeclaratorPart::Pointer(qualifiers) => {
                    align = None;
                    let mut pointer = Qualified::from(Type::Pointer(ty.into()));
                    qualify(&mut pointer, *qualifiers);
                    pointer
                }
                DeclaratorPart::Array(array) => {
                    let (is_const, is_volatile, is_atomic) =
                        (ty.is_const, ty.is_volatile, ty.is_atomic);
                    Qualified {
                        ty: self.array_type(ty, array)?,
                        is_const,
                        is_volatile,
                        is_atomic,
                    }
                }
                DeclaratorPart::Function(parameters) => {
                    align = None;
                    self.can_be_returned(&ty.ty, span)?;
                    let function = self.function_type(ty.ty, parameters)?;
                    Type::Function(function.into()).into()
                }
            };
        }
        Ok(Specified {
            ty,
            align,
            requested: base.requested.max(attributes.aligned),
        })
    }

    pub(super) fn can_be_returned(&mut self, result: &Type, span: Span) -> Checked<()> {
        match result {
            Type::Array(..) => Err(self.error(span, "a function cannot return an array")),
            Type::Function(_) => Err(self.error(span, "a function cannot return a function")),
            Type::Void
            | Type::Bool
            | Type::Integer(_)
            | Type::Enumeration(_)
            | Type::Float(_)
            | Type::Pointer(_)
            | Type::Record(_)
            | Type::Unmodelled(_) => Ok(()),
        }
    }

    fn array_type(&mut self, element: Qualified, array: &ArrayDeclarator) -> Checked<Type> {
        match &element.ty {
            Type::Function(_) => {
                return Err(self.error(array.span, "an array cannot have functions as elements"));
            }
            Type::Void => {
                return Err(self.error(array.span, "an array cannot have elements of type `void`"));
            }
            ty if !self.is_complete(ty) && self.prototype_depth == 0 => {
                let text = self.show(ty);
                let message =
                    format!("the elements of this array have the incomplete type `{text}`");
                return Err(self.error(array.span, message));
            }
            _ => {}
        }
        let length = match &array.length {
            ArrayLength::Unspecified | ArrayLength::Star => Length::Unspecified,
            ArrayLength::Expression(length) => self.array_length(length)?,
        };
        if let Length::Constant(count) = length
            && let Some(size) = self.size_of(&element.ty)
            && size.checked_mul(count).is_none_or(|bytes| bytes >> 60 != 0)
        {
            return Err(self.unsupported_error(array.span, "the array is too large"));
        }
        Ok(Type::Array(element.into(), length))
    }

    fn array_length(&mut self, length: &raddle_c_syntax::tree::Expression) -> Checked<Length> {
        let value = self.value(length)?;
        if !self.is_integer(&value.ty) {
            return Err(self.error(length.span, "the length of an array must be an integer"));
        }
        if let Some(Constant::Integer(bits)) = self.fold(&value) {
            let count = self.signed_value(bits, &value.ty);
            return match u64::try_from(count) {
                Ok(count) => Ok(Length::Constant(count)),
                Err(_) => Err(self.error(length.span, "the length of an array is negative")),
            };
        }
        if self.prototype_depth > 0 {
            return Ok(Length::Unspecified);
        }
        if self.function.is_outside() {
            return Err(self.error(length.span, "the length of this array is not a constant"));
        }
        let size_type = self.size_type();
        let local = self.hidden_local(size_type.clone().into(), length.span);
        let value = self.convert(value, &size_type);
        self.pending.push(Expression {
            ty: size_type.clone(),
            kind: ExpressionKind::Assign(
                Box::new(Lvalue {
                    ty: size_type.into(),
                    kind: LvalueKind::Local(local),
                    span: length.span,
                }),
                Box::new(value),
            ),
            span: length.span,
        });
        Ok(Length::Variable(local))
    }

    /// Of a declaration that is no definition.
    pub(super) fn function_type(
        &mut self,
        result: Type,
        parameters: &Parameters,
    ) -> Checked<FunctionType> {
        match parameters {
            Parameters::Prototype {
                parameters,
                is_variadic,
            } => {
                self.prototype_depth += 1;
                self.push_scope();
                let mut types = Vec::new();
                let mut outcome = Ok(());
                for parameter in parameters {
                    match self.parameter_type(parameter) {
                        Ok(specified) => {
                            if let Some(name) = &parameter.declarator.name {
                                let entity = Entity::Parameter(specified.ty.clone());
                                self.bind(&name.name, entity, name.span);
                            }
                            types.push(specified.ty);
                        }
                        Err(poisoned) => outcome = Err(poisoned),
                    }
                }
                self.pop_scope();
                self.prototype_depth -= 1;
                outcome?;
                Ok(FunctionType {
                    result,
                    parameters: without_void(types),
                    is_variadic: *is_variadic,
                    has_prototype: true,
                })
            }
            Parameters::Identifiers(_) => Ok(FunctionType {
                result,
                parameters: Vec::new(),
                is_variadic: false,
                has_prototype: false,
            }),
        }
    }

    /// The type of a parameter: arrays and functions become pointers.
    pub(super) fn parameter_type(&mut self, parameter: &Parameter) -> Checked<Specified> {
        let base = self.specified(&parameter.specifiers, false)?;
        let attributes = self.attributes(&[
            &parameter.specifiers.attributes,
            &parameter.declarator.attributes,
            &parameter.attributes,
        ]);
        let mut specified = self.declared_type(base, &parameter.declarator, &attributes)?;
        let qualifiers = match parameter.declarator.parts.first() {
            Some(DeclaratorPart::Array(array)) => array.qualifiers,
            _ => Qualifiers::default(),
        };
        specified.ty = adjusted(specified.ty, qualifiers);
        Ok(specified)
    }
}

/// What a parameter of this type is: arrays and functions become pointers.
pub(super) fn adjusted(ty: Qualified, qualifiers: Qualifiers) -> Qualified {
    let mut adjusted: Qualified = match ty.ty {
        Type::Array(element, _) => Type::Pointer(element).into(),
        Type::Function(function) => {
            Type::Pointer(Qualified::from(Type::Function(function)).into()).into()
        }
        _ => return ty,
    };
    qualify(&mut adjusted, qualifiers);
    adjusted
}

/// `(void)` has no parameters, also through a typedef.
pub(super) fn without_void(types: Vec<Qualified>) -> Vec<Qualified> {
    if types.len() == 1 && types[0].ty == Type::Void {
        Vec::new()
    } else {
        types
    }
}
