//! `cargo xtask test CRATE`: what notices a mistake in a crate. Beside its own tests these are *nets*, tests of `testkit` and of other
//! crates that compare what several crates do together with something simpler.

use std::collections::BTreeMap;
use std::process::Command;

use raddle_testkit::walk;

/// For each crate the nets that are about it and stand elsewhere, the most telling first: tests of `testkit`, and after a slash tests of
/// another crate.
const NETS: [(&str, &[&str]); 35] = [
    ("analysis", &["decided", "reduce/dynamic", "atomic_sets"]),
    ("base", &["checkpoints", "random_programs"]),
    ("bdd", &["pushdown"]),
    ("bench", &["printed"]),
    ("c_syntax", &["against_gcc", "gnu", "fuzz"]),
    ("certify", &["random_programs", "stuck", "reports", "fuzz"]),
    ("cli", &["documents", "printed", "reports"]),
    ("diag", &["reports", "documents"]),
    (
        "driver",
        &["documents", "reports", "printed", "random_programs"],
    ),
    (
        "encode",
        &[
            "engine_bmc/bmc",
            "token",
            "decided",
            "engine_bmc/arithmetic",
            "engine_bmc/blocks",
        ],
    ),
    ("engine", &["random_programs", "happens_before", "layering"]),
    (
        "engine_bmc",
        &["decided", "encode/values", "counters", "random_programs"],
    ),
    (
        "engine_explicit",
        &[
            "random_programs",
            "counters",
            "inference",
            "figures",
            "workers",
            "symmetry",
            "compaction",
            "checkpoints",
            "shortest",
            "preemptions",
            "stuck",
        ],
    ),
    ("engine_ic3", &["random_programs", "decided"]),
    ("engine_mat", &["token", "encode/values", "decided"]),
    ("engine_reference", &["random_programs"]),
    ("engine_sample", &["random_programs", "decided"]),
    ("engine_static", &["analysis/static_races", "decided"]),
    (
        "engine_wpds",
        &["pushdown", "atomic_sets", "automata", "decided"],
    ),
    ("flat", &["engine_ic3/random_programs", "decided"]),
    (
        "front_c",
        &["against_gcc", "modelled", "gnu", "printf", "real", "fuzz"],
    ),
    ("front_rad", &["programs", "fuzz", "documents"]),
    ("generate", &["random_programs", "fuzz"]),
    ("ic3", &["engine_ic3/random_programs", "decided"]),
    (
        "ir",
        &[
            "random_programs",
            "stepping",
            "reduce/commute",
            "printf",
            "real",
            "fuzz",
        ],
    ),
    (
        "logic",
        &["engine_bmc/arithmetic", "engine_bmc/bmc", "decided"],
    ),
    ("minimise", &["minimise", "printed", "reports"]),
    ("movers", &["printed", "documents"]),
    ("project", &["cli/project", "documents"]),
    (
        "reduce",
        &[
            "random_programs",
            "counters",
            "inference",
            "figures",
            "symmetry",
        ],
    ),
    ("report", &["documents", "reports", "printed"]),
    ("stepper", &["stepping", "symmetry", "random_programs"]),
    ("tasks", &["programs", "decided"]),
    ("witness", &["reports", "printed", "fuzz"]),
    ("wpds", &["pushdown"]),
];

/// Without a crate, tells all nets; with one, tells those of the crate and runs its own tests and them.
///
/// # Errors
///
/// There is no such crate, or a test fails.
pub(crate) fn run(name: Option<&str>) -> Result<(), Vec<String>> {
    match name {
        None => {
            for (name, nets) in NETS {
                println!("{name}: {}", nets.join(", "));
            }
            Ok(())
        }
        Some(name) => {
            let name = name.strip_prefix("raddle-").unwrap_or(name);
            let name = name.replace('-', "_");
            let Some((_, nets)) = NETS.iter().find(|(known, _)| *known == name) else {
                let known: Vec<&str> = NETS.iter().map(|(known, _)| *known).collect();
                return Err(vec![format!(
                    "there is no crate `{name}` with nets; there are {}",
                    known.join(", ")
                )]);
            };
            println!("{name}: its own tests, and {}", nets.join(", "));
            test(&["--package", &package_of(&name)])?;
            for (home, tests) in by_home(nets) {
                let package = package_of(home);
                let tests = tests.iter().flat_map(|net| ["--test", net]);
                let arguments: Vec<&str> =
                    ["--package", &package].into_iter().chain(tests).collect();
                test(&arguments)?;
            }
            Ok(())
        }
    }
}

/// The crate in which a net stands, and its name there.
fn place(net: &'static str) -> (&'static str, &'static str) {
    net.split_once('/').unwrap_or(("testkit", net))
}

/// The nets of each crate, so that cargo is called once for it.
fn by_home(nets: &[&'static str]) -> BTreeMap<&'static str, Vec<&'static str>> {
    let mut homes = BTreeMap::<_, Vec<_>>::new();
    for (home, test) in nets.iter().map(|it| place(it)) {
        homes.entry(home).or_default().push(test);
    }
    homes
}

/// The package of a crate, by its folder. The command line is called `raddle`.
fn package_of(name: &str) -> String {
    match name {
        "cli" => "raddle".to_owned(),
        _ => format!("raddle-{}", name.replace('_', "-")),
    }
}

fn test(arguments: &[&str]) -> Result<(), Vec<String>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    println!("cargo test --locked {}", arguments.join(" "));
    let status = Command::new(cargo)
        .args(["test", "--locked"])
        .args(arguments)
        .current_dir(walk::repository_root())
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(vec![format!("`cargo test` ended with {status}")]),
        Err(error) => Err(vec![format!("`cargo test` cannot be run: {error}")]),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    fn names_in(folder: &Path) -> BTreeSet<String> {
        let entries = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
        entries
            .filter(|path| path.is_dir() || path.extension().is_some_and(|it| it == "rs"))
            .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn every_test_of_testkit_is_a_net_and_every_net_is_there() {
        let root = walk::repository_root().join("crates");
        let nets = || {
            NETS.iter()
                .flat_map(|(_, nets)| nets.iter().map(|it| place(it)))
        };
        for (home, net) in nets() {
            assert!(
                names_in(&root.join(home).join("tests")).contains(net),
                "{home}/{net}"
            );
        }
        let known: BTreeSet<String> = nets()
            .filter(|(home, _)| *home == "testkit")
            .map(|(_, net)| net.to_owned())
            .collect();
        let tests = names_in(&root.join("testkit/tests"));
        assert_eq!(known, tests, "left: the table in xtask/src/nets.rs");
    }

    #[test]
    fn no_crate_lists_its_own_tests() {
        for (name, nets) in NETS {
            assert!(nets.iter().all(|it| place(it).0 != name), "{name}");
        }
    }

    #[test]
    fn every_crate_but_testkit_has_nets_and_its_package_is_called_as_is_said() {
        let root = walk::repository_root().join("crates");
        let mut crates = names_in(&root);
        crates.remove("testkit");
        let known: BTreeSet<String> = NETS.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(known, crates, "left: the table in xtask/src/nets.rs");
        for name in known {
            let manifest = fs::read_to_string(root.join(&name).join("Cargo.toml")).unwrap();
            let line = format!("name = \"{}\"", package_of(&name));
            assert!(manifest.contains(&line), "{name}");
        }
    }
}
