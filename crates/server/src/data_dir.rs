//! The data directory: made for its owner only, and used by one server at a time.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

/// A data directory that this process holds the lock of, until the value is dropped.
#[derive(Debug)]
pub struct DataDir {
    database: PathBuf,
    _lock: File,
}

/// Why a data directory cannot be used.
#[derive(Debug)]
pub enum DataDirError {
    /// Another server runs on it.
    InUse(PathBuf),
    /// The file system refused.
    Io(PathBuf, std::io::Error),
}

impl std::fmt::Display for DataDirError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::InUse(path) => write!(
                formatter,
                "another remit server is already running on the data directory `{}`; stop it, or choose another directory with --data",
                path.display()
            ),
            Self::Io(path, error) => write!(
                formatter,
                "the data directory `{}` cannot be used: {error}",
                path.display()
            ),
        }
    }
}

impl std::error::Error for DataDirError {}

impl DataDir {
    /// Makes the directory where it is missing (mode 0700), takes its lock and makes sure that
    /// the database file exists (mode 0600; `SQLite` gives its side files the same mode).
    pub fn open(path: &Path) -> Result<Self, DataDirError> {
        let failed = |error| DataDirError::Io(path.to_owned(), error);
        create_dir(path).map_err(failed)?;
        let lock = open_private(&path.join("remit.lock")).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(DataDirError::InUse(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let database = path.join("remit.db");
        open_private(&database).map_err(failed)?;
        Ok(Self {
            database,
            _lock: lock,
        })
    }

    /// The database file.
    pub fn database(&self) -> &Path {
        &self.database
    }
}

fn create_dir(path: &Path) -> std::io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(path)
}

fn open_private(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)
}
