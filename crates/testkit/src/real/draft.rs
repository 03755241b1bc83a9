//! A program in pieces: themes put them in, shrinking takes them out, rendering makes two texts of them.

use std::fmt::Write;

use super::theme::Class;

/// Where a piece stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    /// Before all functions.
    Global,
    /// In `main`, before the first thread is made.
    Before,
    /// In a thread; 0 is `main` while the others run.
    Thread(usize),
    /// In `main`, when the others have ended.
    After,
}

#[derive(Clone, Debug)]
struct Piece {
    /// Which of the woven themes it belongs to.
    theme: usize,
    place: Section,
    text: String,
}

/// How `main` ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finish {
    Return,
    /// Other threads go on, and nobody waits for them.
    ExitThread,
    /// The same as threads of C11 do it.
    ExitC11Thread,
    /// `exit` from within a call.
    Exit,
    QuickExit,
}

impl Finish {
    /// Whether others go on, and nobody waits for them.
    pub(super) fn leaves_others(self) -> bool {
        matches!(self, Finish::ExitThread | Finish::ExitC11Thread)
    }
}

/// What a text is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Purpose<'a> {
    /// To be run: the outcome is told, and there are places where a thread may be held up.
    Run,
    /// To be checked: it is asserted that the outcome is not this one.
    Deny(Option<&'a [i64]>),
}

/// A program in pieces.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a question of its own"
)]
pub struct Draft {
    pieces: Vec<Piece>,
    /// Integers that can be read in the end, with the themes that they are of.
    watched: Vec<(usize, String)>,
    /// How many threads `main` makes.
    pub(super) workers: usize,
    /// The theme that is woven in.
    theme: usize,
    pub(super) finish: Finish,
    /// Some piece calls `judge` by itself.
    pub(super) is_judged: bool,
    /// There is a thread that never ends, by right.
    pub(super) is_endless: bool,
    /// Some thread may be stuck, so that an endless one makes a difference.
    pub(super) may_hang: bool,
    /// Waiting is not always sleeping.
    pub(super) spins: bool,
    /// What a sanitizer may have something to say about.
    pub(super) may_break_memory: bool,
    pub(super) may_race: bool,
    /// A crash says that a thread was misused, not memory.
    pub(super) crashes_by_misuse: bool,
    /// What comes out depends on the names that threads get, so whoever says safe has to say that it rests on them.
    pub(super) depends_on_names: bool,
    pub(super) classes: Vec<Class>,
}

impl Draft {
    pub(super) fn new(workers: usize) -> Self {
        Self {
            pieces: Vec::new(),
            watched: Vec::new(),
            workers,
            theme: 0,
            finish: Finish::Return,
            is_judged: false,
            is_endless: false,
            may_hang: false,
            spins: false,
            may_break_memory: false,
            may_race: false,
            crashes_by_misuse: false,
            depends_on_names: false,
            classes: Vec::new(),
        }
    }

    /// What comes next belongs to another theme.
    pub(super) fn next_theme(&mut self) {
        self.theme += 1;
    }

    fn put(&mut self, place: Section, text: &str) {
        let text = text.replace('#', &self.theme.to_string());
        let theme = self.theme;
        self.pieces.push(Piece { theme, place, text });
    }

    /// In all texts `#` is the number of the theme, so that names differ, and `@` is a place where a thread may be held up.
    pub(super) fn global(&mut self, text: &str) {
        self.put(Section::Global, text);
    }

    pub(super) fn before(&mut self, text: &str) {
        self.put(Section::Before, text);
    }

    pub(super) fn thread(&mut self, at: usize, text: &str) {
        self.put(Section::Thread(at), text);
    }

    pub(super) fn after(&mut self, text: &str) {
        self.put(Section::After, text);
    }

    pub(super) fn watch(&mut self, expression: &str) {
        let expression = expression.replace('#', &self.theme.to_string());
        self.watched.push((self.theme, expression));
    }

    /// How many values an outcome has.
    pub(super) fn watched(&self) -> usize {
        self.watched.len()
    }

    /// Smaller programs, the smallest first.
    pub(super) fn smaller(&self) -> Vec<Draft> {
        let mut smaller = Vec::new();
        for theme in 0..=self.theme {
            let is_kept = |it: &Piece| it.theme != theme;
            if self.pieces.iter().all(is_kept) {
                continue;
            }
            let mut draft = self.clone();
            draft.pieces.retain(is_kept);
            draft.watched.retain(|(it, _)| *it != theme);
            smaller.push(draft);
        }
        for at in 0..self.pieces.len() {
            if self.pieces[at].place != Section::Global {
                let mut draft = self.clone();
                draft.pieces.remove(at);
                smaller.push(draft);
            }
        }
        for at in 0..self.watched.len() {
            let mut draft = self.clone();
            draft.watched.remove(at);
            smaller.push(draft);
        }
        if self.is_endless {
            let mut draft = self.clone();
            draft.is_endless = false;
            smaller.push(draft);
        }
        smaller
    }

    fn block(&self, text: &mut String, place: Section) {
        for piece in self.pieces.iter().filter(|it| it.place == place) {
            for line in piece.text.lines() {
                let _ = writeln!(text, "    {line}");
            }
        }
    }

    fn is_idle(&self, worker: usize) -> bool {
        !self
            .pieces
            .iter()
            .any(|it| it.place == Section::Thread(worker))
    }

    /// The program as C.
    pub(super) fn text(&self, purpose: &Purpose<'_>) -> String {
        let mut text = String::from("#define _GNU_SOURCE\n");
        for header in [
            "assert",
            "errno",
            "limits",
            "pthread",
            "sched",
            "semaphore",
            "stdatomic",
            "stdint",
            "stdlib",
            "threads",
        ] {
            let _ = writeln!(text, "#include <{header}.h>");
        }
        text.push_str("\nstatic void judge(void);\n");
        for piece in self.pieces.iter().filter(|it| it.place == Section::Global) {
            let _ = writeln!(text, "{}", piece.text);
        }
        let _ = writeln!(
            text,
            "\nstatic void judge(void) {{\n{}}}",
            self.judgement(purpose)
        );
        let workers: Vec<usize> = (1..=self.workers).filter(|at| !self.is_idle(*at)).collect();
        for at in &workers {
            let _ = writeln!(text, "\nstatic void *thread{at}(void *argument) {{");
            self.block(&mut text, Section::Thread(*at));
            text.push_str("    return 0;\n}\n");
        }
        if self.is_endless {
            text.push_str(
                "\nstatic void *endless(void *argument) {\n    for (;;) sched_yield();\n}\n",
            );
        }
        text.push_str("\nint main(void) {\n");
        self.block(&mut text, Section::Before);
        if self.is_endless {
            text.push_str("    pthread_t t0;\n    pthread_create(&t0, 0, endless, 0);\n");
        }
        for at in &workers {
            let _ = writeln!(
                text,
                "    pthread_t t{at};\n    pthread_create(&t{at}, 0, thread{at}, 0);"
            );
        }
        self.block(&mut text, Section::Thread(0));
        if !self.finish.leaves_others() {
            for at in &workers {
                let _ = writeln!(text, "    pthread_join(t{at}, 0);");
            }
        }
        self.block(&mut text, Section::After);
        if !self.is_judged {
            text.push_str("    judge();\n");
        }
        text.push_str(match self.finish {
            Finish::Return => "    return 0;\n}\n",
            Finish::ExitThread => "    pthread_exit(0);\n}\n",
            Finish::ExitC11Thread => "    thrd_exit(0);\n}\n",
            Finish::Exit => "    exit(0);\n}\n",
            Finish::QuickExit => "    quick_exit(0);\n}\n",
        });
        match purpose {
            // Of a thread that has ended and that nobody joined, something is left that looks lost.
            Purpose::Run if self.finish.leaves_others() => text
                .replace('@', "PERTURB(); ")
                .replace("LOOK_FOR_LOST();", ""),
            Purpose::Run => text.replace('@', "PERTURB(); "),
            Purpose::Deny(_) => text
                .replace('@', "")
                .replace("PLAIN_LOCK", "pthread_mutex_lock")
                .replace("PLAIN_UNLOCK", "pthread_mutex_unlock")
                .replace("LOOK_FOR_LOST();", ""),
        }
    }

    fn judgement(&self, purpose: &Purpose<'_>) -> String {
        match purpose {
            Purpose::Run if self.watched.is_empty() => String::new(),
            Purpose::Run => {
                let values: Vec<String> = self
                    .watched
                    .iter()
                    .map(|(_, it)| format!("(long)({it})"))
                    .collect();
                format!("    OUTCOME({}, {});\n", values.len(), values.join(", "))
            }
            Purpose::Deny(None) => String::new(),
            Purpose::Deny(Some(values)) => {
                let equal: Vec<String> = self
                    .watched
                    .iter()
                    .zip(*values)
                    .map(|((_, it), value)| format!("({it}) == {value}"))
                    .collect();
                format!("    assert(!({}));\n", equal.join(" && "))
            }
        }
    }
}
