//! Where records lie in what a compiler writes: a section of its own in files of the form ELF, and in archives of them.

/// How the section is called. It is not loaded when a program runs.
pub const SECTION: &str = ".raddle";

/// The bytes of our section in an object, a program, a shared library, or in all members of an archive; `None` if there is none.
/// What is no such file has none.
pub fn section(bytes: &[u8]) -> Option<Vec<u8>> {
    if bytes.starts_with(b"!<arch>\n") {
        let found: Vec<Vec<u8>> = members(bytes)
            .into_iter()
            .filter_map(of_elf)
            .map(<[u8]>::to_vec)
            .collect();
        return (!found.is_empty()).then(|| found.concat());
    }
    of_elf(bytes).map(<[u8]>::to_vec)
}

/// Whether some code in a file lacks our section; a thin archive names the files of its members, which `read` reads.
pub fn lacks_section(bytes: &[u8], read: &dyn Fn(&str) -> Vec<u8>) -> bool {
    let lacks = |it: &[u8]| it.starts_with(b"\x7fELF") && of_elf(it).is_none();
    if bytes.starts_with(THIN) {
        return thin_members(bytes).iter().any(|it| lacks(&read(it)));
    }
    if bytes.starts_with(b"!<arch>\n") {
        return members(bytes).into_iter().any(lacks);
    }
    lacks(bytes)
}

const THIN: &[u8] = b"!<thin>\n";

/// The names of the members of a thin archive, seen from its folder. All of them stand in the table of long names.
fn thin_members(bytes: &[u8]) -> Vec<String> {
    let table = members(bytes)
        .into_iter()
        .find(|it| it.windows(2).any(|it| it == b"/\n"));
    let text = String::from_utf8_lossy(table.unwrap_or_default()).into_owned();
    let names = text.split("/\n").map(str::trim);
    names
        .filter(|it| !it.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The members of an archive.
fn members(bytes: &[u8]) -> Vec<&[u8]> {
    const HEAD: usize = 60;
    let mut found = Vec::new();
    let mut at = 8;
    while let Some(head) = bytes.get(at..at + HEAD) {
        let size = std::str::from_utf8(&head[48..58])
            .ok()
            .and_then(|it| it.trim().parse::<usize>().ok());
        let Some(member) =
            size.and_then(|size| bytes.get(at + HEAD..(at + HEAD).checked_add(size)?))
        else {
            break;
        };
        found.push(member);
        if bytes.starts_with(THIN) && head.starts_with(b"//") {
            // What follows are only heads.
            break;
        }
        at += HEAD + member.len() + member.len() % 2;
    }
    found
}

/// How the numbers of a file are written.
struct Elf<'a> {
    bytes: &'a [u8],
    is_wide: bool,
    is_little: bool,
}

impl Elf<'_> {
    fn number(&self, at: usize, size: usize) -> Option<usize> {
        let bytes = self.bytes.get(at..at.checked_add(size)?)?;
        let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        let number = if self.is_little {
            bytes.iter().rev().fold(0, add)
        } else {
            bytes.iter().fold(0, add)
        };
        usize::try_from(number).ok()
    }

    /// A number that is an address or a size, at one place in files of 64 bits and at another one in those of 32.
    fn word(&self, begin: usize, wide: usize, narrow: usize) -> Option<usize> {
        if self.is_wide {
            self.number(begin.checked_add(wide)?, 8)
        } else {
            self.number(begin.checked_add(narrow)?, 4)
        }
    }

    /// The name of a section in the table of names, and what it holds.
    fn section(&self, begin: usize) -> Option<(usize, usize, usize)> {
        let name = self.number(begin, 4)?;
        Some((
            name,
            self.word(begin, 0x18, 0x10)?,
            self.word(begin, 0x20, 0x14)?,
        ))
    }
}

fn of_elf(bytes: &[u8]) -> Option<&[u8]> {
    if !bytes.starts_with(b"\x7fELF") {
        return None;
    }
    let elf = Elf {
        bytes,
        is_wide: bytes.get(4) == Some(&2),
        is_little: bytes.get(5) == Some(&1),
    };
    let table = elf.word(0, 0x28, 0x20)?;
    let last = if elf.is_wide { 0x3a } else { 0x2e };
    let (size, mut count, mut names) = (
        elf.number(last, 2)?,
        elf.number(last + 2, 2)?,
        elf.number(last + 4, 2)?,
    );
    let nth = |index: usize| elf.section(table.checked_add(index.checked_mul(size)?)?);
    // Numbers that do not fit stand in the first section.
    if count == 0 {
        count = elf.word(table, 0x20, 0x14)?;
    }
    if names == 0xffff {
        names = elf.number(table.checked_add(if elf.is_wide { 0x28 } else { 0x18 })?, 4)?;
    }
    let (_, names, _) = nth(names)?;
    let wanted = [SECTION.as_bytes(), b"\0"].concat();
    // A damaged file may claim more sections than it has room for.
    let count = count.min(bytes.len() / size.max(1));
    (0..count)
        .filter_map(nth)
        .find_map(|(name, begin, length)| {
            let name = bytes.get(names.checked_add(name)?..)?;
            name.starts_with(&wanted)
                .then(|| bytes.get(begin..begin.checked_add(length)?))
                .flatten()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_object_has_no_section() {
        for bytes in [
            &b""[..],
            b"\x7fELF",
            b"!<arch>\n",
            b"int a;",
            b"\x7fELF\x02\x01",
        ] {
            assert_eq!(section(bytes), None);
        }
        // Every beginning of a damaged file ends somewhere.
        let mut bytes = b"\x7fELF\x02\x01".to_vec();
        bytes.resize(200, 0xff);
        for end in 0..bytes.len() {
            assert_eq!(section(&bytes[..end]), None);
        }
    }
}
