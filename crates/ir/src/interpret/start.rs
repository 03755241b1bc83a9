//! Where a program starts: its globals, its roots, and one state for each choice of undetermined cells.

use std::sync::Arc;

use crate::arithmetic::largest_object;
use crate::expression::Expression;
use crate::program::{FunctionId, GlobalId, Initial};
use crate::types::Scalar;

use super::evaluate::Evaluator;
use super::frame::finish_frames;
use super::memory;
use super::state::{Origin, State, Storage, Table, Thread, ThreadNumber, Value};
use super::{Interpreter, Stop};
use crate::numbering;
use crate::places::Places;

impl Interpreter<'_> {
    /// The states in which a program may start, with the numbers that the definition gives them.
    pub(super) fn start(&self) -> Result<Vec<(usize, State)>, Stop> {
        let program = self.program;
        let mut state = State {
            threads: Table::default(),
            objects: Table::default(),
            places: Places::default(),
            has_ended: false,
        };
        for (_, global) in program.globals.iter() {
            let size = program.size_of(&global.ty).unwrap_or(u64::MAX);
            let addresses = largest_object(program.model.offset_bits());
            if size > memory::MAX_OBJECT_BYTES.min(addresses) {
                return Err(Stop::Unsupported {
                    what: format!("an object of {size} bytes"),
                    span: global.span,
                });
            }
        }
        for (id, _) in program.globals.iter().filter(|(_, it)| !it.is_thread_local) {
            let number = numbering::global_number(id);
            let object = self.new_global(id);
            state.objects.insert(number, Arc::new(object));
        }
        for (index, root) in program.roots.iter().enumerate() {
            let number = ThreadNumber(index as u64);
            let child = u32::try_from(index).expect("fewer than 2^32 roots");
            let arguments = root
                .arguments
                .iter()
                .map(|argument| Value::Bits(self.constant(argument)))
                .collect();
            self.add_thread(&mut state, number, root.function, None, child, arguments)
                .map_err(|what| Stop::Unsupported {
                    what,
                    span: root.span,
                })?;
        }
        let cells = self.undetermined();
        let mut states = vec![(0, state)];
        for (cell, tried) in cells.iter().zip(self.initial_values(&cells)?) {
            let object = numbering::global_number(cell.global);
            let mut begun = Vec::with_capacity(states.len() * tried.values.len());
            for (number, state) in &states {
                for &(place, bits) in &tried.values {
                    let mut state = state.clone();
                    let value = Value::Bits(bits);
                    memory::write(program, &mut state, object, cell.offset, cell.ty, value);
                    begun.push((number * tried.all + place, state));
                }
            }
            states = begun;
        }
        Ok(states)
    }

    /// The bits of a constant expression: addresses of globals and functions count as constants.
    fn constant(&self, expression: &Expression) -> u128 {
        let empty = State {
            threads: Table::default(),
            objects: Table::default(),
            places: Places::default(),
            has_ended: false,
        };
        let registers = raddle_base::Arena::new();
        let mut evaluator = Evaluator {
            program: self.program,
            state: &empty,
            thread: None,
            types: &registers,
            values: &[],
            overflowed: false,
            observes_layout: false,
        };
        evaluator.bits(expression).unwrap_or(0)
    }

    /// An object as its declaration makes it; `Initial::Any` cells are zero.
    fn new_global(&self, id: GlobalId) -> super::Object {
        let program = self.program;
        let global = &program.globals[id];
        let size = program.size_of(&global.ty).expect("validated: has a size");
        let storage = if global.is_thread_local {
            Storage::ThreadLocal
        } else {
            Storage::Global
        };
        let number = numbering::global_number(id);
        let object = memory::new_object(
            program,
            storage,
            Origin::Global(id),
            size,
            Some(&global.ty),
            Some(0),
        );
        let mut alone = State {
            threads: Table::default(),
            objects: std::iter::once((number, Arc::new(object))).collect(),
            places: Places::default(),
            has_ended: false,
        };
        for (offset, initial) in &global.initial {
            match initial {
                Initial::Scalar(ty, bits) => {
                    memory::write(
                        program,
                        &mut alone,
                        number,
                        *offset,
                        *ty,
                        Value::Bits(*bits),
                    );
                }
                Initial::Address(expression) => {
                    let bits = Value::Bits(self.constant(expression));
                    memory::write(program, &mut alone, number, *offset, Scalar::Pointer, bits);
                }
                Initial::Any(_) => {}
                Initial::Sync(init) => {
                    let first = match init {
                        crate::SyncInit::Semaphore(value) | crate::SyncInit::Barrier(value) => {
                            self.constant(value)
                        }
                        crate::SyncInit::Mutex(_)
                        | crate::SyncInit::ReadWriteLock
                        | crate::SyncInit::Condition
                        | crate::SyncInit::Monitor => 0,
                    };
                    let first = u32::try_from(first).unwrap_or(u32::MAX);
                    let made = memory::made_sync(init, first);
                    let object = alone.objects.get_mut(&number).expect("just made");
                    memory::put_sync(program, Arc::make_mut(object), *offset, made);
                }
            }
        }
        Arc::unwrap_or_clone(alone.objects.remove(&number).expect("just made"))
    }

    /// Starts a thread: its first frame and its copies of thread-local globals.
    pub(super) fn add_thread(
        &self,
        state: &mut State,
        number: ThreadNumber,
        function: FunctionId,
        creator: Option<ThreadNumber>,
        child: u32,
        arguments: Vec<Value>,
    ) -> Result<(), String> {
        let program = self.program;
        let mut thread = Thread {
            function,
            creator,
            child,
            frames: Vec::new(),
            result: Value::Undefined,
            result_type: None,
            woken: None,
            is_detached: false,
            locals: Vec::new(),
            units: Vec::new(),
            atomic_depth: 0,
        };
        for (id, _) in program.globals.iter().filter(|(_, it)| it.is_thread_local) {
            let local = self.new_global(id);
            let size = local.bytes.len() as u64;
            let object = numbering::fresh_object_number(program, state, number, size)
                .ok_or("more objects than pointers can name")?;
            state.objects.insert(object, Arc::new(local));
            thread.locals.push(object);
        }
        thread
            .frames
            .push(self.new_frame(function, arguments, None));
        state.threads.insert(number, Arc::new(thread));
        finish_frames(self, state, number, (Value::Undefined, None));
        Ok(())
    }
}
