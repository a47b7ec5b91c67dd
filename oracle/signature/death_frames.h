// The frames of a death that say where in the compiler, in torch or in a kernel it happened.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace jp::oracle {

/// The first `most` functions of a dead process that tell its cause from another, innermost first. `recorded` is
/// Died::frames: native frames ("libtorch_cpu.so(at::native::copy_(at::Tensor&))"), then Python's ("file:function").
/// Left out: what brings a process down (abort, std::terminate), how torch walks over elements and finds an operator,
/// which any operator's stack has, the functions of the program under test, whose names are drawn, and a library that
/// Inductor built, whose name is a hash. Where no native frame tells anything else, the innermost library comes first.
std::vector<std::string> death_frames(const std::vector<std::string>& recorded, std::size_t most);

/// What a GPU said in the exception that these last words of an aborted process are about ("CUDA error: device-side
/// assert triggered"), or "". The runtime aborts a process in which a kernel has failed. Its stack doesn't tell: the
/// failure shows where the GPU is waited for.
std::string kernel_failure(std::string_view last_words);

}  // namespace jp::oracle
