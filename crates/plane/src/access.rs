//! What tokens and sign-in of one process share.

use std::sync::Arc;

use quorate_catalog::Keys;
use quorate_store::Result;

use crate::settings::Cached;
use crate::{Plane, sign_in, tokens};

#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) tokens: Arc<tokens::Scripts>,
    pub(crate) sign_in: Arc<sign_in::Scripts>,
    settings: Cached<sign_in::Settings>,
}

impl Parts {
    pub(crate) fn of(keys: &Keys) -> Self {
        Self {
            tokens: tokens::Scripts::of(keys),
            sign_in: sign_in::Scripts::of(keys),
            settings: Cached::default(),
        }
    }

    pub(crate) async fn sign_in_settings(&self, plane: &Plane) -> Result<sign_in::Settings> {
        self.settings.get(plane.store(), plane.keys()).await
    }
}
