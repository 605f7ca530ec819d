"""Keeps a copy of what is shared, for Python 3.11 or later with nothing beside it:

    python3 sync.py pull           brings the copy up to date
    python3 sync.py acknowledge    deletes what is due, and says so

BASE_URL, ENVIRONMENT (sandbox or production), CERT and KEY (PEM) name the machine API and the client, CA the authority of its server if this
machine does not trust it.
The copy is one file, which is replaced whole: that is its transaction. Put your database in its place.
"""

import http.client
import json
import os
import ssl
import sys
import time
from urllib.parse import urlencode, urlsplit

BASE = urlsplit(os.environ["BASE_URL"])
COPY = os.environ.get("COPY", "copy.json")
LONGEST_WAIT = 75  # seconds: a quota of a minute opens within it

context = ssl.create_default_context(cafile=os.environ.get("CA"))
context.load_cert_chain(os.environ["CERT"], os.environ["KEY"])


class Problem(Exception):
    def __init__(self, status, problem):
        super().__init__(f"{status} {problem.get('code')} ({problem.get('request_id')}): {problem.get('detail')}")
        self.code = problem.get("code")


def call(method, path, body=None, headers=()):
    """Status, headers and JSON of an answer, after the pause that a refusal for too many requests asks for. Whatever else is refused is raised."""
    while True:
        connection = http.client.HTTPSConnection(BASE.netloc, context=context, timeout=40)
        try:
            text = None if body is None else json.dumps(body)
            connection.request(method, BASE.path + path, text, {"Content-Type": "application/json", **dict(headers)})
            response = connection.getresponse()
            answer = response.read()
        finally:
            connection.close()
        if response.status in (429, 503) and int(response.headers.get("Retry-After", "1")) <= LONGEST_WAIT:
            time.sleep(int(response.headers.get("Retry-After", "1")))
            continue
        if response.status not in (200, 304):
            raise Problem(response.status, json.loads(answer))
        return response.status, response.headers, json.loads(answer) if answer else None


def read_copy():
    try:
        with open(COPY, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        # `unseen`: while the feed is followed from its beginning, what of the copy it has not brought yet.
        return {"client": None, "cursor": None, "etag": None, "unseen": [], "resources": {}, "ended": {}, "deletions": {}}


def commit(copy):
    """All of it is on disk, or nothing of it."""
    with open(f"{COPY}.new", "w", encoding="utf-8") as file:
        json.dump(copy, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(f"{COPY}.new", COPY)


def pull():
    copy = read_copy()
    _, _, capabilities = call("GET", "/capabilities")
    if capabilities["environment"] != os.environ["ENVIRONMENT"] or copy["client"] not in (None, capabilities["client_id"]):
        raise SystemExit(f"The certificate is for {capabilities['client_id']} in {capabilities['environment']}.")
    copy["client"] = capabilities["client_id"]
    while True:
        query = "?" + urlencode({"updated_since": copy["cursor"]}) if copy["cursor"] else ""
        try:
            condition = {"If-None-Match": copy["etag"]} if copy["etag"] else {}
            status, headers, page = call("GET", f"/sync{query}", headers=condition)
        except Problem as problem:
            if problem.code != "invalid_cursor":
                raise
            copy |= {"cursor": None, "etag": None, "unseen": list(copy["resources"])}
            continue
        if status == 304:
            return
        apply(copy, page)
        # The answer to a cursor that stays is the same until something changes.
        copy["etag"] = headers["ETag"] if page["next_cursor"] == copy["cursor"] else None
        copy["cursor"] = page["next_cursor"]
        if not page["has_more"]:
            for gone in copy["unseen"]:
                copy["resources"].pop(gone, None)
            copy["unseen"] = []
        commit(copy)
        if not page["has_more"]:
            return


def apply(copy, page):
    """The page is applied whole. Applied twice it does no harm."""
    resources, unseen = copy["resources"], set(copy["unseen"])
    for snapshot in page["upserts"]:
        held = resources.get(snapshot["id"])
        # What has ended never comes back, even if a page was read before it did.
        if snapshot["id"] not in copy["ended"] and (held is None or snapshot["revision"] > held["revision"]):
            resources[snapshot["id"]] = snapshot
        unseen.discard(snapshot["id"])
    for tombstone in page["tombstones"]:
        revocation = tombstone["revocation_id"]
        # All of a connection's tombstones come before the one of the connection itself, which names no resource.
        whole = tombstone["subject"]["type"] == "connection"
        if "resource" in tombstone:
            ended = [tombstone["resource"]["id"]]
        else:
            ended = [each for each, held in resources.items() if held["connection_id"] == tombstone["connection_id"]]
        for each in ended:
            resources.pop(each, None)
            copy["ended"][each] = revocation
        deletion = copy["deletions"].setdefault(revocation, {"deadline": tombstone["deletion_deadline_at"], "complete": False})
        deletion["complete"] = deletion["complete"] or not whole or "resource" not in tombstone
    copy["unseen"] = sorted(unseen)


def acknowledge():
    copy = read_copy()
    due = [(deletion["deadline"], each) for each, deletion in copy["deletions"].items() if deletion["complete"] and "outcome" not in deletion]
    for _, revocation in sorted(due):
        # The records have left the copy. Delete here whatever you have made of them: indexes, files, exports, caches.
        try:
            key = {"Idempotency-Key": f"deleted-{revocation}"}
            _, _, answer = call("POST", f"/revocations/{revocation}/ack", {"deletion_completed": True}, key)
            outcome = answer["acknowledged_at"]
        except Problem as problem:
            # Too late, or gone with regenerated test data. Record it in the portal where it is listed there.
            if problem.code not in ("acknowledgement_window_closed", "not_found"):
                raise
            outcome = problem.code
        copy["deletions"][revocation]["outcome"] = outcome
        commit(copy)
        print(revocation, outcome)


{"pull": pull, "acknowledge": acknowledge}[sys.argv[1]]()
