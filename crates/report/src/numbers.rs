//! Numbers as people read them.

/// As in `1,972,601`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// As in `210 MB`, or `3 kB` of what is small.
pub fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} kB", bytes / 1_000),
        _ => format!("{} MB", grouped(bytes / 1_000_000)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_come_in_groups_of_three() {
        let numbers = [0, 12, 999, 1_000, 65_536, 1_972_601];
        let texts = numbers.map(grouped);
        assert_eq!(texts, ["0", "12", "999", "1,000", "65,536", "1,972,601"]);
    }

    #[test]
    fn sizes_have_the_unit_that_suits_them() {
        let sizes = [5, 3_400, 210_999_999, 12_000_000_000].map(size);
        assert_eq!(sizes, ["5 B", "3 kB", "210 MB", "12,000 MB"]);
    }
}
