use super::*;

const SIZES: [usize; 15] = [
    0, 1, 255, 256, 257, 1_024, 1_025, 4_095, 16_385, 16_640, 17_664, 32_700, 70_000, 262_145,
    1_000_003,
];

fn some(at: usize) -> Cell {
    (!at.is_multiple_of(7)).then(|| (at * 31 % 251).to_le_bytes()[0])
}

/// The same with a plain row beside it.
fn both(len: usize) -> (Bytes, Vec<Cell>) {
    let mut bytes = Bytes::filled(Some(0), len);
    let mut plain = vec![Some(0); len];
    let mut at = 3;
    while at + 5 < len {
        let cells = [some(at), None, some(at + 2), Some(9), some(at * 3)];
        bytes.write(at, &cells);
        plain[at..at + 5].copy_from_slice(&cells);
        at = at * 2 + 61;
    }
    if len > 300 {
        bytes.fill(100..299, Some(0x55));
        plain[100..299].fill(Some(0x55));
    }
    (bytes, plain)
}

fn hash(bytes: &Bytes) -> u64 {
    let mut hasher = raddle_base::fast_hasher();
    bytes.hash(&mut hasher);
    hasher.finish()
}

#[test]
fn bytes_hold_what_a_row_would() {
    for len in SIZES {
        let (bytes, plain) = both(len);
        assert_eq!(bytes.len(), len);
        assert!(bytes.cells().eq(plain.iter().copied()), "{len}");
        for first in [0, 60, 63, 250, 1_020]
            .into_iter()
            .filter(|it| it + 9 < len)
        {
            assert_eq!(*bytes.get(first..first + 9), plain[first..first + 9]);
        }
        let built = Bytes::from(plain);
        assert_eq!(built, bytes, "equal however they came to be");
        assert_eq!(hash(&built), hash(&bytes), "and so are their hashes");
        assert_eq!(built.cmp(&bytes), Ordering::Equal);
    }
}

#[test]
fn a_write_changes_the_hash_and_taking_it_back_restores_it() {
    for len in SIZES.into_iter().filter(|it| *it > 0) {
        let (before, plain) = both(len);
        for at in [0, len / 3, len - 1] {
            let mut after = before.clone();
            after.write(at, &[Some(0xee)]);
            assert_ne!(after, before);
            assert_ne!(hash(&after), hash(&before));
            let mut changed = plain.clone();
            changed[at] = Some(0xee);
            assert_eq!(after.cmp(&before), changed.cmp(&plain));
            assert!(!after.agrees(&before, at..at + 1));
            assert!(after.agrees(&before, 0..at));
            assert!(after.agrees(&before, at + 1..usize::MAX));
            after.write(at, &[plain[at]]);
            assert_eq!(after, before);
            assert_eq!(hash(&after), hash(&before));
        }
    }
}

#[test]
fn words_are_those_that_a_row_has() {
    let ends: Occurring = (0x50..0x60).collect();
    for len in SIZES {
        let (bytes, plain) = both(len);
        for size in [4, 8] {
            let expected: Vec<(usize, u128)> = plain
                .windows(size)
                .enumerate()
                .filter(|(_, it)| it[size - 1].is_some_and(|it| ends.has(it)))
                .filter_map(|(at, it)| Some((at, word(it)?)))
                .collect();
            let found: Vec<_> = bytes.words_ending_in(size, &ends).collect();
            assert_eq!(found, expected, "{len}");
        }
        assert_eq!(
            bytes.has_any(&ends),
            plain.iter().flatten().any(|it| ends.has(*it))
        );
    }
}

#[test]
fn pieces_join_to_what_was_cut() {
    for len in SIZES.into_iter().filter(|it| *it > 0) {
        let (bytes, plain) = both(len);
        for least in [4, 12, 64, 65, len.div_ceil(64), len.div_ceil(3)] {
            let length = Bytes::length_of_pieces(least.next_multiple_of(4));
            let pieces: Vec<Bytes> = (0..len.div_ceil(length))
                .map(|at| bytes.piece(at, length))
                .collect();
            for (piece, plain) in pieces.iter().zip(plain.chunks(length)) {
                let built = Bytes::from(plain.to_vec());
                assert_eq!(*piece, built, "{len} in pieces of {length}");
                assert_eq!(hash(piece), hash(&built));
            }
            let pieces: Vec<&Bytes> = pieces.iter().collect();
            let joined = Bytes::joined(&pieces, length);
            assert_eq!(joined, bytes, "{len} in pieces of {length}");
            assert_eq!(hash(&joined), hash(&bytes));
        }
    }
}

#[test]
fn saved_bytes_come_back() {
    for len in SIZES {
        let (bytes, plain) = both(len);
        let name = format!("raddle-bytes-{}-{len}", std::process::id());
        let path = std::env::temp_dir().join(name);
        raddle_base::saved::write_file(&path, |sink| plain.save(sink)).expect("a file");
        let loaded = raddle_base::saved::read_file(&path, Bytes::load).expect("as rows are");
        assert_eq!(loaded, bytes);
        raddle_base::saved::write_file(&path, |sink| bytes.save(sink)).expect("a file");
        let loaded = raddle_base::saved::read_file(&path, Bytes::load).expect("what was saved");
        std::fs::remove_file(&path).expect("is there");
        assert_eq!(loaded, bytes);
    }
}
