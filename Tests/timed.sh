# Sourced by the scripts that run tests. Builds once with "$@"; then runs the tests in four processes, each test after the
# other: many wait for programs that they started, and what a suite takes is only known when nothing else runs in its
# process. Command tests are in two halves that take as long as each other. A filter runs everything in one process, side by
# side. Tells the ten slowest suites, and last what failed: a log of all the runs is long, and often seen by its end alone.
# The backtracer can hold a crashed child process for minutes.
export SWIFT_BACKTRACE=enable=no REALM_VERIFY=1
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

run() {
  log=$logs/$1
  shift
  { swift test "$@" </dev/null 2>&1 || : >"$logs/failed"; } | tee "$log"
}

case " $* " in
*" --filter "* | *" --skip "*)
  # As `swift build` compiles them below, or one would throw away what the other has built.
  run all --disable-testable-imports "$@"
  ;;
*)
  # As in .ci/release.
  GLIBC_TUNABLES=$(cat .ci/compiler-memory) swift build --build-tests "$@" </dev/null
  set -- --skip-build --ignore-lock --no-parallel "$@"
  run commands "$@" --filter '^CommandTests\.([A-EG-L]|FaultTests)' &
  run other-commands "$@" --filter '^CommandTests\.[FM-Z]' --skip '^CommandTests\.FaultTests' &
  run engine "$@" --filter '^RealmEngineTests\.' &
  run others "$@" --skip '^(CommandTests|RealmEngineTests)\.' &
  wait
  ;;
esac

sed -n 's/^.*Suite "\{0,1\}\(.*[^"]\)"\{0,1\} \(passed\|failed\) after \([0-9.]*\) seconds.*$/\3 \1/p' "$logs"/* |
  sort -rn | head -n 10 | sed '1s/^/Slowest suites, in seconds:\n/'
[ -e "$logs/failed" ] || return 0
echo "Failed:"
grep -h -A 12 '^✘\|^error: \|Fatal error' "$logs"/* | tail -n 200
exit 1
