//! Accounts, sessions and API keys.

use contract::UserId;
use contract::auth::{
    API_KEYS_MAX, ApiKey, ApiKeyCreate, ApiKeyCreated, FreshProfile, Login, Profile, Register,
    SESSION_SECONDS, TokenResponse, TokenUser,
};

use super::{account, new_id};
use crate::clock::{self, from_iso, iso};
use crate::error::ApiError;
use crate::secrets::{fingerprint, new_api_key, new_token};
use crate::slugs::slug_or;
use crate::state::AppState;
use crate::store::users::{self, User};
use crate::store::{WriteTx, api_keys, is_duplicate, sessions};

/// Whether a new account would be accepted now: the first one always, others when the server
/// allows it.
pub async fn registration_is_open(state: &AppState) -> Result<bool, ApiError> {
    if state.settings.allow_registration {
        return Ok(true);
    }
    let mut reading = state.store.read().await?;
    Ok(users::first(&mut reading).await?.is_none())
}

/// Makes an account. `password` is a hash; without one the account signs in by link only.
pub async fn create(
    state: &AppState,
    username: &str,
    email: &str,
    password: Option<String>,
) -> Result<User, ApiError> {
    let mut writing = state.store.write().await?;
    let user = insert_user(state, &mut writing, username, email, password).await?;
    state.commit(writing).await?;
    Ok(user)
}

async fn insert_user(
    state: &AppState,
    writing: &mut WriteTx,
    username: &str,
    email: &str,
    password_hash: Option<String>,
) -> Result<User, ApiError> {
    if users::by_email(writing, email).await?.is_some() {
        return Err(ApiError::Conflict(
            "User with this email already exists".to_owned(),
        ));
    }
    if !state.settings.allow_registration && users::first(writing).await?.is_some() {
        return Err(registration_closed());
    }
    let id = new_id();
    let mut slug = slug_or(username, "user");
    if users::slug_taken(writing, &slug).await? {
        slug = format!("{slug}-{}", id.get(..8).unwrap_or_default());
    }
    let user = User {
        id,
        username: username.to_owned(),
        slug,
        email: email.to_owned(),
        password_hash,
        tenant_id: None,
        tenant_name: None,
        last_organization_id: None,
        created_at: clock::stamp(),
    };
    users::insert(writing, &user).await?;
    Ok(user)
}

fn registration_closed() -> ApiError {
    ApiError::Forbidden(
        "Registration is closed: this server already has its owner. Start it with --allow-registration to accept more accounts."
            .to_owned(),
    )
}

/// Makes an account and signs it in.
pub async fn register(state: &AppState, request: Register) -> Result<TokenResponse, ApiError> {
    // Checked before the costly hash, and once more inside the transaction.
    {
        let mut reading = state.store.read().await?;
        if users::by_email(&mut reading, &request.email)
            .await?
            .is_some()
        {
            return Err(ApiError::Conflict(
                "User with this email already exists".to_owned(),
            ));
        }
        if !state.settings.allow_registration && users::first(&mut reading).await?.is_some() {
            return Err(registration_closed());
        }
    }
    let hash = state.passwords.hash(request.password).await?;
    let mut writing = state.store.write().await?;
    let user = insert_user(
        state,
        &mut writing,
        &request.username,
        &request.email,
        Some(hash),
    )
    .await?;
    open_session(state, writing, &user).await
}

async fn open_session(
    state: &AppState,
    mut writing: WriteTx,
    user: &User,
) -> Result<TokenResponse, ApiError> {
    let token = new_token()?;
    let now = clock::now();
    sessions::insert(
        &mut writing,
        &fingerprint(&token),
        &UserId::from(user.id.as_str()),
        now,
        now + SESSION_SECONDS * 1000,
    )
    .await?;
    state.commit(writing).await?;
    Ok(TokenResponse {
        access_token: token,
        user: TokenUser {
            id: user.id.clone().into(),
            email: Some(user.email.clone()),
            username: Some(user.username.clone()),
        },
    })
}

/// Signs in by password. Five failures in a row lock the address for 15 minutes.
pub async fn login(state: &AppState, request: Login) -> Result<TokenResponse, ApiError> {
    let address = users::email_key(&request.email);
    if state.lockout.is_locked(&address, clock::now()) {
        return Err(ApiError::SignInRefused(
            "Account temporarily locked after too many failed sign-ins. Try again in 15 minutes."
                .to_owned(),
        ));
    }
    // Counted before the password is checked, so that attempts in parallel count too.
    state.lockout.failed(&address, clock::now());
    let found = {
        let mut reading = state.store.read().await?;
        users::by_email(&mut reading, &request.email).await?
    };
    let hash = found.as_ref().and_then(|user| user.password_hash.clone());
    let right = state.passwords.verify(request.password, hash).await?;
    let Some(user) = found.filter(|_| right) else {
        return Err(ApiError::SignInRefused(
            "Invalid email or password".to_owned(),
        ));
    };
    state.lockout.succeeded(&address);
    let writing = state.store.write().await?;
    open_session(state, writing, &user).await
}

/// Signs the first owner in with the one-time link.
pub async fn login_by_link(state: &AppState, token: &str) -> Result<TokenResponse, ApiError> {
    if !state.use_link(token) {
        return Err(ApiError::SignInRefused(
            "This sign-in link was used already, has expired or is not complete. Restart the server for a new one."
                .to_owned(),
        ));
    }
    let mut writing = state.store.write().await?;
    let owner = users::first(&mut writing)
        .await?
        .ok_or_else(|| ApiError::SignInRefused("There is no account yet.".to_owned()))?;
    open_session(state, writing, &owner).await
}

/// Ends one session.
pub async fn logout(state: &AppState, token_fingerprint: &str) -> Result<(), ApiError> {
    let mut writing = state.store.write().await?;
    sessions::delete(&mut writing, token_fingerprint).await?;
    writing.note_revocation();
    state.commit(writing).await
}

/// Ends all sessions of an account.
pub async fn logout_all(state: &AppState, user: &UserId) -> Result<(), ApiError> {
    let mut writing = state.store.write().await?;
    sessions::delete_all(&mut writing, user).await?;
    writing.note_revocation();
    state.commit(writing).await
}

/// The profile as the reference answers it; `by_session` tells sessions from API keys.
pub async fn profile(
    state: &AppState,
    user: &UserId,
    by_session: bool,
) -> Result<Profile, ApiError> {
    let mut reading = state.store.read().await?;
    let user = account(&mut reading, user).await?;
    Ok(Profile {
        user_id: user.id.clone().into(),
        id: user.id.into(),
        email: Some(user.email),
        username: Some(user.username),
        provider: Some("local".to_owned()),
        email_verified: false,
        is_active: true,
        avatar: None,
        is_anonymous: by_session.then_some(false),
    })
}

/// The profile with tenant and organization.
pub async fn fresh_profile(state: &AppState, user: &UserId) -> Result<FreshProfile, ApiError> {
    let mut reading = state.store.read().await?;
    let user = account(&mut reading, user).await?;
    Ok(FreshProfile {
        id: user.id.into(),
        username: Some(user.username),
        slug: Some(user.slug),
        email: Some(user.email),
        tenant_id: user.tenant_id.map(Into::into),
        tenant_name: user.tenant_name,
        last_scope_organization_id: user.last_organization_id.map(Into::into),
        created_at: Some(iso(user.created_at)),
    })
}

/// All API keys of an account, newest first.
pub async fn list_keys(state: &AppState, user: &UserId) -> Result<Vec<ApiKey>, ApiError> {
    let now = clock::now();
    let mut reading = state.store.read().await?;
    let keys = api_keys::list(&mut reading, user).await?;
    Ok(keys
        .into_iter()
        .map(|key| ApiKey {
            is_active: key.expires_at.is_none_or(|end| end > now),
            id: key.id,
            name: key.name,
            prefix: key.prefix,
            expires_at: key.expires_at.map(iso),
            last_used_at: key.last_used_at.map(iso),
            created_at: iso(key.created_at),
        })
        .collect())
}

/// Makes an API key, at most ten per account.
pub async fn create_key(
    state: &AppState,
    user: &UserId,
    request: ApiKeyCreate,
) -> Result<ApiKeyCreated, ApiError> {
    let expires_at = match request.expires_at.as_deref() {
        None => None,
        Some(text) => Some(
            from_iso(text)
                .ok_or_else(|| {
                    ApiError::Problems(vec![
                        "expiresAt must be a valid ISO 8601 date string".to_owned(),
                    ])
                })
                .and_then(|end| {
                    if end > clock::now() {
                        Ok(end)
                    } else {
                        Err(ApiError::BadRequest(
                            "Expiration date must be in the future".to_owned(),
                        ))
                    }
                })?,
        ),
    };
    let secret = new_api_key()?;
    let key = api_keys::StoredKey {
        id: new_id(),
        name: request.name,
        prefix: secret.chars().take(12).collect(),
        expires_at,
        last_used_at: None,
        created_at: clock::stamp(),
    };
    let mut writing = state.store.write().await?;
    if usize::try_from(api_keys::number(&mut writing, user).await?)
        .is_ok_and(|number| number >= API_KEYS_MAX)
    {
        return Err(ApiError::BadRequest(format!(
            "Maximum of {API_KEYS_MAX} API keys allowed per user"
        )));
    }
    let stored = api_keys::insert(&mut writing, user, &key, &fingerprint(&secret)).await;
    if stored.as_ref().is_err_and(is_duplicate) {
        return Err(ApiError::internal("a random key came up twice"));
    }
    stored?;
    state.commit(writing).await?;
    Ok(ApiKeyCreated {
        id: key.id,
        name: key.name,
        key: secret,
        prefix: key.prefix,
        expires_at: key.expires_at.map(iso),
        created_at: iso(key.created_at),
    })
}

/// Deletes an API key; it stops working at once.
pub async fn delete_key(state: &AppState, user: &UserId, id: &str) -> Result<(), ApiError> {
    let mut writing = state.store.write().await?;
    if !api_keys::delete(&mut writing, user, id).await? {
        return Err(ApiError::NotFound("API key not found".to_owned()));
    }
    writing.note_revocation();
    state.commit(writing).await
}
