//! Asks a running server for one address again and again over a few connections and prints how
//! many answers a second it gave and how long they took: `load URL TOKEN CONNECTIONS SECONDS`.
//! Loopback only, bounded in time; for `make bench`.
#![allow(
    clippy::print_stdout,
    reason = "printing the measurements is what this program is for"
)]

use std::error::Error;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};
use std::{env, thread};

type Failure = Box<dyn Error + Send + Sync>;

fn main() -> Result<(), Failure> {
    let usage = "usage: load http://127.0.0.1:PORT/PATH TOKEN CONNECTIONS SECONDS";
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [url, token, connections, seconds] = arguments.as_slice() else {
        return Err(usage.into());
    };
    let (host, path) = url
        .strip_prefix("http://")
        .and_then(|rest| rest.split_once('/'))
        .ok_or(usage)?;
    let address: SocketAddr = host.parse()?;
    if !address.ip().is_loopback() {
        return Err("only this machine is a target".into());
    }
    let request = format!(
        "GET /{path} HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}\r\naccept: application/json\r\n\r\n"
    );
    let length = Duration::from_secs(seconds.parse::<u64>()?.min(60));

    let started = Instant::now();
    let workers: Vec<_> = (0..connections.parse::<usize>()?.clamp(1, 64))
        .map(|_| {
            let request = request.clone();
            thread::spawn(move || ask(address, request.as_bytes(), started + length))
        })
        .collect();
    let mut times = Vec::new();
    for worker in workers {
        times.extend(worker.join().map_err(|_| "a connection panicked")??);
    }
    let elapsed = started.elapsed().as_secs_f64();
    times.sort_unstable();
    let at = |share: usize| {
        let place = times.len().saturating_sub(1) * share / 1_000;
        times
            .get(place)
            .map_or(f64::NAN, |time| time.as_secs_f64() * 1_000.0)
    };
    println!("requests {}", times.len());
    println!(
        "per_second {:.0}",
        f64::from(u32::try_from(times.len())?) / elapsed
    );
    println!("p50_ms {:.3}", at(500));
    println!("p99_ms {:.3}", at(990));
    println!("max_ms {:.3}", at(1_000));
    Ok(())
}

/// Sends the request over one connection until `end`; how long each answer took. An answer other
/// than 200 is an error: a fast refusal must not count as speed.
fn ask(address: SocketAddr, request: &[u8], end: Instant) -> Result<Vec<Duration>, Failure> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    let mut times = Vec::new();
    let mut buffer = vec![0; 256 * 1024];
    while Instant::now() < end {
        let sent = Instant::now();
        stream.write_all(request)?;
        let mut filled = 0;
        let mut wanted = None;
        while wanted.is_none_or(|wanted| filled < wanted) {
            let free = buffer.get_mut(filled..).filter(|free| !free.is_empty());
            let count = stream.read(free.ok_or("the answer is larger than the buffer")?)?;
            if count == 0 {
                return Err("the server closed the connection".into());
            }
            filled += count;
            if wanted.is_none() {
                wanted = whole_length(buffer.get(..filled).unwrap_or_default())?;
            }
        }
        times.push(sent.elapsed());
    }
    Ok(times)
}

/// Length of the whole answer once its head is there.
fn whole_length(answer: &[u8]) -> Result<Option<usize>, Failure> {
    let Some(head) = answer.windows(4).position(|window| window == b"\r\n\r\n") else {
        return Ok(None);
    };
    let text = std::str::from_utf8(answer.get(..head).unwrap_or_default())?;
    if !text.starts_with("HTTP/1.1 200") {
        return Err(format!(
            "not a good answer: {}",
            text.lines().next().unwrap_or_default()
        )
        .into());
    }
    let length = text
        .lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .ok_or("the answer has no length")?;
    Ok(Some(head + 4 + length.1.trim().parse::<usize>()?))
}
