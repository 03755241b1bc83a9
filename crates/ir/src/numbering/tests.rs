//! Names, compared with their definition: what is held is found by going through everything, and numbers are tried one by one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use raddle_base::Id;

use super::holders::{
    dead_objects, is_thread_named, named_threads, objects_that_name, synchronising_objects,
    thread_names_object,
};
use super::*;
use crate::action::Action;
use crate::bytes::Cell;
use crate::interpret::memory::kill;
use crate::interpret::state::{Frame, Object, Origin, Storage, Sync, Thread, Value};
use crate::program::{Function, ProgramDraft, Register, Root};
use crate::types::{FloatType, IntType, MutexKind, Scalar};
use crate::validate::validate;

const REGISTERS: [Scalar; 4] = [
    Scalar::Pointer,
    Scalar::Thread,
    Scalar::Int(IntType::unsigned(64)),
    Scalar::Float(FloatType::F64),
];

fn program(model: DataModel) -> Program {
    let mut draft = ProgramDraft::new(model);
    let mut function = Function::new("main");
    for ty in REGISTERS {
        function.registers.push(Register {
            name: format!("{ty:?}"),
            ty,
            is_temporary: false,
            span: None,
        });
    }
    let (entry, exit) = (function.entry, function.exit);
    function.connect(entry, Action::Return { value: None }, exit, None);
    let function = draft.functions.push(function);
    draft.roots.push(Root {
        name: "main".into(),
        index: Some(0),
        function,
        arguments: Vec::new(),
        span: None,
    });
    validate(draft).expect("a program that does nothing")
}

fn thread(program: &Program) -> Thread {
    let (function, code) = program.functions.iter().next().expect("there is one");
    Thread {
        function,
        creator: None,
        child: 0,
        frames: vec![Frame {
            function,
            location: code.entry,
            registers: vec![Value::Undefined; REGISTERS.len()],
            stack_objects: Vec::new(),
            target: None,
        }],
        result: Value::Undefined,
        result_type: None,
        woken: None,
        is_detached: false,
        locals: Vec::new(),
        units: Vec::new(),
        atomic_depth: 0,
    }
}

fn object(size: usize) -> Object {
    Object {
        storage: Storage::Heap,
        is_live: true,
        bytes: vec![None; size].into(),
        syncs: BTreeMap::new(),
        origin: Origin::Global(GlobalId::from_index(0)),
    }
}

/// All that a state holds, found by going through everything.
struct All {
    words: BTreeSet<u128>,
    threads: BTreeSet<u64>,
}

/// The words that an object holds.
fn words_in(object: &Object, model: DataModel) -> Vec<u128> {
    let cells: Vec<Cell> = object.bytes.cells().collect();
    let words = words_of(&cells, model);
    words.chain(awaited_words(object)).collect()
}

impl All {
    fn of(program: &Program, state: &State) -> Self {
        let (threads, objects) = (state.threads.values(), state.objects.values());
        let in_threads = threads.flat_map(|it| thread_words(program, it).chain(woken_words(it)));
        let in_objects = objects.clone().flat_map(|it| words_in(it, program.model));
        let words: BTreeSet<u128> = in_threads.chain(in_objects).collect();
        let syncs = objects.flat_map(|it| it.syncs.values());
        let in_syncs = syncs.flat_map(Sync::threads).map(|it| it.0);
        let as_words = words.iter().filter_map(|it| u64::try_from(*it).ok());
        let spawned = spawned_threads(program.model);
        let threads = as_words.chain(in_syncs).filter(|it| spawned.contains(it));
        Self {
            threads: threads.collect(),
            words,
        }
    }

    fn has_object(&self, number: u32, model: DataModel) -> bool {
        let mut objects = self.words.iter().map(|it| split_pointer(*it, model).0);
        objects.any(|it| it == number)
    }

    /// The number that a new object gets.
    fn fresh_object(
        &self,
        program: &Program,
        state: &State,
        maker: ThreadNumber,
        size: u64,
    ) -> Option<ObjectNumber> {
        let model = program.model;
        let is_free = |number: &u32| {
            model.is_made(*number)
                && !state.objects.contains_key(&ObjectNumber(*number))
                && !state.places.has(ObjectNumber(*number))
                && !self.has_object(*number, model)
        };
        let made = model.made_objects();
        let small = model.small_objects();
        let is_small = size <= 4095;
        let lane = lane(program, maker);
        let own = lane.and_then(|lane| numbers_of_lane(&made, lane));
        let has_own = own.is_some();
        let [_, high] = model.large_objects();
        let end = if high.is_empty() {
            made.end
        } else {
            high.start
        };
        let in_own = own.and_then(|mut it| it.find(|number| *number < end && is_free(number)));
        let in_high = || high.clone().rev().find(is_free);
        let found = in_own.or_else(|| if has_own { None } else { in_high() });
        let found = found.or_else(|| {
            let lane = lane.filter(|_| is_small && !small.is_empty());
            let lane = lane.and_then(|lane| numbers_of_lane(&small, lane));
            lane.and_then(|mut it| it.find(is_free))
        });
        found
            .or_else(|| small.rev().find(|number| is_small && is_free(number)))
            .or_else(|| made.rev().find(is_free))
            .map(ObjectNumber)
    }
}

/// A sequence of numbers that look random.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % sides
    }

    fn pick<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.roll(among.len())]
    }
}

/// States that come from each other by changes, and what is asked of them.
struct Changes {
    program: Program,
    dice: Dice,
    state: State,
}

impl Changes {
    fn objects(&self) -> Vec<ObjectNumber> {
        self.state.objects.unobserved().keys().copied().collect()
    }

    fn threads(&self) -> Vec<ThreadNumber> {
        self.state.threads.unobserved().keys().copied().collect()
    }

    /// The name of something that is there, or was, or that nothing has, or a common number.
    fn word(&mut self) -> u128 {
        let model = self.program.model;
        let (objects, threads) = (self.objects(), self.threads());
        match self.dice.roll(6) {
            0 | 1 if !objects.is_empty() => {
                let number = self.dice.pick(&objects);
                let below = (1 << model.offset_bits_of(number.0)) - 8;
                join_pointer(number.0, self.dice.pick(&[0, 0, 4, below]), model)
            }
            2 => {
                let maker = self.dice.pick(&threads);
                let numbers = lane_of_thread(&self.program, maker).unwrap_or(0..1);
                join_pointer(numbers.start, 0, model)
            }
            3 => self.dice.pick(&threads).0.into(),
            4 => {
                let child = u32::try_from(self.dice.roll(80)).expect("small");
                let number = child_number(&self.program, ThreadNumber(0), child);
                number.expect("an early child").0.into()
            }
            _ => self.dice.pick(&[0, 1, 0x3fe0_0000_0000_0000, 0xffff_ffff]),
        }
    }

    fn write(&mut self) {
        let objects = self.objects();
        if objects.is_empty() {
            return;
        }
        let number = self.dice.pick(&objects);
        let word = self.word().to_le_bytes();
        let size = usize::try_from(self.program.model.pointer_bytes()).expect("4 or 8");
        let object = self.state.objects.get_mut(&number).expect("is there");
        let len = object.bytes.len();
        if len >= size {
            let at = self.dice.roll(len - size + 1);
            let cells = word[..size].iter().map(|it| Some(*it));
            let cells: Vec<Cell> = cells.collect();
            Arc::make_mut(object).bytes.write(at, &cells);
        }
    }

    fn synchronise(&mut self) {
        let (objects, threads) = (self.objects(), self.threads());
        let thread = self.dice.pick(&threads);
        let word = self.word();
        let sync = match self.dice.roll(3) {
            0 => Sync::Mutex {
                kind: MutexKind::Plain,
                owner: Some(thread),
                count: 1,
            },
            1 => Sync::Condition {
                waiting: BTreeMap::from([(thread, word)]),
            },
            _ => Sync::Semaphore { value: 1 },
        };
        if let Some(number) = objects.first().map(|_| self.dice.pick(&objects)) {
            let object = Arc::make_mut(self.state.objects.get_mut(&number).expect("is there"));
            if object.syncs.is_empty() && object.is_live {
                object.syncs.insert(0, sync);
            } else {
                object.syncs.clear();
            }
        }
    }

    fn change(&mut self) {
        let threads = self.threads();
        let thread_number = self.dice.pick(&threads);
        let objects = self.objects();
        let (program, state) = (&self.program, &mut self.state);
        match self.dice.roll(12) {
            0..3 => {
                let size = self.dice.pick(&[0, 8, 8, 24, 300, 5000]);
                let all = All::of(program, state);
                let expected = all.fresh_object(program, state, thread_number, size);
                let number = fresh_object_number(program, state, thread_number, size);
                assert_eq!(number, expected, "for {thread_number:?}");
                let number = number.expect("few objects");
                let size = usize::try_from(size).expect("small");
                state.objects.insert(number, Arc::new(object(size)));
            }
            3..6 => self.write(),
            6 => self.synchronise(),
            7 => {
                let word = self.word();
                let at = self.dice.roll(REGISTERS.len());
                let thread = self.state.threads.get_mut(&thread_number);
                let thread = Arc::make_mut(thread.expect("is there"));
                thread.frames[0].registers[at] = Value::Bits(word);
            }
            8 if !objects.is_empty() => {
                let number = self.dice.pick(&objects);
                if state.objects[&number].is_live {
                    kill(state, number);
                }
            }
            9 => {
                let all = All::of(program, state);
                forget_dead(program, state, |_, _| false);
                let left = |it: &ObjectNumber| {
                    let named = all.has_object(it.0, program.model);
                    named || state.objects.get(it).is_some_and(|it| it.is_live)
                };
                let gone = objects.iter().filter(|it| !left(it));
                assert!(gone.clone().all(|it| !state.objects.contains_key(it)));
                let count = objects.len() - gone.count();
                assert_eq!(state.objects.len(), count);
            }
            10 => {
                let all = All::of(program, state);
                let is_free = |number: &ThreadNumber| {
                    !state.threads.contains_key(number) && !all.threads.contains(&number.0)
                };
                let children = (0..).map(|it| child_number(program, thread_number, it));
                let expected = children.map_while(|it| it).find(is_free);
                let found = fresh_child(program, state, thread_number).map(|it| it.1);
                assert_eq!(found, expected);
                let thread = Arc::new(thread(program));
                if let Some(found) = found.filter(|_| threads.len() < 90) {
                    state.threads.insert(found, thread);
                }
            }
            _ => {
                if thread_number != ThreadNumber(0) && threads.len() > 60 {
                    state.threads.remove(&thread_number);
                }
            }
        }
    }

    fn check(&mut self) {
        let word = self.word();
        let (program, state) = (&self.program, &self.state);
        let model = program.model;
        let objects = state.objects.unobserved();
        let such = |is_such: &dyn Fn(&Object) -> bool| -> Vec<ObjectNumber> {
            let found = objects.iter().filter(|(_, it)| is_such(it));
            found.map(|(number, _)| *number).collect()
        };
        let dead: Vec<ObjectNumber> = dead_objects(state).map(|it| it.0).collect();
        assert_eq!(dead, such(&|it| !it.is_live));
        let synchronising = synchronising_objects(state).map(|it| it.0);
        let synchronising: Vec<ObjectNumber> = synchronising.collect();
        assert_eq!(synchronising, such(&|it| !it.syncs.is_empty()));
        let all = All::of(program, state);
        let named = named_threads(program, state);
        assert_eq!(named.into_iter().collect::<BTreeSet<u64>>(), all.threads);
        let (number, _) = split_pointer(word, model);
        let is_name = |word: &u128| split_pointer(*word, model).0 == number;
        if model.is_made(number) {
            let found = objects_that_name(program, state, ObjectNumber(number));
            let found: Vec<ObjectNumber> = found.map(|it| it.0).collect();
            let expected = such(&|it| words_in(it, model).iter().any(is_name));
            assert_eq!(found, expected, "{number:#x}");
            let threads = state.threads.unobserved().values();
            let expected = threads
                .flat_map(|it| thread_words(program, it).chain(woken_words(it)))
                .any(|it| is_name(&it));
            let found = thread_names_object(program, state, ObjectNumber(number));
            assert_eq!(found, expected, "{number:#x}");
        }
        if let Ok(thread) = u64::try_from(word)
            && spawned_threads(model).contains(&thread)
        {
            let found = is_thread_named(program, state, ThreadNumber(thread));
            assert_eq!(found, all.threads.contains(&thread), "{thread:#x}");
        }
    }
}

#[test]
fn names_are_found_and_given_as_if_everything_were_gone_through() {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let program = program(model);
        let root = Arc::new(thread(&program));
        let mut changes = Changes {
            dice: Dice(7),
            state: State {
                threads: [(ThreadNumber(0), root)].into_iter().collect(),
                objects: [].into_iter().collect(),
                places: crate::places::Places::default(),
                has_ended: false,
            },
            program,
        };
        let mut earlier = vec![changes.state.clone(); 3];
        let (mut most_objects, mut most_threads) = (0, 0);
        for _ in 0..2_000 {
            changes.change();
            changes.check();
            most_objects = most_objects.max(changes.state.objects.len());
            most_threads = most_threads.max(changes.state.threads.len());
            // Sometimes what is remembered of one state is used for another that shares parts with it.
            if changes.dice.roll(20) == 0 {
                let at = changes.dice.roll(earlier.len());
                earlier[at] = changes.state.clone();
            } else if changes.dice.roll(60) == 0 {
                let at = changes.dice.roll(earlier.len());
                changes.state = earlier[at].clone();
            }
        }
        assert!(most_objects > 100, "only {most_objects} objects");
        assert!(most_threads > 50, "only {most_threads} threads");
    }
}

/// A name that a common number looks like is not given while the number is there, so who makes an object and who writes the number
/// would not commute.
#[test]
fn common_numbers_are_not_mistaken_for_the_first_names() {
    let floats = [0.0_f64, 0.5, 1.0, 1.5, 2.0, 3.0, 10.0, 100.0, -0.5, -1.0];
    let wide = floats.iter().map(|it| it.to_bits().to_le_bytes().to_vec());
    let narrow = [0.0_f32, 0.5, 1.0, 1.5, 2.0, 3.0, 10.0, 100.0, -0.5, -1.0];
    let narrow = narrow.iter().map(|it| it.to_bits().to_le_bytes().to_vec());
    let integers = (-300_i64..=300).map(|it| it.to_le_bytes().to_vec());
    let values: Vec<Vec<u8>> = wide.chain(narrow).chain(integers).collect();
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let lanes = (0..7).filter_map(|lane| numbers_for_all_sizes(model, lane));
        let first: BTreeSet<u32> = lanes.map(|it| it.start).collect();
        for value in &values {
            let cells: Vec<Cell> = value.iter().map(|it| Some(*it)).collect();
            for word in words_of(&cells, model) {
                let (object, _) = split_pointer(word, model);
                assert!(!first.contains(&object), "{value:x?} names {object:#x}");
            }
        }
    }
}

#[test]
fn small_objects_take_no_number_from_others() {
    let model = DataModel::Ilp32;
    let [low, high] = model.large_objects();
    let small = model.small_objects();
    for number in [low.start, low.end - 1, high.start, high.end - 1] {
        for offset in [0, 1, (1 << 20) - 4096, (1 << 20) - 1] {
            let pointer = join_pointer(number, offset, model);
            assert_eq!(split_pointer(pointer, model), (number, offset));
        }
    }
    for number in [small.start, small.start + 1, small.end - 1] {
        for offset in [0, 4095, (1 << 13) - 4096, (1 << 13) - 1] {
            let pointer = join_pointer(number, offset, model);
            assert_eq!(split_pointer(pointer, model), (number, offset));
        }
    }
    for number in low.end..high.start {
        let pointer = u128::from(number) << model.offset_bits();
        let (found, _) = split_pointer(pointer, model);
        assert!(small.contains(&found));
    }
}

#[test]
fn gamma_codes_can_be_read_back() {
    for path in [
        vec![1],
        vec![1, 1, 1],
        vec![3, 1, 17, 2],
        vec![10_000, 1],
        vec![1; 60],
    ] {
        let code = path
            .iter()
            .try_fold(1, |code, &number| append_gamma(code, number))
            .expect("fits 64 bits");
        assert_eq!(gamma_path(code), Some(path));
    }
}

#[test]
fn the_lane_of_an_object_is_that_of_its_maker() {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        for lane in 0..20 {
            let numbers = numbers_for_all_sizes(model, lane).expect("early lanes have room");
            for number in [numbers.start, numbers.start + 1, numbers.end - 1] {
                let found = lane_of(model, ObjectNumber(number));
                assert_eq!(found, Some(numbers.clone()), "lane {lane}");
            }
        }
        let globals = model.given_objects().end - 1;
        assert_eq!(lane_of(model, ObjectNumber(globals)), None);
        let small = model.small_objects().start;
        assert_eq!(lane_of(model, ObjectNumber(small)), None);
    }
}

#[test]
fn a_word_that_does_not_fit_is_refused() {
    assert_eq!(append_gamma(1 << 63, 1), None);
    assert_eq!(append_gamma(1 << 62, 1), Some(1 << 63 | 1));
}
