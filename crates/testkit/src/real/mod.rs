//! Random programs with threads, against real threads.
//!
//! Engines share what a program is taken to mean, so that none can contradict another there. A processor can: a program is
//! compiled by gcc and run some hundred times with its threads held up here and there. What was seen once is possible.
//! The rarest outcome is then denied by an assertion, and whoever says safe is wrong; so is one who says that there is no
//! deadlock where threads hung, or that memory is used well where a sanitizer says otherwise. What was not seen may still
//! be possible, so that only `safe` can be refuted.
//!
//! - [`generate`] weaves a program of themes, each with the classes of meaning that it depends on;
//! - `runs` compiles it with `perturb.h`, which the text that is checked knows nothing of, and collects what is seen;
//! - `verdicts` asks the engines.

mod draft;
mod runs;
mod theme;
mod themes;
mod verdicts;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use raddle_ir::interpret::Property;

use draft::Purpose;

pub use draft::Draft;
pub use runs::{Folders, SeenOutcomes, is_possible, observe};
pub use theme::{Class, generate};
pub use verdicts::{Asked, Refuted};

/// What came of one program.
#[derive(Clone, Debug)]
pub struct RealLook {
    pub seen: SeenOutcomes,
    pub asked: Asked,
    /// The text that was checked.
    pub text: String,
}

impl Draft {
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// The program without a judgement.
    pub fn plain_text(&self) -> String {
        self.text(&Purpose::Deny(None))
    }
}

/// A folder that is removed in the end.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// # Errors
    ///
    /// If it cannot be made.
    pub fn new() -> std::io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("raddle-real-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder left behind does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs a program and asks engines about it, of which each may take so long.
///
/// # Errors
///
/// If gcc does not compile it, or nothing can be written.
pub fn look(draft: &Draft, seed: u64, time: Duration) -> Result<RealLook, String> {
    look_again(draft, seed, time, None)
}

/// The same, but what was seen is taken from a folder if it was seen before, and put there if not.
///
/// # Errors
///
/// As for [`look`].
pub fn look_again(
    draft: &Draft,
    seed: u64,
    time: Duration,
    kept: Option<&Path>,
) -> Result<RealLook, String> {
    let folder = Scratch::new().map_err(|error| error.to_string())?;
    let folders = Folders {
        scratch: folder.path(),
        kept,
    };
    let seen = observe(draft, seed, folders)?;
    let denied = seen
        .rarest()
        .map(|(values, _)| values)
        .filter(|it| it.len() == draft.watched());
    let text = draft.text(&Purpose::Deny(denied));
    let asked = match verdicts::load(&text, folder.path()) {
        Ok(program) => verdicts::ask(&program, draft, &seen, seed, time),
        Err(problem) => Asked {
            refused: Some(problem),
            ..Asked::default()
        },
    };
    Ok(RealLook { seen, asked, text })
}

/// The smallest part of a program that still fails.
pub fn smallest(draft: &Draft, fails: &mut dyn FnMut(&Draft) -> bool) -> Draft {
    let mut current = draft.clone();
    while let Some(smaller) = current.smaller().into_iter().find(|it| fails(it)) {
        current = smaller;
    }
    current
}

/// The program as a test of the property that is surely violated, which is what the problem begins with.
pub fn as_test(draft: &Draft, seed: u64, problem: &str) -> String {
    let property = problem.split(':').next().and_then(Property::from_name);
    let property = property.unwrap_or(Property::Memory);
    // What was seen before is seen again, or else nothing is denied.
    let text = look(draft, seed, Duration::ZERO).map_or_else(|_| draft.plain_text(), |it| it.text);
    format!(
        "//@ truth:    {property}=unsafe\n//@ options:  --property {property}\n//@ why:      it was seen when gcc's program ran; found by `cargo xtask fuzz --check real --seed {seed} --cases 1`: {}\n{text}",
        problem.lines().next().unwrap_or_default(),
    )
}
