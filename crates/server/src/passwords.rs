//! Password hashing with Argon2id, off the request threads and a few at a time: each hash takes
//! 19 MiB of memory and tens of milliseconds on purpose.

use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use argon2::{Argon2, Params, Version};
use tokio::sync::Semaphore;

use crate::error::ApiError;

/// Hashes and checks passwords.
pub struct Passwords {
    permits: Semaphore,
    /// Checked when there is no account or no password, so that the answer takes as long.
    decoy: String,
}

fn argon() -> Argon2<'static> {
    Argon2::new(
        argon2::Algorithm::Argon2id,
        Version::V0x13,
        Params::default(),
    )
}

fn hash_now(password: &str) -> Result<String, ApiError> {
    let mut salt = [0_u8; 16];
    getrandom::fill(&mut salt).map_err(ApiError::internal)?;
    let salt = SaltString::encode_b64(&salt).map_err(ApiError::internal)?;
    let hash = argon()
        .hash_password(password.as_bytes(), &salt)
        .map_err(ApiError::internal)?;
    Ok(hash.to_string())
}

impl Passwords {
    /// Prepares hashing, at most `concurrent` hashes at a time.
    pub fn new(concurrent: usize) -> Result<Self, ApiError> {
        Ok(Self {
            permits: Semaphore::new(concurrent),
            decoy: hash_now("no account has this password")?,
        })
    }

    /// The hash to store.
    pub async fn hash(&self, password: String) -> Result<String, ApiError> {
        let _permit = self.permits.acquire().await.map_err(ApiError::internal)?;
        tokio::task::spawn_blocking(move || hash_now(&password))
            .await
            .map_err(ApiError::internal)?
    }

    /// Whether a password belongs to a stored hash. Without a hash the answer is no, after the
    /// same work.
    pub async fn verify(&self, password: String, stored: Option<String>) -> Result<bool, ApiError> {
        let _permit = self.permits.acquire().await.map_err(ApiError::internal)?;
        let known = stored.is_some();
        let hash = stored.unwrap_or_else(|| self.decoy.clone());
        let matches = tokio::task::spawn_blocking(move || {
            PasswordHash::new(&hash).map(|parsed| {
                argon()
                    .verify_password(password.as_bytes(), &parsed)
                    .is_ok()
            })
        })
        .await
        .map_err(ApiError::internal)?
        .map_err(ApiError::internal)?;
        Ok(matches && known)
    }
}
