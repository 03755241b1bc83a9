//! What people call threads, places and what a thread waits for.

pub(crate) mod naming;
pub(crate) mod serializability;
mod unset;
mod violations;
mod waiting;
