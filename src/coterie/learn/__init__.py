"""Training a small model to play the roles of a protocol: demonstrations, corrections, training, export, evaluation.

`demos` plays lessons and lets a teacher label every request, `rename` takes the names out of what is learnt, `samples`
keeps and mixes it. `weights`, `network`, `tuning` and `saying` are the model in PyTorch;
`export` turns what was trained into the file that the embedded model takes in.
"""
