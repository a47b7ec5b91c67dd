// Names of functions in texts.
#include "core/functions_named.h"

#include <gtest/gtest.h>

namespace jp {
namespace {

using Names = std::vector<std::string>;

TEST(FunctionsNamed, FunctionsAndMethods) {
  EXPECT_EQ(functions_named("torch.matmul(*torch.qr(v0.abs()))"), (Names{"torch.matmul", "torch.qr", "Tensor.abs"}));
  EXPECT_EQ(functions_named("torch.nn.functional.relu(v0).qr().mH"),
            (Names{"torch.nn.functional.relu", "Tensor.qr", "Tensor.mH"}));
  EXPECT_EQ(functions_named("(v0 @ v1)[0].qr()"), Names{"Tensor.qr"});
  EXPECT_EQ(functions_named("torch.full((2,), 1.5, dtype=torch.float32)"), (Names{"torch.full", "torch.float32"}));
}

TEST(FunctionsNamed, WhatIsNoName) {
  EXPECT_EQ(functions_named("1.5 + v0 @ torch - torch2"), Names{});
  EXPECT_EQ(functions_named("torch."), Names{});
  EXPECT_EQ(functions_named("mytorch.qr(v0)"), Names{"Tensor.qr"});
  EXPECT_EQ(functions_named("v0[..., 1]"), Names{});
}

TEST(MissingFunctions, AreFoundAsWholeNames) {
  const MissingFunctions missing({"cholesky_inverse", "torch.qr", "Tensor.trace"});
  EXPECT_TRUE(missing.named_in("x = torch.qr(x)"));
  EXPECT_TRUE(missing.named_in("x = y.trace()"));
  for (const char* text : {"torch.linalg.qr(x)", "torch.qr_(x)", "x.qr()", "torch.trace(x)", "cholesky_inverse", ""})
    EXPECT_FALSE(missing.named_in(text)) << text;
  EXPECT_TRUE(MissingFunctions({"cholesky_inverse"}).empty());
}

TEST(MissingFunctions, OnlyNewOnesCount) {
  const MissingFunctions missing({"torch.qr", "Tensor.trace"});
  EXPECT_TRUE(missing.new_in("x = torch.qr(x)", "x = x"));
  EXPECT_FALSE(missing.new_in("x = torch.qr(torch.qr(x))", "x = torch.qr(x)"));
  EXPECT_TRUE(missing.new_in("x = torch.qr(x).trace()", "x = torch.qr(x)"));
  EXPECT_FALSE(missing.new_in("x = x", "x = torch.qr(x)"));
}

}  // namespace
}  // namespace jp
