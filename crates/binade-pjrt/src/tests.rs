//! The interface as a caller sees it: a program from compilation to its result, and what is refused.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::mpsc::{Sender, channel};

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
    // SAFETY: `Handle` is a transparent pointer, for which null is valid.
    unsafe { std::mem::transmute::<*mut T, Handle<T>>(null_mut()) }
}

/// Calls a function of the table: its error's code and message.
fn call<T>(entry: Entry, arguments: &mut T) -> Result<(), (i32, String)> {
    // SAFETY: each test passes the structure of the function that it calls.
    let error = unsafe { entry(std::ptr::from_mut(arguments).cast()) };
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: `Handle` is a transparent pointer, and the function has just given this error out.
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
    // SAFETY: `Handle` is a transparent pointer, and the program outlives the call.
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
    let (output, done) = begun(loaded, input)?;
    call(crate::event::destroy, &mut only(done)).unwrap();
    Ok(output)
}

/// The result of a program, and the event of its run.
fn begun(
    loaded: Handle<Loaded>,
    input: Handle<Buffer>,
) -> Result<(Handle<Buffer>, Handle<Event>), (i32, String)> {
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
    // SAFETY: the call has written its result into the list above.
    Ok((unsafe { outputs[0].read() }, done))
}

const DOUBLE: &str = "func.func @main(%x: tensor<2xf32> {jax.buffer_donor = true}) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}";

const FAILING: &str = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @nothing(%x) : (tensor<2xf32>) -> tensor<2xf32> loc(#loc1)
  return %0 : tensor<2xf32>
}
#loc1 = loc(\"model.py\":3:4)";

/// Has the numbers of a buffer copied, and waits for that.
fn read(buffer: Handle<Buffer>) -> Result<[f32; 2], (i32, String)> {
    let mut numbers = [0f32; 2];
    let mut arguments = ToHost {
        struct_size: 0,
        extension: null_mut(),
        buffer,
        layout: none(),
        to: null_mut(),
        size: 0,
        done: none(),
    };
    call(buffer::to_host, &mut arguments)?;
    assert_eq!(arguments.size, 8);
    arguments.to = numbers.as_mut_ptr().cast();
    call(buffer::to_host, &mut arguments)?;
    let outcome = call(crate::event::wait, &mut only(arguments.done));
    call(crate::event::destroy, &mut only(arguments.done)).unwrap();
    outcome.map(|()| numbers)
}

fn is_deleted(buffer: Handle<Buffer>) -> bool {
    let mut gone = ask(buffer, false);
    call(buffer::is_deleted, &mut gone).unwrap();
    gone.answer
}

/// Returns true if a buffer's event is ready.
fn is_ready(buffer: Handle<Buffer>) -> bool {
    let mut event = ask(buffer, none::<Event>());
    call(buffer::ready, &mut event).unwrap();
    let mut ready = ask(event.answer, false);
    call(crate::event::is_ready, &mut ready).unwrap();
    call(crate::event::destroy, &mut only(event.answer)).unwrap();
    ready.answer
}

fn destroy_all(buffers: impl IntoIterator<Item = Handle<Buffer>>) {
    buffers.into_iter().for_each(|buffer| call(buffer::destroy, &mut only(buffer)).unwrap());
}

/// Keeps the queue of a client from going on until something is sent, or the sender is dropped.
fn gate(client: Handle<Client>) -> Sender<()> {
    let (open, wait) = channel::<()>();
    let gate = Box::new(move || wait.recv().unwrap_or(()));
    assert!(client.get().unwrap().queue.push(gate, false).is_ok());
    open
}

#[test]
fn program_compiled_from_text_gives_its_result() {
    let client = client();
    let loaded = compiled(client, DOUBLE).unwrap();
    let input = buffer(client, &[1.5, -2.0]);
    let output = run(loaded, input).unwrap();
    assert!(is_deleted(input), "a donated buffer");
    assert_eq!(run(loaded, input).err().map(|error| error.0), Some(9));
    assert_eq!(read(output), Ok([3.0, -4.0]));
    destroy_all([input, output]);
    call(executable::loaded_destroy, &mut only(loaded)).unwrap();
    call(client::destroy, &mut only(client)).unwrap();
}

#[test]
fn results_of_a_queued_program_are_promises() {
    let client = client();
    let loaded = compiled(client, DOUBLE).unwrap();
    let open = gate(client);
    let mut chain = vec![buffer(client, &[1.5, -2.0])];
    for step in 0..5 {
        chain.push(run(loaded, chain[step]).unwrap());
        assert!(is_deleted(chain[step]) && !is_deleted(chain[step + 1]), "step {step}");
    }
    assert!(!is_ready(chain[5]));
    // What can be said without the elements is said.
    let mut sizes = ask(chain[5], Slice::<i64>::of(&[]));
    call(buffer::dimensions, &mut sizes).unwrap();
    let mut bytes = ask(chain[5], 0);
    call(buffer::size, &mut bytes).unwrap();
    assert!(sizes.answer.get() == [2] && bytes.answer == 8);
    // A copy is of what will be made, and stays when the other is given up.
    let mut copy = buffer::CopyToDevice {
        struct_size: 0,
        extension: null_mut(),
        buffer: chain[5],
        device: client.get().unwrap().devices[0],
        copy: none(),
    };
    call(buffer::copy_to_device, &mut copy).unwrap();
    let twice = run(loaded, chain[5]).unwrap();
    assert!(is_deleted(chain[5]) && !is_ready(copy.copy));
    open.send(()).unwrap();
    assert_eq!(read(twice), Ok([96.0, -128.0]));
    assert_eq!(read(copy.copy), Ok([48.0, -64.0]));
    assert!(is_ready(twice));
    destroy_all(chain.into_iter().chain([twice, copy.copy]));
    call(executable::loaded_destroy, &mut only(loaded)).unwrap();
    call(client::destroy, &mut only(client)).unwrap();
}

#[test]
fn error_of_a_program_is_that_of_its_results_and_of_their_users() {
    let client = client();
    let (fails, doubles) = (compiled(client, FAILING).unwrap(), compiled(client, DOUBLE).unwrap());
    let input = buffer(client, &[0.0; 2]);
    // Queued, and at once because nothing else is to be done.
    for queued in [true, false] {
        let open = queued.then(|| gate(client));
        let first = run(fails, input).unwrap();
        let second = run(doubles, first).unwrap();
        assert!(is_deleted(first));
        drop(open);
        for _ in 0..2 {
            let (code, message) = read(second).err().unwrap();
            assert!(
                code == 12 && message.contains("@nothing") && message.contains("at model.py:3:4"),
                "{code} {message}"
            );
        }
        let mut pointer = ask(second, 0);
        assert_eq!(call(buffer::pointer, &mut pointer).err().map(|error| error.0), Some(12));
        assert!(!is_deleted(second) && is_ready(second));
        destroy_all([first, second]);
    }
    // The queue goes on.
    assert_eq!(read(run(doubles, buffer(client, &[1.0, 2.0])).unwrap()), Ok([2.0, 4.0]));
    call(client::destroy, &mut only(client)).unwrap();
}

#[test]
fn objects_destroyed_with_work_in_flight_do_not_stop_it() {
    let client = client();
    let loaded = compiled(client, DOUBLE).unwrap();
    let open = gate(client);
    let (first, last) = (buffer(client, &[1.0, 2.0]), buffer(client, &[3.0, 4.0]));
    let (made, kept) = (run(loaded, first).unwrap(), run(loaded, last).unwrap());
    let mut event = ask(made, none::<Event>());
    call(buffer::ready, &mut event).unwrap();
    call(executable::loaded_destroy, &mut only(loaded)).unwrap();
    destroy_all([first, last, made]);
    open.send(()).unwrap();
    assert_eq!(read(kept), Ok([6.0, 8.0]));
    assert_eq!(call(crate::event::wait, &mut only(event.answer)), Ok(()));
    call(crate::event::destroy, &mut only(event.answer)).unwrap();
    destroy_all([kept]);
    call(client::destroy, &mut only(client)).unwrap();
}

#[test]
fn programs_of_a_destroyed_client_fail() {
    let client = client();
    let loaded = compiled(client, DOUBLE).unwrap();
    let open = gate(client);
    let (made, done) = begun(loaded, buffer(client, &[1.0, 2.0])).unwrap();
    let closing = {
        let queue = client.get().unwrap().queue.clone();
        std::thread::spawn(move || queue.close())
    };
    let (code, message) = read(made).err().unwrap();
    assert!(code == 1 && message.contains("has ended"), "{code} {message}");
    assert_eq!(call(crate::event::wait, &mut only(done)).err().map(|error| error.0), Some(1));
    call(crate::event::destroy, &mut only(done)).unwrap();
    drop(open);
    closing.join().unwrap();
    // Who still has a program can run it.
    assert_eq!(read(run(loaded, buffer(client, &[1.0, 2.0])).unwrap()), Ok([2.0, 4.0]));
    call(client::destroy, &mut only(client)).unwrap();
}

#[test]
fn programs_of_several_threads_have_their_own_results() {
    let client = client();
    let loaded = compiled(client, DOUBLE).unwrap();
    let open = gate(client);
    std::thread::scope(|scope| {
        for thread in 0..4u8 {
            scope.spawn(move || {
                for round in 0..50u8 {
                    let numbers = [f32::from(thread), f32::from(round)];
                    let mut last = buffer(client, &numbers);
                    for _ in 0..3 {
                        let next = run(loaded, last).unwrap();
                        destroy_all([last]);
                        last = next;
                    }
                    assert_eq!(read(last), Ok(numbers.map(|number| 8.0 * number)));
                    destroy_all([last]);
                }
            });
        }
        drop(open);
    });
    call(client::destroy, &mut only(client)).unwrap();
}

#[test]
fn program_with_effects_runs_after_queued_ones_before_the_call_returns() {
    let client = client();
    let (doubles, pure) = (compiled(client, DOUBLE).unwrap(), compiled(client, FAILING).unwrap());
    let effects = FAILING.replace("(%x) :", "(%x) {has_side_effect = true} :");
    let effects = compiled(client, &effects).unwrap();
    let open = gate(client);
    let before = run(doubles, buffer(client, &[1.0, 2.0])).unwrap();
    assert!(run(pure, buffer(client, &[0.0; 2])).is_ok());
    let waiting = std::thread::spawn(move || run(effects, buffer(client, &[0.0; 2])).err());
    assert!(!is_ready(before));
    drop(open);
    assert_eq!(waiting.join().unwrap().map(|(code, _)| code), Some(12));
    assert!(is_ready(before) && read(before) == Ok([2.0, 4.0]));
    call(client::destroy, &mut only(client)).unwrap();
}

#[test]
fn program_without_async_dispatch_runs_before_the_call_returns() {
    let client = client();
    let mut own = client.take().unwrap();
    own.settings.set("async_dispatch", "false").unwrap();
    let client = Handle::give(*own);
    let open = gate(client);
    let output = run(compiled(client, DOUBLE).unwrap(), buffer(client, &[1.0, 2.0])).unwrap();
    assert!(is_ready(output) && read(output) == Ok([2.0, 4.0]));
    let error = run(compiled(client, FAILING).unwrap(), buffer(client, &[0.0; 2])).err();
    assert_eq!(error.map(|(code, _)| code), Some(12));
    drop(open);
    call(client::destroy, &mut only(client)).unwrap();
}

#[test]
fn refused_program_has_a_code_and_a_message() {
    let client = client();
    let refused = |text: &str| compiled(client, text).err().unwrap();
    let (code, message) = refused("func.func @main() { %0 = stablehlo.nothing : tensor<f32> return }");
    assert!(code == 12 && message.contains("stablehlo.nothing"), "{code} {message}");
    let (code, message) = refused("ML\u{fffd}");
    assert!(code == 3 && message.contains("1:1"), "{code} {message}");
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
fn panic_becomes_an_error() {
    unsafe extern "C" fn panics(_: *mut c_void) -> *mut Error {
        abi::guarded(|| panic!("for the test"))
    }
    let (code, message) = call(panics, &mut only(none::<Buffer>())).err().unwrap();
    assert_eq!((code, &message[..]), (13, "binade panicked: for the test"));
}

#[test]
fn missing_function_is_named_in_its_error() {
    let entry = crate::table::API.entries[crate::table::API.entries.len() - 1];
    let (code, message) = call(entry, &mut only(none::<Buffer>())).err().unwrap();
    assert_eq!(code, 12);
    assert!(
        message.starts_with("PJRT_TopologyDescription_GetMemorySpaceKindIds is not implemented"),
        "{message}"
    );
}
