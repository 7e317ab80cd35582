/// A shell that can ask what may come next. Both ask the program itself, so that what they offer is what it takes.
enum Shell: String, CaseIterable {
  case bash
  case zsh

  var script: String {
    switch self {
    case .bash:
      #"""
      # Completion of usher for bash: source <(usher completion bash)
      _usher() {
        local word help
        COMPREPLY=()
        while IFS=$'\t' read -r word help; do
          if [[ $word == :files ]]; then
            compopt -o filenames 2>/dev/null
            mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
          else
            COMPREPLY+=("$word")
          fi
        done < <("${COMP_WORDS[0]}" completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
      }
      complete -F _usher usher
      """#
    case .zsh:
      #"""
      #compdef usher
      # Completion of usher for zsh: source <(usher completion zsh), or as _usher in a folder of fpath
      _usher() {
        local word help files
        local -a candidates
        while IFS=$'\t' read -r word help; do
          if [[ $word == :files ]]; then files=yes; else candidates+=("${word//:/\\:}:$help"); fi
        done < <("${words[1]}" completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)
        (( ${#candidates} )) && _describe usher candidates
        [[ -n $files ]] && _files
      }
      if [[ ${funcstack[1]} == _usher ]]; then _usher "$@"; else compdef _usher usher; fi
      """#
    }
  }
}
