"""Spar's games as environments for learning, over `spar env`. One file; only aec_env needs NumPy.

    import spar
    with spar.Batch("connect4", games=1000) as b:       # many games at once, the fast way
        while (live := [i for i, side in enumerate(b.to_move) if side >= 0]):
            b.step([b.legal[i][0] for i in live], index=live)

    state = spar.Game("vanishing").new_initial_state()  # in the conventions of OpenSpiel's states
    env = spar.aec_env("vanishing")                     # in the conventions of PettingZoo's AEC environments

Spaces are those of Gymnasium, and aec_env is an AECEnv of PettingZoo, where these packages are installed.

The program is `spar` on the PATH, else `./spar`, or what the environment variable SPAR names: in an engine that spar has
started, that spar.
"""
import json
import os
import random
import shutil
import subprocess

try:
    import numpy as np
except ModuleNotFoundError:
    np = None
try:
    from gymnasium import spaces
except ModuleNotFoundError:
    spaces = None
try:
    from pettingzoo import AECEnv
except ModuleNotFoundError:
    AECEnv = object


class SparError(Exception):
    """A request that could not be met. Nothing has changed."""


class Batch:
    """A batch of games of one set of rules. Lists have one entry a game: to_move (0, 1, -1 = over), rewards, legal (actions)."""

    def __init__(self, rules, games=1, set=(), seed=None, program=None):
        named = program or os.environ.get("SPAR")
        command = [named or shutil.which("spar") or shutil.which("spar", path=os.curdir) or "spar", "env", rules]
        for key, value in dict(set).items():
            command += ["--set", f"{key}={value}"]
        try:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        except OSError as e:
            where = f"SPAR or program names {named}" if named else "it is neither on the PATH nor in this folder; SPAR=PATH names it"
            raise SparError(f"cannot start spar ({e.strerror}): {where}") from None
        self.info = self.ask(do="info")
        self.reset(games, seed=seed)

    def ask(self, **request):
        """Sends a request and returns the answer."""
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise SparError(f"spar env has ended with exit code {self._process.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise SparError(answer["error"])
        return answer

    def _take(self, answer, index):
        if index is None:
            self.to_move, self.rewards = answer["to_move"], answer["rewards"]
            self.legal = answer.get("legal")
            return answer
        for k, i in enumerate(index):
            self.to_move[i], self.rewards[i] = answer["to_move"][k], answer["rewards"][k]
            if self.legal is not None and "legal" in answer:
                self.legal[i] = answer["legal"][k]
        return answer

    def reset(self, games=0, position="", moves=(), seed=None):
        """Starts so many games (0: as many as now) at a position's text, the start by default, and plays moves.

        A seed starts the generator of random moves."""
        return self._take(self.ask(do="reset", games=games, position=position, moves=list(moves), seed=seed), None)

    def step(self, actions, index=None, reset=False):
        """Plays an action in each game (of index); with reset=True games that end begin anew after the answer."""
        return self._take(self.ask(do="step", actions=[int(a) for a in actions], index=index, reset=reset), index)

    def step_moves(self, moves, index=None):
        """The same with moves as texts, like c2 or c2-d3."""
        return self._take(self.ask(do="step", moves=list(moves), index=index), index)

    def random(self, plies=0, index=None):
        """Plays random moves, to the end if plies is 0."""
        return self._take(self.ask(do="random", plies=plies, index=index), index)

    def undo(self, index=None):
        """Takes one move back in each game."""
        return self._take(self.ask(do="undo", index=index), index)

    def observe(self, index=None, text=False, side=None):
        """Planes (own and enemy pieces first) and further numbers of each position, or its text.

        Own means the side to move, or the given side, 0 or 1."""
        return self.ask(do="observe", index=index, side=side, **{"as": "text" if text else "planes"})

    def values(self, index=None):
        """Exact values to the side to move, {"value": 1, 0 or -1, "plies": to the end}, where the game can be solved."""
        return self.ask(do="value", index=index)["values"]

    def look(self):
        """Asks again where the games stand, after step(reset=True)."""
        return self._take(self.ask(do="state"), None)

    def state(self, index=None):
        """Positions, moves so far, names of the legal moves, and why games are over."""
        return self.ask(do="state", index=index)

    def close(self):
        if self._process.poll() is None:
            self._process.stdin.close()
            self._process.wait()
        self._process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Game:
    """Rules, in the conventions of OpenSpiel's games."""

    def __init__(self, rules, set=(), program=None):
        self.rules, self.set, self.program = rules, dict(set), program

    def new_initial_state(self):
        return State(Batch(self.rules, set=self.set, program=self.program), self)

    def num_distinct_actions(self):
        with Batch(self.rules, set=self.set, program=self.program) as batch:
            return batch.info["actions"]

    def num_players(self):
        return 2

    def min_utility(self):
        return -1.0

    def max_utility(self):
        return 1.0


class State:
    """One game under way, in the conventions of OpenSpiel's states."""

    def __init__(self, batch, game=None):
        self._batch, self._game, self._history = batch, game, []

    def get_game(self):
        return self._game

    def is_chance_node(self):
        return False

    def history(self):
        return list(self._history)

    def clone(self):
        """A state of its own, with a process of its own: for thousands of positions take a Batch."""
        other = self._game.new_initial_state()
        for action in self._history:
            other.apply_action(action)
        return other

    def current_player(self):
        return self._batch.to_move[0] if not self.is_terminal() else -4

    def legal_actions(self, player=None):
        return list(self._batch.legal[0]) if player in (None, self.current_player()) else []

    def action_to_string(self, player, action=None):
        """Of (player, action), or of the action alone."""
        action = player if action is None else action
        return self._batch.state()["names"][0].split()[self._batch.legal[0].index(action)]

    def apply_action(self, action):
        self._batch.step([action])
        self._history.append(action)

    def undo_action(self, player=None, action=None):
        self._batch.undo()
        self._history.pop()

    def is_terminal(self):
        return self._batch.to_move[0] < 0

    def returns(self):
        return [float(x) for x in self._batch.rewards[0]]

    rewards = returns  # the only reward is the last one

    def player_return(self, player):
        return self.returns()[player]

    def observation_tensor(self, player=None):
        """The planes, then the further numbers, as the player sees them; as the one to move by default."""
        seen = self._batch.observe(side=player)
        return [float(x) for x in seen["observations"][0] + seen["extras"][0]]

    def exact_value(self):
        return self._batch.values()[0]

    def __str__(self):
        return self._batch.state()["position"][0]

    def close(self):
        self._batch.close()


class Spaces:
    """What aec_env needs of gymnasium.spaces, where that is not installed."""

    class Discrete:
        """The numbers from 0 to n - 1."""

        shape = ()

        def __init__(self, n):
            self.n = n
            self.seed()

        def seed(self, seed=None):
            self._random = random.Random(seed)

        def contains(self, x):
            return isinstance(x, (int, np.integer)) and 0 <= x < self.n

        def sample(self, mask=None):
            """Any number, or one of those that a mask of 0 and 1 allows."""
            return self._random.choice([i for i in range(self.n) if mask is None or mask[i]])

    class Box:
        """Arrays between two limits."""

        def __init__(self, low, high, shape, dtype):
            self.low, self.high = (np.broadcast_to(np.asarray(limit, dtype), shape) for limit in (low, high))
            self.shape, self.dtype = shape, np.dtype(dtype)

        def contains(self, x):
            return (isinstance(x, np.ndarray) and x.shape == self.shape and np.can_cast(x.dtype, self.dtype)
                    and bool(np.all((self.low <= x) & (x <= self.high))))

    class Dict:
        """Spaces by name."""

        def __init__(self, spaces):
            self.spaces = spaces

        def contains(self, x):
            return x.keys() == self.spaces.keys() and all(space.contains(x[name]) for name, space in self.spaces.items())

        def __getitem__(self, name):
            return self.spaces[name]


class aec_env(AECEnv):
    """Two agents in turn, in the conventions of PettingZoo's AEC environments.

    An agent sees {"observation": planes, then further numbers such as hands and phases, as float32, "action_mask": 1 for
    each legal action, as int8}. Both agents see at any time; only the one to move has legal actions. `spar env --help`
    describes planes and numbers, and env.names lists the further numbers of these rules."""

    metadata = {"name": "spar", "is_parallelizable": False, "render_modes": ["ansi"]}
    render_mode = "ansi"

    def __init__(self, rules, set=(), program=None):
        if np is None:
            raise SparError("aec_env needs NumPy: install the Python package numpy")
        self._batch = Batch(rules, set=set, program=program)
        info = self._batch.info
        self.names, self.num_actions = info["extras"], info["actions"]
        self.possible_agents = ["player_0", "player_1"]
        numbers = len(info["planes"]) * info["columns"] * info["rows"]
        high = np.array([1.0] * numbers + [np.inf] * len(self.names), np.float32)
        make = spaces or Spaces
        self.action_spaces = {a: make.Discrete(self.num_actions) for a in self.possible_agents}
        self.observation_spaces = {
            a: make.Dict({
                "observation": make.Box(np.zeros_like(high), high, high.shape, np.float32),
                "action_mask": make.Box(0, 1, (self.num_actions,), np.int8),
            })
            for a in self.possible_agents
        }
        self.reset()

    num_agents = property(lambda self: len(self.agents))
    max_num_agents = property(lambda self: len(self.possible_agents))
    unwrapped = property(lambda self: self)

    def action_space(self, agent):
        """All actions of the rules; those that are legal now have a 1 in the action_mask of what is observed."""
        return self.action_spaces[agent]

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def reset(self, seed=None, options=None):
        """Starts a game. Options: "position" and "moves" as in Batch.reset, "random_plies", random moves after these.

        The same seed and options give the same random moves."""
        options = options or {}
        self._batch.reset(position=options.get("position", ""), moves=options.get("moves", ()), seed=seed)
        if options.get("random_plies"):
            self._batch.random(options["random_plies"])
        self.agents = list(self.possible_agents)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {a: {} for a in self.agents}
        self._take()

    def _take(self):
        """Sets what follows from the position after a move."""
        side = self._batch.to_move[0]
        self.rewards = {a: float(r) for a, r in zip(self.possible_agents, self._batch.rewards[0])}
        self.terminations = dict.fromkeys(self.agents, side < 0)
        self.agent_selection = self.agents[max(0, side)]
        for agent, reward in self.rewards.items():
            self._cumulative_rewards[agent] += reward

    def observe(self, agent):
        side = self.possible_agents.index(agent)
        seen = self._batch.observe(side=side)
        mask = np.zeros(self.num_actions, np.int8)
        if side == self._batch.to_move[0]:
            mask[self._batch.legal[0]] = 1
        return {"observation": np.array(seen["observations"][0] + seen["extras"][0], np.float32), "action_mask": mask}

    def last(self, observe=True):
        agent = self.agent_selection
        seen = self.observe(agent) if observe else None
        return seen, self._cumulative_rewards[agent], self.terminations[agent], self.truncations[agent], self.infos[agent]

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            return self._leave(agent, action)
        self._batch.step([action])  # an action that is not legal raises SparError here and changes nothing
        self._cumulative_rewards[agent] = 0.0
        self._take()

    def _leave(self, agent, action):
        """The step of an agent whose game is over."""
        if action is not None:
            raise SparError("an agent whose game is over takes the action None")
        self.agents.remove(agent)
        for by_agent in (self.rewards, self._cumulative_rewards, self.terminations, self.truncations, self.infos):
            del by_agent[agent]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.agents:
            self.agent_selection = self.agents[0]

    def agent_iter(self, max_iter=2**63):
        while self.agents and max_iter > 0:
            yield self.agent_selection
            max_iter -= 1

    def render(self):
        """The position as text."""
        return self._batch.state()["position"][0]

    def close(self):
        self._batch.close()
