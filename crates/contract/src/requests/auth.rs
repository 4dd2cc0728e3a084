//! Requests of the sign-in endpoints (contract section 2.3).

use serde_json::{Map, Value};

use super::Problems;
use super::reader::{Reader, Text};
use crate::auth::{ApiKeyCreate, LinkLogin, Login, Register};

/// Fewest and most characters of a user name.
pub const USERNAME_MIN: usize = 3;
/// Most characters of a user name.
pub const USERNAME_MAX: usize = 80;
/// Fewest characters of a password.
pub const PASSWORD_MIN: usize = 8;
/// Most characters of a password; bounds the work of hashing it.
pub const PASSWORD_MAX: usize = 256;
/// Most characters of an API key's name.
pub const API_KEY_NAME_MAX: usize = 100;
/// Most terms documents a registration may list.
const TERMS_MAX: usize = 20;

/// Whether a password is acceptable: 8 characters or more with a lower-case letter and a digit or
/// a special character (contract section 2.3).
pub fn is_strong_password(password: &str) -> bool {
    password.chars().count() >= PASSWORD_MIN
        && password.chars().any(|c| c.is_ascii_lowercase())
        && password
            .chars()
            .any(|c| c.is_ascii_digit() || !(c.is_alphanumeric() || c.is_whitespace()))
}

/// Reads the body of `POST /api/auth/register`. `emailVerificationCallbackUrl` and `terms` are
/// checked and then ignored: this control plane neither mails nor keeps terms.
pub fn register(body: &Map<String, Value>) -> Result<Register, Problems> {
    let mut fields = Reader::new(
        body,
        &[
            "username",
            "email",
            "password",
            "emailVerificationCallbackUrl",
            "terms",
        ],
    );
    let username = fields.text(
        "username",
        Text {
            min: USERNAME_MIN,
            ..Text::default()
        },
    );
    if username.chars().count() > USERNAME_MAX {
        fields.problem(
            "username",
            &format!("must be shorter than or equal to {USERNAME_MAX} characters"),
        );
    }
    let email = fields.email("email");
    let given = fields.raw("password").and_then(Value::as_str);
    if !given.is_some_and(is_strong_password) {
        fields.sentence(
            "Password must be at least 8 chars and contain at least 1 lowercase letter and 1 number or special character",
        );
    }
    if given.is_some_and(|text| text.chars().count() > PASSWORD_MAX) {
        fields.problem(
            "password",
            &format!("must be shorter than or equal to {PASSWORD_MAX} characters"),
        );
    }
    let password = fields.text(
        "password",
        Text {
            min: PASSWORD_MIN,
            ..Text::default()
        },
    );
    fields.optional_text("emailVerificationCallbackUrl", Text::up_to(2048));
    fields.objects_or_null(
        "terms",
        TERMS_MAX,
        &["documentId", "version", "sha256", "locale"],
        |term| {
            for key in ["documentId", "version", "sha256", "locale"] {
                term.text(key, Text::up_to(200));
            }
        },
    );
    fields.finish(Register {
        username,
        email,
        password,
    })
}

/// Reads the body of `POST /api/auth/login`.
pub fn login(body: &Map<String, Value>) -> Result<Login, Problems> {
    let mut fields = Reader::new(body, &["email", "password"]);
    let email = fields.email("email");
    let password = fields.text(
        "password",
        Text {
            not_empty: true,
            ..Text::default()
        },
    );
    if password.chars().count() > PASSWORD_MAX {
        fields.problem(
            "password",
            &format!("must be shorter than or equal to {PASSWORD_MAX} characters"),
        );
    }
    fields.finish(Login { email, password })
}

/// Reads the body of `POST /api/auth/link` (Remit only).
pub fn link(body: &Map<String, Value>) -> Result<LinkLogin, Problems> {
    let mut fields = Reader::new(body, &["token"]);
    let token = fields.text(
        "token",
        Text {
            not_empty: true,
            ..Text::up_to(200)
        },
    );
    fields.finish(LinkLogin { token })
}

/// Reads the body of `POST /api/auth/api-keys`. That `expiresAt` lies in the future is for the
/// caller to check, who has a clock.
pub fn api_key(body: &Map<String, Value>) -> Result<ApiKeyCreate, Problems> {
    let mut fields = Reader::new(body, &["name", "expiresAt"]);
    let name = fields.text(
        "name",
        Text {
            not_empty: true,
            ..Text::up_to(API_KEY_NAME_MAX)
        },
    );
    let expires_at = match fields.raw("expiresAt") {
        None | Some(Value::Null) => None,
        Some(value) => {
            let text = value.as_str().filter(|text| looks_like_date(text));
            if text.is_none() {
                fields.problem("expiresAt", "must be a valid ISO 8601 date string");
            }
            text.map(str::to_owned)
        }
    };
    fields.finish(ApiKeyCreate { name, expires_at })
}

/// Whether a text begins like an ISO-8601 date, `YYYY-MM-DD`, optionally followed by a time.
fn looks_like_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digit = |place: usize| bytes.get(place).is_some_and(u8::is_ascii_digit);
    text.len() <= 40
        && [0, 1, 2, 3, 5, 6, 8, 9].into_iter().all(digit)
        && [4, 7]
            .into_iter()
            .all(|place| bytes.get(place) == Some(&b'-'))
        && matches!(bytes.get(10), None | Some(b'T' | b't' | b' '))
}
