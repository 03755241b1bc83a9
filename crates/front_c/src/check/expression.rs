//! Expressions, one function a kind; operators, calls and builtins have files of their own.

use raddle_base::{Id, Span};
use raddle_c_syntax::tree::{
    self, ExpressionKind as Syntax, GenericAssociation, InitializerList, Name, TypeName,
};

use super::convert::Operand;
use super::scope::Entity;
use super::specify::operand_type;
use super::{Checked, Checker, Poisoned};
use crate::typed::{
    ConstantValue, Expression, ExpressionKind, Initial, InitialPiece, LocalPiece, Lvalue,
    LvalueKind, PieceValue, Statement, StatementKind,
};
use crate::types::{FloatKind, IntegerKind, Length, Qualified, Type};

impl Checker {
    pub(super) fn operand(&mut self, expression: &tree::Expression) -> Checked<Operand> {
        let span = expression.span;
        let value = |ty, kind| Ok(Operand::Value(Expression { ty, kind, span }));
        match &expression.kind {
            Syntax::Integer(literal) => Ok(Operand::Value(self.integer_literal(*literal, span))),
            Syntax::Float(literal) => Ok(Operand::Value(self.float_literal(literal, span))),
            Syntax::Character(literal) => {
                Ok(Operand::Value(self.character_literal(*literal, span)))
            }
            Syntax::String(literal) => Ok(Operand::Lvalue(self.string_place(literal, span))),
            Syntax::Identifier(name) => self.identifier(name, span),
            Syntax::Unary(operator, operand) => self.unary(*operator, operand, span),
            Syntax::Increment {
                operand,
                is_decrement,
                is_prefix,
            } => self
                .increment(operand, *is_decrement, *is_prefix, span)
                .map(Operand::Value),
            Syntax::Binary(operator, left, right) => self
                .binary(*operator, left, right, span)
                .map(Operand::Value),
            Syntax::Assign(operator, left, right) => {
                let value = self.assign(*operator, left, right, span)?;
                Ok(Operand::Value(value))
            }
            Syntax::Conditional(condition, then, otherwise) => {
                let value = self.conditional(condition, then.as_deref(), otherwise, span)?;
                Ok(Operand::Value(value))
            }
            Syntax::Comma(left, right) => {
                let left = self.operand(left);
                let right = self.value(right);
                let left = self.dropped(left?);
                let right = right?;
                let value = Expression {
                    ty: right.ty.clone(),
                    kind: ExpressionKind::Comma(Box::new(left), Box::new(right)),
                    span,
                };
                Ok(Operand::Value(value))
            }
            Syntax::Cast(ty, operand) => self.cast_expression(ty, operand, span),
            Syntax::CompoundLiteral(ty, list) => self.compound_literal(ty, list, span),
            Syntax::Call(callee, arguments) => {
                let value = self.call(callee, arguments, span)?;
                Ok(Operand::Value(value))
            }
            Syntax::Index(left, right) => self.index(left, right, span),
            Syntax::Member {
                operand,
                member,
                is_arrow,
            } => self.member(operand, member, *is_arrow, span),
            Syntax::SizeofExpression(operand) => {
                let operand = self.operand(operand)?;
                if let Operand::Lvalue(Lvalue {
                    kind: LvalueKind::Field(_, _, Some(_)),
                    ..
                }) = operand
                {
                    return Err(self.error(span, "`sizeof` of a bit-field"));
                }
                let ty = operand_type(&operand).ty;
                self.sizeof(&ty, span)
            }
            Syntax::SizeofType(ty) => {
                let specified = self.type_name(ty)?;
                let size = self.sizeof(&specified.ty.ty, span)?;
                Ok(self.after_pending(size))
            }
            Syntax::AlignofExpression(operand) => {
                let operand = self.operand(operand)?;
                let align = self.alignof_operand(&operand);
                value(self.size_type(), ExpressionKind::Integer(u128::from(align)))
            }
            Syntax::AlignofType(ty) => {
                let specified = self.type_name(ty)?;
                self.pending.clear();
                let align = self.align_of_specified(&specified);
                value(self.size_type(), ExpressionKind::Integer(u128::from(align)))
            }
            Syntax::PreferredAlignofType(ty) => {
                let specified = self.type_name(ty)?;
                self.pending.clear();
                let align = self.preferred_align(&specified);
                value(self.size_type(), ExpressionKind::Integer(u128::from(align)))
            }
            Syntax::Generic(control, associations) => {
                let chosen = self.generic(control, associations, span)?;
                self.operand(chosen)
            }
            Syntax::Statement(block) => self.statement_expression(block, span),
            Syntax::LabelAddress(label) => {
                if self.function.is_outside() {
                    return Err(self.error(span, "a label is used outside of a function"));
                }
                if self.is_label_around(label) {
                    let what = format!("the label `{}` of the function around", label.name);
                    let ty = self.void_pointer();
                    return Ok(Operand::Value(self.unsupported(what, ty, span)));
                }
                let id = self.use_label(label);
                self.function.labels[id].is_address_taken = true;
                value(self.void_pointer(), ExpressionKind::LabelAddress(id))
            }
            Syntax::VaArg(list, ty) => {
                let value = self.va_arg(list, ty, span)?;
                Ok(Operand::Value(value))
            }
            Syntax::Offsetof(ty, designators) => {
                self.offsetof(ty, designators, span).map(Operand::Value)
            }
            Syntax::TypesCompatible(left, right) => {
                let left = self.type_name(left)?.ty.ty;
                let right = self.type_name(right)?.ty.ty;
                self.pending.clear();
                // Unlike elsewhere, enumerations are types of their own.
                let is_enumeration = |ty: &Type| matches!(ty, Type::Enumeration(_));
                let same = self.are_types_compatible(&left, &right)
                    && (is_enumeration(&left) == is_enumeration(&right));
                Ok(Operand::Value(self.int(same, span)))
            }
            Syntax::Choose(condition, then, otherwise) => {
                if self.constant_expression(condition)? == 0 {
                    self.operand(otherwise)
                } else {
                    self.operand(then)
                }
            }
            Syntax::Real(operand) => {
                let operand = self.operand(operand)?;
                Ok(self.part(operand, true, span))
            }
            Syntax::Imaginary(operand) => {
                let operand = self.operand(operand)?;
                Ok(self.part(operand, false, span))
            }
        }
    }

    /// `__real__` and `__imag__` of real numbers.
    fn part(&mut self, operand: Operand, is_real: bool, span: Span) -> Operand {
        let ty = operand_type(&operand).ty;
        if self.is_arithmetic(&ty) {
            return if is_real {
                operand
            } else {
                let zero = self.int(false, span);
                Operand::Value(self.convert(zero, &ty))
            };
        }
        let part = match &ty {
            Type::Unmodelled(complex) => match complex.name {
                "_Complex float" => Type::Float(FloatKind::Float),
                "_Complex long double" => Type::Float(FloatKind::LongDouble),
                "_Complex int" => Type::Integer(IntegerKind::Int),
                _ => Type::Float(FloatKind::Double),
            },
            _ => Type::Float(FloatKind::Double),
        };
        // Also as a place: a part may be assigned to.
        let pointer = Expression {
            ty: Type::Pointer(Qualified::from(part.clone()).into()),
            kind: ExpressionKind::Unsupported("a part of a complex number".into()),
            span,
        };
        Operand::Lvalue(Lvalue {
            ty: part.into(),
            kind: LvalueKind::Dereference(Box::new(pointer)),
            span,
        })
    }

    fn identifier(&mut self, name: &Name, span: Span) -> Checked<Operand> {
        let Some(found) = self.lookup(name) else {
            return match &**name {
                "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__" => Ok(self.function_name(span)),
                _ if name.starts_with("__builtin_") => {
                    // A builtin as a value: the function of the library.
                    let plain = super::name(name.trim_start_matches("__builtin_"));
                    let entity = match self
                        .lookup_in_file(&plain)
                        .map(|found| found.entity.clone())
                    {
                        Some(entity) => entity,
                        None => self.declare_implicitly(&plain, span),
                    };
                    self.entity(entity, &plain, span)
                }
                _ => Err(self.unknown_name(name, span)),
            };
        };
        let entity = found.entity.clone();
        self.entity(entity, name, span)
    }

    pub(super) fn entity(&mut self, entity: Entity, name: &Name, span: Span) -> Checked<Operand> {
        match entity {
            Entity::Typedef(_) => {
                Err(self.error(span, format!("`{name}` is a type, where a value is needed")))
            }
            Entity::Enumerator(bits, ty) => Ok(Operand::Value(Expression {
                ty,
                kind: ExpressionKind::Integer(bits),
                span,
            })),
            Entity::Object(id, ty) => {
                // The object may have been completed since.
                let ty = if self.is_complete(&ty.ty) {
                    ty
                } else {
                    let known = &self.objects[id].ty;
                    if self.is_complete(&known.ty) && matches!(known.ty, Type::Array(..)) {
                        known.clone()
                    } else {
                        ty
                    }
                };
                Ok(Operand::Lvalue(Lvalue {
                    ty,
                    kind: LvalueKind::Object(id),
                    span,
                }))
            }
            Entity::Local(id) => {
                if let Some(level) = self.level_of(name) {
                    return Ok(Operand::Lvalue(self.captured(level, id, span)));
                }
                Ok(Operand::Lvalue(Lvalue {
                    ty: self.function.locals[id].ty.clone(),
                    kind: LvalueKind::Local(id),
                    span,
                }))
            }
            Entity::Function(id, ty) => Ok(Operand::Function(Expression {
                ty: Type::Pointer(Qualified::from(Type::Function(ty)).into()),
                kind: ExpressionKind::FunctionAddress(id),
                span,
            })),
            Entity::Parameter(ty) => Ok(Operand::Value(Expression {
                ty: ty.ty,
                kind: ExpressionKind::Unsupported("a parameter outside of its function".into()),
                span,
            })),
            Entity::NestedFunction(nested) => Ok(self.nested_address(&nested, name, span)),
            Entity::Poisoned => Err(Poisoned),
        }
    }

    fn function_name(&mut self, span: Span) -> Operand {
        if let Some(id) = self.function.name_object {
            return Operand::Lvalue(Lvalue {
                ty: self.objects[id].ty.clone(),
                kind: LvalueKind::Object(id),
                span,
            });
        }
        let mut bytes = self.function.name.as_bytes().to_vec();
        bytes.push(0);
        let mut element = Qualified::from(Type::Integer(IntegerKind::Char));
        element.is_const = true;
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let mut ty = Qualified::from(Type::Array(element.into(), Length::Constant(length)));
        ty.is_const = true;
        let id = self.new_object(format!("{}.__func__", self.function.name), ty.clone(), span);
        self.facts_of_object(id).is_static = true;
        let object = &mut self.objects[id];
        object.is_defined = true;
        object.initial = vec![InitialPiece {
            offset: 0,
            bits: None,
            value: ConstantValue::Bytes(bytes),
        }];
        self.function.name_object = Some(id);
        Operand::Lvalue(Lvalue {
            ty,
            kind: LvalueKind::Object(id),
            span,
        })
    }

    fn sizeof(&mut self, ty: &Type, span: Span) -> Checked<Operand> {
        let size = self.size_expression(ty, span)?;
        Ok(Operand::Value(size))
    }

    /// The lengths of arrays in a type name are evaluated before what the type is used for.
    pub(super) fn after_pending(&mut self, operand: Operand) -> Operand {
        let pending = std::mem::take(&mut self.pending);
        if pending.is_empty() {
            return operand;
        }
        match operand {
            Operand::Value(value) => {
                let mut value = value;
                for first in pending.into_iter().rev() {
                    value = Expression {
                        ty: value.ty.clone(),
                        span: value.span,
                        kind: ExpressionKind::Comma(Box::new(first), Box::new(value)),
                    };
                }
                Operand::Value(value)
            }
            Operand::Lvalue(_) | Operand::Function(_) => {
                // Left to the statement around it.
                self.pending = pending;
                operand
            }
        }
    }

    fn alignof_operand(&self, operand: &Operand) -> u64 {
        match operand {
            Operand::Lvalue(place) => match &place.kind {
                LvalueKind::Local(id) => self.function.locals[*id].align,
                LvalueKind::Object(id) => {
                    let align = self.objects[*id].align;
                    align.max(self.align_of_qualified(&place.ty))
                }
                _ => self.align_of_qualified(&place.ty),
            },
            Operand::Value(value) => self.align_of(&value.ty),
            Operand::Function(function) => match function.kind {
                ExpressionKind::FunctionAddress(id) => {
                    self.function_facts[id.index()].align.unwrap_or(1)
                }
                _ => 1,
            },
        }
    }

    fn cast_expression(
        &mut self,
        ty: &TypeName,
        operand: &tree::Expression,
        span: Span,
    ) -> Checked<Operand> {
        let specified = self.type_name(ty);
        let pending = std::mem::take(&mut self.pending);
        let operand = self.operand(operand);
        self.pending.splice(0..0, pending);
        let target = specified?.ty.ty;
        let operand = operand?;
        if target == Type::Void {
            let value = self.dropped(operand);
            let value = self.convert(value, &Type::Void);
            return Ok(self.after_pending(Operand::Value(value)));
        }
        if let Type::Array(..) | Type::Function(_) = target {
            let text = self.show(&target);
            return Err(self.error(span, format!("a cast to `{text}` is not possible")));
        }
        let value = self.rvalue(operand)?;
        if value.ty == Type::Void {
            return Err(self.error(span, "`void` is cast to a value"));
        }
        let value = self.cast(value, &target, span)?;
        Ok(self.after_pending(Operand::Value(value)))
    }

    fn compound_literal(
        &mut self,
        ty: &TypeName,
        list: &InitializerList,
        span: Span,
    ) -> Checked<Operand> {
        let specified = self.type_name(ty)?;
        if self.function.is_outside() {
            let name = format!("literal.{}", self.literals);
            self.literals += 1;
            let id = self.new_object(name, specified.ty.clone(), span);
            self.facts_of_object(id).is_static = true;
            self.objects[id].is_defined = true;
            let initializer = tree::Initializer::List(list.clone());
            let ty = self.static_initial(id, &initializer)?;
            self.objects[id].ty = ty.clone();
            return Ok(Operand::Lvalue(Lvalue {
                ty,
                kind: LvalueKind::Object(id),
                span,
            }));
        }
        let local = self.hidden_local(specified.ty.clone(), span);
        let (initial, ty) = self.list_initial(&specified.ty, list)?;
        self.function.locals[local].ty = ty.clone();
        Ok(Operand::Lvalue(Lvalue {
            ty,
            kind: LvalueKind::CompoundLiteral(local, initial),
            span,
        }))
    }

    /// What a `_Generic` stands for.
    pub(super) fn generic<'t>(
        &mut self,
        control: &tree::Expression,
        associations: &'t [GenericAssociation],
        span: Span,
    ) -> Checked<&'t tree::Expression> {
        let control = self.value(control)?;
        let mut default = None;
        for association in associations {
            match &association.ty {
                None => default = Some(&association.value),
                Some(ty) => {
                    let ty = self.type_name(ty)?.ty;
                    let is_plain = !ty.is_const && !ty.is_volatile && !ty.is_atomic;
                    if is_plain && self.are_types_compatible(&ty.ty, &control.ty) {
                        return Ok(&association.value);
                    }
                }
            }
        }
        default.ok_or_else(|| {
            let text = self.show(&control.ty);
            self.error(span, format!("no choice of `_Generic` is for `{text}`"))
        })
    }

    fn statement_expression(&mut self, block: &tree::Block, span: Span) -> Checked<Operand> {
        if self.function.is_outside() && self.prototype_depth == 0 {
            return Err(self.error(span, "a statement expression outside of a function"));
        }
        let pending = std::mem::take(&mut self.pending);
        self.push_scope();
        let mut statements = Vec::new();
        let errors = self.errors;
        self.function.statement_expressions += 1;
        self.block_items(block, &mut statements);
        self.function.statement_expressions -= 1;
        self.pop_scope();
        self.pending = pending;
        if self.errors > errors {
            return Err(Poisoned);
        }
        // The last expression is the value, if it is the last thing in the block.
        let is_value = matches!(
            block.items.last(),
            Some(tree::BlockItem::Statement(last)) if ends_with_expression(last)
        );
        let value = match statements.pop() {
            Some(Statement {
                kind: StatementKind::Expression(value),
                ..
            }) if is_value => Some(value),
            Some(other) => {
                statements.push(other);
                None
            }
            None => None,
        };
        // What was read as a mere statement is a value here.
        let ty = value.as_ref().map_or(Type::Void, |value| value.ty.clone());
        let value = Expression {
            ty,
            kind: ExpressionKind::Statements(statements, value.map(Box::new)),
            span,
        };
        Ok(Operand::Value(value))
    }

    /// A place for a value of a record type.
    pub(super) fn place_of_value(&mut self, value: Expression) -> Lvalue {
        let span = value.span;
        let ty = Qualified::from(value.ty.clone());
        // A record that was just read from a place: that place will do.
        if let ExpressionKind::Load(place) = value.kind {
            return *place;
        }
        let local = self.hidden_local(ty.clone(), span);
        Lvalue {
            ty,
            kind: LvalueKind::Value(Box::new(value), local),
            span,
        }
    }

    /// An initial that is one value.
    pub(super) fn single(value: Expression) -> Initial {
        Initial {
            is_zeroed: false,
            pieces: vec![LocalPiece {
                offset: 0,
                bits: None,
                value: PieceValue::Expression(value),
            }],
        }
    }

    pub(super) fn void_value(&self, span: Span) -> Expression {
        Expression {
            ty: Type::Void,
            kind: ExpressionKind::Cast(Box::new(self.int(false, span))),
            span,
        }
    }

    #[expect(
        clippy::unused_self,
        reason = "reads like the other questions about types and values"
    )]
    pub(super) fn unsupported(&self, what: impl Into<String>, ty: Type, span: Span) -> Expression {
        Expression {
            ty,
            kind: ExpressionKind::Unsupported(what.into()),
            span,
        }
    }
}

/// Labels may stand before the expression.
fn ends_with_expression(statement: &tree::Statement) -> bool {
    match &statement.kind {
        tree::StatementKind::Expression(Some(_)) => true,
        tree::StatementKind::Label(_, _, inner) => ends_with_expression(inner),
        _ => false,
    }
}
