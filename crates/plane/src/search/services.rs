//! Pages of services.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE;
use quorate_catalog::ids::ServiceId;
use quorate_store::{Arg, Result, cmd};
use serde_json::{Value, json};

use super::model::words;
use super::{LOOKS, MOST, Search, ServiceDocument, ServiceHit, ServicePage, ServiceQuery};
use crate::outcome::undecodable;
use crate::{Outcome, Refusal};

/// Longest beginning of a word that has a set.
const LONGEST: usize = 64;

impl Search<'_> {
    /// A page of services for which everything holds that is asked, by name.
    pub async fn services(&self, query: &ServiceQuery) -> Result<Outcome<ServicePage>> {
        let last = match query.cursor.as_deref().map(|text| (text, place(text))) {
            None => String::new(),
            Some((_, Some(place))) => place,
            Some((text, None)) => {
                return Ok(Outcome::Refused(Refusal::new("unknown_cursor", Some(text.to_owned()))));
            }
        };
        let (filters, beginnings) = (query.filters(), words(query.query.as_deref().unwrap_or_default()));
        let beginnings: Vec<String> = beginnings.take(16).collect();
        let mut found = self.named(&filters, &beginnings, &last, query.limit).await?;
        if let Outcome::Done((_, _, true)) = found
            && self.take_in_services().await? > 0
        {
            found = self.named(&filters, &beginnings, &last, query.limit).await?;
        }
        Ok(found.map(|(texts, next, _)| {
            let read = |text: &String| serde_json::from_str::<ServiceDocument>(text).ok();
            let items: Vec<ServiceHit> = texts
                .iter()
                .filter_map(read)
                .filter(|document| {
                    filters.iter().all(|(field, value)| document.field(field).contains(&value.as_str()))
                })
                .map(|document| {
                    let matched_fields =
                        if beginnings.is_empty() { vec![] } else { document.matched(&beginnings) };
                    ServiceHit { document, matched_fields }
                })
                // Relayna wants all the words in one field.
                .filter(|hit| beginnings.is_empty() || !hit.matched_fields.is_empty())
                .collect();
            ServicePage { count: items.len(), items, next_cursor: next }
        }))
    }

    async fn named(
        &self,
        filters: &[(&'static str, String)],
        beginnings: &[String],
        last: &str,
        limit: usize,
    ) -> Result<Outcome<(Vec<String>, Option<String>, bool)>> {
        let mut args = vec![
            Arg::from(self.index()),
            Arg::from(last),
            Arg::from(limit.clamp(1, MOST) as u64),
            Arg::from(LOOKS as u64),
            Arg::from(filters.len() as u64),
        ];
        args.extend(filters.iter().flat_map(|(field, value)| [Arg::from(*field), Arg::from(value.as_str())]));
        args.extend(beginnings.iter().map(|word| Arg::from(&word[..word.len().min(LONGEST)])));
        let reply = self.run(&self.plane.search_scripts().names, &args).await?;
        let words = match reply.expect("page")? {
            Outcome::Done(words) => words,
            Outcome::Refused(refusal) => return Ok(Outcome::Refused(refusal)),
        };
        let [lag, next, texts @ ..] = &words[..] else { return Err(undecodable("page")) };
        Ok(Outcome::Done((texts.to_vec(), cursor(next), !lag.is_empty())))
    }

    /// Lists by name the services that another client put into the seed's sets; how many that were.
    pub(super) async fn take_in_services(&self) -> Result<usize> {
        let all = self.plane.keys().relayna().service_documents();
        let count: usize = self.plane.store().query(cmd("SCARD").arg(all.as_str())).await?;
        if count > 10_000 {
            return Ok(0);
        }
        let ids: Vec<String> = self.plane.store().query(cmd("SMEMBERS").arg(all.as_str())).await?;
        let mut taken = 0;
        for id in ids.iter().filter_map(|id| ServiceId::parse(id).ok()) {
            let key = self.plane.keys().relayna().service_document(&id);
            let text: Option<Vec<u8>> = self.plane.store().query(cmd("GET").arg(key.as_str())).await?;
            let known = text.and_then(|text| serde_json::from_slice::<ServiceDocument>(&text).ok());
            let Some(document) = known else { continue };
            taken += usize::from(self.place(&id, &document).await?.refusal().is_none());
        }
        Ok(taken)
    }
}

/// The cursor that Relayna would give for a place among the names.
fn cursor(place: &str) -> Option<String> {
    let (name, id) = place.rsplit_once('\0')?;
    Some(URL_SAFE.encode(json!({ "name": name, "service_id": id }).to_string()))
}

fn place(cursor: &str) -> Option<String> {
    let fields: Value = serde_json::from_slice(&URL_SAFE.decode(cursor).ok()?).ok()?;
    let (name, id) = (fields["name"].as_str()?, fields["service_id"].as_str()?);
    Some(format!("{name}\0{}", ServiceId::parse(id).ok()?))
}
