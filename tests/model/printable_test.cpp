#include "trompo/model/printable.hpp"

#include <gtest/gtest.h>

namespace trompo::test {
namespace model_printable {

TEST(Printable, NothingCommandsTheTerminal) {
  EXPECT_EQ(printable("plain, μ/🪀 'x' \\ \"y\""), "plain, μ/🪀 'x' \\ \"y\"");
  EXPECT_EQ(printable("\x1b]0;title\x07\x1b[2J"), "\\u001b]0;title\\u0007\\u001b[2J");
  EXPECT_EQ(printable("a\rb\bc\x7f"), "a\\u000db\\u0008c\\u007f");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\u0000b");
  EXPECT_EQ(printable("\u0085\u009b31m"), "\\u0085\\u009b31m");  // C1: CSI in one letter
  EXPECT_EQ(printable("\u202Egnp.exe\u2066\u2069\u200f\u061c\u2028"), "\\u202egnp.exe\\u2066\\u2069\\u200f\\u061c\\u2028");
  EXPECT_EQ(printable("\x9b"
                      "31m \xff \xc3"),
            "\\x9b31m \\xff \\xc3");  // no UTF-8
  EXPECT_EQ(printable("\xc0\x9b \xe0\x82\x9b \xed\xa0\x80"),
            "\\xc0\\x9b \\xe0\\x82\\x9b \\xed\\xa0\\x80");  // nor longer than it need be
  EXPECT_EQ(printable("a\n\tb"), "a\n\tb");
  EXPECT_EQ(printable("a\n\tb", false), "a\\u000a\\u0009b");
  EXPECT_EQ(printable(""), "");
}

}  // namespace model_printable
}  // namespace trompo::test
