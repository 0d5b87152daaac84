//! On macOS an extension module finds Python's functions when it is loaded only if the linker is told so.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
