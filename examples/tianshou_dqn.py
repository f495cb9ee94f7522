"""DQN of Tianshou on one seat of a game, the others at random: its multi-agent classes take the environment as it is.

It needs `pip install 'ridotto[rl]' tianshou`, and no adapter: Tianshou reads masks of
legal actions from PettingZoo's observations.

    python examples/tianshou_dqn.py fantome --seat 0 --steps 20000
"""

from __future__ import annotations

import argparse

from tianshou.algorithm import DQN, MARLRandomDiscreteMaskedOffPolicyAlgorithm, MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from ridotto.rl import aec


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn one seat of a game with DQN.")
    parser.add_argument("game")
    parser.add_argument("--seat", type=int, default=0)
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--matches", type=int, default=100, help="of the measurement at the end")
    chosen = parser.parse_args()
    one = PettingZooEnv(aec(chosen.game))
    actions = one.action_space
    policy = DiscreteQLearningPolicy(
        model=Net(state_shape=one.observation_space["observation"].shape, action_shape=actions.n, hidden_sizes=[128, 128]),
        action_space=actions,
        eps_training=0.1,
    )
    learner = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0, target_update_freq=200)
    agents = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(actions) for _ in one.agents]
    agents[chosen.seat] = learner
    everybody = MultiAgentOffPolicyAlgorithm(algorithms=agents, env=one)
    training = Collector(
        everybody, DummyVectorEnv([lambda: PettingZooEnv(aec(chosen.game))] * 8), VectorReplayBuffer(50_000, 8)
    )
    testing = Collector(everybody, DummyVectorEnv([lambda: PettingZooEnv(aec(chosen.game))] * 8))
    training.reset()
    testing.reset()
    everybody.run_training(
        OffPolicyTrainerParams(
            training_collector=training,
            test_collector=testing,
            max_epochs=1,
            epoch_num_steps=chosen.steps,
            collection_step_num_env_steps=80,
            test_step_num_episodes=8,
            batch_size=128,
            update_step_num_gradient_steps_per_sample=0.1,
            multi_agent_return_reduction=lambda rewards: rewards[:, chosen.seat],
            verbose=False,
            show_progress=False,
        )
    )
    testing.reset()
    rewards = testing.collect(n_episode=chosen.matches).returns[:, chosen.seat]
    print(f"seat {chosen.seat} wins {(rewards > 0).mean():.1%} of {chosen.matches} matches against random play")


if __name__ == "__main__":
    main()
