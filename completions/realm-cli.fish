# fish completion for realm-cli, made from its option table by 'realm-cli completion fish'.

# Sets the command, the operands and the key options that stand before the cursor.
function __realm_cli_read_line
    set -g __realm_cli_command ''
    set -g __realm_cli_operands
    set -g __realm_cli_keys
    set -l with_value --max-input -o --output -m --mode --wrap --time-zone --color --key-file --key-env --key-command --snapshot --format --package --dates --select --sort --distinct --limit --offset --memory --arg --arg-text --param --by --having --as --attach-sqlite --timeout --temp-files -j --jobs --resume --export --compression --timestamps --lock-timeout --properties --count --for --exec --port --socket --idle-timeout --min --max --key --expand --unnest --only --where --sample --seed --follow --mask --mask-key-file --mask-key-env --mask-key-command --table --delimiter --quote --comment --skip --columns --map --extra-columns --types --primary-key --null --lists --links --rejects --rejects-max --data --set --schema --from --fill --new-key-file --new-key-env --new-key-command --if --dir --to --now --class --ignore --match --format-version --page-size -c --command --file -cmd --cmd --init -separator --separator -nullvalue --nullvalue
    set -l commands info schema query aggregate sql each watch serve assert get export verify dump import insert upsert update delete hash create load copy compact encrypt decrypt rekey keygen upgrade migrate diff rm doctor check recover completion help
    set -l parents migrate
    set -l words (commandline -opc)
    set -e words[1]
    set -l ended 0
    while set -q words[1]
        set -l word $words[1]
        set -e words[1]
        if test $ended = 1; or not string match -q -- '-?*' $word
            if test $ended = 0 -a -z "$__realm_cli_command"; and not set -q __realm_cli_operands[1]
                and contains -- $word $commands
                set __realm_cli_command $word
            else if contains -- "$__realm_cli_command" $parents
                set __realm_cli_command "$__realm_cli_command $word"
            else
                set -a __realm_cli_operands $word
            end
        else if test "$word" = --
            set ended 1
        else if contains -- $word $with_value
            if contains -- $word --key-file --key-env; and set -q words[1]
                set -a __realm_cli_keys $word $words[1]
            end
            set -e words[1]
        end
    end
end

function __realm_cli_first
    __realm_cli_read_line
    test -z "$__realm_cli_command"; and not set -q __realm_cli_operands[1]
end

function __realm_cli_in
    __realm_cli_read_line
    contains -- "$__realm_cli_command" $argv
end

function __realm_cli_at
    __realm_cli_in $argv[1]; and test (count $__realm_cli_operands) -eq $argv[2]
end

function __realm_cli_from
    __realm_cli_in $argv[1]; and test (count $__realm_cli_operands) -ge $argv[2]
end

function __realm_cli_names
    __realm_cli_read_line
    set -l program (commandline -opc)[1]
    set -l operands $__realm_cli_operands[1]
    if test $argv[1] = properties
        set operands $__realm_cli_operands[1..2]
    end
    $program __names $__realm_cli_keys -- $argv[1] $operands 2>/dev/null </dev/null
end

# The commands beside these topics, and behind one that has them its subcommands.
function __realm_cli_commands
    __realm_cli_read_line
    switch "$__realm_cli_operands[-1]"
        case ''
            string split ' ' 'info schema query aggregate sql each watch serve assert get export verify dump import insert upsert update delete hash create load copy compact encrypt decrypt rekey keygen upgrade migrate diff rm doctor check recover completion help'
            string join \n $argv
          case migrate
              string split ' ' 'new baseline lint status plan apply verify restore schema'
    end
end

complete -c realm-cli -f
complete -c realm-cli -n __realm_cli_first -a info -d 'show what a file is and what it contains'
complete -c realm-cli -n __realm_cli_first -a schema -d 'show classes and their properties'
complete -c realm-cli -n __realm_cli_first -a query -d 'find objects that meet a condition'
complete -c realm-cli -n __realm_cli_first -a aggregate -d 'compute counts, sums and averages, in groups'
complete -c realm-cli -n __realm_cli_first -a sql -d 'run a SELECT statement of SQLite'
complete -c realm-cli -n __realm_cli_first -a each -d 'run a statement on thousands of files, as one table'
complete -c realm-cli -n __realm_cli_first -a watch -d 'show the changes of every commit'
complete -c realm-cli -n __realm_cli_first -a serve -d 'browse realms in a web browser'
complete -c realm-cli -n __realm_cli_first -a assert -d 'check the number of objects that meet a condition'
complete -c realm-cli -n __realm_cli_first -a get -d 'show one object'
complete -c realm-cli -n __realm_cli_first -a export -d 'export objects as CSV, TSV, JSON, Parquet or SQLite'
complete -c realm-cli -n __realm_cli_first -a verify -d 'compare a realm with a file of SQLite exported from it'
complete -c realm-cli -n __realm_cli_first -a dump -d 'print the whole realm as JSON Lines, losslessly'
complete -c realm-cli -n __realm_cli_first -a import -d 'import objects from CSV, TSV, JSON or JSON Lines'
complete -c realm-cli -n __realm_cli_first -a insert -d 'insert objects'
complete -c realm-cli -n __realm_cli_first -a upsert -d 'update objects, or insert those that do not exist'
complete -c realm-cli -n __realm_cli_first -a update -d 'change objects'
complete -c realm-cli -n __realm_cli_first -a delete -d 'delete objects'
complete -c realm-cli -n __realm_cli_first -a hash -d 'print a SHA-256 of schema and data'
complete -c realm-cli -n __realm_cli_first -a create -d 'create a realm'
complete -c realm-cli -n __realm_cli_first -a load -d 'create a realm from a dump'
complete -c realm-cli -n __realm_cli_first -a copy -d 'copy a realm to a new, compact file'
complete -c realm-cli -n __realm_cli_first -a compact -d 'return unused space in a file to the system'
complete -c realm-cli -n __realm_cli_first -a encrypt -d 'encrypt a realm in place'
complete -c realm-cli -n __realm_cli_first -a decrypt -d 'decrypt a realm in place'
complete -c realm-cli -n __realm_cli_first -a rekey -d 'change the key of an encrypted realm in place'
complete -c realm-cli -n __realm_cli_first -a keygen -d 'generate an encryption key'
complete -c realm-cli -n __realm_cli_first -a upgrade -d 'upgrade a realm to the current file format'
complete -c realm-cli -n __realm_cli_first -a migrate -d 'migrate schema and data with migration files'
complete -c realm-cli -n '__realm_cli_at migrate 0' -f -a new -d 'create a migration file'
complete -c realm-cli -n '__realm_cli_at migrate 0' -f -a baseline -d 'mark the steps up to a version as applied, without running them'
complete -c realm-cli -n '__realm_cli_at migrate 0' -f -a lint -d 'check migration files without a realm'
complete -c realm-cli -n '__realm_cli_at migrate 0' -f -a status -d 'show the schema versions of files and their pending steps'
complete -c realm-cli -n '__realm_cli_at migrate 0' -f -a plan -d 'show what apply would do, using a private copy'
complete -c realm-cli -n '__realm_cli_at migrate 0' -f -a apply -d 'migrate files to the newest schema version'
complete -c realm-cli -n '__realm_cli_at migrate 0' -f -a verify -d 'check or write the checksums of migration files'
complete -c realm-cli -n '__realm_cli_at migrate 0' -f -a restore -d 'restore the backup made by a migration'
complete -c realm-cli -n '__realm_cli_at migrate 0' -f -a schema -d 'print the JSON Schema of migration files, for editors'
complete -c realm-cli -n __realm_cli_first -a diff -d 'show the differences between two realms'
complete -c realm-cli -n __realm_cli_first -a rm -d 'remove a realm, its lock file and its management files'
complete -c realm-cli -n __realm_cli_first -a doctor -d 'explain why a file does not open, and what to do'
complete -c realm-cli -n __realm_cli_first -a check -d 'check whole files for damage'
complete -c realm-cli -n __realm_cli_first -a recover -d 'save what can be read from a damaged realm'
complete -c realm-cli -n __realm_cli_first -a completion -d 'print a completion script for a shell'
complete -c realm-cli -n __realm_cli_first -a help -d 'show help for a command or a topic'
complete -c realm-cli -n __realm_cli_first -F
complete -c realm-cli -s h -l help -d 'print help; with a command, its help'
complete -c realm-cli -s V -l version -d 'print the version'
complete -c realm-cli -s q -l quiet -d 'print nothing but results and errors'
complete -c realm-cli -s v -l verbose -d 'report more details'
complete -c realm-cli -o safe -l safe -d 'run no programs, write no output files, and open no files but the realm and its key'
complete -c realm-cli -n 'not __realm_cli_in "create" "load" "copy" "compact" "encrypt" "decrypt" "rekey" "upgrade" "migrate apply" "migrate restore" "rm" "recover" "keygen" "migrate new" "migrate lint" "migrate status" "migrate plan" "migrate verify" "doctor" "migrate schema" "completion" "help"' -l no-join -d 'read a realm that apps have open without joining their session'
complete -c realm-cli -n 'not __realm_cli_in "keygen" "migrate schema" "completion" "help"' -l max-input -r -f -d 'accept a realm of at most SIZE on standard input (default 4GB)'
complete -c realm-cli -n 'not __realm_cli_in "migrate schema" "completion" "help"' -s o -l output -r -F -d 'write results to FILE, which must not exist'
complete -c realm-cli -n 'not __realm_cli_in "serve" "dump" "keygen" "migrate schema" "completion" "help"' -s m -l mode -r -f -a 'box table column line list csv tsv json jsonl markdown html quote insert sql' -d 'the output format: box, table, column, line, list, csv, tsv, json, jsonl, markdown, html, quote, insert, sql'
complete -c realm-cli -n 'not __realm_cli_in "info" "assert" "hash" "schema" "watch" "serve" "get" "export" "verify" "diff" "check" "dump" "import" "insert" "upsert" "update" "delete" "migrate baseline" "create" "load" "copy" "compact" "encrypt" "decrypt" "rekey" "upgrade" "migrate apply" "migrate restore" "rm" "recover" "keygen" "migrate new" "migrate lint" "migrate status" "migrate plan" "migrate verify" "doctor" "migrate schema" "completion" "help"' -o box -l box -d 'same as --mode box'
complete -c realm-cli -n 'not __realm_cli_in "info" "assert" "hash" "schema" "watch" "serve" "get" "export" "verify" "diff" "check" "dump" "insert" "upsert" "update" "delete" "migrate baseline" "create" "load" "copy" "compact" "encrypt" "decrypt" "rekey" "upgrade" "migrate apply" "migrate restore" "rm" "recover" "keygen" "migrate new" "migrate lint" "migrate status" "migrate plan" "migrate verify" "doctor" "migrate schema" "completion" "help"' -o table -l table -d 'same as --mode table'
complete -c realm-cli -n 'not __realm_cli_in "info" "assert" "hash" "schema" "watch" "serve" "get" "export" "verify" "diff" "check" "dump" "import" "insert" "upsert" "update" "delete" "migrate baseline" "create" "load" "copy" "compact" "encrypt" "decrypt" "rekey" "upgrade" "migrate apply" "migrate restore" "rm" "recover" "keygen" "migrate new" "migrate lint" "migrate status" "migrate plan" "migrate verify" "doctor" "migrate schema" "completion" "help"' -o column -l column -d 'same as --mode column'
complete -c realm-cli -n 'not __realm_cli_in "info" "assert" "hash" "schema" "watch" "serve" "export" "verify" "diff" "check" "dump" "import" "insert" "upsert" "update" "delete" "migrate baseline" "create" "load" "copy" "compact" "encrypt" "decrypt" "rekey" "upgrade" "migrate apply" "migrate restore" "rm" "recover" "keygen" "migrate new" "migrate lint" "migrate status" "migrate plan" "migrate verify" "doctor" "migrate schema" "completion" "help"' -o line -l line -d 'same as --mode line'
complete -c realm-cli -n 'not __realm_cli_in "info" "assert" "hash" "schema" "watch" "serve" "get" "export" "verify" "diff" "check" "dump" "import" "insert" "upsert" "update" "delete" "migrate baseline" "create" "load" "copy" "compact" "encrypt" "decrypt" "rekey" "upgrade" "migrate apply" "migrate restore" "rm" "recover" "keygen" "migrate new" "migrate lint" "migrate status" "migrate plan" "migrate verify" "doctor" "migrate schema" "completion" "help"' -o list -l list -d 'same as --mode list'
complete -c realm-cli -n 'not __realm_cli_in "info" "assert" "hash" "schema" "watch" "serve" "get" "verify" "diff" "check" "dump" "import" "insert" "upsert" "update" "delete" "migrate baseline" "create" "load" "copy" "compact" "encrypt" "decrypt" "rekey" "upgrade" "migrate apply" "migrate restore" "rm" "recover" "keygen" "migrate new" "migrate lint" "migrate status" "migrate plan" "migrate verify" "doctor" "migrate schema" "completion" "help"' -o csv -l csv -d 'same as --mode csv'
complete -c realm-cli -n 'not __realm_cli_in "info" "assert" "hash" "schema" "watch" "serve" "get" "verify" "diff" "check" "dump" "import" "insert" "upsert" "update" "delete" "migrate baseline" "create" "load" "copy" "compact" "encrypt" "decrypt" "rekey" "upgrade" "migrate apply" "migrate restore" "rm" "recover" "keygen" "migrate new" "migrate lint" "migrate status" "migrate plan" "migrate verify" "doctor" "migrate schema" "completion" "help"' -l tsv -d 'same as --mode tsv'
complete -c realm-cli -n 'not __realm_cli_in "watch" "serve" "dump" "keygen" "migrate schema" "completion" "help"' -o json -l json -d 'same as --mode json'
complete -c realm-cli -n 'not __realm_cli_in "schema" "serve" "dump" "keygen" "migrate schema" "completion" "help"' -l jsonl -d 'same as --mode jsonl'
complete -c realm-cli -n 'not __realm_cli_in "info" "assert" "hash" "schema" "watch" "serve" "get" "export" "verify" "diff" "check" "dump" "import" "insert" "upsert" "update" "delete" "migrate baseline" "create" "load" "copy" "compact" "encrypt" "decrypt" "rekey" "upgrade" "migrate apply" "migrate restore" "rm" "recover" "keygen" "migrate new" "migrate lint" "migrate status" "migrate plan" "migrate verify" "doctor" "migrate schema" "completion" "help"' -o markdown -l markdown -d 'same as --mode markdown'
complete -c realm-cli -n 'not __realm_cli_in "info" "assert" "hash" "schema" "watch" "serve" "get" "export" "verify" "diff" "check" "dump" "import" "insert" "upsert" "update" "delete" "migrate baseline" "create" "load" "copy" "compact" "encrypt" "decrypt" "rekey" "upgrade" "migrate apply" "migrate restore" "rm" "recover" "keygen" "migrate new" "migrate lint" "migrate status" "migrate plan" "migrate verify" "doctor" "migrate schema" "completion" "help"' -o html -l html -d 'same as --mode html'
complete -c realm-cli -n 'not __realm_cli_in "info" "assert" "hash" "schema" "watch" "serve" "get" "export" "verify" "diff" "check" "dump" "insert" "upsert" "update" "delete" "migrate baseline" "create" "load" "copy" "compact" "encrypt" "decrypt" "rekey" "upgrade" "migrate apply" "migrate restore" "rm" "recover" "keygen" "migrate new" "migrate lint" "migrate status" "migrate plan" "migrate verify" "doctor" "migrate schema" "completion" "help"' -o quote -l quote -d 'same as --mode quote'
complete -c realm-cli -n 'not __realm_cli_in "info" "assert" "hash" "schema" "watch" "serve" "get" "export" "verify" "diff" "check" "dump" "import" "insert" "upsert" "update" "delete" "migrate baseline" "create" "load" "copy" "compact" "encrypt" "decrypt" "rekey" "upgrade" "migrate apply" "migrate restore" "rm" "recover" "keygen" "migrate new" "migrate lint" "migrate status" "migrate plan" "migrate verify" "doctor" "migrate schema" "completion" "help"' -l sql -d 'same as --mode sql'
complete -c realm-cli -n 'not __realm_cli_in "info" "assert" "hash" "schema" "watch" "serve" "get" "export" "verify" "diff" "check" "dump" "import" "insert" "upsert" "update" "delete" "migrate baseline" "create" "load" "copy" "compact" "encrypt" "decrypt" "rekey" "upgrade" "migrate apply" "migrate restore" "rm" "recover" "keygen" "migrate new" "migrate lint" "migrate status" "migrate plan" "migrate verify" "doctor" "migrate schema" "completion" "help"' -o header -l header -d 'print a header with the column names'
complete -c realm-cli -n 'not __realm_cli_in "info" "assert" "hash" "schema" "watch" "serve" "get" "export" "verify" "diff" "check" "dump" "import" "insert" "upsert" "update" "delete" "migrate baseline" "create" "load" "copy" "compact" "encrypt" "decrypt" "rekey" "upgrade" "migrate apply" "migrate restore" "rm" "recover" "keygen" "migrate new" "migrate lint" "migrate status" "migrate plan" "migrate verify" "doctor" "migrate schema" "completion" "help"' -o noheader -l noheader -d 'omit the header'
complete -c realm-cli -n 'not __realm_cli_in "info" "assert" "hash" "schema" "watch" "serve" "get" "export" "verify" "diff" "check" "dump" "import" "insert" "upsert" "update" "delete" "migrate baseline" "create" "load" "copy" "compact" "encrypt" "decrypt" "rekey" "upgrade" "migrate apply" "migrate restore" "rm" "recover" "keygen" "migrate new" "migrate lint" "migrate status" "migrate plan" "migrate verify" "doctor" "migrate schema" "completion" "help"' -l wrap -r -f -d 'in aligned columns, wrap texts longer than N characters; 0: at the edge of the screen'
complete -c realm-cli -n 'not __realm_cli_in "info" "assert" "hash" "schema" "watch" "serve" "get" "export" "verify" "diff" "check" "dump" "import" "insert" "upsert" "update" "delete" "migrate baseline" "create" "load" "copy" "compact" "encrypt" "decrypt" "rekey" "upgrade" "migrate apply" "migrate restore" "rm" "recover" "keygen" "migrate new" "migrate lint" "migrate status" "migrate plan" "migrate verify" "doctor" "migrate schema" "completion" "help"' -l time-zone -r -f -d 'show dates in ZONE in formats for people: UTC (the default), local, or a name like Europe/Paris'
complete -c realm-cli -l color -r -f -a 'auto always never' -d 'use colors: auto, always or never'
complete -c realm-cli -n 'not __realm_cli_in "sql" "each" "verify" "diff" "check" "import" "insert" "upsert" "update" "delete" "migrate baseline" "create" "load" "copy" "compact" "encrypt" "decrypt" "rekey" "upgrade" "migrate apply" "migrate restore" "rm" "recover" "keygen" "migrate new" "migrate lint" "migrate status" "migrate plan" "migrate verify" "doctor" "migrate schema" "completion" "help"' -l all-tables -d 'also show tables that are not classes'
complete -c realm-cli -n 'not __realm_cli_in "info" "assert" "hash" "schema" "query" "aggregate" "sql" "watch" "get" "export" "verify" "diff" "check" "dump" "create" "load" "copy" "compact" "encrypt" "decrypt" "rekey" "upgrade" "migrate apply" "migrate restore" "rm" "recover" "keygen" "migrate new" "migrate lint" "migrate status" "migrate plan" "migrate verify" "doctor" "migrate schema" "completion" "help"' -s w -l write -d 'allow statements to change the file'
complete -c realm-cli -n 'not __realm_cli_in "info" "assert" "hash" "schema" "query" "aggregate" "sql" "each" "watch" "serve" "get" "export" "verify" "diff" "check" "dump" "import" "insert" "upsert" "update" "delete" "migrate baseline" "create" "load" "copy" "compact" "encrypt" "decrypt" "rekey" "upgrade" "migrate apply" "migrate restore" "rm" "recover" "keygen" "migrate new" "migrate lint" "migrate status" "migrate plan" "migrate verify" "doctor" "migrate schema" "completion" "help"' -o readonly -l readonly -d 'change nothing; this is the default'
complete -c realm-cli -n 'not __realm_cli_in "info" "assert" "hash" "schema" "query" "aggregate" "sql" "watch" "serve" "get" "export" "verify" "diff" "check" "dump" "migrate new" "migrate lint" "migrate status" "migrate plan" "migrate verify" "doctor" "migrate schema" "completion" "help"' -s n -l dry-run -d 'show what would be done; change nothing'
complete -c realm-cli -s y -l yes -d 'do not ask for confirmation'
complete -c realm-cli -s f -l force -d 'replace an existing output file; with rm, also remove what only looks like a realm'
complete -c realm-cli -o batch -l batch -d 'never ask questions, as without a terminal'
complete -c realm-cli -l no-input -d 'same as --batch'
complete -c realm-cli -n 'not __realm_cli_in "keygen" "migrate schema" "completion" "help"' -l key-file -r -F -d 'read the key of an encrypted realm from FILE (\'-\' for standard input)'
complete -c realm-cli -n 'not __realm_cli_in "keygen" "migrate schema" "completion" "help"' -l key-env -r -f -d 'read the key from the environment variable NAME'
complete -c realm-cli -n 'not __realm_cli_in "keygen" "migrate schema" "completion" "help"' -l key-command -r -f -a '(__fish_complete_command)' -d 'read the key from the output of COMMAND'
complete -c realm-cli -n '__realm_cli_in "info"' -l sizes -d 'show the bytes that each class and property takes'
complete -c realm-cli -n '__realm_cli_in "info"' -l snapshot -r -f -a 'current previous' -d 'read the current version of the data or the one before: current, previous'
complete -c realm-cli -n '__realm_cli_in "info"' -l fail-fast -d 'stop at the first file that fails'
complete -c realm-cli -n '__realm_cli_from "info" 0' -F
complete -c realm-cli -n '__realm_cli_in "schema"' -l format -r -f -a 'text json yaml mermaid dot swift objc kotlin java javascript typescript csharp dart cpp swiftdata room grdb drift sqldelight watermelondb sql postgresql json-schema markdown' -d 'text (statements, the default), json, yaml, mermaid, dot; sql, postgresql, json-schema, markdown; a language: swift, objc, kotlin, java, javascript, typescript, csharp, dart, cpp; or a library: swiftdata, room, grdb, drift, sqldelight, watermelondb'
complete -c realm-cli -n '__realm_cli_in "schema"' -l package -r -f -d 'the package, namespace or library of code'
complete -c realm-cli -n '__realm_cli_in "schema"' -l dates -r -f -a 'text seconds milliseconds' -d 'how dates are written for it: text, seconds or milliseconds since 1970'
complete -c realm-cli -n '__realm_cli_in "schema"' -l fingerprint -d 'print only the schema\'s fingerprint, for migration files'
complete -c realm-cli -n '__realm_cli_in "schema"' -l snapshot -r -f -a 'current previous' -d 'read the current version of the data or the one before: current, previous'
complete -c realm-cli -n '__realm_cli_at "schema" 0' -F
complete -c realm-cli -n '__realm_cli_from "schema" 1' -f -a '(__realm_cli_names classes)'
complete -c realm-cli -n '__realm_cli_in "query"' -l count -d 'print the number of objects'
complete -c realm-cli -n '__realm_cli_in "query"' -l keys -d 'print the objects\' keys, one per line'
complete -c realm-cli -n '__realm_cli_in "query"' -l explain -d 'print how the objects are found and how long it takes'
complete -c realm-cli -n '__realm_cli_in "query"' -l select -r -f -a '(__fish_append , (__realm_cli_names properties))' -d 'show these: \'name, bestFriend.age, dogs.@count as dogs, @key\''
complete -c realm-cli -n '__realm_cli_in "query"' -l typed -d 'with --json and --jsonl: values as \'dump\' writes them'
complete -c realm-cli -n '__realm_cli_in "query"' -l sort -r -f -a '(__fish_append , (__realm_cli_names properties))' -d 'order by KEYS: \'name, age desc\''
complete -c realm-cli -n '__realm_cli_in "query"' -l distinct -r -f -a '(__fish_append , (__realm_cli_names properties))' -d 'only the first object of each combination of PATHS'
complete -c realm-cli -n '__realm_cli_in "query"' -l limit -r -f -d 'at most N objects'
complete -c realm-cli -n '__realm_cli_in "query"' -l offset -r -f -d 'leave out the first N objects'
complete -c realm-cli -n '__realm_cli_in "query"' -l memory -r -f -d 'the memory for sorting and grouping, such as 256M (default: a quarter of the machine\'s)'
complete -c realm-cli -n '__realm_cli_in "query"' -l arg -r -f -d 'the value for $0, then $1 …: 30, \'Ada\', 2020-01-31, {1, 2}; read as the property\'s type asks'
complete -c realm-cli -n '__realm_cli_in "query"' -l arg-text -r -f -d 'as --arg, but always a string'
complete -c realm-cli -n '__realm_cli_in "query"' -l param -r -f -d 'the value for $NAME, as with --arg'
complete -c realm-cli -n '__realm_cli_in "query"' -l snapshot -r -f -a 'current previous' -d 'read the current version of the data or the one before: current, previous'
complete -c realm-cli -n '__realm_cli_at "query" 0' -F
complete -c realm-cli -n '__realm_cli_at "query" 1' -f -a '(__realm_cli_names classes)'
complete -c realm-cli -n '__realm_cli_at "query" 2' -f -a '(__fish_append , (__realm_cli_names properties))'
complete -c realm-cli -n '__realm_cli_in "aggregate"' -l select -r -f -a '(__fish_append , (__realm_cli_names properties))' -d 'the columns to compute: \'count, avg age as mean, count distinct city\' (default: count)'
complete -c realm-cli -n '__realm_cli_in "aggregate"' -l by -r -f -a '(__fish_append , (__realm_cli_names properties))' -d 'group by COLUMNS: \'city, year(born)\''
complete -c realm-cli -n '__realm_cli_in "aggregate"' -l having -r -f -d 'only groups that meet CONDITION: \'count > 10\''
complete -c realm-cli -n '__realm_cli_in "aggregate"' -l sort -r -f -a '(__fish_append , (__realm_cli_names properties))' -d 'order by KEYS: \'name, age desc\''
complete -c realm-cli -n '__realm_cli_in "aggregate"' -l limit -r -f -d 'at most N objects'
complete -c realm-cli -n '__realm_cli_in "aggregate"' -l offset -r -f -d 'leave out the first N objects'
complete -c realm-cli -n '__realm_cli_in "aggregate"' -l memory -r -f -d 'the memory for sorting and grouping, such as 256M (default: a quarter of the machine\'s)'
complete -c realm-cli -n '__realm_cli_in "aggregate"' -l arg -r -f -d 'the value for $0, then $1 …: 30, \'Ada\', 2020-01-31, {1, 2}; read as the property\'s type asks'
complete -c realm-cli -n '__realm_cli_in "aggregate"' -l arg-text -r -f -d 'as --arg, but always a string'
complete -c realm-cli -n '__realm_cli_in "aggregate"' -l param -r -f -d 'the value for $NAME, as with --arg'
complete -c realm-cli -n '__realm_cli_in "aggregate"' -l snapshot -r -f -a 'current previous' -d 'read the current version of the data or the one before: current, previous'
complete -c realm-cli -n '__realm_cli_at "aggregate" 0' -F
complete -c realm-cli -n '__realm_cli_at "aggregate" 1' -f -a '(__realm_cli_names classes)'
complete -c realm-cli -n '__realm_cli_at "aggregate" 2' -f -a '(__fish_append , (__realm_cli_names properties))'
complete -c realm-cli -n '__realm_cli_in "sql"' -l as -r -f -d 'what stands before tables of each file: old=a.realm,new=b.realm'
complete -c realm-cli -n '__realm_cli_in "sql"' -l attach-sqlite -r -F -d 'read a database of SQLite beside the realms, called as its file or, with NAME=FILE, NAME; repeatable'
complete -c realm-cli -n '__realm_cli_in "sql"' -l arg -r -f -d 'the value for $0, then $1 …: 30, \'Ada\', 2020-01-31, {1, 2}; read as the property\'s type asks'
complete -c realm-cli -n '__realm_cli_in "sql"' -l arg-text -r -f -d 'as --arg, but always a string'
complete -c realm-cli -n '__realm_cli_in "sql"' -l param -r -f -d 'the value for $NAME, as with --arg'
complete -c realm-cli -n '__realm_cli_in "sql"' -l timeout -r -f -d 'end statements of SQL that take longer'
complete -c realm-cli -n '__realm_cli_in "sql"' -l memory -r -f -d 'the memory for sorting and grouping, such as 256M (default: a quarter of the machine\'s)'
complete -c realm-cli -n '__realm_cli_in "sql"' -l temp-files -r -f -d 'the temporary files of a statement of SQL, such as 20G (default: 8G; none where --memory is given)'
complete -c realm-cli -n '__realm_cli_in "sql"' -l snapshot -r -f -a 'current previous' -d 'read the current version of the data or the one before: current, previous'
complete -c realm-cli -n '__realm_cli_from "sql" 0' -F
complete -c realm-cli -n '__realm_cli_at "sql" 1' -f
complete -c realm-cli -n '__realm_cli_in "each"' -l recursive -d 'take the realms in directories and in all folders below them'
complete -c realm-cli -n '__realm_cli_in "each"' -s 0 -l zero -d 'names in lists end with a zero byte, as \'find -print0\' writes them'
complete -c realm-cli -n '__realm_cli_in "each"' -s j -l jobs -r -f -d 'work on N files at once (default: one per processor core)'
complete -c realm-cli -n '__realm_cli_in "each"' -l total -d 'add up over all files what is calculated, also by group; no line per file'
complete -c realm-cli -n '__realm_cli_in "each"' -l summary -d 'instead of rows, print one line per file: status, exit, rows, seconds'
complete -c realm-cli -n '__realm_cli_in "each"' -l strict -d 'a file without the class of the statement is an error, not a warning'
complete -c realm-cli -n '__realm_cli_in "each"' -l resume -r -F -d 'record in LOG which files are done; a second run with the same LOG skips them'
complete -c realm-cli -n '__realm_cli_in "each"' -l fail-fast -d 'stop at the first file that fails'
complete -c realm-cli -n '__realm_cli_in "each"' -l arg -r -f -d 'the value for $0, then $1 …: 30, \'Ada\', 2020-01-31, {1, 2}; read as the property\'s type asks'
complete -c realm-cli -n '__realm_cli_in "each"' -l arg-text -r -f -d 'as --arg, but always a string'
complete -c realm-cli -n '__realm_cli_in "each"' -l param -r -f -d 'the value for $NAME, as with --arg'
complete -c realm-cli -n '__realm_cli_in "each"' -l memory -r -f -d 'the memory for sorting and grouping, such as 256M (default: a quarter of the machine\'s)'
complete -c realm-cli -n '__realm_cli_in "each"' -l temp-files -r -f -d 'the temporary files of a statement of SQL, such as 20G (default: 8G; none where --memory is given)'
complete -c realm-cli -n '__realm_cli_in "each"' -l timeout -r -f -d 'end statements of SQL that take longer'
complete -c realm-cli -n '__realm_cli_in "each"' -l snapshot -r -f -a 'current previous' -d 'read the current version of the data or the one before: current, previous'
complete -c realm-cli -n '__realm_cli_in "each"' -l export -r -f -a 'parquet' -d 'write all classes into the directory of --output, as one data set: CLASS/part-NNNN.parquet'
complete -c realm-cli -n '__realm_cli_in "each"' -l unify -d 'with --export, a property with several types becomes text'
complete -c realm-cli -n '__realm_cli_in "each"' -l compression -r -f -a 'none zstd' -d 'how pages of Parquet are compressed: none, zstd (default)'
complete -c realm-cli -n '__realm_cli_in "each"' -l timestamps -r -f -a 'micros nanos' -d 'how exact dates in Parquet are: micros (default, which all programs read), nanos'
complete -c realm-cli -n '__realm_cli_in "each"' -l lock-timeout -r -f -d 'wait up to SECONDS for other programs to close the file (default 0)'
complete -c realm-cli -n '__realm_cli_in "each"' -l upgrade -d 'upgrade an older file format first; a backup is kept'
complete -c realm-cli -n '__realm_cli_in "each"' -l detach -d 'turn a synced realm into a local one first; a backup is kept'
complete -c realm-cli -n '__realm_cli_from "each" 0' -F
complete -c realm-cli -n '__realm_cli_at "each" 1' -f -a '(__realm_cli_names classes)'
complete -c realm-cli -n '__realm_cli_in "watch"' -l properties -r -f -a '(__fish_append , (__realm_cli_names properties))' -d 'report only changes of these, across up to four links: \'name, owner.address.city\''
complete -c realm-cli -n '__realm_cli_in "watch"' -l initial -d 'print the current objects first'
complete -c realm-cli -n '__realm_cli_in "watch"' -l count -r -f -d 'stop after N change sets'
complete -c realm-cli -n '__realm_cli_in "watch"' -l for -r -f -d 'stop after TIME: 10s, 500ms, 5m'
complete -c realm-cli -n '__realm_cli_in "watch"' -l exec -r -f -a '(__fish_complete_command)' -d 'run COMMAND for each change set, with its JSON as input'
complete -c realm-cli -n '__realm_cli_in "watch"' -l arg -r -f -d 'the value for $0, then $1 …: 30, \'Ada\', 2020-01-31, {1, 2}; read as the property\'s type asks'
complete -c realm-cli -n '__realm_cli_in "watch"' -l arg-text -r -f -d 'as --arg, but always a string'
complete -c realm-cli -n '__realm_cli_at "watch" 0' -F
complete -c realm-cli -n '__realm_cli_at "watch" 1' -f -a '(__realm_cli_names classes)'
complete -c realm-cli -n '__realm_cli_at "watch" 2' -f -a '(__fish_append , (__realm_cli_names properties))'
complete -c realm-cli -n '__realm_cli_in "serve"' -l port -r -f -d 'listen at this port of 127.0.0.1; 0, the default, takes a free one'
complete -c realm-cli -n '__realm_cli_in "serve"' -l socket -r -F -d 'listen at a Unix socket instead, for SSH to forward'
complete -c realm-cli -n '__realm_cli_in "serve"' -l open -d 'open the page in your browser'
complete -c realm-cli -n '__realm_cli_in "serve"' -l idle-timeout -r -f -d 'end when nobody has looked for so long: 30m, 2h'
complete -c realm-cli -n '__realm_cli_in "serve"' -l upgrade -d 'upgrade an older file format first; a backup is kept'
complete -c realm-cli -n '__realm_cli_in "serve"' -l snapshot -r -f -a 'current previous' -d 'read the current version of the data or the one before: current, previous'
complete -c realm-cli -n '__realm_cli_from "serve" 0' -F
complete -c realm-cli -n '__realm_cli_in "assert"' -l count -r -f -d 'exactly N objects'
complete -c realm-cli -n '__realm_cli_in "assert"' -l min -r -f -d 'at least N objects'
complete -c realm-cli -n '__realm_cli_in "assert"' -l max -r -f -d 'at most N objects'
complete -c realm-cli -n '__realm_cli_in "assert"' -l empty -d 'no objects'
complete -c realm-cli -n '__realm_cli_in "assert"' -l arg -r -f -d 'the value for $0, then $1 …: 30, \'Ada\', 2020-01-31, {1, 2}; read as the property\'s type asks'
complete -c realm-cli -n '__realm_cli_in "assert"' -l arg-text -r -f -d 'as --arg, but always a string'
complete -c realm-cli -n '__realm_cli_in "assert"' -l param -r -f -d 'the value for $NAME, as with --arg'
complete -c realm-cli -n '__realm_cli_in "assert"' -l snapshot -r -f -a 'current previous' -d 'read the current version of the data or the one before: current, previous'
complete -c realm-cli -n '__realm_cli_at "assert" 0' -F
complete -c realm-cli -n '__realm_cli_at "assert" 1' -f -a '(__realm_cli_names classes)'
complete -c realm-cli -n '__realm_cli_at "assert" 2' -f -a '(__fish_append , (__realm_cli_names properties))'
complete -c realm-cli -n '__realm_cli_in "get"' -l key -r -f -d 'find the object by object key instead of primary key'
complete -c realm-cli -n '__realm_cli_in "get"' -l expand -r -f -d 'show linked objects instead of their keys, N levels deep, each object once'
complete -c realm-cli -n '__realm_cli_in "get"' -l backlinks -d 'also show the objects that link to it'
complete -c realm-cli -n '__realm_cli_in "get"' -l typed -d 'with --json: values as \'dump\' writes them'
complete -c realm-cli -n '__realm_cli_in "get"' -l snapshot -r -f -a 'current previous' -d 'read the current version of the data or the one before: current, previous'
complete -c realm-cli -n '__realm_cli_at "get" 0' -F
complete -c realm-cli -n '__realm_cli_at "get" 1' -f -a '(__realm_cli_names classes)'
complete -c realm-cli -n '__realm_cli_at "get" 2' -f
complete -c realm-cli -n '__realm_cli_in "export"' -l format -r -f -a 'csv tsv json jsonl sql sqlite parquet' -d 'the format: csv, tsv, json, jsonl, sql, sqlite, parquet (default: by the name of the output, else csv)'
complete -c realm-cli -n '__realm_cli_in "export"' -l for -r -f -a 'room grdb drift sqldelight watermelondb' -d 'the library that opens the file: room, grdb, drift, sqldelight, watermelondb'
complete -c realm-cli -n '__realm_cli_in "export"' -l dates -r -f -a 'text seconds milliseconds' -d 'how dates are written for it: text, seconds or milliseconds since 1970'
complete -c realm-cli -n '__realm_cli_in "export"' -l select -r -f -a '(__fish_append , (__realm_cli_names properties))' -d 'show these: \'name, bestFriend.age, dogs.@count as dogs, @key\''
complete -c realm-cli -n '__realm_cli_in "export"' -l flatten -d 'write embedded objects as separate columns: address.city'
complete -c realm-cli -n '__realm_cli_in "export"' -l unnest -r -f -d 'write one row per element of LIST, a list, set or dictionary'
complete -c realm-cli -n '__realm_cli_in "export"' -l typed -d 'with --json and --jsonl: values as \'dump\' writes them'
complete -c realm-cli -n '__realm_cli_in "export"' -l sort -r -f -a '(__fish_append , (__realm_cli_names properties))' -d 'order by KEYS: \'name, age desc\''
complete -c realm-cli -n '__realm_cli_in "export"' -l distinct -r -f -a '(__fish_append , (__realm_cli_names properties))' -d 'only the first object of each combination of PATHS'
complete -c realm-cli -n '__realm_cli_in "export"' -l limit -r -f -d 'at most N objects'
complete -c realm-cli -n '__realm_cli_in "export"' -l offset -r -f -d 'leave out the first N objects'
complete -c realm-cli -n '__realm_cli_in "export"' -l memory -r -f -d 'the memory for sorting and grouping, such as 256M (default: a quarter of the machine\'s)'
complete -c realm-cli -n '__realm_cli_in "export"' -l arg -r -f -d 'the value for $0, then $1 …: 30, \'Ada\', 2020-01-31, {1, 2}; read as the property\'s type asks'
complete -c realm-cli -n '__realm_cli_in "export"' -l arg-text -r -f -d 'as --arg, but always a string'
complete -c realm-cli -n '__realm_cli_in "export"' -l param -r -f -d 'the value for $NAME, as with --arg'
complete -c realm-cli -n '__realm_cli_in "export"' -l snapshot -r -f -a 'current previous' -d 'read the current version of the data or the one before: current, previous'
complete -c realm-cli -n '__realm_cli_in "export"' -l compression -r -f -a 'none zstd' -d 'how pages of Parquet are compressed: none, zstd (default)'
complete -c realm-cli -n '__realm_cli_in "export"' -l timestamps -r -f -a 'micros nanos' -d 'how exact dates in Parquet are: micros (default, which all programs read), nanos'
complete -c realm-cli -n '__realm_cli_in "export"' -l only -r -f -d 'only objects of these classes and what comes along'
complete -c realm-cli -n '__realm_cli_in "export"' -l where -r -f -a '(__realm_cli_names classes)' -d 'of a class only some objects: \'Person where city == "Paris"\''
complete -c realm-cli -n '__realm_cli_in "export"' -l sample -r -f -d 'of each class that is asked for at most N objects, or P percent'
complete -c realm-cli -n '__realm_cli_in "export"' -l seed -r -f -d 'choose or make other objects for another N (default 0)'
complete -c realm-cli -n '__realm_cli_in "export"' -l follow -r -f -a 'links owned none' -d 'what comes along: links (all they lead to; default), owned (embedded objects) or none'
complete -c realm-cli -n '__realm_cli_in "export"' -l mask -r -f -d 'mask values: \'Person.name, Person.email, *.phone\''
complete -c realm-cli -n '__realm_cli_in "export"' -l mask-all -d 'mask all values but links'
complete -c realm-cli -n '__realm_cli_in "export"' -l mask-key-file -r -F -d 'read the key of masks from FILE, for equal masks in each copy'
complete -c realm-cli -n '__realm_cli_in "export"' -l mask-key-env -r -f -d 'read the key of masks from the environment variable NAME'
complete -c realm-cli -n '__realm_cli_in "export"' -l mask-key-command -r -f -a '(__fish_complete_command)' -d 'read the key of masks from the output of COMMAND'
complete -c realm-cli -n '__realm_cli_at "export" 0' -F
complete -c realm-cli -n '__realm_cli_at "export" 1' -f -a '(__realm_cli_names classes)'
complete -c realm-cli -n '__realm_cli_at "export" 2' -f -a '(__fish_append , (__realm_cli_names properties))'
complete -c realm-cli -n '__realm_cli_in "verify"' -l for -r -f -a 'room grdb drift sqldelight watermelondb' -d 'the library that opens the file: room, grdb, drift, sqldelight, watermelondb'
complete -c realm-cli -n '__realm_cli_in "verify"' -l dates -r -f -a 'text seconds milliseconds' -d 'how dates are written for it: text, seconds or milliseconds since 1970'
complete -c realm-cli -n '__realm_cli_in "verify"' -l snapshot -r -f -a 'current previous' -d 'read the current version of the data or the one before: current, previous'
complete -c realm-cli -n '__realm_cli_in "verify"' -l only -r -f -d 'only objects of these classes and what comes along'
complete -c realm-cli -n '__realm_cli_in "verify"' -l where -r -f -a '(__realm_cli_names classes)' -d 'of a class only some objects: \'Person where city == "Paris"\''
complete -c realm-cli -n '__realm_cli_in "verify"' -l sample -r -f -d 'of each class that is asked for at most N objects, or P percent'
complete -c realm-cli -n '__realm_cli_in "verify"' -l seed -r -f -d 'choose or make other objects for another N (default 0)'
complete -c realm-cli -n '__realm_cli_in "verify"' -l follow -r -f -a 'links owned none' -d 'what comes along: links (all they lead to; default), owned (embedded objects) or none'
complete -c realm-cli -n '__realm_cli_in "verify"' -l mask -r -f -d 'mask values: \'Person.name, Person.email, *.phone\''
complete -c realm-cli -n '__realm_cli_in "verify"' -l mask-all -d 'mask all values but links'
complete -c realm-cli -n '__realm_cli_in "verify"' -l mask-key-file -r -F -d 'read the key of masks from FILE, for equal masks in each copy'
complete -c realm-cli -n '__realm_cli_in "verify"' -l mask-key-env -r -f -d 'read the key of masks from the environment variable NAME'
complete -c realm-cli -n '__realm_cli_in "verify"' -l mask-key-command -r -f -a '(__fish_complete_command)' -d 'read the key of masks from the output of COMMAND'
complete -c realm-cli -n '__realm_cli_in "verify"' -l arg -r -f -d 'the value for $0, then $1 …: 30, \'Ada\', 2020-01-31, {1, 2}; read as the property\'s type asks'
complete -c realm-cli -n '__realm_cli_in "verify"' -l arg-text -r -f -d 'as --arg, but always a string'
complete -c realm-cli -n '__realm_cli_in "verify"' -l param -r -f -d 'the value for $NAME, as with --arg'
complete -c realm-cli -n '__realm_cli_at "verify" 0' -F
complete -c realm-cli -n '__realm_cli_at "verify" 1' -F
complete -c realm-cli -n '__realm_cli_in "dump"' -l snapshot -r -f -a 'current previous' -d 'read the current version of the data or the one before: current, previous'
complete -c realm-cli -n '__realm_cli_at "dump" 0' -F
complete -c realm-cli -n '__realm_cli_in "import"' -l format -r -f -a 'csv tsv json jsonl sqlite' -d 'the format of SOURCE: csv, tsv, json, jsonl, sqlite (default: by its name or content)'
complete -c realm-cli -n '__realm_cli_in "import"' -l delimiter -r -f -d 'the character between cells (default: detected)'
complete -c realm-cli -n '__realm_cli_in "import"' -l comment -r -f -d 'ignore lines that begin with CHARACTER'
complete -c realm-cli -n '__realm_cli_in "import"' -l skip -r -f -d 'skip N lines before the header'
complete -c realm-cli -n '__realm_cli_in "import"' -l no-header -d 'the first line is data; name the columns with --columns'
complete -c realm-cli -n '__realm_cli_in "import"' -l columns -r -f -d 'use these column names instead of the header'
complete -c realm-cli -n '__realm_cli_in "import"' -l map -r -f -d 'map columns to properties: \'First Name=first, City=address.city, Note=\''
complete -c realm-cli -n '__realm_cli_in "import"' -l extra-columns -r -f -a 'refuse ignore add' -d 'for a column without a property: refuse, ignore or add'
complete -c realm-cli -n '__realm_cli_in "import"' -l create -d 'create the file, the class and the properties that are missing'
complete -c realm-cli -n '__realm_cli_in "import"' -l types -r -f -d 'types of created properties: \'zip=string\''
complete -c realm-cli -n '__realm_cli_in "import"' -l primary-key -r -f -d 'the primary key of the created class'
complete -c realm-cli -n '__realm_cli_in "import"' -l dates -r -f -d 'how dates are written: iso, seconds, milliseconds, or \'born=%d/%m/%Y\' for a column'
complete -c realm-cli -n '__realm_cli_in "import"' -l null -r -f -d 'cells with TEXT are null, as empty cells are'
complete -c realm-cli -n '__realm_cli_in "import"' -l lists -r -f -d 'the separators of list elements: \'tags=;\''
complete -c realm-cli -n '__realm_cli_in "import"' -l links -r -f -a 'require create null' -d 'for a link to a missing object: require, create or null'
complete -c realm-cli -n '__realm_cli_in "import"' -l rejects -r -F -d 'write bad rows to FILE and continue'
complete -c realm-cli -n '__realm_cli_in "import"' -l rejects-max -r -f -d 'stop when more than N rows were rejected'
complete -c realm-cli -n '__realm_cli_in "import"' -l lock-timeout -r -f -d 'wait up to SECONDS for other programs to close the file (default 0)'
complete -c realm-cli -n '__realm_cli_in "import"' -l upgrade -d 'upgrade an older file format first; a backup is kept'
complete -c realm-cli -n '__realm_cli_in "import"' -l detach -d 'turn a synced realm into a local one first; a backup is kept'
complete -c realm-cli -n '__realm_cli_at "import" 0' -F
complete -c realm-cli -n '__realm_cli_at "import" 1' -f -a '(__realm_cli_names classes)'
complete -c realm-cli -n '__realm_cli_from "import" 2' -F
complete -c realm-cli -n '__realm_cli_in "insert"' -l data -r -F -d 'the objects as JSON (\'-\' for standard input)'
complete -c realm-cli -n '__realm_cli_in "insert"' -l lock-timeout -r -f -d 'wait up to SECONDS for other programs to close the file (default 0)'
complete -c realm-cli -n '__realm_cli_in "insert"' -l upgrade -d 'upgrade an older file format first; a backup is kept'
complete -c realm-cli -n '__realm_cli_in "insert"' -l detach -d 'turn a synced realm into a local one first; a backup is kept'
complete -c realm-cli -n '__realm_cli_at "insert" 0' -F
complete -c realm-cli -n '__realm_cli_at "insert" 1' -f -a '(__realm_cli_names classes)'
complete -c realm-cli -n '__realm_cli_in "upsert"' -l data -r -F -d 'the objects as JSON (\'-\' for standard input)'
complete -c realm-cli -n '__realm_cli_in "upsert"' -l lock-timeout -r -f -d 'wait up to SECONDS for other programs to close the file (default 0)'
complete -c realm-cli -n '__realm_cli_in "upsert"' -l upgrade -d 'upgrade an older file format first; a backup is kept'
complete -c realm-cli -n '__realm_cli_in "upsert"' -l detach -d 'turn a synced realm into a local one first; a backup is kept'
complete -c realm-cli -n '__realm_cli_at "upsert" 0' -F
complete -c realm-cli -n '__realm_cli_at "upsert" 1' -f -a '(__realm_cli_names classes)'
complete -c realm-cli -n '__realm_cli_in "update"' -l set -r -f -a '(__fish_append , (__realm_cli_names properties))' -d 'new values: \'age = age + 1, name = trim(name)\''
complete -c realm-cli -n '__realm_cli_in "update"' -l arg -r -f -d 'the value for $0, then $1 …: 30, \'Ada\', 2020-01-31, {1, 2}; read as the property\'s type asks'
complete -c realm-cli -n '__realm_cli_in "update"' -l arg-text -r -f -d 'as --arg, but always a string'
complete -c realm-cli -n '__realm_cli_in "update"' -l param -r -f -d 'the value for $NAME, as with --arg'
complete -c realm-cli -n '__realm_cli_in "update"' -l lock-timeout -r -f -d 'wait up to SECONDS for other programs to close the file (default 0)'
complete -c realm-cli -n '__realm_cli_in "update"' -l upgrade -d 'upgrade an older file format first; a backup is kept'
complete -c realm-cli -n '__realm_cli_in "update"' -l detach -d 'turn a synced realm into a local one first; a backup is kept'
complete -c realm-cli -n '__realm_cli_at "update" 0' -F
complete -c realm-cli -n '__realm_cli_at "update" 1' -f -a '(__realm_cli_names classes)'
complete -c realm-cli -n '__realm_cli_at "update" 2' -f -a '(__fish_append , (__realm_cli_names properties))'
complete -c realm-cli -n '__realm_cli_in "delete"' -l arg -r -f -d 'the value for $0, then $1 …: 30, \'Ada\', 2020-01-31, {1, 2}; read as the property\'s type asks'
complete -c realm-cli -n '__realm_cli_in "delete"' -l arg-text -r -f -d 'as --arg, but always a string'
complete -c realm-cli -n '__realm_cli_in "delete"' -l param -r -f -d 'the value for $NAME, as with --arg'
complete -c realm-cli -n '__realm_cli_in "delete"' -l lock-timeout -r -f -d 'wait up to SECONDS for other programs to close the file (default 0)'
complete -c realm-cli -n '__realm_cli_in "delete"' -l upgrade -d 'upgrade an older file format first; a backup is kept'
complete -c realm-cli -n '__realm_cli_in "delete"' -l detach -d 'turn a synced realm into a local one first; a backup is kept'
complete -c realm-cli -n '__realm_cli_at "delete" 0' -F
complete -c realm-cli -n '__realm_cli_at "delete" 1' -f -a '(__realm_cli_names classes)'
complete -c realm-cli -n '__realm_cli_at "delete" 2' -f -a '(__fish_append , (__realm_cli_names properties))'
complete -c realm-cli -n '__realm_cli_in "hash"' -l snapshot -r -f -a 'current previous' -d 'read the current version of the data or the one before: current, previous'
complete -c realm-cli -n '__realm_cli_in "hash"' -l fail-fast -d 'stop at the first file that fails'
complete -c realm-cli -n '__realm_cli_from "hash" 0' -F
complete -c realm-cli -n '__realm_cli_in "create"' -l schema -r -F -d 'the schema: statements, YAML or JSON (\'-\' for standard input)'
complete -c realm-cli -n '__realm_cli_in "create"' -l from -r -F -d 'take classes and objects from a file of SQLite'
complete -c realm-cli -n '__realm_cli_in "create"' -l links -r -f -a 'require create null' -d 'for a link to a missing object: require, create or null'
complete -c realm-cli -n '__realm_cli_in "create"' -l fill -r -f -d 'create sample objects: 1000 of each class, or Person=100,Dog=3000'
complete -c realm-cli -n '__realm_cli_in "create"' -l seed -r -f -d 'choose or make other objects for another N (default 0)'
complete -c realm-cli -n '__realm_cli_in "create"' -l lock-timeout -r -f -d 'wait up to SECONDS for other programs to close the file (default 0)'
complete -c realm-cli -n '__realm_cli_at "create" 0' -F
complete -c realm-cli -n '__realm_cli_in "load"' -l lock-timeout -r -f -d 'wait up to SECONDS for other programs to close the file (default 0)'
complete -c realm-cli -n '__realm_cli_at "load" 0' -F
complete -c realm-cli -n '__realm_cli_at "load" 1' -F
complete -c realm-cli -n '__realm_cli_in "copy"' -l only -r -f -d 'only objects of these classes and what comes along'
complete -c realm-cli -n '__realm_cli_in "copy"' -l where -r -f -a '(__realm_cli_names classes)' -d 'of a class only some objects: \'Person where city == "Paris"\''
complete -c realm-cli -n '__realm_cli_in "copy"' -l sample -r -f -d 'of each class that is asked for at most N objects, or P percent'
complete -c realm-cli -n '__realm_cli_in "copy"' -l seed -r -f -d 'choose or make other objects for another N (default 0)'
complete -c realm-cli -n '__realm_cli_in "copy"' -l follow -r -f -a 'links owned none' -d 'what comes along: links (all they lead to; default), owned (embedded objects) or none'
complete -c realm-cli -n '__realm_cli_in "copy"' -l mask -r -f -d 'mask values: \'Person.name, Person.email, *.phone\''
complete -c realm-cli -n '__realm_cli_in "copy"' -l mask-all -d 'mask all values but links'
complete -c realm-cli -n '__realm_cli_in "copy"' -l mask-key-file -r -F -d 'read the key of masks from FILE, for equal masks in each copy'
complete -c realm-cli -n '__realm_cli_in "copy"' -l mask-key-env -r -f -d 'read the key of masks from the environment variable NAME'
complete -c realm-cli -n '__realm_cli_in "copy"' -l mask-key-command -r -f -a '(__fish_complete_command)' -d 'read the key of masks from the output of COMMAND'
complete -c realm-cli -n '__realm_cli_in "copy"' -l arg -r -f -d 'the value for $0, then $1 …: 30, \'Ada\', 2020-01-31, {1, 2}; read as the property\'s type asks'
complete -c realm-cli -n '__realm_cli_in "copy"' -l arg-text -r -f -d 'as --arg, but always a string'
complete -c realm-cli -n '__realm_cli_in "copy"' -l param -r -f -d 'the value for $NAME, as with --arg'
complete -c realm-cli -n '__realm_cli_in "copy"' -l new-key-file -r -F -d 'read the new key from FILE (\'-\' for standard input)'
complete -c realm-cli -n '__realm_cli_in "copy"' -l new-key-env -r -f -d 'read the new key from the environment variable NAME'
complete -c realm-cli -n '__realm_cli_in "copy"' -l new-key-command -r -f -a '(__fish_complete_command)' -d 'read the new key from the output of COMMAND'
complete -c realm-cli -n '__realm_cli_in "copy"' -l decrypt -d 'write an unencrypted file'
complete -c realm-cli -n '__realm_cli_in "copy"' -l local -d 'omit the history and the sync state'
complete -c realm-cli -n '__realm_cli_in "copy"' -l lock-timeout -r -f -d 'wait up to SECONDS for other programs to close the file (default 0)'
complete -c realm-cli -n '__realm_cli_in "copy"' -l salvage -d 'copy damaged values as they are and report the damage; where it stops the copy, use recover'
complete -c realm-cli -n '__realm_cli_at "copy" 0' -F
complete -c realm-cli -n '__realm_cli_at "copy" 1' -F
complete -c realm-cli -n '__realm_cli_in "compact"' -l if -r -f -d 'only files that meet CONDITION: \'size > 100MB and used < 50%\''
complete -c realm-cli -n '__realm_cli_in "compact"' -l lock-timeout -r -f -d 'wait up to SECONDS for other programs to close the file (default 0)'
complete -c realm-cli -n '__realm_cli_in "compact"' -l salvage -d 'copy damaged values as they are and report the damage; where it stops the copy, use recover'
complete -c realm-cli -n '__realm_cli_in "compact"' -l fail-fast -d 'stop at the first file that fails'
complete -c realm-cli -n '__realm_cli_from "compact" 0' -F
complete -c realm-cli -n '__realm_cli_in "encrypt"' -l new-key-file -r -F -d 'read the new key from FILE (\'-\' for standard input)'
complete -c realm-cli -n '__realm_cli_in "encrypt"' -l new-key-env -r -f -d 'read the new key from the environment variable NAME'
complete -c realm-cli -n '__realm_cli_in "encrypt"' -l new-key-command -r -f -a '(__fish_complete_command)' -d 'read the new key from the output of COMMAND'
complete -c realm-cli -n '__realm_cli_in "encrypt"' -l lock-timeout -r -f -d 'wait up to SECONDS for other programs to close the file (default 0)'
complete -c realm-cli -n '__realm_cli_in "encrypt"' -l salvage -d 'copy damaged values as they are and report the damage; where it stops the copy, use recover'
complete -c realm-cli -n '__realm_cli_in "encrypt"' -l fail-fast -d 'stop at the first file that fails'
complete -c realm-cli -n '__realm_cli_from "encrypt" 0' -F
complete -c realm-cli -n '__realm_cli_in "decrypt"' -l lock-timeout -r -f -d 'wait up to SECONDS for other programs to close the file (default 0)'
complete -c realm-cli -n '__realm_cli_in "decrypt"' -l salvage -d 'copy damaged values as they are and report the damage; where it stops the copy, use recover'
complete -c realm-cli -n '__realm_cli_in "decrypt"' -l fail-fast -d 'stop at the first file that fails'
complete -c realm-cli -n '__realm_cli_from "decrypt" 0' -F
complete -c realm-cli -n '__realm_cli_in "rekey"' -l new-key-file -r -F -d 'read the new key from FILE (\'-\' for standard input)'
complete -c realm-cli -n '__realm_cli_in "rekey"' -l new-key-env -r -f -d 'read the new key from the environment variable NAME'
complete -c realm-cli -n '__realm_cli_in "rekey"' -l new-key-command -r -f -a '(__fish_complete_command)' -d 'read the new key from the output of COMMAND'
complete -c realm-cli -n '__realm_cli_in "rekey"' -l lock-timeout -r -f -d 'wait up to SECONDS for other programs to close the file (default 0)'
complete -c realm-cli -n '__realm_cli_in "rekey"' -l salvage -d 'copy damaged values as they are and report the damage; where it stops the copy, use recover'
complete -c realm-cli -n '__realm_cli_in "rekey"' -l fail-fast -d 'stop at the first file that fails'
complete -c realm-cli -n '__realm_cli_from "rekey" 0' -F
complete -c realm-cli -n '__realm_cli_in "keygen"' -l format -r -f -a 'hex base64 raw' -d 'how it is written: hex, base64, raw'
complete -c realm-cli -n '__realm_cli_at "keygen" 0' -F
complete -c realm-cli -n '__realm_cli_in "upgrade"' -l lock-timeout -r -f -d 'wait up to SECONDS for other programs to close the file (default 0)'
complete -c realm-cli -n '__realm_cli_in "upgrade"' -l salvage -d 'copy damaged values as they are and report the damage; where it stops the copy, use recover'
complete -c realm-cli -n '__realm_cli_in "upgrade"' -l fail-fast -d 'stop at the first file that fails'
complete -c realm-cli -n '__realm_cli_from "upgrade" 0' -F
complete -c realm-cli -n '__realm_cli_in "migrate new"' -l dir -r -f -a '(__fish_complete_directories)' -d 'the directory of migration files (default migrations; \'-\': one file from standard input)'
complete -c realm-cli -n '__realm_cli_in "migrate new"' -l from -r -f -d 'the schema version that the step starts at'
complete -c realm-cli -n '__realm_cli_in "migrate new"' -l for -r -F -d 'start at the schema version that FILE has'
complete -c realm-cli -n '__realm_cli_in "migrate new"' -l to -r -f -d 'only up to schema version N'
complete -c realm-cli -n '__realm_cli_in "migrate new"' -l from-diff -d 'write the operations that turn the first SCHEMA into the second'
complete -c realm-cli -n '__realm_cli_at "migrate new" 0' -f
complete -c realm-cli -n '__realm_cli_from "migrate new" 1' -F
complete -c realm-cli -n '__realm_cli_in "migrate baseline"' -l dir -r -f -a '(__fish_complete_directories)' -d 'the directory of migration files (default migrations; \'-\': one file from standard input)'
complete -c realm-cli -n '__realm_cli_in "migrate baseline"' -l to -r -f -d 'the schema version to set (default: the newest)'
complete -c realm-cli -n '__realm_cli_in "migrate baseline"' -l accept-drift -d 'continue although the file\'s schema or a frozen step has changed'
complete -c realm-cli -n '__realm_cli_in "migrate baseline"' -l fail-fast -d 'stop at the first file that fails'
complete -c realm-cli -n '__realm_cli_in "migrate baseline"' -l lock-timeout -r -f -d 'wait up to SECONDS for other programs to close the file (default 0)'
complete -c realm-cli -n '__realm_cli_in "migrate baseline"' -l upgrade -d 'upgrade an older file format first; a backup is kept'
complete -c realm-cli -n '__realm_cli_in "migrate baseline"' -l detach -d 'turn a synced realm into a local one first; a backup is kept'
complete -c realm-cli -n '__realm_cli_from "migrate baseline" 0' -F
complete -c realm-cli -n '__realm_cli_in "migrate lint"' -l schema -r -F -d 'the schema before the first step: a realm, or what \'schema\' prints of one'
complete -c realm-cli -n '__realm_cli_in "migrate lint"' -l exit-code -d 'exit with 9 if there are findings'
complete -c realm-cli -n '__realm_cli_at "migrate lint" 0' -f -a '(__fish_complete_directories)'
complete -c realm-cli -n '__realm_cli_in "migrate status"' -l dir -r -f -a '(__fish_complete_directories)' -d 'the directory of migration files (default migrations; \'-\': one file from standard input)'
complete -c realm-cli -n '__realm_cli_in "migrate status"' -l exit-code -d 'exit with 9 if there are findings'
complete -c realm-cli -n '__realm_cli_in "migrate status"' -l fail-fast -d 'stop at the first file that fails'
complete -c realm-cli -n '__realm_cli_in "migrate status"' -l recursive -d 'take the realms in directories and in all folders below them'
complete -c realm-cli -n '__realm_cli_in "migrate status"' -s 0 -l zero -d 'names in lists end with a zero byte, as \'find -print0\' writes them'
complete -c realm-cli -n '__realm_cli_in "migrate status"' -s j -l jobs -r -f -d 'work on N files at once (default: one per processor core)'
complete -c realm-cli -n '__realm_cli_from "migrate status" 0' -F
complete -c realm-cli -n '__realm_cli_in "migrate plan"' -l accept-drift -d 'continue although the file\'s schema or a frozen step has changed'
complete -c realm-cli -n '__realm_cli_in "migrate plan"' -l dir -r -f -a '(__fish_complete_directories)' -d 'the directory of migration files (default migrations; \'-\': one file from standard input)'
complete -c realm-cli -n '__realm_cli_in "migrate plan"' -l to -r -f -d 'only up to schema version N'
complete -c realm-cli -n '__realm_cli_in "migrate plan"' -l now -r -f -d 'the value of now(): 2020-01-01T00:00:00Z'
complete -c realm-cli -n '__realm_cli_in "migrate plan"' -l seed -r -f -d 'generate the same uuid() and objectId() values in each run'
complete -c realm-cli -n '__realm_cli_in "migrate plan"' -l lock-timeout -r -f -d 'wait up to SECONDS for other programs to close the file (default 0)'
complete -c realm-cli -n '__realm_cli_in "migrate plan"' -l salvage -d 'copy damaged values as they are and report the damage; where it stops the copy, use recover'
complete -c realm-cli -n '__realm_cli_in "migrate plan"' -l fail-fast -d 'stop at the first file that fails'
complete -c realm-cli -n '__realm_cli_in "migrate plan"' -l recursive -d 'take the realms in directories and in all folders below them'
complete -c realm-cli -n '__realm_cli_in "migrate plan"' -s 0 -l zero -d 'names in lists end with a zero byte, as \'find -print0\' writes them'
complete -c realm-cli -n '__realm_cli_in "migrate plan"' -s j -l jobs -r -f -d 'work on N files at once (default: one per processor core)'
complete -c realm-cli -n '__realm_cli_from "migrate plan" 0' -F
complete -c realm-cli -n '__realm_cli_in "migrate apply"' -l in-place -d 'keep the file\'s layout instead of compacting it; makes no backup'
complete -c realm-cli -n '__realm_cli_in "migrate apply"' -l no-backup -d 'do not keep a backup of the file'
complete -c realm-cli -n '__realm_cli_in "migrate apply"' -l accept-drift -d 'continue although the file\'s schema or a frozen step has changed'
complete -c realm-cli -n '__realm_cli_in "migrate apply"' -l dir -r -f -a '(__fish_complete_directories)' -d 'the directory of migration files (default migrations; \'-\': one file from standard input)'
complete -c realm-cli -n '__realm_cli_in "migrate apply"' -l to -r -f -d 'only up to schema version N'
complete -c realm-cli -n '__realm_cli_in "migrate apply"' -l now -r -f -d 'the value of now(): 2020-01-01T00:00:00Z'
complete -c realm-cli -n '__realm_cli_in "migrate apply"' -l seed -r -f -d 'generate the same uuid() and objectId() values in each run'
complete -c realm-cli -n '__realm_cli_in "migrate apply"' -l lock-timeout -r -f -d 'wait up to SECONDS for other programs to close the file (default 0)'
complete -c realm-cli -n '__realm_cli_in "migrate apply"' -l salvage -d 'copy damaged values as they are and report the damage; where it stops the copy, use recover'
complete -c realm-cli -n '__realm_cli_in "migrate apply"' -l fail-fast -d 'stop at the first file that fails'
complete -c realm-cli -n '__realm_cli_in "migrate apply"' -l resume -r -F -d 'record in LOG which files are done; a second run with the same LOG skips them'
complete -c realm-cli -n '__realm_cli_in "migrate apply"' -l recursive -d 'take the realms in directories and in all folders below them'
complete -c realm-cli -n '__realm_cli_in "migrate apply"' -s 0 -l zero -d 'names in lists end with a zero byte, as \'find -print0\' writes them'
complete -c realm-cli -n '__realm_cli_in "migrate apply"' -s j -l jobs -r -f -d 'work on N files at once (default: one per processor core)'
complete -c realm-cli -n '__realm_cli_from "migrate apply" 0' -F
complete -c realm-cli -n '__realm_cli_in "migrate verify"' -l freeze -d 'write migrations.sum instead of checking it'
complete -c realm-cli -n '__realm_cli_in "migrate verify"' -l schema -r -F -d 'the schema before the first step: a realm, or what \'schema\' prints of one'
complete -c realm-cli -n '__realm_cli_at "migrate verify" 0' -f -a '(__fish_complete_directories)'
complete -c realm-cli -n '__realm_cli_in "migrate restore"' -l lock-timeout -r -f -d 'wait up to SECONDS for other programs to close the file (default 0)'
complete -c realm-cli -n '__realm_cli_at "migrate restore" 0' -F
complete -c realm-cli -n '__realm_cli_at "migrate restore" 1' -F
complete -c realm-cli -n '__realm_cli_in "diff"' -l schema -d 'compare classes and properties only'
complete -c realm-cli -n '__realm_cli_in "diff"' -l data -d 'compare objects only'
complete -c realm-cli -n '__realm_cli_in "diff"' -l class -r -f -a '(__realm_cli_names classes)' -d 'compare this class; repeatable'
complete -c realm-cli -n '__realm_cli_in "diff"' -l ignore -r -f -d 'ignore properties: \'Person.updatedAt, *.cache\'; repeatable'
complete -c realm-cli -n '__realm_cli_in "diff"' -l match -r -f -a 'key content' -d 'how to match objects without a primary key: by object key (key, the default) or by their values (content)'
complete -c realm-cli -n '__realm_cli_in "diff"' -l format -r -f -a 'text statements jsonl json' -d 'text (default), statements (which turn A into B), jsonl or json'
complete -c realm-cli -n '__realm_cli_in "diff"' -l summary -d 'print one line per class with the number of differences'
complete -c realm-cli -n '__realm_cli_in "diff"' -l previous -d 'compare the previous version of A with the current one'
complete -c realm-cli -n '__realm_cli_in "diff"' -l exit-code -d 'exit with 9 if there are findings'
complete -c realm-cli -n '__realm_cli_at "diff" 0' -F
complete -c realm-cli -n '__realm_cli_at "diff" 1' -F
complete -c realm-cli -n '__realm_cli_in "rm"' -l lock-timeout -r -f -d 'wait up to SECONDS for other programs to close the file (default 0)'
complete -c realm-cli -n '__realm_cli_in "rm"' -l fail-fast -d 'stop at the first file that fails'
complete -c realm-cli -n '__realm_cli_from "rm" 0' -F
complete -c realm-cli -n '__realm_cli_in "doctor"' -l deep -d 'read everything, and try a recovery without writing it'
complete -c realm-cli -n '__realm_cli_in "doctor"' -l recursive -d 'take the realms in directories and in all folders below them'
complete -c realm-cli -n '__realm_cli_in "doctor"' -l fail-fast -d 'stop at the first file that fails'
complete -c realm-cli -n '__realm_cli_from "doctor" 0' -F
complete -c realm-cli -n '__realm_cli_in "check"' -l summary -d 'one line per file, without the findings'
complete -c realm-cli -n '__realm_cli_in "check"' -l snapshot -r -f -a 'current previous' -d 'read the current version of the data or the one before: current, previous'
complete -c realm-cli -n '__realm_cli_in "check"' -l fail-fast -d 'stop at the first file that fails'
complete -c realm-cli -n '__realm_cli_from "check" 0' -F
complete -c realm-cli -n '__realm_cli_in "recover"' -l new-key-file -r -F -d 'read the new key from FILE (\'-\' for standard input)'
complete -c realm-cli -n '__realm_cli_in "recover"' -l new-key-env -r -f -d 'read the new key from the environment variable NAME'
complete -c realm-cli -n '__realm_cli_in "recover"' -l new-key-command -r -f -a '(__fish_complete_command)' -d 'read the new key from the output of COMMAND'
complete -c realm-cli -n '__realm_cli_in "recover"' -l decrypt -d 'write an unencrypted file'
complete -c realm-cli -n '__realm_cli_in "recover"' -l unverified -d 'also read encrypted pages whose check fails; what comes from them is reported'
complete -c realm-cli -n '__realm_cli_in "recover"' -l mark -d 'with --unverified: list the properties in question in a property _unverified of each object'
complete -c realm-cli -n '__realm_cli_in "recover"' -l format-version -r -f -d 'the file format, 2 to 11 or 20 to 24, where the header is gone or wrong'
complete -c realm-cli -n '__realm_cli_in "recover"' -l page-size -r -f -d 'the bytes of an encrypted page: 4096, in every format'
complete -c realm-cli -n '__realm_cli_in "recover"' -l lock-timeout -r -f -d 'wait up to SECONDS for other programs to close the file (default 0)'
complete -c realm-cli -n '__realm_cli_at "recover" 0' -F
complete -c realm-cli -n '__realm_cli_at "recover" 1' -F
complete -c realm-cli -n '__realm_cli_at "completion" 0' -f -a 'bash zsh fish'
complete -c realm-cli -n '__realm_cli_in "help"' -l json-schema -d 'print the JSON Schema of what COMMAND prints with --json'
complete -c realm-cli -n '__realm_cli_from "help" 0' -f -a '(__realm_cli_commands options statements prompt predicates functions migrations errors json safety)'
complete -c realm-cli -n '__realm_cli_in ""' -s c -l command -r -f -a '(__realm_cli_names classes)' -d 'run STATEMENT, then exit; may be given several times'
complete -c realm-cli -n '__realm_cli_in ""' -l file -r -F -d 'run the statements in SCRIPT, then exit; may be given several times'
complete -c realm-cli -n '__realm_cli_in ""' -o cmd -l cmd -r -f -d 'run STATEMENT before the others'
complete -c realm-cli -n '__realm_cli_in ""' -l keep-going -d 'continue after a statement that fails; each statement is a separate transaction'
complete -c realm-cli -n '__realm_cli_in ""' -o bail -l bail -d 'stop at the first error; this is the default'
complete -c realm-cli -n '__realm_cli_in ""' -o echo -l echo -d 'print each statement before it runs'
complete -c realm-cli -n '__realm_cli_in ""' -l dialog -d 'answer statements from standard input one by one, for programs that keep the session open'
complete -c realm-cli -n '__realm_cli_in ""' -l init -r -F -d 'at the prompt, run SCRIPT first, not ~/.config/realm-cli/init'
complete -c realm-cli -n '__realm_cli_in ""' -l no-init -d 'at the prompt, do not run an initial script'
complete -c realm-cli -n '__realm_cli_in ""' -o separator -l separator -r -f -d 'the separator between cells in mode list'
complete -c realm-cli -n '__realm_cli_in ""' -o nullvalue -l nullvalue -r -f -d 'the text for null, in modes for people and list'
complete -c realm-cli -n '__realm_cli_in ""' -l idle-timeout -r -f -d 'at the prompt, roll back a transaction after SECONDS without input (default: never)'
complete -c realm-cli -n '__realm_cli_in ""' -l allow-shell -d 'let scripts run programs and write files: .shell, .output, .copy …'
complete -c realm-cli -n '__realm_cli_in ""' -l memory -r -f -d 'the memory for sorting and grouping, such as 256M (default: a quarter of the machine\'s)'
complete -c realm-cli -n '__realm_cli_in ""' -l temp-files -r -f -d 'the temporary files of a statement of SQL, such as 20G (default: 8G; none where --memory is given)'
complete -c realm-cli -n '__realm_cli_in ""' -l arg -r -f -d 'the value for $0, then $1 …: 30, \'Ada\', 2020-01-31, {1, 2}; read as the property\'s type asks'
complete -c realm-cli -n '__realm_cli_in ""' -l arg-text -r -f -d 'as --arg, but always a string'
complete -c realm-cli -n '__realm_cli_in ""' -l param -r -f -d 'the value for $NAME, as with --arg'
complete -c realm-cli -n '__realm_cli_in ""' -l snapshot -r -f -a 'current previous' -d 'read the current version of the data or the one before: current, previous'
complete -c realm-cli -n '__realm_cli_in ""' -l lock-timeout -r -f -d 'wait up to SECONDS for other programs to close the file (default 0)'
complete -c realm-cli -n '__realm_cli_in ""' -l upgrade -d 'upgrade an older file format first; a backup is kept'
complete -c realm-cli -n '__realm_cli_in ""' -l detach -d 'turn a synced realm into a local one first; a backup is kept'
complete -c realm-cli -n '__realm_cli_from "" 1' -f -a '(__realm_cli_names classes)'
