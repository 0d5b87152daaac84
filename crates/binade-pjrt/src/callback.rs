//! Python functions that programs call back.
//!
//! `binade.jax` has a table of them, and gives this library the address of the one function that calls them, as an option of
//! the client.

use std::ffi::{CString, c_char, c_void};

use binade_hlo::eval::Host;
use binade_hlo::{Tensor, TensorType};

use crate::element;

/// Calls a Python function. It takes the function's name, the addresses of the operands with their sizes in bytes and their number,
/// and the same of the results, which it fills. The last two arguments are a buffer for an error message and its size. It returns
/// zero, or the length of the message.
type Function = unsafe extern "C" fn(
    *const c_char,
    *const *const c_void,
    *const usize,
    usize,
    *const *mut c_void,
    *const usize,
    usize,
    *mut u8,
    usize,
) -> usize;

/// Size of the buffer for error messages, in bytes.
const MESSAGE_SIZE: usize = 1 << 16;

/// The Python functions behind an address; none if it is zero.
///
/// # Safety
/// An address that is not zero must be that of a [`Function`]. Any thread may call it as long as the process lives. It accesses no
/// memory but what it is given.
pub(crate) unsafe fn host(address: usize) -> Option<Host> {
    if address == 0 {
        return None;
    }
    // SAFETY: by this function's contract, an address that is not zero is that of a `Function`.
    let function =
        unsafe { std::mem::transmute::<*const c_void, Function>(std::ptr::with_exposed_provenance(address)) };
    Some(Host::new(move |name, arguments, results| call(function, name, arguments, results)))
}

fn call(
    function: Function,
    name: &str,
    arguments: &[Tensor],
    results: &[&TensorType],
) -> Result<Vec<Tensor>, String> {
    let name = CString::new(name).map_err(|error| error.to_string())?;
    let inputs: Vec<&[u8]> = arguments.iter().map(|tensor| element::bytes(&tensor.data)).collect();
    let mut shapes: Vec<Vec<usize>> = vec![];
    for ty in results {
        let shape = ty.shape.iter().copied().collect::<Option<Vec<usize>>>();
        shapes.push(shape.ok_or_else(|| format!("a result of type {ty}, whose sizes are not known"))?);
    }
    let size = |(ty, shape): (&&TensorType, &Vec<usize>)| {
        shape.iter().try_fold(element::width(&ty.element), |bytes, &size| bytes.checked_mul(size))
    };
    let sizes = results.iter().zip(&shapes).map(size).collect::<Option<Vec<usize>>>();
    let sizes = sizes.ok_or("results of more bytes than can be counted")?;
    let mut outputs: Vec<Vec<u8>> = sizes.iter().map(|&size| vec![0; size]).collect();
    let from: Vec<*const c_void> = inputs.iter().map(|bytes| bytes.as_ptr().cast()).collect();
    let lengths: Vec<usize> = inputs.iter().map(|bytes| bytes.len()).collect();
    let to: Vec<*mut c_void> = outputs.iter_mut().map(|bytes| bytes.as_mut_ptr().cast()).collect();
    let mut message = vec![0; MESSAGE_SIZE];
    // SAFETY: each list has the number of entries that is passed with it, and each address the number of bytes. The results and the
    // message are not used elsewhere during the call.
    let written = unsafe {
        function(
            name.as_ptr(),
            from.as_ptr(),
            lengths.as_ptr(),
            from.len(),
            to.as_ptr(),
            sizes.as_ptr(),
            to.len(),
            message.as_mut_ptr(),
            MESSAGE_SIZE,
        )
    };
    if written > 0 {
        return Err(String::from_utf8_lossy(&message[..written.min(MESSAGE_SIZE)]).into_owned());
    }
    let tensor = |((ty, shape), bytes): ((&&TensorType, Vec<usize>), Vec<u8>)| {
        Tensor::new(ty.element.clone(), shape, element::data(&ty.element, &bytes))
    };
    Ok(results.iter().zip(shapes).zip(outputs).map(tensor).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use binade_hlo::eval::{Executable, Options};
    use binade_hlo::{Data, ElementType, Program, Value};

    /// Writes the first operand's elements twice as large; without operands it fails.
    unsafe extern "C" fn twice(
        name: *const c_char,
        inputs: *const *const c_void,
        _: *const usize,
        count: usize,
        outputs: *const *mut c_void,
        sizes: *const usize,
        _: usize,
        message: *mut u8,
        size: usize,
    ) -> usize {
        // SAFETY: `call` passes a name that ends with zero, `count` inputs, one output of `*sizes` bytes and a message of `size` bytes.
        unsafe {
            if count == 0 {
                let text = std::ffi::CStr::from_ptr(name).to_bytes();
                std::ptr::copy_nonoverlapping(text.as_ptr(), message, text.len().min(size));
                return text.len();
            }
            for at in 0..*sizes / 4 {
                let x = (*inputs).cast::<i32>().add(at).read();
                (*outputs).cast::<i32>().add(at).write(2 * x);
            }
        }
        0
    }

    #[test]
    fn program_with_a_callback_calls_it() {
        let text = "func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
          %t = stablehlo.create_token : !stablehlo.token
          %0:2 = \"stablehlo.custom_call\"(%t, %x) {call_target_name = \"binade_python_callback\", backend_config = \"f\", has_side_effect = true} : (!stablehlo.token, tensor<2xi32>) -> (!stablehlo.token, tensor<2xi32>)
          return %0#1 : tensor<2xi32>
        }
        func.func @fails() {
          stablehlo.custom_call @binade_python_callback() {backend_config = \"g went wrong\", has_side_effect = true} : () -> ()
          return
        }";
        let program = Program::parse(text).unwrap();
        // SAFETY: the address is that of a `Function`, which lives as long as the process.
        let host = unsafe { host((twice as Function as *const c_void).expose_provenance()) };
        let executable = Executable::new(&program, Options { host, ..Options::default() }).unwrap();
        let element = ElementType::Integer { signed: true, width: 32 };
        let x = Tensor::new(element, vec![2], Data::I32(vec![3, -4]));
        let results = executable.run("main", vec![Value::Tensor(x.clone())]).unwrap();
        assert!(
            matches!(&results[..], [Value::Tensor(found)] if matches!(&*found.data, Data::I32(items) if items == &[6, -8]))
        );
        let error = executable.run("fails", vec![]).unwrap_err().to_string();
        assert!(error.contains("a callback failed: g went wrong"), "{error}");
        // Without a host, it is an error when the call is reached.
        let alone = Executable::new(&program, Options::default()).unwrap();
        assert!(
            alone
                .run("main", vec![Value::Tensor(x)])
                .unwrap_err()
                .to_string()
                .contains("@binade_python_callback")
        );
        // SAFETY: zero is no address.
        assert!(unsafe { super::host(0) }.is_none());
    }
}
