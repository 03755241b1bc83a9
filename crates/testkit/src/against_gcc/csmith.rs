//! Random programs of csmith.

use std::path::Path;
use std::process::{Command, Stdio};

/// Writes the program of a seed.
///
/// # Errors
///
/// If csmith cannot be run or refuses, or the file cannot be written.
pub fn write(seed: u64, path: &Path) -> Result<(), String> {
    let output = Command::new("csmith")
        .args(["--seed", &seed.to_string()])
        // It writes a file about the machine into the folder where it runs.
        .current_dir(path.parent().unwrap_or(Path::new(".")))
        .stdin(Stdio::null())
        .output()
        .map_err(|error| {
            format!("csmith cannot be run ({error}); install the packages csmith and libcsmith-dev")
        })?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    // Its header lies in a folder of that name among those of the system.
    let text = String::from_utf8_lossy(&output.stdout)
        .replace("#include \"csmith.h\"", "#include <csmith/csmith.h>");
    std::fs::write(path, text).map_err(|error| format!("`{}`: {error}", path.display()))
}
