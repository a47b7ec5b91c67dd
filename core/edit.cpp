#include "core/edit.h"

#include <algorithm>
#include <utility>

#include "core/check.h"

namespace jp {

bool EditSet::add(Edit edit) {
  JP_CHECK(edit.begin <= edit.end, "an edit that ends before it begins");
  bool inserts = edit.begin == edit.end;
  auto at = std::find_if(edits_.begin(), edits_.end(), [&](const Edit& there) {
    if (there.begin != edit.begin) return there.begin > edit.begin;
    return inserts && there.begin != there.end;
  });
  if (at != edits_.end() && edit.end > at->begin) return false;
  if (at != edits_.begin()) {
    const Edit& before = *std::prev(at);
    if (before.end > edit.begin) return false;
    if (before.begin == edit.begin && before.begin != before.end) return false;
  }
  edits_.insert(at, std::move(edit));
  return true;
}

void EditSet::insert(std::size_t at, std::string text) { replace(at, at, std::move(text)); }

void EditSet::replace(std::size_t begin, std::size_t end, std::string text) {
  bool added = add({begin, end, std::move(text)});
  JP_CHECK(added, "edits overlap at {}..{}", begin, end);
}

std::string EditSet::apply(std::string_view source) const {
  std::string text;
  std::size_t at = 0;
  for (const Edit& edit : edits_) {
    JP_CHECK(edit.end <= source.size(), "an edit behind the end of the text");
    text += source.substr(at, edit.begin - at);
    text += edit.text;
    at = edit.end;
  }
  return text += source.substr(at);
}

std::optional<std::size_t> EditSet::map(std::size_t position) const {
  std::size_t moved = position;
  for (const Edit& edit : edits_) {
    if (edit.begin > position) break;
    if (edit.begin != edit.end && position < edit.end) return std::nullopt;
    moved = moved - (edit.end - edit.begin) + edit.text.size();
  }
  return moved;
}

}  // namespace jp
