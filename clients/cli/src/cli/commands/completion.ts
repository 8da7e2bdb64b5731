import { findClosest } from '../closest.js';
import type { Command } from '../command.js';
import { usageError } from '../usage-error.js';

/** The hidden first argument with which the scripts ask for completions. */
export const COMPLETE = '__complete';

const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_tool_gateway() {
  local IFS=$'\\n'
  COMPREPLY=($(tool-gateway ${COMPLETE} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _tool_gateway tool-gateway`,
  zsh: `#compdef tool-gateway
_tool_gateway() {
  local -a found
  found=("\${(@f)$(tool-gateway ${COMPLETE} "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -a found; else _files; fi
}
compdef _tool_gateway tool-gateway`,
  fish: `function __tool_gateway_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l found (tool-gateway ${COMPLETE} $words[2..-1] "$current" 2>/dev/null)
    if set -q found[1]
        printf '%s\\n' $found
    else
        __fish_complete_path "$current"
    end
end
complete -c tool-gateway -f -a '(__tool_gateway_complete)'`,
};

export const completion: Command = {
  name: 'completion',
  usage: '<bash|zsh|fish>',
  about: 'Print a script that completes commands, tools and skills',
  details: `bash: source <(tool-gateway completion bash), in ~/.bashrc
zsh:  source <(tool-gateway completion zsh), in ~/.zshrc after compinit
fish: tool-gateway completion fish > ~/.config/fish/completions/tool-gateway.fish

Names come from the gateway of TOOL_GATEWAY_URL or the key file, and are cached for five minutes.`,
  words: [1, 1],
  async run({ terminal }, { words: [shell = ''] }) {
    const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
    const shells = Object.keys(SCRIPTS);
    const near = findClosest(shell, shells);
    if (script === undefined)
      throw usageError(
        `There is no completion for "${shell}".`,
        `${near === undefined ? '' : `Did you mean ${near}? `}Available: ${shells.join(', ')}.`,
      );
    terminal.stdout.write(`${script}\n`);
    return undefined;
  },
};
