"""What `rocktower serve` refuses before it listens."""

import pytest


@pytest.mark.parametrize(
    ("command", "option"),
    [
        ("serve", "--rate"),
        ("serve", "--creations"),
        ("serve", "--expire"),
        ("serve", "--simulation-time"),
        ("hammer", "--movie-rate"),
        ("validate", "--scale"),
    ],
)
@pytest.mark.parametrize("value", ["nan", "inf", "-1"])
def test_what_is_not_in_the_range_is_refused(rocktower, command, option, value):
    result = rocktower(command, option, value)
    assert result.status == 2
    assert option in result.err
    assert "is not in the range" in result.err
    assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    ("option", "said"), [("--host", "name an address"), ("--database", "name of a file")]
)
def test_nothing_is_no_host_and_no_database(rocktower, option, said):
    pytest.importorskip("fastapi", reason="the server needs: pip install 'rocktower[serve]'")
    result = rocktower("serve", "--port", 0, option, "")
    assert result.status == 2
    assert said in result.err
    assert result.err.count("\n") == 1
