// Everything that a run shows, as plain bytes: comparable without Python.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace jp {

/// A tensor at the time it was recorded. One that is recorded twice (as input and as output, in call one and in call
/// two) has an entry for each time.
struct TensorRecord {
  /// Equal numbers: the same Python object, over the whole run.
  std::int64_t identity = 0;
  /// Equal numbers: the same storage, over the whole run.
  std::int64_t storage = 0;
  std::string dtype;   // "float32"
  std::string layout;  // "strided"; others carry no bytes
  std::string device;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  std::int64_t offset = 0;
  std::int64_t version = -1;  // version counter; -1 if torch gives none
  bool requires_grad = false;
  bool is_leaf = true;
  bool has_grad_fn = false;
  bool conj = false;
  bool neg = false;
  /// Elements in row-major order of the logical shape, little-endian, densely packed, conj and neg resolved.
  std::string bytes;
  /// The reason if the bytes could not be read; else "".
  std::string unreadable;
  bool operator==(const TensorRecord&) const = default;
};

/// A Python value of any kind, as a tree.
struct Value {
  enum class Kind : std::uint8_t {
    kNone,
    kBool,
    kInt,
    kFloat,
    kComplex,
    kText,
    kBytes,
    kTensor,
    kSequence,    // list, tuple, deque, named tuple, torch.Size and their subclasses; items in order
    kMapping,     // dict and its subclasses: items in order, labels are reprs of keys
    kSet,         // items sorted by their own rendering
    kObject,      // attributes by name, sorted; dataclasses, SimpleNamespace, modules, user classes
    kIterator,    // items drawn (up to 64), in order
    kReference,   // a container that occurs in this tree already; `index` is its number
    kOpaque,      // something that is compared by type and `text` only (functions, classes, dtypes, devices)
    kUnreadable,  // something that could not be inspected; `text` is the reason
  };
  Kind kind = Kind::kNone;
  /// Exact type: "int", "list", "torch.Size", "program.Point" (classes of the program file are "program.NAME").
  std::string type;
  /// kBool "True"; kInt decimal; kFloat float.hex() or "nan"; kComplex both parts so; kText the text; kBytes the bytes
  /// in hexadecimal; kOpaque a stable description without addresses.
  std::string text;
  /// kTensor: index into Observation::tensors. kReference: preorder number of the first occurrence among the containers
  /// of the same root. kIterator: 1 if it was not exhausted by the draw.
  std::int64_t index = -1;
  std::vector<std::string> labels;  // as many as items for kMapping and kObject; else empty
  std::vector<Value> items;
  bool operator==(const Value&) const = default;
};

/// A frame of a traceback. `file` is "program" for the file under test, "site-packages/…" relative for libraries,
/// "lib/python/…" for the standard library.
struct Frame {
  std::string file;
  std::string function;
  std::int64_t line = 0;
  bool operator==(const Frame&) const = default;
};

struct ExceptionRecord {
  /// Exact type, "builtins.ValueError"; then all its bases in method resolution order.
  std::string type;
  std::vector<std::string> bases;
  std::string message;
  std::vector<Frame> frames;  // innermost first
  /// Which part of the compiler raised it, by the backend's STAGES; "" if the program itself did.
  std::string stage;
  /// True if it, or one in its chain of causes, comes from the compiler while it compiles.
  bool while_compiling = false;
  /// True if the backend file declares this refusal as expected (EXPECTED_REFUSALS).
  bool expected_refusal = false;
  /// Its chain of causes (`__cause__`, `__context__` unless suppressed, or the compiler's inner one), nearest first:
  /// types, with the text of an exception that the compiler's own merely wrap: "builtins.ValueError: no such
  /// dimension".
  std::vector<std::string> causes;
  bool operator==(const ExceptionRecord&) const = default;
};

/// One call of the entry.
struct CallRecord {
  std::optional<ExceptionRecord> exception;           // left the entry
  std::optional<ExceptionRecord> backward_exception;  // left backward
  /// The source line in the program at which the exception left `program` frames (eager dead-code rule); 0 none.
  std::int64_t exception_line = 0;
  /// Whether something may have run backward through the graphs of this call before: the program does so itself, or
  /// arguments or state held what earlier calls had computed.
  bool graphs_used_before = false;
  Value output;
  Value inputs;     // arguments after the call
  Value state;      // data among globals, class attributes and module state, after the call
  Value gradients;  // kMapping: leaf's name -> gradient tensor or None; kNone if there was no backward
  /// kMapping, if the program registers one hook and all leaves got a gradient: "inputs" and "state" after backward.
  /// Else kNone.
  Value after_backward;
  Value late;  // items drawn from iterators among the outputs, and the inputs again; kNone without iterators
  /// Tensors among the arguments and outputs that were written to after the call: "output, tensor 0". In a compiled run
  /// those that share no memory with what the program holds.
  std::vector<std::string> overwritten;
  std::string printed;
  std::vector<std::string> warnings;        // "Category: text", raised by the program's own lines
  std::map<std::string, std::string> mode;  // default dtype, grad mode, autocast, threads, RNG …: after the call
  bool operator==(const CallRecord&) const = default;
};

struct Observation {
  std::vector<TensorRecord> tensors;
  std::vector<CallRecord> calls;
  Value observed;  // what observe() returned; kNone without one
  bool operator==(const Observation&) const = default;
};

}  // namespace jp
