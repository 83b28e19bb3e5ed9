"""Builds what a release consists of: wheels, a source archive, one file that runs, files for boards, sums, an SBOM."""
