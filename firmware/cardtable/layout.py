"""Whether each module of this build lies in the folder of its room."""

from micropython import const

IS_FLAT = const(0)  # 1 in lean code, whose modules lie in one folder: host_tools/virtual/flat.py
