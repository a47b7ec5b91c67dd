// What a harvest left in its folder (instances.json, written by pyrunner/harvest/manifest.py), and how often the
// compiler's own tests call each operator.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "seedgen/harvest/order.h"

namespace jp::app {

/// The instances of a harvest's folder and the calls counted in it; `compiler` is left empty. An Error when it holds no
/// harvest.
Result<seedgen::OrderInput> load_harvest(const std::string& folder);

/// The table corpus/harvest/compiler_calls.json.
Result<seedgen::CallCounts> compiler_calls(const std::string& corpus);

}  // namespace jp::app
