//! Invariants and predicates of exclusive access.

use raddle_base::Id;
use raddle_ir::formula::Elements;
use raddle_ir::{
    Access, Atom, BinaryOp, Exclusive, Expression, Formula, FunctionId, Invariant, MutexKind,
    Order, Register, RegisterId, Scalar, SyncOperation, SyncType, Type,
};

use crate::Random;
use crate::body::{Body, Cell, differs, equal};
use crate::items::{Items, small_count};
use crate::themes::locks::FLAG;

/// Collects the atoms of a formula in the order of their use.
#[derive(Default)]
struct Atoms {
    atoms: Vec<(Atom, Scalar)>,
}

impl Atoms {
    fn add(&mut self, atom: Atom, ty: Scalar) -> Expression {
        self.atoms.push((atom, ty));
        Expression::Register(RegisterId::from_index(self.atoms.len() - 1))
    }

    fn cell(&mut self, cell: &Cell) -> Expression {
        let (address, ty) = (cell.address.clone(), cell.ty);
        self.add(Atom::Cell { address, ty }, ty)
    }

    fn formula(self, body: Expression) -> Formula {
        let register = |ty: &Scalar| Register {
            name: "atom".into(),
            ty: *ty,
            is_temporary: false,
            span: None,
        };
        Formula {
            registers: self.atoms.iter().map(|(_, ty)| register(ty)).collect(),
            atoms: self.atoms.into_iter().map(|(atom, _)| atom).collect(),
            body,
        }
    }
}

pub(super) fn invariant(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let ty = small_count(random);
    let x = items.cell("x", ty);
    let y = items.cell("y", ty);
    let m = items.sync("m", SyncType::Mutex(MutexKind::Plain));
    let atomic = Access::Atomic(Order::SequentiallyConsistent);
    for (at, body) in threads.iter_mut().enumerate() {
        body.sync(SyncOperation::MutexAcquire, &m);
        body.store_as(&x, x.value(at + 1), atomic);
        if random.chance(50) {
            body.store_as(&y, y.value(at), atomic);
        }
        body.sync(SyncOperation::MutexRelease, &m);
    }
    let mut atoms = Atoms::default();
    let condition = if random.chance(50) {
        let (left, right) = (atoms.cell(&x), atoms.cell(&y));
        let op = *random.pick(&[BinaryOp::LessEqual, BinaryOp::GreaterEqual]);
        Expression::binary(op, left, right)
    } else {
        let left = atoms.cell(&x);
        let bound = x.value(random.between(1, 3));
        let is_small = Expression::binary(BinaryOp::LessEqual, left, bound);
        let owner = atoms.add(Atom::Owner { lock: m }, Scalar::Thread);
        let nobody = raddle_ir::interpret::null_thread(items.draft.model);
        let is_held = differs(owner, Expression::Constant(nobody, Scalar::Thread));
        Expression::Select(
            Box::new(is_small),
            Box::new(Expression::bool(true)),
            Box::new(is_held),
        )
    };
    items.draft.invariants.push(Invariant {
        formula: atoms.formula(condition),
        span: None,
    });
}

/// Each of two threads has a cell to itself, and the invariant speaks of both: only while both are in the middle of what
/// they do may it be broken.
pub(super) fn invariant_of_two(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let ty = small_count(random);
    let cells = [items.cell("x", ty), items.cell("y", ty)];
    let mut atoms = Atoms::default();
    let [is_free, other_is_free] = [0, 1].map(|at| {
        let now = atoms.cell(&cells[at]);
        differs(now, cells[at].value(1))
    });
    for (cell, body) in cells.iter().zip(threads) {
        for _ in 0..random.between(1, 2) {
            body.store(cell, cell.value(random.between(1, 2)));
        }
        if random.chance(70) {
            body.store(cell, cell.value(0));
        }
    }
    let yes = Expression::bool(true);
    let condition = Expression::Select(Box::new(is_free), Box::new(yes), Box::new(other_is_free));
    items.draft.invariants.push(Invariant {
        formula: atoms.formula(condition),
        span: None,
    });
}

pub(super) fn exclusive(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let ty = small_count(random);
    let m = items.sync("m", SyncType::Mutex(MutexKind::Plain));
    let is_family = random.chance(50);
    let array = Type::Array(Box::new(Type::Scalar(ty)), 3);
    let ready = items.cell("ready", FLAG);
    let global = if is_family {
        items.global("slots", array)
    } else {
        items.global("x", Type::Scalar(ty))
    };
    let base = Expression::Global(global);
    let mut points = Vec::new();
    for (at, body) in threads.iter_mut().enumerate() {
        let place = if is_family { at % 3 } else { 0 };
        let offset = u64::try_from(place).expect("a small number");
        let cell = Cell {
            address: Expression::at_offset(base.clone(), offset, items.draft.model),
            ty,
        };
        let is_locked = !random.chance(15);
        if is_locked {
            body.sync(SyncOperation::MutexAcquire, &m);
        }
        points.push((at, body.label("inside")));
        body.store(&cell, cell.value(at + 1));
        if is_locked {
            body.sync(SyncOperation::MutexRelease, &m);
        }
    }
    let mut atoms = Atoms::default();
    let mut condition = {
        let owner = atoms.add(Atom::Owner { lock: m }, Scalar::Thread);
        equal(owner, Expression::CurrentThread)
    };
    if is_family {
        let word = items.draft.model.unsigned_word();
        let index = atoms.add(Atom::Index(word), Scalar::Int(word));
        let own = Expression::CurrentThread.cast(Scalar::Int(word));
        let is_own = equal(index, own);
        let yes = Expression::bool(true);
        condition = Expression::Select(Box::new(condition), Box::new(yes), Box::new(is_own));
    }
    if random.chance(60) {
        let (thread, location) = *random.pick(&points);
        let function = FunctionId::from_index(thread);
        let at = atoms.add(Atom::At { function, location }, Scalar::BOOL);
        let no = Expression::bool(false);
        condition = Expression::Select(Box::new(condition), Box::new(at), Box::new(no));
    } else if random.chance(50) {
        let is_ready = equal(atoms.cell(&ready), ready.value(0));
        let no = Expression::bool(false);
        condition = Expression::Select(Box::new(condition), Box::new(is_ready), Box::new(no));
    }
    items.draft.exclusives.push(Exclusive {
        address: base,
        ty,
        elements: is_family.then(|| Elements {
            variable: items.fresh_name("j"),
            count: 3,
            stride: 1,
        }),
        condition: atoms.formula(condition),
        span: None,
    });
}

/// Predicates that need not be ones: by places, by a turn that is stored somewhere, by one of two locks. Every thread
/// looks at what it wrote, so that whoever believes a wrong one misses something.
pub(super) fn hand_over(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let ty = small_count(random);
    let x = items.cell("x", ty);
    let seen = items.cell("seen", ty);
    let turn = items.cell("turn", ty);
    let locks = ["m", "n"].map(|it| items.sync(it, SyncType::Mutex(MutexKind::Plain)));
    let atomic = Access::Atomic(Order::SequentiallyConsistent);
    let mut points = Vec::new();
    for (at, body) in threads.iter_mut().enumerate().take(2) {
        if random.chance(60) {
            body.store_as(&seen, seen.value(at), atomic);
        }
        if random.chance(50) {
            body.assume(Expression::bool(true));
        }
        let lock = random.chance(50).then(|| random.pick(&locks).clone());
        if let Some(lock) = &lock {
            body.sync(SyncOperation::MutexAcquire, lock);
        }
        if random.chance(50) {
            let access = *random.pick(&[Access::Plain, atomic]);
            body.store_as(&turn, turn.value(at), access);
        }
        points.push((at, body.label("writing")));
        body.store(&x, x.value(at + 1));
        points.push((at, body.label("reading")));
        let value = body.load(&x);
        body.assert(equal(value, x.value(at + 1)));
        if let Some(lock) = &lock {
            body.sync(SyncOperation::MutexRelease, lock);
        }
        if random.chance(40) {
            body.store(&turn, turn.value(at + 1));
        }
    }
    let word = items.draft.model.unsigned_word();
    let has_places = random.chance(50);
    let mut atoms = Atoms::default();
    let mut condition = None;
    let mut allow = |term: Expression| {
        condition = Some(match condition.take() {
            None => term,
            Some(before) => Expression::Select(
                Box::new(before),
                Box::new(Expression::bool(true)),
                Box::new(term),
            ),
        });
    };
    for lock in locks {
        if random.chance(40) {
            let owner = atoms.add(Atom::Owner { lock }, Scalar::Thread);
            allow(equal(owner, Expression::CurrentThread));
        }
    }
    for (thread, location) in points {
        let function = FunctionId::from_index(thread);
        if has_places && random.chance(90) {
            allow(atoms.add(Atom::At { function, location }, Scalar::BOOL));
        }
    }
    let has_its_turn = equal(
        atoms.cell(&turn).cast(Scalar::Int(word)),
        Expression::CurrentThread.cast(Scalar::Int(word)),
    );
    allow(has_its_turn);
    items.draft.exclusives.push(Exclusive {
        address: x.address,
        ty,
        elements: None,
        condition: atoms.formula(condition.expect("one term is always there")),
        span: None,
    });
}
