//! The field reader all requests share: takes fields out of a JSON object and collects what is
//! wrong with them, in the words clients know.

use serde_json::{Map, Value};

use super::Problems;

/// What a text must satisfy besides being one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Text {
    /// Fewest characters; 0 for no lower bound.
    pub(crate) min: usize,
    /// Most characters; 0 for no upper bound.
    pub(crate) max: usize,
    /// Whether the empty text has its own message.
    pub(crate) not_empty: bool,
}

impl Text {
    /// A text of at most `max` characters.
    pub(crate) const fn up_to(max: usize) -> Self {
        Self {
            min: 0,
            max,
            not_empty: false,
        }
    }
}

/// What a list of texts must satisfy.
#[derive(Clone, Copy)]
pub(crate) struct List {
    /// Most entries.
    pub(crate) most: usize,
    /// Most characters of an entry.
    pub(crate) longest: usize,
    /// Whether an entry has the right form.
    pub(crate) fits: fn(&str) -> bool,
    /// What is told when one has not.
    pub(crate) message: &'static str,
}

/// Reads the fields of one object and collects problems.
pub(crate) struct Reader<'a> {
    object: &'a Map<String, Value>,
    prefix: String,
    problems: Problems,
}

impl<'a> Reader<'a> {
    /// Starts reading; keys outside `known` are problems at once.
    pub(crate) fn new(object: &'a Map<String, Value>, known: &[&str]) -> Self {
        Self::nested(object, known, String::new())
    }

    fn nested(object: &'a Map<String, Value>, known: &[&str], prefix: String) -> Self {
        let problems = object
            .keys()
            .filter(|key| !known.contains(&key.as_str()))
            .map(|key| format!("{prefix}property {key} should not exist"))
            .collect();
        Self {
            object,
            prefix,
            problems,
        }
    }

    /// The request, or everything that was wrong with it.
    pub(crate) fn finish<T>(self, request: T) -> Result<T, Problems> {
        if self.problems.is_empty() {
            Ok(request)
        } else {
            Err(self.problems)
        }
    }

    /// The field as it came, `null` included.
    pub(crate) fn raw(&self, key: &str) -> Option<&'a Value> {
        self.object.get(key)
    }

    /// Notes a problem with a field; `rest` follows its name.
    pub(crate) fn problem(&mut self, key: &str, rest: &str) {
        self.problems.push(format!("{}{key} {rest}", self.prefix));
    }

    /// Notes a problem in words of its own.
    pub(crate) fn sentence(&mut self, text: &str) {
        self.problems.push(format!("{}{text}", self.prefix));
    }

    fn judge_text(&mut self, key: &str, value: Option<&Value>, rule: Text) -> Option<String> {
        let text = value.and_then(Value::as_str);
        let length = text.map(|text| text.chars().count());
        let before = self.problems.len();
        if rule.max > 0 && length.is_none_or(|length| length > rule.max) {
            self.problem(
                key,
                &format!("must be shorter than or equal to {} characters", rule.max),
            );
        }
        if rule.not_empty && length.is_none_or(|length| length == 0) {
            self.problem(key, "should not be empty");
        }
        if rule.min > 0 && length.is_none_or(|length| length < rule.min) {
            self.problem(
                key,
                &format!("must be longer than or equal to {} characters", rule.min),
            );
        }
        if text.is_none() {
            self.problem(key, "must be a string");
        }
        if self.problems.len() > before {
            return None;
        }
        text.map(str::to_owned)
    }

    /// A text that must be there.
    pub(crate) fn text(&mut self, key: &str, rule: Text) -> String {
        let value = self.raw(key);
        self.judge_text(key, value, rule).unwrap_or_default()
    }

    /// A text that may be absent (`None`) or `null` (`Some(None)`).
    pub(crate) fn text_or_null(&mut self, key: &str, rule: Text) -> Option<Option<String>> {
        match self.raw(key)? {
            Value::Null => Some(None),
            value => self.judge_text(key, Some(value), rule).map(Some),
        }
    }

    /// A text that may be absent; `null` counts as absent.
    pub(crate) fn optional_text(&mut self, key: &str, rule: Text) -> Option<String> {
        self.text_or_null(key, rule).flatten()
    }

    /// A mail address that must be there.
    pub(crate) fn email(&mut self, key: &str) -> String {
        let text = self.raw(key).and_then(Value::as_str);
        if let Some(text) = text.filter(|text| is_email(text)) {
            text.to_owned()
        } else {
            self.problem(key, "must be an email");
            String::new()
        }
    }

    /// A mail address that may be absent or `null`.
    pub(crate) fn email_or_null(&mut self, key: &str) -> Option<Option<String>> {
        match self.raw(key)? {
            Value::Null => Some(None),
            _ => Some(Some(self.email(key))),
        }
    }

    /// A UUID that must be there.
    pub(crate) fn uuid(&mut self, key: &str) -> String {
        let text = self.raw(key).and_then(Value::as_str);
        if let Some(text) = text.filter(|text| is_versioned_uuid(text)) {
            text.to_ascii_lowercase()
        } else {
            self.problem(key, "must be a UUID");
            String::new()
        }
    }

    /// A UUID that may be absent or `null`.
    pub(crate) fn uuid_or_null(&mut self, key: &str) -> Option<Option<String>> {
        match self.raw(key)? {
            Value::Null => Some(None),
            _ => Some(Some(self.uuid(key))),
        }
    }

    /// A UUID that may be absent; `null` counts as absent.
    pub(crate) fn optional_uuid(&mut self, key: &str) -> Option<String> {
        self.uuid_or_null(key).flatten()
    }

    /// A boolean that must be there.
    pub(crate) fn boolean(&mut self, key: &str) -> bool {
        let value = self.raw(key).and_then(Value::as_bool);
        if value.is_none() {
            self.problem(key, "must be a boolean value");
        }
        value.unwrap_or_default()
    }

    /// A boolean that may be absent; `null` counts as absent.
    pub(crate) fn optional_boolean(&mut self, key: &str) -> Option<bool> {
        match self.raw(key)? {
            Value::Null => None,
            _ => Some(self.boolean(key)),
        }
    }

    /// A whole number that may be absent; `null` counts as absent. In a query the digits come as
    /// text and are read as JavaScript's `Number` does.
    pub(crate) fn optional_integer(&mut self, key: &str, min: i64, max: i64) -> Option<i64> {
        let number = match self.raw(key)? {
            Value::Null => return None,
            Value::Number(number) => number.as_f64(),
            Value::String(text) => query_number(text),
            _ => None,
        };
        let before = self.problems.len();
        let whole = number.and_then(whole_number);
        let bounds = (bound(min), bound(max));
        let (low, high) = number.map_or((true, true), |number| {
            (number < bounds.0, number > bounds.1)
        });
        if high && max < i64::MAX {
            self.problem(key, &format!("must not be greater than {max}"));
        }
        if low {
            self.problem(key, &format!("must not be less than {min}"));
        }
        if whole.is_none() {
            self.problem(key, "must be an integer number");
        }
        if self.problems.len() > before {
            return None;
        }
        whole
    }

    /// A number that must be there.
    pub(crate) fn number(&mut self, key: &str) {
        if self.raw(key).and_then(Value::as_f64).is_none() {
            self.problem(
                key,
                "must be a number conforming to the specified constraints",
            );
        }
    }

    /// A number that may be absent or `null`.
    pub(crate) fn optional_number(&mut self, key: &str) {
        if self.raw(key).is_some_and(|value| !value.is_null()) {
            self.number(key);
        }
    }

    /// One of a fixed set of texts that must be there.
    pub(crate) fn choice(&mut self, key: &str, values: &[&str]) -> String {
        let text = self.raw(key).and_then(Value::as_str);
        if let Some(text) = text.filter(|text| values.contains(text)) {
            text.to_owned()
        } else {
            self.problem(
                key,
                &format!("must be one of the following values: {}", values.join(", ")),
            );
            String::new()
        }
    }

    /// One of a fixed set of texts that may be absent; `null` counts as absent.
    pub(crate) fn optional_choice(&mut self, key: &str, values: &[&str]) -> Option<String> {
        match self.raw(key)? {
            Value::Null => None,
            _ => Some(self.choice(key, values)),
        }
    }

    /// A list of texts that may be absent or `null`.
    pub(crate) fn texts_or_null(&mut self, key: &str, rule: List) -> Option<Option<Vec<String>>> {
        let value = self.raw(key)?;
        if value.is_null() {
            return Some(None);
        }
        let before = self.problems.len();
        let list = value.as_array();
        let entries = || list.into_iter().flatten().map(Value::as_str);
        if list.is_none() || entries().any(|entry| !entry.is_some_and(rule.fits)) {
            self.sentence(rule.message);
        }
        let short = |entry: &str| entry.chars().count() <= rule.longest;
        if list.is_none() || entries().any(|entry| !entry.is_some_and(short)) {
            self.sentence(&format!(
                "each value in {key} must be shorter than or equal to {} characters",
                rule.longest
            ));
        }
        if list.is_none() || entries().any(|entry| entry.is_none()) {
            self.sentence(&format!("each value in {key} must be a string"));
        }
        if list.is_none_or(|list| list.len() > rule.most) {
            let most = format!("must contain no more than {} elements", rule.most);
            self.problem(key, &most);
        }
        if list.is_none() {
            self.problem(key, "must be an array");
        }
        if self.problems.len() > before {
            return None;
        }
        Some(Some(entries().flatten().map(str::to_owned).collect()))
    }

    /// Reads a nested object that may be absent; `null` counts as absent.
    pub(crate) fn optional_object(
        &mut self,
        key: &str,
        known: &[&str],
        mut read: impl FnMut(&mut Reader<'_>),
    ) {
        match self.raw(key) {
            None | Some(Value::Null) => {}
            Some(Value::Object(object)) => {
                let mut inner = Reader::nested(object, known, format!("{}{key}.", self.prefix));
                read(&mut inner);
                self.problems.append(&mut inner.problems);
            }
            Some(_) => self.sentence(&format!(
                "nested property {key} must be either object or array"
            )),
        }
    }

    /// Checks a list of objects that may be absent or `null` and gives it back as it came.
    pub(crate) fn objects_or_null(
        &mut self,
        key: &str,
        most: usize,
        known: &[&str],
        mut read: impl FnMut(&mut Reader<'_>),
    ) -> Option<Option<Value>> {
        let value = self.raw(key)?;
        match value {
            Value::Null => return Some(None),
            Value::Array(list) => {
                if list.len() > most {
                    self.problem(key, &format!("must contain no more than {most} elements"));
                }
                for (place, item) in list.iter().take(most).enumerate() {
                    if let Value::Object(object) = item {
                        let prefix = format!("{}{key}.{place}.", self.prefix);
                        let mut inner = Reader::nested(object, known, prefix);
                        read(&mut inner);
                        self.problems.append(&mut inner.problems);
                    } else {
                        self.sentence(&format!(
                            "each value in nested property {key} must be either object or array"
                        ));
                    }
                }
            }
            _ => self.problem(key, "must be an array"),
        }
        Some(Some(value.clone()))
    }
}

/// The largest whole number every client can represent.
const SAFE: f64 = 9_007_199_254_740_991.0;

#[allow(
    clippy::cast_precision_loss,
    reason = "bounds are small numbers or the open end"
)]
fn bound(limit: i64) -> f64 {
    limit as f64
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "only whole numbers within the safe range are converted"
)]
fn whole_number(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && number.abs() <= SAFE).then_some(number as i64)
}

fn query_number(text: &str) -> Option<f64> {
    let text = text.trim();
    if text.is_empty() {
        return Some(0.0);
    }
    let plain =
        |byte: u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E');
    if !text.bytes().all(plain) {
        return None;
    }
    text.parse().ok()
}

/// Whether a text is a UUID whose version (1 to 8) and variant are valid, as bodies and queries
/// require (contract section 1, "Ids").
pub(crate) fn is_versioned_uuid(text: &str) -> bool {
    let place = |index: usize| text.as_bytes().get(index).copied();
    crate::ids::is_uuid(text)
        && matches!(place(14), Some(b'1'..=b'8'))
        && matches!(place(19), Some(b'8' | b'9' | b'a' | b'b' | b'A' | b'B'))
}

/// Whether a text has the form of a mail address: at most 254 characters, one `@`, a local part
/// of at most 64 characters and a dotted domain, no spaces.
pub(crate) fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else {
        return false;
    };
    let local_ok = (1..=64).contains(&local.len())
        && !local.starts_with('.')
        && !local.ends_with('.')
        && !local.contains("..")
        && local
            .chars()
            .all(|c| c.is_alphanumeric() || "!#$%&'*+-/=?^_`{|}~.".contains(c));
    let label_ok = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c.is_alphanumeric() || c == '-')
    };
    let top_ok = domain
        .rsplit_once('.')
        .is_some_and(|(_, top)| top.len() >= 2 && !top.chars().all(|c| c.is_ascii_digit()));
    text.len() <= 254 && local_ok && top_ok && domain.split('.').all(label_ok)
}

#[cfg(test)]
mod tests;
