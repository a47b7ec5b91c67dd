// Analyses of a parsed program's names, computed on first use and cached with the program.
#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "mutate/names/flow.h"
#include "mutate/names/own_code.h"
#include "mutate/names/scopes.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80); }

// All words, sorted, without duplicates.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end > i) words.push_back(text.substr(i, end - i));
    i = end + 1;
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

}  // namespace

struct Parsed::LazyAnalyses {
  std::once_flag scopes_once;
  std::optional<Scopes> scopes;
  std::once_flag own_code_once;
  std::optional<OwnCode> own_code;
  std::once_flag bound_once;
  std::vector<NameSet> bound;
  std::once_flag words_once;
  std::vector<std::string_view> words;  // sorted; they point into the tree's source
  std::mutex answers_mutex;
  std::vector<std::pair<const std::string_view*, bool>> answers;  // answers of has_any(), by the list's address
};

std::shared_ptr<Parsed::LazyAnalyses> Parsed::no_analyses_yet() { return std::make_shared<LazyAnalyses>(); }

const Scopes& Parsed::scopes() const {
  std::call_once(found_->scopes_once, [&] { found_->scopes.emplace(*this); });
  return *found_->scopes;
}

const OwnCode& Parsed::own_code() const {
  std::call_once(found_->own_code_once, [&] { found_->own_code.emplace(*this); });
  return *found_->own_code;
}

const NameSet& Parsed::surely_bound(const Statement& statement) const {
  std::call_once(found_->bound_once, [&] { found_->bound = bound_before(*this); });
  return found_->bound[static_cast<std::size_t>(statement.index)];
}

bool Parsed::has_word(std::string_view word) const {
  std::call_once(found_->words_once, [&] { found_->words = words_of(source()); });
  return std::binary_search(found_->words.begin(), found_->words.end(), word);
}

bool Parsed::has_any(std::span<const std::string_view> words) const {
  const std::lock_guard lock(found_->answers_mutex);
  for (const auto& [list, answer] : found_->answers)
    if (list == words.data()) return answer;
  const bool answer = std::any_of(words.begin(), words.end(), [&](std::string_view word) { return has_word(word); });
  found_->answers.emplace_back(words.data(), answer);
  return answer;
}

}  // namespace jp::mutate
