#!/bin/sh
# An engine for any POSIX shell: it plays the last move of the list. See ../engine-protocol.md.
while read -r word rest; do
  case $word in
    cardtable) echo "engine last-move" ;;
    game) echo "ready" ;;
    legal) count=$(printf '%s\n' "$rest" | awk -F '; ' '{ print NF }') ;;
    go) echo "play $count" ;;
  esac
done
