// The backend's part of a reproducer: the Python that defines `compiled(module)`.
//
// Backends of torch's own are named in a plain torch.compile call. A backend's file is embedded as text, with those
// parts of jitprobe's runtime that it imports, so that the reproducer needs nothing but torch; so is the file of one of
// torch's own backends if the finding sets switches, because they are defined in it.
#pragma once

#include <string>

#include "core/plan.h"
#include "core/program.h"
#include "report/reproducer.h"

namespace jp::report {

/// Whether the text of `reproducer_backend` uses the module `types`.
bool backend_needs_types(const RunRequest& run);

/// Statements indented by four spaces. `run` is the compiled run that the finding is about.
std::string reproducer_backend(const Program& program, const RunRequest& run, const ReproducerOptions& options);

}  // namespace jp::report
