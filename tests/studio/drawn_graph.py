"""What tests do to the drawing of the page Graph."""

from playwright.async_api import FloatRect, Page, expect

CORNER = 14  # pixels of the frame that its round corners cut off


async def drawn(page: Page, nodes: int, edges: int, *, seconds: int = 60) -> None:
    """Wait until so much is drawn."""
    counts = f"{_count(nodes, 'node')} · {_count(edges, 'edge')}"
    await expect(page.get_by_role("img", name=counts, exact=True)).to_be_visible(timeout=1000 * seconds)


async def place_of_drawing(page: Page) -> FloatRect:
    box = await page.get_by_role("region", name="Drawing").bounding_box()
    assert box is not None
    return box


async def draw_lasso(page: Page, *, part: float) -> None:
    """Draw a line around the right-hand part of the drawing; 1 is all of it."""
    await page.get_by_role("button", name="Choose nodes by a line around them").click()
    await expect(page.get_by_role("img", name="Draw a line around the nodes to choose")).to_be_visible()
    box = await place_of_drawing(page)
    right, bottom = box["x"] + box["width"] - CORNER, box["y"] + box["height"] - CORNER
    left, top = box["x"] + box["width"] * (1 - part) + CORNER, box["y"] + CORNER
    await page.mouse.move(right, bottom)
    await page.mouse.down()
    for x, y in ((left, bottom), (left, top), (right, top)):
        await page.mouse.move(x, y, steps=8)
    await page.mouse.up()


def _count(number: int, name: str) -> str:
    return f"{number:,} {name}{'' if number == 1 else 's'}"
