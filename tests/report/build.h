// Hand-made findings, and folders that are removed when the test ends.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "core/verdict.h"

namespace jp::report::test {

/// A fresh folder for one test.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "jitprobe-report-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Folder() {
    std::error_code code;
    std::filesystem::remove_all(path_, code);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

inline Program program_of(const std::string& source) { return Program::make(source, {}).value(); }

inline Plan plan_for(const std::string& backend) {
  RunRequest eager;
  eager.role = "eager";
  RunRequest compiled;
  compiled.role = "compiled";
  compiled.compiled = true;
  compiled.backend = backend;
  return {"eager_vs_compiled", {eager, compiled}};
}

/// The same on a device; and one program on the CPU and on that device, as `device_vs_device` plans it.
inline Plan plan_on(const std::string& device, const std::string& backend) {
  Plan plan = plan_for(backend);
  for (RunRequest& run : plan.runs) run.device = device;
  return plan;
}
inline Plan plan_on_both(const std::string& device, const std::string& backend) {
  Plan plan = plan_for(backend);
  plan.oracle = "device_vs_device";
  for (RunRequest run : plan_on(device, backend).runs) {
    run.role = run.compiled ? "cuda" : "eager_cuda";
    plan.runs.push_back(run);
  }
  return plan;
}

/// A finding with one difference.
inline Finding finding_of(const std::string& source, const std::string& backend, Mismatch mismatch,
                          const std::string& where) {
  Finding finding{
      .program = program_of(source), .plan = plan_for(backend), .outcomes = {}, .verdict = {}, .signature = {}};
  finding.verdict.kind = Verdict::Kind::kDiverge;
  finding.verdict.rule = "test";
  finding.verdict.reason = where + ": eager has 1, compiled has 2";
  finding.verdict.differences = {{mismatch, 0, where, "1", "2", {{"max_abs", 1.0}}, "float"}};
  finding.verdict.reference = "eager";
  finding.verdict.under_test = "compiled";
  finding.signature.backend = backend;
  finding.signature.kind = mismatch_name(mismatch);
  finding.signature.frames = {where};
  finding.status = Finding::Status::kConfirmed;
  finding.reproduced = finding.attempts = 5;
  return finding;
}

}  // namespace jp::report::test
