//! Asking by name.

use quorate_plane::Plane;
use quorate_testkit::Bench;
use quorate_verbs::{Call, Entry, Fault, Verdict};
use serde_json::{Map, Value, json};

/// What a surface knows of one caller.
pub(crate) struct Asker {
    pub(crate) call: Call,
}

impl Asker {
    pub(crate) async fn on(bench: &Bench) -> Self {
        let plane = Plane::new(bench.scope.clone()).expect("a plain layout");
        Self { call: Call::new(plane, "tester") }
    }

    /// The same for a caller that is bound to an agent.
    pub(crate) fn bound(&self, agent: &str) -> Self {
        Self { call: Call { bound: Some(agent.parse().expect("an agent")), ..self.call.clone() } }
    }

    /// The same with a request that has a name.
    pub(crate) fn named(&self, request: &str) -> Self {
        Self { call: Call { request: Some(request.to_owned()), ..self.call.clone() } }
    }

    pub(crate) async fn ask(&self, action: &str, input: Value) -> Result<Verdict<Value>, Fault> {
        entry(action).run(self.call.clone(), fields(input)).await
    }

    /// The answer to what is done.
    pub(crate) async fn done(&self, action: &str, input: Value) -> Value {
        match self.ask(action, input).await {
            Ok(Verdict::Done(answer)) => answer,
            Ok(Verdict::Refused(refused)) => panic!("{action}: {}", refused.document()),
            Err(fault) => panic!("{action}: {fault}"),
        }
    }

    /// The document of what is refused, with its status.
    pub(crate) async fn refused(&self, action: &str, input: Value) -> (u16, Value) {
        match self.ask(action, input).await {
            Ok(Verdict::Refused(refused)) => (refused.status(), refused.document()),
            Ok(Verdict::Done(answer)) => panic!("{action} is done: {answer}"),
            Err(fault) => panic!("{action}: {fault}"),
        }
    }

    /// Why there is no answer.
    pub(crate) async fn fault(&self, action: &str, input: Value) -> Fault {
        match self.ask(action, input.clone()).await {
            Err(fault) => fault,
            Ok(verdict) => panic!("{action} {input}: {verdict:?}"),
        }
    }

    /// Each input can never be asked.
    pub(crate) async fn bad(&self, action: &str, inputs: &[Value]) {
        for input in inputs {
            let fault = self.fault(action, input.clone()).await;
            assert!(matches!(fault, Fault::BadInput { .. }), "{action} {input}: {fault:?}");
        }
    }

    pub(crate) async fn registers(&self, agents: &[&str]) {
        for agent in agents {
            self.done("agents.register", json!({ "agent": agent })).await;
        }
    }
}

pub(crate) fn entry(action: &str) -> Entry {
    let found = quorate_verbs::all().into_iter().find(|entry| entry.about.action() == action);
    found.unwrap_or_else(|| panic!("there is no verb {action}"))
}

pub(crate) fn fields(input: Value) -> Map<String, Value> {
    match input {
        Value::Object(fields) => fields,
        other => panic!("{other} has no fields"),
    }
}

/// A document without what differs from run to run; that it is there is checked.
pub(crate) fn without(mut document: Value, changing: &[&str]) -> Value {
    for name in changing {
        let gone = document.as_object_mut().and_then(|all| all.remove(*name));
        assert!(gone.is_some_and(|value| !value.is_null()), "{name} is missing in {document}");
    }
    document
}
