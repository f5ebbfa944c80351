"""Houses in ProcTHOR's JSON: the reader, and a generator that writes the same format."""
