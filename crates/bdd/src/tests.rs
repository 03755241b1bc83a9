use super::*;

const VARIABLES: usize = 6;
const ROWS: u32 = 1 << VARIABLES;

/// A fixed sequence of numbers for each seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = raddle_base::fast_hash(&self.0);
        usize::try_from(mixed % bound as u64).expect("less than a usize")
    }
}

/// The values in all rows of a truth table, one bit each.
type Truth = u64;

fn truth_of_variable(variable: usize) -> Truth {
    (0..ROWS)
        .filter(|row| row >> variable & 1 == 1)
        .fold(0, |so_far, row| so_far | 1 << row)
}

fn truth(bdds: &Bdds, of: &Bdd) -> Truth {
    (0..ROWS)
        .filter(|row| {
            let values = (0..VARIABLES).map(|it| (bdds.variable_at(it), row >> it & 1 == 1));
            bdds.evaluate(of, values)
        })
        .fold(0, |so_far, row| so_far | 1 << row)
}

/// The rows in which some values of the variables give a row that is in the table.
fn exists(of: Truth, variables: &[usize]) -> Truth {
    variables.iter().fold(of, |so_far, variable| {
        (0..ROWS)
            .filter(|row| so_far >> row & 1 == 1 || so_far >> (row ^ 1 << variable) & 1 == 1)
            .fold(0, |so_far, row| so_far | 1 << row)
    })
}

/// Row by row: each variable has the value that its replacement has in the row.
fn replace(of: Truth, with: &[Truth; VARIABLES]) -> Truth {
    (0..ROWS)
        .filter(|row| {
            let seen = (0..VARIABLES).fold(0, |so_far, it| so_far | (with[it] >> row & 1) << it);
            of >> seen & 1 == 1
        })
        .fold(0, |so_far, row| so_far | 1 << row)
}

#[test]
fn operations_do_what_truth_tables_say() {
    let bdds = Bdds::new(Capacity::small(), VARIABLES).unwrap();
    for seed in 0..40 {
        let mut random = Random(seed);
        let mut known: Vec<(Bdd, Truth)> = (0..VARIABLES)
            .map(|it| (bdds.literal(bdds.variable_at(it)), truth_of_variable(it)))
            .collect();
        known.push((bdds.constant(true), Truth::MAX));
        known.push((bdds.constant(false), 0));
        for _ in 0..60 {
            let [a, b, c] = [(); 3].map(|()| known[random.below(known.len())].clone());
            let some: Vec<usize> = (0..VARIABLES).filter(|_| random.below(3) == 0).collect();
            let some_variables: Vec<BddVariable> =
                some.iter().map(|it| bdds.variable_at(*it)).collect();
            let set = bdds.variable_set(&some_variables).unwrap();
            let new = match random.below(10) {
                0 => (bdds.not(&a.0), !a.1),
                1 => (bdds.and(&a.0, &b.0), a.1 & b.1),
                2 => (bdds.or(&a.0, &b.0), a.1 | b.1),
                3 => (bdds.xor(&a.0, &b.0), a.1 ^ b.1),
                4 => (bdds.iff(&a.0, &b.0), !(a.1 ^ b.1)),
                5 => (bdds.implies(&a.0, &b.0), !a.1 | b.1),
                6 => (bdds.if_then_else(&a.0, &b.0, &c.0), a.1 & b.1 | !a.1 & c.1),
                7 => (bdds.exists(&a.0, &set), exists(a.1, &some)),
                8 => (bdds.and_exists(&a.0, &b.0, &set), exists(a.1 & b.1, &some)),
                _ => {
                    let mut with: [Truth; VARIABLES] = std::array::from_fn(truth_of_variable);
                    let mut pairs = Vec::new();
                    for variable in &some {
                        let (bdd, truth) = known[random.below(known.len())].clone();
                        pairs.push((bdds.variable_at(*variable), bdd));
                        with[*variable] = truth;
                    }
                    let replacement = bdds.replacement(&pairs);
                    (bdds.replace(&a.0, &replacement), replace(a.1, &with))
                }
            };
            let new = (new.0.unwrap(), new.1);
            assert_eq!(truth(&bdds, &new.0), new.1, "seed {seed}");
            assert_eq!(new.0.is_true(), new.1 == Truth::MAX);
            assert_eq!(new.0.is_false(), new.1 == 0);
            for old in &known {
                assert_eq!(old.0 == new.0, old.1 == new.1, "seed {seed}");
            }
            known.push(new);
        }
    }
}

#[test]
fn a_satisfying_assignment_satisfies_and_is_the_same_each_time() {
    let bdds = Bdds::new(Capacity::small(), 4).unwrap();
    let [x, y, z, _] = [0, 1, 2, 3].map(|it| bdds.literal(bdds.variable_at(it)));
    let either = bdds.xor(&x, &z).unwrap();
    let both = bdds.and(&either, &y).unwrap();
    let found = bdds.satisfying(&both).unwrap();
    assert_eq!(found, [Some(false), Some(true), Some(true), None]);
    assert_eq!(bdds.satisfying(&bdds.constant(false)), None);
    assert_eq!(bdds.satisfying(&bdds.constant(true)), Some(vec![None; 4]));
}

#[test]
fn renaming_swaps_at_the_same_time() {
    let bdds = Bdds::new(Capacity::small(), 3).unwrap();
    let [x, y, _] = [0, 1, 2].map(|it| bdds.variable_at(it));
    let swap = bdds.renaming(&[(x, y), (y, x)]);
    let implies = |a, b| bdds.implies(&bdds.literal(a), &bdds.literal(b)).unwrap();
    assert_eq!(bdds.replace(&implies(x, y), &swap).unwrap(), implies(y, x));
}

/// Pairs of variables that are equal, all first halves before all second halves: exponential in the number of pairs.
fn far_equalities(bdds: &Bdds, pairs: usize) -> Result<Bdd, TableFull> {
    (0..pairs).try_fold(bdds.constant(true), |so_far, it| {
        let first = bdds.literal(bdds.variable_at(it));
        let second = bdds.literal(bdds.variable_at(pairs + it));
        bdds.and(&so_far, &bdds.iff(&first, &second)?)
    })
}

#[test]
fn a_function_that_is_too_large_fills_the_table_and_the_table_is_usable_after_that() {
    let capacity = Capacity {
        nodes: 3_000,
        results: 1_000,
    };
    let bdds = Bdds::new(capacity, 40).unwrap();
    for _ in 0..3 {
        assert_eq!(far_equalities(&bdds, 20), Err(TableFull));
        let (x, y) = (bdds.variable_at(0), bdds.variable_at(39));
        let both = bdds.and(&bdds.literal(x), &bdds.literal(y)).unwrap();
        assert_eq!(both.node_count(), 3);
        drop(both);
        assert_eq!(bdds.nodes_in_use(), 40);
    }
}

#[test]
fn what_is_dropped_makes_room() {
    for nodes in [150, 200, 3_000] {
        let capacity = Capacity { nodes, results: 64 };
        let bdds = Bdds::new(capacity, 12).unwrap();
        let mut random = Random(7);
        let mut so_far = bdds.constant(false);
        for step in 0..20_000 {
            let [x, y, z] = [(); 3].map(|()| bdds.literal(bdds.variable_at(random.below(12))));
            let clause = bdds.and(&x, &bdds.xor(&y, &z).unwrap()).unwrap();
            so_far = if step % 3 == 0 {
                clause
            } else {
                bdds.or(&so_far, &clause).unwrap()
            };
        }
        assert!(bdds.nodes_in_use() < 60);
    }
}

#[test]
fn a_table_without_room_for_its_variables_is_full() {
    let capacity = Capacity {
        nodes: 10,
        results: 10,
    };
    assert_eq!(Bdds::new(capacity, 11).err(), Some(TableFull));
    assert_eq!(Bdds::new(capacity, 10).unwrap().variable_count(), 10);
}

#[test]
fn thousands_of_variables_do_not_overflow_the_stack() {
    let count = 5_000;
    let capacity = Capacity {
        nodes: 100_000,
        results: 1 << 14,
    };
    let bdds = Bdds::new(capacity, count).unwrap();
    let variables: Vec<BddVariable> = (0..count).map(|it| bdds.variable_at(it)).collect();
    let all = bdds.variable_set(&variables).unwrap().0;
    assert_eq!(all.node_count(), count + 1);
    let odd = (0..count)
        .rev()
        .try_fold(bdds.constant(false), |so_far, it| {
            bdds.xor(&bdds.literal(variables[it]), &so_far)
        })
        .unwrap();
    let shift: Vec<_> = (0..count - 1)
        .map(|it| (variables[it], variables[it + 1]))
        .collect();
    let set = bdds.variable_set(&variables[..count / 2]).unwrap();
    assert!(!bdds.and_exists(&all, &odd, &set).unwrap().is_true());
    assert!(
        !bdds
            .replace(&all, &bdds.renaming(&shift))
            .unwrap()
            .is_false()
    );
}
