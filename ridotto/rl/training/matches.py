"""Many matches at once as a learner sees them: arrays of PyTorch, wherever the matches and the network are."""

from __future__ import annotations

from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

import numpy

from ridotto.core.batch import Batch
from ridotto.core.game import Game
from ridotto.engine.build import cuda
from ridotto.rl import observe
from ridotto.rl.tensors import Tensors


class Matches:
    """Matches of one game with the same number of seats, dealt anew where they end.

    `target` is where the matches are played, `device` is where PyTorch has its arrays. What is shown to the seat to act is its
    masked row, without the hidden choices that others have made at the same time: who chose first tells nothing.
    """

    def __init__(
        self,
        game: Game,
        seats: int,
        size: int,
        seed: int,
        target: Literal["cpu", "cuda"],
        device: str,
        threads: int = 1,
        without: Collection[str] = (),
    ) -> None:
        import torch

        self.torch, self.device, self.target, self.seats, self.size = torch, device, target, seats, size
        self.tensors = Tensors(game, seats, is_padded=True, is_whole=True, without=without)
        self.batch = Batch(game, size, seats, seed=seed, threads=threads, target=target, is_scored=True)
        self.actions = game.rules.ACTIONS.size
        self._bits = torch.arange(32, device=device, dtype=torch.int32)
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._threads = threads
        batch = self.batch
        if target == "cuda":
            self._masked = cuda().device_array(batch.rows.shape, "int16")
            self._kernels = observe.load_kernels(batch.build)
        else:
            self._masked = numpy.empty_like(batch.rows)
            self._observe = observe.load(batch.build)
            self._own_dice = batch.dice.copy()
            self._work = [batch.build.workspace() for _ in range(threads)]

    def show(self, out: Any) -> tuple[Any, Any]:
        """Write what each seat to act sees into `out`; returns which actions are legal, and these seats."""
        batch = self.batch
        batch.observations(self._masked)
        if self.target == "cuda":
            kernels = self._kernels
            kernels.recall_rows[kernels.BLOCKS, kernels.THREADS](self._masked, batch.acting)
            self.tensors.encode_many(self._masked, batch.acting, cuda().as_cuda_array(out))
        else:
            self._share(lambda _, rows: self._observe.recall_rows(self._masked, batch.acting, *rows))
            if self.device == "cpu":
                encoded, tensors = out.numpy(), self.tensors
                how: Any = tensors.encoding, observe.FLOATS, tensors.packing
                encode: Any = self._observe.encode_rows
                self._share(lambda _, rows: encode(self._masked, batch.acting, *how, encoded, *rows))
            else:
                masked, seats = cuda().to_device(self._masked), cuda().to_device(batch.acting)
                self.tensors.encode_many(masked, seats, cuda().as_cuda_array(out))
        masks = self._array(batch.masks.view("int32"))
        legal = (masks[:, :, None] >> self._bits & 1).reshape(self.size, -1)[:, : self.actions].bool()
        return legal, self._array(batch.acting).long()

    def advice(self) -> Any:
        """What the game's own bot would do, by what `show` has shown last; for matches on the CPU."""
        out: Any = numpy.empty(self.size, "int64")
        arrays, advise = self.batch.arrays, self._observe.advise_rows
        self._share(lambda thread, rows: advise(arrays, self._masked, self._own_dice, self._work[thread], out, *rows))
        return self.torch.as_tensor(out, device=self.device)

    def step(self, actions: Any) -> tuple[Any, Any, Any]:
        """Do an action in every match; returns where one has ended, and the share of the win and the score of each seat."""
        batch = self.batch
        batch.step(actions.short() if self.target == "cuda" else actions.cpu().numpy())
        ended = self._array(batch.ended) > 0
        return ended, self._array(batch.rewards).float(), self._array(batch.scores).float()

    def _array(self, array: Any) -> Any:
        return self.torch.as_tensor(array, device=self.device)

    def _share(self, work: Callable[[int, tuple[int, int]], Any]) -> None:
        """Divide the rows among the threads."""
        each = -(-self.size // self._threads)
        parts = [(thread * each, min(self.size, (thread + 1) * each)) for thread in range(self._threads)]
        if self._pool is None:
            work(0, parts[0])
        else:
            list(self._pool.map(work, range(self._threads), parts))
