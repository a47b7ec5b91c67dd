#include "report/reproducer_device.h"

#include <fmt/format.h>

#include <string_view>

namespace jp::report::parts {
namespace {

void replace(std::string& text, std::string_view from, std::string_view to) {
  if (const std::size_t at = text.find(from); at != std::string::npos) text.replace(at, from.size(), to);
}

}  // namespace

std::string device_setup(const std::string& device) {
  return fmt::format(R"(
    DEVICE = "{}"
    try:
        torch.ones(1, device=DEVICE)
    except Exception as error:
        print(f"torch can't use the device {{DEVICE}} here, so this can't be judged: {{error}}")
        sys.exit(2)
    # Not TF32, in which convolutions are computed by default.
    torch.backends.cudnn.allow_tf32 = False
    torch.set_float32_matmul_precision("highest")
)",
                     device);
}

const char* const kMoving = R"(
    class Moving:
        """Moves tensors to a device, with their strides and shared memory, in the containers and objects that hold them."""

        def __init__(self, device):
            self.device, self.done, self.storages, self.kept = torch.device(device), {}, {}, []

        def globals(self, module):
            self.done = {key: x for key, x in self.done.items() if isinstance(x, torch.Tensor)}
            for name, x in list(vars(module).items()):
                if name.startswith("__") or isinstance(x, types.ModuleType):
                    continue
                if not isinstance(x, (types.FunctionType, type)):
                    vars(module)[name] = self.value(x)
                elif x.__module__ == module.__name__:
                    self.attributes(x)
                    self.defaults(x)

        def defaults(self, x):
            for function in [x] if isinstance(x, types.FunctionType) else vars(x).values():
                if isinstance(function, types.FunctionType):
                    if function.__defaults__:
                        function.__defaults__ = self.value(function.__defaults__)
                    self.value(function.__kwdefaults__)

        def attributes(self, x):
            for key, item in list(vars(x).items()):
                if not key.startswith("__") and isinstance(item, (torch.Tensor, list, dict, tuple, torch.nn.Module)):
                    try:
                        setattr(x, key, self.value(item))
                    except AttributeError:  # a frozen dataclass, for example
                        pass

        def value(self, x):
            if id(x) not in self.done:
                self.kept.append(x)  # its id must not be reused
                self.done[id(x)] = x
                self.done[id(x)] = self.tensor(x) if isinstance(x, torch.Tensor) else self.container(x)
            return self.done[id(x)]

        def container(self, x):
            if type(x) is list:
                x[:] = [self.value(item) for item in x]
            elif isinstance(x, dict):
                for key in list(x):
                    x[key] = self.value(x[key])
            elif type(x) is tuple:
                return tuple(self.value(item) for item in x)
            elif isinstance(x, tuple) and hasattr(x, "_fields"):
                return type(x)(*(self.value(item) for item in x))
            elif isinstance(x, torch.nn.Module):
                self.parts(x)
            elif isinstance(getattr(x, "__dict__", None), dict):
                self.attributes(x)
            return x

        def parts(self, module):
            for part in module.modules():
                for table in (part._parameters, part._buffers):
                    for name, x in table.items():
                        table[name] = self.value(x)
                for name, x in list(vars(part).items()):
                    if not name.startswith("_") and isinstance(x, (torch.Tensor, list, dict, tuple)):
                        vars(part)[name] = self.value(x)

        def tensor(self, x):
            if x.layout is not torch.strided:
                return x.to(self.device)
            if x.device.type == self.device.type:
                return x
            if not x.is_leaf:
                with torch.enable_grad():
                    if not x._is_view():
                        return x.to(self.device)
                    base = self.value(x._base)
                    offset = x.storage_offset() - x._base.storage_offset() + base.storage_offset()
                    return base.as_strided(x.shape, x.stride(), offset)
            result = self.viewed(x).requires_grad_(x.requires_grad)
            return torch.nn.Parameter(result, x.requires_grad) if isinstance(x, torch.nn.Parameter) else result

        def viewed(self, x):
            storage = x.untyped_storage()
            key = (storage._cdata, x.dtype)
            if key not in self.storages:
                self.kept.append(storage)
                whole = torch.empty(0, dtype=x.dtype, device=x.device)
                whole.set_(storage, 0, (storage.nbytes() // x.element_size(),))
                self.storages[key] = whole.to(self.device)
            return self.storages[key].as_strided(x.shape, x.stride(), x.storage_offset())

    def moved_to(device, module, calls):
        """The calls on the device, which is the default from here on, and what moves the file's globals there again."""
        moving = Moving(device)
        calls = [moving.value(call) for call in calls]
        moving.globals(module)
        torch.set_default_device(device)
        return calls, moving
)";

std::string for_device(std::string part, bool both) {
  replace(part, ".reshape(root.shape))\n", ".reshape(root.shape).to(root.device))\n");
  replace(part, "torch.tensor([1e-310], dtype=torch.float64)",
          "torch.tensor([1e-310], dtype=torch.float64, device=\"cpu\")");
  if (!both) return part;
  replace(part, "x.detach().clone()", "x.detach().cpu().clone()");
  // That the device is the default is no mode which a call has left.
  replace(part, "str(torch.get_default_device())",
          "str(torch.get_default_device()).replace(str(torch.ones(1, device=DEVICE).device), \"cpu\")");
  replace(part, "of_torch(\"_len_torch_function_stack\", 0)(),",
          "of_torch(\"_len_torch_function_stack\", 0)() - (torch.get_default_device().type == DEVICE),");
  return part;
}

const char* const kMainDevices = R"(
    print(f"torch {torch.__version__}, Python {sys.version.split()[0]}")
    here = run(True, "cpu")
    if list(differences(here, run(True, "cpu"))):
        print("the run on the CPU differs from itself: this can't be judged")
        sys.exit(2)
    if list(differences(run(False, "cpu"), run(False, DEVICE))):
        print("eager differs between the devices: this can't be judged")
        sys.exit(2)
    found = list(differences(here, run(True, DEVICE)))
    for where, left, right in found:
        print(f"{where}\n  compiled on cpu: {left}\n  compiled on {DEVICE}: {right}")
    print("the difference is there" if found else "there is no difference")
    sys.exit(1 if found else 0)
)";

std::string device_memory(std::int64_t bytes) {
  return fmt::format(
      "    whole = torch.cuda.get_device_properties(DEVICE).total_memory\n"
      "    torch.cuda.set_per_process_memory_fraction(min(1.0, {} / whole))  # the same on the device\n",
      bytes);
}

}  // namespace jp::report::parts
