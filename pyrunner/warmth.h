// How much a zygote has imported. Importing the compiler takes longer than importing torch, and many runs need none of
// it: a zygote starts with what its backends need, and imports the rest before the first run that needs more.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace jp::pyrunner {

/// What a zygote has imported and used once; each value includes those before it.
enum class Warmth { kTorch, kCompiler, kInductor };

/// What a backend needs, as RunRequest::backend names it; "" is a run without one. Of a backend from a file or a module
/// it isn't known before its first run: kTorch.
Warmth warmth_for(const std::string& backend);

/// What these backends need; all of it if there are none.
Warmth warmth_for(const std::vector<std::string>& backends);

/// Its name in messages to the worker (protocol.h).
std::string warmth_name(Warmth warmth);
/// The one with that name; nothing if there is none.
std::optional<Warmth> warmth_named(const std::string& name);

}  // namespace jp::pyrunner
