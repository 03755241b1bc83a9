//! Results of tests as `JUnit` XML, which servers of continuous integration read.
//!
//! There is no standard; this is what Jenkins' schema, GitLab and GitHub's actions have in common: suites with counts, a case
//! for each test, `failure` for what is violated, `error` for what could not be decided or says nothing.

use std::fmt::Write;

use super::{Ended, Word};

/// The whole file. A suite for each file of tests.
pub(super) fn xml(ended: &[Ended]) -> String {
    let mut suites: Vec<&str> = Vec::new();
    for one in ended {
        if !suites.contains(&&*one.suite) {
            suites.push(&one.suite);
        }
    }
    let all: Vec<&Ended> = ended.iter().collect();
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    let _ = writeln!(text, "<testsuites name=\"raddle\" {}>", counts(&all));
    for suite in suites {
        let cases: Vec<&Ended> = ended.iter().filter(|it| it.suite == suite).collect();
        let name = escaped(suite);
        let _ = writeln!(text, "  <testsuite name=\"{name}\" {}>", counts(&cases));
        for case in cases {
            self::case(&mut text, case);
        }
        text.push_str("  </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}

fn counts(cases: &[&Ended]) -> String {
    let of = |element| cases.iter().filter(|it| tag(it.word) == element).count();
    let seconds: Option<f64> = cases.iter().map(|it| it.seconds).sum();
    format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\"{}",
        cases.len(),
        of(Some("failure")),
        of(Some("error")),
        time(seconds)
    )
}

fn time(seconds: Option<f64>) -> String {
    seconds.map_or_else(String::new, |it| format!(" time=\"{it:.3}\""))
}

fn tag(word: Word) -> Option<&'static str> {
    match word {
        Word::Safe => None,
        Word::Unsafe => Some("failure"),
        Word::Unknown | Word::Vacuous | Word::InputError | Word::InternalError => Some("error"),
    }
}

fn case(text: &mut String, case: &Ended) {
    let head = format!(
        "    <testcase classname=\"{}\" name=\"{}\" file=\"{}\" line=\"{}\"{}",
        escaped(&case.suite),
        escaped(&case.name),
        escaped(&case.file),
        case.line,
        time(case.seconds)
    );
    let Some(tag) = tag(case.word) else {
        let _ = writeln!(text, "{head}/>");
        return;
    };
    let _ = writeln!(text, "{head}>");
    let _ = writeln!(
        text,
        "      <{tag} type=\"{}\" message=\"{}\">{}</{tag}>",
        case.word.text(),
        escaped(&case.why),
        in_text(&case.details)
    );
    text.push_str("    </testcase>\n");
}

/// Between tags, lines stay lines.
fn in_text(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(escaped).collect();
    lines.join("\n")
}

/// Characters that XML 1.0 does not have at all become question marks.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            '\t' => escaped.push_str("&#9;"),
            '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => escaped.push('?'),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn what_means_something_in_xml_is_escaped() {
        assert_eq!(
            escaped("a<b>\"&\x1b\n\t"),
            "a&lt;b&gt;&quot;&amp;?&#10;&#9;"
        );
    }
}
