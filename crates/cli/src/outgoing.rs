//! What an operator allows this process to call beyond the public network.

use quorate_outgoing::{Client, Guard};
use quorate_plane::Plane;
use quorate_store::{Shape, Target};

use crate::failure::Failure;

#[derive(Debug, clap::Args)]
pub(crate) struct Outgoing {
    /// What may be called beyond the public network: CIDR:PORT, ADDRESS:PORT, NAME:PORT or *.NAME:PORT, with commas
    /// between; * for any port, and `only` for nothing else.
    #[arg(
        long,
        env = "QUORATE_ALLOW_OUTGOING",
        value_name = "RULES",
        default_value = "",
        hide_default_value = true
    )]
    allow_outgoing: String,
}

impl Outgoing {
    pub(crate) fn guard(&self) -> Result<Guard, Failure> {
        self.guard_and(None)
    }

    /// The same, and one rule more.
    pub(crate) fn guard_and(&self, more: Option<String>) -> Result<Guard, Failure> {
        Guard::parse(&format!("{},{}", self.allow_outgoing, more.unwrap_or_default()))
            .map_err(|bad| Failure::bad_input(format!("--allow-outgoing: {bad}")))
    }
}

/// The plane with these rules. Whatever they say, its own store is not called.
pub(crate) fn calling(plane: Plane, guard: Guard) -> Plane {
    let guard = store_ports(plane.store().target()).into_iter().fold(guard, Guard::own_port);
    plane.calling(Client::new(guard))
}

fn store_ports(target: &Target) -> Vec<u16> {
    match target.shape() {
        Shape::Server(node) => vec![node.port],
        Shape::Sentinel { sentinels, .. } => sentinels.iter().map(|node| node.port).collect(),
        Shape::Cluster(nodes) => nodes.iter().map(|node| node.port).collect(),
        _ => vec![],
    }
}
