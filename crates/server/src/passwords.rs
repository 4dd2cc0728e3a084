//! Password hashing with Argon2id, off the request threads and one at a time: a hash takes 19 MiB
//! and tens of milliseconds on purpose. The memory is kept for the next hash, so that however
//! many sign-ins come, the server does not grow.

use std::sync::Arc;

use argon2::password_hash::{Output, PasswordHash, Salt, SaltString};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use tokio::sync::Mutex;

use crate::error::ApiError;

/// Checked when there is no account or no password, so that the answer takes as long. No password
/// is known to have this hash.
const DECOY: &str = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdCBvZiBhIGRlY295$mDfkOHYbWZ7Vq5o0cJH2uT1sLxN8gRiEaPwK4vQeB3I";
/// Bytes of a stored hash.
const HASH_BYTES: usize = Params::DEFAULT_OUTPUT_LEN;

/// Hashes and checks passwords.
#[derive(Default)]
pub struct Passwords {
    memory: Arc<Mutex<Vec<Block>>>,
}

impl Passwords {
    /// The hash to store.
    pub(crate) async fn hash(&self, password: String) -> Result<String, ApiError> {
        self.work(move |memory| {
            let mut salt = [0_u8; Salt::RECOMMENDED_LENGTH];
            getrandom::fill(&mut salt).map_err(ApiError::internal)?;
            let encoded = SaltString::encode_b64(&salt).map_err(ApiError::internal)?;
            let params = Params::default();
            let (m, t, p) = (params.m_cost(), params.t_cost(), params.p_cost());
            let output = compute(memory, password.as_bytes(), &salt, params)?;
            Ok(format!(
                "$argon2id$v=19$m={m},t={t},p={p}${encoded}${output}"
            ))
        })
        .await
    }

    /// Whether a password belongs to a stored hash. Without a hash the answer is no, after the
    /// same work.
    pub(crate) async fn verify(
        &self,
        password: String,
        stored: Option<String>,
    ) -> Result<bool, ApiError> {
        let known = stored.is_some();
        let stored = stored.unwrap_or_else(|| DECOY.to_owned());
        let matches = self
            .work(move |memory| {
                let parsed = PasswordHash::new(&stored).map_err(ApiError::internal)?;
                let params = Params::try_from(&parsed).map_err(ApiError::internal)?;
                let mut buffer = [0_u8; Salt::MAX_LENGTH];
                let salt = parsed
                    .salt
                    .ok_or_else(|| ApiError::internal("a stored hash has no salt"))?
                    .decode_b64(&mut buffer)
                    .map_err(ApiError::internal)?;
                let output = compute(memory, password.as_bytes(), salt, params)?;
                // `Output` compares in constant time.
                Ok(parsed.hash == Some(output))
            })
            .await?;
        Ok(matches && known)
    }

    /// Runs one piece of hashing on a thread that may be busy, with the shared memory.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Vec<Block>) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let mut memory = Arc::clone(&self.memory).lock_owned().await;
        tokio::task::spawn_blocking(move || work(&mut memory))
            .await
            .map_err(ApiError::internal)?
    }
}

fn compute(
    memory: &mut Vec<Block>,
    password: &[u8],
    salt: &[u8],
    params: Params,
) -> Result<Output, ApiError> {
    let blocks = params.block_count();
    if memory.len() < blocks {
        memory.resize(blocks, Block::default());
    }
    let argon = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    Output::init_with(HASH_BYTES, |output| {
        argon
            .hash_password_into_with_memory(password, salt, output, memory.as_mut_slice())
            .map_err(argon2::password_hash::Error::from)
    })
    .map_err(ApiError::internal)
}

#[cfg(test)]
mod tests {
    use argon2::password_hash::PasswordVerifier;

    use super::*;

    #[tokio::test]
    async fn a_hash_belongs_to_its_password_only() {
        let passwords = Passwords::default();
        let hash = passwords.hash("lantern 7".to_owned()).await.unwrap();
        let verify = |password: &str| passwords.verify(password.to_owned(), Some(hash.clone()));
        assert!(verify("lantern 7").await.unwrap());
        assert!(!verify("lantern 8").await.unwrap());
        assert!(
            !passwords
                .verify("lantern 7".to_owned(), None)
                .await
                .unwrap()
        );
        let again = passwords.hash("lantern 7".to_owned()).await.unwrap();
        assert_ne!(hash, again, "salts differ");
    }

    #[tokio::test]
    async fn the_stored_form_is_the_usual_one() {
        let hash = Passwords::default()
            .hash("lantern 7".to_owned())
            .await
            .unwrap();
        let parsed = PasswordHash::new(&hash).unwrap();
        assert!(
            Argon2::default()
                .verify_password(b"lantern 7", &parsed)
                .is_ok()
        );
        assert!(PasswordHash::new(DECOY).is_ok());
    }
}
