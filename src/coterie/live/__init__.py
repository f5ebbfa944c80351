"""A page in the browser for an episode that goes on: watch it, look back, talk, approve, stop.

The page has a process of its own (`child`), which draws and serves it, so that the episode is not kept waiting: its own
process only writes the lines of its log to a pipe (`process`), and hears there what people do on the page.

    doors       who may enter, as whom, and with which rights; the checks that every request passes
    book        rows for watchers, in order; whoever comes late or comes back reads on where they were
    board       goals, proposals, stops and words of people, folded from the log
    server      requests, answers and streams
    recorded    a folder of logs and results, for `coterie serve`
"""
