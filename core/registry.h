// A catalogue: one file per rule, registered by a static object in that file. The files of a catalogue folder are
// globbed into an OBJECT library, so no list of them exists anywhere else.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/check.h"

namespace jp {

/// The rules of one kind, sorted by name, whatever the order of linking. `Rule` has `name() -> std::string_view`.
template <typename Rule>
class Registry {
 public:
  static Registry& instance() {
    static Registry registry;
    return registry;
  }

  /// Adds a rule; a second rule of the same name is a broken invariant.
  void add(std::unique_ptr<const Rule> rule) {
    std::string name(rule->name());
    bool added = rules_.emplace(name, std::move(rule)).second;
    JP_CHECK(added, "two rules named {}", name);
  }

  /// All rules by name, ascending.
  std::vector<const Rule*> all() const {
    std::vector<const Rule*> rules;
    for (const auto& [name, rule] : rules_) rules.push_back(rule.get());
    return rules;
  }

  /// The rule of that name, or nullptr.
  const Rule* find(std::string_view name) const {
    auto found = rules_.find(std::string(name));
    return found == rules_.end() ? nullptr : found->second.get();
  }

 private:
  std::map<std::string, std::unique_ptr<const Rule>> rules_;
};

/// `static const Register<Base, Derived> registered;` at the foot of a rule's file; optionally with constructor
/// arguments.
template <typename Rule, typename Derived>
struct Register {
  template <typename... Args>
  explicit Register(Args&&... args) {
    Registry<Rule>::instance().add(std::make_unique<const Derived>(std::forward<Args>(args)...));
  }
};

}  // namespace jp
