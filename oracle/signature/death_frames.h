// The frames of a death that say where in the compiler, in torch or in a kernel it happened.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace jp::oracle {

/// The first `most` functions of a dead process that tell its cause from another, innermost first. `recorded` is
/// Died::frames: native frames ("libtorch_cpu.so(at::native::copy_(at::Tensor&))"), then Python's ("file:function").
/// Left out: what brings a process down (abort, std::terminate), the functions of the program under test, whose names
/// are drawn, and a library that Inductor built, whose name is a hash. A native frame without a symbol counts as its
/// library, once.
std::vector<std::string> death_frames(const std::vector<std::string>& recorded, std::size_t most);

}  // namespace jp::oracle
