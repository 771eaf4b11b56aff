"""A review as one HTML file: read from disk, without a script, a font or an address outside it.

``markup``  text made part of a page
``values``  recorded texts and values: marked where they differ, shortened to that, and capped
``steps``   the aligned trajectory of a pair
``style``   how it looks on a screen, light or dark, and on paper
``page``    all of it, within a limit of size
"""

from reviewlib.report.html.page import render, render_gate

__all__ = ["render", "render_gate"]
