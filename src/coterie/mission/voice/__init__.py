"""Speech, offline: what people say aloud becomes words that are read back, and what they are told is spoken.

Needs the extra `speech` (pocketsphinx, which brings an English model, and espeak-ng). Recognition knows the words that
can be said here and nothing else; what it heard is never acted on without being read back.
"""
