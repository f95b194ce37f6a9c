//! A mail server outside: it speaks SMTP and keeps what it took.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use quorate_plane::notices::Post;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// One message: to whom, and everything between DATA and its end.
#[derive(Debug, Clone, Default)]
pub(crate) struct Mail {
    pub(crate) to: Vec<String>,
    pub(crate) text: String,
}

#[derive(Clone)]
pub(crate) struct MailServer {
    pub(crate) at: SocketAddr,
    got: Arc<Mutex<Vec<Mail>>>,
    refuses: Arc<AtomicBool>,
}

impl MailServer {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let own = Self { at: listener.local_addr().unwrap(), got: Arc::default(), refuses: Arc::default() };
        let server = own.clone();
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let server = server.clone();
                tokio::spawn(async move { server.talk(socket).await });
            }
        });
        own
    }

    /// Whether it takes no message from now on.
    pub(crate) fn refuses(&self, refuses: bool) {
        self.refuses.store(refuses, Ordering::SeqCst);
    }

    pub(crate) fn got(&self) -> Vec<Mail> {
        self.got.lock().unwrap().clone()
    }

    /// What a process is told that sends its mail here.
    pub(crate) fn post(&self, more: &[(&str, &str)]) -> Post {
        let url = format!("smtp://{}", self.at);
        Post::read(|name| match name {
            "QUORATE_SMTP_URL" => Some(url.clone()),
            "RELAYNA_STUDIO_FAILED_TASK_EMAIL_RECEIVERS" => {
                Some("ops@example.com, oncall@example.com".into())
            }
            "RELAYNA_STUDIO_FAILED_TASK_EMAIL_ENABLED" => Some("true".into()),
            other => {
                let own = other.strip_prefix("RELAYNA_STUDIO_FAILED_TASK_EMAIL_")?;
                more.iter().find(|(name, _)| *name == own).map(|(_, value)| (*value).to_owned())
            }
        })
        .unwrap()
    }

    async fn talk(&self, socket: TcpStream) -> Option<()> {
        let (read, mut write) = socket.into_split();
        let mut lines = BufReader::new(read).lines();
        write.write_all(b"220 test ESMTP\r\n").await.ok()?;
        let mut mail = Mail::default();
        while let Some(line) = lines.next_line().await.ok()? {
            let word = line.split([' ', ':']).next().unwrap_or_default().to_uppercase();
            let answer = match word.as_str() {
                "MAIL" if self.refuses.load(Ordering::SeqCst) => "451 not now",
                "RCPT" => {
                    mail.to.push(line.split(['<', '>']).nth(1)?.to_owned());
                    "250 ok"
                }
                "DATA" => {
                    write.write_all(b"354 go on\r\n").await.ok()?;
                    loop {
                        let line = lines.next_line().await.ok()??;
                        if line == "." {
                            break;
                        }
                        mail.text.push_str(&line);
                        mail.text.push('\n');
                    }
                    self.got.lock().unwrap().push(std::mem::take(&mut mail));
                    "250 taken"
                }
                "QUIT" => {
                    write.write_all(b"221 bye\r\n").await.ok()?;
                    return Some(());
                }
                _ => "250 ok",
            };
            write.write_all(format!("{answer}\r\n").as_bytes()).await.ok()?;
        }
        Some(())
    }
}
