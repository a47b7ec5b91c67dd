"""Arithmetic on intervals of elements, as pairs (low, high) of Python floats. Ends are pushed outwards by more than float32
rounds: relatively where a result is rounded once (`near`), by a share of the terms where some may cancel (`around`)."""

import math

SLACK = 2.0**-10
TINY = 1e-30  # not far above the least normal float32


class Unbounded(Exception):
    """Nothing useful is known of the result, or the call is not valid for all such elements."""


def hull(*intervals):
    return min(one[0] for one in intervals), max(one[1] for one in intervals)


def largest(one):
    return max(abs(one[0]), abs(one[1]))


def near(one):
    """Pushed outwards relatively: what is rounded once keeps its sign, but may become 0."""
    low, high = one[0] - abs(one[0]) * SLACK, one[1] + abs(one[1]) * SLACK
    return 0.0 if 0 < low < TINY else low, 0.0 if -TINY < high < 0 else high


def around(one, terms):
    """Pushed outwards by what sums of terms of that size lose."""
    return one[0] - terms * SLACK, one[1] + terms * SLACK


def symmetric(size):
    return near((-size, size))


def plus(one, other):
    return around((one[0] + other[0], one[1] + other[1]), largest(one) + largest(other))


def minus(one, other):
    return plus(one, (-other[1], -other[0]))


def times(one, other):
    ends = [a * b for a in one for b in other]
    return near((min(ends), max(ends)))


def over(one, other):
    """The divisor is on one side of 0, and not close to it."""
    if other[0] <= 0 <= other[1] or min(map(abs, other)) < SLACK:
        raise Unbounded("a divisor near 0")
    return times(one, (1 / other[1], 1 / other[0]))


def repeated(one, count):
    """Sums of so many."""
    return around((one[0] * count, one[1] * count), largest(one) * count)


def magnitude(one):
    if one[0] <= 0 <= one[1]:
        return 0.0, largest(one)
    return min(map(abs, one)), largest(one)


def power(one, exponent):
    """To a number. Negative bases take whole exponents only."""
    if exponent == 0:
        return 1.0, 1.0
    if exponent < 0:
        return over((1.0, 1.0), power(one, -exponent))
    if one[0] < 0:
        if exponent != int(exponent):
            raise Unbounded("a root of negative elements")
        ends = [end**exponent for end in one]
        return near((0.0 if exponent % 2 == 0 and one[1] >= 0 else min(ends), max(ends)))
    return near((one[0] ** exponent, one[1] ** exponent))


def rising(function, one):
    """Of a function that nowhere falls; Unbounded where it isn't defined or too large."""
    try:
        low, high = function(one[0]), function(one[1])
    except (ValueError, OverflowError, ZeroDivisionError):
        raise Unbounded("outside what the function takes") from None
    if not math.isfinite(low) or not math.isfinite(high):
        raise Unbounded("outside what the function takes")
    return near((low, high))


def falling(function, one):
    low, high = rising(lambda end: -function(end), one)
    return -high, -low
