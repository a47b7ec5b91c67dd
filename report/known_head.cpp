#include "report/known_head.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace jp::report {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1);
    lines.push_back(text.substr(at, end + 1 - at));
    at = end + 1;
  }
  return lines;
}

// "link" for "# link: …"; "" for any other line.
std::string key_of(const std::string& line) {
  const std::size_t begin = line.find_first_not_of("# \t");
  const std::size_t colon = line.find(": ");
  if (!line.starts_with('#') || begin == std::string::npos || colon == std::string::npos || colon < begin) return "";
  return line.substr(begin, colon - begin);
}

std::size_t rank_of(const std::string& key) {
  return static_cast<std::size_t>(std::find(kHeadKeys.begin(), kHeadKeys.end(), key) - kHeadKeys.begin());
}

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Numbers and the texts between them: {"2", "15", "0", "dev", "1"} of "2.15.0.dev1".
std::vector<std::string> pieces_of(const std::string& release) {
  std::vector<std::string> pieces;
  bool goes_on = false;  // the last piece
  for (char c : release) {
    if (c == '.') {
      goes_on = false;
      continue;
    }
    goes_on = goes_on && is_digit(pieces.back().front()) == is_digit(c);
    if (!goes_on) pieces.emplace_back();
    pieces.back() += c;
    goes_on = true;
  }
  return pieces;
}

// A text component marks a pre-release, which is older than a missing component; a number is newer.
int place_of(const std::vector<std::string>& pieces, std::size_t i) {
  if (i >= pieces.size()) return 1;
  return is_digit(pieces[i].front()) ? 2 : 0;
}

std::string line_of(const std::string& key, const std::string& value) { return fmt::format("# {}: {}\n", key, value); }

std::string text_of(const KnownSignature& signature) {
  if (signature.version == 0) return signature.id;
  return fmt::format("{} v{} {} {}", signature.id, signature.version, signature.kind, signature.backend);
}

std::vector<std::string> joined(std::vector<std::string> releases) {
  if (releases.empty()) return {};
  std::sort(releases.begin(), releases.end(), older);
  return {fmt::format("{}", fmt::join(releases, ", "))};
}

}  // namespace

bool older(const std::string& one, const std::string& other) {
  const std::vector<std::string> left = pieces_of(one);
  const std::vector<std::string> right = pieces_of(other);
  for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
    const int places[] = {place_of(left, i), place_of(right, i)};
    if (places[0] != places[1]) return places[0] < places[1];
    if (left[i] == right[i]) continue;
    if (places[0] == 2 && left[i].size() != right[i].size()) return left[i].size() < right[i].size();
    return left[i] < right[i];
  }
  return false;
}

std::string with_lines(const std::string& text, const std::string& key, const std::vector<std::string>& values) {
  std::string block;
  for (const std::string& value : values) block += line_of(key, value);
  std::vector<std::string> lines = lines_of(text);
  std::size_t end = 0;  // of the head
  while (end < lines.size() && lines[end].starts_with('#')) ++end;
  std::size_t behind = std::min<std::size_t>(1, end);  // of the lines that come before
  bool replaced = false;
  for (std::size_t i = 1; i < end; ++i) {
    const std::string found = key_of(lines[i]);
    if (found == key) {
      lines[i] = replaced ? "" : block;
      replaced = true;
    } else if (rank_of(found) < rank_of(key)) {
      behind = i + 1;
    }
  }
  if (!replaced) lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(behind), block);
  std::string whole;
  for (const std::string& line : lines) whole += line;
  return whole;
}

std::string with_release(const KnownBug& bug, const std::string& release, bool here) {
  std::vector<std::string> there = bug.here;
  std::vector<std::string> gone = bug.gone;
  std::erase(there, release);
  std::erase(gone, release);
  (here ? there : gone).push_back(release);
  return with_lines(with_lines(bug.text, "here", joined(there)), "gone", joined(gone));
}

std::string with_signatures(const KnownBug& bug, const std::vector<KnownSignature>& more, int version) {
  std::vector<std::string> lines;
  const auto add = [&](const KnownSignature& signature) {
    if (std::string line = text_of(signature); std::find(lines.begin(), lines.end(), line) == lines.end())
      lines.push_back(std::move(line));
  };
  const auto written_anew = [&](const KnownSignature& signature) {
    return std::any_of(more.begin(), more.end(), [&](const KnownSignature& one) { return one.id == signature.id; });
  };
  for (const KnownSignature& signature : bug.signatures)
    if (signature.version == version || (signature.version == 0 && !written_anew(signature))) add(signature);
  for (const KnownSignature& signature : more) add(signature);
  return with_lines(bug.text, "signature", lines);
}

}  // namespace jp::report
