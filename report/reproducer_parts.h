// The pieces of Python that a reproducer is made of. All belong under `if __name__ == "__main__":`, hence the
// indentation.
#pragma once

namespace jp::report::parts {

/// Comes before the program: an import that fails there must not look like a finding.
inline constexpr const char* kPrelude =
    R"(if __name__ == "__main__":  # what fails before the check can't be judged: exit 2
    import os
    import sys

    sys.excepthook = lambda *error: (sys.__excepthook__(*error), sys.stderr.flush(), os._exit(2))

)";

/// Comes before the program if a difference depends on addresses: restarts the file with fixed addresses.
inline constexpr const char* kFixedAddresses = R"(if __name__ == "__main__" and "FIXED_ADDRESSES" not in os.environ:
    # The difference depends on where things lie in memory: once more, without randomisation (Linux's ADDR_NO_RANDOMIZE).
    import ctypes

    ctypes.CDLL(None).personality(0x0040000)
    fixed = {"FIXED_ADDRESSES": "1", "PYTHONHASHSEED": "0"}
    os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | fixed)

)";

/// Fills fresh memory, if a difference depends on its contents; BYTE is defined before it.
inline constexpr const char* kFillMemory = R"(
    def fill_memory(byte):
        """From now on every byte of fresh memory is this one (glibc's M_PERTURB takes the complement)."""
        import ctypes

        ctypes.CDLL(None).mallopt(-6, ~byte & 0xFF)

    fill_memory(BYTE)
)";

/// A fresh module for each run.
inline constexpr const char* kLoad = R"(
    def load():
        """This file as a new module: nothing that one run leaves in its globals reaches the next."""
        spec = importlib.util.spec_from_file_location("case", os.path.abspath(__file__))
        module = importlib.util.module_from_spec(spec)
        sys.modules["case"] = module
        spec.loader.exec_module(module)
        return module
)";

/// What stands for a result that is an exception.
inline constexpr const char* kRaised = R"(
    class Raised(str):
        """An exception in place of a result; the text is only shown."""

    def attempt(step):
        try:
            return step()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return Raised(f"{type(error).__name__}: {error}"[:500])
)";

/// The same where the difference is how a program is refused that eager refuses, too; by the rules of rejects_alike.
inline constexpr const char* kRefused = R"(
    class Raised(str):
        """An exception in place of a result; the text is only shown."""

        def __new__(cls, error):
            raised = super().__new__(cls, f"{type(error).__name__}: {error}"[:500])
            raised.error = error
            return raised

    def attempt(step):
        try:
            return step()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return Raised(error)

    def behind(error):
        """An exception, and those that it was raised from or that it wraps."""
        found = []
        while error is not None and all(error is not one for one in found):
            found.append(error)
            context = error.__context__
            if error.__suppress_context__ and str(context) not in str(error):
                context = None
            error = getattr(error, "inner_exception", None) or error.__cause__ or context
        return found

    def kind(type):
        return f"{type.__module__}.{type.__qualname__}"

    def refused_alike(eager, compiled):
        """Whether the compiler passes on what eager raises, says the same, or refuses in a clean way of its own."""
        links = behind(compiled)
        own = kind(type(compiled)).startswith(("torch._dynamo.exc.InternalTorch", "torch._dynamo.exc.Backend", "torch._inductor.exc."))
        bases = [] if own else type(compiled).__mro__
        if kind(type(eager)) in map(kind, bases) or kind(type(eager)) in [kind(type(x)) for x in links]:
            return True
        if kind(type(compiled)) in [f"torch._dynamo.exc.{name}" for name in ("TorchRuntimeError", "Unsupported", "UserError")]:
            return True
        # torch's own check of a dimension, which a fake run makes before the check that eager fails.
        if type(compiled) is IndexError and str(compiled).startswith(("Dimension out of range", "Dimension specified as ")):
            return True
        words = str(eager).split("\n")[0].replace('"', "'")
        return words != "" and words == str(links[-1]).split("\n")[0].replace('"', "'")
)";

/// As the worker's runs have it.
inline constexpr const char* kSameDraws =
    "torch._inductor.config.fallback_random = True  # the compiler draws eager's random numbers";
/// The same where the program has numpy.
inline constexpr const char* kSameNumpyDraws =
    "torch._dynamo.config.use_numpy_random_stream = True  # those of numpy, too";

/// All modes that a place "mode.NAME" may name: those of pyrunner/runtime/observe/modes.py.
inline constexpr const char* kModes = R"(
    def of_torch(name, otherwise=None):
        """A private function of torch; where this torch lacks it, one that gives this instead."""
        return getattr(torch._C, name, lambda *_: otherwise)

    def modes():
        """What a call may leave behind in torch and Python."""
        numpy = sys.modules.get("numpy")
        return {
            "default_dtype": str(torch.get_default_dtype()),
            "default_device": str(torch.get_default_device()),
            "grad": torch.is_grad_enabled(),
            "inference": torch.is_inference_mode_enabled(),
            "autocast": torch.is_autocast_enabled("cpu"),
            "autocast_dtype": str(torch.get_autocast_dtype("cpu")),
            "autocast_cuda": torch.is_autocast_enabled("cuda"),
            "autocast_cache": torch.is_autocast_cache_enabled(),
            "deterministic": torch.are_deterministic_algorithms_enabled(),
            "deterministic_warns": torch.is_deterministic_algorithms_warn_only_enabled(),
            "anomaly": torch.is_anomaly_enabled(),
            "matmul_precision": torch.get_float32_matmul_precision(),
            "multithreading": of_torch("_is_multithreading_enabled", True)(),
            "threads": torch.get_num_threads(),
            "flush_denormal": (torch.tensor([1e-310], dtype=torch.float64) * 1.0).item() == 0.0,
            "function_modes": of_torch("_len_torch_function_stack", 0)(),
            "dispatch_modes": of_torch("_len_torch_dispatch_stack", 0)(),
            "rng_torch": hash(bytes(torch.random.get_rng_state().tolist())),
            "rng_python": hash(random.getstate()),
            "rng_numpy": numpy and hash(repr(numpy.random.get_state(legacy=False))),
        }

    def put_modes_back():
        """As torch starts with them: what one run leaves set must not be there when the next begins."""
        torch.set_default_device(None)
        while of_torch("_len_torch_function_stack", 0)() > 0:
            torch._C._pop_torch_function_stack()
        while of_torch("_len_torch_dispatch_stack", 0)() > 0:
            torch._C._pop_torch_dispatch_stack(None)
        torch.set_grad_enabled(True)
        torch.set_default_dtype(torch.float32)
        torch.set_autocast_enabled("cpu", False)
        torch.set_autocast_enabled("cuda", False)
        torch.set_autocast_dtype("cpu", torch.bfloat16)
        torch.set_autocast_cache_enabled(True)
        torch.use_deterministic_algorithms(False)
        torch.autograd.set_detect_anomaly(False)
        torch.set_float32_matmul_precision("highest")
        torch.set_flush_denormal(False)
        of_torch("_set_multithreading_enabled")(True)
)";

/// The check that compares two sides in one process.
inline constexpr const char* kMain = R"(
    print(f"torch {torch.__version__}, Python {sys.version.split()[0]}")
    eager = run(False)
    if list(differences(eager, run(False))):
        print("eager differs from itself: this can't be judged")
        sys.exit(2)
    found = list(differences(eager, run(True)))
    for where, left, right in found:
        print(f"{where}\n  eager:    {left}\n  compiled: {right}")
    print("the difference is there" if found else "there is no difference")
    sys.exit(1 if found else 0)
)";

/// Eager before and after the compiled run, in one process.
inline constexpr const char* kMainAfter = R"(
    print(f"torch {torch.__version__}, Python {sys.version.split()[0]}")
    eager = run(False)
    if list(differences(eager, run(False))):
        print("eager differs from itself: this can't be judged")
        sys.exit(2)
    run(True)
    found = list(differences(eager, run(False)))
    for where, left, right in found:
        print(f"{where}\n  before compiling: {left}\n  after:            {right}")
    print("the difference is there" if found else "there is no difference")
    sys.exit(1 if found else 0)
)";

/// The check that needs a process for each side; LIMIT is defined before it.
inline constexpr const char* kProcessMain = R"(
    def in_process(side):
        """How a process ends that runs one side: its exit status, below 0 for a signal; None when it hangs."""
        process = subprocess.Popen([sys.executable, os.path.abspath(__file__), side], start_new_session=True)
        try:
            return process.wait(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return None
        finally:
            if process.poll() is None:  # it hangs, or this was interrupted
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    if sys.argv[1:] in (["eager"], ["compiled"]):
        run(sys.argv[1] == "compiled")
        sys.stdout.flush()
        os._exit(0)
    print(f"torch {torch.__version__}, Python {sys.version.split()[0]}", flush=True)
    if in_process("eager") != 0:
        print("eager does not get through: this can't be judged")
        sys.exit(2)
    ended = in_process("compiled")
)";

/// Between the two, except where memory is limited: its want may end the interpreter in any way.
inline constexpr const char* kFailsOutside = R"(    if ended == 2:
        print("the compiled side fails outside of the calls: this can't be judged")
        sys.exit(2)
)";

inline constexpr const char* kProcessEnd = R"(    print("eager:    ended with 0")
    print("compiled:", "no end within the limit" if ended is None else f"ended with {ended}")
)";

}  // namespace jp::report::parts
