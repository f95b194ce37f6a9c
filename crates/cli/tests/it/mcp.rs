//! `quorate mcp` with a client that others wrote.

use std::process::Command;

use crate::support::Plane;

#[test]
fn an_mcp_client_joins_works_and_reads_its_inbox_over_stdio() {
    let plane = Plane::start();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../server/tests/it/mcp_client.py");
    let mut client = Command::new(quorate_testkit::python::python());
    client.args([script, "stdio", env!("CARGO_BIN_EXE_quorate"), "--data-dir"]).arg(&plane.dir).arg("mcp");
    let output = client.output().expect("runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.starts_with("ok "),
        "{said}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
