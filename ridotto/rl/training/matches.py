"""Many matches at once for a learner: arrays of PyTorch, on any device."""

from __future__ import annotations

from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, Literal

import numpy

from ridotto.core.batch import Batch
from ridotto.core.game import Game
from ridotto.engine.build import cuda
from ridotto.rl import observe
from ridotto.rl.tensors import Tensors


class TrainingMatches:
    """Matches of one game with the same number of seats; where one ends, the next is dealt.

    Matches are played on `target`, PyTorch has its arrays on `device`. The observation of the seat to act is its masked row,
    without the hidden choices that others have made at the same time: who chose first tells nothing. After the elements of the
    row come the features of the game's `ai/features.py`.
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
        *,
        is_whole: bool = True,
        has_features: bool = False,
    ) -> None:
        import torch

        self.torch, self.device, self.target, self.seats, self.size = torch, device, target, seats, size
        self.tensors = Tensors(game, seats, is_padded=True, is_whole=is_whole, without=without)
        self.batch = Batch(game, size, seats, seed=seed, threads=threads, target=target, is_scored=True)
        self.has_features = has_features and self.batch.build.features.COUNT > 0
        self.elements = self.tensors.size + (self.batch.build.features.COUNT if self.has_features else 0)
        self.actions = game.rules.ACTIONS.size
        self._bits = torch.arange(32, device=device, dtype=torch.int32)
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._threads = threads
        batch = self.batch
        if target == "cuda":
            self._masked = cuda().device_array(batch.rows.shape, "int16")
            self._scratch = cuda().to_device(numpy.zeros(batch.rows.shape, "int16"))
            self._kernels = observe.load_kernels(batch.build)
            self._own_dice = cuda().to_device(batch.dice.copy_to_host())
            self._advice = torch.zeros(size, dtype=torch.int64, device=device)
        else:
            self._masked = numpy.empty_like(batch.rows)
            self._observe = observe.load(batch.build)
            self._own_dice = batch.dice.copy()
            self._work = [batch.build.workspace() for _ in range(threads)]
        # The arrays stay where they are, so that PyTorch need not be told of them at every step.
        arrays = (batch.masks.view("int32"), batch.acting, batch.ended, batch.rewards, batch.scores)
        self._views = [torch.as_tensor(array, device=device) for array in arrays] if target == device else None
        self._actions = torch.zeros(size, dtype=torch.int16, device=device)
        self._out: tuple[Any, Any, Any] | None = None

    def observe(self, out: Any) -> tuple[Any, Any]:
        """Write the observations of the seats to act into `out`; returns their legal actions as flags, and the seats."""
        batch = self.batch
        batch.observations(self._masked)
        if self.target == "cuda":
            kernels = self._kernels
            kernels.recall_rows[kernels.BLOCKS, kernels.THREADS](self._masked, batch.acting)
            _, of_row, whole = self._arrays_of(out)
            self.tensors.encode_many(self._masked, batch.acting, of_row)
            if self.has_features:
                arguments = batch.arrays, self._masked, self._scratch, whole, self.tensors.size
                kernels.feature_rows[-(-self.size // kernels.WARP), kernels.WARP](*arguments)
        else:
            self._share(lambda _, rows: self._observe.recall_rows(self._masked, batch.acting, *rows))
            encoded = out.numpy() if self.device == "cpu" else numpy.empty(out.shape, "float32")
            of_row, tensors = encoded[:, : self.tensors.size], self.tensors
            how: Any = tensors.encoding, observe.FLOATS, tensors.packing
            encode: Any = self._observe.encode_rows
            self._share(lambda _, rows: encode(self._masked, batch.acting, *how, of_row, *rows))
            if self.has_features:
                compute: Any = self._observe.feature_rows
                after: Any = encoded, tensors.size
                self._share(lambda thread, rows: compute(batch.arrays, self._masked, self._work[thread], *after, *rows))
            if self.device != "cpu":
                out.copy_(self.torch.as_tensor(encoded))
        masks, acting, *_ = self._results()
        legal = (masks[:, :, None] >> self._bits & 1).reshape(self.size, -1)[:, : self.actions].bool()
        return legal, acting.long()

    def advice(self, first: int = 0) -> Any:
        """The choices of the game's own bot in the matches from `first` on, by the last observations."""
        batch, arrays = self.batch, self.batch.arrays
        if self.target == "cuda":
            kernels, out = self._kernels, cuda().as_cuda_array(self._advice)
            arguments = arrays, self._masked, self._own_dice, batch._events, self._scratch, out, first
            kernels.advise_rows[-(-(self.size - first) // kernels.WARP), kernels.WARP](*arguments)
            return self._advice[first:]
        advised: Any = numpy.empty(self.size, "int64")
        advise = self._observe.advise_rows
        self._share(
            lambda thread, rows: advise(arrays, self._masked, self._own_dice, self._work[thread], advised, *rows), first
        )
        return self.torch.as_tensor(advised[first:], device=self.device)

    def step(self, actions: Any) -> tuple[Any, Any, Any]:
        """Do an action in every match; returns where one has ended, and the share of the win and the score of each seat."""
        batch = self.batch
        if self.target == "cuda":
            self._actions.copy_(actions)
            batch.step(self._actions)
        else:
            batch.step(actions.cpu().numpy())
        _, _, ended, rewards, scores = self._results()
        return ended > 0, rewards.float(), scores.float()

    def check(self) -> None:
        """Raise IllegalAction if an action on a GPU was not legal."""
        self.batch.check()

    def _results(self) -> list[Any]:
        """Masks, seats to act, where matches ended, rewards and scores, as arrays of PyTorch."""
        batch = self.batch
        arrays = (batch.masks.view("int32"), batch.acting, batch.ended, batch.rewards, batch.scores)
        return self._views or [self.torch.as_tensor(array, device=self.device) for array in arrays]

    def _arrays_of(self, out: Any) -> tuple[Any, Any, Any]:
        """A GPU's array of PyTorch, its part for the row, and the whole, for kernels; the last one is cached."""
        if self._out is None or self._out[0] is not out:
            self._out = out, *(cuda().as_cuda_array(part) for part in (out[:, : self.tensors.size], out))
        return self._out

    def _share(self, work: Callable[[int, tuple[int, int]], Any], first: int = 0) -> None:
        """Divide the rows from `first` on among the threads."""
        each = -(-(self.size - first) // self._threads)
        ends = [min(self.size, first + thread * each) for thread in range(self._threads + 1)]
        parts = list(pairwise(ends))
        if self._pool is None:
            work(0, parts[0])
        else:
            list(self._pool.map(work, range(self._threads), parts))
