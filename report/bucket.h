// Which findings are one bug: those whose reduced programs have one form, or whose reduced signatures agree. If
// programs of one form end in different exceptions or deaths, the form tells nothing of these: their signatures do.
// A finding that was met while another one was reduced is the same bug, too, if one's features are among the other's.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/verdict.h"
#include "report/evidence.h"

namespace jp::report {

/// What a finding is compared by.
struct Trace {
  std::string id;
  /// Of the reduced program, with its calls (oracle::signature_of); else the finding's own.
  Signature signature;
  /// The reduced program's canonical form; "" if it is not reduced or does nothing, which equals no other.
  std::string form;
  /// The reduced program's features (oracle::traits_of); empty if it is not reduced.
  std::vector<std::string> traits;
  /// The finding whose reduction met this one; "" if there is none, or if either is known.
  std::string met_in;
};

/// For each trace the index of the first that is the same bug: its own for the first of a bucket. The relation is
/// transitive: a and b by form, b and c by signature make one bucket. Depends only on the traces and their order.
std::vector<std::size_t> buckets(const std::vector<Trace>& traces);

/// The trace of a stored finding. `form` is that of its reduced or plain program.
Trace trace_of(const Finding& finding, const std::optional<Evidence>& evidence, std::string form);

}  // namespace jp::report
