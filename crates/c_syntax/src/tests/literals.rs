//! Numbers, characters and strings.

use super::expressions;

#[test]
fn integers_keep_their_base_and_suffix() {
    expressions(&[(
        "0 + 42 + 0x1fU + 017L + 0b11 + 1ull",
        "binary +(binary +(binary +(binary +(binary +(integer 0, integer 42), integer 31 not decimal unsigned), integer 15 not decimal long), integer 3 not decimal), integer 1 unsigned long long)",
    )]);
}

#[test]
fn floats_keep_their_text() {
    expressions(&[(
        "1.5 + .5f + 1e3L + 0x1.8p3 + 2.0i",
        "binary +(binary +(binary +(binary +(number 1.5, number .5 float), number 1e3 long double), number 0x1.8p3), number 2.0 imaginary)",
    )]);
}

#[test]
fn characters_have_the_values_of_gcc() {
    expressions(&[
        (
            r"'a' + '\n' + '\x80' + '\377' + 'ab'",
            "binary +(binary +(binary +(binary +(character 97, character 10), character -128), character -1), character 24930)",
        ),
        (
            r#"'abcd' + '\e' + '\'' + '"' + '\?' + '\0'"#,
            "binary +(binary +(binary +(binary +(binary +(character 1633837924, character 27), character 39), character 34), character 63), character 0)",
        ),
        (
            r"L'\xffffffff' + u'\xffff' + U'é' + L'é'",
            "binary +(binary +(binary +(character L-1, character u65535), character U233), character L233)",
        ),
    ]);
}

#[test]
fn adjacent_strings_are_one_in_the_widest_encoding() {
    expressions(&[
        (r#""a" "b\0\x41g" "\u00e9""#, r#"string "ab\x00Ag\xc3\xa9""#),
        (r#"L"é" "x""#, r#"string L"\xe9x""#),
        (r#""é" L"\x1""#, r#"string L"\xe9\x01""#),
        (r#"u"\U0001F600""#, r#"string u"\xd83d\xde00""#),
        (r#"u8"é" "e""#, r#"string "\xc3\xa9e""#),
    ]);
}
