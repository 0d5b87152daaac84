"""Headless Chromium over its debugging pipe: pages opened, scripts run in them, pictures taken. Nothing to install but it."""

import base64
import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading

NAMES = ["chromium", "chromium-browser", "google-chrome", "chrome"]


def find():
    """Chromium's path, from CHROMIUM or the PATH; None if it is not there."""
    named = os.environ.get("CHROMIUM")
    return named or next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """A Chromium with one page."""

    def __init__(self, size=(1000, 1200), dark=False, seconds=900):
        # Chromium's children may outlive it by a moment and write on: what they leave behind is no fault of the page.
        self.folder = tempfile.TemporaryDirectory(prefix="binade-chromium-", ignore_cleanup_errors=True)
        (to_read, self._to), (self._from, to_write) = os.pipe(), os.pipe()

        # Chromium reads commands from descriptor 3 and answers on 4.
        def descriptors():
            # Out of the way of 3 and 4 first.
            high_read, high_write = (os.dup(fd) for fd in (to_read, to_write))
            while high_read < 5:
                high_read = os.dup(high_read)
            while high_write < 5:
                high_write = os.dup(high_write)
            os.dup2(high_read, 3)
            os.dup2(high_write, 4)

        command = [
            find(), "--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--no-first-run",
            "--disable-dev-shm-usage", "--disable-ipc-flooding-protection", "--disable-background-networking", "--force-color-profile=srgb",
            f"--user-data-dir={self.folder.name}", "about:blank",
        ]
        if dark:
            command.insert(1, "--force-dark-mode")
        self.process = subprocess.Popen(
            command,
            preexec_fn=descriptors,
            close_fds=False,
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(to_read)
        os.close(to_write)
        # A page that hangs ends with the browser, which ends the pipe.
        self.timer = threading.Timer(seconds, self._kill)
        self.timer.start()
        self._rest, self._number, self.events = b"", 0, []
        targets = self.send("Target.getTargets")["targetInfos"]
        page = next(target["targetId"] for target in targets if target["type"] == "page")
        self._session = self.send("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "DOM", "Log", "Accessibility"):
            self.send(f"{domain}.enable")
        self.size(*size)
        if dark:
            self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])

    def __enter__(self):
        return self

    def _kill(self):
        """Ends Chromium and the children in its session; one that has ended is not there to be found."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def __exit__(self, *_):
        self.timer.cancel()
        self._kill()
        self.process.wait()
        os.close(self._to)
        os.close(self._from)
        self.folder.cleanup()

    def _message(self):
        while b"\0" not in self._rest:
            piece = os.read(self._from, 1 << 20)
            if not piece:
                raise RuntimeError("the browser has ended")
            self._rest += piece
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)

    def send(self, method, **parameters):
        """A command of the protocol, and its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if getattr(self, "_session", None):
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._to, data) :]
        while True:
            answer = self._message()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def size(self, width, height, scale=1):
        """The window's size in CSS pixels."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=width < 500)

    def open(self, url):
        """Loads a page, until its load event."""
        self.events.clear()
        self.send("Page.navigate", url=url)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._message())

    def run(self, script):
        """What a script of the page, an expression that may be a promise, comes to."""
        answer = self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True, userGesture=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def wait(self, script, seconds=30):
        """Runs an expression until it is true."""
        end = f"performance.now() + {1000 * seconds}"
        loop = f"for (const end = {end}; performance.now() < end; ) {{ if ({script}) return true; await pause(); }}"
        pause = "const pause = () => new Promise((go) => setTimeout(go, 5));"
        if not self.run(f"(async () => {{ {pause} {loop} return false; }})()"):
            raise RuntimeError(f"still not so after {seconds} s: {script}; errors of the page: {self.complaints()}")

    def complaints(self):
        """Errors that the page's scripts have left."""
        found = []
        for event in self.events:
            if event.get("method") == "Runtime.exceptionThrown":
                details = event["params"]["exceptionDetails"]
                found.append(details.get("exception", {}).get("description") or details["text"])
            elif event.get("method") == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
                found.append(event["params"]["entry"]["text"])
        return found

    def key(self, key, code=0):
        """Presses a key."""
        for kind in ("keyDown", "keyUp"):
            text = {"text": key} if len(key) == 1 and kind == "keyDown" else {}
            self.send("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, **text)

    def files(self, selector, *paths):
        """Chooses files in an input."""
        root = self.send("DOM.getDocument")["root"]["nodeId"]
        node = self.send("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.send("DOM.setFileInputFiles", nodeId=node, files=[str(path) for path in paths])

    def picture(self, path, whole=True):
        """Writes a picture of the page."""
        data = self.send("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
