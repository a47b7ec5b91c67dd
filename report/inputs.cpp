#include "report/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "core/tensor_type.h"
#include "report/expression.h"

namespace jp::report {
namespace {

constexpr const char* kLooker = "look_at_arguments";

std::size_t count_of(const TensorRecord& record) { return static_cast<std::size_t>(element_count(record.shape)); }

bool is_dense(const TensorRecord& record) { return is_row_major(record.shape, record.strides); }

// The position in its storage of each element, in row-major order.
std::vector<std::int64_t> places(const TensorRecord& record) {
  std::vector<std::int64_t> all = {record.offset};
  for (std::size_t axis = 0; axis < record.shape.size(); ++axis) {
    std::vector<std::int64_t> next;
    for (std::int64_t place : all)
      for (std::int64_t i = 0; i < record.shape[axis]; ++i) next.push_back(place + i * record.strides[axis]);
    all = std::move(next);
  }
  return all;
}

bool can_be_written(const TensorRecord& record) {
  return parse_dtype(record.dtype) && record.layout == "strided" && record.device == "cpu" &&
         record.unreadable.empty() && record.is_leaf && !record.has_grad_fn && !record.conj && !record.neg &&
         count_of(record) <= kMostElements;
}

void add_grad(Expression& expression) {
  if (expression.tail == ")")
    expression.items.push_back({"requires_grad=True", {}, ""});
  else
    (expression.items.empty() ? expression.head : expression.tail) += ".requires_grad_()";
}

class Writer {
 public:
  explicit Writer(const Observation& arguments) : arguments_(arguments) {}

  std::optional<std::string> definition(const std::string& name) {
    if (arguments_.calls.empty() || !all_fit()) return std::nullopt;
    for (const TensorRecord& record : arguments_.tensors) first_.try_emplace(record.identity, &record);
    for (const auto& [identity, record] : first_) groups_[record->storage].push_back(record);
    std::vector<Expression> calls;
    for (const CallRecord& call : arguments_.calls) {
      if (call.exception) return std::nullopt;
      std::optional<Expression> one = expression(call.inputs);
      if (!one) return std::nullopt;
      calls.push_back(std::move(*one));
    }
    const Expression all = calls.size() == 1 ? calls[0] : list(std::move(calls));
    return fmt::format("def {}():\n{}    return {}\n", name, statements_, layout(all, 4, 11));
  }

 private:
  bool all_fit() const { return std::all_of(arguments_.tensors.begin(), arguments_.tensors.end(), can_be_written); }

  std::size_t mentions(std::int64_t identity) const {
    std::size_t times = 0;
    for (const CallRecord& call : arguments_.calls) times += mentions_in(call.inputs, identity);
    return times;
  }
  std::size_t mentions_in(const Value& value, std::int64_t identity) const {
    if (value.kind == Value::Kind::kTensor && value.index >= 0) return record_of(value).identity == identity ? 1 : 0;
    std::size_t times = 0;
    for (const Value& item : value.items) times += mentions_in(item, identity);
    return times;
  }

  const TensorRecord& record_of(const Value& value) const {
    return arguments_.tensors[static_cast<std::size_t>(value.index)];
  }

  // As value_expression, but tensors may be names.
  std::optional<Expression> expression(const Value& value) {
    if (value.kind == Value::Kind::kTensor)
      return value.index < 0 || value.type != "torch.Tensor" ? std::nullopt : tensor(record_of(value));
    if (value.items.empty()) return value_expression(value, arguments_.tensors);
    Value shell = value;
    for (Value& item : shell.items) item = Value{};
    std::optional<Expression> whole = value_expression(shell, {});
    if (!whole) return std::nullopt;
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      std::optional<Expression> item = expression(value.items[i]);
      if (!item) return std::nullopt;
      if (!value.labels.empty()) item->head = value.labels[i] + ": " + item->head;
      whole->items[i] = std::move(*item);
    }
    return whole;
  }

  std::optional<Expression> tensor(const TensorRecord& record) {
    if (auto name = names_.find(record.identity); name != names_.end()) return Expression{name->second, {}, ""};
    const bool shared = groups_[record.storage].size() > 1;
    std::optional<Expression> made =
        shared || !is_dense(record) || record.offset != 0 ? view(record) : tensor_expression(record);
    if (!made) return std::nullopt;
    if (record.requires_grad) add_grad(*made);
    if (mentions(record.identity) < 2) return made;
    const std::string name = fmt::format("shared{}", names_.empty() ? "" : fmt::format("{}", names_.size() + 1));
    statements_ += fmt::format("    {} = {}\n", name, layout(*made, 4, 7 + name.size()));
    names_[record.identity] = name;
    return Expression{name, {}, ""};
  }

  // A tensor through its storage, which gets a name if several tensors share it.
  std::optional<Expression> view(const TensorRecord& record) {
    auto base = bases_.find(record.storage);
    if (base == bases_.end()) {
      std::optional<TensorRecord> storage = storage_of(groups_[record.storage]);
      if (!storage) return std::nullopt;
      std::optional<Expression> made = tensor_expression(*storage);
      if (!made) return std::nullopt;
      if (groups_[record.storage].size() < 2) return seen_as(std::move(*made), record, count_of(*storage));
      const std::string name = fmt::format("base{}", bases_.empty() ? "" : fmt::format("{}", bases_.size() + 1));
      statements_ += fmt::format("    {} = {}\n", name, layout(*made, 4, 7 + name.size()));
      base = bases_.emplace(record.storage, Base{name, count_of(*storage)}).first;
    }
    return seen_as({base->second.name, {}, ""}, record, base->second.count);
  }

  static Expression seen_as(Expression base, const TensorRecord& record, std::size_t count) {
    const auto sizes = [](const std::vector<std::int64_t>& numbers) {
      return fmt::format("({}{})", fmt::join(numbers, ", "), numbers.size() == 1 ? "," : "");
    };
    std::string& end = base.items.empty() ? base.head : base.tail;
    if (is_dense(record) && record.offset == 0 && count_of(record) == count)
      end +=
          fmt::format(".view{}", record.shape.size() == 1 ? fmt::format("({})", record.shape[0]) : sizes(record.shape));
    else if (is_dense(record) && record.shape.size() == 1)
      end += fmt::format("[{}:{}]", record.offset, record.offset + record.shape[0]);
    else if (record.offset == 0)
      end += fmt::format(".as_strided({}, {})", sizes(record.shape), sizes(record.strides));
    else
      end += fmt::format(".as_strided({}, {}, {})", sizes(record.shape), sizes(record.strides), record.offset);
    return base;
  }

  // Everything that the tensors of one storage show of it; positions that none shows are 0.
  static std::optional<TensorRecord> storage_of(const std::vector<const TensorRecord*>& group) {
    TensorRecord storage;
    storage.layout = "strided";
    storage.dtype = group.front()->dtype;
    const auto size = static_cast<std::size_t>(dtype_size(*parse_dtype(storage.dtype)));
    for (const TensorRecord* record : group) {
      if (record->dtype != storage.dtype) return std::nullopt;
      std::size_t at = 0;
      for (std::int64_t place : places(*record)) {
        const std::size_t begin = static_cast<std::size_t>(place) * size;
        if (begin + size > kMostElements * size) return std::nullopt;
        if (storage.bytes.size() < begin + size) storage.bytes.resize(begin + size);
        storage.bytes.replace(begin, size, record->bytes, size * at++, size);
      }
    }
    storage.shape = {static_cast<std::int64_t>(storage.bytes.size() / size)};
    storage.strides = {1};
    return storage;
  }

  struct Base {
    std::string name;
    std::size_t count = 0;
  };
  const Observation& arguments_;
  std::string statements_;
  std::map<std::int64_t, const TensorRecord*> first_;                // by identity
  std::map<std::int64_t, std::vector<const TensorRecord*>> groups_;  // by storage
  std::map<std::int64_t, Base> bases_;                               // by storage
  std::map<std::int64_t, std::string> names_;                        // by identity
};

std::optional<Program> made(const Program& like, std::string source, const std::string& entry) {
  Result<Program> program = Program::make(std::move(source), like.lineage(), like.path(), entry, like.inputs());
  if (!program.ok()) return std::nullopt;
  return program.value();
}

}  // namespace

std::optional<Program> arguments_only(const Program& program) {
  return made(program, program.source() + fmt::format("\n\ndef {}(*arguments):\n    return None\n", kLooker), kLooker);
}

std::optional<std::string> written_inputs(const Observation& arguments, const std::string& name) {
  return Writer(arguments).definition(name);
}

std::optional<Program> with_inputs(const Program& program, const std::string& definition) {
  const Lines old = top_definition(program.source(), program.inputs());
  if (old.begin == std::string::npos) return std::nullopt;
  std::string source = program.source();
  source.replace(old.begin, old.end - old.begin, definition);
  return made(program, std::move(source), program.entry());
}

Lines top_definition(std::string_view source, std::string_view name) {
  const std::string head = fmt::format("def {}(", name);
  std::size_t begin = source.starts_with(head) ? 0 : source.find("\n" + head);
  if (begin == std::string_view::npos) return {};
  if (begin > 0) ++begin;
  // The body: lines that are indented or empty; empty lines after it stay.
  std::size_t end = source.find('\n', begin);
  end = end == std::string_view::npos ? source.size() : end + 1;
  for (std::size_t at = end; at < source.size();) {
    std::size_t next = source.find('\n', at);
    next = next == std::string_view::npos ? source.size() : next + 1;
    if (source[at] != '\n' && source[at] != ' ' && source[at] != '\t') break;
    if (source[at] != '\n') end = next;
    at = next;
  }
  return {begin, end};
}

}  // namespace jp::report
