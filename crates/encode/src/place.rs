//! Where threads stand: calls are inlined and loops unrolled as far as executions get, so that a place is visited at most
//! once in an execution, and what is made there is one thing with one name.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use raddle_analysis::feedback::Order;
use raddle_base::{Id, SideTable};
use raddle_ir::{EdgeId, Function, FunctionId, LocationId, Program, RegisterId};
use raddle_reduce::dynamic::At;

/// A loop is followed so far without a place where others may run.
pub const MOST_ROUNDS: u32 = 2_000;

/// Recursion is followed so far.
pub const MOST_FRAMES: usize = 50;

/// Whether a place is too far to go on: recursion and loops in atomic sections need an end.
pub fn is_too_far(place: &UnrolledPoint) -> bool {
    place.depth() > MOST_FRAMES || place.round() > MOST_ROUNDS + 1
}

/// A function that is running, and which round of its loops it is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    pub function: FunctionId,
    pub location: LocationId,
    /// One number for each loop that the location is in, the outermost first.
    rounds: Vec<u32>,
    /// The call it stands at, and where the caller wants the result, unless it is the running one.
    call: Option<(EdgeId, Option<RegisterId>)>,
}

/// A point of the unrolling of a thread.
#[derive(Clone, Debug)]
pub struct UnrolledPoint {
    /// The running function is the last.
    spots: Arc<[Spot]>,
    /// Orders the places of a thread so that steps lead to greater ones.
    key: Arc<[u32]>,
}

impl PartialEq for UnrolledPoint {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for UnrolledPoint {}

impl PartialOrd for UnrolledPoint {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for UnrolledPoint {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key.cmp(&other.key)
    }
}

impl UnrolledPoint {
    pub fn top(&self) -> &Spot {
        self.spots.last().expect("a place has a running function")
    }

    pub fn depth(&self) -> usize {
        self.spots.len()
    }

    /// Where the frames stand, the outermost first.
    pub fn frames(&self) -> impl Iterator<Item = (FunctionId, At)> + '_ {
        self.spots.iter().map(|spot| {
            let at = match spot.call {
                Some((edge, _)) => At::Call(edge),
                None => At::Location(spot.location),
            };
            (spot.function, at)
        })
    }

    /// Whether the innermost loop was just entered.
    pub fn is_first_round(&self) -> bool {
        self.round() == 0
    }

    /// In which round the innermost loop of the running function is.
    pub fn round(&self) -> u32 {
        self.top().rounds.last().copied().unwrap_or(0)
    }
}

/// The orders of all functions, by which places follow one another.
pub struct Places<'p> {
    program: &'p Program,
    orders: SideTable<FunctionId, Order>,
    /// Locations from which no way leads to the end of their function.
    endless: BTreeSet<(FunctionId, LocationId)>,
}

/// Where a thread comes when its running function ends.
pub enum Returned {
    /// To the caller, which wants the result here.
    To(UnrolledPoint, Option<RegisterId>),
    /// The thread ends.
    Nowhere,
}

impl<'p> Places<'p> {
    pub fn new(program: &'p Program) -> Self {
        let mut orders = None;
        let mut endless = BTreeSet::new();
        for (id, function) in program.functions.iter() {
            let order = Order::new(function);
            let orders =
                orders.get_or_insert_with(|| SideTable::filled(&program.functions, order.clone()));
            orders[id] = order;
            endless.extend(without_end(function).map(|it| (id, it)));
        }
        Self {
            program,
            orders: orders.expect("a program has a function"),
            endless,
        }
    }

    pub fn is_head(&self, place: &UnrolledPoint) -> bool {
        let spot = place.top();
        self.orders[spot.function].is_head(spot.location)
    }

    /// The loops that the running function is in, the outermost first.
    pub fn loops(&self, place: &UnrolledPoint) -> &[LocationId] {
        let spot = place.top();
        self.orders[spot.function].heads(spot.location)
    }

    /// Whether the running function never ends from here.
    pub fn is_endless(&self, place: &UnrolledPoint) -> bool {
        let spot = place.top();
        self.endless.contains(&(spot.function, spot.location))
    }

    /// Where a thread begins.
    pub fn start(&self, function: FunctionId) -> UnrolledPoint {
        self.made(vec![self.entry(function)])
    }

    /// The place without the rounds of its loops, for engines in which loops stay loops.
    pub fn folded(&self, place: &UnrolledPoint) -> UnrolledPoint {
        let mut spots = place.spots.to_vec();
        for spot in &mut spots {
            spot.rounds.fill(0);
        }
        self.made(spots)
    }

    /// Whether one of the frames stands in a loop.
    pub fn is_in_loop(&self, place: &UnrolledPoint) -> bool {
        place.spots.iter().any(|it| !it.rounds.is_empty())
    }

    /// Where an edge leads that is no call.
    pub fn after(&self, place: &UnrolledPoint, to: LocationId) -> UnrolledPoint {
        let mut spots = place.spots.to_vec();
        let top = spots.last_mut().expect("runs");
        *top = self.moved(top, to);
        self.made(spots)
    }

    /// The beginning of a function that is called.
    pub fn call(
        &self,
        place: &UnrolledPoint,
        edge: EdgeId,
        target: Option<RegisterId>,
        callee: FunctionId,
    ) -> UnrolledPoint {
        let mut spots = place.spots.to_vec();
        spots.last_mut().expect("runs").call = Some((edge, target));
        spots.push(self.entry(callee));
        self.made(spots)
    }

    /// Where the caller goes on.
    pub fn back(&self, place: &UnrolledPoint) -> Returned {
        let mut spots = place.spots.to_vec();
        spots.pop();
        let Some(top) = spots.last_mut() else {
            return Returned::Nowhere;
        };
        let (edge, target) = top.call.take().expect("the caller stands at a call");
        let to = self.program.edge(top.function, edge).to;
        *top = self.moved(top, to);
        Returned::To(self.made(spots), target)
    }

    pub fn is_exit(&self, place: &UnrolledPoint) -> bool {
        let spot = place.top();
        spot.location == self.program.functions[spot.function].exit
    }

    fn entry(&self, function: FunctionId) -> Spot {
        let location = self.program.functions[function].entry;
        Spot {
            function,
            location,
            rounds: vec![0; self.orders[function].heads(location).len()],
            call: None,
        }
    }

    /// A loop that is entered begins with round 0; its head begins the next.
    fn moved(&self, spot: &Spot, to: LocationId) -> Spot {
        let order = &self.orders[spot.function];
        let before = order.heads(spot.location);
        let rounds = order
            .heads(to)
            .iter()
            .enumerate()
            .map(|(level, head)| {
                if before.get(level) == Some(head) {
                    spot.rounds[level] + u32::from(*head == to)
                } else {
                    0
                }
            })
            .collect();
        Spot {
            function: spot.function,
            location: to,
            rounds,
            call: None,
        }
    }

    fn made(&self, spots: Vec<Spot>) -> UnrolledPoint {
        let mut key = Vec::new();
        for spot in &spots {
            let order = &self.orders[spot.function];
            let index = |id: usize| u32::try_from(id).expect("fewer than 2^32");
            key.push(index(spot.function.index()));
            for (head, round) in order.heads(spot.location).iter().zip(&spot.rounds) {
                key.extend([order.position(*head), *round]);
            }
            key.push(order.position(spot.location));
            if let Some((edge, _)) = spot.call {
                key.push(index(edge.index()));
            }
        }
        UnrolledPoint {
            spots: spots.into(),
            key: key.into(),
        }
    }
}

/// The locations of a function from which its exit cannot be reached.
fn without_end(function: &Function) -> impl Iterator<Item = LocationId> {
    let mut before = vec![Vec::new(); function.locations.len()];
    for edge in function.edges.values() {
        before[edge.to.index()].push(edge.from);
    }
    let mut ends = vec![false; function.locations.len()];
    let mut pending = vec![function.exit];
    while let Some(location) = pending.pop() {
        if !std::mem::replace(&mut ends[location.index()], true) {
            pending.append(&mut before[location.index()]);
        }
    }
    let all = ends.into_iter().enumerate();
    all.filter(|(_, ends)| !ends)
        .map(|(location, _)| LocationId::from_index(location))
}
