//! Lines joined by `\` at their end, and the way back to the places where the pieces stood.

use std::borrow::Cow;

/// A text without splices. Most texts have none and are not copied.
#[derive(Debug)]
pub(crate) struct Spliced<'t> {
    pub(crate) text: Cow<'t, [u8]>,
    /// For each splice, where it was in the text without splices, and how many bytes are gone up to and with it.
    gaps: Vec<(u32, u32)>,
}

impl<'t> Spliced<'t> {
    /// The text must be shorter than 4 GiB.
    pub(crate) fn new(text: &'t [u8]) -> Self {
        let mut gaps = Vec::new();
        let mut joined = Vec::new();
        // Everything before this has been looked at, and copied if there was a splice.
        let mut copied = 0;
        let mut at = 0;
        while let Some(found) = text[at..].iter().position(|&byte| byte == b'\\') {
            let start = at + found;
            at = start + 1;
            if let Some(length) = splice_length(&text[start..]) {
                joined.extend_from_slice(&text[copied..start]);
                copied = start + length;
                at = copied;
                gaps.push((offset(joined.len()), offset(copied - joined.len())));
            }
        }
        if gaps.is_empty() {
            return Self {
                text: Cow::Borrowed(text),
                gaps,
            };
        }
        joined.extend_from_slice(&text[copied..]);
        Self {
            text: Cow::Owned(joined),
            gaps,
        }
    }

    /// Where the byte before which a token begins stands in the text as it was written.
    pub(crate) fn start(&self, at: u32) -> u32 {
        let passed = self.gaps.partition_point(|&(gap, _)| gap <= at);
        at + self.gone(passed)
    }

    /// Where a token ends in the text as it was written: before a splice that follows it.
    pub(crate) fn end(&self, at: u32) -> u32 {
        let passed = self.gaps.partition_point(|&(gap, _)| gap < at);
        at + self.gone(passed)
    }

    fn gone(&self, passed: usize) -> u32 {
        match passed {
            0 => 0,
            passed => self.gaps[passed - 1].1,
        }
    }
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).expect("texts are below 4 GiB")
}

/// How long the splice at the beginning of the text is. Blanks between `\` and the line's end are let through, as by gcc.
fn splice_length(text: &[u8]) -> Option<usize> {
    let blanks = text[1..]
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
        .count();
    (text.get(1 + blanks) == Some(&b'\n')).then_some(blanks + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_text_as_written() {
        let spliced = Spliced::new(b"ab\\\ncd \\ \nef");
        assert_eq!(&*spliced.text, b"abcd ef");
        // `ab` ends before the splice, `cd` begins after it.
        assert_eq!((spliced.start(0), spliced.end(2)), (0, 2));
        assert_eq!((spliced.start(2), spliced.end(4)), (4, 6));
        assert_eq!((spliced.start(5), spliced.end(7)), (10, 12));
    }

    #[test]
    fn a_backslash_elsewhere_is_kept() {
        let spliced = Spliced::new(b"'\\n' \\");
        assert_eq!(&*spliced.text, b"'\\n' \\");
        assert_eq!(spliced.start(5), 5);
    }
}
