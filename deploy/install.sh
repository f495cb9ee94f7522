#!/bin/sh
# Installs Ridotto for a server into a folder of its own: sh deploy/install.sh FOLDER [WHEEL]
# The image is built by this, and `make soak` runs it in an empty folder. Without a wheel it installs this checkout.
set -eu
[ $# -ge 1 ] || { echo "usage: sh deploy/install.sh FOLDER [WHEEL]" >&2; exit 2; }
here=$(cd "$(dirname "$0")/.." && pwd)
python=${PYTHON:-python3}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Ridotto needs Python 3.11 or newer: PYTHON=python3.11 sh deploy/install.sh $1" >&2; exit 1; }
"$python" -m venv "$1"
"$1/bin/pip" install --quiet --disable-pip-version-check -c "$here/constraints.txt" "${2:-$here}[server]"
"$1/bin/ridotto" --version
