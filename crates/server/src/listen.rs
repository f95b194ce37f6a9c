//! Where the server listens, and where it refuses to.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls_pki_types::pem::{self, PemObject};
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

/// Why an address was not taken.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    #[error(
        "{0} is reachable from other machines, where tokens would go over the network in clear; give --tls-cert and --tls-key, or listen on 127.0.0.1"
    )]
    NotLoopback(SocketAddr),
    #[error("{0} is in use by another process; choose another with --listen")]
    InUse(SocketAddr),
    #[error("cannot listen on {0}: {1}")]
    Other(SocketAddr, std::io::Error),
    #[error("{}: {why}", path.display())]
    Certificate { path: PathBuf, why: String },
}

/// A certificate and its key.
#[derive(Clone)]
pub struct Certificate(Arc<tokio_rustls::rustls::ServerConfig>);

impl Certificate {
    /// Reads both from PEM files.
    pub fn read(certificate: &Path, key: &Path) -> Result<Self, ListenError> {
        let bad = |path: &Path| {
            let path = path.to_owned();
            move |why: String| ListenError::Certificate { path, why }
        };
        let chain = CertificateDer::pem_file_iter(certificate)
            .map_err(|error| bad(certificate)(error.to_string()))?;
        let chain: Vec<_> =
            chain.collect::<Result<_, _>>().map_err(|error| bad(certificate)(error.to_string()))?;
        if chain.is_empty() {
            return Err(bad(certificate)("there is no certificate (PEM) in it".to_owned()));
        }
        let own = PrivateKeyDer::from_pem_file(key).map_err(|error| match error {
            pem::Error::NoItemsFound => bad(key)("there is no private key (PEM) in it".to_owned()),
            other => bad(key)(other.to_string()),
        })?;

        let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
        let config = tokio_rustls::rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| bad(certificate)(error.to_string()))?
            .with_no_client_auth()
            .with_single_cert(chain, own)
            .map_err(|error| bad(certificate)(error.to_string()))?;
        Ok(Self(Arc::new(config)))
    }

    pub(crate) fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::from(Arc::clone(&self.0))
    }
}

/// Takes the address, or says why not.
pub async fn bind(
    address: SocketAddr,
    certificate: Option<&Certificate>,
) -> Result<TcpListener, ListenError> {
    if !address.ip().is_loopback() && certificate.is_none() {
        return Err(ListenError::NotLoopback(address));
    }
    TcpListener::bind(address).await.map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => ListenError::InUse(address),
        _ => ListenError::Other(address, error),
    })
}
