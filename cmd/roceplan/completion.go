package main

import (
	"strings"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

func (completionCmd) Help() string {
	return `In bash, for the shell that runs:

    source <(roceplan completion bash)

In zsh, for all sessions:

    roceplan completion zsh >"${fpath[1]}/_roceplan"

In fish, for all sessions:

    roceplan completion fish >~/.config/fish/completions/roceplan.fish

Completion covers commands, flags and their values: chips, network cards, platforms, scenarios, codes of findings, and the switches, ports and quantities of the fabric on the command line.`
}

// Run prints a script that asks the program itself what fits; where it knows nothing, the shell
// completes names of files.
func (c completionCmd) Run(t *terminal) error {
	t.printf("%s", strings.TrimPrefix(map[string]string{"bash": bashScript, "zsh": zshScript, "fish": fishScript}[c.Shell], "\n"))
	return nil
}

// Bash divides words at : and = too, and replaces only what follows the last of them. The words
// are therefore taken from the line, and what stays is taken off the answers.
const bashScript = `
_roceplan() {
  local line=${COMP_LINE:0:COMP_POINT} current kept word
  local -a words
  read -a words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  words=("${words[@]/#\~\//$HOME/}")
  current=${words[${#words[@]} - 1]}
  kept=${current%"${current##*[:=]}"}
  COMPREPLY=()
  while IFS=$'\t' read -r word _; do
    COMPREPLY+=("${word#"$kept"}")
  done < <("${words[0]}" complete -- "${words[@]:1}" 2>/dev/null)
}
complete -o bashdefault -o default -F _roceplan roceplan
`

const zshScript = `
#compdef roceplan
_roceplan() {
  local -a candidates
  candidates=(${(f)"$("${(Q)words[1]}" complete -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)"})
  candidates=("${(@)${(@)candidates//:/\\:}//$'\t'/:}")
  if (( $#candidates )); then
    _describe roceplan "candidates" 2>/dev/null
  else
    _files
  fi
}
if [[ $funcstack[1] == _roceplan ]]; then
  _roceplan "$@"
else
  compdef _roceplan roceplan
fi
`

const fishScript = `
function __roceplan_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l found (command $words[1] complete -- $words[2..] "$current" 2>/dev/null)
    if set -q found[1]
        printf '%s\n' $found
    else
        __fish_complete_path "$current"
    end
end
complete -c roceplan -f -a '(__roceplan_complete)'
`
