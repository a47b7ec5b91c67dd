#include "oracle/signature/death_frames.h"

#include <algorithm>
#include <optional>

#include "oracle/signature/signature.h"

namespace jp::oracle {
namespace {

// How a process is brought down says nothing about why.
bool is_machinery(std::string_view name) {
  constexpr std::string_view kNames[] = {"raise",
                                         "abort",
                                         "gsignal",
                                         "__pthread_kill_implementation",
                                         "pthread_kill",
                                         "tgkill",
                                         "kill",
                                         "syscall",
                                         "_exit",
                                         "__libc_message",
                                         "__assert_fail",
                                         "__restore_rt",
                                         "std::terminate",
                                         "__cxxabiv1::__terminate",
                                         "__gnu_cxx::__verbose_terminate_handler",
                                         "__cxa_throw",
                                         "__cxa_rethrow",
                                         "__cxa_pure_virtual",
                                         "malloc",
                                         "free",
                                         "cfree",
                                         "__gxx_personality_v0",
                                         "_Unwind_RaiseException",
                                         "_Unwind_Resume"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// How torch and the libraries of C++ and OpenMP get from an operator to its kernel: part of any operator's stack.
bool is_dispatch(std::string_view name) {
  constexpr std::string_view kStarts[] = {"std::_Function_handler",
                                          "std::function",
                                          "std::__invoke",
                                          "std::invoke",
                                          "operator new",
                                          "operator delete",
                                          "GOMP_",
                                          "__kmp",
                                          "c10::detail::",
                                          "at::TensorIterator",
                                          "at::internal::",
                                          "at::parallel_for",
                                          "c10::Dispatcher::",
                                          "c10::impl::",
                                          "c10::function_ref",
                                          "c10::KernelFunction::"};
  return std::any_of(std::begin(kStarts), std::end(kStarts),
                     [&](std::string_view start) { return name.starts_with(start); });
}

// "at::_ops::sort::redispatch" and "at::_ops::sort::call" are the same operator.
std::string_view without_way_in(std::string_view name) {
  if (name.starts_with("at::_ops::"))
    for (std::string_view way : {"::call", "::redispatch"})
      if (name.ends_with(way)) name.remove_suffix(way.size());
  return name;
}

// The libraries whose code without a symbol is never the cause.
bool is_machinery_library(std::string_view name) {
  constexpr std::string_view kNames[] = {"libc.so",  "libstdc++.so", "libgcc_s.so", "libpthread.so",
                                         "ld-linux", "libgomp",      "libiomp",     "libomp"};
  return std::any_of(std::begin(kNames), std::end(kNames),
                     [&](std::string_view library) { return name.starts_with(library); });
}

// Inductor names what it builds after a hash: "cabc….main.so".
bool is_built(std::string_view library) { return !library.starts_with("lib") && !library.starts_with("_"); }

// Whether a name ends with "operator", to which a space, "<" or ">" that follows belongs.
bool ends_with_operator(std::string_view name) {
  constexpr std::string_view kOperator = "operator";
  if (!name.ends_with(kOperator)) return false;
  name.remove_suffix(kOperator.size());
  return name.empty() || name.ends_with(':');
}

// The kernels of each of the processor's instruction sets are the same functions.
std::string without_capability(std::string name) {
  for (std::string_view capability : {"AVX2::", "AVX512::", "DEFAULT::", "ZVECTOR::", "SVE256::", "CPU_CAPABILITY::"})
    if (const std::size_t at = name.find(capability); at != std::string::npos) name.erase(at, capability.size());
  return name;
}

// "decltype(auto) at::f<int>(int)" -> "at::f<int>(int)".
std::string_view without_decltype(std::string_view symbol) {
  const std::size_t end = symbol.starts_with("decltype") ? symbol.find(") ") : std::string_view::npos;
  return end == std::string_view::npos ? symbol : symbol.substr(end + 2);
}

// "void at::native::(anonymous namespace)::f<float>(at::Tensor&)" -> "at::native::(anonymous namespace)::f": neither
// types nor the type of the result, which only some symbols have. The operators of C++ keep their signs and types:
// "operator<<", "operator new", "operator bool".
std::string function_name(std::string_view symbol) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)";
  std::string name;
  int depth = 0;
  bool of_operator = false;
  for (std::size_t at = 0; at < symbol.size(); ++at) {
    const std::string_view rest = symbol.substr(at);
    const char sign = rest.front();
    if (depth == 0 && rest.starts_with(kAnonymous)) {
      name += kAnonymous;
      at += kAnonymous.size() - 1;
      continue;
    }
    of_operator = depth == 0 && (of_operator ? sign != '(' : ends_with_operator(name) && sign != '(');
    if (of_operator) {
      name += sign;
    } else if (depth == 0 && sign == '(') {
      break;
    } else if (depth == 0 && sign == ' ') {
      name.clear();
    } else if (sign == '<' || sign == '>') {
      depth += sign == '<' ? 1 : -1;
    } else if (depth == 0) {
      name += sign;
    }
  }
  return without_capability(std::move(name));
}

struct NativeFrame {
  std::string_view library;
  std::string_view symbol;
};
std::optional<NativeFrame> native_frame(std::string_view frame) {
  const std::size_t open = frame.find('(');
  if (open == std::string_view::npos || !frame.ends_with(')')) return std::nullopt;
  return NativeFrame{frame.substr(0, open), frame.substr(open + 1, frame.size() - open - 2)};
}

// What a frame tells; "" if that is nothing.
std::string name_of(std::string_view frame) {
  const std::optional<NativeFrame> native = native_frame(frame);
  if (!native) return frame.starts_with("program:") ? "" : std::string(frame);
  const std::string name = function_name(without_decltype(native->symbol));
  return is_machinery(name) || is_dispatch(name) ? "" : std::string(without_way_in(name));
}

// The library of the innermost native frame that isn't how a process is brought down, without versions, or "".
std::string library_of(const std::vector<std::string>& recorded) {
  for (const std::string& frame : recorded) {
    const std::optional<NativeFrame> native = native_frame(frame);
    if (native && !is_machinery_library(native->library) && !is_built(native->library))
      return std::string(native->library.substr(0, native->library.find('.')));
  }
  return "";
}

}  // namespace

std::vector<std::string> death_frames(const std::vector<std::string>& recorded, std::size_t most) {
  std::vector<std::string> names;
  bool native = false;
  for (const std::string& frame : recorded) {
    if (names.size() == most) break;
    std::string name = name_of(frame);
    if (name.empty() || (!names.empty() && names.back() == name)) continue;
    native = native || native_frame(frame).has_value();
    names.push_back(std::move(name));
  }
  if (native) return names;
  if (std::string library = library_of(recorded); !library.empty() && most > 0) {
    names.insert(names.begin(), std::move(library));
    names.resize(std::min(names.size(), most));
  }
  return names;
}

std::string kernel_failure(std::string_view last_words) {
  const std::size_t at = last_words.rfind("CUDA error: ");
  if (at == std::string_view::npos) return "";
  const std::string_view line = last_words.substr(at);
  return clean_message(std::string(line.substr(0, line.find('\n'))));
}

}  // namespace jp::oracle
