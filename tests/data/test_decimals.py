from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from truerank.data.decimals import MARGIN, decimals, quotient

plain = st.from_regex(r"[+-]?([0-9]{1,24}(\.[0-9]{0,24})?|\.[0-9]{1,24})", fullmatch=True)
scientific = st.floats(allow_nan=False, allow_infinity=False).map(repr)
wrong = ["", ".", "-", "+", "-.", "1.2.3", "1,5", "nan", "inf", "-inf", "infinity", "1e999", "0x10", "1_000", "e5"]
wrong += ["1e", "--1", "+-1", "1-", "1 ", "١", "1.5f", "/", ":", "1/2", "12345678:", "1234567./", "-1.23456789a"]


def parsed(fields: list[str], margin: int = MARGIN) -> tuple[list[float], list[int]]:
    encoded = [field.encode() for field in fields]
    text = np.frombuffer(b"#" * margin + b" ".join(encoded) + b"        ", dtype=np.uint8)
    start = margin + np.cumsum([0, *(len(field) + 1 for field in encoded)])[:-1].astype(np.intp)
    end = start + np.array([len(field) for field in encoded], dtype=np.intp)
    values, bad = decimals(text, start, end)
    return values.tolist(), bad.tolist()


@given(st.lists(plain | scientific | st.decimals(-1000, 1000, places=6).map(str), min_size=1, max_size=60))
@example(["9007199254740993", "9007199254740992.5", "1.7976931348623157e308", "5e-324", "0.1", "-0", "-0.0"])
@example(["17.345600128173828", "0.12345678901234567", "123456789.123456789", "999999999999999999.9"])
@example(["18446744073709551615", "9999999999999999999", "0.9999999999999999999", "00000000000000000000001.5"])
def test_values_are_those_of_float(fields: list[str]) -> None:
    values, bad = parsed(fields)
    assert bad == []
    assert values == [float(field) for field in fields]
    assert not any(value == 0 and math.copysign(1, value) < 0 for value in values)


@given(st.lists(st.integers(2**53, 10**19 - 1), min_size=1), st.integers(1, 19))
@example([2**53, *[71777214294589695] * 3], 1)
def test_large_quotients_are_right_or_undecided(numbers: list[int], decimals: int) -> None:
    found = quotient(np.array(numbers, dtype=np.uint64), decimals)
    for number, value in zip(numbers, found.tolist(), strict=True):
        assert value != value or value == float(f"{number}e-{decimals}")


@pytest.mark.parametrize(("decimals", "most"), [(1, 0.06), (5, 1e-4), (15, 1e-4)])
def test_quotients_are_rarely_undecided(decimals: int, most: float) -> None:
    """How many are, is asked of numbers drawn at random: whoever looks for them finds as many as there are."""
    numbers = np.random.default_rng(1).integers(2**53, 10**18, 100_000).astype(np.uint64)
    assert np.isnan(quotient(numbers, decimals)).mean() < most


def test_what_is_undecided_is_read_digit_by_digit() -> None:
    fields = ["7177721429458969.5", "7177721429458970.5", "261422.387454119729", "9007199254740992.5"]
    assert parsed(fields) == ([float(field) for field in fields], [])


@pytest.mark.parametrize("size", [8, 16, 17, 18, 19])
def test_float32_and_float64_as_python_prints_them(size: int) -> None:
    random = np.random.default_rng(size)
    fields = [repr(value)[:size] for value in (random.random(5000) * 40 - 10).tolist()]
    fields += [repr(float(value)) for value in (random.random(5000) * 40).astype(np.float32)]
    fields = [field for field in fields if "e" not in field]
    values, bad = parsed(fields)
    assert bad == []
    assert values == [float(field) for field in fields]


@pytest.mark.parametrize("field", wrong)
@pytest.mark.parametrize("neighbours", [[], ["1", "23"], ["1.5", "2.25", "12345678"], ["1e5"]])
def test_what_is_not_a_number_is_named(field: str, neighbours: list[str]) -> None:
    values, bad = parsed([*neighbours, field, *neighbours])
    assert bad == [len(neighbours)]
    assert values[: len(neighbours)] == [float(each) for each in neighbours]


def test_numbers_at_the_start_of_the_text() -> None:
    fields = ["1.5", "22", "-3.25", "4e1", "5.0000000001"]
    assert parsed(fields, margin=0) == ([float(field) for field in fields], [])


def test_no_numbers() -> None:
    assert parsed([]) == ([], [])


@pytest.mark.parametrize("count", [19, 20, 22, 23, 308, 309, 401, 20_000])
def test_any_number_of_decimals_is_read(count: int) -> None:
    """309 and more overflowed: a power of ten is no float from there on."""
    fields = [f"0.{'123456789' * (count // 9 + 1)}"[: count + 2], "0.5", f"-7.{'0' * (count - 1)}1"]
    assert parsed(fields) == ([float(field) for field in fields], [])
    assert parsed(fields[:1] * 3) == ([float(fields[0])] * 3, [])


def test_a_long_number_that_is_none_is_found_out_in_one_pass() -> None:
    """30,000 digits took 16 seconds: each could be read as standing before the point or behind it."""
    assert parsed([f"{'1' * 100_000}x", f"{'1' * 100_000}.{'1' * 100_000}x"])[1] == [0, 1]
