"""A bench that outgrows one machine: shards in a shared folder, Ray, Slurm. Each plays the same episodes, and what is
merged is what one machine would have written."""
