"""How long thoughts and messages may be, by style of prompt."""

#: The most characters of a thought and of a message: a reply that is cut off before its action says nothing.
LENGTHS = {"compact": (48, 200), "full": (1500, 300), "paper": (1500, 300)}
