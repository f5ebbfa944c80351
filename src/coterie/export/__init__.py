"""Episodes for other tools, made from their logs: Foxglove (MCAP files, and live) and LeRobot (datasets)."""
