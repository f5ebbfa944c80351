"""Scripts that make files of the package: the stop kernel, the interpreter, and the table of kinds that are alike."""
