//! The decision procedure against all interleavings of small systems (AS §7–9), and its witnesses.

use raddle_base::{Budget, Id};
use raddle_bdd::Capacity;
use raddle_engine_wpds::interleave::{Turn, accepts, interleave};
use raddle_engine_wpds::minimal::Minimal;
use raddle_engine_wpds::patterns::{PatternSet, circles, sandwich};
use raddle_engine_wpds::phases::PhaseAutomaton;
use raddle_engine_wpds::product::{Indexed, Tuple, are_all_compatible, run, tuples};
use raddle_engine_wpds::reentrant::{Bracket, RawProcess, Reduced, reduce};
use raddle_engine_wpds::sided::Procedure as _;
use raddle_engine_wpds::symbolic::Symbolic;
use raddle_engine_wpds::system::{AccessKind, CellId, Process, SymbolId};

use raddle_testkit::processes::{Random, RawConfiguration, Size, Truth, process, truth};

fn size(random: &mut Random) -> Size {
    Size {
        locks: random.below(3),
        cells: 1 + random.below(2),
        functions: 1 + random.below(2),
        statements: 3,
        depth: 2,
    }
}

fn automaton(random: &mut Random, cells: usize) -> PhaseAutomaton {
    let cells: Vec<CellId> = (0..cells).map(CellId::from_index).collect();
    if random.below(4) == 0 {
        let kind = [AccessKind::Read, AccessKind::Write][random.below(2)];
        return sandwich(&cells, cells[random.below(cells.len())], kind, 0);
    }
    let mut patterns = PatternSet::ThirtyTwo.patterns();
    patterns.retain(|it| it.locations() <= cells.len());
    patterns[random.below(patterns.len())].automaton(&cells, 0)
}

/// Algorithm 1 of AS: every choice of one tuple for each party.
fn decide_one_by_one(
    processes: &[&Process],
    locks: usize,
    automaton: &PhaseAutomaton,
) -> Option<Vec<Tuple>> {
    let of_parties = processes.iter().enumerate().map(|(party, process)| {
        tuples(&Indexed::new(process), locks, &automaton.side(party)).expect("small")
    });
    let of_parties: Vec<Vec<Tuple>> = of_parties.collect();
    choose(&of_parties, &mut Vec::new())
}

/// With those chosen, one tuple of each further party so that all are compatible.
fn choose<'t>(of_parties: &'t [Vec<Tuple>], chosen: &mut Vec<&'t Tuple>) -> Option<Vec<Tuple>> {
    let Some((tuples, rest)) = of_parties.split_first() else {
        return Some(chosen.iter().map(|it| (*it).clone()).collect());
    };
    tuples.iter().find_map(|tuple| {
        chosen.push(tuple);
        let found = are_all_compatible(chosen)
            .then(|| choose(rest, chosen))
            .flatten();
        chosen.pop();
        found
    })
}

/// Algorithm 2 of AS.
fn decide_symbolically(
    processes: &[&Process],
    locks: usize,
    automaton: &PhaseAutomaton,
) -> Option<Vec<Tuple>> {
    let phases = automaton.phases.len();
    let budget = Budget::unlimited();
    let capacity = Capacity::small();
    let parties: Vec<usize> = (0..processes.len()).collect();
    let mut symbolic = Symbolic::new(processes, locks, phases, parties.len(), capacity, &budget)
        .expect("the table is large enough");
    symbolic
        .decide(automaton, &parties)
        .expect("the table is large enough")
}

/// The same with the least tuples only.
fn decide_by_stretches(
    processes: &[&Process],
    locks: usize,
    automaton: &PhaseAutomaton,
) -> Option<Vec<Tuple>> {
    let mut minimal = Minimal::new(processes, locks, usize::MAX, &Budget::unlimited());
    let parties: Vec<usize> = (0..processes.len()).collect();
    minimal.decide(automaton, &parties).expect("no limits")
}

fn witness(
    processes: &[&Process],
    locks: usize,
    automaton: &PhaseAutomaton,
    chosen: &[Tuple],
) -> Vec<Turn> {
    let paths: Vec<_> = processes
        .iter()
        .zip(chosen)
        .enumerate()
        .map(|(party, (process, tuple))| {
            let side = automaton.side(party);
            run(&Indexed::new(process), locks, &side, tuple)
                .expect("small")
                .expect("a run has the tuple")
        })
        .collect();
    interleave(processes, locks, &paths).expect("compatible histories can be interleaved")
}

/// The turns as steps of the processes before their reduction.
fn replays(raw: &[RawProcess], reduced: &[Reduced], locks: usize, turns: &[Turn]) -> bool {
    let mut configuration = RawConfiguration::initial(raw, locks);
    turns.iter().all(|turn| {
        let origin = reduced[turn.party].origins[turn.rule.index()];
        origin.is_none_or(|rule| {
            configuration
                .apply(turn.party, &raw[turn.party].rules[rule])
                .is_some()
        })
    })
}

/// What was found, for so many seeds.
#[derive(Debug, Default)]
struct Seen {
    accepted: u32,
    not_accepted: u32,
    /// Not accepted, as far as all interleavings could be looked at.
    too_many: u32,
    /// Checked step by step, and how many of them change the party while a lock is held.
    witnesses: u32,
    inside_of_locks: u32,
}

impl Seen {
    /// The turns are an execution that is accepted.
    fn check(
        &mut self,
        seed: u64,
        processes: &[&Process],
        locks: usize,
        automaton: &PhaseAutomaton,
        turns: &[Turn],
    ) {
        assert!(accepts(processes, locks, automaton, turns), "seed {seed}");
        self.witnesses += 1;
        let is_inside = turns.windows(2).any(|pair| {
            let process = processes[pair[0].party];
            let control = process.rules[pair[0].rule].to;
            pair[0].party != pair[1].party && !process.controls[control].held.is_empty()
        });
        self.inside_of_locks += u32::from(is_inside);
    }
}

fn compare(
    seeds: u64,
    parties: usize,
    automaton: impl Fn(&mut Random, usize) -> PhaseAutomaton,
) -> Seen {
    let mut seen = Seen::default();
    for seed in 0..seeds {
        let mut random = Random(seed);
        let size = size(&mut random);
        let raw: Vec<RawProcess> = (0..parties)
            .map(|index| process(&mut random, &size, &format!("p{index}")))
            .collect();
        let automaton = automaton(&mut random, size.cells);
        let reduced: Vec<Reduced> = raw
            .iter()
            .map(|it| reduce(it).expect("blocks are well nested"))
            .collect();
        let processes: Vec<&Process> = reduced.iter().map(|it| &it.process).collect();
        let chosen = decide_one_by_one(&processes, size.locks, &automaton);
        let symbolic = decide_symbolically(&processes, size.locks, &automaton);
        assert_eq!(symbolic.is_some(), chosen.is_some(), "seed {seed}");
        let minimal = decide_by_stretches(&processes, size.locks, &automaton);
        assert_eq!(minimal.is_some(), chosen.is_some(), "seed {seed}");
        for found in [&symbolic, &minimal, &chosen].into_iter().flatten() {
            let turns = witness(&processes, size.locks, &automaton, found);
            seen.check(seed, &processes, size.locks, &automaton, &turns);
            assert!(replays(&raw, &reduced, size.locks, &turns), "seed {seed}");
        }
        let truth = truth(&raw, size.locks, &automaton, 8, 4_000);
        match (&chosen, truth) {
            (Some(_), Truth::NotAccepted) => panic!("seed {seed} is not accepted"),
            (None, Truth::Accepted) => panic!("seed {seed} is accepted"),
            (Some(_), Truth::Accepted | Truth::Unknown) => seen.accepted += 1,
            (None, Truth::NotAccepted) => seen.not_accepted += 1,
            (None, Truth::Unknown) => seen.too_many += 1,
        }
    }
    assert_eq!(seen.witnesses, 3 * seen.accepted);
    seen
}

#[test]
fn accepted_iff_some_execution_is() {
    let seen = compare(5_000, 2, automaton);
    assert!(seen.accepted > 200 && seen.not_accepted > 200, "{seen:?}");
    assert!(seen.inside_of_locks > 50, "{seen:?}");
}

#[test]
fn accepted_by_three_parties_iff_some_execution_is() {
    let seen = compare(600, 3, |random, cells| {
        let mut cell = || CellId::from_index(random.below(cells));
        let (left, entered) = (cell(), cell());
        let kind = [AccessKind::Read, AccessKind::Write][random.below(2)];
        let mut circles = circles(left, entered, kind, 0, true);
        circles.swap_remove(random.below(circles.len()))
    });
    assert!(seen.accepted > 20 && seen.not_accepted > 20, "{seen:?}");
}

/// The invariant of language strength reduction: a bracket is open iff exactly one mark of it is on the stack.
#[test]
fn a_bracket_is_open_iff_one_mark_of_it_is_on_the_stack() {
    use raddle_engine_wpds::execution::Configuration;
    let mut steps = 0;
    for seed in 0..400 {
        let mut random = Random(seed);
        let size = Size {
            locks: 2,
            cells: 1,
            functions: 2,
            statements: 2,
            depth: 2,
        };
        let raw = process(&mut random, &size, "p");
        let reduced = reduce(&raw).expect("blocks are well nested");
        let processes = [&reduced.process];
        let mut configuration = Configuration::initial(&processes, size.locks);
        for _ in 0..200 {
            let fitting = configuration.fitting(processes[0], 0);
            if fitting.is_empty() {
                break;
            }
            let rule = fitting[random.below(fitting.len())];
            configuration
                .apply(&processes, 0, rule)
                .expect("nobody else holds a lock");
            steps += 1;
            let marks = |bracket: Bracket| {
                let is_mark = |symbol: &&SymbolId| reduced.marks.get(*symbol) == Some(&bracket);
                configuration.stacks[0].iter().filter(is_mark).count()
            };
            let control = &processes[0].controls[configuration.controls[0]];
            assert_eq!(
                marks(Bracket::Unit),
                usize::from(control.is_in_unit),
                "seed {seed}"
            );
            for (lock, owner) in configuration.owners.iter().enumerate() {
                let lock = raddle_engine_wpds::system::LockId::from_index(lock);
                let is_held = control.held.contains(&lock);
                assert_eq!(is_held, owner.is_some(), "seed {seed}");
                assert_eq!(
                    marks(Bracket::Lock(lock)),
                    usize::from(is_held),
                    "seed {seed}"
                );
            }
        }
    }
    assert!(steps > 2_000, "{steps}");
}
