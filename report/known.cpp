#include "report/known.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "oracle/signature.h"
#include "report/files.h"

namespace jp::report {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
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

template <typename List>
bool among(const List& list, std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

Status add_pattern(KnownBug& bug, const std::string& text) {
  std::vector<std::pair<std::string, std::string>> pattern;
  for (const std::string& part : split(text, ';')) {
    const std::size_t equals = part.find('=');
    const std::string key = part.substr(0, equals);
    if (equals == std::string::npos || !among(kKeys, key))
      return wrong(bug.name, fmt::format("its pattern has '{}'; there are {}", part, fmt::join(kKeys, ", ")));
    pattern.emplace_back(key, part.substr(equals + 1));
  }
  if (pattern.empty()) return wrong(bug.name, "its pattern is empty");
  bug.patterns.push_back(std::move(pattern));
  return Done{};
}

Status add_line(KnownBug& bug, const std::string& key, const std::string& value) {
  if (key == "link") bug.link = value;
  if (key == "signature") bug.signatures.push_back(value);
  if (key == "versions") bug.versions = split(value, ' ');
  if (key == "state") bug.state = value;
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

}  // namespace

Result<KnownBug> parse_known(const std::string& name, const std::string& text) {
  KnownBug bug;
  bug.name = name;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line) && line.starts_with("#");) {
    const std::string said = trimmed(line.substr(1));
    const std::size_t colon = said.find(": ");
    if (bug.title.empty()) {
      bug.title = said;
    } else if (colon != std::string::npos) {
      if (Status added = add_line(bug, said.substr(0, colon), trimmed(said.substr(colon + 2))); !added.ok())
        return added.error();
    }
  }
  if (bug.title.empty()) return wrong(name, "its first line must be a comment that says what it is");
  if (bug.link.empty()) return wrong(name, "it has no line '# link: ' (or '# link: unreported')");
  if (bug.signatures.empty() && bug.patterns.empty()) return wrong(name, "it has neither signature nor pattern");
  if (bug.versions.empty()) return wrong(name, "it has no line '# versions: ' that says which torch shows it");
  if (!among(kStates, bug.state))
    return wrong(name, fmt::format("its line '# state: ' must be one of {}", fmt::join(kStates, ", ")));
  return bug;
}

Result<std::vector<KnownBug>> load_known(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".py") paths.push_back(entry.path());
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

const KnownBug* find_known(const std::vector<KnownBug>& known, const Signature& signature, const Program* reduced) {
  const std::string id = signature.id();
  const std::vector<std::string> calls = reduced ? oracle::called_names(reduced->source()) : std::vector<std::string>{};
  for (const KnownBug& bug : known) {
    if (among(bug.signatures, id)) return &bug;
    for (const auto& pattern : bug.patterns)
      if (std::all_of(pattern.begin(), pattern.end(), [&](const auto& part) { return holds(part, signature, calls); }))
        return &bug;
  }
  return nullptr;
}

}  // namespace jp::report
