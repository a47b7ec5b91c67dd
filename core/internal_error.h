// What a broken invariant of jitprobe throws. Code that can continue without the part that broke catches it (a campaign
// goes on with its next test); a command ends with one sentence.
#pragma once

#include <exception>
#include <string>

namespace jp {

class InternalError : public std::exception {
 public:
  InternalError(std::string place, std::string message, std::string context);

  /// "internal error at FILE:LINE: MESSAGE (CONDITION), while working on CONTEXT", without line breaks.
  const char* what() const noexcept override { return text_.c_str(); }
  /// "FILE:LINE", the path as the compiler was given it.
  const std::string& place() const { return place_; }

 private:
  std::string place_;
  std::string text_;
};

}  // namespace jp
