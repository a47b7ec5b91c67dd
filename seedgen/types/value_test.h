// A test of a value, as wishes hold it: a lambda that is kept in place, with what it captures. Unlike std::function it
// never allocates; captures must be trivially copyable (references, pointers, plain values) and small.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>

#include "core/graph.h"

namespace jp::seedgen {

class ValueTest {
 public:
  ValueTest() = default;
  ValueTest(std::nullptr_t) {}
  ValueTest(bool (*test)(const GraphValue&)) {
    if (test == nullptr) return;
    ::new (static_cast<void*>(room_)) decltype(test)(test);
    call_ = [](const void* held, const GraphValue& value) -> bool {
      return (*static_cast<bool (*const*)(const GraphValue&)>(held))(value);
    };
  }
  template <typename Test>
  requires(!std::is_same_v<std::remove_cvref_t<Test>, ValueTest> &&
           std::is_invocable_r_v<bool, const std::remove_cvref_t<Test>&, const GraphValue&>) ValueTest(Test&& test) {
    using Held = std::decay_t<Test>;
    static_assert(sizeof(Held) <= sizeof(room_) && alignof(Held) <= alignof(std::max_align_t));
    static_assert(std::is_trivially_copyable_v<Held> && std::is_trivially_destructible_v<Held>);
    ::new (static_cast<void*>(room_)) Held(test);
    call_ = [](const void* held, const GraphValue& value) -> bool { return (*static_cast<const Held*>(held))(value); };
  }

  explicit operator bool() const { return call_ != nullptr; }
  bool operator()(const GraphValue& value) const { return call_(room_, value); }

 private:
  alignas(std::max_align_t) std::byte room_[96];
  bool (*call_)(const void*, const GraphValue&) = nullptr;
};

}  // namespace jp::seedgen
