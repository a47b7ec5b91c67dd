// Takes an argument away from the program: out of the parameters and out of every call; the program then has its value
// from somewhere else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/choices.h"
#include "core/facts.h"
#include "mutate/inputs/inputs.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {

/// Arguments that can be taken away, as sites at the return statement of make_inputs with the path "0.ARGUMENT": the
/// entry is a plain function that nobody else calls, and every call gives every parameter. To be moved, they must be
/// movable() too.
std::vector<Site> removable_sites(const Parsed& parsed, const Facts& facts, bool to_move);
/// Such a site, or nothing; the note of the inputs is drawn first.
std::optional<Calls> removable_at(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices);

/// The argument leaves the parameters and the calls.
void remove_argument(Rewrite& rewrite, const Parsed& parsed, const Calls& calls);
/// The program reads `value` instead: by a line at its start, or wherever it read the parameter.
void read_instead(Rewrite& rewrite, const Parsed& parsed, const Calls& calls, const std::string& value,
                  Choices& choices);

/// The argument's text may stand as a statement before the return: it reads no name that only the return binds.
bool movable(const Parsed& parsed, const Calls& calls);
/// The argument moves to `slot`, which make_inputs fills; with several calls, sometimes before_call fills it anew each
/// time. `define` makes the slot, in the module; `global_name` is declared global where the slot is a name.
void move_argument(Rewrite& rewrite, const Parsed& parsed, const Calls& calls, const std::string& slot,
                   const Lines& define, const std::string& global_name, Choices& choices);

}  // namespace jp::mutate
