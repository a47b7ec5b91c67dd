#include "core/facts.h"

namespace jp {
namespace {

const NameFacts* find(const std::map<std::string, Names>& points, const std::string& statement,
                      const std::string& name) {
  auto point = points.find(statement);
  if (point == points.end()) return nullptr;
  auto found = point->second.find(name);
  return found == point->second.end() ? nullptr : &found->second;
}

}  // namespace

const NameFacts* Facts::find_before(const std::string& statement, const std::string& name) const {
  return find(before, statement, name);
}

const NameFacts* Facts::find_after(const std::string& statement, const std::string& name) const {
  return find(after, statement, name);
}

}  // namespace jp
