// Changes lines in the head of a known bug's file (known.h says what they mean); every other byte is preserved.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "report/known.h"

namespace jp::report {

/// The keys of a head, in the order of their lines.
inline constexpr std::array<std::string_view, 9> kHeadKeys = {"link",   "signature", "pattern", "avoid", "around",
                                                              "oracle", "here",      "gone",    "state"};

/// Whether a release is older than another: its numbers by value, then text ("2.9.1" before "2.13.0", "2.15.0.dev1" and
/// "2.15.0a0" before "2.15.0").
bool older(const std::string& one, const std::string& other);

/// The text with `values` as the head's lines of that key: in place of the first existing one, else after the keys that
/// come before it in a head. No values: the lines are removed.
std::string with_lines(const std::string& text, const std::string& key, const std::vector<std::string>& values);

/// The file's text with the release in `here` or in `gone`, in order, and no longer in the other.
std::string with_release(const KnownBug& bug, const std::string& release, bool here);

/// The file's text with these signatures added. Those of other versions of signatures are removed: nothing has them any
/// more.
std::string with_signatures(const KnownBug& bug, const std::vector<KnownSignature>& more, int version);

}  // namespace jp::report
