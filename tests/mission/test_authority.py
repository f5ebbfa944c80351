"""Authority: who may do what, what is given and taken back, and what refusals say."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core.errors import CoterieError
from coterie.mission.journal import Journal
from coterie.mission.knowledge import ACTS, ROLES, Authority, Refused


def staff(**more):
    a = Authority(Journal(), **more)
    for name, role in (("Tom", "teacher"), ("Ines", "instructor"), ("Sue", "supplies"), ("Vic", "visitor")):
        a.join(name, role)
    a.join("fetch", "robot")
    return a


#: As the checklist of the paper has it; everybody may stop, and ask.
MAY = {
    "Tom": {"teach", "command", "approve", "policy", "permit", "tell", "answer", "ask", "stop"},
    "Ines": {"command", "approve", "priority", "tell", "answer", "ask", "stop"},
    "Sue": {"tell", "answer", "ask", "stop"},
    "Vic": {"claim", "answer", "ask", "stop"},
    "somebody": {"claim", "answer", "ask", "stop"},
    "fetch": {"tell", "ask", "stop"},
    "mission": set(ACTS),
}


@pytest.mark.parametrize("name", MAY)
def test_roles(name):
    a = staff()
    assert {act for act in ACTS if a.may(name, act)} == MAY[name]


def test_a_refusal_names_who_may_and_is_kept(tmp_path):
    a = Authority(Journal(tmp_path / "j"))
    a.join("Vic", "visitor")
    assert a.refusal("Vic", "command").words == (
        "Vic (visitor) may not give commands, but may answer requests, ask questions, report facts that are then "
        "checked, stop robots. Nobody here may; somebody with the role teacher or instructor could."
    )
    a.join("Tom", "teacher")
    a.join("Ines", "instructor")
    a.leave("Tom")
    refusal = a.refusal("Vic", "approve", "g1")
    assert refusal.who_may == ("Ines", "Tom"), "those who are here come first"
    assert "may not approve plans for g1" in refusal.words and refusal.words.endswith("Ines or Tom may.")
    with pytest.raises(Refused) as caught:
        a.require("Vic", "teach")
    assert caught.value.refusal.act == "teach" and str(caught.value).endswith("Tom may.")
    assert a.refusal("Tom", "teach") is None
    a.journal.close()
    again = Authority(Journal(tmp_path / "j"))
    assert [(r.person, r.act) for r in again.refusals] == [("Vic", "command"), ("Vic", "approve"), ("Vic", "teach")]
    assert again.refusals == a.refusals
    again.journal.close()


def test_a_stop_is_honoured_from_anybody():
    a = staff()
    assert all(a.refusal(name, "stop") is None for name in (*MAY, "a passer-by"))


def test_what_is_given_and_taken_back():
    a = staff()
    with pytest.raises(Refused, match=r"Sue \(supplies\) may not give permissions.*Tom may"):
        a.grant("Sue", "Vic", "command")
    a.grant("Tom", "Sue", "priority")  # whoever gives permissions gives any
    a.grant("Ines", "Sue", "approve", about="g1")  # others hand on what is theirs
    assert a.may("Sue", "priority") and a.may("Sue", "approve", "g1") and not a.may("Sue", "approve", "g2")
    assert not a.may("Sue", "approve"), "for one goal is not for all"
    with pytest.raises(Refused):
        a.grant("Ines", "Sue", "teach")
    with pytest.raises(Refused, match=r"Vic .* may not give permissions"):
        a.revoke("Vic", "Sue", "priority")
    assert a.may("Sue", "priority")
    assert [g.giver for g in a.revoke("Tom", "Sue", "approve", "g1")] == ["Ines"] and not a.may("Sue", "approve", "g1")
    assert a.revoke("Tom", "Sue", "approve", "g1") == []
    a.revoke("Tom", "Sue", "priority")
    assert not a.may("Sue", "priority")


def test_permissions_end_at_their_time():
    a = staff()
    a.grant("Ines", "Sue", "command", until=60.0)
    a.journal.time = 59.9
    assert a.may("Sue", "command")
    a.journal.time = 60.0
    assert not a.may("Sue", "command")


def test_what_hangs_on_a_permission_falls_with_it():
    a = staff()
    a.grant("Ines", "Sue", "approve", further=True)
    a.grant("Sue", "Vic", "approve")
    with pytest.raises(Refused):
        a.grant("Vic", "Zoe", "approve")  # it was not given to be given on
    assert a.may("Vic", "approve")
    a.revoke("Ines", "Sue", "approve")
    assert not a.may("Vic", "approve")
    a.grant("Tom", "Sue", "permit")
    a.grant("Sue", "Vic", "teach")
    a.join("Tom", "visitor")
    assert not a.may("Vic", "teach"), "who gave it can no longer"
    a.join("Tom", "teacher")
    assert a.may("Vic", "teach")


def test_a_ring_of_permissions_stands_on_nothing():
    a = staff()
    a.grant("Ines", "Sue", "approve", further=True)
    a.grant("Sue", "Vic", "approve", further=True)
    a.grant("Vic", "Sue", "approve", further=True)
    a.revoke("Ines", "Sue", "approve")  # both of Sue's are taken, Vic's by Ines' right alone
    assert not a.may("Vic", "approve")
    a.grant("Ines", "Sue", "approve", further=True)
    a.grant("Vic", "Sue", "approve", further=True)
    a.join("Ines", "visitor")
    assert not a.may("Sue", "approve") and not a.may("Vic", "approve")


def test_roles_of_a_scene_and_names_that_are_wrong():
    a = staff(roles={"nurse": frozenset({"command", "tell"}), "visitor": frozenset({"ask"})})
    a.join("Nora", "nurse", "visitor")
    assert a.may("Nora", "command") and a.may("Nora", "ask") and not a.may("Vic", "claim")
    with pytest.raises(CoterieError, match=r"No role 'nurze'\. Did you mean 'nurse'"):
        a.join("Ned", "nurze")
    with pytest.raises(CoterieError, match=r"No act 'comand'\. Did you mean 'command'"):
        a.may("Nora", "comand")
    with pytest.raises(CoterieError, match="Role 'boss': No act 'fly'"):
        Authority(roles={"boss": frozenset({"fly"})})
    assert a.roles_of("Nora") == ("nurse", "visitor") and "visitor" in ROLES


def test_who_comes_back_keeps_the_role():
    a = staff()
    a.leave("Ines")
    assert "Ines" not in a.people() and a.may("Ines", "command")
    before = a.journal.number
    a.join("Ines")
    assert a.people() == ["Tom", "Ines", "Sue", "Vic"] and a.roles_of("Ines") == ("instructor",)
    a.join("Ines")
    a.leave("nobody")
    assert a.journal.number == before + 1, "what changes nothing is not written"


people = st.sampled_from(["Tom", "Ines", "Sue", "Vic"])
acts = st.sampled_from(["approve", "permit", "teach"])


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["grant", "grant", "revoke", "join"]), people, people, acts, st.booleans())))
def test_nobody_ever_may_what_no_chain_from_a_role_gives(deeds):
    """Whatever is granted, revoked and re-assigned: a permission leads back to somebody who has it by role."""
    a = staff()
    for kind, one, other, act, further in deeds:
        try:
            if kind == "grant":
                a.grant(one, other, act, further=further)
            elif kind == "revoke":
                a.revoke(one, other, act)
            else:
                a.join(one, "visitor")
        except Refused:
            pass
    roots = {n for n in ("Tom", "Ines", "Sue", "Vic") if {"permit", "approve", "teach"} & a.roles[a.roles_of(n)[0]]}
    for name in ("Tom", "Ines", "Sue", "Vic"):
        for act in ("approve", "permit", "teach"):
            if a.may(name, act):
                assert roots, (name, act)
                reached, ahead = set(), [name]
                while ahead:
                    here = ahead.pop()
                    if here not in reached:
                        reached.add(here)
                        ahead += [g.giver for g in a.grants.values() if g.person == here and g.act in (act, "permit")]
                assert reached & roots, (name, act)
