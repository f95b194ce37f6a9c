//! How this process sends mail: what its environment says.

use quorate_plane::Plane;
use quorate_plane::notices::Post;

use crate::failure::Failure;

/// Whether what is said makes sense, before anything is started.
pub(crate) fn check() -> Result<(), Failure> {
    post().map(drop)
}

/// The plane with a way to send mail, if one is set.
pub(crate) fn telling(plane: Plane) -> Result<Plane, Failure> {
    Ok(plane.telling(post()?))
}

fn post() -> Result<Post, Failure> {
    Post::read(|name| std::env::var(name).ok()).map_err(Failure::bad_input)
}
