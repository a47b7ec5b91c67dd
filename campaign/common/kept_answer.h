// What was asked of a torch and need not be asked again: answers in the cache folder, each under a key that changes
// with the torch, our build and our runtime, so that later starts only compare a few dates.
#pragma once

#include <optional>
#include <string>

#include "pyrunner/runner.h"

namespace jp::campaign {

/// Changes with a file's content, without reading it.
std::string stamp_of_file(const std::string& path);
/// The same for every .py file below a folder.
std::string stamp_of_runtime(const std::string& folder);
/// The same for the torch of a venv: one that was built again may have the same version.
std::string stamp_of_torch(const std::string& prefix);
/// All that an answer of a runner depends on: its torch and Python, our programs and our runtime.
std::string stamp_of_runner(const pyrunner::Runner& runner);
/// Our own program.
std::string stamp_of_self();

/// An answer under a key.
class KeptAnswer {
 public:
  KeptAnswer(const std::string& cache, const std::string& key);
  /// The answer, or nothing if there is none or it can't be read.
  std::optional<std::string> get() const;
  /// Keeps it. If the cache can't be written, the question is merely asked again.
  void keep(const std::string& answer) const;

 private:
  std::string path_;
};

}  // namespace jp::campaign
