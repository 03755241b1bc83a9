//! A name for a text that changes whenever somebody edits it.

/// FNV-1a, 64 bits: tells accidental changes apart, not forgeries. A wrong trace is caught by the replay anyway.
pub fn fingerprint(content: &[u8]) -> String {
    let hash = content
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
    format!("fnv1a64:{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_published_values_of_the_hash() {
        assert_eq!(fingerprint(b""), "fnv1a64:cbf29ce484222325");
        assert_eq!(fingerprint(b"a"), "fnv1a64:af63dc4c8601ec8c");
        assert_eq!(fingerprint(b"foobar"), "fnv1a64:85944171f73967e8");
    }
}
