// A program that statements may be taken from, with what a profile run showed of it.
#pragma once

#include "core/facts.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

struct Donor {
  Parsed parsed;
  Facts facts;
};

}  // namespace jp::mutate
