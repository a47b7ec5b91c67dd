// The wire form: what is written reads back the same, through MessagePack and through text; what doesn't fit is refused
// with the name of the key.
#include "codec/codec.h"

#include <gtest/gtest.h>

#include <limits>

#include "codec/base64.h"

namespace jp::codec {
namespace {

Observation sample_observation() {
  Observation observation;
  observation.tensors.push_back({.identity = 3,
                                 .storage = 1,
                                 .dtype = "float32",
                                 .layout = "strided",
                                 .device = "cpu",
                                 .shape = {2, 0},
                                 .strides = {1, 1},
                                 .version = 2,
                                 .is_leaf = false,
                                 .bytes = std::string("\0\x01\xff\x80", 4),
                                 .unreadable = ""});
  CallRecord call;
  call.output = {.kind = Value::Kind::kSequence,
                 .type = "tuple",
                 .text = "",
                 .index = -1,
                 .labels = {},
                 .items = {{.kind = Value::Kind::kTensor, .type = "torch.Tensor", .text = "", .index = 0},
                           {.kind = Value::Kind::kFloat, .type = "float", .text = "0x1.8p+1"}}};
  call.backward_exception = ExceptionRecord{.type = "builtins.RuntimeError",
                                            .bases = {"builtins.Exception"},
                                            .message = "no",
                                            .frames = {{"program", "f", 3}}};
  call.mode = {{"grad", "True"}};
  observation.calls.push_back(call);
  return observation;
}

Outcome sample_outcome() {
  Finished finished{.observation = sample_observation(), .counters = {.known = true, .frames_seen = 1}};
  finished.counters.graph_breaks["print"] = 2;
  return {.role = "eager", .ending = finished, .seconds = 0.25};
}

TEST(Codec, OutcomeSurvivesMessagePackAndText) {
  const std::vector<Ending> endings = {
      sample_outcome().ending,
      Raised{.stage = "inputs", .reason = "make_inputs gave None", .exception = {.type = "builtins.TypeError"}},
      Died{.how = "signal", .signal = 11, .last_words = "bye"},
      TimedOut{.seconds = 2.5, .stack = {{"program", "program", 7}}},
      OutOfMemory{.bytes = 1LL << 40},
  };
  for (const Ending& ending : endings) {
    Outcome outcome{.role = "compiled", .ending = ending, .seconds = 1};
    Json json = to_json(outcome);
    Result<Json> unpacked = unpack(pack(json));
    ASSERT_TRUE(unpacked.ok());
    Result<Outcome> again = read<Outcome>(unpacked.value());
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(again.value(), outcome);
    Result<Json> parsed = parse_text(text(json));
    ASSERT_TRUE(parsed.ok());
    EXPECT_EQ(read<Outcome>(parsed.value()).value(), outcome);
  }
}

TEST(Codec, ATensorThatIsNotThereIsRefused) {
  Observation observation = sample_observation();
  observation.calls[0].output.items[0].index = 1;
  const Result<Observation> again = read<Observation>(to_json(observation));
  ASSERT_FALSE(again.ok());
  EXPECT_NE(again.error().message.find("tensor"), std::string::npos) << again.error().message;
}

TEST(Codec, BytesOfAnyValueSurviveText) {
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  for (std::size_t length = 0; length < 256; ++length) {
    std::string bytes = all.substr(0, length);
    ASSERT_EQ(unbase64(base64(bytes)), bytes) << length;
  }
  EXPECT_EQ(base64("hello"), "aGVsbG8=");
  EXPECT_FALSE(unbase64("aGVsbG8"));
  EXPECT_FALSE(unbase64("aGV*bG8="));
  for (const char* text :
       {"====", "aGVsbG8 ", " GVsbG8=", "aG=sbG8=", "aGVsbG9=", "aGVs\n   ", "aGVsbA=A", "    ", "aG-_"})
    EXPECT_FALSE(unbase64(text)) << text;
  const std::string large(5'000'001, 'l');
  EXPECT_TRUE(unbase64(base64(large)) == large);
}

TEST(Codec, PackedValuesOfAnyKindSurvive) {
  const Json all = {nullptr,
                    true,
                    -1,
                    -100,
                    -40000,
                    7,
                    200,
                    70000,
                    5'000'000'000,
                    1.5,
                    0.1,
                    "text",
                    std::string(40, 'x'),
                    std::string(300, 'x'),
                    std::string(70000, 'x'),
                    Json::binary({1, 2}),
                    Json::binary(std::vector<std::uint8_t>(300)),
                    Json::binary({1, 2, 3, 4}, 7),
                    Json::array(),
                    Json::object(),
                    Json(std::vector<int>(20, 3)),
                    {{"a", {{"b", 1}}}}};
  const std::string bytes = pack(all);
  EXPECT_EQ(unpack(bytes).value(), all);
  EXPECT_FALSE(unpack(bytes + "rest").ok());
  for (std::size_t size = 0; size < 200; ++size) EXPECT_FALSE(unpack(bytes.substr(0, size)).ok()) << size;
}

TEST(Codec, PackedValuesMayNotNestTooDeep) {
  Json nested = 1;
  for (std::size_t depth = 0; depth < kMostNested; ++depth)
    nested = depth % 2 == 0 ? Json::array({std::move(nested)}) : Json{{"a", std::move(nested)}};
  EXPECT_EQ(unpack(pack(nested)).value(), nested);
  EXPECT_FALSE(unpack(pack(Json::array({nested}))).ok());
  EXPECT_FALSE(unpack(pack({{"a", nested}})).ok());
  for (const char* opening : {"\x91", "\x81\xa1\x61"}) {
    std::string deep;
    while (deep.size() < 10'000'000) deep += opening;
    EXPECT_FALSE(unpack(deep).ok());
  }
}

TEST(Codec, WrittenValuesMayNotNestTooDeep) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_TRUE(parse_text(nested(kMostNested)).ok());
  EXPECT_FALSE(parse_text(nested(kMostNested + 1)).ok());
  EXPECT_FALSE(parse_text(nested(500'000)).ok());
}

// Each claims four gigabytes of bytes, characters, items or members.
TEST(Codec, PackedLengthsAreNotBelieved) {
  for (const char* opening : {"\xc6", "\xdb", "\xdd", "\xdf", "\xc9"})
    EXPECT_FALSE(unpack(opening + std::string(4, '\xff') + std::string(100, '\0')).ok());
}

TEST(Codec, LineagesOfOlderVersionsKeepTheirOrigin) {
  Lineage lineage;
  lineage.seed = {.origin = Seed::Origin::kGenerated, .generator_version = 1, .seed = 7, .operators = 20};
  Json json = to_json(lineage);
  Json& seed = json["seed"];
  ASSERT_TRUE(seed.contains("origin"));
  seed["door"] = seed["origin"];
  seed.erase("origin");
  EXPECT_EQ(read<Lineage>(json).value(), lineage);
}

TEST(Codec, LineageKeepsDraws) {
  Lineage lineage;
  lineage.seed = {.origin = Seed::Origin::kGenerated, .generator_version = 1, .seed = ~0ULL, .operators = 20};
  lineage.steps.push_back({.number = 4, .mutation = "true_block", .site = {"s1", "0.2"}, .draws = {3, "0x1p-3"}});
  EXPECT_EQ(read<Lineage>(parse_text(text(to_json(lineage))).value()).value(), lineage);
}

TEST(Codec, FindingSurvives) {
  Finding finding{.program = Program::make("def program():\n    return 1\n", {}).value(),
                  .plan = {.oracle = "eager_vs_compiled", .runs = {{.role = "eager"}}},
                  .outcomes = {sample_outcome()},
                  .verdict = {.kind = Verdict::Kind::kDiverge, .rule = "tolerance", .reason = "far off"},
                  .signature = {.backend = "inductor", .kind = "value"},
                  .status = Finding::Status::kConfirmed,
                  .reproduced = 5,
                  .attempts = 5};
  finding.verdict.differences.push_back(
      {.where = "output", .reference = "1", .observed = "2", .numbers = {{"max_abs", 1.0}}});
  Result<Finding> again = read<Finding>(parse_text(text(to_json(finding))).value());
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(again.value().program.source(), finding.program.source());
  EXPECT_EQ(again.value().verdict, finding.verdict);
  EXPECT_EQ(again.value().outcomes, finding.outcomes);
  EXPECT_EQ(again.value().status, finding.status);
  EXPECT_EQ(again.value().signature.id(), finding.signature.id());
}

TEST(Codec, MisfitsNameTheKey) {
  auto message = [](const char* json) { return read<Outcome>(parse_text(json).value()).error().message; };
  EXPECT_NE(message(R"({"role": 3, "ending": {"kind": "died"}})").find("role"), std::string::npos);
  EXPECT_NE(message(R"({"role": "eager"})").find("ending"), std::string::npos);
  EXPECT_NE(message(R"({"ending": {"kind": "melted"}})").find("melted"), std::string::npos);
  EXPECT_NE(message(R"([1])").find("object"), std::string::npos);
  EXPECT_FALSE(unpack("\xc1").ok());
  EXPECT_FALSE(parse_text("{").ok());
}

TEST(Codec, MalformedBytesNeverEscape) {
  const std::string good = pack(to_json(sample_outcome()));
  for (std::size_t cut = 0; cut < good.size(); ++cut) {
    Result<Json> json = unpack(std::string_view(good).substr(0, cut));
    if (json.ok()) (void)read<Outcome>(json.value());
  }
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x55);
    Result<Json> json = unpack(bad);
    if (json.ok()) (void)read<Outcome>(json.value());
  }
}

TEST(Codec, TextOfBrokenUtf8IsStillText) { EXPECT_NE(text(Json("a\xff")).find("a"), std::string::npos); }

}  // namespace
}  // namespace jp::codec
