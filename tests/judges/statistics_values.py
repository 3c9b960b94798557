#!/usr/bin/env python3
"""Prints the values that statistics of Python compute, one case a line, for the tests of the crate `statistics`.

Run by hand, see README.md. A line has the name of the case, its arguments and its values, with tabs between them. Lists
among the arguments have `;` between them, numbers a blank; a missing number is `-`. Where two packages compute the same,
this script checks that they agree.
"""

import fractions
import math
import random

import krippendorff
import numpy
import statsmodels.api
from scipy import stats
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats import inter_rater, power
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

MISSING = None
SEED = random.Random(20240611)


def text(number):
    return "-" if number is MISSING else repr(float(number))


def row(name, arguments, values):
    """Prints one case; an argument is a number or a list of numbers."""
    lists = [argument if isinstance(argument, (list, tuple)) else [argument] for argument in arguments]
    print(name, ";".join(" ".join(map(text, one)) for one in lists), " ".join(map(text, values)), sep="\t")


def sequence(count, seed):
    """Numbers from 0 to 0.999 that the test makes in the same way."""
    state, values = seed, []
    for _ in range(count):
        state = (state * 1103515245 + 12345) % 2**31
        values.append(((state >> 8) % 1000) / 1000)
    return values


def distributions():
    for z in [-40, -8, -2.9, -2.83, -1.5, -1e-9, 0, 1e-12, 0.3, 1, 1.959963984540054, 2.82, 2.84, 5, 10, 20, 37]:
        row("normal_upper_tail", [z], [stats.norm.sf(z)])
    for probability in [1e-300, 1e-100, 1e-20, 1e-5, 0.001, 0.025, 0.1, 0.3, 0.4999, 0.5, 0.7, 0.975, 0.999999]:
        row("normal_upper_quantile", [probability], [stats.norm.isf(probability)])
    for degrees in [1, 2, 3, 4, 9, 29.5, 99, 999, 9999, 999999]:
        for t in [0.1, 0.7, 1, 1.7320508, 1.96, 2.5, 4, 8, 20, 36.9]:
            row("student_two_tails", [t, degrees], [2 * stats.t.sf(t, degrees)])
        for probability in [0.8, 0.5, 0.2, 0.05, 0.01, 1e-6, 1e-12]:
            row("student_two_sided_quantile", [probability, degrees], [stats.t.isf(probability / 2, degrees)])


def outcomes():
    z = stats.norm.isf(0.025)
    cases = [(0, 0), (1, 0), (5, 5), (9, 1), (0, 20), (3, 17), (12, 11), (45, 70), (400, 600), (300, 1800), (0, 900)]
    cases += [(100, 1400), (4990, 5210), (499000, 501000), (500000, 500001), (490000, 510000), (481500, 518500)]
    for wins, losses in cases:
        exact = mcnemar([[0, wins], [losses, 0]], exact=True).pvalue if wins + losses else 1
        if wins + losses:
            binomial = stats.binomtest(wins, wins + losses, 0.5).pvalue
            assert math.isclose(exact, binomial, rel_tol=1e-9), (wins, losses)
        fewer, trials = min(wins, losses), wins + losses
        middle = 2 * stats.binom.cdf(fewer, trials, 0.5) - stats.binom.pmf(fewer, trials, 0.5)
        row("mcnemar", [wins, losses], [exact, min(middle, 1)])
    # Bonett and Price 2012, "Adjusted Wald Confidence Interval".
    for wins, losses, pairs in [(0, 0, 1), (0, 0, 50), (9, 1, 20), (20, 0, 20), (0, 7, 40), (125, 75, 1000), (3, 2, 10**6)]:
        more, fewer = (wins + 1) / (pairs + 2), (losses + 1) / (pairs + 2)
        reach = z * math.sqrt((more + fewer - (more - fewer) ** 2) / (pairs + 2))
        row(
            "paired_proportions_interval",
            [wins, losses, pairs],
            [max(-1, more - fewer - reach), min(1, more - fewer + reach)],
        )
    for pairs, win, loss in [(1, 0.5, 0.5), (20, 0.3, 0.1), (60, 0.7, 0.3), (100, 0.125, 0.075), (200, 0.2, 0.2), (400, 0.1, 0)]:
        total = 0
        for wins in range(pairs + 1):
            for losses in range(pairs + 1 - wins):
                if stats.binomtest(wins, wins + losses, 0.5).pvalue <= 0.05 if wins + losses else False:
                    total += stats.multinomial.pmf([wins, losses, pairs - wins - losses], pairs, [win, loss, 1 - win - loss])
        row("mcnemar_power", [pairs, win, loss], [total])


def differences():
    lists = [[SEED.gauss(0.3, 1) for _ in range(count)] for count in [2, 3, 7, 19]]
    lists += [[0.1, 0.1, 0.2], [1e9, 1e9 + 1, 1e9 - 2], [-3e-7, 2e-7, -1e-7, 5e-8]]
    for values in lists:
        result = stats.ttest_rel(values, [0] * len(values))
        interval = result.confidence_interval(0.95)
        row("t_test", [values], [result.pvalue, stats.sem(values), interval.low, interval.high])
    for count, seed, shift in [(12000, 1, 0.5), (1000000, 7, 0.5), (1000000, 7, 0.49), (1000000, 7, 0.489)]:
        values = numpy.array(sequence(count, seed)) - shift
        result = stats.ttest_rel(values, numpy.zeros(count))
        interval = result.confidence_interval(0.95)
        row("t_test_of_sequence", [count, seed, shift], [result.pvalue, stats.sem(values), interval.low, interval.high])
    for count, clusters in [(12, 4), (40, 7), (60, 30), (30, 2)]:
        values = [SEED.gauss(0.1, 1) for _ in range(count)]
        groups = [SEED.randrange(clusters) for _ in range(count)]
        model = statsmodels.api.OLS(values, numpy.ones(count))
        fitted = model.fit(cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False})
        row("clustered_error", [values, groups], [fitted.bse[0]])


def several():
    for p_values in [[0.01, 0.04, 0.03], [0.5, 0.9, 1.0, 0.2], [0.0, 1e-300, 0.049, 0.05], [0.02] * 5, [0.7]]:
        row("holm", [p_values], multipletests(p_values, method="holm")[1])
    p_values = [SEED.random() ** 4 for _ in range(57)]
    row("holm", [p_values], multipletests(p_values, method="holm")[1])


def sizes():
    for difference, error, alpha in [(0, 0.1, 0.05), (0.05, 0.02, 0.05), (-0.05, 0.02, 0.05), (1, 0.3, 0.01), (0.1, 0.001, 0.05)]:
        row("power", [difference, error, alpha], [power.normal_power(difference / error, 1, alpha)])
    for error, alpha, goal in [(0.02, 0.05, 0.8), (0.001, 0.01, 0.9), (3, 0.1, 0.5)]:
        row("smallest_detectable", [error, alpha, goal], [error * (stats.norm.isf(alpha / 2) + stats.norm.ppf(goal))])
    for difference, deviation in [(0.05, 0.5), (-0.03, 0.7), (0.001, 0.4), (2, 0.5)]:
        needed = power.normal_sample_size_one_tail(difference, 0.8, 0.025, std_null=deviation)
        row("pairs_needed", [difference, deviation], [max(2, math.ceil(needed))])


def agreement():
    def ratings(units, judges, missing):
        truth = [SEED.randrange(1, 6) for _ in range(units)]
        near = lambda value: min(5, max(1, value + SEED.choice([0, 0, 0, 1, -1, 2])))
        return [[MISSING if SEED.random() < missing else near(value) for _ in range(judges)] for value in truth]

    cases = [list(zip(*ratings(units, 2, 0))) for units in [5, 12, 60]]
    cases += [([1, 2, 3, 4, 5], [5, 4, 3, 2, 1]), ([1, 1, 2, 1, 3], [1, 1, 1, 1, 2]), ([1, 2, 3], [1, 2, 3])]
    for first, second in cases:
        weights = [None, "linear", "quadratic"]
        labels = list(range(1, 6))
        values = [cohen_kappa_score(first, second, labels=labels, weights=weight) for weight in weights]
        row("cohen", [list(first), list(second)], values)
    for units, judges in [(4, 2), (10, 3), (30, 6)]:
        rated = ratings(units, judges, 0)
        table, _ = inter_rater.aggregate_raters(numpy.array(rated))
        row("fleiss", rated, [inter_rater.fleiss_kappa(table, method="fleiss")])
    for units, judges, missing in [(6, 2, 0), (12, 4, 0.3), (40, 5, 0.5), (100, 3, 0.1)]:
        rated = ratings(units, judges, missing)
        by_judge = [[math.nan if value is MISSING else value for value in judge] for judge in zip(*rated)]
        levels = ["nominal", "ordinal", "interval"]
        row("krippendorff", rated, [krippendorff.alpha(by_judge, level_of_measurement=level) for level in levels])
    # Scores that are neither integers nor evenly spaced.
    rated = [[round(SEED.random() ** 2, 1) for _ in range(3)] for _ in range(15)]
    levels = ["nominal", "ordinal", "interval"]
    by_judge = list(zip(*rated))
    row("krippendorff", rated, [krippendorff.alpha(by_judge, level_of_measurement=level) for level in levels])


def items():
    lists = [([1, 2, 3, 4], [1, 3, 2, 4]), ([1, 1, 2, 2, 3], [0.1, 0.2, 0.2, 0.2, 0.1]), ([3, 2, 1], [1, 2, 3])]
    lists.append(([SEED.randrange(9) for _ in range(50)], [SEED.randrange(7) for _ in range(50)]))
    for first, second in lists:
        row("kendall", [first, second], [stats.kendalltau(first, second).statistic])
    table = [[float(SEED.random() < (item + model) / 18) for model in range(10)] for item in range(8)]
    rests = [[sum(column) - score for column, score in zip(zip(*table), scores)] for scores in table]
    correlations = [stats.pointbiserialr(scores, rest).statistic for scores, rest in zip(table, rests)]
    row("items", table, [numpy.mean(scores) for scores in table] + [MISSING if math.isnan(one) else one for one in correlations])


def attempts():
    for all_of_them, successes, k in [(1, 0, 1), (10, 3, 1), (10, 3, 5), (10, 8, 3), (200, 1, 100), (200, 150, 100), (5000, 3, 2)]:
        ways = math.comb(all_of_them, k)
        at = 1 - fractions.Fraction(math.comb(all_of_them - successes, k), ways)
        row("pass", [all_of_them, successes, k], [at, fractions.Fraction(math.comb(successes, k), ways)])


if __name__ == "__main__":
    for part in [distributions, outcomes, differences, several, sizes, agreement, items, attempts]:
        part()
