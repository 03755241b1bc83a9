//! Random programs without threads that print what they compute.
//!
//! They are made so that they do nothing undefined, and [`is_defined`] has gcc's sanitizers look whether that is so.
//! Nothing depends on an order of evaluation that C leaves open: what has an effect is a statement of its own.

mod expressions;
mod statements;

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use raddle_generate::Random;

use super::compiler::{self, End};
use expressions::Scope;

/// What every program begins with. Conversions of floating-point numbers are defined only where the result fits.
const HEAD: &str = "\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum colour { RED, GREEN = 5, BLUE, NONE = -3 };
struct bits { unsigned a : 3; int b : 5; unsigned long long c : 33; _Bool d : 1; signed char e; unsigned f : 17; };
struct point { short x; int y; struct { unsigned char r, g[3]; } in; double w; };
union mixed { unsigned u; unsigned short h[2]; unsigned char c[4]; float f; };
static int to_int(double d) { return d > -1e6 && d < 1e6 ? (int)d : 7; }
static int sign(int i) { return (i > 0) - (i < 0); }
static void show(const char *name, long long value) { printf(\"%s %lld\\n\", name, value); }
static void show_real(const char *name, double value) { printf(\"%s %.9g\\n\", name, value); }
";

/// The integers that every program has, with their types.
const GLOBALS: [(&str, &str); 12] = [
    ("g0", "int"),
    ("g1", "unsigned"),
    ("g2", "short"),
    ("g3", "unsigned char"),
    ("g4", "signed char"),
    ("g5", "long long"),
    ("g6", "unsigned long long"),
    ("g7", "_Bool"),
    ("g8", "long"),
    ("g9", "enum colour"),
    ("g10", "unsigned short"),
    ("g11", "char"),
];

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed.rotate_left(16) ^ 0xc0de);
    random.next_number();
    let mut text = String::from(HEAD);
    for (name, ty) in GLOBALS {
        let value = random.below(120);
        let _ = writeln!(text, "static {ty} {name} = {value};");
    }
    for name in ["d0", "d1"] {
        let ty = *random.pick(&["double", "float"]);
        let _ = writeln!(text, "static {ty} {name} = {}.5;", random.below(9));
    }
    let numbers: Vec<String> = (0..8).map(|_| random.below(999).to_string()).collect();
    let _ = writeln!(
        text,
        "static int row[4] = {{[1] = {}, {}}};\nstatic const long fixed[4] = {{{}, -{}}};\nstatic struct bits b0 = {{.b = -{}, .f = {}}};\nstatic struct point p0 = {{.in.g = {{1, 2}}, .w = 0.25}}, p1;\nstatic union mixed m0 = {{.u = {}u}};\nstatic char text[16] = \"{}\";",
        numbers[0],
        numbers[1],
        numbers[2],
        numbers[3],
        random.below(15),
        numbers[5],
        numbers[6],
        random.pick(&["", "a", "hello", "xyzzy"]),
    );
    let scope = Scope::globals();
    for at in 0..3 {
        statements::function(&mut text, &mut random, &scope, at);
    }
    text.push_str("static int (*const table[3])(int, unsigned) = {f0, f1, f2};\n");
    text.push_str(
            "static void last(void) { show(\"last\", g0); }\nstatic void first(void) { show(\"first\", g1); g0++; }\n__attribute__((constructor)) static void begin(void) { g0 += 3; show(\"begin\", g0); }\n__attribute__((destructor)) static void gone(void) { show(\"gone\", g0); }\n",
        );
    text.push_str("int main(void) {\n");
    text.push_str("    atexit(last);\n    atexit(first);\n");
    let mut writer = statements::Writer::new(&mut text, &mut random, &scope);
    writer.block(12, 2, 1);
    for (name, _) in GLOBALS {
        let _ = writeln!(text, "    show(\"{name}\", {name});");
    }
    text.push_str(
        "    show_real(\"d0\", d0);\n    show_real(\"d1\", d1);\n    show(text, strlen(text));\n    show(\"row\", row[0] ^ row[1] ^ row[2] ^ row[3]);\n    show(\"bits\", b0.a + b0.b + (long long)b0.c + b0.d + b0.e + b0.f);\n    show(\"point\", p0.x + p0.in.r + p0.in.g[2] + (long long)p0.y);\n    show(\"mixed\", m0.u);\n",
    );
    let _ = writeln!(
        text,
        "    return (int)((unsigned)g0 & {});\n}}",
        random.pick(&["0", "3", "127"])
    );
    text
}

/// Whether gcc's sanitizers find nothing undefined in a program; `None` if they cannot be asked.
pub fn is_defined(source: &Path, folder: &Path) -> Option<bool> {
    let binary = folder.join("sanitized");
    let compiled = Command::new("gcc")
        .args([
            "-w",
            "-O0",
            "-fsanitize=undefined,address",
            "-fno-sanitize-recover=all",
        ])
        .arg(source)
        .arg("-o")
        .arg(&binary)
        .arg("-lm")
        .stdin(Stdio::null())
        .output()
        .ok()?;
    if !compiled.status.success() {
        return None;
    }
    let ran = compiler::run(&binary, Duration::from_secs(20)).ok()?;
    // Programs end with less than this, sanitizers with 1 or a signal, and then the last line is missing.
    let is_whole = String::from_utf8_lossy(&ran.output).contains("\nmixed ");
    Some(is_whole && matches!(ran.end, End::Exit(_)))
}
