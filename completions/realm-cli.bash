# bash completion for realm-cli, made from its option table by 'realm-cli completion bash'.

# Sets reply: the options of command $1 that not every command has.
_realm_cli_options() {
  reply=
  case "$1${2+:$2}" in
    'info') reply='--sizes --snapshot' ;;
    'schema') reply='--format --fingerprint --snapshot' ;;
    'query') reply='--count --keys --typed --sort --distinct --limit --offset --arg --arg-text --snapshot' ;;
    'get') reply='--key --expand --typed --snapshot' ;;
    'dump') reply='--snapshot' ;;
    'hash') reply='--snapshot' ;;
    'copy') reply='--new-key-file --new-key-env --new-key-command --decrypt --local --lock-timeout' ;;
    'compact') reply='--if --lock-timeout' ;;
    'encrypt') reply='--new-key-file --new-key-env --new-key-command --lock-timeout' ;;
    'decrypt') reply='--lock-timeout' ;;
    'rekey') reply='--new-key-file --new-key-env --new-key-command --lock-timeout' ;;
    'keygen') reply='--format' ;;
    'upgrade') reply='--lock-timeout' ;;
    'rm') reply='--lock-timeout' ;;
  esac
}

# Sets reply: how the value of option $2 of command $1 is completed.
_realm_cli_value() {
  reply=
  case "$1${2+:$2}" in
    'info:'--snapshot) reply='words current previous' ;;
    'schema:'--format) reply='words text json yaml mermaid dot' ;;
    'schema:'--snapshot) reply='words current previous' ;;
    'query:'--sort) reply='properties' ;;
    'query:'--distinct) reply='properties' ;;
    'query:'--limit) reply='nothing' ;;
    'query:'--offset) reply='nothing' ;;
    'query:'--arg) reply='nothing' ;;
    'query:'--arg-text) reply='nothing' ;;
    'query:'--snapshot) reply='words current previous' ;;
    'get:'--key) reply='nothing' ;;
    'get:'--expand) reply='nothing' ;;
    'get:'--snapshot) reply='words current previous' ;;
    'dump:'--snapshot) reply='words current previous' ;;
    'hash:'--snapshot) reply='words current previous' ;;
    'copy:'--new-key-file) reply='files' ;;
    'copy:'--new-key-env) reply='nothing' ;;
    'copy:'--new-key-command) reply='commands' ;;
    'copy:'--lock-timeout) reply='nothing' ;;
    'compact:'--if) reply='nothing' ;;
    'compact:'--lock-timeout) reply='nothing' ;;
    'encrypt:'--new-key-file) reply='files' ;;
    'encrypt:'--new-key-env) reply='nothing' ;;
    'encrypt:'--new-key-command) reply='commands' ;;
    'encrypt:'--lock-timeout) reply='nothing' ;;
    'decrypt:'--lock-timeout) reply='nothing' ;;
    'rekey:'--new-key-file) reply='files' ;;
    'rekey:'--new-key-env) reply='nothing' ;;
    'rekey:'--new-key-command) reply='commands' ;;
    'rekey:'--lock-timeout) reply='nothing' ;;
    'keygen:'--format) reply='words hex base64 raw' ;;
    'upgrade:'--lock-timeout) reply='nothing' ;;
    'rm:'--lock-timeout) reply='nothing' ;;
    *:-o | *:--output) reply='files' ;;
    *:-m | *:--mode) reply='words box table column line list csv tsv json jsonl markdown html quote' ;;
    *:--color) reply='words auto always never' ;;
    *:--key-file) reply='files' ;;
    *:--key-env) reply='nothing' ;;
    *:--key-command) reply='commands' ;;
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
    'query:'2) reply='nothing' ;;
    'get:'0) reply='files' ;;
    'get:'1) reply='classes' ;;
    'get:'2) reply='nothing' ;;
    'dump:'0) reply='files' ;;
    'hash:'*) reply='files' ;;
    'copy:'0) reply='files' ;;
    'copy:'1) reply='files' ;;
    'compact:'*) reply='files' ;;
    'encrypt:'*) reply='files' ;;
    'decrypt:'*) reply='files' ;;
    'rekey:'*) reply='files' ;;
    'keygen:'0) reply='files' ;;
    'upgrade:'*) reply='files' ;;
    'rm:'*) reply='files' ;;
    'completion:'0) reply='words bash zsh fish' ;;
    'help:'*) reply='words info schema query get dump hash copy compact encrypt decrypt rekey keygen upgrade rm completion help' ;;
  esac
}

_realm_cli_commands='info schema query get dump hash copy compact encrypt decrypt rekey keygen upgrade rm completion help'
_realm_cli_globals='-h --help -V --version -q --quiet -v --verbose -o --output -m --mode -box --box -table --table -column --column -line --line -list --list -csv --csv --tsv -json --json --jsonl -markdown --markdown -html --html -quote --quote -header --header -noheader --noheader --color --all-tables -w --write -readonly --readonly -n --dry-run -y --yes -f --force -batch --batch --no-input --key-file --key-env --key-command'
_realm_cli_with_value=' -o --output -m --mode --color --key-file --key-env --key-command --snapshot --format --sort --distinct --limit --offset --arg --arg-text --key --expand --new-key-file --new-key-env --new-key-command --lock-timeout --if '

# Sets reply: the subcommands of $1.
_realm_cli_subcommands() {
  reply=
  case "$1" in
    *) ;;
  esac
}

# Offers each line of standard input that begins with $1, behind the prefix $2.
_realm_cli_offer_lines() {
  local line quoted
  while IFS= read -r line; do
    if [[ $line == "$1"* ]]; then
      printf -v quoted %q "$line"
      COMPREPLY+=("$2$quoted")
    fi
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
    COMPREPLY=($(compgen -W "$reply $_realm_cli_globals" -- "$current"))
    return
  elif [[ -n $needs_subcommand ]]; then
    reply=$needs_subcommand
  elif [[ -z $command && ${#operands[@]} -eq 0 ]]; then
    COMPREPLY=($(compgen -W "$_realm_cli_commands" -- "$current"))
    reply=files
  else
    _realm_cli_operand "$command" "${#operands[@]}"
  fi

  local typed=${current//[\\\"\']/} before=
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
    commands) COMPREPLY=($(compgen -c -- "$current")) ;;
    words*) COMPREPLY=($(compgen -W "${reply#words}" -- "$current")) ;;
    classes)
      _realm_cli_offer_lines "$typed" '' < <(
        "$program" __names "${keys[@]}" -- classes "${operands[0]}" \
          2>/dev/null </dev/null
      )
      ;;
    properties)
      if [[ $typed == *,* ]]; then before=${typed%,*},; fi
      compopt -o nospace
      _realm_cli_offer_lines "${typed##*,}" "$before" < <(
        "$program" __names "${keys[@]}" -- properties "${operands[@]:0:2}" \
          2>/dev/null </dev/null
      )
      ;;
  esac
}

complete -F _realm_cli realm-cli
