//! Weaves themes into a program.

use raddle_base::Id;
use raddle_ir::{
    Action, Callee, DataModel, Expression, FunctionId, Program, RegisterId, Root, Scalar, validate,
};

use crate::Random;
use crate::body::Body;
use crate::items::Items;
use crate::themes::{Theme, wait_in_the_end};

/// What programs to make.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The themes to pick from, and how often each.
    pub themes: Vec<(Theme, usize)>,
    /// Themes that come on top, each in so many percent of the programs: what is violated too seldom otherwise.
    pub extras: Vec<(Theme, usize)>,
    pub max_themes: usize,
    /// The usual number of threads.
    pub min_threads: usize,
    /// Threads that exist from the start or are spawned by the first one; two or three make sense.
    pub max_threads: usize,
    /// A thread with more statements than this gets no other theme.
    pub max_statements: usize,
    /// In so many percent of the programs the first thread waits for a signal in the end, when it may be alone.
    pub lone_waits: usize,
}

impl Default for Profile {
    fn default() -> Self {
        Self {
            themes: Theme::ALL.to_vec(),
            extras: vec![(Theme::Bounds, 20), (Theme::Fenced, 6)],
            max_themes: 3,
            min_threads: 2,
            max_threads: 3,
            max_statements: 10,
            lone_waits: 0,
        }
    }
}

/// A program. Equal seeds and profiles give equal programs.
pub fn generate(seed: u64, profile: &Profile) -> Program {
    let mut random = Random::new(seed);
    let model = if random.chance(20) {
        DataModel::Ilp32
    } else {
        DataModel::Lp64
    };
    let mut items = Items::new(model);
    let min_threads = profile.min_threads.max(2);
    let count = if random.chance(75) {
        min_threads
    } else {
        profile.max_threads.max(min_threads)
    };
    // Three threads have more interleavings than two with a half more statements.
    let (max_themes, max_statements) = if count > 2 {
        (profile.max_themes.min(2), profile.max_statements / 2)
    } else {
        (profile.max_themes, profile.max_statements)
    };
    let is_spawned = random.chance(35);
    let mut threads: Vec<Body> = (0..count)
        .map(|at| match at {
            0 if is_spawned => Body::new("main"),
            0 => Body::new("first"),
            1 => Body::new("second"),
            _ => Body::new("third"),
        })
        .collect();
    // The first functions are those of the threads; their bodies come at the end.
    for body in &threads {
        items.function(body.function.clone());
    }
    let handles = if is_spawned {
        spawn_all(&mut threads)
    } else {
        Vec::new()
    };
    let mut picked = Vec::new();
    for _ in 0..*random.pick(&[1, 2, 2, 3]) {
        let theme = pick_theme(&mut random, &profile.themes);
        let is_full = threads.iter().any(|body| body.length() > max_statements);
        let has_enough = is_full || picked.len() == max_themes;
        if picked.contains(&theme) || (has_enough && !picked.is_empty()) {
            continue;
        }
        picked.push(theme);
        theme.weave(&mut items, &mut random, &mut threads);
    }
    // Numbers of its own: what is picked above does not depend on what comes on top.
    let mut extra = Random::new(seed.rotate_left(32) ^ 0xb0d5);
    for (theme, percent) in &profile.extras {
        let is_full = threads.iter().any(|body| body.length() > max_statements);
        if extra.chance(*percent) && !is_full {
            theme.weave(&mut items, &mut extra, &mut threads);
        }
    }
    if random.chance(85) {
        join_all(&mut threads[0], handles);
    }
    if extra.chance(profile.lone_waits) {
        wait_in_the_end(&mut items, &mut extra, &mut threads[0]);
    }
    let roots = if is_spawned { 1 } else { count };
    for (at, body) in threads.into_iter().enumerate() {
        let id = FunctionId::from_index(at);
        let name = body.function.name.clone();
        items.draft.functions[id] = body.finish();
        if at < roots {
            items.draft.roots.push(Root {
                name,
                index: None,
                function: id,
                arguments: Vec::new(),
                span: None,
            });
        }
    }
    if random.chance(10) {
        rename(&mut items, &mut random);
    }
    validate(items.draft).expect("generated programs keep the rules")
}

fn pick_theme(random: &mut Random, themes: &[(Theme, usize)]) -> Theme {
    let total = themes.iter().map(|(_, weight)| weight).sum();
    let mut at = random.below(total);
    for (theme, weight) in themes {
        if at < *weight {
            return *theme;
        }
        at -= weight;
    }
    unreachable!("a number below the sum of weights falls into one")
}

/// Gives a global a name that the text form must put in backticks.
fn rename(items: &mut Items, random: &mut Random) {
    let name = *random.pick(&["f::x", "lock", "u8", "3", "größe"]);
    if let Some(global) = items.draft.globals.values_mut().next() {
        global.name = name.into();
    }
}

/// The first thread spawns the others; their handles.
fn spawn_all(threads: &mut [Body]) -> Vec<RegisterId> {
    let mut handles = Vec::new();
    for at in 1..threads.len() {
        let handle = threads[0].variable("child", Scalar::Thread);
        threads[0].act(Action::Spawn {
            target: Some(handle),
            place: None,
            callee: Callee::Direct(FunctionId::from_index(at)),
            arguments: Vec::new(),
        });
        handles.push(handle);
    }
    handles
}

fn join_all(first: &mut Body, handles: Vec<RegisterId>) {
    for handle in handles {
        first.act(Action::Join {
            thread: Expression::Register(handle),
            target: None,
        });
    }
}
