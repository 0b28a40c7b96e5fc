"""An engine of one's own that speaks UGI, takes a win in one, and else plays at random.

    spar match ./configs/examples/engine.yaml random -r classic --pairs 5 --allow-commands

It asks `spar env` for the rules; an engine that knows its game needs nothing but the lines of main.
"""
import random
import sys

import spar


def choose(batch):
    names = batch.state()["names"][0].split()
    for action, name in zip(list(batch.legal[0]), names):
        batch.step([action])
        won = batch.to_move[0] < 0 and max(batch.rewards[0]) > 0
        batch.undo()
        if won:
            return name
    return random.choice(names)


def main():
    with spar.Batch(sys.argv[1]) as batch:
        for line in sys.stdin:
            words = line.split()
            if words[:1] == ["ugi"]:
                print("id name example\nugiok", flush=True)
            elif words[:1] == ["isready"]:
                print("readyok", flush=True)
            elif words[:1] == ["position"]:
                moves = words[words.index("moves") + 1:] if "moves" in words else []
                fen = " ".join(words[2:len(words) - len(moves) - (1 if moves else 0)]) if words[1] == "fen" else ""
                batch.reset(1, position=fen, moves=moves)
            elif words[:1] == ["go"]:
                print("bestmove", choose(batch), flush=True)
            elif words[:1] == ["quit"]:
                return


main()
