// One warm runner for all tests of pyrunner/, and helpers for programs and outcomes.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/program.h"
#include "pyrunner/paths.h"
#include "pyrunner/runner.h"

namespace jp::pyrunner::test {

/// Limits for small programs: seconds, hangs not tried twice.
Limits short_limits();

/// The runner that all tests share. Fails the test program if worker or guard are missing.
Runner& shared_runner();

/// A program of this text.
Program program_of(const std::string& source);

RunRequest eager();
RunRequest compiled(const std::string& backend);
/// An eager run in this precision.
RunRequest in(const std::string& precision, std::uint64_t noise_seed = 0);

/// The outcome of one run.
Outcome run_one(const std::string& source, const RunRequest& request, Isolation isolation = Isolation::kBatch);
/// The observation of a run that must have finished.
Observation observe(const std::string& source, const RunRequest& request = eager());
/// The tensor that a value is.
const TensorRecord& tensor(const Observation& observation, const Value& value);
/// The item of a mapping or object under this label; an opaque "no such label" if there is none.
const Value& labelled(const Value& value, const std::string& label);
/// One of the values that the first call returns.
const Value& out(const Observation& seen, std::size_t number);
/// The elements of a tensor.
template <typename T>
std::vector<T> elements(const TensorRecord& record) {
  std::vector<T> values(record.bytes.size() / sizeof(T));
  std::copy(record.bytes.begin(), record.bytes.end(), reinterpret_cast<char*>(values.data()));
  return values;
}
/// What a profile of a program that must finish shows at these statements.
Facts facts_of(const std::string& source, const std::vector<StatementPlace>& places);
/// "finished", or "died signal 11: …": for messages.
std::string describe(const Outcome& outcome);

/// The whole of a file.
std::string read(const std::string& path);

/// Processes below the guard of a runner, except the zygote.
std::vector<pid_t> strays(const Runner& runner);
/// True as soon as only the zygote is left, within the time.
bool becomes_clean(const Runner& runner, double seconds = 60);

}  // namespace jp::pyrunner::test
