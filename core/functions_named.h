// Which functions and methods of torch's a text names, and which of them are missing from the torch that is tested.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace jp {

/// The names in a text of Python, in order, with repetitions: paths that begin at `torch` as they stand
/// ("torch.linalg.qr", "torch.float32"), and every other attribute as if it were a tensor's ("Tensor.abs"). What stands
/// in strings and comments is read like everything else.
std::vector<std::string> functions_named(std::string_view text);

/// Functions that a torch doesn't have, or that refuse every call.
class MissingFunctions {
 public:
  MissingFunctions() = default;
  /// Names as functions_named() gives them. Those without a dot, which are ids of operators, are left out.
  explicit MissingFunctions(const std::vector<std::string>& names);

  bool empty() const { return names_.empty(); }
  /// Whether the text names one of them.
  bool named_in(std::string_view text) const;
  /// Whether the text names one of them that `before` doesn't name.
  bool new_in(std::string_view text, std::string_view before) const;

 private:
  std::set<std::string, std::less<>> found_in(std::string_view text) const;

  std::set<std::string, std::less<>> names_;
};

}  // namespace jp
