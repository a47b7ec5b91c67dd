// The file of a known bug made of a finding: its reproducer with a head that says what it is.
#pragma once

#include <string>

#include "campaign/evidence/verified_export.h"
#include "core/result.h"

namespace jp::campaign {

/// The file's name without ".py": `asked`, or tracker and number of the link ("pytorch-12345" of
/// https://github.com/pytorch/pytorch/issues/12345). An Error when the link is none, or gives no name and nobody says
/// one.
Result<std::string> known_name(const std::string& link, const std::string& asked);

/// Writes `corpus`/known/NAME.py, or adds the finding's signatures to the head of the one that is there, and gives its
/// path. The finding must be confirmed and reduced, with its evidence measured. An Error says what is missing.
Result<std::string> write_known(const LoadedFinding& kept, const std::string& corpus, const std::string& link,
                                const std::string& name);

}  // namespace jp::campaign
