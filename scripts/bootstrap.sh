# Sourced by scripts/nodealer and scripts/test, which have set `root`: the environment they need.
#
# A start that finds everything in place must cost milliseconds, so all that happens then is one
# comparison: the stamp that the last set-up wrote against the files that decide what is installed.
# Anything else is the business of scripts/set_up.py; this file only finds a Python to run it.

venv=$root/.venv

# What decides the contents of the environment. scripts/set_up.py writes the very same bytes.
stamp_text() {
    printf 'root %s\n' "$root"
    cat "$venv/pyvenv.cfg" "$root/requirements/build.lock" "$root/requirements/$1.lock"
    printf 'end of the packages\n'
    cat "$root/pyproject.toml"
}

# PYTHON asks for a certain interpreter: whether the environment has it, set_up.py can tell.
is_ready() {
    [ -z "${PYTHON:-}" ] && [ -x "$venv/bin/python" ] && [ -f "$venv/stamp-$1" ] &&
        stamp_text "$1" | cmp -s - "$venv/stamp-$1"
}

say() { printf 'nodealer: %s\n' "$*" >&2; }

# Answers "good", "newer" (than the versions for which every package has a built wheel), "old" or
# "bare" (no venv, or neither ensurepip nor uv); says nothing if there is no such command. Python 2
# can read it.
probe_python() {
    "$1" -c '
import sys
if sys.version_info < (3, 11):
    print("old")
else:
    try:
        import venv
        if sys.argv[1] != "uv":
            import ensurepip
        print("good" if sys.version_info < (3, 14) else "newer")
    except ImportError:
        print("bare")
' "$installer" 2>/dev/null
}

# Sets `python` to the best interpreter there is, or explains what to install.
find_python() {
    python='' newer='' bare='' old='' installer=pip
    [ "${NODEALER_UV:-}" = no ] || ! command -v uv >/dev/null || installer=uv
    for name in ${PYTHON:+"$PYTHON"} python3 python3.13 python3.12 python3.11 python3.14; do
        case $(probe_python "$name") in
            good) python=$name && return ;;
            newer) newer=${newer:-$name} ;;
            bare) bare=${bare:-$name} ;;
            old) old=${old:-$name} ;;
        esac
        # Who names an interpreter wants that one or an explanation, not another one.
        [ -z "${PYTHON:-}" ] || break
    done
    python=$newer
    [ -n "$python" ] || explain_no_python
}

explain_no_python() {
    if [ -n "$bare" ]; then
        version=$("$bare" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        say "$bare is Python $version, but its venv or ensurepip module is missing."
        say "Debian, Ubuntu: sudo apt install python$version-venv   (then start this again)"
        say "Elsewhere: install the full Python package, or set PYTHON to another Python >= 3.11."
    elif [ -n "$old" ]; then
        say "Python 3.11 or newer is needed; $old is $("$old" -V 2>&1)."
        say "Install a newer one beside it, or set PYTHON to its path: PYTHON=/path/to/python3.11 $0"
    elif [ -n "${PYTHON:-}" ]; then
        say "PYTHON is set to $PYTHON, which does not run. Set it to a Python >= 3.11, or unset it."
    else
        say "Python 3.11 or newer is needed, and no python3 was found on the PATH."
        say "Debian, Ubuntu: sudo apt install python3 python3-venv.   macOS: brew install python@3.13"
    fi
    exit 1
}

# prepare LAYER: returns when .venv has what core, net or test needs; a failure ends the program.
prepare() {
    is_ready "$1" && return
    find_python
    "$python" -I "$root/scripts/set_up.py" "$1" || exit $?
}

# Sets `layer` to what a start of nodealer needs: what tables among machines need was installed once
# somebody wanted it, and is kept up to date from then on.
find_layer() {
    layer=${NODEALER_LAYER:-core}
    [ ! -f "$venv/stamp-net" ] || layer=net
}
