//! What keeps a reduction sound beside the table of movers, each by name, so that tests can leave one out and look whether
//! that is noticed.

/// A side condition that is left out. No search that a user starts leaves any out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Omission {
    /// After the commit a state is passed only if all steps of the thread are left movers.
    AllStepsMoveLeft,
    /// After the commit a state is passed only if no other thread can enable more steps.
    NobodyEnablesMore,
    /// A step that stops the execution does not move.
    StopsDoNotMove,
    /// The state before the end of the process is not passed.
    EndIsNotPassed,
    /// The last step of a thread is no right mover.
    LastStepIsNotRight,
    /// Cycles after the commit are cut.
    CyclesAreCut,
    /// What rested on a guess is explored again when the guess gets weaker.
    WeakenedIsExploredAgain,
    /// Accesses on a way into an atomic section that is blocked are noted.
    BlockedAccessesAreNoted,
    /// So is what a thread waits for.
    WaitingIsNoted,
    /// So is what a step looked at that failed.
    FailuresAreNoted,
    /// So is what operations inside a section do to locks, wait sets and barriers.
    SectionsAreNoted,
    /// What an invariant looks at does not move.
    InvariantsAreWatched,
    /// A step that gives exclusive access to another thread is no left mover.
    GivingIsNotLeft,
    /// A thread may be alone only after joins.
    AloneByJoins,
    /// Nobody computes or invents a pointer.
    PointersAreNotInvented,
    /// A lock on the heap has a name only while its place made no other.
    OneObjectOfASite,
    /// What was published once stays so.
    PublishedStaysSo,
    /// Only locks that are held exclusively protect a write.
    WritersHoldExclusively,
    /// That an object lives is a cell that is read and written.
    LifeIsACell,
    /// New memory may lie where freed memory lay.
    AddressesComeBack,
    /// A number that becomes a pointer points to the object that lives there.
    NumbersLeadToTheLiving,
    /// After all states were seen, threads are looked for that wait in all that can come though others run.
    EndlessWaitsAreLookedFor,
    /// And so are states from which no thread can ever go on though some run.
    LivelocksAreLookedFor,
    /// That a wait may end for no reason helps no thread there.
    NobodyWakesForNoReason,
    /// Nor is it passed that a thread waits which is alone.
    LoneWaitsAreNotPassed,
}

impl Omission {
    pub const ALL: [Omission; 25] = [
        Omission::AllStepsMoveLeft,
        Omission::NobodyEnablesMore,
        Omission::StopsDoNotMove,
        Omission::EndIsNotPassed,
        Omission::LastStepIsNotRight,
        Omission::CyclesAreCut,
        Omission::WeakenedIsExploredAgain,
        Omission::BlockedAccessesAreNoted,
        Omission::WaitingIsNoted,
        Omission::FailuresAreNoted,
        Omission::SectionsAreNoted,
        Omission::InvariantsAreWatched,
        Omission::GivingIsNotLeft,
        Omission::AloneByJoins,
        Omission::PointersAreNotInvented,
        Omission::OneObjectOfASite,
        Omission::PublishedStaysSo,
        Omission::WritersHoldExclusively,
        Omission::LifeIsACell,
        Omission::AddressesComeBack,
        Omission::NumbersLeadToTheLiving,
        Omission::EndlessWaitsAreLookedFor,
        Omission::LivelocksAreLookedFor,
        Omission::NobodyWakesForNoReason,
        Omission::LoneWaitsAreNotPassed,
    ];
}
