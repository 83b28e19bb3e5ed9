"""The page against canned messages: how a test opens it, what it waits for, what a hand does on it."""

from tests.host_tools.web.browser import let_cards_rest
from tests.host_tools.web.fake_table import IS_GREETED
from tests.patience import wait_for

SIZES = {"laptop": (1280, 720), "tablet": (1024, 768), "phone": (390, 844)}


def at_table(window, fake, scene="durak", language="en", role="host", size="laptop", **more):
    """A page that shows the scene, with nothing on it moving any more."""
    page = window.open(fake.url(scene, language, role), SIZES[size], touch=size == "phone", is_kept=True, **more)
    page.wait_for_selector(IS_GREETED)
    # The panel of the end comes late: its code is fetched when a game is over.
    page.wait_for_selector(f"#panel.{scene}" if scene in ("lobby", "over") else "[data-light]")
    let_cards_rest(page)
    return page


def until(page, expression):
    """Wait for it to be true; Playwright's own wait would need `eval`, which the policy forbids. What it asks for may
    not be on the page yet."""
    asked = (f"() => {{ try {{ return {expression}; }} "
             "catch (wrong) { if (wrong instanceof TypeError) return false; throw wrong; } }")
    wait_for(lambda: page.evaluate(asked), "the test", f"the page: {expression}")


def wait_for_acts(fake, verb, count=1):
    """The acts of that name once `count` of them were taken."""
    wait_for(lambda: len(fake.done(verb)) >= count, "the test", lambda: f"{count} {verb}; there came {fake.acts}")
    return fake.done(verb)


def hang_up(page, fake):
    """Close the page, and wait until the table has heard all that it has said."""
    page.close()
    wait_for(lambda: not fake.sockets, "the test", "the end of the page's connection")


def centre(page, selector):
    """Of the first of them. One that is drawn again in this very moment has no box."""
    box = wait_for(page.locator(selector).first.bounding_box, "the test", f"a place of {selector}")
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, source, target):
    x, y = centre(page, source)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 20, y - 20)
    page.mouse.move(*target, steps=4)
    page.mouse.up()


def find_covered(page):
    """Own cards, buttons and readers of which the upper left corner, or the middle, lies under something else."""
    return page.evaluate(
        """() => Array.from(document.querySelectorAll(
             '.card.own, #own .key, #own .reader, .refusal:not([hidden]) .rule')).filter((one) => {
             const box = one.getBoundingClientRect();
             const middle = [box.left + box.width / 2, box.top + box.height / 2];
             const hit = document.elementFromPoint(...(one.matches('.card') ? [box.left + 8, box.top + 14] : middle));
             return !(hit && (hit === one || one.contains(hit)));
           }).map((one) => one.outerHTML.slice(0, 120))"""
    )


def names_in_tree(page):
    """Every name in the browser's accessibility tree."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    return [node["name"]["value"] for node in nodes if not node.get("ignored") and node.get("name", {}).get("value")]
