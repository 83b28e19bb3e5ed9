"""A broker that a busy machine lets wait is not gone."""

import pytest

from host_tools.club.wire import link
from tests.patience import PATIENCE_S


@pytest.fixture(autouse=True)
def patient_links(monkeypatch):
    monkeypatch.setattr(link, "ANSWER_S", PATIENCE_S)
