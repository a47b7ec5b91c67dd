// An index of a campaign's findings: decides whether a divergence is new, the sighting of a finding, or possibly
// another bug behind the same signature.
//
// Before a program is reduced, wrong values of one kind and class all have one signature. The origin of the first wrong
// value tells more (campaign/evidence/cause.h): the form of its statement, here called its place. Therefore a sighting
// is believed only if its program has everything that the finding's reduced program has, and goes wrong where a
// sighting of the finding did. What this does not explain is reduced too, and told apart by its reduced program.
//
// One fault that shows everywhere would take all of the time, so reductions are bounded, for each signature: at most
// kReductions for one place, and one more with every kSightings; and over all places at most kWasted that came to a
// finding that was there already, and one more with every kSightings. What comes to a new finding is not wasted, up to
// kFindings of a signature. Divergences whose place was not or could not be measured share one place.
//
// A flaky finding explains nothing: what looks like it is confirmed anew, in the next kReductions tests that show it.
//
// Every input of place() is persisted, so a resumed campaign decides alike; one test counts once.
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
  /// The first so many tests of a signature have their place measured, and then one in kMeasureOne.
  static constexpr std::size_t kMeasured = 60;
  static constexpr std::size_t kMeasureOne = 10;

  /// The index of the findings stored in a campaign's folder. Without `tells_apart` nothing is reduced, and signatures
  /// alone decide.
  static Result<FindingIndex> of(const std::string& folder, bool tells_apart);

  /// Whether it has findings of the same unrefined signature.
  bool has_alike(const Signature& signature) const;
  /// Whether it pays to measure the place of a divergence before it is looked up.
  bool wants_place(const Signature& signature) const;
  /// Whether it pays to check whether a sighting of a known bug shows another bug, too.
  bool wants_second_look(const Signature& signature) const;
  /// The triage decision for a divergence of this program, in the test of this number. kUnexplained uses up one
  /// of its bound.
  TriageDecision place(const Signature& signature, const Program& program, std::uint64_t number);
  /// The finding that reduces to the same program, wherever it first went wrong: the same signature with its calls, or
  /// the same form. "" if none.
  std::string same_bug(const Signature& signature, const report::ReducedProgram& small) const;

  /// Whether that finding, or a sighting of it, was reduced to this form.
  bool has_form(const std::string& id, const report::ReducedProgram& small) const;
  /// The signature under which the finding of this id is stored.
  const Signature& signature(const std::string& id) const;

  void add(const Signature& signature);
  bool has(const std::string& id) const { return entries_.contains(id); }
  void set_flaky(const std::string& id, bool flaky);
  /// Adds a form that the finding of this id was reduced to; the first is its own, others come from other sightings.
  void add_small(const std::string& id, const report::ReducedProgram& small);

 private:
  struct Entry {
    Signature signature;  // its own
    bool flaky = false;
    std::set<std::string> places;      // at which it goes wrong; empty until that is known
    std::vector<std::string> refined;  // IDs of its reduced signatures
    std::vector<std::string> forms;
    std::vector<std::string> reduced_at;  // the places of the programs that were reduced to those forms
    std::vector<Features> triggers;
    bool explains(const Features& features, const std::string& place) const;
  };
  /// What is known of a signature without its refinements.
  struct Alike {
    std::vector<std::string> ids;              // its findings, in the order of adding
    std::set<std::uint64_t> tests;             // tests that were looked up
    std::map<std::string, std::size_t> spent;  // reductions by place
    std::size_t under_way = 0;                 // reductions granted that have not reported back
  };
  std::size_t wasted(const Alike& alike) const;
  bool may_reduce(const Alike& alike, const std::string& place) const;

  bool tells_apart_ = true;
  std::map<std::string, Entry> entries_;  // by finding
  std::map<std::string, Alike> alike_;    // by unrefined signature
};

}  // namespace jp::campaign
