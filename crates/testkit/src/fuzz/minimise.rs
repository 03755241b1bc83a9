//! The smallest part of some bytes that still shows something: delta debugging by ranges.

/// Cuts ranges out as long as `still_fails` says yes, from halves down to single bytes.
pub fn minimise(bytes: &[u8], mut still_fails: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut current = bytes.to_vec();
    let mut size = current.len().div_ceil(2).max(1);
    loop {
        let mut is_smaller = false;
        let mut at = 0;
        while at < current.len() {
            let end = (at + size).min(current.len());
            let candidate = [&current[..at], &current[end..]].concat();
            if still_fails(&candidate) {
                current = candidate;
                is_smaller = true;
            } else {
                at = end;
            }
        }
        // One cut often makes another possible, so single bytes are tried until none can go.
        if size > 1 {
            size = size.div_ceil(2);
        } else if !is_smaller {
            return current;
        }
    }
}

/// The same by lines.
pub(super) fn minimise_lines(text: &str, mut still_fails: impl FnMut(&str) -> bool) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut is_kept = vec![true; lines.len()];
    let joined = |is_kept: &[bool]| {
        let mut text = String::new();
        for (line, _) in lines.iter().zip(is_kept).filter(|(_, it)| **it) {
            text.push_str(line);
            text.push('\n');
        }
        text
    };
    let mut size = lines.len().div_ceil(2).max(1);
    loop {
        let mut is_smaller = false;
        for at in (0..lines.len()).step_by(size) {
            let end = (at + size).min(lines.len());
            let mut candidate = is_kept.clone();
            candidate[at..end].fill(false);
            if candidate != is_kept && still_fails(&joined(&candidate)) {
                is_kept = candidate;
                is_smaller = true;
            }
        }
        if size > 1 {
            size = size.div_ceil(2);
        } else if !is_smaller {
            return joined(&is_kept);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_needed_is_left() {
        let text = b"a long text with (some) brackets (in it)";
        let mut small = minimise(text, |it| {
            let text = String::from_utf8_lossy(it);
            text.contains('(') && text.matches(')').count() >= 2
        });
        small.sort_unstable();
        assert_eq!(
            small, b"())",
            "which of the brackets are left does not matter"
        );
        let lines = minimise_lines("a\nb\nc\nd\n", |it| it.contains("b\n") && it.contains('d'));
        assert_eq!(lines, "b\nd\n");
        assert_eq!(minimise(b"", |_| true), b"");
        assert_eq!(minimise(b"abc", |_| false), b"abc");
    }
}
