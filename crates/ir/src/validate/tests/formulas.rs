//! Formulas and atomic sets.

use super::*;

#[test]
fn v34_atoms_have_registers_of_their_type() {
    breaks("V34", |draft| {
        draft.invariants[0].formula.registers = Arena::new();
    });
    breaks("V34", |draft| {
        let registers = &mut draft.invariants[0].formula.registers;
        registers[RegisterId::from_index(0)].ty = Scalar::Pointer;
    });
    breaks("V34", |draft| {
        draft.invariants[0].formula.atoms[0] = Atom::Owner { lock: u8(1) };
    });
}

#[test]
fn v35_atoms_are_used_once_and_in_order() {
    let less = |left, right| Expression::binary(BinaryOp::Less, register(left), register(right));
    let two = || vec![(cell(0), U8), (cell(0), U8)];
    for body in [less(1, 0), less(0, 0), less(1, 1)] {
        breaks("V35", |draft| {
            draft.invariants[0].formula = formula(two(), body);
        });
    }
}

#[test]
fn v36_formulas_are_conditions() {
    breaks("V36", |draft| {
        draft.invariants[0].formula.body = register(0);
    });
}

#[test]
fn v37_invariants_have_no_subject() {
    breaks("V37", |draft| {
        draft.invariants[0].formula.atoms[0] = cell(3);
    });
    breaks("V37", |draft| {
        let me = Expression::CurrentThread;
        let body = Expression::binary(BinaryOp::Equal, me.clone(), me);
        draft.invariants[0].formula = formula(vec![], body);
    });
    breaks("V37", |draft| {
        let at = draft.exclusives[0].condition.atoms[2].clone();
        draft.invariants[0].formula = formula(vec![(at, Scalar::BOOL)], register(0));
    });
}

#[test]
fn v38_index_variables_belong_to_families() {
    breaks("V38", |draft| draft.exclusives[0].elements = None);
}

#[test]
fn v39_program_points_are_reached() {
    let at = |function, location| Atom::At {
        function: FunctionId::from_index(function),
        location: LocationId::from_index(location),
    };
    for atom in [at(5, 0), at(0, 17), at(0, 1)] {
        breaks("V39", |draft| draft.exclusives[0].condition.atoms[2] = atom);
    }
    breaks("V39", |draft| {
        let lost = work(draft).locations.push(Location::default());
        draft.exclusives[0].condition.atoms[2] = at(0, lost.index());
    });
}

#[test]
fn v40_exclusive_cells_are_parts_of_globals() {
    for address in [register(0), Expression::null(), global(3)] {
        let rule = if address == register(0) { "V20" } else { "V40" };
        breaks(rule, |draft| draft.exclusives[0].address = address);
    }
    breaks("V40", |draft| {
        let elements = draft.exclusives[0].elements.as_mut();
        elements.expect("the draft has a family").count = 5;
    });
}

#[test]
fn v42_nothing_is_opaque_beside_formulas() {
    breaks("V42", |draft| {
        draft.globals[GlobalId::from_index(1)].is_opaque = true;
    });
}

#[test]
fn v41_members_of_atomic_sets_are_parts() {
    breaks("V41", |draft| {
        draft.atomic_sets[AtomicSetId::from_index(0)].members[0].offset = 4;
    });
}
