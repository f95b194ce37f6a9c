//! `quorate mcp`: the tools over standard input and output, for a program that starts us itself.

use quorate_plane::Plane;
use quorate_plane::tokens::Caller;
use rmcp::ServiceExt;

use super::Mcp;
use crate::app::App;

/// Serves one client until it hangs up.
pub async fn serve(plane: Plane, caller: Caller) -> Result<(), String> {
    let mcp = Mcp::new(App::new(plane, false), Some(caller));
    let running = mcp.serve(rmcp::transport::stdio()).await.map_err(|error| error.to_string())?;
    running.waiting().await.map(drop).map_err(|error| error.to_string())
}
