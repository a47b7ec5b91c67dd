"""What core/operators.tsv says of gradients, asked of eager torch by check_operators_table.py."""

import torch

from measures import words
import operator_samples as samples

# Of a sample for gradients more is tried: the weights of a loss come late.
SAMPLES_WITH_GRADIENTS = 40
# What eager can't be asked about gradients, and which is said to reject them nevertheless.
CAUTIOUS = {"from_numpy": "its operand is an array, and what makes arrays of tensors rejects those that require gradients",
            "set": "its input keeps the graph that computed other elements"}


def clone(value):
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    return type(value)(map(clone, value)) if type(value) in (list, tuple) else value


def tensors(value):
    if isinstance(value, torch.Tensor):
        return [value]
    return [one for item in value for one in tensors(item)] if type(value) in (list, tuple) else []


def gradient(function, given, keywords):
    """That of the input, which is no leaf; None if eager refuses, which it may do in backward alone."""
    own = clone(given)
    leaf = own[0].requires_grad_()
    own[0] = leaf * 1
    made = samples.tried(function, own, keywords)
    if not getattr(made, "requires_grad", False):
        return None
    return samples.tried(torch.autograd.grad, [made, leaf, torch.ones_like(made)], {})


def real_operands(given, keywords):
    """Places and keywords of tensors that may require gradients."""
    every = [*enumerate(given), *keywords.items()]
    return [place for place, one in every if isinstance(one, torch.Tensor) and one.is_floating_point() and one.layout == torch.strided]


class GradientChecks:
    """The checks, for a class that has `samples`, `blame` and `asked`."""

    def gradients(self, row):
        """Operands that require gradients: the input, and those behind it."""
        said = words(row, "traits")
        said_to_reject = "rejects_gradients" in said
        rejects = rejects_behind = False
        for function, given, keywords in self.samples(row, SAMPLES_WITH_GRADIENTS):
            if samples.tried(function, clone(given), keywords) is None:
                continue
            for place in real_operands(given, keywords):
                self.asked += 1
                own, names = clone(given), {word: clone(value) for word, value in keywords.items()}
                (names if isinstance(place, str) else own)[place].requires_grad_()
                if "inplace_view" in words(row, "tags") and place == 0 and said_to_reject:
                    # Only of what is no leaf it shows that the form in place rejects it.
                    function, own[0] = getattr(torch.Tensor, row["name"] + "_"), own[0] * 1
                made = samples.tried(function, own, names)
                if place != 0:
                    rejects_behind = rejects_behind or made is None
                elif said_to_reject:
                    rejects = rejects or not getattr(made, "requires_grad", False)
                else:
                    rejects = rejects or (made is None and row["in_place"] == "-" and not keywords.get("inplace"))
        if rejects != said_to_reject and row["name"] not in CAUTIOUS:
            self.blame(row, f"it {'rejects' if rejects else 'takes'} an input that requires gradients")
        if rejects_behind != ("rejects_gradients_behind" in said):
            self.blame(row, f"it {'rejects' if rejects_behind else 'takes'} operands behind the input that require gradients")

    def gradients_in_place(self, row):
        """The form in place of what has gradients, on a tensor whose gradients flow."""
        if row["in_place"] == "-" or row["backward"] == "-" or "inplace_view" in words(row, "tags"):
            return
        in_place = getattr(torch.Tensor, row["name"] + "_", None)
        rejects = False
        for function, given, keywords in self.samples(row, SAMPLES_WITH_GRADIENTS):
            first = given[0] if given else None
            if in_place is None or not isinstance(first, torch.Tensor) or not first.is_floating_point():
                continue
            if gradient(function, given, keywords) is None or samples.tried(in_place, clone(given), keywords) is None:
                continue
            self.asked += 1
            rejects = rejects or gradient(in_place, given, keywords) is None
        if rejects != ("rejects_gradients_in_place" in words(row, "traits")):
            self.blame(row, f"it {'rejects' if rejects else 'takes'} in place an input whose gradients flow")

    def unsaved(self, row):
        """A result that is overwritten changes nothing for backward."""
        if "unsaved" not in words(row, "traits"):
            return
        asked = False
        for function, given, keywords in self.samples(row, SAMPLES_WITH_GRADIENTS):
            own = clone(given)
            leaves = [one.requires_grad_() for one in tensors(own) if one.is_floating_point()]
            made = samples.tried(function, own, keywords)
            if not leaves or not isinstance(made, torch.Tensor) or not made.requires_grad:
                continue
            asked = True
            self.asked += 1
            wanted = torch.autograd.grad(made, leaves, torch.ones_like(made), retain_graph=True, allow_unused=True)
            with torch.no_grad():
                made.fill_(3)
            try:
                found = torch.autograd.grad(made, leaves, torch.ones_like(made), allow_unused=True)
            except RuntimeError as error:
                self.blame(row, f"backward needs its result: {str(error).splitlines()[0]}")
                return
            if samples.bits(list(found)) != samples.bits(list(wanted)):
                self.blame(row, "its gradients change with its result")
        if not asked:
            self.blame(row, "it is said to be unsaved, and no sample asks")
