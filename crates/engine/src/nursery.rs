//! The thread that starts test servers and lives as long as the program.
//!
//! On Linux a server dies with the thread that started it. A test's own thread may end while its server is still
//! needed (a server shared by several tests), so one thread that never ends starts them all: an aborted test run
//! leaves no server behind, and a running one loses none.

use std::io;
use std::process::{Child, Command};
use std::sync::OnceLock;
use std::sync::mpsc::{Sender, SyncSender, channel, sync_channel};

use crate::child::spawn;

type Order = (Command, SyncSender<io::Result<Child>>);

static NURSERY: OnceLock<Sender<Order>> = OnceLock::new();

pub(crate) fn start(command: Command) -> io::Result<Child> {
    let closed = |_| io::Error::other("the thread that starts servers has ended");
    let (answer, child) = sync_channel(1);
    NURSERY.get_or_init(open).send((tied(command), answer)).map_err(|e| closed(e.to_string()))?;
    child.recv().map_err(|e| closed(e.to_string()))?
}

#[cfg(target_os = "linux")]
fn tied(mut command: Command) -> Command {
    crate::before_exec::die_with_parent(&mut command, rustix::process::Signal::KILL);
    command
}

#[cfg(not(target_os = "linux"))]
fn tied(command: Command) -> Command {
    command
}

fn open() -> Sender<Order> {
    let (orders, inbox) = channel::<Order>();
    std::thread::spawn(move || {
        for (mut command, answer) in inbox {
            let _ = answer.send(spawn(&mut command));
        }
    });
    orders
}
