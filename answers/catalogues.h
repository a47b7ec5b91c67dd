// What `list --json` prints: rows of the catalogues.
#pragma once

#include <string>
#include <vector>

#include "codec/json.h"
#include "core/result.h"

namespace jp::answers {

/// "operators", "tables", "broken-rules", "mutations", "oracles", "rules", "backends", "switches".
std::vector<std::string> catalogue_names();

/// The rows of a catalogue, an array of objects with "id". `folder`: the campaign whose counts are added to rules or
/// mutations, "" for none (mutations: the newest in ./campaigns, if there is one). `asked_backends`: whose switches are
/// listed, all built-in ones when empty; only that catalogue starts a worker. An Error when these don't fit the
/// catalogue, when there is no such catalogue, or when the campaign can't be read.
Result<codec::Json> catalogue_rows(const std::string& catalogue, const std::string& folder,
                                   const std::vector<std::string>& asked_backends);

/// The catalogue of mutations without the counts of any campaign.
codec::Json mutations_json();

}  // namespace jp::answers
