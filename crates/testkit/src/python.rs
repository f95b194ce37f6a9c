//! A Python of the tests' own, with the clients that `python/requirements.txt` names. Made once, below the target folder.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

const REQUIREMENTS: &str = include_str!("../python/requirements.txt");

/// The Python, made if it is not there yet.
pub fn python() -> PathBuf {
    let venv = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/test-python");
    fs::create_dir_all(&venv).expect("a folder");
    // Tests are processes beside each other; one of them makes it, the others wait.
    let lock = File::create(venv.join(".lock")).expect("a lock");
    lock.lock().expect("the lock");
    let (python, done) = (venv.join("bin/python"), venv.join(".done"));
    if fs::read_to_string(&done).is_ok_and(|made| made == REQUIREMENTS) {
        return python;
    }
    let wanted = venv.join("requirements.txt");
    fs::write(&wanted, REQUIREMENTS).expect("writes");
    run(Command::new("python3").args(["-m", "venv"]).arg(&venv));
    run(Command::new(&python)
        .args(["-m", "pip", "install", "-q", "--disable-pip-version-check", "-r"])
        .arg(&wanted));
    fs::write(done, REQUIREMENTS).expect("writes");
    python
}

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}
