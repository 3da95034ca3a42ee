# Completes command lines of aji in fish. `aji completion fish` prints this file, with facts about all commands from the
# program's own tables.

function __aji_typed # prints the words before the one that is being typed, without "aji"
    set -l typed (commandline -opc)
    test (count $typed) -gt 1; and printf '%s\n' $typed[2..-1]
end

function __aji_at # COMMAND: whether the command, such as "net new", is the beginning of the line
    set -l typed (__aji_typed)
    set -l wanted (string split ' ' -- $argv[1])
    set -l last (count $wanted)
    test (count $typed) -ge $last; and test "$typed[1..$last]" = "$wanted"
end

function __aji_ends # COMMAND: whether only the command comes before the word that is being typed
    set -l typed (__aji_typed)
    test "$typed" = "$argv[1]"
end

function __aji_settings # GROUP...: prints the settings of these groups as NAME= and help, or as NAME=VALUE
    for group in $argv
        for entry in $__aji_all_settings
            string match -q -- "$group*" $entry; and printf '%s\n' $entry
        end
    end
end

complete -c aji -f
@FACTS@
