// Who is answered, and who is not.
#include "explore/access.h"

#include <gtest/gtest.h>

namespace jp::explore {
namespace {

constexpr int kPort = 4711;
const std::string kToken = "0123456789abcdef0123456789abcdef";

bool allows(const Asker& asker) { return !Access(kPort, kToken).refusal(asker); }

TEST(Access, TakesItsOwnPage) {
  EXPECT_TRUE(allows({"127.0.0.1:4711", "", kToken}));
  EXPECT_TRUE(allows({"localhost:4711", "", kToken}));
  EXPECT_TRUE(allows({"127.0.0.1:4711", "http://127.0.0.1:4711", kToken}));
  EXPECT_TRUE(allows({"127.0.0.1:4711", "http://localhost:4711", kToken}));
}

TEST(Access, RefusesAnotherToken) {
  EXPECT_FALSE(allows({"127.0.0.1:4711", "", ""}));
  EXPECT_FALSE(allows({"127.0.0.1:4711", "", kToken.substr(1)}));
  EXPECT_FALSE(allows({"127.0.0.1:4711", "", kToken + "0"}));
  EXPECT_FALSE(allows({"127.0.0.1:4711", "", "1" + kToken.substr(1)}));
}

TEST(Access, RefusesAnotherHost) {
  for (const char* host : {"", "127.0.0.1", "127.0.0.1:4712", "example.org:4711", "localhost.example.org:4711"})
    EXPECT_FALSE(allows({host, "", kToken})) << host;
}

TEST(Access, RefusesAnotherOrigin) {
  for (const char* origin : {"null", "http://example.org", "https://127.0.0.1:4711", "http://127.0.0.1:4712"})
    EXPECT_FALSE(allows({"127.0.0.1:4711", origin, kToken})) << origin;
}

TEST(Access, TokensAreOf128Bits) {
  const std::string one = new_token();
  EXPECT_EQ(one.size(), 32U);
  EXPECT_EQ(one.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_NE(one, new_token());
}

TEST(Access, ComparesSecrets) {
  EXPECT_TRUE(same_secret("", ""));
  EXPECT_TRUE(same_secret("abc", "abc"));
  EXPECT_FALSE(same_secret("abc", "abd"));
  EXPECT_FALSE(same_secret("abc", "ab"));
  EXPECT_FALSE(same_secret("ab", "abc"));
  EXPECT_FALSE(same_secret("", "a"));
}

}  // namespace
}  // namespace jp::explore
