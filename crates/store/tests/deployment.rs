//! A deployment has one layout, whoever starts first.

use quorate_catalog::{Keys, Layout, Prefixes};
use quorate_store::deployment::{Claim, claim, recorded_layout};
use quorate_testkit::{Bench, check};

fn keys(bench: &Bench, layout: Layout) -> Keys {
    let namespace = bench.scope.keys.namespace_text().trim_end_matches(':');
    Keys::new(namespace.parse().unwrap(), layout, Prefixes::default())
}

#[tokio::test]
async fn the_first_start_decides_and_the_other_layout_is_told() {
    check(&[], async |bench| {
        let (plain, tagged) = (keys(bench, Layout::Plain), keys(bench, Layout::Tagged));
        let store = &bench.scope.store;
        assert_eq!(recorded_layout(store, &plain).await.unwrap(), None);
        assert_eq!(claim(store, &plain).await.unwrap(), Claim::Made);
        assert_eq!(claim(store, &plain).await.unwrap(), Claim::Same);
        assert_eq!(claim(store, &tagged).await.unwrap(), Claim::Other(Layout::Plain));
        assert_eq!(recorded_layout(store, &tagged).await.unwrap(), Some(Layout::Plain));
    })
    .await;
}

#[tokio::test]
async fn many_starts_at_once_agree() {
    check(&[], async |bench| {
        let starts = (0..32).map(|at| {
            let layout = if at % 2 == 0 { Layout::Plain } else { Layout::Tagged };
            let (store, keys) = (bench.scope.store.clone(), keys(bench, layout));
            tokio::spawn(async move { (layout, claim(&store, &keys).await.unwrap()) })
        });
        let mut outcomes = Vec::new();
        for start in starts.collect::<Vec<_>>() {
            outcomes.push(start.await.unwrap());
        }
        let made: Vec<_> = outcomes.iter().filter(|(_, claim)| *claim == Claim::Made).collect();
        assert_eq!(made.len(), 1, "{outcomes:?}");
        let decided = made[0].0;
        let agree = |(layout, claim): &(Layout, Claim)| match claim {
            Claim::Made | Claim::Same => *layout == decided,
            Claim::Other(held) => *layout != decided && *held == decided,
        };
        assert!(outcomes.iter().all(agree), "{outcomes:?}");
    })
    .await;
}

#[tokio::test]
async fn a_damaged_record_is_an_error_and_stays_as_it_is() {
    let bench = Bench::verbatim().await;
    bench.cli("SET ~q:quorate:meta damaged").await;
    let error = claim(&bench.scope.store, &bench.scope.keys).await.unwrap_err();
    assert!(error.detail().contains("is damaged"), "{error}");
    assert_eq!(
        bench.scope.store.query::<String>(redis::cmd("GET").arg("~q:quorate:meta")).await.unwrap(),
        "damaged"
    );
}
