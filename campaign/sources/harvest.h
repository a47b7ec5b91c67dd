// What a harvest left in its folder (instances.json and operators.json, written by pyrunner/harvest/manifest.py), and
// how often the compiler's own tests call each operator.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/lineage.h"
#include "core/program.h"
#include "core/result.h"
#include "seedgen/harvest/graft.h"
#include "seedgen/harvest/order.h"

namespace jp::campaign {

/// The instances of a harvest's folder and the calls counted in it; `compiler` is left empty. An Error when it holds no
/// harvest.
Result<seedgen::OrderInput> load_harvest(const std::string& folder);

/// The table corpus/harvest/compiler_calls.json.
Result<seedgen::CallCounts> compiler_calls(const std::string& corpus);

/// The calls of a harvest's folder that can stand in graphs; the others are passed over. An Error when it holds no
/// harvest, or none of such calls.
Result<std::shared_ptr<const seedgen::HarvestedOperators>> load_harvested(const std::string& folder);

/// The program of a generated seed, be it with the calls of a harvest. An Error as seedgen::regenerate gives it, or
/// when the harvest is gone or has changed.
Result<Program> regenerate_any(const Seed& seed);

}  // namespace jp::campaign
