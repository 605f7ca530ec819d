#!/bin/sh
# An operator's calls by hand, with curl, OpenSSL 3 and Node for the JSON:
#
#   sh operator.sh pull                  brings the copy in copy.json up to date
#   sh operator.sh acknowledge           deletes what is due, and says so
#   sh operator.sh verify HEADERS BODY   checks a webhook delivery: its header lines in one file, its bytes in another
#
# BASE_URL, ENVIRONMENT (sandbox or production), CERT and KEY (PEM) name the machine API and the client; CURL_CA_BUNDLE the authority of its
# server if this machine does not trust it. For `verify`, WEBHOOK_URL is the registered URL, JWKS a file with the key set, and RECEIVED_AT the
# second at which the delivery arrived, if it has not just done so.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A refusal for too many requests is repeated after its Retry-After, within the minute that a quota needs to open.
call() { curl -sS --retry 3 --retry-max-time 75 --cert "$CERT" --key "$KEY" "$@"; }
copy() { node -e "
  const fs = require('node:fs');
  const copy = fs.existsSync('copy.json') ? JSON.parse(fs.readFileSync('copy.json', 'utf8'))
    : { client: null, cursor: null, etag: null, unseen: [], resources: {}, ended: {}, deletions: {} };
  // All of it is on disk, or nothing of it.
  const commit = () => {
    fs.writeFileSync('copy.json.new', JSON.stringify(copy), { flush: true });
    fs.renameSync('copy.json.new', 'copy.json');
  };
  const read = (name) => fs.readFileSync('$work/' + name, 'utf8');
  $1" "${2-}"; }

pull() {
  call -f -o "$work/capabilities" "$BASE_URL/capabilities"
  copy 'const { client_id, environment } = JSON.parse(read("capabilities"));
    if (environment !== process.env.ENVIRONMENT || (copy.client ?? client_id) !== client_id) throw "The certificate is for " + client_id + " in " + environment;
    copy.client = client_id; commit();'
  while :; do
    cursor=$(copy 'console.log(copy.cursor ?? "")')
    etag=$(copy 'console.log(copy.etag ?? "")')
    status=$(call -D "$work/headers" -o "$work/page" -w '%{http_code}' -G ${cursor:+--data-urlencode "updated_since=$cursor"} \
      ${etag:+-H "If-None-Match: $etag"} "$BASE_URL/sync")
    case $status in
      304) return ;;
      200) test "$(copy "$apply")" = true || return 0 ;;
      400) copy 'if (JSON.parse(read("page")).code !== "invalid_cursor") throw read("page");
        Object.assign(copy, { cursor: null, etag: null, unseen: Object.keys(copy.resources) }); commit();' ;;
      *) cat "$work/page" >&2; exit 1 ;;
    esac
  done
}

# The page is applied whole, with the cursor behind it. Applied twice it does no harm.
apply='
  const page = JSON.parse(read("page"));
  const unseen = new Set(copy.unseen);
  for (const snapshot of page.upserts) {
    unseen.delete(snapshot.id);
    // What has ended never comes back, even if a page was read before it did.
    if (!copy.ended[snapshot.id] && snapshot.revision > (copy.resources[snapshot.id]?.revision ?? 0)) copy.resources[snapshot.id] = snapshot;
  }
  for (const { revocation_id, subject, connection_id, resource, deletion_deadline_at } of page.tombstones) {
    const held = Object.values(copy.resources);
    const gone = resource ? [resource.id] : held.filter((each) => each.connection_id === connection_id).map(({ id }) => id);
    for (const id of gone) { delete copy.resources[id]; copy.ended[id] = revocation_id; }
    // All of a connection´s tombstones come before the one of the connection itself, which names no resource.
    const complete = subject.type !== "connection" || !resource || copy.deletions[revocation_id]?.complete === true;
    copy.deletions[revocation_id] = { ...copy.deletions[revocation_id], deadline: deletion_deadline_at, complete };
  }
  // The answer to a cursor that stays is the same until something changes.
  copy.etag = page.next_cursor === copy.cursor ? (/^etag: *(.*?)\r?$/im.exec(read("headers"))?.[1] ?? null) : null;
  copy.cursor = page.next_cursor;
  if (!page.has_more) for (const id of unseen) delete copy.resources[id];
  copy.unseen = page.has_more ? [...unseen] : [];
  commit();
  console.log(page.has_more);'

acknowledge() {
  copy 'const due = Object.entries(copy.deletions).filter(([, { complete, outcome }]) => complete && !outcome);
    for (const [id] of due.sort(([, one], [, other]) => (one.deadline < other.deadline ? -1 : 1))) console.log(id);' > "$work/due"
  while read -r revocation; do
    # The records have left the copy. Delete here whatever you have made of them: indexes, files, exports, caches.
    status=$(call -o "$work/answer" -w '%{http_code}' -H 'Content-Type: application/json' -H "Idempotency-Key: deleted-$revocation" \
      -d '{"deletion_completed": true}' "$BASE_URL/revocations/$revocation/ack" < /dev/null)
    # 409 and 404: too late, or gone with regenerated test data. Record it in the portal where it is listed there.
    case $status in
      200 | 404 | 409) copy 'const { acknowledged_at, code } = JSON.parse(read("answer")); const id = process.argv[1];
        copy.deletions[id].outcome = acknowledged_at ?? code; commit(); console.log(id, copy.deletions[id].outcome);' "$revocation" ;;
      *) cat "$work/answer" >&2; exit 1 ;;
    esac
  done < "$work/due"
}

refuse() { echo "$1" >&2; exit 1; }

# Takes the headers exactly as the service sends them, and refuses a delivery to which a proxy has added a signature of its own.
verify() {
  header() { tr -d '\r' < "$headers" | awk -v name="$1" 'tolower(substr($0, 1, length(name) + 1)) == name ":" { sub(/^[^:]*: */, ""); print }'; }
  headers=$1
  parameters=$(header signature-input | sed -nE 's/^svc=(\("@method" "@target-uri" "content-digest" "x-svc-event-id" "x-svc-event-timestamp"\);created=[0-9]+;keyid="[A-Za-z0-9_-]+";alg="ed25519")$/\1/p')
  test -n "$parameters" || refuse 'no signature in the form that every delivery has'
  node -e 'const { keys } = JSON.parse(require("node:fs").readFileSync(process.env.JWKS, "utf8"));
    const jwk = keys.find(({ kid }) => process.argv[1].includes(`;keyid="${kid}";`));
    if (!jwk) process.exit(1);
    console.log(require("node:crypto").createPublicKey({ key: jwk, format: "jwk" }).export({ type: "spki", format: "pem" }));' \
    "$parameters" > "$work/key.pem" || refuse 'unknown key'
  test "$(header content-digest)" = "sha-256=:$(openssl dgst -sha256 -binary "$2" | base64):" || refuse 'wrong digest'
  printf '"@method": POST\n"@target-uri": %s\n"content-digest": %s\n"x-svc-event-id": %s\n"x-svc-event-timestamp": %s\n"@signature-params": %s' \
    "$WEBHOOK_URL" "$(header content-digest)" "$(header x-svc-event-id)" "$(header x-svc-event-timestamp)" "$parameters" > "$work/base"
  header signature | sed -nE 's/^svc=:([A-Za-z0-9+/]{86}==):$/\1/p' | base64 -d > "$work/signature"
  openssl pkeyutl -verify -pubin -inkey "$work/key.pem" -rawin -in "$work/base" -sigfile "$work/signature" > /dev/null 2>&1 || refuse 'wrong signature'
  created=$(printf %s "$parameters" | sed -E 's/.*;created=([0-9]+);.*/\1/')
  age=$((${RECEIVED_AT:-$(date +%s)} - created))
  test ${age#-} -le 300 || refuse 'too old, or from the future'
  node -e 'const event = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
    const [, , id, time] = process.argv;
    const types = ["connection.created", "resource.granted", "resource.updated", "resource.revoked", "connection.revoked",
      "statistics.updated", "integration.suspended"];
    const right = types.includes(event.type) && event.id === id && event.time === time && event.environment === process.env.ENVIRONMENT &&
      event.source === new URL(process.env.BASE_URL).origin;
    if (!right) process.exit(1);
    console.log(event.type, event.id);' "$2" "$(header x-svc-event-id)" "$(header x-svc-event-timestamp)" || refuse 'not what was signed and expected'
}

case ${1-} in
  pull) pull ;;
  acknowledge) acknowledge ;;
  verify) verify "$2" "$3" ;;
  *) refuse 'pull, acknowledge or verify?' ;;
esac
