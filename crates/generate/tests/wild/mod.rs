//! Programs that make no sense but keep the rules: every type, operation, layout and name, for the text form.

mod actions;
mod formulas;
mod values;

use raddle_base::Id;
use raddle_generate::Random;
use raddle_ir::program::Member;
use raddle_ir::{
    AtomicSet, DataModel, Expression, Field, FloatType, Function, FunctionId, Global, GlobalId,
    Initial, IntType, MutexKind, ProgramDraft, Register, RegisterId, Root, Scalar, StructId,
    StructType, SyncInit, SyncType, Type,
};

const NAMES: [&str; 12] = [
    "x", "f::x", "lock", "u8", "3", "größe", "a b", "exit", "_", "$1", "tid", "x_2",
];

struct Wild<'r> {
    random: &'r mut Random,
    draft: ProgramDraft,
}

/// Registers that an expression may read.
type Scope<'s> = &'s [(RegisterId, Scalar)];

pub(crate) fn wild(seed: u64) -> ProgramDraft {
    let mut random = Random::new(seed);
    let model = *random.pick(&[DataModel::Lp64, DataModel::Ilp32]);
    let mut wild = Wild {
        random: &mut random,
        draft: ProgramDraft::new(model),
    };
    for at in 0..wild.random.below(4) {
        let ty = wild.composite(at);
        wild.draft.structs.push(ty);
    }
    for at in 0..wild.random.between(1, 4) {
        let name = wild.name("g", at);
        let ty = wild.ty(2);
        wild.draft.globals.push(Global {
            name,
            ty,
            initial: Vec::new(),
            is_thread_local: false,
            read_only: raddle_ir::ReadOnly::NOTHING,
            is_opaque: false,
            span: None,
        });
    }
    for at in 0..wild.random.below(2) {
        let members = wild.members();
        let name = wild.name("set", at);
        wild.draft.atomic_sets.push(AtomicSet {
            name,
            members,
            span: None,
        });
    }
    // Signatures first, so that bodies can call.
    for at in 0..wild.random.between(1, 3) {
        let function = wild.signature(at);
        wild.draft.functions.push(function);
    }
    for id in wild.draft.globals.ids() {
        wild.draft.globals[id].is_thread_local = wild.random.chance(15);
        if wild.random.chance(15) {
            let size = wild.draft.size_of(&wild.draft.globals[id].ty).unwrap_or(0);
            wild.draft.globals[id].read_only = wild.read_only(size);
        }
    }
    for id in wild.draft.globals.ids() {
        wild.initial(id);
    }
    for id in wild.draft.functions.ids() {
        wild.draft.functions[id].is_approximate = wild.random.chance(5);
    }
    for id in wild.draft.functions.ids() {
        wild.body(id);
    }
    wild.roots();
    wild.formulas();
    // Formulas could read what is opaque.
    if wild.draft.invariants.is_empty() && wild.draft.exclusives.is_empty() {
        for id in wild.draft.globals.ids() {
            wild.draft.globals[id].is_opaque = wild.random.chance(15);
        }
    }
    wild.draft
}

impl Wild<'_> {
    /// A name that nobody else has, because it ends in its number.
    fn name(&mut self, kind: &str, at: usize) -> String {
        match self.random.below(3) {
            0 => format!("{}{kind}{at}", self.random.pick(&NAMES)),
            1 => format!("{kind}{at} ::"),
            _ => format!("{kind}{at}"),
        }
    }

    fn int(&mut self) -> IntType {
        let bits = if self.random.chance(70) {
            *self.random.pick(&[1, 2, 8, 16, 32, 64, 128])
        } else {
            u8::try_from(self.random.between(1, 128)).expect("at most 128")
        };
        IntType {
            bits,
            is_signed: self.random.chance(50),
        }
    }

    fn scalar(&mut self) -> Scalar {
        match self.random.below(8) {
            0 => Scalar::Float(FloatType::F32),
            1 => Scalar::Float(FloatType::F64),
            2 => Scalar::Pointer,
            3 => Scalar::Thread,
            4 => Scalar::BOOL,
            _ => Scalar::Int(self.int()),
        }
    }

    fn ty(&mut self, depth: usize) -> Type {
        match self.random.below(if depth == 0 { 4 } else { 8 }) {
            0 => Type::Sync(*self.random.pick(&SyncType::ALL)),
            1..=3 => Type::Scalar(self.scalar()),
            4 | 5 => {
                let length = self.random.below(4) as u64;
                Type::Array(Box::new(self.ty(depth - 1)), length)
            }
            _ if self.draft.structs.is_empty() => Type::Scalar(self.scalar()),
            _ => {
                let id = self.random.below(self.draft.structs.len());
                Type::Struct(StructId::from_index(id))
            }
        }
    }

    fn composite(&mut self, at: usize) -> StructType {
        let name = self.name("S", at);
        let is_union = self.random.chance(40);
        let mut fields = Vec::new();
        for at in 0..self.random.below(4) {
            fields.push((self.name("f", at), self.ty(1)));
        }
        let (structs, model) = (&self.draft.structs, self.draft.model);
        let mut ty = StructType::laid_out(name, fields, is_union, structs, model).expect("small");
        if self.random.chance(40) {
            // Odd places: packed, overlapping or far apart.
            ty.size += self.random.below(9) as u64;
            ty.align = 1 << self.random.below(4);
            let size = ty.size;
            for field in ty.fields.iter_mut().filter(|_| !is_union) {
                let Field { ty, offset, .. } = field;
                let bytes = self.draft.size_of(ty).expect("small");
                let room = usize::try_from(size - bytes).expect("small");
                *offset = self.random.between(0, room) as u64;
            }
        }
        ty
    }

    fn members(&mut self) -> Vec<Member> {
        let mut members = Vec::new();
        for _ in 0..self.random.below(3) {
            let at = self.random.below(self.draft.globals.len());
            let global = GlobalId::from_index(at);
            let ty = self.draft.globals[global].ty.clone();
            let (offset, ty) = self.part(&ty);
            let size = self.draft.size_of(&ty).expect("small");
            members.push(Member {
                global,
                offset,
                size,
            });
        }
        members
    }

    /// A part of a type, and where it is.
    fn part(&mut self, ty: &Type) -> (u64, Type) {
        if self.random.chance(30) {
            return (0, ty.clone());
        }
        let (offset, inner) = match ty {
            Type::Array(element, length)
                if *length > 0 && self.draft.size_of(element).expect("small") > 0 =>
            {
                let at = self.random.below(usize::try_from(*length).expect("small")) as u64;
                let stride = self.draft.size_of(element).expect("small");
                (at * stride, (**element).clone())
            }
            Type::Struct(id) if !self.draft.structs[*id].fields.is_empty() => {
                let at = self.random.below(self.draft.structs[*id].fields.len());
                let field = &self.draft.structs[*id].fields[at];
                if self.draft.size_of(&field.ty) == Some(0) {
                    return (0, ty.clone());
                }
                (field.offset, field.ty.clone())
            }
            _ => return (0, ty.clone()),
        };
        let (more, part) = self.part(&inner);
        (offset + more, part)
    }

    fn signature(&mut self, at: usize) -> Function {
        let mut function = Function::new(self.name("fn", at));
        function.result = self.random.chance(50).then(|| self.scalar());
        function.parameters = self.random.below(3);
        let most = function.parameters + 8;
        for at in 0..self.random.between(function.parameters, most) {
            function.registers.push(Register {
                name: self.name("r", at),
                ty: self.scalar(),
                is_temporary: at >= function.parameters && self.random.chance(50),
                span: None,
            });
        }
        function
    }

    fn initial(&mut self, id: GlobalId) {
        let ty = self.draft.globals[id].ty.clone();
        let size = self.draft.size_of(&ty).expect("small");
        let is_thread_local = self.draft.globals[id].is_thread_local;
        for _ in 0..self.random.below(4) {
            let (offset, part) = self.part(&ty);
            let initial = match part {
                Type::Sync(sync) => Initial::Sync(self.sync_init(sync, &[], true)),
                Type::Scalar(Scalar::Pointer) if self.random.chance(60) => {
                    let mut address = self.shared_address();
                    if let Expression::Binary(_, _, amount) = &mut address {
                        // In no normal form, but inside what a pointer can tell apart.
                        let bits = self.int().bits;
                        **amount = Expression::int(1, IntType::unsigned(bits));
                    }
                    if address == Expression::null() {
                        continue;
                    }
                    Initial::Address(address)
                }
                Type::Scalar(scalar) if !is_thread_local && self.random.chance(30) => {
                    Initial::Any(scalar)
                }
                Type::Scalar(scalar) => Initial::Scalar(scalar, self.bits(scalar)),
                Type::Array(..) | Type::Struct(_) => {
                    let byte = Scalar::Int(IntType::unsigned(8));
                    if offset >= size {
                        continue;
                    }
                    Initial::Scalar(byte, self.bits(byte))
                }
            };
            self.draft.globals[id].initial.push((offset, initial));
        }
    }

    fn names_thread_local(&self, address: &Expression) -> bool {
        match address {
            Expression::Global(global) => self.draft.globals[*global].is_thread_local,
            Expression::Binary(_, base, _) => self.names_thread_local(base),
            _ => false,
        }
    }

    fn sync_init(&mut self, sync: SyncType, scope: Scope, is_constant: bool) -> SyncInit {
        let ty = Scalar::Int(self.int());
        let count = if is_constant {
            self.constant(ty)
        } else {
            self.expression(ty, scope, 2)
        };
        match sync {
            SyncType::Mutex(MutexKind::Spin) => SyncInit::Mutex(MutexKind::Spin),
            SyncType::Mutex(_) => SyncInit::Mutex(*self.random.pick(&[
                MutexKind::Plain,
                MutexKind::Recursive,
                MutexKind::ErrorChecking,
            ])),
            SyncType::ReadWriteLock => SyncInit::ReadWriteLock,
            SyncType::Condition => SyncInit::Condition,
            SyncType::Semaphore => SyncInit::Semaphore(count),
            SyncType::Barrier => SyncInit::Barrier(count),
            SyncType::Monitor => SyncInit::Monitor,
        }
    }

    fn roots(&mut self) {
        for at in 0..self.random.between(1, 3) {
            let id = FunctionId::from_index(self.random.below(self.draft.functions.len()));
            let function = self.draft.functions[id].clone();
            let mut arguments = Vec::new();
            for parameter in function.registers.values().take(function.parameters) {
                arguments.push(self.constant(parameter.ty));
            }
            let name = self.name("root", at);
            self.draft.roots.push(Root {
                name,
                index: self.random.chance(50).then_some(7),
                function: id,
                arguments,
                span: None,
            });
        }
    }

    fn shared_address(&mut self) -> Expression {
        let address = self.address();
        if self.names_thread_local(&address) {
            Expression::null()
        } else {
            address
        }
    }
}
