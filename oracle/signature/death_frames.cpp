#include "oracle/signature/death_frames.h"

#include <algorithm>
#include <string_view>

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
                                         "__gxx_personality_v0",
                                         "_Unwind_RaiseException",
                                         "_Unwind_Resume"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// The libraries whose code without a symbol is never the cause.
bool is_machinery_library(std::string_view name) {
  constexpr std::string_view kNames[] = {"libc.so", "libstdc++.so", "libgcc_s.so", "libpthread.so", "ld-linux"};
  return std::any_of(std::begin(kNames), std::end(kNames),
                     [&](std::string_view library) { return name.starts_with(library); });
}

// Inductor names what it builds after a hash: "cabc….main.so".
bool is_built(std::string_view library) { return !library.starts_with("lib") && !library.starts_with("_"); }

// "void at::native::(anonymous namespace)::f<float>(at::Tensor&)" -> "at::native::(anonymous namespace)::f": neither
// types nor the type of the result, which only some symbols have.
std::string function_name(std::string_view symbol) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)";
  std::string name;
  int depth = 0;
  for (std::size_t at = 0; at < symbol.size(); ++at) {
    const std::string_view rest = symbol.substr(at);
    if (depth == 0 && rest.starts_with(kAnonymous)) {
      name += kAnonymous;
      at += kAnonymous.size() - 1;
    } else if (depth == 0 && rest.starts_with('(')) {
      break;
    } else if (depth == 0 && rest.starts_with(' ')) {
      name.clear();
    } else if (rest.starts_with('<') || rest.starts_with('>')) {
      depth += rest.starts_with('<') ? 1 : -1;
    } else if (depth == 0) {
      name += rest.front();
    }
  }
  return name;
}

std::string native_name(std::string_view library, std::string_view symbol) {
  if (!symbol.empty()) {
    std::string name = function_name(symbol);
    return is_machinery(name) ? "" : name;
  }
  return is_machinery_library(library) || is_built(library) ? "" : std::string(library);
}

std::string name_of(std::string_view frame) {
  const std::size_t open = frame.find('(');
  if (open != std::string_view::npos && frame.ends_with(')'))
    return native_name(frame.substr(0, open), frame.substr(open + 1, frame.size() - open - 2));
  return frame.starts_with("program:") ? "" : std::string(frame);
}

}  // namespace

std::vector<std::string> death_frames(const std::vector<std::string>& recorded, std::size_t most) {
  std::vector<std::string> names;
  for (const std::string& frame : recorded) {
    if (names.size() == most) break;
    std::string name = name_of(frame);
    if (!name.empty() && (names.empty() || names.back() != name)) names.push_back(std::move(name));
  }
  return names;
}

}  // namespace jp::oracle
