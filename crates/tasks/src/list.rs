//! Lists of tasks: one path a line, counted from the list, with `*` and `?` as in SV-COMP's `.set` files.

use std::fs;
use std::io;

use crate::folder_of;

/// The paths that a list names, in its order; those of a pattern in the order of names.
///
/// # Errors
///
/// A pattern that fits nothing: it is misspelt more often than not.
pub(crate) fn paths(name: &str, text: &str) -> io::Result<Vec<String>> {
    let folder = match folder_of(name) {
        "." => "",
        folder => folder,
    };
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let before = found.len();
        if line.starts_with('/') {
            expand("/", line.trim_start_matches('/'), &mut found)?;
        } else {
            expand(folder, line, &mut found)?;
        }
        if found.len() == before {
            return Err(io::Error::other(format!(
                "`{name}`, line {}: `{line}` fits no file",
                index + 1
            )));
        }
    }
    Ok(found)
}

/// Adds what fits `pattern` below `folder`.
fn expand(folder: &str, pattern: &str, found: &mut Vec<String>) -> io::Result<()> {
    let (first, rest) = match pattern.split_once('/') {
        Some((first, rest)) => (first, Some(rest)),
        None => (pattern, None),
    };
    let names = if first.contains(['*', '?']) {
        let mut names = Vec::new();
        for entry in fs::read_dir(if folder.is_empty() { "." } else { folder })? {
            let entry = entry?.file_name().to_string_lossy().into_owned();
            if !entry.starts_with('.') && fits(first.as_bytes(), entry.as_bytes()) {
                names.push(entry);
            }
        }
        names.sort();
        names
    } else {
        vec![first.to_owned()]
    };
    for name in names {
        let path = match folder {
            "" => name,
            "/" => format!("/{name}"),
            _ => format!("{folder}/{name}"),
        };
        match rest {
            Some(rest) if fs::metadata(&path).is_ok_and(|it| it.is_dir()) => {
                expand(&path, rest, found)?;
            }
            Some(_) => {}
            None if fs::metadata(&path).is_ok() => found.push(path),
            None => {}
        }
    }
    Ok(())
}

/// `*` is any text, `?` any byte.
fn fits(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern.first(), name.first()) {
        (None, None) => true,
        (Some(b'*'), _) => {
            fits(&pattern[1..], name) || !name.is_empty() && fits(pattern, &name[1..])
        }
        (Some(b'?'), Some(_)) => fits(&pattern[1..], &name[1..]),
        (Some(wanted), Some(there)) => wanted == there && fits(&pattern[1..], &name[1..]),
        (None, Some(_)) | (Some(_), None) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_as_in_a_shell() {
        for (pattern, name, expected) in [
            ("*.yml", "a.yml", true),
            ("*.yml", "a.c", false),
            ("a?c*", "abcd", true),
            ("a?c", "ac", false),
            ("*", "", true),
        ] {
            assert_eq!(
                fits(pattern.as_bytes(), name.as_bytes()),
                expected,
                "{pattern} {name}"
            );
        }
    }
}
