"""Leaves with sys.exit, as scripts do, and says that all went well."""

import sys

sys.exit(0)
