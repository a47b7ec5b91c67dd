#include "core/check.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace jp {
namespace {
thread_local std::string current_context;
}

CheckContext::CheckContext(std::string text) : former_(std::exchange(current_context, std::move(text))) {}
CheckContext::~CheckContext() { current_context = std::move(former_); }

void check_failed(const char* file, int line, const char* condition, const std::string& message) {
  fmt::print(stderr, "jitprobe: internal error at {}:{}: {} ({})\n", file, line, message, condition);
  if (!current_context.empty()) fmt::print(stderr, "jitprobe: while working on {}\n", current_context);
  std::fflush(stderr);
  std::abort();
}

}  // namespace jp
