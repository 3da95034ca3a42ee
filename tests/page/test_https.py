"""The page over TLS: it is loaded by https, and the address of its WebSocket begins with wss."""
import os
import shutil
import subprocess

from page_test import main, skip


def prepare(folder):
    if not shutil.which("openssl"):
        skip("needs openssl: the package openssl of Debian")
    names = [os.path.join(folder, name) for name in ("cert.pem", "key.pem")]
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=IP:127.0.0.1",
            "-out",
            names[0],
            "-keyout",
            names[1],
        ],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    return ["--cert", names[0], "--key", names[1]]


def test(server, page):
    page.open(server.address + "#/play")
    assert page.run("return location.protocol") == "https:"
    page.click("C3")
    page.until("document.querySelectorAll('.moves button').length >= 2", "the engine's answer")
    page.check_manners(server)
    sockets = [url for url in page.urls if url.startswith("ws")]
    assert sockets and all(url.startswith("wss://") for url in sockets), sockets


main(test, prepare)
