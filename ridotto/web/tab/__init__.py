"""The table in a tab: the same program as on a server, in a worker of the reader's browser."""

import time

if not hasattr(time, "thread_time"):  # a browser's Python has one thread, and no clock of its own for it
    time.thread_time = time.process_time
