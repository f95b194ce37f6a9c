//! Services: found by filters and by the beginnings of words.

use quorate_plane::Plane;
use quorate_plane::invariants;
use quorate_plane::search::{ServiceDocument, ServiceQuery};
use quorate_testkit::{check, check_verbatim};

use super::support::{code, id, plane, service, texts};

async fn place(plane: &Plane, document: &ServiceDocument) {
    plane.search().place(&id(&document.service_id), document).await.unwrap().unwrap();
}

async fn names(plane: &Plane, query: &ServiceQuery) -> Vec<String> {
    let (mut names, mut query) = (Vec::new(), query.clone());
    loop {
        let page = plane.search().services(&query).await.unwrap().unwrap();
        names.extend(page.items.into_iter().map(|hit| hit.document.service_id));
        match page.next_cursor {
            Some(cursor) => query.cursor = Some(cursor),
            None => return names,
        }
    }
}

#[tokio::test]
async fn services_are_found_by_filters_and_by_the_beginnings_of_words_in_the_order_of_their_names() {
    check(&invariants(), async |bench| {
        let plane = plane(bench);
        for (name, shown) in
            [("pay-api", "zebra payments"), ("mail", "Ärger mail"), ("ledger", "apple ledger")]
        {
            let document = ServiceDocument { name: shown.into(), ..service(name) };
            place(&plane, &document).await;
        }
        let asked =
            |query: &str| ServiceQuery { query: Some(query.into()), limit: 1, ..ServiceQuery::default() };
        let all = ServiceQuery { limit: 2, ..ServiceQuery::default() };
        assert_eq!(names(&plane, &all).await, ["ledger", "pay-api", "mail"]);
        assert_eq!(names(&plane, &asked("pay ap")).await, ["pay-api"]);
        assert_eq!(names(&plane, &asked("BILL te")).await.len(), 3, "a label of two words");
        assert_eq!(names(&plane, &asked("pay core")).await, Vec::<String>::new(), "all words in one field");
        let tagged =
            ServiceQuery { tag: Some("billing team".into()), environment: Some("production".into()), ..all };
        assert_eq!(names(&plane, &tagged).await.len(), 3);
        let wrong = ServiceQuery { cursor: Some("x".into()), ..tagged };
        assert_eq!(code(&plane.search().services(&wrong).await.unwrap()), "unknown_cursor");
    })
    .await;
}

#[tokio::test]
async fn a_replaced_service_leaves_no_word_behind_and_keeps_its_health() {
    check_verbatim(&invariants(), async |bench| {
        let plane = plane(bench);
        place(&plane, &ServiceDocument { health_status: Some("healthy".into()), ..service("pay") }).await;
        place(
            &plane,
            &ServiceDocument {
                name: "Other".into(),
                tags: vec![],
                environment: "staging".into(),
                ..service("pay")
            },
        )
        .await;
        let healthy = ServiceQuery { health: Some("healthy".into()), limit: 9, ..ServiceQuery::default() };
        assert_eq!(names(&plane, &healthy).await, ["pay"]);
        assert!(
            texts(bench, "KEYS *core*").await.is_empty()
                && texts(bench, "KEYS *production*").await.is_empty()
        );
        let document = texts(bench, "KEYS *service:doc*").await;
        assert_eq!(document, ["studio:search:service:doc:pay"]);
        plane.search().remove(&id("pay")).await.unwrap().unwrap();
        plane.search().leave().await.unwrap();
        assert!(texts(bench, "KEYS *").await.is_empty(), "{:?}", texts(bench, "KEYS *").await);
    })
    .await;
}
