"""Runs and judgments from files and Python data; the one writer of files.

Nothing is imported here, so that what needs no numpy, such as ``writing``, does without it. ``truerank`` names the
readers: ``read_run``, ``read_qrels`` and ``read_preferences``.
"""
