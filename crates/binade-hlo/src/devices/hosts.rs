//! Programs whose devices are those of several hosts: operating-system processes that each run the same program, on the
//! same machine or on others.
//!
//! Every host walks the program, but the parts that it hands to devices one by one (replicas, and manual computations) only
//! for devices that it has; what the others' devices make there, it gets from them. Values are put in the order of devices,
//! so each host computes with the same operands what one host would that had all devices.

use binade_stablehlo::{Data, ElementType, Tensor, Value, elements};

use crate::error::EvalError;

/// What carries bytes between the hosts of a run.
///
/// What goes wrong is told in words, which name the host.
pub trait Carrier: Send + Sync {
    /// Gives bytes to another host, under a name that no other bytes of this run have.
    ///
    /// # Errors
    /// If they cannot be given.
    fn send(&self, to: usize, what: &str, bytes: Vec<u8>) -> Result<(), String>;

    /// The bytes that another host gives under a name; waits for them, but not when it is said that nobody needs them.
    ///
    /// # Errors
    /// If they do not come.
    fn receive(&self, from: usize, what: &str, needless: &dyn Fn() -> bool) -> Result<Vec<u8>, String>;
}

/// The hosts of a run.
pub struct RunHosts {
    own: usize,
    hosts: Vec<usize>,
    carrier: Box<dyn Carrier>,
}

/// Some values that are the same on all hosts that have them.
pub struct SharedValues<'a> {
    /// RunHosts that have them. The first one gives them to the others.
    pub at: Vec<usize>,
    /// Their element types; none: a token.
    pub elements: Vec<Option<&'a ElementType>>,
    /// They themselves, on hosts that have them.
    pub values: Option<Vec<Value>>,
}

impl RunHosts {
    /// A run on the host `own`, where each device, by replicas and their partitions, is the host's of this number.
    pub fn new(own: usize, hosts: Vec<usize>, carrier: Box<dyn Carrier>) -> RunHosts {
        RunHosts { own, hosts, carrier }
    }

    /// How many devices there are.
    pub(crate) fn devices(&self) -> usize {
        self.hosts.len()
    }

    /// This host.
    pub(crate) fn own(&self) -> usize {
        self.own
    }

    /// The hosts of some devices, in order, each once.
    pub fn of(&self, devices: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut hosts: Vec<usize> = devices.map(|device| self.hosts[device]).collect();
        hosts.sort_unstable();
        hosts.dedup();
        hosts
    }

    /// All shared values, on each of some hosts; `needless` says that nobody waits for them any more.
    ///
    /// # Errors
    /// If another host cannot be reached, or has failed, or gives values of other types.
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
            let other = || EvalError::Host(format!("process {from} gives other values for {what}"));
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
        all.ok_or_else(|| EvalError::Host(format!("nobody gives all of {what}")))
    }
}

/// A tensor as its type's name, its sizes and its bytes, each list with its length before it; no name for a token.
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

/// A value of this element type (none: a token) as it was written; none if it is of another one.
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
