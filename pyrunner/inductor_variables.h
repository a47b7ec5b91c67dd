// What every process of ours that compiles tells Inductor by its environment, before torch is imported: kernels and
// graphs are compiled anew, in the process itself.
#pragma once

#include <array>
#include <utility>

namespace jp::pyrunner {

inline constexpr std::array<std::pair<const char*, const char*>, 3> kInductorVariables = {{
    {"TORCHINDUCTOR_FX_GRAPH_CACHE", "0"},
    {"TORCHINDUCTOR_AUTOGRAD_CACHE", "0"},
    {"TORCHINDUCTOR_COMPILE_THREADS", "1"},
}};

}  // namespace jp::pyrunner
