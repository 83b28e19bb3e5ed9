"""Many tasks of one kind over all cores, or over other machines: in order, in constant memory, with a bar and a mark
from which a run that was cut off goes on. It knows neither records nor games."""
