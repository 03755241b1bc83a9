//! What `emit` prints against what the C library's `printf` prints.

use std::fmt::Write;
use std::time::Duration;

use raddle_generate::Random;
use raddle_ir::emit::{self, Piece};
use raddle_ir::{DataModel, FloatType, IntType, Scalar};
use raddle_testkit::against_gcc::compiler;

const CASES: usize = 4000;

struct Case {
    spec: String,
    bits: u128,
    ty: Scalar,
}

#[test]
fn emit_prints_what_printf_prints() {
    if !compiler::models_for_tests().contains(&DataModel::Lp64) {
        return;
    }
    let mut random = Random::new(1);
    let cases: Vec<Case> = (0..CASES).map(|_| case(&mut random)).collect();
    let directory = std::env::temp_dir().join(format!("raddle-printf-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a temporary directory");
    let (source, binary) = (directory.join("printf.c"), directory.join("printf"));
    std::fs::write(&source, program(&cases)).expect("it can be written");
    compiler::compile(&source, DataModel::Lp64, &[], &binary).expect("gcc accepts it");
    let ran = compiler::run(&binary, Duration::from_mins(1)).expect("it runs");
    std::fs::remove_dir_all(&directory).expect("it is there");
    let theirs: Vec<&[u8]> = ran.output.split(|byte| *byte == 0xff).collect();
    assert_eq!(theirs.len(), CASES + 1, "each case ends with a mark");
    for (case, theirs) in cases.iter().zip(theirs) {
        let text = format!("{{{}}}", case.spec);
        let pieces = emit::pieces(&text).expect("a conversion of C");
        let [Piece::Converted(conversion)] = &pieces[..] else {
            panic!("{pieces:?}")
        };
        let mut ours = Vec::new();
        conversion.convert(case.bits, case.ty, &mut ours);
        assert!(
            ours == theirs,
            "{text} of {:#x} as {:?}: {:?} and not {:?}",
            case.bits,
            case.ty,
            String::from_utf8_lossy(&ours),
            String::from_utf8_lossy(theirs)
        );
    }
}

fn case(random: &mut Random) -> Case {
    let kind = *random.pick(&[
        "d", "i", "u", "o", "x", "X", "c", "f", "F", "e", "E", "g", "G", "a", "A",
    ]);
    let mut spec = String::from("%");
    for flag in ["-", "+", " ", "#", "0"] {
        if random.chance(20) {
            spec.push_str(flag);
        }
    }
    if random.chance(40) {
        let width = random.between(1, 30);
        write!(spec, "{width}").expect("a string");
    }
    if random.chance(50) && kind != "c" {
        let precision = match random.below(10) {
            0 => random.between(0, 400),
            1 => random.between(400, 1200),
            _ => random.between(0, 25),
        };
        write!(spec, ".{precision}").expect("a string");
    }
    spec.push_str(kind);
    let (bits, ty) = match kind {
        "f" | "F" | "e" | "E" | "g" | "G" | "a" | "A" => {
            (u128::from(float(random)), Scalar::Float(FloatType::F64))
        }
        _ => {
            let width = *random.pick(&[8_u8, 16, 32, 64]);
            let bits = match random.below(4) {
                0 => 0,
                1 => random.next_number() % 20,
                2 => random.next_number() >> random.below(64),
                _ => random.next_number(),
            };
            let int = if random.chance(50) {
                IntType::signed(width)
            } else {
                IntType::unsigned(width)
            };
            (u128::from(bits) & int.mask(), Scalar::Int(int))
        }
    };
    Case { spec, bits, ty }
}

/// The bits of a number of which many kinds are interesting: halves, powers, subnormal ones, infinities.
fn float(random: &mut Random) -> u64 {
    let sign = random.next_number() << 63;
    let small = u32::try_from(random.below(100_000)).expect("small");
    sign | match random.below(10) {
        0 => 0,
        1 => f64::INFINITY.to_bits(),
        2 => f64::NAN.to_bits(),
        3 => random.next_number() >> 12,
        4 => (f64::from(small) / 2.0).to_bits(),
        5 => (f64::from(small) / 1000.0).to_bits(),
        6 => 10_f64
            .powi(i32::try_from(random.below(600)).expect("small") - 300)
            .to_bits(),
        7 => (f64::from(small) / 64.0).to_bits(),
        _ => random.next_number() >> 1,
    }
}

/// Each case printed, and a mark after it.
fn program(cases: &[Case]) -> String {
    let mut text = String::from(
        "#include <stdio.h>\n#include <string.h>\n\
         static double d(unsigned long long u) { double r; memcpy(&r, &u, 8); return r; }\n\
         int main(void) {\n",
    );
    for case in cases {
        let (head, kind) = case.spec.split_at(case.spec.len() - 1);
        let (length, argument) = match case.ty {
            Scalar::Int(int) => {
                let length = match int.bits {
                    _ if kind == "c" => "",
                    8 => "hh",
                    16 => "h",
                    32 => "",
                    _ => "ll",
                };
                let wide = if int.bits == 64 {
                    "(long long)"
                } else {
                    "(int)"
                };
                (length, format!("{wide}{:#x}ull", case.bits))
            }
            Scalar::Float(_) | Scalar::Pointer | Scalar::Thread => {
                ("", format!("d({:#x}ull)", case.bits))
            }
        };
        writeln!(
            text,
            "printf(\"{head}{length}{kind}\", {argument}); putchar(0xff);"
        )
        .expect("a string");
    }
    text.push_str("return 0; }\n");
    text
}
