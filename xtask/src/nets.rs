//! `cargo xtask test CRATE`: what notices a mistake in a crate. Beside its own tests these are *nets*, tests of `testkit` that
//! compare what several crates do together with something simpler.

use std::process::Command;

use raddle_testkit::walk;

/// For each crate the nets that are about it, the most telling first.
const NETS: [(&str, &[&str]); 29] = [
    (
        "analysis",
        &["static_races", "futures", "dynamic", "atomic_sets"],
    ),
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
    ("encode", &["bmc", "token", "arithmetic", "blocks"]),
    ("engine", &["random_programs", "layering"]),
    (
        "engine_bmc",
        &["bmc", "blocks", "arithmetic", "random_programs"],
    ),
    (
        "engine_explicit",
        &[
            "random_programs",
            "inference",
            "figures",
            "workers",
            "symmetry",
            "compaction",
            "checkpoints",
            "shortest",
            "stuck",
        ],
    ),
    ("engine_mat", &["token"]),
    ("engine_reference", &["random_programs"]),
    ("engine_static", &["static_races"]),
    ("engine_wpds", &["pushdown", "atomic_sets", "automata"]),
    (
        "front_c",
        &["against_gcc", "modelled", "gnu", "printf", "real", "fuzz"],
    ),
    ("front_rad", &["programs", "fuzz", "documents"]),
    ("generate", &["random_programs", "fuzz"]),
    (
        "ir",
        &[
            "random_programs",
            "stepping",
            "commute",
            "printf",
            "real",
            "fuzz",
        ],
    ),
    ("logic", &["arithmetic", "bmc"]),
    ("movers", &["printed", "documents"]),
    (
        "reduce",
        &[
            "commute",
            "random_programs",
            "inference",
            "dynamic",
            "exclusive",
            "figures",
            "symmetry",
        ],
    ),
    ("report", &["documents", "reports", "printed"]),
    ("stepper", &["stepping", "symmetry", "random_programs"]),
    ("tasks", &["programs"]),
    ("witness", &["reports", "printed", "fuzz"]),
    ("wpds", &["pushdown"]),
];

/// Without a crate, tells all nets; with one, tells those of the crate and runs its own tests and them.
///
/// # Errors
///
/// There is no such crate, or a test fails.
pub(crate) fn run(arguments: &[&str]) -> Result<(), Vec<String>> {
    match arguments {
        [] => {
            for (name, nets) in NETS {
                println!("{name}: {}", nets.join(", "));
            }
            Ok(())
        }
        [name] => {
            let name = name.strip_prefix("raddle-").unwrap_or(name);
            let name = name.replace('-', "_");
            let Some((_, nets)) = NETS.iter().find(|(known, _)| *known == name) else {
                let known: Vec<&str> = NETS.iter().map(|(known, _)| *known).collect();
                return Err(vec![format!(
                    "there is no crate `{name}` with nets; there are {}",
                    known.join(", ")
                )]);
            };
            println!("{name}: its own tests, and of testkit {}", nets.join(", "));
            let package = package_of(&name);
            test(&["--package", &package])?;
            let of_testkit = nets.iter().flat_map(|net| ["--test", net]);
            let arguments: Vec<&str> = ["--package", "raddle-testkit"]
                .into_iter()
                .chain(of_testkit)
                .collect();
            test(&arguments)
        }
        _ => Err(vec!["`cargo xtask test` takes one crate".to_owned()]),
    }
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
    fn every_net_is_a_test_of_testkit_and_every_test_of_testkit_a_net() {
        let tests = names_in(&walk::repository_root().join("crates/testkit/tests"));
        let nets: BTreeSet<String> = NETS
            .iter()
            .flat_map(|(_, nets)| nets.iter().map(ToString::to_string))
            .collect();
        assert_eq!(nets, tests, "left: the table in xtask/src/nets.rs");
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
