#include "mutate/syntax/writing_calls.h"

#include <algorithm>

#include "core/operators.h"

namespace jp::mutate {
namespace {

bool is_off(const Node& argument) { return argument.is("none") || argument.is("false"); }

/// The call writes the parameter.
bool writes_given(const Call& made, const std::vector<Node>& places, const WrittenParameter& parameter) {
  if (parameter.switched_by.empty()) return true;
  const Node named = made.keyword(parameter.switched_by);
  if (named) return !is_off(named);
  return parameter.place < places.size() && !is_off(places[parameter.place]);
}

}  // namespace

bool writes_parameter(const Call& made) {
  const OperatorFacts* op = made ? find_operator(made.name) : nullptr;
  if (!op || op->writes.empty()) return false;
  // What stands for several arguments may be any of them.
  if (made.splats()) return true;
  const std::vector<Node> places = made.positional();
  return std::any_of(op->writes.begin(), op->writes.end(),
                     [&](const WrittenParameter& parameter) { return writes_given(made, places, parameter); });
}

bool asks_in_place(const Call& made) {
  const OperatorFacts* op = made ? find_operator(made.name) : nullptr;
  if (!op) return false;
  if (const Node named = made.keyword("inplace")) return !is_off(named);
  // Activations and dropouts have it. The table leaves it out: in an activation it stands behind the parameters that
  // the table knows, in a dropout it is the fourth.
  const bool drops = op->result == OperatorFacts::Result::kEither && !op->method;
  const std::size_t before = drops ? 3 : op->places;
  const std::vector<Node> places = made.positional();
  if (!(drops || op->functional) || before == 0 || places.size() <= before) return false;
  return places.back().is("true") || (op->pointwise && places.back().is("identifier"));
}

bool writes_tensor(const Call& made) {
  return made.name.ends_with('_') || made.keyword("out") || writes_parameter(made) || asks_in_place(made);
}

}  // namespace jp::mutate
