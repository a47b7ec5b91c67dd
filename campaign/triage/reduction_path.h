// How a reduction came to its result: which pass made each program from which.
//
// A reduction may go back to an earlier program, when the last ones don't stand in a full judgement. Therefore every
// accepted program is noted with the one that it was made from, and the way to the result is looked up at the end.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/program.h"
#include "report/trail.h"

namespace jp::campaign {

class ReductionPath {
 public:
  /// `earlier`: the way from the program as it was found to the one that the reduction starts from.
  explicit ReductionPath(report::Trail earlier) : earlier_(std::move(earlier)) {}
  /// A pass made `after` from `before`, and it was accepted.
  void add(const Program& before, const Program& after, std::string_view pass);
  /// The whole way to one of the programs that were accepted, or to the start.
  report::Trail to(const Program& end) const;

 private:
  struct Made {
    std::string before;  // the SHA-256 of the program that it was made from
    std::string pass;
    std::string source;
  };
  report::Trail earlier_;
  std::map<std::string, Made> made_;  // by SHA-256; what is made is simpler, so that no way leads back
};

}  // namespace jp::campaign
