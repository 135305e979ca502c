#!/usr/bin/env python3
"""High-precision values for engine/core/math, by mpmath (apt: python3-mpmath).

  math_reference.py constants   the constants and tables in engine/core/math_*.cpp, as C++
  math_reference.py table       tests/data/math-reference.txt

A row of the table is: function, arguments, the correctly rounded result, and the exact result minus
the rounded one in units of its last place (-0.5 to 0.5), so that errors far below one unit are
seen. Numbers are hexadecimal floats. Rows are chosen by a fixed seed: the output never changes.
"""

import math
import random
import sys

from mpmath import mp, mpf

mp.prec = 1400  # 2^1024 · 2/pi still has more than 300 bits behind the point


def rounded(x):
    """The float nearest to x, with x minus it in units of its last place."""
    if x == 0:
        return 0.0, mpf(0)
    exponent = max(int(mp.floor(mp.log(abs(x), 2))), -1022)
    if mpf(2) ** (exponent + 1) <= abs(x):
        exponent += 1
    last_place = mpf(2) ** (exponent - 52)
    count = mp.nint(x / last_place)
    if abs(count * last_place) >= mpf(2) ** 1024:
        return math.inf if x > 0 else -math.inf, mpf(0)
    if count == 0:
        return (-0.0 if x < 0 else 0.0), x / last_place
    return float(count * last_place), x / last_place - count


def parts(x, bits, count):
    """x as a sum of floats: all but the last of at most so many bits, so products stay exact."""
    result = []
    for _ in range(count - 1):
        exponent = int(mp.floor(mp.log(abs(x), 2)))
        unit = mpf(2) ** (exponent - bits + 1)
        part = mp.nint(x / unit) * unit
        result.append(float(part))
        x -= part
    result.append(float(x))
    return result


def row(*values):
    return "    {" + ", ".join(v.hex() for v in values) + "},"


def print_constants():
    print("// exp: log(2)/32 in two parts, the first of 36 bits")
    print(*[p.hex() for p in parts(mp.log(2) / 32, 36, 2)])
    print("// log: log(2) in two parts, the first of 42 bits")
    print(*[p.hex() for p in parts(mp.log(2), 42, 2)])
    print("// sin, cos: pi/2 as a pair")
    print(*[p.hex() for p in parts(mp.pi / 2, 53, 2)])
    print("// exp: 2^(j/32)")
    for j in range(32):
        print(row(*parts(mpf(2) ** (mpf(j) / 32), 53, 2)))
    print("// log: log(j/64), j = 48 to 96")
    for j in range(48, 97):
        print(row(*(parts(mp.log(mpf(j) / 64), 53, 2) if j != 64 else (0.0, 0.0))))
    print("// erf: 2/sqrt(pi) - 1")
    print((float(2 / mp.sqrt(mp.pi) - 1)).hex())
    print("// erf: erf(j/8) in two parts, its slope there, j = 4 to 48")
    for j in range(4, 49):
        x = mpf(j) / 8
        slope = float(2 / mp.sqrt(mp.pi) * mp.exp(-x * x))
        print(row(*parts(mp.erf(x), 53, 2), slope))
    print("// sin, cos: the first 1280 bits of 2/pi")
    bits = int(mp.floor(2 / mp.pi * mpf(2) ** 1280))
    words = [f"0x{(bits >> (64 * (19 - i))) & (2**64 - 1):016x}u" for i in range(20)]
    for start in range(0, 20, 4):
        print("    " + ", ".join(words[start : start + 4]) + ",")


def power(x, y):
    sign = -1 if x < 0 and y % 2 == 1 else 1
    return sign * mp.exp(mpf(y) * mp.log(abs(mpf(x))))


FUNCTIONS = {
    "exp": lambda x: mp.exp(mpf(x)),
    "log": lambda x: mp.log(mpf(x)),
    "tanh": lambda x: mp.tanh(mpf(x)),
    "erf": lambda x: mp.erf(mpf(x)),
    "pow": power,
    "sin": lambda x: mp.sin(mpf(x)),
    "cos": lambda x: mp.cos(mpf(x)),
}


def neighbours(x, reach=2):
    """x and the floats next to it."""
    result = [x]
    up = down = x
    for _ in range(reach):
        up, down = math.nextafter(up, math.inf), math.nextafter(down, -math.inf)
        result += [up, down]
    return result


def near_multiples_of_half_pi():
    """By exponent, the float that comes nearest to a multiple of pi/2: the denominators of the
    continued fraction of 2^e · 2/pi."""
    result = []
    for e in range(-60, 972, 9):
        ratio = mpf(2) ** e * 2 / mp.pi
        fraction = ratio - mp.floor(ratio)
        before, now = 0, 1
        while now < 2**53 and fraction != 0:
            if now >= 2**50:
                result.append(float(mpf(now) * mpf(2) ** e))
            fraction = 1 / fraction
            step = int(mp.floor(fraction))
            fraction -= step
            before, now = now, step * now + before
    return result + [float(6381956970095103) * 2.0**797]  # the nearest of all (Kahan; Muller)


def arguments(draw):
    def spread(low, high, count):
        return [draw.uniform(low, high) for _ in range(count)]

    def exponents(low, high, count):
        return [draw.uniform(1, 2) * 2.0 ** draw.randint(low, high) for _ in range(count)]

    def both(values):
        return values + [-v for v in values]

    largest = sys.float_info.max
    smallest = 5e-324
    edges = [0.5, 1.0, 2.0, smallest, 2.2250738585072014e-308, 1e-300, largest]
    exp_edges = neighbours(709.782712893384) + neighbours(-745.1332191019411)
    exp_edges += neighbours(-708.3964185322641) + neighbours(-744.4400719213812)
    steps = [(2 * j + 1) * float(mp.log(2)) / 64 for j in range(-40, 40)]  # where exp's table turns
    exp = spread(-745, 709.7, 250) + spread(-2, 2, 100) + both(exponents(-60, 0, 60))
    exp += exp_edges + steps + [-740.5, -743.25]
    log = exponents(-1074, 1023, 200) + spread(0.4, 2.5, 200)
    log += [1 + v for v in spread(-0.02, 0.02, 100)]
    log += neighbours(1.0, 20) + [1 + v for v in both(exponents(-50, -8, 60))]
    log += [(2 * j + 1) / 128 for j in range(48, 96)] + edges
    tanh = both(spread(0, 1, 120) + spread(0, 23, 80) + exponents(-60, 4, 80))
    tanh += both([v / 2 for v in steps if v > 0]) + neighbours(19.061547465398498) + both(edges[:6])
    erf = both(spread(0, 1, 120) + spread(0, 6.2, 120) + exponents(-60, 2, 60) + edges[:6])
    erf += [(2 * j + 1) / 16 for j in range(3, 48)]
    erf += neighbours(0.5) + neighbours(5.921587195794508)
    trigonometric = spread(-7, 7, 150) + both(exponents(-60, 1023, 150)) + spread(-1000, 1000, 100)
    trigonometric += both(near_multiples_of_half_pi()) + neighbours(float(mp.pi / 4)) + edges
    for k in range(1, 60):
        trigonometric += neighbours(k * float(mp.pi) / 2, 1)
    pairs = [(draw.uniform(0, 10), draw.uniform(-20, 20)) for _ in range(200)]
    for _ in range(250):  # results over the whole range of exponents, out to both thresholds
        x = exponents(-1074, 1023, 1)[0]
        pairs.append((x, float(draw.uniform(-745, 709.7) / mp.log(x))))
    for _ in range(150):  # near 1, with large exponents
        x = 1 + draw.choice([-1, 1]) * exponents(-52, -5, 1)[0]
        if x != 1:
            pairs.append((x, float(draw.uniform(-745, 709.7) / mp.log(x))))
    for x in (2.0, 3.0, 10.0, 1.5, 0.1):
        pairs += [(x, float(n)) for n in range(-12, 13, 3)] + [(x, 0.5), (x, -0.5), (x, 1 / 3)]
        for y in neighbours(float(1024 * mp.log(2) / mp.log(x))):
            pairs.append((x, y))
        for y in neighbours(float(-1074 * mp.log(2) / mp.log(x))):
            pairs.append((x, y))
    pairs += [(-x, float(n)) for x in spread(0, 5, 20) for n in (-3, 2, 7)]
    return {
        "exp": exp, "log": log, "tanh": tanh, "erf": erf, "sin": trigonometric,
        "cos": trigonometric, "pow": pairs,
    }  # fmt: skip


def print_table():
    draw = random.Random(1)
    for name, values in arguments(draw).items():
        for value in values:
            value = value if isinstance(value, tuple) else (value,)
            result, rest = rounded(FUNCTIONS[name](*value))
            columns = [name, *[float(v).hex() for v in value], result.hex(), f"{float(rest):.6f}"]
            print(*columns)


if __name__ == "__main__":
    commands = {"constants": print_constants, "table": print_table}
    if len(sys.argv) != 2 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    commands[sys.argv[1]]()
