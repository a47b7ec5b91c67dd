#include "seedgen/broken.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/check.h"
#include "seedgen/bases/members.h"
#include "seedgen/bases/schedule.h"
#include "seedgen/constraints/breaker.h"
#include "seedgen/constraints/drawn_breach.h"
#include "seedgen/constraints/only_ours.h"
#include "seedgen/draw/draft.h"
#include "seedgen/generate.h"
#include "seedgen/text/check_graph.h"

namespace jp::seedgen {
namespace {

// How many operators are tried until one has a constraint that torch has too.
constexpr int kTries = 64;

struct Broken {
  Graph graph;
  int op = -1;
  Breach breach;
};

std::optional<Broken> draw(std::uint64_t seed, const GenerateOptions& options) {
  Choices choices(seed);
  const std::vector<Member> members = members_named(options.only, options.without);
  const std::vector<Member> schedule = draw_schedule(choices, members, options.operators - 1);
  Draft draft = new_draft(choices, options);
  draw_calls(draft, schedule, options);
  Choices drawn = choices.fork("break");
  for (int tries = 0; tries < kTries; ++tries) {
    const Member& member = drawn.pick(members);
    CheckContext context(fmt::format("seed {}, broken operator {}", seed, member.id));
    const std::vector<Breach> breaches = torchs_own(next_breaches(draft, member), member.id);
    if (breaches.empty()) continue;
    const Breach breach = drawn_breach(breaches, drawn);
    draw_broken(draft, member, breach);
    return Broken{draft.finish(), member_number(member.id), breach};
  }
  return std::nullopt;
}

void shuffle(std::vector<Breach>& breaches, Choices choices) {
  for (std::size_t i = breaches.size(); i > 1; --i) std::swap(breaches[i - 1], breaches[choices.below(i)]);
}

std::string head_of(std::string_view op, const Breach& breach) {
  return fmt::format("# Breaks a constraint on purpose, {} {}: {}.\n", op, breach_name(breach_number(breach)),
                     constraint_says(breach.constraint));
}

// Each breach of the member's next call, in a random order.
std::vector<BrokenCall> broken_calls(Draft& draft, const Member& member, std::uint64_t seed) {
  Choices& choices = draft.choices();
  const Draft::State state = draft.state();
  const Choices drawn = choices;
  std::vector<Breach> breaches = next_breaches(draft, member);
  shuffle(breaches, choices.fork("order"));
  std::vector<BrokenCall> calls;
  for (const Breach& breach : breaches) {
    draw_broken(draft, member, breach);
    calls.push_back({.op = std::string(member.id),
                     .breach = breach,
                     .feature = broken_feature(member_number(member.id), breach),
                     .only_ours = only_ours(member.id, breach),
                     .source = head_of(member.id, breach) + emit_seed(draft.finish(), seed)});
    draft.restore(state);
    choices = drawn;
  }
  return calls;
}

const Member& member_of(const std::string& op) {
  const int number = member_number(op);
  JP_CHECK(number >= 0, "there is no operator {}", op);
  return all_members()[static_cast<std::size_t>(number)];
}

}  // namespace

Result<Program> generate_broken(std::uint64_t seed, const GenerateOptions& options) {
  if (Status fine = check_options(options); !fine.ok()) return fine.error();
  const GenerateOptions drawn = sized(seed, options);
  const std::optional<Broken> broken = draw(seed, drawn);
  if (!broken) return Error{"no constraint of these operators can be broken"};
  Seed made = seed_of(seed, drawn);
  made.broken = true;
  const std::string_view op = all_members()[static_cast<std::size_t>(broken->op)].id;
  return Program::make(head_of(op, broken->breach) + emit_seed(broken->graph, seed, drawn.without), Lineage{made, {}});
}

std::vector<BrokenCall> broken_calls(const std::string& op, std::uint64_t seed, int before) {
  const Member& member = member_of(op);
  CheckContext context(fmt::format("seed {}, broken operator {}", seed, op));
  Choices choices(seed);
  const GenerateOptions options;
  const std::vector<Member> schedule = draw_schedule(choices, all_members(), before);
  Draft draft = new_draft(choices, options);
  draw_calls(draft, schedule, options);
  return broken_calls(draft, member, seed);
}

std::vector<BrokenCall> broken_calls_of(const std::string& op, std::uint64_t seed, const TensorType& tensor) {
  const Member& member = member_of(op);
  CheckContext context(fmt::format("seed {}, broken operator {}", seed, op));
  Choices choices(seed);
  Draft draft(choices, 1000);
  Shape shape;
  for (std::int64_t size : tensor.shape) shape.push_back(size);
  draft.given_argument(fresh_unknown(tensor.dtype, shape, usual_elements(tensor.dtype)), "");
  draft.graph().inputs.back().layout = Layout::kContiguous;  // calls don't rely on that
  return broken_calls(draft, member, seed);
}

}  // namespace jp::seedgen
