"""Means with the interval in which they lie, and tests of whether two samples differ; for few repetitions."""

import collections
import math
import statistics

# Student's t that 2.5 % lie above, by degrees of freedom from 1 on.
T = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110,
     2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042)


def around(values):
    """Half the width of the 95 % interval of the mean, by Student's t; None for fewer than two values."""
    if len(values) < 2:
        return None
    t = T[min(len(values) - 1, len(T)) - 1]
    return round(t * statistics.stdev(values) / math.sqrt(len(values)), 4)


def mann_whitney(more, fewer):
    """U of the first sample (pairs in which it is larger, ties half), and its two-sided probability by chance, in the
    normal approximation with ties."""
    u = sum((a > b) + (a == b) / 2 for a in more for b in fewer)
    n, m = len(more), len(fewer)
    ties = sum(count**3 - count for count in collections.Counter([*more, *fewer]).values())
    spread = math.sqrt(n * m / 12 * ((n + m + 1) - ties / ((n + m) * (n + m - 1))))
    if spread == 0:
        return u, 1.0
    away = max(abs(u - n * m / 2) - 0.5, 0) / spread
    return u, math.erfc(away / math.sqrt(2))


def sign_test(more, fewer):
    """Pairs in which the first is larger, in which it is smaller, and the two-sided probability of such a share or one
    further from a half, if each is as likely as the other."""
    larger, smaller = sum(a > b for a, b in zip(more, fewer)), sum(a < b for a, b in zip(more, fewer))
    pairs, tail = larger + smaller, min(larger, smaller)
    below = sum(math.comb(pairs, k) for k in range(tail + 1)) / 2**pairs
    return larger, smaller, min(1.0, 2 * below)
