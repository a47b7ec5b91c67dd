#include "campaign/known/known_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "campaign/common/tools.h"
#include "campaign/known/known.h"
#include "campaign/known/known_signatures.h"
#include "core/files.h"
#include "core/text.h"
#include "oracle/signature/signature.h"
#include "pyrunner/temporary.h"
#include "report/known_head.h"

namespace jp::campaign {
namespace {

bool is_file_name(const std::string& name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  return !name.empty() && name.size() <= 100 && std::all_of(name.begin(), name.end(), fits);
}

// The torch of the interpreter in which the reproducer was tried.
Result<std::string> torch_here() {
  Result<pyrunner::RunnerOptions> paths = runner_options({});
  if (!paths.ok()) return paths.error();
  Result<pyrunner::TemporaryFolder> folder = pyrunner::TemporaryFolder::make("known");
  if (!folder.ok()) return folder.error();
  return torch_of({.python = paths.value().python,
                   .guard = paths.value().guard,
                   .cache = paths.value().cache_dir,
                   .folder = folder.value().path() + "/run"});
}

Result<std::string> added_to(const std::string& name, const std::string& path, const std::string& link,
                             const report::KnownSignature& signature) {
  const Result<std::string> text = read_file(path);
  if (!text.ok()) return text.error();
  const Result<report::KnownBug> bug = report::parse_known(name, text.value());
  if (!bug.ok()) return bug.error();
  if (bug.value().link != link)
    return Error{fmt::format("{} is of {}: give that link, or another --name", path, bug.value().link)};
  return report::with_signatures(bug.value(), {signature}, oracle::kSignatureVersion);
}

}  // namespace

Result<std::string> known_name(const std::string& link, const std::string& asked) {
  static const std::regex kLink("https?://[^\\s/]+(/\\S*)?");
  static const std::regex kTracker("https?://[^\\s/]+/[^\\s/]+/([^\\s/]+)/(?:issues|pull)/([0-9]+)(?:[/#?]\\S*)?");
  if (!std::regex_match(link, kLink))
    return Error{fmt::format("'{}' is no link: give the address of the report, https://…", link)};
  if (!asked.empty()) {
    if (is_file_name(asked)) return asked;
    return Error{fmt::format("'{}' can't be the name of a file: take letters, digits, - and _", asked)};
  }
  std::smatch parts;
  if (!std::regex_match(link, parts, kTracker) || !is_file_name(parts[1].str()))
    return Error{fmt::format("the link {} has no tracker and number: say with --name what to call the file", link)};
  return fmt::format("{}-{}", parts[1].str(), parts[2].str());
}

Result<std::string> write_known(const LoadedFinding& kept, const std::string& corpus, const std::string& link,
                                const std::string& name) {
  const std::string id = kept.finding.signature.id();
  if (kept.finding.status != Finding::Status::kConfirmed)
    return Error{
        fmt::format("{} is {}: only a confirmed finding becomes a known bug", id, status_name(kept.finding.status))};
  if (!kept.reduced)
    return Error{
        fmt::format("{} is not reduced: jitprobe reduce {} --campaign {} first", id, id, shell_word(kept.folder))};
  const std::string path = fmt::format("{}/known/{}.py", corpus, name);
  // Anything else in its own signature belongs to the program as it was found.
  const report::KnownSignature signature =
      known_signature(signature_when_reduced(oracle::current_signature(kept.finding), *kept.reduced));
  std::error_code error;
  Result<std::string> text = std::string();
  if (std::filesystem::exists(path, error)) {
    text = added_to(name, path, link, signature);
    if (!text.ok()) return text;
  } else {
    const Result<VerifiedExport> repro = verified_reproducer(kept);
    if (!repro.ok()) return repro.error();
    if (!repro.value().works)
      return Error{
          fmt::format("the reproducer of {} does not exit with 1 here, so it can't be a known bug's file", id)};
    const Result<std::string> torch = torch_here();
    if (!torch.ok()) return torch.error();
    text = report::with_lines(repro.value().text, "link", {link});
    text = report::with_lines(text.value(), "state", {"open"});
    const auto bug = report::parse_known(name, report::with_lines(text.value(), "signature", {signature.id}));
    if (!bug.ok()) return bug.error();
    text = report::with_signatures(bug.value(), {signature}, oracle::kSignatureVersion);
    text = report::with_lines(text.value(), "here", {report::release_of(torch.value())});
  }
  if (Status made = make_folder(corpus + "/known"); !made.ok()) return made.error();
  if (Status written = write_file(path, text.value()); !written.ok()) return written.error();
  return path;
}

}  // namespace jp::campaign
