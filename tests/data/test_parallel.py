from __future__ import annotations

import time
from threading import Thread

import pytest

from truerank.data.parallel import Ahead, blocks, is_ahead, parallel, topic_blocks


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_keep_the_order_of_tasks(threads: int) -> None:
    def slowly(task: int) -> int:
        time.sleep(0.001 * (task % 3))
        return task * task

    assert parallel(slowly, range(20), threads) == [task * task for task in range(20)]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_first_failing_task_is_the_one_reported(threads: int) -> None:
    def fail(task: int) -> None:
        if task >= 3:
            time.sleep(0.02 if task == 3 else 0)
            raise ValueError(f"task {task}")

    with pytest.raises(ValueError, match="task 3"):
        parallel(fail, range(20), threads)


def test_work_is_done_where_no_thread_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []

    def start(thread: Thread) -> None:
        started.append(thread)
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(Thread, "start", start)
    assert parallel(abs, [-1, -2, -3], 3) == [1, 2, 3]
    assert len(started) == 2
    calls: list[int] = []
    ahead = Ahead(lambda: calls.append(1) or len(calls))  # type: ignore[func-returns-value]
    assert (ahead.result(), ahead.result(), is_ahead()) == (1, 1, False)
    with pytest.raises(ZeroDivisionError):
        Ahead(lambda: 1 // 0).result()


def test_no_tasks() -> None:
    assert parallel(abs, [], 2) == []
    assert blocks(0, 3) == []
    assert topic_blocks([0], 3) == []


@pytest.mark.parametrize("size", [1, 3, 100])
def test_blocks_cover_all(size: int) -> None:
    assert [row for block in blocks(10, size) for row in range(10)[block]] == list(range(10))
    cut = topic_blocks([0, 0, 4, 5, 5, 9, 10], size)
    assert [topic for first, last in cut for topic in range(first, last)] == list(range(6))
