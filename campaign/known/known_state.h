// Which known bugs are there on the torch under test: each file is run, and what it exits with is kept, so that it is
// run once for each build of torch.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "pyrunner/runner.h"
#include "pyrunner/standalone.h"
#include "report/known.h"

namespace jp::campaign {

/// What a run of a known bug's file by itself says.
enum class Standing : std::uint8_t {
  kUnknown,  // it can't be judged (exit 2), dies or hangs
  kHere,     // exit 1
  kGone,     // exit 0
};

/// The torch under test: "2.13.0+cpu", git revision, Python's version and what the processor can do ("AVX2": some bugs
/// of generated C++ show on one kind alone), in a form that is the name of a file.
std::string torch_build(pyrunner::Runner& runner);

/// The standing of each bug, in the same order. A file runs in a fork of a warm process; what is neither 0 nor 1 there
/// is asked again in a new interpreter, as `standalone` says. The files are spread over the runners, one thread each.
/// Exit statuses 0, 1 and 2 are kept in `cache_dir` of the runners' options, by torch_build and SHA-256 of the file.
/// Given up on the way (`given_up` of the runners' options), what is left is kUnknown.
std::vector<Standing> standings(const std::vector<std::unique_ptr<pyrunner::Runner>>& runners,
                                const std::vector<report::KnownBug>& known, const pyrunner::Standalone& standalone);

/// The standings at a campaign's start, told to `note` with the bugs that are there again. `folder`: the campaign's.
std::vector<Standing> announced(const std::vector<std::unique_ptr<pyrunner::Runner>>& runners,
                                const std::vector<report::KnownBug>& known, const std::string& folder,
                                const std::function<void(const std::string&)>& note);

/// "42 known bugs: 31 here, 10 gone, 1 can't be judged".
std::string standing_text(const std::vector<Standing>& standings);

/// One sentence for each bug that its head says is gone on this release, and that is here.
std::vector<std::string> regressions(const std::vector<report::KnownBug>& known, const std::vector<Standing>& standings,
                                     const std::string& torch);

}  // namespace jp::campaign
