"""What the columns of each kind of file are, and how a line that does not have them is refused."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from truerank.data.errors import InputError, Origin
from truerank.data.printing import counted, shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The columns of a kind of file.

    >>> print(RUN.malformed(4, Origin(), 0))
    4 columns where a run has 6 (topic Q0 document rank score tag); these look like qrels: give a run here
    """

    kind: str
    columns: tuple[str, ...]
    ids: tuple[int, ...]
    """Columns that hold document ids."""
    number: int | None = None
    """The column that holds a number."""
    topic: int = 0
    """The column that holds the topic."""
    more: bool = False
    """Whether a line may have further columns."""
    numeric: int | None = None
    """A column that is a number, by which an id with a space in it is found out where further columns are allowed."""
    alike: dict[int, str] = field(default_factory=dict)
    """What a line with another number of columns looks like."""

    @property
    def wanted(self) -> tuple[int, ...]:
        """The columns that are read."""
        return (self.topic, *self.ids) if self.number is None else (self.topic, *self.ids, self.number)

    def malformed(self, count: int, origin: Origin, offset: int) -> InputError:
        """Return the error for a line with so many columns."""
        expected = len(self.columns)
        if count in self.alike:
            remedy = f"these look like {self.alike[count]}: give {self.kind} here"
        else:
            remedy = "add what is missing" if count < expected else "remove what is too much, as a space inside an id"
        return origin.error(
            f"{counted(count, 'column')} where {self.kind} {'has' if self.kind[:2] == 'a ' else 'have'} "
            f"{expected} ({' '.join(self.columns)}); {remedy}",
            offset,
        )

    def not_a_number(self, text: bytes, origin: Origin, offset: int) -> InputError:
        """Return the error for a field that is not a finite number."""
        name = self.columns[self.number or 0]
        return origin.error(f"the {name} is {shown(text)}; give a finite number", offset)

    def empty(self, origin: Origin) -> InputError:
        """Return the error for a file without lines."""
        return origin.error(f"the file holds no lines; give {self.kind} with lines of: {' '.join(self.columns)}")


RUN = Layout(
    kind="a run",
    columns=("topic", "Q0", "document", "rank", "score", "tag"),
    ids=(2,),
    number=4,
    more=True,
    numeric=3,
    alike={3: "preferences, or a list without scores", 4: "qrels"},
)
BY_RANK = replace(RUN, number=3)
QRELS = Layout(
    kind="qrels",
    columns=("topic", "iteration", "document", "grade"),
    ids=(2,),
    number=3,
    alike={3: "preferences", 6: "a run"},
)
PREFERENCES = Layout(
    kind="preferences",
    columns=("topic", "better", "worse"),
    ids=(1, 2),
    alike={4: "qrels", 6: "a run"},
)
COMPARED = Layout(
    kind="preferences",
    columns=("topic", "document", "document", "relation"),
    ids=(1, 2, 3),
    alike={6: "a run"},
)
GROUPED = Layout(
    kind="a file of grouped preferences",
    columns=("topic", "group", "subgroup", "document", "grade"),
    ids=(3, 1, 2),
    number=4,
    alike={3: "pairs of preferences", 4: "qrels", 6: "a run"},
)
RANKED = Layout(
    kind="a list",
    columns=("topic", "document", "rank"),
    ids=(1,),
    number=2,
    alike={4: "qrels", 6: "a run"},
)
LISTED = Layout(
    kind="a list",
    columns=("topic", "document"),
    ids=(1,),
    alike={4: "qrels", 6: "a run"},
)
