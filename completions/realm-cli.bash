# bash completion for realm-cli, made from its option table by 'realm-cli completion bash'.

# Sets reply: the options of command $1 that not every command has.
_realm_cli_options() {
  reply=
  case "$1${2+:$2}" in
    'info') reply='--sizes --snapshot --fail-fast' ;;
    'schema') reply='--format --package --dates --fingerprint --snapshot' ;;
    'query') reply='--count --keys --explain --select --typed --sort --distinct --limit --offset --memory --arg --arg-text --param --snapshot' ;;
    'aggregate') reply='--select --by --having --sort --limit --offset --memory --arg --arg-text --param --snapshot' ;;
    'sql') reply='--as --attach-sqlite --arg --arg-text --param --timeout --memory --temp-files --snapshot' ;;
    'each') reply='--recursive -0 --zero -j --jobs --total --summary --strict --resume --fail-fast --arg --arg-text --param --memory --temp-files --timeout --snapshot --export --unify --compression --timestamps --lock-timeout --upgrade --detach' ;;
    'watch') reply='--properties --initial --count --for --exec --arg --arg-text' ;;
    'serve') reply='--port --socket --open --idle-timeout --upgrade --snapshot' ;;
    'assert') reply='--count --min --max --empty --arg --arg-text --param --snapshot' ;;
    'get') reply='--key --expand --backlinks --typed --snapshot' ;;
    'export') reply='--format --for --dates --select --flatten --unnest --typed --sort --distinct --limit --offset --memory --arg --arg-text --param --snapshot --compression --timestamps --only --where --sample --seed --follow --mask --mask-all --mask-key-file --mask-key-env --mask-key-command' ;;
    'verify') reply='--for --dates --snapshot --only --where --sample --seed --follow --mask --mask-all --mask-key-file --mask-key-env --mask-key-command --arg --arg-text --param' ;;
    'dump') reply='--snapshot' ;;
    'import') reply='--format --delimiter --comment --skip --no-header --columns --map --extra-columns --create --types --primary-key --dates --null --lists --links --rejects --rejects-max --lock-timeout --upgrade --detach' ;;
    'insert') reply='--data --lock-timeout --upgrade --detach' ;;
    'upsert') reply='--data --lock-timeout --upgrade --detach' ;;
    'update') reply='--set --arg --arg-text --param --lock-timeout --upgrade --detach' ;;
    'delete') reply='--arg --arg-text --param --lock-timeout --upgrade --detach' ;;
    'hash') reply='--snapshot --fail-fast' ;;
    'create') reply='--schema --from --links --fill --seed --lock-timeout' ;;
    'load') reply='--lock-timeout' ;;
    'copy') reply='--only --where --sample --seed --follow --mask --mask-all --mask-key-file --mask-key-env --mask-key-command --arg --arg-text --param --new-key-file --new-key-env --new-key-command --decrypt --local --lock-timeout --salvage' ;;
    'compact') reply='--if --lock-timeout --salvage --fail-fast' ;;
    'encrypt') reply='--new-key-file --new-key-env --new-key-command --lock-timeout --salvage --fail-fast' ;;
    'decrypt') reply='--lock-timeout --salvage --fail-fast' ;;
    'rekey') reply='--new-key-file --new-key-env --new-key-command --lock-timeout --salvage --fail-fast' ;;
    'keygen') reply='--format' ;;
    'upgrade') reply='--lock-timeout --salvage --fail-fast' ;;
    'migrate new') reply='--dir --from --for --to --from-diff' ;;
    'migrate baseline') reply='--dir --to --accept-drift --fail-fast --lock-timeout --upgrade --detach' ;;
    'migrate lint') reply='--schema --exit-code' ;;
    'migrate status') reply='--dir --exit-code --fail-fast --recursive -0 --zero -j --jobs' ;;
    'migrate plan') reply='--accept-drift --dir --to --now --seed --lock-timeout --salvage --fail-fast --recursive -0 --zero -j --jobs' ;;
    'migrate apply') reply='--in-place --no-backup --accept-drift --dir --to --now --seed --lock-timeout --salvage --fail-fast --resume --recursive -0 --zero -j --jobs' ;;
    'migrate verify') reply='--freeze --schema' ;;
    'migrate restore') reply='--lock-timeout' ;;
    'diff') reply='--schema --data --class --ignore --match --format --summary --previous --exit-code' ;;
    'rm') reply='--lock-timeout --fail-fast' ;;
    'doctor') reply='--deep --recursive --fail-fast' ;;
    'check') reply='--summary --snapshot --fail-fast' ;;
    'recover') reply='--new-key-file --new-key-env --new-key-command --decrypt --unverified --mark --format-version --page-size --lock-timeout' ;;
    'help') reply='--json-schema' ;;
    '') reply='-c --command --file -cmd --cmd --keep-going -bail --bail -echo --echo --dialog --init --no-init -separator --separator -nullvalue --nullvalue --idle-timeout --allow-shell --memory --temp-files --arg --arg-text --param --snapshot --lock-timeout --upgrade --detach' ;;
  esac
}

# Sets reply: the options of all commands that do nothing for command $1.
_realm_cli_idle() {
  reply=
  case "$1${2+:$2}" in
    'info' | 'assert' | 'hash') reply='-box --box -table --table -column --column -line --line -list --list -csv --csv --tsv -markdown --markdown -html --html -quote --quote --sql -header --header -noheader --noheader --wrap --time-zone -w --write -readonly --readonly -n --dry-run' ;;
    'schema') reply='-box --box -table --table -column --column -line --line -list --list -csv --csv --tsv --jsonl -markdown --markdown -html --html -quote --quote --sql -header --header -noheader --noheader --wrap --time-zone -w --write -readonly --readonly -n --dry-run' ;;
    'query' | 'aggregate') reply='-w --write -readonly --readonly -n --dry-run' ;;
    'sql') reply='--all-tables -w --write -readonly --readonly -n --dry-run' ;;
    'each') reply='--all-tables -readonly --readonly' ;;
    'watch') reply='-box --box -table --table -column --column -line --line -list --list -csv --csv --tsv -json --json -markdown --markdown -html --html -quote --quote --sql -header --header -noheader --noheader --wrap --time-zone -w --write -readonly --readonly -n --dry-run' ;;
    'serve') reply='-m --mode -box --box -table --table -column --column -line --line -list --list -csv --csv --tsv -json --json --jsonl -markdown --markdown -html --html -quote --quote --sql -header --header -noheader --noheader --wrap --time-zone -readonly --readonly -n --dry-run' ;;
    'get') reply='-box --box -table --table -column --column -list --list -csv --csv --tsv -markdown --markdown -html --html -quote --quote --sql -header --header -noheader --noheader --wrap --time-zone -w --write -readonly --readonly -n --dry-run' ;;
    'export') reply='-box --box -table --table -column --column -line --line -list --list -markdown --markdown -html --html -quote --quote --sql -header --header -noheader --noheader --wrap --time-zone -w --write -readonly --readonly -n --dry-run' ;;
    'verify' | 'diff' | 'check') reply='-box --box -table --table -column --column -line --line -list --list -csv --csv --tsv -markdown --markdown -html --html -quote --quote --sql -header --header -noheader --noheader --wrap --time-zone --all-tables -w --write -readonly --readonly -n --dry-run' ;;
    'dump') reply='-m --mode -box --box -table --table -column --column -line --line -list --list -csv --csv --tsv -json --json --jsonl -markdown --markdown -html --html -quote --quote --sql -header --header -noheader --noheader --wrap --time-zone -w --write -readonly --readonly -n --dry-run' ;;
    'import') reply='-box --box -column --column -line --line -list --list -csv --csv --tsv -markdown --markdown -html --html --sql -header --header -noheader --noheader --wrap --time-zone --all-tables -readonly --readonly' ;;
    'insert' | 'upsert' | 'update' | 'delete' | 'migrate baseline') reply='-box --box -table --table -column --column -line --line -list --list -csv --csv --tsv -markdown --markdown -html --html -quote --quote --sql -header --header -noheader --noheader --wrap --time-zone --all-tables -readonly --readonly' ;;
    'create' | 'load' | 'copy' | 'compact' | 'encrypt' | 'decrypt' | 'rekey' | 'upgrade' | 'migrate apply' | 'migrate restore' | 'rm' | 'recover') reply='--no-join -box --box -table --table -column --column -line --line -list --list -csv --csv --tsv -markdown --markdown -html --html -quote --quote --sql -header --header -noheader --noheader --wrap --time-zone --all-tables -w --write -readonly --readonly' ;;
    'keygen') reply='--no-join --max-input -m --mode -box --box -table --table -column --column -line --line -list --list -csv --csv --tsv -json --json --jsonl -markdown --markdown -html --html -quote --quote --sql -header --header -noheader --noheader --wrap --time-zone --all-tables -w --write -readonly --readonly --key-file --key-env --key-command' ;;
    'migrate new' | 'migrate lint' | 'migrate status' | 'migrate plan' | 'migrate verify' | 'doctor') reply='--no-join -box --box -table --table -column --column -line --line -list --list -csv --csv --tsv -markdown --markdown -html --html -quote --quote --sql -header --header -noheader --noheader --wrap --time-zone --all-tables -w --write -readonly --readonly -n --dry-run' ;;
    'migrate schema' | 'completion' | 'help') reply='--no-join --max-input -o --output -m --mode -box --box -table --table -column --column -line --line -list --list -csv --csv --tsv -json --json --jsonl -markdown --markdown -html --html -quote --quote --sql -header --header -noheader --noheader --wrap --time-zone --all-tables -w --write -readonly --readonly -n --dry-run --key-file --key-env --key-command' ;;
  esac
}

# Sets reply: how the value of option $2 of command $1 is completed.
_realm_cli_value() {
  reply=
  case "$1${2+:$2}" in
    'info:'--snapshot) reply='words current previous' ;;
    'schema:'--format) reply='words text json yaml mermaid dot swift objc kotlin java javascript typescript csharp dart cpp swiftdata room grdb drift sqldelight watermelondb sql postgresql json-schema markdown' ;;
    'schema:'--package) reply='nothing' ;;
    'schema:'--dates) reply='words text seconds milliseconds' ;;
    'schema:'--snapshot) reply='words current previous' ;;
    'query:'--select) reply='properties' ;;
    'query:'--sort) reply='properties' ;;
    'query:'--distinct) reply='properties' ;;
    'query:'--limit) reply='nothing' ;;
    'query:'--offset) reply='nothing' ;;
    'query:'--memory) reply='nothing' ;;
    'query:'--arg) reply='nothing' ;;
    'query:'--arg-text) reply='nothing' ;;
    'query:'--param) reply='nothing' ;;
    'query:'--snapshot) reply='words current previous' ;;
    'aggregate:'--select) reply='properties' ;;
    'aggregate:'--by) reply='properties' ;;
    'aggregate:'--having) reply='nothing' ;;
    'aggregate:'--sort) reply='properties' ;;
    'aggregate:'--limit) reply='nothing' ;;
    'aggregate:'--offset) reply='nothing' ;;
    'aggregate:'--memory) reply='nothing' ;;
    'aggregate:'--arg) reply='nothing' ;;
    'aggregate:'--arg-text) reply='nothing' ;;
    'aggregate:'--param) reply='nothing' ;;
    'aggregate:'--snapshot) reply='words current previous' ;;
    'sql:'--as) reply='nothing' ;;
    'sql:'--attach-sqlite) reply='files' ;;
    'sql:'--arg) reply='nothing' ;;
    'sql:'--arg-text) reply='nothing' ;;
    'sql:'--param) reply='nothing' ;;
    'sql:'--timeout) reply='nothing' ;;
    'sql:'--memory) reply='nothing' ;;
    'sql:'--temp-files) reply='nothing' ;;
    'sql:'--snapshot) reply='words current previous' ;;
    'each:'-j | 'each:'--jobs) reply='nothing' ;;
    'each:'--resume) reply='files' ;;
    'each:'--arg) reply='nothing' ;;
    'each:'--arg-text) reply='nothing' ;;
    'each:'--param) reply='nothing' ;;
    'each:'--memory) reply='nothing' ;;
    'each:'--temp-files) reply='nothing' ;;
    'each:'--timeout) reply='nothing' ;;
    'each:'--snapshot) reply='words current previous' ;;
    'each:'--export) reply='words parquet' ;;
    'each:'--compression) reply='words none zstd' ;;
    'each:'--timestamps) reply='words micros nanos' ;;
    'each:'--lock-timeout) reply='nothing' ;;
    'watch:'--properties) reply='properties' ;;
    'watch:'--count) reply='nothing' ;;
    'watch:'--for) reply='nothing' ;;
    'watch:'--exec) reply='programs' ;;
    'watch:'--arg) reply='nothing' ;;
    'watch:'--arg-text) reply='nothing' ;;
    'serve:'--port) reply='nothing' ;;
    'serve:'--socket) reply='files' ;;
    'serve:'--idle-timeout) reply='nothing' ;;
    'serve:'--snapshot) reply='words current previous' ;;
    'assert:'--count) reply='nothing' ;;
    'assert:'--min) reply='nothing' ;;
    'assert:'--max) reply='nothing' ;;
    'assert:'--arg) reply='nothing' ;;
    'assert:'--arg-text) reply='nothing' ;;
    'assert:'--param) reply='nothing' ;;
    'assert:'--snapshot) reply='words current previous' ;;
    'get:'--key) reply='nothing' ;;
    'get:'--expand) reply='nothing' ;;
    'get:'--snapshot) reply='words current previous' ;;
    'export:'--format) reply='words csv tsv json jsonl sql sqlite parquet' ;;
    'export:'--for) reply='words room grdb drift sqldelight watermelondb' ;;
    'export:'--dates) reply='words text seconds milliseconds' ;;
    'export:'--select) reply='properties' ;;
    'export:'--unnest) reply='nothing' ;;
    'export:'--sort) reply='properties' ;;
    'export:'--distinct) reply='properties' ;;
    'export:'--limit) reply='nothing' ;;
    'export:'--offset) reply='nothing' ;;
    'export:'--memory) reply='nothing' ;;
    'export:'--arg) reply='nothing' ;;
    'export:'--arg-text) reply='nothing' ;;
    'export:'--param) reply='nothing' ;;
    'export:'--snapshot) reply='words current previous' ;;
    'export:'--compression) reply='words none zstd' ;;
    'export:'--timestamps) reply='words micros nanos' ;;
    'export:'--only) reply='nothing' ;;
    'export:'--where) reply='classes' ;;
    'export:'--sample) reply='nothing' ;;
    'export:'--seed) reply='nothing' ;;
    'export:'--follow) reply='words links owned none' ;;
    'export:'--mask) reply='nothing' ;;
    'export:'--mask-key-file) reply='files' ;;
    'export:'--mask-key-env) reply='nothing' ;;
    'export:'--mask-key-command) reply='programs' ;;
    'verify:'--for) reply='words room grdb drift sqldelight watermelondb' ;;
    'verify:'--dates) reply='words text seconds milliseconds' ;;
    'verify:'--snapshot) reply='words current previous' ;;
    'verify:'--only) reply='nothing' ;;
    'verify:'--where) reply='classes' ;;
    'verify:'--sample) reply='nothing' ;;
    'verify:'--seed) reply='nothing' ;;
    'verify:'--follow) reply='words links owned none' ;;
    'verify:'--mask) reply='nothing' ;;
    'verify:'--mask-key-file) reply='files' ;;
    'verify:'--mask-key-env) reply='nothing' ;;
    'verify:'--mask-key-command) reply='programs' ;;
    'verify:'--arg) reply='nothing' ;;
    'verify:'--arg-text) reply='nothing' ;;
    'verify:'--param) reply='nothing' ;;
    'dump:'--snapshot) reply='words current previous' ;;
    'import:'--format) reply='words csv tsv json jsonl sqlite' ;;
    'import:'--delimiter) reply='nothing' ;;
    'import:'--comment) reply='nothing' ;;
    'import:'--skip) reply='nothing' ;;
    'import:'--columns) reply='nothing' ;;
    'import:'--map) reply='nothing' ;;
    'import:'--extra-columns) reply='words refuse ignore add' ;;
    'import:'--types) reply='nothing' ;;
    'import:'--primary-key) reply='nothing' ;;
    'import:'--dates) reply='nothing' ;;
    'import:'--null) reply='nothing' ;;
    'import:'--lists) reply='nothing' ;;
    'import:'--links) reply='words require create null' ;;
    'import:'--rejects) reply='files' ;;
    'import:'--rejects-max) reply='nothing' ;;
    'import:'--lock-timeout) reply='nothing' ;;
    'insert:'--data) reply='files' ;;
    'insert:'--lock-timeout) reply='nothing' ;;
    'upsert:'--data) reply='files' ;;
    'upsert:'--lock-timeout) reply='nothing' ;;
    'update:'--set) reply='properties' ;;
    'update:'--arg) reply='nothing' ;;
    'update:'--arg-text) reply='nothing' ;;
    'update:'--param) reply='nothing' ;;
    'update:'--lock-timeout) reply='nothing' ;;
    'delete:'--arg) reply='nothing' ;;
    'delete:'--arg-text) reply='nothing' ;;
    'delete:'--param) reply='nothing' ;;
    'delete:'--lock-timeout) reply='nothing' ;;
    'hash:'--snapshot) reply='words current previous' ;;
    'create:'--schema) reply='files' ;;
    'create:'--from) reply='files' ;;
    'create:'--links) reply='words require create null' ;;
    'create:'--fill) reply='nothing' ;;
    'create:'--seed) reply='nothing' ;;
    'create:'--lock-timeout) reply='nothing' ;;
    'load:'--lock-timeout) reply='nothing' ;;
    'copy:'--only) reply='nothing' ;;
    'copy:'--where) reply='classes' ;;
    'copy:'--sample) reply='nothing' ;;
    'copy:'--seed) reply='nothing' ;;
    'copy:'--follow) reply='words links owned none' ;;
    'copy:'--mask) reply='nothing' ;;
    'copy:'--mask-key-file) reply='files' ;;
    'copy:'--mask-key-env) reply='nothing' ;;
    'copy:'--mask-key-command) reply='programs' ;;
    'copy:'--arg) reply='nothing' ;;
    'copy:'--arg-text) reply='nothing' ;;
    'copy:'--param) reply='nothing' ;;
    'copy:'--new-key-file) reply='files' ;;
    'copy:'--new-key-env) reply='nothing' ;;
    'copy:'--new-key-command) reply='programs' ;;
    'copy:'--lock-timeout) reply='nothing' ;;
    'compact:'--if) reply='nothing' ;;
    'compact:'--lock-timeout) reply='nothing' ;;
    'encrypt:'--new-key-file) reply='files' ;;
    'encrypt:'--new-key-env) reply='nothing' ;;
    'encrypt:'--new-key-command) reply='programs' ;;
    'encrypt:'--lock-timeout) reply='nothing' ;;
    'decrypt:'--lock-timeout) reply='nothing' ;;
    'rekey:'--new-key-file) reply='files' ;;
    'rekey:'--new-key-env) reply='nothing' ;;
    'rekey:'--new-key-command) reply='programs' ;;
    'rekey:'--lock-timeout) reply='nothing' ;;
    'keygen:'--format) reply='words hex base64 raw' ;;
    'upgrade:'--lock-timeout) reply='nothing' ;;
    'migrate new:'--dir) reply='directories' ;;
    'migrate new:'--from) reply='nothing' ;;
    'migrate new:'--for) reply='files' ;;
    'migrate new:'--to) reply='nothing' ;;
    'migrate baseline:'--dir) reply='directories' ;;
    'migrate baseline:'--to) reply='nothing' ;;
    'migrate baseline:'--lock-timeout) reply='nothing' ;;
    'migrate lint:'--schema) reply='files' ;;
    'migrate status:'--dir) reply='directories' ;;
    'migrate status:'-j | 'migrate status:'--jobs) reply='nothing' ;;
    'migrate plan:'--dir) reply='directories' ;;
    'migrate plan:'--to) reply='nothing' ;;
    'migrate plan:'--now) reply='nothing' ;;
    'migrate plan:'--seed) reply='nothing' ;;
    'migrate plan:'--lock-timeout) reply='nothing' ;;
    'migrate plan:'-j | 'migrate plan:'--jobs) reply='nothing' ;;
    'migrate apply:'--dir) reply='directories' ;;
    'migrate apply:'--to) reply='nothing' ;;
    'migrate apply:'--now) reply='nothing' ;;
    'migrate apply:'--seed) reply='nothing' ;;
    'migrate apply:'--lock-timeout) reply='nothing' ;;
    'migrate apply:'--resume) reply='files' ;;
    'migrate apply:'-j | 'migrate apply:'--jobs) reply='nothing' ;;
    'migrate verify:'--schema) reply='files' ;;
    'migrate restore:'--lock-timeout) reply='nothing' ;;
    'diff:'--class) reply='classes' ;;
    'diff:'--ignore) reply='nothing' ;;
    'diff:'--match) reply='words key content' ;;
    'diff:'--format) reply='words text statements jsonl json' ;;
    'rm:'--lock-timeout) reply='nothing' ;;
    'check:'--snapshot) reply='words current previous' ;;
    'recover:'--new-key-file) reply='files' ;;
    'recover:'--new-key-env) reply='nothing' ;;
    'recover:'--new-key-command) reply='programs' ;;
    'recover:'--format-version) reply='nothing' ;;
    'recover:'--page-size) reply='nothing' ;;
    'recover:'--lock-timeout) reply='nothing' ;;
    ':'-c | ':'--command) reply='classes' ;;
    ':'--file) reply='files' ;;
    ':'-cmd | ':'--cmd) reply='nothing' ;;
    ':'--init) reply='files' ;;
    ':'-separator | ':'--separator) reply='nothing' ;;
    ':'-nullvalue | ':'--nullvalue) reply='nothing' ;;
    ':'--idle-timeout) reply='nothing' ;;
    ':'--memory) reply='nothing' ;;
    ':'--temp-files) reply='nothing' ;;
    ':'--arg) reply='nothing' ;;
    ':'--arg-text) reply='nothing' ;;
    ':'--param) reply='nothing' ;;
    ':'--snapshot) reply='words current previous' ;;
    ':'--lock-timeout) reply='nothing' ;;
    *:--max-input) reply='nothing' ;;
    *:-o | *:--output) reply='files' ;;
    *:-m | *:--mode) reply='words box table column line list csv tsv json jsonl markdown html quote insert sql' ;;
    *:--wrap) reply='nothing' ;;
    *:--time-zone) reply='nothing' ;;
    *:--color) reply='words auto always never' ;;
    *:--key-file) reply='files' ;;
    *:--key-env) reply='nothing' ;;
    *:--key-command) reply='programs' ;;
  esac
}

# Sets reply: how operand number $2 of command $1 is completed.
_realm_cli_operand() {
  reply=
  case "$1${2+:$2}" in
    'info:'*) reply='files' ;;
    'schema:'0) reply='files' ;;
    'schema:'*) reply='classes' ;;
    'query:'0) reply='files' ;;
    'query:'1) reply='classes' ;;
    'query:'2) reply='properties' ;;
    'aggregate:'0) reply='files' ;;
    'aggregate:'1) reply='classes' ;;
    'aggregate:'2) reply='properties' ;;
    'sql:'*) reply='files' ;;
    'sql:'1) reply='nothing' ;;
    'each:'*) reply='files' ;;
    'each:'1) reply='classes' ;;
    'watch:'0) reply='files' ;;
    'watch:'1) reply='classes' ;;
    'watch:'2) reply='properties' ;;
    'serve:'*) reply='files' ;;
    'assert:'0) reply='files' ;;
    'assert:'1) reply='classes' ;;
    'assert:'2) reply='properties' ;;
    'get:'0) reply='files' ;;
    'get:'1) reply='classes' ;;
    'get:'2) reply='nothing' ;;
    'export:'0) reply='files' ;;
    'export:'1) reply='classes' ;;
    'export:'2) reply='properties' ;;
    'verify:'0) reply='files' ;;
    'verify:'1) reply='files' ;;
    'dump:'0) reply='files' ;;
    'import:'0) reply='files' ;;
    'import:'1) reply='classes' ;;
    'import:'*) reply='files' ;;
    'insert:'0) reply='files' ;;
    'insert:'1) reply='classes' ;;
    'upsert:'0) reply='files' ;;
    'upsert:'1) reply='classes' ;;
    'update:'0) reply='files' ;;
    'update:'1) reply='classes' ;;
    'update:'2) reply='properties' ;;
    'delete:'0) reply='files' ;;
    'delete:'1) reply='classes' ;;
    'delete:'2) reply='properties' ;;
    'hash:'*) reply='files' ;;
    'create:'0) reply='files' ;;
    'load:'0) reply='files' ;;
    'load:'1) reply='files' ;;
    'copy:'0) reply='files' ;;
    'copy:'1) reply='files' ;;
    'compact:'*) reply='files' ;;
    'encrypt:'*) reply='files' ;;
    'decrypt:'*) reply='files' ;;
    'rekey:'*) reply='files' ;;
    'keygen:'0) reply='files' ;;
    'upgrade:'*) reply='files' ;;
    'migrate new:'0) reply='nothing' ;;
    'migrate new:'*) reply='files' ;;
    'migrate baseline:'*) reply='files' ;;
    'migrate lint:'0) reply='directories' ;;
    'migrate status:'*) reply='files' ;;
    'migrate plan:'*) reply='files' ;;
    'migrate apply:'*) reply='files' ;;
    'migrate verify:'0) reply='directories' ;;
    'migrate restore:'0) reply='files' ;;
    'migrate restore:'1) reply='files' ;;
    'diff:'0) reply='files' ;;
    'diff:'1) reply='files' ;;
    'rm:'*) reply='files' ;;
    'doctor:'*) reply='files' ;;
    'check:'*) reply='files' ;;
    'recover:'0) reply='files' ;;
    'recover:'1) reply='files' ;;
    'completion:'0) reply='words bash zsh fish' ;;
    'help:'*) reply='commands options statements prompt predicates functions migrations errors json safety' ;;
    ':'0) reply='files' ;;
    ':'*) reply='classes' ;;
  esac
}

_realm_cli_commands='info schema query aggregate sql each watch serve assert get export verify dump import insert upsert update delete hash create load copy compact encrypt decrypt rekey keygen upgrade migrate diff rm doctor check recover completion help'
_realm_cli_globals='-h --help -V --version -q --quiet -v --verbose -safe --safe --no-join --max-input -o --output -m --mode -box --box -table --table -column --column -line --line -list --list -csv --csv --tsv -json --json --jsonl -markdown --markdown -html --html -quote --quote --sql -header --header -noheader --noheader --wrap --time-zone --color --all-tables -w --write -readonly --readonly -n --dry-run -y --yes -f --force -batch --batch --no-input --key-file --key-env --key-command'
_realm_cli_with_value=' --max-input -o --output -m --mode --wrap --time-zone --color --key-file --key-env --key-command --snapshot --format --package --dates --select --sort --distinct --limit --offset --memory --arg --arg-text --param --by --having --as --attach-sqlite --timeout --temp-files -j --jobs --resume --export --compression --timestamps --lock-timeout --properties --count --for --exec --port --socket --idle-timeout --min --max --key --expand --unnest --only --where --sample --seed --follow --mask --mask-key-file --mask-key-env --mask-key-command --table --delimiter --quote --comment --skip --columns --map --extra-columns --types --primary-key --null --lists --links --rejects --rejects-max --data --set --schema --from --fill --new-key-file --new-key-env --new-key-command --if --dir --to --now --class --ignore --match --format-version --page-size -c --command --file -cmd --cmd --init -separator --separator -nullvalue --nullvalue '

# Sets reply: the subcommands of $1.
_realm_cli_subcommands() {
  reply=
  case "$1" in
    migrate) reply='words new baseline lint status plan apply verify restore schema' ;;
    *) ;;
  esac
}

# Offers each line of standard input that begins with $1, behind the prefix $2: written as it must be behind $3, a
# quote that is open, or nothing.
_realm_cli_offer_lines() {
  local line quoted
  while IFS= read -r line; do
    if [[ $line != "$1"* ]]; then continue; fi
    case $3 in
      "'") quoted=${line//\'/\'\\\'\'} ;;
      '"')
        # Within these quotes it would stand for a line of the history.
        if [[ $line == *!* ]]; then continue; fi
        quoted=${line//\\/\\\\}
        quoted=${quoted//\"/\\\"}
        quoted=${quoted//\$/\\\$}
        quoted=${quoted//\`/\\\`}
        ;;
      *) printf -v quoted %q "$line" ;;
    esac
    COMPREPLY+=("$2$quoted")
  done
}

# What the words before the cursor say: command, operands, and the option whose value is being typed.
_realm_cli_read_line() {
  local index=1 ended= word
  while ((index < COMP_CWORD)); do
    word=${COMP_WORDS[index]}
    if [[ -n $ended || $word != -?* ]]; then
      if [[ -z $command && -z $ended && ${#operands[@]} -eq 0 && " $_realm_cli_commands " == *" $word "* ]]; then
        command=$word
        _realm_cli_subcommands "$command"
        needs_subcommand=$reply
      elif [[ -n $needs_subcommand ]]; then
        command="$command $word"
        needs_subcommand=
      else
        word=${word//[\\\"\']/}
        operands+=("${word/#\~/$HOME}")
      fi
    elif [[ $word == -- ]]; then
      ended=1
    elif [[ $_realm_cli_with_value == *" $word "* ]]; then
      option=$word
      # '=' is a word of its own to bash.
      if [[ ${COMP_WORDS[index + 1]} == '=' ]]; then ((index++)); fi
      ((index++))
      if ((index < COMP_CWORD)); then
        if [[ $option == --key-file || $option == --key-env ]]; then
          keys+=("$option" "${COMP_WORDS[index]/#\~/$HOME}")
        fi
        option=
      fi
    fi
    ((index++))
  done
  options_ended=$ended
}

_realm_cli() {
  local current=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]/#\~/$HOME}
  local command= needs_subcommand= option= options_ended= reply= IFS=$' \t\n'
  local -a operands=() keys=()
  COMPREPLY=()
  _realm_cli_read_line
  if [[ $current == '=' ]]; then current=; fi

  if [[ -n $option ]]; then
    _realm_cli_value "$command" "$option"
  elif [[ -z $options_ended && $current == -* ]]; then
    _realm_cli_options "$command"
    local word words=$reply
    _realm_cli_idle "$command"
    for word in $_realm_cli_globals; do
      if [[ " $reply " != *" $word "* ]]; then words+=" $word"; fi
    done
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  elif [[ -n $needs_subcommand ]]; then
    reply=$needs_subcommand
  elif [[ -z $command && ${#operands[@]} -eq 0 ]]; then
    COMPREPLY=($(compgen -W "$_realm_cli_commands" -- "$current"))
    reply=files
  else
    _realm_cli_operand "$command" "${#operands[@]}"
  fi

  if [[ $reply == commands* && ${#operands[@]} -eq 0 ]]; then
    reply="words $_realm_cli_commands${reply#commands}"
  elif [[ $reply == commands* ]]; then
    _realm_cli_subcommands "${COMP_WORDS[COMP_CWORD - 1]}"
  fi
  local typed=${current//[\\\"\']/} before= quote=
  if [[ $current == [\"\']* ]]; then quote=${current:0:1}; fi
  case $reply in
    files)
      compopt -o filenames
      IFS=$'\n'
      COMPREPLY+=($(compgen -f -- "$current"))
      ;;
    directories)
      compopt -o filenames
      IFS=$'\n'
      COMPREPLY+=($(compgen -d -- "$current"))
      ;;
    programs) COMPREPLY=($(compgen -c -- "$current")) ;;
    words*) COMPREPLY=($(compgen -W "${reply#words}" -- "$current")) ;;
    classes)
      _realm_cli_offer_lines "$typed" '' "$quote" < <(
        "$program" __names "${keys[@]}" -- classes "${operands[0]}" \
          2>/dev/null </dev/null
      )
      ;;
    properties)
      if [[ $typed == *,* ]]; then before=${typed%,*},; fi
      compopt -o nospace
      _realm_cli_offer_lines "${typed##*,}" "$before" "$quote" < <(
        "$program" __names "${keys[@]}" -- properties "${operands[@]:0:2}" \
          2>/dev/null </dev/null
      )
      ;;
  esac
}

complete -F _realm_cli realm-cli
