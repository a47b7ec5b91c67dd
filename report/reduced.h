// What findings were reduced to, in findings/<id>/: reduced.json (with reduced.py beside it) and also.json.
//
// reduced.json holds two programs of one finding. The best one is what people see: it gets smaller whenever somebody
// continues the reduction, be it the campaign with nothing better to do or `jitprobe reduce`. The other is the result
// of the campaign's own first reduction, within its bound. Later tests depend on that one alone, so it never changes
// again: how far a reduction got since depends on the clock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/program.h"
#include "core/result.h"

namespace jp::report {

/// A reduced program, and the mutations of its lineage that the fault needs.
struct ReducedProgram {
  Program program;
  std::vector<std::string> mutations;
  /// What the first wrong statement of the sighting does (oracle::place_of); "" if not known.
  std::string place = "";
  /// The test that showed it; nothing in files of earlier versions.
  std::optional<std::uint64_t> test = std::nullopt;
};

/// The contents of reduced.json.
struct ReducedForm {
  /// The smallest so far.
  ReducedProgram best;
  /// No pass of the reducer makes it smaller.
  bool finished = false;
  /// It was judged in full, and diverges as the finding does.
  bool verified = false;
  /// The result of the campaign's bounded reduction; nothing if there was none yet.
  std::optional<ReducedProgram> bounded;
};

/// `folder` is the campaign's, `id` the finding's. Nothing where none was kept, and for a file that isn't sound.
std::optional<ReducedForm> load_reduced_form(const std::string& folder, const std::string& id);
/// Writes reduced.json and reduced.py; the caller checks whether it is smaller than the stored one.
Status keep_reduced_form(const std::string& folder, const std::string& id, const ReducedForm& form);

/// The smallest program that a finding was reduced to so far.
std::optional<Program> load_reduced(const std::string& folder, const std::string& id);
/// The mutations that it needs.
std::vector<std::string> load_needed_mutations(const std::string& folder, const std::string& id);

/// Stores the result of the bounded reduction, which `test` showed. It becomes the best one, too, if none is stored.
Status keep_reduced(const std::string& folder, const std::string& id, const Program& program,
                    const std::vector<std::string>& mutations = {}, std::optional<std::uint64_t> test = std::nullopt);
/// The result of the finding's bounded reduction, then those of other sightings; empty before there is one.
std::vector<ReducedProgram> load_reduced_programs(const std::string& folder, const std::string& id);
/// Stores what another sighting was reduced to.
Status keep_also(const std::string& folder, const std::string& id, const ReducedProgram& also);

/// For a finding that a reduction slipped to: the finding that was reduced, and how many reductions lie between it and
/// a test's divergence (1: none).
struct Slip {
  std::string of;
  int depth = 0;
  /// The avoid line under which it remains although the known bug that it looks like is avoided there; "" for others.
  /// Its reduction preserves that.
  std::string behind = "";
};
/// Depth 0 for a finding that a test met.
Slip load_slip(const std::string& folder, const std::string& id);
Status keep_slip(const std::string& folder, const std::string& id, const Slip& slip);

}  // namespace jp::report
