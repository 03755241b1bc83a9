//! Invariants over wide words that are not in the text of a system.

use raddle_base::Budget;
use raddle_certify::certificate;
use raddle_ic3::{Abstraction, Given, Outcome, check_with, first_predicates, guess, induction};
use raddle_logic::{StateVariable, Target, TermId, Terms, TransitionSystem};

/// Two threads go round for ever: outside, inside; `count` is increased on entry and decreased on exit, `entries` and
/// `exits` are counted too, all of 32 bits. Wrong is an exit with a count of zero, if `is_broken` one of two.
fn section(is_broken: bool) -> TransitionSystem {
    let mut terms = Terms::new();
    let places = ["one at", "two at"].map(|it| terms.variable(it, 1));
    let words = ["count", "entries", "exits"].map(|it| terms.variable(it, 32));
    let who = terms.variable("who runs", 1);
    let [one, zero] = [1, 0].map(|it| terms.constant(it, 32));
    let is_first = terms.not(who);
    let turn = [is_first, who];
    let inside = terms.if_then_else(who, places[1], places[0]);
    let outside = terms.not(inside);
    let change = |terms: &mut Terms, word: TermId, when: TermId, is_more: bool| {
        let other = if is_more {
            terms.add(word, one)
        } else {
            terms.subtract(word, one)
        };
        terms.if_then_else(when, other, word)
    };
    let more = change(&mut terms, words[0], outside, true);
    let count = change(&mut terms, more, inside, false);
    let entries = change(&mut terms, words[1], outside, true);
    let exits = change(&mut terms, words[2], inside, true);
    let mut next = Vec::new();
    for (place, turn) in places.into_iter().zip(turn) {
        let flipped = terms.not(place);
        next.push(terms.if_then_else(turn, flipped, place));
    }
    next.extend([count, entries, exits]);
    let all = [&places[..], &words].concat();
    let begin: Vec<TermId> = all.iter().map(|&it| terms.equals_constant(it, 0)).collect();
    let initial = terms.all(&begin);
    let wrong = if is_broken { one } else { zero };
    let is_wrong = terms.equal(words[0], wrong);
    let difference = terms.subtract(words[1], words[2]);
    let differs = terms.differ(difference, words[0]);
    let is_wrong = if is_broken {
        is_wrong
    } else {
        terms.or(is_wrong, differs)
    };
    let condition = terms.and(inside, is_wrong);
    let constraint = terms.truth(true);
    let variable = |it| terms.as_variable(it).expect("it is one");
    TransitionSystem {
        state: all
            .iter()
            .zip(next)
            .map(|(&current, next)| StateVariable {
                variable: variable(current),
                current,
                next,
            })
            .collect(),
        inputs: vec![variable(who)],
        initial,
        constraint,
        targets: vec![Target {
            name: "leaves an empty section".to_owned(),
            condition,
        }],
        terms,
    }
}

#[test]
fn a_word_that_counts_modes_is_guessed() {
    let budget = Budget::unlimited();
    let mut system = section(false);
    assert_eq!(system.broken_rule(), None);
    let lemmas = guess(&mut system, 0, &budget).unwrap();
    let Outcome::Proved(claim) = induction(&mut system, &lemmas, 1, &budget) else {
        panic!("the lemmas do not exclude the target");
    };
    assert!(certificate::check(&mut system, &claim, &budget).is_ok());
    let Outcome::GaveUp(_) = induction(&mut system, &[], 4, &budget) else {
        panic!("it takes lemmas");
    };
}

#[test]
fn what_is_broken_is_reached_with_lemmas_too() {
    let budget = Budget::unlimited();
    let mut system = section(true);
    let lemmas = guess(&mut system, 0, &budget).unwrap();
    let predicates = Abstraction::Predicates(first_predicates(&mut system));
    let given = Given {
        lemmas,
        ..Given::default()
    };
    let (outcome, _) = check_with(&mut system, &predicates, &given, &budget);
    assert!(matches!(outcome, Outcome::Reached(_)), "{outcome:?}");
}
