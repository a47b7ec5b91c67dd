// Small JSON files in a finding's folder.
#pragma once

#include <optional>
#include <string>

#include "codec/json.h"
#include "core/result.h"

namespace jp::report {

/// findings/<id>/<name> in a campaign's folder.
std::string finding_file(const std::string& folder, const std::string& id, const char* name);

/// The object in such a file; nothing if it is missing, damaged, or of a newer version.
std::optional<codec::Json> read_object(const std::string& folder, const std::string& id, const char* name);
/// Makes the folder where it is missing, and writes the file whole or not at all. `json` holds "version" already.
Status write_object(const std::string& folder, const std::string& id, const char* name, const codec::Json& json);

}  // namespace jp::report
