// Values go into a container and come out again, right before a statement:
//
//     v4 = v3 + v1                 c7 = {"v3": v3}
//                                  c7.setdefault("v1", v1)
//                                  v4 = c7["v3"] + c7["v1"]
//
// The container is a list, tuple, dict, set of ids, deque, namedtuple, dataclass, object, class, SimpleNamespace,
// default argument, global, ... (containers.h). What comes out stands in the statement itself, or gets a name of its
// own there, or its old name again. The objects stay the same ones. Site: the statement, which must have names that are
// surely bound before it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "mutate/engine/mutation.h"
#include "mutate/names/reads.h"
#include "mutate/names/scopes.h"
#include "mutate/outline/containers.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {
namespace {

constexpr std::size_t kMostNames = 3;

/// Names of the function itself that are surely bound and may be bound again.
std::vector<std::string> names_at(const Parsed& parsed, const Statement& statement) {
  std::vector<std::string> names;
  const Scopes& scopes = parsed.scopes();
  for (const auto& name : parsed.surely_bound(statement))
    if (!name.starts_with("_") && scopes.readable(statement, name)) names.push_back(name);
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
    std::vector<Site> found;
    if (uses_introspection(parsed)) return found;
    for (const Statement& statement : parsed.statements())
      if (insertion_point(parsed, statement) && !names_at(parsed, statement).empty())
        found.push_back({statement.id, ""});
    return found;
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
    ContainerRoundTrip way = draw_way(names, builtins_free(parsed, statement), rewrite, choices);
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
  /// One to three names, mostly such as the statement reads.
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

  /// Expressions that the statement shall read for the names; adds what must stand before it to the way's lines.
  static std::vector<std::string> take(const std::vector<std::string>& names, const std::vector<Node>& reads,
                                       ContainerRoundTrip& way, Choices& choices, Rewrite& rewrite) {
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
    way.lines.insert(way.lines.end(), way.after.begin(), way.after.end());
    return values;
  }
};

const Register<Mutation, ContainerSwap> registered;

}  // namespace
}  // namespace jp::mutate
