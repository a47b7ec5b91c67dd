// Text of a program never controls a terminal.
#include "app/terminal.h"

#include <gtest/gtest.h>

namespace jp::app {
namespace {

TEST(Terminal, ControlCharactersAreShownAsEscapes) {
  EXPECT_EQ(escaped("x = 1\n\ty = 'ü…😀'\n"), "x = 1\n\ty = 'ü…😀'\n");
  EXPECT_EQ(escaped("\033]0;title\007"), "\\x1b]0;title\\x07");
  EXPECT_EQ(escaped("a\rb\bc\177"), "a\\x0db\\x08c\\x7f");
  EXPECT_EQ(escaped("\xC2\x9B"
                    "31m"),
            "\\xc2\\x9b31m")
      << "the one-byte form of ESC [";
  EXPECT_EQ(escaped("\x9B"
                    "31m\xFF\xE2\x82"),
            "\\x9b31m\\xff\\xe2\\x82")
      << "what is no UTF-8";
  EXPECT_EQ(escaped("é\xED\xA0\x80"
                    "a\xC0\x8A"),
            "é\\xed\\xa0\\x80a\\xc0\\x8a")
      << "a surrogate, and a line break in two bytes";
  EXPECT_EQ(escaped(std::string_view("a\0b", 3)), "a\\x00b");
}

}  // namespace
}  // namespace jp::app
