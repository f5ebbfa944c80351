"""What happens without the packages that arms need."""

import subprocess
import sys

import pytest

from coterie.core.errors import CoterieError
from coterie.motion import needs


def test_the_packages_are_there():
    assert needs.mujoco().MjSpec and needs.ompl().geometric.RRTConnect


@pytest.mark.parametrize("name", ("mujoco", "ompl"))
def test_a_missing_package_is_a_sentence_with_the_way_out(monkeypatch, name):
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(CoterieError, match=r"pip install 'coterie\[arms\]'"):
        getattr(needs, name)()


def test_mounts_need_no_physics():
    code = "import sys; import coterie.motion.bodies; assert 'mujoco' not in sys.modules and 'ompl' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
