// The tables of campaign.db, and opening a valid one. store.h says what they hold.
#pragma once

#include <memory>
#include <string>

#include "report/database.h"

namespace jp::report {

inline constexpr int kSchemaVersion = 1;

/// "FOLDER/campaign.db".
std::string database_file(const std::string& folder);
/// Makes the tables in an empty database, with the settings, all or nothing. False: it holds a campaign already.
Result<bool> make_tables(Database& database, const std::string& settings);
/// Opens an existing campaign; an Error if it is missing, somebody else's file or newer than this version. Damage shows
/// where it is read: a finding is read by opening the campaign, and the check below reads all of it.
Result<std::unique_ptr<Database>> open_campaign(const std::string& folder, Database::Mode mode);
/// An Error if the database is damaged. Reads the whole file.
Status check_sound(Database& database);

}  // namespace jp::report
