//! Memory that nobody can free any more, and memory that is left when the process has ended.
//!
//! Fewer ways lead to memory here than in the interpreter: only words that are plainly made of addresses count, and only
//! where they are aligned. So memory that is lost there is lost here.

use std::collections::BTreeMap;

use raddle_encode::names::ObjectName;
use raddle_encode::pointees;
use raddle_encode::state::{Local, Shared};
use raddle_encode::word::Word;
use raddle_ir::Scalar;
use raddle_ir::arithmetic::BYTES_BELOW;
use raddle_ir::interpret::Storage;
use raddle_logic::TermId;

use crate::unroll::Unrolling;

/// Chains of more pointers than this are not followed.
const MOST_ROUNDS: usize = 16;

/// Who points to what was allocated, and under which conditions.
type Pointers = BTreeMap<ObjectName, Vec<TermId>>;

impl Unrolling<'_> {
    /// Whether something that was allocated cannot be reached from what threads and other objects hold.
    pub(crate) fn lost_memory(&mut self, shared: &Shared, locals: &[&Local]) -> TermId {
        let mut heap: BTreeMap<ObjectName, TermId> = BTreeMap::new();
        for (number, object) in &shared.memory.objects {
            if object.storage == Storage::Heap && !self.encoder.terms.is_false(object.is_live) {
                heap.insert(*number, object.is_live);
            }
        }
        if heap.is_empty() {
            return self.encoder.terms.truth(false);
        }
        let mut roots = Pointers::new();
        self.point_from_threads(&heap, shared, locals, &mut roots);
        let mut inner: BTreeMap<ObjectName, Pointers> = BTreeMap::new();
        for (number, object) in &shared.memory.objects {
            if self.encoder.terms.is_false(object.is_live) {
                continue;
            }
            let pointers = if heap.contains_key(number) {
                inner.entry(*number).or_default()
            } else {
                &mut roots
            };
            for word in object.words(&mut self.encoder.terms, self.encoder.program.model) {
                self.point(&heap, word, object.is_live, pointers);
            }
        }
        let direct: BTreeMap<ObjectName, TermId> = heap
            .keys()
            .map(|it| {
                (
                    *it,
                    self.encoder
                        .terms
                        .any(roots.get(it).map_or(&[], Vec::as_slice)),
                )
            })
            .collect();
        let mut reached = direct.clone();
        for _ in 0..heap.len().min(MOST_ROUNDS) {
            let mut next = direct.clone();
            for (from, pointers) in &inner {
                for (to, conditions) in pointers {
                    let points = self.encoder.terms.any(conditions);
                    let leads = self.encoder.terms.and(reached[from], points);
                    let known = next[to];
                    next.insert(*to, self.encoder.terms.or(known, leads));
                }
            }
            if next == reached {
                break;
            }
            reached = next;
        }
        let mut lost = Vec::new();
        for (number, is_live) in heap {
            let is_lost = self.encoder.terms.not(reached[&number]);
            lost.push(self.encoder.terms.and(is_live, is_lost));
        }
        let lost = self.encoder.terms.any(&lost);
        let goes_on = self.encoder.terms.not(shared.has_ended);
        self.encoder.terms.and(goes_on, lost)
    }

    fn point_from_threads(
        &mut self,
        heap: &BTreeMap<ObjectName, TermId>,
        shared: &Shared,
        locals: &[&Local],
        roots: &mut Pointers,
    ) {
        let width = self.encoder.program.model.pointer_bits();
        for local in locals {
            for word in local.frames.iter().flat_map(|it| &it.registers) {
                if self.encoder.terms.width(word.bits) == width {
                    self.point(heap, *word, local.guard, roots);
                }
            }
        }
        for link in shared.links.values() {
            if let Some((Scalar::Pointer | Scalar::Int(_), word)) = link.result
                && self.encoder.terms.width(word.bits) == width
            {
                let is_kept = self.encoder.terms.and(link.exists, link.has_ended);
                self.point(heap, word, is_kept, roots);
            }
        }
    }

    /// Notes what a word points to.
    fn point(
        &mut self,
        heap: &BTreeMap<ObjectName, TermId>,
        word: Word,
        condition: TermId,
        pointers: &mut Pointers,
    ) {
        let model = self.encoder.program.model;
        let terms = &mut self.encoder.terms;
        let condition = terms.and(condition, word.is_defined);
        if terms.is_false(condition) {
            return;
        }
        let named = pointees::named(terms, word.bits, model);
        if named.iter().all(|it| !heap.contains_key(it)) {
            return;
        }
        let below = terms.constant(u128::from(BYTES_BELOW), model.pointer_bits());
        let moved = terms.add(word.bits, below);
        let object = terms.extract(moved, model.offset_bits(), model.object_bits());
        for number in named.into_iter().filter(|it| heap.contains_key(it)) {
            let is_this = terms.equals_constant(object, number.in_terms());
            let points = terms.and(condition, is_this);
            if !terms.is_false(points) {
                pointers.entry(number).or_default().push(points);
            }
        }
    }

    /// Whether something that was allocated is left though nobody runs any more.
    pub(crate) fn leak(&mut self) -> TermId {
        let mut runs = Vec::new();
        for whereabouts in self.whereabouts.values() {
            runs.extend(whereabouts.values().map(|it| it.guard));
        }
        let somebody = self.encoder.terms.any(&runs);
        let nobody = self.encoder.terms.not(somebody);
        let is_over = self.encoder.terms.or(self.shared.has_ended, nobody);
        let heap = self.shared.memory.objects.values();
        let left: Vec<TermId> = heap
            .filter(|it| it.storage == Storage::Heap)
            .map(|it| it.is_live)
            .collect();
        let left = self.encoder.terms.any(&left);
        self.encoder.terms.and(is_over, left)
    }
}
