//! Skills in folders of this machine (`--skills DIR`): walked on each request, judged by the
//! contract's rules, off the threads that serve requests. What was read of a file is kept only as
//! long as the file's own record says that it is untouched.

mod detail;
mod judge;
mod walk;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use contract::rules::skills::folder::{prompt, settle};
use contract::rules::skills::prompt::DEFAULT_BUDGET;
use contract::skill_folders::{
    FolderSkillDetail, PromptAnswer, PromptRequest, SkillFolder, SkillFolderList,
};
use tokio::sync::Mutex;

use crate::clock;
use crate::error::ApiError;
use crate::secrets;

use judge::{Kept, Source};

/// The most folders a server reads.
pub const FOLDERS_MAX: usize = 16;

/// Characters of an id.
const ID_LENGTH: usize = 32;

/// The folders of this server and what is kept of their files.
pub struct SkillFolders {
    roots: Arc<[Root]>,
    // One walk at a time: a slow disk holds up these answers and no others.
    kept: Arc<Mutex<Kept>>,
}

/// One folder as it was given.
struct Root {
    id: String,
    path: PathBuf,
}

/// A folder that was read, with where the files of its skills are.
struct Reading {
    folder: SkillFolder,
    /// The folder's own name, links resolved.
    name: String,
    sources: Vec<Source>,
}

impl SkillFolders {
    /// The folders at these paths, in their order; a path given twice counts once.
    pub fn new(paths: &[PathBuf]) -> Self {
        let mut roots: Vec<Root> = Vec::new();
        for path in paths {
            let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
            if roots.iter().all(|root| root.path != path) {
                let id = id_of(&path, "");
                roots.push(Root { id, path });
            }
        }
        Self {
            roots: roots.into(),
            kept: Arc::default(),
        }
    }

    /// Reads every folder.
    pub(crate) async fn list(&self) -> Result<SkillFolderList, ApiError> {
        let readings = self.read(|_| true).await?;
        Ok(SkillFolderList {
            data: readings.into_iter().map(|reading| reading.folder).collect(),
        })
    }

    /// Reads one skill with its text; `None` if there is none with this id.
    pub(crate) async fn skill(&self, id: &str) -> Result<Option<FolderSkillDetail>, ApiError> {
        for reading in self.read(|_| true).await? {
            let source = reading.sources.iter().position(|source| source.id == id);
            if source.is_some() {
                return blocking(move || detail::of(reading, source)).await;
            }
        }
        Ok(None)
    }

    /// What a model is shown of a folder; `None` if there is no folder with this id. A folder that
    /// cannot be read is an error, since its list is not known.
    pub(crate) async fn prompt(
        &self,
        request: PromptRequest,
    ) -> Result<Option<PromptAnswer>, ApiError> {
        let wanted = request.folder_id.clone();
        let readings = self.read(move |root| root.id == wanted).await?;
        let Some(Reading { folder, name, .. }) = readings.into_iter().next() else {
            return Ok(None);
        };
        match &folder.error {
            Some(error) => Err(ApiError::Conflict(format!(
                "The folder {} cannot be read: {error}",
                folder.root
            ))),
            None => Ok(Some(prompt(&name, &folder, &request))),
        }
    }

    async fn read(
        &self,
        wanted: impl Fn(&Root) -> bool + Send + 'static,
    ) -> Result<Vec<Reading>, ApiError> {
        if self.roots.is_empty() {
            return Ok(Vec::new());
        }
        let mut kept = self.kept.clone().lock_owned().await;
        let roots = self.roots.clone();
        blocking(move || {
            roots
                .iter()
                .filter(|root| wanted(root))
                .map(|root| read_root(root, &mut kept))
                .collect()
        })
        .await
    }
}

/// Runs work that waits for a disk where waiting is allowed.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ApiError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(ApiError::internal)
}

/// A name for the place of a folder or a file below it.
fn id_of(root: &Path, below: &str) -> String {
    let place = format!("{}\0{below}", root.display());
    let mut id = secrets::fingerprint(&place);
    id.truncate(ID_LENGTH);
    id
}

fn read_root(root: &Root, kept: &mut Kept) -> Reading {
    let read_at = clock::iso(clock::now());
    let mut folder = SkillFolder {
        id: root.id.clone(),
        root: root.path.display().to_string(),
        read_at,
        error: None,
        left_out: Vec::new(),
        skills: Vec::new(),
    };
    let mut name = own_name(&root.path);
    let mut sources = Vec::new();
    match walk::walk(&root.path) {
        Err(error) => folder.error = Some(error.to_string()),
        Ok(walk) => {
            name = own_name(&walk.root);
            let judged = judge::judge(&root.path, &walk, kept);
            folder.left_out = walk.left_out;
            folder.left_out.extend(judged.left_out);
            folder.skills = judged.skills;
            sources = judged.sources;
            settle(&name, &mut folder.skills, DEFAULT_BUDGET);
        }
    }
    Reading {
        folder,
        name,
        sources,
    }
}

fn own_name(path: &Path) -> String {
    path.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}
