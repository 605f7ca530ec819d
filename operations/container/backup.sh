#!/usr/bin/env bash
# Copies the database into the folder $1 each day, and removes copies that are older than KEEP_DAYS. With `once` as the second argument, it makes one
# and ends. PGHOST, PGUSER (the owner of the schema), PGPASSWORD and PGDATABASE say what it copies; pg_dump has to be of the server's version or later.
set -euo pipefail
folder=$1
umask 077
copy() {
  file="$folder/oi-$(date -u +%Y%m%dT%H%M%SZ).dump"
  # Only a complete copy gets the name, and the older ones stay for as long as there is none.
  pg_dump --format=custom --no-password --file "$file.part" &&
    pg_restore --list "$file.part" > /dev/null &&
    sync "$file.part" &&
    mv "$file.part" "$file" &&
    find "$folder" -name 'oi-*.dump' -mtime "+${KEEP_DAYS:-14}" -delete &&
    echo "$file"
}
while :; do
  if copy; then pause=86400; else
    rm -f "$folder"/oi-*.part
    echo 'The backup has failed and is tried again in five minutes.' >&2
    pause=300
  fi
  if [ "${2:-}" = once ]; then
    [ "$pause" = 86400 ]
    exit
  fi
  sleep "$pause"
done
