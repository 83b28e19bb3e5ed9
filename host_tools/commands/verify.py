"""`cardtable verify`: its command line and its answers; host_tools/judge/records/ check."""

from pathlib import Path

import click

from host_tools.base import foreign


def read_key(path: Path) -> bytes:
    """The table's key: the bytes that lie on its flash, or the same as hexadecimal digits. UnusableInput."""
    from cardtable.between.keys import KEY_BYTES
    from host_tools.base.errors import UnusableInput

    key = foreign.read_bytes(path)
    if len(key) == 2 * KEY_BYTES or key[2 * KEY_BYTES :] in (b"\n", b"\r\n"):
        try:
            key = bytes.fromhex(key.decode("ascii"))
        except ValueError:
            pass
    if len(key) != KEY_BYTES:
        raise UnusableInput(f"{path}: a key has {KEY_BYTES} bytes, this file has {len(key)}")
    return key


def describe(finding, has_key: bool) -> str:
    """One sentence."""
    from host_tools.judge.records import verify

    if finding.kind == verify.NO_RECORD:
        return "no sealed record: " + "; ".join(finding.notes)
    if finding.kind == verify.CHANGED:
        text = f"changed in {finding.ranges()}"
        if finding.sealed:
            text += f"; lines 1-{finding.sealed} are as the table wrote them"
    elif finding.kind == verify.CUT:
        text = f"cut off after line {finding.lines}: "
        text += f"lines 1-{finding.sealed} are as the table wrote them" if finding.sealed else "no line is under a seal"
        if finding.lines > finding.sealed:
            text += f", and no seal is left over lines {finding.sealed + 1}-{finding.lines}"
    else:
        text = f"intact, {finding.lines} lines, digest {finding.digest}"
    if not has_key:
        text += " (as far as the chain tells: without the key anyone could have rewritten it)"
    return "; ".join([text, *finding.notes])


@click.command(short_help="Tell whether a record is as the table wrote it.")
@click.option("--key", "key_path", metavar="FILE", type=foreign.PathName(path_type=Path), default=None,
              help="The table's key, `key.bin` of its flash; without it, only the chain is checked.")
@click.option("--public", "public_path", metavar="FILE", type=foreign.PathName(path_type=Path), default=None,
              help="A public feed kept during the game, to compare with the record.")
@click.option("--digest", metavar="LETTERS", default=None, help="The twelve letters that the players wrote down.")
@click.argument("path", metavar="RECORD", type=foreign.PathName(path_type=Path))
def command(path: Path, key_path: Path | None, public_path: Path | None, digest: str | None) -> int:
    """Tell whether a record is intact, cut off, or changed, and where (T12).

    Changed are ranges of lines: a seal vouches for the lines before it up to the last one.

    Exit codes: 0 intact, 1 changed or cut off, 2 no sealed record, or a file that cannot be used.
    """
    from host_tools.base.errors import UnusableInput
    from host_tools.judge.records import public_record, verify

    key = read_key(key_path) if key_path else None
    record = foreign.read_bytes(path)
    wanted = ""
    if digest is not None:
        wanted = verify.read_digest(digest)
        if not wanted:
            raise UnusableInput(f"--digest: {foreign.shorten(digest)!r} is no digest: three groups of four letters")
    finding = verify.verify(record, key)
    said = f"{path}: {describe(finding, key is not None)}"
    if finding.kind == verify.NO_RECORD:
        raise UnusableInput(said)
    foreign.say(said)
    is_right = finding.kind == verify.INTACT
    if wanted and wanted != finding.digest:
        is_right = False
        has = f"this one's is {finding.digest}" if finding.digest else "only an intact record has one"
        foreign.say(f"{path}: not the record whose digest is {wanted}: {has}")
    if public_path is not None:
        try:
            comparison = public_record.compare(record, foreign.read_bytes(public_path), finding.digest)
        except UnusableInput as wrong:
            comparison = public_record.Comparison(public_record.DIFFERS, 0, [str(wrong)])
        text = "; ".join([f"{comparison.kind}, {comparison.lines} lines as the record has them", *comparison.notes])
        foreign.say(f"{public_path}: {text}")
        is_right = is_right and comparison.kind == public_record.FITS
    return 0 if is_right else 1
