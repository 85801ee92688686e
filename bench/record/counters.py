"""Says whether this machine counts the instructions of a program, as one line of JSON; its kind is the argument.

Where it does, a figure may be built on them; where it does not, the reason is the kernel's (perf_event_open(2)).
"""

import ctypes
import datetime
import json
import os
import platform
import struct
import sys

CALLS = {"x86_64": 298, "aarch64": 241}
HARDWARE, INSTRUCTIONS = 0, 1
EXCLUDE_KERNEL_AND_HYPERVISOR = 1 << 5 | 1 << 6
attributes = struct.pack("IIQQQQQ", HARDWARE, 64, INSTRUCTIONS, 0, 0, 0, EXCLUDE_KERNEL_AND_HYPERVISOR)
libc = ctypes.CDLL(None, use_errno=True)
buffer = ctypes.create_string_buffer(attributes.ljust(64, b"\0"))
counter = libc.syscall(CALLS[platform.machine()], buffer, 0, -1, -1, 0)
if counter < 0:
    found = {"instructions": None, "why": os.strerror(ctypes.get_errno())}
else:
    sum(range(100_000))
    found = {"instructions": struct.unpack("Q", os.read(counter, 8))[0]}
date = datetime.date.today().isoformat()
print(json.dumps({"machine": sys.argv[1], "date": date, "kernel": platform.release(), **found}))
