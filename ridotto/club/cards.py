"""Pictures as points, for previews of links: messengers take no SVG. Needs the extra `club`."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path


def is_installed() -> bool:
    """Whether pictures can be drawn as points."""
    return find_spec("resvg_py") is not None


def png(svg: str, fonts: Sequence[Path]) -> bytes:
    """A drawing as a PNG, with these fonts and no others."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, font_files=[str(font) for font in fonts], skip_system_fonts=True))
