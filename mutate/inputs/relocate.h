// Removes an argument from the entry's parameters and from every call; the program then gets its value from elsewhere.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/choices.h"
#include "core/facts.h"
#include "mutate/inputs/inputs.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {

/// Arguments that can be removed, as sites at the return statement of make_inputs with the path "0.ARGUMENT". The entry
/// must be an adaptable_entry(), and every call must pass every parameter. With
/// `to_move` they must be movable() too.
std::vector<Site> removable_sites(const Parsed& parsed, const Facts& facts, bool to_move);
/// The argument at such a site, or nothing. The first thing recorded in `choices` is the types of the inputs.
std::optional<Calls> removable_at(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices);

/// Removes the argument from the parameters and the calls.
void remove_argument(Rewrite& rewrite, const Parsed& parsed, const Calls& calls);
/// Makes the entry use the expression `value` instead: by an assignment at its start, or in place of each read of the
/// parameter.
void read_instead(Rewrite& rewrite, const Parsed& parsed, const Calls& calls, const std::string& value,
                  Choices& choices);

/// The argument's expression may be evaluated in a statement before the return: it reads no name that another part of
/// the return statement binds.
bool movable(const Parsed& parsed, const Calls& calls);
/// Moves the argument to `slot` (an assignable expression), which make_inputs sets; if there are several calls,
/// before_call sometimes sets it before each. The lines `define` make the slot at module level. `global_name` is
/// declared global if the slot is a name; otherwise "".
void move_argument(Rewrite& rewrite, const Parsed& parsed, const Calls& calls, const std::string& slot,
                   const Lines& define, const std::string& global_name, Choices& choices);

}  // namespace jp::mutate
