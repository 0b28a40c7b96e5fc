"""Tests of spar.py; Spar's own tests run them where Python is there: python3 configs/examples/test_spar.py"""
import random
import unittest

import spar


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

    def test_aec(self):
        env, rng, lengths = spar.aec_env("vanishing", set={"pieces.cap": 4}), random.Random(1), 0
        self.addCleanup(env.close)
        for _ in range(20):
            env.reset()
            totals = {a: 0.0 for a in env.agents}
            for agent in env.agent_iter():
                seen, reward, over, cut, _ = env.last()
                totals[agent] += reward
                self.assertIn(seen, env.observation_space(agent))
                legal = [i for i, ok in enumerate(seen["action_mask"]) if ok]
                self.assertEqual(over or cut, not legal)
                if legal:
                    self.assertIn(env.action_space(agent).sample(seen["action_mask"]), legal)
                env.step(None if over else rng.choice(legal))
                lengths += not over
            self.assertEqual(sum(totals.values()), 0)
        self.assertGreater(lengths, 20 * 5)

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


unittest.main(verbosity=0)
