#include "report/bucket.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "oracle/judge/compared_runs.h"
#include "oracle/signature/signature.h"

namespace jp::report {
namespace {

/// Union by smallest index, so that the first of a bucket represents it.
class Groups {
 public:
  explicit Groups(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
  std::size_t first(std::size_t i) const {
    while (parent_[i] != i) i = parent_[i];
    return i;
  }
  void join(std::size_t i, std::size_t j) {
    const std::size_t one = first(i);
    const std::size_t other = first(j);
    parent_[std::max(one, other)] = std::min(one, other);
  }

 private:
  std::vector<std::size_t> parent_;
};

bool is_among(const std::vector<std::string>& few, const std::vector<std::string>& many) {
  return !few.empty() && std::includes(many.begin(), many.end(), few.begin(), few.end());
}

bool share_traits(const Trace& one, const Trace& other) {
  return one.signature.backend == other.signature.backend &&
         (is_among(one.traits, other.traits) || is_among(other.traits, one.traits));
}

}  // namespace

std::vector<std::size_t> buckets(const std::vector<Trace>& traces) {
  Groups groups(traces.size());
  std::map<std::string, std::size_t> signatures;
  std::map<std::string, std::set<std::string>> endings;  // by form: exceptions, deaths and the like
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const std::string id = traces[i].signature.id();
    groups.join(i, signatures.try_emplace(id, i).first->second);
    if (!oracle::is_of_values(traces[i].signature)) endings[traces[i].form].insert(id);
  }
  std::map<std::string, std::size_t> forms;
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const std::string& form = traces[i].form;
    const bool tells = oracle::is_of_values(traces[i].signature) || endings[form].size() == 1;
    if (!form.empty() && tells) groups.join(i, forms.try_emplace(form, i).first->second);
  }
  for (std::size_t i = 0; i < traces.size(); ++i)
    for (std::size_t j = 0; j < traces.size(); ++j)
      if (traces[j].id == traces[i].met_in && share_traits(traces[i], traces[j])) groups.join(i, j);
  std::vector<std::size_t> result(traces.size());
  for (std::size_t i = 0; i < traces.size(); ++i) result[i] = groups.first(i);
  return result;
}

Trace trace_of(const Finding& finding, const std::optional<Evidence>& evidence, std::string form) {
  Trace trace{.id = finding.signature.id(), .signature = finding.signature, .form = std::move(form)};
  // A program that is not reduced calls too much for its calls to tell anything.
  if (trace.form.empty() || !evidence || !evidence->plain) return trace;
  const Finding& plain = *evidence->plain;
  if (plain.verdict.differences.empty()) return trace;
  trace.signature = oracle::signature_of(finding.signature.backend, oracle::with_roles(plain.verdict, plain.plan),
                                         plain.outcomes, &plain.program, &plain.plan);
  return trace;
}

}  // namespace jp::report
