//! Transactions of several steps as brackets beside the steps.

/// What stands beside a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bracket {
    /// The step is a transaction of its own, or nothing is known of transactions.
    #[default]
    None,
    First,
    Inside,
    Last,
}

impl Bracket {
    /// As in the margin of a list of steps.
    pub fn sign(self) -> char {
        match self {
            Bracket::None => ' ',
            Bracket::First => '┌',
            Bracket::Inside => '│',
            Bracket::Last => '└',
        }
    }

    /// Between this step and the next.
    pub fn sign_below(self) -> char {
        match self {
            Bracket::None | Bracket::Last => ' ',
            Bracket::First | Bracket::Inside => '│',
        }
    }
}

/// One bracket for each of so many steps; `begins` are numbers of steps, and those that do not exist mean nothing.
pub fn brackets(begins: &[usize], steps: usize) -> Vec<Bracket> {
    let mut is_first = vec![false; steps];
    for begin in begins {
        if let Some(it) = is_first.get_mut(*begin) {
            *it = true;
        }
    }
    let mut has_begun = false;
    (0..steps)
        .map(|step| {
            has_begun |= is_first[step];
            let is_last = step + 1 == steps || is_first[step + 1];
            match (has_begun, is_first[step], is_last) {
                (false, ..) | (true, true, true) => Bracket::None,
                (true, true, false) => Bracket::First,
                (true, false, false) => Bracket::Inside,
                (true, false, true) => Bracket::Last,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signs(begins: &[usize], steps: usize) -> String {
        brackets(begins, steps).iter().map(|it| it.sign()).collect()
    }

    #[test]
    fn a_transaction_goes_on_to_the_next_or_to_the_end() {
        assert_eq!(signs(&[0, 3, 4], 6), "┌│└ ┌└");
        assert_eq!(signs(&[0], 1), " ");
    }

    #[test]
    fn what_is_not_known_has_no_bracket() {
        assert_eq!(signs(&[], 3), "   ");
        assert_eq!(signs(&[1], 3), " ┌└");
    }

    #[test]
    fn steps_that_do_not_exist_mean_nothing() {
        assert_eq!(signs(&[7, 0, 0, usize::MAX], 2), "┌└");
        assert_eq!(signs(&[0], 0), "");
    }
}
