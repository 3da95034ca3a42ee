#compdef aji
# Completes command lines of aji in zsh. `aji completion zsh` prints this file, with facts about all commands from the
# program's own tables.
@FACTS@

# Completes the name of a setting, or its value.
_aji_setting() { # GROUP...
    local -a found
    local group key
    if compset -P '*='; then
        key=${IPREFIX%=}
        compadd -- ${=_aji_choices[${key##*=}]}
        return
    fi
    for group; do
        found+=(${(M)_aji_settings:#${group}*})
    done
    _describe -t settings setting found -S '='
}

_aji() {
    local name=$words[2]
    local -a parts
    if ((CURRENT == 2)) || [[ $name == help ]]; then
        _describe -t commands command _aji_commands
        return
    fi
    parts=(${${(M)${(f)_aji_names}:#$name *}#$name })
    if (($#parts && CURRENT == 3)); then
        compadd -- $parts --help
        return
    fi
    shift words
    ((CURRENT--))
    if (($#parts)); then
        name+=" $words[2]"
        shift words
        ((CURRENT--))
    fi
    _aji_describe $name
}

# If zsh has loaded this file as the body of the function _aji, complete now. Otherwise the shell reads it at its start.
if [[ $funcstack[1] == _aji ]]; then
    _aji "$@"
else
    compdef _aji aji
fi
