#include "campaign/known/known.h"

#include <fmt/format.h>

#include <filesystem>

#include "campaign/common/tools.h"
#include "pyrunner/python.h"

namespace jp::campaign {

Result<std::string> corpus_folder() {
  Result<pyrunner::RunnerOptions> options = runner_options({});
  if (!options.ok()) return options.error();
  return (std::filesystem::path(options.value().runtime_dir).parent_path() / "corpus").string();
}

Result<std::vector<report::KnownBug>> known_bugs(const std::string& corpus) {
  std::vector<report::KnownBug> all;
  for (const char* set : {"/known", "/trophies"}) {
    Result<std::vector<report::KnownBug>> some = report::load_known(corpus + set);
    if (!some.ok()) return some;
    all.insert(all.end(), some.value().begin(), some.value().end());
  }
  return all;
}

Result<KnownBefore> known_before(const std::vector<std::string>& folders) {
  if (folders == std::vector<std::string>{"none"}) return KnownBefore{.folders = folders};
  if (folders.empty()) {
    Result<std::string> corpus = corpus_folder();
    Result<KnownBefore> known = corpus.ok() ? known_before({corpus.value()}) : corpus.error();
    if (known.ok()) known.value().folders.clear();
    return known;
  }
  KnownBefore known;
  for (const std::string& folder : folders) {
    known.folders.push_back(std::filesystem::absolute(folder).lexically_normal().string());
    const auto has = [&](const char* name) { return std::filesystem::exists(std::filesystem::path(folder) / name); };
    if (has("campaign.db")) {
      known.campaigns.push_back(folder);
      continue;
    }
    if (!has("known") && !has("trophies"))
      return Error{fmt::format("--known {}: the folder has neither known/ nor trophies/, and is no campaign", folder)};
    Result<std::vector<report::KnownBug>> bugs = known_bugs(folder);
    if (!bugs.ok()) return bugs.error();
    known.bugs.insert(known.bugs.end(), bugs.value().begin(), bugs.value().end());
  }
  return known;
}

Result<std::string> torch_of(const pyrunner::Standalone& standalone) {
  Result<std::string> version =
      pyrunner::ask_python(standalone.python, "import torch; print(torch.__version__, end='')");
  if (!version.ok()) return Error{fmt::format("{} can't import torch", standalone.python)};
  return version;
}

Again again_of(int status) {
  if (status == 1) return Again::kThere;
  return status == 0 ? Again::kGone : Again::kChanged;
}

std::string_view again_name(Again again) {
  if (again == Again::kThere) return "still there";
  return again == Again::kGone ? "gone" : "changed";
}

}  // namespace jp::campaign
