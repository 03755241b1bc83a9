//! Nested functions of GNU C, which use what the functions around them declare.
//!
//! A function with nested ones has a *frame*: a hidden array of pointers to those of its locals that nested functions
//! use, filled in where they begin to live. A nested function is one like others whose last parameter, a hidden one, is
//! the frame of the function around it. The first pointer of a frame is the frame of the function around that.
//!
//! A pointer to a nested function leads to an *entry*, which passes the frame on. There are a few entries for each such
//! function, and a call of the function around takes the next ones for good: so who calls a nested function after the
//! function around has returned finds a frame whose life has ended.

use std::collections::BTreeMap;
use std::rc::Rc;

use raddle_base::{Arena, Id, Span};
use raddle_c_syntax::tree::{self, FunctionDefinition, Identifier, Name};

use super::attribute::Attributes;
use super::convert::Operand;
use super::function::FunctionState;
use super::link::External;
use super::scope::Entity;
use super::{Checked, Checker};
use crate::typed::{
    AddressBase, Body, Callee, ConstantValue, Expression, ExpressionKind, FunctionId, InitialPiece,
    Local, LocalId, Lvalue, LvalueKind, ObjectId, Statement, StatementKind,
};
use crate::types::{FunctionType, IntegerKind, Length, Qualified, Type};

/// How many calls of a function may have nested functions whose addresses are taken.
const ENTRIES: u64 = 16;

/// What gives a frame its number, in our library.
const ENTER: &str = "__raddle_enter_frame";

/// In a frame: that of the function around, the number of the call, then locals.
const AROUND: u64 = 0;
const NUMBER: u64 = 1;
const LOCALS: u64 = 2;

/// What nested functions find of the function around them.
pub(super) struct Frame {
    /// The hidden array.
    local: LocalId,
    /// Locals that nested functions use, in the order of their places.
    captured: Vec<LocalId>,
    /// The frames of the calls that have a number, and how many there are; if the address of a nested function is taken.
    numbered: Option<Numbered>,
    span: Span,
}

#[derive(Clone, Copy)]
struct Numbered {
    frames: ObjectId,
    used: ObjectId,
}

/// A nested function, as a name stands for it.
#[derive(Clone, Debug)]
pub(super) struct Nested {
    pub(super) id: FunctionId,
    /// As it was declared, without the frame.
    pub(super) ty: Rc<FunctionType>,
}

/// A function around the one that is being checked, from the outermost on; `None` is that one itself.
type Level = Option<usize>;

impl Checker {
    /// A definition in a block.
    pub(super) fn nested_function(&mut self, definition: &FunctionDefinition) {
        let Some(name) = &definition.declarator.name else {
            return;
        };
        self.own_frame(name.span);
        let pending = std::mem::take(&mut self.pending);
        let depth = std::mem::take(&mut self.prototype_depth);
        let scopes = self.scopes.len();
        let mut inner = FunctionState::outside();
        inner.first_scope = scopes;
        self.enclosing
            .push(std::mem::replace(&mut self.function, inner));
        let outcome = self.define(definition, name);
        self.scopes.truncate(scopes);
        if let Some(outer) = self.enclosing.pop() {
            self.function = outer;
        }
        if outcome.is_err() {
            self.bind_poisoned(&name.name, name.span);
        }
        self.pending = pending;
        self.prototype_depth = depth;
    }

    /// `auto int f(int);` announces a nested function.
    pub(super) fn announce_nested(&mut self, name: &Name, ty: FunctionType, span: Span) {
        self.own_frame(span);
        let nested = self.new_nested(name, ty, span);
        self.bind(name, Entity::NestedFunction(nested), span);
    }

    /// The function that is being defined, whose parameters stand in a scope of their own already.
    pub(super) fn declare_nested(
        &mut self,
        name: &Identifier,
        ty: &FunctionType,
        attributes: &Attributes,
    ) -> Checked<FunctionId> {
        let inner = self.scopes.split_off(self.function.first_scope);
        let announced = match self.lookup_here(&name.name).cloned() {
            Some(found) => match found.entity {
                Entity::NestedFunction(nested) => Some(nested),
                Entity::Poisoned => None,
                _ => {
                    let message = format!("`{}` is declared twice", name.name);
                    let poisoned = self.redeclared(message, name.span, Some(found.span));
                    self.scopes.extend(inner);
                    return Err(poisoned);
                }
            },
            None => None,
        };
        let nested = match announced {
            Some(nested) => Nested {
                ty: Rc::new(ty.clone()),
                ..nested
            },
            None => self.new_nested(&name.name, ty.clone(), name.span),
        };
        let id = nested.id;
        self.bind(&name.name, Entity::NestedFunction(nested), name.span);
        self.scopes.extend(inner);
        if let Some((what, _)) = &attributes.unsupported {
            self.functions[id].unsupported = Some(what.clone());
        }
        self.functions[id].is_noreturn |= attributes.is_noreturn;
        Ok(id)
    }

    fn new_nested(&mut self, name: &Name, ty: FunctionType, span: Span) -> Nested {
        let around = self.enclosing.last().unwrap_or(&self.function);
        let full_name = format!("{}.{name}", around.name);
        let id = self.new_function(&full_name, ty.clone(), span);
        self.facts_of_function(id).is_static = true;
        self.functions[id].is_static = true;
        Nested {
            id,
            ty: Rc::new(ty),
        }
    }

    /// The type with the frame behind the parameters.
    pub(super) fn with_frame(&self, mut ty: FunctionType) -> FunctionType {
        ty.parameters.push(self.void_pointer().into());
        ty
    }

    /// Which function declares a name that is visible here, if it is not the one that is being checked.
    pub(super) fn level_of(&self, name: &str) -> Level {
        let scope = self.scope_of(name)?;
        if scope >= self.function.first_scope {
            return None;
        }
        let declares = |it: &FunctionState| it.first_scope <= scope;
        self.enclosing.iter().rposition(declares)
    }

    /// A call by name.
    pub(super) fn nested_call(
        &mut self,
        nested: &Nested,
        name: &Name,
        arguments: &[tree::Expression],
        span: Span,
    ) -> Checked<Expression> {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(self.value(argument)?);
        }
        let mut values = self.convert_arguments(&nested.ty, values, Some(name), span)?;
        let result = nested.ty.result.clone();
        let expected = nested.ty.parameters.len();
        if values.len() < expected || values.len() > expected && !nested.ty.is_variadic {
            let what = format!("a call of `{name}` that does not fit its definition");
            return Ok(self.unsupported(what, result, span));
        }
        let level = self.level_of(name);
        let frame = self.frame_of(level, span);
        values.insert(expected, self.as_void_pointer(frame));
        Ok(Expression {
            ty: result,
            kind: ExpressionKind::Call(Callee::Direct(nested.id), values),
            span,
        })
    }

    /// The address of a nested function.
    pub(super) fn nested_address(&mut self, nested: &Nested, name: &Name, span: Span) -> Operand {
        let ty = Type::Pointer(Qualified::from(Type::Function(Rc::clone(&nested.ty))).into());
        if nested.ty.is_variadic {
            let what =
                format!("the address of the nested function `{name}`, which takes any arguments,");
            return Operand::Function(self.unsupported(what, ty, span));
        }
        let level = self.level_of(name);
        let entries = self.entries(nested, level, span);
        let frame = self.frame_of(level, span);
        let number = self.load_from(frame, NUMBER, span);
        let number = self.convert(number, &self.difference_type());
        let first = Expression {
            ty: Type::Pointer(Qualified::from(self.void_pointer()).into()),
            kind: ExpressionKind::AddressOf(Box::new(Lvalue {
                ty: self.objects[entries].ty.clone(),
                kind: LvalueKind::Object(entries),
                span,
            })),
            span,
        };
        let entry = self.pointer_at(first, number, span);
        let entry = loaded(entry);
        Operand::Function(self.convert(entry, &ty))
    }

    /// A local of a function around.
    pub(super) fn captured(&mut self, level: usize, local: LocalId, span: Span) -> Lvalue {
        let around = &mut self.enclosing[level];
        let ty = around.locals[local].ty.clone();
        let index = around
            .frame
            .as_mut()
            .map_or(0, |frame| frame.place_of(local));
        let ty = self.own_lengths(level, ty, span);
        let frame = self.frame_of(Some(level), span);
        let address = self.load_from(frame, LOCALS + index, span);
        let address = self.convert(address, &Type::Pointer(ty.clone().into()));
        Lvalue {
            ty,
            kind: LvalueKind::Dereference(Box::new(address)),
            span,
        }
    }

    /// The type of something of a function around, whose variable lengths are hidden locals there. Here they have hidden
    /// locals of their own, which are set when the function begins.
    pub(super) fn own_lengths(&mut self, level: usize, ty: Qualified, span: Span) -> Qualified {
        let changed = match &ty.ty {
            Type::Pointer(target) => {
                let target = self.own_lengths(level, Qualified::clone(target), span);
                Type::Pointer(target.into())
            }
            Type::Array(element, length) => {
                let element = self.own_lengths(level, Qualified::clone(element), span);
                let length = match *length {
                    Length::Variable(local) => {
                        Length::Variable(self.own_length(level, local, span))
                    }
                    length => length,
                };
                Type::Array(element.into(), length)
            }
            _ => return ty,
        };
        Qualified { ty: changed, ..ty }
    }

    fn own_length(&mut self, level: usize, length: LocalId, span: Span) -> LocalId {
        if let Some(&known) = self.function.lengths.get(&(level, length)) {
            return known;
        }
        let ty = self.enclosing[level].locals[length].ty.clone();
        let own = self.hidden_local(ty, span);
        self.function.lengths.insert((level, length), own);
        let value = loaded(self.captured(level, length, span));
        let set = assigned(self.local_place(own, span), value);
        self.function.prologue.push(set);
        own
    }

    /// The frame of the function that is being checked, made if it has none.
    fn own_frame(&mut self, span: Span) -> LocalId {
        if let Some(frame) = &self.function.frame {
            return frame.local;
        }
        let local = self.hidden_local(self.void_pointer().into(), span);
        self.function.frame = Some(Frame {
            local,
            captured: Vec::new(),
            numbered: None,
            span,
        });
        local
    }

    /// The frame of a function as a pointer to its first pointer.
    fn frame_of(&mut self, level: Level, span: Span) -> Expression {
        let pointers = Type::Pointer(Qualified::from(self.void_pointer()).into());
        let Some(level) = level else {
            let local = self.own_frame(span);
            return Expression {
                ty: pointers,
                kind: ExpressionKind::AddressOf(Box::new(self.local_place(local, span))),
                span,
            };
        };
        let mut frame = match self.function.around {
            Some(around) => loaded(self.local_place(around, span)),
            None => {
                return self.unsupported(
                    "a frame outside of its function".to_owned(),
                    pointers,
                    span,
                );
            }
        };
        frame = self.convert(frame, &pointers);
        for _ in level + 1..self.enclosing.len() {
            let around = self.load_from(frame, AROUND, span);
            frame = self.convert(around, &pointers);
        }
        frame
    }

    fn local_place(&self, local: LocalId, span: Span) -> Lvalue {
        Lvalue {
            ty: self.function.locals[local].ty.clone(),
            kind: LvalueKind::Local(local),
            span,
        }
    }

    fn as_void_pointer(&mut self, value: Expression) -> Expression {
        let ty = self.void_pointer();
        self.convert(value, &ty)
    }

    fn load_from(&mut self, frame: Expression, index: u64, span: Span) -> Expression {
        loaded(self.place_in(frame, index, span))
    }

    fn place_in(&mut self, frame: Expression, index: u64, span: Span) -> Lvalue {
        let index = Expression {
            ty: self.size_type(),
            kind: ExpressionKind::Integer(u128::from(index)),
            span,
        };
        self.pointer_at(frame, index, span)
    }

    /// An element of an array of pointers, by a pointer to the first.
    fn pointer_at(&mut self, first: Expression, index: Expression, span: Span) -> Lvalue {
        let size = Expression {
            ty: self.size_type(),
            kind: ExpressionKind::Integer(u128::from(self.model.pointer_bytes())),
            span,
        };
        let pointer = Expression {
            ty: first.ty.clone(),
            kind: ExpressionKind::PointerAdd {
                pointer: Box::new(first),
                index: Box::new(index),
                size: Box::new(size),
                is_subtract: false,
            },
            span,
        };
        Lvalue {
            ty: self.void_pointer().into(),
            kind: LvalueKind::Dereference(Box::new(pointer)),
            span,
        }
    }

    /// Where the frames of calls lie by their numbers.
    fn numbered(&mut self, level: Level, span: Span) -> Numbered {
        let state = match level {
            Some(level) => &self.enclosing[level],
            None => &self.function,
        };
        if let Some(numbered) = state.frame.as_ref().and_then(|frame| frame.numbered) {
            return numbered;
        }
        let name = state.name.clone();
        let frames = self.hidden_object(format!("{name}.frames"), self.pointers(ENTRIES), span);
        let int = Type::Integer(IntegerKind::Int);
        let used = self.hidden_object(format!("{name}.calls"), int, span);
        let numbered = Numbered { frames, used };
        let state = match level {
            Some(level) => &mut self.enclosing[level],
            None => &mut self.function,
        };
        if let Some(frame) = &mut state.frame {
            frame.numbered = Some(numbered);
        }
        numbered
    }

    fn pointers(&self, count: u64) -> Type {
        let pointer = Qualified::from(self.void_pointer());
        Type::Array(pointer.into(), Length::Constant(count))
    }

    fn hidden_object(&mut self, name: String, ty: Type, span: Span) -> ObjectId {
        let id = self.new_object(name, ty.into(), span);
        let facts = self.facts_of_object(id);
        facts.is_static = true;
        facts.is_library = true;
        self.objects[id].is_defined = true;
        self.objects[id].is_library = true;
        id
    }

    /// The entries of a nested function, an array of pointers.
    fn entries(&mut self, nested: &Nested, level: Level, span: Span) -> ObjectId {
        if let Some(&known) = self.nested_entries.get(&nested.id) {
            return known;
        }
        let frames = self.numbered(level, span).frames;
        let name = self.functions[nested.id].name.clone();
        let entries = self.hidden_object(format!("{name}.entries"), self.pointers(ENTRIES), span);
        self.nested_entries.insert(nested.id, entries);
        let word = self.model.pointer_bytes();
        let pointer = self.void_pointer();
        for number in 0..ENTRIES {
            let entry = self.new_function(&name, FunctionType::clone(&nested.ty), span);
            self.facts_of_function(entry).is_static = true;
            self.facts_of_function(entry).definition = Some(span);
            let body = self.entry_body(nested, frames, number, span);
            let function = &mut self.functions[entry];
            function.is_static = true;
            function.is_library = true;
            function.body = Some(body);
            self.objects[entries].initial.push(InitialPiece {
                offset: number * word,
                bits: None,
                value: ConstantValue::Address(AddressBase::Function(entry), 0, pointer.clone()),
            });
        }
        entries
    }

    /// Calls the nested function with the frame of one call of the function around.
    fn entry_body(&mut self, nested: &Nested, frames: ObjectId, number: u64, span: Span) -> Body {
        let mut locals = Arena::new();
        let mut parameters = Vec::new();
        let mut arguments = Vec::new();
        for (index, ty) in nested.ty.parameters.iter().enumerate() {
            let local = locals.push(Local {
                name: format!("argument {index}"),
                ty: ty.clone(),
                align: 1,
                is_address_taken: false,
                is_hidden: true,
                span: None,
            });
            parameters.push(local);
            arguments.push(loaded(Lvalue {
                ty: ty.clone(),
                kind: LvalueKind::Local(local),
                span,
            }));
        }
        let first = Expression {
            ty: Type::Pointer(Qualified::from(self.void_pointer()).into()),
            kind: ExpressionKind::AddressOf(Box::new(Lvalue {
                ty: self.objects[frames].ty.clone(),
                kind: LvalueKind::Object(frames),
                span,
            })),
            span,
        };
        arguments.push(self.load_from(first, number, span));
        let call = Expression {
            ty: nested.ty.result.clone(),
            kind: ExpressionKind::Call(Callee::Direct(nested.id), arguments),
            span,
        };
        let kind = if nested.ty.result == Type::Void {
            StatementKind::Expression(call)
        } else {
            StatementKind::Return(Some(call))
        };
        Body {
            locals,
            parameters,
            labels: Arena::new(),
            statements: vec![Statement { kind, span }],
        }
    }

    /// Puts before and into the statements of a function what its nested functions need.
    pub(super) fn fill_frame(&mut self, parameters: usize, statements: &mut Vec<Statement>) {
        let prologue = std::mem::take(&mut self.function.prologue);
        statements.splice(0..0, prologue);
        let Some(frame) = &mut self.function.frame else {
            return;
        };
        let (array, span, numbered) = (frame.local, frame.span, frame.numbered);
        let captured = std::mem::take(&mut frame.captured);
        let count = LOCALS + captured.len() as u64;
        self.function.locals[array].ty = self.pointers(count).into();
        let mut fills = BTreeMap::new();
        for (index, &local) in captured.iter().enumerate() {
            let place = self.frame_of(None, span);
            let place = self.place_in(place, LOCALS + index as u64, span);
            let address = Expression {
                ty: self.void_pointer(),
                kind: ExpressionKind::AddressOf(Box::new(self.local_place(local, span))),
                span,
            };
            fills.insert(local, assigned(place, address));
        }
        let mut first = Vec::new();
        if let Some(around) = self.function.around {
            let place = self.frame_of(None, span);
            let place = self.place_in(place, AROUND, span);
            first.push(assigned(place, loaded(self.local_place(around, span))));
        }
        if let Some(numbered) = numbered {
            first.extend(self.taking_a_number(numbered, span));
        }
        let mut filled = Filling {
            fills: &fills,
            filled: Vec::new(),
            alive: Vec::new(),
            begun: None,
            begun_with_switch: 0,
        };
        for index in 0..parameters {
            filled.fill(LocalId::from_index(index), &mut first);
        }
        filled.block(statements);
        let found = filled.filled;
        // Lengths have no declaration: they are set where their type is met, and looked at from there on.
        for (local, fill) in &fills {
            if found.contains(local) {
                continue;
            }
            let source = &self.function.locals[*local];
            if source.is_hidden {
                first.push(fill.clone());
            } else {
                let what = format!(
                    "a nested function that uses `{}` of an expression",
                    source.name
                );
                first.push(Statement {
                    kind: StatementKind::Unsupported(what),
                    span,
                });
            }
        }
        statements.splice(0..0, first);
    }

    fn taking_a_number(&mut self, numbered: Numbered, span: Span) -> Option<Statement> {
        let Some(External::Function(enter)) = self.external(ENTER) else {
            return None;
        };
        let object = |checker: &Self, id: ObjectId, ty: Type| Expression {
            ty,
            kind: ExpressionKind::AddressOf(Box::new(Lvalue {
                ty: checker.objects[id].ty.clone(),
                kind: LvalueKind::Object(id),
                span,
            })),
            span,
        };
        let ty = self.functions[enter].ty.clone();
        let [frames, used, _] = &ty.parameters[..] else {
            return None;
        };
        let frames = object(self, numbered.frames, frames.ty.clone());
        let used = object(self, numbered.used, used.ty.clone());
        let own = self.frame_of(None, span);
        let own = self.as_void_pointer(own);
        let number = self.direct_call(enter, &ty, vec![frames, used, own], span);
        let number = self.as_void_pointer(number);
        let place = self.frame_of(None, span);
        let place = self.place_in(place, NUMBER, span);
        Some(assigned(place, number))
    }
}

impl Frame {
    /// Which of its places leads to a local.
    fn place_of(&mut self, local: LocalId) -> u64 {
        let known = self.captured.iter().position(|it| *it == local);
        let index = known.unwrap_or_else(|| {
            self.captured.push(local);
            self.captured.len() - 1
        });
        index as u64
    }
}

/// Fills in a frame where locals begin to live, and where a jump may come in.
struct Filling<'f> {
    fills: &'f BTreeMap<LocalId, Statement>,
    filled: Vec<LocalId>,
    /// Those of the blocks around.
    alive: Vec<LocalId>,
    /// So many of them belong to the outermost block, whose beginning nobody passes by.
    begun: Option<usize>,
    /// So many of them belong to blocks whose beginning nobody passes by who goes to a case of the innermost `switch`.
    begun_with_switch: usize,
}

impl Filling<'_> {
    fn fill(&mut self, local: LocalId, out: &mut Vec<Statement>) {
        if let Some(fill) = self.fills.get(&local) {
            out.push(fill.clone());
            self.filled.push(local);
        }
    }

    /// Where somebody may come in who has passed by the beginnings of all blocks but the first ones.
    fn fill_again(&mut self, begun: usize, out: &mut Vec<Statement>) {
        let entered = self.alive[begun..].to_vec();
        for local in entered {
            self.fill(local, out);
        }
    }

    fn block(&mut self, statements: &mut Vec<Statement>) {
        let alive = self.alive.len();
        let mut out = Vec::with_capacity(statements.len());
        for statement in statements.iter() {
            if let StatementKind::Declare(local, _) = statement.kind {
                self.fill(local, &mut out);
                if self.fills.contains_key(&local) {
                    self.alive.push(local);
                }
            }
        }
        let begun = *self.begun.get_or_insert(self.alive.len());
        for mut statement in std::mem::take(statements) {
            let mut after = Vec::new();
            match &mut statement.kind {
                StatementKind::AllocateVariable(local, _) => {
                    let local = *local;
                    self.fill(local, &mut after);
                }
                StatementKind::Block(body)
                | StatementKind::Loop { body, .. }
                | StatementKind::DoWhile { body, .. } => self.block(body),
                StatementKind::Switch { body, .. } => {
                    let around = std::mem::replace(&mut self.begun_with_switch, self.alive.len());
                    self.block(body);
                    self.begun_with_switch = around;
                }
                StatementKind::If {
                    then, otherwise, ..
                } => {
                    self.block(then);
                    self.block(otherwise);
                }
                StatementKind::Case(_) | StatementKind::Default => {
                    self.fill_again(self.begun_with_switch, &mut after);
                }
                StatementKind::Label(_) => self.fill_again(begun, &mut after),
                StatementKind::Expression(_)
                | StatementKind::Declare(..)
                | StatementKind::Cleanup(..)
                | StatementKind::Goto(_)
                | StatementKind::GotoComputed(_)
                | StatementKind::Break
                | StatementKind::Continue
                | StatementKind::Return(_)
                | StatementKind::Unsupported(_) => {}
            }
            out.push(statement);
            out.append(&mut after);
        }
        *statements = out;
        self.alive.truncate(alive);
    }
}

fn loaded(place: Lvalue) -> Expression {
    Expression {
        ty: place.ty.ty.clone(),
        span: place.span,
        kind: ExpressionKind::Load(Box::new(place)),
    }
}

fn assigned(place: Lvalue, value: Expression) -> Statement {
    let span = place.span;
    Statement {
        kind: StatementKind::Expression(Expression {
            ty: place.ty.ty.clone(),
            kind: ExpressionKind::Assign(Box::new(place), Box::new(value)),
            span,
        }),
        span,
    }
}
