//! The interface as a caller sees it: a program from compilation to its result, and what is refused.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use crate::abi::{self, Ask, Entry, Handle, Only, Slice};
use crate::buffer::{self, Buffer, FromHost, ToHost};
use crate::client::{self, Client};
use crate::device::Device;
use crate::error::{self, Error};
use crate::event::Event;
use crate::executable::{self, Compile, Loaded};
use crate::execute::{self, Execute};

/// A null handle.
fn none<T>() -> Handle<T> {
    // SAFETY: a handle is a pointer, for which null is a value.
    unsafe { std::mem::transmute::<*mut T, Handle<T>>(null_mut()) }
}

/// Calls a function of the table: its error's code and message.
fn call<T>(entry: Entry, arguments: &mut T) -> Result<(), (i32, String)> {
    // SAFETY: each test gives the structure of the function.
    let error = unsafe { entry(std::ptr::from_mut(arguments).cast()) };
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: as above: an error that was just given out.
    let handle = unsafe { std::mem::transmute::<*mut Error, Handle<Error>>(error) };
    let mut message = ask(handle, Slice::of(&[]));
    call(error::message, &mut message).unwrap();
    let mut code = ask(handle, 0);
    call(error::code, &mut code).unwrap();
    let text = message.answer.to_text();
    call(error::destroy, &mut only(handle)).unwrap();
    Err((code.answer, text))
}

fn only<T>(object: Handle<T>) -> Only<T> {
    Only { struct_size: size_of::<Only<T>>(), extension: null_mut(), object }
}

fn ask<T, V>(object: Handle<T>, answer: V) -> Ask<T, V> {
    Ask { struct_size: size_of::<Ask<T, V>>(), extension: null_mut(), object, answer }
}

fn client() -> Handle<Client> {
    let mut arguments = client::Create {
        struct_size: 0,
        extension: null_mut(),
        options: Slice::of(&[]),
        get: None,
        get_user: null_mut(),
        put: None,
        put_user: null_mut(),
        client: none(),
    };
    call(client::create, &mut arguments).unwrap();
    arguments.client
}

fn compiled(client: Handle<Client>, text: &str) -> Result<Handle<Loaded>, (i32, String)> {
    let mut program = abi::Program {
        struct_size: 0,
        extension: null_mut(),
        code: text.as_ptr().cast_mut(),
        code_size: text.len(),
        format: Slice::text("mlir"),
    };
    // SAFETY: the program outlives the call.
    let handle = unsafe { std::mem::transmute::<*mut abi::Program, Handle<abi::Program>>(&raw mut program) };
    let mut arguments = Compile {
        struct_size: 0,
        extension: null_mut(),
        client,
        program: handle,
        options: Slice::of(&[]),
        loaded: none(),
    };
    call(executable::compile, &mut arguments).map(|()| arguments.loaded)
}

/// A buffer of two binary32 numbers.
fn buffer(client: Handle<Client>, numbers: &[f32; 2]) -> Handle<Buffer> {
    let mut devices = ask(client, Slice::<Handle<Device>>::of(&[]));
    call(client::devices, &mut devices).unwrap();
    let mut arguments = FromHost {
        struct_size: 0,
        extension: null_mut(),
        client: null(),
        data: numbers.as_ptr().cast(),
        kind: 11,
        sizes: Slice::of(&[2]),
        strides: Slice::of(&[]),
        semantics: 0,
        device: devices.answer.get()[0],
        memory: none(),
        layout: none(),
        done: none(),
        buffer: none(),
    };
    call(buffer::from_host, &mut arguments).unwrap();
    call(crate::event::destroy, &mut only(arguments.done)).unwrap();
    arguments.buffer
}

fn run(loaded: Handle<Loaded>, input: Handle<Buffer>) -> Result<Handle<Buffer>, (i32, String)> {
    let (inputs, mut outputs) = ([input], [none::<Buffer>()]);
    let (inputs, outputs) = (&raw const inputs, &raw mut outputs);
    let (inputs, outputs) = ([inputs.cast::<Handle<Buffer>>()], [outputs.cast::<Handle<Buffer>>()]);
    let mut done = none::<Event>();
    let mut arguments = Execute {
        struct_size: 0,
        extension: null_mut(),
        loaded,
        options: none(),
        inputs: inputs.as_ptr(),
        devices: 1,
        count: 1,
        outputs: outputs.as_ptr(),
        done: &raw mut done,
        device: none(),
    };
    call(execute::execute, &mut arguments)?;
    call(crate::event::destroy, &mut only(done)).unwrap();
    // SAFETY: the list above, into which the result was written.
    Ok(unsafe { outputs[0].read() })
}

const DOUBLE: &str = "func.func @main(%x: tensor<2xf32> {jax.buffer_donor = true}) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}";

#[test]
fn a_program_from_its_text_to_its_result() {
    let client = client();
    let loaded = compiled(client, DOUBLE).unwrap();
    let input = buffer(client, &[1.5, -2.0]);
    let output = run(loaded, input).unwrap();
    let mut gone = ask(input, false);
    call(buffer::is_deleted, &mut gone).unwrap();
    assert!(gone.answer, "a donated buffer");
    assert_eq!(run(loaded, input).err().map(|error| error.0), Some(9));
    let mut numbers = [0f32; 2];
    let mut arguments = ToHost {
        struct_size: 0,
        extension: null_mut(),
        buffer: output,
        layout: none(),
        to: null_mut(),
        size: 0,
        done: none(),
    };
    call(buffer::to_host, &mut arguments).unwrap();
    assert_eq!(arguments.size, 8);
    arguments.to = numbers.as_mut_ptr().cast();
    call(buffer::to_host, &mut arguments).unwrap();
    assert_eq!(numbers, [3.0, -4.0]);
    call(crate::event::destroy, &mut only(arguments.done)).unwrap();
    for buffer in [input, output] {
        call(buffer::destroy, &mut only(buffer)).unwrap();
    }
    call(executable::loaded_destroy, &mut only(loaded)).unwrap();
    call(client::destroy, &mut only(client)).unwrap();
}

#[test]
fn what_is_refused_has_a_code_and_a_message() {
    let client = client();
    let refused = |text: &str| compiled(client, text).err().unwrap();
    let (code, message) = refused("func.func @main() { %0 = stablehlo.nothing : tensor<f32> return }");
    assert!(code == 12 && message.contains("stablehlo.nothing"), "{code} {message}");
    let (code, message) = refused("ML\u{fffd}");
    assert!(code == 3 && message.contains("1:1"), "{code} {message}");
    let failing = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.custom_call @nothing(%x) : (tensor<2xf32>) -> tensor<2xf32> loc(#loc1)
      return %0 : tensor<2xf32>
    }
#loc1 = loc(\"model.py\":3:4)";
    let loaded = compiled(client, failing).unwrap();
    let (code, message) = run(loaded, buffer(client, &[0.0; 2])).err().unwrap();
    assert!(
        code == 12 && message.contains("@nothing") && message.contains("at model.py:3:4"),
        "{code} {message}"
    );
    // Null where an object is needed.
    assert_eq!(call(buffer::size, &mut ask(none::<Buffer>(), 0)).err().map(|error| error.0), Some(3));
    assert_eq!(call(buffer::destroy, &mut only(none::<Buffer>())), Ok(()));
}

/// Callers use these from any thread.
#[test]
fn objects_are_shared_among_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Client>();
    shared::<executable::Compiled>();
    shared::<Buffer>();
    shared::<Event>();
}

#[test]
fn a_panic_becomes_an_error() {
    unsafe extern "C" fn panics(_: *mut c_void) -> *mut Error {
        abi::guarded(|| panic!("for the test"))
    }
    let (code, message) = call(panics, &mut only(none::<Buffer>())).err().unwrap();
    assert_eq!((code, &message[..]), (13, "binade panicked: for the test"));
}

#[test]
fn a_function_that_is_missing_says_its_name() {
    let entry = crate::table::API.entries[crate::table::API.entries.len() - 1];
    let (code, message) = call(entry, &mut only(none::<Buffer>())).err().unwrap();
    assert_eq!(code, 12);
    assert!(
        message.starts_with("PJRT_TopologyDescription_GetMemorySpaceKindIds is not implemented"),
        "{message}"
    );
}
