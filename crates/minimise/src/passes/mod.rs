//! What is changed, large pieces first: each pass makes guides of the best execution so far and has them followed.
//!
//! - `threads`: leave whole threads out; `ends`: stop threads sooner;
//! - `values`: smaller inputs, with which loops have fewer rounds;
//! - `rounds`: leave rounds of loops out;
//! - `switches`: move what one thread does together.

mod ends;
mod rounds;
mod switches;
mod threads;
mod values;

use crate::search::Search;

/// Runs all passes until none of them finds anything. Whether that is so, and not the effort spent.
pub(crate) fn all(search: &mut Search<'_, '_>) -> bool {
    loop {
        search.begin_pass();
        let mut has_changed = whole(search);
        for pass in [
            threads::drop,
            ends::cut,
            values::at_once,
            values::one_by_one,
            rounds::leave_out,
            switches::join,
        ] {
            search.begin_pass();
            has_changed |= pass(search);
        }
        let was_short = search.was_short();
        if !has_changed {
            return !was_short;
        }
    }
}

/// The execution as it is: it may show the violation before its end.
fn whole(search: &mut Search<'_, '_>) -> bool {
    let guide = search.current().keeping(|_, _| true);
    search.attempt(&guide)
}

/// So many, half as many, a quarter, …, one.
fn halves(whole: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(whole), |it| Some(it / 2)).take_while(|it| *it > 0)
}
