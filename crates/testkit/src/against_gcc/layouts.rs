//! Random structs and unions in programs that print how they lie in memory: sizes, alignments, offsets, and for
//! bit-fields the bytes that they cover.

use std::fmt::Write;

use raddle_generate::Random;

/// What every program begins with.
const HEAD: &str = "\
int printf(const char *, ...);
enum E { E0, E1, E2 = 100 };
enum __attribute__((packed)) P { P0, P1 = 200 };
static void clear(void *p, unsigned n) { unsigned char *c = p; while (n--) *c++ = 0; }
static void dump(const char *name, const void *p, unsigned n) {
    const unsigned char *c = p;
    printf(\" %s\", name);
    while (n--) printf(\" %x\", *c++);
    printf(\"\\n\");
}
";

const SCALARS: [&str; 17] = [
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "float",
    "double",
    "_Bool",
    "enum E",
    "enum P",
    "void *",
];

/// What bit-fields are made of, with the widths of ILP32.
const BASES: [(&str, usize); 12] = [
    ("_Bool", 1),
    ("char", 8),
    ("signed char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("unsigned short", 16),
    ("int", 32),
    ("unsigned", 32),
    ("long", 32),
    ("long long", 64),
    ("unsigned long long", 64),
    ("enum E", 32),
];

/// A program about so many types.
pub fn program(seed: u64, types: usize) -> String {
    let mut random = Random::new(seed);
    let mut program = Layouts {
        text: HEAD.to_owned(),
        nestable: Vec::new(),
    };
    for number in 0..types {
        program.add(&mut random, number);
    }
    program.text.push_str("int main(void) {\n");
    for number in 0..types {
        let _ = writeln!(program.text, "    show{number}();");
    }
    program.text.push_str("    return 0;\n}\n");
    program.text
}

struct Layouts {
    text: String,
    /// Types that may be members of others.
    nestable: Vec<String>,
}

/// A member as it is declared, and what is asked about it.
struct Member {
    declaration: String,
    /// Named members that have an offset.
    offsets: Vec<String>,
    bit_field: Option<String>,
}

impl Layouts {
    fn add(&mut self, random: &mut Random, number: usize) {
        let word = if random.chance(25) { "union" } else { "struct" };
        let name = format!("{word} T{number}");
        let count = random.between(1, 8);
        let mut members: Vec<Member> = (0..count).map(|at| self.member(random, at)).collect();
        let is_flexible = word == "struct" && random.chance(8);
        if is_flexible {
            // A struct needs another named member before it.
            members.insert(0, plain("first", "char"));
            members.push(Member {
                declaration: format!("{} last[];", random.pick(&SCALARS[..12])),
                offsets: vec!["last".into()],
                bit_field: None,
            });
        } else {
            self.nestable.push(name.clone());
        }
        let pack = random.chance(12).then(|| *random.pick(&[1, 2, 4, 8]));
        if let Some(pack) = pack {
            let _ = writeln!(self.text, "#pragma pack(push, {pack})");
        }
        let _ = writeln!(self.text, "{name} {{");
        for member in &members {
            let _ = writeln!(self.text, "    {}", member.declaration);
        }
        let attribute = match random.below(8) {
            0 => " __attribute__((packed))".to_owned(),
            1 => format!(
                " __attribute__((aligned({})))",
                random.pick(&[1, 2, 4, 8, 16])
            ),
            2 if random.chance(30) => format!(
                " __attribute__((packed, aligned({})))",
                random.pick(&[2, 4, 8])
            ),
            _ => String::new(),
        };
        let _ = writeln!(self.text, "}}{attribute};");
        if pack.is_some() {
            self.text.push_str("#pragma pack(pop)\n");
        }
        self.questions(number, &name, &members);
    }

    fn questions(&mut self, number: usize, name: &str, members: &[Member]) {
        let _ = writeln!(
            self.text,
            "static void show{number}(void) {{\n    printf(\"{name} %d %d\\n\", (int)sizeof({name}), (int)_Alignof({name}));"
        );
        for offset in members.iter().flat_map(|it| &it.offsets) {
            let _ = writeln!(
                self.text,
                "    printf(\" {offset} %d\\n\", (int)__builtin_offsetof({name}, {offset}));"
            );
        }
        for field in members.iter().filter_map(|it| it.bit_field.as_ref()) {
            let _ = writeln!(
                self.text,
                "    {{ {name} v; clear(&v, sizeof v); v.{field} = -1; dump(\"{field}\", &v, sizeof v); }}"
            );
        }
        self.text.push_str("}\n");
    }

    fn member(&self, random: &mut Random, at: usize) -> Member {
        let name = format!("m{at}");
        match random.below(20) {
            0..6 => bit_field(random, name),
            6 => {
                let (base, width) = *random.pick(&BASES);
                let bits = if random.chance(60) {
                    0
                } else {
                    random.between(1, width)
                };
                Member {
                    declaration: format!("{base} : {bits};"),
                    offsets: Vec::new(),
                    bit_field: None,
                }
            }
            7..9 if !self.nestable.is_empty() => {
                plain(&name, &self.nestable[random.below(self.nestable.len())])
            }
            9 => anonymous(random, &name),
            10..12 => {
                let ty = *random.pick(&SCALARS);
                let length = random.between(0, 3);
                Member {
                    declaration: format!("{ty} {name}[{length}];"),
                    offsets: vec![name],
                    bit_field: None,
                }
            }
            12 => {
                let ty = *random.pick(&SCALARS);
                let attribute = if random.chance(40) {
                    "packed".to_owned()
                } else {
                    format!("aligned({})", random.pick(&[1, 2, 4, 8, 16]))
                };
                Member {
                    declaration: format!("{ty} {name} __attribute__(({attribute}));"),
                    offsets: vec![name],
                    bit_field: None,
                }
            }
            13 if random.chance(50) => Member {
                // Only one of the models has it.
                declaration: format!(
                    "\n#ifdef __SIZEOF_INT128__\n    __int128\n#else\n    int\n#endif\n    {name};"
                ),
                offsets: vec![name],
                bit_field: None,
            },
            _ => plain(&name, SCALARS[random.below(SCALARS.len())]),
        }
    }
}

/// A struct or union without a name, whose members count as those of the outer one.
fn anonymous(random: &mut Random, name: &str) -> Member {
    let word = if random.chance(50) { "union" } else { "struct" };
    let mut declaration = format!("{word} {{");
    let mut offsets = Vec::new();
    for at in 0..random.between(1, 3) {
        let inner = format!("{name}_{at}");
        let ty = *random.pick(&SCALARS);
        let _ = write!(declaration, " {ty} {inner};");
        offsets.push(inner);
    }
    declaration.push_str(" };");
    Member {
        declaration,
        offsets,
        bit_field: None,
    }
}

fn plain(name: &str, ty: &str) -> Member {
    Member {
        declaration: format!("{ty} {name};"),
        offsets: vec![name.to_owned()],
        bit_field: None,
    }
}

fn bit_field(random: &mut Random, name: String) -> Member {
    let (base, width) = *random.pick(&BASES);
    let bits = random.between(1, width);
    let attribute = if random.chance(10) {
        " __attribute__((packed))"
    } else {
        ""
    };
    Member {
        declaration: format!("{base} {name} : {bits}{attribute};"),
        offsets: Vec::new(),
        bit_field: Some(name),
    }
}
