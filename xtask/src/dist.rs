//! `cargo xtask dist`: what is given to people who build nothing, as one file.
//!
//! The binary is linked statically, so that it runs wherever the kernel and the processor are the same, on a machine with no other
//! file of ours or of anybody else. A C compiler it calls only for programs in C.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use raddle_testkit::walk;

/// The files that come with it as they are.
const FILES: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];
/// The folders.
const FOLDERS: [&str; 3] = ["docs", "examples/pool", "examples/queue"];
/// Where shells look for completions, below `share`.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "bash-completion/completions/raddle"),
    ("zsh", "zsh/site-functions/_raddle"),
    ("fish", "fish/vendor_completions.d/raddle.fish"),
];

/// Builds, collects and packs; prints where the file lies.
pub(crate) fn run() -> Result<(), Vec<String>> {
    pack().map_err(|problem| vec![problem])
}

fn pack() -> Result<(), String> {
    let root = walk::repository_root();
    let target = host()?;
    let binary = build(&root, &target)?;
    let name = format!("raddle-{}-{target}", env!("CARGO_PKG_VERSION"));
    let dist = root.join("target/dist");
    let folder = dist.join(&name);
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|it| failed(&folder, &it))?;
    }
    collect(&root, &binary, &folder)?;
    let file = dist.join(format!("{name}.tar.gz"));
    archive(&root, &dist, &name, &file)?;
    println!("{}", file.display());
    Ok(())
}

/// What this machine is called by compilers.
fn host() -> Result<String, String> {
    let told = output(Command::new("rustc").arg("-vV"))?;
    let line = told.lines().find_map(|it| it.strip_prefix("host: "));
    line.map(str::to_owned)
        .ok_or_else(|| "`rustc -vV` does not say what this machine is".to_owned())
}

/// The binary, without what only debuggers read.
fn build(root: &Path, target: &str) -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    // With a target of its own, plugins of the compiler are not linked statically.
    let status = Command::new(cargo)
        .args([
            "build",
            "--release",
            "--locked",
            "--package",
            "raddle",
            "--target",
            target,
        ])
        .env("RUSTFLAGS", "-C target-feature=+crt-static")
        .current_dir(root)
        .status()
        .map_err(|error| format!("cargo cannot be run: {error}"))?;
    if !status.success() {
        return Err("the binary cannot be built".to_owned());
    }
    let binary = root.join("target").join(target).join("release/raddle");
    let bytes = fs::read(&binary).map_err(|it| failed(&binary, &it))?;
    if asks_for_loader(&bytes) {
        return Err(format!("`{}` is not linked statically", binary.display()));
    }
    Ok(binary)
}

/// Whether a file of the form ELF names a program that has to load its libraries: a segment of kind 3.
fn asks_for_loader(bytes: &[u8]) -> bool {
    let number = |at: usize, size: usize| -> Option<usize> {
        let bytes = bytes.get(at..at + size)?;
        Some(
            bytes
                .iter()
                .rev()
                .fold(0, |sum, byte| sum << 8 | usize::from(*byte)),
        )
    };
    let kinds = || -> Option<Vec<usize>> {
        let (table, size, count) = (number(0x20, 8)?, number(0x36, 2)?, number(0x38, 2)?);
        (0..count).map(|it| number(table + it * size, 4)).collect()
    };
    kinds().is_none_or(|all| all.contains(&3))
}

/// Everything where a system looks for it below `/usr/local`.
fn collect(root: &Path, binary: &Path, folder: &Path) -> Result<(), String> {
    let own = folder.join("bin/raddle");
    copy(binary, &own)?;
    output(Command::new("strip").arg("--strip-debug").arg(&own))?;
    symlink("raddle", folder.join("bin/raddle-cc")).map_err(|it| failed(&own, &it))?;
    let says = |words: &[&str]| output(Command::new(&own).args(words));
    write(&folder.join("include/raddle.h"), &says(&["header"])?)?;
    let share = folder.join("share");
    for (shell, file) in COMPLETIONS {
        write(&share.join(file), &says(&["completions", shell])?)?;
    }
    let manual = share.join("man/man1");
    write(&manual.join("raddle.1"), &says(&["man"])?)?;
    for command in commands(&says(&["--help"])?) {
        let page = says(&["man", &command])?;
        write(&manual.join(format!("raddle-{command}.1")), &page)?;
    }
    let doc = share.join("doc/raddle");
    for file in FILES {
        copy(&root.join(file), &doc.join(file))?;
    }
    for below in FOLDERS {
        let mut files = Vec::new();
        walk::collect(&root.join(below), &mut files)
            .map_err(|it| failed(&root.join(below), &it))?;
        for file in files {
            let name = file.strip_prefix(root).unwrap_or(&file);
            copy(&file, &doc.join(name))?;
        }
    }
    Ok(())
}

/// The names of commands in the help.
fn commands(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|it| *it != "Commands:").skip(1);
    let listed = lines.take_while(|it| !it.is_empty());
    let first = |it: &str| it.split_whitespace().next().map(str::to_owned);
    listed
        .filter(|it| it.starts_with("  ") && !it.starts_with("   "))
        .filter_map(first)
        .collect()
}

/// Packs it so that equal files make an equal archive.
fn archive(root: &Path, dist: &Path, name: &str, file: &Path) -> Result<(), String> {
    let time = output(
        Command::new("git")
            .args(["log", "-1", "--format=%ct"])
            .current_dir(root),
    );
    let time = time.map_or_else(|_| "0".to_owned(), |it| it.trim().to_owned());
    output(
        Command::new("tar")
            .args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner"])
            .arg(format!("--mtime=@{time}"))
            .arg("-C")
            .arg(dist)
            .args(["-I", "gzip -n", "-cf"])
            .arg(file)
            .arg(name),
    )?;
    Ok(())
}

fn output(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let done = command
        .output()
        .map_err(|error| format!("`{program}` cannot be run: {error}"))?;
    if done.status.success() {
        Ok(String::from_utf8_lossy(&done.stdout).into_owned())
    } else {
        let complaint = String::from_utf8_lossy(&done.stderr).trim().to_owned();
        Err(format!("`{program}` fails: {complaint}"))
    }
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    make_parent(to)?;
    fs::copy(from, to).map(drop).map_err(|it| failed(from, &it))
}

fn write(to: &Path, text: &str) -> Result<(), String> {
    make_parent(to)?;
    fs::write(to, text).map_err(|it| failed(to, &it))
}

fn make_parent(file: &Path) -> Result<(), String> {
    let folder = file.parent().unwrap_or(file);
    fs::create_dir_all(folder).map_err(|it| failed(folder, &it))
}

fn failed(path: &Path, error: &std::io::Error) -> String {
    format!("`{}`: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_found_in_the_help() {
        let help = "Text\n\nCommands:\n  check  Decide\n         and more\n  cc     Stand in\n\nOptions:\n  -q\n";
        assert_eq!(commands(help), ["check", "cc"]);
    }

    #[test]
    fn a_program_that_needs_a_loader_is_told() {
        let mut bytes = vec![0; 0x40 + 2 * 0x38];
        bytes[0x20] = 0x40;
        bytes[0x36] = 0x38;
        bytes[0x38] = 2;
        bytes[0x40] = 1;
        assert!(!asks_for_loader(&bytes));
        bytes[0x40 + 0x38] = 3;
        assert!(asks_for_loader(&bytes));
        assert!(asks_for_loader(b""));
    }
}
