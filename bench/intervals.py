"""Means with the interval in which they lie, from few repetitions."""

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
