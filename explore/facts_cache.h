// What profile runs have shown, by program: a click on a mutation then needs no run.
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "core/facts.h"
#include "core/observation.h"
#include "mutate/syntax/syntax.h"

namespace jp::explore {

/// What one profile run showed.
struct Shown {
  Facts facts;
  Observation observation;
};

/// The newest ones, by text and lineage: statement ids, by which facts are keyed, follow from the steps. Thread-safe.
class FactsCache {
 public:
  explicit FactsCache(std::size_t most) : most_(most) {}
  std::shared_ptr<const Shown> find(const mutate::Parsed& parsed);
  void keep(const mutate::Parsed& parsed, std::shared_ptr<const Shown> shown);

 private:
  using Entry = std::pair<std::string, std::shared_ptr<const Shown>>;
  std::size_t most_;
  std::mutex mutex_;
  std::list<Entry> entries_;  // the newest first
  std::map<std::string, std::list<Entry>::iterator> places_;
};

}  // namespace jp::explore
