//! The texts of the C library, compiled by gcc, do what glibc does, on both data models.
//!
//! Every name of ours gets the prefix `our_`, so that both libraries fit into one program; `library/primitives.c`
//! implements what lies below ours. Skipped where gcc is missing, unless `RADDLE_REQUIRE_TOOLS` is set.
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "tests stop at the first surprise and say what they skip"
)]

use std::path::{Path, PathBuf};
use std::process::Command;

use raddle_front_c::library::TEXTS;

const OPTIONS: [&str; 6] = [
    "-std=gnu11",
    "-O1",
    "-w",
    "-fno-builtin",
    "-fno-pic",
    "-fno-stack-protector",
];

fn comparisons() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library")
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Whether gcc makes programs of this model here.
fn has_gcc(model: &[&str], folder: &Path) -> bool {
    let source = folder.join("empty.c");
    std::fs::write(
        &source,
        "#include <stdio.h>\nint main(void) { return 0; }\n",
    )
    .unwrap();
    let has = Command::new("gcc")
        .args(model)
        .arg(&source)
        .arg("-o")
        .arg(folder.join("empty"))
        .output()
        .is_ok_and(|output| output.status.success());
    assert!(
        has || std::env::var_os("RADDLE_REQUIRE_TOOLS").is_none(),
        "gcc {model:?} is missing, and RADDLE_REQUIRE_TOOLS is set"
    );
    if !has {
        eprintln!("skipped: gcc {model:?} is missing");
    }
    has
}

/// All texts as one object file, with our prefix.
fn library(model: &[&str], folder: &Path) -> PathBuf {
    let mut objects = Vec::new();
    for (name, text) in TEXTS {
        let source = folder.join(name);
        // gcc takes calls of its own functions for them, even beside another definition.
        let text = match *name {
            "builtins.c" => &text.replace("__builtin_", "raddle_builtin_"),
            _ => *text,
        };
        std::fs::write(&source, text).unwrap();
        let object = source.with_extension("o");
        run(Command::new("gcc")
            .args(model)
            .args(OPTIONS)
            .args(["-ffreestanding", "-fno-tree-loop-distribute-patterns", "-c"])
            .arg(&source)
            .arg("-o")
            .arg(&object));
        objects.push(object);
    }
    let linked = folder.join("linked.o");
    // With what gcc calls for long divisions on 32 bits, which gets the prefix too.
    run(Command::new("gcc")
        .args(model)
        .args(["-r", "-nostdlib"])
        .args(&objects)
        .arg("-lgcc")
        .arg("-o")
        .arg(&linked));
    let library = folder.join("library.o");
    run(Command::new("objcopy")
        .arg("--prefix-symbols=our_")
        .arg(&linked)
        .arg(&library));
    library
}

fn compare(model: &[&str]) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("library{}", model[0]));
    std::fs::create_dir_all(&folder).unwrap();
    if !has_gcc(model, &folder) {
        return;
    }
    let library = library(model, &folder);
    for comparison in ["strings", "formats", "numbers", "transcendental"] {
        let binary = folder.join(comparison);
        run(Command::new("gcc")
            .args(model)
            .args(OPTIONS)
            // Of threads, nothing is called.
            .args(["-no-pie", "-Wl,--unresolved-symbols=ignore-all"])
            .arg(comparisons().join(format!("{comparison}.c")))
            .arg(comparisons().join("primitives.c"))
            .arg(&library)
            .arg("-lm")
            .arg("-o")
            .arg(&binary));
        run(&mut Command::new(&binary));
    }
}

#[test]
fn with_64_bits_the_library_does_what_glibc_does() {
    compare(&["-m64"]);
}

/// Without x87, whose doubles are longer than C says.
#[test]
fn with_32_bits_the_library_does_what_glibc_does() {
    compare(&["-m32", "-msse2", "-mfpmath=sse"]);
}

#[test]
fn every_file_of_the_folder_is_a_text() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/library");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| {
            std::path::Path::new(name)
                .extension()
                .is_some_and(|it| it == "c")
        })
        .collect();
    files.sort();
    let texts: Vec<&str> = TEXTS.iter().map(|(name, _)| *name).collect();
    assert_eq!(files, texts);
}
