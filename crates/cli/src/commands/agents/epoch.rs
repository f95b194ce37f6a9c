//! The epoch that goes with every write of an agent.

use crate::failure::Failure;

const ENV: &str = "QUORATE_EPOCH";

#[derive(Debug, clap::Args)]
pub(super) struct Epoch {
    /// The epoch that `register` gave; a write of an earlier incarnation is refused.
    /// [env: QUORATE_EPOCH] [default: the current one]
    #[arg(long, value_name = "N", verbatim_doc_comment)]
    pub(super) epoch: Option<u64>,
}

impl Epoch {
    /// The flag, or the environment, or nothing.
    pub(super) fn get(&self) -> Result<Option<u64>, Failure> {
        if self.epoch.is_some() {
            return Ok(self.epoch);
        }
        let given = std::env::var_os(ENV).filter(|text| !text.is_empty());
        let parse = |text: std::ffi::OsString| text.to_str().and_then(|text| text.parse().ok());
        given
            .map(|text| {
                parse(text).ok_or_else(|| {
                    Failure::bad_input(format!("{ENV} is not an epoch; use the number that `register` gave"))
                })
            })
            .transpose()
    }
}
