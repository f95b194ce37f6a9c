//! `quorate keys counts`.

use quorate_plane::Plane;
use quorate_verbs::keys::{Counted, Counts, Share};

use crate::args::Global;
use crate::ask::ask;
use crate::failure::Failure;
use crate::out::{Answer, View};
use crate::plane;

pub(crate) async fn run(global: &Global) -> Result<Answer, Failure> {
    let plane = Plane::new(plane::connect(global).await?)?;
    ask(&plane, &Counts {}, view).await
}

fn view(counted: &Counted) -> View {
    let row = |share: &Share| {
        let sign = if counted.whole { "" } else { "~" };
        vec![share.family.clone(), format!("{sign}{}", share.about), share.sample.clone()]
    };
    let unknown = counted.unknown.iter().map(|share| {
        let mut cells = row(share);
        "of no family".clone_into(&mut cells[0]);
        cells
    });
    let rows = counted.families.iter().map(row).chain(unknown).collect();
    View::Rows { header: &["family", "keys", "one of them"], rows }
}
