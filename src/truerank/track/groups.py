"""Groups of topics: sessions, paraphrases of one need, languages, kinds of query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from truerank.data.arrays import Rows
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.printing import counted

if TYPE_CHECKING:
    from truerank.io.groups import Grouping


@dataclass(frozen=True, eq=False)
class TopicGroups:
    """Which group each topic is in.

    >>> from truerank.io.groups import read_groups
    >>> found = TopicGroups.of(read_groups({"q1": "en", "q2": "fr", "q3": "en"}), ["q1", "q2", "q3"])
    >>> found.names, found.number.tolist()
    (('en', 'fr'), [0, 1, 0])
    """

    names: tuple[str, ...]
    """The groups, as they first come among the topics."""
    number: Rows
    """The group of each topic."""

    @classmethod
    def of(cls, given: Grouping, topics: Sequence[str], counting: Rows | None = None) -> TopicGroups:
        """The groups of topics; of those that count, given by number, one that has none is refused."""
        groups = [given.by_topic.get(topic) for topic in topics]
        count = range(len(topics)) if counting is None else counting.tolist()
        lost = [topics[topic] for topic in count if groups[topic] is None]
        if lost:
            more = f" and {counted(len(lost) - 1, 'other topic')}" if len(lost) > 1 else ""
            verb = "have" if more else "has"
            raise InputError(
                f"topic {lost[0]}{more} of {len(count):,} {verb} no group; name one for every topic",
                given.file,
            )
        names = tuple(dict.fromkeys(group for topic in count if (group := groups[topic]) is not None))
        place = {name: at for at, name in enumerate(names)}
        return cls(names, np.array([place.get(group or "", -1) for group in groups], dtype=np.intp))

    def of_topics(self, topics: Rows) -> TopicGroups:
        """The groups of some of the topics, given by number; groups that have none of them are left out."""
        used = [*dict.fromkeys(self.number[topics].tolist())]
        place = {number: at for at, number in enumerate(used)}
        number = np.array([place[each] for each in self.number[topics].tolist()], dtype=np.intp)
        return TopicGroups(tuple(self.names[each] for each in used), number)

    def __len__(self) -> int:
        return len(self.names)


def given_groups(group: Any) -> Grouping | None:
    """What a caller gives as ``group``, read before anything else is."""
    if group is None:
        return None
    from truerank.io.groups import read_groups

    return read_groups(group)
