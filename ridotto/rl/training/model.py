"""The network in PyTorch: its inputs, layers and outputs."""

from __future__ import annotations

from typing import Any

import numpy

from ridotto.core.game import Game
from ridotto.rl.tensors import Tensors
from ridotto.rl.traits import Traits


def inputs_of(game: Game, without: tuple[str, ...], is_whole: bool, has_features: bool) -> Any:
    """The matrix (elements, inputs) from the elements of padded `Tensors` to the inputs of a network.

    Cards are replaced by what is printed on them; the fields in `without` are left out. The numbers of the game's
    `ai/features.py` come after them and are taken as they are.
    """
    tensors = Tensors(game, game.seats[-1], is_padded=True, is_whole=is_whole, without=without)
    of_row = Traits(tensors).encode(numpy.eye(tensors.size, dtype="float32"))
    more = game.build().features.COUNT if has_features else 0
    matrix = numpy.zeros((of_row.shape[0] + more, of_row.shape[1] + more), "float32")
    matrix[: of_row.shape[0], : of_row.shape[1]] = of_row
    matrix[of_row.shape[0] :, of_row.shape[1] :] = numpy.eye(more)
    return matrix


def new_network(inputs: Any, width: int, depth: int, actions: int, seats: int) -> Any:
    """A network that has learnt nothing yet.

    It answers with a number for each action, then for each seat its share of the win, then for each seat its score. The score
    and the share are relative to an equal one. Every layer but the first adds to what is there.
    """
    import torch
    from torch import nn

    class Network(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("inputs", torch.as_tensor(inputs), persistent=False)
            self.first = nn.Linear(inputs.shape[1], width)
            self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
            self.answer = nn.Linear(width, actions + 2 * seats)
            nn.init.orthogonal_(self.answer.weight, 0.01)
            nn.init.zeros_(self.answer.bias)

        def folded(self) -> Any:
            """The weights of the first layer by element: inputs are sums of elements, so both steps are one."""
            with torch.autocast(self.inputs.device.type, enabled=False):
                return self.inputs @ self.first.weight.T

        def forward(self, seen: Any, first: Any = None) -> tuple[Any, Any]:
            weights = self.folded() if first is None else first
            hidden = torch.relu(seen @ weights.to(seen.dtype) + self.first.bias)
            for layer in self.layers:
                hidden = hidden + torch.relu(layer(hidden))
            answer = self.answer(hidden).float()
            return answer[:, :actions], answer[:, actions:].reshape(-1, 2, seats)

    return Network()
