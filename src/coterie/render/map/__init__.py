"""Draws descriptions (`coterie.render.describe`): floor, names, team, words beside the map, films, pages, terminals."""
