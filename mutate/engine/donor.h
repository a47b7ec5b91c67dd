// A program that `splice` may copy statements from, with the facts of its profile run.
#pragma once

#include "core/facts.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

struct Donor {
  Parsed parsed;
  Facts facts;
};

}  // namespace jp::mutate
