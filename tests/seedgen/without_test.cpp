// Programs for a torch that lacks some functions, and how it is found out which: without any torch, with names that are
// pretended to be missing.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/functions_named.h"
#include "seedgen/broken.h"
#include "seedgen/generate.h"
#include "seedgen/sample_calls.h"

namespace jp::seedgen {
namespace {

using Names = std::vector<std::string>;
using Samples = std::vector<SampleProgram::Sample>;

const Names kLacking = {"cholesky_inverse", "torch.cholesky", "torch.qr"};

GenerateOptions without(const Names& names) {
  GenerateOptions options;
  options.without = names;
  return options;
}

bool calls(const Program& program, std::string_view function) {
  const std::vector<std::string> named = functions_named(program.source());
  return std::find(named.begin(), named.end(), function) != named.end();
}

TEST(Without, NoProgramHasWhatIsMissing) {
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Program program = generate(seed, without(kLacking)).value();
    for (const char* name : {"torch.cholesky", "torch.qr", "torch.cholesky_inverse", "Tensor.cholesky_inverse"})
      EXPECT_FALSE(calls(program, name)) << program.source();
    for (std::string& name : functions_named(program.source())) seen.insert(std::move(name));
  }
  // Operators with other forms are still drawn.
  EXPECT_TRUE(seen.contains("torch.linalg.cholesky"));
  EXPECT_TRUE(seen.contains("torch.linalg.qr"));
}

TEST(Without, TheLineageGivesTheProgramAgain) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Program program = generate(seed, without(kLacking)).value();
    EXPECT_EQ(program.lineage().seed.without, kLacking);
    EXPECT_EQ(regenerate(program.lineage().seed).value().source(), program.source());
    const Program broken = generate_broken(seed, without(kLacking)).value();
    EXPECT_EQ(regenerate(broken.lineage().seed).value().source(), broken.source());
  }
}

TEST(Without, NothingMissingChangesNothing) {
  const Program program = generate(3, {}).value();
  EXPECT_EQ(generate(3, without({})).value().source(), program.source());
  EXPECT_EQ(generate(3, without({"torch.no_such_function"})).value().source(), program.source());
}

TEST(Without, UnknownOperatorsAreRefused) {
  EXPECT_FALSE(generate(1, without({"no_such_operator"})).ok());
  GenerateOptions none = without({"add"});
  none.only = {"add"};
  EXPECT_FALSE(generate(1, none).ok());
}

// What a torch says that refuses each text with one of these names.
Names answer(const std::function<bool(const SampleProgram::Sample&)>& refuses) {
  Samples accepted;
  Samples refused;
  for (const SampleProgram& program : sample_calls(4))
    for (const SampleProgram::Sample& sample : program.samples)
      (refuses(sample) ? refused : accepted).push_back(sample);
  return left_out(accepted, refused);
}

TEST(SampleCalls, HaveEveryOperatorAndAreTheSameEachTime) {
  std::set<std::string> drawn;
  std::size_t samples = 0;
  const std::vector<SampleProgram> one = sample_calls(4);
  const std::vector<SampleProgram> two = sample_calls(4);
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].program.source(), two[i].program.source());
    for (const SampleProgram::Sample& sample : one[i].samples) drawn.emplace(sample.op);
    samples += one[i].samples.size();
  }
  EXPECT_EQ(drawn.size(), list_operators().size());
  EXPECT_GT(samples, 10 * drawn.size());
}

TEST(SampleCalls, ATorchThatRefusesNothingLacksNothing) {
  EXPECT_EQ(answer([](const auto&) { return false; }), Names{});
}

TEST(SampleCalls, AMissingFunctionIsNamedAndItsOperatorStays) {
  const MissingFunctions missing({"torch.qr", "torch.cholesky"});
  EXPECT_EQ(answer([&](const auto& sample) { return missing.named_in(sample.text); }),
            (Names{"torch.cholesky", "torch.qr"}));
}

TEST(SampleCalls, AnOperatorWithoutAnotherFormIsLeftOut) {
  const MissingFunctions missing({"torch.linalg.qr", "torch.qr"});
  EXPECT_EQ(answer([&](const auto& sample) { return missing.named_in(sample.text); }),
            (Names{"Tensor.R", "qr_diagonal", "qr_product", "torch.linalg.qr", "torch.qr"}));
}

TEST(SampleCalls, AnOperatorThatRefusesSomeArgumentsIsLeftOut) {
  // As torch 2.12 refuses float16.
  EXPECT_EQ(answer([](const auto& sample) { return sample.op == "trace" && sample.draw == 6; }), Names{"trace"});
}

}  // namespace
}  // namespace jp::seedgen
