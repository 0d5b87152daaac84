//! Hosts: operating-system processes that each run the same program and own some of its devices, on one or several
//! machines.
//!
//! Every host interprets the whole program. Replicas and manual computations are divided by device: a host runs those
//! of its own devices and receives the results of the others. Values are combined in the order of devices, so each host
//! computes with the same operands as a single host would.

use binade_stablehlo::{Data, ElementType, Tensor, Value, elements};

use crate::error::EvalError;

/// The transport of bytes between the hosts of a run.
///
/// Errors are messages that name the host.
pub trait Carrier: Send + Sync {
    /// Sends bytes to another host. No other bytes of the run have the same name `what`.
    ///
    /// # Errors
    /// If the bytes cannot be sent.
    fn send(&self, to: usize, what: &str, bytes: Vec<u8>) -> Result<(), String>;

    /// Waits for the bytes that another host sends under a name. Stops waiting once `needless` returns true.
    ///
    /// # Errors
    /// If the bytes do not arrive.
    fn receive(&self, from: usize, what: &str, needless: &dyn Fn() -> bool) -> Result<Vec<u8>, String>;
}

/// The hosts of a run.
pub struct RunHosts {
    own: usize,
    hosts: Vec<usize>,
    carrier: Box<dyn Carrier>,
}

/// Values that are identical on all hosts that have them.
pub struct SharedValues<'a> {
    /// The hosts that have the values. The first one sends them to the others.
    pub at: Vec<usize>,
    /// The element types; `None` for a token.
    pub elements: Vec<Option<&'a ElementType>>,
    /// The values, on hosts that have them.
    pub values: Option<Vec<Value>>,
}

impl RunHosts {
    /// A run on the host `own`. `hosts` has the host of each device, ordered by replica and then partition.
    pub fn new(own: usize, hosts: Vec<usize>, carrier: Box<dyn Carrier>) -> RunHosts {
        RunHosts { own, hosts, carrier }
    }

    /// The number of devices.
    pub(crate) fn devices(&self) -> usize {
        self.hosts.len()
    }

    /// The number of this host.
    pub(crate) fn own(&self) -> usize {
        self.own
    }

    /// The hosts of some devices, in ascending order and without repetition.
    pub fn of(&self, devices: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut hosts: Vec<usize> = devices.map(|device| self.hosts[device]).collect();
        hosts.sort_unstable();
        hosts.dedup();
        hosts
    }

    /// Returns all shared values, on each of some hosts. `needless` returns true once they are not needed any more.
    ///
    /// # Errors
    /// If another host cannot be reached, has failed, or sends values of other types.
    pub fn share(
        &self,
        what: &str,
        hosts: &[usize],
        shared: Vec<SharedValues<'_>>,
        needless: &dyn Fn() -> bool,
    ) -> Result<Vec<Vec<Value>>, EvalError> {
        let others = || hosts.iter().filter(|&&host| host != self.own);
        for &to in others() {
            let mut bytes = None;
            for entry in
                shared.iter().filter(|entry| entry.at.first() == Some(&self.own) && !entry.at.contains(&to))
            {
                let bytes = bytes.get_or_insert_with(Vec::new);
                entry.values.iter().flatten().for_each(|value| write(value, bytes));
            }
            if let Some(bytes) = bytes {
                self.carrier.send(to, what, bytes).map_err(EvalError::Host)?;
            }
        }
        let comes =
            |entry: &SharedValues<'_>, from: usize| entry.values.is_none() && entry.at.first() == Some(&from);
        let mut got: Vec<Option<Vec<Value>>> = vec![None; shared.len()];
        for &from in others() {
            if !shared.iter().any(|entry| comes(entry, from)) {
                continue;
            }
            let bytes = self.carrier.receive(from, what, needless).map_err(EvalError::Host)?;
            let mut rest = &bytes[..];
            let other = || EvalError::Host(format!("process {from} sends values of other types for {what}"));
            for (entry, got) in shared.iter().zip(&mut got).filter(|(entry, _)| comes(entry, from)) {
                let values = entry.elements.iter().map(|element| read(&mut rest, *element));
                *got = Some(values.collect::<Option<Vec<Value>>>().ok_or_else(other)?);
            }
            if !rest.is_empty() {
                return Err(other());
            }
        }
        let own = shared.into_iter().map(|entry| entry.values);
        let all = own.zip(got).map(|(own, got)| own.or(got)).collect::<Option<Vec<_>>>();
        all.ok_or_else(|| EvalError::Host(format!("no process has all values of {what}")))
    }
}

/// Writes a tensor as its type's name, its sizes and its bytes, each preceded by its length. A token is an empty name.
fn write(value: &Value, to: &mut Vec<u8>) {
    let number = |to: &mut Vec<u8>, number: usize| to.extend((number as u64).to_le_bytes());
    match value {
        Value::Tensor(tensor) => {
            let name = tensor.element.to_string();
            number(to, name.len());
            to.extend(name.as_bytes());
            number(to, tensor.shape.len());
            tensor.shape.iter().for_each(|&size| number(to, size));
            number(to, tensor.data.bytes());
            to.extend(tensor.data.to_le_bytes(0..tensor.data.len()));
        }
        Value::Token | Value::Tuple(_) => number(to, 0),
    }
}

/// Reads a value of this element type (`None` for a token); `None` if the bytes are of another type.
fn read(from: &mut &[u8], element: Option<&ElementType>) -> Option<Value> {
    fn bytes<'a>(from: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = from.split_at_checked(count)?;
        *from = rest;
        Some(bytes)
    }
    fn number(from: &mut &[u8]) -> Option<usize> {
        usize::try_from(u64::from_le_bytes(bytes(from, 8)?.try_into().ok()?)).ok()
    }
    let length = number(from)?;
    let name = bytes(from, length)?;
    let Some(element) = element else { return name.is_empty().then_some(Value::Token) };
    if name != element.to_string().as_bytes() {
        return None;
    }
    let rank = number(from)?;
    let mut shape = vec![];
    for _ in 0..rank {
        shape.push(number(from)?);
    }
    let length = number(from)?;
    let data = Data::from_le_bytes(element, bytes(from, length)?);
    let count = elements(&shape)?;
    (count == data.len()).then(|| Value::Tensor(Tensor::new(element.clone(), shape, data)))
}
