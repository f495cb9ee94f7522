"""Views in words: the events, the legal actions and the question of a view, and all of it as JSON."""

from __future__ import annotations

from typing import Any

from ridotto.core.view import View
from ridotto.present.words import Words


def events(view: View, words: Words) -> list[dict[str, Any]]:
    """The events as their seat may know them, each with its sentence."""
    return [
        {
            "ply": one.ply,
            "event": one.event.name,
            "section": one.event.section,
            "args": {arg.name: arg.kind.to_json(one.values[arg.name]) for arg in one.event.args},
            "text": words.event(one),
        }
        for one in view.seen
    ]


def actions(view: View, words: Words) -> list[dict[str, Any]]:
    """The legal actions of the seat, each with id, notation, label and §."""
    if view.seat is None:
        return []
    actions = view.game.rules.ACTIONS
    return [
        {
            "id": i,
            "notation": actions.notation(i),
            "label": words.label(view.row, view.seat, i),
            "section": actions.family(i).section,
        }
        for i in view.legal
    ]


def question(view: View, words: Words) -> str:
    """One sentence about the decision that is due, and its seat."""
    if view.outcome is not None:
        return words.say("The match is over.")
    if not view.to_act:
        return ""  # it is not dealt yet
    seat = view.seat if view.seat in view.to_act and view.seat is not None else view.to_act[0]
    return words.question(view.row, seat)


def as_json(view: View, words: Words) -> dict[str, Any]:
    """The view as plain data, with its sentences."""
    return {
        "game": view.game.name,
        "rules": view.row[view.game.rules.FIELDS.F.version],
        "seats": view.seats,
        "seat": view.seat,
        "ply": view.ply,
        "to_act": list(view.to_act),
        "question": question(view, words),
        "row": list(view.row),
        "position": view.position,
        "actions": actions(view, words),
        "events": events(view, words),
        "outcome": view.outcome.json() if view.outcome else None,
    }
