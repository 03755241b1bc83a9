//! What people call the pieces of a state.

use raddle_base::Id;
use raddle_encode::Encoder;
use raddle_encode::names::{ObjectName, ThreadIndex};
use raddle_ir::interpret::{Interpreter, ObjectNumber, State};

use crate::slot::{Field, LinkField, Slot, ValuePart};

/// Names by the words of the program.
pub(crate) struct Naming<'a, 'p> {
    pub(crate) encoder: &'a Encoder<'p>,
    pub(crate) interpreter: &'a Interpreter<'p>,
    /// Some state the program begins in.
    pub(crate) first: &'a State,
    /// What allocations make: the function and the register, and which of them.
    pub(crate) made: &'a [(ObjectName, String)],
}

impl Naming<'_, '_> {
    pub(crate) fn thread(&self, thread: ThreadIndex) -> String {
        let program = self.encoder.program;
        if let Some(root) = program.roots.get(thread.index()) {
            return root.display_name();
        }
        let function = self.encoder.instances[thread].function;
        let ids = self.encoder.instances.iter();
        let before = ids
            .take_while(|(id, _)| *id != thread)
            .filter(|(_, it)| it.function == function)
            .count();
        format!("{}#{}", program.functions[function].name, before + 1)
    }

    fn place(&self, object: ObjectName, offset: u64) -> String {
        if let Some((_, name)) = self.made.iter().find(|it| it.0 == object) {
            return if offset == 0 {
                name.clone()
            } else {
                format!("{name}+{offset}")
            };
        }
        let of_thread = self.encoder.instances.iter().find_map(|(thread, it)| {
            let at = it.local_objects.iter().position(|it| *it == object)?;
            let globals = self.encoder.program.globals.values();
            let global = globals.filter(|it| it.is_thread_local).nth(at);
            Some(format!("{} of {}", global?.name, self.thread(thread)))
        });
        if let Some(name) = of_thread {
            return format!("{name}+{offset}");
        }
        let number = u32::try_from(object.in_terms()).unwrap_or(u32::MAX);
        (self.interpreter).place_name(self.first, ObjectNumber(number), offset)
    }

    pub(crate) fn slot(&self, slot: &Slot) -> String {
        match slot {
            Slot::Ended => "the process has ended".into(),
            Slot::At(thread) => format!("{} is at", self.thread(*thread)),
            Slot::Register(thread, calls, function, register, part) => {
                let program = self.encoder.program;
                let mut name = self.thread(*thread);
                for (caller, edge) in calls.iter() {
                    let at = edge.index();
                    name = format!("{name}/{}:{at}", program.functions[*caller].name);
                }
                let function = &program.functions[*function];
                let register = &function.registers[*register].name;
                let name = format!("{name}/{}.{register}", function.name);
                part_of(name, *part)
            }
            Slot::Live(object) => format!("{} lives", self.place(*object, 0)),
            Slot::Cell(object, offset, size, part) => {
                let name = self.place(*object, *offset);
                let is_byte = *size == 1;
                let name = if is_byte {
                    format!("{name} [byte {offset}]")
                } else {
                    name
                };
                part_of(name, *part)
            }
            Slot::Sync(object, offset, field) => {
                format!("{}: {}", self.place(*object, *offset), self.field(*field))
            }
            Slot::Link(thread, field) => {
                format!("{}: {}", self.thread(*thread), link_field(*field))
            }
            Slot::Freed(room) => format!("{room} bytes were freed"),
        }
    }

    fn field(&self, field: Field) -> String {
        let of = |what: &str, thread: ThreadIndex| format!("{what} {}", self.thread(thread));
        match field {
            Field::Exists => "exists".into(),
            Field::Owner => "owner".into(),
            Field::Count | Field::HeldOnce => "count".into(),
            Field::Writer => "writer".into(),
            Field::Readers(thread) => of("reads of", thread),
            Field::Waits(thread) | Field::WaitsAtMonitor(thread) => of("waiting", thread),
            Field::WaitsWith(thread) => of("mutex of", thread),
            Field::Value => "value".into(),
            Field::Needed => "needed".into(),
            Field::Arrived(thread) => of("arrived", thread),
            Field::CountOfWaiting(thread) => of("count of waiting", thread),
            Field::Notified(thread) => of("notified", thread),
            Field::CountOfNotified(thread) => of("count of notified", thread),
        }
    }
}

fn part_of(name: String, part: ValuePart) -> String {
    match part {
        ValuePart::Bits => name,
        ValuePart::IsSet => format!("{name} is set"),
    }
}

fn link_field(field: LinkField) -> &'static str {
    match field {
        LinkField::Exists => "can be joined",
        LinkField::HasEnded => "has ended",
        LinkField::IsDetached => "is detached",
        LinkField::Result(ValuePart::Bits) => "result",
        LinkField::Result(ValuePart::IsSet) => "result is set",
        LinkField::IsSignalled => "is signalled",
        LinkField::IsReleased => "is released",
        LinkField::Condition => "was woken at",
        LinkField::Mutex => "was woken with",
        LinkField::MayTimeOut => "may time out",
        LinkField::IsSerial => "is serial",
    }
}
