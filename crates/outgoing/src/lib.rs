//! Calls to addresses that somebody else chose: webhooks, health polls, registered services.
//!
//! Whoever may name an address could name one that only we can reach: our own store, a neighbour behind the firewall, the
//! cloud's metadata. So an address is read once into a normal form ([`Address`]), checked when it is registered and again
//! at every call ([`Guard`]), and a call goes to the very address that was checked ([`Client`]): the name is resolved once,
//! no redirect is followed, no proxy is asked, and time and body have limits.
//!
//! **Invariant:** no connection is opened to an address that [`Guard::resolve`] did not give.

mod address;
mod client;
mod guard;
mod kind;
mod lookup;
mod retry;
mod rules;
mod tls;

pub use address::{Address, BadAddress};
pub use client::{Answer, Call, Client, Failure, Limits};
pub use guard::{Denied, Guard};
pub use lookup::{Lookup, System};
pub use rules::BadRule;
