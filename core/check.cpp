#include "core/check.h"

#include <algorithm>
#include <utility>

#include "core/internal_error.h"

namespace jp {
namespace {
thread_local std::string current_context;

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}
}  // namespace

CheckContext::CheckContext(std::string text) : former_(std::exchange(current_context, std::move(text))) {}
CheckContext::~CheckContext() { current_context = std::move(former_); }

InternalError::InternalError(std::string place, std::string message, std::string context)
    : place_(std::move(place)), text_(one_line(fmt::format("internal error at {}: {}", place_, message))) {
  if (!context.empty()) text_ += one_line(fmt::format(", while working on {}", context));
}

void check_failed(const char* file, int line, const char* condition, const std::string& message) {
  throw InternalError(fmt::format("{}:{}", file, line), fmt::format("{} ({})", message, condition), current_context);
}

}  // namespace jp
