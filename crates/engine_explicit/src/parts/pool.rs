//! Parts of one kind, each once.

use raddle_base::FastMap;
use raddle_base::saved::{Saved, Sink, Source};

use crate::ids::PartId;

/// Parts of one kind, each once, with something that is worked out for each.
#[derive(Debug)]
pub(super) struct Pool<T, F> {
    numbers: FastMap<T, PartId>,
    pub(super) parts: Vec<(T, F)>,
}

impl<T, F> Default for Pool<T, F> {
    fn default() -> Self {
        Self {
            numbers: FastMap::default(),
            parts: Vec::new(),
        }
    }
}

impl<T: Clone + Eq + std::hash::Hash, F> Pool<T, F> {
    pub(super) fn number(&mut self, part: T, work_out: impl FnOnce(&T) -> F) -> PartId {
        if let Some(&known) = self.numbers.get(&part) {
            return known;
        }
        let fact = work_out(&part);
        self.parts.push((part.clone(), fact));
        let number = PartId::at(self.parts.len());
        self.numbers.insert(part, number);
        number
    }

    pub(super) fn get(&self, number: PartId) -> &(T, F) {
        &self.parts[number.index() - 1]
    }
}

impl<T: Saved + Clone + Eq + std::hash::Hash, F> Pool<T, F> {
    pub(super) fn save(&self, sink: &mut Sink) {
        self.parts.len().save(sink);
        for (part, _) in &self.parts {
            part.save(sink);
        }
    }

    pub(super) fn load(source: &mut Source, work_out: impl Fn(&T) -> F) -> std::io::Result<Self> {
        let mut pool = Self::default();
        for _ in 0..usize::load(source)? {
            pool.number(T::load(source)?, &work_out);
        }
        Ok(pool)
    }
}
