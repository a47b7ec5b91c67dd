// Calls that break one constraint of an operator, for a tensor of any program: the constraints are those that the
// operator's draw asks for (seedgen/constraints).
//
// The call is drawn in a graph whose only live value is that tensor, and so that it reads it: as a valid operand beside
// something broken, or in a place where it breaks the constraint. Other tensors are written as torch.full(...). Only
// constraints are broken of which eager refused every breach that it was asked about (only_ours.h): tensors of other
// programs differ from those that it was asked about. Of a
// large tensor a corner is read, since draws bound the sizes of results.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/broken_rule.h"
#include "seedgen/bases/members.h"
#include "seedgen/constraints/breaker.h"
#include "seedgen/constraints/drawn_breach.h"
#include "seedgen/constraints/only_ours.h"
#include "seedgen/text/emit.h"

namespace jp::seedgen::constraints_breaker {
namespace {

// How many operators are tried; most draws of most operators have a breach. Chosen, not measured.
constexpr std::uint64_t kTries = 64;
// A tensor with more elements than an argument may have is read up to here in each dimension. Chosen, not measured.
constexpr std::int64_t kCorner = 3;

struct Operand {
  Value value;
  std::string text;
};

// The tensor as a value, or a corner of it; nothing for what draws don't make.
std::optional<Operand> operand_of(const TensorType& tensor) {
  const auto rank = static_cast<int>(tensor.shape.size());
  if (rank > kMaxRank || element_count(tensor.shape) == 0) return std::nullopt;
  const bool large = element_count(tensor.shape) > kMaxArgumentElements;
  Operand operand;
  Shape shape;
  std::string corner;
  for (std::int64_t size : tensor.shape) {
    shape.push_back(large ? std::min(size, kCorner) : size);
    corner += fmt::format("{}:{}", corner.empty() ? "" : ", ", kCorner);
  }
  operand.value = fresh_unknown(tensor.dtype, shape, usual_elements(tensor.dtype));
  operand.text = large ? fmt::format("{{v}}[{}]", corner) : "{v}";
  return operand;
}

std::string number_text(Dtype dtype, Interval interval) {
  const double middle = interval.low + (interval.high - interval.low) / 2;
  if (dtype == Dtype::kBool) return middle >= 1 ? "True" : "False";
  if (is_integral(dtype)) return fmt::format("{}", static_cast<std::int64_t>(std::floor(middle)));
  return is_complex(dtype) ? fmt::format("{0} + {0}j", middle) : fmt::format("{}", middle);
}

std::string literal(const Value& value) {
  std::string sizes = fmt::format("{}", fmt::join(value.shape, ", "));
  if (value.shape.size() == 1) sizes += ',';
  return fmt::format("{{torch}}.full(({}), {}, dtype={{torch}}.{})", sizes, number_text(value.dtype, value.interval),
                     dtype_name(value.dtype));
}

bool in_word(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_'; }

// The names of values become `texts` (by number), and torch a mark.
std::string with_texts(std::string_view call, const std::vector<std::string>& texts) {
  std::string text;
  for (std::size_t at = 0; at < call.size();) {
    std::size_t end = at;
    while (end < call.size() && in_word(call[end])) ++end;
    const std::string_view word = call.substr(at, end - at);
    const bool member = at > 0 && call[at - 1] == '.';
    const bool value =
        word.size() > 1 && word.front() == 'v' &&
        std::all_of(word.begin() + 1, word.end(), [](unsigned char one) { return std::isdigit(one) != 0; });
    if (value && !member)
      text += texts.at(static_cast<std::size_t>(std::atoi(std::string(word.substr(1)).c_str())));
    else if (word == "torch" && !member)
      text += "{torch}";
    else
      text += word.empty() ? call.substr(at, 1) : word;
    at = std::max(end, at + 1);
  }
  return text;
}

// Whether the breach can be written in one line and leaves the tensor itself (value 0) as it is.
bool can_be_written(const Breach& breach) {
  switch (breach.constraint) {
    case Constraint::kGradients:
    case Constraint::kLeaf:
    case Constraint::kOverlap:
      return false;
    case Constraint::kDtype:
    case Constraint::kRank:
    case Constraint::kSize:
    case Constraint::kRelation:
    case Constraint::kValues:
      return breach.live >= 0 || breach.taken.id != 0;
    default:
      return true;
  }
}

// Whether every other tensor of the call is a new argument of its own.
bool is_plain(const Graph& graph, const Call& call) {
  const auto made = [](const Input& input) { return input.value == 0 || (input.base < 0 && input.text.empty()); };
  const auto statement = [](std::string_view form) { return form.starts_with('!'); };
  return std::all_of(graph.inputs.begin(), graph.inputs.end(), made) &&
         std::none_of(call.forms.begin(), call.forms.end(), statement);
}

std::string text_of(const Graph& graph, const Operand& operand, Choices& choices) {
  const Call& call = graph.calls.back();
  const Value& kept = graph.values.front();
  const std::vector<int> read = operands(call);
  const bool same = kept.dtype == operand.value.dtype && kept.shape == operand.value.shape && !kept.requires_grad;
  if (!same || std::find(read.begin(), read.end(), 0) == read.end() || !is_plain(graph, call)) return "";
  const std::string text = choices.pick(call_texts(call));
  if (text.find_first_of("{}") != std::string::npos) return "";
  std::vector<std::string> texts;
  for (const Value& value : graph.values) texts.push_back(value.id == 0 ? operand.text : literal(value));
  return with_texts(text, texts);
}

class Constraints final : public CallBreaker {
 public:
  std::string_view name() const override { return "constraints"; }

  std::string call(const TensorType& tensor, Choices& choices) const override {
    const std::optional<Operand> operand = operand_of(tensor);
    if (!operand) return "";
    // The call is drawn twice from one stream (breaker.h); what is chosen in between comes from another.
    for (std::uint64_t tries = 0; tries < kTries; ++tries) {
      Choices drawn = choices.fork("breach", tries);
      const Member& member = drawn.pick(all_members());
      std::string text = broken(*operand, member, choices.fork("call", tries), drawn);
      if (!text.empty()) return text;
    }
    return "";
  }

 private:
  static std::string broken(const Operand& operand, const Member& member, Choices call, Choices& drawn) {
    CheckContext context(fmt::format("broken operator {}", member.id));
    Draft draft(call, 1000);
    draft.given_argument(operand.value, "constraints");
    std::vector<Breach> breaches = next_breaches(draft, member);
    std::erase_if(breaches,
                  [&](const Breach& breach) { return partly_ours(member.id, breach) || !can_be_written(breach); });
    if (breaches.empty()) return "";
    draw_broken(draft, member, drawn_breach(breaches, drawn));
    return text_of(draft.graph(), operand, drawn);
  }
};

const Register<CallBreaker, Constraints> registered;

}  // namespace
}  // namespace jp::seedgen::constraints_breaker
