// The questions about rounding and what is compared exactly: each rule where it holds, and the nearest real bug.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/oracle/rules.h"

namespace jp::oracle::test {
namespace {

TEST(Rule_bitwise, Holds) { AGREES(of(plain(), plain()), "bitwise"); }
TEST(Rule_bitwise, NearestBugGetsThrough) { DIVERGES(of(one_float(1), one_float(1.5F)), "monte_carlo"); }

TEST(Rule_tolerance, Holds) { AGREES(of(one_float(1), one_float(1.00001F)), "tolerance"); }
TEST(Rule_tolerance, NearestBugGetsThrough) { DIVERGES(of(one_float(1), one_float(1.00003F)), "monte_carlo"); }

TEST(Rule_float32, Holds) { AGREES(of(half(0x3C00), half(0x3C06), {{"float32", one_float(1.003F)}}), "float32"); }
TEST(Rule_float32, NearestBugGetsThrough) {
  DIVERGES(of(half(0x3C00), half(0x3C16), {{"float32", one_float(1.003F)}}), "monte_carlo");
}

TEST(Rule_float64, Holds) {
  AGREES(of(one_float(1), one_float(1.0002F), {{"float64", one_double(1.0001)}}), "float64");
}
// Terms that cancel inside an operator of a half type lose the last digit of the largest of them; without a float64 run
// nothing shows that.
TEST(Rule_float64, HalvesThatCancelAreNotJudgedWithoutIt) {
  const auto halves = [](std::uint16_t last) {
    return returning(tensor_of<std::uint16_t>("float16", {0x3800, 0xBA00, last}));  // 0.5, -0.75 and a small one
  };
  const Verdict cancelled = of(halves(0x9EDD), halves(0x9EA3));  // -0.0067, -0.00648
  EXPECT_EQ(cancelled.kind, Verdict::Kind::kUnstable);
  EXPECT_EQ(of(halves(0x9EDD), halves(0x9800)).kind, Verdict::Kind::kDiverge) << "-0.00195";
}
// Far from float64 a half type sits on a jump, or its terms cancel: moved roundings tell.
TEST(Rule_float64, HalvesThatCancelAreRoundedAsFarAsRoundingsMoveThem) {
  const auto judged = [](std::uint16_t moved) {
    return of(half(0x3C00), half(0x3D00), {{"float64", one_double(1.12)}, {"monte_carlo_1", half(moved)}});
  };
  AGREES(judged(0x3C66), "monte_carlo");
  EXPECT_EQ(judged(0x3C01).kind, VerdictKind::kUnstable);
}
TEST(Rule_float64, NearestBugGetsThrough) {
  DIVERGES(of(one_float(1), one_float(1.0005F), {{"float64", one_double(1.0001)}}), "monte_carlo");
}

// What eager refuses for its dtypes it may accept in float64, where they are others: that is no rounding.
TEST(Rule_float64, SaysNothingOfARefusalOfDtypes) {
  const auto refusal = [](const std::string& type, const std::string& message) {
    return raising("builtins." + type, message);
  };
  const Answers accepts = {{"float64", one_double(1)}};
  for (const char* message :
       {"expected scalar type Float but found Double", "\"lu_cpu\" not implemented for 'Half'",
        "index_add_(): self (Float) and source (Double) must have the same scalar type",
        "addmv input tensors must have the same dtype, but got Double, Float, and Double",
        "Input type (float) and bias type (double) should be the same", "Unsupported dtype Half"}) {
    EXPECT_EQ(of(refusal("RuntimeError", message), one_float(1), accepts).rule, "accepts") << message;
    Answers moves = accepts;
    moves["monte_carlo_2"] = one_float(1);
    EXPECT_EQ(of(refusal("RuntimeError", message), one_float(1), moves).kind, VerdictKind::kUnstable) << message;
  }
  const std::string of_two = "expected scalar type Float but found Double";
  EXPECT_EQ(of(refusal("ValueError", of_two), one_float(1), accepts).kind, VerdictKind::kUnstable)
      << "the program's own";
  for (const char* message :
       {"linalg.cholesky: the input is not positive-definite", "value cannot be converted to type int without overflow",
        "tensor([1.], dtype=torch.float32) must have the same dtype"})
    EXPECT_EQ(of(refusal("RuntimeError", message), one_float(1), accepts).kind, VerdictKind::kUnstable) << message;
}
// A value that leads to the refusal may overflow in half precision alone, which moved roundings don't show.
TEST(Rule_float64, DecidesOnARefusalOfDtypesBehindAChoice) {
  Plan plan = test_plan();
  ASSERT_TRUE(plan.straight);
  const Recorded refused = raising("builtins.RuntimeError", "expected scalar type Float but found Double");
  const auto verdict = [&] {
    return verdict_of_oracle("eager_vs_compiled", plan, {refused.outcome("eager"), one_float(1).outcome("compiled")},
                             {{"float64", one_double(1)}});
  };
  EXPECT_EQ(verdict().rule, "accepts");
  plan.straight = false;
  EXPECT_EQ(verdict().kind, VerdictKind::kUnstable);
}
// Without runs with moved roundings nothing else tells whether what leads to the refusal is rounding.
TEST(Rule_float64, DecidesOnARefusalOfDtypesIfNoRoundingCouldBeMoved) {
  const Recorded refused = raising("builtins.NotImplementedError", "\"lu_cpu\" not implemented for 'Half'");
  std::vector<Outcome> outcomes = {refused.outcome("eager"), one_float(1).outcome("compiled"),
                                   refused.outcome("eager_again"), one_double(1).outcome("float64")};
  Judgement judged = judge_outcomes(outcomes);
  while (!judged.wanted.empty()) {
    for (const RunRequest& run : judged.wanted)
      outcomes.push_back({run.role, Raised{"inputs", "no such run", exception("builtins.TypeError")}, 0});
    judged = judge_outcomes(outcomes);
  }
  EXPECT_EQ(judged.verdict.kind, VerdictKind::kUnstable) << judged.verdict.reason;
}

TEST(Rule_eager_wrong, Holds) {
  AGREES(of(one_float(1.5F), one_float(1), {{"float64", one_double(1)}}), "eager_wrong");
  AGREES(of(one_float(kInf), one_float(5.1e20F), {{"float64", one_double(5e20)}}), "eager_wrong");
}
TEST(Rule_eager_wrong, NearestBugGetsThrough) {
  DIVERGES(of(one_float(kInf), one_float(0), {{"float64", one_double(5e20)}}), "nonfinite");
  DIVERGES(of(one_float(1), one_float(1.5F), {{"float64", one_double(1)}}), "monte_carlo");
}

TEST(Rule_monte_carlo, Holds) {
  AGREES(of(one_float(1), one_float(1.0007F), {{"monte_carlo_1", one_float(1.0001F)}}), "monte_carlo");
}
TEST(Rule_monte_carlo, NearestBugGetsThrough) {
  DIVERGES(of(one_float(1), one_float(1.0009F), {{"monte_carlo_1", one_float(1.0001F)}}), "monte_carlo");
}

TEST(Rule_emulate_precision_casts, Holds) {
  AGREES(of(half(0x3C00), half(0x3C10), {{"monte_carlo_1", half(0x3C01)}, {"compiled_casts", half(0x3C00)}}),
         "emulate_precision_casts");
}
TEST(Rule_emulate_precision_casts, NearestBugGetsThrough) {
  DIVERGES(of(half(0x3C00), half(0x3C10), {{"monte_carlo_1", half(0x3C01)}, {"compiled_casts", half(0x3C0F)}}),
           "monte_carlo");
}

TEST(Floats, WhatWasComputedInANarrowerTypeIsHeldToItsTolerance) {
  const auto judged = [](double compiled, double float64) {
    return of(returning(doubles({0.5})), returning(doubles({compiled})), {{"float64", returning(doubles({float64}))}});
  };
  EXPECT_EQ(judged(0.500003, 0.5000001).kind, Verdict::Kind::kAgree) << "float32 took part: float64 changes it";
  EXPECT_EQ(judged(0.500003, 0.5).kind, Verdict::Kind::kDiverge) << "float64 throughout";
  EXPECT_EQ(judged(0.501, 0.5000001).kind, Verdict::Kind::kDiverge) << "more than float32 rounds";
  const auto half = [](double float32) {
    const auto beside = [](Recorded run) {
      run.call().inputs = run.add(tensor_of<std::uint16_t>("float16", {0}));
      return run;
    };
    return of(beside(one_float(0.5F)), beside(one_float(0.5005F)),
              {{"float32", one_float(static_cast<float>(float32))}});
  };
  EXPECT_EQ(half(0.5001).kind, Verdict::Kind::kAgree) << "a half type took part";
  EXPECT_EQ(half(0.5).kind, Verdict::Kind::kDiverge);
}

TEST(Rule_small_numbers, NumbersOfPython) {
  const auto number = [](double x) { return returning(leaf(Value::Kind::kFloat, "float", fmt::format("{:a}", x))); };
  DIVERGES(of(number(3.3e-8), number(0), {{"float64", number(3.3000001e-8)}}), "small_numbers");
  DIVERGES(of(number(3.3e-8), number(0), {{"float64", number(3.3e-8)}}), "small_numbers");
  AGREES(of(number(3.3e-8), number(0), {{"float64", number(1e-9)}}), "small_numbers");
  AGREES(of(number(3.3e-8), number(3.5e-8)), "tolerance");
}

TEST(Rule_small_numbers, Holds) {
  AGREES(of(one_float(1e-6F), one_float(1.45e-6F)), "tolerance");
  AGREES(of(one_float(0.5F), one_float(0.500006F)), "tolerance");
  AGREES(of(one_float(1e-14F), one_float(3e-14F)), "tolerance");
  // Eager isn't accurate itself, here or on other values.
  AGREES(of(one_float(1e-6F), one_float(3e-6F), {{"float64", one_double(1.02e-6)}}), "small_numbers");
  AGREES(of(one_float(0), one_float(6e-8F), {{"float64", one_double(1e-9)}}), "tolerance");
  AGREES(
      of(one_float(1e-6F), one_float(3e-6F),
         {{"float64", one_double(1e-6)}, {"eager_values_1", one_float(2e-6F)}, {"float64_values_1", one_double(1e-6)}}),
      "other_values");
  AGREES(of(one_float(1e-6F), one_float(3e-6F), {{"float64", one_double(1e-6)}, {"monte_carlo", one_float(1.5e-6F)}}),
         "monte_carlo");
  AGREES(of(one_float(1e-6F), one_float(3e-6F), {{"float64", one_double(1e-6)}, {"other_choices_1", one_float(2e-6F)}}),
         "other_choices");
  AGREES(of(one_float(1e-6F), one_float(3e-6F)), "small_numbers");  // nothing is known of eager
}
TEST(Rule_small_numbers, NearestBugGetsThrough) {
  DIVERGES(of(one_float(1e-6F), one_float(1.6e-6F),
              {{"float64", one_double(1e-6)},
               {"eager_values_1", one_float(2e-6F)},
               {"float64_values_1", one_double(2e-6)},
               {"compiled_values_1", one_float(3.1e-6F)}}),
           "small_numbers");
  DIVERGES(of(one_float(1e-6F), one_float(0), {{"float64", one_double(1e-6)}}), "small_numbers");
  DIVERGES(of(returning(floats({1e-6F, kNan})), returning(floats({0, kNan})),
              {{"float64", returning(doubles({1e-6, kNan}))}}),
           "small_numbers");
}

TEST(Rule_other_values, Holds) {
  AGREES(of(one_float(1), one_float(1.0002F),
            {{"float64", one_double(1)}, {"eager_values_1", one_float(2.0002F)}, {"float64_values_1", one_double(2)}}),
         "other_values");
}
TEST(Rule_other_values, NearestBugGetsThrough) {
  DIVERGES(
      of(one_float(1), one_float(1.0005F),
         {{"float64", one_double(1)}, {"eager_values_1", one_float(2.0002F)}, {"float64_values_1", one_double(2)}}),
      "monte_carlo");
}

TEST(Rule_borderline, Holds) {
  IS(of(one_float(1), one_float(1.0005F),
        {{"float64", one_double(1)},
         {"eager_values_1", one_float(2)},
         {"float64_values_1", one_double(2)},
         {"compiled_values_1", one_float(2)}}),
     VerdictKind::kUnstable, "borderline");
}
TEST(Rule_borderline, NearestBugGetsThrough) {
  DIVERGES(of(one_float(1), one_float(1.0005F),
              {{"float64", one_double(1)},
               {"eager_values_1", one_float(2)},
               {"float64_values_1", one_double(2)},
               {"compiled_values_1", one_float(2.001F)}}),
           "monte_carlo");
  DIVERGES(of(one_float(-0.0F), one_float(0.5F),
              {{"float64", one_double(-0.0)},
               {"eager_values_1", one_float(2)},
               {"float64_values_1", one_double(2)},
               {"compiled_values_1", one_float(2)}}),
           "monte_carlo");
}

TEST(Rule_exact, Holds) { AGREES(of(returning(longs({1})), returning(longs({1}))), "bitwise"); }
TEST(Rule_exact, NearestBugGetsThrough) {
  DIVERGES(of(returning(longs({1 << 30})), returning(longs({(1 << 30) + 1}))), "exact");
}

TEST(Rule_nonfinite, Holds) { AGREES(of(returning(floats({kNan, kInf})), returning(floats({kNan, kInf}))), "bitwise"); }
TEST(Rule_nonfinite, NearestBugGetsThrough) {
  DIVERGES(of(one_float(kInf), one_float(-kInf)), "nonfinite");
  DIVERGES(of(one_float(3e38F), one_float(kInf), {{"float64", one_double(3e38)}}), "nonfinite");
  IS(of(one_float(-kInf), one_float(kInf),
        {{"float64", one_double(-kInf)},
         {"eager_values_1", one_float(2)},
         {"float64_values_1", one_double(2)},
         {"compiled_values_1", one_float(2)}}),
     VerdictKind::kUnstable, "borderline");
  // A lost infinity is no small difference, though it may vanish on other values.
  DIVERGES(of(one_float(-kInf), one_float(-23),
              {{"float64", one_double(-kInf)},
               {"eager_values_1", one_float(2)},
               {"float64_values_1", one_double(2)},
               {"compiled_values_1", one_float(2)}}),
           "nonfinite");
}

TEST(Rule_structure, Holds) {
  AGREES(of(returning(sequence("list", {integer(1)})), returning(sequence("list", {integer(1)}))), "bitwise");
}
TEST(Rule_structure, NearestBugGetsThrough) {
  DIVERGES(of(returning(sequence("list", {integer(1)})), returning(sequence("tuple", {integer(1)}))), "structure");
}

TEST(Rule_dtype, Holds) { AGREES(of(one_double(1), one_double(1)), "bitwise"); }
TEST(Rule_dtype, NearestBugGetsThrough) { DIVERGES(of(one_double(1), one_float(1)), "dtype"); }

TEST(Rule_shape, Holds) { AGREES(of(returning(floats({}, {0, 2})), returning(floats({}, {0, 2}))), "bitwise"); }
TEST(Rule_shape, NearestBugGetsThrough) {
  DIVERGES(of(returning(floats({}, {0, 2})), returning(floats({}, {0, 3}))), "shape");
}

TEST(Rule_requires_grad, Holds) { AGREES(of(plain(), plain()), "bitwise"); }
TEST(Rule_requires_grad, NearestBugGetsThrough) {
  DIVERGES(of(plain(), flagged([](TensorRecord& x) { x.requires_grad = true; })), "requires_grad");
}

TEST(Rule_text, Holds) {
  AGREES(of(returning(text("mean 0.5001")), returning(text("mean 0.5002")),
            {{"monte_carlo_2", returning(text("mean 0.5003"))}}),
         "monte_carlo");
}
TEST(Rule_text, NearestBugGetsThrough) { DIVERGES(of(returning(text("n 5")), returning(text("n 6"))), "text"); }

TEST(Rule_node_names, Holds) {
  AGREES(of(returning(text("tensor([1.], grad_fn=<MulBackward0>)")),
            returning(text("tensor([1.], grad_fn=<CompiledFunctionBackward>)"))),
         "node_names");
  AGREES(of(returning(text("<MulBackward0 object")),
            returning(text("<torch.autograd.function.CompiledFunctionBackward object"))),
         "node_names");
}
TEST(Rule_node_names, NearestBugGetsThrough) {
  const Recorded one = returning(text("tensor([1.], grad_fn=<MulBackward0>)"));
  DIVERGES(of(one, returning(text("tensor([1.])"))), "text");
  DIVERGES(of(one, returning(text("tensor([2.], grad_fn=<CompiledFunctionBackward>)"))), "text");
}

TEST(Rule_mode, Holds) { AGREES(of(plain(), plain()), "bitwise"); }
TEST(Rule_mode, NearestBugGetsThrough) {
  Recorded one = plain();
  one.call().mode = {{"grad", "True"}};
  Recorded other = plain();
  other.call().mode = {{"grad", "False"}};
  DIVERGES(of(one, other), "mode");
}

// A call with one argument, in storage 5, that returns it and another tensor.
Recorded with_memory(std::int64_t storage) {
  Recorded run = pair_of(storage, 2);
  run.call().inputs = sequence("tuple", {run.call().output.items[0]});
  return run;
}

TEST(Rule_shared_memory, Holds) {
  AGREES(of(with_memory(6), with_memory(7)), "bitwise");
  AGREES(of(with_memory(5), with_memory(5)), "bitwise");
  AGREES(of(with_memory(5), with_memory(6)), "bitwise");  // a copy: aliasing is weak
}
TEST(Rule_shared_memory, NearestBugGetsThrough) {
  const Verdict verdict = of(with_memory(6), with_memory(5));
  DIVERGES(verdict, "shared_memory");
  EXPECT_EQ(verdict.differences[0].where, "shared[output, tensor 1]");
  // What rounding or a choice decides may be an argument, or a copy.
  IS(of(with_memory(6), with_memory(5), {{"monte_carlo_3", with_memory(5)}}), Verdict::Kind::kUnstable, "monte_carlo");
  IS(of(with_memory(6), with_memory(5), {{"other_choices_1", with_memory(5)}}), Verdict::Kind::kUnstable,
     "other_choices");
  DIVERGES(of(with_memory(6), with_memory(5), {{"float64", with_memory(5)}}), "shared_memory");
  const auto as_state = [](Recorded run) {
    std::swap(run.call().inputs, run.call().state);
    return run;
  };
  DIVERGES(of(as_state(with_memory(6)), as_state(with_memory(5))), "shared_memory");
}

TEST(Rule_overwritten, Holds) {
  Recorded copied = plain();
  Recorded shared = plain();
  shared.call().overwritten = {"output, tensor 0"};
  AGREES(of(shared, copied), "bitwise");
}
TEST(Rule_overwritten, NearestBugGetsThrough) {
  Recorded one = plain();
  one.call().overwritten = {"output, tensor 0"};
  Recorded other = one;
  other.call().overwritten.push_back("output, tensor 1");
  const Verdict verdict = of(one, other);
  DIVERGES(verdict, "overwritten");
  EXPECT_EQ(verdict.differences[0].where, "overwritten[output, tensor 1]");
}

TEST(Rule_handler, Holds) { AGREES(of(returning(text("ValueError")), returning(text("ValueError"))), "bitwise"); }
TEST(Rule_handler, NearestBugGetsThrough) {
  const Verdict verdict = of(returning(text("caught ValueError")), returning(text("caught KeyError")));
  DIVERGES(verdict, "handler");
  EXPECT_EQ(mismatch_name(verdict.differences[0].mismatch), "handler");
  EXPECT_EQ(verdict.differences[0].what, "ValueError | KeyError");
}

TEST(Rule_raises, Holds) {
  IS(of(plain(), raising("builtins.ValueError"), {{"monte_carlo_1", raising("builtins.ValueError")}}),
     VerdictKind::kUnstable, "monte_carlo");
}
TEST(Rule_raises, NearestBugGetsThrough) { DIVERGES(of(plain(), raising("builtins.ValueError")), "raises"); }

TEST(Rule_accepts, Holds) { AGREES(of(raising("builtins.ValueError"), raising("builtins.ValueError")), "both_raise"); }
TEST(Rule_accepts, NearestBugGetsThrough) { DIVERGES(of(raising("builtins.ValueError"), plain()), "accepts"); }

TEST(Rule_both_raise, Holds) {
  AGREES(of(raising("builtins.ValueError"), raising("builtins.ValueError")), "both_raise");
}
TEST(Rule_both_raise, NearestBugGetsThrough) {
  Recorded backward = plain();
  backward.call().backward_exception = exception("builtins.ValueError");
  DIVERGES(of(raising("builtins.ValueError"), backward), "accepts");
}

}  // namespace
}  // namespace jp::oracle::test
