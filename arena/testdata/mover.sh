#!/bin/sh
# A small UGI engine for games of placements on 3x3: it takes the first cell that nobody has named. Its one argument makes it
# misbehave at its second move of a game: hang, crash, cheat, garble; anything else plays on.
mode=$1
moves=
while IFS= read -r line; do
	case $line in
	ugi) echo "id name mover"; echo ugiok ;;
	isready) echo readyok ;;
	position*moves*) moves=" ${line##*moves } " ;;
	position*) moves=" " ;;
	go*)
		count=$(echo "$moves" | wc -w)
		if [ "$count" -ge 2 ]; then
			case $mode in
			hang) sleep 60 ;;
			crash) exit 3 ;;
			cheat) set -- $moves; echo "bestmove $1"; continue ;;
			garble) echo "bestmove"; continue ;;
			esac
		fi
		for cell in a1 b1 c1 a2 b2 c2 a3 b3 c3; do
			case $moves in
			*" $cell "*) ;;
			*) echo "bestmove $cell"; break ;;
			esac
		done
		;;
	quit) exit 0 ;;
	esac
done
