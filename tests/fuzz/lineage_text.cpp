// Lineages: a step as people type it, and a whole lineage as JSON. What is read is written and read again alike.
#include <cstdint>

#include "codec/codec.h"
#include "core/check.h"
#include "core/lineage.h"
#include "mutate/engine/engine.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace jp;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  if (Result<mutate::WrittenStep> step = mutate::parse_step(text); step.ok()) {
    const std::string printed = mutate::print_step(step.value().step);
    Result<mutate::WrittenStep> again = mutate::parse_step(printed);
    JP_CHECK(again.ok() && again.value().step == step.value().step, "a step comes back as another: {}", printed);
  }
  Result<codec::Json> json = codec::parse_text(text);
  if (!json.ok()) return 0;
  Result<Lineage> lineage = codec::read<Lineage>(json.value());
  if (!lineage.ok()) return 0;
  Result<Lineage> again = codec::read<Lineage>(codec::to_json(lineage.value()));
  JP_CHECK(again.ok() && again.value() == lineage.value(), "a lineage comes back as another");
  return 0;
}
