// What a reproducer has besides where its run under test is on another device than the CPU: the file and its arguments
// are made on the CPU, as always, and are then moved, as a worker moves them.
#pragma once

#include <cstdint>
#include <string>

namespace jp::report::parts {

/// Defines DEVICE, ends with 2 where torch can't use it, and has float32 computed as float32. After `import torch`.
std::string device_setup(const std::string& device);

/// Defines `moved_to(device, module, calls)`.
extern const char* const kMoving;

/// A part of reproducer_parts.h for tensors of a device: cotangents lie where the outputs do, and flushing of denormals
/// is asked of the CPU. `both`: copies for comparison are made on the CPU, because the two sides are on different
/// devices.
std::string for_device(std::string part, bool both);

/// The check that compares the compiled run on the CPU with that on DEVICE.
extern const char* const kMainDevices;

/// Lets this process take so much of the GPU's memory.
std::string device_memory(std::int64_t bytes);

}  // namespace jp::report::parts
