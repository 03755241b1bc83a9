//! Threads that wait or spin for ever: a judgement over many states.
//!
//! - [`stuck`]: threads that wait for ever; [`livelock`]: threads that spin for ever; `spinning`: where they may;
//! - [`closed`]: states that no way leaves.

pub mod closed;
pub mod livelock;
pub(crate) mod spinning;
pub mod stuck;
