"""The live table in browsers: what comes over the wire, who may do what, and the pages."""
