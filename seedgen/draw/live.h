// What new tensors take over from a live value, so that later calls can read both together.
#pragma once

#include <optional>

#include "seedgen/draw/draft.h"

namespace jp::seedgen {

/// A live value that a new tensor is made like: rather one that varies, and in one of four draws none at all. To be
/// asked before the draft gets a value more.
class Model {
 public:
  explicit Model(Draft& draft);

  /// Its sizes, where it has dimensions and elements.
  std::optional<Shape> shape() const;
  /// Its last size, or any from `least` to `most`.
  std::int64_t length(std::int64_t least, std::int64_t most) const;
  /// Its dtype, mostly, if that is among these.
  std::optional<Dtype> dtype(DtypeSet dtypes) const;

 private:
  const Value* pick() const;

  Draft& draft_;
  const Value* value_ = nullptr;
};

}  // namespace jp::seedgen
