"""A complete receiver of webhooks for Python 3.11 or later: `python3 receiver.py`.

Its only dependency is `cryptography` (pip install cryptography). It follows the seven rules of the guide in their order. Copy it, and put
your own work where `work` is.
"""

import base64
import hashlib
import hmac
import http.client
import json
import os
import re
import sqlite3
import ssl
import sys
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

REGISTERED_URL = os.environ["WEBHOOK_URL"]  # exactly as registered in the portal
JWKS_URL = os.environ["JWKS_URL"]  # {portal}/.well-known/svc-integration-webhook-jwks.json
SOURCE = os.environ["EVENT_SOURCE"]  # the origin of the machine API
ENVIRONMENT = os.environ["ENVIRONMENT"]  # sandbox or production
ANSWER_CHALLENGES = os.environ.get("ANSWER_CHALLENGES") == "true"  # only while you prove the endpoint

MAXIMUM_BODY = 64 * 1024  # ours: a snapshot has at most 16,000 bytes
DISCARDED = 1024 * 1024  # ours: how much of a body over the limit is read, and thrown away, before the refusal
MAXIMUM_LINE = 1024  # ours: of the lines around chunks
MAXIMUM_TRAILERS = 32  # ours
TOLERANCE = 5 * 60  # ours: how many seconds `created` may differ from this clock
KEYS_KEPT = 60 * 60  # as the key set's Cache-Control says
REFRESH_EVERY = int(os.environ.get("JWKS_REFRESH_SECONDS", "30"))  # ours: at most one refresh for unknown keys in this time
KEYS_TRUSTED = int(os.environ.get("JWKS_TRUSTED_SECONDS", "86400"))  # ours: how long a key set that cannot be read again counts
COVERED = ["@method", "@target-uri", "content-digest", "x-svc-event-id", "x-svc-event-timestamp"]
TYPES = {
    "connection.created",
    "resource.granted",
    "resource.updated",
    "resource.revoked",
    "connection.revoked",
    "statistics.updated",
    "integration.suspended",
}


class Refusal(Exception):
    """Why a request is not accepted. A status of 5xx has it delivered again, 4xx ends the delivery."""

    def __init__(self, status, reason):
        super().__init__(reason)
        self.status = status


class Store:
    """Makes rule 7 true: an event is on disk, with the work that it causes, before the answer is sent."""

    def __init__(self, path):
        self._lock = threading.Lock()
        self._database = sqlite3.connect(path, check_same_thread=False)
        self._database.execute("pragma journal_mode = wal")
        self._database.execute("pragma synchronous = full")
        with self._database:
            self._database.execute(
                "create table if not exists event (id text primary key, body text not null, done integer not null default 0)"
            )

    def commit(self, event_id, body):
        """Whether the event is new."""
        with self._lock, self._database:
            inserted = self._database.execute(
                "insert into event (id, body) values (?, ?) on conflict do nothing", (event_id, body)
            )
            return inserted.rowcount == 1

    def work(self):
        """Does what waits: yours to fill. It runs again at the next start if the process dies meanwhile."""
        with self._lock:
            for event_id, body in self._database.execute("select id, body from event where done = 0 order by rowid").fetchall():
                # For example: pull GET /v1/sync from the stored cursor. What is delivered twice or out of order then does no harm.
                print(f"applied {event_id} {parsed(body.encode())['type']}", flush=True)
                with self._database:
                    self._database.execute("update event set done = 1 where id = ?", (event_id,))


class Keys:
    """The key set: read again after an hour, and for an unknown keyid, but never more often than the limit."""

    def __init__(self):
        self._lock = threading.Lock()
        self._keys = {}
        self._read_at = float("-inf")
        # When it was last tried because the key set was old, and because a key was unknown: each has its own limit.
        self._tried_at = {"old": float("-inf"), "unknown": float("-inf")}

    def named(self, kid):
        with self._lock:
            now = time.monotonic()
            fresh = False
            reason = "old" if now - self._read_at >= min(KEYS_KEPT, KEYS_TRUSTED) else None if kid in self._keys else "unknown"
            if reason and now - self._tried_at[reason] >= REFRESH_EVERY:
                self._tried_at[reason] = now
                fresh = self._read()
            # A key may have been revoked since, and an attacker who keeps the key set from us must gain nothing by it.
            if not fresh and now - self._read_at >= KEYS_TRUSTED:
                raise Refusal(503, "the key set has not been read for too long")
            if kid in self._keys:
                return self._keys[kid]
        # An unknown key is never accepted. It is refused for good only if the key set was read just now: otherwise the delivery may come again.
        if fresh:
            raise Refusal(401, "unknown key")
        raise Refusal(503, "the key set cannot be read now")

    def _read(self):
        try:
            with urllib.request.urlopen(JWKS_URL, timeout=5) as response:
                found = json.loads(response.read(1024 * 1024))["keys"]
            usable = [key for key in found if key.get("kty") == "OKP" and key.get("crv") == "Ed25519"]
            self._keys = {key["kid"]: Ed25519PublicKey.from_public_bytes(from_base64url(key["x"])) for key in usable}
        except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return False
        self._read_at = time.monotonic()
        return True


def from_base64url(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


KEY = re.compile(r"[a-z*][a-z0-9_.*-]*")
# An item that is no list: string, bytes, boolean, number or date, display string, token.
BARE_ITEM = re.compile(
    r'''"(?:[ !#-\[\]-~]|\\["\\])*"|:[A-Za-z0-9+/]*={0,2}:|\?[01]|@-?[0-9]{1,15}|-?(?:[0-9]{1,12}\.[0-9]{1,3}|[0-9]{1,15})'''
    r'''|%"(?:[ !#$&-~]|%[0-9a-f]{2})*"|[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*'''
)


class Member(NamedTuple):
    """A member of a dictionary. Values are kept as the text that was sent."""

    text: str  # all of it behind the equals sign: of Signature-Input, this is what was signed
    value: str  # without the parameters
    items: list | None  # of an inner list: each with its own parameters
    parameters: dict


def dictionary(field):
    """A header that is a dictionary (RFC 9651), with every form that other members may have. One that is not well formed is refused."""
    place = 0

    def take(pattern):
        nonlocal place
        found = re.compile(pattern).match(field, place)
        if not found:
            raise Refusal(401, "a structured field is not well formed")
        place = found.end()
        return found.group()

    def at(character):
        return field.startswith(character, place)

    def parameters():
        found = {}
        while at(";"):
            take("; *")
            name = take(KEY)
            found[name] = take("=") and take(BARE_ITEM) if at("=") else "?1"
        return found

    def inner_list():
        items = []
        take(r"\( *")
        while not at(")"):
            start = place
            take(BARE_ITEM)
            parameters()
            items.append(field[start:place])
            if not at(")"):
                take(" +")
        take(r"\)")
        return items

    members = {}
    while True:
        label = take(KEY)
        start, value, items = place, "?1", None  # without a value, it is true
        if at("="):
            take("=")
            start = place
            if at("("):
                items = inner_list()
            else:
                take(BARE_ITEM)
            value = field[start:place]
        found = parameters()
        members[label] = Member(field[start:place], value, items, found)
        if not field[place:].strip(" \t"):
            return members
        take(r"[ \t]*,[ \t]*")


def byte_sequence(field, label):
    """A member of a dictionary that is a byte sequence, or nothing."""
    member = dictionary(field).get(label)
    if member is None or not member.value.startswith(":"):
        return b""
    try:
        text = member.value.strip(":").rstrip("=")
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except ValueError:
        return b""


def refuse_constant(name):
    """NaN and Infinity are no JSON, but Python reads them."""
    raise ValueError(name)


def parsed(body):
    try:
        # As numbers with a point, because Python refuses to read very long integers.
        value = json.loads(body.decode("utf-8"), parse_int=float, parse_constant=refuse_constant)
    except (ValueError, RecursionError):  # not JSON, or nested too deeply
        value = None
    if not isinstance(value, dict):
        raise Refusal(400, "not a JSON object")
    return value


def route_of(url):
    """Path and query as they are on the request line, with nothing normalized."""
    route = re.match(r"https://[^/?]*(.*)$", url).group(1)
    return route if route.startswith("/") else "/" + route


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 15

    def receive(self):
        # Rule 1: only POST, over HTTPS (this server speaks nothing else), on the exact registered route, and raw bytes under a limit.
        if self.command != "POST":
            raise Refusal(405, "only POST")
        if self.path != route_of(REGISTERED_URL):
            raise Refusal(404, "not the registered route")
        body = self.raw_body()
        if "Signature-Input" not in self.headers and "Signature" not in self.headers:
            return self.challenged(body)

        # Rule 2: parse Signature-Input structurally, and pick the key by keyid.
        signature_input = dictionary(self.field("Signature-Input")).get("svc")
        if signature_input is None:
            raise Refusal(401, "there is no signature with the label svc")
        if signature_input.items != [f'"{name}"' for name in COVERED]:
            raise Refusal(401, "not the components that every delivery covers")
        created, keyid, alg = (signature_input.parameters.get(name, "") for name in ("created", "keyid", "alg"))
        if not re.fullmatch("[0-9]+", created) or not keyid.startswith('"') or alg != '"ed25519"':
            raise Refusal(401, "parameters are missing")
        key = keys.named(re.sub(r"\\(.)", r"\1", keyid[1:-1]))

        # Rule 3: the digest of the raw body, compared in constant time.
        digest = byte_sequence(self.field("Content-Digest"), "sha-256")
        if not hmac.compare_digest(digest, hashlib.sha256(body).digest()):
            raise Refusal(400, "wrong digest")

        # Rule 4: the signature, before anybody parses the body. @target-uri is the registered URL, whatever a proxy has made of it.
        values = {"@method": "POST", "@target-uri": REGISTERED_URL}
        lines = [f'"{name}": {values[name] if name in values else self.field(name)}' for name in COVERED]
        base = "\n".join([*lines, f'"@signature-params": {signature_input.text}'])
        try:
            key.verify(byte_sequence(self.field("Signature"), "svc"), base.encode("latin-1"))
        except InvalidSignature:
            raise Refusal(401, "wrong signature") from None

        # Rule 5: bounded freshness. The event ID against replays is rule 7's.
        if abs(time.time() - int(created)) > TOLERANCE:
            raise Refusal(401, "too old, or from the future")

        # Rule 6: parse, and compare with what was signed and what is expected.
        event = parsed(body)
        if event.get("id") != self.field("X-SVC-Event-ID"):
            raise Refusal(400, "another event ID than was signed")
        if event.get("time") != self.field("X-SVC-Event-Timestamp"):
            raise Refusal(400, "another time than was signed")
        if event.get("source") != SOURCE:
            raise Refusal(400, "unexpected source")
        if event.get("environment") != ENVIRONMENT:
            raise Refusal(400, "unexpected environment")
        if not isinstance(event.get("type"), str) or event["type"] not in TYPES:
            raise Refusal(400, "unexpected type")

        # Rule 7: commit durably, then answer 2xx. A known ID is answered in the same way and causes nothing.
        if store.commit(event["id"], body.decode("utf-8")):
            threading.Thread(target=store.work).start()
        return 204, None

    def challenged(self, body):
        """The ownership challenge is unsigned and no event. It is answered only while you are proving the endpoint."""
        if not ANSWER_CHALLENGES:
            raise Refusal(401, "not signed")
        message = parsed(body)
        challenge = message.get("challenge")
        if message.get("type") != "svc.webhook.verification" or not isinstance(challenge, str):
            raise Refusal(401, "not signed")
        return 200, json.dumps({"challenge": challenge}).encode()

    def raw_body(self):
        codings = self.headers.get_all("Transfer-Encoding")
        lengths = self.headers.get_all("Content-Length")
        if codings is None and lengths is None:
            raise Refusal(411, "neither Content-Length nor chunks")
        if codings is not None:
            # With both, somebody in between may have seen the end elsewhere (RFC 9112, section 6.1).
            if lengths is not None or [coding.strip().lower() for coding in codings] != ["chunked"]:
                raise Refusal(400, "the body's end is not certain")
            body = self.chunks()
        else:
            if not re.fullmatch("[0-9]{1,10}", ", ".join(lengths)):
                raise Refusal(400, "the body's end is not certain")
            length = int(lengths[0])
            body = self.exactly(min(length, DISCARDED))
        # A sender that is cut off may never see the refusal, so some of what is too much has been read.
        if len(body) > MAXIMUM_BODY:
            raise Refusal(413, "too large")
        return body

    def chunks(self):
        """A body whose length was not known when it began, as proxies send it on (RFC 9112, section 7.1)."""
        body = bytearray()
        while True:
            size = re.fullmatch(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r\n", self.rfile.readline(MAXIMUM_LINE))
            if not size:
                raise Refusal(400, "a chunk without its size")
            length = int(size.group(1), 16)
            if length == 0:
                break
            body += self.exactly(min(length, DISCARDED))
            if len(body) >= DISCARDED:
                return bytes(body)
            if self.exactly(2) != b"\r\n":
                raise Refusal(400, "a chunk without its end")
        for _ in range(MAXIMUM_TRAILERS):
            line = self.rfile.readline(MAXIMUM_LINE)
            if line == b"\r\n":
                return bytes(body)
            if not line.endswith(b"\r\n"):
                break
        raise Refusal(400, "the body broke off")

    def exactly(self, length):
        found = self.rfile.read(length)
        if len(found) != length:
            raise Refusal(400, "the body broke off")
        return found

    def field(self, name):
        found = self.headers.get_all(name)
        if not found:
            raise Refusal(401, f"{name} is missing")
        return ", ".join(value.strip() for value in found)

    def answer(self):
        try:
            status, body = self.receive()
        except Refusal as refusal:
            status, body = refusal.status, None
            # Whatever was not read of the request cannot be told from the next one.
            self.close_connection = True
            print(f"refused {status} {refusal}", flush=True)
        except Exception as error:  # our own fault, such as a full disk: the delivery comes again
            status, body = 503, None
            self.close_connection = True
            print(f"refused {status} {type(error).__name__}", flush=True)
        self.send_response(status)
        if self.close_connection:
            self.send_header("Connection", "close")
        if status != 204:
            self.send_header("Content-Length", str(len(body or b"")))
        if body:
            self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body or b"")

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = answer

    def log_message(self, *_arguments):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def finish_request(self, request, client_address):
        # In the thread of the connection, so that a slow handshake holds up nobody else.
        request.settimeout(Receiver.timeout)
        request.do_handshake()
        super().finish_request(request, client_address)

    def handle_error(self, request, client_address):
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


store = Store(os.environ["DATABASE"])
store.work()
keys = Keys()
server = Server((os.environ.get("HOST", "0.0.0.0"), int(os.environ.get("PORT", "443"))), Receiver)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(os.environ["TLS_CERT_FILE"], os.environ["TLS_KEY_FILE"])
server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
print(f"listening {server.server_address[1]}", flush=True)
server.serve_forever()
