#include "oracle/judge/one_sided.h"

#include <algorithm>

#include "core/among.h"

namespace jp::oracle {
namespace {

// An earlier backward, the program's or that of a former call, frees what the graph kept, and what that is the compiler
// chooses. The one that fails here is not the program's: the runner makes it after the call.
bool finds_graph_freed(Raise raise, const CallRecord& eager, const CallRecord& compiled) {
  if (!eager.graphs_used_before || (raise != Raise::kOnlyEager && raise != Raise::kOnlyCompiled)) return false;
  const auto& exception = raise == Raise::kOnlyEager ? eager.backward_exception : compiled.backward_exception;
  return contains(exception->message, "backward through the graph a second time");
}

}  // namespace

std::optional<RuleName> may_pass(Raise raise, const CallRecord& eager, const std::vector<std::int64_t>& dead_lines) {
  if (raise != Raise::kOnlyEager) return std::nullopt;
  if (std::find(dead_lines.begin(), dead_lines.end(), eager.exception_line) != dead_lines.end())
    return RuleName("dead_operator");
  if (contains(eager.exception->message, "to a single memory location")) return RuleName("single_memory_location");
  if (raised_while_tracing(*eager.exception)) return RuleName("eager_traces");
  return std::nullopt;
}

std::optional<RuleName> may_pass_backward(Raise raise, const CallRecord& eager, const CallRecord& compiled) {
  if (finds_graph_freed(raise, eager, compiled)) return RuleName("graph_freed");
  if (raise != Raise::kOnlyEager) return std::nullopt;
  if (raised_while_tracing(*eager.backward_exception)) return RuleName("eager_traces");
  // A graph without writes has what its backward needs, whatever is written to later.
  if (contains(eager.backward_exception->message, "has been modified by an inplace operation"))
    return RuleName("kept_for_backward");
  return std::nullopt;
}

}  // namespace jp::oracle
