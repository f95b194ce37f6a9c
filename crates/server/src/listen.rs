//! Where the server listens, and where it refuses to.

use std::net::SocketAddr;

use tokio::net::TcpListener;

/// Why an address was not taken.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    #[error(
        "{0} is reachable from other machines, and this server has no sign-in yet; listen on 127.0.0.1 instead"
    )]
    NotLoopback(SocketAddr),
    #[error("{0} is in use by another process; choose another with --listen")]
    InUse(SocketAddr),
    #[error("cannot listen on {0}: {1}")]
    Other(SocketAddr, std::io::Error),
}

/// Takes the address, or says why not.
pub async fn bind(address: SocketAddr) -> Result<TcpListener, ListenError> {
    if !address.ip().is_loopback() {
        return Err(ListenError::NotLoopback(address));
    }
    TcpListener::bind(address).await.map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => ListenError::InUse(address),
        _ => ListenError::Other(address, error),
    })
}
