#include "explore/page.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "codec/codec.h"
#include "core/files.h"
#include "core/own_program.h"

namespace jp::explore {
namespace {

namespace fs = std::filesystem;

fs::path found_above(const std::string& name) {
  std::error_code error;
  for (fs::path at = fs::path(own_program()).parent_path(); !at.empty(); at = at.parent_path()) {
    for (const char* folder : {"page", "share/jitprobe/page"})
      if (fs::exists(at / folder / name, error)) return at / folder / name;
    if (at == at.parent_path()) break;
  }
  return {};
}

}  // namespace

Result<std::string> page_file(const std::string& name) {
  const char* given = std::getenv("JITPROBE_PAGE");
  const fs::path path = given ? fs::path(given) / name : found_above(name);
  std::error_code error;
  if (path.empty() || !fs::exists(path, error))
    return Error{fmt::format("the page of explore is not built ({}): ./dev run explore builds it",
                             path.empty() ? name : path.string())};
  Result<std::string> text = read_file(path.string());
  if (!text.ok()) return text;
  const std::string mark = fmt::format(R"(<meta name="jitprobe-page" content="{}">)", kPageVersion);
  if (text.value().find(mark) == std::string::npos)
    return Error{
        fmt::format("{} was built for another version of jitprobe: build it anew with ./dev page", path.string())};
  return text;
}

// In JSON "<" stands in texts only, where it may be written as an escape.
Result<std::string> report_html(const std::string& page, const codec::Json& data) {
  constexpr std::string_view kPlace = "<!--DATA-->";
  const std::size_t at = page.find(kPlace);
  if (at == std::string::npos) return Error{"the report's template has no line <!--DATA-->: build the page anew"};
  std::string script = R"(<script type="application/json" id="data">)";
  for (char c : codec::text(data)) {
    if (c == '<')
      script += "\\u003c";
    else
      script += c;
  }
  return page.substr(0, at) + script + "</script>" + page.substr(at + kPlace.size());
}

}  // namespace jp::explore
