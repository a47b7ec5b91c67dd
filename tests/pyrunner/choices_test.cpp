// Runs in which what nothing specifies is resolved otherwise.
#include <set>
#include <string>
#include <vector>

#include "common.h"

namespace jp::pyrunner::test {
namespace {

TEST(Precision, OtherChoicesNameOtherEqualElements) {
  std::string source = R"(
import torch
def make_inputs():
    return (torch.tensor([[2, 7, 7], [5, 5, 5]]),)
def program(x):
    wide = x.float()
    return (
        x.max(1).indices, wide.argmin(), x.topk(2).indices, wide.sort(descending=True).indices,
        torch.sort(x, stable=True).indices, x.max(1).values, torch.tensor([3, 1, 2]).argsort(),
    )
)";
  Observation plain = observe(source);
  Observation other = observe(source, in("other_choices", 1));
  ASSERT_FALSE(other.calls.at(0).exception) << other.calls[0].exception->message;
  const auto same = [&](int i) { return tensor(plain, out(plain, i)).bytes == tensor(other, out(other, i)).bytes; };
  EXPECT_FALSE(same(0));
  EXPECT_TRUE(same(1)) << "there is one smallest";
  EXPECT_FALSE(same(2));
  EXPECT_FALSE(same(3));
  EXPECT_TRUE(same(4)) << "stable is a promise";
  EXPECT_TRUE(same(5));
  EXPECT_TRUE(same(6)) << "no two are equal";
}

// What an expression of integers gives in the runs that list equal elements; none if there are too many choices.
std::set<std::string> listed(const std::string& expression) {
  const std::string source = R"(
import torch
def make_inputs():
    return (torch.tensor([7, 3, 7, 5, 7, 3]), torch.tensor([[1.0, float("nan")], [float("nan"), 2.0], [1.0, 2.0]]))
def program(x, y):
    return str(torch.as_tensor()" +
                             expression +
                             R"().tolist())
)";
  std::set<std::string> seen;
  for (int run = 1; run <= 40; ++run) {
    const Outcome outcome = run_one(source, in("other_equals", static_cast<std::uint64_t>(run)));
    const auto* finished = std::get_if<Finished>(&outcome.ending);
    if (!finished) return {};
    const CallRecord& call = finished->observation.calls.at(0);
    EXPECT_FALSE(call.exception) << expression << ": " << call.exception->message;
    seen.insert(call.output.text);
  }
  return seen;
}

TEST(Precision, RunsThatListEqualElementsNameEachOfThem) {
  using Set = std::set<std::string>;
  EXPECT_EQ(listed("x.argmax()"), (Set{"0", "2", "4"}));
  EXPECT_EQ(listed("x.max(0).indices"), (Set{"0", "2", "4"}));
  EXPECT_EQ(listed("x.min(0, keepdim=True).indices"), (Set{"[1]", "[5]"}));
  EXPECT_EQ(listed("x[1:4].sort().indices"), (Set{"[0, 2, 1]"})) << "no two are equal";
  EXPECT_EQ(listed("x.sort().indices[:2]"), (Set{"[1, 5]", "[5, 1]"}));
  EXPECT_EQ(listed("x.sort(descending=True).indices[3:]"), (Set{"[3, 1, 5]", "[3, 5, 1]"}));
  EXPECT_EQ(listed("x.sort(descending=True).indices[:3]").size(), 6U);
  EXPECT_EQ(listed("x.topk(2, largest=False).indices"), (Set{"[1, 5]", "[5, 1]"}));
  EXPECT_EQ(listed("x.kthvalue(4).indices"), (Set{"0", "2", "4"}));
  EXPECT_EQ(listed("x.median(0).indices"), (Set{"3"}));
  EXPECT_EQ(listed("y.argmax()"), (Set{"1", "2"})) << "NaN is the largest";
  EXPECT_EQ(listed("y.mode(0).indices"), (Set{"[0, 1]", "[0, 2]", "[2, 1]", "[2, 2]"}));
  EXPECT_EQ(listed("y.nanmedian(0).indices"), (Set{"[0, 1]", "[0, 2]", "[2, 1]", "[2, 2]"}));
  EXPECT_EQ(listed("(x.argmax(), x.argmin())"), (Set{"[0, 1]", "[0, 5]", "[2, 1]", "[2, 5]", "[4, 1]", "[4, 5]"}));
  EXPECT_EQ(listed("torch.sort(x, stable=True).indices[:2]"), (Set{"[1, 5]"}));
  EXPECT_EQ(listed("x.to(torch.uint16).sort().indices[:2].int()"), (Set{"[1, 5]", "[5, 1]"}));
  EXPECT_EQ(listed("torch.sort(x.clone(), out=(x.clone(), y.long().flatten()))[1][:2]"), (Set{"[1, 5]", "[5, 1]"}));
  EXPECT_EQ(listed("torch.zeros(17).argmax()").size(), 17U);
  EXPECT_EQ(listed("torch.zeros(41).argmax()"), Set{}) << "more than runs";
  EXPECT_EQ(listed("torch.zeros(5).sort().indices"), Set{});
}

TEST(Precision, OtherChoicesHaveClocksThatJump) {
  std::string source = R"(
import datetime, os, resource, time, timeit
from datetime import datetime as moment
def program():
    def jumps(read):
        first = read()
        return read() - first > 0.9
    reads = [
        time.time, time.perf_counter, timeit.default_timer, lambda: time.clock_gettime(time.CLOCK_MONOTONIC),
        lambda: time.monotonic_ns() / 1e9, lambda: os.times().user,
        lambda: resource.getrusage(resource.RUSAGE_SELF).ru_utime, lambda: moment.now().timestamp(),
        lambda: datetime.datetime.now(datetime.timezone.utc).timestamp(), lambda: moment.today().timestamp(),
    ]
    start = moment(2020, 1, 2)
    return [jumps(read) for read in reads], isinstance(moment.now(), datetime.datetime), repr(start), start.year
)";
  const Observation plain = observe(source);
  const Observation other = observe(source, in("other_choices", 1));
  ASSERT_FALSE(other.calls.at(0).exception) << other.calls[0].exception->message;
  ASSERT_EQ(out(plain, 0).items.size(), 10U);
  for (std::size_t i = 0; i < out(plain, 0).items.size(); ++i) {
    EXPECT_EQ(out(plain, 0).items[i].text, "False") << i;
    EXPECT_EQ(out(other, 0).items[i].text, "True") << i;
  }
  for (std::size_t i : {1, 2, 3}) EXPECT_EQ(out(plain, i).text, out(other, i).text);
}

TEST(Precision, OtherChoicesHaveObjectsAndThreadsElsewhere) {
  std::string source = R"(
import threading
def program():
    seen = []
    thread = threading.Thread(target=lambda: seen.append(threading.get_ident()))
    thread.start()
    thread.join()
    return hash(object()), seen[0], threading.active_count()
)";
  const Observation plain = observe(source);
  std::set<std::string> objects;
  std::set<std::string> threads;
  for (std::uint64_t number : {1, 2, 3}) {
    const Observation other = observe(source, in("other_choices", number));
    ASSERT_FALSE(other.calls.at(0).exception) << other.calls[0].exception->message;
    objects.insert(out(other, 0).text);
    threads.insert(out(other, 1).text);
    EXPECT_EQ(out(plain, 2).text, out(other, 2).text);
  }
  EXPECT_GT(objects.size(), 1U);
  EXPECT_GT(threads.size(), 1U) << "one of them may have the address that the plain run had";
}

TEST(Precision, OtherChoicesLeaveAloneWhatIsNotRead) {
  const std::string source = R"(
import torch
def make_inputs():
    return (torch.ones(4),)
def program(x):
    y = torch.empty(0)
    y.set_(x)
    y.set_(x[:2])
    y.add_(1)
    return (x.sum().item(),)
)";
  EXPECT_EQ(out(observe(source, in("other_choices", 1)), 0).text, out(observe(source), 0).text);
}

TEST(Precision, OtherChoicesCopyOperandsThatShareMemory) {
  std::string source = R"(
import torch
def make_inputs():
    return (torch.arange(1, 9).reshape(2, 4),)
def program(x):
    x.mul_(x[:, :1])
    return (x.sum().item(),)
)";
  EXPECT_EQ(out(observe(source, in("other_choices", 1)), 0).text, "140");
  source.replace(source.find("x[:, :1]"), 8, "x");
  EXPECT_EQ(out(observe(source, in("other_choices", 1)), 0).text, "204") << "the sum of the squares";
}

// The sums of windows that share memory, after a write through them or through what they are views of.
std::string sum_after(const std::string& write, const RunRequest& request) {
  const std::string source = R"(
import torch
def make_inputs():
    base = torch.arange(6.0)
    return (torch.arange(6.0).unfold(0, 3, 1), torch.arange(3.0).expand(4, 3), base, base.expand(2, 6))
def program(x, rows, base, expanded):
    )" + write + R"(
    return (x.sum().item(), rows.sum().item(), expanded.sum().item())
)";
  const Observation seen = observe(source, request);
  EXPECT_FALSE(seen.calls.at(0).exception) << write << ": " << seen.calls[0].exception->message;
  return out(seen, 0).text + " " + out(seen, 1).text + " " + out(seen, 2).text;
}

TEST(Precision, OtherChoicesWriteElementsThatShareMemoryInAnotherOrder) {
  for (const char* write : {"x.mul_(3)", "x.copy_(torch.arange(12.0).reshape(4, 3))", "x[0].add_(1)", "rows[0].add_(1)",
                            "torch.add(torch.ones(4, 3), torch.arange(12.0).reshape(4, 3), out=x)",
                            "x.copy_(torch.where(x > 1, x * 2, x))", "torch._foreach_add_([x], 1.0)"})
    EXPECT_NE(sum_after(write, in("other_choices", 1)), sum_after(write, eager())) << write;
}

TEST(Precision, OtherChoicesLeaveAloneWritesThatHaveOneResult) {
  for (const char* write : {"x.fill_(7)", "x.zero_()", "x.clamp_(1, 3)", "base.add_(1)", "base[2:].mul_(2)",
                            "expanded[0].add_(1)", "x.copy_(torch.ones(4, 3) * 5)"})
    for (std::uint64_t number : {1, 2, 3})
      EXPECT_EQ(sum_after(write, in("other_choices", number)), sum_after(write, eager())) << write;
}

}  // namespace
}  // namespace jp::pyrunner::test
