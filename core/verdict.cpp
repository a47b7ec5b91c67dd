#include "core/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/hash.h"

namespace jp {

namespace {

constexpr std::array<std::string_view, 27> kMismatches = {
    "value",   "gradient",     "state_after", "death",    "compiler_error", "raises",        "handler",
    "hang",    "memory",       "structure",   "dtype",    "shape",          "requires_grad", "accepts",
    "mode",    "cost",         "strides",     "aliasing", "identity",       "leaf",          "offset",
    "version", "sign_of_zero", "nan_payload", "warnings", "error_class",    "denormal"};

}  // namespace

std::string_view mismatch_name(Mismatch mismatch) { return kMismatches[static_cast<std::size_t>(mismatch)]; }

std::optional<Mismatch> mismatch_named(std::string_view name) {
  const auto* const found = std::find(kMismatches.begin(), kMismatches.end(), name);
  if (found == kMismatches.end()) return std::nullopt;
  return static_cast<Mismatch>(found - kMismatches.begin());
}

bool is_weak(Mismatch mismatch) { return mismatch >= Mismatch::kStrides; }

std::string_view verdict_name(Verdict::Kind kind) {
  constexpr std::array<std::string_view, 5> kNames = {"agree", "rejected", "vacuous", "unstable", "diverge"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view status_name(Finding::Status status) {
  constexpr std::array<std::string_view, 4> kNames = {"candidate", "confirmed", "flaky", "known"};
  return kNames[static_cast<std::size_t>(status)];
}

std::string Signature::id() const {
  std::string parts = fmt::format("{}\n{}\n{}\n{}", version, backend, stage, kind);
  for (const std::string& frame : frames) parts += "\n" + frame;
  return sha256_hex(parts).substr(0, 16);
}

}  // namespace jp
