// A switch that is set once, by whoever wants something to end, and read by what runs.
#pragma once

#include <atomic>
#include <memory>

namespace jp::explore {

class Cancel {
 public:
  void set() { *asked_ = true; }
  bool asked() const { return *asked_; }

 private:
  std::shared_ptr<std::atomic<bool>> asked_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace jp::explore
