//! Nobody gets past the door: what comes out when an engine says that everything is safe.

use std::collections::BTreeMap;

use raddle_base::SourceMap;
use raddle_engine::{
    Answer, Budget, Claims, Counters, Engine, EngineId, Events, Proof, Property, Reason, Reduction,
    Semantics, Silent, Task, Trace, Verdict, decide, settled,
};
use raddle_ir::{DataModel, Program};

const PLAIN: &str = "thread t { skip }\n";
const HEAP: &str = "thread t {\n    let p = alloc u32\n    free p\n}\n";
const FIXED: &str = "var x: u8\ninvariant x == 0\nthread t { skip }\n";
const MOVING: &str = "var p: *u8\ninvariant p == null or *p == 3\nthread t { skip }\n";
const RELAXED: &str = "var x: u8\nthread t { atomic_store(x, 1, relaxed) }\n";
const TRY: &str = "mutex m\nthread t { try_acquire m }\n";
const UNITS: &str = "var x: u8\nvar y: u8\natomicset S { x, y }\nthread t { skip }\n";

/// Says that everything is safe.
#[derive(Clone)]
struct Believer {
    reduction: Reduction,
    proof: Proof,
    decides: fn(Property) -> bool,
    looks_in_doubt: bool,
    is_asked_more: bool,
    /// What it was asked for.
    asked: Vec<Property>,
    says: fn(Property) -> Option<Reason>,
    forgets: Option<Property>,
    is_exhaustive: bool,
    /// What it says that it came across, if it looks for such things.
    weakness: Option<Reason>,
}

impl Believer {
    fn new(reduction: Reduction) -> Self {
        Self {
            reduction,
            proof: Proof::SearchExhausted(reduction),
            decides: |_| true,
            looks_in_doubt: false,
            is_asked_more: false,
            asked: Vec::new(),
            says: |_| None,
            forgets: None,
            is_exhaustive: false,
            weakness: None,
        }
    }
}

impl Engine for Believer {
    fn id(&self) -> EngineId {
        EngineId::Reference
    }

    fn reduction(&self) -> Reduction {
        self.reduction
    }

    fn decides(&self, property: Property) -> bool {
        (self.decides)(property)
    }

    fn looks_in_doubt(&self) -> bool {
        self.looks_in_doubt
    }

    fn is_asked_more(&self, property: Property) -> bool {
        self.is_asked_more && property == Property::AtomicSets
    }

    fn claim(&mut self, task: &Task<'_>, _: &Budget, _: &mut dyn Events) -> Claims {
        self.asked.clone_from(&task.semantics.properties);
        // It claims things that nobody has asked for, too.
        let mut verdicts: BTreeMap<Property, Verdict> = Property::ALL
            .into_iter()
            .map(|property| {
                let verdict = match (self.says)(property) {
                    Some(reason) => Verdict::Unknown(reason),
                    None => Verdict::Safe(self.proof.clone()),
                };
                (property, verdict)
            })
            .collect();
        if let Some(property) = self.forgets {
            verdicts.remove(&property);
        }
        let answer = Answer {
            verdicts,
            is_exhaustive: self.is_exhaustive,
            ..Answer::default()
        };
        match &self.weakness {
            Some(weakness) => Claims::of_search(answer, Some(weakness.clone())),
            None => Claims::new(answer),
        }
    }

    fn decide_unordered(
        &mut self,
        _: &Task<'_>,
        weakness: &Reason,
        _: &Budget,
        events: &mut dyn Events,
    ) -> (Verdict, Counters) {
        events.progress(&Counters::new());
        (Verdict::Unknown(weakness.clone()), Counters::new())
    }
}

fn program(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add("program.rad", text);
    raddle_front_rad::read(&[(file, text)], DataModel::Lp64)
        .unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// What is said of a property: a word, and the code of the reason.
type Said = (&'static str, &'static str);

fn said(verdict: &Verdict) -> Said {
    let code = match verdict {
        Verdict::Unknown(reason) => reason.code(),
        Verdict::Safe(Proof::NothingToCheck) => "nothing-to-check",
        Verdict::Safe(_) | Verdict::Unsafe(_) => "",
    };
    (verdict.word(), code)
}

const SAFE: Said = ("safe", "");
const UNSOUND: Said = ("unknown", "unsound-reduction");
const NOBODY: Said = ("unknown", "no-engine");
const NOTHING: Said = ("safe", "nothing-to-check");

/// What comes out of the door, if everything is asked for.
fn out_of(engine: &mut Believer, text: &str) -> BTreeMap<Property, Said> {
    let program = program(text);
    let task = Task::new(&program, Semantics::default());
    let answer = decide(engine, &task, &Budget::unlimited(), &mut Silent);
    assert_eq!(
        answer.verdicts.keys().copied().collect::<Vec<_>>(),
        Property::ALL,
        "one verdict for each"
    );
    let settled = settled(engine, &task);
    for (property, verdict) in &answer.verdicts {
        let is_asked = engine.asked.contains(property);
        assert_eq!(is_asked, !settled.contains_key(property), "{property}");
        if let Some(before) = settled.get(property) {
            assert_eq!(said(before), said(verdict), "{property}");
        }
    }
    answer
        .verdicts
        .iter()
        .map(|(property, verdict)| (*property, said(verdict)))
        .collect()
}

#[test]
fn what_has_nothing_to_check_is_safe_whoever_is_asked() {
    for reduction in Reduction::ALL {
        let out = out_of(&mut Believer::new(reduction), PLAIN);
        assert_eq!(out[&Property::AtomicSets], NOTHING, "{reduction}");
    }
    let mut idle = Believer {
        decides: |_| false,
        ..Believer::new(Reduction::None)
    };
    assert_eq!(out_of(&mut idle, PLAIN)[&Property::AtomicSets], NOTHING);
    assert_eq!(out_of(&mut idle, UNITS)[&Property::AtomicSets], NOBODY);
    let mut more = Believer {
        is_asked_more: true,
        ..Believer::new(Reduction::None)
    };
    assert_eq!(out_of(&mut more, PLAIN)[&Property::AtomicSets], SAFE);
}

#[test]
fn what_the_engine_does_not_decide_is_not_asked_of_it() {
    for reduction in Reduction::ALL {
        let mut engine = Believer {
            decides: |it| it == Property::Assert,
            ..Believer::new(reduction)
        };
        for (property, said) in out_of(&mut engine, UNITS) {
            let expected = if property == Property::Assert {
                SAFE
            } else {
                NOBODY
            };
            assert_eq!(said, expected, "{reduction} and {property}");
        }
        assert_eq!(engine.asked, [Property::Assert]);
    }
}

#[test]
fn what_the_engine_leaves_out_is_not_decided() {
    let mut engine = Believer {
        forgets: Some(Property::Deadlock),
        ..Believer::new(Reduction::None)
    };
    let out = out_of(&mut engine, PLAIN);
    assert_eq!(out[&Property::Deadlock], NOBODY);
    assert_eq!(out[&Property::Race], SAFE);
}

#[test]
fn no_property_is_safe_by_a_reduction_that_does_not_keep_it() {
    for reduction in Reduction::ALL {
        for looks_in_doubt in [false, true] {
            let mut engine = Believer {
                looks_in_doubt,
                ..Believer::new(reduction)
            };
            for (property, said) in out_of(&mut engine, UNITS) {
                let expected = if reduction.is_sound_for(property) {
                    SAFE
                } else {
                    UNSOUND
                };
                assert_eq!(said, expected, "{reduction} and {property}");
            }
        }
    }
}

#[test]
fn with_a_heap_no_lost_memory_is_excluded_where_right_movers_are_put_off() {
    for reduction in Reduction::ALL {
        let mut engine = Believer::new(reduction);
        let expected = if reduction.has_right_movers() {
            UNSOUND
        } else {
            SAFE
        };
        assert_eq!(out_of(&mut engine, HEAP)[&Property::Memory], expected);
        assert_eq!(expected == SAFE, engine.asked.contains(&Property::Memory));
        assert_eq!(out_of(&mut engine, PLAIN)[&Property::Memory], SAFE);
        // Whoever looks all the same is asked, and not believed.
        let mut in_doubt = Believer {
            looks_in_doubt: true,
            ..Believer::new(reduction)
        };
        assert_eq!(out_of(&mut in_doubt, HEAP)[&Property::Memory], expected);
        assert!(in_doubt.asked.contains(&Property::Memory));
    }
}

#[test]
fn invariants_are_kept_by_a_reduction_only_where_it_is_known_what_they_read() {
    for reduction in Reduction::ALL {
        let mut engine = Believer::new(reduction);
        let expected = if reduction == Reduction::None {
            SAFE
        } else {
            UNSOUND
        };
        assert_eq!(out_of(&mut engine, FIXED)[&Property::Invariant], SAFE);
        assert_eq!(out_of(&mut engine, MOVING)[&Property::Invariant], expected);
    }
}

#[test]
fn no_search_excludes_races_where_interleavings_are_not_all() {
    for (text, code) in [(RELAXED, "weaker-memory-order"), (TRY, "try-lock")] {
        let mut engine = Believer::new(Reduction::None);
        for (property, said) in out_of(&mut engine, text) {
            let expected = match property {
                Property::Race => ("unknown", code),
                Property::AtomicSets => NOTHING,
                Property::Assert
                | Property::Deadlock
                | Property::Memory
                | Property::Leak
                | Property::Overflow
                | Property::LockMisuse
                | Property::Uninitialized
                | Property::Undefined
                | Property::Invariant => SAFE,
            };
            assert_eq!(said, expected, "{property}");
        }
        // A proof that covers every execution is one.
        let mut prover = Believer {
            proof: Proof::OverApproximation {
                procedure: "by locks",
                reasons: Vec::new(),
            },
            ..Believer::new(Reduction::None)
        };
        assert_eq!(out_of(&mut prover, text)[&Property::Race], SAFE);
    }
}

#[test]
fn what_the_engine_does_not_know_stays_as_it_says() {
    let mut engine = Believer {
        looks_in_doubt: true,
        says: |_| Some(Reason::OutOfTime),
        ..Believer::new(Reduction::Phase)
    };
    let out = out_of(&mut engine, HEAP);
    assert_eq!(out[&Property::Memory], ("unknown", "time"));
    let mut engine = Believer {
        reduction: Reduction::None,
        ..engine
    };
    assert_eq!(
        out_of(&mut engine, TRY)[&Property::Race],
        ("unknown", "time")
    );
}

/// What is unknown for good, of all that is asked for.
fn hopeless(mut engine: Believer, text: &str) -> Vec<Property> {
    let program = program(text);
    let task = Task::new(&program, Semantics::default());
    let answer = decide(&mut engine, &task, &Budget::unlimited(), &mut Silent);
    answer.unknown_for_good.into_iter().collect()
}

#[test]
fn what_a_search_of_all_executions_leaves_unknown_stays_so_if_the_program_is_to_blame() {
    let undefined = |_| {
        Some(Reason::Undefined {
            what: "a division by zero".to_owned(),
            span: None,
            property: Property::Undefined,
        })
    };
    let searcher = |reduction, says| Believer {
        is_exhaustive: true,
        says,
        ..Believer::new(reduction)
    };
    let kept = |reduction: Reduction| {
        let all = Property::ALL.into_iter();
        all.filter(move |it| reduction.is_sound_for(*it))
    };
    for reduction in Reduction::ALL {
        let expected: Vec<Property> = kept(reduction).collect();
        assert_eq!(hopeless(searcher(reduction, undefined), UNITS), expected);
    }
    let unfinished = Believer {
        is_exhaustive: false,
        ..searcher(Reduction::None, undefined)
    };
    assert_eq!(hopeless(unfinished, UNITS), [], "others may find something");
    let others: [fn(Property) -> Option<Reason>; 3] = [
        |_| Some(Reason::OutOfTime),
        |_| {
            Some(Reason::TooManyChoices {
                values: 1 << 32,
                span: None,
                is_unanalysed: false,
                is_in_c: false,
            })
        },
        |_| None,
    ];
    for says in others {
        assert_eq!(hopeless(searcher(Reduction::None, says), UNITS), []);
    }
}

#[test]
fn a_race_that_no_search_excludes_is_unknown_for_good() {
    let weakness = Some(Reason::WeakerMemoryOrder { span: None });
    for text in [RELAXED, TRY] {
        for engine in [
            Believer::new(Reduction::None),
            Believer::new(Reduction::Optimistic),
        ] {
            assert_eq!(
                hopeless(engine.clone(), text),
                [],
                "happens-before may tell"
            );
            let looked = Believer {
                weakness: weakness.clone(),
                ..engine
            };
            assert_eq!(hopeless(looked, text), [Property::Race], "{text}");
        }
        let in_doubt = Believer {
            looks_in_doubt: true,
            weakness: weakness.clone(),
            ..Believer::new(Reduction::Phase)
        };
        assert_eq!(hopeless(in_doubt, text), [], "it may have missed some");
    }
}

/// Notes what is known when an engine begins to ask for happens-before.
#[derive(Default)]
struct Listener {
    told: Option<Vec<Property>>,
    told_before: Option<Vec<Property>>,
}

impl Events for Listener {
    fn progress(&mut self, _: &Counters) {
        self.told_before.clone_from(&self.told);
    }

    fn violated(&mut self, _: &Trace) {}

    fn answered(&mut self, answer: &Answer) {
        assert!(self.told.is_none(), "told once");
        self.told = Some(answer.verdicts.keys().copied().collect());
    }
}

#[test]
fn what_is_known_is_told_before_happens_before_is_asked_for() {
    let others = || {
        let all = Property::ALL.into_iter();
        all.filter(|it| *it != Property::Race).collect::<Vec<_>>()
    };
    for (text, expected) in [
        (RELAXED, Some(others())),
        (TRY, Some(others())),
        (PLAIN, None),
    ] {
        let program = program(text);
        let task = Task::new(&program, Semantics::default());
        let mut listener = Listener::default();
        let mut engine = Believer::new(Reduction::None);
        let answer = decide(&mut engine, &task, &Budget::unlimited(), &mut listener);
        assert_eq!(answer.verdicts.len(), Property::ALL.len());
        assert_eq!(listener.told_before, expected, "{text}");
    }
}
