//! Random programs with units of work, as text.

use std::fmt::Write as _;

/// The program of this number.
pub fn program(seed: u64, is_wide: bool) -> String {
    UnitWriter::program(seed, is_wide)
}

/// A program of a few threads without loops: variables of two sets, locks that may be taken again, units inside of
/// one another, calls, branches on what was read.
struct UnitWriter {
    random: u64,
    text: String,
    names: usize,
    /// Whether there is also what the abstraction may have to give up on: locks that are tried, shared, passed on by
    /// pointers or not nested, arrays, waits, threads of a kind, starts and joins.
    is_wide: bool,
}

impl UnitWriter {
    fn below(&mut self, bound: usize) -> usize {
        self.random = self
            .random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.random >> 33).unwrap_or(0) % bound
    }

    fn write(&mut self, words: std::fmt::Arguments<'_>) {
        self.text.write_fmt(words).expect("a string has room");
    }

    fn one_of(&mut self, words: &[&'static str]) -> &'static str {
        let at = self.below(words.len());
        words[at]
    }

    fn program(seed: u64, is_wide: bool) -> String {
        let mut writer = UnitWriter {
            random: seed,
            text: "var a: u8 = 0\nvar b: u8 = 0\nvar c: u8 = 0\nmutex m\nmonitor n\n\
                   atomicset S { a, b }\natomicset T { c }\n"
                .to_owned(),
            names: 0,
            is_wide,
        };
        if is_wide {
            writer.text = writer.text.replace("S { a, b }", "S { a, b, d }");
            writer.text += "var d: [u8; 2]\nmutex k\nchecked_mutex e\nrwlock r\ncondition w\n\
                            fn h(l: *mutex, v: *u8) { lock *l { *v = 1; let y = a } }\n";
        }
        for name in ["f", "g"] {
            let unit = writer.one_of(&["", "unit ", "unit(S) ", "unit(T) "]);
            writer.write(format_args!("{unit}fn {name}() {{\n"));
            writer.block(1, 2, name == "g");
            writer.text += "}\n";
        }
        let threads = 2 + usize::from(writer.below(4) == 0);
        match writer.below(if is_wide { 4 } else { 1 }) {
            // Of one kind.
            1 => {
                writer.text += "thread t[2] {\n";
                writer.block(2, 3, true);
                writer.text += "}\n";
            }
            // Started and joined by a function that does something before, between and after.
            2 => {
                for thread in 0..threads {
                    writer.write(format_args!("fn t{thread}() {{\n"));
                    writer.block(1, 3, true);
                    writer.text += "}\n";
                }
                writer.text += "fn main() {\n";
                for thread in 0..threads {
                    writer.block(1, 1, true);
                    writer.write(format_args!("let thread{thread} = spawn t{thread}()\n"));
                }
                writer.block(1, 1, true);
                writer.text += "join thread0\n";
                writer.block(1, 1, true);
                writer.text += "}\n";
            }
            _ => {
                for thread in 0..threads {
                    writer.write(format_args!("thread t{thread} {{\n"));
                    writer.block(2, 3, true);
                    writer.text += "}\n";
                }
            }
        }
        writer.text
    }

    /// What only wide programs have.
    fn wide_statement(&mut self, depth: usize, calls: bool) {
        self.names += 1;
        let name = self.names;
        match self.below(9) {
            0 => self.write(format_args!("let x{name} = a\nd[x{name} % 2] = 1\n")),
            1 => self.text += "let y = d[1]\n".replace('y', &format!("y{name}")).as_str(),
            2 => {
                let lock = self.one_of(&["m", "k"]);
                let place = self.one_of(&["a", "b", "c", "d[0]"]);
                self.write(format_args!("h(&{lock}, &{place})\n"));
            }
            3 => {
                self.write(format_args!(
                    "let z{name} = try_acquire k\nif z{name} == 0 {{\n"
                ));
                self.block(depth.saturating_sub(1), 1, false);
                self.text += "release k\n}\n";
            }
            // Not nested.
            4 => {
                self.text += "acquire m\na = 1\nacquire k\nrelease m\n";
                self.block(0, 1, false);
                self.text += "release k\n";
            }
            5 => {
                let how = self.one_of(&["acquire_read r", "acquire_write r"]);
                self.write(format_args!("{how}\n"));
                self.block(0, 2, false);
                self.text += "release_rw r\n";
            }
            6 => {
                self.text += "acquire e\n";
                self.block(0, 2, false);
                self.text += "release e\n";
            }
            7 => {
                self.text += "lock k {\nb = 1\ntimed_wait w, k\n";
                self.block(0, 1, false);
                self.text += "}\n";
            }
            _ if calls => self.text += "g()\n",
            _ => self.text += "signal w\n",
        }
    }

    fn block(&mut self, depth: usize, most: usize, calls: bool) {
        for _ in 0..=self.below(most) {
            self.statement(depth, calls);
        }
    }

    fn statement(&mut self, depth: usize, calls: bool) {
        if self.is_wide && self.below(4) == 0 {
            return self.wide_statement(depth, calls);
        }
        let variable = self.one_of(&["a", "a", "b", "b", "c"]);
        match self.below(if depth > 0 { 12 } else { 6 }) {
            0 | 1 => {
                let value = self.names % 3;
                self.write(format_args!("{variable} = {value}\n"));
            }
            2 | 3 => {
                self.names += 1;
                let name = self.names;
                self.write(format_args!("let x{name} = {variable}\n"));
            }
            4 => self.write(format_args!("atomic {{ {variable} = {variable} + 1 }}\n")),
            5 if calls => self.text += "f()\n",
            5 => self.write(format_args!("{variable} = {variable} + 1\n")),
            6 => {
                self.names += 1;
                let name = self.names;
                self.write(format_args!(
                    "let x{name} = {variable}\nif x{name} > 0 {{\n"
                ));
                self.block(depth - 1, 2, calls);
                self.text += "}\n";
            }
            7 | 8 => {
                let lock = self.one_of(&["m", "n", "n"]);
                // A mutex that is taken again is a misuse, after which nothing is known.
                self.write(format_args!("lock {lock} {{\n"));
                self.block(depth - 1, 2, calls && lock == "n");
                self.text += "}\n";
            }
            _ => {
                let unit = self.one_of(&["unit", "unit S", "unit S", "unit T"]);
                self.write(format_args!("{unit} {{\n"));
                self.block(depth - 1, 3, calls);
                self.text += "}\n";
            }
        }
    }
}
