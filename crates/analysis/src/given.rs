//! What the analyses that come first found of a program, for those that stand on them.

use crate::conflicts::Access;
use crate::escape::Escape;
use crate::locksets::Locksets;
use crate::parallel::Parallel;
use crate::points_to::PointsTo;

/// What was found of one program.
pub(crate) struct Given<'a, 'p> {
    pub(crate) points_to: &'a PointsTo<'p>,
    pub(crate) accesses: &'a [Access],
    pub(crate) locksets: &'a Locksets,
    pub(crate) parallel: &'a Parallel,
    pub(crate) escape: &'a Escape,
}
