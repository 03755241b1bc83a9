//! `cargo xtask mutants meaning`: builds a copy of the tree in which every change of [`MUTANTS`] has a switch, and looks for
//! each how many programs it takes until the net against real threads notices.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Sender};
use std::time::Duration;

use raddle_testkit::meaning::{MUTANTS, Mutant, VARIABLE, switched};
use raddle_testkit::{real, walk};

use crate::arguments::cores;

/// Of the names of mutants.
const WIDTH: usize = 50;

/// How long an engine may take for a program: longer than in the tests, because the build is a slow one, and nobody waits.
const TIME: Duration = Duration::from_secs(10);

#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// How many programs at most for each mutant
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    programs: u64,
    /// The first seed
    #[arg(long = "seed", value_name = "S", default_value_t = 1)]
    first: u64,
    /// Processes at a time; one for each core by default
    #[arg(long, value_name = "N", default_value_t = cores(), hide_default_value = true)]
    jobs: usize,
    /// Only what has the text in its name
    #[arg(
        long = "only",
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    filter: String,
}

/// Prints how soon each mutant is noticed.
///
/// # Errors
///
/// The mutants that are not.
pub(super) fn run(options: &Options) -> Result<(), Vec<String>> {
    let root = walk::repository_root();
    let folder = root.join("target/mutants");
    let tree = folder.join("tree");
    copy(&root, &tree)?;
    let net = Net::new(&tree, &folder).map_err(|problem| vec![problem])?;
    println!("{:WIDTH$} {:>8}  what is noticed", "without", "programs");
    let mut survivors = Vec::new();
    for mutant in MUTANTS
        .iter()
        .filter(|it| it.name.contains(&options.filter))
    {
        match net.notice(mutant, options) {
            Ok(Some((seed, problem))) => {
                let count = seed - options.first + 1;
                println!("{:WIDTH$} {count:>8}  {problem}", mutant.name);
            }
            Ok(None) => {
                println!("{:WIDTH$} {:>8}", mutant.name, "-");
                survivors.push(format!(
                    "none of {} programs notices that `{}` no more",
                    options.programs, mutant.name
                ));
            }
            Err(problem) => survivors.push(problem),
        }
    }
    if survivors.is_empty() {
        Ok(())
    } else {
        Err(survivors)
    }
}

/// Copies what belongs to the repository, with switches. Files that stay the same are left alone, so that little is built
/// anew.
fn copy(root: &Path, tree: &Path) -> Result<(), Vec<String>> {
    let switched = switched(root)?;
    let failed =
        |path: &Path, error: &dyn std::fmt::Display| vec![format!("`{}`: {error}", path.display())];
    let listed = Command::new("git")
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .current_dir(root)
        .output()
        .map_err(|error| vec![format!("git cannot be run: {error}")])?;
    let names = String::from_utf8_lossy(&listed.stdout).into_owned();
    let names: BTreeSet<&str> = names.split_terminator('\0').collect();
    for &name in &names {
        let (from, to) = (root.join(name), tree.join(name));
        let bytes = match switched.get(name) {
            Some(text) => text.clone().into_bytes(),
            None if from.is_file() => {
                std::fs::read(&from).map_err(|error| failed(&from, &error))?
            }
            // It was removed and that is not committed yet.
            None => continue,
        };
        if std::fs::read(&to).is_ok_and(|before| before == bytes) {
            continue;
        }
        let parent = to.parent().unwrap_or(tree);
        std::fs::create_dir_all(parent).map_err(|error| failed(parent, &error))?;
        std::fs::write(&to, bytes).map_err(|error| failed(&to, &error))?;
    }
    Ok(())
}

/// The program of the project's own commands, with switches.
fn build(tree: &Path, target: &Path) -> Result<PathBuf, String> {
    println!("building in {}", target.display());
    let status = Command::new("cargo")
        .args(["build", "--quiet", "--locked", "--package", "xtask"])
        // What others wrote is not where time is spent.
        .args(["--config", "profile.dev.package.'*'.opt-level=0"])
        .current_dir(tree)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_PROFILE_DEV_OPT_LEVEL", "1")
        .env("CARGO_INCREMENTAL", "1")
        .status()
        .map_err(|error| format!("cargo cannot be run: {error}"))?;
    if !status.success() {
        return Err("the tree with switches cannot be built".to_owned());
    }
    Ok(target.join("debug/xtask"))
}

/// The net with switches.
struct Net {
    binary: PathBuf,
    /// What was seen when programs ran.
    kept: PathBuf,
}

impl Net {
    fn new(tree: &Path, folder: &Path) -> Result<Self, String> {
        let kept = folder.join("seen");
        std::fs::create_dir_all(&kept).map_err(|error| format!("`{}`: {error}", kept.display()))?;
        let binary = build(tree, &folder.join("build"))?;
        Ok(Self { binary, kept })
    }

    /// The first program that shows a mutant, and how.
    fn notice(&self, mutant: &Mutant, options: &Options) -> Result<Option<(u64, String)>, String> {
        let end = options.first + options.programs;
        let (sender, receiver) = mpsc::channel();
        let mut children = Vec::new();
        let jobs = options.jobs.max(1) as u64;
        for job in 0..jobs {
            let seeds = [options.first + job, jobs, end];
            let child = self.start(Some(mutant.name), mutant.word, seeds)?;
            children.push(follow(child, sender.clone())?);
        }
        drop(sender);
        let noticed = receiver.into_iter().next();
        for (mut child, reader) in children {
            // It may have ended by itself, and then there is nothing to kill.
            let _ = child.kill();
            let _ = child.wait();
            let _ = reader.join();
        }
        let Some((seed, problem)) = noticed else {
            return Ok(None);
        };
        // Without the mutant, there must be nothing to notice.
        let (sender, receiver) = mpsc::channel();
        let (mut child, reader) = follow(self.start(None, "", [seed, 1, seed + 1])?, sender)?;
        let wrong = receiver.into_iter().next();
        let _ = child.wait();
        let _ = reader.join();
        match wrong {
            None => Ok(Some((seed, problem))),
            Some((_, problem)) => Err(format!(
                "the program of seed {seed} is wrong without any mutant: {problem}"
            )),
        }
    }

    /// Looks at seeds in a process of its own: the first, the step, the end.
    fn start(&self, mutant: Option<&str>, word: &str, seeds: [u64; 3]) -> Result<Child, String> {
        Command::new(&self.binary)
            .env_remove(VARIABLE)
            .envs(mutant.map(|name| (VARIABLE, name)))
            .args(["mutants-look", word])
            .arg(&self.kept)
            .args(seeds.map(|it| it.to_string()))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("`{}`: {error}", self.binary.display()))
    }
}

type Followed = (Child, std::thread::JoinHandle<()>);

/// Sends on what a process notices; that it dies is noticed too.
fn follow(mut child: Child, sender: Sender<(u64, String)>) -> Result<Followed, String> {
    let output = child.stdout.take().ok_or("standard output is no pipe")?;
    let reader = std::thread::spawn(move || {
        let mut current = None;
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            let mut words = line.splitn(3, ' ');
            let (word, seed) = (words.next(), words.next().and_then(|it| it.parse().ok()));
            match (word, seed, words.next()) {
                (Some("program"), Some(seed), _) => current = Some(seed),
                (Some("noticed"), Some(seed), Some(problem)) => {
                    let _ = sender.send((seed, problem.to_owned()));
                    return;
                }
                (Some("end"), ..) => return,
                _ => {}
            }
        }
        if let Some(seed) = current {
            let _ = sender.send((seed, "the process dies".to_owned()));
        }
    });
    Ok((child, reader))
}

/// The process that [`Net::start`] starts. It says which program it looks at, and what it notices:
///
/// ```text
/// program 17
/// noticed 17 PROBLEM
/// end
/// ```
///
/// # Errors
///
/// If it was started wrongly.
pub(crate) fn look(words: &[String]) -> Result<(), Vec<String>> {
    let numbers: Vec<u64> = words.iter().skip(2).flat_map(|it| it.parse()).collect();
    let ([word, kept, ..], &[first, step, end]) = (words, &numbers[..]) else {
        return Err(vec!["started wrongly".to_owned()]);
    };
    let worker = std::thread::Builder::new()
        .stack_size(raddle::STACK_BYTES)
        .spawn({
            let (word, kept) = (word.clone(), PathBuf::from(kept));
            move || look_at(&word, &kept, (first, step.max(1), end))
        });
    let is_done = worker.is_ok_and(|it| it.join().is_ok());
    is_done
        .then_some(())
        .ok_or_else(|| vec!["it panics".to_owned()])
}

fn look_at(word: &str, kept: &Path, (first, step, end): (u64, u64, u64)) {
    let mut seed = first;
    while seed < end {
        let draft = real::generate(seed);
        if draft.plain_text().contains(word) {
            println!("program {seed}");
            // What gcc does not compile is for other tests.
            let asked = real::look_again(&draft, seed, TIME, Some(kept)).map(|it| it.asked);
            let refuted = asked.ok().and_then(|it| it.refuted);
            if let Some(refuted) = refuted {
                let problem = refuted.problem.lines().next().unwrap_or_default();
                println!("noticed {seed} {problem}");
                return;
            }
        }
        seed = seed.saturating_add(step);
    }
    println!("end");
}
