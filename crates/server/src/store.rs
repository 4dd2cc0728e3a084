//! Everything that is written in SQL. The functions of the submodules work on a connection that
//! belongs to a read or a write transaction; what the control plane does with them is decided
//! elsewhere.
//!
//! One process owns the database file. Writes go through a single connection, so they never wait
//! for each other inside `SQLite`; reads see the last committed state and are never blocked.

pub mod activity;
pub mod agents;
pub mod api_keys;
pub mod connections;
pub mod environments;
pub mod grants;
pub mod mcp_overrides;
pub mod organizations;
pub mod repositories;
pub mod sessions;
pub mod users;
pub mod works;

use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::time::Duration;

use contract::UserId;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Sqlite, SqliteConnection, SqlitePool, Transaction};

/// A connection inside a transaction.
pub type Connection = SqliteConnection;

/// Why the store could not answer.
pub type StoreError = sqlx::Error;

static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("./migrations");

/// How long a statement waits for a lock held by another process, such as a backup tool.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
const READERS: u32 = 4;

/// The database.
#[derive(Clone, Debug)]
pub struct Store {
    writer: SqlitePool,
    readers: SqlitePool,
}

/// A read transaction: one consistent snapshot.
pub struct ReadTx(Transaction<'static, Sqlite>);

impl Deref for ReadTx {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.0
    }
}

impl DerefMut for ReadTx {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.0
    }
}

/// A write transaction. Dropped without [`WriteTx::commit`] it leaves no trace.
pub struct WriteTx {
    transaction: Transaction<'static, Sqlite>,
    changed: Option<(UserId, u64)>,
    revokes: bool,
}

impl WriteTx {
    /// Notes that sessions or keys end with this transaction.
    pub fn note_revocation(&mut self) {
        self.revokes = true;
    }

    /// Notes the account whose data changes and the number of that change.
    pub(crate) fn note_change(&mut self, user: UserId, sequence: u64) {
        self.changed = Some((user, sequence));
    }

    /// Makes the writes durable and says what they touched.
    pub(crate) async fn commit(self) -> Result<Committed, StoreError> {
        self.transaction.commit().await?;
        Ok(Committed {
            changed: self.changed,
            revokes: self.revokes,
        })
    }
}

/// What a committed transaction touched.
pub(crate) struct Committed {
    /// The account and the number of its latest change.
    pub(crate) changed: Option<(UserId, u64)>,
    /// Whether sessions or keys ended.
    pub(crate) revokes: bool,
}

impl Deref for WriteTx {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.transaction
    }
}

impl DerefMut for WriteTx {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.transaction
    }
}

impl Store {
    /// Opens the database file, which must exist (it may be empty), and brings its schema up to
    /// date. The caller holds the lock of the data directory.
    pub async fn open(file: &Path) -> Result<Self, StoreError> {
        // FULL: a commit is on disk before it is acknowledged, even in WAL mode.
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(false)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(BUSY_TIMEOUT);
        let writer = SqlitePoolOptions::new()
            .max_connections(1)
            .idle_timeout(None)
            .max_lifetime(None)
            .connect_with(options.clone())
            .await?;
        MIGRATIONS.run(&writer).await?;
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .idle_timeout(None)
            .max_lifetime(None)
            .connect_with(options.pragma("query_only", "ON"))
            .await?;
        Ok(Self { writer, readers })
    }

    /// Starts reading.
    pub async fn read(&self) -> Result<ReadTx, StoreError> {
        self.readers.begin().await.map(ReadTx)
    }

    /// Starts writing; waits for the writer before it.
    pub async fn write(&self) -> Result<WriteTx, StoreError> {
        let transaction = self.writer.begin_with("BEGIN IMMEDIATE").await?;
        Ok(WriteTx {
            transaction,
            changed: None,
            revokes: false,
        })
    }

    /// Closes all connections after their current statement.
    pub async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}

/// Whether a write failed because a row with the same unique columns exists.
pub fn is_duplicate(error: &StoreError) -> bool {
    error
        .as_database_error()
        .is_some_and(sqlx::error::DatabaseError::is_unique_violation)
}

/// Reads a JSON column.
pub(crate) fn from_json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Decode(error.into()))
}

/// Writes a JSON column.
pub(crate) fn to_json<T: serde::Serialize>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Encode(error.into()))
}

/// A counter column as an unsigned number.
pub(crate) fn count(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}
