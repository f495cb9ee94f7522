"""DQN of Tianshou on one seat of a game, the others at random: its multi-agent classes take the environment as it is.

It needs `pip install 'ridotto[rl]' 'tianshou>=2'`, and no adapter: Tianshou reads masks of legal actions from PettingZoo's
observations.

    python examples/tianshou_dqn.py fantome --seat 0 --steps 20000
"""

from __future__ import annotations

import argparse

import numpy
import torch
from tianshou.algorithm import DQN, MARLRandomDiscreteMaskedOffPolicyAlgorithm, MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from ridotto.rl import aec

AHEAD = 100
"""So many decisions after one its worth is looked up: more than most matches of Le Fantôme have."""


def learn(game: str, seat: int, steps: int, matches: int, seed: int = 1) -> float:
    """The share of matches that DQN wins on a seat after so many decisions of everybody, the others at random."""
    numpy.random.seed(seed)
    torch.manual_seed(seed)
    torch.set_num_threads(1)  # the network is small: more threads would only wait for each other
    one = PettingZooEnv(aec(game))
    actions = one.action_space
    policy = DiscreteQLearningPolicy(
        model=Net(state_shape=one.observation_space["observation"].shape, action_shape=actions.n, hidden_sizes=[128, 128]),
        action_space=actions,
        eps_training=0.1,
    )
    # After a decision comes one of somebody else, whose view says nothing of ours: what counts is how the match ends.
    learner = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0, n_step_return_horizon=AHEAD)
    agents = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(actions) for _ in one.agents]
    agents[seat] = learner
    everybody = MultiAgentOffPolicyAlgorithm(algorithms=agents, env=one)
    training = Collector(everybody, DummyVectorEnv([lambda: PettingZooEnv(aec(game))] * 8), VectorReplayBuffer(50_000, 8))
    testing = Collector(everybody, DummyVectorEnv([lambda: PettingZooEnv(aec(game))] * 8))
    training.reset()
    testing.reset()
    everybody.run_training(
        OffPolicyTrainerParams(
            training_collector=training,
            test_collector=testing,
            max_epochs=1,
            epoch_num_steps=steps,
            collection_step_num_env_steps=80,
            test_step_num_episodes=8,
            batch_size=128,
            update_step_num_gradient_steps_per_sample=0.1,
            multi_agent_return_reduction=lambda rewards: rewards[:, seat],
            verbose=False,
            show_progress=False,
        )
    )
    testing.reset()
    rewards = testing.collect(n_episode=matches).returns[:, seat]
    return float((rewards > 0).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn one seat of a game with DQN.")
    parser.add_argument("game")
    parser.add_argument("--seat", type=int, default=0)
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--matches", type=int, default=100, help="of the measurement at the end")
    chosen = parser.parse_args()
    won = learn(chosen.game, chosen.seat, chosen.steps, chosen.matches)
    print(f"seat {chosen.seat} wins {won:.1%} of {chosen.matches} matches against random play")


if __name__ == "__main__":
    main()
