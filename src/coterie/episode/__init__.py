"""One episode: who is in it, what each robot believes and does, who is asked, and how time goes on."""
