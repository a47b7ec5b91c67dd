#include "codec/graph.h"

#include <fmt/format.h>

#include <utility>

#include "codec/fields.h"

namespace jp::codec {

template <>
struct EnumNames<Layout> {
  static constexpr std::size_t kCount = 5;
  static std::string_view name(Layout value) {
    static constexpr std::array<std::string_view, kCount> kNames = {"contiguous", "transposed", "channels_last",
                                                                    "stepped", "expanded"};
    return kNames[static_cast<std::size_t>(value)];
  }
};

namespace {

Json ints_json(const Ints& ints) { return Json(std::vector<std::int64_t>(ints.begin(), ints.end())); }

Ints read_ints(const Json& json) {
  std::vector<std::int64_t> items;
  read_into(json, items);
  if (items.size() > static_cast<std::size_t>(Ints::kCapacity))
    throw Misfit{fmt::format("at most {} integers were expected", Ints::kCapacity)};
  Ints ints;
  for (std::int64_t item : items) ints.push_back(item);
  return ints;
}

const Json& member(const Json& json, const char* key) {
  if (!json.is_object() || !json.contains(key)) throw Misfit{fmt::format("{} is missing", key)};
  return json.at(key);
}

Json interval_json(Interval interval) { return {write(interval.low), write(interval.high)}; }

Interval read_interval(const Json& json) {
  if (!json.is_array() || json.size() != 2) throw Misfit{"interval: two numbers were expected"};
  return {read_double(json[0]), read_double(json[1])};
}

// Reads list[i] with `reader`; an element that doesn't fit is named by its index.
template <typename F>
void read_each(const Json& json, const char* key, F&& reader) {
  const Json& list = member(json, key);
  if (!list.is_array()) throw Misfit{fmt::format("{}: a list was expected", key)};
  for (std::size_t i = 0; i < list.size(); ++i) {
    try {
      reader(list[i]);
    } catch (const Misfit& misfit) {
      throw Misfit{fmt::format("{} {}: {}", key, i, misfit.message)};
    }
  }
}

}  // namespace

// The members whose types have a codec already; the others are written by hand below.
template <typename Archive>
void fields(Archive& archive, GraphValue& value) {
  archive("dtype", value.dtype);
  archive("storage", value.storage);
  archive("input", value.input);
  archive("requires_grad", value.requires_grad);
  archive("exact", value.exact);
  archive("overlaps_itself", value.overlaps_itself);
  archive("lazy", value.lazy);
}
template <typename Archive>
void fields(Archive& archive, Input& input) {
  archive("value", input.value);
  archive("layout", input.layout);
  archive("requires_grad", input.requires_grad);
  archive("base", input.base);
  archive("text", input.text);
}
template <typename Archive>
void fields(Archive& archive, Call& call) {
  archive("outputs", call.outputs);
  archive("written", call.written);
  archive("out", call.out);
}

namespace {

Json value_json(const GraphValue& value) {
  Json json = write(value);
  json["dtype"] = dtype_name(value.dtype);
  json["shape"] = ints_json(value.shape);
  json["interval"] = interval_json(value.interval);
  if (value.strides_known) json["strides"] = ints_json(value.strides);
  return json;
}

GraphValue read_value(const Json& json, int id) {
  GraphValue value;
  read_into(json, value);
  value.id = id;
  value.shape = read_ints(member(json, "shape"));
  value.interval = read_interval(member(json, "interval"));
  value.strides_known = json.contains("strides");
  if (value.strides_known) value.strides = read_ints(json.at("strides"));
  return value;
}

Json input_json(const Input& input) {
  Json json = write(input);
  json["interval"] = interval_json(input.interval);
  if (!input.view.empty()) json["view"] = input.view;
  return json;
}

Input read_input(const Json& json, Texts& texts) {
  Input input;
  read_into(json, input);
  input.interval = read_interval(member(json, "interval"));
  std::string view;
  Reader reader(json);
  reader("view", view);
  input.view = texts.keep(std::move(view));
  return input;
}

struct ArgumentJson {
  Json operator()(Ref ref) const { return {{"value", ref.value}}; }
  Json operator()(const std::vector<Ref>& refs) const {
    Json ids = Json::array();
    for (Ref ref : refs) ids.push_back(ref.value);
    return {{"values", std::move(ids)}};
  }
  Json operator()(bool flag) const { return flag; }
  Json operator()(std::int64_t number) const { return number; }
  Json operator()(double number) const { return {{"float", write(number)}}; }
  Json operator()(const Ints& ints) const { return ints_json(ints); }
  Json operator()(Dtype dtype) const { return {{"dtype", dtype_name(dtype)}}; }
  Json operator()(const std::string& text) const { return text; }
};

std::vector<Ref> read_refs(const Json& json) {
  std::vector<int> ids;
  read_into(json, ids);
  std::vector<Ref> refs;
  refs.reserve(ids.size());
  for (int id : ids) refs.push_back({id});
  return refs;
}

Argument read_argument(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_string()) return json.get<std::string>();
  if (json.is_array()) return read_ints(json);
  if (json.is_object() && json.contains("value")) {
    Ref ref;
    read_into(json.at("value"), ref.value);
    return ref;
  }
  if (json.is_object() && json.contains("values")) return read_refs(json.at("values"));
  if (json.is_object() && json.contains("float")) return read_double(json.at("float"));
  if (json.is_object() && json.contains("dtype")) return read_enum<Dtype>(json.at("dtype"));
  throw Misfit{"an argument was expected"};
}

Json call_json(const Call& call) {
  Json json = write(call);
  json["op"] = call.op;
  json["outputs"] = call.outputs;
  json["forms"] = Json::array();
  for (std::string_view form : call.forms) json["forms"].push_back(form);
  if (!call.infix.empty()) json["infix"] = call.infix;
  json["arguments"] = Json::array();
  for (const Argument& argument : call.arguments) json["arguments"].push_back(std::visit(ArgumentJson{}, argument));
  return json;
}

Call read_call(const Json& json, Texts& texts) {
  Call call;
  read_into(json, call);
  std::string op, infix;
  std::vector<std::string> forms;
  Reader reader(json);
  reader("op", op);
  reader("infix", infix);
  reader("forms", forms);
  std::vector<std::string_view> kept;
  for (std::string& form : forms) kept.push_back(texts.keep(std::move(form)));
  call.op = texts.keep(std::move(op));
  call.infix = texts.keep(std::move(infix));
  call.forms = texts.keep(std::move(kept));
  read_each(json, "arguments", [&](const Json& argument) { call.add(read_argument(argument)); });
  return call;
}

StoredGraph read_stored(const Json& json) {
  StoredGraph stored;
  auto texts = std::make_shared<Texts>();
  Reader reader(json);
  reader("seed", stored.seed);
  reader("generator_version", stored.generator_version);
  Graph& graph = stored.graph;
  read_each(json, "values", [&](const Json& value) {
    graph.values.push_back(read_value(value, static_cast<int>(graph.values.size())));
  });
  read_each(json, "inputs", [&](const Json& input) { graph.inputs.push_back(read_input(input, *texts)); });
  read_each(json, "calls", [&](const Json& call) { graph.calls.push_back(read_call(call, *texts)); });
  stored.texts = std::move(texts);
  return stored;
}

}  // namespace

Json to_json(const StoredGraph& stored) {
  Json json = {{"graph_version", kGraphVersion},
               {"generator_version", stored.generator_version},
               {"seed", stored.seed},
               {"values", Json::array()},
               {"inputs", Json::array()},
               {"calls", Json::array()}};
  for (const GraphValue& value : stored.graph.values) json["values"].push_back(value_json(value));
  for (const Input& input : stored.graph.inputs) json["inputs"].push_back(input_json(input));
  for (const Call& call : stored.graph.calls) json["calls"].push_back(call_json(call));
  return json;
}

Result<StoredGraph> read_graph(const Json& json) {
  if (!json.is_object() || !json.contains("graph_version") || !json["graph_version"].is_number_integer())
    return Error{"this is no graph of jitprobe's: it has no graph_version"};
  const auto version = json["graph_version"].get<std::int64_t>();
  if (version < 1 || version > kGraphVersion)
    return Error{fmt::format("the graph is of version {}, and versions 1 to {} can be read: use a newer jitprobe",
                             version, kGraphVersion)};
  try {
    return read_stored(json);
  } catch (const Misfit& misfit) {
    return Error{"this is no graph of jitprobe's: " + misfit.message};
  } catch (const Json::exception& error) {
    return Error{fmt::format("this is no graph of jitprobe's: {}", error.what())};
  }
}

}  // namespace jp::codec
