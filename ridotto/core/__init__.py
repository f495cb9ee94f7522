"""A game, one match of it, and what each seat may know of that.

The words used everywhere:

game     rules and facts about them            match    one playing of a game
seat     a place at a match, from 0            row      a state: small integers, declared field by field
action   a small integer that a seat may do    event    what a step tells, number by number
draw     a chance result                       log      the entries of a match: its whole truth
ply      how many entries the log has          view     what one seat, or a spectator, may know
record   a match as one JSON document          outcome  how a match ended
table    a match with people around it         §        a paragraph of our rulebook
"""
