// What findings were reduced to, in findings/<id>/: reduced.json (with reduced.py beside it) and also.json.
//
// Two programs of one finding stand in reduced.json. The best one is what people see: it gets smaller whenever somebody
// goes on reducing, be it the campaign with nothing better to do or `jitprobe reduce`. The other is what the campaign's
// own first reduction came to, within its bound. Later tests depend on that one alone, so it never changes again:
// how far a reduction got since depends on the clock.
#pragma once

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
  /// What the first wrong statement of the sighting does (oracle::place_of); "" when not known.
  std::string place = "";
};

/// All that reduced.json says.
struct ReducedForm {
  /// The smallest so far.
  ReducedProgram best;
  /// Nothing that the reducer knows makes it smaller.
  bool finished = false;
  /// It was judged as a whole, by everything that judging asks, and diverges as the finding does.
  bool verified = false;
  /// What the campaign's bounded reduction came to; nothing when there was none yet.
  std::optional<ReducedProgram> bounded;
};

std::optional<ReducedForm> load_reduced_form(const std::string& folder, const std::string& id);
/// Writes reduced.json and reduced.py; whether it is smaller than what was kept is up to the caller.
Status keep_reduced_form(const std::string& folder, const std::string& id, const ReducedForm& form);

/// The smallest program that a finding was reduced to so far.
std::optional<Program> load_reduced(const std::string& folder, const std::string& id);
/// The mutations that it needs.
std::vector<std::string> load_needed_mutations(const std::string& folder, const std::string& id);

/// Keeps what the bounded reduction came to. It is the best one too where none is kept.
Status keep_reduced(const std::string& folder, const std::string& id, const Program& program,
                    const std::vector<std::string>& mutations = {});
/// What the finding's bounded reduction came to, then what those of other sightings did; none while there was none.
std::vector<ReducedProgram> load_reduced_programs(const std::string& folder, const std::string& id);
/// Keeps what another sighting was reduced to.
Status keep_also(const std::string& folder, const std::string& id, const ReducedProgram& also);

/// A finding that a reduction slipped to: the finding that was reduced, and how many reductions lie between it and a
/// test's divergence (1: none).
struct Slip {
  std::string of;
  int depth = 0;
  /// The avoid line behind which it stays though the known bug that it looks like is gone there; "" for others. Its
  /// reduction keeps to what stays.
  std::string behind = "";
};
/// Depth 0 for a finding that a test met.
Slip load_slip(const std::string& folder, const std::string& id);
Status keep_slip(const std::string& folder, const std::string& id, const Slip& slip);

}  // namespace jp::report
