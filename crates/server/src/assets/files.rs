//! The files of a dashboard build in memory: where they come from, their encodings, types and
//! how long a browser may keep them.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::{fs, io};

use axum::body::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use super::negotiate::Accepted;

/// Name of the page that every address of the application gets.
pub(super) const INDEX: &str = "index.html";

/// The build that `build.rs` found; empty in a debug build.
const EMBEDDED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/dashboard.rs"));

/// Smallest file worth compressing, in bytes.
const SMALLEST: usize = 256;

/// One way to send a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Identity,
    Gzip,
    Brotli,
}

impl Encoding {
    /// Value of `Content-Encoding`; none for the plain file.
    pub(super) fn header(self) -> Option<&'static str> {
        match self {
            Self::Identity => None,
            Self::Gzip => Some("gzip"),
            Self::Brotli => Some("br"),
        }
    }
}

/// One file with the encodings it can be sent in.
#[derive(Clone, Debug)]
pub(super) struct Asset {
    plain: Bytes,
    gzip: Option<Bytes>,
    brotli: Option<Bytes>,
    content_type: &'static str,
    immutable: bool,
    /// The first 16 bytes of the content's SHA-256 in hex.
    digest: String,
}

impl Asset {
    fn new(name: &str, plain: Bytes, gzip: Option<Bytes>, brotli: Option<Bytes>) -> Self {
        let digest =
            Sha256::digest(&plain)
                .iter()
                .take(16)
                .fold(String::new(), |mut text, byte| {
                    // Writing to a String cannot fail.
                    let _ = write!(text, "{byte:02x}");
                    text
                });
        let content_type = content_type(name);
        let gzip = gzip.or_else(|| {
            if is_text(content_type) {
                compress(&plain)
            } else {
                None
            }
        });
        Self {
            plain,
            gzip,
            brotli,
            content_type,
            immutable: is_hashed(name),
            digest,
        }
    }

    /// The smallest form the client accepts. The plain form is always acceptable: a client that
    /// refuses every form gets it rather than nothing.
    pub(super) fn choose(&self, accepted: Accepted) -> (Encoding, Bytes) {
        match (&self.brotli, &self.gzip) {
            (Some(bytes), _) if accepted.brotli => (Encoding::Brotli, bytes.clone()),
            (_, Some(bytes)) if accepted.gzip => (Encoding::Gzip, bytes.clone()),
            _ => (Encoding::Identity, self.plain.clone()),
        }
    }

    /// Validator of one form: forms differ byte by byte, so their validators do too.
    pub(super) fn etag(&self, encoding: Encoding) -> String {
        match encoding.header() {
            Some(name) => format!("\"{}-{name}\"", self.digest),
            None => format!("\"{}\"", self.digest),
        }
    }

    pub(super) fn content_type(&self) -> &'static str {
        self.content_type
    }

    /// A file whose name carries its content's hash never changes; all others are asked for again
    /// each time, which costs a 304.
    pub(super) fn cache_control(&self) -> &'static str {
        if self.immutable {
            "public, max-age=31536000, immutable"
        } else {
            "no-cache"
        }
    }
}

/// A dashboard build, ready to be served.
#[derive(Clone, Debug, Default)]
pub struct Assets {
    files: HashMap<String, Asset>,
}

impl Assets {
    /// The build inside this binary. Empty in a debug build, and in a release build that was made
    /// before the dashboard's.
    pub fn embedded() -> Self {
        Self::from_files(
            EMBEDDED
                .iter()
                .map(|(name, bytes)| ((*name).to_owned(), Bytes::from_static(bytes))),
        )
    }

    /// The build in a folder, read once. Compressed copies beside a file (`.br`, `.gz`) are used;
    /// where they are missing, gzip is made here.
    ///
    /// # Errors
    /// When the folder or one of its files cannot be read, or when it has no `index.html`.
    pub fn from_dir(folder: &Path) -> io::Result<Self> {
        let mut files = Vec::new();
        read(folder, "", &mut files)?;
        let assets = Self::from_files(files);
        if assets.is_empty() {
            return Err(io::Error::new(
                io::ErrorKind::NotFound,
                format!("no {INDEX} in {}", folder.display()),
            ));
        }
        Ok(assets)
    }

    /// A build from names (relative, `/` between parts) and contents.
    pub fn from_files(files: impl IntoIterator<Item = (String, Bytes)>) -> Self {
        let mut contents: HashMap<String, Bytes> = files.into_iter().collect();
        let is_copy = |name: &str| matches!(name.rsplit_once('.'), Some((_, "br" | "gz")));
        let names: Vec<String> = contents
            .keys()
            .filter(|name| !is_copy(name))
            .cloned()
            .collect();
        let mut assets = HashMap::new();
        for name in names {
            let brotli = contents.remove(&format!("{name}.br"));
            let gzip = contents.remove(&format!("{name}.gz"));
            if let Some(plain) = contents.remove(&name) {
                let asset = Asset::new(&name, plain, gzip, brotli);
                assets.insert(name, asset);
            }
        }
        Self { files: assets }
    }

    /// Whether there is no dashboard to serve.
    pub fn is_empty(&self) -> bool {
        !self.files.contains_key(INDEX)
    }

    pub(super) fn get(&self, name: &str) -> Option<&Asset> {
        self.files.get(name)
    }

    /// The same build for a server mounted under `base`: trunk writes every address of the page
    /// as `="/…"`, and only the page names other files by absolute address.
    pub(super) fn under(mut self, base: &str) -> Self {
        if base != "/"
            && let Some(index) = self.files.get(INDEX)
            && let Ok(text) = std::str::from_utf8(&index.plain)
        {
            let moved = text.replace("=\"/", &format!("=\"{base}"));
            self.files.insert(
                INDEX.to_owned(),
                Asset::new(INDEX, Bytes::from(moved), None, None),
            );
        }
        self
    }
}

fn read(folder: &Path, prefix: &str, files: &mut Vec<(String, Bytes)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            read(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.push((name, Bytes::from(fs::read(entry.path())?)));
        }
    }
    Ok(())
}

fn compress(plain: &[u8]) -> Option<Bytes> {
    if plain.len() < SMALLEST {
        return None;
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(plain).ok()?;
    encoder.finish().ok().map(Bytes::from)
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "svg" => "image/svg+xml",
        "txt" => "text/plain; charset=utf-8",
        "wasm" => "application/wasm",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

/// Whether files of this type shrink.
fn is_text(content_type: &str) -> bool {
    content_type.starts_with("text/")
        || matches!(
            content_type,
            "application/json" | "application/wasm" | "image/svg+xml"
        )
}

/// Whether trunk put a hash of the content into the name: `boot-917254163c55fc76.js`,
/// `remit-dashboard-4d79204f15ab2d70_bg.wasm`. It drops leading zeros, so the length varies.
fn is_hashed(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    let stem = file.split('.').next().unwrap_or(file);
    let stem = stem.strip_suffix("_bg").unwrap_or(stem);
    stem.rsplit_once('-').is_some_and(|(_, hash)| {
        (10..=16).contains(&hash.len())
            && hash
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    })
}

#[cfg(test)]
mod tests {
    use super::is_hashed;

    #[test]
    fn only_names_that_end_in_a_hash_are_kept_for_ever() {
        for name in [
            "boot-917254163c55fc76.js",
            "remit-dashboard-4d79204f15ab2d70_bg.wasm",
            "favicon-f260544c08237c9.svg",
        ] {
            assert!(is_hashed(name), "{name}");
        }
        for name in [
            "index.html",
            "boot.js",
            "snippets/a-917254163c55fc76/inline0.js",
            "well-feeded.js",
            "remit-dashboard_bg.wasm",
        ] {
            assert!(!is_hashed(name), "{name}");
        }
    }
}
