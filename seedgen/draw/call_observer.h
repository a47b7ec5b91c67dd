// Who sees what a call asks for while it is drawn.
#pragma once

#include "seedgen/draw/want.h"

namespace jp::seedgen {

/// A dimension and how it is written: from the front or, negative, from the back.
struct Dim {
  int at = 0;
  std::int64_t written = 0;
};

class CallObserver {
 public:
  virtual ~CallObserver() = default;
  /// The call asked for an input and took this value. The tests of the want refer to variables of the caller's: they
  /// can be asked now, and not later.
  virtual void took(const Want& want, const Value& taken) = 0;
  /// What is to be written for a dimension drawn among `rank`; `beside`: the one drawn before it, where the call must
  /// name different ones, else nullptr.
  virtual std::int64_t written(int rank, Dim drawn, const Dim* beside) = 0;
};

}  // namespace jp::seedgen
