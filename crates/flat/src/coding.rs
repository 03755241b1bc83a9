//! How a piece of a state is written as variables: only as wide as what it may hold.

use std::collections::BTreeSet;

use raddle_base::FastMap;
use raddle_encode::names::ObjectName;
use raddle_encode::pointees::Reach;
use raddle_ir::DataModel;
use raddle_logic::{Operation, Term, TermId, Terms};

use crate::shape::Shape;

/// How values of a slot are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    /// It always holds this.
    Constant(u128),
    /// The lowest bits are all there is to it.
    Number(u32),
    /// One of these, by its number here.
    Index(Vec<u128>),
    Address(Addresses),
}

/// Places in one of some objects: which one, and a number that gives the offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Addresses {
    pub(crate) objects: Vec<ObjectName>,
    /// Offsets are a multiple of two to this power, plus the residue.
    pub(crate) shift: u32,
    pub(crate) residue: u64,
    /// The bits of the number.
    pub(crate) bits: u32,
}

/// How far offsets are followed outside of objects: up to so many times their size.
const BEYOND: u64 = 2;

impl Coding {
    /// The coding for a shape of so many bits; objects have sizes.
    pub(crate) fn of(
        shape: &Shape,
        width: u32,
        model: DataModel,
        size: &dyn Fn(ObjectName) -> u64,
    ) -> Self {
        match shape {
            Shape::Values(values) => Self::of_values(values, width),
            Shape::Addresses(reaches) => Coding::Address(Addresses::of(reaches, model, size)),
            // What may be as large as a name has to look like a number that may be one.
            Shape::Number(bits) if width >= model.pointer_bits() && *bits > model.offset_bits() => {
                Coding::Number(width)
            }
            Shape::Number(bits) => Coding::Number((*bits).min(width)),
        }
    }

    fn of_values(values: &BTreeSet<u128>, width: u32) -> Self {
        let Some(largest) = values.last() else {
            return Coding::Constant(0);
        };
        if values.len() == 1 {
            return Coding::Constant(*largest);
        }
        let bits = 128 - largest.leading_zeros();
        if bits <= index_bits(values.len()) + 2 {
            Coding::Number(bits.min(width))
        } else {
            Coding::Index(values.iter().copied().collect())
        }
    }

    /// The widths of its variables, with what each is called.
    pub(crate) fn widths(&self) -> Vec<(u32, &'static str)> {
        match self {
            Coding::Constant(_) => Vec::new(),
            Coding::Number(bits) => vec![(*bits, "")],
            Coding::Index(values) => vec![(index_bits(values.len()), "")],
            Coding::Address(addresses) => {
                let mut widths = Vec::new();
                if addresses.objects.len() > 1 {
                    widths.push((index_bits(addresses.objects.len()), " (object)"));
                }
                widths.push((addresses.bits, " (offset)"));
                widths
            }
        }
    }

    /// What the variables stand for.
    pub(crate) fn decode(
        &self,
        terms: &mut Terms,
        variables: &[TermId],
        width: u32,
        model: DataModel,
    ) -> TermId {
        match self {
            Coding::Constant(bits) => terms.constant(*bits, width),
            Coding::Number(_) => terms.zero_extend(variables[0], width),
            Coding::Index(values) => chosen(terms, variables[0], values, width),
            Coding::Address(addresses) => addresses.decode(terms, variables, model),
        }
    }
}

/// The bits of a number below a bound.
fn index_bits(count: usize) -> u32 {
    (usize::BITS - (count - 1).leading_zeros()).max(1)
}

/// The value that an index chooses; one that is too large chooses the last.
fn chosen(terms: &mut Terms, index: TermId, values: &[u128], width: u32) -> TermId {
    let last = values.last().copied().unwrap_or(0);
    let mut result = terms.constant(last, width);
    for (at, value) in values.iter().enumerate().rev().skip(1) {
        let is_this = terms.equals_constant(index, at as u128);
        let value = terms.constant(*value, width);
        result = terms.if_then_else(is_this, value, result);
    }
    result
}

impl Addresses {
    fn of(
        reaches: &BTreeSet<(ObjectName, Reach)>,
        model: DataModel,
        size: &dyn Fn(ObjectName) -> u64,
    ) -> Self {
        // Objects of which nothing is there come first, so that null is what registers hold that nobody reads.
        let objects: BTreeSet<ObjectName> = reaches.iter().map(|it| it.0).collect();
        let has_null = objects.contains(&ObjectName::NONE);
        let mut shift = 16;
        let mut residue = None;
        for (_, reach) in reaches {
            let (first, step) = match reach {
                Reach::At(offset) => (*offset, 1 << 16),
                Reach::Anywhere { first, step } => (*first, *step),
            };
            shift = shift.min(step.trailing_zeros());
            let known: u64 = *residue.get_or_insert(first);
            shift = shift.min((known ^ first).trailing_zeros());
        }
        let residue = residue.unwrap_or(0) & ((1 << shift) - 1);
        let (shift, residue) = if has_null && residue != 0 {
            (0, 0)
        } else {
            (shift, residue)
        };
        let largest = objects.iter().map(|it| size(*it)).max().unwrap_or(0);
        let ats = reaches.iter().map(|it| match it.1 {
            Reach::At(offset) => offset,
            Reach::Anywhere { .. } => 0,
        });
        let most = ats.fold(BEYOND * largest, u64::max) >> shift;
        let bits = (u64::BITS - most.leading_zeros()).clamp(1, model.offset_bits() - shift);
        Self {
            objects: objects.into_iter().collect(),
            shift,
            residue,
            bits,
        }
    }

    fn split(variables: &[TermId]) -> (Option<TermId>, &TermId) {
        match variables {
            [offset] => (None, offset),
            [object, offset] => (Some(*object), offset),
            _ => unreachable!("an address has one variable or two"),
        }
    }

    fn decode(&self, terms: &mut Terms, variables: &[TermId], model: DataModel) -> TermId {
        let width = model.pointer_bits();
        let (object, offset) = Self::split(variables);
        let bases: Vec<u128> = self.objects.iter().map(|it| it.pointer(0, model)).collect();
        let base = match object {
            Some(object) => chosen(terms, object, &bases, width),
            None => terms.constant(bases[0], width),
        };
        let offset = if self.shift == 0 {
            *offset
        } else {
            let residue = terms.constant(u128::from(self.residue), self.shift);
            terms.concatenate(*offset, residue)
        };
        let offset = terms.zero_extend(offset, width);
        terms.add(base, offset)
    }

    /// The variables for a pointer, and whether they can say it.
    fn encode(
        &self,
        terms: &mut Terms,
        pointer: TermId,
        model: DataModel,
    ) -> (Vec<TermId>, TermId) {
        let low = model.offset_bits();
        let number = terms.extract(pointer, low, model.object_bits());
        let (mut result, mut fits) = (Vec::new(), Vec::new());
        let mut is_one = Vec::new();
        let bits = index_bits(self.objects.len());
        let mut index = terms.constant(0, bits);
        for (at, object) in self.objects.iter().enumerate() {
            let is_this = terms.equals_constant(number, object.in_terms());
            let here = terms.constant(at as u128, bits);
            index = terms.if_then_else(is_this, here, index);
            is_one.push(is_this);
        }
        fits.push(terms.any(&is_one));
        if self.objects.len() > 1 {
            result.push(index);
        }
        let offset = terms.extract(pointer, 0, low);
        result.push(terms.extract(offset, self.shift, self.bits));
        let above = self.shift + self.bits;
        if above < low {
            let rest = terms.extract(offset, above, low - above);
            fits.push(terms.equals_constant(rest, 0));
        }
        if self.shift > 0 {
            let below = terms.extract(offset, 0, self.shift);
            fits.push(terms.equals_constant(below, u128::from(self.residue)));
        }
        (result, terms.all(&fits))
    }
}

/// How the terms are written that slots hold now.
pub(crate) type Written = FastMap<TermId, (Coding, Vec<TermId>)>;

/// Writes terms of slots of one coding as variables.
pub(crate) struct Writer<'a> {
    pub(crate) coding: &'a Coding,
    pub(crate) model: DataModel,
    /// What the slots of this coding hold now, as they are written.
    pub(crate) written: &'a Written,
}

impl Writer<'_> {
    /// The variables for a term, and under which condition they say it.
    pub(crate) fn write(&self, terms: &mut Terms, root: TermId) -> (Vec<TermId>, TermId) {
        let mut known: FastMap<TermId, (Vec<TermId>, TermId)> = FastMap::default();
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if known.contains_key(&term) {
                open.pop();
                continue;
            }
            let branches = match terms.term(term) {
                Term::Apply(Operation::IfThenElse, &[condition, then, otherwise])
                    if self.known(term).is_none() =>
                {
                    Some((condition, then, otherwise))
                }
                Term::Apply(..) | Term::Constant(_) | Term::Variable(_) => None,
            };
            let Some((condition, then, otherwise)) = branches else {
                let leaf = self.leaf(terms, term);
                known.insert(term, leaf);
                continue;
            };
            let (Some(one), Some(other)) = (known.get(&then), known.get(&otherwise)) else {
                open.extend([then, otherwise]);
                continue;
            };
            let (one, other) = (one.clone(), other.clone());
            let variables = one.0.iter().zip(&other.0);
            let variables = variables
                .map(|(one, other)| terms.if_then_else(condition, *one, *other))
                .collect();
            let fits = terms.if_then_else(condition, one.1, other.1);
            known.insert(term, (variables, fits));
        }
        known.remove(&root).expect("was written")
    }

    /// The variables of a slot of the same coding that holds it now.
    fn known(&self, term: TermId) -> Option<&Vec<TermId>> {
        let (coding, variables) = self.written.get(&term)?;
        (coding == self.coding).then_some(variables)
    }

    fn leaf(&self, terms: &mut Terms, term: TermId) -> (Vec<TermId>, TermId) {
        let always = terms.truth(true);
        if let Some(written) = self.known(term) {
            return (written.clone(), always);
        }
        match self.coding {
            Coding::Constant(bits) => {
                let fits = terms.equals_constant(term, *bits);
                (Vec::new(), fits)
            }
            Coding::Number(bits) => {
                let width = terms.width(term);
                let written = terms.extract(term, 0, *bits);
                let fits = if *bits < width {
                    let rest = terms.extract(term, *bits, width - *bits);
                    terms.equals_constant(rest, 0)
                } else {
                    always
                };
                (vec![written], fits)
            }
            Coding::Index(values) => {
                let bits = index_bits(values.len());
                let mut index = terms.constant(0, bits);
                let mut is_one = Vec::new();
                for (at, value) in values.iter().enumerate() {
                    let is_this = terms.equals_constant(term, *value);
                    let here = terms.constant(at as u128, bits);
                    index = terms.if_then_else(is_this, here, index);
                    is_one.push(is_this);
                }
                (vec![index], terms.any(&is_one))
            }
            Coding::Address(addresses) => addresses.encode(terms, term, self.model),
        }
    }
}
