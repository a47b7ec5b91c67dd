// The bugs of corpus/known and corpus/trophies, and what running them again says.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "pyrunner/standalone.h"
#include "report/known.h"

namespace jp::campaign {

/// The folder corpus/ beside the runtime.
Result<std::string> corpus_folder();

/// All known bugs: those of corpus/known, then the trophies. An Error names a file whose head is wrong.
Result<std::vector<report::KnownBug>> known_bugs(const std::string& corpus);

/// "2.15.0+cpu" of an interpreter, or an Error when it has no torch. A file beside the folder carries the answer out.
Result<std::string> torch_of(const pyrunner::Standalone& standalone);

/// What became of a file that showed a bug.
enum class Again : std::uint8_t {
  kThere,    // exit 1: it shows as it did
  kGone,     // exit 0
  kChanged,  // it can't be judged any more, dies or hangs: look at it
};
/// By the exit status of the file; -1 for one that did not end.
Again again_of(int status);
/// "still there", "gone", "changed".
std::string_view again_name(Again again);

/// One file that was run again.
struct Recheck {
  std::string name;
  std::string set;  // "known", "trophies", "findings"
  std::string link;
  std::string state;       // as KnownBug; "open" for findings
  bool said_gone = false;  // its head says that this torch does not show it
  int status = 0;
  double seconds = 0;

  Again again() const { return again_of(status); }
  bool as_said() const { return again() == (said_gone ? Again::kGone : Again::kThere); }
  /// It was gone, and is there again.
  bool regression() const { return said_gone && again() == Again::kThere; }
};

}  // namespace jp::campaign
