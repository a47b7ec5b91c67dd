// Exceptions: raised, caught, re-raised, replaced, chained, with else and finally, of classes of the program's own.
#include <array>

#include "seedgen/bases/snippets.h"

namespace jp::seedgen::exceptions_table {
namespace {

constexpr std::string_view kOwn = R"(class Own(ValueError):
    pass
)";
constexpr std::string_view kLoaded = R"(class Loaded(Exception):
    def __init__(self, load, code=7):
        super().__init__(f"load {load}")
        self.load = load
        self.code = code

    def __str__(self):
        return f"<{self.load}>"
)";
constexpr std::string_view kRaises = R"(def refuse(x, k):
    if k > 2:
        raise ValueError("large", k)
    return x + k
)";

constexpr auto kSnippets = std::to_array<Snippet>({
    {R"(try:
    raise ValueError(k)
except ValueError as e:
    return x + e.args[0]
)"},
    {R"(try:
    if k > 2:
        raise ValueError("large")
    y = x + 1
except ValueError as e:
    y = x * len(str(e))
return y
)"},
    {R"(try:
    y = x + k
except ValueError:
    y = x
else:
    y = y * 2
finally:
    y = y - 1
return y
)"},
    {R"(try:
    if k > 2:
        raise KeyError(k)
    return x + 1
except KeyError:
    return x + 2
finally:
    x.mul_(2)
)"},
    {R"(def inner():
    try:
        return k
    finally:
        return k + 1

return x + inner()
)"},
    {R"(for i in range(3):
    try:
        if i == k:
            continue
        x = x + i
    finally:
        x = x * 2
return x
)"},
    {R"(for i in range(4):
    try:
        if i == k:
            break
    finally:
        x = x + 10
else:
    x = x - 1
return x
)"},
    {R"(try:
    return refuse(x, k)
except ValueError as e:
    return x * e.args[1], e.args[0]
)",
     kRaises},
    {R"(try:
    try:
        return refuse(x, k)
    except KeyError:
        return x - 100
except ValueError as e:
    return x - 1, str(e)
)",
     kRaises},
    {R"(try:
    try:
        refuse(x, k)
    except ValueError as e:
        raise KeyError("new") from e
except KeyError as e:
    return x + 1, type(e.__cause__).__name__, e.__suppress_context__
return x
)",
     kRaises},
    {R"(try:
    try:
        refuse(x, k)
    except ValueError:
        raise KeyError("new")
except KeyError as e:
    return x + 1, type(e.__context__).__name__, e.__cause__ is None
return x
)",
     kRaises},
    {R"(try:
    try:
        refuse(x, k)
    except ValueError:
        raise KeyError("new") from None
except KeyError as e:
    return x + 1, e.__cause__ is None, e.__suppress_context__
return x
)",
     kRaises},
    {R"(try:
    try:
        refuse(x, k)
    except ValueError:
        raise
except Exception as e:
    return x + 1, type(e).__name__, e.args
return x
)",
     kRaises},
    {R"(try:
    raise Own(k)
except KeyError:
    return x
except ValueError as e:
    return x + e.args[0], type(e).__name__
)",
     kOwn},
    {R"(try:
    if k > 2:
        raise Own("own")
    raise ValueError("plain")
except Own:
    return x + 1
except ValueError:
    return x + 2
)",
     kOwn},
    {R"(try:
    raise Loaded(k)
except Loaded as e:
    return x * e.load + e.code, str(e), repr(e.args)
)",
     kLoaded},
    {R"(try:
    raise Loaded(k, code=k + 1)
except (KeyError, Loaded) as e:
    return x + e.code, f"{e}"
)",
     kLoaded},
    {R"(kinds = (KeyError, ValueError)
try:
    raise kinds[k > 2]("one")
except kinds as e:
    return x + 1, type(e) is ValueError
)"},
    {R"(try:
    {}[k]
except KeyError as e:
    return x + e.args[0]
)"},
    {R"(try:
    [1, 2, 3][k]
except IndexError as e:
    return x - 1, str(e)
return x + [1, 2, 3][k]
)"},
    {R"(try:
    return x + 6 / (k - 3)
except ZeroDivisionError as e:
    return x, str(e)
)"},
    {R"(try:
    return x + int("4" * k)
except ValueError as e:
    return x, type(e).__name__
)"},
    {R"(try:
    x.no_such
except AttributeError as e:
    return x + k, type(e).__name__
)"},
    {R"(try:
    a, b = (1,) * k
    return x + a + b
except ValueError as e:
    return x - 1, str(e)
)"},
    {R"(try:
    assert k > 2, "small"
    return x + 1
except AssertionError as e:
    return x - 1, str(e)
)"},
    {R"(try:
    torch.ones(2) + torch.ones(k + 4)
except RuntimeError as e:
    return x - 1, type(e).__name__
return x
)"},
    {R"(try:
    undefined_name
except NameError as e:
    return x + k, type(e).__name__
)"},
    {R"(e = 5
try:
    raise ValueError(k)
except ValueError as error:
    e = error.args[0]
return x + e, "error" in locals()
)"},
    {R"(kept = None
try:
    raise ValueError(k)
except ValueError as e:
    kept = e
return x + kept.args[0], isinstance(kept, Exception)
)"},
    {R"(e = ValueError("a", k)
e.note = k * 2
try:
    raise e
except ValueError as caught:
    return x + caught.note, caught is e, len(caught.args)
)"},
    {R"(def inner(n):
    if n == 0:
        raise StopIteration(k)
    return inner(n - 1)

try:
    inner(2)
except StopIteration as stop:
    return x + stop.value
)"},
    {R"(log = []
try:
    log.append(1)
    try:
        log.append(2)
        if k > 2:
            raise ValueError
    finally:
        log.append(3)
    log.append(4)
except ValueError:
    log.append(5)
else:
    log.append(6)
finally:
    log.append(7)
return x + len(log), log
)"},
    {R"(n = k
while True:
    try:
        n += 1
        if n % 4 == 0:
            raise ValueError
        x = x + n
    except ValueError:
        break
return x, n
)"},
    {R"(import contextlib

with contextlib.suppress(ValueError):
    x = x + 1
    if k > 2:
        raise ValueError
    x = x * 2
return x
)"},
});

const Register<Table, SnippetTable> registered(
    "exceptions", "how an exception is raised and caught, where the value comes from that changes", kSnippets);

}  // namespace
}  // namespace jp::seedgen::exceptions_table
