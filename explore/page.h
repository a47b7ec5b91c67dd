// The built page and the template of the report: files of the install, made by ./dev run explore from explore/page/.
#pragma once

#include <string>

#include "codec/json.h"
#include "core/result.h"

namespace jp::explore {

/// Of the answers that the page reads: raised when an older page would misread one. build.mjs writes it into the files.
inline constexpr int kPageVersion = 4;

/// A file of the built page, "page.html" or "report.html": in the folder $JITPROBE_PAGE, else in page/ or
/// share/jitprobe/page/ beside the executable or in a parent folder. An Error says how to build it, also if it was
/// built for another version.
Result<std::string> page_file(const std::string& name);

/// The template with the data in place of its line <!--DATA-->: a script of JSON, which the page reads. No text in it
/// can end the script. An Error if the template has no such line.
Result<std::string> report_html(const std::string& page, const codec::Json& data);

}  // namespace jp::explore
