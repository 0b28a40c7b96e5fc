#!/bin/sh
# A UGI engine for placements on 5x5 that takes the first free cell. With N moves or more on the board it names an occupied cell
# instead, which forfeits the game: of two such engines the one with the greater N wins, whoever begins. With a second argument
# it errs only where it has the first move. A third names a file to which it adds each go line.
last=$1
only=$2
log=$3
while IFS= read -r line; do
	case $line in
	ugi) echo "id name rank"; echo ugiok ;;
	isready) echo readyok ;;
	position*moves*) moves=" ${line##*moves } " ;;
	position*) moves=" " ;;
	go*)
		[ -z "$log" ] || echo "$line" >>"$log"
		set -- $moves
		if [ $# -ge "$last" ] && { [ "$only" != first ] || [ $(($# % 2)) -eq 0 ]; }; then
			echo "bestmove ${1:-z9}"
			continue
		fi
		for cell in a1 b1 c1 d1 e1 a2 b2 c2 d2 e2 a3 b3 c3 d3 e3 a4 b4 c4 d4 e4 a5 b5 c5 d5 e5; do
			case $moves in
			*" $cell "*) ;;
			*) echo "bestmove $cell"; break ;;
			esac
		done
		;;
	quit) exit 0 ;;
	esac
done
