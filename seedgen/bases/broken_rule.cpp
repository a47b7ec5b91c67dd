#include "seedgen/bases/broken_rule.h"

namespace jp::seedgen {

std::vector<BrokenRule> broken_rules() {
  std::vector<BrokenRule> rules;
  for (const Breaks* family : Registry<Breaks>::instance().all())
    for (const BrokenRule& rule : family->rules()) rules.push_back(rule);
  return rules;
}

}  // namespace jp::seedgen
