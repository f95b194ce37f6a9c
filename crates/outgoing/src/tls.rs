//! Whom we believe: the certificates that the system trusts, or the public ones where it names none.

use std::sync::LazyLock;

use rustls::{ClientConfig, RootCertStore};

static CONFIG: LazyLock<ClientConfig> = LazyLock::new(|| {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    let provider = rustls::crypto::ring::default_provider();
    ClientConfig::builder_with_provider(provider.into())
        .with_safe_default_protocol_versions()
        .expect("the provider has the usual versions")
        .with_root_certificates(roots)
        .with_no_client_auth()
});

pub(crate) fn config() -> ClientConfig {
    CONFIG.clone()
}
