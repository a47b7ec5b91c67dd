#include "report/reproducer_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <regex>
#include <vector>

#include "core/files.h"
#include "core/ladder.h"
#include "core/utf8.h"

namespace jp::report {
namespace {

constexpr std::string_view kPackage = "jitprobe_runtime";
// The name of the package in an exported file.
constexpr std::string_view kPartsName = "backend_parts";

bool is_file(const std::string& backend) { return backend.starts_with("file:"); }
bool is_registered(const std::string& backend) { return backend.starts_with("torch:"); }
bool is_callable(const std::string& backend) {
  return !is_file(backend) && !is_registered(backend) && backend.find(':') != std::string::npos;
}
bool is_built_in(const std::string& backend) { return backend.find(':') == std::string::npos; }

bool brings_text(const RunRequest& run) {
  if (is_file(run.backend)) return true;
  return is_built_in(run.backend) && (!run.switches.empty() || !rung_of(run.backend));
}

std::string text_of(const std::string& path) {
  Result<std::string> text = read_file(path);
  return text.ok() && invalid_utf8_at(text.value()) == std::string::npos ? text.value() : "";
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

struct Part {
  std::string name;  // "compilers.dynamo"
  std::string text;
};

// The runtime's modules that a text imports, their own imports first.
class Parts {
 public:
  explicit Parts(std::string folder) : folder_(std::move(folder)) {}

  // `package`: of the module whose text it is, "compilers"; "" for a backend's own file.
  void of(const std::string& text, const std::string& package) {
    static const std::regex kFrom(R"(from\s+(jitprobe_runtime)?([\w.]*)\s+import\s+([\w, ]+))");
    static const std::regex kImport(R"(import\s+jitprobe_runtime\.([\w.]+))");
    for (std::sregex_iterator at(text.begin(), text.end(), kFrom), end; at != end; ++at)
      if (const auto from = module_of((*at)[1].matched, (*at)[2].str(), package)) imported(*from, (*at)[3].str());
    for (std::sregex_iterator at(text.begin(), text.end(), kImport), end; at != end; ++at) add((*at)[1].str());
  }
  const std::vector<Part>& all() const { return parts_; }

 private:
  // The name below the runtime's package of what "from NAME import …" names: `name` begins with a dot when it is
  // relative. Nothing for other packages.
  static std::optional<std::string> module_of(bool absolute, std::string name, std::string package) {
    if (!absolute && !name.starts_with('.')) return std::nullopt;
    if (absolute) package.clear();
    std::size_t dots = std::min(name.find_first_not_of('.'), name.size());
    name.erase(0, dots);
    for (; dots > 1; --dots) package.erase(package.find('.') == std::string::npos ? 0 : package.rfind('.'));
    return package.empty() || name.empty() ? package + name : package + "." + name;
  }

  // A module, or a package with the names of its modules.
  void imported(const std::string& from, const std::string& names) {
    if (add(from)) return;
    static const std::regex kWord(R"(\w+)");
    for (std::sregex_iterator word(names.begin(), names.end(), kWord), end; word != end; ++word)
      add(from.empty() ? word->str() : from + "." + word->str());
  }

  // False when there is no such module.
  bool add(const std::string& name) {
    if (std::any_of(parts_.begin(), parts_.end(), [&](const Part& part) { return part.name == name; })) return true;
    std::string path = name;
    std::replace(path.begin(), path.end(), '.', '/');
    std::string text = name.empty() ? "" : text_of(folder_ + "/" + path + ".py");
    if (text.empty()) return false;
    const std::size_t dot = name.rfind('.');
    of(text, dot == std::string::npos ? "" : name.substr(0, dot));
    replace_all(text, kPackage, kPartsName);
    parts_.push_back({name, std::move(text)});
    return true;
  }

  std::string folder_;
  std::vector<Part> parts_;
};

std::string parts_text(const std::vector<Part>& parts) {
  if (parts.empty()) return "";
  std::string text = "\n    # What the backend uses, each part before those that import it.\n    PARTS = {}\n";
  for (const Part& part : parts) text += fmt::format("    PARTS[\"{}\"] = {}\n", part.name, python_literal(part.text));
  return text + fmt::format(R"(
    def part(name):
        if name not in sys.modules:
            made = sys.modules[name] = types.ModuleType(name)
            made.__path__ = []
            package, _, last = name.rpartition(".")
            made.__package__ = package
            if package:
                setattr(part(package), last, made)
        return sys.modules[name]

    for name, part_text in PARTS.items():
        exec(compile(part_text, name + ".py", "exec"), vars(part("{0}." + name)))
)",
                            kPartsName);
}

// Defines `backend`, the module.
std::string file_text(const RunRequest& run, const ReproducerOptions& options) {
  const std::string path = is_file(run.backend) ? run.backend.substr(5)
                                                : fmt::format("{}/backends/{}.py", options.python_folder, run.backend);
  std::string source = is_file(run.backend) && !options.backend_source.empty() ? options.backend_source : text_of(path);
  if (source.empty())
    return fmt::format(
        "\n    spec = importlib.util.spec_from_file_location(\"backend\", {})\n"
        "    backend = importlib.util.module_from_spec(spec)\n    spec.loader.exec_module(backend)\n",
        python_literal(path));
  Parts parts(options.python_folder + "/runtime");
  parts.of(source, "");
  if (!parts.all().empty()) replace_all(source, kPackage, kPartsName);
  return parts_text(parts.all()) + "\n    # The backend under test.\n    BACKEND = " + python_literal(source) +
         "\n    backend = types.ModuleType(\"backend\")\n    exec(compile(BACKEND, \"backend.py\", \"exec\"), "
         "vars(backend))\n";
}

std::string callable_text(const std::string& name) {
  const std::size_t colon = name.find(':');
  std::string text = fmt::format(
      "\n    import inspect\n\n    sys.path.insert(0, os.getcwd())\n    found = importlib.import_module({})\n",
      python_literal(name.substr(0, colon)));
  text += fmt::format("    for part in {}.split(\".\"):\n        found = getattr(found, part)\n",
                      python_literal(name.substr(colon + 1)));
  return text + R"(
    def backend(fn, **options):
        kinds = [parameter.kind for parameter in inspect.signature(found).parameters.values()]
        return found(fn, **(options if inspect.Parameter.VAR_KEYWORD in kinds else {}))
)";
}

// Whether the program may have options of its own; whether it has them is asked when the file runs.
bool has_options(const Program& program) { return program.source().find("COMPILE_OPTIONS") != std::string::npos; }
constexpr std::string_view kOwnOptions = "getattr(module, \"COMPILE_OPTIONS\", {})";

// ", **getattr(module, "COMPILE_OPTIONS", {})" and the like.
std::string keywords(const Program& program, const RunRequest& run) {
  std::string own;
  for (const auto& [key, literal] : run.options)
    own += fmt::format("{}\"{}\": {}", own.empty() ? "" : ", ", key, literal);
  if (has_options(program))
    return own.empty() ? fmt::format(", **{}", kOwnOptions) : fmt::format(", **({} | {{{}}})", kOwnOptions, own);
  std::string text;
  for (const auto& [key, literal] : run.options) text += fmt::format(", {}={}", key, literal);
  return text;
}

// `compiled` if switches are set: dicts are merged into the options, functions change how it is compiled.
std::string switched_text(const Program& program, const RunRequest& run) {
  std::string names;
  for (const std::string& name : run.switches) names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", name);
  std::string options = has_options(program) ? fmt::format("dict({})", kOwnOptions) : "{}";
  for (const auto& [key, literal] : run.options) options += fmt::format(" | {{\"{}\": {}}}", key, literal);
  return fmt::format(R"(
    def merged(options, more):
        result = dict(options)
        for key, value in more.items():
            old = result.get(key)
            if isinstance(value, dict) and isinstance(old, dict):
                result[key] = merged(old, value)
            else:
                result[key] = old + value if isinstance(value, list) and isinstance(old, list) else value
        return result

    def compiled(module):
        compile_it, options = backend.compile, {}
        for name in [{}]:
            switch = backend.SWITCHES[name]
            if callable(switch):
                compile_it = switch(compile_it)
            else:
                options = merged(options, switch)
        return compile_it(module.{}, **options)
)",
                     options, names, program.entry());
}

}  // namespace

bool backend_needs_types(const RunRequest& run) { return brings_text(run); }

std::string reproducer_backend(const Program& program, const RunRequest& run, const ReproducerOptions& options) {
  std::string text = brings_text(run) ? file_text(run, options) : "";
  if (!run.switches.empty()) return text + switched_text(program, run);
  std::string call = fmt::format("torch.compile(module.{}, backend=\"{}\"", program.entry(),
                                 is_registered(run.backend) ? run.backend.substr(6) : run.backend);
  if (brings_text(run)) {
    call = "backend.compile(module." + program.entry();
  } else if (is_callable(run.backend)) {
    text += callable_text(run.backend);
    call = "backend(module." + program.entry();
  }
  return text + "\n    def compiled(module):\n        return " + call + keywords(program, run) + ")\n";
}

}  // namespace jp::report
