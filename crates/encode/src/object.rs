//! One object: cells of symbolic words over bytes that are known.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use raddle_ir::interpret::Storage;
use raddle_ir::{DataModel, ReadOnly};
use raddle_logic::{TermId, Terms};

use crate::names::ObjectName;
use crate::sync::Sync;
use crate::word::Word;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub size: u64,
    pub word: Word,
}

/// An object. Where no cell lies, it holds the bytes it was made with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// In pointers.
    pub number: ObjectName,
    pub storage: Storage,
    /// A write there violates `memory`.
    pub read_only: ReadOnly,
    pub is_live: TermId,
    pub bytes: Arc<[Option<u8>]>,
    pub cells: BTreeMap<u64, Cell>,
    /// By their offsets. Bytes below them hold nothing.
    pub syncs: BTreeMap<u64, Sync>,
}

impl Object {
    pub fn new(
        number: ObjectName,
        storage: Storage,
        is_live: TermId,
        bytes: Arc<[Option<u8>]>,
    ) -> Self {
        Self {
            number,
            storage,
            read_only: ReadOnly::NOTHING,
            is_live,
            bytes,
            cells: BTreeMap::new(),
            syncs: BTreeMap::new(),
        }
    }

    pub fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    pub fn overlapping(&self, offset: u64, size: u64) -> Vec<u64> {
        self.cells
            .iter()
            .filter(|(at, cell)| **at < offset + size && offset < **at + cell.size)
            .map(|(at, _)| *at)
            .collect()
    }

    /// The word of so many bytes, of as many bits as the bytes have.
    pub fn read(&self, terms: &mut Terms, offset: u64, size: u64) -> Word {
        if let Some(cell) = self.cells.get(&offset).filter(|it| it.size == size) {
            return cell.word;
        }
        if self.overlapping(offset, size).is_empty() {
            return self.known(terms, offset, size);
        }
        let bytes: Vec<Word> = (offset..offset + size)
            .map(|at| self.byte(terms, at))
            .collect();
        bytes
            .into_iter()
            .reduce(|low, high| Word {
                bits: terms.concatenate(high.bits, low.bits),
                is_defined: terms.and(low.is_defined, high.is_defined),
            })
            .expect("an access has at least one byte")
    }

    /// What it was made with.
    fn known(&self, terms: &mut Terms, offset: u64, size: u64) -> Word {
        let width = bits(size);
        let bytes = &self.bytes[index(offset)..index(offset + size)];
        let value = bytes.iter().rev().try_fold(0_u128, |value, byte| {
            Some(value << 8 | u128::from((*byte)?))
        });
        match value {
            Some(value) => {
                let value = terms.constant(value, width);
                Word::defined(terms, value)
            }
            None => Word::undefined(terms, width),
        }
    }

    fn byte(&self, terms: &mut Terms, at: u64) -> Word {
        let cell = self.cells.range(..=at).next_back();
        match cell.filter(|(begin, cell)| at < **begin + cell.size) {
            Some((begin, cell)) => Word {
                bits: terms.extract(cell.word.bits, bits(at - begin), 8),
                is_defined: cell.word.is_defined,
            },
            None => self.known(terms, at, 1),
        }
    }

    /// Whether what it was made with is all set or all unset here, so that one word says it.
    fn is_uniform(&self, offset: u64, size: u64) -> bool {
        let bytes = &self.bytes[index(offset)..index(offset + size)];
        bytes.iter().all(Option::is_some) || bytes.iter().all(Option::is_none)
    }

    /// Makes sure that one cell, or none, covers just these bytes, or that all of them are cells of one byte.
    fn align(&mut self, terms: &mut Terms, offset: u64, size: u64) -> bool {
        let fits = self.cells.get(&offset).is_some_and(|it| it.size == size);
        if fits {
            return true;
        }
        let overlapping = self.overlapping(offset, size);
        if overlapping.is_empty() && self.is_uniform(offset, size) {
            return true;
        }
        let mut begin = offset;
        let mut end = offset + size;
        for at in &overlapping {
            begin = begin.min(*at);
            end = end.max(at + self.cells[at].size);
        }
        let bytes: Vec<(u64, Word)> = (begin..end).map(|at| (at, self.byte(terms, at))).collect();
        for at in overlapping {
            self.cells.remove(&at);
        }
        for (at, word) in bytes {
            self.cells.insert(at, Cell { size: 1, word });
        }
        false
    }

    /// Writes where the condition holds.
    pub fn write(
        &mut self,
        terms: &mut Terms,
        condition: TermId,
        offset: u64,
        size: u64,
        word: Word,
    ) {
        if terms.is_true(condition) {
            // What was there before does not matter, but what is beside it does.
            for at in self.overlapping(offset, size) {
                let inside = at >= offset && at + self.cells[&at].size <= offset + size;
                if !inside {
                    self.align(terms, at, 1);
                }
            }
            for at in self.overlapping(offset, size) {
                self.cells.remove(&at);
            }
            self.cells.insert(offset, Cell { size, word });
        } else if self.align(terms, offset, size) {
            let old = self.read(terms, offset, size);
            let word = Word::choose(terms, condition, word, old);
            self.cells.insert(offset, Cell { size, word });
        } else {
            for at in offset..offset + size {
                let old = self.byte(terms, at);
                let byte = Word {
                    bits: terms.extract(word.bits, bits(at - offset), 8),
                    is_defined: word.is_defined,
                };
                let word = Word::choose(terms, condition, byte, old);
                self.cells.insert(at, Cell { size: 1, word });
            }
        }
    }

    /// Writes to a cell, whose type may have fewer bits than its bytes.
    pub fn put(&mut self, terms: &mut Terms, offset: u64, size: u64, word: Word) {
        let word = Word {
            bits: terms.zero_extend(word.bits, bits(size)),
            ..word
        };
        let always = terms.truth(true);
        self.write(terms, always, offset, size, word);
    }

    /// The bytes hold nothing any more where the condition holds.
    pub fn forget(&mut self, terms: &mut Terms, condition: TermId, offset: u64, size: u64) {
        for at in offset..offset + size {
            let nothing = Word::undefined(terms, 8);
            self.align(terms, at, 1);
            self.write(terms, condition, at, 1, nothing);
        }
    }

    /// The words, as large as a pointer, that it may hold besides what it was made with.
    pub fn words(&self, terms: &mut Terms, model: DataModel) -> Vec<Word> {
        let size = model.pointer_bytes();
        let mut offsets: BTreeSet<u64> = BTreeSet::new();
        for (at, cell) in &self.cells {
            offsets.extend((at / size..=(at + cell.size - 1) / size).map(|it| it * size));
            offsets.extend((cell.size == size).then_some(*at));
        }
        offsets
            .into_iter()
            .filter(|at| at + size <= self.size())
            .map(|at| self.read(terms, at, size))
            .collect()
    }

    /// What it is after a choice between two of its states.
    pub fn merged(
        terms: &mut Terms,
        condition: TermId,
        then: &Object,
        otherwise: &Object,
    ) -> Object {
        let mut result = otherwise.clone();
        result.is_live = terms.if_then_else(condition, then.is_live, otherwise.is_live);
        let mut places: Vec<(u64, u64)> = Vec::new();
        for (at, cell) in &then.cells {
            if otherwise.cells.get(at) != Some(cell) {
                places.push((*at, cell.size));
            }
        }
        for (offset, size) in places {
            let word = then.read(terms, offset, size);
            result.write(terms, condition, offset, size, word);
        }
        // Cells only the other has: the first holds something else there.
        let rest: Vec<(u64, u64)> = result
            .cells
            .iter()
            .filter(|(at, cell)| then.cells.get(at).map(|it| it.size) != Some(cell.size))
            .map(|(at, cell)| (*at, cell.size))
            .collect();
        for (offset, size) in rest {
            let word = then.read(terms, offset, size);
            result.write(terms, condition, offset, size, word);
        }
        let offsets: BTreeSet<u64> = then
            .syncs
            .keys()
            .chain(otherwise.syncs.keys())
            .copied()
            .collect();
        for offset in offsets {
            let merged = match (then.syncs.get(&offset), otherwise.syncs.get(&offset)) {
                (Some(one), Some(other)) => Sync::merged(terms, condition, one, other),
                (Some(one), None) => one.only_if(terms, condition),
                (None, Some(other)) => {
                    let refused = terms.not(condition);
                    other.only_if(terms, refused)
                }
                (None, None) => continue,
            };
            result.syncs.insert(offset, merged);
        }
        result
    }
}

pub fn bits(bytes: u64) -> u32 {
    u32::try_from(8 * bytes).expect("a cell has few bytes")
}

pub fn index(at: u64) -> usize {
    usize::try_from(at).expect("objects fit memory")
}
