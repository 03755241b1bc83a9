//! Types and where their parts lie in memory.

use std::ops::Range;

use raddle_base::{Arena, define_id};

define_id!(
    /// A struct or union type of the program.
    StructId, "struct"
);

/// How large pointers are and how types are laid out: as gcc does on i386 and on x86-64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DataModel {
    Ilp32,
    Lp64,
}

impl DataModel {
    pub fn pointer_bytes(self) -> u64 {
        match self {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 8,
        }
    }

    /// How many low bits of a pointer are the byte offset, those of [small objects](Self::small_objects) aside; the rest are the
    /// number of the object.
    pub fn offset_bits(self) -> u32 {
        match self {
            DataModel::Ilp32 => 20,
            DataModel::Lp64 => 40,
        }
    }

    /// How many high bits of a pointer are the number of the object.
    pub fn object_bits(self) -> u32 {
        match self {
            DataModel::Ilp32 => 12,
            DataModel::Lp64 => 24,
        }
    }

    pub fn pointer_bits(self) -> u32 {
        self.offset_bits() + self.object_bits()
    }

    /// The numbers of globals and functions, one more than there may be of them.
    pub fn given_objects(self) -> Range<u32> {
        match self {
            DataModel::Ilp32 => 0..0x800,
            DataModel::Lp64 => 0..0x50_0000,
        }
    }

    /// The numbers of objects that are made while the program runs, those of [small objects](Self::small_objects) aside, which
    /// take the place of some.
    /// Chosen so that neither small integers nor common floats look like pointers.
    pub fn made_objects(self) -> Range<u32> {
        match self {
            DataModel::Ilp32 => 0x800..0x1000,
            DataModel::Lp64 => 0x50_0000..0x60_0000,
        }
    }

    /// Those of the numbers above whose place small objects take.
    fn given_up(self) -> Range<u32> {
        match self {
            DataModel::Ilp32 => 0xd10..0xf10,
            DataModel::Lp64 => 0x60_0000..0x60_0000,
        }
    }

    /// The numbers of made objects of any size: the low ones, and the high ones.
    pub fn large_objects(self) -> [Range<u32>; 2] {
        let (made, given_up) = (self.made_objects(), self.given_up());
        [made.start..given_up.start, given_up.end..made.end]
    }

    /// Where the numbers above are few, more for small objects that are made: their pointers have fewer bits of offset and more
    /// of the number. Each of the numbers that are given up makes room for many.
    pub fn small_objects(self) -> Range<u32> {
        let more_bits = self.offset_bits() - Self::SMALL_OFFSET_BITS;
        match self {
            DataModel::Ilp32 => {
                let given_up = self.given_up();
                given_up.start << more_bits..given_up.end << more_bits
            }
            DataModel::Lp64 => 0..0,
        }
    }

    /// How many low bits of a pointer to a small object are the byte offset.
    pub const SMALL_OFFSET_BITS: u32 = 13;

    /// How many low bits of a pointer to this object are the byte offset.
    pub fn offset_bits_of(self, object: u32) -> u32 {
        if self.small_objects().contains(&object) {
            Self::SMALL_OFFSET_BITS
        } else {
            self.offset_bits()
        }
    }

    /// Whether objects that are made have this number.
    pub fn is_made(self, object: u32) -> bool {
        let [low, high] = self.large_objects();
        low.contains(&object) || high.contains(&object) || self.small_objects().contains(&object)
    }

    /// The signed integer that holds the difference of two pointers.
    pub fn signed_word(self) -> IntType {
        IntType::signed(if self == DataModel::Ilp32 { 32 } else { 64 })
    }

    /// The unsigned integer that holds the size of an object.
    pub fn unsigned_word(self) -> IntType {
        IntType::unsigned(if self == DataModel::Ilp32 { 32 } else { 64 })
    }

    /// What the first thread is called where names of threads are words: anything but 0, which is nobody's name.
    pub fn main_thread(self) -> u128 {
        match self {
            DataModel::Ilp32 => 0x4d41_494e,
            DataModel::Lp64 => 0x4d41_494e_0000_0000,
        }
    }

    /// The thread that nobody is: what `owner` of a free lock reads as, and who is called 0 as a word.
    pub fn null_thread(self) -> u128 {
        u128::MAX >> (128 - self.pointer_bits())
    }

    pub fn name(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "ilp32",
            DataModel::Lp64 => "lp64",
        }
    }
}

/// An integer of 1 to 128 bits. `u1` is the type of conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IntType {
    pub bits: u8,
    pub is_signed: bool,
}

impl IntType {
    pub const BOOL: IntType = IntType {
        bits: 1,
        is_signed: false,
    };

    pub const fn signed(bits: u8) -> Self {
        Self {
            bits,
            is_signed: true,
        }
    }

    pub const fn unsigned(bits: u8) -> Self {
        Self {
            bits,
            is_signed: false,
        }
    }

    pub fn mask(self) -> u128 {
        u128::MAX >> (128 - u32::from(self.bits))
    }

    /// The least value, as a signed number; 0 for unsigned types.
    pub fn min(self) -> i128 {
        if self.is_signed {
            i128::MIN >> (128 - u32::from(self.bits))
        } else {
            0
        }
    }

    /// The greatest value, as its bits.
    pub fn max(self) -> u128 {
        if self.is_signed {
            self.mask() >> 1
        } else {
            self.mask()
        }
    }

    fn bytes(self) -> u64 {
        match self.bits {
            0..=8 => 1,
            9..=16 => 2,
            17..=32 => 4,
            33..=64 => 8,
            _ => 16,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FloatType {
    F32,
    F64,
}

/// What a register, an expression or one access to memory holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scalar {
    Int(IntType),
    Float(FloatType),
    Pointer,
    /// The name of a thread, as `spawn` returns it.
    Thread,
}

impl Scalar {
    pub const BOOL: Scalar = Scalar::Int(IntType::BOOL);

    pub fn bits(self, model: DataModel) -> u32 {
        match self {
            Scalar::Int(int) => u32::from(int.bits),
            Scalar::Float(FloatType::F32) => 32,
            Scalar::Float(FloatType::F64) => 64,
            Scalar::Pointer | Scalar::Thread => model.pointer_bits(),
        }
    }

    pub fn mask(self, model: DataModel) -> u128 {
        u128::MAX >> (128 - self.bits(model))
    }

    /// Bytes in memory; an integer takes the next power of two.
    pub fn size(self, model: DataModel) -> u64 {
        match self {
            Scalar::Int(int) => int.bytes(),
            Scalar::Float(FloatType::F32) => 4,
            Scalar::Float(FloatType::F64) => 8,
            Scalar::Pointer | Scalar::Thread => model.pointer_bytes(),
        }
    }

    pub fn align(self, model: DataModel) -> u64 {
        match model {
            DataModel::Ilp32 => self.size(model).min(4),
            DataModel::Lp64 => self.size(model),
        }
    }
}

/// How a mutex treats a second acquire or a release by somebody else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MutexKind {
    /// A second acquire by the owner blocks for ever; a release by another is a misuse.
    Plain,
    /// Counts acquires of its owner.
    Recursive,
    /// A second acquire returns `EDEADLK`, a release by another `EPERM`.
    ErrorChecking,
    /// As a plain one, but one word large, and a family of its own: other operations work on it.
    Spin,
}

/// The kinds of synchronisation objects. They are cells: they may lie in structs, arrays and on the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SyncType {
    Mutex(MutexKind),
    ReadWriteLock,
    Condition,
    Semaphore,
    Barrier,
    Monitor,
}

impl SyncType {
    /// As large as glibc's objects, so that structs of C programs keep their layout.
    pub fn size(self, model: DataModel) -> u64 {
        match (self, model) {
            (SyncType::Mutex(MutexKind::Spin), _) => 4,
            (SyncType::Mutex(_), DataModel::Ilp32) => 24,
            (SyncType::Mutex(_), DataModel::Lp64) => 40,
            (SyncType::ReadWriteLock, DataModel::Ilp32) => 32,
            (SyncType::ReadWriteLock, DataModel::Lp64) => 56,
            (SyncType::Condition, _) => 48,
            (SyncType::Semaphore, DataModel::Ilp32) => 16,
            (SyncType::Semaphore, DataModel::Lp64) => 32,
            (SyncType::Barrier, DataModel::Ilp32) => 20,
            (SyncType::Barrier, DataModel::Lp64) => 32,
            (SyncType::Monitor, _) => 8,
        }
    }

    pub fn align(self, model: DataModel) -> u64 {
        match self {
            SyncType::Mutex(MutexKind::Spin) => 4,
            SyncType::Mutex(_)
            | SyncType::ReadWriteLock
            | SyncType::Condition
            | SyncType::Semaphore
            | SyncType::Barrier
            | SyncType::Monitor => model.pointer_bytes(),
        }
    }

    /// Whether the same operations work on both. Mutexes are one family whatever their kind, without spin locks.
    pub fn is_family_of(self, other: SyncType) -> bool {
        match (self, other) {
            (SyncType::Mutex(one), SyncType::Mutex(two)) => {
                (one == MutexKind::Spin) == (two == MutexKind::Spin)
            }
            (one, two) => one == two,
        }
    }

    /// As written in `.rad`.
    pub fn name(self) -> &'static str {
        match self {
            SyncType::Mutex(MutexKind::Plain) => "mutex",
            SyncType::Mutex(MutexKind::Recursive) => "recursive_mutex",
            SyncType::Mutex(MutexKind::ErrorChecking) => "checked_mutex",
            SyncType::Mutex(MutexKind::Spin) => "spin_lock",
            SyncType::ReadWriteLock => "rwlock",
            SyncType::Condition => "condition",
            SyncType::Semaphore => "semaphore",
            SyncType::Barrier => "barrier",
            SyncType::Monitor => "monitor",
        }
    }

    pub const ALL: [SyncType; 9] = [
        SyncType::Mutex(MutexKind::Plain),
        SyncType::Mutex(MutexKind::Recursive),
        SyncType::Mutex(MutexKind::ErrorChecking),
        SyncType::ReadWriteLock,
        SyncType::Condition,
        SyncType::Semaphore,
        SyncType::Barrier,
        SyncType::Monitor,
        SyncType::Mutex(MutexKind::Spin),
    ];
}

/// The type of a memory object or of a part of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Scalar(Scalar),
    Sync(SyncType),
    Array(Box<Type>, u64),
    Struct(StructId),
}

impl Type {
    pub fn int(int: IntType) -> Type {
        Type::Scalar(Scalar::Int(int))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    pub name: String,
    pub ty: Type,
    /// In bytes from the start of the struct. Fields of a union all have offset 0.
    pub offset: u64,
}

/// A struct or a union: named fields at byte offsets. Fields may overlap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StructType {
    pub name: String,
    pub fields: Vec<Field>,
    pub size: u64,
    pub align: u64,
    pub is_union: bool,
}

impl StructType {
    /// Lays fields out one after the other, or over one another for a union, as C does.
    ///
    /// `None` if a struct among the fields is not in `structs`, or if the size does not fit 63 bits.
    pub fn laid_out(
        name: impl Into<String>,
        fields: Vec<(String, Type)>,
        is_union: bool,
        structs: &Arena<StructId, StructType>,
        model: DataModel,
    ) -> Option<StructType> {
        let mut placed = Vec::new();
        let (mut end, mut size, mut align) = (0_u64, 0_u64, 1_u64);
        for (field, ty) in fields {
            let field_align = ty.align(structs, model)?;
            let offset = if is_union {
                0
            } else {
                end.checked_next_multiple_of(field_align)?
            };
            end = offset.checked_add(ty.size(structs, model)?)?;
            size = size.max(end);
            align = align.max(field_align);
            placed.push(Field {
                name: field,
                ty,
                offset,
            });
        }
        let size = size.checked_next_multiple_of(align)?;
        i64::try_from(size).ok()?;
        Some(StructType {
            name: name.into(),
            fields: placed,
            size,
            align,
            is_union,
        })
    }
}

impl Type {
    /// Bytes it takes; `None` if they do not fit 63 bits or a struct is unknown.
    pub fn size(&self, structs: &Arena<StructId, StructType>, model: DataModel) -> Option<u64> {
        let size = match self {
            Type::Scalar(scalar) => scalar.size(model),
            Type::Sync(sync) => sync.size(model),
            Type::Array(element, length) => element.size(structs, model)?.checked_mul(*length)?,
            Type::Struct(id) => structs.get(*id)?.size,
        };
        i64::try_from(size).ok().map(|_| size)
    }

    pub fn align(&self, structs: &Arena<StructId, StructType>, model: DataModel) -> Option<u64> {
        Some(match self {
            Type::Scalar(scalar) => scalar.align(model),
            Type::Sync(sync) => sync.align(model),
            Type::Array(element, _) => element.align(structs, model)?,
            Type::Struct(id) => structs.get(*id)?.align,
        })
    }

    /// The synchronisation objects inside, with their byte offsets.
    pub fn sync_cells(
        &self,
        structs: &Arena<StructId, StructType>,
        model: DataModel,
    ) -> Vec<(u64, SyncType)> {
        match self {
            Type::Scalar(_) => Vec::new(),
            Type::Sync(sync) => vec![(0, *sync)],
            Type::Array(element, length) => {
                let inner = element.sync_cells(structs, model);
                if inner.is_empty() {
                    return Vec::new();
                }
                let stride = element.size(structs, model).unwrap_or(0);
                (0..*length)
                    .flat_map(|at| {
                        inner
                            .iter()
                            .map(move |&(offset, sync)| (at * stride + offset, sync))
                    })
                    .collect()
            }
            Type::Struct(id) => structs[*id]
                .fields
                .iter()
                .flat_map(|field| {
                    field
                        .ty
                        .sync_cells(structs, model)
                        .into_iter()
                        .map(|(offset, sync)| (field.offset + offset, sync))
                })
                .collect(),
        }
    }

    /// How a person names the part at `offset`, as in `[3].next`; empty for the whole, `+5` where no part begins.
    pub fn path_to(
        &self,
        offset: u64,
        structs: &Arena<StructId, StructType>,
        model: DataModel,
    ) -> String {
        match self {
            Type::Scalar(_) | Type::Sync(_) if offset == 0 => String::new(),
            Type::Scalar(_) | Type::Sync(_) => format!("+{offset}"),
            Type::Array(element, length) => {
                let stride = element.size(structs, model).unwrap_or(0);
                if stride == 0 || offset / stride >= *length {
                    return format!("+{offset}");
                }
                let inner = element.path_to(offset % stride, structs, model);
                format!("[{}]{inner}", offset / stride)
            }
            Type::Struct(id) => structs[*id]
                .fields
                .iter()
                .find(|field| {
                    let size = field.ty.size(structs, model).unwrap_or(0);
                    (field.offset..field.offset + size).contains(&offset)
                })
                .map_or(format!("+{offset}"), |field| {
                    let inner = field.ty.path_to(offset - field.offset, structs, model);
                    format!(".{}{inner}", field.name)
                }),
        }
    }
}
