// Lines that do something and lines that undo it, each at a place of its own: as they are, in a block, or in a
// function.
#pragma once

#include <string>
#include <vector>

#include "core/choices.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {

/// Some lines, none of which leaves them.
struct Half {
  Lines lines;
  std::vector<std::string> reads;  // local names that they read and don't bind
  std::vector<std::string> binds;  // names that later lines read
};

/// The lines as they are (the first draw, 0), under `for`, `try`, `finally` or a test that holds, or as the body of a
/// nested function that gets what it reads as arguments or captures it. `test` holds whenever they run; "" for none.
Lines placed(Rewrite& rewrite, const Half& half, const std::string& test, Choices& choices);

}  // namespace jp::mutate
