//! Invariants and predicates of exclusive access.

use raddle_base::Id;
use raddle_generate::Random;
use raddle_ir::formula::Elements;
use raddle_ir::{
    Atom, BinaryOp, Exclusive, Expression, Formula, FunctionId, GlobalId, Invariant, LocationId,
    Register, RegisterId, Scalar, Type,
};

use super::Wild;

impl Wild<'_> {
    pub(super) fn formulas(&mut self) {
        if self.random.chance(50) {
            let formula = self.formula(&mut |_| None);
            self.draft.invariants.push(Invariant {
                formula,
                span: None,
            });
        }
        let global = GlobalId::from_index(self.random.below(self.draft.globals.len()));
        let global_type = self.draft.globals[global].ty.clone();
        if self.draft.globals[global].is_thread_local {
            return;
        }
        let (offset, part) = self.part(&global_type);
        let Type::Scalar(ty) = part else { return };
        let base = Expression::Global(global);
        let address = Expression::at_offset(base, offset, self.draft.model);
        let elements = match &global_type {
            Type::Array(element, count)
                if **element == Type::Scalar(ty) && offset == 0 && *count > 0 =>
            {
                Some(Elements {
                    variable: self.name("j", 0),
                    count: *count,
                    stride: ty.size(self.draft.model),
                })
            }
            _ => None,
        };
        let has_index = elements.is_some();
        let word = if self.random.chance(50) {
            self.int()
        } else {
            self.draft.model.unsigned_word()
        };
        let function = FunctionId::from_index(0);
        let location = LocationId::from_index(0);
        let condition = self.formula(&mut |random| match random.below(3) {
            0 if has_index => Some((Atom::Index(word), Scalar::Int(word))),
            1 => Some((Atom::At { function, location }, Scalar::BOOL)),
            _ => None,
        });
        self.draft.exclusives.push(Exclusive {
            address,
            ty,
            elements,
            condition,
            span: None,
        });
    }

    /// A conjunction of comparisons of atoms, some of which lie behind others.
    pub(super) fn formula(
        &mut self,
        special: &mut dyn FnMut(&mut Random) -> Option<(Atom, Scalar)>,
    ) -> Formula {
        let mut atoms: Vec<(Atom, Scalar)> = Vec::new();
        let mut body = Expression::bool(self.random.chance(50));
        for _ in 0..self.random.below(4) {
            let atom = special(self.random).unwrap_or_else(|| {
                let mut address = self.shared_address();
                if self.random.chance(30) {
                    let ty = Scalar::Pointer;
                    atoms.push((Atom::Cell { address, ty }, ty));
                    let inner = Expression::Register(RegisterId::from_index(atoms.len() - 1));
                    let amount = Scalar::Int(self.int());
                    address = Expression::binary(BinaryOp::Offset, inner, self.constant(amount));
                }
                if self.random.chance(30) {
                    return (Atom::Owner { lock: address }, Scalar::Thread);
                }
                let ty = self.scalar();
                (Atom::Cell { address, ty }, ty)
            });
            let ty = atom.1;
            atoms.push(atom);
            let value = Expression::Register(RegisterId::from_index(atoms.len() - 1));
            let (value, ty) = if matches!(ty, Scalar::Int(_)) && self.random.chance(50) {
                let int = Scalar::Int(self.int());
                (value.cast(int), int)
            } else {
                (value, ty)
            };
            let other = self.constant(ty);
            let test = Expression::binary(BinaryOp::Equal, value, other);
            let no = Expression::bool(false);
            body = match self.random.below(3) {
                0 => Expression::Select(Box::new(body), Box::new(test), Box::new(no)),
                1 => Expression::binary(BinaryOp::Xor, body, test),
                _ => Expression::Select(Box::new(body), Box::new(no), Box::new(test)),
            };
        }
        let register = |ty: &Scalar| Register {
            name: String::new(),
            ty: *ty,
            is_temporary: false,
            span: None,
        };
        Formula {
            registers: atoms.iter().map(|(_, ty)| register(ty)).collect(),
            atoms: atoms.into_iter().map(|(atom, _)| atom).collect(),
            body,
        }
    }
}
