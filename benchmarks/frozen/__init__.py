"""What commands answered before a change, held against what they answer after it, value by value.

Freeze the old tree and the new one, each with the Python that has its truerank, from the folder that has benchmarks::

    old/.venv/bin/python -m benchmarks.frozen freeze old.json.gz --data DATA --old
    new/.venv/bin/python -m benchmarks.frozen freeze new.json.gz --data DATA
    python -m benchmarks.frozen compare old.json.gz new.json.gz

DATA has the folders trec8, covid2, dl21 and classic. ``--old`` takes a case's old command line if it has two;
``--only NAME`` freezes the cases whose names begin so, into what is frozen already, or compares them. A frozen tree
has, by case, the document of JSON, sheets that are not in it, the data of the figure, and the notes with their short
forms.

To compare, all of that becomes (case, sheet, row key, column) -> value. Every old value must be there in the new
tree: equal, or to 1e-12 if it is no whole number. The file ``keys.txt`` maps what has another name now, lists what
is gone and what has another value, each with the reason; its head explains its lines. What it does not map fails.
"""
