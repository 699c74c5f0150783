#!/usr/bin/env python3
"""Goes through the page of `realm-cli serve` in a real browser.

Needs Debian's chromium and PyPI's playwright (and axe-playwright-python for the accessibility rules); where one of them is
missing it says so and passes over. usage: browse.py PROGRAM [SCREENSHOT_FOLDER]
"""
import atexit, pathlib, shutil, sqlite3, subprocess, sys, tempfile, time
from urllib.parse import quote

root = pathlib.Path(__file__).resolve().parents[2]
program = sys.argv[1] if len(sys.argv) > 1 else str(root / ".build/release/realm-cli")
pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None

browser_path = shutil.which("chromium") or shutil.which("chromium-browser")
try:
    from playwright.sync_api import sync_playwright
except ImportError:
    sys.exit(print("browse: skipped, playwright is not installed"))
if not browser_path:
    sys.exit(print("browse: skipped, no chromium is installed"))
try:
    from axe_playwright_python.sync_playwright import Axe
except ImportError:
    Axe = None

failures = []


def expect(what, is_so):
    print(("ok    " if is_so else "FAIL  ") + what)
    if not is_so:
        failures.append(what)


class Server:
    def __init__(self, *words):
        self.process = subprocess.Popen([program, "serve", *map(str, words)], stdout=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)
        self.address = self.process.stdout.readline().strip()

    def end(self):
        self.process.terminate()
        self.process.wait(10)


def shot(page, name):
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=str(pictures / f"{name}.png"))


def settled(page):
    page.wait_for_load_state("load")
    page.wait_for_timeout(700)


def visit(page, server, fragment):
    page.goto(server.address.split("?")[0] + fragment)
    settled(page)


def axe(page, name):
    if Axe is None:
        return
    found = Axe().run(page).response["violations"]
    for violation in found:
        print("      ", violation["id"], violation["help"], [node["html"][:140] for node in violation["nodes"]][:2])
    expect(f"axe finds nothing on {name}", not found)


def keyboard(page, server):
    """Goes to an object, a link of it, the schema and back without a pointer."""
    visit(page, server, "#/0/rows/Dog")
    page.keyboard.press("/")
    page.keyboard.type("owner != nil")
    page.keyboard.press("Enter")
    settled(page)
    page.locator(".grid").focus()
    width = page.locator(".grid .head .cell").nth(1).bounding_box()["width"]
    page.keyboard.press(">")
    page.keyboard.press("]")
    page.wait_for_timeout(200)
    heads = page.locator(".grid .head [data-head]").all_inner_texts()
    expect("keys move and widen a column", heads[1].startswith("name") and page.locator(".grid .head .cell").nth(2).bounding_box()["width"] > width)
    page.keyboard.press("[")
    for key in ["j", "j", "s"]:
        page.keyboard.press(key)
    settled(page)
    expect("a key sorts", "sort=" in page.url)
    page.keyboard.press("Enter")
    settled(page)
    expect("Enter opens the object", "#/0/object/Dog/" in page.url)
    for _ in range(20):
        page.keyboard.press("j")
        if page.evaluate("document.activeElement.className") == "chip":
            break
    page.keyboard.press("Enter")
    settled(page)
    expect("a link is followed by keys", "#/0/object/Person/" in page.url)
    page.keyboard.press("Escape")
    settled(page)
    expect("Escape goes back to where it was followed", "#/0/object/Dog/" in page.url)
    page.keyboard.press("2")
    settled(page)
    expect("a number changes the screen", "#/0/schema" in page.url)
    page.keyboard.press("?")
    expect("? tells the keys", page.locator("dialog[open] kbd").count() > 10)
    page.keyboard.press("Escape")


def tabs(page, program, server, realm):
    """More tabs than a browser has connections, all of which see a commit."""
    pages = [page.context.new_page() for _ in range(8)]
    for other in pages:
        other.goto(server.address.split("?")[0] + "#/0/rows/Dog")
        other.wait_for_selector(".bar:has-text('objects')")
    count = int(pages[0].inner_text(".bar h1 + span").split()[0])
    for number in [1, 2]:
        subprocess.run([program, "-w", "--yes", realm, "insert Dog {\"name\": \"Rex\", \"age\": 1, \"vaccinated\": true}"], check=True, capture_output=True)
        for other in pages:
            other.wait_for_selector(f".bar:has-text('{count + number} objects')")
        # The one that listens for the others may be any of them.
        for other in pages[:4]:
            other.close()
        pages = pages[4:]
    expect("many tabs follow commits together", True)


def edits(page, program, work):
    """Values come back as they were, and what another program commits meanwhile puts nothing in a wrong place."""
    realm = work / "edits.realm"
    mixed = ['[1, 2, 3, 4, 5, 6]', '[[[[5, 3.0], 2]]]', '{"a": {"b": {"c": [1.0, -0.0]}}}', '{"$binary": "1234"}', '3.0', '-0.0', '5e15', '{"$float": 3.0}', '{"$date": "2020-01-31T12:00:00Z"}', '{"$decimal": "1.20E+3"}', '{"$uuid": "123e4567-e89b-12d3-a456-426614174000"}', '{"$oid": "0123456789abcdef01234567"}', '{"$link": {"class": "P", "key": 0}}', '"text"', '9223372036854775807', 'true', 'null', str(list(range(150)))]

    def run(*statements):
        subprocess.run([program, "-w", "--yes", realm, *statements], check=True, capture_output=True)

    def dump():
        return subprocess.run([program, "dump", realm], check=True, capture_output=True).stdout

    def edit(column):
        page.locator(".grid").focus()
        page.keyboard.press("Home")
        for _ in range(20):
            page.keyboard.press("h")
        for _ in range(column):
            page.keyboard.press("l")
        page.keyboard.press("e")
        page.wait_for_selector("dialog[open]")

    def save():
        page.keyboard.press("Control+s")
        page.wait_for_selector("dialog:not([open])", state="attached")

    subprocess.run([program, "create", realm], check=True)
    run("create class P { id: int primary key, extra: mixed, tags: list<string>, d: double }",
        *(f'insert P {{"id": {id}, "extra": {value}, "tags": ["a", "b"], "d": 1.5}}' for id, value in enumerate(mixed)))
    server = Server("-w", realm)
    page.goto(server.address)
    settled(page)
    before, same, unwritten = dump(), [], []
    for id in range(len(mixed)):
        visit(page, server, f"#/0/rows/P?where=id%3D{id}")
        content = realm.read_bytes()
        edit(1)
        save()
        unwritten.append(realm.read_bytes() == content)
        edit(1)
        if not page.locator("dialog .null input").is_checked():
            page.fill("dialog textarea", page.input_value("dialog textarea") + " " if mixed[id][0] != '"' else mixed[id] + " ")
        save()
        settled(page)
        same.append(dump() == before)
    expect("each mixed value is written back as it was", all(same))
    expect("what was not changed is not written", all(unwritten))

    visit(page, server, "#/0/object/P/3")
    page.get_by_label("Edit tags › 1", exact=True).click()
    page.fill("dialog textarea", "mine")
    run('update P set tags = ["new", "a", "b"] where id = 3')
    after = dump()
    page.keyboard.press("Control+s")
    page.wait_for_selector("dialog .alarm:has-text('has changed')")
    expect("an element that moved meanwhile is not overwritten", dump() == after)
    page.keyboard.press("Escape")

    visit(page, server, "#/0/rows/P")
    for key in ["j", "j", "j"]:
        page.keyboard.press(key)
    run("delete P where id == 1")
    page.wait_for_selector(f".bar:has-text('{len(mixed) - 1} objects')")
    page.wait_for_timeout(300)
    for _ in range(3):
        page.keyboard.press("l")
    page.keyboard.press("e")
    page.wait_for_selector("dialog[open]")
    expect("the cursor stays at its object", page.inner_text("#dialog-title") == "Edit P 3 › d")
    page.fill("dialog input", "-0.0")
    save()
    settled(page)
    expect("-0.0 is kept", b'"d":-0.0' in dump().replace(b": ", b":"))
    run("delete P where id == 3")
    page.wait_for_selector(f".bar:has-text('{len(mixed) - 2} objects')")
    page.wait_for_timeout(300)
    page.keyboard.press("e")
    page.keyboard.press("Delete")
    page.wait_for_timeout(500)
    expect("no key means another object than the one that is gone", page.locator("dialog[open]").count() == 0)

    run("alter class P drop d", "alter class P add a: string default 'added'", "alter class P rename tags to words")
    page.wait_for_selector(".grid .head:has-text('words')")
    page.wait_for_selector(".grid .row:has-text('added')")
    heads = [text.split("\n")[0] for text in page.locator(".grid [data-head]").all_inner_texts()]
    added = page.locator(f".grid .row[data-row='0'] [data-column='{heads.index('a')}']").inner_text()
    expect("values are under their names after the schema has changed", set(heads) == {"id", "extra", "words", "a"} and added == "added")

    visit(page, server, "#/0/rows/P?where=" + quote('select id, id + 1 as "2", id + 2 as "1", id from P where id = 7'))
    heads = [text.split("\n")[0] for text in page.locator(".grid [data-head]").all_inner_texts()]
    row = page.locator(".grid .row[data-row='0'] [data-column]").all_inner_texts()
    expect("no column of a result is lost or moved", heads == ["id", "2", "1", "id"] and row == ["7", "8", "9", "7"])
    server.end()

    server = Server("-w", work / "place.realm")
    page.goto(server.address)
    settled(page)
    visit(page, server, "#/0/object/Place/1")
    page.get_by_label("Edit location › coordinates › 0", exact=True).click()
    page.fill("dialog input", "12.25")
    save()
    settled(page)
    expect("an element inside an embedded object is edited", "12.25" in page.inner_text(".fields"))
    page.get_by_label("Set location to null", exact=True).click()
    settled(page)
    expect("an embedded object is set to null", page.locator(".inner").count() == 0)
    server.end()


def abandoned(page, program, work):
    """What nobody waits for any more ends on the server, and the page says what has become of its file and its server."""
    realm = work / "moved.realm"
    shutil.copy(root / "fixtures/zoo.realm", realm)
    server = Server(realm)
    page.goto(server.address)
    settled(page)
    pair = "select count(*) from " + ", ".join(f"Person p{number}" for number in range(6))
    for number in range(9):
        page.fill(".query input", f"{pair} where {number} = {number}")
        page.keyboard.press("Enter")
        page.wait_for_timeout(300)
    page.keyboard.press("Escape")
    page.wait_for_selector("main:has-text('Stopped')")
    page.keyboard.press("Escape")
    page.wait_for_timeout(500)
    for fragment in ["#/0/rows/Dog", "#/0/file", "#/0/rows/Person?where=" + quote("age > 90")]:
        visit(page, server, fragment)
    page.wait_for_selector(".bar:has-text('of 200 objects')")
    expect("statements that were left end", True)

    subprocess.run([program, "-w", "--yes", realm, "create class D { d: double, m: mixed, f: float, at: date? }", 'insert D {"d": 1.0, "m": -0.0, "f": 2.0, "at": "0800-06-15T12:00:00Z"}', 'insert D {"d": 1e300, "m": 7, "f": 1.5}'], check=True, capture_output=True)
    page.wait_for_selector("#sidebar:has-text('D')")
    visit(page, server, "#/0/object/D/0")
    values = page.inner_text(".fields")
    page.get_by_role("button", name="JSON").click()
    settled(page)
    text = page.inner_text("main pre")
    expect("doubles are no integers", all(part in values for part in ["1.0", "-0.0", "2.0"]) and '"d": 1.0,' in text and '"m": -0.0' in text and "2.0" in text)
    page.evaluate("localStorage.setItem('dates', 'local')")
    page.reload()
    settled(page)
    expect("local years have four digits", "0800-06-15 " in page.inner_text(".fields"))
    visit(page, server, "#/0/object/D/1")
    expect("integers are no doubles", "7" in page.inner_text(".fields").split() and "1e+300" in page.inner_text(".fields"))

    realm.rename(work / "elsewhere.realm")
    page.wait_for_selector("#live:has-text('Not readable')", timeout=15_000)
    expect("the page says why", "cannot open" in page.get_attribute("#live", "title"))
    (work / "elsewhere.realm").rename(realm)
    page.wait_for_selector("#live:has-text('Live')", timeout=15_000)
    server.end()
    page.wait_for_selector("#live:has-text('Not connected')")
    page.evaluate("location.hash = '#/0/file'")
    page.wait_for_selector("main:has-text('the server has stopped')")
    expect("a server that has ended is named", "Failed to fetch" not in page.inner_text("body"))


def main():
    work = pathlib.Path(tempfile.mkdtemp(prefix="realm-browse-"))
    for name in ["zoo", "place", "evolved", "empty", "zoo-encrypted"]:
        shutil.copy(root / f"fixtures/{name}.realm", work)
    damaged = bytearray((work / "zoo.realm").read_bytes())
    damaged[24:40] = b"\xff" * 16
    (work / "damaged.realm").write_bytes(bytes(damaged[:60000]))
    key = root / "fixtures/key.hex"
    hostile = work / "hostile.realm"
    statements = [
        "create class `<img src=x onerror=alert(1)>` { `</script><b>x`: string, `\u202eevil`: string? }",
        "insert `<img src=x onerror=alert(1)>` {\"</script><b>x\": \"<script>document.title='owned'</script>\", \"\u202eevil\": \"\u202eabc\"}",
        "create class Ends { number: int, text: string }",
        "create class `\u202eRight\u2066` { name: string primary key, `tab\u200fed`: int? }",
        "insert `\u202eRight\u2066` {\"name\": \"two\\nlines \u200f\", \"tab\u200fed\": 4}",
        "insert Ends [{\"number\": 9223372036854775807, \"text\": \"\"}, {\"number\": -9223372036854775808, \"text\": \"null\"}]",
    ]
    subprocess.run([program, "create", hostile], check=True)
    subprocess.run([program, "-w", "--yes", hostile, *statements], check=True)
    # A name of 16 MB, and text of 16 MB that is markup.
    giant = work / "giant.jsonl"
    giant.write_text('{"name": "%s", "text": "%s"}\n' % ("n" * 16_000_000, "<b>" * 5_000_000))
    subprocess.run([program, "-w", "--yes", hostile, "create class Giant { name: string, text: string }"], check=True)
    subprocess.run([program, "import", "-w", "--yes", hostile, "Giant", giant], check=True, capture_output=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        errors = []

        def new_page(**options):
            context = browser.new_context(**options)
            context.set_default_timeout(10_000)
            page = context.new_page()
            page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
            page.on("pageerror", lambda error: errors.append(str(error)))
            return page

        server = Server(*[work / f"{name}.realm" for name in ["zoo", "place", "evolved", "empty", "damaged", "hostile"]])
        for scheme, width in [("light", 1280), ("dark", 1280), ("light", 390)]:
            page = new_page(color_scheme=scheme, viewport={"width": width, "height": 800})
            page.goto(server.address)
            settled(page)
            name = f"{scheme}-{width}"
            shot(page, f"{name}-realms")
            expect(f"{name}: a card for each realm", page.locator(".card").count() == 6)
            for fragment, label in [("#/0/rows/Person", "rows"), ("#/0/object/Person/7", "object"), ("#/0/schema", "schema"), ("#/0/file", "file"), ("#/1/rows", "place"), ("#/2/rows", "evolved"), ("#/3/rows", "empty"), ("#/4/file", "damaged"), ("#/5/rows", "hostile")]:
                visit(page, server, fragment)
                shot(page, f"{name}-{label}")
                if label in ["rows", "object", "schema", "file"]:
                    axe(page, f"{name} {label}")
            visit(page, server, "#/5/rows/" + quote("\u202eRight\u2066"))
            shot(page, f"{name}-marks")
            seen = page.inner_text("body") + page.title()
            expect(f"{name}: marks of direction are escapes", "\\u202eRight\\u2066" in seen and "tab\\u200fed" in seen and not any(mark in seen for mark in "\u202e\u2066\u200f"))
            visit(page, server, "#/5/rows/Giant")
            visit(page, server, "#/5/object/Giant/0")
            expect(f"{name}: 16 MB of text are cut", 60_000 < len(page.inner_text("main")) < 200_000 and page.locator("main b").count() == 0)
            expect(f"{name}: names are text", page.title().find("owned") < 0 and page.locator("main img").count() == 0)
        locked = Server("--key-file", key, work / "zoo-encrypted.realm")
        page = new_page(viewport={"width": 1280, "height": 800})
        page.goto(locked.address)
        page.wait_for_selector(".grid")
        shot(page, "encrypted")
        locked.end()
        page = new_page(viewport={"width": 1280, "height": 800})
        page.goto(server.address)
        settled(page)
        visit(page, server, "#/5/rows/Ends")
        expect("the ends of int64 are shown", "9223372036854775807" in page.inner_text(".grid") and "-9223372036854775808" in page.inner_text(".grid"))
        visit(page, server, "#/0/rows/Dog")
        page.locator('.grid a.chip').first.click()
        settled(page)
        expect("a link leads to its object", "#/0/object/Person/" in page.url)
        page.locator("h2:has-text('Linked from') + dl a.chip").first.click()
        settled(page)
        expect("and back", "#/0/object/Dog/" in page.url)
        visit(page, server, "#/0/rows/Person")
        page.keyboard.press("/")
        page.keyboard.type("heig")
        page.keyboard.press("Tab")
        page.wait_for_timeout(300)
        expect("a property is completed", page.input_value(".query input").startswith("height"))
        page.keyboard.type("> 1.8")
        page.keyboard.press("Enter")
        settled(page)
        expect("a condition finds some", " of 200" in page.inner_text(".bar"))
        page.fill(".query input", "nmae == 'x'")
        page.keyboard.press("Enter")
        settled(page)
        expect("a mistake has carets", "^^^^" in page.inner_text(".query .wrong") and "did you mean" in page.inner_text(".query .wrong"))
        shot(page, "mistake")
        axe(page, "mistake")
        visit(page, server, "#/0/rows/Person")
        page.locator(".grid .head .cell", has_text="age").first.click(position={"x": 15, "y": 10})
        settled(page)
        expect("a click sorts", "sort=age" in page.url)
        page.locator(".grid .head .sum").nth(3).click()
        settled(page)
        shot(page, "summary")
        axe(page, "summary")
        expect("a summary opens", page.locator("dialog[open] dl").count() > 0)
        page.keyboard.press("Escape")
        page.keyboard.press("Shift+G")
        page.wait_for_timeout(400)
        expect("G goes to the end", "199" in (page.locator(".grid .row.current").get_attribute("data-row") or ""))
        visit(page, server, "#/0/rows/Person?where=" + quote("select name, count(*) as n from Person group by name order by n desc"))
        axe(page, "a result")
        expect("a statement of SQL has a grid", page.locator(".grid .row").count() > 10 and "96 rows" in page.inner_text(".bar"))
        for text in ["select name from Dog where breed = null or age > 3", "name like '%a%' or age > 3"]:
            visit(page, server, "#/0/rows/Dog?where=" + quote(text))
            expect(f"what '{text}' does not mean is told", "null" in page.inner_text(".query") or "*" in page.inner_text(".query"))
        visit(page, server, "#/0/schema")
        page.get_by_label("Language of the definitions").select_option("swift")
        page.wait_for_selector("pre:has-text('class Person')")
        page.locator("g[data-class=Dog] rect").click()
        settled(page)
        expect("a class of the diagram leads to its rows", "#/0/rows/Dog" in page.url)
        visit(page, server, "#/0/file")
        page.get_by_role("button", name="Check").click()
        page.wait_for_selector("strong:has-text('sound')")
        for label, start in [("Save a compact copy", None), ("Save as SQLite", b"SQLite format 3")]:
            with page.expect_download() as download:
                page.get_by_role("button", name=label).click()
            content = pathlib.Path(download.value.path()).read_bytes()
            expect(f"{label} saves a file", len(content) > 50_000 and content.startswith(start or b""))
        visit(page, server, "#/0/rows/Dog?where=" + quote("age > 14"))
        with page.expect_download() as download:
            page.get_by_label("Export").select_option("sqlite")
        rows = sqlite3.connect(download.value.path()).execute("select count(*) from Dog").fetchall()
        expect("what is shown is saved as SQLite", rows == [(6,)] and download.value.suggested_filename == "Dog.sqlite")
        keyboard(page, server)
        server.end()

        server = Server("-w", work / "zoo.realm")
        page = new_page(viewport={"width": 1280, "height": 800})
        page.goto(server.address)
        settled(page)
        visit(page, server, "#/0/object/Person/7")
        page.get_by_label("Edit name", exact=True).click()
        page.fill("dialog textarea", "Grace")
        shot(page, "edit")
        axe(page, "edit")
        page.keyboard.press("Control+s")
        settled(page)
        expect("a value is edited", "Grace" in page.inner_text(".fields"))
        page.click("#undo")
        page.wait_for_timeout(600)
        expect("and undone", "Grace" not in page.inner_text(".fields"))
        page.click("#redo")
        page.wait_for_timeout(600)
        expect("and done again", "Grace" in page.inner_text(".fields"))
        order = lambda: [text.split("\n")[-1].strip() for text in page.locator("tr:has(th:has-text('tags')) li").all_inner_texts()]
        page.get_by_label("Add to tags").click()
        page.fill("#field-Value", "last")
        page.keyboard.press("Control+s")
        settled(page)
        before = order()
        page.get_by_label(f"Move tags › {len(before) - 1} up").click()
        settled(page)
        expect("an element is added and moved", len(before) > 1 and before[-1].endswith("last") and order()[-2].endswith("last"))
        page.get_by_label(f"Remove tags › {len(before) - 2}").click()
        settled(page)
        expect("and removed", len(order()) == len(before) - 1)
        visit(page, server, "#/0/rows/Dog")
        page.keyboard.press("n")
        page.wait_for_timeout(200)
        page.fill("#field-name", "Laika")
        page.fill("#field-age", "3")
        page.keyboard.press("Control+s")
        settled(page)
        expect("an object is created", "Laika" in page.inner_text(".fields"))
        page.get_by_role("button", name="Delete").click()
        page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        settled(page)
        expect("and deleted", "60 objects" in page.inner_text(".bar"))
        for _ in range(2):
            page.keyboard.press("Shift+ArrowDown")
        page.keyboard.press("Delete")
        page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        settled(page)
        expect("three rows are deleted at once", "57 objects" in page.inner_text(".bar"))
        page.keyboard.press("u")
        settled(page)
        expect("and all are back", "60 objects" in page.inner_text(".bar"))
        page.locator(".grid .cell", has_text="Corgi").first.dblclick()
        page.fill("dialog textarea", "Dachshund")
        page.keyboard.press("Control+s")
        settled(page)
        expect("a double click edits a cell", "Dachshund" in page.inner_text(".grid"))
        subprocess.run([program, "-w", "--yes", work / "zoo.realm", "insert Dog {\"name\": \"Rex\", \"age\": 1, \"vaccinated\": true}"], check=True)
        committed = time.time()
        page.wait_for_selector(".bar:has-text('61 objects')", timeout=5000)
        print(f"      a commit is seen {int((time.time() - committed) * 1000)} ms after its process ended")
        tabs(page, program, server, work / "zoo.realm")
        visit(page, server, "#/0/file")
        page.get_by_role("button", name="Compact", exact=True).click()
        page.wait_for_selector("text=Compacted:")
        server.end()
        edits(page, program, work)
        abandoned(page, program, work)
        check = subprocess.run([program, "check", work / "zoo.realm"], capture_output=True, text=True)
        expect("the file is sound", check.returncode == 0)
        ignored = [
            # Refusals that were asked for, and pages whose server has been ended.
            error for error in errors if not any(part in error for part in ["404", "409", "422", "400", "net::ERR_"])
        ]
        for error in ignored:
            print("      console:", error)
        expect("no error on the console", not ignored)
        browser.close()
    shutil.rmtree(work)
    sys.exit(1 if failures else 0)


main()
