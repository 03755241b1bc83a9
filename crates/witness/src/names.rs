//! What people call threads, places and values around one step.

use raddle_ir::Scalar;
use raddle_ir::arithmetic::place_of;
use raddle_ir::interpret::{
    Interpreter, ObjectNumber, State, Storage, ThreadNumber, Value, null_thread, show,
};

/// Names of threads and places around one step.
pub(crate) struct Names<'a> {
    interpreter: &'a Interpreter<'a>,
    before: &'a State,
    after: Option<&'a State>,
}

impl<'a> Names<'a> {
    pub(crate) fn new(
        interpreter: &'a Interpreter<'a>,
        before: &'a State,
        after: Option<&'a State>,
    ) -> Self {
        Self {
            interpreter,
            before,
            after,
        }
    }

    /// The state that knows the thread or object: what a step makes is known after it, what it ends before it.
    fn knowing(&self, knows: impl Fn(&State) -> bool) -> &State {
        match self.after {
            Some(after) if !knows(self.before) => after,
            Some(_) | None => self.before,
        }
    }

    pub(crate) fn thread(&self, thread: ThreadNumber) -> String {
        let state = self.knowing(|state| state.threads.contains_key(&thread));
        self.interpreter.thread_name(state, thread)
    }

    pub(crate) fn place(&self, object: ObjectNumber, offset: u64) -> String {
        let state = self.knowing(|state| state.objects.contains_key(&object));
        self.interpreter.place_name(state, object, offset)
    }

    pub(crate) fn is_local(&self, object: ObjectNumber) -> bool {
        let known = self.before.objects.get(&object);
        known.is_some_and(|it| it.storage == Storage::Stack)
    }

    pub(crate) fn value(&self, value: Value, ty: Scalar) -> String {
        let Value::Bits(bits) = value else {
            return "undefined".to_owned();
        };
        match ty {
            Scalar::Int(_) => self.handle(bits).unwrap_or_else(|| show(bits, ty)),
            Scalar::Float(_) => show(bits, ty),
            Scalar::Pointer => self.pointer(bits),
            Scalar::Thread => self.thread_value(bits),
        }
    }

    /// The thread whose handle an integer is, as `pthread_t` holds it. The numbers of threads that somebody started
    /// are so large that hardly any other value is one of them.
    fn handle(&self, bits: u128) -> Option<String> {
        const SMALLEST: u64 = 1 << 32;
        let number = u64::try_from(bits).ok().filter(|it| *it >= SMALLEST)?;
        let thread = ThreadNumber(number);
        let is_thread = |state: &State| state.threads.contains_key(&thread);
        (is_thread(self.before) || self.after.is_some_and(is_thread))
            .then(|| format!("thread `{}`", self.thread(thread)))
    }

    fn pointer(&self, bits: u128) -> String {
        match place_of(bits, self.interpreter.program().model) {
            Some((object, offset)) if self.is_object(ObjectNumber(object)) => {
                format!("&{}", self.place(ObjectNumber(object), offset))
            }
            Some(_) | None => show(bits, Scalar::Pointer),
        }
    }

    fn is_object(&self, object: ObjectNumber) -> bool {
        self.before.objects.contains_key(&object)
            || self
                .after
                .is_some_and(|it| it.objects.contains_key(&object))
    }

    fn thread_value(&self, bits: u128) -> String {
        if bits == null_thread(self.interpreter.program().model) {
            return "nobody".to_owned();
        }
        match u64::try_from(bits) {
            Ok(number)
                if self.before.threads.contains_key(&ThreadNumber(number))
                    || self
                        .after
                        .is_some_and(|it| it.threads.contains_key(&ThreadNumber(number))) =>
            {
                self.thread(ThreadNumber(number))
            }
            Ok(_) | Err(_) => format!("{bits:#x}"),
        }
    }
}
