// Which of an oracle's runs are compared, by their roles in its plan. That is data of each oracle: nothing outside its
// file knows what it calls its runs.
#pragma once

#include <string>

#include "core/verdict.h"

namespace jp::oracle {

/// The two runs of one comparison, and where further runs come from.
struct Sides {
  /// What is expected, and the run under test.
  std::string reference = "eager";
  std::string observed = "compiled";
  /// The plain run of the same program, of which the further runs are variants. Their roles end in `suffix`.
  std::string eager = "eager";
  std::string suffix;
};

/// The verdict with the roles of the two runs that its differences are between.
inline Verdict named(Verdict verdict, const Sides& sides) {
  verdict.reference = sides.reference;
  verdict.under_test = sides.observed;
  return verdict;
}

}  // namespace jp::oracle
