//! Connections between the processes of a distributed program.
//!
//! Each process writes into a shared store its number of devices, its settings, and the address at which it listens. Then each process
//! calls all processes with lower numbers.

use std::io::{self, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs, UdpSocket};
use std::time::{Duration, Instant};

use crate::error::Failure;
use crate::store::Store;

/// The role of this process among the others.
pub(crate) struct Role {
    /// Number of clients that this process had before: each name of the store takes one value only.
    pub(crate) client: usize,
    pub(crate) own: usize,
    pub(crate) count: usize,
    pub(crate) devices: usize,
    /// Settings of evaluation, which must be equal in all processes.
    pub(crate) settings: String,
    /// The address for other processes. If none, the addresses of its routes to the coordinator and to the outside.
    pub(crate) address: Option<String>,
    pub(crate) coordinator: Option<String>,
    /// The longest wait for another process.
    pub(crate) timeout: Duration,
}

/// Processes that are connected.
pub(crate) struct Met {
    /// Number of devices of each process.
    pub(crate) devices: Vec<usize>,
    /// The connection to each process; none for this one.
    pub(crate) streams: Vec<Option<TcpStream>>,
}

/// The first bytes of a connection. Then come the key of the called process and the number of the caller.
const GREETING: &[u8; 16] = b"binade processes";

/// The longest attempt to reach one address.
const ATTEMPT: Duration = Duration::from_secs(3);

/// Time between two attempts.
const PAUSE: Duration = Duration::from_millis(20);

/// The entry of a process in the store.
struct Card {
    version: String,
    devices: usize,
    settings: String,
    key: String,
    port: u16,
    addresses: Vec<String>,
}

impl Card {
    fn to_text(&self) -> String {
        let Card { version, devices, settings, key, port, addresses } = self;
        format!("{version}\n{devices}\n{key}\n{port}\n{}\n{settings}", addresses.join(" "))
    }

    fn read(text: &str) -> Option<Card> {
        let mut lines = text.splitn(6, '\n');
        let version = lines.next()?.to_owned();
        let devices = lines.next()?.parse().ok()?;
        let key = lines.next()?.to_owned();
        let port = lines.next()?.parse().ok()?;
        let addresses = lines.next()?.split(' ').map(str::to_owned).collect();
        Some(Card { version, devices, settings: lines.next()?.to_owned(), key, port, addresses })
    }
}

pub(crate) fn unreachable(what: impl ToString) -> Failure {
    Failure::Unavailable(what.to_string())
}

/// Sixteen unguessable bytes, as text.
fn key() -> io::Result<String> {
    let mut bytes = [0; 16];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The address of this machine on its route to another. Nothing is sent.
fn address_towards(other: impl ToSocketAddrs) -> Option<IpAddr> {
    let to_one = |other: SocketAddr| {
        let any: SocketAddr = if other.is_ipv4() { ([0; 4], 0).into() } else { ([0; 16], 0).into() };
        let socket = UdpSocket::bind(any).ok()?;
        socket.connect(other).ok()?;
        Some(socket.local_addr().ok()?.ip())
    };
    other.to_socket_addrs().ok()?.find_map(to_one)
}

/// Addresses at which other processes may reach this one: the one that is set, or the addresses of its routes to the coordinator and to
/// addresses reserved for documentation (RFC 5737, RFC 3849).
fn addresses(role: &Role) -> Vec<String> {
    if let Some(address) = &role.address {
        return vec![address.clone()];
    }
    let coordinator = role.coordinator.as_deref().and_then(address_towards);
    let outside = address_towards("192.0.2.1:9").or_else(|| address_towards("[2001:db8::1]:9"));
    let mut found: Vec<String> = vec![];
    for address in coordinator.into_iter().chain(outside).map(|address| address.to_string()) {
        if !found.contains(&address) {
            found.push(address);
        }
    }
    if found.is_empty() {
        found.push("127.0.0.1".to_owned());
    }
    found
}

/// Connects to all other processes.
///
/// # Errors
/// If a process does not come in time, cannot be reached, or has other settings.
pub(crate) fn meet(store: &Store, role: &Role) -> Result<Met, Failure> {
    let Role { own, client, .. } = *role;
    let listener = TcpListener::bind("[::]:0").or_else(|_| TcpListener::bind("0.0.0.0:0"));
    let listener = listener.map_err(unreachable)?;
    let card = Card {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        devices: role.devices,
        settings: role.settings.clone(),
        key: key().map_err(unreachable)?,
        port: listener.local_addr().map_err(unreachable)?.port(),
        addresses: addresses(role),
    };
    store.put(&format!("binade/{client}/{own}"), &card.to_text())?;
    let deadline = Instant::now() + role.timeout;
    let mut cards = vec![];
    for other in 0..role.count {
        let left = deadline.saturating_duration_since(Instant::now()).max(PAUSE);
        let text = store.get(&format!("binade/{client}/{other}"), left).map_err(|failure| {
            unreachable(format!("process {other} has not come within {:?}: {failure}", role.timeout))
        })?;
        let found = Card::read(&text).ok_or_else(|| unreachable(format!("process {other} says {text:?}")))?;
        for (what, theirs, ours) in
            [("version", &found.version, &card.version), ("settings", &found.settings, &card.settings)]
        {
            if theirs != ours {
                let facts = format!(
                    "processes must have the same {what}: process {other} has {theirs}, process {own} has {ours}"
                );
                return Err(Failure::Invalid(facts));
            }
        }
        cards.push(found);
    }
    let mut streams: Vec<Option<TcpStream>> = vec![];
    for (other, card) in cards.iter().enumerate() {
        // A process calls those with lower numbers.
        streams.push(if other < own { Some(call(other, card, own, deadline)?) } else { None });
    }
    answer(&listener, &card.key, own, deadline, &mut streams)?;
    Ok(Met { devices: cards.iter().map(|card| card.devices).collect(), streams })
}

/// Calls another process at one of its addresses.
fn call(other: usize, card: &Card, own: usize, deadline: Instant) -> Result<TcpStream, Failure> {
    let mut last = "it has no address".to_owned();
    while Instant::now() < deadline {
        for address in &card.addresses {
            let text = address.trim_matches(['[', ']']);
            for address in (text, card.port).to_socket_addrs().into_iter().flatten() {
                match greeted(address, &card.key, own) {
                    Ok(stream) => return Ok(stream),
                    Err(error) => last = format!("{address}: {error}"),
                }
            }
        }
        std::thread::sleep(PAUSE);
    }
    let where_ = card.addresses.join(", ");
    Err(unreachable(format!(
        "process {other} cannot be reached at {where_}, port {} ({last}); its BINADE_ADDRESS can say where it is",
        card.port
    )))
}

/// A connection to the process with this key.
fn greeted(address: SocketAddr, key: &str, own: usize) -> io::Result<TcpStream> {
    let mut stream = TcpStream::connect_timeout(&address, ATTEMPT)?;
    stream.set_read_timeout(Some(ATTEMPT))?;
    stream.write_all(GREETING)?;
    stream.write_all(key.as_bytes())?;
    stream.write_all(&(own as u64).to_le_bytes())?;
    let mut back = [0; GREETING.len()];
    stream.read_exact(&mut back)?;
    if &back != GREETING {
        return Err(io::Error::other("another program answers"));
    }
    // Without this, a late answer would accept a call that has timed out.
    stream.write_all(GREETING)?;
    Ok(stream)
}

/// Waits for the calls of all processes with higher numbers.
fn answer(
    listener: &TcpListener,
    key: &str,
    own: usize,
    deadline: Instant,
    streams: &mut [Option<TcpStream>],
) -> Result<(), Failure> {
    listener.set_nonblocking(true).map_err(unreachable)?;
    loop {
        let missing: Vec<usize> =
            (own + 1..streams.len()).filter(|&other| streams[other].is_none()).collect();
        if missing.is_empty() {
            return Ok(());
        }
        match listener.accept() {
            Ok((stream, _)) => {
                if let Ok((other, stream)) = called(stream, key)
                    && missing.contains(&other)
                {
                    streams[other] = Some(stream);
                }
            }
            // No call at present, or one that has ended.
            Err(_) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(2)),
            Err(_) => return Err(unreachable(format!("processes {missing:?} have not called in time"))),
        }
    }
}

/// The number of the caller, if it knows the key.
fn called(mut stream: TcpStream, key: &str) -> io::Result<(usize, TcpStream)> {
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(ATTEMPT))?;
    let mut greeting = [0; GREETING.len()];
    stream.read_exact(&mut greeting)?;
    let mut theirs = vec![0; key.len()];
    stream.read_exact(&mut theirs)?;
    let mut number = [0; 8];
    stream.read_exact(&mut number)?;
    if &greeting != GREETING || theirs != key.as_bytes() {
        return Err(io::Error::other("the caller does not know the key"));
    }
    stream.write_all(GREETING)?;
    stream.read_exact(&mut greeting)?;
    Ok((usize::try_from(u64::from_le_bytes(number)).unwrap_or(usize::MAX), stream))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caller_without_the_key_is_not_accepted() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let key = key().unwrap();
        let wrong = "0".repeat(key.len());
        let calls = std::thread::spawn({
            let key = key.clone();
            move || {
                assert!(greeted(address, &wrong, 1).is_err());
                drop(TcpStream::connect(address).unwrap());
                greeted(address, &key, 2).unwrap();
                greeted(address, &key, 1).unwrap()
            }
        });
        let mut streams = [None, None];
        answer(&listener, &key, 0, Instant::now() + Duration::from_secs(20), &mut streams).unwrap();
        let theirs = calls.join().unwrap();
        assert_eq!(streams[1].as_ref().unwrap().peer_addr().unwrap(), theirs.local_addr().unwrap());
    }

    #[test]
    fn process_that_does_not_call_is_named() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let error = answer(&listener, "k", 0, Instant::now(), &mut [None, None]).unwrap_err();
        assert_eq!(error.to_string(), "processes [1] have not called in time");
    }

    #[test]
    fn card_is_read_as_it_was_written() {
        let card = Card {
            version: "1".into(),
            devices: 3,
            settings: "arith 'a=b\n'".into(),
            key: "k".into(),
            port: 9,
            addresses: vec!["10.0.0.1".into(), "::1".into()],
        };
        assert_eq!(Card::read(&card.to_text()).unwrap().to_text(), card.to_text());
        assert!(Card::read("1\n2\n3").is_none());
    }

    #[test]
    fn addresses_are_those_towards_the_coordinator_first() {
        let role = |address: Option<&str>, coordinator: Option<&str>| Role {
            client: 0,
            own: 0,
            count: 2,
            devices: 1,
            settings: String::new(),
            address: address.map(str::to_owned),
            coordinator: coordinator.map(str::to_owned),
            timeout: Duration::ZERO,
        };
        assert_eq!(addresses(&role(Some("a"), Some("127.0.0.1:1")))[..], ["a"]);
        assert_eq!(addresses(&role(None, Some("127.0.0.1:1")))[0], "127.0.0.1");
        assert!(!addresses(&role(None, None)).is_empty());
    }
}
