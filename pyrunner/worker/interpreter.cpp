#include "pyrunner/worker/interpreter.h"

#include <pybind11/embed.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>

#include "pyrunner/compiler/kept.h"
#include "pyrunner/inductor_variables.h"

namespace py = pybind11;

namespace jp::pyrunner {
namespace {

// Set before torch is imported, which reads them once. One thread everywhere, because a process that ever ran an OpenMP
// region of more than one thread hangs in the next region of its forked children.
void set_environment(const Json& configuration) {
  setenv("OMP_NUM_THREADS", "1", 1);
  setenv("MKL_NUM_THREADS", "1", 1);
  for (const auto& [name, value] : kInductorVariables) setenv(name, value, 1);
  setenv("PYTHONHASHSEED", "0", 1);  // for interpreters that a program starts itself
  // The precompiled header is stored under the current temporary folder; children change theirs later.
  setenv("TMPDIR", configuration.at("cache").get<std::string>().c_str(), 1);
  if (const std::string compiler = configuration.value("compiler", ""); !compiler.empty()) {
    const char* path = std::getenv("PATH");
    setenv("PATH", (compiler + ":" + (path != nullptr ? path : "")).c_str(), 1);
    setenv(kCompilerMode, "keep", 1);
    // Kernels of the warm-up that lie there were compiled when the kept header was there.
    const std::string kernels = configuration.at("cache").get<std::string>() + "/kernels-" + std::string(kKept);
    setenv("TORCHINDUCTOR_CACHE_DIR", kernels.c_str(), 1);
  }
  if (configuration.value("device", "cpu") == "cpu") setenv("CUDA_VISIBLE_DEVICES", "", 1);
}

void check(const PyStatus& status, const char* what) {
  if (PyStatus_Exception(status)) {
    throw std::runtime_error(std::string(what) + ": " + (status.err_msg != nullptr ? status.err_msg : "unknown"));
  }
}

py::module_ import_runtime(const std::string& folder) {
  // Loaded by its path under a name of its own: the folder must not come onto sys.path, where the program under test
  // would see it.
  py::dict scope;
  scope["folder"] = folder;
  // Nearly all that imports make stays: a collection in their midst, a fifth of their time, finds nothing. warm.freeze
  // switches it on again.
  py::exec(R"(
import gc, importlib.util, sys
gc.disable()
spec = importlib.util.spec_from_file_location(
    "jitprobe_runtime", folder + "/runtime/__init__.py", submodule_search_locations=[folder + "/runtime"])
package = importlib.util.module_from_spec(spec)
sys.modules["jitprobe_runtime"] = package
spec.loader.exec_module(package)
)",
           scope);
  return py::module_::import("jitprobe_runtime.serve");
}

}  // namespace

void start_interpreter(const Json& configuration) {
  set_environment(configuration);
  PyPreConfig before;
  PyPreConfig_InitIsolatedConfig(&before);
  before.utf8_mode = 1;
  check(Py_PreInitialize(&before), "python could not be prepared");

  PyConfig config;
  PyConfig_InitIsolatedConfig(&config);
  config.install_signal_handlers = 0;
  config.use_hash_seed = 1;
  config.hash_seed = 0;
  config.write_bytecode = 0;
  std::string executable = configuration.at("executable").get<std::string>();
  check(PyConfig_SetBytesString(&config, &config.executable, executable.c_str()), "executable");
  check(PyConfig_SetBytesString(&config, &config.program_name, executable.c_str()), "program name");
  check(Py_InitializeFromConfig(&config), "python could not start");
  PyConfig_Clear(&config);
  // Python itself ignores them; without Python's handlers we have to.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

Json warm_up(const Json& configuration) {
  py::module_ serve = import_runtime(configuration.at("runtime").get<std::string>());
  return from_python(serve.attr("warm_up")(to_python(configuration)));
}

Json warm_up_compiler(const std::string& parts) {
  return from_python(py::module_::import("jitprobe_runtime.serve").attr("warm_up_compiler")(parts));
}

void enter_child(const std::string& folder, int stack_descriptor, bool as_it_is) {
  py::module_::import("jitprobe_runtime.serve").attr("enter_child")(folder, stack_descriptor, as_it_is);
}

Json handle(const Json& request) {
  py::object answer = py::module_::import("jitprobe_runtime.serve").attr("handle")(to_python(request));
  return from_python(answer);
}

int thread_count() {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.starts_with("Threads:")) return std::atoi(line.c_str() + 8);
  }
  return 0;
}

}  // namespace jp::pyrunner
