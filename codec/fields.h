// The members of each struct of core, by name: the one list that writing and reading share. An Archive is called with
// (key, member).
#pragma once

#include "codec/archive.h"
#include "core/dtype.h"
#include "core/lineage.h"
#include "core/outcome.h"
#include "core/plan.h"
#include "core/verdict.h"

namespace jp::codec {

template <>
struct EnumNames<Dtype> {
  static constexpr std::size_t kCount = 12;
  static std::string_view name(Dtype value) { return dtype_name(value); }
};
template <>
struct EnumNames<Mismatch> {
  static constexpr std::size_t kCount = 27;
  static std::string_view name(Mismatch value) { return mismatch_name(value); }
};
template <>
struct EnumNames<Verdict::Kind> {
  static constexpr std::size_t kCount = 5;
  static std::string_view name(Verdict::Kind value) { return verdict_name(value); }
};
template <>
struct EnumNames<Finding::Status> {
  static constexpr std::size_t kCount = 4;
  static std::string_view name(Finding::Status value) { return status_name(value); }
};
template <>
struct EnumNames<Seed::Origin> {
  static constexpr std::size_t kCount = 3;
  static std::string_view name(Seed::Origin value) {
    static constexpr std::array<std::string_view, kCount> kNames = {"generated", "file", "table"};
    return kNames[static_cast<std::size_t>(value)];
  }
};
template <>
struct EnumNames<Value::Kind> {
  static constexpr std::size_t kCount = 16;
  static std::string_view name(Value::Kind value) {
    static constexpr std::array<std::string_view, kCount> kNames = {
        "none",     "bool",    "int", "float",  "complex",  "text",      "bytes",  "tensor",
        "sequence", "mapping", "set", "object", "iterator", "reference", "opaque", "unreadable"};
    return kNames[static_cast<std::size_t>(value)];
  }
};

template <typename Archive>
void fields(Archive& archive, Site& site) {
  archive("statement", site.statement);
  archive("path", site.path);
}
template <typename Archive>
void fields(Archive& archive, Step& step) {
  archive("number", step.number);
  archive("mutation", step.mutation);
  archive("site", step.site);
  archive("draws", step.draws);
}
template <typename Archive>
void fields(Archive& archive, Seed& seed) {
  archive.former("door", seed.origin);
  archive("origin", seed.origin);
  archive("generator_version", seed.generator_version);
  archive("seed", seed.seed);
  archive("operators", seed.operators);
  archive("broken", seed.broken);
  archive("refused", seed.refused);
  archive("without", seed.without);
  archive("table", seed.table);
  archive("path", seed.path);
  archive("sha256", seed.sha256);
}
template <typename Archive>
void fields(Archive& archive, Lineage& lineage) {
  archive("seed", lineage.seed);
  archive("steps", lineage.steps);
}
template <typename Archive>
void fields(Archive& archive, RunRequest& run) {
  archive("role", run.role);
  archive("compiled", run.compiled);
  archive("backend", run.backend);
  archive("options", run.options);
  archive("switches", run.switches);
  archive("after", run.after);
  archive("source", run.source);
  archive("device", run.device);
  archive("precision", run.precision);
  archive("noise_seed", run.noise_seed);
  archive("values_seed", run.values_seed);
  archive("memory_fill", run.memory_fill);
  archive("fixed_addresses", run.fixed_addresses);
  archive("gradients", run.gradients);
  archive("threads", run.threads);
  archive("random_seed", run.random_seed);
}
template <typename Archive>
void fields(Archive& archive, Plan& plan) {
  archive("oracle", plan.oracle);
  archive("runs", plan.runs);
  archive("report", plan.report);
  archive("dead_lines", plan.dead_lines);
  archive("straight", plan.straight);
  archive("sizes", plan.sizes);
  archive("depends_on", plan.depends_on);
}
template <typename Archive>
void fields(Archive& archive, TensorRecord& tensor) {
  archive("identity", tensor.identity);
  archive("storage", tensor.storage);
  archive("dtype", tensor.dtype);
  archive("layout", tensor.layout);
  archive("device", tensor.device);
  archive("shape", tensor.shape);
  archive("strides", tensor.strides);
  archive("offset", tensor.offset);
  archive("version", tensor.version);
  archive("requires_grad", tensor.requires_grad);
  archive("is_leaf", tensor.is_leaf);
  archive("has_grad_fn", tensor.has_grad_fn);
  archive("conj", tensor.conj);
  archive("neg", tensor.neg);
  archive("bytes", Bytes{tensor.bytes});
  archive("unreadable", tensor.unreadable);
}
template <typename Archive>
void fields(Archive& archive, Value& value) {
  archive("kind", value.kind);
  archive("type", value.type);
  archive("text", value.text);
  archive("index", value.index);
  archive("labels", value.labels);
  archive("items", value.items);
}
template <typename Archive>
void fields(Archive& archive, Frame& frame) {
  archive("file", frame.file);
  archive("function", frame.function);
  archive("line", frame.line);
}
template <typename Archive>
void fields(Archive& archive, ExceptionRecord& exception) {
  archive("type", exception.type);
  archive("bases", exception.bases);
  archive("message", exception.message);
  archive("frames", exception.frames);
  archive("stage", exception.stage);
  archive("while_compiling", exception.while_compiling);
  archive("expected_refusal", exception.expected_refusal);
  archive("causes", exception.causes);
}
template <typename Archive>
void fields(Archive& archive, CallRecord& call) {
  archive("exception", call.exception);
  archive("backward_exception", call.backward_exception);
  archive("exception_line", call.exception_line);
  archive("graphs_used_before", call.graphs_used_before);
  archive("output", call.output);
  archive("inputs", call.inputs);
  archive("state", call.state);
  archive("gradients", call.gradients);
  archive("after_backward", call.after_backward);
  archive("late", call.late);
  archive("overwritten", call.overwritten);
  archive("printed", call.printed);
  archive("warnings", call.warnings);
  archive("mode", call.mode);
}
/// A compiler that writes beside an array may damage what the worker tells: no value may name a tensor that isn't
/// there.
inline void require_tensors(const Value& value, std::size_t count) {
  if (value.kind == Value::Kind::kTensor && value.index >= 0 && static_cast<std::size_t>(value.index) >= count)
    throw Misfit{"a value names a tensor that is not there"};
  for (const Value& item : value.items) require_tensors(item, count);
}
template <typename Archive>
void fields(Archive& archive, Observation& observation) {
  archive("tensors", observation.tensors);
  archive("calls", observation.calls);
  archive("observed", observation.observed);
  if constexpr (std::is_same_v<Archive, Reader>) {
    const std::size_t count = observation.tensors.size();
    for (const CallRecord& call : observation.calls)
      for (const Value* value :
           {&call.output, &call.inputs, &call.state, &call.gradients, &call.after_backward, &call.late})
        require_tensors(*value, count);
    require_tensors(observation.observed, count);
  }
}
template <typename Archive>
void fields(Archive& archive, Counters& counters) {
  archive("known", counters.known);
  archive("frames_seen", counters.frames_seen);
  archive("frames_compiled", counters.frames_compiled);
  archive("graphs", counters.graphs);
  archive("recompile_limit_hits", counters.recompile_limit_hits);
  archive("graph_breaks", counters.graph_breaks);
  archive("others", counters.others);
}
template <typename Archive>
void fields(Archive& archive, Finished& finished) {
  archive("observation", finished.observation);
  archive("counters", finished.counters);
  archive("lost_children", finished.lost_children);
}
template <typename Archive>
void fields(Archive& archive, Raised& raised) {
  archive("stage", raised.stage);
  archive("reason", raised.reason);
  archive("exception", raised.exception);
}
template <typename Archive>
void fields(Archive& archive, Died& died) {
  archive("how", died.how);
  archive("signal", died.signal);
  archive("exit_code", died.exit_code);
  archive("last_words", died.last_words);
  archive("frames", died.frames);
}
template <typename Archive>
void fields(Archive& archive, TimedOut& timed_out) {
  archive("seconds", timed_out.seconds);
  archive("stack", timed_out.stack);
}
template <typename Archive>
void fields(Archive& archive, OutOfMemory& out) {
  archive("bytes", out.bytes);
}
template <typename Archive>
void fields(Archive& archive, Broken& broken) {
  archive("what", broken.what);
}
template <typename Archive>
void fields(Archive& archive, Trial& trial) {
  archive("condition", trial.condition);
  archive("reproduced", trial.reproduced);
  archive("attempts", trial.attempts);
}
template <typename Archive>
void fields(Archive& archive, Difference& difference) {
  archive("mismatch", difference.mismatch);
  archive("call", difference.call);
  archive("where", difference.where);
  archive("reference", difference.reference);
  archive("observed", difference.observed);
  archive("numbers", difference.numbers);
  archive("what", difference.what);
}
template <typename Archive>
void fields(Archive& archive, Decision& decision) {
  archive("rule", decision.rule);
  archive("call", decision.call);
  archive("where", decision.where);
  archive("answer", decision.answer);
  archive("numbers", decision.numbers);
}
template <typename Archive>
void fields(Archive& archive, Verdict& verdict) {
  archive("kind", verdict.kind);
  archive("rule", verdict.rule);
  archive("reason", verdict.reason);
  archive("differences", verdict.differences);
  archive("weak", verdict.weak);
  archive("decisions", verdict.decisions);
  archive("reference", verdict.reference);
  archive("under_test", verdict.under_test);
}
template <typename Archive>
void fields(Archive& archive, Signature& signature) {
  archive("version", signature.version);
  archive("backend", signature.backend);
  archive("stage", signature.stage);
  archive("kind", signature.kind);
  archive("frames", signature.frames);
}

}  // namespace jp::codec
