"""Greenlets that hand values to each other, with the standard library patched."""

from __future__ import annotations

from gevent import monkey

monkey.patch_all()

import socket  # noqa: E402
import threading  # noqa: E402
import time  # noqa: E402

import gevent  # noqa: E402
from gevent.pool import Pool  # noqa: E402
from gevent.queue import Queue  # noqa: E402

LOG = []


def worker(name, tasks, done):
    while (task := tasks.get()) is not None:
        LOG.append((name, task))
        gevent.sleep(0)
        done.put((task, task * task))
    return name


def serve(listener, turns):
    for _ in range(turns):
        connection, _ = listener.accept()
        with connection:
            connection.sendall(connection.recv(100).upper())


def ask(address, text):
    with socket.create_connection(address) as connection:
        connection.sendall(text.encode())
        return connection.recv(100).decode()


def fail(n):
    gevent.sleep(0)
    return 1 // n


def main():
    tasks, done = Queue(), Queue()
    workers = [gevent.spawn(worker, name, tasks, done) for name in "abc"]
    for n in range(9):
        tasks.put(n)
    for _ in workers:
        tasks.put(None)
    gevent.joinall(workers)
    print(sorted(done.get() for _ in range(9)), [w.value for w in workers], len(LOG))
    listener = socket.create_server(("127.0.0.1", 0))
    server = gevent.spawn(serve, listener, 3)
    address = listener.getsockname()
    asked = [gevent.spawn(ask, address, text) for text in ("one", "two", "three")]
    gevent.joinall([server, *asked], timeout=10)
    print(sorted(each.value for each in asked))
    listener.close()
    gevent.get_hub().exception_stream = None  # it would tell the time
    failed = [gevent.spawn(fail, n) for n in (0, 1)]
    gevent.joinall(failed)
    print([type(each.exception).__name__ for each in failed], failed[1].value)
    print(Pool(2).map(lambda n: (time.sleep(0), n * 2)[1], range(5)))
    found = []
    thread = threading.Thread(target=found.append, args=("thread",))
    thread.start()
    thread.join()
    with gevent.Timeout(0.01, False):
        gevent.sleep(5)
        found.append("too late")
    print(found)


main()
