#include "campaign/known/rechecked_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "campaign/common/judging.h"
#include "campaign/common/stopwatch.h"
#include "campaign/known/known_avoid.h"
#include "campaign/known/known_explain.h"
#include "campaign/known/known_form.h"
#include "campaign/known/known_lines.h"
#include "core/files.h"
#include "report/known_head.h"
#include "report/store.h"

namespace jp::campaign {
namespace {

namespace fs = std::filesystem;

Status add_corpus(const std::string& corpus, std::vector<RecheckedFile>& files) {
  for (const char* set : {"known", "trophies"}) {
    const std::string folder = corpus + "/" + set;
    Result<std::vector<report::KnownBug>> known = report::load_known(folder);
    if (!known.ok()) return known.error();
    for (const report::KnownBug& bug : known.value())
      files.push_back({fmt::format("{}/{}.py", folder, bug.name),
                       {.name = bug.name, .set = set, .link = bug.link, .state = bug.state},
                       bug});
  }
  return Done{};
}

/// Confirmed findings only: the others never reproduced by themselves.
Status add_findings(const std::string& campaign, std::vector<RecheckedFile>& files) {
  Result<std::vector<report::FindingRow>> rows = report::list_findings(campaign);
  if (!rows.ok()) return rows.error();
  for (const report::FindingRow& row : rows.value())
    if (row.status == status_name(Finding::Status::kConfirmed))
      files.push_back({fmt::format("{}/findings/{}/repro.py", campaign, row.id),
                       {.name = row.id, .set = "findings", .link = "", .state = "open"},
                       {}});
  return Done{};
}

}  // namespace

Result<std::vector<RecheckedFile>> files_to_recheck(const std::string& corpus, const std::string& campaign,
                                                    const std::vector<std::string>& names) {
  std::vector<RecheckedFile> files;
  Result<std::string> folder = corpus.empty() ? corpus_folder() : Result<std::string>(corpus);
  if (!folder.ok()) return folder.error();
  if (Status added = add_corpus(folder.value(), files); !added.ok()) return added.error();
  if (!campaign.empty())
    if (Status added = add_findings(campaign, files); !added.ok()) return added.error();
  if (files.empty()) return Error{fmt::format("there is nothing to run again in {}", folder.value())};
  if (names.empty()) return files;
  std::vector<RecheckedFile> named;
  for (const std::string& name : names) {
    const auto found = std::find_if(files.begin(), files.end(), [&](const RecheckedFile& file) {
      return file.recheck.name == name || file.recheck.name + ".py" == fs::path(name).filename();
    });
    if (found == files.end()) return Error{fmt::format("there is no {} in {}", name, folder.value())};
    named.push_back(*found);
  }
  return named;
}

Status run_again(const pyrunner::Standalone& standalone, RecheckedFile& file) {
  Result<std::string> text = read_file(file.path);
  if (!text.ok()) return text.error();
  const Stopwatch watch;
  file.recheck.status = pyrunner::run_standalone(standalone, text.value());
  file.recheck.seconds = watch.seconds();
  return Done{};
}

Status update_head(const RecheckedFile& file, const std::string& release) {
  const Again again = file.recheck.again();
  if (file.bug.text.empty() || again == Again::kChanged) return Done{};
  const std::string text = report::with_release(file.bug, release, again == Again::kThere);
  return text == file.bug.text ? Status(Done{}) : write_file(file.path, text);
}

std::vector<std::string> idle_avoids(pyrunner::Runner& runner, const RecheckedFile& file,
                                     const std::vector<report::KnownSignature>& signatures) {
  std::vector<std::string> sentences;
  const Result<Program> program = known_program(file.bug.name, file.bug.text);
  for (const std::string& avoid : file.bug.lines()) {
    for (const report::KnownSignature& signature : signatures) {
      const UnderAvoid under =
          under_avoid(runner, need_oracle(file.bug.oracle), program.value(), {.backend = signature.backend}, avoid);
      if (under.kind != UnderAvoid::Kind::kAgrees)
        sentences.push_back(fmt::format("{}.py: under '{}' its program does not agree on {}: {}", file.bug.name, avoid,
                                        signature.backend, under.reason));
    }
  }
  return sentences;
}

std::vector<std::string> hiding_avoids(pyrunner::Runner& runner, const RecheckedFile& file,
                                       const std::vector<report::KnownSignature>& signatures,
                                       const std::vector<report::KnownBug>& corpus) {
  std::vector<std::string> sentences;
  const Result<Program> program = known_program(file.bug.name, file.bug.text);
  const oracle::Oracle& oracle = need_oracle(file.bug.oracle);
  const std::vector<std::string>& own = file.bug.avoid;
  for (const report::KnownSignature& signature : signatures) {
    std::vector<const report::KnownBug*> others;
    for (const report::KnownBug& bug : corpus)
      if (bug.name != file.bug.name && may_show(bug, oracle, signature.kind, signature.backend)) others.push_back(&bug);
    std::vector<BugLine> lines = mending_lines(others);
    std::erase_if(lines, [&](const auto& one) { return std::find(own.begin(), own.end(), one.text) != own.end(); });
    for (const BugLine& line :
         needed_lines(runner, oracle, program.value(), {.backend = signature.backend}, lines, kMostBugs))
      sentences.push_back(
          fmt::format("{}.py: the avoid line of {} makes its program agree on {}, too: write it as '# around: '",
                      file.bug.name, line.bug->name, signature.backend));
  }
  return sentences;
}

}  // namespace jp::campaign
