//! What every crate of the project may use: typed indices and the containers they name, bit sets, source
//! places, a fast hash, numbers that look random, values as bytes and the budget of a run.

mod arena;
mod bit_set;
mod budget;
mod graph;
mod hash;
mod random;
pub mod saved;
mod source;
mod turns;

pub use arena::{Arena, Id, SideTable};
pub use bit_set::BitSet;
pub use budget::{Budget, Exhausted, peak_resident_bytes, resident_bytes};
pub use graph::components;
pub use hash::{FastHasher, FastMap, FastSet, fast_hash, fast_hasher};
pub use random::Random;
pub use source::{FileId, LineColumn, SourceFile, SourceMap, Span};
pub use turns::Turn;
