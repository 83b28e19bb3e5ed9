"""The bill of materials of a release: every package that `pip install` brings, and those of npm that its site serves,
in CycloneDX 1.6."""

from __future__ import annotations

import base64
import re
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from host_tools.base.extras import need
from host_tools.look.published.npm import Pinned

_NAME = re.compile(r"[A-Za-z0-9._-]+")
_NAMESPACE = uuid.UUID("6ba7b811-9dad-11d1-80b4-00c04fd430c8")  # of URLs, RFC 9562


def _plain(name: str) -> str:
    """As packages compare their names (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def write_sbom(packages: Path, project: str, at_s: int, served: Sequence[Pinned] = ()) -> str:
    """JSON for the packages installed in a folder; `project` is the name of ours, `served` what its site gives to
    browsers. at_s: seconds since 1970. UnusableInput without the library."""
    model = need("cyclonedx.model.component", "a bill of materials")
    bom = need("cyclonedx.model.bom", "a bill of materials").Bom()
    packageurl = need("packageurl", "a bill of materials").PackageURL
    licences = need("cyclonedx.factory.license", "a bill of materials").LicenseFactory()
    found = {_plain(one.metadata["Name"]): one for one in metadata.distributions(path=[str(packages)])}
    made = {}
    for name, one in sorted(found.items()):
        about = one.metadata.json
        said = str(about.get("license_expression") or about.get("license") or "").partition("\n")[0]
        made[name] = model.Component(
            name=name, version=one.version, bom_ref=f"pkg:pypi/{name}@{one.version}",
            type=model.ComponentType.APPLICATION if name == project else model.ComponentType.LIBRARY,
            purl=packageurl("pypi", None, name, one.version), description=about.get("summary"),
            licenses=[licences.make_from_string(said)] if said else None)
    bom.metadata.component = made[project]
    for name, component in made.items():
        if name != project:
            bom.components.add(component)
    for name, one in found.items():
        wanted = {_plain(match[0]) for line in one.requires or [] if "extra ==" not in line
                  and (match := _NAME.match(line))}
        bom.register_dependency(made[name], [made[other] for other in sorted(wanted) if other in made])
    for pinned in served:
        sum_ = model.HashType(alg=model.HashAlgorithm.SHA_512, content=base64.b64decode(pinned.integrity).hex())
        bom.components.add(model.Component(
            name=pinned.name, version=pinned.version, bom_ref=f"pkg:npm/{pinned.name}@{pinned.version}",
            type=model.ComponentType.LIBRARY, purl=packageurl("npm", None, pinned.name, pinned.version),
            hashes=[sum_], licenses=[licences.make_from_string(pinned.licence)]))
    bom.metadata.timestamp = datetime.fromtimestamp(at_s, UTC)
    bom.serial_number = uuid.uuid5(_NAMESPACE, "\n".join(sorted(made[name].bom_ref.value for name in made)))
    text = need("cyclonedx.output.json", "a bill of materials").JsonV1Dot6(bom).output_as_string(indent=1)
    return f"{text}\n"
