"""Tests of spar.py; Spar's own tests run them where Python is there: python3 configs/examples/test_spar.py"""
import re
import unittest

import spar

np = spar.np


class Conventions(unittest.TestCase):
    def test_state(self):
        state = spar.Game("classic").new_initial_state()
        self.addCleanup(state.close)
        for name in "a1 a2 b1 b2".split():
            self.assertFalse(state.is_terminal())
            names = {state.action_to_string(a): a for a in state.legal_actions()}
            state.apply_action(names[name])
        self.assertEqual(state.current_player(), 0)
        self.assertEqual(state.exact_value(), {"value": 1, "plies": 1})
        state.apply_action(2)
        self.assertTrue(state.is_terminal())
        self.assertEqual((state.returns(), state.current_player()), ([1.0, -1.0], -4))
        state.undo_action()
        self.assertEqual(len(state.observation_tensor()), 21)
        self.assertIn("XX.", str(state))
        other = state.clone()
        self.addCleanup(other.close)
        other.apply_action(2)
        self.assertEqual((other.is_terminal(), state.is_terminal(), len(other.history())), (True, False, 5))
        self.assertEqual((state.legal_actions(1), state.action_to_string(0, 2), state.get_game().num_distinct_actions()), ([], "c1", 9))

    def test_batch(self):
        with spar.Batch("connect4", games=50, seed=7) as b:
            while (live := [i for i, side in enumerate(b.to_move) if side >= 0]):
                b.step([b.legal[i][0] for i in live], index=live)
            self.assertEqual({tuple(r) for r in b.rewards}, {tuple(b.rewards[0])})
            with self.assertRaisesRegex(spar.SparError, "game 0 is over"):
                b.step([0] * 50)
            b.reset(3)
            self.assertEqual(b.to_move, [0, 0, 0])

    def test_missing(self):
        with self.assertRaisesRegex(spar.SparError, "has ended with exit code 2"):
            spar.Batch("nosuchgame")


@unittest.skipUnless(np, "needs NumPy")
class AEC(unittest.TestCase):
    """What PettingZoo's api_test asks of an AEC environment, and what it leaves open."""

    GAMES = {
        "classic": {},
        "vanishing": {"pieces.cap": 4},  # planes with fractions
        "nine-mens-morris": {},          # hands, phases, several actions in a turn
        "hex": {"turn.pie": "seats"},    # players may exchange sides
        "order-and-chaos": {},           # two kinds of piece
    }

    def make(self, rules, **settings):
        env = spar.aec_env(rules, **settings)
        self.addCleanup(env.close)
        return env

    def choose(self, env, agent, seen):
        return env.action_space(agent).sample(seen["action_mask"])

    def check_attributes(self, env):
        for by_agent in (env.rewards, env._cumulative_rewards, env.terminations, env.truncations, env.infos):
            self.assertIsInstance(by_agent, dict)
            self.assertEqual(list(by_agent), env.agents)
        self.assertEqual((env.num_agents, env.max_num_agents), (len(env.agents), 2))
        for agent in env.agents:
            self.assertIn(agent, env.possible_agents)
            self.assertIs(type(env.terminations[agent]), bool)
            self.assertIs(type(env.truncations[agent]), bool)
            self.assertIs(type(env.rewards[agent]), float)
            self.assertIsInstance(env.infos[agent], dict)

    def check_observation(self, env, agent, seen):
        self.assertTrue(env.observation_space(agent).contains(seen), seen)
        for name in "observation", "action_mask":
            self.assertIsInstance(seen[name], np.ndarray)
            self.assertEqual(seen[name].dtype, env.observation_space(agent)[name].dtype)
            self.assertTrue(np.isfinite(seen[name]).all())
        self.assertGreater(seen["observation"].size, 1)
        moves = agent == env.agent_selection and not env.terminations[agent]
        self.assertEqual(seen["action_mask"].any(), moves)

    def test_spaces(self):
        env = self.make("classic")
        self.assertIs(env.unwrapped, env)
        self.assertIsInstance(env.metadata["name"], str)
        self.assertEqual(env.possible_agents, env.agents)
        for agent in env.agents:
            self.assertTrue(re.fullmatch("[a-z]+_[0-9]+", agent))
            for space in env.observation_space, env.action_space:
                self.assertIs(space(agent), space(agent), "the same object each time, so that its seed holds")
            self.assertEqual(env.action_space(agent).n, 9)
            box = env.observation_space(agent)["observation"]
            self.assertEqual((box.low.shape, box.high.shape), (box.shape, box.shape))
            self.assertTrue((box.low < box.high).all())

    def test_play(self):
        for rules, changes in self.GAMES.items():
            with self.subTest(rules):
                env = self.make(rules, set=changes)
                for agent in env.agents:
                    env.action_space(agent).seed(1)
                for _ in range(3):
                    self.play(env)

    def play(self, env):
        env.reset()
        self.check_attributes(env)
        owed, final, finished = dict.fromkeys(env.agents, 0.0), {}, []
        for agent in env.agent_iter():
            self.assertNotIn(agent, finished)
            seen, reward, terminated, truncated, info = env.last()
            self.assertEqual(reward, owed[agent], "last() returns the sum of rewards since the agent's last step")
            self.assertEqual((terminated, truncated, info),
                             (env.terminations[agent], env.truncations[agent], env.infos[agent]))
            for other in env.agents:
                self.check_observation(env, other, env.observe(other))
            over = terminated or truncated
            self.assertIsNone(env.step(None if over else self.choose(env, agent, seen)))
            owed[agent] = 0.0
            for other, earned in env.rewards.items():
                owed[other] += earned
            self.check_attributes(env)
            if over:
                finished.append(agent)
                final[agent] = reward
        self.assertEqual(sorted(finished), env.possible_agents)
        self.assertIn(sorted(final.values()), ([-1.0, 1.0], [0.0, 0.0]))

    def test_last(self):
        env = self.make("classic")
        self.assertIsNone(env.last(observe=False)[0])
        self.assertEqual(len(list(env.agent_iter(3))), 3)

    def test_observers(self):
        """The agent that is not to move sees its own pieces and hand first, and has no legal actions."""
        env = self.make("nine-mens-morris")
        env.step(np.flatnonzero(env.last()[0]["action_mask"])[0])
        first, second = (env.observe(agent) for agent in env.possible_agents)
        number = {name: i - len(env.names) for i, name in enumerate(env.names)}
        self.assertEqual((first["observation"][0], second["observation"][0]), (1, 0))
        for own, enemy, seen in (8, 9, first), (9, 8, second):
            numbers = [seen["observation"][number[n]] for n in ("own_hand", "enemy_hand", "moving", "ply")]
            self.assertEqual(numbers, [own, enemy, 0, 1])
        self.assertEqual((first["action_mask"].any(), second["action_mask"].sum()), (False, 23))

    def test_actions(self):
        """Numbers of NumPy are actions; what is not legal is refused and changes nothing."""
        env = self.make("classic")
        env.reset(seed=0, options={"unknown": 1})
        env.step(np.int32(4))
        self.assertEqual(env.observe("player_0")["observation"][4], 1)
        before = env.render()
        with self.assertRaisesRegex(spar.SparError, "not legal"):
            env.step(4)
        self.assertEqual((env.render(), env.agent_selection), (before, "player_1"))
        env.reset(options={"moves": "a1 a2 b1 b2 c1".split()})
        with self.assertRaisesRegex(spar.SparError, "None"):
            env.step(4)

    def test_seed(self):
        """The same seed gives the same game, in this environment and in another."""
        def game(env, seed):
            env.reset(seed=seed, options={"random_plies": 4})
            for agent in env.agents:
                env.action_space(agent).seed(seed)
            seen = []
            for agent in env.agent_iter():
                observation, _, over, *_ = env.last()
                seen.append((agent, observation["observation"].tolist()))
                env.step(None if over else self.choose(env, agent, observation))
            return seen

        env = self.make("connect4")
        self.assertEqual(game(env, 7), game(env, 7))
        self.assertEqual(game(env, 7), game(self.make("connect4"), 7))
        self.assertNotEqual(game(env, 7), game(env, 8))


unittest.main(verbosity=0)
