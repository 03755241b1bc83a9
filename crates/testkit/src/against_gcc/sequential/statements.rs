//! Statements and functions.

use std::fmt::Write;

use raddle_generate::Random;

use super::expressions::Scope;

/// Appends a function `f0`, `f1` and so on, which may call those before it.
pub(super) fn function(text: &mut String, random: &mut Random, scope: &Scope, at: usize) {
    let _ = writeln!(text, "static int f{at}(int a, unsigned b) {{");
    text.push_str(
        "    static int calls;\n    int r = a % 1000;\n    if (++calls > 40) return calls;\n",
    );
    let scope = scope.with("b").with("r");
    let mut writer = Writer::new(text, random, &scope);
    writer.functions = at;
    writer.block(4, 2, 1);
    let value = scope.integer(random, 1);
    let _ = writeln!(text, "    return (int)({value}) % 5000 + r % 7;\n}}");
}

/// Appends statements to a text.
pub(super) struct Writer<'a> {
    text: &'a mut String,
    random: &'a mut Random,
    scope: Scope,
    /// How many functions can be called by name.
    functions: usize,
    /// Names of what blocks define.
    names: usize,
}

impl<'a> Writer<'a> {
    pub(super) fn new(text: &'a mut String, random: &'a mut Random, scope: &Scope) -> Self {
        Self {
            text,
            random,
            scope: scope.clone(),
            functions: 4,
            names: 0,
        }
    }

    fn line(&mut self, indent: usize, line: &str) {
        let _ = writeln!(self.text, "{}{line}", "    ".repeat(indent));
    }

    fn name(&mut self, letter: char) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    /// So many statements, nested so deep.
    pub(super) fn block(&mut self, count: usize, depth: usize, indent: usize) {
        let outer = self.scope.clone();
        for _ in 0..count {
            self.statement(depth, indent);
        }
        self.scope = outer;
    }

    fn statement(&mut self, depth: usize, indent: usize) {
        let kind = self.random.below(if depth == 0 { 14 } else { 22 });
        match kind {
            0..=4 => {
                let place = self.scope.place(self.random);
                let value = self.scope.integer(self.random, 2);
                self.line(indent, &format!("{place} = {value};"));
            }
            5 => {
                let place = self.scope.place(self.random);
                let op = *self.random.pick(&["&", "|", "^"]);
                let value = self.scope.integer(self.random, 1);
                self.line(indent, &format!("{place} {op}= {value};"));
            }
            6 => {
                let place = *self
                    .random
                    .pick(&["g1++", "++g3", "g6--", "g10 -= 3", "b0.a++", "++g7"]);
                self.line(indent, &format!("{place};"));
            }
            7 => {
                let place = *self.random.pick(&["d0", "d1", "p0.w"]);
                let value = self.scope.real(self.random, 2);
                self.line(indent, &format!("{place} = {value};"));
                self.line(indent, "if (!(d0 > -1e9 && d0 < 1e9)) d0 = 1.5;");
                self.line(indent, "if (!(d1 > -1e9 && d1 < 1e9)) d1 = 2.5;");
                self.line(indent, "if (!(p0.w > -1e9 && p0.w < 1e9)) p0.w = 3.5;");
            }
            8 => self.call(indent),
            9 | 10 => self.strings(indent),
            11 => {
                let value = self.scope.integer(self.random, 2);
                self.line(indent, &format!("show(\"value\", {value});"));
            }
            12 => {
                let value = self.scope.integer(self.random, 1);
                let text = *self.random.pick(&[
                    "p1 = p0;",
                    "p0 = (struct point){.x = (short)($), .w = 0.5};",
                    "m0 = (union mixed){.h = {1, (unsigned short)($)}};",
                    "b0 = (struct bits){.c = ($), .d = ($)};",
                    "p1 = p0; p0.y = p1.y == p0.y;",
                    "memset(&m0, (int)(($) & 255), sizeof m0);",
                ]);
                self.line(indent, &text.replace('$', &value));
            }
            13 => {
                let name = self.name('v');
                let ty = *self.random.pick(&[
                    "int",
                    "unsigned char",
                    "long long",
                    "unsigned",
                    "const short",
                    "_Bool",
                ]);
                let value = self.scope.integer(self.random, 1);
                self.line(indent, &format!("{ty} {name} = {value};"));
                if ty == "const short" {
                    self.line(indent, &format!("show(\"{name}\", {name});"));
                } else {
                    self.scope = self.scope.with(&name);
                }
            }
            14 | 15 => {
                let condition = self.scope.integer(self.random, 2);
                self.line(indent, &format!("if ({condition}) {{"));
                self.block(2, depth - 1, indent + 1);
                self.line(indent, "} else {");
                self.block(1, depth - 1, indent + 1);
                self.line(indent, "}");
            }
            16 | 17 => self.repeat(depth, indent),
            18 => self.choose(depth, indent),
            19 => {
                // Forwards only.
                let (label, condition) = (self.name('l'), self.scope.integer(self.random, 1));
                self.line(indent, &format!("if ({condition}) goto {label};"));
                self.line(indent, "{");
                self.block(2, depth - 1, indent + 1);
                self.line(indent, "}");
                self.line(indent, &format!("{label}:;"));
            }
            20 => {
                let (name, index) = (self.name('q'), self.random.below(4));
                let value = self.scope.integer(self.random, 1);
                self.line(indent, "{");
                self.line(
                    indent + 1,
                    &format!("int *{name} = row, *end = {name} + 4;"),
                );
                self.line(
                    indent + 1,
                    &format!(
                        "for (; {name} != end; ++{name}) *{name} ^= (int)({value}) & {index};"
                    ),
                );
                self.line(indent + 1, &format!("show(\"distance\", {name} - row);"));
                self.line(indent, "}");
            }
            _ => {
                self.line(indent, "{");
                self.block(3, depth - 1, indent + 1);
                self.line(indent, "}");
            }
        }
    }

    /// A call, by name or through a pointer; never within an expression that others take part in.
    fn call(&mut self, indent: usize) {
        let place = self.scope.place(self.random);
        let one = self.scope.integer(self.random, 1);
        let other = self.scope.integer(self.random, 1);
        let callee = match self.functions {
            // Only `main` knows all of them.
            4 if self.random.chance(50) => "table[(g1 & 3) % 3]".to_owned(),
            4 => format!("f{}", self.random.below(3)),
            0 => "abs".to_owned(),
            count => format!("f{}", self.random.below(count)),
        };
        let name = self.name('c');
        let arguments = if callee == "abs" {
            format!("(int)(({one}) % 1000)")
        } else {
            format!("({one}) % 1000, {other}")
        };
        self.line(indent, &format!("int {name} = {callee}({arguments});"));
        self.line(indent, &format!("{place} = {name};"));
    }

    fn strings(&mut self, indent: usize) {
        let value = self.scope.integer(self.random, 1);
        let text = *self.random.pick(&[
            "strcpy(text, \"wow\");",
            "if (strlen(text) < 8) strcat(text, \"ab\");",
            "show(\"find\", strchr(text, 'l') ? strchr(text, 'l') - text : -1);",
            "snprintf(text, sizeof text, \"%d:%x\", (int)(($) % 1000), (unsigned)($));",
            "show(\"compare\", sign(memcmp(text, \"hexagon\", 3)));",
            "memmove(text + 1, text, 4); text[6] = 0;",
            "memcpy(&m0, text, 4);",
            "show(\"span\", strspn(text, \"abcdefgh\"));",
            "text[(($) & 7)] = 'q'; text[8] = 0;",
            "show(\"number\", strtol(text, 0, 16));",
            "printf(\"%5d|%-6u|%04x|%c|%s|%lld|%hhd\\n\", (int)($), (unsigned)($), (unsigned)($), 'a' + (int)(($) & 15), text, (long long)($), (signed char)($));",
            "show(\"order\", sign(strncmp(text, \"wowed\", (unsigned)($) % 6)));",
        ]);
        self.line(indent, &text.replace('$', &value));
    }

    fn repeat(&mut self, depth: usize, indent: usize) {
        let (name, count) = (self.name('i'), self.random.between(1, 4));
        let condition = self.scope.integer(self.random, 1);
        let way = *self.random.pick(&["break", "continue"]);
        match self.random.below(3) {
            0 => {
                self.line(
                    indent,
                    &format!("for (int {name} = 0; {name} < {count}; {name}++) {{"),
                );
                let outer = self.scope.clone();
                self.line(indent + 1, &format!("int k{name} = {name} * 3;"));
                self.scope = self.scope.with(&format!("k{name}"));
                self.line(indent + 1, &format!("if ({condition}) {way};"));
                self.block(2, depth - 1, indent + 1);
                self.scope = outer;
                self.line(indent, "}");
            }
            1 => {
                self.line(indent, &format!("unsigned {name} = {count};"));
                self.line(indent, &format!("while ({name}-- > 0) {{"));
                self.block(2, depth - 1, indent + 1);
                self.line(indent + 1, &format!("if ({condition}) {way};"));
                self.line(indent, "}");
            }
            _ => {
                self.line(indent, &format!("int {name} = 0;"));
                self.line(indent, "do {");
                self.block(2, depth - 1, indent + 1);
                self.line(
                    indent,
                    &format!("}} while (++{name} < {count} && !({condition}));"),
                );
            }
        }
    }

    fn choose(&mut self, depth: usize, indent: usize) {
        let value = self.scope.integer(self.random, 1);
        let ty = *self
            .random
            .pick(&["", "(char)", "(unsigned long long)", "(enum colour)"]);
        self.line(indent, &format!("switch ({ty}({value})) {{"));
        for label in ["case 0:", "case 1 ... 7:", "default:", "case BLUE + 40:"] {
            self.line(indent, label);
            self.line(indent + 1, "{");
            self.block(1, depth - 1, indent + 2);
            self.line(indent + 1, "}");
            if self.random.chance(60) {
                self.line(indent + 1, "break;");
            }
        }
        self.line(indent, "}");
    }
}
