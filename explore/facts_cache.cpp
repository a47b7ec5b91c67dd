#include "explore/facts_cache.h"

#include <fmt/format.h>

#include "mutate/engine/engine.h"

namespace jp::explore {
namespace {

std::string key_of(const mutate::Parsed& parsed) {
  const Program& program = parsed.program();
  std::string key = program.sha256() + "\n" + program.entry() + "\n" + program.inputs();
  for (const Step& step : program.lineage().steps) key += fmt::format("\n{} {}", step.number, mutate::print_step(step));
  return key;
}

}  // namespace

std::shared_ptr<const Shown> FactsCache::find(const mutate::Parsed& parsed) {
  const std::string key = key_of(parsed);
  const std::lock_guard lock(mutex_);
  auto found = places_.find(key);
  if (found == places_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->second;
}

void FactsCache::keep(const mutate::Parsed& parsed, std::shared_ptr<const Shown> shown) {
  std::string key = key_of(parsed);
  const std::lock_guard lock(mutex_);
  if (places_.contains(key)) return;
  entries_.emplace_front(key, std::move(shown));
  places_.emplace(std::move(key), entries_.begin());
  if (entries_.size() <= most_) return;
  places_.erase(entries_.back().first);
  entries_.pop_back();
}

}  // namespace jp::explore
