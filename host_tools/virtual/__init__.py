"""The virtual table: chips wired as a board says, people with scripted hands, and the device that meets
them.
"""
