//! Numbers that do not look like pointers to objects that are made while the program runs.

use raddle_ir::types::DataModel;

/// A value of an interval, a multiple of the stride away from its first one, whose bytes are all calm; if there are
/// several, rather a small number than a large one, negative or not. `None` if none was found.
pub(super) fn calm_value(
    (first, last): (u128, u128),
    stride: u128,
    is_negative: bool,
    model: DataModel,
) -> Option<u128> {
    /// Byte patterns repeat, so a few steps find a value if there is one; where not, nothing is claimed.
    const MOST_STEPS: usize = 64;
    let upward = || {
        let mut value = first;
        for _ in 0..MOST_STEPS {
            let calm = least_calm_from(value, model);
            let beyond = (calm - first) % stride;
            if beyond == 0 {
                return Some(calm).filter(|it| *it <= last);
            }
            value = calm.checked_add(stride - beyond)?;
        }
        None
    };
    let downward = || {
        let mut value = last - (last - first) % stride;
        for _ in 0..MOST_STEPS {
            let calm = greatest_calm_to(value, model);
            let beyond = calm.checked_sub(first)? % stride;
            if beyond == 0 {
                return Some(calm);
            }
            value = calm - beyond;
        }
        None
    };
    if is_negative {
        downward().or_else(upward)
    } else {
        upward().or_else(downward)
    }
}

/// The bytes with which, as the highest, a word looks like a pointer to an object that was made. The highest of all
/// is left out, as small negative numbers begin with it, and objects with the last of names are never made.
fn noisy_bytes(model: DataModel) -> std::ops::RangeInclusive<u8> {
    let highest = |number: u32| (number >> (model.object_bits() - 8)).to_le_bytes()[0];
    // All numbers that are not given to globals and functions, whatever the size of the objects that get them.
    highest(model.given_objects().end)..=highest(model.made_objects().end - 1).min(0xfe)
}

/// The place of the highest byte that is not calm.
fn highest_noisy(value: u128, model: DataModel) -> Option<u32> {
    let noisy = noisy_bytes(model);
    let place = value
        .to_le_bytes()
        .iter()
        .rposition(|it| noisy.contains(it))?;
    Some(u32::try_from(place).expect("of 16 bytes"))
}

fn least_calm_from(value: u128, model: DataModel) -> u128 {
    let Some(place) = highest_noisy(value, model) else {
        return value;
    };
    let below = value & !(u128::MAX >> (120 - 8 * place));
    below | u128::from(noisy_bytes(model).end() + 1) << (8 * place)
}

fn greatest_calm_to(value: u128, model: DataModel) -> u128 {
    let Some(place) = highest_noisy(value, model) else {
        return value;
    };
    let below = value & !(u128::MAX >> (120 - 8 * place));
    let byte = u128::from(noisy_bytes(model).start() - 1) << (8 * place);
    below | byte | ((1 << (8 * place)) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_calm_value_is_found() {
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            let is_calm = |value: &u128| highest_noisy(*value, model).is_none();
            for (first, last) in [
                (0_u128, 0xff_u128),
                (0x51, 0x5f),
                (0xc0, 0x150),
                (0x5000, 0xffff),
            ] {
                for stride in [1, 2, 7] {
                    let all = || (first..=last).step_by(stride).filter(is_calm);
                    let found =
                        |is_negative| calm_value((first, last), stride as u128, is_negative, model);
                    assert_eq!(found(false), all().next(), "{first} {last} {stride}");
                    assert_eq!(found(true), all().last(), "{first} {last} {stride}");
                }
            }
        }
    }
}
