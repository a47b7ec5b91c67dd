// Names that the faster g++ and the worker share.
#pragma once

#include <string_view>

namespace jp::pyrunner {

/// The variable that tells g++ how to compile kernels (main.cpp).
inline constexpr const char* kCompilerMode = "JITPROBE_CXX";
/// Part of the names of what is made with the kept header. Raised whenever one of before would not do.
inline constexpr std::string_view kKept = "kept1";

}  // namespace jp::pyrunner
