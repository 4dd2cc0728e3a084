//! Requests about environments (contract section 9).

use serde_json::{Map, Value};

use super::Problems;
use super::reader::{List, Reader, Text};
use crate::environments::{EnvironmentCreate, EnvironmentPatch, EnvironmentStatus, NetworkingMode};
use crate::rules::packages::{
    HOST_MAX, HOST_MESSAGE, HOSTS_MAX, NPM_MESSAGE, PACKAGE_MAX, PACKAGES_MAX, PIP_MESSAGE,
    host_refusal, is_host_pattern, is_npm_spec, is_pip_requirement,
};

/// Most characters of an environment's name.
pub const NAME_MAX: usize = 120;
/// Most characters of its description.
pub const DESCRIPTION_MAX: usize = 2_000;

const MODES: [&str; 2] = ["unrestricted", "limited"];
const STATUSES: [&str; 2] = ["draft", "published"];
const PIP: List = List {
    most: PACKAGES_MAX,
    longest: PACKAGE_MAX,
    fits: is_pip_requirement,
    message: PIP_MESSAGE,
};
const NPM: List = List {
    most: PACKAGES_MAX,
    longest: PACKAGE_MAX,
    fits: is_npm_spec,
    message: NPM_MESSAGE,
};
const HOSTS: List = List {
    most: HOSTS_MAX,
    longest: HOST_MAX,
    fits: is_host_pattern,
    message: HOST_MESSAGE,
};
const FIELDS: [&str; 8] = [
    "name",
    "description",
    "pipPackages",
    "npmPackages",
    "networkingMode",
    "allowedHosts",
    "allowPackageManagers",
    "availableInAllProjects",
];

const fn name_rule(not_empty: bool) -> Text {
    Text {
        min: 1,
        max: NAME_MAX,
        not_empty,
    }
}

fn mode(fields: &mut Reader<'_>) -> Option<NetworkingMode> {
    fields
        .optional_choice("networkingMode", &MODES)
        .map(|text| NetworkingMode::from(text.as_str()))
}

/// Reads the query of `GET /api/environments`.
pub fn list(query: &Map<String, Value>) -> Result<Option<EnvironmentStatus>, Problems> {
    let mut fields = Reader::new(query, &["status"]);
    let status = fields
        .optional_choice("status", &STATUSES)
        .map(|text| EnvironmentStatus::from(text.as_str()));
    fields.finish(status)
}

/// Reads the body of `POST /api/environments`.
pub fn create(body: &Map<String, Value>) -> Result<EnvironmentCreate, Problems> {
    let mut fields = Reader::new(body, &FIELDS);
    let request = EnvironmentCreate {
        name: fields.text("name", name_rule(true)),
        description: fields.optional_text("description", Text::up_to(DESCRIPTION_MAX)),
        pip_packages: fields.texts_or_null("pipPackages", PIP).flatten(),
        npm_packages: fields.texts_or_null("npmPackages", NPM).flatten(),
        networking_mode: mode(&mut fields),
        allowed_hosts: fields.texts_or_null("allowedHosts", HOSTS).flatten(),
        allow_package_managers: fields.optional_boolean("allowPackageManagers"),
        available_in_all_projects: fields.optional_boolean("availableInAllProjects"),
    };
    fields.finish(request)
}

/// Reads the body of `PATCH /api/environments/:id`. A list given as `null` becomes empty.
pub fn patch(body: &Map<String, Value>) -> Result<EnvironmentPatch, Problems> {
    let mut fields = Reader::new(body, &FIELDS);
    let request = EnvironmentPatch {
        name: fields.optional_text("name", name_rule(false)),
        description: fields.text_or_null("description", Text::up_to(DESCRIPTION_MAX)),
        pip_packages: fields
            .texts_or_null("pipPackages", PIP)
            .map(Option::unwrap_or_default),
        npm_packages: fields
            .texts_or_null("npmPackages", NPM)
            .map(Option::unwrap_or_default),
        networking_mode: mode(&mut fields),
        allowed_hosts: fields.texts_or_null("allowedHosts", HOSTS),
        allow_package_managers: fields.optional_boolean("allowPackageManagers"),
        available_in_all_projects: fields.optional_boolean("availableInAllProjects"),
    };
    fields.finish(request)
}

impl EnvironmentCreate {
    /// The rules that speak in one sentence: a name with a letter or digit, and hosts that lead to
    /// public names.
    pub fn check(&self) -> Result<(), String> {
        check(Some(&self.name), self.allowed_hosts.as_ref())
    }
}

impl EnvironmentPatch {
    /// See [`EnvironmentCreate::check`].
    pub fn check(&self) -> Result<(), String> {
        let hosts = self.allowed_hosts.as_ref().and_then(Option::as_ref);
        check(self.name.as_ref(), hosts)
    }
}

fn check(name: Option<&String>, hosts: Option<&Vec<String>>) -> Result<(), String> {
    if name.is_some_and(|name| !name.chars().any(char::is_alphanumeric)) {
        return Err(
            "Environment name must contain at least one alphanumeric character.".to_owned(),
        );
    }
    host_refusal(hosts.into_iter().flatten()).map_or(Ok(()), Err)
}
