"""Waiting for the drawing on the page Graph."""

from playwright.async_api import FloatRect, Page, expect


async def drawn(page: Page, nodes: int, edges: int, *, seconds: int = 60) -> None:
    """Wait until the drawing has so many nodes and edges."""
    counts = f"{_count(nodes, 'node')} · {_count(edges, 'edge')}"
    await expect(page.get_by_role("img", name=counts, exact=True)).to_be_visible(timeout=1000 * seconds)


async def place_of_drawing(page: Page) -> FloatRect:
    box = await page.get_by_role("region", name="Drawing").bounding_box()
    assert box is not None
    return box


def _count(number: int, name: str) -> str:
    return f"{number:,} {name}{'' if number == 1 else 's'}"
