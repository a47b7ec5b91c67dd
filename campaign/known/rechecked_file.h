// Files that `recheck` runs again: known bugs, trophies and the confirmed findings of a campaign.
#pragma once

#include <string>
#include <vector>

#include "campaign/known/known.h"
#include "core/result.h"
#include "pyrunner/runner.h"
#include "pyrunner/standalone.h"
#include "report/known.h"

namespace jp::campaign {

/// A file to run, and what is said of it.
struct RecheckedFile {
  std::string path;
  Recheck recheck;
  report::KnownBug bug;  // of the corpus; else empty
};

/// The files of `corpus` (the project's where it is ""), then the confirmed findings of `campaign` (none where it is
/// ""). With `names` only these, in their order. An Error when there is no such file, or none at all.
Result<std::vector<RecheckedFile>> files_to_recheck(const std::string& corpus, const std::string& campaign,
                                                    const std::vector<std::string>& names);

/// Runs the file by itself and keeps its exit status and its seconds. An Error when it can't be read.
Status run_again(const pyrunner::Standalone& standalone, RecheckedFile& file);

/// Writes the result of the run into the head of a corpus file; a file that could not be judged stays unchanged.
/// `release`: the torch's version without its build, "2.15.0".
Status update_head(const RecheckedFile& file, const std::string& release);

/// The `avoid:` and `around:` lines of a file's head that have no effect, a sentence each: its own program must agree
/// under each.
std::vector<std::string> idle_avoids(pyrunner::Runner& runner, const RecheckedFile& file,
                                     const std::vector<report::KnownSignature>& signatures);

/// The `avoid:` lines of other bugs that mend this one, too, a sentence each: they are `around:` lines, unless the two
/// bugs have one `avoid:` line.
std::vector<std::string> hiding_avoids(pyrunner::Runner& runner, const RecheckedFile& file,
                                       const std::vector<report::KnownSignature>& signatures,
                                       const std::vector<report::KnownBug>& corpus);

}  // namespace jp::campaign
