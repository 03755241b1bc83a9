//! Makes the items of a program, each with a name of its own.

use raddle_ir::{
    DataModel, Expression, Function, FunctionId, Global, GlobalId, Initial, IntType, ProgramDraft,
    ReadOnly, Scalar, StructId, StructType, SyncInit, SyncType, Type,
};

use crate::Random;
use crate::body::Cell;

/// The program so far, without the functions of its threads.
pub(crate) struct Items {
    pub(crate) draft: ProgramDraft,
}

impl Items {
    pub(crate) fn new(model: DataModel) -> Self {
        Self {
            draft: ProgramDraft::new(model),
        }
    }

    /// `base`, with a number if it is taken.
    pub(crate) fn fresh_name(&self, base: &str) -> String {
        let is_taken = |name: &str| {
            self.draft.globals.values().any(|it| it.name == name)
                || self.draft.functions.values().any(|it| it.name == name)
                || self.draft.structs.values().any(|it| it.name == name)
                || self.draft.atomic_sets.values().any(|it| it.name == name)
        };
        let mut name = base.to_owned();
        let mut number = 1;
        while is_taken(&name) {
            number += 1;
            name = format!("{base}{number}");
        }
        name
    }

    pub(crate) fn global(&mut self, base: &str, ty: Type) -> GlobalId {
        let name = self.fresh_name(base);
        self.draft.globals.push(Global {
            name,
            ty,
            initial: Vec::new(),
            is_thread_local: false,
            read_only: ReadOnly::NOTHING,
            is_opaque: false,
            span: None,
        })
    }

    /// A global of one cell that holds 0.
    pub(crate) fn cell(&mut self, base: &str, ty: Scalar) -> Cell {
        let global = self.global(base, Type::Scalar(ty));
        Cell {
            address: Expression::Global(global),
            ty,
        }
    }

    /// A global of one cell with a small number.
    pub(crate) fn number(&mut self, base: &str, ty: Scalar, value: usize) -> Cell {
        let cell = self.cell(base, ty);
        if let Expression::Constant(bits, _) = cell.value(value)
            && bits != 0
        {
            let initial = Initial::Scalar(ty, bits);
            self.set_initial(&cell, initial);
        }
        cell
    }

    pub(crate) fn set_initial(&mut self, cell: &Cell, initial: Initial) {
        let global = &mut self.draft.globals[cell.global()];
        global.initial.push((0, initial));
    }

    /// A global synchronisation object.
    pub(crate) fn sync(&mut self, base: &str, sync: SyncType) -> Expression {
        Expression::Global(self.global(base, Type::Sync(sync)))
    }

    /// A global semaphore or barrier with its number.
    pub(crate) fn counted(&mut self, base: &str, sync: SyncType, number: usize) -> Expression {
        let global = self.global(base, Type::Sync(sync));
        let number = crate::body::constant(number, Scalar::Int(IntType::unsigned(32)));
        let init = match sync {
            SyncType::Barrier => SyncInit::Barrier(number),
            SyncType::Semaphore
            | SyncType::Mutex(_)
            | SyncType::ReadWriteLock
            | SyncType::Condition
            | SyncType::Monitor => SyncInit::Semaphore(number),
        };
        let initial = (0, Initial::Sync(init));
        self.draft.globals[global].initial.push(initial);
        Expression::Global(global)
    }

    pub(crate) fn composite(
        &mut self,
        base: &str,
        fields: Vec<(&str, Type)>,
        is_union: bool,
    ) -> StructId {
        let name = self.fresh_name(base);
        let fields = fields
            .into_iter()
            .map(|(name, ty)| (name.to_owned(), ty))
            .collect();
        let (structs, model) = (&self.draft.structs, self.draft.model);
        let ty = StructType::laid_out(name, fields, is_union, structs, model)
            .expect("structs of generated programs are small");
        self.draft.structs.push(ty)
    }

    pub(crate) fn size_of(&self, ty: &Type) -> u64 {
        self.draft
            .size_of(ty)
            .expect("types of generated programs are small")
    }

    /// A field of a struct behind an address.
    pub(crate) fn field(&self, base: Expression, id: StructId, index: usize) -> Expression {
        let offset = self.draft.structs[id].fields[index].offset;
        Expression::at_offset(base, offset, self.draft.model)
    }

    pub(crate) fn function(&mut self, function: Function) -> FunctionId {
        self.draft.functions.push(function)
    }
}

/// An integer type of one to three bits.
pub(crate) fn small_int(random: &mut Random) -> Scalar {
    let bits = [1, 2, 2, 2, 3][random.below(5)];
    Scalar::Int(IntType {
        bits,
        is_signed: bits > 1 && random.chance(25),
    })
}

/// An unsigned integer type of two or three bits.
pub(crate) fn small_count(random: &mut Random) -> Scalar {
    let bits = *random.pick(&[2, 3]);
    Scalar::Int(IntType::unsigned(bits))
}
