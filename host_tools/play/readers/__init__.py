"""Real cards at the virtual table: readers that are phones or USB devices, each in the place of a modelled one.

`readers.py` is the table's end of it, `real.py` the table whose cards are real, `deeds.py` what pages may do there,
`enrolment.py` a deck that one reader registers, `pcsc.py` readers of PC/SC.
"""
