//! Connections from other machines: encrypted, or not at all.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use quorate_plane::Plane;
use quorate_plane::tokens::Role;
use quorate_server::{Certificate, Served, bind};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, ServerName};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto};

use crate::support::token;

/// A pair that was made for this test and is trusted by nobody else.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tls").join(name)
}

fn connector() -> TlsConnector {
    let mut roots = RootCertStore::empty();
    roots
        .add(CertificateDer::from_pem_file(file("certificate.pem")).expect("a certificate"))
        .expect("a root");
    let config = ClientConfig::builder_with_provider(Arc::new(crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    TlsConnector::from(Arc::new(config))
}

/// Sends a request that ends its connection, and gives the whole answer.
async fn ask(mut stream: impl AsyncReadExt + AsyncWriteExt + Unpin, request: &str) -> String {
    let request = format!("{request}\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("sends");
    let mut answer = Vec::new();
    // A server that does not understand may hang up in any way it likes.
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn a_server_with_a_certificate_speaks_to_clients_that_encrypt_and_to_no_others() {
    quorate_testkit::check(&[], async |bench| {
        let plane = Plane::new(bench.scope.clone()).expect("a plain deployment");
        let certificate = Certificate::read(&file("certificate.pem"), &file("key.pem")).expect("a pair");
        let listener =
            bind("127.0.0.1:0".parse().expect("an address"), Some(&certificate)).await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let secret = token(&plane, "root", Role::Admin).await;
        let store = bench.scope.store.clone();
        let served = Served { store, plane: Some(plane), certificate: Some(certificate) };
        let (_stop, stopped) = tokio::sync::oneshot::channel::<()>();
        tokio::spawn(quorate_server::serve(listener, served, async move { drop(stopped.await) }));
        let encrypted = async |request: &str| {
            let stream = TcpStream::connect(address).await.expect("a connection");
            let name = ServerName::try_from("localhost").expect("a name");
            ask(connector().connect(name, stream).await.expect("it is who it says"), request).await
        };
        assert!(encrypted("GET /healthz HTTP/1.1").await.starts_with("HTTP/1.1 200"));
        let bearer = format!("Authorization: Bearer {secret}");
        let agents = encrypted(&format!("GET /api/v1/agents HTTP/1.1\r\n{bearer}")).await;
        assert!(agents.starts_with("HTTP/1.1 200"), "{agents}");
        let signed =
            encrypted(&format!("POST /api/v1/sign-in HTTP/1.1\r\nContent-Length: 0\r\n{bearer}")).await;
        assert!(signed.contains("HttpOnly; SameSite=Strict") && signed.contains("; Secure"), "{signed}");
        let clear = TcpStream::connect(address).await.expect("a connection");
        let clear = ask(clear, &format!("GET /api/v1/agents HTTP/1.1\r\n{bearer}")).await;
        assert!(!clear.contains("HTTP/1.1 200") && !clear.contains("agents"), "{clear}");
    })
    .await;
}

#[tokio::test]
async fn an_address_beyond_this_machine_needs_a_certificate_that_can_be_read() {
    let anywhere = "0.0.0.0:0".parse().expect("an address");
    let refused = bind(anywhere, None).await.expect_err("in clear").to_string();
    assert!(refused.contains("--tls-cert"), "{refused}");
    // Whoever mixes the two files up is told which one has not what it should.
    let swapped = Certificate::read(&file("key.pem"), &file("certificate.pem")).map(drop);
    let said = swapped.expect_err("the key is no certificate").to_string();
    assert!(said.contains("key.pem: there is no certificate (PEM) in it"), "{said}");
    let twice = Certificate::read(&file("certificate.pem"), &file("certificate.pem")).map(drop);
    let said = twice.expect_err("no key").to_string();
    assert!(said.contains("certificate.pem: there is no private key (PEM) in it"), "{said}");
    let certificate = Certificate::read(&file("certificate.pem"), &file("key.pem")).expect("a pair");
    assert!(bind(anywhere, Some(&certificate)).await.is_ok());
}
