"""How phones hear that their table has changed, without asking: notices and streams.

A notice says "table T is at version N" and nothing else; what is new the phone fetches itself.
"""
