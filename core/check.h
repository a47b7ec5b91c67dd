// A broken invariant of jitprobe throws an InternalError with everything needed to reproduce it. What a program under
// test does never ends here: that is an Outcome.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace jp {

/// What is being worked on ("seed 7, test 12, lineage …"), reported when a JP_CHECK fails. One per thread; the scope
/// restores the former text when it ends.
class CheckContext {
 public:
  explicit CheckContext(std::string text);
  ~CheckContext();
  CheckContext(const CheckContext&) = delete;
  CheckContext& operator=(const CheckContext&) = delete;

 private:
  std::string former_;
};

[[noreturn]] void check_failed(const char* file, int line, const char* condition, const std::string& message);

}  // namespace jp

/// JP_CHECK(condition, "format", arguments...): throws InternalError if the condition is false. Always on.
#define JP_CHECK(condition, ...)                                                                    \
  do {                                                                                              \
    if (!(condition)) ::jp::check_failed(__FILE__, __LINE__, #condition, fmt::format(__VA_ARGS__)); \
  } while (false)
