// The findings that a campaign has, by what they look like: whether a divergence is new, the sighting of a finding, or
// may be another bug behind the same signature.
//
// Before a program is reduced, wrong values of one place and class all have one signature. So a sighting is believed
// only when its program has everything that the finding's reduced program keeps. What is not explained like this is
// reduced too, and told apart by what it comes to; but at most kReductions of a signature are, and one more with every
// kSightings of it, or one fault that shows everywhere would take all of the time. A flaky finding explains nothing:
// what looks like it is confirmed anew, kReductions times.
//
// What a campaign was killed in must not tell in what it finds later: all that place() goes by is in the folder, and a
// test that is placed once more counts once.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/masks.h"
#include "core/program.h"
#include "core/result.h"
#include "core/verdict.h"
#include "report/evidence.h"

namespace jp::app {

/// What a divergence is to a campaign.
struct Place {
  enum class Kind { kNew, kSighting, kUnexplained, kRetry };
  Kind kind = Kind::kNew;
  /// The finding that it is a sighting of, or looks like; "" for a new one.
  std::string id = "";
};

class Roster {
 public:
  static constexpr std::size_t kReductions = 3;
  static constexpr std::size_t kSightings = 30;

  /// Of the findings kept in a campaign's folder. Without `tells_apart` nothing is reduced, so signatures must do.
  static Result<Roster> of(const std::string& folder, bool tells_apart);

  /// Where a divergence of this program, of the test of this number, belongs. kUnexplained and kRetry take one from
  /// what is left of their kind.
  Place place(const Signature& signature, const Program& program, std::uint64_t number);
  /// The finding that comes to the same when reduced: the same signature with its calls, or the same form. "" if none.
  std::string same_bug(const Signature& signature, const report::SmallForm& small) const;

  void add(const Signature& signature);
  bool has(const std::string& id) const { return entries_.contains(id); }
  void set_flaky(const std::string& id, bool flaky);
  /// A form that the finding of this id was reduced to; the first is its own, others are of other sightings.
  void add_small(const std::string& id, const report::SmallForm& small);

 private:
  struct Entry {
    Signature signature;  // its own
    bool flaky = false;
    std::vector<std::string> refined;  // IDs of its reduced signatures
    std::vector<std::string> forms;
    std::vector<Features> triggers;
    bool explains(const Features& features) const;
  };

  bool tells_apart_ = true;
  std::map<std::string, Entry> entries_;                   // by finding
  std::map<std::string, std::vector<std::string>> alike_;  // findings by unrefined signature, in the order of adding
  std::map<std::string, std::size_t> spent_;               // reductions by unrefined signature
  std::map<std::string, std::size_t> retries_;             // the same
  std::map<std::string, std::set<std::uint64_t>> tests_;   // that were placed, the same
};

}  // namespace jp::app
