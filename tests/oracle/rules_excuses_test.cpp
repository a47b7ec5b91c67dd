// Differences that look like a bug and are none: each rule where it holds, and the nearest real bug.
#include <gtest/gtest.h>

#include "tests/oracle/rules.h"

namespace jp::oracle::test {
namespace {

TEST(Rule_strides, Holds) {
  expect_weak("strides", plain(), flagged([](TensorRecord& x) { x.strides = {1, 2}; }));
}
TEST(Rule_strides, NearestBugGetsThrough) {
  // The elements are placed as the strides of eager's result would have them.
  TensorRecord permuted = floats({1, 3, 2, 4}, {2, 2});
  permuted.strides = {1, 2};
  DIVERGES(of(plain(), returning(permuted)), "monte_carlo");
}

TEST(Rule_leaf, Holds) {
  expect_weak("leaf", plain(), flagged([](TensorRecord& x) { x.is_leaf = false; }));
}
TEST(Rule_leaf, NearestBugGetsThrough) {
  // Detached: no leaf where eager has a node of the graph, and no gradient will flow.
  const Recorded attached = flagged([](TensorRecord& x) {
    x.is_leaf = false;
    x.requires_grad = true;
  });
  DIVERGES(of(attached, plain()), "requires_grad");
}

TEST(Rule_offset, Holds) {
  expect_weak("offset", plain(), flagged([](TensorRecord& x) { x.offset = 3; }));
}
TEST(Rule_offset, NearestBugGetsThrough) {
  // A view that begins one element too late.
  TensorRecord late = floats({2, 3, 4, 5}, {2, 2});
  late.offset = 1;
  DIVERGES(of(plain(), returning(late)), "monte_carlo");
}

TEST(Rule_version, Holds) {
  expect_weak("version", plain(), flagged([](TensorRecord& x) { x.version = 3; }));
}
TEST(Rule_version, NearestBugGetsThrough) {
  // The argument was not only touched, but written.
  const auto run = [](std::int64_t version, float element) {
    Recorded made = plain();
    TensorRecord argument = floats({element});
    argument.version = version;
    made.call().inputs = sequence("tuple", {made.add(argument)});
    return made;
  };
  const Verdict verdict = of(run(0, 1), run(3, 2));
  EXPECT_EQ(verdict.kind, VerdictKind::kDiverge) << verdict.reason;
  ASSERT_FALSE(verdict.differences.empty());
  EXPECT_EQ(mismatch_name(verdict.differences[0].mismatch), "state_after");
  AGREES(of(run(0, 1), run(3, 1)), "bitwise");
}

TEST(Rule_aliasing, Holds) { expect_weak("aliasing", pair_of(5, 2), pair_of(6, 2)); }
TEST(Rule_aliasing, NearestBugGetsThrough) {
  // What was written through the first is not visible in the second, which has become a copy.
  Recorded copied = pair_of(6, 2);
  const float before = 0;
  std::memcpy(copied.observation.tensors[1].bytes.data(), &before, sizeof before);
  DIVERGES(of(pair_of(5, 2), copied), "monte_carlo");
}

TEST(Rule_identity, Holds) { expect_weak("identity", pair_of(5, 1), pair_of(5, 2)); }
TEST(Rule_identity, NearestBugGetsThrough) {
  // The program itself tested whether they are one, and returned the answer.
  const auto answered = [](std::int64_t identity, bool answer) {
    Recorded run = pair_of(5, identity);
    run.call().output.items.push_back(boolean(answer));
    return run;
  };
  DIVERGES(of(answered(1, true), answered(2, false)), "exact");
}

TEST(Rule_sign_of_zero, Holds) { expect_weak("sign_of_zero", one_float(0.0F), one_float(-0.0F)); }
TEST(Rule_sign_of_zero, NearestBugGetsThrough) { DIVERGES(of(one_float(kInf), one_float(-kInf)), "nonfinite"); }

TEST(Rule_nan_payload, Holds) { expect_weak("nan_payload", one_float(kNan), one_float(-kNan)); }
TEST(Rule_nan_payload, NearestBugGetsThrough) { DIVERGES(of(one_float(kNan), one_float(0)), "nonfinite"); }

TEST(Rule_warnings, Holds) {
  Recorded warned = plain();
  warned.call().warnings = {"UserWarning: x"};
  expect_weak("warnings", plain(), warned);
}
TEST(Rule_warnings, NearestBugGetsThrough) {
  Recorded warned = plain();
  warned.call().warnings = {"UserWarning: x"};
  warned.call().printed = "x";
  DIVERGES(of(plain(), warned), "text");
}

TEST(Rule_error_class, Holds) {
  expect_weak("error_class", raising("builtins.ValueError"), raising("builtins.KeyError"));
}
TEST(Rule_error_class, NearestBugGetsThrough) {
  DIVERGES(of(returning(text("ValueError")), returning(text("KeyError"))), "handler");
}

TEST(Rule_denormal, Holds) { expect_weak("denormal", one_float(1e-40F), one_float(0)); }
TEST(Rule_denormal, NearestBugGetsThrough) {
  DIVERGES(of(half(0x0800), half(0x0000)), "monte_carlo");
  DIVERGES(of(half(0x0300), half(0x0000)), "monte_carlo");
  DIVERGES(of(half(0x0000), half(0x7E00)), "nonfinite");
}

TEST(Rule_expected_refusal, Holds) {
  ExceptionRecord record = exception("torch._dynamo.exc.Unsupported");
  record.expected_refusal = true;
  record.while_compiling = true;
  Recorded compiled;
  compiled.call().exception = record;
  AGREES(of(plain(), compiled), "expected_refusal");
}
TEST(Rule_expected_refusal, NearestBugGetsThrough) {
  ExceptionRecord record = exception("torch._dynamo.exc.Unsupported");
  record.expected_refusal = false;
  record.while_compiling = true;
  Recorded compiled;
  compiled.call().exception = record;
  DIVERGES(of(plain(), compiled), "compiler_error");
}

TEST(Rule_overlapping_write, Holds) {
  const auto run = [](std::int64_t stride, std::int64_t version, float result) {
    Recorded made = one_float(result);
    TensorRecord argument = floats({1, 2, 3, 4}, {2, 2});
    argument.strides = {stride, 1};
    argument.version = version;
    made.call().inputs = sequence("tuple", {made.add(argument)});
    return made;
  };
  IS(of(run(1, 1, 1), run(1, 1, 2)), VerdictKind::kUnstable, "overlapping_write");
}
TEST(Rule_overlapping_write, NearestBugGetsThrough) {
  const auto run = [](std::int64_t stride, std::int64_t version, float result) {
    Recorded made = one_float(result);
    TensorRecord argument = floats({1, 2, 3, 4}, {2, 2});
    argument.strides = {stride, 1};
    argument.version = version;
    made.call().inputs = sequence("tuple", {made.add(argument)});
    return made;
  };
  DIVERGES(of(run(1, 0, 1), run(1, 0, 2)), "monte_carlo");
  DIVERGES(of(run(2, 1, 1), run(2, 1, 2)), "monte_carlo");
  // Other choices move only what depends on the order of the elements.
  DIVERGES(of(run(1, 1, 1), run(1, 1, 2), {{"other_choices_1", run(1, 1, 1)}}), "monte_carlo");
}

TEST(Rule_single_memory_location, Holds) {
  AGREES(of(raising("builtins.RuntimeError",
                    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a "
                    "single memory location."),
            plain()),
         "single_memory_location");
}
TEST(Rule_single_memory_location, NearestBugGetsThrough) {
  DIVERGES(of(raising("builtins.RuntimeError", "sizes do not match"), plain()), "accepts");
}

TEST(Rule_eager_traces, Holds) {
  ExceptionRecord record = exception("builtins.TypeError");
  record.frames = {{"site-packages/torch/_functorch/_aot_autograd/graph_capture_wrappers.py", "inner_fn", 336},
                   {"site-packages/torch/fx/experimental/proxy_tensor.py", "dispatch_trace", 1691},
                   {"site-packages/torch/_higher_order_ops/cond.py", "backward", 366}};
  Recorded eager = plain();
  eager.call().backward_exception = record;
  AGREES(of(eager, plain()), "eager_traces");
  Recorded called;
  called.call().exception = record;
  AGREES(of(called, plain()), "eager_traces");
}
TEST(Rule_eager_traces, NearestBugGetsThrough) {
  ExceptionRecord record = exception("builtins.TypeError");
  record.frames = {{"site-packages/torch/_higher_order_ops/cond.py", "backward", 366}};
  Recorded eager = plain();
  eager.call().backward_exception = record;
  DIVERGES(of(eager, plain()), "accepts");
}

Verdict of_backwards(bool compiled_too, const std::string& message) {
  ExceptionRecord record;
  record.type = "builtins.RuntimeError";
  record.message = message;
  Recorded eager = plain();
  eager.call().backward_exception = record;
  Recorded compiled = plain();
  if (compiled_too) compiled.call().backward_exception = record;
  return compiled_too ? of(plain(), compiled) : of(eager, compiled);
}
constexpr const char* kWritten =
    "one of the variables needed for gradient computation has been modified by an inplace operation: "
    "[torch.FloatTensor "
    "[2]], which is output 0 of ExpBackward0, is at version 1; expected version 0 instead.";

TEST(Rule_kept_for_backward, Holds) { AGREES(of_backwards(false, kWritten), "kept_for_backward"); }
TEST(Rule_kept_for_backward, NearestBugGetsThrough) {
  DIVERGES(of_backwards(true, kWritten), "raises");
  DIVERGES(of_backwards(false, "element 0 of tensors does not require grad"), "accepts");
}

// A call whose second way backward is refused; `again`: whether the program had asked for a first one.
Recorded finding_graph_freed(bool again, const std::string& message) {
  Recorded made = plain();
  made.call().graphs_used_before = again;
  if (message.empty()) return made;
  ExceptionRecord record;
  record.type = "builtins.RuntimeError";
  record.message = message;
  made.call().backward_exception = record;
  return made;
}
constexpr const char* kFreed = "Trying to backward through the graph a second time (or directly access saved tensors)";

TEST(Rule_graph_freed, Holds) {
  AGREES(of(finding_graph_freed(true, ""), finding_graph_freed(true, kFreed)), "graph_freed");
  AGREES(of(finding_graph_freed(true, kFreed), finding_graph_freed(true, "")), "graph_freed");
}
TEST(Rule_graph_freed, NearestBugGetsThrough) {
  DIVERGES(of(finding_graph_freed(false, ""), finding_graph_freed(false, kFreed)), "raises");
  DIVERGES(of(finding_graph_freed(true, ""), finding_graph_freed(true, "no gradient")), "raises");
  // The program's own way back fails.
  Recorded called = finding_graph_freed(true, kFreed);
  std::swap(called.call().exception, called.call().backward_exception);
  DIVERGES(of(finding_graph_freed(true, ""), called), "raises");
}

TEST(Rule_dead_operator, Holds) {
  const auto judged = [](const std::string& last) {
    const std::string source = "def program(x):\n  a = x.sum(dim=9)\n  return " + last + "\n";
    const Plan plan = find_oracle("eager_vs_compiled")->plan(Program::make(source, {}).value(), {});
    Recorded eager = raising("builtins.IndexError");
    eager.call().exception_line = 2;
    return verdict_of_oracle("eager_vs_compiled", plan, {eager.outcome("eager"), plain().outcome("compiled")});
  };
  AGREES(judged("x"), "dead_operator");
}
TEST(Rule_dead_operator, NearestBugGetsThrough) {
  const auto judged = [](const std::string& last) {
    const std::string source = "def program(x):\n  a = x.sum(dim=9)\n  return " + last + "\n";
    const Plan plan = find_oracle("eager_vs_compiled")->plan(Program::make(source, {}).value(), {});
    Recorded eager = raising("builtins.IndexError");
    eager.call().exception_line = 2;
    return verdict_of_oracle("eager_vs_compiled", plan, {eager.outcome("eager"), plain().outcome("compiled")});
  };
  DIVERGES(judged("a"), "accepts");
}

TEST(Rule_float_to_int, Holds) {
  const auto run = [](float input, std::int64_t result) {
    Recorded made = returning(longs({result}));
    made.call().inputs = sequence("tuple", {made.add(floats({input}))});
    return made;
  };
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  IS(of(run(1e30F, kLowest), run(1e30F, 0)), VerdictKind::kUnstable, "float_to_int");
}
TEST(Rule_float_to_int, NearestBugGetsThrough) {
  const auto run = [](float input, std::int64_t result) {
    Recorded made = returning(longs({result}));
    made.call().inputs = sequence("tuple", {made.add(floats({input}))});
    return made;
  };
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  DIVERGES(of(run(1, kLowest), run(1, 0)), "exact");
  DIVERGES(of(run(1e30F, 5), run(1e30F, 0)), "exact");
  // Other choices move only what was converted.
  DIVERGES(of(run(1e30F, kLowest), run(1e30F, 0), {{"other_choices_1", run(1e30F, kLowest)}}), "exact");
}

TEST(Rule_numpy_scalars, Holds) {
  AGREES(of(returning(leaf(Value::Kind::kFloat, "numpy.float64", "0x1p+0")), returning(doubles({1}, {}))), "bitwise");
  AGREES(of(returning(leaf(Value::Kind::kInt, "numpy.uint16", "500")),
            returning(tensor_of<std::uint16_t>("uint16", {500}, {}))),
         "bitwise");
}
TEST(Rule_numpy_scalars, HoldsInTexts) {
  AGREES(of(returning(text("np.float64(1.5)")), returning(text("array(1.5)"))), "numpy_scalars");
}
TEST(Rule_numpy_scalars, NearestBugGetsThrough) {
  EXPECT_EQ(of(returning(text("np.float64(1.5)")), returning(text("array([1.5])"))).kind, VerdictKind::kDiverge);
  EXPECT_EQ(of(returning(text("np.float64(1764554401.0)")), returning(text("np.float64(1764554400.0)"))).kind,
            VerdictKind::kDiverge)
      << "no array";
  const Value one = leaf(Value::Kind::kFloat, "numpy.float64", "0x1p+0");
  DIVERGES(of(returning(one), returning(doubles({2}, {}))), "monte_carlo");
  DIVERGES(of(returning(one), returning(floats({1}, {}))), "structure");
  DIVERGES(of(returning(leaf(Value::Kind::kBool, "numpy.bool_", "True")), returning(number(1))), "structure");
  DIVERGES(of(returning(number(1)), returning(doubles({1}, {}))), "structure");
  DIVERGES(of(returning(one), returning(doubles({1}, {1}))), "structure");
}

TEST(Rule_iterator_types, Holds) {
  const auto over = [](const char* type) { return returning(leaf(Value::Kind::kIterator, type, "")); };
  AGREES(of(over("list_iterator"), over("tuple_iterator")), "bitwise");
}
TEST(Rule_iterator_types, NearestBugGetsThrough) {
  const auto over = [](const char* type, long long item) {
    Value value = leaf(Value::Kind::kIterator, type, "");
    value.items = {integer(item)};
    return returning(value);
  };
  DIVERGES(of(over("list_iterator", 1), over("tuple_iterator", 2)), "exact");
  DIVERGES(of(over("list_iterator", 1), over("range_iterator", 1)), "structure");
}

TEST(Rule_incomparable, Holds) {
  const auto run = [] {
    return returning(leaf(Value::Kind::kUnreadable, "program.Bad", "looking at it raises KeyError"));
  };
  const Verdict verdict = of(run(), run());
  EXPECT_EQ(verdict.kind, VerdictKind::kRejected);
  EXPECT_EQ(verdict.rule, "incomparable");
  EXPECT_EQ(verdict.reason, "output (program.Bad) can't be compared: looking at it raises KeyError");
  TensorRecord large = floats({1});
  large.bytes.clear();
  large.unreadable = "too large";
  EXPECT_EQ(of(returning(large), returning(large)).rule, "incomparable");
}
TEST(Rule_incomparable, NearestBugGetsThrough) {
  const auto run = [](long long beside) {
    return returning(sequence("tuple", {leaf(Value::Kind::kUnreadable, "program.Bad", "too deep"), integer(beside)}));
  };
  DIVERGES(of(run(1), run(2)), "exact");
  DIVERGES(of(returning(integer(1)), returning(leaf(Value::Kind::kUnreadable, "int", "too deep"))), "structure");
}

TEST(Rule_message_text, Holds) {
  AGREES(of(raising("builtins.ValueError", "one"), raising("builtins.ValueError", "other")), "both_raise");
}
TEST(Rule_message_text, NearestBugGetsThrough) {
  DIVERGES(of(returning(text("one")), returning(text("other"))), "text");
  Recorded late = plain();
  late.call().backward_exception = exception("builtins.ValueError", "one");
  DIVERGES(of(raising("builtins.ValueError", "one"), late), "accepts");
}

TEST(Rule_eager_backward_fails, Holds) {
  Recorded eager = plain();
  eager.call().backward_exception = exception("builtins.RuntimeError");
  AGREES(of(eager, raising("builtins.AssertionError")), "both_raise");
}
TEST(Rule_eager_backward_fails, NearestBugGetsThrough) {
  Recorded eager = plain();
  Recorded compiled = raising("builtins.AssertionError");
  eager.call(1).output = integer(1);
  eager.call(1).backward_exception = exception("builtins.RuntimeError");
  compiled.call(1).output = integer(1);
  DIVERGES(of(eager, compiled), "raises");  // in another call
}

TEST(Rule_state_after_raise, Holds) {
  Recorded one = raising("builtins.ValueError");
  Recorded other = raising("builtins.ValueError");
  one.call().state = integer(1);
  other.call().state = integer(2);
  one.call(1).output = integer(1);
  other.call(1).output = integer(2);
  AGREES(of(one, other), "both_raise");
}
TEST(Rule_state_after_raise, NearestBugGetsThrough) {
  Recorded one = raising("builtins.ValueError");
  Recorded other = raising("builtins.ValueError");
  one.call().state = integer(1);
  other.call().state = integer(1);
  one.call(1).output = integer(1);
  other.call(1).output = integer(2);
  DIVERGES(of(one, other), "exact");
}

TEST(Rule_compile_time, Holds) {
  Outcome slow = plain().outcome("compiled");
  slow.seconds = 1e6;
  AGREES(judge_outcomes({plain().outcome("eager"), slow}).verdict, "bitwise");
}
TEST(Rule_compile_time, NearestBugGetsThrough) { DIVERGES(ends(TimedOut{1e6, {}}), "hang"); }

}  // namespace
}  // namespace jp::oracle::test
