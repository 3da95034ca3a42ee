"""What the tests of the page share: a server, a browser, and ways to use the board.

If something that a test needs is missing, it prints a line that begins with SKIP, and exits with 0.
"""
import gzip
import json
import os
import re
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request


def skip(reason):
    print("SKIP " + reason)
    sys.exit(0)


try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
except ImportError:
    skip("needs Selenium for Python: the package python3-selenium of Debian")

AJI = os.path.join(os.environ.get("AJI_BUILD", "build/release"), "aji")
# The settings of a tiny run on which the page is tried.
SMALL_RUN = [
    "run.nets=3",
    "run.threads=1",
    "run.arch=b1c8-fixup-nodist",
    "run.rows_first=60",
    "run.rows_cycle=60",
    "run.gate_games=0",
    "run.rate_games=4",
    "run.rate_every=1",
    "run.rate_visits=2",
    "selfplay.full.visits=8",
    "selfplay.cheap.visits=4",
    "run.cache_mb=1",
]
VIEWPORTS = [(1280, 800), (1024, 768), (768, 1024), (390, 844), (360, 800), (844, 390)]
WAIT_SECONDS = 90

# Counts what keeps a page busy, and what its content policy forbids.
WATCH = """
window.watched = {timers: 0, violations: []};
for (const name of ['setTimeout', 'setInterval', 'requestAnimationFrame']) {
  const original = window[name];
  window[name] = (...words) => { window.watched.timers += 1; return original(...words); };
}
document.addEventListener('securitypolicyviolation', (event) =>
  window.watched.violations.push(event.violatedDirective + ' ' + event.blockedURI));
"""

# Keeps all requests in window.sent. window.change, if it is set, may change messages of the server.
# window.hold, if it is set, says whether a message of the server is kept back; window.release()
# then delivers all that were kept back.
SPY = """
window.sent = [];
window.held = [];
window.release = () => {
  window.hold = null;
  for (const deliver of window.held.splice(0)) deliver();
};
const Plain = WebSocket;
window.WebSocket = class extends Plain {
  send(text) { window.sent.push(JSON.parse(text)); super.send(text); }
  set onmessage(listener) {
    super.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (window.change) window.change(message);
      const deliver = () => listener({ data: JSON.stringify(message) });
      if (window.hold && window.hold(message)) window.held.push(deliver);
      else deliver();
    };
  }
};
"""


class Server:
    """`aji serve uniform` with a folder of games of its own. `words` are further nets and
    options."""

    basics = (
        "uniform",
        "--visits",
        "16",
        "--threads",
        "1",
        "--set",
        "search.temperature=0",
        "--set",
        "search.temperature_early=0",
    )

    def __init__(self, folder, *words):
        self.folder = folder
        self.words = words
        self.start(0)

    def start(self, port):
        self.process = subprocess.Popen(
            [
                AJI,
                "serve",
                *self.basics,
                "--port",
                str(port),
                "--games",
                os.path.join(self.folder, "games"),
                *self.words,
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        line = self.process.stdout.readline().strip()
        assert re.match("https?://127.0.0.1:", line), "the server printed " + repr(line)
        self.address = line
        self.port = int(re.search(r":(\d+)/", line).group(1))

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(60) == 0, "the server did not exit with 0"

    def restart(self):
        self.stop()
        self.start(self.port)

    def get(self, path):
        request = urllib.request.Request(
            self.address.rstrip("/") + path, headers={"Accept-Encoding": "gzip"}
        )
        # A certificate that a test has made is not checked here, but in tests/serve/test_tls.c.
        context = ssl._create_unverified_context()
        with urllib.request.urlopen(request, context=context) as answer:
            body = answer.read()
            packed = answer.headers.get("Content-Encoding") == "gzip"
            return len(body), (gzip.decompress(body) if packed else body).decode()


class Page:
    """A page in Chromium. note_requests() collects the hosts and addresses that it has asked."""

    def __init__(self, folder, *options_of_browser):
        options = Options()
        options.binary_location = shutil.which("chromium")
        for word in (
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--window-size=1280,900",
            "--disable-dev-shm-usage",
            "--user-data-dir=" + os.path.join(folder, "user"),
            *options_of_browser,
        ):
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(
            service=Service(shutil.which("chromedriver")), options=options
        )
        self.driver.execute_cdp_cmd(
            "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": folder}
        )
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
        self.folder = folder
        self.hosts = set()
        self.urls = []

    def open(self, address):
        self.driver.get(address)
        self.until("document.querySelector('.connection.open')", "the page is connected")

    def run(self, script, *words):
        return self.driver.execute_script(script, *words)

    def until(self, condition, what, seconds=WAIT_SECONDS):
        """Waits until the JavaScript condition holds, and returns its value."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.run("return " + condition)
            if value:
                return value
            time.sleep(0.05)
        raise AssertionError(
            "waited in vain: " + what + "\n" + self.run("return document.body.innerText")
        )

    def resize(self, width, height):
        small = min(width, height) < 500
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": small},
        )
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": small})

    def remember(self, key, value):
        """Sets a value that the page remembers, and reloads the page."""
        self.run(
            "localStorage.setItem(arguments[0], arguments[1])", "aji." + key, json.dumps(value)
        )
        self.driver.refresh()
        self.until("document.querySelector('.connection.open')", "the page is connected")

    def cell(self, point):
        """The element of a point such as D4."""
        return self.driver.find_element("css selector", ".board [aria-label^='%s,']" % point)

    def click(self, point):
        ActionChains(self.driver).move_to_element(self.cell(point)).click().perform()

    def tap(self, point):
        box = self.run(
            "const b = arguments[0].getBoundingClientRect();"
            "return [b.x + b.width / 2, b.y + b.height / 2]",
            self.cell(point),
        )
        for kind, points in (("touchStart", [{"x": box[0], "y": box[1]}]), ("touchEnd", [])):
            self.driver.execute_cdp_cmd(
                "Input.dispatchTouchEvent", {"type": kind, "touchPoints": points}
            )

    def press(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def button(self, text):
        """The button with this text, or None if there is none that can be pressed."""
        return self.run(
            "return [...document.querySelectorAll('button')].find((e) => e.innerText"
            " === arguments[0] && !e.disabled && e.offsetParent) || null",
            text,
        )

    def go_away(self):
        """Goes to another part of the page. Returns the address of the part that it leaves."""
        address = self.run("return location.hash")
        self.run("location.hash = '#/nets'")
        self.until("document.querySelector('.cards')", "another page")
        return address

    def saved(self, name):
        """The text of a file in UTF-8 that the page saves."""
        path = os.path.join(self.folder, name)
        for _ in range(200):
            if os.path.exists(path) and os.path.getsize(path):
                break
            time.sleep(0.05)
        with open(path, encoding="utf-8") as file:
            return file.read()

    def text(self):
        return self.run("return document.body.innerText")

    def spy(self):
        """From the next address on, SPY runs before the page."""
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": SPY})

    def note_requests(self):
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            words = message.get("params", {})
            url = words.get("request", {}).get("url") or words.get("url", "")
            if message["method"] in ("Network.requestWillBeSent", "Network.webSocketCreated"):
                match = re.match(r"(?:http|ws)s?://([^/]+)", url)
                if match:
                    self.hosts.add(match.group(1))
                    self.urls.append(url)

    def check_manners(self, server):
        """The content policy was kept, no error was logged, and no other host was asked."""
        self.note_requests()
        assert self.hosts == {"127.0.0.1:%d" % server.port}, self.hosts
        assert self.run("return window.watched.violations") == []
        errors = [
            entry["message"]
            for entry in self.driver.get_log("browser")
            if entry["level"] == "SEVERE"
        ]
        assert errors == [], errors


def main(test, prepare=lambda folder: ()):
    """Runs a test, a function of a server and a page, or says why it cannot run. `prepare` gets a
    new folder, and returns further words for the server."""
    for program, package in (("chromium", "chromium"), ("chromedriver", "chromium-driver")):
        if not shutil.which(program):
            skip("needs %s: the package %s of Debian" % (program, package))
    folder = tempfile.mkdtemp(prefix="aji-page-")
    server = Server(folder, *prepare(folder))
    page = None
    try:
        if "app.js" not in server.get("/")[1]:
            skip("the page is not in this build: it needs AJI_PAGE=ON, nodejs and npm")
        # No authority that the browser knows has signed the certificate of a test.
        is_tls = server.address.startswith("https")
        page = Page(folder, *["--ignore-certificate-errors"] if is_tls else [])
        test(server, page)
    finally:
        if page:
            page.driver.quit()
        server.process.kill()
        shutil.rmtree(folder, ignore_errors=True)
    print("passed")
