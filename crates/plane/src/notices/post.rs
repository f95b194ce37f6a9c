//! How mail leaves this process: by SMTP, or by the HTTP service that Relayna's studio calls; and what it is told by its
//! environment. Addresses and passwords are the operator's and are never in the store.

use std::time::Duration;

use lettre::message::Mailbox;
use lettre::message::header::ContentType;
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use quorate_outgoing::{Address, Call, Client, Limits};
use serde_json::json;

use super::Wanted;

/// The longest that failures may be gathered, in seconds.
pub const LONGEST_WAIT: u64 = 604_800;
const RELAYNA: &str = "RELAYNA_STUDIO_FAILED_TASK_EMAIL_";

/// What a process was told about notices.
#[derive(Clone)]
pub struct Post {
    way: Option<Way>,
    from: Mailbox,
    receivers: Vec<Mailbox>,
    title: String,
    timeout: Duration,
    /// How often failures are looked for; never, where it is zero.
    pub(super) interval: Duration,
    /// How long a failure is remembered, in seconds.
    pub(super) remembered: u64,
    /// What holds until somebody sets something else.
    pub(super) usual: Wanted,
}

#[derive(Clone)]
enum Way {
    Smtp(AsyncSmtpTransport<Tokio1Executor>),
    Service { url: Address, key: Option<String> },
}

/// Whatever is printed for debugging ends in a log.
impl std::fmt::Debug for Post {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Post").field("receivers", &self.receivers).finish_non_exhaustive()
    }
}

impl Default for Post {
    fn default() -> Self {
        Self::read(|_| None).expect("nothing is no nonsense")
    }
}

impl Post {
    /// From named values, such as the environment; or why one of them makes no sense.
    pub fn read(value: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let said =
            |name: &str| value(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let own = |name: &str| said(&format!("{RELAYNA}{name}"));
        let number = |name: &str, usual: f64, least: f64, most: f64| {
            let Some(text) = own(name) else { return Ok(usual) };
            let number = text.parse().ok().filter(|number: &f64| (least..=most).contains(number));
            number.ok_or_else(|| format!("{RELAYNA}{name} is a number from {least} to {most}"))
        };
        let seconds =
            |name: &str, usual, least, most| number(name, usual, least, most).map(Duration::from_secs_f64);
        let timeout = seconds("TIMEOUT_SECONDS", 5.0, 0.1, 20.0)?;
        let way = match (said("QUORATE_SMTP_URL"), own("SERVICE_URL")) {
            (Some(url), _) => Some(smtp(&url, timeout)?),
            (None, Some(url)) => {
                let url = url.parse().map_err(|why| format!("{RELAYNA}SERVICE_URL: {why}"))?;
                Some(Way::Service { url, key: own("API_KEY") })
            }
            (None, None) => None,
        };
        let mailbox = |text: &str| {
            text.parse::<Mailbox>()
                .map_err(|_| "a receiver or QUORATE_SMTP_FROM is no mail address".to_owned())
        };
        let from = said("QUORATE_SMTP_FROM").unwrap_or_else(|| "Quorate <quorate@localhost>".to_owned());
        let receivers = own("RECEIVERS").unwrap_or_default();
        let receivers = receivers.split(',').map(str::trim).filter(|text| !text.is_empty());
        Ok(Self {
            way,
            from: mailbox(&from)?,
            receivers: receivers.map(mailbox).collect::<Result<_, _>>()?,
            title: own("TITLE_PREFIX").unwrap_or_else(|| "[Relayna] Failed task".to_owned()),
            timeout,
            interval: seconds("INTERVAL_SECONDS", 30.0, 0.0, 86_400.0)?,
            remembered: number("DEDUPE_TTL_SECONDS", 604_800.0, 1.0, 31_622_400.0)? as u64,
            usual: Wanted {
                enabled: matches!(
                    own("ENABLED").as_deref(),
                    Some("1" | "true" | "yes" | "on" | "True" | "TRUE")
                ),
                batch_wait_seconds: number("BATCH_WAIT_SECONDS", 0.0, 0.0, LONGEST_WAIT as f64)? as u64,
            },
        })
    }

    /// Whether mail can be sent.
    pub(super) fn configured(&self) -> bool {
        self.way.is_some() && !self.receivers.is_empty()
    }

    pub(super) fn receivers(&self) -> Vec<String> {
        self.receivers.iter().map(|mailbox| mailbox.email.to_string()).collect()
    }

    pub(super) fn title(&self) -> &str {
        &self.title
    }

    /// Sends one message; why not, in our own words.
    pub(super) async fn send(
        &self,
        client: &Client,
        id: &str,
        title: &str,
        body: &str,
    ) -> Result<(), String> {
        match &self.way {
            None => Err("no mail server is set".to_owned()),
            Some(Way::Smtp(server)) => {
                let message = self.message(id, title, body)?;
                let sent = tokio::time::timeout(self.timeout * 4, server.send(message)).await;
                match sent {
                    Err(_) => Err("the mail server took too long".to_owned()),
                    Ok(Ok(answer)) if answer.is_positive() => Ok(()),
                    Ok(Ok(answer)) => Err(format!("the mail server answered {}", answer.code())),
                    Ok(Err(error)) => Err(trouble(&error)),
                }
            }
            Some(Way::Service { url, key }) => {
                let body = json!({ "receivers": self.receivers(), "title": title, "body": body });
                let mut call = Call::post(body.to_string()).header("content-type", "application/json");
                call = call.header("idempotency-key", id);
                if let Some(key) = key {
                    call = call.header("x-api-key", key);
                }
                let limits = Limits { total: self.timeout, ..Limits::default() };
                let answer = client.clone().limits(limits).send(url, call).await;
                match answer {
                    Ok(answer) if answer.is_success() => Ok(()),
                    Ok(answer) => Err(format!("the mail service answered HTTP {}", answer.status)),
                    Err(why) => Err(format!("the mail service: {why}")),
                }
            }
        }
    }

    fn message(&self, id: &str, title: &str, body: &str) -> Result<Message, String> {
        let message = Message::builder()
            .from(self.from.clone())
            .message_id(Some(format!("<{id}@quorate>")))
            .subject(title)
            .header(ContentType::TEXT_PLAIN);
        let message = self.receivers.iter().fold(message, |message, one| message.to(one.clone()));
        message.body(body.to_owned()).map_err(|error| format!("the message cannot be written: {error}"))
    }
}

/// A password goes to nobody in clear, except on this machine.
fn smtp(url: &str, timeout: Duration) -> Result<Way, String> {
    const WRONG: &str =
        "QUORATE_SMTP_URL is smtps://[USER:PASSWORD@]HOST[:PORT], or smtp://… with ?tls=required";
    let parsed: url::Url = url.parse().map_err(|_| WRONG.to_owned())?;
    let near = matches!(parsed.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
    let open = parsed.scheme() == "smtp"
        && !parsed.query_pairs().any(|pair| pair == ("tls".into(), "required".into()));
    if open && !near && parsed.password().is_some() {
        return Err(format!("{WRONG}: this one would send the password in clear"));
    }
    let server = AsyncSmtpTransport::<Tokio1Executor>::from_url(url).map_err(|_| WRONG.to_owned())?;
    Ok(Way::Smtp(server.timeout(Some(timeout)).build()))
}

/// Our own words: those of a server may say anything.
fn trouble(error: &lettre::transport::smtp::Error) -> String {
    match error.status() {
        Some(code) => format!("the mail server answered {code}"),
        None if error.is_timeout() => "the mail server took too long".to_owned(),
        None if error.is_tls() => "no safe connection to the mail server".to_owned(),
        None => "the mail server cannot be reached, or does not speak SMTP".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<Post, String> {
        Post::read(|name| {
            let found = pairs.iter().find(|(own, _)| *own == name || format!("{RELAYNA}{own}") == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[tokio::test]
    async fn nothing_is_sent_unless_set_and_nonsense_is_said() {
        let none = Post::default();
        assert!(!none.configured() && !none.usual.enabled);
        assert_eq!((none.interval, none.remembered), (Duration::from_secs(30), 604_800));
        let post = read(&[
            ("QUORATE_SMTP_URL", "smtps://u:p@mail.example.com"),
            ("RECEIVERS", " a@example.com, b@example.com ,"),
            ("ENABLED", "true"),
            ("BATCH_WAIT_SECONDS", "60"),
        ])
        .unwrap();
        assert!(post.configured() && post.usual == Wanted { enabled: true, batch_wait_seconds: 60 });
        assert_eq!(post.receivers(), ["a@example.com", "b@example.com"]);
        assert!(!format!("{post:?}").contains("mail.example"));
        for bad in [
            [("QUORATE_SMTP_URL", "http://mail.example.com")],
            [("QUORATE_SMTP_URL", "smtp://u:p@mail.example.com")],
            [("SERVICE_URL", "ftp://mail")],
            [("RECEIVERS", "nobody")],
            [("INTERVAL_SECONDS", "-1")],
            [("BATCH_WAIT_SECONDS", "604801")],
            [("DEDUPE_TTL_SECONDS", "NaN")],
        ] {
            assert!(read(&bad).is_err(), "{bad:?}");
        }
        assert!(read(&[("QUORATE_SMTP_URL", "smtp://u:p@localhost:2525")]).is_ok());
    }
}
