use super::*;
use crate::Id;

fn span(file: FileId, start: usize, end: usize) -> Span {
    Span {
        file,
        start: u32::try_from(start).unwrap(),
        end: u32::try_from(end).unwrap(),
    }
}

/// The span of a part of an input.
fn part(sources: &SourceMap, file: FileId, text: &str) -> Span {
    let start = sources.file(file).text.find(text).unwrap();
    span(file, start, start + text.len())
}

#[test]
fn places_count_lines_and_characters_from_one() {
    let mut sources = SourceMap::new();
    let file = sources.add("a.rad", "one\ntwö x\n");
    let span = span(file, 9, 10);
    assert_eq!(sources.place(span).to_string(), "a.rad:2:5");
    assert_eq!(sources.line_text(span), "twö x");
    assert_eq!(sources.text(span), "x");
}

#[test]
fn the_end_of_a_file_is_a_place() {
    let mut sources = SourceMap::new();
    let file = sources.add("a.rad", "one\n");
    let span = span(file, 4, 4);
    assert_eq!(sources.place(span).to_string(), "a.rad:2:1");
    assert_eq!(sources.line_text(span), "");
}

#[test]
fn bytes_that_are_no_text_are_shown_one_by_one() {
    let mut sources = SourceMap::new();
    let bytes = b"/* \xff\xfe \xc3\xa4 */\nx\n";
    let file = sources.add("a.c", bytes.to_vec());
    assert_eq!(sources.file(file).bytes(), bytes);
    assert_eq!(sources.file(file).text, "/* ?? ä */\nx\n");
    assert_eq!(
        sources.place(part(&sources, file, "x")).to_string(),
        "a.c:2:1"
    );
}

#[test]
fn a_span_of_an_unknown_file_is_a_place_all_the_same() {
    let sources = SourceMap::new();
    let span = span(FileId::from_index(77), 5, 9);
    assert!(!sources.knows(span));
    assert_eq!(sources.place(span).to_string(), "<built in>:1:1");
    assert_eq!(sources.text(span), "");
}

const ORIGINAL: &str = "\
#include <assert.h>
#define TWICE(a) ((a) + (a))
int   x   =  1;   /* \u{e4} */
void f(void) {
\tassert( x   ==  1 );
    x = TWICE( x
       )  ;
}
";

/// As gcc writes it.
const PREPROCESSED: &str = "\
# 0 \"dir/t.c\"
# 0 \"<built-in>\"
# 1 \"dir/t.c\"
# 1 \"/usr/include/assert.h\" 1 3 4
extern void __assert_fail (const char *);
# 2 \"dir/t.c\" 2


# 3 \"dir/t.c\"
int x = 1;
void f(void) {

# 5 \"dir/t.c\" 3 4
((void) sizeof ((
# 5 \"dir/t.c\"
x == 1
# 5 \"dir/t.c\" 3 4
) ? 1 : 0), __extension__ ({ if (
# 5 \"dir/t.c\"
x == 1
# 5 \"dir/t.c\" 3 4
) ; else __assert_fail (\"x == 1\"); }))
# 5 \"dir/t.c\"
                   ;
    x = ((x) + (x))
         ;
}
";

fn preprocessed() -> (SourceMap, FileId) {
    let mut sources = SourceMap::new();
    let file = sources.add_preprocessed("dir/t.c", PREPROCESSED);
    (sources, file)
}

#[test]
fn line_markers_give_the_file_and_the_line() {
    let (sources, file) = preprocessed();
    assert_eq!(sources.originals_of(file), ["dir/t.c"]);
    for (text, place) in [
        ("extern", "/usr/include/assert.h:1:1"),
        ("int x", "dir/t.c:3:1"),
        ("void f", "dir/t.c:4:1"),
        ("__extension__", "dir/t.c:5:13"),
        ("((x)", "dir/t.c:6:9"),
    ] {
        let span = part(&sources, file, text);
        assert_eq!(sources.place(span).to_string(), place, "{text}");
    }
    let span = part(&sources, file, "x = 1");
    assert_eq!(sources.line_text(span), "int x = 1;");
}

#[test]
fn where_the_original_is_known_its_columns_and_its_text_are_shown() {
    let (mut sources, file) = preprocessed();
    sources.add_original("dir/t.c", ORIGINAL);
    for (text, place, shown) in [
        ("x = 1", "dir/t.c:3:7", "x   =  1"),
        ("1;", "dir/t.c:3:14", "1;"),
        (
            "__assert_fail (\"x == 1\")",
            "dir/t.c:5:2",
            "assert( x   ==  1 )",
        ),
        ("((x) + (x))", "dir/t.c:6:9", "TWICE( x"),
        ("extern void", "/usr/include/assert.h:1:1", "extern void"),
    ] {
        let span = part(&sources, file, text);
        assert_eq!(sources.place(span).to_string(), place, "{text}");
        assert_eq!(sources.text(span), shown);
    }
    let whole = part(&sources, file, "((void)").to(part(&sources, file, "                   ;"));
    assert_eq!(sources.text(whole), "assert( x   ==  1 );");
    assert_eq!(sources.line_text(whole), "\tassert( x   ==  1 );");
    let several = part(&sources, file, "void f").to(part(&sources, file, "))\n         ;"));
    assert_eq!(sources.place(several).to_string(), "dir/t.c:4:1");
    assert_eq!(sources.end_place(several).to_string(), "dir/t.c:7:12");
    assert_eq!(sources.named("dir/t.c").unwrap().text, ORIGINAL);
}

#[test]
fn an_original_that_has_become_shorter_is_not_shown() {
    let (mut sources, file) = preprocessed();
    sources.add_original("dir/t.c", "int x;\n");
    let span = part(&sources, file, "__extension__");
    assert_eq!(sources.place(span).to_string(), "dir/t.c:5:13");
}

#[test]
fn no_span_has_no_place() {
    let (mut sources, file) = preprocessed();
    sources.add_original("dir/t.c", ORIGINAL);
    let length = PREPROCESSED.len() + 3;
    for start in 0..length {
        for end in [start, start + 1, start + 20, length] {
            let span = span(file, start, end);
            assert!(sources.place(span) <= sources.end_place(span));
            let _ = (sources.text(span), sources.line_text(span));
        }
    }
}

#[test]
fn the_content_of_preprocessed_text_has_no_names_of_files() {
    let (sources, file) = preprocessed();
    let mut others = SourceMap::new();
    let elsewhere = PREPROCESSED.replace("dir/t.c", "/other/dir/t.c");
    let other = others.add_preprocessed("t.c", elsewhere);
    assert_eq!(sources.file(file).content(), others.file(other).content());
    assert_ne!(sources.file(file).content(), sources.file(file).bytes());
}

#[test]
fn a_file_that_only_has_the_name_of_the_original_is_told_apart() {
    let (sources, file) = preprocessed();
    assert!(sources.resembles(file, "dir/t.c", ORIGINAL.as_bytes()));
    assert!(!sources.resembles(file, "dir/t.c", b""));
    let other = "// a\n// b\nfloat y;\nlong g(void);\n// c\ny = 1;\n// d\n";
    assert!(!sources.resembles(file, "dir/t.c", other.as_bytes()));
}
