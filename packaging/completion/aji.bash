# shellcheck shell=bash
# Completes command lines of aji in bash. `aji completion bash` prints this file, with facts about all commands from the
# program's own tables.
@FACTS@

# Puts PREFIX before each WORD, and offers the results that begin with the word that is being typed.
_aji_offer() { # PREFIX WORD...
    local prefix=$1 word
    shift
    for word; do
        word=$prefix$word
        [[ $word == "$current"* ]] || continue
        # If '=' divides words, bash completes only what follows the last '='.
        [[ $COMP_WORDBREAKS == *=* && $current == *=* ]] && word=${word#"${current%=*}="}
        COMPREPLY+=("$word")
    done
}

_aji_files() { # PREFIX: offers files, whose names follow PREFIX in the word that is being typed
    local -a names
    mapfile -t names < <(compgen -f -- "${current#"$1"}")
    compopt -o filenames 2>/dev/null
    _aji_offer "$1" "${names[@]}"
}

# Offers the names of the command's settings or, after "NAME=", the values of this setting.
_aji_setting() { # PREFIX
    local typed=${current#"$1"} entry group
    for entry in $_aji_settings; do
        if [[ $typed == *=* ]]; then
            [[ ${entry%%=*} == "${typed%%=*}" ]] || continue
            # shellcheck disable=SC2046
            _aji_offer "$1${entry%%=*}=" $(tr '|' ' ' <<<"${entry#*=}")
        else
            for group in $groups; do
                [[ $entry == "$group"* ]] && _aji_offer "$1" "${entry%%=*}="
            done
        fi
    done
    [[ $typed == *=* ]] || compopt -o nospace 2>/dev/null
}

# Offers values of an option. Returns 1 if there is no such option, or if it takes no value.
_aji_value() { # OPTION PREFIX
    local option kind
    for option in $options; do
        [[ $option == "$1="* ]] || continue
        kind=${option#*=<} kind=${kind%>}
        case $kind in
        file) _aji_files "$2" ;;
        setting) _aji_setting "$2" ;;
        # shellcheck disable=SC2046
        *) _aji_offer "$2" $(tr '|' ' ' <<<"$kind") ;;
        esac
        return 0
    done
    return 1
}

_aji_parts() { # COMMAND: prints its subcommands
    local name
    while read -r name; do
        [[ $name == "$1 "* ]] && printf '%s\n' "${name#"$1 "}"
    done <<<"$_aji_names"
}

_aji() {
    local line=${COMP_LINE:0:COMP_POINT} current previous parts options groups words
    local -a typed
    COMPREPLY=()
    read -ra typed <<<"$line"
    [[ $line == *[[:space:]] ]] && typed+=('')
    ((${#typed[@]} >= 2)) || return
    current=${typed[${#typed[@]} - 1]} previous=${typed[${#typed[@]} - 2]}
    if ((${#typed[@]} == 2)) || [[ ${typed[1]} == help ]]; then
        # shellcheck disable=SC2154,SC2086
        _aji_offer '' $_aji_commands --help --version
        return
    fi
    _aji_describe "${typed[1]}"
    parts=$(_aji_parts "${typed[1]}")
    if [[ $parts ]] && ((${#typed[@]} == 3)); then
        # shellcheck disable=SC2086
        _aji_offer '' $parts --help
        return
    fi
    [[ $parts ]] && _aji_describe "${typed[1]} ${typed[2]}"
    if [[ $previous == --* ]] && _aji_value "$previous" ''; then
        return
    elif [[ $current == --*=* ]]; then
        _aji_value "${current%%=*}" "${current%%=*}="
    elif [[ $current == -* ]]; then
        # shellcheck disable=SC2046
        _aji_offer '' $(sed 's/=<[^>]*>//g' <<<"$options")
    elif [[ $words == file ]]; then
        _aji_files ''
    fi
}
complete -F _aji aji
