//! How all services fare, for whoever watches them: a few calls however many there are.

use quorate_catalog::ids::{EnvironmentId, ServiceId};
use quorate_store::{Result, pipe};
use schemars::JsonSchema;
use serde::Serialize;

use super::verdict::{Health, judge};
use super::{Activity, Overall, Service, Services};

/// Services that one pipeline asks about.
const FEW: usize = 500;

/// A service and the verdict on it, without what its workers said.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Fare {
    #[serde(flatten)]
    pub service: Service,
    /// How it fares, judged now by what was last seen of it.
    pub overall_status: Overall,
    /// Why, the gravest first.
    pub reasons: Vec<String>,
    /// When somebody last looked at it.
    pub last_checked_at: Option<String>,
    /// Its newest event.
    pub last_event_at: Option<String>,
}

impl Services<'_> {
    /// Every service and how it fares, in one environment or in all, by environment and name.
    pub async fn fares(&self, environment: Option<&EnvironmentId>) -> Result<Vec<Fare>> {
        let now = self.plane.store().time().await?;
        let stale = self.plane.service_settings().await?.stale;
        let services = self.ls(environment).await?;
        let mut all = Vec::with_capacity(services.len());
        for few in services.chunks(FEW) {
            let seen = self.seen_of(few).await?;
            all.extend(few.iter().zip(seen).map(|(service, (stored, activity))| {
                let health = judge(service, stored, &activity, now, stale);
                Fare {
                    service: service.clone(),
                    overall_status: health.overall_status,
                    reasons: health.reasons,
                    last_checked_at: health.last_checked_at,
                    last_event_at: activity.latest(),
                }
            }));
        }
        Ok(all)
    }

    /// What is kept of each.
    async fn seen_of(&self, services: &[Service]) -> Result<Vec<(Health, Activity)>> {
        let seed = self.plane.keys().relayna();
        let mut all = pipe();
        for id in services.iter().filter_map(|own| ServiceId::parse(&own.service_id).ok()) {
            all.cmd("MGET").arg(&[
                seed.service_health(&id).as_str(),
                seed.service_latest_status(&id).as_str(),
                seed.service_latest_observation(&id).as_str(),
                seed.service_latest_ingested(&id).as_str(),
            ]);
        }
        type Row = (Option<Vec<u8>>, Option<String>, Option<String>, Option<String>);
        let rows: Vec<Row> = self.plane.store().pipeline(&all).await?;
        let read = |(service, (health, status, observation, ingested)): (&Service, Row)| {
            let activity = Activity {
                latest_status_event_at: status,
                latest_observation_event_at: observation,
                latest_ingested_at: ingested,
            };
            (Health::read(&service.service_id, health.as_deref()), activity)
        };
        Ok(services.iter().zip(rows).map(read).collect())
    }
}
