#include "mutate/outline/containers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

namespace jp::mutate {
namespace {

using Names = std::vector<std::string>;

/// What a round trip is made from.
struct Maker {
  const Names& names;
  Rewrite& rewrite;
  Choices& choices;
  std::string box;

  std::size_t count() const { return names.size(); }
  std::string joined() const { return fmt::format("{}", fmt::join(names, ", ")); }
  /// With the comma that a tuple of one element needs.
  std::string tuple() const { return fmt::format("({}{})", joined(), count() == 1 ? "," : ""); }
  Names reversed() const { return {names.rbegin(), names.rend()}; }
  /// `text` with {0} for each name and {1} for its number.
  Names each(std::string_view text) const {
    Names all;
    for (std::size_t i = 0; i < count(); ++i) all.push_back(fmt::format(fmt::runtime(text), names[i], i));
    return all;
  }
  Names takes(std::string_view text) const {
    Names all;
    for (std::size_t i = 0; i < count(); ++i) all.push_back(box + fmt::format(fmt::runtime(text), names[i], i));
    return all;
  }
  std::string list_of(std::string_view text) const { return fmt::format("{}", fmt::join(each(text), ", ")); }
};

RoundTrip list_literal(Maker& m) {
  std::string brackets = m.choices.chance(1, 2) ? fmt::format("[{}]", m.joined()) : m.tuple();
  RoundTrip way{{{fmt::format("{} = {}", m.box, brackets)}}, {}};
  bool negative = m.choices.chance(1, 3);
  for (std::size_t i = 0; i < m.count(); ++i)
    way.takes.push_back(negative ? fmt::format("{}[-{}]", m.box, m.count() - i) : fmt::format("{}[{}]", m.box, i));
  return way;
}

RoundTrip append_pop(Maker& m) {
  RoundTrip way{{{m.box + " = []"}}, {}, false};
  bool front = m.choices.chance(1, 2);
  for (const auto& name : front ? m.names : m.reversed())
    way.lines.push_back({fmt::format("{}.append({})", m.box, name)});
  for (std::size_t i = 0; i < m.count(); ++i) way.takes.push_back(m.box + (front ? ".pop(0)" : ".pop()"));
  return way;
}

RoundTrip insert_front(Maker& m) {
  RoundTrip way{{{fmt::format("{} = [{}]", m.box, m.names.back())}}, m.takes("[{1}]")};
  for (std::size_t i = m.count() - 1; i-- > 0;)
    way.lines.push_back({fmt::format("{}.insert(0, {})", m.box, m.names[i])});
  return way;
}

RoundTrip extend_delete(Maker& m) {
  return {{{fmt::format("{} = [None]", m.box)},
           {fmt::format("{}.extend({})", m.box, m.tuple())},
           {fmt::format("del {}[0]", m.box)}},
          m.takes("[{1}]")};
}

RoundTrip slice_assignment(Maker& m) {
  std::string list = fmt::format("[{}]", m.joined());
  if (m.choices.chance(1, 2))
    return {{{fmt::format("{} = [None, None]", m.box)}, {fmt::format("{}[1:1] = {}", m.box, list)}}, [&] {
              Names takes;
              for (std::size_t i = 0; i < m.count(); ++i) takes.push_back(fmt::format("{}[{}]", m.box, i + 1));
              return takes;
            }()};
  return {{{fmt::format("{} = [None] * {}", m.box, m.count())}, {fmt::format("{}[:] = {}", m.box, list)}},
          m.takes("[{1}]")};
}

RoundTrip reversed_list(Maker& m) {
  Names back = m.reversed();
  std::string list = fmt::format("[{}]", fmt::join(back, ", "));
  if (m.choices.chance(1, 2))
    return {{{fmt::format("{} = {}", m.box, list)}, {m.box + ".reverse()"}}, m.takes("[{1}]")};
  return {{{fmt::format("{} = list(reversed({}))", m.box, list)}}, m.takes("[{1}]")};
}

RoundTrip sorted_pairs(Maker& m) {
  Names pairs = m.each("({1}, {0})");
  std::reverse(pairs.begin(), pairs.end());
  std::string list = fmt::format("[{}]", fmt::join(pairs, ", "));
  if (m.choices.chance(1, 2))
    return {{{fmt::format("{} = {}", m.box, list)}, {m.box + ".sort(key=lambda pair: pair[0])"}}, m.takes("[{1}][1]")};
  return {{{fmt::format("{} = sorted({}, key=lambda pair: pair[0])", m.box, list)}}, m.takes("[{1}][1]")};
}

RoundTrip dict_literal(Maker& m) {
  RoundTrip way{{{fmt::format("{} = {{{}}}", m.box, m.list_of("\"{0}\": {0}"))}}, m.takes("[\"{0}\"]")};
  if (m.choices.chance(1, 3)) way.takes = m.takes(".get(\"{0}\")");
  if (m.choices.chance(1, 4)) {
    way.takes = m.takes(".pop(\"{0}\")");
    way.looks = false;
  }
  return way;
}

RoundTrip dict_setdefault(Maker& m) {
  RoundTrip way{{{m.box + " = {}"}}, m.takes("[\"{0}\"]")};
  for (const auto& text : m.each("{0}")) {
    way.lines.push_back({fmt::format("{}.setdefault(\"{}\", {})", m.box, text, text)});
    if (m.choices.chance(1, 2)) way.lines.push_back({fmt::format("{}.setdefault(\"{}\", None)", m.box, text)});
  }
  return way;
}

RoundTrip dict_update(Maker& m) {
  RoundTrip way{{{fmt::format("{} = {{\"{}\": None}}", m.box, m.names[0])}}, m.takes("[\"{0}\"]")};
  switch (m.choices.below(3)) {
    case 0:
      way.lines.push_back({fmt::format("{}.update({})", m.box, m.list_of("{0}={0}"))});
      break;
    case 1:
      way.lines.push_back({fmt::format("{} |= {{{}}}", m.box, m.list_of("\"{0}\": {0}"))});
      break;
    default:
      way.lines = {{fmt::format("{} = dict(zip([{}], {}))", m.box, m.list_of("\"{0}\""), m.tuple())}};
  }
  return way;
}

RoundTrip set_of_ids(Maker& m) {
  // The values are selected by their id() from a set of ids.
  std::string wanted = m.rewrite.name("s");
  RoundTrip way{{{fmt::format("{} = {{{}}}", wanted, m.list_of("id({0})"))}}, {}};
  if (m.choices.chance(1, 2)) {
    way.takes = m.each("({0} if id({0}) in " + wanted + " else None)");
    return way;
  }
  way.lines.push_back(
      {fmt::format("{} = {{id(value): value for value in {} if id(value) in {}}}", m.box, m.tuple(), wanted)});
  for (const auto& key : m.each("id({0})")) way.takes.push_back(fmt::format("{}[{}]", m.box, key));
  return way;
}

RoundTrip deque(Maker& m) {
  std::string type = m.rewrite.name("deque");
  RoundTrip way{{{"from collections import deque as " + type}}, {}, false};
  if (m.choices.chance(1, 2)) {
    way.lines.push_back({fmt::format("{} = {}({})", m.box, type, m.tuple())});
    for (std::size_t i = 0; i < m.count(); ++i) way.takes.push_back(m.box + ".popleft()");
    return way;
  }
  way.lines.push_back({fmt::format("{} = {}()", m.box, type)});
  for (const auto& name : m.names) way.lines.push_back({fmt::format("{}.appendleft({})", m.box, name)});
  if (m.choices.chance(1, 2)) {
    way.lines.push_back({m.box + ".rotate(1)"});
    way.lines.push_back({m.box + ".rotate(-1)"});
  }
  for (std::size_t i = 0; i < m.count(); ++i) way.takes.push_back(m.box + ".pop()");
  return way;
}

RoundTrip named_tuple(Maker& m) {
  std::string type = m.rewrite.name("namedtuple");
  std::string own = m.rewrite.name("Pack");
  RoundTrip way{{{"from collections import namedtuple as " + type},
                 {fmt::format("{0} = {1}(\"{0}\", [{2}])", own, type, m.list_of("\"{0}\""))},
                 {fmt::format("{} = {}({})", m.box, own, m.joined())}},
                m.choices.chance(1, 3) ? m.takes("[{1}]") : m.takes(".{0}")};
  if (m.choices.chance(1, 3)) {
    way.lines.back() = {fmt::format("{} = {}(*[None] * {})", m.box, own, m.count())};
    way.lines.push_back({fmt::format("{0} = {0}._replace({1})", m.box, m.list_of("{0}={0}"))});
  }
  return way;
}

RoundTrip data_class(Maker& m) {
  std::string decorator = m.rewrite.name("dataclass");
  std::string own = m.rewrite.name("Pack");
  RoundTrip way{{{"from dataclasses import dataclass as " + decorator},
                 {fmt::format("@{}{}", decorator, m.choices.chance(1, 3) ? "(frozen=True)" : "")},
                 {fmt::format("class {}:", own)}},
                m.takes(".{0}")};
  for (const auto& field : m.each("{0}: object")) way.lines.push_back({field, 1});
  std::string arguments = m.choices.chance(1, 2) ? m.joined() : m.list_of("{0}={0}");
  way.lines.push_back({fmt::format("{} = {}({})", m.box, own, arguments)});
  return way;
}

/// Attributes of an object.
RoundTrip attributes(Maker& m) {
  std::string own = m.rewrite.name("Holder");
  bool slots = m.choices.chance(1, 4);
  RoundTrip way{{{fmt::format("class {}:", own)},
                 {slots ? fmt::format("__slots__ = ({},)", m.list_of("\"{0}\"")) : "pass", 1},
                 {fmt::format("{} = {}()", m.box, own)}},
                m.takes(".{0}")};
  for (const auto& name : m.names) {
    bool call = m.choices.chance(1, 3);
    way.lines.push_back(
        {call ? fmt::format("setattr({0}, \"{1}\", {1})", m.box, name) : fmt::format("{0}.{1} = {1}", m.box, name)});
  }
  if (m.choices.chance(1, 3)) {
    way.takes.clear();
    for (const auto& name : m.names) way.takes.push_back(fmt::format("getattr({}, \"{}\")", m.box, name));
  }
  return way;
}

/// Attributes of a class, read through an instance, sometimes after an instance attribute that hid them is deleted.
RoundTrip class_attributes(Maker& m) {
  std::string own = m.rewrite.name("Holder");
  RoundTrip way{{{fmt::format("class {}:", own)}, {"pass", 1}}, m.takes(".{0}[0]")};
  way.lines.push_back({fmt::format("{} = {}()", m.box, own)});
  // The value is wrapped in a tuple, since a function would be read back as a bound method.
  for (const auto& name : m.names) way.lines.push_back({fmt::format("{0}.{1} = ({1},)", own, name)});
  if (m.choices.chance(1, 2)) {
    way.lines.push_back({fmt::format("{}.{} = None", m.box, m.names[0])});
    way.lines.push_back({fmt::format("del {}.{}", m.box, m.names[0])});
  }
  return way;
}

RoundTrip constructor(Maker& m) {
  std::string own = m.rewrite.name("Holder");
  RoundTrip way{{{fmt::format("class {}:", own)}, {fmt::format("def __init__(self, {}):", m.list_of("v{1}")), 1}}, {}};
  for (std::size_t i = 0; i < m.count(); ++i) way.lines.push_back({fmt::format("self.v{0} = v{0}", i), 2});
  way.lines.push_back({fmt::format("{} = {}({})", m.box, own, m.joined())});
  way.takes = m.takes(".v{1}");
  if (m.choices.chance(1, 3)) way.takes = m.takes(".__dict__[\"v{1}\"]");
  return way;
}

RoundTrip namespace_object(Maker& m) {
  std::string type = m.rewrite.name("SimpleNamespace");
  RoundTrip way{{{"from types import SimpleNamespace as " + type}}, m.takes(".{0}")};
  if (m.choices.chance(1, 2)) {
    way.lines.push_back({fmt::format("{} = {}({})", m.box, type, m.list_of("{0}={0}"))});
    return way;
  }
  way.lines.push_back({fmt::format("{} = {}()", m.box, type)});
  for (const auto& name : m.names) way.lines.push_back({fmt::format("{0}.{1} = {1}", m.box, name)});
  return way;
}

RoundTrip default_argument(Maker& m) {
  RoundTrip way{{}, {}};
  std::string parameters = m.list_of("v{1}={0}");
  std::string result = m.list_of("v{1}");
  std::string tail = m.count() == 1 ? "," : "";
  if (m.choices.chance(1, 2)) {
    way.lines = {{fmt::format("{} = lambda {}: ({}{})", m.box, parameters, result, tail)}};
  } else {
    way.lines = {{fmt::format("def {}({}):", m.box, parameters)}, {fmt::format("return {}{}", result, tail), 1}};
  }
  way.takes = m.takes("()[{1}]");
  return way;
}

RoundTrip global_name(Maker& m) {
  RoundTrip way{{{"global " + m.box}, {fmt::format("{} = {}", m.box, m.tuple())}}, m.takes("[{1}]"), false};
  way.after = {{"del " + m.box}};
  return way;
}

RoundTrip nested(Maker& m) {
  if (m.choices.chance(1, 2))
    return {{{fmt::format("{} = {{\"all\": [{}]}}", m.box, m.list_of("({0},)"))}}, m.takes("[\"all\"][{1}][0]")};
  return {{{fmt::format("{} = [{}]", m.box, m.list_of("{{\"value\": {0}}}"))}}, m.takes("[{1}][\"value\"]")};
}

RoundTrip ordered(Maker& m) {
  std::string type = m.rewrite.name("OrderedDict");
  Names pairs = m.each("(\"{0}\", {0})");
  RoundTrip way{{{"from collections import OrderedDict as " + type},
                 {fmt::format("{} = {}([{}])", m.box, type, fmt::join(pairs, ", "))}},
                {},
                false};
  way.lines.push_back({fmt::format("{}.move_to_end(\"{}\")", m.box, m.names[0])});
  way.lines.push_back({fmt::format("{}.move_to_end(\"{}\", last=False)", m.box, m.names[0])});
  for (std::size_t i = 0; i < m.count(); ++i) way.takes.push_back(m.box + ".popitem(last=False)[1]");
  return way;
}

RoundTrip default_dict(Maker& m) {
  std::string type = m.rewrite.name("defaultdict");
  RoundTrip way{{{"from collections import defaultdict as " + type}, {fmt::format("{} = {}(list)", m.box, type)}},
                m.takes("[\"all\"][{1}]")};
  for (const auto& name : m.names) way.lines.push_back({fmt::format("{}[\"all\"].append({})", m.box, name)});
  return way;
}

RoundTrip iterated(Maker& m) {
  RoundTrip way{{{fmt::format("{} = iter({})", m.box, m.tuple())}}, {}, false};
  for (std::size_t i = 0; i < m.count(); ++i) way.takes.push_back(fmt::format("next({})", m.box));
  return way;
}

using Make = RoundTrip (*)(Maker&);
constexpr Make kWays[] = {list_literal,     append_pop,       insert_front, extend_delete, slice_assignment,
                          dict_literal,     dict_setdefault,  deque,        named_tuple,   constructor,
                          namespace_object, default_argument, global_name,  nested,        ordered};
/// Round trips that use builtins.
constexpr Make kBuiltin[] = {reversed_list, sorted_pairs,     dict_update,  set_of_ids, data_class,
                             attributes,    class_attributes, default_dict, iterated};

}  // namespace

RoundTrip draw_round_trip(const std::vector<std::string>& names, bool free_builtins, Rewrite& rewrite,
                          Choices& choices) {
  std::vector<Make> ways(std::begin(kWays), std::end(kWays));
  if (free_builtins) ways.insert(ways.end(), std::begin(kBuiltin), std::end(kBuiltin));
  Maker maker{names, rewrite, choices, rewrite.name("c")};
  return choices.pick(ways)(maker);
}

}  // namespace jp::mutate
