// Graphs as JSON: a written graph reads back and prints the same program; what doesn't fit is refused with a sentence.
#include "codec/graph.h"

#include <gtest/gtest.h>

#include <functional>

#include "codec/codec.h"
#include "seedgen/generate.h"
#include "seedgen/text/check_graph.h"

namespace jp::campaign {
namespace {

using codec::Json;

Json json_of(std::uint64_t seed, int operators) {
  return codec::to_json(codec::StoredGraph{
      .graph = seedgen::generate_graph(seed, {.operators = operators}), .seed = seed, .texts = nullptr});
}

// Through text, as a file holds it.
Result<codec::StoredGraph> again(const Json& json) {
  return codec::read_graph(codec::parse_text(codec::text(json)).value());
}

TEST(Graphs, GiveTheProgramOfTheirSeed) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const int operators = seed % 7 == 0 ? 60 : 12;
    const Json json = json_of(seed, operators);
    Result<codec::StoredGraph> stored = again(json);
    ASSERT_TRUE(stored.ok()) << seed << ": " << stored.error().message;
    Status fine = seedgen::check_graph(stored.value().graph);
    ASSERT_TRUE(fine.ok()) << seed << ": " << fine.error().message;
    EXPECT_EQ(seedgen::emit_seed(stored.value().graph, stored.value().seed),
              seedgen::generate(seed, {.operators = operators}).value().source());
    EXPECT_EQ(codec::to_json(stored.value()), json);
  }
}

// Strides, intervals and the like are preserved too, not only what is printed.
TEST(Graphs, KeepWhatIsInferred) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Graph drawn = seedgen::generate_graph(seed, {});
    EXPECT_EQ(seedgen::describe_values(again(json_of(seed, 20)).value().graph), seedgen::describe_values(drawn));
  }
}

TEST(Graphs, SameSeedSameBytes) {
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    EXPECT_EQ(codec::text(json_of(seed, 20)), codec::text(json_of(seed, 20)));
}

std::string fault_of(const Json& json) {
  Result<codec::StoredGraph> stored = again(json);
  if (!stored.ok()) return stored.error().message;
  Status fine = seedgen::check_graph(stored.value().graph);
  return fine.ok() ? "" : fine.error().message;
}

TEST(Graphs, WhatDoesNotFitIsNamed) {
  struct Case {
    std::function<void(Json&)> spoil;
    std::string word;
  };
  const std::vector<Case> cases = {
      {[](Json& json) { json = Json::array(); }, "graph_version"},
      {[](Json& json) { json.erase("graph_version"); }, "graph_version"},
      {[](Json& json) { json["graph_version"] = codec::kGraphVersion + 1; }, "newer jitprobe"},
      {[](Json& json) { json.erase("calls"); }, "calls is missing"},
      {[](Json& json) { json["calls"] = Json::array(); }, "no call"},
      {[](Json& json) { json["values"].push_back(json["values"][0]); }, "values"},
      {[](Json& json) { json["values"][0]["dtype"] = "float12"; }, "values 0: dtype"},
      {[](Json& json) { json["values"][0]["shape"] = {1, 1, 1, 1, 1, 1, 1, 1, 1}; }, "at most 8"},
      {[](Json& json) { json["values"][0]["shape"] = {-1}; }, "input 0: a size"},
      {[](Json& json) { json["inputs"][0]["value"] = 1; }, "input 0"},
      {[](Json& json) { json["inputs"][0]["base"] = 0; }, "no earlier argument"},
      {[](Json& json) {
         json["inputs"][0]["interval"] = {1, -1};
       },
       "interval"},
      {[](Json& json) {
         json["inputs"][0]["interval"] = {"nan", "inf"};
       },
       "interval"},
      {[](Json& json) { json["calls"][0]["outputs"] = Json::array(); }, "gives nothing"},
      {[](Json& json) { json["calls"][0]["outputs"] = {99}; }, "next numbers"},
      {[](Json& json) {
         json["calls"][0]["arguments"] = {{{"value", 99}}};
       },
       "before it is given"},
      {[](Json& json) {
         json["calls"][0]["arguments"] = {{{"value", -1}}};
       },
       "before it is given"},
      {[](Json& json) {
         json["calls"][0]["arguments"] = {{{"walue", 0}}};
       },
       "an argument was expected"},
      {[](Json& json) {
         json["calls"][0]["forms"] = Json::array();
         json["calls"][0].erase("infix");
       },
       "no form"},
      {[](Json& json) { json["calls"][0]["forms"] = {"torch.f($9)"}; }, "isn't there"},
      {[](Json& json) { json["calls"][0]["forms"] = {"torch.f($"}; }, "isn't there"},
      {[](Json& json) {
         json["calls"][0]["forms"] = {"!$0[1] = 2"};
         json["calls"][0]["written"] = -1;
       },
       "writes"},
      {[](Json& json) {
         json["calls"][0]["arguments"] = {"$0"};
         json["calls"][0]["forms"] = {"f($0)"};
       },
       "the text '$0'"},
      {[](Json& json) {
         json["calls"][0]["out"] = true;
         json["calls"][0]["forms"] = {"$0 + 1"};
       },
       "out="},
      {[](Json& json) { json["calls"][0]["written"] = 99; }, "what it writes"},
  };
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Json whole = json_of(seed, 4);
    EXPECT_EQ(fault_of(whole), "");
    for (const Case& one : cases) {
      Json spoilt = whole;
      one.spoil(spoilt);
      EXPECT_NE(fault_of(spoilt).find(one.word), std::string::npos)
          << "seed " << seed << ", " << one.word << ": " << fault_of(spoilt);
    }
  }
}

}  // namespace
}  // namespace jp::campaign
