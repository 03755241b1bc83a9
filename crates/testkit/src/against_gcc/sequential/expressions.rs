//! Expressions that are defined whatever their operands are.

use raddle_generate::Random;

/// What can be read and written where an expression stands.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    /// Places of integer type; an index is put where `$` stands.
    places: Vec<String>,
}

impl Scope {
    pub(super) fn globals() -> Self {
        let mut places: Vec<String> = super::GLOBALS
            .iter()
            .map(|(name, _)| (*name).to_owned())
            .collect();
        let others = [
            "row[$]",
            "b0.a",
            "b0.b",
            "b0.c",
            "b0.d",
            "b0.e",
            "b0.f",
            "p0.x",
            "p0.y",
            "p0.in.r",
            "p0.in.g[$ % 3]",
            "m0.u",
            "m0.h[$ & 1]",
            "m0.c[$]",
            "*(&row[3] - $)",
            "(&p0)->y",
        ];
        places.extend(others.map(str::to_owned));
        Self { places }
    }

    /// With another variable.
    pub(super) fn with(&self, name: &str) -> Self {
        let mut scope = self.clone();
        scope.places.push(name.to_owned());
        scope
    }

    /// A place to write.
    pub(super) fn place(&self, random: &mut Random) -> String {
        // The newest more often: it would else be lost among the others.
        let place = if random.chance(25) {
            &self.places[self.places.len() - 1]
        } else {
            random.pick(&self.places)
        };
        let index = match random.below(3) {
            0 => random.below(4).to_string(),
            1 => "(g1 & 3)".to_owned(),
            _ => "(unsigned)(g3 % 4)".to_owned(),
        };
        place.replace('$', &index)
    }

    /// An integer.
    pub(super) fn integer(&self, random: &mut Random, depth: usize) -> String {
        if depth == 0 {
            return self.leaf(random);
        }
        let one = self.integer(random, depth - 1);
        let pick = random.below(16);
        if pick < 4 {
            return self.of_one(random, &one);
        }
        let other = self.integer(random, depth - 1);
        match pick {
            4 | 5 => {
                let ty = *random.pick(&["unsigned", "unsigned long long", "unsigned long"]);
                let op = *random.pick(&["+", "-", "*"]);
                format!("(({ty})({one}) {op} (({other}) % 1000))")
            }
            6 | 7 => {
                let op = *random.pick(&["+", "-", "*"]);
                format!("((({one}) % 1000) {op} (({other}) % 1000))")
            }
            8 => {
                let op = *random.pick(&["/", "%"]);
                format!("(({one}) {op} ((({other}) & 7) + 1))")
            }
            9 => {
                let op = *random.pick(&["<<", ">>"]);
                let ty = *random.pick(&["unsigned", "unsigned long long"]);
                format!("(({ty})({one}) {op} (({other}) & 31))")
            }
            10 => format!("(({one}) >> (({other}) & 7))"),
            11 | 12 => {
                let op = *random.pick(&["&", "|", "^"]);
                format!("(({one}) {op} ({other}))")
            }
            13 => {
                let op = *random.pick(&["<", "<=", "==", "!=", ">", ">=", "&&", "||"]);
                format!("(({one}) {op} ({other}))")
            }
            14 => {
                let condition = self.integer(random, depth - 1);
                format!("(({condition}) ? ({one}) : ({other}))")
            }
            _ => format!("(({one}), ({other}))"),
        }
    }

    fn of_one(&self, random: &mut Random, one: &str) -> String {
        match random.below(9) {
            0 => {
                let types = [
                    "char",
                    "unsigned char",
                    "short",
                    "unsigned short",
                    "int",
                    "unsigned",
                    "long long",
                    "_Bool",
                    "enum colour",
                    "long",
                ];
                format!("(({})({one}))", random.pick(&types))
            }
            1 => format!("(~({one}))"),
            2 => format!("(!({one}))"),
            3 => format!("(-(({one}) % 1000))"),
            4 => format!("to_int({})", self.real(random, 1)),
            5 => format!("((int)sizeof(({one}) + 0))"),
            6 => format!("({{ int t = ({one}) % 100; t = t * t; t - 1; }})"),
            7 => format!("((int[]){{3, ({one}) % 50, 9}}[{}])", random.below(3)),
            _ => format!("((struct point){{.y = ({one}) % 77}}.y)"),
        }
    }

    fn leaf(&self, random: &mut Random) -> String {
        match random.below(12) {
            0..=6 => self.place(random),
            7 => {
                let literals = [
                    "0",
                    "1",
                    "-1",
                    "7",
                    "0x7fffffff",
                    "0x80000000",
                    "255",
                    "'a'",
                    "5u",
                    "65536",
                    "0xffffffffu",
                    "1000000000000ll",
                    "BLUE",
                    "NONE",
                    "'\\377'",
                    "010",
                ];
                (*random.pick(&literals)).to_owned()
            }
            8 => "fixed[1]".to_owned(),
            9 => "sign(strcmp(text, \"hello\"))".to_owned(),
            10 => "(int)strlen(text)".to_owned(),
            _ => random.below(100).to_string(),
        }
    }

    /// A floating-point number.
    pub(super) fn real(&self, random: &mut Random, depth: usize) -> String {
        if depth == 0 {
            return match random.below(5) {
                0 => "d0".to_owned(),
                1 => "d1".to_owned(),
                2 => "p0.w".to_owned(),
                3 => format!("(double)({})", self.place(random)),
                _ => format!("{}.25", random.below(20)),
            };
        }
        let one = self.real(random, depth - 1);
        let other = self.real(random, depth - 1);
        match random.below(6) {
            0 => format!("({one} + {other})"),
            1 => format!("({one} - {other})"),
            2 => format!("({one} * {other})"),
            3 => format!("({one} / ({other} * {other} + 1.0))"),
            4 => format!("((float)({one}) * 0.5f)"),
            _ => format!("(({one}) < ({other}) ? 1.5 : -({one}))"),
        }
    }
}
