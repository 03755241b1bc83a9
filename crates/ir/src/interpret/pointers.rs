//! Which objects a thread or an object can lead to: whatever looks like a pointer counts as one.

use crate::arithmetic::split_pointer;
use crate::program::Program;
use crate::types::Scalar;

use super::numbering::words_of;
use super::state::{Object, ObjectNumber, Thread, Value};

/// The objects that the bytes of an object name.
pub fn from_object<'a>(
    program: &'a Program,
    object: &'a Object,
) -> impl Iterator<Item = ObjectNumber> + 'a {
    words_of(&object.bytes, program.model)
        .map(|word| ObjectNumber(split_pointer(word, program.model).0))
}

/// The objects that the registers and the result of a thread name.
pub fn from_thread(program: &Program, thread: &Thread) -> Vec<ObjectNumber> {
    let mut named = Vec::new();
    for frame in &thread.frames {
        let types = program.functions[frame.function].registers.values();
        for (value, register) in frame.registers.iter().zip(types) {
            named.extend(from_value(program, *value, register.ty));
        }
    }
    if let Some(ty) = thread.result_type {
        named.extend(from_value(program, thread.result, ty));
    }
    named
}

fn from_value(program: &Program, value: Value, ty: Scalar) -> Vec<ObjectNumber> {
    let (Value::Bits(bits), Scalar::Int(_) | Scalar::Pointer) = (value, ty) else {
        return Vec::new();
    };
    let bytes = bits.to_le_bytes().map(Some);
    let size = ty.size(program.model).max(program.model.pointer_bytes());
    let end = bytes.len().min(usize::try_from(size).expect("at most 16"));
    words_of(&bytes[..end], program.model)
        .map(|word| ObjectNumber(split_pointer(word, program.model).0))
        .collect()
}
