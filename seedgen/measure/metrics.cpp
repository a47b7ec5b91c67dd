#include "seedgen/measure/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

#include "core/hash.h"
#include "core/promotion.h"

namespace jp::seedgen {
namespace {

constexpr int kMostInDegree = 63;

void append_attribute(std::string& text, const Argument& argument) {
  auto out = std::back_inserter(text);
  if (const auto* flag = std::get_if<bool>(&argument))
    fmt::format_to(out, "b{}", *flag);
  else if (const auto* integer = std::get_if<std::int64_t>(&argument))
    fmt::format_to(out, "i{}", *integer);
  else if (const auto* number = std::get_if<double>(&argument))
    fmt::format_to(out, "f{}", *number);
  else if (const auto* ints = std::get_if<Ints>(&argument))
    fmt::format_to(out, "({})", fmt::join(*ints, ","));
  else if (const auto* dtype = std::get_if<Dtype>(&argument))
    text += dtype_name(*dtype);
  else if (const auto* words = std::get_if<std::string>(&argument))
    text += *words;
}

// Input shapes and attributes of a call. The first form says which parameters are given.
std::uint64_t form_of(const Graph& graph, const Call& call, const std::vector<int>& inputs) {
  std::string text;
  for (int input : inputs)
    fmt::format_to(std::back_inserter(text), "[{}]",
                   fmt::join(graph.values[static_cast<std::size_t>(input)].shape, ","));
  for (const Argument& argument : call.arguments) {
    text += ';';
    append_attribute(text, argument);
  }
  text += '|';
  if (!call.forms.empty()) text += call.forms.front();
  return hash64(text);
}

std::vector<std::string> ids_of(const std::vector<Member>& members) {
  std::vector<std::string> ids;
  for (const Member& member : members) ids.emplace_back(member.id);
  return ids;
}

using TypeRule = OperatorFacts::TypeRule;

constexpr std::uint32_t bit_of(Dtype dtype) { return 1U << static_cast<unsigned>(dtype); }
constexpr std::uint32_t kBothExactnesses = 16;  // by so many bits inexact kinds lie above exact ones

std::uint32_t dtypes_of(const OperatorFacts& op) {
  std::uint32_t dtypes = 0;
  for (Dtype dtype : all_dtypes())
    if (op.dtypes.contains(dtype)) dtypes |= bit_of(dtype);
  return dtypes;
}

// The dtypes of results when one operand has this dtype, and others any of `beside`.
std::uint32_t results_of(const OperatorFacts& op, Dtype dtype, std::uint32_t beside) {
  const bool whole = is_integral(dtype);
  switch (op.type) {
    case TypeRule::kBool:
      return bit_of(Dtype::kBool);
    case TypeRule::kTruth:
      return bit_of(dtype == Dtype::kUInt8 ? dtype : Dtype::kBool);
    case TypeRule::kInt64:
      return bit_of(Dtype::kInt64);
    case TypeRule::kWidened:
      return bit_of(whole ? Dtype::kInt64 : dtype);
    case TypeRule::kAlike:
    case TypeRule::kUnknown:  // of most operators without a rule: pooling, normalisation
      return bit_of(dtype);
    case TypeRule::kGiven:
      return beside;
    default:
      break;
  }
  std::uint32_t results = 0;
  const bool alone = op.operands == 1;
  for (Dtype other : all_dtypes()) {
    if (alone ? other != dtype : (beside & bit_of(other)) == 0) continue;
    const Dtype common = promote(dtype, other);
    results |= bit_of(op.type == TypeRule::kFloat ? to_floating(common) : common);
  }
  return results;
}

// What the table of operators says of one, when values of these dtypes are there.
OperatorProfile profile_in_table(const OperatorFacts& op, std::uint32_t there) {
  OperatorProfile profile;
  profile.takes = dtypes_of(op) & there;
  for (Dtype dtype : all_dtypes()) {
    if ((profile.takes & bit_of(dtype)) == 0) continue;
    profile.through[static_cast<std::size_t>(dtype)] = results_of(op, dtype, profile.takes);
    profile.gives |= profile.through[static_cast<std::size_t>(dtype)];
  }
  return profile;
}

// The same with a kind for each dtype, whether or not values are exact: the table doesn't know that.
OperatorProfile by_dtype(OperatorProfile profile) {
  const auto fold = [](std::uint32_t kinds) { return (kinds | kinds >> kBothExactnesses) & 0xFFFFU; };
  profile.takes = fold(profile.takes);
  profile.gives = fold(profile.gives);
  for (std::size_t kind = 0; kind < kBothExactnesses; ++kind)
    profile.through[kind] = fold(profile.through[kind] | profile.through[kind + kBothExactnesses]);
  return profile;
}

// Dtypes spread from those of the arguments through operators. Operators that the table doesn't have under their id are
// as draws show them, and in-degrees as either shows them.
std::vector<OperatorProfile> profiles_of(const std::vector<Member>& members, const Bounds& bounds) {
  std::vector<OperatorProfile> profiles;
  std::uint32_t there = 0;
  for (Dtype dtype : all_dtypes())
    if (bounds.dtypes.has(dtype)) there |= bit_of(dtype);
  for (const Member& member : members) profiles.push_back(by_dtype(profile_of(member, members, bounds)));
  for (std::uint32_t before = 0; before != there;) {
    before = there;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const OperatorFacts* op = find_operator(base_name(members[i].id));
      if (op != nullptr) {
        const std::uint64_t in_degrees = profiles[i].in_degrees;
        profiles[i] = profile_in_table(*op, there);
        profiles[i].in_degrees = in_degrees | in_degrees_in_table(*op);
      }
      there |= profiles[i].gives;
    }
  }
  return profiles;
}

double share(std::size_t covered, std::size_t possible) {
  return possible == 0 ? 1 : static_cast<double>(covered) / static_cast<double>(possible);
}

}  // namespace

std::uint64_t in_degrees_in_table(const OperatorFacts& op) {
  if (op.operands <= 0) return 0;
  std::uint64_t in_degrees = 0;
  for (int degree = static_cast<int>(op.required); degree <= op.operands; ++degree)
    in_degrees |= std::uint64_t{1} << std::min(degree, kMostInDegree);
  return in_degrees;
}

OperatorProfile profile_of(const Member& member, const std::vector<Member>& others, const Bounds& bounds,
                           std::uint64_t draws) {
  constexpr int kOthers = 4;
  OperatorProfile profile;
  for (std::uint64_t seed = 0; seed < draws; ++seed) {
    Choices choices(seed);
    const bool alone = seed % 2 == 0;
    Draft draft(choices, alone ? 0 : 1000, bounds);
    for (int i = 0; i < (alone ? 0 : kOthers); ++i) {
      const Member& other = others[choices.below(others.size())];
      other.family->draw(draft, other.index);
    }
    member.family->draw(draft, member.index);
    const Graph& graph = draft.graph();
    const Call& call = graph.calls.back();
    const std::vector<int> inputs = operands(call);
    auto kind = [&](int id) {
      const GraphValue& value = graph.values[static_cast<std::size_t>(id)];
      return static_cast<unsigned>(value.dtype) + (value.exact ? 0U : 16U);
    };
    profile.in_degrees |= std::uint64_t{1} << std::min(static_cast<int>(inputs.size()), kMostInDegree);
    std::uint32_t gives = 0;
    for (int output : call.outputs) gives |= 1U << kind(output);
    profile.gives |= gives;
    for (int input : inputs) {
      profile.takes |= 1U << kind(input);
      profile.through[kind(input)] |= gives;
    }
  }
  return profile;
}

MetricsCounter::MetricsCounter(std::vector<std::string> types, std::vector<OperatorProfile> profiles)
    : profiles_(std::move(profiles)), types_(types.size()) {
  JP_CHECK(profiles_.size() == types.size(), "{} types with {} profiles", types.size(), profiles_.size());
  for (std::size_t i = 0; i < types.size(); ++i) numbers_.emplace_back(std::move(types[i]), static_cast<int>(i));
  std::sort(numbers_.begin(), numbers_.end());
  edges_.resize(count() * count());
  pairs_.resize(count() * count() * count());
}

MetricsCounter::MetricsCounter(const std::vector<Member>& members, const Bounds& bounds)
    : MetricsCounter(ids_of(members), profiles_of(members, bounds)) {}

int MetricsCounter::number_of(std::string_view op) const {
  auto found = std::lower_bound(numbers_.begin(), numbers_.end(), op,
                                [](const auto& one, std::string_view name) { return one.first < name; });
  JP_CHECK(found != numbers_.end() && found->first == op, "{} is not among the types that are measured", op);
  return found->second;
}

void MetricsCounter::add(const Graph& graph) {
  struct Node {
    std::size_t type = 0;
    std::vector<std::size_t> from;
    std::vector<std::size_t> to;
  };
  std::vector<Node> nodes(graph.calls.size());
  std::vector<int> producers(graph.values.size(), -1);
  std::set<std::size_t> seen_types;
  std::set<std::uint64_t> seen_forms;
  for (std::size_t i = 0; i < graph.calls.size(); ++i) {
    const Call& call = graph.calls[i];
    const std::vector<int> inputs = operands(call);
    Node& node = nodes[i];
    node.type = static_cast<std::size_t>(number_of(call.op));
    Type& type = types_[node.type];
    ++type.calls;
    type.in_degrees |= std::uint64_t{1} << std::min(static_cast<int>(inputs.size()), kMostInDegree);
    const std::uint64_t form = form_of(graph, call, inputs);
    type.forms.insert(form);
    seen_forms.insert(form);
    seen_types.insert(node.type);
    for (int input : inputs) {
      const int producer = producers[static_cast<std::size_t>(input)];
      if (producer < 0) continue;
      Node& source = nodes[static_cast<std::size_t>(producer)];
      node.from.push_back(source.type);
      source.to.push_back(node.type);
    }
    for (int output : call.outputs) producers[static_cast<std::size_t>(output)] = static_cast<int>(i);
  }
  std::set<std::size_t> seen_edges;
  std::set<std::size_t> seen_pairs;
  for (const Node& node : nodes) {
    types_[node.type].out_degrees.insert(static_cast<int>(node.to.size()));
    for (std::size_t to : node.to) {
      edges_[node.type * count() + to] = true;
      seen_edges.insert(node.type * count() + to);
      for (std::size_t from : node.from) {
        const std::size_t pair = (node.type * count() + from) * count() + to;
        pairs_[pair] = true;
        seen_pairs.insert(pair);
      }
    }
  }
  ++sums_.graphs;
  sums_.noo += static_cast<double>(graph.calls.size());
  sums_.types += static_cast<double>(seen_types.size());
  sums_.nop += static_cast<double>(seen_edges.size());
  sums_.ntr += static_cast<double>(seen_pairs.size());
  sums_.nsa += static_cast<double>(seen_forms.size());
}

bool MetricsCounter::possible(std::size_t from, std::size_t to) const {
  return (profiles_[from].gives & profiles_[to].takes) != 0 || edges_[from * count() + to];
}

double MetricsCounter::edge_share(std::size_t from) const {
  std::size_t covered = 0;
  std::size_t all = 0;
  for (std::size_t to = 0; to < count(); ++to) {
    covered += edges_[from * count() + to] ? 1 : 0;
    all += possible(from, to) ? 1 : 0;
  }
  return share(covered, all);
}

bool MetricsCounter::possible(std::size_t from, std::size_t middle, std::size_t to) const {
  if (pairs_[(middle * count() + from) * count() + to]) return true;
  const std::array<std::uint32_t, 32>& through = profiles_[middle].through;
  for (unsigned kind = 0; kind < through.size(); ++kind)
    if ((profiles_[from].gives >> kind & 1U) != 0 && (through[kind] & profiles_[to].takes) != 0) return true;
  return false;
}

double MetricsCounter::pair_share(std::size_t middle) const {
  std::size_t covered = 0;
  std::size_t all = 0;
  for (std::size_t from = 0; from < count(); ++from)
    for (std::size_t to = 0; to < count(); ++to) {
      covered += pairs_[(middle * count() + from) * count() + to] ? 1 : 0;
      all += possible(from, middle, to) ? 1 : 0;
    }
  return share(covered, all);
}

Metrics MetricsCounter::result() const {
  Metrics metrics = sums_;
  const auto graphs = static_cast<double>(std::max<std::uint64_t>(sums_.graphs, 1));
  for (double* sum : {&metrics.noo, &metrics.types, &metrics.nop, &metrics.ntr, &metrics.nsa}) *sum /= graphs;
  for (std::size_t i = 0; i < count(); ++i) {
    const Type& type = types_[i];
    if (type.calls == 0) continue;
    const auto degrees = static_cast<std::size_t>(std::popcount(type.in_degrees));
    metrics.otc += 1;
    metrics.idc += share(degrees, static_cast<std::size_t>(std::popcount(type.in_degrees | profiles_[i].in_degrees)));
    metrics.odc += static_cast<double>(type.out_degrees.size());
    metrics.sec += edge_share(i);
    metrics.dec += pair_share(i);
    metrics.sac += static_cast<double>(type.forms.size());
  }
  const auto types = static_cast<double>(std::max<std::size_t>(count(), 1));
  for (double* sum : {&metrics.otc, &metrics.idc, &metrics.odc, &metrics.sec, &metrics.dec, &metrics.sac})
    *sum /= types;
  return metrics;
}

}  // namespace jp::seedgen
