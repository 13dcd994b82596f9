/** The shells that have a completion script. */
export const completionShells = ['bash', 'zsh', 'fish'] as const;

/**
 * The hidden flag that requests completions. The words typed after the command's name follow it; the last one is to be
 * completed.
 */
export const completionFlag = '--get-completions';

/**
 * The completion script of each shell. It reads lines of a value, a tab and a description; without any, the shell
 * completes files.
 */
export const completionScripts: Readonly<Record<(typeof completionShells)[number], string>> = {
  bash: `# Completion of longshore for bash: longshore completion bash >> ~/.bashrc
_longshore() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("$(printf '%q' "\${line%%$'\\t'*}")")
  done < <("\${COMP_WORDS[0]}" ${completionFlag} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _longshore longshore
`,
  zsh: `#compdef longshore
# Completion of longshore for zsh: longshore completion zsh > ~/.zfunc/_longshore, a folder of your fpath
_longshore() {
  local line
  local -a values
  while IFS= read -r line; do
    values+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <("\${words[1]}" ${completionFlag} "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#values} )); then
    _describe 'longshore' values
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" == _longshore ]]; then
  _longshore "$@"
else
  compdef _longshore longshore
fi
`,
  fish: `# Completion of longshore for fish: longshore completion fish > ~/.config/fish/completions/longshore.fish
function __longshore_complete
    set -l words (commandline -opc) (commandline -ct)
    $words[1] ${completionFlag} $words[2..-1] 2>/dev/null
end
complete -c longshore -a '(__longshore_complete)'
`,
};
