//! What structs and unions are made of, so that all of their bytes are looked at.

use std::collections::BTreeMap;

use raddle_ir::{DataModel, IntType, Scalar};

use crate::lower::Lowering;
use crate::lower::objects::bytes_of;
use crate::types::{FloatKind, Length, Type};

/// What an atomic object that is no scalar is made of.
#[derive(Debug, Default)]
pub(in crate::lower) struct Parts {
    /// Integers and pointers with their places, in order, none over another.
    pub(super) cells: Vec<(u64, Scalar)>,
    pub(super) has_padding: bool,
}

/// Members of a type, and which bits of it belong to one.
struct Members {
    cells: Vec<(u64, Scalar)>,
    used: Vec<u8>,
}

pub(super) fn parts(lowering: &Lowering<'_>, ty: &Type) -> Parts {
    let size = lowering.size(ty);
    let mut members = Members {
        cells: Vec::new(),
        used: vec![0; usize::try_from(size).expect("checked to be small")],
    };
    add_members(lowering, ty, 0, &mut members);
    Parts {
        cells: disjoint(members.cells, lowering.model()),
        has_padding: members.used.iter().any(|byte| *byte != u8::MAX),
    }
}

impl Members {
    fn add(&mut self, offset: u64, scalar: Scalar, model: DataModel) {
        self.cells.push((offset, scalar));
        for bit in 0..scalar.size(model) * 8 {
            self.use_bit(offset * 8 + bit);
        }
    }

    fn use_bit(&mut self, bit: u64) {
        let at = usize::try_from(bit / 8).ok();
        if let Some(byte) = at.and_then(|at| self.used.get_mut(at)) {
            *byte |= 1 << (bit % 8);
        }
    }
}

/// Numbers as they lie in memory: without a sign, and of 128 bits each half.
fn add_members(lowering: &Lowering<'_>, ty: &Type, offset: u64, found: &mut Members) {
    let model = lowering.model();
    match ty {
        Type::Array(element, Length::Constant(length)) => {
            let size = lowering.size(&element.ty);
            for index in 0..*length {
                add_members(lowering, &element.ty, offset + index * size, found);
            }
        }
        Type::Record(record) => {
            for field in &lowering.module.records[*record].fields {
                match field.bits {
                    Some(bits) => {
                        let (first, last) = bytes_of(bits);
                        found
                            .cells
                            .extend((first..=last).map(|at| (offset + at, word(1))));
                        for bit in bits.first..bits.first + u64::from(bits.width) {
                            found.use_bit(offset * 8 + bit);
                        }
                    }
                    None => add_members(lowering, &field.ty.ty, offset + field.offset, found),
                }
            }
        }
        // Ten bytes hold its value.
        Type::Float(FloatKind::LongDouble) => {
            for at in offset..offset + 10 {
                found.add(at, word(1), model);
            }
        }
        Type::Unmodelled(_) => {
            for at in offset..offset + lowering.size(ty) {
                found.add(at, word(1), model);
            }
        }
        Type::Pointer(_) => found.add(offset, Scalar::Pointer, model),
        Type::Bool | Type::Integer(_) | Type::Enumeration(_) | Type::Float(_) => {
            match lowering.size(ty) {
                16 => {
                    found.add(offset, word(8), model);
                    found.add(offset + 8, word(8), model);
                }
                size => found.add(offset, word(size), model),
            }
        }
        Type::Void
        | Type::Function(_)
        | Type::Array(_, Length::Unspecified | Length::Variable(_)) => {}
    }
}

/// Members that lie over one another.
struct Cluster {
    from: u64,
    to: u64,
    members: Vec<(u64, Scalar)>,
}

/// Where members of a union lie over one another, words in which one of them is as large as an address, else bytes: those
/// that the member in use does not have may be undefined.
fn disjoint(mut cells: Vec<(u64, Scalar)>, model: DataModel) -> Vec<(u64, Scalar)> {
    let size = |scalar: Scalar| scalar.size(model);
    cells.sort_by_key(|(offset, scalar)| (*offset, size(*scalar)));
    let mut clusters: Vec<Cluster> = Vec::new();
    for (offset, scalar) in cells {
        let end = offset + size(scalar);
        match clusters.last_mut() {
            Some(cluster) if offset < cluster.to => {
                cluster.to = cluster.to.max(end);
                cluster.members.push((offset, scalar));
            }
            Some(_) | None => clusters.push(Cluster {
                from: offset,
                to: end,
                members: vec![(offset, scalar)],
            }),
        }
    }
    let mut found = BTreeMap::new();
    for Cluster { from, to, members } in clusters {
        let is_whole =
            |(offset, scalar): &(u64, Scalar)| *offset == from && from + size(*scalar) == to;
        if members.iter().all(is_whole) {
            let pointer = members.iter().find(|(_, it)| *it == Scalar::Pointer);
            found.insert(from, pointer.unwrap_or(&members[0]).1);
            continue;
        }
        let width = model.pointer_bytes();
        let mut at = from;
        while at < to {
            let is_address = |(offset, scalar): &(u64, Scalar)| {
                *offset <= at && at + width <= offset + size(*scalar)
            };
            if at.is_multiple_of(width) && members.iter().any(is_address) {
                let is_pointer = members.contains(&(at, Scalar::Pointer));
                found.insert(
                    at,
                    if is_pointer {
                        Scalar::Pointer
                    } else {
                        word(width)
                    },
                );
                at += width;
            } else {
                found.insert(at, word(1));
                at += 1;
            }
        }
    }
    found.into_iter().collect()
}

fn word(bytes: u64) -> Scalar {
    let bits = u8::try_from(bytes * 8).expect("at most 8 bytes");
    Scalar::Int(IntType::unsigned(bits))
}
