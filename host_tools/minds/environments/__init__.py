"""Games for programs that learn: acts by number, what a seat sees as bytes, the interfaces that their tools speak."""

from host_tools.base import on_host

on_host.prepare()  # whoever learns imports this and starts none of our commands
