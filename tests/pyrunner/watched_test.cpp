// The two ways of inserting points into a program, as lines of its text and into its syntax tree, show the same facts,
// and a facts-only run those of a run that is recorded.
#include <algorithm>
#include <filesystem>
#include <set>

#include "codec/codec.h"
#include "common.h"
#include "mutate/safety/introspection.h"
#include "mutate/syntax/syntax.h"

namespace jp::pyrunner::test {
namespace {

namespace fs = std::filesystem;

// NaN is unequal to itself, and these programs test what is never the same twice.
const std::set<std::string> kUnsteady = {"not_a_number_as_integer",
                                         "cast_out_of_range_used",
                                         "sign_of_nan_seen",
                                         "clock_in_the_program",
                                         "time_taken_printed",
                                         "deadline_passed",
                                         "random_number_of_the_system",
                                         "process_number_in_text",
                                         "unwritten_memory",
                                         "unwritten_memory_as_nan",
                                         "products_of_converted_numbers",
                                         "wide_unsigned_numbers_beyond_range"};

std::vector<fs::path> program_files() {
  std::vector<fs::path> files;
  for (const char* folder : {"tests/mutate/programs", "tests/judge/alike", "corpus/models"})
    for (const auto& entry : fs::directory_iterator(fs::path(JITPROBE_SOURCE_DIR) / folder))
      if (entry.path().extension() == ".py" && !kUnsteady.contains(entry.path().stem())) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

void expect_same(const Facts& one, const Facts& other, const std::string& what) {
  EXPECT_EQ(one.calls, other.calls) << what;
  EXPECT_EQ(one.visits, other.visits) << what;
  EXPECT_TRUE(one.before == other.before) << what;
  EXPECT_TRUE(one.after == other.after) << what;
}

struct Seen {
  bool finished = false;
  bool as_text = false;
};

Seen expect_the_same(const std::string& source, const std::string& what) {
  Result<mutate::Parsed> parsed = mutate::parse(program_of(source));
  EXPECT_TRUE(parsed.ok()) << what;
  if (!parsed.ok()) return {};
  const Watched watched = mutate::watched(parsed.value());
  const Program& program = parsed.value().program();
  Runner::Profile by_tree = shared_runner().profile(program, {watched.places, std::nullopt});
  Runner::Profile alone = shared_runner().facts(program, watched);
  expect_same(alone.facts, by_tree.facts, what);
  EXPECT_EQ(alone.outcome.ending.index(), by_tree.outcome.ending.index()) << what;
  if (watched.text) {
    Runner::Profile by_text = shared_runner().profile(program, watched);
    expect_same(by_text.facts, by_tree.facts, what);
    EXPECT_TRUE(by_text.outcome.ending == by_tree.outcome.ending) << what;
  }
  return {std::holds_alternative<Finished>(by_tree.outcome.ending), watched.text.has_value()};
}

TEST(Watched, TextAndTreeShowTheSame) {
  int finished = 0;
  int as_text = 0;
  for (const fs::path& path : program_files()) {
    const Seen seen = expect_the_same(read(path), path);
    finished += seen.finished ? 1 : 0;
    as_text += seen.as_text ? 1 : 0;
  }
  EXPECT_GT(finished, 100);
  EXPECT_GT(as_text, 30);
}

TEST(Watched, WhatIsWrittenInOtherWays) {
  const Seen seen = expect_the_same(R"(("""In parentheses.""")
import torch


class A:
    ("a")


def g():
    ("g")


def f(x):
    f"no {x} docs"
    y = x + 1
    return y


def program():
    texts = [__doc__, A.__doc__, g.__doc__, f.__doc__]
    n = f(1)
    return texts, n
)",
                                    "docstrings");
  EXPECT_TRUE(seen.finished && seen.as_text);
  for (const char* line :
       {"import warnings\nwarnings.showwarning = lambda *a: print(a[3])", "import inspect", "x = lambda: f.__code__"})
    EXPECT_FALSE(expect_the_same(std::string(line) + "\n\ndef program():\n    return 1\n", line).as_text);
}

// Parts of a file are compiled once for programs that share them, by themselves.
TEST(Watched, PartsThatProgramsShare) {
  const std::string begin = R"('''one
def program(x)'''
N = 2


def f(n):
    if n > N:
        raise ValueError(__doc__)
    return [n + i for i in range(N)]


def twice(function):
    def call():
        return function(), function()
    return call


)";
  for (const char* end : {
           "def program():\n    n = f(1)\n    return n\n",
           "def program():\n    n = f(3)\n    return n\n",
           "def program():\n    global N\n    N = 4\n    return f(3), f.__name__\n",
           "def program():\n    raise KeyError(f(2)[1])\n",
           "@twice\ndef program():\n    n = f(0)\n    return n\n",
           "text = '''\ndef program():\n    pass\n'''\n\ndef program():\n    n = len(text)\n    return n, f(n)\n",
       })
    EXPECT_TRUE(expect_the_same(begin + end, end).finished) << end;
  const std::string end = "def program():\n    n = f(1)\n    return n, A.m, g(2), text\n";
  const std::string more = "class A:\n    m: int = 3\n\n\n@twice\ndef g(n):\n    return n\n\n\n";
  for (const char* between : {
           "text = 'one'\n\n\n",
           "M: int = 1\ntext = __annotations__\n\n\n",
           "text = 1  # no part\n'no docs'\ntext = __doc__\n\n\n",
           "if N:\n    text = g\n\n    def g(n):\n        return f(n)\n\n\n",
       })
    for (const std::string& program : {begin + more + between + end, begin + between + more + end, begin + more + end})
      expect_the_same(program, program);
  EXPECT_FALSE(expect_the_same(begin + "f(N + 1)\n\n\ndef program():\n    return 1\n", "raises").finished);
}

TEST(Watched, PartsBeginAtFunctionsAndClasses) {
  Result<mutate::Parsed> parsed = mutate::parse(program_of(R"("""Docs."""
import torch
N = 1

@torch.no_grad()
def f():
    return N
class A:
    def g(self):
        return 1
M = 2
L = 3
def program():
    return 1
)"));
  ASSERT_TRUE(parsed.ok());
  const Watched watched = mutate::watched(parsed.value());
  ASSERT_TRUE(watched.text);
  std::vector<std::string> lines{""};
  for (char letter : watched.text->source)
    if (letter == '\n')
      lines.emplace_back();
    else
      lines.back() += letter;
  std::vector<std::string> begins;
  for (int line : watched.text->parts) {
    EXPECT_EQ(lines.at(static_cast<std::size_t>(line) - 1), "~__jitprobe_point__");
    begins.push_back(lines.at(static_cast<std::size_t>(line)));
  }
  EXPECT_EQ(begins, (std::vector<std::string>{"@torch.no_grad()", "class A:", "M = 2", "def program():"}));
}

// Facts-only runs may leave out only what the program can't observe.
TEST(Watched, WhatABackwardLeavesBehind) {
  const std::string begin = R"(import torch

w = torch.nn.Parameter(torch.ones(2))
parts = [w]


def make_inputs():
    return [(torch.ones(2),), (torch.ones(2) * 2,)]


def program(x):
)";
  for (const char* body : {
           "    n = torch.nn.utils.clip_grad_norm_(parts, 1.0)\n    return w * x\n",
           "    opt = torch.optim.SGD(parts, 0.1)\n    opt.step()\n    z = w + 0\n    return z * x\n",
           "    n = w.grad is None\n    return w * x\n",
       })
    EXPECT_TRUE(expect_the_same(begin + body, body).finished);
}

TEST(Watched, OutputsOfAllShapes) {
  for (const char* body : {
           "    a = []\n    a.append(a)\n    return a\n",
           "    a = []\n    for i in range(5000):\n        a = [a]\n    return [1]\n",
           "    a = [1]\n    for i in range(40):\n        a = [a, a]\n    return 1\n",
           "    def g():\n        n = 1\n        yield n\n        m = 2\n        yield m\n    return g()\n",
       })
    EXPECT_TRUE(expect_the_same(std::string("def program():\n") + body, body).finished) << body;
}

}  // namespace
}  // namespace jp::pyrunner::test
