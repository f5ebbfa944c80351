"""Stops in the words of people: whatever asks robots to stand still, or tells of danger, stops them before all else.

`first` is the door: the stop that a sentence is or begins with. Behind it, `still` has pleas, `waits` those by who is
to wait and how long, `reasons` what may stand behind them, `ahead` what may stand in front of them, `closing`
prohibitions, `cries` what is cried without a word of what, `harm` blows and those who are in the way, `contact` and
`peril` danger without a blow; `unmeant` has what sounds like a stop and is none; `bodies` the words for those who can
be hurt, `callings` those by which a team is called.
"""
