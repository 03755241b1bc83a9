//! Tells the binary which commit it was built from, as `RADDLE_COMMIT`.
//!
//! Reads the files of git and runs nothing, so that a tree without git, or without its history, builds all the same;
//! the commit is then `unknown`. Runs again only when the commit that is checked out changes.

use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let commit = git_folder().and_then(|git| {
        // Every change of the commit that is checked out is logged; without a log, the references have to do.
        let log = git.join("logs/HEAD");
        let watched = if log.exists() {
            vec![log]
        } else {
            vec![git.join("HEAD"), common_folder(&git).join("packed-refs")]
        };
        for file in watched.iter().filter(|it| it.exists()) {
            println!("cargo::rerun-if-changed={}", file.display());
        }
        commit(&git)
    });
    println!(
        "cargo::rustc-env=RADDLE_COMMIT={}",
        commit.as_deref().unwrap_or("unknown")
    );
}

/// `.git` of the workspace: a folder, or a file that says where the folder is.
fn git_folder() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?;
    let git = root.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let text = fs::read_to_string(&git).ok()?;
    let folder = root.join(text.strip_prefix("gitdir:")?.trim());
    folder.is_dir().then_some(folder)
}

/// Where the references lie, which several work trees may share.
fn common_folder(git: &Path) -> PathBuf {
    match fs::read_to_string(git.join("commondir")) {
        Ok(text) => git.join(text.trim()),
        Err(_) => git.to_owned(),
    }
}

/// The first twelve digits of the commit that is checked out.
fn commit(git: &Path) -> Option<String> {
    let head = fs::read_to_string(git.join("HEAD")).ok()?;
    let digits = match head.trim().strip_prefix("ref: ") {
        Some(name) => reference(&common_folder(git), name)?,
        None => head.trim().to_owned(),
    };
    let is_commit = digits.len() >= 40 && digits.bytes().all(|it| it.is_ascii_hexdigit());
    is_commit.then(|| digits[..12].to_owned())
}

fn reference(folder: &Path, name: &str) -> Option<String> {
    if let Ok(text) = fs::read_to_string(folder.join(name)) {
        return Some(text.trim().to_owned());
    }
    fs::read_to_string(folder.join("packed-refs"))
        .ok()?
        .lines()
        .filter_map(|line| line.split_once(' '))
        .find(|(_, known)| *known == name)
        .map(|(digits, _)| digits.to_owned())
}
