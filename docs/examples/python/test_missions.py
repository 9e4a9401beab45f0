from pathlib import Path

import pytest
from engagement import Engagement


@pytest.fixture(scope="module")
def engagement():
    engagement = Engagement(Path(__file__).parent.parent / "definitions")
    yield engagement
    engagement.close()


def test_two_coffees_complete_the_mission(engagement):
    assert engagement.missions("ann")["two_coffees"]["status"] == "InProgress"
    engagement.send("ann", "order_placed")
    engagement.send("ann", "order_placed")
    engagement.settled()
    assert engagement.missions("ann")["two_coffees"]["status"] == "Completed"
    assert engagement.webhook("mission.completed", "ann")["playerExternalId"] == "ann"


def test_the_coffee_of_the_day_can_be_earned_again_tomorrow(engagement):
    engagement.missions("bob")
    engagement.send("bob", "order_placed")
    engagement.settled()
    assert engagement.points("bob") == 5
    engagement.advance("P1D")
    engagement.send("bob", "order_placed")
    engagement.settled()
    assert engagement.points("bob") == 5 + 5 + 10


def test_a_wrong_definition_is_told_with_every_problem(engagement, tmp_path):
    (tmp_path / "wrong.json").write_text('{ "missions": [{ "key": "x", "name": "X", "rewards": 1 }] }')
    with pytest.raises(AssertionError, match=r"/missions/0/objectives[^$]*/missions/0/rewards"):
        engagement.define(tmp_path)
