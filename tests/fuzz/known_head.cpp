// Heads of known bugs: any text is a known bug or an Error.
#include <cstdint>

#include "report/known.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace jp;
  Result<report::KnownBug> bug =
      report::parse_known("pytorch-1", std::string(reinterpret_cast<const char*>(bytes), size));
  if (!bug.ok()) return 0;
  Signature signature;
  (void)bug.value().has_signature("0123456789abcdef");
  (void)bug.value().has_pattern(signature, {"zero_"});
  (void)report::said_gone(bug.value(), "2.13.0");
  (void)report::regression_text(bug.value(), report::release_of("2.13.0+cpu"));
  return 0;
}
