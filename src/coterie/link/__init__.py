"""Robots and people in other processes: a mind that sits elsewhere, and hears and says everything as lines of JSON."""

from coterie.link.remote import Remote

__all__ = ["Remote"]
