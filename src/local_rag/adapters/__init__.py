"""Everything that touches a vendor, a disk or the network."""
