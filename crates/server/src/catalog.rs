//! The tools this control plane can assemble: the contract's catalog, enlarged on request with
//! generated ones for measurements.

use contract::capabilities::ToolSource;
use contract::catalog::CATALOG;
use contract::rules::permissions::Flag;

/// One tool.
#[derive(Clone, Debug)]
pub struct CatalogEntry {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// Where it comes from.
    pub source: ToolSource,
    /// The flag without which it is never assembled.
    pub gated_by: Option<Flag>,
}

/// Most tools a catalog may be enlarged to.
pub(crate) const TOOLS_MAX: usize = 100_000;

/// The catalog with at least `wanted` tools; the contract's own ones come first.
pub(crate) fn catalog(wanted: usize) -> Vec<CatalogEntry> {
    let own = CATALOG.iter().map(|tool| CatalogEntry {
        name: tool.name.to_owned(),
        description: tool.description.to_owned(),
        source: tool.source.clone(),
        gated_by: tool.gated_by.clone(),
    });
    let generated = (CATALOG.len()..wanted.min(TOOLS_MAX)).map(|number| {
        let group = number % 40;
        CatalogEntry {
            name: format!("bench_{group:02}_tool_{number:05}"),
            description: format!(
                "Generated tool {number} of group {group}, there to measure long lists."
            ),
            source: match number % 3 {
                0 => ToolSource::Builtin,
                1 => ToolSource::Facade,
                _ => ToolSource::Domain,
            },
            gated_by: (number % 10 == 0).then_some(Flag::CanCallExternalTools),
        }
    });
    own.chain(generated).collect()
}
