// Harvested calls in generated programs.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "campaign/common/tools.h"
#include "campaign/sources/harvest.h"
#include "campaign/sources/seed_source.h"
#include "codec/codec.h"
#include "core/hash.h"
#include "seedgen/generate.h"

namespace jp::campaign {
namespace {

namespace fs = std::filesystem;

// A cat of any two matrices, the inverse of one matrix alone, a view; tripling, of which intervals are known, and
// rounding down, which takes exact values only.
constexpr std::string_view kCalls = R"json({"version": 1, "calls": [
 {"operator": "others_cat", "text": "torch.cat([$0, $1])", "several": false, "bound": 256, "gradients": true,
  "levels": [], "exact": false,
  "arguments": [
   {"text": "torch.ones((2, 3))", "free": true, "dtype": "float32", "shape": [2, 3], "strides": [3, 1], "low": 1,
    "high": 1, "overlaps": false},
   {"text": "torch.zeros((2, 3))", "free": true, "dtype": "float32", "shape": [2, 3], "strides": [3, 1], "low": 0,
    "high": 0, "overlaps": false}],
  "results": [{"of": -1, "dtype": "float32", "shape": [4, 3], "strides": [3, 1], "low": 0, "high": 1,
    "overlaps": false}]},
 {"operator": "others_inv", "text": "torch.linalg.inv($0)", "several": false, "bound": 256, "gradients": false,
  "levels": [], "exact": false,
  "arguments": [{"text": "torch.eye(3) * 0.5", "free": false, "dtype": "float32", "shape": [3, 3], "strides": [3, 1],
    "low": 0, "high": 0.5, "overlaps": false}],
  "results": [{"of": -1, "dtype": "float32", "shape": [3, 3], "strides": [3, 1], "low": 0, "high": 2,
    "overlaps": false}]},
 {"operator": "others_t", "text": "$0.t()", "several": false, "bound": 256, "gradients": true,
  "levels": [], "exact": false,
  "arguments": [{"text": "torch.ones((2, 3))", "free": true, "dtype": "float32", "shape": [2, 3], "strides": [3, 1],
    "low": 1, "high": 1, "overlaps": false}],
  "results": [{"of": 0, "dtype": "float32", "shape": [3, 2], "strides": [1, 3], "low": 1, "high": 1,
    "overlaps": false}]},
 {"operator": "others_triple", "text": "torch.mul($0, 3)", "several": false, "bound": 256, "gradients": true,
  "levels": [{"arguments": [[-256, 256]], "results": [[-768, 768]]}, {"arguments": [[-1, 1]], "results": [[-3, 3]]}],
  "exact": false,
  "arguments": [{"text": "torch.ones((2, 3))", "free": true, "dtype": "float32", "shape": [2, 3], "strides": [3, 1],
    "low": 1, "high": 1, "overlaps": false}],
  "results": [{"of": -1, "dtype": "float32", "shape": [2, 3], "strides": [3, 1], "low": 3, "high": 3,
    "overlaps": false}]},
 {"operator": "others_floor", "text": "torch.floor($0)", "several": false, "bound": 256, "gradients": false,
  "levels": [{"arguments": [[-256, 256]], "results": [[-256, 256]]}], "exact": true,
  "arguments": [{"text": "torch.ones((2, 3))", "free": true, "dtype": "float32", "shape": [2, 3], "strides": [3, 1],
    "low": 1, "high": 1, "overlaps": false}],
  "results": [{"of": -1, "dtype": "float32", "shape": [2, 3], "strides": [3, 1], "low": 1, "high": 1,
    "overlaps": false}]}]})json";

class HarvestedCalls : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("harvested-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    write(kCalls);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(std::string_view text) { ASSERT_TRUE(write_file((folder_ / "operators.json").string(), text).ok()); }
  std::string folder() const { return folder_.string(); }
  seedgen::GenerateOptions options() const {
    seedgen::GenerateOptions options;
    options.with = load_harvested(folder()).value();
    return options;
  }

 private:
  fs::path folder_;
};

TEST_F(HarvestedCalls, TheSameSeedAndFolderGiveTheSameBytes) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Program program = seedgen::generate(seed, options()).value();
    EXPECT_EQ(seedgen::generate(seed, options()).value().source(), program.source());
    EXPECT_EQ(regenerate_any(program.lineage().seed).value().source(), program.source());
    EXPECT_FALSE(seedgen::regenerate(program.lineage().seed).ok()) << "the number alone gives another program";
  }
}

TEST_F(HarvestedCalls, CallsStandAmongOthers) {
  bool known_only = true;
  int inverses = 0, readers = 0, live = 0, views = 0, wider = 0;
  const seedgen::GenerateOptions with = options();
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Graph graph = seedgen::generate_graph(seed, with);
    std::vector<int> results;
    for (const Call& call : graph.calls) {
      for (int id : operands(call)) {
        readers += std::count(results.begin(), results.end(), id) > 0;
        const GraphValue& read = graph.values[static_cast<std::size_t>(id)];
        known_only = known_only && (call.op != "others_inv" || read.input);
        live += call.op == "others_cat" && !read.input;
      }
      const GraphValue& given = graph.values[static_cast<std::size_t>(call.outputs[0])];
      if (call.op == "others_inv") {
        ++inverses;
        wider += given.interval.low < 0 && given.interval.high > 2;
        results.push_back(given.id);
      }
      if (call.op == "others_t") {
        ++views;
        EXPECT_EQ(given.storage, graph.values[static_cast<std::size_t>(operands(call)[0])].storage);
      }
    }
  }
  EXPECT_TRUE(known_only) << "an inverse of a matrix that nothing is known of";
  EXPECT_GT(inverses, 50);
  EXPECT_GT(views, 50);
  EXPECT_GT(wider, inverses / 2) << "where nothing was written, what was measured and a little more";
  EXPECT_GT(readers, 10) << "nobody reads what harvested calls give";
  EXPECT_GT(live, 10) << "harvested calls read no live values";
}

TEST_F(HarvestedCalls, ResultsLieWhereTheNarrowestLevelSays) {
  int recorded = 0, narrow = 0, wide = 0, steps = 0;
  const seedgen::GenerateOptions with = options();
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Graph graph = seedgen::generate_graph(seed, with);
    // What is known at the end was known at the call, unless the value was written since, under another name.
    auto is_written = [&](int id) {
      const int storage = graph.values[static_cast<std::size_t>(id)].storage;
      return std::count_if(graph.values.begin(), graph.values.end(),
                           [&](const GraphValue& value) { return value.storage == storage; }) > 1;
    };
    for (const Call& call : graph.calls) {
      if (call.op != "others_triple" && call.op != "others_floor") continue;
      if (is_written(call.outputs[0]) || is_written(operands(call)[0])) continue;
      const GraphValue& given = graph.values[static_cast<std::size_t>(call.outputs[0])];
      const GraphValue& read = graph.values[static_cast<std::size_t>(operands(call)[0])];
      if (call.op == "others_triple") {
        const double most = given.interval.high;
        if (read.interval.low == 1 && read.interval.high == 1) {
          recorded += most < 4;
        } else if (read.interval.low >= -1 && read.interval.high <= 1) {
          EXPECT_TRUE(most > 3 && most < 4) << most;
          ++narrow;
        } else {
          EXPECT_GT(most, 768);
          ++wide;
        }
      }
      if (call.op == "others_floor") {
        EXPECT_TRUE(read.exact) << "rounds down what is known up to rounding only";
        ++steps;
      }
    }
  }
  EXPECT_GT(recorded, 50);
  EXPECT_GT(narrow, 0);
  EXPECT_GT(wide, 10);
  EXPECT_GT(steps, 50);
}

TEST_F(HarvestedCalls, ArgumentsAreWrittenOut) {
  const seedgen::GenerateOptions with = options();
  std::string all;
  for (std::uint64_t seed = 0; seed < 20; ++seed) all += seedgen::generate(seed, with).value().source();
  EXPECT_NE(all.find("        torch.eye(3) * 0.5,\n"), std::string::npos) << all;
  EXPECT_NE(all.find("torch.linalg.inv(v"), std::string::npos);
}

TEST_F(HarvestedCalls, ASourceOpensAgainUnlessTheHarvestHasChanged) {
  const auto seed_source = generated_source({5, 9}, options().with);
  const codec::Json settings = seed_source->settings();
  EXPECT_EQ(open_source(settings).value()->seed(3).source(), seed_source->seed(3).source());
  write(std::string(kCalls) + "\n");
  EXPECT_FALSE(open_source(settings).ok());
  EXPECT_FALSE(regenerate_any(seed_source->seed(3).lineage().seed).ok());
}

TEST_F(HarvestedCalls, AHarvestsFilesComeInItsOrder) {
  auto write = [&](const std::string& name, const std::string& text) {
    fs::create_directories((folder() + "/" + name).substr(0, (folder() + "/" + name).rfind('/')));
    ASSERT_TRUE(write_file(folder() + "/" + name, text).ok());
  };
  for (const char* name : {"abs", "other", "softmax", "tan"})
    write(fmt::format("{}.py", name), fmt::format("def make_inputs():\n    return ()\n\n\ndef program():\n    # {}\n"
                                                  "    return 1\n",
                                                  name));
  write("harvest/library_calls.json", R"({"counts": {"abs": 3}})");
  write("harvest/compiler_calls.json", R"({"counts": {}})");
  const std::string file = R"({{"file": "{}", "operator": "{}", "name": "", "parameters": {}, "dispatched": []}})";
  const std::string two = R"({"name": "input", "value": 1}, {"name": "dim", "value": 2})";
  const std::string three = two + R"(, {"name": "dtype", "value": null})";
  write("instances.json",
        fmt::format(
            R"({{"version": 2, "source": "opinfo", "dispatched": [], "counts": {{}}, "instances": [{}, {}, {}]}})",
            fmt::format(fmt::runtime(file), "abs.py", "abs", "[]"),
            fmt::format(fmt::runtime(file), "softmax.py", "softmax", fmt::format("[{}]", two)),
            fmt::format(fmt::runtime(file), "tan.py", "tan", fmt::format("[{}]", three))));
  const SeedSourceMaker maker{.corpus = folder(), .fault_of = nullptr, .note = nullptr};
  const auto seed_source = seed_source_of(folder(), maker);
  ASSERT_TRUE(seed_source.ok()) << seed_source.error().message;
  auto names = [](const SeedSource& from) {
    std::vector<std::string> found;
    for (std::uint64_t i = 0; i < *from.size(); ++i) found.push_back(fs::path(from.seed(i).path()).stem().string());
    return found;
  };
  // tan has three parameters, softmax two, abs none; what the manifest doesn't name comes last.
  const std::vector<std::string> expected = {"tan", "softmax", "abs", "other"};
  EXPECT_EQ(names(*seed_source.value()), expected);
  EXPECT_EQ(names(*open_source(seed_source.value()->settings()).value()), expected);
  write("instances.json", "{");
  EXPECT_NE(seed_source_of(folder(), maker).error().message.find("damaged"), std::string::npos);
}

TEST_F(HarvestedCalls, BadFoldersAreNamed) {
  auto told = [&] { return load_harvested(folder()).error().message; };
  EXPECT_NE(load_harvested(folder() + "/none").error().message.find("holds no harvested calls"), std::string::npos);
  write("{");
  EXPECT_NE(told().find("damaged"), std::string::npos);
  write(R"({"calls": [{"operator": "add"}]})");
  EXPECT_NE(told().find("damaged"), std::string::npos);
  write(R"({"calls": []})");
  EXPECT_NE(told().find("no call that a graph can take"), std::string::npos);
  // Beyond the bounds: a seventh dimension, an argument that is not there, elements out of range.
  for (const auto& [right, wrong] :
       {std::pair("\"shape\": [3, 3], \"strides\": [3, 1]", "\"shape\": [1, 1, 1, 1, 1, 1, 1], \"strides\": [1]"),
        std::pair("inv($0)", "inv($1)"), std::pair("\"high\": 0.5", "\"high\": 1e200"),
        std::pair("[-768, 768]", "[-768, 1e200]"),
        std::pair("[[-256, 256]], \"results\": [[-768", "[[2, 256]], \"results\": [[-768")}) {
    std::string text(kCalls);
    const std::size_t from = text.find(right);
    write(text.replace(from, std::string_view(right).size(), wrong));
    EXPECT_EQ(load_harvested(folder()).value()->operators(), 4u) << wrong;
  }
}

}  // namespace
}  // namespace jp::campaign
