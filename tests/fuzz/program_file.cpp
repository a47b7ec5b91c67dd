// Program files: any bytes are a program or an Error, and a program that parses is analysed and printed as it stands.
#include <cstdint>

#include "core/check.h"
#include "core/program.h"
#include "mutate/engine/engine.h"
#include "mutate/names/scopes.h"
#include "mutate/safety/introspection.h"
#include "mutate/syntax/syntax.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace jp;
  const std::string source(reinterpret_cast<const char*>(bytes), size);
  Result<Program> program = Program::make(source, {});
  if (!program.ok()) return 0;
  Result<mutate::Parsed> parsed = mutate::parse(program.value());
  if (!parsed.ok()) return 0;
  JP_CHECK(parsed.value().source() == source, "a program's text has changed");
  for (const mutate::Statement& statement : parsed.value().statements()) {
    JP_CHECK(parsed.value().find(statement.id) == &statement, "a statement isn't found by its id");
    parsed.value().scopes().uses_in(statement.begin, statement.end);
  }
  mutate::watched(parsed.value());
  mutate::replay(parsed.value(), {Step{0, "true_block", {"s0", ""}, {}}});
  return 0;
}
