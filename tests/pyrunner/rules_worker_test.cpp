// The rules of judging that the worker enforces by how it runs and records: each where it holds, and the nearest real
// difference, which still shows.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "common.h"
#include "oracle/judge/rules.h"

namespace jp::pyrunner::test {
namespace {

TEST(RulesOfTheWorker, EachHasItsTwoTests) {
  std::set<std::string> tests;
  const auto* all = testing::UnitTest::GetInstance();
  for (int i = 0; i < all->total_test_suite_count(); ++i)
    for (int j = 0; j < all->GetTestSuite(i)->total_test_count(); ++j)
      tests.insert(std::string(all->GetTestSuite(i)->name()) + "." + all->GetTestSuite(i)->GetTestInfo(j)->name());
  for (const oracle::Rule& rule : oracle::kRules) {
    if (rule.by != oracle::DecidedBy::kWorker) continue;
    EXPECT_TRUE(tests.contains("Rule_" + std::string(rule.name) + ".Holds")) << rule.name;
    EXPECT_TRUE(tests.contains("Rule_" + std::string(rule.name) + ".NearestBugGetsThrough")) << rule.name;
  }
}

// What a run records of the file's state when its program runs this statement.
Value state_after(const std::string& statement) {
  return observe("def helper(a=1):\n    return a\n\nnamed = 0\n\ndef program():\n    global named\n    " + statement +
                 "\n    return named is None\n")
      .calls.at(0)
      .state;
}

TEST(Rule_function_defaults, Holds) { EXPECT_EQ(state_after("helper.__defaults__ = (2,)"), state_after("pass")); }
TEST(Rule_function_defaults, NearestBugGetsThrough) { EXPECT_NE(state_after("helper.count = 2"), state_after("pass")); }

// What is recorded of the state when a compiler puts a number under that name among the file's globals.
Value state_with(const std::string& global) {
  const std::string path = testing::TempDir() + "writes_" + global + ".py";
  std::ofstream(path) << "def compile(fn, **options):\n    def compiled(*arguments):\n        fn.__globals__['"
                      << global << "'] = 7\n        return fn(*arguments)\n    return compiled\n";
  return observe("named = 0\n\ndef program():\n    return named is None\n", compiled("file:" + path)).calls.at(0).state;
}

TEST(Rule_foreign_globals, Holds) {
  EXPECT_EQ(state_with("kept_by_the_compiler"),
            observe("named = 0\n\ndef program():\n    return named is None\n").calls.at(0).state);
}
TEST(Rule_foreign_globals, NearestBugGetsThrough) {
  EXPECT_NE(state_with("named"), state_with("kept_by_the_compiler"));
  // A file that reaches its globals by computed names owns them all.
  EXPECT_NE(state_after("globals()['made' + '_here'] = 1"), state_after("pass"));
}

// The state of torch's random numbers after a program that draws some which nothing reads.
std::string random_state(const RunRequest& request) {
  return observe(
             "import torch\n\ndef make_inputs():\n    return (torch.ones(3),)\n\ndef program(x):\n"
             "    torch.nn.functional.dropout(x)\n    torch.rand(2)\n    return x + 1\n",
             request)
      .calls.at(0)
      .mode.at("rng_torch");
}

TEST(Rule_unread_random_numbers, Holds) {
  for (const char* backend : {"eager", "aot_eager", "aot_eager_decomp_partition"})
    EXPECT_EQ(random_state(compiled(backend)), random_state(eager())) << backend;
}
TEST(Rule_unread_random_numbers, NearestBugGetsThrough) {
  const std::string path = testing::TempDir() + "draws_nothing.py";
  std::ofstream(path) << "def compile(fn, **options):\n    return lambda x: x + 1\n";
  EXPECT_NE(random_state(compiled("file:" + path)), random_state(eager()));
}

// What a program draws with numpy.
std::string drawn_by_numpy(const RunRequest& request) {
  const Observation seen = observe(
      "import numpy\nimport torch\n\ndef make_inputs():\n    return (torch.ones(3),)\n\ndef program(x):\n"
      "    numpy.random.seed(3)\n    return x + 1, float(numpy.random.rand()), "
      "float(numpy.random.default_rng(4).normal())\n",
      request);
  const std::vector<Value>& items = seen.calls.at(0).output.items;
  return items.at(1).text + " " + items.at(2).text + " " + seen.calls.at(0).mode.at("rng_numpy");
}

TEST(Rule_numpy_random_numbers, Holds) {
  for (const char* backend : {"eager", "aot_eager", "inductor"})
    EXPECT_EQ(drawn_by_numpy(compiled(backend)), drawn_by_numpy(eager())) << backend;
}
TEST(Rule_numpy_random_numbers, NearestBugGetsThrough) {
  const std::string path = testing::TempDir() + "draws_once_more.py";
  std::ofstream(path)
      << "import numpy\n\ndef compile(fn, **options):\n    return lambda x: (fn(x), numpy.random.rand())[0]\n";
  EXPECT_NE(drawn_by_numpy(compiled("file:" + path)), drawn_by_numpy(eager()));
}

constexpr const char* kAliased =
    "import torch\n\ndef make_inputs():\n    x = torch.arange(6.0).view(2, 3).t()\n    return x, x[1:]\n\n";

TEST(Rule_fresh_inputs, Holds) {
  const std::string writes =
      std::string(kAliased) + "def program(x, y):\n    before = x.clone()\n    x.add_(1)\n" + "    return before\n";
  for (const RunRequest& request : {eager(), eager(), compiled("aot_eager")}) {
    const Observation seen = observe(writes, request);
    EXPECT_EQ(elements<float>(tensor(seen, seen.calls.at(0).output)), (std::vector<float>{0, 3, 1, 4, 2, 5}));
    const Value& arguments = seen.calls.at(0).inputs;
    const TensorRecord& whole = tensor(seen, arguments.items.at(0));
    const TensorRecord& part = tensor(seen, arguments.items.at(1));
    EXPECT_EQ(whole.strides, (std::vector<std::int64_t>{1, 3}));
    EXPECT_EQ(part.offset, whole.offset + 1);
    EXPECT_EQ(part.storage, whole.storage);
  }
}
TEST(Rule_fresh_inputs, NearestBugGetsThrough) {
  // What the run itself writes is visible, through the other argument too.
  const auto part_after = [](const std::string& statement) {
    const Observation seen = observe(std::string(kAliased) + "def program(x, y):\n    " + statement + "\n");
    return elements<float>(tensor(seen, seen.calls.at(0).inputs.items.at(1)));
  };
  EXPECT_EQ(part_after("x.add_(1)"), (std::vector<float>{2, 5, 3, 6}));
  EXPECT_EQ(part_after("x + 1"), (std::vector<float>{1, 4, 2, 5}));
}

RunRequest in_float64() {
  RunRequest request = eager();
  request.role = "float64";
  request.precision = "float64";
  return request;
}

TEST(Rule_same_inputs_cast, Holds) {
  const std::string source =
      "import torch\n\ndef make_inputs():\n    x = torch.randn(5)\n    return x, x[2:]\n\ndef program(x, y):\n"
      "    return x.clone(), y\n";
  const Observation single = observe(source);
  const Observation higher = observe(source, in_float64());
  const auto drawn = elements<float>(tensor(single, single.calls.at(0).output.items.at(0)));
  const TensorRecord& cast = tensor(higher, higher.calls.at(0).output.items.at(0));
  EXPECT_EQ(cast.dtype, "float64");
  EXPECT_EQ(elements<double>(cast), std::vector<double>(drawn.begin(), drawn.end()));
  const Value& arguments = higher.calls.at(0).inputs;
  EXPECT_EQ(tensor(higher, arguments.items.at(0)).storage, tensor(higher, arguments.items.at(1)).storage);
}
TEST(Rule_same_inputs_cast, NearestBugGetsThrough) {
  // What rounding in float32 loses is there in float64: the cast changes the computation, not the inputs.
  const std::string source =
      "import torch\n\ndef make_inputs():\n    return (torch.ones(1),)\n\ndef program(x):\n    return x + 2.0**-40 - "
      "x\n";
  const Observation single = observe(source);
  const Observation higher = observe(source, in_float64());
  EXPECT_EQ(elements<float>(tensor(single, single.calls.at(0).output)), std::vector<float>{0});
  EXPECT_EQ(elements<double>(tensor(higher, higher.calls.at(0).output)), std::vector<double>{0x1p-40});
}

Observation with_iterator(const std::string& statement) {
  return observe(
      "drawn = []\n\ndef counting():\n    for i in range(3):\n        drawn.append(i)\n        yield i\n\n"
      "def program():\n    given = counting()\n    " +
      statement + "\n    return given\n");
}

TEST(Rule_iterators_at_the_end, Holds) {
  // Drawing from it runs the program's code: its effects are not part of the state that was recorded before.
  const Observation seen = with_iterator("pass");
  EXPECT_TRUE(labelled(seen.calls.at(0).state, "'drawn'").kind == Value::Kind::kSequence);
  EXPECT_TRUE(labelled(seen.calls.at(0).state, "'drawn'").items.empty());
  EXPECT_NE(seen.calls.at(0).late.kind, Value::Kind::kNone);
}
TEST(Rule_iterators_at_the_end, NearestBugGetsThrough) {
  const Observation seen = with_iterator("next(given)");
  EXPECT_EQ(labelled(seen.calls.at(0).state, "'drawn'").items.size(), 1u);
  EXPECT_NE(seen.calls.at(0).late, with_iterator("pass").calls.at(0).late);
}

Value returned(const std::string& expression) {
  return observe("def program():\n    return " + expression + "\n").calls.at(0).output;
}

TEST(Rule_sets_sorted, Holds) {
  // 8 and 0 collide in a small set: the order of insertion is the order of iteration.
  EXPECT_EQ(returned("{8, 0, 16}"), returned("{16, 0, 8}"));
  EXPECT_EQ(returned("frozenset(['b', 'a'])"), returned("frozenset(['a', 'b'])"));
}
TEST(Rule_sets_sorted, NearestBugGetsThrough) {
  EXPECT_NE(returned("{8, 0, 16}"), returned("{8, 0, 24}"));
  EXPECT_NE(returned("[8, 0]"), returned("[0, 8]"));
}

TEST(Rule_modes_put_back, Holds) {
  const std::string looks =
      "import random, torch\ndef program():\n    return (torch.is_grad_enabled(), str(torch.get_default_dtype()), "
      "torch.get_num_threads(), random.random(), torch.rand(1))\n";
  const Observation before = observe(looks);
  observe(
      "import random, torch\ndef program():\n    torch.set_grad_enabled(False)\n"
      "    torch.set_default_dtype(torch.float64)\n    torch.set_num_threads(2)\n    random.seed(5)\n"
      "    torch.manual_seed(5)\n");
  const Observation after = observe(looks);
  EXPECT_EQ(before, after);
}
TEST(Rule_modes_put_back, NearestBugGetsThrough) {
  // A call that leaves a changed mode behind shows it in its own record.
  const auto left = [](const std::string& statement) {
    return observe("import torch\ndef program():\n    " + statement + "\n").calls.at(0).mode;
  };
  EXPECT_NE(left("torch.set_grad_enabled(False)"), left("pass"));
  EXPECT_NE(left("torch.set_default_dtype(torch.float64)"), left("pass"));
}

TEST(Rule_no_shared_caches, Holds) {
  const Observation seen = observe(
      "import torch\nimport torch._functorch.config as aot\nimport torch._inductor.config as inductor\n"
      "def program():\n    return aot.enable_autograd_cache, inductor.fx_graph_cache\n");
  for (const Value& item : seen.calls.at(0).output.items) EXPECT_EQ(item.text, "False");
}
TEST(Rule_no_shared_caches, NearestBugGetsThrough) {
  // The same code with another constant, in the same child: a graph kept from the first would give its result.
  for (int number : {1, 2}) {
    const std::string text = std::to_string(number);
    const Observation seen = observe("import torch\nscale = " + text +
                                         "\ndef make_inputs():\n    return (torch.ones(1),)\n"
                                         "def program(x):\n    return x * scale\n",
                                     compiled("aot_eager"));
    EXPECT_EQ(elements<float>(tensor(seen, seen.calls.at(0).output)), std::vector<float>{static_cast<float>(number)});
  }
}

Counters counters_of(const std::string& body) {
  const Outcome outcome = run_one(
      "import torch\nkept = []\ndef make_inputs():\n    return (torch.ones(1),)\n"
      "def program(x):\n" +
          body,
      compiled("eager"));
  const auto* finished = std::get_if<Finished>(&outcome.ending);
  EXPECT_TRUE(finished) << describe(outcome);
  return finished ? finished->counters : Counters{};
}

TEST(Rule_observed_from_outside, Holds) {
  const Counters counters = counters_of("    y = x + 1\n    return y, [y * 2]\n");
  EXPECT_EQ(counters.graphs, 1);
  EXPECT_TRUE(counters.graph_breaks.empty()) << "the compiler met code of ours";
}
TEST(Rule_observed_from_outside, NearestBugGetsThrough) {
  // A break of the program's own is counted.
  const Counters counters = counters_of("    y = x + 1\n    torch._dynamo.graph_break()\n    return y * 2\n");
  EXPECT_EQ(counters.graphs, 2);
  EXPECT_FALSE(counters.graph_breaks.empty());
}

}  // namespace
}  // namespace jp::pyrunner::test
