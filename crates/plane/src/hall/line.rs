//! Who is called when, of those who stand in a line.
//!
//! A queue has a list, and one connection that is blocked on it: `BLMOVE list list RIGHT RIGHT` leaves the list as it is and returns as soon as there is something in it, whoever
//! pushed it and however. Then as many are called as there are items, those who came first. Lanes and due items are
//! announced on a channel; not everybody may take what is in a lane, so more and more are called until somebody did.
//! Both are hints: the first in line looks once a second too, and now and then everybody, so that a lost one costs no more.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use quorate_store::{Store, Value, cmd};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::{Ended, Found, LOOK, Line, News};

/// Of so many looks of the first in line, one is everybody's.
const SELDOM: u32 = 16;
/// How long a line in which nobody stands is kept: whoever works for somebody else is back soon.
const LINGER: Duration = Duration::from_secs(10);
/// Most who are called at once.
const CROWD: usize = 256;

/// Serves a line until nobody has stood in it for a while; `leave` takes it away, unless somebody came.
pub(super) async fn run(line: Arc<Line>, mut list: Option<List>, leave: impl Fn(&Line) -> bool + Send) {
    let (mut tick, mut ticks, mut due, mut last) = (Instant::now() + LOOK, 0, None, Instant::now());
    loop {
        let rest = list.as_mut().and_then(|list| list.arm(&line));
        let until = [Some(tick), due, rest].into_iter().flatten().min().unwrap_or(tick);
        tokio::select! {
            () = line.stir.notified() => {}
            () = sleep_until(until) => {}
        }
        let now = Instant::now();
        if line.is_empty() {
            if now > last + LINGER && leave(&line) {
                return;
            }
            // What is heard now is for whoever comes; whether the list has something by then is asked then.
            if line.unlist()
                && let Some(list) = &mut list
            {
                list.is_armed = false;
            }
            tick = now + LOOK;
            continue;
        }
        let mut news = line.news();
        news.is_due(due.take());
        if now >= tick {
            (tick, ticks) = (now + LOOK, ticks + 1);
            news.first = true;
            news.all |= ticks % SELDOM == 0;
        }
        news.first |= news.due.take_if(|due| *due <= now).is_some();
        due = news.due;
        let next = serve(&line, list.as_mut(), &news).await;
        due = due.into_iter().chain(next).min();
        last = Instant::now();
    }
}

/// Calls whom the news concern; gives when something is due.
async fn serve(line: &Line, mut list: Option<&mut List>, news: &News) -> Option<Instant> {
    let mut next = None;
    if news.listed
        && let Some(list) = &mut list
    {
        let many = list.length(line).await;
        let served = call(line, many, Some(many), false).await;
        list.served(&served).await;
        next = served.next;
    }
    let served = match news {
        News { all: true, .. } => call(line, 1, None, true).await,
        News { lanes, .. } if *lanes > 0 => call(line, 1, Some(*lanes), true).await,
        News { first: true, .. } => call(line, 1, None, false).await,
        _ => return next,
    };
    if let Some(list) = list
        && (news.all || served.items > 0)
    {
        list.pause = Duration::ZERO;
    }
    next.into_iter().chain(served.next).min()
}

/// What those who were called have found.
#[derive(Default)]
struct Served {
    items: usize,
    nothing: bool,
    paused: bool,
    next: Option<Instant>,
}

/// Calls those who wait, first come first, more each time: until so many items are taken, or all have looked; and unless
/// it is to go `through` the whole line, until somebody finds nothing.
async fn call(line: &Line, first: usize, items: Option<usize>, through: bool) -> Served {
    let (mut served, mut from, mut many) = (Served::default(), 0, first);
    loop {
        let (behind, called) = line.call(from, many);
        if called.is_empty() {
            return served;
        }
        // Whoever is not polled by its owner keeps nobody else waiting for long.
        let said = join_all(called.into_iter().map(|said| timeout(LOOK, said))).await;
        said.into_iter().filter_map(|said| said.ok()?.ok()).for_each(|found| served.add(found));
        if items.is_some_and(|items| served.items >= items) || served.nothing && !through {
            return served;
        }
        (from, many) = (behind, (many * 2).min(CROWD));
    }
}

impl Served {
    fn add(&mut self, found: Found) {
        self.items += found.items;
        self.nothing |= found.items == 0;
        self.paused |= found.paused;
        let next = found.next.map(|next| Instant::now() + next.max(Duration::from_millis(1)));
        self.next = self.next.into_iter().chain(next).min();
    }
}

/// The list of a queue, with the one connection that is blocked on it.
pub(crate) struct List {
    store: Store,
    list: String,
    armed: Arc<Notify>,
    is_armed: bool,
    /// How long it is left alone: it had something that nobody could take.
    pause: Duration,
    rest: Option<Instant>,
    _watch: Ended,
}

impl List {
    pub(crate) fn watch(line: Arc<Line>, store: Store, list: String) -> Self {
        let armed = Arc::new(Notify::new());
        let _watch = Ended::with(watch(store.clone(), list.clone(), Arc::clone(&armed), line));
        Self { store, list, armed, is_armed: false, pause: Duration::ZERO, rest: None, _watch }
    }

    /// Looks for the next item; while nobody waits, a full queue costs nothing. Gives until when it rests, if it does.
    fn arm(&mut self, line: &Line) -> Option<Instant> {
        if self.pause.is_zero() || self.rest.is_some_and(|rest| rest <= Instant::now()) {
            self.rest = None;
        }
        if !self.is_armed && self.rest.is_none() && !line.is_empty() {
            self.is_armed = true;
            self.armed.notify_one();
        }
        self.rest
    }

    /// Who to call, of a list that was found not to be empty.
    async fn length(&self, line: &Line) -> usize {
        if line.len() == 1 { 1 } else { self.count().await.clamp(1, CROWD) }
    }

    /// How many items it has; a server that is away does not say.
    async fn count(&self) -> usize {
        self.store.query(cmd("LLEN").arg(&self.list)).await.unwrap_or(1)
    }

    /// What another process took is no reason to rest. What nobody may take is, and a queue that is paused says when it goes on.
    async fn served(&mut self, served: &Served) {
        self.is_armed = false;
        self.pause = match served {
            Served { items: 0, paused: true, .. } => LOOK,
            Served { items: 0, nothing: true, .. } if self.count().await > 0 => {
                (self.pause * 2).clamp(Duration::from_millis(1), LOOK / 4)
            }
            _ => Duration::ZERO,
        };
        self.rest = (!self.pause.is_zero()).then(|| Instant::now() + self.pause);
    }
}

async fn watch(store: Store, list: String, armed: Arc<Notify>, line: Arc<Line>) {
    let mut connection = store.dedicated();
    let mut look = cmd("BLMOVE");
    look.arg(&list).arg(&list).arg("RIGHT").arg("RIGHT").arg(LOOK.as_secs());
    loop {
        armed.notified().await;
        loop {
            match connection.query::<Value>(&look, LOOK).await {
                Ok(Value::Nil) => {}
                Ok(_) => break line.tell(|news| news.listed = true),
                // A server that is away, or full and unwilling to move anything, is asked again.
                Err(_) => sleep(LOOK / 2).await,
            }
        }
    }
}
