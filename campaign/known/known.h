// The bugs of corpus/known and corpus/trophies, and the results of running them again.
#pragma once

#include <string>
#include <vector>

#include "campaign/making/options.h"
#include "core/result.h"
#include "pyrunner/standalone.h"
#include "report/known.h"

namespace jp::campaign {

/// The folder corpus/ beside the runtime.
Result<std::string> corpus_folder();

/// All known bugs: those of corpus/known, then the trophies. An Error names a file whose head is wrong.
Result<std::vector<report::KnownBug>> known_bugs(const std::string& corpus);

/// What is known in these folders: of each the bugs of known/ and trophies/, or a campaign. The project's corpus for
/// none; nothing for "none" alone. An Error names a folder that is neither.
Result<KnownBefore> known_before(const std::vector<std::string>& folders);

/// The version of an interpreter's torch ("2.15.0+cpu"), or an Error if it has none. The answer is written to a file
/// beside the folder.
Result<std::string> torch_of(const pyrunner::Standalone& standalone);

/// What became of a file that showed a bug.
enum class Again : std::uint8_t {
  kThere,    // exit 1: it shows as it did
  kGone,     // exit 0
  kChanged,  // it can't be judged any more, dies or hangs: a person has to look at it
};
/// By the exit status of the file; -1 if it did not end by itself.
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
  /// The bug was gone and is back.
  bool regression() const { return said_gone && again() == Again::kThere; }
};

}  // namespace jp::campaign
