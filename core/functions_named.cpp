#include "core/functions_named.h"

#include <algorithm>

namespace jp {
namespace {

constexpr std::string_view kTorch = "torch";

bool in_word(char letter) {
  return letter == '_' || (letter >= '0' && letter <= '9') || ((letter | 0x20) >= 'a' && (letter | 0x20) <= 'z');
}

bool begins_name(char letter) { return in_word(letter) && !(letter >= '0' && letter <= '9'); }

std::size_t end_of_word(std::string_view text, std::size_t at) {
  while (at < text.size() && in_word(text[at])) ++at;
  return at;
}

// Whether an attribute's name follows there: ".abs".
bool attribute_at(std::string_view text, std::size_t at) {
  return at + 1 < text.size() && text[at] == '.' && begins_name(text[at + 1]);
}

}  // namespace

std::vector<std::string> functions_named(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    at = end_of_word(text, at);
    const bool torch = text.substr(begin, at - begin) == kTorch;
    const bool dotted = attribute_at(text, at);
    while (attribute_at(text, at)) {
      const std::size_t dot = at;
      at = end_of_word(text, at + 1);
      if (!torch) names.push_back("Tensor" + std::string(text.substr(dot, at - dot)));
    }
    if (torch && dotted) names.emplace_back(text.substr(begin, at - begin));
    if (at == begin) ++at;
  }
  return names;
}

MissingFunctions::MissingFunctions(const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (name.find('.') != std::string::npos) names_.insert(name);
}

std::set<std::string, std::less<>> MissingFunctions::found_in(std::string_view text) const {
  std::set<std::string, std::less<>> found;
  // Most texts have none of their last words, which is quickly seen.
  if (std::none_of(names_.begin(), names_.end(), [&](const std::string& name) {
        return text.find(std::string_view(name).substr(name.rfind('.'))) != std::string_view::npos;
      }))
    return found;
  for (std::string& name : functions_named(text))
    if (names_.contains(name)) found.insert(std::move(name));
  return found;
}

bool MissingFunctions::named_in(std::string_view text) const { return !found_in(text).empty(); }

bool MissingFunctions::new_in(std::string_view text, std::string_view before) const {
  const auto now = found_in(text);
  if (now.empty()) return false;
  const auto then = found_in(before);
  return !std::includes(then.begin(), then.end(), now.begin(), now.end());
}

}  // namespace jp
