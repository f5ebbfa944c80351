"""Coterie as a server of the Model Context Protocol: tools for agents, who are persons with rights."""
