"""Which topics a curve is of, and what those count as where it is undefined."""

from __future__ import annotations

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.data.arrays import Floats, Mask
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.track.lens import Lens
from truerank.track.topic import index_of
from truerank.track.track import Track


def chosen(track: Track, topic: str | None) -> int | None:
    """The index of the topic that is meant; None for all of them."""
    return None if topic is None else index_of(track.judgments, topic)


def named(track: Track, only: int | None) -> tuple[str, ...]:
    """The topics that a curve is of."""
    return track.topics if only is None else (track.topics[only],)


def only_topic(lens: Lens, only: int | None) -> Lens:
    """The run, where no topic counts but the one that is meant."""
    if only is None:
        return lens
    lens = lens.only(lens.topics[lens.topics == only])
    if not len(lens.topics):
        topic = text(lens.judgments.topics[only])
        raise InputError(f"run {lens.name!r} has no documents for topic {topic!r}; choose missing='empty'")
    return lens


def mean_of(rows: Floats, undefined: Mask, choice: Conventions, counts_as: float = 0.0) -> Floats:
    """The mean over topics, where undefined ones count as a number, are left out, or are undefined."""
    if choice.skips_undefined:
        rows = rows[~undefined]
    else:
        rows = np.where(undefined[:, None], counts_as if choice.counts_undefined else np.nan, rows)
    return rows.mean(axis=0) if len(rows) else np.full(rows.shape[1], np.nan)
