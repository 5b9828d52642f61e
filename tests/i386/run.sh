#!/usr/bin/env bash
# The core where numpy's index type has 32 bits: its tests in Debian's i386, and every measure beside its value here.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=build/i386
core="tests/data tests/expectation tests/measures tests/conventions tests/io tests/every_measure tests/questions/evaluate tests/questions/ties"

[ "$(id -u)" = 0 ] || { echo "make i386 needs root, for debootstrap and chroot"; exit 1; }
command -v debootstrap >/dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends debootstrap; } >/dev/null
if [ ! -e $root/ready ]; then
  rm -rf $root
  debootstrap --variant=minbase --arch=i386 --include=python3,python3-numpy,python3-scipy trixie $root
  python3 -m pip install --quiet --target $root/packages --python-version 3.13 --only-binary=:all: --platform any --no-deps \
    click rich markdown-it-py mdurl pygments pytest pluggy iniconfig packaging hypothesis sortedcontainers typing_extensions
  touch $root/ready
fi
trap 'umount $root/proc $root/dev' EXIT
mount --bind /dev $root/dev
mount -t proc proc $root/proc
rm -rf $root/truerank
mkdir $root/truerank
cp -r src tests fuzz docs ./*.md pyproject.toml $root/truerank
there() { chroot $root env -C /truerank PYTHONPATH=/truerank/src:/truerank:/packages PYTHONDONTWRITEBYTECODE=1 LC_ALL=C.UTF-8 python3 "$@"; }

there -c 'import numpy; print("numpy", numpy.__version__, "index type", numpy.dtype(numpy.intp))'
.venv/bin/python tests/i386/values.py > $root/truerank/here.json
there tests/i386/values.py here.json
there -m pytest -q -p no:cacheprovider --hypothesis-profile=quick --ignore tests/every_measure/test_identities.py $core "$@"
