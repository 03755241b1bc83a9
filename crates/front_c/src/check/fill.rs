//! Lists of initial values: which element is for which place, with braces written or left out, and designators.

use raddle_c_syntax::tree::{
    self, Designator, ExpressionKind as Syntax, Initializer, InitializerElement,
};

use super::leaf::{LEAF_LIMIT, Sink};
use super::{Checked, Checker};
use crate::typed::{Expression, ExpressionKind, Lvalue, LvalueKind, PieceValue};
use crate::types::{BitField, Length, Qualified, RecordId, Type};

/// Where we are in a list.
pub(super) struct Cursor<'t> {
    elements: &'t [InitializerElement],
    position: usize,
    /// The designators of this element have been followed.
    is_designated: bool,
    /// The value of this element, if it was looked at already.
    checked: Option<Expression>,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(elements: &'t [InitializerElement]) -> Self {
        Self {
            elements,
            position: 0,
            is_designated: false,
            checked: None,
        }
    }

    fn current(&self) -> Option<&'t InitializerElement> {
        self.elements.get(self.position)
    }

    /// The designators that are still to be followed.
    fn designators(&self) -> &'t [Designator] {
        match self.current() {
            Some(element) if !self.is_designated => &element.designators,
            Some(_) | None => &[],
        }
    }

    fn advance(&mut self) {
        self.position += 1;
        self.is_designated = false;
        self.checked = None;
    }
}

/// Whether the braces of an aggregate are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Braces {
    Written,
    Elided,
}

impl Checker {
    /// Initialises an object by the next element, or by the next elements if its braces are left out.
    fn element(
        &mut self,
        ty: &Type,
        at: (u64, Option<BitField>),
        cursor: &mut Cursor<'_>,
        sink: &mut Sink,
    ) -> Checked<()> {
        let Some(element) = cursor.current() else {
            return Ok(());
        };
        let expression = match &element.value {
            Initializer::List(list) => {
                cursor.advance();
                self.initialise_list(ty, at, list, sink)?;
                return Ok(());
            }
            Initializer::Expression(expression) => expression,
        };
        match ty {
            Type::Array(inner, length) => {
                if let Some(literal) = self.string_for(&inner.ty, expression) {
                    cursor.advance();
                    self.put_string(inner, *length, literal, at.0, sink);
                    return Ok(());
                }
                let count = match length {
                    Length::Constant(count) => Some(*count),
                    Length::Unspecified | Length::Variable(_) => None,
                };
                self.fill_array(inner, count, at.0, cursor, sink, 0, Braces::Elided)?;
                Ok(())
            }
            Type::Record(id) => {
                if sink.is_static
                    && let Syntax::CompoundLiteral(name, list) = &expression.kind
                    && self.type_name(name)?.ty.ty == *ty
                {
                    cursor.advance();
                    self.initialise_list(ty, at, list, sink)?;
                    return Ok(());
                }
                if !matches!(expression.kind, Syntax::String(_)) {
                    let value = match cursor.checked.take() {
                        Some(value) => value,
                        None => self.value(expression)?,
                    };
                    if value.ty == *ty {
                        cursor.advance();
                        return self.put_value(ty, at, value, sink);
                    }
                    cursor.checked = Some(value);
                }
                if self.records[*id].fields.is_empty() {
                    cursor.advance();
                    return Ok(());
                }
                self.fill_record(*id, at.0, cursor, sink, 0, Braces::Elided)
            }
            Type::Void
            | Type::Bool
            | Type::Integer(_)
            | Type::Enumeration(_)
            | Type::Float(_)
            | Type::Pointer(_)
            | Type::Function(_)
            | Type::Unmodelled(_) => {
                let value = match cursor.checked.take() {
                    Some(value) => value,
                    None => self.value(expression)?,
                };
                cursor.advance();
                self.put_value(ty, at, value, sink)
            }
        }
    }

    pub(super) fn fill_record(
        &mut self,
        id: RecordId,
        offset: u64,
        cursor: &mut Cursor<'_>,
        sink: &mut Sink,
        start: usize,
        braces: Braces,
    ) -> Checked<()> {
        let mut index = start;
        let mut outcome = Ok(());
        if let Some(what) = self.records[id].unsupported.clone()
            && let Some(element) = cursor.current()
        {
            let message = format!("initial values of a struct with {what} are not supported");
            return Err(self.unsupported_error(element.span, message));
        }
        while let Some(element) = cursor.current() {
            let position = cursor.position;
            let designators = cursor.designators();
            if let Some((first, rest)) = designators.split_first() {
                if braces == Braces::Elided {
                    break;
                }
                let done = match first {
                    Designator::Member(member) => match self.field_path(id, member) {
                        Ok(path) => {
                            cursor.is_designated = true;
                            self.designated_member(id, offset, &path, rest, cursor, sink)
                        }
                        Err(poisoned) => Err(poisoned),
                    },
                    Designator::Index(at) | Designator::Range(at, _) => {
                        Err(self.error(at.span, "an index designates nothing in a struct"))
                    }
                };
                match done {
                    Ok(next) => index = next,
                    Err(poisoned) => outcome = Err(poisoned),
                }
            } else {
                let record = &self.records[id];
                let is_full = index >= record.fields.len() || (record.is_union && index > 0);
                if is_full {
                    if braces == Braces::Written {
                        self.warn(element.span, "there are more initial values than members");
                        let rest = &cursor.elements[cursor.position..];
                        match rest.iter().position(|later| !later.designators.is_empty()) {
                            Some(next) => {
                                cursor.position += next;
                                cursor.is_designated = false;
                                cursor.checked = None;
                                continue;
                            }
                            None => break,
                        }
                    }
                    break;
                }
                let field = record.fields[index].clone();
                if record.is_union {
                    let size = record.size;
                    sink.activate(offset, id, index, size);
                }
                let at = (offset + field.offset, field.bits);
                if let Err(poisoned) = self.element(&field.ty.ty, at, cursor, sink) {
                    outcome = Err(poisoned);
                }
                index += 1;
            }
            // An error left us where we were.
            if outcome.is_err() && cursor.position == position {
                cursor.advance();
            }
        }
        outcome
    }

    /// Follows a path to a member and what designators are left; returns the index of the next member.
    fn designated_member(
        &mut self,
        id: RecordId,
        offset: u64,
        path: &[usize],
        rest: &[Designator],
        cursor: &mut Cursor<'_>,
        sink: &mut Sink,
    ) -> Checked<usize> {
        let Some((first, deeper)) = path.split_first() else {
            return Ok(0);
        };
        let record = &self.records[id];
        let field = record.fields[*first].clone();
        if record.is_union {
            let size = record.size;
            sink.activate(offset, id, *first, size);
        }
        let at = (offset + field.offset, field.bits);
        if let (Type::Record(inner), false) = (&field.ty.ty, deeper.is_empty()) {
            let next = self.designated_member(*inner, at.0, deeper, rest, cursor, sink)?;
            self.fill_record(*inner, at.0, cursor, sink, next, Braces::Elided)?;
        } else {
            self.designated(&field.ty.ty, at, rest, cursor, sink)?;
        }
        Ok(first + 1)
    }

    /// What the remaining designators name is initialised; then the rest of the aggregate it is in.
    fn designated(
        &mut self,
        ty: &Type,
        at: (u64, Option<BitField>),
        designators: &[Designator],
        cursor: &mut Cursor<'_>,
        sink: &mut Sink,
    ) -> Checked<()> {
        let Some((first, rest)) = designators.split_first() else {
            return self.element(ty, at, cursor, sink);
        };
        match (first, ty) {
            (Designator::Member(member), Type::Record(id)) => {
                let path = self.field_path(*id, member)?;
                let next = self.designated_member(*id, at.0, &path, rest, cursor, sink)?;
                self.fill_record(*id, at.0, cursor, sink, next, Braces::Elided)
            }
            (Designator::Index(_) | Designator::Range(..), Type::Array(element, length)) => {
                let count = match length {
                    Length::Constant(count) => Some(*count),
                    Length::Unspecified | Length::Variable(_) => None,
                };
                let next =
                    self.designated_index(element, count, at.0, first, rest, cursor, sink)?;
                self.fill_array(element, count, at.0, cursor, sink, next, Braces::Elided)?;
                Ok(())
            }
            (Designator::Member(member), _) => {
                let text = self.show(ty);
                let message = format!("`{text}` has no member `{}`", member.name);
                Err(self.error(member.span, message))
            }
            (Designator::Index(index) | Designator::Range(index, _), _) => {
                Err(self.error(index.span, "an index designates something that is no array"))
            }
        }
    }

    /// Returns how many elements the array has at least.
    #[expect(
        clippy::too_many_arguments,
        reason = "the array, the place, the list and how far we are"
    )]
    pub(super) fn fill_array(
        &mut self,
        element: &Qualified,
        count: Option<u64>,
        offset: u64,
        cursor: &mut Cursor<'_>,
        sink: &mut Sink,
        start: u64,
        braces: Braces,
    ) -> Checked<u64> {
        let Some(size) = self.size_of(&element.ty) else {
            let span = cursor.current().map(|element| element.span);
            return match span {
                Some(span) => Err(self.error(span, "the elements have an incomplete type")),
                None => Ok(start),
            };
        };
        let mut index = start;
        let mut reached = start;
        let mut outcome = Ok(());
        while let Some(current) = cursor.current() {
            let position = cursor.position;
            let designators = cursor.designators();
            if let Some((first, rest)) = designators.split_first() {
                if braces == Braces::Elided {
                    break;
                }
                cursor.is_designated = true;
                match self.designated_index(element, count, offset, first, rest, cursor, sink) {
                    Ok(next) => index = next,
                    Err(poisoned) => outcome = Err(poisoned),
                }
            } else {
                if count.is_some_and(|count| index >= count) {
                    if braces == Braces::Written {
                        self.warn(current.span, "there are more initial values than elements");
                        let rest = &cursor.elements[cursor.position..];
                        if let Some(next) =
                            rest.iter().position(|later| !later.designators.is_empty())
                        {
                            cursor.position += next;
                            cursor.is_designated = false;
                            cursor.checked = None;
                            continue;
                        }
                    }
                    break;
                }
                let at = (offset + index * size, None);
                if let Err(poisoned) = self.element(&element.ty, at, cursor, sink) {
                    outcome = Err(poisoned);
                }
                index += 1;
            }
            reached = reached.max(index);
            if cursor.position == position {
                // An error, or elements without size, left us where we were.
                cursor.advance();
            }
        }
        outcome.map(|()| reached)
    }

    /// Returns the index after the designated one.
    #[expect(
        clippy::too_many_arguments,
        reason = "the array, the place, the list and the designators"
    )]
    fn designated_index(
        &mut self,
        element: &Qualified,
        count: Option<u64>,
        offset: u64,
        designator: &Designator,
        rest: &[Designator],
        cursor: &mut Cursor<'_>,
        sink: &mut Sink,
    ) -> Checked<u64> {
        let (first, last) = match designator {
            Designator::Index(index) => {
                let index = self.designator_index(index, count)?;
                (index, index)
            }
            Designator::Range(first, last) => (
                self.designator_index(first, count)?,
                self.designator_index(last, count)?,
            ),
            Designator::Member(member) => {
                let message = format!("`.{}` designates nothing in an array", member.name);
                return Err(self.error(member.span, message));
            }
        };
        let size = self.size_of(&element.ty).unwrap_or(0);
        if first >= last {
            self.designated(
                &element.ty,
                (offset + first * size, None),
                rest,
                cursor,
                sink,
            )?;
            return Ok(first + 1);
        }
        // The first element of the range is made; the others are copies of it.
        let mut model = if sink.is_static {
            Sink::of_static()
        } else {
            Sink::default()
        };
        let span = cursor.current().map(|current| current.span);
        self.designated(
            &element.ty,
            (offset + first * size, None),
            rest,
            cursor,
            &mut model,
        )?;
        let copies = usize::try_from(last - first).unwrap_or(usize::MAX);
        if let Some(span) = span
            && model.leaves.len().max(1).saturating_mul(copies) >= LEAF_LIMIT
        {
            return Err(self.unsupported_error(span, "the initialiser has too many values"));
        }
        for leaf in &mut model.leaves {
            if let PieceValue::Expression(value) = &leaf.value
                && has_effects(value)
            {
                // It would have to be evaluated once only.
                let what = "a value with side effects for several elements";
                let value = self.unsupported(what, value.ty.clone(), value.span);
                leaf.value = PieceValue::Expression(value);
            }
        }
        for index in 0..=last - first {
            for leaf in &model.leaves {
                sink.add(leaf.moved(index * size));
            }
        }
        Ok(last + 1)
    }

    fn designator_index(&mut self, index: &tree::Expression, count: Option<u64>) -> Checked<u64> {
        let value = self.constant_expression(index)?;
        match u64::try_from(value) {
            Ok(value) if count.is_none_or(|count| value < count) && value < 1 << 40 => Ok(value),
            Ok(_) | Err(_) => Err(self.error(index.span, "the index is not in the array")),
        }
    }
}

/// Whether evaluating it twice may differ from evaluating it once.
pub(super) fn has_effects(value: &Expression) -> bool {
    match &value.kind {
        ExpressionKind::Integer(_)
        | ExpressionKind::Float(_)
        | ExpressionKind::FunctionAddress(_)
        | ExpressionKind::LabelAddress(_)
        | ExpressionKind::Unreachable
        | ExpressionKind::Unsupported(_) => false,
        ExpressionKind::Load(place) | ExpressionKind::AddressOf(place) => place_has_effects(place),
        ExpressionKind::Negate(operand)
        | ExpressionKind::BitNot(operand)
        | ExpressionKind::LogicalNot(operand)
        | ExpressionKind::Cast(operand) => has_effects(operand),
        ExpressionKind::Arithmetic(_, left, right)
        | ExpressionKind::Compare(_, left, right)
        | ExpressionKind::LogicalAnd(left, right)
        | ExpressionKind::LogicalOr(left, right)
        | ExpressionKind::Elvis(left, right)
        | ExpressionKind::Comma(left, right)
        | ExpressionKind::PointerDifference { left, right, .. }
        | ExpressionKind::PointerAdd {
            pointer: left,
            index: right,
            ..
        } => has_effects(left) || has_effects(right),
        ExpressionKind::Conditional(condition, then, otherwise) => {
            has_effects(condition) || has_effects(then) || has_effects(otherwise)
        }
        ExpressionKind::Assign(..)
        | ExpressionKind::Update { .. }
        | ExpressionKind::Call(..)
        | ExpressionKind::Statements(..)
        | ExpressionKind::VaStart(_)
        | ExpressionKind::VaArg(_)
        | ExpressionKind::VaCopy(..)
        | ExpressionKind::Alloca(_)
        | ExpressionKind::OverflowArithmetic { .. }
        | ExpressionKind::Atomic(_) => true,
    }
}

fn place_has_effects(place: &Lvalue) -> bool {
    match &place.kind {
        LvalueKind::Local(_) | LvalueKind::Object(_) => place.ty.is_volatile,
        LvalueKind::Dereference(pointer) => place.ty.is_volatile || has_effects(pointer),
        LvalueKind::Field(inner, _, _) => place_has_effects(inner),
        LvalueKind::CompoundLiteral(..) | LvalueKind::Value(..) => true,
    }
}
