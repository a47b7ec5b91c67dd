// The labelled set: its files, and how each is judged. README.md describes their headers.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "campaign/common/judging.h"
#include "core/program.h"
#include "oracle/judge/oracle.h"
#include "pyrunner/runner.h"

namespace jp::labelled {

/// The lines "# key: text" at the head of a file.
using Header = std::map<std::string, std::string>;

/// tests/judge.
const std::filesystem::path& folder();

/// The text of a file; "" for one that can't be read.
std::string read(const std::filesystem::path& path);

Header header_of(const std::string& source);

/// The header's text of a key, or `otherwise`.
std::string at(const Header& header, const std::string& key, const std::string& otherwise = "");

/// Names of the files relative to the folder, without ".py", ascending: "alike/sum_backwards".
std::vector<std::string> names();

/// A name as GoogleTest wants it.
std::string test_name(const std::string& name);

/// One for all tests of the process, which ends if there is no worker.
pyrunner::Runner& shared_runner();

/// The oracle that the header names; null if there is none of that name.
const oracle::Oracle* oracle_of(const Header& header);

/// The backend, and the weak classes that are reported.
oracle::PlanOptions options_of(const Header& header);

/// As `jitprobe run` judges, with the header's limits.
campaign::JudgedProgram judge(const Program& program, const Header& header);

}  // namespace jp::labelled
