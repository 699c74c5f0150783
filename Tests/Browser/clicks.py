#!/usr/bin/env python3
"""Clicks and types at random in the page of `realm-cli serve`, and tells the server's memory each minute.

Needs what browse.py needs. usage: clicks.py PROGRAM [SECONDS [SEED]]
"""
import pathlib, random, re, shutil, subprocess, sys, tempfile, time

from playwright.sync_api import Error, sync_playwright

root = pathlib.Path(__file__).resolve().parents[2]
program = sys.argv[1] if len(sys.argv) > 1 else str(root / ".build/release/realm-cli")
seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 300
seed = int(sys.argv[3]) if len(sys.argv) > 3 else int(time.time())

keys = "j k h l g G s i y e n u r p 1 2 3 ? / [ ] < > Enter Escape Space Tab Delete Control+d Control+u Control+s Shift+ArrowDown".split()
lines = ["age > 3", "select * from Person", "name == ", "count Person", "x", "7", "@3"]


def main():
    print("seed", seed)
    chance = random.Random(seed)
    work = pathlib.Path(tempfile.mkdtemp(prefix="realm-clicks-"))
    for name in ["zoo", "place", "alltypes"]:
        shutil.copy(root / f"fixtures/{name}.realm", work)
    server = subprocess.Popen([program, "serve", "-w", work], stdout=subprocess.PIPE, text=True)
    address = server.stdout.readline().strip()
    base = address.split("?")[0]
    memory, errors = [], []

    def own_memory():
        text = pathlib.Path(f"/proc/{server.pid}/smaps_rollup").read_text()
        return int(re.search(r"Anonymous:\s+(\d+)", text)[1]) / 1024

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(2000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(address, timeout=30_000)
        start = time.time()
        while time.time() - start < seconds:
            if not page.url.startswith(base):
                page.goto(base)
            try:
                kind = chance.random()
                if kind < 0.45:
                    page.keyboard.press(chance.choice(keys))
                elif kind < 0.55:
                    page.keyboard.type(chance.choice(lines))
                    page.keyboard.press("Enter")
                elif kind < 0.6:
                    page.mouse.wheel(0, chance.randrange(-3000, 3000))
                elif kind < 0.62:
                    page.goto(base + chance.choice(["#/", "#/0/rows", "#/1/file", "#/2/rows/Person", "#/2/schema"]))
                else:
                    page.mouse.click(chance.randrange(1280), chance.randrange(800), click_count=chance.choice([1, 1, 2]))
                page.wait_for_timeout(chance.choice([5, 20, 60]))
            except Error as error:
                if "Timeout" not in str(error):
                    errors.append(str(error))
            if time.time() - start > 60 * (len(memory) + 1):
                memory.append(own_memory())
                print(f"after {len(memory)} min {memory[-1]:.2f} MB", flush=True)
        browser.close()
    is_running = server.poll() is None
    server.terminate()
    server.wait(10)
    sound = subprocess.run([program, "check", *work.glob("*.realm")], capture_output=True).returncode == 0
    for error in errors:
        print("      page:", error[:300])
    # What is looked at for the first time fills caches, and the last 100 changes can be undone.
    is_steady = not memory or memory[-1] <= memory[0] + 2
    print("ok" if is_running and sound and is_steady and not errors else f"FAIL running {is_running}, sound {sound}, memory {memory}")
    sys.exit(0 if is_running and sound and is_steady and not errors else 1)


main()
