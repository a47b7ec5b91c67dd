#include "pyrunner/warmth.h"

#include <algorithm>
#include <string_view>

namespace jp::pyrunner {

Warmth warmth_for(const std::string& backend) {
  constexpr std::string_view kOfTorch = "torch:";
  if (backend == "inductor" || backend == "torch:inductor") return Warmth::kInductor;
  if (backend.empty() || backend == "plain") return Warmth::kTorch;
  const bool others = !backend.starts_with(kOfTorch) && backend.find(':') != std::string::npos;
  return others ? Warmth::kTorch : Warmth::kCompiler;
}

Warmth warmth_for(const std::vector<std::string>& backends) {
  if (backends.empty()) return Warmth::kInductor;
  Warmth most = Warmth::kTorch;
  for (const std::string& backend : backends) most = std::max(most, warmth_for(backend));
  return most;
}

std::string warmth_name(Warmth warmth) {
  if (warmth == Warmth::kTorch) return "";
  return warmth == Warmth::kCompiler ? "compiler" : "inductor";
}

std::optional<Warmth> warmth_named(const std::string& name) {
  for (const Warmth warmth : {Warmth::kTorch, Warmth::kCompiler, Warmth::kInductor})
    if (warmth_name(warmth) == name) return warmth;
  return std::nullopt;
}

}  // namespace jp::pyrunner
