"""The wiring drawing as a browser shows it: no word lies on another, none leaves the page."""

from pathlib import Path

from playwright.async_api import Browser

from controller.settings.table import load
from controller.settings.wiring_drawing import drawing

EXAMPLE = Path(__file__).parents[2] / "config" / "table.toml"
_MEASURE = """() => {
  const all = [...document.querySelectorAll("text")].map((one) => [one.textContent, one.getBoundingClientRect()]);
  const page = document.querySelector("svg").getBoundingClientRect();
  const found = all.filter(([, at]) => at.left < page.left || at.right > page.right || at.bottom > page.bottom);
  for (const [number, [words, at]] of all.entries())
    for (const [others, there] of all.slice(0, number)) {
      const across = Math.min(at.right, there.right) - Math.max(at.left, there.left);
      const down = Math.min(at.bottom, there.bottom) - Math.max(at.top, there.top);
      if (across > 1 && down > 3) found.push([words, others]);
    }
  for (const box of document.querySelectorAll("rect[stroke]")) {
    const frame = box.getBoundingClientRect();
    for (const [words, at] of all) {
      const is_beside = at.left >= frame.right || at.right <= frame.left;
      const is_in = at.top >= frame.top && at.bottom <= frame.bottom + 1 && !is_beside;
      if (is_in && (at.left < frame.left || at.right > frame.right)) found.push([words, "leaves its box"]);
    }
  }
  return [all.length, found.map(String)];
}"""


async def test_no_word_of_the_wiring_drawing_lies_on_another(chrome: Browser) -> None:
    """A technician reads it on paper: nothing can be moved aside."""
    page = await chrome.new_page(viewport={"width": 960, "height": 1000})
    await page.set_content(drawing(load(EXAMPLE)))
    words, found = await page.evaluate(_MEASURE)
    await page.close()
    assert words > 100
    assert found == []
