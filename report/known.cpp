#include "report/known.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>
#include <sstream>

#include "core/among.h"
#include "core/files.h"
#include "report/known_head.h"

namespace jp::report {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);)
    if (std::string one = trimmed(part); !one.empty()) parts.push_back(std::move(one));
  return parts;
}

Error wrong(const std::string& name, const std::string& what) {
  return Error{fmt::format("{}.py is no known bug: {}", name, what)};
}

constexpr std::string_view kKeys[] = {"kind", "backend", "stage", "frame", "call"};
constexpr std::string_view kStates[] = {"open", "fixed", "wontfix"};
// Those of the head that may stand once.
constexpr std::string_view kOnce[] = {"link", "oracle", "here", "gone", "state"};
// Those that need nothing beside the program.
constexpr std::string_view kOracles[] = {"eager_vs_compiled", "rejects_alike"};

// Whether they differ by one letter, missing, added or changed.
bool one_slip_apart(std::string_view one, std::string_view other) {
  if (one.size() < other.size()) std::swap(one, other);
  if (one == other || one.size() > other.size() + 1) return false;
  std::size_t at = 0;
  while (at < other.size() && one[at] == other[at]) ++at;
  return one.substr(at + 1) == other.substr(one.size() == other.size() ? at + 1 : at);
}

using Pattern = std::vector<std::pair<std::string, std::string>>;

Status add_pattern(KnownBug& bug, const std::string& text) {
  Pattern pattern;
  for (const std::string& part : split(text, ';')) {
    const std::size_t equals = part.find('=');
    const std::string key = part.substr(0, equals);
    if (equals == std::string::npos || !among(kKeys, key))
      return wrong(bug.name, fmt::format("its pattern has '{}'; there are {}", part, fmt::join(kKeys, ", ")));
    if (key == "kind" && !mismatch_named(part.substr(equals + 1)))
      return wrong(bug.name, fmt::format("its pattern has '{}', which is no kind of difference", part));
    pattern.emplace_back(key, part.substr(equals + 1));
  }
  if (pattern.empty()) return wrong(bug.name, "its pattern is empty");
  bug.patterns.push_back(std::move(pattern));
  return Done{};
}

bool is_id(const std::string& word) {
  return word.size() == 16 && word.find_first_not_of("0123456789abcdef") == std::string::npos;
}

Status add_signature(KnownBug& bug, const std::string& text) {
  const std::vector<std::string> words = split(text, ' ');
  KnownSignature signature;
  bool sound = (words.size() == 1 || words.size() == 4) && is_id(words[0]);
  if (sound) signature.id = words[0];
  if (sound && words.size() == 4) {
    const char* end = words[1].data() + words[1].size();
    const auto read = std::from_chars(words[1].data() + 1, end, signature.version);
    sound = words[1].starts_with('v') && read.ec == std::errc() && read.ptr == end;
    signature.kind = words[2];
    signature.backend = words[3];
  }
  if (!sound)
    return wrong(bug.name, fmt::format("its line '# signature: {}' is neither ID nor ID vVERSION KIND BACKEND", text));
  bug.signatures.push_back(std::move(signature));
  return Done{};
}

Status add_line(KnownBug& bug, const std::string& key, const std::string& value) {
  for (const std::string_view known : kHeadKeys)
    if (one_slip_apart(key, known))
      return wrong(bug.name, fmt::format("its head has a line '# {}: ', which must be '# {}: '", key, known));
  if (key == "link") bug.link = value;
  if (key == "avoid") bug.avoid.push_back(value);
  if (key == "around") bug.around.push_back(value);
  if (key == "here") bug.here = split(value, ',');
  if (key == "gone") bug.gone = split(value, ',');
  if (key == "state") bug.state = value;
  if (key == "oracle") bug.oracle = value;
  if (key == "signature") return add_signature(bug, value);
  return key == "pattern" ? add_pattern(bug, value) : Status(Done{});
}

bool holds(const std::pair<std::string, std::string>& part, const Signature& signature,
           const std::vector<std::string>& calls) {
  const std::string& key = part.first;
  const std::string& value = part.second;
  if (key == "kind") return signature.kind == value;
  if (key == "backend") return signature.backend == value;
  if (key == "stage") return signature.stage == value;
  if (key == "call") return among(calls, value);
  return std::any_of(signature.frames.begin(), signature.frames.end(),
                     [&](const std::string& frame) { return frame.find(value) != std::string::npos; });
}

// As general as "wrong values on aot_eager of a program that calls neg_": what matches it is any of many bugs, unless
// an avoid line says which.
bool is_wide(const Pattern& pattern) {
  int calls = 0;
  for (const auto& part : pattern) {
    if (part.first == "frame" || part.first == "stage") return false;
    if (part.first == "call") ++calls;
  }
  return calls < 2;
}

bool is_release(const std::string& text) {
  return !text.empty() && text.front() >= '0' && text.front() <= '9' && text.find_first_of(" \t") == std::string::npos;
}

Status complete(const KnownBug& bug) {
  const std::string& name = bug.name;
  if (bug.title.empty()) return wrong(name, "its first line must be a comment that says what it is");
  if (bug.link.empty()) return wrong(name, "it has no line '# link: ' (or '# link: unreported')");
  if (bug.lines().empty() && std::any_of(bug.patterns.begin(), bug.patterns.end(), is_wide))
    return wrong(
        name,
        "a pattern names no more than kind, backend and one call, which many bugs share: add a frame, a stage or "
        "another call to it, or a line '# avoid: ' to the head");
  if (!among(kOracles, bug.oracle))
    return wrong(name, fmt::format("its line '# oracle: ' must be one of {}", fmt::join(kOracles, ", ")));
  for (const std::vector<std::string>& releases : {bug.here, bug.gone})
    for (const std::string& release : releases)
      if (!is_release(release))
        return wrong(name, fmt::format("'{}' is no version of torch (several are parted by commas)", release));
  for (const std::string& release : bug.here)
    if (among(bug.gone, release)) return wrong(name, fmt::format("torch {} is in both here and gone", release));
  if (!among(kStates, bug.state))
    return wrong(name, fmt::format("its line '# state: ' must be one of {}", fmt::join(kStates, ", ")));
  return Done{};
}

}  // namespace

std::vector<std::string> KnownBug::lines() const {
  std::vector<std::string> all = avoid;
  all.insert(all.end(), around.begin(), around.end());
  return all;
}

bool KnownBug::has_signature(const std::string& id) const {
  return std::any_of(signatures.begin(), signatures.end(), [&](const KnownSignature& one) { return one.id == id; });
}

bool KnownBug::has_pattern(const Signature& signature, const std::vector<std::string>& calls) const {
  return std::any_of(patterns.begin(), patterns.end(), [&](const Pattern& pattern) {
    return std::all_of(pattern.begin(), pattern.end(), [&](const auto& part) { return holds(part, signature, calls); });
  });
}

Result<KnownBug> parse_known(const std::string& name, const std::string& text) {
  KnownBug bug;
  bug.name = name;
  bug.text = text;
  std::set<std::string> seen;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line) && line.starts_with("#");) {
    const std::string said = trimmed(line.substr(1));
    const std::size_t colon = said.find(": ");
    if (bug.title.empty()) {
      bug.title = said;
    } else if (said.ends_with(':') && among(kHeadKeys, said.substr(0, said.size() - 1))) {
      return wrong(name, fmt::format("its line '# {}' says nothing", said));
    } else if (colon != std::string::npos) {
      const std::string key = said.substr(0, colon);
      if (among(kOnce, key) && !seen.insert(key).second)
        return wrong(name, fmt::format("its head has two lines '# {}: '", key));
      if (Status added = add_line(bug, key, trimmed(said.substr(colon + 2))); !added.ok()) return added.error();
    }
  }
  if (Status whole = complete(bug); !whole.ok()) return whole.error();
  return bug;
}

Result<std::vector<KnownBug>> load_known(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".py") paths.push_back(entry.path());
  if (error && error != std::errc::no_such_file_or_directory)
    return Error{fmt::format("the folder {} could not be read: {}", folder, error.message())};
  std::sort(paths.begin(), paths.end());
  std::vector<KnownBug> known;
  for (const std::filesystem::path& path : paths) {
    Result<std::string> text = read_file(path.string());
    if (!text.ok()) return text.error();
    Result<KnownBug> bug = parse_known(path.stem().string(), text.value());
    if (!bug.ok()) return bug.error();
    known.push_back(std::move(bug).value());
  }
  return known;
}

std::string release_of(const std::string& torch) { return trimmed(torch.substr(0, torch.find('+'))); }

bool said_gone(const KnownBug& bug, const std::string& release) {
  if (among(bug.here, release)) return false;
  if (among(bug.gone, release)) return true;
  const auto newest_before = [&](const std::vector<std::string>& releases) {
    std::string newest;
    for (const std::string& one : releases)
      if (older(one, release) && (newest.empty() || older(newest, one))) newest = one;
    return newest;
  };
  const std::string here = newest_before(bug.here);
  const std::string gone = newest_before(bug.gone);
  if (!gone.empty() && (here.empty() || older(here, gone))) return true;
  const bool gone_later =
      std::any_of(bug.gone.begin(), bug.gone.end(), [&](const std::string& one) { return older(release, one); });
  return bug.state == "fixed" && !gone_later;
}

std::string regression_text(const KnownBug& bug, const std::string& release) {
  return fmt::format("regression: {} ({}) was {}, and torch {} shows it again", bug.name, bug.link,
                     bug.state == "fixed" ? "fixed" : "gone", release);
}

}  // namespace jp::report
