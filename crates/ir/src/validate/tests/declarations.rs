//! Names, types and globals.

use super::*;

#[test]
fn a_draft_that_keeps_the_rules_is_valid() {
    assert_eq!(rules(draft()), [] as [&str; 0]);
}

#[test]
fn v1_top_level_names_are_distinct() {
    breaks("V1", |draft| {
        draft.globals[GlobalId::from_index(0)].name = "work".into();
    });
    breaks("V1", |draft| {
        let elements = draft.exclusives[0].elements.as_mut();
        elements.expect("the draft has a family").variable = "x".into();
    });
}

#[test]
fn registers_that_would_hide_a_global_get_another_name() {
    let mut draft = draft();
    let register = RegisterId::from_index(0);
    work(&mut draft).registers[register].name = "x".into();
    let program = validate(draft).expect("valid");
    let work = &program.functions[FunctionId::from_index(0)];
    assert_eq!(work.registers[register].name, "x_2");
}

#[test]
fn v2_registers_have_distinct_names() {
    breaks("V2", |draft| {
        work(draft).registers.push(declared("n", U8));
    });
}

#[test]
fn v3_labels_are_distinct() {
    breaks("V3", |draft| {
        let entry = work(draft).entry;
        work(draft).locations[entry].label = Some("middle".into());
    });
}

#[test]
fn v4_fields_have_distinct_names() {
    breaks("V4", |draft| {
        draft.structs[StructId::from_index(0)].fields[1].name = "first".into();
    });
}

#[test]
fn v5_names_can_be_written_in_backticks() {
    breaks("V5", |draft| {
        draft.globals[GlobalId::from_index(0)].name = "x`y".into();
    });
    breaks("V5", |draft| work(draft).name.clear());
    breaks("V5", |draft| draft.roots[0].name = "a\nb".into());
}

#[test]
fn v6_roots_have_distinct_display_names() {
    breaks("V6", |draft| {
        let again = draft.roots[0].clone();
        draft.roots.push(again);
    });
}

#[test]
fn v7_integers_have_1_to_128_bits() {
    for bits in [0, 129] {
        breaks("V7", |draft| {
            draft.globals[GlobalId::from_index(3)].ty = Type::int(IntType::unsigned(bits));
        });
        value_breaks(
            "V7",
            Expression::Constant(0, Scalar::Int(IntType::signed(bits))),
        );
    }
}

#[test]
fn v8_no_struct_contains_itself() {
    breaks("V8", |draft| {
        let id = StructId::from_index(0);
        draft.structs[id].fields[1].ty = Type::Array(Box::new(Type::Struct(id)), 1);
        draft.structs[id].fields[1].offset = 0;
    });
    breaks("V8", |draft| {
        draft.globals[GlobalId::from_index(3)].ty = Type::Struct(StructId::from_index(9));
    });
}

#[test]
fn v8_types_nest_to_a_limit() {
    breaks("V8", |draft| {
        for depth in 0..MAX_DEPTH {
            let inner = StructId::from_index(depth);
            let field = vec![("inner".into(), Type::Struct(inner))];
            let ty = StructType::laid_out(
                format!("S{depth}"),
                field,
                false,
                &draft.structs,
                draft.model,
            );
            draft.structs.push(ty.expect("a small struct"));
        }
    });
    breaks("V8", |draft| {
        let nest = |ty, _| Type::Array(Box::new(ty), 1);
        draft.globals[GlobalId::from_index(3)].ty = (0..=MAX_DEPTH).fold(Type::Scalar(U8), nest);
    });
}

#[test]
fn v9_fields_lie_inside_their_struct() {
    let pair = StructId::from_index(0);
    breaks("V9", |draft| draft.structs[pair].align = 3);
    breaks("V9", |draft| draft.structs[pair].fields[1].offset = 9);
    breaks("V9", |draft| draft.structs[pair].is_union = true);
}

#[test]
fn v10_types_have_a_size() {
    breaks("V10", |draft| {
        let huge = Type::Array(Box::new(Type::Scalar(U8)), u64::MAX);
        draft.globals[GlobalId::from_index(3)].ty = huge;
    });
}

#[test]
fn v11_objects_fit_the_offset_of_a_pointer() {
    breaks("V11", |draft| {
        let large = Type::Array(Box::new(Type::Scalar(U8)), 1 << 40);
        draft.globals[GlobalId::from_index(3)].ty = large;
    });
}

#[test]
fn v12_globals_take_half_of_the_object_numbers() {
    breaks("V12", |draft| {
        draft.model = DataModel::Ilp32;
        draft.atomic_sets = Arena::new();
        for at in 0..1 << 11 {
            draft
                .globals
                .push(variable(&format!("g{at}"), Type::Scalar(U8)));
        }
    });
}

#[test]
fn v13_initial_values_lie_inside_their_object() {
    let x = GlobalId::from_index(0);
    breaks("V13", |draft| draft.globals[x].initial[0].0 = 1);
    breaks("V13", |draft| {
        let sync = SyncInit::Mutex(MutexKind::Plain);
        draft.globals[x].initial.push((0, Initial::Sync(sync)));
    });
}

#[test]
fn v14_initial_values_are_constants() {
    let s = GlobalId::from_index(4);
    for address in [Expression::null(), global(3)] {
        breaks("V14", |draft| {
            draft.globals[s].initial[0].1 = Initial::Address(address);
        });
    }
    breaks("V14", |draft| {
        let t = GlobalId::from_index(3);
        draft.globals[t].initial.push((0, Initial::Any(U8)));
    });
    breaks("V21", |draft| {
        draft.globals[s].initial[0].1 = Initial::Scalar(U8, 256);
    });
}
