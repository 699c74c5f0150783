#!/usr/bin/env python3
"""Uses the page of `realm-cli serve` with the keyboard alone.

Needs what browse.py needs. usage: keys.py PROGRAM
"""
import pathlib, shutil, subprocess, sys, tempfile

from playwright.sync_api import sync_playwright

root = pathlib.Path(__file__).resolve().parents[2]
program = sys.argv[1] if len(sys.argv) > 1 else str(root / ".build/release/realm-cli")
failures = []


def expect(what, is_so):
    print(("ok    " if is_so else "FAIL  ") + what)
    if not is_so:
        failures.append(what)


class Keys:
    def __init__(self, page):
        self.page = page

    def press(self, *keys, wait=500):
        for key in keys:
            self.page.keyboard.press(key)
        self.page.wait_for_timeout(wait)

    def type(self, text):
        self.page.keyboard.type(text)

    def focused(self):
        return self.page.evaluate(
            "(() => { const e = document.activeElement; return [document.body, document.getElementById('main')].includes(e) ? '' : (e.getAttribute('aria-label') || e.id || e.innerText).trim() })()")

    def tab(self, label, back=False, exact=False):
        """Goes on with Tab to what has this label."""
        for _ in range(90):
            self.page.keyboard.press("Shift+Tab" if back else "Tab")
            if self.focused() == label if exact else label in self.focused():
                return
        expect(f"'{label}' is reached by Tab", False)

    def open(self):
        """Opens a dialog by Enter."""
        self.press("Enter", wait=0)
        self.page.wait_for_selector("dialog[open]")

    def save(self):
        self.press("Control+s", wait=0)
        self.page.wait_for_selector("dialog:not([open])", state="attached")
        # The commit comes back as an event, too.
        self.page.wait_for_timeout(1000)


def rows(page, keys):
    keys.tab("zoo.realm")
    keys.press("Enter")
    keys.tab("Person")
    keys.press("Enter")
    expect("a card and a class are opened", "#/0/rows/Person" in page.url)
    keys.press("/", wait=0)
    keys.type("ag")
    keys.press("Tab")
    keys.type("> 90")
    keys.press("Enter")
    expect("a condition is completed and found", " of 200" in page.inner_text(".bar"))
    keys.press("/", "Control+a", "Delete", "Enter")
    keys.press("/", "ArrowUp")
    expect("a condition is found again", page.input_value(".query input").startswith("age"))
    keys.press("Control+a", "Delete", "Enter")
    keys.tab("Objects of Person")
    keys.press("l", "s")
    expect("a column sorts, and the grid keeps the focus", "sort=name" in page.url and keys.focused() == "Objects of Person")
    keys.press("s")
    keys.press("s")
    keys.press("i")
    expect("a summary opens", page.locator("dialog[open] dl").count() > 0)
    keys.press("Escape", " ")
    expect("a value is shown", page.locator("dialog[open]").count() == 1)
    keys.press("Escape", "y")
    expect("it is copied, and the grid has the focus again", page.inner_text("#toast") == "Copied" and keys.focused() == "Objects of Person")
    keys.tab("Columns", back=True)
    keys.press("Enter")
    keys.press("Space", "Escape")
    expect("a column is hidden", "_id" not in page.inner_text(".grid .head"))
    keys.press("Enter")
    keys.press("Space", "Escape")
    keys.tab("Export")
    with page.expect_download() as download:
        keys.press("ArrowDown")
    expect("a file is exported", download.value.suggested_filename == "Person.csv")


def objects(page, keys):
    keys.tab("Objects of Person")
    keys.press("n")
    keys.type("9001")
    for name, value in [("name", "Key"), ("age", "5"), ("weight", "-inf"), ("balance", "2"), ("token", "00000000-0000-0000-0000-000000000000")]:
        keys.tab(f"field-{name}")
        keys.type(value)
    keys.save()
    expect("an object is created", "/object/Person" in page.url and all(text in page.inner_text("main") for text in ["Key", "-Infinity"]))
    keys.press("e")
    keys.open()
    keys.press("Control+a")
    keys.type("Kez")
    keys.save()
    expect("a value is edited", "Kez" in page.inner_text(".fields"))
    tags = lambda: page.inner_text("tr:has(th:has-text('tags'))")
    keys.tab("Add to tags")
    for text in ["one", "two"]:
        keys.open()
        keys.type(text)
        keys.save()
        expect(f"'{text}' is added, and the focus stays", text in tags() and keys.focused() == "Add to tags")
    keys.tab("Move tags › 1 up")
    keys.press("Enter")
    expect("an element is moved", tags().index("two") < tags().index("one"))
    keys.press("u")
    expect("that is undone", tags().index("one") < tags().index("two"))
    keys.press("r")
    keys.tab("Delete", exact=True)
    keys.press("Enter")
    keys.tab("Delete", exact=True)
    keys.press("Enter", wait=900)
    expect("the object is deleted", "rows/Person" in page.url and "200 objects" in page.inner_text(".bar"))
    keys.press("Enter")
    expect("Enter opens an object", "/object/Person" in page.url)
    keys.press("j", "j", "Escape")
    expect("Escape goes back to the rows", "rows/Person" in page.url)


def others(page, keys):
    keys.press("2")
    keys.tab("Language")
    keys.press("ArrowDown", wait=800)
    expect("definitions are shown in a language", "class " in page.inner_text("pre") or "import" in page.inner_text("pre"))
    keys.tab("Dog", back=True)
    keys.press("Enter")
    expect("a class of the diagram is opened", "rows/Dog" in page.url)
    keys.press("3")
    keys.tab("Check", exact=True)
    keys.press("Enter", wait=1000)
    expect("the file is checked", "sound" in page.inner_text("main"))
    keys.tab("Compact", exact=True)
    keys.press("Enter", wait=1200)
    expect("and compacted", "ompact" in page.inner_text("main [aria-live]"))
    keys.press("p")
    expect("commits are not followed", page.inner_text("#live") == "Paused")
    keys.press("p", "?")
    expect("help opens at its top", page.locator("dialog[open] kbd").count() > 10 and page.evaluate("dialog.scrollTop") == 0)
    keys.press("Escape", "1")
    keys.tab("realm-name", back=True)
    keys.press("Enter")
    expect("the way back to all realms", page.locator(".card").count() == 2)


def main():
    work = pathlib.Path(tempfile.mkdtemp(prefix="realm-keys-"))
    for name in ["zoo", "place"]:
        shutil.copy(root / f"fixtures/{name}.realm", work)
    server = subprocess.Popen([program, "serve", "-w", work / "zoo.realm", work / "place.realm"], stdout=subprocess.PIPE, text=True)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            context = browser.new_context(viewport={"width": 1280, "height": 800}, permissions=["clipboard-read", "clipboard-write"])
            context.set_default_timeout(10_000)
            page = context.new_page()
            page.on("pageerror", lambda error: failures.append(str(error)))
            page.goto(server.stdout.readline().strip())
            page.wait_for_selector(".card")
            keys = Keys(page)
            for part in [rows, objects, others]:
                part(page, keys)
            browser.close()
    finally:
        server.terminate()
        server.wait(10)
    shutil.rmtree(work)
    print(*failures, sep="\n")
    sys.exit(1 if failures else 0)


main()
