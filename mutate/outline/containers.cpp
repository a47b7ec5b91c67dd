#include "mutate/outline/containers.h"

#include <algorithm>

#include "mutate/rewrite/template.h"

namespace jp::mutate {
namespace {

using Texts = std::vector<std::string>;

/// Texts made of all names, joined by commas: what stands for each of them.
struct PerName {
  std::string_view name;
  std::string_view each;
};
constexpr PerName kPerName[] = {{"all", "$name"},
                                {"keywords", "$name=$name"},
                                {"quoted", "\"$name\""},
                                {"pairs", "\"$name\": $name"},
                                {"entries", "(\"$name\", $name)"},
                                {"keys", "id($name)"},
                                {"tuples", "($name,)"},
                                {"dicts", "{\"value\": $name}"},
                                {"parameters", "v$i"},
                                {"defaults", "v$i=$name"}};

/// What a round trip is made from. $c is the container; $name, $i and $next are a name, its number, and the number
/// after that, and a line that has one of them is repeated for each name; so is one with $mirror, the names from the
/// last to the first.
class Maker {
 public:
  Maker(const Texts& names, Rewrite& rewrite, Choices& choices) : names_(names), text_(rewrite), choices_(choices) {
    for (const PerName& part : kPerName) text_.set(part.name, joined(each(part.each)));
    const Texts mirrored(names.rbegin(), names.rend());
    Texts numbered = each("($i, $name)");
    std::reverse(numbered.begin(), numbered.end());
    text_.set("reversed", joined(mirrored));
    text_.set("numbered_backwards", joined(numbered));
    text_.set("tuple", tuple_text(names));
    text_.set("comma", names.size() == 1 ? "," : "");
    text_.set("count", fmt::format("{}", names.size()));
    text_.set("first", names.front());
    text_.set("last", names.back());
  }

  bool once_in(std::uint64_t in) { return choices_.chance(1, in); }
  std::uint64_t below(std::uint64_t n) { return choices_.below(n); }
  std::size_t count() const { return names_.size(); }

  RoundTrip trip(std::string_view lines, std::string_view take, bool looks = true) {
    RoundTrip way{{}, {}, looks, {}};
    for (std::size_t at = 0; at <= lines.size();) {
      const std::size_t end = std::min(lines.find('\n', at), lines.size());
      const std::string_view line = lines.substr(at, end - at);
      const bool repeated =
          line.find("$name") != line.npos || line.find("$i") != line.npos || line.find("$mirror") != line.npos;
      for (std::size_t i = 0; i < (repeated ? count() : 1); ++i) add_line(way, line, i);
      at = end + 1;
    }
    way.takes = each(take);
    return way;
  }
  /// Adds a line about the name of that number.
  void add_line(RoundTrip& way, std::string_view line, std::size_t number) {
    about(number);
    add(way.lines, text_.lines(line));
  }
  void then(RoundTrip& way, std::string_view lines) { way.after = text_.lines(lines); }

 private:
  void about(std::size_t i) {
    text_.set("name", names_[i]);
    text_.set("mirror", names_[count() - 1 - i]);
    text_.set("i", fmt::format("{}", i));
    text_.set("next", fmt::format("{}", i + 1));
    text_.set("back", fmt::format("{}", count() - i));
  }
  Texts each(std::string_view take) {
    Texts all;
    for (std::size_t i = 0; i < count(); ++i) {
      about(i);
      all.push_back(text_.part(take));
    }
    return all;
  }

  const Texts& names_;
  Template text_;
  Choices& choices_;
};

RoundTrip list_literal(Maker& m) {
  const auto lines = m.once_in(2) ? "$c = [$all]" : "$c = $tuple";
  return m.trip(lines, m.once_in(3) ? "$c[-$back]" : "$c[$i]");
}

RoundTrip append_pop(Maker& m) {
  return m.once_in(2) ? m.trip("$c = []\n$c.append($name)", "$c.pop(0)", false)
                      : m.trip("$c = []\n$c.append($mirror)", "$c.pop()", false);
}

RoundTrip insert_front(Maker& m) {
  RoundTrip way = m.trip("$c = [$last]", "$c[$i]");
  for (std::size_t i = m.count() - 1; i-- > 0;) m.add_line(way, "$c.insert(0, $name)", i);
  return way;
}

RoundTrip extend_delete(Maker& m) { return m.trip("$c = [None]\n$c.extend($tuple)\ndel $c[0]", "$c[$i]"); }

RoundTrip slice_assignment(Maker& m) {
  return m.once_in(2) ? m.trip("$c = [None, None]\n$c[1:1] = [$all]", "$c[$next]")
                      : m.trip("$c = [None] * $count\n$c[:] = [$all]", "$c[$i]");
}

RoundTrip reversed_list(Maker& m) {
  return m.trip(m.once_in(2) ? "$c = [$reversed]\n$c.reverse()" : "$c = list(reversed([$reversed]))", "$c[$i]");
}

RoundTrip sorted_pairs(Maker& m) {
  return m.trip(m.once_in(2) ? "$c = [$numbered_backwards]\n$c.sort(key=lambda pair: pair[0])"
                             : "$c = sorted([$numbered_backwards], key=lambda pair: pair[0])",
                "$c[$i][1]");
}

RoundTrip dict_literal(Maker& m) {
  const bool get = m.once_in(3);
  const bool pop = m.once_in(4);
  return m.trip("$c = {$pairs}", pop ? "$c.pop(\"$name\")" : get ? "$c.get(\"$name\")" : "$c[\"$name\"]", !pop);
}

RoundTrip dict_setdefault(Maker& m) {
  RoundTrip way = m.trip("$c = {}", "$c[\"$name\"]");
  for (std::size_t i = 0; i < m.count(); ++i) {
    m.add_line(way, "$c.setdefault(\"$name\", $name)", i);
    if (m.once_in(2)) m.add_line(way, "$c.setdefault(\"$name\", None)", i);
  }
  return way;
}

RoundTrip dict_update(Maker& m) {
  constexpr std::string_view kLines[] = {"$c = {\"$first\": None}\n$c.update($keywords)",
                                         "$c = {\"$first\": None}\n$c |= {$pairs}",
                                         "$c = dict(zip([$quoted], $tuple))"};
  return m.trip(kLines[m.below(3)], "$c[\"$name\"]");
}

/// The values are selected by their id() from a set of ids.
RoundTrip set_of_ids(Maker& m) {
  if (m.once_in(2)) return m.trip("$s = {$keys}", "($name if id($name) in $s else None)");
  return m.trip("$s = {$keys}\n$c = {id(value): value for value in $tuple if id(value) in $s}", "$c[id($name)]");
}

RoundTrip deque(Maker& m) {
  if (m.once_in(2)) return m.trip("$c = $collections:deque($tuple)", "$c.popleft()", false);
  return m.trip(m.once_in(2) ? "$c = $collections:deque()\n$c.appendleft($name)\n$c.rotate(1)\n$c.rotate(-1)"
                             : "$c = $collections:deque()\n$c.appendleft($name)",
                "$c.pop()", false);
}

RoundTrip named_tuple(Maker& m) {
  const auto take = m.once_in(3) ? "$c[$i]" : "$c.$name";
  const std::string type = "$Pack = $collections:namedtuple(\"$Pack\", [$quoted])\n";
  return m.trip(
      type + (m.once_in(3) ? "$c = $Pack(*[None] * $count)\n$c = $c._replace($keywords)" : "$c = $Pack($all)"), take);
}

RoundTrip data_class(Maker& m) {
  const std::string type = m.once_in(3) ? "@$dataclasses:dataclass(frozen=True)\n" : "@$dataclasses:dataclass\n";
  return m.trip(
      type + "class $Pack:\n\t$name: object\n" + (m.once_in(2) ? "$c = $Pack($all)" : "$c = $Pack($keywords)"),
      "$c.$name");
}

/// Attributes of an object.
RoundTrip attributes(Maker& m) {
  RoundTrip way = m.trip(m.once_in(4) ? "class $Holder:\n\t__slots__ = ($quoted,)\n$c = $Holder()"
                                      : "class $Holder:\n\tpass\n$c = $Holder()",
                         "$c.$name");
  for (std::size_t i = 0; i < m.count(); ++i)
    m.add_line(way, m.once_in(3) ? "setattr($c, \"$name\", $name)" : "$c.$name = $name", i);
  if (m.once_in(3)) way.takes = m.trip("", "getattr($c, \"$name\")").takes;
  return way;
}

/// Attributes of a class, read through an instance, sometimes after an instance attribute that hid them is deleted. The
/// value is wrapped in a tuple, since a function would be read back as a bound method.
RoundTrip class_attributes(Maker& m) {
  const std::string lines = "class $Holder:\n\tpass\n$c = $Holder()\n$Holder.$name = ($name,)";
  return m.trip(m.once_in(2) ? lines + "\n$c.$first = None\ndel $c.$first" : lines, "$c.$name[0]");
}

RoundTrip constructor(Maker& m) {
  return m.trip("class $Holder:\n\tdef __init__(self, $parameters):\n\t\tself.v$i = v$i\n$c = $Holder($all)",
                m.once_in(3) ? "$c.__dict__[\"v$i\"]" : "$c.v$i");
}

RoundTrip namespace_object(Maker& m) {
  return m.trip(
      m.once_in(2) ? "$c = $types:SimpleNamespace($keywords)" : "$c = $types:SimpleNamespace()\n$c.$name = $name",
      "$c.$name");
}

RoundTrip default_argument(Maker& m) {
  return m.trip(
      m.once_in(2) ? "$c = lambda $defaults: ($parameters$comma)" : "def $c($defaults):\n\treturn $parameters$comma",
      "$c()[$i]");
}

RoundTrip global_name(Maker& m) {
  RoundTrip way = m.trip("global $c\n$c = $tuple", "$c[$i]", false);
  m.then(way, "del $c");
  return way;
}

RoundTrip nested(Maker& m) {
  return m.once_in(2) ? m.trip("$c = {\"all\": [$tuples]}", "$c[\"all\"][$i][0]")
                      : m.trip("$c = [$dicts]", "$c[$i][\"value\"]");
}

RoundTrip ordered(Maker& m) {
  return m.trip(
      "$c = $collections:OrderedDict([$entries])\n$c.move_to_end(\"$first\")\n"
      "$c.move_to_end(\"$first\", last=False)",
      "$c.popitem(last=False)[1]", false);
}

RoundTrip default_dict(Maker& m) {
  return m.trip("$c = $collections:defaultdict(list)\n$c[\"all\"].append($name)", "$c[\"all\"][$i]");
}

RoundTrip iterated(Maker& m) { return m.trip("$c = iter($tuple)", "next($c)", false); }

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
  Maker maker(names, rewrite, choices);
  return choices.pick(ways)(maker);
}

}  // namespace jp::mutate
