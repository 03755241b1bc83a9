//! What conditions ask of a state. The explicit engine answers with values, symbolic ones with terms.

use std::rc::Rc;

use raddle_ir::{EdgeId, Expression, FunctionId, LocationId, RegisterId, Scalar};

/// A state, as the thread sees it that wants to move.
pub trait Surroundings {
    /// Whether something is so.
    type Truth: Copy;
    type Word: Copy;
    /// Names the frame of a thread.
    type Frame: Clone;

    fn truth(&mut self, value: bool) -> Self::Truth;
    fn and(&mut self, one: Self::Truth, other: Self::Truth) -> Self::Truth;
    fn or(&mut self, one: Self::Truth, other: Self::Truth) -> Self::Truth;
    fn not(&mut self, truth: Self::Truth) -> Self::Truth;
    /// Whether that is certain.
    fn is_true(&self, truth: Self::Truth) -> bool;
    fn is_false(&self, truth: Self::Truth) -> bool;
    /// The same where the thread is here and a condition holds; simpler, if the state can tell.
    fn given(&mut self, truth: Self::Truth, condition: Self::Truth) -> Self::Truth;

    fn constant(&mut self, bits: u128, ty: Scalar) -> Self::Word;

    /// What an expression gives, with other values in some registers, and whether nothing goes wrong.
    fn evaluate(
        &mut self,
        frame: &Self::Frame,
        expression: &Expression,
        filled: &[(RegisterId, Self::Word)],
    ) -> Option<(Self::Word, Self::Truth)>;

    /// What a cell holds, and whether it is there and set.
    fn load(&mut self, address: Self::Word, ty: Scalar) -> Option<(Self::Word, Self::Truth)>;

    /// Whether so many bytes, or the whole objects, at two addresses have none in common.
    fn are_apart(
        &mut self,
        one: (Self::Word, Option<u64>),
        other: (Self::Word, Option<u64>),
    ) -> Self::Truth;

    /// Whether a cell is there, set, and holds something else.
    fn differs(&mut self, address: Self::Word, ty: Scalar, value: Self::Word) -> Self::Truth;

    /// Whether the asking thread holds the lock for itself alone.
    fn holds(&mut self, lock: Self::Word) -> Self::Truth;

    /// Where all other threads may be.
    fn others(&mut self) -> Rc<[Other<Self::Truth, Self::Frame>]>;
}

/// Another thread at one of the places where it may be.
pub struct Other<Truth, Frame> {
    pub is_there: Truth,
    /// It began with this one.
    pub function: FunctionId,
    /// The outermost first.
    pub frames: Vec<(Frame, FunctionId, At)>,
}

/// Where a frame stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    Location(LocationId),
    /// In a call.
    Call(EdgeId),
}
