#!/bin/sh
# The one program of an installation: dist/oi COMMAND. It runs on the Node that comes with the packages, or else on the one that the machine has.
here=$(dirname "$(readlink -f "$0")")
# Not every npm makes the link for a package that is only for some machines.
for node in "$here"/../node_modules/.bin/node "$here"/../node_modules/node-*/bin/node node; do
  if [ -x "$node" ]; then break; fi
done
# A library looks for settings at home when it is loaded, and ends the process where there is no home.
export HOME="${HOME:-/}"
exec "$node" --disable-warning=ExperimentalWarning "$here/server/oi.js" "$@"
