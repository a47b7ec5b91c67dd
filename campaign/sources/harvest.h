// What a harvest left in its folder (instances.json and operators.json, written by pyrunner/harvest/manifest.py), and
// how often the library's and the compiler's own tests call each operator.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/lineage.h"
#include "core/program.h"
#include "core/result.h"
#include "seedgen/harvest/harvested_operator.h"
#include "seedgen/harvest/order.h"

namespace jp::campaign {

/// The instances of a harvest's folder, with the calls in the library's tests (corpus/harvest/library_calls.json, and
/// those that were counted in the folder unless they are the operator database's, which that table has) and in the
/// compiler's (corpus/harvest/compiler_calls.json). Returns an Error if the folder holds no harvest or a table can't be
/// read.
Result<seedgen::OrderInput> load_harvest(const std::string& folder, const std::string& corpus);

/// Whether a folder holds a harvest.
bool is_harvest(const std::string& folder);

/// The instances of a harvest's folder in an order; `seed` is that of the random one. Fails as load_harvest does.
Result<std::vector<seedgen::Instance>> ordered_harvest(const std::string& folder, const std::string& corpus,
                                                       seedgen::OrderBy by, std::uint64_t seed);

/// The calls of a harvest's folder that can be part of graphs; the others are skipped. Returns an Error if it holds no
/// harvest, or no such calls.
Result<std::shared_ptr<const seedgen::HarvestedOperators>> load_harvested(const std::string& folder);

/// The program of a generated seed, whether or not it has harvested calls. Returns an Error as seedgen::regenerate
/// does, or if the harvest is gone or has changed.
Result<Program> regenerate_any(const Seed& seed);

}  // namespace jp::campaign
