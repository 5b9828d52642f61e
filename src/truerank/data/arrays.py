"""Names for the array types that rows are kept in, and the few patterns of indexes they share."""

from __future__ import annotations

from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]
Ints: TypeAlias = npt.NDArray[np.integer[Any]]
Rows: TypeAlias = npt.NDArray[np.intp]
"""Places and counts, in the type that numpy takes for an index; what may need 64 bits everywhere is np.int64."""
Floats: TypeAlias = npt.NDArray[np.float64]
Keys: TypeAlias = npt.NDArray[np.uint64]
Bytes: TypeAlias = npt.NDArray[np.uint8]
Mask: TypeAlias = npt.NDArray[np.bool_]
Scalar = TypeVar("Scalar", bound=np.generic)

ODD = np.uint64(0x9E3779B97F4A7C15)
"""Mixes keys: an odd number, so that no two have the same product, and products are spread over all keys (2^64 over the
golden ratio, as in Fibonacci hashing)."""


def spans(first: Ints, count: Ints) -> Rows:
    """Return first[0], first[0] + 1, ... (count[0] of them), then first[1], ... in one array.

    >>> spans(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    count = count.astype(np.intp)
    ends = np.cumsum(count)
    total = int(ends[-1]) if len(ends) else 0
    result: Rows = np.repeat(first.astype(np.intp) - (ends - count), count)
    result += np.arange(total)
    return result


def offsets(count: Ints | Mask) -> Rows:
    """Return where each of consecutive stretches begins, and after them where the last one ends.

    >>> offsets(np.array([2, 3])).tolist()
    [0, 2, 5]
    """
    result = np.zeros(len(count) + 1, dtype=np.intp)
    np.cumsum(count, out=result[1:])
    return result


def stretches(offsets: Rows) -> Rows:
    """Return the number of the stretch that each row is in, given their ``offsets``.

    >>> stretches(np.array([0, 2, 5])).tolist()
    [0, 0, 1, 1, 1]
    """
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))


def table(values: npt.NDArray[Scalar], count: Ints, fill: Any) -> npt.NDArray[Scalar]:
    """Return lists of ``count`` values each, which follow one another, as the rows of a table; ``fill`` after a list.

    Where all are as long, that is a view.

    >>> table(np.array([1, 2, 3]), np.array([2, 1]), 0).tolist()
    [[1, 2], [3, 0]]
    """
    shape = len(count), int(count.max(initial=0))
    if len(values) == shape[0] * shape[1]:
        return values.reshape(shape)
    result = np.full(shape, fill, dtype=values.dtype)
    result[np.arange(shape[1]) < count[:, None]] = values
    return result


def put(array: npt.NDArray[Scalar], index: Rows, values: npt.ArrayLike) -> None:
    """Write to an array at places that are counted row by row, however it lies in memory.

    What ``ravel`` and ``reshape`` give may be a copy, and what is written there is lost; ``ndarray.put`` is slow.

    >>> columns = np.zeros((2, 2), order="F")
    >>> put(columns, np.array([1, 2]), [5, 6])
    >>> columns.tolist()
    [[0.0, 5.0], [6.0, 0.0]]
    """
    if array.flags.c_contiguous:
        array.reshape(-1)[index] = values
    else:
        array[np.unravel_index(index, array.shape)] = values


def begins(*columns: Array) -> Mask:
    """Tell for each row whether it differs from the one before in some column; the first one does.

    >>> begins(np.array([1, 1, 1, 2]), np.array([5, 5, 6, 6])).tolist()
    [True, False, True, True]
    """
    new = np.ones(len(columns[0]), dtype=np.bool_)
    new[1:] = False
    for column in columns:
        new[1:] |= column[1:] != column[:-1]
    return new


def ordered(major: Ints, minor: Ints) -> Rows:
    """Return the order of rows by two columns of whole numbers from 0 on; those equal in both stay as they are.

    One sort of numbers that hold both columns and the row is several times faster than a stable sort of each column.

    >>> ordered(np.array([1, 0, 1, 0]), np.array([0, 5, 0, 2])).tolist()
    [3, 1, 0, 2]
    """
    rows = len(major)
    bits, kinds = rows.bit_length(), int(minor.max(initial=0)) + 1
    if (int(major.max(initial=0)) + 1) * kinds >= 1 << (63 - bits):
        return np.lexsort((minor, major))
    keys = major.astype(np.int64) * kinds
    keys += minor
    keys <<= bits
    keys |= np.arange(rows)
    keys.sort()
    keys &= (1 << bits) - 1
    return keys.astype(np.intp, copy=False)


def distinct(values: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
    """Return the values that occur, in order. np.unique would import numpy.ma, which takes longer than a small run.

    >>> distinct(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    ordered = np.sort(values, axis=None)
    return ordered[begins(ordered)]
