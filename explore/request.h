// The parts of a request's body: a program, its steps, a seed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/json.h"
#include "core/program.h"
#include "core/result.h"
#include "explore/explorer.h"
#include "mutate/syntax/syntax.h"

namespace jp::explore {

/// A request's program and what its steps make of it.
struct Asked {
  mutate::Parsed base;
  mutate::Parsed made;
  /// The number of the next step: one for each in the list, those that are switched off too.
  int next = 0;
};

/// Steps in a request at most. Chosen, not measured.
inline constexpr std::size_t kMostSteps = 1000;
/// The largest seed of a request: JSON's readers keep it exactly.
inline constexpr std::uint64_t kLargestSeed = (std::uint64_t{1} << 53) - 1;

/// "program": {"source", "entry", "inputs"}. It has the path of the file that was opened, if one was: what it imports
/// from its folder is found. An Error names the member that is missing or wrong.
Result<Program> read_program(const codec::Json& body, const Explorer& explorer);
/// The same, parsed.
Result<mutate::Parsed> read_parsed(const codec::Json& body, const Explorer& explorer);
/// "steps": texts; null and "" are steps that are switched off.
Result<std::vector<std::string>> read_steps(const codec::Json& body);
/// Both, replayed; steps that do not apply are passed over.
Result<Asked> read_asked(const codec::Json& body, const Explorer& explorer);

/// A member that is a text; an Error if it is missing or something else.
Result<std::string> read_text(const codec::Json& body, const char* name);
/// The same, or `otherwise` where it is missing or null.
Result<std::string> read_text(const codec::Json& body, const char* name, const std::string& otherwise);
/// A number from 0 to `most`; nothing where it is missing or null.
Result<std::optional<std::uint64_t>> read_number(const codec::Json& body, const char* name, std::uint64_t most);
/// A list of texts; empty where it is missing or null.
Result<std::vector<std::string>> read_texts(const codec::Json& body, const char* name);

/// {"source", "entry", "inputs"}.
codec::Json program_json(const Program& program);

}  // namespace jp::explore
