//! Objects and cells: what they hold from the beginning, and what is written and read.

use std::collections::BTreeMap;

use raddle_base::Id;
use raddle_ir::{Expression, GlobalId, Initial, Scalar};

use crate::call_graph::{InstanceId, ThreadId};
use crate::evaluate::{Evaluator, number};
use crate::value::{ObjectId, Offset, Value, ValueSet};

use super::{Object, ObjectKind, PointsTo};

impl PointsTo<'_> {
    pub(super) fn make_globals(&mut self) {
        for (id, global) in self.program.globals.iter() {
            if !global.is_thread_local {
                self.make_global(ObjectKind::Global(id), id);
            }
        }
        // Addresses of globals are in the initial values of others.
        for (id, global) in self.program.globals.iter() {
            if !global.is_thread_local
                && let Some(object) = self.object(ObjectKind::Global(id))
            {
                self.initialize(object, id);
            }
        }
    }

    pub(super) fn make_global(&mut self, kind: ObjectKind, id: GlobalId) -> ObjectId {
        let size = self.program.size_of(&self.program.globals[id].ty);
        let object = self.objects.push(Object {
            kind,
            size,
            is_zeroed: true,
            cells: BTreeMap::new(),
        });
        self.by_kind.insert(kind, object);
        object
    }

    pub(super) fn initialize(&mut self, object: ObjectId, id: GlobalId) {
        let word = self.program.model.pointer_bytes();
        let global = &self.program.globals[id];
        for (offset, initial) in &global.initial {
            let (size, values) = match initial {
                Initial::Scalar(ty, bits) => {
                    let constant = Expression::Constant(*bits, *ty);
                    (ty.size(self.program.model), self.constant(&constant))
                }
                Initial::Address(address) => (word, self.constant(address)),
                Initial::Any(ty) => (ty.size(self.program.model), number(*ty, self.program.model)),
                Initial::Sync(_) => continue,
            };
            self.write(object, Offset::exactly(*offset), size, &values);
        }
    }

    /// The value of an expression without registers. Thread-local globals have no constant address.
    fn constant(&self, expression: &Expression) -> ValueSet {
        let function = self.program.functions.ids().next();
        function.map_or_else(ValueSet::default, |function| {
            Evaluator {
                program: self.program,
                function,
                thread: ThreadId::from_index(0),
                objects: &self.by_kind,
                registers: &[],
            }
            .values(expression)
        })
    }

    fn write(&mut self, object: ObjectId, offset: Offset, size: u64, values: &ValueSet) {
        let cells = &mut self.objects[object].cells;
        let cell = cells.entry((offset, size)).or_default();
        let changed = cell.add(values);
        self.changed |= changed;
    }

    /// What a cell may hold, whoever wrote it.
    fn read(&self, object: ObjectId, offset: Offset, ty: Scalar) -> ValueSet {
        let model = self.program.model;
        let (size, word) = (ty.size(model), model.pointer_bytes());
        // Names of objects in floats do not keep them from being used again.
        if size < word || matches!(ty, Scalar::Float(_)) {
            return number(ty, model);
        }
        let mut found = ValueSet::default();
        if self.objects[object].is_zeroed && !self.is_initialized(object, offset) {
            found.insert(Value::Null);
        }
        for ((at, written), values) in &self.objects[object].cells {
            if *values == ValueSet::default() || !at.may_overlap(*written, offset, size) {
                continue;
            }
            if size == word && *written == word && at.same_or_apart(offset, word) {
                found.add(values);
            } else {
                // A word of several pieces, or a piece of several words.
                found.add(values);
                found.insert(Value::Number);
            }
        }
        found
    }

    /// Whether a word has a value from the beginning that is said in the program.
    fn is_initialized(&self, object: ObjectId, offset: Offset) -> bool {
        let (ObjectKind::Global(id) | ObjectKind::ThreadLocal(id, _)) = self.objects[object].kind
        else {
            return false;
        };
        let initial = &self.program.globals[id].initial;
        offset.exact().is_some_and(|offset| {
            initial
                .iter()
                .any(|(at, initial)| *at == offset && matches!(initial, Initial::Address(_)))
        })
    }

    /// Whether what nobody has written is zero, else undefined.
    pub(crate) fn is_zeroed(&self, object: ObjectId) -> bool {
        self.objects[object].is_zeroed
    }

    /// What a load may give.
    pub(crate) fn load(&self, instance: InstanceId, address: &Expression, ty: Scalar) -> ValueSet {
        let mut found = ValueSet::default();
        for (object, offset) in self.values(instance, address).addresses() {
            found.add(&self.read(object, offset, ty));
        }
        found
    }

    pub(super) fn store(
        &mut self,
        instance: InstanceId,
        address: &Expression,
        ty: Scalar,
        values: &ValueSet,
    ) {
        let model = self.program.model;
        let size = ty.size(model);
        let narrow = number(ty, model);
        let values = if size < model.pointer_bytes() || matches!(ty, Scalar::Float(_)) {
            &narrow
        } else {
            values
        };
        let targets: Vec<(ObjectId, Offset)> = self.values(instance, address).addresses().collect();
        for (object, offset) in targets {
            self.write(object, offset, size, values);
        }
    }
}
