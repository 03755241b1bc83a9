//! What the choices of executions are made of.

/// Where the variables come from that stand for what executions choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inputs {
    /// Each choice has a variable of its own: an engine that unrolls meets it once.
    Fresh,
    /// Choices of steps that exclude one another share variables; so many of the step were made.
    Shared(usize),
}
