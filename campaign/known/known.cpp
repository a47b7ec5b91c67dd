#include "campaign/known/known.h"

#include <fmt/format.h>

#include <filesystem>

#include "campaign/common/tools.h"
#include "report/files.h"
#include "report/reproducer.h"

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

Result<std::string> torch_of(const pyrunner::Standalone& standalone) {
  const std::string answer = standalone.folder + ".torch";
  const int status = pyrunner::run_standalone(
      standalone, fmt::format("import torch\n\nwith open({}, \"w\") as file:\n    file.write(torch.__version__)\n",
                              report::python_literal(std::filesystem::absolute(answer).string())));
  Result<std::string> version = report::read_file(answer);
  std::error_code ignored;
  std::filesystem::remove(answer, ignored);
  if (status != 0 || !version.ok()) return Error{fmt::format("{} can't import torch", standalone.python)};
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
