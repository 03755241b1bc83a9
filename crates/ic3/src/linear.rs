//! Linear relations modulo a power of two between columns of numbers.

/// A column as a sum of multiples of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Relation {
    pub(crate) column: usize,
    /// Of columns before this one, none of them zero.
    pub(crate) multiples: Vec<(usize, u128)>,
}

/// The columns that are such sums of columns before them in every row, modulo two to the power of `width`.
///
/// Gauss-Jordan elimination. A column in which only even numbers are left is neither: it is left out, because dividing by
/// it has no one answer.
pub(crate) fn relations(mut rows: Vec<Vec<u128>>, width: u32) -> Vec<Relation> {
    let mask = u128::MAX >> (128 - width);
    let columns = rows.first().map_or(0, Vec::len);
    // The column that each of the first rows stands for.
    let mut pivots: Vec<usize> = Vec::new();
    let mut found = Vec::new();
    for column in 0..columns {
        let rest = pivots.len()..rows.len();
        let odd = rest.clone().find(|&row| rows[row][column] & 1 == 1);
        let Some(row) = odd else {
            if rest.clone().all(|row| rows[row][column] & mask == 0) {
                let multiple = |(row, &pivot): (usize, &usize)| (pivot, rows[row][column] & mask);
                let multiples = pivots.iter().enumerate().map(multiple);
                found.push(Relation {
                    column,
                    multiples: multiples.filter(|it| it.1 != 0).collect(),
                });
            }
            continue;
        };
        let first = pivots.len();
        rows.swap(first, row);
        let inverse = inverse(rows[first][column]);
        for value in &mut rows[first] {
            *value = value.wrapping_mul(inverse) & mask;
        }
        let pivot = rows[first].clone();
        for (index, row) in rows.iter_mut().enumerate() {
            let factor = row[column];
            if index != first && factor != 0 {
                for (value, &subtracted) in row.iter_mut().zip(&pivot) {
                    *value = value.wrapping_sub(factor.wrapping_mul(subtracted)) & mask;
                }
            }
        }
        pivots.push(column);
    }
    found
}

/// Of an odd number, modulo two to the power of 128: each round doubles the bits that are right.
fn inverse(odd: u128) -> u128 {
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2_u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_is_found_and_holds_in_every_row() {
        let mut random = raddle_base::Random::new(1);
        let rows: Vec<Vec<u128>> = (0..20)
            .map(|_| {
                let [a, b] = [(); 2].map(|()| u128::from(random.next_number() & 0xffff_ffff));
                let last = a.wrapping_mul(3).wrapping_sub(b).wrapping_add(7) & 0xffff_ffff;
                vec![1, a, b, last]
            })
            .collect();
        let expected = Relation {
            column: 3,
            multiples: vec![(0, 7), (1, 3), (2, 0xffff_ffff)],
        };
        assert_eq!(relations(rows, 32), [expected]);
    }

    #[test]
    fn numbers_that_have_nothing_in_common_have_no_relation() {
        let rows = vec![vec![1, 5, 2], vec![1, 6, 9], vec![1, 8, 4]];
        assert_eq!(relations(rows, 8), []);
    }

    #[test]
    fn an_odd_number_times_its_inverse_is_one() {
        for odd in [1, 3, 0xffff_ffff, u128::MAX, 0x1234_5679] {
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1);
        }
    }
}
