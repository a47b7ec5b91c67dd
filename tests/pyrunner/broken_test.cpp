// A failure of jitprobe's own code on some torch is broken: not a death, and nothing that the program or the compiler
// raised.
#include <filesystem>
#include <fstream>
#include <memory>

#include "common.h"

namespace jp::pyrunner::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAdds = R"(import torch


def make_inputs():
    return (torch.tensor([1.0, 0.1, 3.0]),)


def program(x):
    return x * 1.1 + torch.exp(x)
)";

// The runtime with names that this torch lacks, each of which only some runs need.
class Missing : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    RunnerOptions options = shared_runner().options();
    const std::string folder = testing::TempDir() + "runtime_of_another_torch";
    fs::remove_all(folder);
    fs::copy(options.runtime_dir, folder, fs::copy_options::recursive);
    replace(folder + "/runtime/noise.py", "torch._debug_has_internal_overlap(", "torch._debug_gone(");
    replace(folder + "/runtime/values.py", "torch._C.DisableTorchFunction()", "torch._C.GoneFunction()");
    replace(folder + "/runtime/graph_passes.py", "import fx_graph_cse\n", "import gone_graph_cse as fx_graph_cse\n");
    options.runtime_dir = folder;
    Result<std::unique_ptr<Runner>> started = Runner::start(options);
    ASSERT_TRUE(started.ok()) << started.error().message;
    runner_ = std::move(started).value();
  }
  static void TearDownTestSuite() { runner_.reset(); }

  static void replace(const std::string& path, const std::string& name, const std::string& other) {
    std::string text = read(path);
    const std::size_t at = text.find(name);
    ASSERT_NE(at, std::string::npos) << name << " in " << path;
    std::ofstream(path) << text.replace(at, name.size(), other);
  }

  static Outcome run(const std::string& source, const RunRequest& request, Isolation isolation = Isolation::kFresh) {
    return runner_->run(program_of(source), {request}, isolation).at(0);
  }
  static std::string missing(const Outcome& outcome) {
    const auto* broken = std::get_if<Broken>(&outcome.ending);
    return broken ? broken->what : "not broken: " + describe(outcome);
  }
  static bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

  static std::unique_ptr<Runner> runner_;
};

std::unique_ptr<Runner> Missing::runner_;

TEST_F(Missing, OutsideOfTheProgramsCalls) {
  RunRequest request = eager();
  request.values_seed = 1;
  const std::string what = missing(run(kAdds, request));
  EXPECT_TRUE(has(what, "GoneFunction") && has(what, "runtime/values.py")) << what;
  EXPECT_FALSE(has(what, "\n")) << what;
}

TEST_F(Missing, WithinTheProgramsCalls) {
  RunRequest request = eager();
  request.precision = "monte_carlo";
  const std::string what = missing(run(kAdds, request));
  EXPECT_TRUE(has(what, "_debug_gone") && has(what, "runtime/noise.py")) << what;
}

TEST_F(Missing, WithinTheCompiler) {
  RunRequest request = compiled("passes");
  request.switches = {"cse"};
  const std::string what = missing(run(kAdds, request));
  EXPECT_TRUE(has(what, "gone_graph_cse") && has(what, "runtime/graph_passes.py")) << what;
}

TEST_F(Missing, InABatchIsTriedAgainAloneAndCounted) {
  RunRequest request = eager();
  request.values_seed = 1;
  run(kAdds, eager(), Isolation::kBatch);
  const std::map<std::string, std::int64_t> before = runner_->broken();
  const std::string what = missing(run(kAdds, request, Isolation::kBatch));
  EXPECT_TRUE(has(what, "GoneFunction")) << what;
  const auto counted = before.find(what);
  EXPECT_EQ(runner_->broken().at(what), (counted == before.end() ? 0 : counted->second) + 1);
}

TEST_F(Missing, OtherRunsGoOn) {
  EXPECT_EQ(ending_name(run(kAdds, eager()).ending), "finished");
  EXPECT_EQ(ending_name(run(kAdds, compiled("aot_eager")).ending), "finished");
}

TEST_F(Missing, WhatTheProgramRaisesIsItsOwn) {
  for (const char* raises :
       {"torch._C.gone", "raise AttributeError('gone')", "from torch import gone", "make_inputs(gone=1)", "gone"}) {
    const Outcome outcome =
        run("import torch\n\n\ndef make_inputs():\n    return (torch.ones(2),)\n\n\n"
            "def program(x):\n    " +
                std::string(raises) + "\n    return x\n",
            eager());
    const auto* finished = std::get_if<Finished>(&outcome.ending);
    ASSERT_NE(finished, nullptr) << raises << ": " << describe(outcome);
    EXPECT_TRUE(finished->observation.calls.at(0).exception) << raises;
  }
}

TEST_F(Missing, WhatTheCompilerRaisesOrDiesOfIsItsOwn) {
  const auto backend = [](const std::string& name, const std::string& body) {
    const std::string path = testing::TempDir() + name + ".py";
    std::ofstream(path) << "import os\nimport torch\n\n\ndef compile(fn, **options):\n    " << body << "\n";
    return "file:" + path;
  };
  const Outcome raises = run(kAdds, compiled(backend("looks_up", "return torch._C.gone")));
  EXPECT_EQ(ending_name(raises.ending), "raised") << describe(raises);
  const Outcome dies = run(kAdds, compiled(backend("dies", "os.abort()")));
  EXPECT_EQ(ending_name(dies.ending), "died") << describe(dies);
}

// Threads that start together in a fork share torch's thread pool: it must exist before they do.
TEST(Threads, OfAForkFindTheirPool) {
  constexpr const char* kTogether = R"(import threading

import torch


def program():
    x = torch.ones(40000)
    together = threading.Barrier(8)
    failed = []

    def add():
        together.wait()
        try:
            torch.add(x, x)
        except RuntimeError as error:
            failed.append(str(error))

    threads = [threading.Thread(target=add) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failed
)";
  constexpr int kForks = 100;  // without the pool one fork of nine fails
  for (int i = 0; i < kForks; ++i) {
    const Outcome outcome = run_one(kTogether, eager(), Isolation::kFresh);
    const auto* finished = std::get_if<Finished>(&outcome.ending);
    ASSERT_NE(finished, nullptr) << describe(outcome);
    const CallRecord& call = finished->observation.calls.at(0);
    ASSERT_FALSE(call.exception);
    ASSERT_TRUE(call.output.items.empty()) << call.output.items[0].text;
  }
}

TEST_F(Missing, WhatDoesNotTakeItsArgumentsIsNotOurs) {
  const auto stage = [](const std::string& source, const RunRequest& request) {
    const Outcome outcome = run(source, request);
    const auto* raised = std::get_if<Raised>(&outcome.ending);
    return raised ? raised->stage : "not raised: " + describe(outcome);
  };
  EXPECT_EQ(stage("def program(x):\n    return x\n", eager()), "inputs");
  EXPECT_EQ(stage("def make_inputs(n):\n    return (n,)\n\n\ndef program(x):\n    return x\n", eager()), "inputs");
  const std::string options = std::string(kAdds) + "\n\nCOMPILE_OPTIONS = {\"modee\": 1}\n";
  EXPECT_EQ(stage(options, compiled("eager")), "backend");
  EXPECT_EQ(stage(std::string(kAdds) + "\n\nCOMPILE_OPTIONS = {\"\": 1}\n", compiled("eager")), "backend");
  const std::string backend = runner_->options().runtime_dir + "/takes_nothing.py";
  std::ofstream(backend) << "def compile(fn):\n    return lambda: fn()\n";
  EXPECT_EQ(stage(options, compiled("file:" + backend)), "backend");
  // A compiler that loses the arguments is wrong.
  const Outcome outcome = run(kAdds, compiled("file:" + backend));
  const auto* finished = std::get_if<Finished>(&outcome.ending);
  ASSERT_NE(finished, nullptr) << describe(outcome);
  EXPECT_EQ(finished->observation.calls.at(0).exception.value().type, "builtins.TypeError");
}

}  // namespace
}  // namespace jp::pyrunner::test
