# fish completion for realm-cli, made from its option table by 'realm-cli completion fish'.

# Sets the command, the operands and the key options that stand before the cursor.
function __realm_cli_read_line
    set -g __realm_cli_command ''
    set -g __realm_cli_operands
    set -g __realm_cli_keys
    set -l with_value -o --output -m --mode --wrap --color --key-file --key-env --key-command --snapshot --format --select --sort --distinct --limit --offset --memory --arg --arg-text --param --by --having --properties --count --for --exec --min --max --key --expand --unnest --delimiter --quote --comment --skip --columns --map --extra-columns --types --primary-key --dates --null --lists --links --rejects --rejects-max --lock-timeout --timeout --data --set --schema --new-key-file --new-key-env --new-key-command --if --dir --from --to --now --seed --class --ignore --match --format-version --page-size -c --command --file -cmd --cmd --init -separator --separator -nullvalue --nullvalue --idle-timeout
    set -l commands info schema query aggregate watch assert get export dump import insert upsert update delete hash create load copy compact encrypt decrypt rekey keygen upgrade migrate diff rm check recover completion help
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
    test "$__realm_cli_command" = "$argv[1]"
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

# The commands, and behind one that has them its subcommands.
function __realm_cli_commands
    __realm_cli_read_line
    switch "$__realm_cli_operands[-1]"
        case ''
            string split ' ' 'info schema query aggregate watch assert get export dump import insert upsert update delete hash create load copy compact encrypt decrypt rekey keygen upgrade migrate diff rm check recover completion help'
          case migrate
              string split ' ' 'new baseline lint status plan apply verify restore schema'
    end
end

complete -c realm-cli -f
complete -c realm-cli -n __realm_cli_first -a info -d 'tell what a file is and what is in it'
complete -c realm-cli -n __realm_cli_first -a schema -d 'show classes and their properties'
complete -c realm-cli -n __realm_cli_first -a query -d 'find objects by a condition'
complete -c realm-cli -n __realm_cli_first -a aggregate -d 'count, add up and average objects, in groups'
complete -c realm-cli -n __realm_cli_first -a watch -d 'show what every commit changes'
complete -c realm-cli -n __realm_cli_first -a assert -d 'check how many objects meet a condition'
complete -c realm-cli -n __realm_cli_first -a get -d 'show one object'
complete -c realm-cli -n __realm_cli_first -a export -d 'write objects as CSV, TSV or JSON'
complete -c realm-cli -n __realm_cli_first -a dump -d 'print the whole realm as JSON Lines, without loss'
complete -c realm-cli -n __realm_cli_first -a import -d 'make objects of CSV, TSV, JSON or JSON Lines'
complete -c realm-cli -n __realm_cli_first -a insert -d 'make objects'
complete -c realm-cli -n __realm_cli_first -a upsert -d 'change objects, or make those that are not there'
complete -c realm-cli -n __realm_cli_first -a update -d 'change objects'
complete -c realm-cli -n __realm_cli_first -a delete -d 'erase objects'
complete -c realm-cli -n __realm_cli_first -a hash -d 'print a SHA-256 of schema and data'
complete -c realm-cli -n __realm_cli_first -a create -d 'make an empty realm'
complete -c realm-cli -n __realm_cli_first -a load -d 'make a realm from a dump'
complete -c realm-cli -n __realm_cli_first -a copy -d 'copy a realm into a new, compact file'
complete -c realm-cli -n __realm_cli_first -a compact -d 'free the space in a file that is not in use'
complete -c realm-cli -n __realm_cli_first -a encrypt -d 'encrypt a plain realm in place'
complete -c realm-cli -n __realm_cli_first -a decrypt -d 'make an encrypted realm plain in place'
complete -c realm-cli -n __realm_cli_first -a rekey -d 'encrypt an encrypted realm with another key, in place'
complete -c realm-cli -n __realm_cli_first -a keygen -d 'make a new encryption key'
complete -c realm-cli -n __realm_cli_first -a upgrade -d 'bring a realm to the current file format'
complete -c realm-cli -n __realm_cli_first -a migrate -d 'change schema and data by migration files'
complete -c realm-cli -n '__realm_cli_at migrate 0' -f -a new -d 'make a migration file to fill in'
complete -c realm-cli -n '__realm_cli_at migrate 0' -f -a baseline -d 'count the steps up to a version as done, without running them'
complete -c realm-cli -n '__realm_cli_at migrate 0' -f -a lint -d 'check migration files without any realm'
complete -c realm-cli -n '__realm_cli_at migrate 0' -f -a status -d 'the schema versions of files, and which steps they need'
complete -c realm-cli -n '__realm_cli_at migrate 0' -f -a plan -d 'show what apply would do, by doing it on a private copy'
complete -c realm-cli -n '__realm_cli_at migrate 0' -f -a apply -d 'bring a file to the newest schema version'
complete -c realm-cli -n '__realm_cli_at migrate 0' -f -a verify -d 'check, or write, the sums of migration files'
complete -c realm-cli -n '__realm_cli_at migrate 0' -f -a restore -d 'put a backup of a migration back'
complete -c realm-cli -n '__realm_cli_at migrate 0' -f -a schema -d 'print the JSON Schema of migration files, for editors'
complete -c realm-cli -n __realm_cli_first -a diff -d 'show how two realms differ, in schema and objects'
complete -c realm-cli -n __realm_cli_first -a rm -d 'remove a realm with its lock file and management files'
complete -c realm-cli -n __realm_cli_first -a check -d 'walk whole files and name every kind of damage'
complete -c realm-cli -n __realm_cli_first -a recover -d 'save what can be read of a damaged realm'
complete -c realm-cli -n __realm_cli_first -a completion -d 'print the completion script for a shell'
complete -c realm-cli -n __realm_cli_first -a help -d 'tell about a command, or list all of them'
complete -c realm-cli -n __realm_cli_first -F
complete -c realm-cli -s h -l help -d 'print help; behind a command, its own'
complete -c realm-cli -s V -l version -d 'print the version'
complete -c realm-cli -s q -l quiet -d 'print nothing but results and errors'
complete -c realm-cli -s v -l verbose -d 'say more about what is done'
complete -c realm-cli -o safe -l safe -d 'run no program, write no output file, and open no file but the realm and its key'
complete -c realm-cli -l no-join -d 'read a realm that apps have open without taking part in their session'
complete -c realm-cli -s o -l output -r -F -d 'write results to FILE, which must not exist yet'
complete -c realm-cli -s m -l mode -r -f -a 'box table column line list csv tsv json jsonl markdown html quote insert' -d 'how results are printed: box, table, column, line, list, csv, tsv, json, jsonl, markdown, html, quote, insert'
complete -c realm-cli -o box -l box -d 'the same as --mode box'
complete -c realm-cli -o table -l table -d 'the same as --mode table'
complete -c realm-cli -o column -l column -d 'the same as --mode column'
complete -c realm-cli -o line -l line -d 'the same as --mode line'
complete -c realm-cli -o list -l list -d 'the same as --mode list'
complete -c realm-cli -o csv -l csv -d 'the same as --mode csv'
complete -c realm-cli -l tsv -d 'the same as --mode tsv'
complete -c realm-cli -o json -l json -d 'the same as --mode json'
complete -c realm-cli -l jsonl -d 'the same as --mode jsonl'
complete -c realm-cli -o markdown -l markdown -d 'the same as --mode markdown'
complete -c realm-cli -o html -l html -d 'the same as --mode html'
complete -c realm-cli -o quote -l quote -d 'the same as --mode quote'
complete -c realm-cli -o header -l header -d 'print the names of the columns first'
complete -c realm-cli -o noheader -l noheader -d 'print no names of columns'
complete -c realm-cli -l wrap -r -f -d 'in aligned columns, go on below with texts over N characters; 0: where the screen ends'
complete -c realm-cli -l color -r -f -a 'auto always never' -d 'use colors: auto, always or never'
complete -c realm-cli -l all-tables -d 'show the tables that are no classes too'
complete -c realm-cli -s w -l write -d 'allow statements to change the file'
complete -c realm-cli -o readonly -l readonly -d 'change nothing; this is the default'
complete -c realm-cli -s n -l dry-run -d 'only show what would be done'
complete -c realm-cli -s y -l yes -d 'do not ask before something is removed or upgraded'
complete -c realm-cli -s f -l force -d 'replace an output file that exists; remove with rm what only looks like a realm'
complete -c realm-cli -o batch -l batch -d 'never ask, as if there were no terminal'
complete -c realm-cli -l no-input -d 'the same as --batch'
complete -c realm-cli -l key-file -r -F -d 'the key of an encrypted realm is in FILE (\'-\' for standard input)'
complete -c realm-cli -l key-env -r -f -d 'the key is in the environment variable NAME'
complete -c realm-cli -l key-command -r -f -a '(__fish_complete_command)' -d 'the key is what COMMAND prints'
complete -c realm-cli -n '__realm_cli_in "info"' -l sizes -d 'show the bytes that each class and property takes'
complete -c realm-cli -n '__realm_cli_in "info"' -l snapshot -r -f -a 'current previous' -d 'read the current version of the data or the one before: current, previous'
complete -c realm-cli -n '__realm_cli_from "info" 0' -F
complete -c realm-cli -n '__realm_cli_in "schema"' -l format -r -f -a 'text json yaml mermaid dot' -d 'text (statements, the default), json, yaml, mermaid or dot'
complete -c realm-cli -n '__realm_cli_in "schema"' -l fingerprint -d 'print only the schema\'s fingerprint, which migration files can name'
complete -c realm-cli -n '__realm_cli_in "schema"' -l snapshot -r -f -a 'current previous' -d 'read the current version of the data or the one before: current, previous'
complete -c realm-cli -n '__realm_cli_at "schema" 0' -F
complete -c realm-cli -n '__realm_cli_from "schema" 1' -f -a '(__realm_cli_names classes)'
complete -c realm-cli -n '__realm_cli_in "query"' -l count -d 'print how many objects there are'
complete -c realm-cli -n '__realm_cli_in "query"' -l keys -d 'print the objects\' keys, one a line'
complete -c realm-cli -n '__realm_cli_in "query"' -l explain -d 'print how the objects are found, and how long that takes'
complete -c realm-cli -n '__realm_cli_in "query"' -l select -r -f -a '(__fish_append , (__realm_cli_names properties))' -d 'show these: \'name, bestFriend.age, dogs.@count as dogs, @key\''
complete -c realm-cli -n '__realm_cli_in "query"' -l typed -d 'with --json and --jsonl: values as \'dump\' writes them'
complete -c realm-cli -n '__realm_cli_in "query"' -l sort -r -f -a '(__fish_append , (__realm_cli_names properties))' -d 'order by KEYS: \'name, age desc\''
complete -c realm-cli -n '__realm_cli_in "query"' -l distinct -r -f -a '(__fish_append , (__realm_cli_names properties))' -d 'only the first object of each combination of PATHS'
complete -c realm-cli -n '__realm_cli_in "query"' -l limit -r -f -d 'at most N objects'
complete -c realm-cli -n '__realm_cli_in "query"' -l offset -r -f -d 'leave out the first N objects'
complete -c realm-cli -n '__realm_cli_in "query"' -l memory -r -f -d 'how much memory sorting and groups may take, such as 256M; a quarter of the machine\'s'
complete -c realm-cli -n '__realm_cli_in "query"' -l arg -r -f -d 'the value for $0, then $1 …: 30, \'Ada\', 2020-01-31, {1, 2}; read as the property\'s type asks'
complete -c realm-cli -n '__realm_cli_in "query"' -l arg-text -r -f -d 'as --arg, but always a string'
complete -c realm-cli -n '__realm_cli_in "query"' -l param -r -f -d 'the value for $NAME, as with --arg'
complete -c realm-cli -n '__realm_cli_in "query"' -l snapshot -r -f -a 'current previous' -d 'read the current version of the data or the one before: current, previous'
complete -c realm-cli -n '__realm_cli_at "query" 0' -F
complete -c realm-cli -n '__realm_cli_at "query" 1' -f -a '(__realm_cli_names classes)'
complete -c realm-cli -n '__realm_cli_at "query" 2' -f -a '(__fish_append , (__realm_cli_names properties))'
complete -c realm-cli -n '__realm_cli_in "aggregate"' -l select -r -f -a '(__fish_append , (__realm_cli_names properties))' -d 'what is calculated: \'count, avg age as mean, count distinct city\'; count when left out'
complete -c realm-cli -n '__realm_cli_in "aggregate"' -l by -r -f -a '(__fish_append , (__realm_cli_names properties))' -d 'for each group of objects with equal ones: \'city, year(born)\''
complete -c realm-cli -n '__realm_cli_in "aggregate"' -l having -r -f -d 'only groups whose columns meet it: \'count > 10\''
complete -c realm-cli -n '__realm_cli_in "aggregate"' -l sort -r -f -a '(__fish_append , (__realm_cli_names properties))' -d 'order by KEYS: \'name, age desc\''
complete -c realm-cli -n '__realm_cli_in "aggregate"' -l limit -r -f -d 'at most N objects'
complete -c realm-cli -n '__realm_cli_in "aggregate"' -l offset -r -f -d 'leave out the first N objects'
complete -c realm-cli -n '__realm_cli_in "aggregate"' -l memory -r -f -d 'how much memory sorting and groups may take, such as 256M; a quarter of the machine\'s'
complete -c realm-cli -n '__realm_cli_in "aggregate"' -l arg -r -f -d 'the value for $0, then $1 …: 30, \'Ada\', 2020-01-31, {1, 2}; read as the property\'s type asks'
complete -c realm-cli -n '__realm_cli_in "aggregate"' -l arg-text -r -f -d 'as --arg, but always a string'
complete -c realm-cli -n '__realm_cli_in "aggregate"' -l param -r -f -d 'the value for $NAME, as with --arg'
complete -c realm-cli -n '__realm_cli_in "aggregate"' -l snapshot -r -f -a 'current previous' -d 'read the current version of the data or the one before: current, previous'
complete -c realm-cli -n '__realm_cli_at "aggregate" 0' -F
complete -c realm-cli -n '__realm_cli_at "aggregate" 1' -f -a '(__realm_cli_names classes)'
complete -c realm-cli -n '__realm_cli_at "aggregate" 2' -f -a '(__fish_append , (__realm_cli_names properties))'
complete -c realm-cli -n '__realm_cli_in "watch"' -l properties -r -f -a '(__fish_append , (__realm_cli_names properties))' -d 'only changes of these count, also behind up to four links: \'name, owner.address.city\''
complete -c realm-cli -n '__realm_cli_in "watch"' -l initial -d 'print the objects first'
complete -c realm-cli -n '__realm_cli_in "watch"' -l count -r -f -d 'end after N change sets'
complete -c realm-cli -n '__realm_cli_in "watch"' -l for -r -f -d 'end after so long: 10s, 500ms, 5m'
complete -c realm-cli -n '__realm_cli_in "watch"' -l exec -r -f -a '(__fish_complete_command)' -d 'run COMMAND for each change set, with its JSON as input'
complete -c realm-cli -n '__realm_cli_in "watch"' -l arg -r -f -d 'the value for $0, then $1 …: 30, \'Ada\', 2020-01-31, {1, 2}; read as the property\'s type asks'
complete -c realm-cli -n '__realm_cli_in "watch"' -l arg-text -r -f -d 'as --arg, but always a string'
complete -c realm-cli -n '__realm_cli_at "watch" 0' -F
complete -c realm-cli -n '__realm_cli_at "watch" 1' -f -a '(__realm_cli_names classes)'
complete -c realm-cli -n '__realm_cli_at "watch" 2' -f -a '(__fish_append , (__realm_cli_names properties))'
complete -c realm-cli -n '__realm_cli_in "assert"' -l count -r -f -d 'exactly N objects'
complete -c realm-cli -n '__realm_cli_in "assert"' -l min -r -f -d 'at least N objects'
complete -c realm-cli -n '__realm_cli_in "assert"' -l max -r -f -d 'at most N objects'
complete -c realm-cli -n '__realm_cli_in "assert"' -l empty -d 'no object at all'
complete -c realm-cli -n '__realm_cli_in "assert"' -l arg -r -f -d 'the value for $0, then $1 …: 30, \'Ada\', 2020-01-31, {1, 2}; read as the property\'s type asks'
complete -c realm-cli -n '__realm_cli_in "assert"' -l arg-text -r -f -d 'as --arg, but always a string'
complete -c realm-cli -n '__realm_cli_in "assert"' -l param -r -f -d 'the value for $NAME, as with --arg'
complete -c realm-cli -n '__realm_cli_in "assert"' -l snapshot -r -f -a 'current previous' -d 'read the current version of the data or the one before: current, previous'
complete -c realm-cli -n '__realm_cli_at "assert" 0' -F
complete -c realm-cli -n '__realm_cli_at "assert" 1' -f -a '(__realm_cli_names classes)'
complete -c realm-cli -n '__realm_cli_at "assert" 2' -f -a '(__fish_append , (__realm_cli_names properties))'
complete -c realm-cli -n '__realm_cli_in "get"' -l key -r -f -d 'find the object by its object key instead of the primary key'
complete -c realm-cli -n '__realm_cli_in "get"' -l expand -r -f -d 'show objects that links lead to, N levels deep and each once, instead of their keys'
complete -c realm-cli -n '__realm_cli_in "get"' -l backlinks -d 'show which objects link to it too'
complete -c realm-cli -n '__realm_cli_in "get"' -l typed -d 'with --json: values as \'dump\' writes them'
complete -c realm-cli -n '__realm_cli_in "get"' -l snapshot -r -f -a 'current previous' -d 'read the current version of the data or the one before: current, previous'
complete -c realm-cli -n '__realm_cli_at "get" 0' -F
complete -c realm-cli -n '__realm_cli_at "get" 1' -f -a '(__realm_cli_names classes)'
complete -c realm-cli -n '__realm_cli_at "get" 2' -f
complete -c realm-cli -n '__realm_cli_in "export"' -l format -r -f -a 'csv tsv json jsonl' -d 'what is written: csv, tsv, json, jsonl; without it what the name of the output says, or csv'
complete -c realm-cli -n '__realm_cli_in "export"' -l select -r -f -a '(__fish_append , (__realm_cli_names properties))' -d 'show these: \'name, bestFriend.age, dogs.@count as dogs, @key\''
complete -c realm-cli -n '__realm_cli_in "export"' -l flatten -d 'write embedded objects as columns of their own: address.city'
complete -c realm-cli -n '__realm_cli_in "export"' -l unnest -r -f -d 'write a row for each element of LIST, a list, set or dictionary'
complete -c realm-cli -n '__realm_cli_in "export"' -l typed -d 'with --json and --jsonl: values as \'dump\' writes them'
complete -c realm-cli -n '__realm_cli_in "export"' -l sort -r -f -a '(__fish_append , (__realm_cli_names properties))' -d 'order by KEYS: \'name, age desc\''
complete -c realm-cli -n '__realm_cli_in "export"' -l distinct -r -f -a '(__fish_append , (__realm_cli_names properties))' -d 'only the first object of each combination of PATHS'
complete -c realm-cli -n '__realm_cli_in "export"' -l limit -r -f -d 'at most N objects'
complete -c realm-cli -n '__realm_cli_in "export"' -l offset -r -f -d 'leave out the first N objects'
complete -c realm-cli -n '__realm_cli_in "export"' -l memory -r -f -d 'how much memory sorting and groups may take, such as 256M; a quarter of the machine\'s'
complete -c realm-cli -n '__realm_cli_in "export"' -l arg -r -f -d 'the value for $0, then $1 …: 30, \'Ada\', 2020-01-31, {1, 2}; read as the property\'s type asks'
complete -c realm-cli -n '__realm_cli_in "export"' -l arg-text -r -f -d 'as --arg, but always a string'
complete -c realm-cli -n '__realm_cli_in "export"' -l param -r -f -d 'the value for $NAME, as with --arg'
complete -c realm-cli -n '__realm_cli_in "export"' -l snapshot -r -f -a 'current previous' -d 'read the current version of the data or the one before: current, previous'
complete -c realm-cli -n '__realm_cli_at "export" 0' -F
complete -c realm-cli -n '__realm_cli_at "export" 1' -f -a '(__realm_cli_names classes)'
complete -c realm-cli -n '__realm_cli_at "export" 2' -f -a '(__fish_append , (__realm_cli_names properties))'
complete -c realm-cli -n '__realm_cli_in "dump"' -l snapshot -r -f -a 'current previous' -d 'read the current version of the data or the one before: current, previous'
complete -c realm-cli -n '__realm_cli_at "dump" 0' -F
complete -c realm-cli -n '__realm_cli_in "import"' -l format -r -f -a 'csv tsv json jsonl' -d 'what SOURCE is: csv, tsv, json, jsonl; without it what its name or its beginning says'
complete -c realm-cli -n '__realm_cli_in "import"' -l delimiter -r -f -d 'what separates cells; without it found from the beginning'
complete -c realm-cli -n '__realm_cli_in "import"' -l comment -r -f -d 'pass over lines that begin with it'
complete -c realm-cli -n '__realm_cli_in "import"' -l skip -r -f -d 'pass over N lines before the names of columns'
complete -c realm-cli -n '__realm_cli_in "import"' -l no-header -d 'the first line is a row already; name the columns with --columns'
complete -c realm-cli -n '__realm_cli_in "import"' -l columns -r -f -d 'names of the columns, in place of the first line\'s'
complete -c realm-cli -n '__realm_cli_in "import"' -l map -r -f -d 'which column goes where: \'First Name=first, City=address.city, Note=\''
complete -c realm-cli -n '__realm_cli_in "import"' -l extra-columns -r -f -a 'refuse ignore add' -d 'a column without a property: refuse, ignore or add'
complete -c realm-cli -n '__realm_cli_in "import"' -l create -d 'make the file, the class and the properties that are missing'
complete -c realm-cli -n '__realm_cli_in "import"' -l types -r -f -d 'types of properties that are made: \'zip=string\''
complete -c realm-cli -n '__realm_cli_in "import"' -l primary-key -r -f -d 'the primary key of the class that is made'
complete -c realm-cli -n '__realm_cli_in "import"' -l dates -r -f -d 'how dates are written: iso, seconds, milliseconds, or \'born=%d/%m/%Y\' for a column'
complete -c realm-cli -n '__realm_cli_in "import"' -l null -r -f -d 'cells that are null, beside empty ones'
complete -c realm-cli -n '__realm_cli_in "import"' -l lists -r -f -d 'what separates the elements of lists: \'tags=;\''
complete -c realm-cli -n '__realm_cli_in "import"' -l links -r -f -a 'require create null' -d 'a link to an object that is not there: require, create or null'
complete -c realm-cli -n '__realm_cli_in "import"' -l rejects -r -F -d 'write bad rows to FILE, and go on'
complete -c realm-cli -n '__realm_cli_in "import"' -l rejects-max -r -f -d 'stop when more than N rows were rejected'
complete -c realm-cli -n '__realm_cli_in "import"' -l lock-timeout -r -f -d 'wait so long for other programs to close the file, such as 0.2 (default 0)'
complete -c realm-cli -n '__realm_cli_in "import"' -l timeout -r -f -d 'the same as --lock-timeout'
complete -c realm-cli -n '__realm_cli_in "import"' -l upgrade -d 'bring an older file format to the current one first; a backup is kept'
complete -c realm-cli -n '__realm_cli_in "import"' -l detach -d 'make a synced realm a local one first; a backup is kept'
complete -c realm-cli -n '__realm_cli_at "import" 0' -F
complete -c realm-cli -n '__realm_cli_at "import" 1' -f -a '(__realm_cli_names classes)'
complete -c realm-cli -n '__realm_cli_from "import" 2' -F
complete -c realm-cli -n '__realm_cli_in "insert"' -l data -r -F -d 'the objects as JSON (\'-\' for standard input)'
complete -c realm-cli -n '__realm_cli_in "insert"' -l lock-timeout -r -f -d 'wait so long for other programs to close the file, such as 0.2 (default 0)'
complete -c realm-cli -n '__realm_cli_in "insert"' -l timeout -r -f -d 'the same as --lock-timeout'
complete -c realm-cli -n '__realm_cli_in "insert"' -l upgrade -d 'bring an older file format to the current one first; a backup is kept'
complete -c realm-cli -n '__realm_cli_in "insert"' -l detach -d 'make a synced realm a local one first; a backup is kept'
complete -c realm-cli -n '__realm_cli_at "insert" 0' -F
complete -c realm-cli -n '__realm_cli_at "insert" 1' -f -a '(__realm_cli_names classes)'
complete -c realm-cli -n '__realm_cli_in "upsert"' -l data -r -F -d 'the objects as JSON (\'-\' for standard input)'
complete -c realm-cli -n '__realm_cli_in "upsert"' -l lock-timeout -r -f -d 'wait so long for other programs to close the file, such as 0.2 (default 0)'
complete -c realm-cli -n '__realm_cli_in "upsert"' -l timeout -r -f -d 'the same as --lock-timeout'
complete -c realm-cli -n '__realm_cli_in "upsert"' -l upgrade -d 'bring an older file format to the current one first; a backup is kept'
complete -c realm-cli -n '__realm_cli_in "upsert"' -l detach -d 'make a synced realm a local one first; a backup is kept'
complete -c realm-cli -n '__realm_cli_at "upsert" 0' -F
complete -c realm-cli -n '__realm_cli_at "upsert" 1' -f -a '(__realm_cli_names classes)'
complete -c realm-cli -n '__realm_cli_in "update"' -l set -r -f -a '(__fish_append , (__realm_cli_names properties))' -d 'new values: \'age = age + 1, name = trim(name)\''
complete -c realm-cli -n '__realm_cli_in "update"' -l arg -r -f -d 'the value for $0, then $1 …: 30, \'Ada\', 2020-01-31, {1, 2}; read as the property\'s type asks'
complete -c realm-cli -n '__realm_cli_in "update"' -l arg-text -r -f -d 'as --arg, but always a string'
complete -c realm-cli -n '__realm_cli_in "update"' -l param -r -f -d 'the value for $NAME, as with --arg'
complete -c realm-cli -n '__realm_cli_in "update"' -l lock-timeout -r -f -d 'wait so long for other programs to close the file, such as 0.2 (default 0)'
complete -c realm-cli -n '__realm_cli_in "update"' -l timeout -r -f -d 'the same as --lock-timeout'
complete -c realm-cli -n '__realm_cli_in "update"' -l upgrade -d 'bring an older file format to the current one first; a backup is kept'
complete -c realm-cli -n '__realm_cli_in "update"' -l detach -d 'make a synced realm a local one first; a backup is kept'
complete -c realm-cli -n '__realm_cli_at "update" 0' -F
complete -c realm-cli -n '__realm_cli_at "update" 1' -f -a '(__realm_cli_names classes)'
complete -c realm-cli -n '__realm_cli_at "update" 2' -f
complete -c realm-cli -n '__realm_cli_in "delete"' -l arg -r -f -d 'the value for $0, then $1 …: 30, \'Ada\', 2020-01-31, {1, 2}; read as the property\'s type asks'
complete -c realm-cli -n '__realm_cli_in "delete"' -l arg-text -r -f -d 'as --arg, but always a string'
complete -c realm-cli -n '__realm_cli_in "delete"' -l param -r -f -d 'the value for $NAME, as with --arg'
complete -c realm-cli -n '__realm_cli_in "delete"' -l lock-timeout -r -f -d 'wait so long for other programs to close the file, such as 0.2 (default 0)'
complete -c realm-cli -n '__realm_cli_in "delete"' -l timeout -r -f -d 'the same as --lock-timeout'
complete -c realm-cli -n '__realm_cli_in "delete"' -l upgrade -d 'bring an older file format to the current one first; a backup is kept'
complete -c realm-cli -n '__realm_cli_in "delete"' -l detach -d 'make a synced realm a local one first; a backup is kept'
complete -c realm-cli -n '__realm_cli_at "delete" 0' -F
complete -c realm-cli -n '__realm_cli_at "delete" 1' -f -a '(__realm_cli_names classes)'
complete -c realm-cli -n '__realm_cli_at "delete" 2' -f
complete -c realm-cli -n '__realm_cli_in "hash"' -l snapshot -r -f -a 'current previous' -d 'read the current version of the data or the one before: current, previous'
complete -c realm-cli -n '__realm_cli_from "hash" 0' -F
complete -c realm-cli -n '__realm_cli_in "create"' -l schema -r -F -d 'the schema document, YAML or JSON (\'-\' for standard input)'
complete -c realm-cli -n '__realm_cli_in "create"' -l lock-timeout -r -f -d 'wait so long for other programs to close the file, such as 0.2 (default 0)'
complete -c realm-cli -n '__realm_cli_at "create" 0' -F
complete -c realm-cli -n '__realm_cli_in "load"' -l lock-timeout -r -f -d 'wait so long for other programs to close the file, such as 0.2 (default 0)'
complete -c realm-cli -n '__realm_cli_at "load" 0' -F
complete -c realm-cli -n '__realm_cli_at "load" 1' -F
complete -c realm-cli -n '__realm_cli_in "copy"' -l new-key-file -r -F -d 'the key of the result is in FILE (\'-\' for standard input)'
complete -c realm-cli -n '__realm_cli_in "copy"' -l new-key-env -r -f -d 'the key of the result is in the environment variable NAME'
complete -c realm-cli -n '__realm_cli_in "copy"' -l new-key-command -r -f -a '(__fish_complete_command)' -d 'the key of the result is what COMMAND prints'
complete -c realm-cli -n '__realm_cli_in "copy"' -l decrypt -d 'write a plain file from an encrypted one'
complete -c realm-cli -n '__realm_cli_in "copy"' -l local -d 'leave out the history and the state of sync'
complete -c realm-cli -n '__realm_cli_in "copy"' -l lock-timeout -r -f -d 'wait so long for other programs to close the file, such as 0.2 (default 0)'
complete -c realm-cli -n '__realm_cli_in "copy"' -l salvage -d 'go on where the file is damaged, and say what is'
complete -c realm-cli -n '__realm_cli_at "copy" 0' -F
complete -c realm-cli -n '__realm_cli_at "copy" 1' -F
complete -c realm-cli -n '__realm_cli_in "compact"' -l if -r -f -d 'only files for which it holds: \'size > 100MB and used < 50%\''
complete -c realm-cli -n '__realm_cli_in "compact"' -l lock-timeout -r -f -d 'wait so long for other programs to close the file, such as 0.2 (default 0)'
complete -c realm-cli -n '__realm_cli_in "compact"' -l salvage -d 'go on where the file is damaged, and say what is'
complete -c realm-cli -n '__realm_cli_from "compact" 0' -F
complete -c realm-cli -n '__realm_cli_in "encrypt"' -l new-key-file -r -F -d 'the key of the result is in FILE (\'-\' for standard input)'
complete -c realm-cli -n '__realm_cli_in "encrypt"' -l new-key-env -r -f -d 'the key of the result is in the environment variable NAME'
complete -c realm-cli -n '__realm_cli_in "encrypt"' -l new-key-command -r -f -a '(__fish_complete_command)' -d 'the key of the result is what COMMAND prints'
complete -c realm-cli -n '__realm_cli_in "encrypt"' -l lock-timeout -r -f -d 'wait so long for other programs to close the file, such as 0.2 (default 0)'
complete -c realm-cli -n '__realm_cli_in "encrypt"' -l salvage -d 'go on where the file is damaged, and say what is'
complete -c realm-cli -n '__realm_cli_from "encrypt" 0' -F
complete -c realm-cli -n '__realm_cli_in "decrypt"' -l lock-timeout -r -f -d 'wait so long for other programs to close the file, such as 0.2 (default 0)'
complete -c realm-cli -n '__realm_cli_in "decrypt"' -l salvage -d 'go on where the file is damaged, and say what is'
complete -c realm-cli -n '__realm_cli_from "decrypt" 0' -F
complete -c realm-cli -n '__realm_cli_in "rekey"' -l new-key-file -r -F -d 'the key of the result is in FILE (\'-\' for standard input)'
complete -c realm-cli -n '__realm_cli_in "rekey"' -l new-key-env -r -f -d 'the key of the result is in the environment variable NAME'
complete -c realm-cli -n '__realm_cli_in "rekey"' -l new-key-command -r -f -a '(__fish_complete_command)' -d 'the key of the result is what COMMAND prints'
complete -c realm-cli -n '__realm_cli_in "rekey"' -l lock-timeout -r -f -d 'wait so long for other programs to close the file, such as 0.2 (default 0)'
complete -c realm-cli -n '__realm_cli_in "rekey"' -l salvage -d 'go on where the file is damaged, and say what is'
complete -c realm-cli -n '__realm_cli_from "rekey" 0' -F
complete -c realm-cli -n '__realm_cli_in "keygen"' -l format -r -f -a 'hex base64 raw' -d 'how it is written: hex, base64, raw'
complete -c realm-cli -n '__realm_cli_at "keygen" 0' -F
complete -c realm-cli -n '__realm_cli_in "upgrade"' -l lock-timeout -r -f -d 'wait so long for other programs to close the file, such as 0.2 (default 0)'
complete -c realm-cli -n '__realm_cli_in "upgrade"' -l salvage -d 'go on where the file is damaged, and say what is'
complete -c realm-cli -n '__realm_cli_from "upgrade" 0' -F
complete -c realm-cli -n '__realm_cli_in "migrate new"' -l dir -r -f -a '(__fish_complete_directories)' -d 'the migration files are in DIR (default migrations; \'-\': one comes from standard input)'
complete -c realm-cli -n '__realm_cli_in "migrate new"' -l from -r -f -d 'the schema version that it starts at'
complete -c realm-cli -n '__realm_cli_in "migrate new"' -l for -r -F -d 'start at the schema version that FILE has'
complete -c realm-cli -n '__realm_cli_in "migrate new"' -l to -r -f -d 'only up to schema version N'
complete -c realm-cli -n '__realm_cli_in "migrate new"' -l from-diff -d 'write the operations that make the second SCHEMA of the first'
complete -c realm-cli -n '__realm_cli_at "migrate new" 0' -f
complete -c realm-cli -n '__realm_cli_from "migrate new" 1' -F
complete -c realm-cli -n '__realm_cli_in "migrate baseline"' -l dir -r -f -a '(__fish_complete_directories)' -d 'the migration files are in DIR (default migrations; \'-\': one comes from standard input)'
complete -c realm-cli -n '__realm_cli_in "migrate baseline"' -l to -r -f -d 'the schema version that the file counts as (default: the newest one)'
complete -c realm-cli -n '__realm_cli_in "migrate baseline"' -l accept-drift -d 'go on though the file, or a step that was frozen, is not what it was'
complete -c realm-cli -n '__realm_cli_in "migrate baseline"' -l lock-timeout -r -f -d 'wait so long for other programs to close the file, such as 0.2 (default 0)'
complete -c realm-cli -n '__realm_cli_in "migrate baseline"' -l timeout -r -f -d 'the same as --lock-timeout'
complete -c realm-cli -n '__realm_cli_in "migrate baseline"' -l upgrade -d 'bring an older file format to the current one first; a backup is kept'
complete -c realm-cli -n '__realm_cli_in "migrate baseline"' -l detach -d 'make a synced realm a local one first; a backup is kept'
complete -c realm-cli -n '__realm_cli_from "migrate baseline" 0' -F
complete -c realm-cli -n '__realm_cli_in "migrate lint"' -l schema -r -F -d 'the schema that the first step finds: a schema document or a realm'
complete -c realm-cli -n '__realm_cli_in "migrate lint"' -l exit-code -d 'exit with 9 where there is something to tell'
complete -c realm-cli -n '__realm_cli_at "migrate lint" 0' -f -a '(__fish_complete_directories)'
complete -c realm-cli -n '__realm_cli_in "migrate status"' -l dir -r -f -a '(__fish_complete_directories)' -d 'the migration files are in DIR (default migrations; \'-\': one comes from standard input)'
complete -c realm-cli -n '__realm_cli_in "migrate status"' -l exit-code -d 'exit with 9 where there is something to tell'
complete -c realm-cli -n '__realm_cli_from "migrate status" 0' -F
complete -c realm-cli -n '__realm_cli_in "migrate plan"' -l dir -r -f -a '(__fish_complete_directories)' -d 'the migration files are in DIR (default migrations; \'-\': one comes from standard input)'
complete -c realm-cli -n '__realm_cli_in "migrate plan"' -l to -r -f -d 'only up to schema version N'
complete -c realm-cli -n '__realm_cli_in "migrate plan"' -l now -r -f -d 'what now() gives: 2020-01-01T00:00:00Z'
complete -c realm-cli -n '__realm_cli_in "migrate plan"' -l seed -r -f -d 'make the same uuid() and objectId() in each run'
complete -c realm-cli -n '__realm_cli_in "migrate plan"' -l lock-timeout -r -f -d 'wait so long for other programs to close the file, such as 0.2 (default 0)'
complete -c realm-cli -n '__realm_cli_in "migrate plan"' -l salvage -d 'go on where the file is damaged, and say what is'
complete -c realm-cli -n '__realm_cli_in "migrate plan"' -l keep-going -d 'go on with the next file after one that fails'
complete -c realm-cli -n '__realm_cli_from "migrate plan" 0' -F
complete -c realm-cli -n '__realm_cli_in "migrate apply"' -l in-place -d 'keep the file\'s layout and free space instead of packing it; there is no backup then'
complete -c realm-cli -n '__realm_cli_in "migrate apply"' -l no-backup -d 'keep no copy of the file as it was'
complete -c realm-cli -n '__realm_cli_in "migrate apply"' -l accept-drift -d 'go on though the file, or a step that was frozen, is not what it was'
complete -c realm-cli -n '__realm_cli_in "migrate apply"' -l dir -r -f -a '(__fish_complete_directories)' -d 'the migration files are in DIR (default migrations; \'-\': one comes from standard input)'
complete -c realm-cli -n '__realm_cli_in "migrate apply"' -l to -r -f -d 'only up to schema version N'
complete -c realm-cli -n '__realm_cli_in "migrate apply"' -l now -r -f -d 'what now() gives: 2020-01-01T00:00:00Z'
complete -c realm-cli -n '__realm_cli_in "migrate apply"' -l seed -r -f -d 'make the same uuid() and objectId() in each run'
complete -c realm-cli -n '__realm_cli_in "migrate apply"' -l lock-timeout -r -f -d 'wait so long for other programs to close the file, such as 0.2 (default 0)'
complete -c realm-cli -n '__realm_cli_in "migrate apply"' -l salvage -d 'go on where the file is damaged, and say what is'
complete -c realm-cli -n '__realm_cli_in "migrate apply"' -l keep-going -d 'go on with the next file after one that fails'
complete -c realm-cli -n '__realm_cli_from "migrate apply" 0' -F
complete -c realm-cli -n '__realm_cli_in "migrate verify"' -l freeze -d 'write migrations.sum instead of checking it'
complete -c realm-cli -n '__realm_cli_in "migrate verify"' -l schema -r -F -d 'the schema that the first step finds: a schema document or a realm'
complete -c realm-cli -n '__realm_cli_at "migrate verify" 0' -f -a '(__fish_complete_directories)'
complete -c realm-cli -n '__realm_cli_in "migrate restore"' -l lock-timeout -r -f -d 'wait so long for other programs to close the file, such as 0.2 (default 0)'
complete -c realm-cli -n '__realm_cli_at "migrate restore" 0' -F
complete -c realm-cli -n '__realm_cli_at "migrate restore" 1' -F
complete -c realm-cli -n '__realm_cli_in "diff"' -l schema -d 'compare classes and properties only'
complete -c realm-cli -n '__realm_cli_in "diff"' -l data -d 'compare objects only'
complete -c realm-cli -n '__realm_cli_in "diff"' -l class -r -f -d 'compare this class; repeatable'
complete -c realm-cli -n '__realm_cli_in "diff"' -l ignore -r -f -d 'leave out properties: \'Person.updatedAt, *.cache\'; repeatable'
complete -c realm-cli -n '__realm_cli_in "diff"' -l match -r -f -a 'key content' -d 'which objects without primary key are the same: those with the same object key (key, the default), or with the same values (content)'
complete -c realm-cli -n '__realm_cli_in "diff"' -l format -r -f -a 'text statements jsonl json' -d 'text (the default), statements that make B of A, or jsonl and json for programs'
complete -c realm-cli -n '__realm_cli_in "diff"' -l summary -d 'print a line a class: how many objects differ, and how'
complete -c realm-cli -n '__realm_cli_in "diff"' -l previous -d 'compare the version before with the current one, of the file A alone'
complete -c realm-cli -n '__realm_cli_in "diff"' -l exit-code -d 'exit with 9 where there is something to tell'
complete -c realm-cli -n '__realm_cli_at "diff" 0' -F
complete -c realm-cli -n '__realm_cli_at "diff" 1' -F
complete -c realm-cli -n '__realm_cli_in "rm"' -l lock-timeout -r -f -d 'wait so long for other programs to close the file, such as 0.2 (default 0)'
complete -c realm-cli -n '__realm_cli_from "rm" 0' -F
complete -c realm-cli -n '__realm_cli_in "check"' -l snapshot -r -f -a 'current previous' -d 'read the current version of the data or the one before: current, previous'
complete -c realm-cli -n '__realm_cli_from "check" 0' -F
complete -c realm-cli -n '__realm_cli_in "recover"' -l new-key-file -r -F -d 'the key of the result is in FILE (\'-\' for standard input)'
complete -c realm-cli -n '__realm_cli_in "recover"' -l new-key-env -r -f -d 'the key of the result is in the environment variable NAME'
complete -c realm-cli -n '__realm_cli_in "recover"' -l new-key-command -r -f -a '(__fish_complete_command)' -d 'the key of the result is what COMMAND prints'
complete -c realm-cli -n '__realm_cli_in "recover"' -l decrypt -d 'write a plain file from an encrypted one'
complete -c realm-cli -n '__realm_cli_in "recover"' -l format-version -r -f -d 'the file format, 2 to 11 or 20 to 24, where the header is gone or wrong'
complete -c realm-cli -n '__realm_cli_in "recover"' -l page-size -r -f -d 'the bytes of an encrypted page: 4096, in every format'
complete -c realm-cli -n '__realm_cli_in "recover"' -l lock-timeout -r -f -d 'wait so long for other programs to close the file, such as 0.2 (default 0)'
complete -c realm-cli -n '__realm_cli_at "recover" 0' -F
complete -c realm-cli -n '__realm_cli_at "recover" 1' -F
complete -c realm-cli -n '__realm_cli_at "completion" 0' -f -a 'bash zsh fish'
complete -c realm-cli -n '__realm_cli_from "help" 0' -f -a '(__realm_cli_commands)'
complete -c realm-cli -n '__realm_cli_in ""' -s c -l command -r -f -d 'run STATEMENT, then exit; may be given several times'
complete -c realm-cli -n '__realm_cli_in ""' -l file -r -F -d 'run the statements in SCRIPT, then exit; may be given several times'
complete -c realm-cli -n '__realm_cli_in ""' -o cmd -l cmd -r -f -d 'run STATEMENT before the others'
complete -c realm-cli -n '__realm_cli_in ""' -l keep-going -d 'go on behind a statement that fails; each statement is a transaction of its own'
complete -c realm-cli -n '__realm_cli_in ""' -o bail -l bail -d 'stop at the first error; this is the default'
complete -c realm-cli -n '__realm_cli_in ""' -o echo -l echo -d 'print each statement before it runs'
complete -c realm-cli -n '__realm_cli_in ""' -l dialog -d 'answer statements from standard input one by one as they come, for programs that keep the session open'
complete -c realm-cli -n '__realm_cli_in ""' -l init -r -F -d 'at the prompt, run SCRIPT first instead of ~/.config/realm-cli/init'
complete -c realm-cli -n '__realm_cli_in ""' -l no-init -d 'at the prompt, run no script first'
complete -c realm-cli -n '__realm_cli_in ""' -o separator -l separator -r -f -d 'what stands between the cells in mode list'
complete -c realm-cli -n '__realm_cli_in ""' -o nullvalue -l nullvalue -r -f -d 'what null looks like in modes for people and list'
complete -c realm-cli -n '__realm_cli_in ""' -l idle-timeout -r -f -d 'at the prompt, roll back a transaction that waits so long for input (default: never)'
complete -c realm-cli -n '__realm_cli_in ""' -l allow-shell -d 'let input that is not typed run programs and write files: .shell, .output, .copy …'
complete -c realm-cli -n '__realm_cli_in ""' -l memory -r -f -d 'how much memory sorting and groups may take, such as 256M; a quarter of the machine\'s'
complete -c realm-cli -n '__realm_cli_in ""' -l arg -r -f -d 'the value for $0, then $1 …: 30, \'Ada\', 2020-01-31, {1, 2}; read as the property\'s type asks'
complete -c realm-cli -n '__realm_cli_in ""' -l arg-text -r -f -d 'as --arg, but always a string'
complete -c realm-cli -n '__realm_cli_in ""' -l param -r -f -d 'the value for $NAME, as with --arg'
complete -c realm-cli -n '__realm_cli_in ""' -l snapshot -r -f -a 'current previous' -d 'read the current version of the data or the one before: current, previous'
complete -c realm-cli -n '__realm_cli_in ""' -l lock-timeout -r -f -d 'wait so long for other programs to close the file, such as 0.2 (default 0)'
complete -c realm-cli -n '__realm_cli_in ""' -l timeout -r -f -d 'the same as --lock-timeout'
complete -c realm-cli -n '__realm_cli_in ""' -l upgrade -d 'bring an older file format to the current one first; a backup is kept'
complete -c realm-cli -n '__realm_cli_in ""' -l detach -d 'make a synced realm a local one first; a backup is kept'
complete -c realm-cli -n '__realm_cli_from "" 1' -f -a '(__realm_cli_names classes)'
