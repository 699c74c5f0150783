# Sourced by the scripts that run tests: runs `swift test` with "$@" and tells the ten slowest suites, whose times hold
# those of others that ran beside them. The backtracer can hold a crashed child process for minutes.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
{ SWIFT_BACKTRACE=enable=no REALM_VERIFY=1 swift test "$@" </dev/null 2>&1 && echo 0 >"$log.ok" || true; } | tee "$log"
sed -n 's/^.*Suite "\{0,1\}\(.*[^"]\)"\{0,1\} \(passed\|failed\) after \([0-9.]*\) seconds.*$/\3 \1/p' "$log" |
  sort -rn | head -n 10 | sed '1s/^/Slowest suites, in seconds:\n/'
rm "$log.ok" 2>/dev/null
