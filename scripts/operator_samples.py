"""What the operator database's sample inputs show of an operator: asked by operators.py and by the tests of the table."""

import torch
import torch.nn.functional as F

NAMESPACES = {"t": torch, "m": torch.Tensor, "f": F, "s": torch.special, "l": torch.linalg, "x": torch.fft}
SAMPLES = 12
# The operator database calls these in another order than torch does.
ORDERS = {"where": (1, 0, 2)}


def parts(tensor):
    """The dense tensors that a sparse one consists of."""
    if tensor.layout == torch.sparse_coo:
        return [tensor._indices(), tensor._values()]
    if tensor.layout in (torch.sparse_csr, torch.sparse_bsr):
        return [tensor.crow_indices(), tensor.col_indices(), tensor.values()]
    if tensor.layout in (torch.sparse_csc, torch.sparse_bsc):
        return [tensor.ccol_indices(), tensor.row_indices(), tensor.values()]
    return []


def storages(value):
    if isinstance(value, torch.Tensor) and value.layout != torch.strided:
        return storages(parts(value))
    if isinstance(value, torch.Tensor):
        return {value.untyped_storage().data_ptr()} if value.numel() else set()
    if isinstance(value, (list, tuple)):
        return set().union(*map(storages, value)) if value else set()
    return set()


def bits(value):
    if isinstance(value, torch.Tensor):
        dense = torch.empty(value.shape, dtype=value.dtype).copy_(value.detach()).reshape(-1) if value.layout == torch.strided else value.to_dense()
        return value.dtype, value.shape, dense.contiguous().view(torch.uint8).numpy().tobytes() if dense.numel() else b""
    return [bits(item) for item in value] if isinstance(value, (list, tuple)) else value


def samples(op, dtypes):
    """Some inputs of each of these types."""
    for dtype in dtypes:
        torch.manual_seed(0)
        yield from list(op.sample_inputs("cpu", dtype))[:SAMPLES]


def shared(made, given):
    return {bool(storages(made) & storages(given))} if storages(made) else set()


def turned(value):
    """The same elements, with the last two axes the other way round in memory."""
    if not isinstance(value, torch.Tensor) or value.ndim < 2 or value.layout != torch.strided:
        return value
    return value.detach().mT.contiguous().mT


def tried(function, given, keywords, seed=0):
    """The result, or None: a sample may be for another spelling."""
    # torch.manual_seed seeds every device, which takes longer than most calls.
    torch.default_generator.manual_seed(seed)
    try:
        return function(*given, **keywords)
    except Exception:  # noqa: BLE001: whatever it refuses with, it refuses
        return None


class Tried:
    """What the operator database's sample inputs show of an operator."""

    def __init__(self, name, entries, namespace, schemas):
        self.name = name
        self.dtypes = self.backward = frozenset()
        self.result = "-"
        self.draws = False  # random numbers
        self.samples = []
        if not entries:
            return
        whole = [op for op in entries if not op.variant_test_name] or entries
        self.dtypes = set.intersection(*(set(op.dtypes) for op in whole))
        self.backward = set.intersection(*(set(op.supported_backward_dtypes("cpu")) if op.supports_autograd else set() for op in whole))
        torch.manual_seed(0)
        seeded = torch.get_rng_state()
        shares = set()
        with_keywords = []
        for op in (one for one in entries if one.dtypes):
            dtype = next(one for one in (torch.float32, torch.int64, *sorted(op.dtypes, key=str)) if one in op.dtypes)
            function = getattr(NAMESPACES[namespace], name, None) if name != op.name.split(".")[-1] else op.op
            torch.manual_seed(0)
            for sample in samples(op, [dtype] if schemas else sorted(op.dtypes, key=str)):
                given = [sample.input, *sample.args]
                if name in ORDERS:
                    given, function = [given[place] for place in ORDERS[name]], self.called(namespace)
                made = tried(function, given, sample.kwargs)
                if made is None:
                    continue
                self.draws = self.draws or not torch.equal(torch.get_rng_state(), seeded)
                shares |= shared(made, given)
                (with_keywords if sample.kwargs else self.samples).append((given, made, sample.kwargs))
                other = [turned(given[0]), *given[1:]]
                shares |= shared(tried(function, other, sample.kwargs), other)
        self.samples = self.samples or with_keywords
        if shares:
            self.result = "either" if len(shares) > 1 else "view" if shares == {True} else "new"

    def called(self, namespace):
        """The operator as it is called in a namespace."""
        if namespace == "m":
            return lambda *given, **keywords: getattr(given[0], self.name)(*given[1:], **keywords)
        return getattr(NAMESPACES[namespace], self.name)

    def namespaces(self, spellings):
        """Of the namespaces that know the name, those in which it is the same operator: none of the samples tells them apart."""
        return "".join(namespace for namespace in spellings if all(self.same(namespace, *sample) for sample in self.samples))

    def same(self, namespace, given, made, keywords):
        its = tried(self.called(namespace), given, keywords)
        if its is None:
            return False
        if "empty" in self.name or bits(its) == bits(made):  # memory that nobody wrote has any bits
            return True
        # The database gives generators of random numbers a seed of its own.
        generates = not any(isinstance(value, torch.Tensor) for value in given)
        return generates and bits(its) != bits(tried(self.called(namespace), given, keywords, 1))

    def named(self, parameters, namespaces):
        """The parameters up to the first one that some namespace doesn't take by that name."""
        names = [name.rstrip("=") for name in parameters.split(" * ")[0].split(" ")]
        count = len(names)
        for given, _, keywords in self.samples:
            for namespace in namespaces:
                own = given[:1] if namespace == "m" else []
                named = dict(zip(names[len(own):], given[len(own):]))
                if len(own) < len(given) <= count and tried(self.called(namespace), own, named | keywords) is None:
                    count = len(given) - 1
        return (" ".join(parameters.split(" ")[:count]) or "-") if count < len(names) else parameters

    def out(self, namespaces):
        """The namespaces whose functions write the samples' results to what `out=` names."""
        found = ""
        for namespace in namespaces.replace("m", "").replace("f", ""):
            tensors = [sample for sample in self.samples if isinstance(sample[1], torch.Tensor)]
            if tensors and all(self.writes_out(namespace, *sample) for sample in tensors):
                found += namespace
        return found or "-"

    def writes_out(self, namespace, given, made, keywords):
        with torch.no_grad():
            own = {"out": torch.empty_strided(made.shape, made.stride(), dtype=made.dtype)}
            its = tried(self.called(namespace), given, keywords | own)
        return its is not None and bits(its) == bits(made)

    def foreach(self):
        """"f" and "i" where torch._foreach_NAME and its form in place take lists of what the operator takes, with the same bits."""
        function = getattr(torch, f"_foreach_{self.name}", None)
        alike = function is not None and bool(self.samples)
        for given, made, keywords in self.samples if alike else []:
            its = tried(function, [[one] if isinstance(one, torch.Tensor) else one for one in given], keywords)
            alike = alike and its is not None and bits(list(its)) == bits([made])
        return "-" if not alike else "fi" if hasattr(torch, f"_foreach_{self.name}_") else "f"

    def aten(self, schemas):
        """The overloads of torch.ops.aten.NAME, where it takes all samples by position and gives the same bits; else "-"."""
        packet = getattr(torch.ops.aten, self.name, None)
        if packet is None or not schemas or not self.samples:
            return "-"
        if any(bits(tried(packet, given, keywords)) != bits(made) for given, made, keywords in self.samples):
            return "-"
        return " ".join(sorted(schema.overload_name or "default" for schema in schemas))
