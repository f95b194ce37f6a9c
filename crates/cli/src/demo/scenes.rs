//! The scenes. A new one is a file here, a line in [`all`], and what it makes begins with `demo-`.

mod chatter;
mod deadlock;
mod deploys;
mod fleet;
mod news;
mod releases;
mod reports;
mod services;
mod talk;
mod tasks;
mod work;

use super::Scene;

/// Every scene.
pub(crate) fn all() -> Vec<Box<dyn Scene>> {
    vec![
        Box::new(fleet::Fleet::new()),
        Box::new(deploys::Deploys::new()),
        Box::new(deadlock::Deadlock::new()),
        Box::new(work::Work::new()),
        Box::new(tasks::Tasks::default()),
        Box::new(releases::Releases::new()),
        Box::new(talk::Talk::new()),
        Box::new(chatter::Chatter),
        Box::new(news::News),
        Box::new(reports::Reports::new()),
        Box::new(services::Services::new()),
    ]
}

/// The scenes of these names, or which name there is not.
pub(crate) fn named(names: &[String]) -> Result<Vec<Box<dyn Scene>>, String> {
    if let Some(unknown) = names.iter().find(|name| !all().iter().any(|scene| scene.name() == **name)) {
        let known: Vec<String> =
            all().iter().map(|scene| format!("{} ({})", scene.name(), scene.about())).collect();
        return Err(format!("there is no scene \"{unknown}\"; there are: {}", known.join("; ")));
    }
    Ok(all()
        .into_iter()
        .filter(|scene| names.is_empty() || names.iter().any(|name| name == scene.name()))
        .collect())
}
