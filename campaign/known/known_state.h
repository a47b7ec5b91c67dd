// Which known bugs reproduce on the torch under test: each file is run, and its exit status is cached, so that it runs
// once for each build of torch.
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

/// The torch under test: "2.13.0+cpu", git revision, Python's version and the processor's vector extensions ("AVX2":
/// some bugs of generated C++ show with one of them only), in a form that can be a file name.
std::string torch_build(pyrunner::Runner& runner);

/// The standing of each bug, in the same order. A file runs in a fork of a warm process; if it exits with neither 0 nor
/// 1 there, it is run again in a new interpreter, as `standalone` says. The files are spread over the runners, one
/// thread each. Exit statuses 0, 1 and 2 are cached in `cache_dir` of the runners' options, by torch_build and SHA-256
/// of the file. When given up on the way (`given_up` of the runners' options), the rest are kUnknown.
std::vector<Standing> standings(const std::vector<std::unique_ptr<pyrunner::Runner>>& runners,
                                const std::vector<report::KnownBug>& known, const pyrunner::Standalone& standalone);

/// The standings at a campaign's start, reported to `note` together with the bugs that are back. `folder`: the
/// campaign's.
std::vector<Standing> announced(const std::vector<std::unique_ptr<pyrunner::Runner>>& runners,
                                const std::vector<report::KnownBug>& known, const std::string& folder,
                                const std::function<void(const std::string&)>& note);

/// "42 known bugs: 31 here, 10 gone, 1 can't be judged".
std::string standing_text(const std::vector<Standing>& standings);

/// One sentence for each bug that is gone on this release according to its head, and that reproduces.
std::vector<std::string> regressions(const std::vector<report::KnownBug>& known, const std::vector<Standing>& standings,
                                     const std::string& torch);

}  // namespace jp::campaign
