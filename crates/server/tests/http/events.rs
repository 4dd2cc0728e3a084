//! The live stream of changes: delivery, replay, gaps, heartbeats and its end.

use std::time::Duration;

use contract::events::{ChangeEvent, ChangeKind};
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use reqwest::Method;
use serde_json::json;
use tokio::time::timeout;

use crate::harness::{Account, Server, text};

/// Longest wait for a message that must come.
const SOON: Duration = Duration::from_secs(5);

/// A client of the stream.
struct Client {
    bytes: BoxStream<'static, String>,
    buffer: String,
}

/// One message of the stream.
#[derive(Debug, Default, PartialEq)]
struct Message {
    id: Option<String>,
    event: Option<String>,
    data: Option<String>,
    comment: Option<String>,
}

impl Message {
    fn change(&self) -> ChangeEvent {
        assert_eq!(self.event.as_deref(), Some("change"));
        let change: ChangeEvent = serde_json::from_str(self.data.as_ref().unwrap()).unwrap();
        assert_eq!(self.id, Some(change.sequence.to_string()));
        change
    }
}

impl Client {
    async fn open(request: reqwest::RequestBuilder) -> Self {
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert!(!response.headers().contains_key("content-encoding"));
        let bytes = response.bytes_stream();
        let texts = bytes.map(|chunk| {
            chunk.map_or_else(
                |_| String::new(),
                |bytes| String::from_utf8(bytes.to_vec()).unwrap(),
            )
        });
        Self {
            bytes: texts.boxed(),
            buffer: String::new(),
        }
    }

    async fn of(account: &Account<'_>, query: &str) -> Self {
        Self::open(account.request(Method::GET, &format!("/api/events{query}"))).await
    }

    /// The next message; `None` at the end of the stream.
    async fn next(&mut self) -> Option<Message> {
        loop {
            if let Some((block, rest)) = self.buffer.split_once("\n\n") {
                let mut message = Message::default();
                for line in block.lines() {
                    let (field, value) = line.split_once(':').unwrap();
                    let value = Some(value.trim_start().to_owned());
                    match field {
                        "id" => message.id = value,
                        "event" => message.event = value,
                        "data" => message.data = value,
                        "" => message.comment = value,
                        other => panic!("unknown field {other}"),
                    }
                }
                let rest = rest.to_owned();
                self.buffer = rest;
                return Some(message);
            }
            let chunk = timeout(SOON, self.bytes.next())
                .await
                .expect("a message in time")?;
            self.buffer.push_str(&chunk);
        }
    }

    async fn hello(&mut self) -> Option<String> {
        let hello = self.next().await.unwrap();
        assert_eq!(
            (hello.data, hello.comment.as_deref()),
            (None, Some("connected"))
        );
        hello.id
    }

    async fn change(&mut self) -> ChangeEvent {
        self.next().await.unwrap().change()
    }
}

/// The account's changes from its first on, as a page that connects late is told them.
pub(crate) async fn changes_of(account: &Account<'_>, number: usize) -> Vec<ChangeEvent> {
    let mut stream = Client::of(account, "?lastEventId=0").await;
    stream.hello().await;
    let mut changes = Vec::new();
    for _ in 0..number {
        changes.push(stream.change().await);
    }
    changes
}

#[tokio::test]
async fn changes_arrive_in_order_and_only_the_own_ones() {
    let server = Server::start().await;
    let ada = server.owner("ada").await;
    let eve = server.owner("eve").await;
    let mut stream = Client::of(&ada, "").await;
    assert_eq!(
        stream.hello().await.as_deref(),
        Some("2"),
        "organization and Work came before"
    );
    eve.agent("Foreign").await;
    let agent = ada.work_agent("Coder").await;
    let row = ada.grant("work", &ada.work, json!({"deny": ["x"]})).await;
    ada.delete(&format!("/api/tool-grants/{}", text(&row["id"])))
        .await
        .expect(200);

    let made = stream.change().await;
    assert_eq!((made.sequence, &made.kind), (3, &ChangeKind::Agent));
    assert_eq!(made.resource_id.as_deref(), Some(agent.as_str()));
    assert_eq!(made.actor.unwrap().username, "ada");
    for sequence in [4, 5] {
        let change = stream.change().await;
        assert_eq!(
            (change.sequence, &change.kind),
            (sequence, &ChangeKind::ToolGrant)
        );
        assert_eq!(change.scope_id.as_deref(), Some(ada.work.as_str()));
        assert_eq!(change.resource_id, row["id"].as_str().map(str::to_owned));
    }
}

#[tokio::test]
async fn missed_changes_are_replayed() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    for name in ["A", "B", "C", "D"] {
        ada.agent(name).await;
    }
    let header = ada
        .request(Method::GET, "/api/events")
        .header("last-event-id", "2");
    let mut by_header = Client::open(header).await;
    let mut by_query = Client::of(&ada, "?lastEventId=2").await;
    for stream in [&mut by_header, &mut by_query] {
        assert_eq!(stream.hello().await.as_deref(), Some("2"));
        assert_eq!(stream.change().await.sequence, 3);
        assert_eq!(stream.change().await.sequence, 4);
    }
    ada.agent("E").await;
    assert_eq!(by_header.change().await.sequence, 5);
    let mut from_the_start = Client::of(&ada, "?lastEventId=0").await;
    from_the_start.hello().await;
    assert_eq!(from_the_start.change().await.sequence, 1);
}

#[tokio::test]
async fn a_gap_that_is_not_stored_is_told() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let agent = ada.agent("Coder").await;
    for wrong in ["99", "-1", "nonsense"] {
        let mut stream = Client::of(&ada, &format!("?lastEventId={wrong}")).await;
        assert_eq!(stream.hello().await.as_deref(), Some("1"));
        assert_eq!(stream.change().await.kind, ChangeKind::Reset, "{wrong}");
    }
    // As if more than a thousand changes had passed.
    let mut writing = server.state.store.write().await.unwrap();
    for statement in [
        "UPDATE changes SET sequence = sequence + 1500",
        "UPDATE users SET change_sequence = change_sequence + 1500",
    ] {
        sqlx::query(statement).execute(&mut *writing).await.unwrap();
    }
    server.state.commit(writing).await.unwrap();
    let mut stream = Client::of(&ada, "?lastEventId=1").await;
    assert_eq!(stream.hello().await.as_deref(), Some("1501"));
    let reset = stream.change().await;
    assert_eq!((reset.kind, reset.sequence), (ChangeKind::Reset, 1501));
    ada.grant("agent", &agent, json!({"deny": ["x"]})).await;
    assert_eq!(
        stream.change().await.sequence,
        1502,
        "and it goes on from there"
    );
}

#[tokio::test]
async fn the_last_thousand_changes_stay_and_older_ones_go() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let agent = ada.agent("Coder").await;
    // Each write has a number; the counter is set so that the next multiple of 64 is near.
    let mut writing = server.state.store.write().await.unwrap();
    for number in 2..=1_150 {
        sqlx::query("INSERT INTO changes (user_id, sequence, body) VALUES ($1, $2, '{}')")
            .bind(&ada.id)
            .bind(number)
            .execute(&mut *writing)
            .await
            .unwrap();
    }
    sqlx::query("UPDATE users SET change_sequence = 1150")
        .execute(&mut *writing)
        .await
        .unwrap();
    server.state.commit(writing).await.unwrap();
    for number in 0..5 {
        ada.grant("agent", &agent, json!({"deny": [format!("t{number}")]}))
            .await;
    }
    let mut reading = server.state.store.read().await.unwrap();
    let (oldest, newest): (i64, i64) =
        sqlx::query_as("SELECT MIN(sequence), MAX(sequence) FROM changes")
            .fetch_one(&mut *reading)
            .await
            .unwrap();
    assert_eq!(
        (oldest, newest),
        (153, 1_155),
        "cut to 1,000 at change 1,152"
    );
}

#[tokio::test]
async fn a_burst_is_delivered_completely() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let agent = ada.agent("Coder").await;
    let mut stream = Client::of(&ada, "").await;
    stream.hello().await;
    let writes = (0..250).map(|number| {
        let ada = ada.clone();
        let agent = agent.clone();
        async move {
            ada.grant("agent", &agent, json!({"deny": [format!("t{number}")]}))
                .await
        }
    });
    let all = futures_util::stream::iter(writes)
        .buffer_unordered(8)
        .count();
    let seen = async {
        for sequence in 2..=251 {
            assert_eq!(stream.change().await.sequence, sequence);
        }
    };
    tokio::join!(all, seen);
}

#[tokio::test]
async fn a_stream_ends_with_its_session() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let made = ada
        .post("/api/auth/api-keys", json!({"name": "k"}))
        .await
        .expect(201)
        .body;
    let mut by_key = ada.clone();
    by_key.token = text(&made["key"]);
    let mut of_session = Client::of(&ada, "").await;
    let mut of_key = Client::of(&by_key, "").await;
    of_session.hello().await;
    of_key.hello().await;
    ada.post("/api/auth/logout", json!({})).await.expect(200);
    assert_eq!(of_session.next().await, None);
    by_key.agent("Still").await;
    of_key.change().await;
    by_key
        .delete(&format!("/api/auth/api-keys/{}", text(&made["id"])))
        .await
        .expect(200);
    assert_eq!(of_key.next().await, None);
}

#[tokio::test]
async fn a_stream_ends_when_its_session_expires() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let mut writing = server.state.store.write().await.unwrap();
    sqlx::query("UPDATE sessions SET expires_at = $1")
        .bind(remit_server::clock::now() + 700)
        .execute(&mut *writing)
        .await
        .unwrap();
    server.state.commit(writing).await.unwrap();
    let mut stream = Client::of(&ada, "").await;
    stream.hello().await;
    assert_eq!(stream.next().await, None);
    ada.get("/api/events").await.expect(401);
}

#[tokio::test]
async fn streams_per_account_are_bounded_and_given_back() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let eve = server.register("eve").await;
    let mut open = Vec::new();
    for _ in 0..32 {
        let mut stream = Client::of(&ada, "").await;
        stream.hello().await;
        open.push(stream);
    }
    ada.get("/api/events").await.expect(429);
    Client::of(&eve, "").await.hello().await;
    drop(open);
    let again = async {
        while ada
            .request(Method::GET, "/api/events")
            .send()
            .await
            .unwrap()
            .status()
            != 200
        {
            tokio::task::yield_now().await;
        }
    };
    timeout(SOON, again)
        .await
        .expect("closed streams give their place back");
}

#[tokio::test]
async fn stopping_the_server_ends_streams() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let mut stream = Client::of(&ada, "").await;
    stream.hello().await;
    server.state.stop();
    assert_eq!(stream.next().await, None);
}

#[tokio::test]
async fn a_quiet_stream_has_a_heartbeat() {
    let server = Server::start().await;
    let ada = server.register("ada").await;
    let mut stream = Client::of(&ada, "").await;
    stream.hello().await;
    let quiet = timeout(Duration::from_secs(20), stream.bytes.next()).await;
    let heartbeat = quiet.expect("a heartbeat within 20 seconds").unwrap();
    assert!(heartbeat.starts_with(": still here"), "{heartbeat}");
}
