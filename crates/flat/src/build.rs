//! The shapes of all slots, found by looking at all steps until nothing new shows.
//!
//! # Definitions
//!
//! - A *pass* looks at every edge of every place of every thread once, from a state whose slots are written as their shapes ask for.
//!   What the steps make of the slots makes the shapes grow. The last pass is one in which nothing grows, and it is the relation.

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::{Budget, Id};
use raddle_encode::encoder::{Beginning, Encoder};
use raddle_encode::names::{ObjectName, ThreadIndex, first_thread};
use raddle_encode::place::UnrolledPoint;
use raddle_encode::state::{Frame, Local, Shared};
use raddle_encode::word::Word;
use raddle_engine::Reason;
use raddle_ir::Program;
use raddle_ir::interpret::{Interpreter, State};
use raddle_logic::{TermId, Terms};

use crate::Limits;
use crate::coding::Coding;
use crate::liveness::Liveness;
use crate::naming::Naming;
use crate::pass::{Coded, Pass, Stop};
use crate::shape::{Looked, NameRule, Shape};
use crate::slot::{self, Field, Slot, ValuePart};

/// The bits of the number of a place while places are still found.
const PLACE_BITS: u32 = 20;

/// The places of a thread, in the order in which they were found; the first has number 1.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stops {
    pub(crate) stops: Vec<Stop>,
    numbers: BTreeMap<UnrolledPoint, usize>,
}

impl Stops {
    pub(crate) fn number(&self, place: &UnrolledPoint) -> Option<usize> {
        self.numbers.get(place).copied()
    }
}

pub(crate) struct Builder<'p> {
    pub(crate) encoder: Encoder<'p>,
    pub(crate) limits: Limits,
    pub(crate) liveness: Liveness<'p>,
    pub(crate) threads: Vec<Stops>,
    pub(crate) shapes: BTreeMap<Slot, Shape>,
    /// What threads share: which slots there are.
    pub(crate) template: Shared,
    pub(crate) initial: Shared,
    /// Where the roots begin.
    pub(crate) roots: Vec<(UnrolledPoint, Local)>,
    /// Something has grown since the pass began.
    pub(crate) grows: bool,
    /// What allocations make, as it is called.
    pub(crate) made: Vec<(ObjectName, String)>,
    /// What slots are called, once all of them are known.
    names: BTreeMap<Slot, String>,
}

impl<'p> Builder<'p> {
    pub(crate) fn new(encoder: Encoder<'p>, beginning: Beginning, limits: Limits) -> Self {
        let program: &'p Program = encoder.program;
        let roots = beginning.whereabouts.values();
        let roots = roots.flat_map(|it| {
            it.iter()
                .map(|(place, local)| (place.clone(), local.clone()))
        });
        Self {
            liveness: Liveness::new(program),
            limits,
            threads: Vec::new(),
            shapes: BTreeMap::new(),
            template: beginning.shared.clone(),
            roots: roots.collect(),
            initial: beginning.shared,
            grows: false,
            made: Vec::new(),
            names: BTreeMap::new(),
            encoder,
        }
    }

    /// Looks at all steps until nothing grows; the last look.
    pub(crate) fn settle(
        &mut self,
        (interpreter, first): (&Interpreter<'p>, &State),
        budget: &Budget,
    ) -> Result<Pass, Reason> {
        self.begin();
        loop {
            budget.check()?;
            self.grows = false;
            let pass = self.pass(false, budget)?;
            self.grow(pass);
            if !self.grows {
                break;
            }
        }
        self.name_all(interpreter, first);
        let last = self.pass(true, budget)?;
        if self.grows {
            // Equal shapes give equal passes; whatever else this is, it is no relation.
            let what = "a program whose shapes do not settle".to_owned();
            return Err(Reason::Unsupported { what, span: None });
        }
        Ok(last)
    }

    /// Slots are called what people call them.
    fn name_all(&mut self, interpreter: &Interpreter<'p>, first: &State) {
        let naming = Naming {
            encoder: &self.encoder,
            interpreter,
            first,
            made: &self.made,
        };
        let threads = (0..self.threads.len()).map(|it| Slot::At(ThreadIndex::from_index(it)));
        let slots = self.shapes.keys().cloned().chain(threads);
        let names = slots.map(|it| {
            let name = naming.slot(&it);
            (it, name)
        });
        self.names = names.collect();
    }

    /// The roots stand where they begin, and memory holds what it begins with.
    fn begin(&mut self) {
        let mut slots = Vec::new();
        slot::change(&mut self.template.clone(), &mut |slot, term| {
            slots.push((slot, term));
            term
        });
        for (slot, term) in self.initial_terms(&slots) {
            self.grow_slot(&slot, term, &mut Looked::default());
        }
        for (index, (place, local)) in self.roots.clone().into_iter().enumerate() {
            let thread = ThreadIndex::from_index(index);
            let place = self.encoder.places.folded(&place);
            self.stop_at(thread, &place, &local);
            for (slot, term) in self.registers(thread, &place, &local) {
                self.grow_slot(&slot, term, &mut Looked::default());
            }
        }
    }

    /// The number of the place where a thread comes to; new places are noted.
    pub(crate) fn stop_at(
        &mut self,
        thread: ThreadIndex,
        place: &UnrolledPoint,
        local: &Local,
    ) -> usize {
        while self.threads.len() <= thread.index() {
            self.threads.push(Stops::default());
        }
        let known = &mut self.threads[thread.index()];
        let objects = local.frames.iter().map(|it| it.stack_objects.clone());
        let Some(number) = known.number(place) else {
            known.stops.push(Stop {
                place: place.clone(),
                units: local.units.clone(),
                stack_objects: objects.collect(),
            });
            let number = known.stops.len();
            known.numbers.insert(place.clone(), number);
            self.grows = true;
            return number;
        };
        let stop = &mut known.stops[number - 1];
        if stop.units != local.units && stop.units.is_some() {
            stop.units = None;
            self.grows = true;
        }
        for (known, new) in stop.stack_objects.iter_mut().zip(objects) {
            for object in new {
                if !known.contains(&object) {
                    known.push(object);
                    self.grows = true;
                }
            }
        }
        number
    }

    /// What the registers hold that somebody may read at a place.
    pub(crate) fn registers(
        &self,
        thread: ThreadIndex,
        place: &UnrolledPoint,
        local: &Local,
    ) -> Vec<(Slot, TermId)> {
        let mut found = Vec::new();
        for ((calls, function, at), frame) in slot::frames(place).into_iter().zip(&local.frames) {
            for register in self.liveness.at(function, at) {
                let word = frame.registers[register.index()];
                let slot = |part| Slot::Register(thread, calls.clone(), function, register, part);
                found.push((slot(ValuePart::Bits), word.bits));
                found.push((slot(ValuePart::IsSet), word.is_defined));
            }
        }
        found
    }

    /// The slots of the registers that somebody may read at a place.
    pub(crate) fn live_slots(&self, thread: ThreadIndex, place: &UnrolledPoint) -> BTreeSet<Slot> {
        let mut found = BTreeSet::new();
        for (calls, function, at) in slot::frames(place) {
            for register in self.liveness.at(function, at) {
                for part in [ValuePart::Bits, ValuePart::IsSet] {
                    found.insert(Slot::Register(
                        thread,
                        calls.clone(),
                        function,
                        register,
                        part,
                    ));
                }
            }
        }
        found
    }

    /// A thread at one of its places.
    pub(crate) fn local_at(&mut self, pass: &mut Pass, thread: ThreadIndex, stop: &Stop) -> Local {
        let program = self.encoder.program;
        let mut frames = Vec::new();
        let all = slot::frames(&stop.place).into_iter();
        for ((calls, function, at), stack_objects) in all.zip(&stop.stack_objects) {
            let live = self.liveness.at(function, at);
            let mut registers = Vec::new();
            for (register, declared) in program.functions[function].registers.iter() {
                let width = declared.ty.bits(program.model);
                if !live.contains(&register) {
                    registers.push(Word::undefined(&mut self.encoder.terms, width));
                    continue;
                }
                let slot = |part| Slot::Register(thread, calls.clone(), function, register, part);
                registers.push(Word {
                    bits: self.coded(pass, &slot(ValuePart::Bits), width),
                    is_defined: self.coded(pass, &slot(ValuePart::IsSet), 1),
                });
            }
            frames.push(Frame {
                registers,
                stack_objects: stack_objects.clone(),
            });
        }
        Local {
            guard: self.encoder.terms.truth(true),
            frames,
            is_open: self.encoder.terms.truth(false),
            units: stop.units.clone(),
        }
    }

    /// What a slot holds now, as it is written.
    pub(crate) fn coded(&mut self, pass: &mut Pass, slot: &Slot, width: u32) -> TermId {
        if let Some(known) = pass.coded.get(slot) {
            return known.current;
        }
        let model = self.encoder.program.model;
        let nothing = Shape::nothing();
        let shape = self.shapes.get(slot).unwrap_or(&nothing);
        let objects = &self.template.memory.objects;
        let size = |it: ObjectName| objects.get(&it).map_or(0, |it| it.size());
        let coding = match slot {
            Slot::At(_) => Coding::Number(width),
            Slot::Ended => Coding::Number(1),
            Slot::Register(..)
            | Slot::Live(_)
            | Slot::Cell(..)
            | Slot::Sync(..)
            | Slot::Link(..)
            | Slot::Freed(_) => Coding::of(shape, width, model, &size),
        };
        let terms = &mut self.encoder.terms;
        let widths = coding.widths();
        let name = self.names.get(slot).map_or("slot", String::as_str);
        let variables: Vec<TermId> = widths
            .iter()
            .map(|(width, part)| {
                let name = format!("{name}{part}");
                if terms.variable_named(&name).is_some() || self.names.is_empty() {
                    terms.fresh_variable(&name, *width)
                } else {
                    terms.variable(&name, *width)
                }
            })
            .collect();
        if let (Shape::Values(values), [only]) = (shape, &*variables)
            && matches!(coding, Coding::Number(_))
            && !matches!(slot, Slot::At(_) | Slot::Ended)
        {
            pass.looked.learn(*only, values.clone());
        }
        let current = coding.decode(terms, &variables, width, model);
        if !variables.is_empty() {
            let written = (coding.clone(), variables.clone());
            pass.written.insert(current, written);
        }
        let coded = Coded {
            coding,
            variables,
            current,
        };
        pass.coded.insert(slot.clone(), coded);
        current
    }

    /// The bits of the number of a place of a thread.
    fn place_bits(&self, thread: ThreadIndex, is_final: bool) -> u32 {
        if !is_final {
            return PLACE_BITS;
        }
        let count = self
            .threads
            .get(thread.index())
            .map_or(0, |it| it.stops.len());
        (usize::BITS - count.leading_zeros()).max(1)
    }

    /// The number of the place where a thread is.
    pub(crate) fn whereabouts(&mut self, pass: &mut Pass, thread: ThreadIndex) -> TermId {
        let bits = self.place_bits(thread, pass.is_final);
        self.coded(pass, &Slot::At(thread), bits)
    }

    /// A pass before its first step.
    pub(crate) fn blank(&mut self, is_final: bool) -> Pass {
        self.encoder.records.clear();
        self.encoder.rounds.clear();
        self.encoder.names.forget();
        let bits = if is_final {
            (usize::BITS - self.threads.len().leading_zeros()).max(1)
        } else {
            PLACE_BITS
        };
        let scheduled = self
            .encoder
            .terms
            .variable(&format!("who runs ({bits} bits)"), bits);
        let template = self.template.clone();
        let mut pass = Pass {
            coded: BTreeMap::new(),
            written: crate::coding::Written::default(),
            looked: Looked::default(),
            before: template.clone(),
            after: template.clone(),
            updates: BTreeMap::new(),
            cleared: BTreeMap::new(),
            arrived: Vec::new(),
            occasions: Vec::new(),
            moves: Vec::new(),
            scheduled,
            offers: BTreeMap::new(),
            runs: Vec::new(),
            is_final,
        };
        let all: Vec<Slot> = self.shapes.keys().cloned().collect();
        for slot in all {
            let width = self.width_of(&slot);
            if let Some(width) = width {
                self.coded(&mut pass, &slot, width);
            }
        }
        let mut before = template;
        let mut owner = None;
        slot::change(&mut before, &mut |slot, term| {
            let width = self.encoder.terms.width(term);
            if let Slot::Sync(_, _, Field::HeldOnce) = slot {
                let owner = owner.expect("comes before");
                return self.held_once(owner, width);
            }
            let current = self.coded(&mut pass, &slot, width);
            if let Slot::Sync(_, _, Field::Owner) = slot {
                owner = Some(current);
            }
            current
        });
        pass.after = before.clone();
        pass.before = before;
        pass
    }

    /// How often a mutex is held that nobody can hold twice.
    fn held_once(&mut self, owner: TermId, width: u32) -> TermId {
        let terms: &mut Terms = &mut self.encoder.terms;
        let is_free = terms.equals_constant(owner, 0);
        let (none, once) = (terms.constant(0, width), terms.constant(1, width));
        terms.if_then_else(is_free, none, once)
    }

    /// The width of a register; other slots are met with what threads share.
    fn width_of(&self, slot: &Slot) -> Option<u32> {
        let Slot::Register(_, _, function, register, part) = slot else {
            return None;
        };
        let program = self.encoder.program;
        let ty = program.functions[*function].registers[*register].ty;
        Some(match part {
            ValuePart::Bits => ty.bits(program.model),
            ValuePart::IsSet => 1,
        })
    }

    /// The shapes take in what a pass has shown of what threads share.
    fn grow(&mut self, mut pass: Pass) {
        let mut known: BTreeSet<Slot> = BTreeSet::new();
        slot::change(&mut pass.before.clone(), &mut |slot, term| {
            known.insert(slot);
            term
        });
        let mut found = Vec::new();
        slot::change(&mut pass.after.clone(), &mut |slot, term| {
            found.push((slot, term));
            term
        });
        let is_other = found.len() != known.len() || found.iter().any(|it| !known.contains(&it.0));
        if is_other {
            self.template = pass.after.clone();
            self.grows = true;
        }
        let first = self.initial_terms(&found);
        for (slot, term) in found {
            if matches!(slot, Slot::Sync(_, _, Field::HeldOnce)) {
                continue;
            }
            if let Some(first) = first.get(&slot) {
                self.grow_slot(&slot, *first, &mut pass.looked);
            }
            self.grow_slot(&slot, term, &mut pass.looked);
        }
    }

    /// A slot may hold a term.
    pub(crate) fn grow_slot(&mut self, slot: &Slot, term: TermId, looked: &mut Looked) {
        let model = self.encoder.program.model;
        let threads =
            first_thread(model)..first_thread(model) + self.encoder.instances.len() as u128;
        let objects = &self.template.memory.objects;
        let program = self.encoder.program;
        let numbers = 1..=(program.globals.len() + program.functions.len()) as u128;
        let is_name = |value: u128| {
            let (object, _) = ObjectName::split(value, model);
            threads.contains(&value)
                || objects.contains_key(&object)
                || numbers.contains(&object.in_terms())
                || self.made.iter().any(|it| it.0 == object)
        };
        let known = NameRule {
            model,
            is_name: &is_name,
        };
        let width = self.encoder.terms.width(term);
        let new = looked.shape(&self.encoder.terms, term, &known);
        let before = self
            .shapes
            .get(slot)
            .cloned()
            .unwrap_or_else(Shape::nothing);
        let mut joined = before.clone().join(new, width, &known);
        if let (Slot::Register(.., ValuePart::Bits), Shape::Values(values)) = (slot, &mut joined)
            && values.iter().any(|it| is_name(*it))
            && width >= model.pointer_bits()
        {
            // What it holds while nobody reads it.
            values.insert(0);
        }
        if joined != before || !self.shapes.contains_key(slot) {
            self.shapes.insert(slot.clone(), joined);
            self.grows = true;
        }
    }

    /// What the slots hold at the beginning; those of things that are not there yet are missing.
    pub(crate) fn initial_terms(&mut self, slots: &[(Slot, TermId)]) -> BTreeMap<Slot, TermId> {
        let mut known = BTreeMap::new();
        slot::change(&mut self.initial.clone(), &mut |slot, term| {
            known.insert(slot, term);
            term
        });
        let mut found = BTreeMap::new();
        for (slot, term) in slots {
            let width = self.encoder.terms.width(*term);
            let zero = self.encoder.terms.constant(0, width);
            let first = match slot {
                Slot::Cell(object, offset, size, part) => {
                    let Some(object) = self.initial.memory.objects.get(object) else {
                        continue;
                    };
                    let word = object.read(&mut self.encoder.terms, *offset, *size);
                    match part {
                        ValuePart::Bits => word.bits,
                        ValuePart::IsSet => word.is_defined,
                    }
                }
                Slot::At(_) | Slot::Register(..) => continue,
                Slot::Ended | Slot::Live(_) | Slot::Sync(..) | Slot::Link(..) | Slot::Freed(_) => {
                    known.get(slot).copied().unwrap_or(zero)
                }
            };
            found.insert(slot.clone(), first);
        }
        found
    }
}
