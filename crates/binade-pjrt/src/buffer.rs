//! Buffers: a tensor on a device.

use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use binade_hlo::{Data, ElementType, Tensor};

use crate::abi::{Ask, Handle, Layout, Only, Order, Slice, Tiled, arguments, entries, layout};
use crate::device::Device;
use crate::element;
use crate::error::Failure;
use crate::event::Event;
use crate::memory::Memory;

/// A buffer. Its tensor is gone once it is deleted or donated.
pub(crate) struct Buffer {
    element: ElementType,
    kind: i32,
    sizes: Vec<i64>,
    /// Dimensions from the fastest on.
    order: Vec<i64>,
    device: Handle<Device>,
    state: Mutex<State>,
}

struct State {
    tensor: Option<Tensor>,
    /// Elements that others use by their address.
    held: Vec<Arc<Data>>,
}

impl Buffer {
    pub(crate) fn new(tensor: Tensor, device: Handle<Device>) -> Result<Buffer, Failure> {
        let kind = element::kind(&tensor.element)?;
        let place = device.get()?;
        if !place.own {
            let facts = format!("a buffer on device {}, which process {} has,", place.id, place.process);
            return Err(Failure::Unimplemented(facts));
        }
        let size = |&size: &usize| i64::try_from(size).unwrap_or(i64::MAX);
        Ok(Buffer {
            kind,
            element: tensor.element.clone(),
            sizes: tensor.shape.iter().map(size).collect(),
            order: (0..tensor.shape.len() as i64).rev().collect(),
            device,
            state: Mutex::new(State { tensor: Some(tensor), held: vec![] }),
        })
    }

    /// A token: it has no elements.
    pub(crate) fn token(device: Handle<Device>) -> Result<Buffer, Failure> {
        let nothing = Tensor::new(ElementType::Bool, vec![0], element::data(&ElementType::Bool, &[]));
        Ok(Buffer { kind: element::TOKEN, sizes: vec![], order: vec![], ..Buffer::new(nothing, device)? })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn tensor(&self) -> Result<Tensor, Failure> {
        self.lock().tensor.clone().ok_or(Failure::Deleted)
    }

    /// Takes the tensor: the buffer is deleted with that.
    pub(crate) fn donate(&self) -> Result<Tensor, Failure> {
        self.lock().tensor.take().ok_or(Failure::Deleted)
    }

    /// Whether a tensor can be had.
    pub(crate) fn is_there(&self) -> bool {
        self.lock().tensor.is_some()
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

/// The places of all elements in bytes, in row-major order.
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

/// How many bytes dense elements take; an error if that is more than memory has.
fn dense_bytes(sizes: &[i64], width: usize) -> Result<usize, Failure> {
    let size = |bytes: usize, &size: &i64| bytes.checked_mul(usize::try_from(size).ok()?);
    let bytes = sizes.iter().try_fold(width, size).filter(|&bytes| bytes <= isize::MAX as usize);
    bytes.ok_or_else(|| Failure::Invalid(format!("a buffer of the sizes {sizes:?}")))
}

/// The strides that a layout asks for; none for row-major order.
fn strides_of(order: &Layout, sizes: &[i64], width: usize) -> Result<Option<Vec<i64>>, Failure> {
    let strides = match order.kind {
        layout::TILED => {
            // SAFETY: the kind says which it is.
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
            // SAFETY: as above.
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
            // SAFETY: the caller's array is dense and has this type and these sizes.
            element::data(&element, unsafe { std::slice::from_raw_parts(arguments.data, length) })
        } else {
            let mut bytes = vec![0; length];
            places(sizes, strides, |index, place| {
                // SAFETY: the element at these indices lies there, by the caller's strides.
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

    /// Copies elements to the caller, or says how many bytes that would be.
    fn to_host(arguments: ToHost) {
        let buffer = arguments.buffer.get()?;
        let tensor = buffer.tensor()?;
        let bytes = element::bytes(&tensor.data);
        if arguments.to.is_null() {
            arguments.size = bytes.len();
            return Ok(());
        }
        if arguments.size < bytes.len() {
            return Err(Failure::Invalid(format!("{} bytes are to go into {}", bytes.len(), arguments.size)));
        }
        let width = element::width(&buffer.element);
        let strides = match arguments.layout.get() {
            Ok(order) => strides_of(order, &buffer.sizes, width)?,
            Err(_) => None,
        };
        match strides {
            // SAFETY: the caller's memory has room for `size` bytes, which are no fewer.
            None => unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), arguments.to, bytes.len()) },
            Some(strides) => {
                let last: i64 = strides.iter().zip(&buffer.sizes).map(|(stride, size)| stride * (size - 1).max(0)).sum();
                let within = strides.iter().all(|&stride| stride >= 0) && last + width as i64 <= arguments.size as i64;
                if !within && !bytes.is_empty() {
                    return Err(Failure::Invalid("a layout that leaves its memory".to_owned()));
                }
                places(&buffer.sizes, &strides, |index, place| {
                    let element = &bytes[index * width..][..width];
                    // SAFETY: no place is after the last one, which is within the caller's memory.
                    unsafe {
                        std::ptr::copy_nonoverlapping(element.as_ptr(), arguments.to.offset(place as isize), width);
                    }
                });
            }
        }
        arguments.done = Handle::give(Event::ready());
        Ok(())
    }

    /// Frees a buffer.
    fn destroy(arguments: Only<Buffer>) {
        drop(arguments.object.take());
        Ok(())
    }

    /// The number of its element type.
    fn element_type(arguments: Ask<Buffer, i32>) {
        arguments.answer = arguments.object.get()?.kind;
        Ok(())
    }

    /// Its sizes.
    fn dimensions(arguments: Ask<Buffer, Slice<i64>>) {
        arguments.answer = Slice::of(&arguments.object.get()?.sizes);
        Ok(())
    }

    /// Which sizes are open: none.
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

    /// Bytes that it takes.
    fn size(arguments: Ask<Buffer, usize>) {
        let state = arguments.object.get()?.lock();
        arguments.answer = state.tensor.as_ref().map_or(0, |tensor| element::bytes(&tensor.data).len());
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

    /// Whether callers may read it where it lies. They may not: it has no address that stays.
    fn is_on_cpu(arguments: Ask<Buffer, bool>) {
        arguments.answer = false;
        Ok(())
    }

    /// Gives up its elements.
    fn delete(arguments: Only<Buffer>) {
        let tensor = arguments.object.get()?.lock().tensor.take();
        drop(tensor);
        Ok(())
    }

    /// Whether they are gone.
    fn is_deleted(arguments: Ask<Buffer, bool>) {
        arguments.answer = !arguments.object.get()?.is_there();
        Ok(())
    }

    /// An event that says that it can be read: at once.
    fn ready(arguments: Ask<Buffer, Handle<Event>>) {
        arguments.object.get()?.tensor()?;
        arguments.answer = Handle::give(Event::ready());
        Ok(())
    }

    /// The same elements on another device.
    fn copy_to_device(arguments: CopyToDevice) {
        let tensor = arguments.buffer.get()?.tensor()?;
        arguments.copy = Handle::give(Buffer::new(tensor, arguments.device)?);
        Ok(())
    }

    /// The same elements in another memory.
    fn copy_to_memory(arguments: CopyToMemory) {
        let tensor = arguments.buffer.get()?.tensor()?;
        arguments.copy = Handle::give(Buffer::new(tensor, device_of(arguments.memory)?)?);
        Ok(())
    }

    /// The address of its elements, which stays while the buffer is held.
    fn pointer(arguments: Ask<Buffer, usize>) {
        let state = arguments.object.get()?.lock();
        let tensor = state.tensor.as_ref().ok_or(Failure::Deleted)?;
        arguments.answer = element::bytes(&tensor.data).as_ptr().addr();
        Ok(())
    }

    /// Keeps the elements where they are until they are released.
    fn hold(arguments: Only<Buffer>) {
        let mut state = arguments.object.get()?.lock();
        let data = state.tensor.as_ref().ok_or(Failure::Deleted)?.data.clone();
        state.held.push(data);
        Ok(())
    }

    /// Releases what was held.
    fn release(arguments: Only<Buffer>) {
        match arguments.object.get()?.lock().held.pop() {
            Some(_) => Ok(()),
            None => Err(Failure::Invalid("a buffer that nobody holds".to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(size_of::<FromHost>(), 120);
        assert_eq!(size_of::<ToHost>(), 56);
        assert_eq!(size_of::<Layout>(), 80);
    }

    #[test]
    fn places_of_a_transposed_array() {
        let mut found = vec![];
        places(&[2, 3], &[4, 8], |index, place| found.push((index, place)));
        assert_eq!(found, [(0, 0), (1, 8), (2, 16), (3, 4), (4, 12), (5, 20)]);
        assert_eq!(dense(&[2, 3], 4), [12, 4]);
    }
}
