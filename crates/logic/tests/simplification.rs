//! What terms become as they are built. That the rules keep values is tested on random terms.

mod support;

use raddle_logic::{Substitution, TermId, Terms};

fn same(build: impl Fn(&mut Terms, TermId, TermId) -> (TermId, TermId)) {
    let mut terms = Terms::new();
    let x = terms.variable("x", 32);
    let y = terms.variable("y", 32);
    let (found, expected) = build(&mut terms, x, y);
    assert_eq!(
        found,
        expected,
        "{:?} is not {:?}",
        terms.term(found),
        terms.term(expected)
    );
}

#[test]
fn equal_terms_are_the_same_term() {
    same(|terms, x, y| (terms.add(x, y), terms.add(y, x)));
    same(|terms, x, y| (terms.equal(x, y), terms.equal(y, x)));
}

#[test]
fn neutral_and_absorbing_elements_vanish() {
    same(|terms, x, _| {
        let zero = terms.constant(0, 32);
        (terms.add(x, zero), x)
    });
    same(|terms, x, _| {
        let zero = terms.constant(0, 32);
        (terms.and(x, zero), zero)
    });
    same(|terms, x, _| {
        let ones = terms.constant(u128::MAX, 32);
        (terms.and(ones, x), x)
    });
    same(|terms, x, _| {
        let opposite = terms.not(x);
        (terms.or(opposite, x), terms.constant(u128::MAX, 32))
    });
    same(|terms, x, y| {
        let sum = terms.add(x, y);
        (terms.subtract(sum, y), x)
    });
    same(|terms, x, y| {
        let difference = terms.subtract(x, y);
        (terms.add(y, difference), x)
    });
}

#[test]
fn constants_meet() {
    same(|terms, x, _| {
        let [three, four, seven] = [3, 4, 7].map(|it| terms.constant(it, 32));
        let sum = terms.add(x, three);
        (terms.add(sum, four), terms.add(x, seven))
    });
    same(|terms, x, _| {
        let [three, seven] = [3, 7].map(|it| terms.constant(it, 32));
        let sum = terms.add(x, three);
        (terms.equal(sum, seven), terms.equals_constant(x, 4))
    });
}

#[test]
fn bytes_that_are_cut_apart_and_joined_are_the_word() {
    same(|terms, x, _| {
        let bytes = [0, 8, 16, 24].map(|low| terms.extract(x, low, 8));
        let joined = bytes[1..]
            .iter()
            .fold(bytes[0], |low, &high| terms.concatenate(high, low));
        (joined, x)
    });
    same(|terms, x, _| {
        let bytes = [24, 16, 8, 0].map(|low| terms.extract(x, low, 8));
        let joined = bytes[1..]
            .iter()
            .fold(bytes[0], |high, &low| terms.concatenate(high, low));
        (joined, x)
    });
    same(|terms, x, _| {
        let wide = terms.sign_extend(x, 64);
        (terms.extract(wide, 0, 32), x)
    });
}

#[test]
fn shifts_and_divisions_by_constants_only_move_bits() {
    same(|terms, x, _| {
        let eight = terms.constant(8, 32);
        let down = terms.shift_right_logical(x, eight);
        (terms.extract(down, 0, 8), terms.extract(x, 8, 8))
    });
    same(|terms, x, _| {
        let [sixteen, four] = [16, 4].map(|it| terms.constant(it, 32));
        (
            terms.divide_unsigned(x, sixteen),
            terms.shift_right_logical(x, four),
        )
    });
}

#[test]
fn choices_that_do_not_matter_vanish() {
    same(|terms, x, y| {
        let condition = terms.equal(x, y);
        (terms.if_then_else(condition, x, x), x)
    });
    same(|terms, x, y| {
        let condition = terms.equal(x, y);
        let [one, two] = [1, 2].map(|it| terms.constant(it, 32));
        let choice = terms.if_then_else(condition, one, two);
        (terms.equals_constant(choice, 1), condition)
    });
    same(|terms, x, y| {
        let condition = terms.equal(x, y);
        let [one, two] = [1, 2].map(|it| terms.constant(it, 32));
        let choice = terms.if_then_else(condition, one, two);
        (terms.equals_constant(choice, 3), terms.truth(false))
    });
    same(|terms, x, y| {
        let condition = terms.equal(x, y);
        let other = terms.less_signed(x, y);
        let inner = terms.if_then_else(other, x, y);
        let either = terms.or(condition, other);
        (
            terms.if_then_else(condition, x, inner),
            terms.if_then_else(either, x, y),
        )
    });
}

#[test]
fn a_choice_between_constants_is_none_of_the_others() {
    let mut terms = Terms::new();
    let conditions: Vec<TermId> = (0..6)
        .map(|index| terms.variable(&format!("c{index}"), 1))
        .collect();
    let addresses: Vec<TermId> = (0..6)
        .map(|index| terms.constant(0x1000 * (index + 1), 32))
        .collect();
    let cases: Vec<(TermId, TermId)> = conditions.iter().copied().zip(addresses.clone()).collect();
    let pointer = support::first_case(&mut terms, &cases, addresses[5]);
    let four = terms.constant(4, 32);
    let field = terms.add(pointer, four);
    let object = terms.extract(field, 12, 20);
    let [six, seven] = [6, 7].map(|index| terms.equals_constant(object, index));
    assert!(terms.is_false(seven));
    assert!(!terms.is_false(six) && !terms.is_true(six));
    let offset = terms.extract(field, 0, 12);
    assert_eq!(terms.constant_value(offset), Some(4));
    let end = terms.constant(0x8000, 32);
    let is_low = terms.less_unsigned(field, end);
    assert!(terms.is_true(is_low));
}

#[test]
fn substitution_replaces_all_at_once_and_simplifies() {
    let mut terms = Terms::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.variable(name, 16));
    let sum = terms.add(x, y);
    let product = terms.multiply(sum, z);
    let mut swap = Substitution::new();
    let [x_id, y_id] = ["x", "y"].map(|name| terms.variable_named(name).expect("it was made"));
    swap.replace(&terms, x_id, y);
    swap.replace(&terms, y_id, x);
    assert_eq!(terms.substitute(&mut swap, product), product);
    let zero = terms.constant(0, 16);
    let mut clear = Substitution::new();
    clear.replace(&terms, x_id, zero);
    let shorter = terms.multiply(y, z);
    assert_eq!(terms.substitute(&mut clear, product), shorter);
}

#[test]
fn a_fresh_variable_is_a_new_one() {
    let mut terms = Terms::new();
    let taken = terms.variable("step!1", 8);
    let fresh = terms.fresh_variable("step", 8);
    let other = terms.fresh_variable("step", 8);
    assert!(taken != fresh && fresh != other && other != taken);
}

#[test]
#[should_panic(expected = "does not take")]
fn widths_have_to_agree() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable("x", 8), terms.variable("y", 16));
    terms.add(x, y);
}
