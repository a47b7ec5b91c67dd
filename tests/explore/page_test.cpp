// The report's data in its template.
#include "explore/page.h"

#include <gtest/gtest.h>

#include "codec/codec.h"

namespace jp::explore {
namespace {

TEST(Page, DataCannotEndItsScript) {
  const codec::Json data = {{"text", "</script><!--<script>alert(1)"}};
  const std::string html = report_html("<body>\n<!--DATA-->\n</body>", data).value();
  EXPECT_EQ(html.find("</script>"), html.rfind("</script>"));
  EXPECT_EQ(html.find("<!--"), std::string::npos);
  const std::size_t begin = html.find('{');
  const std::string text = html.substr(begin, html.find("</script>") - begin);
  EXPECT_EQ(codec::parse_text(text).value(), data);
}

TEST(Page, ATemplateNeedsAPlaceForTheData) { EXPECT_FALSE(report_html("<body></body>", {}).ok()); }

}  // namespace
}  // namespace jp::explore
