//! What the validator computes besides.

use super::*;

#[test]
fn locations_are_numbered_depth_first_and_lost_ones_are_dropped() {
    let mut draft = draft();
    let work = work(&mut draft);
    let lost = work.locations.push(Location::default());
    work.connect(lost, Action::skip(), work.entry, None);
    let program = validate(draft).expect("a lost location is no fault");
    let work = &program.functions[FunctionId::from_index(0)];
    assert_eq!(work.locations.len(), 3);
    assert_eq!(work.entry, LocationId::from_index(0));
    assert_eq!(work.exit, LocationId::from_index(2));
    let ends: Vec<_> = work
        .edges
        .values()
        .map(|edge: &Edge| (edge.from.index(), edge.to.index()))
        .collect();
    assert_eq!(ends, [(0, 1), (1, 2)]);
    let at = &program.exclusives[0].condition.atoms[2];
    assert!(matches!(at, Atom::At { location, .. } if location.index() == 1));
    let again = validate(program.clone().into_draft()).expect("a program is valid");
    assert!(program.is_same_as(&again));
}

#[test]
fn temporaries_are_forgotten_after_their_last_use() {
    let mut draft = draft();
    let work = work(&mut draft);
    let temporary = work.registers.push(Register {
        is_temporary: true,
        ..declared("t", U8)
    });
    let (first, second) = (work.entry, work.locations.push(Location::default()));
    let third = work.locations.push(Location::default());
    work.edges = Arena::new();
    work.connect(first, Action::Havoc { target: temporary }, second, None);
    let target = RegisterId::from_index(0);
    let value = Expression::Register(temporary);
    work.connect(second, Action::Assign { target, value }, third, None);
    work.connect(third, Action::Havoc { target: temporary }, first, None);
    draft.exclusives.clear();
    let program = validate(draft).expect("valid");
    let dead = |location| {
        program.dead_temporaries(FunctionId::from_index(0), LocationId::from_index(location))
    };
    assert_eq!(dead(0), [temporary]);
    assert_eq!(dead(1), []);
    assert_eq!(dead(2), [temporary]);
}

#[test]
fn a_function_of_a_hundred_thousand_edges_is_validated_quickly() {
    let mut draft = draft();
    let work = work(&mut draft);
    let mut at = work.entry;
    for number in 0..100_000 {
        let next = work.locations.push(Location::default());
        let target = work.registers.push(Register {
            is_temporary: true,
            ..declared(&format!("t{number}"), U8)
        });
        let value = register(target.index() - usize::from(number > 0));
        let action = Action::Assign { target, value };
        work.connect(at, action, next, None);
        at = next;
    }
    work.connect(at, Action::Return { value: Some(u8(0)) }, work.exit, None);
    let start = std::time::Instant::now();
    assert_eq!(rules(draft), [] as [&str; 0]);
    assert!(start.elapsed().as_secs() < 5);
}
