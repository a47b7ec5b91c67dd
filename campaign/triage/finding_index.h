// The findings that a campaign has, by what they look like: whether a divergence is new, the sighting of a finding, or
// may be another bug behind the same signature.
//
// Before a program is reduced, wrong values of one place and class all have one signature. What tells more is where the
// first wrong value comes from (campaign/evidence/cause.h): the form of its statement, here its place. So a sighting is
// believed only when its program has everything that the finding's reduced program keeps, and goes wrong where a
// sighting of the finding did. What is not explained like this is reduced too, and told apart by what it comes to.
//
// Or one fault that shows everywhere would take all of the time, so reductions are bounded, for each signature: at most
// kReductions of one place, and one more with every kSightings; and of all places at most kWasted that came to a
// finding which was there, and one more with every kSightings. What comes to another finding is no waste, up to
// kFindings of a signature. Without a place (where it was not measured, or could not be) all are of one.
//
// A flaky finding explains nothing: what looks like it is confirmed anew, kReductions times.
//
// What a campaign was killed in must not tell in what it finds later: all that place() goes by is in the folder, and a
// test that is placed once more counts once.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "campaign/feedback/suppressions.h"
#include "core/program.h"
#include "core/result.h"
#include "core/verdict.h"
#include "report/evidence.h"

namespace jp::campaign {

/// What a divergence is to a campaign.
struct TriageDecision {
  enum class Kind { kNew, kSighting, kUnexplained, kRetry };
  Kind kind = Kind::kNew;
  /// The finding that it is a sighting of, or looks like; "" for a new one.
  std::string id = "";
};

class FindingIndex {
 public:
  static constexpr std::size_t kReductions = 3;
  static constexpr std::size_t kSightings = 30;
  static constexpr std::size_t kWasted = 6;
  static constexpr std::size_t kFindings = 100;
  /// Of the tests of a signature the first so many have their place measured, and then one in kMeasureOne.
  static constexpr std::size_t kMeasured = 60;
  static constexpr std::size_t kMeasureOne = 10;

  /// Of the findings kept in a campaign's folder. Without `tells_apart` nothing is reduced, so signatures must do.
  static Result<FindingIndex> of(const std::string& folder, bool tells_apart);

  /// Whether it pays to measure the place of a divergence before it is placed.
  bool wants_place(const Signature& signature) const;
  /// Whether it pays to look whether a sighting of a known bug shows nothing else, too.
  bool wants_second_look(const Signature& signature) const;
  /// Where a divergence of this program, of the test of this number, belongs. kUnexplained and kRetry take one from
  /// what is left of their kind.
  TriageDecision place(const Signature& signature, const Program& program, std::uint64_t number);
  /// The finding that comes to the same when reduced, wherever it first went wrong: the same signature with its calls,
  /// or the same form. "" if none.
  std::string same_bug(const Signature& signature, const report::ReducedProgram& small) const;

  /// Whether that finding, or a sighting of it, was reduced to this form.
  bool has_form(const std::string& id, const report::ReducedProgram& small) const;
  /// That under which the finding of this id is kept.
  const Signature& signature(const std::string& id) const;

  void add(const Signature& signature);
  bool has(const std::string& id) const { return entries_.contains(id); }
  void set_flaky(const std::string& id, bool flaky);
  /// A form that the finding of this id was reduced to; the first is its own, others are of other sightings.
  void add_small(const std::string& id, const report::ReducedProgram& small);

 private:
  struct Entry {
    Signature signature;  // its own
    bool flaky = false;
    std::set<std::string> places;      // at which it goes wrong; none while that isn't known
    std::vector<std::string> refined;  // IDs of its reduced signatures
    std::vector<std::string> forms;
    std::vector<std::string> reduced_at;  // the places of the programs that were reduced to those forms
    std::vector<Features> triggers;
    bool explains(const Features& features, const std::string& place) const;
  };
  /// What is known of a signature without its refinements.
  struct Alike {
    std::vector<std::string> ids;              // its findings, in the order of adding
    std::set<std::uint64_t> tests;             // that were placed
    std::map<std::string, std::size_t> spent;  // reductions by place
    std::size_t under_way = 0;                 // reductions given out of which nothing was heard yet
    std::size_t retries = 0;
  };
  std::size_t wasted(const Alike& alike) const;
  bool may_reduce(const Alike& alike, const std::string& place) const;

  bool tells_apart_ = true;
  std::map<std::string, Entry> entries_;  // by finding
  std::map<std::string, Alike> alike_;    // by unrefined signature
};

}  // namespace jp::campaign
