"""Games, matches, and each seat's view of a match.

The words used everywhere:

game     rules and facts about them            match    one playing of a game
seat     a place at a match, from 0            row      a state: small integers, declared field by field
action   a small integer that a seat may do    event    something that happens in a step, as numbers
draw     a chance result                       log      the entries of a match, from which it can be replayed
ply      the number of entries in the log      view     the knowledge of one seat, or of a spectator
record   a match as one JSON document          outcome  how a match ended
table    a match with people around it         §        a paragraph of our rulebook
"""
