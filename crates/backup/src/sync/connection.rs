//! A bare connection to one server: TCP, TLS or a unix socket.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use quorate_store::{Master, Node, Shape};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, UnixStream};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

const CONNECT_WITHIN: Duration = Duration::from_secs(10);

pub(super) trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

pub(super) type Connection = Box<dyn Duplex>;

/// The server's address for messages; it has no password in it.
pub(super) fn name(master: &Master) -> String {
    match &master.shape {
        Shape::Server(node) => node.to_string(),
        Shape::Socket(path) => path.display().to_string(),
        _ => "the server".to_owned(),
    }
}

pub(super) async fn open(master: &Master) -> io::Result<Connection> {
    timeout(CONNECT_WITHIN, dial(master)).await.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?
}

async fn dial(master: &Master) -> io::Result<Connection> {
    match &master.shape {
        Shape::Socket(path) => Ok(Box::new(UnixStream::connect(path).await?)),
        Shape::Server(node) if master.tls => encrypted(node, public_roots()).await,
        Shape::Server(node) => Ok(Box::new(TcpStream::connect((node.host.as_str(), node.port)).await?)),
        _ => Err(io::ErrorKind::Unsupported.into()),
    }
}

/// Those that the client crate trusts too.
fn public_roots() -> RootCertStore {
    RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() }
}

async fn encrypted(node: &Node, roots: RootCertStore) -> io::Result<Connection> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.map_err(io::Error::other)?.with_root_certificates(roots).with_no_client_auth();
    let host = ServerName::try_from(node.host.clone()).map_err(io::Error::other)?;
    let stream = TcpStream::connect((node.host.as_str(), node.port)).await?;
    Ok(Box::new(TlsConnector::from(Arc::new(config)).connect(host, stream).await?))
}
