# Shared by the scripts beside it: where things are, and what they need from the system.
# To be sourced by bash.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

PEERS=.peers/venv

say() { printf '%s\n' "$*"; }
fail() { printf '%s\n' "$*" >&2; exit 1; }

# Runs a command as root: as we are, or with sudo.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        fail "this needs root (or sudo): $*"
    fi
}

# need_packages WHY PACKAGE...: installs those Debian packages that are missing.
need_packages() {
    local why=$1 package missing=()
    shift
    for package in "$@"; do
        # Debian 13 renamed some libraries when their time type grew.
        grep -qx installed < <(dpkg-query -W -f='${db:Status-Status}\n' \
            "$package" "${package}t64" 2>/dev/null) || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return
    command -v apt-get >/dev/null || fail "please install $why: ${missing[*]}"
    say "installing from Debian, $why: ${missing[*]}"
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

need_swift() {
    command -v swift >/dev/null || fail \
"Swift is not there. Install a Swift 6.3 toolchain for this system (see swift.org/install) and put
its usr/bin into PATH, then run this again."
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p')
    [ "$(printf '%s\n6.2\n' "$version" | sort -V | head -n 1)" = 6.2 ] ||
        fail "Swift $version is too old: 6.2 or newer is needed."
}

need_build() {
    need_swift
    need_packages "to build" libssl-dev libsqlite3-dev libjansson-dev libqrencode-dev \
        libinih-dev libgpiod-dev libbluetooth-dev libmosquitto-dev binutils
}

# The virtual devices are our own: no PyPI.
need_demo() { need_packages "for the demo" python3 iproute2 procps; }

# need_peers FILE...: the Python programs the tests talk to, pinned, inside this folder.
need_peers() {
    need_packages "for the test devices" python3 python3-venv iproute2 procps
    local file stamp
    [ -x $PEERS/bin/pip ] || { mkdir -p .peers; python3 -m venv $PEERS; }
    for file in "$@"; do
        stamp=$PEERS/$(basename "$file").done
        cmp -s "$file" "$stamp" && continue
        say "installing from PyPI into $PEERS: $(grep -v '^#' "$file" | tr '\n' ' ')"
        $PEERS/bin/pip install --quiet --disable-pip-version-check -r "$file"
        cp "$file" "$stamp"
    done
}

need_device() {
    need_packages "for the MQTT tests" mosquitto mosquitto-clients openssl
    need_peers Tests/Peers/requirements.txt
}

need_chip() {
    need_packages "for the CHIP controller" libglib2.0-0 libnl-route-3-200
    need_peers Tests/Peers/requirements.txt Tests/Peers/requirements-chip.txt
}

# Runs a program of Tests/Peers, which makes network namespaces, as root.
peers() {
    local program=$1
    shift
    as_root env PYTHONDONTWRITEBYTECODE=1 ${MATTER_GATEWAY:+MATTER_GATEWAY="$MATTER_GATEWAY"} \
        $PEERS/bin/python "Tests/Peers/$program" "$@"
}

# build_release PRODUCT..., build_debug PRODUCT...
build_release() { build_all release "$@"; }
build_debug() { build_all debug "$@"; }
build_all() {
    need_swift
    local configuration=$1 product log status=0
    shift
    for product in "$@"; do
        say "building $product (the first time takes a few minutes)"
        log=$(swift build -c "$configuration" --product "$product" 2>&1) || status=$?
        [ $status -eq 0 ] || fail "$log"
    done
}
