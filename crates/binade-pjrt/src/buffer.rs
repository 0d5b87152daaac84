//! Buffers: a tensor on a device.

use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use binade_hlo::{Data, ElementType, Tensor};

use crate::abi::{Ask, Handle, Layout, Only, Order, Slice, Tiled, arguments, caught, entries, layout};
use crate::device::Device;
use crate::element;
use crate::error::Failure;
use crate::event::Event;
use crate::memory::Memory;
use crate::promise::Promise;

/// A buffer. It loses its value when it is deleted or donated; programs that were dispatched before keep the value.
pub(crate) struct Buffer {
    element: ElementType,
    kind: i32,
    sizes: Vec<i64>,
    /// Dimensions, the fastest-varying one first.
    order: Vec<i64>,
    device: Handle<Device>,
    state: Mutex<State>,
}

struct State {
    value: Option<Arc<Promise>>,
    /// Elements whose address the caller uses.
    held: Vec<Arc<Data>>,
}

impl Buffer {
    /// A buffer of a tensor.
    pub(crate) fn new(tensor: Tensor, device: Handle<Device>) -> Result<Buffer, Failure> {
        let size = |&size: &usize| i64::try_from(size).unwrap_or(i64::MAX);
        let sizes = tensor.shape.iter().map(size).collect();
        let kind = element::kind(&tensor.element)?;
        Buffer::of((kind, tensor.element.clone(), sizes), device, Promise::ready(tensor))
    }

    /// A buffer of a promised value with its PJRT type number, element type and sizes. A token has no elements.
    pub(crate) fn of(
        (kind, element, sizes): (i32, ElementType, Vec<i64>),
        device: Handle<Device>,
        value: Arc<Promise>,
    ) -> Result<Buffer, Failure> {
        let place = device.get()?;
        if !place.own {
            let facts = format!("a buffer on device {} of process {}", place.id, place.process);
            return Err(Failure::Unimplemented(facts));
        }
        let order = (0..sizes.len() as i64).rev().collect();
        Ok(Buffer {
            kind,
            element,
            sizes,
            order,
            device,
            state: Mutex::new(State { value: Some(value), held: vec![] }),
        })
    }

    /// A buffer of the same value on another device.
    fn copy(&self, device: Handle<Device>) -> Result<Buffer, Failure> {
        Buffer::of((self.kind, self.element.clone(), self.sizes.clone()), device, self.value()?)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The value.
    pub(crate) fn value(&self) -> Result<Arc<Promise>, Failure> {
        self.lock().value.clone().ok_or(Failure::Deleted)
    }

    /// Takes the value, which deletes the buffer.
    pub(crate) fn donate(&self) -> Result<Arc<Promise>, Failure> {
        self.lock().value.take().ok_or(Failure::Deleted)
    }

    /// Returns true if it is neither deleted nor donated.
    pub(crate) fn is_there(&self) -> bool {
        self.lock().value.is_some()
    }

    /// Bytes of all its elements.
    fn bytes(&self) -> Result<usize, Failure> {
        match self.kind {
            element::TOKEN => Ok(0),
            _ => dense_bytes(&self.sizes, element::width(&self.element)),
        }
    }
}

/// Memory of the caller that receives elements. The caller keeps it until the event of the copy is ready.
struct HostMemory(*mut u8);

// SAFETY: by the contract of the C API, only this library uses the memory until the event of the copy is ready.
unsafe impl Send for HostMemory {}

impl HostMemory {
    /// Copies elements, densely or with strides. `bytes` has all elements of the sizes, and the memory has space for them: densely
    /// `bytes.len()`, with strides up to the end of the last element. [`to_host`] checks both.
    fn fill(&self, bytes: &[u8], width: usize, sizes: &[i64], strides: Option<&[i64]>) {
        let Some(strides) = strides else {
            // SAFETY: `to_host` has checked that the memory has `bytes.len()` bytes; it is the caller's, so `bytes` is elsewhere.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.0, bytes.len()) };
            return;
        };
        places(sizes, strides, |index, place| {
            let element = &bytes[index * width..][..width];
            // SAFETY: `to_host` has checked that strides are not negative and that the last element ends within the memory.
            unsafe { std::ptr::copy_nonoverlapping(element.as_ptr(), self.0.offset(place as isize), width) };
        });
    }
}

/// Bytes from one element to the next in each dimension, where the last one is the fastest.
fn dense(sizes: &[i64], width: usize) -> Vec<i64> {
    let mut strides = vec![0; sizes.len()];
    let mut step = width as i64;
    for (stride, size) in strides.iter_mut().zip(sizes).rev() {
        *stride = step;
        step *= size.max(&1);
    }
    strides
}

/// Visits the index and the byte offset of all elements in row-major order.
fn places(sizes: &[i64], strides: &[i64], mut visit: impl FnMut(usize, i64)) {
    let count: i64 = sizes.iter().product();
    let mut indices = vec![0; sizes.len()];
    let mut place = 0;
    for element in 0..count {
        visit(element as usize, place);
        for axis in (0..sizes.len()).rev() {
            indices[axis] += 1;
            place += strides[axis];
            if indices[axis] < sizes[axis] {
                break;
            }
            place -= strides[axis] * sizes[axis];
            indices[axis] = 0;
        }
    }
}

/// Bytes of dense elements; an error if no address space has that many.
fn dense_bytes(sizes: &[i64], width: usize) -> Result<usize, Failure> {
    let size = |bytes: usize, &size: &i64| bytes.checked_mul(usize::try_from(size).ok()?);
    let bytes = sizes.iter().try_fold(width, size).filter(|&bytes| bytes <= isize::MAX as usize);
    bytes.ok_or_else(|| Failure::Invalid(format!("a buffer of the sizes {sizes:?}")))
}

/// The strides that a layout asks for; none for row-major order.
fn strides_of(order: &Layout, sizes: &[i64], width: usize) -> Result<Option<Vec<i64>>, Failure> {
    let strides = match order.kind {
        layout::TILED => {
            // SAFETY: `kind` is TILED, so that `tiled` is the field that is set.
            let Tiled { minor_to_major, rank, tiles, .. } = unsafe { order.order.tiled };
            if tiles > 0 {
                return Err(Failure::Unimplemented("a tiled layout".to_owned()));
            }
            let minor_to_major = Slice { start: minor_to_major, length: rank };
            let mut strides = vec![0; sizes.len()];
            let mut step = width as i64;
            for &axis in minor_to_major.get() {
                let axis = usize::try_from(axis).ok().filter(|&axis| axis < sizes.len());
                let Some(axis) = axis else {
                    return Err(Failure::Invalid("a layout of other dimensions".to_owned()));
                };
                strides[axis] = step;
                step *= sizes[axis].max(1);
            }
            strides
        }
        _ => {
            // SAFETY: the C API has two kinds, and `kind` is not TILED: `strides` is the field that is set.
            let order = unsafe { order.order.strides };
            Slice { start: order.strides, length: order.rank }.get().to_vec()
        }
    };
    if strides.len() != sizes.len() {
        return Err(Failure::Invalid("a layout of other dimensions".to_owned()));
    }
    Ok(Some(strides).filter(|strides| *strides != dense(sizes, width)))
}

arguments! {
    FromHost {
        client: *const c_void,
        data: *const u8,
        kind: i32,
        sizes: Slice<i64>,
        strides: Slice<i64>,
        semantics: i32,
        device: Handle<Device>,
        memory: Handle<Memory>,
        layout: Handle<Layout>,
        done: Handle<Event>,
        buffer: Handle<Buffer>,
    }
    ToHost { buffer: Handle<Buffer>, layout: Handle<Layout>, to: *mut u8, size: usize, done: Handle<Event> }
    CopyToDevice { buffer: Handle<Buffer>, device: Handle<Device>, copy: Handle<Buffer> }
    CopyToMemory { buffer: Handle<Buffer>, memory: Handle<Memory>, copy: Handle<Buffer> }
}

/// The device that a memory belongs to.
fn device_of(memory: Handle<Memory>) -> Result<Handle<Device>, Failure> {
    memory.get()?.device.get().copied().ok_or(Failure::Null)
}

entries! {
    /// Copies elements of the caller.
    fn from_host(arguments: FromHost) {
        let element = element::of(arguments.kind)?;
        let (sizes, width) = (arguments.sizes.get(), element::width(&element));
        let length = dense_bytes(sizes, width)?;
        let strides = arguments.strides.get();
        let usual = strides.is_empty() || strides == dense(sizes, width);
        if !usual && strides.len() != sizes.len() {
            return Err(Failure::Invalid(format!("{} strides of {} dimensions", strides.len(), sizes.len())));
        }
        if arguments.data.is_null() && length > 0 {
            return Err(Failure::Null);
        }
        let data = if length == 0 {
            element::data(&element, &[])
        } else if usual {
            // SAFETY: by the contract of the C API, the caller's dense array has this type and these sizes: `length` bytes.
            element::data(&element, unsafe { std::slice::from_raw_parts(arguments.data, length) })
        } else {
            let mut bytes = vec![0; length];
            places(sizes, strides, |index, place| {
                // SAFETY: by the contract of the C API, the caller's array has an element at every offset of its strides.
                let source = unsafe { std::slice::from_raw_parts(arguments.data.offset(place as isize), width) };
                bytes[index * width..][..width].copy_from_slice(source);
            });
            element::data(&element, &bytes)
        };
        let shape = sizes.iter().map(|&size| size as usize).collect();
        let device = match arguments.memory.get() {
            Ok(_) => device_of(arguments.memory)?,
            Err(_) => arguments.device,
        };
        arguments.buffer = Handle::give(Buffer::new(Tensor::new(element, shape, data), device)?);
        arguments.done = Handle::give(Event::ready());
        Ok(())
    }

    /// Copies elements to the caller's memory once they are computed, or answers with their size in bytes.
    fn to_host(arguments: ToHost) {
        let buffer = arguments.buffer.get()?;
        let value = buffer.value()?;
        let length = buffer.bytes()?;
        if arguments.to.is_null() {
            arguments.size = length;
            return Ok(());
        }
        if arguments.size < length {
            return Err(Failure::Invalid(format!("the destination must have {length} bytes: it has {}", arguments.size)));
        }
        let width = element::width(&buffer.element);
        let strides = match arguments.layout.get() {
            Ok(order) => strides_of(order, &buffer.sizes, width)?,
            Err(_) => None,
        };
        if let Some(strides) = &strides {
            let last: i64 = strides.iter().zip(&buffer.sizes).map(|(stride, size)| stride * (size - 1).max(0)).sum();
            let within = strides.iter().all(|&stride| stride >= 0) && last + width as i64 <= arguments.size as i64;
            if !within && length > 0 {
                return Err(Failure::Invalid("a layout must stay within the destination's memory".to_owned()));
            }
        }
        let (destination, sizes, done) = (HostMemory(arguments.to), buffer.sizes.clone(), Event::open());
        arguments.done = Handle::give(done.clone());
        let ready = value.done.clone();
        ready.then(move |_| {
            let copied = caught(|| {
                let tensor = value.made()?;
                let bytes = element::bytes(&tensor.data);
                if bytes.len() != length {
                    let facts = format!("a value must have the announced {length} bytes: it has {}", bytes.len());
                    return Err(Failure::Invalid(facts));
                }
                destination.fill(bytes, width, &sizes, strides.as_deref());
                Ok(())
            });
            drop(value);
            done.set(copied.err().and_then(|failure| failure.outcome()));
        });
        Ok(())
    }

    /// Frees a buffer.
    fn destroy(arguments: Only<Buffer>) {
        drop(arguments.object.take());
        Ok(())
    }

    /// The PJRT number of its element type.
    fn element_type(arguments: Ask<Buffer, i32>) {
        arguments.answer = arguments.object.get()?.kind;
        Ok(())
    }

    /// Its sizes.
    fn dimensions(arguments: Ask<Buffer, Slice<i64>>) {
        arguments.answer = Slice::of(&arguments.object.get()?.sizes);
        Ok(())
    }

    /// Indices of dynamic dimensions: none.
    fn dynamic_dimensions(arguments: Ask<Buffer, Slice<usize>>) {
        arguments.answer = Slice::of(&[]);
        Ok(())
    }

    /// The order of its elements: row-major.
    fn layout(arguments: Ask<Buffer, Layout>) {
        let order = &arguments.object.get()?.order;
        arguments.answer.kind = layout::TILED;
        arguments.answer.order = Order {
            tiled: Tiled {
                struct_size: size_of::<Tiled>(),
                extension: std::ptr::null_mut(),
                minor_to_major: order.as_ptr(),
                rank: order.len(),
                tile_sizes: std::ptr::null(),
                tile_ranks: std::ptr::null(),
                tiles: 0,
            },
        };
        Ok(())
    }

    /// Its size in bytes.
    fn size(arguments: Ask<Buffer, usize>) {
        let buffer = arguments.object.get()?;
        arguments.answer = if buffer.is_there() { buffer.bytes()? } else { 0 };
        Ok(())
    }

    /// Its device.
    fn device(arguments: Ask<Buffer, Handle<Device>>) {
        arguments.answer = arguments.object.get()?.device;
        Ok(())
    }

    /// Its memory.
    fn memory(arguments: Ask<Buffer, Handle<Memory>>) {
        arguments.answer = arguments.object.get()?.device.get()?.memory;
        Ok(())
    }

    /// Always false: callers must not read it in place, since its address may change.
    fn is_on_cpu(arguments: Ask<Buffer, bool>) {
        arguments.answer = false;
        Ok(())
    }

    /// Deletes its value.
    fn delete(arguments: Only<Buffer>) {
        let value = arguments.object.get()?.lock().value.take();
        drop(value);
        Ok(())
    }

    /// True if its value is deleted or donated.
    fn is_deleted(arguments: Ask<Buffer, bool>) {
        arguments.answer = !arguments.object.get()?.is_there();
        Ok(())
    }

    /// An event that is ready when the buffer can be read.
    fn ready(arguments: Ask<Buffer, Handle<Event>>) {
        arguments.answer = Handle::give(arguments.object.get()?.value()?.done.clone());
        Ok(())
    }

    /// A copy on another device.
    fn copy_to_device(arguments: CopyToDevice) {
        arguments.copy = Handle::give(arguments.buffer.get()?.copy(arguments.device)?);
        Ok(())
    }

    /// A copy in another memory.
    fn copy_to_memory(arguments: CopyToMemory) {
        arguments.copy = Handle::give(arguments.buffer.get()?.copy(device_of(arguments.memory)?)?);
        Ok(())
    }

    /// The address of its elements, which is valid until `release`.
    fn pointer(arguments: Ask<Buffer, usize>) {
        let value = arguments.object.get()?.value()?;
        arguments.answer = element::bytes(&value.wait()?.data).as_ptr().addr();
        Ok(())
    }

    /// Keeps the elements at their address until `release`.
    fn hold(arguments: Only<Buffer>) {
        let buffer = arguments.object.get()?;
        let data = buffer.value()?.wait()?.data.clone();
        buffer.lock().held.push(data);
        Ok(())
    }

    /// Ends one `hold`.
    fn release(arguments: Only<Buffer>) {
        match arguments.object.get()?.lock().held.pop() {
            Some(_) => Ok(()),
            None => Err(Failure::Invalid("a buffer without an external reference".to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_have_the_sizes_of_the_c_header() {
        assert_eq!(size_of::<FromHost>(), 120);
        assert_eq!(size_of::<ToHost>(), 56);
        assert_eq!(size_of::<Layout>(), 80);
    }

    #[test]
    fn places_of_a_transposed_array_follow_its_strides() {
        let mut found = vec![];
        places(&[2, 3], &[4, 8], |index, place| found.push((index, place)));
        assert_eq!(found, [(0, 0), (1, 8), (2, 16), (3, 4), (4, 12), (5, 20)]);
        assert_eq!(dense(&[2, 3], 4), [12, 4]);
    }
}
