//! PJRT's table of functions, in its order. A function that is not implemented returns an error with its name.

use std::ffi::c_void;

use crate::abi::{Api, Entry, Version};
use crate::error::{Error, Failure};

/// The version of the C API that this implements.
const MAJOR: i32 = 0;
const MINOR: i32 = 112;

/// An entry that is not implemented: an error with its name.
///
/// # Safety
/// Always safe to call: the arguments are not read.
unsafe extern "C" fn missing<const INDEX: usize>(_: *mut c_void) -> *mut Error {
    Error::raw(Failure::Unimplemented(format!("PJRT_{}", NAMES[INDEX])))
}

macro_rules! table {
    ($($name:ident $(= $function:path)?,)*) => {
        /// The entries in order.
        #[allow(dead_code, non_camel_case_types, clippy::enum_variant_names, reason = "the names are PJRT's, and only those without a function are used")]
        #[derive(Clone, Copy)]
        #[repr(usize)]
        enum Index { $($name),* }

        const NAMES: &[&str] = &[$(stringify!($name)),*];

        const ENTRIES: [Entry; NAMES.len()] = [$(table!(@entry $name $($function)?)),*];
    };
    (@entry $name:ident) => { missing::<{ Index::$name as usize }> };
    (@entry $name:ident $function:path) => { $function };
}

#[rustfmt::skip]
table! {
    Error_Destroy = crate::error::destroy,
    Error_Message = crate::error::message,
    Error_GetCode = crate::error::code,
    Plugin_Initialize = crate::plugin::initialize,
    Plugin_Attributes = crate::plugin::attributes,
    Event_Destroy = crate::event::destroy,
    Event_IsReady = crate::event::is_ready,
    Event_Error = crate::event::error,
    Event_Await = crate::event::wait,
    Event_OnReady = crate::event::on_ready,
    Client_Create = crate::client::create,
    Client_Destroy = crate::client::destroy,
    Client_PlatformName = crate::client::platform_name,
    Client_ProcessIndex = crate::client::process_index,
    Client_PlatformVersion = crate::client::platform_version,
    Client_Devices = crate::client::devices,
    Client_AddressableDevices = crate::client::own_devices,
    Client_LookupDevice = crate::client::lookup_device,
    Client_LookupAddressableDevice = crate::client::lookup_own,
    Client_AddressableMemories = crate::client::memories,
    Client_Compile = crate::executable::compile,
    Client_DefaultDeviceAssignment = crate::client::default_assignment,
    Client_BufferFromHostBuffer = crate::buffer::from_host,
    DeviceDescription_Id = crate::device::id,
    DeviceDescription_ProcessIndex = crate::device::process_index,
    DeviceDescription_Attributes = crate::device::description_attributes,
    DeviceDescription_Kind = crate::device::kind,
    DeviceDescription_DebugString = crate::device::text,
    DeviceDescription_ToString = crate::device::text,
    Device_GetDescription = crate::device::description,
    Device_IsAddressable = crate::device::is_addressable,
    Device_LocalHardwareId = crate::device::place,
    Device_AddressableMemories = crate::device::memories,
    Device_DefaultMemory = crate::device::default_memory,
    Device_MemoryStats,
    Memory_Id = crate::memory::id,
    Memory_Kind = crate::memory::kind,
    Memory_DebugString = crate::memory::text,
    Memory_ToString = crate::memory::text,
    Memory_AddressableByDevices = crate::memory::devices,
    Executable_Destroy = crate::executable::destroy,
    Executable_Name = crate::executable::name,
    Executable_NumReplicas = crate::executable::replicas,
    Executable_NumPartitions = crate::executable::partitions,
    Executable_NumOutputs = crate::executable::output_count,
    Executable_SizeOfGeneratedCodeInBytes = crate::executable::code_size,
    Executable_GetCostAnalysis = crate::executable::costs,
    Executable_OutputMemoryKinds = crate::executable::output_memory_kinds,
    Executable_OptimizedProgram = crate::executable::program,
    Executable_Serialize = crate::executable::serialize,
    LoadedExecutable_Destroy = crate::executable::loaded_destroy,
    LoadedExecutable_GetExecutable = crate::executable::of_loaded,
    LoadedExecutable_AddressableDevices = crate::executable::devices,
    LoadedExecutable_Delete = crate::executable::delete,
    LoadedExecutable_IsDeleted = crate::executable::is_deleted,
    LoadedExecutable_Execute = crate::execute::execute,
    Executable_DeserializeAndLoad = crate::executable::load,
    LoadedExecutable_Fingerprint = crate::executable::loaded_fingerprint,
    Buffer_Destroy = crate::buffer::destroy,
    Buffer_ElementType = crate::buffer::element_type,
    Buffer_Dimensions = crate::buffer::dimensions,
    Buffer_UnpaddedDimensions = crate::buffer::dimensions,
    Buffer_DynamicDimensionIndices = crate::buffer::dynamic_dimensions,
    Buffer_GetMemoryLayout = crate::buffer::layout,
    Buffer_OnDeviceSizeInBytes = crate::buffer::size,
    Buffer_Device = crate::buffer::device,
    Buffer_Memory = crate::buffer::memory,
    Buffer_Delete = crate::buffer::delete,
    Buffer_IsDeleted = crate::buffer::is_deleted,
    Buffer_CopyToDevice = crate::buffer::copy_to_device,
    Buffer_ToHostBuffer = crate::buffer::to_host,
    Buffer_IsOnCpu = crate::buffer::is_on_cpu,
    Buffer_ReadyEvent = crate::buffer::ready,
    Buffer_UnsafePointer = crate::buffer::pointer,
    Buffer_IncreaseExternalReferenceCount = crate::buffer::hold,
    Buffer_DecreaseExternalReferenceCount = crate::buffer::release,
    Buffer_OpaqueDeviceMemoryDataPointer = crate::buffer::pointer,
    CopyToDeviceStream_Destroy,
    CopyToDeviceStream_AddChunk,
    CopyToDeviceStream_TotalBytes,
    CopyToDeviceStream_GranuleSize,
    CopyToDeviceStream_CurrentBytes,
    TopologyDescription_Create,
    TopologyDescription_Destroy,
    TopologyDescription_PlatformName,
    TopologyDescription_PlatformVersion,
    TopologyDescription_GetDeviceDescriptions,
    TopologyDescription_Serialize,
    TopologyDescription_Attributes,
    Compile,
    Executable_OutputElementTypes = crate::executable::output_types,
    Executable_OutputDimensions = crate::executable::output_dimensions,
    Buffer_CopyToMemory = crate::buffer::copy_to_memory,
    Client_CreateViewOfDeviceBuffer,
    Executable_Fingerprint = crate::executable::fingerprint,
    Client_TopologyDescription,
    Executable_GetCompiledMemoryStats,
    Memory_Kind_Id = crate::memory::kind_id,
    ExecuteContext_Create,
    ExecuteContext_Destroy,
    Buffer_CopyRawToHost,
    AsyncHostToDeviceTransferManager_Destroy,
    AsyncHostToDeviceTransferManager_TransferData,
    Client_CreateBuffersForAsyncHostToDevice,
    AsyncHostToDeviceTransferManager_RetrieveBuffer,
    AsyncHostToDeviceTransferManager_Device,
    AsyncHostToDeviceTransferManager_BufferCount,
    AsyncHostToDeviceTransferManager_BufferSize,
    AsyncHostToDeviceTransferManager_SetBufferError,
    AsyncHostToDeviceTransferManager_AddMetadata,
    Client_DmaMap,
    Client_DmaUnmap,
    Client_CreateUninitializedBuffer,
    Client_UpdateGlobalProcessInfo = crate::client::processes,
    TopologyDescription_Deserialize,
    Client_CreateAliasBuffer,
    Client_FulfillAliasBuffer,
    LoadedExecutable_GetDeviceAssignment = crate::executable::assignment,
    Client_CreateErrorBuffer,
    AsyncHostToDeviceTransferManager_TransferLiteral,
    Buffer_CopyRawToHostFuture,
    Device_PoisonExecution,
    Device_CreateAsyncTrackingEvent,
    AsyncTrackingEvent_Destroy,
    Executable_GetCompileOptions,
    Buffer_DonateWithControlDependency,
    Event_Create = crate::event::create,
    Event_Set = crate::event::set,
    Device_GetAttributes = crate::device::attributes,
    Client_Load,
    LoadedExecutable_AddressableDeviceLogicalIds = crate::executable::logical_ids,
    Buffer_Bitcast,
    Error_ForEachPayload = crate::error::payloads,
    TopologyDescription_Fingerprint,
    Executable_ParameterMemoryKinds = crate::executable::parameter_memory_kinds,
    Device_ClearMemoryStats,
    TopologyDescription_MakeCanonicalShapeForMemorySpace,
    TopologyDescription_GetMemorySpaceKindIds,
}

/// The table.
pub(crate) static API: Api<{ NAMES.len() }> = Api {
    struct_size: size_of::<Api<{ NAMES.len() }>>(),
    extension: std::ptr::null_mut(),
    version: Version {
        struct_size: size_of::<Version>(),
        extension: std::ptr::null_mut(),
        major: MAJOR,
        minor: MINOR,
    },
    entries: ENTRIES,
};

#[cfg(test)]
mod tests {
    use super::*;

    /// `PJRT_Api_STRUCT_SIZE` of version 0.112.
    #[test]
    fn table_has_the_size_of_the_c_header() {
        assert_eq!(size_of_val(&API), 1144);
        assert_eq!(NAMES.len(), 138);
    }
}
