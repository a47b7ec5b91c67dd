// The pieces of a reproducer that copy, compare and find values.
#pragma once

namespace jp::report::parts {

/// In the comparison, what two exceptions are to each other; and the same by kRefused.
inline constexpr const char* kBothRaise = R"(
        if isinstance(eager, Raised) and isinstance(compiled, Raised):
            return
)";
inline constexpr const char* kBothRefuse = R"(
        if isinstance(eager, Raised) and isinstance(compiled, Raised):
            if not refused_alike(eager.error, compiled.error):
                yield where, eager, compiled
            return
)";

/// Before kCompare and kTensors.
inline constexpr const char* kAttributes = R"(
    def attributes(x):
        """What an object has in its dict and in the slots of its classes."""
        own = dict(getattr(x, "__dict__", {}))
        for kind in type(x).__mro__:
            slots = vars(kind).get("__slots__", ())
            for name in (slots,) if isinstance(slots, str) else slots:
                if name.startswith("__"):
                    name = name if name.endswith("__") else f"_{kind.__name__.lstrip('_')}{name}"
                if name not in ("__dict__", "__weakref__") and hasattr(x, name):
                    own[name] = getattr(x, name)
        return own
)";

/// Before kTensors and kState.
inline constexpr const char* kHeld = R"(
    def held(x):
        """{name: value} of what a class or a function of this file has: attributes, defaults, variables around it."""
        own = {name: item for name, item in vars(x).items() if not name.startswith("_torchdynamo")}
        if isinstance(x, types.FunctionType) and x.__globals__.get("__name__") == "case":
            own |= {f"default {i}": item for i, item in enumerate(x.__defaults__ or ())}
            own |= {f"default {name}": item for name, item in (x.__kwdefaults__ or {}).items()}
            for name, cell in zip(x.__code__.co_freevars, x.__closure__ or ()):
                with contextlib.suppress(ValueError):  # it has no value yet
                    own[f"variable {name}"] = cell.cell_contents
        wrapped = (staticmethod, classmethod)
        return {name: item.__func__ if isinstance(item, wrapped) else item for name, item in own.items()}
)";

/// After kTensors, where backward begins at stored tensors, too.
inline constexpr const char* kGraphs = R"(
    def graphs(x):
        """The tensors that an autograd graph has computed."""
        return [tensor for tensor in tensors(x, set()) if not tensor.is_leaf]
)";

/// After kTensors.
inline constexpr const char* kShared = R"(
    def shared(output, held):
        """Of each tensor of the output whether it shares memory with what was there before."""
        def memory(x):
            return x.untyped_storage().data_ptr() if x.layout is torch.strided and x.numel() > 0 else None

        own = {memory(x) for x in tensors(held, set())} - {None}
        return [memory(x) in own for x in tensors(output, set())]
)";

/// Before kCompare, for a finding of the rule small_numbers (oracle/judge/limits.h: small_share).
inline constexpr const char* kSmall = R"(
    def small(x):
        """Tolerances that don't accept just any number in place of small ones; {} for the usual ones."""
        if x.dtype not in (torch.float32, torch.complex64) or x.numel() == 0:
            return {}
        largest = torch.where(x.isfinite(), x.detach().abs(), 0).max().item()
        return {"rtol": 1.3e-6, "atol": min(1e-5, 0.5 * largest)}
)";

/// Copies, and their comparison.
inline constexpr const char* kCompare = R"(
    def words(x):
        """A text for a value, without addresses."""
        return re.sub(r" at 0x[0-9a-fA-F]+", "", getattr(x, "__qualname__", None) or repr(x))

    def generator_state(x):
        """The state of a generator of random numbers; anything else as it is."""
        if isinstance(x, random.Random):
            return x.getstate()
        if isinstance(x, torch.Generator):
            return x.get_state()
        if type(x).__module__.startswith("numpy.random"):
            return x.get_state(legacy=False) if hasattr(x, "get_state") else getattr(x, "bit_generator", x).state
        return x

    def snapshot(x, draw=False, outer=()):
        """A copy that later writes can't change: containers and objects become dicts, tensors are cloned. Iterators are
        drawn from if `draw`."""
        x = torch.as_tensor(x) if type(x).__module__ == "numpy" else generator_state(x)
        if isinstance(x, torch.Tensor):
            return x.detach().clone().requires_grad_(x.requires_grad)
        if type(x) in (type(None), bool, int, float, complex, str, bytes):
            return x
        if isinstance(x, (torch.SymInt, torch.SymFloat, torch.SymBool)):
            return f"{type(x).__name__} {x}"
        if id(x) in outer:
            return "the container around it"
        outer = (*outer, id(x))
        name = {"type": type(x).__name__}
        if isinstance(x, (io.StringIO, io.BytesIO)):
            held, at = ("", 0) if x.closed else (x.getvalue(), x.tell())
            return name | {"contents": held, "position": "at the end" if at == len(held) else at, "closed": x.closed}
        if isinstance(x, collections.abc.Iterator) and not draw:
            return words(type(x))
        if isinstance(x, collections.abc.Iterator):
            x = list(itertools.islice(x, 64))
        if isinstance(x, (list, tuple, collections.deque)):
            return name | {f"[{i}]": snapshot(item, draw, outer) for i, item in enumerate(x)}
        if isinstance(x, collections.abc.Mapping):
            return name | {f"[{words(key)}]": snapshot(item, draw, outer) for key, item in x.items()}
        if isinstance(x, (set, frozenset)):
            return name | {"items": sorted(map(words, x))}
        if isinstance(x, functools.partial):
            return name | {"parts": snapshot([x.func, x.args, x.keywords], draw, outer)}
        own = attributes(x)
        if isinstance(x, torch.nn.Module):
            tables = ("training", "_parameters", "_buffers", "_modules")
            hidden = {key for key in vars(torch.nn.Module()) if key not in tables}
            of_compiler = ("_dynamo", "_torchdynamo", "_is_torch_compile", "_compiled_call_impl")
            hooks = {key: item for key, item in own.items() if key in hidden and key.endswith("ward_hooks") and item}
            own = {key: item for key, item in own.items() if key not in hidden and not key.startswith(of_compiler)}
            own |= {key: [words(hook) for hook in table.values()] for key, table in hooks.items()}
        elif isinstance(x, type) or hasattr(x, "__qualname__") or not (own or hasattr(x, "__dict__")):
            return words(x)
        if isinstance(x, BaseException):
            own["args"] = x.args
        if "<locals>" in type(x).__qualname__ and type(x).__module__ == "case":  # no global leads to its class
            of_class = {key: item for key, item in vars(type(x)).items() if not hasattr(type(item), "__get__")}
            own |= {f"class {key}": item for key, item in of_class.items() if not key.startswith(("__", "_abc_"))}
        return name | {"." + key: snapshot(item, draw, outer) for key, item in sorted(own.items())}

    def differences(eager, compiled, where=""):
        """(where, eager's side, compiled's side) of all that differs; floats by torch.testing's tolerances."""
        if isinstance(eager, Raised) and isinstance(compiled, Raised):
            return
        if type(eager) is not type(compiled):
            yield where, eager, compiled
        elif isinstance(eager, dict):
            if list(eager) != list(compiled):
                yield where, list(eager), list(compiled)
            else:
                for key in eager:
                    yield from differences(eager[key], compiled[key], where + key)
        elif isinstance(eager, torch.Tensor):
            if eager.requires_grad != compiled.requires_grad:
                yield where, f"requires_grad={eager.requires_grad}", f"requires_grad={compiled.requires_grad}"
            try:
                torch.testing.assert_close(compiled.detach(), eager.detach(), equal_nan=True, check_stride=False)
            except AssertionError as error:
                print(where, error, sep="\n")
                yield where, eager, compiled
        elif isinstance(eager, float):
            near = math.isclose(eager, compiled, rel_tol=1e-7, abs_tol=1e-7)
            if not near and not (math.isnan(eager) and math.isnan(compiled)):
                yield where, eager, compiled
        elif repr(eager) != repr(compiled):
            yield where, eager, compiled
)";

inline constexpr const char* kTensors = R"(
    def tensors(x, seen):
        """All tensors in a nest of containers, objects, and classes and functions of this file, in order."""
        if isinstance(x, torch.Tensor):
            yield x
        elif id(x) not in seen and not isinstance(x, types.ModuleType):
            seen.add(id(x))
            if isinstance(x, torch.nn.Module):
                of_torch = vars(torch.nn.Module())
                own = [item for part in x.modules() for key, item in vars(part).items() if key not in of_torch]
                inner = [*x.parameters(), *own]
            elif isinstance(x, dict):
                inner = list(x.values())
            elif isinstance(x, (list, tuple, collections.deque)) or isinstance(x, (set, frozenset)) and len(x) == 1:
                inner = x
            elif isinstance(x, functools.partial):
                inner = [x.func, x.args, x.keywords]
            elif isinstance(x, types.MethodType):
                inner = [x.__self__]
            elif isinstance(x, (type, types.FunctionType)):
                inner = held(x).values() if x.__module__ == "case" else ()
            else:
                inner = attributes(x).values()
            for item in list(inner):
                yield from tensors(item, seen)

    def leaves(roots, with_graphs):
        """The tensors among `roots` that collect gradients, and those behind other tensors of `with_graphs`."""
        found = {id(x): x for x in tensors(roots, set()) if x.requires_grad and x.is_leaf}
        nodes, known = [x.grad_fn for x in tensors(with_graphs, set())], set()
        while nodes:
            node = nodes.pop()
            if node is None or node in known:
                continue
            known.add(node)
            if hasattr(node, "variable"):
                found[id(node.variable)] = node.variable
            nodes.extend(following for following, _ in reversed(node.next_functions))
        return list(found.values())

    def begun(roots, found):
        """The tensors that have come to collect gradients since `found`."""
        own = tensors(roots, set())
        own = [x for x in own if (x.requires_grad or x.grad is not None if x.is_leaf else x.retains_grad)]
        return [x for x in own if all(x is not one for one in found)]

    def backward(output, found, stored=()):
        """Gradients of a backward through every output that has one or, if none has, through `stored`, from fixed and
        unequal cotangents; None if there is none."""
        if isinstance(output, collections.abc.Iterator):
            output = list(itertools.islice(output, 64))
        roots = [x for x in tensors(output, set()) if x.requires_grad]
        numbers = [*range(len(roots))] or [0] * len(stored)
        roots = roots or stored
        cotangents = []
        for number, root in zip(numbers, roots):
            steps = (torch.arange(root.numel()) * 3 + number * 5) % 13 - 6
            values = (steps.double() * 0.125 + 0.0625).to(root.dtype)
            cotangents.append((values + 0.5j * values.flip(0) if root.is_complex() else values).reshape(root.shape))
        if roots:
            torch.autograd.backward(roots, cotangents)
        ran = roots or any(leaf.grad is not None for leaf in found)
        gradients = [leaf.grad for leaf in found] if ran else None
        for leaf in found:
            leaf.grad = None
        return gradients
)";

inline constexpr const char* kState = R"(
    def state(module):
        """Data among the file's globals, in its classes and those within them, and what functions have."""
        data, seen = {}, set()
        plain = (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType)
        plain += (types.GetSetDescriptorType, types.MemberDescriptorType)

        def add(name, x):
            if isinstance(x, property):
                for part in (x.fget, x.fset, x.fdel):
                    add(name, part)
            elif isinstance(x, (type, types.FunctionType)) and x.__module__ == module.__name__ and id(x) not in seen:
                seen.add(id(x))
                for key, item in held(x).items():
                    if is_own(key, item):
                        add(f"{name}.{key}", item)
            elif not isinstance(x, plain):
                data[name] = x

        def is_own(name, x):
            if isinstance(x, types.FunctionType):
                return not x.__code__.co_filename.startswith("<")  # a dataclass's
            return not (name.startswith("__") and name.endswith("__")) and not name.startswith("_abc_")

        with open(__file__) as file:
            text = file.read()
        for name, x in list(vars(module).items()):
            if name.startswith("__") and name not in text:  # Dynamo's
                continue
            if isinstance(x, (types.FunctionType, types.BuiltinFunctionType)):  # a call may bind another one
                code = getattr(x, "__code__", None)
                data[f"{name} is"] = (x.__qualname__, code and code.co_code)
            if is_own(name, x):
                add(name, x)
        return data
)";

}  // namespace jp::report::parts
