//! Trying a connection out, apart from the session it may have (contract section 7.2, `test`).

use super::client::{Target, open};
use super::listing::{Listing, tools};
use super::supervisor::Learned;
use super::{Failure, PROBE};

/// Opens a session, reads the tools and ends the session again.
pub(crate) async fn probe(target: &Target) -> Result<(Learned, Listing), Failure> {
    let (session, running) = open(target, PROBE).await?;
    let listing = tools(&session, PROBE).await;
    let learned = Learned::of(&session);
    // Ending may take a while for a program; nobody waits for it.
    tokio::spawn(running.cancel());
    Ok((learned, listing?))
}
