//! Expressions, the places they address, and formulas.

use std::fmt::Write;

use raddle_base::{Arena, Id};

use super::word::{binary_symbol, quoted, scalar_name, type_name, unary_symbol};
use crate::expression::{BinaryOp, Expression, UnaryOp};
use crate::formula::{Atom, Formula};
use crate::part::{Family, Segment, find_path};
use crate::program::{Function, GlobalId, ProgramDraft, Register, RegisterId};
use crate::types::{FloatType, IntType, Scalar, SyncType, Type};

/// For whom a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// For the reader of programs: every constant has its type.
    Exact,
    /// For people: without the types.
    Pretty,
}

/// What registers stand for.
#[derive(Clone, Copy)]
pub(super) enum PrintedNames<'p> {
    Function(&'p Function),
    /// Atoms are written where they are used; with the name of the index variable.
    Formula(&'p Formula, Option<&'p str>),
    Nothing,
}

/// Prints expressions in one scope.
#[derive(Clone, Copy)]
pub(super) struct Printer<'p> {
    pub(super) draft: &'p ProgramDraft,
    pub(super) names: PrintedNames<'p>,
    pub(super) style: Style,
}

impl<'p> Printer<'p> {
    pub(super) fn exact(draft: &'p ProgramDraft, names: PrintedNames<'p>) -> Self {
        Self {
            draft,
            names,
            style: Style::Exact,
        }
    }

    pub(super) fn pretty(draft: &'p ProgramDraft, names: PrintedNames<'p>) -> Self {
        Self {
            draft,
            names,
            style: Style::Pretty,
        }
    }

    /// An expression that stands alone: no parentheses around it.
    pub(super) fn whole(self, expression: &Expression) -> String {
        let text = self.operand(expression);
        match expression {
            Expression::Binary(BinaryOp::Offset | BinaryOp::Distance, ..) => text,
            Expression::Binary(..) | Expression::Cast(..) | Expression::Select(..) => {
                text[1..text.len() - 1].to_owned()
            }
            Expression::Constant(..)
            | Expression::Register(_)
            | Expression::Global(_)
            | Expression::Function(_)
            | Expression::CurrentThread
            | Expression::Unary(..) => text,
        }
    }

    /// An expression inside another: in parentheses where it has parts.
    pub(super) fn operand(self, expression: &Expression) -> String {
        match expression {
            Expression::Constant(bits, ty) => self.constant(*bits, *ty),
            Expression::Register(register) => self.register(*register),
            Expression::Global(global) => format!("&{}", self.global(*global)),
            Expression::Function(function) => {
                format!("&{}", quoted(&self.draft.functions[*function].name))
            }
            Expression::CurrentThread => "self".into(),
            Expression::Unary(op, inner) => {
                let text = self.operand(inner);
                let symbol = if *op == UnaryOp::Not && self.is_condition(inner) {
                    "!"
                } else {
                    unary_symbol(*op)
                };
                // A minus directly before a constant would become part of it.
                let is_bare = matches!(**inner, Expression::Register(_)) || text.starts_with('(');
                if is_bare {
                    format!("{symbol}{text}")
                } else {
                    format!("{symbol}({text})")
                }
            }
            Expression::Binary(op @ (BinaryOp::Offset | BinaryOp::Distance), left, right) => {
                let (left, right) = (self.whole(left), self.whole(right));
                format!("{}({left}, {right})", binary_symbol(*op))
            }
            Expression::Binary(op, left, right) => {
                let (left, right) = (self.matched(left), self.matched(right));
                format!("({left} {} {right})", binary_symbol(*op))
            }
            Expression::Cast(ty, inner) => {
                format!("({} as {})", self.operand(inner), scalar_name(*ty))
            }
            Expression::Select(condition, then, otherwise) => {
                let is_bool = |it: &Expression, value| *it == Expression::bool(value);
                let condition = self.operand(condition);
                if is_bool(otherwise, false) {
                    format!("({condition} and {})", self.matched(then))
                } else if is_bool(then, true) {
                    format!("({condition} or {})", self.matched(otherwise))
                } else {
                    let (then, otherwise) = (self.matched(then), self.matched(otherwise));
                    format!("({condition} ? {then} : {otherwise})")
                }
            }
        }
    }

    /// An operand whose type must be that of another. The reader knows to what `&x` points and would find
    /// pointers to different types; a cast between pointers changes only its view.
    fn matched(self, expression: &Expression) -> String {
        let text = self.operand(expression);
        if matches!(expression, Expression::Global(_)) && self.style == Style::Exact {
            format!("({text} as *u8)")
        } else {
            text
        }
    }

    /// Expressions between commas.
    pub(super) fn list(self, expressions: &[Expression]) -> String {
        let texts: Vec<String> = expressions.iter().map(|it| self.whole(it)).collect();
        texts.join(", ")
    }

    pub(super) fn global(self, global: GlobalId) -> String {
        quoted(&self.draft.globals[global].name).into_owned()
    }

    pub(super) fn register(self, register: RegisterId) -> String {
        match self.names {
            PrintedNames::Function(function) => {
                quoted(&function.registers[register].name).into_owned()
            }
            PrintedNames::Formula(formula, variable) => {
                self.atom(&formula.atoms[register.index()], variable)
            }
            PrintedNames::Nothing => format!("{register:?}"),
        }
    }

    /// The cell of type `ty` at an address, as the place of an access.
    pub(super) fn place(self, address: &Expression, ty: Scalar) -> String {
        let fits = |part: &Type| *part == Type::Scalar(ty);
        self.path(address, None, &fits)
            .unwrap_or_else(|| self.dereference(address, &scalar_name(ty)))
    }

    /// The synchronisation object of one family at an address.
    pub(super) fn sync_place(self, object: &Expression, sync: SyncType) -> String {
        let fits = |part: &Type| matches!(part, Type::Sync(it) if it.is_family_of(sync));
        self.path(object, None, &fits)
            .unwrap_or_else(|| self.dereference(object, sync.name()))
    }

    /// The cells of a family, with the name of the index variable.
    pub(super) fn family_place(
        self,
        address: &Expression,
        ty: Scalar,
        family: Family,
        variable: &str,
    ) -> String {
        let fits = |part: &Type| *part == Type::Scalar(ty);
        self.path(address, Some((family, variable)), &fits)
            .unwrap_or_else(|| self.dereference(address, &scalar_name(ty)))
    }

    /// A part of a global, by its size.
    pub(super) fn part(self, global: GlobalId, offset: u64, size: u64) -> String {
        let fits = |part: &Type| self.draft.size_of(part) == Some(size);
        let base = Expression::Global(global);
        let address = Expression::at_offset(base, offset, self.draft.model);
        self.path(&address, None, &fits)
            .unwrap_or_else(|| self.dereference(&address, &format!("[u8; {size}]")))
    }

    fn dereference(self, address: &Expression, ty: &str) -> String {
        match self.style {
            Style::Exact => format!("*({} as *{ty})", self.operand(address)),
            Style::Pretty => format!("*{}", self.operand(address)),
        }
    }

    /// The path to the part of a global that an address in normal form names.
    fn path(
        self,
        address: &Expression,
        family: Option<(Family, &str)>,
        fits: &dyn Fn(&Type) -> bool,
    ) -> Option<String> {
        let (global, offset) = match address {
            Expression::Global(global) => (*global, 0),
            Expression::Binary(BinaryOp::Offset, base, amount) => match (&**base, &**amount) {
                (Expression::Global(global), Expression::Constant(bits, _)) => {
                    (*global, u64::try_from(*bits).ok()?)
                }
                (_, _) => return None,
            },
            Expression::Constant(..)
            | Expression::Register(_)
            | Expression::Function(_)
            | Expression::CurrentThread
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Cast(..)
            | Expression::Select(..) => return None,
        };
        let normal = Expression::at_offset(Expression::Global(global), offset, self.draft.model);
        if *address != normal {
            return None;
        }
        let ty = &self.draft.globals[global].ty;
        let found = find_path(self.draft, ty, offset, family.map(|it| it.0), fits)?;
        let mut text = self.global(global);
        for segment in found {
            match segment {
                Segment::Field(name) => {
                    text.push('.');
                    text.push_str(&quoted(name));
                }
                Segment::Index(index) => {
                    let _ = write!(text, "[{index}]");
                }
                Segment::Variable => {
                    let name = family.map_or("", |it| it.1);
                    let _ = write!(text, "[{}]", quoted(name));
                }
            }
        }
        Some(text)
    }

    fn atom(self, atom: &Atom, variable: Option<&str>) -> String {
        match atom {
            Atom::Cell { address, ty } => self.place(address, *ty),
            Atom::Owner { lock } => {
                let is_lock = |part: &Type| {
                    matches!(
                        part,
                        Type::Sync(
                            SyncType::Mutex(_) | SyncType::ReadWriteLock | SyncType::Monitor
                        )
                    )
                };
                let place = self
                    .path(lock, None, &is_lock)
                    .unwrap_or_else(|| self.dereference(lock, "mutex"));
                format!("owner({place})")
            }
            Atom::At { function, location } => {
                let function = &self.draft.functions[*function];
                let name = quoted(&function.name);
                format!("at {name}.{}", location_name(function, *location))
            }
            Atom::Index(int) => {
                let name = quoted(variable.unwrap_or("index"));
                // The reader takes its type from what stands around it, so it is always told.
                match self.style {
                    Style::Exact => format!("({name} as {})", scalar_name(Scalar::Int(*int))),
                    Style::Pretty => name.into_owned(),
                }
            }
        }
    }

    fn is_condition(self, expression: &Expression) -> bool {
        let none: Arena<RegisterId, Register> = Arena::new();
        let registers = match self.names {
            PrintedNames::Function(function) => &function.registers,
            PrintedNames::Formula(formula, _) => &formula.registers,
            PrintedNames::Nothing => &none,
        };
        expression.scalar(registers, self.draft.model) == Scalar::BOOL
    }

    pub(super) fn constant(self, bits: u128, ty: Scalar) -> String {
        let is_exact = self.style == Style::Exact;
        match ty {
            Scalar::Int(IntType::BOOL) => if bits == 0 { "false" } else { "true" }.into(),
            Scalar::Int(int) => {
                let unused = 128 - u32::from(int.bits);
                let value = (bits << unused).cast_signed() >> unused;
                let suffix = if is_exact {
                    scalar_name(ty)
                } else {
                    String::new()
                };
                if int.is_signed {
                    format!("{value}{suffix}")
                } else {
                    format!("{bits}{suffix}")
                }
            }
            Scalar::Float(float) => float_constant(bits, float, is_exact),
            Scalar::Pointer if bits == 0 => "null".into(),
            Scalar::Pointer | Scalar::Thread => format!("{bits:#x}{}", scalar_name(ty)),
        }
    }

    pub(super) fn type_name(self, ty: &Type) -> String {
        type_name(self.draft, ty)
    }
}

/// Decimal where that is exact and short, else the bits.
fn float_constant(bits: u128, float: FloatType, is_exact: bool) -> String {
    let is_shown =
        |text: &str| text.len() <= 20 && text.bytes().all(|b| b"0123456789.-".contains(&b));
    let (decimal, hexadecimal, name) = match float {
        FloatType::F32 => {
            let bits = u32::try_from(bits).expect("the validator saw the width of constants");
            let value = f32::from_bits(bits);
            (format!("{value:?}"), format!("0x{bits:08x}"), "f32")
        }
        FloatType::F64 => {
            let bits = u64::try_from(bits).expect("the validator saw the width of constants");
            let value = f64::from_bits(bits);
            (format!("{value:?}"), format!("0x{bits:016x}"), "f64")
        }
    };
    match (is_exact, is_shown(&decimal)) {
        (false, _) => decimal,
        (true, true) => format!("{decimal}{name}"),
        (true, false) => format!("{hexadecimal}{name}"),
    }
}

/// The label of a location, or its number.
pub(super) fn location_name(function: &Function, location: crate::program::LocationId) -> String {
    if location == function.exit {
        return "exit".into();
    }
    match &function.locations[location].label {
        Some(label) => quoted(label).into_owned(),
        None => location.index().to_string(),
    }
}
