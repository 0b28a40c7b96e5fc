"""Tabular Q-learning by self-play of many games at once, then a match against random moves and, in solved games, the exact truth.

    python3 configs/examples/tabular_q.py vanishing 20000
"""
import random
import sys

import spar

rules = sys.argv[1] if len(sys.argv) > 1 else "classic"
episodes = sys.argv[2] if len(sys.argv) > 2 else "20000"
table, rng = {}, random.Random(1)


def key_of(text):
    """A position without its ply and the last move: what decides the rest of the game."""
    words = text.split(" last=")[0].split()
    return " ".join(words[:2] + words[3:])


def best(key, legal):
    return max(legal, key=lambda a: (table.get((key, a), 0.0), rng.random()))


def learn(batch, games):
    done, before = 0, [None] * len(batch.to_move)
    keys = [key_of(text) for text in batch.observe(text=True)["observations"]]
    while done < games:
        actions = [rng.choice(legal) if rng.random() < 0.2 else best(key, legal) for key, legal in zip(keys, batch.legal)]
        old, sides = keys, batch.to_move
        batch.step(actions, reset=True)
        over, rewards = [side < 0 for side in batch.to_move], batch.rewards
        if any(over):  # those have begun anew
            batch.look()
        keys = [key_of(text) for text in batch.observe(text=True)["observations"]]
        for i, action in enumerate(actions):
            if over[i]:
                worth, done = rewards[i][sides[i]], done + 1
            else:
                ahead = max(table.get((keys[i], a), 0.0) for a in batch.legal[i])
                worth = ahead if batch.to_move[i] == sides[i] else -ahead
            q = table.get((old[i], action), 0.0)
            table[old[i], action] = q + 0.3 * (worth - q)


def score(batch, games=500):
    batch.reset(games)
    points = 0
    while (live := [i for i, side in enumerate(batch.to_move) if side >= 0]):
        keys = [key_of(text) for text in batch.observe(index=live, text=True)["observations"]]
        batch.step([best(k, batch.legal[i]) if batch.to_move[i] == i % 2 else rng.choice(batch.legal[i]) for i, k in zip(live, keys)], index=live)
    for i, reward in enumerate(batch.rewards):
        points += (reward[i % 2] + 1) / 2
    return 100 * points / games


try:
    with spar.Batch(rules, games=100) as b:
        learn(b, int(episodes))
        print(f"{rules}: {episodes} games, {len(table)} entries; {score(b):.1f} % against random moves")
except spar.SparError as e:
    sys.exit(f"tabular_q.py: {e}")
