//! Places in preprocessed text, seen from another folder.

use std::path::{Component, Path, PathBuf};

/// The text with other names of files in its line markers.
pub fn rebased(text: &[u8], rename: &dyn Fn(&str) -> String) -> Vec<u8> {
    let mut renamed = Vec::with_capacity(text.len() + text.len() / 8);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        match name_in(line) {
            Some((begin, name)) => {
                renamed.extend_from_slice(&line[..begin]);
                renamed.extend_from_slice(rename(name).as_bytes());
                renamed.extend_from_slice(&line[begin + name.len()..]);
            }
            None => renamed.extend_from_slice(line),
        }
    }
    renamed
}

/// The name in a marker, as in `# 12 "a.h" 1`, and where it begins. One with an escape is left as it is, and so are names that
/// are no files, as `<built-in>`.
fn name_in(line: &[u8]) -> Option<(usize, &str)> {
    let rest = line.strip_prefix(b"# ")?;
    let digits = rest.iter().take_while(|it| it.is_ascii_digit()).count();
    let quoted = rest.get(digits..)?.strip_prefix(b" \"")?;
    let end = quoted.iter().position(|it| *it == b'"')?;
    let name = std::str::from_utf8(&quoted[..end]).ok()?;
    let is_file =
        digits > 0 && !name.starts_with('<') && !name.ends_with("//") && !name.contains('\\');
    (is_file && !name.is_empty()).then_some((2 + digits + 2, name))
}

/// A path that is seen from `folder`, seen from `here`: what lies below it is told by the way from there.
pub fn shown_from(here: &Path, folder: &Path, name: &str) -> String {
    let whole = plain(&folder.join(name));
    match whole.strip_prefix(plain(here)) {
        Ok(below) if !below.as_os_str().is_empty() => below.display().to_string(),
        Ok(_) | Err(_) => whole.display().to_string(),
    }
}

/// Without `.`, and without `..` where a folder was named before it.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(plain.components().next_back(), Some(Component::Normal(_))) =>
            {
                plain.pop();
            }
            Component::Prefix(_)
            | Component::RootDir
            | Component::ParentDir
            | Component::Normal(_) => {
                plain.push(part);
            }
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_markers_are_told_from_elsewhere() {
        let text = "# 0 \"../src/a.c\"\n# 1 \"<built-in>\"\nchar *a = \"# 1 \\\"x\\\"\";\n# 1 \"/usr/include/b.h\" 1 3\n# 5 \"/home/me/p/src/c.h\" 2\n";
        let rename =
            |name: &str| shown_from(Path::new("/home/me/p"), Path::new("/home/me/p/build"), name);
        let renamed = rebased(text.as_bytes(), &rename);
        assert_eq!(
            String::from_utf8(renamed).unwrap(),
            "# 0 \"src/a.c\"\n# 1 \"<built-in>\"\nchar *a = \"# 1 \\\"x\\\"\";\n# 1 \"/usr/include/b.h\" 1 3\n# 5 \"src/c.h\" 2\n"
        );
    }
}
