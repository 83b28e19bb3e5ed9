"""The asserts of test files are rewritten once for all processes of a run, as pytest itself would do it."""

from types import SimpleNamespace

from _pytest.assertion import rewrite

from tests import rewritten_once


def make_config(request, folder, **more):
    """What pytest knows of a run over that folder."""
    config = SimpleNamespace(invocation_params=SimpleNamespace(dir=folder), args=["."], option=SimpleNamespace(),
                             stash=request.config.stash, getini=request.config.getini)
    vars(config).update(more)
    return config


def test_a_fresh_file_is_rewritten_once_and_pytest_takes_it(request, tmp_path):
    """A file that Python cannot read is left to the process that collects it, which says so."""
    good, bad = tmp_path / "test_good.py", tmp_path / "room" / "test_bad.py"
    bad.parent.mkdir()
    good.write_text("def test_it():\n    assert 1 == 1\n")
    bad.write_text("def test_it(:\n")
    (tmp_path / "helper.py").write_text("")
    config = make_config(request, tmp_path)
    files = rewritten_once.list_files(config)
    assert files == sorted([good, bad])
    assert rewritten_once.rewrite_fresh(config, files) == 1
    kept = rewrite.get_cache_dir(good) / (good.stem + rewrite.PYC_TAIL)
    code = rewrite._read_pyc(good, kept)
    assert "@pytest_ar" in code.co_names + code.co_varnames
    assert rewritten_once.rewrite_fresh(config, files) == 0


def test_only_the_process_that_starts_others_rewrites(request, tmp_path, monkeypatch):
    seen = []
    monkeypatch.setattr(rewritten_once, "rewrite_fresh", lambda config, files: seen.append(files))
    for more in ({}, {"option": SimpleNamespace(tx=["popen"] * 4), "workerinput": {}},
                 {"option": SimpleNamespace(tx=["popen"] * 4)}):
        rewritten_once.pytest_sessionstart(SimpleNamespace(config=make_config(request, tmp_path, **more)))
    assert seen == [[]]
