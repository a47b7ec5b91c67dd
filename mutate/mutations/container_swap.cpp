// Values are put into a container and taken out again, right before a statement:
//
//     v4 = v3 + v1                 c7 = {"v3": v3}
//                                  c7.setdefault("v1", v1)
//                                  v4 = c7["v3"] + c7["v1"]
//
// The container is a list, tuple, dict, set of IDs, deque, namedtuple, dataclass, object, class, SimpleNamespace,
// default argument, global, and so on (containers.h). The values are read from the container in the statement itself,
// or get names of their own, or their old names again. They stay the same objects. The result is unchanged bit for bit.
// Site: a statement before which names are definitely bound.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "mutate/engine/mutation.h"
#include "mutate/names/own_code.h"
#include "mutate/names/reads.h"
#include "mutate/names/scopes.h"
#include "mutate/outline/containers.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::container_swap_mutation {
namespace {

constexpr std::size_t kMostNames = 3;

/// Code of the file that the statement runs may bind the name anew before the statement reads it.
bool is_rebound(const Parsed& parsed, const Statement& statement, std::string_view name) {
  const auto reads = plain_reads(parsed, statement);
  return std::any_of(reads.begin(), reads.end(),
                     [&](const Node& node) { return node.text() == name && rebinds_before(parsed, statement, node); });
}

/// Names of the function itself that are definitely bound at the statement and may be rebound.
std::vector<std::string> names_at(const Parsed& parsed, const Statement& statement) {
  std::vector<std::string> names;
  const Scopes& scopes = parsed.scopes();
  for (const auto& name : parsed.surely_bound(statement))
    if (!name.starts_with("_") && scopes.readable(statement, name) && !is_rebound(parsed, statement, name))
      names.push_back(name);
  return names;
}

bool builtins_free(const Parsed& parsed, const Statement& statement) {
  int scope = parsed.scopes().scope_of(statement);
  for (std::string_view name :
       {"list", "dict", "zip", "reversed", "sorted", "id", "object", "getattr", "setattr", "iter", "next"})
    if (parsed.scopes().resolve(name, scope) >= 0) return false;
  return true;
}

class ContainerSwap final : public Mutation {
 public:
  ContainerSwap()
      : Mutation({"container_swap", "B", Exactness::kBitwise, false, "jitprobe",
                  "Dynamo's models of Python's containers and objects: order, identity, mutation while tracing"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts&) const override {
    if (uses_introspection(parsed)) return {};
    return statement_sites(parsed, [&](const Statement& statement) {
      return insertion_point(parsed, statement) && !names_at(parsed, statement).empty();
    });
  }

  EditSet rewrite(const Parsed& parsed, const Facts&, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    if (uses_introspection(parsed) || !insertion_point(parsed, statement)) return {};
    auto known = names_at(parsed, statement);
    if (known.empty()) return {};
    auto reads = plain_reads(parsed, statement);
    auto names = draw_names(known, reads, choices);

    Rewrite rewrite(parsed, step_number);
    RoundTrip way = draw_round_trip(names, builtins_free(parsed, statement), rewrite, choices);
    std::vector<std::string> values = take(names, reads, way, choices, rewrite);
    rewrite.before(statement, way.lines);
    for (const Node& node : reads) {
      auto at = std::find(names.begin(), names.end(), node.text());
      std::size_t index = static_cast<std::size_t>(at - names.begin());
      if (at != names.end() && values[index] != *at) rewrite.replace(node, values[index]);
    }
    return rewrite.edits();
  }

 private:
  /// Draws one to three names, mostly names that the statement reads.
  static std::vector<std::string> draw_names(std::vector<std::string> known, const std::vector<Node>& reads,
                                             Choices& choices) {
    auto is_read = [&](const std::string& name) {
      return std::any_of(reads.begin(), reads.end(), [&](const Node& node) { return node.text() == name; });
    };
    std::size_t count = std::min<std::size_t>(1 + choices.below(kMostNames), known.size());
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<std::string> liked;
      for (const auto& name : known)
        if (is_read(name)) liked.push_back(name);
      bool follow = !liked.empty() && choices.chance(3, 4);
      names.push_back(choices.pick(follow ? liked : known));
      std::erase(known, names.back());
    }
    return names;
  }

  /// Draws the expressions that the statement reads in place of the names, and adds the lines that they need before the
  /// statement to the round trip.
  static std::vector<std::string> take(const std::vector<std::string>& names, const std::vector<Node>& reads,
                                       RoundTrip& way, Choices& choices, Rewrite& rewrite) {
    bool any = std::any_of(reads.begin(), reads.end(), [&](const Node& node) {
      return std::find(names.begin(), names.end(), node.text()) != names.end();
    });
    std::uint64_t form = any ? choices.below(way.looks ? 3 : 2) : 0;
    if (form == 2) return way.takes;
    std::vector<std::string> values = names;
    if (form == 1)
      for (auto& value : values) value = rewrite.name("x");
    bool together = choices.chance(1, 3) && names.size() > 1;
    if (together) {
      way.lines.push_back({fmt::format("{} = {}", fmt::join(values, ", "), fmt::join(way.takes, ", "))});
    } else {
      for (std::size_t i = 0; i < names.size(); ++i)
        way.lines.push_back({fmt::format("{} = {}", values[i], way.takes[i])});
    }
    add(way.lines, way.after);
    return values;
  }
};

const Register<Mutation, ContainerSwap> registered;

}  // namespace
}  // namespace jp::mutate::container_swap_mutation
