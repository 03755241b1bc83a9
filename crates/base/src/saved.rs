//! Values as bytes and back, for files that nobody reads but the program that wrote them.
//!
//! Bytes say nothing about types: who reads has to ask for what was written, in the same order. Files end with a check sum, which
//! is looked at before anything else is read, so what is read is what was written.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fs::File;
use std::hash::{BuildHasher, Hash};
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;
use std::sync::Arc;

use crate::Span;

/// A value that can be written and read.
pub trait Saved: Sized {
    fn save(&self, sink: &mut Sink);

    /// # Errors
    ///
    /// If the bytes are not those of such a value.
    fn load(source: &mut Source) -> io::Result<Self>;
}

/// The bytes that are read are those of something else.
pub fn wrong() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "not what was written")
}

/// Where values go to.
pub struct Sink {
    file: BufWriter<File>,
    sum: Sum,
    /// The first that went wrong; nothing is written after it.
    error: Option<io::Error>,
}

/// Where values come from.
pub struct Source {
    file: BufReader<File>,
}

/// The check sum of all bytes so far, eight at a time.
#[derive(Clone, Copy, Default)]
struct Sum {
    total: u64,
    word: u64,
    count: u32,
}

impl Sum {
    fn add(&mut self, mut bytes: &[u8]) {
        // Most are whole words.
        while self.count == 0
            && let Some((word, rest)) = bytes.split_first_chunk::<8>()
        {
            self.word = u64::from_be_bytes(*word);
            self.turn();
            bytes = rest;
        }
        for &byte in bytes {
            self.word = self.word << 8 | u64::from(byte);
            self.count += 1;
            if self.count == 8 {
                self.turn();
            }
        }
    }

    fn turn(&mut self) {
        self.total = (self.total.rotate_left(5) ^ self.word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (self.word, self.count) = (0, 0);
    }

    fn finish(mut self) -> u64 {
        self.turn();
        self.total
    }
}

/// How long a check sum is.
const SUM_BYTES: u64 = 8;

impl Sink {
    fn write(&mut self, bytes: &[u8]) {
        if self.error.is_some() {
            return;
        }
        self.sum.add(bytes);
        self.error = self.file.write_all(bytes).err();
    }
}

impl Source {
    fn read<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

/// Writes a file. Until it is whole, an old one of the name stays as it is.
///
/// # Errors
///
/// If it cannot be written.
pub fn write_file(path: &Path, write: impl FnOnce(&mut Sink)) -> io::Result<()> {
    let unfinished = path.with_extension("unfinished");
    let mut sink = Sink {
        file: BufWriter::with_capacity(1 << 20, File::create(&unfinished)?),
        sum: Sum::default(),
        error: None,
    };
    write(&mut sink);
    let sum = sink.sum.finish();
    sink.write(&sum.to_le_bytes());
    if let Some(error) = sink.error {
        return Err(error);
    }
    let file = sink
        .file
        .into_inner()
        .map_err(io::IntoInnerError::into_error)?;
    file.sync_all()?;
    drop(file);
    std::fs::rename(unfinished, path)
}

/// Reads a file that [`write_file`] has written.
///
/// # Errors
///
/// If it cannot be read, or is not such a file.
pub fn read_file<T>(path: &Path, read: impl FnOnce(&mut Source) -> io::Result<T>) -> io::Result<T> {
    let mut file = File::open(path)?;
    let length = file
        .metadata()?
        .len()
        .checked_sub(SUM_BYTES)
        .ok_or_else(wrong)?;
    let mut unread = length;
    let mut sum = Sum::default();
    let mut buffer = vec![0; 1 << 20];
    while unread > 0 {
        let size = usize::try_from(unread)
            .unwrap_or(usize::MAX)
            .min(buffer.len());
        file.read_exact(&mut buffer[..size])?;
        sum.add(&buffer[..size]);
        unread -= size as u64;
    }
    let mut known = [0; 8];
    file.read_exact(&mut known)?;
    if sum.finish() != u64::from_le_bytes(known) {
        return Err(wrong());
    }
    file.rewind()?;
    let mut source = Source {
        file: BufReader::with_capacity(1 << 20, file),
    };
    let value = read(&mut source)?;
    let is_all = source.file.stream_position()? == length;
    if is_all { Ok(value) } else { Err(wrong()) }
}

/// Implements [`Saved`] for a struct, given its fields, or an enum, given its variants.
#[macro_export]
macro_rules! saved {
    (struct $name:ident { $($field:ident),* $(,)? }) => {
        impl $crate::saved::Saved for $name {
            fn save(&self, sink: &mut $crate::saved::Sink) {
                let Self { $($field),* } = self;
                $($crate::saved::Saved::save($field, sink);)*
            }

            fn load(source: &mut $crate::saved::Source) -> std::io::Result<Self> {
                Ok(Self { $($field: $crate::saved::Saved::load(source)?),* })
            }
        }
    };
    (struct $name:ident ( $($field:ident),* $(,)? )) => {
        impl $crate::saved::Saved for $name {
            fn save(&self, sink: &mut $crate::saved::Sink) {
                let Self($($field),*) = self;
                $($crate::saved::Saved::save($field, sink);)*
            }

            fn load(source: &mut $crate::saved::Source) -> std::io::Result<Self> {
                Ok(Self($({
                    let $field = $crate::saved::Saved::load(source)?;
                    $field
                }),*))
            }
        }
    };
    (enum $name:ident { $(
        $variant:ident $(( $($item:ident),* ))? $({ $($field:ident),* })?
    ),* $(,)? }) => {
        impl $crate::saved::Saved for $name {
            fn save(&self, sink: &mut $crate::saved::Sink) {
                enum Number { $($variant),* }
                // A variant that is not named does not compile.
                match self {
                    $($name::$variant $(( $($item),* ))? $({ $($field),* })? => {
                        $crate::saved::Saved::save(&(Number::$variant as u8), sink);
                        $($($crate::saved::Saved::save($item, sink);)*)?
                        $($($crate::saved::Saved::save($field, sink);)*)?
                    })*
                }
            }

            fn load(source: &mut $crate::saved::Source) -> std::io::Result<Self> {
                enum Number { $($variant),* }
                let number = <u8 as $crate::saved::Saved>::load(source)?;
                $(
                    if number == Number::$variant as u8 {
                        return Ok($name::$variant
                            $(( $({ let $item = $crate::saved::Saved::load(source)?; $item }),* ))?
                            $({ $($field: $crate::saved::Saved::load(source)?),* })?
                        );
                    }
                )*
                Err($crate::saved::wrong())
            }
        }
    };
}

macro_rules! saved_numbers {
    ($($number:ident),*) => {$(
        impl Saved for $number {
            fn save(&self, sink: &mut Sink) {
                sink.write(&self.to_le_bytes());
            }

            fn load(source: &mut Source) -> io::Result<Self> {
                Ok(Self::from_le_bytes(source.read()?))
            }
        }
    )*};
}

saved_numbers!(u8, u32, u64, u128);

impl<const N: usize> Saved for [u8; N] {
    fn save(&self, sink: &mut Sink) {
        sink.write(self);
    }

    fn load(source: &mut Source) -> io::Result<Self> {
        source.read()
    }
}

impl Saved for usize {
    fn save(&self, sink: &mut Sink) {
        (*self as u64).save(sink);
    }

    fn load(source: &mut Source) -> io::Result<Self> {
        Self::try_from(u64::load(source)?).map_err(|_| wrong())
    }
}

impl Saved for bool {
    fn save(&self, sink: &mut Sink) {
        u8::from(*self).save(sink);
    }

    fn load(source: &mut Source) -> io::Result<Self> {
        Ok(u8::load(source)? != 0)
    }
}

impl Saved for String {
    fn save(&self, sink: &mut Sink) {
        self.as_bytes().to_vec().save(sink);
    }

    fn load(source: &mut Source) -> io::Result<Self> {
        Self::from_utf8(Vec::load(source)?).map_err(|_| wrong())
    }
}

impl<T: Saved> Saved for Option<T> {
    fn save(&self, sink: &mut Sink) {
        self.is_some().save(sink);
        if let Some(value) = self {
            value.save(sink);
        }
    }

    fn load(source: &mut Source) -> io::Result<Self> {
        bool::load(source)?.then(|| T::load(source)).transpose()
    }
}

/// Writes so many values.
pub fn save_all<'a, T: Saved + 'a>(values: impl ExactSizeIterator<Item = &'a T>, sink: &mut Sink) {
    values.len().save(sink);
    for value in values {
        value.save(sink);
    }
}

/// Reads as many values as were written.
///
/// # Errors
///
/// If the bytes are not those of such values.
pub fn load_all<T: Saved, C: FromIterator<T>>(source: &mut Source) -> io::Result<C> {
    let length = usize::load(source)?;
    (0..length).map(|_| T::load(source)).collect()
}

macro_rules! saved_collections {
    ($($collection:ty),*) => {$(
        impl<T: Saved> Saved for $collection {
            fn save(&self, sink: &mut Sink) {
                save_all(self.iter(), sink);
            }

            fn load(source: &mut Source) -> io::Result<Self> {
                load_all(source)
            }
        }
    )*};
}

saved_collections!(Vec<T>, VecDeque<T>, Box<[T]>, Arc<[T]>);

impl<T: Saved + Ord> Saved for BTreeSet<T> {
    fn save(&self, sink: &mut Sink) {
        save_all(self.iter(), sink);
    }

    fn load(source: &mut Source) -> io::Result<Self> {
        load_all(source)
    }
}

impl<K: Saved + Ord, V: Saved> Saved for BTreeMap<K, V> {
    fn save(&self, sink: &mut Sink) {
        self.len().save(sink);
        for (key, value) in self {
            key.save(sink);
            value.save(sink);
        }
    }

    fn load(source: &mut Source) -> io::Result<Self> {
        load_all(source)
    }
}

impl<K: Saved + Ord + Hash, V: Saved, S: BuildHasher + Default> Saved for HashMap<K, V, S> {
    fn save(&self, sink: &mut Sink) {
        self.len().save(sink);
        let mut sorted: Vec<(&K, &V)> = self.iter().collect();
        sorted.sort_unstable_by_key(|(key, _)| *key);
        for (key, value) in sorted {
            key.save(sink);
            value.save(sink);
        }
    }

    fn load(source: &mut Source) -> io::Result<Self> {
        load_all(source)
    }
}

impl<T: Saved + Ord + Hash, S: BuildHasher + Default> Saved for HashSet<T, S> {
    fn save(&self, sink: &mut Sink) {
        let mut sorted: Vec<&T> = self.iter().collect();
        sorted.sort_unstable();
        save_all(sorted.into_iter(), sink);
    }

    fn load(source: &mut Source) -> io::Result<Self> {
        load_all(source)
    }
}

impl<T: Saved> Saved for Arc<T> {
    fn save(&self, sink: &mut Sink) {
        (**self).save(sink);
    }

    fn load(source: &mut Source) -> io::Result<Self> {
        T::load(source).map(Arc::new)
    }
}

impl<A: Saved, B: Saved> Saved for (A, B) {
    fn save(&self, sink: &mut Sink) {
        self.0.save(sink);
        self.1.save(sink);
    }

    fn load(source: &mut Source) -> io::Result<Self> {
        Ok((A::load(source)?, B::load(source)?))
    }
}

crate::saved!(struct Span { file, start, end });

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Eq)]
    enum Shape {
        Point,
        Line(u32, u64),
        Named { name: String, sides: Vec<Shape> },
    }

    crate::saved!(enum Shape { Point, Line(from, to), Named { name, sides } });

    fn shapes() -> Vec<Shape> {
        let all = vec![Shape::Point, Shape::Line(1, u64::MAX)];
        let named = Shape::Named {
            name: "größe".to_owned(),
            sides: all.clone(),
        };
        all.into_iter().chain([named]).collect()
    }

    fn folder(name: &str) -> std::path::PathBuf {
        let folder =
            std::env::temp_dir().join(format!("raddle-saved-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a temporary folder can be made");
        folder
    }

    #[test]
    fn what_was_written_is_read() {
        let path = folder("read").join("shapes");
        let map: BTreeMap<u32, Option<bool>> = BTreeMap::from([(1, None), (7, Some(true))]);
        write_file(&path, |sink| {
            shapes().save(sink);
            map.save(sink);
        })
        .expect("it can be written");
        let read = read_file(&path, |source| {
            Ok((Vec::<Shape>::load(source)?, BTreeMap::load(source)?))
        });
        assert_eq!(read.expect("it can be read"), (shapes(), map));
    }

    #[test]
    fn what_is_cut_off_or_changed_is_not_read() {
        let path = folder("changed").join("shapes");
        write_file(&path, |sink| shapes().save(sink)).expect("it can be written");
        let bytes = std::fs::read(&path).expect("it was written");
        let is_read = || read_file(&path, Vec::<Shape>::load).is_ok();
        assert!(is_read());
        for length in 0..bytes.len() {
            std::fs::write(&path, &bytes[..length]).expect("it can be written");
            assert!(!is_read(), "of {length} bytes");
        }
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            std::fs::write(&path, changed).expect("it can be written");
            assert!(!is_read(), "with byte {at} changed");
        }
    }
}
