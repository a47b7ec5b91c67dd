// The sandbox of a child: what every program may reach, and what is this program's own.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "pyrunner/options.h"
#include "pyrunner/sandbox.h"

namespace jp::pyrunner {

using Folders = std::set<std::string>;

/// The folders of a program's own file and of its backend's, if they have any (of a module: the current one and those
/// of PYTHONPATH): `program` is a path or "", `backend` as RunRequest::backend.
Folders folders_of(const std::string& program, const std::string& backend);

/// What every program may read on account of the options: the runtime, what was asked for, the backends' folders.
Folders readable_by_all(const RunnerOptions& options);

/// Address space of a program in bytes (Sandbox::address_bytes); 0 where a GPU's driver maps more than anybody has.
/// Resident memory is watched ten times a second; this bounds what can be taken between two looks.
std::int64_t address_space_for(const RunnerOptions& options);

/// For a child whose files lie in `own`, below its runner's folder, and that may read `reads` too. It writes into its
/// own folder alone.
Sandbox child_sandbox(const RunnerOptions& options, const std::string& runners, const std::string& own,
                      const Folders& reads);

}  // namespace jp::pyrunner
