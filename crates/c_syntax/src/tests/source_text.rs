//! Comments, lines, markers, and bytes that are no text.

use raddle_base::SourceMap;

use super::{read, report, tree};
use crate::dump::{byte_range, dump};

#[test]
fn line_markers_and_pragmas_are_passed_over() {
    let text = "# 1 \"a.c\"\n#line 3 \"b.c\"\n#pragma once\n  # 12 \"file.c\" 1 3\n#ident \"x\"\n#\nint x;";
    assert_eq!(tree(text), tree("int x;"));
    let text = "int _Pragma(\"GCC diagnostic push\") x _Pragma (\"y\");";
    assert_eq!(tree(text), tree("int x;"));
}

#[test]
fn packing_is_an_attribute_of_the_structs_under_it() {
    let text =
        "#pragma pack(push, 1)\nstruct a { int x; };\n#pragma pack(pop)\nstruct b { int x; };";
    assert_eq!(
        tree(text),
        "declaration(specifiers struct(struct `a` defined(members(specifiers int, declarator `x`), \
         attribute `pragma_pack`(integer 1)))), \
         declaration(specifiers struct(struct `b` defined(members(specifiers int, declarator `x`))))"
    );
    let text = "_Pragma(\"pack(2)\") struct a { int x; };";
    assert!(tree(text).contains("attribute `pragma_pack`(integer 2)"));
}

#[test]
fn directives_of_the_preprocessor_are_errors() {
    let text = "#define X 1\n  %: if X\nint x;\n#endif";
    let found: Vec<String> = report(text)
        .iter()
        .map(|line| line.split(" [").next().unwrap().to_owned())
        .collect();
    assert_eq!(
        found,
        [
            "1:1: `#define` has not been preprocessed",
            "2:3: `#if` has not been preprocessed",
            "4:1: `#endif` has not been preprocessed",
        ]
    );
}

#[test]
fn lines_are_joined_anywhere() {
    assert_eq!(
        tree("in\\\nt x\\\r\ny = 1\\\n2 +\\ \n= \"a\\\nb\"; // c\\\nint z;\nint w;"),
        tree("int xy = 12 += \"ab\"; int w;")
    );
}

#[test]
fn places_in_joined_lines_are_those_of_the_source() {
    let text = "in\\\nt x\\\n;";
    let parsed = read(text);
    assert_eq!(
        dump(&parsed.unit, &byte_range),
        "declaration @0..10\n  specifiers int @0..5\n  declarator `x` @6..7\n"
    );
}

#[test]
fn digraphs_are_brackets() {
    assert_eq!(
        tree("int a<:2:> = <% 1, 2 %>;"),
        tree("int a[2] = { 1, 2 };")
    );
}

#[test]
fn annotations_are_kept_and_other_comments_are_not() {
    let text = "/* a */ int /*@ b\n c */ x; // d\n//@ e\\\nf\n/*@*/ //@";
    let annotations: Vec<(String, String)> = read(text)
        .unit
        .annotations
        .into_iter()
        .map(|it| (it.text, byte_range(it.span)))
        .collect();
    let expected = [
        (" b\n c ", "12..23"),
        (" ef", "32..40"),
        ("", "41..46"),
        ("", "47..50"),
    ];
    assert_eq!(
        annotations,
        expected.map(|(text, place)| (text.to_owned(), place.to_owned()))
    );
}

#[test]
fn names_have_dollars_and_characters_of_all_kinds() {
    assert_eq!(
        tree("int $a, é, b$1;"),
        "declaration(specifiers int, declarator `$a`, declarator `é`, declarator `b$1`)"
    );
    assert_eq!(tree("int \\u00e9 = é;"), tree("int é = \\U000000e9;"));
}

#[test]
fn bytes_that_are_no_text_are_kept_apart() {
    let text = b"int a\xff, a\xfe; char *s = \"\xff\xc3\"; // \xff\nint c = '\xff', d = L'\xff';";
    let file = SourceMap::new().add("test.i", "");
    let parsed = crate::parse(file, text);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let shown = super::on_one_line(&super::dump_of(&parsed.unit));
    assert_eq!(
        shown,
        "declaration(specifiers int, declarator `a\\xff`, declarator `a\\xfe`), \
         declaration(specifiers char, declarator `s`(pointer, initializer(string \"\\xff\\xc3\"))), \
         declaration(specifiers int, declarator `c`(initializer(character -1)), \
         declarator `d`(initializer(character L255)))"
    );
}

#[test]
fn every_node_lies_within_its_parent() {
    let text = "static int (*f(int a, char *b))[3] { for (int i = 0; i < 3; i++) { x = (a + b) * c[1].d; }\n\
                return ({ struct s { int y : 2; } z = { .y = 1 }; &z; }); }";
    let parsed = read(text);
    assert!(parsed.diagnostics.is_empty());
    let mut open: Vec<(usize, u32, u32)> = Vec::new();
    for line in dump(&parsed.unit, &byte_range).lines() {
        let node = line.trim_start();
        let depth = line.len() - node.len();
        let Some((start, end)) = node
            .rsplit_once('@')
            .and_then(|(_, place)| place.split_once(".."))
        else {
            continue;
        };
        let (start, end) = (start.parse().unwrap(), end.parse().unwrap());
        open.retain(|&(above, _, _)| above < depth);
        if let Some(&(_, outer_start, outer_end)) = open.last() {
            assert!(outer_start <= start && end <= outer_end, "{line}");
        }
        open.push((depth, start, end));
    }
}
