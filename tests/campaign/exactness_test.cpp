// What a step's exactness promises, and when eager breaks it.
#include "campaign/common/exactness.h"

#include <gtest/gtest.h>

namespace jp::campaign {
namespace {

Observation output(const std::string& number) {
  Observation observation;
  CallRecord call;
  call.output = {.kind = Value::Kind::kFloat, .type = "float", .text = number};
  observation.calls.push_back(call);
  return observation;
}

Observation with_backward_that_raises(Observation observation) {
  observation.calls[0].backward_exception = ExceptionRecord{
      .type = "builtins.RuntimeError", .bases = {"builtins.Exception"}, .message = "no derivative", .frames = {}};
  return observation;
}

TEST(Exactness, EqualRunsKeepABitwisePromise) {
  EXPECT_EQ(broken_promise(mutate::Exactness::kBitwise, output("0x1p+0"), output("0x1p+0")), "");
  EXPECT_NE(broken_promise(mutate::Exactness::kBitwise, output("0x1p+0"), output("0x1.8p+0")), "");
}

TEST(Exactness, WhatRaisesInBothRunsBreaksNoPromise) {
  const Observation before = with_backward_that_raises(output("0x1p+0"));
  EXPECT_EQ(broken_promise(mutate::Exactness::kBitwise, before, before), "");
  EXPECT_NE(broken_promise(mutate::Exactness::kBitwise, before, output("0x1p+0")), "");
  EXPECT_NE(broken_promise(mutate::Exactness::kBitwise, before, with_backward_that_raises(output("0x1.8p+0"))), "");
}

}  // namespace
}  // namespace jp::campaign
