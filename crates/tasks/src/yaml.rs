//! The part of YAML in which task definitions are written: keys at the margin; below them a word, a list of words,
//! a map of words, or a list of such maps. Anything else is refused, not guessed.

/// What stands below a key at the margin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) key: String,
    /// Words on the line of the key, and items that are no maps.
    pub(crate) words: Vec<String>,
    /// The map below the key, or the maps of a list, in order.
    pub(crate) maps: Vec<Vec<(String, String)>>,
}

/// Reads a whole file.
///
/// # Errors
///
/// The first line that is not understood.
pub(crate) fn parse(text: &str) -> Result<Vec<Section>, String> {
    let mut sections: Vec<Section> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let at = |message: String| format!("line {}: {message}", index + 1);
        let line = without_comment(line);
        let content = line.trim();
        if content.is_empty() || content == "---" {
            continue;
        }
        let is_item = content == "-" || content.starts_with("- ");
        if !line.starts_with([' ', '\t']) && !is_item {
            let (key, value) = entry(content).ok_or_else(|| {
                at(format!(
                    "`{content}` is no `key: value`, as task definitions have"
                ))
            })?;
            sections.push(Section {
                key,
                words: words(&value).map_err(at)?,
                maps: Vec::new(),
            });
            continue;
        }
        let section = sections
            .last_mut()
            .ok_or_else(|| at("this line belongs to no key".into()))?;
        let content = if is_item {
            content[1..].trim()
        } else {
            content
        };
        match entry(content) {
            Some(pair) if is_item || section.maps.is_empty() => section.maps.push(vec![pair]),
            Some(pair) => section
                .maps
                .last_mut()
                .expect("the list was found not to be empty")
                .push(pair),
            None => section.words.extend(words(content).map_err(at)?),
        }
    }
    Ok(sections)
}

/// `key: value`, both without quotation marks.
fn entry(content: &str) -> Option<(String, String)> {
    if content.starts_with(['"', '\'', '[']) {
        return None;
    }
    let (key, value) = match content.split_once(": ") {
        Some(pair) => pair,
        None => (content.strip_suffix(':')?, ""),
    };
    let value = value.trim();
    let is_flow = value.starts_with('[');
    let value = if is_flow { value } else { unquoted(value) };
    Some((key.trim().to_owned(), value.to_owned()))
}

/// One word, or those of `[a, b]`.
fn words(value: &str) -> Result<Vec<String>, String> {
    if value.is_empty() {
        return Ok(Vec::new());
    }
    let Some(inside) = value.strip_prefix('[') else {
        return Ok(vec![unquoted(value).to_owned()]);
    };
    let inside = inside
        .strip_suffix(']')
        .ok_or_else(|| "the list is not closed on its line".to_owned())?;
    Ok(inside
        .split(',')
        .map(|it| unquoted(it.trim()).to_owned())
        .filter(|it| !it.is_empty())
        .collect())
}

fn unquoted(word: &str) -> &str {
    for mark in ['\'', '"'] {
        if let Some(inside) = word.strip_prefix(mark).and_then(|it| it.strip_suffix(mark)) {
            return inside;
        }
    }
    word
}

/// A `#` begins a comment at the margin or after a space, unless it is quoted.
fn without_comment(line: &str) -> &str {
    let mut quote: Option<char> = None;
    let mut before = ' ';
    for (at, character) in line.char_indices() {
        match quote {
            Some(mark) if character == mark => quote = None,
            Some(_) => {}
            None if character == '#' && before.is_whitespace() => return &line[..at],
            // An apostrophe inside a word quotes nothing.
            None if (character == '\'' || character == '"') && !before.is_alphanumeric() => {
                quote = Some(character);
            }
            None => {}
        }
        before = character;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(key: &str, value: &str) -> (String, String) {
        (key.to_owned(), value.to_owned())
    }

    #[test]
    fn the_shapes_of_task_definitions_are_read() {
        let text = "format_version: '2.0' # comment\n\
                    # whole line\n\
                    input_files:\n  - \"a#b.c\"\n  - 'c.c'\n\
                    required_files: [x.h, 'y.h']\n\
                    properties:\n\
                    - property_file: ../p/a.prp\n  expected_verdict: true\n\
                    \x20 - property_file: b.prp\n\
                    options:\n  language: C\n  data_model: ILP32\n";
        let sections = parse(text).unwrap();
        assert_eq!(sections[0].words, ["2.0"]);
        assert_eq!(sections[1].words, ["a#b.c", "c.c"]);
        assert_eq!(sections[2].words, ["x.h", "y.h"]);
        assert_eq!(
            sections[3].maps,
            [
                vec![
                    pair("property_file", "../p/a.prp"),
                    pair("expected_verdict", "true")
                ],
                vec![pair("property_file", "b.prp")]
            ]
        );
        assert_eq!(
            sections[4].maps,
            [vec![pair("language", "C"), pair("data_model", "ILP32")]]
        );
    }

    #[test]
    fn what_is_not_understood_is_named_with_its_line() {
        assert_eq!(
            parse("a: b\nnonsense\n").unwrap_err(),
            "line 2: `nonsense` is no `key: value`, as task definitions have"
        );
        assert_eq!(
            parse("  a: b\n").unwrap_err(),
            "line 1: this line belongs to no key"
        );
        assert_eq!(
            parse("a: [b,\n").unwrap_err(),
            "line 1: the list is not closed on its line"
        );
    }
}
